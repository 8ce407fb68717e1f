/*
 * Configurations a second of a sweep on two threads, one topology each (of bytes alone, as with --bound, which
 * costs what a given layout does): sized and counted; with a condition that keeps few rows; with every
 * row written as CSV. Then rows for each of which the smallest layout is looked for, which tries
 * some dozens of topologies; no target. The machine is the built-in deepseek-v3 on h200 in
 * numbers (dense layers first, then experts; MLA). Targets: 1 million/s without a condition, also with
 * the rows written, 0.6 million/s with one. The best of some rounds, since the machine may be
 * busy. Exit status 1 if one is missed.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plan/filter.h"
#include "plan/sweep.h"
#include "render/row.h"

enum { ROUNDS = 5, JOBS = 2 };

static const struct sizing_device H200 = {
	.visible_bytes = 150754820096,
	.usable_fraction = 0.9,
	.bandwidth = 4.8e12,
	.peak = {[SIZING_BF16] = 989e12, [SIZING_FP8] = 1979e12},
	.link = 450e9,
	.domain = 8,
};

static struct sizing_input base = {
	.model = {
		.width = 7168,
		.vocabulary = 129280,
		.groups = {{.layers = 61, .key_width = 576, .heads = 128, .query_width = 576,
		    .output_width = 512, .projections = 187105280}},
		.group_count = 1,
		.ffn = {
			{.layers = 3, .width = 18432, .matrices = 3},
			{.layers = 58, .width = 2048, .matrices = 3, .experts = 256, .active = 8, .shared = 1},
		},
		.ffn_count = 2,
	},
	.load = {.reuse = -1},
};

/* 128 contexts x 8,192 loads = 1,048,576 */
static const struct plan_span contexts = {1024, 1024, 0, 1, 128}, loads = {1, 1, 0, 1, 8192},
    small = {1, 1, 0, 1, 256};

static struct plan_column columns[6];
static const struct render_row_column heads[6] = {{"context", 0, true}, {"concurrency", 0, true},
    {"kv.bytes", 0, true}, {"accelerators.needed", 0, true}, {"decode.step_seconds", 0, true},
    {"bottleneck.flag", 0, false}};

static void
put_row(void *context, struct buf *out, const struct plan_cursor *c, bool last)
{
	struct render_cell cells[6];

	(void)context;
	(void)last;
	for (int i = 0; i < 6; i++) {
		cells[i] = (struct render_cell){ RENDER_CELL_NONE, 0, NULL };
		if (plan_column_is_text(&columns[i], c->grid)) {
			cells[i].text = plan_column_text(&columns[i], c);
			cells[i].kind = RENDER_CELL_TEXT;
		} else if (plan_column_number(&cells[i].number, &columns[i], c)) {
			cells[i].kind = RENDER_CELL_NUMBER;
		}
	}
	render_row(out, RENDER_ROW_CSV, heads, cells, 6);
}

static int
put_block(void *context, const struct buf *rows, struct err *e)
{
	return fwrite(rows->s, 1, rows->len, context) == rows->len ? OK : err_errno(e, "cannot write");
}

/* Millions of configurations a second; 0 where it failed. */
static double
speed(const struct plan_sweep *s)
{
	double best = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct plan_tally tally;
		struct err e = ERR_INIT;
		struct timespec from, to;
		double taken;

		clock_gettime(CLOCK_MONOTONIC, &from);
		if (plan_sweep(&tally, s, &e) != OK || tally.refused > 0) {
			printf("a sweep failed: %s\n", e.text);
			return 0;
		}
		clock_gettime(CLOCK_MONOTONIC, &to);
		taken = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
		if ((double)tally.sized / taken / 1e6 > best)
			best = (double)tally.sized / taken / 1e6;
	}
	return best;
}

static int
report(const char *what, double found, double target)
{
	printf("sweep, %-45s %5.2f million/s", what, found);
	if (target > 0)
		printf(" (at least %.1f)", target);
	printf("\n");
	return found >= target ? 0 : 1;
}

int
main(void)
{
	struct plan_axis axes[] = {
		{.name = "context", .target = PLAN_NUMBER, .key = sizing_input_find("context"), .spans = &contexts,
		    .span_count = 1, .count = 128},
		{.name = "concurrency", .target = PLAN_NUMBER, .key = sizing_input_find("concurrency"),
		    .spans = &loads, .span_count = 1, .count = 8192},
	};
	struct plan_grid grid = {.base = &base, .effort = PLAN_BYTES, .axes = axes, .axis_count = 2};
	FILE *null = fopen("/dev/null", "w");
	struct plan_sweep s = {.grid = &grid, .jobs = JOBS, .row = put_row, .write = put_block, .context = null};
	struct plan_filter filter;
	struct err e = ERR_INIT;
	int missed = 0;

	base.device = H200;
	base.load.weights = sizing_dtype_find("fp8");
	base.load.kv = sizing_dtype_find("bf16");
	if (null == NULL || !plan_grid_count(&grid) ||
	    plan_filter_read(&filter, &grid, "flag = 'kv-bound' and accelerators <= 12", "--where", &e) != OK)
		return 1;
	for (int i = 0; i < 6; i++)
		if (plan_column_find(&columns[i], &grid, heads[i].name, strlen(heads[i].name), &e) != OK)
			return 1;
	s.gather = PLAN_COUNT;
	missed += report("two threads, sized and counted", speed(&s), 1);
	s.gather = PLAN_ALL;
	missed += report("two threads, six columns of CSV to /dev/null", speed(&s), 1);
	s.filter = &filter;
	missed += report("two threads, a condition that keeps few rows", speed(&s), 0.6);
	s.filter = NULL;
	s.gather = PLAN_COUNT;
	grid.effort = PLAN_LEAN;
	axes[1].count = small.count;
	axes[1].spans = &small;
	if (!plan_grid_count(&grid))
		return 1;
	report("two threads, rows with their smallest layout", speed(&s), 0);
	plan_filter_release(&filter);
	fclose(null);
	return missed > 0;
}
