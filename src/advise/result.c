#include "advise/result.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "advise/range.h"
#include "render/qval.h"

/* Which inputs a value rests on. */
#define ON(id) (UINT64_C(1) << (id))
#define ON_MODEL ON(INPUT_MODEL)
#define ON_DEVICE ON(INPUT_ACCELERATOR)
#define ON_WEIGHTS (ON_MODEL | ON(INPUT_WEIGHTS) | ON(INPUT_TENSORS))
#define ON_ROW (ON_MODEL | ON(INPUT_KV))
#define ON_CONTEXT (ON(INPUT_PROMPT) | ON(INPUT_OUTPUT) | ON(INPUT_CONTEXT) | ON(INPUT_LENGTHS))
#define ON_LOAD (ON(INPUT_CONCURRENCY) | ON(INPUT_REQUESTS))
#define ON_KV (ON_ROW | ON_CONTEXT | ON_LOAD)
/* The room on a device: what the file says is available, else a share of what its profile says. */
#define ON_ROOM (ON(INPUT_COUNT) | ON(INPUT_USABLE) | ON(INPUT_MEMORY) | ON(INPUT_RUNTIME))
#define ON_COUNT (ON_WEIGHTS | ON_KV | ON_ROOM)
#define ON_FIT (ON_COUNT | ON(INPUT_ACCELERATORS) | ON(INPUT_LAYOUT) | ON(INPUT_NODE) | ON(INPUT_PREFILL_CHUNK))
#define ON_STEP (ON_FIT | ON_DEVICE | ON(INPUT_ACTIVATIONS) | ON(INPUT_RATES) | ON(INPUT_EFFICIENCY) | \
	ON(INPUT_BANDWIDTH_EFFICIENCY) | ON(INPUT_IMBALANCE))
#define ON_SERVING (ON_STEP | ON(INPUT_REUSE))
#define ON_SPECULATION (ON(INPUT_DRAFT_TOKENS) | ON(INPUT_ACCEPTANCE) | ON(INPUT_DRAFT_COST))
#define ON_STATED ON(INPUT_COUNT + 1)   /* what the file says besides, of a vector index */
#define ON_DEFAULTS ON(INPUT_COUNT + 2) /* of an engine or an index: assumed */

