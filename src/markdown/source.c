#include "markdown/markdown_int.h"

#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Lines times the depth they may stand in: each walks all containers that are open. */
	MAX_WALK = 60 * 1000 * 1000,
	/* Images that begin times brackets that close, in text without a blank line between. */
	MAX_BRACKETS = 50 * 1000 * 1000,
	/* A block costs more than a character of markup. */
	BLOCK_MARKS = 6,
};

bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void *
room_for(void *items, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return items;
	*cap = *cap == 0 ? 8 : *cap * 2;
	return xreallocarray(items, *cap, size);
}

/* The length of a list marker with the blank behind it, or 0. */
static size_t
marker_length(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && n < 9 && s[n] >= '0' && s[n] <= '9')
		n++;
	if (n > 0 ? n < len && (s[n] == '.' || s[n] == ')') :
	    len > 0 && (s[0] == '-' || s[0] == '+' || s[0] == '*'))
		n++;
	else
		return 0;
	return n == len || is_blank(s[n]) ? n : 0;
}

/*
 * How deep in lists and quotes a line can begin, at most, by its marks and its indentation;
 * *marks_depth by what stands before its last mark. The blocks that it may open add to *marks.
 */
static size_t
line_depth(const char *s, size_t len, size_t *marks_depth, size_t *marks)
{
	size_t depth = 0, blanks = 0, i = 0;

	*marks_depth = 0;
	while (i < len) {
		size_t n = s[i] == '>' ? 1 : marker_length(s + i, len - i);

		if (n > 0) {
			depth++;
			*marks_depth = depth + blanks / 2;
			i += n;
		} else if (is_blank(s[i])) {
			blanks += s[i] == '\t' ? 4 : 1;
			i++;
		} else {
			break;
		}
	}
	*marks += depth * BLOCK_MARKS + (i < len && s[i] == '#' ? BLOCK_MARKS : 0);
	return depth + blanks / 2;
}

/* This cmark looks through all the images that are open at each link (CVE-2023-22486). */
static int
check_brackets(struct source *src, struct err *e)
{
	size_t images = 0, looks = 0;

	for (int line = 1; line <= src->lines; line++) {
		size_t len;
		const char *s = source_line(src, line, &len);

		if (strspn(s, " \t") >= len)
			images = 0;
		for (size_t i = 0; i < len; i++) {
			images += s[i] == '!' && i + 1 < len && s[i + 1] == '[';
			looks += s[i] == ']' ? images : 0;
		}
		if (looks > MAX_BRACKETS)
			return err_at(e, ERR_INPUT, source_place(src, line, 0),
			    "expected fewer images in one paragraph");
	}
	return OK;
}

/*
 * Otherwise cmark takes time in proportion to the text, but for deep nesting, where every line
 * walks through all that is open, also a blank one.
 */
static int
check_cost(struct source *src, struct err *e)
{
	size_t depth = 0, walk = 0, marks = 0;
	bool after_blank = true;

	for (size_t i = 0; i < src->len; i++)
		marks += strchr("\n*_[]`<&\\!", src->text[i]) != NULL;
	for (int line = 1; line <= src->lines; line++) {
		size_t len, by_marks, here;
		const char *s = source_line(src, line, &len);

		here = line_depth(s, len, &by_marks, &marks);
		if (by_marks > MARKDOWN_MAX_DEPTH)
			return err_at(e, ERR_INPUT, source_place(src, line, 0),
			    "expected lists and quotes at most %d deep", MARKDOWN_MAX_DEPTH);
		if (marks > MARKDOWN_MAX_MARKS)
			return err_at(e, ERR_INPUT, (struct place){ src->file, 0, 0 },
			    "expected less markup in one file, found more than %d marks",
			    MARKDOWN_MAX_MARKS);
		if (here > MARKDOWN_MAX_DEPTH)
			here = MARKDOWN_MAX_DEPTH;
		if (strspn(s, " \t") >= len) {
			after_blank = true; /* closes nothing */
		} else {
			/* Text right behind text may belong to whatever is open. */
			depth = after_blank || here > depth ? here : depth;
			after_blank = false;
		}
		walk += depth;
		if (walk > MAX_WALK)
			return err_at(e, ERR_INPUT, source_place(src, line, 0),
			    "expected fewer lines in deep lists and quotes");
	}
	return check_brackets(src, e);
}

