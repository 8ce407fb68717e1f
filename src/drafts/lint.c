#include "drafts/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "drafts/lint_int.h"
#include "kb/kb.h"
#include "sql.h"
#include "yaml/yn.h"

const struct finding_rule lint_rules[] = {
	[LINT_QUARANTINED] = { "quarantined-wording", FINDING_ERROR, "close to a claim that may not be said",
	    "The sentence says what a claim without a verified source says, perhaps in other words.",
	    "Say what the finding offers instead, with its sources; the claim itself needs evidence first." },
	[LINT_UNCITED] = { "uncited-figure", FINDING_ERROR, "a figure without a citation",
	    "A figure was typed in, or its brackets were lost in editing.",
	    "Write it as [589.5 GB][chat.kv.bytes] with the label of its definition, or take it out." },
	[LINT_DIFFERS] = { "figure-differs", FINDING_ERROR, "a figure is not what its citation says",
	    "The figure or its definition was changed alone, or it was rounded to something else; or it stands beside a "
	    "citation, in one row, and is of another source.",
	    "Write the value of the definition, rounded; if the value is out of date, make the draft anew." },
	[LINT_BYTES] = { "gb-for-gib", FINDING_ERROR, "GB and GiB are mixed up",
	    "A value in units of 2^30 was printed as if they were of 1e9, or the other way round.",
	    "20 GiB is 21.5 GB: write the number that belongs to the unit." },
	[LINT_UNDEFINED] = { "citation-undefined", FINDING_ERROR, "a citation without a definition",
	    "The definition at the end of the draft was deleted, or its label was changed.",
	    "Bring the line [label]: #s1 \"value, kind\" back." },
	[LINT_DUPLICATE] = { "citation-defined-twice", FINDING_ERROR, "a label is defined twice",
	    "Two drafts were put together, or a definition was copied.",
	    "Only the first counts in Markdown: rename one of the two." },
	[LINT_BAD_DEFINITION] = { "citation-unreadable", FINDING_ERROR, "a definition without value and kind",
	    "The text in quotation marks behind a definition was edited.",
	    "Write \"589484261376 B, calculated\", \"67 %, published, grade B\", or \"finding\" where there is no figure." },
	[LINT_NO_SOURCE] = { "citation-no-source", FINDING_ERROR, "a definition leads to no source",
	    "A source's heading (S1, S2, ...) was deleted or renumbered.", "Bring the heading back, or cite another source." },
	[LINT_UNKNOWN] = { "citation-unknown", FINDING_ERROR, "what is cited is not in the knowledge",
	    "The draft was made with other content (--kb), the finding was removed, or the label was changed.",
	    "Lint with the content of which the draft was made, or cite what is there." },
	[LINT_WITHDRAWN] = { "citation-withdrawn", FINDING_ERROR, "what is cited is withdrawn or under review",
	    "The evidence was taken back after the draft was made.", "Take out what rests on it, or make the draft anew." },
	[LINT_NO_EVIDENCE] = { "figure-without-evidence", FINDING_ERROR, "a figure about a buyer without quantitative evidence",
	    "The archetype is declared without verified figures, and a figure was added by hand.",
	    "Ask the customer: what they state may be shown." },
	[LINT_INTERNAL] = { "internal-content", FINDING_ERROR, "internal content in a customer's document",
	    "A part of an internal brief was pasted, or the audience in the front matter is wrong.",
	    "Take it out: approvers, objections, loss reasons and ids of withheld claims are for us alone." },
	[LINT_UNMARKED] = { "internal-unmarked", FINDING_ERROR, "an internal document that does not say so",
	    "The mark was deleted, or the file was renamed.",
	    "Write INTERNAL into the title, the first line of the text and the file name." },
	[LINT_PHASES] = { "phases-merged", FINDING_ERROR, "prefill and decode in one figure",
	    "Time to first token and time per token were added up, or one latency was given for both.",
	    "Give two figures, one for each phase." },
	[LINT_SIZING] = { "sizing-differs", FINDING_ERROR, "a definition is not what the recorded sizing says",
	    "The inputs or the content have changed since the run was recorded, or the definition was edited.",
	    "Make the draft anew, or record the sizing anew; then both say the same." },
	[LINT_FRONT_MATTER] = { "front-matter", FINDING_WARNING, "front matter is missing or not understood",
	    "The lines between --- at the top of the draft were deleted or edited.",
	    "Bring back format, archetype, audience (customer or internal) and language (en or ko)." },
	[LINT_DECOMPOSED] = { "decomposed", FINDING_WARNING, "letters that are written in parts",
	    "A text was pasted from a Mac's file names or a PDF: Hangul as jamo, accents apart from their letters.",
	    "Normalise the file to NFC, as `uconv -x any-nfc` does: other readers do not see that such a label and its "
	    "definition are one, and show the parts side by side." },
	[LINT_TOO_MANY] = { "too-many", FINDING_NOTE, "no more is looked for",
	    "The file is no draft, or was made by other means.", "Mend what is listed, and lint again." },
	[LINT_RULES] = { NULL, FINDING_NOTE, NULL, NULL, NULL },
};

