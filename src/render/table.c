#include "render/table.h"

#include <stdlib.h>
#include <string.h>

#include "quantity/quantity.h"
#include "render/table_int.h"
#include "util/utf8.h"

#define GAP "  "
#define CUT_MARK "…"
#define RULE_MAX 60

void
table_cell(struct buf *out, const struct val *v, const char *joint)
{
	char number[64];

	if (v == NULL)
		return;
	switch (v->kind) {
	case VAL_NULL:
		break;
	case VAL_BOOL:
		buf_puts(out, v->boolean ? "yes" : "no");
		break;
	case VAL_NUM:
		buf_puts(out, quantity_number(number, sizeof number, v->number));
		break;
	case VAL_STR:
		buf_add(out, v->str.text, v->str.len);
		break;
	case VAL_LIST:
		for (size_t i = 0; i < v->list.count; i++) {
			if (i > 0)
				buf_puts(out, joint);
			if (!val_is(v->list.items[i], VAL_LIST))
				table_cell(out, v->list.items[i], joint);
		}
		break;
	case VAL_MAP:
		if (val_get_text(v, "text") != NULL)
			buf_puts(out, val_get_text(v, "text"));
		break;
	}
}

const char *
table_title(const struct render_column *column)
{
	return column->title != NULL ? column->title : column->key;
}

bool
table_is_right(const struct val *rows, const struct render_column *column)
{
	bool numbers = false;

	if (column->align != RENDER_ALIGN_AUTO)
		return column->align == RENDER_ALIGN_RIGHT;
	for (size_t i = 0; i < val_count(rows); i++) {
		const struct val *v = val_path(rows->list.items[i], column->key);

		if (v == NULL || v->kind == VAL_NULL)
			continue;
		if (v->kind != VAL_NUM && (v->kind != VAL_MAP || val_get_text(v, "exact") == NULL))
			return false;
		numbers = true;
	}
	return numbers;
}

/* ---- the table of a terminal ---- */

struct cell {
	char *text; /* owned; valid UTF-8 without control characters */
	size_t len;
	size_t shown; /* how much of it stands on lines above */
};

struct grid {
	const struct render_column *columns;
	size_t count; /* columns */
	size_t lines; /* rows and the heading */
	struct cell *cells;
	int *widths;
	bool *right;
	bool cut;
};

/* The length of the character at i, and its width on the terminal. */
static size_t
next_char(const struct cell *cell, size_t i, int *width)
{
	uint32_t cp;
	size_t n = utf8_decode(cell->text + i, cell->len - i, &cp);

	*width = n == 0 ? 1 : utf8_char_width(cp);
	return n == 0 ? 1 : n;
}

/* The text of a cell with blanks for what would move the cursor, and U+FFFD for no UTF-8. */
static struct cell
clean_cell(const struct buf *raw)
{
	struct buf b = BUF_INIT;
	struct cell cell = { .text = NULL };

	for (size_t i = 0; i < raw->len;) {
		uint32_t cp;
		size_t n = utf8_decode(raw->s + i, raw->len - i, &cp);

		if (n == 0)
			utf8_append(&b, 0xFFFD);
		else if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
			buf_putc(&b, ' ');
		else
			buf_add(&b, raw->s + i, n);
		i += n == 0 ? 1 : n;
	}
	while (b.len > 0 && b.s[b.len - 1] == ' ')
		b.s[--b.len] = '\0';
	cell.len = b.len;
	cell.text = buf_detach(&b);
	return cell;
}

static void
grid_fill(struct grid *g, const struct val *rows)
{
	struct buf raw = BUF_INIT;

	for (size_t i = 0; i < g->lines * g->count; i++) {
		const struct render_column *column = &g->columns[i % g->count];
		struct cell *cell = &g->cells[i];
		int width;

		buf_clear(&raw);
		if (i < g->count)
			buf_puts(&raw, table_title(column));
		else
			table_cell(&raw, val_path(rows->list.items[i / g->count - 1], column->key),
			    ", ");
		*cell = clean_cell(&raw);
		width = utf8_width(cell->text, cell->len);
		if (width > g->widths[i % g->count])
			g->widths[i % g->count] = width;
	}
	buf_release(&raw);
}

static bool
is_flexible(const struct grid *g, size_t column)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->columns[i].flexible)
			return g->columns[column].flexible;
	return column + 1 == g->count;
}

