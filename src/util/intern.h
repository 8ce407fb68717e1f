/*
 * Texts kept once. A collection of records has a few dozen keys and writes each of them thousands of
 * times: the trees share one copy.
 */
#ifndef UTIL_INTERN_H
#define UTIL_INTERN_H

#include <stddef.h>

#include "util/arena.h"

/* All zero is an empty one. Its memory is that of the arena, which is always the same. */
struct intern {
	const char **slots; /* open addressing; NULL: free */
	size_t count, size; /* size: a power of two, more than count */
};

/* The copy of `text` that lives as long as the arena: the same pointer for the same text. */
const char *intern_text(struct intern *in, struct arena *a, const char *text);

#endif
