/*
 * A growing string of bytes, and the few memory functions that everything uses.
 *
 * s is never NULL and always ends in a NUL that len does not count. Out of memory
 * ends the process: a command-line program has nothing better to do, and a third of
 * all error paths goes away with it.
 */
#ifndef UTIL_BUF_H
#define UTIL_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *s;
	size_t len;
	size_t cap; /* 0: s is the shared empty string */
};

extern char buf_empty[1];
#define BUF_INIT { buf_empty, 0, 0 }

void buf_release(struct buf *b); /* frees; the buf is empty and usable afterwards */
void buf_clear(struct buf *b);   /* empties and keeps the memory */
void buf_reserve(struct buf *b, size_t more); /* room for so many bytes more, so that they move once at most */
void buf_add(struct buf *b, const char *text, size_t len);
void buf_puts(struct buf *b, const char *text);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
char *buf_detach(struct buf *b); /* the string, now the caller's to free; the buf is empty */

/* malloc and friends that do not return on failure; counts are checked for overflow. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *p, size_t count, size_t size);
char *xstrdup(const char *s);

#endif
