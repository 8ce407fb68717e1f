/* Ranges of inputs: their grammar, the one answer beside them, and that extremes lie where they are looked for. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/range.h"
#include "advise/result.h"
#include "cli/images.h"
#include "kb/kb.h"

static void
a_range_has_two_ends_that_run_up(void **state)
{
	static const struct {
		const char *text;
		enum dimension dimension;
		double low, high; /* 0, 0: refused */
	} cases[] = {
		{ "32..96", DIM_COUNT, 32, 96 }, { "8K..120K", DIM_TOKENS, 8192, 122880 }, { "10 %..40 %", DIM_RATIO, 0.1, 0.4 },
		{ "1.5..2.5", DIM_COUNT, 1.5, 2.5 }, { "0..1", DIM_RATIO, 0, 1 }, { "16 GB..24 GiB", DIM_BYTES, 16e9, 25769803776 },
		{ "8..120K", DIM_TOKENS, 0, 0 }, { "8K..120", DIM_TOKENS, 0, 0 }, { "96..32", DIM_COUNT, 0, 0 },
		{ "32..32", DIM_COUNT, 0, 0 }, { "32..", DIM_COUNT, 0, 0 }, { "..32", DIM_COUNT, 0, 0 }, { "..", DIM_COUNT, 0, 0 },
		{ "1..2..3", DIM_COUNT, 0, 0 }, { "1...3", DIM_COUNT, 0, 0 }, { "1 .. 3", DIM_COUNT, 0, 0 }, { "32-96", DIM_COUNT, 0, 0 },
		{ "1..1e40", DIM_COUNT, 0, 0 }, { "16 GB..24", DIM_BYTES, 0, 0 }, { "1..2 GB", DIM_COUNT, 0, 0 }, { "", DIM_COUNT, 0, 0 },
		{ "1.", DIM_COUNT, 0, 0 }, { "nan..2", DIM_COUNT, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct quantity low, high;
		const char *wrong = quantity_parse_range(&low, &high, cases[i].text, strlen(cases[i].text), cases[i].dimension);

		if ((wrong == NULL) != (cases[i].high > 0))
			fail_msg("`%s`: %s", cases[i].text, wrong != NULL ? wrong : "was read");
		if (wrong == NULL)
			assert_true(low.value == cases[i].low && high.value == cases[i].high);
	}
}

struct fixture {
	struct kb *kb;
	struct arena a;
};

static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct err e = ERR_INIT;

	assert_int_equal(kb_open(&f->kb, image_knowledge, (size_t)image_knowledge_len, &e), OK);
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	kb_close(f->kb);
	arena_release(&f->a);
	free(f);
	return 0;
}

static struct workload *
size_up(struct fixture *f, const char *model, const char *const *options)
{
	static const char *const common[][2] = { { "accelerator", "h200" }, { "weights", "fp8" }, { "kv", "bf16" }, { "tpot", "40 ms" } };
	struct workload *w = arena_alloc(&f->a, sizeof *w);
	struct val *map = val_map(&f->a);
	struct err e = ERR_INIT;

	val_put(&f->a, map, "model", val_str(&f->a, model));
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		val_put(&f->a, map, common[i][0], val_str(&f->a, common[i][1]));
	for (; *options != NULL; options += 2)
		val_put(&f->a, map, options[0], val_str(&f->a, options[1]));
	if (workload_from_options(w, f->kb, &f->a, map, &e) != OK)
		fail_msg("%s", e.text);
	assert_true(w->sized);
	return w;
}

static void
check(const struct workload *w, const char *key, double now, double low, double high)
{
	struct quantity q, from, to;

	assert_true(result_quantity(&q, w, key) && range_quantity(&from, &to, w, key));
	if (q.value != now || from.value != low || to.value != high)
		fail_msg("%s: %.17g (%.17g - %.17g)", key, q.value, from.value, to.value);
	assert_true(range_is_exact(w, key));
}

/*
 * 9,210,691,584 B a sequence of 128K. 32: 294,742,130,688; 96: 884,226,392,064. With 688.59e9 of weights over
 * 135,679,338,086: 7.25 and 11.59 devices, so one server of eight and two.
 */
static void
the_answer_is_for_the_end_that_asks_for_more(void **state)
{
	static const char *const options[] = { "context", "128K", "concurrency", "32..96", "reuse", "10 %..50 %", NULL };
	struct fixture *f = *state;
	struct workload *w = size_up(f, "deepseek-v3", options);
	struct quantity low, high, step;

	assert_true(w->in.load.concurrency == 96 && w->in.load.reuse == 0.1);
	check(w, "kv.bytes", 884226392064, 294742130688, 884226392064);
	check(w, "accelerators.by_capacity", 12, 8, 12);
	check(w, "accelerators.needed", 16, 8, 16);
	check(w, "weights.bytes", 688.59e9, 688.59e9, 688.59e9);
	/* Times on the sixteen that would be bought: none is longer than that of the answer. */
	assert_true(result_quantity(&step, w, "decode.step_seconds"));
	assert_true(range_quantity(&low, &high, w, "decode.step_seconds"));
	assert_true(high.value == step.value && low.value < 0.6 * step.value);
	assert_true(range_quantity(&low, &high, w, "prefill.seconds_reused"));
	assert_true(low.value < high.value);
	/* 32 sequences are under the crossover of 74 and 96 above it. */
	assert_true(w->range->turns);
	assert_false(range_quantity(&low, &high, w, "no.such.key"));
}

