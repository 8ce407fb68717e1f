#include "ingest/write_int.h"

#include <string.h>

#include "db/db.h"
#include "ingest/forms.h"
#include "ingest/reviewed.h"
#include "ingest/walk.h"
#include "sql.h"

struct profile {
	struct writer *w;
	const struct record *record;
};

#define RUN(w, statement, ...) \
	do { \
		if ((w)->rc == OK) \
			(w)->rc = db_run((w)->db, statement, (w)->e, __VA_ARGS__); \
	} while (0)

/* What a field of this type names, by its id of today. */
static const char *
named(const struct writer *w, enum field_type type, const struct val *name)
{
	return set_name_of(w->set, type, name->str.text);
}

/* What a link was reviewed against, under the names of today: it holds on when they change. */
static const char *
reviewed(struct writer *w, const struct val *link)
{
	const char *fingerprint = val_text(val_path(link, "reviewed.fingerprint"));
	const struct set_finding *f = set_find_finding(w->set, val_get_text(link, "finding"));

	if (fingerprint == NULL || f == NULL || (val_get(f->record->body, "aliases") == NULL &&
	    val_get(f->body, "aliases") == NULL) || !reviewed_is(f->record->body, f->body, fingerprint))
		return fingerprint;
	return arena_strndup(&w->arena, reviewed_fingerprint(f->record->body, f->body).hex, strlen(fingerprint));
}

static void
write_evidence(struct writer *w, const struct record *r, const char *part, const struct val *links)
{
	for (size_t i = 0; i < val_count(links); i++) {
		const struct val *link = links->list.items[i];
		const char *ref = val_get_text(link, "finding");

		if (r->kind->id == KIND_CLAIM && set_is_gone(w->set, r, ref))
			continue;
		RUN(w, INGEST_EVIDENCE, "sssssiii", r->id, part, named(w, FIELD_FINDING, val_get(link, "finding")),
		    val_get_text(link, "relation"),
		    reviewed(w, link), val_get(link, "indirect") != NULL,
		    link->at.line, link->at.column);
	}
}

static void
write_because(struct writer *w, const struct record *r, const char *part, const struct val *refs)
{
	for (size_t i = 0; i < val_count(refs); i++)
		RUN(w, INGEST_BECAUSE, "sss", r->id, part, named(w, FIELD_PART, refs->list.items[i]));
}

static void
write_basis(struct writer *w, const struct record *r, const char *part, const struct val *basis)
{
	const struct val *found = val_get(basis, "evidenced");

	for (size_t i = 0; i < val_count(found); i++) {
		const struct val *ref = found->list.items[i];

		RUN(w, INGEST_EVIDENCE, "sssssiii", r->id, part, named(w, FIELD_FINDING, ref), "supports", NULL, 0,
		    ref->at.line, ref->at.column);
	}
}

static void
write_structure(struct writer *w, const struct record *r)
{
	size_t count;
	const struct set_part *parts = set_find_parts(w->set, r, &count);

	for (size_t i = 0; i < count; i++) {
		const struct set_part *p = &parts[i];
		const struct val *basis = val_get(p->body, "basis");

		if (p->record != r)
			continue;
		RUN(w, INGEST_STRUCTURE, "sssii", p->ref, r->id, p->part,
		    val_get(basis, "evidenced") != NULL, p->body->at.line);
		write_basis(w, r, p->ref + strlen(r->id) + 1, basis);
	}
	write_basis(w, r, "cycle", val_path(r->body, "structure.cycle.basis"));
}

static void
write_objection(struct writer *w, const struct record *r, const struct val *o, size_t rank)
{
	static const char *const whats[] = { "bottleneck", "lever" };
	const char *id = val_get_text(o, "id");
	const char *part = arena_printf(&w->arena, "objections.%s", id);

	RUN(w, INGEST_OBJECTION, "ssiiiii", r->id, id, (int)rank, yesno(val_path(o, "when.always"), false),
	    val_get(o, "answer") != NULL, o->at.line, o->at.column);
	for (int k = 0; k < 2; k++) {
		const struct val *values = val_get(val_get(o, "when"), whats[k]);

		for (size_t i = 0; i < val_count(values); i++)
			RUN(w, INGEST_OBJECTION_WHEN, "ssss", r->id, id, whats[k],
			    named(w, FIELD_RECORD, values->list.items[i]));
	}
	write_evidence(w, r, part, val_get(o, "evidence"));
	write_because(w, r, part, val_get(o, "because"));
}

