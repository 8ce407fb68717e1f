#include "sizing/formulas.h"
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static const char *const CLASS_NAMES[SIZING_CLASSES] = {
	[SIZING_VOCABULARY] = "vocabulary",
	[SIZING_ATTENTION] = "attention",
	[SIZING_DENSE] = "dense",
	[SIZING_EXPERTS] = "experts",
	[SIZING_SHARED] = "shared",
	[SIZING_OTHER] = "other",
};

const char *
sizing_class_name(enum sizing_class class)
{
	return class < SIZING_CLASSES ? CLASS_NAMES[class] : NULL;
}

static double
mixer_parameters(const struct sizing_model *m, const struct sizing_group *g)
{
	double readers = sizing_readers(g);

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
shared_parameters(const struct sizing_model *m, const struct sizing_ffn *f)
{
	return f->layers * f->shared * f->matrices * m->width *
	    (f->shared_width > 0 ? f->shared_width : f->width);
}

static double
router_parameters(const struct sizing_model *m)
{
	double n = 0;

	for (size_t i = 0; i < m->ffn_count; i++)
		n += m->ffn[i].layers * m->ffn[i].experts * m->width;
	return n;
}

static double
ffn_parameters(const struct sizing_model *m, enum sizing_class class, bool active)
{
	double n = 0;

	for (size_t i = 0; i < m->ffn_count; i++) {
		const struct sizing_ffn *f = &m->ffn[i];

		if (class == SIZING_SHARED)
			n += shared_parameters(m, f);
		else if (class == SIZING_DENSE && !(f->experts > 0))
			n += f->layers * block_parameters(m, f);
		else if (class == SIZING_EXPERTS && f->experts > 0)
			n += f->layers * (active ? f->active : f->experts) * block_parameters(m, f);
	}
	return n;
}

double
sizing_class_parameters(const struct sizing_model *m, enum sizing_class class, bool active)
{
	double n = 0;

	switch (class) {
	case SIZING_VOCABULARY:
		return m->vocabulary * m->width * (m->tied ? 1 : 2);
	case SIZING_ATTENTION:
		for (size_t i = 0; i < m->group_count; i++)
			n += mixer_parameters(m, &m->groups[i]);
		return n;
	case SIZING_OTHER:
		return m->other_parameters + router_parameters(m);
	default:
		return ffn_parameters(m, class, active);
	}
}

double
sizing_parameters(const struct sizing_model *m, bool active)
{
	double n = 0;

	for (int class = 0; class < SIZING_CLASSES; class++)
		n += sizing_class_parameters(m, (enum sizing_class)class, active);
	return n;
}

double
sizing_experts_share(const struct sizing_case *c, double tokens)
{
	const struct sizing_model *m = &c->input->model;
	double all = 0, touched = 0;

	for (size_t i = 0; i < m->ffn_count; i++) {
		const struct sizing_ffn *f = &m->ffn[i];
		double weight = f->experts > 0 ? f->layers * block_parameters(m, f) : 0;

		all += weight * f->experts;
		touched += weight > 0 ? weight * sizing_experts_touched(f->experts, f->active, tokens) : 0;
	}
	return all > 0 ? touched / all : 1;
}

static double
active_parameters(const struct sizing_case *c, double published)
{
	if (published > 0)
		return published;
	/* In proportion, so that a dense model has as many active as in all. */
	if (c->computed_total > 0)
		return c->parameters_total * (c->computed_active / c->computed_total);
	return c->parameters_total;
}

static bool
same_dtype(const struct sizing_dtype *a, const struct sizing_dtype *b)
{
	return a == b || (a != NULL && b != NULL && a->bits == b->bits && a->compute == b->compute);
}

/* The dtype of each class; true if they are those of the checkpoint. */
static bool
choose_dtypes(const struct sizing_dtype *dtypes[SIZING_CLASSES], const struct sizing_input *in)
{
	const struct sizing_model *m = &in->model;
	bool of_checkpoint = same_dtype(in->load.weights, m->checkpoint_dtype);

	for (int i = 0; i < SIZING_CLASSES; i++)
		if (in->load.tensors[i] != NULL)
			of_checkpoint = false;
	for (int i = 0; i < SIZING_CLASSES; i++) {
		const struct sizing_dtype *own = of_checkpoint ? m->checkpoint_tensors[i]
		                                               : in->load.tensors[i];

		dtypes[i] = own != NULL ? own : in->load.weights;
	}
	return of_checkpoint;
}

/*
 * A published total is rounded ("8B" of 8.03e9): within 2 %, where both are of the same weights, the sum of the
 * matrices is the finer count. Further apart the profile leaves something out.
 */
static double
weighed_parameters(const struct sizing_case *c)
{
	bool same = fabs(c->computed_total - c->parameters_total) <= 0.02 * c->parameters_total;

	return same ? c->computed_total : c->parameters_total;
}

/* Bytes of all weights: the checkpoint's own if known, else parameters x dtype by class. */
static double
weight_bytes(const struct sizing_case *c)
{
	const struct sizing_dtype *weights = c->input->load.weights;
	bool mixed = false;
	double bits = 0;

	if (c->from_checkpoint)
		return c->input->model.checkpoint_bytes;
	for (int i = 0; i < SIZING_CLASSES; i++) {
		bits += c->computed[i] * c->class_bits[i];
		mixed = mixed || (c->computed[i] > 0 && c->class_bits[i] != weights->bits);
	}
	/* One dtype: no detour over a quotient, so that whole counts stay exact. */
	return weighed_parameters(c) * (mixed ? bits / c->computed_total : weights->bits) / 8;
}

void
sizing_weights(struct sizing_case *c)
{
	const struct sizing_model *m = &c->input->model;
	const struct sizing_load *load = &c->input->load;
	const struct sizing_dtype *dtypes[SIZING_CLASSES];
	bool of_checkpoint = choose_dtypes(dtypes, c->input);
	double per_token[SIZING_CLASSES], bits = 0, operations = 0;

	c->computed_total = sizing_parameters(m, false);
	c->computed_active = sizing_parameters(m, true);
	c->parameters_total = m->published_total > 0 ? m->published_total : c->computed_total;
	c->parameters_active = active_parameters(c, m->published_active);
	c->from_checkpoint = of_checkpoint && m->checkpoint_bytes > 0;
	for (int i = 0; i < SIZING_CLASSES; i++) {
		c->computed[i] = sizing_class_parameters(m, (enum sizing_class)i, false);
		per_token[i] = 2 * sizing_class_parameters(m, (enum sizing_class)i, true);
		c->class_bits[i] = dtypes[i]->bits;
		c->paths[i] = sizing_path_of(&c->input->device, dtypes[i], load->activations);
	}
	if (!m->tied) /* the input embedding is gathered, not multiplied */
		per_token[SIZING_VOCABULARY] /= 2;
	if (!(c->computed_total > 0)) {
		/* Nothing is known but how many there are. */
		c->computed[SIZING_OTHER] = c->parameters_total;
		per_token[SIZING_OTHER] = 2 * c->parameters_active;
	}
	c->weight_bytes = weight_bytes(c);
	for (int i = 0; i < SIZING_CLASSES; i++)
		bits += c->computed[i] * c->class_bits[i];
	for (int i = 0; i < SIZING_CLASSES; i++) {
		c->bytes[i] = c->weight_bytes * (c->computed[i] * c->class_bits[i] / bits);
		/* As computed, not as published: makers round, and some leave the vocabulary out. */
		c->operations[i] = per_token[i];
		operations += c->operations[i];
	}
	c->router_bytes = c->computed[SIZING_OTHER] > 0
	    ? c->bytes[SIZING_OTHER] * (router_parameters(m) / c->computed[SIZING_OTHER]) : 0;
	c->operations_per_token = operations;
}
