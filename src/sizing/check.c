#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>
#include <stdint.h>

/*
 * Tables of fields: where a number lies and what it may be. The bounds keep every product and
 * quotient of the module finite, so nothing after the check has to ask.
 */
enum {
	OPTIONAL = 1, /* 0 says none or not known */
	WHOLE = 2,
	SIGNED = 4,   /* below 0 has a meaning of its own */
};

struct field {
	const char *name;
	size_t offset;
	int rule;
	double min, max;
};

#define FIELD(type, member, name, rule, min, max) \
	{name, offsetof(struct type, member), rule, min, max}
#define COUNT(type, member, name, rule) \
	FIELD(type, member, name, (rule) | WHOLE, 1, SIZING_MAX_COUNT)

static const struct field MODEL_FIELDS[] = {
	COUNT(sizing_model, width, "model.width", OPTIONAL),
	COUNT(sizing_model, vocabulary, "model.vocabulary", OPTIONAL),
	FIELD(sizing_model, other_parameters, "model.other_parameters", OPTIONAL, 1,
	    SIZING_MAX_VALUE),
	FIELD(sizing_model, published_total, "model.published_total", OPTIONAL, 1,
	    SIZING_MAX_VALUE),
	FIELD(sizing_model, published_active, "model.published_active", OPTIONAL, 1,
	    SIZING_MAX_VALUE),
	FIELD(sizing_model, checkpoint_bytes, "model.checkpoint_bytes", OPTIONAL, 1,
	    SIZING_MAX_VALUE),
	COUNT(sizing_model, max_context, "model.max_context", OPTIONAL),
};

static const struct field GROUP_FIELDS[] = {
	COUNT(sizing_group, layers, "model.groups.layers", 0),
	COUNT(sizing_group, readers, "model.groups.readers", OPTIONAL),
	COUNT(sizing_group, key_width, "model.groups.key_width", OPTIONAL),
	COUNT(sizing_group, value_width, "model.groups.value_width", OPTIONAL),
	COUNT(sizing_group, index_width, "model.groups.index_width", OPTIONAL),
	FIELD(sizing_group, row_bytes, "model.groups.row_bytes", OPTIONAL, 1, SIZING_MAX_COUNT),
	COUNT(sizing_group, window, "model.groups.window", OPTIONAL),
	COUNT(sizing_group, stride, "model.groups.stride", OPTIONAL),
	COUNT(sizing_group, top_k, "model.groups.top_k", OPTIONAL),
	COUNT(sizing_group, source_rows, "model.groups.source_rows", OPTIONAL),
	COUNT(sizing_group, heads, "model.groups.heads", OPTIONAL),
	COUNT(sizing_group, query_width, "model.groups.query_width", OPTIONAL),
	COUNT(sizing_group, output_width, "model.groups.output_width", OPTIONAL),
	COUNT(sizing_group, prefill_query_width, "model.groups.prefill_query_width", OPTIONAL),
	COUNT(sizing_group, prefill_output_width, "model.groups.prefill_output_width", OPTIONAL),
	FIELD(sizing_group, projections, "model.groups.projections", OPTIONAL | SIGNED, 1,
	    SIZING_MAX_VALUE),
};

static const struct field FFN_FIELDS[] = {
	COUNT(sizing_ffn, layers, "model.ffn.layers", 0),
	COUNT(sizing_ffn, width, "model.ffn.width", 0),
	COUNT(sizing_ffn, matrices, "model.ffn.matrices", 0),
	COUNT(sizing_ffn, experts, "model.ffn.experts", OPTIONAL),
	FIELD(sizing_ffn, active, "model.ffn.active", OPTIONAL, 1, SIZING_MAX_COUNT),
	COUNT(sizing_ffn, shared, "model.ffn.shared", OPTIONAL),
	COUNT(sizing_ffn, shared_width, "model.ffn.shared_width", OPTIONAL),
	COUNT(sizing_ffn, input_width, "model.ffn.input_width", OPTIONAL),
};

#define PEAK(rate, name) FIELD(sizing_device, peak[rate], name, OPTIONAL, 1, SIZING_MAX_VALUE)

#define EFFICIENCY(rate, name) FIELD(sizing_device, efficiency[rate], name, OPTIONAL, 0.001, 1)

