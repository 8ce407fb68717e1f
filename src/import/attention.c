#include <math.h>
#include <string.h>

#include "import/mixer.h"

static const struct val *
block_part(const struct config *c, size_t i, const char *part, const char *key)
{
	const struct val *list = fact(c, FACT_BLOCK_CONFIGS, NULL);

	if (!val_is(list, VAL_LIST) || i >= list->list.count)
		return NULL;
	return val_get(val_get(list->list.items[i], part), key);
}

/* Falcon states one of three arrangements, and copies of the file carry a count that the code ignores. */
static double
falcon_kv(const struct config *c, double heads)
{
	double kv = fact_count(c, FACT_KV_HEADS);

	if (fact_yes(c, FACT_NEW_DECODER, false))
		return kv > 0 ? kv : heads;
	return fact_yes(c, FACT_MULTI_QUERY, true) ? 1 : heads;
}

static double
kv_heads(const struct config *c, size_t i, bool windowed, double heads)
{
	const struct val *group = block_part(c, i, "attention", "n_heads_in_group");
	double kv = windowed ? fact_count_at(c, FACT_SWA_KV_HEADS, i) : fact_count_at(c, FACT_GLOBAL_KV_HEADS, i);

	if (c->family != NULL && c->family->flags & FAMILY_FALCON)
		return falcon_kv(c, heads);
	if (group != NULL && group->kind != VAL_NULL) {
		double n = count_of(c, group, "n_heads_in_group");

		if (n == 0 || fmod(heads, n) != 0)
			draft_fail(c->d, group->at, "n_heads_in_group: expected a divisor of the query heads, found %g", n);
		return n > 0 ? heads / n : 0;
	}
	if (kv > 0)
		return kv;
	if (fact_is(c, FACT_KV_HEADS))
		return fact_count_at(c, FACT_KV_HEADS, i);
	if (fact_yes(c, FACT_MULTI_QUERY, false))
		return 1;
	draft_note(c->d, c->at, NOTE_MHA, fact_key(FACT_KV_HEADS));
	return heads;
}

struct heads
mixer_heads(const struct config *c, size_t i, bool windowed)
{
	struct heads h = { 0, 0, 0, 0 };
	double width = c->d->m.width;

	h.heads = fact_count_at(c, FACT_HEADS_LIST, i);
	if (!(h.heads > 0) && windowed)
		h.heads = fact_count_at(c, FACT_SWA_HEADS, i);
	if (!(h.heads > 0))
		h.heads = fact_count_at(c, FACT_HEADS, i);
	if (!(h.heads > 0)) {
		draft_fail(c->d, fact_at(c, FACT_HEADS), "expected `num_attention_heads` above 0 in a layer with attention");
		return h;
	}
	h.kv = kv_heads(c, i, windowed, h.heads);
	h.key = windowed ? fact_count(c, FACT_SWA_HEAD_DIM) : fact_count(c, FACT_GLOBAL_HEAD_DIM);
	/* Blocks that also see the embeddings are twice as wide, and other keys for the size of a head are left over. */
	if (c->family != NULL && c->family->flags & FAMILY_SHARED_MIXER && val_get(c->maps[0], "attention_head_dim") == NULL)
		h.key = 2 * width / h.heads;
	if (!(h.key > 0))
		h.key = fact_count_at(c, FACT_HEAD_DIM, i);
	if (!(h.key > 0)) {
		h.key = width / h.heads;
		draft_note(c->d, c->at, NOTE_HEAD_DIM, fact_key(FACT_HEAD_DIM));
		if (h.key != floor(h.key))
			draft_fail(c->d, fact_at(c, FACT_HEADS), "expected query heads that divide `hidden_size`, or `head_dim`");
	}
	h.value = windowed ? fact_count(c, FACT_SWA_V_HEAD_DIM) : 0;
	/* A value head of its own is that of the ordinary layers: wider global heads have theirs. */
	if (!(h.value > 0) && (windowed || !fact_is(c, FACT_GLOBAL_HEAD_DIM)))
		h.value = windowed && fact_is(c, FACT_SWA_HEAD_DIM) && !fact_is(c, FACT_V_HEAD_DIM) ? h.key
		    : fact_count(c, FACT_V_HEAD_DIM);
	if (!(h.value > 0))
		h.value = h.key;
	if (!(h.kv > 0) || h.kv > h.heads || fmod(h.heads, h.kv) != 0)
		draft_fail(c->d, fact_at(c, FACT_KV_HEADS),
		    "expected key and value heads that divide the %g query heads, found %g", h.heads, h.kv);
	return h;
}

/* ---- latent attention ---- */

static double
latent_projections(const struct config *c, double heads, double rank, double rope)
{
	double width = c->d->m.width, q_rank = fact_count(c, FACT_Q_RANK), nope = fact_count(c, FACT_NOPE_DIM);
	double value = fact_needed(c, FACT_MLA_V_DIM);
	double query = q_rank > 0 ? width * q_rank + q_rank * heads * (nope + rope) : width * heads * (nope + rope);
	double gate = fact_yes(c, FACT_MLA_GATE, false) ? width * heads * value : 0;

	return query + width * (rank + rope) + rank * heads * (nope + value) + heads * value * width + gate;
}

