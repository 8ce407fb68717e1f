/* Shorthands in which the tables of fields are written, and the tables that are shared. */
#ifndef INGEST_FIELDS_INT_H
#define INGEST_FIELDS_INT_H

#include "ingest/fields.h"

#define END { .key = NULL }
#define BIT(kind) (1u << (kind))
#define R FIELD_REQUIRED
#define L FIELD_LIST
#define N FIELD_NONEMPTY
#define U FIELD_UNKNOWN
#define P FIELD_POSITIVE
#define RANGE FIELD_RANGE
#define INT FIELD_INTERNAL
#define TEXT(k, f, w) { .key = k, .type = FIELD_TEXT, .flags = f, .what = w }
#define STRING(k, f, w) { .key = k, .type = FIELD_STRING, .flags = f, .what = w }
#define YESNO(k, f, w) { .key = k, .type = FIELD_YESNO, .flags = f, .what = w }
#define QUANTITY(k, f, d, w) { .key = k, .type = FIELD_QUANTITY, .flags = f, .dimension = d, .what = w }
#define CHOICE(k, f, c, w) { .key = k, .type = FIELD_CHOICE, .flags = f, .choices = c, .what = w }
#define DTYPE(k, f, w) { .key = k, .type = FIELD_DTYPE, .flags = f, .what = w }
#define RECORD(k, f, ks, w) { .key = k, .type = FIELD_RECORD, .flags = f, .kinds = ks, .what = w }
#define FINDING(k, f, w) { .key = k, .type = FIELD_FINDING, .flags = f, .what = w }
#define PART(k, f, w) { .key = k, .type = FIELD_PART, .flags = f, .what = w }
#define MAP(k, f, s, w) { .key = k, .type = FIELD_MAP, .flags = f, .sub = s, .what = w }
#define OF(t, k, f, w) { .key = k, .type = t, .flags = f, .what = w }
/* A renamed record keeps its former id here, and whatever names it by that stays valid. */
#define ALIASES OF(FIELD_ALIAS, "aliases", L, "other ids it answers to: those it had, and short ones")
#define ITEM(k, v, w) { .key = k, .type = FIELD_ITEM, .sub = v, .what = w }

/* "capacity.weights" ... "prefill.interconnect" */
extern const char *const field_bottlenecks[];
extern const char *const field_goals[];
extern const struct field field_evidence[];

extern const struct field field_archetype[];
extern const struct field field_claim[];
extern const struct field field_quarantine[];
extern const struct field field_source[];
extern const struct field field_measurement[];
extern const struct field field_model[];
extern const struct field field_accelerator[];
extern const struct field field_tier[];
extern const struct field field_lever[];
extern const struct field field_customer[];
extern const struct field field_decision[];

#endif
