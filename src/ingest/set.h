/*
 * The records of one build: read from a folder, laid over those of a base, checked against
 * each other. All faults of a run are gathered, each with its place.
 */
#ifndef INGEST_SET_H
#define INGEST_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "ingest/fields.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct record {
	const struct kind *kind;
	const char *id;     /* as written; ids compare without case */
	struct val *body;
	const char *file;   /* below the root it came from */
	bool from_base;     /* it was checked when the base was built */
};

/* Who answers to a name: an id or an alias. */
struct set_name {
	const char *name; /* in small letters */
	const struct record *record;
	struct place at;
	bool alias;
};

/* One finding of a source or measurement. */
struct set_finding {
	const char *ref; /* source.finding */
	const struct record *record;
	struct val *body;
	bool verified;
};

/* An approver, metric, non-negotiable or gate. */
struct set_part {
	const char *ref; /* archetype.part.id */
	const struct record *record;
	const char *part;
	struct val *body;
};

struct set {
	struct arena arena; /* all of it */
	struct record *records;
	size_t count, cap;
	struct set_name *names; /* the three below: sorted, made by set_check */
	size_t name_count;
	struct set_finding *findings;
	size_t finding_count;
	struct set_part *parts;
	size_t part_count;
	struct val *replaced; /* bodies of quarantined claims that a layer replaced: their wording stays withheld */
	struct errs errs;
};

#define SET_INIT { ARENA_INIT, NULL, 0, 0, NULL, 0, NULL, 0, NULL, 0, NULL, ERRS_INIT }

/*
 * Read every record file below root. Faults in files go to set->errs; returns an error only
 * when the folder itself cannot be read or holds none of the record folders.
 */
int set_read(struct set *set, const char *root, struct err *e);

/* One record from a text that is named `file`; faults go to set->errs. */
void set_read_text(struct set *set, const struct kind *kind, const char *text, size_t len,
    const char *file);

/*
 * The records of a database image that nothing in the set replaces by its id. An image that the build
 * linked in was checked; of any other (`trusted` false) each record is held against its table of fields
 * again, and its faults go to set->errs.
 */
int set_add_base(struct set *set, const void *image, size_t len, bool trusted, struct err *e);

/*
 * Names, references, prose, the rules of each kind, the quarantine's wording: everything that needs
 * more than one record. Call once, when all are read; the faults are in set->errs, sorted.
 */
void set_check(struct set *set);

/* Sort the faults, and take out of their messages what may not be said. */
void set_finish_faults(struct set *set);

void set_release(struct set *set);

/* After set_check began: NULL if there is none. */
const struct record *set_find(const struct set *set, const char *name);
const struct set_finding *set_find_finding(const struct set *set, const char *ref);
const struct set_part *set_find_part(const struct set *set, const char *ref);

#endif
