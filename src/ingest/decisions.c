#include "ingest/decisions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/fields.h"
#include "ingest/reviewed.h"
#include "ingest/walk.h"
#include "util/buf.h"
#include "util/hash.h"

static const char *const names[] = { [DECISION_RELEASE] = "release", [DECISION_QUARANTINE] = "quarantine",
	[DECISION_RETRACT] = "retract" };

const char *
decision_name(enum decision_action action)
{
	return names[action];
}

static enum decision_action
action_of(const struct val *entry)
{
	const char *name = val_get_text(entry, "decision");
	enum decision_action action = DECISION_RELEASE;

	while (action < DECISION_RETRACT && strcmp(names[action], name) != 0)
		action++;
	return action;
}

bool
is_quarantine_id(const char *id)
{
	size_t n = strlen(id);

	/* q-01 ... q-99, q-100 and on: one way to write each number */
	return n >= 4 && n <= 8 && strncmp(id, "q-", 2) == 0 && strspn(id + 2, "0123456789") == n - 2 &&
	    (n == 4 || id[2] != '0');
}

/* ---- hashes ---- */

static struct decision_hash
labelled(struct hash hash)
{
	struct decision_hash out;

	snprintf(out.text, sizeof out.text, "sha256:%s", hash.hex);
	return out;
}

static void
add_text(struct hash_state *h, const char *text)
{
	hash_add(h, text, strlen(text));
}

static int
by_key(const void *a, const void *b)
{
	return strcmp((*(const struct val_entry *const *)a)->key, (*(const struct val_entry *const *)b)->key);
}

/* A tree, with the keys of each map in one order; every piece says its kind and its length. */
static void
add_tree(struct hash_state *h, const struct val *v)
{
	size_t n = val_count(v);
	char head[32];

	if (val_is(v, VAL_STR)) {
		add_text(h, "text");
		hash_add(h, v->str.text, v->str.len);
		return;
	}
	snprintf(head, sizeof head, "%s %zu", val_is(v, VAL_MAP) ? "map" : val_is(v, VAL_LIST) ? "list" : "none", n);
	add_text(h, head);
	if (val_is(v, VAL_LIST)) {
		for (size_t i = 0; i < n; i++)
			add_tree(h, v->list.items[i]);
	} else if (n > 0) {
		const struct val_entry **sorted = xcalloc(n, sizeof *sorted);

		for (size_t i = 0; i < n; i++)
			sorted[i] = &v->map.entries[i];
		qsort(sorted, n, sizeof *sorted, by_key);
		for (size_t i = 0; i < n; i++) {
			add_text(h, sorted[i]->key);
			add_tree(h, sorted[i]->value);
		}
		free(sorted);
	}
}

struct decision_hash
decision_hash(const struct val *entry)
{
	struct hash_state *h = hash_open();

	add_text(h, "dossier decision 1");
	for (const struct field *f = kinds[KIND_DECISION].fields; f->key != NULL; f++) {
		const struct val *v = val_get(entry, f->key);

		if (v == NULL || strcmp(f->key, "hash") == 0)
			continue;
		add_text(h, f->key);
		add_tree(h, v);
	}
	return labelled(hash_close(h));
}

/* `id`: in the place of its own. */
static struct decision_hash
fingerprint_as(const struct val *claim, const struct val *id)
{
	static const char *const said[] = { "id", "archetypes", "because", "statement", "figures", "names",
		"press_reported", "conditions", "rests_on", NULL };
	struct hash_state *h = hash_open();

	add_text(h, "dossier claim 1");
	for (int i = 0; said[i] != NULL; i++) {
		const struct val *v = i == 0 ? id : val_get(claim, said[i]);

		if (v == NULL)
			continue;
		add_text(h, said[i]);
		add_tree(h, v);
	}
	return labelled(hash_close(h));
}

struct decision_hash
claim_fingerprint(const struct val *claim)
{
	return fingerprint_as(claim, val_get(claim, "id"));
}

bool
claim_is(const struct val *claim, const char *fingerprint)
{
	const struct val *aliases = val_get(claim, "aliases");
	bool is = strcmp(claim_fingerprint(claim).text, fingerprint) == 0;

	for (size_t i = 0; !is && i < val_count(aliases); i++)
		is = strcmp(fingerprint_as(claim, aliases->list.items[i]).text, fingerprint) == 0;
	return is;
}

struct decision_hash
evidence_fingerprint(const struct val *source, const struct val *finding)
{
	return labelled(reviewed_fingerprint(source, finding));
}

bool
evidence_is(const struct val *source, const struct val *finding, const char *fingerprint)
{
	size_t label = strlen("sha256:");

	return strlen(fingerprint) == DECISION_HASH && reviewed_is(source, finding, fingerprint + label);
}

/* ---- chains ---- */

static void
follow_chain(struct decisions *d)
{
	const char *before = NULL;

	for (size_t i = 0; i < val_count(d->entries) && d->broken == NULL; i++) {
		const struct val *entry = d->entries->list.items[i];
		const char *previous = val_get_text(entry, "previous"), *hash = val_get_text(entry, "hash");

		if (strcmp(decision_hash(entry).text, hash) != 0)
			d->why = "this entry was changed after it was written: its hash is another";
		else if (before == NULL && previous != NULL)
			d->why = "the entry before this one was removed";
		else if (before != NULL && (previous == NULL || strcmp(previous, before) != 0))
			d->why = "an entry before this one was removed, added or moved";
		if (d->why != NULL)
			d->broken = entry;
		before = hash;
	}
}

static const char *
claim_of(struct arena *a, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
	size_t n = strlen(name);

	return arena_strndup(a, name, n > 5 && strcmp(name + n - 5, ".yaml") == 0 ? n - 5 : n);
}

struct decisions *
decisions_of(struct arena *a, const struct val *list, const char *file, struct errs *errs)
{
	struct walk walk = { .errs = errs };
	size_t before = errs->count;
	struct decisions *d;

	if (!val_is(list, VAL_LIST) || val_count(list) == 0) {
		errs_add(errs, list->at, "expected a list of decisions, found %s",
		    val_is(list, VAL_LIST) ? "an empty one" : val_kind_name(list->kind));
		return NULL;
	}
	for (size_t i = 0; i < val_count(list); i++)
		walk_record(&walk, kinds[KIND_DECISION].fields, list->list.items[i]);
	if (errs->count > before)
		return NULL;
	d = arena_alloc(a, sizeof *d);
	d->id = claim_of(a, file);
	d->file = arena_strdup(a, file);
	d->entries = list;
	d->last = action_of(decisions_last(d));
	for (size_t i = 0; i < val_count(list); i++)
		d->released |= action_of(list->list.items[i]) == DECISION_RELEASE;
	follow_chain(d);
	return d;
}

const struct val *
decisions_last(const struct decisions *d)
{
	return d->entries->list.items[val_count(d->entries) - 1];
}
