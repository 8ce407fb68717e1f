/*
 * Tiers below device memory: what one is, and the answer for idle KV that is placed on it.
 *
 * Sources: reload or recompute: Mooncake (FAST 2025), eq. 2; loads that are under way at a time: Little's law;
 * how a shared link slows them: an M/G/1 processor-sharing queue, whose mean is S / (B - r S) whatever the
 * sizes; the closed forms are in sizing/reload.h.
 */
#ifndef SIZING_TIERS_H
#define SIZING_TIERS_H

#include <stdbool.h>

/* ---- the input ---- */

/*
 * A tier as the replica meets it: all units of it together, and one of them (a module, an
 * expander, a drive) to count how many it takes. 0 in a field is "not known": what rests on it
 * is 0 in the answer and the verdict is no better than unknown, but for latency, which is then left out.
 */
struct sizing_tier {
	double bytes;          /* capacity there is for KV */
	/* bytes/s into the whole replica, sustained if known; and out of it */
	double read_bandwidth, write_bandwidth;
	/* bytes/s that may be written for its whole rated life, and that life in seconds */
	double endurance, life;
	double latency;        /* seconds before the first byte of a copy */
	double block_bytes;    /* a prefix is read in copies of this size; 0 = in one */
	double unit_bytes, unit_read_bandwidth, unit_write_bandwidth, unit_endurance;
	bool shared_link;      /* reads and writes have half of it each while both go on */
	bool wears;            /* flash: what its endurance is matters */
};

/* ---- the answer ---- */

enum sizing_verdict {
	SIZING_TIER_FITS, SIZING_TIER_TOO_SMALL, SIZING_TIER_SLOWER_THAN_RECOMPUTE,
	SIZING_TIER_MISSES_TTFT, SIZING_TIER_NOTHING_IDLE, SIZING_TIER_NOTHING_REUSED,
	SIZING_TIER_UNKNOWN, /* reuse, size, bandwidth, compute rate or endurance not known, or no fit */
	SIZING_TIER_SATURATED, /* the requests read or write more a second than it can */
	SIZING_TIER_WEARS_OUT, /* the writes use its endurance up before its rated life */
	SIZING_VERDICTS
};
const char *sizing_verdict_name(enum sizing_verdict verdict); /* "fits", "too-small", ... */

/* What sets how many units of a tier it takes. */
enum sizing_tier_limit {
	SIZING_TIER_CAPACITY, SIZING_TIER_BANDWIDTH, SIZING_TIER_ENDURANCE, SIZING_TIER_LIMITS
};
const char *sizing_tier_limit_name(enum sizing_tier_limit limit); /* "capacity", ... */

/*
 * Idle KV on one tier. 0 in a field below `bytes`: not known, or nothing to reuse.
 *
 * KV in use (kv_bytes and state_bytes of the result) is hot: every step reads it, so it stays on the device. Idle is
 * that of sessions between turns and of prefixes seen before; only this is placed.
 *
 * Requests: what decode serves (concurrency / (output x step time), speculation counted), and no more than
 * prefill does (1 / its time for one prompt; times pipeline stages and attention groups). Times are floors,
 * so this is the most that the replica serves, and what follows is the most that a tier has to bear. Each
 * request reads its prefix back once, and its new KV is written once: rows kept of the (1 - reuse) x prompt +
 * output tokens that were not there, and the states. Loads that overlap share the link evenly (a
 * processor-sharing queue): with r requests/s, prefixes of S bytes and a bandwidth B
 *
 *     t = latency x copies + S / (B - r S)        r t loads at a time (Little)
 *
 * Loading is not overlapped with computing in the verdict, nor is a prefix read in part:
 * hidden_above and partial_seconds say what these would bring.
 *
 * The verdict is the first that holds: nothing idle, too small, nothing reused, unknown, slower (alone),
 * saturated, slower (with the other loads), misses the target, wears out, fits.
 */
struct sizing_placement {
	/* idle KV: (sessions - concurrency) x bytes per sequence, states included */
	double bytes;
	/* one reused prefix: rows kept of reuse x prompt tokens, and states */
	double prefix_bytes;
	double load_seconds;      /* bringing it back, nothing else on the link */
	double recompute_seconds; /* prefill of that prefix alone */
	/* bytes/s above which loading alone beats recomputing; 0 also where the latency alone is longer */
	double break_even_bandwidth;
	/* bytes/s from which on loading layer by layer hides behind computing the rest of the prompt */
	double hidden_above;
	double partial_seconds;   /* the prefix, its first part computed while the rest is read */

	double requests_per_second;
	double concurrent_loads;  /* at a time, expected; with load_seconds alone where requests are not known */
	double shared_load_seconds; /* among them; 0 = saturated */
	/* bytes/s at which shared_load_seconds beats recomputing and meets the target; 0 = none does */
	double bandwidth_needed;
	/* Were the KV in use there: tokens/s of all sequences that reading it would allow. */
	double decode_tokens_per_second;

	double written_per_second;
	double fill_seconds;      /* until the tier is full of it */
	double endurance_share;   /* of what may be written a second; > 1 wears out early */
	double worn_seconds;      /* until its rated writes are used up */
	/* of a request: prefill that reuse saves, less reading back and writing */
	double saved_seconds;

	double units_for_capacity, units_for_bandwidth, units_for_endurance;
	double units;             /* the largest of those that are known */
	enum sizing_tier_limit binds;
	enum sizing_verdict verdict;
};

#endif
