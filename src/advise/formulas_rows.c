/* Rows and states, and the bytes they come to. */
#include <string.h>

#include "advise/formulas_int.h"

struct expr *
sequences(struct maker *m)
{
	return input_of(m, INPUT_CONCURRENCY, "sequences");
}

/* Of prompt, output and context any two give the third. */
struct expr *
context_tokens(struct maker *m)
{
	const struct input *in = m->w->inputs;

	if (in[INPUT_CONTEXT].known)
		return input_of(m, INPUT_CONTEXT, "context");
	if (in[INPUT_PROMPT].known && in[INPUT_OUTPUT].known)
		return expr_define(ADD(m, prompt_tokens(m), input_of(m, INPUT_OUTPUT, "output")), "context", DIM_TOKENS);
	if (in[INPUT_PROMPT].known)
		return prompt_tokens(m);
	return expr_leaf(m->a, "context", DIM_TOKENS, m->r->context, in[INPUT_LENGTHS].kind, "lengths");
}

struct expr *
prompt_tokens(struct maker *m)
{
	const struct input *in = m->w->inputs;

	/* What is retrieved is put into the prompt. */
	if (in[INPUT_PROMPT].known && m->w->index.prompt_tokens > 0)
		return expr_define(ADD(m, input_of(m, INPUT_PROMPT, "stated_prompt"), result_of(m, "retrieval.prompt_tokens")),
		    "prompt", DIM_TOKENS);
	if (in[INPUT_PROMPT].known)
		return input_of(m, INPUT_PROMPT, "prompt");
	if (in[INPUT_CONTEXT].known && in[INPUT_OUTPUT].known)
		return expr_define(SUB(m, input_of(m, INPUT_CONTEXT, "context"), input_of(m, INPUT_OUTPUT, "output")),
		    "prompt", DIM_TOKENS);
	return expr_leaf(m->a, "prompt", DIM_TOKENS, m->r->prompt, in[INPUT_CONTEXT].kind, "context");
}

/* ---- one layer group: m->group, and m->tokens where rows are counted ---- */

struct expr *
group_layers(struct maker *m)
{
	return group_value(m, "layers", DIM_COUNT, m->group->layers);
}

struct expr *
group_readers(struct maker *m)
{
	return m->group->readers > 0 ? group_value(m, "readers", DIM_COUNT, m->group->readers)
	                             : group_layers(m);
}

struct expr *
dtype_bits(struct maker *m, const char *name, const struct sizing_dtype *dtype, enum input_id id)
{
	struct expr *e = expr_leaf(m->a, name, DIM_COUNT, dtype->bits, m->w->inputs[id].kind, input_name(id));

	e->detail = dtype->name;
	return e;
}

struct expr *
in_part(struct maker *m, struct expr *e)
{
	e->part = m->part;
	return e;
}

struct expr *
index_row_bytes(struct maker *m)
{
	const struct sizing_load *load = &m->in->load;
	const struct sizing_group *g = m->group;

	if (g->row_bytes > 0)
		return g->index_width > 0 && !(g->key_width + g->value_width > 0)
		    ? group_value(m, "row_bytes", DIM_BYTES, g->row_bytes) : NULL;
	if (!(g->index_width > 0))
		return NULL;
	return in_part(m, expr_define(DIV(m, MUL(m, group_value(m, "index_width", DIM_COUNT, g->index_width),
	    dtype_bits(m, load->index != NULL ? "index_bits" : "kv_bits",
	    load->index != NULL ? load->index : load->kv, INPUT_KV)), constant(m, 8)), "index_row_bytes", DIM_BYTES));
}

struct expr *
row_bytes(struct maker *m)
{
	const struct sizing_group *g = m->group;
	struct expr *width, *row = NULL, *index = index_row_bytes(m);

	if (g->row_bytes > 0)
		return group_value(m, "row_bytes", DIM_BYTES, g->row_bytes);
	if (g->key_width + g->value_width > 0) {
		width = group_value(m, "key_width", DIM_COUNT, g->key_width);
		if (g->value_width > 0)
			width = ADD(m, width, group_value(m, "value_width", DIM_COUNT, g->value_width));
		row = DIV(m, MUL(m, width, dtype_bits(m, "kv_bits", m->in->load.kv, INPUT_KV)), constant(m, 8));
	}
	if (row == NULL)
		return index;
	row->dimension = DIM_BYTES;
	return in_part(m, expr_define(index != NULL ? ADD(m, row, index) : row, "row_bytes", DIM_BYTES));
}

/* ceil(min(tokens, window) / stride), and of them what top_k leaves to be read */
static struct expr *
rows_at(struct maker *m, struct expr *tokens, bool read)
{
	const struct sizing_group *g = m->group;
	struct expr *rows = g->source_rows > 0 ? group_value(m, "source_rows", DIM_TOKENS, g->source_rows) : tokens;

	if (g->window > 0)
		rows = MIN(m, rows, group_value(m, "window", DIM_TOKENS, g->window));
	if (g->stride > 1)
		rows = CEIL(m, DIV(m, rows, group_value(m, "stride", DIM_TOKENS, g->stride)));
	if (read && g->top_k > 0)
		rows = MIN(m, rows, group_value(m, "top_k", DIM_TOKENS, g->top_k));
	return rows;
}

/*
 * The mean over the lengths that the sequences really have, where those are given: each in proportion to the
 * longest, in whole tokens.
 */
