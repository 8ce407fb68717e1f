#include "sizing/layout.h"
#include "sizing/sizing_int.h"

#include <math.h>

static const char *const KV_SPLIT_NAMES[SIZING_KV_SPLITS] = {
	[SIZING_KV_COPY] = "copy",
	[SIZING_KV_BATCH] = "batch",
	[SIZING_KV_SEQUENCE] = "sequence",
};

const char *
sizing_kv_split_name(enum sizing_kv_split split)
{
	return split < SIZING_KV_SPLITS ? KV_SPLIT_NAMES[split] : NULL;
}

double
sizing_layout_devices(const struct sizing_layout *l)
{
	return l->tensor * l->attention * l->pipeline;
}

/* Ways in which one kind of expert layers is split: whole experts leave some ranks with one more. */
static double
expert_ways(const struct sizing_model *m, const struct sizing_layout *l)
{
	double ranks = l->tensor * l->attention, least = ranks;

	if (!l->expert)
		return ranks;
	for (size_t i = 0; i < m->ffn_count; i++)
		if (m->ffn[i].experts > 0)
			least = fmin(least, m->ffn[i].experts / sizing_round_up(m->ffn[i].experts / ranks));
	return least;
}

struct sizing_split
sizing_split_of(const struct sizing_case *c, const struct sizing_layout *l, double devices)
{
	struct sizing_split s = {.layout = l, .devices = devices, .ranks = devices,
		.batch = c->concurrency, .sequences = c->concurrency, .tensor = devices,
		.experts = devices};

	if (l == NULL)
		return s;
	s.ranks = l->tensor * l->attention;
	s.devices = s.ranks * l->pipeline;
	/* With less than one sequence to a stage or a group some of them wait. */
	s.batch = fmax(c->concurrency / l->pipeline, 1);
	s.sequences = fmax(s.batch / l->attention, 1);
	s.tensor = l->tensor;
	s.experts = expert_ways(&c->input->model, l);
	return s;
}

double
sizing_kv_ways(const struct sizing_cache *cache, const struct sizing_split *split)
{
	const struct sizing_layout *l = split->layout;

	if (l == NULL || l->kv != SIZING_KV_COPY || l->tensor == 1)
		return split->tensor;
	if (cache->kv_heads == 1)
		return 1;
	return cache->kv_heads / sizing_round_up(cache->kv_heads / l->tensor);
}

/* The larger of a chunk and a decode step. */
static void
add_activations(struct sizing_parts *p, const struct sizing_case *c, const struct sizing_layout *l,
    double sequences, double context)
{
	const struct sizing_load *load = &c->input->load;
	/* Another context than the load's has the same output: its prompt is the longer or the shorter. */
	double prompt = fmax(context - c->output, 1);
	double tokens = fmax(fmin(load->prefill_chunk, prompt), fmax(sequences, 1));
	struct sizing_pass pass = {.tokens = tokens, .sequences = fmax(sequences, 1),
		.dtype = load->activations, .ranks = l->tensor};
	struct sizing_activations a;

	if (!(load->prefill_chunk > 0))
		return;
	sizing_activations_of(&a, &c->input->model, &pass);
	p->activations = a.peak;
	/* A buffer to gather what the other ranks have of these tokens. */
	if (l->tensor * l->attention > 1)
		p->communication = tokens * c->input->model.width * sizing_activation_element(c);
}

/* What a rank has of all layers, were they in one stage. */
static void
layer_parts(struct sizing_parts *p, const struct sizing_case *c, const struct sizing_split *s,
    double sequences, double context)
{
	double dense = c->bytes[SIZING_ATTENTION] + c->bytes[SIZING_DENSE] + c->bytes[SIZING_SHARED] +
	    c->bytes[SIZING_OTHER] - c->router_bytes;

	*p = (struct sizing_parts){
		.weights = dense / s->tensor + c->router_bytes + c->bytes[SIZING_EXPERTS] / s->experts,
		.state = sequences * c->states / s->tensor,
	};
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		double rows;

		if (!(cache->kept_row > 0)) /* states only */
			continue;
		rows = sequences * sizing_mean_kept(c, cache, context) / sizing_kv_ways(cache, s);
		p->kv += rows * (cache->kept_row - cache->index_kept_row);
		p->index += rows * cache->index_kept_row;
	}
}

/* A stage with that share of the layers, and so many bytes of the vocabulary. */
static struct sizing_parts
stage_of(const struct sizing_parts *all, double share, double vocabulary)
{
	return (struct sizing_parts){.weights = share * all->weights + vocabulary, .kv = share * all->kv,
		.index = share * all->index, .state = share * all->state};
}

static double
whole(struct sizing_parts *p)
{
	p->weights = sizing_round_up(p->weights);
	p->kv = sizing_round_up(p->kv);
	p->index = sizing_round_up(p->index);
	p->state = sizing_round_up(p->state);
	p->activations = sizing_round_up(p->activations);
	p->communication = sizing_round_up(p->communication);
	return p->weights + p->kv + p->index + p->state + p->activations + p->communication;
}

