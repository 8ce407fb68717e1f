/*
 * jansson decides what is JSON and what it says, but keeps no places. So a small scanner
 * goes over the text a second time, beside jansson's tree: objects keep the order of their
 * keys, so the tokens come in the order of the tree.
 */
#include "json/jn.h"

#include "util/file.h"
#include "util/utf8.h"

#include <jansson.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest integer up to which a double holds every one. */
#define JN_MAX_INTEGER 9007199254740992ULL /* 2^53 */

enum token_kind { TOKEN_MARK, TOKEN_STRING, TOKEN_WORD, TOKEN_END };

struct token {
	enum token_kind kind;
	const char *s; /* in the text */
	size_t len;
	struct place at;
};

struct scanner {
	const char *p, *end;
	struct place at;
};

struct reader {
	struct arena *a;
	struct scanner scan;
	struct err *e;
};

static void
skip(struct scanner *s, size_t bytes)
{
	for (; bytes > 0 && s->p < s->end; bytes--, s->p++) {
		if (*s->p == '\n') {
			s->at.line++;
			s->at.column = 1;
		} else if ((*s->p & 0xC0) != 0x80) {
			s->at.column++;
		}
	}
}

/* The bytes of a string from its quote to its other quote, or as far as the line goes. */
static size_t
string_length(const struct scanner *s)
{
	const char *p = s->p + 1;

	while (p < s->end && *p != '"' && *p != '\n')
		p += *p == '\\' && p + 1 < s->end ? 2 : 1;
	if (p < s->end && *p == '"')
		p++;
	return (size_t)(p - s->p);
}

static struct token
next_token(struct scanner *s)
{
	struct token t;

	while (s->p < s->end && strchr(" \t\r\n", *s->p) != NULL)
		skip(s, 1);
	t.s = s->p;
	t.at = s->at;
	if (s->p == s->end) {
		t.kind = TOKEN_END;
		t.len = 0;
	} else if (*s->p == '"') {
		t.kind = TOKEN_STRING;
		t.len = string_length(s);
	} else if (strchr("{}[],:", *s->p) != NULL) {
		t.kind = TOKEN_MARK;
		t.len = 1;
	} else {
		t.kind = TOKEN_WORD;
		t.len = 0;
		while (s->p + t.len < s->end && strchr(" \t\r\n\"{}[],:", s->p[t.len]) == NULL)
			t.len++;
	}
	skip(s, t.len);
	return t;
}

static bool
is_large_integer(const struct token *t)
{
	size_t sign = t->len > 0 && t->s[0] == '-';
	char digits[20] = "";

	if (t->kind != TOKEN_WORD || t->len == sign)
		return false;
	for (size_t i = sign; i < t->len; i++)
		if (t->s[i] < '0' || t->s[i] > '9')
			return false;
	if (t->len - sign > 16)
		return true;
	memcpy(digits, t->s + sign, t->len - sign);
	return strtoull(digits, NULL, 10) > JN_MAX_INTEGER;
}

/* What must be known before jansson builds a tree. */
static int
check_tokens(struct scanner scan, struct err *e)
{
	int depth = 0, nodes = 0;

	for (;;) {
		struct token t = next_token(&scan);
		bool opens = t.kind == TOKEN_MARK && (*t.s == '{' || *t.s == '[');

		if (t.kind == TOKEN_END)
			return OK;
		if (t.kind == TOKEN_MARK && (*t.s == '}' || *t.s == ']'))
			depth--;
		if (opens && ++depth > JN_MAX_DEPTH)
			return err_at(e, ERR_INPUT, t.at, "expected maps and lists at most %d deep",
			    JN_MAX_DEPTH);
		if ((opens || t.kind != TOKEN_MARK) && ++nodes > JN_MAX_NODES)
			return err_at(e, ERR_INPUT, t.at,
			    "expected at most %d values in a file", JN_MAX_NODES);
		if (is_large_integer(&t))
			return err_at(e, ERR_INPUT, t.at,
			    "expected an integer up to 2^53 (%llu), beyond which numbers lose "
			    "digits; write it as text", JN_MAX_INTEGER);
	}
}

