/* Parameters by class of tensor, the bytes that they come to, and what a number of tokens touches of them. */
#include <math.h>

#include "advise/formulas_int.h"

static struct expr *
model_width(struct maker *m)
{
	return model_value(m, "model_width", DIM_COUNT, m->in->model.width, "groups.0.source");
}

static struct expr *
vocabulary(struct maker *m)
{
	return model_value(m, "vocabulary", DIM_COUNT, m->in->model.vocabulary, "groups.0.source");
}

static struct expr *
ffn_value(struct maker *m, const char *name, double value)
{
	return in_part(m, model_value(m, name, DIM_COUNT, value, "ffn.source"));
}

static struct expr *
mixer_part(struct maker *m)
{
	const struct sizing_group *g = m->group;
	struct expr *own, *queries;

	if (g->also_on)
		return NULL;
	if (g->projections > 0)
		return MUL(m, group_layers(m), group_value(m, "mixer_parameters", DIM_COUNT, g->projections));
	own = MUL(m, group_layers(m), ADD(m, group_value(m, "key_width", DIM_COUNT, g->key_width),
	    group_value(m, "value_width", DIM_COUNT, g->value_width)));
	queries = MUL(m, group_readers(m), group_value(m, "heads", DIM_COUNT, g->heads),
	    ADD(m, group_value(m, "query_width", DIM_COUNT, g->query_width),
	    group_value(m, "output_width", DIM_COUNT, g->output_width)));
	return in_part(m, expr_define(MUL(m, model_width(m), ADD(m, own, queries)), "group_parameters", DIM_COUNT));
}

/* One dense feed-forward, or one routed expert, of all its layers. */
static struct expr *
block(struct maker *m, const struct sizing_ffn *f)
{
	struct expr *inner = f->input_width > 0 ? ffn_value(m, "input_width", f->input_width) : model_width(m);

	return MUL(m, ffn_value(m, "layers", f->layers), ffn_value(m, "matrices", f->matrices), inner,
	    ffn_value(m, "ffn_width", f->width));
}

static struct expr *
dense_part(struct maker *m, const struct sizing_ffn *f)
{
	return f->experts > 0 ? NULL : block(m, f);
}

static struct expr *
experts_part(struct maker *m, const struct sizing_ffn *f)
{
	return f->experts > 0 ? MUL(m, ffn_value(m, "experts", f->experts), block(m, f)) : NULL;
}

static struct expr *
active_part(struct maker *m, const struct sizing_ffn *f)
{
	return f->experts > 0 ? MUL(m, ffn_value(m, "experts_active", f->active), block(m, f)) : NULL;
}

static struct expr *
shared_part(struct maker *m, const struct sizing_ffn *f)
{
	if (!(f->shared > 0))
		return NULL;
	return MUL(m, ffn_value(m, "layers", f->layers), ffn_value(m, "shared_experts", f->shared),
	    ffn_value(m, "matrices", f->matrices), model_width(m),
	    ffn_value(m, "shared_width", f->shared_width > 0 ? f->shared_width : f->width));
}

static struct expr *
router_part(struct maker *m, const struct sizing_ffn *f)
{
	if (!(f->experts > 0))
		return NULL;
	return MUL(m, ffn_value(m, "layers", f->layers), ffn_value(m, "experts", f->experts), model_width(m));
}

struct expr *
routers(struct maker *m)
{
	return over_ffn(m, router_part);
}

/* NULL where the model has none of the class. */
static struct expr *
class_formula(struct maker *m, int class, bool active)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *sum;

	switch (class) {
	case SIZING_VOCABULARY:
		return MUL(m, vocabulary(m), model_width(m), constant(m, model->tied ? 1 : 2));
	case SIZING_ATTENTION:
		return over_groups(m, mixer_part);
	case SIZING_DENSE:
		return over_ffn(m, dense_part);
	case SIZING_EXPERTS:
		return over_ffn(m, active ? active_part : experts_part);
	case SIZING_SHARED:
		return over_ffn(m, shared_part);
	default:
		sum = routers(m);
		return model->other_parameters > 0 ? ADD(m, sum, model_value(m, "other_parameters", DIM_COUNT,
		    model->other_parameters, "groups.0.source")) : sum;
	}
}

static struct expr *
of_class(struct expr *e, const char *name, int class, enum dimension dimension)
{
	e->detail = sizing_class_name((enum sizing_class)class);
	return expr_define(e, name, dimension);
}

struct expr *
class_parameters(struct maker *m, int class, bool active)
{
	struct expr *e;

	/* Nothing is known but how many there are. */
	if (!(m->c->computed_total > 0))
		return class == SIZING_OTHER ? result_of(m, active ? "parameters.active" : "parameters.total") : NULL;
	e = class_formula(m, class, active);
	if (!(e->value > 0))
		return NULL;
	return of_class(e, active && class == SIZING_EXPERTS ? "class_active" : "class_parameters", class, DIM_COUNT);
}

struct expr *
over_classes(struct maker *m, class_part *part)
{
	struct expr *parts[SIZING_CLASSES + 1] = { NULL }, *sum;
	size_t n = 0;

	for (int i = 0; i < SIZING_CLASSES; i++) {
		parts[n] = part(m, i);
		n += parts[n] != NULL;
	}
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "classes";
	return sum;
}

static struct expr *
total_part(struct maker *m, int class)
{
	return class_parameters(m, class, false);
}

static struct expr *
active_class_part(struct maker *m, int class)
{
	return class_parameters(m, class, true);
}

