/*
 * What a link to a finding is reviewed against. The fingerprint is of what the finding says and of
 * what its worth hangs on: its source but for the dates on which somebody looked at it, and but for
 * the source's other findings. So a source that was only read again makes no link suspect, and one
 * whose grade, text or address changed makes all of its links so.
 */
#ifndef INGEST_REVIEWED_H
#define INGEST_REVIEWED_H

#include "util/arena.h"
#include "util/hash.h"
#include "util/val.h"

/* Characters of it that stand in a record: enough to tell versions of one finding apart. */
enum { REVIEWED_SHORT = 12 };

int reviewed_fingerprint(struct hash *out, struct arena *a, const struct val *source,
    const struct val *finding, struct err *e);

#endif
