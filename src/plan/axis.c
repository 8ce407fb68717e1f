#include "plan/axis.h"

#include <math.h>
#include <string.h>

enum { GEOMETRIC_MOST = 4096 };

/* The sign before a step: the last + or * that is no part of an exponent. */
static const char *
step_sign(const char *s)
{
	const char *found = NULL;

	for (size_t i = 1; s[i] != '\0'; i++)
		if (s[i] == '*' || (s[i] == '+' && s[i - 1] != 'e' && s[i - 1] != 'E'))
			found = s + i;
	return found;
}

static const char *
trimmed(struct arena *a, const char *s, size_t n)
{
	while (n > 0 && *s == ' ') {
		s++;
		n--;
	}
	while (n > 0 && s[n - 1] == ' ')
		n--;
	return arena_strndup(a, s, n);
}

static void
cut(struct plan_item *out, struct arena *a, const char *text, size_t len)
{
	const char *item = trimmed(a, text, len);
	const char *dots = strstr(item, ".."), *sign;

	*out = (struct plan_item){ .from = item };
	if (dots == NULL)
		return;
	out->from = trimmed(a, item, (size_t)(dots - item));
	out->to = trimmed(a, dots + 2, strlen(dots + 2));
	sign = *out->to != '\0' ? step_sign(out->to) : NULL;
	if (sign == NULL)
		return;
	out->geometric = *sign == '*';
	out->by = trimmed(a, sign + 1, strlen(sign + 1));
	out->to = trimmed(a, out->to, (size_t)(sign - out->to));
}

size_t
plan_axis_items(struct plan_item **items, struct arena *a, const char *text)
{
	size_t count = 1, n = 0;

	for (const char *c = text; *c != '\0'; c++)
		count += *c == ',';
	*items = arena_alloc(a, count * sizeof **items);
	for (; n < count; n++) {
		size_t len = strcspn(text, ",");

		cut(&(*items)[n], a, text, len);
		text += len + (text[len] == ',');
	}
	return n;
}

/* The power of ten, up to 1e15, at which both are whole; 1e15 if none is. */
static double
common_scale(double from, double step)
{
	double scale = 1;

	for (; scale < 1e15; scale *= 10)
		if (rint(from * scale) / scale == from && rint(step * scale) / scale == step)
			break;
	return scale;
}

static int
geometric_span(struct plan_span *out, double to, double factor, struct place at, struct err *e)
{
	double value = out->from;

	out->factor = factor;
	for (out->count = 0; value <= to * (1 + 1e-12); out->count++) {
		if (out->count == GEOMETRIC_MOST)
			return err_at(e, ERR_USAGE, at, "expected a factor that gives at most %d values", GEOMETRIC_MOST);
		value *= factor;
	}
	return OK;
}

int
plan_axis_span(struct plan_span *out, const struct plan_item *item, enum dimension dimension,
    bool whole, struct place at, struct err *e)
{
	struct quantity from, to, by = { .value = 1 };
	const char *wrong;
	double count;

	if (quantity_parse(&from, item->from, strlen(item->from), dimension) != NULL)
		return err_at(e, ERR_USAGE, at, "expected a value, found `%.60s`", item->from);
	*out = (struct plan_span){ .from = from.value, .scale = 1, .count = 1 };
	if (item->to == NULL)
		return OK;
	if (quantity_parse(&to, item->to, strlen(item->to), dimension) != NULL)
		return err_at(e, ERR_USAGE, at, "expected a value behind .., found `%.60s`", item->to);
	if (to.value < from.value)
		return err_at(e, ERR_USAGE, at, "expected a range that runs up, found `%.30s..%.30s`", item->from, item->to);
	if (item->by == NULL && !whole)
		return err_at(e, ERR_USAGE, at, "expected a step behind the range, as in `%.30s..%.30s+STEP`",
		    item->from, item->to);
	if (item->by != NULL) {
		wrong = quantity_parse(&by, item->by, strlen(item->by), item->geometric ? DIM_COUNT : dimension);
		if (wrong != NULL || !(by.value > (item->geometric ? 1 : 0)) || (whole && by.value != floor(by.value)))
			return err_at(e, ERR_USAGE, at, "expected %s%s, found `%.60s`", whole ? "a whole " : "a ",
			    item->geometric ? "factor above 1 behind *" : "step above 0 behind +", item->by);
	}
	if (item->geometric && !(from.value > 0))
		return err_at(e, ERR_USAGE, at, "expected a range from above 0 for a factor, found `%.30s`", item->from);
	if (item->geometric)
		return geometric_span(out, to.value, by.value, at, e);
	out->step = by.value;
	out->scale = common_scale(from.value, by.value);
	count = floor((to.value - from.value) / by.value * (1 + 1e-12) + 1e-9) + 1;
	if (!(count < 0x1p52))
		return err_at(e, ERR_USAGE, at, "expected fewer than 2^52 values");
	out->count = (uint64_t)count;
	return OK;
}
