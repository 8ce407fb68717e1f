#include "db/db.h"

#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/buf.h"

enum { BUSY_SECONDS = 30 };

struct db {
	sqlite3 *handle;
	sqlite3_stmt **prepared; /* owned; one a statement, NULL until used */
	const char *const *denied;
};

/* What SQLite says, as one of our codes. */
static int
code_of(int rc)
{
	switch (rc & 0xFF) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_CONSTRAINT:
	case SQLITE_ERROR:
	case SQLITE_AUTH:
	case SQLITE_MISMATCH:
	case SQLITE_TOOBIG:
		return ERR_INPUT;
	default:
		return ERR_SYSTEM;
	}
}

/* What a user can do something about: a fault of the file or the disk, not of a statement. NULL: another. */
static const char *
fault_of_file(int rc)
{
	switch (rc & 0xFF) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "another process holds it and has not let go for 30 seconds";
	case SQLITE_FULL:
		return "the disk is full";
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return "it is read-only, or its folder is";
	case SQLITE_CANTOPEN:
		return "a file cannot be opened or made in its folder";
	case SQLITE_IOERR:
		return "an error of the disk";
	case SQLITE_CORRUPT:
		return "it is damaged";
	case SQLITE_NOTADB:
		return "it is no database";
	default:
		return NULL;
	}
}

static int
fail_file(struct db *db, int rc, struct err *e)
{
	int system = sqlite3_system_errno(db->handle);

	if ((rc & 0xFF) == SQLITE_IOERR && system != 0)
		return err_set(e, ERR_SYSTEM, "%s: %s", fault_of_file(rc), strerror(system));
	return err_set(e, code_of(rc), "%s", fault_of_file(rc));
}

static int
fail(struct db *db, int rc, const char *what, struct err *e)
{
	if (fault_of_file(rc) != NULL)
		return fail_file(db, rc, e);
	return err_set(e, code_of(rc), "%s: %s", what, sqlite3_errmsg(db->handle));
}

/* A message that leads to the line of the .sql file. */
static int
fail_statement(struct db *db, int statement, int rc, struct err *e)
{
	const struct db_sql *sql = &db_sql[statement];
	struct place at = { sql->file, sql->line, 1 };
	int offset = sqlite3_error_offset(db->handle);

	if (fault_of_file(rc) != NULL)
		return fail_file(db, rc, e);
	for (int i = 0; i < offset && sql->text[i] != '\0'; i++) {
		at.column++;
		if (sql->text[i] == '\n') {
			at.line++;
			at.column = 1;
		}
	}
	return err_at(e, code_of(rc), at, "%s: %s", sql->name, sqlite3_errmsg(db->handle));
}

static int
open_handle(struct db **out, const char *path, int flags, struct err *e)
{
	struct db *db = xcalloc(1, sizeof *db);
	int rc;

	db->prepared = xcalloc(db_sql_count, sizeof *db->prepared);
	rc = sqlite3_open_v2(path, &db->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc != SQLITE_OK) {
		rc = err_set(e, ERR_SYSTEM, "cannot open a database: %s", sqlite3_errstr(rc));
		db_close(db);
		return rc;
	}
	sqlite3_extended_result_codes(db->handle, 1);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, 0);
	*out = db;
	return OK;
}

/* In one piece of memory, and not in as many as it has pages, so that db_image can give it as it is. */
int
db_open_memory(struct db **out, struct err *e)
{
	int rc = open_handle(out, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, e);

	if (rc != OK || sqlite3_deserialize((*out)->handle, "main", NULL, 0, 0,
	    SQLITE_DESERIALIZE_RESIZEABLE | SQLITE_DESERIALIZE_FREEONCLOSE) == SQLITE_OK)
		return rc;
	rc = fail(*out, SQLITE_NOMEM, "cannot open a database in memory", e);
	db_close(*out);
	return rc;
}

