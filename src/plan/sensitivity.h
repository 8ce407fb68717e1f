/*
 * Which input moves the answer most, and what one more GB and one more GB/s of a device are worth.
 * Pure arithmetic over the sizing engine and the layouts that it finds, on the caller's memory.
 *
 * Each number of the input is lowered and raised by a tenth, or to the nearest whole number that differs,
 * while everything else stays. Counts of accelerators are compared at the same load, times on the same
 * accelerators: those there are, else those that the load as it is needs.
 */
#ifndef PLAN_SENSITIVITY_H
#define PLAN_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>

#include "sizing/keys.h"
#include "sizing/sizing.h"

enum sensitivity_answer {
	SENSITIVITY_DEVICES, /* of the smallest layout that holds the load, whatever number there is */
	SENSITIVITY_DEMAND,  /* without layout and rounding: all bytes over what one device has for them */
	SENSITIVITY_STEP,    /* seconds of one decode step */
	SENSITIVITY_TTFT,    /* seconds of a prompt that was not seen before; with reuse where it is known */
	SENSITIVITY_ANSWERS
};

#define SENSITIVITY_STEP_SIZE 0.1

struct sensitivity_side {
	double input;                       /* what the input was set to; = the value: it cannot go there */
	double answer[SENSITIVITY_ANSWERS]; /* 0: it does not fit, or no rate is known */
};

struct sensitivity_row {
	const char *name;      /* as in sizing/keys.h; "weights" and "kv" are their bits per element */
	enum sizing_unit unit; /* SIZING_UNIT_DTYPE: bits */
	double value;
	struct sensitivity_side down, up;
	/* relative change of the answer over that of the input, of the side where it is larger in size; with sign */
	double elasticity[SENSITIVITY_ANSWERS];
	/* the largest of them in size, that of the rounded count left aside: the order of the rows */
	double effect;
};

enum { SENSITIVITY_ROWS = 40 };

struct sensitivity {
	double devices;                     /* on which times are compared */
	double answer[SENSITIVITY_ANSWERS]; /* as it is */
	struct sensitivity_row rows[SENSITIVITY_ROWS]; /* largest effect first */
	size_t count;

	/* One more GB (1e9 bytes, as printed on the device) and one more GB/s of each device: */
	double sequences_per_gb;      /* that fit on `devices`; a share of one, since it is a rate */
	double gb_to_save;            /* GB on each with which fewer devices are needed; 0 = no amount does that */
	double saved_to;              /* how many are needed then */
	double step_per_gbps;         /* change of the step, seconds; <= 0 */
	double ttft_per_gbps;
};

/* Returns 0, or -1 with *error if the load itself cannot be sized. */
int sensitivity_run(struct sensitivity *out, const struct sizing_input *input,
    struct sizing_error *error);

#endif
