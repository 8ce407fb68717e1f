/* JSON Schemas of the YAML records, for editors: printed from the tables of fields. */
#ifndef INGEST_SCHEMA_H
#define INGEST_SCHEMA_H

#include "ingest/fields.h"
#include "util/arena.h"
#include "util/val.h"

/* JSON Schema (2020-12) of one kind, as a tree. */
struct val *schema_of(struct arena *a, const struct kind *kind);

#endif
