#include "advise/levers.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "advise/result.h"
#include "db/db.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "plan/layout.h"
#include "sql.h"

#define ROOM_TO_SPARE 0.25

const char *
lever_state_name(enum lever_state state)
{
	static const char *const names[] = { "asked", "not-calculated", "in-place", "needs-reuse",
		"other-machine", "needs-sessions", "needs-acceptance" };

	return names[state];
}

struct focus
focus_of(const struct workload *w)
{
	const struct sizing_result *r = &w->out;
	struct focus focus = { "capacity", r->capacity };
	double most = r->needed;

	if ((w->in.device.shared || r->needed == 1) && r->fits && r->budget.free >= ROOM_TO_SPARE * r->budget.usable)
		focus = (struct focus){ "decode", r->decode.bottleneck };
	/* An assumed target is shown, but only one that the customer stated may move the focus. */
	if (workload_stated(w, INPUT_TPOT) && r->devices_for_tpot > most && r->decode.seconds > 0) {
		most = r->devices_for_tpot;
		focus = (struct focus){ "decode", r->decode.bottleneck };
	}
	if (workload_stated(w, INPUT_TTFT) && r->devices_for_ttft > most && workload_prefill_term(w) >= 0)
		focus = (struct focus){ "prefill", r->prefill.bottleneck };
	return focus;
}

enum edge
edge_of(const struct workload *w)
{
	const struct sizing_result *r = &w->out;
	bool near = w->in.device.shared ? r->budget.free < ROOM_TO_SPARE * r->budget.usable
	                                : r->fits_concurrency < (1 + ROOM_TO_SPARE) * r->concurrency;

	return !r->fits ? EDGE_PAST : near ? EDGE_NEAR : EDGE_CLEAR;
}

/* Bytes that must be on devices, in devices: what `needed` rounds up. */
static double
demand(const struct sizing_result *r)
{
	return (r->weight_bytes + r->kv_bytes + r->state_bytes) / r->usable_per_device;
}

/* The count that the load and stated targets ask for; SIZING_MAX_LOAD: none meets a target. */
static double
count(const struct workload *w, const struct sizing_result *r)
{
	double most = r->needed;

	if (workload_stated(w, INPUT_TPOT))
		most = fmax(most, r->devices_for_tpot);
	if (workload_stated(w, INPUT_TTFT) && r->linear_path.operations > 0)
		most = fmax(most, r->devices_for_ttft);
	return most;
}

static double
gain(struct change c)
{
	return c.before > 0 && c.after < c.before ? 1 - c.after / c.before : 0;
}

const char *
measure_name(enum measure measure)
{
	static const char *const names[] = { "bytes", "accelerators", "accelerators_kept", "sequences",
		"context", "step", "ttft" };

	return names[measure];
}

const struct val_entry *
lever_change(const struct lever_effect *effect)
{
	return &val_get(effect->body, "change")->map.entries[0];
}

static struct change
change_of(const struct lever_effect *effect, enum measure measure)
{
	const struct change changes[] = { effect->bytes, effect->accelerators, effect->kept,
		effect->sequences, effect->context, effect->step, effect->ttft };

	return changes[measure];
}

static const struct unit *
unit_of(enum measure measure, double value)
{
	if (measure == MEASURE_BYTES)
		return unit_for_bytes(value, false);
	if (measure == MEASURE_CONTEXT)
		return unit_base(DIM_TOKENS);
	if (measure == MEASURE_STEP || measure == MEASURE_TTFT)
		return unit_for_seconds(value);
	return unit_base(DIM_COUNT);
}

bool
lever_quantity(struct quantity *before, struct quantity *after, const struct workload *w,
    const struct lever_effect *effect, enum measure measure)
{
	const struct val_entry *change = lever_change(effect);
	bool dtype = strcmp(change->key, "weights") == 0 || strcmp(change->key, "kv") == 0;
	struct change c = change_of(effect, measure);
	bool devices = measure == MEASURE_ACCELERATORS || measure == MEASURE_KEPT;

	if (c.before <= 0 || (devices && (w->in.device.shared || fmax(c.before, c.after) >= SIZING_MAX_LOAD)) ||
	    ((measure == MEASURE_SEQUENCES || measure == MEASURE_CONTEXT) && fmax(c.before, c.after) >= SIZING_MAX_LOAD) ||
	    !result_quantity(before, w, "accelerators.needed"))
		return false;
	before->value = c.before;
	before->unit = unit_of(measure, c.before);
	before->ref = effect->id;
	if (!dtype)
		before->weakest = quantity_weaker(before->weakest, QUANTITY_ASSUMED);
	*after = *before;
	after->value = c.after;
	return true;
}

