#include "advise/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kb/messages.h"

struct expr *
expr_constant(struct arena *a, double value)
{
	struct expr *e = arena_alloc(a, sizeof *e);

	e->value = value;
	e->dimension = DIM_COUNT;
	return e;
}

struct expr *
expr_leaf(struct arena *a, const char *name, enum dimension dimension, double value,
    enum quantity_kind kind, const char *ref)
{
	struct expr *e = expr_constant(a, value);

	e->name = name;
	e->dimension = dimension;
	e->kind = kind;
	e->ref = ref;
	return e;
}

static double
fold(enum expr_op op, double x, double y)
{
	switch (op) {
	case EXPR_ADD:
	case EXPR_SUM:
		return x + y;
	case EXPR_SUBTRACT:
		return x - y;
	case EXPR_MULTIPLY:
		return x * y;
	case EXPR_DIVIDE:
		return x / y;
	case EXPR_POWER:
		return pow(x, y);
	case EXPR_MAX:
		return fmax(x, y);
	case EXPR_MIN:
		return fmin(x, y);
	default:
		return x;
	}
}

static double
evaluate(const struct expr *e)
{
	double x = e->count > 0 ? e->args[0]->value : 0;

	if (e->op == EXPR_LARGEST)
		return e->args[1]->value <= e->args[3]->value && e->args[2]->value > e->args[3]->value ? x : NAN;
	if (e->op == EXPR_LEAST)
		return e->args[1]->value >= e->args[3]->value &&
		    (x == 1 || e->args[2]->value < e->args[3]->value) ? x : NAN;
	for (size_t i = 1; i < e->count; i++)
		x = fold(e->op, x, e->args[i]->value);
	if (e->op == EXPR_CEIL)
		return ceil(x);
	return e->op == EXPR_FLOOR ? floor(x) : x;
}

struct expr *
expr_of(struct arena *a, enum expr_op op, struct expr *const *args)
{
	struct expr *e = expr_constant(a, 0);

	e->op = op;
	while (args[e->count] != NULL)
		e->count++;
	e->args = arena_alloc(a, (e->count + 1) * sizeof *e->args);
	memcpy(e->args, args, e->count * sizeof *e->args);
	for (size_t i = 0; i < e->count && e->dimension == DIM_COUNT; i++)
		e->dimension = args[i]->dimension;
	e->value = evaluate(e);
	return e;
}

struct expr *
expr_define(struct expr *e, const char *name, enum dimension dimension)
{
	e->name = name;
	e->dimension = dimension;
	return e;
}

/* ---- numbers ---- */

static const struct unit *
unit_for_operations(double per_second)
{
	static const char *const names[] = { "TFLOP/s", "GFLOP/s" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct unit *u = unit_find(names[i], strlen(names[i]));

		if (u != NULL && per_second >= u->factor)
			return u;
	}
	return unit_base(DIM_OPS_PER_SECOND);
}

/* A count has no unit to print, also one of tokens: the operand's name says what it counts. */
static const struct unit *
unit_of(double value, enum dimension dimension)
{
	switch (dimension) {
	case DIM_BYTES:
		return unit_base(DIM_BYTES);
	case DIM_BYTES_PER_SECOND:
		return unit_for_rate(value);
	case DIM_OPS_PER_SECOND:
		return unit_for_operations(value);
	case DIM_SECONDS:
		return unit_for_seconds(value);
	default:
		return unit_base(DIM_COUNT);
	}
}

/* "1234567.5" as "1,234,567.5" */
static void
put_grouped(struct buf *out, const char *text)
{
	size_t whole;

	if (*text == '-')
		buf_putc(out, *text++);
	whole = strspn(text, "0123456789");
	if (strchr(text, 'e') != NULL) {
		buf_puts(out, text);
		return;
	}
	for (size_t i = 0; i < whole; i++) {
		if (i > 0 && (whole - i) % 3 == 0)
			buf_putc(out, ',');
		buf_putc(out, text[i]);
	}
	buf_puts(out, text + whole);
}

void
expr_number(struct buf *out, double value, enum dimension dimension)
{
	const struct unit *unit = unit_of(value, dimension);
	double shown = value / unit->factor;
	char text[64];

	if (shown == floor(shown) && fabs(shown) < 9e15)
		snprintf(text, sizeof text, "%.0f", shown);
	else if (fabs(shown) >= 1e6 && fabs(shown) < 9e15)
		snprintf(text, sizeof text, "%.1f", shown);
	else
		snprintf(text, sizeof text, "%.*g", EXPR_DIGITS, shown);
	put_grouped(out, text);
	if (*unit->name != '\0')
		buf_printf(out, " %s", unit->name);
}

/* ---- writing ---- */

struct writer {
	struct buf *out;
	const struct val *messages; /* NULL: numbers instead of words */
};

static int
rank(const struct expr *e)
{
	if (e->name != NULL)
		return 4;
	switch (e->op) {
	case EXPR_ADD:
	case EXPR_SUBTRACT:
	case EXPR_LARGEST:
	case EXPR_LEAST:
		return 1;
	case EXPR_MULTIPLY:
	case EXPR_DIVIDE:
		return 2;
	case EXPR_POWER:
		return 3;
	default:
		return 4;
	}
}

static void write_expr(const struct writer *w, const struct expr *e);

