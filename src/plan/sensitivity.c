#include "plan/sensitivity.h"

#include <math.h>
#include <string.h>

#include "plan/layout.h"

#define GB 1e9
#define MOST_ROOM 64 /* times the memory of a device: beyond it nobody builds one */

/* An input that one number is changed in; dtypes in it may point to those beside it. */
struct variation {
	struct sizing_input in;
	struct sizing_dtype weights, kv;
};

static double *
number_of(struct sizing_input *in, const struct sizing_key *key)
{
	return (double *)((char *)in + key->offset);
}

static bool
is_dtype(const struct sizing_key *key, const char *name)
{
	return key->unit == SIZING_UNIT_DTYPE && strcmp(key->name, name) == 0;
}

/* What the input is now; 0 or less: not given, so that it cannot be varied. */
static double
value_of(const struct sizing_input *in, const struct sizing_key *key, double devices)
{
	double value;

	if (is_dtype(key, "weights"))
		return in->load.weights->bits;
	if (is_dtype(key, "kv"))
		return in->load.kv != NULL ? in->load.kv->bits : 0;
	if (key->unit == SIZING_UNIT_DTYPE || key->unit == SIZING_UNIT_TEXT)
		return 0;
	if (strcmp(key->name, "accelerators") == 0)
		return in->device.shared ? 0 : devices;
	memcpy(&value, (const char *)in + key->offset, sizeof value);
	/* Where the room is given, neither the memory of the device nor a share of it says anything. */
	if (in->device.usable_bytes > 0 && (strcmp(key->name, "memory") == 0 || strcmp(key->name, "usable") == 0))
		return 0;
	return value;
}

static bool
is_whole(const struct sizing_key *key)
{
	return key->unit == SIZING_UNIT_COUNT || key->unit == SIZING_UNIT_TOKENS || key->unit == SIZING_UNIT_BYTES;
}

/* A tenth lower (sign -1) or higher (1), whole where it counts things; the value itself: no way there. */
static double
moved(const struct sizing_key *key, double value, int sign)
{
	double to = value * (1 + sign * SENSITIVITY_STEP_SIZE);

	if (key->unit == SIZING_UNIT_RATIO)
		return fmin(to, 1);
	if (!is_whole(key))
		return to;
	to = round(to);
	if (to == value)
		to += sign;
	return to < 1 ? value : to;
}

/* The dtype of so many bits keeps the rate it computes at. A checkpoint's bytes follow its bits. */
static void
set_weight_bits(struct variation *v, double bits)
{
	struct sizing_model *m = &v->in.model;
	bool same = m->checkpoint_dtype != NULL && m->checkpoint_dtype->bits == v->in.load.weights->bits &&
	    m->checkpoint_dtype->compute == v->in.load.weights->compute;

	v->weights = *v->in.load.weights;
	v->weights.bits = bits;
	if (same) {
		m->checkpoint_bytes *= bits / v->in.load.weights->bits;
		m->checkpoint_dtype = &v->weights;
	}
	v->in.load.weights = &v->weights;
}

static void
set(struct variation *v, const struct sizing_key *key, double value)
{
	struct sizing_load *load = &v->in.load;

	if (is_dtype(key, "weights")) {
		set_weight_bits(v, value);
	} else if (is_dtype(key, "kv")) {
		v->kv = *load->kv;
		v->kv.bits = value;
		load->kv = &v->kv;
	} else {
		*number_of(&v->in, key) = value;
	}
	/* No fewer conversations are kept than are decoded. */
	if (load->sessions > 0 && load->sessions < load->concurrency)
		load->sessions = load->concurrency;
}

static double
ttft(const struct sizing_result *r)
{
	return r->linear_path.operations > 0 ? r->prefill.seconds_reused : 0;
}

/* false: the engine refuses the input */
static bool
ask(double answer[SENSITIVITY_ANSWERS], const struct sizing_input *in)
{
	struct sizing_error error;
	struct sizing_result r;

	if (plan_run(&r, in, &error) != 0)
		return false;
	answer[SENSITIVITY_DEVICES] = r.needed;
	answer[SENSITIVITY_DEMAND] = (r.weight_bytes + r.kv_bytes + r.state_bytes) /
	    (r.usable_per_device - r.budget.runtime);
	answer[SENSITIVITY_STEP] = r.decode.seconds;
	answer[SENSITIVITY_TTFT] = ttft(&r);
	return true;
}

static void
ask_side(struct sensitivity_side *side, const struct sizing_input *fixed, const struct sizing_key *key,
    double value, int sign)
{
	struct variation v = {.in = *fixed};

	side->input = moved(key, value, sign);
	if (side->input == value)
		return;
	set(&v, key, side->input);
	if (!ask(side->answer, &v.in))
		*side = (struct sensitivity_side){.input = value};
}