struct ask {
	const struct workload *w;
	struct kb *kb;
	struct arena *a;
	struct sizing_input in;  /* as changed */
	double devices;          /* on which times are compared */
	bool relief, reuse, drafts;
	struct sizing_result on; /* the answer on `devices` */
	struct sizing_result free; /* the answer without a given count */
};

static int
run(struct sizing_result *out, const struct sizing_input *in, const char *lever, struct err *e)
{
	struct sizing_error wrong;

	if (plan_run(out, in, &wrong) == 0)
		return OK;
	return err_set(e, ERR_INPUT, "lever `%s`: %s: %s", lever, wrong.field, wrong.reason);
}

/* The customer's own tier of the same kind, if there is one; else the lever's. */
static const struct val *
own_tier(const struct workload *w, const struct val *lever_tier)
{
	const char *kind = val_get_text(lever_tier, "kind");

	for (size_t i = 0; i < w->tier_count; i++)
		if (strcmp(val_get_text(w->tiers[i].body, "kind"), kind) == 0)
			return w->tiers[i].body;
	return lever_tier;
}

/* Put one tier beside each accelerator. */
static int
use_tier(struct ask *ask, struct lever_effect *effect, const char *id, struct err *e)
{
	struct val *body;
	double units;
	int rc = kb_record(&body, ask->kb, ask->a, id, "tier", e);

	if (rc != OK)
		return rc;
	effect->tier = own_tier(ask->w, body);
	profile_tier(&ask->in.tiers[0], &units, effect->tier, ask->devices, ask->w->out.idle_kv_bytes);
	effect->units = ask->w->out.idle_kv_bytes > 0 ? units : 0;
	ask->in.tier_count = 1;
	return OK;
}

/* A condition of the record, such as "> 30 %", on what the customer stated. */
static bool
is_met(const struct lever_effect *effect, const char *path, double value)
{
	const char *text = val_text(val_path(effect->body, path));
	struct comparison c;

	return text == NULL || (comparison_parse(&c, text) && comparison_holds(&c, value, 0));
}

/* Stages that were cut at the edge of a domain may lie in one. */
static void
use_domain(struct ask *ask, enum lever_state *state, double domain)
{
	struct sizing_device *d = &ask->in.device;

	if (!(d->link > 0) || !(d->domain > 0))
		*state = LEVER_NOT_CALCULATED;
	else if (domain <= d->domain)
		*state = LEVER_IN_PLACE;
	d->domain = domain;
}

/* Drafting pays by the share of drafts that is accepted, which only the customer can know. */
static void
use_drafts(struct ask *ask, enum lever_state *state, const struct val *change)
{
	struct sizing_load *load = &ask->in.load;

	ask->drafts = true;
	if (load->draft_tokens > 0)
		*state = LEVER_IN_PLACE;
	else if (!(load->acceptance > 0))
		*state = LEVER_NEEDS_ACCEPTANCE;
	load->draft_tokens = profile_number(val_get(change, "tokens"), DIM_TOKENS, 1);
	if (!(load->draft_cost > 0))
		load->draft_cost = profile_number(val_get(change, "cost"), DIM_RATIO, 0);
	if (!(load->acceptance > 0))
		load->draft_tokens = 0;
}

/* Change the input as the lever says; *state tells when it would change nothing. */
static int
apply(struct ask *ask, struct lever_effect *effect, const char *change, const char *argument,
    struct err *e)
{
	enum lever_state *state = &effect->state;
	struct sizing_load *load = &ask->in.load;
	const struct sizing_dtype *dtype = sizing_dtype_find(argument);
	bool weights = strcmp(change, "weights") == 0;

