/* The margin: KV and state over weights around a load. */
#include "unit.h"

#include "plan/margin.h"
#include "sizing_models.h"

static struct margin
margin_of(const struct sizing_input *in, size_t steps)
{
	struct sizing_error error;
	struct margin m;

	if (margin_fill(&m, in, steps, &error) != 0)
		fail_msg("%s: %s", error.field, error.reason);
	return m;
}

/*
 * 61 layers x 576 x 2 B x 131,072 tokens = 9,210,691,584 B a sequence; x 64 over 688.59 GB of weights is
 * 0.85607; the KV of full attention doubles with either, and 688.59e9 / 9,210,691,584 = 74.76 sequences.
 */
static void
the_load_is_in_the_middle_of_halves_and_doubles(void **state)
{
	struct sizing_input in = { .model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 131072, 64) };
	struct margin m = margin_of(&in, 2);

	(void)state;
	assert_int_equal(m.sequences_count, 5);
	assert_int_equal(m.contexts_count, 5);
	assert_int_equal(m.row, 2);
	assert_int_equal(m.column, 2);
	assert_same(m.sequences[0], 16);
	assert_same(m.sequences[4], 256);
	assert_same(m.contexts[0], 32768);
	assert_same(m.contexts[4], 524288);
	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 5; k++)
			assert_near(m.ratio[i][k], 64 * 9210691584.0 / 688.59e9 * pow(2, (double)i - 2) * pow(2, (double)k - 2), 1e-12);
	assert_near(m.crossover[2], 688.59e9 / 9210691584.0, 1e-12);
	assert_near(m.crossover[0], 4 * 688.59e9 / 9210691584.0, 1e-12);
}

/* One sequence has no half: the grid goes up instead. 3 is halved to 2 and 1 (whole numbers of sequences). */
static void
what_cannot_be_halved_makes_room_for_doubles(void **state)
{
	struct sizing_input in = { .model = llama31_8b(), .device = h200(), .load = load("bf16", "bf16", 8192, 1) };
	struct margin m = margin_of(&in, 2);

	(void)state;
	assert_int_equal(m.row, 0);
	assert_int_equal(m.sequences_count, 5);
	assert_same(m.sequences[0], 1);
	assert_same(m.sequences[4], 16);
	in.load.concurrency = 3;
	m = margin_of(&in, 2);
	assert_int_equal(m.row, 2);
	assert_same(m.sequences[0], 1);
	assert_same(m.sequences[1], 2);
	assert_same(m.sequences[2], 3);
	assert_same(m.sequences[4], 12);
	in.load.concurrency = SIZING_MAX_LOAD;
	m = margin_of(&in, 1);
	assert_int_equal(m.sequences_count, 2);
	assert_int_equal(m.row, 1);
}

/* A window of 1,024 that is full keeps as much at any longer context: the ratio stays along a row. */
static void
a_full_window_does_not_move_with_the_context(void **state)
{
	struct sizing_input in = { .model = llama31_8b(), .device = h200(), .load = load("bf16", "bf16", 65536, 16) };
	struct margin m;

	(void)state;
	in.model.groups[0] = windowed(in.model.groups[0], 1024);
	in.load.prompt = 60000;
	in.load.output = 5536;
	in.load.context = 0;
	in.load.sessions = 20;
	m = margin_of(&in, 4);
	assert_int_equal(m.contexts_count, 9);
	assert_same(m.contexts[m.column], 65536);
	for (size_t k = 0; k < m.contexts_count; k++)
		assert_same(m.ratio[m.row][k], m.ratio[m.row][m.column]);
	in.load.concurrency = 0;
	assert_int_equal(margin_fill(&m, &in, 2, &(struct sizing_error){ 0 }), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_load_is_in_the_middle_of_halves_and_doubles),
		cmocka_unit_test(what_cannot_be_halved_makes_room_for_doubles),
		cmocka_unit_test(a_full_window_does_not_move_with_the_context),
	};

	return cmocka_run_group_tests_name("margin", tests, NULL, NULL);
}
