/* Properties of layouts, over random models of each kind and over all that the check lets through. */
#include "unit.h"

#include "plan/layout.h"
#include "sizing_cuts.h"

/* ---- what holds of each layout ---- */

static struct sizing_layout
any_layout(struct random *r)
{
	return (struct sizing_layout){
		.tensor = ONE_OF(r, 1, 1, 2, 4, 8, 16, 3),
		.attention = ONE_OF(r, 1, 1, 1, 2, 4, 8, 12),
		.pipeline = ONE_OF(r, 1, 1, 2, 3, 4, 5, 8, 16),
		.expert = chance(r, 0.5),
		.kv = (enum sizing_kv_split)(next(r) % SIZING_KV_SPLITS),
	};
}

/* A layout is what one pays for cutting: it never beats devices that share all bytes evenly. */
static void
no_layout_beats_the_bound(void **state)
{
	const double slack = 1 - 1e-9;
	struct random r = {31};
	int cut = 0;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_layout l;
		struct sizing_result with, bound;
		double n, ranks;

		if (!draw(&r, &in, &c, 4096))
			continue;
		l = any_layout(&r);
		if (sizing_layout_illegal(&c, &l) != NULL)
			continue;
		cut++;
		n = sizing_layout_devices(&l);
		ranks = l.tensor * l.attention;
		assert_true(sizing_layout_bytes(&c, &l, c.concurrency, c.context) >= c.total_bytes / n * slack);
		assert_true(sizing_layout_step(&c, &l) >= sizing_step_floor(&c, n, ranks) * slack);
		assert_true(sizing_step_floor(&c, n, ranks) >= sizing_step_floor(&c, n, n) * slack);
		assert_true(sizing_step_floor(&c, n, ranks) >= sizing_step_floor(&c, n + 1, ranks) * slack);
		assert_true(sizing_layout_prefill(&c, &l) >= sizing_prefill_floor(&c, n, ranks) * slack);
		in.load.accelerators = n;
		bound = size_up(&in);
		in.load.layout = l;
		with = size_up(&in);
		if (!with.fits)
			continue;
		assert_true(bound.fits && with.by_layout >= with.by_capacity);
		assert_true(with.decode.seconds >= bound.decode.seconds * slack);
		assert_true(with.prefill.seconds >= bound.prefill.seconds * slack);
		assert_true(with.fits_concurrency <= bound.fits_concurrency);
	}
	assert_true(cut > 10000);
}

/* Shares are rounded up to whole bytes. */
static void
assert_shares(double share, double devices, double all)
{
	assert_true(fabs(share * devices - all) <= devices + all * 1e-9);
}

/* Nothing copied, so that what the devices hold is what there is: stages of whole layers, ranks that split all. */
static void
parts_add_up(void **state)
{
	struct random r = {32};
	int summed = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_result got;
		double stages, n, inner;

		if (!draw(&r, &in, &c, 4096) || c.router_bytes > 0)
			continue;
		stages = ONE_OF(&r, 1, 1, 2, 3, 4, 5, 8);
		in.load.layout = (struct sizing_layout){.tensor = ONE_OF(&r, 1, 2, 4, 8), .attention = 1,
			.pipeline = stages, .kv = SIZING_KV_SEQUENCE};
		if (fmod(c.layers, stages) != 0 || sizing_layout_illegal(&c, &in.load.layout) != NULL)
			continue;
		summed++;
		n = sizing_layout_devices(&in.load.layout);
		got = size_up(&in);
		assert_shares(got.budget.kv, n, got.kv_bytes - got.index_bytes);
		assert_shares(got.budget.index, n, got.index_bytes);
		assert_shares(got.budget.state, n, got.state_bytes);
		/* The ends hold a matrix of the vocabulary each; those between are all alike. */
		inner = got.weight_bytes - c.bytes[SIZING_VOCABULARY];
		assert_shares(got.budget.weights, n, inner + c.bytes[SIZING_VOCABULARY] *
		    (stages == 1 ? 1 : stages * (in.model.tied ? 1 : 0.5)));
	}
	assert_true(summed > 2000);
}

/* More of the same: ranks or stages never leave the fullest device with more. */
static void
more_ranks_never_hold_more(void **state)
{
	struct random r = {33};
	int cut = 0;

	(void)state;
	for (int i = 0; i < 40000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_layout l, wider;
		struct sizing_result before, after;

		if (!draw(&r, &in, &c, 4096))
			continue;
		in.load.prefill_chunk = 0; /* a buffer to gather has a size of its own */
		l = wider = any_layout(&r);
		switch (i % 3) {
		case 0:
			wider.tensor *= 2;
			break;
		case 1:
			wider.attention *= 2;
			break;
		default:
			wider.pipeline++;
			break;
		}
		if (sizing_layout_illegal(&c, &l) != NULL || sizing_layout_illegal(&c, &wider) != NULL)
			continue;
		cut++;
		assert_true(sizing_layout_bytes(&c, &wider, c.concurrency, c.context) <=
		    sizing_layout_bytes(&c, &l, c.concurrency, c.context) + 4);
		in.load.layout = l;
		before = size_up(&in);
		in.load.layout = wider;
		after = size_up(&in);
		/* Among stages another may become the fullest, with fewer rows and more of the weights. */
		if (wider.pipeline == 1)
			assert_true(after.budget.weights <= before.budget.weights);
	}
	assert_true(cut > 5000);
}

