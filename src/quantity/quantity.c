#include "quantity/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity/quantity_int.h"

#define QUANTITY_MAX 1e30
#define QUANTITY_MIN 1e-30
enum { NUMBER_MAX = 60, DIGITS_MAX = 17 };

/* ctype.h depends on the locale and on the sign of char; these do not. */
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

/* A number as it stands in the text: text[0, len), with the exponent apart. */
struct number {
	size_t len;      /* all of it */
	size_t mantissa; /* without the exponent */
	long exponent;
	int digits; /* significant as written; of a zero, all of them */
	bool zero;
};

/* Find the exponent behind the mantissa, if a whole one stands there. */
static void
scan_exponent(struct number *n, const char *text, size_t len)
{
	size_t i = n->mantissa;
	bool negative;

	if (i == len || (text[i] != 'e' && text[i] != 'E'))
		return;
	i++;
	negative = i < len && text[i] == '-';
	if (i < len && (text[i] == '-' || text[i] == '+'))
		i++;
	if (i == len || !is_digit(text[i]))
		return;
	for (; i < len && is_digit(text[i]); i++)
		if (n->exponent < 100000)
			n->exponent = n->exponent * 10 + (text[i] - '0');
	if (negative)
		n->exponent = -n->exponent;
	n->len = i;
}

/* Returns NULL, or what was expected. */
static const char *
scan_number(struct number *n, const char *text, size_t len)
{
	size_t i = len > 0 && text[0] == '-', start = i;
	int leading = 0, all = 0;

	*n = (struct number){ .zero = true };
	for (bool point = false; i < len; i++) {
		if (text[i] == '.' && !point && i > start && i + 1 < len && is_digit(text[i + 1])) {
			point = true;
			continue;
		}
		if (!is_digit(text[i]))
			break;
		n->zero = n->zero && text[i] == '0';
		leading += n->zero;
		if (all < 1000)
			all++;
	}
	if (i == start)
		return "a number in the digits 0 to 9";
	if (text[start] == '0' && start + 1 < i && text[start + 1] != '.')
		return "a number without a leading zero";
	if (i < len && (text[i] == ',' || text[i] == '_' || text[i] == '\''))
		return "a number without separators";
	n->mantissa = n->len = i;
	n->digits = n->zero ? all : all - (leading < all ? leading : all);
	if (n->digits > DIGITS_MAX)
		n->digits = DIGITS_MAX;
	scan_exponent(n, text, len);
	return n->len > NUMBER_MAX ? "a number of at most 60 characters" : NULL;
}

/*
 * The value in base units. A decimal factor is put into the exponent of the text, so that
 * the result is the double nearest to what was written.
 */
static const char *
number_value(double *out, const struct number *n, const char *text, double factor)
{
	char copy[NUMBER_MAX + 16];
	int shift = 0;
	bool decimal = quantity_decimal_factor(factor, &shift);

	snprintf(copy, sizeof copy, "%.*se%ld", (int)n->mantissa, text, n->exponent + shift);
	*out = strtod(copy, NULL);
	if (!decimal)
		*out *= factor;
	if (n->zero)
		*out = 0; /* no minus zero */
	else if (!(fabs(*out) <= QUANTITY_MAX))
		return "a number of at most 1e30";
	else if (fabs(*out) < QUANTITY_MIN)
		return "a number that is 0 or at least 1e-30";
	return NULL;
}

/*
 * K and M behind a count, alone or before "token". *factor is what they multiply by.
 * Returns NULL where there is none.
 */
static const struct unit *
count_suffix(const char *name, size_t len, enum dimension dimension, double *factor)
{
	bool k = len > 0 && name[0] == 'K', m = len > 0 && name[0] == 'M';
	bool tokens = len == 7 && memcmp(name + 1, " token", 6) == 0;

	if ((!k && !m) || (len != 1 && !tokens))
		return NULL;
	if (dimension == DIM_ANY)
		dimension = k || tokens ? DIM_TOKENS : DIM_COUNT;
	*factor = k ? 1024 : 1e6;
	if (dimension == DIM_TOKENS || (dimension == DIM_COUNT && m && !tokens))
		return unit_base(dimension);
	return NULL;
}

/* What the dimension takes a number without a unit for; NULL: it must have one. */
static const struct unit *
plain_unit(enum dimension dimension)
{
	switch (dimension) {
	case DIM_ANY:
		return unit_base(DIM_COUNT);
	case DIM_COUNT:
	case DIM_TOKENS:
	case DIM_RATIO:
		return unit_base(dimension);
	default:
		return NULL;
	}
}

