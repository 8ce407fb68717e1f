/*
 * Read back or compute again: the closed forms against a hand-made table of them (values as
 * printed there, so within half of the last digit) and against what papers print.
 */
#include "unit.h"

#include "sizing/reload.h"
#include "sizing_models.h"

/* |value - printed| is at most half a unit of the last printed digit, and a rounding of it. */
static void
assert_printed(double value, double printed, double digit)
{
	if (!(fabs(value - printed) <= 0.5000001 * digit)) {
		print_error("%.10g would not print as %g\n", value, printed);
		fail();
	}
}

/* Llama-3.1: parameters in all (8.03 billion as printed), layers x width, bf16 KV of 8 heads x 128 in every
 * layer. */
static const struct sizing_prefix LLAMA_8B = {
	.tokens = 8192, .bytes_per_token = 131072, /* 32 x 2 x 1024 x 2 */
	.parameters = 8.03e9, .attention_width = 32 * 4096.0, .attention_share = 2,
	.operations = 8 * 989.4e12, .efficiency = 0.4,
};
static const struct sizing_prefix LLAMA_70B = {
	.tokens = 8192, .bytes_per_token = 327680, /* 80 x 2 x 1024 x 2 */
	.parameters = 70552387584, .attention_width = 80 * 8192.0, .attention_share = 2,
	.operations = 8 * 989.4e12, .efficiency = 0.4,
};
static const struct sizing_prefix LLAMA_405B = {
	.tokens = 8192, .bytes_per_token = 516096, /* 126 x 2 x 1024 x 2 */
	.parameters = 405853388800, .attention_width = 126 * 16384.0, .attention_share = 2,
	.operations = 8 * 989.4e12, .efficiency = 0.4,
};

/* Llama-3.1-70B, 8192 tokens = 2,684,354,560 B, 8 x H100 = 7.915 PFLOP/s:
 * 2 P p = 1.156 PFLOP and c A p^2 = 0.176 (c = 4) or 0.088 (c = 2). */
static void
a_70b_prefix_on_eight(void **state)
{
	static const struct {
		double share, efficiency, operations, seconds, group, each;
	} table[] = {
		{4, 0.4, 1.332e15, 0.4207, 6.38, 0.80}, {4, 0.5, 1.332e15, 0.3365, 7.98, 1.00},
		{4, 1.0, 1.332e15, 0.1683, 15.95, 1.99}, {2, 0.4, 1.244e15, 0.3929, 6.83, 0.85},
		{2, 0.5, 1.244e15, 0.3143, 8.54, 1.07}, {2, 1.0, 1.244e15, 0.1572, 17.08, 2.14},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct sizing_prefix p = LLAMA_70B;
		double seconds, rate;

		p.attention_share = table[i].share;
		p.efficiency = table[i].efficiency;
		seconds = sizing_recompute_seconds(&p);
		rate = sizing_break_even(&p);
		assert_printed(seconds * p.efficiency * p.operations / 1e15, table[i].operations / 1e15,
		    0.001);
		assert_printed(seconds, table[i].seconds, 0.0001);
		assert_printed(rate / 1e9, table[i].group, 0.01);
		assert_printed(rate / 8e9, table[i].each, 0.01);
	}
}

/* The same prefix at u = 0.5 (0.3143 s) read from where it may lie: ms, and how often faster. */
static void
sources_of_a_prefix(void **state)
{
	static const struct {
		double rate, milliseconds, times;
	} table[] = {
		{26800e9, 0.1, 0}, {440e9, 6.1, 51.5}, {218e9, 12.3, 25.5}, {142.25e9, 18.9, 16.7},
		{55e9, 48.8, 6.4}, {52e9, 51.6, 6.1}, {50e9, 53.7, 5.9}, {42.95e9, 62.5, 5.0},
		{18e9, 149.1, 2.1}, {14e9, 191.7, 1.6}, {12.5e9, 214.7, 1.5},
	};
	struct sizing_prefix p = LLAMA_70B;

	(void)state;
	p.efficiency = 0.5;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		double load = sizing_reload_seconds(&p, table[i].rate);

		assert_printed(load * 1e3, table[i].milliseconds, 0.1);
		if (table[i].times > 0)
			assert_printed(sizing_recompute_seconds(&p) / load, table[i].times, 0.1);
		assert_true(table[i].rate > sizing_break_even(&p));
	}
	/* One drive of the fourth generation and a 25 Gb/s port do not: 383.5 and 859 ms. */
	assert_printed(sizing_reload_seconds(&p, 7e9) * 1e3, 383.5, 0.1);
	assert_printed(sizing_reload_seconds(&p, 3.125e9) * 1e3, 859.0, 0.1);
	assert_true(7e9 < sizing_break_even(&p));
}