double
sizing_layout_parts(struct sizing_parts *parts, const struct sizing_case *c,
    const struct sizing_layout *l, double concurrency, double context)
{
	struct sizing_split s = {.layout = l, .tensor = l->tensor,
		.experts = expert_ways(&c->input->model, l)};
	double sequences = sizing_round_up(concurrency / l->attention);
	double vocabulary = c->bytes[SIZING_VOCABULARY] / l->tensor;
	double most = sizing_round_up(c->layers / l->pipeline);
	double shorter = most * l->pipeline - c->layers; /* stages, by one layer */
	struct sizing_parts all, middle;

	layer_parts(&all, c, &s, sequences, context);
	if (l->pipeline > 1 && !c->input->model.tied)
		vocabulary /= 2;
	*parts = stage_of(&all, (shorter >= 2 ? most - 1 : most) / c->layers, vocabulary);
	if (shorter >= 2) {
		middle = stage_of(&all, most / c->layers, 0);
		/* Of whole bytes, so that the fuller one never has fewer of them with more to hold. */
		if (whole(&middle) > whole(parts))
			*parts = middle;
	}
	add_activations(parts, c, l, sequences, context);
	return whole(parts);
}

double
sizing_layout_bytes(const struct sizing_case *c, const struct sizing_layout *l, double concurrency,
    double context)
{
	struct sizing_parts parts;

	return sizing_layout_parts(&parts, c, l, concurrency, context);
}

bool
sizing_layout_holds(const struct sizing_case *c, const struct sizing_layout *l, double concurrency,
    double context)
{
	return sizing_layout_bytes(c, l, concurrency, context) <= c->available;
}

double
sizing_layout_concurrency(const struct sizing_case *c, const struct sizing_layout *l)
{
	return sizing_fit_concurrency(c, l, sizing_layout_devices(l));
}

double
sizing_layout_context(const struct sizing_case *c, const struct sizing_layout *l)
{
	return sizing_fit_context(c, l, sizing_layout_devices(l));
}

/* Of whole numbers up to 1e12, whose quotient is whole only if it is exact; fmod() is slow. */
static bool
divides(double a, double b)
{
	double quotient = a / b;

	return quotient == (double)(int64_t)quotient;
}

const char *
sizing_layout_illegal(const struct sizing_case *c, const struct sizing_layout *l)
{
	const struct sizing_model *m = &c->input->model;
	double ranks = l->tensor * l->attention;

	if (l->pipeline > c->layers)
		return "has more stages than the model has layers";
	for (size_t i = 0; i < m->group_count; i++) {
		double heads = m->groups[i].heads, rows = c->caches[i].kv_heads;

		if (heads > 0 && !divides(heads, l->tensor))
			return "splits the attention heads unevenly over the tensor-parallel ranks";
		if (l->kv == SIZING_KV_COPY && rows > 1 && !divides(rows, l->tensor) &&
		    !divides(l->tensor, rows))
			return "splits the KV heads unevenly over the tensor-parallel ranks";
	}
	if (l->attention > 1 && !(c->bytes[SIZING_EXPERTS] > 0))
		return "repeats all weights in each group: without experts that is data parallelism, which reads "
		       "nothing faster; run replicas";
	for (size_t i = 0; l->expert && i < m->ffn_count; i++)
		if (m->ffn[i].experts > 0 && m->ffn[i].experts < ranks)
			return "has more ranks than there are experts";
	if (l->expert && !(c->bytes[SIZING_EXPERTS] > 0))
		return "spreads experts that the model does not have";
	return NULL;
}

double
sizing_layout_step(const struct sizing_case *c, const struct sizing_layout *l)
{
	struct sizing_split s = sizing_split_of(c, l, 0);
	struct sizing_step step;

	sizing_step(&step, c, &s, 1);
	return step.seconds;
}

double
sizing_layout_prefill(const struct sizing_case *c, const struct sizing_layout *l)
{
	struct sizing_split s = sizing_split_of(c, l, 0);

	return sizing_prefill_seconds(c, 0, c->prompt, &s);
}

double
sizing_step_floor(const struct sizing_case *c, double devices, double ranks)
{
	struct sizing_split s = sizing_split_of(c, NULL, ranks);
	struct sizing_step step;

	s.devices = devices;
	s.batch = s.sequences = fmax(c->concurrency * ranks / devices, 1);
	sizing_step(&step, c, &s, 1);
	return step.seconds;
}

double
sizing_prefill_floor(const struct sizing_case *c, double devices, double ranks)
{
	struct sizing_split s = sizing_split_of(c, NULL, devices);

	(void)ranks;
	return sizing_prefill_seconds(c, 0, c->prompt, &s);
}
