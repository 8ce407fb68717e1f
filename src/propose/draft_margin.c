#include "propose/draft.h"

#include "advise/result.h"
#include "kb/kb.h"
#include "plan/margin.h"

/* The word for a multiple of what the customer runs; NULL: there is none. */
static const char *
multiple(double times)
{
	return times == 0.5 ? "half" : times == 1 ? "same" : times == 2 ? "twice" : times == 4 ? "four" : NULL;
}

/* KV over weights at one place of the grid, cited; a null value where it may not be shown or has no word. */
static struct val *
grid_figure(struct draft *d, const struct workload *w, const struct margin *m, size_t i, size_t k)
{
	const char *row = multiple(m->sequences[i] / m->sequences[m->row]);
	const char *column = multiple(m->contexts[k] / m->contexts[m->column]);
	struct quantity q;

	if (row == NULL || column == NULL || !result_quantity(&q, w, "kv_to_weights") || !(q.value > 0))
		return val_null(d->a);
	if (i == m->row && k == m->column)
		return draft_result(d, w, "kv_to_weights");
	q = result_like(&q, m->ratio[i][k]);
	return draft_figure(d, &q, arena_printf(d->a, "%s.kv_to_weights.%s.%s", w->id, row, column), SOURCE_CALCULATION, w->id);
}

/* Is the larger of the two not the same everywhere? */
static bool
turns(const struct margin *m)
{
	for (size_t i = 0; i < m->sequences_count; i++)
		for (size_t k = 0; k < m->contexts_count; k++)
			if ((m->ratio[i][k] >= 1) != (m->ratio[0][0] >= 1))
				return true;
	return false;
}

/* The load, its halves and its doubles: which of KV and weights is larger there, where that changes among them. */
static void
put_grid(struct draft *d, const struct workload *w, struct val *out)
{
	struct val *grid = val_map(d->a), *columns = val_put(d->a, grid, "columns", val_list(d->a));
	struct val *rows = val_put(d->a, grid, "rows", val_list(d->a));
	struct sizing_error error;
	struct margin m;

	if (margin_fill(&m, &w->in, 1, &error) != 0 || !turns(&m))
		return;
	for (size_t i = 0; i < m.sequences_count; i++) {
		struct val *row = val_push(d->a, rows, val_map(d->a)), *cells = val_put(d->a, row, "cells", val_list(d->a));

		for (size_t k = 0; k < m.contexts_count; k++) {
			struct val *cell = val_push(d->a, cells, val_map(d->a)), *figure = grid_figure(d, w, &m, i, k);

			if (!val_is(figure, VAL_STR))
				return;
			val_put(d->a, cell, "figure", figure);
			val_put(d->a, cell, "larger", val_str(d->a, draft_message(d, "term", m.ratio[i][k] >= 1 ? "kv" : "weights")));
			val_put(d->a, cell, "here", val_bool(d->a, i == m.row && k == m.column));
		}
		val_put(d->a, row, "label", val_str(d->a, draft_message(d, "sequences", multiple(m.sequences[i] / m.sequences[m.row]))));
	}
	for (size_t k = 0; k < m.contexts_count; k++)
		val_put(d->a, val_push(d->a, columns, val_map(d->a)), "label",
		    val_str(d->a, draft_message(d, "context", multiple(m.contexts[k] / m.contexts[m.column]))));
	val_put(d->a, out, "grid", grid);
}

/* Where the answer turns, and how far the customer is from it. */
void
draft_margin(struct draft *d, const struct workload *w, struct val *out)
{
	struct val *margin = val_put(d->a, out, "margin", val_map(d->a));
	struct val *turns = draft_result(d, w, "crossover.whole_sequences");
	bool kv = w->out.capacity == SIZING_KV, weights = w->out.capacity == SIZING_WEIGHTS;

	val_put(d->a, margin, "sequences", turns);
	val_put(d->a, margin, workload_stated(w, INPUT_CONCURRENCY) ? "said" : "assumed",
	    draft_given(d, w, INPUT_CONCURRENCY));
	val_put(d->a, margin, "context", draft_given(d, w,
	    w->inputs[INPUT_CONTEXT].known ? INPUT_CONTEXT : INPUT_PROMPT));
	val_put(d->a, margin, "weights", val_bool(d->a, weights && val_is(turns, VAL_STR)));
	val_put(d->a, margin, "kv", val_bool(d->a, kv && val_is(turns, VAL_STR)));
	put_grid(d, w, out);
}

/* What a finding says without a figure, as a mark; null where the knowledge does not have it. */
static struct val *
finding_mark(struct draft *d, const char *ref)
{
	struct kb_finding finding;
	int found = d->rc == OK ? kb_finding(&finding, d->kb, d->a, ref, d->e) : 0;

	if (found < 0)
		d->rc = found;
	return found == 1 ? val_str(d->a, cite_mark(&d->citer, finding.ref)) : val_null(d->a);
}

/* How far the load is from the end of its room, what lies there, and what to ask. */
void
draft_edge(struct draft *d, const struct workload *w, struct val *out)
{
	bool shared = w->in.device.shared;
	enum edge at = edge_of(w);
	struct val *edge;

	if (at == EDGE_PAST)
		return;
	edge = val_put(d->a, out, "edge", val_map(d->a));
	val_put(d->a, edge, shared ? "free" : "holds",
	    w->out.fits_concurrency < SIZING_MAX_LOAD
	        ? draft_result(d, w, shared ? "budget.free" : "fits.concurrency") : val_null(d->a));
	val_put(d->a, edge, workload_stated(w, INPUT_CONCURRENCY) ? "said" : "assumed",
	    shared ? val_null(d->a) : draft_given(d, w, INPUT_CONCURRENCY));
	/* One sequence more than fits is no news. */
	val_put(d->a, edge, "jump", w->out.next_jump_concurrency > w->out.fits_concurrency + 1
	    ? draft_result(d, w, "accelerators.next_jump_concurrency") : val_null(d->a));
	val_put(d->a, edge, at == EDGE_NEAR ? "tight" : "roomy", val_bool(d->a, true));
	val_put(d->a, edge, shared ? "shared" : "served", val_bool(d->a, true));
	val_put(d->a, edge, "ask", val_str(d->a, draft_message(d, "decides", shared ? "room" : "peak")));
	if (!shared) {
		val_put(d->a, edge, "waits", finding_mark(d, "vllm-optimization.preemption-cost"));
		val_put(d->a, edge, "overflows", finding_mark(d, "mooncake-ssd-benchmark.hit-after-overflow"));
	}
}
