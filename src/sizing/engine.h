/*
 * What an inference engine reserves for the sequences in decode, beside the minimum of the
 * algebra (sizing.h): the two stand side by side, and each byte between them has the rule that
 * makes it. Pure arithmetic as the rest of the module.
 *
 * Sources. llama.cpp: allocations of version 0.5.0-dev, CPU backend, for models of many
 * geometries (attention, latents, windows, states), which these rules give to the byte. vLLM:
 *     windows, blocks   SlidingWindowSpec and FullAttentionSpec, vllm/v1/kv_cache_interface.py
 *     groups of layers  _get_kv_cache_groups_uniform_page_size, vllm/v1/core/kv_cache_utils.py
 *     pages of states   logs of hybrid models ("Setting attention block size to 528 tokens ...")
 *     packed latents    FlashMLA README: 656 B = 512 fp8, 4 scales of 4 B, 64 of 16 bits
 * in https://github.com/vllm-project/vllm and https://github.com/deepseek-ai/FlashMLA.
 * These are rules of one version each and change: the options say what a version or a
 * configuration decides.
 *
 *     llama.cpp  cells  = tokens of a stream, padded to 256; a stream is a sequence, or all of
 *                         them in one (unified)
 *                window   min(cells, (window x sequences of the stream + micro-batch) padded)
 *                states   always 4 bytes an element; the index in the type of the keys, every row
 *     vLLM       full     ceil(T / block) blocks; window ceil(min(window - 1 + batched, longest)
 *                         / block) + 1; state 1 page
 *                page     one size for all: block x widest row; the block is raised, to a multiple
 *                         of 16, until a page holds a state; narrower rows take more tokens
 *                layers   in groups of equal count (the least of any kind; the largest where that
 *                         is under 1.5 times it), the last group of a kind padded
 *     Without windows and states vLLM has one group, and a page of each layer is of its own size.
 *
 * Where the load has lengths, vLLM's blocks follow each of them; llama.cpp's cells are those of the
 * whole context for every sequence, whatever its length.
 */
#ifndef SIZING_ENGINE_H
#define SIZING_ENGINE_H

#include "sizing/sizing.h"

enum sizing_engine_kind {
	SIZING_ENGINE_NONE, /* the minimum: no engine */
	SIZING_ENGINE_VLLM, SIZING_ENGINE_LLAMA_CPP,
	SIZING_ENGINES
};
extern const char *const sizing_engine_names[SIZING_ENGINES + 1]; /* NULL at the end */
const char *sizing_engine_name(enum sizing_engine_kind kind); /* "none", "vllm", "llama.cpp" */
int sizing_engine_find(const char *name);                     /* -1 if unknown */

/* What a version of llama.cpp and a file of it make of a latent (MLA). */
enum sizing_mla {
	SIZING_MLA_LATENT,            /* the row of the algebra, as keys */
	SIZING_MLA_LATENT_AND_VALUES, /* older builds: its rank once more, as values */
	SIZING_MLA_EXPANDED,          /* files without keys of their own for it: every head */
};

/* What the engines take where nothing is given. */
#define SIZING_MICRO_BATCH 512
#define SIZING_BLOCK 16
#define SIZING_BATCHED_TOKENS 8192

/* Start from a zeroed struct: 0 and NULL are the engine's defaults. */
struct sizing_engine {
	enum sizing_engine_kind kind;

	/* llama.cpp */
	const struct sizing_dtype *keys, *values; /* NULL: load.kv */
	double micro_batch;      /* tokens; SIZING_MICRO_BATCH. Bindings use others (513): ask. */
	bool unified;            /* one stream for all sequences */
	bool full_windows;       /* windowed layers keep every cell */
	/* Values of all layers are as wide as the widest; attention scores in the compute buffer. */
	bool no_flash_attention;
	enum sizing_mla mla;

	/* vLLM */
	double block;              /* tokens; SIZING_BLOCK */
	double max_batched_tokens; /* of one step; SIZING_BATCHED_TOKENS */
	double max_length;         /* of a sequence; 0 = the context */
	double ranks;              /* tensor-parallel; 1. Figures are then those of one rank. */
};

