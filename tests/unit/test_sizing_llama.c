/*
 * What llama.cpp reserves: bytes that version 0.5.0-dev allocated for models of the given geometry
 * (CPU backend), with the arithmetic that gives them; the whole set of them is read from the shared
 * folder where that is there. And figures with a source of their own.
 */
#include "unit.h"

#include <stdlib.h>

#include "sizing_engines.h"

struct allocated {
	const char *name;
	struct sizing_group groups[3];
	size_t count;
	const char *keys, *values;
	double context, sequences; /* context of one sequence */
	struct sizing_engine options;
	double bytes;
};

/* clang-format off */
static const struct allocated ALLOCATED[] = {
	/* 4 x 512 cells x 16 x 512 x (2 + 2) */
	{"llama32-1b-gqa", {KV(16, 512)}, 1, "f16", "f16", 512, 4, {0}, 67108864},
	/* 8 x 256 cells x 32 x 1024 x (2 + 2) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "f16", "f16", 125, 8, {0}, 268435456},
	/* 2048 cells x 32 x 1024 x (4 + 4) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "f32", "f32", 2048, 1, {0}, 536870912},
	/* 2048 cells x 32 x 1024 x (2 + 2) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "bf16", "bf16", 2048, 1, {0}, 268435456},
	/* 2048 cells x 32 x 1024 x (0.75 + 0.75) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "q5_1", "q5_1", 2048, 1, {0}, 100663296},
	/* 2048 cells x 32 x 1024 x (0.6875 + 0.6875) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "q5_0", "q5_0", 2048, 1, {0}, 92274688},
	/* 2048 cells x 32 x 1024 x (0.625 + 0.625) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "q4_1", "q4_1", 2048, 1, {0}, 83886080},
	/* 2048 cells x 32 x 1024 x (0.5625 + 0.5625) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "iq4_nl", "iq4_nl", 2048, 1, {0}, 75497472},
	/* 2048 cells x 32 x 1024 x (1.0625 + 2) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "q8_0", "f16", 2048, 1, {0}, 205520896},
	/* 4 x 512 cells x 32 x 1024 x (0.5625 + 0.5625) */
	{"llama3-8b-gqa", {KV(32, 1024)}, 1, "q4_0", "q4_0", 512, 4, {0}, 75497472},
	/* 2048 cells x 32 x 4096 x (1.0625 + 1.0625) */
	{"llama2-7b-mha", {KV(32, 4096)}, 1, "q8_0", "q8_0", 2048, 1, {0}, 570425344},
	/* 8192 cells x 18 x 256 x (2 + 2) */
	{"gemma-2b-mqa", {KV(18, 256)}, 1, "f16", "f16", 8192, 1, {0}, 150994944},
	/* (4 x 16384 + 22 x 1024) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 16384, 1, {0}, 90177536},
	/* 4 x (4 x 4096 + 22 x 1024) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 4096, 4, {0}, 159383552},
	/* (4 x 16384 + 22 x 2560) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 4096, 4, {.unified = true}, 124780544},
	/* (4 x 2048 + 22 x 2048) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 2048, 1, {.full_windows = true}, 54525952},
	/* (4 x 16384 + 22 x 768) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 16384, 1, {.micro_batch = 128}, 84410368},
	/* (4 x 16384 + 22 x 1536) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 16384, 1, {.micro_batch = 1024}, 101711872},
	/* (4 x 16384 + 22 x 2560) cells x 256 x (2 + 2) */
	{"gemma3-1b", {KV(4, 256), KV_WINDOW(22, 256, 512)}, 2, "f16", "f16", 16384, 1, {.micro_batch = 2048}, 124780544},
	/* (21 x 16384 + 21 x 4608) cells x 2048 x (1.0625 + 2) */
	{"gemma2-9b", {KV(21, 2048), KV_WINDOW(21, 2048, 4096)}, 2, "q8_0", "f16", 16384, 1, {0}, 2764898304},
	/* 4 x (21 x 4096 + 21 x 4096) cells x 2048 x (0.5625 + 0.5625) */
	{"gemma2-9b", {KV(21, 2048), KV_WINDOW(21, 2048, 4096)}, 2, "q4_0", "q4_0", 4096, 4, {0}, 1585446912},
	/* (21 x 16384 + 21 x 4608) cells x 2048 x (2 + 2) */
	{"gemma2-9b", {KV(21, 2048), KV_WINDOW(21, 2048, 4096)}, 2, "f16", "f16", 16384, 1, {.no_flash_attention = true}, 3611295744},
	/* 8192 cells x 27 x 576 x 2 */
	{"deepseek-v2-lite", {LATENT(27)}, 1, "f16", "f16", 8192, 1, {0}, 254803968},
	/* 4 x 512 cells x 27 x 576 x 1.0625 */
	{"deepseek-v2-lite", {LATENT(27)}, 1, "q8_0", "q8_0", 512, 4, {0}, 33841152},
	/* 8192 cells x 27 x 16 x (192 x 2 + 128 x 2) */
	{"deepseek-v2-lite-legacy", {LATENT(27)}, 1, "f16", "f16", 8192, 1, {.mla = SIZING_MLA_EXPANDED}, 2264924160},
	/* 2048 cells x 27 x 16 x (192 x 1.0625 + 128 x 2) */
	{"deepseek-v2-lite-legacy", {LATENT(27)}, 1, "q8_0", "f16", 2048, 1, {.mla = SIZING_MLA_EXPANDED}, 406978560},
	/* 8192 cells x 61 x (576 + 128) x 2 */
	{"deepseek-v32-dsa", {LATENT(61), INDEX(61)}, 2, "f16", "f16", 8192, 1, {0}, 703594496},
	/* 2048 cells x 61 x (576 + 128) x 1.0625 */
	{"deepseek-v32-dsa", {LATENT(61), INDEX(61)}, 2, "q8_0", "q8_0", 2048, 1, {0}, 93446144},
	/* 2048 cells x 4 x 1024 x (1.0625 + 2) + 24 x 4 x (30720 + 1048576) */
	{"nemotron-h-8b", {KV(4, 1024), STATES(24, 30720, 1048576)}, 2, "q8_0", "f16", 2048, 1, {0}, 129302528},
	/* 2048 cells x 4 x 1024 x (2 + 2) + 4 x 24 x 4 x (30720 + 1048576) */
	{"nemotron-h-8b", {KV(4, 1024), STATES(24, 30720, 1048576)}, 2, "f16", "f16", 512, 4, {.unified = true}, 448004096},
	/* 4 x 512 cells x 12 x 512 x (0.5625 + 0.5625) + 4 x 36 x 4 x (24576 + 524288) */
	{"qwen3-next-80b", {KV(12, 512), STATES(36, 24576, 524288)}, 2, "q4_0", "q4_0", 512, 4, {0}, 330301440},
	/* 4 x 64 x 4 x (16128 + 655360) */
	{"mamba2-2.7b", {STATES(64, 16128, 655360)}, 1, "f16", "f16", 512, 4, {0}, 687603712},
	/* 2048 cells x 4 x 1024 x (2 + 2) + 28 x 4 x (24576 + 131072) */
	{"jamba-v01", {KV(4, 1024), STATES(28, 24576, 131072)}, 2, "f16", "f16", 2048, 1, {0}, 50987008},
};
/* clang-format on */

