#include "yaml/yn_splice.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "util/utf8.h"
#include "yaml/yn.h"

/* Where things are, in code points behind the byte order mark. */
struct spot {
	size_t last;         /* end of the last scalar or bracket so far */
	size_t map_column;   /* of the keys */
	bool is_map;         /* the value is a map in block style */
	bool found;          /* the key */
	size_t value, value_end; /* of a scalar under it */
	bool scalar, list, flow;
	size_t items;
	size_t list_at, list_column; /* its first item, or its bracket */
	size_t item_end;     /* of its last item */
};

struct finder {
	const char *key;
	struct spot *spot;
	size_t depth;
	bool expects_key; /* in the outermost map */
	bool in_list;     /* in the list under the key */
};

static bool
is_start(const yaml_event_t *event)
{
	return event->type == YAML_MAPPING_START_EVENT || event->type == YAML_SEQUENCE_START_EVENT;
}

static bool
is_end(const yaml_event_t *event)
{
	return event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT;
}

/* The value of the key that is looked for begins here. */
static void
take_value(struct finder *f, const yaml_event_t *event)
{
	struct spot *s = f->spot;

	s->value = event->start_mark.index;
	s->value_end = event->end_mark.index;
	s->scalar = event->type == YAML_SCALAR_EVENT;
	s->list = event->type == YAML_SEQUENCE_START_EVENT;
	if (s->list) {
		s->flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
		s->list_at = event->start_mark.index;
		s->list_column = event->start_mark.column;
		f->in_list = true;
	}
}

/* A node that stands in the outermost map, as key or as value. */
static void
take_outer(struct finder *f, const yaml_event_t *event, bool *wanted)
{
	if (f->expects_key) {
		*wanted = event->type == YAML_SCALAR_EVENT &&
		    strcmp((const char *)event->data.scalar.value, f->key) == 0;
		f->spot->found |= *wanted;
	} else if (*wanted) {
		take_value(f, event);
	}
	f->expects_key = !f->expects_key;
}

/*
 * The end of a block map or list is where libyaml noticed it, behind comments that may belong to what
 * follows; a plain scalar ends with its text, a bracket with itself. So those two say where things end.
 */
static void
take_event(struct finder *f, const yaml_event_t *event, bool *wanted)
{
	struct spot *s = f->spot;
	bool node = is_start(event) || event->type == YAML_SCALAR_EVENT;

	if (f->depth == 0 && event->type == YAML_MAPPING_START_EVENT) {
		s->is_map = event->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE;
		s->map_column = event->start_mark.column;
		f->expects_key = true;
	} else if (f->depth == 1 && node) {
		take_outer(f, event, wanted);
	} else if (f->depth == 2 && node && f->in_list) {
		s->items++;
	}
	if (is_end(event) && f->depth == 2 && f->in_list)
		f->in_list = false;
	else if (event->type == YAML_SCALAR_EVENT ||
	    (is_end(event) && event->end_mark.index > event->start_mark.index)) {
		if (f->in_list)
			s->item_end = event->end_mark.index;
	}
	if (event->type == YAML_SCALAR_EVENT ||
	    (is_end(event) && event->end_mark.index > event->start_mark.index))
		s->last = event->end_mark.index;
	if (is_start(event))
		f->depth++;
	else if (is_end(event))
		f->depth--;
}

static int
find(struct spot *spot, const char *text, size_t len, const char *file, const char *key, struct err *e)
{
	struct finder f = { .key = key, .spot = spot };
	struct arena a = ARENA_INIT;
	yaml_parser_t parser;
	struct val *ignored;
	bool wanted = false, end = false;
	int rc = yn_parse(&ignored, &a, text, len, file, e);

	arena_release(&a);
	if (rc != OK)
		return rc;
	memset(spot, 0, sizeof *spot);
	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text + utf8_bom(text, len),
	    len - utf8_bom(text, len));
	while (!end) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event))
			abort(); /* yn_parse took it */
		end = event.type == YAML_STREAM_END_EVENT;
		take_event(&f, &event, &wanted);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	if (!spot->is_map)
		return err_at(e, ERR_INPUT, (struct place){ file, 1, 1 },
		    "expected a map with its keys on lines of their own, to be added to");
	return OK;
}

