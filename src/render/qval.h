/* Quantities as values: for JSON, and for templates and tables. */
#ifndef RENDER_QVAL_H
#define RENDER_QVAL_H

#include "quantity/quantity.h"
#include "util/arena.h"
#include "util/val.h"

/*
 * {"value": number, "unit": "B", "kind": "calculated", "weakest": "assumed", "ref": "..."}: in base
 * units, the unit "" for a count or a ratio; "weakest" only where it is calculated, "ref" null
 * where there is none. A null value for q NULL.
 */
struct val *render_quantity_json(struct arena *a, const struct quantity *q);

/*
 * What a template prints of a quantity, in `lang`:
 *
 *     text   "589.5 GB"                exact  "589484261376 B"
 *     kind   "calculated"              basis  "assumed": what it rests on
 *     ref    the reference, or null    cite   the label of its citation as given, or null
 *
 * A null value for q NULL, so that a section over it guards.
 */
struct val *render_quantity_text(struct arena *a, const struct quantity *q, const char *lang,
    const char *cite);

#endif
