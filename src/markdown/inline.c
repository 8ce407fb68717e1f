/*
 * cmark's inlines to text, runs and links, each with its place.
 *
 * cmark gives an inline's column relative to a line start that it moves at some newlines (soft
 * breaks, newlines in code and HTML) and not at others (newlines inside a link's destination,
 * behind a backslash). We move `base` at the same ones; then base + column is the offset in
 * the content, whatever the line number says. Where that does not fit the text, which a
 * few delimiters do, the next bytes are searched.
 */
#include "markdown/markdown_int.h"

#include "util/utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH_BYTES = 256 };

struct open_link {
	struct markdown_link *link;
	size_t text; /* behind its bracket, in the content */
	bool autolink;
};

struct walker {
	struct source *src;
	const struct content *c;
	size_t base;   /* where cmark counts columns from, in the content */
	size_t cursor; /* behind what was read */
	int column;    /* of the content's first byte */
	int emphasis, strong;
	struct open_link *open; /* the innermost last */
	size_t open_count, open_cap;
	struct buf text;
	struct markdown_run *runs;
	size_t run_count, run_cap;
	struct markdown_piece *pieces;
	size_t piece_count, piece_cap;
	struct markdown_link **links;
	size_t link_count, link_cap;
};

static const struct markdown_link *
open_link_of(const struct walker *w)
{
	return w->open_count > 0 ? w->open[w->open_count - 1].link : NULL;
}

static char
byte_at(const struct walker *w, size_t offset)
{
	return offset < w->c->text.len ? w->c->text.s[offset] : '\0';
}

static size_t
hint(const struct walker *w, int column)
{
	size_t offset = w->base + (size_t)(column > w->column ? column - w->column : 0);

	return offset < w->c->text.len ? offset : w->c->text.len;
}

static void
add_run(struct walker *w, enum markdown_run_kind kind, size_t start)
{
	struct markdown_run run = { kind, w->emphasis > 0, w->strong > 0,
		open_link_of(w), start, w->text.len - start };
	struct markdown_run *last = w->run_count > 0 ? &w->runs[w->run_count - 1] : NULL;

	if (run.len == 0)
		return;
	if (last != NULL && last->kind == kind && last->emphasis == run.emphasis &&
	    last->strong == run.strong && last->link == run.link) {
		last->len += run.len;
		return;
	}
	w->runs = room_for(w->runs, w->run_count, &w->run_cap, sizeof *w->runs);
	w->runs[w->run_count++] = run;
}

static void
add_piece(struct walker *w, struct place at, bool verbatim)
{
	w->pieces = room_for(w->pieces, w->piece_count, &w->piece_cap, sizeof *w->pieces);
	w->pieces[w->piece_count++] = (struct markdown_piece){ w->text.len, at, verbatim };
}

/* Text that stands in the content as it is: a piece for each stretch of the source. */
static void
add_verbatim(struct walker *w, size_t from, size_t to)
{
	while (from < to) {
		size_t n = content_span(w->c, from);

		if (n > to - from)
			n = to - from;
		add_piece(w, content_place(w->c, w->src, from), true);
		buf_add(&w->text, w->c->text.s + from, n);
		from += n;
	}
}

static void
add_changed(struct walker *w, size_t at, const char *text, size_t len)
{
	if (len == 0)
		return;
	add_piece(w, content_place(w->c, w->src, at), false);
	buf_add(&w->text, text, len);
}

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "&amp;" at the offset: its length, or 0. */
static size_t
entity_length(const struct walker *w, size_t offset)
{
	size_t n = 1;

	if (byte_at(w, offset) != '&')
		return 0;
	while (n < 40 && (is_alnum(byte_at(w, offset + n)) || byte_at(w, offset + n) == '#'))
		n++;
	return n > 1 && byte_at(w, offset + n) == ';' ? n + 1 : 0;
}

