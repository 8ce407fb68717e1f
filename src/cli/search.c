#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "db/db.h"
#include "kb/kb.h"
#include "render/json.h"
#include "sql.h"
#include "util/utf8.h"

static const struct cmd_option options[] = {
	FORMAT_OPTION,
	BOM_OPTION,
	{ NULL, 0, NULL, NULL },
};

/* The words of all operands, folded, as a JSON list. Nothing in them is syntax. */
static int
terms_of(struct buf *out, struct cli *cli, struct err *e)
{
	struct arena *a = &cli->arena;
	struct val *terms = val_list(a);

	for (size_t i = 0; i < cli->operand_count; i++) {
		const char *text = cli->operands[i];
		int rc = utf8_check(text, strlen(text), "TEXT", e);

		if (rc != OK)
			return rc;
		text = utf8_fold(a, text, strlen(text), NULL);
		while (*text != '\0') {
			size_t n = strcspn(text, " ");

			if (n > 0)
				val_push(a, terms, val_strn(a, text, n));
			text += n + (text[n] == ' ');
		}
	}
	if (val_count(terms) == 0)
		return err_set(e, ERR_USAGE, "expected something to search for, found only blanks");
	return render_json(out, terms, RENDER_JSON_COMPACT, e);
}

static int
run(struct cli *cli, struct err *e)
{
	static const struct render_column columns[] = {
		{ "kind", "kind", RENDER_ALIGN_LEFT, false }, { "id", "id", RENDER_ALIGN_LEFT, false },
		{ "name", "name", RENDER_ALIGN_LEFT, true },
	};
	struct buf terms = BUF_INIT;
	struct val *rows = NULL;
	struct kb *kb;
	int rc = output_format(cli, e) == NULL ? e->code : terms_of(&terms, cli, e);

	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = db_rows(&rows, &cli->arena, kb_db(kb), KB_SEARCH, e, "ss", terms.s, cli_lang(cli, NULL));
	buf_release(&terms);
	if (rc != OK)
		return rc;
	/* Terms are not echoed: they may be the wording of something withheld. */
	if (val_count(rows) == 0)
		buf_puts(&cli->note, "dossier: nothing found\n");
	return output_list(cli, "search", rows, columns, 3, e);
}

const struct cmd cmd_search = { "search", "TEXT ...", "records that hold every term, anywhere in a word",
	options, 1, -1, run };
