/*
 * The printed figures of "How to Scale Your Model" part 7, from the exact bytes behind them.
 * Its tables say GiB and behave as GB: 6.7 is 6,710,886,400 bytes.
 */
#include "unit.h"

#include "sizing_models.h"

static void
llama2_13b_parameters_and_kv(void **state)
{
	struct sizing_input in = {
		.model = llama2_13b(),
		.device = tpu_v5e(),
		.load = load("bf16", "bf16", 8192, 1),
	};
	struct sizing_result r = size_up(&in);
	struct sizing_model part = in.model;

	(void)state;
	part.vocabulary = 0;
	part.group_count = 0;
	assert_same(sizing_parameters(&part, false), 8493465600); /* 5120 x 13824 x 3 x 40 */
	part = in.model;
	part.ffn_count = part.group_count = 0;
	assert_same(sizing_parameters(&part, false), 327680000); /* 2 x 32000 x 5120 */
	part = in.model;
	part.ffn_count = 0;
	part.vocabulary = 0;
	assert_same(sizing_parameters(&part, false), 4194304000); /* 4 x 5120 x 40 x 128 x 40 */
	assert_same(r.parameters_total, 13015449600);
	assert_same(r.parameters_active, 13015449600);
	assert_same(r.embedding_parameters, 327680000);
	assert_same(r.kv_bytes_per_token, 819200); /* 2 x 40 x 128 x 40 x 2 */
	assert_same(r.kv_growth_per_token, 819200);
	assert_same(r.kv_bytes_per_sequence, 6710886400);
	/* "four of these exceed the parameters" */
	assert_near(r.crossover_concurrency, 3.879, 2e-4);
	assert_false(r.weights_from_checkpoint);
}

struct row {
	double batch, kv_gb, total_gb, step_ms, tokens_per_second;
};

/* 8 chips x 8.2e11 B/s. The printed table rounds KV to 6.7 GB a sequence and weights to 26 GB. */
static const struct row PRINTED[] = {
	{1, 6.7, 32.7, 4.98, 200.61},
	{8, 53.6, 79.6, 12.13, 659.30},
	{16, 107.2, 133.2, 20.30, 787.99},
	{32, 214.4, 240.4, 36.65, 873.21},
	{64, 428.8, 454.8, 69.33, 923.13},
	{240, 1608, 1634, 249.09, 963.53},
};

/* (batch x 6710886400 + 26030899200) / 6.56e12, to the digits shown. */
static const struct row EXACT[] = {
	{1, 6.7109, 32.7418, 4.9911, 200.356},
	{8, 53.6871, 79.7180, 12.1521, 658.321},
	{16, 107.3742, 133.4051, 20.3361, 786.777},
	{32, 214.7484, 240.7793, 36.7042, 871.836},
	{64, 429.4967, 455.5276, 69.4402, 921.656},
	{240, 1610.6127, 1636.6436, 249.4884, 961.969},
};

static const struct row PRINTED_FIFTH[] = {
	{1, 1.34, 27.34, 4.17, 239.94},
	{8, 10.72, 36.72, 5.60, 1429.19},
	{16, 21.44, 47.44, 7.23, 2212.48},
	{32, 42.88, 68.88, 10.50, 3047.62},
	{64, 85.76, 111.76, 17.04, 3756.62},
	{240, 321.6, 347.6, 52.99, 4529.34},
};

static const struct row EXACT_FIFTH[] = {
	{1, 1.3422, 27.3731, 4.1727, 239.652},
	{8, 10.7374, 36.7683, 5.6049, 1427.316},
	{16, 21.4748, 47.5057, 7.2417, 2209.417},
	{32, 42.9497, 68.9806, 10.5153, 3043.176},
	{64, 85.8993, 111.9302, 17.0625, 3750.908},
	{240, 322.1225, 348.1534, 53.0722, 4522.144},
};

static void
assert_row(const struct sizing_step *s, const struct sizing_result *r, const struct row *exact,
    const struct row *printed)
{
	double kv = r->kv_bytes / 1e9, total = (r->kv_bytes + r->weight_bytes) / 1e9;
	double ms = s->seconds * 1e3, rate = s->tokens_per_second;

	assert_true(fabs(kv - exact->kv_gb) <= 0.00005001);
	assert_true(fabs(total - exact->total_gb) <= 0.00005001);
	assert_true(fabs(ms - exact->step_ms) <= 0.00005001);
	assert_true(fabs(rate - exact->tokens_per_second) <= 0.0005001);
	assert_near(kv, printed->kv_gb, 0.003);
	assert_near(total, printed->total_gb, 0.003);
	assert_near(ms, printed->step_ms, 0.003);
	assert_near(rate, printed->tokens_per_second, 0.003);
}

