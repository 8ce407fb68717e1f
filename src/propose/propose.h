/*
 * A proposal or a brief for one customer, as Markdown. Same inputs, same bytes: the date is the
 * customer file's, and no clock, locale or width is looked at.
 */
#ifndef PROPOSE_PROPOSE_H
#define PROPOSE_PROPOSE_H

#include <stdbool.h>

#include "advise/workload.h"
#include "util/buf.h"

enum document { DOCUMENT_PROPOSAL, DOCUMENT_BRIEF };

/*
 * Append the document to `out`. The brief is always internal; a proposal is for the customer
 * unless `internal`. lang: "en" or "ko". `c` was read from this kb.
 */
int propose(struct buf *out, struct kb *kb, struct arena *a, const struct customer *c,
    enum document document, const char *lang, bool internal, struct err *e);

#endif
