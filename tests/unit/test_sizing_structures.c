/*
 * Cache structures: what is kept and what is read. Figures of model cards, engine logs and
 * papers, or the arithmetic beside them. Bytes of one sequence, states included, no slack.
 */
#include "unit.h"

#include "sizing_models.h"

#define M131072 131072.0

/* As in the library's table; constants, so that the structures below can be. */
static const struct sizing_dtype FP32 = {"fp32", 32, SIZING_FP32};
static const struct sizing_dtype BF16 = {"bf16", 16, SIZING_BF16};

struct structure {
	const char *name;
	struct sizing_group groups[4];
	size_t count;
	const char *kv, *index;
	double tokens, kept_bytes;
};

#define LATENT(n) {.layers = n, .key_width = 576}
#define INDEX(n) {.layers = n, .index_width = 128, .also_on = true}
#define KV(n, k, v) {.layers = n, .key_width = k, .value_width = v}
#define KV_WINDOW(n, k, v, w) {.layers = n, .key_width = k, .value_width = v, .window = w}
#define STATE(n, e, d, c, cd) \
	{.layers = n, .states = {{e, &(d)}, {c, &(cd)}}, .state_count = 2}

static const struct structure STRUCTURES[] = {
	/* vLLM blog 2026-04-24: 83.9 GiB; 61 x (576 + 128) x 2 x 2^20 */
	{"deepseek-v3.2", {LATENT(61), INDEX(61)}, 2, "bf16", "bf16", 1048576, 90060095488},
	/* the same with fp8 keys of 128 + 4 B (8.25 bits): 61 x 1284 x T */
	{"deepseek-v3.2, fp8 index", {LATENT(61), INDEX(61)}, 2, "bf16", "mxfp8", M131072,
	    10266083328},
	/* 30 x 262144 x (1024 + 256) + 31 x 8192 x 1024 + 61 x 128 x 1024, without the
	 * compressor buffers. Published: 9.62 GiB */
	{"deepseek-v4-pro, rows",
	    {{.layers = 61, .key_width = 512, .window = 128},
	     {.layers = 30, .key_width = 512, .index_width = 128, .stride = 4,
	         .also_on = true},
	     {.layers = 31, .key_width = 512, .stride = 128, .also_on = true}},
	    3, "bf16", "bf16", 1048576, 10334371840},
	/* and with them: 30 x 20480 x 4 + 31 x 131072 x 4 = 18,710,528 more */
	{"deepseek-v4-pro",
	    {{.layers = 61, .key_width = 512, .window = 128},
	     {.layers = 30, .key_width = 512, .index_width = 128, .stride = 4,
	         .also_on = true, .states = {{20480, &FP32}}, .state_count = 1},
	     {.layers = 31, .key_width = 512, .stride = 128, .also_on = true,
	         .states = {{131072, &FP32}}, .state_count = 1}},
	    3, "bf16", "bf16", 1048576, 10353082368},
	/* 32768 x 16384 + 24 x (32 x 128 x 128 x 4 + 8192 x 3 x 2) */
	{"qwen3.5-9b", {KV(8, 1024, 1024), STATE(24, 524288, FP32, 24576, BF16)}, 2,
	    "bf16", NULL, 16384, 588382208},
	/* llama.cpp log: 416.00 MiB of full layers; windows 39 x 1024 B x 2048 rows */
	{"muse-glimmer-30b", {KV(13, 256, 256), KV_WINDOW(39, 256, 256, 2048)}, 2, "f16",
	    NULL, 32768, 517996544},
	/* a public test asserts 78.5, 266 and 1,016 MiB: 20 of 35 layers own a cache */
	{"gemma-3n-e4b", {KV(4, 512, 512), KV_WINDOW(16, 512, 512, 512)}, 2, "bf16", NULL,
	    8000, 78.5 * 1048576},
	{"gemma-3n-e4b", {KV(4, 512, 512), KV_WINDOW(16, 512, 512, 512)}, 2, "bf16", NULL,
	    32000, 266 * 1048576.0},
	{"gemma-3n-e4b", {KV(4, 512, 512), KV_WINDOW(16, 512, 512, 512)}, 2, "bf16", NULL,
	    128000, 1016 * 1048576.0},
	/* 61 x (1152 + 132) */
	{"a.x-k2, one token", {LATENT(61), INDEX(61)}, 2, "bf16", "mxfp8", 1, 78324},
	/* index keys on 21 of 78 layers: (78 x 576 + 21 x 128) x 2 x T */
	{"glm-5.3", {LATENT(78), INDEX(21)}, 2, "bf16", "bf16", M131072, 12482248704},
	/* index pooled 4:1: 11 x (512 + 32) x 2 x T; 34 x (1048576 x 4 + 73728 x 2) */
	{"glm-5.3-flash",
	    {{.layers = 11, .key_width = 512},
	     {.layers = 11, .index_width = 128, .stride = 4, .also_on = true},
	     STATE(34, 1048576, FP32, 73728, BF16)},
	    3, "bf16", "bf16", M131072, 1716289536},
	/* 28 blocks of two latents: 64,512 x T */
	{"longcat-flash", {LATENT(56)}, 1, "bf16", NULL, M131072, 8455716864},
	/* keys of 192, values of 128; 8 kv heads in windows, 4 in full layers */
	{"mimo-v2-flash", {KV(9, 768, 512), KV_WINDOW(39, 1536, 1024, 128)}, 2, "bf16",
	    NULL, M131072, 3045457920},
	/* 335,544,320 + 20,971,520 + 9 x (5120 x 16 x 4 + 5120 x 3 x 2) */
	{"phi-4-mini-flash",
	    {{.layers = 1, .readers = 8, .key_width = 1280, .value_width = 1280},
	     KV_WINDOW(8, 1280, 1280, 512), STATE(9, 81920, FP32, 15360, BF16)},
	    3, "bf16", NULL, 65536, 359741440},
	/* 805,306,368 + 36 x (32 x 128 x 128 x 4 + (2 x 16 x 128 + 32 x 128) x 3 x 2) */
	{"qwen3-next-80b", {KV(12, 512, 512), STATE(36, 524288, FP32, 24576, BF16)}, 2,
	    "bf16", NULL, 32768, 882573312},
	/* 18 x 32768 x 2048 + 18 x 128 x 2048, not 36 x 32768 x 2048 */
	{"gpt-oss-120b", {KV(18, 512, 512), KV_WINDOW(18, 512, 512, 128)}, 2, "bf16", NULL,
	    32768, 1212678144},
	/* every layer stores the token while the window is open: 36 x 2 x 8 x 64 x 2 */
	{"gpt-oss-120b", {KV(18, 512, 512), KV_WINDOW(18, 512, 512, 128)}, 2, "bf16", NULL,
	    1, 73728},
	/* (10 x 131072 + 52 x 1024) x 8192: 10.41 GiB, not 62 */
	{"gemma-3-27b", {KV(10, 2048, 2048), KV_WINDOW(52, 2048, 2048, 1024)}, 2, "bf16",
	    NULL, M131072, 11173625856},
	/* an engine's own rule as data: the window is 1024 + a micro-batch of 512 */
	{"gemma-4-26b", {KV(5, 1024, 1024), KV_WINDOW(25, 2048, 2048, 1536)}, 2, "bf16",
	    NULL, M131072, 2998927360},
	{"gemma-4-26b", {KV(5, 1024, 1024), KV_WINDOW(25, 2048, 2048, 1536)}, 2, "bf16",
	    NULL, 32768, 985661440},
	{"gemma-4-26b", {KV(5, 1024, 1024), KV_WINDOW(25, 2048, 2048, 1536)}, 2, "bf16",
	    NULL, 4096, 398458880},
	/* head size 128, not hidden / heads = 80: 36 x 2 x 8 x 128 x 2 */
	{"qwen3-4b", {KV(36, 1024, 1024)}, 1, "bf16", NULL, 1, 147456},
	/* 61 x (512 + 64) x 2; not 61 x 128 heads and not half of it */
	{"deepseek-v3", {LATENT(61)}, 1, "bf16", NULL, 1, 70272},
	/* packed entries: 61 x 656 + 61 x 132 a token */
	{"deepseek-v3.2, packed",
	    {{.layers = 61, .key_width = 576, .row_bytes = 656},
	     {.layers = 61, .index_width = 128, .row_bytes = 132, .also_on = true}},
	    2, NULL, NULL, 1000, 48068000},
	/* 8 layers x 1601 image rows x 2 x 8 x 128 x 2, whatever the context */
	{"cross-attention", {{.layers = 8, .key_width = 1024, .value_width = 1024,
	    .source_rows = 1601}}, 1, "bf16", NULL, M131072, 52461568},
	/* an encoder keeps nothing */
	{"encoder", {{.layers = 24, .projections = 4194304}}, 1, NULL, NULL, 8192, 0},
};

