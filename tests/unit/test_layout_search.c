/* The search for a layout against one that asks every layout of every count and knows no shortcut. */
#include "unit.h"

#include "plan/layout.h"
#include "sizing_cuts.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_finds_what_there_is),
		cmocka_unit_test(search_meets_targets),
		cmocka_unit_test(search_uses_what_is_given),
		cmocka_unit_test(count_is_monotone),
		cmocka_unit_test(largest_load_is_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
