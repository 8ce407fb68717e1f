/*
 * The rule that prose holds no bare figure.
 *
 * A text may use ${name} for one of its record's own figures. Any other digit is an error,
 * unless its word has a Latin letter and is no number with a unit behind it (H200, LPDDR5X, 4-bit, but
 * not 141GB, 70% or 10x), or is a date (2026, 2026-07, 2026-07-31, and in Korean 2026년 7월 31일),
 * or stands within one of the record's `names`.
 */
#ifndef INGEST_PROSE_H
#define INGEST_PROSE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

/* Placeholders that a text may use; returns false for an unknown one. */
typedef bool (*prose_known_fn)(const char *name, void *context);

/*
 * Check one text in one language. `names`: the record's list, or NULL. Errors are placed at the
 * text (its first line where it is folded over several).
 */
void prose_check(struct errs *errs, const struct val *text, const struct val *names,
    prose_known_fn known, void *context);

/* Through the words of a text: start with { text, 0, false }; the text ends in a NUL. */
struct prose_scan {
	const char *s;
	size_t at;
	bool dated; /* the words before were a Korean year: its month and day may follow */
};

/* The next word that holds a bare figure, without what opens before it; false: there is none. */
bool prose_next(struct prose_scan *scan, size_t *start, size_t *len);

#endif
