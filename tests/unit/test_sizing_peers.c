/*
 * Cases that made other calculators wrong, with the right value and how to get it. The public
 * report of each is named where there is one.
 */
#include "unit.h"

#include "sizing_models.h"

static struct sizing_input
on_h200(struct sizing_model m, struct sizing_load l)
{
	return (struct sizing_input){.model = m, .device = h200(), .load = l};
}

/* DeepSeek-V3, fp8 weights of 688.59 GB, bf16 latent, 64 sequences of 128K on H200. */
static void
mla_inversion(void **state)
{
	struct sizing_input in = on_h200(deepseek_v3(), load("fp8", "bf16", 131072, 64));
	struct sizing_result r = size_up(&in);

	(void)state;
	assert_same(r.computed_total, 671026419200);
	assert_true(r.weights_from_checkpoint);
	assert_same(r.kv_bytes_per_token, 70272);
	assert_same(r.kv_bytes, 589484261376);
	assert_near(r.kv_to_weights, 0.8561, 1e-4);
	assert_int_equal(r.capacity, SIZING_WEIGHTS);
	assert_near(r.crossover_concurrency, 74.76, 1e-4); /* 688.59e9 / (70272 x 131072) */
	assert_true(r.near_crossover);
	/* 688.59e9 / (64 x 70272) = 153,108.6 tokens */
	assert_same(r.crossover_context, 153109);
	/* usable 135,679,338,086: 1278.07 / 135.68 = 9.42 and 688.59 / 135.68 = 5.08 */
	assert_same(r.usable_per_device, 135679338086);
	assert_same(r.by_capacity, 10);
	assert_same(r.for_weights, 6);
	assert_same(r.added_by_kv, 4);
	/* (1,356.79e9 - 688.59e9) / 9.2107e9 = 72.5 */
	assert_same(r.fits_concurrency, 72);
	assert_same(r.next_jump_concurrency, 73);
	/* One latent for 128 heads: 128 x 2 x 1088 operations on a row of 1152 B are 241.8 a byte,
	 * and H200 does 206 in bf16: decode is bound by attention compute where it is not by KV. */
	assert_true(r.decode.attention_compute_seconds > r.decode.kv_seconds);
	assert_near(r.decode.attention_compute_seconds / r.decode.kv_seconds, 241.78 / 206.04,
	    1e-4);
	assert_same(r.decode.counted[SIZING_KV], 0);

	in.load.weights = DTYPE("nvfp4");
	r = size_up(&in);
	assert_false(r.weights_from_checkpoint);
	assert_same(r.by_capacity, 8); /* 4.5 bits: 7.13 to 7.18; bare 4 bits would be 6.87: 7 */
	in.load.weights = DTYPE("fp8");
	in.load.kv = DTYPE("fp8");
	r = size_up(&in);
	assert_same(r.by_capacity, 8); /* 7.25 */
	/* At the fp8 rate of 412 a byte of 576 carries 483.6: compute still. */
	assert_int_equal(r.attention_path.used, SIZING_FP8);

	/* The published count instead of the files: 685e9 gives 0.8606 and 74.37. */
	in.load.kv = DTYPE("bf16");
	in.model.checkpoint_bytes = 685e9;
	r = size_up(&in);
	assert_near(r.kv_to_weights, 0.8606, 1e-4);
	assert_near(r.crossover_concurrency, 74.37, 1e-4);
	/* The main model alone, 671e9: 0.88, 72.85, as weight-bound; and the devices of other bits: 671e9 x 4.5 / 8 +
	 * 589.5e9 over 135.68e9 is 7.13 and with bare 4 bits 6.82 (7.18 and 6.87 from 685e9). */
	in.model.checkpoint_bytes = 671e9;
	r = size_up(&in);
	assert_near(r.kv_to_weights, 0.88, 2e-3);
	assert_near(r.crossover_concurrency, 72.85, 1e-4);
	assert_int_equal(r.capacity, SIZING_WEIGHTS);
	in.model.published_total = 685e9;
	in.load.weights = DTYPE("nvfp4");
	r = size_up(&in);
	assert_near((r.weight_bytes + r.kv_bytes) / r.usable_per_device, 7.18, 1e-3);
	in.load.weights = DTYPE("fp4");
	r = size_up(&in);
	assert_near((r.weight_bytes + r.kv_bytes) / r.usable_per_device, 6.87, 1e-3);
	assert_same(r.by_capacity, 7);
}

