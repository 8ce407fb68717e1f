/*
 * Inference-memory sizing: one model, one device, one load in; bytes, devices, times and
 * bottlenecks out. Pure arithmetic: no memory, no I/O, no globals, thread-safe; needs libc
 * and libm only and can be linked on its own.
 *
 * One run sizes one replica: one copy of the weights and the sequences decoded against it.
 *
 * A model is a list of layer groups. A group says how many layers it has and what one
 * layer keeps and reads for each sequence of T tokens:
 *
 *     kept(T)  = ceil(min(T, window) / stride)        rows that exist
 *     read(T)  = min(kept(T), top_k)                  rows one decode step moves
 *     row      = (key_width + value_width) x kv dtype + index_width x index dtype,
 *                or a packed entry of row_bytes
 *     bytes kept = sum of  layers x (kept x row + states)
 *     bytes read = sum of  readers x read x row + layers x 2 x states
 *
 * A new architecture is new data, never new code. Every figure about rows says whether it
 * used rows kept (capacity, transfer, tiers) or rows read (decode traffic).
 *
 * Units: bytes, tokens, seconds, bytes per second, operations per second, all double
 * (whole counts up to 2^53 are exact). 1 multiply-add = 2 operations.
 *
 * Times are floors: bandwidth and peak as given (or times the stated efficiency), perfect
 * overlap inside a max.
 *
 * Without a layout (load.layout zeroed) every byte and operation is spread evenly over the
 * devices and nothing crosses a link: a bound that no layout beats. With one, each class of
 * tensors and each cache is split by its own rule (sizing/layout.h), the budget is that of the
 * fullest device, and the links take their time.
 *
 * Sources of the formulas, [P7] = "How to Scale Your Model" part 7:
 *     parameters         [P7] exercises 1 and 5
 *     KV bytes           [P7] "what about memory"; a latent row (MLA): DeepSeek-V2, 2.1
 *     decode step        [P7] general step time: attention bytes + max(linear, weights)
 *     attention compute  [P7] 2 BSTD for QK and for AV; per group, because with one latent
 *                        shared by all heads decode may be compute-bound
 *     critical batch     [P7] "linear operations", exercise 5 for experts
 *     prefill            [P7] 2 x active parameters x T; attention with the causal half
 *     experts touched    expectation for independent uniform routing: E (1 - (1 - k/E)^B)
 *     collectives        [P7] appendix C: max(hops x latency, bytes / bandwidth of one direction)
 *     load or recompute  bytes of the prefix / bandwidth against its prefill (Mooncake,
 *                        FAST 2025, eq. 2, with the linear part counted, not estimated);
 *                        what a tier is and how it is judged in sizing/tiers.h, closed forms in
 *                        sizing/reload.h
 */
#ifndef SIZING_SIZING_H
#define SIZING_SIZING_H

#include <stdbool.h>
#include <stddef.h>

#include "sizing/tiers.h"

/* ---- dtypes ---- */

/* The rates a device may publish; SIZING_BF16 is any 16-bit float. Each runs at its own if
 * the device has it, else at that of what it is expanded to: fp4 -> bf16, fp8 -> bf16,
 * int8 -> bf16. fp32 without a rate of its own takes the bf16 one: no device computes it
 * faster, so the time stays a floor. */
enum sizing_rate { SIZING_BF16, SIZING_FP8, SIZING_FP4, SIZING_INT8, SIZING_FP32, SIZING_RATES };

/*
 * Bits per element including block scales (q8_0: 8.5, mxfp4: 4.25, nvfp4: 4.5), and the
 * rate it computes at. fp4 and int4 are bare, without scales. A mix over tensors such as
 * Q4_K_M is no dtype: give the bytes of its file as checkpoint_bytes. A caller may pass
 * one of its own.
 */
struct sizing_dtype {
	const char *name;
	double bits;
	int compute; /* enum sizing_rate */
};

/* ASCII case ignored; NULL if unknown */
const struct sizing_dtype *sizing_dtype_find(const char *name);
const struct sizing_dtype *sizing_dtype_at(size_t i); /* NULL past the end: for listing */
const char *sizing_rate_name(enum sizing_rate rate);  /* "bf16", ... */

