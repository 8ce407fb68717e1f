/* What vLLM reserves, by published logs and issues; refusals and properties of both presets. */
#include "unit.h"

#include "sizing_engines.h"

static struct sizing_reserved
reserve_vllm(const struct sizing_model *m, const char *kv, double context,
    struct sizing_engine options)
{
	struct sizing_load l = load("bf16", kv, context, 1);

	options.kind = SIZING_ENGINE_VLLM;
	return reserve(m, &l, &options);
}

static struct sizing_model
qwen35_9b(void)
{
	return model_of((struct sizing_group[]){KV(8, 1024), {.layers = 24, .state_count = 2,
	    .states = {{524288, &FP32}, {24576, &BF16}}}}, 2);
}

/*
 * Qwen3.5-9B: a state of 2,146,304 B and 4,096 B a token and layer give blocks of ceil16(524) = 528
 * tokens; a page is 2,162,688 B, 17,301,504 in 8 layers; 16,384 tokens take 32 + 3 pages.
 */
static void
test_hybrid_pages(void **state)
{
	struct sizing_model m = qwen35_9b();
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 16384, (struct sizing_engine){0});

	(void)state;
	assert_same(r.block, 528);
	assert_same(r.block_bytes, 17301504);
	assert_same(r.blocks, 35);
	assert_same(r.bytes, 605552640);
	assert_same(r.minimum_bytes, 588382208);
	/* 24 states short of a page, and the last block of 8 layers not full */
	assert_same(r.by_rule[SIZING_RULE_PAGE_PADDING], 24 * 16384);
	assert_same(r.by_rule[SIZING_RULE_BLOCK_ROUNDING], 8 * 4096 * (32 * 528 - 16384.0));
	r = reserve_vllm(&m, "bf16", 1024, (struct sizing_engine){0});
	assert_same(r.bytes, 5 * 17301504.0);
}

/* Its logs: pool, longest length, pages in the pool, tokens, and requests to two decimals. */
static void
test_hybrid_logs(void **state)
{
	static const struct { double pool, longest, pages, tokens, requests; } LOGS[] = {
		{1024 * MIB, 16384, 62, 29023, 1.77},
		{640 * MIB, 16384, 38, 17788, 1.09},
		{512 * MIB, 12288, 31, 14108, 1.15},
		{640 * MIB, 17728, 38, 18207, 0},
	};
	struct sizing_model m = qwen35_9b();

	(void)state;
	for (size_t i = 0; i < sizeof LOGS / sizeof LOGS[0]; i++) {
		struct sizing_reserved r = reserve_vllm(&m, "bf16", LOGS[i].longest,
		    (struct sizing_engine){0});
		struct sizing_pool pool = {.visible = LOGS[i].pool, .utilisation = 1};
		struct sizing_pool_fit fit;

		sizing_pool_fill(&fit, &pool, &r, LOGS[i].longest);
		assert_same(fit.blocks, LOGS[i].pages);
		assert_same(fit.tokens, LOGS[i].tokens);
		if (LOGS[i].requests > 0)
			assert_near(fit.requests, LOGS[i].requests, 0.005 / LOGS[i].requests);
	}
}

/*
 * 18 full and 18 windowed layers of 2,048 B, window 128, 65,536 tokens: 4,096 blocks of 16, and
 * ceil((127 + 8192) / 16) + 1 = 521; with 2,048 batched tokens ceil(2175 / 16) + 1 = 137; and no
 * more than a short context needs, ceil(100 / 16) + 1 = 8.
 */
static void
test_window_blocks(void **state)
{
	struct sizing_model m = model_of(
	    (struct sizing_group[]){KV(18, 512), KV_WINDOW(18, 512, 128)}, 2);
	double block = 18 * 16 * 2048;
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 65536, (struct sizing_engine){0});

	(void)state;
	assert_same(r.block_bytes, block);
	assert_same(r.blocks, 4096 + 521);
	assert_same(r.bytes, (4096 + 521) * block);
	assert_same(r.minimum_bytes, 18 * 2048 * (65536 + 128.0));
	assert_same(r.by_rule[SIZING_RULE_WINDOW_BATCHED], 18 * 2048 * (127 + 8192 - 128.0));
	r = reserve_vllm(&m, "bf16", 65536, (struct sizing_engine){.max_batched_tokens = 2048});
	assert_same(r.blocks, 4096 + 137);
	r = reserve_vllm(&m, "bf16", 100, (struct sizing_engine){0});
	assert_same(r.blocks, 7 + 8);
}

