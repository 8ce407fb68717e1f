/* The ledger: what is in it stays as it was, and where it did not it shows. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "ledger/ledger_int.h"
#include "util/buf.h"
#include "util/file.h"

static char folder[32], path[64];
static struct arena arena = ARENA_INIT;

static int
new_file(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/dossier-ledger-XXXXXX");
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/ledger.db", folder);
	return 0;
}

static int
remove_file(void **state)
{
	(void)state;
	unlink(path);
	rmdir(folder);
	arena_release(&arena);
	arena = (struct arena)ARENA_INIT;
	return 0;
}

static struct ledger_entry
append(struct ledger *l, const char *date, const char *body)
{
	struct err e = ERR_INIT;
	struct ledger_entry entry;

	assert_int_equal(ledger_append(&entry, l, &arena, "issue", date, body, &e), OK);
	assert_int_equal(ledger_commit(l, &e), OK);
	return entry;
}

/* A ledger of n entries; the last is returned. */
static struct ledger_entry
fill(int n)
{
	struct ledger_entry last = { 0 };
	struct err e = ERR_INIT;
	struct ledger *l;

	assert_int_equal(ledger_open(&l, path, &e), OK);
	for (int i = 1; i <= n; i++)
		last = append(l, "2026-12-01", arena_printf(&arena, "{\"n\": %d}", i));
	ledger_close(l);
	return last;
}

/* What somebody with another program may do to the file. */
static int
tamper(const char *sql)
{
	struct err e = ERR_INIT;
	struct db *db;
	int rc;

	assert_int_equal(db_open_file(&db, path, DB_WRITE, &e), OK);
	rc = db_run_schema(db, sql, "test", &e);
	db_close(db);
	return rc;
}

#define UNGUARD "DROP TRIGGER entry_is_not_changed; DROP TRIGGER entry_is_not_removed; DROP TRIGGER entry_comes_last; "

static struct ledger_state
verify(void)
{
	struct ledger_state state;
	struct err e = ERR_INIT;
	struct ledger *l;

	assert_int_equal(ledger_open_read(&l, path, &e), OK);
	assert_non_null(l);
	assert_int_equal(ledger_verify(&state, l, &e), OK);
	ledger_close(l);
	return state;
}

static void
entries_follow_one_another(void **unused)
{
	struct ledger_state state;
	struct ledger_entry a, b;
	struct err e = ERR_INIT;
	struct ledger *l;

	(void)unused;
	assert_int_equal(ledger_open(&l, path, &e), OK);
	a = append(l, "2026-12-01", "{}");
	b = append(l, "2026-12-01", "{}");
	ledger_close(l);
	assert_int_equal(a.seq, 1);
	assert_string_equal(a.prev, LEDGER_FIRST);
	assert_int_equal(b.seq, 2);
	assert_string_equal(b.prev, a.hash);
	assert_string_not_equal(a.hash, b.hash);
	state = verify();
	assert_int_equal(state.entries, 2);
	assert_int_equal(state.broken, 0);
	assert_false(state.unguarded);
	assert_string_equal(state.head.hex, b.hash);
}

/*
 * The format of the chain, by another program: each piece behind its length and a colon.
 *     printf '16:dossier.ledger/11:15:issue10:2026-12-012:{}64:%064d' 0 | sha256sum
 */
static void
the_hash_is_over_every_column(void **unused)
{
	struct ledger_entry entry = {
		.seq = 1, .kind = "issue", .date = "2026-12-01", .body = "{}", .prev = LEDGER_FIRST,
	};
	struct ledger_entry other[] = { entry, entry, entry, entry, entry };

	(void)unused;
	assert_string_equal(ledger_hash(&entry).hex, 
	    "87bbd4ccd1fc41dca4065ef00ffc97d047b34fd59f2e4c61c2c6313dc886ba69");
	other[0].seq = 2;
	other[1].kind = "issued";
	other[2].date = "2026-12-02";
	other[3].body = "{ }";
	other[4].prev = "1";
	for (size_t i = 0; i < 5; i++)
		assert_string_not_equal(ledger_hash(&other[i]).hex, ledger_hash(&entry).hex);
}

