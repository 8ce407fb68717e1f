#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

/*
 * A prompt has one attention group's worth of sequences, but all ranks work at it: in groups that
 * hold other sequences in decode, its tokens are split (sequence parallelism), and its chunks fill the
 * stages. So operations go by all devices; weights are read by each group, once a chunk. The other stages wait
 * for the first chunk, or after the last, for as long as a stage takes for a whole one.
 */
struct work {
	double chunks;
	double fill;  /* >= 1: by what the waiting stages make the work longer */
	double reads; /* of a stage's weights, one after the other */
	double tokens;
};

double
sizing_fill(double tokens, double chunk, double stages)
{
	return 1 + (stages - 1) * fmin(chunk, tokens) / tokens;
}

static struct work
work_of(const struct sizing_case *c, const struct sizing_split *split, double tokens)
{
	double chunk = c->input->load.prefill_chunk;
	double stages = split->devices / split->ranks;
	struct work w = {.chunks = 1, .fill = 1, .reads = 1, .tokens = tokens};

	if (chunk > 0) {
		w.chunks = ceil(tokens / chunk);
		w.fill = sizing_fill(tokens, chunk, stages);
		w.reads = w.chunks + stages - 1;
	}
	return w;
}

static void
linear_part(struct sizing_prefill *p, const struct sizing_case *c, const struct sizing_split *split,
    const struct work *w)
{
	double stages = split->devices / split->ranks;
	double share = sizing_experts_share(c, w->tokens / w->chunks);
	double imbalance = fmax(c->input->load.expert_imbalance, 1);

	for (int i = 0; i < SIZING_CLASSES; i++) {
		bool experts = i == SIZING_EXPERTS;
		double bytes = experts ? c->bytes[i] * share / split->experts : c->bytes[i] / split->tensor;
		double operations = c->operations[i] * w->tokens;
		/* The stages read side by side where chunks fill them. */
		double read = w->reads * bytes / (stages * c->bandwidth);
		double rate = c->paths[i].operations * split->devices;
		double compute = rate > 0 ? w->fill * operations * (experts ? imbalance : 1) / rate : 0;

		p->linear_operations += operations;
		p->weights_seconds += read;
		p->linear_compute_seconds += compute;
		p->counted[compute > read ? SIZING_LINEAR_COMPUTE : SIZING_WEIGHTS] += fmax(read, compute);
		p->seconds += fmax(read, compute);
	}
}

static void
attention_part(struct sizing_prefill *p, const struct sizing_case *c,
    const struct sizing_split *split, const struct work *w, double start)
{
	double bandwidth = c->bandwidth * split->devices;

	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		const struct sizing_group *g = cache->group;
		double attended = sizing_attended(g, start + w->tokens) - sizing_attended(g, start);
		double operations = fmax(attended, 0) * cache->prompt_operations;
		/* Rows of the part before are read, the others written: each once at the least. */
		double rows = sizing_rows_kept(g, start + w->tokens) / bandwidth;
		double write = rows * cache->kept_row, index = rows * cache->index_kept_row;
		double compute = cache->rate > 0
		    ? w->fill * operations / (cache->rate * split->devices) : 0;

		p->attention_operations += operations;
		p->attention_compute_seconds += compute;
		p->kv_write_seconds += write;
		if (compute > write) {
			p->counted[SIZING_ATTENTION_COMPUTE] += compute;
		} else {
			p->counted[SIZING_KV] += write - index;
			p->counted[SIZING_INDEX] += index;
		}
		p->seconds += fmax(compute, write);
	}
}

/* A prompt is long enough to send while it computes: the longer of both counts ([P7], collective matmul). */
static void
links_part(struct sizing_prefill *p, const struct sizing_case *c, const struct sizing_split *split,
    double start, double tokens)
{
	double linear = p->counted[SIZING_LINEAR_COMPUTE] + p->counted[SIZING_WEIGHTS];

	sizing_send_prompt(&p->traffic, c, split, start, tokens);
	p->interconnect_seconds = p->traffic.seconds;
	if (p->interconnect_seconds <= linear)
		return;
	p->seconds += p->interconnect_seconds - linear;
	p->counted[SIZING_INTERCONNECT] = p->interconnect_seconds;
	p->counted[SIZING_LINEAR_COMPUTE] = p->counted[SIZING_WEIGHTS] = 0;
}

/* `tokens` of one prompt after `start` that are there already. */
static void
prefill_part(struct sizing_prefill *p, const struct sizing_case *c, double start, double tokens,
    const struct sizing_split *split)
{
	struct work w = work_of(c, split, tokens);

	*p = (struct sizing_prefill){.devices = split->devices};
	linear_part(p, c, split, &w);
	attention_part(p, c, split, &w, start);
	links_part(p, c, split, start, tokens);
	p->bottleneck = sizing_largest(p->counted);
}

double
sizing_prefill_seconds(const struct sizing_case *c, double start, double tokens,
    const struct sizing_split *split)
{
	struct sizing_prefill p;

	prefill_part(&p, c, start, tokens, split);
	return p.seconds;
}

void
sizing_prefill(struct sizing_prefill *p, const struct sizing_case *c,
    const struct sizing_split *split)
{
	double reuse = c->input->load.reuse;
	double start;

	prefill_part(p, c, 0, c->prompt, split);
	p->seconds_reused = p->seconds;
	p->tokens_per_second = c->prompt / p->seconds;
	if (reuse > 0) {
		/* The last token is computed in any case: its logits are the answer's first. */
		start = fmin(floor(reuse * c->prompt), c->prompt - 1);
		p->seconds_reused = sizing_prefill_seconds(c, start, c->prompt - start, split);
	}
}
