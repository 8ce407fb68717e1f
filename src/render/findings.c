#include "render/findings.h"

#include <string.h>

#include "render/json.h"
#include "render/table.h"

static const char *const style_names[FINDINGS_STYLES] = { "table", "text", "md", "json", "csv", "sarif" };

int
findings_style_find(const char *name)
{
	for (int i = 0; i < FINDINGS_STYLES; i++)
		if (strcmp(style_names[i], name) == 0)
			return i;
	return -1;
}

const char *
findings_style_name(enum findings_style style)
{
	return style_names[style];
}

static const char *
place_of(struct arena *a, struct place at)
{
	char text[640];

	return arena_strdup(a, place_text(text, sizeof text, at));
}

static struct val *
number_or_null(struct arena *a, int n)
{
	return n > 0 ? val_num(a, n) : val_null(a);
}

/* One finding as a map. There may be very many: everything in it is shared with the list. */
static struct val *
item_of(struct arena *a, const struct finding *f)
{
	const struct val_entry entries[] = {
		{ .key = "severity", .value = val_str_shared(a, finding_level_name(f->level)) },
		{ .key = "code", .value = val_str_shared(a, f->rule->code) },
		{ .key = "id", .value = val_str_shared(a, f->id) },
		{ .key = "place", .value = val_str_shared(a, place_of(a, f->at)) },
		{ .key = "file", .value = val_str_shared(a, f->at.file) },
		{ .key = "line", .value = number_or_null(a, f->at.line) },
		{ .key = "column", .value = number_or_null(a, f->at.column) },
		{ .key = "message", .value = val_str_shared(a, f->message) },
		{ .key = "hint", .value = val_str_shared(a, f->hint) },
	};
	struct val *item = val_map(a);

	val_fill(a, item, entries, sizeof entries / sizeof *entries);
	return item;
}

static struct val *
items_of(const struct findings *list)
{
	struct val *items = val_list(list->arena);

	for (size_t i = 0; i < list->count; i++)
		val_push(list->arena, items, item_of(list->arena, &list->items[i]));
	return items;
}

struct val *
findings_tree(const struct findings *list, const struct findings_tool *tool)
{
	struct arena *a = list->arena;
	struct val *root = val_map(a);

	val_put(a, root, "format", val_str(a, tool->format));
	val_put(a, root, "errors", val_num(a, (double)list->counts[FINDING_ERROR]));
	val_put(a, root, "warnings", val_num(a, (double)list->counts[FINDING_WARNING]));
	val_put(a, root, "notes", val_num(a, (double)list->counts[FINDING_NOTE]));
	val_put(a, root, "items", items_of(list));
	return root;
}

/* A line break in a message would begin what looks like another finding. */
static void
put_line(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++)
		buf_putc(out, *text == '\n' || *text == '\r' || *text == '\t' ? ' ' : *text);
}

static void
put_text(struct buf *out, const struct findings *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct finding *f = &list->items[i];
		char place[640];

		if (f->at.file != NULL)
			buf_printf(out, "%s: ", place_text(place, sizeof place, f->at));
		buf_printf(out, "%s ", f->rule->code);
		put_line(out, f->message);
		if (f->hint != NULL) {
			buf_puts(out, " (");
			put_line(out, f->hint);
			buf_putc(out, ')');
		}
		buf_putc(out, '\n');
	}
}

/* ---- SARIF ---- */

/* A path as a URI reference (RFC 3986): what is not unreserved is escaped, a slash stays. */
static const char *
uri_of(struct arena *a, const char *path)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	struct buf uri = BUF_INIT;
	const char *text;

	if (path[0] == '/')
		buf_puts(&uri, "file://");
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (; *path != '\0'; path++)
		if (strchr(unreserved, *path) != NULL)
			buf_putc(&uri, *path);
		else
			buf_printf(&uri, "%%%02X", (unsigned char)*path);
	text = arena_strdup(a, uri.s);
	buf_release(&uri);
	return text;
}

static void
put_message(struct arena *a, struct val *map, const char *key, const char *text)
{
	val_put(a, val_put(a, map, key, val_map(a)), "text", val_str(a, text));
}

static struct val *
sarif_rules(struct arena *a, const struct finding_rule *rules)
{
	struct val *list = val_list(a);

	for (; rules->code != NULL; rules++) {
		struct val *rule = val_push(a, list, val_map(a));

		val_put(a, rule, "id", val_str(a, rules->code));
		put_message(a, rule, "shortDescription", rules->name);
		put_message(a, rule, "fullDescription", rules->cause);
		put_message(a, rule, "help", rules->mend);
		val_put(a, val_put(a, rule, "defaultConfiguration", val_map(a)), "level",
		    val_str(a, finding_level_name(rules->level)));
	}
	return list;
}

