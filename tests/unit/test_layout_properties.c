/*
 * Properties of layouts and of the search for them, over random models of each kind. The search is compared
 * with one that asks every layout of every count and knows no shortcut.
 */
#include "unit.h"

#include "plan/layout.h"
#include "sizing_random.h"

/* ---- random models, machines and loads that are cut over devices ---- */

static double
one_of(struct random *r, const double *values, size_t count)
{
	return values[next(r) % count];
}

#define ONE_OF(r, ...) \
	one_of(r, (const double[]){__VA_ARGS__}, sizeof (const double[]){__VA_ARGS__} / sizeof(double))

static void
add_experts(struct random *r, struct sizing_model *m)
{
	struct sizing_ffn *f = &m->ffn[m->ffn_count++];

	*f = (struct sizing_ffn){.layers = m->groups[0].layers, .width = whole(r, 64, 8192), .matrices = 3,
		.experts = ONE_OF(r, 8, 12, 16, 60, 64, 128, 256, 384), .shared = maybe(r, 0.5, 1, 2)};
	f->active = whole(r, 1, fmin(8, f->experts));
	if (f->layers > 3 && chance(r, 0.3)) {
		f->layers -= 3;
		m->ffn[m->ffn_count++] = (struct sizing_ffn){.layers = 3, .width = whole(r, 64, 30000), .matrices = 3};
	}
}

static struct sizing_group
any_gqa(struct random *r, double layers)
{
	double heads = ONE_OF(r, 1, 4, 6, 8, 12, 15, 16, 32, 40, 64, 96, 128), rows = heads;

	while (chance(r, 0.6) && fmod(rows, 2) == 0)
		rows /= 2;
	return gqa(layers, heads, rows, ONE_OF(r, 64, 80, 128, 256));
}

static struct sizing_group
any_latent(struct random *r, double layers)
{
	return (struct sizing_group){.layers = layers, .key_width = 576, .heads = ONE_OF(r, 16, 64, 128),
		.query_width = 576, .output_width = 512, .prefill_query_width = 192, .prefill_output_width = 128,
		.projections = whole(r, 1e6, 2e8), .top_k = maybe(r, 0.3, 256, 4096)};
}

static struct sizing_model
any_cut_model(struct random *r)
{
	struct sizing_model m = {.width = ONE_OF(r, 768, 2048, 2880, 4096, 7168, 12288),
		.vocabulary = whole(r, 30000, 260000), .tied = chance(r, 0.3),
		.other_parameters = maybe(r, 0.5, 1, 1e8), .group_count = 1};
	double layers = whole(r, 1, 100);

	switch (next(r) % 5) {
	case 0: /* grouped queries */
		m.groups[0] = any_gqa(r, layers);
		break;
	case 1: /* a latent, perhaps with an index */
		m.groups[0] = any_latent(r, layers);
		if (chance(r, 0.4))
			m.groups[m.group_count++] = (struct sizing_group){.layers = layers, .index_width = 128,
				.heads = 64, .query_width = 128, .also_on = true};
		break;
	case 2: /* windows between full layers, some of which share their rows */
		m.groups[0] = windowed(any_gqa(r, layers), whole(r, 128, 8192));
		m.groups[1] = m.groups[0];
		m.groups[1].window = 0;
		m.groups[1].readers = chance(r, 0.5) ? layers * 2 : 0;
		m.group_count = 2;
		break;
	case 3: /* states between full layers */
		m.groups[0] = any_gqa(r, layers);
		m.groups[1] = (struct sizing_group){.layers = whole(r, 1, 60),
			.states = {{whole(r, 1e3, 1e7), DTYPE("fp32")}}, .state_count = 1, .projections = 1e7};
		m.group_count = 2;
		break;
	default:
		return any_model(r, 100, 16384);
	}
	if (chance(r, 0.5))
		add_experts(r, &m);
	else
		m.ffn[m.ffn_count++] = (struct sizing_ffn){.layers = layers, .width = whole(r, 64, 50000), .matrices = 3};
	return m;
}