static struct sizing_reserved
reserve_llama(const struct sizing_model *m, const char *keys, const char *values, double context,
    double sequences, struct sizing_engine options)
{
	struct sizing_load l = load("bf16", keys, context, sequences);

	options.kind = SIZING_ENGINE_LLAMA_CPP;
	options.keys = DTYPE(keys);
	options.values = DTYPE(values);
	return reserve(m, &l, &options);
}

static void
test_allocated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof ALLOCATED / sizeof ALLOCATED[0]; i++) {
		const struct allocated *a = &ALLOCATED[i];
		struct sizing_model m = model_of(a->groups, a->count);
		struct sizing_reserved r = reserve_llama(&m, a->keys, a->values, a->context,
		    a->sequences, a->options);

		if (r.bytes != a->bytes) {
			print_error("%s, %s and %s, %g x %g: %.17g is not %.17g\n", a->name, a->keys,
			    a->values, a->sequences, a->context, r.bytes, a->bytes);
			fail();
		}
	}
}

/* ---- the whole set ---- */

enum { COLUMNS = 64 };

struct sheet {
	char header[2048], line[2048];
	char *names[COLUMNS], *cells[COLUMNS];
	size_t count;
};

static size_t
split(char *line, char **cells)
{
	size_t n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (char *at = line; at != NULL && n < COLUMNS; n++) {
		char *comma = strchr(at, ',');

		cells[n] = at;
		if (comma != NULL)
			*comma++ = '\0';
		at = comma;
	}
	return n;
}

