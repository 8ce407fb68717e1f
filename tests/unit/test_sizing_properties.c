/* Properties of one run over random inputs; those of layouts are in test_layout_properties.c. */
#include "unit.h"

#include "sizing_random.h"

static void
assert_sound(const struct sizing_result *r, uint64_t seed)
{
	const struct sizing_budget *b = &r->budget;
	double counted = 0, prefill = 0;

	assert_finite(r, seed);
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
