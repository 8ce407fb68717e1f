#include "decide/change.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ingest/reviewed.h"
#include "util/file.h"
#include "yaml/yn_splice.h"

void
change_release(struct change *change)
{
	buf_release(&change->entries_before);
	buf_release(&change->entries_after);
	buf_release(&change->claim_before);
	buf_release(&change->claim_after);
}

/* ---- the texts ---- */

static const char *
moved(struct arena *a, const char *file, enum decision_action action)
{
	const char *below = strchr(file, '/');

	below = below != NULL ? strchr(below + 1, '/') : NULL;
	return below == NULL ? file : arena_printf(a, "claims/%s%s",
	    action == DECISION_RELEASE ? "sourced" : "quarantine", below);
}

int
change_open(struct change *out, struct arena *a, const char *root, const struct set *set,
    const struct record *claim, enum decision_action action, struct err *e)
{
	const struct decisions *d = set_find_decisions(set, claim->id);
	const char *path;
	int rc;

	*out = (struct change)CHANGE_INIT;
	out->root = root;
	out->from = claim->file;
	out->to = moved(a, claim->file, action);
	out->decisions = arena_printf(a, "claims/decisions/%s.yaml", claim->id);
	if (d != NULL && access(arena_printf(a, "%s/%s", root, d->file), F_OK) == 0)
		out->decisions = d->file;
	path = arena_printf(a, "%s/%s", root, out->decisions);
	out->is_new = access(path, F_OK) != 0;
	rc = file_read(&out->claim_before, arena_printf(a, "%s/%s", root, out->from), e);
	if (rc == OK && !out->is_new)
		rc = file_read(&out->entries_before, path, e);
	buf_add(&out->entries_after, out->entries_before.s, out->entries_before.len);
	buf_add(&out->claim_after, out->claim_before.s, out->claim_before.len);
	return rc;
}

/* Replace a text by what a splice of it gave. */
static int
take(struct buf *text, struct buf *spliced, int rc)
{
	if (rc == OK) {
		buf_clear(text);
		buf_add(text, spliced->s, spliced->len);
	}
	buf_release(spliced);
	return rc;
}

static bool
has_link(const struct set *set, const struct record *claim, const char *ref)
{
	const struct val *links = val_get(claim->body, "evidence");

	for (size_t i = 0; i < val_count(links); i++)
		if (set_is_same_finding(set, val_get_text(links->list.items[i], "finding"), ref))
			return true;
	return false;
}

static int
add_link(struct change *change, struct arena *a, const struct val *decided, const struct val *entry, struct err *e)
{
	struct val *link = val_map(a), *reviewed = val_map(a);
	struct buf spliced = BUF_INIT;

	val_put(a, link, "finding", val_str(a, val_get_text(decided, "finding")));
	val_put(a, link, "relation", val_str(a, "supports"));
	val_put(a, reviewed, "by", val_str(a, val_get_text(entry, "by")));
	val_put(a, reviewed, "on", val_str(a, val_get_text(entry, "on")));
	val_put(a, reviewed, "fingerprint", val_strf(a, "%.*s", REVIEWED_SHORT,
	    val_get_text(decided, "fingerprint") + strlen("sha256:")))->quoted = true; /* to others it may be a number */
	val_put(a, link, "reviewed", reviewed);
	return take(&change->claim_after, &spliced, yn_splice_item(&spliced, change->claim_after.s,
	    change->claim_after.len, change->from, "evidence", link, e));
}

/* What the entry says, into the claim: the evidence that it does not have yet, the hash. */
static int
fit_claim(struct change *change, struct arena *a, const struct set *set, const struct record *claim,
    const struct val *entry, struct err *e)
{
	const struct val *decided = val_get(entry, "evidence");
	struct buf spliced = BUF_INIT;
	int rc = OK;

	for (size_t i = 0; rc == OK && i < val_count(decided); i++)
		if (!has_link(set, claim, val_get_text(decided->list.items[i], "finding")))
			rc = add_link(change, a, decided->list.items[i], entry, e);
	if (rc != OK)
		return rc;
	return take(&change->claim_after, &spliced, yn_splice_scalar(&spliced, change->claim_after.s,
	    change->claim_after.len, change->from, "decided", val_get_text(entry, "hash"), e));
}

static bool
is_listed(const struct val *list, const char *ref)
{
	for (size_t i = 0; i < val_count(list); i++)
		if (strcmp(val_get_text(list->list.items[i], "finding"), ref) == 0)
			return true;
	return false;
}

