/*
 * A user's SQL over a database with a row that must not be seen: whatever the text is, no cell
 * and no message holds what stands in the denied table, the image stays as it is, and a
 * fault says something.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "db/query.h"
#include "util/hash.h"
#include "util/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 50 };

static const char SECRET[] = "Zq-what-must-not-be-said";
static const char SCHEMA[] =
    "CREATE TABLE record (id TEXT PRIMARY KEY COLLATE NOCASE, kind TEXT, body TEXT) STRICT, WITHOUT ROWID;"
    "INSERT INTO record VALUES ('a', 'claim', '{\"x\": [1, 2, {\"y\": \"z\"}]}'), ('b', 'source', '{}');"
    "CREATE TABLE finding (ref TEXT PRIMARY KEY, value TEXT, line INTEGER) STRICT, WITHOUT ROWID;"
    "INSERT INTO finding VALUES ('a.one', '41 %', 3), ('a.two', NULL, 7);"
    "CREATE TABLE quarantine (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;"
    "INSERT INTO quarantine VALUES ('q-01', 'Zq-what-must-not-be-said');";

static unsigned char *image;
static size_t image_len;

static void
make_image(void)
{
	struct err e = ERR_INIT;
	struct db *db;

	if (db_open_memory(&db, &e) != OK || db_run_schema(db, SCHEMA, "schema", &e) != OK ||
	    db_serialize(db, &image, &image_len, &e) != OK)
		abort();
	db_close(db);
}

static void
check_rows(struct db_query *q)
{
	struct err e = ERR_INIT;
	int rc = 0;

	for (int row = 0; row < ROWS && (rc = db_query_step(q, &e)) == 1; row++) {
		struct arena a = ARENA_INIT;

		for (int i = 0; i < db_query_columns(q); i++) {
			const struct val *v = db_query_cell(q, &a, i);

			assert(db_query_column(q, i) != NULL);
			if (!val_is(v, VAL_STR))
				continue;
			assert(strlen(v->str.text) == v->str.len);
			assert(strstr(v->str.text, SECRET) == NULL);
		}
		arena_release(&a);
	}
	if (rc < 0)
		assert(e.text[0] != '\0' && strstr(e.text, SECRET) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const denied[] = { "quarantine", NULL };
	struct err e = ERR_INIT;
	char *text = malloc(size + 1);
	struct db_query *q;
	struct hash before;

	if (image == NULL)
		make_image();
	if (text == NULL)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	/* What the text says itself proves nothing. */
	if (utf8_check(text, size, "SQL", &e) == OK && strstr(text, "must-not") == NULL) {
		struct db_query_input in = { image, image_len, denied, text, "SQL", 0.2 };

		before = hash_bytes(image, image_len);
		if (db_query_open(&q, &in, &e) == OK)
			check_rows(q);
		else
			assert(q == NULL && e.text[0] != '\0');
		db_query_close(q);
		assert(strcmp(before.hex, hash_bytes(image, image_len).hex) == 0);
	}
	free(text);
	return 0;
}
