/*
 * Counts, budgets, the questions turned round, rates, prefill, targets and tiers. The machine
 * is made of round numbers so that every expected value can be worked out beside it.
 */
#include "unit.h"

#include "sizing_models.h"

static const struct sizing_dtype BYTE = {"byte", 8, SIZING_BF16};

/* 1000 B of weights; 10 B a token and sequence; devices of 600 B, 100 B/s and 50 op/s. */
static struct sizing_input
small(double context, double concurrency)
{
	return (struct sizing_input){
		.model = {
			.groups = {{.layers = 1, .key_width = 10}},
			.group_count = 1,
			.published_total = 1000,
		},
		.device = {.visible_bytes = 1000, .usable_fraction = 0.6, .bandwidth = 100,
		    .peak = {[SIZING_BF16] = 50}},
		.load = {.context = context, .concurrency = concurrency, .reuse = -1,
		    .weights = &BYTE,
		    .kv = &BYTE},
	};
}

static void
assert_balanced(const struct sizing_budget *b)
{
	assert_true(b->weights + b->kv + b->index + b->state + b->activations + b->communication +
	    b->runtime + b->free == b->usable + b->missing);
	assert_true(b->free == 0 || b->missing == 0);
}

static void
counts_and_jumps(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_result r = size_up(&in);

	(void)state;
	/* 1000 + 200 = 2 x 600, to the byte */
	assert_same(r.by_capacity, 2);
	assert_same(r.for_weights, 2);
	assert_same(r.added_by_kv, 0);
	assert_same(r.needed, 2);
	assert_same(r.fits_concurrency, 1);
	assert_same(r.fits_context, 20);
	assert_same(r.next_jump_concurrency, 2);
	assert_same(r.budget.weights, 500);
	assert_same(r.budget.kv, 100);
	assert_same(r.budget.free, 0);
	assert_balanced(&r.budget);
	in.load.concurrency = 2;
	r = size_up(&in);
	assert_same(r.by_capacity, 3); /* 1400 / 600 */
	assert_same(r.added_by_kv, 1);
	assert_same(r.fits_concurrency, 4); /* 800 / 200 */
	assert_same(r.fits_context, 40);
	assert_same(r.next_jump_concurrency, 5);
	assert_same(r.crossover_concurrency, 5);
	assert_same(r.crossover_context, 50);
	assert_false(r.near_crossover);
	in.load.concurrency = 4;
	assert_true(size_up(&in).near_crossover); /* 4 of 5: within 25 % */
	in.load.concurrency = 5;
	r = size_up(&in);
	assert_int_equal(r.capacity, SIZING_WEIGHTS); /* equal is not more */
	assert_same(r.kv_to_weights, 1);
	in.load.concurrency = 6;
	assert_int_equal(size_up(&in).capacity, SIZING_KV);
}

static void
runtime_comes_off_every_device(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_result r;

	(void)state;
	in.load.runtime_bytes = 100;
	r = size_up(&in);
	assert_same(r.by_capacity, 3); /* 1200 / 500 */
	assert_same(r.usable_per_device, 600);
	assert_same(r.budget.runtime, 100);
	assert_same(r.budget.weights, 334); /* 333.3 on the fullest */
	assert_same(r.budget.kv, 66);       /* and 400 of both */
	assert_same(r.budget.free, 100);
	assert_balanced(&r.budget);
}

static void
devices_given(void **state)
{
	struct sizing_input in = small(20, 2);
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 2;
	r = size_up(&in);
	assert_false(r.fits);
	assert_same(r.by_capacity, 3);
	assert_same(r.needed, 3);
	assert_same(r.fits_concurrency, 1);
	assert_same(r.fits_context, 10);
	assert_same(r.budget.missing, 100); /* 700 on each */
	assert_balanced(&r.budget);
	assert_same(r.decode.seconds, 0);
	assert_same(r.decode.devices, 0);
	assert_same(r.next_jump_concurrency, 5); /* of by_capacity, whatever they have */
	in.load.accelerators = 5;
	r = size_up(&in);
	assert_true(r.fits);
	assert_same(r.decode.devices, 5);
	assert_same(r.fits_concurrency, 10); /* (3000 - 1000) / 200 */
	assert_same(r.budget.free, 600 - 280);
	in.load.accelerators = 1;
	r = size_up(&in);
	assert_same(r.fits_concurrency, 0);
	assert_same(r.fits_context, 0);
}

