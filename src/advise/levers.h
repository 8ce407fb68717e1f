/*
 * The engine asked again, once for each lever that this buyer could be offered.
 *
 * A lever's effect is what it changes for this customer: accelerators, decode step, time to
 * first token. Times are compared on the same count of accelerators, counts at the same load.
 * Of the KV, only what is not being decoded can move to a tier: relief never changes what the KV in use
 * needs, and is measured on the KV kept in all (the sessions worth keeping).
 */
#ifndef ADVISE_LEVERS_H
#define ADVISE_LEVERS_H

#include "advise/workload.h"

enum lever_state {
	LEVER_ASKED,          /* the figures below hold */
	LEVER_NOT_CALCULATED, /* the engine cannot be asked; the record says why */
	LEVER_IN_PLACE,       /* already so: the dtype is no wider than what it would bring */
	LEVER_NEEDS_REUSE,    /* the share of reused prompt tokens is not known, or none */
	LEVER_OTHER_MACHINE,  /* meant for another kind of machine or memory */
	LEVER_NEEDS_SESSIONS, /* no more sessions than sequences: nothing is idle */
	LEVER_NEEDS_ACCEPTANCE, /* how many drafted tokens are accepted is not known */
};
const char *lever_state_name(enum lever_state state); /* "asked", "not-calculated", ... */

/* Before and after of one measure; both 0: it does not apply. */
struct change {
	double before, after;
};

struct lever_effect {
	const char *id;
	const struct val *body;
	enum lever_state state;
	struct change accelerators; /* least count by bytes, and for the targets that the customer stated */
	struct change kept;         /* relief: the count with the KV of all sessions in device memory, and without the idle */
	struct change step, ttft;   /* seconds, on the same accelerators */
	struct change bytes;        /* of what it shrinks or moves: weights, KV, idle KV */
	struct change sequences;    /* that fit on the accelerators there are */
	struct change context;      /* tokens that fit on the one device of a shared memory */
	double total;               /* largest relative gain of demand, step and TTFT: 0..1 */
	double on_focus;            /* the same of the focus: of the count of accelerators at capacity (for relief, of
	                               the KV kept in all); of step or TTFT at a time. 0 where the count stays */
	double break_even;          /* reuse from a tier: bytes/s above which reading beats recomputing; else 0 */
	const struct val *tier;     /* body of the tier that a relief or reuse lever puts beside each accelerator */
	double units;               /* of it, that the idle KV takes; 0: nothing idle, or not known */
};

/* What the lever changes, and by what: the one entry of the record's `change`. */
const struct val_entry *lever_change(const struct lever_effect *effect);

/* What an effect is measured in. */
enum measure {
	MEASURE_BYTES, MEASURE_ACCELERATORS, MEASURE_KEPT, MEASURE_SEQUENCES, MEASURE_CONTEXT, MEASURE_STEP, MEASURE_TTFT,
	MEASURES
};
const char *measure_name(enum measure measure); /* "bytes", "accelerators", ... */

/*
 * Before and after as quantities; false where the measure does not apply to this lever and machine. What rests
 * on the lever's own factor, or on how many units of a tier there are, rests on an assumption.
 */
bool lever_quantity(struct quantity *before, struct quantity *after, const struct workload *w,
    const struct lever_effect *effect, enum measure measure);

/* The constraint that sets the count of accelerators. */
struct focus {
	const char *phase; /* capacity, prefill, decode */
	enum sizing_term term;
};

/*
 * Capacity, unless a target that the customer stated asks for more devices; then what misses it. Where
 * one device, be it a machine that shares its memory with a system, holds the load with a quarter of the room
 * to spare, nothing sets a count, and what sets the speed of decode is the focus.
 */
struct focus focus_of(const struct workload *w);

/*
 * How far a load is from the end of the room that it has. Short of a working set the cost is steep, well
 * beyond it more room buys nothing for the same load; so the distance is worth more than the size.
 */
enum edge {
	EDGE_PAST,  /* it does not fit */
	EDGE_NEAR,  /* a quarter more sequences would not fit; shared memory: less than a quarter of the room is free */
	EDGE_CLEAR
};
enum edge edge_of(const struct workload *w);

/*
 * Ask for each lever that any position of the archetype names, in the order of their ids. The
 * array is in the arena. Only for a workload that was sized.
 */
int levers_ask(struct lever_effect **out, size_t *count, struct kb *kb, struct arena *a,
    const struct workload *w, const char *archetype, struct err *e);

#endif
