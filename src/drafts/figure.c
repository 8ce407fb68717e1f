#include "drafts/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 64 };

/* Names beside those of the table of units; the longest that fits is taken. */
static const struct {
	const char *shown, *unit;
} names[] = {
	{ "percent", "%" }, { "per cent", "%" }, { "퍼센트", "%" }, { "프로", "%" }, { "％", "%" },
	{ "times", "x" }, { "fold", "x" }, { "-fold", "x" }, { "배", "x" }, { "×", "x" },
	{ "tokens/s", "token/s" }, { "tok/s", "token/s" }, { "tokens per second", "token/s" },
	{ "tokens", "token" }, { "토큰", "token" }, { "bytes", "B" }, { "바이트", "B" }, { "bits", "bit" },
	{ "비트", "bit" }, { "seconds", "s" }, { "second", "s" }, { "sec", "s" }, { "초", "s" },
	{ "milliseconds", "ms" }, { "밀리초", "ms" }, { "µs", "us" }, { "μs", "us" }, { "minutes", "min" },
	{ "minute", "min" }, { "분", "min" }, { "hours", "h" }, { "hour", "h" }, { "시간", "h" },
	{ "days", "day" }, { "일", "day" }, { "weeks", "week" }, { "주", "week" }, { "months", "month" },
	{ "개월", "month" }, { "달", "month" }, { "years", "year" }, { "년", "year" }, { "°C", "degC" },
	{ "mm²", "mm2" }, { "달러", "USD" }, { "dollars", "USD" }, { "watts", "W" }, { "GB/sec", "GB/s" },
};

static const struct {
	const char *word;
	double factor;
} powers[] = {
	{ "thousand", 1e3 }, { "million", 1e6 }, { "billion", 1e9 }, { "trillion", 1e12 }, { "mn", 1e6 },
	{ "bn", 1e9 },
};

static const struct {
	const char *name;
	double factor;
} myriads[] = { { "만", 1e4 }, { "억", 1e8 }, { "조", 1e12 }, { "경", 1e16 } };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
stands(const char *s, size_t len, size_t at, const char *word)
{
	size_t n = strlen(word);

	return len - at >= n && memcmp(s + at, word, n) == 0;
}

/* One blank, also one that does not break; *at moves behind it. */
static void
skip_blank(const char *s, size_t len, size_t *at)
{
	if (*at < len && (s[*at] == ' ' || s[*at] == '\n'))
		(*at)++;
	else if (stands(s, len, *at, "\xC2\xA0"))
		*at += 2;
}

/* Digits with commas between thousands, and decimals. *place: what one in the last place is worth. */
static bool
read_number(const char *s, size_t len, size_t *at, double *value, double *place)
{
	char number[NUMBER_MAX];
	size_t n = 0, i = *at, group = 0;
	bool comma = false;
	int decimals = 0;

	for (; i < len && n + 1 < sizeof number; i++) {
		if (is_digit(s[i])) {
			number[n++] = s[i];
			group++;
		} else if (s[i] == ',' && group > 0 && (comma ? group == 3 : group <= 3) && len - i > 3 &&
		    is_digit(s[i + 1]) && is_digit(s[i + 2]) && is_digit(s[i + 3]) &&
		    (len - i == 4 || !is_digit(s[i + 4]))) {
			comma = true;
			group = 0;
		} else {
			break;
		}
	}
	if (n == 0 || (i < len && is_digit(s[i])))
		return false;
	if (i + 1 < len && s[i] == '.' && is_digit(s[i + 1])) {
		number[n++] = s[i++];
		for (; i < len && is_digit(s[i]) && n + 1 < sizeof number; i++, decimals++)
			number[n++] = s[i];
	}
	number[n] = '\0';
	*value = strtod(number, NULL);
	*place = pow(10, -decimals);
	*at = i;
	return true;
}

/* "1조 2,345억": what follows a first number. */
static bool
read_myriads(const char *s, size_t len, size_t *at, double *value, double *place)
{
	double sum = 0, part = *value;
	size_t i = *at;
	bool any = false;

	for (;;) {
		double factor = 0;
		size_t next;

		for (size_t k = 0; k < sizeof myriads / sizeof *myriads; k++)
			if (stands(s, len, i, myriads[k].name))
				factor = myriads[k].factor;
		if (factor > 0)
			i += strlen(myriads[0].name);
		else
			factor = 1;
		if (factor == 1 && !any)
			return false;
		any = true;
		sum += part * factor;
		*place *= factor;
		*at = i;
		*value = sum;
		next = i;
		skip_blank(s, len, &next);
		if (factor == 1 || next >= len || !is_digit(s[next]) || !read_number(s, len, &next, &part, place))
			return true;
		i = next;
	}
}

static void
read_power(const char *s, size_t len, size_t *at, double *value, double *place)
{
	size_t i = *at;

	skip_blank(s, len, &i);
	for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
		size_t end = i + strlen(powers[k].word);

		if (!stands(s, len, i, powers[k].word) || (end < len && is_letter(s[end])))
			continue;
		*value *= powers[k].factor;
		*place *= powers[k].factor;
		*at = end;
		return;
	}
}

