#include "advise/advise.h"

#include <string.h>

#include "db/db.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/buf.h"

static const char *const verdicts[VERDICTS] = { "fits", "also-helps", "misreads", "nothing-here",
	"costs-more", "in-place", "needs-reuse", "needs-sessions", "needs-acceptance", "other-machine",
	"not-calculated" };

const char *
verdict_name(enum verdict verdict)
{
	return verdicts[verdict];
}

static enum verdict
verdict_find(const char *name)
{
	int i = 0;

	while (i + 1 < VERDICTS && strcmp(verdicts[i], name) != 0)
		i++;
	return (enum verdict)i;
}

/* The part of an archetype with this id, in the list under `key`. */
static const struct val *
part_of(const struct val *archetype, const char *key, const char *id)
{
	const struct val *list = val_get(archetype, key);

	for (size_t i = 0; i < val_count(list); i++)
		if (strcmp(val_get_text(list->list.items[i], "id"), id) == 0)
			return list->list.items[i];
	return NULL;
}

/* Rows of the TEMP tables for one workload. */
static int
tell(struct db *db, const struct advice *advice, const char *archetype,
    const struct lever_effect *effects, size_t count, struct err *e)
{
	const struct sizing_result *r = &advice->workload->out;
	bool timed = r->decode.seconds > 0;
	const char *id = advice->workload->id;
	int rc = db_run(db, ADVISE_ADD_RUN, e, "sssssdss", id, archetype, advice->focus.phase,
	    sizing_term_name(advice->focus.term),
	    advice->near_crossover ? sizing_term_name(advice->other) : NULL, r->kv_to_weights,
	    timed ? sizing_term_name(r->decode.bottleneck) : NULL,
	    workload_prefill_term(advice->workload) >= 0 ? sizing_term_name(r->prefill.bottleneck) : NULL);

	for (size_t i = 0; rc == OK && i < count; i++)
		rc = db_run(db, ADVISE_ADD_EFFECT, e, "sssddi", id, effects[i].id,
		    lever_state_name(effects[i].state), effects[i].total, effects[i].on_focus,
		    effects[i].accelerators.after > effects[i].accelerators.before);
	return rc;
}

static int
join(struct advice *advice, struct db *db, struct arena *a, const struct lever_effect *effects,
    size_t count, struct err *e)
{
	struct val *rows;
	int rc = db_rows(&rows, a, db, ADVISE_JOIN, e, "s", advice->workload->id);

	if (rc != OK)
		return rc;
	advice->levers = arena_alloc(a, (val_count(rows) + 1) * sizeof *advice->levers);
	for (size_t i = 0; i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i];
		struct advised_lever *lever = &advice->levers[advice->lever_count++];

		for (size_t k = 0; k < count; k++)
			if (strcmp(effects[k].id, val_get_text(row, "lever")) == 0)
				lever->effect = &effects[k];
		lever->verdict = verdict_find(val_get_text(row, "verdict"));
		lever->warned = val_get(row, "warned")->number != 0;
		lever->sold_by_us = val_get(row, "sold_by_us")->number != 0;
	}
	return OK;
}

static int
find_positions(struct advice *advice, struct db *db, struct arena *a, const struct val *archetype,
    struct err *e)
{
	struct val *rows;
	int rc = db_rows(&rows, a, db, ADVISE_POSITIONS, e, "s", advice->workload->id);

	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i];
		const struct val *body = part_of(archetype, "positions", val_get_text(row, "id"));

		if (val_get(row, "main")->number == 0)
			advice->other_position = body;
		else if (advice->position == NULL)
			advice->position = body;
	}
	if (rc == OK && advice->position != NULL)
		rc = db_run(db, ADVISE_SET_POSITION, e, "ss", advice->workload->id,
		    val_get_text(advice->position, "id"));
	return rc;
}

/* The ids of what is proposed, as a JSON list for the statement. */
static void
proposed(struct buf *out, const struct advice *advice)
{
	const char *comma = "";

	buf_putc(out, '[');
	for (size_t i = 0; i < advice->lever_count; i++) {
		if (advice->levers[i].verdict > VERDICT_ALSO_HELPS)
			continue;
		buf_printf(out, "%s\"%s\"", comma, advice->levers[i].effect->id);
		comma = ",";
	}
	buf_putc(out, ']');
}

static int
find_objections(struct advice *advice, struct db *db, struct arena *a, const struct val *archetype,
    struct err *e)
{
	struct buf levers = BUF_INIT;
	struct val *rows;
	int rc;

	proposed(&levers, advice);
	rc = db_rows(&rows, a, db, ADVISE_OBJECTIONS, e, "ss", levers.s, advice->workload->id);
	buf_release(&levers);
	if (rc != OK)
		return rc;
	advice->objections = arena_alloc(a, (val_count(rows) + 1) * sizeof *advice->objections);
	for (size_t i = 0; i < val_count(rows); i++)
		advice->objections[advice->objection_count++] = part_of(archetype, "objections",
		    val_get_text(rows->list.items[i], "id"));
	return OK;
}

static int
advise_one(struct advice *advice, struct kb *kb, struct arena *a, const struct customer *c,
    struct err *e)
{
	const struct workload *w = advice->workload;
	struct lever_effect *effects;
	struct db *db = kb_db(kb);
	size_t count;
	int rc;

	advice->focus = focus_of(w);
	advice->near_crossover = w->out.near_crossover && strcmp(advice->focus.phase, "capacity") == 0 &&
	    (advice->focus.term == SIZING_WEIGHTS || advice->focus.term == SIZING_KV);
	advice->other = advice->focus.term == SIZING_WEIGHTS ? SIZING_KV : SIZING_WEIGHTS;
	rc = levers_ask(&effects, &count, kb, a, w, c->archetype, e);
	if (rc == OK)
		rc = tell(db, advice, c->archetype, effects, count, e);
	if (rc == OK)
		rc = find_positions(advice, db, a, c->archetype_body, e);
	if (rc == OK)
		rc = join(advice, db, a, effects, count, e);
	if (rc == OK)
		rc = find_objections(advice, db, a, c->archetype_body, e);
	return rc;
}

int
advise(struct advice **out, struct kb *kb, struct arena *a, const struct customer *c, struct err *e)
{
	static const int prepare[] = { ADVISE_CREATE_RUN, ADVISE_CREATE_EFFECT, ADVISE_CLEAR_RUN,
		ADVISE_CLEAR_EFFECT };
	int rc = OK;

	for (size_t i = 0; rc == OK && i < sizeof prepare / sizeof *prepare; i++)
		rc = db_run(kb_db(kb), prepare[i], e, "");
	*out = arena_alloc(a, (c->workload_count + 1) * sizeof **out);
	for (size_t i = 0; rc == OK && i < c->workload_count; i++) {
		(*out)[i].workload = &c->workloads[i];
		if (c->workloads[i].sized)
			rc = advise_one(&(*out)[i], kb, a, c, e);
	}
	return rc;
}
