#include "propose/cite.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb.h"
#include "kb/text.h"

/* Stands for a source's number until it has one; no text can hold it. */
#define MARK "[S\x01]["

static struct citation *
find(struct citer *c, const char *label)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->citations[i].label, label) == 0)
			return &c->citations[i];
	return NULL;
}

static struct citation *
add(struct citer *c, const char *label)
{
	struct citation *citation = find(c, label);

	if (citation != NULL)
		return citation;
	if (c->count == c->cap) {
		size_t cap = c->cap == 0 ? 128 : c->cap * 2;
		struct citation *larger = arena_alloc(c->a, cap * sizeof *larger);

		if (c->count > 0)
			memcpy(larger, c->citations, c->count * sizeof *larger);
		c->citations = larger;
		c->cap = cap;
	}
	citation = &c->citations[c->count++];
	*citation = (struct citation){ .label = arena_strdup(c->a, label) };
	return citation;
}

const char *
cite_quantity(struct citer *c, const struct quantity *q, const char *label, enum source_kind kind,
    const char *source)
{
	struct citation *citation;
	char exact[QUANTITY_TEXT], text[QUANTITY_TEXT];

	/* A workload's figures and a source's findings are told apart: no two things under one label. */
	citation = find(c, label);
	if (citation != NULL && (citation->kind != kind || strcmp(citation->source, source) != 0))
		label = arena_printf(c->a, "%s.%s", kind == SOURCE_RECORD ? "source" : "calc", label);
	citation = add(c, label);
	if (citation->title == NULL) {
		citation->kind = kind;
		citation->source = source;
		quantity_exact(exact, sizeof exact, q);
		if (q->kind == QUANTITY_CALCULATED)
			citation->title = arena_printf(c->a, "%s, %s, weakest %s", exact,
			    quantity_kind_name(q->kind, "en"), quantity_kind_name(q->weakest, "en"));
		else
			citation->title = arena_printf(c->a, "%s, %s", exact,
			    quantity_kind_name(q->kind, "en"));
	}
	return arena_printf(c->a, "[%s][%s]", quantity_text(text, sizeof text, q, c->lang), label);
}

int
cite_finding(const char **out, struct citer *c, const char *ref, const char *value, struct err *e)
{
	struct text_figure figure = { value, ref };
	struct kb_finding finding;
	struct citation *citation;
	struct quantity q;
	bool first;
	int rc = text_quantity(&q, &finding, c->kb, c->a, &figure, e);

	if (rc != OK)
		return rc;
	citation = find(c, finding.ref);
	first = citation == NULL || citation->title == NULL;
	*out = cite_quantity(c, &q, finding.ref, SOURCE_RECORD, finding.source);
	citation = find(c, finding.ref);
	citation->finding = finding.ref;
	if (first) {
		citation->title = arena_printf(c->a, "%s, %s, grade %c%s", value,
		    quantity_kind_name(finding.kind, "en"), finding.grade,
		    finding.press_reported ? ", press-reported" : "");
	}
	return OK;
}

const char *
cite_mark(struct citer *c, const char *ref)
{
	struct citation *citation = add(c, ref);
	const char *dot = strrchr(ref, '.');

	if (citation->title == NULL) {
		citation->kind = SOURCE_RECORD;
		citation->source = arena_strndup(c->a, ref, (size_t)(dot - ref));
		citation->finding = citation->label;
	}
	return arena_printf(c->a, MARK "%s]", ref);
}

static int
show_cited(struct buf *out, const struct text_figure *figure, void *context, struct err *e)
{
	const char *link;
	int rc = cite_finding(&link, context, figure->finding, figure->value, e);

	if (rc == OK)
		buf_puts(out, link);
	return rc;
}

int
cite_text(const char **out, struct citer *c, const struct val *text, const struct val *body,
    const struct val *part, struct err *e)
{
	struct buf b = BUF_INIT;
	int rc = text_expand(&b, c->a, text, c->lang, body, part, render_escape_markdown, show_cited, c,
	    e);

	*out = rc == OK ? arena_strdup(c->a, b.s) : NULL;
	buf_release(&b);
	return rc;
}

static int
number_of(const struct citer *c, const struct citation *citation)
{
	for (size_t i = 0; i < c->source_count; i++)
		if (c->sources[i].kind == citation->kind &&
		    strcmp(c->sources[i].source, citation->source) == 0)
			return c->sources[i].number;
	return 0;
}

static void
use(struct citer *c, struct citation *citation)
{
	citation->used = true;
	if (number_of(c, citation) != 0)
		return;
	c->sources[c->source_count] = (struct cited_source){ citation->kind, citation->source,
		(int)c->source_count + 1 };
	c->source_count++;
}

/*
 * The next citation from `text` on: *open is at its "][", *close at the bracket that ends it. What
 * looks like one and is none (somebody's own brackets) is passed over.
 */
static struct citation *
next_citation(struct citer *c, const char *text, const char **open, const char **close)
{
	while ((*open = strstr(text, "][")) != NULL && (*close = strchr(*open + 2, ']')) != NULL) {
		struct citation *found = find(c, arena_strndup(c->a, *open + 2, (size_t)(*close - *open - 2)));

		if (found != NULL)
			return found;
		text = *open + 2;
	}
	return NULL;
}

void
cite_number(struct buf *out, struct citer *c, const char *body)
{
	const char *open, *close;
	struct citation *citation;

	c->sources = arena_alloc(c->a, (c->count + 1) * sizeof *c->sources);
	while ((citation = next_citation(c, body, &open, &close)) != NULL) {
		use(c, citation);
		/* "[S\1][ref]": the number takes the place of \1 */
		if (open > body && open[-1] == '\x01') {
			buf_add(out, body, (size_t)(open - body) - 1);
			buf_printf(out, "%d", number_of(c, citation));
			buf_add(out, open, (size_t)(close - open) + 1);
		} else {
			buf_add(out, body, (size_t)(close - body) + 1);
		}
		body = close + 1;
	}
	buf_puts(out, body);
}

void
cite_use(struct citer *c, const char *text)
{
	const char *open, *close;
	struct citation *citation;

	while ((citation = next_citation(c, text, &open, &close)) != NULL) {
		assert(number_of(c, citation) != 0);
		citation->used = true;
		text = close + 1;
	}
}

static int
by_label(const void *a, const void *b)
{
	const struct citation *const *x = a, *const *y = b;

	return strcmp((*x)->label, (*y)->label);
}

void
cite_definitions(struct buf *out, const struct citer *c)
{
	const struct citation **order = arena_alloc(c->a, (c->count + 1) * sizeof *order);
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->citations[i].used)
			order[n++] = &c->citations[i];
	qsort(order, n, sizeof *order, by_label);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "[%s]: #s%d \"%s\"\n", order[i]->label, number_of(c, order[i]),
		    order[i]->title != NULL ? order[i]->title : "finding");
}
