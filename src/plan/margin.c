#include "plan/margin.h"

#include <math.h>

/* Ascending: halves of `value` rounded up to whole numbers, itself, doubles. *place: where it is itself. */
static size_t
axis(double out[MARGIN_MAX], size_t *place, double value, size_t steps)
{
	double halves[MARGIN_STEPS];
	size_t below = 0, n = 0;

	for (double half = ceil(value / 2), last = value; below < steps && half < last; half = ceil(half / 2)) {
		halves[below++] = half;
		last = half;
	}
	while (n < below) {
		out[n] = halves[below - 1 - n];
		n++;
	}
	*place = n;
	for (; n < 2 * steps + 1 && value <= SIZING_MAX_LOAD; value *= 2)
		out[n++] = value;
	return n;
}

int
margin_fill(struct margin *out, const struct sizing_input *input, size_t steps,
    struct sizing_error *error)
{
	struct sizing_input in = *input;
	struct sizing_result r;

	*out = (struct margin){0};
	if (sizing_run(&r, input, error) != 0)
		return -1;
	out->sequences_count = axis(out->sequences, &out->row, r.concurrency, steps);
	out->contexts_count = axis(out->contexts, &out->column, r.context, steps);
	in.load.prompt = in.load.output = in.load.sessions = 0;
	in.tier_count = 0;
	for (size_t i = 0; i < out->sequences_count; i++) {
		in.load.concurrency = out->sequences[i];
		for (size_t k = 0; k < out->contexts_count; k++) {
			in.load.context = out->contexts[k];
			if (sizing_run(&r, &in, error) != 0)
				return -1;
			out->ratio[i][k] = r.kv_to_weights;
			out->crossover[k] = r.crossover_concurrency;
		}
	}
	return 0;
}