static const struct field DEVICE_FIELDS[] = {
	FIELD(sizing_device, visible_bytes, "device.visible_bytes", OPTIONAL, 1,
	    SIZING_MAX_DEVICE_BYTES),
	FIELD(sizing_device, usable_bytes, "device.usable_bytes", OPTIONAL, 1,
	    SIZING_MAX_DEVICE_BYTES),
	FIELD(sizing_device, usable_fraction, "device.usable_fraction", OPTIONAL, 0.001, 1),
	FIELD(sizing_device, bandwidth, "device.bandwidth", 0, 1, SIZING_MAX_VALUE),
	PEAK(SIZING_BF16, "device.peak.bf16"),
	PEAK(SIZING_FP8, "device.peak.fp8"),
	PEAK(SIZING_FP4, "device.peak.fp4"),
	PEAK(SIZING_INT8, "device.peak.int8"),
	PEAK(SIZING_FP32, "device.peak.fp32"),
	EFFICIENCY(SIZING_BF16, "device.efficiency.bf16"),
	EFFICIENCY(SIZING_FP8, "device.efficiency.fp8"),
	EFFICIENCY(SIZING_FP4, "device.efficiency.fp4"),
	EFFICIENCY(SIZING_INT8, "device.efficiency.int8"),
	EFFICIENCY(SIZING_FP32, "device.efficiency.fp32"),
	FIELD(sizing_device, bandwidth_efficiency, "device.bandwidth_efficiency", OPTIONAL, 0.001, 1),
	FIELD(sizing_device, link, "device.link", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_device, link_latency, "device.link_latency", OPTIONAL, 1e-12, 1),
	COUNT(sizing_device, node, "device.node", OPTIONAL),
	FIELD(sizing_device, network, "device.network", OPTIONAL, 1, SIZING_MAX_VALUE),
	COUNT(sizing_device, domain, "device.domain", OPTIONAL),
};

static const struct field TIER_FIELDS[] = {
	FIELD(sizing_tier, bytes, "tiers.bytes", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, read_bandwidth, "tiers.read_bandwidth", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, write_bandwidth, "tiers.write_bandwidth", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, endurance, "tiers.endurance", OPTIONAL, 1e-3, SIZING_MAX_VALUE),
	FIELD(sizing_tier, life, "tiers.life", OPTIONAL, 1, SIZING_MAX_LOAD),
	FIELD(sizing_tier, latency, "tiers.latency", OPTIONAL, 1e-12, SIZING_MAX_LOAD),
	FIELD(sizing_tier, block_bytes, "tiers.block_bytes", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, unit_bytes, "tiers.unit_bytes", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, unit_read_bandwidth, "tiers.unit_read_bandwidth", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, unit_write_bandwidth, "tiers.unit_write_bandwidth", OPTIONAL, 1, SIZING_MAX_VALUE),
	FIELD(sizing_tier, unit_endurance, "tiers.unit_endurance", OPTIONAL, 1e-3, SIZING_MAX_VALUE),
};

