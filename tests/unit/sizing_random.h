/*
 * Random inputs for the tests of properties: always the same ones, since the generator is seeded. `plausible`
 * ones have machines and models of the sizes there are, `extreme` ones anything the check lets through.
 */
#ifndef TESTS_SIZING_RANDOM_H
#define TESTS_SIZING_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sizing_models.h"

struct random {
	uint64_t word;
};

static inline uint64_t
next(struct random *r) /* splitmix64 */
{
	uint64_t z = r->word += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline double
uniform(struct random *r)
{
	return (double)(next(r) >> 11) / 9007199254740992.0;
}

static inline bool
chance(struct random *r, double share)
{
	return uniform(r) < share;
}

static inline double
between(struct random *r, double low, double high)
{
	return low * pow(high / low, uniform(r)); /* even over the orders of magnitude */
}

static inline double
whole(struct random *r, double low, double high)
{
	double n = floor(between(r, low, high));

	return chance(r, 0.02) ? high : n < low ? low : n;
}

static inline double
maybe(struct random *r, double share, double low, double high)
{
	return chance(r, share) ? whole(r, low, high) : 0;
}

static inline const struct sizing_dtype *
any_dtype(struct random *r)
{
	size_t count = 0;

	while (sizing_dtype_at(count) != NULL)
		count++;
	return sizing_dtype_at(next(r) % count);
}

/* `big` is the largest width, count or window; `rows` groups hold rows, the others states. */
static inline struct sizing_group
any_group(struct random *r, double layers, double big)
{
	struct sizing_group g = {.layers = whole(r, 1, layers)};

	if (chance(r, 0.2)) {
		g.states[0] = (struct sizing_state){whole(r, 1, big), any_dtype(r)};
		g.states[1] = (struct sizing_state){whole(r, 1, big), any_dtype(r)};
		g.state_count = 2;
		return g;
	}
	g.readers = chance(r, 0.1) ? g.layers * whole(r, 1, 8) : 0;
	g.key_width = whole(r, 1, big);
	g.value_width = maybe(r, 0.7, 1, big);
	g.index_width = maybe(r, 0.2, 1, big);
	g.window = maybe(r, 0.3, 1, big);
	g.stride = maybe(r, 0.2, 1, 256);
	g.top_k = maybe(r, 0.2, 1, big);
	g.source_rows = maybe(r, 0.05, 1, big);
	if (chance(r, 0.8)) {
		g.heads = whole(r, 1, fmin(256, big));
		g.query_width = whole(r, 1, big);
		g.output_width = whole(r, 1, big);
		g.prefill_query_width = maybe(r, 0.2, 1, big);
	}
	g.also_on = chance(r, 0.1);
	return g;
}

static inline struct sizing_model
any_model(struct random *r, double layers, double big)
{
	struct sizing_model m = {
		.width = whole(r, 1, big),
		.vocabulary = maybe(r, 0.9, 1, big),
		.tied = chance(r, 0.5),
		.group_count = 1 + next(r) % 4,
		.ffn_count = 1 + next(r) % 2,
		.other_parameters = maybe(r, 0.5, 1, big),
		.published_total = maybe(r, 0.3, 1, 1e13),
		.checkpoint_bytes = maybe(r, 0.3, 1, 1e13),
		.checkpoint_dtype = any_dtype(r),
	};

	for (size_t i = 0; i < m.group_count; i++)
		m.groups[i] = any_group(r, layers, big);
	for (size_t i = 0; i < m.ffn_count; i++) {
		m.ffn[i] = (struct sizing_ffn){.layers = whole(r, 1, layers), .width = whole(r, 1,
		    big),
		    .matrices = 3, .shared = maybe(r, 0.3, 1, 4)};
		if (chance(r, 0.5)) {
			m.ffn[i].experts = whole(r, 1, 512);
			m.ffn[i].active = whole(r, 1, m.ffn[i].experts);
		}
	}
	return m;
}

static inline struct sizing_tier
any_tier(struct random *r, double low, double high)
{
	return (struct sizing_tier){
		.bytes = maybe(r, 0.8, low, high),
		.read_bandwidth = maybe(r, 0.8, low, high),
		.write_bandwidth = maybe(r, 0.5, low, high),
		.endurance = chance(r, 0.5) ? between(r, 1e-3 * low, high) : 0,
		.life = chance(r, 0.5) ? between(r, 1, SIZING_MAX_LOAD) : 0,
		.latency = chance(r, 0.5) ? between(r, 1e-12, low > 1 ? 1e-2 : SIZING_MAX_LOAD) : 0,
		.block_bytes = maybe(r, 0.3, low, high),
		.unit_bytes = maybe(r, 0.5, low, high),
		.unit_read_bandwidth = maybe(r, 0.5, low, high),
		.unit_write_bandwidth = maybe(r, 0.5, low, high),
		.unit_endurance = chance(r, 0.5) ? between(r, 1e-3 * low, high) : 0,
		.shared_link = chance(r, 0.3),
		.wears = chance(r, 0.5),
	};
}

static inline struct sizing_input
any_input(struct random *r, bool extreme)
{
	struct sizing_input in = {
		.model = any_model(r, extreme ? SIZING_MAX_COUNT : 128,
		    extreme ? SIZING_MAX_COUNT : 16384),
		.device = {
			.visible_bytes = whole(r, extreme ? 2 : 8e9,
			    extreme ? SIZING_MAX_DEVICE_BYTES : 3e11),
			.usable_fraction = chance(r, 0.5) ? 0.9 : between(r, 0.5, 1),
			.bandwidth = between(r, extreme ? 1 : 1e11,
			    extreme ? SIZING_MAX_VALUE : 1e13),
		},
		.load = {
			.prompt = whole(r, 1, extreme ? 5e8 : 2e5),
			.output = maybe(r, 0.5, 1, extreme ? 5e8 : 2e4),
			.concurrency = chance(r, 0.8) ? whole(r, 1, extreme ? SIZING_MAX_LOAD : 512)
			                              : between(r, 1, 512),
			.reuse = chance(r, 0.3) ? -1 : uniform(r),
			.weights = any_dtype(r),
			.kv = any_dtype(r),
			.index = chance(r, 0.5) ? any_dtype(r) : NULL,
			.activations = chance(r, 0.3) ? any_dtype(r) : NULL,
			.accelerators = maybe(r, 0.3, 1, extreme ? SIZING_MAX_LOAD : 64),
			.ttft = chance(r, 0.3) ? between(r, 1e-9, SIZING_MAX_LOAD) : 0,
			.tpot = chance(r, 0.3) ? between(r, 1e-9, SIZING_MAX_LOAD) : 0,
			.runtime_bytes = chance(r, 0.3) ? between(r, 1, 1e9) : 0,
		},
		.tier_count = 2,
	};

	in.load.sessions = chance(r, 0.5) ? fmin(in.load.concurrency * whole(r, 1, 100), 1e9) : 0;
	in.tiers[0] = any_tier(r, 1, 1e18);
	in.tiers[1] = any_tier(r, 1e6, 1e15);
	for (int i = 0; i < SIZING_RATES; i++)
		in.device.peak[i] = chance(r, 0.7) ? between(r, extreme ? 1 : 1e13, 1e18) : 0;
	if (chance(r, 0.1)) {
		in.device.shared = true;
		in.device.usable_bytes = in.device.visible_bytes;
		in.load.accelerators = 0;
	}
	return in;
}

/* The numbers of an answer, as runs of doubles that lie side by side. */
#define RUN(first, last) {offsetof(struct sizing_result, first), offsetof(struct sizing_result, last)}
#define TRAFFIC(of) RUN(of.traffic.all_reduce, of.traffic.seconds)
#define PLACED(i) RUN(placements[i].bytes, placements[i].units)

static inline void
assert_finite(const struct sizing_result *r, uint64_t seed)
{
	static const size_t runs[][2] = {
		RUN(context, sessions), RUN(parameters_total, embedding_parameters),
		RUN(weight_bytes, crossover_context), RUN(usable_per_device, by_layout),
		RUN(layout.tensor, layout.pipeline), RUN(needed, fits_context),
		RUN(linear_path.operations, linear_path.operations),
		RUN(attention_path.operations, attention_path.operations),
		RUN(operations_per_token, operations_per_token),
		RUN(decode.devices, decode.tokens_per_second_user), TRAFFIC(decode),
		RUN(prefill.devices, prefill.counted[SIZING_TERMS - 1]), TRAFFIC(prefill),
		RUN(critical_batch, device_bandwidth),
		RUN(serving.requests_per_second, serving.transfer_hidden_bandwidth),
		RUN(decode_ways, two_d_devices), RUN(budget.devices, budget.missing), PLACED(0), PLACED(1),
	};

	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		for (size_t at = runs[i][0]; at <= runs[i][1]; at += sizeof(double)) {
			double value;

			memcpy(&value, (const char *)r + at, sizeof value);
			if (!(value >= 0 && isfinite(value))) {
				print_error("seed %llx: run %zu, number %zu is %g\n",
				    (unsigned long long)seed, i, (at - runs[i][0]) / sizeof value, value);
				fail();
			}
		}
	}
}

#endif
