/*
 * The tables of figures by name: names are unique and found, each offset is that of the member
 * it names, and a figure that there is not is not given.
 */
#include "unit.h"

#include <string.h>

#include "advise/result.h"
#include "sizing/keys.h"

static const struct sizing_dtype BYTE = {"byte", 8, SIZING_BF16};

/* 1000 B of weights; 10 B a token and sequence; devices of 600 B, 100 B/s and 50 op/s. */
static struct sizing_input
small(void)
{
	return (struct sizing_input){
		.model = {.groups = {{.layers = 1, .key_width = 10}}, .group_count = 1,
		    .published_total = 1000},
		.device = {.visible_bytes = 1000, .usable_fraction = 0.6, .bandwidth = 100,
		    .peak = {[SIZING_BF16] = 50}},
		.load = {.context = 20, .concurrency = 3, .reuse = -1, .weights = &BYTE, .kv = &BYTE},
	};
}

static double
number(const struct sizing_result *r, const char *name)
{
	const struct sizing_key *key = sizing_result_find(name);
	double value = -1;

	assert_non_null(key);
	return sizing_result_number(&value, key, r) ? value : -1;
}

static void
names_are_unique(void **state)
{
	const struct sizing_key *key;

	(void)state;
	for (size_t i = 0; (key = sizing_result_key(i)) != NULL; i++) {
		assert_ptr_equal(sizing_result_find(key->name), key);
		assert_true((key->unit == SIZING_UNIT_TEXT) == (key->text != NULL));
		assert_true(key->offset + sizeof(double) <= sizeof(struct sizing_result));
	}
	for (size_t i = 0; (key = sizing_input_key(i)) != NULL; i++) {
		assert_ptr_equal(sizing_input_find(key->name), key);
		assert_null(sizing_result_find(key->name));
		assert_true(key->offset + sizeof(double) <= sizeof(struct sizing_input));
	}
	assert_null(sizing_result_find("kv"));
	assert_null(sizing_input_find(""));
}

/* What is printed with its basis is a figure of the table, and the other way round. */
static void
each_printed_figure_is_a_key(void **state)
{
	size_t printed = 0, numbers = 0;
	const struct sizing_key *key;

	(void)state;
	for (; result_key(printed) != NULL; printed++)
		assert_non_null(sizing_result_find(result_key(printed)));
	for (size_t i = 0; (key = sizing_result_key(i)) != NULL; i++)
		numbers += key->unit != SIZING_UNIT_TEXT && strncmp(key->name, "load.", 5) != 0;
	assert_int_equal(printed, numbers);
}

static void
figures_of_a_run(void **state)
{
	struct sizing_input in = small();
	struct sizing_result r;
	struct sizing_error e;

	(void)state;
	assert_int_equal(sizing_run(&r, &in, &e), 0);
	/* 3 sequences of 20 tokens of 10 B beside 1000 B: 1600 B on devices of 600 B are 3. */
	assert_true(number(&r, "kv.bytes") == 600);
	assert_true(number(&r, "weights.bytes") == 1000);
	assert_true(number(&r, "accelerators.needed") == 3);
	/* 1000 / 200 sequences, of which all are whole */
	assert_true(number(&r, "crossover.whole_sequences") == 5);
	assert_true(number(&r, "load.context") == 20 && number(&r, "load.concurrency") == 3);
	assert_true(number(&r, "load.output") == -1);
	/* 1600 B at 3 x 100 B/s; a step computes 2 x 1000 x 3 / (3 x 50) = 40 s: compute-bound */
	assert_true(number(&r, "decode.step_seconds") == 40 + 2);
	assert_string_equal(sizing_result_find("bottleneck.decode")->text(&r), "linear-compute");
	assert_string_equal(sizing_result_find("bottleneck.flag")->text(&r), "weight-bound");
	assert_string_equal(sizing_result_find("fits")->text(&r), "yes");
	/* no target, no answer to it */
	assert_true(number(&r, "accelerators.for_tpot") == -1);
}

static void
what_there_is_not(void **state)
{
	struct sizing_input in = small();
	struct sizing_result r;
	struct sizing_error e;

	(void)state;
	in.device.peak[SIZING_BF16] = 0; /* nothing published: a prompt has no time */
	assert_int_equal(sizing_run(&r, &in, &e), 0);
	assert_true(number(&r, "prefill.seconds") == -1);
	assert_null(sizing_result_find("bottleneck.prefill")->text(&r));
	assert_true(number(&r, "decode.step_seconds") > 0);
	in.load.accelerators = 1; /* 600 B for 1600 B */
	assert_int_equal(sizing_run(&r, &in, &e), 0);
	assert_string_equal(sizing_result_find("fits")->text(&r), "no");
	assert_true(number(&r, "decode.step_seconds") == -1);
	assert_null(sizing_result_find("bottleneck.decode")->text(&r));
	/* nothing but a state that does not grow: any context fits */
	in.load.accelerators = 0;
	in.model.groups[0].key_width = 0;
	in.model.groups[0].states[0] = (struct sizing_state){1, &BYTE};
	in.model.groups[0].state_count = 1;
	assert_int_equal(sizing_run(&r, &in, &e), 0);
	assert_true(number(&r, "fits.context") == -1);
	assert_true(number(&r, "parameters.total") == 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_unique), cmocka_unit_test(each_printed_figure_is_a_key),
		cmocka_unit_test(figures_of_a_run), cmocka_unit_test(what_there_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
