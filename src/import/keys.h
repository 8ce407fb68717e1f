/*
 * The keys of a configuration under one name each. Every spelling stands in one table; a spelling with
 * dots leads into a map below. What a key holds is checked when it is asked for.
 */
#ifndef IMPORT_KEYS_H
#define IMPORT_KEYS_H

#include "import/draft.h"

enum fact {
	FACT_LAYERS, FACT_WIDTH, FACT_HEADS, FACT_HEADS_LIST, FACT_KV_HEADS, FACT_HEAD_DIM, FACT_V_HEAD_DIM, FACT_FFN,
	FACT_VOCAB, FACT_VOCAB_MULTIPLE, FACT_TIED, FACT_CONTEXT, FACT_DTYPE, FACT_ACT, FACT_GATED, FACT_OUTPUT_GATE,
	FACT_MULTI_QUERY, FACT_NEW_DECODER, FACT_POSITIONS, FACT_SHARE_Q,
	/* attention of windowed and of full layers, where they differ */
	FACT_SWA_HEADS, FACT_SWA_KV_HEADS, FACT_SWA_HEAD_DIM, FACT_SWA_V_HEAD_DIM, FACT_GLOBAL_KV_HEADS,
	FACT_GLOBAL_HEAD_DIM, FACT_K_EQ_V,
	/* which layers */
	FACT_LAYER_TYPES, FACT_BLOCK_PATTERN, FACT_BLOCK_TYPES, FACT_ATTN_TYPES, FACT_HYBRID_PATTERN, FACT_FULL_LIST_1,
	FACT_FULL_LIST_0, FACT_FULL_INTERVAL, FACT_GROUP_SIZE, FACT_ATTN_PERIOD, FACT_ATTN_OFFSET, FACT_ATTN_INDICES,
	FACT_WINDOW, FACT_USE_WINDOW, FACT_MAX_WINDOW_LAYERS, FACT_WINDOW_PATTERN, FACT_CHUNK, FACT_NO_ROPE,
	FACT_BLOCK_CONFIGS, FACT_SHARED_LAYERS, FACT_USE_CLA, FACT_CLA_FACTOR, FACT_MB_PER_LAYER, FACT_HYBRID_IDS,
	/* latent attention, sparse attention, compression */
	FACT_KV_RANK, FACT_Q_RANK, FACT_ROPE_DIM, FACT_NOPE_DIM, FACT_MLA_V_DIM, FACT_MLA_GATE, FACT_INDEX_DIM,
	FACT_INDEX_HEADS, FACT_INDEX_TOPK, FACT_INDEX_TYPES, FACT_INDEX_POOL, FACT_COMPRESS, FACT_O_GROUPS, FACT_O_RANK,
	FACT_KV_SOURCES, FACT_SPARSE_DIM, FACT_SPARSE_HEADS, FACT_SPARSE_FREQ, FACT_SPARSE_BLOCK, FACT_SPARSE_TOPK,
	FACT_SPARSE_LOCAL, FACT_SPARSE_INIT, FACT_SPARSE_VALUE_OFF, FACT_SPARSE_ON,
	/* states */
	FACT_SSM_HEADS, FACT_SSM_HEAD_DIM, FACT_SSM_STATE, FACT_SSM_GROUPS, FACT_SSM_CONV, FACT_SSM_INNER, FACT_SSM_EXPAND,
	FACT_SSM_RANK, FACT_STATE_DTYPE, FACT_GDN_K_HEADS, FACT_GDN_V_HEADS, FACT_GDN_K_DIM, FACT_GDN_V_DIM, FACT_GDN_CONV,
	FACT_KDA_HEADS, FACT_KDA_DIM, FACT_KDA_CONV, FACT_KDA_FULL_GATE, FACT_SHORT_CONV, FACT_WKV_DIM,
	/* experts */
	FACT_EXPERTS, FACT_TOP_K, FACT_EXPERT_FFN, FACT_DENSE_FFN, FACT_SHARED_COUNT, FACT_SHARED_FFN, FACT_LATENT,
	FACT_ZERO_EXPERTS, FACT_FIRST_DENSE, FACT_MOE_FREQ, FACT_MLP_TYPES, FACT_SPARSE_STEP, FACT_MLP_ONLY, FACT_MOE_STEP,
	FACT_MOE_LAYERS, FACT_EXPERT_PERIOD, FACT_EXPERT_OFFSET, FACT_MOE_BLOCK,
	/* beside the decoder */
	FACT_MTP, FACT_PER_LAYER_INPUT, FACT_PER_LAYER_VOCAB, FACT_LAUREL, FACT_ALTUP, FACT_DECODER_LAYERS,
	FACT_ENCODER_LAYERS, FACT_D_KV, FACT_SOURCE_ROWS, FACT_QUANT, FACT_MULTIPLE_OF, FACT_FFN_MULTIPLIER,
	FACT_DOUBLE_WIDE,
	FACT_COUNT
};

enum { CONFIG_MAX_NEST = 6, CONFIG_MAX_KEYS = 4096 };

struct family;

struct config {
	struct draft *d;
	const struct val *maps[CONFIG_MAX_NEST]; /* innermost first */
	size_t map_count;
	struct place at; /* of the innermost map */
	const struct family *family;
	size_t layers;
	size_t mtp;
	const struct val *quant; /* hf_quant_config.json; may be NULL */
	const struct val *found[FACT_COUNT]; /* by fact_index */
	const char *spelled[FACT_COUNT];
};

/* Look every fact up once, in the maps that are there. Fails where a map is absurdly large. */
void fact_index(struct config *c);

/* The value of the first spelling that is there and not null, and its key as in the table; NULL if none is. */
const struct val *fact(const struct config *c, enum fact f, const char **key);
const char *fact_key(enum fact f); /* the usual spelling: for messages */

/* A whole number up to SIZING_MAX_COUNT; 0 if absent. A negative, fractional or huge one fails. */
double fact_count(const struct config *c, enum fact f);
/* The same of one layer, where the key may hold a list: a list that is too short fails. */
double fact_count_at(const struct config *c, enum fact f, size_t layer);
bool fact_is(const struct config *c, enum fact f); /* there at all, and not null */
bool fact_yes(const struct config *c, enum fact f, bool otherwise);
const char *fact_text(const struct config *c, enum fact f);
/* A list with an item for each layer; NULL if absent. Fails where it is too short. */
const struct val *fact_list(const struct config *c, enum fact f);
/* A list of whatever length. */
const struct val *fact_any_list(const struct config *c, enum fact f);
/* The place of the key, or of the configuration if it is absent. */
struct place fact_at(const struct config *c, enum fact f);
/* Needed: fails if absent. */
double fact_needed(const struct config *c, enum fact f);

/* The same checks for a value found otherwise. */
double count_of(const struct config *c, const struct val *v, const char *what);

#endif
