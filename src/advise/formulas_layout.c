/* One layout (sizing/layout.h): how a step is divided, what the fullest device holds. */
#include <math.h>

#include "advise/formulas_int.h"

/* ---- the division ---- */

struct expr *
devices_used(struct maker *m)
{
	if (m->layout != NULL)
		return expr_define(MUL(m, result_of(m, "layout.tensor"), result_of(m, "layout.attention"),
		    result_of(m, "layout.pipeline")), "devices", DIM_COUNT);
	if (m->w->inputs[INPUT_ACCELERATORS].known)
		return input_of(m, INPUT_ACCELERATORS, "devices");
	return result_of(m, "accelerators.needed");
}

struct expr *
tensor_ways(struct maker *m)
{
	return m->layout != NULL ? result_of(m, "layout.tensor") : devices_used(m);
}

/* Tensor x attention; factors of one are left out. */
struct expr *
stage_ranks(struct maker *m)
{
	if (m->layout == NULL)
		return devices_used(m);
	if (m->layout->attention == 1)
		return result_of(m, "layout.tensor");
	return expr_define(MUL(m, result_of(m, "layout.tensor"), result_of(m, "layout.attention")), "stage_ranks", DIM_COUNT);
}

struct expr *
stage_batch(struct maker *m)
{
	if (m->layout == NULL || m->layout->pipeline == 1)
		return sequences(m);
	return expr_define(MAX(m, DIV(m, sequences(m), result_of(m, "layout.pipeline")), constant(m, 1)), "stage_batch", DIM_COUNT);
}

struct expr *
rank_sequences(struct maker *m)
{
	if (m->layout == NULL || m->layout->attention == 1)
		return stage_batch(m);
	return expr_define(MAX(m, DIV(m, stage_batch(m), result_of(m, "layout.attention")), constant(m, 1)), "rank_sequences",
	    DIM_COUNT);
}

/* Whole experts leave some ranks with one more. */
struct expr *
expert_ways(struct maker *m)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *ranks = stage_ranks(m), *least = NULL;

	if (m->layout == NULL || !m->layout->expert)
		return ranks;
	for (size_t i = 0; i < model->ffn_count; i++) {
		struct expr *experts, *ways;

		if (!(model->ffn[i].experts > 0))
			continue;
		experts = model_value(m, "experts", DIM_COUNT, model->ffn[i].experts, "ffn.source");
		ways = DIV(m, experts, CEIL(m, DIV(m, experts, ranks)));
		least = least == NULL || ways->value < least->value ? ways : least;
	}
	return least != NULL ? expr_define(least, "expert_ways", DIM_COUNT) : ranks;
}

/* Fewer KV heads than ranks are copied: rows are split by heads and no further. */
struct expr *
kv_ways(struct maker *m)
{
	double heads = m->c->caches[m->group - m->in->model.groups].kv_heads;
	struct expr *leaf;

	if (m->layout == NULL || m->layout->kv != SIZING_KV_COPY || m->layout->tensor == 1)
		return tensor_ways(m);
	leaf = group_value(m, "kv_heads", DIM_COUNT, heads);
	return in_part(m, expr_define(DIV(m, leaf, CEIL(m, DIV(m, leaf, tensor_ways(m)))), "kv_ways", DIM_COUNT));
}

struct expr *
imbalance(struct maker *m)
{
	return m->in->load.expert_imbalance > 1 ? input_of(m, INPUT_IMBALANCE, "imbalance") : NULL;
}

struct expr *
chunks(struct maker *m, struct expr *tokens)
{
	if (!(m->in->load.prefill_chunk > 0))
		return NULL;
	return expr_define(CEIL(m, DIV(m, tokens, input_of(m, INPUT_PREFILL_CHUNK, "chunk"))), "chunks", DIM_COUNT);
}

struct expr *
fill(struct maker *m, struct expr *tokens)
{
	struct expr *waiting;

	if (!(m->in->load.prefill_chunk > 0) || m->layout == NULL || m->layout->pipeline == 1)
		return NULL;
	waiting = SUB(m, result_of(m, "layout.pipeline"), constant(m, 1));
	return expr_define(ADD(m, constant(m, 1), DIV(m, MUL(m, waiting,
	    MIN(m, input_of(m, INPUT_PREFILL_CHUNK, "chunk"), tokens)), tokens)), "fill", DIM_RATIO);
}

/* ---- what the fullest device holds ---- */

