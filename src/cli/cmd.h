/*
 * Commands: one const object a command, at the end of its own file, and one table of them.
 * Parsing, --help, the man page and the completions all read the same objects.
 */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "ingest/build.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

struct kb;
struct cli;

enum { CMD_MAX_OPTIONS = 64, CMD_MAX_REPEATS = 64 };

struct cmd_option {
	const char *name;     /* "format" */
	char letter;          /* 'f', or 0 */
	/*
	 * "FORMAT"; NULL: a flag. "[FILE]": it may be left out, and what begins with - is not taken for it.
	 * "REF...": may be given again, values joined by commas. "FILE...": the same, and they are among the
	 * operands, in their order, since a file's name may have a comma.
	 */
	const char *argument;
	const char *help;     /* one line, small first letter, no full stop */
};

struct cmd {
	const char *name;
	const char *operands;              /* "CUSTOMER.yaml", as in the usage line; may be "" */
	const char *summary;               /* one line, under 60 columns, no full stop */
	const struct cmd_option *options;  /* ends with a NULL name; NULL: none of its own */
	int min, max;                      /* operands; max -1: any number */
	int (*run)(struct cli *cli, struct err *e);
};

extern const struct cmd *const commands[]; /* ends with NULL; in the order in which help lists them */
extern const struct cmd_option global_options[];

/* What one call of the program has. Output is gathered in `out` and written at the end, if all went well. */
struct cli {
	const struct cmd *cmd;
	const char *values[CMD_MAX_OPTIONS]; /* by the option's place in its table; flags: "" */
	const char **operands;
	size_t operand_count;
	const char *kb_paths[CMD_MAX_REPEATS];
	size_t kb_count;
	const char *ledger;  /* --ledger, or NULL */
	const char *lang;    /* "en" or "ko", or NULL: not given */
	bool color;
	int width;           /* columns of the terminal; 0: no terminal */
	int status;          /* exit status where all went well: 0, or 1 for findings */
	struct arena arena;
	struct buf out, note; /* standard output; standard error */
	struct build built;  /* what --kb means, if given */
	struct kb *kb;
	struct errs errs;    /* faults of content, printed one a line */
};

const struct cmd *cmd_find(const char *name);

/* Append the paragraphs that --help and the man page have beside the options, if there are any. */
void cmd_notes(struct buf *out, const struct cmd *cmd);

/* The value of one of the command's options; NULL if it was not given. The option must be in its table. */
const char *cli_option(const struct cli *cli, const char *name);

/* The language of output: --lang, else the one given, else en. */
const char *cli_lang(const struct cli *cli, const char *otherwise);

/* The content that the build linked in. */
struct layer cli_built_in(void);

/* What --kb and $DOSSIER_KB come to over the default content: the two images, borrowed from cli. */
int cli_layer(struct layer *out, struct cli *cli, struct err *e);

/* The knowledge, with --kb and $DOSSIER_KB laid over the default content. */
int cli_kb(struct kb **out, struct cli *cli, struct err *e);
/* The second image, for the commands whose subject is the quarantine. The caller closes it. */
int cli_quarantine(struct kb **out, struct cli *cli, struct err *e);

/*
 * The topmost folder of --kb and $DOSSIER_KB in which the file of a claim of this name lies, its id there (the name
 * may be an alias), and what the folder is laid over. ERR_USAGE where no folder is given, ERR_INPUT where none has it.
 */
int cli_claim_folder(const char **root, const char **id, struct layer *below, struct cli *cli, const char *name,
    struct err *e);

/* What is laid over the default content: absolute paths, the lowest first. */
size_t cli_layers(const char *const **paths, struct cli *cli);

/* The ledger's file: --ledger, else ledger.db of dossier in the user's state folder. */
int cli_ledger_path(const char **out, struct cli *cli, struct err *e);

/* Read argv into cli; ERR_USAGE with a message. Handles --help and --version: then *done is set. */
int cmd_parse(struct cli *cli, int argc, char **argv, bool *done, struct err *e);

/* One usage text: `dossier CMD --help`. NULL: of the program. */
void cmd_usage(struct buf *out, const struct cmd *cmd);

#endif