struct finding *
lint_add(struct draft_lint *d, enum lint_rule rule, struct place at, const char *id, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	struct finding *found;
	va_list ap;

	if (d->found >= LINT_FOUND_MAX)
		return NULL;
	d->found++;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	at.file = d->name;
	at = markdown_written(d->m, at);
	found = findings_add(d->out, &lint_rules[rule], at, id, "%s", b.s);
	buf_release(&b);
	return found;
}

bool
lint_is_over(const struct draft_lint *d)
{
	return d->rc != OK || d->found >= LINT_FOUND_MAX;
}

/* ---- what is read once ---- */

static int
read_names(struct names **out, struct linter *l, int statement, struct err *e)
{
	struct val *rows;
	int rc = db_rows(&rows, l->arena, kb_db(l->kb), statement, e, "");

	*out = names_open(l->arena);
	for (size_t i = 0; rc == OK && i < val_count(rows); i++)
		names_add(*out, val_get_text(rows->list.items[i], "name"));
	return rc;
}

/* The wording is read from the second image, and lives in the linter's arena only. */
static int
read_quarantine(struct linter *l, struct err *e)
{
	struct val *rows;
	int rc;

	if (l->options->quarantine == NULL)
		return OK;
	rc = db_rows(&rows, l->arena, kb_db(l->options->quarantine), DRAFTS_STATEMENTS, e, "");
	l->quarantine = wording_open(l->arena);
	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const struct val *text = val_get(rows->list.items[i], "text");

		if (val_is(text, VAL_STR))
			wording_add(l->quarantine, val_get_text(rows->list.items[i], "id"), text->str.text, text->str.len);
	}
	return rc;
}

int
linter_open(struct linter **out, struct kb *kb, const struct lint_options *o, struct arena *a, struct err *e)
{
	struct linter *l = arena_alloc(a, sizeof *l);
	int rc;

	*out = l;
	l->arena = a;
	l->kb = kb;
	l->options = o;
	rc = db_rows(&l->archetypes, a, kb_db(kb), DRAFTS_ARCHETYPES, e, "");
	if (rc == OK)
		rc = db_rows(&l->withheld, a, kb_db(kb), DRAFTS_WITHHELD, e, "");
	if (rc == OK)
		rc = read_names(&l->names, l, DRAFTS_NAMES, e);
	if (rc == OK)
		rc = read_names(&l->titles, l, DRAFTS_TITLES, e);
	if (rc == OK)
		rc = lint_internal_texts(l, e);
	return rc == OK ? read_quarantine(l, e) : rc;
}

/* ---- front matter ---- */

