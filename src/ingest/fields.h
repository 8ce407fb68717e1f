/*
 * What a record may hold: one table of fields a kind. The checks, their messages, the
 * references, the texts that are searched and the JSON Schemas in schema/ all come from
 * these tables and nowhere else.
 */
#ifndef INGEST_FIELDS_H
#define INGEST_FIELDS_H

#include <stdbool.h>

#include "quantity/quantity.h"
#include "util/val.h"

enum field_type {
	FIELD_ID,       /* id of the record itself: as the file is named */
	FIELD_ALIAS,    /* another id that the record answers to, in any case */
	FIELD_NAME,     /* id of a part of a record: no dots */
	FIELD_STRING,   /* one line of free text: titles, locators */
	FIELD_URL,      /* an address of the web that a customer can open */
	FIELD_TEXT,     /* {en, ko}: prose, holds no bare figure */
	FIELD_YESNO,
	FIELD_DATE,     /* YYYY-MM-DD that exists in the calendar */
	FIELD_PARTIAL_DATE, /* also YYYY, YYYY-MM or `undated` */
	FIELD_QUANTITY, /* of .dimension */
	FIELD_CHOICE,   /* one of .choices */
	FIELD_DTYPE,
	FIELD_COMPARISON, /* "< 1", "> 0", "> concurrency" */
	FIELD_RECORD,   /* id or alias of a record of .kinds */
	FIELD_FINDING,  /* source.finding, each by its id or an alias */
	FIELD_PART,     /* archetype.metrics.id, the archetype by its id or an alias */
	FIELD_MAP,      /* .sub */
	FIELD_FIGURES,  /* name -> {value, finding} */
	FIELD_ITEM,     /* {value, why, ask}: .sub[0] says what the value is */
	FIELD_PROFILE,  /* an id of .kinds, or a map of .sub: an inline profile */
};

enum field_flags {
	FIELD_REQUIRED = 1,
	FIELD_LIST = 2,      /* a list of these */
	FIELD_ONE_OF = 4,    /* a map with exactly one of its keys */
	FIELD_INTERNAL = 8,  /* never in a customer's document */
	FIELD_UNKNOWN = 16,  /* `unknown` may stand instead */
	FIELD_EXEMPT = 32,   /* a text whose digits are let pass: it reaches no output */
	FIELD_NONEMPTY = 64, /* a list with at least one item */
	FIELD_POSITIVE = 128, /* a quantity above zero */
	FIELD_WHOLE = 256,   /* a count of things */
	FIELD_RANGE = 512,   /* a quantity that may be a range: 32..96 */
};

enum kind_id {
	KIND_ARCHETYPE, KIND_CLAIM, KIND_QUARANTINE, KIND_SOURCE, KIND_MEASUREMENT, KIND_MODEL,
	KIND_ACCELERATOR, KIND_TIER, KIND_LEVER, KIND_CUSTOMER,
	KIND_DECISION, /* no record: a file of them is a list, named after its claim */
	KIND_COUNT
};

struct field {
	const char *key;
	enum field_type type;
	int flags;
	enum dimension dimension;
	unsigned kinds;                /* FIELD_RECORD, FIELD_PROFILE: 1 << kind_id, or-ed */
	const char *const *choices;    /* NULL-terminated */
	const struct field *sub;       /* ends with a NULL key */
	const char *what;              /* one line for people, in the JSON Schema */
};

struct kind {
	enum kind_id id;
	const char *name;   /* in the database and on the command line: "archetype" */
	const char *plural; /* "archetypes" */
	const char *folder; /* below the root: "evidence/documents"; NULL: not part of a folder */
	const struct field *fields;
};

extern const struct kind kinds[KIND_COUNT];

/* Parts that a workload has in a customer file and on the command line. */
extern const struct field field_tensors[]; /* class of tensors -> dtype */
extern const struct field field_layout[];
extern const struct field field_length[];
extern const char *const field_rates[];

const struct kind *kind_find(const char *name); /* by name or plural; NULL if unknown */
const struct field *field_find(const struct field *fields, const char *key);

#endif
