#include "render/row.h"

#include <string.h>

#include "quantity/quantity.h"
#include "render/json.h"
#include "render/table_int.h"
#include "util/utf8.h"

static void
put_number(struct buf *out, double number)
{
	char text[QUANTITY_TEXT];

	buf_puts(out, quantity_number(text, sizeof text, number));
}

static void
put_blanks(struct buf *out, int count)
{
	while (count-- > 0)
		buf_putc(out, ' ');
}

/* The last cell of a row on the left gets no blanks behind it. */
static void
put_padded(struct buf *out, const char *text, const struct render_row_column *column, bool last)
{
	size_t len = strlen(text);
	int blanks = column->width - utf8_width(text, len);

	if (column->right)
		put_blanks(out, blanks);
	buf_add(out, text, len);
	if (!column->right && !last)
		put_blanks(out, blanks);
	buf_puts(out, last ? "\n" : "  ");
}

static void
put_table(struct buf *out, const struct render_row_column *columns, const struct render_cell *cells, size_t count)
{
	char text[QUANTITY_TEXT];

	for (size_t i = 0; i < count; i++) {
		const char *cell = "-";

		if (cells[i].kind == RENDER_CELL_TEXT)
			cell = cells[i].text;
		else if (cells[i].kind == RENDER_CELL_NUMBER)
			cell = quantity_number(text, sizeof text, cells[i].number);
		put_padded(out, cell, &columns[i], i + 1 == count);
	}
}

static void
put_csv(struct buf *out, const struct render_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		if (cells[i].kind == RENDER_CELL_NUMBER)
			put_number(out, cells[i].number);
		else if (cells[i].kind == RENDER_CELL_TEXT)
			table_csv_field(out, cells[i].text, strlen(cells[i].text), count == 1);
		else
			table_csv_field(out, "", 0, count == 1);
	}
	buf_puts(out, "\r\n");
}

static void
put_json(struct buf *out, const struct render_row_column *columns, const struct render_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, i > 0 ? ", \"" : "{\"");
		buf_puts(out, columns[i].name);
		buf_puts(out, "\": ");
		if (cells[i].kind == RENDER_CELL_NUMBER)
			put_number(out, cells[i].number);
		else if (cells[i].kind == RENDER_CELL_TEXT)
			render_json_string(out, cells[i].text, strlen(cells[i].text));
		else
			buf_puts(out, "null");
	}
	buf_putc(out, '}');
}

void
render_row_heading(struct buf *out, enum render_row_style style, const struct render_row_column *columns,
    size_t count)
{
	if (style == RENDER_ROW_TABLE) {
		for (size_t i = 0; i < count; i++)
			put_padded(out, columns[i].name, &columns[i], i + 1 == count);
	} else if (style == RENDER_ROW_CSV) {
		for (size_t i = 0; i < count; i++) {
			buf_puts(out, i > 0 ? "," : "");
			table_csv_field(out, columns[i].name, strlen(columns[i].name), count == 1);
		}
		buf_puts(out, "\r\n");
	}
}

void
render_row(struct buf *out, enum render_row_style style, const struct render_row_column *columns,
    const struct render_cell *cells, size_t count)
{
	switch (style) {
	case RENDER_ROW_TABLE:
		put_table(out, columns, cells, count);
		break;
	case RENDER_ROW_CSV:
		put_csv(out, cells, count);
		break;
	case RENDER_ROW_JSON:
		buf_puts(out, ",\n");
		put_json(out, columns, cells, count);
		break;
	case RENDER_ROW_JSONL:
		put_json(out, columns, cells, count);
		buf_putc(out, '\n');
		break;
	}
}
