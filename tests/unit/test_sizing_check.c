/*
 * Hostile input: every field of the input in turn gets every value that it may not have, and
 * the error has to name it. A field that is new and not checked fails here.
 */
#include "unit.h"

#include <string.h>

#include "sizing_models.h"

static struct sizing_input
full_input(void)
{
	struct sizing_input in = {
		.model = deepseek_v3(),
		.device = h200(),
		.load = load("fp8", "bf16", 4096, 8),
		.tiers = {{.bytes = 1e12, .read_bandwidth = 1e9}},
		.tier_count = 1,
	};

	in.model.groups[0].states[0] = (struct sizing_state){64, DTYPE("fp32")};
	in.model.groups[0].state_count = 1;
	return in;
}

enum { MAY_BE_0 = 1, MAY_BE_NEGATIVE = 2, MAY_BE_BROKEN = 4 };

struct place {
	const char *field;
	int index;
	size_t offset;
	int may;
	double absurd;
};

#define AT(member) offsetof(struct sizing_input, member)
#define MODEL(f, may, max) {"model." #f, -1, AT(model.f), may, max}
#define GROUP(f, may) {"model.groups." #f, 0, AT(model.groups[0].f), may, 1e13}
#define FFN(f, may) {"model.ffn." #f, 1, AT(model.ffn[1].f), may, 1e13}
#define DEVICE(f, may, max) {"device." #f, -1, AT(device.f), may, max}
#define PEAK_OF(rate, name) {"device.peak." name, -1, AT(device.peak[rate]), \
	MAY_BE_0 | MAY_BE_BROKEN, 1e19}
#define TIER(f, max) {"tiers." #f, 0, AT(tiers[0].f), MAY_BE_0 | MAY_BE_BROKEN, max}
#define EFFICIENCY_OF(rate, name) {"device.efficiency." name, -1, \
	AT(device.efficiency[rate]), MAY_BE_0 | MAY_BE_BROKEN, 1.001}
#define LOAD_OF(f, may, max) {"load." #f, -1, AT(load.f), may, max}