/*
 * 10 full and 52 windowed layers go in groups of 10: six of windows, eight layers of which are not
 * there. 12 and 13 go in groups of 13 (the engine's own example, gpt-oss-20b with a draft layer).
 */
static void
test_layer_groups(void **state)
{
	struct sizing_model m = model_of(
	    (struct sizing_group[]){KV(10, 2048), KV_WINDOW(52, 2048, 1024)}, 2);
	double page = 16 * 8192, window = (1023 + 8192) / 16.0;
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 131072, (struct sizing_engine){0});

	(void)state;
	assert_same(r.block_bytes, 10 * page);
	assert_same(r.blocks, 8192 + 6 * (ceil(window) + 1));
	assert_same(r.by_rule[SIZING_RULE_LAYER_GROUPS], 8 * (ceil(window) + 1) * page);
	m = model_of((struct sizing_group[]){KV(13, 512), KV_WINDOW(12, 512, 128)}, 2);
	r = reserve_vllm(&m, "bf16", 131072, (struct sizing_engine){0});
	assert_same(r.block_bytes, 13 * 16 * 2048);
	assert_same(r.blocks, 8192 + 521);
}

/* V3.2: an index key of 128 B and a scale of 4 whatever the latent is: 61 x (1152 + 132) = 78,324 B
 * a token; with an fp8 cache 61 x (656 + 132) = 48,068. A latent without an index stays 576 B. */
static void
test_sparse_latents(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){LATENT(61), INDEX(61)}, 2);
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 4096, (struct sizing_engine){0});

	(void)state;
	assert_same(r.bytes, 78324 * 4096.0);
	assert_same(r.minimum_bytes, 85888 * 4096.0);
	assert_same(r.by_rule[SIZING_RULE_INDEX_FP8], -61 * (256 - 132) * 4096.0);
	r = reserve_vllm(&m, "fp8", 4096, (struct sizing_engine){0});
	assert_same(r.bytes, 48068 * 4096.0);
	assert_same(r.by_rule[SIZING_RULE_PACKED_LATENT], 61 * (656 - 576) * 4096.0);
	m.group_count = 1;
	r = reserve_vllm(&m, "fp8", 4096, (struct sizing_engine){0});
	assert_same(r.bytes, 61 * 576 * 4096.0);
}

/* 48 layers, 4 kv heads of 128, fp8: 49,152 B a token; 10.55 GiB hold 230,468 of them, which are
 * 14,404 whole blocks of 16. */
static void
test_fp8_pool(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){KV(48, 512)}, 1);
	struct sizing_reserved r = reserve_vllm(&m, "fp8", 16384, (struct sizing_engine){0});
	struct sizing_pool pool = {.visible = 10.55 * GIB, .utilisation = 1};
	struct sizing_pool_fit fit;

	(void)state;
	assert_same(r.bytes / 16384, 49152);
	sizing_pool_fill(&fit, &pool, &r, 16384);
	assert_same(floor(fit.bytes / (r.bytes / 16384)), 230468);
	assert_same(fit.blocks, 14404);
	assert_same(fit.tokens, 14404 * 16.0);
}

/*
 * 24 GiB at 0.9 with the weights of Llama-3.1-8B (16,060,522,496 B) and 1.59 GiB of activations and
 * context leave 5.05 GiB: 41,408 tokens of 131,072 B, within what the rounding of 1.59 is worth (41
 * tokens). Without the latter it would be 54,415.
 */
