/*
 * What a row of a sweep shows or is asked for, by name: an axis, an input, a figure of the
 * result. "kv.bytes" is also kv_bytes, and a name may be cut down to its last parts where
 * only one ends so: `flag` is bottleneck.flag. `accelerators` is what was given, else
 * accelerators.needed.
 */
#ifndef PLAN_COLUMN_H
#define PLAN_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/grid.h"
#include "util/err.h"

struct plan_column {
	const char *name;             /* as the tables have it; static, or an axis's own */
	const struct sizing_key *key; /* its unit and place; NULL: an axis of labels or of rates */
	bool of_input;                /* key is of the input, not of the result */
	int axis;                     /* where key is NULL */
};

/* The column of an axis of the grid. */
void plan_column_axis(struct plan_column *out, const struct plan_grid *grid, size_t axis);

/* By name; ERR_USAGE with the nearest name in the message, which begins with "expected". */
int plan_column_find(struct plan_column *out, const struct plan_grid *grid, const char *name,
    size_t len, struct err *e);

/* Is it a figure that only PLAN_FULL gives? */
bool plan_column_is_limit(const struct plan_column *column);

bool plan_column_is_text(const struct plan_column *column, const struct plan_grid *grid);
/* false: there is no such figure here */
bool plan_column_number(double *out, const struct plan_column *column, const struct plan_cursor *c);
const char *plan_column_text(const struct plan_column *column, const struct plan_cursor *c);

#endif
