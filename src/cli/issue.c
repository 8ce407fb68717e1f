#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "cli/version.h"
#include "drafts/issue.h"
#include "drafts/lint.h"
#include "ingest/forms.h"
#include "kb/kb.h"
#include "ledger/ledger.h"
#include "render/findings.h"
#include "render/json.h"
#include "util/file.h"
#include "util/utf8.h"
#include "yaml/yn.h"

static const struct cmd_option options[] = {
	{ "to", 't', "NAME", "who gets it: a person or a company" },
	{ "by", 0, "NAME", "who sends it (default: your login name)" },
	{ "date", 0, "DATE", "the day of sending, YYYY-MM-DD (default: today)" },
	RUNS_OPTION,
	{ "receipt", 'r', "FILE", "write the receipt there instead of to standard output" },
	{ "reprint", 0, NULL, "write the receipt of a draft that was issued again, and record nothing: give its "
	    "file, or the number of its entry" },
	{ NULL, 0, NULL, NULL },
};

static const struct finding_rule rules[] = {
	{ "due", FINDING_ERROR, "rests on a finding that is past its review date",
	    "The draft was written when the finding was fresh, or from knowledge that nobody has looked after since.",
	    "Review the source (its review_by), or write the draft anew without it." },
	{ NULL, FINDING_NOTE, NULL, NULL, NULL },
};

/* ---- who, when, to whom ---- */

/* A name stands in one line of a receipt and of a listing. */
static int
check_name(const char *option, const char *name, struct err *e)
{
	struct err ignored = ERR_INIT;

	if (name[strspn(name, " ")] == '\0' || strpbrk(name, "\n\t") != NULL ||
	    utf8_check(name, strlen(name), option, &ignored) != OK)
		return err_set(e, ERR_USAGE, "--%s: expected a name in one line", option);
	return OK;
}

static const char *
login_name(struct arena *a)
{
	const struct passwd *user = getpwuid(geteuid());

	return user != NULL ? arena_strdup(a, user->pw_name) : arena_printf(a, "user %ld", (long)geteuid());
}

static const char *
today(struct arena *a)
{
	time_t now = time(NULL);
	char date[16] = "";
	struct tm tm;

	if (localtime_r(&now, &tm) != NULL)
		strftime(date, sizeof date, "%Y-%m-%d", &tm);
	return arena_strdup(a, date);
}

static int
read_sent(struct issue_sent *out, struct cli *cli, struct err *e)
{
	const char *receipt = cli_option(cli, "receipt");

	if (receipt != NULL && output_apart(cli, "receipt", receipt, e) != OK)
		return e->code;
	*out = (struct issue_sent){
		.to = cli_option(cli, "to"), .by = cli_option(cli, "by"), .date = cli_option(cli, "date"),
		.program = DOSSIER_VERSION,
	};
	if (out->to == NULL)
		return err_set(e, ERR_USAGE, "expected --to NAME: who gets the draft");
	if (check_name("to", out->to, e) != OK || (out->by != NULL && check_name("by", out->by, e) != OK))
		return e->code;
	if (out->date != NULL && !date_is_valid(out->date, false))
		return err_set(e, ERR_USAGE, "--date: expected a date YYYY-MM-DD that exists, found `%.40s`", out->date);
	if (out->by == NULL)
		out->by = login_name(&cli->arena);
	if (out->date == NULL)
		out->date = today(&cli->arena);
	return OK;
}

/* ---- the knowledge ---- */

static int
read_knowledge(struct issue_knowledge *out, struct cli *cli, struct err *e)
{
	struct layer built_in = cli_built_in(), images;
	int rc = cli_layer(&images, cli, e);

	if (rc != OK)
		return rc;
	out->built_in = hash_bytes(built_in.knowledge, built_in.knowledge_len);
	out->image = images.knowledge == built_in.knowledge
	    ? out->built_in : hash_bytes(images.knowledge, images.knowledge_len);
	out->layer_count = cli_layers(&out->layers, cli);
	return OK;
}

/* ---- checking ---- */