/* Made here and not by SQLite, whose files everybody may read. Its journals take the mode of the file. */
static int
make_private(const char *path, struct err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	struct stat st;
	int rc = OK;

	if (fd < 0)
		return err_errno(e, "cannot write %s", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		rc = err_set(e, ERR_INPUT, "expected a file, found something else: %s", path);
	else if ((st.st_mode & 077) != 0 && fchmod(fd, 0600) != 0)
		rc = err_errno(e, "cannot keep %s to its owner", path);
	close(fd);
	return rc;
}

int
db_open_file(struct db **out, const char *path, enum db_mode mode, struct err *e)
{
	struct db *db;
	int rc = mode == DB_WRITE ? make_private(path, e) : OK;

	if (rc == OK) { /* a name such as :memory: is a file's all the same */
		struct buf name = BUF_INIT;

		buf_printf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
		rc = open_handle(&db, name.s, SQLITE_OPEN_READWRITE, e);
		buf_release(&name);
	}
	if (rc != OK)
		return rc;
	sqlite3_busy_timeout(db->handle, BUSY_SECONDS * 1000);
	/* EXTRA flushes the folder, too, so that what was committed stays so when the power goes. */
	rc = sqlite3_exec(db->handle, "PRAGMA synchronous = EXTRA; SELECT count(*) FROM sqlite_schema",
	    NULL, NULL, NULL);
	if (rc != SQLITE_OK) {
		rc = fail(db, rc, "cannot read it", e);
		db_close(db);
		return rc;
	}
	*out = db;
	return OK;
}

/* SQLite takes the image as non-const, but with READONLY it never writes to it. */
static unsigned char *
unconst(const void *image)
{
	union {
		const void *in;
		unsigned char *out;
	} u = { image };

	return u.out;
}

int
db_open_image(struct db **out, const void *image, size_t len, struct err *e)
{
	struct db *db;
	int rc = open_handle(&db, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, e);

	if (rc != OK)
		return rc;
	rc = sqlite3_deserialize(db->handle, "main", unconst(image), (sqlite3_int64)len,
	    (sqlite3_int64)len, SQLITE_DESERIALIZE_READONLY);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db->handle, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
	if (rc != SQLITE_OK) {
		rc = err_set(e, ERR_INPUT, "expected a knowledge database, found %s",
		    (rc & 0xFF) == SQLITE_CORRUPT ? "a damaged one" : sqlite3_errmsg(db->handle));
		db_close(db);
		return rc;
	}
	*out = db;
	return OK;
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	for (size_t i = 0; i < db_sql_count; i++)
		sqlite3_finalize(db->prepared[i]);
	free(db->prepared);
	sqlite3_close(db->handle);
	free(db);
}

int
db_run_schema(struct db *db, const char *sql, const char *file, struct err *e)
{
	int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? OK : fail(db, rc, file, e);
}

/* Reads, functions and TEMP tables pass; all else is refused, and so is a denied table. */
static int
authorize(void *context, int action, const char *a, const char *b, const char *schema,
    const char *trigger)
{
	const struct db *db = context;
	bool temp = schema != NULL && strcmp(schema, "temp") == 0;

	(void)b;
	(void)trigger;
	switch (action) {
	case SQLITE_READ:
		for (size_t i = 0; db->denied != NULL && db->denied[i] != NULL; i++)
			if (sqlite3_stricmp(a, db->denied[i]) == 0)
				return SQLITE_DENY;
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_INDEX:
		return SQLITE_OK;
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
	case SQLITE_DELETE:
		return temp ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

void
db_lock_down(struct db *db, const char *const *denied)
{
	/* Virtual tables declare their columns at first use, which would look like a write later. */
	sqlite3_exec(db->handle, "SELECT 1 FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
	db->denied = denied;
	sqlite3_set_authorizer(db->handle, authorize, db);
}

static int
prepare(struct db *db, int statement, sqlite3_stmt **out, struct err *e)
{
	sqlite3_stmt **kept = &db->prepared[statement];
	int rc = SQLITE_OK;

	if (*kept == NULL)
		rc = sqlite3_prepare_v3(db->handle, db_sql[statement].text, -1,
		    SQLITE_PREPARE_PERSISTENT, kept, NULL);
	if (rc != SQLITE_OK)
		return fail_statement(db, statement, rc, e);
	*out = *kept;
	return OK;
}

static int
bind_one(sqlite3_stmt *stmt, int i, char letter, va_list *ap)
{
	switch (letter) {
	case 's':
		return sqlite3_bind_text(stmt, i, va_arg(*ap, const char *), -1, SQLITE_TRANSIENT);
	case 'i':
		return sqlite3_bind_int(stmt, i, va_arg(*ap, int));
	case 'l':
		return sqlite3_bind_int64(stmt, i, va_arg(*ap, int64_t));
	case 'd':
		return sqlite3_bind_double(stmt, i, va_arg(*ap, double));
	default:
		abort();
	}
}

static int
bind_v(struct db *db, int statement, struct err *e, const char *format, va_list *ap)
{
	sqlite3_stmt *stmt = NULL;
	int rc = prepare(db, statement, &stmt, e);

	if (rc != OK)
		return rc;
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
	for (int i = 0; format[i] != '\0'; i++) {
		rc = bind_one(stmt, i + 1, format[i], ap);
		if (rc != SQLITE_OK)
			return fail_statement(db, statement, rc, e);
	}
	return OK;
}

int
db_bind(struct db *db, int statement, struct err *e, const char *format, ...)
{
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = bind_v(db, statement, e, format, &ap);
	va_end(ap);
	return rc;
}

int
db_step(struct db *db, int statement, struct err *e)
{
	sqlite3_stmt *stmt = db->prepared[statement];
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		rc = fail_statement(db, statement, rc, e);
	else
		rc = OK;
	sqlite3_reset(stmt);
	return rc;
}

void
db_end(struct db *db, int statement)
{
	sqlite3_reset(db->prepared[statement]);
}

int
db_run(struct db *db, int statement, struct err *e, const char *format, ...)
{
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = bind_v(db, statement, e, format, &ap);
	va_end(ap);
	while (rc == OK && (rc = db_step(db, statement, e)) == 1)
		rc = OK;
	return rc;
}

const char *
db_text(struct db *db, int statement, int column)
{
	return (const char *)sqlite3_column_text(db->prepared[statement], column);
}

int64_t
db_int(struct db *db, int statement, int column)
{
	return sqlite3_column_int64(db->prepared[statement], column);
}

bool
db_is_null(struct db *db, int statement, int column)
{
	return sqlite3_column_type(db->prepared[statement], column) == SQLITE_NULL;
}

static struct val *
cell(struct arena *a, sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		return val_num(a, sqlite3_column_double(stmt, column));
	case SQLITE_NULL:
		return val_null(a);
	default:
		return val_strn(a, (const char *)sqlite3_column_text(stmt, column),
		    (size_t)sqlite3_column_bytes(stmt, column));
	}
}

/* Of the columns, which all rows of a statement share. */
static const char **
column_names(struct arena *a, sqlite3_stmt *stmt)
{
	int count = sqlite3_column_count(stmt);
	const char **names = arena_alloc(a, (size_t)count * sizeof *names);

	for (int i = 0; i < count; i++)
		names[i] = arena_strdup(a, sqlite3_column_name(stmt, i));
	return names;
}

static struct val *
row_of(struct arena *a, sqlite3_stmt *stmt, const char *const *names)
{
	struct val *row = val_map(a);
	int count = sqlite3_column_count(stmt);

	row->map.entries = arena_alloc(a, (size_t)count * sizeof *row->map.entries);
	row->map.cap = (uint32_t)count;
	for (int i = 0; i < count; i++)
		val_put_shared(a, row, names[i], cell(a, stmt, i));
	return row;
}

int
db_rows(struct val **out, struct arena *a, struct db *db, int statement, struct err *e,
    const char *format, ...)
{
	struct val *rows = val_list(a);
	const char **names = NULL;
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = bind_v(db, statement, e, format, &ap);
	va_end(ap);
	while (rc >= 0 && (rc = db_step(db, statement, e)) == 1) {
		if (names == NULL)
			names = column_names(a, db->prepared[statement]);
		val_push(a, rows, row_of(a, db->prepared[statement], names));
	}
	if (rc >= 0)
		*out = rows;
	return rc;
}

int
db_each(struct db *db, int statement, db_row_fn *take, void *context, struct err *e, const char *format, ...)
{
	struct arena all = ARENA_INIT, one = ARENA_INIT;
	const char **names = NULL;
	va_list ap;
	int rc;

	va_start(ap, format);
	rc = bind_v(db, statement, e, format, &ap);
	va_end(ap);
	while (rc >= 0 && (rc = db_step(db, statement, e)) == 1) {
		if (names == NULL)
			names = column_names(&all, db->prepared[statement]);
		take(row_of(&one, db->prepared[statement], names), context);
		arena_release(&one);
	}
	arena_release(&all);
	return rc;
}

int
db_begin(struct db *db, struct err *e)
{
	int rc = sqlite3_exec(db->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);

	return rc == SQLITE_OK ? OK : fail(db, rc, "cannot begin", e);
}

int
db_commit(struct db *db, struct err *e)
{
	int rc = sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);

	return rc == SQLITE_OK ? OK : fail(db, rc, "cannot commit", e);
}

void
db_rollback(struct db *db)
{
	sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

int
db_serialize(struct db *db, unsigned char **out, size_t *len, struct err *e)
{
	sqlite3_int64 size = 0;
	unsigned char *image = sqlite3_serialize(db->handle, "main", &size, 0);

	if (image == NULL)
		return err_set(e, ERR_SYSTEM, "no memory for the image of a database");
	*out = xmalloc((size_t)size);
	memcpy(*out, image, (size_t)size);
	*len = (size_t)size;
	sqlite3_free(image);
	return OK;
}

int
db_image(struct db *db, const unsigned char **out, size_t *len, struct err *e)
{
	sqlite3_int64 size = 0;

	sqlite3_db_release_memory(db->handle); /* its page cache is another copy of what was written last */
	*out = sqlite3_serialize(db->handle, "main", &size, SQLITE_SERIALIZE_NOCOPY);
	if (*out == NULL)
		return err_set(e, ERR_SYSTEM, "no memory for the image of a database");
	*len = (size_t)size;
	return OK;
}

static int64_t
big_endian(const unsigned char *p)
{
	return (int64_t)p[0] << 24 | (int64_t)p[1] << 16 | (int64_t)p[2] << 8 | (int64_t)p[3];
}

int
db_image_id(const void *image, size_t len, int64_t *application_id, int64_t *user_version)
{
	const unsigned char *bytes = image;

	/* The database file format: user_version at 60, application_id at 68. */
	if (len < 100 || memcmp(bytes, "SQLite format 3", 16) != 0)
		return -1;
	*user_version = big_endian(bytes + 60);
	*application_id = big_endian(bytes + 68);
	return 0;
}

int
db_check_statement(struct db *db, int statement, struct err *e)
{
	sqlite3_stmt *stmt;

	return prepare(db, statement, &stmt, e);
}
