/* What a GGUF file says before its data begins. */
#ifndef IMPORT_GGUF_H
#define IMPORT_GGUF_H

#include "import/file_int.h"

enum { GGUF_TYPES = 48 };

struct gguf_type {
	const char *name;
	unsigned block, bytes; /* elements of a block, and its bytes */
};

struct gguf_tensor {
	const char *name;
	const struct gguf_type *type;
	uint64_t elements, bytes, offset;
};

struct gguf {
	struct val *values; /* numbers, short texts and lists of numbers by their whole key */
	double tokens;      /* in the tokenizer's list; 0: none */
	struct gguf_tensor *tensors;
	size_t tensor_count;
	uint64_t alignment;
};

/* Failures are in d->rc. Nothing but the header is read; each tensor is checked to lie inside the file. */
void gguf_header(struct gguf *g, struct draft *d, const struct source *s);

#endif
