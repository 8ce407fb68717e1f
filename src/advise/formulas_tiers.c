/* What a tier is judged by: sizing/tiers.c and the closed forms of sizing/reload.h. */
#include <string.h>

#include "advise/formulas_int.h"
#include "advise/result.h"

/* A place in w->tiers, with what its formulas share. */
struct placed {
	struct maker *m;
	size_t tier;
	const struct sizing_tier *t;
	const struct sizing_placement *p;
};

/* Another figure of the same tier. */
static struct expr *
figure(const struct placed *at, const char *name)
{
	struct quantity q;
	const char *key = arena_printf(at->m->a, "tiers.%s.%s", at->m->w->tiers[at->tier].id, name);

	if (!result_tier_quantity(&q, at->m->w, at->tier, name))
		return constant(at->m, 0);
	return expr_leaf(at->m->a, key, q.unit->dimension, q.value, QUANTITY_CALCULATED, key);
}

/* What the profile of the tier says; `source`: the first of two paths that there is. */
static struct expr *
tier_value(const struct placed *at, const char *name, enum dimension dimension, double value, const char *source,
    const char *other)
{
	const struct val *body = at->m->w->tiers[at->tier].body;
	const char *ref = val_text(val_path(body, source));

	return expr_leaf(at->m->a, name, dimension, value, QUANTITY_PUBLISHED,
	    ref != NULL ? ref : val_text(val_path(body, other)));
}

/* One unit of it beside each accelerator. */
static struct expr *
read_rate(const struct placed *at)
{
	return MUL(at->m, tier_value(at, "tier_bandwidth", DIM_BYTES_PER_SECOND, at->t->unit_read_bandwidth,
	    "sources.sustained", "sources.read"), devices_used(at->m));
}

static struct expr *
write_rate(const struct placed *at)
{
	return MUL(at->m, tier_value(at, "tier_write_bandwidth", DIM_BYTES_PER_SECOND, at->t->unit_write_bandwidth,
	    "sources.write_sustained", "sources.write"), devices_used(at->m));
}

static struct expr *
unit_bytes(const struct placed *at)
{
	return tier_value(at, "unit_bytes", DIM_BYTES, at->t->unit_bytes, "sources.capacity", "sources.capacity");
}

static struct expr *
endurance(const struct placed *at)
{
	return tier_value(at, "unit_endurance", DIM_BYTES_PER_SECOND, at->t->unit_endurance, "sources.endurance",
	    "sources.endurance");
}

/* Units: one beside each accelerator, and as many as the idle KV takes. */
static struct expr *
units_there(const struct placed *at)
{
	struct maker *m = at->m;

	return expr_define(MAX(m, devices_used(m), CEIL(m, DIV(m, figure(at, "bytes"), unit_bytes(at)))), "units_there", DIM_COUNT);
}

/* Before the first byte of each copy; NULL: not known, and left out. */
static struct expr *
latency(const struct placed *at)
{
	struct expr *e;

	if (!(at->t->latency > 0))
		return NULL;
	e = tier_value(at, "tier_latency", DIM_SECONDS, at->t->latency, "sources.latency", "sources.latency");
	if (!(at->t->block_bytes > 0))
		return e;
	return MUL(at->m, e, CEIL(at->m, DIV(at->m, figure(at, "prefix_bytes"), expr_leaf(at->m->a, "block_bytes", DIM_BYTES,
	    at->t->block_bytes, QUANTITY_ASSUMED, "block_bytes"))));
}

static struct expr *
after_latency(const struct placed *at, struct expr *seconds)
{
	struct expr *e = latency(at);

	return e != NULL ? SUB(at->m, seconds, e) : seconds;
}

static struct expr *
with_latency(const struct placed *at, struct expr *seconds)
{
	struct expr *e = latency(at);

	return e != NULL ? ADD(at->m, e, seconds) : seconds;
}

static struct expr *
idle(const struct placed *at)
{
	return MUL(at->m, result_of(at->m, "kv.idle_bytes"));
}

static struct expr *
prefix(const struct placed *at)
{
	return prefix_bytes(at->m);
}

static struct expr *
recompute(const struct placed *at)
{
	return prefix_time(at->m);
}