#define LOAD(member, rule, min) \
	FIELD(sizing_load, member, "load." #member, rule, min, SIZING_MAX_LOAD)

static const struct field LOAD_FIELDS[] = {
	LOAD(prompt, OPTIONAL | WHOLE, 1),
	LOAD(output, OPTIONAL | WHOLE, 1),
	LOAD(context, OPTIONAL | WHOLE, 1),
	LOAD(concurrency, 0, 1),
	LOAD(sessions, OPTIONAL, 1),
	FIELD(sizing_load, reuse, "load.reuse", OPTIONAL | SIGNED, 1e-9, 1),
	LOAD(accelerators, OPTIONAL | WHOLE, 1),
	LOAD(ttft, OPTIONAL, 1e-9),
	LOAD(tpot, OPTIONAL, 1e-9),
	FIELD(sizing_load, runtime_bytes, "load.runtime_bytes", OPTIONAL, 1,
	    SIZING_MAX_DEVICE_BYTES),
	LOAD(layout.tensor, OPTIONAL | WHOLE, 1),
	LOAD(layout.attention, OPTIONAL | WHOLE, 1),
	LOAD(layout.pipeline, OPTIONAL | WHOLE, 1),
	LOAD(prefill_chunk, OPTIONAL | WHOLE, 1),
	FIELD(sizing_load, expert_imbalance, "load.expert_imbalance", OPTIONAL, 1, 1e6),
	FIELD(sizing_load, draft_tokens, "load.draft_tokens", OPTIONAL | WHOLE, 1, 1000),
	FIELD(sizing_load, acceptance, "load.acceptance", OPTIONAL, 1e-9, 1),
	FIELD(sizing_load, draft_cost, "load.draft_cost", OPTIONAL, 1e-9, 1000),
};

#define TABLE(fields) fields, sizeof fields / sizeof fields[0]

int
sizing_fail(struct sizing_error *error, const char *field, int index, const char *reason)
{
	*error = (struct sizing_error){.field = field, .index = index, .reason = reason};
	return -1;
}

/* NULL if the value is one that the field may have. */
static const char *
complaint(double value, const struct field *f)
{
	if (value == 0 && f->rule & OPTIONAL)
		return NULL;
	if (isnan(value))
		return "is not a number";
	if (isinf(value))
		return "is infinite";
	if (value == 0)
		return "is missing or zero";
	if (value < 0)
		return f->rule & SIGNED ? NULL : "is negative";
	if (value < f->min)
		return "is too small";
	if (value > f->max)
		return f->max == 1 ? "is more than 1" : "is absurdly large";
	if (f->rule & WHOLE && value != (double)(int64_t)value) /* max is far below 2^63 */
		return "is not a whole number";
	return NULL;
}

static int
check_fields(const void *from, int index, const struct field *fields, size_t count,
    struct sizing_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const double *value = (const double *)((const char *)from + fields[i].offset);
		const char *reason = complaint(*value, &fields[i]);

		if (reason != NULL)
			return sizing_fail(error, fields[i].name, index, reason);
	}
	return 0;
}

static int
check_dtype(const struct sizing_dtype *d, bool needed, const char *field, int index,
    struct sizing_error *error)
{
	if (d == NULL && !needed)
		return 0;
	if (d == NULL)
		return sizing_fail(error, field, index, "is missing: a dtype is not guessed");
	if (!(d->bits >= 0.125 && d->bits <= 128))
		return sizing_fail(error, field, index, "has no sensible bits per element");
	if (d->compute < 0 || d->compute >= SIZING_RATES)
		return sizing_fail(error, field, index, "has no rate to compute at");
	return 0;
}

static int
check_tensors(const struct sizing_dtype *const tensors[SIZING_CLASSES], const char *field,
    struct sizing_error *error)
{
	for (int i = 0; i < SIZING_CLASSES; i++)
		if (check_dtype(tensors[i], false, field, i, error) != 0)
			return -1;
	return 0;
}

static int
check_states(const struct sizing_group *g, int index, struct sizing_error *error)
{
	static const struct field ELEMENTS =
	    COUNT(sizing_state, elements, "model.groups.states.elements", 0);

	if (g->state_count > SIZING_MAX_STATES)
		return sizing_fail(error, "model.groups.state_count", index,
		    "is more than there is room for");
	for (size_t i = 0; i < g->state_count; i++)
		if (check_fields(&g->states[i], index, &ELEMENTS, 1, error) != 0 ||
		    check_dtype(g->states[i].dtype, true, "model.groups.states.dtype", index,
		    error) != 0)
			return -1;
	return 0;
}

static int
check_group(const struct sizing_group *g, int index, struct sizing_error *error)
{
	bool keys = g->key_width + g->value_width > 0;

	if (check_fields(g, index, TABLE(GROUP_FIELDS), error) != 0)
		return -1;
	if (g->readers > 0 && g->readers < g->layers)
		return sizing_fail(error, "model.groups.readers", index,
		    "is less than the layers that hold the rows");
	if (g->row_bytes > 0 && keys && g->index_width > 0)
		return sizing_fail(error, "model.groups.row_bytes", index,
		    "packs keys with an index: give the index a group of its own");
	if (g->heads > 0 && !(g->query_width + g->output_width > 0))
		return sizing_fail(error, "model.groups.query_width", index,
		    "is missing beside heads");
	return check_states(g, index, error);
}

