/*
 * The margin: which of KV and weights is larger over a grid of sequences and contexts around one load.
 * Pure arithmetic over the sizing engine, on the caller's memory.
 */
#ifndef PLAN_MARGIN_H
#define PLAN_MARGIN_H

#include <stddef.h>

#include "sizing/sizing.h"

enum { MARGIN_STEPS = 4, MARGIN_MAX = 2 * MARGIN_STEPS + 1 };

struct margin {
	size_t sequences_count, contexts_count; /* 2 x steps + 1, less only where SIZING_MAX_LOAD ends them */
	double sequences[MARGIN_MAX];           /* whole, ascending */
	double contexts[MARGIN_MAX];            /* tokens, ascending */
	double ratio[MARGIN_MAX][MARGIN_MAX];   /* [sequences][contexts]: KV and state over weights */
	double crossover[MARGIN_MAX];           /* of each context: sequences at which the ratio is 1; 0 = never */
	size_t row, column;                     /* the load asked about: its place in the grid */
};

/*
 * The load and its halves and doubles, `steps` (1 to MARGIN_STEPS) of each. What cannot be halved to a
 * whole number above the one before makes room for further doubles. Returns 0, or -1 with *error as
 * sizing_run has it.
 */
int margin_fill(struct margin *out, const struct sizing_input *input, size_t steps,
    struct sizing_error *error);

#endif
