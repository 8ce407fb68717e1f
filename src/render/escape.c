#include "render/escape.h"

#include <stdbool.h>
#include <string.h>

void
render_escape_none(struct buf *out, const char *text, size_t len)
{
	buf_add(out, text, len);
}

void
render_escape_html(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '&':
			buf_puts(out, "&amp;");
			break;
		case '<':
			buf_puts(out, "&lt;");
			break;
		case '>':
			buf_puts(out, "&gt;");
			break;
		case '"':
			buf_puts(out, "&quot;");
			break;
		case '\'':
			buf_puts(out, "&#39;");
			break;
		default:
			buf_putc(out, text[i]);
		}
	}
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_alnum(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The character at i, or a blank beyond the ends: there the template goes on. */
static char
at(const char *text, size_t len, size_t i)
{
	return (char)(i < len ? text[i] : ' ');
}

/* Is the & at i the start of &name; or &#1; ? */
static bool
is_entity(const char *text, size_t len, size_t i)
{
	size_t j = i + 1;

	if (at(text, len, j) == '#')
		return true;
	while (j < len && is_alnum(text[j]))
		j++;
	return j > i + 1 && (j == len || text[j] == ';');
}

/*
 * Is the character at i a marker of a block, if a line were to start with this text?
 * Lists (- + 1. 1)), headings (#, and = or - below a line), rules, the second line of a
 * table (:- and -:), definitions.
 */
static bool
is_block_marker(const char *text, size_t len, size_t i)
{
	size_t digits = 0;
	char next = at(text, len, i + 1);

	while (digits < len && is_digit(text[digits]))
		digits++;
	switch (text[i]) {
	case '#':
		return i == 0 || is_blank(text[i - 1]); /* also the close of a heading */
	case '=':
		return i == 0;
	case ':':
	case '-':
	case '+':
		return i == 0 && (is_blank(next) || next == '-' || next == ':');
	case '.':
	case ')':
		return i == digits && i < 10 && is_blank(next);
	default:
		return false;
	}
}

static bool
needs_backslash(const char *text, size_t len, size_t i)
{
	switch (text[i]) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
	case '<':
	case '>':
	case '{':
	case '}':
	case '|':
	case '~':
	case '$':
	case '^':
		return true;
	case '_': /* within a word it is no emphasis */
		return i == 0 || !is_alnum(text[i - 1]) || !is_alnum(at(text, len, i + 1));
	case '!': /* before a link of the template's */
		return i + 1 == len;
	case '&':
		return is_entity(text, len, i);
	default:
		return is_block_marker(text, len, i);
	}
}

void
render_escape_markdown(struct buf *out, const char *text, size_t len)
{
	while (len > 0 && is_blank(*text)) {
		text++;
		len--;
	}
	while (len > 0 && is_blank(text[len - 1]))
		len--;
	for (size_t i = 0; i < len; i++) {
		if (is_blank(text[i])) {
			if (!is_blank(text[i - 1]))
				buf_putc(out, ' ');
			continue;
		}
		if (needs_backslash(text, len, i))
			buf_putc(out, '\\');
		buf_putc(out, text[i]);
	}
}

render_escape_fn *
render_escape_for(const char *name)
{
	static const struct {
		const char *extension;
		render_escape_fn *escape;
	} rules[] = {
		{ ".md", render_escape_markdown },
		{ ".html", render_escape_html },
		{ ".svg", render_escape_html },
		{ ".txt", render_escape_none },
	};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof rules / sizeof *rules; i++)
		if (strcmp(dot, rules[i].extension) == 0)
			return rules[i].escape;
	return NULL;
}
