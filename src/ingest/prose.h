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

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

/* Placeholders that a text may use; returns false for an unknown one. */
typedef bool (*prose_known_fn)(const char *name, void *context);

/*
 * Check one text in one language. `names`: the record's list, or NULL. Errors are placed at the
 * text (its first line where it is folded over several).
 */
void prose_check(struct errs *errs, struct arena *a, const struct val *text, const struct val *names,
    prose_known_fn known, void *context);

#endif