static const struct place PLACES[] = {
	MODEL(width, 0, 1e13),
	MODEL(vocabulary, MAY_BE_0, 1e13),
	MODEL(other_parameters, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	MODEL(published_total, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	MODEL(published_active, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	MODEL(checkpoint_bytes, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	MODEL(max_context, MAY_BE_0, 1e13),
	GROUP(layers, 0),
	GROUP(readers, MAY_BE_0),
	GROUP(key_width, MAY_BE_0),
	GROUP(value_width, MAY_BE_0),
	GROUP(index_width, MAY_BE_0),
	GROUP(row_bytes, MAY_BE_0 | MAY_BE_BROKEN),
	GROUP(window, MAY_BE_0),
	GROUP(stride, MAY_BE_0),
	GROUP(top_k, MAY_BE_0),
	GROUP(source_rows, MAY_BE_0),
	GROUP(heads, MAY_BE_0),
	GROUP(query_width, MAY_BE_0),
	GROUP(output_width, MAY_BE_0),
	GROUP(prefill_query_width, MAY_BE_0),
	GROUP(prefill_output_width, MAY_BE_0),
	{"model.groups.projections", 0, AT(model.groups[0].projections),
	    MAY_BE_0 | MAY_BE_NEGATIVE | MAY_BE_BROKEN, 1e19},
	{"model.groups.states.elements", 0, AT(model.groups[0].states[0].elements), 0, 1e13},
	FFN(layers, 0),
	FFN(width, 0),
	FFN(matrices, 0),
	FFN(experts, 0),
	FFN(active, MAY_BE_BROKEN),
	FFN(shared, MAY_BE_0),
	FFN(shared_width, MAY_BE_0),
	FFN(input_width, MAY_BE_0),
	DEVICE(visible_bytes, MAY_BE_BROKEN, 1e16),
	DEVICE(usable_bytes, MAY_BE_0 | MAY_BE_BROKEN, 1e16),
	DEVICE(usable_fraction, MAY_BE_BROKEN, 1.001),
	DEVICE(bandwidth, MAY_BE_BROKEN, 1e19),
	PEAK_OF(SIZING_BF16, "bf16"),
	PEAK_OF(SIZING_FP8, "fp8"),
	PEAK_OF(SIZING_FP4, "fp4"),
	PEAK_OF(SIZING_INT8, "int8"),
	PEAK_OF(SIZING_FP32, "fp32"),
	EFFICIENCY_OF(SIZING_BF16, "bf16"),
	EFFICIENCY_OF(SIZING_FP8, "fp8"),
	EFFICIENCY_OF(SIZING_FP4, "fp4"),
	EFFICIENCY_OF(SIZING_INT8, "int8"),
	EFFICIENCY_OF(SIZING_FP32, "fp32"),
	DEVICE(bandwidth_efficiency, MAY_BE_0 | MAY_BE_BROKEN, 1.001),
	DEVICE(link, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	DEVICE(link_latency, MAY_BE_0 | MAY_BE_BROKEN, 2),
	DEVICE(node, MAY_BE_0, 1e13),
	DEVICE(network, MAY_BE_0 | MAY_BE_BROKEN, 1e19),
	DEVICE(domain, MAY_BE_0, 1e13),
	TIER(bytes, 1e19),
	TIER(read_bandwidth, 1e19),
	TIER(write_bandwidth, 1e19),
	TIER(endurance, 1e19),
	TIER(life, 1e10),
	TIER(latency, 1e10),
	TIER(block_bytes, 1e19),
	TIER(unit_bytes, 1e19),
	TIER(unit_read_bandwidth, 1e19),
	TIER(unit_write_bandwidth, 1e19),
	TIER(unit_endurance, 1e19),
	LOAD_OF(context, MAY_BE_0, 1e10),
	LOAD_OF(prompt, MAY_BE_0, 1e10),
	LOAD_OF(output, MAY_BE_0, 1e10),
	LOAD_OF(concurrency, MAY_BE_BROKEN, 1e10),
	LOAD_OF(sessions, MAY_BE_0 | MAY_BE_BROKEN, 1e10),
	LOAD_OF(reuse, MAY_BE_0 | MAY_BE_NEGATIVE | MAY_BE_BROKEN, 1.001),
	LOAD_OF(accelerators, MAY_BE_0, 1e10),
	LOAD_OF(ttft, MAY_BE_0 | MAY_BE_BROKEN, 1e10),
	LOAD_OF(tpot, MAY_BE_0 | MAY_BE_BROKEN, 1e10),
	LOAD_OF(runtime_bytes, MAY_BE_0 | MAY_BE_BROKEN, 1e16),
	LOAD_OF(prefill_chunk, MAY_BE_0, 1e10),
	LOAD_OF(expert_imbalance, MAY_BE_0 | MAY_BE_BROKEN, 1e7),
	LOAD_OF(draft_tokens, MAY_BE_0, 1e4),
	LOAD_OF(acceptance, MAY_BE_0 | MAY_BE_BROKEN, 1.001),
	LOAD_OF(draft_cost, MAY_BE_0 | MAY_BE_BROKEN, 1e4),
	LOAD_OF(layout.tensor, MAY_BE_0, 1e10),
	LOAD_OF(layout.attention, MAY_BE_0, 1e10),
	LOAD_OF(layout.pipeline, MAY_BE_0, 1e10),
	{"load.lengths.share", 0, AT(load.lengths[0].share), MAY_BE_BROKEN, 1.001},
	{"load.lengths.tokens", 0, AT(load.lengths[0].tokens), 0, 1e10},
};

static int
run_with(const struct place *p, double value, struct sizing_error *error)
{
	struct sizing_input in = full_input();
	struct sizing_result r;

	in.load.lengths[0] = (struct sizing_length){1, 1};
	in.load.length_count = 1;
	memcpy((char *)&in + p->offset, &value, sizeof value);
	*error = (struct sizing_error){0};
	return sizing_run(&r, &in, error);
}

static void
assert_refused(const struct place *p, double value)
{
	struct sizing_error error;

	if (run_with(p, value, &error) == 0) {
		print_error("%s = %g was accepted\n", p->field, value);
		fail();
	}
	if (strcmp(error.field, p->field) != 0 || error.index != p->index)
		print_error("%s = %g: %s (%d) %s\n", p->field, value, error.field, error.index,
		    error.reason);
	assert_string_equal(error.field, p->field);
	assert_int_equal(error.index, p->index);
	assert_non_null(error.reason);
}

static void
every_field_is_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
		const struct place *p = &PLACES[i];

		assert_refused(p, NAN);
		assert_refused(p, INFINITY);
		assert_refused(p, -INFINITY);
		assert_refused(p, p->absurd);
		assert_refused(p, 1e300);
		assert_refused(p, 5e-324);
		if (!(p->may & MAY_BE_NEGATIVE))
			assert_refused(p, -1);
		if (!(p->may & MAY_BE_BROKEN))
			assert_refused(p, 1.5);
		if (!(p->may & MAY_BE_0) && strcmp(p->field, "model.ffn.experts") != 0)
			assert_refused(p, 0);
	}
}

/* The table above lists every double of the input; a struct that has grown by one says so here. */
static void
no_field_is_forgotten(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct sizing_tier, shared_link), 11 * sizeof(double));
	assert_int_equal(sizeof(struct sizing_ffn), 8 * sizeof(double));
	assert_int_equal(offsetof(struct sizing_group, states), 16 * sizeof(double));
	assert_int_equal(offsetof(struct sizing_device, shared), (10 +
	    2 * SIZING_RATES) * sizeof(double));
	assert_int_equal(sizeof(struct sizing_length), 2 * sizeof(double));
	assert_int_equal(sizeof(struct sizing_layout), 4 * sizeof(double)); /* the last two are no doubles */
	assert_int_equal(sizeof(struct sizing_load), 10 * sizeof(double) + 4 * sizeof(void *) +
	    SIZING_CLASSES * sizeof(void *) + SIZING_MAX_LENGTHS * sizeof(struct sizing_length) +
	    sizeof(size_t) + sizeof(struct sizing_layout) + 5 * sizeof(double));
	assert_int_equal(sizeof PLACES / sizeof PLACES[0],
	    7 + 16 + 1 + 8 + (10 + 2 * SIZING_RATES) + 11 + 10 + 5 + 3 + 2);
}

static void
assert_error(const struct sizing_input *in, const char *field, int index)
{
	struct sizing_result r;
	struct sizing_error error = {0};

	assert_int_equal(sizing_run(&r, in, &error), -1);
	assert_string_equal(error.field, field);
	assert_int_equal(error.index, index);
}

static void
dtypes_are_not_guessed(void **state)
{
	const struct sizing_dtype bad[] = {
		{"zero", 0, SIZING_BF16}, {"negative", -8, SIZING_BF16}, {"nan", NAN, SIZING_BF16},
		{"huge", 1e9, SIZING_BF16}, {"inf", INFINITY, SIZING_BF16}, {"rate", 8,
		    SIZING_RATES},
		{"rate", 8, -1},
	};
	struct sizing_input in = full_input();

	(void)state;
	in.load.weights = NULL;
	assert_error(&in, "load.weights", -1);
	in = full_input();
	in.load.kv = NULL;
	assert_error(&in, "load.kv", -1);
	in = full_input();
	in.model.groups[0].states[0].dtype = NULL;
	assert_error(&in, "model.groups.states.dtype", 0);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		in = full_input();
		in.load.weights = &bad[i];
		assert_error(&in, "load.weights", -1);
		in = full_input();
		in.load.kv = &bad[i];
		assert_error(&in, "load.kv", -1);
		in = full_input();
		in.load.index = &bad[i];
		assert_error(&in, "load.index", -1);
		in = full_input();
		in.load.activations = &bad[i];
		assert_error(&in, "load.activations", -1);
		in = full_input();
		in.model.checkpoint_dtype = &bad[i];
		assert_error(&in, "model.checkpoint_dtype", -1);
		in = full_input();
		in.model.groups[0].states[0].dtype = &bad[i];
		assert_error(&in, "model.groups.states.dtype", 0);
	}
	/* An index row that has no dtype of its own takes the KV's, so that one is needed. */
	in = full_input();
	in.model.groups[0] = (struct sizing_group){.layers = 1, .index_width = 8, .projections = 1};
	in.load.kv = NULL;
	assert_error(&in, "load.kv", -1);
	in.load.index = DTYPE("fp8");
	assert_same(size_up(&in).index_bytes_per_sequence, 4096 * 8);
}