static const char *
cell(const struct sheet *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->names[i], name) == 0)
			return s->cells[i];
	fail_msg("no column %s", name);
	return "";
}

static double
value(const struct sheet *s, const char *name)
{
	return strtod(cell(s, name), NULL);
}

static struct sizing_group
latent_of(const struct sheet *s)
{
	double rank = value(s, "kv_lora_rank");

	return (struct sizing_group){
		.layers = value(s, "L"),
		.key_width = rank + value(s, "rope_dim"),
		.heads = value(s, "H"),
		.query_width = rank + value(s, "rope_dim"),
		.output_width = rank,
		.prefill_query_width = value(s, "Dk"),
		.prefill_output_width = value(s, "Dv"),
	};
}

static void
add_group(struct sizing_model *m, struct sizing_group g)
{
	if (g.layers > 0)
		m->groups[m->group_count++] = g;
}

/* Rows of full and of windowed layers, and states, by the columns that the kind of model has. */
static struct sizing_model
model_from(const struct sheet *s)
{
	const char *kind = cell(s, "kind");
	struct sizing_model m = {.width = 4096, .vocabulary = 32000};
	struct sizing_group g = {
		.layers = value(s, *cell(s, "L_attn") != '\0' ? "L_attn"
		    : *cell(s, "L_full") != '\0' ? "L_full" : "L"),
		.key_width = value(s, "Hkv") * value(s, "Dk"),
		.value_width = value(s, "Hkv") * value(s, "Dv"),
	};

	if (strncmp(kind, "mla", 3) == 0) {
		add_group(&m, latent_of(s));
		add_group(&m, (struct sizing_group){.layers = *cell(s, "indexer_dim") != '\0'
		    ? value(s, "L") : 0, .index_width = value(s, "indexer_dim"), .also_on = true});
		return m;
	}
	add_group(&m, g);
	g.layers = value(s, "L_swa");
	g.window = value(s, "window");
	add_group(&m, g);
	add_group(&m, (struct sizing_group){.layers = value(s, "L_rec"), .state_count = 2,
	    .states = {{value(s, "conv_elems"), &FP32}, {value(s, "state_elems"), &FP32}}});
	return m;
}

