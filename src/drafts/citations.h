/*
 * Where a draft cites each of its sources, read back from its text.
 *
 * A draft itself does not say it. Its reader goes the other way, from a figure to its source; S1 of a proposal
 * is cited some hundred times; and such a list, once written down, would be wrong as soon as somebody
 * moves a paragraph. Asked for, it is always that of the draft as it is.
 */
#ifndef DRAFTS_CITATIONS_H
#define DRAFTS_CITATIONS_H

#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct kb;

/*
 * A list of maps, in the order of the sections: source ("S5"), what (the title of its record, else how the section
 * begins), times, places ("line:column" of each citation), labels and headings (under which it is cited), each
 * once. A section that nothing cites is there with 0; a number without a section has no `what`.
 */
int drafts_citations(struct val **rows, struct kb *kb, struct arena *a, const char *text, size_t len,
    const char *name, struct err *e);

#endif
