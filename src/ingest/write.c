#include "ingest/write.h"

#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "ingest/forms.h"
#include "ingest/reviewed.h"
#include "ingest/write_int.h"
#include "kb/kb.h"
#include "kb/places.h"
#include "render/json.h"
#include "sql.h"
#include "util/buf.h"
#include "util/embed.h"

void
image_release(struct image *image)
{
	db_close(image->db);
	free(image->read);
	*image = (struct image){ .len = 0 };
}

static bool
is_source(const struct record *r)
{
	return r->kind->id == KIND_SOURCE || r->kind->id == KIND_MEASUREMENT;
}

static bool
is_unverified(const struct val *finding)
{
	return strcmp(val_get_text(finding, "status"), "verified") != 0;
}

/* A claim's keys from its time in quarantine. */
static bool
is_inner(const char *key)
{
	static const char *const inner[] = { "circulates", "searched", "not_enough", "would_release",
		"say_instead", NULL };

	for (int i = 0; inner[i] != NULL; i++)
		if (strcmp(inner[i], key) == 0)
			return true;
	return false;
}

/* Does this item of a list of the record stay out of the knowledge? */
static bool
is_left_out(const struct writer *w, const struct record *r, const char *key, const struct val *item)
{
	const struct record *claim;

	if (is_source(r))
		return strcmp(key, "findings") == 0 && is_unverified(item);
	if (r->kind->id == KIND_CLAIM)
		return strcmp(key, "evidence") == 0 && set_is_gone(w->set, r, val_get_text(item, "finding"));
	if (r->kind->id != KIND_ARCHETYPE || strcmp(key, "pains") != 0)
		return false;
	claim = set_find(w->set, item->str.text);
	return claim != NULL && claim->kind->id == KIND_QUARANTINE;
}

/* An archetype's `quantitative: yes` that no claim in the knowledge bears out. */
static bool
is_overstated(const struct writer *w, const struct record *r, const struct val_entry *entry)
{
	return r->kind->id == KIND_ARCHETYPE && strcmp(entry->key, "quantitative") == 0 &&
	    yesno(entry->value, false) && !set_is_quantitative(w->set, r);
}

/* May all of it be said? Most records are copied nowhere. */
static bool
is_whole(const struct writer *w, const struct record *r)
{
	if (!is_source(r) && r->kind->id != KIND_CLAIM && r->kind->id != KIND_ARCHETYPE)
		return true;
	for (size_t i = 0; i < r->body->map.count; i++) {
		const struct val_entry *entry = &r->body->map.entries[i];

		if ((r->kind->id == KIND_CLAIM && is_inner(entry->key)) || is_overstated(w, r, entry))
			return false;
		for (size_t k = 0; val_is(entry->value, VAL_LIST) && k < entry->value->list.count; k++)
			if (is_left_out(w, r, entry->key, entry->value->list.items[k]))
				return false;
	}
	return true;
}

/* Of a list, what may be said. */
static struct val *
without(struct writer *w, const struct record *r, const struct val_entry *entry)
{
	struct val *kept;

	if (!val_is(entry->value, VAL_LIST))
		return entry->value;
	kept = val_list(&w->arena);
	kept->at = entry->value->at;
	for (size_t i = 0; i < val_count(entry->value); i++)
		if (!is_left_out(w, r, entry->key, entry->value->list.items[i]))
			val_push(&w->arena, kept, entry->value->list.items[i]);
	return kept;
}

/* A copy of the record with what may be said of it. */
static struct val *
sayable(struct writer *w, const struct record *r)
{
	struct val *copy = val_map(&w->arena);

	copy->at = r->body->at;
	for (size_t i = 0; i < r->body->map.count; i++) {
		const struct val_entry *entry = &r->body->map.entries[i];

		if (r->kind->id == KIND_CLAIM && is_inner(entry->key))
			continue;
		val_put_shared(&w->arena, copy, entry->key,
		    is_overstated(w, r, entry) ? val_str(&w->arena, "no") : without(w, r, entry));
	}
	return copy;
}

/*
 * The body as this database holds it, or NULL: records lose what may not be said on the way into the
 * knowledge, and get whole into the quarantine if they lost something.
 */
static struct val *
body_for(struct writer *w, const struct record *r)
{
	bool whole = is_whole(w, r);
	struct val *body;

	if (r->kind->id == KIND_QUARANTINE)
		return w->quarantine ? r->body : NULL;
	if (w->quarantine)
		return whole ? NULL : r->body;
	body = whole ? r->body : sayable(w, r);
	return is_source(r) && val_count(val_get(body, "findings")) == 0 ? NULL : body;
}

/* What a listing calls the record. */
static const char *
name_of(struct writer *w, const struct record *r, const struct val *body, const char *lang)
{
	static const char *const keys[] = { "name", "title", "statement", NULL };

	for (int i = 0; keys[i] != NULL; i++) {
		const struct val *name = val_get(body, keys[i]);

		if (val_is(name, VAL_STR))
			return name->str.text;
		if (name != NULL)
			return write_text(w, name, lang, body);
	}
	return r->id;
}

