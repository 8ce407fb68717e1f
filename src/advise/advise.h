/*
 * The join: a customer's sizing results and the effects of the levers against the positions
 * of their archetype. One named SQL statement over TEMP tables decides; the prose it finds
 * never does.
 */
#ifndef ADVISE_ADVISE_H
#define ADVISE_ADVISE_H

#include "advise/levers.h"
#include "advise/workload.h"

enum verdict {
	VERDICT_FITS,          /* acts on the focus, and gains something there */
	VERDICT_ALSO_HELPS,    /* acts elsewhere, and gains enough to say so */
	VERDICT_MISREADS,      /* acts elsewhere and gains nothing, or under a tenth of the best */
	VERDICT_NOTHING_HERE,  /* acts on the focus, but gains nothing */
	VERDICT_COSTS_MORE,    /* gains something, but load and stated targets then take more devices */
	VERDICT_IN_PLACE, VERDICT_NEEDS_REUSE, VERDICT_NEEDS_SESSIONS, VERDICT_NEEDS_ACCEPTANCE,
	VERDICT_OTHER_MACHINE, VERDICT_NOT_CALCULATED,
	VERDICTS
};
const char *verdict_name(enum verdict verdict); /* "fits", "also-helps", ... */

struct advised_lever {
	const struct lever_effect *effect;
	enum verdict verdict;
	bool warned; /* the position at the focus names it as misreading this buyer */
	bool sold_by_us;
};

struct advice {
	const struct workload *workload; /* sized or not; if not, the rest is empty */
	struct focus focus;
	bool near_crossover;
	enum sizing_term other;          /* the term on the other side of it */
	const struct val *position;      /* body of the position at the focus; NULL: none is written */
	const struct val *other_position;
	struct advised_lever *levers;    /* in order of the position, then of effect */
	size_t lever_count;
	const struct val **objections;   /* bodies, in the archetype's order */
	size_t objection_count;
};

/* Advice for each workload of the customer, in an array of the arena. */
int advise(struct advice **out, struct kb *kb, struct arena *a, const struct customer *c,
    struct err *e);

#endif
