/*
 * The figures of a result and of an input under the names by which JSON, tables, filters and
 * drafts know them: "kv.bytes", "bottleneck.flag", "concurrency". A new figure is one line in
 * a table of keys.c; whoever prints, sweeps, explains or varies figures walks the tables.
 */
#ifndef SIZING_KEYS_H
#define SIZING_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "sizing/sizing.h"

/* What the number counts, in base units, and how it is best shown. */
enum sizing_unit {
	SIZING_UNIT_COUNT,      /* devices, sequences */
	SIZING_UNIT_WHOLE,      /* the same, shown and given rounded down */
	SIZING_UNIT_PARAMETERS,
	SIZING_UNIT_TOKENS,
	SIZING_UNIT_RATIO,
	SIZING_UNIT_BYTES,
	SIZING_UNIT_BYTES_BINARY, /* bytes, shown in KiB and MiB */
	SIZING_UNIT_SECONDS,
	SIZING_UNIT_BYTES_PER_SECOND,
	SIZING_UNIT_OPERATIONS_PER_SECOND,
	SIZING_UNIT_TOKENS_PER_SECOND,
	SIZING_UNIT_TEXT,       /* a word of a fixed vocabulary */
	SIZING_UNIT_DTYPE,      /* of an input: a const struct sizing_dtype * */
};

struct sizing_key {
	const char *name;
	enum sizing_unit unit;
	size_t offset;     /* of the double (or dtype) in struct sizing_result or sizing_input */
	bool zero_is_none; /* 0 says that there is none, or that it is not known */
	/* of SIZING_UNIT_TEXT: the word, NULL where there is none */
	const char *(*text)(const struct sizing_result *result);
};

/* In the order in which they are listed; NULL past the end or where no key is so named. */
const struct sizing_key *sizing_result_key(size_t i);
const struct sizing_key *sizing_result_find(const char *name);
/* Inputs by the names that users write; those of the device and the load. */
const struct sizing_key *sizing_input_key(size_t i);
const struct sizing_key *sizing_input_find(const char *name);

/*
 * The number of a key that is no text. false where there is none: there is no crossover, the
 * load does not fit (times), no rate is published (prefill), no amount would change the count.
 */
bool sizing_result_number(double *out, const struct sizing_key *key,
    const struct sizing_result *result);

/* "weight-bound", "kv-bound", "state-bound" or "index-bound": by capacity. */
const char *sizing_flag(const struct sizing_result *result);

#endif
