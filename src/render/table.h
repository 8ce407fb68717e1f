/*
 * Lists of maps as tables: for a terminal, as Markdown, as CSV.
 *
 * A row is a map, and a column shows what stands in it under a path ("kv.bytes"): a text as
 * it is; a number in all its digits; yes or no; the items of a list, joined; of a map
 * its "text" (so a quantity, see render/qval.h, shows as a reader sees it); nothing for
 * what is missing. These tables are for lists of records: figures in a draft go through templates.
 */
#ifndef RENDER_TABLE_H
#define RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/val.h"

enum render_align {
	RENDER_ALIGN_AUTO, /* right where all cells are numbers or quantities, else left */
	RENDER_ALIGN_LEFT,
	RENDER_ALIGN_RIGHT,
};

struct render_column {
	const char *key;   /* path in a row; the heading in CSV */
	const char *title; /* heading elsewhere; NULL: the key */
	enum render_align align;
	bool flexible; /* gives way when the table is too wide; if none does, the last one */
};

/*
 * For a terminal of `width` columns; 0: as wide as it gets. Wide characters count two, and
 * no character is ever cut. Flexible columns share what the others leave, down to
 * RENDER_TABLE_MIN each: a table may still be wider than the terminal. What does not fit is
 * wrapped at blanks onto more lines, or with `cut` ends in "…". Control characters show as
 * blanks.
 */
enum { RENDER_TABLE_MIN = 10 };
void render_table(struct buf *out, const struct val *rows, const struct render_column *columns,
    size_t count, int width, bool cut);

/* A table of GitHub's Markdown; cells are escaped as in render/escape.h. */
void render_table_markdown(struct buf *out, const struct val *rows,
    const struct render_column *columns, size_t count);

/*
 * RFC 4180: commas, CRLF, quotes where a field needs them; a heading of keys.
 *
 *     bom      start with a byte order mark, without which Excel misreads Korean
 *     guarded  put ' before a text that a spreadsheet would take for a formula (= + - @, tab);
 *              off by default, since it changes what other programs read
 */
struct render_csv {
	bool bom;
	bool guarded;
};

void render_csv(struct buf *out, const struct val *rows, const struct render_column *columns,
    size_t count, struct render_csv options);

#endif
