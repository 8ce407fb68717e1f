#include "drafts/issue.h"

#include <string.h>

#include "ledger/ledger.h"
#include "markdown/markdown.h"
#include "yaml/yn.h"

/* ---- reading ---- */

static int
read_front(struct issue *issue, const struct markdown *draft, struct arena *a, const char *name,
    struct err *e)
{
	struct place at = { arena_strdup(a, name), 1, 1 };
	const char *format, *audience, *language;
	struct val *front;
	int rc;

	if (draft->front == NULL)
		return err_at(e, ERR_INPUT, at, "expected a draft of `dossier propose`, with its front matter");
	rc = yn_parse(&front, a, draft->front, draft->front_len, name, e);
	if (rc != OK)
		return rc;
	format = val_get_text(front, "format");
	audience = val_get_text(front, "audience");
	language = val_get_text(front, "language");
	issue->customer = val_get_text(front, "customer");
	issue->archetype = val_get_text(front, "archetype");
	issue->language = language != NULL && strcmp(language, "ko") == 0 ? "ko" : "en";
	issue->drafted = val_get_text(front, "date");
	if (format == NULL || strcmp(format, "dossier.draft/1") != 0)
		return err_at(e, ERR_INPUT, at, "expected format: dossier.draft/1 in the front matter");
	if (issue->customer == NULL || issue->customer[0] == '\0')
		return err_at(e, ERR_INPUT, at, "expected customer: ID in the front matter");
	if (audience == NULL || strcmp(audience, "customer") != 0)
		return err_at(e, ERR_INPUT, at, "expected a draft for the customer (audience: customer): "
		    "an internal one is not sent");
	return OK;
}

static struct hash
hash_figures(const struct val *figures)
{
	struct hash_state *h = hash_open();

	for (size_t i = 0; i < val_count(figures); i++) {
		const char *label = val_get_text(figures->list.items[i], "label");
		const char *value = val_get_text(figures->list.items[i], "value");

		hash_add(h, label, strlen(label));
		hash_add(h, value, strlen(value));
	}
	return hash_close(h);
}

int
issue_read(struct issue *out, struct kb *kb, struct arena *a, const char *text, size_t len,
    const char *name, struct err *e)
{
	const char *slash = strrchr(name, '/');
	struct markdown *draft;
	int rc = markdown_parse(&draft, a, text, len, name, e);

	*out = (struct issue){
		.name = arena_strdup(a, slash != NULL ? slash + 1 : name),
		.content = hash_bytes(text, len), .bytes = len,
	};
	if (rc == OK)
		rc = read_front(out, draft, a, name, e);
	if (rc == OK)
		rc = uses_read(&out->uses, kb, a, draft, out->language, e);
	if (rc == OK)
		out->sizing = hash_figures(out->uses.figures);
	return rc;
}

/* ---- writing ---- */

static void
put(struct arena *a, struct val *map, const char *key, const char *text)
{
	if (text != NULL)
		val_put(a, map, key, val_str(a, text));
}

static void
put_runs(struct arena *a, struct val *list, const struct issue_sent *sent)
{
	for (size_t i = 0; i < sent->run_count; i++) {
		struct val *run = val_push(a, list, val_map(a));

		put(a, run, "workload", sent->runs[i].workload);
		put(a, run, "content", sent->runs[i].content.hex);
	}
}

struct val *
issue_body(const struct issue *issue, const struct issue_sent *sent, const struct issue_knowledge *knowledge,
    struct arena *a)
{
	struct val *body = val_map(a), *image, *layers;

	put(a, body, "format", ISSUE_FORMAT);
	put(a, body, "program", sent->program);
	put(a, body, "date", sent->date);
	put(a, body, "to", sent->to);
	put(a, body, "by", sent->by);
	put(a, body, "draft", issue->name);
	put(a, body, "customer", issue->customer);
	put(a, body, "sendable_until", issue->uses.due.review_by);
	put(a, body, "content", issue->content.hex);
	val_put(a, body, "bytes", val_num(a, (double)issue->bytes));
	put(a, body, "archetype", issue->archetype);
	put(a, body, "language", issue->language);
	put(a, body, "drafted", issue->drafted);
	image = val_put(a, body, "knowledge", val_map(a));
	put(a, image, "image", knowledge->image.hex);
	put(a, image, "built_in", knowledge->built_in.hex);
	layers = val_put(a, image, "layers", val_list(a));
	for (size_t i = 0; i < knowledge->layer_count; i++)
		val_push(a, layers, val_str(a, knowledge->layers[i]));
	put(a, body, "sizing", issue->sizing.hex);
	if (sent->run_count > 0)
		put_runs(a, val_put(a, body, "runs", val_list(a)), sent);
	val_put(a, body, "figures", issue->uses.figures);
	val_put(a, body, "uses", issue->uses.items);
	return body;
}

struct val *
issue_receipt(const struct val *body, struct arena *a)
{
	static const char *const keys[] = { "date", "to", "by", "draft", "customer", "sendable_until", "content", NULL };
	struct val *receipt = val_map(a);

	put(a, receipt, "format", LEDGER_RECEIPT);
	for (int i = 0; keys[i] != NULL; i++)
		put(a, receipt, keys[i], val_get_text(body, keys[i]));
	put(a, receipt, "knowledge", val_get_text(val_get(body, "knowledge"), "image"));
	put(a, receipt, "sizing", val_get_text(body, "sizing"));
	return receipt;
}
