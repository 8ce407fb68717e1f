/*
 * Grids, names, conditions, sweeps and fronts. What is expected is counted out in the
 * test or found by brute force, never taken from the code under test.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/axis.h"
#include "plan/filter.h"
#include "plan/pareto.h"
#include "plan/sweep.h"

static const struct sizing_dtype BYTE = {"byte", 8, SIZING_BF16}, HALF = {"half", 4, SIZING_BF16};

/* 1000 B of weights; 10 B a token and sequence; devices of 600 B, 100 B/s and 50 op/s. */
static const struct sizing_input SMALL = {
	.model = {.groups = {{.layers = 1, .key_width = 10}}, .group_count = 1, .published_total = 1000},
	.device = {.visible_bytes = 1000, .usable_fraction = 0.6, .bandwidth = 100, .peak = {[SIZING_BF16] = 50}},
	.load = {.context = 20, .concurrency = 3, .reuse = -1, .weights = &BYTE, .kv = &BYTE},
};

/* ---- axes ---- */

static struct arena arena = ARENA_INIT;

static int
release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* All spans of a text as one axis; the message of the first fault, or NULL. */
static const char *
read_axis(struct plan_axis *axis, const char *text, enum dimension dimension, bool whole)
{
	static struct err e;
	struct plan_item *items;
	size_t count = plan_axis_items(&items, &arena, text);
	struct plan_span *spans = arena_alloc(&arena, count * sizeof *spans);

	*axis = (struct plan_axis){.name = "x", .spans = spans, .span_count = count};
	for (size_t i = 0; i < count; i++) {
		e = (struct err)ERR_INIT;
		if (plan_axis_span(&spans[i], &items[i], dimension, whole, (struct place){"--x", 0, 0}, &e) != OK)
			return e.text;
		axis->count += spans[i].count;
	}
	return NULL;
}

static void
assert_values(const char *text, enum dimension dimension, bool whole, const double *values, size_t count)
{
	struct plan_axis axis;

	assert_null(read_axis(&axis, text, dimension, whole));
	assert_int_equal(axis.count, count);
	for (size_t i = 0; i < count; i++)
		assert_true(plan_axis_value(&axis, i) == values[i]);
}

#define VALUES(text, dimension, whole, ...) \
	assert_values(text, dimension, whole, (const double[]){__VA_ARGS__}, \
	    sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void
lists_and_ranges(void **state)
{
	(void)state;
	VALUES("8K,32K,128K", DIM_TOKENS, true, 8192, 32768, 131072);
	VALUES("3..6", DIM_COUNT, true, 3, 4, 5, 6);
	VALUES("1..100*3", DIM_COUNT, true, 1, 3, 9, 27, 81);
	VALUES("1..64*2", DIM_COUNT, true, 1, 2, 4, 8, 16, 32, 64);
	VALUES("1..10+4", DIM_COUNT, true, 1, 5, 9);
	VALUES("7..7", DIM_COUNT, true, 7);
	VALUES(" 1 , 2..4 , 10..30 + 10 ", DIM_COUNT, true, 1, 2, 3, 4, 10, 20, 30);
	VALUES("1e2..3e+2+1e+2", DIM_COUNT, true, 100, 200, 300);
	VALUES("40 ms..60 ms+10 ms", DIM_SECONDS, false, 0.04, 0.05, 0.06);
	VALUES("2 TB/s..3 TB/s+0.5 TB/s", DIM_BYTES_PER_SECOND, false, 2e12, 2.5e12, 3e12);
	/* each the double nearest to its decimal: three times 0.1 is 0.30000000000000004 */
	VALUES("0%..40%+10%", DIM_RATIO, false, 0, 0.1, 0.2, 0.3, 0.4);
	VALUES("0.07..0.21+0.07", DIM_RATIO, false, 0.07, 0.14, 0.21);
	VALUES("1..8*2.5", DIM_RATIO, false, 1, 2.5, 6.25);
}

static void
ranges_that_are_none(void **state)
{
	static const struct {
		const char *text, *says;
		bool whole;
	} rows[] = {
		{"8..4", "runs up", true}, {"1..4*1", "factor above 1", true}, {"1..4*1.5", "whole factor", true},
		{"1..4+0", "step above 0", true}, {"1..4+0.5", "whole step", true}, {"1..4+", "whole step", true},
		{"1..", "behind ..", true}, {"..4", "expected a value", true}, {"", "expected a value", true},
		{"1,,2", "expected a value", true}, {"1..2..3", "behind ..", true}, {"1..4", "expected a step", false},
		{"0..4*2", "from above 0", false}, {"1..1e9*1.000001", "at most", false},
	};
	struct plan_axis axis;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *wrong = read_axis(&axis, rows[i].text, DIM_COUNT, rows[i].whole);

		assert_non_null(wrong);
		assert_non_null(strstr(wrong, rows[i].says));
	}
}