/*
 * The table goes on where 128 GiB are long full, so the step is asked on devices of the same
 * bandwidth with room; what fits is asked of the real ones.
 */
static void
run_table(struct sizing_model model, const struct row *exact, const struct row *printed,
    double rows_on_8, double most_on_8)
{
	for (size_t i = 0; i < 6; i++) {
		struct sizing_input in = {
			.model = model,
			.device = tpu_v5e(),
			.load = load("bf16", "bf16", 8192, exact[i].batch),
		};
		struct sizing_result r;

		in.load.accelerators = 8;
		r = size_up(&in);
		assert_true(r.fits == (exact[i].batch <= rows_on_8));
		assert_same(r.fits_concurrency, most_on_8);
		if (!r.fits)
			assert_same(r.decode.seconds, 0);
		in.device.visible_bytes = 1e13;
		r = size_up(&in);
		assert_row(&r.decode, &r, &exact[i], &printed[i]);
	}
}

static void
llama2_13b_on_8_v5e(void **state)
{
	(void)state;
	/* (128 GiB - 26.03e9) / 6.711e9 = 16.6: the next row, 32, does not fit */
	run_table(llama2_13b(), EXACT, PRINTED, 16, 16);
}

/* "Magically 5x smaller KV, the parameters the same": 8 kv heads, published total kept. */
static void
llama2_13b_with_a_fifth_of_the_kv(void **state)
{
	struct sizing_model m = llama2_13b();

	(void)state;
	m.groups[0] = gqa(40, 40, 8, 128);
	m.published_total = 13015449600;
	/* 64 is the last row that fits; (128 GiB - 26.03e9) / 1.342e9 = 83.005 */
	run_table(m, EXACT_FIFTH, PRINTED_FIFTH, 64, 83);
}

/* 30e9 int8 parameters computed in bf16, 100 kB of KV per token, 16 chips. */
static void
quiz_30b(void **state)
{
	struct sizing_input in = {
		.model = {
			.groups = {{.layers = 1, .row_bytes = 819e6 / 8192}},
			.group_count = 1,
			.published_total = 30e9,
		},
		.device = tpu_v5e(),
		.load = load("int8", NULL, 8192, 4),
	};
	struct sizing_result r;

	(void)state;
	in.load.activations = DTYPE("bf16");
	in.load.accelerators = 16;
	r = size_up(&in);
	assert_same(r.weight_bytes, 30e9);
	assert_near(r.decode.seconds, 2.54e-3, 0.002);
	assert_int_equal(r.decode.bottleneck, SIZING_WEIGHTS);
	in.device.visible_bytes = 1e12;
	in.load.concurrency = 256;
	r = size_up(&in);
	/* 256 x 819e6 / 1.312e13 = 15.98 ms and 2 x 256 x 30e9 / 3.152e15 = 4.87 ms */
	assert_near(r.decode.seconds, 20.85e-3, 0.001);
	assert_near(r.decode.kv_seconds, 15.981e-3, 0.001);
	assert_near(r.decode.linear_compute_seconds, 4.8731e-3, 0.001);
	assert_int_equal(r.decode.bottleneck, SIZING_KV);
	assert_near(r.critical_batch, 120.1, 0.001);
}

static void
exercise_1_to_3(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(),
		.device = tpu_v5e(),
		.load = load("int8", "int8", 128000, 1),
	};
	struct sizing_result r;

	(void)state;
	in.device.usable_bytes = 16e9;
	in.load.accelerators = 16;
	r = size_up(&in);
	assert_same(r.parameters_total, 18385207296);
	assert_same(r.kv_bytes_per_token, 262144);
	/* (16 x 16e9 - 18.4e9) / 33.5e9 = 7.08 */
	assert_same(r.fits_concurrency, 7);
	assert_near(r.decode.weights_seconds, 1.40e-3, 0.002);
	in.model.groups[0] = gqa(64, 32, 1, 256);
	assert_same(size_up(&in).fits_concurrency, 56);
}