static struct expr *
mean_rows(struct maker *m, bool read)
{
	const struct sizing_load *load = &m->in->load;
	struct expr *parts[SIZING_MAX_LENGTHS + 1] = { NULL }, *sum;

	if (load->length_count == 0)
		return rows_at(m, m->tokens, read);
	for (size_t i = 0; i < load->length_count; i++) {
		enum quantity_kind kind = m->w->inputs[INPUT_LENGTHS].kind;
		struct expr *share = expr_leaf(m->a, "length_share", DIM_RATIO, load->lengths[i].share, kind, "lengths");
		struct expr *length = expr_leaf(m->a, "length", DIM_TOKENS, load->lengths[i].tokens, kind, "lengths");

		if (m->tokens->value != m->r->context)
			length = CEIL(m, DIV(m, MUL(m, length, m->tokens), context_tokens(m)));
		parts[i] = MUL(m, share, rows_at(m, length, read));
	}
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "lengths";
	return sum;
}

static struct expr *
define_rows(struct maker *m, struct expr *rows, const char *name)
{
	/* All tokens are kept: a definition needs an operation. */
	if (rows->op == EXPR_VALUE || rows->name != NULL)
		rows = MUL(m, rows);
	return in_part(m, expr_define(rows, name, DIM_TOKENS));
}

struct expr *
rows_kept(struct maker *m)
{
	return define_rows(m, mean_rows(m, false), "rows_kept");
}

struct expr *
rows_read(struct maker *m)
{
	return define_rows(m, m->group->top_k > 0 ? mean_rows(m, true) : rows_kept(m), "rows_read");
}

/* Of a prompt, all of whose tokens are there whatever the lengths of the others. */
struct expr *
prompt_rows(struct maker *m)
{
	return define_rows(m, rows_at(m, m->tokens, false), "rows_kept");
}

struct expr *
prompt_rows_read(struct maker *m)
{
	return define_rows(m, rows_at(m, m->tokens, true), "rows_read");
}

static struct expr *
kept_part(struct maker *m)
{
	struct expr *row = row_bytes(m);

	return row != NULL ? MUL(m, group_layers(m), rows_kept(m), row) : NULL;
}

struct expr *
bytes_kept(struct maker *m, struct expr *tokens)
{
	m->tokens = tokens;
	return over_groups(m, kept_part);
}

static struct expr *
state_part(struct maker *m)
{
	const struct sizing_group *g = m->group;
	struct expr *all[SIZING_MAX_STATES + 1] = { NULL };

	for (size_t i = 0; i < g->state_count; i++) {
		struct expr *bits = group_value(m, "state_bits", DIM_COUNT, g->states[i].dtype->bits);

		bits->detail = g->states[i].dtype->name;
		all[i] = DIV(m, MUL(m, group_value(m, "state_elements", DIM_COUNT, g->states[i].elements), bits),
		    constant(m, 8));
		all[i]->dimension = DIM_BYTES;
	}
	if (g->state_count == 0)
		return NULL;
	return MUL(m, group_layers(m), in_part(m, expr_define(expr_of(m->a, EXPR_ADD, all), "layer_state", DIM_BYTES)));
}

struct expr *
state_bytes(struct maker *m)
{
	return over_groups(m, state_part);
}

/* ---- the keys ---- */

static struct expr *
token_part(struct maker *m)
{
	const struct sizing_group *g = m->group;
	struct expr *row = row_bytes(m);

	if (row == NULL || g->source_rows > 0)
		return NULL;
	row = MUL(m, group_layers(m), row);
	return g->stride > 1 ? DIV(m, row, group_value(m, "stride", DIM_TOKENS, g->stride)) : row;
}

/* Only where the window is not full yet. */
static struct expr *
growth_part(struct maker *m)
{
	return m->group->window > 0 && m->r->context >= m->group->window ? NULL : token_part(m);
}

struct expr *
kv_per_token(struct maker *m)
{
	return over_groups(m, token_part);
}

struct expr *
kv_growth(struct maker *m)
{
	return over_groups(m, growth_part);
}

struct expr *
kv_per_sequence(struct maker *m)
{
	return bytes_kept(m, context_tokens(m));
}

struct expr *
kv(struct maker *m)
{
	return MUL(m, sequences(m), kv_per_sequence(m));
}

static struct expr *
read_part(struct maker *m)
{
	struct expr *row = row_bytes(m);

	return row != NULL ? MUL(m, group_readers(m), rows_read(m), row) : NULL;
}

struct expr *
kv_read(struct maker *m)
{
	m->tokens = context_tokens(m);
	return MUL(m, sequences(m), over_groups(m, read_part));
}

struct expr *
kv_idle(struct maker *m)
{
	struct expr *each = result_of(m, "kv.bytes_per_sequence");

	if (m->r->state_bytes > 0)
		each = ADD(m, each, expr_define(state_bytes(m), "sequence_state", DIM_BYTES));
	return MUL(m, SUB(m, input_of(m, INPUT_SESSIONS, "sessions"), sequences(m)), each);
}

static struct expr *
index_part(struct maker *m)
{
	struct expr *row = index_row_bytes(m);

	return row != NULL ? MUL(m, group_layers(m), rows_kept(m), row) : NULL;
}

struct expr *
index_keys(struct maker *m)
{
	m->tokens = context_tokens(m);
	return MUL(m, sequences(m), over_groups(m, index_part));
}

struct expr *
states(struct maker *m)
{
	return MUL(m, sequences(m), state_bytes(m));
}
