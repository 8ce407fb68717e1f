#include "sizing/formulas.h"
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

/* One step checks all drafted tokens and yields one of its own: weights and KV are read once for them. */
static void
speculate(struct sizing_serving *s, const struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split)
{
	const struct sizing_load *load = &c->input->load;
	struct sizing_step check;

	if (!(load->draft_tokens > 0))
		return;
	sizing_step(&check, c, split, load->draft_tokens + 1);
	s->tokens_per_step = sizing_accepted_tokens(load->draft_tokens, load->acceptance);
	s->speculative_step_seconds = check.seconds +
	    load->draft_tokens * load->draft_cost * r->decode.seconds;
	s->speculative_seconds = s->speculative_step_seconds / s->tokens_per_step;
	s->speculative_tokens_per_second = c->concurrency / s->speculative_seconds;
	s->speculative_gain = r->decode.seconds / s->speculative_seconds;
}

/*
 * One pool. In the time in which each of the sequences decodes its answer once, as many prompts are computed
 * as there are sequences: output x step + concurrency x prompt.
 */
static void
share_pool(struct sizing_serving *s, const struct sizing_case *c, double step, double prompt)
{
	double cycle = c->output * step + c->concurrency * prompt;

	s->decode_share = c->output * step / cycle;
	s->interleaved_tokens_per_second = c->concurrency * c->output / cycle;
	s->interleaved_requests_per_second = c->concurrency / cycle;
	s->batched_prefill_seconds = c->concurrency * prompt;
}

/* Two pools: as much prefill as keeps the decode pool filled, and the KV that goes over. */
static void
split_pools(struct sizing_serving *s, const struct sizing_case *c, double prompt)
{
	s->prefill_per_decode = s->requests_per_second * prompt;
	s->transfer_bytes = sizing_sequence_bytes(c, c->prompt);
	s->transfer_bandwidth = s->requests_per_second * s->transfer_bytes;
	if (prompt > 0)
		s->transfer_hidden_bandwidth = s->transfer_bytes / prompt;
}

void
sizing_serve(struct sizing_result *r, const struct sizing_case *c, const struct sizing_split *split)
{
	struct sizing_serving *s = &r->serving;
	double prompt = r->prefill.seconds_reused;

	speculate(s, r, c, split);
	if (!(c->output > 0))
		return;
	s->requests_per_second = c->concurrency / (c->output * r->decode.seconds);
	/* Without a published rate the work of a prompt has no time. */
	if (!(r->linear_path.operations > 0))
		return;
	share_pool(s, c, r->decode.seconds, prompt);
	split_pools(s, c, prompt);
}
