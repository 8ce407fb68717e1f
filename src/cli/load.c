#include <stdio.h>

#include "cli/commands.h"
#include "util/file.h"

static const struct cmd_option options[] = {
	{ "output", 'o', "FILE", "write the knowledge database there, the quarantine beside it" },
	{ NULL, 0, NULL, NULL },
};

static int
write_databases(struct cli *cli, const struct build *build, const char *path, struct err *e)
{
	int rc = file_replace(build_quarantine_path(&cli->arena, path), build->quarantine.bytes,
	    build->quarantine.len, 0644, e);

	if (rc == OK)
		rc = file_replace(path, build->knowledge.bytes, build->knowledge.len, 0644, e);
	return rc;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *root = cli->operand_count > 0 ? cli->operands[0] : ".";
	const char *path = cli_option(cli, "output");
	struct layer below = cli_built_in();
	struct build build;
	int rc = build_folder(&build, root, &below, &cli->errs, e);

	if (rc == OK && path != NULL)
		rc = write_databases(cli, &build, path, e);
	if (rc == OK)
		buf_printf(&cli->note, "dossier: %zu records are in order%s%s\n", build.records,
		    path != NULL ? ", written to " : "", path != NULL ? path : "");
	else if (cli->errs.count > 0)
		err_set(e, ERR_INPUT, "%zu fault%s; nothing was written", cli->errs.count,
		    cli->errs.count == 1 ? "" : "s");
	build_release(&build);
	return rc;
}

const struct cmd cmd_load = { "load", "[DIR]", "check a folder of records and compile it", options,
	0, 1, run };
