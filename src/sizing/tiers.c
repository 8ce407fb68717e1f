#include "sizing/reload.h"
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static const char *const VERDICT_NAMES[SIZING_VERDICTS] = {
	[SIZING_TIER_FITS] = "fits",
	[SIZING_TIER_TOO_SMALL] = "too-small",
	[SIZING_TIER_SLOWER_THAN_RECOMPUTE] = "slower-than-recompute",
	[SIZING_TIER_MISSES_TTFT] = "misses-ttft",
	[SIZING_TIER_NOTHING_IDLE] = "nothing-idle",
	[SIZING_TIER_NOTHING_REUSED] = "nothing-reused",
	[SIZING_TIER_UNKNOWN] = "unknown",
	[SIZING_TIER_SATURATED] = "saturated",
	[SIZING_TIER_WEARS_OUT] = "wears-out",
};

const char *
sizing_verdict_name(enum sizing_verdict verdict)
{
	return verdict < SIZING_VERDICTS ? VERDICT_NAMES[verdict] : NULL;
}

const char *
sizing_tier_limit_name(enum sizing_tier_limit limit)
{
	static const char *const names[SIZING_TIER_LIMITS] = {
		[SIZING_TIER_CAPACITY] = "capacity",
		[SIZING_TIER_BANDWIDTH] = "bandwidth",
		[SIZING_TIER_ENDURANCE] = "endurance",
	};

	return limit < SIZING_TIER_LIMITS ? names[limit] : NULL;
}

/* What the load does to any tier: no field of it depends on which. */
struct traffic {
	double prefix_bytes;     /* of one request; 0 = nothing reused, or not known */
	double new_bytes;        /* that one request leaves behind; 0 = reuse not known */
	double recompute;        /* seconds of the prefix; 0 = not known, or no fit */
	double rest;             /* seconds of prefill that remain with reuse */
	double requests;         /* per second; 0 = not known */
	double limit;            /* seconds that a load may take; 0 = not known, < 0 = no time left */
};

/* What decode serves, with speculation if it helps, and no more than prefill does: as many prompts at
 * a time as the layout has stages and groups. */
static double
requests_per_second(const struct sizing_result *r, const struct sizing_layout *layout)
{
	double prompts = layout != NULL ? layout->attention * layout->pipeline : 1;

	if (!(r->output > 0) || !r->fits)
		return 0;
	return fmin(fmax(r->serving.requests_per_second,
	    r->serving.speculative_tokens_per_second / r->output), prompts / r->prefill.seconds_reused);
}

static struct traffic
traffic_of(const struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split)
{
	const struct sizing_load *load = &c->input->load;
	double prefix = load->reuse > 0 ? floor(load->reuse * c->prompt) : 0;
	struct traffic t = {
		.prefix_bytes = prefix > 0 ? sizing_sequence_bytes(c, prefix) : 0,
		.new_bytes = load->reuse < 0 ? 0 : sizing_sequence_bytes(c, c->context - prefix),
		.rest = r->prefill.seconds_reused,
		.requests = requests_per_second(r, split->layout),
	};

	/* Without a published rate a prefix has no time to compute it, not a short one. */
	if (prefix > 0 && r->fits && r->linear_path.operations > 0)
		t.recompute = t.limit = sizing_prefill_seconds(c, 0, prefix, split);
	if (t.limit > 0 && load->ttft > 0) {
		double left = load->ttft - t.rest;

		t.limit = left > 0 ? fmin(t.limit, left) : -1;
	}
	return t;
}

static double
latency_of(const struct sizing_tier *tier, const struct traffic *t)
{
	return sizing_block_seconds(t->prefix_bytes, tier->block_bytes, tier->latency);
}

