#include "advise/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/qval.h"

/* Which inputs a value rests on. */
enum {
	ON_MODEL = 1 << INPUT_MODEL,
	ON_DEVICE = 1 << INPUT_ACCELERATOR,
	ON_WEIGHTS = ON_MODEL | 1 << INPUT_WEIGHTS,
	ON_ROW = ON_MODEL | 1 << INPUT_KV,
	ON_CONTEXT = 1 << INPUT_PROMPT | 1 << INPUT_OUTPUT | 1 << INPUT_CONTEXT,
	ON_LOAD = 1 << INPUT_CONCURRENCY | 1 << INPUT_REQUESTS,
	ON_KV = ON_ROW | ON_CONTEXT | ON_LOAD,
	/* The room on a device: what the file says is available, else a share of what its profile says. */
	ON_ROOM = 1 << INPUT_COUNT | 1 << INPUT_USABLE | 1 << INPUT_MEMORY,
	ON_COUNT = ON_WEIGHTS | ON_KV | ON_ROOM,
	ON_FIT = ON_COUNT | 1 << INPUT_ACCELERATORS,
	ON_STEP = ON_FIT | ON_DEVICE,
};

enum style { COUNT, WHOLE, TOKENS, RATIO, BYTES, KIB, SECONDS, RATE, TOKENS_PER_SECOND };

static const struct key {
	const char *name;
	size_t offset;
	enum style style;
	int inputs;
	bool zero_is_none;
} keys[] = {
#define KEY(name, member, style, inputs) { name, offsetof(struct sizing_result, member), style, inputs, false }
#define MAYBE(name, member, style, inputs) { name, offsetof(struct sizing_result, member), style, inputs, true }
	KEY("parameters.total", parameters_total, COUNT, ON_MODEL),
	KEY("parameters.active", parameters_active, COUNT, ON_MODEL),
	KEY("weights.bytes", weight_bytes, BYTES, ON_WEIGHTS),
	KEY("state.bytes", state_bytes, BYTES, ON_MODEL | ON_LOAD),
	KEY("index.bytes", index_bytes, BYTES, ON_KV),
	KEY("kv.bytes_per_token", kv_bytes_per_token, KIB, ON_ROW),
	KEY("kv.growth_per_token", kv_growth_per_token, KIB, ON_ROW | ON_CONTEXT),
	KEY("kv.bytes_per_sequence", kv_bytes_per_sequence, BYTES, ON_ROW | ON_CONTEXT),
	KEY("kv.bytes", kv_bytes, BYTES, ON_KV),
	KEY("kv.bytes_read_per_step", kv_bytes_read_per_step, BYTES, ON_KV),
	KEY("kv.idle_bytes", idle_kv_bytes, BYTES, ON_KV | 1 << INPUT_SESSIONS),
	KEY("kv_to_weights", kv_to_weights, RATIO, ON_WEIGHTS | ON_KV),
	MAYBE("crossover.concurrency", crossover_concurrency, COUNT, ON_WEIGHTS | ON_ROW | ON_CONTEXT),
	MAYBE("crossover.whole_sequences", crossover_concurrency, WHOLE, ON_WEIGHTS | ON_ROW | ON_CONTEXT),
	MAYBE("crossover.context", crossover_context, TOKENS, ON_WEIGHTS | ON_ROW | ON_LOAD),
	KEY("fits.concurrency", fits_concurrency, COUNT, ON_FIT),
	KEY("fits.context", fits_context, TOKENS, ON_FIT),
	KEY("accelerators.by_capacity", by_capacity, COUNT, ON_COUNT),
	KEY("accelerators.needed", needed, COUNT, ON_COUNT),
	KEY("accelerators.for_weights", for_weights, COUNT, ON_WEIGHTS | ON_ROOM),
	KEY("accelerators.added_by_kv", added_by_kv, COUNT, ON_COUNT),
	MAYBE("accelerators.next_jump_concurrency", next_jump_concurrency, COUNT, ON_COUNT),
	MAYBE("accelerators.for_ttft", devices_for_ttft, COUNT, ON_STEP | 1 << INPUT_TTFT),
	MAYBE("accelerators.for_tpot", devices_for_tpot, COUNT, ON_STEP | 1 << INPUT_TPOT),
	KEY("per_device.bytes", device_bytes, BYTES, ON_COUNT | 1 << INPUT_ACCELERATORS),
	MAYBE("per_device.bandwidth", device_bandwidth, RATE, ON_COUNT | 1 << INPUT_ACCELERATORS | 1 << INPUT_TPOT),
	MAYBE("prefill.seconds", prefill.seconds, SECONDS, ON_STEP),
	MAYBE("prefill.seconds_reused", prefill.seconds_reused, SECONDS, ON_STEP | 1 << INPUT_REUSE),
	MAYBE("prefill.weights_seconds", prefill.weights_seconds, SECONDS, ON_STEP),
	MAYBE("prefill.linear_compute_seconds", prefill.linear_compute_seconds, SECONDS, ON_STEP),
	MAYBE("prefill.attention_compute_seconds", prefill.attention_compute_seconds, SECONDS, ON_STEP),
	MAYBE("decode.step_seconds", decode.seconds, SECONDS, ON_STEP),
	MAYBE("decode.weights_seconds", decode.weights_seconds, SECONDS, ON_STEP),
	MAYBE("decode.kv_seconds", decode.kv_seconds, SECONDS, ON_STEP),
	MAYBE("decode.index_seconds", decode.index_seconds, SECONDS, ON_STEP),
	MAYBE("decode.state_seconds", decode.state_seconds, SECONDS, ON_STEP),
	MAYBE("decode.linear_compute_seconds", decode.linear_compute_seconds, SECONDS, ON_STEP),
	MAYBE("decode.attention_compute_seconds", decode.attention_compute_seconds, SECONDS, ON_STEP),
	MAYBE("decode.tokens_per_second", decode.tokens_per_second, TOKENS_PER_SECOND, ON_STEP),
	MAYBE("critical_batch", critical_batch, COUNT, ON_WEIGHTS | ON_DEVICE),
	KEY("budget.usable", budget.usable, BYTES, ON_ROOM),
	KEY("budget.weights", budget.weights, BYTES, ON_FIT),
	KEY("budget.kv", budget.kv, BYTES, ON_FIT),
	KEY("budget.index", budget.index, BYTES, ON_FIT),
	KEY("budget.state", budget.state, BYTES, ON_FIT),
	KEY("budget.activations", budget.activations, BYTES, ON_FIT),
	KEY("budget.communication", budget.communication, BYTES, ON_FIT),
	KEY("budget.runtime", budget.runtime, BYTES, ON_FIT),
	KEY("budget.free", budget.free, BYTES, ON_FIT),
	KEY("budget.missing", budget.missing, BYTES, ON_FIT),
#undef KEY
#undef MAYBE
};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

