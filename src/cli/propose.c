#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"

static const struct cmd_option options[] = {
	{ "audience", 'a', "WHO", "customer (the default) or internal" },
	{ "output", 'o', "FILE", "write there instead of standard output" },
	{ NULL, 0, NULL, NULL },
};

static int
run(struct cli *cli, struct err *e)
{
	const char *audience = cli_option(cli, "audience"), *path = cli_option(cli, "output");
	bool internal = audience != NULL && strcmp(audience, "internal") == 0;
	int rc = OK;

	if (audience != NULL && !internal && strcmp(audience, "customer") != 0)
		return err_set(e, ERR_USAGE, "--audience: expected customer or internal, found `%.40s`", audience);
	if (internal && path != NULL)
		rc = check_internal_name(path, e);
	if (rc == OK)
		rc = write_document(cli, DOCUMENT_PROPOSAL, internal, e);
	if (rc == OK && path != NULL)
		rc = output_file(cli, path, e);
	return rc;
}

const struct cmd cmd_propose = { "propose", "CUSTOMER.yaml", "a proposal draft that follows the bottleneck",
	options, 1, 1, run };