static void
assert_kept(const struct structure *s)
{
	struct sizing_model m = {.group_count = s->count};
	double bytes;

	for (size_t k = 0; k < s->count; k++)
		m.groups[k] = s->groups[k];
	bytes = sizing_kept_bytes(&m, s->tokens, DTYPE(s->kv), DTYPE(s->index));
	if (bytes != s->kept_bytes)
		print_error("%s at %g: %.17g\n", s->name, s->tokens, bytes);
	assert_same(bytes, s->kept_bytes);
}

static void
bytes_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof STRUCTURES / sizeof STRUCTURES[0]; i++)
		assert_kept(&STRUCTURES[i]);
}

/* The parts of the above that sources give on their own. */
static const struct structure PARTS[] = {
	/* 42,944 elements of two bytes a token: 83.875 GiB at a million */
	{"deepseek-v3.2, one token", {LATENT(61), INDEX(61)}, 2, "bf16", "bf16", 1, 85888},
	/* layers of one kind: 320.125 and 8.125 MiB with their windows of 128 KiB; published 320.1 and 8.1 */
	{"deepseek-v4-pro, compressed 4", {{.layers = 1, .key_width = 512, .window = 128},
	    {.layers = 1, .key_width = 512, .index_width = 128, .stride = 4, .also_on = true}}, 2, "bf16", "bf16",
	    1048576, 320.125 * 1048576},
	{"deepseek-v4-pro, compressed 128", {{.layers = 1, .key_width = 512, .window = 128},
	    {.layers = 1, .key_width = 512, .stride = 128, .also_on = true}}, 2, "bf16", "bf16", 1048576,
	    8.125 * 1048576},
	{"deepseek-v4-pro, windows", {{.layers = 61, .key_width = 512, .window = 128}}, 1, "bf16", NULL, 1048576,
	    7995392},
	{"deepseek-v4-pro, compressed",
	    {{.layers = 30, .key_width = 512, .index_width = 128, .stride = 4}, {.layers = 31, .key_width = 512,
	        .stride = 128}}, 2, "bf16", "bf16", 1048576, 10326376448},
	{"qwen3.5-9b, one token", {KV(8, 1024, 1024)}, 1, "bf16", NULL, 1, 32768},
	{"qwen3.5-9b, rows", {KV(8, 1024, 1024)}, 1, "bf16", NULL, 16384, 536870912},
	{"qwen3.5-9b, states", {STATE(24, 524288, FP32, 24576, BF16)}, 1, "bf16", NULL, 16384, 51511296},
	{"muse-glimmer-30b, one token", {KV(13, 256, 256)}, 1, "f16", NULL, 1, 13312},
	{"muse-glimmer-30b, full", {KV(13, 256, 256)}, 1, "f16", NULL, 32768, 416 * 1048576.0},
	{"muse-glimmer-30b, windows", {KV_WINDOW(39, 256, 256, 2048)}, 1, "f16", NULL, 32768, 78 * 1048576.0},
	{"longcat-flash, one token", {LATENT(56)}, 1, "bf16", NULL, 1, 64512},
	{"mimo-v2-flash, one token", {KV(9, 768, 512)}, 1, "bf16", NULL, 1, 23040},
	{"mimo-v2-flash, full", {KV(9, 768, 512)}, 1, "bf16", NULL, M131072, 3019898880},
	{"mimo-v2-flash, windows", {KV_WINDOW(39, 1536, 1024, 128)}, 1, "bf16", NULL, M131072, 25559040},
	{"phi-4-mini-flash, full", {KV(1, 1280, 1280)}, 1, "bf16", NULL, 65536, 335544320},
	{"phi-4-mini-flash, windows", {KV_WINDOW(8, 1280, 1280, 512)}, 1, "bf16", NULL, 65536, 20971520},
	{"phi-4-mini-flash, states", {STATE(9, 81920, FP32, 15360, BF16)}, 1, "bf16", NULL, 65536, 3225600},
	{"qwen3-next-80b, rows", {KV(12, 512, 512)}, 1, "bf16", NULL, 32768, 805306368},
	{"qwen3-next-80b, states", {STATE(36, 524288, FP32, 24576, BF16)}, 1, "bf16", NULL, 32768, 77266944},
	/* what is not so: no window, no latent */
	{"gpt-oss-120b, all full", {KV(36, 512, 512)}, 1, "bf16", NULL, 32768, 2415919104},
	{"gemma-3-27b, all full", {KV(62, 2048, 2048)}, 1, "bf16", NULL, M131072, 62 * GIB},
};

