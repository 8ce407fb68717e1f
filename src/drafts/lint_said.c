/* What a draft says: wording that is withheld, and what is not for the customer. */
#include <string.h>
#include <strings.h>

#include "db/db.h"
#include "drafts/lint_int.h"
#include "kb/kb.h"
#include "kb/text.h"
#include "sql.h"

enum {
	CHUNK = 4000,  /* bytes that are looked through at once */
	OVERLAP = 600, /* of two such chunks: what is looked for is shorter */
};

/* Headings of what only internal documents have. */
static const char *const internal_headings[] = {
	"Who signs", "First questions", "Objections and answers", "Objections", "Why suppliers lose this buyer",
	"Why we lose them", "What cannot be said", "Not to be said", "결재자", "먼저 확인할 질문", "반론과 답변", "반론",
	"공급사가 이 구매자를 놓치는 이유", "놓치는 이유", "말할 수 없는 것",
};

/* The id of what may be said instead of a withheld claim, or NULL. */
static const char *
instead_of(const struct draft_lint *d, const char *id)
{
	for (size_t i = 0; i < val_count(d->l->withheld); i++)
		if (strcasecmp(val_get_text(d->l->withheld->list.items[i], "id"), id) == 0)
			return val_get_text(d->l->withheld->list.items[i], "instead");
	return NULL;
}

/* Its statement, for the hint. */
static const char *
say_instead(struct draft_lint *d, const char *instead)
{
	const char *text;
	struct val *body;

	if (kb_record(&body, d->l->kb, d->a, instead, NULL, d->e) != OK ||
	    text_plain(&text, d->a, d->l->kb, val_get(body, "statement"), d->lang, body, NULL, d->e) != OK)
		return NULL;
	return arena_printf(d->a, "%s: %s", instead, text);
}

static void
report_wording(struct draft_lint *d, struct place at, const char *id)
{
	const char *instead = instead_of(d, id);
	struct finding *found = lint_add(d, LINT_QUARANTINED, at, id,
	    "this is near the withheld claim %s, which may not be said%s%s", id,
	    instead != NULL ? "; say instead, with its sources, what is in " : "", instead != NULL ? instead : "");

	if (found != NULL && instead != NULL)
		found->hint = say_instead(d, instead);
}

static size_t
chunk_end(const char *s, size_t len, size_t from)
{
	size_t end = len - from > CHUNK ? from + CHUNK : len;

	while (end < len && ((unsigned char)s[end] & 0xC0) == 0x80)
		end++;
	return end;
}

static size_t
next_chunk(const char *s, size_t len, size_t end)
{
	size_t from = end;

	if (end == len)
		return len;
	from -= OVERLAP;
	while (((unsigned char)s[from] & 0xC0) == 0x80)
		from++;
	return from;
}

/* All stretches, one after the other. Behind one that was found the search goes on. */
static void
find_wording(struct draft_lint *d, const struct passage *p)
{
	const char *s = p->s.s;
	size_t len = p->s.len;

	for (size_t from = 0; d->l->quarantine != NULL && !lint_is_over(d) && from < len;) {
		size_t end = chunk_end(s, len, from);
		struct wording_match match;

		wording_nearest(d->l->quarantine, s + from, end - from, &match);
		if (match.id == NULL || match.score < WORDING_NEAR) {
			from = next_chunk(s, len, end);
			continue;
		}
		report_wording(d, passage_place(p, from + match.offset), match.id);
		from += match.offset + (match.length > 0 ? match.length : 1);
	}
}

static bool
is_word_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static const char *
find_word(const char *s, const char *word, bool folded)
{
	size_t n = strlen(word);

	for (const char *p = s; *p != '\0'; p++)
		if ((*p | 0x20) == (*word | 0x20) &&
		    (folded ? strncasecmp(p, word, n) : strncmp(p, word, n)) == 0 && (p == s || !is_word_byte(p[-1])) &&
		    !is_word_byte(p[n]))
			return p;
	return NULL;
}

static void
find_marks(struct draft_lint *d, const struct passage *p)
{
	static const char *const marks[] = { "INTERNAL", "사내용", "대외비" };
	const char *found;

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if ((found = find_word(p->s.s, marks[i], false)) != NULL)
			lint_add(d, LINT_INTERNAL, passage_place(p, (size_t)(found - p->s.s)), NULL,
			    "what is marked %s stands in a customer's document", marks[i]);
	for (size_t i = 0; i < val_count(d->l->withheld); i++) {
		const char *id = val_get_text(d->l->withheld->list.items[i], "id");

		if ((found = find_word(p->s.s, id, true)) != NULL)
			lint_add(d, LINT_INTERNAL, passage_place(p, (size_t)(found - p->s.s)), id,
			    "%s is the id of a withheld claim, which is nothing for a customer's document", id);
	}
}

