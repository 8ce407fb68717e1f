#include "propose/draft.h"

#include <string.h>

#include "advise/range.h"
#include "advise/result.h"
#include "kb/text.h"
#include "util/buf.h"

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
		figure = draft_result(d, w, *keys);
		if (val_is(figure, VAL_NULL))
			continue;
		row = val_push(d->a, rows, val_map(d->a));
		val_put(d->a, row, "label", val_str(d->a, draft_message(d, "result", *keys)));
		val_put(d->a, row, "value", figure);
		val_put(d->a, row, "range", draft_range(d, w, *keys));
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

static void
put_bottleneck(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct sizing_result *r = &advice->workload->out;
	const char *capacity = sizing_term_name(r->capacity);
	bool timed = r->decode.seconds > 0;

	val_put(d->a, out, "capacity", val_str(d->a, draft_message(d, "term", capacity)));
	val_put(d->a, out, "flag", val_str(d->a, draft_message(d, "flag", capacity)));
	val_put(d->a, out, "timed", val_bool(d->a, timed));
	if (timed) {
		const char *decode = sizing_term_name(r->decode.bottleneck);
		int prefill = workload_prefill_term(advice->workload);

		val_put(d->a, out, "decode", val_str(d->a, draft_message(d, "term", decode)));
		val_put(d->a, out, "prefill",
		    val_str(d->a, prefill >= 0 ? draft_message(d, "term", sizing_term_name((enum sizing_term)prefill)) : NULL));
		val_put(d->a, out, "differs", val_bool(d->a, strcmp(decode, capacity) != 0));
	}
	val_put(d->a, out, "focus_phase", val_str(d->a, draft_message(d, "phase", advice->focus.phase)));
	val_put(d->a, out, "focus_term", val_str(d->a, draft_message(d, "term", sizing_term_name(advice->focus.term))));
}

static void
put_position(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct val *body = d->c->archetype_body, *p = advice->position;

	val_put(d->a, out, "focus", draft_text(d, val_get(p, "focus"), body, NULL));
	val_put(d->a, out, "does_not_occur", draft_text(d, val_get(p, "why"), body, NULL));
	if (advice->near_crossover) {
		struct val *near = val_put(d->a, out, "near", val_map(d->a));

		val_put(d->a, near, "other", val_str(d->a, draft_message(d, "term", sizing_term_name(advice->other))));
		val_put(d->a, near, "focus",
		    draft_text(d, val_get(advice->other_position, "focus"), body, NULL));
		val_put(d->a, near, "ask", val_str(d->a, draft_message(d, "decides", "concurrency")));
	}
	if (d->internal)
		val_put(d->a, out, "first_question", draft_text(d, val_get(p, "first_question"), body, NULL));
}

static void
put_target(struct draft *d, const struct workload *w, struct val *list, enum input_id id,
    const char *floor_key, const char *count_key, double devices, bool met)
{
	struct val *item, *judged, *floor, *target = draft_input(d, w, id);

	if (!w->inputs[id].known || val_is(target, VAL_NULL))
		return;
	item = val_push(d->a, list, val_map(d->a));
	val_put(d->a, item, "name", val_str(d->a, draft_message(d, "input", input_name(id))));
	val_put(d->a, item, "target", target);
	val_put(d->a, item, "assumed", val_bool(d->a, !workload_stated(w, id)));
	/* A verdict without the bound it rests on would be a claim of ours without a figure. */
	floor = draft_result(d, w, floor_key);
	if (val_is(floor, VAL_NULL))
		return;
	judged = val_put(d->a, item, "judged", val_map(d->a));
	val_put(d->a, judged, "floor", floor);
	val_put(d->a, judged, "met", val_bool(d->a, met));
	val_put(d->a, judged, "unreachable", val_bool(d->a, devices >= SIZING_MAX_LOAD));
	val_put(d->a, judged, "count", w->in.device.shared ? val_null(d->a)
	                                                 : draft_result(d, w, count_key));
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
		{ "worn", "worn_seconds" }, { "units", "units.needed" } };
	struct val *list = val_put(d->a, out, "tiers", val_list(d->a));

	for (size_t i = 0; i < w->tier_count; i++) {
		const struct sizing_placement *p = &w->out.placements[i];
		struct val *tier;

		if (p->verdict == SIZING_TIER_NOTHING_IDLE)
			continue;
		tier = val_push(d->a, list, val_map(d->a));
		val_put(d->a, tier, "name", draft_words(d, text_in(val_get(w->tiers[i].body, "name"), d->lang)));
		val_put(d->a, tier, "verdict", val_str(d->a, draft_message(d, "placement", sizing_verdict_name(p->verdict))));
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
			val_put(d->a, tier, figures[k][0], tier_figure(d, w, i, figures[k][1]));
		/* Writes matter to what they wear out. */
		val_put(d->a, tier, "written", val_is(val_get(tier, "worn"), VAL_NULL)
		    ? val_null(d->a) : tier_figure(d, w, i, "written_per_day"));
		val_put(d->a, tier, "binds", val_str(d->a, draft_message(d, "binds", sizing_tier_limit_name(p->binds))));
	}
	val_put(d->a, out, "has_tiers", val_bool(d->a, val_count(list) > 0));
}

