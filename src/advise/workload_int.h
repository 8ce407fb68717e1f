/* Inside of the reading of workloads. */
#ifndef ADVISE_WORKLOAD_INT_H
#define ADVISE_WORKLOAD_INT_H

#include "advise/workload.h"

/* The part of w->in that says how a replica runs; after the rest was filled. */
int workload_fill_machine(struct workload *w, struct err *e);

#endif
