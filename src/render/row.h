/*
 * Rows one at a time, where a list would not fit into memory: CSV (RFC 4180), JSON, and tables
 * whose widths are given beforehand. A row is appended to a buffer and needs nothing else,
 * so that several threads can write rows at once.
 */
#ifndef RENDER_ROW_H
#define RENDER_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"

enum render_row_style {
	RENDER_ROW_TABLE,
	RENDER_ROW_CSV,
	RENDER_ROW_JSON,  /* each row begins with ",\n": the first two bytes of all are the caller's to drop */
	RENDER_ROW_JSONL, /* an object a line */
};

struct render_row_column {
	const char *name; /* letters, digits, '.', '_' and '-' */
	int width;        /* of a table, in terminal columns; a wider cell moves the rest of its row */
	bool right;
};

struct render_cell {
	enum { RENDER_CELL_NONE, RENDER_CELL_NUMBER, RENDER_CELL_TEXT } kind;
	double number;    /* finite */
	const char *text; /* valid UTF-8 */
};

/* The heading of a table or a CSV file; nothing for JSON. */
void render_row_heading(struct buf *out, enum render_row_style style,
    const struct render_row_column *columns, size_t count);
void render_row(struct buf *out, enum render_row_style style, const struct render_row_column *columns,
    const struct render_cell *cells, size_t count);

#endif
