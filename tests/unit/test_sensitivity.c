/* Sensitivities: what a tenth of an input does, and what a GB and a GB/s are worth. */
#include "unit.h"

#include <string.h>

#include "plan/layout.h"
#include "plan/sensitivity.h"
#include "sizing_models.h"

static struct sensitivity
run(const struct sizing_input *in)
{
	struct sizing_error error;
	struct sensitivity s;

	if (sensitivity_run(&s, in, &error) != 0)
		fail_msg("%s: %s", error.field, error.reason);
	return s;
}

static const struct sensitivity_row *
row(const struct sensitivity *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->rows[i].name, name) == 0)
			return &s->rows[i];
	return NULL;
}

static struct sizing_input
showcase(void)
{
	return (struct sizing_input){ .model = deepseek_v3(), .device = h200(), .load = load("fp8", "bf16", 131072, 64) };
}

static double
needed(const struct sizing_input *in)
{
	struct sizing_error error;
	struct sizing_result r;

	assert_int_equal(plan_run(&r, in, &error), 0);
	return r.needed;
}

/*
 * 688.59e9 and 589,484,261,376 B on devices of 135,679,338,086 usable are more than eight, so two servers of
 * eight. In two stages of eight groups a device has 31 of the 61 layers of eight sequences: 8 x 31 x 1,152 x
 * 131,072 = 37,446,746,112 B, of which a GB on each device (0.9 of it usable) holds 0.9e9 x 64 / that.
 */
static void
one_more_gigabyte_has_a_worth(void **state)
{
	struct sizing_input in = showcase();
	struct sensitivity s = run(&in);

	(void)state;
	assert_same(s.devices, 16);
	assert_near(s.sequences_per_gb, 0.9e9 * 64 / 37446746112, 1e-12);
	/* With so much more on each device one server is enough, and with 10 MB less it is not. */
	assert_same(s.saved_to, 8);
	in.device.visible_bytes += s.gb_to_save * 1e9;
	assert_same(needed(&in), 8);
	in.device.visible_bytes -= 1e7;
	assert_same(needed(&in), 16);
	/* All bytes on eight at least: 1,278.07 / 8 / 0.9 - 150.75 = 26.76. */
	assert_true(s.gb_to_save > 26.76);
}

/* One sequence on a dense model: all of the step is reading, so that it goes as 1 / bandwidth. */
static void
a_step_that_is_bound_by_bandwidth_follows_it(void **state)
{
	struct sizing_input in = { .model = llama31_8b(), .device = h200(), .load = load("bf16", "bf16", 8192, 1) };
	struct sensitivity s = run(&in);
	const struct sensitivity_row *bandwidth = row(&s, "bandwidth");

	(void)state;
	assert_non_null(bandwidth);
	assert_near(bandwidth->down.answer[SENSITIVITY_STEP], s.answer[SENSITIVITY_STEP] / 0.9, 1e-12);
	assert_near(bandwidth->up.answer[SENSITIVITY_STEP], s.answer[SENSITIVITY_STEP] / 1.1, 1e-12);
	/* (1 / 0.9 - 1) / -0.1 = -1.111 is larger in size than (1 / 1.1 - 1) / 0.1 = -0.909. */
	assert_near(bandwidth->elasticity[SENSITIVITY_STEP], -1 / 0.9, 1e-12);
	assert_near(s.step_per_gbps, s.answer[SENSITIVITY_STEP] * (4800.0 / 4801 - 1), 1e-9);
	/* The rate has no part in it, and the prompt (compute-bound) does not follow the bandwidth. */
	assert_same(row(&s, "peak.bf16")->elasticity[SENSITIVITY_STEP], 0);
	assert_near(row(&s, "peak.bf16")->elasticity[SENSITIVITY_TTFT], -1 / 0.9, 1e-12);
	assert_same(bandwidth->elasticity[SENSITIVITY_TTFT], 0);
	/* Needs one device only: none can be saved. */
	assert_same(s.gb_to_save, 0);
}