/* ---- the input: 0 in a field says "none" or "not known", so start from a zeroed struct ---- */

enum {
	SIZING_MAX_GROUPS = 48, SIZING_MAX_STATES = 4, SIZING_MAX_FFN = 8, SIZING_MAX_TIERS = 16,
	SIZING_MAX_LENGTHS = 16
};

/* What is beyond is absurd, and an error: */
#define SIZING_MAX_VALUE 1e18 /* parameters, bytes per second, operations per second */
#define SIZING_MAX_COUNT 1e12 /* layers, widths, heads, experts, windows */
#define SIZING_MAX_LOAD 1e9   /* tokens, sequences, devices, seconds; and the cap of what fits */
#define SIZING_MAX_DEVICE_BYTES 9e15 /* under 2^53: a device's budget is exact in bytes */

struct sizing_state {
	double elements; /* per layer and sequence */
	const struct sizing_dtype *dtype; /* its own, often fp32 */
};

struct sizing_group {
	double layers;
	/* layers that read these rows, with the layers that keep them; 0 = layers. More with cross-layer
	 * sharing: what only reads is in no group of its own. */
	double readers;
	double key_width, value_width, index_width; /* elements in one row; 0 = none */
	/* packed entry; 0 = computed from the widths. With key_width = value_width = 0 and an
	 * index_width it is an index entry. */
	double row_bytes;
	double window, stride, top_k; /* 0 = none */
	/* cross-attention: rows = source length, whatever the context; 0 = no */
	double source_rows;

	/* Attention: 2 x heads x (query_width + output_width) x rows operations per token. MLA
	 * decodes absorbed (rank + rope, rank) but prefills with full heads: the prefill widths,
	 * 0 = the same. */
	double heads, query_width, output_width;
	double prefill_query_width, prefill_output_width;

	/* Parameters of one layer's mixer. <= 0: the standard count from the widths, which is
	 * width x (key_width + value_width) a layer and width x heads x (query_width +
	 * output_width) a reader; right for MHA, GQA and MQA, wrong for MLA and state space. */
	double projections;
	struct sizing_state states[SIZING_MAX_STATES];
	size_t state_count;
	/* a further cache on layers that another group counts: no parameters of its own */
	bool also_on;
};

struct sizing_ffn {
	double layers;
	double width;    /* of a dense layer or of one routed expert */
	double matrices; /* 3 gated, 2 not */
	double experts, active;      /* 0, 0: dense */
	double shared, shared_width; /* shared experts, at model width; shared_width 0 = width */
	double input_width;          /* latent MoE; 0 = model width */
};

/* Classes of tensors that have a dtype and a split of their own. */
enum sizing_class {
	SIZING_VOCABULARY, /* input embedding and output head */
	SIZING_ATTENTION,  /* the mixers: projections of attention, and of recurrent layers */
	SIZING_DENSE,      /* feed-forward of layers without experts */
	SIZING_EXPERTS,    /* routed experts */
	SIZING_SHARED,     /* experts that every token uses */
	SIZING_OTHER,      /* routers, norms, biases and what else the profile counts */
	SIZING_CLASSES
};
const char *sizing_class_name(enum sizing_class class); /* "vocabulary", "attention", ... */

struct sizing_model {
	double width;      /* may be 0, as may the rest, where published_total is known */
	double vocabulary;
	bool tied;
	struct sizing_group groups[SIZING_MAX_GROUPS];
	size_t group_count;
	struct sizing_ffn ffn[SIZING_MAX_FFN];
	size_t ffn_count;
	double other_parameters; /* norms, biases, latent projections; in every token's path */
	double published_total, published_active; /* 0 = not published */
	/* used where load.weights is checkpoint_dtype; 0 = not known */
	double checkpoint_bytes;
	const struct sizing_dtype *checkpoint_dtype;
	/* classes that the checkpoint keeps in another dtype; NULL = checkpoint_dtype */
	const struct sizing_dtype *checkpoint_tensors[SIZING_CLASSES];
	double max_context; /* 0 = not known; only compared, never used as an input */
};

