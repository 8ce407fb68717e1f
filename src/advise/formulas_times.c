/* Times of a decode step and of a prompt, term by term: [P7] and sizing/sizing.h. */
#include <stddef.h>

#include "advise/formulas_int.h"
#include "advise/result.h"

/* A share of what the device could do that is reached; NULL: all of it. */
static struct expr *
efficiency(struct maker *m, double share, enum input_id id)
{
	if (!(share > 0) || share == 1)
		return NULL;
	if (m->w->inputs[id].known)
		return input_of(m, id, input_name(id));
	return device_value(m, input_name(id), DIM_RATIO, share, "sources.achieved");
}

/* Of one device. */
struct expr *
bandwidth(struct maker *m)
{
	struct expr *all = device_value(m, "bandwidth", DIM_BYTES_PER_SECOND, m->in->device.bandwidth, "sources.bandwidth");
	struct expr *share = efficiency(m, m->in->device.bandwidth_efficiency, INPUT_BANDWIDTH_EFFICIENCY);

	return share != NULL ? expr_define(MUL(m, all, share), "bandwidth_reached", DIM_BYTES_PER_SECOND) : all;
}

/* Of one device; NULL where it publishes none: the floor of the time is 0. */
struct expr *
compute_rate(struct maker *m, const struct sizing_path *path)
{
	struct expr *peak, *share = efficiency(m, m->in->device.efficiency[path->used], INPUT_EFFICIENCY);

	if (!(path->operations > 0))
		return NULL;
	peak = device_value(m, "peak", DIM_OPS_PER_SECOND, m->in->device.peak[path->used], "sources.dense_peak");
	peak->detail = sizing_rate_name(path->used);
	if (share == NULL)
		return peak;
	peak = expr_define(MUL(m, peak, share), "rate_reached", DIM_OPS_PER_SECOND);
	peak->detail = sizing_rate_name(path->used);
	return peak;
}

static struct expr *
timed(struct maker *m, struct expr *e, const char *name)
{
	return in_part(m, expr_define(e, name, DIM_SECONDS));
}

struct expr *
with_class(struct expr *e, int class)
{
	e->detail = sizing_class_name((enum sizing_class)class);
	return e;
}

/* The larger of the two; y may be NULL. */
static struct expr *
larger(struct maker *m, struct expr *x, struct expr *y)
{
	return y != NULL ? MAX(m, x, y) : x;
}

/* ---- decode ---- */

/* Routed experts are read by share: those that the whole batch of the stage touches. */
static struct expr *
class_read(struct maker *m, int class)
{
	struct expr *bytes = class_bytes(m, class), *batch = stage_batch(m);

	if (bytes == NULL)
		return NULL;
	if (class != SIZING_EXPERTS)
		return DIV(m, bytes, MUL(m, tensor_ways(m), bandwidth(m)));
	if (m->each != NULL)
		batch = MUL(m, batch, m->each);
	return DIV(m, MUL(m, bytes, experts_share(m, batch)), MUL(m, expert_ways(m), bandwidth(m)));
}

static struct expr *
class_compute(struct maker *m, int class)
{
	struct expr *operations = class_operations(m, class), *per_second = compute_rate(m, &m->c->paths[class]);
	struct expr *busiest = imbalance(m);

	if (operations == NULL || per_second == NULL)
		return NULL;
	operations = MUL(m, operations, class == SIZING_EXPERTS ? stage_batch(m) : rank_sequences(m));
	if (m->each != NULL)
		operations = MUL(m, operations, m->each);
	if (class != SIZING_EXPERTS)
		return DIV(m, operations, MUL(m, tensor_ways(m), per_second));
	if (busiest != NULL)
		operations = MUL(m, operations, busiest);
	return DIV(m, operations, MUL(m, stage_ranks(m), per_second));
}

static struct expr *
class_time(struct maker *m, int class)
{
	struct expr *read = class_read(m, class), *compute = class_compute(m, class);

	if (read == NULL)
		return NULL;
	read = with_class(timed(m, read, "weights_seconds"), class);
	return larger(m, read, compute != NULL ? with_class(timed(m, compute, "linear_seconds"), class) : NULL);
}