/* Why an engine's bytes are not the minimum. Names: "window-plus-micro-batch", ... */
enum sizing_rule {
	SIZING_RULE_WINDOW_MICRO_BATCH, /* a window is extended by what one batch writes */
	SIZING_RULE_WINDOW_BATCHED,     /* the same in vLLM, by the tokens of a step */
	SIZING_RULE_FULL_WINDOWS,       /* windows keep the whole context */
	SIZING_RULE_WHOLE_CONTEXT,      /* the context for sequences that are shorter */
	SIZING_RULE_PADDED_256,         /* cells come in multiples of 256 */
	SIZING_RULE_BLOCK_ROUNDING,     /* whole blocks, and one more for a window */
	SIZING_RULE_PAGE_PADDING,       /* a state or a narrow row fills a page of the common size */
	SIZING_RULE_LAYER_GROUPS,       /* layers that are not there fill up a group */
	SIZING_RULE_STATE_F32,
	SIZING_RULE_MLA_VALUES,
	SIZING_RULE_MLA_EXPANDED,
	SIZING_RULE_VALUES_WIDEST,
	SIZING_RULE_INDEX_AS_KEYS,      /* the index in the dtype of the keys */
	SIZING_RULE_INDEX_UNCOMPRESSED, /* an index row a token, whatever its stride */
	SIZING_RULE_INDEX_FP8,          /* index keys of 8 bits and a scale of 4 B in 128 */
	SIZING_RULE_PACKED_LATENT,      /* fp8 latents with scales and a rope part of 16 bits */
	SIZING_RULES
};
const char *sizing_rule_name(enum sizing_rule rule);

struct sizing_reserved {
	double sequences;
	/* By the algebra, states included; with the engine's dtypes of keys and values. */
	double minimum_bytes;
	double kv_bytes;    /* reserved for rows, without index keys */
	double index_bytes, state_bytes;
	double bytes;       /* the three */
	/* bytes - minimum_bytes by its cause; below 0 where the engine keeps less. Adds up exactly
	 * while all are whole and under 2^53. */
	double by_rule[SIZING_RULES];

	/* llama.cpp: streams, and cells of a full and of a windowed layer in each of them (of the
	 * last group of either kind; 0 = none). */
	double streams, cells, window_cells;
	/* vLLM: tokens of a block, bytes of one in all layers that share it, blocks that a sequence of the
	 * whole context takes. */
	double block, block_bytes, blocks;

	/*
	 * Beside the cache. llama.cpp's compute buffer: micro-batch x (vocabulary + 2 x width) x 4 B,
	 * measured within 0.01 MiB in 15 of 16 cases; without flash attention + heads x cells x
	 * micro-batch x 4 B, roughly. 0 = no rule: no such engine, or the model's width or vocabulary
	 * is not known.
	 */
	double compute_bytes;
};

/*
 * Of the load: context (or prompt + output), lengths, concurrency (whole), kv and index. Returns 0, or -1
 * with *error: a value that the engine does not take, a model that sizing_run refuses, or what the
 * engine itself refuses (a latent with keys and values of different types).
 */
int sizing_reserve(struct sizing_reserved *out, const struct sizing_model *m,
    const struct sizing_load *load, const struct sizing_engine *engine,
    struct sizing_error *error);

/* Memory of one device that vLLM's pool comes out of; bytes. */
struct sizing_pool {
	double visible;     /* to the framework: H100 79.18 GiB, H200 139.81 GiB, not the printed size */
	double utilisation; /* 0..1 */
	double weights;     /* as loaded, which may be more than the file: repacking */
	double activation;  /* peak while profiling */
	double other;       /* not the framework's: context, communication buffers */
};

struct sizing_pool_fit {
	double bytes;    /* utilisation x visible - weights - activation - other, at least 0 */
	double blocks;   /* whole ones in it */
	double requests; /* of the longest length, at once; a fraction, as vLLM logs it */
	/* requests x longest length, rounded down: what vLLM logs as the size of the cache. It is no
	 * measure of bytes per token with windows or states, where a request has a fixed part. */
	double tokens;
};

/*
 * `reserved` is of vLLM, one sequence or more, whose context is the longest length; with
 * engine.ranks, of one rank, as the pool is.
 */
void sizing_pool_fill(struct sizing_pool_fit *out, const struct sizing_pool *pool,
    const struct sizing_reserved *reserved, double longest);

#endif
