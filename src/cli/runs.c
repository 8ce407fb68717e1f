#include "cli/runs.h"

#include <string.h>

#include "json/jn.h"
#include "util/file.h"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* To the comma before the next WORKLOAD=, or to the end: a file's name may have commas of its own. */
static size_t
length_of(const char *given)
{
	for (const char *comma = strchr(given, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
		size_t word = strspn(comma + 1, WORD);

		if (word > 0 && comma[1 + word] == '=')
			return (size_t)(comma - given);
	}
	return strlen(given);
}

/* "chat=run.json" */
static int
read_run(struct lint_run *out, struct cli *cli, const char *given, struct err *e)
{
	const char *equals = strchr(given, '='), *format;
	struct buf text = BUF_INIT;
	struct val *result;
	int rc;

	if (equals == NULL || equals == given)
		return err_set(e, ERR_USAGE, "--sizing: expected WORKLOAD=FILE, found `%.80s`", given);
	rc = file_read(&text, equals + 1, e);
	if (rc == OK)
		rc = jn_parse(&result, &cli->arena, text.s, text.len, equals + 1, e);
	if (rc == OK)
		*out = (struct lint_run){ .workload = arena_strndup(&cli->arena, given, (size_t)(equals - given)),
			.result = result, .content = hash_bytes(text.s, text.len) };
	buf_release(&text);
	if (rc != OK)
		return rc;
	format = val_get_text(result, "format");
	if (format == NULL || strcmp(format, "dossier.sizing/1") != 0)
		return err_at(e, ERR_INPUT, (struct place){ equals + 1, 0, 0 }, "expected a result of the format dossier.sizing/1");
	return OK;
}

int
cli_runs(struct lint_options *o, struct cli *cli, struct err *e)
{
	const char *given = cli_option(cli, "sizing");
	struct lint_run *runs;
	int rc = OK;

	if (given == NULL)
		return OK;
	o->runs = runs = arena_alloc(&cli->arena, (strlen(given) / 2 + 1) * sizeof *runs);
	do {
		size_t len = length_of(given);

		rc = read_run(&runs[o->run_count++], cli, arena_strndup(&cli->arena, given, len), e);
		given += len;
	} while (rc == OK && *given++ == ',');
	return rc;
}
