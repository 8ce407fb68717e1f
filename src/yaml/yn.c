#include "yaml/yn.h"

#include "util/file.h"
#include "util/utf8.h"

#include <yaml.h>

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An open map or list. */
struct level {
	struct val *node;
	const char *key; /* a map's key that waits for its value, or NULL */
	struct place key_at;
	size_t first; /* where its items begin among the open ones */
};

struct reader {
	yaml_parser_t parser;
	struct arena *a;
	struct intern *keys; /* NULL: each key is kept where it stands */
	const char *text; /* without the byte order mark */
	size_t len;
	const char *file;
	struct level levels[YN_MAX_DEPTH];
	size_t depth;
	/* What the open maps and lists hold so far; it goes into the arena when they close, with nothing to spare. */
	struct val_entry *open;
	size_t open_count, open_cap;
	size_t nodes;
	struct val *root;
	/* A code point of the text and its byte; only moves forward. */
	size_t cursor_index, cursor_byte;
};

static struct place
place_of(const struct reader *r, const yaml_mark_t *mark)
{
	return (struct place){ r->file, (int)mark->line + 1, (int)mark->column + 1 };
}

/* The byte at a mark; 0 at the end of the text. Marks must not go backwards. */
static char
byte_at(struct reader *r, const yaml_mark_t *mark)
{
	while (r->cursor_index < mark->index && r->cursor_byte < r->len) {
		r->cursor_byte++;
		while (r->cursor_byte < r->len && (r->text[r->cursor_byte] & 0xC0) == 0x80)
			r->cursor_byte++;
		r->cursor_index++;
	}
	return r->cursor_byte < r->len ? r->text[r->cursor_byte] : '\0';
}

/* What libyaml says, in the words of this program; the first that matches holds. */
static const struct {
	const char *context; /* NULL: any */
	const char *problem; /* a part of it; NULL: any */
	const char *words;
	bool at_context; /* the fault is where the thing began, not where it was noticed */
} faults[] = {
	{ "directive", NULL, "expected no directive (%)", false },
	{ "%", NULL, "expected no directive (%)", false },
	{ NULL, "found incompatible YAML document", "expected no directive (%)", false },
	{ "a tag", NULL, "expected plain YAML, found a tag (!)", true },
	{ NULL, "found undefined tag handle", "expected plain YAML, found a tag (!)", true },
	{ "an anchor", NULL, "expected plain YAML, found an anchor (&)", true },
	{ "an alias", NULL, "expected plain YAML, found an alias (*)", true },
	{ NULL, "found a tab", "expected blanks for indentation, found a tab", false },
	{ NULL, "could not find expected ':'",
	    "expected a colon and a blank after the key, on its own line", true },
	{ NULL, "mapping values are not allowed",
	    "expected no colon here; a text with a colon and a blank in it needs quotes", false },
	{ NULL, "mapping keys are not allowed", "expected a key on a line of its own", false },
	{ NULL, "block sequence entries are not allowed",
	    "expected the list to begin on a line of its own", false },
	{ NULL, "did not find expected key",
	    "expected a key, in the same column as the others of its map, and nothing behind a "
	    "closing quote or bracket", false },
	{ NULL, "did not find expected '-' indicator",
	    "expected \"- \", in the same column as the others of its list", false },
	{ NULL, "did not find expected ',' or ']'", "expected a comma or ] in the list", false },
	{ NULL, "did not find expected ',' or '}'", "expected a comma or } in the map", false },
	{ NULL, "did not find expected node content", "expected a value", false },
	{ NULL, "did not find expected <document start>",
	    "expected the end of the file, found more after its only value", false },
	{ NULL, "found unexpected document indicator",
	    "expected the closing quote, found the end of the document", true },
	{ NULL, "found unexpected end of stream",
	    "expected the closing quote, found the end of the file", true },
	{ NULL, "found unknown escape character", "expected an escape that YAML knows", false },
	{ NULL, "did not find expected hexdecimal number",
	    "expected hexadecimal digits in the escape", false },
	{ NULL, "found invalid Unicode", "expected the escape to name a character", false },
	{ NULL, "indentation indicator equal to 0", "expected an indentation of 1 to 9", false },
	{ NULL, "did not find expected comment or line break",
	    "expected the end of the line, or a blank and a comment", false },
	{ NULL, "found unexpected ':'", "expected quotes around a text with a colon in it", false },
	{ NULL, "cannot start any token",
	    "expected a value; one that begins with %, @ or ` needs quotes", false },
};