static void
take_archetype(struct draft_lint *d, const struct val *front)
{
	const struct val *archetype = val_get(front, "archetype");
	const char *id = NULL;

	if (val_text(archetype) == NULL) {
		lint_add(d, LINT_FRONT_MATTER, front->at, NULL, "expected `archetype:` in the front matter");
		return;
	}
	d->rc = kb_resolve(&id, d->l->kb, d->a, val_text(archetype), "archetype", d->e);
	if (d->rc == OK && id == NULL)
		lint_add(d, LINT_FRONT_MATTER, archetype->at, NULL, "expected the id of an archetype");
	for (size_t i = 0; d->rc == OK && id != NULL && i < val_count(d->l->archetypes); i++) {
		const struct val *row = d->l->archetypes->list.items[i], *quantitative = val_get(row, "quantitative");

		if (strcmp(val_get_text(row, "id"), id) != 0)
			continue;
		d->archetype = id;
		d->quantitative = val_is(quantitative, VAL_NUM) && quantitative->number != 0;
	}
}

static void
take_audience(struct draft_lint *d, const struct val *front)
{
	const struct val *audience = val_get(front, "audience");
	const char *text = val_text(audience), *lang = val_get_text(front, "language");

	if (text == NULL || (strcmp(text, "customer") != 0 && strcmp(text, "internal") != 0))
		lint_add(d, LINT_FRONT_MATTER, audience != NULL ? audience->at : front->at, NULL,
		    "expected `audience: customer` or `audience: internal`; the document is taken for a customer's");
	d->internal = text != NULL && strcmp(text, "internal") == 0;
	if (lang != NULL && strcmp(lang, "ko") == 0)
		d->lang = "ko";
}

/* `names:` lists proper names with digits that the knowledge does not have: of a customer's own model. */
static void
take_names(struct draft_lint *d, const struct val *front)
{
	const struct val *names = val_get(front, "names");

	d->own_names = names_open(d->a);
	for (size_t i = 0; i < val_count(names); i++)
		if (val_is(names, VAL_LIST))
			names_add(d->own_names, val_text(names->list.items[i]));
}

static void
take_front(struct draft_lint *d)
{
	struct place top = { d->name, 1, 1 };
	struct val *front = NULL;
	struct err ignored = ERR_INIT;
	const char *text;

	if (d->m->front == NULL) {
		lint_add(d, LINT_FRONT_MATTER, top, NULL,
		    "expected front matter with archetype and audience; the document is taken for a customer's");
		return;
	}
	/* The line of the fence before it, so that places are the file's. */
	text = arena_printf(d->a, "\n%s", d->m->front);
	if (yn_parse(&front, d->a, text, strlen(text), d->name, &ignored) != OK || !val_is(front, VAL_MAP)) {
		lint_add(d, LINT_FRONT_MATTER, top, NULL, "the front matter is no YAML map; the document is taken for a customer's");
		return;
	}
	take_audience(d, front);
	take_archetype(d, front);
	take_names(d, front);
	lint_hidden(d, d->m->front, d->m->front_len, (struct place){ d->name, 2, 1 });
}

/* ---- the walk ---- */

/* Add the sections that a cell cites. */
static void
take_sections(struct cited_row *row, const struct markdown_text *text)
{
	for (size_t i = 0; i < text->link_count; i++) {
		long number;
		size_t k = 0;

		if (!cited_read(text->links[i]->destination, text->links[i]->title).is_citation)
			continue;
		number = strtol(text->links[i]->destination + 2, NULL, 10);
		while (k < row->count && k < LINT_ROW_SECTIONS_MAX && row->sections[k] != number)
			k++;
		if (k < row->count && k < LINT_ROW_SECTIONS_MAX)
			continue;
		if (row->count < LINT_ROW_SECTIONS_MAX)
			row->sections[row->count] = number;
		row->count += row->count <= LINT_ROW_SECTIONS_MAX;
	}
}

/* Does the first cell only count the rows, under a heading that says so, or none? */
static bool
is_row_number(const struct markdown_table *table, size_t row)
{
	static const char *const heads[] = { "", "#", "No", "No.", "Nr", "Nr.", "번호", "순번" };
	const struct markdown_text *head = table->rows[0].count > 0 ? &table->rows[0].cells[0].text : NULL;
	const struct markdown_text *cell = table->rows[row].count > 0 ? &table->rows[row].cells[0].text : NULL;
	char number[24];
	size_t n;

	if (row == 0 || head == NULL || cell == NULL)
		return false;
	n = (size_t)snprintf(number, sizeof number, "%zu", row);
	if (strncmp(cell->s, number, n) != 0 || (cell->s[n] != '\0' && strcmp(cell->s + n, ".") != 0))
		return false;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (strcmp(head->s, heads[i]) == 0)
			return true;
	return false;
}