/* Take from the widest flexible column until the table fits or none can give more. */
static void
grid_shrink(struct grid *g, int width)
{
	int total = (int)strlen(GAP) * ((int)g->count - 1);

	for (size_t i = 0; i < g->count; i++)
		total += g->widths[i];
	while (total > width) {
		size_t widest = g->count;

		for (size_t i = 0; i < g->count; i++)
			if (is_flexible(g, i) && g->widths[i] > RENDER_TABLE_MIN &&
			    (widest == g->count || g->widths[i] > g->widths[widest]))
				widest = i;
		if (widest == g->count)
			return;
		g->widths[widest]--;
		total--;
	}
}

/*
 * How many bytes of the cell go on the next line of `width` columns: up to the last blank
 * that fits, or, within a word that is longer than a line, up to the last character.
 */
static size_t
line_length(const struct cell *cell, int width)
{
	size_t i = cell->shown, last_blank = cell->shown;
	int used = 0, w;

	while (i < cell->len) {
		size_t n = next_char(cell, i, &w);

		if (used + w > width && i > cell->shown) {
			if (cell->text[i] == ' ')
				last_blank = i;
			return (last_blank > cell->shown ? last_blank : i) - cell->shown;
		}
		if (cell->text[i] == ' ')
			last_blank = i;
		used += w;
		i += n;
	}
	return i - cell->shown;
}

/* The part of the cell before which the cut mark still fits. */
static size_t
cut_length(const struct cell *cell, int width)
{
	size_t i = 0;
	int used = 0, w;

	if (utf8_width(cell->text, cell->len) <= width)
		return cell->len;
	while (i < cell->len) {
		size_t n = next_char(cell, i, &w);

		if (used + w > width - 1)
			break;
		used += w;
		i += n;
	}
	while (i > 0 && cell->text[i - 1] == ' ')
		i--;
	return i;
}

static void
put_blanks(struct buf *out, int count)
{
	while (count-- > 0)
		buf_putc(out, ' ');
}

static void
trim_line(struct buf *out, size_t start)
{
	while (out->len > start && out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	buf_putc(out, '\n');
}

/* The next line of one cell, filled up to the width of its column. */
static void
put_cell_line(struct buf *out, const struct grid *g, struct cell *cell, size_t column)
{
	int width = g->widths[column];
	size_t n = g->cut ? cut_length(cell, width) : line_length(cell, width);
	bool mark = g->cut && n < cell->len && cell->shown == 0;
	int used;

	if (g->cut && cell->shown > 0)
		n = 0;
	used = utf8_width(cell->text + cell->shown, n) + mark;
	if (g->right[column])
		put_blanks(out, width - used);
	buf_add(out, cell->text + cell->shown, n);
	if (mark)
		buf_puts(out, CUT_MARK);
	if (!g->right[column])
		put_blanks(out, width - used);
	cell->shown = g->cut ? cell->len : cell->shown + n;
	while (cell->shown < cell->len && cell->text[cell->shown] == ' ')
		cell->shown++;
}

static void
put_row(struct buf *out, struct grid *g, struct cell *cells)
{
	bool more = true;

	while (more) {
		size_t start = out->len;

		more = false;
		for (size_t i = 0; i < g->count; i++) {
			if (i > 0)
				buf_puts(out, GAP);
			put_cell_line(out, g, &cells[i], i);
			more = more || cells[i].shown < cells[i].len;
		}
		trim_line(out, start);
	}
}

/* Prose in the last column may run on for a page where no terminal bounds it; the rule need not. */
static void
put_rule(struct buf *out, const struct grid *g)
{
	for (size_t i = 0; i < g->count; i++) {
		int width = g->widths[i];

		if (i > 0)
			buf_puts(out, GAP);
		if (i + 1 == g->count && !g->right[i] && width > RULE_MAX)
			width = RULE_MAX;
		for (int j = 0; j < width; j++)
			buf_putc(out, '-');
	}
	buf_putc(out, '\n');
}

void
render_table(struct buf *out, const struct val *rows, const struct render_column *columns,
    size_t count, int width, bool cut)
{
	struct grid g = {
		.columns = columns, .count = count, .lines = val_count(rows) + 1, .cut = cut
	};

	if (count == 0)
		return;
	g.cells = xcalloc(g.lines * count, sizeof *g.cells);
	g.widths = xcalloc(count, sizeof *g.widths);
	g.right = xcalloc(count, sizeof *g.right);
	for (size_t i = 0; i < count; i++)
		g.right[i] = table_is_right(rows, &columns[i]);
	grid_fill(&g, rows);
	if (width > 0)
		grid_shrink(&g, width);
	for (size_t i = 0; i < g.lines; i++) {
		put_row(out, &g, &g.cells[i * count]);
		if (i == 0)
			put_rule(out, &g);
	}
	for (size_t i = 0; i < g.lines * count; i++)
		free(g.cells[i].text);
	free(g.cells);
	free(g.widths);
	free(g.right);
}
