#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "db/db.h"
#include "decide/decide.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/utf8.h"

static const struct cmd_option options[] = {
	{ "evidence", 'e', "REF...", "of a release: the findings that carry it, as source.finding (repeatable)" },
	{ "by", 0, "NAME", "who decides" },
	{ "reason", 0, "TEXT", "why" },
	{ "date", 0, "DATE", "when it was decided (default: today)" },
	FORMAT_OPTION,
	BOM_OPTION,
	{ NULL, 0, NULL, NULL },
};

const char claim_notes[] =
	"actions:\n"
	"  release ID      out of quarantine, on evidence that carries it\n"
	"  quarantine ID   out of what may be said; or a retracted claim, to be looked at again\n"
	"  retract ID      for good: it was wrong\n"
	"  history ID      what was decided, by whom, when and why\n"
	"  list            the quarantine, with its last decisions\n"
	"\n"
	"A decision is an entry in claims/decisions/ID.yaml, to be committed with the claim. A\n"
	"release needs at least one verified finding of grade A, B or C; a figure one of grade A\n"
	"or B, or C that is labelled as reported by the press. Prepare the claim where it lies:\n"
	"`because`, and figures as ${name} with their findings.\n";

enum { DATE_SIZE = sizeof "2026-12-01", LINE_MAX_BYTES = 600 };

static const char *
today(struct arena *a)
{
	char date[DATE_SIZE + 8];
	time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	strftime(date, sizeof date, "%Y-%m-%d", &local);
	return arena_strdup(a, date);
}

/* One line of text from the command line, as it will stand in the file. */
static int
take_line(const char **out, struct cli *cli, const char *option, struct err *e)
{
	const char *text = cli_option(cli, option);
	struct err inside = ERR_INIT;

	if (text == NULL || text[strspn(text, " ")] == '\0')
		return err_set(e, ERR_USAGE, "--%s: expected one line of text, found nothing", option);
	if (utf8_check(text, strlen(text), NULL, &inside) != OK || utf8_bom(text, strlen(text)) > 0)
		return err_set(e, ERR_USAGE, "--%s: expected plain text in UTF-8", option);
	if (strpbrk(text, "\t\r\n") != NULL || strlen(text) > LINE_MAX_BYTES)
		return err_set(e, ERR_USAGE, "--%s: expected one line of at most %d bytes", option, LINE_MAX_BYTES);
	*out = utf8_nfc(&cli->arena, text, strlen(text), NULL);
	return OK;
}

/* References with commas between, each once. */
static void
add_refs(struct decide_request *r, struct arena *a, const char **refs, const char *text)
{
	while (*text != '\0') {
		size_t n = strcspn(text, ",");
		const char *ref = arena_strndup(a, text, n);
		bool again = n == 0;

		for (size_t i = 0; i < r->evidence_count; i++)
			again |= strcmp(refs[i], ref) == 0;
		if (!again)
			refs[r->evidence_count++] = ref;
		text += n + (text[n] == ',');
	}
}

/* The findings of --evidence, and those that stand behind the id. */
static void
take_evidence(struct decide_request *r, struct cli *cli)
{
	const char *list = cli_option(cli, "evidence");
	size_t most = cli->operand_count + 1;
	const char **refs;

	if (list == NULL)
		return;
	for (const char *c = list; *c != '\0'; c++)
		most += *c == ',';
	for (size_t i = 2; i < cli->operand_count; i++)
		for (const char *c = cli->operands[i]; *c != '\0'; c++)
			most += *c == ',';
	refs = arena_alloc(&cli->arena, most * sizeof *refs);
	add_refs(r, &cli->arena, refs, list);
	for (size_t i = 2; i < cli->operand_count; i++)
		add_refs(r, &cli->arena, refs, cli->operands[i]);
	r->evidence = refs;
}

static int
take_request(struct decide_request *r, struct cli *cli, struct err *e)
{
	const char *date = cli_option(cli, "date");
	bool release = r->action == DECISION_RELEASE;
	int rc = take_line(&r->by, cli, "by", e);

	if (rc == OK)
		rc = take_line(&r->reason, cli, "reason", e);
	if (rc != OK)
		return rc;
	if (date != NULL && !date_is_valid(date, false))
		return err_set(e, ERR_USAGE, "--date: expected a date YYYY-MM-DD that exists, found `%.40s`", date);
	r->on = date != NULL ? date : today(&cli->arena);
	if (!release && cli_option(cli, "evidence") != NULL)
		return err_set(e, ERR_USAGE, "--evidence is for a release only");
	take_evidence(r, cli);
	if (release && r->evidence_count == 0)
		return err_set(e, ERR_USAGE, "--evidence: expected the findings that carry the claim, as source.finding");
	return OK;
}

static int
decide_claim(struct cli *cli, enum decision_action action, struct err *e)
{
	struct decide_request request = { .action = action };
	struct layer below;
	const char *root;
	int rc = take_request(&request, cli, e);

	if (rc == OK)
		rc = cli_claim_folder(&root, &request.id, &below, cli, cli->operands[1], e);
	return rc == OK ? decide(&cli->note, &request, root, &below, &cli->errs, e) : rc;
}