static int
check_ffn(const struct sizing_ffn *f, int index, struct sizing_error *error)
{
	if (check_fields(f, index, TABLE(FFN_FIELDS), error) != 0)
		return -1;
	if (f->experts > 0 && !(f->active > 0))
		return sizing_fail(error, "model.ffn.active", index, "is missing beside experts");
	if (f->active > f->experts)
		return sizing_fail(error, "model.ffn.active", index,
		    "is more than the experts there are");
	return 0;
}

int
sizing_check_model(const struct sizing_model *m, struct sizing_error *error)
{
	bool needs_width = m->vocabulary > 0 || m->ffn_count > 0;

	if (check_fields(m, -1, TABLE(MODEL_FIELDS), error) != 0)
		return -1;
	if (m->group_count > SIZING_MAX_GROUPS)
		return sizing_fail(error, "model.group_count", -1,
		    "is more than there is room for");
	if (m->ffn_count > SIZING_MAX_FFN)
		return sizing_fail(error, "model.ffn_count", -1, "is more than there is room for");
	for (size_t i = 0; i < m->group_count; i++)
		if (check_group(&m->groups[i], (int)i, error) != 0)
			return -1;
	for (size_t i = 0; i < m->ffn_count; i++)
		if (check_ffn(&m->ffn[i], (int)i, error) != 0)
			return -1;
	if (!(m->published_total > 0) && m->group_count > 0)
		needs_width = true;
	if (needs_width && !(m->width > 0))
		return sizing_fail(error, "model.width", -1, "is missing or zero");
	if (check_tensors(m->checkpoint_tensors, "model.checkpoint_tensors", error) != 0)
		return -1;
	return check_dtype(m->checkpoint_dtype, false, "model.checkpoint_dtype", -1, error);
}

static int
check_device(const struct sizing_device *d, struct sizing_error *error)
{
	if (check_fields(d, -1, TABLE(DEVICE_FIELDS), error) != 0)
		return -1;
	if (d->usable_bytes > 0) {
		if (d->visible_bytes > 0 && d->usable_bytes > d->visible_bytes)
			return sizing_fail(error, "device.usable_bytes", -1,
			    "is more than is visible");
		return 0;
	}
	if (d->shared)
		return sizing_fail(error, "device.usable_bytes", -1,
		    "is missing: with shared memory it is an input");
	if (!(d->visible_bytes > 0))
		return sizing_fail(error, "device.visible_bytes", -1, "is missing or zero");
	if (!(d->usable_fraction > 0))
		return sizing_fail(error, "device.usable_fraction", -1, "is missing or zero");
	return 0;
}

/* A dtype of KV is needed as soon as one row is computed from it. */
static bool
needs_kv(const struct sizing_input *input)
{
	for (size_t i = 0; i < input->model.group_count; i++) {
		const struct sizing_group *g = &input->model.groups[i];

		if (g->row_bytes > 0)
			continue;
		if (g->key_width + g->value_width > 0 ||
		    (g->index_width > 0 && input->load.index == NULL))
			return true;
	}
	return false;
}

static int
check_layout(const struct sizing_load *load, const struct sizing_device *d,
    struct sizing_error *error)
{
	const struct sizing_layout *l = &load->layout;
	double devices = l->tensor * l->attention * l->pipeline;

	if (!(l->tensor + l->attention + l->pipeline > 0)) {
		if (l->expert || l->kv != SIZING_KV_COPY)
			return sizing_fail(error, "load.layout.tensor", -1, "is missing beside the rest");
		return 0;
	}
	if (!(devices > 0))
		return sizing_fail(error, "load.layout", -1,
		    "has none of one kind of rank: 1 is a layout without it");
	if ((int)l->kv < 0 || l->kv >= SIZING_KV_SPLITS)
		return sizing_fail(error, "load.layout.kv", -1, "is no way to split rows");
	if (devices > SIZING_MAX_LOAD)
		return sizing_fail(error, "load.layout", -1, "is absurdly large");
	if (load->accelerators > 0 && load->accelerators != devices)
		return sizing_fail(error, "load.layout", -1, "is not for so many accelerators");
	if (d->shared && devices > 1)
		return sizing_fail(error, "load.layout", -1, "is more than 1 with shared memory");
	return 0;
}

