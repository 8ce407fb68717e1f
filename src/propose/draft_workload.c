#include "propose/draft.h"

#include <string.h>

#include "advise/range.h"
#include "advise/result.h"
#include "kb/kb.h"
#include "kb/messages.h"
#include "kb/text.h"
#include "plan/margin.h"
#include "util/buf.h"

static const char *
message(const struct draft *d, const char *group, const char *key)
{
	return messages_get(d->messages, group, key);
}

/* The figure of a result key, cited under the workload's name; null where there is none. */
static struct val *
result_figure(struct draft *d, const struct workload *w, const char *key)
{
	struct quantity q;

	if (!result_quantity(&q, w, key))
		return val_null(d->a);
	return draft_figure(d, &q, arena_printf(d->a, "%s.%s", w->id, key), SOURCE_CALCULATION, w->id);
}

/* The lowest and the highest of a figure over the customer's ranges, cited; a null value where there are none. */
static struct val *
range_figures(struct draft *d, const struct workload *w, const char *key)
{
	struct quantity low, high;
	struct val *range;

	if (!range_quantity(&low, &high, w, key) || low.value == high.value)
		return val_null(d->a);
	range = val_map(d->a);
	val_put(d->a, range, "low", draft_figure(d, &low, arena_printf(d->a, "%s.%s.low", w->id, key), SOURCE_CALCULATION, w->id));
	val_put(d->a, range, "high", draft_figure(d, &high, arena_printf(d->a, "%s.%s.high", w->id, key), SOURCE_CALCULATION, w->id));
	val_put(d->a, range, "sampled", val_bool(d->a, !range_is_exact(w, key)));
	return range;
}

static void
put_rows(struct draft *d, const struct workload *w, struct val *out)
{
	static const char *const fleet[] = { "weights.bytes", "kv.bytes_per_token",
		"kv.bytes_per_sequence", "kv.bytes", "index.bytes", "state.bytes", "kv.reserved_bytes",
		"kv.idle_bytes",
		"kv_to_weights", "accelerators.by_capacity", "accelerators.for_weights",
		"accelerators.added_by_kv", "accelerators.needed", "layout.tensor", "layout.attention",
		"layout.pipeline", "fits.concurrency", "fits.context", "per_device.bytes",
		"per_device.bandwidth", "prefill.seconds", "decode.step_seconds",
		"decode.tokens_per_second", NULL };
	static const char *const page[] = { "weights.bytes", "kv.bytes", "kv_to_weights",
		"accelerators.needed", "accelerators.added_by_kv", "kv.idle_bytes", "prefill.seconds",
		"decode.step_seconds", NULL };
	static const char *const single[] = { "budget.usable", "weights.bytes", "kv.bytes_per_token",
		"kv.bytes", "index.bytes", "state.bytes", "kv_to_weights", "budget.free",
		"budget.missing", "fits.context", "prefill.seconds", "decode.step_seconds",
		"decode.tokens_per_second", NULL };
	const char *const *keys = w->in.device.shared ? single : d->limit > 0 ? page : fleet;
	struct val *rows = val_put(d->a, out, "rows", val_list(d->a));
	bool sampled = false;

	for (; *keys != NULL; keys++) {
		struct val *figure, *row;
		struct quantity q;

		if (!result_quantity(&q, w, *keys) || (q.value == 0 && strcmp(*keys, "accelerators.added_by_kv") != 0) ||
		    (q.value == 1 && strncmp(*keys, "layout.", 7) == 0))
			continue;
		figure = result_figure(d, w, *keys);
		if (val_is(figure, VAL_NULL))
			continue;
		row = val_push(d->a, rows, val_map(d->a));
		val_put(d->a, row, "label", val_str(d->a, message(d, "result", *keys)));
		val_put(d->a, row, "value", figure);
		val_put(d->a, row, "range", range_figures(d, w, *keys));
		sampled = sampled || !range_is_exact(w, *keys);
		val_put(d->a, row, "basis", val_str(d->a, quantity_kind_name(q.weakest, d->lang)));
	}
	val_put(d->a, out, "ranged", val_bool(d->a, w->range != NULL));
	val_put(d->a, out, "range_sampled", val_bool(d->a, sampled));
	val_put(d->a, out, "range_turns", val_bool(d->a, w->range != NULL && w->range->turns));
	val_put(d->a, out, "has_rows", val_bool(d->a, val_count(rows) > 0));
	val_put(d->a, out, "has_times", val_bool(d->a, val_count(rows) > 0 && w->out.decode.seconds > 0));
	val_put(d->a, out, "linked", val_bool(d->a, w->out.budget.devices > 1 && w->in.device.link > 0));
	val_put(d->a, out, "unlinked", val_bool(d->a, w->out.budget.devices > 1 && w->in.device.link <= 0));
	val_put(d->a, out, "laid_out", val_bool(d->a, w->out.by_layout > w->out.by_capacity));
	val_put(d->a, out, "leaves_domain", val_bool(d->a, w->out.leaves_domain));
}

