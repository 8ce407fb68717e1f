/*
 * Whole results worked out term by term from the formulas in the headers: what each class of tensors reads and
 * computes, what the fullest device holds, what a prompt in chunks takes and what serving follows from it. On
 * a machine with no latency of hops; H100: 3.35e12 B/s, 989e12 and 1979e12 operations/s, 450e9 B/s.
 */
#include "unit.h"

#include "sizing_models.h"

#define BW 3.35e12
#define LINK 450e9

static struct sizing_device
h100(void)
{
	return (struct sizing_device){.visible_bytes = 1e12, .usable_fraction = 1, .bandwidth = BW,
		.peak = {[SIZING_BF16] = 989e12, [SIZING_FP8] = 1979e12}, .link = LINK, .domain = 8};
}

static struct sizing_layout
layout(double tensor, double attention, double pipeline)
{
	return (struct sizing_layout){.tensor = tensor, .attention = attention, .pipeline = pipeline};
}

/*
 * Mixtral-8x7B, four ranks, 32 sequences. Attention 32 x 4096 x (2048 + 8192), experts 32 x 8 x 3 x 4096 x 14336, of
 * which a batch of B touches 1 - 0.75^B, vocabulary 2 x 32000 x 4096, norms 65 x 4096, routers 32 x 8 x 4096.
 */
#define ATTENTION (32 * 4096 * 10240.0)
#define EXPERTS (32 * 8 * 3 * 4096 * 14336.0)
#define VOCABULARY (64000 * 4096.0)
#define NORMS (65 * 4096.0)
#define ROUTERS (256 * 4096.0)

static struct sizing_model
mixtral(void)
{
	struct sizing_model m = with_norms(dense(32, 4096, 14336, 32, 8, 128, 32000, false));

	m.ffn[0].experts = 8;
	m.ffn[0].active = 2;
	return m;
}

/* Each class is the longer of its bytes and its operations: `bytes` a weight, all over four. */
static double
mixtral_linear(double tokens, double bytes, double rate)
{
	const double classes[][2] = { /* weights read, and multiplied for a token */
		{ATTENTION, ATTENTION}, {EXPERTS * (1 - pow(0.75, tokens)), EXPERTS / 4},
		{VOCABULARY, VOCABULARY / 2}, {NORMS + ROUTERS, NORMS + ROUTERS},
	};
	double seconds = 0;

	for (size_t i = 0; i < 4; i++)
		seconds += fmax(classes[i][0] * bytes / (4 * BW), 2 * classes[i][1] * tokens / (4 * rate));
	return seconds;
}

static void
a_step_by_classes(void **state)
{
	struct sizing_input in = {
		.model = mixtral(), .device = h100(), .load = load("bf16", "bf16", 4096, 32)};
	double kv = 32.0 * 4096 * 32 * 2048 * 2; /* 32 sequences x rows x layers x 2 x 8 x 128 x 2 B */
	struct sizing_result r;

	(void)state;
	in.load.layout = layout(4, 1, 1);
	r = size_up(&in);
	assert_near(r.decode.linear_seconds, mixtral_linear(32, 2, 989e12), 1e-12);
	assert_near(r.decode.kv_seconds, kv / (4 * BW), 1e-12);
	/* 2 x 32 heads x 256 x rows, of all layers */
	assert_near(r.decode.attention_compute_seconds, 32 * 4096 * 32 * 2 * 32 * 256.0 / (4 * 989e12), 1e-12);
	/* 64 all-reduces of 32 x 4096 x 2 B, three quarters twice */
	assert_near(r.decode.interconnect_seconds, 64 * 1.5 * 262144 / LINK, 1e-12);
	assert_near(r.decode.seconds, r.decode.linear_seconds + r.decode.kv_seconds + r.decode.interconnect_seconds,
	    1e-12);
	/* routers are on every rank */
	assert_near(r.budget.weights, 2 * (ATTENTION + EXPERTS + VOCABULARY + NORMS) / 4 + 2 * ROUTERS, 1e-9);
	assert_near(r.budget.kv, kv / 4, 1e-12);
}

