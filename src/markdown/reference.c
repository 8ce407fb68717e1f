/*
 * Link reference definitions. cmark uses them up: their lines are in none of its nodes. So they
 * are scanned here by its rules, at the start of paragraphs and in the lines that no
 * node covers; what their destination and title say is left to cmark (sheet.c).
 */
#include "markdown/markdown_int.h"

#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
	LABEL_BYTES = 1000,
	PARENTHESES = 32,
};

/* A reading position in a content. */
struct scan {
	const char *s;
	size_t at, len;
};

static char
peek(const struct scan *sc)
{
	return sc->at < sc->len ? sc->s[sc->at] : '\0';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n';
}

static bool
is_escape(const struct scan *sc)
{
	char next = sc->at + 1 < sc->len ? sc->s[sc->at + 1] : '\0';

	return peek(sc) == '\\' && next > ' ' && next < 0x7F && strchr(
	    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", next) != NULL;
}

static void
skip_blanks(struct scan *sc)
{
	while (is_blank(peek(sc)))
		sc->at++;
}

static bool
skip_line_end(struct scan *sc)
{
	if (sc->at < sc->len && peek(sc) != '\n')
		return false;
	sc->at += sc->at < sc->len;
	return true;
}

/* Blanks with at most one end of a line. */
static void
skip_blanks_and_line(struct scan *sc)
{
	skip_blanks(sc);
	if (peek(sc) == '\n') {
		sc->at++;
		skip_blanks(sc);
	}
}

/* "[label]:" with *label and its length inside the brackets. */
static bool
scan_label(struct scan *sc, const char **label, size_t *len)
{
	size_t start = sc->at + 1;
	bool blank = true;

	if (peek(sc) != '[')
		return false;
	for (sc->at++; peek(sc) != ']'; sc->at++) {
		if (sc->at >= sc->len || peek(sc) == '[' || sc->at - start > LABEL_BYTES)
			return false;
		blank = blank && is_space(peek(sc));
		if (is_escape(sc))
			sc->at++;
	}
	*label = sc->s + start;
	*len = sc->at - start;
	sc->at++;
	if (blank || peek(sc) != ':')
		return false;
	sc->at++;
	return true;
}

static bool
scan_pointed(struct scan *sc)
{
	for (sc->at++; sc->at < sc->len; sc->at++) {
		if (peek(sc) == '>') {
			sc->at++;
			return sc->at < sc->len;
		}
		if (peek(sc) == '\n' || peek(sc) == '<')
			return false;
		if (peek(sc) == '\\')
			sc->at++;
	}
	return false;
}

static bool
scan_destination(struct scan *sc)
{
	size_t start = sc->at;
	int open = 0;

	if (peek(sc) == '<')
		return scan_pointed(sc);
	for (; sc->at < sc->len && !is_space(peek(sc)); sc->at++) {
		if (is_escape(sc)) {
			sc->at++;
		} else if (peek(sc) == '(') {
			if (++open > PARENTHESES)
				return false;
		} else if (peek(sc) == ')' && open-- == 0) {
			return false; /* more would have to follow in the line */
		}
	}
	return sc->at > start && sc->at < sc->len && open == 0;
}

static bool
scan_title(struct scan *sc)
{
	char open = peek(sc), close = open == '(' ? ')' : open;

	if (open != '"' && open != '\'' && open != '(')
		return false;
	for (sc->at++; sc->at < sc->len; sc->at++) {
		if (peek(sc) == close) {
			sc->at++;
			return true;
		}
		if (open == '(' && peek(sc) == '(')
			return false;
		if (is_escape(sc))
			sc->at++;
	}
	return false;
}

const char *
reference_label(struct arena *a, const char *text, size_t len)
{
	char *label = arena_alloc(a, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_space(text[i]))
			label[n++] = text[i];
		else if (n > 0 && label[n - 1] != ' ')
			label[n++] = ' ';
	}
	if (n > 0 && label[n - 1] == ' ')
		n--;
	label[n] = '\0';
	return label;
}

/* A part of the definition on the sheet's one line. */
static void
put_part(struct parsed *p, const char *text, size_t len)
{
	sheet_add(p, 0, 0, " ", 1);
	for (size_t i = 0; i < len; i++)
		sheet_add(p, 0, 0, text[i] == '\n' ? " " : text + i, 1);
}

static void
keep(struct parsed *p, struct place at, const char *label, size_t label_len, struct scan url,
    struct scan title)
{
	struct markdown_reference *r = arena_alloc(p->src.a, sizeof *r);

	r->at = at;
	r->label = reference_label(p->src.a, label, label_len);
	r->key = utf8_fold(p->src.a, r->label, strlen(r->label), NULL);
	p->references = room_for(p->references, p->reference_count, &p->reference_cap,
	    sizeof *p->references);
	p->references[p->reference_count++] = r;
	sheet_open(p)->reference = r;
	sheet_add(p, 0, 0, "[](", 3);
	put_part(p, url.s + url.at, url.len);
	if (title.len > 0)
		put_part(p, title.s + title.at, title.len);
	sheet_add(p, 0, 0, ")", 1);
	sheet_close(p);
}

