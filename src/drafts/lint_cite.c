/* Citations: what they say, whether they resolve, and whether the figure in the text says the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drafts/lint_int.h"
#include "ingest/prose.h"
#include "kb/kb.h"
#include "util/utf8.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "S12" or "s12", and nothing behind it but a blank. */
static bool
is_number_of_source(const char *s)
{
	size_t n = strspn(s + 1, "0123456789");

	return (s[0] == 'S' || s[0] == 's') && n > 0 && (s[1 + n] == '\0' || s[1 + n] == ' ');
}

/* The next part of "589484261376 B, calculated, weakest stated". */
static const char *
next_part(const char *s, size_t *len)
{
	const char *comma = strstr(s, ", ");

	*len = comma == NULL ? strlen(s) : (size_t)(comma - s);
	return comma == NULL ? s + *len : comma + 2;
}

struct cited
cited_read(const char *destination, const char *title)
{
	struct cited c = { .grade = NULL };
	const char *part = title, *rest;
	size_t len;

	c.is_citation = destination[0] == '#' && is_number_of_source(destination + 1);
	if (!c.is_citation)
		return c;
	rest = next_part(part, &len);
	c.q.kind = QUANTITY_PUBLISHED;
	if (len == 7 && strncmp(part, "finding", 7) == 0) {
		c.is_readable = true;
		return c;
	}
	if (quantity_parse(&c.q, part, len, DIM_ANY) != NULL)
		return c;
	c.has_value = true;
	part = rest;
	rest = next_part(part, &len);
	for (int k = QUANTITY_MEASURED; k <= QUANTITY_CALCULATED; k++) {
		const char *name = quantity_kind_name((enum quantity_kind)k, "en");

		if (strlen(name) == len && strncmp(part, name, len) == 0) {
			c.q.kind = (enum quantity_kind)k;
			c.is_readable = true;
		}
	}
	if (strncmp(rest, "grade ", 6) == 0)
		c.grade = rest + 6;
	return c;
}

