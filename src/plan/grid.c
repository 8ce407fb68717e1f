#include "plan/grid.h"

#include <math.h>
#include <string.h>

bool
plan_grid_count(struct plan_grid *grid)
{
	const uint64_t most = (uint64_t)1 << PLAN_MAX_COUNT_BITS;

	grid->count = 1;
	for (size_t i = 0; i < grid->axis_count; i++) {
		if (grid->axes[i].count >= most / grid->count)
			return false;
		grid->count *= grid->axes[i].count;
	}
	return true;
}

static double
span_value(const struct plan_span *s, uint64_t i)
{
	double value = s->from;

	if (s->factor > 0) {
		while (i-- > 0)
			value *= s->factor;
		return value;
	}
	if (i == 0)
		return value;
	return (rint(s->from * s->scale) + (double)i * rint(s->step * s->scale)) / s->scale;
}

double
plan_axis_value(const struct plan_axis *axis, uint64_t i)
{
	size_t span = 0;

	while (i >= axis->spans[span].count)
		i -= axis->spans[span++].count;
	return span_value(&axis->spans[span], i);
}

/* Put the value of one axis into the input. */
static void
apply(struct plan_cursor *c, size_t i)
{
	const struct plan_axis *axis = &c->grid->axes[i];
	char *in = (char *)&c->in;

	switch (axis->target) {
	case PLAN_NUMBER:
		c->values[i] = plan_axis_value(axis, c->index[i]);
		memcpy(in + axis->key->offset, &c->values[i], sizeof c->values[i]);
		break;
	case PLAN_DTYPE:
		memcpy(in + axis->key->offset, &axis->choices[c->index[i]], sizeof(const void *));
		break;
	case PLAN_MODEL:
		memcpy(&c->in.model, axis->choices[c->index[i]], sizeof c->in.model);
		break;
	case PLAN_DEVICE:
		memcpy(&c->in.device, axis->choices[c->index[i]], sizeof c->in.device);
		break;
	case PLAN_LAYOUT:
		memcpy(&c->in.load.layout, axis->choices[c->index[i]], sizeof c->in.load.layout);
		break;
	case PLAN_RATE:
		c->rate = c->values[i] = plan_axis_value(axis, c->index[i]);
		break;
	}
}

void
plan_seek(struct plan_cursor *c, const struct plan_grid *grid, uint64_t at)
{
	uint64_t rest = at;

	c->grid = grid;
	c->at = at;
	c->in = *grid->base;
	c->rate = grid->rate;
	for (size_t i = grid->axis_count; i-- > 0;) {
		c->index[i] = rest % grid->axes[i].count;
		rest /= grid->axes[i].count;
	}
	for (size_t i = 0; i < grid->axis_count; i++)
		apply(c, i);
}

/* A device that an axis changes takes with it what later axes put into it: all from there are applied. */
void
plan_next(struct plan_cursor *c)
{
	size_t i = c->grid->axis_count;

	c->at++;
	while (i-- > 0) {
		if (++c->index[i] < c->grid->axes[i].count)
			break;
		c->index[i] = 0;
		if (i == 0)
			break;
	}
	for (; i < c->grid->axis_count; i++)
		apply(c, i);
}

int
plan_concurrency(struct sizing_result *r, struct sizing_input *in, double rate, enum plan_effort effort,
    struct sizing_error *error)
{
	double now = 1;

	for (int i = 0; i < 200; i++) {
		double next;

		in->load.concurrency = now;
		/* What each step asks is the time of one load. */
		if (plan_run_for(r, in, effort == PLAN_FULL ? PLAN_LEAN : effort, error) != 0)
			return -1;
		next = ceil(rate * r->output * r->decode.seconds);
		if (!r->fits || next > 1e6)
			return 0;
		if (next <= now)
			return effort == PLAN_FULL && plan_run(r, in, error) != 0 ? -1 : 1;
		now = next;
	}
	return 0;
}

bool
plan_size(struct plan_cursor *c)
{
	int found;

	if (!(c->rate > 0))
		return plan_run_for(&c->out, &c->in, c->grid->effort, &c->refused) == 0;
	found = plan_concurrency(&c->out, &c->in, c->rate, c->grid->effort, &c->refused);
	if (found == 0)
		c->refused = (struct sizing_error){ "requests_per_second", -1,
			"no number of sequences that fits serves so many" };
	return found == 1;
}
