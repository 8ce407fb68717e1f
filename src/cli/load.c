#include <sys/stat.h>

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "ingest/pair.h"

static const struct cmd_option options[] = {
	{ "output", 'o', "FILE", "write the knowledge database there, the quarantine beside it" },
	{ "alone", 0, NULL, "as a whole knowledge base, not laid over the default content" },
	{ NULL, 0, NULL, NULL },
};

const char load_notes[] =
	"The quarantine lies beside FILE: kb-quarantine.db beside kb.db. Copy and move both\n"
	"together: FILE names the one that is its own, and beside another's it is refused. Both are\n"
	"replaced in one step. Where a load was killed, the old state opens or the new one; the\n"
	"quarantine may then lie under a name with a digest (kb-quarantine-DIGEST.db) until the next\n"
	"load puts that right.\n";

/* Two files are written: the one named, and its quarantine beside it. */
static int
check_path(const char *path, struct err *e)
{
	struct stat st;

	if (path[0] == '\0' || strcmp(path, "-") == 0)
		return err_set(e, ERR_USAGE, "--output: expected the name of a file, found `%s`", path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, ERR_USAGE, "--output: expected the name of a file, found what is none: `%.200s`", path);
	return OK;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *root = cli->operand_count > 0 ? cli->operands[0] : ".";
	const char *path = cli_option(cli, "output");
	struct layer nothing = { NULL, NULL, 0, 0 };
	struct layer below = cli_option(cli, "alone") != NULL ? nothing : cli_built_in();
	struct build build;
	int rc = path != NULL ? check_path(path, e) : OK;

	memset(&build, 0, sizeof build);
	if (rc == OK)
		rc = build_folder(&build, root, &below, &cli->errs, e);
	if (rc == OK && path != NULL)
		rc = pair_write(path, &build.knowledge, &build.quarantine, e);
	for (size_t i = 0; rc == OK && i < build.notes.kept; i++)
		buf_printf(&cli->note, "%s: %s\n", build.notes.items[i].where, build.notes.items[i].text);
	if (rc == OK)
		buf_printf(&cli->note, "dossier: %zu record%s in order%s%s\n", build.records,
		    build.records == 1 ? " is" : "s are", path != NULL ? ", written to " : "", path != NULL ? path : "");
	if (rc == OK && build.fallen > 0)
		buf_printf(&cli->note, "dossier: %zu of the sourced claims count%s as quarantined; `dossier audit` says why\n",
		    build.fallen, build.fallen == 1 ? "s" : "");
	else if (cli->errs.count > 0)
		err_set(e, ERR_INPUT, "%zu fault%s; nothing was written", cli->errs.count,
		    cli->errs.count == 1 ? "" : "s");
	build_release(&build);
	return rc;
}

const struct cmd cmd_load = { "load", "[DIR]", "check a folder of records and compile it", options,
	0, 1, run };
