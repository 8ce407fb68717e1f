/*
 * A sizing result as quantities: one table says for each key of `dossier.sizing/1` where
 * its value is, how it is printed, and which inputs it rests on. JSON, tables and
 * citations of drafts all come from it.
 */
#ifndef ADVISE_RESULT_H
#define ADVISE_RESULT_H

#include "advise/workload.h"
#include "quantity/quantity.h"
#include "sizing/keys.h"
#include "util/arena.h"
#include "util/val.h"

/* Keys in the order in which they are printed: "kv.bytes". NULL past the end. */
const char *result_key(size_t i);

/* The same of figures beside them, which there are where an engine or an index is named: "kv.reserved_bytes" (of
 * KV, index and state), "retrieval.bytes". They are no part of the sizing; result_quantity has them too. */
const char *result_beside_key(size_t i);

/* The bytes that one rule of the engine makes of the minimum, below 0 where it keeps less; false if none. */
bool result_rule(struct quantity *out, const struct workload *w, enum sizing_rule rule);

/*
 * The quantity of a key, calculated, with the weakest kind among its inputs. false where there is none: the load
 * does not fit (times), there is no crossover, or the key is unknown. The reference is the key itself.
 */
bool result_quantity(struct quantity *out, const struct workload *w, const char *key);

/* The same figure with another value, in the unit in which that is read best. */
struct quantity result_like(const struct quantity *q, double value);

/* A figure as it is shown: in the unit that suits it; of kind calculated, its basis left out. */
struct quantity result_shown(const struct sizing_key *key, double value);

/* The whole object `dossier.sizing/1`. */
struct val *result_json(struct arena *a, const struct workload *w);

/*
 * A figure of the i-th tier by its name in the JSON ("load_seconds", "units.needed"), as
 * sizing_placement has it; false where it is not known. What rests on how many units there are is assumed.
 */
bool result_tier_quantity(struct quantity *out, const struct workload *w, size_t tier, const char *name);

/* The `tiers` of dossier.sizing/1: null for what is not known. */
struct val *result_tiers_json(struct arena *a, const struct workload *w);

#endif
