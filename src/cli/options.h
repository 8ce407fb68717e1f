/*
 * A workload from the command line: the options that `size` and `sweep` share, checked as the
 * fields of a customer file are.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cmd.h"
#include "ingest/fields.h"

/* For a command's table of options; `size` has tiers as well. */
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
	{ "tpot", 0, "TIME", "target for the time per output token" }

/* The same as fields, in the order of the options; ends with a NULL key. */
extern const struct field option_fields[];

/* The option of a field: "memory-available" of "memory_available". In the arena. */
const char *option_name(struct arena *a, const char *key);

/* What `size` was given, as a map of texts and lists; faults go to cli->errs, and then it is ERR_USAGE. */
int options_read(struct val **out, struct cli *cli);

#endif