const char *
quantity_parse(struct quantity *out, const char *text, size_t len, enum dimension dimension)
{
	struct number n;
	const struct unit *unit;
	const char *wrong = scan_number(&n, text, len);
	size_t at;
	double factor;

	*out = (struct quantity){ 0 };
	if (wrong != NULL)
		return wrong;
	at = n.len;
	if (at < len && text[at] == ' ')
		at++;
	if (at == len && at > n.len)
		return "no blank behind the number";
	if (at == len) {
		unit = plain_unit(dimension);
		factor = 1;
	} else if ((unit = count_suffix(text + at, len - at, dimension, &factor)) != NULL) {
		n.digits = 0;
	} else if (dimension == DIM_COUNT && len - at == 1 && text[at] == 'K') {
		return "the count written out (K is 1,024 tokens)";
	} else {
		unit = unit_find(text + at, len - at);
		factor = unit == NULL ? 1 : unit->factor;
	}
	if (unit == NULL || (dimension != DIM_ANY && unit->dimension != dimension))
		return quantity_expected(dimension);
	wrong = number_value(&out->value, &n, text, factor);
	if (wrong != NULL) {
		out->value = 0;
		return wrong;
	}
	out->unit = unit;
	out->digits = n.digits;
	return NULL;
}

/* Where the ".." of a range stands; len: there is none. */
static size_t
find_dots(const char *text, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++)
		if (text[i] == '.' && text[i + 1] == '.')
			return i;
	return len;
}

bool
quantity_is_range(const char *text, size_t len)
{
	return find_dots(text, len) < len;
}

const char *
quantity_parse_range(struct quantity *low, struct quantity *high, const char *text, size_t len,
    enum dimension dimension)
{
	size_t dots = find_dots(text, len);
	const char *wrong;

	*low = *high = (struct quantity){ 0 };
	if (dots == len)
		return "a range such as 32..96";
	wrong = quantity_parse(low, text, dots, dimension);
	if (wrong == NULL)
		wrong = quantity_parse(high, text + dots + 2, len - dots - 2, dimension);
	if (wrong != NULL)
		return wrong;
	if (is_digit(text[dots - 1]) != is_digit(text[len - 1]))
		return "a range with a unit at both ends, or at neither";
	return low->value < high->value ? NULL : "a range that runs from the lower to the higher";
}

/* ---- kinds ---- */

static const char *const kind_names[][2] = {
	[QUANTITY_MEASURED] = { "measured", "측정값" },
	[QUANTITY_PUBLISHED] = { "published", "공표값" },
	[QUANTITY_STATED] = { "stated", "고객 제시값" },
	[QUANTITY_ASSUMED] = { "assumed", "가정값" },
	[QUANTITY_CALCULATED] = { "calculated", "계산값" },
};

const char *
quantity_kind_name(enum quantity_kind kind, const char *lang)
{
	return kind_names[kind][strcmp(lang, "ko") == 0];
}

bool
quantity_kind_find(enum quantity_kind *out, const char *name)
{
	for (int i = 0; i <= QUANTITY_CALCULATED; i++) {
		if (strcmp(kind_names[i][0], name) == 0) {
			*out = (enum quantity_kind)i;
			return true;
		}
	}
	return false;
}

enum quantity_kind
quantity_weaker(enum quantity_kind a, enum quantity_kind b)
{
	if (a == QUANTITY_CALCULATED)
		return b;
	if (b == QUANTITY_CALCULATED)
		return a;
	return a > b ? a : b;
}

enum quantity_kind
quantity_basis(const struct quantity *q)
{
	return q->kind == QUANTITY_CALCULATED ? q->weakest : q->kind;
}

/* ---- figures in prose ---- */

/*
 * Endings that make a number a figure, besides the units of the table: scales, and units
 * that people write though records may not. Compared without case.
 */
static const char *const figure_endings[] = {
	"k",
	"m",
	"t",
	"bn",
	"mn",
	"tn",
	"percent",
	"pct",
	"pp",
	"fold",
	"times",
	"hz",
	"khz",
	"mhz",
	"ghz",
	"nm",
	"um",
	"mm",
	"cm",
	"km",
	"kg",
	"iops",
	"flops",
	"gflops",
	"tflops",
	"pflops",
	"tops",
	"gbps",
	"mbps",
	"tbps",
	"gbit",
	"mbit",
	"tb",
	"hr",
	"hrs",
	"hour",
	"hours",
	"minute",
	"minutes",
	"sec",
	"second",
	"seconds",
	"days",
	"weeks",
	"months",
	"years",
	"yr",
	"tokens",
	"bits",
	"byte",
	"bytes",
	"gbs",
	"usd",
	"eur",
	"krw",
	"won",
};

static bool
same_word(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((a[i] | 0x20) != (b[i] | 0x20))
			return false;
	return true;
}