struct expr *
step_weights(struct maker *m)
{
	return over_classes(m, class_read);
}

struct expr *
step_linear(struct maker *m)
{
	return over_classes(m, class_compute);
}

static struct expr *
read_time(struct maker *m, struct expr *row)
{
	return DIV(m, MUL(m, rank_sequences(m), group_readers(m), rows_read(m), row), MUL(m, kv_ways(m), bandwidth(m)));
}

static struct expr *
kv_time_part(struct maker *m)
{
	struct expr *row = row_bytes(m), *index = index_row_bytes(m);

	if (row == NULL || (index != NULL && index->value == row->value))
		return NULL;
	return read_time(m, index != NULL ? SUB(m, row, index) : row);
}

static struct expr *
index_time_part(struct maker *m)
{
	struct expr *index = index_row_bytes(m);

	return index != NULL ? read_time(m, index) : NULL;
}

static struct expr *
step_compute_part(struct maker *m)
{
	const struct sizing_group *g = m->group;
	struct expr *operations, *per_second = compute_rate(m, &m->r->attention_path);

	if (!(g->heads > 0) || per_second == NULL)
		return NULL;
	operations = MUL(m, rank_sequences(m), group_readers(m), constant(m, 2), group_value(m, "heads", DIM_COUNT, g->heads),
	    ADD(m, group_value(m, "query_width", DIM_COUNT, g->query_width),
	    group_value(m, "output_width", DIM_COUNT, g->output_width)), rows_read(m));
	if (m->each != NULL)
		operations = MUL(m, operations, m->each);
	return DIV(m, operations, MUL(m, tensor_ways(m), per_second));
}

/* Rows are read while they are computed with: what takes longer counts. */
static struct expr *
attention_part(struct maker *m)
{
	struct expr *row = row_bytes(m), *compute = step_compute_part(m);

	if (compute != NULL)
		compute = timed(m, compute, "compute_seconds");
	if (row == NULL)
		return compute; /* an encoder keeps no rows */
	return larger(m, timed(m, read_time(m, row), "read_seconds"), compute);
}

static struct expr *
over_context(struct maker *m, group_part *part)
{
	m->tokens = context_tokens(m);
	return over_groups(m, part);
}

struct expr *
step_kv(struct maker *m)
{
	return over_context(m, kv_time_part);
}

struct expr *
step_index(struct maker *m)
{
	return over_context(m, index_time_part);
}

struct expr *
step_attention(struct maker *m)
{
	return over_context(m, step_compute_part);
}

struct expr *
step_state(struct maker *m)
{
	return DIV(m, MUL(m, rank_sequences(m), constant(m, 2), expr_define(state_bytes(m), "sequence_state", DIM_BYTES)),
	    MUL(m, tensor_ways(m), bandwidth(m)));
}

struct expr *
step(struct maker *m)
{
	struct expr *sum = ADD(m, over_classes(m, class_time), over_context(m, attention_part));
	struct expr *links = step_links(m);

	if (m->r->state_bytes_per_sequence > 0)
		sum = ADD(m, sum, timed(m, step_state(m), "decode.state_seconds"));
	return links != NULL ? ADD(m, sum, timed(m, links, m->each != NULL ? "link_seconds" : "decode.interconnect_seconds"))
	                     : sum;
}

/* One step checks all drafted tokens and yields one of its own. */
struct expr *
drafted_step(struct maker *m)
{
	struct expr *drafted = input_of(m, INPUT_DRAFT_TOKENS, "draft_tokens"), *check;

	m->each = ADD(m, drafted, constant(m, 1));
	check = expr_define(step(m), "check_seconds", DIM_SECONDS);
	m->each = NULL;
	return ADD(m, check, MUL(m, drafted, input_of(m, INPUT_DRAFT_COST, "draft_cost"), result_of(m, "decode.step_seconds")));
}

/* ---- prefill: a part of a prompt that ends at m->tokens, with m->start there already ---- */

struct part {
	struct expr *tokens;  /* that are computed */
	struct expr *chunks;  /* NULL: one */
	struct expr *fill;    /* by what the waiting stages make it longer; NULL: not */
	struct expr *reads;   /* of a stage's weights, one after the other; NULL: one */
};