const char *
result_key(size_t i)
{
	return i < KEY_COUNT ? keys[i].name : NULL;
}

static double
value_at(const struct sizing_result *r, const struct key *key)
{
	double value;

	memcpy(&value, (const char *)r + key->offset, sizeof value);
	return value;
}

/* A profile of the kb is published; one written into the customer file is stated. */
static enum quantity_kind
input_kind(const struct workload *w, int id)
{
	const struct input *in = &w->inputs[id];

	if (id == INPUT_USABLE && !in->known && !w->inputs[INPUT_MEMORY].known)
		return QUANTITY_ASSUMED; /* the default share of the driver's total */
	if (!in->known)
		return QUANTITY_MEASURED; /* has no part in it */
	if ((id == INPUT_MODEL || id == INPUT_ACCELERATOR) && in->kind == QUANTITY_STATED &&
	    in->profile == NULL)
		return QUANTITY_PUBLISHED;
	return in->kind;
}

static enum quantity_kind
weakest_of(const struct workload *w, int mask)
{
	enum quantity_kind weakest = QUANTITY_MEASURED;

	if ((mask & 1 << INPUT_COUNT) && !w->inputs[INPUT_MEMORY].known)
		mask |= ON_DEVICE;
	for (int i = 0; i < INPUT_COUNT; i++)
		if (mask & 1 << i)
			weakest = quantity_weaker(weakest, input_kind(w, i));
	return weakest;
}

static const struct unit *
unit_of(enum style style, double value)
{
	switch (style) {
	case TOKENS:
		return unit_base(DIM_TOKENS);
	case RATIO:
		return unit_base(DIM_RATIO);
	case BYTES:
		return unit_for_bytes(value, false);
	case KIB:
		return unit_for_bytes(value, true);
	case SECONDS:
		return unit_for_seconds(value);
	case RATE:
		return unit_for_rate(value);
	case TOKENS_PER_SECOND:
		return unit_base(DIM_TOKENS_PER_SECOND);
	default:
		return unit_base(DIM_COUNT);
	}
}

bool
result_quantity(struct quantity *out, const struct workload *w, const char *name)
{
	const struct key *key = NULL;
	double value;

	for (int i = 0; i < KEY_COUNT && key == NULL; i++)
		if (strcmp(keys[i].name, name) == 0)
			key = &keys[i];
	if (key == NULL || !w->sized)
		return false;
	value = value_at(&w->out, key);
	if (key->style == WHOLE)
		value = floor(value);
	if (key->zero_is_none && value == 0)
		return false;
	/* Without a published rate the work of a prompt has no time, not a short one. */
	if (strncmp(name, "prefill.", 8) == 0 && w->out.linear_path.operations == 0)
		return false;
	/* A count that no amount would change is not a figure. */
	if ((key->style == COUNT || key->style == TOKENS) && value >= SIZING_MAX_LOAD &&
	    strncmp(name, "parameters", 10) != 0)
		return false;
	*out = (struct quantity){ .value = value, .unit = unit_of(key->style, value),
		.kind = QUANTITY_CALCULATED, .weakest = weakest_of(w, key->inputs), .ref = key->name };
	if (key->style == RATIO)
		out->digits = value < 1 ? 2 : 3;
	return true;
}

