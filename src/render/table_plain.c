/* The tables that other programs read. */
#include "render/table.h"

#include <string.h>

#include "render/escape.h"
#include "render/table_int.h"
#include "util/utf8.h"

static void
put_markdown_cell(struct buf *out, const char *text, size_t len)
{
	buf_puts(out, "| ");
	render_escape_markdown(out, text, len);
	if (out->s[out->len - 1] != ' ')
		buf_putc(out, ' ');
}

void
render_table_markdown(struct buf *out, const struct val *rows, const struct render_column *columns,
    size_t count)
{
	struct buf cell = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		put_markdown_cell(out, table_title(&columns[i]), strlen(table_title(&columns[i])));
	buf_puts(out, "|\n");
	for (size_t i = 0; i < count; i++)
		buf_puts(out, table_is_right(rows, &columns[i]) ? "| ---: " : "| --- ");
	buf_puts(out, "|\n");
	for (size_t row = 0; row < val_count(rows); row++) {
		for (size_t i = 0; i < count; i++) {
			buf_clear(&cell);
			table_cell(&cell, val_path(rows->list.items[row], columns[i].key), ", ");
			put_markdown_cell(out, cell.s, cell.len);
		}
		buf_puts(out, "|\n");
	}
	buf_release(&cell);
}

static bool
needs_quotes(const char *text, size_t len, bool alone)
{
	if (len == 0)
		return alone; /* an empty line would be no row */
	if (text[0] == ' ' || text[len - 1] == ' ')
		return true;
	for (size_t i = 0; i < len; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
			return true;
	return false;
}

void
table_csv_field(struct buf *out, const char *text, size_t len, bool alone)
{
	bool quotes = needs_quotes(text, len, alone);

	if (quotes)
		buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			buf_putc(out, '"');
		buf_putc(out, text[i]);
	}
	if (quotes)
		buf_putc(out, '"');
}

/* What a spreadsheet takes for a formula. A number is one, whatever its sign. */
static bool
is_formula(const struct val *v, const char *text)
{
	return !val_is(v, VAL_NUM) && *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
}

void
render_csv(struct buf *out, const struct val *rows, const struct render_column *columns,
    size_t count, struct render_csv options)
{
	struct buf cell = BUF_INIT;
	size_t skip; /* of the ' that stands before every cell */

	if (options.bom)
		buf_puts(out, UTF8_BOM);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		table_csv_field(out, columns[i].key, strlen(columns[i].key), count == 1);
	}
	buf_puts(out, "\r\n");
	for (size_t row = 0; row < val_count(rows); row++) {
		for (size_t i = 0; i < count; i++) {
			const struct val *v = val_path(rows->list.items[row], columns[i].key);

			buf_clear(&cell);
			buf_putc(&cell, '\'');
			table_cell(&cell, v, "; ");
			if (i > 0)
				buf_putc(out, ',');
			skip = !(options.guarded && is_formula(v, cell.s + 1));
			table_csv_field(out, cell.s + skip, cell.len - skip, count == 1);
		}
		buf_puts(out, "\r\n");
	}
	buf_release(&cell);
}
