/*
 * Counts of devices and the questions turned round. Everything is decided by sizing_holds, so a
 * count, what fits on it and the budget of it cannot disagree.
 */
#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

#include <assert.h>
#include <math.h>

bool
sizing_holds(const struct sizing_case *c, double bytes, double devices)
{
	/* `available` is whole, so this also holds for the share rounded up to whole bytes. */
	return bytes / devices <= c->available;
}

double
sizing_devices(const struct sizing_case *c, double bytes)
{
	double n = ceil(bytes / c->available);

	if (n < 1)
		return 1;
	if (n > 1 && sizing_holds(c, bytes, n - 1))
		return n - 1;
	/* Beyond 2^53 one more is no other number. */
	return sizing_holds(c, bytes, n) ? n : fmax(n + 1, nextafter(n, HUGE_VAL));
}

/* A bound on the bytes of the sequences in use, over the concurrency or over the context. */
struct bound {
	const struct sizing_case *c;
	const struct sizing_layout *layout;
	/* > 0: with the weights they are held by so many; 0: they are under the weights. */
	double devices;
	/* Bytes of one at the context, where the concurrency is asked for; else 0. */
	double sequence;
};

static bool
within(const struct bound *b, double n)
{
	double bytes;

	if (b->layout != NULL && b->devices > 0)
		return b->sequence > 0 ? sizing_layout_holds(b->c, b->layout, n, b->c->context)
		                       : sizing_layout_holds(b->c, b->layout, b->c->concurrency, n);
	bytes = b->sequence > 0 ? n * b->sequence
	    : b->c->concurrency * sizing_sequence_bytes(b->c, n);
	if (b->devices > 0)
		return sizing_holds(b->c, b->c->weight_bytes + bytes, b->devices);
	return bytes < b->c->weight_bytes;
}

/*
 * The largest whole number within, up to SIZING_MAX_LOAD; 0 if 1 is not. Bytes never fall as n
 * rises, so a guess (mostly exact or one off) is left in doubling steps and the rest halved.
 */
static double
largest(const struct bound *b, double guess)
{
	double in = 0, out, step = 1;

	guess = fmin(fmax(floor(guess), 1), SIZING_MAX_LOAD);
	if (within(b, guess)) {
		for (in = out = guess; in < SIZING_MAX_LOAD; in = out, step *= 2) {
			out = fmin(in + step, SIZING_MAX_LOAD);
			if (!within(b, out))
				break;
		}
	} else {
		for (out = guess; out - step > 0 && !within(b, out - step); step *= 2)
			out -= step;
		in = fmax(out - step, 0);
	}
	while (out - in > 1) {
		double n = floor((in + out) / 2);

		if (within(b, n))
			in = n;
		else
			out = n;
	}
	return in;
}

/* Where the line through two points (x, bytes) comes to `room`. */
static double
reaches(double room, double x0, double bytes0, double x1, double bytes1)
{
	return bytes1 != bytes0 ? x0 + (room - bytes0) * ((x1 - x0) / (bytes1 - bytes0)) : SIZING_MAX_LOAD;
}

/* Groups take whole sequences: as many as the fullest device has room for, times the groups. */
static double
guess_layout_concurrency(const struct sizing_case *c, const struct sizing_layout *l)
{
	double without = sizing_layout_bytes(c, l, 0, c->context);
	double with = sizing_layout_bytes(c, l, c->concurrency, c->context);
	double sequences = sizing_round_up(c->concurrency / l->attention);

	return floor(reaches(c->available, 0, without, sequences, with)) * l->attention;
}

/* Past the windows a device's bytes are a line; the second point is there already. */
static double
guess_layout_context(const struct sizing_case *c, const struct sizing_layout *l)
{
	double here = sizing_layout_bytes(c, l, c->concurrency, c->context);
	double twice = sizing_layout_bytes(c, l, c->concurrency, 2 * c->context);
	double n = reaches(c->available, c->context, here, 2 * c->context, twice);

	n = fmin(fmax(floor(n), 1), SIZING_MAX_LOAD);
	return reaches(c->available, c->context, here, n,
	    sizing_layout_bytes(c, l, c->concurrency, n));
}