static void
check_row(const struct sheet *s)
{
	struct sizing_model m = model_from(s);
	struct sizing_engine e = {
		.kind = SIZING_ENGINE_LLAMA_CPP,
		.keys = DTYPE(cell(s, "type_k")),
		.values = DTYPE(cell(s, "type_v")),
		.micro_batch = value(s, "n_ubatch"),
		.unified = value(s, "kv_unified") > 0,
		.full_windows = value(s, "swa_full") > 0,
		.no_flash_attention = strcmp(cell(s, "flash_attn"), "off") == 0,
		.mla = strcmp(cell(s, "kind"), "mla-expanded") == 0 ? SIZING_MLA_EXPANDED
		                                                  : SIZING_MLA_LATENT,
	};
	double sequences = value(s, "n_seq");
	struct sizing_load l = load("bf16", cell(s, "type_k"), value(s, "n_ctx_req") / sequences,
	    sequences);
	struct sizing_reserved r;
	struct sizing_error error;
	int rc = sizing_reserve(&r, &m, &l, &e, &error);

	if (*cell(s, "error") != '\0') {
		assert_int_equal(rc, -1);
		assert_string_equal(error.field, "engine.values");
		return;
	}
	assert_int_equal(rc, 0);
	if (r.bytes != value(s, "context_bytes_exact")) {
		print_error("%s %s/%s n_ctx %s n_seq %s: %.17g is not %s\n", cell(s, "model"),
		    cell(s, "type_k"), cell(s, "type_v"), cell(s, "n_ctx_req"), cell(s, "n_seq"), r.bytes,
		    cell(s, "context_bytes_exact"));
		fail();
	}
}

static void
test_shared_allocations(void **state)
{
	FILE *f = fopen("../shared/data/llama-cpp-memory.csv", "r");
	struct sheet s;
	size_t rows = 0;

	(void)state;
	if (f == NULL)
		skip();
	assert_non_null(fgets(s.header, sizeof s.header, f));
	s.count = split(s.header, s.names);
	for (; fgets(s.line, sizeof s.line, f) != NULL; rows++) {
		assert_int_equal(split(s.line, s.cells), s.count);
		check_row(&s);
	}
	fclose(f);
	assert_true(rows > 500);
}

/* ---- figures with a source of their own ---- */

/* Log: 416.00 MiB and 97.50 MiB: 39 x 1024 B x pad256(2048 + 512) rows. */
static void
test_muse_glimmer(void **state)
{
	struct sizing_model m = model_of(
	    (struct sizing_group[]){KV(13, 256), KV_WINDOW(39, 256, 2048)}, 2);
	struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 32768, 1,
	    (struct sizing_engine){0});

	(void)state;
	assert_same(r.bytes, 416 * MIB + 97.5 * MIB);
	assert_same(r.minimum_bytes, 416 * MIB + 78 * MIB);
	assert_same(r.by_rule[SIZING_RULE_WINDOW_MICRO_BATCH], 19.5 * MIB);
	assert_same(r.window_cells, 2560);
	assert_same(r.cells, 32768);
}

/* 10 full and 52 windowed layers of 16 x 128, keys q8_0, values f16: 7.94 GiB. */
static void
test_gemma3_mixed_types(void **state)
{
	struct sizing_model m = model_of(
	    (struct sizing_group[]){KV(10, 2048), KV_WINDOW(52, 2048, 1024)}, 2);
	struct sizing_reserved r = reserve_llama(&m, "q8_0", "f16", 128000, 1,
	    (struct sizing_engine){0});

	(void)state;
	assert_same(r.bytes, (10 * 128000.0 + 52 * 1536) * 2048 * (34 / 32.0 + 2));
	assert_near(r.bytes / GIB, 7.94, 0.005 / 7.94);
}

/* 5 full layers of 4096 B a token and 25 windowed ones of 8192 B, 1024 + 512 rows. */
static void
test_gemma4(void **state)
{
	static const struct { double context, bytes; } EXPECTED[] = {
		{131072, 2998927360}, {32768, 985661440}, {4096, 398458880},
	};
	struct sizing_model m = model_of(
	    (struct sizing_group[]){KV(5, 1024), KV_WINDOW(25, 2048, 1024)}, 2);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sizing_reserved r = reserve_llama(&m, "bf16", "bf16", EXPECTED[i].context, 1,
		    (struct sizing_engine){0});

		assert_same(r.bytes, EXPECTED[i].bytes);
	}
}

