/* The options of `sweep` as a grid: every input may be a list or a range. */
#ifndef CLI_SWEEP_GRID_H
#define CLI_SWEEP_GRID_H

#include "advise/workload.h"
#include "cli/cmd.h"
#include "plan/grid.h"

/* Inputs that only a sweep has. */
#define SWEEP_OPTIONS \
	{ "memory", 0, "BYTES", "memory of one accelerator, instead of its profile's" }, \
	{ "bandwidth", 0, "BYTES/s", "memory bandwidth of one accelerator, instead of its profile's" }

struct sweep_grid {
	struct workload base;              /* of the first values */
	struct plan_axis axes[PLAN_MAX_AXES];
	bool shown[PLAN_MAX_AXES];         /* given as a list or a range: a column of the output */
	struct plan_grid grid;
};

/* Every given option is an axis, in the order of the options. Faults of values go to cli->errs. */
int sweep_grid_read(struct sweep_grid *out, struct cli *cli, struct err *e);

#endif
