#include "audit/audit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/audit_ledger.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/version.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "render/findings.h"
#include "render/json.h"

static const struct cmd_option options[] = {
	{ "format", 'f', "FORMAT", "table (the default), text, json, csv, md or sarif" },
	BOM_OPTION,
	{ "today", 0, "DATE", "the day that review dates are held against; default: today" },
	{ "as-of", 0, "DATE", "what would be reported on that day" },
	{ "expiring", 0, "DAYS", "also what comes up for review within so many days, such as 30d" },
	{ "strict", 0, NULL, "warnings fail as well; links that nobody reviewed are noted" },
	{ "fail-on", 0, "CODE,...", "exit with 1 where one of these is found, for nothing else" },
	{ "fingerprints", 0, NULL, "print what a review of each link notes down, instead" },
	{ "all", 'a', NULL, "list notes too, not only errors and warnings" },
	AUDIT_LEDGER_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

static int
take_date(const char **out, const struct cli *cli, const char *option, struct err *e)
{
	const char *date = cli_option(cli, option);

	if (date == NULL)
		return OK;
	if (!date_is_valid(date, false))
		return err_set(e, ERR_USAGE, "--%s: expected a date YYYY-MM-DD that exists, found `%.40s`", option, date);
	*out = date;
	return OK;
}

/* "30d", "30" */
static int
take_days(int *out, const struct cli *cli, struct err *e)
{
	const char *text = cli_option(cli, "expiring");
	size_t digits = text != NULL ? strspn(text, "0123456789") : 0;

	if (text == NULL)
		return OK;
	if (digits == 0 || digits > 5 || (text[digits] != '\0' && strcmp(text + digits, "d") != 0))
		return err_set(e, ERR_USAGE, "--expiring: expected a number of days such as 30d, found `%.40s`", text);
	*out = atoi(text);
	return OK;
}

static int
take_options(struct audit_options *out, enum findings_style *style, struct cli *cli, struct err *e)
{
	char *day = arena_alloc(&cli->arena, sizeof "9999-12-31");
	time_t now = time(NULL);
	struct tm local;
	int rc = output_findings_style(style, cli, FINDINGS_TABLE, e);

	if (localtime_r(&now, &local) == NULL || strftime(day, sizeof "9999-12-31", "%Y-%m-%d", &local) == 0)
		return err_set(e, ERR_SYSTEM, "the clock tells no day: give one with --today");
	*out = (struct audit_options){ .day = day, .expiring = -1, .strict = cli_option(cli, "strict") != NULL };
	if (rc == OK)
		rc = take_date(&out->day, cli, "today", e);
	if (rc == OK)
		rc = take_date(&out->day, cli, "as-of", e);
	return rc == OK ? take_days(&out->expiring, cli, e) : rc;
}

/* ---- what is printed ---- */

static size_t
count_of(const struct findings *found, const struct finding_rule *rule, enum finding_level level)
{
	size_t count = 0;

	for (size_t i = 0; i < found->count; i++)
		count += found->items[i].rule == rule && found->items[i].level == level;
	return count;
}

static void
print_counts(struct cli *cli, const struct findings *found)
{
	for (int level = 0; level < FINDING_LEVELS; level++) {
		for (const struct finding_rule *rule = audit_rules; rule->code != NULL; rule++) {
			size_t count = count_of(found, rule, (enum finding_level)level);

			if (count > 0)
				buf_printf(&cli->out, "%6zu  %s (%s)\n", count, rule->code,
				    finding_level_name((enum finding_level)level));
		}
	}
}

/* "12 / 1 / 0": evidenced, weak, none. The rows of one archetype begin at `from`, and end before `end`. */
static struct val *
coverage_cell(struct arena *a, const struct val *coverage, size_t from, size_t end, const char *part)
{
	for (size_t i = from; i < end; i++) {
		const struct val *row = coverage->list.items[i];

		if (strcmp(val_get_text(row, "part"), part) == 0)
			return val_strf(a, "%.0f / %.0f / %.0f", val_get(row, "evidenced")->number,
			    val_get(row, "weak")->number, val_get(row, "none")->number);
	}
	return val_str(a, "-");
}

/* Of rows in the order of their archetypes, where those end that are about this one. */
static size_t
end_of(const struct val *coverage, size_t from, const char *archetype)
{
	size_t end = from;

	while (end < val_count(coverage) && strcmp(val_get_text(coverage->list.items[end], "archetype"), archetype) == 0)
		end++;
	return end;
}

static void
print_coverage(struct cli *cli, const struct audit *found)
{
	static const struct render_column columns[] = {
		{ "id", "archetype", RENDER_ALIGN_LEFT, true },
		{ "pain", "pains", RENDER_ALIGN_RIGHT, false },
		{ "objection", "objections", RENDER_ALIGN_RIGHT, false },
		{ "loss-reason", "loss reasons", RENDER_ALIGN_RIGHT, false },
		{ "position", "positions", RENDER_ALIGN_RIGHT, false },
		{ "quantitative", "quantitative", RENDER_ALIGN_LEFT, false },
		{ "withheld", "withheld", RENDER_ALIGN_RIGHT, false },
	};
	struct val *rows = val_list(&cli->arena);
	size_t from = 0;

	for (size_t i = 0; i < val_count(found->summary); i++) { /* both are in the order of archetypes */
		const struct val *archetype = found->summary->list.items[i];
		struct val *row = val_push(&cli->arena, rows, val_map(&cli->arena));
		size_t end = end_of(found->coverage, from, val_get_text(archetype, "id"));

		for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
			struct val *known = val_get(archetype, columns[k].key);

			val_put(&cli->arena, row, columns[k].key, known != NULL ? known
			    : coverage_cell(&cli->arena, found->coverage, from, end, columns[k].key));
		}
		from = end;
	}
	render_table(&cli->out, rows, columns, sizeof columns / sizeof *columns, cli->width, false);
	buf_puts(&cli->out, "evidenced / weak (press, past review or suspect) / none\n\n");
}

