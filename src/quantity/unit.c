#include "quantity/quantity.h"

#include <math.h>
#include <string.h>

#include "quantity/quantity_int.h"

#define KIB 1024.0
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)
#define TIB (KIB * GIB)
#define PIB (KIB * TIB)
#define DAY 86400.0

/*
 * The base unit of a dimension stands before its others. A month is a twelfth of
 * 365.25 days and a year all of them: lengths to write in prose, not to reckon dates with.
 * Dollars in Korean are counted in 만, 억, 조 whatever the unit: see format.c.
 */
static const struct unit units[] = {
	{ "", DIM_COUNT, 1, "#", "#" },
	{ "token", DIM_TOKENS, 1, "# token(s)", NULL },
	{ "", DIM_RATIO, 1, "#", "#" },
	{ "%", DIM_RATIO, 1e-2, "#%", "#%" },
	{ "x", DIM_RATIO, 1, "#x", "#배" },
	{ "B", DIM_BYTES, 1, NULL, NULL },
	{ "kB", DIM_BYTES, 1e3, NULL, NULL },
	{ "MB", DIM_BYTES, 1e6, NULL, NULL },
	{ "GB", DIM_BYTES, 1e9, NULL, NULL },
	{ "TB", DIM_BYTES, 1e12, NULL, NULL },
	{ "PB", DIM_BYTES, 1e15, NULL, NULL },
	{ "KiB", DIM_BYTES, KIB, NULL, NULL },
	{ "MiB", DIM_BYTES, MIB, NULL, NULL },
	{ "GiB", DIM_BYTES, GIB, NULL, NULL },
	{ "TiB", DIM_BYTES, TIB, NULL, NULL },
	{ "PiB", DIM_BYTES, PIB, NULL, NULL },
	{ "B/s", DIM_BYTES_PER_SECOND, 1, NULL, NULL },
	{ "kB/s", DIM_BYTES_PER_SECOND, 1e3, NULL, NULL },
	{ "MB/s", DIM_BYTES_PER_SECOND, 1e6, NULL, NULL },
	{ "GB/s", DIM_BYTES_PER_SECOND, 1e9, NULL, NULL },
	{ "TB/s", DIM_BYTES_PER_SECOND, 1e12, NULL, NULL },
	{ "PB/s", DIM_BYTES_PER_SECOND, 1e15, NULL, NULL },
	{ "KiB/s", DIM_BYTES_PER_SECOND, KIB, NULL, NULL },
	{ "MiB/s", DIM_BYTES_PER_SECOND, MIB, NULL, NULL },
	{ "GiB/s", DIM_BYTES_PER_SECOND, GIB, NULL, NULL },
	{ "TiB/s", DIM_BYTES_PER_SECOND, TIB, NULL, NULL },
	{ "PiB/s", DIM_BYTES_PER_SECOND, PIB, NULL, NULL },
	{ "bit", DIM_BITS, 1, "# bit(s)", "#비트" },
	{ "b/s", DIM_BITS_PER_SECOND, 1, NULL, NULL },
	{ "kb/s", DIM_BITS_PER_SECOND, 1e3, NULL, NULL },
	{ "Mb/s", DIM_BITS_PER_SECOND, 1e6, NULL, NULL },
	{ "Gb/s", DIM_BITS_PER_SECOND, 1e9, NULL, NULL },
	{ "Tb/s", DIM_BITS_PER_SECOND, 1e12, NULL, NULL },
	{ "FLOP/s", DIM_OPS_PER_SECOND, 1, NULL, NULL },
	{ "MFLOP/s", DIM_OPS_PER_SECOND, 1e6, NULL, NULL },
	{ "GFLOP/s", DIM_OPS_PER_SECOND, 1e9, NULL, NULL },
	{ "TFLOP/s", DIM_OPS_PER_SECOND, 1e12, NULL, NULL },
	{ "PFLOP/s", DIM_OPS_PER_SECOND, 1e15, NULL, NULL },
	{ "OP/s", DIM_OPS_PER_SECOND, 1, NULL, NULL },
	{ "MOP/s", DIM_OPS_PER_SECOND, 1e6, NULL, NULL },
	{ "GOP/s", DIM_OPS_PER_SECOND, 1e9, NULL, NULL },
	{ "TOP/s", DIM_OPS_PER_SECOND, 1e12, NULL, NULL },
	{ "POP/s", DIM_OPS_PER_SECOND, 1e15, NULL, NULL },
	{ "FLOP/B", DIM_OPS_PER_BYTE, 1, NULL, NULL },
	{ "FLOP", DIM_OPS, 1, NULL, NULL },
	{ "GFLOP", DIM_OPS, 1e9, NULL, NULL },
	{ "TFLOP", DIM_OPS, 1e12, NULL, NULL },
	{ "PFLOP", DIM_OPS, 1e15, NULL, NULL },
	{ "s", DIM_SECONDS, 1, NULL, "#초" },
	{ "ns", DIM_SECONDS, 1e-9, NULL, NULL },
	{ "us", DIM_SECONDS, 1e-6, "# µs", "# µs" },
	{ "ms", DIM_SECONDS, 1e-3, NULL, NULL },
	{ "min", DIM_SECONDS, 60, NULL, "#분" },
	{ "h", DIM_SECONDS, 3600, NULL, "#시간" },
	{ "day", DIM_SECONDS, DAY, "# day(s)", "#일" },
	{ "week", DIM_SECONDS, 7 * DAY, "# week(s)", "#주" },
	{ "month", DIM_SECONDS, 30.4375 * DAY, "# month(s)", "#개월" },
	{ "year", DIM_SECONDS, 365.25 * DAY, "# year(s)", "#년" },
	{ "token/s", DIM_TOKENS_PER_SECOND, 1, "# token(s)/s", NULL },
	{ "W", DIM_WATTS, 1, NULL, NULL },
	{ "mW", DIM_WATTS, 1e-3, NULL, NULL },
	{ "kW", DIM_WATTS, 1e3, NULL, NULL },
	{ "MW", DIM_WATTS, 1e6, NULL, NULL },
	{ "GW", DIM_WATTS, 1e9, NULL, NULL },
	{ "J", DIM_JOULES, 1, NULL, NULL },
	{ "mJ", DIM_JOULES, 1e-3, NULL, NULL },
	{ "Wh", DIM_JOULES, 3600, NULL, NULL },
	{ "kWh", DIM_JOULES, 3.6e6, NULL, NULL },
	{ "degC", DIM_CELSIUS, 1, "# °C", "# °C" },
	{ "V", DIM_VOLTS, 1, NULL, NULL },
	{ "IO/s", DIM_IO_PER_SECOND, 1, NULL, NULL },
	{ "kIO/s", DIM_IO_PER_SECOND, 1e3, NULL, NULL },
	{ "MIO/s", DIM_IO_PER_SECOND, 1e6, NULL, NULL },
	{ "DWPD", DIM_DWPD, 1, NULL, NULL },
	{ "USD", DIM_USD, 1, "USD #", "#" },
	{ "kUSD", DIM_USD, 1e3, "USD # thousand", "#" },
	{ "MUSD", DIM_USD, 1e6, "USD # million", "#" },
	{ "GUSD", DIM_USD, 1e9, "USD # billion", "#" },
	{ "TUSD", DIM_USD, 1e12, "USD # trillion", "#" },
	{ "USD/h", DIM_USD_PER_HOUR, 1, "USD # per hour", "시간당 #" },
	{ "USD/GB", DIM_USD_PER_GB, 1, "USD # per GB", "GB당 #" },
	{ "mm2", DIM_AREA, 1, "# mm²", "# mm²" },
};

