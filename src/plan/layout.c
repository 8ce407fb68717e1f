#include "plan/layout.h"

#include <math.h>
#include <stdint.h>

/* A question to the layouts of one count, and the best answer so far. */
struct search {
	const struct sizing_case *c;
	bool (*consider)(struct search *, const struct sizing_layout *);
	struct sizing_layout best;
	double value; /* of the best */
	bool found;
};

/* ---- what one may want of a layout: true if one may of the same with whole experts ---- */

static void
take(struct search *s, const struct sizing_layout *l, double value)
{
	s->best = *l;
	s->value = value;
	s->found = true;
}

static void
take_if_less(struct search *s, const struct sizing_layout *l, double value)
{
	if (!s->found || value < s->value)
		take(s, l, value);
}

static bool
shortest_step(struct search *s, const struct sizing_layout *l)
{
	if (!sizing_layout_holds(s->c, l, s->c->concurrency, s->c->context))
		return false;
	take_if_less(s, l, sizing_layout_step(s->c, l));
	return true;
}

static bool
shortest_prefill(struct search *s, const struct sizing_layout *l)
{
	if (!sizing_layout_holds(s->c, l, s->c->concurrency, s->c->context))
		return false;
	take_if_less(s, l, sizing_layout_prefill(s->c, l));
	return true;
}

/* Whether it holds the load or not: the one in which least is missing. */
static bool
fewest_bytes(struct search *s, const struct sizing_layout *l)
{
	take_if_less(s, l, sizing_layout_bytes(s->c, l, s->c->concurrency, s->c->context));
	return false;
}

/* The next two look for the largest load only where one more than the best so far is held. */
static bool
most_sequences(struct search *s, const struct sizing_layout *l)
{
	if (s->value < SIZING_MAX_LOAD && sizing_layout_holds(s->c, l, s->value + 1, s->c->context))
		take(s, l, sizing_layout_concurrency(s->c, l));
	return false;
}

static bool
longest_context(struct search *s, const struct sizing_layout *l)
{
	if (s->value < SIZING_MAX_LOAD && sizing_layout_holds(s->c, l, s->c->concurrency, s->value + 1))
		take(s, l, sizing_layout_context(s->c, l));
	return false;
}

/* ---- the layouts of one count ---- */

/* Ranks that one stage may have. */
static double
rank_limit(const struct sizing_device *d)
{
	return d->domain > 1 ? d->domain : d->domain > 0 ? fmax(d->node, PLAN_CARDS) : SIZING_MAX_LOAD;
}

/* Above so many devices there is nothing to cut. */
static double
device_limit(const struct sizing_case *c)
{
	return fmin(PLAN_MAX_DEVICES, rank_limit(&c->input->device) * c->layers);
}

static bool
ask(struct search *s, const struct sizing_layout *l)
{
	return sizing_layout_illegal(s->c, l) == NULL && s->consider(s, l);
}

/*
 * A stage of so many ranks, its heads over `tensor` of them. Experts, sliced over all ranks, split evenly; whole
 * they never take less, so whoever has no use for the first has none for the second.
 */
static void
search_stage(struct search *s, uint32_t ranks, uint32_t tensor, double stages)
{
	struct sizing_layout l = {.tensor = tensor, .attention = ranks / tensor, .pipeline = stages};

	if (!ask(s, &l) || ranks == 1 || !(s->c->bytes[SIZING_EXPERTS] > 0))
		return;
	l.expert = true;
	ask(s, &l);
}

enum { MAX_DIVISORS = 48 }; /* of a number up to 5039, so of one up to PLAN_MAX_DEVICES */

/* In ascending order; returns how many. */
static size_t
divisors_of(uint32_t n, uint32_t divisors[MAX_DIVISORS])
{
	size_t count = 0, lower;

	for (uint32_t d = 1; d * d <= n; d++)
		if (n % d == 0)
			divisors[count++] = d;
	lower = count;
	for (size_t i = lower; i-- > 0;)
		if (divisors[i] * divisors[i] != n)
			divisors[count++] = n / divisors[i];
	return count;
}

/* All products of three that make so many devices, at most PLAN_MAX_DEVICES. */
static void
search_count(struct search *s, double devices)
{
	uint32_t divisors[MAX_DIVISORS];
	size_t count = divisors_of((uint32_t)devices, divisors);
	double limit = rank_limit(&s->c->input->device);
	bool has_experts = s->c->bytes[SIZING_EXPERTS] > 0;

	for (size_t i = 0; i < count && divisors[i] <= limit; i++) {
		uint32_t ranks = divisors[i];

		if (devices / ranks > s->c->layers)
			continue;
		/* Groups of their own are for models with experts. */
		for (size_t k = has_experts ? 0 : i; k <= i; k++)
			if (ranks % divisors[k] == 0)
				search_stage(s, ranks, divisors[k], devices / ranks);
	}
}

bool
plan_layout(struct sizing_layout *out, const struct sizing_case *c, double devices)
{
	struct search s = {.c = c, .consider = shortest_step};

	if (devices <= PLAN_MAX_DEVICES)
		search_count(&s, devices);
	*out = s.best;
	return s.found;
}

/* The most that any layout of so many devices holds, known to be at least `known`. */
static double
most(const struct sizing_case *c, double devices, double known,
    bool (*consider)(struct search *, const struct sizing_layout *))
{
	struct search s = {.c = c, .consider = consider, .value = known};

	search_count(&s, devices);
	return s.value;
}

/* ---- which count ---- */

/* Devices that are bought together. */
static double
server(const struct sizing_device *d)
{
	if (d->node > 0)
		return d->node;
	return d->domain > 1 && d->domain <= 16 ? d->domain : 1;
}