/* The byte that a mark stands for. */
static size_t
byte_of(const char *text, size_t len, size_t index)
{
	size_t at = utf8_bom(text, len);

	for (; index > 0 && at < len; index--)
		for (at++; at < len && (text[at] & 0xC0) == 0x80;)
			at++;
	return at;
}

static const char *
line_end_of(const char *text, size_t len)
{
	const char *lf = memchr(text, '\n', len);

	return lf != NULL && lf > text && lf[-1] == '\r' ? "\r\n" : "\n";
}

/* The first byte of the line after the one that holds `at`, or `at` where a line begins there. */
static size_t
next_line(const char *text, size_t len, size_t at)
{
	const char *lf;

	if (at > 0 && text[at - 1] == '\n')
		return at;
	lf = memchr(text + at, '\n', len - at);
	return lf != NULL ? (size_t)(lf - text) + 1 : len;
}

/* The text with a piece in place of the bytes from `from` to `to`. */
static void
put(struct buf *out, const char *text, size_t len, size_t from, size_t to, const char *piece)
{
	buf_add(out, text, from);
	buf_puts(out, piece);
	buf_add(out, text + to, len - to);
}

/* A line of its own behind the line in which `index` is. */
static void
put_line(struct buf *out, const char *text, size_t len, size_t index, size_t indent, const char *line)
{
	size_t at = next_line(text, len, byte_of(text, len, index));
	const char *eol = line_end_of(text, len);
	struct buf piece = BUF_INIT;

	if (at > 0 && text[at - 1] != '\n')
		buf_puts(&piece, eol);
	buf_printf(&piece, "%*s%s%s", (int)indent, "", line, eol);
	put(out, text, len, at, at, piece.s);
	buf_release(&piece);
}

/* ---- what came of it ---- */

static bool
is_same(const struct val *x, const struct val *y)
{
	bool same = x->kind == y->kind && val_count(x) == val_count(y);

	if (same && x->kind == VAL_STR)
		return x->str.len == y->str.len && memcmp(x->str.text, y->str.text, x->str.len) == 0;
	for (size_t i = 0; same && x->kind == VAL_LIST && i < x->list.count; i++)
		same = is_same(x->list.items[i], y->list.items[i]);
	for (size_t i = 0; same && x->kind == VAL_MAP && i < x->map.count; i++)
		same = strcmp(x->map.entries[i].key, y->map.entries[i].key) == 0 &&
		    is_same(x->map.entries[i].value, y->map.entries[i].value);
	return same;
}

/* The value under `key` is `wanted`, or ends in it, and all others are what they were, in their order. */
static bool
is_spliced(const struct val *before, const struct val *after, const char *key, const struct val *wanted)
{
	const struct val *value = val_get(after, key), *old = val_get(before, key);
	size_t n = val_count(value);

	if (value == NULL || val_count(after) != val_count(before) + (old == NULL))
		return false;
	for (size_t i = 0; i < val_count(before); i++)
		if (strcmp(before->map.entries[i].key, key) != 0 &&
		    (strcmp(before->map.entries[i].key, after->map.entries[i].key) != 0 ||
		    !is_same(before->map.entries[i].value, after->map.entries[i].value)))
			return false;
	if (wanted->kind == VAL_STR)
		return is_same(value, wanted);
	if (!val_is(value, VAL_LIST) || n != val_count(old) + 1)
		return false;
	for (size_t i = 0; i + 1 < n; i++)
		if (!is_same(value->list.items[i], old->list.items[i]))
			return false;
	return is_same(value->list.items[n - 1], wanted);
}

/* YAML has layouts in which a line that is put in means another thing: those are left to people. */
static int
take_checked(struct buf *out, const struct buf *piece, const char *text, size_t len, const char *file,
    const char *key, const struct val *wanted, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct err inside = ERR_INIT;
	struct val *before, *after;
	int rc = OK;

	if (yn_parse(&before, &a, text, len, file, &inside) == OK &&
	    yn_parse(&after, &a, piece->s, piece->len, file, &inside) == OK &&
	    is_spliced(before, after, key, wanted))
		buf_add(out, piece->s, piece->len);
	else
		rc = err_at(e, ERR_INPUT, (struct place){ file, 0, 0 },
		    "`%s` cannot be added to this layout of lines without a change to the rest", key);
	arena_release(&a);
	return rc;
}

