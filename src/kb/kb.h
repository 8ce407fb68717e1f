/*
 * The knowledge as its readers see it: records by id or alias, their texts with figures,
 * and profiles as the sizing engine wants them. Read-only: a kb is opened on a database
 * image, and that image lives at least as long.
 *
 * Quarantined claims are not in the image that a kb for output is opened on. The second
 * image, with them, has the same shape and is opened only by the commands whose subject is
 * the quarantine.
 */
#ifndef KB_KB_H
#define KB_KB_H

#include <stdbool.h>
#include <stddef.h>

#include "quantity/quantity.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct db;
struct kb;

#define KB_APPLICATION_ID 0x444F5353
#define KB_VERSION 4

/* The tables of the quarantine, NULL-terminated: a connection for output may not even read them. */
extern const char *const kb_denied[];

int kb_open(struct kb **out, const void *image, size_t len, struct err *e);

/* The second image, for the commands whose subject is the quarantine: only here its wording can be read. */
int kb_open_quarantine(struct kb **out, const void *image, size_t len, struct err *e);

void kb_close(struct kb *kb);

/* For named statements of other modules, and TEMP tables. Borrowed. */
struct db *kb_db(struct kb *kb);

/*
 * The id that an id or alias stands for (any case), as stored, in the arena; NULL in *out
 * where there is none. kind: only of this kind; NULL: of any.
 */
int kb_resolve(const char **out, struct kb *kb, struct arena *a, const char *id, const char *kind,
    struct err *e);

/* A record's body by its id or alias; an unknown one is ERR_INPUT with the nearest ids in the message. */
int kb_record(struct val **out, struct kb *kb, struct arena *a, const char *id, const char *kind,
    struct err *e);

/* What a finding is worth, from the table of findings. */
struct kb_finding {
	const char *ref;
	const char *source;         /* id of its record */
	enum quantity_kind kind;    /* published or measured */
	char grade;
	bool press_reported;
	const char *value;          /* as written; NULL: no figure */
};

/* Found: *out filled in the arena and 1; not there (also when under review): 0. */
int kb_finding(struct kb_finding *out, struct kb *kb, struct arena *a, const char *ref,
    struct err *e);

/*
 * How long something is fresh: the last day before a finding that it needs is to be reviewed, and that
 * finding. This is the one place that says it, for drafts, the ledger and the audit (the table `need`).
 */
struct kb_due {
	const char *review_by, *finding; /* NULL: it needs none */
};

/* Lower *due, {0} or that of what was asked before, to that of a finding or a record where it comes first. In the arena. */
int kb_take_due(struct kb_due *due, struct kb *kb, struct arena *a, const char *id, struct err *e);

#endif
