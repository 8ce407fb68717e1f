/*
 * Properties over random inputs: always the same ones, since the generator is seeded. `plausible`
 * draws machines and models of the sizes there are, `extreme` anything the check lets through.
 */
#include "unit.h"

#include <string.h>

#include "sizing_models.h"

struct random {
	uint64_t word;
};

static uint64_t
next(struct random *r) /* splitmix64 */
{
	uint64_t z = r->word += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double
uniform(struct random *r)
{
	return (double)(next(r) >> 11) / 9007199254740992.0;
}

static bool
chance(struct random *r, double share)
{
	return uniform(r) < share;
}

static double
between(struct random *r, double low, double high)
{
	return low * pow(high / low, uniform(r)); /* even over the orders of magnitude */
}

static double
whole(struct random *r, double low, double high)
{
	double n = floor(between(r, low, high));

	return chance(r, 0.02) ? high : n < low ? low : n;
}

static double
maybe(struct random *r, double share, double low, double high)
{
	return chance(r, share) ? whole(r, low, high) : 0;
}

static const struct sizing_dtype *
any_dtype(struct random *r)
{
	size_t count = 0;

	while (sizing_dtype_at(count) != NULL)
		count++;
	return sizing_dtype_at(next(r) % count);
}

/* `big` is the largest width, count or window; `rows` groups hold rows, the others states. */
static struct sizing_group
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

static struct sizing_model
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

static struct sizing_tier
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

static struct sizing_input
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

#define AT(member) offsetof(struct sizing_result, member)
#define PLACED(i) \
	AT(placements[i].bytes), AT(placements[i].prefix_bytes), AT(placements[i].load_seconds), \
	AT(placements[i].recompute_seconds), AT(placements[i].break_even_bandwidth), \
	AT(placements[i].hidden_above), AT(placements[i].partial_seconds), \
	AT(placements[i].requests_per_second), AT(placements[i].concurrent_loads), \
	AT(placements[i].shared_load_seconds), AT(placements[i].bandwidth_needed), \
	AT(placements[i].decode_tokens_per_second), AT(placements[i].written_per_second), \
	AT(placements[i].fill_seconds), AT(placements[i].endurance_share), \
	AT(placements[i].worn_seconds), AT(placements[i].saved_seconds), \
	AT(placements[i].units_for_capacity), AT(placements[i].units_for_bandwidth), \
	AT(placements[i].units_for_endurance), AT(placements[i].units)

static const size_t NUMBERS[] = {
	AT(context), AT(prompt), AT(output), AT(concurrency), AT(sessions), AT(parameters_total),
	AT(parameters_active), AT(computed_total), AT(computed_active), AT(embedding_parameters),
	AT(weight_bytes), AT(kv_bytes_per_token), AT(kv_growth_per_token),
	    AT(kv_bytes_per_sequence),
	AT(kv_bytes), AT(kv_bytes_read_per_step), AT(index_bytes_per_sequence), AT(index_bytes),
	AT(state_bytes_per_sequence), AT(state_bytes), AT(idle_kv_bytes), AT(kv_to_weights),
	AT(crossover_concurrency), AT(crossover_context), AT(usable_per_device), AT(by_capacity),
	AT(for_weights), AT(added_by_kv), AT(needed), AT(next_jump_concurrency),
	    AT(fits_concurrency),
	AT(fits_context), AT(linear_path.operations), AT(attention_path.operations),
	AT(critical_batch), AT(devices_for_tpot), AT(devices_for_ttft),
	AT(decode.devices), AT(decode.weights_seconds), AT(decode.kv_seconds),
	AT(decode.index_seconds), AT(decode.state_seconds), AT(decode.attention_compute_seconds),
	AT(decode.linear_compute_seconds), AT(decode.interconnect_seconds),
	    AT(decode.linear_seconds),
	AT(decode.attention_seconds), AT(decode.seconds), AT(decode.tokens_per_second),
	AT(decode.counted[0]), AT(decode.counted[1]), AT(decode.counted[2]), AT(decode.counted[3]),
	AT(decode.counted[4]), AT(decode.counted[5]), AT(decode.counted[6]),
	AT(prefill.devices), AT(prefill.linear_operations), AT(prefill.attention_operations),
	AT(prefill.weights_seconds), AT(prefill.linear_compute_seconds),
	AT(prefill.attention_compute_seconds), AT(prefill.kv_write_seconds), AT(prefill.seconds),
	AT(prefill.seconds_reused), AT(prefill.counted[0]), AT(prefill.counted[1]),
	AT(prefill.counted[2]), AT(prefill.counted[3]), AT(prefill.counted[4]),
	    AT(prefill.counted[5]),
	AT(prefill.counted[6]),
	AT(budget.devices), AT(budget.visible), AT(budget.usable), AT(budget.weights),
	    AT(budget.kv),
	AT(budget.index), AT(budget.state), AT(budget.activations), AT(budget.communication),
	AT(budget.runtime), AT(budget.free), AT(budget.missing),
	PLACED(0), PLACED(1),
};

static void
assert_sound(const struct sizing_result *r, uint64_t seed)
{
	const struct sizing_budget *b = &r->budget;
	double counted = 0, prefill = 0;

	for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
		double value;

		memcpy(&value, (const char *)r + NUMBERS[i], sizeof value);
		if (!(value >= 0 && isfinite(value))) {
			print_error("seed %llx: number %zu is %g\n", (unsigned long long)seed, i,
			    value);
			fail();
		}
	}
	for (int i = 0; i < SIZING_TERMS; i++) {
		counted += r->decode.counted[i];
		prefill += r->prefill.counted[i];
	}
	assert_near(counted, r->decode.seconds, 1e-12);
	assert_near(prefill, r->prefill.seconds, 1e-12);
	assert_true(r->prefill.seconds_reused <= r->prefill.seconds * (1 + 1e-12));
	assert_true(r->fits == (b->missing == 0));
	if (r->fits)
		assert_true(b->weights + b->kv + b->index + b->state + b->activations +
		    b->communication + b->runtime + b->free == b->usable);
	assert_true(r->fits == (r->decode.seconds > 0));
	assert_true(r->needed == 1 || r->needed == r->by_capacity);
}

