#include "cli/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/version.h"
#include "util/near.h"

const struct cmd *const commands[] = {
	&cmd_intake, &cmd_brief, &cmd_propose, &cmd_issue, &cmd_size, &cmd_sweep, &cmd_advise, &cmd_list,
	&cmd_show, &cmd_search, &cmd_query, &cmd_audit, &cmd_lint, &cmd_claim, &cmd_load, &cmd_import,
	&cmd_help, &cmd_completion, NULL,
};

const struct cmd_option global_options[] = {
	{ "kb", 0, "PATH", "lay a folder or database over the default content (repeatable)" },
	{ "ledger", 0, "FILE", "the ledger of issued drafts, instead of your own" },
	{ "lang", 0, "LANG", "language of the output: en or ko" },
	{ "no-color", 0, NULL, "never colour the output" },
	{ "help", 'h', NULL, "print this help" },
	{ "version", 0, NULL, "print the version" },
	{ NULL, 0, NULL, NULL },
};

void
cmd_notes(struct buf *out, const struct cmd *cmd)
{
	if (cmd == &cmd_claim)
		buf_puts(out, claim_notes);
	else if (cmd == &cmd_load)
		buf_puts(out, load_notes);
	else if (cmd == &cmd_sweep)
		buf_puts(out, sweep_notes);
	else if (cmd == &cmd_query)
		query_notes(out);
	else if (cmd == &cmd_audit)
		audit_notes(out);
	else if (cmd == &cmd_lint)
		lint_notes(out);
}

