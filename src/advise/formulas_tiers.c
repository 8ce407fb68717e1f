/* What a tier is judged by, as far as it is a matter of one prefix. */
#include <string.h>

#include "advise/formulas_int.h"

static const char *const tier_rows[] = {
	[PAYS_ABOVE] = "pays_above", [LOAD_SECONDS] = "load_seconds", [RECOMPUTE_SECONDS] = "recompute_seconds",
};

bool
formula_tier_key(size_t *tier, int *row, const struct workload *w, const char *key)
{
	const char *id = key + 6, *dot = strrchr(key, '.');

	if (strncmp(key, "tiers.", 6) != 0 || dot < id)
		return false;
	for (*tier = 0; *tier < w->tier_count; ++*tier)
		if (strlen(w->tiers[*tier].id) == (size_t)(dot - id) && strncmp(w->tiers[*tier].id, id, (size_t)(dot - id)) == 0)
			break;
	for (*row = 0; *row <= RECOMPUTE_SECONDS; ++*row)
		if (strcmp(tier_rows[*row], dot + 1) == 0)
			return *tier < w->tier_count;
	return false;
}

/* Before the first byte of each copy. */
static struct expr *
tier_latency(struct maker *m, size_t tier)
{
	const struct sizing_tier *t = &m->in->tiers[tier];
	struct expr *latency;

	if (!(t->latency > 0))
		return NULL;
	latency = expr_leaf(m->a, "tier_latency", DIM_SECONDS, t->latency, QUANTITY_PUBLISHED,
	    val_text(val_path(m->w->tiers[tier].body, "sources.latency")));
	if (!(t->block_bytes > 0))
		return latency;
	return MUL(m, latency, CEIL(m, DIV(m, prefix_bytes(m), expr_leaf(m->a, "block_bytes", DIM_BYTES, t->block_bytes,
	    QUANTITY_ASSUMED, "block_bytes"))));
}

struct expr *
formula_tier(struct maker *m, size_t tier, int row)
{
	const struct val *body = m->w->tiers[tier].body;
	const char *source = val_text(val_path(body, "sources.sustained"));
	struct expr *latency = tier_latency(m, tier), *recompute, *rate, *time;

	if (row == RECOMPUTE_SECONDS)
		return prefix_time(m);
	if (row == PAYS_ABOVE) {
		recompute = expr_define(prefix_time(m), "recompute_seconds", DIM_SECONDS);
		return DIV(m, prefix_bytes(m), latency != NULL ? SUB(m, recompute, latency) : recompute);
	}
	/* One unit of it beside each accelerator. */
	rate = MUL(m, expr_leaf(m->a, "tier_bandwidth", DIM_BYTES_PER_SECOND, m->in->tiers[tier].unit_read_bandwidth,
	    QUANTITY_PUBLISHED, source != NULL ? source : val_text(val_path(body, "sources.read"))), devices_used(m));
	time = DIV(m, prefix_bytes(m), rate);
	return latency != NULL ? ADD(m, latency, time) : time;
}