static void
bytes_of_parts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++)
		assert_kept(&PARTS[i]);
}

static void
rows_kept_are_not_rows_read(void **state)
{
	struct sizing_model sparse = {
		.groups = {{.layers = 61, .key_width = 576, .top_k = 2048}, INDEX(61)},
		.group_count = 2,
	};
	struct sizing_model shared = {
		.groups = {{.layers = 1, .readers = 8, .key_width = 1280, .value_width = 1280}},
		.group_count = 1,
	};
	struct sizing_model states = {
		.groups = {STATE(24, 524288, FP32, 24576, BF16)}, .group_count = 1};
	struct sizing_group strided = {.stride = 4, .top_k = 1024, .window = 10000};

	(void)state;
	/* 61 x 1284 x T kept; 61 x (2048 x 1152 + T x 132) read */
	assert_same(sizing_kept_bytes(&sparse, M131072, DTYPE("bf16"), DTYPE("mxfp8")),
	    10266083328);
	assert_same(sizing_read_bytes(&sparse, M131072, DTYPE("bf16"), DTYPE("mxfp8")), 1199308800);
	/* one owner, seven more readers */
	assert_same(sizing_kept_bytes(&shared, 65536, DTYPE("bf16"), NULL), 335544320);
	assert_same(sizing_read_bytes(&shared, 65536, DTYPE("bf16"), NULL), 2684354560);
	/* states are read and written: 24 x (524288 x 4 + 24576 x 2) x 2 */
	assert_same(sizing_read_bytes(&states, 1, NULL, NULL), 2 * 51511296.0);
	/* ceil(min(T, window) / stride), then the top of them */
	assert_same(sizing_rows_kept(&strided, 9), 3);
	assert_same(sizing_rows_kept(&strided, 9999), 2500);
	assert_same(sizing_rows_kept(&strided, 10001), 2500);
	assert_same(sizing_rows_read(&strided, 9), 3);
	assert_same(sizing_rows_read(&strided, 10001), 1024);
}

