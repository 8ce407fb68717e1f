/*
 * One draft being written: what it is about, and the tree that its template is filled from.
 *
 * Every figure in the tree is a citation (propose/cite.h); the tree has no numbers. What is
 * internal is put into the tree only for the internal audience, so that no template can show
 * it to a customer by mistake.
 */
#ifndef PROPOSE_DRAFT_H
#define PROPOSE_DRAFT_H

#include "advise/advise.h"
#include "propose/cite.h"
#include "util/val.h"

struct draft {
	struct arena *a;
	struct kb *kb;
	const struct customer *c;
	const struct advice *advice; /* one a workload */
	const char *lang;
	bool internal;
	size_t limit; /* claims, objections and loss reasons at most: for one page; 0: all */
	const struct val *messages;
	struct citer citer;
	int rc; /* sticky */
	struct err *e;
};

/* A text of a record with its figures cited, ready for {{{x}}}; a null value where there is none, or where
 * it has figures and the archetype is declared without evidence for any. */
struct val *draft_text(struct draft *d, const struct val *text, const struct val *body,
    const struct val *part);

/* Somebody's words (a name, an id), escaped for {{{x}}}. */
struct val *draft_words(struct draft *d, const char *text);

/*
 * A figure, cited, or a null value where it may not be shown: about an archetype without
 * quantitative evidence only what the customer stated is, and internally what was calculated.
 */
struct val *draft_figure(struct draft *d, const struct quantity *q, const char *label,
    enum source_kind kind, const char *source);

/* draft_figures.c: a word of the output; the figure of a result key, and its lowest and highest over the
 * customer's ranges; an input as it was used, and as it was given. Null values where there are none. */
const char *draft_message(const struct draft *d, const char *group, const char *key);
struct val *draft_result(struct draft *d, const struct workload *w, const char *key);
struct val *draft_range(struct draft *d, const struct workload *w, const char *key);
struct val *draft_input(struct draft *d, const struct workload *w, enum input_id id);
struct val *draft_given(struct draft *d, const struct workload *w, enum input_id id);

/* draft_margin.c: where the answer turns, and how far the load is from the end of its room. */
void draft_margin(struct draft *d, const struct workload *w, struct val *out);
void draft_edge(struct draft *d, const struct workload *w, struct val *out);

/* draft_archetype.c: who buys, what we know, what they object, what may not be said. */
void draft_archetype(struct draft *d, struct val *root);

/* draft_workload.c: sizing, bottleneck, inputs and questions of each workload. */
void draft_workloads(struct draft *d, struct val *root);

/* draft_levers.c: what is proposed, what is not, with each lever's effect. */
void draft_levers(struct draft *d, const struct advice *advice, struct val *out);

/* draft_sources.c: the sources that the body used, after cite_number. */
struct val *draft_sources(struct draft *d);

#endif