static void
the_guards_abort(void **unused)
{
	static const char *const statements[] = {
		"UPDATE entry SET body = '[]' WHERE seq = 2",
		"UPDATE entry SET seq = 9 WHERE seq = 3",
		"UPDATE OR REPLACE entry SET seq = 1 WHERE seq = 2",
		"DELETE FROM entry",
		"DELETE FROM entry WHERE seq = 3",
		"REPLACE INTO entry SELECT * FROM entry WHERE seq = 2",
		"INSERT OR REPLACE INTO entry SELECT seq, kind, date, '[]', prev, hash FROM entry WHERE seq = 3",
		"INSERT INTO entry SELECT * FROM entry WHERE seq = 1 ON CONFLICT (seq) DO UPDATE SET body = '[]'",
		"INSERT OR IGNORE INTO entry SELECT 9, kind, date, body, prev, hash FROM entry WHERE seq = 3",
		"INSERT INTO entry SELECT NULL, kind, date, body, hash, prev FROM entry WHERE seq = 3",
		"INSERT INTO entry SELECT 4, kind, date, body, prev, hash FROM entry WHERE seq = 3",
	};
	struct ledger_entry last = fill(3);

	(void)unused;
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (tamper(statements[i]) == OK)
			fail_msg("passed: %s", statements[i]);
		assert_int_equal(verify().broken, 0);
		assert_string_equal(verify().head.hex, last.hash);
	}
}

