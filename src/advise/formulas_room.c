/* Room, counts of accelerators, and how the memory of one adds up. */
#include <math.h>
#include <string.h>

#include "advise/formulas_int.h"
#include "advise/result.h"

/* KV and states of one sequence at so many tokens. */
struct expr *
sequence_bytes(struct maker *m, struct expr *tokens)
{
	struct expr *bytes = bytes_kept(m, tokens);

	if (m->r->state_bytes_per_sequence > 0)
		bytes = ADD(m, bytes, expr_define(state_bytes(m), "sequence_state", DIM_BYTES));
	return bytes;
}

static struct expr *
one_sequence(struct maker *m)
{
	struct expr *bytes = result_of(m, "kv.bytes_per_sequence");

	if (m->r->state_bytes_per_sequence > 0)
		bytes = ADD(m, bytes, expr_define(state_bytes(m), "sequence_state", DIM_BYTES));
	return bytes;
}

static struct expr *
in_use(struct maker *m)
{
	struct expr *bytes = result_of(m, "kv.bytes");

	return m->r->state_bytes > 0 ? ADD(m, bytes, result_of(m, "state.bytes")) : bytes;
}

static struct expr *
all_bytes(struct maker *m)
{
	return ADD(m, result_of(m, "weights.bytes"), in_use(m));
}

struct expr *
usable(struct maker *m)
{
	const struct sizing_device *d = &m->in->device;
	const struct input *share = &m->w->inputs[INPUT_USABLE];
	bool driver = val_path(m->w->device, "memory.visible") != NULL;
	struct expr *fraction;

	if (m->w->inputs[INPUT_MEMORY].known)
		return FLOOR(m, input_of(m, INPUT_MEMORY, "memory_available"));
	fraction = expr_leaf(m->a, "usable_share", DIM_RATIO, d->usable_fraction,
	    share->known ? share->kind : QUANTITY_ASSUMED, "usable");
	return FLOOR(m, MUL(m, device_value(m, "visible", DIM_BYTES, d->visible_bytes,
	    driver ? "sources.visible" : "sources.memory"), fraction));
}

/* What weights and KV may fill. */
static struct expr *
available(struct maker *m)
{
	struct expr *room = result_of(m, "budget.usable");

	if (m->r->budget.runtime > 0)
		return SUB(m, room, result_of(m, "budget.runtime"));
	return room;
}

struct expr *
by_capacity(struct maker *m)
{
	return CEIL(m, DIV(m, all_bytes(m), available(m)));
}

struct expr *
by_layout(struct maker *m)
{
	return MUL(m, result_of(m, "layout.tensor"), result_of(m, "layout.attention"), result_of(m, "layout.pipeline"));
}

struct expr *
needed(struct maker *m)
{
	if (m->r->by_layout > 0)
		return MUL(m, result_of(m, "accelerators.by_layout"));
	if (m->in->device.shared)
		return expr_leaf(m->a, "one_device", DIM_COUNT, 1, QUANTITY_PUBLISHED,
		    val_text(val_path(m->w->device, "sources.memory")));
	return MUL(m, result_of(m, "accelerators.by_capacity"));
}

struct expr *
for_weights(struct maker *m)
{
	return CEIL(m, DIV(m, result_of(m, "weights.bytes"), available(m)));
}

struct expr *
added_by_kv(struct maker *m)
{
	return SUB(m, result_of(m, "accelerators.by_capacity"), result_of(m, "accelerators.for_weights"));
}

static struct expr *
room_for_sequences(struct maker *m, struct expr *devices)
{
	return FLOOR(m, DIV(m, SUB(m, MUL(m, available(m), devices), result_of(m, "weights.bytes")), one_sequence(m)));
}

struct expr *
next_jump(struct maker *m)
{
	if (m->layout != NULL)
		return ADD(m, result_of(m, "fits.concurrency"), constant(m, 1));
	return ADD(m, room_for_sequences(m, result_of(m, "accelerators.by_capacity")), constant(m, 1));
}

/* f(n) at the engine's answer and beside it, against the limit. */
static struct expr *
search(struct maker *m, enum expr_op op, const char *key, struct expr *limit, struct expr *(*at)(struct maker *,
    struct expr *))
{
	struct expr *n = result_of(m, key), *other;
	struct expr *here = at(m, n);

	other = op == EXPR_LARGEST ? expr_define(ADD(m, n, constant(m, 1)), "one_more", n->dimension)
	                           : expr_define(SUB(m, n, constant(m, 1)), "one_less", n->dimension);
	return OP(m, op, n, here, at(m, other), limit);
}

static struct expr *
load_of(struct maker *m, struct expr *concurrency)
{
	return layout_bytes(m, concurrency, context_tokens(m));
}

struct expr *
fits_concurrency(struct maker *m)
{
	if (m->layout != NULL)
		return search(m, EXPR_LARGEST, "fits.concurrency", available(m), load_of);
	return MAX(m, constant(m, 0), room_for_sequences(m, devices_used(m)));
}

/* Evenly spread, a time goes as 1 / devices. With layouts the count is looked for: no formula gives it. */
static struct expr *
devices_for(struct maker *m, const char *key, enum input_id target)
{
	if (m->layout != NULL || !m->r->fits)
		return NULL;
	return MAX(m, result_of(m, "accelerators.needed"), CEIL(m, DIV(m, MUL(m, result_of(m, key), devices_used(m)),
	    input_of(m, target, input_name(target)))));
}

struct expr *
for_tpot(struct maker *m)
{
	return devices_for(m, "decode.step_seconds", INPUT_TPOT);
}

struct expr *
for_ttft(struct maker *m)
{
	return devices_for(m, "prefill.seconds", INPUT_TTFT);
}

