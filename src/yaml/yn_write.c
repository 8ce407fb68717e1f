#include "yaml/yn.h"

#include "util/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer keys need "? ": a simple one ends within 1,024 characters. */
enum { KEY_BYTES = 1000 };

struct writer {
	struct buf *out;
	struct err *e;
};

static int write_node(struct writer *w, const struct val *v, size_t column, size_t depth);

static void
pad(struct buf *out, size_t indent)
{
	while (indent-- > 0)
		buf_putc(out, ' ');
}

/* May the text stand without quotes, as a key or as a value in a block? */
static bool
is_plain(const char *text, size_t len)
{
	if (len == 0 || text[0] == ' ' || text[len - 1] == ' ' || text[len - 1] == ':')
		return false;
	if (strchr(",[]{}#&*!|>'\"%@`", text[0]) != NULL)
		return false;
	if (strchr("-?:", text[0]) != NULL && (len == 1 || text[1] == ' '))
		return false;
	if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0 || strcmp(text, "<<") == 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)text[i] < 0x20)
			return false;
		if (text[i] == ':' && text[i + 1] == ' ')
			return false;
		if (text[i] == '#' && text[i - 1] == ' ')
			return false;
	}
	return true;
}

/* May the text stand as a literal block? Lines that begin with blanks are left to quotes. */
static bool
is_block(const char *text, size_t len)
{
	if (memchr(text, '\n', len) == NULL || strchr(" \n", text[0]) != NULL)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 && text[i] != '\n')
			return false;
	return len < 2 || text[len - 1] != '\n' || text[len - 2] != '\n';
}

static void
write_quoted(struct buf *out, const char *text, size_t len)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '"':
			buf_puts(out, "\\\"");
			break;
		case '\\':
			buf_puts(out, "\\\\");
			break;
		case '\n':
			buf_puts(out, "\\n");
			break;
		case '\r':
			buf_puts(out, "\\r");
			break;
		case '\t':
			buf_puts(out, "\\t");
			break;
		default:
			buf_putc(out, text[i]);
		}
	}
	buf_putc(out, '"');
}

static void
write_block(struct buf *out, const char *text, size_t len, size_t indent)
{
	buf_puts(out, text[len - 1] == '\n' ? "|\n" : "|-\n");
	for (size_t i = 0; i < len;) {
		const char *end = memchr(text + i, '\n', len - i);
		size_t n = end == NULL ? len - i : (size_t)(end - text) - i;

		if (n > 0)
			pad(out, indent);
		buf_add(out, text + i, n);
		buf_putc(out, '\n');
		i += n + 1;
	}
}

/* What the reader would refuse must not be written. */
static int
check_text(struct writer *w, const char *text, size_t len)
{
	struct err inside = ERR_INIT;

	if (utf8_bom(text, len) == 0 && utf8_check(text, len, NULL, &inside) == OK)
		return OK;
	return err_set(w->e, ERR_INPUT, "a text cannot be written as YAML: %s",
	    inside.code != OK ? inside.text : "it begins with a byte order mark");
}

static int
write_text(struct writer *w, const struct val *v, size_t column)
{
	const char *text = v->str.text;
	size_t len = v->str.len;
	int rc = check_text(w, text, len);

	if (rc != OK)
		return rc;
	buf_putc(w->out, ' ');
	if (is_block(text, len)) {
		write_block(w->out, text, len, column + 2);
		return OK;
	}
	if (!v->quoted && is_plain(text, len))
		buf_add(w->out, text, len);
	else
		write_quoted(w->out, text, len);
	buf_putc(w->out, '\n');
	return OK;
}

/* The fewest digits that read back as the same number. */
static int
write_number(struct writer *w, double d)
{
	char digits[40];

	if (!isfinite(d))
		return err_set(w->e, ERR_INPUT, "expected a finite number to write as YAML");
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, d);
		if (strtod(digits, NULL) == d)
			break;
	}
	buf_printf(w->out, " %s\n", digits);
	return OK;
}

/* "key:" of an entry, or "? key" and ":" in two lines. */
static int
write_key(struct writer *w, const char *text, size_t column)
{
	struct buf key = BUF_INIT;
	size_t len = strlen(text);
	int rc = check_text(w, text, len);

	if (rc != OK)
		return rc;
	if (is_plain(text, len))
		buf_add(&key, text, len);
	else
		write_quoted(&key, text, len);
	if (key.len > KEY_BYTES) {
		buf_printf(w->out, "? %s\n", key.s);
		pad(w->out, column);
	} else {
		buf_add(w->out, key.s, key.len);
	}
	buf_putc(w->out, ':');
	buf_release(&key);
	return OK;
}

