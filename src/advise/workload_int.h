/* Inside of the reading of workloads. */
#ifndef ADVISE_WORKLOAD_INT_H
#define ADVISE_WORKLOAD_INT_H

#include "advise/workload.h"

/* What an input was stated or assumed to be; `missing` if it is not known. */
double workload_number(const struct workload *w, enum input_id id, double missing);

/* The part of w->in that says how a replica runs; after the rest was filled. */
int workload_fill_machine(struct workload *w, struct err *e);

#endif
