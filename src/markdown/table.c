#include "markdown/markdown_int.h"

#include <string.h>

/* A line of the content, trimmed, and without the pipe at each end. */
struct row_text {
	size_t start, end;
};

static struct row_text
trim(const char *s, struct row_text r)
{
	while (r.start < r.end && is_blank(s[r.start]))
		r.start++;
	while (r.end > r.start && is_blank(s[r.end - 1]))
		r.end--;
	return r;
}

/* The next pipe that no backslash escapes, or the end. */
static size_t
next_pipe(const char *s, size_t at, size_t end)
{
	for (; at < end && s[at] != '|'; at++)
		if (s[at] == '\\' && at + 1 < end)
			at++;
	return at < end ? at : end;
}

/* Where a line's cells begin; *pipes tells whether it has any pipe. */
static struct row_text
open_row(const char *s, size_t start, size_t end, bool *pipes)
{
	struct row_text r = trim(s, (struct row_text){ start, end });

	*pipes = next_pipe(s, r.start, r.end) < r.end;
	if (r.start < r.end && s[r.start] == '|')
		r.start++;
	return r;
}

/* The next cell of a row, trimmed; false behind the last. */
static bool
next_cell(const char *s, struct row_text *rest, struct row_text *cell)
{
	size_t pipe;

	if (rest->start >= rest->end)
		return false;
	pipe = next_pipe(s, rest->start, rest->end);
	*cell = trim(s, (struct row_text){ rest->start, pipe });
	rest->start = pipe + 1;
	return true;
}

static bool
read_align(const char *s, struct row_text cell, enum markdown_align *out)
{
	bool left, right;

	if (cell.start == cell.end)
		return false;
	left = s[cell.start] == ':';
	right = s[cell.end - 1] == ':' && cell.end - cell.start > 1;
	cell.start += left;
	cell.end -= right;
	if (cell.start >= cell.end)
		return false;
	for (size_t i = cell.start; i < cell.end; i++)
		if (s[i] != '-')
			return false;
	*out = left && right ? MARKDOWN_CENTER : left ? MARKDOWN_LEFT :
	    right ? MARKDOWN_RIGHT : MARKDOWN_UNALIGNED;
	return true;
}

/* The alignments that a delimiter row gives; 0 when it is none. */
static size_t
read_delimiters(const char *s, struct row_text rest, enum markdown_align *align)
{
	struct row_text cell;
	size_t count = 0;

	while (next_cell(s, &rest, &cell)) {
		if (count == MARKDOWN_MAX_COLUMNS || !read_align(s, cell, &align[count]))
			return 0;
		count++;
	}
	return count;
}

static size_t
count_cells(const char *s, struct row_text rest)
{
	struct row_text cell;
	size_t count = 0;

	while (count <= MARKDOWN_MAX_COLUMNS && next_cell(s, &rest, &cell))
		count++;
	return count;
}

/* A cell's source goes to the sheet; an escaped pipe loses its backslash, also in code. */
static void
add_cell(struct parsed *p, struct markdown_cell *cell, const struct content *c,
    struct row_text text)
{
	const char *s = c->text.s;
	size_t from = text.start;
	struct segment at;

	cell->at = content_place(c, &p->src, text.start);
	cell->text = (struct markdown_text){ .s = "" };
	if (text.start == text.end)
		return;
	sheet_open(p)->cell = cell;
	for (size_t i = text.start; i < text.end; i++) {
		if (s[i] != '\\' || i + 1 >= text.end)
			continue;
		if (s[i + 1] == '|') {
			at = content_find(c, from);
			sheet_add(p, at.line, at.byte, s + from, i - from);
			from = i + 1;
		}
		i++;
	}
	at = content_find(c, from);
	sheet_add(p, at.line, at.byte, s + from, text.end - from);
	sheet_close(p);
}

static void
add_row(struct parsed *p, struct markdown_table *table, const struct content *c,
    struct row_text rest)
{
	struct markdown_row *row = &table->rows[table->count++];
	struct row_text cell;
	size_t count = count_cells(c->text.s, rest);

	if (count > table->columns)
		count = table->columns;
	row->at = content_place(c, &p->src, rest.start);
	row->cells = arena_alloc(p->src.a, count * sizeof *row->cells);
	while (row->count < count && next_cell(c->text.s, &rest, &cell))
		add_cell(p, &row->cells[row->count++], c, cell);
}

static size_t
line_end(const struct content *c, size_t start)
{
	const char *newline = memchr(c->text.s + start, '\n', c->text.len - start);

	return newline == NULL ? c->text.len : (size_t)(newline - c->text.s);
}

struct markdown_table *
table_find(struct parsed *p, const struct content *c)
{
	enum markdown_align align[MARKDOWN_MAX_COLUMNS];
	size_t first = line_end(c, 0), second, columns, lines = 0;
	struct row_text header, delimiters;
	struct markdown_table *table;
	bool pipes, more_pipes;

	if (first + 1 >= c->text.len)
		return NULL;
	second = line_end(c, first + 1);
	header = open_row(c->text.s, 0, first, &pipes);
	delimiters = open_row(c->text.s, first + 1, second, &more_pipes);
	columns = read_delimiters(c->text.s, delimiters, align);
	if (columns == 0 || !pipes || !more_pipes || count_cells(c->text.s, header) != columns)
		return NULL;
	for (size_t i = 0; i < c->text.len; i++)
		lines += c->text.s[i] == '\n';
	table = arena_alloc(p->src.a, sizeof *table);
	table->columns = columns;
	table->align = arena_alloc(p->src.a, columns * sizeof *align);
	memcpy(table->align, align, columns * sizeof *align);
	table->rows = arena_alloc(p->src.a, lines * sizeof *table->rows);
	add_row(p, table, c, header);
	for (size_t at = second + 1; at < c->text.len; at = line_end(c, at) + 1)
		add_row(p, table, c, open_row(c->text.s, at, line_end(c, at), &pipes));
	return table;
}