/* Without the guards: the first row that does not fit is named. */
static void
what_was_changed_shows(void **unused)
{
	static const struct { const char *sql; int broken; } cases[] = {
		{ "UPDATE entry SET body = '{\"n\": 9}' WHERE seq = 2", 2 },
		{ "UPDATE entry SET date = '2026-12-02' WHERE seq = 4", 4 },
		{ "UPDATE entry SET kind = 'other' WHERE seq = 1", 1 },
		{ "UPDATE entry SET hash = prev, prev = hash WHERE seq = 3", 3 },
		{ "UPDATE entry SET body = body || char(0) || 'x' WHERE seq = 3", 3 },
		{ "DELETE FROM entry WHERE seq = 1", 2 },
		{ "DELETE FROM entry WHERE seq = 3", 4 },
		{ "UPDATE entry SET seq = 9 WHERE seq = 4; UPDATE entry SET seq = 4 WHERE seq = 3; "
		  "UPDATE entry SET seq = 3 WHERE seq = 9", 3 },
		{ "UPDATE entry SET seq = -1 WHERE seq = 4", -1 },
		{ "INSERT INTO entry SELECT 6, kind, date, body, prev, hash FROM entry WHERE seq = 5", 6 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ledger_state state;

		fill(5);
		assert_int_equal(tamper(arena_printf(&arena, UNGUARD "%s", cases[i].sql)), OK);
		state = verify();
		if (state.broken != cases[i].broken || state.fault == NULL)
			fail_msg("%s: entry %d", cases[i].sql, (int)state.broken);
		assert_true(state.unguarded);
		unlink(path);
	}
}

static void
missing_guards_show(void **unused)
{
	(void)unused;
	fill(2);
	assert_int_equal(tamper("DROP TRIGGER entry_comes_last"), OK);
	assert_true(verify().unguarded);
	assert_int_equal(verify().broken, 0);
}

static const char *
receipt_fault(const struct ledger_entry *entry)
{
	struct val *receipt = val_map(&arena);
	const char *fault;
	struct err e = ERR_INIT;
	struct ledger *l;
	int rc;

	ledger_sign_receipt(receipt, &arena, entry);
	assert_int_equal(ledger_open_read(&l, path, &e), OK);
	rc = ledger_check_receipt(&fault, l, &arena, receipt, &e);
	ledger_close(l);
	assert_int_equal(rc, fault == NULL);
	return fault != NULL ? fault : "";
}

static void
a_cut_end_shows_against_a_receipt(void **unused)
{
	struct ledger_entry last = fill(4);

	(void)unused;
	assert_string_equal(receipt_fault(&last), "");
	assert_int_equal(tamper(UNGUARD "DELETE FROM entry WHERE seq = 4"), OK);
	assert_int_equal(verify().broken, 0); /* what is left is a chain */
	assert_string_equal(receipt_fault(&last), "entry 4 was removed: the ledger ends at 3");
	unlink(path);
	assert_string_equal(receipt_fault(&last), "entry 4 was removed: the ledger ends at 0");
	/* a ledger written anew, to the same length, is another one */
	fill(3);
	{
		struct err e = ERR_INIT;
		struct ledger *l;

		assert_int_equal(ledger_open(&l, path, &e), OK);
		append(l, "2026-12-03", "{}");
		ledger_close(l);
	}
	assert_string_equal(receipt_fault(&last), "entry 4 is another one than the receipt was written for");
}

static void
what_is_not_committed_is_not_there(void **unused)
{
	struct ledger_entry entry;
	struct err e = ERR_INIT;
	struct ledger *l;

	(void)unused;
	fill(1);
	assert_int_equal(ledger_open(&l, path, &e), OK);
	assert_int_equal(ledger_append(&entry, l, &arena, "issue", "2026-12-01", "{}", &e), OK);
	ledger_close(l);
	assert_int_equal(verify().entries, 1);
	/* what the schema refuses, too, and the next one lands */
	assert_int_equal(ledger_open(&l, path, &e), OK);
	assert_int_equal(ledger_append(&entry, l, &arena, "issue", "tomorrow", "{}", &e), ERR_INPUT);
	assert_int_equal(append(l, "2026-12-01", "{}").seq, 2);
	ledger_close(l);
	assert_int_equal(verify().entries, 2);
}

static void
nothing_is_put_upon_a_broken_end(void **unused)
{
	struct ledger_entry entry;
	struct err e = ERR_INIT;
	struct ledger *l;

	(void)unused;
	fill(2);
	assert_int_equal(tamper(UNGUARD "UPDATE entry SET body = '[]' WHERE seq = 2"), OK);
	assert_int_equal(ledger_open(&l, path, &e), OK);
	assert_int_equal(ledger_append(&entry, l, &arena, "issue", "2026-12-01", "{}", &e), ERR_INPUT);
	assert_non_null(strstr(e.text, "its last entry, 2, was changed"));
	assert_non_null(strstr(e.where, path));
	ledger_close(l);
	assert_int_equal(verify().entries, 2);
}

static mode_t
mode_of(const char *file)
{
	struct stat st;

	assert_int_equal(stat(file, &st), 0);
	return st.st_mode & 07777;
}

static void
the_file_is_its_owners(void **unused)
{
	const char *journal = arena_printf(&arena, "%s-journal", path);
	mode_t mask = umask(0);
	struct ledger_entry entry;
	struct err e = ERR_INIT;
	struct ledger *l;

	(void)unused;
	fill(1);
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(ledger_open(&l, path, &e), OK);
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(ledger_append(&entry, l, &arena, "issue", "2026-12-01", "{}", &e), OK);
	assert_int_equal(mode_of(journal), 0600);
	ledger_close(l);
	umask(mask);
}

/* ---- versions ---- */

#define V1 "-- text\n\n-- :version 1\nPRAGMA user_version = 1; CREATE TABLE t (a) STRICT;\n"
#define V1_GOOD "-- text\n\n-- :version 1\nPRAGMA user_version = 1; CREATE TABLE t (a TEXT) STRICT; INSERT INTO t VALUES ('kept');\n"
#define V2 "\n-- :version 2\nPRAGMA user_version = 2; ALTER TABLE t ADD COLUMN b TEXT;\n"
#define V3_BAD "\n-- :version 3\nPRAGMA user_version = 3; CREATE TABLE u (a TEXT); ALTER TABLE nowhere ADD COLUMN c;\n"
#define V10 "\n-- :version 10\nPRAGMA user_version = 10; CREATE TABLE never (a TEXT);\n"

static void
expect_table(struct db *db, const char *sql, int wanted)
{
	struct err e = ERR_INIT;

	assert_int_equal(db_run_schema(db, sql, "test", &e), wanted);
}

static void
versions_are_reached_one_after_another(void **unused)
{
	struct err e = ERR_INIT;
	struct db *db;

	(void)unused;
	assert_int_equal(db_open_file(&db, path, DB_WRITE, &e), OK);
	assert_int_equal(ledger_migrate(db, V1, "t.sql", &e), ERR_INPUT); /* a column of no type in a STRICT table */
	assert_int_equal(ledger_migrate(db, V1_GOOD, "t.sql", &e), OK);
	expect_table(db, "SELECT b FROM t", ERR_INPUT);
	assert_int_equal(ledger_migrate(db, V1_GOOD V2 V10, "t.sql", &e), OK);
	expect_table(db, "SELECT b FROM t", OK);
	expect_table(db, "SELECT * FROM never", ERR_INPUT); /* 3 to 9 are missing: nothing leads there */
	/* once more: nothing to do, and what was in it is */
	assert_int_equal(ledger_migrate(db, V1_GOOD V2, "t.sql", &e), OK);
	expect_table(db, "CREATE TABLE one AS SELECT a FROM t WHERE a = 'kept'", OK);
	/* a part that fails leaves the version before it */
	assert_int_equal(ledger_migrate(db, V1_GOOD V2 V3_BAD, "t.sql", &e), ERR_INPUT);
	expect_table(db, "SELECT * FROM u", ERR_INPUT);
	assert_int_equal(ledger_migrate(db, V1_GOOD V2 "\n-- :version 3\nPRAGMA user_version = 3; CREATE TABLE u (a TEXT);\n",
	    "t.sql", &e), OK);
	expect_table(db, "SELECT * FROM u", OK);
	db_close(db);
}

/* ---- what is no ledger ---- */

static void
expect_refused(const char *message)
{
	struct ledger *l = NULL;
	struct err e = ERR_INIT;

	assert_int_equal(ledger_open_read(&l, path, &e), ERR_INPUT);
	if (strstr(e.text, message) == NULL || strstr(e.where, path) == NULL)
		fail_msg("%s: %s", e.where, e.text);
	assert_int_equal(ledger_open(&l, path, &e), ERR_INPUT);
	if (strstr(e.text, message) == NULL)
		fail_msg("%s: %s", e.where, e.text);
}

static void
write_file(const char *bytes, size_t len)
{
	struct err e = ERR_INIT;

	assert_int_equal(file_replace(path, bytes, len, 0600, &e), OK);
}

static void
what_is_no_ledger_is_refused(void **unused)
{
	static char noise[8192];
	struct ledger *l;
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;

	(void)unused;
	assert_int_equal(ledger_open_read(&l, path, &e), OK); /* none yet */
	assert_null(l);
	write_file("", 0); /* made, and no more */
	assert_int_equal(ledger_open_read(&l, path, &e), OK);
	assert_null(l);
	memset(noise, 'x', sizeof noise);
	write_file(noise, sizeof noise);
	expect_refused("it is no database");
	unlink(path);
	fill(40);
	assert_int_equal(tamper("PRAGMA user_version = 7"), OK);
	expect_refused("expected a ledger of version 1, found version 7: a newer dossier wrote it");
	assert_int_equal(tamper("PRAGMA user_version = 1; PRAGMA application_id = 1"), OK);
	expect_refused("found another database");
	assert_int_equal(tamper("PRAGMA application_id = 0x444F534C"), OK);
	assert_int_equal(file_read(&b, path, &e), OK);
	write_file(b.s, b.len - 4096); /* cut off: its own header says how long it is */
	expect_refused("it is damaged");
	write_file(b.s, b.len);
	assert_int_equal(verify().entries, 40);
	memset(b.s + 4096, 0x55, b.len - 4096); /* overwritten behind its header */
	write_file(b.s, b.len);
	assert_int_equal(ledger_open_read(&l, path, &e), OK);
	{
		struct ledger_state state;

		assert_int_equal(ledger_verify(&state, l, &e), ERR_INPUT);
		assert_non_null(strstr(e.text, "it is damaged"));
	}
	ledger_close(l);
	buf_release(&b);
}

static int
stop_at_two(const struct ledger_entry *entry, void *context, struct err *e)
{
	*(int *)context += 1;
	return entry->seq == 2 ? err_set(e, ERR_INPUT, "two") : OK;
}

static void
a_walk_ends_at_a_fault(void **unused)
{
	struct err e = ERR_INIT;
	struct ledger *l;
	int seen = 0;

	(void)unused;
	fill(3);
	assert_int_equal(ledger_open_read(&l, path, &e), OK);
	assert_int_equal(ledger_each(l, "issue", stop_at_two, &seen, &e), ERR_INPUT);
	assert_int_equal(seen, 2);
	assert_string_equal(e.text, "two");
	seen = 0;
	assert_int_equal(ledger_each(l, "sizing", stop_at_two, &seen, &e), OK);
	assert_int_equal(seen, 0);
	ledger_close(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(entries_follow_one_another, new_file, remove_file),
		cmocka_unit_test_setup_teardown(the_hash_is_over_every_column, new_file, remove_file),
		cmocka_unit_test_setup_teardown(the_guards_abort, new_file, remove_file),
		cmocka_unit_test_setup_teardown(what_was_changed_shows, new_file, remove_file),
		cmocka_unit_test_setup_teardown(missing_guards_show, new_file, remove_file),
		cmocka_unit_test_setup_teardown(a_cut_end_shows_against_a_receipt, new_file, remove_file),
		cmocka_unit_test_setup_teardown(what_is_not_committed_is_not_there, new_file, remove_file),
		cmocka_unit_test_setup_teardown(nothing_is_put_upon_a_broken_end, new_file, remove_file),
		cmocka_unit_test_setup_teardown(the_file_is_its_owners, new_file, remove_file),
		cmocka_unit_test_setup_teardown(versions_are_reached_one_after_another, new_file, remove_file),
		cmocka_unit_test_setup_teardown(what_is_no_ledger_is_refused, new_file, remove_file),
		cmocka_unit_test_setup_teardown(a_walk_ends_at_a_fault, new_file, remove_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
