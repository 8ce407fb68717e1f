/*
 * What each claim counts as. It is sourced if its file lies among the sourced and, where it ever was in
 * quarantine, the last decision about it is a release of just this text on evidence that still holds.
 * Anything else counts as quarantined, whatever the folder says: a half-done or hand-made change errs on
 * that side. None of this is a fault that keeps a folder from being loaded; audit tells it.
 */
#include "ingest/set_int.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/buf.h"

static void tell(struct set *set, const struct record *claim, const char *severity, const char *code,
    struct place at, const char *message, ...) __attribute__((format(printf, 6, 7)));

static void
tell(struct set *set, const struct record *claim, const char *severity, const char *code, struct place at,
    const char *message, ...)
{
	struct standing *s;
	struct buf text = BUF_INIT;
	va_list ap;

	if (set->standing_count == set->standing_cap) {
		size_t cap = set->standing_cap == 0 ? 64 : set->standing_cap * 2;
		struct standing *larger = arena_alloc(&set->arena, cap * sizeof *larger);

		if (set->standing_count > 0)
			memcpy(larger, set->standings, set->standing_count * sizeof *larger);
		set->standings = larger;
		set->standing_cap = cap;
	}
	va_start(ap, message);
	buf_vprintf(&text, message, ap);
	va_end(ap);
	s = &set->standings[set->standing_count++];
	*s = (struct standing){ claim, claim != NULL ? claim->id : "", severity, code, at,
		arena_strdup(&set->arena, text.s) };
	buf_release(&text);
}

static struct place
place_of(const struct record *claim)
{
	return val_get(claim->body, "id")->at;
}

static void
fall(struct record *claim)
{
	claim->kind = &kinds[KIND_QUARANTINE];
	claim->fallen = true;
}

static bool
is_replaced(const struct set *set, const char *id)
{
	for (size_t i = 0; i < val_count(set->replaced); i++)
		if (strcasecmp(val_get_text(set->replaced->list.items[i], "id"), id) == 0)
			return true;
	return false;
}

/* Was it in quarantine to begin with, under this name or a former one? */
static bool
began_in_quarantine(const struct set *set, const struct record *claim)
{
	const struct val *aliases = val_get(claim->body, "aliases");
	bool began = is_quarantine_id(claim->id) || is_replaced(set, claim->id);

	for (size_t i = 0; !began && i < val_count(aliases); i++) {
		const char *alias = val_text(aliases->list.items[i]);

		began = is_quarantine_id(alias) || is_replaced(set, alias);
	}
	return began;
}

/* ---- evidence ---- */

/* Was it ever there? A link that nobody reviewed or decided on, to nothing, is a slip and a fault. */
static bool
was_there(const struct set *set, const struct val *link, const struct decisions *d)
{
	const struct val *decided = d != NULL ? val_get(decisions_last(d), "evidence") : NULL;

	if (val_get(link, "reviewed") != NULL)
		return true;
	for (size_t i = 0; i < val_count(decided); i++)
		if (set_is_same_finding(set, val_get_text(decided->list.items[i], "finding"),
		    val_get_text(link, "finding")))
			return true;
	return false;
}

bool
set_is_gone(const struct set *set, const struct record *claim, const char *ref)
{
	const struct set_finding *f = set_find_finding(set, ref);
	const struct decisions *d = set_find_decisions(set, claim->id);
	const struct val *links = val_get(claim->body, "evidence");

	if (f != NULL && f->verified)
		return false;
	if (f != NULL && strcmp(val_get_text(f->body, "status"), "withdrawn") == 0)
		return true;
	for (size_t i = 0; i < val_count(links); i++)
		if (set_is_same_finding(set, val_get_text(links->list.items[i], "finding"), ref) &&
		    was_there(set, links->list.items[i], d))
			return true;
	return false;
}

static const struct val *
lost_figure(const struct set *set, const struct record *claim)
{
	const struct val *figures = val_get(claim->body, "figures");

	for (size_t i = 0; i < val_count(figures); i++) {
		const struct val *ref = val_get(figures->map.entries[i].value, "finding");

		if (set_is_gone(set, claim, ref->str.text))
			return ref;
	}
	return NULL;
}