/* Decode is absorbed: rank + rope against the latent, rank out of it. Prefill is not, but for sparse attention. */
static struct cell
latent_cell(struct config *c, size_t i)
{
	double rank = fact_needed(c, FACT_KV_RANK), rope = fact_count(c, FACT_ROPE_DIM);
	double heads = fact_count_at(c, FACT_HEADS, i);
	struct cell cell = { .cache = "latent" };

	if (!fact_is(c, FACT_ROPE_DIM) || !fact_is(c, FACT_NOPE_DIM))
		draft_fail(c->d, c->at, "expected `qk_rope_head_dim` and `qk_nope_head_dim` beside `kv_lora_rank`");
	if (!(heads > 0))
		draft_fail(c->d, fact_at(c, FACT_HEADS), "expected `num_attention_heads` above 0");
	cell.g.heads = heads;
	cell.g.key_width = cell.g.query_width = rank + rope;
	cell.g.output_width = rank;
	cell.g.projections = latent_projections(c, heads, rank, rope);
	cell.g.top_k = fact_count(c, FACT_INDEX_TOPK);
	if (!(cell.g.top_k > 0)) {
		cell.g.prefill_query_width = fact_count(c, FACT_NOPE_DIM) + rope;
		cell.g.prefill_output_width = fact_count(c, FACT_MLA_V_DIM);
	}
	return cell;
}

/* One vector serves as key and value; the output projection is low-rank, by groups of heads. */
static struct cell
compressed_window_cell(struct config *c, const struct plan *p)
{
	double dim = fact_needed(c, FACT_HEAD_DIM), heads = fact_needed(c, FACT_HEADS), rank = fact_needed(c, FACT_Q_RANK);
	double groups = fact_needed(c, FACT_O_GROUPS), out = fact_needed(c, FACT_O_RANK), width = c->d->m.width;
	struct cell cell = { .cache = "window" };

	if (fact_count(c, FACT_KV_HEADS) != 1)
		draft_fail(c->d, fact_at(c, FACT_KV_HEADS), "expected one key and value head beside `compress_ratios`");
	if (!(p->window > 0))
		draft_fail(c->d, fact_at(c, FACT_WINDOW), "expected `sliding_window` beside `compress_ratios`");
	cell.g.heads = heads;
	cell.g.key_width = cell.g.query_width = cell.g.output_width = dim;
	cell.g.window = p->window;
	cell.g.projections = width * rank + rank * heads * dim + width * dim + heads * dim * out + groups * out * width;
	return cell;
}

/* ---- keys and values ---- */

static bool
is_sparse_block(const struct config *c, size_t i)
{
	return fact_is(c, FACT_SPARSE_DIM) && (!fact_is(c, FACT_SPARSE_FREQ) || fact_count_at(c, FACT_SPARSE_FREQ, i) > 0);
}

static struct cell
heads_cell(struct config *c, const struct plan *p, size_t i, enum mixer mixer)
{
	struct heads h = mixer_heads(c, i, mixer == MIX_WINDOW);
	double width = c->d->m.width;
	struct cell cell = { .cache = mixer == MIX_WINDOW ? "window" : mixer == MIX_CHUNK ? "chunk" : "full" };
	const struct val *window = block_part(c, i, "attention", "window_length");

	cell.g.heads = h.heads;
	cell.g.query_width = h.key;
	cell.g.output_width = h.value;
	cell.g.key_width = h.kv * h.key;
	cell.g.value_width = h.kv * h.value;
	if (mixer == MIX_WINDOW)
		cell.g.window = p->window;
	if (mixer == MIX_CHUNK)
		cell.g.window = p->chunk;
	if (window != NULL && window->kind != VAL_NULL) {
		cell.cache = "window";
		cell.g.window = count_of(c, window, "window_length");
	}
	if (fact_yes(c, FACT_OUTPUT_GATE, false))
		cell.g.projections = width * (cell.g.key_width + cell.g.value_width + h.heads * (h.key + 2 * h.value));
	/* Queries through a narrower width that all heads share. */
	if (fact_count(c, FACT_SHARE_Q) > 0)
		cell.g.projections = fact_count(c, FACT_SHARE_Q) * (width + h.heads * h.key) +
		    width * (cell.g.key_width + cell.g.value_width + h.heads * h.value);
	/* Values are the keys before their norm: no matrix of their own, but a cache of their own. */
	if (fact_yes(c, FACT_K_EQ_V, false) && mixer == MIX_FULL)
		cell.g.projections = width * (cell.g.key_width + h.heads * (h.key + h.value));
	if (is_sparse_block(c, i))
		cell.g.top_k = (fact_needed(c, FACT_SPARSE_TOPK) + fact_count(c, FACT_SPARSE_LOCAL) +
		    fact_count(c, FACT_SPARSE_INIT)) * fact_needed(c, FACT_SPARSE_BLOCK);
	return cell;
}

