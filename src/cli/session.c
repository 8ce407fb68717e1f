#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/images.h"
#include "kb/kb.h"

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

static int
find_layer(struct layer *out, struct cli *cli, struct err *e)
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

int
cli_kb(struct kb **out, struct cli *cli, struct err *e)
{
	struct layer layer;
	int rc = OK;

	if (cli->kb == NULL) {
		rc = find_layer(&layer, cli, e);
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
	int rc = find_layer(&layer, cli, e);

	*out = NULL;
	return rc == OK ? kb_open_quarantine(out, layer.quarantine, layer.quarantine_len, e) : rc;
}

const char *
cli_lang(const struct cli *cli, const char *otherwise)
{
	if (cli->lang != NULL)
		return cli->lang;
	return otherwise != NULL ? otherwise : "en";
}
