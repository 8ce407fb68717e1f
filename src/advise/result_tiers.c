#include "advise/result.h"

#include <string.h>

#include "render/qval.h"

#define SECONDS_PER_DAY 86400

enum style { COUNT, RATIO, BYTES, SECONDS, RATE, TOKENS_PER_SECOND };

/* What a figure rests on besides the load: for all of a tier, on one unit beside each accelerator. */
enum basis { ON_IDLE, ON_PREFIX, ON_TIER };

static const struct key {
	const char *name;
	size_t offset;
	enum style style;
	enum basis basis;
	double factor;
	const char *ref;
} keys[] = {
#define KEY(name, member, style, basis) { name, offsetof(struct sizing_placement, member), style, basis, 1, name }
	{ "bytes", offsetof(struct sizing_placement, bytes), BYTES, ON_IDLE, 1, "kv.idle_bytes" },
	{ "pays_above", offsetof(struct sizing_placement, break_even_bandwidth), RATE, ON_PREFIX, 1, "break_even" },
	KEY("prefix_bytes", prefix_bytes, BYTES, ON_PREFIX),
	KEY("recompute_seconds", recompute_seconds, SECONDS, ON_PREFIX),
	KEY("hidden_above", hidden_above, RATE, ON_PREFIX),
	KEY("load_seconds", load_seconds, SECONDS, ON_TIER),
	KEY("partial_seconds", partial_seconds, SECONDS, ON_TIER),
	KEY("requests_per_second", requests_per_second, COUNT, ON_TIER),
	KEY("concurrent_loads", concurrent_loads, COUNT, ON_TIER),
	KEY("shared_load_seconds", shared_load_seconds, SECONDS, ON_TIER),
	KEY("bandwidth_needed", bandwidth_needed, RATE, ON_TIER),
	KEY("decode_tokens_per_second", decode_tokens_per_second, TOKENS_PER_SECOND, ON_TIER),
	KEY("written_per_second", written_per_second, RATE, ON_TIER),
	{ "written_per_day", offsetof(struct sizing_placement, written_per_second), BYTES, ON_TIER,
		SECONDS_PER_DAY, "written_per_day" },
	KEY("fill_seconds", fill_seconds, SECONDS, ON_TIER),
	KEY("endurance_share", endurance_share, RATIO, ON_TIER),
	KEY("worn_seconds", worn_seconds, SECONDS, ON_TIER),
	KEY("saved_seconds", saved_seconds, SECONDS, ON_TIER),
	KEY("units.capacity", units_for_capacity, COUNT, ON_TIER),
	KEY("units.bandwidth", units_for_bandwidth, COUNT, ON_TIER),
	KEY("units.endurance", units_for_endurance, COUNT, ON_TIER),
	KEY("units.needed", units, COUNT, ON_TIER),
#undef KEY
};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

static const struct unit *
unit_of(enum style style, double value)
{
	switch (style) {
	case RATIO:
		return unit_find("%", 1);
	case BYTES:
		return unit_for_bytes(value, false);
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

static enum quantity_kind
weakest_of(const struct workload *w, enum basis basis)
{
	struct quantity q;

	if (basis != ON_TIER && result_quantity(&q, w, basis == ON_IDLE ? "kv.idle_bytes" : "prefill.seconds_reused"))
		return q.weakest;
	return QUANTITY_ASSUMED;
}

bool
result_tier_quantity(struct quantity *out, const struct workload *w, size_t tier, const char *name)
{
	const struct key *key = NULL;
	double value;

	for (int i = 0; i < KEY_COUNT && key == NULL; i++)
		if (strcmp(keys[i].name, name) == 0)
			key = &keys[i];
	if (key == NULL || !w->sized)
		return false;
	memcpy(&value, (const char *)&w->out.placements[tier] + key->offset, sizeof value);
	value *= key->factor;
	if (value == 0 && key->basis != ON_IDLE)
		return false;
	*out = (struct quantity){ .value = value, .unit = unit_of(key->style, value),
		.kind = QUANTITY_CALCULATED, .weakest = weakest_of(w, key->basis), .ref = key->ref };
	if (key->style == RATIO)
		out->digits = 2;
	return true;
}

struct val *
result_tiers_json(struct arena *a, const struct workload *w)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < w->tier_count; i++) {
		const struct sizing_placement *p = &w->out.placements[i];
		struct val *tier = val_push(a, list, val_map(a)), *units;

		val_put(a, tier, "id", val_str(a, w->tiers[i].id));
		val_put(a, tier, "verdict", val_str(a, sizing_verdict_name(p->verdict)));
		units = val_map(a);
		for (int k = 0; k < KEY_COUNT; k++) {
			struct quantity q;
			bool counts = strncmp(keys[k].name, "units.", 6) == 0;
			bool known = result_tier_quantity(&q, w, i, keys[k].name);

			val_put(a, counts ? units : tier, keys[k].name + (counts ? 6 : 0),
			    known ? render_quantity_json(a, &q) : val_null(a));
		}
		val_put(a, units, "binds", val_str(a, p->units > 0 ? sizing_tier_limit_name(p->binds) : NULL));
		val_put(a, tier, "units", units);
	}
	return list;
}
