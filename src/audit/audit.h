/*
 * What lacks a source, or will soon: the state of what may be said. Reads both images, writes
 * nothing. Rows about the quarantine give ids, never wording.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct kb;

struct audit {
	struct val *rows;    /* maps of severity, code, id, where, message */
	size_t faults;       /* rows that are errors or warnings; the rest are notes */
	struct val *summary; /* a map a archetype: id, claims, evidenced, objections, positions of 16, quantitative */
};

/*
 * today: "YYYY-MM-DD", against which review dates are held; NULL: they are not looked at.
 */
int audit(struct audit *out, struct kb *knowledge, struct kb *quarantine, struct arena *a,
    const char *today, struct err *e);

#endif
