/* Batches and ways of splitting at which a bound turns. */
#include <math.h>

#include "advise/formulas_int.h"

/* With experts an equation: the batch B at which dense x E (1 - (1 - k / E)^B) / k is B; put in, B gives itself. */
static struct expr *
class_batch(struct maker *m, int class, const struct sizing_ffn *f)
{
	struct expr *per_second = compute_rate(m, &m->c->paths[class]), *dense, *experts, *active;

	if (per_second == NULL)
		return NULL;
	dense = with_class(expr_define(DIV(m, MUL(m, DIV(m, per_second, bandwidth(m)), expr_leaf(m->a, "weight_bits", DIM_COUNT,
	    m->c->class_bits[class], m->w->inputs[INPUT_WEIGHTS].kind, "weights")), constant(m, 16)), "dense_batch", DIM_COUNT), class);
	if (f == NULL || !(f->active < f->experts))
		return dense;
	experts = model_value(m, "experts", DIM_COUNT, f->experts, "ffn.source");
	active = model_value(m, "experts_active", DIM_COUNT, f->active, "ffn.source");
	return MAX(m, dense, DIV(m, MUL(m, dense, experts, SUB(m, constant(m, 1), OP(m, EXPR_POWER,
	    SUB(m, constant(m, 1), DIV(m, active, experts)), result_of(m, "critical_batch")))), active));
}

/* The class that needs the largest batch decides: the one whose equation the result solves. */
struct expr *
critical_batch(struct maker *m)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *best = NULL;
	double expected = m->r->critical_batch;

	for (int i = 0; i < SIZING_CLASSES; i++) {
		bool skipped = !(m->c->computed[i] > 0) || i == SIZING_VOCABULARY || (i == SIZING_OTHER && m->c->computed_total > 0);

		for (size_t k = 0; !skipped && k < (i == SIZING_EXPERTS ? model->ffn_count : 1); k++) {
			struct expr *e = class_batch(m, i, i == SIZING_EXPERTS ? &model->ffn[k] : NULL);

			if (e != NULL && (best == NULL || fabs(e->value - expected) < fabs(best->value - expected)))
				best = e;
		}
	}
	return best;
}

/* Of the widest feed-forward of a token, what tensor parallelism splits. */
static struct expr *
widest(struct maker *m)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *best = NULL;

	for (size_t i = 0; i < model->ffn_count; i++) {
		const struct sizing_ffn *f = &model->ffn[i];
		struct expr *width = model_value(m, "ffn_width", DIM_COUNT, f->width, "ffn.source");

		if (f->active > 1)
			width = MUL(m, width, model_value(m, "experts_active", DIM_COUNT, f->active, "ffn.source"));
		best = best == NULL || width->value > best->value ? width : best;
	}
	return best;
}

static struct expr *
link(struct maker *m)
{
	return device_value(m, "link", DIM_BYTES_PER_SECOND, m->in->device.link, "sources.link");
}

/* F / (B x beta), with F in weights of the size of an activation: [P7]. */
struct expr *
decode_ways(struct maker *m)
{
	const struct sizing_dtype *activations = m->in->load.activations;
	struct expr *bytes = DIV(m, dtype_bits(m, "weight_bits", m->in->load.weights, INPUT_WEIGHTS), constant(m, 8));
	struct expr *element = expr_leaf(m->a, "element_bytes", DIM_COUNT, activations != NULL ? activations->bits / 8 : 2,
	    QUANTITY_ASSUMED, "activations"), *width = widest(m);

	if (width == NULL)
		return NULL;
	return DIV(m, DIV(m, MUL(m, width, bytes), element), MUL(m, sequences(m), DIV(m, bandwidth(m), link(m))));
}

struct expr *
prefill_ways(struct maker *m)
{
	struct expr *width = widest(m), *per_second = compute_rate(m, &m->r->linear_path);

	if (width == NULL || per_second == NULL)
		return NULL;
	width = MUL(m, width, link(m));
	/* F / (C / W) is of activations of two bytes. */
	if (m->in->load.activations != NULL)
		width = MUL(m, width, DIV(m, constant(m, 2), element_bytes(m)));
	return DIV(m, width, per_second);
}

/* 32 (F / D) (3/4)^2: [P7] exercise 7, on three axes. */
struct expr *
two_d_devices(struct maker *m)
{
	struct expr *width = widest(m);

	return width != NULL ? MUL(m, constant(m, 32), DIV(m, width, model_value(m, "model_width", DIM_COUNT,
	    m->in->model.width, "groups.0.source")), DIV(m, constant(m, 9), constant(m, 16))) : NULL;
}

struct expr *
latency_bound(struct maker *m)
{
	return DIV(m, MUL(m, link(m), device_value(m, "link_latency", DIM_SECONDS, m->in->device.link_latency,
	    "sources.link"), stage_ranks(m)), constant(m, 2));
}

/* Ways above which the collectives of a step wait for hops: a buffer of one step over that of one rank. */
struct expr *
latency_ways(struct maker *m)
{
	return DIV(m, MUL(m, sequences(m), residual_width(m), element_bytes(m)), DIV(m, MUL(m, link(m), device_value(m,
	    "link_latency", DIM_SECONDS, m->in->device.link_latency, "sources.link")), constant(m, 2)));
}

/* sqrt(N D / (2 F)), [P7] exercise 7: of the model width, where weights are split in two dimensions. */
struct expr *
two_d_ways(struct maker *m)
{
	struct expr *width = widest(m);

	return width != NULL ? OP(m, EXPR_POWER, DIV(m, MUL(m, devices_used(m), residual_width(m)),
	    MUL(m, constant(m, 2), width)), constant(m, 0.5)) : NULL;
}

struct expr *
two_d_share(struct maker *m)
{
	return OP(m, EXPR_POWER, DIV(m, result_of(m, "interconnect.two_d_devices"), devices_used(m)), constant(m, 0.5));
}