static const char *
words_for(const json_error_t *error)
{
	switch (json_error_code(error)) {
	case json_error_duplicate_key:
		return "expected each key once in a map, found this one before";
	case json_error_premature_end_of_input:
		return "expected more JSON, found the end";
	case json_error_end_of_input_expected:
		return "expected the end, found more after the only value";
	case json_error_numeric_overflow:
		return "expected a number that a double can hold";
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return "expected plain text, found an escape for a NUL character";
	default:
		break;
	}
	if (strstr(error->text, "escape") != NULL || strstr(error->text, "Unicode") != NULL)
		return "expected an escape that JSON knows, of whole characters";
	if (strstr(error->text, "control character") != NULL ||
	    strstr(error->text, "unexpected newline") != NULL)
		return "expected the closing quote in the same line, and no control characters";
	if (strstr(error->text, "string or '}'") != NULL)
		return "expected a key in double quotes or }";
	if (strstr(error->text, "':' expected") != NULL)
		return "expected a colon after the key";
	if (strstr(error->text, "'}' expected") != NULL)
		return "expected a comma or }";
	if (strstr(error->text, "']' expected") != NULL)
		return "expected a comma or ]";
	return "expected a JSON value";
}

/* jansson tells where it stopped; the place to show is where that token begins. */
static int
jansson_fault(struct scanner scan, const json_error_t *error, struct err *e)
{
	const char *stopped = scan.p + (error->position > 0 ? error->position : 0);
	struct token t;

	if (json_error_code(error) == json_error_out_of_memory)
		abort(); /* as util does */
	do
		t = next_token(&scan);
	while (t.kind != TOKEN_END && t.s + t.len < stopped);
	/* What is missing at the end is missing behind the last token, but for a quote. */
	if (json_error_code(error) == json_error_premature_end_of_input && t.kind != TOKEN_STRING)
		t = next_token(&scan);
	return err_at(e, ERR_INPUT, t.at, "%s", words_for(error));
}

/* An escape can bring in what utf8_check keeps out of the source. */
static int
take_text(struct reader *r, const char **out, size_t *out_len, const char *text, size_t len,
    const struct token *t)
{
	struct err inside = ERR_INIT;

	if (memchr(t->s, '\\', t->len) != NULL) {
		if (utf8_bom(text, len) > 0)
			return err_at(r->e, ERR_INPUT, t->at,
			    "expected plain text, found an escaped byte order mark");
		if (utf8_check(text, len, NULL, &inside) != OK)
			return err_at(r->e, ERR_INPUT, t->at, "in an escape: %s", inside.text);
	}
	*out = utf8_nfc(r->a, text, len, out_len);
	return OK;
}

static int build(struct val **out, struct reader *r, json_t *json);

static int
build_map(struct val *map, struct reader *r, json_t *json)
{
	const struct val_entry *again, *earlier;
	const char *key;
	json_t *item;

	json_object_foreach (json, key, item) {
		struct token t = next_token(&r->scan);
		const char *text;
		struct val *v;
		size_t len;
		int rc = take_text(r, &text, &len, key, strlen(key), &t);

		next_token(&r->scan); /* the colon */
		if (rc == OK)
			rc = build(&v, r, item);
		if (rc != OK)
			return rc;
		val_put(r->a, map, text, v);
		map->map.entries[map->map.count - 1].at = t.at;
		next_token(&r->scan); /* the comma or bracket */
	}
	if (map->map.count == 0)
		next_token(&r->scan);
	again = val_duplicate(map, &earlier);
	if (again == NULL)
		return OK;
	return err_at(r->e, ERR_INPUT, again->at,
	    "expected each key once in a map, found this one in line %d as well", earlier->at.line);
}

static int
build_list(struct val *list, struct reader *r, json_t *json)
{
	size_t count = json_array_size(json);

	for (size_t i = 0; i < count; i++) {
		struct val *v;
		int rc = build(&v, r, json_array_get(json, i));

		if (rc != OK)
			return rc;
		val_push(r->a, list, v);
		next_token(&r->scan); /* the comma or bracket */
	}
	if (count == 0)
		next_token(&r->scan);
	return OK;
}

