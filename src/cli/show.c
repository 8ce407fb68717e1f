#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "db/db.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "kb/text.h"
#include "render/json.h"
#include "sql.h"

static const struct cmd_option options[] = {
	{ "format", 'f', "FORMAT", "table (the default) or json" },
	{ "quarantined", 'q', NULL, "look in the quarantine, and at evidence under review" },
	{ NULL, 0, NULL, NULL },
};

struct view {
	struct cli *cli;
	struct kb *kb;
	const struct val *body;
	const char *lang;
	bool quarantined;
	struct err *e;
};

static bool
is_text(const struct val *v)
{
	if (!val_is(v, VAL_MAP) || v->map.count == 0)
		return false;
	for (size_t i = 0; i < v->map.count; i++)
		if (strcmp(v->map.entries[i].key, "en") != 0 && strcmp(v->map.entries[i].key, "ko") != 0)
			return false;
	return true;
}

/*
 * The tree as a reader wants it: texts in one language with their figures named, everything
 * else as it is. `part` is the finding that we are in.
 */
static int
readable(struct val **out, struct view *view, const struct val *v, const struct val *part)
{
	struct arena *a = &view->cli->arena;
	int rc = OK;

	if (is_text(v)) {
		const char *text;

		rc = text_plain(&text, a, view->kb, v, view->lang, view->body, part, view->e);
		if (rc == ERR_INPUT && view->quarantined) { /* its figures may rest on nothing: as it is written */
			*view->e = (struct err)ERR_INIT;
			text = text_in(v, view->lang);
			rc = OK;
		}
		*out = val_str(a, text);
	} else if (val_is(v, VAL_MAP)) {
		*out = val_map(a);
		for (size_t i = 0; rc == OK && i < v->map.count; i++) {
			struct val *value;

			rc = readable(&value, view, v->map.entries[i].value, part);
			if (rc == OK)
				val_put(a, *out, v->map.entries[i].key, value);
		}
	} else if (val_is(v, VAL_LIST)) {
		*out = val_list(a);
		for (size_t i = 0; rc == OK && i < v->list.count; i++) {
			const struct val *item = v->list.items[i];
			struct val *value;

			rc = readable(&value, view, item, val_get(item, "locator") != NULL ? item : part);
			if (rc == OK)
				val_push(a, *out, value);
		}
	} else {
		*out = val_is(v, VAL_STR) ? val_str(a, v->str.text) : val_null(a);
	}
	return rc;
}

static void print_tree(struct buf *out, const struct val *v, int depth);

static void
print_entry(struct buf *out, const char *key, const struct val *v, int depth)
{
	buf_printf(out, "%*s%s:", depth * 2, "", key);
	if (val_is(v, VAL_STR))
		buf_printf(out, " %s\n", v->str.text);
	else if (val_is(v, VAL_MAP) || val_is(v, VAL_LIST)) {
		buf_puts(out, val_count(v) == 0 ? " none\n" : "\n");
		print_tree(out, v, depth + 1);
	} else {
		buf_puts(out, "\n");
	}
}

static void
print_tree(struct buf *out, const struct val *v, int depth)
{
	if (val_is(v, VAL_MAP)) {
		for (size_t i = 0; i < v->map.count; i++)
			print_entry(out, v->map.entries[i].key, v->map.entries[i].value, depth);
		return;
	}
	for (size_t i = 0; i < val_count(v); i++) {
		const struct val *item = v->list.items[i];

		if (val_is(item, VAL_STR)) {
			buf_printf(out, "%*s- %s\n", depth * 2, "", item->str.text);
		} else if (val_is(item, VAL_MAP) && item->map.count > 0) {
			size_t start = out->len;

			print_tree(out, item, depth + 1);
			out->s[start + (size_t)depth * 2] = '-';
		}
	}
}

