/* Layouts: what a device holds and reads, what crosses the links, what no engine can cut. */
#include "unit.h"

#include <string.h>

#include "sizing/layout.h"
#include "sizing_models.h"

static struct sizing_layout
layout(double tensor, double attention, double pipeline)
{
	return (struct sizing_layout){.tensor = tensor, .attention = attention, .pipeline = pipeline};
}

static struct sizing_layout
experts(struct sizing_layout l)
{
	l.expert = true;
	return l;
}

static const char *
refused(const struct sizing_input *in)
{
	struct sizing_result r;
	struct sizing_error error;

	assert_int_equal(sizing_run(&r, in, &error), -1);
	assert_string_equal(error.field, "load.layout");
	return error.reason;
}

/* Qwen3-235B-A22B: 94 layers, 64 heads, 4 KV heads of 128. On 8 ranks each keeps ceil(4 / 8) = 1
 * head: 94 x 2 x 128 x 2 B a token, not the eighth of the whole (24,064). */
static void
fewer_kv_heads_than_ranks_are_copied(void **state)
{
	struct sizing_input in = {
		.model = {.width = 4096, .vocabulary = 151936, .groups = {gqa(94, 64, 4, 128)}, .group_count = 1},
		.device = h200(),
		.load = load("bf16", "bf16", 1000, 1),
	};
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(8, 1, 1);
	r = size_up(&in);
	assert_same(r.budget.kv, 1000 * 48128);
	/* Split over the sequences or over the context, nothing is copied; with one sequence the first
	 * has nothing to split, but the mean over many has. */
	in.load.layout.kv = SIZING_KV_SEQUENCE;
	r = size_up(&in);
	assert_same(r.budget.kv, 1000 * 24064);
}

/* One latent for all heads: every tensor-parallel rank keeps all of it. */
static void
a_latent_is_on_every_rank(void **state)
{
	struct sizing_input in = {
		.model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 4096, 8)};
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(8, 1, 1);
	r = size_up(&in);
	assert_same(r.budget.kv, 8 * 4096 * 70272.0);
	in.load.layout = experts(layout(1, 8, 1));
	r = size_up(&in);
	assert_same(r.budget.kv, 4096 * 70272.0);
}

/*
 * DeepSeek-V3 fp8 with bf16 vocabulary, EP8 and data-parallel attention. Routed experts 58 x 256 x 3 x 7168 x
 * 2048 = 653,908,770,816 over 8; all else on each rank: mixers 61 x 187,105,280, dense 3 x 3 x 7168 x
 * 18432, shared 58 x 3 x 7168 x 2048, router 58 x 256 x 7168, others 1,021,440, and 2 x 129280 x 7168 of
 * two bytes. Published as 93.8 GiB. KV of 64 x 4096 tokens at one byte: 64 x 4096 x 35,136 = 8784 MiB.
 */
static void
whole_experts_over_eight(void **state)
{
	struct sizing_input in = {
		.model = deepseek_v3(), .device = h200(), .load = load("fp8", "fp8", 4096, 64)};
	struct sizing_result r;
	double expected = 653908770816.0 / 8 + 61 * 187105280.0 + 9 * 7168.0 * 18432 +
	    174 * 7168.0 * 2048 + 58 * 256 * 7168.0 + 1021440 + 4 * 129280.0 * 7168;

	(void)state;
	in.model.checkpoint_bytes = 0;
	in.load.tensors[SIZING_VOCABULARY] = DTYPE("bf16");
	in.load.layout = experts(layout(1, 8, 1));
	r = size_up(&in);
	assert_near(r.budget.weights, expected, 1e-9);
	assert_near(r.budget.weights / GIB, 93.8, 5e-4);
	assert_same(r.kv_bytes, 8784 * 1048576.0);
}

