#include "ingest/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/leaf.h"
#include "util/buf.h"

enum { PATH_SIZE = 512 };

static void walk_map(struct walk *w, const struct field *fields, const struct val *map,
    const char *path, int flags);

static void
join_path(char out[PATH_SIZE], const char *path, const char *key)
{
	size_t n = strlen(path), more = strlen(key);

	memcpy(out, path, n);
	if (n > 0 && n < PATH_SIZE - 1)
		out[n++] = '.';
	/* Only a hostile key is so long; its path serves for nothing but the look of a message. */
	if (more > PATH_SIZE - 1 - n)
		more = PATH_SIZE - 1 - n;
	memcpy(out + n, key, more);
	out[n + more] = '\0';
}

static void
show(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	if (w->visit != NULL)
		w->visit(w, f, v, path);
}

/* Does this unknown key have a reason of its own to be refused? */
static const char *
refusal(const char *key)
{
	static const char *const persons[] = { "personality", "tone", "character", "mood", "style",
		"temperament", NULL };

	for (int i = 0; persons[i] != NULL; i++)
		if (strcmp(key, persons[i]) == 0)
			return "archetypes describe how an organisation buys, never what people are like";
	return NULL;
}

static void
unknown_key(struct walk *w, const struct field *fields, const struct val_entry *entry)
{
	struct buf known = BUF_INIT;
	const char *why = refusal(entry->key);

	for (; fields->key != NULL; fields++) {
		buf_puts(&known, known.len > 0 ? ", " : "");
		buf_puts(&known, fields->key);
	}
	if (why != NULL)
		errs_add(w->errs, entry->at, "`%s` is no key here: %s", entry->key, why);
	else
		errs_add(w->errs, entry->at, "expected one of the keys %s, found `%s`", known.s,
		    entry->key);
	buf_release(&known);
}

static void
check_keys(struct walk *w, const struct field *fields, const struct val *map, int flags)
{
	size_t known = 0;

	for (size_t i = 0; i < map->map.count; i++) {
		if (field_find(fields, map->map.entries[i].key) == NULL)
			unknown_key(w, fields, &map->map.entries[i]);
		else
			known++;
	}
	if ((flags & FIELD_ONE_OF) && known != 1)
		errs_add(w->errs, map->at, "expected exactly one of its keys, found %zu", known);
	for (; fields->key != NULL; fields++) {
		if (!(fields->flags & FIELD_REQUIRED) || val_get(map, fields->key) != NULL)
			continue;
		if (w->inline_profile && (fields->type == FIELD_ID || fields->type == FIELD_FINDING ||
		    strcmp(fields->key, "sources") == 0))
			continue;
		errs_add(w->errs, map->at, "expected the key `%s`, found none", fields->key);
	}
}

/* name: {value, finding} of a `figures` map. */
static bool
check_figure(const struct val_entry *entry, struct errs *errs)
{
	static const struct field parts[] = {
		{ .key = "value", .type = FIELD_QUANTITY, .flags = FIELD_REQUIRED, .dimension = DIM_ANY },
		{ .key = "finding", .type = FIELD_FINDING, .flags = FIELD_REQUIRED },
		{ .key = NULL },
	};
	struct walk w = { .errs = errs };
	size_t before = errs->count;

	for (const char *c = entry->key; *c != '\0'; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-')) {
			errs_add(errs, entry->at, "expected a name of small letters, digits, - and _, found `%.60s`",
			    entry->key);
			return false;
		}
	walk_record(&w, parts, entry->value);
	return errs->count == before;
}

static void
walk_figures(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	char below[PATH_SIZE];

	for (size_t i = 0; i < v->map.count; i++) {
		const struct val_entry *entry = &v->map.entries[i];

		join_path(below, path, entry->key);
		if (w->errs == NULL || check_figure(entry, w->errs))
			show(w, f, entry->value, below);
	}
}

/* {value, why, ask}: the value by the item's own type; value and why together or not at all. */
static void
walk_item(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	const struct field item[] = {
		f->sub[0],
		{ .key = "why", .type = FIELD_TEXT },
		{ .key = "ask", .type = FIELD_TEXT, .flags = FIELD_REQUIRED },
		{ .key = NULL },
	};
	bool value = val_get(v, "value") != NULL, why = val_get(v, "why") != NULL;

	walk_map(w, item, v, path, 0);
	if (w->errs != NULL && value != why)
		errs_add(w->errs, v->at, "expected `value` and `why` together, found only `%s`",
		    value ? "value" : "why");
}