	*state = LEVER_ASKED;
	if (weights || strcmp(change, "kv") == 0) {
		const struct sizing_dtype **now = weights ? &load->weights : &load->kv;

		if (*now != NULL && dtype->bits >= (*now)->bits)
			*state = LEVER_IN_PLACE;
		*now = dtype;
	} else if (strcmp(change, "device_bytes") == 0) {
		ask->in.device.visible_bytes = floor(ask->in.device.visible_bytes * profile_number(lever_change(effect)->value, DIM_RATIO, 1));
		/* Where the system has its share already, all that is added is room. */
		if (ask->in.device.usable_bytes > 0)
			ask->in.device.usable_bytes += ask->in.device.visible_bytes -
			    ask->w->in.device.visible_bytes;
	} else if (strcmp(change, "device_bandwidth") == 0) {
		ask->in.device.bandwidth *= profile_number(lever_change(effect)->value, DIM_RATIO, 1);
	} else if (strcmp(change, "domain") == 0) {
		use_domain(ask, state, profile_number(lever_change(effect)->value, DIM_COUNT, 0));
	} else if (strcmp(change, "draft") == 0) {
		use_drafts(ask, state, lever_change(effect)->value);
	} else if (strcmp(change, "idle_kv_to") == 0) {
		ask->relief = true;
		if (ask->w->out.idle_kv_bytes <= 0)
			*state = LEVER_NEEDS_SESSIONS;
		return use_tier(ask, effect, argument, e);
	} else if (strcmp(change, "reuse_from") == 0) {
		ask->reuse = true;
		if (load->reuse <= 0 || !is_met(effect, "needs.reuse", load->reuse))
			*state = LEVER_NEEDS_REUSE;
		return use_tier(ask, effect, argument, e);
	} else {
		*state = LEVER_NOT_CALCULATED;
	}
	return OK;
}

/* Idle KV: what holding it in device memory takes, and what is left when it does not. */
static int
measure_relief(struct lever_effect *effect, struct ask *ask, bool kv_is_focus, struct err *e)
{
	const struct sizing_result *base = &ask->w->out;
	struct sizing_input all = ask->w->in;
	struct sizing_result held;
	int rc;

	all.load.accelerators = 0;
	all.load.concurrency = base->sessions;
	rc = run(&held, &all, effect->id, e);
	if (rc != OK)
		return rc;
	effect->accelerators = (struct change){ count(ask->w, base), count(ask->w, base) };
	effect->kept = (struct change){ held.needed, base->needed };
	effect->bytes = (struct change){ base->idle_kv_bytes + base->kv_bytes + base->state_bytes,
		base->kv_bytes + base->state_bytes };
	effect->on_focus = kv_is_focus && effect->kept.after < effect->kept.before ? gain(effect->bytes) : 0;
	return OK;
}

/* Prefixes read back instead of computed: the rest of the prompt, and the reading. */
static void
measure_reuse(struct lever_effect *effect, struct ask *ask)
{
	const struct sizing_placement *p = &ask->on.placements[0];
	double after = ask->on.prefill.seconds_reused + p->load_seconds;

	effect->break_even = p->break_even_bandwidth;
	if (p->load_seconds > 0 && ask->on.prefill.seconds > 0)
		effect->ttft = (struct change){ ask->on.prefill.seconds, after };
	effect->total = gain(effect->ttft);
}

/* Time per token instead of time per step: one step yields several. */
static void
measure_drafts(struct lever_effect *effect, struct ask *ask, const struct sizing_result *base)
{
	effect->step = (struct change){ base->decode.seconds, ask->on.serving.speculative_seconds };
	effect->total = gain(effect->step);
}

static void
measure(struct lever_effect *effect, struct ask *ask, const struct sizing_result *base,
    const char *change)
{
	struct change in_devices = { demand(base), demand(&ask->free) };

	effect->accelerators = (struct change){ count(ask->w, base), count(ask->w, &ask->free) };
	effect->step = (struct change){ base->decode.seconds, ask->on.decode.seconds };
	if (base->linear_path.operations > 0)
		effect->ttft = (struct change){ base->prefill.seconds, ask->on.prefill.seconds };
	if (ask->w->in.device.shared)
		effect->context = (struct change){ base->fits_context, ask->on.fits_context };
	else
		effect->sequences = (struct change){ base->fits_concurrency, ask->on.fits_concurrency };
	if (strcmp(change, "weights") == 0)
		effect->bytes = (struct change){ base->weight_bytes, ask->free.weight_bytes };
	else if (strcmp(change, "kv") == 0)
		effect->bytes = (struct change){ base->kv_bytes, ask->free.kv_bytes };
	effect->total = fmax(gain(in_devices), fmax(gain(effect->step), gain(effect->ttft)));
	/* A smaller sum that buys no device less relieves nothing; where there is one device, room does. */
	if (ask->w->in.device.shared || ask->free.needed < base->needed)
		effect->on_focus = gain(in_devices);
}

