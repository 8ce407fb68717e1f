#include "propose/propose.h"

#include <stdio.h>
#include <string.h>

#include "kb/messages.h"
#include "kb/text.h"
#include "markdown/markdown.h"
#include "propose/draft.h"
#include "render/json.h"
#include "render/template.h"
#include "uses/uses.h"
#include "util/embed.h"

enum { BRIEF_LIMIT = 3 };

static const char *
find_template(void *data, const char *name, size_t *len)
{
	const char *lang = data;
	char path[160];
	const struct embed *file;
	int n = snprintf(path, sizeof path, "templates/%s/%s", lang, name);

	file = n > 0 && (size_t)n < sizeof path ? embed_find(path) : NULL;
	if (file == NULL)
		return NULL;
	*len = file->len;
	return file->text;
}

static int
render(struct buf *out, const char *lang, const char *name, const struct val *context, struct err *e)
{
	char copy[8];
	struct render_loader loader = { find_template, copy };

	snprintf(copy, sizeof copy, "%s", lang);
	return render_template(out, &loader, name, context, e);
}

/*
 * A name as a YAML string. A reader that takes front matter for Markdown must find no markup in it, so what could
 * begin some is written as an escape.
 */
static void
add_name(struct buf *list, const char *name)
{
	struct buf quoted = BUF_INIT;

	if (name == NULL || strpbrk(name, "0123456789") == NULL)
		return;
	buf_puts(list, list->len > 0 ? ", " : "[");
	render_json_string(&quoted, name, strlen(name));
	for (const char *c = quoted.s; *c != '\0'; c++) {
		if (strchr("<>[]()&!`*_#", *c) != NULL)
			buf_printf(list, "\\u%04x", (unsigned)*c);
		else
			buf_putc(list, *c);
	}
	buf_release(&quoted);
}

/*
 * For the linter, which takes a number in a text for a figure: proper names with digits that the knowledge
 * does not have, as a YAML list; a null value where there are none.
 */
static struct val *
own_names(struct draft *d)
{
	struct buf list = BUF_INIT;
	struct val *names = val_null(d->a);

	add_name(&list, text_in(val_get(d->c->body, "name"), d->lang));
	for (size_t i = 0; i < d->c->workload_count; i++) {
		const struct workload *w = &d->c->workloads[i];

		if (val_get(w->model, "id") == NULL)
			add_name(&list, workload_model_name(w));
		if (val_get(w->device, "id") == NULL)
			add_name(&list, workload_device_name(w));
	}
	if (list.len > 0)
		names = val_strf(d->a, "%s]", list.s);
	buf_release(&list);
	return names;
}

static struct val *
context_of(struct draft *d)
{
	struct val *root = val_map(d->a), *customer = val_put(d->a, root, "customer", val_map(d->a));
	const char *name = text_in(val_get(d->c->body, "name"), d->lang);

	val_put(d->a, customer, "id", val_str(d->a, d->c->id));
	val_put(d->a, customer, "name", val_str(d->a, name));
	val_put(d->a, root, "own_names", own_names(d));
	val_put(d->a, root, "archetype_id", val_str(d->a, d->c->archetype));
	val_put(d->a, root, "lang", val_str(d->a, d->lang));
	val_put(d->a, root, "date", val_str(d->a, val_get_text(d->c->body, "date")));
	val_put(d->a, root, "internal", val_bool(d->a, d->internal));
	draft_archetype(d, root);
	draft_workloads(d, root);
	return root;
}

/* Sections that turn out empty leave blanks behind: none at the end of a line, one empty line at most. */
static void
tidy(struct buf *out, const char *text)
{
	int empty = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n"), n = len;

		while (n > 0 && text[n - 1] == ' ')
			n--;
		empty = n == 0 ? empty + 1 : 0;
		if (empty < 2) {
			buf_add(out, text, n);
			buf_puts(out, "\n");
		}
		text += len + (text[len] == '\n');
	}
}

/* The body, the sources that it turned out to use, and the definitions of its citations. */
static void
add_body(struct buf *out, struct draft *d, const char *body, const struct val *sources, enum document document)
{
	static const char *const lists[] = { "sources.md", "brief-sources.md" };
	struct buf tail = BUF_INIT;

	if (d->rc == OK)
		d->rc = render(&tail, d->lang, lists[document], sources, d->e);
	if (d->rc == OK) {
		cite_use(&d->citer, tail.s);
		buf_puts(out, body);
		buf_puts(out, tail.s);
		buf_puts(out, "\n");
		cite_definitions(out, &d->citer);
	}
	buf_release(&tail);
}

/* How long a draft that says this is good: what it uses is read back from it, as from one that is issued. */
static struct val *
sendable_until(struct draft *d, const struct buf *text)
{
	struct uses uses = { .due = { NULL, NULL } };
	struct buf whole = BUF_INIT;
	struct markdown *read;

	tidy(&whole, text->s);
	if (d->rc == OK)
		d->rc = markdown_parse(&read, d->a, whole.s, whole.len, "the draft", d->e);
	if (d->rc == OK)
		d->rc = uses_read(&uses, d->kb, d->a, read, d->lang, d->e);
	buf_release(&whole);
	return val_str(d->a, uses.due.review_by);
}

/* The body first: it says what it uses, and so how long it is good, which stands before and in the list of sources. */
static int
write_draft(struct buf *out, struct draft *d, enum document document)
{
	static const char *const names[] = { "proposal.md", "brief.md" };
	struct val *root = context_of(d), *sources, *until;
	struct buf rendered = BUF_INIT, body = BUF_INIT, text = BUF_INIT;

	if (d->rc == OK)
		d->rc = render(&rendered, d->lang, names[document], root, d->e);
	if (d->rc == OK) {
		cite_number(&body, &d->citer, rendered.s);
		sources = draft_sources(d);
		add_body(&text, d, body.s, sources, document);
		until = sendable_until(d, &text);
		val_put(d->a, root, "sendable_until", until);
		val_put(d->a, sources, "sendable_until", until);
		buf_clear(&text);
	}
	if (d->rc == OK)
		d->rc = render(&text, d->lang, "front.md", root, d->e);
	if (d->rc == OK) {
		add_body(&text, d, body.s, sources, document);
		tidy(out, text.s);
	}
	buf_release(&rendered);
	buf_release(&body);
	buf_release(&text);
	return d->rc;
}

int
propose(struct buf *out, struct kb *kb, struct arena *a, const struct customer *c,
    enum document document, const char *lang, bool internal, struct err *e)
{
	struct draft d = { .a = a, .kb = kb, .c = c, .lang = lang, .e = e,
		.internal = internal || document == DOCUMENT_BRIEF,
		.limit = document == DOCUMENT_BRIEF ? BRIEF_LIMIT : 0,
		.citer = { .a = a, .kb = kb, .lang = lang } };
	struct val *messages;
	struct advice *advice;
	int rc = messages_load(&messages, a, lang, e);

	if (rc == OK)
		rc = advise(&advice, kb, a, c, e);
	if (rc != OK)
		return rc;
	d.messages = messages;
	d.advice = advice;
	return write_draft(out, &d, document);
}