/* The evidence of a release with what it is now, each piece once; every one must resolve. */
static int
put_evidence(struct val *entry, struct arena *a, const struct set *set, const struct decide_request *r, struct err *e)
{
	struct val *list = val_put(a, entry, "evidence", val_list(a));

	for (size_t i = 0; i < r->evidence_count; i++) {
		const char *ref = r->evidence[i];
		const struct set_finding *f = set_find_finding(set, ref);
		struct val *item;

		if (f == NULL)
			return err_set(e, ERR_INPUT, "--evidence: expected a finding as source.finding, found none named "
			    "`%.100s`", ref);
		if (!f->verified)
			return err_set(e, ERR_INPUT, "--evidence: expected a verified finding, found `%.100s`, which is `%s`",
			    ref, val_get_text(f->body, "status"));
		if (is_listed(list, f->ref))
			continue;
		item = val_push(a, list, val_map(a));
		val_put(a, item, "finding", val_str(a, f->ref));
		val_put(a, item, "fingerprint", val_str(a, evidence_fingerprint(f->record->body, f->body).text));
	}
	return OK;
}

int
change_decide(struct change *change, struct arena *a, const struct set *set, const struct record *claim,
    const struct decide_request *r, struct err *e)
{
	const struct decisions *d = change->is_new ? NULL : set_find_decisions(set, claim->id);
	struct val *entry = val_map(a);
	struct buf spliced = BUF_INIT;
	int rc = OK;

	val_put(a, entry, "decision", val_str(a, decision_name(r->action)));
	val_put(a, entry, "by", val_str(a, r->by));
	val_put(a, entry, "on", val_str(a, r->on));
	val_put(a, entry, "reason", val_str(a, r->reason));
	val_put(a, entry, "claim", val_str(a, claim_fingerprint(claim->body).text));
	if (r->action == DECISION_RELEASE)
		rc = put_evidence(entry, a, set, r, e);
	if (rc != OK)
		return rc;
	if (d != NULL)
		val_put(a, entry, "previous", val_str(a, val_get_text(decisions_last(d), "hash")));
	val_put(a, entry, "hash", val_str(a, decision_hash(entry).text));
	rc = take(&change->entries_after, &spliced, yn_splice_entry(&spliced, change->entries_after.s,
	    change->entries_after.len, entry, change->claim_before.s, e));
	return rc == OK ? fit_claim(change, a, set, claim, entry, e) : rc;
}

int
change_follow(struct change *change, struct arena *a, const struct set *set, const struct record *claim,
    const struct decisions *d, struct err *e)
{
	return fit_claim(change, a, set, claim, decisions_last(d), e);
}

int
change_check(struct set *out, const struct change *c, const struct layer *below, struct err *e)
{
	const struct set_file files[] = {
		{ c->decisions, c->entries_after.s, c->entries_after.len },
		{ c->to, c->claim_after.s, c->claim_after.len },
		{ c->from, NULL, 0 },
	};

	return build_check(out, c->root, files, strcmp(c->from, c->to) == 0 ? 2 : 3, below, e);
}

/* ---- the files ---- */

static bool
differs(const struct buf *a, const struct buf *b)
{
	return a->len != b->len || memcmp(a->s, b->s, a->len) != 0;
}

int
change_write(const struct change *c, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const char *decisions = arena_printf(&a, "%s/%s", c->root, c->decisions);
	const char *from = arena_printf(&a, "%s/%s", c->root, c->from);
	const char *to = arena_printf(&a, "%s/%s", c->root, c->to);
	bool entries = differs(&c->entries_before, &c->entries_after);
	bool claim = differs(&c->claim_before, &c->claim_after);
	int rc = entries ? file_replace(decisions, c->entries_after.s, c->entries_after.len, 0644, e) : OK;

	if (rc == OK && claim)
		rc = file_replace(from, c->claim_after.s, c->claim_after.len, 0644, e);
	if (rc == OK && strcmp(from, to) != 0)
		rc = file_rename(from, to, e);
	if (rc != OK && access(from, F_OK) == 0) {
		/* Backwards, so that at no time the claim is given more than its last decision gives it. */
		if (claim)
			file_replace(from, c->claim_before.s, c->claim_before.len, 0644, &ignored);
		if (entries && c->is_new)
			unlink(decisions);
		else if (entries)
			file_replace(decisions, c->entries_before.s, c->entries_before.len, 0644, &ignored);
	}
	arena_release(&a);
	return rc;
}