static void
put_sized(struct draft *d, const struct advice *advice, struct val *out)
{
	const struct workload *w = advice->workload;
	struct val *sized = val_put(d->a, out, "sized", val_map(d->a)), *targets;

	put_rows(d, w, sized);
	val_put(d->a, sized, "ratio", draft_result(d, w, "kv_to_weights"));
	val_put(d->a, sized, "needed", draft_result(d, w, "accelerators.needed"));
	val_put(d->a, sized, "fleet", fleet_figure(d, w));
	put_bottleneck(d, advice, sized);
	draft_margin(d, w, sized);
	draft_edge(d, w, sized);
	put_position(d, advice, sized);
	val_put(d->a, sized, "rate_unknown", val_bool(d->a, w->out.linear_path.operations == 0));
	val_put(d->a, sized, "shared", val_bool(d->a, w->in.device.shared));
	val_put(d->a, sized, "idle", w->out.idle_kv_bytes > 0 ? draft_result(d, w, "kv.idle_bytes") : val_null(d->a));
	if (d->limit == 0)
		put_tiers(d, w, sized);
	val_put(d->a, sized, "does_not_fit", val_bool(d->a, !w->out.fits));
	val_put(d->a, sized, "no_layout", val_bool(d->a, !w->out.fits && w->out.budget.missing <= 0));
	val_put(d->a, sized, "missing", w->out.budget.missing > 0
	    ? draft_result(d, w, "budget.missing") : val_null(d->a));
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
		return val_str(d->a, draft_message(d, "goal", in->text));
	case INPUT_TIERS:
		for (size_t i = 0; i < w->tier_count; i++)
			buf_printf(&names, "%s%s", i > 0 ? "; " : "",
			    text_in(val_get(w->tiers[i].body, "name"), d->lang));
		v = w->tier_count > 0 ? draft_words(d, names.s) : NULL;
		buf_release(&names);
		return v;
	default:
		return in->q.unit != NULL ? draft_given(d, w, id) : draft_words(d, in->text);
	}
}

/* The reason for an assumption; that for a precision speaks of the reference's own model. */
static struct val *
input_why(struct draft *d, const struct workload *w, enum input_id id)
{
	bool precision = id == INPUT_WEIGHTS || id == INPUT_KV;

	if (w->inputs[id].why != NULL && precision && workload_stated(w, INPUT_MODEL))
		return val_str(d->a, draft_message(d, "why", "reference"));
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
		const char *about = draft_message(d, "input", input_name((enum input_id)i));
		struct val *item, *value = input_value(d, w, (enum input_id)i);

		if (value != NULL || in->ask != NULL) {
			item = val_push(d->a, inputs, val_map(d->a));
			val_put(d->a, item, "label", val_str(d->a, about));
			val_put(d->a, item, "value", value != NULL ? value : val_null(d->a));
			val_put(d->a, item, "kind", val_str(d->a, value != NULL ? quantity_kind_name(in->kind, d->lang)
			                                                     : draft_message(d, "kind", "unknown")));
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
		val_put(d->a, item, "label", val_str(d->a, draft_message(d, "input", "usable")));
		val_put(d->a, item, "value", figure);
		val_put(d->a, item, "kind", val_str(d->a, quantity_kind_name(QUANTITY_ASSUMED, d->lang)));
		val_put(d->a, item, "why", val_str(d->a, draft_message(d, "why", "usable")));
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
	val_put(d->a, retrieval, "bytes", draft_result(d, w, "retrieval.bytes"));
	val_put(d->a, retrieval, "tokens", draft_result(d, w, "retrieval.prompt_tokens"));
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
			val_put(d->a, unsized, "missing", val_str(d->a, draft_message(d, "input", input_name(w->missing))));
		}
		put_inputs(d, w, out, questions);
		put_retrieval(d, w, out);
	}
}