/* 8192 + 512 tokens in fp8, half of the prompt seen before, three tokens drafted of which seven in ten are right. */
static double
mixtral_prompt(double start, double tokens)
{
	double rows = (start + tokens) * 32 * 2048;
	double pairs = ((start + tokens) * (start + tokens) - start * start) / 2;
	double attention = fmax(rows / (4 * BW), 32.0 * 2 * 32 * 256 * pairs / (4 * 1979e12));

	/* links behind linear layers: 64 all-reduces of two bytes an element */
	return fmax(mixtral_linear(tokens, 1, 1979e12), 64 * 1.5 * tokens * 8192 / LINK) + attention;
}

static double
mixtral_step(double tokens)
{
	return mixtral_linear(32 * tokens, 1, 1979e12) + 32 * 8704 * 32 * 2048.0 / (4 * BW) +
	    64 * 1.5 * 32 * tokens * 8192 / LINK;
}

static void
serving_follows_from_a_step_and_a_prompt(void **state)
{
	struct sizing_input in = {.model = mixtral(), .device = h100(), .load = load("fp8", "fp8", 0, 32)};
	double prompt = mixtral_prompt(0, 8192), half = mixtral_prompt(4096, 4096), step = mixtral_step(1);
	double drafted = mixtral_step(4) + 3 * 0.1 * step, cycle = 512 * step + 32 * half;
	struct sizing_result r;

	(void)state;
	in.load.prompt = 8192;
	in.load.output = 512;
	in.load.reuse = 0.5;
	in.load.draft_tokens = 3;
	in.load.acceptance = 0.7;
	in.load.draft_cost = 0.1;
	in.load.layout = layout(4, 1, 1);
	r = size_up(&in);
	assert_near(r.prefill.seconds, prompt, 1e-12);
	assert_near(r.prefill.seconds_reused, half, 1e-12);
	assert_near(r.decode.seconds, step, 1e-12);
	assert_near(r.serving.tokens_per_step, 2.533, 1e-12); /* (1 - 0.7^4) / 0.3 */
	assert_near(r.serving.speculative_step_seconds, drafted, 1e-12);
	assert_near(r.serving.speculative_gain, step * 2.533 / drafted, 1e-12);
	assert_near(r.serving.requests_per_second, 32 / (512 * step), 1e-12);
	assert_near(r.serving.decode_share, 512 * step / cycle, 1e-12);
	assert_near(r.serving.interleaved_tokens_per_second, 32 * 512 / cycle, 1e-12);
	assert_near(r.serving.batched_prefill_seconds, 32 * half, 1e-12);
	assert_near(r.serving.prefill_per_decode, 32 / (512 * step) * half, 1e-12);
	assert_near(r.serving.transfer_bytes, 8192 * 32 * 2048.0, 1e-12);
	assert_near(r.serving.transfer_hidden_bandwidth, 8192 * 32 * 2048 / half, 1e-12);
}

/*
 * DeepSeek-V3 in fp8, eight attention groups in each of two stages, whole experts: 64 sequences of 32,768 are 4 a
 * group and stage at a time, 8 a group in memory, in 31 of 61 layers of the fuller stage.
 */