/* ---- grids ---- */

struct fixture {
	struct sizing_input base;
	struct sizing_device devices[2];
	struct plan_span contexts[1], loads[2], bandwidths[1];
	const void *device_choices[2], *dtype_choices[2];
	const char *device_labels[2], *dtype_labels[2];
	struct plan_axis axes[5];
	struct plan_grid grid;
};

/* 2 devices x 2 dtypes x contexts 10, 20, 30 x concurrency 1, 2, 3, 8 x bandwidth 50, 100 */
static void
build(struct fixture *f)
{
	*f = (struct fixture){.base = SMALL};
	f->devices[0] = f->devices[1] = SMALL.device;
	f->devices[1].visible_bytes = 5000;
	f->contexts[0] = (struct plan_span){10, 10, 0, 1, 3};
	f->loads[0] = (struct plan_span){1, 1, 0, 1, 3};
	f->loads[1] = (struct plan_span){8, 0, 0, 1, 1};
	f->bandwidths[0] = (struct plan_span){50, 0, 2, 1, 2};
	for (int i = 0; i < 2; i++)
		f->device_choices[i] = &f->devices[i];
	f->device_labels[0] = "small";
	f->device_labels[1] = "large";
	f->dtype_choices[0] = &BYTE;
	f->dtype_choices[1] = &HALF;
	f->dtype_labels[0] = "byte";
	f->dtype_labels[1] = "half";
	f->axes[0] = (struct plan_axis){.name = "accelerator", .target = PLAN_DEVICE,
	    .choices = f->device_choices, .labels = f->device_labels, .count = 2};
	f->axes[1] = (struct plan_axis){.name = "kv", .target = PLAN_DTYPE, .key = sizing_input_find("kv"),
	    .choices = f->dtype_choices, .labels = f->dtype_labels, .count = 2};
	f->axes[2] = (struct plan_axis){.name = "context", .target = PLAN_NUMBER,
	    .key = sizing_input_find("context"), .spans = f->contexts, .span_count = 1, .count = 3};
	f->axes[3] = (struct plan_axis){.name = "concurrency", .target = PLAN_NUMBER,
	    .key = sizing_input_find("concurrency"), .spans = f->loads, .span_count = 2, .count = 4};
	f->axes[4] = (struct plan_axis){.name = "bandwidth", .target = PLAN_NUMBER,
	    .key = sizing_input_find("bandwidth"), .spans = f->bandwidths, .span_count = 1, .count = 2};
	f->grid = (struct plan_grid){.effort = PLAN_BYTES, .base = &f->base, .axes = f->axes, .axis_count = 5};
	assert_true(plan_grid_count(&f->grid));
}

static void
assert_at(const struct plan_cursor *c, uint64_t at, int device, int dtype, double context, double load,
    double bandwidth)
{
	static const double visible[] = {1000, 5000};

	assert_int_equal(c->at, at);
	assert_true(c->in.device.visible_bytes == visible[device]);
	assert_true(c->in.load.kv == (dtype == 0 ? &BYTE : &HALF));
	assert_true(c->in.load.context == context);
	assert_true(c->in.load.concurrency == load);
	assert_true(c->in.device.bandwidth == bandwidth);
}

/* Nested loops, the last axis innermost; a device keeps the bandwidth that a later axis puts in. */
static void
cursor_walks_as_nested_loops(void **state)
{
	static const double loads[] = {1, 2, 3, 8};
	struct fixture f;
	struct plan_cursor walked, sought;
	uint64_t at = 0;

	(void)state;
	build(&f);
	assert_int_equal(f.grid.count, 96);
	plan_seek(&walked, &f.grid, 0);
	for (int d = 0; d < 2; d++)
		for (int k = 0; k < 2; k++)
			for (int c = 10; c <= 30; c += 10)
				for (int n = 0; n < 4; n++)
					for (int b = 50; b <= 100; b += 50) {
						assert_at(&walked, at, d, k, c, loads[n], b);
						plan_seek(&sought, &f.grid, at);
						assert_at(&sought, at, d, k, c, loads[n], b);
						at++;
						if (at < f.grid.count)
							plan_next(&walked);
					}
}