/* In the order in which they are printed; where the value lies and its unit: sizing/keys.h. */
static const struct basis {
	const char *key;
	uint64_t inputs;
} bases[] = {
	{ "parameters.total", ON_MODEL },
	{ "parameters.active", ON_MODEL },
	{ "weights.bytes", ON_WEIGHTS },
	{ "state.bytes", ON_MODEL | ON_LOAD },
	{ "index.bytes", ON_KV },
	{ "kv.bytes_per_token", ON_ROW },
	{ "kv.growth_per_token", ON_ROW | ON_CONTEXT },
	{ "kv.bytes_per_sequence", ON_ROW | ON_CONTEXT },
	{ "kv.bytes", ON_KV },
	{ "kv.bytes_read_per_step", ON_KV },
	{ "kv.idle_bytes", ON_KV | ON(INPUT_SESSIONS) },
	{ "kv_to_weights", ON_WEIGHTS | ON_KV },
	{ "crossover.concurrency", ON_WEIGHTS | ON_ROW | ON_CONTEXT },
	{ "crossover.whole_sequences", ON_WEIGHTS | ON_ROW | ON_CONTEXT },
	{ "crossover.context", ON_WEIGHTS | ON_ROW | ON_LOAD },
	{ "fits.concurrency", ON_FIT },
	{ "fits.context", ON_FIT },
	{ "accelerators.by_capacity", ON_COUNT },
	{ "accelerators.for_weights", ON_WEIGHTS | ON_ROOM },
	{ "accelerators.added_by_kv", ON_COUNT },
	{ "accelerators.by_layout", ON_COUNT | ON_DEVICE | ON(INPUT_NODE) },
	{ "accelerators.needed", ON_COUNT | ON_DEVICE | ON(INPUT_NODE) },
	{ "accelerators.next_jump_concurrency", ON_COUNT },
	{ "accelerators.for_ttft", ON_STEP | ON(INPUT_TTFT) },
	{ "accelerators.for_tpot", ON_STEP | ON(INPUT_TPOT) },
	{ "layout.tensor", ON_STEP },
	{ "layout.attention", ON_STEP },
	{ "layout.pipeline", ON_STEP },
	{ "per_device.bytes", ON_COUNT | ON(INPUT_ACCELERATORS) },
	{ "per_device.bandwidth", ON_COUNT | ON(INPUT_ACCELERATORS) | ON(INPUT_TPOT) },
	{ "prefill.seconds", ON_STEP },
	{ "prefill.seconds_reused", ON_STEP | ON(INPUT_REUSE) },
	{ "prefill.weights_seconds", ON_STEP },
	{ "prefill.linear_compute_seconds", ON_STEP },
	{ "prefill.attention_compute_seconds", ON_STEP },
	{ "prefill.interconnect_seconds", ON_STEP },
	{ "prefill.tokens_per_second", ON_STEP },
	{ "decode.step_seconds", ON_STEP },
	{ "decode.weights_seconds", ON_STEP },
	{ "decode.kv_seconds", ON_STEP },
	{ "decode.index_seconds", ON_STEP },
	{ "decode.state_seconds", ON_STEP },
	{ "decode.linear_compute_seconds", ON_STEP },
	{ "decode.attention_compute_seconds", ON_STEP },
	{ "decode.interconnect_seconds", ON_STEP },
	{ "decode.tokens_per_second", ON_STEP },
	{ "decode.tokens_per_second_device", ON_STEP },
	{ "decode.tokens_per_second_user", ON_STEP },
	{ "interconnect.all_reduce_bytes", ON_STEP },
	{ "interconnect.all_to_all_bytes", ON_STEP },
	{ "interconnect.gather_bytes", ON_STEP },
	{ "interconnect.point_to_point_bytes", ON_STEP },
	{ "interconnect.decode_ways", ON_WEIGHTS | ON_LOAD | ON_DEVICE | ON(INPUT_ACTIVATIONS) },
	{ "interconnect.prefill_ways", ON_WEIGHTS | ON_DEVICE | ON(INPUT_ACTIVATIONS) },
	{ "interconnect.latency_bound_bytes", ON_STEP },
	{ "interconnect.latency_ways", ON_MODEL | ON_LOAD | ON_DEVICE | ON(INPUT_ACTIVATIONS) },
	{ "interconnect.two_d_devices", ON_MODEL },
	{ "interconnect.two_d_ways", ON_FIT },
	{ "interconnect.two_d_share", ON_FIT },
	{ "operations_per_token", ON_MODEL },
	{ "critical_batch", ON_WEIGHTS | ON_DEVICE },
	{ "decode.speculative_tokens_per_step", ON_SPECULATION },
	{ "decode.speculative_step_seconds", ON_STEP | ON_SPECULATION },
	{ "decode.speculative_seconds_per_token", ON_STEP | ON_SPECULATION },
	{ "decode.speculative_tokens_per_second", ON_STEP | ON_SPECULATION },
	{ "decode.speculative_gain", ON_STEP | ON_SPECULATION },
	{ "serving.requests_per_second", ON_STEP },
	{ "serving.decode_share", ON_SERVING },
	{ "serving.interleaved_tokens_per_second", ON_SERVING },
	{ "serving.interleaved_requests_per_second", ON_SERVING },
	{ "prefill.batched_seconds", ON_SERVING },
	{ "serving.prefill_per_decode", ON_SERVING },
	{ "serving.transfer_bytes", ON_ROW | ON_CONTEXT },
	{ "serving.transfer_bandwidth", ON_STEP },
	{ "serving.transfer_hidden_bandwidth", ON_SERVING },
	{ "budget.usable", ON_ROOM },
	{ "budget.weights", ON_FIT },
	{ "budget.kv", ON_FIT },
	{ "budget.index", ON_FIT },
	{ "budget.state", ON_FIT },
	{ "budget.activations", ON_FIT },
	{ "budget.communication", ON_FIT },
	{ "budget.runtime", ON_FIT },
	{ "budget.free", ON_FIT },
	{ "budget.missing", ON_FIT },
};

