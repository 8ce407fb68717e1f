#include "cli/sweep_grid.h"

#include <string.h>

#include "cli/options.h"
#include "ingest/walk.h"
#include "kb/kb.h"
#include "plan/axis.h"

static const struct field more_fields[] = {
	{ .key = "memory", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES },
	{ .key = "bandwidth", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES_PER_SECOND },
	{ .key = NULL },
};

/* An axis of things: what was written, to be looked up once all options are read. */
struct pending {
	const struct field *field;
	const char **texts;
	struct place at;
};

struct reader {
	struct sweep_grid *out;
	struct cli *cli;
	struct kb *kb;
	struct val *first; /* the first value of each option of a workload */
	struct pending pending[PLAN_MAX_AXES];
	struct err *e;
};

/* One value as a customer file would have to write it; a fault goes to cli->errs. */
static void
check_value(struct reader *r, const struct field *fields, const struct field *f, const char *text, struct place at)
{
	struct walk walk = { .errs = &r->cli->errs };
	struct val *one = val_map(&r->cli->arena);

	val_put(&r->cli->arena, one, f->key, option_value(&r->cli->arena, f, text, at));
	walk_record(&walk, fields, one);
}

static bool
is_layout(const struct field *f)
{
	return strcmp(f->key, "layout") == 0;
}

/* May it be a list? Options that are lists or maps themselves, and words, are given once. */
static bool
is_axis(const struct field *f)
{
	if (f->type == FIELD_QUANTITY)
		return strcmp(f->key, "requests_per_second") == 0 || sizing_input_find(f->key) != NULL;
	return f->type == FIELD_DTYPE || is_layout(f) || (f->type == FIELD_RECORD && !(f->flags & FIELD_LIST));
}

static enum plan_target
target_of(const struct field *f)
{
	if (f->type == FIELD_RECORD)
		return strcmp(f->key, "model") == 0 ? PLAN_MODEL : PLAN_DEVICE;
	if (is_layout(f))
		return PLAN_LAYOUT;
	if (f->type == FIELD_DTYPE)
		return PLAN_DTYPE;
	return strcmp(f->key, "requests_per_second") == 0 ? PLAN_RATE : PLAN_NUMBER;
}

/* The options of the first values, with another one for the field: read as `size` reads it. */
static int
look_up(struct reader *r, struct workload *w, const struct pending *p, const char *text)
{
	struct arena *a = &r->cli->arena;
	struct val *options = val_map(a);

	for (size_t i = 0; i < val_count(r->first); i++) {
		const struct val_entry *entry = &r->first->map.entries[i];

		val_put(a, options, entry->key, strcmp(entry->key, p->field->key) == 0
		    ? option_value(a, p->field, text, p->at) : entry->value);
	}
	return workload_read_options(w, r->kb, a, options, r->e);
}

/* What a choice puts into the input, and what it is called. */
static int
choose(struct reader *r, enum plan_target target, const struct pending *p, const char *text, const void **choice,
    const char **label)
{
	struct workload *w;
	int rc;

	*label = text;
	if (target == PLAN_DTYPE) {
		const struct sizing_dtype *dtype = sizing_dtype_find(text);

		*choice = dtype;
		*label = dtype->name;
		return OK;
	}
	w = arena_alloc(&r->cli->arena, sizeof *w);
	rc = look_up(r, w, p, text);
	if (target == PLAN_LAYOUT) {
		*choice = &w->in.load.layout;
	} else if (target == PLAN_MODEL) {
		*choice = &w->in.model;
		*label = val_get_text(w->model, "id");
	} else {
		*choice = &w->in.device;
		*label = val_get_text(w->device, "id");
	}
	return rc;
}