static void
write_aliases(struct writer *w, const struct record *r)
{
	const struct val *aliases = val_get(r->body, "aliases");

	for (size_t i = 0; w->rc == OK && i < val_count(aliases); i++)
		w->rc = db_run(w->db, INGEST_ALIAS, w->e, "ss", val_text(aliases->list.items[i]), r->id);
}

/* `written`: as the file has it, where that is not the same. */
static void
write_record(struct writer *w, const struct record *r, const struct val *body, const struct val *written)
{
	bool withheld = r->kind->id == KIND_QUARANTINE; /* its wording goes into the denied table only */
	const char *en = withheld ? r->id : name_of(w, r, body, "en");
	const char *ko = withheld ? r->id : name_of(w, r, body, "ko");
	struct buf json = BUF_INIT, before = BUF_INIT, places = BUF_INIT;
	const char *as_written = NULL;

	if (w->rc == OK)
		w->rc = render_json(&json, body, RENDER_JSON_COMPACT, w->e);
	if (w->rc == OK && written != body) {
		w->rc = render_json(&before, written, RENDER_JSON_COMPACT, w->e);
		as_written = before.s;
	}
	places_write(&places, body);
	if (w->rc == OK)
		w->rc = db_run(w->db, INGEST_RECORD, w->e, "sssssissss", r->id, r->kind->name, en, ko,
		    r->file, r->body->at.line, said_fingerprint(written).hex, withheld ? "{}" : json.s,
		    withheld ? NULL : as_written, places.s);
	if (w->rc == OK && withheld)
		w->rc = db_run(w->db, INGEST_QUARANTINE, w->e, "sss", r->id, json.s, as_written);
	if (w->rc == OK && r->decomposed.line > 0)
		w->rc = db_run(w->db, INGEST_DECOMPOSED, w->e, "sii", r->id, r->decomposed.line, r->decomposed.column);
	buf_release(&places);
	buf_release(&before);
	buf_release(&json);
	write_aliases(w, r);
	arena_release(&w->scratch);
}

/* A source's alias with each name of its finding, and its id with each but the finding's own. */
static void
write_finding_aliases(struct writer *w, const struct record *r, const struct val *finding, const char *ref)
{
	const struct val *sources = val_get(r->body, "aliases"), *own = val_get(finding, "aliases");

	for (size_t i = 0; i <= val_count(sources); i++)
		for (size_t k = 0; k <= val_count(own); k++)
			if (w->rc == OK && i + k > 0)
				w->rc = db_run(w->db, INGEST_FINDING_ALIAS, w->e, "ss", arena_printf(&w->scratch, "%s.%s",
				    i > 0 ? val_text(sources->list.items[i - 1]) : r->id,
				    k > 0 ? val_text(own->list.items[k - 1]) : val_get_text(finding, "id")), ref);
}

static void
write_findings(struct writer *w, const struct record *r, const struct val *body)
{
	const struct val *findings = val_get(body, "findings"), *review = val_get(body, "review_by");
	const char *kind = r->kind->id == KIND_MEASUREMENT ? "measured" : "published";

	for (size_t i = 0; w->rc == OK && i < val_count(findings); i++) {
		const struct val *f = findings->list.items[i];
		const char *ref = arena_printf(&w->scratch, "%s.%s", r->id, val_get_text(f, "id"));

		w->rc = db_run(w->db, INGEST_FINDING, w->e, "ssssississiiii", ref, r->id, kind,
		    val_get_text(body, "grade"), yesno(val_get(f, "press_reported"), false),
		    val_get_text(body, "review_by"), val_get_text(f, "value"), val_get(f, "conditions") != NULL,
		    said_fingerprint(f).hex, reviewed_fingerprint(body, f).hex, f->at.line, f->at.column,
		    review->at.line, review->at.column);
		write_finding_aliases(w, r, f, ref);
	}
	arena_release(&w->scratch);
}

/* The claim that may be said in place of a quarantined one; NULL: none, or it is in quarantine too. */
static const char *
instead_of(const struct writer *w, const struct record *r)
{
	const char *id = val_get_text(r->body, "say_instead");
	const struct record *claim = id != NULL ? set_find(w->set, id) : NULL;

	return claim != NULL && claim->kind->id == KIND_CLAIM ? claim->id : NULL;
}

/* Quarantined claims leave their ids in the knowledge, and those they had, and nothing else. */
static void
write_withheld(struct writer *w, const struct record *r)
{
	const struct val *about = val_get(r->body, "archetypes");

	for (size_t i = 0; w->rc == OK && i < val_count(about); i++)
		w->rc = db_run(w->db, INGEST_WITHHELD, w->e, "sss", r->id,
		    set_name_of(w->set, FIELD_RECORD, val_text(about->list.items[i])), instead_of(w, r));
	write_aliases(w, r);
}

