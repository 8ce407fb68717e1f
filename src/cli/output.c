#include "cli/output.h"

#include <string.h>
#include <sys/stat.h>

#include "advise/range.h"
#include "ingest/walk.h"
#include "kb/kb.h"
#include "kb/messages.h"
#include "render/json.h"
#include "util/file.h"
#include "util/utf8.h"
#include "yaml/yn.h"

static const char *
choose_format(const struct cli *cli, const char *const *formats, const char *expected, struct err *e)
{
	const char *format = cli_option(cli, "format");

	if (format == NULL)
		return formats[0];
	for (int i = 0; formats[i] != NULL; i++)
		if (strcmp(format, formats[i]) == 0)
			return formats[i];
	err_set(e, ERR_USAGE, "--format: expected %s, found `%.40s`", expected, format);
	return NULL;
}

int
output_bom(bool *out, const struct cli *cli, const char *format, struct err *e)
{
	*out = cli_option(cli, "bom") != NULL;
	if (*out && strcmp(format, "csv") != 0)
		return err_set(e, ERR_USAGE, "--bom: expected --format csv with it, found %s", format);
	return OK;
}

const char *
output_format(const struct cli *cli, struct err *e)
{
	static const char *const formats[] = { "table", "json", "csv", "md", NULL };
	const char *format = choose_format(cli, formats, "table, json, csv or md", e);
	bool bom;

	return format != NULL && output_bom(&bom, cli, format, e) == OK ? format : NULL;
}

int
output_findings_style(enum findings_style *out, const struct cli *cli, enum findings_style otherwise,
    struct err *e)
{
	const char *format = cli_option(cli, "format");
	int style = format == NULL ? (int)otherwise : findings_style_find(format);
	bool bom;

	if (style < 0)
		return err_set(e, ERR_USAGE, "--format: expected table, text, json, csv, md or sarif, found `%.40s`", format);
	*out = (enum findings_style)style;
	return output_bom(&bom, cli, findings_style_name(*out), e);
}

int
output_findings(struct cli *cli, const struct findings *list, enum findings_style style,
    const struct findings_tool *tool, struct err *e)
{
	if (cli_option(cli, "bom") != NULL)
		buf_puts(&cli->out, UTF8_BOM);
	return render_findings(&cli->out, list, style, tool, cli->width, e);
}

const char *
output_tree_format(const struct cli *cli, struct err *e)
{
	static const char *const formats[] = { "table", "json", NULL };

	return choose_format(cli, formats, "table or json", e);
}

int
output_list(struct cli *cli, const char *kind, struct val *rows,
    const struct render_column *columns, size_t count, struct err *e)
{
	const char *format = output_format(cli, e);
	struct val *root;

	if (format == NULL)
		return e->code;
	if (strcmp(format, "table") == 0) {
		render_table(&cli->out, rows, columns, count, cli->width, false);
	} else if (strcmp(format, "md") == 0) {
		render_table_markdown(&cli->out, rows, columns, count);
	} else if (strcmp(format, "csv") == 0) {
		render_csv(&cli->out, rows, columns, count, (struct render_csv){ .bom = cli_option(cli, "bom") != NULL });
	} else {
		root = val_map(&cli->arena);
		val_put(&cli->arena, root, "format", val_str(&cli->arena, "dossier.list/1"));
		val_put(&cli->arena, root, "kind", val_str(&cli->arena, kind));
		val_put(&cli->arena, root, "items", rows);
		return render_json(&cli->out, root, RENDER_JSON_PRETTY, e);
	}
	return OK;
}

int
output_apart(struct cli *cli, const char *option, const char *path, struct err *e)
{
	const char *const *layers, *ledger, *read = NULL;
	size_t layer_count = cli_layers(&layers, cli);
	struct err ignored = ERR_INIT;
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return OK;
	for (size_t i = 0; i < cli->operand_count; i++)
		if (file_is_same(path, cli->operands[i]))
			read = cli->operands[i];
	for (size_t i = 0; i < layer_count; i++)
		if (file_is_same(path, layers[i]))
			read = layers[i];
	if (cli_ledger_path(&ledger, cli, &ignored) == OK && file_is_same(path, ledger))
		read = ledger;
	return read == NULL ? OK : err_set(e, ERR_USAGE, "--%s: expected another file than is read, found `%.200s`",
	    option, path);
}

int
output_file(struct cli *cli, const char *path, struct err *e)
{
	int rc;

	if (strcmp(path, "-") == 0)
		return OK;
	rc = output_apart(cli, "output", path, e);
	if (rc != OK)
		return rc;
	rc = file_replace(path, cli->out.s, cli->out.len, 0644, e);
	buf_clear(&cli->out);
	return rc;
}

struct lookup {
	struct cli *cli;
	struct kb *kb;
};

