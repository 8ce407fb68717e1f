#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "db/query.h"
#include "kb/kb.h"
#include "quantity/quantity.h"
#include "render/json.h"
#include "render/row.h"
#include "util/embed.h"
#include "util/file.h"
#include "util/utf8.h"

static const struct cmd_option options[] = {
	FORMAT_OPTION,
	BOM_OPTION,
	{ "limit", 0, "N", "stop after so many rows (default 1000, at most 100000)" },
	{ "timeout", 0, "TIME", "stop after so long (default 5 s, at most 10 min)" },
	{ NULL, 0, NULL, NULL },
};

enum {
	ROWS = 1000,
	MAX_ROWS = 100 * 1000,
	SECONDS = 5,
	MAX_SECONDS = 600,
	MAX_BYTES = 32 * 1024 * 1024, /* of all values of the result */
};

/* ---- help ---- */

static bool
is_denied(const char *name, size_t len)
{
	for (int i = 0; kb_denied[i] != NULL; i++)
		if (strlen(kb_denied[i]) == len && memcmp(kb_denied[i], name, len) == 0)
			return true;
	return false;
}

/* "  record   id, kind, ...", read off the schema that the databases are made by. */
static void
tables(struct buf *out)
{
	static const char create[] = "CREATE TABLE ";
	bool shown = false, first = false;

	for (const char *s = embed_find("schema/knowledge.sql")->text; *s != '\0'; s += strcspn(s, "\n"), s += *s == '\n') {
		if (strncmp(s, create, sizeof create - 1) == 0) {
			const char *name = s + sizeof create - 1;
			size_t len = strcspn(name, " ");

			shown = first = !is_denied(name, len);
			if (shown)
				buf_printf(out, "  %-16.*s ", (int)len, name);
		} else if (shown && s[0] == '\t' && s[1] >= 'a' && s[1] <= 'z') {
			buf_printf(out, "%s%.*s", first ? "" : ", ", (int)strcspn(s + 1, " "), s + 1);
			first = false;
		} else if (shown && s[0] == ')') {
			buf_puts(out, "\n");
			shown = false;
		}
	}
}

void
query_notes(struct buf *out)
{
	buf_puts(out, "SQL is one SELECT, VALUES, WITH or EXPLAIN in the words of SQLite; - reads it from standard\n"
	    "input. It runs on the knowledge without the quarantine, reads and never writes, and\n"
	    "is stopped at bounds on time, rows, length and memory. record.body is the record as\n"
	    "written, as JSON: body ->> '$.title', json_each(body, '$.findings'). search.folded is\n"
	    "what search looks in. The tables and their columns:\n\n");
	tables(out);
	buf_puts(out, "\nexamples:\n"
	    "  dossier query \"SELECT kind, count(*) AS records FROM record GROUP BY kind\"\n"
	    "  dossier query \"SELECT ref, grade, review_by FROM finding WHERE review_by < '2027-01-01'\"\n"
	    "  dossier query --format csv - < questions.sql\n");
}

/* ---- options ---- */

static int
whole_limit(size_t *out, const struct cli *cli, struct err *e)
{
	const char *text = cli_option(cli, "limit");
	unsigned long n = ROWS;
	char *end = NULL;

	if (text != NULL)
		n = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
	if (n == 0 || n > MAX_ROWS || (end != NULL && *end != '\0'))
		return err_set(e, ERR_USAGE, "--limit: expected a whole number from 1 to %d, found `%.40s`", MAX_ROWS, text);
	*out = n;
	return OK;
}

/* "2 s", "500 ms"; a number alone is in seconds. */
static int
time_limit(double *out, struct cli *cli, struct err *e)
{
	const char *text = cli_option(cli, "timeout");
	struct quantity q;

	*out = SECONDS;
	if (text == NULL)
		return OK;
	if (text[strspn(text, "0123456789.")] == '\0')
		text = arena_printf(&cli->arena, "%s s", text);
	if (quantity_parse(&q, text, strlen(text), DIM_SECONDS) != NULL || !(q.value > 0) || q.value > MAX_SECONDS)
		return err_set(e, ERR_USAGE, "--timeout: expected a time above 0 s and up to 10 min, found `%.40s`",
		    cli_option(cli, "timeout"));
	*out = q.value;
	return OK;
}