static void
walk_profile(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	bool outer = w->inline_profile;

	if (!val_is(v, VAL_MAP)) {
		if (w->errs == NULL || leaf_check(f, v, w->errs))
			show(w, f, v, path);
		return;
	}
	w->inline_profile = true;
	walk_map(w, f->sub, v, path, 0);
	w->inline_profile = outer;
}

static bool
expect_map(struct walk *w, const struct val *v)
{
	if (val_is(v, VAL_MAP))
		return true;
	if (w->errs != NULL)
		errs_add(w->errs, v->at, "expected a map, found %s", val_kind_name(v->kind));
	return false;
}

static void
walk_value(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	switch (f->type) {
	case FIELD_MAP:
		if (expect_map(w, v))
			walk_map(w, f->sub, v, path, f->flags);
		return;
	case FIELD_FIGURES:
		if (expect_map(w, v))
			walk_figures(w, f, v, path);
		return;
	case FIELD_ITEM:
		if (expect_map(w, v))
			walk_item(w, f, v, path);
		return;
	case FIELD_PROFILE:
		walk_profile(w, f, v, path);
		return;
	default:
		if (w->errs == NULL || leaf_check(f, v, w->errs))
			show(w, f, v, path);
	}
}

/* What an item of a list goes by. */
struct item_name {
	const char *name;
	struct place at;
};

static int
by_name(const void *pa, const void *pb)
{
	const struct item_name *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = a->at.line != b->at.line ? a->at.line - b->at.line : a->at.column - b->at.column;
	return order;
}

static void
put_name(struct item_name *out, size_t *n, const struct val *name)
{
	if (val_text(name) == NULL)
		return;
	if (out != NULL)
		out[*n] = (struct item_name){ val_text(name), name->at };
	(*n)++;
}

/* The ids of a list's items with their aliases, or its scalars; `out` NULL: only count. */
static size_t
names_of(struct item_name *out, const struct val *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->list.count; i++) {
		const struct val *item = list->list.items[i], *aliases = val_get(item, "aliases");

		put_name(out, &n, val_is(item, VAL_MAP) ? val_get(item, "id") : item);
		for (size_t k = 0; val_is(aliases, VAL_LIST) && k < aliases->list.count; k++)
			put_name(out, &n, aliases->list.items[k]);
	}
	return n;
}

/* The same id, also as an alias, or the same scalar, may not stand twice in one list. */
static void
check_repeats(struct walk *w, const struct val *list)
{
	size_t n = names_of(NULL, list);
	struct item_name *names = xcalloc(n + 1, sizeof *names);

	names_of(names, list);
	qsort(names, n, sizeof *names, by_name);
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i - 1].name, names[i].name) == 0)
			errs_add(w->errs, names[i].at, "`%s` stands twice in this list (first in line %d)",
			    names[i].name, names[i - 1].at.line);
	free(names);
}

static void
walk_list(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	char below[PATH_SIZE], number[24];

	if (!val_is(v, VAL_LIST)) {
		if (w->errs != NULL)
			errs_add(w->errs, v->at, "expected a list, found %s", val_kind_name(v->kind));
		return;
	}
	if (w->list != NULL)
		w->list(w, f, v);
	if (w->errs != NULL) {
		if ((f->flags & FIELD_NONEMPTY) && v->list.count == 0)
			errs_add(w->errs, v->at, "expected at least one item, found an empty list");
		check_repeats(w, v);
	}
	for (size_t i = 0; i < v->list.count; i++) {
		const char *id = val_get_text(v->list.items[i], "id");

		if (id == NULL)
			snprintf(number, sizeof number, "%zu", i);
		join_path(below, path, id != NULL ? id : number);
		walk_value(w, f, v->list.items[i], below);
	}
}

static void
walk_map(struct walk *w, const struct field *fields, const struct val *map, const char *path,
    int flags)
{
	char below[PATH_SIZE];

	if (w->errs != NULL)
		check_keys(w, fields, map, flags);
	for (; fields->key != NULL; fields++) {
		const struct val *v = val_get(map, fields->key);

		if (v == NULL)
			continue;
		join_path(below, path, fields->key);
		if ((fields->flags & FIELD_UNKNOWN) && val_is(v, VAL_STR) &&
		    strcmp(v->str.text, "unknown") == 0)
			continue;
		if (fields->flags & FIELD_LIST)
			walk_list(w, fields, v, below);
		else
			walk_value(w, fields, v, below);
	}
}

void
walk_record(struct walk *w, const struct field *fields, const struct val *record)
{
	if (expect_map(w, record))
		walk_map(w, fields, record, "", 0);
}