static void
counts_beyond_the_arrays(void **state)
{
	struct sizing_input in = full_input();

	(void)state;
	in.model.group_count = SIZING_MAX_GROUPS + 1;
	assert_error(&in, "model.group_count", -1);
	in = full_input();
	in.model.ffn_count = SIZING_MAX_FFN + 1;
	assert_error(&in, "model.ffn_count", -1);
	in = full_input();
	in.model.groups[0].state_count = SIZING_MAX_STATES + 1;
	assert_error(&in, "model.groups.state_count", 0);
	in = full_input();
	in.tier_count = (size_t)-1;
	assert_error(&in, "tier_count", -1);
}

static void
fields_against_each_other(void **state)
{
	struct sizing_input in = full_input();

	(void)state;
	in.model.ffn[1].active = 257;
	assert_error(&in, "model.ffn.active", 1);
	in = full_input();
	in.model.ffn[0].active = 2; /* of no experts */
	assert_error(&in, "model.ffn.active", 0);
	in = full_input();
	in.model.groups[0].readers = 60; /* of 61 layers */
	assert_error(&in, "model.groups.readers", 0);
	in = full_input();
	in.model.groups[0].row_bytes = 656;
	in.model.groups[0].index_width = 128;
	assert_error(&in, "model.groups.row_bytes", 0);
	in = full_input();
	in.model.groups[0].query_width = in.model.groups[0].output_width = 0;
	assert_error(&in, "model.groups.query_width", 0);
	in = full_input();
	in.model.published_total = 30e9;
	in.model.published_active = 31e9;
	assert_error(&in, "model.published_active", -1);
	in = full_input();
	in.device.usable_bytes = in.device.visible_bytes + 1;
	assert_error(&in, "device.usable_bytes", -1);
	in = full_input();
	in.device.shared = true;
	assert_error(&in, "device.usable_bytes", -1);
	in.device.usable_bytes = 1e11;
	in.load.accelerators = 2;
	assert_error(&in, "load.accelerators", -1);
	in = full_input();
	in.load.sessions = 7;
	assert_error(&in, "load.sessions", -1);
	in = full_input();
	in.load.runtime_bytes = 140e9;
	assert_error(&in, "load.runtime_bytes", -1);
	in = (struct sizing_input){.device = h200(), .load = load("fp8", NULL, 1, 1)};
	assert_error(&in, "model.published_total", -1);
}