static struct val *
input_figure(struct draft *d, const struct workload *w, enum input_id id)
{
	const struct input *in = &w->inputs[id];

	if (!in->known || in->q.unit == NULL)
		return val_null(d->a);
	return draft_figure(d, &in->q, arena_printf(d->a, "%s.in.%s", w->id, input_name(id)),
	    in->kind == QUANTITY_ASSUMED ? SOURCE_ASSUMPTIONS : SOURCE_CUSTOMER, "");
}

/* A range that was given, both ends cited: "[32][...] to [96][...]". */
static struct val *
input_range(struct draft *d, const struct workload *w, enum input_id id)
{
	const struct input *in = &w->inputs[id];
	enum source_kind kind = in->kind == QUANTITY_ASSUMED ? SOURCE_ASSUMPTIONS : SOURCE_CUSTOMER;
	bool low_taken = range_end(id) == RANGE_LOW;
	const char *label = arena_printf(d->a, "%s.in.%s", w->id, input_name(id));
	const struct val *low, *high;

	low = draft_figure(d, &in->low, low_taken ? label : arena_printf(d->a, "%s.low", label), kind, "");
	high = draft_figure(d, &in->high, low_taken ? arena_printf(d->a, "%s.high", label) : label, kind, "");
	if (!val_is(low, VAL_STR) || !val_is(high, VAL_STR))
		return val_null(d->a);
	return val_strf(d->a, "%s - %s", val_text(low), val_text(high));
}

/* An input as it was given: one figure, or both ends of a range. */
static struct val *
given_figure(struct draft *d, const struct workload *w, enum input_id id)
{
	return w->inputs[id].range ? input_range(d, w, id) : input_figure(d, w, id);
}

/* The word for a multiple of what the customer runs; NULL: there is none. */
static const char *
multiple(double times)
{
	return times == 0.5 ? "half" : times == 1 ? "same" : times == 2 ? "twice" : times == 4 ? "four" : NULL;
}

/* KV over weights at one place of the grid, cited; a null value where it may not be shown or has no word. */
static struct val *
grid_figure(struct draft *d, const struct workload *w, const struct margin *m, size_t i, size_t k)
{
	const char *row = multiple(m->sequences[i] / m->sequences[m->row]);
	const char *column = multiple(m->contexts[k] / m->contexts[m->column]);
	struct quantity q;

	if (row == NULL || column == NULL || !result_quantity(&q, w, "kv_to_weights") || !(q.value > 0))
		return val_null(d->a);
	if (i == m->row && k == m->column)
		return result_figure(d, w, "kv_to_weights");
	q = result_like(&q, m->ratio[i][k]);
	return draft_figure(d, &q, arena_printf(d->a, "%s.kv_to_weights.%s.%s", w->id, row, column), SOURCE_CALCULATION, w->id);
}

/* Is the larger of the two not the same everywhere? */
static bool
turns(const struct margin *m)
{
	for (size_t i = 0; i < m->sequences_count; i++)
		for (size_t k = 0; k < m->contexts_count; k++)
			if ((m->ratio[i][k] >= 1) != (m->ratio[0][0] >= 1))
				return true;
	return false;
}