/* A run of a workload that the draft does not have would be held against nothing. */
static int
check_runs(const struct issue *issue, const struct lint_options *lint, struct err *e)
{
	for (size_t i = 0; i < lint->run_count; i++) {
		const char *workload = lint->runs[i].workload;
		bool found = false;

		for (size_t k = 0; k < val_count(issue->uses.figures); k++) {
			const char *label = val_get_text(issue->uses.figures->list.items[k], "label");
			size_t n = strlen(workload);

			found = found || (strncmp(label, workload, n) == 0 && label[n] == '.');
		}
		if (!found)
			return err_set(e, ERR_INPUT, "--sizing: expected a workload of the draft, found `%.60s`", workload);
	}
	return OK;
}

/* May it be sent? What stands against it goes to `found`. */
static int
check_draft(struct findings *found, struct cli *cli, struct kb *kb, const struct buf *text,
    const char *path, const struct issue *issue, struct issue_sent *sent, struct err *e)
{
	struct lint_options lint = { .file_name = strcmp(path, "<stdin>") != 0 ? path : NULL };
	int rc = cli_runs(&lint, cli, e);

	if (rc == OK)
		rc = check_runs(issue, &lint, e);
	if (rc == OK)
		rc = cli_quarantine(&lint.quarantine, cli, e);
	if (rc == OK)
		rc = drafts_lint(found, kb, &cli->arena, text->s, text->len, path, &lint, e);
	sent->runs = lint.runs;
	sent->run_count = lint.run_count;
	if (issue->uses.due.review_by != NULL && strcmp(issue->uses.due.review_by, sent->date) < 0)
		findings_add(found, &rules[0], (struct place){ path, 0, 0 }, issue->uses.due.finding,
		    "%s was to be reviewed by %s", issue->uses.due.finding, issue->uses.due.review_by);
	findings_sort(found);
	kb_close(lint.quarantine);
	return rc;
}

/* Warnings are for whoever sends it to judge; they are told, and do not stop it. */
static int
tell(const struct findings *found, struct buf *out, struct err *e)
{
	const struct findings_tool tool = { "dossier", DOSSIER_VERSION, rules, "dossier.findings/1" };

	return render_findings(out, found, FINDINGS_TEXT, &tool, 0, e);
}

static int
refuse(struct cli *cli, const struct findings *found, struct err *e)
{
	int rc = tell(found, &cli->out, e);

	buf_printf(&cli->note, "dossier: not issued: %zu error%s in the draft\n", found->counts[FINDING_ERROR],
	    found->counts[FINDING_ERROR] == 1 ? "" : "s");
	cli->status = 1;
	return rc;
}

/* ---- recording ---- */

/*
 * The receipt is written beside its place before the entry is committed, and put there after: so
 * a disk that is full for the one leaves the other undone.
 */
static int
record(struct cli *cli, struct ledger *l, const struct val *body, const char *path, struct ledger_entry *entry,
    struct err *e)
{
	struct val *receipt = issue_receipt(body, &cli->arena);
	struct file_staged staged = { 0 };
	struct buf text = BUF_INIT, json = BUF_INIT;
	int rc = render_json(&json, body, RENDER_JSON_COMPACT, e);

	if (rc == OK)
		rc = ledger_append(entry, l, &cli->arena, "issue", val_get_text(body, "date"), json.s, e);
	if (rc == OK) {
		ledger_sign_receipt(receipt, &cli->arena, entry);
		rc = yn_write(&text, receipt, e);
	}
	if (rc == OK)
		rc = file_stage(&staged, path, text.s, text.len, 0600, e);
	if (rc == OK)
		rc = ledger_commit(l, e);
	if (rc == OK) {
		rc = file_publish(&staged, e);
		if (rc != OK)
			buf_printf(&cli->note, "dossier: the draft is issued, as entry %lld; `dossier issue --reprint %lld` "
			    "writes its receipt again\n", (long long)entry->seq, (long long)entry->seq);
	}
	file_discard(&staged);
	buf_release(&json);
	buf_release(&text);
	return rc;
}

