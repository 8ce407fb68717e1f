/* Small forms that scalars of a record may have, and what they mean. */
#ifndef INGEST_FORMS_H
#define INGEST_FORMS_H

#include <stdbool.h>

#include "util/val.h"

/* A strict date: true for YYYY-MM-DD that exists; with partial, YYYY, YYYY-MM and undated too. */
bool date_is_valid(const char *text, bool partial);

/* "< 1", ">= 0.5", "> concurrency": operator, then a number or the one word allowed. */
struct comparison {
	char op[3];
	double number;
	bool concurrency; /* the right side is the word concurrency */
};
bool comparison_parse(struct comparison *out, const char *text);
bool comparison_holds(const struct comparison *c, double left, double concurrency);

/* The truth of a yes/no scalar that was checked; `missing` where v is NULL. */
bool yesno(const struct val *v, bool missing);

#endif
