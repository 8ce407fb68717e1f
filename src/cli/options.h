/*
 * A workload from the command line: the options that `size` and `sweep` share, checked as the
 * fields of a customer file are.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "advise/workload.h"
#include "cli/cmd.h"
#include "ingest/fields.h"

/* For a command's table of options; `size` has tiers and engines as well. */
#define WORKLOAD_OPTIONS \
	{ "model", 'm', "ID", "model profile (dossier list models)" }, \
	{ "accelerator", 'a', "ID", "accelerator (dossier list accelerators)" }, \
	{ "weights", 0, "DTYPE", "precision of the weights: bf16, fp8, nvfp4, int8, q4_0, ..." }, \
	{ "kv", 0, "DTYPE", "precision of the KV cache; it does not follow from the weights" }, \
	{ "context", 'c', "TOKENS", "tokens a sequence keeps: 128K is 131,072" }, \
	{ "prompt", 0, "TOKENS", "instead of --context, with --output" }, \
	{ "output", 0, "TOKENS", "tokens of an answer" }, \
	{ "concurrency", 'n', "COUNT", "sequences in decode at once" }, \
	{ "requests-per-second", 0, "RATE", "instead of --concurrency" }, \
	{ "sessions", 0, "COUNT", "conversations whose KV is worth keeping" }, \
	{ "reuse", 0, "SHARE", "share of prompt tokens seen before: 40 %" }, \
	{ "accelerators", 0, "COUNT", "what there is; left out: how many it takes" }, \
	{ "usable", 0, "SHARE", "share of device memory that is usable: 90 % unless given" }, \
	{ "memory-available", 0, "BYTES", "room there is, where memory is shared with a system" }, \
	{ "ttft", 0, "TIME", "target for the time to first token" }, \
	{ "tpot", 0, "TIME", "target for the time per output token" }, \
	{ "tensors", 0, "CLASS=DTYPE,...", "classes of weights in another precision: experts=mxfp4, vocabulary, attention, dense, shared, other" }, \
	{ "activations", 0, "DTYPE", "precision of activations, where products run at the wider of both" }, \
	{ "lengths", 0, "TOKENS=SHARE,...", "a distribution of lengths: 4K=50%,32K=50%" }, \
	{ "layout", 0, "KIND=COUNT,...", "tensor, attention, pipeline, experts=whole|sliced, kv=copy|batch|sequence; left out: the smallest that holds the load" }, \
	{ "node", 0, "COUNT", "devices in one server, bought together; 1: any count" }, \
	{ "prefill-chunk", 0, "TOKENS", "tokens of a prompt computed at once; activations are then counted" }, \
	{ "runtime", 0, "BYTES", "kept free on each device for the runtime" }, \
	{ "rates", 0, "WHICH", "peak (the default: times are bounds) or achieved, as measured" }, \
	{ "efficiency", 0, "SHARE", "share of the peak compute rate that is reached" }, \
	{ "bandwidth-efficiency", 0, "SHARE", "share of the memory bandwidth that is reached" }, \
	{ "expert-imbalance", 0, "FACTOR", "tokens of the busiest rank over the mean" }, \
	{ "draft-tokens", 0, "COUNT", "speculative decoding: tokens drafted a step" }, \
	{ "acceptance", 0, "SHARE", "probability that a drafted token is accepted" }, \
	{ "draft-cost", 0, "SHARE", "time of drafting one token over a plain step" }

/* The same as fields, in the order of the options; ends with a NULL key. */
extern const struct field option_fields[];

/* The option of a field: "memory-available" of "memory_available". In the arena. */
const char *option_name(struct arena *a, const char *key);

/* What to ask for where this input is missing, without the two hyphens: either of two options gives the length. */
const char *option_missing(struct arena *a, enum input_id missing);

/* Has this command the option? */
bool option_exists(const struct cli *cli, const char *name);

/* What stands behind the option of a field, as the field has it: a text, a list, a map. In the arena. */
struct val *option_value(struct arena *a, const struct field *f, const char *text, struct place at);

/* What `size` was given, as a map of texts and lists; faults go to cli->errs, and then it is ERR_USAGE. */
int options_read(struct val **out, struct cli *cli);

#endif
