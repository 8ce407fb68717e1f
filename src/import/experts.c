#include "import/experts.h"

#include <math.h>
#include <string.h>

/* Three matrices where one of them gates, else two. */
static double
matrices(const struct config *c)
{
	const char *act = fact_text(c, FACT_ACT);

	if (fact_is(c, FACT_GATED))
		return fact_yes(c, FACT_GATED, true) ? 3 : 2;
	if (act != NULL && strstr(act, "gated") != NULL)
		return 3;
	if (act != NULL && strcmp(act, "relu2") == 0)
		return 2;
	return c->family != NULL && c->family->flags & FAMILY_TWO_MATRICES ? 2 : 3;
}

/* Searched models give a multiple of the model width, times 2/3 for the gate, rounded up to 256. */
static double
block_width(const struct config *c, size_t i)
{
	const struct val *list = fact(c, FACT_BLOCK_CONFIGS, NULL);
	const struct val *ffn = val_is(list, VAL_LIST) && i < list->list.count ? val_get(list->list.items[i], "ffn") : NULL;
	const struct val *off = val_get(ffn, "no_op"), *mult = val_get(ffn, "ffn_mult"), *width;

	if (ffn == NULL)
		return -1;
	if (val_is(off, VAL_BOOL) && off->boolean)
		return 0;
	if (val_is(width = val_get(ffn, "intermediate_size"), VAL_NUM))
		return count_of(c, width, "intermediate_size");
	if (!val_is(mult, VAL_NUM) || !(mult->number > 0) || mult->number > 1000) {
		draft_fail(c->d, ffn->at, "ffn: expected `ffn_mult` above 0 or `intermediate_size`");
		return 0;
	}
	return ceil(floor(2 * mult->number * c->d->m.width / 3) / 256) * 256;
}

/* The original Llama files: 2/3 of four times the width, times a factor, rounded up. */
static double
derived_width(struct config *c)
{
	double multiple = fact_count(c, FACT_MULTIPLE_OF), n = floor(8 * c->d->m.width / 3);
	const struct val *factor = fact(c, FACT_FFN_MULTIPLIER, NULL);

	if (multiple > 0) {
		if (val_is(factor, VAL_NUM) && factor->number > 0 && factor->number < 100)
			n = floor(n * factor->number);
		return ceil(n / multiple) * multiple;
	}
	if (c->family != NULL && c->family->flags & FAMILY_FFN_4) {
		draft_note(c->d, c->at, NOTE_FFN_DEFAULT, fact_key(FACT_FFN));
		return 4 * c->d->m.width;
	}
	draft_fail(c->d, fact_at(c, FACT_FFN), "expected `intermediate_size` above 0 in a layer with a feed-forward");
	return 0;
}

static double
dense_width(struct config *c, size_t i)
{
	double n = block_width(c, i);

	if (n >= 0)
		return n;
	n = fact_count_at(c, FACT_DENSE_FFN, i);
	if (!(n > 0) && c->family != NULL && c->family->flags & FAMILY_SHARED_DENSE)
		n = fact_count_at(c, FACT_SHARED_FFN, i);
	if (!(n > 0))
		n = fact_count_at(c, FACT_FFN, i);
	if (c->family != NULL && c->family->flags & FAMILY_HALF_FFN)
		n = floor(n / 2);
	/* Layers that read the cache of others may have twice the width. */
	if (fact_yes(c, FACT_DOUBLE_WIDE, false) && (double)i >= (double)c->layers - fact_count(c, FACT_SHARED_LAYERS))
		n *= 2;
	return n > 0 ? n : derived_width(c);
}

void
experts_dense(struct config *c, double layers)
{
	struct sizing_ffn f = { .layers = 1, .width = dense_width(c, 0), .matrices = matrices(c) };

	for (double i = 0; i < layers && c->d->rc == OK; i++)
		draft_ffn(c->d, &f);
}

/* A width of its own is that of one module; a count alone is of experts like the routed ones. */
static void
take_shared(struct config *c, struct sizing_ffn *f, size_t i)
{
	double count = fact_count_at(c, FACT_SHARED_COUNT, i), width = fact_count_at(c, FACT_SHARED_FFN, i);

	if (fact_is(c, FACT_SHARED_FFN)) {
		f->shared = width > 0 ? 1 : 0;
		f->shared_width = width;
	} else if (count > 0) {
		f->shared = count;
		f->shared_width = f->width;
	} else if (c->family != NULL && c->family->flags & FAMILY_SHARED_EXPERT) {
		f->shared = 1;
		f->shared_width = f->width;
		draft_note(c->d, c->at, NOTE_SHARED_IMPLICIT, NULL);
	}
}

static void
expert_layer(struct config *c, size_t i)
{
	struct sizing_ffn f = { .layers = 1, .matrices = matrices(c) };
	const char *key;

	f.experts = fact_count_at(c, FACT_EXPERTS, i);
	f.active = fact_count_at(c, FACT_TOP_K, i);
	f.width = fact_count_at(c, FACT_EXPERT_FFN, i);
	if (!(f.width > 0)) {
		f.width = fact_count_at(c, FACT_FFN, i);
		fact(c, FACT_FFN, &key);
		draft_note(c->d, fact_at(c, FACT_FFN), NOTE_EXPERT_WIDTH, key);
	}
	f.input_width = fact_count(c, FACT_LATENT);
	if (!(f.experts > 0) || !(f.active > 0) || f.active > f.experts)
		draft_fail(c->d, fact_at(c, f.experts > 0 ? FACT_TOP_K : FACT_EXPERTS),
		    "expected experts for a token between 1 and the %g there are, found %g", f.experts, f.active);
	if (!(f.width > 0))
		draft_fail(c->d, fact_at(c, FACT_EXPERT_FFN), "expected the width of an expert above 0, found none");
	take_shared(c, &f, i);
	if (f.input_width > 0)
		c->d->m.other_parameters += 2 * c->d->m.width * f.input_width;
	c->d->m.other_parameters += fact_count(c, FACT_ZERO_EXPERTS) * c->d->m.width;
	if (c->d->rc == OK)
		draft_ffn(c->d, &f);
}

void
experts_layer(struct config *c, const struct plan *p, size_t i)
{
	struct sizing_ffn f = { .layers = 1, .matrices = matrices(c) };

	if (p->block[i] == BLOCK_DENSE || p->block[i] == BLOCK_BOTH) {
		f.width = dense_width(c, i);
		if (c->d->rc == OK)
			draft_ffn(c->d, &f);
	}
	if (p->block[i] == BLOCK_EXPERTS || p->block[i] == BLOCK_BOTH)
		expert_layer(c, i);
}
