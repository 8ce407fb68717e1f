/* What the readers of this module hand to each other. */
#ifndef IMPORT_FILE_INT_H
#define IMPORT_FILE_INT_H

#include "import/draft.h"

/* Bytes that can be read at any offset: a file, or memory. */
struct source {
	const char *path; /* for places, and to find what lies beside it; never NULL */
	int fd;           /* -1: memory */
	const unsigned char *bytes;
	uint64_t size;
};

int source_open(struct source *s, const char *path, struct err *e);
void source_close(struct source *s);
/* Exactly n bytes; false where the file is shorter or cannot be read. */
bool source_read(const struct source *s, void *out, uint64_t offset, size_t n);

/* A path beside `path`, with `suffix` at its end exchanged, or else of this name; in the arena. */
const char *beside(struct arena *a, const char *path, const char *suffix, const char *name);
bool is_file(const char *path);

/* Both fill a draft that was set up; failures are in d->rc. */
void gguf_read(struct draft *d, const struct source *s);
void safetensors_read(struct draft *d, const struct source *s);
void safetensors_index(struct draft *d, const struct val *root, const char *path);

/* Class of a tensor by its name, as Hugging Face or as GGUF writes it. */
enum sizing_class tensor_class_of(const char *name);
/* The number behind "layers."; -1: none. */
long tensor_layer(const char *name);
/* Of a tower for other media, or of a module that predicts further tokens: no part of the decoder. */
bool tensor_is_beside(const char *name);

#endif
