/*
 * A figure as this program knows it: value, unit, kind, reference. And the one grammar
 * of units. Needs nothing but libc.
 *
 *     scalar  =  NUMBER [ blank ] [ UNIT ]          141 GB    4.8 TB/s    67 %    1.5 x    128K
 *     NUMBER  =  [ "-" ] digits [ "." digits ] [ ("e"|"E") [ "+"|"-" ] digits ]
 *     UNIT    =  a name of the table in unit.c, or K or M behind a count
 *     range   =  scalar ".." scalar                 32..96    8K..120K    10 %..40 %
 *
 * GB is 1e9 bytes and GiB is 2^30: each is kept and printed as what it is. K after a count
 * of tokens is 1,024 (128K = 131,072), M after a count of anything is 1e6; K after a count
 * of something else is refused, since it would be read both ways. No separators for
 * thousands, no leading zero before a digit, no blanks around it, no infinity, no NaN,
 * nothing beyond 1e30 or (but for 0) below 1e-30. A range stands only where one is asked
 * for, runs up, and has a unit at both ends or at neither: 8..120K could be read two ways.
 *
 * Decimal factors move the decimal point of the digits as written, they are not
 * multiplied in binary: 57 % is the double nearest to 0.57, and prints as 57% again.
 *
 * The decimal point is that of the C locale: a program that uses this must leave
 * LC_NUMERIC alone.
 */
#ifndef QUANTITY_QUANTITY_H
#define QUANTITY_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

enum dimension {
	DIM_ANY = -1, /* for quantity_parse: whatever the unit says */
	DIM_COUNT,    /* a plain number: devices, vehicles, layers */
	DIM_TOKENS,
	DIM_RATIO, /* base: 1; shown as %, x or a plain ratio */
	DIM_BYTES,
	DIM_BYTES_PER_SECOND,
	DIM_BITS,
	DIM_BITS_PER_SECOND,
	DIM_OPS_PER_SECOND, /* FLOP/s and OP/s */
	DIM_OPS_PER_BYTE,
	DIM_OPS,
	DIM_SECONDS,
	DIM_TOKENS_PER_SECOND,
	DIM_WATTS,
	DIM_JOULES,
	DIM_CELSIUS,
	DIM_VOLTS,
	DIM_IO_PER_SECOND,
	DIM_DWPD, /* drive writes per day */
	DIM_USD,
	DIM_USD_PER_HOUR,
	DIM_USD_PER_GB,
	DIM_AREA, /* base: mm2 */
	DIM_COUNTS
};

/*
 * How a unit is printed is a pattern: '#' stands for the number, "(s)" for the ending that
 * goes where the number is 1. NULL: the number, a blank, the name.
 */
struct unit {
	const char *name;   /* as written in a record: "GB", "TFLOP/s", "month"; "" for none */
	enum dimension dimension;
	double factor;      /* base units in one of these */
	const char *en, *ko;
};

/* Where a figure comes from. The order is from strong to weak. */
enum quantity_kind {
	QUANTITY_MEASURED,
	QUANTITY_PUBLISHED,
	QUANTITY_STATED,     /* by the customer */
	QUANTITY_ASSUMED,
	QUANTITY_CALCULATED, /* `weakest` says what it rests on */
};

struct quantity {
	double value;             /* in base units of the dimension; finite */
	const struct unit *unit;  /* the unit to print in; never NULL */
	enum quantity_kind kind;
	enum quantity_kind weakest; /* for a calculated one: the weakest kind among its inputs */
	int digits;               /* significant digits to print; 0: as many as it needs, up to 4 */
	const char *ref;          /* finding, result key or customer field; borrowed; may be NULL */
};

/* Both NULL when there is none. The name is taken as written: "GB" is not "gb". */
const struct unit *unit_find(const char *name, size_t len);
const struct unit *unit_base(enum dimension dimension);
const struct unit *unit_at(size_t i); /* NULL past the end: for listing */
const char *dimension_name(enum dimension dimension); /* "bytes", "bytes per second", ... */
const char *dimension_example(enum dimension dimension); /* "141 GB" */

/*
 * Read a scalar that must be of the dimension asked for. Fills value, unit and digits (the
 * significant digits as written; 0 where K or M stood) and leaves the rest zero. Returns NULL,
 * or what was expected, as a phrase behind "expected ...": a static text.
 */
const char *quantity_parse(struct quantity *out, const char *text, size_t len,
    enum dimension dimension);

/* Is this meant for a range? What holds ".." is no scalar. */
bool quantity_is_range(const char *text, size_t len);

/* Read a range: both ends as quantity_parse reads them, low < high. Returns NULL, or what was expected. */
const char *quantity_parse_range(struct quantity *low, struct quantity *high, const char *text, size_t len,
    enum dimension dimension);

/*
 * Does this word (no blanks) hold a bare figure: a number alone, or with a unit, a % or a
 * factor behind it? For the rule that prose holds no bare figure. "141GB", "70%", "10x",
 * "128K", "1,024", "64-GB", "18개월", "(5" are; "3D", "H200", "4-bit", "LPDDR5X", "1st"
 * are not. It knows nothing of dates and listed names: the caller takes these out first.
 * Where a word could be either, it is a figure.
 */
bool quantity_is_figure(const char *word, size_t len);

enum { QUANTITY_TEXT = 128 }; /* bytes that hold every text below, with the NUL */

/*
 * As a reader sees it, in `lang` "en" or "ko": "589.5 GB", "1,234", "USD 99.8 billion",
 * "998억 달러", "18 months", "18개월"; a plain count from 1e9 on in words, "671 billion",
 * "6,710억", where up to 4 digits say it. Digits as written where `digits` says so (4.80 TB/s);
 * else whole counts (also of bytes and bits in B and bit) are exact and the rest has up
 * to 4 significant digits, rounded half away from zero on the decimal digits. Exponents
 * only below 1e-6 and from 1e21. Writes at most size bytes with the NUL; returns out.
 */
char *quantity_text(char *out, size_t size, const struct quantity *q, const char *lang);

/*
 * The bare number, all digits (up to 17 significant, the shortest that reads back), in a
 * form that JSON takes: "0.57", "589484261376", "1e-7". `value` must be finite.
 */
char *quantity_number(char *out, size_t size, double value);

/* "589484261376 B": value in base units with the base unit's name, for definitions and JSON. */
char *quantity_exact(char *out, size_t size, const struct quantity *q);

const char *quantity_kind_name(enum quantity_kind kind, const char *lang);
bool quantity_kind_find(enum quantity_kind *out, const char *name); /* by English name */

/*
 * The weaker of two kinds. Meant for what quantities rest on (quantity_basis): calculated
 * says nothing by itself and yields to the other.
 */
enum quantity_kind quantity_weaker(enum quantity_kind a, enum quantity_kind b);
/* What this quantity rests on: `weakest` if calculated, else its kind. */
enum quantity_kind quantity_basis(const struct quantity *q);

/*
 * A unit in which to print so much: the largest in which it is at least 1 when printed.
 * Bytes in decimal (kB, MB, GB, ...) or binary (KiB, ...) units; seconds from ns up to s,
 * minutes from 600 s, hours from 2 h, days from 2 days.
 */
const struct unit *unit_for_bytes(double bytes, bool binary);
const struct unit *unit_for_seconds(double seconds);
const struct unit *unit_for_rate(double bytes_per_second);

#endif
