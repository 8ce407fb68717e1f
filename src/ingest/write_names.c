/*
 * A record as its readers get it: whatever it names by an alias, or in another case, goes by its id.
 * So nobody who reads a body, or joins one with another, needs to know that there are other names.
 */
#include "ingest/write_int.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/walk.h"
#include "util/buf.h"

/* A scalar of the body that has another name from now on. */
struct renamed {
	const struct val *written;
	const char *name;
};

struct renaming {
	struct writer *w;
	struct renamed *items;
	size_t count, cap;
};

static void
rename_one(struct renaming *r, enum field_type type, const struct val *v)
{
	const char *name = set_name_of(r->w->set, type, v->str.text);

	if (strcmp(name, v->str.text) == 0)
		return;
	if (r->count == r->cap) {
		r->cap = r->cap * 2 + 8;
		r->items = xreallocarray(r->items, r->cap, sizeof *r->items);
	}
	r->items[r->count++] = (struct renamed){ v, name };
}

static void
visit_name(struct walk *walk, const struct field *f, const struct val *value, const char *path)
{
	(void)path;
	if (f->type == FIELD_FIGURES)
		value = val_get(value, "finding");
	if (val_is(value, VAL_STR) && f->type != FIELD_STRING)
		rename_one(walk->context, f->type, value);
}

static int
by_value(const void *pa, const void *pb)
{
	uintptr_t a = (uintptr_t)((const struct renamed *)pa)->written, b = (uintptr_t)((const struct renamed *)pb)->written;

	return (a > b) - (a < b);
}

/* The tree with the names in it; what holds none of them is shared. */
static struct val *
put_names(const struct renaming *r, struct val *v)
{
	struct renamed *found = bsearch(&(struct renamed){ .written = v }, r->items, r->count, sizeof *r->items, by_value);
	struct arena *a = &r->w->arena;
	struct val *copy = v;

	if (found != NULL) {
		copy = val_str(a, found->name);
		copy->quoted = v->quoted;
	} else if (val_is(v, VAL_MAP)) {
		copy = val_map(a);
		for (size_t i = 0; i < v->map.count; i++)
			val_put_shared(a, copy, v->map.entries[i].key, put_names(r, v->map.entries[i].value));
	} else if (val_is(v, VAL_LIST)) {
		copy = val_list(a);
		for (size_t i = 0; i < v->list.count; i++)
			val_push(a, copy, put_names(r, v->list.items[i]));
	}
	copy->at = v->at;
	return copy;
}

struct val *
write_named(struct writer *w, const struct record *r, struct val *body)
{
	struct renaming renaming = { .w = w };
	struct walk walk = { .visit = visit_name, .context = &renaming };
	struct val *named = body;

	walk_record(&walk, set_fields(r->kind, body), body);
	if (renaming.count > 0) {
		qsort(renaming.items, renaming.count, sizeof *renaming.items, by_value);
		named = put_names(&renaming, body);
	}
	free(renaming.items);
	return named;
}