static int
read_sql(const char **sql, const char **name, struct cli *cli, struct err *e)
{
	struct buf text = BUF_INIT;
	int rc = OK;

	*sql = cli->operands[0];
	*name = "SQL";
	if (strcmp(*sql, "-") == 0) {
		*name = "standard input";
		rc = file_read(&text, "-", e);
		*sql = arena_strndup(&cli->arena, text.s, text.len);
	}
	if (rc == OK) /* before the text is used as a string: a NUL is a fault as well */
		rc = utf8_check(text.len > 0 ? text.s : *sql, text.len > 0 ? text.len : strlen(*sql), *name, e);
	*sql += utf8_bom(*sql, strlen(*sql)); /* SQLite would take it for a letter of the first word */
	buf_release(&text);
	return rc;
}

/* ---- the time limit's last resort ---- */

/*
 * SQLite looks at the clock between its operations; one that runs on over long texts has to be ended from outside. Nothing
 * has been written by then, and nothing durable is open.
 */
static void
out_of_time(int signal)
{
	static const char text[] = "dossier: the query took longer than its time and was stopped\n";

	(void)signal;
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(-ERR_SYSTEM);
	_exit(-ERR_INPUT);
}

static void
arm(double seconds)
{
	struct sigaction action = { .sa_handler = out_of_time };

	sigaction(SIGALRM, &action, NULL);
	alarm((unsigned)ceil(seconds) + 1);
}

/* ---- rows ---- */

struct result {
	struct val *rows;   /* lists of values */
	const char **names; /* of the columns, each once */
	size_t columns;
	size_t bytes;       /* of texts so far */
	bool cut;
};

static bool
stands_before(const struct result *r, size_t column, const char *name)
{
	for (size_t i = 0; i < column; i++)
		if (strcmp(r->names[i], name) == 0)
			return true;
	return false;
}

/* "id", "id_2": a column that comes twice has to be told apart where names are keys. */
static void
name_columns(struct result *r, struct arena *a, const struct db_query *q)
{
	r->columns = (size_t)db_query_columns(q);
	r->names = arena_alloc(a, r->columns * sizeof *r->names);
	for (size_t i = 0; i < r->columns; i++) {
		const char *name = arena_strdup(a, db_query_column(q, (int)i));

		r->names[i] = name;
		for (int n = 2; stands_before(r, i, r->names[i]); n++)
			r->names[i] = arena_printf(a, "%s_%d", name, n);
	}
}

static void
add_row(struct result *r, struct arena *a, const struct db_query *q)
{
	struct val *row = val_push(a, r->rows, val_list(a));

	for (size_t i = 0; i < r->columns; i++) {
		struct val *cell = val_push(a, row, db_query_cell(q, a, (int)i));

		r->bytes += sizeof *cell + (val_is(cell, VAL_STR) ? cell->str.len : 0);
	}
}

static int
gather(struct result *r, struct arena *a, struct db_query *q, size_t limit, struct err *e)
{
	int rc;

	r->rows = val_list(a);
	name_columns(r, a, q);
	while ((rc = db_query_step(q, e)) == 1) {
		r->cut = val_count(r->rows) == limit || r->bytes > MAX_BYTES;
		if (r->cut)
			return OK;
		add_row(r, a, q);
	}
	return rc;
}

