#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <math.h>

/* `tokens` of one prompt after `start` that are there already. */
static void
prefill_part(struct sizing_prefill *p, const struct sizing_case *c, double start, double tokens,
    double devices)
{
	double bandwidth = c->input->device.bandwidth * devices;

	*p = (struct sizing_prefill){.devices = devices};
	p->linear_operations = c->operations_per_token * tokens;
	p->weights_seconds = sizing_weights_touched(c, tokens) / bandwidth;
	if (c->linear.operations > 0)
		p->linear_compute_seconds = p->linear_operations / (c->linear.operations * devices);
	if (p->linear_compute_seconds > p->weights_seconds)
		p->counted[SIZING_LINEAR_COMPUTE] = p->linear_compute_seconds;
	else
		p->counted[SIZING_WEIGHTS] = p->weights_seconds;
	p->seconds = fmax(p->weights_seconds, p->linear_compute_seconds);
	for (size_t i = 0; i < c->cache_count; i++) {
		const struct sizing_cache *cache = &c->caches[i];
		const struct sizing_group *g = cache->group;
		double attended = sizing_attended(g, start + tokens) - sizing_attended(g, start);
		double operations = fmax(attended, 0) * cache->prompt_operations;
		/* Rows of the part before are read, the others written: each once at the least. */
		double rows = sizing_rows_kept(g, start + tokens) / bandwidth;
		double write = rows * cache->kept_row, index = rows * cache->index_kept_row;
		double compute = cache->rate > 0 ? operations / (cache->rate * devices) : 0;

		p->attention_operations += operations;
		p->attention_compute_seconds += compute;
		p->kv_write_seconds += write;
		if (compute > write) {
			p->counted[SIZING_ATTENTION_COMPUTE] += compute;
		} else {
			p->counted[SIZING_KV] += write - index;
			p->counted[SIZING_INDEX] += index;
		}
		p->seconds += fmax(compute, write);
	}
	p->bottleneck = sizing_largest(p->counted);
}

double
sizing_prefill_seconds(const struct sizing_case *c, double start, double tokens, double devices)
{
	struct sizing_prefill p;

	prefill_part(&p, c, start, tokens, devices);
	return p.seconds;
}

void
sizing_prefill(struct sizing_prefill *p, const struct sizing_case *c, double devices)
{
	double reuse = c->input->load.reuse;
	double start;

	prefill_part(p, c, 0, c->prompt, devices);
	p->seconds_reused = p->seconds;
	if (reuse > 0) {
		/* The last token is computed in any case: its logits are the answer's first. */
		start = fmin(floor(reuse * c->prompt), c->prompt - 1);
		p->seconds_reused = sizing_prefill_seconds(c, start, c->prompt - start, devices);
	}
}
