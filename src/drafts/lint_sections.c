/*
 * What the sections S1, S2, ... of a draft hold: the figures of the definitions that lead there, what else the source of
 * a section says, and of a recorded run all that it calculated.
 */
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "drafts/lint_int.h"
#include "kb/kb.h"
#include "sql.h"

/* One section, once somebody asks for it. */
struct section {
	struct quantity *figures; /* by their values */
	size_t count, cap;
	bool read;
};

static void
add(struct draft_lint *d, struct section *s, const struct quantity *q)
{
	if (s->count == s->cap) {
		size_t cap = s->cap * 2 + 16;
		struct quantity *larger = arena_alloc(d->a, cap * sizeof *larger);

		if (s->count > 0)
			memcpy(larger, s->figures, s->count * sizeof *larger);
		s->figures = larger;
		s->cap = cap;
	}
	s->figures[s->count++] = *q;
}

/* All figures of the source that this label names a finding of, unless they are there. `last`: the source before. */
static void
add_source(struct draft_lint *d, struct section *s, const char *label, const char **last)
{
	struct kb_finding finding;
	struct val *rows;
	int found = kb_finding(&finding, d->l->kb, d->a, lint_finding_of(label), d->e);

	if (found < 0)
		d->rc = found;
	if (found != 1 || (*last != NULL && strcmp(*last, finding.source) == 0))
		return;
	*last = finding.source;
	d->rc = db_rows(&rows, d->a, kb_db(d->l->kb), DRAFTS_FIGURES_OF, d->e, "s", finding.source);
	for (size_t i = 0; d->rc == OK && i < val_count(rows); i++) {
		const char *value = val_get_text(rows->list.items[i], "value");
		struct quantity q = { .kind = finding.kind };

		if (quantity_parse(&q, value, strlen(value), DIM_ANY) == NULL)
			add(d, s, &q);
	}
}

/* What a recorded run says, at any depth. */
static void
add_result(struct draft_lint *d, struct section *s, const struct val *v)
{
	const char *unit = val_get_text(v, "unit");
	const struct val *value = val_get(v, "value");
	struct quantity q = { .kind = QUANTITY_CALCULATED };

	if (val_is(value, VAL_NUM) && unit != NULL) {
		q.unit = unit_find(unit, strlen(unit));
		q.value = value->number * (q.unit != NULL ? q.unit->factor : 1);
		if (q.unit != NULL)
			add(d, s, &q);
	} else if (val_is(v, VAL_MAP)) {
		for (size_t i = 0; i < v->map.count; i++)
			add_result(d, s, v->map.entries[i].value);
	} else if (val_is(v, VAL_LIST)) {
		for (size_t i = 0; i < v->list.count; i++)
			add_result(d, s, v->list.items[i]);
	}
}

/* The run of the workload that this label is of, if one was given. */
static void
add_run(struct draft_lint *d, struct section *s, const char *label, const struct lint_run **last)
{
	const struct lint_options *o = d->l->options;

	for (size_t i = 0; i < o->run_count; i++) {
		size_t n = strlen(o->runs[i].workload);

		if (&o->runs[i] == *last || strncmp(label, o->runs[i].workload, n) != 0 || label[n] != '.')
			continue;
		*last = &o->runs[i];
		add_result(d, s, o->runs[i].result);
	}
}

static int
by_value(const void *a, const void *b)
{
	double x = ((const struct quantity *)a)->value, y = ((const struct quantity *)b)->value;

	return (x > y) - (x < y);
}

static void
read_section(struct draft_lint *d, struct section *s, long number)
{
	const struct lint_run *run = NULL;
	const char *source = NULL;

	s->read = true;
	for (size_t i = 0; d->rc == OK && i < d->m->reference_count; i++) {
		const struct markdown_reference *r = &d->m->references[i];
		struct cited c = cited_read(r->destination, r->title);

		if (!c.is_citation || strtol(r->destination + 2, NULL, 10) != number)
			continue;
		if (c.has_value)
			add(d, s, &c.q);
		if (c.q.kind == QUANTITY_PUBLISHED || c.q.kind == QUANTITY_MEASURED)
			add_source(d, s, r->label, &source);
		else if (c.q.kind == QUANTITY_CALCULATED)
			add_run(d, s, r->label, &run);
	}
	if (s->count > 1)
		qsort(s->figures, s->count, sizeof *s->figures, by_value);
}

/* The least value that the figure may stand for, in base units: those up to the greatest are tried. */
static bool
holds(const struct section *s, const struct figure *f)
{
	double factor = f->unit != NULL ? f->unit->factor : 1, slack = f->half * (1 + 1e-6) + f->number * 1e-9;
	double least = (f->number - slack) * factor, most = (f->number + slack) * factor;
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->figures[middle].value < least)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->count && s->figures[low].value <= most; low++)
		if (figure_fits(f, &s->figures[low]) == FIGURE_FITS)
			return true;
	return false;
}

bool
lint_section_holds(struct draft_lint *d, long number, const struct figure *f)
{
	long *heading = bsearch(&number, d->headings, d->heading_count, sizeof number, lint_by_number);
	struct section *s;

	if (heading == NULL)
		return true; /* told where it is cited */
	if (d->sections == NULL)
		d->sections = arena_alloc(d->a, d->heading_count * sizeof *d->sections);
	s = &d->sections[heading - d->headings];
	if (!s->read)
		read_section(d, s, number);
	return holds(s, f);
}
