/*
 * Citations: every figure of a draft is a reference link, `[589.5 GB][chat.kv.bytes]`, with the
 * definition `[chat.kv.bytes]: #s4 "589484261376 B, calculated"`. So a draft explains itself
 * without a file beside it, also after someone has edited it.
 *
 * Figures are cited while the context of a draft is built; which of them it uses shows when it
 * is rendered. Sources are numbered then, in the order in which the draft first needs them.
 */
#ifndef PROPOSE_CITE_H
#define PROPOSE_CITE_H

#include "quantity/quantity.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

struct kb;

enum source_kind { SOURCE_RECORD, SOURCE_CALCULATION, SOURCE_CUSTOMER, SOURCE_ASSUMPTIONS };

struct citation {
	const char *label; /* unique in a draft */
	const char *title; /* "589484261376 B, calculated"; for a mark without figure: the kind */
	enum source_kind kind;
	const char *source; /* id of a record or workload; "" for the customer file and the assumptions */
	const char *finding; /* SOURCE_RECORD: source.finding */
	bool used;
};

struct cited_source {
	enum source_kind kind;
	const char *source;
	int number;
};

struct citer {
	struct arena *a;
	struct kb *kb;
	const char *lang;
	struct citation *citations;
	size_t count, cap;
	struct cited_source *sources; /* numbered; filled by cite_number */
	size_t source_count;
};

/* The figure as a reference link, in the arena. A label cited before is not defined again. */
const char *cite_quantity(struct citer *c, const struct quantity *q, const char *label,
    enum source_kind kind, const char *source);

/* A finding's figure, by its own value; defined as the record has it: "2.9 GUSD, published, grade B". */
int cite_finding(const char **out, struct citer *c, const char *ref, const char *value,
    struct err *e);

/* A mark for what a finding says without a figure: becomes `[S3][source.finding]`. By its ref, not an alias of it. */
const char *cite_mark(struct citer *c, const char *ref);

/* A record's text with its figures cited. `part`: the finding whose text it is, or NULL. */
int cite_text(const char **out, struct citer *c, const struct val *text, const struct val *body,
    const struct val *part, struct err *e);

/*
 * Read a rendered body: number the sources in the order of first use, put the numbers into
 * the marks. The new text goes to `out`.
 */
void cite_number(struct buf *out, struct citer *c, const char *body);

/* Mark what a text written after the numbering uses; its sources have their numbers already. */
void cite_use(struct citer *c, const char *text);

/* The definitions of what was used, one a line, in the order of their labels. */
void cite_definitions(struct buf *out, const struct citer *c);

#endif
