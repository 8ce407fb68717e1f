#include "plan/layout.h"

#include <math.h>

/* What one wants of a layout: the least of `seconds`, or the most sequences. */
struct search {
	const struct sizing_case *c;
	struct sizing_layout best;
	double value; /* of the best; < 0: none yet */
	double (*seconds)(const struct sizing_case *, const struct sizing_layout *);
	bool any;     /* whether it holds the load or not: the fullest device decides */
};

static double
bytes(const struct sizing_case *c, const struct sizing_layout *l)
{
	return sizing_layout_bytes(c, l, c->concurrency, c->context);
}

static void
consider(struct search *s, const struct sizing_layout *l)
{
	double value;

	if (sizing_layout_illegal(s->c, l) != NULL || (!s->any && !sizing_layout_holds(s->c, l)))
		return;
	value = s->seconds(s->c, l);
	if (s->value < 0 || value < s->value) {
		s->value = value;
		s->best = *l;
	}
}

/* Ranks that one stage may have. */
static double
rank_limit(const struct sizing_device *d)
{
	return d->domain > 1 ? d->domain : d->domain > 0 ? fmax(d->node, PLAN_CARDS) : SIZING_MAX_LOAD;
}

static bool
divides(double part, double all)
{
	return fmod(all, part) == 0;
}

/* All products of three that make so many devices. */
static void
search_count(struct search *s, double devices)
{
	const struct sizing_input *in = s->c->input;
	bool has_experts = s->c->bytes[SIZING_EXPERTS] > 0;
	double limit = fmin(rank_limit(&in->device), devices);

	for (double ranks = 1; ranks <= limit; ranks++) {
		if (!divides(ranks, devices))
			continue;
		for (double tensor = 1; tensor <= ranks; tensor++) {
			struct sizing_layout l = {.tensor = tensor, .attention = ranks / tensor,
				.pipeline = devices / ranks};

			if (!divides(tensor, ranks) || (l.attention > 1 && !has_experts))
				continue;
			consider(s, &l);
			l.expert = true;
			if (has_experts && ranks > 1)
				consider(s, &l);
		}
	}
}

bool
plan_layout(struct sizing_layout *out, const struct sizing_case *c, double devices)
{
	struct search s = {.c = c, .value = -1, .seconds = sizing_layout_step};

	search_count(&s, devices);
	*out = s.best;
	return s.value >= 0;
}

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

/* The least count with a layout that holds the load, at least `from`, within the target if there is one. */
static double
least(struct sizing_layout *out, const struct sizing_case *c, double from, double target,
    double (*seconds)(const struct sizing_case *, const struct sizing_layout *))
{
	const struct sizing_device *d = &c->input->device;

	for (double n = buyable(d, from); n <= PLAN_MAX_DEVICES; n = buyable(d, n + 1)) {
		struct search s = {.c = c, .value = -1, .seconds = seconds};

		search_count(&s, n);
		*out = s.best;
		if (s.value >= 0 && (!(target > 0) || s.value <= target))
			return n;
	}
	*out = (struct sizing_layout){0};
	return 0;
}

/* Of the devices there are: all, or as many as make a layout; else the one in which least is missing. */
static bool
of_given(struct sizing_layout *out, const struct sizing_case *c, double given, double smallest)
{
	struct search s = {.c = c, .value = -1, .seconds = bytes, .any = true};

	for (double n = given; smallest > 0 && n >= smallest && n > given - PLAN_CARDS; n--)
		if (plan_layout(out, c, n))
			return true;
	if (given > PLAN_MAX_DEVICES)
		return false;
	search_count(&s, given);
	*out = s.best;
	return s.value >= 0;
}

static double
negative_concurrency(const struct sizing_case *c, const struct sizing_layout *l)
{
	return SIZING_MAX_LOAD - sizing_layout_concurrency(c, l);
}

static double
negative_context(const struct sizing_case *c, const struct sizing_layout *l)
{
	return SIZING_MAX_LOAD - sizing_layout_context(c, l);
}

/* The most that any layout of so many devices holds; 0: none holds the load there is. */
static double
most(const struct sizing_case *c, double devices,
    double (*negative)(const struct sizing_case *, const struct sizing_layout *))
{
	struct search s = {.c = c, .value = -1, .seconds = negative};

	search_count(&s, devices);
	return s.value < 0 ? 0 : SIZING_MAX_LOAD - s.value;
}

static double
for_target(const struct sizing_case *c, double target, double needed,
    double (*seconds)(const struct sizing_case *, const struct sizing_layout *))
{
	struct sizing_layout l;
	double n;

	if (!(target > 0))
		return 0;
	n = least(&l, c, needed, target, seconds);
	return n > 0 ? n : SIZING_MAX_LOAD;
}

static void
answer(struct sizing_result *r, const struct sizing_case *c)
{
	const struct sizing_load *load = &c->input->load;
	struct sizing_layout smallest = {0}, used;
	double by_bytes = ceil(c->total_bytes / c->available);
	double n = by_bytes <= PLAN_MAX_DEVICES ? least(&smallest, c, fmax(by_bytes, 1), 0,
	    sizing_layout_step) : 0;

	used = smallest;
	if (load->accelerators > 0) {
		bool laid = of_given(&used, c, load->accelerators, n);

		sizing_answer(r, c, laid ? &used : NULL);
		r->fits = r->fits && laid;
	} else {
		sizing_answer(r, c, n > 0 ? &used : NULL);
	}
	r->by_layout = n;
	r->needed = n > 0 ? n : r->by_capacity;
	r->next_jump_concurrency = 0;
	if (n > 0) {
		double jump = most(c, n, negative_concurrency) + 1;

		r->next_jump_concurrency = jump < SIZING_MAX_LOAD ? jump : 0;
	}
	if (r->fits && r->by_layout > 0) {
		r->fits_concurrency = most(c, r->budget.devices, negative_concurrency);
		r->fits_context = most(c, r->budget.devices, negative_context);
	}
	r->devices_for_tpot = for_target(c, load->tpot, r->needed, sizing_layout_step);
	r->devices_for_ttft = for_target(c, load->ttft, r->needed, sizing_layout_prefill);
}

int
plan_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error)
{
	struct sizing_case c;

	if (input->load.layout.tensor > 0 || input->device.shared)
		return sizing_run(result, input, error);
	*result = (struct sizing_result){0};
	if (sizing_open(&c, input, error) != 0)
		return -1;
	answer(result, &c);
	return 0;
}
