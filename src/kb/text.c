#include "kb/text.h"

#include <string.h>

#include "kb/kb.h"

static bool
is_called(const struct val *finding, const char *id, const char *name)
{
	const struct val *aliases = val_get(finding, "aliases");
	bool called = strcmp(id, name) == 0;

	for (size_t i = 0; !called && i < val_count(aliases); i++)
		called = val_is(aliases, VAL_LIST) && strcmp(val_text(aliases->list.items[i]), name) == 0;
	return called;
}

bool
text_figure_find(struct text_figure *out, struct arena *a, const struct val *body,
    const struct val *part, const char *name)
{
	const struct val *figure = val_get(val_get(body, "figures"), name);
	const struct val *findings = val_get(body, "findings");
	const char *id = val_get_text(body, "id");

	if (figure != NULL) {
		out->value = val_get_text(figure, "value");
		out->finding = val_get_text(figure, "finding");
		return out->value != NULL && out->finding != NULL;
	}
	for (size_t i = 0; i < val_count(findings) && id != NULL; i++) {
		const struct val *finding = findings->list.items[i];
		const char *its = val_get_text(finding, "id");
		bool own = finding == part && strcmp(name, "value") == 0;

		if (its == NULL || (!own && !is_called(finding, its, name)))
			continue;
		out->value = val_get_text(finding, "value");
		out->finding = arena_printf(a, "%s.%s", id, its);
		return out->value != NULL;
	}
	return false;
}

const char *
text_in(const struct val *text, const char *lang)
{
	const char *found = val_get_text(text, lang);

	if (found == NULL)
		found = val_get_text(text, strcmp(lang, "ko") == 0 ? "en" : "ko");
	return found;
}

/*
 * Escaping trims a value at its ends; here the blanks before and behind a figure must stay. And
 * behind a figure no line starts, so its full stop is none of a list.
 */
static void
add_words(struct buf *out, const char *s, size_t len, render_escape_fn *escape)
{
	if (escape == NULL) {
		buf_add(out, s, len);
		return;
	}
	if (len > 0 && s[0] == ' ')
		buf_putc(out, ' ');
	if (out->len > 0 && len > 0 && s[0] == '.') {
		buf_putc(out, '.');
		add_words(out, s + 1, len - 1, escape);
		return;
	}
	escape(out, s, len);
	if (len > 1 && s[len - 1] == ' ' && strspn(s, " ") < len)
		buf_putc(out, ' ');
}

int
text_expand(struct buf *out, struct arena *a, const struct val *text, const char *lang,
    const struct val *body, const struct val *part, render_escape_fn *escape, text_show_fn show,
    void *context, struct err *e)
{
	const char *s = text_in(text, lang), *open;
	int rc;

	while (s != NULL && (open = strstr(s, "${")) != NULL) {
		size_t n = strcspn(open + 2, "}");
		const char *name = arena_strndup(a, open + 2, n);
		struct text_figure figure;

		add_words(out, s, (size_t)(open - s), escape);
		if (!text_figure_find(&figure, a, body, part, name))
			return err_at(e, ERR_INPUT, text->at, "no figure ${%s} in this record", name);
		rc = show(out, &figure, context, e);
		if (rc != OK)
			return rc;
		s = open + 2 + n + (open[2 + n] == '}' ? 1 : 0);
	}
	if (s != NULL)
		add_words(out, s, strlen(s), escape);
	return OK;
}

int
text_quantity(struct quantity *out, struct kb_finding *finding, struct kb *kb, struct arena *a,
    const struct text_figure *figure, struct err *e)
{
	const char *wrong = quantity_parse(out, figure->value, strlen(figure->value), DIM_ANY);
	int rc;

	if (wrong != NULL)
		return err_set(e, ERR_INPUT, "%s: expected %s, found `%s`", figure->finding, wrong,
		    figure->value);
	rc = kb_finding(finding, kb, a, figure->finding, e);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return err_set(e, ERR_INPUT, "`%s` is no finding that may be shown", figure->finding);
	out->kind = finding->kind;
	out->ref = finding->ref;
	return OK;
}

struct plain {
	struct kb *kb;
	struct arena *a;
	const char *lang;
};

static int
show_plain(struct buf *out, const struct text_figure *figure, void *context, struct err *e)
{
	struct plain *p = context;
	struct kb_finding finding;
	struct quantity q;
	char number[QUANTITY_TEXT];
	int rc = text_quantity(&q, &finding, p->kb, p->a, figure, e);

	if (rc != OK)
		return rc;
	buf_printf(out, "%s [%s, %s]", quantity_text(number, sizeof number, &q, p->lang),
	    quantity_kind_name(q.kind, p->lang), q.ref);
	return OK;
}

int
text_plain(const char **out, struct arena *a, struct kb *kb, const struct val *text,
    const char *lang, const struct val *body, const struct val *part, struct err *e)
{
	struct plain p = { kb, a, lang };
	struct buf b = BUF_INIT;
	int rc = text_expand(&b, a, text, lang, body, part, NULL, show_plain, &p, e);

	*out = rc == OK ? arena_strdup(a, b.s) : NULL;
	buf_release(&b);
	return rc;
}
