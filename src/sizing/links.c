/*
 * What crosses the links, by collective. A ring of n ranks moves (n - 1) / n of a buffer for an
 * all-gather or a reduce-scatter, twice that for an all-reduce; each takes at least n / 2 hops
 * ([P7] appendix C). Bytes are those that one device sends in one direction.
 */
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

/* A pass through all layers. */
struct pass {
	const struct sizing_case *c;
	const struct sizing_split *split;
	struct sizing_traffic *traffic;
	double tokens;  /* of the replica in this pass */
	double of_group; /* of them at one attention group */
	double element; /* bytes of an activation */
	double times;   /* how often the pass is made: chunks of a prompt */
	double hops, bytes; /* seconds */
};

double
sizing_activation_element(const struct sizing_case *c)
{
	const struct sizing_dtype *d = c->input->load.activations;

	return d != NULL ? d->bits / 8 : 2;
}

/* 1 where one device is all there is. */
static double
left_out(double ranks)
{
	return (ranks - 1) / ranks;
}

/* `count` collectives of `bytes` a device each, of so many ranks in so many rounds. */
static void
collect(struct pass *p, double *sum, double count, double bytes, double ranks, double rounds)
{
	const struct sizing_device *d = &p->c->input->device;
	double rate = d->link, hops, move;

	if (!(count > 0) || !(ranks > 1) || !(bytes > 0))
		return;
	*sum += p->times * count * bytes;
	p->traffic->collectives += p->times * count * rounds;
	if (d->domain > 0 && ranks > d->domain && d->network > 0)
		rate = d->link > 0 ? fmin(d->link, d->network) : d->network;
	if (!(rate > 0))
		return;
	hops = rounds * d->link_latency * ranks / 2;
	move = bytes / rate;
	p->hops += p->times * count * (hops > move ? hops : 0);
	p->bytes += p->times * count * (hops > move ? 0 : move);
}

static void
all_reduce(struct pass *p, double count, double buffer, double ranks)
{
	collect(p, &p->traffic->all_reduce, count, 2 * left_out(ranks) * buffer, ranks, 2);
}

/* Heads and widths over `tensor` ranks: one all-reduce after each mixer and each feed-forward. */
static void
send_tensor(struct pass *p, double layers)
{
	all_reduce(p, layers, p->of_group * p->c->input->model.width * p->element,
	    p->split->layout->tensor);
}

static void
send_experts(struct pass *p, const struct sizing_ffn *f)
{
	const struct sizing_layout *l = p->split->layout;
	double width = f->input_width > 0 ? f->input_width : p->c->input->model.width;
	double ranks = p->split->ranks;
	double token = width * p->element;

	if (l->expert) /* each token to the ranks of its experts, and back */
		collect(p, &p->traffic->all_to_all, 2 * f->layers,
		    p->tokens / ranks * f->active * token * left_out(ranks), ranks, 1);
	else if (l->attention > 1) /* every rank has a slice of each expert, so it needs every token */
		collect(p, &p->traffic->gather, 2 * f->layers, p->tokens * token * left_out(ranks), ranks, 1);
	else
		send_tensor(p, f->layers);
}

/* Rows split beyond the KV heads: queries go to where their rows are, outputs come back. */
static void
send_queries(struct pass *p, const struct sizing_cache *cache)
{
	const struct sizing_layout *l = p->split->layout;
	const struct sizing_group *g = cache->group;
	double spread = l->tensor / fmin(l->tensor, cache->kv_heads);
	double heads = p->of_group * g->heads * (g->query_width + g->output_width) * p->element;
	double layers = sizing_readers(g);

	if (!(cache->read_row > 0)) /* states are split by heads as the weights are */
		return;
	if (l->kv == SIZING_KV_BATCH)
		collect(p, &p->traffic->all_to_all, 2 * layers, heads / 2 / l->tensor * left_out(spread),
		    spread, 1);
	else if (l->kv == SIZING_KV_SEQUENCE)
		collect(p, &p->traffic->gather, 2 * layers,
		    heads / 2 * spread / l->tensor * left_out(spread), spread, 1);
}