enum { BASIS_COUNT = sizeof bases / sizeof *bases };

const char *
result_key(size_t i)
{
	return i < BASIS_COUNT ? bases[i].key : NULL;
}

/* Figures beside the result of the engine: what another engine reserves, and the index in host memory. */
static const struct beside {
	const char *key;
	size_t offset; /* in a workload; 0 there: no such figure */
	enum sizing_unit unit;
	uint64_t inputs;
} besides[] = {
#define BESIDE(key, member, unit, inputs) { key, offsetof(struct workload, member), SIZING_UNIT_##unit, inputs }
	BESIDE("retrieval.bytes", index.bytes, BYTES, ON_STATED | ON_DEFAULTS),
	BESIDE("retrieval.prompt_tokens", index.prompt_tokens, TOKENS, ON_STATED),
	BESIDE("engine.compute_bytes", reserved.compute_bytes, BYTES, ON_MODEL | ON_DEFAULTS),
	BESIDE("kv.reserved_bytes", reserved.bytes, BYTES, ON_KV | ON_DEFAULTS),
	BESIDE("kv.minimum_bytes", reserved.minimum_bytes, BYTES, ON_KV),
#undef BESIDE
};

enum { BESIDE_COUNT = sizeof besides / sizeof *besides };

const char *
result_beside_key(size_t i)
{
	return i < BESIDE_COUNT ? besides[i].key : NULL;
}