static int
print(struct cli *cli, struct audit *found, const struct audit_options *o, enum findings_style style, struct err *e)
{
	const struct findings_tool tool = { "dossier", DOSSIER_VERSION, audit_rules, "dossier.audit/1" };
	size_t faults = found->found.counts[FINDING_ERROR] + (o->strict ? found->found.counts[FINDING_WARNING] : 0);
	struct arena *a = &cli->arena;
	struct val *root;

	if (style == FINDINGS_TABLE) {
		print_coverage(cli, found);
		print_counts(cli, &found->found);
	}
	if (cli_option(cli, "all") == NULL)
		findings_keep(&found->found, FINDING_WARNING);
	if (style == FINDINGS_JSON) {
		root = findings_tree(&found->found, &tool);
		val_put(a, root, "faults", val_num(a, (double)faults));
		val_put(a, root, "date", val_str(a, o->day));
		val_put(a, root, "coverage", found->coverage);
		val_put(a, root, "archetypes", found->summary);
		return render_json(&cli->out, root, RENDER_JSON_PRETTY, e);
	}
	if (style == FINDINGS_TABLE)
		buf_puts(&cli->out, found->found.count == 0 ? "\nno errors, no warnings\n" : "\n");
	if (style == FINDINGS_TABLE && found->found.count == 0)
		return OK;
	return output_findings(cli, &found->found, style, &tool, e);
}

static int
print_fingerprints(struct cli *cli, struct kb *knowledge, const char *day, struct err *e)
{
	static const struct render_column columns[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "finding", "finding", RENDER_ALIGN_LEFT, false },
		{ "place", "place", RENDER_ALIGN_LEFT, false }, { "state", "state", RENDER_ALIGN_LEFT, false },
		{ "paste", "to paste into the link", RENDER_ALIGN_LEFT, true },
	};
	struct val *rows;
	int rc = output_format(cli, e) != NULL ? OK : e->code;

	if (rc == OK)
		rc = audit_fingerprints(&rows, knowledge, &cli->arena, day, e);
	return rc == OK ? output_list(cli, "links", rows, columns, sizeof columns / sizeof *columns, e) : rc;
}

/* What was found decides, before the notes are taken out for printing. */
static int
judge(struct cli *cli, const struct audit *found, bool strict, struct err *e)
{
	const char *codes = cli_option(cli, "fail-on");
	const size_t *counts = found->found.counts;
	int failed = codes != NULL ? findings_fail_on(&found->found, audit_rules, codes, e) : counts[FINDING_ERROR] > 0;

	if (failed < 0)
		return failed;
	cli->status = failed > 0 || (strict && counts[FINDING_ERROR] + counts[FINDING_WARNING] > 0);
	return OK;
}

static int
run(struct cli *cli, struct err *e)
{
	struct kb *knowledge, *quarantine = NULL;
	struct audit_options o;
	enum findings_style style = FINDINGS_TABLE;
	struct audit found;
	int rc = take_options(&o, &style, cli, e);

	if (rc == OK && audit_asks_ledger(cli))
		return audit_ledger(cli, e);
	if (rc == OK && cli->operand_count > 0)
		return err_set(e, ERR_USAGE, "expected no operand, found `%.60s`", cli->operands[0]);
	if (rc == OK)
		rc = cli_kb(&knowledge, cli, e);
	if (rc == OK && cli_option(cli, "fingerprints") != NULL)
		return print_fingerprints(cli, knowledge, o.day, e);
	if (rc == OK)
		rc = cli_quarantine(&quarantine, cli, e);
	if (rc == OK)
		rc = audit(&found, knowledge, quarantine, &cli->arena, &o, e);
	if (rc == OK)
		rc = judge(cli, &found, o.strict, e);
	if (rc == OK)
		rc = print(cli, &found, &o, style, e);
	kb_close(quarantine);
	return rc;
}

void
audit_notes(struct buf *out)
{
	buf_puts(out, "what it finds:\n");
	render_finding_rules(out, audit_rules);
}

const struct cmd cmd_audit = { "audit", "", "what lacks a source, or will soon", options, 0, -1, run };
