#include "uses/uses.h"

#include <stdbool.h>
#include <string.h>

#include "db/db.h"
#include "kb/kb.h"
#include "kb/text.h"
#include "markdown/markdown.h"
#include "sql.h"
#include "util/utf8.h"
#include "wording/pasted.h"
#include "wording/wording.h"

struct reader {
	struct uses *out;
	struct kb *kb;
	struct arena *a;
	const struct markdown *draft;
	const char *language;
	struct err *e;
};

static bool
is_there(const struct val *uses, const char *id)
{
	for (size_t i = 0; i < val_count(uses); i++)
		if (strcmp(val_get_text(uses->list.items[i], "id"), id) == 0)
			return true;
	return false;
}

static void
add(struct reader *u, const char *kind, const char *id, const char *fingerprint)
{
	struct val *use;

	if (is_there(u->out->items, id))
		return;
	use = val_push(u->a, u->out->items, val_map(u->a));
	val_put(u->a, use, "kind", val_str(u->a, kind));
	val_put(u->a, use, "id", val_str(u->a, id));
	val_put(u->a, use, "fingerprint", val_str(u->a, fingerprint));
}

/* A finding by any of its names: 1 and added, or 0. */
static int
add_finding(struct reader *u, const char *name)
{
	struct db *db = kb_db(u->kb);
	struct kb_finding finding;
	int rc = kb_finding(&finding, u->kb, u->a, name, u->e);

	if (rc != 1)
		return rc;
	rc = db_bind(db, USES_FINDING, u->e, "s", finding.ref);
	if (rc == OK)
		rc = db_step(db, USES_FINDING, u->e);
	if (rc == 1)
		add(u, "finding", finding.ref, arena_strdup(u->a, db_text(db, USES_FINDING, 1)));
	return rc;
}

/* A record by any of its names, if it is of one of the kinds (NULL-terminated). */
static int
add_record(struct reader *u, const char *name, const char *const *kinds)
{
	struct db *db = kb_db(u->kb);
	const char *id;
	int rc = kb_resolve(&id, u->kb, u->a, name, NULL, u->e);

	if (rc != OK || id == NULL)
		return rc;
	rc = db_bind(db, USES_RECORD, u->e, "s", id);
	if (rc == OK)
		rc = db_step(db, USES_RECORD, u->e);
	if (rc != 1)
		return rc;
	for (; *kinds != NULL; kinds++)
		if (strcmp(*kinds, db_text(db, USES_RECORD, 1)) == 0)
			add(u, *kinds, id, arena_strdup(u->a, db_text(db, USES_RECORD, 2)));
	return OK;
}

/* ---- labels ---- */

/* "chat.kv-fp8.bytes.after": its second part may be the tier or lever that was calculated. */
static int
add_calculated(struct reader *u, const char *label)
{
	static const char *const kinds[] = { "tier", "lever", NULL };
	const char *part = strchr(label, '.');

	if (part == NULL)
		return OK;
	part++;
	return add_record(u, arena_strndup(u->a, part, strcspn(part, ".")), kinds);
}

static int
of_labels(struct reader *u)
{
	for (size_t i = 0; i < u->draft->reference_count; i++) {
		const struct markdown_reference *r = &u->draft->references[i];
		struct val *figure;
		int rc = r->duplicate ? 1 : add_finding(u, r->label);

		if (rc < 0)
			return rc;
		if (rc == 1)
			continue;
		figure = val_push(u->a, u->out->figures, val_map(u->a));
		val_put(u->a, figure, "label", val_str(u->a, r->label));
		val_put(u->a, figure, "value", val_str(u->a, r->title));
		val_put(u->a, figure, "section", val_str(u->a, r->destination));
		rc = add_calculated(u, r->label);
		if (rc < 0)
			return rc;
	}
	return OK;
}

/* ---- profiles ---- */

/* Is it the heading, such as S4, of a section that a figure which is no finding leads to ("#s4")? */
static bool
is_calculation(const struct reader *u, const struct markdown_block *b)
{
	if (b->kind != MARKDOWN_HEADING || b->text.s[0] != 'S')
		return false;
	for (size_t i = 0; i < val_count(u->out->figures); i++) {
		const char *leads_to = val_get_text(u->out->figures->list.items[i], "section");

		if (leads_to[0] == '#' && leads_to[1] == 's' && strcmp(leads_to + 2, b->text.s + 1) == 0)
			return true;
	}
	return false;
}

static bool
is_word_at(const char *text, size_t len, size_t at)
{
	uint32_t c;

	return at < len && utf8_decode(text + at, len - at, &c) > 0 && utf8_is_word(c) && c < 0x80;
}

/* Take the name out of the text, wherever it stands as a whole: 1 where it did. */
static bool
take_name(char *text, size_t len, const char *name)
{
	size_t n = strlen(name);
	bool found = false;
	char *at = text;

	while (n > 0 && (at = strstr(at, name)) != NULL) {
		size_t start = (size_t)(at - text);

		if (!(start > 0 && is_word_at(text, len, start - 1)) && !is_word_at(text, len, start + n)) {
			memset(at, '\n', n);
			found = true;
		}
		at += n;
	}
	return found;
}

