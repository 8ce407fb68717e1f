/* Every node of a tree that was read has a place where such a node begins. */
#include "json/jn.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The byte at a place, for texts whose lines are ASCII; 0 where that is not known. */
static char
byte_at(const char *text, size_t size, struct place at)
{
	const char *end = text + size;

	for (int line = 1; line < at.line; line++) {
		text = memchr(text, '\n', (size_t)(end - text));
		if (text == NULL)
			abort();
		text++;
	}
	for (int column = 1; column < at.column; column++, text++)
		if (text >= end || (unsigned char)*text >= 0x80)
			return '\0';
	return text < end ? *text : '\0';
}

static void
check(const struct val *v, const char *text, size_t size)
{
	static const char *const first[] = {
		[VAL_NULL] = "n", [VAL_BOOL] = "tf", [VAL_NUM] = "-0123456789",
		[VAL_STR] = "\"", [VAL_LIST] = "[", [VAL_MAP] = "{",
	};
	char c = byte_at(text, size, v->at);

	if (c != '\0' && (c & 0x80) == 0 && strchr(first[v->kind], c) == NULL)
		abort();
	for (size_t i = 0; v->kind == VAL_LIST && i < v->list.count; i++)
		check(v->list.items[i], text, size);
	for (size_t i = 0; v->kind == VAL_MAP && i < v->map.count; i++) {
		c = byte_at(text, size, v->map.entries[i].at);
		if (c != '\0' && (c & 0x80) == 0 && c != '"')
			abort();
		check(v->map.entries[i].value, text, size);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *v;
	int rc = jn_parse(&v, &a, text, size, "fuzz.json", &e);

	if (rc == OK)
		check(v, text, size);
	else if (rc != ERR_INPUT || e.text[0] == '\0' || e.where[0] == '\0')
		abort();
	if (jn_parse_lines(&v, &a, text, size, "fuzz.jsonl", &e) == OK)
		for (size_t i = 0; i < v->list.count; i++)
			check(v->list.items[i], text, size);
	arena_release(&a);
	return 0;
}
