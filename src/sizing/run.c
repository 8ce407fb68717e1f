#include "sizing/formulas.h"
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static void
fill_kv(struct sizing_result *r, const struct sizing_case *c)
{
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		const struct sizing_group *g = cache->group;
		double per_token = g->source_rows > 0 ? 0
		    : cache->kept_row / (g->stride > 1 ? g->stride : 1);

		r->kv_bytes_per_token += per_token;
		if (!(g->window > 0 && c->context >= g->window))
			r->kv_growth_per_token += per_token;
		r->kv_bytes_per_sequence += cache->kept * cache->kept_row;
		r->index_bytes_per_sequence += cache->kept * cache->index_kept_row;
		r->kv_bytes_read_per_step += c->concurrency * cache->read * cache->read_row;
	}
	r->state_bytes_per_sequence = c->states;
	r->kv_bytes = c->concurrency * r->kv_bytes_per_sequence;
	r->index_bytes = c->concurrency * r->index_bytes_per_sequence;
	r->state_bytes = c->concurrency * r->state_bytes_per_sequence;
	r->idle_kv_bytes = (c->sessions - c->concurrency) *
	    (r->kv_bytes_per_sequence + r->state_bytes_per_sequence);
}

static bool
near(double value, double crossover)
{
	return crossover > 0 && fabs(value / crossover - 1) <= 0.25;
}

static void
fill_crossover(struct sizing_result *r, const struct sizing_case *c)
{
	double sequence = r->kv_bytes_per_sequence + r->state_bytes_per_sequence;

	r->kv_to_weights = (r->kv_bytes + r->state_bytes) / r->weight_bytes;
	if (sequence > 0)
		r->crossover_concurrency = r->weight_bytes / sequence;
	r->crossover_context = sizing_crossover_context(c);
	r->near_crossover = near(r->concurrency, r->crossover_concurrency) ||
	    near(r->context, r->crossover_context);
}

static enum sizing_term
largest_capacity(const struct sizing_result *r)
{
	const double bytes[] = {
		[SIZING_WEIGHTS] = r->weight_bytes,
		[SIZING_KV] = r->kv_bytes - r->index_bytes,
		[SIZING_STATE] = r->state_bytes,
		[SIZING_INDEX] = r->index_bytes,
	};
	enum sizing_term largest = SIZING_WEIGHTS;

	for (int t = SIZING_KV; t <= SIZING_INDEX; t++)
		if (bytes[t] > bytes[largest])
			largest = (enum sizing_term)t;
	return largest;
}

static void
fill_devices(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_layout *layout)
{
	const struct sizing_load *load = &c->input->load;
	bool shared = c->input->device.shared;
	double devices, next;

	r->usable_per_device = c->usable;
	r->by_capacity = c->by_capacity;
	r->for_weights = sizing_devices(c, r->weight_bytes);
	r->added_by_kv = r->by_capacity - r->for_weights;
	r->needed = shared ? 1 : r->by_capacity;
	devices = load->accelerators > 0 ? load->accelerators : r->needed;
	r->fits = sizing_holds(c, c->total_bytes, devices);
	if (layout != NULL) {
		devices = sizing_layout_devices(layout);
		r->layout = *layout;
		r->leaves_domain = c->input->device.domain > 1 && devices > c->input->device.domain;
		r->fits = sizing_layout_holds(c, layout, c->concurrency, c->context);
		r->by_layout = r->fits ? devices : 0;
		r->needed = r->fits ? devices : fmax(r->needed, devices);
	}
	r->fits_concurrency = sizing_fit_concurrency(c, layout, devices);
	r->fits_context = sizing_fit_context(c, layout, devices);
	next = layout != NULL || devices == r->by_capacity ? r->fits_concurrency
	    : sizing_fit_concurrency(c, NULL, r->by_capacity);
	if (!shared && next < SIZING_MAX_LOAD)
		r->next_jump_concurrency = next + 1;
	sizing_budget(&r->budget, c, r, layout, devices);
	r->device_bytes = (layout != NULL
	    ? sizing_layout_bytes(c, layout, c->concurrency, c->context) : c->total_bytes / devices) +
	    load->runtime_bytes;
	if (!(c->input->device.usable_bytes > 0))
		r->device_bytes /= c->input->device.usable_fraction;
}

/* The least count at which `seconds`, taken on `devices`, are within the target. */
static double
devices_for(double seconds, double devices, double target, double needed)
{
	double n;

	if (!(target > 0))
		return 0;
	n = ceil(seconds * devices / target);
	if (n > 1 && seconds * devices / (n - 1) <= target)
		n--;
	return fmax(n, needed);
}

static void
fill_times(struct sizing_result *r, const struct sizing_case *c, const struct sizing_layout *layout)
{
	const struct sizing_load *load = &c->input->load;
	double devices = r->fits ? r->budget.devices : r->needed;
	struct sizing_split split = sizing_split_of(c, layout, devices);

	devices = split.devices;
	sizing_step(&r->decode, c, &split, 1);
	sizing_prefill(&r->prefill, c, &split);
	r->devices_for_tpot = devices_for(r->decode.seconds, devices, load->tpot, r->needed);
	r->devices_for_ttft = devices_for(r->prefill.seconds, devices, load->ttft, r->needed);
	if (load->tpot > 0)
		r->device_bandwidth = (r->decode.weights_seconds + r->decode.kv_seconds +
		    r->decode.index_seconds + r->decode.state_seconds) * c->input->device.bandwidth * devices /
		    (load->tpot * r->budget.devices);
	if (r->fits)
		sizing_serve(r, c, &split);
	if (!r->fits) {
		r->decode = (struct sizing_step){0};
		r->prefill = (struct sizing_prefill){0};
	}
	r->meets_tpot = r->fits && load->tpot > 0 && r->decode.seconds <= load->tpot;
	r->meets_ttft = r->fits && load->ttft > 0 && r->prefill.seconds <= load->ttft;
}

