#include "drafts/lint.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "cli/version.h"
#include "drafts/citations.h"
#include "kb/kb.h"
#include "render/findings.h"
#include "util/file.h"

static const struct cmd_option options[] = {
	{ "format", 'f', "FORMAT", "text (the default: file:line:column: CODE message), table, md, json, csv or sarif" },
	BOM_OPTION,
	RUNS_OPTION,
	{ "citations", 0, NULL, "list where the draft cites each of its sources, instead" },
	{ "name", 0, "FILE", "what standard input is called in the findings: for editors" },
	{ NULL, 0, NULL, NULL },
};

/* Of one draft, in the formats of a listing. */
static int
list_citations(struct cli *cli, const char *path, struct err *e)
{
	static const struct render_column columns[] = {
		{ "source", "source", RENDER_ALIGN_LEFT, false }, { "times", "times", RENDER_ALIGN_RIGHT, false },
		{ "what", "what", RENDER_ALIGN_LEFT, true }, { "headings", "under", RENDER_ALIGN_LEFT, true },
		{ "places", "places", RENDER_ALIGN_LEFT, true },
	};
	struct buf text = BUF_INIT;
	struct val *rows;
	struct kb *kb;
	int rc = output_format(cli, e) != NULL ? OK : e->code;

	if (rc == OK && cli->operand_count > 1)
		rc = err_set(e, ERR_USAGE, "--citations: expected one draft, found `%.60s` as well", cli->operands[1]);
	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = file_read(&text, path, e);
	if (rc == OK)
		rc = drafts_citations(&rows, kb, &cli->arena, text.s, text.len, strcmp(path, "-") == 0 ? "<stdin>" : path, e);
	buf_release(&text);
	return rc == OK ? output_list(cli, "citations", rows, columns, sizeof columns / sizeof *columns, e) : rc;
}

/* One draft; what cannot be read is said, and the others are read all the same. */
static void
lint_file(struct cli *cli, struct findings *found, struct linter *l, const char *path)
{
	const char *given = cli_option(cli, "name");
	bool standard_input = strcmp(path, "-") == 0;
	const char *file_name = standard_input ? given : path;
	struct buf text = BUF_INIT;
	struct err e = ERR_INIT;
	int rc = file_read(&text, path, &e);

	if (rc == OK)
		rc = linter_run(found, l, &cli->arena, text.s, text.len,
		    file_name != NULL ? file_name : "<stdin>", file_name, &e);
	buf_release(&text);
	if (rc == OK)
		return;
	buf_printf(&cli->note, "%s%sdossier: %s\n", e.where, e.where[0] != '\0' ? ": " : "", e.text);
	if (cli->status < -rc || cli->status == 1)
		cli->status = -rc;
}

static int
print(struct cli *cli, struct findings *found, enum findings_style style, struct err *e)
{
	const struct findings_tool tool = { "dossier", DOSSIER_VERSION, lint_rules, "dossier.findings/1" };

	findings_sort(found);
	return output_findings(cli, found, style, &tool, e);
}

static int
run(struct cli *cli, struct err *e)
{
	static const char *const standard_input[] = { "-" };
	const char *const *paths = cli->operand_count > 0 ? (const char *const *)cli->operands : standard_input;
	size_t count = cli->operand_count > 0 ? cli->operand_count : 1;
	enum findings_style style = FINDINGS_TEXT;
	struct lint_options o = { .quarantine = NULL };
	struct findings found;
	struct linter *l;
	struct kb *kb;
	int rc;

	if (cli_option(cli, "citations") != NULL)
		return list_citations(cli, paths[0], e);
	rc = output_findings_style(&style, cli, FINDINGS_TEXT, e);
	if (rc == OK)
		rc = cli_runs(&o, cli, e);
	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = cli_quarantine(&o.quarantine, cli, e);
	if (rc == OK)
		rc = linter_open(&l, kb, &o, &cli->arena, e);
	findings_init(&found, &cli->arena);
	for (size_t i = 0; rc == OK && i < count; i++)
		lint_file(cli, &found, l, paths[i]);
	if (rc == OK)
		rc = print(cli, &found, style, e);
	if (rc == OK && cli->status == 0 && found.counts[FINDING_ERROR] + found.counts[FINDING_WARNING] > 0)
		cli->status = 1;
	kb_close(o.quarantine);
	return rc;
}

void
lint_notes(struct buf *out)
{
	buf_puts(out, "Without a file it reads standard input. As a hook, in .git/hooks/pre-commit:\n\n"
	    "  git diff --cached --name-only --diff-filter=AM -z -- '*.md' | xargs -0 -r dossier lint --\n\n"
	    "what it finds:\n");
	render_finding_rules(out, lint_rules);
}

const struct cmd cmd_lint = { "lint", "[DRAFT.md ...]", "what a draft says that it should not", options, 0, -1, run };