static int
libyaml_fault(struct reader *r, struct err *e)
{
	const char *problem = r->parser.problem != NULL ? r->parser.problem : "";
	const char *context = r->parser.context != NULL ? r->parser.context : "";
	const char *words = "expected YAML";
	const yaml_mark_t *mark = &r->parser.problem_mark;

	if (r->parser.error == YAML_MEMORY_ERROR)
		abort(); /* as util does */
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		if (faults[i].context != NULL && strstr(context, faults[i].context) == NULL)
			continue;
		if (faults[i].problem != NULL && strstr(problem, faults[i].problem) == NULL)
			continue;
		words = faults[i].words;
		if (faults[i].at_context && *context != '\0')
			mark = &r->parser.context_mark;
		break;
	}
	r->cursor_index = r->cursor_byte = 0; /* for once, backwards */
	if (strstr(problem, "cannot start any token") != NULL && byte_at(r, mark) == '\t')
		words = "expected blanks for indentation, found a tab";
	return err_at(e, ERR_INPUT, place_of(r, mark), "%s", words);
}

/* Give a value to the map or list that is open, or to the document. */
static void
attach(struct reader *r, struct val *v)
{
	struct level *top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;

	if (top == NULL) {
		r->root = v;
		return;
	}
	if (r->open_count == r->open_cap) {
		r->open_cap = r->open_cap == 0 ? 64 : r->open_cap * 2;
		r->open = xreallocarray(r->open, r->open_cap, sizeof *r->open);
	}
	r->open[r->open_count++] = (struct val_entry){ top->key, top->key_at, v };
	top->key = NULL;
}

static bool
expects_key(const struct reader *r)
{
	const struct level *top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;

	return top != NULL && top->node->kind == VAL_MAP && top->key == NULL;
}

static int
count_node(struct reader *r, struct place at, struct err *e)
{
	if (++r->nodes > YN_MAX_NODES)
		return err_at(e, ERR_INPUT, at, "expected at most %d values in a file",
		    YN_MAX_NODES);
	return OK;
}

static int
open_level(struct reader *r, struct val *node, const yaml_event_t *event, struct err *e)
{
	const yaml_char_t *tag = event->type == YAML_MAPPING_START_EVENT ?
	    event->data.mapping_start.tag : event->data.sequence_start.tag;
	const yaml_char_t *anchor = event->type == YAML_MAPPING_START_EVENT ?
	    event->data.mapping_start.anchor : event->data.sequence_start.anchor;

	node->at = place_of(r, &event->start_mark);
	if (anchor != NULL)
		return err_at(e, ERR_INPUT, node->at, "expected plain YAML, found an anchor (&)");
	if (tag != NULL)
		return err_at(e, ERR_INPUT, node->at, "expected plain YAML, found a tag (!)");
	if (expects_key(r))
		return err_at(e, ERR_INPUT, node->at, "expected a text as key, found %s",
		    val_kind_name(node->kind));
	if (r->depth == YN_MAX_DEPTH)
		return err_at(e, ERR_INPUT, node->at,
		    "expected maps and lists at most %d deep", YN_MAX_DEPTH);
	attach(r, node);
	r->levels[r->depth++] = (struct level){ .node = node, .first = r->open_count };
	return count_node(r, node->at, e);
}

static int
close_level(struct reader *r, struct err *e)
{
	const struct level *level = &r->levels[--r->depth];
	struct val *node = level->node;
	const struct val_entry *again, *earlier;

	if (r->open_count > level->first)
		val_fill(r->a, node, r->open + level->first, r->open_count - level->first);
	r->open_count = level->first;
	if (node->kind != VAL_MAP || (again = val_duplicate(node, &earlier)) == NULL)
		return OK;
	return err_at(e, ERR_INPUT, again->at,
	    "expected each key once in a map, found this one in line %d as well", earlier->at.line);
}

/* An escape can bring in what utf8_check keeps out of the source. */
static int
check_escapes(const char *text, size_t len, struct place at, struct err *e)
{
	struct err inside = ERR_INIT;

	if (utf8_bom(text, len) > 0)
		return err_at(e, ERR_INPUT, at,
		    "expected plain text, found an escaped byte order mark");
	if (utf8_check(text, len, NULL, &inside) != OK)
		return err_at(e, ERR_INPUT, at, "in an escape: %s", inside.text);
	return OK;
}

static int
take_key(struct reader *r, const char *raw, size_t len, bool quoted, struct place at,
    struct err *e)
{
	struct level *top = &r->levels[r->depth - 1];

	if (len == 0 && !quoted)
		return err_at(e, ERR_INPUT, at, "expected a key, found nothing");
	if (!quoted && strcmp(raw, "<<") == 0)
		return err_at(e, ERR_INPUT, at, "expected plain YAML, found a merge key (<<)");
	if (r->keys == NULL || !utf8_is_plain(raw, len))
		raw = utf8_nfc(r->a, raw, len, NULL);
	top->key = r->keys != NULL ? intern_text(r->keys, r->a, raw) : raw;
	top->key_at = at;
	return OK;
}

