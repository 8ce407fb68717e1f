#include <stdio.h>
#include <string.h>

#include "advise/result.h"
#include "cli/size.h"
#include "kb/messages.h"
#include "plan/sensitivity.h"
#include "render/qval.h"
#include "render/table.h"

static const char *const answer_keys[SENSITIVITY_ANSWERS] = {
	[SENSITIVITY_DEVICES] = "accelerators.needed",
	[SENSITIVITY_DEMAND] = "accelerators.needed",
	[SENSITIVITY_STEP] = "decode.step_seconds",
	[SENSITIVITY_TTFT] = "prefill.seconds_reused",
};

struct printer {
	struct arena *a;
	const struct workload *w;
	const struct val *messages;
	const char *lang;
};

static int
evaluate(struct sensitivity *out, const struct workload *w, struct err *e)
{
	struct sizing_error wrong;

	if (sensitivity_run(out, &w->in, &wrong) == 0)
		return OK;
	return err_set(e, ERR_INPUT, "%s: %s", wrong.field, wrong.reason);
}

static const struct unit *
unit_for(enum sizing_unit unit, double value)
{
	switch (unit) {
	case SIZING_UNIT_TOKENS:
		return unit_base(DIM_TOKENS);
	case SIZING_UNIT_RATIO:
		return unit_find("%", 1);
	case SIZING_UNIT_BYTES:
		return unit_for_bytes(value, false);
	case SIZING_UNIT_SECONDS:
		return unit_for_seconds(value);
	case SIZING_UNIT_BYTES_PER_SECOND:
		return unit_for_rate(value);
	case SIZING_UNIT_OPERATIONS_PER_SECOND:
		return unit_find("TFLOP/s", 7);
	case SIZING_UNIT_DTYPE:
		return unit_base(DIM_BITS);
	default:
		return unit_base(DIM_COUNT);
	}
}

/* An input as it is or was set to: what was set is assumed, for the question's sake. */
static struct quantity
input_quantity(const struct sensitivity_row *row, double value, bool set)
{
	return (struct quantity){ .value = value, .unit = unit_for(row->unit, value),
		.kind = set ? QUANTITY_ASSUMED : QUANTITY_STATED, .ref = row->name };
}

/* The kind of an input as it is; what is not the customer's is the device's profile. */
static enum quantity_kind
kind_of(const struct workload *w, const char *name)
{
	for (int i = 0; i < INPUT_COUNT; i++)
		if (strcmp(input_name((enum input_id)i), name) == 0 && w->inputs[i].known)
			return w->inputs[i].kind;
	if (strcmp(name, "usable") == 0)
		return QUANTITY_ASSUMED;
	if (strcmp(name, "accelerators") == 0)
		return QUANTITY_CALCULATED;
	return w->inputs[INPUT_ACCELERATOR].profile != NULL ? QUANTITY_STATED : QUANTITY_PUBLISHED;
}

/* false: it does not fit, or no rate is known. */
static bool
answer_quantity(struct quantity *out, const struct workload *w, int answer, double value)
{
	struct quantity like;

	if (!(value > 0) || !result_quantity(&like, w, answer_keys[answer]))
		return false;
	*out = like;
	out->value = value;
	if (answer == SENSITIVITY_STEP || answer == SENSITIVITY_TTFT)
		out->unit = unit_for_seconds(value);
	return true;
}

/* ---- JSON ---- */

static struct val *
answers_json(struct printer *p, const double answer[SENSITIVITY_ANSWERS])
{
	static const char *const names[SENSITIVITY_ANSWERS] = { "accelerators", "before_rounding", "step_seconds", "ttft_seconds" };
	struct val *out = val_map(p->a);
	struct quantity q;

	for (int i = 0; i < SENSITIVITY_ANSWERS; i++)
		val_put(p->a, out, names[i], render_quantity_json(p->a,
		    answer_quantity(&q, p->w, i, answer[i]) ? &q : NULL));
	return out;
}

