/*
 * From folders to databases: what a team lays over the default content, compiled when it
 * has changed and taken from a cache when it has not.
 */
#ifndef INGEST_BUILD_H
#define INGEST_BUILD_H

#include <stddef.h>

#include "ingest/write.h"
#include "util/err.h"

/* A knowledge image with its quarantine, borrowed; len 0: there is none. */
struct layer {
	const void *knowledge, *quarantine;
	size_t knowledge_len, quarantine_len;
};

struct build {
	struct image knowledge, quarantine;
	size_t records; /* in the folder itself, not from the layer below */
	size_t fallen;  /* claims that lie among the sourced and count as quarantined */
	struct errs notes; /* what is no fault: files of the folder that are not in NFC */
};

void build_release(struct build *build);

/*
 * Check a folder, laid over `below`, and compile both. Faults of the content go to *errs (sorted); with any
 * there is no image and the code is ERR_INPUT, with the message left to errs.
 */
int build_folder(struct build *out, const char *root, const struct layer *below, struct errs *errs,
    struct err *e);

/*
 * The same check with some files as they would be (set_read), and nothing compiled: the set, with
 * what each claim would count as. The faults are in out->errs, sorted. The caller releases the set.
 */
int build_check(struct set *out, const char *root, const struct set_file *instead, size_t count,
    const struct layer *below, struct err *e);

/*
 * What `--kb PATH ...` means: each path, a folder or a database written by `dossier load`, laid
 * over the ones before it and `below`. Kept in `cache` (a folder, may be NULL, is made if need be) under the names,
 * sizes and times of the files; a cache that cannot be written is no error.
 */
int build_layers(struct build *out, const char *const *paths, size_t count,
    const struct layer *below, const char *cache, struct errs *errs, struct err *e);

#endif