/* The layers of its stage, as a share of all; NULL: all of them. */
static struct expr *
stage_share(struct maker *m)
{
	double stages = m->layout->pipeline, shorter = ceil(m->c->layers / stages) * stages - m->c->layers;
	bool short_ends = shorter >= 2;
	struct expr *all, *most;

	if (stages == 1)
		return NULL;
	all = model_value(m, "layers", DIM_COUNT, m->c->layers, "groups.0.source");
	most = CEIL(m, DIV(m, all, result_of(m, "layout.pipeline")));
	if (short_ends && !m->middle)
		most = SUB(m, most, constant(m, 1));
	return expr_define(DIV(m, most, all), "stage_share", DIM_RATIO);
}

static struct expr *
of_stage(struct maker *m, struct expr *bytes)
{
	struct expr *share = stage_share(m);

	return share != NULL ? MUL(m, share, bytes) : bytes;
}

static struct expr *
router_bytes(struct maker *m)
{
	struct expr *all = class_bytes(m, SIZING_OTHER);

	if (all == NULL || !(m->c->router_bytes > 0))
		return NULL;
	return expr_define(MUL(m, all, DIV(m, routers(m), class_parameters(m, SIZING_OTHER, false))), "router_bytes", DIM_BYTES);
}

/* Split over the tensor ranks: all but the vocabulary, the routers and the routed experts. */
static struct expr *
split_bytes(struct maker *m, struct expr *router)
{
	static const int classes[] = { SIZING_ATTENTION, SIZING_DENSE, SIZING_SHARED, SIZING_OTHER };
	struct expr *sum = NULL;

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		struct expr *bytes = class_bytes(m, classes[i]);

		if (bytes != NULL)
			sum = sum != NULL ? ADD(m, sum, bytes) : bytes;
	}
	if (sum != NULL && router != NULL)
		sum = SUB(m, sum, router);
	return sum;
}

struct expr *
layout_weights(struct maker *m)
{
	struct expr *router = router_bytes(m), *split = split_bytes(m, router), *experts = class_bytes(m, SIZING_EXPERTS);
	struct expr *vocabulary = class_bytes(m, SIZING_VOCABULARY), *sum = split != NULL ? DIV(m, split, tensor_ways(m)) : constant(m, 0);

	if (router != NULL)
		sum = ADD(m, sum, router);
	if (experts != NULL)
		sum = ADD(m, sum, DIV(m, experts, expert_ways(m)));
	sum = of_stage(m, sum);
	if (vocabulary != NULL && !m->middle) {
		vocabulary = DIV(m, vocabulary, tensor_ways(m));
		/* An untied table stands at either end. */
		if (m->layout->pipeline > 1 && !m->in->model.tied)
			vocabulary = DIV(m, vocabulary, constant(m, 2));
		sum = ADD(m, sum, vocabulary);
	}
	return CEIL(m, sum);
}

/* Whole sequences: the fullest group has one more where they do not divide. */
static struct expr *
whole_sequences(struct maker *m, struct expr *concurrency)
{
	if (m->layout->attention == 1)
		return CEIL(m, concurrency);
	return CEIL(m, DIV(m, concurrency, result_of(m, "layout.attention")));
}

static struct expr *
held_rows(struct maker *m)
{
	struct expr *row = row_bytes(m), *index = index_row_bytes(m);

	if (row == NULL || (index != NULL && index->value == row->value))
		return NULL;
	return DIV(m, MUL(m, group_layers(m), rows_kept(m), index != NULL ? SUB(m, row, index) : row), kv_ways(m));
}

static struct expr *
held_index(struct maker *m)
{
	struct expr *index = index_row_bytes(m);

	return index != NULL ? DIV(m, MUL(m, group_layers(m), rows_kept(m), index), kv_ways(m)) : NULL;
}

static struct expr *
held(struct maker *m, struct expr *concurrency, struct expr *context, group_part *part)
{
	m->tokens = context;
	return CEIL(m, of_stage(m, MUL(m, whole_sequences(m, concurrency), over_groups(m, part))));
}

static struct expr *
held_state(struct maker *m, struct expr *concurrency)
{
	return CEIL(m, of_stage(m, DIV(m, MUL(m, whole_sequences(m, concurrency),
	    expr_define(state_bytes(m), "sequence_state", DIM_BYTES)), tensor_ways(m))));
}

struct expr *
layout_kv(struct maker *m)
{
	return held(m, sequences(m), context_tokens(m), held_rows);
}

struct expr *
layout_index(struct maker *m)
{
	return held(m, sequences(m), context_tokens(m), held_index);
}

struct expr *
layout_state(struct maker *m)
{
	return held_state(m, sequences(m));
}

struct expr *
element_bytes(struct maker *m)
{
	const struct sizing_dtype *d = m->in->load.activations;

	return expr_leaf(m->a, "element_bytes", DIM_BYTES, d != NULL ? d->bits / 8 : 2,
	    d != NULL ? m->w->inputs[INPUT_ACTIVATIONS].kind : QUANTITY_ASSUMED, "activations");
}