/* 200,000 accepted inputs: no NaN, no infinity, nothing below 0, and a budget that balances. */
static void
every_accepted_input_is_answered(void **state)
{
	struct random r = {20261129};
	int accepted = 0, tried = 0, fitting = 0;

	(void)state;
	for (; accepted < 200000; tried++) {
		uint64_t seed = r.word;
		struct sizing_input in = any_input(&r, tried % 2 == 0);
		struct sizing_result result;
		struct sizing_error error;

		if (sizing_run(&result, &in, &error) != 0)
			continue;
		accepted++;
		fitting += result.fits;
		assert_sound(&result, seed);
	}
	assert_true(accepted > tried / 2);
	assert_true(fitting > accepted / 2);
}

static bool
plausible(struct random *r, struct sizing_input *in, struct sizing_result *result)
{
	struct sizing_error error;

	*in = any_input(r, false);
	in->device.shared = false;
	in->load.accelerators = 0;
	in->load.sessions = 0;
	return sizing_run(result, in, &error) == 0;
}

static void
assert_not_less(const struct sizing_result *a, const struct sizing_result *b)
{
	const double slack = 1 - 1e-12;

	assert_true(b->kv_bytes >= a->kv_bytes * slack);
	assert_true(b->kv_bytes_read_per_step >= a->kv_bytes_read_per_step * slack);
	assert_true(b->state_bytes >= a->state_bytes * slack);
	assert_true(b->weight_bytes >= a->weight_bytes * slack);
	assert_true(b->by_capacity >= a->by_capacity);
	assert_true(b->for_weights >= a->for_weights);
	assert_true(b->decode.seconds * b->decode.devices >=
	    a->decode.seconds * a->decode.devices * slack);
	assert_true(b->prefill.seconds * b->prefill.devices >=
	    a->prefill.seconds * a->prefill.devices * slack);
}

static void
monotone(void **state)
{
	struct random r = {7};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in;
		struct sizing_result before;
		struct sizing_dtype wide;
		double more = 1 + floor(between(&r, 1, 1000));

		if (!plausible(&r, &in, &before))
			continue;
		switch (i % 4) {
		case 0:
			in.load.prompt += more;
			break;
		case 1:
			in.load.concurrency += more;
			break;
		case 2:
			wide = *in.load.kv;
			wide.bits *= 1.5;
			in.load.kv = &wide;
			break;
		default:
			in.model.checkpoint_bytes = 0;
			before = size_up(&in);
			wide = *in.load.weights;
			wide.bits *= 1.5;
			in.load.weights = &wide;
			break;
		}
		assert_not_less(&before, &(struct sizing_result[]){size_up(&in)}[0]);
	}
}