static void
counts_that_are_too_large(void **state)
{
	struct plan_axis axes[] = {{.count = (uint64_t)1 << 30}, {.count = (uint64_t)1 << 30}};
	struct plan_grid grid = {.axes = axes, .axis_count = 2};

	(void)state;
	assert_false(plan_grid_count(&grid));
	axes[1].count = 1 << 20;
	assert_true(plan_grid_count(&grid));
}

/*
 * 1000 B of weights and 200 B a sequence at 100 B/s and device; compute 2000 op a token at 50 op/s and
 * device, so a step on d devices takes (max(10, 40 n) + 2 n) / d = 42 n / d seconds. An answer of 10 tokens at a
 * rate of 0.001 takes n = 0.001 x 10 x 42 n / d: with d >= 2 a load of 1 serves it.
 * At a rate of 0.1 it takes n = 42 n / d: d >= 42 devices, which follow from n: 1000 + 200 n over
 * 600 B are as many from n = 124 up, and the search goes up from 1.
 */
static void
rates_become_loads(void **state)
{
	struct sizing_input in = SMALL;
	struct sizing_result r;
	struct sizing_error e;

	(void)state;
	in.load.output = 10;
	assert_int_equal(plan_concurrency(&r, &in, 0.001, PLAN_BYTES, &e), 1);
	assert_true(in.load.concurrency == 1);
	assert_int_equal(plan_concurrency(&r, &in, 0.1, PLAN_BYTES, &e), 1);
	assert_true(r.concurrency >= ceil(0.1 * 10 * r.decode.seconds));
	assert_true(r.needed >= 42);
	in.load.accelerators = 3; /* 1800 B: 4 sequences, a third of what serves it */
	assert_int_equal(plan_concurrency(&r, &in, 0.1, PLAN_BYTES, &e), 0);
	in.load.context = 5;
	assert_int_equal(plan_concurrency(&r, &in, 0.1, PLAN_BYTES, &e), -1);
}

/* ---- names ---- */

static const char *
found(const struct plan_grid *grid, const char *name)
{
	static struct err e;
	struct plan_column column;

	e = (struct err)ERR_INIT;
	return plan_column_find(&column, grid, name, strlen(name), &e) == OK ? column.name : e.text;
}

static void
columns_by_name(void **state)
{
	struct fixture f;

	(void)state;
	build(&f);
	assert_string_equal(found(&f.grid, "kv.bytes"), "kv.bytes");
	assert_string_equal(found(&f.grid, "kv_bytes"), "kv.bytes");
	assert_string_equal(found(&f.grid, "flag"), "bottleneck.flag");
	assert_string_equal(found(&f.grid, "step_seconds"), "decode.step_seconds");
	assert_string_equal(found(&f.grid, "accelerators"), "accelerators.needed");
	assert_string_equal(found(&f.grid, "accelerator"), "accelerator");
	assert_string_equal(found(&f.grid, "context"), "context");
	assert_string_equal(found(&f.grid, "prompt"), "prompt");
	f.base.load.accelerators = 4;
	assert_string_equal(found(&f.grid, "accelerators"), "accelerators");
	/* of weights.bytes, kv.bytes, ...: which? */
	assert_non_null(strstr(found(&f.grid, "bytes"), "expected the name of a figure"));
	assert_non_null(strstr(found(&f.grid, "flog"), "did you mean `bottleneck.flag`"));
	assert_non_null(strstr(found(&f.grid, "kv.byts"), "did you mean `kv.bytes`"));
	assert_null(strstr(found(&f.grid, "zzzzzz"), "did you mean"));
	assert_non_null(strstr(found(&f.grid, ""), "expected the name"));
}

/* ---- conditions ---- */

/* How many of the 96 configurations a condition keeps. */
static int
kept(struct fixture *f, const char *text)
{
	struct plan_filter filter;
	struct plan_test *test;
	struct plan_cursor c;
	struct err e = ERR_INIT;
	int count = 0;

	if (plan_filter_read(&filter, &f->grid, text, "--where", &e) != OK)
		fail_msg("%s: %s: %s", text, e.where, e.text);
	assert_int_equal(plan_test_open(&test, &filter, &e), OK);
	plan_seek(&c, &f->grid, 0);
	for (uint64_t i = 0; i < f->grid.count; i++) {
		int keep;

		assert_true(plan_size(&c));
		keep = plan_test(test, &c, &e);
		assert_true(keep >= 0);
		count += keep;
		if (i + 1 < f->grid.count)
			plan_next(&c);
	}
	plan_test_close(test);
	plan_filter_release(&filter);
	return count;
}

