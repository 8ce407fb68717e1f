/*
 * A grid on all cores. Threads take blocks of configurations as they come free, size them, ask
 * the filter and write the rows that stay into a buffer of the block; blocks are given out in
 * their order, whatever the number of threads. Memory: a few blocks, whatever the number of rows.
 *
 * Best rows and fronts are gathered as numbers of configurations (which say all there is to
 * say: a row is sized again when it is written), so that they need memory for themselves only.
 */
#ifndef PLAN_SWEEP_H
#define PLAN_SWEEP_H

#include "plan/filter.h"
#include "plan/grid.h"
#include "util/buf.h"
#include "util/err.h"

enum plan_gather {
	PLAN_ALL,   /* rows in the order of the grid */
	PLAN_COUNT, /* none, only the tally */
	PLAN_TOP,   /* the first `top` by `by` */
	PLAN_FRONT, /* plan_pareto over decode.step_seconds and tokens per second and accelerator */
};

enum { PLAN_MAX_JOBS = 256, PLAN_MAX_TOP = 100000 };

struct plan_sweep {
	const struct plan_grid *grid;
	const struct plan_filter *filter;   /* NULL: none */
	int jobs;                           /* threads, from 1 */
	enum plan_gather gather;
	size_t top;
	struct plan_column by;              /* a number */
	bool descending;
	/* Append one row; called in any thread. `last`: of a front, memory ends here. */
	void (*row)(void *context, struct buf *out, const struct plan_cursor *c, bool last);
	/* Rows of a block, in order, in the caller's thread. Not OK ends the sweep. */
	int (*write)(void *context, const struct buf *rows, struct err *e);
	/* Now and then, in the caller's thread; may be NULL. */
	void (*progress)(void *context, uint64_t done);
	void *context;
};

struct plan_tally {
	uint64_t sized, kept, refused;
	uint64_t first_refused;             /* number of a configuration, where refused > 0 */
};

int plan_sweep(struct plan_tally *tally, const struct plan_sweep *sweep, struct err *e);

#endif
