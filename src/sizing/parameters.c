#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static double
mixer_parameters(const struct sizing_model *m, const struct sizing_group *g)
{
	double readers = g->readers > 0 ? g->readers : g->layers;

	if (g->also_on)
		return 0;
	if (g->projections > 0)
		return g->layers * g->projections;
	/* A layer that reads the rows of another still has its own query and output matrices. */
	return m->width * (g->layers * (g->key_width + g->value_width) +
	    readers * g->heads * (g->query_width + g->output_width));
}

/* One dense feed-forward, or one routed expert. */
static double
block_parameters(const struct sizing_model *m, const struct sizing_ffn *f)
{
	return f->matrices * (f->input_width > 0 ? f->input_width : m->width) * f->width;
}

static double
ffn_parameters(const struct sizing_model *m, const struct sizing_ffn *f, bool active)
{
	double shared_width = f->shared_width > 0 ? f->shared_width : f->width;
	double blocks = f->experts > 0 ? (active ? f->active : f->experts) : 1;

	return f->layers * (blocks * block_parameters(m, f) +
	    f->shared * f->matrices * m->width * shared_width + f->experts * m->width);
}

double
sizing_parameters(const struct sizing_model *m, bool active)
{
	double n = m->vocabulary * m->width * (m->tied ? 1 : 2) + m->other_parameters;

	for (size_t i = 0; i < m->group_count; i++)
		n += mixer_parameters(m, &m->groups[i]);
	for (size_t i = 0; i < m->ffn_count; i++)
		n += ffn_parameters(m, &m->ffn[i], active);
	return n;
}

double
sizing_experts_touched(double experts, double active, double batch)
{
	if (!(active < experts))
		return experts;
	return experts * -expm1(batch * log1p(-active / experts));
}

/*
 * Bytes of weights that `tokens` at once touch: all but the experts that none of them is routed
 * to, in proportion to parameters, so that full coverage is weight_bytes whatever the dtype.
 */
double
sizing_weights_touched(const struct sizing_case *c, double tokens)
{
	const struct sizing_model *m = &c->input->model;
	double untouched = 0;

	if (!(c->computed_total > 0))
		return c->weight_bytes;
	for (size_t i = 0; i < m->ffn_count; i++) {
		const struct sizing_ffn *f = &m->ffn[i];

		if (f->experts > 0)
			untouched += f->layers * block_parameters(m, f) *
			    (f->experts - sizing_experts_touched(f->experts, f->active, tokens));
	}
	return c->weight_bytes * ((c->computed_total - untouched) / c->computed_total);
}

static double
active_parameters(const struct sizing_result *r, double published)
{
	if (published > 0)
		return published;
	/* In proportion, so that a dense model has as many active as in all. */
	if (r->computed_total > 0)
		return r->parameters_total * (r->computed_active / r->computed_total);
	return r->parameters_total;
}

static bool
same_dtype(const struct sizing_dtype *a, const struct sizing_dtype *b)
{
	return a == b || (a != NULL && b != NULL && a->bits == b->bits && a->compute == b->compute);
}

void
sizing_weights(struct sizing_case *c, struct sizing_result *r)
{
	const struct sizing_model *m = &c->input->model;
	const struct sizing_dtype *dtype = c->input->load.weights;
	double gathered = m->tied ? 0 : m->vocabulary * m->width;

	r->embedding_parameters = m->vocabulary * m->width * (m->tied ? 1 : 2);
	r->computed_total = sizing_parameters(m, false);
	r->computed_active = sizing_parameters(m, true);
	r->parameters_total = m->published_total > 0 ? m->published_total : r->computed_total;
	r->parameters_active = active_parameters(r, m->published_active);
	r->weights_from_checkpoint = m->checkpoint_bytes > 0 &&
	    same_dtype(dtype, m->checkpoint_dtype);
	r->weight_bytes = r->weights_from_checkpoint ? m->checkpoint_bytes
	                                             : r->parameters_total * dtype->bits / 8;
	c->weight_bytes = r->weight_bytes;
	c->computed_total = r->computed_total;
	c->operations_per_token = 2 * r->parameters_active;
	if (r->computed_active > 0)
		c->operations_per_token *= (r->computed_active - gathered) / r->computed_active;
}