static int
issue_draft(struct cli *cli, const struct issue *issue, const struct issue_sent *sent, struct err *e)
{
	const char *ledger_path, *receipt_path = cli_option(cli, "receipt");
	struct issue_knowledge knowledge;
	struct ledger_entry entry;
	struct ledger *l = NULL;
	int rc = cli_ledger_path(&ledger_path, cli, e);

	if (rc == OK)
		rc = read_knowledge(&knowledge, cli, e);
	if (rc == OK && cli->ledger == NULL) /* a folder that was named must be there: a slip would make one */
		rc = file_make_parents(ledger_path, e);
	if (rc == OK)
		rc = ledger_open(&l, ledger_path, e);
	if (rc == OK)
		rc = record(cli, l, issue_body(issue, sent, &knowledge, &cli->arena),
		    receipt_path != NULL ? receipt_path : "-", &entry, e);
	ledger_close(l);
	if (rc == OK && receipt_path != NULL && strcmp(receipt_path, "-") != 0)
		buf_printf(&cli->out, "entry %lld: %s to %s, %s%s%s\n", (long long)entry.seq, issue->name, sent->to,
		    sent->date, issue->uses.due.review_by != NULL ? "; sendable until " : "",
		    issue->uses.due.review_by != NULL ? issue->uses.due.review_by : "");
	return rc;
}

/* ---- a receipt again ---- */

/* "3" is the number of an entry, anything else the file of a draft (one of that name is ./3). */
static int
read_which(struct issued_which *out, struct cli *cli, struct err *e)
{
	const char *operand = cli->operands[0];
	size_t digits = strspn(operand, "0123456789");
	struct buf text = BUF_INIT;
	int rc;

	*out = (struct issued_which){ .content = NULL };
	if (digits > 0 && operand[digits] == '\0') {
		if (digits > 18 || (out->seq = strtoll(operand, NULL, 10)) == 0)
			return err_set(e, ERR_USAGE, "expected the number of an entry, found `%.40s`", operand);
		return OK;
	}
	rc = file_read(&text, operand, e);
	if (rc == OK)
		out->content = arena_strdup(&cli->arena, hash_bytes(text.s, text.len).hex);
	buf_release(&text);
	return rc;
}

static int
reprint(struct cli *cli, struct err *e)
{
	static const char *const recorded[] = { "to", "by", "date", "sizing", NULL };
	const char *ledger_path, *path = cli_option(cli, "receipt");
	struct issued_which which;
	struct ledger *l = NULL;
	struct val *receipt;
	struct buf text = BUF_INIT;
	int rc = read_which(&which, cli, e);

	if (rc == OK && path != NULL)
		rc = output_apart(cli, "receipt", path, e);
	for (int i = 0; rc == OK && recorded[i] != NULL; i++)
		if (cli_option(cli, recorded[i]) != NULL)
			rc = err_set(e, ERR_USAGE, "--%s: found with --reprint, which says what was recorded", recorded[i]);
	if (rc == OK)
		rc = cli_ledger_path(&ledger_path, cli, e);
	if (rc == OK)
		rc = ledger_open_read(&l, ledger_path, e);
	if (rc == OK)
		rc = issued_receipt(&receipt, l, &cli->arena, &which, e);
	if (rc == OK)
		rc = yn_write(&text, receipt, e);
	if (rc == OK)
		rc = file_replace(path != NULL ? path : "-", text.s, text.len, 0600, e);
	ledger_close(l);
	buf_release(&text);
	return rc;
}

static int
issue(struct cli *cli, struct err *e)
{
	const char *path = strcmp(cli->operands[0], "-") == 0 ? "<stdin>" : cli->operands[0];
	struct buf text = BUF_INIT;
	struct issue_sent sent;
	struct findings found;
	struct issue draft;
	struct kb *kb;
	int rc = read_sent(&sent, cli, e);

	findings_init(&found, &cli->arena);
	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = file_read(&text, cli->operands[0], e);
	if (rc == OK)
		rc = issue_read(&draft, kb, &cli->arena, text.s, text.len, path, e);
	if (rc == OK)
		rc = check_draft(&found, cli, kb, &text, path, &draft, &sent, e);
	if (rc == OK && found.counts[FINDING_ERROR] > 0)
		rc = refuse(cli, &found, e);
	else if (rc == OK && (rc = tell(&found, &cli->note, e)) == OK)
		rc = issue_draft(cli, &draft, &sent, e);
	buf_release(&text);
	return rc;
}

static int
run(struct cli *cli, struct err *e)
{
	return cli_option(cli, "reprint") != NULL ? reprint(cli, e) : issue(cli, e);
}

const struct cmd cmd_issue = { "issue", "DRAFT.md", "record a draft that is sent, with a receipt",
	options, 1, 1, run };
