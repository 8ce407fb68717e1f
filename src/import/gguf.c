/*
 * The header of a GGUF file: metadata and tensor infos, through a window of the file. What is not used, such as
 * the tokenizer, is walked over and not kept.
 */
#include "import/gguf.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

/* Blocks from gguf-py/gguf/constants.py: elements and bytes of one. */
static const struct gguf_type TYPES[GGUF_TYPES] = {
	[0] = { "f32", 1, 4 }, [1] = { "f16", 1, 2 }, [2] = { "q4_0", 32, 18 }, [3] = { "q4_1", 32, 20 },
	[6] = { "q5_0", 32, 22 }, [7] = { "q5_1", 32, 24 }, [8] = { "q8_0", 32, 34 }, [9] = { "q8_1", 32, 40 },
	[10] = { "q2_k", 256, 84 }, [11] = { "q3_k", 256, 110 }, [12] = { "q4_k", 256, 144 }, [13] = { "q5_k", 256, 176 },
	[14] = { "q6_k", 256, 210 }, [15] = { "q8_k", 256, 292 }, [16] = { "iq2_xxs", 256, 66 }, [17] = { "iq2_xs", 256, 74 },
	[18] = { "iq3_xxs", 256, 98 }, [19] = { "iq1_s", 256, 50 }, [20] = { "iq4_nl", 32, 18 }, [21] = { "iq3_s", 256, 110 },
	[22] = { "iq2_s", 256, 82 }, [23] = { "iq4_xs", 256, 136 }, [24] = { "i8", 1, 1 }, [25] = { "i16", 1, 2 },
	[26] = { "i32", 1, 4 }, [27] = { "i64", 1, 8 }, [28] = { "f64", 1, 8 }, [29] = { "iq1_m", 256, 56 },
	[30] = { "bf16", 1, 2 }, [34] = { "tq1_0", 256, 54 }, [35] = { "tq2_0", 256, 66 }, [39] = { "mxfp4", 32, 17 },
	[40] = { "nvfp4", 64, 36 }, [41] = { "q1_0", 128, 18 },
};

enum value_type {
	VALUE_U8, VALUE_I8, VALUE_U16, VALUE_I16, VALUE_U32, VALUE_I32, VALUE_F32, VALUE_BOOL, VALUE_STRING, VALUE_ARRAY,
	VALUE_U64, VALUE_I64, VALUE_F64, VALUE_TYPES
};

static const unsigned char VALUE_BYTES[VALUE_TYPES] = {
	[VALUE_U8] = 1, [VALUE_I8] = 1, [VALUE_U16] = 2, [VALUE_I16] = 2, [VALUE_U32] = 4, [VALUE_I32] = 4, [VALUE_F32] = 4,
	[VALUE_BOOL] = 1, [VALUE_U64] = 8, [VALUE_I64] = 8, [VALUE_F64] = 8,
};

enum {
	WINDOW_BYTES = 64 * 1024,
	MAX_HEADER = 256 * 1024 * 1024,
	MAX_VALUES = 64 * 1024,
	MAX_TENSORS = 256 * 1024,
	MAX_ITEMS = 16 * 1024 * 1024,
	MAX_NAME = 512,
	KEEP_TEXT = 1024,
	KEEP_ITEMS = 2 * DRAFT_MAX_LAYERS,
	KEEP_ALL = 512 * 1024, /* items of all lists: what is beyond is no layer's */
};

struct cursor {
	struct draft *d;
	const struct source *s;
	uint64_t at;           /* of the next byte */
	uint64_t start;        /* what of the file the window holds */
	size_t held;
	size_t kept;           /* items of lists */
	bool big;
	unsigned char window[WINDOW_BYTES];
};

static struct place
whole(const struct cursor *c)
{
	return (struct place){ c->s->path, 0, 0 };
}

/* n <= WINDOW_BYTES bytes at the cursor, which moves behind them; NULL at the end of the file. */
static const unsigned char *
take(struct cursor *c, size_t n)
{
	uint64_t left = c->s->size - c->at;
	const unsigned char *p;

	if (c->d->rc != OK)
		return NULL;
	if (n > left || c->at > MAX_HEADER) {
		if (n > left)
			draft_fail(c->d, whole(c), "expected %zu more bytes of the header at offset %llu, found the end", n,
			    (unsigned long long)c->at);
		else
			draft_fail(c->d, whole(c), "expected a header of at most %d MiB", MAX_HEADER / (1024 * 1024));
		return NULL;
	}
	if (c->at < c->start || c->at + n > c->start + c->held) {
		c->start = c->at;
		c->held = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
		if (!source_read(c->s, c->window, c->start, c->held)) {
			c->held = 0;
			draft_fail(c->d, whole(c), "cannot read %zu bytes at offset %llu", n, (unsigned long long)c->at);
			return NULL;
		}
	}
	p = c->window + (c->at - c->start);
	c->at += n;
	return p;
}

/* 0 behind the end. */
static uint64_t
take_uint(struct cursor *c, size_t bytes)
{
	const unsigned char *p = take(c, bytes);
	uint64_t v = 0;

	for (size_t i = 0; p != NULL && i < bytes; i++)
		v |= (uint64_t)p[c->big ? bytes - 1 - i : i] << (8 * i);
	return v;
}

