#include <string.h>

#include "drafts/lint_int.h"

enum { BUCKETS = 1024, LETTERS = 2 };

/* A name, by one run of its digits. */
struct name {
	const char *text;
	size_t len, digits, digits_len;
	struct name *next;
};

struct names {
	struct arena *arena;
	struct name *buckets[BUCKETS];
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word_byte(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t
hash_digits(const char *s, size_t len)
{
	size_t h = 5381;

	for (size_t i = 0; i < len; i++)
		h = h * 33 + (unsigned char)s[i];
	return h % BUCKETS;
}

struct names *
names_open(struct arena *a)
{
	struct names *names = arena_alloc(a, sizeof *names);

	names->arena = a;
	return names;
}

/* What has hardly a letter, or is an amount, would let figures through as names. */
static bool
is_name(const char *name)
{
	struct quantity q;
	size_t letters = 0;

	if (quantity_parse(&q, name, strlen(name), DIM_ANY) == NULL)
		return false;
	for (const char *c = name; *c != '\0'; c++)
		letters += !is_digit(*c) && (is_word_byte(*c) || (*c & 0x80) != 0);
	return letters >= LETTERS;
}

void
names_add(struct names *names, const char *name)
{
	const char *copy = NULL;

	if (name == NULL || !is_name(name))
		return;
	for (size_t i = 0; name[i] != '\0';) {
		struct name *entry, **bucket;
		size_t n = strspn(name + i, "0123456789");

		if (n == 0) {
			i++;
			continue;
		}
		copy = copy == NULL ? arena_strdup(names->arena, name) : copy;
		bucket = &names->buckets[hash_digits(copy + i, n)];
		entry = arena_alloc(names->arena, sizeof *entry);
		*entry = (struct name){ copy, strlen(copy), i, n, *bucket };
		*bucket = entry;
		i += n;
	}
}

size_t
names_cover(const struct names *names, const char *text, size_t len, size_t at)
{
	size_t n = strspn(text + at, "0123456789"), end = 0;

	if (names == NULL)
		return 0;
	for (const struct name *name = names->buckets[hash_digits(text + at, n)]; name != NULL; name = name->next) {
		size_t start = at - name->digits, stop = start + name->len;

		if (name->digits_len != n || name->digits > at || stop > len || stop <= end ||
		    memcmp(text + start, name->text, name->len) != 0)
			continue;
		/* "Qwen3 14B" is no part of "Qwen3 14BX", nor of "XQwen3 14B" */
		if ((start > 0 && is_word_byte(text[start - 1]) && is_word_byte(text[start])) ||
		    (stop < len && is_word_byte(text[stop]) && is_word_byte(text[stop - 1])))
			continue;
		end = stop;
	}
	return end;
}
