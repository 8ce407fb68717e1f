#include "ingest/reviewed.h"

#include <stdbool.h>
#include <string.h>

#include "render/json.h"
#include "util/buf.h"

static bool
is_left_out(const char *key)
{
	static const char *const keys[] = { "accessed", "review_by", "findings", "names", NULL };

	for (int i = 0; keys[i] != NULL; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

int
reviewed_fingerprint(struct hash *out, struct arena *a, const struct val *source,
    const struct val *finding, struct err *e)
{
	struct val *kept = val_map(a);
	struct buf json = BUF_INIT;
	int rc;

	for (size_t i = 0; i < source->map.count; i++)
		if (!is_left_out(source->map.entries[i].key))
			val_put_shared(a, kept, source->map.entries[i].key, source->map.entries[i].value);
	rc = render_json(&json, kept, RENDER_JSON_COMPACT, e);
	buf_putc(&json, '\n');
	if (rc == OK)
		rc = render_json(&json, finding, RENDER_JSON_COMPACT, e);
	*out = hash_bytes(json.s, json.len);
	buf_release(&json);
	return rc;
}
