#include <sys/ioctl.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "kb/kb.h"

/* Columns to wrap tables at: of the terminal; 0 for a pipe or a file, which get whole lines. */
static int
terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (columns != NULL && atoi(columns) > 0)
		return atoi(columns);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

static void
print_error(const struct err *e)
{
	fprintf(stderr, "%s: %s\n", e->where[0] != '\0' ? e->where : "dossier", e->text);
}

static void
print_errors(const struct cli *cli, const struct err *e)
{
	for (size_t i = 0; i < cli->errs.kept; i++)
		fprintf(stderr, "%s: %s\n", cli->errs.items[i].where, cli->errs.items[i].text);
	if (cli->errs.count > cli->errs.kept)
		fprintf(stderr, "dossier: and %zu more\n", cli->errs.count - cli->errs.kept);
	if (e->text[0] != '\0')
		print_error(e);
}

/* Standard output may be a full disk or a closed pipe: that is an error too. */
static int
write_out(const struct cli *cli, struct err *e)
{
	if (fwrite(cli->out.s, 1, cli->out.len, stdout) == cli->out.len && fflush(stdout) == 0)
		return OK;
	return err_errno(e, "cannot write to standard output");
}

int
main(int argc, char **argv)
{
	struct cli cli = { .arena = ARENA_INIT, .out = BUF_INIT, .note = BUF_INIT, .errs = ERRS_INIT };
	const char *no_color = getenv("NO_COLOR");
	struct err e = ERR_INIT;
	bool done;
	int rc;

	signal(SIGXFSZ, SIG_IGN); /* a file beyond its limit is a fault like a full disk, told and cleaned up after */
	cli.width = terminal_width();
	cli.color = isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0');
	rc = cmd_parse(&cli, argc, argv, &done, &e);
	if (rc == OK && !done)
		rc = cli.cmd->run(&cli, &e);
	fputs(cli.note.s, stderr);
	if (rc == OK)
		rc = write_out(&cli, &e);
	if (rc != OK)
		print_errors(&cli, &e);
	kb_close(cli.kb);
	build_release(&cli.built);
	errs_release(&cli.errs);
	buf_release(&cli.out);
	buf_release(&cli.note);
	arena_release(&cli.arena);
	return rc != OK ? -rc : cli.status;
}
