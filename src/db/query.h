/*
 * A user's own query over a database image: one statement that reads, on a connection of its own
 * with a bound on everything it could take.
 *
 * It is refused at any table that is denied, by the table's own name: what a view or a common table
 * expression is called grants nothing. It may call functions of a closed list and read no virtual table
 * but json_each and json_tree. Nothing is written, not even temporarily: what is sorted stays in memory.
 */
#ifndef DB_QUERY_H
#define DB_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

enum {
	DB_QUERY_SQL_BYTES = 64 * 1024,         /* of the statement */
	DB_QUERY_TEXT_BYTES = 4 * 1024 * 1024,  /* of one value; no record's body is as long */
	DB_QUERY_COLUMNS = 200,
	DB_QUERY_DEPTH = 100,                   /* of an expression */
	DB_QUERY_OPERATIONS = 50 * 1000,        /* of the program that SQLite makes of it */
	DB_QUERY_HEAP_BYTES = 64 * 1024 * 1024, /* that SQLite may take while it runs */
};

struct db_query;

struct db_query_input {
	const void *image; /* where it lies; must outlive the query */
	size_t len;
	const char *const *denied; /* tables, NULL-terminated; may be NULL */
	const char *sql;           /* valid UTF-8 */
	const char *name;          /* of the text, in the places of its faults */
	double seconds;            /* from the opening on; held against the clock between operations of
	                              SQLite: one function over one long text is not stopped midway */
};

/*
 * ERR_INPUT, with the place in the text, for what is no single statement that only reads. One query at a time:
 * the bound on memory is the process's.
 */
int db_query_open(struct db_query **out, const struct db_query_input *in, struct err *e);
void db_query_close(struct db_query *q); /* NULL is fine */

int db_query_columns(const struct db_query *q);
const char *db_query_column(const struct db_query *q, int column);

/* 1: a row, 0: no more, negative: an error, also when a bound is met. */
int db_query_step(struct db_query *q, struct err *e);

/*
 * A value of the current row, in the arena: a number where a double holds it exactly, else its text; a text with
 * U+FFFD for what is no UTF-8 and for NUL; a blob as hexadecimal digits; null.
 */
struct val *db_query_cell(const struct db_query *q, struct arena *a, int column);

/* What it may call, for the help: sorted, ends with NULL. */
extern const char *const db_query_functions[];

#endif