static void
conditions_keep(void **state)
{
	struct fixture f;

	(void)state;
	build(&f);
	assert_int_equal(kept(&f, "1"), 96);
	assert_int_equal(kept(&f, "context = 20"), 32);
	assert_int_equal(kept(&f, "context in (10, 20) and concurrency > 2"), 32); /* 3 and 8 of four */
	assert_int_equal(kept(&f, "accelerator = 'large'"), 48);
	assert_int_equal(kept(&f, "kv like 'ha%'"), 48);
	assert_int_equal(kept(&f, "bandwidth between 60 B/s and 0.1 kB/s"), 48);
	assert_int_equal(kept(&f, "not (accelerator = 'large' or kv = 'byte')"), 24);
	assert_int_equal(kept(&f, "usable = 60% and usable=60 % and 7 % 4 = 3"), 96);
	/* KV pass the 1000 B of weights at 8 x 20 x 10 = 1600, 8 x 30 x 10 = 2400 and 8 x 30 x 5 = 1200 B;
	 * the next, 3 x 30 x 10 = 900, do not. */
	assert_int_equal(kept(&f, "flag = 'kv-bound'"), 3 * 2 * 2);
	assert_int_equal(kept(&f, "\"kv.bytes\" >= 1.2kB and kv_bytes < 2 kB"), 2 * 2 * 2);
	/* there is no target and no count for it: NULL keeps no row */
	assert_int_equal(kept(&f, "accelerators.for_tpot < 5 or accelerators.for_tpot >= 5"), 0);
	assert_int_equal(kept(&f, "accelerators.for_tpot is null"), 96);
	assert_int_equal(kept(&f, "kv = 'it''s'"), 0);
}

static void
conditions_refused(void **state)
{
	static const struct {
		const char *text, *where;
	} rows[] = {
		{"1; drop table x", "1:2"}, {"(select 1)", "1:2"}, {"context in (values(1))", "1:13"},
		{"context > ?1", "1:11"}, {"context > :a", "1:11"}, {"context > $a", "1:11"},
		{"load_extension('x')", "1:1"}, {"1 or readfile ('/etc/passwd')", "1:6"}, {"randomblob(9)", "1:1"},
		{"printf('%1000000000d', 1)", "1:1"}, {"1) or (1", "1:2"}, {"(1", "1:3"}, {"1 -- x", "1:3"},
		{"1 /* x", "1:3"}, {"context = 'x", "1:11"}, {"\"x", "1:1"}, {"", "1:1"}, {"  ", "1:3"},
		{"1 and\ncontext > > 2", "2:11"}, {"flag = '\xEA\xB0\x80' and nothing", "1:16"}, {"context = 12Q", "1:11"},
		{"1 as x", "1:3"}, {"1 collate nocase", "1:3"}, {"exists (select 1)", "1:1"}, {"sqlite_master", "1:1"},
		{"context.context", "1:1"}, {"\xEA\xB0\x80 = 1", "1:1"}, {"raise(abort, 'x')", "1:1"}, {"context = 1..2", "1:11"},
	};
	struct fixture f;

	(void)state;
	build(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct plan_filter filter;
		struct err e = ERR_INIT;
		char where[64];

		snprintf(where, sizeof where, "--where:%s", rows[i].where);
		if (plan_filter_read(&filter, &f.grid, rows[i].text, "--where", &e) != ERR_USAGE)
			fail_msg("%s was not refused", rows[i].text);
		if (strcmp(e.where, where) != 0)
			fail_msg("%s: expected %s, found %s: %s", rows[i].text, where, e.where, e.text);
		plan_filter_release(&filter);
	}
}

/* ---- sweeps ---- */

struct collected {
	struct buf text;
};

static void
put_row(void *context, struct buf *out, const struct plan_cursor *c, bool last)
{
	(void)context;
	buf_printf(out, "%llu %.17g %.17g%s\n", (unsigned long long)c->at, c->out.kv_bytes, c->out.decode.seconds,
	    last ? " memory" : "");
}

static int
collect(void *context, const struct buf *rows, struct err *e)
{
	(void)e;
	buf_add(&((struct collected *)context)->text, rows->s, rows->len);
	return OK;
}

static int
full_disk(void *context, const struct buf *rows, struct err *e)
{
	(void)context;
	(void)rows;
	return err_set(e, ERR_SYSTEM, "full");
}