static struct expr *
parameters(struct maker *m, bool active)
{
	return expr_define(over_classes(m, active ? active_class_part : total_part),
	    active ? "computed_active" : "computed_total", DIM_COUNT);
}

struct expr *
parameters_total(struct maker *m)
{
	if (m->in->model.published_total > 0)
		return model_value(m, "published_total", DIM_COUNT, m->in->model.published_total, "published.source");
	return parameters(m, false);
}

struct expr *
parameters_active(struct maker *m)
{
	if (m->in->model.published_active > 0)
		return model_value(m, "published_active", DIM_COUNT, m->in->model.published_active, "published.source");
	/* A dense model has as many active as in all. */
	if (m->c->computed_active == m->c->computed_total)
		return MUL(m, result_of(m, "parameters.total"));
	return MUL(m, result_of(m, "parameters.total"), DIV(m, parameters(m, true), parameters(m, false)));
}

/* ---- bytes ---- */

static struct expr *
class_bits(struct maker *m, int class)
{
	bool own = m->in->load.tensors[class] != NULL;
	struct expr *e = expr_leaf(m->a, "weight_bits", DIM_COUNT, m->c->class_bits[class],
	    m->w->inputs[own ? INPUT_TENSORS : INPUT_WEIGHTS].kind, input_name(own ? INPUT_TENSORS : INPUT_WEIGHTS));

	e->detail = sizing_class_name((enum sizing_class)class);
	return e;
}

static struct expr *
bits_part(struct maker *m, int class)
{
	struct expr *parameters = class_parameters(m, class, false);

	return parameters != NULL ? MUL(m, parameters, class_bits(m, class)) : NULL;
}

static bool
is_mixed(struct maker *m)
{
	for (int i = 0; i < SIZING_CLASSES; i++)
		if (m->c->computed[i] > 0 && m->c->class_bits[i] != m->in->load.weights->bits)
			return true;
	return false;
}

struct expr *
weights(struct maker *m)
{
	/* Within 2 % of a published total, which is rounded, the matrices are the finer count. */
	bool same = m->c->computed_total > 0 &&
	    fabs(m->c->computed_total - m->c->parameters_total) <= 0.02 * m->c->parameters_total;
	struct expr *total = same ? parameters(m, false) : result_of(m, "parameters.total");

	if (m->c->from_checkpoint)
		return model_value(m, "checkpoint_bytes", DIM_BYTES, m->in->model.checkpoint_bytes, "checkpoint.source");
	if (!is_mixed(m))
		return DIV(m, MUL(m, total, dtype_bits(m, "weight_bits", m->in->load.weights, INPUT_WEIGHTS)), constant(m, 8));
	return DIV(m, MUL(m, total, DIV(m, over_classes(m, bits_part), parameters(m, false))), constant(m, 8));
}

/* In proportion to parameters and bits, so that all classes together are weights.bytes, also of a checkpoint. */
struct expr *
class_bytes(struct maker *m, int class)
{
	struct expr *own = class_parameters(m, class, false), *share;

	if (own == NULL)
		return NULL;
	if (!(m->c->computed_total > 0))
		return result_of(m, "weights.bytes");
	share = is_mixed(m) ? DIV(m, MUL(m, own, class_bits(m, class)), over_classes(m, bits_part))
	                    : DIV(m, own, parameters(m, false));
	return of_class(MUL(m, result_of(m, "weights.bytes"), share), "class_bytes", class, DIM_BYTES);
}

/* Experts of E that B tokens touch, over E: 1 - (1 - k / E)^B. */
static struct expr *
touched(struct maker *m, const struct sizing_ffn *f)
{
	struct expr *experts = ffn_value(m, "experts", f->experts);

	if (!(f->active < f->experts))
		return constant(m, 1);
	return SUB(m, constant(m, 1), OP(m, EXPR_POWER, SUB(m, constant(m, 1),
	    DIV(m, ffn_value(m, "experts_active", f->active), experts)), m->tokens));
}

static struct expr *
touched_part(struct maker *m, const struct sizing_ffn *f)
{
	return f->experts > 0 ? MUL(m, experts_part(m, f), touched(m, f)) : NULL;
}

/* The share of the experts' bytes that `tokens` at once touch. */
struct expr *
experts_share(struct maker *m, struct expr *tokens)
{
	const struct sizing_model *model = &m->in->model;
	const struct sizing_ffn *only = NULL;
	size_t kinds = 0;
	struct expr *kept = m->tokens, *share;

	for (size_t i = 0; i < model->ffn_count; i++) {
		if (model->ffn[i].experts > 0) {
			only = &model->ffn[i];
			kinds++;
		}
	}
	m->tokens = tokens;
	share = kinds == 1 ? touched(m, only) : DIV(m, over_ffn(m, touched_part), over_ffn(m, experts_part));
	m->tokens = kept;
	return share;
}

/* 2 operations a parameter; the input embedding, where it is a table of its own, is gathered and not multiplied. */
struct expr *
class_operations(struct maker *m, int class)
{
	struct expr *active = class_parameters(m, class, true);
	bool gathered = class == SIZING_VOCABULARY && !m->in->model.tied && m->c->computed_total > 0;

	if (active == NULL)
		return NULL;
	return of_class(MUL(m, constant(m, gathered ? 1 : 2), active), "class_operations", class, DIM_COUNT);
}

struct expr *
operations_per_token(struct maker *m)
{
	return over_classes(m, class_operations);
}
