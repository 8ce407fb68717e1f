#include "advise/formulas.h"

#include <math.h>
#include <string.h>

#include "advise/formulas_int.h"
#include "advise/result.h"

struct expr *
constant(struct maker *m, double value)
{
	return expr_constant(m->a, value);
}

struct expr *
result_of(struct maker *m, const char *key)
{
	struct quantity q;

	/* Where the key has no figure (a time of what does not fit) the caller does not ask for it. */
	if (!result_quantity(&q, m->w, key))
		return expr_leaf(m->a, key, DIM_COUNT, NAN, QUANTITY_CALCULATED, key);
	return expr_leaf(m->a, key, q.unit->dimension, q.value, QUANTITY_CALCULATED, key);
}

/* The engine's value of an input, which may be worked out from another. */
static double
input_value(struct maker *m, enum input_id id)
{
	switch (id) {
	case INPUT_CONCURRENCY:
		return m->r->concurrency;
	case INPUT_SESSIONS:
		return m->r->sessions;
	default:
		return m->w->inputs[id].q.value;
	}
}

struct expr *
input_of(struct maker *m, enum input_id id, const char *name)
{
	const struct input *in = &m->w->inputs[id];
	enum input_id from = id;
	enum dimension dimension = in->q.unit != NULL ? in->q.unit->dimension : DIM_COUNT;

	if (id == INPUT_SESSIONS && !in->known)
		from = INPUT_CONCURRENCY;
	if (from == INPUT_CONCURRENCY && !m->w->inputs[from].known)
		from = INPUT_REQUESTS;
	in = &m->w->inputs[from];
	return expr_leaf(m->a, name, dimension, input_value(m, id),
	    from == INPUT_REQUESTS ? QUANTITY_CALCULATED : in->kind, input_name(from));
}

static struct expr *
profile_value(struct maker *m, const struct val *body, const struct val *inline_body, const char *name,
    enum dimension dimension, double value, const char *path)
{
	return expr_leaf(m->a, name, dimension, value, inline_body != NULL ? QUANTITY_STATED : QUANTITY_PUBLISHED,
	    val_text(val_path(body, path)));
}

struct expr *
model_value(struct maker *m, const char *name, enum dimension dimension, double value, const char *path)
{
	return profile_value(m, m->w->model, m->w->inputs[INPUT_MODEL].profile, name, dimension, value, path);
}

struct expr *
device_value(struct maker *m, const char *name, enum dimension dimension, double value, const char *path)
{
	return profile_value(m, m->w->device, m->w->inputs[INPUT_ACCELERATOR].profile, name, dimension, value, path);
}

struct expr *
group_value(struct maker *m, const char *name, enum dimension dimension, double value)
{
	size_t i = (size_t)(m->group - m->in->model.groups);
	struct expr *e = model_value(m, name, dimension, value, arena_printf(m->a, "groups.%zu.source", i));

	e->part = m->part;
	return e;
}

struct expr *
over_groups(struct maker *m, group_part *part)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *parts[SIZING_MAX_GROUPS + 1] = { NULL }, *sum;
	size_t n = 0;

	for (size_t i = 0; i < model->group_count; i++) {
		m->group = &model->groups[i];
		m->part = model->group_count > 1 ? (int)i + 1 : 0;
		parts[n] = part(m);
		n += parts[n] != NULL;
	}
	m->group = NULL;
	m->part = 0;
	if (n == 0)
		return constant(m, 0);
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "groups";
	return sum;
}

struct expr *
over_ffn(struct maker *m, ffn_part *part)
{
	const struct sizing_model *model = &m->in->model;
	struct expr *parts[SIZING_MAX_FFN + 1] = { NULL }, *sum;
	size_t n = 0;

	for (size_t i = 0; i < model->ffn_count; i++) {
		m->part = model->ffn_count > 1 ? (int)i + 1 : 0;
		parts[n] = part(m, &model->ffn[i]);
		n += parts[n] != NULL;
	}
	m->part = 0;
	if (n == 0)
		return constant(m, 0);
	sum = expr_of(m->a, EXPR_SUM, parts);
	sum->each = "ffn";
	return sum;
}

