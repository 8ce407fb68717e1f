#include "util/intern.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a. A hostile file gains little by texts that meet in one slot: files are short, and their maps few. */
static size_t
hash_of(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static const char **
find(const struct intern *in, const char *text)
{
	size_t i = hash_of(text) & (in->size - 1);

	while (in->slots[i] != NULL && strcmp(in->slots[i], text) != 0)
		i = (i + 1) & (in->size - 1);
	return &in->slots[i];
}

static void
enlarge(struct intern *in, struct arena *a)
{
	struct intern larger = { .size = in->size == 0 ? 64 : in->size * 2, .count = in->count };

	larger.slots = arena_alloc(a, larger.size * sizeof *larger.slots);
	for (size_t i = 0; i < in->size; i++)
		if (in->slots[i] != NULL)
			*find(&larger, in->slots[i]) = in->slots[i];
	*in = larger;
}

const char *
intern_text(struct intern *in, struct arena *a, const char *text)
{
	const char **slot;

	if (in->count >= in->size / 2)
		enlarge(in, a);
	slot = find(in, text);
	if (*slot == NULL) {
		*slot = arena_strdup(a, text);
		in->count++;
	}
	return *slot;
}