int
lint_by_number(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Is there a heading S4 for #s4? */
static bool
has_source(const struct draft_lint *d, const char *destination)
{
	long number = strtol(destination + 2, NULL, 10);

	return bsearch(&number, d->headings, d->heading_count, sizeof number, lint_by_number) != NULL;
}

bool
lint_is_source_heading(const struct markdown_block *b)
{
	return b->kind == MARKDOWN_HEADING && b->text.len >= 2 && is_number_of_source(b->text.s);
}

/* What is looked up often: the numbers of the sources, and what the customer stated. */
void
lint_gather(struct draft_lint *d)
{
	const struct markdown *m = d->m;

	d->headings = arena_alloc(d->a, (m->count + 1) * sizeof *d->headings);
	for (size_t i = 0; i < m->count; i++)
		if (lint_is_source_heading(&m->blocks[i]))
			d->headings[d->heading_count++] = strtol(m->blocks[i].text.s + 1, NULL, 10);
	qsort(d->headings, d->heading_count, sizeof *d->headings, lint_by_number);
	for (size_t i = 0; i < m->reference_count && d->stated_count < LINT_STATED_MAX; i++) {
		struct cited c = cited_read(m->references[i].destination, m->references[i].title);

		if (c.has_value && c.is_readable && c.q.kind == QUANTITY_STATED)
			d->stated[d->stated_count++] = c.q;
	}
}

const char *
lint_finding_of(const char *label)
{
	return strncmp(label, "source.", 7) == 0 ? label + 7 : label;
}

/* A source's finding: is it in the knowledge, and does the definition say what it says? */
static void
check_finding(struct draft_lint *d, const struct markdown_reference *r, const struct cited *c)
{
	const char *ref = lint_finding_of(r->label);
	struct kb_finding finding;
	struct quantity q;
	int found = kb_finding(&finding, d->l->kb, d->a, ref, d->e);

	if (found == 0 && d->l->options->quarantine != NULL) {
		found = kb_finding(&finding, d->l->options->quarantine, d->a, ref, d->e);
		if (found > 0) {
			lint_add(d, LINT_WITHDRAWN, r->at, ref, "%s is withdrawn or under review: nothing may rest on it", ref);
			return;
		}
	}
	if (found < 0) {
		d->rc = found;
		return;
	}
	if (found == 0) {
		lint_add(d, LINT_UNKNOWN, r->at, NULL, "expected a finding of a source, found `%.80s`, which the knowledge does not have", ref);
		return;
	}
	if (!c->has_value)
		return;
	if (finding.value == NULL || quantity_parse(&q, finding.value, strlen(finding.value), DIM_ANY) != NULL) {
		lint_add(d, LINT_DIFFERS, r->at, finding.ref, "%s holds no figure, and its definition does", finding.ref);
	} else if (q.value != c->q.value || q.unit->dimension != c->q.unit->dimension) {
		lint_add(d, LINT_DIFFERS, r->at, finding.ref, "%s says %s, and its definition something else", finding.ref, finding.value);
	} else if (finding.kind != c->q.kind || c->grade == NULL || c->grade[0] != finding.grade) {
		lint_add(d, LINT_DIFFERS, r->at, finding.ref, "%s is %s, grade %c, and its definition says something else",
		    finding.ref, quantity_kind_name(finding.kind, "en"), finding.grade);
	}
}

/*
 * Without quantitative evidence about this buyer, nothing that is measured, published or assumed
 * is shown, nor to the customer what is calculated.
 */
static void
check_evidence(struct draft_lint *d, const struct markdown_reference *r, const struct cited *c)
{
	if (d->quantitative || !c->has_value || c->q.kind == QUANTITY_STATED)
		return;
	if (d->internal && c->q.kind == QUANTITY_CALCULATED)
		return;
	lint_add(d, LINT_NO_EVIDENCE, r->at, d->archetype, "there is no quantitative evidence about %s, so no %s figure is shown%s",
	    d->archetype, quantity_kind_name(c->q.kind, "en"), d->internal ? "" : " to the customer");
}

/* A workload's result against the recorded run: to the last digit, since both were calculated. */
static void
check_run(struct draft_lint *d, const struct markdown_reference *r, const struct cited *c, const struct lint_run *run)
{
	size_t n = strlen(run->workload);
	const struct val *value;
	const char *unit;
	char recorded[QUANTITY_TEXT];
	struct quantity q = { .value = 0 };

	if (c->q.kind != QUANTITY_CALCULATED || strncmp(r->label, run->workload, n) != 0 || r->label[n] != '.')
		return;
	value = val_path(run->result, r->label + n + 1);
	unit = val_get_text(value, "unit");
	if (!val_is(val_get(value, "value"), VAL_NUM) || unit == NULL)
		return;
	q.unit = unit_find(unit, strlen(unit));
	q.value = val_get(value, "value")->number * (q.unit == NULL ? 1 : q.unit->factor);
	if (q.unit == NULL || fabs(q.value - c->q.value) > 1e-12 * fabs(q.value))
		lint_add(d, LINT_SIZING, r->at, NULL, "the recorded sizing says %s for %s",
		    q.unit == NULL ? "something else" : quantity_exact(recorded, sizeof recorded, &q), r->label);
}

static void
check_definition(struct draft_lint *d, const struct markdown_reference *r)
{
	struct cited c = cited_read(r->destination, r->title);

	if (!c.is_citation)
		return;
	if (r->duplicate) {
		lint_add(d, LINT_DUPLICATE, r->at, NULL, "`%.80s` is defined above, and only the first definition counts", r->label);
		return;
	}
	if (!c.is_readable) {
		lint_add(d, LINT_BAD_DEFINITION, r->at, NULL,
		    "expected a value with its unit and a kind, such as \"589484261376 B, calculated\", found `%.80s`", r->title);
		return;
	}
	if (!has_source(d, r->destination))
		lint_add(d, LINT_NO_SOURCE, r->at, NULL, "there is no heading S%.12s for this definition", r->destination + 2);
	check_evidence(d, r, &c);
	for (size_t i = 0; i < d->l->options->run_count; i++)
		check_run(d, r, &c, &d->l->options->runs[i]);
	if (c.q.kind == QUANTITY_PUBLISHED || c.q.kind == QUANTITY_MEASURED)
		check_finding(d, r, &c);
}

void
lint_definitions(struct draft_lint *d)
{
	for (size_t i = 0; !lint_is_over(d) && i < d->m->reference_count; i++)
		check_definition(d, &d->m->references[i]);
}

/* ---- in the text ---- */

static void
report_fit(struct draft_lint *d, struct place at, const struct figure *f, const struct cited *c, const char *shown,
    enum figure_fit fit)
{
	const struct unit *other = figure_other_bytes(f->unit);
	char exact[QUANTITY_TEXT];

	quantity_exact(exact, sizeof exact, &c->q);
	if (fit == FIGURE_OTHER_BYTES)
		lint_add(d, LINT_BYTES, at, NULL, "%s is right in %s, not in %s: the citation says %s", shown, other->name,
		    f->unit->name, exact);
	else if (fit == FIGURE_OTHER_UNIT)
		lint_add(d, LINT_DIFFERS, at, NULL, "%s has not the unit of its citation, which says %s", shown, exact);
	else
		lint_add(d, LINT_DIFFERS, at, NULL, "%s is not what its citation says, nor rounded from it: %s", shown, exact);
}

/* A figure of a citation's text; its unit may stand behind the brackets. Returns where it ends. */
static size_t
check_cited_figure(struct draft_lint *d, const struct markdown_text *text, size_t end, size_t at, const struct cited *c)
{
	struct figure f;
	enum figure_fit fit;
	size_t stop;

	if (!figure_read(&f, text->s, end, at))
		return at + 1;
	stop = at + f.len;
	if (!c->has_value) {
		if (c->is_readable)
			lint_add(d, LINT_DIFFERS, markdown_place(text, at), NULL, "%s is cited, but what it cites holds no figure",
			    arena_strndup(d->a, text->s + at, f.len));
		return stop;
	}
	fit = figure_fits(&f, &c->q);
	if (fit == FIGURE_OTHER_UNIT && f.unit == NULL && figure_read(&f, text->s, text->len, at))
		fit = figure_fits(&f, &c->q);
	if (fit != FIGURE_FITS)
		report_fit(d, markdown_place(text, at), &f, c, arena_strndup(d->a, text->s + at, f.len), fit);
	return stop;
}

static void
check_citation(struct draft_lint *d, const struct markdown_text *text, const struct markdown_link *link, char *copy)
{
	struct cited c = cited_read(link->destination, link->title);
	size_t end = link->start + link->len, start, len;
	struct prose_scan scan = { arena_strndup(d->a, text->s + link->start, link->len), 0, false };

	if (!c.is_citation)
		return;
	if (link->label == NULL && !has_source(d, link->destination))
		lint_add(d, LINT_NO_SOURCE, link->at, NULL, "there is no heading S%.12s for this citation", link->destination + 2);
	while (!lint_is_over(d) && prose_next(&scan, &start, &len)) {
		size_t at = link->start + start, word = at + len;

		while (at < word && !is_digit(text->s[at]))
			at++;
		if (at == word)
			continue;
		at = check_cited_figure(d, text, end, at, &c) - link->start;
		scan.at = at > scan.at ? at : scan.at;
	}
	memset(copy + link->start, ' ', link->len);
}

/* "[589.5 GB][chat.kv.bytes]" that is no link: nothing defines the label. */
static void
check_undefined(struct draft_lint *d, const struct markdown_text *text, char *copy)
{
	for (const char *s = copy, *middle; !lint_is_over(d) && (middle = strstr(s, "][")) != NULL; s = middle + 2) {
		const char *open = middle, *close = strchr(middle + 2, ']');
		size_t label;

		while (open > s && *open != '[' && *open != '\n')
			open--;
		if (close == NULL || *open != '[')
			continue;
		label = (size_t)(close - middle) - 2;
		/* all labels of a draft have a dot; "[AMD][AGENTX]" are somebody's brackets */
		if (label > 200 || strcspn(middle + 2, "[ \n") < label || memchr(middle + 2, '.', label) == NULL)
			continue;
		lint_add(d, LINT_UNDEFINED, markdown_place(text, (size_t)(open - copy)), NULL,
		    "`%.*s` has no definition, so this is no citation", label > 80 ? 80 : (int)label, middle + 2);
		memset(copy + (open - copy), ' ', (size_t)(close - open) + 1);
	}
}

void
lint_citations(struct draft_lint *d, const struct markdown_text *text, char *copy)
{
	for (size_t i = 0; i < text->run_count; i++)
		if (text->runs[i].kind != MARKDOWN_TEXT)
			memset(copy + text->runs[i].start, ' ', text->runs[i].len);
	for (size_t i = 0; i < text->link_count; i++)
		check_citation(d, text, text->links[i], copy);
	check_undefined(d, text, copy);
}