/* GB/s for the group, u = 0.4, causal: K p / t. An fp8 cache halves K. */
static void
other_models_and_groups(void **state)
{
	static const struct {
		double operations, b8, b70, b70_fp8, b405;
	} table[] = {
		{1.652e14, 0.48, 0.14, 0.07, 0.04},     /* RTX 4090, bf16 */
		{3.62e14, 1.04, 0.31, 0.16, 0.09},      /* L40S */
		{9.894e14, 2.85, 0.85, 0.43, 0.24},     /* H100 */
		{8 * 9.894e14, 22.79, 6.83, 3.42, 1.93},
		{8 * 1.979e15, 45.59, 13.67, 6.83, 3.87}, /* fp8 */
		{8 * 1.3074e15, 30.12, 9.03, 4.51, 2.55}, /* MI300X, bf16 */
		{8 * 4.5e15, 103.66, 31.08, 15.54, 8.79}, /* B200, fp8 */
		{16 * 1.97e14, 9.08, 2.72, 1.36, 0.77},   /* v5e, bf16 */
	};
	static const struct {
		double tokens, b8, b70, b70_fp8, b405;
	} lengths[] = {
		{1024, 25.41, 7.28, 3.64, 2.00}, {8192, 22.79, 6.83, 3.42, 1.93},
		{32768, 16.84, 5.64, 2.82, 1.73}, {131072, 8.23, 3.32, 1.66, 1.21},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0] + sizeof lengths / sizeof lengths[0]; i++) {
		bool long_one = i >= sizeof table / sizeof table[0];
		size_t at = long_one ? i - sizeof table / sizeof table[0] : i;
		struct sizing_prefix p[] = {LLAMA_8B, LLAMA_70B, LLAMA_70B, LLAMA_405B};
		const double *expected = long_one ? &lengths[at].b8 : &table[at].b8;

		p[2].bytes_per_token /= 2;
		for (int k = 0; k < 4; k++) {
			if (long_one)
				p[k].tokens = lengths[at].tokens;
			else
				p[k].operations = table[at].operations;
			assert_printed(sizing_break_even(&p[k]) / 1e9, expected[k], 0.01);
		}
	}
}

/* DeepSeek-V3: 61 x 576 x 2 = 70,272 B a token and 37e9 active; a larger model needs less of a tier. */
static void
short_prefixes(void **state)
{
	struct sizing_prefix p = {.tokens = 1, .bytes_per_token = 70272, .parameters = 37e9,
	    .operations = 8 * 989.4e12, .efficiency = 0.4};
	double mla = sizing_break_even_short(&p);

	(void)state;
	assert_printed(mla / 1e9, 3.01, 0.01);
	assert_near(sizing_break_even(&p), mla, 1e-12); /* without attention it is the rule itself */
	p.operations = 8 * 1979e12;
	assert_printed(sizing_break_even_short(&p) / 1e9, 6.01, 0.01);
	/* K falls 4.66 times and P 1.91 times against the 70B: about 0.4 of its rate */
	assert_near(mla / sizing_break_even_short(&LLAMA_70B), 70272 / 327680.0 * 70.552387584 / 37, 1e-9);
	assert_true(sizing_break_even_short(&LLAMA_8B) > sizing_break_even_short(&LLAMA_70B));
}

/* Mooncake, eq. 2: 2 x 8192 x 2 / (8 x (4 x 8192^2 + 22 x 8192^2)) = 1 / (8192 x 52) B a FLOP; the
 * paper prints 6 and 19 GB/s. */
static void
published_estimate(void **state)
{
	(void)state;
	assert_near(sizing_break_even_estimate(8192, 8192, 2, 8, 1), 2.3475e-6, 2e-5);
	assert_printed(sizing_break_even_estimate(8192, 8192, 2, 8, 2.496e15) / 1e9, 5.86, 0.01);
	assert_printed(sizing_break_even_estimate(8192, 8192, 2, 8, 7.912e15) / 1e9, 18.6, 0.1);
}

/* Recomputing 0.3929 s; t0 takes its part first, and where it takes all nothing pays. */
static void
fixed_cost(void **state)
{
	struct sizing_prefix p = LLAMA_70B;
	double recompute = sizing_recompute_seconds(&p);

	(void)state;
	p.fixed_seconds = recompute / 2;
	assert_near(sizing_break_even(&p), 2 * sizing_break_even(&LLAMA_70B), 1e-12);
	p.fixed_seconds = recompute;
	assert_true(isinf(sizing_break_even(&p)));
	/* 10 ms and 55 GB/s: a token costs 2 x 70.55e9 / 3.166e15 = 44.57 us to compute and 5.96 to
	 * read, so 0.01 / 38.61e-6 = 259 tokens; at 7.35 GB/s (44.58 us) and below there is none. */
	p.fixed_seconds = 0.01;
	assert_near(sizing_shortest_prefix(&p, 55e9), 259, 1e-3);
	assert_true(isinf(sizing_shortest_prefix(&p, 7.35e9)));
	/* 2.5 GiB in blocks of 64 KiB are 40,960 of 10 us: 0.41 s, more than computing it takes.
	 * In blocks of 2 MiB they are 1280. */
	assert_near(sizing_block_seconds(2684354560, 65536, 1e-5), 0.4096, 1e-12);
	assert_near(sizing_block_seconds(2684354560, 2097152, 1e-5), 0.0128, 1e-12);
	assert_near(sizing_block_seconds(2684354561, 2097152, 1e-5), 0.01281, 1e-12);
	assert_near(sizing_block_seconds(2684354560, 0, 1e-5), 1e-5, 0);
	p.fixed_seconds = sizing_block_seconds(2684354560, 65536, 1e-5);
	assert_true(isinf(sizing_break_even(&p)));
}

