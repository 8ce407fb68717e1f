/*
 * The layout that a load asks for: the smallest that holds it, and the smallest that meets a target.
 *
 * Counts that can be bought: any within one server, whole servers beyond. A stage's ranks stay in
 * one scale-up domain; only stages leave it. Where a device has no domain of its own (cards on PCIe), a server of
 * PLAN_CARDS is its domain. Of the layouts of one count that hold the load, the one with the shortest decode
 * step is taken. KV heads are copied to the ranks that have none of their own, as engines do by default.
 */
#ifndef PLAN_LAYOUT_H
#define PLAN_LAYOUT_H

#include "sizing/layout.h"
#include "sizing/sizing.h"

enum {
	PLAN_CARDS = 8,         /* in one server, where a device has no scale-up fabric */
	PLAN_MAX_DEVICES = 4096, /* of one replica: more is looked for by nobody */
};

/*
 * As sizing_run, on the layout that is found: of load.accelerators (or the most of them that hold the load) if that
 * is given, else the smallest; on load.layout if there is one. by_layout and needed are of the smallest in any
 * case, devices_for_tpot and devices_for_ttft of the smallest that meets the target (SIZING_MAX_LOAD: none does),
 * fits_concurrency and fits_context are the most that any layout of the devices used holds, and
 * next_jump_concurrency is the first load that no layout of `needed` devices does. Memory that is shared is one
 * device and has no layout. Returns 0, or -1 with *error filled.
 */
int plan_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error);

/* How much of it is asked for: who sizes a million loads does not ask for what nobody reads. */
enum plan_effort {
	PLAN_FULL,  /* all of it */
	PLAN_LEAN,  /* without fits_concurrency, fits_context and next_jump_concurrency, which are left 0 */
	PLAN_BYTES, /* no layout is looked for: sizing_run, whose counts are lower bounds from bytes */
};

int plan_run_for(struct sizing_result *result, const struct sizing_input *input,
    enum plan_effort effort, struct sizing_error *error);

/* The best layout of exactly so many devices that holds the load; false if there is none. */
bool plan_layout(struct sizing_layout *out, const struct sizing_case *c, double devices);

#endif
