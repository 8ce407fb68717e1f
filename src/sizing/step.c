#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static const char *const TERM_NAMES[SIZING_TERMS] = {
	[SIZING_WEIGHTS] = "weights",
	[SIZING_KV] = "kv",
	[SIZING_STATE] = "state",
	[SIZING_INDEX] = "index",
	[SIZING_ATTENTION_COMPUTE] = "attention-compute",
	[SIZING_LINEAR_COMPUTE] = "linear-compute",
	[SIZING_INTERCONNECT] = "interconnect",
};

const char *
sizing_term_name(enum sizing_term term)
{
	return term < SIZING_TERMS ? TERM_NAMES[term] : NULL;
}

double
sizing_matmul_intensity(double b, double d, double f)
{
	return b * d * f / (b * d + d * f + b * f);
}

double
sizing_attention_intensity(double s, double t)
{
	return s * t / (s + t);
}

double
sizing_critical_batch(double operations, double bandwidth, double weight_bits, double experts,
    double active)
{
	double dense = operations / bandwidth * weight_bits / 16;
	double batch;

	if (!(active < experts))
		return dense;
	batch = dense * experts / active;
	/* Falls to the root from above; one round will do but where `dense` is a few tokens. */
	for (int round = 0; round < 40; round++) {
		double next = dense * sizing_experts_touched(experts, active, batch) / active;

		if (batch - next <= batch * 1e-12)
			break;
		batch = next;
	}
	return fmax(batch, dense);
}

/* The index is read for the sake of the KV: in time it is no term of its own. */
enum sizing_term
sizing_largest(const double counted[SIZING_TERMS])
{
	enum sizing_term largest = SIZING_WEIGHTS;
	double most = counted[SIZING_WEIGHTS];

	for (int t = SIZING_KV; t < SIZING_TERMS; t++) {
		double seconds = counted[t];

		if (t == SIZING_INDEX)
			continue;
		if (t == SIZING_KV)
			seconds += counted[SIZING_INDEX];
		if (seconds > most) {
			most = seconds;
			largest = (enum sizing_term)t;
		}
	}
	return largest;
}

/* 0 where the device publishes no rate: not known, and a floor of 0 is true. */
static double
compute_seconds(double operations, double rate)
{
	return rate > 0 ? operations / rate : 0;
}

void
sizing_step(struct sizing_step *s, const struct sizing_case *c, double devices)
{
	double bandwidth = c->input->device.bandwidth * devices;

	*s = (struct sizing_step){.devices = devices};
	s->weights_seconds = sizing_weights_touched(c, c->concurrency) / bandwidth;
	s->linear_compute_seconds = compute_seconds(c->operations_per_token * c->concurrency,
	    c->linear.operations * devices);
	s->linear_seconds = fmax(s->weights_seconds, s->linear_compute_seconds);
	if (s->linear_compute_seconds > s->weights_seconds)
		s->counted[SIZING_LINEAR_COMPUTE] = s->linear_compute_seconds;
	else
		s->counted[SIZING_WEIGHTS] = s->weights_seconds;
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		double rows = c->concurrency * sizing_rows_read(cache->group, c->context);
		double index = rows * cache->index_read_row / bandwidth;
		double kv = rows * (cache->read_row - cache->index_read_row) / bandwidth;
		double compute = compute_seconds(rows * cache->step_operations,
		    cache->rate * devices);

		s->kv_seconds += kv;
		s->index_seconds += index;
		s->attention_compute_seconds += compute;
		if (compute > kv + index) {
			s->counted[SIZING_ATTENTION_COMPUTE] += compute;
			s->attention_seconds += compute;
		} else {
			s->counted[SIZING_KV] += kv;
			s->counted[SIZING_INDEX] += index;
			s->attention_seconds += kv + index;
		}
	}
	s->state_seconds = c->concurrency * 2 * c->states / bandwidth;
	s->counted[SIZING_STATE] = s->state_seconds;
	s->attention_seconds += s->state_seconds;
	s->seconds = s->linear_seconds + s->attention_seconds + s->interconnect_seconds;
	s->tokens_per_second = c->concurrency / s->seconds;
	s->bottleneck = sizing_largest(s->counted);
}