/*
 * 1024 new tokens behind 8192: (2 x 70.552e9 x 1024 + 4 x 655360 x 1024 x 8192) / 3.166e15 =
 * (144.49e12 + 21.99e12) / 3.166e15 = 52.58 ms, so 51.05 GB/s: one PCIe link of 55 hides it all.
 */
static void
hidden_and_partial(void **state)
{
	double recompute = sizing_recompute_seconds(&LLAMA_70B), load, share, together;

	(void)state;
	assert_near(sizing_hidden_above(&LLAMA_70B, 1024), 51.05e9, 1e-3);
	assert_true(sizing_hidden_above(&LLAMA_70B, 2048) < sizing_hidden_above(&LLAMA_70B, 1024));
	/* Both linear: a share x computed while 1 - x is read ends at x R = (1 - x) L. */
	load = sizing_reload_seconds(&LLAMA_70B, 7e9);
	share = load / (recompute + load);
	together = sizing_partial_seconds(recompute, load);
	assert_near(together, share * recompute, 1e-12);
	assert_near(together, recompute * load / (recompute + load), 1e-12);
	assert_true(together < recompute && together < load);
	/* A Gen4 drive that only breaks even still halves it: 392.9 and 383.5 ms make 194.1. */
	assert_printed(together * 1e3, 194.1, 0.1);
}

/* GB300 C2C: 359 GB/s alone and 175 each way with both, which half of it says within 3 percent. */
static void
shared_links(void **state)
{
	(void)state;
	assert_near(sizing_link_share(359e9, 1, true), 175e9, 0.03);
	assert_near(sizing_link_share(440e9, 8, false), 55e9, 1e-12);
	assert_near(sizing_link_share(440e9, 8, true), 27.5e9, 1e-12);
	assert_near(sizing_link_share(440e9, 0.25, false), 440e9, 0); /* no more than there is */
}

/* Half of the requests hit: 0.5 x (0.4 - 0.1) - 0.5 x 0.05 = 0.125 s. */
static void
hit_rate(void **state)
{
	(void)state;
	assert_near(sizing_reuse_gain(0.5, 0.4, 0.1, 0.05), 0.125, 1e-12);
	/* Halving the hit rate (as truncated contexts do) leaves less than half of the gain. */
	assert_near(sizing_reuse_gain(0.25, 0.4, 0.1, 0.05), 0.0375, 1e-12);
	assert_true(sizing_reuse_gain(0.1, 0.4, 0.1, 0.05) < 0);
}

/* 8192 tokens of the 70B are 2.684 GB a sequence: 26.8 TB/s / that, and so down. */
static void
decode_out_of_a_tier(void **state)
{
	const double sequence = 2684354560;

	(void)state;
	assert_printed(sizing_decode_limit(8 * 3.35e12, sequence), 9984, 1);
	assert_printed(sizing_decode_limit(440e9, sequence), 164, 1);
	assert_printed(sizing_decode_limit(55e9, sequence), 20.5, 0.1);
	assert_printed(sizing_decode_limit(14e9, sequence), 5.2, 0.1);
	/* one step of 32 sequences */
	assert_printed(32e3 / sizing_decode_limit(8 * 3.35e12, sequence), 3.2, 0.1);
	assert_printed(32e3 / sizing_decode_limit(440e9, sequence), 195, 1);
}

/* CachedAttention: 13.9 GiB/s of KV; a drive of 25.6 TB may be written 3 times a day. */
static void
endurance(void **state)
{
	const double written = 13.9 * GIB;

	(void)state;
	assert_near(written * 86400, 1.29e15, 1e-3);
	assert_near(sizing_endurance(25.6e12, 3) * 86400, 76.8e12, 1e-12);
	assert_printed(written / sizing_endurance(25.6e12, 3), 16.8, 0.1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_70b_prefix_on_eight),
		cmocka_unit_test(sources_of_a_prefix),
		cmocka_unit_test(other_models_and_groups),
		cmocka_unit_test(short_prefixes),
		cmocka_unit_test(published_estimate),
		cmocka_unit_test(fixed_cost),
		cmocka_unit_test(hidden_and_partial),
		cmocka_unit_test(shared_links),
		cmocka_unit_test(hit_rate),
		cmocka_unit_test(decode_out_of_a_tier),
		cmocka_unit_test(endurance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