/* A phone or a laptop: the usable bytes are an input, the count is 1. */
static void
shared_memory(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_result r;

	(void)state;
	in.device.shared = true;
	in.device.usable_bytes = 1000;
	in.device.usable_fraction = 0;
	r = size_up(&in);
	assert_false(r.fits);
	assert_same(r.needed, 1);
	assert_same(r.by_capacity, 2);
	assert_same(r.fits_concurrency, 0);
	assert_same(r.next_jump_concurrency, 0);
	in.device.visible_bytes = 0;
	in.device.usable_bytes = 1705;
	in.load.tpot = 1;
	r = size_up(&in);
	assert_true(r.fits);
	assert_same(r.needed, 1);
	assert_same(r.fits_concurrency, 3);
	assert_same(r.fits_context, 70);
	/* 2 x 1000 op at 50/s are 40 s, 200 B at 100 B/s 2 s: 42 devices would do, there is one */
	assert_same(r.decode.seconds, 42);
	assert_same(r.devices_for_tpot, 42);
	assert_false(r.meets_tpot);
}

static void
inverse_answers_are_exact(void **state)
{
	/* 3 x min(T, 7) x 10 + ceil(T / 4) x 8 bytes */
	struct sizing_input in = small(5, 1);
	struct sizing_result r;

	(void)state;
	in.model.groups[0].layers = 3;
	in.model.groups[0].window = 7;
	in.model.groups[1] = (struct sizing_group){.layers = 1, .key_width = 8, .stride = 4};
	in.model.group_count = 2;
	in.load.accelerators = 2;
	/* 200 B are left: 3 x 10 x 6 = 180 and ceil(6 / 4) x 8 = 16; 7 tokens want 226 */
	assert_same(size_up(&in).fits_context, 6);
	in.device.visible_bytes = 1100; /* 660 each, 320 left: 210 + 8 x 13 = 314 up to T = 52 */
	r = size_up(&in);
	assert_same(r.fits_context, 52);
	/* 1000 = 210 + 8 x 98.75: the 99th row comes with T = 4 x 98 + 1 */
	assert_same(r.crossover_context, 393);
	in.device.visible_bytes = 9e15;
	in.device.usable_fraction = 1;
	assert_same(size_up(&in).fits_context, SIZING_MAX_LOAD);
}

static void
rates(void **state)
{
	const struct {
		const char *weights, *activations;
		enum sizing_rate asked, on_h200, on_v5e;
	} table[] = {
		{"bf16", NULL, SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"fp8", NULL, SIZING_FP8, SIZING_FP8, SIZING_BF16},
		{"fp8", "bf16", SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"nvfp4", NULL, SIZING_FP4, SIZING_BF16, SIZING_BF16},
		{"mxfp4", "fp8", SIZING_FP8, SIZING_FP8, SIZING_BF16},
		{"int8", NULL, SIZING_INT8, SIZING_INT8, SIZING_INT8},
		{"int8", "bf16", SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"int8", "fp8", SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"int4", NULL, SIZING_INT8, SIZING_INT8, SIZING_INT8},
		{"int4", "fp16", SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"bf16", "fp8", SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"q8_0", NULL, SIZING_BF16, SIZING_BF16, SIZING_BF16},
		{"fp32", NULL, SIZING_FP32, SIZING_BF16, SIZING_BF16},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct sizing_input in = {.model = {.published_total = 1e9}, .device = h200(),
		    .load = load(table[i].weights, NULL, 1, 1)};
		struct sizing_result r;

		if (table[i].activations != NULL)
			in.load.activations = DTYPE(table[i].activations);
		r = size_up(&in);
		assert_int_equal(r.linear_path.asked, table[i].asked);
		assert_int_equal(r.linear_path.used, table[i].on_h200);
		assert_same(r.linear_path.operations, in.device.peak[table[i].on_h200]);
		in.device = tpu_v5e();
		assert_int_equal(size_up(&in).linear_path.used, table[i].on_v5e);
	}
}

