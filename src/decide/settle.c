#include "decide/settle.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "decide/change.h"

/* What a writer that was cut short had begun to write: nobody else writes while we hold the lock. */
static void
sweep(struct arena *a, const char *root)
{
	static const char *const folders[] = { "decisions", "quarantine", "sourced", NULL };

	for (int i = 0; folders[i] != NULL; i++) {
		const char *path = arena_printf(a, "%s/claims/%s", root, folders[i]);
		DIR *dir = opendir(path);
		struct dirent *entry;

		while (dir != NULL && (entry = readdir(dir)) != NULL) {
			size_t n = strlen(entry->d_name);

			if (strncmp(entry->d_name, ".dossier-", 9) == 0 && n > 4 &&
			    strcmp(entry->d_name + n - 4, ".tmp") == 0)
				unlink(arena_printf(a, "%s/%s", path, entry->d_name));
		}
		if (dir != NULL)
			closedir(dir);
	}
}

static bool
lies_in_quarantine(const struct record *claim)
{
	return strncmp(claim->file, "claims/quarantine/", 18) == 0;
}

static bool
is_named(const struct record *claim, const struct decisions *d)
{
	const char *decided = val_get_text(claim->body, "decided");

	return decided != NULL && strcmp(decided, val_get_text(decisions_last(d), "hash")) == 0;
}

/* Do file and last decision differ in a way that a decision cut short leaves behind? */
static bool
is_half_done(const struct record *claim, const struct decisions *d, bool begun)
{
	if (claim == NULL || claim->from_base || d->broken != NULL ||
	    (claim->kind->id != KIND_CLAIM && claim->kind->id != KIND_QUARANTINE))
		return false;
	if (lies_in_quarantine(claim) == (d->last == DECISION_RELEASE))
		return true;
	return begun && !is_named(claim, d);
}

/* Carry the last decision through, if the folder is then in order; *done says whether. */
static int
complete(bool *done, struct arena *a, const struct set *set, const struct record *claim,
    const struct decisions *d, const char *root, const struct layer *below, struct err *e)
{
	struct change change;
	struct set after = SET_INIT;
	struct err inside = ERR_INIT;
	int rc = change_open(&change, a, root, set, claim, d->last, e);

	*done = false;
	if (rc == OK && change_follow(&change, a, set, claim, d, &inside) == OK) {
		rc = change_check(&after, &change, below, e);
		if (rc == OK && after.errs.count == 0) {
			const struct record *then = set_find(&after, claim->id);

			*done = (then->kind->id == KIND_CLAIM) == (d->last == DECISION_RELEASE);
		}
		if (rc == OK && *done)
			rc = change_write(&change, e);
	}
	set_release(&after);
	change_release(&change);
	return rc;
}

/* A release that was not carried through: say so, which leaves the claim where it is. */
static int
take_back(struct arena *a, const struct set *set, const struct record *claim, const struct decisions *d,
    const struct decide_request *request, const char *root, struct err *e)
{
	struct decide_request entry = { .action = DECISION_QUARANTINE, .id = claim->id, .by = request->by,
		.on = request->on };
	struct change change;
	int rc = change_open(&change, a, root, set, claim, DECISION_QUARANTINE, e);

	entry.reason = arena_printf(a, "the release of %s was not carried through: its file lay in claims/quarantine",
	    val_get_text(decisions_last(d), "on"));
	if (rc == OK)
		rc = change_decide(&change, a, set, claim, &entry, e);
	if (rc == OK)
		rc = change_write(&change, e);
	change_release(&change);
	return rc;
}

static int
settle_one(struct buf *note, bool *asked, struct arena *a, const struct set *set,
    const struct record *claim, const struct decisions *d, bool begun, const struct decide_request *request,
    const char *root, const struct layer *below, struct err *e)
{
	const char *action = decision_name(d->last);
	bool done = false;
	int rc = OK;

	/* Without a note that it was begun, a release is somebody's hand: towards quarantine it goes. */
	if (begun || d->last != DECISION_RELEASE)
		rc = complete(&done, a, set, claim, d, root, below, e);
	if (rc == OK && done) {
		buf_printf(note, "dossier: the decision to %s `%s`, of %s, had been cut short: completed\n", action,
		    claim->id, val_get_text(decisions_last(d), "on"));
		*asked |= strcmp(claim->id, request->id) == 0 && d->last == request->action;
	} else if (rc == OK && d->last == DECISION_RELEASE && lies_in_quarantine(claim)) {
		rc = take_back(a, set, claim, d, request, root, e);
		if (rc == OK)
			buf_printf(note, "dossier: the release of `%s`, of %s, was not carried through: taken back, it stays "
			    "in quarantine\n", claim->id, val_get_text(decisions_last(d), "on"));
	}
	return rc;
}

int
settle(struct buf *note, bool *done, struct set *set, struct arena *a, struct decide_lock *lock,
    const struct decide_request *request, const char *root, const struct layer *below, struct errs *errs,
    struct err *e)
{
	int rc = build_check(set, root, NULL, 0, below, e);
	bool any = false;

	*done = false;
	if (lock->begun != NULL)
		sweep(a, root);
	if (rc == OK && set->errs.count > 0) {
		errs_take_all(errs, &set->errs);
		rc = err_set(e, ERR_INPUT, "the folder has to be in order first; nothing was decided");
	}
	for (size_t i = 0; rc == OK && i < set->decision_count; i++) {
		const struct decisions *d = set->decisions[i];
		const struct record *claim = set_find(set, d->id);
		bool begun = lock->begun != NULL && strcmp(lock->begun, d->id) == 0;

		if (!is_half_done(claim, d, begun) || access(arena_printf(a, "%s/%s", root, d->file), F_OK) != 0)
			continue;
		rc = settle_one(note, done, a, set, claim, d, begun, request, root, below, e);
		any = true;
	}
	if (rc == OK && lock->begun != NULL)
		rc = decide_lock_begin(lock, NULL, e);
	if (rc == OK && any) {
		set_release(set);
		rc = build_check(set, root, NULL, 0, below, e);
	}
	return rc;
}
