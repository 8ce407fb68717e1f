/*
 * A knowledge database and its quarantine as files. They are two, since what may not be said must not lie in the
 * knowledge; they are written in one step, and read as the one state that they are.
 *
 * The knowledge holds the digest of its quarantine. A new quarantine is first written under a name with its
 * digest in it (team-quarantine-DIGEST.db). Then the knowledge is renamed into place, and that is the commit:
 * before it all that was there is there, after it all that is new. Only then does the quarantine take its plain name
 * (team-quarantine.db) over the one before. Whoever reads in between, or after a writer was killed in between, finds
 * it under the digest; the next writer tidies up.
 */
#ifndef INGEST_PAIR_H
#define INGEST_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "ingest/write.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"

/* More than any collection that is compiled in memory; one of 100,000 records takes 270 MB. */
#define PAIR_MAX_BYTES ((size_t)2 * 1024 * 1024 * 1024)

/* The plain name of the quarantine of a knowledge database: "kb.db" -> "kb-quarantine.db". In the arena. */
const char *pair_quarantine_path(struct arena *a, const char *path);

struct pair {
	struct buf knowledge;
	struct buf quarantine; /* empty: there is none beside it, as where the one file was passed on alone */
	const char *beside;    /* its plain name, in the arena */
};

/*
 * Both as they belong together, also while somebody writes them anew. ERR_INPUT, with the path as its place,
 * where the file is no knowledge database of this version, or where only another's quarantine lies beside it.
 */
int pair_read(struct pair *out, struct arena *a, const char *path, struct err *e);
void pair_release(struct pair *pair);

/*
 * Write both over what is there: all of the new, or all of the old where it fails or is killed. One at a time writes
 * to a path, another waits for up to 30 seconds. Behind a symbolic link, what it leads to is written, and the
 * quarantine beside that. A file under the quarantine's name that is none is not written over: ERR_INPUT.
 */
int pair_write(const char *path, const struct image *knowledge, const struct image *quarantine, struct err *e);

#endif