static bool
is_fence(const char *s, size_t len, bool closing)
{
	while (len > 0 && (is_blank(s[len - 1]) || s[len - 1] == '\r'))
		len--;
	return len == 3 && (memcmp(s, "---", 3) == 0 || (closing && memcmp(s, "...", 3) == 0));
}

/* Take front matter off: two fences, no blank line right behind the first. */
static void
take_front(struct source *src, struct markdown *m)
{
	const char *end = src->text + src->len, *p = src->text;
	const char *first = memchr(p, '\n', src->len);
	int line = 1;

	if (first == NULL || !is_fence(p, (size_t)(first - p), false))
		return;
	for (p = first + 1; p < end; line++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *stop = newline == NULL ? end : newline;

		if (line == 1 && strspn(p, " \t\r") >= (size_t)(stop - p))
			return;
		if (is_fence(p, (size_t)(stop - p), true)) {
			m->front_len = (size_t)(p - first) - 1;
			m->front = arena_strndup(src->a, first + 1, m->front_len);
			p = newline == NULL ? end : newline + 1;
			src->offset = line + 1;
			src->len = (size_t)(end - p);
			src->text = p;
			return;
		}
		if (newline == NULL)
			return;
		p = newline + 1;
	}
}

static void
find_lines(struct source *src)
{
	size_t cap = 64;

	src->starts = xmalloc(cap * sizeof *src->starts);
	for (size_t at = 0; at < src->len;) {
		const char *newline = memchr(src->text + at, '\n', src->len - at);

		if ((size_t)src->lines + 1 == cap) {
			cap *= 2;
			src->starts = xreallocarray(src->starts, cap, sizeof *src->starts);
		}
		src->starts[src->lines++] = at;
		at = newline == NULL ? src->len : (size_t)(newline - src->text) + 1;
	}
	src->starts[src->lines] = src->len;
}

/* In the arena it ends in a NUL, which strspn and friends rely on. */
static void
compose(struct source *src, struct markdown *m, const char *text, size_t len)
{
	src->text = utf8_nfc(src->a, text, len, &src->len);
	m->decomposed = utf8_decomposed(text, len, src->file);
	if (m->decomposed.line == 0)
		return;
	m->written = arena_strndup(src->a, text, len);
	m->written_len = len;
}

struct place
markdown_written(const struct markdown *m, struct place at)
{
	const char *line = m->written, *end;
	int composed = 1, column = 1;

	if (line == NULL || at.line <= 0)
		return at;
	end = line + m->written_len;
	for (int i = 1; i < at.line && (line = memchr(line, '\n', (size_t)(end - line))) != NULL; i++)
		line++;
	while (line != NULL && line < end && *line != '\n') {
		struct utf8_cluster c = utf8_cluster(line, (size_t)(end - line));

		if (composed + (int)c.composed > at.column)
			break;
		composed += (int)c.composed;
		column += (int)c.points;
		line += c.len;
	}
	at.column += column - composed;
	return at;
}

int
source_init(struct source *src, struct markdown *m, struct arena *a, const char *text, size_t len,
    const char *file, struct err *e)
{
	size_t bom = utf8_bom(text, len);
	int rc;

	*src = (struct source){ .a = a, .file = arena_strdup(a, file) };
	if (len > MARKDOWN_MAX_BYTES)
		return err_at(e, ERR_INPUT, (struct place){ src->file, 0, 0 },
		    "expected at most %d MiB, found %zu bytes", MARKDOWN_MAX_BYTES / (1024 * 1024),
		    len);
	rc = utf8_check(text, len, src->file, e);
	if (rc != OK)
		return rc;
	compose(src, m, text + bom, len - bom);
	take_front(src, m);
	find_lines(src);
	return check_cost(src, e);
}

