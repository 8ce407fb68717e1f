#include "sizing/engine_int.h"
#include "sizing/sizing_int.h"

#include <math.h>

enum { CELLS = 256 };

/* Bytes of a row in one layer: by the algebra and as llama.cpp keeps it. */
struct row {
	double least, kept;             /* keys and values */
	double least_index, kept_index;
	enum sizing_rule rule;          /* between `least` and `kept` */
};

static const struct sizing_dtype *
keys_of(const struct sizing_reserve_case *c)
{
	return c->engine->keys != NULL ? c->engine->keys : c->kv;
}

static const struct sizing_dtype *
values_of(const struct sizing_reserve_case *c)
{
	return c->engine->values != NULL ? c->engine->values : c->kv;
}

static double
widest_values(const struct sizing_model *m)
{
	double widest = 0;

	for (size_t i = 0; i < m->group_count; i++)
		widest = fmax(widest, m->groups[i].value_width);
	return widest;
}

static int
latent_row(struct row *row, const struct sizing_group *g, const struct sizing_reserve_case *c,
    int index, struct sizing_error *error)
{
	const struct sizing_dtype *keys = keys_of(c), *values = values_of(c);

	switch (c->engine->mla) {
	case SIZING_MLA_LATENT:
		if (keys->bits != values->bits)
			return sizing_fail(error, "engine.values", index,
			    "differ in type from the keys, which a latent does not allow");
		return 0;
	case SIZING_MLA_LATENT_AND_VALUES:
		if (!(g->output_width > 0))
			return sizing_fail(error, "model.groups.output_width", index,
			    "is missing: the rank that this layout stores once more");
		row->kept += sizing_bytes_of(g->output_width, values);
		row->rule = SIZING_RULE_MLA_VALUES;
		return 0;
	default:
		if (!(g->heads * g->prefill_query_width * g->prefill_output_width > 0))
			return sizing_fail(error, "model.groups.prefill_query_width", index,
			    "is missing: the head sizes that a latent expands to");
		row->kept = sizing_bytes_of(g->heads * g->prefill_query_width, keys) +
		    sizing_bytes_of(g->heads * g->prefill_output_width, values);
		row->rule = SIZING_RULE_MLA_EXPANDED;
		return 0;
	}
}

static int
row_of(struct row *row, const struct sizing_group *g, const struct sizing_reserve_case *c,
    int index, struct sizing_error *error)
{
	const struct sizing_dtype *keys = keys_of(c), *values = values_of(c);
	bool flash = !c->engine->no_flash_attention;

	*row = (struct row){.rule = SIZING_RULE_VALUES_WIDEST};
	row->least_index = sizing_index_row_bytes(g, c->kv, c->index);
	if (g->row_bytes > 0) {
		row->kept_index = row->least_index;
		row->least = row->kept = g->row_bytes - row->least_index;
		return 0;
	}
	row->kept_index = g->index_width > 0 ? sizing_bytes_of(g->index_width, keys) : 0;
	row->least = sizing_bytes_of(g->key_width, keys) + sizing_bytes_of(g->value_width, values);
	row->kept = row->least;
	if (sizing_is_latent(g))
		return latent_row(row, g, c, index, error);
	if (g->value_width > 0 && !flash)
		row->kept += sizing_bytes_of(widest_values(c->model) - g->value_width, values);
	return 0;
}

/* Cells of all streams in one layer, as the rules raise them one after the other. */
struct cells {
	double least;    /* the algebra: sequences x rows kept */
	double extended; /* window and micro-batch, or the whole context */
	double padded;
	enum sizing_rule rule; /* between `least` and `extended` */
};

