#include "ingest/set_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
lower(struct arena *a, const char *s)
{
	char *copy = arena_strdup(a, s);

	for (char *c = copy; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	return copy;
}

static int
by_name(const void *pa, const void *pb)
{
	const struct set_name *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	/* What lies below has its name already; then ids before aliases, then as they were read. */
	if (order == 0 && a->record->from_base != b->record->from_base)
		order = a->record->from_base ? -1 : 1;
	if (order == 0 && a->alias != b->alias)
		order = a->alias ? 1 : -1;
	if (order == 0)
		order = a->record < b->record ? -1 : a->record > b->record;
	return order;
}

static int
by_finding(const void *a, const void *b)
{
	return strcmp(((const struct set_finding *)a)->ref, ((const struct set_finding *)b)->ref);
}

static int
by_part(const void *a, const void *b)
{
	return strcmp(((const struct set_part *)a)->ref, ((const struct set_part *)b)->ref);
}

static void
check_unique(struct set *set)
{
	for (size_t i = 1; i < set->name_count; i++) {
		const struct set_name *first = &set->names[i - 1], *second = &set->names[i];
		char place[640];

		if (strcmp(first->name, second->name) != 0)
			continue;
		errs_add(&set->errs, second->at, "`%s` is taken: it is %s of %s", second->name,
		    first->alias ? "an alias" : "the id", place_text(place, sizeof place, first->at));
	}
}

static void
index_names(struct set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += 1 + val_count(val_get(set->records[i].body, "aliases"));
	set->names = arena_alloc(&set->arena, n * sizeof *set->names);
	for (size_t i = 0; i < set->count; i++) {
		const struct record *r = &set->records[i];
		const struct val *aliases = val_get(r->body, "aliases");

		set->names[set->name_count++] = (struct set_name){ lower(&set->arena, r->id), r,
			val_get(r->body, "id")->at, false };
		for (size_t k = 0; k < val_count(aliases); k++) {
			const struct val *alias = aliases->list.items[k];

			set->names[set->name_count++] = (struct set_name){
				lower(&set->arena, alias->str.text), r, alias->at, true };
		}
	}
	qsort(set->names, set->name_count, sizeof *set->names, by_name);
}

static void
index_findings(struct set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += val_count(val_get(set->records[i].body, "findings"));
	set->findings = arena_alloc(&set->arena, (n + 1) * sizeof *set->findings);
	for (size_t i = 0; i < set->count; i++) {
		const struct record *r = &set->records[i];
		const struct val *findings = val_get(r->body, "findings");

		for (size_t k = 0; k < val_count(findings); k++) {
			struct val *f = findings->list.items[k];
			const char *ref = arena_printf(&set->arena, "%s.%s", r->id, val_get_text(f, "id"));

			set->findings[set->finding_count++] = (struct set_finding){ lower(&set->arena, ref),
				r, f, strcmp(val_get_text(f, "status"), "verified") == 0 };
		}
	}
	qsort(set->findings, set->finding_count, sizeof *set->findings, by_finding);
}

static void
add_parts(struct set *set, const struct record *r, const char *part, const struct val *list)
{
	for (size_t i = 0; i < val_count(list); i++) {
		struct val *item = list->list.items[i];
		const char *ref = arena_printf(&set->arena, "%s.%s.%s", r->id, part, val_get_text(item, "id"));

		set->parts[set->part_count++] = (struct set_part){ lower(&set->arena, ref), r, part, item };
	}
}

static void
index_parts(struct set *set)
{
	static const char *const lists[][2] = { { "approvers", "structure.approvers" },
		{ "metrics", "structure.metrics" }, { "non_negotiables", "structure.non_negotiables" },
		{ "gates", "structure.cycle.gates" } };
	size_t n = 1;

	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < 4; k++)
			n += val_count(val_path(set->records[i].body, lists[k][1]));
	set->parts = arena_alloc(&set->arena, n * sizeof *set->parts);
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < 4 && set->records[i].kind->id == KIND_ARCHETYPE; k++)
			add_parts(set, &set->records[i], lists[k][0], val_path(set->records[i].body, lists[k][1]));
	qsort(set->parts, set->part_count, sizeof *set->parts, by_part);
}

static int
by_archetype(const void *pa, const void *pb)
{
	const struct set_about *a = pa, *b = pb;

	if (a->archetype != b->archetype)
		return a->archetype < b->archetype ? -1 : 1;
	return a->claim < b->claim ? -1 : a->claim > b->claim;
}

static bool
is_claim(const struct record *r)
{
	return r->kind->id == KIND_CLAIM || r->kind->id == KIND_QUARANTINE;
}

/* After the names: what a claim is about may be written as an alias. */
static void
index_about(struct set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += is_claim(&set->records[i]) ? val_count(val_get(set->records[i].body, "archetypes")) : 0;
	set->about = arena_alloc(&set->arena, (n + 1) * sizeof *set->about);
	for (size_t i = 0; i < set->count; i++) {
		const struct record *claim = &set->records[i];
		const struct val *about = is_claim(claim) ? val_get(claim->body, "archetypes") : NULL;

		for (size_t k = 0; k < val_count(about); k++) {
			const struct record *archetype = set_find(set, about->list.items[k]->str.text);

			if (archetype != NULL)
				set->about[set->about_count++] = (struct set_about){ archetype, claim };
		}
	}
	if (set->about_count > 1)
		qsort(set->about, set->about_count, sizeof *set->about, by_archetype);
}