static struct expr *
pays_above(const struct placed *at)
{
	return DIV(at->m, figure(at, "prefix_bytes"), after_latency(at, figure(at, "recompute_seconds")));
}

static struct expr *
hidden_above(const struct placed *at)
{
	return DIV(at->m, figure(at, "prefix_bytes"), after_latency(at, result_of(at->m, "prefill.seconds_reused")));
}

static struct expr *
load_alone(const struct placed *at)
{
	return with_latency(at, DIV(at->m, figure(at, "prefix_bytes"), read_rate(at)));
}

/* The first part computed while the rest is read. */
static struct expr *
partial(const struct placed *at)
{
	struct maker *m = at->m;

	return DIV(m, constant(m, 1), ADD(m, DIV(m, constant(m, 1), figure(at, "recompute_seconds")),
	    DIV(m, constant(m, 1), figure(at, "load_seconds"))));
}

/* What decode serves, with drafts if they help, and no more than prefill does. */
static struct expr *
requests_served(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *served = result_of(m, "serving.requests_per_second"), *prompts = constant(m, 1);

	if (m->in->load.draft_tokens > 0)
		served = MAX(m, served, DIV(m, result_of(m, "decode.speculative_tokens_per_second"), output_tokens(m)));
	if (m->layout != NULL)
		prompts = MUL(m, result_of(m, "layout.attention"), result_of(m, "layout.pipeline"));
	return MIN(m, served, DIV(m, prompts, result_of(m, "prefill.seconds_reused")));
}

/* Reads have half of a link that also writes back. */
static bool
is_halved(const struct placed *at)
{
	return at->t->shared_link && at->p->requests_per_second > 0;
}

static struct expr *
busy(const struct placed *at)
{
	return MUL(at->m, figure(at, "requests_per_second"), figure(at, "prefix_bytes"));
}

static struct expr *
load_shared(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *rate = read_rate(at);

	if (is_halved(at))
		rate = DIV(m, rate, constant(m, 2));
	return with_latency(at, DIV(m, figure(at, "prefix_bytes"),
	    at->p->requests_per_second > 0 ? SUB(m, rate, busy(at)) : rate));
}

static struct expr *
loads(const struct placed *at)
{
	return MUL(at->m, figure(at, "requests_per_second"), figure(at, "shared_load_seconds"));
}

/* So that a load beats recomputing and meets the target. */
static struct expr *
rate_needed(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *limit = figure(at, "recompute_seconds"), *rate;

	if (m->w->inputs[INPUT_TTFT].known)
		limit = MIN(m, limit, SUB(m, input_of(m, INPUT_TTFT, "ttft"), result_of(m, "prefill.seconds_reused")));
	rate = DIV(m, figure(at, "prefix_bytes"), after_latency(at, limit));
	if (at->p->requests_per_second > 0)
		rate = ADD(m, busy(at), rate);
	return is_halved(at) ? MUL(m, constant(m, 2), rate) : rate;
}

static struct expr *
decoded_from(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *read = result_of(m, "kv.bytes_read_per_step");

	if (m->r->state_bytes > 0)
		read = ADD(m, read, MUL(m, constant(m, 2), result_of(m, "state.bytes")));
	return DIV(m, read_rate(at), DIV(m, read, sequences(m)));
}

/* What one request leaves behind: all but the prefix that was there. */
static struct expr *
new_bytes(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *tokens = context_tokens(m);

	if (m->in->load.reuse > 0)
		tokens = expr_define(SUB(m, tokens, prefix_tokens(m)), "new_tokens", DIM_TOKENS);
	return expr_define(sequence_bytes(m, tokens), "new_bytes", DIM_BYTES);
}

static struct expr *
written(const struct placed *at)
{
	return MUL(at->m, figure(at, "requests_per_second"), new_bytes(at));
}

static struct expr *
written_a_day(const struct placed *at)
{
	return MUL(at->m, figure(at, "written_per_second"), constant(at->m, 86400));
}

static struct expr *
fill_time(const struct placed *at)
{
	return DIV(at->m, MUL(at->m, unit_bytes(at), units_there(at)), figure(at, "written_per_second"));
}

static struct expr *
worn_share(const struct placed *at)
{
	return DIV(at->m, figure(at, "written_per_second"), MUL(at->m, endurance(at), units_there(at)));
}

