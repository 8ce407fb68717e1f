#include "render/template_int.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "render/template.h"
#include "util/buf.h"
#include "util/utf8.h"

enum { DELIMITER_MAX = 8, NAME_MAX_BYTES = 120 };

struct parser {
	struct arena *a;
	struct err *e;
	const char *file;
	const char *text;
	size_t len, at;
	size_t indent; /* columns that the source does not have */
	char open[DELIMITER_MAX + 1], close[DELIMITER_MAX + 1];
	size_t counted, line_start; /* where `line` was counted up to, and began */
	int line;
};

/* One tag as it stands in the text. */
struct tag {
	char sigil; /* '\0' for a plain name */
	size_t start, end;
	struct place at;
	const char *name;
	size_t name_len;
};

static struct place
place_at(struct parser *p, size_t offset)
{
	size_t column;

	for (; p->counted < offset; p->counted++) {
		if (p->text[p->counted] == '\n') {
			p->line++;
			p->line_start = p->counted + 1;
		}
	}
	column = utf8_count(p->text + p->line_start, offset - p->line_start) + 1;
	if (column > p->indent)
		column -= p->indent;
	return (struct place){ p->file, p->line, (int)column };
}

/* The offset of `what` at or after `from`; len if there is none. */
static size_t
find(const struct parser *p, size_t from, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = from; n <= p->len && i <= p->len - n; i++) {
		const char *c = memchr(p->text + i, what[0], p->len - n - i + 1);

		if (c == NULL)
			break;
		i = (size_t)(c - p->text);
		if (memcmp(c, what, n) == 0)
			return i;
	}
	return p->len;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static void
trim(const char **text, size_t *len)
{
	while (*len > 0 && is_space(**text)) {
		(*text)++;
		(*len)--;
	}
	while (*len > 0 && is_space((*text)[*len - 1]))
		(*len)--;
}

static bool
is_name_char(char c, bool file)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_' || c == '-' || c == '.' || (file && c == '/');
}

/* A file's name goes to the loader: no part of it may be empty or start with a dot. */
static bool
is_name(const char *s, size_t len, bool file)
{
	if (len == 1 && *s == '.' && !file)
		return true;
	for (size_t i = 0; i < len; i++) {
		bool joint = s[i] == '.' || s[i] == '/';

		if (!is_name_char(s[i], file))
			return false;
		if (joint && (i == 0 || i + 1 == len || s[i + 1] == '.' || s[i + 1] == '/'))
			return false;
	}
	return len > 0;
}

/* Read the tag that opens at `start`. */
static int
read_tag(struct parser *p, struct tag *tag, size_t start)
{
	size_t at = start + strlen(p->open), end;
	char closing[DELIMITER_MAX + 2];

	*tag = (struct tag){ .start = start, .at = place_at(p, start) };
	if (at < p->len && p->text[at] != '\0' && strchr("#^/!>&={$<", p->text[at]) != NULL)
		tag->sigil = p->text[at++];
	snprintf(closing, sizeof closing, "%s%s",
	    tag->sigil == '{' ? "}" : tag->sigil == '=' ? "=" : "", p->close);
	end = find(p, at, closing);
	if (end == p->len)
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected %s to close the tag, found the end", closing);
	tag->name = p->text + at;
	tag->name_len = end - at;
	tag->end = end + strlen(closing);
	trim(&tag->name, &tag->name_len);
	if (tag->sigil == '!' || tag->sigil == '=')
		return OK;
	if (tag->sigil == '$' || tag->sigil == '<')
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected a tag of the template language, found inheritance");
	if (tag->name_len > NAME_MAX_BYTES || !is_name(tag->name, tag->name_len, tag->sigil == '>'))
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected a name (letters, digits, _ and -, joined by dots) in the tag");
	return OK;
}

/* {{=<% %>=}} */
static int
set_delimiters(struct parser *p, const struct tag *tag)
{
	const char *s = tag->name, *end = s + tag->name_len, *second;
	size_t n = 0;

	while (s + n < end && !is_space(s[n]))
		n++;
	for (second = s + n; second < end && is_space(*second);)
		second++;
	if (n == 0 || n > DELIMITER_MAX || second == end || end - second > DELIMITER_MAX)
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected two delimiters of up to %d bytes", DELIMITER_MAX);
	for (const char *c = s; c < end; c++)
		if (*c == '=' || *c == '\0' || (c >= second && is_space(*c)))
			return err_at(p->e, ERR_INPUT, tag->at,
			    "expected two delimiters with a blank between and no =");
	snprintf(p->open, sizeof p->open, "%.*s", (int)n, s);
	snprintf(p->close, sizeof p->close, "%.*s", (int)(end - second), second);
	return OK;
}

/*
 * If the tag is alone on its line: *from is where the line starts, *to where the next one
 * does.
 */