static struct cells
cells_of(struct sizing_reserved *r, const struct sizing_group *g,
    const struct sizing_reserve_case *c)
{
	const struct sizing_engine *e = c->engine;
	double each = e->unified ? c->sequences : 1; /* sequences in a stream */
	double tokens = c->context * each, padded = sizing_pad(tokens, CELLS);
	double stride = g->stride > 1 ? g->stride : 1;
	struct cells n = {.rule = SIZING_RULE_WINDOW_MICRO_BATCH};

	n.least = c->sequences * sizing_rows_kept(g, c->context);
	if (g->source_rows > 0) {
		n.extended = n.padded = n.least;
		return n;
	}
	if (g->window > 0 && !e->full_windows) {
		double window = g->window * each + e->micro_batch;

		padded = fmin(padded, sizing_pad(window, CELLS));
		tokens = fmin(tokens, window);
		r->window_cells = ceil(padded / stride);
	} else {
		n.rule = SIZING_RULE_FULL_WINDOWS;
		r->cells = ceil(padded / stride);
	}
	/* A window of fewer rows than a stride may round up in each sequence, but not in a stream. */
	n.extended = fmax(r->streams * ceil(tokens / stride), n.least);
	n.padded = fmax(r->streams * ceil(padded / stride), n.extended);
	return n;
}

static void
add_rows(struct sizing_reserved *r, const struct sizing_group *g, const struct row *row,
    const struct sizing_reserve_case *c)
{
	double bytes = g->layers * (row->kept + row->kept_index);
	struct cells n;

	if (!(row->least + row->least_index > 0))
		return;
	n = cells_of(r, g, c);
	r->minimum_bytes += g->layers * n.least * (row->least + row->least_index);
	r->by_rule[row->rule] += g->layers * n.least * (row->kept - row->least);
	r->by_rule[SIZING_RULE_INDEX_AS_KEYS] += g->layers * n.least *
	    (row->kept_index - row->least_index);
	if (g->stride > 1 && g->index_width > 0 && !(row->kept > 0)) {
		struct sizing_group every = *g;
		struct cells all;

		every.stride = 0;
		all = cells_of(r, &every, c);
		r->by_rule[SIZING_RULE_INDEX_UNCOMPRESSED] += bytes * (all.least - n.least);
		n = all;
	}
	r->by_rule[n.rule] += bytes * (n.extended - n.least);
	r->by_rule[SIZING_RULE_PADDED_256] += bytes * (n.padded - n.extended);
	r->kv_bytes += g->layers * n.padded * row->kept;
	r->index_bytes += g->layers * n.padded * row->kept_index;
}

/* Whatever the type of the cache, and whatever the context. */
static void
add_states(struct sizing_reserved *r, const struct sizing_group *g, double sequences)
{
	double least = sequences * g->layers * sizing_state_bytes(g), kept = 0;

	for (size_t i = 0; i < g->state_count; i++)
		kept += sequences * g->layers * 4 * g->states[i].elements;
	r->minimum_bytes += least;
	r->state_bytes += kept;
	r->by_rule[SIZING_RULE_STATE_F32] += kept - least;
}

static double
compute_buffer(const struct sizing_reserved *r, const struct sizing_reserve_case *c)
{
	const struct sizing_model *m = c->model;
	double batch = fmin(c->engine->micro_batch, c->context * c->sequences);
	double heads = 0;

	if (!(m->width > 0 && m->vocabulary > 0))
		return 0;
	for (size_t i = 0; c->engine->no_flash_attention && i < m->group_count; i++)
		heads = fmax(heads, m->groups[i].heads);
	return batch * (m->vocabulary + 2 * m->width + heads * fmax(r->cells, r->window_cells)) * 4;
}

int
sizing_reserve_llama(struct sizing_reserved *r, const struct sizing_reserve_case *c,
    struct sizing_error *error)
{
	r->streams = c->engine->unified ? 1 : c->sequences;
	for (size_t i = 0; i < c->model->group_count; i++) {
		const struct sizing_group *g = &c->model->groups[i];
		struct row row;

		if (row_of(&row, g, c, (int)i, error) != 0)
			return -1;
		add_rows(r, g, &row, c);
		add_states(r, g, c->sequences);
	}
	r->bytes = r->kv_bytes + r->index_bytes + r->state_bytes;
	r->compute_bytes = compute_buffer(r, c);
	return 0;
}