/* Is this name here, and not only the beginning of a longer word? */
static bool
is_name_at(const char *s, size_t len, size_t at, const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || !stands(s, len, at, name))
		return false;
	return at + n == len || !is_letter(name[n - 1]) ||
	    !(is_letter(s[at + n]) || is_digit(s[at + n]) || s[at + n] == '/');
}

static const struct unit *
read_unit(const char *s, size_t len, size_t *at)
{
	const struct unit *found = NULL, *u;
	size_t i = *at, longest = 0;

	skip_blank(s, len, &i);
	for (size_t k = 0; (u = unit_at(k)) != NULL; k++)
		if (strlen(u->name) > longest && is_name_at(s, len, i, u->name)) {
			longest = strlen(u->name);
			found = u;
		}
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k].shown) > longest && is_name_at(s, len, i, names[k].shown)) {
			longest = strlen(names[k].shown);
			found = unit_find(names[k].unit, strlen(names[k].unit));
		}
	if (found != NULL)
		*at = i + longest;
	return found;
}

/* K behind a count is 1,024 of tokens; M is a million of anything. */
static void
read_suffix(struct figure *f, const char *s, size_t len, size_t *at)
{
	double factor;

	if (*at == len || (s[*at] != 'K' && s[*at] != 'M') || (*at + 1 < len && is_letter(s[*at + 1])))
		return;
	factor = s[*at] == 'K' ? 1024 : 1e6;
	f->number *= factor;
	f->half *= factor;
	(*at)++;
	if (factor == 1024)
		f->unit = unit_find("token", 5);
}

static bool
ends_before(const char *s, size_t at, const char *word)
{
	size_t n = strlen(word);

	while (at > 0 && s[at - 1] == ' ')
		at--;
	return at >= n && memcmp(s + at - n, word, n) == 0;
}

/* Four digits say enough of a large number: 14,220 stands for all within 5 of it. */
static double
half_place(double number, double place)
{
	while (place >= 1 && number >= place * 1e4 && fmod(number, place * 10) == 0)
		place *= 10;
	return place / 2;
}

bool
figure_read(struct figure *out, const char *s, size_t len, size_t at)
{
	const struct unit *unit;
	size_t i = at;
	double place;

	if (at >= len || !read_number(s, len, &i, &out->number, &place))
		return false;
	out->start = at;
	out->unit = NULL;
	out->half = half_place(out->number, place);
	if (read_myriads(s, len, &i, &out->number, &place)) {
		out->half = place / 2;
	} else {
		double one = 1;

		read_power(s, len, &i, &out->number, &one);
		out->half *= one;
	}
	read_suffix(out, s, len, &i);
	unit = read_unit(s, len, &i);
	if (unit != NULL)
		out->unit = unit;
	else if (ends_before(s, at, "USD") || ends_before(s, at, "$"))
		out->unit = unit_find("USD", 3);
	out->len = i - at;
	return true;
}

const struct unit *
figure_other_bytes(const struct unit *unit)
{
	static const char *const pairs[][2] = {
		{ "kB", "KiB" }, { "MB", "MiB" }, { "GB", "GiB" }, { "TB", "TiB" }, { "PB", "PiB" },
		{ "kB/s", "KiB/s" }, { "MB/s", "MiB/s" }, { "GB/s", "GiB/s" }, { "TB/s", "TiB/s" },
	};

	for (size_t i = 0; unit != NULL && i < sizeof pairs / sizeof *pairs; i++)
		for (int k = 0; k < 2; k++)
			if (strcmp(unit->name, pairs[i][k]) == 0)
				return unit_find(pairs[i][!k], strlen(pairs[i][!k]));
	return NULL;
}

/* What may be shown without a unit of its own, and is compared as a plain number. */
static bool
is_plain(enum dimension d)
{
	return d == DIM_COUNT || d == DIM_RATIO || d == DIM_TOKENS;
}

/* "USD 2.5 per hour", "시간당 2.5달러": what the dollars are for stands in other words. */
static bool
is_dollars(enum dimension d)
{
	return d == DIM_USD || d == DIM_USD_PER_HOUR || d == DIM_USD_PER_GB;
}

static bool
are_comparable(enum dimension a, enum dimension b)
{
	return a == b || (is_plain(a) && is_plain(b)) || (is_dollars(a) && is_dollars(b));
}

/* Half of the last place either way, and what binary arithmetic may lose. */
static bool
rounds_to(const struct figure *f, double value)
{
	return fabs(value - f->number) <= f->half * (1 + 1e-9) + fabs(value) * 1e-12;
}

enum figure_fit
figure_fits(const struct figure *f, const struct quantity *q)
{
	const struct unit *other = figure_other_bytes(f->unit);
	enum dimension d = q->unit->dimension;

	if (f->unit == NULL && !is_plain(d))
		return FIGURE_OTHER_UNIT;
	if (f->unit == NULL)
		return rounds_to(f, q->value) ? FIGURE_FITS : FIGURE_OTHER_VALUE;
	if (!are_comparable(f->unit->dimension, d))
		return FIGURE_OTHER_UNIT;
	if (rounds_to(f, q->value / f->unit->factor))
		return FIGURE_FITS;
	return other != NULL && rounds_to(f, q->value / other->factor) ? FIGURE_OTHER_BYTES
	                                                              : FIGURE_OTHER_VALUE;
}