static int
take_scalar(struct reader *r, const yaml_event_t *event, struct err *e)
{
	struct place at = place_of(r, &event->start_mark);
	yaml_scalar_style_t style = event->data.scalar.style;
	bool quoted = style != YAML_PLAIN_SCALAR_STYLE;
	const char *raw = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;
	const char *text;
	struct val *v;

	if (event->data.scalar.anchor != NULL)
		return err_at(e, ERR_INPUT, at, "expected plain YAML, found an anchor (&)");
	/* libyaml drops the tag "!" before a scalar, but not its place. */
	if (event->data.scalar.tag != NULL || ((quoted || len > 0) &&
	    byte_at(r, &event->start_mark) == '!'))
		return err_at(e, ERR_INPUT, at, "expected plain YAML, found a tag (!)");
	if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && check_escapes(raw, len, at, e) != OK)
		return e->code;
	if (expects_key(r))
		return take_key(r, raw, len, quoted, at, e);
	text = utf8_nfc(r->a, raw, len, &len);
	v = val_null(r->a);
	v->at = at;
	if (quoted || len > 0) {
		v->kind = VAL_STR;
		v->quoted = quoted;
		v->str.text = text;
		v->str.len = len;
	}
	attach(r, v);
	return count_node(r, at, e);
}

static int
take_document(struct reader *r, const yaml_event_t *event, struct err *e)
{
	struct place at = place_of(r, &event->start_mark);

	if (r->root != NULL)
		return err_at(e, ERR_INPUT, at, "expected one document in a file, found a second");
	if (event->data.document_start.version_directive != NULL ||
	    event->data.document_start.tag_directives.start !=
	    event->data.document_start.tag_directives.end)
		return err_at(e, ERR_INPUT, at, "expected no directive (%%)");
	return OK;
}

static int
take_event(struct reader *r, const yaml_event_t *event, struct err *e)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return take_document(r, event, e);
	case YAML_ALIAS_EVENT:
		return err_at(e, ERR_INPUT, place_of(r, &event->start_mark),
		    "expected plain YAML, found an alias (*)");
	case YAML_SCALAR_EVENT:
		return take_scalar(r, event, e);
	case YAML_SEQUENCE_START_EVENT:
		return open_level(r, val_list(r->a), event, e);
	case YAML_MAPPING_START_EVENT:
		return open_level(r, val_map(r->a), event, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_level(r, e);
	default:
		return OK;
	}
}

/*
 * libyaml has no limit on nesting, and each open flow bracket makes every further token
 * dearer. But it reads at most 1,024 characters of one line ahead (the longest key), so the
 * check of depth at each event stops it long before that matters.
 */
static int
read_events(struct reader *r, struct err *e)
{
	bool end = false;
	int rc = OK;

	while (rc == OK && !end) {
		yaml_event_t event;

		if (!yaml_parser_parse(&r->parser, &event))
			return libyaml_fault(r, e);
		end = event.type == YAML_STREAM_END_EVENT;
		rc = take_event(r, &event, e);
		yaml_event_delete(&event);
	}
	return rc;
}

int
yn_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e)
{
	return yn_parse_one(out, a, NULL, text, len, file, e);
}

int
yn_parse_one(struct val **out, struct arena *a, struct intern *keys, const char *text, size_t len,
    const char *file, struct err *e)
{
	struct reader r = { .a = a, .keys = keys, .file = arena_strdup(a, file) };
	size_t bom = utf8_bom(text, len);
	int rc;

	*out = NULL;
	if (len > YN_MAX_BYTES)
		return err_at(e, ERR_INPUT, (struct place){ r.file, 0, 0 },
		    "expected at most %d MiB, found %zu bytes", YN_MAX_BYTES / (1024 * 1024), len);
	rc = utf8_check(text, len, r.file, e);
	if (rc != OK)
		return rc;
	r.text = text + bom;
	r.len = len - bom;
	if (!yaml_parser_initialize(&r.parser))
		abort();
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.len);
	rc = read_events(&r, e);
	yaml_parser_delete(&r.parser);
	free(r.open);
	if (rc != OK)
		return rc;
	assert(r.depth == 0);
	if (r.root == NULL || r.root->kind == VAL_NULL)
		return err_at(e, ERR_INPUT, (struct place){ r.file, 0, 0 },
		    "expected a map, found an empty file");
	*out = r.root;
	return OK;
}

int
yn_read(struct val **out, struct arena *a, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	int rc = file_read(&text, path, e);

	*out = NULL;
	if (rc == OK)
		rc = yn_parse(out, a, text.s, text.len, path, e);
	buf_release(&text);
	return rc;
}
