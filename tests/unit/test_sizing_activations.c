/* What a forward pass holds beside weights and caches. */
#include "unit.h"

#include "sizing/activations.h"
#include "sizing/engine.h"
#include "sizing_models.h"

static struct sizing_activations
activate(const struct sizing_model *m, struct sizing_pass pass)
{
	struct sizing_activations a;
	struct sizing_error error;

	if (sizing_activate(&a, m, &pass, &error) != 0) {
		print_error("%s (%d) %s\n", error.field, error.index, error.reason);
		fail();
	}
	return a;
}

/* Part 7: one activation of 8,192 tokens of LLaMA-2-13B is 8192 x 5120 x 2 = 83,886,080 B. Gate and
 * up of 13,824: 8192 x 27,648 x 2; query, output, key and value of 40 x 128: 8192 x 20,480 x 2;
 * one row of 32,000 logits. */
static void
test_llama2_13b(void **state)
{
	struct sizing_model m = llama2_13b();
	struct sizing_activations a = activate(&m,
	    (struct sizing_pass){.tokens = 8192, .sequences = 1});

	(void)state;
	assert_same(a.residual, 83886080);
	assert_same(a.ffn, 452984832);
	assert_same(a.attention, 335544320);
	assert_same(a.logits, 128000);
	assert_same(a.peak, 2 * 83886080.0 + 452984832);
	/* four ranks share out what lies between the residual streams */
	a = activate(&m, (struct sizing_pass){.tokens = 8192, .sequences = 1, .ranks = 4});
	assert_same(a.peak, 2 * 83886080.0 + 452984832 / 4.0);
	/* 8192 x 32000 x 4 */
	a = activate(&m, (struct sizing_pass){.tokens = 8192, .sequences = 1, .all_logits = true});
	assert_same(a.logits, 1048576000);
	assert_same(a.peak, 2 * 83886080.0 + 1048576000);
}

/* 58 layers of 8 + 1 experts of 2,048 under 18,432 of the dense ones: 9 x 2048 = 18,432 as well. */
static void
test_experts(void **state)
{
	struct sizing_model m = deepseek_v3();
	struct sizing_activations a = activate(&m,
	    (struct sizing_pass){.tokens = 64, .sequences = 64, .dtype = DTYPE("fp8")});

	(void)state;
	assert_same(a.residual, 64 * 7168);
	assert_same(a.ffn, 64 * 2 * 18432);
	assert_same(a.attention, 64 * (128 * (192 + 128) + 576));
	assert_same(a.logits, 64 * 129280 * 4.0);
	m.ffn[0] = m.ffn[1];
	m.ffn_count = 1;
	assert_same(activate(&m, (struct sizing_pass){.tokens = 1, .sequences = 1}).ffn, 2 * 2 * 18432);
}

/* The compute buffer of llama.cpp is the same sum: fp32 and logits of every token. */
static void
test_agrees_with_compute_buffer(void **state)
{
	struct sizing_model m = llama31_8b();
	struct sizing_load l = load("bf16", "f16", 8192, 1);
	struct sizing_engine e = {.kind = SIZING_ENGINE_LLAMA_CPP};
	struct sizing_reserved r;
	struct sizing_error error;
	struct sizing_activations a = activate(&m, (struct sizing_pass){.tokens = 512,
	    .sequences = 1, .all_logits = true, .dtype = DTYPE("fp32")});

	(void)state;
	assert_int_equal(sizing_reserve(&r, &m, &l, &e, &error), 0);
	assert_same(a.peak, 512 * (128256 + 2 * 4096) * 4.0);
	assert_same(r.compute_bytes, a.peak);
}

static void
test_refused(void **state)
{
	static const struct { struct sizing_pass pass; const char *field; } WRONG[] = {
		{{.tokens = 0, .sequences = 1}, "pass.tokens"},
		{{.tokens = 1.5, .sequences = 1}, "pass.tokens"},
		{{.tokens = NAN, .sequences = 1}, "pass.tokens"},
		{{.tokens = 8}, "pass.sequences"},
		{{.tokens = 8, .sequences = 9}, "pass.sequences"},
		{{.tokens = 8, .sequences = 8, .ranks = -2}, "pass.ranks"},
	};
	struct sizing_model m = llama31_8b();
	struct sizing_activations a;
	struct sizing_error error;

	(void)state;
	for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
		assert_int_equal(sizing_activate(&a, &m, &WRONG[i].pass, &error), -1);
		assert_string_equal(error.field, WRONG[i].field);
	}
	m = (struct sizing_model){.published_total = 1e9};
	assert_int_equal(sizing_activate(&a, &m, &(struct sizing_pass){.tokens = 1, .sequences = 1},
	    &error), -1);
	assert_string_equal(error.field, "model.width");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_llama2_13b),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_agrees_with_compute_buffer),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
