#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

double
sizing_rows_kept(const struct sizing_group *g, double tokens)
{
	double within = g->source_rows > 0 ? g->source_rows : tokens;

	if (g->window > 0 && within > g->window)
		within = g->window;
	return sizing_round_up(g->stride > 1 ? within / g->stride : within);
}

double
sizing_rows_read(const struct sizing_group *g, double tokens)
{
	double kept = sizing_rows_kept(g, tokens);

	return g->top_k > 0 && kept > g->top_k ? g->top_k : kept;
}

static double
element_bytes(double width, const struct sizing_dtype *dtype)
{
	return width > 0 ? width * dtype->bits / 8 : 0;
}

double
sizing_index_row_bytes(const struct sizing_group *g, const struct sizing_dtype *kv,
    const struct sizing_dtype *index)
{
	if (!(g->row_bytes > 0))
		return element_bytes(g->index_width, index != NULL ? index : kv);
	return g->index_width > 0 && !(g->key_width + g->value_width > 0) ? g->row_bytes : 0;
}

double
sizing_row_bytes(const struct sizing_group *g, const struct sizing_dtype *kv,
    const struct sizing_dtype *index)
{
	if (g->row_bytes > 0)
		return g->row_bytes;
	return element_bytes(g->key_width + g->value_width, kv) +
	    sizing_index_row_bytes(g, kv, index);
}

double
sizing_state_bytes(const struct sizing_group *g)
{
	double bytes = 0;

	for (size_t i = 0; i < g->state_count; i++)
		bytes += element_bytes(g->states[i].elements, g->states[i].dtype);
	return bytes;
}

double
sizing_readers(const struct sizing_group *g)
{
	return g->readers > 0 ? g->readers : g->layers;
}

double
sizing_kept_bytes(const struct sizing_model *m, double tokens, const struct sizing_dtype *kv,
    const struct sizing_dtype *index)
{
	double bytes = 0;

	for (size_t i = 0; i < m->group_count; i++) {
		const struct sizing_group *g = &m->groups[i];

		bytes += g->layers * (sizing_rows_kept(g, tokens) * sizing_row_bytes(g, kv, index) +
		    sizing_state_bytes(g));
	}
	return bytes;
}

double
sizing_read_bytes(const struct sizing_model *m, double tokens, const struct sizing_dtype *kv,
    const struct sizing_dtype *index)
{
	double bytes = 0;

	for (size_t i = 0; i < m->group_count; i++) {
		const struct sizing_group *g = &m->groups[i];

		bytes += sizing_readers(g) * sizing_rows_read(g, tokens) * sizing_row_bytes(g, kv, index) +
		    g->layers * 2 * sizing_state_bytes(g);
	}
	return bytes;
}

/* Rows that the first `tokens` of a prompt attend to, summed over them. */
double
sizing_attended(const struct sizing_group *g, double tokens)
{
	double stride = g->stride > 1 ? g->stride : 1;
	double reach = tokens; /* how many tokens back rows are read */

	if (g->source_rows > 0)
		return tokens * sizing_rows_read(g, tokens);
	if (g->window > 0 && g->window < reach)
		reach = g->window;
	if (g->top_k > 0 && g->top_k * stride < reach)
		reach = g->top_k * stride;
	return reach * (tokens - reach / 2) / stride;
}

/* Each of the lengths in proportion to the longest, rounded to whole tokens, at least one. */
static double
mean_rows(const struct sizing_case *c, const struct sizing_group *g, double tokens,
    double (*rows)(const struct sizing_group *, double))
{
	const struct sizing_load *load = &c->input->load;
	double mean = 0;

	if (load->length_count == 0)
		return rows(g, tokens);
	for (size_t i = 0; i < load->length_count; i++) {
		double length = sizing_round_up(load->lengths[i].tokens * tokens / c->context);

		mean += load->lengths[i].share * rows(g, length);
	}
	return mean;
}

double
sizing_mean_kept(const struct sizing_case *c, const struct sizing_cache *cache, double tokens)
{
	return tokens == c->context ? cache->kept : mean_rows(c, cache->group, tokens, sizing_rows_kept);
}

double
sizing_sequence_bytes(const struct sizing_case *c, double tokens)
{
	double bytes = c->states;

	for (size_t i = 0; i < c->cache_count; i++)
		bytes += c->caches[i].kept_row * sizing_mean_kept(c, &c->caches[i], tokens);
	return bytes;
}

/* A latent, an index and a packed entry are one head for all; no query width says nothing of heads. */
static double
kv_heads(const struct sizing_group *g)
{
	double width = g->key_width > 0 ? g->key_width : g->index_width;

	return g->query_width > 0 && width > g->query_width ? floor(width / g->query_width) : 1;
}

static void
prepare_cache(struct sizing_cache *cache, const struct sizing_group *g,
    const struct sizing_input *input, const struct sizing_path *attention)
{
	const struct sizing_load *load = &input->load;
	double row = sizing_row_bytes(g, load->kv, load->index);
	double index_row = sizing_index_row_bytes(g, load->kv, load->index);
	double query = g->prefill_query_width > 0 ? g->prefill_query_width : g->query_width;
	double output = g->prefill_output_width > 0 ? g->prefill_output_width : g->output_width;

	cache->group = g;
	cache->kept_row = g->layers * row;
	cache->index_kept_row = g->layers * index_row;
	cache->read_row = sizing_readers(g) * row;
	cache->index_read_row = sizing_readers(g) * index_row;
	cache->states = g->layers * sizing_state_bytes(g);
	cache->step_operations = sizing_readers(g) * 2 * g->heads * (g->query_width + g->output_width);
	cache->prompt_operations = sizing_readers(g) * 2 * g->heads * (query + output);
	cache->kv_heads = kv_heads(g);
	cache->rate = attention->operations;
	if (g->index_width > 0 && !(g->key_width + g->value_width > 0) && load->index != NULL)
		cache->rate = sizing_path_of(&input->device, load->index,
		    load->activations).operations;
}

static double
layers_of(const struct sizing_model *m)
{
	double mixers = 0, ffn = 0;

	for (size_t i = 0; i < m->group_count; i++)
		if (!m->groups[i].also_on)
			mixers += sizing_readers(&m->groups[i]);
	for (size_t i = 0; i < m->ffn_count; i++)
		ffn += m->ffn[i].layers;
	return fmax(fmax(mixers, ffn), 1);
}

void
sizing_prepare(struct sizing_case *c, const struct sizing_input *input)
{
	const struct sizing_load *load = &input->load;
	const struct sizing_device *d = &input->device;

	c->input = input;
	c->concurrency = load->concurrency;
	c->sessions = load->sessions > 0 ? load->sessions : load->concurrency;
	c->bandwidth = d->bandwidth * (d->bandwidth_efficiency > 0 ? d->bandwidth_efficiency : 1);
	c->attention = sizing_path_of(d, load->kv, load->activations);
	c->usable = floor(d->usable_bytes > 0 ? d->usable_bytes
	                                      : d->visible_bytes * d->usable_fraction);
	c->available = c->usable - ceil(load->runtime_bytes);
	c->cache_count = input->model.group_count;
	c->states = 0;
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_group *g = &input->model.groups[i];

		prepare_cache(&c->caches[i], g, input, &c->attention);
		c->caches[i].kept = mean_rows(c, g, c->context, sizing_rows_kept);
		c->caches[i].read = mean_rows(c, g, c->context, sizing_rows_read);
		c->states += c->caches[i].states;
	}
	c->layers = layers_of(&input->model);
}
