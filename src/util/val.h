/*
 * Trees of values with the places they came from.
 *
 * One tree type serves everything that is read (YAML, JSON) and everything that is
 * written (tables, JSON, CSV, templates). All of it lives in an arena. Maps keep the
 * order of their keys; a door that reads a file refuses a key that stands twice.
 *
 * YAML gives text scalars only: what a scalar means is decided by the field that asks
 * (`no`, `1.10`, `0777` and `~` stay the text they are). A number node is data for
 * JSON, CSV and tables; templates refuse to print one, since a figure in a text is
 * always a quantity.
 */
#ifndef UTIL_VAL_H
#define UTIL_VAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/err.h"

enum val_kind { VAL_NULL, VAL_BOOL, VAL_NUM, VAL_STR, VAL_LIST, VAL_MAP };

struct val_entry {
	const char *key;
	struct place at; /* of the key */
	struct val *value;
};

struct val {
	enum val_kind kind;
	bool quoted;     /* a YAML scalar in quotes or a block scalar */
	struct place at; /* zero in a tree that was built, not read */
	union {
		bool boolean;
		double number;
		struct {
			const char *text; /* valid UTF-8 in NFC, NUL-terminated */
			size_t len;
		} str;
		struct { /* counts of 32 bits keep a node at 40 bytes: a collection has a million of them */
			struct val **items;
			uint32_t count, cap;
		} list;
		struct {
			struct val_entry *entries;
			uint32_t count, cap;
		} map;
	};
};

struct val *val_null(struct arena *a);
struct val *val_bool(struct arena *a, bool b);
struct val *val_num(struct arena *a, double d);
struct val *val_str(struct arena *a, const char *text); /* copies; NULL gives a null value */
struct val *val_strn(struct arena *a, const char *text, size_t len);
struct val *val_str_shared(struct arena *a, const char *text); /* of a text that lives as long */
struct val *val_strf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct val *val_list(struct arena *a);
struct val *val_map(struct arena *a);

/* Append. `key` is copied; the value is shared, not copied. Both return `value`. */
struct val *val_push(struct arena *a, struct val *list, struct val *value);
struct val *val_put(struct arena *a, struct val *map, const char *key, struct val *value);
/* The same with a key that lives as long as the map. */
struct val *val_put_shared(struct arena *a, struct val *map, const char *key, struct val *value);

/* All at once, one or more, into an empty map or (the keys ignored) list. Keys and values are shared. */
void val_fill(struct arena *a, struct val *v, const struct val_entry *entries, size_t count);

/* NULL where there is none, or where `v` is NULL or no map. */
struct val *val_get(const struct val *v, const char *key);
const struct val_entry *val_entry(const struct val *v, const char *key);
/* Follow "a.b.c"; a number selects from a list. */
struct val *val_path(const struct val *v, const char *path);
/* The text of a string node under `key` (of v itself for val_text); NULL if there is none. */
const char *val_get_text(const struct val *v, const char *key);
const char *val_text(const struct val *v);
bool val_is(const struct val *v, enum val_kind kind); /* false for NULL */
size_t val_count(const struct val *v);                /* items of a list or map; else 0 */

/* The first entry whose key stands before it in the map as well, and that one; or NULL. */
const struct val_entry *val_duplicate(const struct val *map, const struct val_entry **earlier);

/* "text", "list", "map", ...: for messages. */
const char *val_kind_name(enum val_kind kind);

#endif