static int
list(struct cli *cli, struct err *e)
{
	static const struct render_column columns[] = {
		{ "id", "id", RENDER_ALIGN_LEFT, false }, { "archetypes", "archetypes", RENDER_ALIGN_LEFT, true },
		{ "decision", "last decision", RENDER_ALIGN_LEFT, false },
		{ "decided_on", "on", RENDER_ALIGN_LEFT, false }, { "faults", "faults", RENDER_ALIGN_LEFT, false },
	};
	struct kb *quarantine;
	struct val *rows;
	int rc = cli_quarantine(&quarantine, cli, e);

	if (rc == OK)
		rc = db_rows(&rows, &cli->arena, kb_db(quarantine), KB_LIST_DECIDED, e, "");
	kb_close(quarantine);
	return rc == OK ? output_list(cli, "quarantined-claims", rows, columns, 5, e) : rc;
}

/* The id as it is stored, of a claim that is sourced or in quarantine. */
static int
resolve_claim(const char **id, struct cli *cli, struct kb *quarantine, struct err *e)
{
	struct kb *knowledge;
	int rc = cli_kb(&knowledge, cli, e);

	if (rc == OK)
		rc = kb_resolve(id, knowledge, &cli->arena, cli->operands[1], "claim", e);
	if (rc == OK && *id == NULL)
		rc = kb_resolve(id, quarantine, &cli->arena, cli->operands[1], "quarantined-claim", e);
	if (rc == OK && *id == NULL)
		rc = err_set(e, ERR_INPUT, "expected the id of a claim, found `%.80s`", cli->operands[1]);
	return rc;
}

/* Decisions in order, and on standard error what does not fit them. */
static int
print_history(struct cli *cli, struct kb *quarantine, struct err *e)
{
	static const struct render_column columns[] = {
		{ "number", "", RENDER_ALIGN_RIGHT, false }, { "decided_on", "on", RENDER_ALIGN_LEFT, false },
		{ "decision", "decision", RENDER_ALIGN_LEFT, false }, { "decided_by", "by", RENDER_ALIGN_LEFT, false },
		{ "reason", "reason", RENDER_ALIGN_LEFT, true }, { "evidence", "evidence", RENDER_ALIGN_LEFT, true },
	};
	struct val *rows, *faults;
	const char *id;
	int rc = resolve_claim(&id, cli, quarantine, e);

	if (rc == OK)
		rc = db_rows(&rows, &cli->arena, kb_db(quarantine), KB_DECISIONS, e, "s", id);
	if (rc == OK)
		rc = db_rows(&faults, &cli->arena, kb_db(quarantine), KB_STANDING, e, "s", id);
	if (rc == OK)
		rc = output_list(cli, "decisions", rows, columns, 6, e);
	if (rc != OK)
		return rc;
	if (val_count(rows) == 0)
		buf_printf(&cli->note, "dossier: nothing was decided about `%s` so far\n", id);
	for (size_t i = 0; i < val_count(faults); i++) {
		const struct val *fault = faults->list.items[i];

		buf_printf(&cli->note, "%s: %s\n", val_get_text(fault, "place"), val_get_text(fault, "message"));
		cli->status = 1;
	}
	return OK;
}

static int
history(struct cli *cli, struct err *e)
{
	struct kb *quarantine;
	int rc = cli_quarantine(&quarantine, cli, e);

	if (rc == OK)
		rc = print_history(cli, quarantine, e);
	kb_close(quarantine);
	return rc;
}

static int
run(struct cli *cli, struct err *e)
{
	const char *action = cli->operands[0];
	bool is_list = strcmp(action, "list") == 0, is_history = strcmp(action, "history") == 0;
	enum decision_action which = DECISION_RELEASE;

	while (which < DECISION_RETRACT && strcmp(action, decision_name(which)) != 0)
		which++;
	if (!is_list && !is_history && strcmp(action, decision_name(which)) != 0)
		return err_set(e, ERR_USAGE, "expected release, quarantine, retract, history or list, found `%.40s`", action);
	if (!is_list && cli->operand_count < 2)
		return err_set(e, ERR_USAGE, "expected the id of a claim behind `%s`, found nothing", action);
	if (cli->operand_count > (is_list ? 1u : 2u) && !(which == DECISION_RELEASE && cli_option(cli, "evidence") != NULL))
		return err_set(e, ERR_USAGE, "expected one claim, found `%.60s` as well", cli->operands[is_list ? 1 : 2]);
	if (output_format(cli, e) == NULL)
		return e->code;
	if (is_list)
		return list(cli, e);
	return is_history ? history(cli, e) : decide_claim(cli, which, e);
}

const struct cmd cmd_claim = { "claim", "ACTION [ID]", "decide what may be said: release, quarantine, retract",
	options, 1, -1, run };