static void
draw_machine(struct random *r, struct sizing_device *d)
{
	d->link = chance(r, 0.8) ? between(r, 1e9, 1e12) : 0;
	d->link_latency = chance(r, 0.5) ? between(r, 1e-7, 1e-5) : 0;
	d->domain = ONE_OF(r, 0, 1, 2, 4, 8, 16, 72);
	d->node = ONE_OF(r, 0, 0, 2, 4, 8);
	d->network = chance(r, 0.5) ? between(r, 1e9, 1e11) : 0;
}

/* All that any_input leaves out. */
static void
draw_rest(struct random *r, struct sizing_load *load)
{
	load->prefill_chunk = chance(r, 0.4) ? chance(r, 0.2) ? 1 : whole(r, 1, 1e5) : 0;
	load->expert_imbalance = chance(r, 0.3) ? between(r, 1, 4) : 0;
	load->draft_tokens = maybe(r, 0.3, 1, 16);
	load->acceptance = chance(r, 0.8) ? fmax(uniform(r), 1e-9) : 1;
	load->draft_cost = chance(r, 0.5) ? between(r, 1e-3, 1) : 0;
}

/* A few devices' worth of a model of any kind; false if it takes more than `most`. */
static bool
draw(struct random *r, struct sizing_input *in, struct sizing_case *c, double most)
{
	struct sizing_error error;

	*in = any_input(r, false);
	in->model = any_cut_model(r);
	in->device.shared = false;
	in->device.usable_bytes = 0;
	draw_machine(r, &in->device);
	draw_rest(r, &in->load);
	in->load.concurrency = floor(in->load.concurrency);
	in->load.sessions = in->load.accelerators = 0;
	return sizing_open(c, in, &error) == 0 && c->by_capacity <= most;
}

/* ---- every layout of a count ---- */

static double
ranks_of_a_stage(const struct sizing_device *d)
{
	if (d->domain > 1)
		return d->domain;
	return d->domain == 1 ? fmax(8, d->node) : HUGE_VAL; /* cards: a server of eight */
}

static bool
same_layout(const struct sizing_layout *a, const struct sizing_layout *b)
{
	return a->tensor == b->tensor && a->attention == b->attention && a->pipeline == b->pipeline &&
	    a->expert == b->expert && a->kv == b->kv;
}

enum { CUTS = 2048 };

struct cuts { /* the legal ones */
	struct sizing_layout at[CUTS];
	size_t count;
};

static void
list_cuts(struct cuts *cuts, const struct sizing_case *c, double devices)
{
	double limit = ranks_of_a_stage(&c->input->device);

	cuts->count = 0;
	for (double ranks = 1; ranks <= fmin(devices, limit); ranks++)
		for (double tensor = 1; tensor <= ranks; tensor++)
			for (int expert = 0; expert < 2; expert++) {
				struct sizing_layout l = {tensor, ranks / tensor, devices / ranks, expert, SIZING_KV_COPY};

				/* one rank holds whole experts as it is */
				if (fmod(devices, ranks) != 0 || fmod(ranks, tensor) != 0 || (expert && ranks == 1) ||
				    sizing_layout_illegal(c, &l) != NULL)
					continue;
				assert_true(cuts->count < CUTS);
				cuts->at[cuts->count++] = l;
			}
}

static bool
holds(const struct sizing_case *c, const struct sizing_layout *l)
{
	return sizing_layout_bytes(c, l, c->concurrency, c->context) <= c->available;
}

/* The least seconds of those that hold the load, and of which; < 0: none does. */
static double
quickest(struct sizing_layout *best, const struct sizing_case *c, double devices,
    double (*seconds)(const struct sizing_case *, const struct sizing_layout *))
{
	struct cuts cuts;
	double least = -1;

	list_cuts(&cuts, c, devices);
	for (size_t i = 0; i < cuts.count; i++) {
		double s;

		if (!holds(c, &cuts.at[i]))
			continue;
		s = seconds(c, &cuts.at[i]);
		if (least < 0 || s < least) {
			least = s;
			*best = cuts.at[i];
		}
	}
	return least;
}