int
sizing_check_lengths(const struct sizing_load *load, double context, struct sizing_error *error)
{
	static const struct field FIELDS[] = {
		FIELD(sizing_length, share, "load.lengths.share", 0, 1e-9, 1),
		FIELD(sizing_length, tokens, "load.lengths.tokens", WHOLE, 1, SIZING_MAX_LOAD),
	};
	double sum = 0;

	if (load->length_count > SIZING_MAX_LENGTHS)
		return sizing_fail(error, "load.length_count", -1, "is more than there is room for");
	for (size_t i = 0; i < load->length_count; i++) {
		if (check_fields(&load->lengths[i], (int)i, TABLE(FIELDS), error) != 0)
			return -1;
		if (load->lengths[i].tokens > context)
			return sizing_fail(error, "load.lengths.tokens", (int)i,
			    "is longer than the context");
		sum += load->lengths[i].share;
	}
	if (load->length_count > 0 && fabs(sum - 1) > 1e-9)
		return sizing_fail(error, "load.lengths.share", -1, "does not add up to 1");
	return 0;
}

static int
check_load(const struct sizing_input *input, struct sizing_error *error)
{
	const struct sizing_load *load = &input->load;
	const struct sizing_device *d = &input->device;
	double usable = floor(d->usable_bytes > 0 ? d->usable_bytes
	                                          : d->visible_bytes * d->usable_fraction);

	if (check_fields(load, -1, TABLE(LOAD_FIELDS), error) != 0 ||
	    check_dtype(load->weights, true, "load.weights", -1, error) != 0 ||
	    check_dtype(load->kv, needs_kv(input), "load.kv", -1, error) != 0 ||
	    check_dtype(load->index, false, "load.index", -1, error) != 0 ||
	    check_dtype(load->activations, false, "load.activations", -1, error) != 0 ||
	    check_tensors(load->tensors, "load.tensors", error) != 0 ||
	    check_layout(load, d, error) != 0)
		return -1;
	if (load->draft_tokens > 0 && !(load->acceptance > 0))
		return sizing_fail(error, "load.acceptance", -1, "is missing beside draft tokens");
	if (load->sessions > 0 && load->sessions < load->concurrency)
		return sizing_fail(error, "load.sessions", -1, "is less than the concurrency");
	if (d->shared && load->accelerators > 1)
		return sizing_fail(error, "load.accelerators", -1,
		    "is more than 1 with shared memory");
	if (usable - ceil(load->runtime_bytes) < 1)
		return sizing_fail(error, "load.runtime_bytes", -1,
		    "leaves nothing of the usable bytes");
	return 0;
}

int
sizing_check(const struct sizing_input *input, struct sizing_error *error)
{
	if (sizing_check_model(&input->model, error) != 0 || check_device(&input->device, error) != 0)
		return -1;
	if (input->tier_count > SIZING_MAX_TIERS)
		return sizing_fail(error, "tier_count", -1, "is more than there is room for");
	for (size_t i = 0; i < input->tier_count; i++)
		if (check_fields(&input->tiers[i], (int)i, TABLE(TIER_FIELDS), error) != 0)
			return -1;
	return check_load(input, error);
}

int
sizing_tokens(struct sizing_case *c, const struct sizing_load *load, struct sizing_error *error)
{
	double context = load->context, prompt = load->prompt, output = load->output;

	if (context > 0 && prompt > 0) {
		if (prompt > context || (output > 0 && prompt + output != context))
			return sizing_fail(error, "load.context", -1, "is not prompt + output");
		output = context - prompt;
	} else if (context > 0) {
		if (output >= context)
			return sizing_fail(error, "load.output", -1,
			    "leaves nothing of the context to the prompt");
		prompt = context - output;
	} else {
		if (!(prompt > 0))
			return sizing_fail(error, "load.prompt", -1,
			    "is missing or zero, and no context is given");
		context = prompt + output;
	}
	if (context > SIZING_MAX_LOAD)
		return sizing_fail(error, "load.context", -1, "is absurdly large");
	c->context = context;
	c->prompt = prompt;
	c->output = output;
	return sizing_check_lengths(load, context, error);
}