struct sizing_device {
	double visible_bytes; /* driver-visible; the printed capacity where that is not known */
	/* > 0: given (shared memory, or stated); else visible x usable_fraction */
	double usable_bytes;
	double usable_fraction;
	double bandwidth;     /* bytes/s of one device */
	double peak[SIZING_RATES]; /* dense operations/s; 0 = no such path */
	/* Share of each peak and of the bandwidth that is reached; 0 = all of it, the bound. */
	double efficiency[SIZING_RATES], bandwidth_efficiency;
	/* bytes/s, one direction, all links of one device; 0 = not known: links take no time */
	double link;
	double link_latency;  /* seconds a hop; 0 = none */
	double domain;        /* devices in a scale-up domain; 0 = not known, no limit */
	double node;          /* devices in one server, bought together; 0 = not known */
	double network;       /* bytes/s, one direction, of one device out of its domain; 0 = not known */
	/* memory shared with a system: usable_bytes is given and the count is 1 */
	bool shared;
};

enum sizing_kv_split {       /* what ranks beyond the number of KV heads do with the rows */
	SIZING_KV_COPY,      /* each keeps a copy of its head: what engines do by default */
	SIZING_KV_BATCH,     /* split the sequences: two all-to-alls a layer ([P7], KV sharding) */
	SIZING_KV_SEQUENCE,  /* split the context: gather queries, reduce partial outputs */
	SIZING_KV_SPLITS
};
const char *sizing_kv_split_name(enum sizing_kv_split split); /* "copy", "batch", "sequence" */

/*
 * How one replica lies over devices = tensor x attention x pipeline. All zero: no layout.
 * The ranks of a stage are tensor x attention; sizing/layout.h has what each of them holds.
 */
struct sizing_layout {
	double tensor;    /* tensor parallel: ranks that split the heads and widths of a layer */
	/* data-parallel attention: groups of `tensor` ranks, each with its own sequences and its own
	 * copy of all but the routed experts, which are spread over all ranks of the stage */
	double attention;
	double pipeline;  /* stages of whole layers */
	bool expert;      /* whole experts on a rank; else each is sliced over the ranks */
	enum sizing_kv_split kv;
};

struct sizing_length { /* some of the sequences are shorter than the longest */
	double share;  /* of the sequences; all together 1 */
	double tokens; /* at most the context */
};

struct sizing_load {
	/* Tokens. context = prompt + output; any two give the third; context alone is all prompt
	 * for TTFT and all kept for KV. */
	double prompt, output;
	double context;
	double concurrency;    /* sequences decoded at once; >= 1, an average may have a fraction */
	double sessions;       /* conversations whose KV is worth keeping; 0 = concurrency */
	double reuse;          /* 0..1: share of prompt tokens seen before; < 0 = unknown */
	/* index NULL = as kv; kv NULL only without KV */
	const struct sizing_dtype *weights, *kv, *index;
	/* Classes of tensors in another dtype than `weights`; NULL = as weights. Where none is given and
	 * `weights` is the checkpoint's dtype, the checkpoint's own classes hold. */
	const struct sizing_dtype *tensors[SIZING_CLASSES];
	/* The lengths that the sequences really have; 0 = all as long as the context. Rows kept and read are
	 * means over them (paged allocation); the inverse question of the context scales them all. */
	struct sizing_length lengths[SIZING_MAX_LENGTHS];
	size_t length_count;
	/* NULL: as the other operand; else a product runs at the wider of both */
	const struct sizing_dtype *activations;
	/* > 0: the count they have; the inverse questions are answered for it */
	double accelerators;
	double ttft, tpot;     /* targets in seconds; 0 = none. TPOT: of the tokens after the first */
	double runtime_bytes;  /* reserve per device outside weights and KV; 0 = none */
	struct sizing_layout layout; /* zeroed: none, the bound; with one, accelerators is its product or 0 */
	/* Tokens of a prompt that are computed at once. 0 = not chunked and activations not counted, pipeline
	 * stages filled; else weights are read once a chunk and the last chunk leaves the stages in turn. */
	double prefill_chunk;
	double expert_imbalance; /* tokens of the busiest rank over the mean, >= 1; 0 = 1: even routing */
	/* Speculative decoding: tokens drafted a step, the probability that one is accepted, and the time
	 * of drafting one as a share of a plain step. 0 drafted = none. */
	double draft_tokens, acceptance, draft_cost;
};