/*
 * HBM is not sold to who solders LPDDR (compare the beginning of the device's kind of memory), and
 * a phone has no host beside it.
 */
static bool
is_other_machine(const struct lever_effect *effect, const struct workload *w)
{
	const char *memory = val_text(val_path(effect->body, "needs.memory"));
	const char *machine = val_text(val_path(effect->body, "needs.machine"));
	const char *kind = val_text(val_path(w->device, "memory.kind"));

	if (machine != NULL && (strcmp(machine, "server") == 0) == w->in.device.shared)
		return true;
	return memory != NULL && kind != NULL && strncasecmp(kind, memory, strlen(memory)) != 0;
}

static int
ask_lever(struct lever_effect *effect, struct ask *ask, const struct sizing_result *base,
    struct focus focus, struct err *e)
{
	const struct val_entry *change = lever_change(effect);
	const char *argument = val_text(change->value);
	int rc = apply(ask, effect, change->key, argument != NULL ? argument : "", e);

	if (is_other_machine(effect, ask->w))
		effect->state = LEVER_OTHER_MACHINE;
	if (rc != OK || effect->state != LEVER_ASKED)
		return rc;
	ask->in.load.accelerators = 0;
	rc = run(&ask->free, &ask->in, effect->id, e);
	ask->in.load.accelerators = ask->w->in.device.shared ? 0 : ask->devices;
	if (rc == OK)
		rc = run(&ask->on, &ask->in, effect->id, e);
	if (rc != OK)
		return rc;
	if (ask->relief)
		return measure_relief(effect, ask, strcmp(focus.phase, "capacity") == 0 &&
		    focus.term == SIZING_KV, e);
	if (ask->reuse)
		measure_reuse(effect, ask);
	else if (ask->drafts)
		measure_drafts(effect, ask, base);
	else
		measure(effect, ask, base, change->key);
	if (strcmp(focus.phase, "decode") == 0)
		effect->on_focus = gain(effect->step);
	else if (strcmp(focus.phase, "prefill") == 0)
		effect->on_focus = gain(effect->ttft);
	/* What does not fit has no latency to compare with. */
	if (!ask->w->out.fits)
		effect->step = effect->ttft = effect->sequences = (struct change){ 0, 0 };
	return OK;
}

int
levers_ask(struct lever_effect **out, size_t *count, struct kb *kb, struct arena *a,
    const struct workload *w, const char *archetype, struct err *e)
{
	double devices = w->out.fits ? w->out.decode.devices : w->out.needed;
	struct focus focus = focus_of(w);
	struct sizing_input in = w->in;
	struct sizing_result base;
	struct val *levers;
	int rc = db_rows(&levers, a, kb_db(kb), ADVISE_LEVERS, e, "s", archetype);

	*count = 0;
	if (rc != OK)
		return rc;
	in.load.accelerators = w->in.device.shared ? 0 : devices;
	rc = run(&base, &in, "base", e);
	*out = arena_alloc(a, (val_count(levers) + 1) * sizeof **out);
	for (size_t i = 0; rc == OK && i < val_count(levers); i++) {
		struct lever_effect *effect = &(*out)[(*count)++];
		struct ask ask = { .w = w, .kb = kb, .a = a, .in = w->in, .devices = devices };
		struct val *body;

		rc = kb_record(&body, kb, a, val_get_text(levers->list.items[i], "lever"), "lever", e);
		if (rc != OK)
			break;
		effect->id = val_get_text(body, "id");
		effect->body = body;
		rc = ask_lever(effect, &ask, &base, focus, e);
	}
	return rc;
}
