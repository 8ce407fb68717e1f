#include "kb/kb.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "json/jn.h"
#include "sql.h"
#include "util/buf.h"

struct kb {
	struct db *db;
	int body; /* the statement that reads a record's body */
};

/* Only the second image has rows in these tables; a connection for output may not even read them. */
const char *const kb_denied[] = { "quarantine", "decision", "standing", NULL };

static int
open_image(struct kb **out, const void *image, size_t len, const char *const *deny, int body,
    struct err *e)
{
	int64_t application, version;
	struct db *db;
	int rc;

	if (db_image_id(image, len, &application, &version) != 0 ||
	    application != KB_APPLICATION_ID)
		return err_set(e, ERR_INPUT, "expected a knowledge database, found another file");
	if (version != KB_VERSION)
		return err_set(e, ERR_INPUT,
		    "expected a knowledge database of version %d, found version %" PRId64
		    ": build it again with `dossier load`", KB_VERSION, version);
	rc = db_open_image(&db, image, len, e);
	if (rc != OK)
		return rc;
	db_lock_down(db, deny);
	*out = xmalloc(sizeof **out);
	(*out)->db = db;
	(*out)->body = body;
	return OK;
}

int
kb_open(struct kb **out, const void *image, size_t len, struct err *e)
{
	return open_image(out, image, len, kb_denied, KB_BODY, e);
}

int
kb_open_quarantine(struct kb **out, const void *image, size_t len, struct err *e)
{
	return open_image(out, image, len, NULL, KB_BODY_WITHHELD, e);
}

void
kb_close(struct kb *kb)
{
	if (kb == NULL)
		return;
	db_close(kb->db);
	free(kb);
}

struct db *
kb_db(struct kb *kb)
{
	return kb->db;
}

int
kb_resolve(const char **out, struct kb *kb, struct arena *a, const char *id, const char *kind,
    struct err *e)
{
	int rc = db_bind(kb->db, KB_RESOLVE, e, "ss", id, kind);

	*out = NULL;
	if (rc != OK)
		return rc;
	rc = db_step(kb->db, KB_RESOLVE, e);
	if (rc == 1)
		*out = arena_strdup(a, db_text(kb->db, KB_RESOLVE, 0));
	return rc < 0 ? rc : OK;
}

static int
not_found(struct kb *kb, struct arena *a, const char *id, const char *kind, struct err *e)
{
	struct buf near = BUF_INIT;
	struct val *rows;
	int rc = db_rows(&rows, a, kb->db, KB_NEAR, e, "ss", id, kind);

	if (rc != OK)
		return rc;
	for (size_t i = 0; i < val_count(rows); i++)
		buf_printf(&near, "%s%s", i > 0 ? ", " : "", val_get_text(rows->list.items[i], "id"));
	err_set(e, ERR_INPUT, "expected %s%s%s, found `%.80s`%s%s", kind == NULL ? "an id" : "the id of a",
	    kind == NULL ? "" : kind[0] == 'a' ? "n " : " ", kind != NULL ? kind : "", id,
	    near.len > 0 ? "; near it: " : "", near.s);
	buf_release(&near);
	return ERR_INPUT;
}

int
kb_record(struct val **out, struct kb *kb, struct arena *a, const char *id, const char *kind,
    struct err *e)
{
	const char *stored, *body;
	int rc = kb_resolve(&stored, kb, a, id, kind, e);

	if (rc != OK)
		return rc;
	if (stored == NULL)
		return not_found(kb, a, id, kind, e);
	rc = db_bind(kb->db, kb->body, e, "s", stored);
	if (rc != OK)
		return rc;
	rc = db_step(kb->db, kb->body, e);
	if (rc != 1)
		return rc < 0 ? rc : err_set(e, ERR_INPUT, "`%s` has no body", stored);
	body = db_text(kb->db, kb->body, 0);
	return jn_parse(out, a, body, strlen(body), stored, e);
}

int
kb_finding(struct kb_finding *out, struct kb *kb, struct arena *a, const char *ref, struct err *e)
{
	struct db *db = kb->db;
	int rc = db_bind(db, KB_FINDING, e, "s", ref);

	if (rc != OK)
		return rc;
	rc = db_step(db, KB_FINDING, e);
	if (rc != 1)
		return rc;
	out->ref = arena_strdup(a, db_text(db, KB_FINDING, 0));
	out->source = arena_strdup(a, db_text(db, KB_FINDING, 1));
	out->kind = strcmp(db_text(db, KB_FINDING, 2), "measured") == 0 ? QUANTITY_MEASURED
	                                                                : QUANTITY_PUBLISHED;
	out->grade = db_text(db, KB_FINDING, 3)[0];
	out->press_reported = db_int(db, KB_FINDING, 4) != 0;
	out->value = db_is_null(db, KB_FINDING, 5) ? NULL
	                                           : arena_strdup(a, db_text(db, KB_FINDING, 5));
	return 1;
}

int
kb_take_due(struct kb_due *due, struct kb *kb, struct arena *a, const char *id, struct err *e)
{
	struct db *db = kb->db;
	int rc = db_bind(db, KB_DUE, e, "s", id);

	if (rc == OK)
		rc = db_step(db, KB_DUE, e);
	if (rc == 1 && (due->review_by == NULL || strcmp(db_text(db, KB_DUE, 1), due->review_by) < 0)) {
		due->finding = arena_strdup(a, db_text(db, KB_DUE, 0));
		due->review_by = arena_strdup(a, db_text(db, KB_DUE, 1));
	}
	if (rc == 1)
		db_end(db, KB_DUE);
	return rc < 0 ? rc : OK;
}