size_t
mixer_attention(struct config *c, const struct plan *p, size_t i, enum mixer mixer)
{
	struct cell cell = fact_is(c, FACT_COMPRESS) ? compressed_window_cell(c, p)
	    : fact_is(c, FACT_KV_RANK)               ? latent_cell(c, i)
	                                             : heads_cell(c, p, i, mixer);

	if (c->d->rc != OK)
		return 0;
	return draft_layer(c->d, &cell);
}

/* ---- on top of it ---- */

static void
index_cell(struct config *c, double heads, double dim, double stride)
{
	struct cell cell = { .cache = "index" };

	cell.g.heads = heads;
	cell.g.query_width = dim;
	cell.g.index_width = dim;
	cell.g.stride = stride > 1 ? stride : 0;
	cell.g.also_on = true;
	draft_layer(c->d, &cell);
}

/* Does layer i have an indexer of its own? */
static bool
has_indexer(struct config *c, size_t i)
{
	const struct val *list = fact_is(c, FACT_INDEX_TYPES) ? fact_list(c, FACT_INDEX_TYPES) : NULL;
	const char *word = list != NULL ? val_text(list->list.items[i]) : "full";

	if (word != NULL && strcmp(word, "full") == 0)
		return true;
	if (word == NULL || strcmp(word, "shared") != 0)
		draft_fail(c->d, fact_at(c, FACT_INDEX_TYPES), "indexer_types: expected full or shared");
	return false;
}

/*
 * The compressor forms a row from `ratio` tokens, with overlap at the small ratio: keys and their gates, for
 * twice the rows and twice the width there. An index with a compressor of its own goes with the small ratio.
 */
static void
compressed_cell(struct config *c, double ratio)
{
	bool fine = ratio <= 4 && fact_is(c, FACT_INDEX_DIM);
	double dim = fact_needed(c, FACT_HEAD_DIM), index = fine ? fact_count(c, FACT_INDEX_DIM) : 0;
	double heads = fact_count(c, FACT_INDEX_HEADS), width = c->d->m.width, fold = fine ? 2 : 1;
	struct cell cell = { .cache = "compressed", .roles = { "recurrent" } };

	cell.g.heads = fact_needed(c, FACT_HEADS);
	cell.g.query_width = cell.g.output_width = cell.g.key_width = dim;
	cell.g.stride = ratio;
	cell.g.top_k = fine ? fact_count(c, FACT_INDEX_TOPK) : 0;
	cell.g.also_on = true;
	cell.g.state_count = 1;
	cell.g.states[0].elements = 2 * (fold * ratio) * (fold * (dim + index));
	cell.g.states[0].dtype = sizing_dtype_find("fp32");
	draft_layer(c->d, &cell);
	c->d->m.other_parameters += 2 * width * fold * (dim + index) + fold * ratio * (dim + index);
	if (fine) {
		index_cell(c, heads, index, ratio);
		c->d->m.other_parameters += fact_count(c, FACT_Q_RANK) * heads * index + width * heads;
	}
}

void
mixer_overlays(struct config *c, size_t i)
{
	double width = c->d->m.width, dim = fact_count(c, FACT_INDEX_DIM), heads = fact_count(c, FACT_INDEX_HEADS);

	if (c->d->rc != OK)
		return;
	if (fact_is(c, FACT_COMPRESS)) {
		double ratio = fact_list(c, FACT_COMPRESS) != NULL ? fact_count_at(c, FACT_COMPRESS, i) : 0;

		if (ratio == 1)
			draft_fail(c->d, fact_at(c, FACT_COMPRESS), "compress_ratios: expected 0 or at least 2; what 1 keeps is not known");
		else if (ratio > 0)
			compressed_cell(c, ratio);
	} else if (fact_is(c, FACT_KV_RANK) && dim > 0 && has_indexer(c, i)) {
		double rank = fact_count(c, FACT_Q_RANK);

		if (!(heads > 0))
			draft_fail(c->d, fact_at(c, FACT_INDEX_DIM), "expected `index_n_heads` beside `index_head_dim`");
		index_cell(c, heads, dim, fact_count(c, FACT_INDEX_POOL));
		c->d->m.other_parameters += (rank > 0 ? rank : width) * heads * dim + width * (dim + heads);
	} else if (is_sparse_block(c, i)) {
		dim = fact_needed(c, FACT_SPARSE_DIM);
		heads = fact_needed(c, FACT_SPARSE_HEADS);
		if (fact_is(c, FACT_SPARSE_VALUE_OFF) && fact_count_at(c, FACT_SPARSE_VALUE_OFF, i) == 0)
			draft_fail(c->d, fact_at(c, FACT_SPARSE_VALUE_OFF),
			    "sparse_disable_index_value: expected index values to be off; what they keep is not known");
		index_cell(c, heads, dim, 0);
		c->d->m.other_parameters += width * dim * (heads + 1);
	} else if (dim > 0 && !fact_is(c, FACT_KV_RANK)) {
		draft_fail(c->d, fact_at(c, FACT_INDEX_DIM),
		    "expected `index_head_dim` beside `kv_lora_rank` or `compress_ratios`; how else it is used is not known");
	}
}
