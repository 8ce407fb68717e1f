#include "propose/draft.h"

#include <math.h>
#include <string.h>

#include "advise/result.h"
#include "kb/messages.h"
#include "kb/text.h"

static struct quantity
calculated(const struct draft *d, const struct advice *advice, double value, const struct unit *unit)
{
	struct quantity q = { .value = value, .unit = unit, .kind = QUANTITY_CALCULATED };
	struct quantity base;

	(void)d;
	q.weakest = result_quantity(&base, advice->workload, "accelerators.needed")
	    ? base.weakest : QUANTITY_ASSUMED;
	return q;
}

/* One line of an effect: what it is of, before and after; not where it stays as it is, unless `always`. */
static void
put_change(struct draft *d, struct val *list, const struct advice *advice, const char *lever,
    const char *measure, struct change change, const struct unit *unit, bool always)
{
	struct quantity before = calculated(d, advice, change.before, unit);
	struct quantity after = calculated(d, advice, change.after, unit);
	const char *id = advice->workload->id;
	struct val *item, *b, *f;

	if (change.before <= 0 || change.before >= SIZING_MAX_LOAD * 1e6 ||
	    (!always && fabs(change.after - change.before) < 1e-3 * change.before))
		return;
	b = draft_figure(d, &before, arena_printf(d->a, "%s.%s.%s.before", id, lever, measure),
	    SOURCE_CALCULATION, id);
	f = draft_figure(d, &after, arena_printf(d->a, "%s.%s.%s.after", id, lever, measure),
	    SOURCE_CALCULATION, id);
	if (val_is(b, VAL_NULL))
		return;
	item = val_push(d->a, list, val_map(d->a));
	val_put(d->a, item, "measure", val_str(d->a, measure));
	val_put(d->a, item, "of", val_str(d->a, messages_get(d->messages, "effect", measure)));
	val_put(d->a, item, "before", b);
	val_put(d->a, item, "after", f);
}

static struct val *
effects_of(struct draft *d, const struct advice *advice, const struct advised_lever *lever)
{
	const struct lever_effect *e = lever->effect;
	struct val *list = val_list(d->a);
	bool relief = val_path(e->body, "change.idle_kv_to") != NULL;
	bool rejected = lever->verdict == VERDICT_MISREADS || lever->verdict == VERDICT_NOTHING_HERE;
	bool shared = advice->workload->in.device.shared;

	/* What relief does for KV that is kept but idle is no effect for who is short of something else. */
	if (!(relief && rejected))
		put_change(d, list, advice, e->id, relief ? "kept" : "bytes", e->bytes,
		    unit_for_bytes(e->bytes.before, false), false);
	if (!shared) {
		put_change(d, list, advice, e->id, "accelerators", e->accelerators, unit_base(DIM_COUNT),
		    rejected);
		if (relief && !rejected)
			put_change(d, list, advice, e->id, "accelerators_kept", e->kept, unit_base(DIM_COUNT), false);
	}
	put_change(d, list, advice, e->id, "sequences", e->sequences, unit_base(DIM_COUNT), false);
	put_change(d, list, advice, e->id, "step", e->step, unit_for_seconds(e->step.before), false);
	put_change(d, list, advice, e->id, "ttft", e->ttft, unit_for_seconds(e->ttft.before), false);
	return list;
}

/* The one effect to name where there is room for one: that on the focus, if it has any there. */
static struct val *
headline_of(struct draft *d, const struct advice *advice, const struct val *effects)
{
	static const char *const capacity[] = { "accelerators", "accelerators_kept", "sequences", NULL };
	static const char *const decode[] = { "step", NULL }, *const prefill[] = { "ttft", NULL };
	const char *const *order = strcmp(advice->focus.phase, "decode") == 0 ? decode
	    : strcmp(advice->focus.phase, "prefill") == 0 ? prefill : capacity;

	for (; *order != NULL; order++)
		for (size_t i = 0; i < val_count(effects); i++) {
			struct val *effect = effects->list.items[i];

			if (strcmp(val_get_text(effect, "measure"), *order) == 0)
				return effect;
		}
	return val_count(effects) > 0 ? effects->list.items[0] : val_null(d->a);
}

/* Why a lever stands where it stands, where the figures say more than the verdict does. */
static const char *
reason_of(const struct draft *d, const struct advice *advice, const struct advised_lever *lever)
{
	bool reuse = val_path(lever->effect->body, "change.reuse_from") != NULL;
	bool rejected = lever->verdict == VERDICT_MISREADS || lever->verdict == VERDICT_NOTHING_HERE;

	if (reuse && rejected && lever->effect->ttft.after > lever->effect->ttft.before)
		return messages_get(d->messages, "verdict", "slower-than-recompute");
	if (lever->verdict == VERDICT_NEEDS_REUSE && advice->workload->inputs[INPUT_REUSE].known)
		return messages_get(d->messages, "verdict", "no-reuse");
	return messages_get(d->messages, "verdict", verdict_name(lever->verdict));
}

