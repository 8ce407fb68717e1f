#include "sizing/engine.h"
#include "sizing/engine_int.h"
#include "sizing/sizing_int.h"

#include <math.h>
#include <string.h>

const char *const sizing_engine_names[SIZING_ENGINES + 1] = {
	[SIZING_ENGINE_NONE] = "none",
	[SIZING_ENGINE_VLLM] = "vllm",
	[SIZING_ENGINE_LLAMA_CPP] = "llama.cpp",
};

static const char *const RULE_NAMES[SIZING_RULES] = {
	[SIZING_RULE_WINDOW_MICRO_BATCH] = "window-plus-micro-batch",
	[SIZING_RULE_WINDOW_BATCHED] = "window-plus-batched-tokens",
	[SIZING_RULE_FULL_WINDOWS] = "full-windows",
	[SIZING_RULE_WHOLE_CONTEXT] = "whole-context",
	[SIZING_RULE_PADDED_256] = "padded-to-256",
	[SIZING_RULE_BLOCK_ROUNDING] = "block-rounding",
	[SIZING_RULE_PAGE_PADDING] = "page-padding",
	[SIZING_RULE_LAYER_GROUPS] = "layer-groups",
	[SIZING_RULE_STATE_F32] = "state-in-f32",
	[SIZING_RULE_MLA_VALUES] = "mla-stores-values-too",
	[SIZING_RULE_MLA_EXPANDED] = "mla-expanded",
	[SIZING_RULE_VALUES_WIDEST] = "values-as-wide-as-the-widest",
	[SIZING_RULE_INDEX_AS_KEYS] = "index-in-type-of-keys",
	[SIZING_RULE_INDEX_UNCOMPRESSED] = "index-uncompressed",
	[SIZING_RULE_INDEX_FP8] = "index-in-fp8",
	[SIZING_RULE_PACKED_LATENT] = "packed-latent",
};

const char *
sizing_engine_name(enum sizing_engine_kind kind)
{
	return kind < SIZING_ENGINES ? sizing_engine_names[kind] : NULL;
}

int
sizing_engine_find(const char *name)
{
	for (int i = 0; name != NULL && i < SIZING_ENGINES; i++)
		if (strcmp(sizing_engine_names[i], name) == 0)
			return i;
	return -1;
}

const char *
sizing_rule_name(enum sizing_rule rule)
{
	return rule < SIZING_RULES ? RULE_NAMES[rule] : NULL;
}

bool
sizing_is_latent(const struct sizing_group *g)
{
	return g->key_width > 0 && !(g->value_width > 0);
}

double
sizing_pad(double x, double unit)
{
	return ceil(x / unit) * unit;
}

double
sizing_bytes_of(double width, const struct sizing_dtype *dtype)
{
	return width > 0 ? width * dtype->bits / 8 : 0;
}

/* A count of tokens, sequences or ranks: whole, and 1 at least. */
static int
check_count(double n, const char *field, struct sizing_error *error)
{
	if (!(n >= 1 && n <= SIZING_MAX_LOAD))
		return sizing_fail(error, field, -1, "is missing, too small or absurdly large");
	if (n != floor(n))
		return sizing_fail(error, field, -1, "is not a whole number");
	return 0;
}

/* NULL is allowed here: what needs one asks for it. */
static int
check_bits(const struct sizing_dtype *d, const char *field, struct sizing_error *error)
{
	if (d != NULL && !(d->bits >= 0.125 && d->bits <= 128))
		return sizing_fail(error, field, -1, "has no sensible bits per element");
	return 0;
}

static double
or_default(double given, double otherwise)
{
	return given != 0 ? given : otherwise;
}

static int
check_engine(struct sizing_engine *e, double context, struct sizing_error *error)
{
	if ((int)e->kind < 0 || e->kind >= SIZING_ENGINES)
		return sizing_fail(error, "engine.kind", -1, "is no engine known here");
	if ((int)e->mla < 0 || e->mla > SIZING_MLA_EXPANDED)
		return sizing_fail(error, "engine.mla", -1, "is no layout known here");
	e->micro_batch = or_default(e->micro_batch, SIZING_MICRO_BATCH);
	e->block = or_default(e->block, SIZING_BLOCK);
	e->max_batched_tokens = or_default(e->max_batched_tokens, SIZING_BATCHED_TOKENS);
	e->max_length = or_default(e->max_length, context);
	e->ranks = or_default(e->ranks, 1);
	if (check_count(e->micro_batch, "engine.micro_batch", error) != 0 ||
	    check_count(e->block, "engine.block", error) != 0 ||
	    check_count(e->max_batched_tokens, "engine.max_batched_tokens", error) != 0 ||
	    check_count(e->max_length, "engine.max_length", error) != 0 ||
	    check_count(e->ranks, "engine.ranks", error) != 0 ||
	    check_bits(e->keys, "engine.keys", error) != 0 ||
	    check_bits(e->values, "engine.values", error) != 0)
		return -1;
	if (e->max_length < context)
		return sizing_fail(error, "engine.max_length", -1, "is less than the context");
	return 0;
}