static void
write_position(struct writer *w, const struct record *r, const struct val *p)
{
	const struct val *when = val_get(p, "when");
	const struct val *lists[2] = { val_get(p, "levers"), val_get(p, "misreads") };
	const char *id = val_get_text(p, "id"), *ratio = val_text(val_path(when, "ratio.kv_to_weights"));
	const struct val_entry *bottleneck = NULL;
	struct comparison c = { 0 };

	for (size_t i = 0; i < when->map.count && bottleneck == NULL; i++)
		if (strcmp(when->map.entries[i].key, "ratio") != 0)
			bottleneck = &when->map.entries[i];
	if (ratio != NULL)
		comparison_parse(&c, ratio);
	RUN(w, INGEST_POSITION, "sssssdiii", r->id, id, bottleneck->key, bottleneck->value->str.text,
	    ratio != NULL ? c.op : NULL, c.number,
	    yesno(val_get(p, "occurs"), true), p->at.line, p->at.column);
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < val_count(lists[k]); i++)
			RUN(w, INGEST_POSITION_LEVER, "sssii", r->id, id, named(w, FIELD_RECORD, lists[k]->list.items[i]),
			    (int)i, k);
}

static void
write_archetype(struct writer *w, const struct record *r)
{
	const struct val *pains = val_get(r->body, "pains"), *objections = val_get(r->body, "objections");
	const struct val *losses = val_get(r->body, "loss_reasons");
	const struct val *positions = val_get(r->body, "positions");

	RUN(w, INGEST_ARCHETYPE, "si", r->id, yesno(val_get(r->body, "quantitative"), false));
	write_structure(w, r);
	for (size_t i = 0; i < val_count(pains); i++)
		RUN(w, INGEST_PAIN, "sis", r->id, (int)i, named(w, FIELD_RECORD, pains->list.items[i]));
	for (size_t i = 0; i < val_count(objections); i++)
		write_objection(w, r, objections->list.items[i], i);
	for (size_t i = 0; i < val_count(losses); i++) {
		const struct val *loss = losses->list.items[i];
		const char *id = val_get_text(loss, "id"), *part = arena_printf(&w->arena, "loss_reasons.%s", id);

		RUN(w, INGEST_LOSS_REASON, "ssii", r->id, id, loss->at.line, loss->at.column);
		write_basis(w, r, part, val_get(loss, "basis"));
		write_because(w, r, part, val_get(loss, "because"));
	}
	for (size_t i = 0; i < val_count(positions); i++)
		write_position(w, r, positions->list.items[i]);
}

static void
write_lever(struct writer *w, const struct record *r)
{
	const struct val *acts_on = val_get(r->body, "acts_on");

	RUN(w, INGEST_LEVER, "si", r->id, yesno(val_get(r->body, "sold_by_us"), false));
	for (size_t i = 0; i < val_count(acts_on); i++) {
		const char *bottleneck = acts_on->list.items[i]->str.text;
		size_t n = strcspn(bottleneck, ".");

		RUN(w, INGEST_LEVER_ACTS_ON, "sss", r->id, arena_strndup(&w->arena, bottleneck, n),
		    bottleneck + n + 1);
	}
	write_evidence(w, r, "evidence", val_get(r->body, "evidence"));
}

static void
write_claim(struct writer *w, const struct record *r)
{
	const struct val *about = val_get(r->body, "archetypes"), *rests = val_get(r->body, "rests_on");

	for (size_t i = 0; i < val_count(rests); i++)
		RUN(w, INGEST_RESTS_ON, "ss", r->id, named(w, FIELD_RECORD, rests->list.items[i]));
	for (size_t i = 0; i < val_count(about); i++)
		RUN(w, INGEST_CLAIM_ARCHETYPE, "ss", r->id, named(w, FIELD_RECORD, about->list.items[i]));
	write_evidence(w, r, "evidence", val_get(r->body, "evidence"));
	write_because(w, r, "because", val_get(r->body, "because"));
}

/* The findings that a profile of a machine or a model rests on, wherever they stand in it. */
static void
visit_profile(struct walk *walk, const struct field *f, const struct val *value, const char *path)
{
	struct profile *p = walk->context;

	if (f->type == FIELD_FINDING)
		RUN(p->w, INGEST_EVIDENCE, "sssssiii", p->record->id, path, named(p->w, FIELD_FINDING, value), "supports",
		    NULL, 0, value->at.line, value->at.column);
}

static void
write_profile(struct writer *w, const struct record *r)
{
	struct profile p = { w, r };
	struct walk walk = { .visit = visit_profile, .context = &p };

	walk_record(&walk, r->kind->fields, r->body);
}

void
write_links(struct writer *w, const struct record *r)
{
	const struct val *figures = val_get(r->body, "figures");

	switch (r->kind->id) {
	case KIND_ARCHETYPE:
		write_archetype(w, r);
		break;
	case KIND_LEVER:
		write_lever(w, r);
		break;
	case KIND_CLAIM:
	case KIND_QUARANTINE:
		write_claim(w, r);
		break;
	case KIND_MODEL:
	case KIND_ACCELERATOR:
	case KIND_TIER:
		write_profile(w, r);
		break;
	default:
		break;
	}
	for (size_t i = 0; !w->quarantine && i < val_count(figures); i++) { /* their findings are not there */
		const struct val_entry *f = &figures->map.entries[i];

		RUN(w, INGEST_FIGURE, "ssssii", r->id, f->key, val_get_text(f->value, "value"),
		    named(w, FIELD_FINDING, val_get(f->value, "finding")), f->value->at.line, f->value->at.column);
	}
}