/* Of several kinds of layers the one that needs the largest batch. */
static double
critical_batch(const struct sizing_case *c)
{
	const struct sizing_model *m = &c->input->model;
	double largest = 0;

	for (int i = 0; i < SIZING_CLASSES; i++) {
		double rate = c->paths[i].operations;
		double bits = c->computed[i] > 0 ? c->class_bits[i] : 0;

		/* The vocabulary is one matrix, the rest of it small: what they need decides nothing. */
		if (!(bits > 0) || i == SIZING_VOCABULARY || (i == SIZING_OTHER && c->computed_total > 0))
			continue;
		for (size_t k = 0; i == SIZING_EXPERTS && k < m->ffn_count; k++)
			largest = fmax(largest, sizing_critical_batch(rate, c->bandwidth, bits,
			    m->ffn[k].experts, m->ffn[k].active));
		largest = fmax(largest, sizing_critical_batch(rate, c->bandwidth, bits, 0, 0));
	}
	return largest;
}

/* The path of the class that most of a token's operations go through. */
static struct sizing_path
main_path(const struct sizing_case *c)
{
	int most = 0;

	for (int i = 0; i < SIZING_CLASSES; i++)
		if (c->operations[i] > c->operations[most])
			most = i;
	return c->paths[most];
}

/* Width that tensor parallelism splits in the widest feed-forward of a token. */
static double
widest(const struct sizing_model *m)
{
	double width = 0;

	for (size_t i = 0; i < m->ffn_count; i++)
		width = fmax(width, m->ffn[i].width * fmax(m->ffn[i].active, 1));
	return width;
}

static void
fill_links(struct sizing_result *r, const struct sizing_case *c, const struct sizing_layout *layout)
{
	const struct sizing_device *d = &c->input->device;
	const struct sizing_model *m = &c->input->model;
	double width = widest(m);
	double weights = c->input->load.weights->bits / 8;
	double element = sizing_activation_element(c);

	if (width > 0)
		r->two_d_devices = sizing_two_d_devices(m->width, width);
	if (width > 0 && layout != NULL && sizing_two_d_ways(m->width, width, sizing_layout_devices(layout)) > 1) {
		r->two_d_ways = sizing_two_d_ways(m->width, width, sizing_layout_devices(layout));
		r->two_d_share = sqrt(r->two_d_devices / sizing_layout_devices(layout));
	}
	if (!(d->link > 0) || !(width > 0))
		return;
	r->decode_ways = sizing_decode_ways(width * weights / element, c->concurrency, c->bandwidth / d->link);
	if (r->linear_path.operations > 0)
		r->prefill_ways = width * d->link / r->linear_path.operations * 2 / element;
	if (!(d->link_latency > 0))
		return;
	if (layout != NULL)
		r->latency_bound_bytes = sizing_latency_bytes(layout->tensor * layout->attention, d->link_latency, d->link);
	r->latency_ways = c->concurrency * m->width * element / sizing_latency_bytes(1, d->link_latency, d->link);
}

int
sizing_open(struct sizing_case *c, const struct sizing_input *input, struct sizing_error *error)
{
	if (sizing_check(input, error) != 0 || sizing_tokens(c, &input->load, error) != 0)
		return -1;
	sizing_prepare(c, input);
	sizing_weights(c);
	c->total_bytes = c->weight_bytes + c->concurrency * sizing_sequence_bytes(c, c->context);
	c->by_capacity = sizing_devices(c, c->total_bytes);
	if (!(c->parameters_total > 0))
		return sizing_fail(error, "model.published_total", -1,
		    "the model has no parameters, published or computed");
	if (!(c->parameters_active <= c->parameters_total))
		return sizing_fail(error, "model.published_active", -1,
		    "is more than the parameters in all");
	return 0;
}

void
sizing_answer(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_layout *layout)
{
	const struct sizing_model *m = &c->input->model;
	struct sizing_split split;

	*r = (struct sizing_result){
		.context = c->context, .prompt = c->prompt, .output = c->output,
		.concurrency = c->concurrency, .sessions = c->sessions,
		.beyond_max_context = m->max_context > 0 && c->context > m->max_context,
		.parameters_total = c->parameters_total, .parameters_active = c->parameters_active,
		.computed_total = c->computed_total, .computed_active = c->computed_active,
		.embedding_parameters = sizing_class_parameters(m, SIZING_VOCABULARY, false),
		.weights_from_checkpoint = c->from_checkpoint, .weight_bytes = c->weight_bytes,
		.linear_path = main_path(c), .attention_path = c->attention,
		.operations_per_token = c->operations_per_token,
	};
	fill_kv(r, c);
	r->capacity = largest_capacity(r);
	fill_crossover(r, c);
	fill_devices(r, c, layout);
	fill_times(r, c, layout);
	fill_links(r, c, layout);
	r->critical_batch = critical_batch(c);
	split = sizing_split_of(c, layout, r->budget.devices);
	sizing_place(r, c, &split);
}

int
sizing_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error)
{
	const struct sizing_layout *layout = &input->load.layout;
	struct sizing_case c;
	const char *illegal;

	*result = (struct sizing_result){0};
	if (sizing_open(&c, input, error) != 0)
		return -1;
	if (!(layout->tensor > 0)) {
		sizing_answer(result, &c, NULL);
		return 0;
	}
	illegal = sizing_layout_illegal(&c, layout);
	if (illegal != NULL)
		return sizing_fail(error, "load.layout", -1, illegal);
	sizing_answer(result, &c, layout);
	return 0;
}
