#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "db/db.h"
#include "ingest/fields.h"
#include "kb/kb.h"
#include "sql.h"

static const struct cmd_option options[] = {
	FORMAT_OPTION,
	BOM_OPTION,
	{ "quarantined", 'q', NULL, "the claims in quarantine, and evidence under review" },
	{ NULL, 0, NULL, NULL },
};

/* archetypes, claims, sources, ... and what each holds beside its name. */
static int
statement_of(enum kind_id kind)
{
	switch (kind) {
	case KIND_ARCHETYPE:
		return KB_LIST_ARCHETYPES;
	case KIND_CLAIM:
		return KB_LIST_CLAIMS;
	case KIND_SOURCE:
	case KIND_MEASUREMENT:
		return KB_LIST_SOURCES;
	default:
		return KB_LIST;
	}
}

static int
unknown_kind(const char *name, struct err *e)
{
	return err_set(e, ERR_USAGE, "expected archetypes, claims, sources, measurements, models, "
	    "accelerators, tiers or levers, found `%.40s`", name);
}

static int
run(struct cli *cli, struct err *e)
{
	static const struct render_column plain[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "name", "name", RENDER_ALIGN_LEFT, true },
	};
	static const struct render_column archetypes[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "name", "name", RENDER_ALIGN_LEFT, true },
		{ "claims", "claims", RENDER_ALIGN_RIGHT, false },
		{ "evidence", "evidence", RENDER_ALIGN_LEFT, false },
	};
	static const struct render_column claims[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "archetypes", "archetypes", RENDER_ALIGN_LEFT, false },
		{ "name", "statement", RENDER_ALIGN_LEFT, true },
	};
	static const struct render_column sources[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "grade", "grade", RENDER_ALIGN_LEFT, false },
		{ "findings", "findings", RENDER_ALIGN_RIGHT, false }, { "name", "title", RENDER_ALIGN_LEFT, true },
	};
	bool quarantined = cli_option(cli, "quarantined") != NULL;
	const struct kind *kind = kind_find(cli->operands[0]);
	struct kb *kb, *opened = NULL;
	struct val *rows;
	const char *name;
	int statement, rc;

	if (kind == NULL || kind->id == KIND_CUSTOMER || kind->id == KIND_DECISION || (kind->id == KIND_QUARANTINE && !quarantined))
		return unknown_kind(cli->operands[0], e);
	if (output_format(cli, e) == NULL)
		return e->code;
	name = quarantined && kind->id == KIND_CLAIM ? kinds[KIND_QUARANTINE].name : kind->name;
	statement = quarantined && kind->id == KIND_CLAIM ? KB_LIST_WITHHELD : statement_of(kind->id);
	rc = quarantined ? cli_quarantine(&opened, cli, e) : cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = db_rows(&rows, &cli->arena, kb_db(quarantined ? opened : kb), statement, e, "ss", name,
		    cli_lang(cli, NULL));
	kb_close(opened);
	if (rc != OK)
		return rc;
	switch (statement) {
	case KB_LIST_ARCHETYPES:
		return output_list(cli, kind->plural, rows, archetypes, 4, e);
	case KB_LIST_CLAIMS:
	case KB_LIST_WITHHELD:
		return output_list(cli, kind->plural, rows, claims, 3, e);
	case KB_LIST_SOURCES:
		return output_list(cli, kind->plural, rows, sources, 4, e);
	default:
		return output_list(cli, kind->plural, rows, plain, 2, e);
	}
}

const struct cmd cmd_list = { "list", "KIND", "what the knowledge base holds of a kind", options,
	1, 1, run };
