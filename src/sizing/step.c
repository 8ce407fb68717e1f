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

/* Linear layers: each class by its own roofline, the routed experts by what the batch touches. */
static void
linear_part(struct sizing_step *s, const struct sizing_case *c, const struct sizing_split *split,
    double tokens)
{
	double batch = split->batch * tokens;
	double of_rank = split->sequences * tokens / split->tensor;
	double imbalance = fmax(c->input->load.expert_imbalance, 1);

	for (int i = 0; i < SIZING_CLASSES; i++) {
		bool experts = i == SIZING_EXPERTS;
		double bytes = experts ? c->bytes[i] * sizing_experts_share(c, batch) / split->experts
		                       : c->bytes[i] / split->tensor;
		double done = c->operations[i] * (experts ? batch * imbalance / split->ranks : of_rank);
		double read = bytes / c->bandwidth;
		double compute = compute_seconds(done, c->paths[i].operations);

		s->weights_seconds += read;
		s->linear_compute_seconds += compute;
		s->linear_seconds += fmax(read, compute);
		s->counted[compute > read ? SIZING_LINEAR_COMPUTE : SIZING_WEIGHTS] += fmax(read, compute);
	}
}

static void
attention_part(struct sizing_step *s, const struct sizing_case *c, const struct sizing_split *split,
    double tokens)
{
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		double rows = split->sequences * cache->read;
		double read = rows / (sizing_kv_ways(cache, split) * c->bandwidth);
		double index = read * cache->index_read_row;
		double kv = read * (cache->read_row - cache->index_read_row);
		double compute = compute_seconds(rows * tokens * cache->step_operations,
		    cache->rate * split->tensor);

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
	s->state_seconds = split->sequences * 2 * c->states / (split->tensor * c->bandwidth);
	s->counted[SIZING_STATE] = s->state_seconds;
	s->attention_seconds += s->state_seconds;
}

void
sizing_step(struct sizing_step *s, const struct sizing_case *c, const struct sizing_split *split,
    double tokens)
{
	*s = (struct sizing_step){.devices = split->devices};
	linear_part(s, c, split, tokens);
	attention_part(s, c, split, tokens);
	sizing_send_step(&s->traffic, c, split, tokens);
	s->interconnect_seconds = s->traffic.seconds;
	s->counted[SIZING_INTERCONNECT] = s->interconnect_seconds;
	s->seconds = s->linear_seconds + s->attention_seconds + s->interconnect_seconds;
	s->tokens_per_second = c->concurrency / s->seconds;
	s->tokens_per_second_device = s->tokens_per_second / split->devices;
	s->tokens_per_second_user = 1 / s->seconds;
	s->bottleneck = sizing_largest(s->counted);
}