static void
test_pool(void **state)
{
	struct sizing_group g = gqa(32, 32, 8, 128);
	struct sizing_model m = model_of(&g, 1);
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 8192, (struct sizing_engine){0});
	struct sizing_pool pool = {.visible = 24 * GIB, .utilisation = 0.9,
		.weights = 16060522496, .activation = 1.59 * GIB};
	struct sizing_pool_fit fit;

	(void)state;
	sizing_pool_fill(&fit, &pool, &r, 8192);
	assert_near(fit.bytes / GIB, 5.05, 0.005 / 5.05);
	assert_near(fit.tokens, 41408, 41.0 / 41408);
	pool.activation = 0;
	sizing_pool_fill(&fit, &pool, &r, 8192);
	assert_near(fit.tokens, 54415, 41.0 / 54415);
	pool.weights = 30 * GIB;
	sizing_pool_fill(&fit, &pool, &r, 8192);
	assert_same(fit.bytes, 0);
	assert_same(fit.tokens, 0);
}

/*
 * gpt-oss-120b: files of 65,248,815,744 B = 60.77 GiB are 64.38 GiB once loaded, 5.9 % more. On an H100 (79.18 GiB visible)
 * at 0.9 the pool is 71.262 - 64.38 = 6.882 GiB, where the size of the files would have it at 10.49.
 */
static void
test_files_are_not_what_is_loaded(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){KV(18, 512), KV_WINDOW(18, 512, 128)}, 2);
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 8192, (struct sizing_engine){0});
	struct sizing_pool pool = {.visible = 79.18 * GIB, .utilisation = 0.9, .weights = 64.38 * GIB};
	struct sizing_pool_fit loaded, files;

	(void)state;
	assert_near(65248815744 / GIB, 60.77, 1e-4);
	assert_near(pool.weights / 65248815744 - 1, 0.059, 0.01);
	sizing_pool_fill(&loaded, &pool, &r, 8192);
	assert_near(loaded.bytes / GIB, 6.882, 1e-3);
	pool.weights = 65248815744;
	sizing_pool_fill(&files, &pool, &r, 8192);
	assert_near(files.bytes / GIB, 10.49, 1e-3);
	assert_true(loaded.blocks < files.blocks);
}

/* Blocks, weights and all else are never more than what there is, however it is divided. */
static void
test_ledger_balances(void **state)
{
	struct sizing_model models[] = {model_of((struct sizing_group[]){KV(32, 1024)}, 1), qwen35_9b(),
		model_of((struct sizing_group[]){KV(18, 512), KV_WINDOW(18, 512, 128)}, 2)};

	(void)state;
	for (int i = 0; i < 3 * 4096; i++) {
		struct sizing_reserved r = reserve_vllm(&models[i % 3], "bf16", 4096 + i, (struct sizing_engine){0});
		struct sizing_pool pool = {.visible = (24 + i % 120) * GIB, .utilisation = 0.5 + i % 7 / 16.0,
			.weights = i % 31 * 1.75e9, .activation = i % 5 * 0.9e9, .other = i % 3 * 0.4e9};
		double held = pool.weights + pool.activation + pool.other;
		struct sizing_pool_fit fit;

		sizing_pool_fill(&fit, &pool, &r, 4096 + i);
		assert_true(fit.blocks == floor(fit.blocks) && fit.blocks >= 0);
		assert_true(fit.blocks * r.block_bytes <= fit.bytes);
		assert_true((fit.blocks + 1) * r.block_bytes > fit.bytes);
		assert_true(fit.blocks == 0 || fit.blocks * r.block_bytes + held <= pool.visible * pool.utilisation);
		assert_true(fit.requests * r.blocks <= fit.blocks * (1 + 1e-12));
	}
}

/* Qwen3-32B (64 layers, 8 kv heads of 128) on four ranks: a pool of 3,258 blocks, which counted
 * with the whole model's bytes would be 814. 4 kv heads on 8 ranks: one on each (48,128 B). */
static void
test_ranks(void **state)
{
	struct sizing_group g = gqa(64, 64, 8, 128);
	struct sizing_model m = model_of(&g, 1);
	double block = 16 * 64 * 2 * 2 * 128 * 2;
	struct sizing_pool pool = {.visible = 3258 * block, .utilisation = 1};
	struct sizing_reserved r = reserve_vllm(&m, "bf16", 32768, (struct sizing_engine){.ranks = 4});
	struct sizing_pool_fit fit;

	(void)state;
	sizing_pool_fill(&fit, &pool, &r, 32768);
	assert_same(fit.blocks, 3258);
	r = reserve_vllm(&m, "bf16", 32768, (struct sizing_engine){0});
	sizing_pool_fill(&fit, &pool, &r, 32768);
	assert_same(fit.blocks, 814);
	g = gqa(94, 64, 4, 128);
	m = model_of(&g, 1);
	r = reserve_vllm(&m, "bf16", 16, (struct sizing_engine){.ranks = 8});
	assert_same(r.bytes / 16, 48128);
	/* a latent is on every rank */
	m = model_of((struct sizing_group[]){LATENT(61)}, 1);
	r = reserve_vllm(&m, "bf16", 16, (struct sizing_engine){.ranks = 8});
	assert_same(r.bytes / 16, 70272);
}

