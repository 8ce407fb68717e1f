/*
 * Decisions about claims: text beside the claims, one file a claim (claims/decisions/ID.yaml), to
 * which entries are only added. Each entry says who, when and why, holds the fingerprints of the claim
 * and of the evidence that were decided about, and is chained to the one before:
 *
 *     hash = SHA-256 over the entry's values in the order of its table of fields, `previous` among them
 *     previous = hash of the entry before; the first has none
 *     the claim's own `decided` = hash of the last entry
 *
 * So an entry that was changed, taken out, or cut off at the end is seen. All hashes are written
 * "sha256:" and 64 digits.
 */
#ifndef INGEST_DECISIONS_H
#define INGEST_DECISIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

enum decision_action { DECISION_RELEASE, DECISION_QUARANTINE, DECISION_RETRACT };

/* "release", ... */
const char *decision_name(enum decision_action action);

enum { DECISION_HASH = 7 + 64 };

struct decision_hash {
	char text[DECISION_HASH + 1];
};

/* The entries about one claim. */
struct decisions {
	const char *id;             /* of the claim: as the file is named, from set_check on as the claim is */
	const char *file;           /* below the root it came from */
	const struct val *entries;  /* a list of maps, at least one */
	const struct val *broken;   /* the first entry that does not fit the chain; NULL: all fit */
	const char *why;            /* what is wrong there */
	enum decision_action last;
	bool released;              /* is there a release among them? */
	int depth;                  /* of the layer that they came from; 0: read from a folder */
};

/*
 * A file of decisions as a tree (a list of maps), against its table of fields and its chain. Faults of
 * form go to *errs, with NULL returned; a chain that does not fit is no fault of form. In the arena.
 */
struct decisions *decisions_of(struct arena *a, const struct val *list, const char *file, struct errs *errs);

/* The last entry, and its hash as the chain needs it ("sha256:..."). */
const struct val *decisions_last(const struct decisions *d);

/* Of an entry without its key `hash`, which is passed over if it is there. */
struct decision_hash decision_hash(const struct val *entry);

/*
 * Of what a claim says: id, archetypes, because, statement, figures, names, press_reported, conditions and
 * rests_on; in whatever order they were written. Its evidence is not part of it: a decision holds that apart.
 */
struct decision_hash claim_fingerprint(const struct val *claim);

/* Is it of this claim, under its id or, since a renamed claim says what it said, one of its aliases? */
bool claim_is(const struct val *claim, const char *fingerprint);

/* Of a finding and of what its worth hangs on: reviewed_fingerprint, whole. */
struct decision_hash evidence_fingerprint(const struct val *source, const struct val *finding);

/* Is it of these, under the names that they have or had? */
bool evidence_is(const struct val *source, const struct val *finding, const char *fingerprint);

/* Is this a form of id that only claims which began in quarantine have: q-01 ... q-99, q-100 and on? */
bool is_quarantine_id(const char *id);

#endif