/* The load, its halves and its doubles: which of KV and weights is larger there, where that changes among them. */
static void
put_grid(struct draft *d, const struct workload *w, struct val *out)
{
	struct val *grid = val_map(d->a), *columns = val_put(d->a, grid, "columns", val_list(d->a));
	struct val *rows = val_put(d->a, grid, "rows", val_list(d->a));
	struct sizing_error error;
	struct margin m;

	if (margin_fill(&m, &w->in, 1, &error) != 0 || !turns(&m))
		return;
	for (size_t i = 0; i < m.sequences_count; i++) {
		struct val *row = val_push(d->a, rows, val_map(d->a)), *cells = val_put(d->a, row, "cells", val_list(d->a));

		for (size_t k = 0; k < m.contexts_count; k++) {
			struct val *cell = val_push(d->a, cells, val_map(d->a)), *figure = grid_figure(d, w, &m, i, k);

			if (!val_is(figure, VAL_STR))
				return;
			val_put(d->a, cell, "figure", figure);
			val_put(d->a, cell, "larger", val_str(d->a, message(d, "term", m.ratio[i][k] >= 1 ? "kv" : "weights")));
			val_put(d->a, cell, "here", val_bool(d->a, i == m.row && k == m.column));
		}
		val_put(d->a, row, "label", val_str(d->a, message(d, "sequences", multiple(m.sequences[i] / m.sequences[m.row]))));
	}
	for (size_t k = 0; k < m.contexts_count; k++)
		val_put(d->a, val_push(d->a, columns, val_map(d->a)), "label",
		    val_str(d->a, message(d, "context", multiple(m.contexts[k] / m.contexts[m.column]))));
	val_put(d->a, out, "grid", grid);
}

/* Where the answer turns, and how far the customer is from it. */
static void
put_margin(struct draft *d, const struct workload *w, struct val *out)
{
	struct val *margin = val_put(d->a, out, "margin", val_map(d->a));
	struct val *turns = result_figure(d, w, "crossover.whole_sequences");
	bool kv = w->out.capacity == SIZING_KV, weights = w->out.capacity == SIZING_WEIGHTS;

	val_put(d->a, margin, "sequences", turns);
	val_put(d->a, margin, workload_stated(w, INPUT_CONCURRENCY) ? "said" : "assumed",
	    given_figure(d, w, INPUT_CONCURRENCY));
	val_put(d->a, margin, "context", given_figure(d, w,
	    w->inputs[INPUT_CONTEXT].known ? INPUT_CONTEXT : INPUT_PROMPT));
	val_put(d->a, margin, "weights", val_bool(d->a, weights && val_is(turns, VAL_STR)));
	val_put(d->a, margin, "kv", val_bool(d->a, kv && val_is(turns, VAL_STR)));
	put_grid(d, w, out);
}

/* What a finding says without a figure, as a mark; null where the knowledge does not have it. */
static struct val *
finding_mark(struct draft *d, const char *ref)
{
	struct kb_finding finding;
	int found = d->rc == OK ? kb_finding(&finding, d->kb, d->a, ref, d->e) : 0;

	if (found < 0)
		d->rc = found;
	return found == 1 ? val_str(d->a, cite_mark(&d->citer, ref)) : val_null(d->a);
}

/* How far the load is from the end of its room, what lies there, and what to ask. */
static void
put_edge(struct draft *d, const struct workload *w, struct val *out)
{
	bool shared = w->in.device.shared;
	enum edge at = edge_of(w);
	struct val *edge;

	if (at == EDGE_PAST)
		return;
	edge = val_put(d->a, out, "edge", val_map(d->a));
	val_put(d->a, edge, shared ? "free" : "holds",
	    w->out.fits_concurrency < SIZING_MAX_LOAD
	        ? result_figure(d, w, shared ? "budget.free" : "fits.concurrency") : val_null(d->a));
	val_put(d->a, edge, workload_stated(w, INPUT_CONCURRENCY) ? "said" : "assumed",
	    shared ? val_null(d->a) : given_figure(d, w, INPUT_CONCURRENCY));
	val_put(d->a, edge, "jump", result_figure(d, w, "accelerators.next_jump_concurrency"));
	val_put(d->a, edge, at == EDGE_NEAR ? "tight" : "roomy", val_bool(d->a, true));
	val_put(d->a, edge, shared ? "shared" : "served", val_bool(d->a, true));
	val_put(d->a, edge, "ask", val_str(d->a, message(d, "decides", shared ? "room" : "peak")));
	if (!shared) {
		val_put(d->a, edge, "waits", finding_mark(d, "vllm-optimization.preemption-cost"));
		val_put(d->a, edge, "overflows", finding_mark(d, "mooncake-ssd-benchmark.hit-after-overflow"));
	}
}