/* Contexts 1..150 by concurrency 1..200: 30,000 configurations, some blocks. */
static void
build_large(struct fixture *f)
{
	*f = (struct fixture){.base = SMALL};
	f->contexts[0] = (struct plan_span){1, 1, 0, 1, 150};
	f->loads[0] = (struct plan_span){1, 1, 0, 1, 200};
	f->axes[0] = (struct plan_axis){.name = "context", .target = PLAN_NUMBER,
	    .key = sizing_input_find("context"), .spans = f->contexts, .span_count = 1, .count = 150};
	f->axes[1] = (struct plan_axis){.name = "concurrency", .target = PLAN_NUMBER,
	    .key = sizing_input_find("concurrency"), .spans = f->loads, .span_count = 1, .count = 200};
	f->grid = (struct plan_grid){.effort = PLAN_BYTES, .base = &f->base, .axes = f->axes, .axis_count = 2};
	assert_true(plan_grid_count(&f->grid));
}

static struct plan_tally
sweep(struct collected *out, struct plan_sweep s, int jobs)
{
	struct plan_tally tally;
	struct err e = ERR_INIT;

	buf_clear(&out->text);
	s.jobs = jobs;
	s.row = put_row;
	s.write = collect;
	s.context = out;
	assert_int_equal(plan_sweep(&tally, &s, &e), OK);
	return tally;
}

static void
order_does_not_depend_on_threads(void **state)
{
	struct collected one = {BUF_INIT}, many = {BUF_INIT};
	struct plan_filter filter;
	struct err e = ERR_INIT;
	struct fixture f;
	struct plan_tally t;
	unsigned long long expected = 0;

	(void)state;
	build_large(&f);
	for (int filtered = 0; filtered < 2; filtered++) {
		struct plan_sweep s = {.grid = &f.grid};

		if (filtered) {
			assert_int_equal(plan_filter_read(&filter, &f.grid, "context % 7 = 3", "--where", &e), OK);
			s.filter = &filter;
		}
		sweep(&one, s, 1);
		t = sweep(&many, s, 7);
		assert_string_equal(one.text.s, many.text.s);
		/* of 1..150 are 3 modulo 7: 3, 10, ..., 150, 22 of them */
		assert_int_equal(t.kept, filtered ? 22 * 200 : 30000);
		assert_int_equal(t.sized, 30000);
		assert_int_equal(t.refused, 0);
	}
	plan_filter_release(&filter);
	/* all rows in order, each with 10 B a token and sequence */
	sweep(&many, (struct plan_sweep){.grid = &f.grid}, 3);
	for (const char *line = many.text.s; *line != '\0'; line = strchr(line, '\n') + 1, expected++) {
		assert_true(strtoull(line, NULL, 10) == expected);
		assert_true(strtod(strchr(line, ' '), NULL) ==
		    10 * (double)(1 + expected / 200) * (double)(1 + expected % 200));
	}
	assert_int_equal(expected, 30000);
	buf_release(&one.text);
	buf_release(&many.text);
}

static void
refused_are_counted(void **state)
{
	struct collected out = {BUF_INIT};
	struct fixture f;
	struct plan_tally t;

	(void)state;
	build_large(&f);
	f.base.load.output = 100; /* leaves a prompt from context 101 up */
	t = sweep(&out, (struct plan_sweep){.grid = &f.grid}, 3);
	assert_int_equal(t.refused, 100 * 200);
	assert_int_equal(t.first_refused, 0);
	assert_int_equal(t.kept, 50 * 200);
	assert_true(strtoull(out.text.s, NULL, 10) == 100 * 200);
	buf_release(&out.text);
}

static void
a_failed_write_ends_it(void **state)
{
	struct fixture f;
	struct plan_tally t;
	struct err e = ERR_INIT;
	struct plan_sweep s = {.grid = &f.grid, .jobs = 3, .row = put_row, .write = full_disk};

	(void)state;
	build_large(&f);
	assert_int_equal(plan_sweep(&t, &s, &e), ERR_SYSTEM);
	assert_string_equal(e.text, "full");
}