/* What the end of a range makes impossible or unknown has no range; what no input makes a range has none. */
static void
no_range_is_made_up(void **state)
{
	static const char *const plain[] = { "context", "128K", "concurrency", "64", NULL };
	static const char *const tight[] = { "context", "128K", "concurrency", "32..96", "accelerators", "8", NULL };
	struct fixture *f = *state;
	struct quantity low, high;
	struct workload *w = size_up(f, "deepseek-v3", plain);

	assert_null(w->range);
	assert_false(range_quantity(&low, &high, w, "kv.bytes"));
	w = size_up(f, "deepseek-v3", tight); /* eight hold 32 sequences and not 96 */
	assert_false(w->out.fits);
	assert_false(range_quantity(&low, &high, w, "decode.step_seconds"));
	assert_true(range_quantity(&low, &high, w, "kv.bytes"));
}

/* No fewer sessions are kept than are decoded, at any corner: 100 sessions at 400 sequences are 400. */
static void
sessions_follow_the_sequences(void **state)
{
	static const char *const options[] = { "context", "8K", "concurrency", "50..400", "sessions", "100..500", NULL };
	struct fixture *f = *state;
	struct workload *w = size_up(f, "qwen3-14b", options);
	struct quantity low, high;

	assert_true(range_quantity(&low, &high, w, "kv.idle_bytes"));
	assert_true(low.value == 0);
	/* 450 x 8,192 tokens x 163,840 B */
	assert_true(high.value == 450.0 * 8192 * 163840);
}

/*
 * That what is called exact lies at the ends: over every load of a small range, of models that keep their rows in
 * different ways, no figure goes beyond those of the corners.
 */
static void
figures_called_exact_have_their_extremes_at_the_ends(void **state)
{
	static const char *const models[] = { "deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b", "deepseek-v3.2", "gpt-oss-120b",
		"falcon-h1-7b", "mixtral-8x7b" };
	static const char *const all[] = { "prompt", "3990..4120", "output", "64", "concurrency", "60..66", "sessions", "80", NULL };
	/* Off the corners by more values than there can be: only the ends and what lies between them on a grid. */
	static const char *const corners[][2] = { { "3990", "60" }, { "3990", "66" }, { "4120", "60" }, { "4120", "66" } };
	struct fixture *f = *state;

	for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
		struct workload *w = size_up(f, models[m], all), *at[4];
		struct workload_range open = *w->range;
		const char *key;

		assert_true(w->range->every && w->range->points == 131 * 7);
		open.every = false;
		w->range = &open;
		for (int i = 0; i < 4; i++) {
			const char *const options[] = { "prompt", corners[i][0], "output", "64", "concurrency", corners[i][1], "sessions", "80", NULL };

			at[i] = size_up(f, models[m], options);
			at[i]->in.load.accelerators = w->out.budget.devices;
		}
		for (size_t k = 0; (key = result_key(k)) != NULL; k++) {
			double least = INFINITY, most = -INFINITY;
			struct quantity low, high;

			if (!range_quantity(&low, &high, w, key) || !range_is_exact(w, key))
				continue;
			for (int i = 0; i < 4; i++) {
				struct workload fixed = *at[i];
				struct err e = ERR_INIT;
				struct quantity q;

				if (strncmp(key, "accelerators.", 13) != 0)
					assert_int_equal(workload_size(&fixed, &e), OK);
				assert_true(result_quantity(&q, &fixed, key));
				least = fmin(least, q.value);
				most = fmax(most, q.value);
			}
			if (low.value != least || high.value != most)
				fail_msg("%s of %s: %.17g to %.17g, at the ends %.17g to %.17g", key, models[m], low.value, high.value, least, most);
		}
	}
}

/* The one answer is one of the loads. */
static void
check_between(const struct workload *w)
{
	for (size_t i = 0; result_key(i) != NULL; i++) {
		struct quantity q, low, high;

		if (result_quantity(&q, w, result_key(i)) && range_quantity(&low, &high, w, result_key(i)) &&
		    !(low.value <= q.value && q.value <= high.value))
			fail_msg("%s: %.17g is not in %.17g - %.17g", result_key(i), q.value, low.value, high.value);
	}
}

/* Thousands of loads: a grid of at most RANGE_POINTS, and what it cannot know exactly says so. */
static void
a_large_range_is_sampled_and_says_so(void **state)
{
	static const char *const options[] = { "prompt", "1K..1M", "output", "1..4096", "concurrency", "1..1000", "reuse", "0..1", NULL };
	static const char *const rate[] = { "prompt", "8K", "output", "512", "requests_per_second", "0.5..2", NULL };
	struct fixture *f = *state;
	struct workload *w = size_up(f, "llama-3.1-8b", options);
	struct quantity low, high;

	assert_true(w->range->points <= RANGE_POINTS && w->range->points >= 256 && !w->range->every);
	assert_true(range_is_exact(w, "kv.bytes"));
	assert_false(range_is_exact(w, "accelerators.next_jump_concurrency"));
	check_between(w);
	/* 131,072 B a token */
	check(w, "kv.bytes", 1004096000.0 * 131072, 1025 * 131072.0, 1004096000.0 * 131072);
	w = size_up(f, "llama-3.1-8b", rate);
	assert_true(w->range->points == RANGE_SOLVED);
	check_between(w);
	assert_false(range_is_exact(w, "kv.bytes"));
	assert_true(range_quantity(&low, &high, w, "kv.bytes") && low.value < high.value);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_has_two_ends_that_run_up),
		cmocka_unit_test(the_answer_is_for_the_end_that_asks_for_more),
		cmocka_unit_test(no_range_is_made_up),
		cmocka_unit_test(sessions_follow_the_sequences),
		cmocka_unit_test(figures_called_exact_have_their_extremes_at_the_ends),
		cmocka_unit_test(a_large_range_is_sampled_and_says_so),
	};

	return cmocka_run_group_tests_name("range", tests, setup, teardown);
}
