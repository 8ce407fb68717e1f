/*
 * Inputs that are ranges: what the answer is over all loads within them.
 *
 * The one answer is that for the end of each range that asks for more memory and time (the highest load,
 * the lowest reuse, the least room), so that what is proposed carries the whole range: a count that is too
 * small at the peak would be ours to explain. Beside it stand the lowest and the highest value of every
 * figure over the range: counts of accelerators as each load needs them, everything else (times, what fits,
 * the budget) on the accelerators of the one answer, which is what would be bought. (Of requests per second each
 * load is taken with what it needs: how many sequences it makes depends on that.)
 *
 * So taken, bytes, counts, what fits and the decode step rise or fall with each input throughout, and their
 * extremes lie at the ends. The others (terms of a time, since a load may take another layout; the next jump of
 * the count; all that follows from requests per second) are taken over RANGE_POINTS loads at most (RANGE_SOLVED
 * of a rate), spread evenly over the ranges with all their ends among them, and are exact only where those are
 * all the loads there are.
 */
#ifndef ADVISE_RANGE_H
#define ADVISE_RANGE_H

#include "advise/workload.h"

enum { RANGE_POINTS = 1024, RANGE_SOLVED = 144 };

enum range_end { RANGE_HIGH, RANGE_LOW };

/* The end of an input that asks for more. */
enum range_end range_end(enum input_id id);

struct workload_range {
	double *low, *high;   /* by the place of the key in sizing/keys.h; NaN: not known at every load */
	size_t points;        /* loads that were sized, all ends among them */
	bool every;           /* those are all there are */
	bool turns;           /* the capacity bottleneck is not the same for all of them */
};

/* Fill w->range, in the arena, of a workload that was sized; nothing to do where no input is a range. */
int range_fill(struct workload *w, struct arena *a, struct err *e);

/* The extremes of a figure, like result_quantity; false where there is no range, or no figure at some load. */
bool range_quantity(struct quantity *low, struct quantity *high, const struct workload *w, const char *key);

/* Are they exact: does the figure rise or fall with each input throughout, or was every load sized? */
bool range_is_exact(const struct workload *w, const char *key);

#endif