static struct part
part_of(struct maker *m, struct expr *tokens)
{
	struct part p = { .tokens = tokens, .chunks = chunks(m, tokens) };

	p.reads = p.chunks;
	p.fill = fill(m, tokens);
	if (p.fill != NULL)
		p.reads = SUB(m, ADD(m, p.chunks, result_of(m, "layout.pipeline")), constant(m, 1));
	return p;
}

static struct expr *
times(struct maker *m, struct expr *factor, struct expr *e)
{
	return factor != NULL ? MUL(m, factor, e) : e;
}

static struct expr *
prompt_class_read(struct maker *m, const struct part *p, int class)
{
	struct expr *bytes = class_bytes(m, class), *ways = class == SIZING_EXPERTS ? expert_ways(m) : tensor_ways(m);

	if (bytes == NULL)
		return NULL;
	if (class == SIZING_EXPERTS)
		bytes = MUL(m, bytes, experts_share(m, p->chunks != NULL ? DIV(m, p->tokens, p->chunks) : p->tokens));
	bytes = times(m, p->reads, bytes);
	if (m->layout != NULL && m->layout->pipeline > 1)
		ways = MUL(m, ways, result_of(m, "layout.pipeline"));
	return DIV(m, bytes, MUL(m, ways, bandwidth(m)));
}

static struct expr *
prompt_class_compute(struct maker *m, const struct part *p, int class)
{
	struct expr *operations = class_operations(m, class), *per_second = compute_rate(m, &m->c->paths[class]);

	if (operations == NULL || per_second == NULL)
		return NULL;
	operations = times(m, p->fill, MUL(m, operations, p->tokens));
	if (class == SIZING_EXPERTS)
		operations = times(m, imbalance(m), operations);
	return DIV(m, operations, MUL(m, devices_used(m), per_second));
}

/* All classes by one of the two, or by the larger of both. */
static struct expr *
prompt_classes(struct maker *m, const struct part *p, bool read, bool compute)
{
	struct expr *parts[SIZING_CLASSES + 1] = { NULL }, *sum;
	size_t n = 0;

	for (int i = 0; i < SIZING_CLASSES; i++) {
		struct expr *x = read ? prompt_class_read(m, p, i) : NULL;
		struct expr *y = compute ? prompt_class_compute(m, p, i) : NULL;

		if (x != NULL && y != NULL)
			x = MAX(m, with_class(timed(m, x, "weights_seconds"), i), with_class(timed(m, y, "linear_seconds"), i));
		else if (x == NULL)
			x = y;
		if (x != NULL)
			parts[n++] = x;
	}
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "classes";
	return sum;
}

/*
 * Rows that the first n tokens attend to, summed over them: reach x (n - reach / 2) / stride, where
 * reach is n or what a window or top_k leaves of it.
 */
static struct expr *
attended_by(struct maker *m, struct expr *tokens, const char *name)
{
	const struct sizing_group *g = m->group;
	struct expr *reach = tokens, *kept = m->tokens, *sum;

	m->tokens = tokens;
	if (g->source_rows > 0) {
		sum = MUL(m, tokens, prompt_rows_read(m));
	} else {
		if (g->window > 0)
			reach = MIN(m, reach, group_value(m, "window", DIM_TOKENS, g->window));
		if (g->top_k > 0) {
			struct expr *top = group_value(m, "top_k", DIM_TOKENS, g->top_k);

			reach = MIN(m, reach, g->stride > 1
			    ? MUL(m, top, group_value(m, "stride", DIM_TOKENS, g->stride)) : top);
		}
		sum = MUL(m, reach, SUB(m, tokens, DIV(m, reach, constant(m, 2))));
		if (g->stride > 1)
			sum = DIV(m, sum, group_value(m, "stride", DIM_TOKENS, g->stride));
	}
	m->tokens = kept;
	return in_part(m, expr_define(sum, name, DIM_COUNT));
}

static struct expr *
attended(struct maker *m)
{
	struct expr *all = attended_by(m, m->tokens, "attended");

	return m->start != NULL ? SUB(m, all, attended_by(m, m->start, "attended_before")) : all;
}

