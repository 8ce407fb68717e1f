/*
 * Other tools' files to records: a Hugging Face config.json (or Mistral's params.json), a GGUF
 * file, a safetensors header or index become a profile of kind `model`, and a document record
 * that its figures cite.
 *
 * What a file leaves out is never filled in silently: each default that was taken and each field that
 * could not be derived is a note, with the place in the file where there is one. An
 * architecture whose cache cannot be derived is refused with the reason.
 *
 * Everything read is hostile: counts, lengths and offsets are checked before they are used,
 * GGUF and safetensors files are read by their headers only, never as a whole.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sizing/sizing.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct import_options {
	const char *id;        /* NULL: from the name of the file */
	const char *name;      /* NULL: the file's own, or the id */
	const char *publisher; /* of the file; NULL: "imported file" */
	const char *date;      /* when it was read, YYYY-MM-DD; NULL: no document record */
	const char *url;       /* where it can be opened; NULL: a place that says there is none */
};

/* A default that was taken, or what could not be derived. */
struct import_note {
	struct place at; /* no file: there is no place to show */
	const char *en, *ko;
};

struct import {
	const char *id;
	struct sizing_model model; /* what the record says, as the engine takes it */
	struct val *record;        /* of kind model; without what is not known where weights_only */
	bool weights_only;         /* no configuration lay beside the weights: `model` is empty */
	struct val *document;      /* of kind source; NULL without a date */
	struct import_note *notes;
	size_t note_count;
};

/*
 * Read `path` by what it is: its first bytes decide. Files beside it are read where they say
 * more: hf_quant_config.json beside a config, the shards of an index or of a split GGUF file, the
 * config beside safetensors. ERR_INPUT with a place where the file is not one of these, is damaged,
 * or holds an architecture whose cache cannot be derived; ERR_SYSTEM for what the system refuses.
 * All of *out lives in the arena.
 */
int import_file(struct import *out, struct arena *a, const char *path,
    const struct import_options *options, struct err *e);

/* ---- the same from memory, for tests ---- */

/* quant: text of hf_quant_config.json; NULL if there is none. */
int import_config_text(struct import *out, struct arena *a, const char *text, size_t len,
    const char *quant, size_t quant_len, const char *path, const struct import_options *options,
    struct err *e);
int import_gguf_bytes(struct import *out, struct arena *a, const void *bytes, size_t len,
    const char *path, const struct import_options *options, struct err *e);
int import_safetensors_bytes(struct import *out, struct arena *a, const void *bytes, size_t len,
    const char *path, const struct import_options *options, struct err *e);

#endif
