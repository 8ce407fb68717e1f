#include <string.h>

#include "cli/commands.h"
#include "cli/man.h"
#include "cli/output.h"
#include "ingest/schema.h"
#include "render/json.h"

static const struct cmd_option options[] = {
	{ "man", 0, NULL, "print the man page" },
	{ "schema", 0, "KIND", "print the JSON Schema of a kind of record" },
	{ NULL, 0, NULL, NULL },
};

static int
print_schema(struct cli *cli, const char *name, struct err *e)
{
	const struct kind *kind = kind_find(name);

	if (kind == NULL)
		return err_set(e, ERR_USAGE, "--schema: expected a kind such as archetype or customer, found `%.40s`",
		    name);
	return render_json(&cli->out, schema_of(&cli->arena, kind), RENDER_JSON_PRETTY, e);
}

static int
run(struct cli *cli, struct err *e)
{
	const struct cmd *cmd = NULL;

	if (cli_option(cli, "man") != NULL) {
		man_page(&cli->out);
		return OK;
	}
	if (cli_option(cli, "schema") != NULL)
		return print_schema(cli, cli_option(cli, "schema"), e);
	if (cli->operand_count > 0 && (cmd = cmd_find(cli->operands[0])) == NULL)
		return err_set(e, ERR_USAGE, "`%.60s` is no command; `dossier help` lists them", cli->operands[0]);
	cmd_usage(&cli->out, cmd);
	return OK;
}

const struct cmd cmd_help = { "help", "[COMMAND]", "how a command is used, the man page, the schemas", options,
	0, 1, run };
