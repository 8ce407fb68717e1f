#include "propose/draft.h"

#include <string.h>

#include "db/db.h"
#include "kb/kb.h"
#include "kb/messages.h"
#include "kb/text.h"
#include "render/escape.h"
#include "sql.h"
#include "util/buf.h"

struct val *
draft_text(struct draft *d, const struct val *text, const struct val *body, const struct val *part)
{
	const char *s = text != NULL ? text_in(text, d->lang) : NULL, *cited = NULL;

	if (s == NULL || (!d->c->quantitative && strstr(s, "${") != NULL) || d->rc != OK)
		return val_null(d->a);
	d->rc = cite_text(&cited, &d->citer, text, body, part, d->e);
	return val_str(d->a, cited);
}

struct val *
draft_words(struct draft *d, const char *text)
{
	struct buf b = BUF_INIT;
	struct val *v;

	render_escape_markdown(&b, text, strlen(text));
	v = val_str(d->a, b.s);
	buf_release(&b);
	return v;
}

struct val *
draft_figure(struct draft *d, const struct quantity *q, const char *label, enum source_kind kind,
    const char *source)
{
	if (!d->c->quantitative && q->kind != QUANTITY_STATED &&
	    !(q->kind == QUANTITY_CALCULATED && d->internal))
		return val_null(d->a);
	return val_str(d->a, cite_quantity(&d->citer, q, label, kind, source));
}

/* The texts under `keys` of each item of a list. */
static struct val *
texts_of(struct draft *d, const struct val *list, const char *const *keys)
{
	const struct val *body = d->c->archetype_body;
	struct val *out = val_list(d->a);

	for (size_t i = 0; i < val_count(list); i++) {
		struct val *item = val_push(d->a, out, val_map(d->a));

		for (int k = 0; keys[k] != NULL; k++)
			val_put(d->a, item, keys[k],
			    draft_text(d, val_get(list->list.items[i], keys[k]), body, NULL));
	}
	return out;
}

static void
put_needs(struct draft *d, struct val *root)
{
	static const char *const metric[] = { "name", "measures", NULL };
	static const char *const firm[] = { "what", NULL };
	static const char *const gate[] = { "name", "decides", NULL };
	const struct val *structure = val_get(d->c->archetype_body, "structure");

	val_put(d->a, root, "metrics", texts_of(d, val_get(structure, "metrics"), metric));
	val_put(d->a, root, "non_negotiables", texts_of(d, val_get(structure, "non_negotiables"), firm));
	val_put(d->a, root, "gates", texts_of(d, val_path(structure, "cycle.gates"), gate));
}

static struct val *
evidence_of(struct draft *d, const struct val *links, bool contrary)
{
	struct val *out = val_list(d->a);

	for (size_t i = 0; i < val_count(links) && d->rc == OK; i++) {
		const char *ref = val_get_text(links->list.items[i], "finding");
		const char *relation = val_get_text(links->list.items[i], "relation");
		const struct val *findings, *part = NULL;
		struct kb_finding finding;
		struct val *item, *source;

		int found;

		if (contrary == (strcmp(relation, "supports") == 0))
			continue;
		found = kb_finding(&finding, d->kb, d->a, ref, d->e);
		if (found < 0)
			d->rc = found;
		if (found != 1)
			continue;
		d->rc = kb_record(&source, d->kb, d->a, finding.source, NULL, d->e);
		if (d->rc != OK)
			break;
		findings = val_get(source, "findings");
		for (size_t k = 0; k < val_count(findings); k++)
			if (strcmp(val_get_text(findings->list.items[k], "id"), strrchr(finding.ref, '.') + 1) == 0)
				part = findings->list.items[k];
		item = val_push(d->a, out, val_map(d->a));
		val_put(d->a, item, "mark", val_str(d->a, cite_mark(&d->citer, finding.ref)));
		val_put(d->a, item, "grade", val_strf(d->a, "%c", finding.grade));
		val_put(d->a, item, "relation", val_str(d->a, messages_get(d->messages, "relation", relation)));
		val_put(d->a, item, "says", draft_text(d, val_get(part, "says"), source, part));
	}
	return out;
}

/* Claims that make this buyer's pains, as many as there is room for, with what speaks against them. */
static void
put_claims(struct draft *d, struct val *root)
{
	const struct val *pains = val_get(d->c->archetype_body, "pains");
	struct val *out = val_put(d->a, root, "claims", val_list(d->a));

	for (size_t i = 0; i < val_count(pains) && d->rc == OK; i++) {
		struct val *claim, *item;

		if (d->limit > 0 && i >= d->limit)
			break;
		d->rc = kb_record(&claim, d->kb, d->a, pains->list.items[i]->str.text, "claim", d->e);
		if (d->rc != OK)
			return;
		item = val_push(d->a, out, val_map(d->a));
		val_put(d->a, item, "statement", draft_text(d, val_get(claim, "statement"), claim, NULL));
		val_put(d->a, item, "conditions", draft_text(d, val_get(claim, "conditions"), claim, NULL));
		val_put(d->a, item, "evidence", evidence_of(d, val_get(claim, "evidence"), false));
		val_put(d->a, item, "contrary", evidence_of(d, val_get(claim, "evidence"), true));
	}
}

/* ---- for the internal audience only ---- */

