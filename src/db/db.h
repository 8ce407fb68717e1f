/*
 * Databases: the only user of SQLite.
 *
 * Statements are a closed set: each stands under a name in a .sql file, the build makes
 * a table of them, and nothing else runs but the schema. No text is ever pasted into
 * SQL. A statement is prepared at its first use, kept, and reset by the next db_bind of
 * it or when its rows end.
 *
 * Every connection is opened with foreign keys on, double-quoted strings off, trusted
 * schema off, extensions off and, for reading, an authorizer that allows reading and
 * nothing else and denies the tables it is given by name (never allowed by view name: a CTE can borrow one).
 */
#ifndef DB_DB_H
#define DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct db;

/* One named statement of a .sql file. */
struct db_sql {
	const char *name; /* "record_by_id" */
	const char *file; /* "src/kb/kb.sql" */
	int line;         /* of its first line */
	const char *text;
};

/*
 * All statements of the program, made by the build from src/<module>/<module>.sql; the numbers
 * are the enum in the generated sql.h: KB_RECORD_BY_ID for record_by_id in src/kb/kb.sql.
 */
extern const struct db_sql db_sql[];
extern const size_t db_sql_count;

/* An empty database in memory, to be written. */
int db_open_memory(struct db **out, struct err *e);

/*
 * A database image where it lies (in the program, or read from a file), read-only and
 * not copied: it must outlive the connection. TEMP tables can be made.
 */
int db_open_image(struct db **out, const void *image, size_t len, struct err *e);

enum db_mode { DB_READ, DB_WRITE };

/*
 * A database file that several processes write. DB_WRITE makes it where there is none, and
 * keeps it to its owner (mode 0600). A writer takes its lock at db_begin; who finds the file
 * locked waits for up to 30 seconds. The journal is SQLite's plain one, not a WAL: a WAL takes shared
 * memory, which network file systems do not have, and a folder that also readers may write to.
 * DB_READ opens for writing as well where it may: what a killed writer left half-done is
 * rolled back by whoever comes next; db_lock_down keeps a reader from writing anything else.
 * Messages name no file: the caller knows what it is to the user.
 */
int db_open_file(struct db **out, const char *path, enum db_mode mode, struct err *e);

void db_close(struct db *db); /* NULL is fine */

/* Run the statements of a schema text (DDL only), named `file` in messages. */
int db_run_schema(struct db *db, const char *sql, const char *file, struct err *e);

/* From here on this connection only reads, but for its TEMP tables; `denied` (NULL-terminated,
 * may be NULL) names tables that it may not even read. */
void db_lock_down(struct db *db, const char *const *denied);

/*
 * Bind by a format, one letter an argument: 's' const char * (NULL binds NULL), 'i' int,
 * 'l' int64_t, 'd' double. Starts the statement anew.
 */
int db_bind(struct db *db, int statement, struct err *e, const char *format, ...);

/* 1: a row, 0: no more (the statement is reset), negative: an error. */
int db_step(struct db *db, int statement, struct err *e);

/* Leave a statement before its last row. */
void db_end(struct db *db, int statement);

/* Bind and run to the end, for statements that give no rows. */
int db_run(struct db *db, int statement, struct err *e, const char *format, ...);

/* Of the current row; text is valid until the next step or bind of that statement, NULL for NULL. */
const char *db_text(struct db *db, int statement, int column);
int64_t db_int(struct db *db, int statement, int column);
bool db_is_null(struct db *db, int statement, int column);

/*
 * Bind, run, and gather all rows into a list of maps (column name -> value) in the arena:
 * numbers as numbers, text as text, NULL as a null value.
 */
int db_rows(struct val **out, struct arena *a, struct db *db, int statement, struct err *e,
    const char *format, ...);

/* The same, each row given to `take` as it comes and gone when that returns: for as many rows as there may be. */
typedef void db_row_fn(const struct val *row, void *context);
int db_each(struct db *db, int statement, db_row_fn *take, void *context, struct err *e, const char *format, ...);

int db_begin(struct db *db, struct err *e);  /* BEGIN IMMEDIATE */
int db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db); /* also where a failed statement has done so already */

/* The whole database as bytes, the caller's to free. */
int db_serialize(struct db *db, unsigned char **out, size_t *len, struct err *e);

/* The same of a database in memory where it lies: valid until it is written to or closed. */
int db_image(struct db *db, const unsigned char **out, size_t *len, struct err *e);

/* application_id and user_version of the image, without opening it; -1 if it is no database. */
int db_image_id(const void *image, size_t len, int64_t *application_id, int64_t *user_version);

/* Prepare one statement without running it: an error is at its .sql place. */
int db_check_statement(struct db *db, int statement, struct err *e);

#endif
