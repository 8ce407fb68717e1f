/*
 * Profiles of models, accelerators and tiers as the sizing engine wants them. The bodies
 * were checked against their tables of fields before; what is computed from them here is
 * the default of a field that is left out, and nothing else.
 */
#ifndef KB_PROFILE_H
#define KB_PROFILE_H

#include "quantity/quantity.h"
#include "sizing/sizing.h"
#include "util/err.h"
#include "util/val.h"

/* A share of what the driver shows that weights and KV may fill unless it is given: an assumption. */
#define PROFILE_USABLE_FRACTION 0.9

/* The years over which a drive may be written so many times a day: an assumption, the usual warranty. */
#define PROFILE_ENDURANCE_SECONDS (5 * 365 * 86400.0)

/* Seconds of a hop where the profile has none: an assumption ("How to Scale Your Model" part 7, appendix C). */
#define PROFILE_LINK_LATENCY 1e-6

/* A number of a record or a customer file whose form was checked, in base units; `missing` if v holds none or is NULL. */
double profile_number(const struct val *v, enum dimension dimension, double missing);

int profile_model(struct sizing_model *out, const struct val *body, struct err *e);
void profile_device(struct sizing_device *out, const struct val *body);
/* Take the share of each peak that was measured, where the profile has such a figure; else the bound stays. */
void profile_achieved(struct sizing_device *out, const struct val *body);
/*
 * A tier as a replica on `devices` accelerators meets it: one unit of it (a module's link, an expander, a
 * drive) beside each accelerator, read in parallel, and as many units as `bytes` take. *units: how many
 * those are, 0 where the capacity of one is not known. That there is one beside each is an assumption.
 * Units beyond that add room and endurance, no bandwidth. A prefix is read in one copy: the latency
 * counts once.
 */
void profile_tier(struct sizing_tier *out, double *units, const struct val *body, double devices,
    double bytes);

/* Does the engine take this model, or this device (NULL: any), with a small load beside it? If not, *wrong says why. */
bool profile_can_be_sized(const struct sizing_model *model, const struct sizing_device *device,
    struct sizing_error *wrong);

#endif
