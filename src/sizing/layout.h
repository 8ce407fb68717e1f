/*
 * Layouts: how a replica is cut over devices, what the fullest of them then holds, and which
 * cuts an engine can make at all.
 *
 * A rank of a stage with `tensor` x `attention` ranks holds, of the layers of its stage,
 *     vocabulary, attention, dense, shared, other    1 / tensor
 *     routers                                        a copy
 *     routed experts     ceil(E / ranks) / E of them whole, or 1 / ranks of each
 *     rows of KV         ceil(h / tensor) / h for h KV heads: fewer heads than ranks are copied
 *                        (a latent and its index have one), or all split with KV_BATCH, KV_SEQUENCE
 *     states             1 / tensor
 * of ceil(concurrency / attention) sequences; groups beyond the number of sequences wait. Stages have whole layers, ceil(L / pipeline) of them in
 * the fullest; each layer counts as an average one, since a profile does not say their order. The
 * first and the last stage hold the vocabulary, and the shorter stages where there are shorter ones.
 *
 * Sources: Megatron-LM (heads and widths over ranks), vLLM and SGLang documentation (KV heads copied
 * down to one a rank; data-parallel attention with experts over all ranks), [P7] (KV sharding).
 */
#ifndef SIZING_LAYOUT_H
#define SIZING_LAYOUT_H

#include "sizing/sizing.h"

/*
 * A checked input with what does not depend on devices worked out once, for who asks of many
 * layouts. It points into the input, which must stay. The members are the module's own.
 */
struct sizing_cache { /* a layer group, with its dtypes put in */
	const struct sizing_group *group;
	double kept, read;               /* mean rows of a sequence at the context of the load */
	double kept_row, index_kept_row; /* bytes of one row in all layers that hold it */
	double read_row, index_read_row; /* in all layers that read it */
	double states;                   /* bytes of all layers, one sequence */
	double step_operations;          /* decode, per row read and sequence, all readers */
	double prompt_operations;        /* prefill, per row attended to */
	double rate;                     /* operations/s of one device; 0 = not known */
	double kv_heads;                 /* ways in which its rows can be split by heads */
};

struct sizing_case {
	const struct sizing_input *input;
	double context, prompt, output, concurrency, sessions;
	struct sizing_cache caches[SIZING_MAX_GROUPS];
	size_t cache_count;
	double states;       /* bytes of one sequence */
	double computed[SIZING_CLASSES]; /* parameters */
	double class_bits[SIZING_CLASSES]; /* of one parameter, as its dtype has it */
	double bytes[SIZING_CLASSES];
	double router_bytes; /* of those of SIZING_OTHER */
	double operations[SIZING_CLASSES]; /* per token */
	struct sizing_path paths[SIZING_CLASSES];
	double parameters_total, parameters_active, computed_total, computed_active;
	bool from_checkpoint;
	double weight_bytes;
	double total_bytes;  /* weights, rows kept and states of all sequences */
	double by_capacity;  /* devices that hold them, were they spread evenly */
	double operations_per_token; /* linear */
	struct sizing_path attention;
	double bandwidth;    /* of one device, efficiency included */
	double usable;       /* whole bytes of one device */
	double available;    /* of them, without the runtime */
	double layers;       /* with a mixer or a feed-forward, whichever is more */
};

/* 0, or -1 with *error filled as by sizing_run. */
int sizing_open(struct sizing_case *c, const struct sizing_input *input, struct sizing_error *error);

double sizing_layout_devices(const struct sizing_layout *layout); /* 0 where there is none */

/*
 * NULL if an engine can cut the model so; else a static phrase that says what is in the way.
 * Node granularity is not asked here, since servers are a matter of buying.
 */
const char *sizing_layout_illegal(const struct sizing_case *c, const struct sizing_layout *layout);

/* Bytes of the fullest device, whole, with `concurrency` sequences of `context` tokens. */
double sizing_layout_bytes(const struct sizing_case *c, const struct sizing_layout *layout,
    double concurrency, double context);
bool sizing_layout_holds(const struct sizing_case *c, const struct sizing_layout *layout,
    double concurrency, double context);
/* The largest whole load that it holds; 0: not one. SIZING_MAX_LOAD: no limit. */
double sizing_layout_concurrency(const struct sizing_case *c, const struct sizing_layout *layout);
double sizing_layout_context(const struct sizing_case *c, const struct sizing_layout *layout);

/* Seconds of a decode step, and of a prompt not seen before. */
double sizing_layout_step(const struct sizing_case *c, const struct sizing_layout *layout);
double sizing_layout_prefill(const struct sizing_case *c, const struct sizing_layout *layout);
/*
 * Seconds that no layout of so many devices beats whose stages have at most so many ranks: nothing copied,
 * nothing sent, all ranks of a stage split everything. They never rise with either count. A prompt keeps all
 * devices at work however they are staged, so `ranks` says nothing of it.
 */
double sizing_step_floor(const struct sizing_case *c, double devices, double ranks);
double sizing_prefill_floor(const struct sizing_case *c, double devices, double ranks);

/* As sizing_run, for an opened case and any layout, whatever load.layout says; NULL: none. */
void sizing_answer(struct sizing_result *result, const struct sizing_case *c,
    const struct sizing_layout *layout);

#endif
