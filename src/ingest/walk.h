/*
 * A record against its table of fields: reports everything that is not as the table says,
 * and shows each value that is to a visitor. The visitor does the rest (references, prose,
 * search text), so that all of them see the same fields.
 */
#ifndef INGEST_WALK_H
#define INGEST_WALK_H

#include "ingest/fields.h"
#include "util/err.h"

struct walk {
	struct errs *errs; /* NULL: only visit, the record was checked before */
	/*
	 * Called for every leaf whose form is right, and for each item of a list on its own. A text
	 * is a leaf; so is one figure of FIELD_FIGURES (value: the map {value, finding}, key: its name). `path` is dotted: parts of a list go by
	 * their id where they have one ("objections.price.answer"), else by number.
	 */
	void (*visit)(struct walk *w, const struct field *f, const struct val *v, const char *path);
	/* Called for every list of the record, before its items; may be NULL. */
	void (*list)(struct walk *w, const struct field *f, const struct val *list);
	void *context;
	bool inline_profile; /* inside a profile written into a customer file: no id, no sources */
};

void walk_record(struct walk *w, const struct field *fields, const struct val *record);

#endif