static struct val *
side_json(struct printer *p, const struct sensitivity_row *row, const struct sensitivity_side *side)
{
	struct quantity q = input_quantity(row, side->input, true);
	struct val *out;

	if (side->input == row->value)
		return val_null(p->a);
	out = val_map(p->a);
	val_put(p->a, out, "input", render_quantity_json(p->a, &q));
	val_put(p->a, out, "answers", answers_json(p, side->answer));
	return out;
}

/* A rate: what a result changes by for one more GB or GB/s of each device. */
static struct val *
worth_json(struct printer *p, double value, enum dimension dimension, const char *key)
{
	struct quantity q;

	if (value == 0 || !result_quantity(&q, p->w, key))
		return val_null(p->a);
	q.value = value;
	q.unit = unit_base(dimension);
	return render_quantity_json(p->a, &q);
}

int
size_sensitivity_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e)
{
	struct printer p = { .a = &cli->arena, .w = w };
	struct val *out, *rows, *worth;
	struct sensitivity s;
	struct quantity devices = { .unit = unit_base(DIM_COUNT), .kind = QUANTITY_CALCULATED,
		.weakest = QUANTITY_ASSUMED, .ref = "accelerators.needed" };
	int rc = evaluate(&s, w, e);

	if (rc != OK)
		return rc;
	out = val_put(p.a, root, "sensitivity", val_map(p.a));
	devices.value = s.devices;
	val_put(p.a, out, "devices", render_quantity_json(p.a, &devices));
	val_put(p.a, out, "answers", answers_json(&p, s.answer));
	rows = val_put(p.a, out, "inputs", val_list(p.a));
	for (size_t i = 0; i < s.count; i++) {
		const struct sensitivity_row *row = &s.rows[i];
		struct val *item = val_push(p.a, rows, val_map(p.a));
		struct quantity now = input_quantity(row, row->value, false);

		now.kind = kind_of(w, row->name);
		val_put(p.a, item, "input", val_str(p.a, row->name));
		val_put(p.a, item, "now", render_quantity_json(p.a, &now));
		val_put(p.a, item, "low", side_json(&p, row, &row->down));
		val_put(p.a, item, "high", side_json(&p, row, &row->up));
		val_put(p.a, item, "effect", val_num(p.a, row->effect));
	}
	worth = val_put(p.a, out, "worth", val_map(p.a));
	val_put(p.a, worth, "sequences_per_gb", worth_json(&p, s.sequences_per_gb, DIM_COUNT, "fits.concurrency"));
	val_put(p.a, worth, "bytes_to_save", worth_json(&p, s.gb_to_save * 1e9, DIM_BYTES, "accelerators.needed"));
	val_put(p.a, worth, "saved_to", worth_json(&p, s.saved_to, DIM_COUNT, "accelerators.needed"));
	val_put(p.a, worth, "step_per_gb_per_second", worth_json(&p, s.step_per_gbps, DIM_SECONDS, "decode.step_seconds"));
	val_put(p.a, worth, "ttft_per_gb_per_second", worth_json(&p, s.ttft_per_gbps, DIM_SECONDS, "prefill.seconds_reused"));
	return OK;
}

/* ---- table ---- */

static struct val *
value_text(struct printer *p, const struct quantity *q)
{
	char text[QUANTITY_TEXT];

	return val_str(p->a, quantity_text(text, sizeof text, q, p->lang));
}

/* "9 / 11" accelerators, or "-3.1 % / +3.2 %" of a time; "?" where it does not fit or is not known. */
static struct val *
change_text(struct printer *p, const struct sensitivity *s, const struct sensitivity_row *row, int answer)
{
	const struct sensitivity_side *sides[2] = { &row->down, &row->up };
	char part[2][32];

	for (int i = 0; i < 2; i++) {
		double value = sides[i]->answer[answer];

		if (sides[i]->input == row->value)
			snprintf(part[i], sizeof part[i], "=");
		else if (!(value > 0))
			snprintf(part[i], sizeof part[i], "?");
		else if (answer == SENSITIVITY_DEVICES)
			snprintf(part[i], sizeof part[i], "%.0f", value);
		else
			snprintf(part[i], sizeof part[i], "%+.1f%%", (value / s->answer[answer] - 1) * 100);
	}
	if (!(s->answer[answer] > 0))
		return val_str(p->a, "");
	return val_strf(p->a, "%s / %s", part[0], part[1]);
}