static struct val *
lever_of(struct draft *d, const struct advice *advice, const struct advised_lever *lever)
{
	const struct lever_effect *e = lever->effect;
	const struct val *body = e->body;
	struct val *out = val_map(d->a), *effects = effects_of(d, advice, lever);

	val_put(d->a, out, "id", val_str(d->a, e->id));
	val_put(d->a, out, "name", draft_text(d, val_get(body, "name"), body, NULL));
	val_put(d->a, out, "moves", draft_text(d, val_get(body, "moves"), body, NULL));
	val_put(d->a, out, "ships", draft_text(d, val_get(body, "ships"), body, NULL));
	val_put(d->a, out, "nothing_where", draft_text(d, val_get(body, "nothing_where"), body, NULL));
	val_put(d->a, out, "preconditions", draft_text(d, val_get(body, "preconditions"), body, NULL));
	val_put(d->a, out, "not_calculated", draft_text(d, val_path(body, "change.none"), body, NULL));
	val_put(d->a, out, "effects", effects);
	val_put(d->a, out, "headline", headline_of(d, advice, effects));
	val_put(d->a, out, "has_effects", val_bool(d->a, val_count(effects) > 0));
	val_put(d->a, out, "ours", val_bool(d->a, lever->sold_by_us));
	val_put(d->a, out, "warned", val_bool(d->a, lever->warned));
	val_put(d->a, out, "reason", val_str(d->a, reason_of(d, advice, lever)));
	if (e->break_even > 0) {
		struct quantity q = calculated(d, advice, e->break_even, unit_for_rate(e->break_even));

		val_put(d->a, out, "pays_above", draft_figure(d, &q, arena_printf(d->a, "%s.%s.pays-above",
		    advice->workload->id, e->id), SOURCE_CALCULATION, advice->workload->id));
	}
	return out;
}

/* Is the lever one that the position at the focus speaks of? Others are not listed when they do nothing. */
static bool
is_named(const struct advice *advice, const char *lever)
{
	static const char *const keys[] = { "levers", "misreads", NULL };

	for (int k = 0; keys[k] != NULL; k++) {
		const struct val *list = val_get(advice->position, keys[k]);

		for (size_t i = 0; i < val_count(list); i++)
			if (strcmp(list->list.items[i]->str.text, lever) == 0)
				return true;
	}
	return false;
}

void
draft_levers(struct draft *d, const struct advice *advice, struct val *out)
{
	struct val *fits = val_put(d->a, out, "proposed", val_list(d->a));
	struct val *also = val_put(d->a, out, "also", val_list(d->a));
	struct val *rejected = val_put(d->a, out, "rejected", val_list(d->a));
	struct val *undecided = val_put(d->a, out, "undecided", val_list(d->a));
	struct val *qualitative = val_put(d->a, out, "not_calculated", val_list(d->a));
	bool warned = false;

	for (size_t i = 0; i < advice->lever_count; i++) {
		const struct advised_lever *lever = &advice->levers[i];
		bool named = is_named(advice, lever->effect->id);
		struct val *list = NULL;

		switch (lever->verdict) {
		case VERDICT_FITS:
			list = fits;
			break;
		case VERDICT_ALSO_HELPS:
			list = also;
			break;
		case VERDICT_MISREADS:
		case VERDICT_NOTHING_HERE:
			list = rejected;
			warned |= lever->warned;
			break;
		case VERDICT_NOT_CALCULATED:
			list = named && !lever->warned ? qualitative : NULL;
			break;
		case VERDICT_IN_PLACE:
		case VERDICT_NEEDS_REUSE:
		case VERDICT_NEEDS_SESSIONS:
		default:
			list = named ? undecided : NULL;
			break;
		}
		if (list != NULL && (d->limit == 0 || val_count(list) < d->limit))
			val_push(d->a, list, lever_of(d, advice, lever));
	}
	val_put(d->a, out, "rules_out",
	    val_bool(d->a, val_count(rejected) + val_count(undecided) > 0));
	/* The position's reason speaks of the levers it names; without one of them it has no subject. */
	val_put(d->a, out, "misreads_why", warned ? draft_text(d, val_get(advice->position,
	    "misreads_why"), d->c->archetype_body, NULL) : val_null(d->a));
}