/* "source.finding" shows the source; say which finding was asked for. */
static int
find_body(struct val **body, struct view *view, const char *id)
{
	const char *dot = strrchr(id, '.'), *stored;
	int rc = kb_resolve(&stored, view->kb, &view->cli->arena, id, NULL, view->e);

	if (rc == OK && stored == NULL && dot != NULL) {
		struct kb_finding finding;
		int found = kb_finding(&finding, view->kb, &view->cli->arena, id, view->e);

		if (found < 0)
			return found;
		if (found == 1)
			id = finding.source;
	}
	return rc == OK ? kb_record(body, view->kb, &view->cli->arena, id, NULL, view->e) : rc;
}

static int
print_users(struct view *view)
{
	struct arena *a = &view->cli->arena;
	struct val *rows;
	int rc = db_rows(&rows, a, kb_db(view->kb), KB_USED_BY, view->e, "s",
	    val_get_text(view->body, "id"));

	if (rc != OK || val_count(rows) == 0)
		return rc;
	buf_puts(&view->cli->out, "used by:\n");
	for (size_t i = 0; i < val_count(rows); i++)
		buf_printf(&view->cli->out, "  - %s %s %s\n", val_get_text(rows->list.items[i], "id"),
		    val_get_text(rows->list.items[i], "relation"),
		    val_get_text(rows->list.items[i], "finding"));
	return OK;
}

static struct val *
side_by_side(struct arena *a, double computed, double published)
{
	struct val *pair = val_map(a);

	val_put(a, pair, "computed", val_str(a, arena_printf(a, "%.0f", computed)));
	if (published > 0) {
		val_put(a, pair, "published", val_str(a, arena_printf(a, "%.0f", published)));
		val_put(a, pair, "difference",
		    val_str(a, arena_printf(a, "%+.2f %%", 100 * (computed / published - 1))));
	}
	return pair;
}

/* Of a model: what its fields add up to, beside what its maker says. */
static int
put_parameters(struct view *view, struct val *tree)
{
	struct arena *a = &view->cli->arena;
	struct sizing_model model;
	struct val *parameters;
	const char *stored;
	int rc = kb_resolve(&stored, view->kb, a, val_get_text(view->body, "id"), "model", view->e);

	if (rc != OK || stored == NULL)
		return rc;
	rc = profile_model(&model, view->body, view->e);
	if (rc != OK)
		return rc;
	parameters = val_map(a);
	val_put(a, parameters, "total", side_by_side(a, sizing_parameters(&model, false), model.published_total));
	val_put(a, parameters, "active", side_by_side(a, sizing_parameters(&model, true), model.published_active));
	val_put(a, tree, "parameters", parameters);
	return OK;
}

static int
show(struct view *view, const char *format)
{
	struct val *body, *tree;
	int rc = find_body(&body, view, view->cli->operands[0]);

	if (rc != OK)
		return rc;
	view->body = body;
	rc = readable(&tree, view, body, NULL);
	if (rc == OK)
		rc = put_parameters(view, tree);
	if (rc != OK)
		return rc;
	if (strcmp(format, "json") == 0)
		return render_json(&view->cli->out, tree, RENDER_JSON_PRETTY, view->e);
	print_tree(&view->cli->out, tree, 0);
	return print_users(view);
}

static int
run(struct cli *cli, struct err *e)
{
	bool quarantined = cli_option(cli, "quarantined") != NULL;
	const char *format = output_tree_format(cli, e);
	struct view view = { .cli = cli, .lang = cli_lang(cli, NULL), .quarantined = quarantined, .e = e };
	int rc;

	if (format == NULL)
		return e->code;
	rc = quarantined ? cli_quarantine(&view.kb, cli, e) : cli_kb(&view.kb, cli, e);
	if (rc == OK)
		rc = show(&view, format);
	if (quarantined)
		kb_close(view.kb);
	return rc;
}

const struct cmd cmd_show = { "show", "ID", "one record, with what it rests on and who uses it", options,
	1, 1, run };