static bool
is_punctuation(char c)
{
	return c > ' ' && c < 0x7F && !is_alnum(c);
}

static size_t
first_code_point(const char *s, size_t len)
{
	uint32_t cp;
	size_t n = utf8_decode(s, len, &cp);

	return n > 0 ? n : 1;
}

/*
 * Text from the content at `p`, with escapes and entities undone as cmark has undone them in
 * the literal. Returns the offset behind it.
 */
static size_t
add_aligned(struct walker *w, const char *literal, size_t len, size_t p)
{
	size_t i = 0, from = p;

	while (i < len) {
		char c = byte_at(w, p);
		size_t entity = c == '&' ? entity_length(w, p) : 0;

		if (c == '\\' && is_punctuation(literal[i]) && byte_at(w, p + 1) == literal[i]) {
			add_verbatim(w, from, p);
			from = p + 1;
			p += 2;
			i++;
		} else if (entity > 0 && (len - i < entity ||
		    memcmp(literal + i, w->c->text.s + p, entity) != 0)) {
			size_t n = first_code_point(literal + i, len - i);

			add_verbatim(w, from, p);
			add_changed(w, p, literal + i, n);
			from = p += entity;
			i += n;
			/* A few entities are two code points. */
			if (i < len && (literal[i] & 0x80) != 0 && literal[i] != byte_at(w, p)) {
				n = first_code_point(literal + i, len - i);
				buf_add(&w->text, literal + i, n);
				i += n;
			}
		} else if (c == literal[i] && p < w->c->text.len) {
			p++;
			i++;
		} else if (c == '*' || c == '_') {
			/* A part of a delimiter that went to emphasis. */
			add_verbatim(w, from, p);
			from = ++p;
		} else {
			break;
		}
	}
	add_verbatim(w, from, p);
	add_changed(w, p, literal + i, len - i);
	return p;
}

/* Where the literal begins: at the hint, or close behind what was read. */
static size_t
find_text(const struct walker *w, const char *literal, size_t at)
{
	char c = byte_at(w, at);
	size_t entity = entity_length(w, at);

	if (c == literal[0] || entity > 0 || (c == '\\' && byte_at(w, at + 1) == literal[0]))
		return at;
	for (size_t p = w->cursor; p < w->cursor + SEARCH_BYTES && p < w->c->text.len; p++)
		if (byte_at(w, p) == literal[0])
			return p;
	return at;
}

static void
take_text(struct walker *w, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node);
	size_t start = w->text.len, len = strlen(literal);

	if (len == 0)
		return;
	w->cursor = add_aligned(w, literal, len,
	    find_text(w, literal, hint(w, cmark_node_get_start_column(node))));
	add_run(w, MARKDOWN_TEXT, start);
}

/* Behind the last of the node's newlines that cmark counted, the line start moves. */
static void
move_base(struct walker *w, size_t from, int newlines)
{
	for (; newlines > 0 && from < w->c->text.len; from++) {
		if (byte_at(w, from) == '\n') {
			w->base = from + 1;
			newlines--;
		}
	}
}

/* In code a newline has become a blank; a blank at each end may be gone. */
static void
take_code(struct walker *w, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node);
	size_t start = w->text.len, len = strlen(literal);
	size_t at = hint(w, cmark_node_get_start_column(node)), p = at, from, i = 0;

	/* One at the start is gone if the literal does not begin with it, or with fewer of them. */
	if (len > 0 && (byte_at(w, p) == ' ' || byte_at(w, p) == '\n') &&
	    (literal[0] != ' ' || (byte_at(w, p + 1) == ' ' && literal[1] != ' ')))
		p++;
	for (from = p; i < len; i++, p++) {
		bool newline = literal[i] == ' ' && byte_at(w, p) == '\n';

		if (!newline && literal[i] == byte_at(w, p))
			continue;
		if (!newline)
			break;
		add_verbatim(w, from, p);
		add_changed(w, p, " ", 1);
		from = p + 1;
	}
	add_verbatim(w, from, p);
	add_changed(w, p, literal + i, len - i);
	w->cursor = p;
	add_run(w, MARKDOWN_CODE_RUN, start);
	move_base(w, at, cmark_node_get_end_line(node) - cmark_node_get_start_line(node));
}

