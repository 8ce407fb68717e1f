/*
 * The front of latency against throughput: of many points those that no other beats in both the
 * time per output token and the tokens per second of one accelerator. A point that does not
 * fit in memory is on no front; one behind which memory ends is marked, so that a front says whether it
 * ends for want of bytes or of further points.
 */
#ifndef PLAN_PARETO_H
#define PLAN_PARETO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan_point {
	double seconds;   /* time per output token */
	double rate;      /* tokens per second of one accelerator */
	uint64_t id;      /* the caller's; of two equal points the lower id stays */
	bool fits;
	bool last;        /* the next larger batch of the caller's does not fit */
};

/*
 * Keeps the points that fit and are not beaten, by rising time and so by rising rate, at the start of
 * the array; returns how many. In place: n log n time, no memory.
 */
size_t plan_pareto(struct plan_point *points, size_t count);

#endif
