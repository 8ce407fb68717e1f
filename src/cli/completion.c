#include <string.h>

#include "cli/commands.h"

static void
words(struct buf *out, const struct cmd *cmd)
{
	for (const struct cmd_option *o = cmd->options; o != NULL && o->name != NULL; o++)
		buf_printf(out, " --%s", o->name);
	for (const struct cmd_option *o = global_options; o->name != NULL; o++)
		buf_printf(out, " --%s", o->name);
}

static void
names(struct buf *out)
{
	for (int i = 0; commands[i] != NULL; i++)
		buf_printf(out, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

static void
bash(struct buf *out)
{
	buf_puts(out, "_dossier() {\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} opts=\n"
	    "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"");
	names(out);
	buf_puts(out, "\" -- \"$cur\"))\n\t\treturn\n\tfi\n\tcase $cmd in\n");
	for (int i = 0; commands[i] != NULL; i++) {
		buf_printf(out, "\t%s) opts=\"", commands[i]->name);
		words(out, commands[i]);
		buf_puts(out, "\" ;;\n");
	}
	buf_puts(out, "\tesac\n\tcase $cur in\n"
	    "\t-*) COMPREPLY=($(compgen -W \"$opts\" -- \"$cur\")) ;;\n"
	    "\t*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n\tesac\n}\n"
	    "complete -o filenames -F _dossier dossier\n");
}

static void
zsh(struct buf *out)
{
	buf_puts(out, "#compdef dossier\n_dossier() {\n\tif (( CURRENT == 2 )); then\n\t\tcompadd ");
	names(out);
	buf_puts(out, "\n\t\treturn\n\tfi\n\tcase $words[2] in\n");
	for (int i = 0; commands[i] != NULL; i++) {
		buf_printf(out, "\t%s) [[ $PREFIX == -* ]] && compadd --", commands[i]->name);
		words(out, commands[i]);
		buf_puts(out, " ;;\n");
	}
	buf_puts(out, "\tesac\n\t_files\n}\n_dossier \"$@\"\n");
}

static void
fish(struct buf *out)
{
	for (const struct cmd_option *o = global_options; o->name != NULL; o++)
		buf_printf(out, "complete -c dossier -l %s%s\n", o->name, o->argument != NULL ? " -r" : "");
	for (int i = 0; commands[i] != NULL; i++) {
		const struct cmd *cmd = commands[i];

		buf_printf(out, "complete -c dossier -n __fish_use_subcommand -a %s -d \"%s\"\n", cmd->name,
		    cmd->summary);
		for (const struct cmd_option *o = cmd->options; o != NULL && o->name != NULL; o++)
			buf_printf(out, "complete -c dossier -n '__fish_seen_subcommand_from %s' -l %s%s\n",
			    cmd->name, o->name, o->argument != NULL ? " -r" : "");
	}
}

static int
run(struct cli *cli, struct err *e)
{
	const char *shell = cli->operands[0];

	if (strcmp(shell, "bash") == 0)
		bash(&cli->out);
	else if (strcmp(shell, "zsh") == 0)
		zsh(&cli->out);
	else if (strcmp(shell, "fish") == 0)
		fish(&cli->out);
	else
		return err_set(e, ERR_USAGE, "expected bash, zsh or fish, found `%.40s`", shell);
	return OK;
}

const struct cmd cmd_completion = { "completion", "SHELL", "completions for bash, zsh or fish", NULL, 1, 1, run };
