/*
 * Nanoseconds of one sizing_run, and of one plan_run, which looks for the smallest layout as well, for a dense
 * model, MLA with experts and a hybrid of windows, strides and states. Target: under 2 microseconds for one
 * topology, so that a grid of a million points is two seconds; the search is printed beside it. Processor
 * time, the best of some rounds, since the machine may be busy. Exit status 1 if one topology is over.
 */
#include <stdio.h>
#include <time.h>

#include "plan/layout.h"
#include "sizing/sizing.h"

enum { ROUNDS = 10, RUNS = 20000 };

static const struct sizing_device H200 = {
	.visible_bytes = 150754820096,
	.usable_fraction = 0.9,
	.bandwidth = 4.8e12,
	.peak = {[SIZING_BF16] = 989e12, [SIZING_FP8] = 1979e12},
	.link = 450e9,
	.domain = 8,
	.node = 8,
};

typedef int run(struct sizing_result *, const struct sizing_input *, struct sizing_error *);

static void
fill(struct sizing_model m[3])
{
	m[0] = (struct sizing_model){
		.width = 8192,
		.vocabulary = 128256,
		.groups = {{.layers = 80, .key_width = 1024, .value_width = 1024, .heads = 64,
		    .query_width = 128, .output_width = 128}},
		.group_count = 1,
		.ffn = {{.layers = 80, .width = 28672, .matrices = 3}},
		.ffn_count = 1,
	};
	m[1] = (struct sizing_model){
		.width = 7168,
		.vocabulary = 129280,
		.groups = {
			{.layers = 61, .key_width = 576, .top_k = 2048, .heads = 128,
			    .query_width = 576,
			    .output_width = 512, .projections = 187105280},
			{.layers = 61, .index_width = 128, .heads = 64, .query_width = 128,
			    .also_on = true},
		},
		.group_count = 2,
		.ffn = {
			{.layers = 3, .width = 18432, .matrices = 3},
			{.layers = 58, .width = 2048, .matrices = 3, .experts = 256, .active = 8,
			    .shared = 1},
		},
		.ffn_count = 2,
	};
	m[2] = m[1];
	m[2].groups[0] = (struct sizing_group){.layers = 61, .key_width = 512, .window = 128};
	m[2].groups[1] = (struct sizing_group){.layers = 30, .key_width = 512, .index_width = 128,
	    .stride = 4, .also_on = true};
	m[2].groups[2] = (struct sizing_group){.layers = 31, .key_width = 512, .stride = 128,
	    .also_on = true};
	m[2].groups[3] = (struct sizing_group){.layers = 24,
	    .states = {{524288, sizing_dtype_find("fp32")}}, .state_count = 1};
	m[2].group_count = 4;
}

static double
nanoseconds(const struct sizing_model *model, run *size)
{
	struct sizing_input in = {
		.model = *model,
		.device = H200,
		.load = {.prompt = 120000, .output = 8000, .concurrency = 64, .sessions = 400,
		    .reuse = 0.6,
		    .ttft = 2, .tpot = 0.04},
		.tiers = {{.bytes = 4e12, .read_bandwidth = 200e9}, {.bytes = 60e12, .read_bandwidth = 14e9}},
		.tier_count = 2,
	};
	struct sizing_result result;
	struct sizing_error error;
	struct timespec from, to;
	double sum = 0;

	in.load.weights = sizing_dtype_find("fp8");
	in.load.kv = in.load.index = sizing_dtype_find("bf16");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (int i = 0; i < RUNS; i++) {
		in.load.concurrency = 1 + i % 300;
		if (size(&result, &in, &error) != 0)
			return -1;
		sum += result.needed;
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	if (!(sum > 0))
		return -1;
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 +
	    (double)(to.tv_nsec - from.tv_nsec)) / RUNS;
}

static double
best(const struct sizing_model *model, run *size)
{
	double ns = nanoseconds(model, size);

	for (int round = 1; round < ROUNDS; round++) {
		double again = nanoseconds(model, size);

		if (again < ns)
			ns = again;
	}
	return ns;
}

int
main(void)
{
	static const char *const names[] = {"dense", "sparse MLA, experts",
	    "windows, strides, states"};
	static struct sizing_model models[3];
	int status = 0;

	fill(models);
	for (int i = 0; i < 3; i++) {
		double one = best(&models[i], sizing_run), search = best(&models[i], plan_run);

		printf("%-26s %6.0f ns, with the search for a layout %6.0f ns\n", names[i], one, search);
		if (!(one >= 0 && one < 2000 && search >= 0))
			status = 1;
	}
	return status;
}
