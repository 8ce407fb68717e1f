/*
 * Which of many texts was pasted into another, perhaps with a few words changed.
 *
 * The texts are taken sentence by sentence, as the terms of wording.h, and four terms in a row
 * are what is compared: unlike wording_nearest this knows the order of words, and so it
 * holds against hundreds of texts without taking what is on the same subject for one of them.
 * A sentence of fewer than PASTED_LEAST such rows is too short to be known again, and is left out.
 */
#ifndef WORDING_PASTED_H
#define WORDING_PASTED_H

#include <stddef.h>

#include "util/arena.h"

enum { PASTED_LEAST = 4 };

#define PASTED_NEAR 0.6 /* of a sentence's rows: from here on it is taken for pasted */

struct pasted; /* in the arena, as all that it holds */

struct pasted_match {
	const char *id;        /* NULL: none */
	double share;          /* of the rows of its sentence */
	size_t offset, length; /* from the first such row to the last, in bytes of the text */
};

struct pasted *pasted_open(struct arena *a);

/* A text; `${name}` stands for a figure and ends a sentence. `id` is copied; several texts may share one. */
void pasted_add(struct pasted *p, const char *id, const char *text, size_t len);

/* What stands in this text too is not told by: for texts that may be said. After all pasted_add. */
void pasted_except(struct pasted *p, const char *text, size_t len);

/* The sentence of which most was found, if that is PASTED_NEAR or more. */
void pasted_find(struct pasted *p, const char *text, size_t len, struct pasted_match *out);

#endif