static bool
is_figure_ending(const char *text, size_t len)
{
	const struct unit *u;

	for (size_t i = 0; (u = unit_at(i)) != NULL; i++)
		if (strlen(u->name) == len && same_word(u->name, text, len))
			return true;
	for (size_t i = 0; i < sizeof figure_endings / sizeof *figure_endings; i++)
		if (strlen(figure_endings[i]) == len && same_word(figure_endings[i], text, len))
			return true;
	return false;
}

/* The letters at text + i, up to what is no letter. */
static size_t
letters(const char *text, size_t i, size_t len)
{
	size_t start = i;

	while (i < len && is_letter(text[i]))
		i++;
	return i - start;
}

/*
 * Of a part that starts with a digit and has a letter: is what stands behind its
 * number(s) the ending of a figure? A part may be a range: 10-20GB.
 */
static bool
is_number_with_ending(const char *part, size_t len)
{
	size_t i = 0, n;
	bool hyphen;

	while (i < len && !is_letter(part[i]) && part[i] != '%')
		i++;
	if (i == len || part[i] == '%')
		return true;
	hyphen = part[i - 1] == '-';
	n = letters(part, i, len);
	if (i + n < len && is_digit(part[i + n])) /* 1T1C is a name; 2x4 and 1e3 are not */
		return n == 1 && ((part[i] | 0x20) == 'x' || (part[i] | 0x20) == 'e');
	if (hyphen && n == 3 && same_word(part + i, "bit", 3))
		return false; /* 4-bit is a kind, not a figure */
	return is_figure_ending(part + i, n);
}

/* A part: letters and digits of ASCII with . , - + % ' _ between them. */
static bool
is_figure_part(const char *part, size_t len)
{
	static const char *const currencies[] = { "USD", "EUR", "KRW", "US" };
	bool digit = false, letter = false;

	while (len > 0 && !is_digit(part[0]) && !is_letter(part[0])) {
		part++;
		len--;
	}
	for (size_t i = 0; i < len; i++) {
		digit = digit || is_digit(part[i]);
		letter = letter || is_letter(part[i]);
	}
	if (!digit || !letter)
		return digit;
	if (is_digit(part[0]))
		return is_number_with_ending(part, len);
	for (size_t i = 0; i < sizeof currencies / sizeof *currencies; i++) {
		size_t n = strlen(currencies[i]);

		if (n < len && memcmp(part, currencies[i], n) == 0 && is_digit(part[n]))
			return true;
	}
	return false;
}

/*
 * Digits of other scripts, and fractions, are figures wherever they stand: full-width,
 * Arabic-Indic, Devanagari, mathematical digits; one half and its like; circled numbers.
 */
static bool
is_foreign_digit(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n >= 4 && p[0] == 0xF0 && p[1] == 0x9D && p[2] == 0x9F)
		return p[3] >= 0x8E && p[3] <= 0xBF; /* U+1D7CE to U+1D7FF */
	if (n >= 3 && p[0] == 0xEF && p[1] == 0xBC)
		return p[2] >= 0x90 && p[2] <= 0x99; /* U+FF10 to U+FF19 */
	if (n >= 3 && p[0] == 0xE0 && p[1] == 0xA5)
		return p[2] >= 0xA6 && p[2] <= 0xAF; /* U+0966 to U+096F */
	if (n >= 3 && p[0] == 0xE2 && p[1] == 0x85)
		return p[2] >= 0x90 && p[2] <= 0x9F; /* fractions, U+2150 to U+215F */
	if (n >= 3 && p[0] == 0xE2 && (p[1] == 0x91 || p[1] == 0x92))
		return true; /* circled and bracketed numbers, U+2460 to U+24BF */
	if (n >= 2 && p[0] == 0xD9)
		return p[1] >= 0xA0 && p[1] <= 0xA9; /* U+0660 to U+0669 */
	if (n >= 2 && p[0] == 0xDB)
		return p[1] >= 0xB0 && p[1] <= 0xB9; /* U+06F0 to U+06F9 */
	return n >= 2 && p[0] == 0xC2 && p[1] >= 0xBC && p[1] <= 0xBE; /* U+00BC to U+00BE */
}

static bool
is_part_char(char c)
{
	return is_digit(c) || is_letter(c) || (c != '\0' && strchr(".,-+%'_", c) != NULL);
}

bool
quantity_is_figure(const char *word, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t start = i;

		while (i < len && is_part_char(word[i]))
			i++;
		if (is_figure_part(word + start, i - start))
			return true;
		if (i < len && is_foreign_digit(word + i, len - i))
			return true;
		if (i < len)
			i++;
	}
	return false;
}
