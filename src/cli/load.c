#include <sys/stat.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "util/file.h"

static const struct cmd_option options[] = {
	{ "output", 'o', "FILE", "write the knowledge database there, the quarantine beside it" },
	{ "alone", 0, NULL, "as a whole knowledge base, not laid over the default content" },
	{ NULL, 0, NULL, NULL },
};

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

/* Both lie on the disk before either takes its place: what stood there goes only where both can follow. */
static int
write_databases(struct cli *cli, const struct build *build, const char *path, struct err *e)
{
	const char *beside = build_quarantine_path(&cli->arena, path);
	bool was_there = access(beside, F_OK) == 0;
	struct file_staged quarantine, knowledge = { 0 };
	int rc = file_stage(&quarantine, beside, build->quarantine.bytes, build->quarantine.len, 0644, e);

	if (rc == OK)
		rc = file_stage(&knowledge, path, build->knowledge.bytes, build->knowledge.len, 0644, e);
	if (rc == OK)
		rc = file_publish(&quarantine, e);
	if (rc == OK) {
		rc = file_publish(&knowledge, e);
		if (rc != OK && !was_there)
			unlink(beside); /* one half alone is of no use */
	}
	file_discard(&quarantine);
	file_discard(&knowledge);
	return rc;
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
		rc = write_databases(cli, &build, path, e);
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