/*
 * V2-Lite in three layouts, bytes a token: 27 x 576 x 2 = 31,104; with the rank as values, 27 x
 * (576 + 512) x 2 = 58,752 (an older build's); 27 x 16 x (192 + 128) x 2 = 276,480.
 */
static void
test_latent_layouts(void **state)
{
	static const double EACH[] = {31104, 58752, 276480};
	struct sizing_model m = model_of((struct sizing_group[]){LATENT(27)}, 1);

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 1024, 1,
		    (struct sizing_engine){.mla = (enum sizing_mla)i});

		assert_same(r.bytes, 1024 * EACH[i]);
		assert_same(r.minimum_bytes, 1024 * EACH[0]);
	}
}

/* Qwen3.8-Flash-Next: the index at one row a token instead of one in four: 3,072 B, not 768; at
 * 8,192 cells 24.00 MiB. 12 layers x 128 x 2 B. */
static void
test_index_uncompressed(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){
	    {.layers = 12, .index_width = 128, .stride = 4, .also_on = true}}, 1);
	struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 8192, 1,
	    (struct sizing_engine){0});

	(void)state;
	assert_same(r.index_bytes, 24 * MIB);
	assert_same(r.minimum_bytes, 6 * MIB);
	assert_same(r.by_rule[SIZING_RULE_INDEX_UNCOMPRESSED], 18 * MIB);
}

/* Without flash attention values are as wide as those of the widest layer: (4 + 2) x 512 cells x
 * (key + 1024) x 2 B. */
static void
test_widest_values(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){KV(4, 1024), KV(2, 256)}, 2);
	struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 512, 1,
	    (struct sizing_engine){.no_flash_attention = true});

	(void)state;
	assert_same(r.by_rule[SIZING_RULE_VALUES_WIDEST], 512 * 2 * (1024 - 256) * 2.0);
	assert_same(r.bytes, 512 * 2 * (4 * 2048 + 2 * (256 + 1024.0)));
}

/* bf16 tails are kept in f32: Qwen3-Next, 36 x 24,576 x 2 B more. */
static void
test_states_in_f32(void **state)
{
	struct sizing_model m = model_of((struct sizing_group[]){{.layers = 36, .state_count = 2,
	    .states = {{524288, &FP32}, {24576, &BF16}}}}, 1);
	struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 512, 1,
	    (struct sizing_engine){0});

	(void)state;
	assert_same(r.by_rule[SIZING_RULE_STATE_F32], 36 * 24576 * 2.0);
	assert_same(r.state_bytes, 36 * 4 * (524288 + 24576.0));
	assert_same(r.cells, 0);
}

/* Micro-batch x (vocabulary + 2 x width) x 4 B: 512 x (32000 + 8192) x 4; without flash attention
 * and 32 heads + 32 x 1024 cells x 512 x 4. */
static void
test_compute_buffer(void **state)
{
	struct sizing_group g = KV(32, 1024);
	struct sizing_model m = model_of(&g, 1);
	struct sizing_reserved r = reserve_llama(&m, "f16", "f16", 1024, 1,
	    (struct sizing_engine){0});

	(void)state;
	assert_same(r.compute_bytes, 82313216);
	m.groups[0].heads = 32;
	m.groups[0].query_width = 128;
	r = reserve_llama(&m, "f16", "f16", 1024, 1,
	    (struct sizing_engine){.no_flash_attention = true});
	assert_same(r.compute_bytes, 82313216 + 32 * 1024 * 512 * 4.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allocated),
		cmocka_unit_test(test_shared_allocations),
		cmocka_unit_test(test_muse_glimmer),
		cmocka_unit_test(test_gemma3_mixed_types),
		cmocka_unit_test(test_gemma4),
		cmocka_unit_test(test_latent_layouts),
		cmocka_unit_test(test_index_uncompressed),
		cmocka_unit_test(test_widest_values),
		cmocka_unit_test(test_states_in_f32),
		cmocka_unit_test(test_compute_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