static void
print_worth(struct buf *out, struct printer *p, const char *name, double value, const struct unit *unit)
{
	char text[QUANTITY_TEXT];
	struct quantity q = { .value = value, .unit = unit, .kind = QUANTITY_CALCULATED };

	if (value != 0)
		buf_printf(out, "%s: %s\n", messages_get(p->messages, "sensitivity", name),
		    quantity_text(text, sizeof text, &q, p->lang));
}

static void
print_rest(struct buf *out, struct printer *p, const struct sensitivity *s)
{
	bool any = false;

	for (size_t i = 0; i < s->count; i++) {
		if (s->rows[i].effect > 0)
			continue;
		buf_printf(out, "%s%s", any ? ", " : "\n", any ? "" : messages_get(p->messages, "sensitivity", "none"));
		buf_printf(out, "%s%s", any ? "" : ": ", messages_get(p->messages, "input", s->rows[i].name));
		any = true;
	}
	buf_puts(out, any ? "\n" : "");
}

int
size_sensitivity(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	struct printer p = { .a = &cli->arena, .w = w, .lang = lang };
	struct val *messages, *rows = val_list(&cli->arena);
	struct sensitivity s;
	int rc = messages_load(&messages, &cli->arena, lang, e);

	if (rc == OK)
		rc = evaluate(&s, w, e);
	if (rc != OK)
		return rc;
	p.messages = messages;
	for (size_t i = 0; i < s.count && s.rows[i].effect > 0; i++) {
		const struct sensitivity_row *r = &s.rows[i];
		struct quantity now = input_quantity(r, r->value, false);
		struct val *row = val_push(p.a, rows, val_map(p.a));

		val_put(p.a, row, "input", val_str(p.a, messages_get(messages, "input", r->name)));
		val_put(p.a, row, "now", value_text(&p, &now));
		val_put(p.a, row, "accelerators", change_text(&p, &s, r, SENSITIVITY_DEVICES));
		val_put(p.a, row, "demand", change_text(&p, &s, r, SENSITIVITY_DEMAND));
		val_put(p.a, row, "step", change_text(&p, &s, r, SENSITIVITY_STEP));
		val_put(p.a, row, "ttft", change_text(&p, &s, r, SENSITIVITY_TTFT));
	}
	const struct render_column columns[] = {
		{ "input", messages_get(messages, "sensitivity", "input"), RENDER_ALIGN_LEFT, true },
		{ "now", messages_get(messages, "sensitivity", "now"), RENDER_ALIGN_RIGHT, false },
		{ "accelerators", messages_get(messages, "effect", "accelerators"), RENDER_ALIGN_RIGHT, false },
		{ "demand", messages_get(messages, "sensitivity", "demand"), RENDER_ALIGN_RIGHT, false },
		{ "step", messages_get(messages, "effect", "step"), RENDER_ALIGN_RIGHT, false },
		{ "ttft", "TTFT", RENDER_ALIGN_RIGHT, false },
	};
	buf_printf(&cli->out, "%s, %s\n%s\n\n", workload_model_name(w), workload_device_name(w),
	    messages_get(messages, "sensitivity", "head"));
	render_table(&cli->out, rows, columns, 6, cli->width, false);
	print_rest(&cli->out, &p, &s);
	buf_puts(&cli->out, "\n");
	print_worth(&cli->out, &p, "gigabyte", s.sequences_per_gb, unit_base(DIM_COUNT));
	print_worth(&cli->out, &p, "save", s.gb_to_save * 1e9, unit_for_bytes(s.gb_to_save * 1e9, false));
	print_worth(&cli->out, &p, "saved_to", s.saved_to, unit_base(DIM_COUNT));
	print_worth(&cli->out, &p, "step", s.step_per_gbps, unit_for_seconds(s.step_per_gbps));
	print_worth(&cli->out, &p, "ttft", s.ttft_per_gbps, unit_for_seconds(s.ttft_per_gbps));
	return OK;
}
