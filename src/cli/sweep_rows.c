#include "cli/sweep_rows.h"

#include <stdio.h>
#include <string.h>

#include "advise/result.h"
#include "render/json.h"
#include "util/utf8.h"

enum { BAR_COLUMNS = 30 };

/* ---- columns ---- */

static const char *const usual[] = { "kv.bytes", "kv_to_weights", "accelerators.needed", "fits", "prefill.seconds",
	"decode.step_seconds", "decode.tokens_per_second", "bottleneck.flag", "bottleneck.decode", NULL };
static const char *const of_front[] = { "decode.step_seconds", "decode.tokens_per_second_device",
	"decode.tokens_per_second", "bottleneck.decode", NULL };

static int
add_named(struct sweep_rows *rows, const char *name, size_t len, struct err *e)
{
	struct err wrong = ERR_INIT;

	if (rows->count == SWEEP_COLUMNS)
		return err_set(e, ERR_USAGE, "--columns: expected at most %d", SWEEP_COLUMNS);
	if (plan_column_find(&rows->columns[rows->count], rows->grid, name, len, &wrong) != OK)
		return err_set(e, ERR_USAGE, "--columns: %s", wrong.text);
	rows->count++;
	return OK;
}

static int
add_list(struct sweep_rows *rows, const char *names, struct err *e)
{
	int rc = OK;

	while (rc == OK) {
		size_t n = strcspn(names, ","), from = strspn(names, " "), to = n;

		while (to > from && names[to - 1] == ' ')
			to--;
		rc = add_named(rows, names + (from < n ? from : n), to > from ? to - from : 0, e);
		if (names[n] == '\0')
			break;
		names += n + 1;
	}
	return rc;
}

/* A figure as a table shows it. */
static const char *
shown(char *text, const struct sweep_rows *rows, const struct plan_column *column, double value)
{
	static const struct sizing_key rate = { "", SIZING_UNIT_COUNT, 0, false, NULL };
	struct quantity q = result_shown(column->key != NULL ? column->key : &rate, value);

	return quantity_text(text, QUANTITY_TEXT, &q, rows->lang);
}

/*
 * The width of a column of a table, before any row is known: for axes that of their longest label
 * or last value, for results that of a figure of the unit as it is shown (four digits and the unit).
 */
static int
width_of(const struct sweep_rows *rows, const struct plan_column *column)
{
	static const int widths[] = { [SIZING_UNIT_COUNT] = 9, [SIZING_UNIT_WHOLE] = 9, [SIZING_UNIT_PARAMETERS] = 13,
		[SIZING_UNIT_TOKENS] = 16, [SIZING_UNIT_RATIO] = 6, [SIZING_UNIT_BYTES] = 9,
		[SIZING_UNIT_BYTES_BINARY] = 9, [SIZING_UNIT_SECONDS] = 9, [SIZING_UNIT_BYTES_PER_SECOND] = 10,
		[SIZING_UNIT_OPERATIONS_PER_SECOND] = 14, [SIZING_UNIT_TOKENS_PER_SECOND] = 14,
		[SIZING_UNIT_TEXT] = 12, [SIZING_UNIT_DTYPE] = 6 };
	int width = (int)strlen(column->name);

	if (column->key != NULL && widths[column->key->unit] > width)
		width = widths[column->key->unit];
	for (size_t i = 0; i < rows->grid->axis_count; i++) {
		const struct plan_axis *axis = &rows->grid->axes[i];
		char text[QUANTITY_TEXT];

		if (strcmp(axis->name, column->name) != 0)
			continue;
		for (uint64_t k = 0; axis->labels != NULL && k < axis->count; k++)
			width = (int)strlen(axis->labels[k]) > width ? (int)strlen(axis->labels[k]) : width;
		if (axis->labels == NULL) {
			int last = (int)strlen(shown(text, rows, column, plan_axis_value(axis, axis->count - 1)));

			width = last > width ? last : width;
		}
	}
	return width;
}

int
sweep_columns(struct sweep_rows *rows, const struct sweep_grid *g, const char *names, struct err *e)
{
	const char *const *list = rows->front ? of_front : usual;
	int rc = OK;

	rows->grid = &g->grid;
	if (names != NULL) {
		rc = add_list(rows, names, e);
	} else {
		for (size_t i = 0; rc == OK && i < g->grid.axis_count; i++) {
			if (g->shown[i])
				plan_column_axis(&rows->columns[rows->count++], rows->grid, i);
			if (g->axes[i].target == PLAN_RATE) /* what the rate comes to */
				rc = add_named(rows, "concurrency", strlen("concurrency"), e);
		}
		for (; rc == OK && *list != NULL; list++)
			rc = add_named(rows, *list, strlen(*list), e);
	}
	for (size_t i = 0; i < rows->count; i++)
		rows->heads[i] = (struct render_row_column){ rows->columns[i].name, width_of(rows, &rows->columns[i]),
			!plan_column_is_text(&rows->columns[i], rows->grid) };
	rows->heads[rows->count] = (struct render_row_column){ "limit", 6, false };
	return rc;
}

/* ---- rows ---- */

