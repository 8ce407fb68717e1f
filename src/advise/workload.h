/*
 * What a customer runs, as the engine is asked: every input with where it comes from.
 *
 * An input is stated (in the customer file or on the command line), assumed (from the
 * archetype's reference workload, because the file says `unknown` or nothing), or unknown. For an archetype
 * declared without quantitative evidence nothing is assumed: what depends on an unknown is not sized.
 */
#ifndef ADVISE_WORKLOAD_H
#define ADVISE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "quantity/quantity.h"
#include "sizing/engine.h"
#include "sizing/retrieval.h"
#include "sizing/sizing.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct kb;

enum input_id {
	INPUT_MODEL, INPUT_ACCELERATOR, INPUT_WEIGHTS, INPUT_KV, INPUT_PROMPT, INPUT_OUTPUT,
	INPUT_CONTEXT, INPUT_CONCURRENCY, INPUT_REQUESTS, INPUT_SESSIONS, INPUT_REUSE,
	INPUT_ACCELERATORS, INPUT_REPLICAS, INPUT_MEMORY, INPUT_USABLE, INPUT_TTFT, INPUT_TPOT,
	INPUT_TIERS, INPUT_GOAL, INPUT_TENSORS, INPUT_ACTIVATIONS, INPUT_LENGTHS, INPUT_LAYOUT,
	INPUT_NODE, INPUT_PREFILL_CHUNK, INPUT_RUNTIME, INPUT_RATES, INPUT_EFFICIENCY,
	INPUT_BANDWIDTH_EFFICIENCY, INPUT_IMBALANCE, INPUT_DRAFT_TOKENS, INPUT_ACCEPTANCE,
	INPUT_DRAFT_COST, INPUT_ENGINE, INPUT_MICRO_BATCH, INPUT_COUNT
};

const char *input_name(enum input_id id); /* as in the customer file: "concurrency" */

struct input {
	bool known;
	enum quantity_kind kind;   /* stated, assumed, or published for what a profile says */
	const char *text;          /* as written: an id, a dtype, "120K" */
	struct quantity q;         /* of the numeric ones; its ref is the key in the customer file */
	bool range;                /* given as a range: q is the end that asks for more, see advise/range.h */
	struct quantity low, high; /* its ends */
	const struct val *why;     /* assumed: the reference workload's reason */
	const struct val *ask;     /* the question that would replace it */
	const struct val *profile; /* a map or a list, as in the file: an inline model, a layout, lengths */
};

struct tier_input {
	const char *id;
	const struct val *body;
	double units; /* modules, drives or expanders that the idle KV takes; 0: not known */
};

enum { CUSTOMER_WORKLOADS = 32 }; /* in one file: a draft sets them side by side */

struct workload_range;

struct workload {
	const char *id;
	struct place at; /* in the customer file */
	struct input inputs[INPUT_COUNT];
	const struct val *model, *device; /* bodies: of the kb, or inline */
	struct tier_input tiers[SIZING_MAX_TIERS];
	size_t tier_count;
	struct sizing_input in;
	struct sizing_result out;
	struct sizing_reserved reserved; /* with INPUT_ENGINE: what it takes beside the minimum, else zeroed */
	bool retrieval;            /* the file tells of a vector index */
	struct sizing_index index; /* of it: zeroed where its size is not known; prompt_tokens are in the prompt */
	enum sizing_room room;     /* for it in the host's memory */
	const struct workload_range *range; /* NULL: no input is one */
	bool sized;
	bool starved;              /* requests per second that no concurrency serves on what there is */
	enum input_id missing;     /* if not sized: the input without which it cannot be */
};

struct customer {
	const struct val *body;      /* the file */
	const char *id, *archetype;  /* archetype: the id as stored */
	const struct val *archetype_body;
	bool quantitative;           /* is there evidence to take assumptions from */
	struct workload *workloads;  /* in the arena */
	size_t workload_count;
};

/*
 * Read a checked customer file (ingest's table of fields holds for it) and size each
 * workload. A workload that cannot be sized for want of an input is no error. Everything
 * lives in the arena.
 */
int customer_read(struct customer *out, struct kb *kb, struct arena *a, const struct val *file,
    struct err *e);

/*
 * One workload from options: `options` is a map as an entry of `workloads` (all values
 * stated) with `context`, `tiers` (a list), `ttft`, `tpot` beside its keys. If something is missing, w->sized is
 * false and w->missing says what.
 */
int workload_from_options(struct workload *out, struct kb *kb, struct arena *a,
    const struct val *options, struct err *e);

/* The same without sizing it: w->in is filled as far as the options go. */
int workload_read_options(struct workload *out, struct kb *kb, struct arena *a,
    const struct val *options, struct err *e);

/* Is there all that nothing can be sized without? If not, w->missing is the first that there is not. */
bool workload_is_complete(struct workload *w);

/* The engine's name for an input, as the customer file has it: "concurrency" of "load.concurrency". */
const char *workload_field(const char *field);

/* Put the numbers of the inputs into w->in, as the engine wants them. */
void workload_set_load(struct workload *w);

/* Run the engine on w->in; fills out, sized, missing. An input it refuses is ERR_INPUT with the field's name. */
int workload_size(struct workload *w, struct err *e);

/* The term of prefill that takes longest; -1 where it has no time: no rate is published, or it does not fit. */
int workload_prefill_term(const struct workload *w);

/* Did the customer state it? */
bool workload_stated(const struct workload *w, enum input_id id);

/* The name to print: of a profile in the kb or inline. */
const char *workload_model_name(const struct workload *w);
const char *workload_device_name(const struct workload *w);

#endif