static void
index_and_key_parts_of_a_row(void **state)
{
	struct sizing_group both = {.key_width = 512, .index_width = 128};
	struct sizing_group packed = {.key_width = 576, .row_bytes = 656};
	struct sizing_group packed_index = {.index_width = 128, .row_bytes = 132};

	(void)state;
	assert_same(sizing_row_bytes(&both, DTYPE("bf16"), DTYPE("fp8")), 1152);
	assert_same(sizing_index_row_bytes(&both, DTYPE("bf16"), DTYPE("fp8")), 128);
	assert_same(sizing_row_bytes(&both, DTYPE("bf16"), NULL), 1280);
	assert_same(sizing_row_bytes(&packed, NULL, NULL), 656);
	assert_same(sizing_index_row_bytes(&packed, NULL, NULL), 0);
	assert_same(sizing_index_row_bytes(&packed_index, NULL, NULL), 132);
}

/* Four structures side by side, KiB a token: 160, 68.625, 80 once the windows are full, 6. */
static void
four_structures(void **state)
{
	const struct sizing_group qwen3[] = {KV(40, 1024, 1024)};
	const struct sizing_group v3[] = {LATENT(61)};
	const struct sizing_group gemma[] = {KV(10, 2048, 2048), KV_WINDOW(52, 2048, 2048, 1024)};
	const struct sizing_group nano[] = {KV(6, 256, 256), STATE(23, 524288, FP32, 18432,
	    BF16)};
	const struct {
		const struct sizing_group *groups;
		size_t count;
		double open_kib, growth_kib;
	} table[] = {{qwen3, 1, 160, 160}, {v3, 1, 68.625, 68.625}, {gemma, 2, 496, 80}, {nano, 2,
	    6, 6}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct sizing_input in = {
			.model = {.published_total = 1e9, .group_count = table[i].count},
			.device = h200(),
			.load = load("bf16", "bf16", M131072, 1),
		};
		struct sizing_result r;

		for (size_t k = 0; k < table[i].count; k++)
			in.model.groups[k] = table[i].groups[k];
		r = size_up(&in);
		assert_same(r.kv_bytes_per_token, table[i].open_kib * 1024);
		assert_same(r.kv_growth_per_token, table[i].growth_kib * 1024);
		if (i == 0)
			assert_same(r.kv_bytes_per_sequence, 20 * GIB);
		if (i == 3) {
			assert_same(r.kv_bytes_per_sequence, 0.75 * GIB);
			/* 23 x 524288 x 4 + 23 x 18432 x 2 */
			assert_same(r.state_bytes_per_sequence, 49082368);
		}
	}
}