static void
parameters(void **state)
{
	struct sizing_model m405 = with_norms(dense(126, 16384, 53248, 128, 8, 128, 128256, false));
	struct sizing_model mixtral = with_norms(dense(32, 4096, 14336, 32, 8, 128, 32000, false));
	struct sizing_model kimi = {
		.width = 7168,
		.ffn = {{.layers = 60, .width = 2048, .matrices = 3, .experts = 384, .active = 8}},
		.ffn_count = 1,
	};
	struct sizing_model v3 = deepseek_v3();

	(void)state;
	assert_same(sizing_parameters(&m405, false), 405853388800);
	mixtral.ffn[0].experts = 8;
	mixtral.ffn[0].active = 2;
	assert_same(sizing_parameters(&mixtral, false), 46702792704);
	assert_same(sizing_parameters(&mixtral, true), 12879925248);
	/* 60 x 384 x 3 x 7168 x 2048, beside the routers' 60 x 384 x 7168 */
	assert_same(sizing_parameters(&kimi, false) - 60.0 * 384 * 7168, 1014686023680);
	assert_same(sizing_parameters(&v3, true), 37552282624 + 58 * 256);
	/* both vocabulary matrices: 15,316.5 MiB */
	assert_same(2 * sizing_parameters(&(struct sizing_model[]){llama31_8b()}[0], false),
	    16060522496);
}

/*
 * Nemotron-3-Nano: 6 attention, 23 Mamba-2 and 23 expert layers of width 2688. A Mamba mixer:
 * 2688 x (2 x 4096 + 2 x 8 x 128 + 64) + 6144 x 5 + 3 x 64 + 4096 + 4096 x 2688 = 38,742,208.
 * Experts have two matrices and the shared one is wider. 53 norms, and a router bias of 23 x 128.
 */
static void
parameters_of_a_hybrid(void **state)
{
	struct sizing_model m = {
		.width = 2688,
		.vocabulary = 131072,
		.groups = {gqa(6, 32, 2, 128), {.layers = 23, .projections = 38742208}},
		.group_count = 2,
		.ffn = {{.layers = 23, .width = 1856, .matrices = 2, .experts = 128, .active = 6,
		    .shared = 1, .shared_width = 3712}},
		.ffn_count = 1,
		.other_parameters = 53 * 2688 + 23 * 128,
	};

	(void)state;
	assert_same(sizing_parameters(&m, false), 31577940288);
	assert_same(sizing_parameters(&m, true), 3580073408 + 23 * 128);
}

static void
parameters_by_hand(void **state)
{
	/* Experts at a latent width: 10 x (4 x 3 x 20 x 7), shared 10 x 3 x 100 x 7, routers
	 * 10 x 4 x 100. */
	struct sizing_model latent = {
		.width = 100,
		.ffn = {{.layers = 10, .width = 7, .matrices = 3, .experts = 4, .active = 2,
		    .shared = 1, .input_width = 20}},
		.ffn_count = 1,
	};
	/* 2 owners of keys and values, 6 readers with queries and outputs: 100 x (2 x 16 + 6 x
	 * 4 x 8). */
	struct sizing_model shared = {
		.width = 100,
		.groups = {{.layers = 2, .readers = 6, .key_width = 8, .value_width = 8, .heads = 4,
		    .query_width = 4, .output_width = 4}},
		.group_count = 1,
	};

	(void)state;
	assert_same(sizing_parameters(&latent, false), 16800 + 21000 + 4000);
	assert_same(sizing_parameters(&latent, true), 8400 + 21000 + 4000);
	assert_same(sizing_parameters(&shared, false), 22400);
	shared.groups[0].also_on = true;
	assert_same(sizing_parameters(&shared, false), 0);
}

/* Llama-3.1-405B in bf16 on one H100 of 80 GiB: no latency for what cannot hold the weights. */
static void
does_not_fit(void **state)
{
	struct sizing_input in = {
		.model = with_norms(dense(126, 16384, 53248, 128, 8, 128, 128256, false)),
		.device = {.visible_bytes = 80 * GIB, .usable_fraction = 0.9, .bandwidth = 3.35e12,
		    .peak = {[SIZING_BF16] = 989e12}},
		.load = load("bf16", "bf16", 1, 1),
	};
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 1;
	r = size_up(&in);
	assert_false(r.fits);
	assert_near(r.weight_bytes / GIB, 755.96, 1e-5);
	assert_same(r.by_capacity, 11);
	assert_same(r.decode.seconds, 0);
	assert_same(r.decode.tokens_per_second, 0);
	assert_same(r.prefill.seconds, 0);
	assert_same(r.fits_concurrency, 0);
	assert_same(r.fits_context, 0);
	assert_true(r.budget.missing > 680 * GIB);
	assert_same(r.budget.free, 0);
}