/* No rate published: compute is not known, which is not a time of its own. */
static void
no_rate(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_result r;

	(void)state;
	in.device.peak[SIZING_BF16] = 0;
	in.device.peak[SIZING_INT8] = 1e12;
	r = size_up(&in);
	assert_same(r.linear_path.operations, 0);
	assert_same(r.decode.linear_compute_seconds, 0);
	assert_same(r.decode.seconds, 6); /* 1200 B at 200 B/s */
	assert_same(r.critical_batch, 0);
	assert_int_equal(r.prefill.bottleneck, SIZING_WEIGHTS);
}

/* Two devices: 200 B/s, 100 op/s. */
static void
step_by_terms(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_group *g = &in.model.groups[0];
	struct sizing_result r;

	(void)state;
	in.model.published_active = 10; /* so that compute does not count */
	r = size_up(&in);
	assert_same(r.decode.weights_seconds, 5);
	assert_same(r.decode.kv_seconds, 1);
	assert_same(r.decode.seconds, 6);
	assert_same(r.decode.tokens_per_second, 1 / 6.0);
	assert_int_equal(r.decode.bottleneck, SIZING_WEIGHTS);

	/* 2 x 4 x (5 + 5) = 80 operations on a row of 10 B: 16 s against 1 s */
	g->heads = 4;
	g->query_width = g->output_width = 5;
	r = size_up(&in);
	assert_same(r.decode.attention_compute_seconds, 16);
	assert_same(r.decode.kv_seconds, 1);
	assert_same(r.decode.attention_seconds, 16);
	assert_same(r.decode.counted[SIZING_KV], 0);
	assert_same(r.decode.counted[SIZING_ATTENTION_COMPUTE], 16);
	assert_int_equal(r.decode.bottleneck, SIZING_ATTENTION_COMPUTE);

	/* Per group: another that is bound by bytes adds its own and is not hidden. */
	in.model.groups[1] = (struct sizing_group){.layers = 1, .key_width = 10};
	in.model.group_count = 2;
	in.load.accelerators = 4; /* 400 B/s, 200 op/s */
	r = size_up(&in);
	assert_same(r.decode.attention_seconds, 8 + 0.5);

	/* States are read and written: 2 x 1000 B at 400 B/s */
	in.model.groups[1] = (struct sizing_group){.layers = 1, .states = {{1000, &BYTE}},
	    .state_count = 1};
	r = size_up(&in);
	assert_same(r.state_bytes, 1000);
	assert_same(r.decode.state_seconds, 5);
	assert_same(r.decode.seconds, 2.5 + 8 + 5);

	/* 2 x 1000 operations for a token: 10 s against 2.5 s */
	in.model.published_active = 1000;
	r = size_up(&in);
	assert_same(r.decode.linear_compute_seconds, 10);
	assert_same(r.decode.linear_seconds, 10);
	assert_same(r.decode.counted[SIZING_WEIGHTS], 0);
	assert_int_equal(r.decode.bottleneck, SIZING_LINEAR_COMPUTE);
}