static double
most_of(const struct sizing_case *c, double devices,
    double (*fits)(const struct sizing_case *, const struct sizing_layout *))
{
	struct cuts cuts;
	double most = 0;

	list_cuts(&cuts, c, devices);
	for (size_t i = 0; i < cuts.count; i++)
		most = fmax(most, fits(c, &cuts.at[i]));
	return most;
}

static bool
can_be_bought(const struct sizing_device *d, double devices)
{
	double server = d->node > 0 ? d->node : d->domain > 1 && d->domain <= 16 ? d->domain : 1;

	return devices <= server || fmod(devices, server) == 0;
}

/* The first count from `from` to `end` that holds the load within the target (0: any); 0: none. */
static double
first_count(struct sizing_layout *best, const struct sizing_case *c, double from, double end,
    double target, double (*seconds)(const struct sizing_case *, const struct sizing_layout *))
{
	for (double n = from; n <= end; n++) {
		double s = can_be_bought(&c->input->device, n) ? quickest(best, c, n, seconds) : -1;

		if (s >= 0 && (!(target > 0) || s <= target))
			return n;
	}
	return 0;
}

/* What the search found, or that it found nothing up to where the other one looked. */
static void
assert_count(double found, double expected, double end)
{
	if (expected > 0)
		assert_same(found, expected);
	else
		assert_true(found == 0 || found > end);
}

enum { END = 80 };

static struct sizing_result
planned(const struct sizing_input *in)
{
	struct sizing_result r;
	struct sizing_error error;

	assert_int_equal(plan_run(&r, in, &error), 0);
	return r;
}

static void
search_finds_what_there_is(void **state)
{
	struct random r = {20261130};
	int laid = 0, several = 0, parallel = 0;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_layout best = {0};
		struct sizing_result got;
		double n;

		if (!draw(&r, &in, &c, 40))
			continue;
		got = planned(&in);
		n = first_count(&best, &c, 1, END, 0, sizing_layout_step);
		assert_count(got.by_layout, n, END);
		if (n == 0)
			continue;
		laid++;
		several += n > 1;
		parallel += best.attention > 1;
		assert_true(n >= got.by_capacity);
		assert_true(same_layout(&got.layout, &best));
		assert_true(got.fits && got.budget.missing == 0);
		assert_same(got.fits_concurrency, most_of(&c, n, sizing_layout_concurrency));
		assert_same(got.fits_context, most_of(&c, n, sizing_layout_context));
		assert_same(got.next_jump_concurrency,
		    got.fits_concurrency < SIZING_MAX_LOAD ? got.fits_concurrency + 1 : 0);
	}
	assert_true(laid > 2000 && several > 400 && parallel > 90);
}

static void
search_meets_targets(void **state)
{
	struct random r = {20261201};
	int met = 0, more = 0, never = 0;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_layout l;
		struct sizing_result got = {0};
		double n;

		if (!draw(&r, &in, &c, 20))
			continue;
		in.load.tpot = in.load.ttft = 0;
		got = planned(&in);
		if (!(got.by_layout > 0))
			continue;
		in.load.tpot = fmax(got.decode.seconds * between(&r, 0.1, 2), 1e-9);
		in.load.ttft = fmax(got.prefill.seconds * between(&r, 0.05, 2), 1e-9);
		got = planned(&in);
		n = first_count(&l, &c, got.needed, END, in.load.tpot, sizing_layout_step);
		assert_count(got.devices_for_tpot, n, END);
		met += n > 0;
		more += n > got.needed;
		never += n == 0;
		n = first_count(&l, &c, got.needed, END, in.load.ttft, sizing_layout_prefill);
		assert_count(got.devices_for_ttft, n, END);
	}
	assert_true(met > 500 && more > 300 && never > 200);
}

