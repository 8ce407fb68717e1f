/* Whatever is read is written, read back, and the same; what is spliced into it, too, or refused. */
#include "yaml/yn.h"
#include "yaml/yn_splice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
compare(const struct val *x, const struct val *y)
{
	if (x->kind != y->kind || val_count(x) != val_count(y))
		abort();
	if (x->at.line < 1 || x->at.column < 1)
		abort();
	if (x->kind == VAL_STR && (x->str.len != y->str.len ||
	    memcmp(x->str.text, y->str.text, x->str.len) != 0 || (x->quoted && !y->quoted)))
		abort();
	for (size_t i = 0; x->kind == VAL_LIST && i < x->list.count; i++)
		compare(x->list.items[i], y->list.items[i]);
	for (size_t i = 0; x->kind == VAL_MAP && i < x->map.count; i++) {
		if (strcmp(x->map.entries[i].key, y->map.entries[i].key) != 0)
			abort();
		compare(x->map.entries[i].value, y->map.entries[i].value);
	}
}

/* Under a key that is there, or is not: a refusal leaves nothing, all else is what the reader takes. */
static void
splice(struct arena *a, const struct val *v, const char *text, size_t len)
{
	const char *key = val_is(v, VAL_MAP) && v->map.count > 0 ? v->map.entries[0].key : "evidence";
	struct val *link = val_map(a), *again;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	val_put(a, link, "finding", val_str(a, "Kim, J.: {x}"));
	if (yn_splice_item(&out, text, len, "fuzz.yaml", key, link, &e) != OK && out.len > 0)
		abort();
	buf_clear(&out);
	if (yn_splice_item(&out, text, len, "fuzz.yaml", "a-new-key", link, &e) == OK &&
	    yn_parse(&again, a, out.s, out.len, "again.yaml", &e) != OK)
		abort();
	buf_clear(&out);
	if (yn_splice_scalar(&out, text, len, "fuzz.yaml", key, "sha256:0a", &e) != OK && out.len > 0)
		abort();
	buf_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct val *v, *again;
	int rc = yn_parse(&v, &a, (const char *)data, size, "fuzz.yaml", &e);

	if (rc == OK) {
		if (yn_write(&out, v, &e) != OK ||
		    yn_parse(&again, &a, out.s, out.len, "again.yaml", &e) != OK)
			abort();
		compare(v, again);
		splice(&a, v, (const char *)data, size);
	} else if (rc != ERR_INPUT || e.text[0] == '\0' || e.where[0] == '\0') {
		abort();
	}
	buf_release(&out);
	arena_release(&a);
	return 0;
}
