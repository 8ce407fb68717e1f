#include "ingest/set_int.h"

#include <stdio.h>
#include <string.h>

#include "ingest/prose.h"
#include "ingest/walk.h"
#include "kb/text.h"
#include "wording/wording.h"

struct visit {
	struct set *set;
	const struct record *record;
	struct wording *quarantine;
};

/* What a placeholder of this text may name. */
struct scope {
	struct set *set;
	const struct val *body, *part;
};

static bool
known_figure(const char *name, void *context)
{
	const struct scope *scope = context;
	struct text_figure figure;

	return text_figure_find(&figure, &scope->set->arena, scope->body, scope->part, name);
}

/* The finding whose text stands at this path: "findings.ID.says". */
static const struct val *
finding_at(const struct val *body, const char *path)
{
	const struct val *findings = val_get(body, "findings");

	if (strncmp(path, "findings.", 9) != 0)
		return NULL;
	for (size_t i = 0; i < val_count(findings); i++) {
		const char *id = val_get_text(findings->list.items[i], "id");
		size_t n = strlen(id);

		if (strncmp(path + 9, id, n) == 0 && path[9 + n] == '.')
			return findings->list.items[i];
	}
	return NULL;
}

/* Is it the wording of a quarantined claim? Then that is all that is said of this text. */
static bool
is_withheld(struct visit *v, const struct val *text)
{
	struct wording_match match;

	wording_nearest(v->quarantine, text->str.text, text->str.len, &match);
	if (match.id == NULL || match.score < WORDING_NEAR)
		return false;
	if (strcmp(match.id, v->record->id) == 0) /* released here, in quarantine in the content below */
		return false;
	errs_add(&v->set->errs, text->at, "the wording is that of the quarantined claim %s: it may not be "
		    "said", match.id);
	return true;
}

/* A name has three letters at least, and is no amount: a figure is not let through as one. */
static bool
is_name(const char *s)
{
	struct quantity q;
	int letters = 0;

	if (quantity_parse(&q, s, strlen(s), DIM_ANY) == NULL)
		return false;
	for (; *s != '\0'; s++)
		letters += (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (unsigned char)*s >= 0xC0;
	return letters >= 3 || strlen(s) == 0;
}

/* Words in an address or in the name of a figure, with what joins them taken for blanks. */
static void
check_slug(struct visit *v, const struct val *at, const char *slug)
{
	char *words = arena_strdup(&v->set->arena, slug);
	struct val text = { .kind = VAL_STR, .at = at->at };

	for (char *c = words; *c != '\0'; c++)
		if (strchr("-_/.+=&?%", *c) != NULL)
			*c = ' ';
	text.str.text = words;
	text.str.len = strlen(words);
	is_withheld(v, &text);
}

static void
visit_text(struct walk *w, const struct field *f, const struct val *value, const char *path)
{
	struct visit *v = w->context;
	struct scope scope = { v->set, v->record->body, finding_at(v->record->body, path) };

	if (v->record->kind->id == KIND_QUARANTINE)
		return; /* it reaches no output; a release looks at its prose */
	if (f->type == FIELD_STRING)
		is_withheld(v, value);
	if (f->type == FIELD_STRING && strncmp(path, "names.", 6) == 0 && !is_name(value->str.text))
		errs_add(&v->set->errs, value->at, "expected a proper name with letters, found `%.60s`",
		    value->str.text);
	if (f->type == FIELD_URL || f->type == FIELD_FIGURES)
		check_slug(v, value, f->type == FIELD_URL ? value->str.text : path);
	if (f->type != FIELD_TEXT || (f->flags & FIELD_EXEMPT))
		return;
	for (size_t i = 0; i < value->map.count; i++) {
		const struct val *text = value->map.entries[i].value;

		if (!is_withheld(v, text))
			prose_check(&v->set->errs, text, val_get(v->record->body, "names"),
			    known_figure, &scope);
	}
}

static void
add_statement(struct wording *w, const struct val *body)
{
	const struct val *statement = val_get(body, "statement");

	for (size_t i = 0; i < val_count(statement); i++) {
		const struct val *text = statement->map.entries[i].value;

		wording_add(w, val_get_text(body, "id"), text->str.text, text->str.len);
	}
}

/*
 * Also what a layer wrote another text over: that sets no wording free. What lost its evidence only
 * now may stand in other words elsewhere, in its evidence first of all: that is audit's to tell.
 */
static void
add_quarantine(struct set *set, struct wording *w, bool fallen)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct record *r = &set->records[i];

		if (r->guarded || (fallen && (r->kind->id == KIND_QUARANTINE || is_quarantine_id(r->id))))
			add_statement(w, r->body);
	}
	for (size_t i = 0; i < val_count(set->replaced); i++)
		add_statement(w, set->replaced->list.items[i]);
}

/* No message of a fault quotes what may not be said, wherever it was written. */
void
set_blank_faults(struct set *set)
{
	struct wording *quarantine;

	if (set->errs.kept == 0)
		return;
	quarantine = wording_open(&set->arena);
	add_quarantine(set, quarantine, true);
	for (size_t i = 0; i < set->errs.kept; i++) {
		char *text = set->errs.items[i].text, *quote = strchr(text, '`');
		struct wording_match match;

		wording_nearest(quarantine, text, strlen(text), &match);
		if (quote != NULL && match.id != NULL && match.score >= WORDING_NEAR / 1.5)
			snprintf(quote, sizeof set->errs.items[i].text - (size_t)(quote - text),
			    "(not shown: near the quarantined claim %s)", match.id);
	}
}

void
set_check_texts(struct set *set)
{
	struct wording *quarantine = wording_open(&set->arena);

	add_quarantine(set, quarantine, false);
	for (size_t i = 0; i < set->count; i++) {
		struct visit v = { set, &set->records[i], quarantine };
		struct walk w = { .visit = visit_text, .context = &v };

		walk_record(&w, v.record->kind->fields, v.record->body);
	}
}
