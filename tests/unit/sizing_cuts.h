/* Random models, machines and loads of the kinds that are cut over devices, for tests of layouts. */
#ifndef TESTS_SIZING_CUTS_H
#define TESTS_SIZING_CUTS_H

#include "sizing/layout.h"
#include "sizing_random.h"

static inline double
one_of(struct random *r, const double *values, size_t count)
{
	return values[next(r) % count];
}

#define ONE_OF(r, ...) \
	one_of(r, (const double[]){__VA_ARGS__}, sizeof (const double[]){__VA_ARGS__} / sizeof(double))

static inline void
add_experts(struct random *r, struct sizing_model *m)
{
	struct sizing_ffn *f = &m->ffn[m->ffn_count++];

	*f = (struct sizing_ffn){.layers = m->groups[0].layers, .width = whole(r, 64, 8192), .matrices = 3,
		.experts = ONE_OF(r, 8, 12, 16, 60, 64, 128, 256, 384), .shared = maybe(r, 0.5, 1, 2)};
	f->active = whole(r, 1, fmin(8, f->experts));
	if (f->layers > 3 && chance(r, 0.3)) {
		f->layers -= 3;
		m->ffn[m->ffn_count++] = (struct sizing_ffn){.layers = 3, .width = whole(r, 64, 30000), .matrices = 3};
	}
}

static inline struct sizing_group
any_gqa(struct random *r, double layers)
{
	double heads = ONE_OF(r, 1, 4, 6, 8, 12, 15, 16, 32, 40, 64, 96, 128), rows = heads;

	while (chance(r, 0.6) && fmod(rows, 2) == 0)
		rows /= 2;
	return gqa(layers, heads, rows, ONE_OF(r, 64, 80, 128, 256));
}

static inline struct sizing_group
any_latent(struct random *r, double layers)
{
	return (struct sizing_group){.layers = layers, .key_width = 576, .heads = ONE_OF(r, 16, 64, 128),
		.query_width = 576, .output_width = 512, .prefill_query_width = 192, .prefill_output_width = 128,
		.projections = whole(r, 1e6, 2e8), .top_k = maybe(r, 0.3, 256, 4096)};
}

static inline struct sizing_model
any_cut_model(struct random *r)
{
	struct sizing_model m = {.width = ONE_OF(r, 768, 2048, 2880, 4096, 7168, 12288),
		.vocabulary = whole(r, 30000, 260000), .tied = chance(r, 0.3),
		.other_parameters = maybe(r, 0.5, 1, 1e8), .group_count = 1};
	double layers = whole(r, 1, 100);

	switch (next(r) % 5) {
	case 0: /* grouped queries */
		m.groups[0] = any_gqa(r, layers);
		break;
	case 1: /* a latent, perhaps with an index */
		m.groups[0] = any_latent(r, layers);
		if (chance(r, 0.4))
			m.groups[m.group_count++] = (struct sizing_group){.layers = layers, .index_width = 128,
				.heads = 64, .query_width = 128, .also_on = true};
		break;
	case 2: /* windows between full layers, some of which share their rows */
		m.groups[0] = windowed(any_gqa(r, layers), whole(r, 128, 8192));
		m.groups[1] = m.groups[0];
		m.groups[1].window = 0;
		m.groups[1].readers = chance(r, 0.5) ? layers * 2 : 0;
		m.group_count = 2;
		break;
	case 3: /* states between full layers */
		m.groups[0] = any_gqa(r, layers);
		m.groups[1] = (struct sizing_group){.layers = whole(r, 1, 60),
			.states = {{whole(r, 1e3, 1e7), DTYPE("fp32")}}, .state_count = 1, .projections = 1e7};
		m.group_count = 2;
		break;
	default:
		return any_model(r, 100, 16384);
	}
	if (chance(r, 0.5))
		add_experts(r, &m);
	else
		m.ffn[m.ffn_count++] = (struct sizing_ffn){.layers = layers, .width = whole(r, 64, 50000), .matrices = 3};
	return m;
}

static inline void
draw_machine(struct random *r, struct sizing_device *d)
{
	d->link = chance(r, 0.8) ? between(r, 1e9, 1e12) : 0;
	d->link_latency = chance(r, 0.5) ? between(r, 1e-7, 1e-5) : 0;
	d->domain = ONE_OF(r, 0, 1, 2, 4, 8, 16, 72);
	d->node = ONE_OF(r, 0, 0, 2, 4, 8);
	d->network = chance(r, 0.5) ? between(r, 1e9, 1e11) : 0;
}

/* All that any_input leaves out. */
static inline void
draw_rest(struct random *r, struct sizing_load *load)
{
	load->prefill_chunk = chance(r, 0.4) ? chance(r, 0.2) ? 1 : whole(r, 1, 1e5) : 0;
	load->expert_imbalance = chance(r, 0.3) ? between(r, 1, 4) : 0;
	load->draft_tokens = maybe(r, 0.3, 1, 16);
	load->acceptance = chance(r, 0.8) ? fmax(uniform(r), 1e-9) : 1;
	load->draft_cost = chance(r, 0.5) ? between(r, 1e-3, 1) : 0;
}

/* A few devices' worth of a model of any kind; false if it takes more than `most`. */
static inline bool
draw(struct random *r, struct sizing_input *in, struct sizing_case *c, double most)
{
	struct sizing_error error;

	*in = any_input(r, false);
	in->model = any_cut_model(r);
	in->device.shared = false;
	in->device.usable_bytes = 0;
	draw_machine(r, &in->device);
	draw_rest(r, &in->load);
	in->load.concurrency = floor(in->load.concurrency);
	in->load.sessions = in->load.accelerators = 0;
	return sizing_open(c, in, &error) == 0 && c->by_capacity <= most;
}

#endif