/* DeepSeek-R1 fp8 on H100: 671e9 > 8 x 80 GiB x 0.9, so never 8 whatever the heuristic. */
static void
never_below_the_weights(void **state)
{
	struct sizing_input in = {
		.model = {.published_total = 671e9},
		.device = {.visible_bytes = 80 * GIB, .usable_fraction = 0.9, .bandwidth = 3.35e12},
		.load = load("fp8", NULL, 1, 1),
	};
	struct sizing_result r = size_up(&in);

	(void)state;
	assert_same(r.by_capacity, 9); /* by bytes; the first legal layout is 16 */
	in.load.accelerators = 8;
	assert_false(size_up(&in).fits);
}

static void
one_request(void **state)
{
	struct sizing_input in = on_h200(llama31_70b(), load("bf16", "bf16", 131072, 1));

	(void)state;
	assert_same(size_up(&in).kv_bytes, 40 * GIB); /* 327680 x 131072 */
	in.load.kv = DTYPE("fp8");
	assert_same(size_up(&in).kv_bytes, 20 * GIB);
	/* fp8 weights are not an fp8 cache, and a cache dtype not given is not guessed */
	in.load = load("fp8", "bf16", 16384, 1);
	assert_same(size_up(&in).kv_bytes, 5 * GIB);
}

/* 32,768 tokens of prefix, 8 x H100 at half their peak: (4.555 + 1.407) PFLOP / 3.956 PFLOP/s. */
static void
tier_break_even(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(),
		.device = {.visible_bytes = 80 * GIB, .usable_fraction = 0.9, .bandwidth = 3.35e12,
		    .peak = {[SIZING_BF16] = 989e12 / 2}},
		.load = load("bf16", "bf16", 65536, 1),
		.tiers = {{.bytes = 1e12, .read_bandwidth = 7.13e9}, {.bytes = 1e12, .read_bandwidth = 7.11e9}},
		.tier_count = 2,
	};
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 8;
	in.load.sessions = 10;
	in.load.reuse = 0.5;
	r = size_up(&in);
	assert_near(r.placements[0].prefix_bytes, 10.74e9, 4e-4);
	assert_near(r.placements[0].recompute_seconds, 1.507, 3e-4);
	assert_near(r.placements[0].break_even_bandwidth, 7.12e9, 1e-3);
	assert_int_equal(r.placements[0].verdict, SIZING_TIER_FITS);
	assert_int_equal(r.placements[1].verdict, SIZING_TIER_SLOWER_THAN_RECOMPUTE);
	/* the two halves of the operations: 2 x (P - V x D) x T, and 2 x 80 x 8192 x T^2 */
	in.load.prompt = in.load.context = 32768;
	r = size_up(&in);
	assert_near(r.prefill.linear_operations, 4.555e15, 2e-4);
	assert_near(r.prefill.attention_operations, 1.407e15, 3e-4);
}

/* Keys in q8_0, values in f16; windows of 1024 + 512: a row of 2048 x (34/32 + 2) B. */
static void
mixed_kv_dtypes(void **state)
{
	struct sizing_model m = {
		.groups = {
			{.layers = 10, .row_bytes = 2048 * (34 / 32.0 + 2)},
			{.layers = 52, .row_bytes = 2048 * (34 / 32.0 + 2), .window = 1536},
		},
		.group_count = 2,
	};

	(void)state;
	assert_near(sizing_kept_bytes(&m, 128000, NULL, NULL) / GIB, 7.94, 1e-3);
}

/* bge-m3: 567.75e6 parameters at 16.25 bits, no cache. */
static void
encoder_only(void **state)
{
	const struct sizing_dtype mix = {"mix", 16.25, SIZING_BF16};
	struct sizing_input in = on_h200((struct sizing_model){.published_total = 567.75e6},
	    load("bf16", NULL, 8192, 1));
	struct sizing_result r;

	(void)state;
	in.load.weights = &mix;
	r = size_up(&in);
	assert_same(r.kv_bytes, 0);
	assert_near(r.weight_bytes / GIB, 1.07, 5e-3);
	assert_same(r.fits_concurrency, SIZING_MAX_LOAD);
	assert_same(r.fits_context, SIZING_MAX_LOAD);
	assert_same(r.crossover_concurrency, 0);
	assert_same(r.crossover_context, 0);
	assert_same(r.next_jump_concurrency, 0);
	assert_false(r.near_crossover);
}

