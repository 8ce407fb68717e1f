/*
 * What crosses the links, and the closed forms of "How to Scale Your Model" part 7 about it. Its W_ici is of both
 * directions of a ring, 2 x 4.5e10 B/s on v5e; a device's `link` is of all its links in one direction, which
 * for a ring of two neighbours is the same number.
 */
#include "unit.h"

#include "sizing_models.h"

static struct sizing_device
ring(double link)
{
	struct sizing_device d = tpu_v5e();

	d.visible_bytes = 1e13;
	d.link = link;
	d.link_latency = 1e-6;
	return d;
}

static struct sizing_layout
tensor(double ranks)
{
	return (struct sizing_layout){.tensor = ranks, .attention = 1, .pipeline = 1};
}

/* Y = F / (B beta): 16384 / (32 x 8), with beta = 8.2e11 / 1.025e11. */
static void
decode_ways(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(), .device = ring(8.2e11 / 8), .load = load("bf16", "bf16", 1024, 32)};

	(void)state;
	assert_near(size_up(&in).decode_ways, 64, 1e-12);
	/* Half of the bytes of a weight are read in half of the time: half of the ways. */
	in.load.weights = DTYPE("int8");
	assert_near(size_up(&in).decode_ways, 32, 1e-12);
}

/*
 * F / 2200 on one axis: C / W = 1.97e14 / 9e10 = 2188.9, so 16384 / 2188.9 = 7.485. Int8 both: twice the
 * operations and half of the bytes sent, the same ways; int8 weights alone send two bytes still: half.
 */
static void
prefill_ways(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(), .device = ring(9e10), .load = load("bf16", "bf16", 1024, 1)};
	struct sizing_result r = size_up(&in);

	(void)state;
	assert_near(r.prefill_ways, 7.485, 1e-4);
	assert_near(r.prefill_ways, 16384 / 2200.0, 6e-3);
	in.load.weights = in.load.activations = DTYPE("int8");
	assert_near(size_up(&in).prefill_ways, 7.485, 1e-4);
	in.load.activations = NULL;
	assert_near(size_up(&in).prefill_ways, 7.485 / 2, 1e-4);
}

/*
 * At the ways named, links and compute of one feed-forward take the same: an all-reduce of B x D elements, of which
 * all but 1/n are sent twice, against two matrices. Ways of 8 on a link of 8 x 1.97e14 / 16384 B/s.
 */
static void
prefill_ways_are_those_of_the_times(void **state)
{
	struct sizing_input in = {
		.model = {.width = 4096, .ffn = {{.layers = 1, .width = 16384, .matrices = 2}}, .ffn_count = 1},
		.device = ring(8 * 1.97e14 / 16384),
		.load = load("bf16", NULL, 1e6, 1),
	};

	(void)state;
	in.device.link_latency = 0;
	for (int i = 0; i < 2; i++) {
		struct sizing_result r;

		in.load.layout = tensor(8);
		r = size_up(&in);
		assert_near(r.prefill_ways, 8, 1e-12);
		assert_near(r.prefill.interconnect_seconds, r.prefill.linear_compute_seconds * 7 / 8, 1e-12);
		in.load.weights = in.load.activations = DTYPE("int8");
	}
}

/*
 * Appendix C: 4.5e10 x 1 us x 8 = 360 kB; 16 sequences of 8192 int8 are 131,072 B, so 8 ways wait for hops. More
 * than B D / 45000 = 2.91 ways do, and with two bytes more than 5.83.
 */
static void
bound_by_latency(void **state)
{
	struct sizing_input in = {
		.model = dense(1, 8192, 32768, 64, 8, 128, 0, true), .device = ring(9e10),
		.load = load("int8", "int8", 1024, 16)};
	struct sizing_result r;

	(void)state;
	in.load.activations = DTYPE("int8");
	in.load.layout = tensor(8);
	r = size_up(&in);
	assert_near(r.latency_bound_bytes, 360000, 1e-12);
	assert_near(r.latency_ways, 16 * 8192 / 45000.0, 1e-12);
	assert_true(r.decode.traffic.latency_bound);
	/* 2 x 4 hops of 1 us for each of two all-reduces */
	assert_near(r.decode.interconnect_seconds, 16e-6, 1e-12);
	in.load.activations = NULL;
	assert_near(size_up(&in).latency_ways, 16 * 8192 / 22500.0, 1e-12);
	/* 64 x 8192 B on two: half of it sent twice takes 5.83 us, two hops 2. */
	in.load.activations = DTYPE("int8");
	in.load.concurrency = 64;
	in.load.layout = tensor(2);
	r = size_up(&in);
	assert_near(r.latency_bound_bytes, 90000, 1e-12);
	assert_false(r.decode.traffic.latency_bound);
	assert_near(r.decode.interconnect_seconds, 2 * 524288 / 9e10, 1e-12);
	in.device.link_latency = 0;
	r = size_up(&in);
	assert_same(r.latency_bound_bytes, 0);
	assert_same(r.latency_ways, 0);
}