double
sizing_fit_concurrency(const struct sizing_case *c, const struct sizing_layout *layout,
    double devices)
{
	double sequence = sizing_sequence_bytes(c, c->context);
	double room = c->available * devices - c->weight_bytes;

	if (layout != NULL) {
		if (!sizing_layout_holds(c, layout, 0, c->context))
			return 0;
		return largest(&(struct bound){c, layout, devices, 1}, guess_layout_concurrency(c, layout));
	}
	if (!sizing_holds(c, c->weight_bytes, devices))
		return 0;
	if (!(sequence > 0))
		return SIZING_MAX_LOAD;
	return largest(&(struct bound){c, NULL, devices, sequence}, room / sequence);
}

/* Where a sequence has so many bytes, going on from this context at its slope there. */
static double
guess_context(const struct sizing_case *c, double bytes)
{
	return reaches(bytes, c->context, sizing_sequence_bytes(c, c->context), 2 * c->context,
	    sizing_sequence_bytes(c, 2 * c->context));
}

double
sizing_fit_context(const struct sizing_case *c, const struct sizing_layout *layout, double devices)
{
	double room = c->available * devices - c->weight_bytes;

	return largest(&(struct bound){.c = c, .layout = layout, .devices = devices},
	    layout != NULL ? guess_layout_context(c, layout) : guess_context(c, room / c->concurrency));
}

double
sizing_crossover_context(const struct sizing_case *c)
{
	double below = largest(&(struct bound){.c = c},
	    guess_context(c, c->weight_bytes / c->concurrency));

	return below < SIZING_MAX_LOAD ? below + 1 : 0;
}

/*
 * Even shares in whole bytes. Each is the difference of two rounded sums, not a rounded quotient, so
 * that together they are the share of total_bytes that sizing_holds looked at.
 */
static void
even_parts(struct sizing_parts *p, const struct sizing_case *c, const struct sizing_result *r,
    double devices)
{
	const double bytes[] = {r->weight_bytes, r->kv_bytes - r->index_bytes, r->index_bytes};
	double *const share[] = {&p->weights, &p->kv, &p->index};
	double whole = ceil(c->total_bytes / devices);
	double sum = 0, before = 0;

	*p = (struct sizing_parts){0};
	for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
		double upto;

		sum += bytes[i];
		upto = fmin(fmax(ceil(sum / devices), before), whole);
		*share[i] = upto - before;
		before = upto;
	}
	/* The sum may be a rounding away from total_bytes: without states the rest is KV's. */
	if (r->state_bytes > 0)
		p->state = whole - before;
	else
		p->kv += whole - before;
}

void
sizing_budget(struct sizing_budget *b, const struct sizing_case *c, const struct sizing_result *r,
    const struct sizing_layout *layout, double devices)
{
	struct sizing_parts p;
	double held;

	if (layout != NULL)
		sizing_layout_parts(&p, c, layout, c->concurrency, c->context);
	else
		even_parts(&p, c, r, devices);
	held = p.weights + p.kv + p.index + p.state + p.activations + p.communication;
	*b = (struct sizing_budget){.devices = devices, .visible = c->input->device.visible_bytes,
		.usable = c->usable, .weights = p.weights, .kv = p.kv, .index = p.index, .state = p.state,
		.activations = p.activations, .communication = p.communication,
		.runtime = c->usable - c->available, .free = fmax(c->available - held, 0),
		.missing = fmax(held - c->available, 0)};
	assert(b->missing > 0 || b->weights + b->kv + b->index + b->state + b->activations +
	    b->communication + b->runtime + b->free == b->usable);
}
