#include "util/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char buf_empty[1];

static void
out_of_memory(void)
{
	fputs("dossier: out of memory\n", stderr);
	abort();
}

void *
xmalloc(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xcalloc(size_t count, size_t size)
{
	void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xreallocarray(void *p, size_t count, size_t size)
{
	if (size > 0 && count > SIZE_MAX / size)
		out_of_memory();
	p = realloc(p, count * size > 0 ? count * size : 1);
	if (p == NULL)
		out_of_memory();
	return p;
}

char *
xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

static void
enlarge(struct buf *b, size_t more)
{
	size_t need, cap;

	if (more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		out_of_memory();
	need = b->len + more + 1;
	cap = b->cap < 32 ? 64 : b->cap * 2;
	if (cap < need)
		cap = need;
	b->s = xreallocarray(b->cap > 0 ? b->s : NULL, cap, 1);
	b->cap = cap;
	b->s[b->len] = '\0';
}

/* Make room for `more` bytes and the NUL behind them. */
static inline void
grow(struct buf *b, size_t more)
{
	if (b->cap <= more || b->len >= b->cap - more)
		enlarge(b, more);
}

void
buf_release(struct buf *b)
{
	if (b->cap > 0)
		free(b->s);
	*b = (struct buf)BUF_INIT;
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->cap > 0)
		b->s[0] = '\0';
}

void
buf_reserve(struct buf *b, size_t more)
{
	grow(b, more);
}

void
buf_add(struct buf *b, const char *text, size_t len)
{
	if (len == 0)
		return;
	grow(b, len);
	memcpy(b->s + b->len, text, len);
	b->len += len;
	b->s[b->len] = '\0';
}

void
buf_puts(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void
buf_putc(struct buf *b, char c)
{
	grow(b, 1);
	b->s[b->len++] = c;
	b->s[b->len] = '\0';
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	grow(b, 63); /* most pieces are short: written once, not measured first */
	va_copy(again, ap);
	n = vsnprintf(b->s + b->len, b->cap - b->len, fmt, again);
	va_end(again);
	if (n < 0)
		n = 0;
	if ((size_t)n >= b->cap - b->len) {
		grow(b, (size_t)n);
		vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	}
	b->len += (size_t)n;
	b->s[b->len] = '\0';
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

char *
buf_detach(struct buf *b)
{
	char *s;

	grow(b, 0);
	s = b->s;
	*b = (struct buf)BUF_INIT;
	return s;
}