/* Exercise 7, F = 4 D: above 72; X = sqrt(N / 8), YZ = sqrt(8 N): on 128, 4 and 32, and 3/4 of the time. */
static void
two_dimensions(void **state)
{
	struct sizing_input in = {
		.model = exercise_model(), .device = ring(9e10), .load = load("bf16", "bf16", 1024, 32)};
	struct sizing_result r;

	(void)state;
	in.load.layout = (struct sizing_layout){.tensor = 32, .attention = 1, .pipeline = 4};
	r = size_up(&in);
	assert_same(r.two_d_devices, 72);
	assert_near(r.two_d_ways, 4, 1e-12);
	assert_near(128 / r.two_d_ways, 32, 1e-12);
	assert_near(r.two_d_share, 0.75, 1e-12);
	/* On eight it is X = 1, so one dimension, and none of the two has a share. */
	in.load.layout = tensor(8);
	r = size_up(&in);
	assert_same(r.two_d_ways, 0);
	assert_same(r.two_d_share, 0);
	for (double n = 8; n <= 4096; n *= 2) {
		double x = sizing_two_d_ways(4096, 16384, n);

		assert_near(x, sqrt(n / 8), 1e-12);
		assert_near(n / x, sqrt(8 * n), 1e-12);
		/* 2 B D / (X W) + 4 B F X / (N W) is least there, and sqrt(128) B D / (sqrt(N) W) */
		assert_near(2 * 4096 / x + 4 * 16384 * x / n, sizing_two_d_seconds(1, 4096, 16384, n, 1), 1e-12);
		assert_near(sizing_two_d_seconds(1, 4096, 16384, n, 1), sqrt(128) * 4096 / sqrt(n), 1e-12);
		assert_true(2 * 4096 / (1.1 * x) + 4 * 16384 * 1.1 * x / n >
		    sizing_two_d_seconds(1, 4096, 16384, n, 1));
		assert_near(sizing_two_d_seconds(1, 4096, 16384, n, 1) / sizing_one_d_seconds(1, 4096, 3, 1),
		    sqrt(72 / n), 1e-12);
	}
}

/* A layer that reads another's rows reduces its output as every layer does: 2 owners, 6 readers, 6 feed-forwards. */
static void
readers_send_too(void **state)
{
	struct sizing_input in = {
		.model = dense(6, 4096, 16384, 32, 8, 128, 0, true), .device = ring(9e10),
		.load = load("bf16", "bf16", 1024, 16)};
	double bytes;

	(void)state;
	in.load.layout = tensor(8);
	/* 12 x 2 x 7/8 x 16 x 4096 x 2 B */
	bytes = 12 * 2 * 7 / 8.0 * 131072;
	assert_same(size_up(&in).decode.traffic.all_reduce, bytes);
	in.model.groups[0].layers = 2;
	in.model.groups[0].readers = 6;
	assert_same(size_up(&in).decode.traffic.all_reduce, bytes);
}

/* 8 chunks through 4 stages: the links of a stage wait as its matrices do, 11 / 8 of the time of filled ones. */
static void
stages_send_as_chunks_fill_them(void **state)
{
	struct sizing_input in = {
		.model = llama2_13b(), .device = ring(1e9), .load = load("bf16", "bf16", 8192, 1)};
	struct sizing_result r;

	(void)state;
	in.device.link_latency = 0;
	in.load.layout = (struct sizing_layout){.tensor = 2, .attention = 1, .pipeline = 4};
	in.load.prefill_chunk = 1024;
	r = size_up(&in);
	/* 80 all-reduces of 8192 x 5120 x 2 B, half sent twice, over four stages; 3 hand over half of it */
	assert_near(r.prefill.interconnect_seconds, (80 + 3 / 2.0) * 83886080 / 1e9 / 4 * 11 / 8, 1e-12);
	assert_int_equal(r.prefill.bottleneck, SIZING_INTERCONNECT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode_ways),
		cmocka_unit_test(prefill_ways),
		cmocka_unit_test(prefill_ways_are_those_of_the_times),
		cmocka_unit_test(bound_by_latency),
		cmocka_unit_test(two_dimensions),
		cmocka_unit_test(readers_send_too),
		cmocka_unit_test(stages_send_as_chunks_fill_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