struct sizing_input {
	struct sizing_model model;
	struct sizing_device device;
	struct sizing_load load;
	struct sizing_tier tiers[SIZING_MAX_TIERS];
	size_t tier_count;
};

/* ---- the answer: every number finite and >= 0 ---- */

enum sizing_term { /* one vocabulary for capacity and time */
	SIZING_WEIGHTS, SIZING_KV, SIZING_STATE, SIZING_INDEX,
	SIZING_ATTENTION_COMPUTE, SIZING_LINEAR_COMPUTE, SIZING_INTERCONNECT, SIZING_TERMS
};
const char *sizing_term_name(enum sizing_term term); /* "weights", ..., "linear-compute" */

struct sizing_path { /* the rate that products run at */
	enum sizing_rate asked, used; /* they differ where the device has no path for the dtype */
	/* per second and device, efficiency included; 0 = none published: compute times are 0 = not
	 * known */
	double operations;
};

/* Bytes that one device sends in one direction, and what the links take for them. */
struct sizing_traffic {
	double all_reduce, all_to_all, gather, point_to_point; /* bytes */
	double collectives; /* how many one after the other */
	double seconds;     /* 0 where the link is not known */
	bool latency_bound; /* hops, not bytes, set most of it */
};

/*
 * One decode step of the whole batch at the full context, on `devices`.
 *     linear    = sum over classes of max(weights touched / bandwidth, 2 x active x batch / rate)
 *     attention = sum over groups of max(rows read / bandwidth, operations / rate), and states
 * In stages, a token passes one after the other, each with batch / stages sequences at a time: what all
 * stages read of weights adds up, of KV the share of those sequences.
 * The input embedding counts as weights read ([P7]'s tables do so) but not as operations (an untied
 * one is gathered, not multiplied). Experts: the expected share that the batch touches. A
 * product of attention runs at the rate of the KV dtype, a linear one at that of the weights.
 */
struct sizing_step {
	double devices;
	double weights_seconds; /* reading the weights that the batch touches */
	double kv_seconds;      /* reading the rows of every sequence, without the index */
	double index_seconds;
	double state_seconds;   /* states are read and written */
	double attention_compute_seconds, linear_compute_seconds, interconnect_seconds;
	double linear_seconds;  /* sum over classes of max(weights, linear compute) */
	/* sum over groups of max(rows read, attention compute), and states */
	double attention_seconds;
	double seconds;         /* linear + attention + interconnect */
	double counted[SIZING_TERMS]; /* seconds by the term that sets them; adds up to `seconds` */
	double tokens_per_second;
	double tokens_per_second_device, tokens_per_second_user; /* of one device; of one sequence */
	enum sizing_term bottleneck; /* the largest term that counts; index counts as kv */
	struct sizing_traffic traffic;
};

/*
 * One prompt on `devices`, without reuse and with it; floors of TTFT.
 *     linear    = max(weights touched / bandwidth, 2 x active parameters x tokens / rate)
 *     attention = sum over groups of max(rows written / bandwidth, operations / rate)
 * A token attends to the rows before it: T^2 / 2 in all for T tokens (causal), m T - m^2 / 2 where
 * at most m tokens back are read (window; top_k x stride), each over stride; cross-attention
 * T x source. Recurrent states are not counted. Reuse: (1 - reuse) of the tokens, at least one,
 * computed and attending to all.
 */