/* 24 GiB x 0.9 - 14.957 - 1.59 GiB of activations leave 5.05 GiB: 41,390 tokens (an engine prints
 * 41,408), not the 54,415 that forget the 1.59. */
static void
kv_pool(void **state)
{
	struct sizing_input in = {
		.model = llama31_8b(),
		.device = {.visible_bytes = 24 * GIB, .usable_fraction = 0.9, .bandwidth = 1e12},
		.load = load("bf16", "bf16", 1, 1),
	};

	(void)state;
	in.load.runtime_bytes = 1.59 * GIB;
	assert_near(size_up(&in).fits_context, 41408, 1e-3);
	in.load.runtime_bytes = 0;
	assert_near(size_up(&in).fits_context, 54415, 1e-3);
}

/* 10.55 GiB, 48 layers, 4 kv heads of 128, fp8. */
static void
fp8_kv_tokens(void **state)
{
	struct sizing_input in = {
		.model = {.groups = {{.layers = 48, .key_width = 512, .value_width = 512}},
		    .group_count = 1, .published_total = 8},
		.device = {.usable_bytes = 10.55 * GIB + 9, .bandwidth = 1e12},
		.load = load("fp8", "fp8", 1, 1),
	};
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 1;
	r = size_up(&in);
	assert_same(r.kv_bytes_per_token, 49152);
	assert_same(r.fits_context, 230468);
}

static void
decode_step_h200(void **state)
{
	struct sizing_input in = on_h200(llama31_8b(), load("bf16", "bf16", 8192, 1));
	struct sizing_result r = size_up(&in);

	(void)state;
	assert_same(r.weight_bytes, 16060522496);
	assert_near(r.weight_bytes / 1048576, 15316.5, 1e-6);
	assert_same(r.kv_bytes, 1024 * 1048576.0);
	/* kv heads, not query heads: not 4 x this */
	assert_same(r.kv_bytes_read_per_step, 1073741824);
	assert_near(r.decode.seconds, 3.570e-3, 2e-4);
	in.load.concurrency = 64;
	r = size_up(&in);
	assert_near(r.decode.seconds, 17.66e-3, 2e-4);
	assert_near(r.decode.kv_seconds / r.decode.seconds, 0.811, 1e-3);
	assert_int_equal(r.decode.bottleneck, SIZING_KV);
	assert_int_equal(r.capacity, SIZING_KV);
	/* Without the input embedding, which a step only gathers, as if it were the head's matrix. */
	in.model.tied = true;
	r = size_up(&in);
	assert_near(r.decode.seconds, 17.44e-3, 3e-4);
	assert_near(r.decode.kv_seconds / r.decode.seconds, 0.821, 1e-3);
	in.load.concurrency = 1;
	assert_near(size_up(&in).decode.seconds, 3.351e-3, 2e-4);
}

/* (15122.655 - 3900.357) / 1023 ms, not 15122.655 / 1024 = 14.768: tokens after the first, each a decode step. */
static void
time_per_output_token(void **state)
{
	struct sizing_input in = on_h200(llama31_8b(), load("bf16", "bf16", 8192, 1));
	struct sizing_result r;

	(void)state;
	assert_near(sizing_token_seconds(15122.655, 3900.357, 1024), 10.970, 5e-5);
	assert_near(15122.655 / 1024, 14.768, 5e-5);
	in.load.tpot = 3.58e-3; /* a step is 3.57 */
	r = size_up(&in);
	assert_true(r.meets_tpot);
	assert_near(sizing_token_seconds(r.prefill.seconds + 99 * r.decode.seconds, r.prefill.seconds, 100),
	    r.decode.seconds, 1e-9);
}

/*
 * DeepSeek-V3.2, the best 2048 of 131,072 rows: room, transfer and what a tier holds are rows kept, 61 x 1284 x T,
 * and a step reads 61 x (2048 x 1152 + T x 132).
 */