void
sweep_row(void *context, struct buf *out, const struct plan_cursor *c, bool last)
{
	const struct sweep_rows *rows = context;
	struct render_cell cells[SWEEP_COLUMNS + 1];
	char texts[SWEEP_COLUMNS][QUANTITY_TEXT];

	for (size_t i = 0; i < rows->count; i++) {
		const struct plan_column *column = &rows->columns[i];
		struct render_cell *cell = &cells[i];

		cell->kind = RENDER_CELL_NONE;
		if (plan_column_is_text(column, rows->grid)) {
			cell->text = plan_column_text(column, c);
			if (cell->text != NULL)
				cell->kind = RENDER_CELL_TEXT;
		} else if (plan_column_number(&cell->number, column, c)) {
			cell->kind = RENDER_CELL_NUMBER;
			if (rows->style == RENDER_ROW_TABLE) {
				cell->kind = RENDER_CELL_TEXT;
				cell->text = shown(texts[i], rows, column, cell->number);
			}
		}
	}
	cells[rows->count] = (struct render_cell){ last ? RENDER_CELL_TEXT : RENDER_CELL_NONE, 0, "memory" };
	render_row(out, rows->style, rows->heads, cells, rows->count + rows->front);
}

static int
put(const char *bytes, size_t len, struct err *e)
{
	if (fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0)
		return OK;
	return err_errno(e, "cannot write to standard output");
}

/* The name of a unit in which JSON and CSV give a number: the base unit. */
static const char *
unit_name(const struct plan_column *column)
{
	return column->key != NULL ? unit_base(result_shown(column->key, 1).unit->dimension)->name : "";
}

/* {"format": ..., "columns": [{"name", "unit", "kind"}], "rows": [ : so that no number stands without its unit. */
static void
json_heading(struct buf *out, const struct sweep_rows *rows)
{
	buf_puts(out, "{\n  \"format\": \"dossier.sweep/1\",\n  \"columns\": [");
	for (size_t i = 0; i < rows->count; i++) {
		const struct plan_column *column = &rows->columns[i];

		buf_printf(out, "%s\n    {\"name\": \"%s\"", i > 0 ? "," : "", column->name);
		if (!plan_column_is_text(column, rows->grid))
			buf_printf(out, ", \"unit\": \"%s\"", unit_name(column));
		buf_printf(out, ", \"kind\": \"%s\"}", column->of_input || column->key == NULL ? "stated" : "calculated");
	}
	if (rows->front)
		buf_puts(out, ",\n    {\"name\": \"limit\", \"kind\": \"calculated\"}");
	buf_puts(out, "\n  ],\n  \"rows\": [\n");
}

static int
begin(struct sweep_rows *rows, struct err *e)
{
	struct buf out = BUF_INIT;
	int rc;

	rows->begun = true;
	if (rows->bom)
		buf_puts(&out, UTF8_BOM);
	if (rows->style == RENDER_ROW_JSON)
		json_heading(&out, rows);
	else
		render_row_heading(&out, rows->style, rows->heads, rows->count + rows->front);
	rc = out.len > 0 ? put(out.s, out.len, e) : OK;
	buf_release(&out);
	return rc;
}

int
sweep_write(void *context, const struct buf *block, struct err *e)
{
	struct sweep_rows *rows = context;
	size_t skip = rows->style == RENDER_ROW_JSON && !rows->begun ? 2 : 0;
	int rc = rows->begun ? OK : begin(rows, e);

	return rc == OK ? put(block->s + skip, block->len - skip, e) : rc;
}

int
sweep_end(struct sweep_rows *rows, const struct plan_tally *tally, struct err *e)
{
	struct buf out = BUF_INIT;
	bool any = rows->begun;
	int rc = any ? OK : begin(rows, e);

	if (rows->style == RENDER_ROW_JSON)
		buf_printf(&out, "%s  ],\n  \"configurations\": %llu,\n  \"kept\": %llu,\n  \"refused\": %llu\n}\n",
		    any ? "\n" : "", (unsigned long long)(tally->sized + tally->refused),
		    (unsigned long long)tally->kept, (unsigned long long)tally->refused);
	if (rc == OK && out.len > 0)
		rc = put(out.s, out.len, e);
	buf_release(&out);
	return rc;
}

/* ---- the bar ---- */

static double
seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) * 1e-9;
}

/* Ten times a second at most, and not before the first second is half over. */
void
sweep_progress(void *context, uint64_t done)
{
	struct sweep_rows *rows = context;
	struct timespec now;
	double share = (double)done / (double)rows->grid->count, taken;
	char bar[BAR_COLUMNS + 1];

	if (!rows->bar)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (rows->start.tv_sec == 0)
		rows->start = rows->drawn = now;
	taken = seconds_between(&rows->start, &now);
	if (taken < 0.5 || seconds_between(&rows->drawn, &now) < 0.1 || !(share > 0))
		return;
	rows->drawn = now;
	for (int i = 0; i < BAR_COLUMNS; i++)
		bar[i] = i < share * BAR_COLUMNS ? '#' : '.';
	bar[BAR_COLUMNS] = '\0';
	fprintf(stderr, "\r[%s] %3.0f %%, %.2f million/s, %.0f s left ", bar, share * 100,
	    (double)done / taken / 1e6, taken / share - taken);
}

void
sweep_clear_bar(struct sweep_rows *rows)
{
	if (rows->bar && rows->drawn.tv_sec + rows->drawn.tv_nsec != rows->start.tv_sec + rows->start.tv_nsec)
		fprintf(stderr, "\r%*s\r", BAR_COLUMNS + 45, "");
}