static const struct row {
	const char *key;
	struct expr *(*make)(struct maker *m);
} rows[] = {
	{ "parameters.total", parameters_total },
	{ "parameters.active", parameters_active },
	{ "weights.bytes", weights },
	{ "state.bytes", states },
	{ "index.bytes", index_keys },
	{ "kv.bytes_per_token", kv_per_token },
	{ "kv.growth_per_token", kv_growth },
	{ "kv.bytes_per_sequence", kv_per_sequence },
	{ "kv.bytes", kv },
	{ "kv.bytes_read_per_step", kv_read },
	{ "kv.idle_bytes", kv_idle },
	{ "kv_to_weights", ratio },
	{ "crossover.concurrency", crossover },
	{ "crossover.whole_sequences", whole_crossover },
	{ "crossover.context", crossover_context },
	{ "fits.concurrency", fits_concurrency },
	{ "fits.context", fits_context },
	{ "accelerators.by_capacity", by_capacity },
	{ "accelerators.by_layout", by_layout },
	{ "accelerators.needed", needed },
	{ "accelerators.for_weights", for_weights },
	{ "accelerators.added_by_kv", added_by_kv },
	{ "accelerators.next_jump_concurrency", next_jump },
	{ "accelerators.for_ttft", for_ttft },
	{ "accelerators.for_tpot", for_tpot },
	{ "per_device.bytes", device_bytes },
	{ "per_device.bandwidth", device_bandwidth },
	{ "prefill.seconds", prompt_time },
	{ "prefill.seconds_reused", prompt_reused },
	{ "prefill.weights_seconds", prompt_weights },
	{ "prefill.linear_compute_seconds", prompt_linear },
	{ "prefill.attention_compute_seconds", prompt_attention },
	{ "prefill.interconnect_seconds", prompt_links },
	{ "prefill.tokens_per_second", prompt_rate },
	{ "decode.step_seconds", step },
	{ "decode.weights_seconds", step_weights },
	{ "decode.kv_seconds", step_kv },
	{ "decode.index_seconds", step_index },
	{ "decode.state_seconds", step_state },
	{ "decode.linear_compute_seconds", step_linear },
	{ "decode.attention_compute_seconds", step_attention },
	{ "decode.interconnect_seconds", step_links },
	{ "decode.tokens_per_second", decode_rate },
	{ "decode.tokens_per_second_device", per_device },
	{ "decode.tokens_per_second_user", per_user },
	{ "interconnect.all_reduce_bytes", sent_in_all_reduces },
	{ "interconnect.all_to_all_bytes", sent_in_all_to_alls },
	{ "interconnect.gather_bytes", sent_in_gathers },
	{ "interconnect.point_to_point_bytes", sent_to_next_stage },
	{ "interconnect.decode_ways", decode_ways },
	{ "interconnect.prefill_ways", prefill_ways },
	{ "interconnect.latency_bound_bytes", latency_bound },
	{ "interconnect.latency_ways", latency_ways },
	{ "interconnect.two_d_devices", two_d_devices },
	{ "interconnect.two_d_ways", two_d_ways },
	{ "interconnect.two_d_share", two_d_share },
	{ "operations_per_token", operations_per_token },
	{ "critical_batch", critical_batch },
	{ "decode.speculative_tokens_per_step", accepted },
	{ "decode.speculative_step_seconds", drafted_step },
	{ "decode.speculative_seconds_per_token", drafted_seconds },
	{ "decode.speculative_tokens_per_second", drafted_rate },
	{ "decode.speculative_gain", drafted_gain },
	{ "serving.requests_per_second", requests },
	{ "serving.decode_share", decode_share },
	{ "serving.interleaved_tokens_per_second", interleaved_tokens },
	{ "serving.interleaved_requests_per_second", interleaved_requests },
	{ "prefill.batched_seconds", batched },
	{ "serving.prefill_per_decode", prefill_per_decode },
	{ "serving.transfer_bytes", transfer },
	{ "serving.transfer_bandwidth", transfer_rate },
	{ "serving.transfer_hidden_bandwidth", transfer_hidden },
	{ "budget.usable", usable },
	{ "budget.weights", budget_weights },
	{ "budget.kv", budget_kv },
	{ "budget.index", budget_index },
	{ "budget.state", budget_state },
	{ "budget.activations", activations },
	{ "budget.communication", communication },
	{ "budget.runtime", budget_runtime },
	{ "budget.free", budget_free },
	{ "budget.missing", budget_missing },
};

bool
formula_quantity(struct quantity *out, const struct workload *w, const char *key)
{
	size_t tier, row;

	if (formula_tier_key(&tier, &row, w, key))
		return result_tier_quantity(out, w, tier, formula_tier_row(row));
	return result_quantity(out, w, key);
}

const char *
formula_tier_name(size_t i)
{
	return formula_tier_row(i);
}

bool
formula_is_searched(const struct workload *w, const char *key)
{
	static const char *const searched[] = { "layout.", "fits.", "accelerators.by_layout", "accelerators.needed",
		"accelerators.for_t", "accelerators.next_jump_concurrency" };

	for (size_t i = 0; i < sizeof searched / sizeof *searched && !w->in.device.shared; i++)
		if (strncmp(key, searched[i], strlen(searched[i])) == 0)
			return true;
	return false;
}

struct expr *
formula_of(struct arena *a, const struct workload *w, const char *key)
{
	struct maker m = { .a = a, .w = w, .in = &w->in, .r = &w->out };
	struct sizing_case *opened = arena_alloc(a, sizeof *opened);
	struct sizing_error error;
	size_t tier, row;

	if (!w->sized || sizing_open(opened, &w->in, &error) != 0)
		return NULL;
	m.c = opened;
	m.layout = w->out.layout.tensor > 0 ? &w->out.layout : NULL;
	/* Of the stages the fullest one is what the budget is of. */
	if (m.layout != NULL && m.layout->pipeline > 1 && layout_weights(&m)->value != w->out.budget.weights)
		m.middle = true;
	if (formula_tier_key(&tier, &row, w, key))
		return formula_tier(&m, tier, row);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].key, key) == 0)
			return rows[i].make(&m);
	return NULL;
}
