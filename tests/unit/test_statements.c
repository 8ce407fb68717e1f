/* Every statement of every .sql file is prepared against the schema it will meet. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "sql.h"
#include "util/embed.h"

static struct db *
open_schema(void)
{
	const struct embed *schema = embed_find("schema/knowledge.sql");
	struct err e = ERR_INIT;
	struct db *db;

	assert_non_null(schema);
	assert_int_equal(db_open_memory(&db, &e), OK);
	assert_int_equal(db_run_schema(db, schema->text, schema->path, &e), OK);
	assert_int_equal(db_run(db, ADVISE_CREATE_RUN, &e, ""), OK);
	assert_int_equal(db_run(db, ADVISE_CREATE_EFFECT, &e, ""), OK);
	return db;
}

static void
every_statement_prepares(void **state)
{
	const struct embed *ledger = embed_find("schema/ledger.sql");
	struct db *db = open_schema();
	struct err e = ERR_INIT;

	(void)state;
	assert_true(db_sql_count > 20);
	assert_int_equal(db_run_schema(db, ledger->text, ledger->path, &e), OK);
	for (size_t i = 0; i < db_sql_count; i++)
		if (db_check_statement(db, (int)i, &e) != OK)
			fail_msg("%s: %s", e.where, e.text);
	db_close(db);
}

static void
a_wrong_statement_is_named_by_its_place(void **state)
{
	struct err e = ERR_INIT;
	struct db *db;

	(void)state;
	/* without the schema the first table is missing: the place is in the .sql file */
	assert_int_equal(db_open_memory(&db, &e), OK);
	assert_int_equal(db_check_statement(db, KB_BODY, &e), ERR_INPUT);
	assert_non_null(strstr(e.where, "src/kb/kb.sql:"));
	assert_non_null(strstr(e.text, "body: no such table: record"));
	db_close(db);
}

/* A locked connection reads; it writes nowhere but in TEMP, opens nothing, and does not see what is denied. */
static void
a_locked_connection_only_reads(void **state)
{
	static const char *const denied[] = { "quarantine", NULL };
	struct db *writer = open_schema(), *db;
	struct err e = ERR_INIT;
	unsigned char *image;
	size_t len;

	(void)state;
	assert_int_equal(db_serialize(writer, &image, &len, &e), OK);
	db_close(writer);
	assert_int_equal(db_open_image(&db, image, len, &e), OK);
	db_lock_down(db, denied);
	assert_int_equal(db_check_statement(db, KB_BODY, &e), OK);
	assert_int_equal(db_run(db, ADVISE_CREATE_RUN, &e, ""), OK);
	assert_int_equal(db_run(db, ADVISE_CLEAR_RUN, &e, ""), OK);
	assert_true(db_check_statement(db, INGEST_RECORD, &e) != OK);
	assert_true(db_check_statement(db, INGEST_QUARANTINE, &e) != OK);
	assert_true(db_run_schema(db, "ATTACH 'x' AS y", "test", &e) != OK);
	assert_true(db_run_schema(db, "SELECT * FROM quarantine", "test", &e) != OK);
	assert_true(db_run_schema(db, "WITH record AS (SELECT id FROM quarantine) SELECT * FROM record",
	    "test", &e) != OK);
	assert_true(db_run_schema(db, "SELECT load_extension('x')", "test", &e) != OK);
	assert_true(db_run_schema(db, "PRAGMA user_version = 9", "test", &e) != OK);
	assert_true(db_run_schema(db, "DELETE FROM record", "test", &e) != OK);
	db_close(db);
	free(image);
}

static void
a_damaged_image_is_refused(void **state)
{
	struct db *writer = open_schema(), *db;
	struct err e = ERR_INIT;
	int64_t application, version;
	unsigned char *image;
	size_t len;

	(void)state;
	assert_int_equal(db_serialize(writer, &image, &len, &e), OK);
	db_close(writer);
	assert_int_equal(db_image_id(image, len, &application, &version), 0);
	assert_int_equal(application, 0x444F5353);
	assert_int_equal(version, 4);
	assert_int_equal(db_image_id(image, 50, &application, &version), -1);
	memset(image + 100, 0xFF, 400);
	assert_true(db_open_image(&db, image, len, &e) != OK);
	free(image);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_statement_prepares),
		cmocka_unit_test(a_wrong_statement_is_named_by_its_place),
		cmocka_unit_test(a_locked_connection_only_reads),
		cmocka_unit_test(a_damaged_image_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
