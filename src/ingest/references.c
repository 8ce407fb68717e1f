#include "ingest/set_int.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/walk.h"
#include "util/buf.h"

struct visit {
	struct set *set;
	const struct record *record;
};

bool
value_of(struct quantity *out, const struct val *scalar)
{
	return val_is(scalar, VAL_STR) &&
	    quantity_parse(out, scalar->str.text, scalar->str.len, DIM_ANY) == NULL;
}

/* What was written, unless it stands in a quarantined claim: nothing of those is echoed. */
static const char *
shown(const struct visit *v, const struct val *ref)
{
	return v->record->kind->id == KIND_QUARANTINE ? "(not shown)" : ref->str.text;
}

static void
check_record_ref(struct visit *v, const struct field *f, const struct val *ref)
{
	const struct record *found = set_find(v->set, ref->str.text);
	struct buf wanted = BUF_INIT;

	if (found != NULL && (f->kinds & 1u << found->kind->id))
		return;
	if (found != NULL && found->fallen) /* left out where it is written: audit says so */
		return;
	for (int i = 0; i < KIND_COUNT; i++)
		if (f->kinds & 1u << i)
			buf_printf(&wanted, "%s%s", wanted.len > 0 ? " or " : "", kinds[i].name);
	if (found == NULL)
		errs_add(&v->set->errs, ref->at, "expected the id of a record of kind %s, found none named `%s`",
		    wanted.s, shown(v, ref));
	else if (found->kind->id == KIND_QUARANTINE)
		errs_add(&v->set->errs, ref->at, "`%s` is a quarantined claim: nothing may refer to it",
		    found->id);
	else
		errs_add(&v->set->errs, ref->at, "expected the id of a record of kind %s, found `%s`, which is of kind %s",
		    wanted.s, shown(v, ref), found->kind->name);
	buf_release(&wanted);
}

/* What one item of a list names. */
struct item {
	const void *what;
	const char *id;
	const struct val *written;
};

static int
by_what(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	uintptr_t x = (uintptr_t)a->what, y = (uintptr_t)b->what;

	if (x != y)
		return x < y ? -1 : 1;
	return a->written->at.line != b->written->at.line ? a->written->at.line - b->written->at.line
	                                                  : a->written->at.column - b->written->at.column;
}

static struct item
item_of(const struct set *set, const struct field *f, const struct val *v)
{
	const char *name = val_text(v);
	const struct record *record = f->type == FIELD_RECORD && name != NULL ? set_find(set, name) : NULL;
	const struct set_finding *finding = f->type == FIELD_FINDING && name != NULL ? set_find_finding(set, name) : NULL;
	const struct set_part *part = f->type == FIELD_PART && name != NULL ? set_find_part(set, name) : NULL;

	if (record != NULL)
		return (struct item){ record, record->id, v };
	if (finding != NULL)
		return (struct item){ finding, finding->ref, v };
	return (struct item){ part, part != NULL ? part->ref : NULL, v };
}

/* One thing under two of its names in one list. (Twice under one name is a fault of the list's form.) */
static void
check_names_once(struct walk *w, const struct field *f, const struct val *list)
{
	struct visit *v = w->context;
	struct item *items;
	size_t n = 0;

	if (f->type != FIELD_RECORD && f->type != FIELD_FINDING && f->type != FIELD_PART)
		return;
	items = xcalloc(val_count(list) + 1, sizeof *items);
	for (size_t i = 0; i < val_count(list); i++) {
		items[n] = item_of(v->set, f, list->list.items[i]);
		n += items[n].what != NULL;
	}
	qsort(items, n, sizeof *items, by_what);
	for (size_t i = 1; i < n; i++)
		if (items[i].what == items[i - 1].what &&
		    strcmp(val_text(items[i].written), val_text(items[i - 1].written)) != 0)
			errs_add(&v->set->errs, items[i].written->at, "`%s` is `%s`, which stands in this list",
			    shown(v, items[i].written), items[i].id);
	free(items);
}

static const struct set_finding *
check_finding_ref(struct visit *v, const struct val *ref)
{
	const struct set_finding *found = set_find_finding(v->set, ref->str.text);

	if (found == NULL)
		errs_add(&v->set->errs, ref->at, "expected a finding as source.finding, found none named `%s`",
		    ref->str.text);
	else if (!found->verified)
		errs_add(&v->set->errs, ref->at, strcmp(val_get_text(found->body, "status"), "withdrawn") == 0
		    ? "`%s` was withdrawn: it may not be used" : "`%s` is under review: it may not be used yet",
		    ref->str.text);
	else
		return found;
	return NULL;
}

