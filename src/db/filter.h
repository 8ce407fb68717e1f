/*
 * One condition of a user's, asked of many rows that are in no table: an SQL expression over the
 * parameters ?1, ?2, ..., prepared once on an empty database of its own and bound anew for
 * each row. This is the one place where text that is not ours becomes SQL; an authorizer
 * holds it to operators and a list of pure functions: no table, no subselect, nothing that
 * writes, loads or reads files. A filter is for one thread.
 */
#ifndef DB_FILTER_H
#define DB_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"

struct db_filter;

/* On ERR_USAGE *offset is where in the expression (bytes) the fault is; -1: not known. */
int db_filter_open(struct db_filter **out, const char *expression, int *offset, struct err *e);
void db_filter_close(struct db_filter *f); /* NULL is fine */

/* Parameters count from 1. A text is not copied: it must outlive the next test. */
void db_filter_number(struct db_filter *f, int parameter, double value);
void db_filter_text(struct db_filter *f, int parameter, const char *text); /* NULL: null */

/* 1: the row is kept, 0: it is not (also where the condition is null), negative: an error. */
int db_filter_test(struct db_filter *f, struct err *e);

/* May an expression call this function (any case)? */
bool db_filter_function(const char *name);

#endif