int
yn_splice_scalar(struct buf *out, const char *text, size_t len, const char *file, const char *key,
    const char *scalar, struct err *e)
{
	const struct val v = { .kind = VAL_STR, .str = { scalar, strlen(scalar) } };
	struct buf flow = BUF_INIT, line = BUF_INIT, whole = BUF_INIT;
	struct spot spot;
	int rc = find(&spot, text, len, file, key, e);

	if (rc == OK)
		rc = yn_write_flow(&flow, &v, e);
	if (rc == OK && spot.found && (!spot.scalar || spot.value == spot.value_end))
		rc = err_at(e, ERR_INPUT, (struct place){ file, 0, 0 }, "expected a text under `%s`, to be replaced", key);
	if (rc == OK && spot.found) {
		put(&whole, text, len, byte_of(text, len, spot.value), byte_of(text, len, spot.value_end), flow.s);
	} else if (rc == OK) {
		buf_printf(&line, "%s: %s", key, flow.s);
		put_line(&whole, text, len, spot.last, spot.map_column, line.s);
	}
	if (rc == OK)
		rc = take_checked(out, &whole, text, len, file, key, &v, e);
	buf_release(&flow);
	buf_release(&line);
	buf_release(&whole);
	return rc;
}

static void
put_item(struct buf *out, const char *text, size_t len, const struct spot *spot, const char *key, const char *item)
{
	struct buf piece = BUF_INIT;

	if (!spot->found) {
		buf_printf(&piece, "%s:%s%*s- %s", key, line_end_of(text, len), (int)spot->map_column, "", item);
		put_line(out, text, len, spot->last, spot->map_column, piece.s);
	} else if (!spot->flow) {
		buf_printf(&piece, "- %s", item);
		put_line(out, text, len, spot->item_end, spot->list_column, piece.s);
	} else {
		size_t at = byte_of(text, len, spot->items > 0 ? spot->item_end : spot->list_at + 1);

		buf_printf(&piece, "%s%s", spot->items > 0 ? ", " : "", item);
		put(out, text, len, at, at, piece.s);
	}
	buf_release(&piece);
}

int
yn_splice_item(struct buf *out, const char *text, size_t len, const char *file, const char *key,
    const struct val *item, struct err *e)
{
	struct buf flow = BUF_INIT, whole = BUF_INIT;
	struct spot spot;
	int rc = find(&spot, text, len, file, key, e);

	if (rc == OK)
		rc = yn_write_flow(&flow, item, e);
	if (rc == OK && spot.found && !spot.list)
		rc = err_at(e, ERR_INPUT, (struct place){ file, 0, 0 }, "expected a list under `%s`, to be added to", key);
	if (rc == OK) {
		put_item(&whole, text, len, &spot, key, flow.s);
		rc = take_checked(out, &whole, text, len, file, key, item, e);
	}
	buf_release(&flow);
	buf_release(&whole);
	return rc;
}

int
yn_splice_entry(struct buf *out, const char *text, size_t len, const struct val *item, const char *like,
    struct err *e)
{
	struct val *items[] = { NULL };
	struct val list = { .kind = VAL_LIST, .list = { items, 1, 1 } };
	const char *eol = len > 0 ? line_end_of(text, len) : line_end_of(like, strlen(like));
	struct val copy = *item;
	struct buf entry = BUF_INIT;
	int rc;

	items[0] = &copy;
	rc = yn_write(&entry, &list, e);
	if (rc == OK) {
		buf_add(out, text, len);
		if (len > 0 && text[len - 1] != '\n')
			buf_puts(out, eol);
		for (const char *c = entry.s; *c != '\0'; c++) {
			if (*c == '\n')
				buf_puts(out, eol);
			else
				buf_putc(out, *c);
		}
	}
	buf_release(&entry);
	return rc;
}
