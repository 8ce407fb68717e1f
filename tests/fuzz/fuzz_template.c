/*
 * Templates from the input, over a tree that has one of each kind. A first byte chooses the
 * extension; what stands behind a NUL is a partial named p.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "render/template.h"
#include "util/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const char *text, *partial;
	size_t len, partial_len;
};

static const char *
find(void *data, const char *name, size_t *len)
{
	const struct input *in = data;

	if (strncmp(name, "t.", 2) == 0) {
		*len = in->len;
		return in->text;
	}
	*len = in->partial_len;
	return strncmp(name, "p", 1) == 0 ? in->partial : NULL;
}

static struct val *
make_context(struct arena *a)
{
	struct val *v = val_map(a), *list = val_list(a), *item = val_map(a);

	val_put(a, v, "t", val_str(a, "# <b>|*x* 1. y\n- 한"));
	val_put(a, v, "e", val_str(a, ""));
	val_put(a, v, "n", val_num(a, 1));
	val_put(a, v, "y", val_bool(a, true));
	val_put(a, v, "z", val_null(a));
	val_put(a, v, "l", list);
	val_push(a, list, val_str(a, "1"));
	val_push(a, list, item);
	val_put(a, item, "t", val_str(a, "inner"));
	val_put(a, item, "m", v); /* no tree of ours goes in a circle, but this must end too */
	return v;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "t.md", "t.html", "t.txt", "t.svg" };
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct input in = { .text = (const char *)data + 1 };
	struct render_loader loader = { find, &in };
	const char *nul;
	int rc;

	if (size == 0)
		return 0;
	in.len = size - 1;
	nul = memchr(in.text, '\0', in.len);
	if (nul != NULL) {
		in.partial = nul + 1;
		in.partial_len = in.len - (size_t)(nul + 1 - in.text);
		in.len = (size_t)(nul - in.text);
	}
	rc = render_template(&out, &loader, names[data[0] % 4], make_context(&a), &e);
	assert(rc == OK || (rc == ERR_INPUT && e.text[0] != '\0'));
	buf_release(&out);
	arena_release(&a);
	return 0;
}