static void
rows_stand_in_the_order_of_their_effect(void **state)
{
	struct sizing_input in = showcase();
	struct sensitivity s;

	(void)state;
	in.load.reuse = 0.5;
	in.load.sessions = 64;
	s = run(&in);
	assert_true(s.count >= 8);
	for (size_t i = 1; i < s.count; i++)
		assert_true(s.rows[i - 1].effect >= s.rows[i].effect);
	for (size_t i = 0; i < s.count; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(s.rows[i].name, s.rows[k].name);
	/* What was not given cannot be varied. */
	assert_null(row(&s, "prompt"));
	assert_null(row(&s, "ttft"));
	assert_null(row(&s, "runtime"));
	assert_null(row(&s, "peak.fp4"));
	assert_non_null(row(&s, "reuse"));
}

/*
 * A tenth of the bits of the weights: demand falls by their share of it, 688.59 / 1278.07 of a tenth, also
 * where the weights are those of a checkpoint; of the KV bits by the rest.
 */
static void
bits_are_varied_though_no_dtype_has_them(void **state)
{
	struct sizing_input in = showcase();
	struct sensitivity s = run(&in);
	double all = 688.59e9 + 589484261376;

	(void)state;
	assert_near(row(&s, "weights")->elasticity[SENSITIVITY_DEMAND], 688.59e9 / all, 1e-9);
	assert_near(row(&s, "kv")->elasticity[SENSITIVITY_DEMAND], 589484261376 / all, 1e-9);
	assert_near(row(&s, "concurrency")->up.input, 70, 0); /* 64 x 1.1 = 70.4 */
	assert_near(row(&s, "concurrency")->elasticity[SENSITIVITY_DEMAND], 589484261376 / all, 1e-9);
}

/* The most that fits, and so on the same devices no time of more sequences or less memory. */
static void
what_does_not_fit_has_no_time(void **state)
{
	struct sizing_input in = showcase();
	struct sizing_error error;
	struct sizing_result r;
	struct sensitivity s;

	(void)state;
	in.load.accelerators = 8;
	in.load.concurrency = 1;
	assert_int_equal(plan_run(&r, &in, &error), 0);
	in.load.concurrency = r.fits_concurrency;
	assert_true(r.fits_concurrency > 10);
	s = run(&in);
	assert_same(s.devices, 8);
	assert_true(s.answer[SENSITIVITY_STEP] > 0);
	assert_same(row(&s, "concurrency")->up.answer[SENSITIVITY_STEP], 0);
	assert_same(row(&s, "concurrency")->up.answer[SENSITIVITY_DEVICES], 16);
	assert_true(row(&s, "concurrency")->down.answer[SENSITIVITY_STEP] > 0);
	assert_same(row(&s, "memory")->down.answer[SENSITIVITY_STEP], 0);
	assert_same(row(&s, "memory")->down.answer[SENSITIVITY_DEVICES], 16);
}

/* Whole numbers move by one where a tenth is less, and not below one. */
static void
counts_move_in_whole_steps(void **state)
{
	struct sizing_input in = { .model = llama31_8b(), .device = h200(), .load = load("bf16", "bf16", 3, 2) };
	struct sensitivity s = run(&in);

	(void)state;
	assert_same(row(&s, "context")->down.input, 2);
	assert_same(row(&s, "context")->up.input, 4);
	assert_same(row(&s, "concurrency")->down.input, 1);
	assert_same(row(&s, "concurrency")->up.input, 3);
	assert_same(row(&s, "accelerators")->down.input, 1); /* one is needed: it cannot be fewer */
	assert_same(row(&s, "usable")->up.input, 0.9 * 1.1);
	in.device.usable_fraction = 1;
	s = run(&in);
	assert_same(row(&s, "usable")->up.input, 1);
	assert_same(row(&s, "usable")->up.answer[SENSITIVITY_STEP], 0);
}

static void
a_shared_memory_has_its_room_varied(void **state)
{
	struct sizing_input in = { .model = llama31_8b(), .device = h200(), .load = load("q4_0", "bf16", 8192, 1) };
	struct sensitivity s;

	(void)state;
	in.device.shared = true;
	in.device.usable_bytes = 8e9;
	s = run(&in);
	assert_same(s.devices, 1);
	assert_null(row(&s, "memory"));
	assert_null(row(&s, "usable"));
	assert_null(row(&s, "accelerators"));
	assert_non_null(row(&s, "memory_available"));
	assert_same(s.gb_to_save, 0);
	/* 32 layers x 2 x 8 x 128 x 2 B x 8,192 tokens = 1,073,741,824 B */
	assert_near(s.sequences_per_gb, 1e9 / 1073741824, 1e-12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_more_gigabyte_has_a_worth),
		cmocka_unit_test(a_step_that_is_bound_by_bandwidth_follows_it),
		cmocka_unit_test(rows_stand_in_the_order_of_their_effect),
		cmocka_unit_test(bits_are_varied_though_no_dtype_has_them),
		cmocka_unit_test(what_does_not_fit_has_no_time),
		cmocka_unit_test(counts_move_in_whole_steps),
		cmocka_unit_test(a_shared_memory_has_its_room_varied),
	};

	return cmocka_run_group_tests_name("sensitivity", tests, NULL, NULL);
}