static int
build(struct val **out, struct reader *r, json_t *json)
{
	struct token t = next_token(&r->scan);
	struct val *v = val_null(r->a);
	int rc = OK;

	v->at = t.at;
	*out = v;
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		v->kind = VAL_MAP;
		rc = build_map(v, r, json);
		break;
	case JSON_ARRAY:
		v->kind = VAL_LIST;
		rc = build_list(v, r, json);
		break;
	case JSON_STRING:
		v->kind = VAL_STR;
		rc = take_text(r, &v->str.text, &v->str.len, json_string_value(json),
		    json_string_length(json), &t);
		break;
	case JSON_INTEGER:
	case JSON_REAL:
		v->kind = VAL_NUM;
		v->number = json_number_value(json);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		v->kind = VAL_BOOL;
		v->boolean = json_is_true(json);
		break;
	case JSON_NULL:
		break;
	}
	return rc;
}

/* One value from bytes that utf8_check has passed. */
static int
parse_value(struct val **out, struct arena *a, const char *text, size_t len, struct place at,
    struct err *e)
{
	struct reader r = { a, { text, text + len, at }, e };
	json_error_t error = { 0 };
	json_t *json;
	int rc = check_tokens(r.scan, e);

	if (rc != OK)
		return rc;
	json = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (json == NULL)
		return jansson_fault(r.scan, &error, e);
	rc = build(out, &r, json);
	json_decref(json);
	return rc;
}

static int
check_text(const char *text, size_t len, struct place whole, struct err *e)
{
	if (len > JN_MAX_BYTES)
		return err_at(e, ERR_INPUT, whole, "expected at most %d MiB, found %zu bytes",
		    JN_MAX_BYTES / (1024 * 1024), len);
	return utf8_check(text, len, whole.file, e);
}

int
jn_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e)
{
	struct place at = { arena_strdup(a, file), 0, 0 };
	size_t bom = utf8_bom(text, len);
	struct scanner scan = { text + bom, text + len, at };
	struct val *v = NULL;
	int rc = check_text(text, len, at, e);

	*out = NULL;
	if (rc != OK)
		return rc;
	if (next_token(&scan).kind == TOKEN_END)
		return err_at(e, ERR_INPUT, at, "expected JSON, found an empty file");
	at.line = at.column = 1;
	rc = parse_value(&v, a, text + bom, len - bom, at, e);
	if (rc == OK)
		*out = v;
	return rc;
}

int
jn_parse_lines(struct val **out, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e)
{
	struct place at = { arena_strdup(a, file), 0, 0 };
	const char *p = text + utf8_bom(text, len), *end = text + len;
	struct val *list = val_list(a);
	int rc = check_text(text, len, at, e);

	*out = NULL;
	list->at = (struct place){ at.file, 1, 1 };
	at.column = 1;
	while (rc == OK && p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = newline == NULL ? (size_t)(end - p) : (size_t)(newline - p);
		struct scanner scan = { p, p + n, at };
		struct val *v;

		at.line++; /* of the value: `scan` only looks whether there is one */
		if (next_token(&scan).kind != TOKEN_END) {
			rc = parse_value(&v, a, p, n, at, e);
			if (rc == OK)
				val_push(a, list, v);
		}
		p += n + (newline != NULL);
	}
	if (rc == OK && list->list.count == 0)
		rc = err_at(e, ERR_INPUT, (struct place){ at.file, 0, 0 },
		    "expected JSON, found an empty file");
	if (rc == OK)
		*out = list;
	return rc;
}

int
jn_read(struct val **out, struct arena *a, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	size_t n = strlen(path);
	int rc = file_read(&text, path, e);

	*out = NULL;
	if (rc == OK && n > 6 && strcmp(path + n - 6, ".jsonl") == 0)
		rc = jn_parse_lines(out, a, text.s, text.len, path, e);
	else if (rc == OK)
		rc = jn_parse(out, a, text.s, text.len, path, e);
	buf_release(&text);
	return rc;
}