static void
walk_row(struct draft_lint *d, const struct markdown_table *table, size_t number, struct passage *p)
{
	const struct markdown_row *row = &table->rows[number];
	struct cited_row cited = { .count = 0 };

	for (size_t i = 0; i < row->count; i++)
		take_sections(&cited, &row->cells[i].text);
	passage_clear(p);
	for (size_t i = 0; i < row->count; i++) {
		if (i > 0 || !is_row_number(table, number))
			lint_figures(d, &row->cells[i].text, cited.count > 0 ? &cited : NULL);
		passage_add(p, d->a, &row->cells[i].text);
	}
	if (p->count == 0)
		return;
	lint_said(d, p);
	lint_phases(d, p);
}

static void
walk_block(struct draft_lint *d, const struct markdown_block *b, struct passage *p)
{
	if (b->table != NULL) {
		for (size_t i = 0; !lint_is_over(d) && i < b->table->count; i++)
			walk_row(d, b->table, i, p);
		return;
	}
	if (b->kind == MARKDOWN_HEADING) {
		d->in_source = lint_is_source_heading(b);
		lint_heading(d, b);
	}
	passage_clear(p);
	passage_add(p, d->a, &b->text);
	if (p->count == 0)
		return;
	lint_said(d, p);
	if (b->kind != MARKDOWN_HEADING && b->kind != MARKDOWN_PARAGRAPH)
		return;
	lint_figures(d, &b->text, NULL);
	lint_phases(d, p);
}

/* What stands in no text but is in the file: titles of links. */
static void
walk_titles(struct draft_lint *d)
{
	for (size_t i = 0; !lint_is_over(d) && i < d->m->reference_count; i++) {
		const struct markdown_reference *r = &d->m->references[i];

		if (!cited_read(r->destination, r->title).is_readable)
			lint_hidden(d, r->title, strlen(r->title), r->at);
	}
}

int
linter_run(struct findings *out, struct linter *l, struct arena *a, const char *text, size_t len, const char *name,
    const char *file_name, struct err *e)
{
	struct draft_lint d = { .l = l, .a = a, .out = out, .name = arena_strdup(a, name), .lang = "en",
		.quantitative = true, .e = e, .rc = OK };
	struct passage p = { .s = BUF_INIT };
	int rc = markdown_parse(&d.m, a, text, len, name, e);

	if (rc != OK)
		return rc;
	d.phases = arena_alloc(a, LINT_WORKLOADS_MAX * sizeof *d.phases);
	lint_gather(&d);
	lint_gather_phases(&d);
	if (d.m->decomposed.line > 0)
		findings_add(out, &lint_rules[LINT_DECOMPOSED], (struct place){ d.name, d.m->decomposed.line,
		    d.m->decomposed.column }, NULL, "letters are written in parts from here on: normalise the file to NFC");
	take_front(&d);
	lint_marks(&d, file_name);
	lint_definitions(&d);
	for (size_t i = 0; !lint_is_over(&d) && i < d.m->count; i++)
		walk_block(&d, &d.m->blocks[i], &p);
	walk_titles(&d);
	if (d.rc == OK && d.found >= LINT_FOUND_MAX)
		findings_add(out, &lint_rules[LINT_TOO_MANY], (struct place){ d.name, 0, 0 }, NULL,
		    "more than %d faults: no more is looked for", LINT_FOUND_MAX - 1);
	buf_release(&p.s);
	return d.rc;
}

int
drafts_lint(struct findings *out, struct kb *kb, struct arena *a, const char *text, size_t len, const char *name,
    const struct lint_options *o, struct err *e)
{
	struct linter *l;
	int rc = linter_open(&l, kb, o, a, e);

	if (rc == OK)
		rc = linter_run(out, l, a, text, len, name, o->file_name, e);
	if (rc == OK)
		findings_sort(out);
	return rc;
}