/* Put a value at "a.b" in nested maps. */
static void
put_path(struct arena *a, struct val *root, const char *path, struct val *value)
{
	const char *dot;

	while ((dot = strchr(path, '.')) != NULL) {
		const char *name = arena_strndup(a, path, (size_t)(dot - path));
		struct val *next = val_get(root, name);

		root = next != NULL ? next : val_put(a, root, name, val_map(a));
		path = dot + 1;
	}
	val_put(a, root, path, value);
}

static struct val *
inputs_json(struct arena *a, const struct workload *w)
{
	struct val *inputs = val_map(a);

	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct input *in = &w->inputs[i];
		struct val *v;

		if (!in->known || i == INPUT_TIERS)
			continue;
		if (in->q.unit != NULL) {
			val_put(a, inputs, input_name(i), render_quantity_json(a, &in->q));
			continue;
		}
		v = val_put(a, inputs, input_name(i), val_map(a));
		val_put(a, v, "value", val_str(a, i == INPUT_MODEL && w->model != NULL &&
		    val_get(w->model, "id") != NULL ? val_get_text(w->model, "id") : in->text));
		val_put(a, v, "kind", val_str(a, quantity_kind_name(in->kind, "en")));
	}
	return inputs;
}

static struct val *
bottleneck_json(struct arena *a, const struct workload *w)
{
	const struct sizing_result *r = &w->out;
	struct val *b = val_map(a);
	const char *capacity = sizing_term_name(r->capacity);
	bool timed = r->decode.seconds > 0;

	val_put(a, b, "capacity", val_str(a, capacity));
	val_put(a, b, "prefill", val_str(a, workload_prefill_term(w) >= 0
	    ? sizing_term_name(r->prefill.bottleneck) : NULL));
	val_put(a, b, "decode", val_str(a, timed ? sizing_term_name(r->decode.bottleneck) : NULL));
	val_put(a, b, "flag", val_strf(a, "%s-bound", r->capacity == SIZING_WEIGHTS ? "weight" : capacity));
	val_put(a, b, "near_crossover", val_bool(a, r->near_crossover));
	val_put(a, b, "reason", val_strf(a, "the largest of weights, kv, state and index in bytes is %s",
	    capacity));
	return b;
}

static struct val *
tiers_json(struct arena *a, const struct workload *w)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < w->tier_count; i++) {
		const struct sizing_placement *p = &w->out.placements[i];
		struct val *tier = val_push(a, list, val_map(a));
		struct quantity bytes = { .value = p->bytes, .unit = unit_for_bytes(p->bytes, false),
			.kind = QUANTITY_CALCULATED, .ref = "kv.idle_bytes",
			.weakest = weakest_of(w, ON_KV | 1 << INPUT_SESSIONS) };

		val_put(a, tier, "id", val_str(a, w->tiers[i].id));
		val_put(a, tier, "bytes", render_quantity_json(a, &bytes));
		val_put(a, tier, "verdict", val_str(a, sizing_verdict_name(p->verdict)));
		if (p->break_even_bandwidth > 0) {
			struct quantity rate = { .value = p->break_even_bandwidth,
				.unit = unit_for_rate(p->break_even_bandwidth), .kind = QUANTITY_CALCULATED,
				.weakest = weakest_of(w, ON_STEP | 1 << INPUT_REUSE), .ref = "break_even" };

			val_put(a, tier, "pays_above", render_quantity_json(a, &rate));
		}
	}
	return list;
}

struct val *
result_json(struct arena *a, const struct workload *w)
{
	struct val *root = val_map(a), *assumptions;
	struct quantity q;

	val_put(a, root, "format", val_str(a, "dossier.sizing/1"));
	val_put(a, root, "inputs", inputs_json(a, w));
	for (int i = 0; i < KEY_COUNT; i++)
		put_path(a, root, keys[i].name,
		    result_quantity(&q, w, keys[i].name) ? render_quantity_json(a, &q) : val_null(a));
	/* Until an engine's rules and a layout are asked for, there is no such figure. */
	put_path(a, root, "kv.reserved_bytes", val_null(a));
	put_path(a, root, "accelerators.by_layout", val_null(a));
	val_put(a, root, "bottleneck", bottleneck_json(a, w));
	val_put(a, root, "fits_given", val_bool(a, w->out.fits));
	val_put(a, root, "tiers", tiers_json(a, w));
	assumptions = val_put(a, root, "assumptions", val_list(a));
	if (!w->inputs[INPUT_USABLE].known && !w->inputs[INPUT_MEMORY].known) {
		struct quantity usable = { .value = w->in.device.usable_fraction, .unit = unit_find("%", 1),
			.kind = QUANTITY_ASSUMED, .ref = "usable" };

		val_push(a, assumptions, render_quantity_json(a, &usable));
	}
	for (int i = 0; i < INPUT_COUNT; i++)
		if (w->inputs[i].known && w->inputs[i].kind == QUANTITY_ASSUMED && w->inputs[i].q.unit != NULL)
			val_push(a, assumptions, render_quantity_json(a, &w->inputs[i].q));
	return root;
}
