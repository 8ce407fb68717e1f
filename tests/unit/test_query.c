/*
 * A user's SQL: what is refused and where, that no borrowed name opens the denied table, and that each
 * bound is met. The database has a row in the denied table, which the knowledge has not: the authorizer alone
 * has to hold.
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "db/query.h"
#include "util/buf.h"

static const char SCHEMA[] =
    "CREATE TABLE record (id TEXT PRIMARY KEY COLLATE NOCASE, kind TEXT, body TEXT) STRICT, WITHOUT ROWID;"
    "INSERT INTO record VALUES ('a', 'claim', '{\"x\": [1, 2]}'), ('b', 'source', '{}');"
    "CREATE TABLE quarantine (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;"
    "INSERT INTO quarantine VALUES ('q-01', 'zqsecret');"
    "CREATE VIEW open AS SELECT body FROM quarantine;";

struct image {
	unsigned char *bytes;
	size_t len;
};

static int
make_image(void **state)
{
	struct image *image = calloc(1, sizeof *image);
	struct err e = ERR_INIT;
	struct db *db;

	if (image == NULL || db_open_memory(&db, &e) != OK || db_run_schema(db, SCHEMA, "schema", &e) != OK ||
	    db_serialize(db, &image->bytes, &image->len, &e) != OK)
		return -1;
	db_close(db);
	*state = image;
	return 0;
}

static int
free_image(void **state)
{
	struct image *image = *state;

	free(image->bytes);
	free(image);
	return 0;
}

static int
open_query(struct db_query **q, const struct image *image, const char *sql, double seconds, struct err *e)
{
	static const char *const denied[] = { "quarantine", NULL };
	struct db_query_input in = { image->bytes, image->len, denied, sql, "SQL", seconds };

	*e = (struct err)ERR_INIT;
	return db_query_open(q, &in, e);
}

/* Run to the end; the code, and in *e what was wrong. */
static int
run(const struct image *image, const char *sql, double seconds, struct err *e)
{
	struct db_query *q;
	int rc = open_query(&q, image, sql, seconds, e);

	if (rc == OK)
		while ((rc = db_query_step(q, e)) == 1)
			continue;
	db_query_close(q);
	return rc;
}

