#define _XOPEN_SOURCE 700 /* realpath */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cmd.h"
#include "cli/images.h"
#include "kb/kb.h"
#include "util/file.h"
#include "yaml/yn.h"

struct layer
cli_built_in(void)
{
	return (struct layer){ image_knowledge, image_quarantine, (size_t)image_knowledge_len,
		(size_t)image_quarantine_len };
}

/* $DOSSIER_KB first, --kb over it. A list of paths is separated by colons. */
static size_t
kb_paths(struct cli *cli, const char **paths)
{
	const char *env = getenv("DOSSIER_KB");
	size_t n = 0;

	while (env != NULL && *env != '\0' && n < CMD_MAX_REPEATS) {
		size_t len = strcspn(env, ":");

		if (len > 0)
			paths[n++] = arena_strndup(&cli->arena, env, len);
		env += len + (env[len] == ':');
	}
	for (size_t i = 0; i < cli->kb_count; i++)
		paths[n++] = cli->kb_paths[i];
	return n;
}

static const char *
cache_folder(struct cli *cli)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (base != NULL && base[0] == '/')
		return arena_printf(&cli->arena, "%s/dossier", base);
	if (home != NULL && home[0] == '/')
		return arena_printf(&cli->arena, "%s/.cache/dossier", home);
	return NULL;
}

int
cli_layer(struct layer *out, struct cli *cli, struct err *e)
{
	const char *paths[2 * CMD_MAX_REPEATS];
	size_t n = kb_paths(cli, paths);
	struct layer below = cli_built_in();
	int rc;

	*out = below;
	if (n == 0)
		return OK;
	if (cli->built.knowledge.len == 0) {
		rc = build_layers(&cli->built, paths, n, &below, cache_folder(cli), &cli->errs, e);
		if (rc != OK)
			return rc;
	}
	*out = (struct layer){ cli->built.knowledge.bytes, cli->built.quarantine.bytes,
		cli->built.knowledge.len, cli->built.quarantine.len };
	return OK;
}

/* The id of a claim whose file, below this folder, has the name among its aliases; NULL: none. */
static const char *
id_of_alias(struct cli *cli, const struct file_list *files, const char *name)
{
	for (size_t i = 0; i < files->count; i++) {
		struct err ignored = ERR_INIT;
		const struct val *aliases;
		struct val *body;

		if (yn_read(&body, &cli->arena, files->items[i].path, &ignored) != OK)
			continue;
		aliases = val_get(body, "aliases");
		for (size_t k = 0; val_is(aliases, VAL_LIST) && k < val_count(aliases); k++)
			if (val_text(aliases->list.items[k]) != NULL && strcasecmp(val_text(aliases->list.items[k]), name) == 0)
				return val_get_text(body, "id");
	}
	return NULL;
}

/* The id of the claim that a folder has by this name: as its file is named, or by an alias. NULL: it has none. */
static const char *
find_claim(struct cli *cli, const char *root, const char *name)
{
	static const char *const folders[] = { "claims/quarantine", "claims/sourced" };
	const char *file = arena_printf(&cli->arena, "/%s.yaml", name), *id = NULL;
	struct err ignored = ERR_INIT;
	struct file_list files[2];

	for (int f = 0; f < 2; f++) {
		if (!file_is_dir(root) || file_walk(&files[f], &cli->arena, root, folders[f], ".yaml", &ignored) != OK)
			return NULL;
		for (size_t i = 0; i < files[f].count; i++) {
			size_t n = strlen(files[f].items[i].name), k = strlen(file);

			if (n > k && strcmp(files[f].items[i].name + n - k, file) == 0)
				return name;
		}
	}
	for (int f = 0; f < 2 && id == NULL; f++)
		id = id_of_alias(cli, &files[f], name);
	return id;
}

int
cli_claim_folder(const char **root, const char **id, struct layer *below, struct cli *cli, const char *name,
    struct err *e)
{
	const char *paths[2 * CMD_MAX_REPEATS];
	size_t n = kb_paths(cli, paths), folders = 0, i;
	struct layer built_in = cli_built_in();
	int rc = OK;

	for (i = 0; i < n; i++)
		folders += file_is_dir(paths[i]);
	if (folders == 0)
		return err_set(e, ERR_USAGE, "a decision is written beside its claim: expected --kb DIR, the folder "
		    "that has its file, found %s", n == 0 ? "none" : "no folder");
	for (i = n; i > 0 && (*id = find_claim(cli, paths[i - 1], name)) == NULL; i--)
		;
	if (i == 0)
		return err_set(e, ERR_INPUT, "expected claims/quarantine/%.80s.yaml or claims/sourced/%.80s.yaml in "
		    "the folder of --kb, found neither", name, name);
	*root = paths[i - 1];
	*below = built_in;
	if (i > 1) {
		rc = build_layers(&cli->built, paths, i - 1, &built_in, cache_folder(cli), &cli->errs, e);
		*below = (struct layer){ cli->built.knowledge.bytes, cli->built.quarantine.bytes,
			cli->built.knowledge.len, cli->built.quarantine.len };
	}
	return rc;
}

int
cli_kb(struct kb **out, struct cli *cli, struct err *e)
{
	struct layer layer;
	int rc = OK;

	if (cli->kb == NULL) {
		rc = cli_layer(&layer, cli, e);
		if (rc == OK)
			rc = kb_open(&cli->kb, layer.knowledge, layer.knowledge_len, e);
	}
	*out = cli->kb;
	return rc;
}

int
cli_quarantine(struct kb **out, struct cli *cli, struct err *e)
{
	struct layer layer;
	int rc = cli_layer(&layer, cli, e);

	*out = NULL;
	return rc == OK ? kb_open_quarantine(out, layer.quarantine, layer.quarantine_len, e) : rc;
}

size_t
cli_layers(const char *const **paths, struct cli *cli)
{
	const char **absolute = arena_alloc(&cli->arena, 2 * CMD_MAX_REPEATS * sizeof *absolute);
	size_t n = kb_paths(cli, absolute);

	for (size_t i = 0; i < n; i++) {
		char *real = realpath(absolute[i], NULL);

		if (real != NULL)
			absolute[i] = arena_strdup(&cli->arena, real);
		free(real);
	}
	*paths = absolute;
	return n;
}

int
cli_ledger_path(const char **out, struct cli *cli, struct err *e)
{
	const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (cli->ledger != NULL)
		*out = cli->ledger;
	else if (base != NULL && base[0] == '/')
		*out = arena_printf(&cli->arena, "%s/dossier/ledger.db", base);
	else if (home != NULL && home[0] == '/')
		*out = arena_printf(&cli->arena, "%s/.local/state/dossier/ledger.db", home);
	else
		return err_set(e, ERR_SYSTEM, "expected a home folder for the ledger ($HOME), found none; --ledger FILE names one");
	return OK;
}

const char *
cli_lang(const struct cli *cli, const char *otherwise)
{
	if (cli->lang != NULL)
		return cli->lang;
	return otherwise != NULL ? otherwise : "en";
}
