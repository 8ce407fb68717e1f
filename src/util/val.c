#include "util/val.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

static struct val *
make(struct arena *a, enum val_kind kind)
{
	struct val *v = arena_alloc(a, sizeof *v);

	v->kind = kind;
	return v;
}

struct val *
val_null(struct arena *a)
{
	return make(a, VAL_NULL);
}

struct val *
val_bool(struct arena *a, bool b)
{
	struct val *v = make(a, VAL_BOOL);

	v->boolean = b;
	return v;
}

struct val *
val_num(struct arena *a, double d)
{
	struct val *v = make(a, VAL_NUM);

	v->number = d;
	return v;
}

struct val *
val_strn(struct arena *a, const char *text, size_t len)
{
	struct val *v = make(a, VAL_STR);

	v->str.text = arena_strndup(a, text, len);
	v->str.len = len;
	return v;
}

struct val *
val_str(struct arena *a, const char *text)
{
	return text == NULL ? val_null(a) : val_strn(a, text, strlen(text));
}

struct val *
val_str_shared(struct arena *a, const char *text)
{
	struct val *v;

	if (text == NULL)
		return val_null(a);
	v = make(a, VAL_STR);
	v->str.text = text;
	v->str.len = strlen(text);
	return v;
}

struct val *
val_strf(struct arena *a, const char *fmt, ...)
{
	char small[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	if ((size_t)n < sizeof small)
		return val_strn(a, small, (size_t)n);

	struct val *v = make(a, VAL_STR);
	char *text = arena_alloc(a, (size_t)n + 1);

	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	v->str.text = text;
	v->str.len = (size_t)n;
	return v;
}

struct val *
val_list(struct arena *a)
{
	return make(a, VAL_LIST);
}

struct val *
val_map(struct arena *a)
{
	return make(a, VAL_MAP);
}

/*
 * Room for one more in an array of an arena: the old array is left to the arena. Most maps and lists of
 * a record have one or two items.
 */
static void *
room(struct arena *a, void *items, uint32_t count, uint32_t *cap, size_t size)
{
	void *larger;

	if (count < *cap)
		return items;
	if (*cap > UINT32_MAX / 2)
		abort();
	*cap = *cap == 0 ? 1 : *cap * 2;
	larger = arena_alloc(a, *cap * size);
	if (count > 0)
		memcpy(larger, items, count * size);
	return larger;
}

struct val *
val_push(struct arena *a, struct val *list, struct val *value)
{
	list->list.items = room(a, list->list.items, list->list.count, &list->list.cap,
	    sizeof *list->list.items);
	list->list.items[list->list.count++] = value;
	return value;
}

struct val *
val_put(struct arena *a, struct val *map, const char *key, struct val *value)
{
	return val_put_shared(a, map, arena_strdup(a, key), value);
}

struct val *
val_put_shared(struct arena *a, struct val *map, const char *key, struct val *value)
{
	struct val_entry *entry;

	map->map.entries = room(a, map->map.entries, map->map.count, &map->map.cap,
	    sizeof *map->map.entries);
	entry = &map->map.entries[map->map.count++];
	entry->key = key;
	entry->at = value->at;
	entry->value = value;
	return value;
}

void
val_fill(struct arena *a, struct val *v, const struct val_entry *entries, size_t count)
{
	if (count > UINT32_MAX)
		abort();
	if (v->kind == VAL_LIST) {
		v->list.items = arena_alloc(a, count * sizeof *v->list.items);
		for (size_t i = 0; i < count; i++)
			v->list.items[i] = entries[i].value;
		v->list.count = v->list.cap = (uint32_t)count;
		return;
	}
	v->map.entries = arena_alloc(a, count * sizeof *entries);
	memcpy(v->map.entries, entries, count * sizeof *entries);
	v->map.count = v->map.cap = (uint32_t)count;
}

const struct val_entry *
val_entry(const struct val *v, const char *key)
{
	if (!val_is(v, VAL_MAP))
		return NULL;
	for (size_t i = 0; i < v->map.count; i++) {
		const char *its = v->map.entries[i].key;

		if (its[0] == key[0] && strcmp(its, key) == 0) /* few keys of a map begin alike */
			return &v->map.entries[i];
	}
	return NULL;
}

struct val *
val_get(const struct val *v, const char *key)
{
	const struct val_entry *entry = val_entry(v, key);

	return entry == NULL ? NULL : entry->value;
}

struct val *
val_path(const struct val *v, const char *path)
{
	char key[128];
	struct val *found = NULL;

	for (;;) {
		size_t n = strcspn(path, ".");

		if (n >= sizeof key)
			return NULL;
		memcpy(key, path, n);
		key[n] = '\0';
		if (val_is(v, VAL_LIST)) {
			char *end;
			unsigned long i = strtoul(key, &end, 10);

			if (end == key || *end != '\0' || i >= v->list.count)
				return NULL;
			found = v->list.items[i];
		} else {
			found = val_get(v, key);
		}
		if (found == NULL || path[n] == '\0')
			return found;
		v = found;
		path += n + 1;
	}
}

const char *
val_text(const struct val *v)
{
	return val_is(v, VAL_STR) ? v->str.text : NULL;
}

const char *
val_get_text(const struct val *v, const char *key)
{
	return val_text(val_get(v, key));
}

bool
val_is(const struct val *v, enum val_kind kind)
{
	return v != NULL && v->kind == kind;
}

size_t
val_count(const struct val *v)
{
	if (val_is(v, VAL_LIST))
		return v->list.count;
	return val_is(v, VAL_MAP) ? v->map.count : 0;
}

static int
by_key(const void *pa, const void *pb)
{
	const struct val_entry *a = *(const struct val_entry *const *)pa;
	const struct val_entry *b = *(const struct val_entry *const *)pb;
	int order = strcmp(a->key, b->key);

	return order != 0 ? order : (a > b) - (a < b);
}

const struct val_entry *
val_duplicate(const struct val *map, const struct val_entry **earlier)
{
	const struct val_entry **sorted, *found = NULL;
	size_t n = map->map.count;

	if (n < 2)
		return NULL;
	/* Sorted, since a hostile map of 100,000 keys must not take 10^10 comparisons. */
	sorted = xmalloc(n * sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &map->map.entries[i];
	qsort(sorted, n, sizeof *sorted, by_key);
	for (size_t i = 1; i < n; i++) {
		if (strcmp(sorted[i - 1]->key, sorted[i]->key) != 0)
			continue;
		if (found == NULL || sorted[i] < found) {
			found = sorted[i];
			*earlier = sorted[i - 1];
		}
	}
	free(sorted);
	return found;
}

const char *
val_kind_name(enum val_kind kind)
{
	static const char *const names[] = {
		[VAL_NULL] = "nothing", [VAL_BOOL] = "yes or no", [VAL_NUM] = "a number",
		[VAL_STR] = "text", [VAL_LIST] = "a list", [VAL_MAP] = "a map",
	};

	return names[kind];
}