static void
put_bottleneck(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct sizing_result *r = &advice->workload->out;
	const char *capacity = sizing_term_name(r->capacity);
	bool timed = r->decode.seconds > 0;

	val_put(d->a, out, "capacity", val_str(d->a, message(d, "term", capacity)));
	val_put(d->a, out, "flag", val_str(d->a, message(d, "flag", capacity)));
	val_put(d->a, out, "timed", val_bool(d->a, timed));
	if (timed) {
		const char *decode = sizing_term_name(r->decode.bottleneck);
		int prefill = workload_prefill_term(advice->workload);

		val_put(d->a, out, "decode", val_str(d->a, message(d, "term", decode)));
		val_put(d->a, out, "prefill",
		    val_str(d->a, prefill >= 0 ? message(d, "term", sizing_term_name((enum sizing_term)prefill)) : NULL));
		val_put(d->a, out, "differs", val_bool(d->a, strcmp(decode, capacity) != 0));
	}
	val_put(d->a, out, "focus_phase", val_str(d->a, message(d, "phase", advice->focus.phase)));
	val_put(d->a, out, "focus_term", val_str(d->a, message(d, "term", sizing_term_name(advice->focus.term))));
}

static void
put_position(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct val *body = d->c->archetype_body, *p = advice->position;

	val_put(d->a, out, "focus", draft_text(d, val_get(p, "focus"), body, NULL));
	val_put(d->a, out, "does_not_occur", draft_text(d, val_get(p, "why"), body, NULL));
	if (advice->near_crossover) {
		struct val *near = val_put(d->a, out, "near", val_map(d->a));

		val_put(d->a, near, "other", val_str(d->a, message(d, "term", sizing_term_name(advice->other))));
		val_put(d->a, near, "focus",
		    draft_text(d, val_get(advice->other_position, "focus"), body, NULL));
		val_put(d->a, near, "ask", val_str(d->a, message(d, "decides", "concurrency")));
	}
	if (d->internal)
		val_put(d->a, out, "first_question", draft_text(d, val_get(p, "first_question"), body, NULL));
}

static void
put_target(struct draft *d, const struct workload *w, struct val *list, enum input_id id,
    const char *floor_key, const char *count_key, double devices, bool met)
{
	struct val *item, *judged, *floor, *target = input_figure(d, w, id);

	if (!w->inputs[id].known || val_is(target, VAL_NULL))
		return;
	item = val_push(d->a, list, val_map(d->a));
	val_put(d->a, item, "name", val_str(d->a, message(d, "input", input_name(id))));
	val_put(d->a, item, "target", target);
	val_put(d->a, item, "assumed", val_bool(d->a, !workload_stated(w, id)));
	/* A verdict without the bound it rests on would be a claim of ours without a figure. */
	floor = result_figure(d, w, floor_key);
	if (val_is(floor, VAL_NULL))
		return;
	judged = val_put(d->a, item, "judged", val_map(d->a));
	val_put(d->a, judged, "floor", floor);
	val_put(d->a, judged, "met", val_bool(d->a, met));
	val_put(d->a, judged, "unreachable", val_bool(d->a, devices >= SIZING_MAX_LOAD));
	val_put(d->a, judged, "count", w->in.device.shared ? val_null(d->a)
	                                                 : result_figure(d, w, count_key));
}

/* Replicas multiply accelerators, and nothing else. */
static struct val *
fleet_figure(struct draft *d, const struct workload *w)
{
	struct quantity q;

	if (!w->inputs[INPUT_REPLICAS].known || !result_quantity(&q, w, "accelerators.needed"))
		return val_null(d->a);
	q.value *= w->inputs[INPUT_REPLICAS].q.value;
	q.weakest = quantity_weaker(q.weakest, w->inputs[INPUT_REPLICAS].kind);
	return draft_figure(d, &q, arena_printf(d->a, "%s.accelerators.all_replicas", w->id),
	    SOURCE_CALCULATION, w->id);
}

static struct val *
tier_figure(struct draft *d, const struct workload *w, size_t tier, const char *key)
{
	struct quantity q;

	if (!result_tier_quantity(&q, w, tier, key))
		return val_null(d->a);
	return draft_figure(d, &q, arena_printf(d->a, "%s.%s.%s", w->id, w->tiers[tier].id, key),
	    SOURCE_CALCULATION, w->id);
}