static double
quotient(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static void
time_alone(struct sizing_placement *p, const struct sizing_tier *tier, const struct traffic *t)
{
	double latency = latency_of(tier, t);

	if (!(t->prefix_bytes > 0))
		return;
	if (tier->read_bandwidth > 0)
		p->load_seconds = latency + t->prefix_bytes / tier->read_bandwidth;
	if (t->recompute > latency)
		p->break_even_bandwidth = t->prefix_bytes / (t->recompute - latency);
	if (t->recompute > 0 && t->rest > latency)
		p->hidden_above = t->prefix_bytes / (t->rest - latency);
	if (p->load_seconds > 0 && t->recompute > 0)
		p->partial_seconds = sizing_partial_seconds(t->recompute, p->load_seconds);
}

static void
time_shared(struct sizing_placement *p, const struct sizing_tier *tier, const struct traffic *t)
{
	bool writes = tier->shared_link && t->requests > 0;
	double bandwidth = sizing_link_share(tier->read_bandwidth, 1, writes);
	double latency = latency_of(tier, t), busy = t->requests * t->prefix_bytes;

	if (!(t->prefix_bytes > 0))
		return;
	if (t->limit > latency)
		p->bandwidth_needed = (busy + t->prefix_bytes / (t->limit - latency)) * (writes ? 2 : 1);
	if (!(bandwidth > busy))
		return;
	p->shared_load_seconds = latency + t->prefix_bytes / (bandwidth - busy);
	p->concurrent_loads = t->requests * p->shared_load_seconds;
}

static void
writing(struct sizing_placement *p, const struct sizing_tier *tier, const struct traffic *t,
    const struct sizing_result *r)
{
	p->written_per_second = t->requests * t->new_bytes;
	if (!(p->written_per_second > 0))
		return;
	p->fill_seconds = tier->bytes / p->written_per_second;
	p->endurance_share = quotient(p->written_per_second, tier->endurance);
	p->worn_seconds = quotient(tier->life, p->endurance_share);
	if (t->recompute > 0 && p->shared_load_seconds > 0 && tier->write_bandwidth > 0)
		p->saved_seconds = fmax(0, r->prefill.seconds - t->rest - p->shared_load_seconds -
		    t->new_bytes / tier->write_bandwidth);
}

static void
count_units(struct sizing_placement *p, const struct sizing_tier *tier)
{
	const double *counts[SIZING_TIER_LIMITS] = {
		[SIZING_TIER_CAPACITY] = &p->units_for_capacity,
		[SIZING_TIER_BANDWIDTH] = &p->units_for_bandwidth,
		[SIZING_TIER_ENDURANCE] = &p->units_for_endurance,
	};

	p->units_for_capacity = ceil(quotient(p->bytes, tier->unit_bytes));
	p->units_for_bandwidth = ceil(fmax(quotient(p->bandwidth_needed, tier->unit_read_bandwidth),
	    quotient(p->written_per_second, tier->unit_write_bandwidth)));
	p->units_for_endurance = ceil(quotient(p->written_per_second, tier->unit_endurance));
	for (int limit = 0; limit < SIZING_TIER_LIMITS; limit++) {
		if (*counts[limit] > p->units) {
			p->units = *counts[limit];
			p->binds = (enum sizing_tier_limit)limit;
		}
	}
}

/* Is anything not known that a verdict on time rests on? */
static bool
is_unknown(const struct sizing_tier *tier, const struct sizing_result *r,
    const struct sizing_load *load)
{
	return load->reuse < 0 || !r->fits || !(tier->bytes > 0) || !(tier->read_bandwidth > 0) ||
	    !(r->linear_path.operations > 0);
}

static enum sizing_verdict
judge(const struct sizing_placement *p, const struct sizing_tier *tier, const struct traffic *t,
    const struct sizing_result *r, const struct sizing_load *load)
{
	if (!(p->bytes > 0))
		return SIZING_TIER_NOTHING_IDLE;
	if (tier->bytes > 0 && tier->bytes < p->bytes)
		return SIZING_TIER_TOO_SMALL;
	if (!(load->reuse < 0) && !(p->prefix_bytes > 0))
		return SIZING_TIER_NOTHING_REUSED;
	if (is_unknown(tier, r, load))
		return SIZING_TIER_UNKNOWN;
	if (p->load_seconds >= p->recompute_seconds)
		return SIZING_TIER_SLOWER_THAN_RECOMPUTE;
	if (!(p->shared_load_seconds > 0) ||
	    (tier->write_bandwidth > 0 && p->written_per_second > tier->write_bandwidth))
		return SIZING_TIER_SATURATED;
	if (p->shared_load_seconds >= p->recompute_seconds)
		return SIZING_TIER_SLOWER_THAN_RECOMPUTE;
	if (load->ttft > 0 && p->shared_load_seconds + t->rest > load->ttft)
		return SIZING_TIER_MISSES_TTFT;
	if (tier->wears && !(p->endurance_share > 0))
		return SIZING_TIER_UNKNOWN;
	return p->endurance_share > 1 ? SIZING_TIER_WEARS_OUT : SIZING_TIER_FITS;
}

void
sizing_place(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split)
{
	const struct sizing_input *input = c->input;
	struct traffic t;

	if (input->tier_count == 0)
		return;
	t = traffic_of(r, c, split);
	for (size_t i = 0; i < input->tier_count; i++) {
		const struct sizing_tier *tier = &input->tiers[i];
		struct sizing_placement *p = &r->placements[i];
		/* states are read and written back at each step */
		double read = r->kv_bytes_read_per_step + 2 * r->state_bytes;

		p->bytes = r->idle_kv_bytes;
		p->prefix_bytes = t.prefix_bytes;
		p->recompute_seconds = t.recompute;
		p->requests_per_second = t.requests;
		if (read > 0)
			p->decode_tokens_per_second = sizing_decode_limit(tier->read_bandwidth,
			    read / r->concurrency);
		time_alone(p, tier, &t);
		time_shared(p, tier, &t);
		writing(p, tier, &t, r);
		count_units(p, tier);
		p->verdict = judge(p, tier, &t, r, &input->load);
	}
}
