/* What the tests of the engines' presets share: kinds of layers, and a reservation that adds up. */
#ifndef TESTS_SIZING_ENGINES_H
#define TESTS_SIZING_ENGINES_H

#include <string.h>

#include "sizing/engine.h"
#include "sizing_models.h"

#define MIB 1048576.0

static const struct sizing_dtype FP32 = {"fp32", 32, SIZING_FP32};
static const struct sizing_dtype BF16 = {"bf16", 16, SIZING_BF16};

/* 16 heads of 192 and 128 once a latent of 512 + 64 is expanded */
#define LATENT(n) \
	{.layers = n, .key_width = 576, .heads = 16, .query_width = 576, .output_width = 512, \
	    .prefill_query_width = 192, .prefill_output_width = 128}
#define INDEX(n) {.layers = n, .index_width = 128, .also_on = true}
#define KV(n, w) {.layers = n, .key_width = w, .value_width = w}
#define KV_WINDOW(n, w, rows) {.layers = n, .key_width = w, .value_width = w, .window = rows}
#define STATES(n, c, s) {.layers = n, .states = {{c, &FP32}, {s, &FP32}}, .state_count = 2}

static inline struct sizing_reserved
reserve(const struct sizing_model *m, const struct sizing_load *load,
    const struct sizing_engine *engine)
{
	struct sizing_reserved r;
	struct sizing_error error;
	double sum = 0;

	if (sizing_reserve(&r, m, load, engine, &error) != 0) {
		print_error("%s (%d) %s\n", error.field, error.index, error.reason);
		fail();
	}
	for (int i = 0; i < SIZING_RULES; i++)
		sum += r.by_rule[i];
	assert_near(sum + r.minimum_bytes, r.bytes, 1e-12);
	assert_near(r.kv_bytes + r.index_bytes + r.state_bytes, r.bytes, 1e-12);
	return r;
}

static inline struct sizing_model
model_of(const struct sizing_group *groups, size_t count)
{
	struct sizing_model m = {.width = 4096, .vocabulary = 32000};

	memcpy(m.groups, groups, count * sizeof *groups);
	m.group_count = count;
	return m;
}

#endif
