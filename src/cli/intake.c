#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "kb/messages.h"
#include "kb/text.h"

static const struct cmd_option options[] = {
	{ "archetype", 'a', "ID", "what kind of buyer it is (dossier list archetypes)" },
	{ "customer", 'c', "NAME", "short name of the customer; default: acme" },
	{ "date", 0, "DATE", "the date of the drafts; default: today" },
	{ "output", 'o', "FILE", "write there instead of standard output" },
	{ NULL, 0, NULL, NULL },
};

struct form {
	struct cli *cli;
	struct kb *kb;
	const struct val *archetype, *messages;
	const char *lang;
	bool quantitative;
	struct err *e;
	int rc;
};

static const char *
message(const struct form *f, const char *key)
{
	return messages_get(f->messages, "intake", key);
}

static const char *
plain(struct form *f, const struct val *text)
{
	const char *s = "";

	if (f->rc == OK && text != NULL)
		f->rc = text_plain(&s, &f->cli->arena, f->kb, text, f->lang, f->archetype, NULL, f->e);
	return s;
}

/* A comment, at most so wide, each line behind `# `. */
static void
comment(struct form *f, int indent, const char *text)
{
	enum { WIDTH = 96 };
	int column = 0;

	while (*text != '\0') {
		size_t n = strcspn(text, " \n");

		if (n == 0) {
			text++;
			continue;
		}
		if (column == 0 || column + (int)n > WIDTH) {
			buf_printf(&f->cli->out, "%s%*s#", column > 0 ? "\n" : "", indent, "");
			column = indent + 1;
		}
		buf_putc(&f->cli->out, ' ');
		buf_add(&f->cli->out, text, n);
		column += (int)n + 1;
		text += n;
	}
	if (column > 0)
		buf_puts(&f->cli->out, "\n");
}

static const char *
value_text(struct arena *a, const struct val *value)
{
	const char *all = "";

	if (val_is(value, VAL_STR))
		return value->str.text;
	for (size_t i = 0; i < val_count(value); i++)
		all = arena_printf(a, "%s%s%s", all, i > 0 ? ", " : "", val_text(value->list.items[i]));
	return all;
}

/* The question, what is assumed until it is answered, and the key with `unknown`. */
static void
ask(struct form *f, int indent, const char *key)
{
	const struct val *reference = val_get(f->archetype, "reference_workload");
	const struct val *item = val_get(reference, key), *value = val_get(item, "value");
	struct arena *a = &f->cli->arena;

	if (item != NULL)
		comment(f, indent, plain(f, val_get(item, "ask")));
	if (f->quantitative && value != NULL)
		comment(f, indent, arena_printf(a, "%s: %s. %s", message(f, "assumed"), value_text(a, value),
		    plain(f, val_get(item, "why"))));
	buf_printf(&f->cli->out, "%*s%s: unknown\n", indent, "", key);
}

static void
print_form(struct form *f, const char *customer, const char *date)
{
	static const char *const keys[] = { "model", "accelerator", "weights", "kv", "prompt", "output",
		"concurrency", "sessions", "reuse" };
	struct buf *out = &f->cli->out;

	comment(f, 0, plain(f, val_get(f->archetype, "summary")));
	comment(f, 0, message(f, "how"));
	if (!f->quantitative)
		comment(f, 0, message(f, "no-evidence"));
	buf_printf(out, "format: dossier.customer/1\ncustomer: %s\nname: {en: %s, ko: %s}\narchetype: %s\n",
	    customer, customer, customer, val_get_text(f->archetype, "id"));
	buf_printf(out, "language: %s\ndate: %s\n\n", f->lang, date);
	ask(f, 0, "goal");
	buf_puts(out, "\n");
	comment(f, 0, message(f, "targets"));
	buf_puts(out, "targets:\n");
	ask(f, 2, "ttft");
	ask(f, 2, "tpot");
	buf_puts(out, "\n");
	comment(f, 0, message(f, "workloads"));
	buf_puts(out, "workloads:\n- id: main\n");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		ask(f, 2, keys[i]);
	comment(f, 2, message(f, "accelerators"));
	if (val_path(f->archetype, "reference_workload.accelerators.ask") != NULL)
		comment(f, 2, plain(f, val_path(f->archetype, "reference_workload.accelerators.ask")));
	buf_puts(out, "  # accelerators: 16\n\n");
	comment(f, 0, message(f, "memory"));
	ask(f, 0, "memory_available");
	buf_puts(out, "\n");
	ask(f, 0, "tiers");
}

static const char *
today(struct arena *a)
{
	time_t now = time(NULL);
	char text[16];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, sizeof text, "%Y-%m-%d", &tm);
	return arena_strdup(a, text);
}

static bool
is_short_name(const char *s)
{
	return *s != '\0' && *s != '-' && strlen(s) <= 60 &&
	    strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(s);
}

static int
run(struct cli *cli, struct err *e)
{
	const char *id = cli_option(cli, "archetype"), *date = cli_option(cli, "date");
	const char *customer = cli_option(cli, "customer"), *path = cli_option(cli, "output");
	struct form f = { .cli = cli, .lang = cli_lang(cli, NULL), .e = e };
	struct val *archetype, *messages;

	if (id == NULL)
		return err_set(e, ERR_USAGE, "expected --archetype ID; `dossier list archetypes` lists them");
	if (date != NULL && !date_is_valid(date, false))
		return err_set(e, ERR_USAGE, "--date: expected a date YYYY-MM-DD that exists, found `%.40s`", date);
	if (customer != NULL && !is_short_name(customer))
		return err_set(e, ERR_USAGE, "--customer: expected small letters, digits and -, found `%.40s`",
		    customer);
	f.rc = cli_kb(&f.kb, cli, e);
	if (f.rc == OK)
		f.rc = kb_record(&archetype, f.kb, &cli->arena, id, "archetype", e);
	if (f.rc == OK)
		f.rc = messages_load(&messages, &cli->arena, f.lang, e);
	if (f.rc != OK)
		return f.rc;
	f.archetype = archetype;
	f.messages = messages;
	f.quantitative = yesno(val_get(archetype, "quantitative"), false);
	print_form(&f, customer != NULL ? customer : "acme", date != NULL ? date : today(&cli->arena));
	return f.rc == OK && path != NULL ? output_file(cli, path, e) : f.rc;
}

const struct cmd cmd_intake = { "intake", "", "a customer file to fill in, with the questions", options, 0, 0,
	run };
