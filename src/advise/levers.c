#include "advise/levers.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "db/db.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "sql.h"

#define ROOM_TO_SPARE 0.25

const char *
lever_state_name(enum lever_state state)
{
	static const char *const names[] = { "asked", "not-calculated", "in-place", "needs-reuse",
		"other-machine", "needs-sessions" };

	return names[state];
}

/* An assumed target is shown, but only one that the customer stated may move the focus. */
static bool
is_stated(const struct workload *w, enum input_id id)
{
	return w->inputs[id].known && w->inputs[id].kind == QUANTITY_STATED;
}

struct focus
focus_of(const struct workload *w)
{
	const struct sizing_result *r = &w->out;
	struct focus focus = { "capacity", r->capacity };
	double most = r->by_capacity;

	if (w->in.device.shared && r->fits && r->budget.free >= ROOM_TO_SPARE * r->budget.usable)
		focus = (struct focus){ "decode", r->decode.bottleneck };
	if (is_stated(w, INPUT_TPOT) && r->devices_for_tpot > most && !r->meets_tpot &&
	    r->decode.seconds > 0) {
		most = r->devices_for_tpot;
		focus = (struct focus){ "decode", r->decode.bottleneck };
	}
	if (is_stated(w, INPUT_TTFT) && r->devices_for_ttft > most && !r->meets_ttft &&
	    r->prefill.seconds > 0)
		focus = (struct focus){ "prefill", r->prefill.bottleneck };
	return focus;
}

/* Bytes that must be on devices, in devices: what `needed` rounds up. */
static double
demand(const struct sizing_result *r)
{
	return (r->weight_bytes + r->kv_bytes + r->state_bytes) / r->usable_per_device;
}

static double
gain(struct change c)
{
	return c.before > 0 && c.after < c.before ? 1 - c.after / c.before : 0;
}

struct ask {
	const struct workload *w;
	struct kb *kb;
	struct arena *a;
	struct sizing_input in;  /* as changed */
	double devices;          /* on which times are compared */
	bool relief, reuse;
	struct sizing_result on; /* the answer on `devices` */
	struct sizing_result free; /* the answer without a given count */
};

static int
run(struct sizing_result *out, const struct sizing_input *in, const char *lever, struct err *e)
{
	struct sizing_error wrong;

	if (sizing_run(out, in, &wrong) == 0)
		return OK;
	return err_set(e, ERR_INPUT, "lever `%s`: %s: %s", lever, wrong.field, wrong.reason);
}

static double
factor(const char *text)
{
	struct quantity q;

	return quantity_parse(&q, text, strlen(text), DIM_RATIO) == NULL ? q.value : 1;
}

/* Put one tier in place of the customer's. */
static int
use_tier(struct ask *ask, const char *id, struct err *e)
{
	struct val *body;
	int rc = kb_record(&body, ask->kb, ask->a, id, "tier", e);

	if (rc == OK)
		profile_tier(&ask->in.tiers[0], body);
	ask->in.tier_count = 1;
	return rc;
}

/* Change the input as the lever says; *state tells when it would change nothing. */
static int
apply(struct ask *ask, const char *change, const char *argument, enum lever_state *state,
    struct err *e)
{
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
		ask->in.device.visible_bytes = floor(ask->in.device.visible_bytes * factor(argument));
		ask->in.device.usable_bytes = floor(ask->in.device.usable_bytes * factor(argument));
	} else if (strcmp(change, "device_bandwidth") == 0) {
		ask->in.device.bandwidth *= factor(argument);
	} else if (strcmp(change, "idle_kv_to") == 0) {
		ask->relief = true;
		if (load->sessions <= load->concurrency)
			*state = LEVER_NEEDS_SESSIONS;
		return use_tier(ask, argument, e);
	} else if (strcmp(change, "reuse_from") == 0) {
		ask->reuse = true;
		if (load->reuse <= 0)
			*state = LEVER_NEEDS_REUSE;
		return use_tier(ask, argument, e);
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
	effect->accelerators = (struct change){ base->by_capacity, base->by_capacity };
	effect->kept = (struct change){ held.by_capacity, base->by_capacity };
	effect->bytes = (struct change){ base->idle_kv_bytes + base->kv_bytes + base->state_bytes,
		base->kv_bytes + base->state_bytes };
	effect->tier = ask->on.placements[0].verdict;
	effect->on_focus = kv_is_focus ? gain(effect->bytes) : 0;
	return OK;
}

/* Prefixes read back instead of computed: the rest of the prompt, and the reading. */
static void
measure_reuse(struct lever_effect *effect, struct ask *ask)
{
	const struct sizing_placement *p = &ask->on.placements[0];
	double after = ask->on.prefill.seconds_reused + p->load_seconds;

	effect->break_even = p->break_even_bandwidth;
	effect->tier = p->verdict;
	if (p->load_seconds > 0 && ask->on.prefill.seconds > 0)
		effect->ttft = (struct change){ ask->on.prefill.seconds, after };
	effect->total = gain(effect->ttft);
}

static void
measure(struct lever_effect *effect, struct ask *ask, const struct sizing_result *base,
    const char *change)
{
	struct change in_devices = { demand(base), demand(&ask->free) };

	effect->accelerators = (struct change){ base->by_capacity, ask->free.by_capacity };
	effect->step = (struct change){ base->decode.seconds, ask->on.decode.seconds };
	if (base->linear_path.operations > 0)
		effect->ttft = (struct change){ base->prefill.seconds, ask->on.prefill.seconds };
	effect->sequences = (struct change){ base->fits_concurrency, ask->on.fits_concurrency };
	if (strcmp(change, "weights") == 0)
		effect->bytes = (struct change){ base->weight_bytes, ask->free.weight_bytes };
	else if (strcmp(change, "kv") == 0)
		effect->bytes = (struct change){ base->kv_bytes, ask->free.kv_bytes };
	effect->total = fmax(gain(in_devices), fmax(gain(effect->step), gain(effect->ttft)));
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
	const struct val_entry *change = &val_get(effect->body, "change")->map.entries[0];
	const char *argument = val_text(change->value);
	int rc = apply(ask, change->key, argument != NULL ? argument : "", &effect->state, e);

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
	else
		measure(effect, ask, base, change->key);
	if (strcmp(focus.phase, "decode") == 0)
		effect->on_focus = gain(effect->step);
	else if (strcmp(focus.phase, "prefill") == 0)
		effect->on_focus = gain(effect->ttft);
	/* What does not fit has no latency to compare with. */
	if (!ask->w->out.fits)
		effect->step = effect->ttft = (struct change){ 0, 0 };
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
