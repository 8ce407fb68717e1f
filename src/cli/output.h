/* What commands share: listings in every format, and customer files. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/cmd.h"
#include "propose/propose.h"
#include "render/findings.h"
#include "render/table.h"

/* The --format option of every listing; the other stands beside it, too. */
#define FORMAT_OPTION { "format", 'f', "FORMAT", "table (the default), json, csv or md" }
#define BOM_OPTION    { "bom", 0, NULL, "begin CSV with a byte order mark, for Excel" }

/*
 * Print rows by --format. JSON is {"format": "dossier.list/1", "kind": kind, "items": rows};
 * a null value stands where a list has no value. ERR_USAGE for an unknown format.
 */
int output_list(struct cli *cli, const char *kind, struct val *rows,
    const struct render_column *columns, size_t count, struct err *e);

/* --bom, without which Excel misreads Korean; ERR_USAGE where it is given with a format other than CSV. */
int output_bom(bool *out, const struct cli *cli, const char *format, struct err *e);

/*
 * --format as "table", "json", "csv" or "md"; NULL with ERR_USAGE set for anything else, and where
 * --bom stands with another format than CSV.
 */
const char *output_format(const struct cli *cli, struct err *e);

/* What of `--format` findings are printed in; `otherwise` where it was not given. --bom as above. */
int output_findings_style(enum findings_style *out, const struct cli *cli, enum findings_style otherwise,
    struct err *e);

/* Print findings in a style, with this command's rules and the name of its JSON. */
int output_findings(struct cli *cli, const struct findings *list, enum findings_style style,
    const struct findings_tool *tool, struct err *e);

/* The same for what is no list: table or json. */
const char *output_tree_format(const struct cli *cli, struct err *e);

/*
 * A file that is written may be none that the command reads: an operand, what --kb names, the ledger. ERR_USAGE
 * names the option. A device, such as the terminal, may be both.
 */
int output_apart(struct cli *cli, const char *option, const char *path, struct err *e);

/* Write the gathered text to `path` instead of standard output, replacing it whole. */
int output_file(struct cli *cli, const char *path, struct err *e);

/* A customer file ("-": standard input), checked; faults go to cli->errs. */
int read_customer(struct val **out, struct cli *cli, const char *path, struct err *e);

/* The document of the customer file that the command was given, into cli->out. */
int write_document(struct cli *cli, enum document document, bool internal, struct err *e);

/* "; decode: ...; prefill: ...", each where it has a time: what the time of a sized workload goes to. */
void output_time_terms(struct cli *cli, const struct val *messages, const struct workload *w);

/* "294.7 GB - 884.2 GB": a figure over the loads in the ranges of the inputs; "~" before it where it was sampled. */
struct val *output_range(struct arena *a, const struct workload *w, const char *key, const char *lang);

/* What the ranges of the inputs mean for the table above: lines; none where no input is one. */
void output_range_notes(struct cli *cli, const struct val *messages, const struct workload *w, const char *lang);

/* An internal document's file name must say so. */
int check_internal_name(const char *path, struct err *e);

#endif