/* The next count that can be bought, at least `devices`. */
static double
buyable(const struct sizing_device *d, double devices)
{
	double node = server(d);

	return devices <= node ? devices : ceil(devices / node) * node;
}

static double
smallest(struct sizing_layout *out, const struct sizing_case *c)
{
	const struct sizing_device *d = &c->input->device;
	double limit = device_limit(c);

	for (double n = buyable(d, c->by_capacity); n <= limit; n = buyable(d, n + 1))
		if (plan_layout(out, c, n))
			return n;
	*out = (struct sizing_layout){0};
	return 0;
}

/* What a target is for: how to look for it, and seconds that no layout of so many devices beats. */
struct aim {
	bool (*consider)(struct search *, const struct sizing_layout *);
	double (*floor)(const struct sizing_case *, double devices, double ranks);
	double target;
};

static bool
may_meet(const struct sizing_case *c, const struct aim *aim, double devices)
{
	double ranks = fmin(rank_limit(&c->input->device), devices);

	return aim->floor(c, devices, ranks) <= aim->target * (1 + 1e-9); /* rounded otherwise */
}

/* The first count from `from` on that may meet it; floors fall as devices are added. */
static double
first_that_may(const struct sizing_case *c, const struct aim *aim, double from, double limit)
{
	double not = from - 1, may = limit;

	if (may_meet(c, aim, from))
		return from;
	while (may - not > 1) {
		double n = floor((not + may) / 2);

		if (may_meet(c, aim, n))
			may = n;
		else
			not = n;
	}
	return may;
}

/* The least count, from `needed` on, with a layout that holds the load and is within the target; one of `needed` that
 * holds it takes `seconds` (0: none is known). */
static double
for_target(const struct sizing_case *c, const struct aim *aim, double needed, double seconds)
{
	const struct sizing_device *d = &c->input->device;
	double limit = device_limit(c);

	if (!(aim->target > 0))
		return 0;
	if (seconds > 0 && seconds <= aim->target)
		return needed;
	if (needed > limit || !may_meet(c, aim, limit))
		return SIZING_MAX_LOAD;
	for (double n = buyable(d, first_that_may(c, aim, needed, limit)); n <= limit;
	    n = buyable(d, n + 1)) {
		struct search s = {.c = c, .consider = aim->consider};

		search_count(&s, n);
		if (s.found && s.value <= aim->target)
			return n;
	}
	return SIZING_MAX_LOAD;
}

/* Of the devices there are: all, or as many as hold the load; else the layout in which least is missing. */
static bool
of_given(struct sizing_layout *out, const struct sizing_case *c, double given)
{
	struct search s = {.c = c, .consider = fewest_bytes};

	for (double n = fmin(given, device_limit(c)); n >= c->by_capacity; n--)
		if (plan_layout(out, c, n))
			return true;
	if (given <= PLAN_MAX_DEVICES)
		search_count(&s, given);
	*out = s.best;
	return s.found;
}

/* What the devices used hold beyond the load, and the first load that no layout of n devices does. */
static void
find_limits(struct sizing_result *r, const struct sizing_case *c, double devices, double n)
{
	double held = 0;

	if (devices > 0) {
		r->fits_concurrency = most(c, devices, r->fits_concurrency, most_sequences);
		r->fits_context = most(c, devices, r->fits_context, longest_context);
	}
	if (n > 0)
		held = n == devices ? r->fits_concurrency : most(c, n, 0, most_sequences);
	r->next_jump_concurrency = n > 0 && held < SIZING_MAX_LOAD ? held + 1 : 0;
}

static void
answer(struct sizing_result *r, const struct sizing_case *c, bool limits)
{
	const struct sizing_load *load = &c->input->load;
	struct sizing_layout used;
	double n = smallest(&used, c), devices = n;
	struct aim step = {shortest_step, sizing_step_floor, load->tpot};
	struct aim prefill = {shortest_prefill, sizing_prefill_floor, load->ttft};
	bool laid = n > 0, smallest_used;

	if (load->accelerators > 0) {
		laid = of_given(&used, c, load->accelerators);
		devices = sizing_layout_devices(&used);
	}
	sizing_answer(r, c, laid ? &used : NULL);
	/* Where the profile has layers, what no layout holds is held by no engine: replicas have to share it. */
	if (load->accelerators > 0 || c->input->model.group_count > 0)
		r->fits = r->fits && laid;
	if (!r->fits) {
		r->decode = (struct sizing_step){0};
		r->prefill = (struct sizing_prefill){0};
		r->serving = (struct sizing_serving){0};
	}
	r->by_layout = n;
	r->needed = n > 0 ? n : r->by_capacity;
	if (limits)
		find_limits(r, c, laid ? devices : 0, n);
	else
		r->fits_concurrency = r->fits_context = r->next_jump_concurrency = 0;
	smallest_used = n > 0 && n == devices;
	r->devices_for_tpot = for_target(c, &step, r->needed, smallest_used ? r->decode.seconds : 0);
	r->devices_for_ttft = for_target(c, &prefill, r->needed, smallest_used ? r->prefill.seconds : 0);
}

int
plan_run_for(struct sizing_result *result, const struct sizing_input *input, enum plan_effort effort,
    struct sizing_error *error)
{
	struct sizing_case c;

	if (effort == PLAN_BYTES || input->load.layout.tensor > 0 || input->device.shared)
		return sizing_run(result, input, error);
	*result = (struct sizing_result){0};
	if (sizing_open(&c, input, error) != 0)
		return -1;
	answer(result, &c, effort == PLAN_FULL);
	return 0;
}

int
plan_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error)
{
	return plan_run_for(result, input, PLAN_FULL, error);
}
