#include "advise/range.h"

#include <math.h>
#include <string.h>

#include "advise/result.h"
#include "sizing/keys.h"

enum range_end
range_end(enum input_id id)
{
	return id == INPUT_REUSE || id == INPUT_MEMORY || id == INPUT_USABLE ? RANGE_LOW : RANGE_HIGH;
}

/* One input that is a range: `count` values from low to high. */
struct axis {
	enum input_id id;
	double low, high;
	bool whole;
	size_t count;
};

static size_t
find_axes(struct axis axes[INPUT_COUNT], const struct workload *w)
{
	size_t n = 0;

	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct input *in = &w->inputs[i];

		if (!in->known || !in->range)
			continue;
		axes[n++] = (struct axis){ .id = (enum input_id)i, .low = in->low.value, .high = in->high.value,
			.whole = i == INPUT_PROMPT || i == INPUT_OUTPUT || i == INPUT_CONTEXT || i == INPUT_CONCURRENCY ||
			    i == INPUT_SESSIONS };
	}
	return n;
}

/* Whole numbers in a range; what need not be whole has no end of values. */
static double
values_of(const struct axis *axis)
{
	return axis->whole ? axis->high - axis->low + 1 : INFINITY;
}

/* The shortest first, so that the others can take what it leaves. */
static void
sort_axes(struct axis axes[], size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct axis axis = axes[i];
		size_t k = i;

		for (; k > 0 && values_of(&axes[k - 1]) > values_of(&axis); k--)
			axes[k] = axes[k - 1];
		axes[k] = axis;
	}
}

/* As many values each as RANGE_POINTS allow, at least the two ends; whole numbers no more than there are. */
static void
divide(struct axis axes[], size_t count, struct workload_range *range, bool solved)
{
	/* Each load of a rate is a search of its own. */
	double left = solved ? RANGE_SOLVED : RANGE_POINTS;

	range->points = 1;
	range->every = true;
	for (size_t i = 0; i < count; i++) {
		double share = floor(pow(left, 1 / (double)(count - i)) + 1e-9);
		double all = values_of(&axes[i]);

		axes[i].count = (size_t)fmax(2, fmin(share, all));
		range->every = range->every && (double)axes[i].count == all;
		range->points *= axes[i].count;
		left /= (double)axes[i].count;
	}
}

static double
value_at(const struct axis *axis, size_t i)
{
	double value = axis->low + (axis->high - axis->low) * ((double)i / (double)(axis->count - 1));

	return axis->whole ? round(value) : value;
}

/* The load at a place of the grid, on so many accelerators (0: as many as it needs). No fewer conversations are kept than are decoded. */
static int
size_point(struct workload *point, const struct workload *w, const struct axis *axes, size_t count, size_t place,
    double accelerators, struct err *e)
{
	*point = *w;
	for (size_t i = 0; i < count; i++) {
		point->inputs[axes[i].id].q.value = value_at(&axes[i], place % axes[i].count);
		place /= axes[i].count;
	}
	workload_set_load(point);
	if (accelerators > 0)
		point->in.load.accelerators = accelerators;
	if (point->in.load.sessions > 0)
		point->in.load.sessions = fmax(point->in.load.sessions, point->in.load.concurrency);
	return workload_size(point, e);
}

/*
 * Counts as this load needs them, the rest on what the one answer has. NaN once it was not known: fmin and
 * fmax would pass it over.
 */
static void
widen(struct workload_range *range, const struct workload *free, const struct workload *fixed)
{
	const struct sizing_key *key;

	for (size_t i = 0; (key = sizing_result_key(i)) != NULL; i++) {
		const struct workload *point = strncmp(key->name, "accelerators.", 13) == 0 ? free : fixed;
		double value;

		if (!point->sized || !sizing_result_number(&value, key, &point->out)) {
			range->low[i] = range->high[i] = NAN;
			continue;
		}
		range->low[i] = value < range->low[i] ? value : range->low[i];
		range->high[i] = value > range->high[i] ? value : range->high[i];
	}
}

int
range_fill(struct workload *w, struct arena *a, struct err *e)
{
	struct workload_range *range;
	struct axis axes[INPUT_COUNT];
	size_t count = find_axes(axes, w), keys = 0;
	struct workload *free, *fixed;
	/* The sequences that a rate asks for follow from the devices: those of the answer are no others' measure. */
	bool alone = w->in.device.shared || w->inputs[INPUT_REQUESTS].known;

	if (count == 0 || !w->sized)
		return OK;
	range = arena_alloc(a, sizeof *range);
	free = arena_alloc(a, sizeof *free);
	fixed = arena_alloc(a, sizeof *fixed);
	while (sizing_result_key(keys) != NULL)
		keys++;
	range->low = arena_alloc(a, keys * sizeof *range->low);
	range->high = arena_alloc(a, keys * sizeof *range->high);
	for (size_t i = 0; i < keys; i++) {
		range->low[i] = INFINITY;
		range->high[i] = -INFINITY;
	}
	sort_axes(axes, count);
	divide(axes, count, range, w->inputs[INPUT_REQUESTS].known);
	for (size_t i = 0; i < range->points; i++) {
		int rc = size_point(free, w, axes, count, i, 0, e);

		if (rc == OK && !alone)
			rc = size_point(fixed, w, axes, count, i, w->out.budget.devices, e);
		if (rc != OK)
			return rc;
		widen(range, free, alone ? free : fixed);
		range->turns = range->turns || (free->sized && free->out.capacity != w->out.capacity);
	}
	w->range = range;
	return OK;
}

bool
range_quantity(struct quantity *low, struct quantity *high, const struct workload *w, const char *key)
{
	const struct sizing_key *k;
	struct quantity q;

	if (w->range == NULL || !result_quantity(&q, w, key))
		return false;
	for (size_t i = 0; (k = sizing_result_key(i)) != NULL; i++) {
		if (strcmp(k->name, key) != 0 || isnan(w->range->low[i]))
			continue;
		*low = result_like(&q, w->range->low[i]);
		*high = result_like(&q, w->range->high[i]);
		return true;
	}
	return false;
}

static bool
begins(const char *key, const char *const *prefixes)
{
	for (; *prefixes != NULL; prefixes++)
		if (strncmp(key, *prefixes, strlen(*prefixes)) == 0)
			return true;
	return false;
}

/*
 * Without a layout all but the counts for targets and the next jump rise or fall with each input throughout.
 * With layouts each load takes the one whose step is the shortest: its step does so (the least of several
 * that do), as do bytes, counts and what fits; the terms of the step and the prompt's time need not.
 */
bool
range_is_exact(const struct workload *w, const char *key)
{
	static const char *const uneven[] = { "accelerators.next_jump_concurrency", "accelerators.for_t", NULL };
	static const char *const even[] = { "parameters.", "weights.", "state.", "index.", "kv.", "kv_to_weights", "crossover.",
		"accelerators.", "fits.", "decode.step_seconds", "decode.tokens_per_second_user", "critical_batch", "budget.usable",
		"operations_per_token", "serving.transfer_bytes", NULL };
	static const char *const fixed[] = { "parameters.", "weights.", NULL };

	if (w->range == NULL || w->range->every)
		return true;
	/* Of a rate the sequences follow from the step time, which is not monotone. */
	if (w->inputs[INPUT_REQUESTS].known)
		return begins(key, fixed);
	return !begins(key, uneven) && (!(w->out.layout.tensor > 0) || begins(key, even));
}
