#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/sweep_grid.h"
#include "cli/sweep_rows.h"

static const struct cmd_option options[] = {
	WORKLOAD_OPTIONS,
	SWEEP_OPTIONS,
	{ "columns", 0, "KEY,...", "what a row shows instead of the axes and the usual results" },
	{ "where", 'w', "CONDITION", "only rows for which it holds: \"flag = 'kv-bound' and kv.bytes < 80 GB\"" },
	{ "top", 0, "N", "only the first N rows by --by" },
	{ "by", 0, "KEY", "what --top sorts by, least first; \"KEY desc\": most first" },
	{ "pareto", 0, NULL, "only rows that none beats in step time and tokens/s per accelerator" },
	{ "count", 0, NULL, "only how many rows there are" },
	{ "bound", 0, NULL, "look for no layouts: bounds from bytes, many times as fast" },
	{ "jobs", 'j', "N", "threads; as many as there are processors unless given" },
	{ "format", 'f', "FORMAT", "table (the default), csv, json (dossier.sweep/1) or jsonl" },
	BOM_OPTION,
	{ "no-progress", 0, NULL, "no progress bar on the terminal" },
	{ NULL, 0, NULL, NULL },
};

const char sweep_notes[] =
    "Any input may be a list or a range, and the sweep sizes every combination, the last option\n"
    "of the list above fastest:\n"
    "  --context 8K,32K,128K          these values\n"
    "  --concurrency 1..512           all whole values from 1 to 512\n"
    "  --concurrency 1..512*2         1, 2, 4, ... up to 512\n"
    "  --bandwidth '2 TB/s..8 TB/s+0.5 TB/s'   with a step, which values that are not whole need\n"
    "  --model qwen3-14b,deepseek-v3  ids and dtypes as lists\n"
    "  --layout 'tensor=8;tensor=4,pipeline=2'   layouts, between semicolons\n"
    "Without --layout each row is sized on the smallest layout that holds it, as size does it; with\n"
    "--bound on none: counts are then lower bounds from bytes.\n"
    "\n"
    "CONDITION is an SQL expression over inputs and results. Results go by their keys in\n"
    "`dossier size --format json` (kv.bytes, also kv_bytes), or by the last part of one where only one\n"
    "ends so (flag, step_seconds); accelerators is what was given, else accelerators.needed. A\n"
    "result that there is not (a time where the load does not fit) is NULL. Values are in base\n"
    "units: bytes, seconds, bytes/s, tokens, shares of 1; a number may have its unit (80 GB, 40 ms,\n"
    "128K, 50%). csv and json give base units, table the units that suit.\n"
    "\n"
    "A load that does not fit on the accelerators given is a row with fits = no. A combination that\n"
    "is no workload (an answer longer than the context) is counted on standard error. Memory does\n"
    "not grow with the rows; --top and --pareto keep what they are going to print. With --pareto\n"
    "the column limit says memory where the next value of --concurrency would not fit.\n";

/* A whole number from 1 to `most`; `otherwise` where the option was not given, 0 with ERR_USAGE. */
static long
whole_option(const struct cli *cli, const char *name, long otherwise, long most, struct err *e)
{
	const char *text = cli_option(cli, name);
	char *end;
	long n;

	if (text == NULL)
		return otherwise;
	n = strtol(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || n < 1 || n > most) {
		err_set(e, ERR_USAGE, "--%s: expected a whole number from 1 to %ld, found `%.40s`", name, most, text);
		return 0;
	}
	return n;
}

static int
choose_style(struct sweep_rows *rows, const struct cli *cli, struct err *e)
{
	static const char *const names[] = { [RENDER_ROW_TABLE] = "table", [RENDER_ROW_CSV] = "csv",
		[RENDER_ROW_JSON] = "json", [RENDER_ROW_JSONL] = "jsonl" };
	const char *format = cli_option(cli, "format");

	rows->style = RENDER_ROW_TABLE;
	if (format == NULL)
		format = names[RENDER_ROW_TABLE];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(format, names[i]) == 0) {
			rows->style = (enum render_row_style)i;
			return output_bom(&rows->bom, cli, format, e);
		}
	return err_set(e, ERR_USAGE, "--format: expected table, csv, json or jsonl, found `%.40s`", format);
}

/* --by "KEY", "KEY asc" or "KEY desc" */
static int
choose_order(struct plan_sweep *s, const char *by, struct err *e)
{
	size_t len = strlen(by);
	struct err wrong = ERR_INIT;

	s->descending = len > 5 && strcmp(by + len - 5, " desc") == 0;
	if (s->descending)
		len -= 5;
	else if (len > 4 && strcmp(by + len - 4, " asc") == 0)
		len -= 4;
	if (plan_column_find(&s->by, s->grid, by, len, &wrong) != OK)
		return err_set(e, ERR_USAGE, "--by: %s", wrong.text);
	if (plan_column_is_text(&s->by, s->grid))
		return err_set(e, ERR_USAGE, "--by: expected a figure, found the word %s", s->by.name);
	return OK;
}

/* At most one of --count, --top with --by, and --pareto. */
static int
choose_gather(struct plan_sweep *s, const struct cli *cli, struct err *e)
{
	const char *by = cli_option(cli, "by");
	bool top = cli_option(cli, "top") != NULL, front = cli_option(cli, "pareto") != NULL;
	bool count = cli_option(cli, "count") != NULL;
	int rc = OK;

	if (top + front + count > 1)
		return err_set(e, ERR_USAGE, "expected one of --top, --pareto and --count, found more");
	if (top != (by != NULL))
		return err_set(e, ERR_USAGE, "expected --top N with --by KEY, found --%s alone", top ? "top" : "by");
	s->gather = top ? PLAN_TOP : front ? PLAN_FRONT : count ? PLAN_COUNT : PLAN_ALL;
	s->top = (size_t)whole_option(cli, "top", 1, PLAN_MAX_TOP, e);
	if (s->top == 0)
		rc = ERR_USAGE;
	return rc == OK && top ? choose_order(s, by, e) : rc;
}