/* The slope between contexts is the bytes a token: 48 KiB = 48 layers x 2 x 4 x 128 at fp8. */
static void
slope_of_contexts(void **state)
{
	const double contexts[] = {2048, 8192, 16384};
	struct sizing_model m = {.groups = {KV(48, 512, 512)}, .group_count = 1};

	(void)state;
	for (size_t i = 1; i < 3; i++) {
		double rise = sizing_kept_bytes(&m, contexts[i], DTYPE("fp8"), NULL) -
		    sizing_kept_bytes(&m, contexts[i - 1], DTYPE("fp8"), NULL);

		assert_same(rise / (contexts[i] - contexts[i - 1]), 48.0 * 1024);
	}
}

static void
growth_with_strides_and_windows(void **state)
{
	/* DeepSeek-V4-Pro, once the window is full: 30 x 1280 / 4 + 31 x 1024 / 128 = 9,848 B */
	struct sizing_input in = {
		.model = {
			.groups = {
				{.layers = 61, .key_width = 512, .window = 128},
				{.layers = 30, .key_width = 512, .index_width = 128, .stride = 4},
				{.layers = 31, .key_width = 512, .stride = 128},
			},
			.group_count = 3,
			.published_total = 1.6e12,
		},
		.device = h200(),
		.load = load("fp8", "bf16", M131072, 1),
	};
	struct sizing_result r = size_up(&in);

	(void)state;
	assert_same(r.kv_growth_per_token, 9848);
	assert_same(r.kv_bytes_per_token, 9848 + 61 * 1024);
	/* 30 x 32768 index rows x 256 B */
	assert_same(r.index_bytes_per_sequence, 251658240);
	in.load.context = 128;
	assert_same(size_up(&in).kv_growth_per_token, 9848);
	in.load.context = 127;
	assert_same(size_up(&in).kv_growth_per_token, 9848 + 61 * 1024);
	/* rows of a source do not come with tokens */
	in.model.groups[0].source_rows = 1601;
	r = size_up(&in);
	assert_same(r.kv_bytes_per_token, 9848);
	assert_same(r.kv_growth_per_token, 9848);
}

