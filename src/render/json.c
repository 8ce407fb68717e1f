#include "render/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "quantity/quantity.h"
#include "util/utf8.h"

enum { LINE_MAX_BYTES = 96 };

/* The way to a value, for messages. */
struct step {
	const struct step *outer;
	const char *key; /* NULL: the item of a list */
	size_t index;
};

struct writer {
	struct buf *out;
	bool pretty;
	struct err *e;
};

static void
put_path(struct buf *b, const struct step *step)
{
	if (step == NULL)
		return;
	put_path(b, step->outer);
	if (step->key == NULL)
		buf_printf(b, "[%zu]", step->index);
	else
		buf_printf(b, "%s%s", step->outer == NULL ? "" : ".", step->key);
}

static int
fail(struct writer *w, const struct step *step, const char *expected)
{
	struct buf path = BUF_INIT;
	int rc;

	put_path(&path, step);
	rc = err_set(w->e, ERR_INPUT, "expected %s at %s of the JSON", expected,
	    path.len > 0 ? path.s : "the top");
	buf_release(&path);
	return rc;
}

static void
put_escape(struct buf *out, uint32_t cp)
{
	static const char letters[] = { ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
		['\t'] = 't', ['"'] = '"', ['\\'] = '\\' };

	if (cp < sizeof letters && letters[cp] != '\0')
		buf_printf(out, "\\%c", letters[cp]);
	else
		buf_printf(out, "\\u%04x", (unsigned)cp);
}

/* U+2028 and U+2029 are escaped too: JavaScript once took them for line ends. */
bool
render_json_string(struct buf *out, const char *text, size_t len)
{
	size_t kept = 0; /* up to here it is in `out` */

	buf_putc(out, '"');
	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0)
			return false;
		if (cp < 0x20 || cp == '"' || cp == '\\' || cp == 0x7F || cp == 0x2028 ||
		    cp == 0x2029) {
			buf_add(out, text + kept, i - kept);
			put_escape(out, cp);
			kept = i + n;
		}
		i += n;
	}
	buf_add(out, text + kept, len - kept);
	buf_putc(out, '"');
	return true;
}

static bool
is_nested(const struct val *v)
{
	for (size_t i = 0; i < val_count(v); i++) {
		const struct val *item = v->kind == VAL_LIST ? v->list.items[i] :
		    v->map.entries[i].value;

		if (val_count(item) > 0)
			return true;
	}
	return false;
}

static int write_value(struct writer *w, const struct val *v, int depth, const struct step *step);

/* `indent` levels of two blanks on a new line; none: on this one. */
static void
put_break(struct writer *w, bool lines, int indent)
{
	if (!lines)
		return;
	buf_putc(w->out, '\n');
	while (indent-- > 0)
		buf_puts(w->out, "  ");
}

static int
write_items(struct writer *w, const struct val *v, int depth, const struct step *outer, bool lines)
{
	bool list = v->kind == VAL_LIST;

	buf_putc(w->out, list ? '[' : '{');
	for (size_t i = 0; i < val_count(v); i++) {
		const struct val_entry *entry = list ? NULL : &v->map.entries[i];
		struct step step = { outer, list ? NULL : entry->key, i };
		int rc;

		if (i > 0)
			buf_puts(w->out, w->pretty && !lines ? ", " : ",");
		put_break(w, lines, depth + 1);
		if (!list) {
			if (!render_json_string(w->out, entry->key, strlen(entry->key)))
				return fail(w, outer, "keys in UTF-8");
			buf_puts(w->out, w->pretty ? ": " : ":");
		}
		rc = write_value(w, list ? v->list.items[i] : entry->value, depth + 1, &step);
		if (rc != OK)
			return rc;
	}
	put_break(w, lines && val_count(v) > 0, depth);
	buf_putc(w->out, list ? ']' : '}');
	return OK;
}

static int
write_container(struct writer *w, const struct val *v, int depth, const struct step *step)
{
	size_t start = w->out->len;
	int rc;

	if (depth == RENDER_JSON_DEPTH)
		return fail(w, NULL, "fewer lists and maps in each other");
	if (!w->pretty)
		return write_items(w, v, depth, step, false);
	if (is_nested(v))
		return write_items(w, v, depth, step, true);
	rc = write_items(w, v, depth, step, false);
	if (rc != OK || w->out->len - start + 2 * (size_t)depth <= LINE_MAX_BYTES)
		return rc;
	w->out->len = start;
	return write_items(w, v, depth, step, true);
}

static int
write_value(struct writer *w, const struct val *v, int depth, const struct step *step)
{
	char number[64];

	if (v == NULL || v->kind == VAL_NULL) {
		buf_puts(w->out, "null");
		return OK;
	}
	switch (v->kind) {
	case VAL_BOOL:
		buf_puts(w->out, v->boolean ? "true" : "false");
		return OK;
	case VAL_NUM:
		if (!isfinite(v->number))
			return fail(w, step, "a finite number");
		buf_puts(w->out, quantity_number(number, sizeof number, v->number));
		return OK;
	case VAL_STR:
		return render_json_string(w->out, v->str.text, v->str.len) ? OK : fail(w, step, "UTF-8");
	default:
		return write_container(w, v, depth, step);
	}
}

int
render_json(struct buf *out, const struct val *v, enum render_json_style style, struct err *e)
{
	struct writer w = { out, style == RENDER_JSON_PRETTY, e };
	int rc = write_value(&w, v, 0, NULL);

	if (rc == OK && w.pretty)
		buf_putc(out, '\n');
	return rc;
}
