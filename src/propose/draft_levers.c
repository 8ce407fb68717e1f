#include "propose/draft.h"

#include <math.h>
#include <string.h>

#include "kb/messages.h"
#include "kb/text.h"

static bool
is_rejected(enum verdict verdict)
{
	return verdict == VERDICT_MISREADS || verdict == VERDICT_NOTHING_HERE || verdict == VERDICT_COSTS_MORE;
}

/* What `name` is of. Stated targets may ask for more devices than the load, which are counted then. */
static const char *
label_of(const struct draft *d, const struct workload *w, const struct lever_effect *effect,
    enum measure measure, const char *name)
{
	if (measure == MEASURE_BYTES && effect->kept.before > 0)
		name = "kept";
	else if (measure == MEASURE_ACCELERATORS &&
	    (workload_stated(w, INPUT_TPOT) || workload_stated(w, INPUT_TTFT)))
		name = "accelerators_for_targets";
	return messages_get(d->messages, "effect", name);
}

/* One line of an effect: what it is of, before and after; not where it stays as it is, unless `always`. */
static void
put_change(struct draft *d, struct val *list, const struct advice *advice,
    const struct lever_effect *effect, enum measure measure, bool always)
{
	const char *id = advice->workload->id, *name = measure_name(measure);
	struct quantity before, after;
	struct val *item, *b, *f;

	if (!lever_quantity(&before, &after, advice->workload, effect, measure) ||
	    (!always && fabs(after.value - before.value) < 1e-3 * before.value))
		return;
	b = draft_figure(d, &before, arena_printf(d->a, "%s.%s.%s.before", id, effect->id, name),
	    SOURCE_CALCULATION, id);
	f = draft_figure(d, &after, arena_printf(d->a, "%s.%s.%s.after", id, effect->id, name),
	    SOURCE_CALCULATION, id);
	if (val_is(b, VAL_NULL))
		return;
	item = val_push(d->a, list, val_map(d->a));
	val_put(d->a, item, "measure", val_str(d->a, name));
	val_put(d->a, item, "of", val_str(d->a, label_of(d, advice->workload, effect, measure, name)));
	val_put(d->a, item, "before", b);
	val_put(d->a, item, "after", f);
}

static struct val *
effects_of(struct draft *d, const struct advice *advice, const struct advised_lever *lever)
{
	const struct lever_effect *e = lever->effect;
	struct val *list = val_list(d->a);
	bool relief = val_path(e->body, "change.idle_kv_to") != NULL;
	bool rejected = is_rejected(lever->verdict);

	for (int m = 0; m < MEASURES; m++) {
		/* What relief does for KV that is kept but idle is no effect for who is short of something else. */
		if (relief && rejected && (m == MEASURE_BYTES || m == MEASURE_KEPT))
			continue;
		put_change(d, list, advice, e, (enum measure)m, m == MEASURE_ACCELERATORS && rejected);
	}
	return list;
}

/* The tier that the figures count with, and how many units of it the KV that waits would take. */
static void
put_tier(struct draft *d, const struct advice *advice, const struct lever_effect *e, struct val *out)
{
	const char *id = advice->workload->id;
	struct quantity units = { .value = e->units, .unit = unit_base(DIM_COUNT),
		.kind = QUANTITY_CALCULATED, .weakest = QUANTITY_ASSUMED, .ref = "units" };

	if (e->tier == NULL) {
		val_put(d->a, out, "tier", val_null(d->a));
		return;
	}
	val_put(d->a, out, "tier", draft_words(d, text_in(val_get(e->tier, "name"), d->lang)));
	val_put(d->a, out, "units", e->units > 0 ? draft_figure(d, &units,
	    arena_printf(d->a, "%s.%s.units", id, e->id), SOURCE_CALCULATION, id) : val_null(d->a));
	if (e->break_even > 0) {
		struct quantity rate = { .value = e->break_even, .unit = unit_for_rate(e->break_even),
			.kind = QUANTITY_CALCULATED, .weakest = QUANTITY_ASSUMED, .ref = "break_even" };

		val_put(d->a, out, "pays_above", draft_figure(d, &rate,
		    arena_printf(d->a, "%s.%s.pays-above", id, e->id), SOURCE_CALCULATION, id));
	}
}

/* The one effect to name where there is room for one: that on the focus, if it has any there. */
static struct val *
headline_of(struct draft *d, const struct advice *advice, const struct val *effects)
{
	static const char *const capacity[] = { "accelerators", "accelerators_kept", "sequences", "context",
		NULL };
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
	bool rejected = is_rejected(lever->verdict);

	if (reuse && rejected && lever->effect->ttft.after > lever->effect->ttft.before)
		return messages_get(d->messages, "verdict", "slower-than-recompute");
	if (lever->verdict == VERDICT_NEEDS_REUSE && advice->workload->inputs[INPUT_REUSE].known)
		return messages_get(d->messages, "verdict", "no-reuse");
	return messages_get(d->messages, "verdict", verdict_name(lever->verdict));
}

/* What a lever multiplies by, or the domain that it brings: an assumption, and said. */
static void
put_factor(struct draft *d, const struct advice *advice, const struct lever_effect *e, struct val *out)
{
	const struct val_entry *change = lever_change(e);
	const char *text = val_text(change->value);
	struct quantity q;

	bool times = strncmp(change->key, "device_", 7) == 0, domain = strcmp(change->key, "domain") == 0;
	struct val *figure = val_null(d->a);

	if (text != NULL && (times || domain) &&
	    quantity_parse(&q, text, strlen(text), times ? DIM_RATIO : DIM_COUNT) == NULL) {
		q.kind = QUANTITY_ASSUMED;
		q.ref = e->id;
		figure = draft_figure(d, &q, arena_printf(d->a, "%s.%s.factor", advice->workload->id, e->id),
		    SOURCE_ASSUMPTIONS, "");
	}
	val_put(d->a, out, "factor", times ? figure : val_null(d->a));
	val_put(d->a, out, "domain", domain ? figure : val_null(d->a));
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
	put_tier(d, advice, e, out);
	put_factor(d, advice, e, out);
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
		case VERDICT_COSTS_MORE:
			list = rejected;
			warned |= lever->warned;
			break;
		case VERDICT_NOT_CALCULATED:
			list = named && !lever->warned ? qualitative : NULL;
			break;
		case VERDICT_IN_PLACE:
		case VERDICT_NEEDS_REUSE:
		case VERDICT_NEEDS_SESSIONS:
		case VERDICT_NEEDS_ACCEPTANCE:
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