/* KV are 10 B x context x concurrency; the largest are at the end of both. */
static void
best_rows(void **state)
{
	static const unsigned long long most[] = {29999, 29998, 29799, 29997};
	struct collected out = {BUF_INIT};
	struct plan_sweep s = {.gather = PLAN_TOP, .top = 4, .descending = true};
	struct fixture f;
	struct err e = ERR_INIT;
	const char *line;

	(void)state;
	build_large(&f);
	s.grid = &f.grid;
	assert_int_equal(plan_column_find(&s.by, &f.grid, "kv.bytes", 8, &e), OK);
	for (int jobs = 1; jobs <= 4; jobs += 3) {
		/* 150 x 200, 150 x 199, 149 x 200 = 29800 < 29850, 150 x 198 = 29700 */
		assert_int_equal(sweep(&out, s, jobs).kept, 4);
		line = out.text.s;
		for (int i = 0; i < 4; i++, line = strchr(line, '\n') + 1)
			assert_true(strtoull(line, NULL, 10) == most[i]);
		assert_int_equal(*line, '\0');
	}
	s.descending = false; /* equal figures in the order of the grid: 1 x 2 before 2 x 1 */
	sweep(&out, s, 2);
	assert_true(strncmp(out.text.s, "0 10 ", 5) == 0);
	assert_non_null(strstr(out.text.s, "\n1 20 "));
	assert_true(strstr(out.text.s, "\n1 20 ") < strstr(out.text.s, "\n200 20 "));
	buf_release(&out.text);
}

/* ---- fronts ---- */

static bool
beats(const struct plan_point *a, const struct plan_point *b)
{
	return a->fits && a->seconds <= b->seconds && a->rate >= b->rate &&
	    (a->seconds < b->seconds || a->rate > b->rate || a->id < b->id);
}

/* Against all pairs, on small whole numbers so that there are ties. */
static void
fronts_by_brute_force(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct plan_point points[40], copy[40];
		size_t count = (size_t)round % 40, front, expected = 0;

		for (size_t i = 0; i < count; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			points[i] = (struct plan_point){(double)(seed % 11), (double)(seed / 11 % 11), i,
			    seed / 121 % 8 != 0, seed / 968 % 2 == 0};
		}
		memcpy(copy, points, sizeof copy);
		front = plan_pareto(points, count);
		for (size_t i = 0; i < count; i++) {
			bool on = copy[i].fits;

			for (size_t j = 0; j < count; j++)
				on = on && !beats(&copy[j], &copy[i]);
			for (size_t j = 0; on && j < front; j++)
				if (points[j].id == i) {
					assert_true(points[j].last == copy[i].last);
					expected++;
				}
			for (size_t j = 0; !on && j < front; j++)
				assert_true(points[j].id != i);
		}
		assert_int_equal(front, expected);
		for (size_t i = 1; i < front; i++)
			assert_true(points[i].seconds > points[i - 1].seconds && points[i].rate > points[i - 1].rate);
	}
	assert_int_equal(plan_pareto(NULL, 0), 0);
}

/*
 * Without a rate of compute a step reads 1000 B + 200 B a sequence, and every larger batch is slower
 * and gives more: the front is all that fits. On 4 devices of 600 B that is 7 sequences: 2400 - 1000 = 1400.
 */
static void
memory_ends_the_front(void **state)
{
	struct collected out = {BUF_INIT};
	struct fixture f;
	struct plan_tally t;

	(void)state;
	build_large(&f);
	f.base.load.accelerators = 4;
	f.base.device.peak[SIZING_BF16] = 0;
	f.contexts[0] = (struct plan_span){20, 0, 0, 1, 1};
	f.axes[0].count = 1;
	assert_true(plan_grid_count(&f.grid));
	t = sweep(&out, (struct plan_sweep){.grid = &f.grid, .gather = PLAN_FRONT}, 2);
	assert_int_equal(t.kept, 7);
	assert_non_null(strstr(out.text.s, "\n6 1400 6 memory\n"));
	assert_ptr_equal(strstr(out.text.s, "memory"), strstr(out.text.s, "6 memory") + 2);
	buf_release(&out.text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_ranges), cmocka_unit_test(ranges_that_are_none),
		cmocka_unit_test(cursor_walks_as_nested_loops), cmocka_unit_test(counts_that_are_too_large),
		cmocka_unit_test(rates_become_loads), cmocka_unit_test(columns_by_name),
		cmocka_unit_test(conditions_keep), cmocka_unit_test(conditions_refused),
		cmocka_unit_test(order_does_not_depend_on_threads), cmocka_unit_test(refused_are_counted),
		cmocka_unit_test(a_failed_write_ends_it), cmocka_unit_test(best_rows),
		cmocka_unit_test(fronts_by_brute_force), cmocka_unit_test(memory_ends_the_front),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
