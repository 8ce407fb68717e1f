/* One value against one field: is its form right? Reports what was expected and found. */
#ifndef INGEST_LEAF_H
#define INGEST_LEAF_H

#include "ingest/fields.h"
#include "util/err.h"

bool leaf_check(const struct field *f, const struct val *v, struct errs *errs);

#endif
