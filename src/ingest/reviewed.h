/*
 * Fingerprints of what a record says: its body but for its names, so that one which is only
 * renamed is what it was.
 *
 * What a link to a finding is reviewed against is of the finding, by its name, and of what its worth
 * hangs on: its source but for the dates on which somebody looked at it, and but for
 * the source's other findings. So a source that was only read again makes no link suspect, and one
 * whose grade, text or address changed makes all of its links so.
 */
#ifndef INGEST_REVIEWED_H
#define INGEST_REVIEWED_H

#include <stdbool.h>

#include "util/hash.h"
#include "util/val.h"

/* Characters of it that stand in a record: enough to tell versions of one finding apart. */
enum { REVIEWED_SHORT = 12 };

/* Of a record or finding that was checked, as it is written. */
struct hash said_fingerprint(const struct val *body);

/* Of a finding with its source. */
struct hash reviewed_fingerprint(const struct val *source, const struct val *finding);

/* Is it that, or its first characters, under the names that the two have or had? */
bool reviewed_is(const struct val *source, const struct val *finding, const char *fingerprint);

#endif
