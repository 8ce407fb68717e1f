#include "drafts/citations.h"

#include <stdlib.h>
#include <string.h>

#include "drafts/lint_int.h"
#include "kb/kb.h"

enum { NAMES_MAX = 500 }; /* of labels, or headings, of one section: no draft that somebody reads has as many */

struct cited_section {
	long number;
	const char *what;
	struct val *places, *labels, *headings;
};

struct reader {
	struct kb *kb;
	struct arena *a;
	struct markdown *m;
	struct cited_section *sections; /* by number */
	size_t count;
	const char *heading; /* that the walk is under; NULL: none */
	struct err *e;
	int rc;
};

static int
by_number(const void *a, const void *b)
{
	long x = ((const struct cited_section *)a)->number, y = ((const struct cited_section *)b)->number;

	return (x > y) - (x < y);
}

/* How the text behind a heading begins: its first sentence. */
static const char *
beginning(struct reader *r, size_t heading)
{
	const struct markdown_block *b = heading + 1 < r->m->count ? &r->m->blocks[heading + 1] : NULL;
	const char *end;

	if (b == NULL || b->kind != MARKDOWN_PARAGRAPH)
		return NULL;
	end = strstr(b->text.s, ". ");
	return arena_strndup(r->a, b->text.s, end != NULL ? (size_t)(end - b->text.s) : strcspn(b->text.s, "\n"));
}

static struct cited_section *
section_of(struct reader *r, long number)
{
	return bsearch(&(struct cited_section){ .number = number }, r->sections, r->count, sizeof *r->sections, by_number);
}

/* Those of the headings and those of the definitions, each number once. */
static void
gather_sections(struct reader *r)
{
	size_t n = 0;

	r->sections = arena_alloc(r->a, (r->m->count + r->m->reference_count + 1) * sizeof *r->sections);
	for (size_t i = 0; i < r->m->count; i++)
		if (lint_is_source_heading(&r->m->blocks[i]))
			r->sections[n++] = (struct cited_section){ .number = strtol(r->m->blocks[i].text.s + 1, NULL, 10),
				.what = beginning(r, i) };
	for (size_t i = 0; i < r->m->reference_count; i++)
		if (cited_read(r->m->references[i].destination, r->m->references[i].title).is_citation)
			r->sections[n++] = (struct cited_section){ .number = strtol(r->m->references[i].destination + 2, NULL, 10) };
	qsort(r->sections, n, sizeof *r->sections, by_number);
	for (size_t i = 0; i < n; i++) {
		struct cited_section *before = r->count > 0 ? &r->sections[r->count - 1] : NULL;

		if (before == NULL || before->number != r->sections[i].number)
			r->sections[r->count++] = r->sections[i];
		else if (before->what == NULL)
			before->what = r->sections[i].what;
	}
	for (size_t i = 0; i < r->count; i++) {
		r->sections[i].places = val_list(r->a);
		r->sections[i].labels = val_list(r->a);
		r->sections[i].headings = val_list(r->a);
	}
}

/* What the knowledge calls the source of a finding. */
static void
take_title(struct reader *r, const struct markdown_reference *reference)
{
	struct cited_section *s = section_of(r, strtol(reference->destination + 2, NULL, 10));
	struct kb_finding finding;
	struct val *body;
	int found = kb_finding(&finding, r->kb, r->a, lint_finding_of(reference->label), r->e);

	if (found == 1)
		r->rc = kb_record(&body, r->kb, r->a, finding.source, NULL, r->e);
	else
		r->rc = found;
	if (found == 1 && r->rc == OK)
		s->what = val_get_text(body, "title");
}

static void
push_once(struct reader *r, struct val *list, const char *text)
{
	for (size_t i = 0; i < val_count(list); i++)
		if (strcmp(val_text(list->list.items[i]), text) == 0)
			return;
	if (val_count(list) < NAMES_MAX)
		val_push(r->a, list, val_str(r->a, text));
}

static void
take_links(struct reader *r, const struct markdown_text *text)
{
	for (size_t i = 0; i < text->link_count; i++) {
		const struct markdown_link *link = text->links[i];
		struct place at = markdown_written(r->m, link->at);
		struct cited_section *s;

		if (!cited_read(link->destination, link->title).is_citation)
			continue;
		s = section_of(r, strtol(link->destination + 2, NULL, 10));
		if (s == NULL)
			continue; /* "[x](#s9)", and there is no S9: lint says so */
		val_push(r->a, s->places, val_strf(r->a, "%d:%d", at.line, at.column));
		if (link->label != NULL)
			push_once(r, s->labels, link->label);
		if (r->heading != NULL)
			push_once(r, s->headings, r->heading);
	}
}

static void
take_block(struct reader *r, const struct markdown_block *b)
{
	if (b->kind == MARKDOWN_HEADING)
		r->heading = b->text.s;
	take_links(r, &b->text);
	for (size_t i = 0; b->table != NULL && i < b->table->count; i++)
		for (size_t k = 0; k < b->table->rows[i].count; k++)
			take_links(r, &b->table->rows[i].cells[k].text);
}

int
drafts_citations(struct val **rows, struct kb *kb, struct arena *a, const char *text, size_t len, const char *name,
    struct err *e)
{
	struct reader r = { .kb = kb, .a = a, .e = e };

	*rows = val_list(a);
	r.rc = markdown_parse(&r.m, a, text, len, name, e);
	if (r.rc != OK)
		return r.rc;
	gather_sections(&r);
	for (size_t i = 0; r.rc == OK && i < r.m->reference_count; i++) {
		struct cited c = cited_read(r.m->references[i].destination, r.m->references[i].title);

		if (c.is_citation && (c.q.kind == QUANTITY_PUBLISHED || c.q.kind == QUANTITY_MEASURED))
			take_title(&r, &r.m->references[i]);
	}
	for (size_t i = 0; i < r.m->count; i++)
		take_block(&r, &r.m->blocks[i]);
	for (size_t i = 0; r.rc == OK && i < r.count; i++) {
		const struct cited_section *s = &r.sections[i];
		struct val *row = val_push(a, *rows, val_map(a));

		val_put(a, row, "source", val_strf(a, "S%ld", s->number));
		val_put(a, row, "times", val_num(a, (double)val_count(s->places)));
		val_put(a, row, "what", val_str(a, s->what));
		val_put(a, row, "places", s->places);
		val_put(a, row, "labels", s->labels);
		val_put(a, row, "headings", s->headings);
	}
	return r.rc;
}
