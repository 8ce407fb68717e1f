/*
 * The ledger: what was sent to whom, in a file of the user's own (mode 0600), append-only.
 *
 * Each entry has the hash of the one before it, so that a change, a removal or an insertion
 * anywhere but at the end shows by itself (ledger_verify). What was cut off at the end shows
 * against a receipt, which names an entry and its hash: the head of the chain at that time.
 *
 * Several processes may append at once: each waits for its turn (db_open_file). An append is one
 * transaction, flushed to disk before it returns; a process killed at any moment leaves the ledger
 * with the entry or without it.
 *
 * Faults of the file are told in its name: ERR_INPUT for what is no ledger, is damaged or comes from a newer
 * version; ERR_SYSTEM for a full disk, a lock that nobody lets go of, a folder that cannot be written.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/hash.h"
#include "util/val.h"

#define LEDGER_APPLICATION_ID 0x444F534C
#define LEDGER_VERSION 1

struct ledger;

struct ledger_entry {
	int64_t seq;      /* 1, 2, 3, ... */
	const char *kind; /* "issue" */
	const char *date; /* YYYY-MM-DD */
	const char *body; /* JSON */
	const char *prev; /* hash of the entry before; 64 zeros for the first */
	const char *hash;
};

/* For appending: makes the file where there is none and brings an older one to LEDGER_VERSION. */
int ledger_open(struct ledger **out, const char *path, struct err *e);

/* For reading: changes nothing. *out is NULL where there is no ledger yet. */
int ledger_open_read(struct ledger **out, const char *path, struct err *e);

void ledger_close(struct ledger *l); /* NULL is fine; what was begun and not committed is undone */

/*
 * Append in two steps, so that what goes with the entry (a receipt) can be made ready while
 * it can still be undone: after ledger_append the entry is known and nobody else can append, after
 * ledger_commit it is on disk. The entry's texts are in the arena. The last entry is held against
 * its hash first: nothing is put upon a chain that is broken there.
 */
int ledger_append(struct ledger_entry *out, struct ledger *l, struct arena *a, const char *kind,
    const char *date, const char *body, struct err *e);
int ledger_commit(struct ledger *l, struct err *e);

/*
 * Call `visit` for each entry of a kind (NULL: all) in order; its texts are valid during the call.
 * It ends at the first negative code.
 */
typedef int ledger_visit_fn(const struct ledger_entry *entry, void *context, struct err *e);
int ledger_each(struct ledger *l, const char *kind, ledger_visit_fn *visit, void *context,
    struct err *e);

struct ledger_state {
	int64_t entries;
	struct hash head;  /* of the last entry that fits; 64 zeros where there is none */
	int64_t broken;    /* seq of the first row that does not fit; 0: all do */
	const char *fault; /* what is wrong with it; static */
	bool unguarded;    /* the guards against changes are gone or are others */
};

int ledger_verify(struct ledger_state *out, struct ledger *l, struct err *e);

/* ---- receipts: an entry as who sent the draft keeps it ---- */

/*
 * Is the entry of a receipt in the ledger, as it was? 1: yes; 0: no, and *fault says what is
 * wrong, in the arena. l may be NULL: there is no ledger.
 */
int ledger_check_receipt(const char **fault, struct ledger *l, struct arena *a,
    const struct val *receipt, struct err *e);

#define LEDGER_RECEIPT "dossier.receipt/1"

/* "entry" and "head" into a receipt that has its format and what was sent already. */
void ledger_sign_receipt(struct val *receipt, struct arena *a, const struct ledger_entry *entry);

/* A receipt's file, with its format, entry and head checked. */
int ledger_read_receipt(struct val **out, struct arena *a, const char *path, struct err *e);

#endif