/* Kimi-K2.5: 60 layers x 384 experts x 3 x 7168 x 2048, on 8 ranks 126,835,752,960 of them. */
static void
experts_are_sharded(void **state)
{
	struct sizing_input in = {
		.model = {.width = 7168,
			.ffn = {{.layers = 60, .width = 2048, .matrices = 3, .experts = 384, .active = 8}},
			.ffn_count = 1},
		.device = h200(),
		.load = load("int8", "bf16", 1, 8),
	};
	double router = 60 * 384 * 7168.0; /* copied on every rank */

	(void)state;
	assert_same(sizing_class_parameters(&in.model, SIZING_EXPERTS, false), 1014686023680.0);
	in.load.layout = experts(layout(1, 8, 1));
	assert_near(size_up(&in).budget.weights, 126835752960 + router, 1e-12);
	/* 100 ranks: some have 4 of 384 experts, 4 / 384 of the bytes, not a hundredth. */
	in.load.concurrency = 100;
	in.load.layout = experts(layout(1, 100, 1));
	assert_near(size_up(&in).budget.weights, 1014686023680.0 * 4 / 384 + router, 1e-12);
}

/*
 * [P7] exercise 6: 16 experts over Y = 8 and Z = 16: experts over all 128 chips, the rest over Y and repeated
 * over Z. Experts 64 x 16 x 3 x 4096 x 16384 = 206,158,430,208; all 211,658,735,616. (206,158,430,208 / 128
 * + (5,500,305,408 - router) / 8 + router) with a router of 64 x 16 x 4096 that the book does not count.
 */
static void
exercise_6(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(), .device = tpu_v5e(), .load = load("int8", "int8", 8192, 16)};
	struct sizing_result r;
	double expected = 206158430208.0 / 128 + 5500305408.0 / 8;

	(void)state;
	in.model.ffn[0].experts = 16;
	in.model.ffn[0].active = 2;
	in.load.layout = layout(8, 16, 1);
	r = size_up(&in);
	assert_near(r.budget.weights, expected, 2e-3);
	assert_near(r.budget.weights, 2.298e9, 2e-3);
	/* All experts are touched but for (7/8)^16 of them. */
	assert_near(r.decode.weights_seconds, (206158430208.0 / 128 * (1 - pow(0.875, 16)) +
	    5500305408.0 / 8) / 8.2e11, 2e-3);
	in.load.layout = (struct sizing_layout){0};
	in.load.accelerators = 128;
	assert_near(size_up(&in).budget.weights, 1.6536e9, 2e-4);
}

/*
 * DeepSeek-V3, 64 x 128K, on H200: bytes say 10. In whole layers, 61 over 10 stages is 7 in the
 * fullest: 7 / 61 of 1,278 GB, over the 135.68 GB there are; 6 in 11 stages, 125.7 GB, are held.
 */
static void
stages_have_whole_layers(void **state)
{
	struct sizing_input in = {
		.model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 131072, 64)};
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(1, 1, 10);
	r = size_up(&in);
	assert_false(r.fits);
	assert_same(r.by_capacity, 10);
	in.load.layout = layout(1, 1, 11);
	r = size_up(&in);
	assert_true(r.fits);
	assert_same(r.by_layout, 11);
	assert_near(r.budget.kv, 589484261376.0 * 6 / 61, 1e-9);
}

/* Nothing copied: what the devices hold adds up to what there is. */
static void
parts_add_up(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h200(), .load = load("bf16", "bf16", 8192, 16)};
	struct sizing_result r;

	(void)state;
	for (double tensor = 1; tensor <= 8; tensor *= 2) {
		in.load.layout = layout(tensor, 1, 1);
		r = size_up(&in);
		assert_near(tensor * r.budget.weights, r.weight_bytes, 1e-9);
		assert_near(tensor * r.budget.kv, r.kv_bytes, 1e-9);
	}
	/* 80 layers in 4 stages; the ends hold one vocabulary matrix each. */
	in.load.layout = layout(1, 1, 4);
	r = size_up(&in);
	assert_near(r.budget.weights, (r.weight_bytes - 2 * 2 * 128256.0 * 8192) / 4 +
	    2 * 128256.0 * 8192, 1e-9);
	assert_near(4 * r.budget.kv, r.kv_bytes, 1e-9);
}

