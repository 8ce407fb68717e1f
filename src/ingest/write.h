/* A checked set into the two databases: the knowledge, and apart from it the quarantine. */
#ifndef INGEST_WRITE_H
#define INGEST_WRITE_H

#include "ingest/set.h"
#include "util/err.h"

struct db;

struct image {
	const unsigned char *bytes;
	size_t len;
	struct db *db;       /* they lie in it: owned; or NULL, and then in */
	unsigned char *read; /* owned */
};

void image_release(struct image *image);

/*
 * The knowledge gets everything but quarantined claims and findings under review; the
 * quarantine gets those claims, and whole every source that has a finding under review. The
 * knowledge names its quarantine, by the SHA-256 of the image. Same set, same bytes.
 */
int write_images(struct image *knowledge, struct image *quarantine, const struct set *set,
    struct err *e);

#endif
