/* Inside of plan: the best rows, or the front, as numbers of configurations. */
#ifndef PLAN_GATHER_H
#define PLAN_GATHER_H

#include "plan/pareto.h"
#include "plan/sweep.h"

struct gather;

struct gather *gather_open(const struct plan_sweep *sweep); /* NULL where nothing is gathered */
void gather_close(struct gather *g);
void gather_add(struct gather *g, const struct plan_cursor *c);
void gather_merge(struct gather *into, const struct gather *from);
size_t gather_count(struct gather *g);
/* Size the rows again and write them, in order. */
int gather_write(struct gather *g, const struct plan_sweep *sweep, struct err *e);

#endif
