#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/draft.h"
#include "util/buf.h"

/* Keys and values of the records, in the order of the tables of fields. */

static void
put(struct arena *a, struct val *map, const char *key, const char *text)
{
	val_put(a, map, key, val_str(a, text));
}

static void
put_quoted(struct arena *a, struct val *map, const char *key, const char *text)
{
	val_put(a, map, key, val_str(a, text))->quoted = true;
}

/* As a quantity is read: whole numbers in full. */
static void
put_number(struct arena *a, struct val *map, const char *key, double n)
{
	val_put(a, map, key, val_strf(a, n == floor(n) && n < 1e15 ? "%.0f" : "%.17g", n));
}

static void
put_above_0(struct arena *a, struct val *map, const char *key, double n)
{
	if (n > 0)
		put_number(a, map, key, n);
}

static const char *
finding(struct import *out, struct arena *a, const char *what)
{
	return arena_printf(a, "%s-file.%s", out->id, what);
}

static struct val *
group_of(struct import *out, struct arena *a, const struct cell *cell)
{
	const struct sizing_group *g = &cell->g;
	struct val *map = val_map(a);
	bool rows = strcmp(cell->cache, "none") != 0 && strcmp(cell->cache, "state") != 0;

	put_number(a, map, "layers", g->layers);
	put(a, map, "cache", cell->cache);
	put_above_0(a, map, "heads", g->heads);
	if (g->heads > 0) {
		put_number(a, map, "query_width", g->query_width);
		put_number(a, map, "output_width", g->output_width);
	}
	put_above_0(a, map, "prefill_query_width", g->prefill_query_width);
	put_above_0(a, map, "prefill_output_width", g->prefill_output_width);
	if (rows || g->heads > 0) {
		put_number(a, map, "key_width", g->key_width);
		put_number(a, map, "value_width", g->value_width);
	}
	put_above_0(a, map, "index_width", g->index_width);
	put_above_0(a, map, "window", g->window);
	put_above_0(a, map, "stride", g->stride);
	put_above_0(a, map, "top_k", g->top_k);
	put_above_0(a, map, "source_rows", g->source_rows);
	put_above_0(a, map, "readers", g->readers);
	if (g->state_count > 0) {
		struct val *states = val_put(a, map, "states", val_list(a));

		for (size_t i = 0; i < g->state_count; i++) {
			struct val *state = val_push(a, states, val_map(a));

			put_number(a, state, "elements", g->states[i].elements);
			put(a, state, "dtype", g->states[i].dtype->name);
			put(a, state, "role", cell->roles[i]);
		}
	}
	if (g->also_on)
		put(a, map, "also_on", "yes");
	if (g->projections > 0)
		put_number(a, map, "projections", g->projections);
	else if (!rows && g->heads == 0 && !g->also_on)
		put_number(a, map, "projections", 0);
	put(a, map, "source", finding(out, a, "geometry"));
	return map;
}

static void
put_ffn(struct import *out, struct draft *d, struct val *record)
{
	struct arena *a = d->a;
	struct val *ffn;

	if (d->m.ffn_count == 0)
		return;
	ffn = val_put(a, record, "ffn", val_map(a));
	for (size_t i = 0; i < d->m.ffn_count; i++) {
		const struct sizing_ffn *f = &d->m.ffn[i];
		struct val *map = val_put(a, ffn, f->experts > 0 ? "experts" : "dense", val_map(a));

		put_number(a, map, "layers", f->layers);
		if (f->experts > 0) {
			put_number(a, map, "count", f->experts);
			put_number(a, map, "active", f->active);
		}
		put_number(a, map, "width", f->width);
		if (f->shared > 0) {
			put_number(a, map, "shared", f->shared);
			put_number(a, map, "shared_width", f->shared_width);
		}
		put_above_0(a, map, "input_width", f->input_width);
		put(a, map, "gated", f->matrices == 3 ? "yes" : "no");
	}
	put(a, ffn, "source", finding(out, a, "geometry"));
}

static void
put_checkpoint(struct import *out, struct draft *d, struct val *record)
{
	struct arena *a = d->a;
	struct val *map, *tensors = NULL;

	if (d->checkpoint == NULL)
		return;
	map = val_put(a, record, "checkpoint", val_map(a));
	put(a, map, "dtype", d->checkpoint);
	if (d->checkpoint_bytes > 0)
		val_put(a, map, "bytes", val_strf(a, "%.0f B", d->checkpoint_bytes));
	for (int class = 0; class < SIZING_CLASSES; class++) {
		if (d->tensors[class] == NULL)
			continue;
		if (tensors == NULL)
			tensors = val_put(a, map, "tensors", val_map(a));
		put(a, tensors, sizing_class_name((enum sizing_class)class), d->tensors[class]);
	}
	put(a, map, "source", finding(out, a, "weights"));
}

