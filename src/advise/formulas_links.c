/* What crosses the links, collective by collective, as sizing/links.c has it. */
#include "advise/formulas_int.h"

enum collective { ALL_REDUCE, ALL_TO_ALL, GATHER, NEXT_STAGE, COLLECTIVES };

static const char *const collective_names[] = { "all-reduce", "all-to-all", "all-gather", "next stage" };

enum { MAX_SENT = 3 * SIZING_MAX_GROUPS + SIZING_MAX_FFN + 2 };

struct pass { /* through all layers, as in sizing/links.c */
	struct expr *tokens, *of_group; /* of the replica, and of one attention group */
	struct expr *times;             /* how often it is made; NULL: once */
	struct expr *bytes[COLLECTIVES][MAX_SENT + 1], *seconds[MAX_SENT + 1];
	size_t count[COLLECTIVES], seconds_count;
};

static struct expr *
left_out(struct maker *m, struct expr *ranks)
{
	return DIV(m, SUB(m, ranks, constant(m, 1)), ranks);
}

/* The slower of both where a collective leaves the domain. */
static struct expr *
link_rate(struct maker *m, bool outside, bool network_alone)
{
	const struct sizing_device *d = &m->in->device;
	struct expr *link = device_value(m, "link", DIM_BYTES_PER_SECOND, d->link, "sources.link");
	struct expr *network = device_value(m, "network", DIM_BYTES_PER_SECOND, d->network, "sources.network");

	if (!outside || !(d->network > 0))
		return d->link > 0 ? link : NULL;
	return network_alone || !(d->link > 0) ? network : MIN(m, link, network);
}

static struct expr *
repeated(struct maker *m, const struct pass *p, struct expr *count, struct expr *e)
{
	e = MUL(m, count, e);
	return p->times != NULL ? MUL(m, p->times, e) : e;
}

/* `count` collectives of `bytes` a device each over so many ranks, in so many rounds of hops. */
static void
collect(struct maker *m, struct pass *p, enum collective kind, struct expr *count, struct expr *bytes,
    struct expr *ranks, double rounds)
{
	const struct sizing_device *d = &m->in->device;
	struct expr *rate, *time;

	if (!(count->value > 0) || !(ranks->value > 1))
		return;
	bytes = expr_define(bytes, "collective_bytes", DIM_BYTES);
	bytes->detail = collective_names[kind];
	bytes->part = m->part;
	p->bytes[kind][p->count[kind]++] = repeated(m, p, count, bytes);
	rate = link_rate(m, d->domain > 0 && ranks->value > d->domain, false);
	if (rate == NULL)
		return;
	time = DIV(m, bytes, rate);
	if (d->link_latency > 0)
		time = MAX(m, MUL(m, constant(m, rounds), device_value(m, "link_latency", DIM_SECONDS, d->link_latency,
		    "sources.link"), DIV(m, ranks, constant(m, 2))), time);
	p->seconds[p->seconds_count++] = repeated(m, p, count, time);
}

static void
send_tensor(struct maker *m, struct pass *p, struct expr *layers)
{
	struct expr *ranks = tensor_ways(m);

	if (ranks->value > 1)
		collect(m, p, ALL_REDUCE, layers, MUL(m, constant(m, 2), left_out(m, ranks), p->of_group, residual_width(m), element_bytes(m)),
		    ranks, 2);
}

static void
send_experts(struct maker *m, struct pass *p, const struct sizing_ffn *f)
{
	struct expr *layers = in_part(m, model_value(m, "layers", DIM_COUNT, f->layers, "ffn.source"));
	struct expr *ranks = stage_ranks(m);
	struct expr *token = MUL(m, f->input_width > 0
	    ? in_part(m, model_value(m, "input_width", DIM_COUNT, f->input_width, "ffn.source")) : residual_width(m), element_bytes(m));

	if (m->layout->expert && ranks->value > 1)
		collect(m, p, ALL_TO_ALL, MUL(m, constant(m, 2), layers), MUL(m, DIV(m, p->tokens, ranks),
		    in_part(m, model_value(m, "experts_active", DIM_COUNT, f->active, "ffn.source")), token,
		    left_out(m, ranks)), ranks, 1);
	else if (m->layout->attention > 1)
		collect(m, p, GATHER, MUL(m, constant(m, 2), layers), MUL(m, p->tokens, token, left_out(m, ranks)), ranks, 1);
	else if (!m->layout->expert)
		send_tensor(m, p, layers);
}

/* Rows split beyond the KV heads: queries go to where their rows are, outputs come back. */
static void
send_queries(struct maker *m, struct pass *p)
{
	const struct sizing_group *g = m->group;
	double heads = m->c->caches[g - m->in->model.groups].kv_heads;
	struct expr *ranks = tensor_ways(m), *spread, *sent;
	bool batch = m->layout->kv == SIZING_KV_BATCH;

	if (m->layout->kv == SIZING_KV_COPY || row_bytes(m) == NULL)
		return;
	spread = expr_define(DIV(m, ranks, MIN(m, ranks, group_value(m, "kv_heads", DIM_COUNT, heads))), "spread", DIM_COUNT);
	sent = DIV(m, MUL(m, p->of_group, group_value(m, "heads", DIM_COUNT, g->heads),
	    ADD(m, group_value(m, "query_width", DIM_COUNT, g->query_width),
	    group_value(m, "output_width", DIM_COUNT, g->output_width)), element_bytes(m)), MUL(m, constant(m, 2), ranks));
	sent = MUL(m, sent, left_out(m, spread));
	collect(m, p, batch ? ALL_TO_ALL : GATHER, MUL(m, constant(m, 2), group_readers(m)),
	    batch ? sent : MUL(m, sent, spread), spread, 1);
}