static void
skip(struct cursor *c, uint64_t n)
{
	if (c->d->rc != OK)
		return;
	if (n > c->s->size - c->at)
		draft_fail(c->d, whole(c), "expected %llu bytes at offset %llu, found fewer", (unsigned long long)n,
		    (unsigned long long)c->at);
	else
		c->at += n;
}

/* A name of ours to compare and to show: what is longer or holds other bytes fails. */
static const char *
take_name(struct cursor *c)
{
	uint64_t len = take_uint(c, 8);
	const unsigned char *p;

	if (c->d->rc == OK && (len == 0 || len > MAX_NAME))
		draft_fail(c->d, whole(c), "expected a name of 1 to %d bytes at offset %llu, found a length of %llu", MAX_NAME,
		    (unsigned long long)(c->at - 8), (unsigned long long)len);
	p = c->d->rc == OK ? take(c, (size_t)len) : NULL;
	for (uint64_t i = 0; p != NULL && i < len; i++)
		if (p[i] < 0x21 || p[i] > 0x7e) {
			draft_fail(c->d, whole(c), "expected a name of plain characters at offset %llu",
			    (unsigned long long)(c->at - len));
			p = NULL;
		}
	return p != NULL ? arena_strndup(c->d->a, (const char *)p, (size_t)len) : "";
}

static struct val *
take_text(struct cursor *c)
{
	struct err ignored = ERR_INIT;
	uint64_t len = take_uint(c, 8);
	const char *p;

	if (len > KEEP_TEXT) {
		skip(c, len);
		return NULL;
	}
	p = (const char *)take(c, (size_t)len);
	if (p == NULL || utf8_check(p, (size_t)len, NULL, &ignored) != OK)
		return NULL;
	return val_strn(c->d->a, p, (size_t)len);
}

static double
number_of(struct cursor *c, enum value_type type)
{
	uint64_t raw = take_uint(c, VALUE_BYTES[type]);
	uint32_t low = (uint32_t)raw;
	float f;
	double d;

	switch (type) {
	case VALUE_I8:
		return (double)(int8_t)raw;
	case VALUE_I16:
		return (double)(int16_t)raw;
	case VALUE_I32:
		return (double)(int32_t)raw;
	case VALUE_I64:
		return (double)(int64_t)raw;
	case VALUE_F32:
		memcpy(&f, &low, sizeof f);
		return (double)f;
	case VALUE_F64:
		memcpy(&d, &raw, sizeof d);
		return d;
	default:
		return (double)raw;
	}
}

static struct val *
take_array(struct cursor *c, uint64_t *count)
{
	uint64_t type = take_uint(c, 4), n = take_uint(c, 8);
	struct val *list;

	*count = n;
	if (c->d->rc == OK && (type >= VALUE_TYPES || type == VALUE_ARRAY))
		draft_fail(c->d, whole(c), "expected a list of plain values, found type %llu", (unsigned long long)type);
	if (c->d->rc == OK && n > MAX_ITEMS)
		draft_fail(c->d, whole(c), "expected at most %d items in a list, found %llu", MAX_ITEMS, (unsigned long long)n);
	if (c->d->rc != OK)
		return NULL;
	if (type == VALUE_STRING) {
		for (uint64_t i = 0; i < n && c->d->rc == OK; i++) {
			skip(c, take_uint(c, 8));
			if (c->at > MAX_HEADER)
				draft_fail(c->d, whole(c), "expected a header of at most %d MiB", MAX_HEADER / (1024 * 1024));
		}
		return NULL;
	}
	if (n > KEEP_ITEMS || c->kept + n > KEEP_ALL) {
		skip(c, n * VALUE_BYTES[type]);
		return NULL;
	}
	c->kept += (size_t)n;
	list = val_list(c->d->a);
	for (uint64_t i = 0; i < n && c->d->rc == OK; i++)
		val_push(c->d->a, list, val_num(c->d->a, number_of(c, (enum value_type)type)));
	return list;
}

static void
take_value(struct cursor *c, struct gguf *g)
{
	const char *key = take_name(c);
	uint64_t type = take_uint(c, 4), count;
	struct val *v = NULL;

	if (c->d->rc != OK)
		return;
	if (type == VALUE_STRING)
		v = take_text(c);
	else if (type == VALUE_ARRAY)
		v = take_array(c, &count);
	else if (type < VALUE_TYPES)
		v = val_num(c->d->a, number_of(c, (enum value_type)type));
	else
		draft_fail(c->d, whole(c), "%s: expected a type of value that GGUF knows, found %llu", key, (unsigned long long)type);
	if (type == VALUE_ARRAY && strcmp(key, "tokenizer.ggml.tokens") == 0 && c->d->rc == OK)
		g->tokens = (double)count;
	if (v != NULL && c->d->rc == OK) {
		v->at = whole(c);
		val_put(c->d->a, g->values, key, v);
	}
}

