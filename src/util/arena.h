/*
 * Memory that is freed at once: a parsed file, or all that one command builds.
 * What comes from an arena lives as long as the arena and is never freed alone.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
};

#define ARENA_INIT { NULL }

void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned for anything but a long double */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_release(struct arena *a);

#endif