/*
 * Llama-3.1-70B on 8 ranks, batch 16: two all-reduces a layer of 16 x 8192 x 2 B, of which a rank sends
 * 2 x 7/8: 160 x 458,752 B. At 450 GB/s 1.02 us each, while 8 ranks are 2 x 4 hops of 1 us: bound by hops.
 */
static void
all_reduces_of_a_step(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h200(), .load = load("bf16", "bf16", 8192, 16)};
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(8, 1, 1);
	r = size_up(&in);
	assert_same(r.decode.traffic.all_reduce, 160 * 458752.0);
	assert_near(r.decode.interconnect_seconds, 160 * 458752.0 / 450e9, 1e-12);
	assert_false(r.decode.traffic.latency_bound);
	in.device.link_latency = 1e-6;
	r = size_up(&in);
	assert_near(r.decode.interconnect_seconds, 160 * 8e-6, 1e-12);
	assert_true(r.decode.traffic.latency_bound);
	assert_near(r.decode.seconds, r.decode.linear_seconds + r.decode.attention_seconds + 160 * 8e-6,
	    1e-12);
	/* Half of the weights and of the KV on each of two: read in twice the time, nothing to send alone. */
	in.load.layout = layout(1, 1, 1);
	assert_same(size_up(&in).decode.interconnect_seconds, 0);
}

/*
 * Expert parallel: each rank's share of 64 tokens, 8, to 8 experts and back, 58 layers, 7168 wide, two bytes, 7/8
 * of them to others: 2 x 58 x 8 x 8 x 7168 x 2 x 7/8.
 */
static void
all_to_alls_of_experts(void **state)
{
	struct sizing_input in = {
		.model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 4096, 64)};
	struct sizing_result r;

	(void)state;
	in.load.layout = experts(layout(1, 8, 1));
	r = size_up(&in);
	assert_same(r.decode.traffic.all_to_all, 116 * 64 * 14336.0 * 7 / 8);
	assert_same(r.decode.traffic.all_reduce, 0);
}

/* [P7], KV sharding: two all-to-alls a layer, of queries and of outputs, among the ranks of a KV head. */
static void
rows_split_over_sequences(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h200(), .load = load("bf16", "bf16", 8192, 32)};
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(32, 1, 1);
	in.load.layout.kv = SIZING_KV_BATCH;
	r = size_up(&in);
	/* 64 heads of 128 over 32 ranks, 32 tokens, two bytes; 4 ranks a head: 3/4 of it. */
	assert_same(r.decode.traffic.all_to_all, 80 * 2 * (32 * 64 * 128 * 2 / 32.0) * 3 / 4);
	assert_near(r.decode.kv_seconds, r.kv_bytes_read_per_step / (32 * 4.8e12), 1e-12);
	in.load.layout.kv = SIZING_KV_COPY;
	r = size_up(&in);
	assert_near(r.decode.kv_seconds, r.kv_bytes_read_per_step / (8 * 4.8e12), 1e-12);
}

/* In stages a token waits for all of them: weights are read by one stage's devices at a time. */
static void
stages_do_not_shorten_reading_weights(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h200(), .load = load("bf16", "bf16", 8192, 16)};
	struct sizing_result one, four;

	(void)state;
	in.device.visible_bytes = 1e12;
	in.load.layout = layout(1, 1, 1);
	one = size_up(&in);
	in.load.layout = layout(1, 1, 4);
	four = size_up(&in);
	assert_near(four.decode.weights_seconds, one.decode.weights_seconds, 1e-12);
	assert_near(four.decode.kv_seconds, one.decode.kv_seconds / 4, 1e-12);
	assert_near(four.decode.tokens_per_second, 16 / four.decode.seconds, 1e-12);
	assert_near(four.prefill.linear_compute_seconds, one.prefill.linear_compute_seconds / 4, 1e-12);
}