static const struct {
	const char *name, *example, *expected;
} dimensions[DIM_COUNTS] = {
	[DIM_COUNT] = { "a plain count", "8", "a plain count, such as 8" },
	[DIM_TOKENS] = { "tokens", "128K", "a count of tokens, with K or M in upper case" },
	[DIM_RATIO] = { "a ratio", "67 %", "a ratio, such as 67 %, 1.5 x or 0.86" },
	[DIM_BYTES] = { "bytes", "141 GB", "bytes, such as 141 GB or 80 GiB" },
	[DIM_BYTES_PER_SECOND] = { "bytes per second", "4.8 TB/s",
	    "bytes per second, such as 4.8 TB/s" },
	[DIM_BITS] = { "bits", "8 bit", "bits, such as 8 bit" },
	[DIM_BITS_PER_SECOND] = { "bits per second", "400 Gb/s",
	    "bits per second, such as 400 Gb/s" },
	[DIM_OPS_PER_SECOND] = { "operations per second", "989 TFLOP/s",
	    "operations per second, such as 989 TFLOP/s or 45 TOP/s" },
	[DIM_OPS_PER_BYTE] = { "operations per byte", "206 FLOP/B",
	    "operations per byte, such as 206 FLOP/B" },
	[DIM_OPS] = { "operations", "74 GFLOP", "operations, such as 74 GFLOP" },
	[DIM_SECONDS] = { "a time", "40 ms", "a time, such as 40 ms, 2 s or 18 month" },
	[DIM_TOKENS_PER_SECOND] = { "tokens per second", "30 token/s",
	    "tokens per second, such as 30 token/s" },
	[DIM_WATTS] = { "power", "700 W", "power, such as 700 W or 120 kW" },
	[DIM_JOULES] = { "energy", "15 Wh", "energy, such as 15 Wh or 4 J" },
	[DIM_CELSIUS] = { "a temperature", "85 degC", "a temperature, such as 85 degC" },
	[DIM_VOLTS] = { "volts", "1.1 V", "volts, such as 1.1 V" },
	[DIM_IO_PER_SECOND] = { "I/O operations per second", "3 MIO/s",
	    "I/O operations per second, such as 3 MIO/s" },
	[DIM_DWPD] = { "drive writes per day", "3 DWPD", "drive writes per day, such as 3 DWPD" },
	[DIM_USD] = { "US dollars", "99.8 GUSD", "US dollars, such as 250 USD or 99.8 GUSD" },
	[DIM_USD_PER_HOUR] = { "US dollars per hour", "2.5 USD/h",
	    "US dollars per hour, such as 2.5 USD/h" },
	[DIM_USD_PER_GB] = { "US dollars per GB", "0.25 USD/GB",
	    "US dollars per GB, such as 0.25 USD/GB" },
	[DIM_AREA] = { "an area", "814 mm2", "an area, such as 814 mm2" },
};

