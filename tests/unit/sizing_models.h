/*
 * Models, devices and loads that the tests of sizing share, as their sources print them. The
 * product does not depend on where these were collected, so they are typed in here.
 */
#ifndef TESTS_SIZING_MODELS_H
#define TESTS_SIZING_MODELS_H

#include <math.h>
#include <stdio.h>

#include "sizing/formulas.h"
#include "sizing/sizing.h"

#define GIB 1073741824.0
#define DTYPE(name) sizing_dtype_find(name)

static inline struct sizing_group
gqa(double layers, double heads, double kv_heads, double head_dim)
{
	return (struct sizing_group){
		.layers = layers,
		.key_width = kv_heads * head_dim,
		.value_width = kv_heads * head_dim,
		.heads = heads,
		.query_width = head_dim,
		.output_width = head_dim,
	};
}

static inline struct sizing_group
windowed(struct sizing_group g, double window)
{
	g.window = window;
	return g;
}

/* layers, width, ffn, heads, kv heads, head size, vocabulary: gated, one ffn a layer. */
static inline struct sizing_model
dense(double layers, double width, double ffn, double heads, double kv_heads, double head_dim,
    double vocabulary, bool tied)
{
	return (struct sizing_model){
		.width = width,
		.vocabulary = vocabulary,
		.tied = tied,
		.groups = {gqa(layers, heads, kv_heads, head_dim)},
		.group_count = 1,
		.ffn = {{.layers = layers, .width = ffn, .matrices = 3}},
		.ffn_count = 1,
	};
}

/* Norms: two of the width a layer and one at the end. */
static inline struct sizing_model
with_norms(struct sizing_model m)
{
	m.other_parameters = (2 * m.groups[0].layers + 1) * m.width;
	return m;
}

static inline struct sizing_model
llama2_13b(void)
{
	return dense(40, 5120, 13824, 40, 40, 128, 32000, false);
}

static inline struct sizing_model
llama31_8b(void)
{
	return with_norms(dense(32, 4096, 14336, 32, 8, 128, 128256, false));
}

static inline struct sizing_model
llama31_70b(void)
{
	return with_norms(dense(80, 8192, 28672, 64, 8, 128, 128256, false));
}

/* Part 7, exercises. */
static inline struct sizing_model
exercise_model(void)
{
	return dense(64, 4096, 16384, 32, 8, 256, 32128, true);
}

/*
 * DeepSeek-V3: 61 layers, width 7168, 128 heads; latent 512 + 64; query rank 1536; head sizes 128
 * + 64 and 128; 3 dense layers of 18432, 58 of 256 + 1 experts of 2048, 8 active; vocabulary
 * 129280, untied. Mixer: 7168 x 1536 + 1536 x 128 x 192 + 7168 x 576 + 512 x 128 x 256 + 128 x 128
 * x 7168 = 187,105,280. Norms and router biases: 61 x (2 x 7168 + 1536 + 512) + 7168 + 58 x 256.
 */
static inline struct sizing_model
deepseek_v3(void)
{
	return (struct sizing_model){
		.width = 7168,
		.vocabulary = 129280,
		.groups = {{
			.layers = 61,
			.key_width = 576,
			.heads = 128,
			.query_width = 576,
			.output_width = 512,
			.prefill_query_width = 192,
			.prefill_output_width = 128,
			.projections = 187105280,
		}},
		.group_count = 1,
		.ffn = {
			{.layers = 3, .width = 18432, .matrices = 3},
			{.layers = 58, .width = 2048, .matrices = 3, .experts = 256, .active = 8,
			    .shared = 1},
		},
		.ffn_count = 2,
		.other_parameters = 1021440,
		.checkpoint_bytes = 688.59e9,
		.checkpoint_dtype = DTYPE("fp8"),
	};
}

static inline struct sizing_device
tpu_v5e(void)
{
	return (struct sizing_device){
		.visible_bytes = 16 * GIB,
		.usable_fraction = 1,
		.bandwidth = 8.2e11,
		.peak = {[SIZING_BF16] = 1.97e14, [SIZING_INT8] = 3.94e14},
	};
}

static inline struct sizing_device
h200(void)
{
	return (struct sizing_device){
		.visible_bytes = 150754820096,
		.usable_fraction = 0.9,
		.bandwidth = 4.8e12,
		.peak = {[SIZING_BF16] = 989e12, [SIZING_FP8] = 1979e12, [SIZING_INT8] = 1979e12},
		.link = 450e9,
		.domain = 8,
	};
}

/* Reuse is not known in these loads. */
static inline struct sizing_load
load(const char *weights, const char *kv, double context, double concurrency)
{
	return (struct sizing_load){
		.context = context,
		.concurrency = concurrency,
		.reuse = -1,
		.weights = DTYPE(weights),
		.kv = DTYPE(kv),
	};
}

static inline struct sizing_result
size_up(const struct sizing_input *input)
{
	struct sizing_result r;
	struct sizing_error error;

	if (sizing_run(&r, input, &error) != 0) {
		print_error("%s (%d) %s\n", error.field, error.index, error.reason);
		fail();
	}
	return r;
}

/* Within a relative tolerance. */
static inline void
assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= fabs(expected) * tolerance)) {
		print_error("%.17g is not %.17g within %g\n", value, expected, tolerance);
		fail();
	}
}

static inline void
assert_same(double value, double expected)
{
	assert_near(value, expected, 0);
}

#endif