/* 36 x 65536 / (18 x 65536 + 18 x 128) */
static void
window_ratio(void **state)
{
	struct sizing_model half = {
		.groups = {KV(18, 512, 512), KV_WINDOW(18, 512, 512, 128)}, .group_count = 2};
	struct sizing_model full = {.groups = {KV(36, 512, 512)}, .group_count = 1};
	const struct sizing_dtype *bf16 = DTYPE("bf16");

	(void)state;
	assert_near(sizing_kept_bytes(&full, 65536, bf16, NULL) /
	    sizing_kept_bytes(&half, 65536, bf16, NULL), 1.9961, 1e-5);
}

/* Z.ai: 4.4 x less per layer, states at 2 B an element: 610.46 and 139.02 elements a layer. */
static void
glm_per_layer_ratio(void **state)
{
	const struct sizing_dtype *bf16 = DTYPE("bf16");
	struct sizing_model big = {.groups = {LATENT(78), INDEX(21)}, .group_count = 2};
	struct sizing_model flash = {
		.groups = {
			{.layers = 11, .key_width = 512},
			{.layers = 11, .index_width = 128, .stride = 4},
			{.layers = 34, .states = {{1048576, DTYPE("bf16")}}, .state_count = 1},
		},
		.group_count = 3,
	};
	double a = sizing_kept_bytes(&big, M131072, bf16, bf16) / 78 / 2 / M131072;
	double b = sizing_kept_bytes(&flash, M131072, bf16, bf16) / 45 / 2 / M131072;

	(void)state;
	assert_near(a, 610.46, 1e-5);
	assert_near(b, 139.02, 1e-4);
	assert_near(a / b, 4.39, 1e-3);
	/* states in fp32: 4.21; of two bytes at a million tokens, where they weigh less, 4.56 */
	flash.groups[2].states[0].dtype = DTYPE("fp32");
	b = sizing_kept_bytes(&flash, M131072, bf16, bf16) / 45 / 2 / M131072;
	assert_near(a / b, 4.21, 1e-3);
	flash.groups[2].states[0].dtype = bf16;
	b = sizing_kept_bytes(&flash, 1048576, bf16, bf16) / 45 / 2 / 1048576;
	assert_near(a / b, 4.56, 1.1e-3); /* as printed */
}

/*
 * A.X-K2 on 16 A100, TP8 x PP2, a latent on every rank: 26.4 GiB for 724,544 tokens and, without the index, 26.8 GiB for
 * 821,312 are 39,124 and 35,037 B a token and device, ratio 1.117. Half of 61 x 1284 and of 61 x 1152 are 39,162 and
 * 35,136, 1.115; an index of two bytes would give 1.222.
 */
