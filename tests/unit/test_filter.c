/*
 * The door to SQL for a user's condition, without the reader in front of it that refuses most of
 * this before: the authorizer alone has to hold.
 */
#include "unit.h"

#include <string.h>

#include "db/filter.h"

static void
what_is_more_than_a_condition(void **state)
{
	static const char *const texts[] = {
		"(SELECT 1)", "EXISTS (SELECT 1 FROM sqlite_master)", "1 IN (SELECT 1)", "1) UNION SELECT (1",
		"1); DELETE FROM x WHERE (1", "load_extension('x')", "readfile('x')", "writefile('x', 'y')",
		"randomblob(1000000000) IS NULL", "zeroblob(1000000000) IS NULL", "printf('%*d', 1000000000, 1) = ''",
		"1 IN json_each", "1 IN (WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a FROM t) SELECT a FROM t)",
		"sqlite_version() = ''", "random() = 1", "last_insert_rowid() = 1", "group_concat(1) = 1",
		"nothing = 1", "", "1 1", "x.y = 1", "char(1) = 'a'", "hex(1) = 'a'", "date('now') > 1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct db_filter *f;
		struct err e = ERR_INIT;
		int offset;

		if (db_filter_open(&f, texts[i], &offset, &e) == OK)
			fail_msg("%s was let through", texts[i]);
		assert_null(f);
		assert_true(e.text[0] != '\0');
	}
}

static int
test(struct db_filter *f, const char *text, double number)
{
	struct err e = ERR_INIT;

	db_filter_text(f, 1, text);
	db_filter_number(f, 2, number);
	return db_filter_test(f, &e);
}

static void
bound_anew_for_each_row(void **state)
{
	struct db_filter *f;
	struct err e = ERR_INIT;
	int offset;

	(void)state;
	assert_int_equal(db_filter_open(&f, "?1 = 'kv' AND round(abs(?2)) < 3", &offset, &e), OK);
	assert_int_equal(test(f, "kv", -2), 1);
	assert_int_equal(test(f, "kv", 3), 0);
	assert_int_equal(test(f, "weights", 2), 0);
	assert_int_equal(test(f, NULL, 2), 0); /* null keeps no row */
	assert_int_equal(test(f, "kv", 2), 1);
	db_filter_close(f);
	assert_int_equal(db_filter_open(&f, "?1 LIKE 'k%' ESCAPE '\\' OR ?1 GLOB 'w*'", &offset, &e), OK);
	assert_int_equal(test(f, "KV", 0), 1);
	assert_int_equal(test(f, "weights", 0), 1);
	db_filter_close(f);
	db_filter_close(NULL);
}

static void
faults_have_their_place(void **state)
{
	struct db_filter *f;
	struct err e = ERR_INIT;
	int offset;

	(void)state;
	assert_int_equal(db_filter_open(&f, "?1 > > 2", &offset, &e), ERR_USAGE);
	assert_int_equal(offset, 5);
	/* what shows only with a value in it: the absolute value of the least integer */
	assert_int_equal(db_filter_open(&f, "abs(-9223372036854775807 - 1) = ?2 AND ?1 = 'a'", &offset, &e), OK);
	assert_true(test(f, "a", 1) < 0);
	db_filter_close(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_more_than_a_condition), cmocka_unit_test(bound_anew_for_each_row),
		cmocka_unit_test(faults_have_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
