/*
 * How near a text is to one of a few given ones, in English and Korean: a claim whose wording
 * may not be used is recognised where it was pasted, also when it was turned around a little.
 *
 * The measure. A text is taken as terms: the stems of its words (English: endings off, six
 * letters; Korean: particles and verb endings off, then pairs of syllables), without regard to
 * case, width, punctuation and spacing. All numbers are one term. Words of a short list that
 * mean the same here (phone and handset, 항상 and 언제나) are one term too. Words that stand in
 * every sentence about AI memory weigh less than others, articles and the like nothing.
 *
 * For each claim the best stretch of the text is looked for, at most twice as long as the
 * claim and some words more. There
 *
 *     covered = weight of the claim's terms that stand in the stretch / weight of all of them
 *     dense   = the same weight / weight of everything in the stretch
 *     score   = covered x (0.7 + 0.3 x dense)
 *
 * and 0.8 of that where the claim is about a share (a percentage, a fraction, a factor, most of
 * something) and the stretch names none; and 0.6 of it where its sentence is a question, or denies and the
 * claim does not: then only the very words reach the threshold. The order of words does not count. A claim that was
 * pasted scores 1. It knows no meaning: what is said in quite other words is not found, and a
 * sentence that happens to use most of the words is.
 *
 * tests/data/wording holds the cases by which this was set, and others by which it is judged.
 */
#ifndef WORDING_WORDING_H
#define WORDING_WORDING_H

#include <stddef.h>

#include "util/arena.h"

#define WORDING_NEAR 0.58 /* from this score on a text is taken for the claim */

struct wording; /* in the arena, as all that it holds */

struct wording_match {
	const char *id;        /* of the nearest claim; NULL: none has anything in common */
	double score;          /* 0 to 1 */
	size_t offset, length; /* of the stretch in the text, in bytes */
};

struct wording *wording_open(struct arena *a);

/* A claim in one language; several texts may share an id. `id` is copied. */
void wording_add(struct wording *w, const char *id, const char *text, size_t len);

/*
 * The nearest claim; of equals the one added first. Scores below WORDING_NEAR / 2 are not
 * looked into: id is NULL then.
 */
void wording_nearest(struct wording *w, const char *text, size_t len, struct wording_match *out);

#endif