static void
take_html(struct walker *w, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node);
	size_t start = w->text.len, len = strlen(literal);
	size_t at = hint(w, cmark_node_get_start_column(node));

	if (at + len <= w->c->text.len && memcmp(w->c->text.s + at, literal, len) == 0)
		add_verbatim(w, at, at + len);
	else
		add_changed(w, at, literal, len);
	w->cursor = at + len < w->c->text.len ? at + len : w->c->text.len;
	add_run(w, MARKDOWN_HTML_RUN, start);
	move_base(w, at, cmark_node_get_end_line(node) - cmark_node_get_start_line(node));
}

static void
take_break(struct walker *w)
{
	size_t start = w->text.len, p = w->cursor;
	const char *newline = p < w->c->text.len ?
	    memchr(w->c->text.s + p, '\n', w->c->text.len - p) : NULL;

	if (newline != NULL)
		p = (size_t)(newline - w->c->text.s);
	add_changed(w, p, "\n", 1);
	add_run(w, MARKDOWN_TEXT, start);
	if (newline == NULL)
		return;
	w->cursor = p + 1;
	/* cmark counts no line for a break by a backslash. */
	if (p == 0 || byte_at(w, p - 1) != '\\')
		w->base = w->cursor;
}

/* "<" of an autolink, whose own column cmark gets wrong, but not that of its text. */
static bool
is_autolink(const struct walker *w, cmark_node *node, size_t *at)
{
	cmark_node *child = cmark_node_first_child(node);

	if (child == NULL || cmark_node_get_type(child) != CMARK_NODE_TEXT)
		return false;
	*at = hint(w, cmark_node_get_start_column(child));
	return *at > 0 && byte_at(w, --*at) == '<';
}

static void
open_link(struct walker *w, cmark_node *node, bool image)
{
	struct markdown_link *link = arena_alloc(w->src->a, sizeof *link);
	const char *title = cmark_node_get_title(node);
	size_t at;
	bool autolink = is_autolink(w, node, &at);

	if (!autolink) {
		at = hint(w, cmark_node_get_start_column(node));
		if (byte_at(w, at) != (image ? '!' : '['))
			at = w->cursor;
	}
	link->at = content_place(w->c, w->src, at);
	link->destination = arena_strdup(w->src->a, cmark_node_get_url(node));
	link->title = arena_strdup(w->src->a, title == NULL ? "" : title);
	link->image = image;
	link->start = w->text.len;
	link->outer = open_link_of(w);
	w->links = room_for(w->links, w->link_count, &w->link_cap, sizeof *w->links);
	w->links[w->link_count++] = link;
	w->cursor = at + (image ? 2 : 1);
	w->open = room_for(w->open, w->open_count, &w->open_cap, sizeof *w->open);
	w->open[w->open_count++] = (struct open_link){ link, w->cursor, autolink };
}

/* What follows the text tells a reference: nothing, [] or [label]; "(" an inline link. */
static void
close_link(struct walker *w, cmark_node *node)
{
	const char *s = w->c->text.s;
	size_t close = w->cursor, end = hint(w, cmark_node_get_end_column(node) + 1);
	struct open_link open;

	assert(w->open_count > 0);
	open = w->open[--w->open_count];
	open.link->len = w->text.len - open.link->start;
	while (close < w->c->text.len && s[close] != (open.autolink ? '>' : ']'))
		close++;
	w->cursor = close < w->c->text.len ? close + 1 : close;
	if (open.autolink)
		return;
	if (end > w->cursor && s[w->cursor] == '(') {
		w->cursor = end;
		return;
	}
	if (end > close + 3) {
		open.link->label = reference_label(w->src->a, s + close + 2, end - close - 3);
		w->cursor = end;
	} else {
		if (close > open.text)
			open.link->label = reference_label(w->src->a, s + open.text,
			    close - open.text);
		w->cursor = end > w->cursor ? end : w->cursor;
	}
}