void
set_index(struct set *set)
{
	index_names(set);
	index_findings(set);
	index_parts(set);
	index_about(set);
	check_unique(set);
}

/* Look a name up in small letters; names are short. */
static bool
small(char out[256], const char *name)
{
	size_t n = strlen(name);

	if (n >= 256)
		return false;
	for (size_t i = 0; i <= n; i++)
		out[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 'a' - 'A') : name[i];
	return true;
}

const struct record *
set_find(const struct set *set, const char *name)
{
	char key[256];
	size_t low = 0, high = set->name_count;

	if (!small(key, name))
		return NULL;
	while (low < high) { /* the first of equal names */
		size_t middle = low + (high - low) / 2;

		if (strcmp(set->names[middle].name, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < set->name_count && strcmp(set->names[low].name, key) == 0)
		return set->names[low].record;
	return NULL;
}

/* A record by what stands before the last `dots` dots of a reference; *rest: what stands behind. */
static const struct record *
find_before(const struct set *set, const char *ref, int dots, const char **rest)
{
	size_t n = strlen(ref);
	char name[256];

	while (n > 0 && dots > 0)
		dots -= ref[--n] == '.';
	if (dots > 0 || n == 0 || n >= sizeof name)
		return NULL;
	memcpy(name, ref, n);
	name[n] = '\0';
	*rest = ref + n + 1;
	return set_find(set, name);
}

/* Does this finding of a source answer to the name? */
static bool
is_called(const struct val *finding, const char *name)
{
	const struct val *aliases = val_get(finding, "aliases");
	bool called = strcmp(val_get_text(finding, "id"), name) == 0;

	for (size_t i = 0; !called && i < val_count(aliases); i++)
		called = strcmp(val_text(aliases->list.items[i]), name) == 0;
	return called;
}

const struct set_finding *
set_find_finding(const struct set *set, const char *ref)
{
	const char *name;
	const struct record *source = find_before(set, ref, 1, &name);
	const struct val *findings = source != NULL ? val_get(source->body, "findings") : NULL;
	char text[512], key[256];
	struct set_finding wanted = { .ref = key };
	size_t i = 0;

	while (i < val_count(findings) && !is_called(findings->list.items[i], name))
		i++;
	if (i == val_count(findings))
		return NULL;
	snprintf(text, sizeof text, "%s.%s", source->id, val_get_text(findings->list.items[i], "id"));
	return small(key, text) ? bsearch(&wanted, set->findings, set->finding_count,
	    sizeof *set->findings, by_finding) : NULL;
}

const struct set_part *
set_find_part(const struct set *set, const char *ref)
{
	const char *part;
	const struct record *archetype = find_before(set, ref, 2, &part);
	char text[512], key[256];
	struct set_part wanted = { .ref = key };

	if (archetype == NULL)
		return NULL;
	snprintf(text, sizeof text, "%s.%s", archetype->id, part);
	return small(key, text) ? bsearch(&wanted, set->parts, set->part_count, sizeof *set->parts,
	    by_part) : NULL;
}

const char *
set_name_of(const struct set *set, enum field_type type, const char *name)
{
	const struct record *record;
	const struct set_finding *finding;
	const struct set_part *part;

	switch (type) {
	case FIELD_RECORD:
	case FIELD_PROFILE:
		record = set_find(set, name);
		return record != NULL ? record->id : name;
	case FIELD_FINDING:
	case FIELD_FIGURES:
		finding = set_find_finding(set, name);
		return finding != NULL ? finding->ref : name;
	case FIELD_PART:
		part = set_find_part(set, name);
		return part != NULL ? part->ref : name;
	default:
		return name;
	}
}

bool
set_is_same_finding(const struct set *set, const char *a, const char *b)
{
	const struct set_finding *found;

	if (strcmp(a, b) == 0)
		return true;
	found = set_find_finding(set, a);
	return found != NULL && found == set_find_finding(set, b);
}

const struct set_about *
set_find_about(const struct set *set, const struct record *archetype, size_t *count)
{
	size_t low = 0, high = set->about_count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->about[middle].archetype < archetype)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < set->about_count && set->about[end].archetype == archetype; end++)
		continue;
	*count = end - low;
	return set->about + low;
}

const struct set_part *
set_find_parts(const struct set *set, const struct record *archetype, size_t *count)
{
	char key[256];
	size_t low = 0, high = set->part_count, end;

	*count = 0;
	if (!small(key, archetype->id) || strlen(key) + 2 > sizeof key)
		return NULL;
	strcat(key, ".");
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(set->parts[middle].ref, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < set->part_count && strncmp(set->parts[end].ref, key, strlen(key)) == 0; end++)
		continue;
	*count = end - low;
	return set->parts + low;
}