static struct expr *
load_at(struct maker *m, struct expr *context)
{
	return ADD(m, result_of(m, "weights.bytes"), MUL(m, sequences(m), sequence_bytes(m, context)));
}

static struct expr *
kv_at(struct maker *m, struct expr *context)
{
	return MUL(m, sequences(m), sequence_bytes(m, context));
}

static struct expr *
layout_at(struct maker *m, struct expr *context)
{
	return layout_bytes(m, sequences(m), context);
}

struct expr *
fits_context(struct maker *m)
{
	if (m->layout != NULL)
		return search(m, EXPR_LARGEST, "fits.context", available(m), layout_at);
	return search(m, EXPR_LARGEST, "fits.context", MUL(m, available(m), devices_used(m)), load_at);
}

struct expr *
crossover_context(struct maker *m)
{
	return search(m, EXPR_LEAST, "crossover.context", result_of(m, "weights.bytes"), kv_at);
}

struct expr *
ratio(struct maker *m)
{
	return DIV(m, in_use(m), result_of(m, "weights.bytes"));
}

struct expr *
crossover(struct maker *m)
{
	return DIV(m, result_of(m, "weights.bytes"), one_sequence(m));
}

struct expr *
whole_crossover(struct maker *m)
{
	return FLOOR(m, result_of(m, "crossover.concurrency"));
}

/* ---- one device ---- */

/* What is held: every row of the budget that is not zero. */
static struct expr *
held(struct maker *m)
{
	static const char *const rows[] = { "budget.weights", "budget.kv", "budget.index", "budget.state",
		"budget.activations", "budget.communication", "budget.runtime" };
	struct expr *sum = NULL;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expr *row = result_of(m, rows[i]);

		if (row->value != 0)
			sum = sum == NULL ? row : ADD(m, sum, row);
	}
	return sum;
}

struct expr *
device_bytes(struct maker *m)
{
	struct expr *bytes = m->layout != NULL ? held(m) : DIV(m, all_bytes(m), devices_used(m));

	if (m->layout == NULL && m->r->budget.runtime > 0)
		bytes = ADD(m, bytes, result_of(m, "budget.runtime"));
	if (m->in->device.usable_bytes > 0)
		return bytes;
	return DIV(m, bytes, expr_leaf(m->a, "usable_share", DIM_RATIO, m->in->device.usable_fraction,
	    m->w->inputs[INPUT_USABLE].known ? m->w->inputs[INPUT_USABLE].kind : QUANTITY_ASSUMED, "usable"));
}

/* What the fullest device reads in a step, compute left aside, within the target. */
struct expr *
device_bandwidth(struct maker *m)
{
	static const struct {
		const char *key;
		struct expr *(*make)(struct maker *m);
	} terms[] = { { "decode.weights_seconds", step_weights }, { "decode.kv_seconds", step_kv },
		{ "decode.index_seconds", step_index }, { "decode.state_seconds", step_state } };
	struct expr *sum = NULL;

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct quantity q;
		/* What does not fit has no times; its bytes are there. */
		struct expr *e = result_quantity(&q, m->w, terms[i].key) ? result_of(m, terms[i].key)
		    : m->r->fits ? constant(m, 0) : expr_define(terms[i].make(m), terms[i].key, DIM_SECONDS);

		if (e->value > 0)
			sum = sum != NULL ? ADD(m, sum, e) : e;
	}
	if (sum == NULL)
		return NULL;
	return DIV(m, MUL(m, sum, device_value(m, "bandwidth", DIM_BYTES_PER_SECOND, m->in->device.bandwidth,
	    "sources.bandwidth")), input_of(m, INPUT_TPOT, "tpot"));
}

/* Shares are differences of rounded sums, so that together they are the rounded whole. */
static struct expr *
share(struct maker *m, struct expr *upto, struct expr *before)
{
	struct expr *devices = devices_used(m);
	struct expr *all = CEIL(m, DIV(m, upto, devices));

	return before != NULL ? SUB(m, all, CEIL(m, DIV(m, before, devices))) : all;
}

static struct expr *
rows_alone(struct maker *m)
{
	struct expr *bytes = ADD(m, result_of(m, "weights.bytes"), result_of(m, "kv.bytes"));

	return m->r->index_bytes > 0 ? SUB(m, bytes, result_of(m, "index.bytes")) : bytes;
}

struct expr *
budget_weights(struct maker *m)
{
	if (m->layout != NULL)
		return layout_weights(m);
	return share(m, result_of(m, "weights.bytes"), NULL);
}

struct expr *
budget_kv(struct maker *m)
{
	if (m->layout != NULL)
		return layout_kv(m);
	return share(m, rows_alone(m), result_of(m, "weights.bytes"));
}

struct expr *
budget_index(struct maker *m)
{
	if (m->layout != NULL)
		return layout_index(m);
	return share(m, ADD(m, result_of(m, "weights.bytes"), result_of(m, "kv.bytes")), rows_alone(m));
}

struct expr *
budget_state(struct maker *m)
{
	if (m->layout != NULL)
		return layout_state(m);
	return share(m, all_bytes(m), ADD(m, result_of(m, "weights.bytes"), result_of(m, "kv.bytes")));
}

struct expr *
budget_runtime(struct maker *m)
{
	return CEIL(m, input_of(m, INPUT_RUNTIME, "runtime"));
}

struct expr *
budget_free(struct maker *m)
{
	return MAX(m, constant(m, 0), SUB(m, result_of(m, "budget.usable"), held(m)));
}

struct expr *
budget_missing(struct maker *m)
{
	return MAX(m, constant(m, 0), SUB(m, held(m), result_of(m, "budget.usable")));
}