struct expr *
residual_width(struct maker *m)
{
	return model_value(m, "model_width", DIM_COUNT, m->in->model.width, "groups.0.source");
}

/* Elements of one token between the reading and the writing of the residual stream: the most of all groups. */
static struct expr *
attention_elements(struct maker *m)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *most = constant(m, 0);

	for (size_t i = 0; i < model->group_count; i++) {
		const struct sizing_group *g = m->group = &model->groups[i];
		double query = g->prefill_query_width > 0 ? g->prefill_query_width : g->query_width;
		double output = g->prefill_output_width > 0 ? g->prefill_output_width : g->output_width;
		struct expr *e = ADD(m, MUL(m, group_value(m, "heads", DIM_COUNT, g->heads),
		    ADD(m, group_value(m, "prefill_query_width", DIM_COUNT, query),
		    group_value(m, "prefill_output_width", DIM_COUNT, output))),
		    group_value(m, "key_width", DIM_COUNT, g->key_width), group_value(m, "value_width", DIM_COUNT, g->value_width));

		most = e->value > most->value ? e : most;
	}
	m->group = NULL;
	return expr_define(MUL(m, most), "attention_elements", DIM_COUNT);
}

static struct expr *
ffn_elements(struct maker *m)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *most = constant(m, 0);

	for (size_t i = 0; i < model->ffn_count; i++) {
		const struct sizing_ffn *f = &model->ffn[i];
		struct expr *hidden = model_value(m, "ffn_width", DIM_COUNT, f->width, "ffn.source");

		if (f->experts > 0)
			hidden = MUL(m, model_value(m, "experts_active", DIM_COUNT, f->active, "ffn.source"), hidden);
		if (f->shared > 0)
			hidden = ADD(m, hidden, MUL(m, model_value(m, "shared_experts", DIM_COUNT, f->shared, "ffn.source"),
			    model_value(m, "shared_width", DIM_COUNT, f->shared_width > 0 ? f->shared_width : f->width, "ffn.source")));
		hidden = MUL(m, MAX(m, SUB(m, model_value(m, "matrices", DIM_COUNT, f->matrices, "ffn.source"), constant(m, 1)),
		    constant(m, 1)), hidden);
		most = hidden->value > most->value ? hidden : most;
	}
	return expr_define(MUL(m, most), "ffn_elements", DIM_COUNT);
}

/* Tokens that go through a layer at once. */
static struct expr *
pass_tokens(struct maker *m)
{
	return expr_define(MAX(m, MIN(m, input_of(m, INPUT_PREFILL_CHUNK, "chunk"), prompt_tokens(m)),
	    whole_sequences(m, sequences(m))), "pass_tokens", DIM_TOKENS);
}

/* The residual stream and what is added to it, the widest buffer of a layer or the logits: sizing/activations.h. */
struct expr *
activations(struct maker *m)
{
	struct expr *each, *ranks = tensor_ways(m), *logits;

	if (m->layout == NULL)
		return NULL;
	each = MUL(m, pass_tokens(m), element_bytes(m));
	logits = MUL(m, whole_sequences(m, sequences(m)), model_value(m, "vocabulary", DIM_COUNT,
	    m->in->model.vocabulary, "groups.0.source"), constant(m, 4));
	logits->dimension = DIM_BYTES;
	return CEIL(m, ADD(m, MUL(m, constant(m, 2), CEIL(m, MUL(m, each, residual_width(m)))),
	    MAX(m, CEIL(m, DIV(m, MUL(m, each, attention_elements(m)), ranks)),
	    CEIL(m, DIV(m, MUL(m, each, ffn_elements(m)), ranks)), logits)));
}

struct expr *
communication(struct maker *m)
{
	return m->layout != NULL ? CEIL(m, MUL(m, pass_tokens(m), residual_width(m), element_bytes(m))) : NULL;
}

struct expr *
layout_bytes(struct maker *m, struct expr *concurrency, struct expr *context)
{
	struct expr *sum = result_of(m, "budget.weights");

	if (m->r->kv_bytes > m->r->index_bytes)
		sum = ADD(m, sum, held(m, concurrency, context, held_rows));
	if (m->r->index_bytes > 0)
		sum = ADD(m, sum, held(m, concurrency, context, held_index));
	if (m->r->state_bytes > 0)
		sum = ADD(m, sum, held_state(m, concurrency));
	if (m->r->budget.activations > 0)
		sum = ADD(m, sum, result_of(m, "budget.activations"));
	if (m->r->budget.communication > 0)
		sum = ADD(m, sum, result_of(m, "budget.communication"));
	return sum;
}
