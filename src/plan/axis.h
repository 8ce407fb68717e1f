/*
 * Axes as users write them: values and ranges, separated by commas.
 *
 *     8K,32K,128K          these
 *     1..512               all whole values, both ends included
 *     1..512*2             1, 2, 4, ... up to 512
 *     0.5 TB/s..8 TB/s+0.5 TB/s    with a step
 *     1,2,4..64+4          any of them in one list
 */
#ifndef PLAN_AXIS_H
#define PLAN_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/grid.h"
#include "quantity/quantity.h"
#include "util/arena.h"
#include "util/err.h"

/* One item of the list, cut at its signs; the texts are in the arena. */
struct plan_item {
	const char *from;
	const char *to;      /* NULL: a single value */
	const char *by;      /* step or factor; NULL: none is given */
	bool geometric;      /* by is a factor */
};

/* Cut `text` into items; returns how many, *items in the arena. */
size_t plan_axis_items(struct plan_item **items, struct arena *a, const char *text);

/*
 * The values of an item of the dimension: from and to were found to be values. ERR_USAGE at the
 * place where the range is none: a step of another kind, a range that runs down, a step
 * left out where values need not be whole, too many values.
 */
int plan_axis_span(struct plan_span *out, const struct plan_item *item, enum dimension dimension,
    bool whole, struct place at, struct err *e);

#endif
