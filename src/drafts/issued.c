#include <inttypes.h>
#include <string.h>

#include "db/db.h"
#include "drafts/issue.h"
#include "json/jn.h"
#include "kb/kb.h"
#include "ledger/ledger.h"
#include "sql.h"
#include "util/buf.h"

enum state { SENDABLE, EXPIRED, STALE, RECALLED };

static const char *const state_names[] = {
	[SENDABLE] = "sendable", [EXPIRED] = "expired", [STALE] = "stale", [RECALLED] = "recalled",
};

struct audit {
	struct issued *out;
	struct kb *kb;
	struct arena *rows; /* of what is kept */
	const char *const *layers;
	size_t layer_count;
	const char *today;
};

/* One issued draft. */
struct draft {
	struct arena a; /* until its row is made */
	enum state state;
	struct kb_due due;
	struct buf why;
};

static void
reason(struct draft *d, enum state state, const char *kind, const char *id, const char *what)
{
	if (state > d->state)
		d->state = state;
	buf_printf(&d->why, "%s%s%s%s %s", d->why.len > 0 ? "; " : "", kind, kind[0] != '\0' ? " " : "", id, what);
}

/* Step once: is there a row? A record or finding is found at most once. */
static int
first_row(struct db *db, int statement, const char *id, struct err *e)
{
	int rc = db_bind(db, statement, e, "s", id);

	return rc == OK ? db_step(db, statement, e) : rc;
}

static int
check_finding(struct audit *audit, struct draft *d, const char *id, const char *fingerprint,
    struct err *e)
{
	struct db *db = kb_db(audit->kb);
	struct kb_finding finding;
	int rc = kb_finding(&finding, audit->kb, &d->a, id, e);

	if (rc == 0)
		reason(d, RECALLED, "finding", id, "was withdrawn");
	if (rc == 1)
		rc = first_row(db, USES_FINDING, finding.ref, e);
	if (rc == 1 && strcmp(db_text(db, USES_FINDING, 1), fingerprint) != 0)
		reason(d, STALE, "finding", id, "has changed");
	return rc < 0 ? rc : OK;
}

/* A record that the knowledge no longer has: a claim in quarantine, one that was removed, a profile. */
static int
check_gone(struct audit *audit, struct draft *d, const char *kind, const char *id, struct err *e)
{
	int rc;

	if (strcmp(kind, "claim") != 0) {
		reason(d, STALE, kind, id, "is no longer there");
		return OK;
	}
	rc = first_row(kb_db(audit->kb), ISSUE_IS_WITHHELD, id, e);
	if (rc >= 0)
		reason(d, RECALLED, kind, id, rc == 1 ? "is in quarantine" : "was withdrawn");
	return rc < 0 ? rc : OK;
}

static int
check_record(struct audit *audit, struct draft *d, const char *kind, const char *id,
    const char *fingerprint, struct err *e)
{
	struct db *db = kb_db(audit->kb);
	const char *now;
	int rc = kb_resolve(&now, audit->kb, &d->a, id, kind, e);

	if (rc == OK && now == NULL)
		return check_gone(audit, d, kind, id, e);
	if (rc == OK)
		rc = first_row(db, USES_RECORD, now, e);
	if (rc < 0)
		return rc;
	if (strcmp(db_text(db, USES_RECORD, 2), fingerprint) != 0)
		reason(d, STALE, kind, id, "has changed");
	return OK;
}

static int
check_uses(struct audit *audit, struct draft *d, const struct val *uses, struct err *e)
{
	int rc = OK;

	for (size_t i = 0; rc == OK && i < val_count(uses); i++) {
		const struct val *use = uses->list.items[i];
		const char *kind = val_get_text(use, "kind"), *id = val_get_text(use, "id");
		const char *fingerprint = val_get_text(use, "fingerprint");

		if (kind == NULL || id == NULL || fingerprint == NULL)
			return err_set(e, ERR_INPUT, "an entry that does not say what it used");
		rc = strcmp(kind, "finding") == 0 ? check_finding(audit, d, id, fingerprint, e)
		                                  : check_record(audit, d, kind, id, fingerprint, e);
		if (rc == OK)
			rc = kb_take_due(&d->due, audit->kb, &d->a, id, e);
	}
	return rc;
}

/* What it was issued with and is not laid over the content now: then things may be missing for that. */
static void
name_layers(struct audit *audit, struct draft *d, const struct val *layers)
{
	for (size_t i = 0; i < val_count(layers); i++) {
		const char *layer = val_text(layers->list.items[i]);
		bool here = false;

		for (size_t k = 0; k < audit->layer_count; k++)
			here = here || strcmp(audit->layers[k], layer) == 0;
		if (!here)
			buf_printf(&d->why, "%sissued with --kb %s", d->why.len > 0 ? "; " : "", layer);
	}
}

static void
add_row(struct audit *audit, const struct draft *d, const struct ledger_entry *entry,
    const struct val *body)
{
	static const char *const keys[] = { "to", "customer", "draft", NULL };
	struct arena *a = audit->rows;
	struct val *row = val_push(a, audit->out->rows, val_map(a));

	val_put(a, row, "entry", val_num(a, (double)entry->seq));
	val_put(a, row, "date", val_str(a, entry->date));
	for (int i = 0; keys[i] != NULL; i++)
		val_put(a, row, keys[i], val_str(a, val_get_text(body, keys[i])));
	val_put(a, row, "state", val_str(a, state_names[d->state]));
	val_put(a, row, "until", val_str(a, d->due.review_by));
	val_put(a, row, "why", val_strn(a, d->why.s, d->why.len));
	audit->out->faults += d->state != SENDABLE;
}

static int
check_entry(const struct ledger_entry *entry, void *context, struct err *e)
{
	struct audit *audit = context;
	struct draft d = { .a = ARENA_INIT, .why = BUF_INIT };
	struct val *body;
	int rc = jn_parse(&body, &d.a, entry->body, strlen(entry->body),
	    arena_printf(&d.a, "entry %" PRId64, entry->seq), e);

	if (rc == OK)
		rc = check_uses(audit, &d, val_get(body, "uses"), e);
	if (rc == OK) {
		if (d.due.review_by != NULL && audit->today != NULL && strcmp(d.due.review_by, audit->today) < 0)
			reason(&d, EXPIRED, "", d.due.finding, "is past its review date");
		else if (d.due.review_by != NULL)
			buf_printf(&d.why, "%s%s is to be reviewed by then", d.why.len > 0 ? "; " : "", d.due.finding);
		name_layers(audit, &d, val_path(body, "knowledge.layers"));
		add_row(audit, &d, entry, body);
	}
	buf_release(&d.why);
	arena_release(&d.a);
	return rc;
}

int
issued_audit(struct issued *out, struct ledger *l, struct kb *kb, struct arena *a,
    const char *const *layers, size_t layer_count, const char *today, struct err *e)
{
	struct audit audit = { out, kb, a, layers, layer_count, today };

	*out = (struct issued){ .rows = val_list(a) };
	return l != NULL ? ledger_each(l, "issue", check_entry, &audit, e) : OK;
}