static struct expr *
prompt_compute(struct maker *m, const struct part *p)
{
	const struct sizing_group *g = m->group;
	double query = g->prefill_query_width > 0 ? g->prefill_query_width : g->query_width;
	double output = g->prefill_output_width > 0 ? g->prefill_output_width : g->output_width;
	struct expr *per_second = compute_rate(m, &m->r->attention_path);

	if (!(g->heads > 0) || per_second == NULL)
		return NULL;
	return DIV(m, times(m, p->fill, MUL(m, group_readers(m), constant(m, 2), group_value(m, "heads", DIM_COUNT, g->heads),
	    ADD(m, group_value(m, "prefill_query_width", DIM_COUNT, query),
	    group_value(m, "prefill_output_width", DIM_COUNT, output)), attended(m))),
	    MUL(m, devices_used(m), per_second));
}

/* Each row of the prompt is written or read once at the least. */
static struct expr *
prompt_attention_part(struct maker *m)
{
	struct part p = part_of(m, m->start != NULL ? SUB(m, m->tokens, m->start) : m->tokens);
	struct expr *row = row_bytes(m), *compute = prompt_compute(m, &p), *write = NULL;

	if (row != NULL)
		write = timed(m, DIV(m, MUL(m, group_layers(m), prompt_rows(m), row), MUL(m, devices_used(m), bandwidth(m))),
		    "write_seconds");
	if (compute == NULL)
		return write;
	compute = timed(m, compute, "compute_seconds");
	return write != NULL ? MAX(m, write, compute) : compute;
}

static struct expr *
prompt_compute_part(struct maker *m)
{
	struct part p = part_of(m, m->tokens);

	return prompt_compute(m, &p);
}

struct expr *
prompt_weights(struct maker *m)
{
	struct part p = part_of(m, prompt_tokens(m));

	return prompt_classes(m, &p, true, false);
}

struct expr *
prompt_linear(struct maker *m)
{
	struct part p = part_of(m, prompt_tokens(m));

	return prompt_classes(m, &p, false, true);
}

struct expr *
prompt_attention(struct maker *m)
{
	m->tokens = prompt_tokens(m);
	return over_groups(m, prompt_compute_part);
}

/* The part that ends at `end`. A prompt sends while it computes: the longer of both counts. */
static struct expr *
part_time(struct maker *m, struct expr *start, struct expr *end)
{
	struct expr *tokens = start != NULL ? expr_define(SUB(m, end, start), "tokens_computed", DIM_TOKENS) : end;
	struct part p = part_of(m, tokens);
	struct expr *linear = prompt_classes(m, &p, true, true), *links, *sum;

	m->start = start;
	m->tokens = end;
	links = part_links(m, tokens);
	if (links != NULL)
		linear = MAX(m, linear, timed(m, links, "link_seconds"));
	sum = ADD(m, linear, over_groups(m, prompt_attention_part));
	m->start = NULL;
	return sum;
}

struct expr *
prompt_time(struct maker *m)
{
	return part_time(m, NULL, prompt_tokens(m));
}

struct expr *
prefix_tokens(struct maker *m)
{
	return FLOOR(m, MUL(m, input_of(m, INPUT_REUSE, "reuse"), prompt_tokens(m)));
}

/* The last token is computed in any case. */
struct expr *
prompt_reused(struct maker *m)
{
	struct expr *prompt = prompt_tokens(m);

	if (!(m->in->load.reuse > 0))
		return MUL(m, result_of(m, "prefill.seconds"));
	return part_time(m, expr_define(MIN(m, prefix_tokens(m), SUB(m, prompt, constant(m, 1))),
	    "tokens_reused", DIM_TOKENS), prompt);
}

struct expr *
prefix_time(struct maker *m)
{
	return part_time(m, NULL, expr_define(prefix_tokens(m), "prefix", DIM_TOKENS));
}

struct expr *
prefix_bytes(struct maker *m)
{
	struct expr *bytes = bytes_kept(m, expr_define(prefix_tokens(m), "prefix", DIM_TOKENS));

	if (m->r->state_bytes_per_sequence > 0)
		bytes = ADD(m, bytes, expr_define(state_bytes(m), "sequence_state", DIM_BYTES));
	return expr_define(bytes, "prefix_bytes", DIM_BYTES);
}
