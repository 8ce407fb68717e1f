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
};

const char *
sizing_verdict_name(enum sizing_verdict verdict)
{
	return verdict < SIZING_VERDICTS ? VERDICT_NAMES[verdict] : NULL;
}

static enum sizing_verdict
judge(const struct sizing_placement *p, const struct sizing_tier *tier,
    const struct sizing_result *r, const struct sizing_load *load)
{
	if (!(p->bytes > 0))
		return SIZING_TIER_NOTHING_IDLE;
	if (tier->bytes > 0 && tier->bytes < p->bytes)
		return SIZING_TIER_TOO_SMALL;
	if (!(load->reuse < 0) && !(p->prefix_bytes > 0))
		return SIZING_TIER_NOTHING_REUSED;
	if (load->reuse < 0 || !r->fits || !(tier->bytes > 0) || !(tier->read_bandwidth > 0) ||
	    !(r->linear_path.operations > 0))
		return SIZING_TIER_UNKNOWN;
	if (p->load_seconds >= p->recompute_seconds)
		return SIZING_TIER_SLOWER_THAN_RECOMPUTE;
	if (load->ttft > 0 && p->load_seconds + r->prefill.seconds_reused > load->ttft)
		return SIZING_TIER_MISSES_TTFT;
	return SIZING_TIER_FITS;
}

void
sizing_place(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split)
{
	const struct sizing_input *input = c->input;
	double prefix = input->load.reuse > 0 ? floor(input->load.reuse * c->prompt) : 0;
	double prefix_bytes = prefix > 0 ? sizing_sequence_bytes(c, prefix) : 0;
	double recompute = prefix > 0 && r->fits
	    ? sizing_prefill_seconds(c, 0, prefix, split) : 0;

	for (size_t i = 0; i < input->tier_count; i++) {
		struct sizing_placement *p = &r->placements[i];
		double bandwidth = input->tiers[i].read_bandwidth;

		p->bytes = r->idle_kv_bytes;
		p->prefix_bytes = prefix_bytes;
		p->recompute_seconds = recompute;
		if (recompute > 0)
			p->break_even_bandwidth = prefix_bytes / recompute;
		if (bandwidth > 0)
			p->load_seconds = prefix_bytes / bandwidth;
		p->verdict = judge(p, &input->tiers[i], r, &input->load);
	}
}
