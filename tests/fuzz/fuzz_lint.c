/*
 * Any bytes as a draft, for both audiences: places lie in the text, the list is in order, and no message
 * or hint holds the wording that was found.
 */
#include "drafts/lint.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/images.h"
#include "kb/kb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static struct linter *
open_linter(void)
{
	static struct arena a = ARENA_INIT;
	static struct lint_options o;
	struct linter *l;
	struct kb *kb;
	struct err e;

	require(kb_open(&kb, image_knowledge, image_knowledge_len, &e) == OK);
	require(kb_open_quarantine(&o.quarantine, image_quarantine, image_quarantine_len, &e) == OK);
	require(linter_open(&l, kb, &o, &a, &e) == OK);
	return l;
}

/* Lines and the columns of each; a finding about the whole file has line 0. */
static void
check_place(const char *text, size_t size, struct place at)
{
	const char *p = text, *end = text + size;

	if (at.line == 0)
		return;
	require(at.line >= 1 && at.column >= 1);
	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		p += 3;
	for (int line = 1; line < at.line; line++) {
		p = memchr(p, '\n', (size_t)(end - p));
		require(p != NULL);
		p++;
	}
	for (int column = 1; column < at.column; column++) {
		require(p < end && *p != '\n');
		for (p++; p < end && (*p & 0xC0) == 0x80;)
			p++;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct linter *l;
	const char *text = (const char *)data;
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct findings found;
	int rc;

	if (l == NULL)
		l = open_linter();
	findings_init(&found, &a);
	rc = linter_run(&found, l, &a, text, size, "fuzz.md", "fuzz.md", &e);
	require(rc == OK || (rc == ERR_INPUT && e.text[0] != '\0'));
	findings_sort(&found);
	for (size_t i = 0; i < found.count; i++) {
		const struct finding *f = &found.items[i];

		require(f->rule->code != NULL && f->message[0] != '\0');
		check_place(text, size, f->at);
		require(i == 0 || f->at.line >= found.items[i - 1].at.line);
	}
	arena_release(&a);
	return 0;
}
