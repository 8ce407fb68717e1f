#include "ingest/write_int.h"

#include <string.h>

#include "db/db.h"
#include "ingest/walk.h"
#include "kb/text.h"
#include "quantity/quantity.h"
#include "sql.h"
#include "util/buf.h"
#include "util/utf8.h"

struct show {
	const struct writer *w;
	const char *lang;
};

/* As text_plain shows a figure, with the kind from the set: there is no kb yet. */
static int
show_figure(struct buf *out, const struct text_figure *figure, void *context, struct err *e)
{
	const struct show *show = context;
	const struct set_finding *f = set_find_finding(show->w->set, figure->finding);
	struct quantity q;
	char number[96];

	(void)e;
	if (quantity_parse(&q, figure->value, strlen(figure->value), DIM_ANY) != NULL)
		return OK;
	q.kind = f != NULL && f->record->kind->id == KIND_MEASUREMENT ? QUANTITY_MEASURED
	                                                              : QUANTITY_PUBLISHED;
	buf_printf(out, "%s [%s, %s]", quantity_text(number, sizeof number, &q, show->lang),
	    quantity_kind_name(q.kind, show->lang), figure->finding);
	return OK;
}

static void
expand(struct buf *out, struct writer *w, const struct val *text, const char *lang,
    const struct val *body, const struct val *part)
{
	struct show show = { w, lang };

	if (w->rc == OK)
		w->rc = text_expand(out, &w->scratch, text, lang, body, part, NULL, show_figure, &show,
		    w->e);
}

const char *
write_text(struct writer *w, const struct val *text, const char *lang, const struct val *body)
{
	struct buf b = BUF_INIT;
	const char *copy;

	expand(&b, w, text, lang, body, NULL);
	copy = arena_strdup(&w->scratch, b.s);
	buf_release(&b);
	return copy;
}

struct gather {
	struct writer *w;
	const struct record *record;
	const struct val *body;
	struct buf text;
};

/* A text that has one language only. */
static void
write_gap(const struct gather *g, const struct val *text, const char *path)
{
	const struct val *en = val_get(text, "en"), *ko = val_get(text, "ko");
	struct writer *w = g->w;

	if ((en == NULL) != (ko == NULL) && w->rc == OK)
		w->rc = db_run(w->db, INGEST_GAP, w->e, "sssii", g->record->id, path, en == NULL ? "en" : "ko",
		    text->at.line, text->at.column);
}

static void
visit_text(struct walk *walk, const struct field *f, const struct val *value, const char *path)
{
	static const char *const langs[] = { "en", "ko" };
	struct gather *g = walk->context;
	const struct val *part = NULL;

	if (strncmp(path, "findings.", 9) == 0) {
		const struct val *findings = val_get(g->body, "findings");
		size_t n = strcspn(path + 9, ".");

		for (size_t i = 0; i < val_count(findings); i++) {
			const char *id = val_get_text(findings->list.items[i], "id");

			if (strlen(id) == n && memcmp(id, path + 9, n) == 0)
				part = findings->list.items[i];
		}
	}
	switch (f->type) {
	case FIELD_TEXT:
		write_gap(g, value, path);
		for (size_t i = 0; i < 2; i++) { /* what stands in one language only is found once */
			if (val_get(value, langs[i]) == NULL)
				continue;
			expand(&g->text, g->w, value, langs[i], g->body, part);
			buf_puts(&g->text, "\n");
		}
		break;
	case FIELD_ID:
	case FIELD_ALIAS:
	case FIELD_URL:
	case FIELD_STRING:
		buf_printf(&g->text, "%s\n", value->str.text);
		break;
	default:
		break;
	}
}

void
write_search(struct writer *w, const struct record *r, const struct val *body)
{
	struct gather g = { w, r, body, BUF_INIT };
	struct walk walk = { .visit = visit_text, .context = &g };
	const char *folded;

	walk_record(&walk, r->kind->fields, body);
	folded = utf8_fold(&w->scratch, g.text.s, g.text.len, NULL);
	if (w->rc == OK)
		w->rc = db_run(w->db, INGEST_SEARCH, w->e, "ss", r->id, folded);
	buf_release(&g.text);
	arena_release(&w->scratch);
}
