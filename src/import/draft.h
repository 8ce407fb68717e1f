/*
 * A profile in the making: layers are described one by one and equal ones become a group;
 * weights are counted by class and dtype; notes gather what was taken or left open.
 *
 * The first failure stays: later calls do nothing, so readers ask for fault once, at the end.
 */
#ifndef IMPORT_DRAFT_H
#define IMPORT_DRAFT_H

#include <stdbool.h>

#include "import/import.h"

enum { DRAFT_MAX_LAYERS = 4096 };

/* What one layer keeps: `layers` of the group counts how many are alike. */
struct cell {
	struct sizing_group g;
	const char *cache;
	const char *roles[SIZING_MAX_STATES];
};

/* Bytes of one dtype in one class. */
struct weight {
	enum sizing_class class;
	const struct sizing_dtype *dtype; /* NULL: one that the engine does not know */
	const char *name;                 /* as the file calls it */
	double bytes;
};

enum { DRAFT_MAX_WEIGHTS = SIZING_CLASSES * 48 };

enum note_id {
	NOTE_TIED_FAMILY, NOTE_TIED_DEFAULT, NOTE_MHA, NOTE_HEAD_DIM, NOTE_FFN_DEFAULT, NOTE_GENERIC,
	NOTE_WINDOW_PERIOD, NOTE_WINDOW_CODE, NOTE_WINDOW_ALL, NOTE_WINDOW_OFF, NOTE_STATE_DTYPE, NOTE_CONV_DTYPE, NOTE_MTP,
	NOTE_NORMS, NOTE_NO_WEIGHTS, NOTE_NO_DTYPE, NOTE_PLAIN_DTYPE, NOTE_NO_QUANT, NOTE_MIXED_CLASS,
	NOTE_KV_QUANT, NOTE_EXPERT_WIDTH, NOTE_CROSS_ROWS, NOTE_WIDTHS_DIFFER, NOTE_VISION, NOTE_CHUNK_PERIOD,
	NOTE_NO_CONTEXT, NOTE_VOCAB_TOKENS, NOTE_SPLIT_MISSING, NOTE_SHARD_MISSING, NOTE_PACKED,
	NOTE_UNKNOWN_DTYPE, NOTE_TOTAL_DIFFERS, NOTE_NO_GEOMETRY, NOTE_ONE_SHARD, NOTE_SHARED_MIXER,
	NOTE_SHARED_IMPLICIT, NOTE_OTHER_COPY, NOTE_EXTRA_STATE,
	NOTE_CODE_SIZES, NOTE_COUNT
};

struct draft {
	struct arena *a;
	struct err *e;
	int rc;
	struct sizing_model m; /* without its groups until draft_close */
	struct cell cells[SIZING_MAX_GROUPS];
	size_t cell_count;
	struct sizing_ffn dense;  /* width: the narrowest */
	double dense_columns;     /* sum over layers of matrices x width */
	struct sizing_ffn experts;
	struct weight weights[DRAFT_MAX_WEIGHTS];
	size_t weight_count;
	const char *tensors[SIZING_CLASSES]; /* dtype of a class where it is not the checkpoint's */
	const char *checkpoint;           /* NULL: no checkpoint in the record */
	double checkpoint_bytes;          /* of the files; 0: they were not read */
	double counted;                   /* parameters that the file itself holds; 0: not known */
	bool weights_only;                /* there is no geometry */
	const char *name;                 /* of the model, by the file; may be NULL */
	const char *what;                 /* "configuration", "GGUF file", ...: for the document */
	struct import_note *notes;
	size_t note_count, note_cap;
};

void draft_init(struct draft *d, struct arena *a, struct err *e);

/* Set the first failure. A place without a file gives a message without one. */
void draft_fail(struct draft *d, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Each note once; `key` fills the one %s of its text, and is a word of ours, never of the file. */
void draft_note(struct draft *d, struct place at, enum note_id id, const char *key);

/* One more layer of this kind: returns the number of its group. */
size_t draft_layer(struct draft *d, const struct cell *cell);
/* One more layer that reads the rows of a group, and keeps nothing itself. */
void draft_reader(struct draft *d, size_t group);
/* One more feed-forward. */
void draft_ffn(struct draft *d, const struct sizing_ffn *ffn);

void draft_weight(struct draft *d, enum sizing_class class, const char *dtype, double bytes);

/* Make m of what was gathered: what the record cannot say apart goes to other_parameters. */
void draft_fold(struct draft *d);
/*
 * Make the checkpoint from the weights, if there are any: the dtype that most bytes have, and which classes differ.
 * counted: the bytes are those of files, and not the parameters times what a configuration says.
 */
void draft_checkpoint(struct draft *d, bool counted);

/* The records. `path` is the file that was read. */
void record_write(struct import *out, struct draft *d, const char *path, const struct import_options *options);

#endif
