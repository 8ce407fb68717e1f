#include "cli/sweep_grid.h"

#include <string.h>

#include "cli/options.h"
#include "ingest/walk.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "plan/axis.h"

static const struct field more_fields[] = {
	{ .key = "memory", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES },
	{ .key = "bandwidth", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES_PER_SECOND },
	{ .key = NULL },
};

struct reader {
	struct sweep_grid *out;
	struct cli *cli;
	struct kb *kb;
	struct val *first; /* the first value of each option of a workload */
	struct err *e;
};

/* One value as a customer file would have to write it; a fault goes to cli->errs. */
static void
check_value(struct reader *r, const struct field *fields, const char *key, const char *text, struct place at)
{
	struct walk walk = { .errs = &r->cli->errs };
	struct val *one = val_map(&r->cli->arena);

	val_put(&r->cli->arena, one, key, val_str(&r->cli->arena, text))->at = at;
	walk_record(&walk, fields, one);
}

static enum plan_target
target_of(const struct field *f)
{
	if (f->type == FIELD_RECORD)
		return strcmp(f->key, "model") == 0 ? PLAN_MODEL : PLAN_DEVICE;
	if (f->type == FIELD_DTYPE)
		return PLAN_DTYPE;
	return strcmp(f->key, "requests_per_second") == 0 ? PLAN_RATE : PLAN_NUMBER;
}

/* The thing that a choice puts into the input, and what it is called. */
static int
choose(struct reader *r, enum plan_target target, const char *text, const void **choice, const char **label)
{
	struct arena *a = &r->cli->arena;
	struct sizing_model *model;
	struct sizing_device *device;
	struct val *body;
	int rc;

	if (target == PLAN_DTYPE) {
		const struct sizing_dtype *dtype = sizing_dtype_find(text);

		*choice = dtype;
		*label = dtype != NULL ? dtype->name : text;
		return OK;
	}
	rc = kb_record(&body, r->kb, a, text, target == PLAN_MODEL ? "model" : "accelerator", r->e);
	if (rc != OK)
		return rc;
	*label = val_get_text(body, "id");
	if (target == PLAN_MODEL) {
		*choice = model = arena_alloc(a, sizeof *model);
		return profile_model(model, body, r->e);
	}
	*choice = device = arena_alloc(a, sizeof *device);
	profile_device(device, body);
	return OK;
}

static int
read_choices(struct reader *r, struct plan_axis *axis, const struct plan_item *items, size_t count)
{
	const void **choices = arena_alloc(&r->cli->arena, count * sizeof *choices);
	const char **labels = arena_alloc(&r->cli->arena, count * sizeof *labels);
	int rc = OK;

	for (size_t i = 0; rc == OK && i < count; i++)
		rc = choose(r, axis->target, items[i].from, &choices[i], &labels[i]);
	axis->choices = choices;
	axis->labels = labels;
	axis->count = count;
	return rc;
}

static int
read_spans(struct reader *r, struct plan_axis *axis, const struct field *f, const struct plan_item *items,
    size_t count, struct place at)
{
	struct plan_span *spans = arena_alloc(&r->cli->arena, count * sizeof *spans);

	axis->spans = spans;
	axis->span_count = count;
	for (size_t i = 0; i < count; i++) {
		int rc = plan_axis_span(&spans[i], &items[i], f->dimension, (f->flags & FIELD_WHOLE) != 0, at, r->e);

		if (rc != OK)
			return rc;
		axis->count += spans[i].count;
	}
	return OK;
}

static int
read_axis(struct reader *r, const struct field *fields, const struct field *f)
{
	struct arena *a = &r->cli->arena;
	struct sweep_grid *out = r->out;
	struct plan_axis *axis = &out->axes[out->grid.axis_count];
	const char *name = option_name(a, f->key), *text = cli_option(r->cli, name);
	struct place at = { arena_printf(a, "--%s", name), 0, 0 };
	size_t count, faults = r->cli->errs.count;
	struct plan_item *items;

	if (text == NULL)
		return OK;
	count = plan_axis_items(&items, a, text);
	for (size_t i = 0; i < count; i++) {
		if (items[i].to != NULL && f->type != FIELD_QUANTITY)
			errs_add(&r->cli->errs, at, "expected a list separated by commas, found a range");
		check_value(r, fields, f->key, items[i].from, at);
		if (items[i].to != NULL && f->type == FIELD_QUANTITY)
			check_value(r, fields, f->key, items[i].to, at);
	}
	if (r->cli->errs.count > faults)
		return OK; /* all faults of all options are told */
	if (fields == option_fields)
		val_put(a, r->first, f->key, val_str(a, items[0].from))->at = at;
	*axis = (struct plan_axis){ .name = f->key, .target = target_of(f), .key = sizing_input_find(f->key) };
	out->shown[out->grid.axis_count++] = count > 1 || items[0].to != NULL;
	return f->type == FIELD_QUANTITY ? read_spans(r, axis, f, items, count, at)
	                                 : read_choices(r, axis, items, count);
}

static int
read_axes(struct reader *r, const struct field *fields)
{
	int rc = OK;

	for (const struct field *f = fields; rc == OK && f->key != NULL; f++)
		if (!(f->flags & FIELD_LIST))
			rc = read_axis(r, fields, f);
	return rc;
}

int
sweep_grid_read(struct sweep_grid *out, struct cli *cli, struct err *e)
{
	struct reader r = { .out = out, .cli = cli, .first = val_map(&cli->arena), .e = e };
	struct workload *w = &out->base;
	int rc = cli_kb(&r.kb, cli, e);

	memset(out, 0, sizeof *out);
	out->grid.axes = out->axes;
	out->grid.base = &w->in;
	if (rc == OK)
		rc = read_axes(&r, option_fields);
	if (rc == OK)
		rc = read_axes(&r, more_fields);
	if (rc == OK && cli->errs.count > 0)
		rc = ERR_USAGE;
	if (rc == OK && cli_option(cli, "concurrency") != NULL && cli_option(cli, "requests-per-second") != NULL)
		rc = err_set(e, ERR_USAGE, "expected --concurrency or --requests-per-second, found both");
	if (rc == OK)
		rc = workload_read_options(w, r.kb, &cli->arena, r.first, e);
	if (rc == OK && !workload_is_complete(w))
		rc = err_set(e, ERR_USAGE, "expected --%s, found none",
		    option_name(&cli->arena, input_name(w->missing)));
	if (rc == OK && !plan_grid_count(&out->grid))
		rc = err_set(e, ERR_USAGE, "expected fewer than 2^%d configurations", PLAN_MAX_COUNT_BITS);
	return rc;
}
