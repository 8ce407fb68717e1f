/*
 * The formula of each key of a result, as sizing/sizing.h states it, over the inputs of a workload:
 * one row of a table a key. Written apart from the engine, so that agreement with it says something.
 */
#ifndef ADVISE_FORMULAS_H
#define ADVISE_FORMULAS_H

#include "advise/expr.h"
#include "advise/workload.h"

/*
 * The formula of `key` with its value; NULL where there is none: the key is unknown, or something that it
 * needs is. A tier's keys are "tiers.ID.load_seconds" and the like.
 */
struct expr *formula_of(struct arena *a, const struct workload *w, const char *key);

/* Is this a key whose value is looked for among layouts, where no formula need give it? */
bool formula_is_searched(const struct workload *w, const char *key);

/* The figure of a key, of a tier's as well; false where there is none. */
bool formula_quantity(struct quantity *out, const struct workload *w, const char *key);

/* What a tier has figures of: "load_seconds"; NULL past the end. */
const char *formula_tier_name(size_t i);

#endif