/* A figure says what its finding says, in whatever unit. */
static void
check_figure(struct visit *v, const struct val *figure)
{
	const struct val *value = val_get(figure, "value");
	const struct set_finding *finding = check_finding_ref(v, val_get(figure, "finding"));
	const struct val *theirs;
	struct quantity a, b;

	if (finding == NULL)
		return;
	theirs = val_get(finding->body, "value");
	if (theirs == NULL) {
		errs_add(&v->set->errs, val_get(figure, "finding")->at,
		    "expected a finding with a value, found `%s`, which has none", finding->ref);
		return;
	}
	if (!value_of(&a, value) || !value_of(&b, theirs))
		return;
	if (a.unit->dimension != b.unit->dimension ||
	    fabs(a.value - b.value) > 1e-9 * fmax(fabs(a.value), fabs(b.value)))
		errs_add(&v->set->errs, value->at, "expected the value of %s, which is `%s`, found `%s`",
		    finding->ref, theirs->str.text, value->str.text);
}

static void
visit_reference(struct walk *w, const struct field *f, const struct val *value, const char *path)
{
	struct visit *v = w->context;

	(void)path;
	if (v->record->kind->id == KIND_QUARANTINE && f->type != FIELD_RECORD)
		return; /* it reaches no output; a release looks at the rest */
	switch (f->type) {
	case FIELD_RECORD:
	case FIELD_PROFILE:
		check_record_ref(v, f, value);
		break;
	case FIELD_FINDING:
		if (v->record->kind->id != KIND_CLAIM || !set_is_gone(v->set, v->record, value->str.text))
			check_finding_ref(v, value);
		break;
	case FIELD_PART:
		if (set_find_part(v->set, value->str.text) == NULL)
			errs_add(&v->set->errs, value->at,
			    "expected an approver, metric, non-negotiable or gate as archetype.part.id, "
			    "found none named `%s`", value->str.text);
		break;
	case FIELD_FIGURES:
		check_figure(v, value);
		break;
	default:
		break;
	}
}

/* ---- cycles ---- */

enum color { WHITE, GREY, BLACK };

static void
report_cycle(struct set *set, const size_t *stack, size_t depth, size_t back)
{
	struct buf path = BUF_INIT;
	size_t from = depth;

	while (from > 0 && stack[from - 1] != back)
		from--;
	for (size_t i = from == 0 ? 0 : from - 1; i < depth; i++) {
		buf_printf(&path, "%s -> ", set->records[stack[i]].id);
		if (path.len > 700) {
			buf_puts(&path, "... -> ");
			break;
		}
	}
	errs_add(&set->errs, val_get(set->records[back].body, "rests_on")->at,
	    "a claim may not rest on itself: %s%s", path.s, set->records[back].id);
	buf_release(&path);
}

/* Depth first without recursion: a chain may be as long as the folder has claims. */
static void
search_cycles(struct set *set, size_t start, unsigned char *color, size_t *stack, size_t *next)
{
	size_t depth = 0;

	stack[depth++] = start;
	color[start] = GREY;
	while (depth > 0) {
		size_t at = stack[depth - 1];
		const struct val *rests = val_get(set->records[at].body, "rests_on");
		const struct record *to;
		size_t i;

		if (next[at] >= val_count(rests)) {
			color[at] = BLACK;
			depth--;
			continue;
		}
		to = set_find(set, rests->list.items[next[at]++]->str.text);
		if (to == NULL)
			continue;
		i = (size_t)(to - set->records);
		if (color[i] == GREY)
			report_cycle(set, stack, depth, i);
		if (color[i] != WHITE)
			continue;
		color[i] = GREY;
		stack[depth++] = i;
	}
}

static void
check_cycles(struct set *set)
{
	unsigned char *color = arena_alloc(&set->arena, set->count + 1);
	size_t *stack = arena_alloc(&set->arena, (set->count + 1) * sizeof *stack);
	size_t *next = arena_alloc(&set->arena, (set->count + 1) * sizeof *next);

	for (size_t i = 0; i < set->count; i++)
		if (color[i] == WHITE && val_get(set->records[i].body, "rests_on") != NULL)
			search_cycles(set, i, color, stack, next);
}

void
set_check_references(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct visit v = { set, &set->records[i] };
		struct walk w = { .visit = visit_reference, .list = check_names_once, .context = &v };

		walk_record(&w, v.record->kind->fields, v.record->body);
	}
	check_cycles(set);
}
