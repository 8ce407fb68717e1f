#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity/quantity.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Values are the definitions of the units: SI prefixes, 2^10, 3,600 s, 365.25 days. */
static void
test_parse(void **state)
{
	static const struct {
		const char *text;
		enum dimension dimension;
		double value;
		const char *unit;
		int digits;
	} rows[] = {
		{ "141 GB", DIM_BYTES, 141e9, "GB", 3 },
		{ "141GB", DIM_ANY, 141e9, "GB", 3 },
		{ "80 GiB", DIM_BYTES, 85899345920.0, "GiB", 2 },
		{ "1 PiB", DIM_BYTES, 1125899906842624.0, "PiB", 1 },
		{ "4.80 TB/s", DIM_BYTES_PER_SECOND, 4.8e12, "TB/s", 3 },
		{ "400 Gb/s", DIM_BITS_PER_SECOND, 400e9, "Gb/s", 3 },
		{ "67 %", DIM_RATIO, 0.67, "%", 2 },
		{ "57%", DIM_RATIO, 0.57, "%", 2 },
		{ "1.5 x", DIM_RATIO, 1.5, "x", 2 },
		{ "0.86", DIM_RATIO, 0.86, "", 2 },
		{ "0.050", DIM_ANY, 0.05, "", 2 },
		{ "0.00 %", DIM_RATIO, 0, "%", 3 },
		{ "-0", DIM_COUNT, 0, "", 1 },
		{ "-12.5 degC", DIM_CELSIUS, -12.5, "degC", 3 },
		{ "671e9", DIM_COUNT, 671e9, "", 3 },
		{ "1.5E+3 W", DIM_WATTS, 1500, "W", 2 },
		{ "2e-3 s", DIM_SECONDS, 0.002, "s", 1 },
		{ "60 us", DIM_SECONDS, 60e-6, "us", 2 },
		{ "40 ms", DIM_SECONDS, 0.04, "ms", 2 },
		{ "18 month", DIM_SECONDS, 18 * 2629800.0, "month", 2 },
		{ "7 year", DIM_SECONDS, 7 * 31557600.0, "year", 1 },
		{ "128K", DIM_TOKENS, 131072, "token", 0 },
		{ "128K", DIM_ANY, 131072, "token", 0 },
		{ "128 K token", DIM_TOKENS, 131072, "token", 0 },
		{ "1M", DIM_TOKENS, 1e6, "token", 0 },
		{ "20M", DIM_COUNT, 20e6, "", 0 },
		{ "20M", DIM_ANY, 20e6, "", 0 },
		{ "4989 token", DIM_ANY, 4989, "token", 4 },
		{ "4989", DIM_TOKENS, 4989, "token", 4 },
		{ "30 token/s", DIM_TOKENS_PER_SECOND, 30, "token/s", 2 },
		{ "989 TFLOP/s", DIM_OPS_PER_SECOND, 989e12, "TFLOP/s", 3 },
		{ "45 TOP/s", DIM_OPS_PER_SECOND, 45e12, "TOP/s", 2 },
		{ "206 FLOP/B", DIM_OPS_PER_BYTE, 206, "FLOP/B", 3 },
		{ "15 Wh", DIM_JOULES, 54000, "Wh", 2 },
		{ "3 MIO/s", DIM_IO_PER_SECOND, 3e6, "MIO/s", 1 },
		{ "99.8 GUSD", DIM_USD, 99.8e9, "GUSD", 3 },
		{ "2.50 USD/h", DIM_USD_PER_HOUR, 2.5, "USD/h", 3 },
		{ "814 mm2", DIM_AREA, 814, "mm2", 3 },
		{ "1e30", DIM_COUNT, 1e30, "", 1 },
		{ "12345678901234567890.5", DIM_COUNT, 12345678901234567890.5, "", 17 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct quantity q;
		const char *wrong = quantity_parse(&q, rows[i].text, strlen(rows[i].text),
		    rows[i].dimension);

		if (wrong != NULL)
			fail_msg("%s: expected %s", rows[i].text, wrong);
		if (q.value != rows[i].value || signbit(q.value) != signbit(rows[i].value) ||
		    strcmp(q.unit->name, rows[i].unit) != 0 || q.digits != rows[i].digits)
			fail_msg("%s: %.17g %s, %d digits", rows[i].text, q.value, q.unit->name,
			    q.digits);
	}
}

static void
test_parse_hostile(void **state)
{
	static const struct {
		const char *text;
		enum dimension dimension;
		const char *wrong; /* part of the message */
	} rows[] = {
		{ "", DIM_ANY, "digits 0 to 9" },
		{ "-", DIM_ANY, "digits 0 to 9" },
		{ " 5", DIM_ANY, "digits 0 to 9" },
		{ "5 ", DIM_ANY, "no blank" },
		{ "5  GB", DIM_BYTES, "bytes, such as" },
		{ "5\tGB", DIM_BYTES, "bytes, such as" },
		{ "5\xC2\xA0GB", DIM_BYTES, "bytes, such as" },
		{ "5 GBs", DIM_BYTES, "bytes, such as" },
		{ "5 GBs", DIM_ANY, "known unit" },
		{ "5 gb", DIM_BYTES, "bytes, such as" },
		{ "5 GB/s", DIM_BYTES, "bytes, such as" },
		{ "5 GB", DIM_BYTES_PER_SECOND, "bytes per second" },
		{ "5", DIM_BYTES, "141 GB" },
		{ "0", DIM_SECONDS, "a time" },
		{ "128K", DIM_BYTES, "bytes, such as" },
		{ "20K", DIM_COUNT, "written out" },
		{ "20M token", DIM_COUNT, "plain count" },
		{ "5 x", DIM_COUNT, "plain count" },
		{ "5k", DIM_TOKENS, "tokens" },
		{ "1e999", DIM_ANY, "at most 1e30" },
		{ "-1e31", DIM_ANY, "at most 1e30" },
		{ "1e30 GB", DIM_BYTES, "at most 1e30" },
		{ "1e-31", DIM_ANY, "at least 1e-30" },
		{ "1e-999", DIM_ANY, "at least 1e-30" },
		{ "1e99999999999999999999", DIM_ANY, "at most 1e30" },
		{ "0x10", DIM_ANY, "known unit" },
		{ "0777", DIM_ANY, "leading zero" },
		{ "00.5", DIM_ANY, "leading zero" },
		{ "1_000", DIM_ANY, "separators" },
		{ "1,000", DIM_ANY, "separators" },
		{ "1'000", DIM_ANY, "separators" },
		{ "1.", DIM_ANY, "known unit" },
		{ ".5", DIM_ANY, "digits 0 to 9" },
		{ "+5", DIM_ANY, "digits 0 to 9" },
		{ "--5", DIM_ANY, "digits 0 to 9" },
		{ "1.2.3", DIM_ANY, "known unit" },
		{ "1e", DIM_ANY, "known unit" },
		{ "1e+", DIM_ANY, "known unit" },
		{ "10-20 GB", DIM_BYTES, "bytes, such as" },
		{ "1/2", DIM_RATIO, "ratio" },
		{ "nan", DIM_ANY, "digits 0 to 9" },
		{ "inf", DIM_ANY, "digits 0 to 9" },
		{ "-inf", DIM_ANY, "digits 0 to 9" },
		{ "unknown", DIM_ANY, "digits 0 to 9" },
		{ "١٢", DIM_ANY, "digits 0 to 9" },
		{ "１２", DIM_ANY, "digits 0 to 9" },
		{ "5\xEF\xBC\x90", DIM_ANY, "known unit" },
		{ "\xFF", DIM_ANY, "digits 0 to 9" },
		{ "1000000000000000000000000000000000000000000000000000000000000", DIM_ANY,
		    "60 characters" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct quantity q;
		const char *wrong = quantity_parse(&q, rows[i].text, strlen(rows[i].text),
		    rows[i].dimension);

		if (wrong == NULL || strstr(wrong, rows[i].wrong) == NULL)
			fail_msg("%s: %s", rows[i].text, wrong == NULL ? "taken" : wrong);
		assert_true(q.value == 0 && q.unit == NULL);
	}
}

static void
test_parse_stops_at_len(void **state)
{
	struct quantity q;

	(void)state;
	assert_null(quantity_parse(&q, "5 GB/s", 4, DIM_BYTES));
	assert_true(q.value == 5e9);
	assert_non_null(quantity_parse(&q, "5\0GB", 4, DIM_BYTES));
	assert_non_null(quantity_parse(&q, "5 GB\0", 5, DIM_BYTES));
	assert_non_null(quantity_parse(&q, "5", 0, DIM_ANY));
}

static void
check_text(const char *scalar, const char *en, const char *ko)
{
	struct quantity q;
	char text[QUANTITY_TEXT];

	assert_null(quantity_parse(&q, scalar, strlen(scalar), DIM_ANY));
	assert_string_equal(quantity_text(text, sizeof text, &q, "en"), en);
	assert_string_equal(quantity_text(text, sizeof text, &q, "ko"), ko);
}

/* As written in a source: the digits are kept. */
static void
test_text_as_written(void **state)
{
	static const char *const rows[][3] = {
		{ "99.8 GUSD", "USD 99.8 billion", "998억 달러" },
		{ "1.2345 TUSD", "USD 1.2345 trillion", "1조 2,345억 달러" },
		{ "99.85 GUSD", "USD 99.85 billion", "998억 5,000만 달러" },
		{ "1.25 MUSD", "USD 1.25 million", "125만 달러" },
		{ "1.234 MUSD", "USD 1.234 million", "123만 4,000달러" },
		{ "250 kUSD", "USD 250 thousand", "25만 달러" },
		{ "12.5 kUSD", "USD 12.5 thousand", "1만 2,500달러" },
		{ "1 GUSD", "USD 1 billion", "10억 달러" },
		{ "1000000000001 USD", "USD 1,000,000,000,001", "1조 1달러" },
		{ "20000 TUSD", "USD 20,000 trillion", "2경 달러" },
		{ "9999 USD", "USD 9,999", "9,999달러" },
		{ "10000 USD", "USD 10,000", "1만 달러" },
		{ "12345.50 USD", "USD 12,345.50", "1만 2,345.50달러" },
		{ "0.5 USD", "USD 0.5", "0.5달러" },
		{ "0 USD", "USD 0", "0달러" },
		{ "-3 MUSD", "USD -3 million", "-300만 달러" },
		{ "2.50 USD/h", "USD 2.50 per hour", "시간당 2.50달러" },
		{ "0.25 USD/GB", "USD 0.25 per GB", "GB당 0.25달러" },
		{ "18 month", "18 months", "18개월" },
		{ "1 month", "1 month", "1개월" },
		{ "7 year", "7 years", "7년" },
		{ "1 year", "1 year", "1년" },
		{ "1.0 year", "1.0 years", "1.0년" },
		{ "1.5 day", "1.5 days", "1.5일" },
		{ "3 week", "3 weeks", "3주" },
		{ "8 h", "8 h", "8시간" },
		{ "5 min", "5 min", "5분" },
		{ "2 s", "2 s", "2초" },
		{ "40 ms", "40 ms", "40 ms" },
		{ "60 us", "60 µs", "60 µs" },
		{ "100 ns", "100 ns", "100 ns" },
		{ "4989 token", "4,989 tokens", "4,989 token" },
		{ "1 token", "1 token", "1 token" },
		{ "128K", "131,072 tokens", "131,072 token" },
		{ "1.5M", "1,500,000", "1,500,000" },
		{ "30 token/s", "30 tokens/s", "30 token/s" },
		{ "67 %", "67%", "67%" },
		{ "67.0 %", "67.0%", "67.0%" },
		{ "0.1 %", "0.1%", "0.1%" },
		{ "0.00 %", "0.00%", "0.00%" },
		{ "-5 %", "-5%", "-5%" },
		{ "1.5 x", "1.5x", "1.5배" },
		{ "134951", "134,951", "134,951" },
		{ "999", "999", "999" },
		{ "1000", "1,000", "1,000" },
		{ "999999999", "999,999,999", "999,999,999" },
		{ "671e9", "671 billion", "6,710억" },
		{ "1.2e12", "1.2 trillion", "1조 2,000억" },
		{ "134951000001", "134,951,000,001", "1,349억 5,100만 1" },
		{ "4.80 TB/s", "4.80 TB/s", "4.80 TB/s" },
		{ "1024 GB", "1,024 GB", "1,024 GB" },
		{ "80 GiB", "80 GiB", "80 GiB" },
		{ "688.59 GB", "688.59 GB", "688.59 GB" },
		{ "8 bit", "8 bits", "8비트" },
		{ "1 bit", "1 bit", "1비트" },
		{ "85 degC", "85 °C", "85 °C" },
		{ "1.1 V", "1.1 V", "1.1 V" },
		{ "814 mm2", "814 mm²", "814 mm²" },
		{ "3 DWPD", "3 DWPD", "3 DWPD" },
		{ "45 TOP/s", "45 TOP/s", "45 TOP/s" },
		{ "15 Wh", "15 Wh", "15 Wh" },
		{ "0.000001", "0.000001", "0.000001" },
		{ "0.00000015 s", "1.5e-7 s", "1.5e-7초" },
		{ "1e20", "100,000,000,000,000,000,000", "10,000경" },
		{ "1e21", "1e21", "1e21" },
		{ "-0", "0", "0" },
		{ "-0.0 %", "0.0%", "0.0%" },
		{ "9007199254740993", "9,007,199,254,740,992", "9,007조 1,992억 5,474만 992" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check_text(rows[i][0], rows[i][1], rows[i][2]);
}

/* Calculated: rounding by hand on the decimal digits of the value. */
static void
test_text_calculated(void **state)
{
	static const struct {
		double value;
		const char *unit, *en;
	} rows[] = {
		{ 589484261376.0, "GB", "589.5 GB" },
		{ 589484261376.0, "B", "589,484,261,376 B" },
		{ 70272, "B", "70,272 B" },
		{ 70272, "kB", "70.27 kB" },
		{ 2.0, "s", "2 s" },
		{ 0.1 + 0.2, "s", "0.3 s" },
		{ 0.57, "%", "57%" },
		{ 0.86, "", "0.86" },
		{ 2.0 / 3.0, "%", "66.67%" },
		{ 1e9 / 3.0, "GB", "0.3333 GB" },
		{ 1.0005, "s", "1.001 s" },     /* a half goes up */
		{ 2.0005, "s", "2.001 s" },
		{ -1.0005, "s", "-1.001 s" },
		{ 9.9995, "s", "10 s" },
		{ 9.9994, "s", "9.999 s" },
		{ 999.95, "s", "1,000 s" },
		{ 123456, "token/s", "123,500 tokens/s" },
		{ 86400, "s", "86,400 s" },
		{ 12345, "token", "12,345 tokens" },
		{ 12345.5, "token", "12,346 tokens" },
		{ 11.52149, "token", "11.52 tokens" },
		{ 1, "token", "1 token" },
		{ 1e-9, "s", "1e-9 s" },
		{ 0, "s", "0 s" },
		{ -0.0, "s", "0 s" },
		{ 4503599627370497.0, "token", "4,503,599,627,370,497 tokens" },
		{ 2629800.0 * 18, "month", "18 months" },
		{ 85899345920.0, "GiB", "80 GiB" },
		{ 0.0416, "ms", "41.6 ms" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct quantity q = { .value = rows[i].value, .kind = QUANTITY_CALCULATED };
		char text[QUANTITY_TEXT];

		q.unit = unit_find(rows[i].unit, strlen(rows[i].unit));
		assert_non_null(q.unit);
		if (*rows[i].unit == '\0')
			q.unit = unit_base(DIM_RATIO);
		assert_string_equal(quantity_text(text, sizeof text, &q, "en"), rows[i].en);
	}
}

static void
test_text_fits(void **state)
{
	struct quantity q = { .value = 1e9, .unit = unit_find("GB", 2) };
	char small[4];

	(void)state;
	assert_string_equal(quantity_text(small, sizeof small, &q, "en"), "1 G");
}

static void
test_number(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -1.5, "-1.5" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 0.57, "0.57" },
		{ 1e20, "100000000000000000000" },
		{ 1e21, "1e21" },
		{ 1.5e-7, "1.5e-7" },
		{ 1e-6, "0.000001" },
		{ 589484261376.0, "589484261376" },
		{ 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e308" },
	};
	struct quantity q = { .value = 589484261376.0, .unit = unit_find("GB", 2) };
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(
		    quantity_number(text, sizeof text, rows[i].value), rows[i].text);
	assert_string_equal(quantity_exact(text, sizeof text, &q), "589484261376 B");
	q = (struct quantity){ .value = 0.57, .unit = unit_find("%", 1) };
	assert_string_equal(quantity_exact(text, sizeof text, &q), "0.57");
}

/* Significant digits of a number as text. */
static int
significant(const char *text)
{
	int count = 0, zeros = 0;

	for (; *text != '\0' && *text != 'e'; text++) {
		if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
			continue;
		zeros = *text == '0' ? zeros + 1 : 0;
		count++;
	}
	return count - zeros;
}

/* What is printed with all digits reads back as the same number. */
static void
test_number_reads_back(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double value;
		char text[64];

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		memcpy(&value, &seed, sizeof value);
		if (!isfinite(value))
			continue;
		assert_true(strtod(quantity_number(text, sizeof text, value), NULL) == value);
	}
}

/*
 * Shortest: no precision of printf below the digits printed reads back, and the digits are those of
 * printf at that precision. But for powers of two, below which there are twice as many doubles
 * as above, where another of the same length may be nearer.
 */
static void
test_number_is_shortest(void **state)
{
	uint64_t seed = 0x9E3779B97F4A7C15u;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char text[64], reference[64];
		int precision = 0;
		double value;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		/* from 1e-30 to 1e30 alike; every fourth with few digits */
		value = ldexp(1 + (double)(seed >> 12) / 4503599627370496.0, (int)(seed % 200) - 100);
		if (i % 4 == 0)
			value = (double)(seed % 100000) / 1000 * (i % 8 == 0 ? 1e-9 : 1e9);
		if (value == 0)
			continue;
		do
			snprintf(reference, sizeof reference, "%.*e", precision, value);
		while (strtod(reference, NULL) != value && ++precision < 17);
		quantity_number(text, sizeof text, value);
		assert_true(strtod(text, NULL) == value);
		snprintf(text, sizeof text, "%.*e", precision, strtod(text, NULL));
		assert_string_equal(text, reference);
		quantity_number(text, sizeof text, value);
		assert_int_equal(significant(text), significant(reference));
	}
}

static void
test_is_figure(void **state)
{
	static const char *const yes[] = {
		"141GB",
		"70%",
		"10x",
		"128K",
		"1,024",
		"67",
		"(67%),",
		"~70%",
		"+5%",
		"$5",
		"US$5",
		"USD5",
		"1/3",
		"24/7",
		"10-20GB",
		"2:1",
		"10×",
		"64-GB",
		"5-year",
		"10-fold",
		"18개월",
		"약70%",
		"80GB가",
		"128K를",
		"GPU당80GB",
		"제3자",
		"5GHz",
		"1e3",
		"0x10",
		"2x4",
		"½",
		"１２",
		"١٢",
		"③",
		"5µs",
		"KV/weights=0.86",
		"16GB/s",
		"H100/80GB",
		"3.5배",
		"10X",
		"141gb",
		"5V",
		"7nm",
		"70B",
		"4bit",
		"2026-07",
		"50,",
		"-3",
		"10percent",
		"5+",
		"𝟙𝟚",
	};
	static const char *const no[] = {
		"3D",
		"H200",
		"4-bit",
		"8-bit,",
		"LPDDR5X",
		"1st",
		"2nd",
		"CXL2",
		"UFS4",
		"HBM3E는",
		"1T1C",
		"A100-80GB",
		"GPT-4o",
		"3D로",
		"word",
		"",
		"-",
		"%",
		"TP8/EP16",
		"x86",
		"4-way",
		"12-high",
		"3D-stacked",
		"한글",
		"\xFF\xFE",
		"mm²",
		"2D/3D",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(yes); i++)
		if (!quantity_is_figure(yes[i], strlen(yes[i])))
			fail_msg("%s is a figure", yes[i]);
	for (size_t i = 0; i < COUNT(no); i++)
		if (quantity_is_figure(no[i], strlen(no[i])))
			fail_msg("%s is no figure", no[i]);
}

static void
test_kinds(void **state)
{
	enum quantity_kind kind;
	struct quantity q = { .kind = QUANTITY_CALCULATED, .weakest = QUANTITY_STATED };

	(void)state;
	assert_string_equal(quantity_kind_name(QUANTITY_STATED, "ko"), "고객 제시값");
	assert_true(quantity_kind_find(&kind, "assumed"));
	assert_int_equal(kind, QUANTITY_ASSUMED);
	assert_false(quantity_kind_find(&kind, "guessed"));
	assert_int_equal(quantity_weaker(QUANTITY_MEASURED, QUANTITY_ASSUMED), QUANTITY_ASSUMED);
	assert_int_equal(quantity_weaker(QUANTITY_STATED, QUANTITY_PUBLISHED), QUANTITY_STATED);
	assert_int_equal(
	    quantity_weaker(QUANTITY_CALCULATED, QUANTITY_MEASURED), QUANTITY_MEASURED);
	assert_int_equal(quantity_basis(&q), QUANTITY_STATED);
	q.kind = QUANTITY_MEASURED;
	assert_int_equal(quantity_basis(&q), QUANTITY_MEASURED);
}

static void
test_units(void **state)
{
	const struct unit *u;

	(void)state;
	for (int d = 0; d < DIM_COUNTS; d++) {
		struct quantity q;
		const char *example = dimension_example((enum dimension)d);

		u = unit_base((enum dimension)d);
		assert_non_null(u);
		assert_true(u->factor == 1);
		assert_true(*dimension_name((enum dimension)d) != '\0');
		assert_null(quantity_parse(&q, example, strlen(example), (enum dimension)d));
	}
	for (size_t i = 0; (u = unit_at(i)) != NULL; i++)
		if (*u->name != '\0')
			assert_ptr_equal(unit_find(u->name, strlen(u->name)), u);
	assert_null(unit_find("GBs", 3));
	assert_string_equal(unit_for_bytes(0, false)->name, "B");
	assert_string_equal(unit_for_bytes(999, false)->name, "B");
	assert_string_equal(unit_for_bytes(589484261376.0, false)->name, "GB");
	assert_string_equal(unit_for_bytes(999.96e6, false)->name, "GB");
	assert_string_equal(unit_for_bytes(999.94e6, false)->name, "MB");
	assert_string_equal(unit_for_bytes(1e30, false)->name, "PB");
	assert_string_equal(unit_for_bytes(85899345920.0, true)->name, "GiB");
	assert_string_equal(unit_for_bytes(-2e9, false)->name, "GB");
	assert_string_equal(unit_for_rate(4.8e12)->name, "TB/s");
	assert_string_equal(unit_for_seconds(0)->name, "s");
	assert_string_equal(unit_for_seconds(1e-12)->name, "ns");
	assert_string_equal(unit_for_seconds(60e-6)->name, "us");
	assert_string_equal(unit_for_seconds(0.04)->name, "ms");
	assert_string_equal(unit_for_seconds(131)->name, "s");
	assert_string_equal(unit_for_seconds(600)->name, "min");
	assert_string_equal(unit_for_seconds(7200)->name, "h");
	assert_string_equal(unit_for_seconds(1e6)->name, "day");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_hostile),
		cmocka_unit_test(test_parse_stops_at_len),
		cmocka_unit_test(test_text_as_written),
		cmocka_unit_test(test_text_calculated),
		cmocka_unit_test(test_text_fits),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_number_reads_back), cmocka_unit_test(test_number_is_shortest),
		cmocka_unit_test(test_is_figure),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
