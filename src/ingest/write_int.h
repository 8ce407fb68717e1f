/* One database being written. */
#ifndef INGEST_WRITE_INT_H
#define INGEST_WRITE_INT_H

#include "ingest/set.h"

struct db;

struct writer {
	struct db *db;
	const struct set *set;
	struct arena arena;
	struct arena scratch; /* for one record: released before the next */
	bool quarantine; /* which of the two */
	int rc;          /* sticky: after an error the rest is passed over */
	struct err *e;
};

/* The body with every name in it as the set has it; itself where all are so. write_names.c */
struct val *write_named(struct writer *w, const struct record *r, struct val *body);

/* What joins use: structure, pains, objections, positions, levers. write_links.c */
void write_links(struct writer *w, const struct record *r);

/* What records name and declare to be about: machines, models, buyers. write_scope.c */
struct names;
struct names *write_names(struct writer *w);
void write_scope(struct writer *w, const struct names *names, const struct record *r, const struct val *body);

/* The record's texts with figures put in, in both languages, folded. write_search.c */
void write_search(struct writer *w, const struct record *r, const struct val *body);
/* A text in a language, its figures as "67% [published, ref]". In w->scratch. */
const char *write_text(struct writer *w, const struct val *text, const char *lang,
    const struct val *body);

#endif