/* A group of a + b layers is one of a and one of b, and what experts there are changes no row of KV. */
static void
groups_may_be_split(void **state)
{
	struct random r = {37};
	int cut = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_result joined, split;
		struct sizing_group *g, *rest;
		double readers;

		if (!draw(&r, &in, &c, 4096) || in.model.groups[0].layers < 2)
			continue;
		in.load.layout = any_layout(&r);
		if (sizing_layout_illegal(&c, &in.load.layout) != NULL)
			continue;
		cut++;
		joined = size_up(&in);
		g = &in.model.groups[0];
		rest = &in.model.groups[in.model.group_count++];
		*rest = *g;
		readers = g->readers > 0 ? g->readers / g->layers : 1;
		rest->layers = floor(g->layers / 2);
		g->layers -= rest->layers;
		rest->readers = readers * rest->layers;
		g->readers = readers * g->layers;
		split = size_up(&in);
		assert_near(split.device_bytes, joined.device_bytes, 1e-9 + 6 / joined.device_bytes);
		assert_near(split.decode.seconds, joined.decode.seconds, 1e-9);
		assert_near(split.prefill.seconds, joined.prefill.seconds, 1e-9);
		assert_near(split.decode.traffic.all_reduce, joined.decode.traffic.all_reduce, 1e-9);
		if (in.load.layout.pipeline > 1) /* another stage may become the fullest */
			continue;
		for (size_t k = 0; k < in.model.ffn_count; k++)
			in.model.ffn[k].experts *= 2;
		assert_same(size_up(&in).budget.kv, split.budget.kv);
	}
	assert_true(cut > 3000);
}

/* ---- the accepted domain ---- */

static struct sizing_layout
extreme_layout(struct random *r, const struct sizing_load *load)
{
	struct sizing_layout l = {
		.tensor = chance(r, 0.3) ? 1 : whole(r, 1, 1e9), .attention = chance(r, 0.5) ? 1 : whole(r, 1, 1e9),
		.pipeline = chance(r, 0.5) ? 1 : whole(r, 1, 1e9), .expert = chance(r, 0.3),
		.kv = (enum sizing_kv_split)(next(r) % SIZING_KV_SPLITS)};

	if (load->accelerators > 0 && chance(r, 0.9))
		l = (struct sizing_layout){.tensor = 1, .attention = 1, .pipeline = load->accelerators, .kv = l.kv};
	return l;
}

static void
draw_extreme(struct random *r, struct sizing_input *in)
{
	struct sizing_device *d = &in->device;
	struct sizing_load *load = &in->load;

	*in = any_input(r, true);
	if (!d->shared && chance(r, 0.5))
		d->visible_bytes = SIZING_MAX_DEVICE_BYTES;
	for (size_t i = 0; i < in->model.group_count; i++)
		if (chance(r, 0.5)) /* or hardly any layout is legal */
			in->model.groups[i].heads = 0;
	d->link = chance(r, 0.8) ? between(r, 1, SIZING_MAX_VALUE) : 0;
	d->link_latency = chance(r, 0.5) ? between(r, 1e-12, 1) : 0;
	d->domain = maybe(r, 0.7, 1, SIZING_MAX_COUNT);
	d->node = maybe(r, 0.5, 1, SIZING_MAX_COUNT);
	d->network = chance(r, 0.5) ? between(r, 1, SIZING_MAX_VALUE) : 0;
	load->prefill_chunk = chance(r, 0.3) ? 1 : maybe(r, 0.5, 1, SIZING_MAX_LOAD);
	load->expert_imbalance = chance(r, 0.3) ? 1e6 : 0;
	load->draft_tokens = chance(r, 0.3) ? 1000 : maybe(r, 0.3, 1, 1000);
	load->acceptance = chance(r, 0.3) ? 1 : chance(r, 0.3) ? 1 - 1e-16 : between(r, 1e-9, 1);
	load->draft_cost = chance(r, 0.5) ? between(r, 1e-9, 1000) : 0;
	if (chance(r, 0.2)) {
		double context = load->prompt + load->output;

		load->lengths[0] = (struct sizing_length){0.25, context};
		load->lengths[1] = (struct sizing_length){0.75, whole(r, 1, context)};
		load->length_count = 2;
	}
	if (chance(r, 0.7))
		load->layout = extreme_layout(r, load);
}

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
	assert_near(counted, r->decode.seconds, 1e-9);
	assert_near(prefill, r->prefill.seconds, 1e-9);
	assert_true(r->prefill.seconds_reused >= 0);
	assert_true(b->free == 0 || b->missing == 0);
	assert_near(b->weights + b->kv + b->index + b->state + b->activations + b->communication + b->runtime +
	    b->free, b->usable + b->missing, b->missing > 0 ? 1e-12 : 0);
}

/* No input that is accepted gives NaN, infinity or a negative number; run and planned. */
static void
every_accepted_layout_is_answered(void **state)
{
	struct random r = {36};
	int cut = 0, fitting = 0, planned_ones = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t seed = r.word;
		struct sizing_input in;
		struct sizing_result got;
		struct sizing_error error;

		draw_extreme(&r, &in);
		if (sizing_run(&got, &in, &error) == 0) {
			assert_sound(&got, seed);
			cut += got.layout.tensor > 0;
			fitting += got.layout.tensor > 0 && got.fits;
		}
		in.load.layout = (struct sizing_layout){0};
		if (i % 16 == 0 && plan_run(&got, &in, &error) == 0) {
			assert_sound(&got, seed);
			planned_ones++;
		}
	}
	assert_true(cut > 20000 && fitting > 800 && planned_ones > 4000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_layout_beats_the_bound),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(more_ranks_never_hold_more),
		cmocka_unit_test(groups_may_be_split),
		cmocka_unit_test(every_accepted_layout_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