struct sizing_prefill {
	double devices;
	double linear_operations, attention_operations; /* of the replica */
	double weights_seconds, linear_compute_seconds, attention_compute_seconds, kv_write_seconds;
	double seconds;          /* floor of TTFT */
	double seconds_reused;   /* with the stated reuse; = seconds if none or unknown */
	double tokens_per_second; /* prompt / seconds */
	double interconnect_seconds;
	double counted[SIZING_TERMS]; /* `seconds` by the term that sets them */
	enum sizing_term bottleneck;
	struct sizing_traffic traffic;
};

/*
 * Speculative decoding and ways to serve: what follows from one decode step and one prompt
 * (sizing/serving.h has the formulas). Zeroed where the load does not fit or has no output.
 */
struct sizing_serving {
	double requests_per_second;   /* that the decode step alone serves: concurrency / (output x step) */
	/* drafting: tokens that one step yields in expectation, its time with the drafts, and per token */
	double tokens_per_step, speculative_step_seconds, speculative_seconds;
	double speculative_tokens_per_second, speculative_gain; /* gain: plain over speculative time per token */
	/* One pool, a prompt at a time between steps: the share of its time that decode gets, what it then
	 * serves. A step that waits for a prompt waits for prefill.seconds_reused. */
	double decode_share, interleaved_tokens_per_second, interleaved_requests_per_second;
	double batched_prefill_seconds; /* all prompts first, then all decode: the last one's first token */
	/* two pools: devices for prefill to one for decode, and what crosses the network between them */
	double prefill_per_decode;
	double transfer_bytes;        /* of one request: rows kept of its prompt, and states */
	double transfer_bandwidth;    /* bytes/s that the requests make */
	/* bytes/s at which the transfer of one request hides behind the computing of its own prompt */
	double transfer_hidden_bandwidth;
};

/*
 * Per device, the fullest one, in whole bytes. Adds up exactly when it fits:
 *     weights + kv + index + state + activations + communication + runtime + free
 *         = usable + missing
 * and one of free and missing is 0.
 */
struct sizing_budget {
	double devices;
	double visible, usable;
	double weights, kv, index, state, activations, communication, runtime, free, missing;
};

struct sizing_result {
	double context, prompt, output, concurrency, sessions;
	bool beyond_max_context; /* the model is not made for this context */

	double parameters_total, parameters_active; /* published where known, else computed */
	/* weights are of computed_total, or of parameters_total where the two are more than 2 % apart */
	double computed_total, computed_active;
	double embedding_parameters;
	bool weights_from_checkpoint; /* else parameters x dtype */
	double weight_bytes;

	/* what one token adds while every window is open, index included */
	double kv_bytes_per_token;
	double kv_growth_per_token;    /* what one more adds at this context */
	double kv_bytes_per_sequence;  /* rows kept, index included, states not */
	double kv_bytes;               /* x concurrency */
	double kv_bytes_read_per_step; /* rows read x concurrency, index included */
	/* the part of the two above that is index keys */
	double index_bytes_per_sequence, index_bytes;
	double state_bytes_per_sequence, state_bytes;
	double idle_kv_bytes;          /* (sessions - concurrency) x (kv + state of one sequence) */

	double kv_to_weights;          /* kv + state over weights */
	/* sequences at which KV + state equal the weights; 0 = never */
	double crossover_concurrency;
	/* first context at which they reach them at this concurrency; 0 = never */
	double crossover_context;
	bool near_crossover;           /* concurrency or context within 25 % of it */

	double usable_per_device;      /* whole bytes, runtime included */
	double by_capacity, for_weights, added_by_kv; /* devices, from bytes: bounds */
	double by_layout;              /* devices of the layout if it holds the load; 0 = none given, or not */
	struct sizing_layout layout;   /* that times, budget and what fits are of; zeroed = none */
	bool leaves_domain;            /* it has more devices than a scale-up domain */
	/* by_layout, else by_capacity; 1 where memory is shared */
	double needed;
	/* the first whole load that by_layout (else by_capacity) devices do not hold; 0 = never, or shared */
	double next_jump_concurrency;
	/* on load.accelerators if given, else on needed: the largest whole ones; 0 = not one,
	 * SIZING_MAX_LOAD = no limit */
	double fits_concurrency, fits_context;
	/* load.accelerators (or 1 for shared) hold it; true where no count is given */
	bool fits;

