/*
 * Points in an array that is cut down to what counts whenever it is full: the best N of
 * them, or the front. The array grows only where more than half of it counts.
 *
 * For the best rows `seconds` holds the figure asked for, so that less is better.
 */
#include "plan/gather.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 4096 };

struct gather {
	const struct plan_sweep *sweep;
	const struct plan_axis *batch; /* a front's axis of concurrency; NULL: there is none */
	size_t batch_axis;
	struct plan_point *points;
	size_t count, room;
};

struct gather *
gather_open(const struct plan_sweep *sweep)
{
	const struct plan_grid *grid = sweep->grid;
	struct gather *g;

	if (sweep->gather != PLAN_TOP && sweep->gather != PLAN_FRONT)
		return NULL;
	g = xcalloc(1, sizeof *g);
	g->sweep = sweep;
	g->room = sweep->gather == PLAN_TOP && 2 * sweep->top > FIRST ? 2 * sweep->top : FIRST;
	g->points = xcalloc(g->room, sizeof *g->points);
	for (size_t i = 0; i < grid->axis_count; i++)
		if (strcmp(grid->axes[i].name, "concurrency") == 0) {
			g->batch = &grid->axes[i];
			g->batch_axis = i;
		}
	return g;
}

void
gather_close(struct gather *g)
{
	if (g == NULL)
		return;
	free(g->points);
	free(g);
}

static int
by_figure(const void *a, const void *b)
{
	const struct plan_point *p = a, *q = b;

	if (p->seconds != q->seconds)
		return p->seconds < q->seconds ? -1 : 1;
	return p->id < q->id ? -1 : p->id > q->id;
}

static void
cut_down(struct gather *g)
{
	if (g->sweep->gather == PLAN_FRONT) {
		g->count = plan_pareto(g->points, g->count);
		return;
	}
	qsort(g->points, g->count, sizeof *g->points, by_figure);
	if (g->count > g->sweep->top)
		g->count = g->sweep->top;
}

static void
push(struct gather *g, const struct plan_point *p)
{
	if (g->count == g->room) {
		cut_down(g);
		if (g->count > g->room / 2) {
			g->room *= 2;
			g->points = xreallocarray(g->points, g->room, sizeof *g->points);
		}
	}
	g->points[g->count++] = *p;
}

/* Is the next batch of the axis more than what the memory of these accelerators holds? */
static bool
memory_ends(const struct gather *g, const struct plan_cursor *c)
{
	uint64_t next = g->batch != NULL ? c->index[g->batch_axis] + 1 : 0;

	if (!(c->in.load.accelerators > 0 || c->in.device.shared) || g->batch == NULL || next >= g->batch->count)
		return false;
	return plan_axis_value(g->batch, next) > c->out.fits_concurrency;
}

void
gather_add(struct gather *g, const struct plan_cursor *c)
{
	const struct sizing_step *step = &c->out.decode;
	struct plan_point p = { .id = c->at };
	double figure;

	if (g->sweep->gather == PLAN_FRONT) {
		p.fits = c->out.fits && step->seconds > 0;
		if (!p.fits)
			return;
		p.seconds = step->seconds;
		p.rate = step->tokens_per_second_device;
		p.last = memory_ends(g, c);
	} else {
		if (!plan_column_number(&figure, &g->sweep->by, c))
			return;
		p.seconds = g->sweep->descending ? -figure : figure;
	}
	push(g, &p);
}

void
gather_merge(struct gather *into, const struct gather *from)
{
	for (size_t i = 0; from != NULL && i < from->count; i++)
		push(into, &from->points[i]);
}

size_t
gather_count(struct gather *g)
{
	cut_down(g);
	return g->count;
}

int
gather_write(struct gather *g, const struct plan_sweep *sweep, struct err *e)
{
	struct plan_cursor *c;
	struct buf rows = BUF_INIT;
	int rc = OK;

	if (g == NULL)
		return OK;
	cut_down(g);
	c = xcalloc(1, sizeof *c);
	for (size_t i = 0; rc == OK && i < g->count; i++) {
		plan_seek(c, sweep->grid, g->points[i].id);
		plan_size(c);
		sweep->row(sweep->context, &rows, c, g->points[i].last);
		if (rows.len > 1 << 16 || i + 1 == g->count) {
			rc = sweep->write(sweep->context, &rows, e);
			buf_clear(&rows);
		}
	}
	buf_release(&rows);
	free(c);
	return rc;
}
