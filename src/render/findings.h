/*
 * Findings (util/findings.h) as people, editors, spreadsheets and CI services read them.
 *
 *     text   file:line:column: CODE message (hint)       one a line
 *     table  severity, code, id, place, message; for a terminal
 *     md     the same table in Markdown
 *     json   {"format": ..., "errors": n, "warnings": n, "notes": n, "items": [...]}, an item with
 *            severity, code, id, place, file, line, column, message, hint; null where there is none
 *     csv    RFC 4180, the same columns without `place`
 *     sarif  SARIF 2.1.0 (OASIS): one run; its columns count code points; every rule with its help;
 *            a file's name is a relative URI below %SRCROOT%, or an absolute one if the name is
 */
#ifndef RENDER_FINDINGS_H
#define RENDER_FINDINGS_H

#include "util/buf.h"
#include "util/findings.h"
#include "util/val.h"

enum findings_style {
	FINDINGS_TABLE, FINDINGS_TEXT, FINDINGS_MD, FINDINGS_JSON, FINDINGS_CSV, FINDINGS_SARIF, FINDINGS_STYLES
};

struct findings_tool {
	const char *name, *version;       /* of the program */
	const struct finding_rule *rules; /* all that it can find, not only what it did; ends with a NULL code */
	const char *format;               /* in JSON: "dossier.findings/1" */
};

/* The style of a name, or -1; and the name of a style. */
int findings_style_find(const char *name);
const char *findings_style_name(enum findings_style style);

/* width: of the terminal, for the table; 0: as wide as it gets. */
int render_findings(struct buf *out, const struct findings *list, enum findings_style style,
    const struct findings_tool *tool, int width, struct err *e);

/* The tree of the JSON, for who adds keys of his own before it is printed. In the list's arena. */
struct val *findings_tree(const struct findings *list, const struct findings_tool *tool);

/* What a rule is about, how it comes about and how it is mended, for a terminal. */
void render_finding_rules(struct buf *out, const struct finding_rule *rules);

#endif
