#include "cli/man.h"

#include <stdio.h>

#include "cli/cmd.h"
#include "cli/version.h"

/* Text for troff: hyphens stay hyphens, nothing at the start of a line is a request. */
static void
escape(struct buf *out, const char *s)
{
	for (bool start = true; *s != '\0'; s++) {
		if (start && (*s == '.' || *s == '\''))
			buf_puts(out, "\\&");
		if (*s == '\\')
			buf_puts(out, "\\e");
		else if (*s == '-')
			buf_puts(out, "\\-");
		else
			buf_putc(out, *s);
		start = *s == '\n';
	}
}

static void
options(struct buf *out, const struct cmd_option *list)
{
	for (; list != NULL && list->name != NULL; list++) {
		buf_puts(out, ".TP\n");
		if (list->letter != 0)
			buf_printf(out, "\\fB\\-%c\\fR, ", list->letter);
		buf_puts(out, "\\fB\\-\\-");
		escape(out, list->name);
		buf_puts(out, "\\fR");
		if (list->argument != NULL)
			buf_printf(out, " \\fI%s\\fR", list->argument);
		buf_puts(out, "\n");
		escape(out, list->help);
		buf_puts(out, ".\n");
	}
}

static void
commands_section(struct buf *out)
{
	buf_puts(out, ".SH COMMANDS\n");
	for (int i = 0; commands[i] != NULL; i++) {
		const struct cmd *cmd = commands[i];
		struct buf notes = BUF_INIT;

		buf_puts(out, ".SS dossier ");
		escape(out, cmd->name);
		buf_puts(out, cmd->operands[0] != '\0' ? " " : "");
		escape(out, cmd->operands);
		buf_puts(out, "\n");
		buf_putc(out, (char)(cmd->summary[0] >= 'a' && cmd->summary[0] <= 'z' ? cmd->summary[0] - 'a' + 'A'
		                                                                        : cmd->summary[0]));
		escape(out, cmd->summary + 1);
		buf_puts(out, ".\n");
		options(out, cmd->options);
		cmd_notes(&notes, cmd);
		if (notes.len > 0) {
			buf_puts(out, ".PP\n.nf\n");
			escape(out, notes.s);
			buf_puts(out, ".fi\n");
		}
		buf_release(&notes);
	}
}

void
man_page(struct buf *out)
{
	buf_puts(out, ".TH DOSSIER 1 2026-11-29 \"dossier " DOSSIER_VERSION "\" \"User Commands\"\n"
	    ".SH NAME\ndossier \\- who buys, what their machine runs out of, and what may be said\n"
	    ".SH SYNOPSIS\n.B dossier\n.I command\n.RI [ options ]\n"
	    ".SH DESCRIPTION\n"
	    "A knowledge base that the technical sales team of a memory supplier opens before a\n"
	    "meeting: buyer archetypes by purchasing structure, a sizing engine for inference\n"
	    "memory, and claims joined to their evidence. Every figure that is printed says where\n"
	    "it comes from; what has no verified source stays in quarantine.\n");
	commands_section(out);
	buf_puts(out, ".SH OPTIONS OF EVERY COMMAND\n");
	options(out, global_options);
	buf_puts(out, ".SH EXIT STATUS\n"
	    ".TP\n0\nDone.\n.TP\n1\nFindings (audit).\n.TP\n2\nThe command line is wrong.\n"
	    ".TP\n3\nBad input, or nothing to check.\n.TP\n4\nDisk, lock or permission.\n"
	    ".SH ENVIRONMENT\n"
	    ".TP\n\\fBDOSSIER_KB\\fR\nFolders or databases laid over the default content, separated by colons.\n"
	    ".TP\n\\fBNO_COLOR\\fR\nIf set, no colour is used.\n"
	    ".TP\n\\fBXDG_CACHE_HOME\\fR\nWhere compiled folders are kept.\n"
	    ".TP\n\\fBCOLUMNS\\fR\nWidth of tables on a terminal.\n");
}