static const struct basis *
find_basis(const char *name)
{
	for (int i = 0; i < BASIS_COUNT; i++)
		if (strcmp(bases[i].key, name) == 0)
			return &bases[i];
	return NULL;
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
weakest_of(const struct workload *w, uint64_t mask)
{
	enum quantity_kind weakest = QUANTITY_MEASURED;

	if ((mask & ON(INPUT_COUNT)) && !w->inputs[INPUT_MEMORY].known)
		mask |= ON_DEVICE;
	if (mask & ON_STATED)
		weakest = QUANTITY_STATED;
	if (mask & ON_DEFAULTS)
		weakest = QUANTITY_ASSUMED;
	for (int i = 0; i < INPUT_COUNT; i++)
		if (mask & ON(i))
			weakest = quantity_weaker(weakest, input_kind(w, i));
	return weakest;
}

static const struct unit *
unit_of(enum sizing_unit unit, double value)
{
	switch (unit) {
	case SIZING_UNIT_TOKENS:
		return unit_base(DIM_TOKENS);
	case SIZING_UNIT_RATIO:
		return unit_base(DIM_RATIO);
	case SIZING_UNIT_BYTES:
		return unit_for_bytes(value, false);
	case SIZING_UNIT_BYTES_BINARY:
		return unit_for_bytes(value, true);
	case SIZING_UNIT_SECONDS:
		return unit_for_seconds(value);
	case SIZING_UNIT_BYTES_PER_SECOND:
		return unit_for_rate(value);
	case SIZING_UNIT_TOKENS_PER_SECOND:
		return unit_base(DIM_TOKENS_PER_SECOND);
	default:
		return unit_base(DIM_COUNT);
	}
}

static bool
beside_quantity(struct quantity *out, const struct workload *w, const char *name)
{
	for (int i = 0; i < BESIDE_COUNT; i++) {
		const struct beside *b = &besides[i];
		double value;

		if (strcmp(b->key, name) != 0)
			continue;
		memcpy(&value, (const char *)w + b->offset, sizeof value);
		*out = (struct quantity){ .value = value, .unit = unit_of(b->unit, value),
			.kind = QUANTITY_CALCULATED, .weakest = weakest_of(w, b->inputs), .ref = b->key };
		return value > 0;
	}
	return false;
}

bool
result_rule(struct quantity *out, const struct workload *w, enum sizing_rule rule)
{
	double bytes = w->reserved.by_rule[rule];

	*out = (struct quantity){ .value = bytes, .unit = unit_for_bytes(bytes, false),
		.kind = QUANTITY_CALCULATED, .weakest = weakest_of(w, ON_KV | ON_DEFAULTS),
		.ref = sizing_rule_name(rule) };
	return bytes != 0;
}

struct quantity
result_shown(const struct sizing_key *key, double value)
{
	struct quantity q = { .value = value, .unit = unit_of(key->unit, value), .kind = QUANTITY_CALCULATED,
		.ref = key->name };

	if (key->unit == SIZING_UNIT_RATIO)
		q.digits = value < 1 ? 2 : 3;
	return q;
}

bool
result_quantity(struct quantity *out, const struct workload *w, const char *name)
{
	const struct basis *basis = find_basis(name);
	const struct sizing_key *key = sizing_result_find(name);
	double value;

	if (beside_quantity(out, w, name))
		return true;
	if (basis == NULL || key == NULL || !w->sized || !sizing_result_number(&value, key, &w->out))
		return false;
	*out = result_shown(key, value);
	out->weakest = weakest_of(w, basis->inputs);
	return true;
}

struct quantity
result_like(const struct quantity *q, double value)
{
	const struct sizing_key *key = sizing_result_find(q->ref);
	struct quantity like = *q;

	like.value = key->unit == SIZING_UNIT_WHOLE ? floor(value) : value;
	like.unit = unit_of(key->unit, value);
	if (key->unit == SIZING_UNIT_RATIO)
		like.digits = value < 1 ? 2 : 3;
	return like;
}

/* "low" and "high" beside the value of a quantity that has a range. */
static struct val *
put_ends(struct arena *a, struct val *quantity, const struct quantity *low, const struct quantity *high)
{
	val_put(a, quantity, "low", val_num(a, low->value));
	val_put(a, quantity, "high", val_num(a, high->value));
	return quantity;
}

static struct val *
input_json(struct arena *a, const struct input *in)
{
	struct val *q = render_quantity_json(a, &in->q);

	return in->range ? put_ends(a, q, &in->low, &in->high) : q;
}

/* A figure with its range; "sampled" where the extremes may lie a little beyond. */
static struct val *
figure_json(struct arena *a, const struct workload *w, const char *key)
{
	struct quantity q, low, high;
	struct val *figure;

	if (!result_quantity(&q, w, key))
		return val_null(a);
	figure = render_quantity_json(a, &q);
	if (range_quantity(&low, &high, w, key)) {
		put_ends(a, figure, &low, &high);
		if (!range_is_exact(w, key))
			val_put(a, figure, "sampled", val_bool(a, true));
	}
	return figure;
}

/* What of a range the one answer is for, as an assumption of ours. */
static void
put_range(struct arena *a, const struct workload *w, struct val *root, struct val *assumptions)
{
	struct val *range;

	if (w->range == NULL)
		return;
	range = val_put(a, root, "range", val_map(a));
	val_put(a, range, "loads", val_num(a, (double)w->range->points));
	val_put(a, range, "every_load", val_bool(a, w->range->every));
	val_put(a, range, "bottleneck_turns", val_bool(a, w->range->turns));
	for (int i = 0; i < INPUT_COUNT; i++) {
		struct input in = w->inputs[i];

		in.q.kind = QUANTITY_ASSUMED;
		if (in.known && in.range && in.kind != QUANTITY_ASSUMED)
			val_push(a, assumptions, input_json(a, &in));
	}
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
			val_put(a, inputs, input_name(i), input_json(a, in));
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
	val_put(a, b, "flag", val_str(a, sizing_flag(r)));
	val_put(a, b, "near_crossover", val_bool(a, r->near_crossover));
	val_put(a, b, "reason", val_strf(a, "the largest of weights, kv, state and index in bytes is %s",
	    capacity));
	return b;
}

static struct val *
reserved_json(struct arena *a, const struct workload *w)
{
	struct val *list = val_list(a);
	struct quantity q;

	for (int i = 0; i < SIZING_RULES; i++) {
		struct val *item;

		if (!result_rule(&q, w, (enum sizing_rule)i))
			continue;
		item = val_push(a, list, val_map(a));
		val_put(a, item, "rule", val_str(a, q.ref));
		val_put(a, item, "bytes", render_quantity_json(a, &q));
	}
	return list;
}

static void
push_assumed(struct arena *a, struct val *assumptions, const char *ref, double value, enum dimension dimension)
{
	struct quantity q = { .value = value, .unit = unit_base(dimension), .kind = QUANTITY_ASSUMED, .ref = ref };

	val_push(a, assumptions, render_quantity_json(a, &q));
}

/* The engine's defaults, a hop's latency that no profile states, and a prompt without what is retrieved into it. */
static void
push_defaults(struct arena *a, struct val *assumptions, const struct workload *w)
{
	if (w->reserved.streams > 0 && !w->inputs[INPUT_MICRO_BATCH].known)
		push_assumed(a, assumptions, "micro_batch", SIZING_MICRO_BATCH, DIM_TOKENS);
	if (w->reserved.block > 0)
		push_assumed(a, assumptions, "max_batched_tokens", SIZING_BATCHED_TOKENS, DIM_TOKENS);
	if (w->out.decode.traffic.collectives > 0 && w->in.device.link_latency > 0 &&
	    val_path(w->device, "link.latency") == NULL)
		push_assumed(a, assumptions, "link.latency", w->in.device.link_latency, DIM_SECONDS);
	if (w->index.prompt_tokens > 0)
		push_assumed(a, assumptions, "retrieval.prompt_tokens", w->index.prompt_tokens, DIM_TOKENS);
}

struct val *
result_json(struct arena *a, const struct workload *w)
{
	struct val *root = val_map(a), *assumptions;

	val_put(a, root, "format", val_str(a, "dossier.sizing/1"));
	val_put(a, root, "inputs", inputs_json(a, w));
	for (int i = 0; i < BASIS_COUNT; i++)
		put_path(a, root, bases[i].key, figure_json(a, w, bases[i].key));
	for (int i = 0; i < BESIDE_COUNT; i++)
		put_path(a, root, besides[i].key, figure_json(a, w, besides[i].key));
	put_path(a, root, "kv.reserved_by", reserved_json(a, w));
	put_path(a, root, "retrieval.room", val_str(a, w->room != SIZING_ROOM_UNKNOWN ? sizing_room_name(w->room) : NULL));
	if (w->out.layout.tensor > 0) {
		put_path(a, root, "layout.experts", val_str(a, w->out.layout.expert ? "whole" : "sliced"));
		put_path(a, root, "layout.kv", val_str(a, sizing_kv_split_name(w->out.layout.kv)));
		put_path(a, root, "layout.leaves_domain", val_bool(a, w->out.leaves_domain));
	}
	if (w->out.decode.interconnect_seconds > 0)
		put_path(a, root, "interconnect.latency_bound", val_bool(a, w->out.decode.traffic.latency_bound));
	val_put(a, root, "bottleneck", bottleneck_json(a, w));
	val_put(a, root, "fits_given", val_bool(a, w->out.fits));
	val_put(a, root, "tiers", result_tiers_json(a, w));
	assumptions = val_put(a, root, "assumptions", val_list(a));
	if (!w->inputs[INPUT_USABLE].known && !w->inputs[INPUT_MEMORY].known) {
		struct quantity usable = { .value = w->in.device.usable_fraction, .unit = unit_find("%", 1),
			.kind = QUANTITY_ASSUMED, .ref = "usable" };

		val_push(a, assumptions, render_quantity_json(a, &usable));
	}
	push_defaults(a, assumptions, w);
	for (int i = 0; i < INPUT_COUNT; i++)
		if (w->inputs[i].known && w->inputs[i].kind == QUANTITY_ASSUMED && w->inputs[i].q.unit != NULL)
			val_push(a, assumptions, input_json(a, &w->inputs[i]));
	put_range(a, w, root, assumptions);
	return root;
}