/* One definition at `at`; returns the bytes it takes, or 0. */
static size_t
scan_one(struct parsed *p, const struct content *c, size_t at)
{
	struct scan sc = { c->text.s, at, c->text.len };
	struct scan url = { c->text.s, 0, 0 }, title = { c->text.s, 0, 0 };
	const char *label;
	size_t label_len, before_title;

	if (!scan_label(&sc, &label, &label_len))
		return 0;
	skip_blanks_and_line(&sc);
	url.at = sc.at;
	if (!scan_destination(&sc))
		return 0;
	url.len = sc.at - url.at;
	before_title = sc.at;
	skip_blanks_and_line(&sc);
	title.at = sc.at;
	if (sc.at > before_title && scan_title(&sc)) {
		title.len = sc.at - title.at;
		skip_blanks(&sc);
	}
	if (title.len == 0 || !skip_line_end(&sc)) {
		/* What is no title may be the next line. */
		title.len = 0;
		sc.at = before_title;
		skip_blanks(&sc);
		if (!skip_line_end(&sc))
			return 0;
	}
	keep(p, content_place(c, &p->src, at), label, label_len, url, title);
	return sc.at - at;
}

size_t
reference_scan(struct parsed *p, const struct content *c)
{
	size_t at = 0, n;

	while (at < c->text.len && (n = scan_one(p, c, at)) > 0)
		at += n;
	return at;
}

/* The lines that cmark's leaf blocks take, without those that only a container has. */
static unsigned char *
covered_lines(const struct parsed *p)
{
	unsigned char *covered = xcalloc((size_t)p->src.lines + 2, 1);

	for (size_t i = 0; i < p->m->count; i++) {
		int line = cmark_node_get_start_line(p->nodes[i]);
		int end = p->m->blocks[i].end_line - p->src.offset;

		for (; line <= end && line <= p->src.lines; line++)
			covered[line] = 1;
	}
	return covered;
}

/* The bytes before a "[" when they can only be marks of lists and quotes; else the whole line. */
static size_t
container_prefix(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && s[i] != '[') {
		if (!is_blank(s[i]) && strchr(">-+*.)0123456789", s[i]) == NULL)
			return len;
		i++;
	}
	return i;
}

void
reference_scan_uncovered(struct parsed *p)
{
	unsigned char *covered = covered_lines(p);
	struct content c = CONTENT_INIT;
	int next = 1;

	for (int line = 1; line <= p->src.lines; line = next) {
		int end = line;
		size_t len, n;
		const char *s = source_line(&p->src, line, &len);
		size_t prefix = container_prefix(s, len);

		next = line + 1;
		if (covered[line] || prefix == len)
			continue;
		/* It may go on in further lines, but not in one that can begin another. */
		while (end < p->src.lines && !covered[end + 1]) {
			s = source_line(&p->src, end + 1, &len);
			if (line_prefix(s, len, MARKDOWN_MAX_DEPTH) == len ||
			    container_prefix(s, len) < len)
				break;
			end++;
		}
		content_fill(&c, &p->src, line, prefix, end, MARKDOWN_MAX_DEPTH);
		n = reference_scan(p, &c);
		for (size_t i = 0; i + 1 < n; i++)
			next += c.text.s[i] == '\n';
	}
	content_release(&c);
	free(covered);
}

static int
by_place(const void *pa, const void *pb)
{
	const struct markdown_reference *a = *(struct markdown_reference *const *)pa;
	const struct markdown_reference *b = *(struct markdown_reference *const *)pb;

	if (a->at.line != b->at.line)
		return a->at.line < b->at.line ? -1 : 1;
	return (a->at.column > b->at.column) - (a->at.column < b->at.column);
}

static int
by_key(const void *pa, const void *pb)
{
	const struct markdown_reference *a = *(struct markdown_reference *const *)pa;
	const struct markdown_reference *b = *(struct markdown_reference *const *)pb;
	int order = strcmp(a->key, b->key);

	return order != 0 ? order : by_place(pa, pb);
}

void
reference_finish(struct parsed *p)
{
	struct markdown_reference **list = p->references;
	size_t n = 0;

	/* What cmark does not read as a link was no definition. */
	for (size_t i = 0; i < p->reference_count; i++)
		if (list[i]->destination != NULL)
			list[n++] = list[i];
	p->reference_count = n;
	p->m->references = arena_alloc(p->src.a, n * sizeof *p->m->references);
	if (n == 0)
		return;
	qsort(list, n, sizeof *list, by_key);
	for (size_t i = 1; i < n; i++)
		list[i]->duplicate = strcmp(list[i - 1]->key, list[i]->key) == 0;
	qsort(list, n, sizeof *list, by_place);
	for (size_t i = 0; i < n; i++)
		p->m->references[i] = *list[i];
	p->m->reference_count = n;
}