static void
index_counts_as_kv_in_time(void **state)
{
	struct sizing_input in = small(100, 1);
	struct sizing_result r;

	(void)state;
	in.model.published_active = 1;
	in.model.groups[0].top_k = 40; /* 400 of 1000 B */
	in.model.groups[1] = (struct sizing_group){.layers = 1, .index_width = 7, .also_on = true};
	in.model.group_count = 2;
	in.load.accelerators = 5; /* 500 B/s */
	r = size_up(&in);
	assert_same(r.kv_bytes, 1700);
	assert_same(r.index_bytes, 700);
	assert_same(r.kv_bytes_read_per_step, 1100);
	assert_same(r.decode.weights_seconds, 2);
	assert_near(r.decode.kv_seconds, 0.8, 1e-15);
	assert_near(r.decode.index_seconds, 1.4, 1e-15);
	assert_int_equal(r.decode.bottleneck, SIZING_KV); /* 2.2 together */
	assert_same(r.budget.kv + r.budget.index, 340);
	assert_balanced(&r.budget);
	/* in capacity it is a term of its own */
	in.load.context = 1000;
	in.model.groups[1].index_width = 100;
	in.load.accelerators = 0;
	assert_int_equal(size_up(&in).capacity, SIZING_INDEX);
}

/* A product runs at the rate of what it multiplies: the index's, the KV's, each group its own. */
static void
attention_rates(void **state)
{
	struct sizing_input in = small(100, 1);
	struct sizing_group *g = in.model.groups;
	const struct sizing_dtype fp8 = {"fp8", 8, SIZING_FP8};
	struct sizing_result r;

	(void)state;
	in.device.peak[SIZING_FP8] = 100;
	in.load.accelerators = 4; /* 400 B/s, 200 and 400 op/s */
	in.load.index = &fp8;
	g[0].heads = 1;
	g[0].query_width = 10; /* 20 operations on 10 B: 100 rows 10 s */
	g[1] = (struct sizing_group){.layers = 1, .index_width = 1, .heads = 1, .query_width = 10,
	    .also_on = true}; /* the same twice as fast */
	in.model.group_count = 2;
	r = size_up(&in);
	assert_same(r.decode.attention_compute_seconds, 10 + 5);
	/* Read by three layers: three times the operations, on rows kept once. */
	g[0].readers = 3;
	r = size_up(&in);
	assert_same(r.decode.attention_compute_seconds, 30 + 5);
	assert_same(r.kv_bytes, 1100);
	/* Both in one row: its operations take longer than its keys, not than all of it. */
	g[0].readers = 1;
	g[0].index_width = 40;
	in.load.accelerators = 20; /* 2000 B/s, 1000 op/s: 2 s, and 0.5 + 2 s */
	in.model.group_count = 1;
	r = size_up(&in);
	assert_same(r.decode.attention_seconds, 2.5);
	assert_same(r.decode.counted[SIZING_INDEX], 2);
}