static void
one_width_kept_and_read(void **state)
{
	struct sizing_input in = on_h200(deepseek_v3(), load("fp8", "bf16", 0, 8));
	struct sizing_result r;

	(void)state;
	in.model.groups[0].top_k = 2048;
	in.model.groups[1] = (struct sizing_group){.layers = 61, .index_width = 128, .also_on = true};
	in.model.group_count = 2;
	in.load.index = DTYPE("mxfp8");
	in.load.prompt = 131072 - 1024;
	in.load.output = 1024;
	in.load.sessions = 20;
	in.load.reuse = 0.5;
	in.tiers[0] = (struct sizing_tier){.bytes = 1e13, .read_bandwidth = 4e11};
	in.tier_count = 1;
	r = size_up(&in);
	assert_same(r.kv_bytes_per_sequence, 10266083328);
	assert_same(r.kv_bytes_read_per_step, 8 * 1199308800.0);
	assert_same(r.serving.transfer_bytes, 61 * 1284 * 130048.0);
	assert_same(r.placements[0].prefix_bytes, 61 * 1284 * 65024.0);
	assert_same(r.placements[0].bytes, 12 * 10266083328.0);
	assert_near((r.decode.kv_seconds + r.decode.index_seconds) * 4.8e12 * r.decode.devices,
	    8 * 1199308800.0, 1e-12);
}

/* Llama-2-70B, 8 devices of 3.35e12 B/s, 16 x 4224 tokens: each step reads the cache once. */
static void
cache_read_once(void **state)
{
	struct sizing_input in = {
		.model = dense(80, 8192, 28672, 64, 8, 128, 32000, false),
		.device = {.visible_bytes = 80 * GIB, .usable_fraction = 0.9, .bandwidth = 3.35e12,
		    .peak = {[SIZING_BF16] = 989e12}},
		.load = load("bf16", "bf16", 4224, 16),
	};
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 8;
	r = size_up(&in);
	assert_same(r.kv_bytes_read_per_step / 8, 2768240640);
	assert_near(r.decode.kv_seconds, 0.826e-3, 1e-3);
}

/* 6,000 tokens in, 2 out: occupancy of KV is low and says nothing; prefill is bound by compute. */
static void
compute_bound_at_low_kv(void **state)
{
	struct sizing_input in = on_h200(llama31_8b(), load("bf16", "bf16", 0, 4));
	struct sizing_result r;

	(void)state;
	in.load.prompt = 6000;
	in.load.output = 2;
	r = size_up(&in);
	assert_int_equal(r.prefill.bottleneck, SIZING_LINEAR_COMPUTE);
	assert_true(r.kv_bytes < 0.32 * (r.usable_per_device - r.weight_bytes));
}

/* Capacity follows all parameters, traffic at batch 1 the active ones. */
static void
total_for_capacity_active_for_traffic(void **state)
{
	struct sizing_input in = on_h200(with_norms(dense(32, 4096, 14336, 32, 8, 128, 32000,
	    false)), load("bf16", "bf16", 4096, 1));
	struct sizing_result r;

	(void)state;
	in.model.ffn[0].experts = 8;
	in.model.ffn[0].active = 2;
	r = size_up(&in);
	assert_near(r.weight_bytes / 1048576, 89078.5, 1e-6);
	assert_near(r.decode.weights_seconds * 4.8e12, 2 * 12879925248.0, 1e-9);
	in.load.concurrency = 10000;
	in.load.context = 1;
	r = size_up(&in);
	assert_near(r.decode.weights_seconds * r.decode.devices * 4.8e12, r.weight_bytes, 1e-12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mla_inversion),
		cmocka_unit_test(parameters),
		cmocka_unit_test(parameters_of_a_hybrid),
		cmocka_unit_test(parameters_by_hand),
		cmocka_unit_test(does_not_fit),
		cmocka_unit_test(never_below_the_weights),
		cmocka_unit_test(one_request),
		cmocka_unit_test(tier_break_even),
		cmocka_unit_test(mixed_kv_dtypes),
		cmocka_unit_test(encoder_only),
		cmocka_unit_test(kv_pool),
		cmocka_unit_test(fp8_kv_tokens),
		cmocka_unit_test(decode_step_h200),
		cmocka_unit_test(time_per_output_token),
		cmocka_unit_test(one_width_kept_and_read),
		cmocka_unit_test(cache_read_once),
		cmocka_unit_test(compute_bound_at_low_kv),
		cmocka_unit_test(total_for_capacity_active_for_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
