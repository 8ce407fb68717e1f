#include "import/draft.h"

#include <stdio.h>
#include <string.h>

void
draft_init(struct draft *d, struct arena *a, struct err *e)
{
	memset(d, 0, sizeof *d);
	d->a = a;
	d->e = e;
}

void
draft_fail(struct draft *d, struct place at, const char *fmt, ...)
{
	char text[700];
	va_list ap;

	if (d->rc != OK)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	d->rc = err_at(d->e, ERR_INPUT, at, "%s", text);
}

static bool
same_cell(const struct cell *a, const struct cell *b)
{
	const struct sizing_group *g = &a->g, *h = &b->g;

	if (strcmp(a->cache, b->cache) != 0 || g->key_width != h->key_width ||
	    g->value_width != h->value_width || g->index_width != h->index_width ||
	    g->window != h->window || g->stride != h->stride || g->top_k != h->top_k ||
	    g->source_rows != h->source_rows || g->heads != h->heads ||
	    g->query_width != h->query_width || g->output_width != h->output_width ||
	    g->prefill_query_width != h->prefill_query_width ||
	    g->prefill_output_width != h->prefill_output_width || g->projections != h->projections ||
	    g->also_on != h->also_on || g->state_count != h->state_count)
		return false;
	for (size_t i = 0; i < g->state_count; i++)
		if (g->states[i].elements != h->states[i].elements || g->states[i].dtype != h->states[i].dtype)
			return false;
	return true;
}

size_t
draft_layer(struct draft *d, const struct cell *cell)
{
	size_t i = 0;

	while (i < d->cell_count && !same_cell(&d->cells[i], cell))
		i++;
	if (i == SIZING_MAX_GROUPS) {
		draft_fail(d, (struct place){ NULL, 0, 0 }, "expected at most %d kinds of layers, found more", SIZING_MAX_GROUPS);
		return 0;
	}
	if (i == d->cell_count) {
		d->cells[d->cell_count] = *cell;
		d->cells[d->cell_count++].g.layers = 0;
	}
	d->cells[i].g.layers++;
	if (d->cells[i].g.readers > 0)
		d->cells[i].g.readers++;
	return i;
}

void
draft_reader(struct draft *d, size_t group)
{
	struct sizing_group *g = &d->cells[group].g;

	g->readers = (g->readers > 0 ? g->readers : g->layers) + 1;
}

static bool
same_experts(const struct sizing_ffn *a, const struct sizing_ffn *b)
{
	return a->width == b->width && a->matrices == b->matrices && a->experts == b->experts &&
	    a->active == b->active && a->shared == b->shared && a->shared_width == b->shared_width &&
	    a->input_width == b->input_width;
}

void
draft_ffn(struct draft *d, const struct sizing_ffn *ffn)
{
	if (ffn->experts > 0) {
		if (d->experts.layers > 0 && !same_experts(&d->experts, ffn)) {
			draft_fail(d, (struct place){ NULL, 0, 0 },
			    "expected experts of one kind in every layer, which is all a record can hold");
			return;
		}
		d->experts = (struct sizing_ffn){ d->experts.layers + 1, ffn->width, ffn->matrices, ffn->experts,
			ffn->active, ffn->shared, ffn->shared_width, ffn->input_width };
		return;
	}
	if (!(ffn->width > 0))
		return;
	if (d->dense.layers == 0 || ffn->width < d->dense.width)
		d->dense.width = ffn->width;
	if (d->dense.layers == 0 || ffn->matrices < d->dense.matrices)
		d->dense.matrices = ffn->matrices;
	d->dense.layers++;
	d->dense_columns += ffn->matrices * ffn->width;
}

void
draft_weight(struct draft *d, enum sizing_class class, const char *dtype, double bytes)
{
	size_t i = 0;

	while (i < d->weight_count && (d->weights[i].class != class || strcmp(d->weights[i].name, dtype) != 0))
		i++;
	if (i == d->weight_count) {
		if (i == DRAFT_MAX_WEIGHTS) {
			draft_fail(d, (struct place){ NULL, 0, 0 }, "expected fewer types of tensors");
			return;
		}
		d->weights[i] = (struct weight){ class, sizing_dtype_find(dtype), arena_strdup(d->a, dtype), 0 };
		d->weight_count++;
	}
	d->weights[i].bytes += bytes;
}

void
draft_fold(struct draft *d)
{
	struct place nowhere = { NULL, 0, 0 };
	double other, apart;

	for (size_t i = 0; i < d->cell_count; i++)
		d->m.groups[i] = d->cells[i].g;
	d->m.group_count = d->cell_count;
	d->m.ffn_count = 0;
	if (d->dense.layers > 0) {
		apart = d->dense_columns - d->dense.layers * d->dense.matrices * d->dense.width;
		if (apart > 0)
			draft_note(d, nowhere, NOTE_WIDTHS_DIFFER, NULL);
		d->m.other_parameters += apart * d->m.width;
		d->m.ffn[d->m.ffn_count++] = d->dense;
	}
	if (d->experts.layers > 0)
		d->m.ffn[d->m.ffn_count++] = d->experts;
	if (!(d->counted > 0))
		return;
	other = d->m.other_parameters;
	d->m.other_parameters = 0;
	apart = d->counted - sizing_parameters(&d->m, false);
	if (apart < 0)
		draft_note(d, nowhere, NOTE_TOTAL_DIFFERS, NULL);
	d->m.other_parameters = apart < 0 ? other : apart;
}

/* The dtype with most bytes, of one class or (class < 0) of all; NULL if that is none the engine knows. */
static const char *
dominant(const struct draft *d, int class)
{
	const struct weight *most = NULL;
	double best = 0;

	for (size_t i = 0; i < d->weight_count; i++) {
		const struct weight *w = &d->weights[i];
		double bytes = 0;

		if (class >= 0 && (int)w->class != class)
			continue;
		for (size_t k = 0; k < d->weight_count; k++)
			if ((class < 0 || (int)d->weights[k].class == class) &&
			    strcmp(d->weights[k].name, w->name) == 0)
				bytes += d->weights[k].bytes;
		if (bytes > best) {
			best = bytes;
			most = w;
		}
	}
	return most != NULL && most->dtype != NULL ? most->dtype->name : NULL;
}

void
draft_checkpoint(struct draft *d, bool counted)
{
	struct place nowhere = { NULL, 0, 0 };
	double bytes = 0;

	for (size_t i = 0; i < d->weight_count; i++) {
		bytes += d->weights[i].bytes;
		if (d->weights[i].dtype == NULL)
			draft_note(d, nowhere, NOTE_UNKNOWN_DTYPE, d->weights[i].name);
	}
	if (!(bytes > 0))
		return;
	d->checkpoint = dominant(d, -1);
	if (d->checkpoint == NULL) {
		draft_note(d, nowhere, NOTE_NO_DTYPE, NULL);
		return;
	}
	for (int class = 0; class < SIZING_CLASSES; class++) {
		const char *dtype = dominant(d, class);

		if (dtype == NULL || strcmp(dtype, d->checkpoint) == 0)
			continue;
		d->tensors[class] = dtype;
		d->m.checkpoint_tensors[class] = sizing_dtype_find(dtype);
	}
	d->checkpoint_bytes = counted ? bytes : 0;
	d->m.checkpoint_bytes = d->checkpoint_bytes;
	d->m.checkpoint_dtype = sizing_dtype_find(d->checkpoint);
}