static void
what_no_engine_can_cut(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h200(), .load = load("bf16", "bf16", 8192, 16)};

	(void)state;
	in.load.layout = layout(6, 1, 1); /* 64 heads */
	assert_non_null(strstr(refused(&in), "heads unevenly"));
	in.load.layout = layout(1, 1, 81);
	assert_non_null(strstr(refused(&in), "more stages"));
	in.load.layout = layout(1, 2, 1); /* two copies of all weights */
	assert_non_null(strstr(refused(&in), "data parallelism"));
	in.load.layout = experts(layout(2, 1, 1));
	assert_non_null(strstr(refused(&in), "does not have"));
	in.load.layout = layout(8, 1, 1);
	in.load.accelerators = 16;
	assert_non_null(strstr(refused(&in), "so many accelerators"));
	in.load.accelerators = 0;
	in.model = deepseek_v3();
	in.load.concurrency = 1000;
	in.load.layout = experts(layout(1, 512, 1));
	assert_non_null(strstr(refused(&in), "than there are experts"));
}

/* Chunks of a prompt: weights are read once a chunk, stages wait for the first; activations are counted. */
static void
chunked_prefill(void **state)
{
	struct sizing_input in = {
		.model = llama2_13b(), .device = tpu_v5e(), .load = load("bf16", "bf16", 8192, 1)};
	struct sizing_result whole, chunked;

	(void)state;
	in.device.visible_bytes = 1e12;
	in.load.layout = layout(1, 1, 4);
	whole = size_up(&in);
	in.load.prefill_chunk = 1024;
	chunked = size_up(&in);
	/* 8 chunks through 4 stages take 11 / 8 of the time of stages that are always filled. */
	assert_near(chunked.prefill.linear_compute_seconds,
	    whole.prefill.linear_compute_seconds * 11 / 8, 1e-12);
	assert_near(chunked.prefill.weights_seconds, whole.prefill.weights_seconds * 8 * 11 / 8, 1e-12);
	/* Two rows of 1024 x 5120 and two of 13824 between three matrices, two bytes. */
	assert_same(chunked.budget.activations, 1024 * (2 * 5120 + 2 * 13824) * 2.0);
	assert_same(whole.budget.activations, 0);
}

/* [P7]: F = 16384, B = 32, beta = 8: 64 ways. Exercise 7: 72 devices at F = 4 D; there both take the same. Appendix
 * C: 8 ranks of 45 GB/s wait for hops under 360 kB; 131 kB (16 x 8192 int8) do. */
static void
closed_forms(void **state)
{
	(void)state;
	assert_same(sizing_decode_ways(16384, 32, 8), 64);
	assert_same(sizing_two_d_devices(4096, 16384), 72);
	assert_near(sizing_two_d_seconds(1, 4096, 16384, 72, 9e10),
	    sizing_one_d_seconds(1, 4096, 3, 9e10), 1e-12);
	assert_near(sizing_two_d_seconds(1, 4096, 16384, 256, 1), 11.3 * 4096 / 16, 2e-3);
	assert_near(sizing_gather_seconds(360e3, 8, 2e-6, 4.5e10), 8e-6, 1e-12);
	assert_near(sizing_gather_seconds(131072, 8, 2e-6, 4.5e10), 8e-6, 1e-12);
	assert_near(sizing_gather_seconds(720e3, 8, 2e-6, 4.5e10), 16e-6, 1e-12);
}