static void
index_of_eight_bits(void **state)
{
	const struct sizing_dtype *bf16 = DTYPE("bf16"), *fp8 = DTYPE("mxfp8");
	struct sizing_model sparse = {.groups = {LATENT(61), INDEX(61)}, .group_count = 2};
	struct sizing_model dense_one = {.groups = {LATENT(61)}, .group_count = 1};
	double with = sizing_kept_bytes(&sparse, 1, bf16, fp8), without = sizing_kept_bytes(&dense_one, 1, bf16, NULL);

	(void)state;
	assert_near(with / 2, 26.4 * GIB / 724544, 2e-3);
	assert_near(without / 2, 26.8 * GIB / 821312, 3e-3);
	assert_near(with / without, 1.115, 5e-4);
	assert_near(with / without, 39124 / 35037.0, 3e-3);
	assert_near(sizing_kept_bytes(&sparse, 1, bf16, bf16) / without, 1.222, 2e-4);
}

/* MiMo-V2-Flash against all 48 layers full, with four kv heads or with the eight of its windows; the vendor: nearly 6. */
static void
windows_against_full_layers(void **state)
{
	struct sizing_model growing = {.groups = {KV(9, 768, 512)}, .group_count = 1};
	struct sizing_model same = {.groups = {KV(48, 768, 512)}, .group_count = 1};
	struct sizing_model wide = {.groups = {KV(9, 768, 512), KV(39, 1536, 1024)}, .group_count = 2};
	const struct sizing_dtype *bf16 = DTYPE("bf16");
	double bytes = sizing_kept_bytes(&growing, M131072, bf16, NULL);

	(void)state;
	assert_near(sizing_kept_bytes(&same, M131072, bf16, NULL) / bytes, 48 / 9.0, 1e-12);
	assert_near(sizing_kept_bytes(&wide, M131072, bf16, NULL) / bytes, 9.67, 1e-3);
}

static void
dtypes(void **state)
{
	const struct sizing_dtype *d;

	(void)state;
	/* bytes of an element: 34/32, 22/32, 18/32, 144/256; 16 weights in 8 B and a 1 B scale */
	assert_same(DTYPE("q8_0")->bits / 8, 1.0625);
	assert_same(DTYPE("q5_0")->bits / 8, 0.6875);
	assert_same(DTYPE("q4_0")->bits / 8, 0.5625);
	assert_same(DTYPE("Q4_K")->bits / 8, 0.5625);
	assert_same(DTYPE("nvfp4")->bits / 8, 0.5625);
	assert_same(DTYPE("mxfp4")->bits, 4.25);
	assert_null(DTYPE("q4_k_m"));
	assert_null(DTYPE(""));
	assert_null(DTYPE("bf1"));
	assert_null(DTYPE("bf166"));
	assert_null(sizing_dtype_find(NULL));
	for (size_t i = 0; (d = sizing_dtype_at(i)) != NULL; i++) {
		assert_ptr_equal(DTYPE(d->name), d);
		assert_true(d->bits > 0 && d->compute >= 0 && d->compute < SIZING_RATES);
	}
	for (int i = 0; i < SIZING_RATES; i++)
		assert_non_null(sizing_rate_name((enum sizing_rate)i));
	for (int i = 0; i < SIZING_TERMS; i++)
		assert_non_null(sizing_term_name((enum sizing_term)i));
	for (int i = 0; i < SIZING_VERDICTS; i++)
		assert_non_null(sizing_verdict_name((enum sizing_verdict)i));
	assert_string_equal(sizing_term_name(SIZING_LINEAR_COMPUTE), "linear-compute");
	assert_null(sizing_term_name(SIZING_TERMS));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_kept),
		cmocka_unit_test(rows_kept_are_not_rows_read),
		cmocka_unit_test(index_and_key_parts_of_a_row),
		cmocka_unit_test(four_structures),
		cmocka_unit_test(slope_of_contexts),
		cmocka_unit_test(growth_with_strides_and_windows),
		cmocka_unit_test(window_ratio),
		cmocka_unit_test(bytes_of_parts),
		cmocka_unit_test(glm_per_layer_ratio),
		cmocka_unit_test(index_of_eight_bits),
		cmocka_unit_test(windows_against_full_layers),
		cmocka_unit_test(dtypes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