static void
exercise_5_as_moe(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(),
		.device = tpu_v5e(),
		.load = load("bf16", "int8", 8192, 1),
	};
	struct sizing_result r;

	(void)state;
	in.model.ffn[0].experts = 16;
	in.model.ffn[0].active = 2;
	r = size_up(&in);
	/* The exercise has no router: 64 x 16 x 4096 of them are ours. */
	assert_same(r.parameters_total - 64 * 16 * 4096, 211658735616);
	assert_same(r.parameters_active - 64 * 16 * 4096, 31270109184);
	assert_near(r.critical_batch, 1920, 0.0015); /* 240 x 16 / 2; exactly 1922 */
	assert_near(r.critical_batch, 1.97e14 / 8.2e11 * 8, 1e-9);
	assert_same(r.kv_bytes_per_token, 262144); /* experts change nothing about attention */
	/* 2 x active a token; tied, so the one embedding is the head and counts */
	assert_near(r.prefill.linear_operations, 8192 * (62540218368 + 2.0 * 64 * 16 * 4096),
	    1e-12);
	/* One token touches two of sixteen experts: it reads its active parameters. */
	assert_near(r.decode.weights_seconds * r.decode.devices,
	    2 * r.parameters_active / 8.2e11, 1e-12);
}

/*
 * Exercise 6 on 8 x 16 chips, which prints no answer. Fully sharded: 211,658,735,616 / 128 = 1.6536 GB a chip,
 * 14.346 left of 16e9, read in 2.017 ms; in bf16 3.307, 12.693 and 4.033. A thousand sequences touch every expert.
 * The smallest slice in int8: 13.2 by bytes, so 16, with 256e9 - 211.66e9 left for KV.
 */
static void
exercise_6_fully_sharded(void **state)
{
	static const struct { const char *dtype; double gb, left, ms; } ROWS[] = {
		{"int8", 1.6536, 14.346, 2.017}, {"bf16", 3.3072, 12.693, 4.033},
	};
	struct sizing_input in = {
		.model = exercise_model(), .device = tpu_v5e(), .load = load("int8", "int8", 1, 1000)};
	double router = 64 * 16 * 4096; /* of one byte, which the exercise does not count */
	struct sizing_result r;

	(void)state;
	in.model.ffn[0].experts = 16;
	in.model.ffn[0].active = 2;
	in.device.usable_bytes = 16e9;
	for (size_t i = 0; i < 2; i++) {
		in.load.accelerators = 128;
		in.load.weights = DTYPE(ROWS[i].dtype);
		r = size_up(&in);
		assert_near(r.budget.weights, ROWS[i].gb * 1e9, 1e-4);
		assert_near(r.budget.usable - r.budget.weights, ROWS[i].left * 1e9, 1e-4);
		assert_near(r.decode.weights_seconds, ROWS[i].ms * 1e-3, 3e-4);
	}
	in.load = load("int8", "int8", 1, 1);
	r = size_up(&in);
	assert_near((r.weight_bytes - router) / 16e9, 13.2, 3e-3);
	assert_same(r.by_capacity, 14); /* slices come as 4 x 4 */
	assert_near(16 * 16e9 - (r.weight_bytes - router), 44.3e9, 1e-3);
}

/*
 * Appendix A, d 8192 and ff 32768, two matrices over four chips in bf16: 2 x 536,870,912 / (4 x 8.2e11) = 327.4 us. It
 * prints about 365, from 600e6 parameters. Constant up to a batch of 240, then in proportion.
 */
static void
appendix_a(void **state)
{
	struct sizing_input in = {
		.model = {.width = 8192, .ffn = {{.layers = 1, .width = 32768, .matrices = 2}}, .ffn_count = 1},
		.device = tpu_v5e(),
		.load = load("bf16", NULL, 1, 1),
	};
	struct sizing_result r;

	(void)state;
	in.load.accelerators = 4;
	for (double batch = 1; batch <= 1024; batch *= 2) {
		in.load.concurrency = batch;
		r = size_up(&in);
		assert_near(r.decode.weights_seconds, 327.4e-6, 2e-4);
		assert_near(r.decode.seconds, 327.36e-6 * fmax(1, batch / 240.24), 1e-4);
	}
	assert_near(r.critical_batch, 240.2, 3e-4);
	in.model = (struct sizing_model){.published_total = 600e6};
	in.load.concurrency = 1;
	assert_near(size_up(&in).decode.seconds, 365e-6, 3e-3);
}