/* What is left must carry the claim. */
static void
check_evidence(struct set *set, struct record *claim)
{
	const struct val *links = val_get(claim->body, "evidence"), *figure = lost_figure(set, claim);
	size_t gone = 0;

	for (size_t i = 0; i < val_count(links); i++) {
		const struct val *ref = val_get(links->list.items[i], "finding");

		if (!set_is_gone(set, claim, ref->str.text))
			continue;
		gone++;
		tell(set, claim, "warning", "withdrawn-evidence", ref->at, "`%s` was withdrawn or removed",
		    ref->str.text);
	}
	claim->partly = gone > 0;
	if (figure == NULL && (gone == 0 || support_of(set, links).any))
		return;
	tell(set, claim, "error", "lost-evidence", figure != NULL ? figure->at : links->at,
	    "counts as quarantined: %s", figure != NULL ? "the evidence of a figure was withdrawn or removed"
	                                                : "no evidence is left that carries it");
	fall(claim);
}

/* ---- decisions ---- */

static bool
is_supported_by(const struct set *set, const struct record *claim, const char *ref)
{
	const struct val *links = val_get(claim->body, "evidence");

	for (size_t i = 0; i < val_count(links); i++)
		if (set_is_same_finding(set, val_get_text(links->list.items[i], "finding"), ref) &&
		    strcmp(val_get_text(links->list.items[i], "relation"), "supports") == 0)
			return true;
	return false;
}

/* The evidence that was decided on must carry the claim still, all of it. */
static bool
decided_evidence_holds(struct set *set, struct record *claim, const struct val *last)
{
	const struct val *decided = val_get(last, "evidence");
	bool holds = val_count(decided) > 0;

	for (size_t i = 0; i < val_count(decided); i++) {
		const struct val *item = decided->list.items[i], *ref = val_get(item, "finding");
		const struct set_finding *f = set_find_finding(set, ref->str.text);
		bool verified = f != NULL && f->verified;

		if (!verified || !is_supported_by(set, claim, ref->str.text)) {
			tell(set, claim, "error", "lost-evidence", ref->at,
			    "counts as quarantined: `%s`, on which it was released, %s", ref->str.text,
			    verified ? "stands in its evidence no longer" : "was withdrawn or removed");
			holds = false;
		} else if (!evidence_is(f->record->body, f->body, val_get_text(item, "fingerprint"))) {
			tell(set, claim, "warning", "changed-evidence", ref->at,
			    "`%s` was changed since the claim was released on it", ref->str.text);
		}
	}
	return holds;
}

static bool
names_last_entry(const struct record *claim, const struct decisions *d)
{
	const char *decided = val_get_text(claim->body, "decided");

	return decided != NULL && strcmp(decided, val_get_text(decisions_last(d), "hash")) == 0;
}

/* Does the last decision let this claim stand among the sourced, where it lies? */
static bool
is_released(struct set *set, struct record *claim, const struct decisions *d)
{
	const struct val *last = decisions_last(d);

	if (d->broken != NULL)
		return false;
	if (d->last != DECISION_RELEASE) {
		tell(set, claim, "error", "decision-disagrees", val_get(last, "decision")->at, "`%s` counts as "
		    "quarantined: the last decision is `%s`, and its file is `%s`", claim->id, decision_name(d->last),
		    claim->file);
		return false;
	}
	if (!names_last_entry(claim, d)) {
		tell(set, claim, "error", "decision-altered", place_of(claim), "counts as quarantined: the last of "
		    "its decisions (`%s`) is not the one that its file names in `decided`", d->file);
		return false;
	}
	if (!claim_is(claim->body, val_get_text(last, "claim"))) {
		tell(set, claim, "error", "changed-claim", place_of(claim),
		    "counts as quarantined: it was changed after it was released");
		return false;
	}
	return decided_evidence_holds(set, claim, last);
}

static void
check_sourced(struct set *set, struct record *claim, const struct decisions *d)
{
	bool began = began_in_quarantine(set, claim);
	const struct val *decided = val_get(claim->body, "decided");

	if (d == NULL && decided != NULL)
		tell(set, claim, "error", "decision-altered", decided->at,
		    "counts as quarantined: it was decided about, and its file of decisions is gone");
	else if (d == NULL && began)
		tell(set, claim, "error", "undecided", place_of(claim), "counts as quarantined: it lies among the "
		    "sourced claims without a decision; `dossier claim release` records one");
	if (d != NULL ? !is_released(set, claim, d) : decided != NULL || began) {
		claim->guarded = began && (d == NULL || !d->released);
		fall(claim);
		return;
	}
	check_evidence(set, claim);
}