/* Rows attended to: T^2 / 2; m T - m^2 / 2 within a window of m; over the stride; T x source. */
static void
prefill_attention(void **state)
{
	const struct {
		struct sizing_group group;
		double rows;
	} table[] = {
		{{.layers = 1}, 5000},
		{{.layers = 2}, 10000},
		{{.layers = 1, .readers = 3}, 15000},
		{{.layers = 1, .window = 10}, 10 * 100 - 50},
		{{.layers = 1, .window = 200}, 5000},
		{{.layers = 1, .stride = 4}, 1250},
		{{.layers = 1, .top_k = 10}, 950},
		{{.layers = 1, .stride = 4, .top_k = 10}, (40 * 100 - 800) / 4.0},
		{{.layers = 1, .source_rows = 30}, 3000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct sizing_input in = small(100, 1);
		struct sizing_group *g = &in.model.groups[0];

		*g = table[i].group;
		g->key_width = 10;
		g->heads = 3;
		g->query_width = 4;
		g->output_width = 1;
		assert_near(size_up(&in).prefill.attention_operations, table[i].rows * 30, 1e-12);
		/* decode absorbed, prefill not */
		g->prefill_query_width = 2;
		g->prefill_output_width = 2;
		assert_near(size_up(&in).prefill.attention_operations, table[i].rows * 24, 1e-12);
	}
}

static void
prefill_with_reuse(void **state)
{
	struct sizing_input in = small(100, 1);
	struct sizing_group *g = &in.model.groups[0];
	struct sizing_result r;

	(void)state;
	g->heads = 1;
	g->query_width = g->output_width = 5; /* 20 operations a row */
	in.load.accelerators = 4;             /* 400 B/s, 200 op/s */
	r = size_up(&in);
	/* 100 x 2000 / 200 = 1000 s and 5000 x 20 / 200 = 500 s */
	assert_same(r.prefill.linear_compute_seconds, 1000);
	assert_same(r.prefill.attention_compute_seconds, 500);
	assert_same(r.prefill.kv_write_seconds, 2.5);
	assert_same(r.prefill.seconds, 1500);
	assert_same(r.prefill.seconds_reused, 1500); /* reuse is not known */
	in.load.reuse = 0.6;
	r = size_up(&in);
	/* 40 tokens: 400 s; their rows 5000 - 60^2 / 2 = 3200: 320 s */
	assert_same(r.prefill.seconds, 1500);
	assert_same(r.prefill.seconds_reused, 720);
	in.load.ttft = 1000; /* met with reuse only: not for a prompt that is new */
	assert_false(size_up(&in).meets_ttft);
	in.load.ttft = 1500;
	assert_true(size_up(&in).meets_ttft);
	in.load.reuse = 1; /* the last token in any case: 10 s, and 99.5 rows 9.95 s */
	assert_near(size_up(&in).prefill.seconds_reused, 19.95, 1e-12);
	in.load.reuse = 0;
	assert_same(size_up(&in).prefill.seconds_reused, 1500);
	/* context = prompt + output, of which prefill sees the prompt */
	in.load.output = 60;
	r = size_up(&in);
	assert_same(r.prompt, 40);
	assert_same(r.prefill.linear_compute_seconds, 400);
}

static void
targets(void **state)
{
	struct sizing_input in = small(20, 1);
	struct sizing_result r;

	(void)state;
	in.model.published_active = 10;
	in.load.tpot = 1.5; /* 12 device-seconds: 8 devices, exactly */
	in.load.ttft = 100;
	r = size_up(&in);
	assert_same(r.needed, 2);
	assert_same(r.devices_for_tpot, 8);
	assert_same(r.devices_for_ttft, 2); /* and not less than what holds it */
	assert_false(r.meets_tpot);
	assert_true(r.meets_ttft);
	in.load.accelerators = 8;
	r = size_up(&in);
	assert_true(r.meets_tpot);
	assert_same(r.devices_for_tpot, 8);
	/* 12 / (12 / 47.0) is a rounding over 47, and still no device more */
	in.load.tpot = 12 / 47.0;
	assert_same(size_up(&in).devices_for_tpot, 47);
	in.load.tpot = 1.499;
	assert_same(size_up(&in).devices_for_tpot, 9);
	/* A target holds for a prompt not seen before. */
	in.load.ttft = 1.3; /* 1000 B at 800 B/s, and 200 B of rows: 1.5 s on 8 */
	in.load.reuse = 0.9;
	r = size_up(&in);
	assert_same(r.prefill.seconds, 1.5);
	assert_false(r.meets_ttft);
	assert_same(r.devices_for_ttft, 10); /* 12 / 1.3 = 9.2 */
	in.load.tpot = in.load.ttft = 0;
	r = size_up(&in);
	assert_same(r.devices_for_tpot, 0);
	assert_false(r.meets_tpot);
}

static void
verdicts(void **state)
{
	struct sizing_input in = small(100, 1);
	struct sizing_result r;

	(void)state;
	in.load.reuse = 0.5;
	in.load.sessions = 3; /* 2 idle x 1000 B */
	in.tier_count = 5;
	in.tiers[0] = (struct sizing_tier){.bytes = 2000, .read_bandwidth = 100};
	in.tiers[1] = (struct sizing_tier){.bytes = 1999, .read_bandwidth = 100};
	/* The prefix is 500 B; 4 devices compute it in 50 x 2000 / 200 = 500 s and write it in
	 * 500 / 400 = 1.25 s. At 1 B/s it comes back in 500, just in time. */
	in.tiers[2] = (struct sizing_tier){.bytes = 2000, .read_bandwidth = 1};
	in.tiers[3] = (struct sizing_tier){.bytes = 2000, .read_bandwidth = 0};
	in.tiers[4] = (struct sizing_tier){.bytes = 0, .read_bandwidth = 100};
	r = size_up(&in);
	assert_same(r.needed, 4);
	assert_same(r.idle_kv_bytes, 2000);
	assert_same(r.placements[0].bytes, 2000);
	assert_same(r.placements[0].prefix_bytes, 500);
	assert_same(r.placements[0].load_seconds, 5);
	assert_same(r.placements[0].recompute_seconds, 501.25);
	assert_same(r.placements[0].break_even_bandwidth, 500 / 501.25);
	assert_int_equal(r.placements[0].verdict, SIZING_TIER_FITS);
	assert_int_equal(r.placements[1].verdict, SIZING_TIER_TOO_SMALL);
	assert_int_equal(r.placements[2].verdict, SIZING_TIER_FITS);
	assert_int_equal(r.placements[3].verdict, SIZING_TIER_UNKNOWN);
	assert_int_equal(r.placements[4].verdict, SIZING_TIER_UNKNOWN);
	in.device.peak[SIZING_BF16] = 50.2; /* 499.25 s in all: too late */
	assert_int_equal(size_up(&in).placements[2].verdict, SIZING_TIER_SLOWER_THAN_RECOMPUTE);
	in.device.peak[SIZING_BF16] = 50;
	in.load.ttft = 507.4; /* 5 to load; 500 for the rest, and 1000 / 400 for the rows of both */
	assert_int_equal(size_up(&in).placements[0].verdict, SIZING_TIER_MISSES_TTFT);
	in.load.ttft = 507.5;
	assert_int_equal(size_up(&in).placements[0].verdict, SIZING_TIER_FITS);
	in.load.reuse = -1;
	r = size_up(&in);
	assert_int_equal(r.placements[0].verdict, SIZING_TIER_UNKNOWN);
	assert_same(r.placements[0].break_even_bandwidth, 0);
	in.load.reuse = 0;
	assert_int_equal(size_up(&in).placements[0].verdict, SIZING_TIER_NOTHING_REUSED);
	in.load.reuse = 0.5;
	in.load.accelerators = 1; /* does not fit: no time, so no verdict on time */
	r = size_up(&in);
	assert_int_equal(r.placements[0].verdict, SIZING_TIER_UNKNOWN);
	assert_int_equal(r.placements[1].verdict, SIZING_TIER_TOO_SMALL);
	in.load.sessions = 0;
	assert_int_equal(size_up(&in).placements[0].verdict, SIZING_TIER_NOTHING_IDLE);
}

static void
model_context_is_compared_only(void **state)
{
	struct sizing_input in = small(100, 1);

	(void)state;
	in.model.max_context = 100;
	assert_false(size_up(&in).beyond_max_context);
	in.load.context = 101;
	assert_true(size_up(&in).beyond_max_context);
	assert_same(size_up(&in).kv_bytes, 1010);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_jumps),
		cmocka_unit_test(runtime_comes_off_every_device),
		cmocka_unit_test(devices_given),
		cmocka_unit_test(shared_memory),
		cmocka_unit_test(inverse_answers_are_exact),
		cmocka_unit_test(rates),
		cmocka_unit_test(no_rate),
		cmocka_unit_test(step_by_terms),
		cmocka_unit_test(index_counts_as_kv_in_time),
		cmocka_unit_test(attention_rates),
		cmocka_unit_test(prefill_attention),
		cmocka_unit_test(prefill_with_reuse),
		cmocka_unit_test(targets),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(model_context_is_compared_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