/* Ids in the file must be of records that there are; the fault is at the id. */
static void
look_up(struct walk *w, const struct field *f, const struct val *v, const char *path)
{
	struct lookup *l = w->context;
	struct err e = ERR_INIT;
	struct kb_finding finding;
	struct val *ignored;
	int kind = 0;

	(void)path;
	if (f->type == FIELD_FINDING && kb_finding(&finding, l->kb, &l->cli->arena, v->str.text, &e) != 1)
		errs_add(&l->cli->errs, v->at, "expected a finding as source.finding, found none named `%s`",
		    v->str.text);
	if (f->type != FIELD_RECORD && f->type != FIELD_PROFILE)
		return;
	while (kind + 1 < KIND_COUNT && !(f->kinds & 1u << kind))
		kind++;
	if (kb_record(&ignored, l->kb, &l->cli->arena, v->str.text, kinds[kind].name, &e) != OK)
		errs_add(&l->cli->errs, v->at, "%s", e.text);
}

int
read_customer(struct val **out, struct cli *cli, const char *path, struct err *e)
{
	struct walk walk = { .errs = &cli->errs };
	struct lookup lookup = { .cli = cli };
	int rc = cli_kb(&lookup.kb, cli, e);

	if (rc == OK)
		rc = yn_read(out, &cli->arena, path, e);
	if (rc != OK)
		return rc;
	walk_record(&walk, kinds[KIND_CUSTOMER].fields, *out);
	if (cli->errs.count == 0) {
		walk = (struct walk){ .visit = look_up, .context = &lookup };
		walk_record(&walk, kinds[KIND_CUSTOMER].fields, *out);
	}
	errs_sort(&cli->errs);
	return cli->errs.count > 0 ? ERR_INPUT : OK;
}

/* What only our own people may read says so in its name, too. */
int
check_internal_name(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0 || strstr(slash != NULL ? slash + 1 : path, "INTERNAL") != NULL)
		return OK;
	return err_set(e, ERR_USAGE, "expected INTERNAL in the name of an internal document, found `%.200s`",
	    path);
}

int
write_document(struct cli *cli, enum document document, bool internal, struct err *e)
{
	struct customer customer;
	struct val *file;
	struct kb *kb;
	int rc = cli_kb(&kb, cli, e);

	if (rc == OK)
		rc = read_customer(&file, cli, cli->operands[0], e);
	if (rc == OK)
		rc = customer_read(&customer, kb, &cli->arena, file, e);
	if (rc == OK)
		rc = propose(&cli->out, kb, &cli->arena, &customer, document,
		    cli_lang(cli, val_get_text(file, "language")), internal, e);
	return rc;
}

void
output_time_terms(struct cli *cli, const struct val *messages, const struct workload *w)
{
	if (w->out.decode.seconds > 0)
		buf_printf(&cli->out, "; decode: %s",
		    messages_get(messages, "term", sizing_term_name(w->out.decode.bottleneck)));
	if (workload_prefill_term(w) >= 0)
		buf_printf(&cli->out, "; prefill: %s",
		    messages_get(messages, "term", sizing_term_name(w->out.prefill.bottleneck)));
}

struct val *
output_range(struct arena *a, const struct workload *w, const char *key, const char *lang)
{
	char from[QUANTITY_TEXT], to[QUANTITY_TEXT];
	struct quantity low, high;

	if (!range_quantity(&low, &high, w, key))
		return val_str(a, "");
	quantity_text(from, sizeof from, &low, lang);
	quantity_text(to, sizeof to, &high, lang);
	if (strcmp(from, to) == 0)
		return val_str(a, from);
	return val_strf(a, "%s%s - %s", range_is_exact(w, key) ? "" : "~", from, to);
}

void
output_range_notes(struct cli *cli, const struct val *messages, const struct workload *w, const char *lang)
{
	char from[QUANTITY_TEXT], to[QUANTITY_TEXT], taken[QUANTITY_TEXT];

	if (w->range == NULL)
		return;
	buf_puts(&cli->out, "\n");
	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct input *in = &w->inputs[i];

		if (!in->known || !in->range)
			continue;
		buf_printf(&cli->out, "%s: %s - %s; %s: %s\n", messages_get(messages, "input", input_name((enum input_id)i)),
		    quantity_text(from, sizeof from, &in->low, lang), quantity_text(to, sizeof to, &in->high, lang),
		    messages_get(messages, "range", "taken"), quantity_text(taken, sizeof taken, &in->q, lang));
	}
	if (!w->range->every)
		buf_printf(&cli->out, "%s\n", messages_get(messages, "range", "sampled"));
	if (w->range->turns)
		buf_printf(&cli->out, "%s\n", messages_get(messages, "range", "turns"));
}