static bool
is_alone(const struct parser *p, const struct tag *tag, size_t *from, size_t *to)
{
	size_t left = tag->start, right = tag->end;

	if (tag->sigil == '\0' || tag->sigil == '{' || tag->sigil == '&')
		return false;
	while (left > 0 && is_blank(p->text[left - 1]))
		left--;
	if (left > 0 && p->text[left - 1] != '\n')
		return false;
	while (right < p->len && is_blank(p->text[right]))
		right++;
	if (right + 1 < p->len && p->text[right] == '\r' && p->text[right + 1] == '\n')
		right++;
	if (right < p->len && p->text[right] != '\n')
		return false;
	*from = left;
	*to = right < p->len ? right + 1 : right;
	return true;
}

static struct tnode *
add_node(struct parser *p, struct tnode ***tail, enum tnode_kind kind)
{
	struct tnode *node = arena_alloc(p->a, sizeof *node);

	node->kind = kind;
	**tail = node;
	*tail = &node->next;
	return node;
}

static void
add_text(struct parser *p, struct tnode ***tail, size_t from, size_t to)
{
	struct tnode *node;

	if (from >= to)
		return;
	node = add_node(p, tail, TNODE_TEXT);
	node->text = p->text + from;
	node->len = to - from;
}

static enum tnode_kind
kind_of(char sigil)
{
	switch (sigil) {
	case '#':
		return TNODE_SECTION;
	case '^':
		return TNODE_INVERTED;
	case '>':
		return TNODE_PARTIAL;
	case '{':
	case '&':
		return TNODE_RAW;
	default:
		return TNODE_VALUE;
	}
}

static int parse_section(struct parser *p, struct tnode *section, int depth);

/* A tag that leaves something in the tree; `indent` is what stands before it on its line. */
static int
add_tag(struct parser *p, struct tnode ***tail, const struct tag *tag, const char *indent,
    int depth)
{
	struct tnode *node = add_node(p, tail, kind_of(tag->sigil));

	node->at = tag->at;
	node->text = arena_strndup(p->a, tag->name, tag->name_len);
	node->len = tag->name_len;
	node->indent = indent;
	if (node->kind != TNODE_SECTION && node->kind != TNODE_INVERTED)
		return OK;
	if (depth == RENDER_MAX_SECTIONS)
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected at most %d sections in each other", RENDER_MAX_SECTIONS);
	return parse_section(p, node, depth + 1);
}

static int
check_close(struct parser *p, const struct tnode *section, const struct tag *tag)
{
	if (section->text == NULL)
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected an open section, found the close of %.*s", (int)tag->name_len,
		    tag->name);
	if (section->len != tag->name_len || memcmp(section->text, tag->name, tag->name_len) != 0)
		return err_at(p->e, ERR_INPUT, tag->at,
		    "expected the close of %s (opened in line %d), found that of %.*s",
		    section->text, section->at.line, (int)tag->name_len, tag->name);
	return OK;
}

/* Up to the close of the section, or to the end for the root (which has no text). */
static int
parse_section(struct parser *p, struct tnode *section, int depth)
{
	struct tnode **tail = &section->first;

	for (;;) {
		size_t start = find(p, p->at, p->open), from, to;
		const char *indent = "";
		struct tag tag;
		int rc;

		if (start == p->len)
			break;
		if ((rc = read_tag(p, &tag, start)) != OK)
			return rc;
		from = start;
		to = tag.end;
		if (is_alone(p, &tag, &from, &to) && tag.sigil == '>')
			indent = arena_strndup(p->a, p->text + from, start - from);
		add_text(p, &tail, p->at, from);
		p->at = to;
		if (tag.sigil == '/')
			return check_close(p, section, &tag);
		if (tag.sigil == '=')
			rc = set_delimiters(p, &tag);
		else if (tag.sigil != '!')
			rc = add_tag(p, &tail, &tag, indent, depth);
		if (rc != OK)
			return rc;
	}
	add_text(p, &tail, p->at, p->len);
	p->at = p->len;
	if (section->text != NULL)
		return err_at(p->e, ERR_INPUT, section->at,
		    "expected a close of the section %s, found none", section->text);
	return OK;
}

/* The text with `indent` before each line that has something in it. */
static void
indent_lines(struct parser *p, const char *indent)
{
	struct buf b = BUF_INIT;
	bool line_start = true;

	for (size_t i = 0; i < p->len; i++) {
		if (line_start && p->text[i] != '\n' && p->text[i] != '\r')
			buf_puts(&b, indent);
		buf_putc(&b, p->text[i]);
		line_start = p->text[i] == '\n';
	}
	p->text = arena_strndup(p->a, b.s, b.len);
	p->len = b.len;
	p->indent = strlen(indent);
	buf_release(&b);
}

int
template_parse(struct tnode **out, struct arena *a, const char *file, const char *text, size_t len,
    const char *indent, struct err *e)
{
	struct parser p = {
		.a = a,
		.e = e,
		.file = file,
		.text = text,
		.len = len,
		.open = "{{",
		.close = "}}",
		.line = 1,
	};
	struct tnode root = { 0 };
	int rc;

	if (len > RENDER_MAX_TEMPLATE)
		return err_at(e, ERR_INPUT, (struct place){ file, 0, 0 },
		    "expected a template of at most %d bytes", RENDER_MAX_TEMPLATE);
	if (*indent != '\0')
		indent_lines(&p, indent);
	rc = parse_section(&p, &root, 0);
	*out = root.first;
	return rc;
}
