#include "decide/decide.h"

#include <string.h>

#include "decide/change.h"
#include "decide/lock.h"
#include "decide/settle.h"

/* May this be decided about the claim as it stands? */
static int
check_request(const struct set *set, const struct record *claim, const struct decide_request *r,
    const char *root, struct err *e)
{
	const struct decisions *d = claim != NULL ? set_find_decisions(set, claim->id) : NULL;
	bool quarantined;

	if (claim == NULL || (claim->kind->id != KIND_CLAIM && claim->kind->id != KIND_QUARANTINE))
		return err_set(e, ERR_INPUT, "expected the id of a claim, found `%.80s`", r->id);
	if (claim->from_base)
		return err_set(e, ERR_INPUT, "`%s` lies in the content below: expected its file in `%s`, to decide "
		    "about it there", claim->id, root);
	if (d != NULL && d->broken != NULL)
		return err_at(e, ERR_INPUT, d->broken->at, "%s; expected the decisions as they were written, to add one",
		    d->why);
	quarantined = strncmp(claim->file, "claims/quarantine/", 18) == 0;
	if (r->action == DECISION_RELEASE && !quarantined && claim->kind->id == KIND_CLAIM)
		return err_set(e, ERR_INPUT, "`%s` is sourced: there is nothing to release", claim->id);
	if (r->action == DECISION_RELEASE && d != NULL && d->last == DECISION_RETRACT)
		return err_set(e, ERR_INPUT, "`%s` was retracted: `dossier claim quarantine` first, with why it is "
		    "looked at again", claim->id);
	if (r->action == DECISION_QUARANTINE && quarantined && !(d != NULL && d->last == DECISION_RETRACT))
		return err_set(e, ERR_INPUT, "`%s` is in quarantine", claim->id);
	if (r->action == DECISION_RETRACT && quarantined && d != NULL && d->last == DECISION_RETRACT)
		return err_set(e, ERR_INPUT, "`%s` was retracted before", claim->id);
	return OK;
}

/* With this decision the claim must count as what was decided, without a reservation. */
static int
check_outcome(const struct set *after, const struct decide_request *r, struct errs *errs, struct err *e)
{
	const struct record *claim = set_find(after, r->id);
	bool wanted = claim != NULL &&
	    (claim->kind->id == KIND_CLAIM) == (r->action == DECISION_RELEASE);

	if (after->errs.count > 0) {
		errs_take_all(errs, &after->errs);
		return err_set(e, ERR_INPUT, "with this decision the folder would not be in order; nothing was decided");
	}
	for (size_t i = 0; i < after->standing_count; i++) {
		const struct standing *s = &after->standings[i];

		if (s->record != claim || strcmp(s->severity, "error") != 0)
			continue;
		errs_add(errs, s->at, "%s", s->message);
		wanted = false;
	}
	if (!wanted)
		return err_set(e, ERR_INPUT, "`%s` would count as quarantined all the same; nothing was decided", r->id);
	return OK;
}

/* Others that this decision moves: what rests on the claim. */
static void
note_others(struct buf *note, const struct set *before, const struct set *after, const char *id)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct record *now = &after->records[i], *was = set_find(before, now->id);

		if (was == NULL || strcmp(now->id, id) == 0 || now->kind == was->kind)
			continue;
		buf_printf(note, "dossier: `%s`, which rests on it, counts as %s now\n", now->id,
		    now->kind->id == KIND_CLAIM ? "sourced" : "quarantined");
	}
}

static void
note_done(struct buf *note, const struct decide_request *r, const struct change *change)
{
	static const char *const done[] = { [DECISION_RELEASE] = "released", [DECISION_QUARANTINE] = "in quarantine",
		[DECISION_RETRACT] = "retracted" };

	buf_printf(note, "dossier: `%s` is %s: %s, %s\n", r->id, done[r->action], change->decisions, change->to);
}

static int
decide_one(struct buf *note, const struct set *before, struct arena *a, struct decide_lock *lock,
    const struct decide_request *r, const char *root, const struct layer *below, struct errs *errs,
    struct err *e)
{
	const struct record *claim = set_find(before, r->id);
	struct change change = CHANGE_INIT;
	struct set after = SET_INIT;
	int rc = check_request(before, claim, r, root, e);

	if (rc == OK)
		rc = change_open(&change, a, root, before, claim, r->action, e);
	if (rc == OK)
		rc = change_decide(&change, a, before, claim, r, e);
	if (rc == OK)
		rc = change_check(&after, &change, below, e);
	if (rc == OK)
		rc = check_outcome(&after, r, errs, e);
	if (rc == OK)
		rc = decide_lock_begin(lock, r->id, e);
	if (rc == OK) {
		struct err ignored = ERR_INIT;

		rc = change_write(&change, e);
		decide_lock_begin(lock, NULL, &ignored);
	}
	if (rc == OK) {
		note_done(note, r, &change);
		note_others(note, before, &after, r->id);
	}
	change_release(&change);
	set_release(&after);
	return rc;
}

int
decide(struct buf *note, const struct decide_request *r, const char *root, const struct layer *below,
    struct errs *errs, struct err *e)
{
	struct arena a = ARENA_INIT;
	bool done = false;
	struct set set = SET_INIT;
	struct decide_lock lock;
	int rc = decide_lock(&lock, &a, root, r->by, e);

	if (rc == OK) {
		rc = settle(note, &done, &set, &a, &lock, r, root, below, errs, e);
		if (rc == OK && !done)
			rc = decide_one(note, &set, &a, &lock, r, root, below, errs, e);
		set_release(&set);
		decide_unlock(&lock);
	}
	arena_release(&a);
	return rc;
}