/* A text of a record holds so much; what is beyond stays on standard error. */
enum { NOTES_MAX = 3600 };

static void
put_notes(struct draft *d, struct val *record)
{
	struct buf en = BUF_INIT, ko = BUF_INIT;
	struct val *map;

	for (size_t i = 0; i < d->note_count; i++) {
		if (en.len + strlen(d->notes[i].en) > NOTES_MAX || ko.len + strlen(d->notes[i].ko) > NOTES_MAX)
			break;
		buf_printf(&en, "%s%s", i > 0 ? " " : "", d->notes[i].en);
		buf_printf(&ko, "%s%s", i > 0 ? " " : "", d->notes[i].ko);
	}
	if (en.len > 0) {
		map = val_put(d->a, record, "notes", val_map(d->a));
		put_quoted(d->a, map, "en", en.s);
		put_quoted(d->a, map, "ko", ko.s);
	}
	buf_release(&en);
	buf_release(&ko);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void
put_finding(struct arena *a, struct val *list, const char *id, const char *en, const char *ko, const char *locator)
{
	struct val *map = val_push(a, list, val_map(a)), *says;

	put(a, map, "id", id);
	says = val_put(a, map, "says", val_map(a));
	put_quoted(a, says, "en", en);
	put_quoted(a, says, "ko", ko);
	put_quoted(a, map, "locator", locator);
	put(a, map, "status", "verified");
}

/* The day a year later, as the review's; 29 February becomes 28. */
static const char *
year_later(struct arena *a, const char *date)
{
	int year = 0, month = 0, day = 0;

	if (sscanf(date, "%4d-%2d-%2d", &year, &month, &day) != 3)
		return date;
	return arena_printf(a, "%04d-%02d-%02d", year + 1, month, month == 2 && day == 29 ? 28 : day);
}

static struct val *
document_of(struct import *out, struct draft *d, const char *path, const struct import_options *o)
{
	struct arena *a = d->a;
	struct val *map = val_map(a), *findings;

	put(a, map, "id", arena_printf(a, "%s-file", out->id));
	put_quoted(a, map, "title", base_name(path));
	put_quoted(a, map, "publisher", o->publisher != NULL ? o->publisher : "imported file");
	put(a, map, "kind", "repository");
	put(a, map, "published", "undated");
	put(a, map, "accessed", o->date);
	put(a, map, "review_by", year_later(a, o->date));
	put_quoted(a, map, "url", o->url);
	put(a, map, "grade", "B");
	put_quoted(a, map, "extent_read", d->what);
	findings = val_put(a, map, "findings", val_list(a));
	if (d->cell_count > 0)
		put_finding(a, findings, "geometry",
		    "Holds the layers, widths, heads, feed-forward, vocabulary and context that the record uses.",
		    "기록에서 쓰는 층, 폭, head, feed-forward, 어휘, 컨텍스트 값이 담겨 있습니다.", d->what);
	if (d->checkpoint != NULL)
		put_finding(a, findings, "weights", "Holds what the weights take and their types.",
		    "가중치의 크기와 자료형이 담겨 있습니다.", d->what);
	return map;
}

static void
put_geometry(struct import *out, struct draft *d, struct val *map)
{
	struct arena *a = d->a;
	struct val *vocabulary, *groups;

	put_number(a, map, "width", d->m.width);
	vocabulary = val_put(a, map, "vocabulary", val_map(a));
	put_number(a, vocabulary, "size", d->m.vocabulary);
	put(a, vocabulary, "tied", d->m.tied ? "yes" : "no");
	groups = val_put(a, map, "groups", val_list(a));
	for (size_t i = 0; i < d->cell_count; i++)
		val_push(a, groups, group_of(out, a, &d->cells[i]));
	put_ffn(out, d, map);
}

void
record_write(struct import *out, struct draft *d, const char *path, const struct import_options *o)
{
	struct arena *a = d->a;
	struct val *map = val_map(a);

	out->record = map;
	put(a, map, "id", out->id);
	put_quoted(a, map, "name", o->name != NULL ? o->name : d->name != NULL ? d->name : out->id);
	if (!d->weights_only)
		put_geometry(out, d, map);
	if (d->m.other_parameters > 0) {
		put_number(a, map, "other_parameters", floor(d->m.other_parameters + 0.5));
		put_quoted(a, map, "other_note", d->counted > 0
		    ? "all that the file's tensors hold beyond what the fields above count"
		    : "projections and tables that the fields above do not count; without norm weights and biases");
	}
	put_checkpoint(out, d, map);
	put_above_0(a, map, "max_context", d->m.max_context);
	put_notes(d, map);
	if (o->date != NULL)
		out->document = document_of(out, d, path, o);
}
