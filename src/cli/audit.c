#include "audit/audit.h"

#include <string.h>

#include "cli/audit_ledger.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "render/json.h"

static const struct cmd_option options[] = {
	FORMAT_OPTION,
	{ "today", 0, "DATE", "hold review dates against this day" },
	{ "all", 'a', NULL, "list notes too, not only errors and warnings" },
	AUDIT_LEDGER_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

static struct val *
without_notes(struct arena *a, const struct val *rows)
{
	struct val *kept = val_list(a);

	for (size_t i = 0; i < val_count(rows); i++)
		if (strcmp(val_get_text(rows->list.items[i], "severity"), "note") != 0)
			val_push(a, kept, rows->list.items[i]);
	return kept;
}

/* How many rows of each code, in the order in which they first come. */
static void
print_counts(struct cli *cli, const struct val *rows)
{
	for (size_t i = 0; i < val_count(rows); i++) {
		const char *code = val_get_text(rows->list.items[i], "code");
		size_t count = 0;
		bool first = true;

		for (size_t k = 0; k < val_count(rows); k++) {
			bool same = strcmp(val_get_text(rows->list.items[k], "code"), code) == 0;

			first = first && !(same && k < i);
			count += same;
		}
		if (first)
			buf_printf(&cli->out, "%6zu  %s (%s)\n", count, code,
			    val_get_text(rows->list.items[i], "severity"));
	}
}

static int
print(struct cli *cli, const struct audit *found, struct err *e)
{
	static const struct render_column columns[] = {
		{ "severity", "severity", RENDER_ALIGN_LEFT, false }, { "code", "code", RENDER_ALIGN_LEFT, false },
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "place", "place", RENDER_ALIGN_LEFT, false },
		{ "message", "message", RENDER_ALIGN_LEFT, true },
	};
	static const struct render_column summary[] = {
		{ "id", "archetype", RENDER_ALIGN_LEFT, true },
		{ "quantitative", "quantitative", RENDER_ALIGN_LEFT, false },
		{ "pains", "pains", RENDER_ALIGN_RIGHT, false },
		{ "objections", "objections", RENDER_ALIGN_RIGHT, false },
		{ "answered", "with evidence", RENDER_ALIGN_RIGHT, false },
		{ "structure", "structure", RENDER_ALIGN_RIGHT, false },
		{ "evidenced", "evidenced", RENDER_ALIGN_RIGHT, false },
		{ "positions", "positions", RENDER_ALIGN_RIGHT, false },
		{ "withheld", "withheld", RENDER_ALIGN_RIGHT, false },
	};
	struct val *rows = cli_option(cli, "all") != NULL ? found->rows : without_notes(&cli->arena, found->rows);
	const char *format = output_format(cli, e);
	int rc;

	if (strcmp(format, "json") == 0) {
		struct val *root = val_map(&cli->arena);

		val_put(&cli->arena, root, "format", val_str(&cli->arena, "dossier.audit/1"));
		val_put(&cli->arena, root, "faults", val_num(&cli->arena, (double)found->faults));
		val_put(&cli->arena, root, "archetypes", found->summary);
		val_put(&cli->arena, root, "items", found->rows);
		return render_json(&cli->out, root, RENDER_JSON_PRETTY, e);
	}
	if (strcmp(format, "table") != 0)
		return output_list(cli, "audit", rows, columns, 5, e);
	rc = output_list(cli, "audit", found->summary, summary, 9, e);
	buf_puts(&cli->out, "\n");
	print_counts(cli, found->rows);
	if (val_count(rows) == 0) {
		buf_puts(&cli->out, "\nno errors, no warnings\n");
		return rc;
	}
	buf_puts(&cli->out, "\n");
	return rc == OK ? output_list(cli, "audit", rows, columns, 5, e) : rc;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *today = cli_option(cli, "today");
	struct kb *knowledge, *quarantine = NULL;
	struct audit found;
	int rc;

	if (output_format(cli, e) == NULL)
		return e->code;
	if (today != NULL && !date_is_valid(today, false))
		return err_set(e, ERR_USAGE, "--today: expected a date YYYY-MM-DD that exists, found `%.40s`", today);
	if (audit_asks_ledger(cli))
		return audit_ledger(cli, e);
	if (cli->operand_count > 0)
		return err_set(e, ERR_USAGE, "expected no operand, found `%.60s`", cli->operands[0]);
	rc = cli_kb(&knowledge, cli, e);
	if (rc == OK)
		rc = cli_quarantine(&quarantine, cli, e);
	if (rc == OK)
		rc = audit(&found, knowledge, quarantine, &cli->arena, today, e);
	if (rc == OK)
		rc = print(cli, &found, e);
	if (rc == OK)
		cli->status = found.faults > 0 ? 1 : 0;
	kb_close(quarantine);
	return rc;
}

const struct cmd cmd_audit = { "audit", "", "what lacks a source, or will soon", options, 0, -1, run };
