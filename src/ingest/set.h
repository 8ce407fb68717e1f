/*
 * The records of one build: read from a folder, laid over those of a base, checked against
 * each other. All faults of a run are gathered, each with its place.
 */
#ifndef INGEST_SET_H
#define INGEST_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "ingest/decisions.h"
#include "ingest/fields.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/intern.h"
#include "util/val.h"

struct record {
	const struct kind *kind;
	const char *id;     /* as written; ids compare without case */
	struct val *body;
	const char *file;   /* below the root it came from */
	bool from_base;     /* it was checked when the base was built */
	struct place decomposed; /* where its file is first not in NFC; line 0: nowhere */
	/* Of a claim, by set_check: .kind is what it counts as, wherever its file lies. */
	bool fallen;          /* it was sourced, or lies among the sourced, and counts as quarantined */
	bool guarded;         /* its wording is kept out of all other records */
	bool partly;          /* sourced still, but some of its evidence is gone */
};

/* What is wrong with the standing of a claim: for audit. It makes no folder unfit to be loaded. */
struct standing {
	const struct record *record; /* NULL: decisions about a claim that is not there */
	const char *id;
	const char *severity;        /* "error", "warning" */
	const char *code;
	struct place at;
	const char *message;         /* holds ids, never wording */
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

/* A claim, also a quarantined one, is about an archetype. */
struct set_about {
	const struct record *archetype, *claim;
};

struct set {
	struct arena arena; /* all of it */
	struct intern keys; /* of the maps that were read */
	struct record *records;
	size_t count, cap;
	struct set_name *names; /* the four below: sorted, made by set_check */
	size_t name_count;
	struct set_finding *findings;
	size_t finding_count;
	struct set_part *parts;
	size_t part_count;
	struct decisions **decisions; /* sorted by id, once a claim, by set_check */
	size_t decision_count, decision_cap;
	int depth; /* how many images were added */
	struct standing *standings;
	size_t standing_count, standing_cap;
	struct set_about *about;
	size_t about_count;
	struct val *replaced; /* bodies of quarantined claims that a layer replaced: their wording stays withheld */
	size_t files; /* read from the folder */
	struct errs errs;
};

#define SET_INIT { .arena = ARENA_INIT, .errs = ERRS_INIT }

/* A file as it would be: another text in place of the one below the root, or beside those there. */
struct set_file {
	const char *name; /* "claims/sourced/q-01.yaml" */
	const char *text; /* NULL: as if it were not there */
	size_t len;
};

/*
 * Read every record file below root, but for those of `instead` (may be NULL), which are taken as they
 * are given. Faults in files go to set->errs; returns an error only when the folder itself cannot be
 * read or holds none of the record folders.
 */
int set_read(struct set *set, const char *root, const struct set_file *instead, size_t count, struct err *e);

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

/* After set_check began: NULL if there is none. By ids and aliases, also where a name has two or three parts. */
const struct record *set_find(const struct set *set, const char *name);
const struct set_finding *set_find_finding(const struct set *set, const char *ref);
const struct set_part *set_find_part(const struct set *set, const char *ref);
/* The name that the set has for what a field of this type names; the name itself where there is nothing. */
const char *set_name_of(const struct set *set, enum field_type type, const char *name);
bool set_is_same_finding(const struct set *set, const char *a, const char *b);
const struct decisions *set_find_decisions(const struct set *set, const char *id);

/* standing.c: was this finding of a claim's evidence or figures withdrawn, or removed after somebody reviewed it? */
bool set_is_gone(const struct set *set, const struct record *claim, const char *ref);
/* rules.c: is there a sourced claim about it with verified quantitative evidence? */
bool set_is_quantitative(const struct set *set, const struct record *archetype);

/* The table of fields that a record is held against: a claim in quarantine may be written as a sourced one. */
const struct field *set_fields(const struct kind *kind, const struct val *body);
/* The claims about an archetype, *count of them, in the order in which they were read. */
const struct set_about *set_find_about(const struct set *set, const struct record *archetype, size_t *count);
/*
 * Where the parts of an archetype's structure stand in set->parts: *count of them, in the order of their refs. An id may hold
 * dots, so that parts of another record can lie between.
 */
const struct set_part *set_find_parts(const struct set *set, const struct record *archetype, size_t *count);

#endif