static int
read_choices(struct reader *r)
{
	struct sweep_grid *out = r->out;
	int rc = OK;

	for (size_t i = 0; rc == OK && i < out->grid.axis_count; i++) {
		struct plan_axis *axis = &out->axes[i];
		const struct pending *p = &r->pending[i];
		const void **choices;
		const char **labels;

		if (p->texts == NULL)
			continue;
		axis->choices = choices = arena_alloc(&r->cli->arena, axis->count * sizeof *choices);
		axis->labels = labels = arena_alloc(&r->cli->arena, axis->count * sizeof *labels);
		for (uint64_t k = 0; rc == OK && k < axis->count; k++)
			rc = choose(r, axis->target, p, p->texts[k], &choices[k], &labels[k]);
	}
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

static struct plan_axis *
add_axis(struct reader *r, const struct field *f, bool shown)
{
	struct sweep_grid *out = r->out;
	struct plan_axis *axis = &out->axes[out->grid.axis_count];

	*axis = (struct plan_axis){ .name = f->key, .target = target_of(f), .key = sizing_input_find(f->key) };
	out->shown[out->grid.axis_count++] = shown;
	return axis;
}

static int
read_numbers(struct reader *r, const struct field *fields, const struct field *f, const char *text, struct place at)
{
	struct arena *a = &r->cli->arena;
	size_t count, faults = r->cli->errs.count;
	struct plan_item *items;

	count = plan_axis_items(&items, a, text);
	for (size_t i = 0; i < count; i++) {
		check_value(r, fields, f, items[i].from, at);
		if (items[i].to != NULL)
			check_value(r, fields, f, items[i].to, at);
	}
	if (r->cli->errs.count > faults)
		return OK; /* all faults of all options are told */
	if (fields == option_fields)
		val_put(a, r->first, f->key, option_value(a, f, items[0].from, at));
	return read_spans(r, add_axis(r, f, count > 1 || items[0].to != NULL), f, items, count, at);
}

/* Ids and dtypes between commas, layouts (which have commas) between semicolons. */
static void
read_things(struct reader *r, const struct field *fields, const struct field *f, const char *text, struct place at)
{
	const char *separator = is_layout(f) ? ";" : ",";
	struct arena *a = &r->cli->arena;
	size_t count = 1, faults = r->cli->errs.count;
	const char **texts;

	for (const char *c = text; *c != '\0'; c++)
		count += *c == *separator;
	texts = arena_alloc(a, count * sizeof *texts);
	for (size_t i = 0; i < count; i++) {
		size_t len = strcspn(text, separator), from = strspn(text, " ");

		texts[i] = arena_strndup(a, text + (from < len ? from : len), from < len ? len - from : 0);
		if (strstr(texts[i], "..") != NULL)
			errs_add(&r->cli->errs, at, "expected a list separated by %s, found a range",
			    is_layout(f) ? "semicolons" : "commas");
		check_value(r, fields, f, texts[i], at);
		text += len + (text[len] == *separator);
	}
	if (r->cli->errs.count > faults)
		return;
	val_put(a, r->first, f->key, option_value(a, f, texts[0], at));
	add_axis(r, f, count > 1)->count = count;
	r->pending[r->out->grid.axis_count - 1] = (struct pending){ f, texts, at };
}

static int
read_option(struct reader *r, const struct field *fields, const struct field *f)
{
	struct arena *a = &r->cli->arena;
	const char *name = option_name(a, f->key), *text = NULL;
	struct place at = { arena_printf(a, "--%s", name), 0, 0 };

	if (option_exists(r->cli, name))
		text = cli_option(r->cli, name);
	if (text == NULL)
		return OK;
	if (is_axis(f) && f->type == FIELD_QUANTITY)
		return read_numbers(r, fields, f, text, at);
	if (is_axis(f)) {
		read_things(r, fields, f, text, at);
	} else {
		check_value(r, fields, f, text, at);
		val_put(a, r->first, f->key, option_value(a, f, text, at));
	}
	return OK;
}

static int
read_axes(struct reader *r, const struct field *fields)
{
	int rc = OK;

	for (const struct field *f = fields; rc == OK && f->key != NULL; f++)
		rc = read_option(r, fields, f);
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
	if (rc == OK)
		rc = read_choices(&r);
	if (rc == OK && !workload_is_complete(w))
		rc = err_set(e, ERR_USAGE, "expected --%s, found none", option_missing(&cli->arena, w->missing));
	if (rc == OK && !plan_grid_count(&out->grid))
		rc = err_set(e, ERR_USAGE, "expected fewer than 2^%d configurations", PLAN_MAX_COUNT_BITS);
	return rc;
}