static void
put_basis(struct draft *d, struct val *out, const struct val *item)
{
	const struct val *basis = val_get(item, "basis");
	const struct val *found = val_get(basis, "evidenced");
	struct val *marks = val_list(d->a);

	for (size_t i = 0; i < val_count(found); i++) {
		struct val *mark = val_push(d->a, marks, val_map(d->a));

		val_put(d->a, mark, "mark", val_str(d->a, cite_mark(&d->citer, found->list.items[i]->str.text)));
	}
	val_put(d->a, out, "evidenced", marks);
	val_put(d->a, out, "inferred",
	    draft_text(d, val_get(basis, "inferred"), d->c->archetype_body, NULL));
}

static void
put_approvers(struct draft *d, struct val *root)
{
	static const char *const keys[] = { "role", "signs", "veto", NULL };
	const struct val *list = val_path(d->c->archetype_body, "structure.approvers");
	const struct val *cycle = val_path(d->c->archetype_body, "structure.cycle");
	struct val *approvers = val_put(d->a, root, "approvers", texts_of(d, list, keys));

	for (size_t i = 0; i < val_count(list); i++)
		put_basis(d, approvers->list.items[i], list->list.items[i]);
	val_put(d->a, root, "cycle_length",
	    draft_text(d, val_get(cycle, "length"), d->c->archetype_body, NULL));
}

/* Objections that come up for any of the workloads, each once. What supports one speaks for the buyer. */
static void
put_objections(struct draft *d, struct val *root)
{
	struct val *out = val_put(d->a, root, "objections", val_list(d->a));
	const struct val *body = d->c->archetype_body, *all = val_get(body, "objections");

	for (size_t i = 0; i < val_count(all); i++) {
		const struct val *o = all->list.items[i];
		bool comes = val_is(val_path(o, "when.always"), VAL_STR) &&
		    strcmp(val_text(val_path(o, "when.always")), "yes") == 0;
		struct val *item;

		for (size_t w = 0; w < d->c->workload_count; w++)
			for (size_t k = 0; k < d->advice[w].objection_count; k++)
				comes |= d->advice[w].objections[k] == o;
		if (!comes || (d->limit > 0 && val_count(out) >= d->limit))
			continue;
		item = val_push(d->a, out, val_map(d->a));
		val_put(d->a, item, "says", draft_text(d, val_get(o, "says"), body, NULL));
		val_put(d->a, item, "answer", draft_text(d, val_get(o, "answer"), body, NULL));
		val_put(d->a, item, "right_when", draft_text(d, val_get(o, "right_when"), body, NULL));
		val_put(d->a, item, "for_them", evidence_of(d, val_get(o, "evidence"), false));
		val_put(d->a, item, "for_us", evidence_of(d, val_get(o, "evidence"), true));
	}
}

static void
put_losses(struct draft *d, struct val *root)
{
	const struct val *body = d->c->archetype_body, *all = val_get(body, "loss_reasons");
	struct val *out = val_put(d->a, root, "losses", val_list(d->a));

	for (size_t i = 0; i < val_count(all) && (d->limit == 0 || i < d->limit); i++) {
		const struct val *loss = all->list.items[i];
		struct val *item = val_push(d->a, out, val_map(d->a));

		val_put(d->a, item, "reason", draft_text(d, val_get(loss, "reason"), body, NULL));
		val_put(d->a, item, "instead", draft_text(d, val_get(loss, "instead"), body, NULL));
		put_basis(d, item, loss);
	}
}

/* What may not be said of this buyer: the opaque id, and what may be said in its place. */
static void
put_withheld(struct draft *d, struct val *root)
{
	struct val *rows, *out = val_put(d->a, root, "withheld", val_list(d->a));

	if (d->rc == OK)
		d->rc = db_rows(&rows, d->a, kb_db(d->kb), PROPOSE_WITHHELD, d->e, "s", d->c->archetype);
	for (size_t i = 0; d->rc == OK && i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i];
		struct val *claim, *item;

		if (val_get_text(row, "say_instead") == NULL) {
			item = val_push(d->a, out, val_map(d->a));
			val_put(d->a, item, "id", val_str(d->a, val_get_text(row, "id")));
			continue;
		}
		d->rc = kb_record(&claim, d->kb, d->a, val_get_text(row, "say_instead"), "claim", d->e);
		if (d->rc != OK)
			return;
		item = val_push(d->a, out, val_map(d->a));
		val_put(d->a, item, "id", val_str(d->a, val_get_text(row, "id")));
		val_put(d->a, item, "instead_id", val_str(d->a, val_get_text(row, "say_instead")));
		val_put(d->a, item, "instead", draft_text(d, val_get(claim, "statement"), claim, NULL));
	}
}

void
draft_archetype(struct draft *d, struct val *root)
{
	const struct val *body = d->c->archetype_body;
	struct val *archetype = val_put(d->a, root, "archetype", val_map(d->a));

	val_put(d->a, archetype, "name", draft_text(d, val_get(body, "name"), body, NULL));
	val_put(d->a, archetype, "summary", draft_text(d, val_get(body, "summary"), body, NULL));
	val_put(d->a, root, "quantitative", val_bool(d->a, d->c->quantitative));
	put_needs(d, root);
	put_claims(d, root);
	if (!d->internal)
		return;
	put_approvers(d, root);
	put_objections(d, root);
	put_losses(d, root);
	put_withheld(d, root);
}