/* Each tier under discussion: what it makes of idle KV, with the figures that the verdict rests on. */
static void
put_tiers(struct draft *d, const struct workload *w, struct val *out)
{
	static const char *const figures[][2] = { { "load", "shared_load_seconds" },
		{ "recompute", "recompute_seconds" }, { "needed", "bandwidth_needed" },
		{ "written", "written_per_day" }, { "worn", "worn_seconds" }, { "units", "units.needed" } };
	struct val *list = val_put(d->a, out, "tiers", val_list(d->a));

	for (size_t i = 0; i < w->tier_count; i++) {
		const struct sizing_placement *p = &w->out.placements[i];
		struct val *tier;

		if (p->verdict == SIZING_TIER_NOTHING_IDLE)
			continue;
		tier = val_push(d->a, list, val_map(d->a));
		val_put(d->a, tier, "name", draft_words(d, text_in(val_get(w->tiers[i].body, "name"), d->lang)));
		val_put(d->a, tier, "verdict", val_str(d->a, message(d, "placement", sizing_verdict_name(p->verdict))));
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
			val_put(d->a, tier, figures[k][0], tier_figure(d, w, i, figures[k][1]));
		val_put(d->a, tier, "binds", val_str(d->a, message(d, "binds", sizing_tier_limit_name(p->binds))));
	}
	val_put(d->a, out, "has_tiers", val_bool(d->a, val_count(list) > 0));
}

static void
put_sized(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct workload *w = advice->workload;
	struct val *sized = val_put(d->a, out, "sized", val_map(d->a)), *targets;

	put_rows(d, w, sized);
	val_put(d->a, sized, "ratio", result_figure(d, w, "kv_to_weights"));
	val_put(d->a, sized, "needed", result_figure(d, w, "accelerators.needed"));
	val_put(d->a, sized, "fleet", fleet_figure(d, w));
	put_bottleneck(d, advice, sized);
	put_margin(d, w, sized);
	put_edge(d, w, sized);
	put_position(d, advice, sized);
	val_put(d->a, sized, "rate_unknown", val_bool(d->a, w->out.linear_path.operations == 0));
	val_put(d->a, sized, "shared", val_bool(d->a, w->in.device.shared));
	val_put(d->a, sized, "idle", w->out.idle_kv_bytes > 0 ? result_figure(d, w, "kv.idle_bytes") : val_null(d->a));
	if (d->limit == 0)
		put_tiers(d, w, sized);
	val_put(d->a, sized, "does_not_fit", val_bool(d->a, !w->out.fits));
	val_put(d->a, sized, "no_layout", val_bool(d->a, !w->out.fits && w->out.budget.missing <= 0));
	val_put(d->a, sized, "missing", w->out.budget.missing > 0
	    ? result_figure(d, w, "budget.missing") : val_null(d->a));
	val_put(d->a, sized, "beyond_max_context", val_bool(d->a, w->out.beyond_max_context));
	targets = val_put(d->a, sized, "targets", val_list(d->a));
	put_target(d, w, targets, INPUT_TTFT, "prefill.seconds", "accelerators.for_ttft",
	    w->out.devices_for_ttft, w->out.meets_ttft);
	put_target(d, w, targets, INPUT_TPOT, "decode.step_seconds", "accelerators.for_tpot",
	    w->out.devices_for_tpot, w->out.meets_tpot);
	val_put(d->a, sized, "has_targets", val_bool(d->a, val_count(targets) > 0));
	draft_levers(d, advice, sized);
}

/* An input as text: names of records and messages instead of ids, figures as citations. */
static struct val *
input_value(struct draft *d, const struct workload *w, enum input_id id)
{
	const struct input *in = &w->inputs[id];
	struct buf names = BUF_INIT;
	struct val *v;

	if (!in->known)
		return NULL;
	switch (id) {
	case INPUT_MODEL:
		return draft_words(d, workload_model_name(w));
	case INPUT_ACCELERATOR:
		return draft_words(d, workload_device_name(w));
	case INPUT_GOAL:
		return val_str(d->a, message(d, "goal", in->text));
	case INPUT_TIERS:
		for (size_t i = 0; i < w->tier_count; i++)
			buf_printf(&names, "%s%s", i > 0 ? ", " : "",
			    text_in(val_get(w->tiers[i].body, "name"), d->lang));
		v = w->tier_count > 0 ? draft_words(d, names.s) : NULL;
		buf_release(&names);
		return v;
	default:
		return in->q.unit != NULL ? given_figure(d, w, id) : draft_words(d, in->text);
	}
}

/* The reason for an assumption; that for a precision speaks of the reference's own model. */
static struct val *
input_why(struct draft *d, const struct workload *w, enum input_id id)
{
	bool precision = id == INPUT_WEIGHTS || id == INPUT_KV;

	if (w->inputs[id].why != NULL && precision && workload_stated(w, INPUT_MODEL))
		return val_str(d->a, message(d, "why", "reference"));
	return draft_text(d, w->inputs[id].why, d->c->archetype_body, NULL);
}

