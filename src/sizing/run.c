#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

static void
fill_kv(struct sizing_result *r, const struct sizing_case *c)
{
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		const struct sizing_group *g = cache->group;
		double kept = sizing_rows_kept(g, c->context);
		double per_token = g->source_rows > 0 ? 0
		    : cache->kept_row / (g->stride > 1 ? g->stride : 1);

		r->kv_bytes_per_token += per_token;
		if (!(g->window > 0 && c->context >= g->window))
			r->kv_growth_per_token += per_token;
		r->kv_bytes_per_sequence += kept * cache->kept_row;
		r->index_bytes_per_sequence += kept * cache->index_kept_row;
		r->kv_bytes_read_per_step += c->concurrency * sizing_rows_read(g, c->context) *
		    cache->read_row;
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
fill_devices(struct sizing_result *r, const struct sizing_case *c)
{
	const struct sizing_load *load = &c->input->load;
	bool shared = c->input->device.shared;
	double bytes = c->total_bytes;
	double next, devices;

	r->usable_per_device = c->usable;
	r->by_capacity = sizing_devices(c, bytes);
	r->for_weights = sizing_devices(c, r->weight_bytes);
	r->added_by_kv = r->by_capacity - r->for_weights;
	r->needed = shared ? 1 : r->by_capacity;
	devices = load->accelerators > 0 ? load->accelerators : r->needed;
	r->fits = sizing_holds(c, bytes, devices);
	r->fits_concurrency = sizing_fit_concurrency(c, devices);
	r->fits_context = sizing_fit_context(c, devices);
	next = devices == r->by_capacity ? r->fits_concurrency
	                                 : sizing_fit_concurrency(c, r->by_capacity);
	if (!shared && next < SIZING_MAX_LOAD)
		r->next_jump_concurrency = next + 1;
	sizing_budget(&r->budget, c, r, devices);
	r->device_bytes = bytes / devices + load->runtime_bytes;
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
fill_times(struct sizing_result *r, const struct sizing_case *c)
{
	const struct sizing_load *load = &c->input->load;
	double devices = r->fits ? r->budget.devices : r->needed;

	sizing_step(&r->decode, c, devices);
	sizing_prefill(&r->prefill, c, devices);
	r->devices_for_tpot = devices_for(r->decode.seconds, devices, load->tpot, r->needed);
	r->devices_for_ttft = devices_for(r->prefill.seconds, devices, load->ttft, r->needed);
	if (load->tpot > 0)
		r->device_bandwidth = (r->decode.weights_seconds + r->decode.kv_seconds +
		    r->decode.index_seconds + r->decode.state_seconds) * c->input->device.bandwidth * devices /
		    (load->tpot * r->budget.devices);
	if (!r->fits) {
		r->decode = (struct sizing_step){0};
		r->prefill = (struct sizing_prefill){0};
	}
	r->meets_tpot = r->fits && load->tpot > 0 && r->decode.seconds <= load->tpot;
	r->meets_ttft = r->fits && load->ttft > 0 && r->prefill.seconds <= load->ttft;
}

/* Of several kinds of expert layers the one that needs the largest batch. */
static double
critical_batch(const struct sizing_case *c)
{
	const struct sizing_model *m = &c->input->model;
	double bits = c->input->load.weights->bits;
	double bandwidth = c->input->device.bandwidth;
	double largest = sizing_critical_batch(c->linear.operations, bandwidth, bits, 0, 0);

	if (!(c->linear.operations > 0))
		return 0;
	for (size_t i = 0; i < m->ffn_count; i++)
		largest = fmax(largest, sizing_critical_batch(c->linear.operations, bandwidth, bits,
		    m->ffn[i].experts, m->ffn[i].active));
	return largest;
}

int
sizing_run(struct sizing_result *result, const struct sizing_input *input,
    struct sizing_error *error)
{
	struct sizing_result *r = result;
	struct sizing_case c;

	*r = (struct sizing_result){0};
	if (sizing_check(input, error) != 0 || sizing_tokens(&c, &input->load, error) != 0)
		return -1;
	sizing_prepare(&c, input);
	sizing_weights(&c, r);
	c.total_bytes = c.weight_bytes + c.concurrency * sizing_sequence_bytes(&c, c.context);
	if (!(r->parameters_total > 0))
		return sizing_fail(error, "model.published_total", -1,
		    "the model has no parameters, published or computed");
	if (!(r->parameters_active <= r->parameters_total))
		return sizing_fail(error, "model.published_active", -1,
		    "is more than the parameters in all");
	r->context = c.context;
	r->prompt = c.prompt;
	r->output = c.output;
	r->concurrency = c.concurrency;
	r->sessions = c.sessions;
	r->beyond_max_context = input->model.max_context > 0 &&
	    c.context > input->model.max_context;
	r->linear_path = c.linear;
	r->attention_path = c.attention;
	fill_kv(r, &c);
	r->capacity = largest_capacity(r);
	fill_crossover(r, &c);
	fill_devices(r, &c);
	fill_times(r, &c);
	r->critical_batch = critical_batch(&c);
	sizing_place(r, &c);
	return 0;
}
