/* The parts of set_check, one file each. */
#ifndef INGEST_SET_INT_H
#define INGEST_SET_INT_H

#include "ingest/set.h"
#include "quantity/quantity.h"

/* names.c: who answers to which name; twice is a fault. Fills the three sorted tables. */
void set_index(struct set *set);

/* references.c: every id, finding and part that is named must exist and be of the right kind;
 * figures agree with their findings; no cycle in what rests on what. */
void set_check_references(struct set *set);

/* standing.c: what each claim counts as, by its folder, its decisions and its evidence. */
void set_check_standing(struct set *set);

/* rules.c: what evidence there is for a claim, among what resolves and is verified. */
struct support {
	bool any;      /* a supporting finding of grade A, B or C */
	bool firm;     /* of grade A or B */
	bool reported; /* of grade C and labelled press-reported */
};
struct support support_of(const struct set *set, const struct val *evidence);

/* rules.c: what one kind asks beyond its fields. */
void set_check_rules(struct set *set);

/* texts.c: bare figures in prose; the wording of the quarantine in any other record. */
void set_check_texts(struct set *set);

/* texts.c: take quarantined wording out of the messages themselves. */
void set_blank_faults(struct set *set);

/* A value as written, of a figure or finding that was checked. */
bool value_of(struct quantity *out, const struct val *scalar);

#endif