static void
find_internal(struct draft_lint *d, const struct passage *p)
{
	const char *s = p->s.s;
	size_t len = p->s.len;

	for (size_t from = 0; !lint_is_over(d) && from < len;) {
		size_t end = chunk_end(s, len, from);
		struct pasted_match match;

		pasted_find(d->l->internal, s + from, end - from, &match);
		if (match.id == NULL) {
			from = next_chunk(s, len, end);
			continue;
		}
		lint_add(d, LINT_INTERNAL, passage_place(p, from + match.offset), match.id,
		    "this is what %s says, which is for us alone", match.id);
		from += match.offset + (match.length > 0 ? match.length : 1);
	}
	find_marks(d, p);
}

void
lint_said(struct draft_lint *d, const struct passage *p)
{
	find_wording(d, p);
	if (!d->internal)
		find_internal(d, p);
}

void
lint_hidden(struct draft_lint *d, const char *text, size_t len, struct place at)
{
	struct markdown_piece piece = { 0, at, false };
	struct markdown_text whole = { .s = text, .len = len, .pieces = &piece, .piece_count = 1 };
	struct passage p = { .s = BUF_INIT };

	passage_add(&p, d->a, &whole);
	if (len > 0)
		lint_said(d, &p);
	buf_release(&p.s);
}

void
lint_heading(struct draft_lint *d, const struct markdown_block *b)
{
	for (size_t i = 0; !d->internal && i < sizeof internal_headings / sizeof *internal_headings; i++)
		if (strcasecmp(b->text.s, internal_headings[i]) == 0)
			lint_add(d, LINT_INTERNAL, b->at, NULL, "a part with this heading is for us alone");
}

/* An internal document says so in its title, in the first line of its text and in its file name. */
void
lint_marks(struct draft_lint *d, const char *file_name)
{
	const struct markdown_block *title = NULL, *first = d->m->count > 0 ? &d->m->blocks[0] : NULL;
	const char *slash = file_name == NULL ? NULL : strrchr(file_name, '/');

	if (!d->internal)
		return;
	for (size_t i = 0; i < d->m->count && title == NULL; i++)
		if (d->m->blocks[i].kind == MARKDOWN_HEADING)
			title = &d->m->blocks[i];
	if (first == NULL || strstr(first->text.s, "INTERNAL") == NULL)
		lint_add(d, LINT_UNMARKED, first == NULL ? (struct place){ d->name, 0, 0 } : first->at, NULL,
		    "expected INTERNAL in the first line of an internal document");
	if (title != NULL && title != first && strstr(title->text.s, "INTERNAL") == NULL)
		lint_add(d, LINT_UNMARKED, title->at, NULL, "expected INTERNAL in the title of an internal document");
	if (file_name != NULL && strstr(slash != NULL ? slash + 1 : file_name, "INTERNAL") == NULL)
		lint_add(d, LINT_UNMARKED, (struct place){ d->name, 0, 0 }, NULL,
		    "expected INTERNAL in the name of an internal document");
}

/* ---- what only internal documents say ---- */

static void
add_texts(struct pasted *p, const char *id, const struct val *v)
{
	if (val_is(v, VAL_MAP) && val_get_text(v, "en") != NULL) {
		for (size_t i = 0; i < v->map.count; i++)
			if (val_is(v->map.entries[i].value, VAL_STR))
				pasted_add(p, id, v->map.entries[i].value->str.text, v->map.entries[i].value->str.len);
	} else if (val_is(v, VAL_MAP)) {
		for (size_t i = 0; i < v->map.count; i++)
			add_texts(p, id, v->map.entries[i].value);
	} else if (val_is(v, VAL_LIST)) {
		for (size_t i = 0; i < v->list.count; i++)
			add_texts(p, id, v->list.items[i]);
	}
}

/* A sentence that stands in a text for customers as well gives nothing away. */
static int
except_public(struct linter *l, struct err *e)
{
	struct val *rows;
	int rc = db_rows(&rows, l->arena, kb_db(l->kb), DRAFTS_PUBLIC, e, "");

	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const char *text = val_get_text(rows->list.items[i], "text");

		pasted_except(l->internal, text, strlen(text));
	}
	return rc;
}

int
lint_internal_texts(struct linter *l, struct err *e)
{
	static const char *const parts[] = { "structure.approvers", "structure.cycle.length", "structure.cycle.basis",
		"objections", "loss_reasons" };

	l->internal = pasted_open(l->arena);
	for (size_t i = 0; i < val_count(l->archetypes); i++) {
		const char *id = val_get_text(l->archetypes->list.items[i], "id");
		struct val *body;
		int rc = kb_record(&body, l->kb, l->arena, id, NULL, e);

		if (rc != OK)
			return rc;
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			add_texts(l->internal, arena_printf(l->arena, "%s.%s", id, strrchr(parts[k], '.') != NULL ?
			    strchr(parts[k], '.') + 1 : parts[k]), val_path(body, parts[k]));
	}
	return except_public(l, e);
}