static void
groups_and_stages(void **state)
{
	struct sizing_input in = {
		.model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 32768, 64)};
	double mixers = 61 * 187105280.0, first = 9 * 7168 * 18432.0, shared = 174 * 7168 * 2048.0;
	double experts = 58 * 256 * 3 * 7168 * 2048.0, routers = 58 * 256 * 7168.0, vocabulary = 2 * 129280 * 7168.0;
	double others = mixers + first + shared + routers + 1021440, stage = 31 / 61.0;
	struct sizing_result r;

	(void)state;
	in.model.checkpoint_bytes = 0;
	in.load.layout = layout(1, 8, 2);
	in.load.layout.expert = true;
	r = size_up(&in);
	/* 32 at a time touch 1 - (31 / 32)^32 of the experts, an eighth of them on a rank */
	assert_near(r.decode.weights_seconds,
	    (others + vocabulary + experts * (1 - pow(31 / 32.0, 32)) / 8) / 4.8e12, 1e-12);
	assert_near(r.decode.linear_compute_seconds, 2 * ((others + vocabulary / 2) * 4 + experts / 32 * 32 / 8) / 1979e12,
	    1e-12);
	assert_near(r.decode.kv_seconds, 4 * 32768 * 61 * 1152.0 / 4.8e12, 1e-12);
	assert_near(r.decode.attention_compute_seconds, 4 * 32768 * 61 * 2 * 128 * 1088.0 / 989e12, 1e-12);
	/* there and back, 58 layers: a rank's 4 tokens to 8 experts, 7/8 of them elsewhere; and 4 to the next stage */
	assert_near(r.decode.traffic.all_to_all, 2 * 58 * 4 * 8 * 14336 * 7 / 8.0, 1e-12);
	assert_near(r.decode.traffic.point_to_point, 4 * 14336, 1e-12);
	assert_near(r.budget.kv, stage * 8 * 32768 * 61 * 1152, 1e-9);
	assert_near(r.budget.weights, stage * (others + experts / 8) + vocabulary / 2, 1e-9);
}

/*
 * Llama-3.1-70B, four ranks in two stages, 16,384 tokens in chunks of 2,048: eight chunks through two stages take 9/8 of
 * filled ones; weights are read once a chunk by a stage's ranks, which read side by side.
 */
static void
a_prompt_in_chunks(void **state)
{
	struct sizing_input in = {
		.model = llama31_70b(), .device = h100(), .load = load("bf16", "bf16", 0, 8)};
	double layers = 80 * 8192.0 * (2 * 1024 + 2 * 8192 + 3 * 28672) + 161 * 8192, vocabulary = 2 * 128256 * 8192.0;
	double all = layers + vocabulary;
	struct sizing_result r;

	(void)state;
	in.load.prompt = 16384;
	in.load.output = 512;
	in.load.prefill_chunk = 2048;
	in.load.layout = layout(4, 1, 2);
	r = size_up(&in);
	assert_near(r.prefill.linear_compute_seconds, 9 / 8.0 * 2 * (all - vocabulary / 2) * 16384 / (8 * 989e12), 1e-12);
	assert_near(r.prefill.weights_seconds, 9 / 8.0 * 8 * 2 * all / (4 * 2 * BW), 1e-12);
	assert_near(r.prefill.attention_compute_seconds,
	    9 / 8.0 * 80 * 2 * 64 * 256 * 16384.0 * 16384 / 2 / (8 * 989e12), 1e-12);
	/* 160 all-reduces, three quarters twice, and a quarter to the next stage: two stages send side by side */
	assert_near(r.prefill.interconnect_seconds, 9 / 8.0 * (160 * 1.5 + 0.25) * 16384 * 16384 / LINK / 2, 1e-12);
	assert_near(r.budget.weights, 2 * (layers / 2 + vocabulary / 2) / 4, 1e-9);
	assert_near(r.budget.kv, 16896.0 * 80 * 2048 * 2, 1e-9);
	/* two rows of the model and two of a quarter of the feed-forward; a row to gather */
	assert_same(r.budget.activations, 2048 * (2 * 8192 + 2 * 7168) * 2.0);
	assert_same(r.budget.communication, 2048 * 8192 * 2.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_by_classes),
		cmocka_unit_test(serving_follows_from_a_step_and_a_prompt),
		cmocka_unit_test(groups_and_stages),
		cmocka_unit_test(a_prompt_in_chunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