/* What stands at an operator's side: in parentheses where they are needed to read it right. */
static void
write_side(const struct writer *w, const struct expr *e, int least)
{
	bool parentheses = rank(e) < least;

	buf_puts(w->out, parentheses ? "(" : "");
	write_expr(w, e);
	buf_puts(w->out, parentheses ? ")" : "");
}

static void
write_between(const struct writer *w, const struct expr *e, const char *sign, int first, int others)
{
	for (size_t i = 0; i < e->count; i++) {
		buf_puts(w->out, i > 0 ? sign : "");
		write_side(w, e->args[i], i > 0 ? others : first);
	}
}

static void
write_call(const struct writer *w, const struct expr *e, const char *name)
{
	buf_printf(w->out, "%s(", name);
	write_between(w, e, ", ", 0, 0);
	buf_putc(w->out, ')');
}

/* Parts of one form: in words the form of the first stands for all. */
static void
write_sum(const struct writer *w, const struct expr *e)
{
	if (w->messages != NULL)
		buf_puts(w->out, messages_get(w->messages, "each", e->each));
	buf_putc(w->out, '(');
	if (w->messages != NULL)
		write_expr(w, e->args[0]);
	else
		write_between(w, e, " + ", 1, 1);
	buf_putc(w->out, ')');
}

static void
write_search(const struct writer *w, const struct expr *e)
{
	bool largest = e->op == EXPR_LARGEST;

	if (w->messages != NULL) {
		buf_printf(w->out, "%s: ", messages_get(w->messages, "each", largest ? "largest" : "least"));
		write_expr(w, e->args[1]);
		buf_puts(w->out, largest ? " <= " : " >= ");
		write_expr(w, e->args[3]);
		return;
	}
	write_expr(w, e->args[1]);
	buf_puts(w->out, largest ? " <= " : " >= ");
	write_expr(w, e->args[3]);
	if (!largest && e->value == 1)
		return;
	buf_puts(w->out, largest ? " < " : " > ");
	write_expr(w, e->args[2]);
}

static void
write_expr(const struct writer *w, const struct expr *e)
{
	if (e->op == EXPR_VALUE || e->name != NULL) {
		if (w->messages != NULL && e->name != NULL)
			buf_puts(w->out, messages_get(w->messages, "operand", e->name));
		else
			expr_number(w->out, e->value, e->dimension);
		return;
	}
	switch (e->op) {
	case EXPR_ADD:
		write_between(w, e, " + ", 1, 1);
		break;
	case EXPR_SUBTRACT:
		write_between(w, e, " - ", 1, 2);
		break;
	case EXPR_MULTIPLY:
		write_between(w, e, " x ", 2, 2);
		break;
	case EXPR_DIVIDE:
		write_between(w, e, " / ", 2, 3);
		break;
	case EXPR_POWER:
		write_between(w, e, "^", 4, 4);
		break;
	case EXPR_MAX:
		write_call(w, e, "max");
		break;
	case EXPR_MIN:
		write_call(w, e, "min");
		break;
	case EXPR_CEIL:
		write_call(w, e, "ceil");
		break;
	case EXPR_FLOOR:
		write_call(w, e, "floor");
		break;
	case EXPR_SUM:
		write_sum(w, e);
		break;
	default:
		write_search(w, e);
		break;
	}
}

/* The expression itself is written out, though it may have a name. */
static void
write_whole(const struct writer *w, const struct expr *e)
{
	struct expr whole = *e;

	if (e->op != EXPR_VALUE)
		whole.name = NULL;
	write_expr(w, &whole);
}

void
expr_words(struct buf *out, const struct expr *e, const struct val *messages)
{
	write_whole(&(struct writer){ out, messages }, e);
}

void
expr_numbers(struct buf *out, const struct expr *e)
{
	write_whole(&(struct writer){ out, NULL }, e);
}

/* ---- operands ---- */

struct seen {
	const struct expr **items;
	size_t count, cap;
};

bool
expr_same(const struct expr *x, const struct expr *y)
{
	bool same_detail = x->detail == y->detail ||
	    (x->detail != NULL && y->detail != NULL && strcmp(x->detail, y->detail) == 0);

	return strcmp(x->name, y->name) == 0 && same_detail && x->part == y->part && x->value == y->value &&
	    x->dimension == y->dimension;
}

static bool
see_first(struct seen *seen, const struct expr *e)
{
	for (size_t i = 0; i < seen->count; i++)
		if (expr_same(seen->items[i], e))
			return false;
	if (seen->count == seen->cap) {
		seen->cap = seen->cap == 0 ? 32 : 2 * seen->cap;
		seen->items = xreallocarray(seen->items, seen->cap, sizeof *seen->items);
	}
	seen->items[seen->count++] = e;
	return true;
}

/* All that a formula shows, before what its definitions show. */
static void
walk(struct seen *seen, const struct expr *e)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct expr *arg = e->args[i];

		if (arg->name == NULL)
			walk(seen, arg);
		else
			see_first(seen, arg);
	}
}

void
expr_operands(const struct expr *e, bool (*see)(void *context, const struct expr *operand),
    void *context)
{
	struct seen seen = { NULL, 0, 0 };

	if (e->op == EXPR_VALUE && e->name != NULL)
		see_first(&seen, e);
	walk(&seen, e);
	for (size_t i = 0; i < seen.count; i++)
		if (see(context, seen.items[i]))
			walk(&seen, seen.items[i]);
	free(seen.items);
}
