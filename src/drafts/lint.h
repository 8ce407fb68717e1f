/*
 * Drafts read back: is every figure of a Markdown draft cited, is it what its citation says, does the
 * citation resolve, and does the draft say nothing that may not be said to whom it is for?
 *
 * A draft is what `propose` and `brief` write, also after people have edited it: front matter
 * that says archetype, audience and language; figures as reference links with definitions such
 * as [chat.kv.bytes]: #s4 "589484261376 B, calculated"; sources as headings S1, S2, ... The
 * label of what a source says is the finding's reference, so that it can be looked up.
 *
 * Findings about withheld claims give the id and what may be said instead, never the wording.
 */
#ifndef DRAFTS_LINT_H
#define DRAFTS_LINT_H

#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/findings.h"
#include "util/hash.h"
#include "util/val.h"

struct kb;

/* A recorded sizing run that a workload's figures must be those of. */
struct lint_run {
	const char *workload;     /* its id in the draft: [chat.kv.bytes] is of chat */
	const struct val *result; /* dossier.sizing/1 */
	struct hash content;      /* of its file's bytes, for the ledger */
};

struct lint_options {
	struct kb *quarantine; /* the second image; NULL: wording and withdrawn evidence are not looked for */
	const char *file_name; /* whose name must say INTERNAL where the text is; NULL: it has none yet */
	const struct lint_run *runs;
	size_t run_count;
};

/* All rules; ends with a NULL code. */
extern const struct finding_rule lint_rules[];

/*
 * Append what is found in the text to `out`, in the order of the places. `name` stands in the
 * places. ERR_INPUT where the text is no Markdown that can be read (markdown.h). The arena holds
 * what is read and must live as long as `out`.
 */
int drafts_lint(struct findings *out, struct kb *kb, struct arena *a, const char *text, size_t len,
    const char *name, const struct lint_options *o, struct err *e);

/*
 * For many drafts: what is looked up in the knowledge is read once. Findings are in the order of the drafts.
 */
struct linter;
int linter_open(struct linter **out, struct kb *kb, const struct lint_options *o, struct arena *a,
    struct err *e);
int linter_run(struct findings *out, struct linter *l, struct arena *a, const char *text, size_t len,
    const char *name, const char *file_name, struct err *e);

#endif