static void
send_stages(struct maker *m, struct pass *p)
{
	const struct sizing_device *d = &m->in->device;
	struct expr *stages = result_of(m, "layout.pipeline"), *bytes, *count, *rate, *time;

	if (!(m->layout->pipeline > 1))
		return;
	bytes = expr_define(DIV(m, MUL(m, p->of_group, residual_width(m), element_bytes(m)), tensor_ways(m)), "collective_bytes", DIM_BYTES);
	bytes->detail = collective_names[NEXT_STAGE];
	count = SUB(m, stages, constant(m, 1));
	p->bytes[NEXT_STAGE][p->count[NEXT_STAGE]++] = repeated(m, p, count, bytes);
	rate = link_rate(m, d->domain > 0 && devices_used(m)->value > d->domain, true);
	if (rate == NULL)
		return;
	time = DIV(m, bytes, rate);
	if (d->link_latency > 0)
		time = MAX(m, device_value(m, "link_latency", DIM_SECONDS, d->link_latency, "sources.link"), time);
	p->seconds[p->seconds_count++] = repeated(m, p, count, time);
}

/* For each group, or for each feed-forward: with m->group and m->part set. */
static void
send_groups(struct maker *m, struct pass *p, void (*send)(struct maker *m, struct pass *p))
{
	const struct sizing_model *model = &m->in->model;

	for (size_t i = 0; i < model->group_count; i++) {
		m->group = &model->groups[i];
		m->part = model->group_count > 1 ? (int)i + 1 : 0;
		send(m, p);
	}
	m->group = NULL;
	m->part = 0;
}

static void
send_mixer(struct maker *m, struct pass *p)
{
	if (!m->group->also_on)
		send_tensor(m, p, m->group->readers > m->group->layers ? group_readers(m) : group_layers(m));
}

/* All attention groups share a prompt's tokens, so each needs the rows of the others. */
static void
send_rows(struct maker *m, struct pass *p)
{
	struct expr *ranks = result_of(m, "layout.attention"), *row = row_bytes(m);

	if (row != NULL && m->layout->attention > 1)
		collect(m, p, GATHER, group_layers(m), MUL(m, DIV(m, MUL(m, prompt_rows(m), row), kv_ways(m)), left_out(m, ranks)),
		    ranks, 1);
}

static void
send_layers(struct maker *m, struct pass *p)
{
	const struct sizing_model *model = &m->in->model;

	send_groups(m, p, send_mixer);
	for (size_t i = 0; i < model->ffn_count; i++) {
		m->part = model->ffn_count > 1 ? (int)i + 1 : 0;
		if (model->ffn[i].experts > 0)
			send_experts(m, p, &model->ffn[i]);
		else
			send_tensor(m, p, in_part(m, model_value(m, "layers", DIM_COUNT, model->ffn[i].layers, "ffn.source")));
	}
	m->part = 0;
	send_stages(m, p);
}

/* NULL: none is sent. */
static struct expr *
sum_of(struct maker *m, struct expr **parts)
{
	struct expr *sum;

	if (parts[0] == NULL)
		return NULL;
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "collectives";
	return sum;
}

static struct pass *
step_pass(struct maker *m)
{
	struct pass *p = arena_alloc(m->a, sizeof *p);

	if (m->layout == NULL)
		return p;
	p->tokens = m->each != NULL ? MUL(m, stage_batch(m), m->each) : stage_batch(m);
	p->of_group = m->each != NULL ? MUL(m, rank_sequences(m), m->each) : rank_sequences(m);
	send_layers(m, p);
	send_groups(m, p, send_queries);
	return p;
}

struct expr *
sent_in_all_reduces(struct maker *m)
{
	return sum_of(m, step_pass(m)->bytes[ALL_REDUCE]);
}

struct expr *
sent_in_all_to_alls(struct maker *m)
{
	return sum_of(m, step_pass(m)->bytes[ALL_TO_ALL]);
}

struct expr *
sent_in_gathers(struct maker *m)
{
	return sum_of(m, step_pass(m)->bytes[GATHER]);
}

struct expr *
sent_to_next_stage(struct maker *m)
{
	return sum_of(m, step_pass(m)->bytes[NEXT_STAGE]);
}

struct expr *
step_links(struct maker *m)
{
	return sum_of(m, step_pass(m)->seconds);
}

/* m->tokens: the end of the part. */
struct expr *
part_links(struct maker *m, struct expr *tokens)
{
	struct pass *p = arena_alloc(m->a, sizeof *p);
	struct expr *sum, *longer;

	if (m->layout == NULL)
		return NULL;
	p->times = chunks(m, tokens);
	p->tokens = p->times != NULL ? DIV(m, tokens, p->times) : tokens;
	p->of_group = m->layout->attention > 1 ? DIV(m, p->tokens, result_of(m, "layout.attention")) : p->tokens;
	send_layers(m, p);
	p->times = NULL;
	send_groups(m, p, send_rows);
	sum = sum_of(m, p->seconds);
	if (sum == NULL || m->layout->pipeline == 1)
		return sum;
	longer = fill(m, tokens);
	/* The stages send side by side, once chunks fill them. */
	return DIV(m, longer != NULL ? MUL(m, sum, longer) : sum, result_of(m, "layout.pipeline"));
}

struct expr *
prompt_links(struct maker *m)
{
	m->tokens = prompt_tokens(m);
	return part_links(m, m->tokens);
}
