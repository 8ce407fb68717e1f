/*
 * Profiles of models, accelerators and tiers as the sizing engine wants them. The bodies
 * were checked against their tables of fields before; what is computed from them here is
 * the default of a field that is left out, and nothing else.
 */
#ifndef KB_PROFILE_H
#define KB_PROFILE_H

#include "sizing/sizing.h"
#include "util/err.h"
#include "util/val.h"

/* A share of what the driver shows that weights and KV may fill unless it is given: an assumption. */
#define PROFILE_USABLE_FRACTION 0.9

int profile_model(struct sizing_model *out, const struct val *body, struct err *e);
void profile_device(struct sizing_device *out, const struct val *body);
void profile_tier(struct sizing_tier *out, const struct val *body);

#endif
