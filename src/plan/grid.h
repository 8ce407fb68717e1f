/*
 * A grid of configurations: a base input and axes along which one value of it changes. The
 * product is never laid out: configuration number n is worked out from n, so that a grid
 * of any size takes the memory of its axes, and any thread can start anywhere.
 *
 * The last axis runs fastest. Everything lives with the caller.
 */
#ifndef PLAN_GRID_H
#define PLAN_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/layout.h"
#include "sizing/keys.h"
#include "sizing/sizing.h"

enum { PLAN_MAX_AXES = 40 };

/* Values from, from + step, ... or from, from x factor, ...; `count` of them. */
struct plan_span {
	double from;
	double step, factor; /* one of them is above 0, or count is 1 */
	/* from and step are whole multiples of 1 / scale, a power of ten: each value is the
	 * double nearest to its decimal, not a sum of roundings */
	double scale;
	uint64_t count;
};

enum plan_target {
	PLAN_NUMBER,  /* a double of the input, under `key` */
	PLAN_DTYPE,   /* a dtype of the input, under `key` */
	PLAN_MODEL, PLAN_DEVICE, PLAN_LAYOUT,
	PLAN_RATE,    /* requests per second, from which the concurrency follows */
};

struct plan_axis {
	const char *name;             /* "context" */
	enum plan_target target;
	const struct sizing_key *key; /* PLAN_NUMBER, PLAN_DTYPE */
	const struct plan_span *spans; /* of numbers and rates */
	size_t span_count;
	/* the others: what to put in, and what it is called */
	const void *const *choices;
	const char *const *labels;
	uint64_t count;               /* values in all; >= 1 */
};

struct plan_grid {
	const struct sizing_input *base;
	double rate;                  /* > 0: requests per second instead of a concurrency */
	enum plan_effort effort;
	const struct plan_axis *axes;
	size_t axis_count;
	uint64_t count;               /* configurations */
};

enum { PLAN_MAX_COUNT_BITS = 52 };
/* Sets count; false where it is 2^52 or more. */
bool plan_grid_count(struct plan_grid *grid);

/* The `i`th value along an axis of numbers. */
double plan_axis_value(const struct plan_axis *axis, uint64_t i);

/* One configuration after another; each thread has its own. */
struct plan_cursor {
	const struct plan_grid *grid;
	uint64_t at;
	uint64_t index[PLAN_MAX_AXES];
	double values[PLAN_MAX_AXES]; /* of axes of numbers */
	double rate;
	struct sizing_input in;
	struct sizing_result out;     /* after plan_size */
	struct sizing_error refused;  /* where plan_size said so */
};

void plan_seek(struct plan_cursor *c, const struct plan_grid *grid, uint64_t at);
void plan_next(struct plan_cursor *c);

/* Size where the cursor is: false where the engine refuses the input, or no load serves the rate. */
bool plan_size(struct plan_cursor *c);

/*
 * Little's law: sequences in decode = requests per second x tokens of an answer x step time, and
 * the step time grows with them. Up from one to the first load that serves the rate; the
 * count of devices makes steps, so that it need not be met exactly. Sets in->load.concurrency
 * and *result. 1: found; 0: no load that fits serves the rate; -1: refused, *error says why.
 */
int plan_concurrency(struct sizing_result *result, struct sizing_input *in, double rate,
    enum plan_effort effort, struct sizing_error *error);

#endif
