/*
 * How a figure is written. All of it works on decimal digits: the shortest that read back
 * as the double, so that rounding and the move of the decimal point are those a reader
 * would do by hand, and no noise of binary division is printed.
 */
#include "quantity/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity/quantity_int.h"

enum { DECIMAL_DIGITS = 17, CALCULATED_DIGITS = 4, NUMBER_TEXT = 80 };

/* 0.d1d2d3... x 10^point; a zero is the one digit 0 with point 1. No trailing zeros. */
struct decimal {
	char digits[DECIMAL_DIGITS + 1];
	int count;
	int point;
	bool negative;
};

static void
decimal_trim(struct decimal *d)
{
	while (d->count > 1 && d->digits[d->count - 1] == '0')
		d->count--;
	if (d->count == 1 && d->digits[0] == '0') {
		d->point = 1;
		d->negative = false;
	}
	d->digits[d->count] = '\0';
}

static int
write_digits(char *out, uint64_t n)
{
	char back[24];
	int count = 0;

	do
		back[count++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	for (int i = 0; i < count; i++)
		out[i] = back[count - 1 - i];
	out[count] = '\0';
	return count;
}

/* For what is too large or too small for the table. */
static void
search_digits(struct decimal *d, double value)
{
	char text[40];
	int precision = 0;

	do
		snprintf(text, sizeof text, "%.*e", precision, value);
	while (strtod(text, NULL) != value && ++precision < DECIMAL_DIGITS);
	for (const char *p = text; *p != 'e'; p++)
		if (*p != '.')
			d->digits[d->count++] = *p;
	d->point = atoi(strchr(text, 'e') + 1) + 1;
}

static struct decimal
decimal_of(double value)
{
	struct decimal d = { .negative = value < 0 };
	uint64_t digits;
	int exponent;

	assert(isfinite(value));
	value = fabs(value);
	if (quantity_shortest(&digits, &exponent, value)) {
		d.count = write_digits(d.digits, digits);
		d.point = d.count + exponent;
	} else {
		search_digits(&d, value);
	}
	decimal_trim(&d);
	return d;
}

/* To so many digits, at least 1; a half goes away from zero. */
static void
decimal_round(struct decimal *d, int digits)
{
	int i = digits - 1;

	if (digits >= d->count)
		return;
	d->count = digits;
	if (d->digits[digits] >= '5') {
		while (i >= 0 && d->digits[i] == '9')
			d->digits[i--] = '0';
		if (i >= 0) {
			d->digits[i] = (char)(d->digits[i] + 1);
		} else {
			d->digits[0] = '1'; /* 999 became 1000 */
			d->count = 1;
			d->point++;
		}
	}
	decimal_trim(d);
}

/* The digit before 10^place: place 1 is the ones, 0 the first behind the point. */
static char
decimal_digit(const struct decimal *d, int place)
{
	int i = d->point - place;

	return i >= 0 && i < d->count ? d->digits[i] : '0';
}

/* Append to a string that has room. */
static void
put(char *out, char c)
{
	size_t n = strlen(out);

	assert(n + 1 < NUMBER_TEXT);
	out[n] = c;
	out[n + 1] = '\0';
}

static void
put_decimals(char *out, const struct decimal *d, int decimals)
{
	if (decimals > 0)
		put(out, '.');
	for (int place = 0; place > -decimals; place--)
		put(out, decimal_digit(d, place));
}

/* The digits of the places from..to (from >= to), leading zeros dropped. */
static void
put_whole(char *out, const struct decimal *d, int from, int to, bool separators)
{
	bool started = false;

	for (int place = from; place >= to; place--) {
		char c = decimal_digit(d, place);

		if (c == '0' && !started && place > to)
			continue;
		started = true;
		put(out, c);
		if (separators && place > to && (place - to) % 3 == 0)
			put(out, ',');
	}
}

/* "1.5e-7" */
static void
put_exponent(char *out, const struct decimal *d)
{
	size_t n;

	if (d->negative)
		put(out, '-');
	put(out, d->digits[0]);
	if (d->count > 1)
		put(out, '.');
	for (int i = 1; i < d->count; i++)
		put(out, d->digits[i]);
	n = strlen(out);
	snprintf(out + n, NUMBER_TEXT - n, "e%d", d->point - 1);
}

static bool
needs_exponent(const struct decimal *d)
{
	return d->point > 21 || d->point < -5; /* from 1e21; below 1e-6 */
}

/* With `decimals` digits behind the point. */
static void
put_plain(char *out, const struct decimal *d, int decimals, bool separators)
{
	out[0] = '\0';
	if (needs_exponent(d)) {
		put_exponent(out, d);
		return;
	}
	if (d->negative)
		put(out, '-');
	put_whole(out, d, d->point > 1 ? d->point : 1, 1, separators);
	put_decimals(out, d, decimals);
}

/* The value in a unit; by the point where the factor is decimal, by division where not. */
static struct decimal
in_unit(double value, const struct unit *unit)
{
	struct decimal d;
	int shift;

	if (!quantity_decimal_factor(unit->factor, &shift))
		return decimal_of(value / unit->factor);
	d = decimal_of(value);
	if (d.digits[0] != '0')
		d.point -= shift;
	return d;
}

static bool
is_whole_unit(const struct unit *unit)
{
	switch (unit->dimension) {
	case DIM_COUNT:
	case DIM_TOKENS:
	case DIM_BITS:
		return true;
	case DIM_BYTES:
		return unit->factor == 1;
	default:
		return false;
	}
}

/* Round for print; returns how many digits to show behind the point. */
static int
round_for_print(struct decimal *d, const struct quantity *q)
{
	int digits = q->digits > 0 ? q->digits : CALCULATED_DIGITS;
	int decimals;

	if (digits > DECIMAL_DIGITS)
		digits = DECIMAL_DIGITS;
	if (is_whole_unit(q->unit) && digits < d->point)
		digits = d->point;
	decimal_round(d, digits);
	decimals = (q->digits > 0 ? digits : d->count) - d->point;
	return decimals > 0 ? decimals : 0;
}

/*
 * Large numbers in Korean: 경, 조, 억, 만 with the digits of each, "1조 2,345억". Returns what
 * separates a word behind it: nothing after digits, a blank after a name.
 */
static const char *
put_korean(char *out, size_t size, const struct decimal *d, int decimals)
{
	static const char *const groups[] = { "", "만", "억", "조", "경" };
	const char *blank = d->negative ? "-" : "";
	const char *before = "";
	size_t n = 0;

	out[0] = '\0';
	for (int group = 4; group >= 0; group--) {
		char number[NUMBER_TEXT] = "";
		int low = group * 4 + 1, high = group == 4 ? low + 4 : low + 3;

		put_whole(number, d, high, low, true);
		if (group == 0)
			put_decimals(number, d, decimals);
		before = *number == '0' && number[1] == '\0' ? " " : "";
		if (*before != '\0' && (group > 0 || n > 0))
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s%s", blank, number, groups[group]);
		blank = " ";
	}
	return d->point > 4 ? before : "";
}

/* "1조 2,345억 달러"; the number before 달러 keeps its decimals, and stands close to it. */
static void
put_dollars(char *out, size_t size, const struct decimal *d, int decimals)
{
	const char *blank = put_korean(out, size, d, decimals);
	size_t n = strlen(out);

	snprintf(out + n, size - n, "%s달러", blank);
}

/* A count from a thousand million on reads as words: "671 billion", "6,710억". */
static bool
put_large_count(char *out, size_t size, struct decimal *d, const struct quantity *q, bool ko)
{
	bool trillions = d->point > 12;
	char number[NUMBER_TEXT];
	int decimals;

	if (q->unit->dimension != DIM_COUNT || d->point <= 9 || needs_exponent(d))
		return false;
	if (q->digits == 0)
		decimal_round(d, CALCULATED_DIGITS);
	if (ko) {
		put_korean(out, size, d, 0);
		return true;
	}
	if (d->count > CALCULATED_DIGITS || d->point > 16)
		return false;
	d->point -= trillions ? 12 : 9;
	decimals = d->count > d->point ? d->count - d->point : 0;
	put_plain(number, d, decimals, true);
	snprintf(out, size, "%s %s", number, trillions ? "trillion" : "billion");
	return true;
}

static bool
is_dollars(const struct unit *unit)
{
	return unit->dimension == DIM_USD || unit->dimension == DIM_USD_PER_HOUR ||
	    unit->dimension == DIM_USD_PER_GB;
}

/* Put the number into the pattern of the unit. */
static void
fill_pattern(char *out, size_t size, const char *pattern, const char *number)
{
	bool one = strcmp(number, "1") == 0 || strcmp(number, "-1") == 0;
	size_t n = 0;

	out[0] = '\0';
	while (*pattern != '\0' && n + 1 < size) {
		if (*pattern == '#') {
			n += (size_t)snprintf(out + n, size - n, "%s", number);
			pattern++;
		} else if (strncmp(pattern, "(s)", 3) == 0) {
			n += (size_t)snprintf(out + n, size - n, "%s", one ? "" : "s");
			pattern += 3;
		} else {
			out[n++] = *pattern++;
			out[n] = '\0';
		}
	}
}

char *
quantity_text(char *out, size_t size, const struct quantity *q, const char *lang)
{
	bool ko = strcmp(lang, "ko") == 0;
	const char *pattern = ko ? q->unit->ko : q->unit->en;
	bool dollars = ko && is_dollars(q->unit);
	const struct unit *unit = dollars ? unit_base(q->unit->dimension) : q->unit;
	char number[NUMBER_TEXT], text[QUANTITY_TEXT];
	struct decimal d = in_unit(q->value, unit);
	int decimals = round_for_print(&d, q);

	if (put_large_count(out, size, &d, q, ko))
		return out;
	if (dollars && !needs_exponent(&d))
		put_dollars(number, sizeof number, &d, decimals);
	else
		put_plain(number, &d, decimals, true);
	if (pattern != NULL)
		fill_pattern(text, sizeof text, pattern, number);
	else
		snprintf(text, sizeof text, "%s %s", number, q->unit->name);
	snprintf(out, size, "%s", text);
	return out;
}

/* digits x 10^exponent without an exponent: the common case, in one pass. */
static int
write_number(char *out, uint64_t digits, int exponent)
{
	char text[24];
	int count, n = 0;

	for (; digits % 10 == 0; exponent++)
		digits /= 10;
	count = write_digits(text, digits);
	if (count + exponent <= 0)
		out[n++] = '0';
	for (int i = 0; i < count + exponent; i++)
		out[n++] = i < count ? text[i] : '0';
	if (exponent < 0)
		out[n++] = '.';
	for (int i = count + exponent; i < count; i++)
		out[n++] = i < 0 ? '0' : text[i];
	out[n] = '\0';
	return n;
}

char *
quantity_number(char *out, size_t size, double value)
{
	struct decimal d;
	char number[NUMBER_TEXT];
	uint64_t digits;
	int exponent;

	if (value >= 1 && value < 1e15 && value == (double)(uint64_t)value && size > 16) {
		write_digits(out, (uint64_t)value);
		return out;
	}
	if (value >= 1e-6 && value < 1e21 && size > NUMBER_TEXT / 2 &&
	    quantity_shortest(&digits, &exponent, value)) {
		write_number(out, digits, exponent);
		return out;
	}
	d = decimal_of(value);
	put_plain(number, &d, d.count > d.point ? d.count - d.point : 0, false);
	snprintf(out, size, "%s", number);
	return out;
}

char *
quantity_exact(char *out, size_t size, const struct quantity *q)
{
	const struct unit *base = unit_base(q->unit->dimension);
	char number[NUMBER_TEXT];

	quantity_number(number, sizeof number, q->value);
	snprintf(out, size, "%s%s%s", number, *base->name == '\0' ? "" : " ", base->name);
	return out;
}
