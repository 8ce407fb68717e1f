#include "ledger/ledger_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "sql.h"
#include "util/buf.h"

#define MARK "\n-- :version "

/* The part of version `n` of a schema text; NULL past the last. */
static const char *
part_of(const char *schema, int64_t n, size_t *len)
{
	const char *at = schema;

	while ((at = strstr(at, MARK)) != NULL) {
		const char *next;

		at += strlen(MARK);
		next = strstr(at, MARK);
		*len = next != NULL ? (size_t)(next - at) : strlen(at);
		if (strtoll(at, NULL, 10) == n) {
			size_t line = strcspn(at, "\n");

			*len -= line;
			return at + line;
		}
	}
	return NULL;
}

static int
read_version(struct db *db, int64_t *version, struct err *e)
{
	int rc = db_bind(db, LEDGER_IDS, e, "");

	if (rc == OK)
		rc = db_step(db, LEDGER_IDS, e);
	if (rc != 1)
		return rc < 0 ? rc : err_set(e, ERR_INPUT, "it has no version");
	*version = db_int(db, LEDGER_IDS, 1);
	return (rc = db_step(db, LEDGER_IDS, e)) < 0 ? rc : OK;
}

static int
run_part(struct db *db, const char *text, size_t len, const char *file, struct err *e)
{
	struct buf part = BUF_INIT;
	int rc;

	buf_add(&part, text, len);
	rc = db_run_schema(db, part.s, file, e);
	buf_release(&part);
	return rc;
}

int
ledger_migrate(struct db *db, const char *schema, const char *file, struct err *e)
{
	int64_t before = 0, version;
	const char *part;
	size_t len;
	int rc = db_begin(db, e);

	if (rc != OK)
		return rc;
	/* Read within the transaction: another process may have been first. */
	rc = read_version(db, &before, e);
	for (version = before; rc == OK && (part = part_of(schema, version + 1, &len)) != NULL; version++)
		rc = run_part(db, part, len, file, e);
	if (rc == OK && version > before) {
		rc = db_commit(db, e);
		if (rc == OK)
			return OK;
	}
	db_rollback(db);
	return rc;
}
