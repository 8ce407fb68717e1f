#include "ledger/ledger_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/db.h"
#include "sql.h"
#include "util/buf.h"
#include "util/embed.h"

#define SCHEMA "schema/ledger.sql"

int
ledger_fault(const struct ledger *l, const char *what, int rc, struct err *e)
{
	char text[sizeof e->text];

	snprintf(text, sizeof text, "%s", e->text);
	return err_at(e, rc, (struct place){ l->path, 0, 0 }, "%s: %s", what, text);
}

/* ---- opening ---- */

static int
refuse(const struct ledger *l, struct err *e, const char *found)
{
	return err_at(e, ERR_INPUT, (struct place){ l->path, 0, 0 }, "expected a ledger of dossier, found %s", found);
}

/* Is it a ledger, and one that we understand? A file with nothing in it is one that was just made. */
static int
check_ids(struct ledger *l, int64_t *version, struct err *e)
{
	int64_t application, tables;
	int rc = db_bind(l->db, LEDGER_IDS, e, "");

	if (rc == OK)
		rc = db_step(l->db, LEDGER_IDS, e);
	if (rc != 1)
		return ledger_fault(l, "the ledger cannot be read", rc, e);
	application = db_int(l->db, LEDGER_IDS, 0);
	*version = db_int(l->db, LEDGER_IDS, 1);
	tables = db_int(l->db, LEDGER_IDS, 2);
	rc = db_step(l->db, LEDGER_IDS, e);
	if (rc != OK)
		return ledger_fault(l, "the ledger cannot be read", rc, e);
	if (application == 0 && *version == 0 && tables == 0)
		return OK;
	if (application != LEDGER_APPLICATION_ID)
		return refuse(l, e, "another database");
	if (*version > LEDGER_VERSION)
		return err_at(e, ERR_INPUT, (struct place){ l->path, 0, 0 },
		    "expected a ledger of version %d, found version %" PRId64 ": a newer dossier wrote it",
		    LEDGER_VERSION, *version);
	return *version >= 1 ? OK : refuse(l, e, "a damaged one");
}

static int
open_mode(struct ledger **out, const char *path, enum db_mode mode, int64_t *version, struct err *e)
{
	struct ledger *l = xcalloc(1, sizeof *l);
	int rc;

	l->path = xstrdup(path);
	rc = db_open_file(&l->db, path, mode, e);
	if (rc != OK)
		rc = ledger_fault(l, "the ledger cannot be opened", rc, e);
	else
		rc = check_ids(l, version, e);
	if (rc != OK) {
		ledger_close(l);
		return rc;
	}
	*out = l;
	return OK;
}

int
ledger_open(struct ledger **out, const char *path, struct err *e)
{
	const struct embed *schema = embed_find(SCHEMA);
	int64_t version = 0;
	int rc = open_mode(out, path, DB_WRITE, &version, e);

	if (rc != OK || version == LEDGER_VERSION)
		return rc;
	rc = ledger_migrate((*out)->db, schema->text, schema->path, e);
	if (rc != OK) {
		rc = ledger_fault(*out, "the ledger cannot be written", rc, e);
		ledger_close(*out);
		*out = NULL;
	}
	return rc;
}

int
ledger_open_read(struct ledger **out, const char *path, struct err *e)
{
	int64_t version = 0;
	struct stat st;
	int rc;

	*out = NULL;
	if (stat(path, &st) != 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return OK;
		return err_errno(e, "cannot read %s", path);
	}
	rc = open_mode(out, path, DB_READ, &version, e);
	if (rc != OK)
		return rc;
	if (version == 0) { /* made, and left before anything was written */
		ledger_close(*out);
		*out = NULL;
		return OK;
	}
	db_lock_down((*out)->db, NULL);
	return OK;
}

void
ledger_close(struct ledger *l)
{
	if (l == NULL)
		return;
	if (l->begun)
		db_rollback(l->db);
	db_close(l->db);
	free(l->path);
	free(l);
}

/* ---- the chain ---- */

struct hash
ledger_hash(const struct ledger_entry *entry)
{
	struct hash_state *h = hash_open();
	char seq[24];

	snprintf(seq, sizeof seq, "%" PRId64, entry->seq);
	hash_add(h, "dossier.ledger/1", strlen("dossier.ledger/1"));
	hash_add(h, seq, strlen(seq));
	hash_add(h, entry->kind, strlen(entry->kind));
	hash_add(h, entry->date, strlen(entry->date));
	hash_add(h, entry->body, strlen(entry->body));
	hash_add(h, entry->prev, strlen(entry->prev));
	return hash_close(h);
}

