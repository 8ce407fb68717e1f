#include "plan/pareto.h"

#include <stdlib.h>

static int
by_time(const void *a, const void *b)
{
	const struct plan_point *p = a, *q = b;

	if (p->fits != q->fits)
		return p->fits ? -1 : 1;
	if (p->seconds != q->seconds)
		return p->seconds < q->seconds ? -1 : 1;
	if (p->rate != q->rate)
		return p->rate > q->rate ? -1 : 1;
	return p->id < q->id ? -1 : p->id > q->id;
}

size_t
plan_pareto(struct plan_point *points, size_t count)
{
	size_t kept = 0;

	if (count == 0)
		return 0;
	qsort(points, count, sizeof *points, by_time);
	for (size_t i = 0; i < count && points[i].fits; i++)
		if (kept == 0 || points[i].rate > points[kept - 1].rate)
			points[kept++] = points[i];
	return kept;
}