static int
default_jobs(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > PLAN_MAX_JOBS ? PLAN_MAX_JOBS : (int)n;
}

/* What the first refused configuration was, and why. */
static const char *
first_refused(struct cli *cli, const struct sweep_grid *g, uint64_t at)
{
	struct plan_cursor *c = arena_alloc(&cli->arena, sizeof *c);
	struct buf text = BUF_INIT;
	const char *out;

	plan_seek(c, &g->grid, at);
	plan_size(c);
	for (size_t i = 0; i < g->grid.axis_count; i++) {
		struct plan_column column;
		char number[QUANTITY_TEXT];

		plan_column_axis(&column, &g->grid, i);
		if (!g->shown[i])
			continue;
		buf_printf(&text, "%s %s, ", column.name, g->axes[i].labels != NULL ? plan_column_text(&column, c)
		    : quantity_number(number, sizeof number, c->values[i]));
	}
	buf_printf(&text, "%s: %s", workload_field(c->refused.field), c->refused.reason);
	out = arena_strdup(&cli->arena, text.s);
	buf_release(&text);
	return out;
}

static int
finish(struct cli *cli, const struct sweep_grid *g, const struct plan_sweep *s, struct sweep_rows *rows,
    const struct plan_tally *t, struct err *e)
{
	if (t->refused > 0 && t->sized == 0)
		return err_set(e, ERR_INPUT, "expected a workload that can be sized, found none: %s",
		    first_refused(cli, g, t->first_refused));
	if (t->refused > 0)
		buf_printf(&cli->note, "dossier: %llu of %llu configurations are no workload; the first: %s\n",
		    (unsigned long long)t->refused, (unsigned long long)(t->refused + t->sized),
		    first_refused(cli, g, t->first_refused));
	if (s->gather == PLAN_COUNT) {
		buf_printf(&cli->out, "%llu\n", (unsigned long long)t->kept);
		return OK;
	}
	return sweep_end(rows, t, e);
}

/* What fits beyond the load is looked for only where somebody reads it. */
static bool
asks_for_limits(const struct plan_sweep *s, const struct sweep_rows *rows)
{
	bool asked = s->gather == PLAN_FRONT || (s->gather == PLAN_TOP && plan_column_is_limit(&s->by));

	for (size_t i = 0; i < rows->count; i++)
		asked = asked || plan_column_is_limit(&rows->columns[i]);
	for (size_t i = 0; s->filter != NULL && i < s->filter->column_count; i++)
		asked = asked || plan_column_is_limit(&s->filter->columns[i]);
	return asked;
}

static void
choose_effort(const struct cli *cli, struct sweep_grid *g, const struct plan_sweep *s,
    const struct sweep_rows *rows)
{
	if (cli_option(cli, "bound") != NULL)
		g->grid.effort = PLAN_BYTES;
	else
		g->grid.effort = asks_for_limits(s, rows) ? PLAN_FULL : PLAN_LEAN;
}

static int
run_sweep(struct cli *cli, struct sweep_grid *g, struct plan_sweep *s, struct sweep_rows *rows, struct err *e)
{
	const char *where = cli_option(cli, "where");
	struct plan_filter filter;
	struct plan_tally tally;
	int rc = OK;

	if (where != NULL) {
		rc = plan_filter_read(&filter, &g->grid, where, "--where", e);
		s->filter = &filter;
	}
	choose_effort(cli, g, s, rows);
	if (rc == OK)
		rc = plan_sweep(&tally, s, e);
	sweep_clear_bar(rows);
	if (rc == OK)
		rc = finish(cli, g, s, rows, &tally, e);
	if (where != NULL)
		plan_filter_release(&filter);
	return rc;
}

static int
run(struct cli *cli, struct err *e)
{
	struct sweep_grid *g = arena_alloc(&cli->arena, sizeof *g);
	struct sweep_rows *rows = arena_alloc(&cli->arena, sizeof *rows);
	struct plan_sweep s = { .grid = &g->grid, .row = sweep_row, .write = sweep_write,
		.progress = sweep_progress, .context = rows };
	int rc = sweep_grid_read(g, cli, e);

	if (rc == OK)
		rc = choose_style(rows, cli, e);
	if (rc == OK)
		rc = choose_gather(&s, cli, e);
	s.jobs = (int)whole_option(cli, "jobs", default_jobs(), PLAN_MAX_JOBS, e);
	if (rc == OK && s.jobs == 0)
		rc = ERR_USAGE;
	rows->lang = cli_lang(cli, NULL);
	rows->front = s.gather == PLAN_FRONT;
	/* A bar between rows on the same terminal would be a mess. */
	rows->bar = isatty(STDERR_FILENO) && cli_option(cli, "no-progress") == NULL &&
	    (s.gather != PLAN_ALL || !isatty(STDOUT_FILENO));
	if (rc == OK)
		rc = sweep_columns(rows, g, cli_option(cli, "columns"), e);
	return rc == OK ? run_sweep(cli, g, &s, rows, e) : rc;
}

const struct cmd cmd_sweep = { "sweep", "", "size a grid of workloads, filtered, on all cores", options,
	0, 0, run };
