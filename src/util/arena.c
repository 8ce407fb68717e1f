#include "util/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

enum { FIRST_SIZE = 1024, BLOCK_SIZE = 32 * 1024 }; /* an arena may hold one word */

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *
add_block(struct arena *a, size_t size)
{
	struct arena_block *block = xcalloc(1, sizeof *block + size);

	block->size = size;
	/* A large piece goes behind the current block, whose rest stays in use. */
	if (size > BLOCK_SIZE && a->blocks != NULL) {
		block->next = a->blocks->next;
		a->blocks->next = block;
	} else {
		block->next = a->blocks;
		a->blocks = block;
	}
	return block;
}

static size_t
block_size(const struct arena_block *newest, size_t wanted)
{
	size_t usual = newest == NULL ? FIRST_SIZE : BLOCK_SIZE;

	return wanted > usual ? wanted : usual;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(double); /* as much as any of what is kept here asks for */
	struct arena_block *block = a->blocks;
	void *p;

	if (size > SIZE_MAX / 2)
		abort();
	size = (size + align - 1) / align * align;
	if (block == NULL || block->size - block->used < size)
		block = add_block(a, block_size(block, size));
	p = block->bytes + block->used;
	block->used += size;
	return p;
}

char *
arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	memcpy(copy, s, len);
	return copy;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	s = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return s;
}

void
arena_release(struct arena *a)
{
	struct arena_block *next;

	for (struct arena_block *b = a->blocks; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	a->blocks = NULL;
}