static void
take_event(struct walker *w, cmark_node *node, bool entering)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
		take_text(w, node);
		break;
	case CMARK_NODE_CODE:
		take_code(w, node);
		break;
	case CMARK_NODE_HTML_INLINE:
		take_html(w, node);
		break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
		take_break(w);
		break;
	case CMARK_NODE_EMPH:
		w->emphasis += entering ? 1 : -1;
		break;
	case CMARK_NODE_STRONG:
		w->strong += entering ? 1 : -1;
		break;
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
		if (entering)
			open_link(w, node, cmark_node_get_type(node) == CMARK_NODE_IMAGE);
		else
			close_link(w, node);
		break;
	default:
		break;
	}
}

static const void *
keep(struct arena *a, const void *items, size_t count, size_t size)
{
	void *copy = arena_alloc(a, count * size);

	if (count > 0)
		memcpy(copy, items, count * size);
	return copy;
}

static void
finish(struct walker *w, struct markdown_text *out)
{
	struct arena *a = w->src->a;

	out->s = arena_strndup(a, w->text.s, w->text.len);
	out->len = w->text.len;
	out->runs = keep(a, w->runs, w->run_count, sizeof *w->runs);
	out->run_count = w->run_count;
	out->links = keep(a, w->links, w->link_count, sizeof *w->links);
	out->link_count = w->link_count;
	out->pieces = keep(a, w->pieces, w->piece_count, sizeof *w->pieces);
	out->piece_count = w->piece_count;
	buf_release(&w->text);
	free(w->open);
	free(w->runs);
	free(w->links);
	free(w->pieces);
}

void
inline_read(struct markdown_text *out, struct source *src, cmark_node *node,
    const struct content *c, int column)
{
	struct walker w = { .src = src, .c = c, .column = column, .text = BUF_INIT };
	cmark_iter *iter = cmark_iter_new(node);
	cmark_event_type event;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE)
		take_event(&w, cmark_iter_get_node(iter), event == CMARK_EVENT_ENTER);
	cmark_iter_free(iter);
	finish(&w, out);
}

void
inline_lines(struct markdown_text *out, struct source *src, const char *literal, int from,
    enum markdown_run_kind kind)
{
	struct walker w = { .src = src, .text = BUF_INIT };

	for (; *literal != '\0'; from++) {
		size_t n = strcspn(literal, "\n"), len;
		const char *line = from <= src->lines ? source_line(src, from, &len) : NULL;

		if (line != NULL && n <= len && memcmp(line + len - n, literal, n) == 0)
			add_piece(&w, source_place(src, from, len - n), true);
		else if (line != NULL)
			add_piece(&w, source_place(src, from, line_prefix(line, len, 0)), false);
		buf_add(&w.text, literal, n);
		buf_putc(&w.text, '\n');
		literal += n + (literal[n] == '\n');
	}
	add_run(&w, kind, 0);
	finish(&w, out);
}

struct place
markdown_place(const struct markdown_text *text, size_t offset)
{
	size_t low = 0, high = text->piece_count;
	const struct markdown_piece *piece;
	struct place at;

	if (high == 0)
		return (struct place){ NULL, 0, 0 };
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (text->pieces[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	piece = &text->pieces[low];
	at = piece->at;
	if (offset > text->len)
		offset = text->len;
	while (offset > piece->start && text->s[offset - 1] == '\n')
		offset--; /* behind the last line is the end of it */
	if (piece->verbatim && offset > piece->start)
		at.column += (int)utf8_count(text->s + piece->start, offset - piece->start);
	return at;
}