const struct unit *
unit_at(size_t i)
{
	return i < sizeof units / sizeof *units ? &units[i] : NULL;
}

const struct unit *
unit_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, name, len) == 0)
			return &units[i];
	return NULL;
}

const struct unit *
unit_base(enum dimension dimension)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (units[i].dimension == dimension)
			return &units[i];
	return NULL;
}

static bool
dimension_known(enum dimension dimension)
{
	return (int)dimension >= 0 && dimension < DIM_COUNTS;
}

const char *
dimension_name(enum dimension dimension)
{
	return dimension_known(dimension) ? dimensions[dimension].name : "a quantity";
}

const char *
dimension_example(enum dimension dimension)
{
	return dimension_known(dimension) ? dimensions[dimension].example : "141 GB";
}

const char *
quantity_expected(enum dimension dimension)
{
	if (dimension_known(dimension))
		return dimensions[dimension].expected;
	return "a known unit behind the number, such as GB, GB/s, %, x, s, W, token or USD";
}

bool
quantity_decimal_factor(double factor, int *out)
{
	static const double powers[] = { 1e-9, 1e-6, 1e-3, 1e-2, 1, 1e3, 1e6, 1e9, 1e12, 1e15 };
	static const int exponents[] = { -9, -6, -3, -2, 0, 3, 6, 9, 12, 15 };

	for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
		if (factor == powers[i]) {
			*out = exponents[i];
			return true;
		}
	}
	return false;
}

/*
 * The last of `names` (from small to large) in which the value prints as 1 or more: with
 * four digits 999.95 is already 1,000.
 */
static const struct unit *
largest(double value, const char *const *names, size_t count)
{
	const struct unit *found = unit_find(names[0], strlen(names[0]));

	for (size_t i = 1; i < count; i++) {
		const struct unit *next = unit_find(names[i], strlen(names[i]));

		if (fabs(value) < next->factor * 0.99995)
			break;
		found = next;
	}
	return found;
}

#define LARGEST(value, names) largest(value, names, sizeof(names) / sizeof *(names))

const struct unit *
unit_for_bytes(double bytes, bool binary)
{
	static const char *const decimal[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	static const char *const powers_of_two[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };

	return binary ? LARGEST(bytes, powers_of_two) : LARGEST(bytes, decimal);
}

const struct unit *
unit_for_rate(double bytes_per_second)
{
	static const char *const names[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s" };

	return LARGEST(bytes_per_second, names);
}

const struct unit *
unit_for_seconds(double seconds)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	double length = fabs(seconds);

	if (length == 0)
		return unit_find("s", 1);
	if (length >= 2 * DAY)
		return unit_find("day", 3);
	if (length >= 7200)
		return unit_find("h", 1);
	if (length >= 600)
		return unit_find("min", 3);
	return LARGEST(seconds, names);
}
