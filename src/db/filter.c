#include "db/filter.h"

#include <sqlite3.h>

#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

struct db_filter {
	sqlite3 *handle;
	sqlite3_stmt *stmt;
	int selects;
};

/* On lines of their own, so that no comment can swallow the closing one. */
static const char BEFORE[] = "SELECT 1 WHERE (\n", AFTER[] = "\n)";

/* LIKE and GLOB are operators that SQLite calls as functions. */
static const char *const functions[] = { "abs", "ceil", "coalesce", "exp", "floor", "glob", "ifnull", "iif",
	"instr", "length", "like", "ln", "log10", "log2", "lower", "max", "min", "mod", "nullif", "pow",
	"round", "sign", "sqrt", "substr", "upper", NULL };

bool
db_filter_function(const char *name)
{
	for (int i = 0; functions[i] != NULL; i++)
		if (sqlite3_stricmp(functions[i], name) == 0)
			return true;
	return false;
}

static int
authorize(void *context, int action, const char *a, const char *b, const char *schema, const char *trigger)
{
	struct db_filter *f = context;

	(void)a;
	(void)schema;
	(void)trigger;
	if (action == SQLITE_SELECT)
		return f->selects++ == 0 ? SQLITE_OK : SQLITE_DENY;
	return action == SQLITE_FUNCTION && db_filter_function(b) ? SQLITE_OK : SQLITE_DENY;
}

static int
open_handle(struct db_filter *f, struct err *e)
{
	int rc = sqlite3_open_v2(":memory:", &f->handle,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc != SQLITE_OK)
		return err_set(e, ERR_SYSTEM, "cannot open a database: %s", sqlite3_errstr(rc));
	sqlite3_db_config(f->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(f->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(f->handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_limit(f->handle, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(f->handle, SQLITE_LIMIT_LENGTH, 1 << 20);
	sqlite3_set_authorizer(f->handle, authorize, f);
	return OK;
}

static int
prepare(struct db_filter *f, const char *expression, int *offset, struct err *e)
{
	struct buf sql = BUF_INIT;
	const char *tail = NULL;
	int rc;

	buf_printf(&sql, "%s%s%s", BEFORE, expression, AFTER);
	rc = sqlite3_prepare_v3(f->handle, sql.s, (int)sql.len + 1, SQLITE_PREPARE_PERSISTENT, &f->stmt, &tail);
	if (rc != SQLITE_OK) {
		*offset = sqlite3_error_offset(f->handle) - (int)(sizeof BEFORE - 1);
		if (*offset < 0 || *offset > (int)strlen(expression))
			*offset = -1;
		rc = err_set(e, ERR_USAGE, "expected a condition: %s",
		    rc == SQLITE_AUTH ? "that is not allowed in it" : sqlite3_errmsg(f->handle));
	} else if (tail != NULL && *tail != '\0') {
		*offset = (int)(tail - sql.s) - (int)(sizeof BEFORE - 1);
		rc = err_set(e, ERR_USAGE, "expected one condition, found more");
	}
	buf_release(&sql);
	return rc;
}

int
db_filter_open(struct db_filter **out, const char *expression, int *offset, struct err *e)
{
	struct db_filter *f = xcalloc(1, sizeof *f);
	int rc = open_handle(f, e);

	*offset = -1;
	if (rc == OK)
		rc = prepare(f, expression, offset, e);
	if (rc != OK) {
		db_filter_close(f);
		f = NULL;
	}
	*out = f;
	return rc;
}

void
db_filter_close(struct db_filter *f)
{
	if (f == NULL)
		return;
	sqlite3_finalize(f->stmt);
	sqlite3_close(f->handle);
	free(f);
}

void
db_filter_number(struct db_filter *f, int parameter, double value)
{
	sqlite3_bind_double(f->stmt, parameter, value);
}

void
db_filter_text(struct db_filter *f, int parameter, const char *text)
{
	sqlite3_bind_text(f->stmt, parameter, text, -1, SQLITE_STATIC);
}

int
db_filter_test(struct db_filter *f, struct err *e)
{
	int rc = sqlite3_step(f->stmt);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		err_set(e, ERR_INPUT, "the condition cannot be worked out: %s", sqlite3_errmsg(f->handle));
	sqlite3_reset(f->stmt);
	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : e->code;
}