/* ---- both ---- */

/*
 * Three sequences of 1,000 tokens and one of 16,384: blocks of 16 follow the lengths, 63 x 16 = 1,008
 * tokens; cells are 16,384 each. 131,072 B a token.
 */
static void
test_lengths(void **state)
{
	struct sizing_group g = gqa(32, 32, 8, 128);
	struct sizing_model m = model_of(&g, 1);
	struct sizing_load l = load("bf16", "bf16", 16384, 4);
	struct sizing_reserved r;

	(void)state;
	l.lengths[0] = (struct sizing_length){0.75, 1000};
	l.lengths[1] = (struct sizing_length){0.25, 16384};
	l.length_count = 2;
	r = reserve(&m, &l, &(struct sizing_engine){.kind = SIZING_ENGINE_VLLM});
	assert_same(r.bytes, 131072 * (3 * 1008 + 16384.0));
	assert_same(r.minimum_bytes, 131072 * (3 * 1000 + 16384.0));
	assert_same(r.blocks, 1024);
	r = reserve(&m, &l, &(struct sizing_engine){.kind = SIZING_ENGINE_LLAMA_CPP});
	assert_same(r.bytes, 131072 * 4 * 16384.0);
	assert_same(r.minimum_bytes, 131072 * (3 * 1000 + 16384.0));
	assert_same(r.by_rule[SIZING_RULE_WHOLE_CONTEXT], 131072 * 3 * 15384.0);
	r = reserve(&m, &l, &(struct sizing_engine){0});
	assert_same(r.bytes, 131072 * (3 * 1000 + 16384.0));
}

static void
refused(const char *field, struct sizing_engine engine, struct sizing_load l,
    const struct sizing_model *m)
{
	struct sizing_reserved r;
	struct sizing_error error;

	assert_int_equal(sizing_reserve(&r, m, &l, &engine, &error), -1);
	assert_string_equal(error.field, field);
}

static void
test_refused(void **state)
{
	struct sizing_group latent = LATENT(27), heads = KV(32, 1024);
	struct sizing_model mla = model_of(&latent, 1), m = model_of(&heads, 1);
	struct sizing_load l = load("bf16", "f16", 1024, 1);
	enum sizing_engine_kind vllm = SIZING_ENGINE_VLLM, llama = SIZING_ENGINE_LLAMA_CPP;

	(void)state;
	refused("engine.values", (struct sizing_engine){.kind = llama, .keys = DTYPE("q8_0")}, l, &mla);
	refused("engine.kind", (struct sizing_engine){.kind = SIZING_ENGINES}, l, &m);
	refused("engine.micro_batch", (struct sizing_engine){.kind = llama, .micro_batch = -1}, l, &m);
	refused("engine.micro_batch", (struct sizing_engine){.kind = llama, .micro_batch = 1.5}, l, &m);
	refused("engine.block", (struct sizing_engine){.kind = vllm, .block = NAN}, l, &m);
	refused("engine.max_length", (struct sizing_engine){.kind = vllm, .max_length = 512}, l, &m);
	refused("model.groups.query_width", (struct sizing_engine){.kind = vllm, .ranks = 2}, l, &m);
	refused("load.context", (struct sizing_engine){0}, load("bf16", "f16", 0, 1), &m);
	refused("load.concurrency", (struct sizing_engine){0}, load("bf16", "f16", 1024, 1.5), &m);
	refused("load.kv", (struct sizing_engine){0}, load("bf16", "unknown", 1024, 1), &m);
	mla.groups[0].output_width = 0;
	mla.groups[0].prefill_query_width = 0;
	refused("model.groups.output_width",
	    (struct sizing_engine){.kind = llama, .mla = SIZING_MLA_LATENT_AND_VALUES}, l, &mla);
	refused("model.groups.prefill_query_width",
	    (struct sizing_engine){.kind = llama, .mla = SIZING_MLA_EXPANDED}, l, &mla);
	m.groups[0].layers = -1;
	refused("model.groups.layers", (struct sizing_engine){0}, l, &m);
}