/* The archetype asks about an input in one way, however many workloads leave it open. */
static bool
is_asked(const struct val *questions, const char *about)
{
	for (size_t i = 0; i < val_count(questions); i++)
		if (strcmp(val_get_text(questions->list.items[i], "about"), about) == 0)
			return true;
	return false;
}

/* Every input with what kind it is; and the questions that would replace what is not stated. */
static void
put_inputs(struct draft *d, const struct workload *w, struct val *out, struct val *questions)
{
	struct val *inputs = val_put(d->a, out, "inputs", val_list(d->a));
	const struct val *body = d->c->archetype_body;

	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct input *in = &w->inputs[i];
		const char *about = message(d, "input", input_name((enum input_id)i));
		struct val *item, *value = input_value(d, w, (enum input_id)i);

		if (value != NULL || in->ask != NULL) {
			item = val_push(d->a, inputs, val_map(d->a));
			val_put(d->a, item, "label", val_str(d->a, about));
			val_put(d->a, item, "value", value != NULL ? value : val_null(d->a));
			val_put(d->a, item, "kind", val_str(d->a, value != NULL ? quantity_kind_name(in->kind, d->lang)
			                                                     : message(d, "kind", "unknown")));
			val_put(d->a, item, "why", input_why(d, w, (enum input_id)i));
		}
		if (in->ask != NULL && !is_asked(questions, about)) {
			item = val_push(d->a, questions, val_map(d->a));
			val_put(d->a, item, "about", val_str(d->a, about));
			val_put(d->a, item, "ask", draft_text(d, in->ask, body, NULL));
		}
	}
	if (w->sized && !w->in.device.shared && !w->inputs[INPUT_USABLE].known) {
		struct quantity usable = { .value = w->in.device.usable_fraction, .unit = unit_find("%", 1),
			.kind = QUANTITY_ASSUMED, .ref = "usable" };
		struct val *item, *figure = draft_figure(d, &usable,
		    arena_printf(d->a, "%s.in.usable", w->id), SOURCE_ASSUMPTIONS, "");

		if (val_is(figure, VAL_NULL))
			return;
		item = val_push(d->a, inputs, val_map(d->a));
		val_put(d->a, item, "label", val_str(d->a, message(d, "input", "usable")));
		val_put(d->a, item, "value", figure);
		val_put(d->a, item, "kind", val_str(d->a, quantity_kind_name(QUANTITY_ASSUMED, d->lang)));
		val_put(d->a, item, "why", val_str(d->a, message(d, "why", "usable")));
	}
}

/* A vector index: what it takes of the host, how near that is, and what it adds to a prompt. */
static void
put_retrieval(struct draft *d, const struct workload *w, struct val *out)
{
	struct val *retrieval;

	if (!w->retrieval)
		return;
	retrieval = val_put(d->a, out, "retrieval", val_map(d->a));
	val_put(d->a, retrieval, "bytes", result_figure(d, w, "retrieval.bytes"));
	val_put(d->a, retrieval, "tokens", result_figure(d, w, "retrieval.prompt_tokens"));
	for (int room = SIZING_ROOM_UNKNOWN; room < SIZING_ROOMS; room++)
		val_put(d->a, retrieval, sizing_room_name((enum sizing_room)room), val_bool(d->a, (int)w->room == room));
}

void
draft_workloads(struct draft *d, struct val *root)
{
	struct val *list = val_put(d->a, root, "workloads", val_list(d->a));
	struct val *questions = val_put(d->a, root, "questions", val_list(d->a));

	val_put(d->a, root, "several", val_bool(d->a, d->c->workload_count > 1));
	for (size_t i = 0; i < d->c->workload_count; i++) {
		const struct workload *w = &d->c->workloads[i];
		struct val *out = val_push(d->a, list, val_map(d->a));

		val_put(d->a, out, "id", val_str(d->a, w->id));
		val_put(d->a, out, "model", val_str(d->a, workload_model_name(w)));
		val_put(d->a, out, "device", val_str(d->a, workload_device_name(w)));
		if (w->sized) {
			put_sized(d, &d->advice[i], out);
		} else {
			struct val *unsized = val_put(d->a, out, "unsized", val_map(d->a));

			val_put(d->a, unsized, "starved", val_bool(d->a, w->starved));
			val_put(d->a, unsized, "missing", val_str(d->a, message(d, "input", input_name(w->missing))));
		}
		put_inputs(d, w, out, questions);
		put_retrieval(d, w, out);
	}
}