static void
additive_over_groups(void **state)
{
	struct random r = {8};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct sizing_model all = any_model(&r, 128, 16384);
		const struct sizing_dtype *kv = any_dtype(&r), *index = any_dtype(&r);
		double tokens = whole(&r, 1, 1e6), kept = 0, read = 0;

		for (size_t k = 0; k < all.group_count; k++) {
			struct sizing_model one = {.groups = {all.groups[k]}, .group_count = 1};

			kept += sizing_kept_bytes(&one, tokens, kv, index);
			read += sizing_read_bytes(&one, tokens, kv, index);
		}
		assert_near(sizing_kept_bytes(&all, tokens, kv, index), kept, 1e-12);
		assert_near(sizing_read_bytes(&all, tokens, kv, index), read, 1e-12);
	}
}

/* A group of a + b layers is a group of a and one of b. */
static void
a_group_may_be_split(void **state)
{
	struct random r = {9};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct sizing_input in;
		struct sizing_result joined, split;
		struct sizing_group *g, *rest;
		double share, readers;

		if (!plausible(&r, &in, &joined))
			continue;
		g = &in.model.groups[0];
		rest = &in.model.groups[in.model.group_count++];
		*rest = *g;
		share = floor(g->layers / 2);
		readers = g->readers > 0 ? g->readers / g->layers : 1;
		if (share < 1)
			continue;
		rest->layers = share;
		g->layers -= share;
		rest->readers = readers * rest->layers;
		g->readers = readers * g->layers;
		split = size_up(&in);
		assert_near(split.kv_bytes, joined.kv_bytes, 1e-12);
		assert_near(split.index_bytes, joined.index_bytes, 1e-12);
		assert_near(split.state_bytes, joined.state_bytes, 1e-12);
		assert_near(split.kv_bytes_read_per_step, joined.kv_bytes_read_per_step, 1e-12);
		assert_near(split.parameters_total, joined.parameters_total, 1e-12);
		assert_near(split.decode.seconds * split.decode.devices,
		    joined.decode.seconds * joined.decode.devices, 1e-12);
		assert_near(split.prefill.seconds * split.prefill.devices,
		    joined.prefill.seconds * joined.prefill.devices, 1e-12);
	}
}

static void
kv_does_not_know_experts(void **state)
{
	struct random r = {10};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct sizing_input in;
		struct sizing_result dense_one, moe;

		if (!plausible(&r, &in, &dense_one))
			continue;
		in.model.ffn[0].experts = 64;
		in.model.ffn[0].active = 4;
		moe = size_up(&in);
		assert_same(moe.kv_bytes, dense_one.kv_bytes);
		assert_same(moe.kv_bytes_per_token, dense_one.kv_bytes_per_token);
		assert_same(moe.state_bytes, dense_one.state_bytes);
		assert_same(moe.kv_bytes_read_per_step, dense_one.kv_bytes_read_per_step);
	}
}

/* The questions turned round agree with the question: what fits does, one more does not. */
static void
inverse_and_direct_agree(void **state)
{
	struct random r = {11};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in, at;
		struct sizing_result before, after;

		if (!plausible(&r, &in, &before))
			continue;
		in.load.accelerators = before.by_capacity;
		at = in;
		if (before.fits_concurrency < SIZING_MAX_LOAD) {
			at.load.concurrency = before.fits_concurrency;
			if (at.load.concurrency >= 1)
				assert_true(size_up(&at).fits);
			at.load.concurrency = before.fits_concurrency + 1;
			assert_false(size_up(&at).fits);
			assert_same(before.next_jump_concurrency, at.load.concurrency);
		}
		at = in;
		at.load.output = 0;
		if (before.fits_context < SIZING_MAX_LOAD) {
			at.load.prompt = before.fits_context;
			assert_true(size_up(&at).fits);
			at.load.prompt = before.fits_context + 1;
			assert_false(size_up(&at).fits);
		}
		if (before.crossover_context > 1) {
			at.load.prompt = before.crossover_context;
			assert_true(size_up(&at).kv_to_weights >= 1 - 1e-12);
			at.load.prompt = before.crossover_context - 1;
			assert_true(size_up(&at).kv_to_weights <= 1);
		}
		if (before.by_capacity > 1) {
			in.load.accelerators = before.by_capacity - 1;
			assert_false(size_up(&in).fits);
		}
		if (before.devices_for_tpot > 0 && before.devices_for_tpot <= 1e9) {
			in.load.accelerators = before.devices_for_tpot;
			after = size_up(&in);
			assert_true(after.decode.seconds <= in.load.tpot * (1 + 1e-12));
		}
	}
}

/* How far down the chain of verdicts it comes: what helps a tier never brings it back up. */
static int
rank_of(enum sizing_verdict verdict)
{
	static const int ranks[SIZING_VERDICTS] = {
		[SIZING_TIER_TOO_SMALL] = 1,
		[SIZING_TIER_SLOWER_THAN_RECOMPUTE] = 2, /* alone, or after the next: among other loads */
		[SIZING_TIER_SATURATED] = 2,
		[SIZING_TIER_MISSES_TTFT] = 3,
		[SIZING_TIER_WEARS_OUT] = 4,
		[SIZING_TIER_FITS] = 5,
	};

	return ranks[verdict];
}