/* From stage to stage, each rank its share, over the network where the replica leaves the domain. */
static void
send_stages(struct pass *p)
{
	const struct sizing_device *d = &p->c->input->device;
	const struct sizing_layout *l = p->split->layout;
	double bytes = p->of_group * p->c->input->model.width * p->element / l->tensor;
	bool outside = d->domain > 0 && p->split->devices > d->domain;
	double rate = outside && d->network > 0 ? d->network : d->link;
	double count = p->times * (l->pipeline - 1);

	p->traffic->point_to_point = count * bytes;
	if (!(rate > 0) || !(count > 0))
		return;
	if (d->link_latency > bytes / rate)
		p->hops += count * d->link_latency;
	else
		p->bytes += count * bytes / rate;
}

static void
send_layers(struct pass *p)
{
	const struct sizing_model *m = &p->c->input->model;

	for (size_t i = 0; i < m->group_count; i++)
		if (!m->groups[i].also_on)
			send_tensor(p, fmax(m->groups[i].layers, m->groups[i].readers));
	for (size_t i = 0; i < m->ffn_count; i++) {
		if (m->ffn[i].experts > 0)
			send_experts(p, &m->ffn[i]);
		else
			send_tensor(p, m->ffn[i].layers);
	}
	send_stages(p);
}

static void
finish(struct pass *p)
{
	p->traffic->seconds = p->hops + p->bytes;
	p->traffic->latency_bound = p->hops > p->bytes;
}

void
sizing_send_step(struct sizing_traffic *t, const struct sizing_case *c,
    const struct sizing_split *split, double tokens)
{
	struct pass p = {.c = c, .split = split, .traffic = t, .times = 1,
		.tokens = split->batch * tokens, .of_group = split->sequences * tokens,
		.element = sizing_activation_element(c)};

	*t = (struct sizing_traffic){0};
	if (split->layout == NULL)
		return;
	send_layers(&p);
	for (size_t i = 0; i < c->cache_count; i++)
		send_queries(&p, &c->caches[i]);
	finish(&p);
}

/*
 * In a prompt the groups share its tokens, so each needs the rows of the others (ring attention): an all-gather
 * of what the prompt writes, and of what was there before.
 */
static void
send_rows(struct pass *p, double start, double tokens)
{
	const struct sizing_layout *l = p->split->layout;

	for (size_t i = 0; i < p->c->cache_count; i++) {
		const struct sizing_cache *cache = &p->c->caches[i];
		double layers = cache->group->layers;
		double bytes = sizing_rows_kept(cache->group, start + tokens) * cache->kept_row /
		    (layers * sizing_kv_ways(cache, p->split));

		collect(p, &p->traffic->gather, layers, bytes * left_out(l->attention), l->attention, 1);
	}
}

void
sizing_send_prompt(struct sizing_traffic *t, const struct sizing_case *c,
    const struct sizing_split *split, double start, double tokens)
{
	double chunk = c->input->load.prefill_chunk;
	double times = chunk > 0 ? ceil(tokens / chunk) : 1;
	struct pass p = {.c = c, .split = split, .traffic = t, .times = times,
		.tokens = tokens / times, .element = sizing_activation_element(c)};
	double stages, fill;

	*t = (struct sizing_traffic){0};
	if (split->layout == NULL)
		return;
	p.of_group = p.tokens / split->layout->attention;
	send_layers(&p);
	p.times = 1;
	send_rows(&p, start, tokens);
	/* The stages send side by side, once chunks fill them. */
	stages = split->layout->pipeline;
	fill = chunk > 0 ? sizing_fill(tokens, chunk, stages) : 1;
	p.hops *= fill / stages;
	p.bytes *= fill / stages;
	finish(&p);
}