	/* the largest of weights, kv without index, state and index */
	enum sizing_term capacity;
	struct sizing_path linear_path, attention_path; /* linear: of most of the active weights */
	double operations_per_token; /* linear, 2 x computed active parameters without a gathered embedding */
	/* on load.accelerators if given, else on needed; zeroed if it does not fit */
	struct sizing_step decode;
	struct sizing_prefill prefill; /* the same */
	/* sequences at which reading weights = computing with them, experts included; 0 = rate
	 * not known */
	double critical_batch;
	/* least count, and at least needed, at which the time of this load (a prompt not seen
	 * before) meets the target; 0 = no target. More than 1 where memory is shared: it is not
	 * met. */
	double devices_for_tpot, devices_for_ttft;
	/* What one device has to hold and to read, on load.accelerators if given, else on needed: the question
	 * of who designs one. Capacity as visible, so that the usable share of it suffices; bandwidth that
	 * makes the bytes of one decode step meet the TPOT target, compute left aside; 0 = no target. */
	double device_bytes, device_bandwidth;
	/* a target is given, the load fits and the floor is within it */
	bool meets_tpot, meets_ttft;
	struct sizing_serving serving;
	/* Ways of tensor parallelism at which the links take as long as what they wait for; 0 = not known.
	 * Decode: as reading the weights, F / (B x beta); prefill: as computing, F / (C / W): [P7], whose
	 * activations have two bytes, others in proportion. */
	double decode_ways, prefill_ways;
	/* Buffer under which a collective over the ranks waits for hops, and ways of tensor parallelism above which
	 * those of one decode step do: [P7] appendix C. 0 = no latency known, or no layout. */
	double latency_bound_bytes, latency_ways;
	/* [P7] exercise 7, the widest feed-forward: devices above which weights split in two dimensions move less;
	 * on the devices of the layout, the ways of the model width then (0 = none is better than one), and the time as a
	 * share of one dimension's. */
	double two_d_devices, two_d_ways, two_d_share;
	struct sizing_budget budget;   /* on load.accelerators if given, else on needed */
	struct sizing_placement placements[SIZING_MAX_TIERS];
};

/* What is wrong with the input: `field` is the name of the field ("model.groups.stride"), `index`
 * which group, ffn entry or tier (from 0; -1: there is one only), `reason` a static phrase. */
struct sizing_error {
	const char *field;
	int index;
	const char *reason;
};

/*
 * Size one replica. Returns 0, or -1 with *error filled: a value that is missing, zero where it
 * may not be, negative, NaN, infinite, not whole where it counts things, absurdly large, or
 * against another one. A load that does not fit is no error: result->fits is false and the bytes
 * are there, but no latency (all seconds 0).
 */
int sizing_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error);

/* ---- the parts, for tests and other users; they check nothing ---- */

double sizing_rows_kept(const struct sizing_group *g, double tokens);
double sizing_rows_read(const struct sizing_group *g, double tokens);
/* The only width of a row there is, and the part of it that is index keys. index NULL = as kv. */
double sizing_row_bytes(const struct sizing_group *g, const struct sizing_dtype *kv,
    const struct sizing_dtype *index);
double sizing_index_row_bytes(const struct sizing_group *g, const struct sizing_dtype *kv,
    const struct sizing_dtype *index);
double sizing_state_bytes(const struct sizing_group *g); /* of one layer and sequence */
/* One sequence, by the two formulas at the top: states included, once kept and twice read. */
double sizing_kept_bytes(const struct sizing_model *m, double tokens,
    const struct sizing_dtype *kv, const struct sizing_dtype *index);
double sizing_read_bytes(const struct sizing_model *m, double tokens,
    const struct sizing_dtype *kv, const struct sizing_dtype *index);
/* computed, whatever is published */
double sizing_parameters(const struct sizing_model *m, bool active);
double sizing_class_parameters(const struct sizing_model *m, enum sizing_class class, bool active);

#endif