static double
elasticity(const struct sensitivity_side *side, double value, double now, int answer)
{
	if (side->input == value || !(now > 0) || !(side->answer[answer] > 0))
		return 0;
	return (side->answer[answer] / now - 1) / (side->input / value - 1);
}

static void
rate(struct sensitivity_row *row, const double now[SENSITIVITY_ANSWERS])
{
	for (int i = 0; i < SENSITIVITY_ANSWERS; i++) {
		double down = elasticity(&row->down, row->value, now[i], i);
		double up = elasticity(&row->up, row->value, now[i], i);

		row->elasticity[i] = fabs(down) > fabs(up) ? down : up;
		if (i != SENSITIVITY_DEVICES)
			row->effect = fmax(row->effect, fabs(row->elasticity[i]));
	}
}

/* Insertion by effect; rows of one effect stay in the order of the inputs. */
static void
insert(struct sensitivity *out, const struct sensitivity_row *row)
{
	size_t i = out->count;

	if (out->count == SENSITIVITY_ROWS)
		return;
	for (; i > 0 && out->rows[i - 1].effect < row->effect; i--)
		out->rows[i] = out->rows[i - 1];
	out->rows[i] = *row;
	out->count++;
}

/* Devices that are needed where each has so many times its memory; 0: the engine refuses it. */
static double
needed_with(const struct sizing_input *input, double times)
{
	struct sizing_input in = *input;
	struct sizing_error error;
	struct sizing_result r;

	in.load.accelerators = 0;
	in.device.visible_bytes *= times;
	in.device.usable_bytes *= times;
	return plan_run(&r, &in, &error) == 0 ? r.needed : 0;
}

/* The least memory with which fewer are needed, to a millionth of it: by halving, as counts only fall with it. */
static void
find_saving(struct sensitivity *out, const struct sizing_input *input, const struct sizing_result *r)
{
	double low = 1, high = MOST_ROOM;
	double memory = input->device.usable_bytes > 0 ? input->device.usable_bytes : input->device.visible_bytes;

	if (input->device.shared || !(r->needed > 1) || !(needed_with(input, high) < r->needed))
		return;
	while (high - low > 1e-6) {
		double middle = (low + high) / 2;

		if (needed_with(input, middle) < r->needed)
			high = middle;
		else
			low = middle;
	}
	out->gb_to_save = (high - 1) * memory / GB;
	out->saved_to = needed_with(input, high);
}

/*
 * What a GB and a GB/s more do. The room grows by the usable share of the GB, and a sequence takes of it what
 * the fullest device has of one; sequences are left as a fraction, since a whole number would mostly be 0 or 1.
 */
static void
find_worth(struct sensitivity *out, const struct sizing_input *fixed, const struct sizing_result *r)
{
	double share = fixed->device.usable_bytes > 0 ? 1 : fixed->device.usable_fraction;
	double held = r->budget.kv + r->budget.index + r->budget.state, answer[SENSITIVITY_ANSWERS] = {0};
	struct sizing_input faster = *fixed;

	if (held > 0)
		out->sequences_per_gb = GB * share * r->concurrency / held;
	faster.device.bandwidth += GB;
	if (ask(answer, &faster) && answer[SENSITIVITY_STEP] > 0)
		out->step_per_gbps = answer[SENSITIVITY_STEP] - out->answer[SENSITIVITY_STEP];
	if (answer[SENSITIVITY_TTFT] > 0)
		out->ttft_per_gbps = answer[SENSITIVITY_TTFT] - out->answer[SENSITIVITY_TTFT];
}

int
sensitivity_run(struct sensitivity *out, const struct sizing_input *input, struct sizing_error *error)
{
	struct sizing_input fixed = *input;
	const struct sizing_key *key;
	struct sizing_result r;

	*out = (struct sensitivity){0};
	fixed.tier_count = 0;
	if (plan_run(&r, &fixed, error) != 0)
		return -1;
	out->devices = r.budget.devices;
	if (!fixed.device.shared)
		fixed.load.accelerators = out->devices;
	if (!ask(out->answer, &fixed))
		return plan_run(&r, &fixed, error);
	for (size_t i = 0; (key = sizing_input_key(i)) != NULL; i++) {
		struct sensitivity_row row = {.name = key->name, .unit = key->unit};

		row.value = value_of(input, key, out->devices);
		if (!(row.value > 0))
			continue;
		ask_side(&row.down, &fixed, key, row.value, -1);
		ask_side(&row.up, &fixed, key, row.value, 1);
		rate(&row, out->answer);
		insert(out, &row);
	}
	find_worth(out, &fixed, &r);
	find_saving(out, &fixed, &r);
	return 0;
}
