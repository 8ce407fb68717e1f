#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/result.h"
#include "cli/size.h"
#include "kb/messages.h"
#include "plan/margin.h"
#include "render/qval.h"
#include "util/utf8.h"

enum { CELL = 9, HEAD = 14, WIDE_STEPS = 2, NARROW_STEPS = 1 };

static int
evaluate(struct margin *out, const struct workload *w, size_t steps, struct err *e)
{
	struct sizing_error wrong;

	if (margin_fill(out, &w->in, steps, &wrong) == 0)
		return OK;
	return err_set(e, ERR_INPUT, "%s: %s", wrong.field, wrong.reason);
}

/* ---- JSON ---- */

static struct val *
figure(struct arena *a, double value, enum dimension dimension, const struct quantity *like, const char *ref)
{
	struct quantity q = *like;

	q.value = value;
	q.unit = unit_base(dimension);
	q.ref = ref;
	return render_quantity_json(a, &q);
}

int
size_margin_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e)
{
	struct arena *a = &cli->arena;
	struct quantity like;
	struct val *out, *list;
	struct margin m;
	int rc = evaluate(&m, w, WIDE_STEPS, e);

	if (rc != OK)
		return rc;
	result_quantity(&like, w, "kv_to_weights");
	out = val_put(a, root, "margin", val_map(a));
	list = val_put(a, out, "sequences", val_list(a));
	for (size_t i = 0; i < m.sequences_count; i++)
		val_push(a, list, val_num(a, m.sequences[i]));
	list = val_put(a, out, "contexts", val_list(a));
	for (size_t k = 0; k < m.contexts_count; k++)
		val_push(a, list, val_num(a, m.contexts[k]));
	list = val_put(a, out, "kv_to_weights", val_list(a));
	for (size_t i = 0; i < m.sequences_count; i++) {
		struct val *row = val_push(a, list, val_list(a));

		for (size_t k = 0; k < m.contexts_count; k++)
			val_push(a, row, figure(a, m.ratio[i][k], DIM_RATIO, &like, "kv_to_weights"));
	}
	list = val_put(a, out, "crossover", val_list(a));
	for (size_t k = 0; k < m.contexts_count; k++)
		val_push(a, list, m.crossover[k] > 0
		    ? figure(a, m.crossover[k], DIM_COUNT, &like, "crossover.concurrency") : val_null(a));
	val_put(a, out, "row", val_num(a, (double)m.row));
	val_put(a, out, "column", val_num(a, (double)m.column));
	return OK;
}

/* ---- text ---- */

/* Right-aligned in `width` columns of a terminal. */
static void
put_right(struct buf *out, const char *text, int width)
{
	buf_printf(out, "%*s%s", width - utf8_width(text, strlen(text)), "", text);
}

/* No blanks at the end of a line. */
static void
end_line(struct buf *out)
{
	while (out->len > 0 && out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	buf_putc(out, '\n');
}

/* 128K for a count of tokens that is one; else in digits. */
static void
put_context(struct buf *out, double tokens)
{
	char text[32];

	if (tokens >= 1024 && tokens / 1024 == floor(tokens / 1024))
		snprintf(text, sizeof text, "%.0fK", tokens / 1024);
	else
		snprintf(text, sizeof text, "%.0f", tokens);
	put_right(out, text, CELL);
	buf_putc(out, ' ');
}

static bool
is_kv(const struct margin *m, size_t i, size_t k)
{
	return m->ratio[i][k] >= 1;
}

/* One row; the line stands where a neighbour is on the other side of 1. */
static void
put_row(struct buf *out, const struct margin *m, size_t i)
{
	char text[32];

	snprintf(text, sizeof text, "%.0f", m->sequences[i]);
	put_right(out, text, HEAD);
	for (size_t k = 0; k < m->contexts_count; k++) {
		struct quantity q = { .value = m->ratio[i][k], .unit = unit_base(DIM_RATIO), .digits = m->ratio[i][k] < 1 ? 2 : 3 };
		char cell[QUANTITY_TEXT + 2], ratio[QUANTITY_TEXT];

		quantity_text(ratio, sizeof ratio, &q, "en");
		if (i == m->row && k == m->column)
			snprintf(cell, sizeof cell, "[%s]", ratio);
		else
			snprintf(cell, sizeof cell, "%s", ratio);
		put_right(out, cell, CELL);
		buf_putc(out, k + 1 < m->contexts_count && is_kv(m, i, k) != is_kv(m, i, k + 1) ? '|' : ' ');
	}
	end_line(out);
}

/* Between rows i and i + 1: the line below the cells that turn. */
static void
put_turn(struct buf *out, const struct margin *m, size_t i)
{
	bool any = false;

	for (size_t k = 0; k < m->contexts_count; k++)
		any = any || is_kv(m, i, k) != is_kv(m, i + 1, k);
	if (!any)
		return;
	buf_printf(out, "%*s", HEAD, "");
	for (size_t k = 0; k < m->contexts_count; k++)
		buf_printf(out, "%s", is_kv(m, i, k) != is_kv(m, i + 1, k) ? "----------" : "          ");
	end_line(out);
}

int
size_margin(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	struct buf *out = &cli->out;
	struct val *messages;
	struct margin m;
	bool narrow = cli->width > 0 && cli->width < HEAD + (2 * WIDE_STEPS + 1) * (CELL + 1);
	int rc = messages_load(&messages, &cli->arena, lang, e);

	if (rc == OK)
		rc = evaluate(&m, w, narrow ? NARROW_STEPS : WIDE_STEPS, e);
	if (rc != OK)
		return rc;
	buf_printf(out, "%s, %s\n%s\n\n", workload_model_name(w), workload_device_name(w),
	    messages_get(messages, "margin", "head"));
	put_right(out, messages_get(messages, "margin", "axes"), HEAD);
	for (size_t k = 0; k < m.contexts_count; k++)
		put_context(out, m.contexts[k]);
	end_line(out);
	for (size_t i = 0; i < m.sequences_count; i++) {
		put_row(out, &m, i);
		if (i + 1 < m.sequences_count)
			put_turn(out, &m, i);
	}
	buf_puts(out, "\n");
	put_right(out, messages_get(messages, "margin", "turns"), HEAD);
	for (size_t k = 0; k < m.contexts_count; k++) {
		char text[32] = "-";

		if (m.crossover[k] > 0)
			snprintf(text, sizeof text, "%.0f", floor(m.crossover[k]));
		put_right(out, text, CELL);
		buf_putc(out, ' ');
	}
	end_line(out);
	buf_printf(out, "\n%s\n", messages_get(messages, "margin", "legend"));
	return OK;
}