static void
context_is_prompt_and_output(void **state)
{
	const struct {
		double context, prompt, output;
		const char *refused;
		double result[3];
	} table[] = {
		{100, 0, 0, NULL, {100, 100, 0}},
		{0, 100, 0, NULL, {100, 100, 0}},
		{0, 80, 20, NULL, {100, 80, 20}},
		{100, 80, 20, NULL, {100, 80, 20}},
		{100, 80, 0, NULL, {100, 80, 20}},
		{100, 0, 20, NULL, {100, 80, 20}},
		{100, 100, 0, NULL, {100, 100, 0}},
		{100, 80, 21, "load.context", {0}},
		{100, 101, 0, "load.context", {0}},
		{100, 0, 100, "load.output", {0}},
		{0, 0, 20, "load.prompt", {0}},
		{0, 0, 0, "load.prompt", {0}},
		{0, 1e9, 1, "load.context", {0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct sizing_input in = full_input();
		struct sizing_result r;

		in.load.context = table[i].context;
		in.load.prompt = table[i].prompt;
		in.load.output = table[i].output;
		if (table[i].refused != NULL) {
			assert_error(&in, table[i].refused, -1);
			continue;
		}
		r = size_up(&in);
		assert_same(r.context, table[i].result[0]);
		assert_same(r.prompt, table[i].result[1]);
		assert_same(r.output, table[i].result[2]);
	}
}

static void
a_zeroed_input_is_refused(void **state)
{
	const struct sizing_input in = {0};

	(void)state;
	assert_error(&in, "device.bandwidth", -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_checked),
		cmocka_unit_test(no_field_is_forgotten),
		cmocka_unit_test(dtypes_are_not_guessed),
		cmocka_unit_test(counts_beyond_the_arrays),
		cmocka_unit_test(fields_against_each_other),
		cmocka_unit_test(context_is_prompt_and_output),
		cmocka_unit_test(a_zeroed_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