const struct cmd *
cmd_find(const char *name)
{
	for (int i = 0; commands[i] != NULL; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int
option_index(const struct cmd_option *options, const char *name, size_t len, char letter)
{
	for (int i = 0; options != NULL && options[i].name != NULL; i++) {
		if (letter != 0 && options[i].letter == letter)
			return i;
		if (letter == 0 && strlen(options[i].name) == len &&
		    memcmp(options[i].name, name, len) == 0)
			return i;
	}
	return -1;
}

const char *
cli_option(const struct cli *cli, const char *name)
{
	int i = option_index(cli->cmd->options, name, strlen(name), 0);

	if (i < 0)
		abort();
	return cli->values[i];
}

/* ---- help ---- */

enum { HELP_COLUMN = 29, HELP_WIDTH = 80 };

/* The words of a help text from `column` on, in lines of at most HELP_WIDTH. */
static void
put_help(struct buf *out, const char *text, int column)
{
	int used = column;

	while (*text != '\0') {
		int n = (int)strcspn(text, " ");

		if (used > column && used + 1 + n > HELP_WIDTH) {
			buf_printf(out, "\n%*s", column, "");
			used = column;
		} else if (used > column) {
			buf_putc(out, ' ');
			used++;
		}
		buf_add(out, text, (size_t)n);
		used += n;
		text += n + (text[n] == ' ');
	}
	buf_putc(out, '\n');
}

static void
list_options(struct buf *out, const struct cmd_option *options)
{
	for (; options->name != NULL; options++) {
		char left[64];

		snprintf(left, sizeof left, "%s%c%s--%s%s%s", options->letter ? "-" : "  ",
		    options->letter ? options->letter : ' ', options->letter ? ", " : " ",
		    options->name, options->argument ? " " : "", options->argument ? options->argument : "");
		if (strlen(left) <= HELP_COLUMN - 3)
			buf_printf(out, "  %-26s ", left);
		else
			buf_printf(out, "  %s\n%*s", left, HELP_COLUMN, "");
		put_help(out, options->help, HELP_COLUMN);
	}
}

static void
usage_of_all(struct buf *out)
{
	buf_puts(out, "usage: dossier COMMAND [options]\n\n"
	    "A knowledge base to open before a customer meeting: who buys, what their machine\n"
	    "runs out of, and what may be said.\n\ncommands:\n");
	for (int i = 0; commands[i] != NULL; i++)
		buf_printf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	buf_puts(out, "\noptions of every command:\n");
	list_options(out, global_options);
	buf_puts(out, "\nfirst steps:\n"
	    "  dossier list archetypes\n"
	    "  dossier intake --archetype neocloud > customer.yaml\n"
	    "  dossier brief customer.yaml\n"
	    "  dossier propose customer.yaml -o proposal.md\n"
	    "\nexit status: 0 done, 1 findings, 2 usage, 3 bad input, 4 disk or permission\n");
}

void
cmd_usage(struct buf *out, const struct cmd *cmd)
{
	struct buf notes = BUF_INIT;

	if (cmd == NULL) {
		usage_of_all(out);
		return;
	}
	buf_printf(out, "usage: dossier %s%s%s%s\n\n%s\n", cmd->name,
	    cmd->options != NULL ? " [options]" : "", cmd->operands[0] != '\0' ? " " : "", cmd->operands,
	    cmd->summary);
	if (cmd->options != NULL) {
		buf_puts(out, "\noptions:\n");
		list_options(out, cmd->options);
	}
	buf_puts(out, "\noptions of every command:\n");
	list_options(out, global_options);
	cmd_notes(&notes, cmd);
	if (notes.len > 0)
		buf_printf(out, "\n%s", notes.s);
	buf_release(&notes);
}

/* ---- parsing ---- */

static int
unknown_command(const char *name, struct err *e)
{
	const char *near = NULL;
	int least = 3;

	for (int i = 0; commands[i] != NULL; i++) {
		int d = near_distance(name, commands[i]->name);

		if (d < least) {
			least = d;
			near = commands[i]->name;
		}
	}
	if (near != NULL)
		return err_set(e, ERR_USAGE, "`%.60s` is no command; did you mean `dossier %s`?", name, near);
	return err_set(e, ERR_USAGE, "`%.60s` is no command; `dossier help` lists them", name);
}

static int
take_global(struct cli *cli, int i, const char *value, bool *done, struct err *e)
{
	const char *name = global_options[i].name;

	if (strcmp(name, "kb") == 0) {
		if (cli->kb_count == CMD_MAX_REPEATS)
			return err_set(e, ERR_USAGE, "expected at most %d times --kb", CMD_MAX_REPEATS);
		cli->kb_paths[cli->kb_count++] = value;
	} else if (strcmp(name, "ledger") == 0) {
		if (value[0] == '\0')
			return err_set(e, ERR_USAGE, "--ledger: expected a file, found an empty name");
		cli->ledger = value;
	} else if (strcmp(name, "lang") == 0) {
		if (strcmp(value, "en") != 0 && strcmp(value, "ko") != 0)
			return err_set(e, ERR_USAGE, "--lang: expected en or ko, found `%.40s`", value);
		cli->lang = value;
	} else if (strcmp(name, "no-color") == 0) {
		cli->color = false;
	} else if (strcmp(name, "version") == 0) {
		buf_puts(&cli->out, "dossier " DOSSIER_VERSION "\n");
		*done = true;
	} else {
		cmd_usage(&cli->out, cli->cmd);
		*done = true;
	}
	return OK;
}

/* "REF...": given again, it adds to what it had, with a comma between. */
static bool
is_repeated(const struct cmd_option *option)
{
	size_t n = strlen(option->argument);

	return n > 3 && strcmp(option->argument + n - 3, "...") == 0;
}

/* One option at argv[*at]; moves *at past its argument. */
static int
take_option(struct cli *cli, int argc, char **argv, int *at, bool *done, struct err *e)
{
	const char *arg = argv[*at], *name = arg + 2, *equals = strchr(arg, '='), *value = NULL;
	bool is_long = arg[1] == '-';
	size_t len = !is_long ? 0 : equals != NULL ? (size_t)(equals - name) : strlen(name);
	char letter = is_long ? 0 : arg[1];
	const struct cmd_option *options = cli->cmd != NULL ? cli->cmd->options : NULL;
	int i = option_index(options, name, len, letter);
	bool global = i < 0;

	if (global) {
		options = global_options;
		i = option_index(options, name, len, letter);
	}
	if (i < 0 || (!is_long && arg[2] != '\0' && options[i].argument == NULL))
		return err_set(e, ERR_USAGE, "`%.60s` is no option of `dossier%s%s`; --help lists them", arg,
		    cli->cmd != NULL ? " " : "", cli->cmd != NULL ? cli->cmd->name : "");
	if (options[i].argument == NULL && is_long && equals != NULL)
		return err_set(e, ERR_USAGE, "--%s takes no value", options[i].name);
	if (options[i].argument != NULL) {
		bool optional = options[i].argument[0] == '[';

		value = is_long ? (equals != NULL ? equals + 1 : NULL) : (arg[2] != '\0' ? arg + 2 : NULL);
		if (value == NULL && *at + 1 < argc && !(optional && argv[*at + 1][0] == '-'))
			value = argv[++*at];
		if (value == NULL && !optional)
			return err_set(e, ERR_USAGE, "--%s: expected %s, found nothing", options[i].name,
			    options[i].argument);
	}
	if (global)
		return take_global(cli, i, value, done, e);
	if (value != NULL && strcmp(options[i].argument, "FILE...") == 0)
		cli->operands[cli->operand_count++] = value;
	else if (cli->values[i] != NULL && options[i].argument != NULL && is_repeated(&options[i]))
		value = arena_printf(&cli->arena, "%s,%s", cli->values[i], value);
	cli->values[i] = value != NULL ? value : "";
	return OK;
}

static int
check_operands(const struct cli *cli, struct err *e)
{
	int n = (int)cli->operand_count, min = cli->cmd->min, max = cli->cmd->max;

	if (n < min)
		return err_set(e, ERR_USAGE, "expected %s, found %s; `dossier %s --help` says more",
		    cli->cmd->operands, n == 0 ? "nothing" : "too little", cli->cmd->name);
	if (max >= 0 && n > max)
		return err_set(e, ERR_USAGE, "expected %s%s, found `%.60s` as well",
		    max == 0 ? "no operand" : "only ", cli->cmd->operands, cli->operands[max]);
	return OK;
}

int
cmd_parse(struct cli *cli, int argc, char **argv, bool *done, struct err *e)
{
	bool plain = false;

	*done = false;
	cli->operands = arena_alloc(&cli->arena, ((size_t)argc + 1) * sizeof *cli->operands);
	for (int i = 1; i < argc; i++) {
		int rc = OK;

		if (!plain && strcmp(argv[i], "--") == 0) {
			plain = true;
		} else if (!plain && argv[i][0] == '-' && argv[i][1] != '\0') {
			rc = take_option(cli, argc, argv, &i, done, e);
		} else if (cli->cmd == NULL) {
			cli->cmd = cmd_find(argv[i]);
			if (cli->cmd == NULL)
				rc = unknown_command(argv[i], e);
		} else {
			cli->operands[cli->operand_count++] = argv[i];
		}
		if (rc != OK)
			return rc;
		if (*done)
			return OK;
	}
	if (cli->cmd == NULL) {
		struct buf usage = BUF_INIT;

		usage_of_all(&usage);
		buf_puts(&cli->note, usage.s);
		buf_release(&usage);
		return err_set(e, ERR_USAGE, "expected a command, found none");
	}
	return check_operands(cli, e);
}
