/* How the rows of a sweep leave: columns, formats, the progress bar. */
#ifndef CLI_SWEEP_ROWS_H
#define CLI_SWEEP_ROWS_H

#include <time.h>

#include "cli/sweep_grid.h"
#include "plan/column.h"
#include "plan/sweep.h"
#include "render/row.h"

enum { SWEEP_COLUMNS = 64 };

struct sweep_rows {
	const struct plan_grid *grid;
	enum render_row_style style;
	bool bom;                          /* CSV begins with a byte order mark */
	bool front;                        /* rows of a front: a last column `limit` */
	const char *lang;
	struct plan_column columns[SWEEP_COLUMNS];
	struct render_row_column heads[SWEEP_COLUMNS + 1];
	size_t count;
	bool begun;                        /* the heading is out */
	bool bar;                          /* a progress bar is wanted */
	struct timespec start, drawn;
};

/* --columns, else the shown axes and the results that answer most. ERR_USAGE for a name there is not. */
int sweep_columns(struct sweep_rows *rows, const struct sweep_grid *g, const char *names, struct err *e);

/* The functions of a struct plan_sweep; the context is the rows. */
void sweep_row(void *context, struct buf *out, const struct plan_cursor *c, bool last);
int sweep_write(void *context, const struct buf *block, struct err *e);
void sweep_progress(void *context, uint64_t done);

/* What stands behind the last row, and before the first where there was none; takes the bar away. */
int sweep_end(struct sweep_rows *rows, const struct plan_tally *tally, struct err *e);
void sweep_clear_bar(struct sweep_rows *rows);

#endif