static void
write_decisions(struct writer *w)
{
	for (size_t i = 0; w->rc == OK && i < w->set->decision_count; i++) {
		const struct decisions *d = w->set->decisions[i];
		struct buf json = BUF_INIT;

		w->rc = render_json(&json, d->entries, RENDER_JSON_COMPACT, w->e);
		if (w->rc == OK)
			w->rc = db_run(w->db, INGEST_DECISION, w->e, "sss", d->id, d->file, json.s);
		buf_release(&json);
	}
	for (size_t i = 0; w->rc == OK && i < w->set->standing_count; i++) {
		const struct standing *s = &w->set->standings[i];

		w->rc = db_run(w->db, INGEST_STANDING, w->e, "issssiis", (int)i, s->id, s->severity, s->code,
		    s->at.file, s->at.line, s->at.column, s->message);
	}
}

/* What no record says alone: what is withheld, what each is only as fresh as, and whose quarantine is this one's. */
static void
write_joined(struct writer *w, const struct record *const *order, const struct image *companion)
{
	for (size_t i = 0; i < w->set->count; i++)
		if (order[i]->kind->id == KIND_QUARANTINE)
			write_withheld(w, order[i]);
	if (w->rc == OK)
		w->rc = db_run(w->db, INGEST_NEEDS, w->e, "");
	if (w->rc == OK)
		w->rc = db_run(w->db, INGEST_NAME_COMPANION, w->e, "s", hash_bytes(companion->bytes, companion->len).hex);
}

static const struct record **
by_id(struct writer *w)
{
	const struct record **order = arena_alloc(&w->arena, (w->set->count + 1) * sizeof *order);
	size_t n = 0;

	/* names are sorted and hold each id once */
	for (size_t i = 0; i < w->set->name_count; i++)
		if (!w->set->names[i].alias)
			order[n++] = w->set->names[i].record;
	return order;
}

/* companion: the quarantine that belongs to it; NULL: the quarantine itself is written. */
static int
write_one(struct image *out, const struct set *set, const struct image *companion, struct err *e)
{
	bool quarantine = companion == NULL;
	const struct embed *schema = embed_find("schema/knowledge.sql");
	struct writer w = { .set = set, .arena = ARENA_INIT, .quarantine = quarantine, .e = e };
	const struct record **order = by_id(&w);
	struct val **bodies = arena_alloc(&w.arena, (set->count + 1) * sizeof *bodies); /* as written */
	struct val **named = arena_alloc(&w.arena, (set->count + 1) * sizeof *named);
	const struct names *names = write_names(&w);

	w.rc = db_open_memory(&w.db, e);
	if (w.rc == OK)
		w.rc = db_run_schema(w.db, schema->text, schema->path, e);
	if (w.rc == OK)
		w.rc = db_begin(w.db, e);
	/* Records first, findings second: the rest refers to them. */
	for (size_t i = 0; w.rc == OK && i < set->count; i++)
		if ((bodies[i] = body_for(&w, order[i])) != NULL) {
			named[i] = write_named(&w, order[i], bodies[i]);
			write_record(&w, order[i], named[i], bodies[i]);
		}
	for (size_t i = 0; w.rc == OK && i < set->count; i++)
		if (bodies[i] != NULL)
			write_findings(&w, order[i], bodies[i]);
	for (size_t i = 0; w.rc == OK && i < set->count; i++)
		if (bodies[i] != NULL && !quarantine &&
		    (order[i]->kind->id == KIND_LEVER || order[i]->kind->id == KIND_ARCHETYPE))
			write_links(&w, order[i]);
	for (size_t i = 0; w.rc == OK && i < set->count; i++) {
		if (bodies[i] == NULL)
			continue;
		if (quarantine ? order[i]->kind->id == KIND_QUARANTINE
		               : order[i]->kind->id != KIND_LEVER && order[i]->kind->id != KIND_ARCHETYPE)
			write_links(&w, order[i]);
		if (!quarantine) { /* nothing searches the quarantine, or holds it against evidence */
			write_search(&w, order[i], named[i]);
			write_scope(&w, names, order[i], named[i]);
		}
	}
	if (quarantine)
		write_decisions(&w);
	else
		write_joined(&w, order, companion);
	if (w.rc == OK)
		w.rc = db_commit(w.db, e);
	if (w.rc == OK)
		w.rc = db_image(w.db, &out->bytes, &out->len, e);
	if (w.rc == OK)
		out->db = w.db;
	else
		db_close(w.db);
	arena_release(&w.arena);
	return w.rc;
}

int
write_images(struct image *knowledge, struct image *quarantine, const struct set *set,
    struct err *e)
{
	int rc = write_one(quarantine, set, NULL, e);

	if (rc == OK)
		rc = write_one(knowledge, set, quarantine, e);
	if (rc != OK) {
		image_release(knowledge);
		image_release(quarantine);
	}
	return rc;
}
