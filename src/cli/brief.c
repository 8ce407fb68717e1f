#include "cli/commands.h"
#include "cli/output.h"

static const struct cmd_option options[] = {
	{ "output", 'o', "FILE", "write there; the name must hold INTERNAL" },
	{ NULL, 0, NULL, NULL },
};

static int
run(struct cli *cli, struct err *e)
{
	const char *path = cli_option(cli, "output");
	int rc = path != NULL ? check_internal_name(path, e) : OK;

	if (rc == OK)
		rc = write_document(cli, DOCUMENT_BRIEF, true, e);
	if (rc == OK && path != NULL)
		rc = output_file(cli, path, e);
	return rc;
}

const struct cmd cmd_brief = { "brief", "CUSTOMER.yaml", "one page for the taxi, internal", options, 1, 1,
	run };