static struct expr *
worn_time(const struct placed *at)
{
	return DIV(at->m, expr_leaf(at->m->a, "rated_life", DIM_SECONDS, at->t->life, QUANTITY_ASSUMED, "endurance"),
	    figure(at, "endurance_share"));
}

static struct expr *
saved(const struct placed *at)
{
	struct maker *m = at->m;

	return MAX(m, constant(m, 0), SUB(m, result_of(m, "prefill.seconds"), result_of(m, "prefill.seconds_reused"),
	    figure(at, "shared_load_seconds"), DIV(m, new_bytes(at), write_rate(at))));
}

static struct expr *
for_capacity(const struct placed *at)
{
	return CEIL(at->m, DIV(at->m, figure(at, "bytes"), unit_bytes(at)));
}

/* For reading, and for writing where that rate is known. */
static struct expr *
for_bandwidth(const struct placed *at)
{
	struct maker *m = at->m;
	struct expr *reads = DIV(m, figure(at, "bandwidth_needed"), tier_value(at, "tier_bandwidth", DIM_BYTES_PER_SECOND,
	    at->t->unit_read_bandwidth, "sources.sustained", "sources.read"));

	if (!(at->t->unit_read_bandwidth > 0))
		reads = constant(m, 0);
	if (at->t->unit_write_bandwidth > 0)
		reads = MAX(m, reads, DIV(m, figure(at, "written_per_second"), tier_value(at, "tier_write_bandwidth",
		    DIM_BYTES_PER_SECOND, at->t->unit_write_bandwidth, "sources.write_sustained", "sources.write")));
	return CEIL(m, reads);
}

static struct expr *
for_endurance(const struct placed *at)
{
	return CEIL(at->m, DIV(at->m, figure(at, "written_per_second"), endurance(at)));
}

static struct expr *
units_needed(const struct placed *at)
{
	return MAX(at->m, figure(at, "units.capacity"), figure(at, "units.bandwidth"), figure(at, "units.endurance"));
}

static const struct tier_row {
	const char *name; /* as result_tier_quantity has it */
	struct expr *(*make)(const struct placed *at);
} tier_rows[] = {
	{ "bytes", idle },
	{ "prefix_bytes", prefix },
	{ "recompute_seconds", recompute },
	{ "load_seconds", load_alone },
	{ "pays_above", pays_above },
	{ "hidden_above", hidden_above },
	{ "partial_seconds", partial },
	{ "requests_per_second", requests_served },
	{ "shared_load_seconds", load_shared },
	{ "concurrent_loads", loads },
	{ "bandwidth_needed", rate_needed },
	{ "decode_tokens_per_second", decoded_from },
	{ "written_per_second", written },
	{ "written_per_day", written_a_day },
	{ "fill_seconds", fill_time },
	{ "endurance_share", worn_share },
	{ "worn_seconds", worn_time },
	{ "saved_seconds", saved },
	{ "units.capacity", for_capacity },
	{ "units.bandwidth", for_bandwidth },
	{ "units.endurance", for_endurance },
	{ "units.needed", units_needed },
};

enum { TIER_ROWS = sizeof tier_rows / sizeof *tier_rows };

const char *
formula_tier_row(size_t row)
{
	return row < TIER_ROWS ? tier_rows[row].name : NULL;
}

bool
formula_tier_key(size_t *tier, size_t *row, const struct workload *w, const char *key)
{
	if (strncmp(key, "tiers.", 6) != 0)
		return false;
	for (*tier = 0; *tier < w->tier_count; ++*tier) {
		size_t n = strlen(w->tiers[*tier].id);

		if (strncmp(key + 6, w->tiers[*tier].id, n) != 0 || key[6 + n] != '.')
			continue;
		for (*row = 0; *row < TIER_ROWS; ++*row)
			if (strcmp(tier_rows[*row].name, key + 7 + n) == 0)
				return true;
	}
	return false;
}

struct expr *
formula_tier(struct maker *m, size_t tier, size_t row)
{
	struct placed at = { m, tier, &m->in->tiers[tier], &m->r->placements[tier] };

	return tier_rows[row].make(&at);
}