static void
roofline(void **state)
{
	(void)state;
	assert_near(sizing_critical_batch(1.97e14, 8.2e11, 16, 0, 0), 240.2, 3e-4);
	assert_near(sizing_critical_batch(1.97e14, 8.2e11, 8, 0, 0), 120.1, 3e-4);
	assert_near(sizing_critical_batch(989e12, 3.35e12, 16, 0, 0), 295.2, 3e-4);
	assert_near(sizing_critical_batch(3.94e14, 8.2e11, 8, 0, 0), 240.2, 3e-4);
	/* fp8 both on H200: half the fp8 intensity of 412.3 */
	assert_near(sizing_critical_batch(1979e12, 4.8e12, 8, 0, 0), 206.1, 3e-4);
	/* BDF / (BD + DF + BF): B only in the limit. 240, 8192, 32768: 232.3 */
	assert_near(sizing_matmul_intensity(240, 8192, 32768),
	    1 / (1 / 240.0 + 1 / 8192.0 + 1 / 32768.0), 1e-12);
	assert_near(sizing_matmul_intensity(240, 1e12, 1e12), 240, 1e-9);
	/* ST / (S + T): T/2 for S = T, about 1 for S >> T = 1; above 480 tokens compute-bound */
	assert_same(sizing_attention_intensity(480, 480), 240);
	assert_near(sizing_attention_intensity(1e9, 1), 1, 1e-8);
	/* So little intensity that a batch leaves experts out: 2.4 x 8/2 = 9.6, and the root of
	 * B = 9.6 (1 - 0.75^B) is 8.85: 0.75^8.85 = 0.0784, 9.6 x 0.9216 = 8.85. */
	assert_near(sizing_critical_batch(2.4, 1, 16, 8, 2), 8.85, 0.001);
}

static void
experts_touched(void **state)
{
	(void)state;
	assert_near(sizing_experts_touched(256, 8, 1), 8, 1e-12);
	/* 256 (1 - (31/32)^64) = 256 x (1 - 0.13109) */
	assert_near(sizing_experts_touched(256, 8, 64), 222.44, 1e-4);
	assert_near(sizing_experts_touched(256, 8, 1e6), 256, 1e-12);
	assert_same(sizing_experts_touched(8, 8, 1), 8);
	assert_same(sizing_experts_touched(0, 0, 1), 0);
}

/*
 * What one device has to hold and to read, for who designs one: (107.3742 + 26.0309) GB of 16 sequences
 * over 8 devices is 16.6756 GB, of which 0.9 is to be usable: 18.5285 GB; read once in 20 ms
 * that is 833.78 GB/s, a little more than the 820 with which it takes 20.336 ms.
 */
static void
per_device_of_a_design(void **state)
{
	struct sizing_input in = { .model = llama2_13b(), .device = tpu_v5e(),
		.load = load("bf16", "bf16", 8192, 16) };
	struct sizing_result r;

	(void)state;
	in.device.usable_fraction = 0.9;
	in.load.accelerators = 8;
	in.load.tpot = 0.020;
	r = size_up(&in);
	assert_near(r.device_bytes, 18.5285e9, 1e-5);
	assert_near(r.device_bandwidth, 833.78e9, 1e-5);
	in.load.runtime_bytes = 1e9;
	r = size_up(&in);
	assert_near(r.device_bytes, 18.5285e9 + 1e9 / 0.9, 1e-5);
	in.load.tpot = 0;
	assert_same(size_up(&in).device_bandwidth, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(llama2_13b_parameters_and_kv),
		cmocka_unit_test(llama2_13b_on_8_v5e),
		cmocka_unit_test(llama2_13b_with_a_fifth_of_the_kv),
		cmocka_unit_test(quiz_30b),
		cmocka_unit_test(exercise_1_to_3),
		cmocka_unit_test(exercise_5_as_moe),
		cmocka_unit_test(exercise_6_fully_sharded),
		cmocka_unit_test(appendix_a),
		cmocka_unit_test(roofline),
		cmocka_unit_test(experts_touched),
		cmocka_unit_test(per_device_of_a_design),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
