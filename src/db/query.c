#include "db/query.h"

#include <sqlite3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/query_text.h"
#include "util/buf.h"
#include "util/utf8.h"

enum { OPERATIONS_A_LOOK = 1000 }; /* between two looks at the clock */

struct db_query {
	sqlite3 *handle;
	sqlite3_stmt *stmt;
	struct db_query_input in;
	sqlite3_int64 heap_before;
	double deadline;
	bool late;
	/* what the authorizer refused first: a word that stands in the text, and the message */
	char word[64];
	char refusal[160];
};

/* Pure functions of their arguments, and the date. LIKE, GLOB and the arrows are operators that SQLite calls so. */
const char *const db_query_functions[] = { "->", "->>", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2",
	"atanh", "avg", "ceil", "ceiling", "char", "coalesce", "cos", "cosh", "count", "cume_dist", "current_date",
	"current_time", "current_timestamp", "date", "datetime", "degrees", "dense_rank", "exp", "first_value", "floor",
	"format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length",
	"json_extract", "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch",
	"json_quote", "json_remove", "json_replace", "json_set", "json_type", "json_valid", "julianday", "lag",
	"last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower", "ltrim",
	"max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow", "power", "printf", "quote",
	"radians", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin", "sinh", "sqlite_version", "sqrt",
	"strftime", "substr", "substring", "sum", "tan", "tanh", "time", "total", "trim", "trunc", "typeof", "unicode",
	"unixepoch", "unlikely", "upper", NULL };

static bool
is_in(const char *const *list, const char *name)
{
	for (int i = 0; list != NULL && list[i] != NULL; i++)
		if (sqlite3_stricmp(list[i], name) == 0)
			return true;
	return false;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- what is refused ---- */

/* What a common table expression may stand before; all else is refused by its first word. */
static const char *
action_name(int action)
{
	switch (action) {
	case SQLITE_INSERT:
		return "INSERT";
	case SQLITE_UPDATE:
		return "UPDATE";
	case SQLITE_DELETE:
		return "DELETE";
	default:
		return "a statement that changes something";
	}
}

static int
refuse(struct db_query *q, const char *word, const char *before, const char *name, const char *after)
{
	if (q->refusal[0] == '\0') {
		snprintf(q->word, sizeof q->word, "%s", word);
		snprintf(q->refusal, sizeof q->refusal, "%s%.60s%s", before, name, after);
	}
	return SQLITE_DENY;
}

static int
authorize(void *context, int action, const char *a, const char *b, const char *schema, const char *view)
{
	struct db_query *q = context;

	(void)schema;
	(void)view; /* anyone can name a view or a common table expression */
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_READ:
		if (is_in(q->in.denied, a))
			return refuse(q, a, "the table `", a, "` is closed to queries");
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (!is_in(db_query_functions, b))
			return refuse(q, b, "the function `", b, "` is not allowed in a query");
		return SQLITE_OK;
	default:
		/* So a virtual table declares itself at its first use, and none but ours has had one. */
		if (strncmp(a != NULL ? a : "", "sqlite_", 7) == 0)
			return refuse(q, "pragma_", "expected a table, found a virtual one", "", "");
		return refuse(q, action_name(action), "expected a query, which only reads, found ", action_name(action), "");
	}
}

/* ---- opening ---- */

static int
look(void *context)
{
	struct db_query *q = context;

	q->late = now() > q->deadline;
	return q->late;
}

static void
set_limits(sqlite3 *handle)
{
	static const int limits[][2] = {
		{ SQLITE_LIMIT_LENGTH, DB_QUERY_TEXT_BYTES }, { SQLITE_LIMIT_SQL_LENGTH, DB_QUERY_SQL_BYTES },
		{ SQLITE_LIMIT_COLUMN, DB_QUERY_COLUMNS }, { SQLITE_LIMIT_EXPR_DEPTH, DB_QUERY_DEPTH },
		{ SQLITE_LIMIT_COMPOUND_SELECT, 50 }, { SQLITE_LIMIT_VDBE_OP, DB_QUERY_OPERATIONS },
		{ SQLITE_LIMIT_FUNCTION_ARG, 50 }, { SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200 }, { SQLITE_LIMIT_VARIABLE_NUMBER, 0 },
		{ SQLITE_LIMIT_TRIGGER_DEPTH, 0 }, { SQLITE_LIMIT_WORKER_THREADS, 0 },
	};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		sqlite3_limit(handle, limits[i][0], limits[i][1]);
}

