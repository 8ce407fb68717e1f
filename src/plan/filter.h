/*
 * --where: a condition over the names of columns. It is SQL's expression language with two
 * liberties: names may have dots, and a number may have a unit and then means base units
 * (80 GB, 128K, 40 ms, 50%; a % that is followed by an operand is the remainder).
 *
 * Names become parameters and only the columns that are named are bound. What is refused, with
 * its place: more than one expression, a subselect, a parameter, a comment, a function that is not
 * on db's list, a name that is no column.
 */
#ifndef PLAN_FILTER_H
#define PLAN_FILTER_H

#include "plan/column.h"
#include "util/buf.h"

enum { PLAN_FILTER_COLUMNS = 32, PLAN_FILTER_LENGTH = 4000 };

/* A condition that was read: shared by all threads, not changed any more. */
struct plan_filter {
	const char *text;   /* as written; borrowed */
	struct buf sql;     /* with ?1, ?2, ... for columns */
	struct plan_column columns[PLAN_FILTER_COLUMNS];
	size_t column_count;
};

/* `place` names the text in messages: "--where". The grid must outlive the filter. */
int plan_filter_read(struct plan_filter *out, const struct plan_grid *grid, const char *text,
    const char *place, struct err *e);
void plan_filter_release(struct plan_filter *f);

/* One thread's own statement. */
struct plan_test;
int plan_test_open(struct plan_test **out, const struct plan_filter *f, struct err *e);
void plan_test_close(struct plan_test *t); /* NULL is fine */
/* 1: keep the row, 0: do not, negative: an error. A figure that there is not is NULL. */
int plan_test(struct plan_test *t, const struct plan_cursor *c, struct err *e);

#endif