static struct val *
sarif_location(struct arena *a, struct place at)
{
	struct val *location = val_map(a), *physical, *artifact, *region;

	physical = val_put(a, location, "physicalLocation", val_map(a));
	artifact = val_put(a, physical, "artifactLocation", val_map(a));
	val_put(a, artifact, "uri", val_str(a, uri_of(a, at.file)));
	if (at.file[0] != '/')
		val_put(a, artifact, "uriBaseId", val_str(a, "%SRCROOT%"));
	if (at.line > 0) {
		region = val_put(a, physical, "region", val_map(a));
		val_put(a, region, "startLine", val_num(a, at.line));
		if (at.column > 0)
			val_put(a, region, "startColumn", val_num(a, at.column));
	}
	return location;
}

static struct val *
sarif_result(struct arena *a, const struct finding *f, const struct finding_rule *rules)
{
	struct val *result = val_map(a);

	val_put(a, result, "ruleId", val_str(a, f->rule->code));
	val_put(a, result, "ruleIndex", val_num(a, (double)(f->rule - rules)));
	val_put(a, result, "level", val_str(a, finding_level_name(f->level)));
	put_message(a, result, "message", f->hint == NULL ? f->message
	    : arena_printf(a, "%s (%s)", f->message, f->hint));
	if (f->at.file != NULL)
		val_push(a, val_put(a, result, "locations", val_list(a)), sarif_location(a, f->at));
	if (f->id != NULL)
		val_put(a, val_put(a, result, "properties", val_map(a)), "record", val_str(a, f->id));
	return result;
}

static struct val *
sarif(const struct findings *list, const struct findings_tool *tool)
{
	struct arena *a = list->arena;
	struct val *root = val_map(a), *run, *driver, *results;

	val_put(a, root, "$schema", val_str(a, "https://json.schemastore.org/sarif-2.1.0.json"));
	val_put(a, root, "version", val_str(a, "2.1.0"));
	run = val_push(a, val_put(a, root, "runs", val_list(a)), val_map(a));
	driver = val_put(a, val_put(a, run, "tool", val_map(a)), "driver", val_map(a));
	val_put(a, driver, "name", val_str(a, tool->name));
	val_put(a, driver, "version", val_str(a, tool->version));
	val_put(a, driver, "rules", sarif_rules(a, tool->rules));
	val_put(a, run, "columnKind", val_str(a, "unicodeCodePoints"));
	results = val_put(a, run, "results", val_list(a));
	for (size_t i = 0; i < list->count; i++)
		val_push(a, results, sarif_result(a, &list->items[i], tool->rules));
	return root;
}

int
render_findings(struct buf *out, const struct findings *list, enum findings_style style,
    const struct findings_tool *tool, int width, struct err *e)
{
	static const struct render_column columns[] = {
		{ "severity", "severity", RENDER_ALIGN_LEFT, false }, { "code", "code", RENDER_ALIGN_LEFT, false },
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "place", "place", RENDER_ALIGN_LEFT, false },
		{ "message", "message", RENDER_ALIGN_LEFT, true },
	};
	static const struct render_column csv[] = {
		{ "severity", NULL, RENDER_ALIGN_LEFT, false }, { "code", NULL, RENDER_ALIGN_LEFT, false },
		{ "id", NULL, RENDER_ALIGN_LEFT, false }, { "file", NULL, RENDER_ALIGN_LEFT, false },
		{ "line", NULL, RENDER_ALIGN_RIGHT, false }, { "column", NULL, RENDER_ALIGN_RIGHT, false },
		{ "message", NULL, RENDER_ALIGN_LEFT, true }, { "hint", NULL, RENDER_ALIGN_LEFT, true },
	};

	switch (style) {
	case FINDINGS_TEXT:
		put_text(out, list);
		return OK;
	case FINDINGS_MD:
		render_table_markdown(out, items_of(list), columns, sizeof columns / sizeof *columns);
		return OK;
	case FINDINGS_JSON:
		return render_json(out, findings_tree(list, tool), RENDER_JSON_PRETTY, e);
	case FINDINGS_CSV:
		render_csv(out, items_of(list), csv, sizeof csv / sizeof *csv, (struct render_csv){ false, false });
		return OK;
	case FINDINGS_SARIF:
		return render_json(out, sarif(list, tool), RENDER_JSON_PRETTY, e);
	default:
		render_table(out, items_of(list), columns, sizeof columns / sizeof *columns, width, false);
		return OK;
	}
}

/* Words in lines of up to 78 columns, each four in; `lead` begins the first. */
static void
put_wrapped(struct buf *out, const char *lead, const char *text)
{
	size_t at = 4 + strlen(lead);
	bool first = true;

	buf_printf(out, "    %s", lead);
	while (*text != '\0') {
		size_t word = strcspn(text, " ");
		bool fits = at + 1 + word <= 78;

		if (!first)
			buf_puts(out, fits ? " " : "\n    ");
		at = (fits || first ? at + !first : 4) + word;
		buf_add(out, text, word);
		text += word + strspn(text + word, " ");
		first = false;
	}
	buf_putc(out, '\n');
}

void
render_finding_rules(struct buf *out, const struct finding_rule *rules)
{
	for (; rules->code != NULL; rules++) {
		buf_printf(out, "  %s (%s): %s\n", rules->code, finding_level_name(rules->level), rules->name);
		put_wrapped(out, "", rules->cause);
		put_wrapped(out, "To mend it: ", rules->mend);
	}
}