/* A column that is NULL can only be where somebody has made the table anew. */
static const char *
text_of(struct db *db, int statement, int column)
{
	const char *text = db_text(db, statement, column);

	return text != NULL ? text : "";
}

static struct ledger_entry
entry_of(struct db *db, int statement)
{
	return (struct ledger_entry){
		.seq = db_int(db, statement, 0), .kind = text_of(db, statement, 1),
		.date = text_of(db, statement, 2), .body = text_of(db, statement, 3),
		.prev = text_of(db, statement, 4), .hash = text_of(db, statement, 5),
	};
}

/* What the next entry follows. */
static int
read_last(int64_t *seq, const char **hash, struct ledger *l, struct arena *a, struct err *e)
{
	int rc = db_bind(l->db, LEDGER_LAST, e, "");

	*seq = 0;
	*hash = LEDGER_FIRST;
	if (rc == OK)
		rc = db_step(l->db, LEDGER_LAST, e);
	if (rc == 1) {
		struct ledger_entry last = entry_of(l->db, LEDGER_LAST);

		if (strcmp(ledger_hash(&last).hex, last.hash) != 0)
			return err_set(e, ERR_INPUT,
			    "its last entry, %" PRId64 ", was changed; `dossier audit --ledger` says more", last.seq);
		*seq = last.seq;
		*hash = arena_strdup(a, last.hash);
		rc = db_step(l->db, LEDGER_LAST, e);
	}
	return rc;
}

static int
insert(struct ledger_entry *out, struct ledger *l, struct arena *a, struct err *e)
{
	int rc = read_last(&out->seq, &out->prev, l, a, e);

	if (rc != OK)
		return rc;
	out->seq++;
	out->hash = arena_strdup(a, ledger_hash(out).hex);
	return db_run(l->db, LEDGER_APPEND, e, "lsssss", out->seq, out->kind, out->date, out->body,
	    out->prev, out->hash);
}

int
ledger_append(struct ledger_entry *out, struct ledger *l, struct arena *a, const char *kind,
    const char *date, const char *body, struct err *e)
{
	int rc = db_begin(l->db, e);

	*out = (struct ledger_entry){
		.kind = arena_strdup(a, kind), .date = arena_strdup(a, date), .body = arena_strdup(a, body),
	};
	if (rc == OK) {
		rc = insert(out, l, a, e);
		if (rc != OK)
			db_rollback(l->db);
	}
	l->begun = rc == OK;
	return rc == OK ? OK : ledger_fault(l, "the ledger cannot be written", rc, e);
}

int
ledger_commit(struct ledger *l, struct err *e)
{
	int rc = db_commit(l->db, e);

	if (rc != OK) {
		db_rollback(l->db);
		rc = ledger_fault(l, "the ledger cannot be written", rc, e);
	}
	l->begun = false;
	return rc;
}

/* The entry after `seq`, in the arena: 1; 0: there is none. A damaged file may answer with one before, for ever. */
static int
read_next(struct ledger_entry *out, struct ledger *l, struct arena *a, int64_t seq, struct err *e)
{
	int rc = db_bind(l->db, LEDGER_NEXT, e, "l", seq);

	if (rc == OK)
		rc = db_step(l->db, LEDGER_NEXT, e);
	if (rc != 1)
		return rc;
	*out = entry_of(l->db, LEDGER_NEXT);
	out->kind = arena_strdup(a, out->kind);
	out->date = arena_strdup(a, out->date);
	out->body = arena_strdup(a, out->body);
	out->prev = arena_strdup(a, out->prev);
	out->hash = arena_strdup(a, out->hash);
	db_end(l->db, LEDGER_NEXT);
	return out->seq > seq ? 1 : err_set(e, ERR_INPUT, "it is damaged: its entries are in no order");
}

/* One statement an entry: between them writers have their turn, and an entry once read does not change. */
int
ledger_each(struct ledger *l, const char *kind, ledger_visit_fn *visit, void *context,
    struct err *e)
{
	struct ledger_entry entry = { .seq = INT64_MIN };
	int visited = OK, rc = OK;

	do {
		struct arena a = ARENA_INIT;

		rc = read_next(&entry, l, &a, entry.seq, e);
		if (rc == 1 && (kind == NULL || strcmp(entry.kind, kind) == 0))
			visited = visit(&entry, context, e);
		arena_release(&a);
	} while (rc == 1 && visited >= 0);
	if (visited < 0)
		return visited;
	return rc < 0 ? ledger_fault(l, "the ledger cannot be read", rc, e) : OK;
}