/* Of the devices there are the most that hold the load; and what any layout of so many holds, if it does or not. */
static void
search_uses_what_is_given(void **state)
{
	struct random r = {20261202};
	int fitting = 0, fewer = 0, missing = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_layout best = {0};
		struct sizing_result got;
		double n;

		if (!draw(&r, &in, &c, 40))
			continue;
		in.load.accelerators = n = whole(&r, 1, 60);
		got = planned(&in);
		assert_true(got.budget.devices <= n);
		while (n > 0 && !(quickest(&best, &c, n, sizing_layout_step) >= 0))
			n--;
		assert_true(got.fits == (n > 0));
		fitting += n > 0;
		fewer += n > 0 && n < in.load.accelerators;
		missing += n == 0;
		if (n > 0) {
			assert_same(got.budget.devices, n);
			assert_true(same_layout(&got.layout, &best));
		}
		if (got.layout.tensor > 0) {
			n = got.budget.devices;
			assert_same(got.fits_concurrency, most_of(&c, n, sizing_layout_concurrency));
			assert_same(got.fits_context, most_of(&c, n, sizing_layout_context));
		}
	}
	assert_true(fitting > 1000 && fewer > 100 && missing > 75);
}

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

/* ---- what holds of the count ---- */

static double
count_of(const struct sizing_result *r)
{
	return r->by_layout > 0 ? r->by_layout : HUGE_VAL;
}

/* More to hold never takes fewer devices, whatever becomes of the layout. */
static void
count_is_monotone(void **state)
{
	struct random r = {34};
	int grown = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sizing_input in;
		struct sizing_case c;
		struct sizing_result before, after;
		struct sizing_dtype wide;
		double more = 1 + floor(between(&r, 1, 300));

		if (!draw(&r, &in, &c, 100))
			continue;
		in.model.checkpoint_bytes = 0;
		in.load.tpot = in.load.ttft = 0;
		before = planned(&in);
		switch (i % 4) {
		case 0:
			in.load.prompt += more * 100;
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
			wide = *in.load.weights;
			wide.bits *= 1.5;
			in.load.weights = &wide;
			break;
		}
		after = planned(&in);
		assert_true(count_of(&after) >= count_of(&before));
		grown += count_of(&after) > count_of(&before);
	}
	assert_true(grown > 1000);
}

/* The largest loads are held, and one more by no layout of so many devices. */
static void
largest_load_is_the_largest(void **state)
{
	struct random r = {35};
	int asked = 0;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		struct sizing_input in, at;
		struct sizing_case c;
		struct sizing_result got;
		struct sizing_layout l;
		struct sizing_error error;
		double n;

		if (!draw(&r, &in, &c, 60))
			continue;
		got = planned(&in);
		if (!got.fits || !(got.by_layout > 0))
			continue;
		asked++;
		n = got.budget.devices;
		at = in;
		if (got.fits_concurrency < SIZING_MAX_LOAD) {
			at.load.concurrency = got.fits_concurrency;
			assert_int_equal(sizing_open(&c, &at, &error), 0);
			assert_true(plan_layout(&l, &c, n));
			at.load.concurrency++;
			assert_int_equal(sizing_open(&c, &at, &error), 0);
			assert_false(plan_layout(&l, &c, n));
			assert_true(count_of(&(struct sizing_result[]){planned(&at)}[0]) > n);
		}
		at = in;
		if (got.fits_context < SIZING_MAX_LOAD) {
			at.load.prompt = got.fits_context - got.output;
			assert_int_equal(sizing_open(&c, &at, &error), 0);
			assert_true(plan_layout(&l, &c, n));
			at.load.prompt++;
			assert_int_equal(sizing_open(&c, &at, &error), 0);
			assert_false(plan_layout(&l, &c, n));
		}
	}
	assert_true(asked > 1500);
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
		cmocka_unit_test(search_finds_what_there_is),
		cmocka_unit_test(search_meets_targets),
		cmocka_unit_test(search_uses_what_is_given),
		cmocka_unit_test(no_layout_beats_the_bound),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(more_ranks_never_hold_more),
		cmocka_unit_test(count_is_monotone),
		cmocka_unit_test(largest_load_is_the_largest),
		cmocka_unit_test(every_accepted_layout_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
