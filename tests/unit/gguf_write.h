/* GGUF headers for tests, in either byte order; the data behind them is left to the caller. */
#ifndef TESTS_GGUF_WRITE_H
#define TESTS_GGUF_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/buf.h"

struct gguf_out {
	struct buf b;
	bool big;
	uint64_t data; /* bytes of tensors so far, each at a multiple of 32 */
};

static inline void
put_uint(struct gguf_out *g, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_putc(&g->b, (char)(v >> (8 * (g->big ? bytes - 1 - i : i))));
}

static inline void
put_string(struct gguf_out *g, const char *s)
{
	put_uint(g, strlen(s), 8);
	buf_puts(&g->b, s);
}

static inline void
put_head(struct gguf_out *g, uint32_t version, uint64_t tensors, uint64_t values)
{
	buf_puts(&g->b, "GGUF");
	put_uint(g, version, 4);
	put_uint(g, tensors, 8);
	put_uint(g, values, 8);
}

static inline void
put_text(struct gguf_out *g, const char *key, const char *value)
{
	put_string(g, key);
	put_uint(g, 8, 4);
	put_string(g, value);
}

static inline void
put_u32(struct gguf_out *g, const char *key, uint32_t value)
{
	put_string(g, key);
	put_uint(g, 4, 4);
	put_uint(g, value, 4);
}

static inline void
put_u32s(struct gguf_out *g, const char *key, const uint32_t *values, size_t count)
{
	put_string(g, key);
	put_uint(g, 9, 4);
	put_uint(g, 4, 4);
	put_uint(g, count, 8);
	for (size_t i = 0; i < count; i++)
		put_uint(g, values[i], 4);
}

static inline void
put_words(struct gguf_out *g, const char *key, size_t count)
{
	put_string(g, key);
	put_uint(g, 9, 4);
	put_uint(g, 8, 4);
	put_uint(g, count, 8);
	for (size_t i = 0; i < count; i++)
		put_string(g, "word");
}

/* Two dimensions; bytes as the type makes them, to place the next. */
static inline void
put_tensor(struct gguf_out *g, const char *name, uint64_t columns, uint64_t rows, uint32_t type, uint64_t bytes)
{
	put_string(g, name);
	put_uint(g, 2, 4);
	put_uint(g, columns, 8);
	put_uint(g, rows, 8);
	put_uint(g, type, 4);
	put_uint(g, g->data, 8);
	g->data += (bytes + 31) / 32 * 32;
}

/* Zeros for the data, which nobody reads. */
static inline void
put_data(struct gguf_out *g)
{
	while (g->b.len % 32 != 0)
		buf_putc(&g->b, 0);
	for (uint64_t i = 0; i < g->data; i++)
		buf_putc(&g->b, 0);
}

#endif