static void
put_csv(struct buf *out, const struct result *r, struct arena *a)
{
	struct render_row_column *columns = arena_alloc(a, r->columns * sizeof *columns);
	struct render_cell *cells = arena_alloc(a, r->columns * sizeof *cells);

	for (size_t i = 0; i < r->columns; i++)
		columns[i].name = r->names[i];
	render_row_heading(out, RENDER_ROW_CSV, columns, r->columns);
	for (size_t i = 0; i < val_count(r->rows); i++) {
		for (size_t k = 0; k < r->columns; k++) {
			const struct val *v = r->rows->list.items[i]->list.items[k];

			cells[k] = (struct render_cell){ .kind = RENDER_CELL_NONE };
			if (val_is(v, VAL_NUM))
				cells[k] = (struct render_cell){ RENDER_CELL_NUMBER, v->number, NULL };
			else if (val_is(v, VAL_STR))
				cells[k] = (struct render_cell){ RENDER_CELL_TEXT, 0, v->str.text };
		}
		render_row(out, RENDER_ROW_CSV, columns, cells, r->columns);
	}
}

static int
put_json(struct buf *out, const struct result *r, struct arena *a, struct err *e)
{
	struct val *root = val_map(a), *items = val_list(a);

	for (size_t i = 0; i < val_count(r->rows); i++) {
		struct val *item = val_push(a, items, val_map(a));

		for (size_t k = 0; k < r->columns; k++)
			val_put(a, item, r->names[k], r->rows->list.items[i]->list.items[k]);
	}
	val_put(a, root, "format", val_str(a, "dossier.list/1"));
	val_put(a, root, "kind", val_str(a, "query"));
	val_put(a, root, "cut", val_bool(a, r->cut));
	val_put(a, root, "items", items);
	return render_json(out, root, RENDER_JSON_PRETTY, e);
}

static int
put_rows(struct cli *cli, const struct result *r, const char *format, struct err *e)
{
	struct arena *a = &cli->arena;
	struct render_column *columns = arena_alloc(a, r->columns * sizeof *columns);

	/* A row is a list: a column's key is its number, its name may be any text. */
	for (size_t i = 0; i < r->columns; i++)
		columns[i] = (struct render_column){ arena_printf(a, "%zu", i), r->names[i], RENDER_ALIGN_AUTO, true };
	if (strcmp(format, "json") == 0)
		return put_json(&cli->out, r, a, e);
	if (cli_option(cli, "bom") != NULL)
		buf_puts(&cli->out, UTF8_BOM);
	if (strcmp(format, "csv") == 0)
		put_csv(&cli->out, r, a);
	else if (strcmp(format, "md") == 0)
		render_table_markdown(&cli->out, r->rows, columns, r->columns);
	else
		render_table(&cli->out, r->rows, columns, r->columns, cli->width, false);
	return OK;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *format = output_format(cli, e);
	struct db_query_input in = { .denied = kb_denied };
	struct result result = { .cut = false };
	struct db_query *q = NULL;
	struct layer layer;
	size_t limit = ROWS;
	int rc = format == NULL ? e->code : whole_limit(&limit, cli, e);

	if (rc == OK)
		rc = time_limit(&in.seconds, cli, e);
	if (rc == OK)
		rc = read_sql(&in.sql, &in.name, cli, e);
	if (rc == OK)
		rc = cli_layer(&layer, cli, e);
	if (rc != OK)
		return rc;
	in.image = layer.knowledge;
	in.len = layer.knowledge_len;
	arm(in.seconds);
	rc = db_query_open(&q, &in, e);
	if (rc == OK)
		rc = gather(&result, &cli->arena, q, limit, e);
	alarm(0);
	if (rc == OK)
		rc = put_rows(cli, &result, format, e);
	if (rc == OK && result.cut)
		buf_printf(&cli->note, "dossier: cut after %zu rows: %s\n", val_count(result.rows),
		    result.bytes > MAX_BYTES ? "the result is too large" : "--limit N gives more");
	db_query_close(q);
	return rc;
}

const struct cmd cmd_query = { "query", "SQL", "SQL over the knowledge, read-only and bounded", options, 1, 1, run };