/* All that is done on the connection before the authorizer stands. */
static int
prepare_handle(sqlite3 *handle)
{
	static const char *modules[] = { "json_each", "json_tree", NULL };
	int rc = sqlite3_drop_modules(handle, modules);

	sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	set_limits(handle);
	return rc;
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

static int
open_handle(struct db_query *q, struct err *e)
{
	int rc = sqlite3_open_v2(":memory:", &q->handle,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = prepare_handle(q->handle);
	if (rc == SQLITE_OK)
		rc = sqlite3_deserialize(q->handle, "main", unconst(q->in.image), (sqlite3_int64)q->in.len,
		    (sqlite3_int64)q->in.len, SQLITE_DESERIALIZE_READONLY);
	/*
	 * A virtual table declares its columns at first use, which would look like a write later. It keeps a
	 * pointer to the schema, which the line above has replaced: not before.
	 */
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(q->handle, "SELECT count(*) FROM sqlite_schema, json_each('[]'), json_tree('[]')",
		    NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		return err_set(e, (rc & 0xFF) == SQLITE_NOMEM ? ERR_SYSTEM : ERR_INPUT,
		    "cannot open the knowledge for a query: %s", sqlite3_errstr(rc));
	sqlite3_progress_handler(q->handle, OPERATIONS_A_LOOK, look, q);
	sqlite3_set_authorizer(q->handle, authorize, q);
	q->heap_before = sqlite3_hard_heap_limit64(sqlite3_memory_used() + DB_QUERY_HEAP_BYTES);
	return OK;
}

static struct place
place_of(const struct db_query *q, const char *at)
{
	return query_text_place(q->in.sql, at, q->in.name);
}

/* A fault of the text, at the place that SQLite gives or that the refused word stands at. */
static int
fail_prepare(struct db_query *q, int rc, struct err *e)
{
	int offset = sqlite3_error_offset(q->handle);
	const char *at = offset >= 0 ? q->in.sql + offset : NULL;

	if (q->refusal[0] != '\0') {
		at = query_text_find(q->in.sql, q->word);
		return err_at(e, ERR_INPUT, place_of(q, at), "%s", q->refusal);
	}
	if ((rc & 0xFF) == SQLITE_NOMEM)
		return err_at(e, ERR_INPUT, place_of(q, NULL), "expected a statement of at most %d operations and %d MiB",
		    DB_QUERY_OPERATIONS, DB_QUERY_HEAP_BYTES / (1024 * 1024));
	return err_at(e, ERR_INPUT, place_of(q, at), "expected a query: %.400s", sqlite3_errmsg(q->handle));
}

static void
take_word(char *word, size_t size, const char *start, const char *end)
{
	size_t len = (size_t)(end - start);

	while (len >= size || (len > 0 && ((unsigned char)start[len] & 0xC0) == 0x80)) /* whole characters */
		len--;
	memcpy(word, start, len);
	word[len] = '\0';
}

/* Before SQLite sees the text: what it begins with. The authorizer holds what this only says more clearly. */
static int
check_beginning(const struct db_query *q, struct err *e)
{
	static const char *const reading[] = { "select", "values", "with", NULL };
	static const char *const prefixes[] = { "explain", "query", "plan", NULL };
	const char *end, *start = query_text_token(q->in.sql, &end);
	char word[32];

	if (strlen(q->in.sql) > DB_QUERY_SQL_BYTES)
		return err_at(e, ERR_INPUT, (struct place){ q->in.name, 0, 0 }, "expected at most %d bytes, found %zu",
		    DB_QUERY_SQL_BYTES, strlen(q->in.sql));
	take_word(word, sizeof word, start, end);
	for (int i = 0; prefixes[i] != NULL && sqlite3_stricmp(word, prefixes[i]) == 0; i++) {
		start = query_text_token(end, &end);
		take_word(word, sizeof word, start, end);
	}
	if (start == end)
		return err_at(e, ERR_INPUT, place_of(q, start), "expected a query, found nothing");
	if (!is_in(reading, word))
		return err_at(e, ERR_INPUT, place_of(q, start),
		    "expected SELECT, VALUES or WITH, since a query only reads, found `%s`", word);
	return OK;
}

static int
prepare(struct db_query *q, struct err *e)
{
	const char *tail = NULL, *end, *more;
	int rc = check_beginning(q, e);

	if (rc != OK)
		return rc;
	rc = sqlite3_prepare_v2(q->handle, q->in.sql, -1, &q->stmt, &tail);
	if (rc != SQLITE_OK)
		return fail_prepare(q, rc, e);
	more = query_text_token(tail, &end);
	if (more != end)
		return err_at(e, ERR_INPUT, place_of(q, more), "expected one statement, found more");
	if (!sqlite3_stmt_readonly(q->stmt) || sqlite3_column_count(q->stmt) == 0)
		return err_at(e, ERR_INPUT, place_of(q, NULL), "expected a query, which only reads");
	return OK;
}

int
db_query_open(struct db_query **out, const struct db_query_input *in, struct err *e)
{
	struct db_query *q = xcalloc(1, sizeof *q);
	int rc;

	q->in = *in;
	q->heap_before = -1;
	q->deadline = now() + in->seconds;
	rc = open_handle(q, e);
	if (rc == OK)
		rc = prepare(q, e);
	if (rc != OK) {
		db_query_close(q);
		q = NULL;
	}
	*out = q;
	return rc;
}

void
db_query_close(struct db_query *q)
{
	if (q == NULL)
		return;
	sqlite3_finalize(q->stmt);
	sqlite3_close(q->handle);
	if (q->heap_before >= 0)
		sqlite3_hard_heap_limit64(q->heap_before);
	free(q);
}

/* ---- rows ---- */

int
db_query_columns(const struct db_query *q)
{
	return sqlite3_column_count(q->stmt);
}

const char *
db_query_column(const struct db_query *q, int column)
{
	const char *name = sqlite3_column_name(q->stmt, column);

	return name != NULL ? name : "";
}

static int
fail_step(const struct db_query *q, int rc, struct err *e)
{
	switch (rc & 0xFF) {
	case SQLITE_INTERRUPT:
		if (q->late)
			return err_set(e, ERR_INPUT, "the query took longer than %g s and was stopped", q->in.seconds);
		break;
	case SQLITE_NOMEM:
		return err_set(e, ERR_INPUT, "the query needs more than %d MiB of memory and was stopped",
		    DB_QUERY_HEAP_BYTES / (1024 * 1024));
	case SQLITE_TOOBIG:
		return err_set(e, ERR_INPUT, "a value of the query is longer than %d MiB",
		    DB_QUERY_TEXT_BYTES / (1024 * 1024));
	default:
		break;
	}
	return err_set(e, ERR_INPUT, "the query cannot be worked out: %.400s", sqlite3_errmsg(q->handle));
}

int
db_query_step(struct db_query *q, struct err *e)
{
	int rc = sqlite3_step(q->stmt);

	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : fail_step(q, rc, e);
}

static struct val *
text_cell(struct arena *a, const char *text, size_t len)
{
	struct buf clean = BUF_INIT;
	struct val *v;

	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0 || cp == 0)
			utf8_append(&clean, 0xFFFD);
		else
			buf_add(&clean, text + i, n);
		i += n == 0 ? 1 : n;
	}
	v = val_strn(a, clean.s, clean.len);
	buf_release(&clean);
	return v;
}

static struct val *
blob_cell(struct arena *a, const unsigned char *bytes, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";
	struct buf hex = BUF_INIT;
	struct val *v;

	for (size_t i = 0; i < len; i++) {
		buf_putc(&hex, digits[bytes[i] >> 4]);
		buf_putc(&hex, digits[bytes[i] & 15]);
	}
	v = val_strn(a, hex.s, hex.len);
	buf_release(&hex);
	return v;
}

struct val *
db_query_cell(const struct db_query *q, struct arena *a, int column)
{
	int type = sqlite3_column_type(q->stmt, column);
	double number = sqlite3_column_double(q->stmt, column);
	const char *text;

	if (type == SQLITE_NULL)
		return val_null(a);
	if (type == SQLITE_FLOAT && isfinite(number))
		return val_num(a, number);
	if (type == SQLITE_INTEGER && fabs(number) <= 9007199254740992.0) /* 2^53 */
		return val_num(a, number);
	if (type == SQLITE_BLOB)
		return blob_cell(a, sqlite3_column_blob(q->stmt, column), (size_t)sqlite3_column_bytes(q->stmt, column));
	text = (const char *)sqlite3_column_text(q->stmt, column);
	return text == NULL ? val_null(a) : text_cell(a, text, (size_t)sqlite3_column_bytes(q->stmt, column));
}