static void
check_quarantined(struct set *set, struct record *claim, const struct decisions *d)
{
	const struct val *decided = val_get(claim->body, "decided");

	claim->guarded = true;
	claim->fallen = d != NULL && (d->released || !is_quarantine_id(claim->id));
	if (d == NULL && decided != NULL)
		tell(set, claim, "error", "decision-altered", decided->at,
		    "it was decided about, and its file of decisions is gone");
	if (d == NULL || d->broken != NULL)
		return;
	if (d->last == DECISION_RELEASE)
		tell(set, claim, "error", "decision-disagrees", val_get(decisions_last(d), "decision")->at,
		    "`%s` counts as quarantined: the last decision is `release`, and its file is `%s`", claim->id,
		    claim->file);
	else if (!names_last_entry(claim, d))
		tell(set, claim, "error", "decision-altered", place_of(claim), "the last of its decisions (`%s`) is "
		    "not the one that its file names in `decided`", d->file);
}

static void
check_claim(struct set *set, struct record *claim)
{
	const struct decisions *d = set_find_decisions(set, claim->id);

	if (d != NULL && d->broken != NULL)
		tell(set, claim, "error", "decision-altered", d->broken->at, "`%s` counts as quarantined: %s",
		    claim->id, d->why);
	if (strncmp(claim->file, "claims/quarantine/", 18) == 0) {
		claim->kind = &kinds[KIND_QUARANTINE];
		check_quarantined(set, claim, d);
	} else {
		claim->kind = &kinds[KIND_CLAIM];
		check_sourced(set, claim, d);
	}
}

/* ---- what rests on them ---- */

struct edge {
	const struct record *below;
	struct record *above; /* rests on it */
};

static int
by_below(const void *a, const void *b)
{
	const struct record *x = ((const struct edge *)a)->below, *y = ((const struct edge *)b)->below;

	return x < y ? -1 : x > y;
}

static struct edge *
edges_of(struct set *set, size_t *count)
{
	struct edge *edges;
	size_t n = 0;

	*count = 0;
	for (size_t i = 0; i < set->count; i++)
		n += val_count(val_get(set->records[i].body, "rests_on"));
	edges = arena_alloc(&set->arena, (n + 1) * sizeof *edges);
	for (size_t i = 0; i < set->count; i++) {
		const struct val *on = val_get(set->records[i].body, "rests_on");

		for (size_t k = 0; k < val_count(on); k++) {
			const struct record *below = set_find(set, on->list.items[k]->str.text);

			if (below != NULL)
				edges[(*count)++] = (struct edge){ below, &set->records[i] };
		}
	}
	qsort(edges, *count, sizeof *edges, by_below);
	return edges;
}

/* A claim that rests on a fallen one falls with it, however long the chain. */
static void
spread(struct set *set)
{
	struct record **queue = arena_alloc(&set->arena, (set->count + 1) * sizeof *queue);
	size_t count, head = 0, tail = 0;
	struct edge *edges = edges_of(set, &count);

	for (size_t i = 0; i < set->count; i++)
		if (set->records[i].fallen)
			queue[tail++] = &set->records[i];
	while (head < tail) {
		const struct record *below = queue[head++];
		size_t low = 0, high = count;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (edges[middle].below < below)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < count && edges[low].below == below; low++) {
			struct record *above = edges[low].above;

			if (above->kind->id != KIND_CLAIM)
				continue;
			tell(set, above, "error", "lost-evidence", val_get(above->body, "rests_on")->at,
			    "counts as quarantined: it rests on `%s`", below->id);
			fall(above);
			queue[tail++] = above;
		}
	}
}

void
set_check_standing(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		enum kind_id kind = set->records[i].kind->id;

		if (kind == KIND_CLAIM || kind == KIND_QUARANTINE)
			check_claim(set, &set->records[i]);
	}
	spread(set);
	for (size_t i = 0; i < set->decision_count; i++) {
		const struct decisions *d = set->decisions[i];
		const struct record *claim = set_find(set, d->id);

		if (claim == NULL || (claim->kind->id != KIND_CLAIM && claim->kind->id != KIND_QUARANTINE))
			tell(set, NULL, "warning", "no-claim", d->entries->at, "decisions about `%s`, which is not there",
			    d->id);
	}
}