/* What the first paragraph of a calculation's section names. */
static int
add_named(struct reader *u, const struct markdown_text *text, const struct val *profiles)
{
	static const char *const kinds[] = { "model", "accelerator", "tier", NULL };
	char *rest = arena_strndup(u->a, text->s, text->len);

	for (size_t i = 0; i < val_count(profiles); i++) {
		const struct val *row = profiles->list.items[i];
		int rc = OK;

		if (take_name(rest, text->len, val_get_text(row, "name")))
			rc = add_record(u, val_get_text(row, "id"), kinds);
		if (rc < 0)
			return rc;
	}
	return OK;
}

static int
of_profiles(struct reader *u)
{
	struct val *profiles;
	int rc = db_rows(&profiles, u->a, kb_db(u->kb), USES_PROFILES, u->e, "s", u->language);

	for (size_t i = 0; rc == OK && i + 1 < u->draft->count; i++)
		if (is_calculation(u, &u->draft->blocks[i]) && u->draft->blocks[i + 1].kind == MARKDOWN_PARAGRAPH)
			rc = add_named(u, &u->draft->blocks[i + 1].text, profiles);
	return rc;
}

/* ---- claims ---- */

static int
show_value(struct buf *out, const struct text_figure *figure, void *context, struct err *e)
{
	(void)context;
	(void)e;
	buf_puts(out, figure->value);
	return OK;
}

/* Claims by their words, in whatever order, and by sentences that stand as they were written. */
struct claims {
	struct wording *words;
	struct pasted *sentences;
};

static int
add_statement(struct claims *claims, struct reader *u, const char *id)
{
	const struct val *statement;
	struct buf text = BUF_INIT;
	const char *written;
	struct val *body;
	int rc = kb_record(&body, u->kb, u->a, id, "claim", u->e);

	if (rc != OK)
		return rc;
	statement = val_get(body, "statement");
	written = text_in(statement, u->language);
	if (written != NULL)
		pasted_add(claims->sentences, id, written, strlen(written));
	rc = text_expand(&text, u->a, statement, u->language, body, NULL, NULL, show_value, NULL, u->e);
	if (rc == OK)
		wording_add(claims->words, id, text.s, text.len);
	buf_release(&text);
	return rc;
}

static int
read_claims(struct claims *out, struct reader *u)
{
	struct val *rows;
	int rc = db_rows(&rows, u->a, kb_db(u->kb), USES_CLAIMS, u->e, "");

	out->words = wording_open(u->a);
	out->sentences = pasted_open(u->a);
	for (size_t i = 0; rc == OK && i < val_count(rows); i++)
		rc = add_statement(out, u, val_get_text(rows->list.items[i], "id"));
	return rc;
}

static int
add_claims_in(struct reader *u, const struct claims *claims, const struct markdown_text *text)
{
	static const char *const kinds[] = { "claim", NULL };
	struct wording_match near;
	struct pasted_match pasted;
	int rc = OK;

	if (text->len == 0)
		return OK;
	wording_nearest(claims->words, text->s, text->len, &near);
	pasted_find(claims->sentences, text->s, text->len, &pasted);
	if (near.id != NULL && near.score >= WORDING_NEAR)
		rc = add_record(u, near.id, kinds);
	if (rc >= 0 && pasted.id != NULL)
		rc = add_record(u, pasted.id, kinds);
	return rc;
}

static int
of_claims(struct reader *u)
{
	struct claims claims;
	int rc = read_claims(&claims, u);

	for (size_t i = 0; rc >= 0 && i < u->draft->count; i++) {
		const struct markdown_block *b = &u->draft->blocks[i];

		rc = add_claims_in(u, &claims, &b->text);
		for (size_t k = 0; b->table != NULL && rc >= 0 && k < b->table->count; k++)
			for (size_t n = 0; rc >= 0 && n < b->table->rows[k].count; n++)
				rc = add_claims_in(u, &claims, &b->table->rows[k].cells[n].text);
	}
	return rc < 0 ? rc : OK;
}

int
uses_read(struct uses *out, struct kb *kb, struct arena *a, const struct markdown *draft, const char *language,
    struct err *e)
{
	struct reader u = { out, kb, a, draft, language, e };
	int rc;

	*out = (struct uses){ .figures = val_list(a), .items = val_list(a) };
	rc = of_labels(&u);
	if (rc == OK)
		rc = of_profiles(&u);
	if (rc == OK)
		rc = of_claims(&u);
	for (size_t i = 0; rc == OK && i < val_count(out->items); i++)
		rc = kb_take_due(&out->due, kb, a, val_get_text(out->items->list.items[i], "id"), e);
	return rc;
}
