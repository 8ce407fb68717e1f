/*
 * Issuing a draft: what it rests on (uses/), read back from the draft as it will be sent; the entry of the
 * ledger and the receipt made of that; and what has become of the drafts that were issued. Each thing that a draft
 * uses is kept with its fingerprint at that time.
 *
 * What is kept of a customer stays in the ledger and in this draft's receipt.
 */
#ifndef DRAFTS_ISSUE_H
#define DRAFTS_ISSUE_H

#include <stdint.h>

#include "drafts/lint.h"
#include "uses/uses.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/hash.h"
#include "util/val.h"

struct kb;
struct ledger;
struct ledger_entry;

/* The knowledge that a draft was checked against. */
struct issue_knowledge {
	struct hash image, built_in;
	const char *const *layers; /* what --kb and $DOSSIER_KB named, in their order */
	size_t layer_count;
};

/* What a draft rests on. All in the arena. */
struct issue {
	const char *name; /* of its file, without the folder */
	const char *customer, *archetype, *language, *drafted; /* of the front matter; archetype and drafted may be NULL */
	struct hash content; /* of its bytes */
	struct hash sizing;  /* of the figures */
	size_t bytes;
	struct uses uses;
};

/*
 * Read a draft. ERR_INPUT where it is none (no front matter, another format) or one that is not
 * for sending (an internal one). `name`: its path, for messages.
 */
int issue_read(struct issue *out, struct kb *kb, struct arena *a, const char *text, size_t len,
    const char *name, struct err *e);

struct issue_sent {
	const char *to, *by, *date, *program; /* program: the version that issued it */
	const struct lint_run *runs; /* the recorded runs that its figures were held against */
	size_t run_count;
};

#define ISSUE_FORMAT "dossier.issue/1"

/* The body of the entry: it is written as JSON. */
struct val *issue_body(const struct issue *issue, const struct issue_sent *sent,
    const struct issue_knowledge *knowledge, struct arena *a);

/*
 * The receipt of a body, without its entry and head (ledger_sign_receipt). It says nothing that the body does not, so
 * that a lost one can be written again.
 */
struct val *issue_receipt(const struct val *body, struct arena *a);

/* Which entry: by the hash of the draft's bytes, or (content NULL) by its number. */
struct issued_which {
	const char *content;
	int64_t seq;
};

/*
 * The receipt of a draft that was issued, signed, as it was first written. ERR_INPUT where there is no such
 * entry, more than one, or a chain that is broken up to it. l may be NULL: there is no ledger.
 */
int issued_receipt(struct val **out, struct ledger *l, struct arena *a, const struct issued_which *which,
    struct err *e);

/*
 * What has become of each issued draft, as maps of entry, date, to, customer, draft, state, until, why:
 *
 *     recalled  a claim or finding it used was withdrawn, or is in quarantine (again)
 *     stale     what it used has changed, or a profile is no longer there
 *     expired   `today` is past the day on which a finding it rests on was to be reviewed
 *     sendable  until that day
 *
 * The gravest state counts, `why` gives all reasons. today NULL: no day is held against. A draft that
 * was issued with a layer that is not among these says so: what it lacks may be there.
 */
struct issued {
	struct val *rows;
	size_t faults; /* how many are not sendable */
};

int issued_audit(struct issued *out, struct ledger *l, struct kb *kb, struct arena *a,
    const char *const *layers, size_t layer_count, const char *today, struct err *e);

#endif