static void
test_names(void **state)
{
	(void)state;
	for (int i = 0; i < SIZING_ENGINES; i++)
		assert_int_equal(sizing_engine_find(sizing_engine_name((enum sizing_engine_kind)i)), i);
	assert_int_equal(sizing_engine_find("sglang"), -1);
	for (int i = 0; i < SIZING_RULES; i++)
		assert_non_null(sizing_rule_name((enum sizing_rule)i));
	assert_null(sizing_rule_name(SIZING_RULES));
}

static double
draw(uint64_t *word, double low, double high) /* splitmix64; even over the orders of magnitude */
{
	uint64_t z = *word += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return floor(low * pow(high / low, (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0));
}

/* Full, windowed, recurrent and index layers in any mixture. */
static struct sizing_model
any_model(uint64_t *word)
{
	double layers = draw(word, 1, 128), width = 32 * draw(word, 1, 128);
	struct sizing_group all[] = {
		KV(layers, width), KV_WINDOW(draw(word, 1, 128), 32 * draw(word, 1, 128), draw(word, 1, 1e5)),
		STATES(draw(word, 1, 128), draw(word, 1, 1e5), draw(word, 1, 1e7)),
		{.layers = layers, .index_width = 128, .stride = draw(word, 1, 8), .also_on = true},
		LATENT(draw(word, 1, 128)),
	};
	struct sizing_model m = {.width = 4096, .vocabulary = 32000};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (draw(word, 1, 4) < 2)
			m.groups[m.group_count++] = all[i];
	return m;
}

/*
 * With an index of few bits and states in f32, where an engine keeps nothing in less than the load
 * says, it never reserves less than the minimum, or less for a longer context or more sequences;
 * nor does splitting a group change anything.
 */
static void
test_properties(void **state)
{
	uint64_t word = 20261129;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct sizing_model m = any_model(&word), split_up = m;
		struct sizing_load l = load("bf16", "fp16", draw(&word, 1, 1e6), draw(&word, 1, 64));
		struct sizing_engine e = {
			.kind = (enum sizing_engine_kind)(round % SIZING_ENGINES),
			.unified = round % 2 == 0,
			.full_windows = round % 5 == 0,
			.no_flash_attention = round % 7 == 0,
			.mla = (enum sizing_mla)(round / 3 % 3),
			.micro_batch = draw(&word, 1, 4096),
			.block = draw(&word, 1, 256),
			.max_batched_tokens = draw(&word, 1, 16384),
		};
		struct sizing_reserved r, more;

		l.index = DTYPE("fp4");
		r = reserve(&m, &l, &e);
		assert_true(isfinite(r.bytes) && r.bytes >= r.minimum_bytes);
		assert_near(r.minimum_bytes, l.concurrency * sizing_kept_bytes(&m, l.context, l.kv, l.index),
		    1e-12);
		if (m.group_count > 0 && m.groups[0].layers > 1) {
			split_up.groups[split_up.group_count++] = m.groups[0];
			split_up.groups[0].layers--;
			split_up.groups[m.group_count].layers = 1;
			more = reserve(&split_up, &l, &e);
			assert_near(more.bytes, r.bytes, 1e-12);
		}
		l.context += draw(&word, 1, 1000);
		more = reserve(&m, &l, &e);
		assert_true(more.bytes >= r.bytes);
		l.concurrency++;
		r = reserve(&m, &l, &e);
		assert_true(r.bytes >= more.bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hybrid_pages),
		cmocka_unit_test(test_hybrid_logs),
		cmocka_unit_test(test_window_blocks),
		cmocka_unit_test(test_layer_groups),
		cmocka_unit_test(test_sparse_latents),
		cmocka_unit_test(test_fp8_pool),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_files_are_not_what_is_loaded),
		cmocka_unit_test(test_ledger_balances),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
