/*
 * What lacks a source, or will soon: the state of what may be said. Reads both images, writes
 * nothing. Findings about the quarantine give ids, never wording.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include <stdbool.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/findings.h"
#include "util/val.h"

struct kb;

/* All that an audit can find; ends with a NULL code. */
extern const struct finding_rule audit_rules[];

struct audit_options {
	const char *day; /* YYYY-MM-DD: against which review dates are held */
	int expiring;    /* also what comes up for review within so many days of it; negative: no */
	bool strict;     /* also links that nobody has reviewed */
};

struct audit {
	struct findings found; /* sorted by place */
	struct val *coverage;  /* maps of archetype, part, evidenced, weak, none: counts */
	struct val *summary;   /* a map an archetype: id, quantitative, pains, objections, ... */
};

/* Everything in *out lives in the arena. */
int audit(struct audit *out, struct kb *knowledge, struct kb *quarantine, struct arena *a,
    const struct audit_options *options, struct err *e);

/* What a review of each link to a finding would note down on that day: rows for a listing. */
int audit_fingerprints(struct val **rows, struct kb *knowledge, struct arena *a, const char *day,
    struct err *e);

#endif
