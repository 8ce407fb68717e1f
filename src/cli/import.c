#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "import/import.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "util/file.h"
#include "yaml/yn.h"

static const struct cmd_option options[] = {
	{ "output", 'o', "DIR", "write the record and a document that it cites below DIR" },
	{ "id", 0, "ID", "the record's id; by default from the name of the file" },
	{ "name", 0, "NAME", "the model's name" },
	{ "date", 0, "DATE", "with -o: the day on which the file was read" },
	{ "url", 0, "URL", "with -o: where the file can be opened" },
	{ "publisher", 0, "NAME", "with -o: who published the file" },
	{ "replace", 0, NULL, "with -o: write over records that are there" },
	{ NULL, 0, NULL, NULL },
};

/* What only a person can say must be said before anything is read. */
static int
read_options(struct import_options *out, struct cli *cli, struct err *e)
{
	bool written = cli_option(cli, "output") != NULL;

	*out = (struct import_options){ .id = cli_option(cli, "id"), .name = cli_option(cli, "name"),
		.publisher = cli_option(cli, "publisher"), .date = cli_option(cli, "date"), .url = cli_option(cli, "url") };
	if (out->id != NULL && (out->id[0] == '\0' || strlen(out->id) > 60 || strchr("-.", out->id[0]) != NULL ||
	    strspn(out->id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != strlen(out->id)))
		return err_set(e, ERR_USAGE, "--id: expected up to 60 small letters, digits, hyphens and dots, found `%.60s`", out->id);
	if (out->date != NULL && !date_is_valid(out->date, false))
		return err_set(e, ERR_USAGE, "--date: expected a date such as 2026-12-01, found `%.40s`", out->date);
	if (written && (out->date == NULL || out->url == NULL))
		return err_set(e, ERR_USAGE, "--output: expected --date and --url beside it, for the document that the record cites");
	if (out->url != NULL && strncmp(out->url, "http://", 7) != 0 && strncmp(out->url, "https://", 8) != 0)
		return err_set(e, ERR_USAGE, "--url: expected an address that begins with https://, found `%.60s`", out->url);
	if (!written)
		out->date = NULL;
	return OK;
}

static void
show_notes(struct cli *cli, const struct import *import)
{
	for (size_t i = 0; i < import->note_count; i++) {
		const struct import_note *n = &import->notes[i];
		const char *text = strcmp(cli_lang(cli, NULL), "ko") == 0 ? n->ko : n->en;
		char place[640];

		place_text(place, sizeof place, n->at);
		buf_printf(&cli->note, "%s%snote: %s\n", place, place[0] != '\0' ? ": " : "", text);
	}
}

/* A name that stands for another record already could not be loaded. */
static int
check_id(struct cli *cli, const char *id, struct err *e)
{
	const char *taken;
	struct kb *kb;
	int rc = cli_kb(&kb, cli, e);

	if (rc == OK)
		rc = kb_resolve(&taken, kb, &cli->arena, id, NULL, e);
	if (rc == OK && taken != NULL && strcmp(taken, id) != 0)
		return err_set(e, ERR_INPUT, "`%s` stands for the record %s: give another --id", id, taken);
	return rc;
}

static int
write_records(struct cli *cli, const struct import *import, const char *folder, struct err *e)
{
	const char *model = arena_printf(&cli->arena, "%s/evidence/models/%s.yaml", folder, import->id);
	const char *document = arena_printf(&cli->arena, "%s/evidence/documents/%s-file.yaml", folder, import->id);
	struct buf record = BUF_INIT, cited = BUF_INIT;
	bool replace = cli_option(cli, "replace") != NULL, was_there = access(document, F_OK) == 0;
	int rc = check_id(cli, import->id, e);

	if (rc != OK)
		return rc;
	if (!replace && (access(model, F_OK) == 0 || was_there))
		return err_set(e, ERR_INPUT, "expected no record %.200s yet, found one: --replace writes over it",
		    access(model, F_OK) == 0 ? model : document);
	rc = yn_write(&record, import->record, e);
	if (rc == OK)
		rc = yn_write(&cited, import->document, e);
	if (rc == OK)
		rc = file_make_parents(model, e);
	if (rc == OK)
		rc = file_make_parents(document, e);
	if (rc == OK)
		rc = file_replace(document, cited.s, cited.len, 0644, e);
	if (rc == OK) {
		rc = file_replace(model, record.s, record.len, 0644, e);
		if (rc != OK && !was_there)
			unlink(document); /* one half alone is of no use */
	}
	if (rc == OK)
		buf_printf(&cli->note, "dossier: written %s and %s\n", model, document);
	buf_release(&record);
	buf_release(&cited);
	return rc;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *folder = cli_option(cli, "output");
	struct import_options chosen;
	struct import import;
	int rc = read_options(&chosen, cli, e);

	if (rc == OK)
		rc = import_file(&import, &cli->arena, cli->operands[0], &chosen, e);
	if (rc != OK)
		return rc;
	show_notes(cli, &import);
	if (folder != NULL && import.weights_only)
		return err_set(e, ERR_INPUT, "expected a configuration beside the weights: a record without a geometry is not written");
	return folder != NULL ? write_records(cli, &import, folder, e) : yn_write(&cli->out, import.record, e);
}

const struct cmd cmd_import = { "import", "FILE", "a model's configuration or weights to a record", options, 1, 1, run };