/* Half of the sequences have a quarter of the length: 5/8 of the rows, kept and read. */
static void
lengths_are_means(void **state)
{
	struct sizing_input in = {
		.model = llama31_8b(), .device = h200(), .load = load("bf16", "bf16", 8192, 64)};
	struct sizing_result one = size_up(&in), mixed;

	(void)state;
	in.load.lengths[0] = (struct sizing_length){0.5, 8192};
	in.load.lengths[1] = (struct sizing_length){0.5, 2048};
	in.load.length_count = 2;
	mixed = size_up(&in);
	assert_same(mixed.kv_bytes, one.kv_bytes * 5 / 8);
	assert_near(mixed.decode.kv_seconds, one.decode.kv_seconds * 5 / 8, 1e-12);
}

/*
 * GPT-2 124M in INT8 with a tied fp32 head: 12 x (4 x 768 x 768 + 2 x 768 x 3072) = 84,934,656 of one byte, the
 * other 39,505,152 (50257 and 1024 rows of 768, norms and biases) of four: 242,955,264 B; all fp32 497,759,232.
 */
static void
classes_have_dtypes(void **state)
{
	struct sizing_input in = {
		.model = {.width = 768, .vocabulary = 50257, .tied = true, .groups = {gqa(12, 12, 12, 64)},
			.group_count = 1, .ffn = {{.layers = 12, .width = 3072, .matrices = 2}}, .ffn_count = 1,
			.other_parameters = 907776},
		.device = h200(),
		.load = load("fp32", "fp32", 1024, 1),
	};

	(void)state;
	assert_same(size_up(&in).weight_bytes, 497759232);
	in.load.tensors[SIZING_ATTENTION] = in.load.tensors[SIZING_DENSE] = DTYPE("int8");
	assert_near(size_up(&in).weight_bytes, 242955264, 1e-12);
}

/*
 * gpt-oss-120b: mxfp4 experts (4.25 bits), the rest bf16. A layer's expert matrices bound by bandwidth, its
 * attention by compute at a batch between the two: each class has its own roofline.
 */
static void
classes_have_rooflines(void **state)
{
	struct sizing_input in = {
		.model = {.width = 2880,
			.groups = {gqa(36, 64, 8, 64)}, .group_count = 1,
			.ffn = {{.layers = 36, .width = 2880, .matrices = 3, .experts = 128, .active = 4}},
			.ffn_count = 1},
		.device = h200(),
		.load = load("bf16", "bf16", 1024, 512),
	};
	/* 36 x 2880 x (2 x 512 + 64 x 128) of attention, 36 x 128 x 3 x 2880 x 2880 in experts. */
	double attention = 36 * 2880.0 * (1024 + 8192), experts = 36 * 128 * 3 * 2880.0 * 2880;
	struct sizing_result r;

	(void)state;
	in.load.tensors[SIZING_EXPERTS] = DTYPE("mxfp4");
	r = size_up(&in);
	/* 512 tokens of 128 / 4: all experts; router as weights, 36 x 128 x 2880. */
	assert_near(r.decode.counted[SIZING_WEIGHTS], (experts * 4.25 / 8 * (1 - pow(1 - 4 / 128.0, 512))) /
	    (4.8e12 * r.budget.devices), 1e-9);
	assert_near(r.decode.counted[SIZING_LINEAR_COMPUTE], 2 * (attention + 36 * 128 * 2880.0) * 512 /
	    (989e12 * r.budget.devices), 1e-9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_kv_heads_than_ranks_are_copied),
		cmocka_unit_test(a_latent_is_on_every_rank),
		cmocka_unit_test(whole_experts_over_eight),
		cmocka_unit_test(experts_are_sharded),
		cmocka_unit_test(exercise_6),
		cmocka_unit_test(stages_have_whole_layers),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(all_reduces_of_a_step),
		cmocka_unit_test(all_to_alls_of_experts),
		cmocka_unit_test(rows_split_over_sequences),
		cmocka_unit_test(stages_do_not_shorten_reading_weights),
		cmocka_unit_test(what_no_engine_can_cut),
		cmocka_unit_test(chunked_prefill),
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(lengths_are_means),
		cmocka_unit_test(classes_have_dtypes),
		cmocka_unit_test(classes_have_rooflines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
