#include "ledger/ledger_int.h"

#include <stdio.h>
#include <string.h>

#include "db/db.h"
#include "sql.h"
#include "util/embed.h"

struct chain {
	struct ledger_state *state;
	int64_t next; /* the seq that comes now */
};

static const char *
fault_of(const struct chain *c, const struct ledger_entry *entry)
{
	if (entry->seq > c->next)
		return "entries before it are missing";
	if (entry->seq < c->next)
		return "its number stands twice";
	if (strcmp(entry->prev, c->state->head.hex) != 0)
		return "it does not follow the entry before it";
	if (strcmp(ledger_hash(entry).hex, entry->hash) != 0)
		return "it was changed after it was written";
	return NULL;
}

static int
check_entry(const struct ledger_entry *entry, void *context, struct err *e)
{
	struct chain *c = context;
	struct ledger_state *state = c->state;

	(void)e;
	state->entries++;
	if (state->broken != 0)
		return OK;
	state->fault = fault_of(c, entry);
	if (state->fault != NULL) {
		state->broken = entry->seq;
		return OK;
	}
	snprintf(state->head.hex, sizeof state->head.hex, "%s", entry->hash);
	c->next++;
	return OK;
}

static int
read_schema(const char **out, struct db *db, struct arena *a, struct err *e)
{
	int rc = db_bind(db, LEDGER_SCHEMA, e, "");

	if (rc == OK)
		rc = db_step(db, LEDGER_SCHEMA, e);
	if (rc != 1)
		return rc;
	*out = arena_strdup(a, db_text(db, LEDGER_SCHEMA, 0));
	rc = db_step(db, LEDGER_SCHEMA, e);
	return rc;
}

/* The tables and guards must be those that the schema makes. */
static int
check_guards(bool *unguarded, struct ledger *l, struct err *e)
{
	const struct embed *schema = embed_find("schema/ledger.sql");
	const char *wanted = "", *found = "";
	struct arena a = ARENA_INIT;
	struct db *fresh = NULL;
	int rc = db_open_memory(&fresh, e);

	if (rc == OK)
		rc = ledger_migrate(fresh, schema->text, schema->path, e);
	if (rc == OK)
		rc = read_schema(&wanted, fresh, &a, e);
	if (rc == OK)
		rc = read_schema(&found, l->db, &a, e);
	*unguarded = rc == OK && strcmp(wanted, found) != 0;
	db_close(fresh);
	arena_release(&a);
	return rc == OK ? OK : ledger_fault(l, "the ledger cannot be read", rc, e);
}

int
ledger_verify(struct ledger_state *out, struct ledger *l, struct err *e)
{
	struct chain c = { out, 1 };
	int rc;

	*out = (struct ledger_state){ .head = { LEDGER_FIRST } };
	rc = check_guards(&out->unguarded, l, e);
	return rc == OK ? ledger_each(l, NULL, check_entry, &c, e) : rc;
}