static void
refused(void **state)
{
	static const struct {
		const char *sql, *where, *says;
	} cases[] = {
		{ "", "SQL:1:1", "found nothing" },
		{ " ;; -- only a comment", "SQL:1:22", "found nothing" },
		{ "/* not closed", "SQL:1:14", "found nothing" },
		{ "INSERT INTO record VALUES ('c', 'claim', '{}')", "SQL:1:1", "INSERT" },
		{ "UPDATE record SET kind = 'x'", "SQL:1:1", "UPDATE" },
		{ "DELETE FROM record", "SQL:1:1", "DELETE" },
		{ "REPLACE INTO record VALUES ('a', 'x', '{}')", "SQL:1:1", "REPLACE" },
		{ "WITH x AS (SELECT 1) INSERT INTO record SELECT * FROM record", "SQL:1:22", "INSERT" },
		{ "WITH x AS (SELECT 1)\n\tUPDATE record SET kind = 'x'", "SQL:2:2", "UPDATE" },
		{ "WITH x AS (SELECT 1) DELETE FROM record RETURNING id", "SQL:1:22", "DELETE" },
		{ "EXPLAIN WITH x AS (SELECT 1) DELETE FROM record", "SQL:1:30", "DELETE" },
		{ "EXPLAIN QUERY PLAN DELETE FROM record", "SQL:1:20", "DELETE" },
		{ "EXPLAIN EXPLAIN SELECT 1", "SQL:1:9", "EXPLAIN" },
		{ "CREATE TABLE t (a)", "SQL:1:1", "CREATE" },
		{ "CREATE TEMP TABLE t AS SELECT 1", "SQL:1:1", "CREATE" },
		{ "CREATE TEMP VIEW v AS SELECT 1", "SQL:1:1", "CREATE" },
		{ "CREATE VIRTUAL TABLE t USING fts5(a)", "SQL:1:1", "CREATE" },
		{ "DROP TABLE record", "SQL:1:1", "DROP" },
		{ "ALTER TABLE record RENAME TO r", "SQL:1:1", "ALTER" },
		{ "ATTACH 'x.db' AS x", "SQL:1:1", "ATTACH" },
		{ "DETACH main", "SQL:1:1", "DETACH" },
		{ "PRAGMA user_version = 3", "SQL:1:1", "PRAGMA" },
		{ "PRAGMA hard_heap_limit = 0", "SQL:1:1", "PRAGMA" },
		{ "EXPLAIN PRAGMA user_version", "SQL:1:9", "PRAGMA" },
		{ "SELECT * FROM pragma_table_info('record')", "SQL:1:15", "virtual" },
		{ "SELECT * FROM pragma_database_list", "SQL:1:15", "virtual" },
		{ "VACUUM", "SQL:1:1", "VACUUM" },
		{ "VACUUM INTO 'x.db'", "SQL:1:1", "VACUUM" },
		{ "REINDEX", "SQL:1:1", "REINDEX" },
		{ "ANALYZE", "SQL:1:1", "ANALYZE" },
		{ "BEGIN", "SQL:1:1", "BEGIN" },
		{ "SAVEPOINT s", "SQL:1:1", "SAVEPOINT" },
		{ "SELECT id, load_extension('x') FROM record", "SQL:1:12", "`load_extension` is not allowed" },
		{ "SELECT 'load_extension', LOAD_EXTENSION('x')", "SQL:1:26", "is not allowed" },
		{ "SELECT '한글', fts3_tokenizer('simple')", "SQL:1:14", "`fts3_tokenizer` is not allowed" },
		{ "SELECT randomblob(8)", "SQL:1:8", "is not allowed" },
		{ "SELECT zeroblob(8)", "SQL:1:8", "is not allowed" },
		{ "SELECT readfile('/etc/passwd')", "SQL:1:8", "no such function: readfile" },
		{ "SELECT writefile('x', 'y')", "SQL:1:8", "no such function: writefile" },
		{ "SELECT edit('x')", "SQL:1:8", "no such function: edit" },
		{ "SELECT * FROM dbstat", "SQL:1:1", "no such table" },
		{ "SELECT * FROM sqlite_dbpage", "SQL:1:1", "no such table" },
		{ "SELECT * FROM sqlite_stmt", "SQL:1:1", "no such table" },
		{ "SELECT * FROM fts3tokenize", "SQL:1:1", "no such table" },
		{ "SELECT 1; DELETE FROM record", "SQL:1:11", "one statement" },
		{ "SELECT 1;\n-- and\n SELECT 2", "SQL:3:2", "one statement" },
		{ "SELECT ?1", "SQL:1:8", "variable" },
		{ "SELECT \"no such column\" FROM record", "SQL:1:8", "no such column" },
		{ "SELECT id\nFROM record\nWHERE nope = 1", "SQL:3:7", "no such column" },
		{ "SELECT 'not closed", "SQL:1:8", "unrecognized" },
		{ "nonsense", "SQL:1:1", "`nonsense`" },
		{ "한국어한국어한국어", "SQL:1:1", "`한국어한국어한국어`" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e;
		int rc = run(*state, cases[i].sql, 5, &e);

		if (rc != ERR_INPUT || strstr(e.text, cases[i].says) == NULL || strcmp(e.where, cases[i].where) != 0)
			fail_msg("%s: code %d, %s: %s", cases[i].sql, rc, e.where, e.text);
	}
}

static void
no_name_is_borrowed(void **state)
{
	static const char *const texts[] = {
		"SELECT * FROM quarantine", "SELECT * FROM Quarantine", "SELECT * FROM \"quarantine\"",
		"SELECT * FROM [quarantine]", "SELECT * FROM `quarantine`", "SELECT * FROM main.quarantine",
		"SELECT 1 FROM quarantine", "SELECT count(*) FROM quarantine", "SELECT EXISTS (SELECT 1 FROM quarantine)",
		"SELECT r.id FROM record r LEFT JOIN quarantine q ON q.id > r.id", "SELECT * FROM quarantine AS record",
		"WITH record AS (SELECT * FROM quarantine) SELECT * FROM record",
		"WITH open AS (SELECT * FROM quarantine) SELECT body FROM open",
		"WITH a AS (SELECT body FROM quarantine), record AS (SELECT * FROM a) SELECT * FROM record",
		"WITH RECURSIVE record(b) AS (SELECT body FROM quarantine UNION SELECT b FROM record) SELECT b FROM record",
		"SELECT * FROM (SELECT body FROM quarantine) record", "SELECT (SELECT body FROM quarantine)",
		"SELECT id FROM record ORDER BY (SELECT body FROM quarantine)", "TABLE quarantine",
		"SELECT id FROM record WHERE id IN quarantine", "SELECT id FROM record UNION SELECT body FROM quarantine",
		"SELECT id FROM record GROUP BY id HAVING (SELECT count(*) FROM quarantine) > 0",
		"SELECT sum(1) OVER (ORDER BY (SELECT body FROM quarantine)) FROM record",
		"VALUES ((SELECT body FROM quarantine))", "SELECT body FROM open", "SELECT count(*) FROM open",
		"WITH quarantine AS (SELECT * FROM main.quarantine) SELECT body FROM quarantine",
		"EXPLAIN SELECT body FROM quarantine",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err e;

		if (run(*state, texts[i], 5, &e) != ERR_INPUT)
			fail_msg("%s was let through", texts[i]);
		assert_null(strstr(e.text, "zqsecret"));
	}
}

static void
bounds_are_met(void **state)
{
	static const struct {
		const char *sql, *says;
	} cases[] = {
		{ "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SELECT max(a) FROM t", "longer than 0.3 s" },
		{ "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 9999) SELECT count(*) FROM t x, t y, t z",
		    "longer than 0.3 s" },
		{ "WITH RECURSIVE t(a) AS (SELECT 'x' UNION ALL SELECT a || a FROM t) SELECT max(length(a)) FROM t",
		    "longer than 4 MiB" },
		{ "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 9) "
		  "SELECT group_concat(printf('%.*c', 999999, 'x')) FROM t", "longer than 4 MiB" },
		{ "SELECT replace(printf('%.*c', 5000, 'x'), 'x', printf('%.*c', 5000, 'y'))", "longer than 4 MiB" },
		{ "WITH RECURSIVE t(a, b) AS (SELECT 1, printf('%.*c', 1000000, 'x') UNION ALL SELECT a + 1, b || a FROM t "
		  "WHERE a < 200) SELECT b FROM t ORDER BY b", "more than 64 MiB" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double start = processor_seconds();
		struct err e;
		int rc = run(*state, cases[i].sql, i < 2 ? 0.3 : 20, &e);

		if (rc != ERR_INPUT || strstr(e.text, cases[i].says) == NULL)
			fail_msg("%s: code %d, %s", cases[i].sql, rc, e.text);
		assert_true(i >= 2 || processor_seconds() - start < 2);
	}
}

/* `text` n times, then `end`. */
static int
run_repeated(const struct image *image, const char *begin, const char *text, int n, const char *end, struct err *e)
{
	struct buf sql = BUF_INIT;
	int rc;

	buf_puts(&sql, begin);
	for (int i = 0; i < n; i++)
		buf_puts(&sql, text);
	buf_puts(&sql, end);
	rc = run(image, sql.s, 5, e);
	buf_release(&sql);
	return rc;
}

static void
bounds_of_the_text(void **state)
{
	static const struct {
		const char *begin, *text, *end, *says;
		int few, many;
	} cases[] = {
		{ "SELECT 1", " + 1", "", "Expression tree is too large", 90, 110 },
		{ "SELECT 1", ", 1", "", "too many columns", 190, 210 },
		{ "SELECT 1", " UNION ALL SELECT 1", "", "too many terms in compound", 40, 60 },
		{ "SELECT 1 -- ", "xxxxxxxxxxxxxxxx", "", "at most 65536 bytes", 4000, 4100 },
		{ "SELECT max(1", ", 1", ")", "too many arguments", 40, 60 },
		{ "SELECT 'a' LIKE '", "%", "'", "LIKE or GLOB pattern too complex", 190, 210 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e;
		int rc = run_repeated(*state, cases[i].begin, cases[i].text, cases[i].few, cases[i].end, &e);

		if (rc != OK)
			fail_msg("%s x %d: %s", cases[i].text, cases[i].few, e.text);
		rc = run_repeated(*state, cases[i].begin, cases[i].text, cases[i].many, cases[i].end, &e);
		if (rc != ERR_INPUT || strstr(e.text, cases[i].says) == NULL)
			fail_msg("%s x %d: code %d, %s", cases[i].text, cases[i].many, rc, e.text);
	}
}

/* Each of them doubles the one before: 2^24 terms to prepare, were there no bound. */
static void
expressions_that_double(void **state)
{
	struct buf sql = BUF_INIT;
	struct err e;

	buf_puts(&sql, "WITH t0 AS (SELECT id FROM record)");
	for (int i = 1; i <= 24; i++)
		buf_printf(&sql, ", t%d AS (SELECT a.id FROM t%d a, t%d b LIMIT 1)", i, i - 1, i - 1);
	buf_puts(&sql, " SELECT * FROM t24");
	assert_int_equal(run(*state, sql.s, 20, &e), ERR_INPUT);
	buf_release(&sql);
}

static void
cells_are_values(void **state)
{
	struct arena a = ARENA_INIT;
	struct db_query *q;
	struct err e;

	assert_int_equal(open_query(&q, *state, "SELECT 7, 1.5, 'a한', NULL, x'00ff', CAST(x'41ff0042' AS TEXT), 9e999, "
	    "9223372036854775807, 9007199254740992, body ->> '$.x[1]' AS two FROM record ORDER BY id LIMIT 1", 5, &e), OK);
	assert_int_equal(db_query_columns(q), 10);
	assert_string_equal(db_query_column(q, 9), "two");
	assert_int_equal(db_query_step(q, &e), 1);
	assert_true(db_query_cell(q, &a, 0)->number == 7);
	assert_true(db_query_cell(q, &a, 1)->number == 1.5);
	assert_string_equal(val_text(db_query_cell(q, &a, 2)), "a한");
	assert_true(val_is(db_query_cell(q, &a, 3), VAL_NULL));
	assert_string_equal(val_text(db_query_cell(q, &a, 4)), "00FF");
	assert_string_equal(val_text(db_query_cell(q, &a, 5)), "A\xEF\xBF\xBD\xEF\xBF\xBD" "B");
	assert_string_equal(val_text(db_query_cell(q, &a, 6)), "Inf");
	assert_string_equal(val_text(db_query_cell(q, &a, 7)), "9223372036854775807");
	assert_true(db_query_cell(q, &a, 8)->number == 9007199254740992.0);
	assert_true(db_query_cell(q, &a, 9)->number == 2);
	assert_int_equal(db_query_step(q, &e), 0);
	db_query_close(q);
	arena_release(&a);
}

/* What anyone would want to ask passes. */
static void
reading_passes(void **state)
{
	static const char *const texts[] = {
		"SELECT 1", "VALUES (1), (2)", "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 9) SELECT sum(a) FROM t",
		"EXPLAIN QUERY PLAN SELECT * FROM record", "explain select 1;  -- done\n ;",
		"SELECT key, value FROM record, json_each(body, '$.x')", "SELECT fullkey FROM record, json_tree(body)",
		"SELECT name FROM sqlite_schema", "SELECT id FROM record WHERE id LIKE '%a%' ESCAPE '\\' AND id GLOB '*'",
		"SELECT rank() OVER (ORDER BY id), lag(id) OVER () FROM record", "SELECT date('2026-12-01', '+1 month')",
		"SELECT group_concat(id), total(1), avg(1), round(sqrt(2), 3) FROM record", "/* c */ SELECT 'quarantine'",
		"WITH q AS (SELECT id FROM record) SELECT * FROM q JOIN record USING (id)",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err e;

		if (run(*state, texts[i], 5, &e) != OK)
			fail_msg("%s: %s: %s", texts[i], e.where, e.text);
	}
}

static void
the_bound_on_memory_is_lifted_again(void **state)
{
	struct err e = ERR_INIT;
	struct db *db;

	assert_int_equal(run(*state, "SELECT 1", 5, &e), OK);
	assert_int_equal(run(*state, "nonsense", 5, &e), ERR_INPUT);
	assert_int_equal(db_open_memory(&db, &e), OK);
	assert_int_equal(db_run_schema(db, "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "WHERE i < 80) SELECT zeroblob(1000000) FROM n", "schema", &e), OK);
	db_close(db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused), cmocka_unit_test(no_name_is_borrowed), cmocka_unit_test(bounds_are_met),
		cmocka_unit_test(bounds_of_the_text), cmocka_unit_test(expressions_that_double),
		cmocka_unit_test(cells_are_values), cmocka_unit_test(reading_passes),
		cmocka_unit_test(the_bound_on_memory_is_lifted_again),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}
