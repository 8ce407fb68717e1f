#include "sizing/engine_int.h"
#include "sizing/sizing_int.h"

#include <math.h>

enum { BLOCK_UNIT = 16, SCALE_TILE = 128 };

/* One kind of cache: its layers keep alike and are put into groups together. */
struct kind {
	double layers;
	double row;      /* bytes of one token's row; 0 = a state */
	double state;    /* bytes */
	double window;   /* tokens; 0 = all */
	double tokens;   /* rows a sequence has: of the window, or all */
	bool index;      /* rows of index keys alone */
};

struct kinds {
	struct kind of[3 * SIZING_MAX_GROUPS]; /* rows, index and states of each group */
	size_t count;
	bool windows, states;
};

/* A latent or an index key is on every rank; heads are shared out, down to one on each. */
static int
share(struct sizing_group *g, double ranks, int index, struct sizing_error *error)
{
	double heads;

	for (size_t i = 0; i < g->state_count; i++)
		g->states[i].elements = ceil(g->states[i].elements / ranks);
	if (ranks == 1 || !(g->key_width > 0 && g->value_width > 0))
		return 0;
	if (!(g->query_width > 0) || fmod(g->key_width, g->query_width) != 0 || g->row_bytes > 0)
		return sizing_fail(error, "model.groups.query_width", index,
		    "is no head size that the keys divide into, which ranks need");
	heads = g->key_width / g->query_width;
	g->key_width *= ceil(heads / ranks) / heads;
	g->value_width *= ceil(heads / ranks) / heads;
	return 0;
}

static bool
has_index(const struct sizing_model *m)
{
	for (size_t i = 0; i < m->group_count; i++)
		if (m->groups[i].index_width > 0)
			return true;
	return false;
}

/*
 * Sparse attention over latents has a format of its own where the cache is fp8: the rank in fp8
 * with a scale of 4 B in 128 elements, the rest (rope) in 16 bits. The rank is what attention puts
 * out, and where that is not said the tiles there are in the row.
 */
static double
latent_bytes(const struct sizing_group *g, const struct sizing_reserve_case *c)
{
	double rank = floor(g->key_width / SCALE_TILE) * SCALE_TILE;

	if (!sizing_is_latent(g) || c->kv == NULL || c->kv->compute != SIZING_FP8 ||
	    !has_index(c->model))
		return sizing_bytes_of(g->key_width + g->value_width, c->kv);
	if (g->output_width > 0 && g->output_width <= g->key_width)
		rank = g->output_width;
	return rank + ceil(rank / SCALE_TILE) * 4 + (g->key_width - rank) * 2;
}

/* fp8 whatever the cache is, unless fewer bits are asked for. */
static double
index_bytes(double width, const struct sizing_dtype *dtype)
{
	if (width > 0 && dtype->bits >= 8)
		return width + ceil(width / SCALE_TILE) * 4;
	return sizing_bytes_of(width, dtype);
}

static struct kind *
kind_for(struct kinds *kinds, const struct kind *like)
{
	for (size_t i = 0; i < kinds->count; i++) {
		struct kind *k = &kinds->of[i];

		if (k->row == like->row && k->state == like->state && k->window == like->window &&
		    k->tokens == like->tokens && k->index == like->index) {
			k->layers += like->layers;
			return k;
		}
	}
	kinds->of[kinds->count] = *like;
	return &kinds->of[kinds->count++];
}

/* The rows of one group, as vLLM keeps them, and what its dtypes make of the minimum. */
static void
add_rows(struct sizing_reserved *r, struct kinds *kinds, const struct sizing_group *g,
    const struct sizing_reserve_case *c)
{
	double rows = sizing_rows_kept(g, c->context), held = c->sequences * g->layers * rows;
	double least = sizing_row_bytes(g, c->kv, c->index);
	double least_index = sizing_index_row_bytes(g, c->kv, c->index);
	double kept = g->row_bytes > 0 ? least - least_index : latent_bytes(g, c);
	double kept_index = g->row_bytes > 0 ? least_index : index_bytes(g->index_width, c->index);
	struct kind k = {.layers = g->layers, .row = kept, .window = g->window, .tokens = rows};

	if (!(least > 0))
		return;
	r->minimum_bytes += held * least;
	r->by_rule[SIZING_RULE_PACKED_LATENT] += held * (kept - (least - least_index));
	r->by_rule[SIZING_RULE_INDEX_FP8] += held * (kept_index - least_index);
	if (kept > 0)
		kind_for(kinds, &k);
	kinds->windows = kinds->windows || (g->window > 0 && kept > 0);
	k.row = kept_index;
	k.window = 0;
	k.index = true;
	if (kept_index > 0)
		kind_for(kinds, &k);
}

static void
add_states(struct sizing_reserved *r, struct kinds *kinds, const struct sizing_group *g,
    const struct sizing_reserve_case *c)
{
	struct kind k = {.layers = g->layers, .state = sizing_state_bytes(g)};

	if (!(k.state > 0))
		return;
	r->minimum_bytes += c->sequences * g->layers * k.state;
	kinds->states = true;
	kind_for(kinds, &k);
}

