/*
 * A figure back to its inputs: each result as a formula in words, the same in numbers, and where every
 * number of it comes from. Words and numbers are written from the tree that is evaluated; a
 * formula that does not give the engine's value within EXPLAIN_TOLERANCE is not shown.
 */
#ifndef ADVISE_EXPLAIN_H
#define ADVISE_EXPLAIN_H

#include "advise/expr.h"
#include "advise/workload.h"

#define EXPLAIN_TOLERANCE 1e-9 /* relative; less than one of what is counted in whole ones, one byte */

struct explanation {
	const char *key;
	struct quantity result;
	const struct expr *formula; /* NULL: none is known that gives this value */
	bool searched;              /* so, because it was looked for among the layouts that there are */
};

/* The keys that can have an explanation, in the order in which they are printed, those of the tiers
 * last; NULL past the end. */
const char *explain_key(struct arena *a, const struct workload *w, size_t i);

/* false where the result has no such figure: what is not known is not explained. */
bool explain(struct explanation *out, struct arena *a, const struct workload *w, const char *key);

/* How explanations are written, and which definitions a reader has seen already. */
struct explain_style {
	struct arena *a;
	const struct val *messages; /* the catalogue of `lang` */
	const char *lang;
	int width;                  /* lines are wrapped at so many columns; 0: not at all */
	const struct expr **seen;   /* grows as explanations are printed: start from zero */
	size_t seen_count, seen_cap;
};

/* Lines. A definition that was printed in the same style before is only named, under "see above". */
void explain_print(struct buf *out, struct explain_style *style, const struct explanation *x);

/*
 * {"key", "formula", "numbers", "value": Q, "operands": [...]}. An operand is {"name", "detail", "part", "value",
 * "unit", "kind", "ref"}; a definition has "formula" and "numbers" instead of kind and reference.
 * Names are in English. "formula" is null where there is none, and "searched" then says if that is in the
 * nature of the figure.
 */
struct val *explain_json(struct arena *a, const struct explanation *x, const struct val *messages);

#endif
