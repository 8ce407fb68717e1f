#include "propose/draft.h"

#include <string.h>

#include "kb/kb.h"
#include "kb/text.h"
#include "util/buf.h"

static bool
listed(const struct val *list, const char *id)
{
	for (size_t i = 0; i < val_count(list); i++)
		if (strcmp(val_get_text(list->list.items[i], "id"), id) == 0)
			return true;
	return false;
}

/* A document by a finding of it, once. */
static void
add_document(struct draft *d, struct val *list, const char *ref)
{
	const char *dot = ref != NULL ? strrchr(ref, '.') : NULL, *id;
	struct val *body, *item;

	if (dot == NULL || d->rc != OK)
		return;
	id = arena_strndup(d->a, ref, (size_t)(dot - ref));
	if (listed(list, id))
		return;
	d->rc = kb_record(&body, d->kb, d->a, id, NULL, d->e);
	if (d->rc != OK)
		return;
	item = val_push(d->a, list, val_map(d->a));
	val_put(d->a, item, "id", val_str(d->a, id));
	val_put(d->a, item, "title", val_str(d->a, val_get_text(body, "title")));
	val_put(d->a, item, "grade", val_str(d->a, val_get_text(body, "grade")));
	val_put(d->a, item, "url", val_str(d->a, val_get_text(body, "url")));
}

static void
add_documents(struct draft *d, struct val *list, const struct val *sources)
{
	for (size_t i = 0; i < val_count(sources); i++)
		add_document(d, list, val_text(sources->map.entries[i].value));
}

/* A tier that a calculation counts with, once; a lever may have none. */
static void
add_tier(struct draft *d, struct val *names, struct val *documents, const struct val *tier)
{
	const char *name = text_in(val_get(tier, "name"), d->lang);

	for (size_t i = 0; name != NULL && i < val_count(names); i++)
		if (strcmp(val_text(names->list.items[i]), name) == 0)
			return;
	if (name != NULL)
		val_push(d->a, names, val_str(d->a, name));
	add_documents(d, documents, val_get(tier, "sources"));
}

/* By their names, where uses/ looks for them. Names have commas. */
static struct val *
tier_names(struct draft *d, const struct val *names)
{
	struct buf line = BUF_INIT;
	struct val *out;

	for (size_t i = 0; i < val_count(names); i++)
		buf_printf(&line, "%s%s", i > 0 ? "; " : "", val_text(names->list.items[i]));
	out = line.len > 0 ? draft_words(d, line.s) : val_null(d->a);
	buf_release(&line);
	return out;
}

/* What a calculation rests on: the documents of its model, its accelerator and the tiers it counts with. */
static void
put_calculation(struct draft *d, struct val *out, const char *workload)
{
	struct val *documents = val_put(d->a, out, "documents", val_list(d->a));
	struct val *tiers = val_list(d->a);

	for (size_t i = 0; i < d->c->workload_count; i++) {
		const struct workload *w = &d->c->workloads[i];
		const struct val *groups = val_get(w->model, "groups"), *sources = val_get(w->device, "sources");

		if (strcmp(w->id, workload) != 0)
			continue;
		val_put(d->a, out, "model", val_str(d->a, workload_model_name(w)));
		val_put(d->a, out, "device", val_str(d->a, workload_device_name(w)));
		for (size_t k = 0; k < val_count(groups); k++)
			add_document(d, documents, val_get_text(groups->list.items[k], "source"));
		add_document(d, documents, val_get_text(val_get(w->model, "published"), "source"));
		add_document(d, documents, val_get_text(val_get(w->model, "checkpoint"), "source"));
		add_document(d, documents, val_get_text(val_get(w->model, "ffn"), "source"));
		add_documents(d, documents, sources);
		for (size_t k = 0; d->limit == 0 && k < w->tier_count; k++)
			add_tier(d, tiers, documents, w->tiers[k].body);
		for (size_t k = 0; k < d->advice[i].lever_count; k++)
			add_tier(d, tiers, documents, d->advice[i].levers[k].effect->tier);
	}
	val_put(d->a, out, "tiers", tier_names(d, tiers));
}

/* Findings that stand at one place, and say nothing more about it, take one line. */
static bool
is_repeated(const struct val *list, const char *locator, const struct val *conditions)
{
	for (size_t i = 0; conditions == NULL && i < val_count(list); i++)
		if (strcmp(val_get_text(list->list.items[i], "locator"), locator) == 0)
			return true;
	return false;
}

static void
put_record(struct draft *d, struct val *out, const char *id)
{
	static const char *const keys[] = { "title", "publisher", "performed_by", "published", "grade",
		"extent_read", "url", NULL };
	struct val *body, *findings, *list = val_put(d->a, out, "findings", val_list(d->a));

	if (d->rc == OK)
		d->rc = kb_record(&body, d->kb, d->a, id, NULL, d->e);
	if (d->rc != OK)
		return;
	for (int i = 0; keys[i] != NULL; i++)
		val_put(d->a, out, keys[i], val_str(d->a, val_get_text(body, keys[i])));
	val_put(d->a, out, "notes", draft_text(d, val_get(body, "notes"), body, NULL));
	findings = val_get(body, "findings");
	for (size_t i = 0; i < val_count(findings); i++) {
		const struct val *f = findings->list.items[i];
		const char *ref = arena_printf(d->a, "%s.%s", id, val_get_text(f, "id"));
		bool used = false;
		struct val *item;

		for (size_t k = 0; k < d->citer.count; k++)
			used |= d->citer.citations[k].used && strcmp(d->citer.citations[k].label, ref) == 0;
		if (!used || is_repeated(list, val_get_text(f, "locator"), val_get(f, "conditions")))
			continue;
		item = val_push(d->a, list, val_map(d->a));
		val_put(d->a, item, "locator", val_str(d->a, val_get_text(f, "locator")));
		val_put(d->a, item, "conditions", draft_text(d, val_get(f, "conditions"), body, f));
	}
}

struct val *
draft_sources(struct draft *d)
{
	struct val *root = val_map(d->a), *list = val_put(d->a, root, "sources", val_list(d->a));

	for (size_t i = 0; i < d->citer.source_count; i++) {
		const struct cited_source *s = &d->citer.sources[i];
		struct val *out = val_push(d->a, list, val_map(d->a)), *part;

		val_put(d->a, out, "number", val_strf(d->a, "S%d", s->number));
		switch (s->kind) {
		case SOURCE_RECORD:
			put_record(d, val_put(d->a, out, "record", val_map(d->a)), s->source);
			break;
		case SOURCE_CALCULATION:
			part = val_put(d->a, out, "calculation", val_map(d->a));
			val_put(d->a, part, "id", val_str(d->a, s->source));
			put_calculation(d, part, s->source);
			break;
		case SOURCE_CUSTOMER:
			part = val_put(d->a, out, "customer_file", val_map(d->a));
			val_put(d->a, part, "date", val_str(d->a, val_get_text(d->c->body, "date")));
			break;
		default:
			part = val_put(d->a, out, "assumptions", val_map(d->a));
			val_put(d->a, part, "archetype",
			    draft_text(d, val_get(d->c->archetype_body, "name"), d->c->archetype_body, NULL));
			break;
		}
	}
	return root;
}