/* Its size by its type, checked against what a file can hold. */
static void
take_tensor(struct cursor *c, struct gguf *g, struct gguf_tensor *t)
{
	uint64_t dims, type, elements = 1, first = 0;

	t->name = take_name(c);
	dims = take_uint(c, 4);
	if (c->d->rc == OK && (dims < 1 || dims > 4))
		draft_fail(c->d, whole(c), "%s: expected 1 to 4 dimensions, found %llu", t->name, (unsigned long long)dims);
	for (uint64_t i = 0; i < dims && c->d->rc == OK; i++) {
		uint64_t n = take_uint(c, 8);

		if (n == 0 || n > (1ull << 53) / elements)
			draft_fail(c->d, whole(c), "%s: expected dimensions whose product is below 2^53", t->name);
		else
			elements *= n;
		first = i == 0 ? n : first;
	}
	type = take_uint(c, 4);
	t->offset = take_uint(c, 8);
	if (c->d->rc != OK)
		return;
	if (type >= GGUF_TYPES || TYPES[type].name == NULL) {
		draft_fail(c->d, whole(c), "%s: expected a type of tensor that is known, found %llu", t->name, (unsigned long long)type);
		return;
	}
	t->type = &TYPES[type];
	if (first % t->type->block != 0)
		draft_fail(c->d, whole(c), "%s: expected rows of whole blocks of %u", t->name, t->type->block);
	t->elements = elements;
	t->bytes = elements / t->type->block * t->type->bytes;
	if (t->offset % g->alignment != 0)
		draft_fail(c->d, whole(c), "%s: expected an offset that is a multiple of %llu", t->name, (unsigned long long)g->alignment);
}

static void
check_extent(struct cursor *c, const struct gguf *g)
{
	uint64_t start = (c->at + g->alignment - 1) / g->alignment * g->alignment;
	uint64_t room = start < c->s->size ? c->s->size - start : 0;

	for (size_t i = 0; i < g->tensor_count && c->d->rc == OK; i++) {
		const struct gguf_tensor *t = &g->tensors[i];

		if (t->offset > room || t->bytes > room - t->offset)
			draft_fail(c->d, whole(c), "%s: expected %llu bytes at %llu, found a file that ends before: it is cut short",
			    t->name, (unsigned long long)t->bytes, (unsigned long long)(start + t->offset));
	}
}

static void
take_alignment(struct cursor *c, struct gguf *g)
{
	const struct val *v = val_get(g->values, "general.alignment");
	double n = val_is(v, VAL_NUM) ? v->number : 32;

	if (!(n >= 1 && n <= 1 << 20) || n != (double)(uint64_t)n || ((uint64_t)n & ((uint64_t)n - 1)) != 0)
		draft_fail(c->d, whole(c), "general.alignment: expected a power of two up to 2^20");
	else
		g->alignment = (uint64_t)n;
}

void
gguf_header(struct gguf *g, struct draft *d, const struct source *s)
{
	struct cursor *c = arena_alloc(d->a, sizeof *c);
	const struct val_entry *again, *earlier;
	const unsigned char *magic;
	uint64_t version, tensors, values;

	*g = (struct gguf){ .values = val_map(d->a), .alignment = 32 };
	c->d = d;
	c->s = s;
	magic = take(c, 8);
	if (magic == NULL)
		return;
	if (memcmp(magic, "GGUF", 4) != 0 && memcmp(magic, "FUGG", 4) != 0) {
		draft_fail(d, whole(c), "expected a GGUF file");
		return;
	}
	/* Versions are small: the byte that is not 0 tells the order. */
	c->big = magic[4] == 0 && magic[7] != 0;
	c->at = 4;
	version = take_uint(c, 4);
	if (version != 2 && version != 3)
		draft_fail(d, whole(c), "expected GGUF version 2 or 3, found %llu", (unsigned long long)version);
	tensors = take_uint(c, 8);
	values = take_uint(c, 8);
	if (d->rc == OK && (tensors > MAX_TENSORS || values > MAX_VALUES))
		draft_fail(d, whole(c), "expected at most %d tensors and %d values, found %llu and %llu", MAX_TENSORS, MAX_VALUES,
		    (unsigned long long)tensors, (unsigned long long)values);
	for (uint64_t i = 0; i < values && d->rc == OK; i++)
		take_value(c, g);
	again = val_duplicate(g->values, &earlier);
	if (d->rc == OK && again != NULL)
		draft_fail(d, whole(c), "%s: expected each key once, found it twice", again->key);
	take_alignment(c, g);
	/* An info takes 32 bytes at least: room is made for what can be there only. */
	if (d->rc == OK && tensors > (s->size - c->at) / 32)
		draft_fail(d, whole(c), "expected %llu tensors, found room for fewer", (unsigned long long)tensors);
	if (d->rc != OK)
		return;
	g->tensors = arena_alloc(d->a, (size_t)(tensors + 1) * sizeof *g->tensors);
	for (; g->tensor_count < tensors && d->rc == OK; g->tensor_count++)
		take_tensor(c, g, &g->tensors[g->tensor_count]);
	check_extent(c, g);
}