static void
more_of_a_tier_never_hurts(void **state)
{
	struct random r = {12};
	int seen[SIZING_VERDICTS] = {0};

	(void)state;
	for (int i = 0; i < 60000; i++) {
		struct sizing_input in;
		struct sizing_result before, after;
		const struct sizing_placement *p = &before.placements[0], *q = &after.placements[0];
		struct sizing_tier *tier = &in.tiers[0];
		double more = between(&r, 1.001, 1e3);

		if (!plausible(&r, &in, &before))
			continue;
		in.load.sessions = in.load.concurrency * whole(&r, 2, 100);
		in.load.reuse = uniform(&r);
		in.load.ttft = chance(&r, 0.3) ? between(&r, 0.01, 10) : 0;
		tier->bytes = fmin(before.kv_bytes * between(&r, 1, 1e4) + 1, 1e15);
		tier->read_bandwidth = between(&r, 1e8, 1e13);
		tier->write_bandwidth = maybe(&r, 0.8, 1e8, 1e13);
		tier->endurance = between(&r, 1e6, 1e13);
		tier->latency = chance(&r, 0.5) ? between(&r, 1e-6, 1e-3) : 0;
		before = size_up(&in);
		seen[p->verdict]++;
		if (p->verdict == SIZING_TIER_UNKNOWN || p->verdict == SIZING_TIER_NOTHING_REUSED)
			continue;
		/* The bandwidth asked for is what it takes, read alone and among others. */
		if (p->bandwidth_needed > 0 && tier->read_bandwidth > p->bandwidth_needed * (1 + 1e-9))
			assert_true(p->shared_load_seconds > 0 &&
			    p->shared_load_seconds < p->recompute_seconds);
		else if (tier->read_bandwidth < p->bandwidth_needed * (1 - 1e-9))
			assert_true(rank_of(p->verdict) <= 3);
		switch (i % 5) {
		case 0:
			tier->bytes *= more;
			break;
		case 1:
			tier->read_bandwidth *= more;
			break;
		case 2:
			tier->write_bandwidth *= more;
			break;
		case 3:
			tier->endurance *= more;
			break;
		default:
			tier->latency /= more;
			break;
		}
		after = size_up(&in);
		/* Past one objection it may come to what is not known; but what fits still does. */
		if (rank_of(q->verdict) > 0)
			assert_true(rank_of(q->verdict) >= rank_of(p->verdict));
		else
			assert_true(p->verdict != SIZING_TIER_FITS);
		assert_true(q->load_seconds <= p->load_seconds);
		if (p->shared_load_seconds > 0)
			assert_true(q->shared_load_seconds > 0 &&
			    q->shared_load_seconds <= p->shared_load_seconds);
		assert_true(q->endurance_share <= p->endurance_share);
	}
	for (int v = 0; v < SIZING_VERDICTS; v++)
		if (rank_of((enum sizing_verdict)v) > 0)
			assert_true(seen[v] > 100);
}

/* More KV to keep: never a better verdict by size, never fewer units. */
static void
more_to_keep_never_helps(void **state)
{
	struct random r = {13};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in;
		struct sizing_result before, after;
		const struct sizing_placement *p = &before.placements[0], *q = &after.placements[0];

		if (!plausible(&r, &in, &before))
			continue;
		in.load.sessions = in.load.concurrency * whole(&r, 2, 100);
		before = size_up(&in);
		in.load.sessions *= 2;
		after = size_up(&in);
		assert_true(q->bytes >= p->bytes);
		assert_true(q->units_for_capacity >= p->units_for_capacity);
		assert_true(q->units >= p->units);
		if (p->verdict == SIZING_TIER_TOO_SMALL)
			assert_int_equal(q->verdict, SIZING_TIER_TOO_SMALL);
		if (q->verdict == SIZING_TIER_FITS)
			assert_int_equal(p->verdict, SIZING_TIER_FITS);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_accepted_input_is_answered),
		cmocka_unit_test(monotone),
		cmocka_unit_test(additive_over_groups),
		cmocka_unit_test(a_group_may_be_split),
		cmocka_unit_test(kv_does_not_know_experts),
		cmocka_unit_test(inverse_and_direct_agree),
		cmocka_unit_test(more_of_a_tier_never_hurts),
		cmocka_unit_test(more_to_keep_never_helps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