static int
write_map(struct writer *w, const struct val *v, size_t column, size_t depth)
{
	for (size_t i = 0; i < v->map.count; i++) {
		const struct val_entry *entry = &v->map.entries[i];
		bool nested = val_count(entry->value) > 0;
		/* A list stands in the column of its key. */
		size_t below = nested && entry->value->kind == VAL_MAP ? column + 2 : column;
		int rc;

		if (i > 0)
			pad(w->out, column);
		rc = write_key(w, entry->key, column);
		if (rc != OK)
			return rc;
		if (nested) {
			buf_putc(w->out, '\n');
			pad(w->out, below);
		}
		rc = write_node(w, entry->value, below, depth + 1);
		if (rc != OK)
			return rc;
	}
	return OK;
}

static int
write_list(struct writer *w, const struct val *v, size_t column, size_t depth)
{
	for (size_t i = 0; i < v->list.count; i++) {
		const struct val *item = v->list.items[i];
		bool nested = val_count(item) > 0;
		int rc;

		if (i > 0)
			pad(w->out, column);
		buf_puts(w->out, nested ? "- " : "-");
		rc = write_node(w, item, nested ? column + 2 : column, depth + 1);
		if (rc != OK)
			return rc;
	}
	return OK;
}

/*
 * Behind what introduces it: a map or list begins in the present line at `column`; anything
 * else goes behind a blank, with further lines to the right of `column`.
 */
static int
write_node(struct writer *w, const struct val *v, size_t column, size_t depth)
{
	switch (v->kind) {
	case VAL_NULL:
		buf_putc(w->out, '\n');
		return OK;
	case VAL_BOOL:
		buf_puts(w->out, v->boolean ? " true\n" : " false\n");
		return OK;
	case VAL_NUM:
		return write_number(w, v->number);
	case VAL_STR:
		return write_text(w, v, column);
	case VAL_LIST:
	case VAL_MAP:
		break;
	}
	if (depth >= YN_MAX_DEPTH)
		return err_set(w->e, ERR_INPUT,
		    "expected maps and lists at most %d deep to write as YAML", YN_MAX_DEPTH);
	if (val_count(v) == 0) {
		buf_puts(w->out, v->kind == VAL_MAP ? " {}\n" : " []\n");
		return OK;
	}
	return v->kind == VAL_MAP ? write_map(w, v, column, depth) :
	    write_list(w, v, column, depth);
}

int
yn_write(struct buf *out, const struct val *v, struct err *e)
{
	struct writer w = { out, e };

	if (val_is(v, VAL_NULL))
		return err_set(e, ERR_INPUT, "expected something to write as YAML, found nothing");
	return write_node(&w, v, 0, 0);
}

/* ---- in one line ---- */

/* Words, ids, dates and hashes, and nothing that a bracket, comma or quote could be part of. */
static bool
is_plain_flow(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;

		if (!word && (i == 0 || strchr("-._/", c) == NULL) && !(c == ':' && i + 1 < len && text[i + 1] != ' '))
			return false;
	}
	return len > 0;
}

static int
write_flow_text(struct writer *w, const char *text, size_t len, bool quoted)
{
	int rc = check_text(w, text, len);

	if (rc == OK && !quoted && is_plain_flow(text, len))
		buf_add(w->out, text, len);
	else if (rc == OK)
		write_quoted(w->out, text, len);
	return rc;
}

static int
write_flow(struct writer *w, const struct val *v, size_t depth)
{
	int rc = OK;

	if (depth >= YN_MAX_DEPTH)
		return err_set(w->e, ERR_INPUT, "expected maps and lists at most %d deep to write as YAML", YN_MAX_DEPTH);
	if (val_is(v, VAL_STR))
		return write_flow_text(w, v->str.text, v->str.len, v->quoted);
	if (!val_is(v, VAL_MAP) && !val_is(v, VAL_LIST))
		return err_set(w->e, ERR_INPUT, "expected texts, maps and lists to write in one line");
	buf_putc(w->out, v->kind == VAL_MAP ? '{' : '[');
	for (size_t i = 0; rc == OK && i < val_count(v); i++) {
		buf_puts(w->out, i > 0 ? ", " : "");
		if (v->kind == VAL_LIST) {
			rc = write_flow(w, v->list.items[i], depth + 1);
			continue;
		}
		rc = write_flow_text(w, v->map.entries[i].key, strlen(v->map.entries[i].key), false);
		buf_puts(w->out, ": ");
		if (rc == OK)
			rc = write_flow(w, v->map.entries[i].value, depth + 1);
	}
	buf_putc(w->out, v->kind == VAL_MAP ? '}' : ']');
	return rc;
}

int
yn_write_flow(struct buf *out, const struct val *v, struct err *e)
{
	struct writer w = { out, e };

	return write_flow(&w, v, 0);
}