const char *
source_line(const struct source *src, int line, size_t *len)
{
	size_t start = src->starts[line - 1], end = src->starts[line];

	while (end > start && (src->text[end - 1] == '\n' || src->text[end - 1] == '\r'))
		end--;
	*len = end - start;
	return src->text + start;
}

struct place
source_place(struct source *src, int line, size_t byte)
{
	size_t len;
	const char *s = source_line(src, line, &len);

	if (byte > len)
		byte = len;
	if (line != src->seen_line || byte < src->seen_byte) {
		src->seen_line = line;
		src->seen_byte = 0;
		src->seen_column = 1;
	}
	src->seen_column += (int)utf8_count(s + src->seen_byte, byte - src->seen_byte);
	src->seen_byte = byte;
	return (struct place){ src->file, src->offset + line, src->seen_column };
}

void
content_clear(struct content *c)
{
	buf_clear(&c->text);
	c->count = 0;
}

void
content_release(struct content *c)
{
	buf_release(&c->text);
	free(c->segments);
	*c = (struct content)CONTENT_INIT;
}

void
content_add(struct content *c, int line, size_t byte, const char *text, size_t len)
{
	c->segments = room_for(c->segments, c->count, &c->cap, sizeof *c->segments);
	c->segments[c->count++] = (struct segment){ c->text.len, line, byte };
	buf_add(&c->text, text, len);
}

/* The bytes of a line that lists and quotes put before its text. */
size_t
line_prefix(const char *line, size_t len, int quotes)
{
	size_t i = 0;

	while (i < len && is_blank(line[i]))
		i++;
	for (; quotes > 0 && i < len && line[i] == '>'; quotes--) {
		i++;
		while (i < len && is_blank(line[i]))
			i++;
	}
	return i;
}

void
content_fill(struct content *c, const struct source *src, int line, size_t byte, int end,
    int quotes)
{
	content_clear(c);
	for (int i = line; i <= end && i <= src->lines; i++) {
		size_t len;
		const char *s = source_line(src, i, &len);
		size_t from = i == line ? byte : line_prefix(s, len, quotes);

		if (from > len)
			from = len;
		content_add(c, i, from, s + from, len - from);
		buf_putc(&c->text, '\n');
	}
}

void
content_drop(struct content *c, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct segment s = c->segments[i];
		size_t end = i + 1 < c->count ? c->segments[i + 1].start : c->text.len;

		if (end <= len)
			continue;
		s.byte += s.start < len ? len - s.start : 0;
		s.start = s.start < len ? 0 : s.start - len;
		c->segments[kept++] = s;
	}
	c->count = kept;
	c->text.len -= len;
	memmove(c->text.s, c->text.s + len, c->text.len + 1);
}

/* The last segment that begins at or before the offset. */
static size_t
segment_at(const struct content *c, size_t offset)
{
	size_t low = 0, high = c->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->segments[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct segment
content_find(const struct content *c, size_t offset)
{
	struct segment found = { offset, 0, 0 };
	const struct segment *s;

	if (c->count == 0)
		return found;
	s = &c->segments[segment_at(c, offset)];
	found.line = s->line;
	found.byte = s->byte + (offset > s->start ? offset - s->start : 0);
	return found;
}

size_t
content_span(const struct content *c, size_t offset)
{
	size_t next = c->count == 0 ? 1 : segment_at(c, offset) + 1;

	return (next < c->count ? c->segments[next].start : c->text.len) - offset;
}

struct place
content_place(const struct content *c, struct source *src, size_t offset)
{
	struct segment found = content_find(c, offset);

	return found.line == 0 ? (struct place){ src->file, 0, 0 } :
	    source_place(src, found.line, found.byte);
}
