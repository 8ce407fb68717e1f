#include "ingest/reviewed.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "render/json.h"
#include "util/buf.h"

/* A name is nothing that is said: a record that is only renamed is what it was. */
static const char *const names[] = { "id", "aliases", NULL };
static const char *const others[] = { "aliases", NULL };
/* Of a source: when somebody looked at it, its findings, and for whose texts which names count. */
static const char *const beside[] = { "aliases", "accessed", "review_by", "findings", "names", NULL };

static bool
is_one_of(const char *key, const char *const *keys)
{
	for (int i = 0; keys[i] != NULL; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/*
 * The JSON of a map but for these keys, its id as `id` if that is not NULL. The map was checked: its tree is of
 * texts, which are always JSON.
 */
static void
add_without(struct buf *json, const struct val *map, const char *const *keys, struct val *id)
{
	struct arena a = ARENA_INIT;
	struct val *kept = val_map(&a);
	struct err e = ERR_INIT;

	for (size_t i = 0; i < map->map.count; i++) {
		const struct val_entry *entry = &map->map.entries[i];

		if (!is_one_of(entry->key, keys))
			val_put_shared(&a, kept, entry->key, id != NULL && strcmp(entry->key, "id") == 0 ? id : entry->value);
	}
	if (render_json(json, kept, RENDER_JSON_COMPACT, &e) != OK)
		abort();
	arena_release(&a);
}

static struct hash
hash_and_release(struct buf *json)
{
	struct hash hash = hash_bytes(json->s, json->len);

	buf_release(json);
	return hash;
}

struct hash
said_fingerprint(const struct val *body)
{
	struct buf json = BUF_INIT;

	add_without(&json, body, names, NULL);
	return hash_and_release(&json);
}

static struct hash
reviewed_as(const struct val *source, struct val *source_id, const struct val *finding, struct val *id)
{
	struct buf json = BUF_INIT;

	add_without(&json, source, beside, source_id);
	buf_putc(&json, '\n');
	add_without(&json, finding, others, id);
	return hash_and_release(&json);
}

struct hash
reviewed_fingerprint(const struct val *source, const struct val *finding)
{
	return reviewed_as(source, NULL, finding, NULL);
}

bool
reviewed_is(const struct val *source, const struct val *finding, const char *fingerprint)
{
	const struct val *sources = val_get(source, "aliases"), *own = val_get(finding, "aliases");
	size_t n = strlen(fingerprint);
	bool is = false;

	for (size_t i = 0; !is && n >= REVIEWED_SHORT && i <= val_count(sources); i++)
		for (size_t k = 0; !is && k <= val_count(own); k++)
			is = strncasecmp(reviewed_as(source, i > 0 ? sources->list.items[i - 1] : NULL, finding,
			    k > 0 ? own->list.items[k - 1] : NULL).hex, fingerprint, n) == 0;
	return is;
}
