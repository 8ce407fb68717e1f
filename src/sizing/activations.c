#include "sizing/activations.h"
#include "sizing/sizing_int.h"

#include <math.h>

enum { LOGIT_BYTES = 4 };

/* Elements of one token between the reading and the writing of the residual stream. */
static double
attention_elements(const struct sizing_model *m)
{
	double most = 0;

	for (size_t i = 0; i < m->group_count; i++) {
		const struct sizing_group *g = &m->groups[i];
		double query = g->prefill_query_width > 0 ? g->prefill_query_width : g->query_width;
		double output = g->prefill_output_width > 0 ? g->prefill_output_width : g->output_width;

		most = fmax(most, g->heads * (query + output) + g->key_width + g->value_width);
	}
	return most;
}

static double
ffn_elements(const struct sizing_model *m)
{
	double most = 0;

	for (size_t i = 0; i < m->ffn_count; i++) {
		const struct sizing_ffn *f = &m->ffn[i];
		double hidden = (f->experts > 0 ? f->active : 1) * f->width +
		    f->shared * (f->shared_width > 0 ? f->shared_width : f->width);

		most = fmax(most, fmax(f->matrices - 1, 1) * hidden);
	}
	return most;
}

static int
check_pass(const struct sizing_pass *p, struct sizing_error *error)
{
	if (!(p->tokens >= 1 && p->tokens <= SIZING_MAX_LOAD) || p->tokens != floor(p->tokens))
		return sizing_fail(error, "pass.tokens", -1, "is no whole number of tokens");
	if (!(p->sequences >= 1 && p->sequences <= p->tokens))
		return sizing_fail(error, "pass.sequences", -1,
		    "is less than 1, or more than the tokens of the pass");
	if (p->ranks != 0 && (!(p->ranks >= 1 && p->ranks <= SIZING_MAX_LOAD) ||
	    p->ranks != floor(p->ranks)))
		return sizing_fail(error, "pass.ranks", -1, "is no whole number of devices");
	if (p->dtype != NULL && !(p->dtype->bits >= 0.125 && p->dtype->bits <= 128))
		return sizing_fail(error, "pass.dtype", -1, "has no sensible bits per element");
	return 0;
}

void
sizing_activations_of(struct sizing_activations *out, const struct sizing_model *m,
    const struct sizing_pass *pass)
{
	double ranks = pass->ranks > 0 ? pass->ranks : 1;
	double each = pass->tokens * (pass->dtype != NULL ? pass->dtype->bits : 16) / 8;

	out->residual = ceil(each * m->width);
	out->attention = ceil(each * attention_elements(m) / ranks);
	out->ffn = ceil(each * ffn_elements(m) / ranks);
	out->logits = ceil(pass->all_logits ? pass->tokens : pass->sequences) * m->vocabulary *
	    LOGIT_BYTES;
	out->peak = 2 * out->residual + fmax(fmax(out->attention, out->ffn), out->logits);
}

int
sizing_activate(struct sizing_activations *out, const struct sizing_model *m,
    const struct sizing_pass *pass, struct sizing_error *error)
{
	*out = (struct sizing_activations){0};
	if (sizing_check_model(m, error) != 0 || check_pass(pass, error) != 0)
		return -1;
	if (!(m->width > 0))
		return sizing_fail(error, "model.width", -1, "is missing or zero");
	sizing_activations_of(out, m, pass);
	return 0;
}
