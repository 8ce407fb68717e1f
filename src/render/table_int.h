/* For table.c, table_plain.c and row.c only. */
#ifndef RENDER_TABLE_INT_H
#define RENDER_TABLE_INT_H

#include "render/table.h"

/* Append what a cell shows; `joint` stands between the items of a list. */
void table_cell(struct buf *out, const struct val *v, const char *joint);

const char *table_title(const struct render_column *column);

/* Is the column set to the right? */
bool table_is_right(const struct val *rows, const struct render_column *column);

/* A field of a CSV file, in quotes where it needs them; `alone`: its row has no other. */
void table_csv_field(struct buf *out, const char *text, size_t len, bool alone);

#endif