static bool
lacks_kv(const struct sizing_model *m, const struct sizing_load *load)
{
	for (size_t i = 0; load->kv == NULL && i < m->group_count; i++) {
		const struct sizing_group *g = &m->groups[i];

		if (!(g->row_bytes > 0) && (g->key_width + g->value_width > 0 ||
		    (g->index_width > 0 && load->index == NULL)))
			return true;
	}
	return false;
}

/* No engine: the algebra. */
static void
reserve_minimum(struct sizing_reserved *r, const struct sizing_reserve_case *c)
{
	for (size_t i = 0; i < c->model->group_count; i++) {
		const struct sizing_group *g = &c->model->groups[i];
		double rows = c->sequences * g->layers * sizing_rows_kept(g, c->context);
		double index = sizing_index_row_bytes(g, c->kv, c->index);

		r->kv_bytes += rows * (sizing_row_bytes(g, c->kv, c->index) - index);
		r->index_bytes += rows * index;
		r->state_bytes += c->sequences * g->layers * sizing_state_bytes(g);
	}
	r->bytes = r->kv_bytes + r->index_bytes + r->state_bytes;
	r->minimum_bytes = r->bytes;
}

/* Sequences of one length. */
static int
reserve(struct sizing_reserved *r, const struct sizing_reserve_case *c,
    struct sizing_error *error)
{
	*r = (struct sizing_reserved){.sequences = c->sequences};
	switch (c->engine->kind) {
	case SIZING_ENGINE_LLAMA_CPP:
		return sizing_reserve_llama(r, c, error);
	case SIZING_ENGINE_VLLM:
		return sizing_reserve_vllm(r, c, error);
	default:
		reserve_minimum(r, c);
		return 0;
	}
}

static void
add(struct sizing_reserved *sum, const struct sizing_reserved *r)
{
	sum->minimum_bytes += r->minimum_bytes;
	sum->kv_bytes += r->kv_bytes;
	sum->index_bytes += r->index_bytes;
	sum->state_bytes += r->state_bytes;
	sum->bytes += r->bytes;
	for (int i = 0; i < SIZING_RULES; i++)
		sum->by_rule[i] += r->by_rule[i];
}

/* `out` is filled for the whole context. */
static int
reserve_lengths(struct sizing_reserved *out, struct sizing_reserve_case *c,
    const struct sizing_load *load, struct sizing_error *error)
{
	struct sizing_reserved sum = {0};

	for (size_t i = 0; i < load->length_count; i++) {
		struct sizing_reserved r;

		c->context = load->lengths[i].tokens;
		c->sequences = load->lengths[i].share * load->concurrency;
		if (reserve(&r, c, error) != 0)
			return -1;
		add(&sum, &r);
	}
	if (c->engine->kind == SIZING_ENGINE_LLAMA_CPP) {
		out->by_rule[SIZING_RULE_WHOLE_CONTEXT] = out->minimum_bytes - sum.minimum_bytes;
		out->minimum_bytes = sum.minimum_bytes;
		return 0;
	}
	out->minimum_bytes = out->kv_bytes = out->index_bytes = out->state_bytes = out->bytes = 0;
	for (int i = 0; i < SIZING_RULES; i++)
		out->by_rule[i] = 0;
	add(out, &sum);
	return 0;
}

int
sizing_reserve(struct sizing_reserved *out, const struct sizing_model *m,
    const struct sizing_load *load, const struct sizing_engine *engine,
    struct sizing_error *error)
{
	double context = load->context > 0 ? load->context : load->prompt + load->output;
	struct sizing_engine e = *engine;
	struct sizing_reserve_case c = {m, &e, load->kv, load->index, context, load->concurrency};

	*out = (struct sizing_reserved){0};
	if (sizing_check_model(m, error) != 0 ||
	    check_count(context, "load.context", error) != 0 ||
	    check_count(load->concurrency, "load.concurrency", error) != 0 ||
	    check_bits(c.kv, "load.kv", error) != 0 ||
	    check_bits(c.index, "load.index", error) != 0 ||
	    sizing_check_lengths(load, context, error) != 0 ||
	    check_engine(&e, context, error) != 0)
		return -1;
	if (lacks_kv(m, load))
		return sizing_fail(error, "load.kv", -1, "is missing: a dtype is not guessed");
	if (c.index == NULL)
		c.index = c.kv;
	if (reserve(out, &c, error) != 0)
		return -1;
	return load->length_count > 0 ? reserve_lengths(out, &c, load, error) : 0;
}

void
sizing_pool_fill(struct sizing_pool_fit *out, const struct sizing_pool *pool,
    const struct sizing_reserved *reserved, double longest)
{
	double bytes = floor(pool->utilisation * pool->visible - pool->weights - pool->activation -
	    pool->other);

	*out = (struct sizing_pool_fit){.bytes = fmax(bytes, 0)};
	if (!(reserved->block_bytes > 0))
		return;
	out->blocks = floor(out->bytes / reserved->block_bytes);
	out->requests = out->blocks / reserved->blocks;
	out->tokens = floor(out->requests * longest);
}