/* Without windows and states: one block table, a page of its own size in each layer. */
static void
reserve_plain(struct sizing_reserved *r, const struct kinds *kinds,
    const struct sizing_reserve_case *c)
{
	double block = c->engine->block, bytes = 0;

	for (size_t i = 0; i < kinds->count; i++) {
		const struct kind *k = &kinds->of[i];
		double padded = sizing_pad(k->tokens, block), each = k->layers * k->row;

		*(k->index ? &r->index_bytes : &r->kv_bytes) += c->sequences * each * padded;
		r->by_rule[SIZING_RULE_BLOCK_ROUNDING] += c->sequences * each * (padded - k->tokens);
		bytes += each * padded;
	}
	r->block = block;
	r->blocks = ceil(c->context / block);
	r->block_bytes = bytes / r->blocks;
}

struct pages {
	double block; /* tokens of the widest row in a page */
	double bytes; /* of a page in one layer */
	double group; /* layers */
};

static struct pages
pages_of(const struct kinds *kinds, double block)
{
	struct pages p = {.block = block};
	double widest = 0, state = 0, least = HUGE_VAL, most = 0;

	for (size_t i = 0; i < kinds->count; i++) {
		const struct kind *k = &kinds->of[i];

		if (k->index)
			continue;
		widest = fmax(widest, k->row);
		state = fmax(state, k->state);
		least = fmin(least, k->layers);
		most = fmax(most, k->layers);
	}
	if (widest > 0 && state > block * widest)
		p.block = sizing_pad(state / widest, BLOCK_UNIT);
	p.bytes = widest > 0 ? p.block * widest : state;
	p.group = most < 1.5 * least ? most : least;
	return p;
}

/* Pages of one sequence for one group of layers of this kind; *block: tokens of one. */
static double
pages_in(double *block, const struct kind *k, const struct pages *p, const struct sizing_engine *e)
{
	if (k->state > 0)
		return 1;
	*block = p->block * floor(p->bytes / (p->block * k->row));
	if (k->window > 0)
		return ceil(fmin(k->window - 1 + e->max_batched_tokens, e->max_length) / *block) + 1;
	return ceil(k->tokens / *block);
}

static void
reserve_kind(struct sizing_reserved *r, const struct kind *k, const struct pages *p,
    const struct sizing_reserve_case *c)
{
	double n = c->sequences * k->layers, block = 0;
	double pages = pages_in(&block, k, p, c->engine);
	double groups = ceil(k->layers / p->group), tokens = k->tokens;

	if (k->window > 0)
		tokens = fmax(fmin(k->window - 1 + c->engine->max_batched_tokens,
		    c->engine->max_length), tokens);
	*(k->state > 0 ? &r->state_bytes : &r->kv_bytes) += c->sequences * groups * p->group *
	    pages * p->bytes;
	r->by_rule[SIZING_RULE_WINDOW_BATCHED] += n * k->row * (tokens - k->tokens);
	if (k->row > 0)
		r->by_rule[SIZING_RULE_BLOCK_ROUNDING] += n * k->row * (pages * block - tokens);
	r->by_rule[SIZING_RULE_PAGE_PADDING] += n * pages * (p->bytes - block * k->row - k->state);
	r->by_rule[SIZING_RULE_LAYER_GROUPS] += c->sequences * (groups * p->group - k->layers) *
	    pages * p->bytes;
	r->blocks += groups * pages;
}

/* Index keys beside windows or states are in blocks of their own, outside the common page. */
static void
reserve_index(struct sizing_reserved *r, const struct kind *k, double sequences, double block)
{
	double padded = sizing_pad(k->tokens, block);

	r->index_bytes += sequences * k->layers * k->row * padded;
	r->by_rule[SIZING_RULE_BLOCK_ROUNDING] += sequences * k->layers * k->row *
	    (padded - k->tokens);
}

static void
reserve_hybrid(struct sizing_reserved *r, const struct kinds *kinds,
    const struct sizing_reserve_case *c)
{
	struct pages p = pages_of(kinds, c->engine->block);

	for (size_t i = 0; i < kinds->count; i++)
		if (kinds->of[i].index)
			reserve_index(r, &kinds->of[i], c->sequences, p.block);
		else
			reserve_kind(r, &kinds->of[i], &p, c);
	r->block = p.block;
	r->block_bytes = p.group * p.bytes + r->index_bytes / c->sequences / r->blocks;
}

int
sizing_reserve_vllm(struct sizing_reserved *r, const struct sizing_reserve_case *c,
    struct sizing_error *error)
{
	struct kinds kinds;

	kinds.count = 0;
	kinds.windows = kinds.states = false;
	for (size_t i = 0; i < c->model->group_count; i++) {
		struct sizing_group g = c->model->groups[i];

		if (share(&g, c->engine->ranks, (int)i, error) != 0)
			return -1;
		add_rows(r, &kinds, &g, c);
		add_states(r, &kinds, &g, c);
	}
	if (kinds.windows || kinds.states)
		reserve_hybrid(r, &kinds, c);
	else if (kinds.count > 0)
		reserve_plain(r, &kinds, c);
	r->bytes = r->kv_bytes + r->index_bytes + r->state_bytes;
	return 0;
}
