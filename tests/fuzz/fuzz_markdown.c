/*
 * Runs cover their text; what is said to be verbatim stands in the source at the place that is
 * given for it; HTML has no script in it.
 */
#include "markdown/markdown.h"

#include "util/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
require(bool holds)
{
	if (!holds)
		abort();
}

/* What stands at a place; the place must be in the text. */
static const char *
at_place(const char *text, size_t size, struct place at)
{
	const char *p = text, *end = text + size;

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
	return p;
}

static void
check_text(const struct markdown_text *t, const char *text, size_t size)
{
	const char *end = text + size;
	size_t covered = 0;

	for (size_t i = 0; i < t->run_count; i++) {
		require(t->runs[i].start == covered && t->runs[i].len > 0);
		covered += t->runs[i].len;
	}
	require(covered == t->len && strlen(t->s) == t->len);
	for (size_t i = 0; i < t->piece_count; i++) {
		size_t from = t->pieces[i].start;
		size_t to = i + 1 < t->piece_count ? t->pieces[i + 1].start : t->len;
		const char *p = at_place(text, size, t->pieces[i].at);

		require(from <= to && to <= t->len);
		for (size_t k = from; t->pieces[i].verbatim && k < to && t->s[k] != '\n'; k++)
			require(p + (k - from) < end && p[k - from] == t->s[k]);
	}
	for (size_t i = 0; i < t->link_count; i++) {
		const struct markdown_link *l = t->links[i];

		require(l->start + l->len <= t->len && l->destination != NULL && l->title != NULL);
		at_place(text, size, l->at);
	}
	for (size_t i = 0; i <= t->len && t->piece_count > 0; i += 7)
		at_place(text, size, markdown_place(t, i));
}

static void
check_block(const struct markdown_block *b, const char *text, size_t size)
{
	at_place(text, size, b->at);
	require(b->end_line >= b->at.line && (b->kind == MARKDOWN_TABLE) == (b->table != NULL));
	check_text(&b->text, text, size);
	for (size_t i = 0; b->table != NULL && i < b->table->count; i++) {
		const struct markdown_row *row = &b->table->rows[i];

		require(row->count <= b->table->columns);
		for (size_t k = 0; k < row->count; k++) {
			at_place(text, size, row->cells[k].at);
			check_text(&row->cells[k].text, text, size);
		}
	}
}

static void
check_html(const char *html)
{
	for (const char *p = html; (p = strchr(p, '<')) != NULL; p++)
		require(strncasecmp(p, "<script", 7) != 0);
	for (const char *p = html; (p = strstr(p, " href=\"")) != NULL; p++)
		require(strncasecmp(p + 7, "javascript:", 11) != 0);
	for (const char *p = html; (p = strstr(p, " src=\"")) != NULL; p++)
		require(strncasecmp(p + 6, "javascript:", 11) != 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena a = ARENA_INIT;
	struct buf html = BUF_INIT;
	struct err e = ERR_INIT;
	struct markdown *m;
	int rc = markdown_parse(&m, &a, text, size, "fuzz.md", &e);
	const char *file = text;
	size_t file_size = size;

	require(rc == OK || (rc == ERR_INPUT && e.text[0] != '\0'));
	require(markdown_html(&html, text, size, "fuzz.md", &e) == rc);
	check_html(html.s);
	if (rc == OK) /* places are of the text in NFC */
		text = utf8_nfc(&a, file, file_size, &size);
	for (size_t i = 0; rc == OK && i < m->count; i++) {
		at_place(file, file_size, markdown_written(m, m->blocks[i].at));
		check_block(&m->blocks[i], text, size);
	}
	for (size_t i = 0; rc == OK && i < m->reference_count; i++) {
		const struct markdown_reference *r = &m->references[i];

		require(*at_place(text, size, r->at) == '[');
		require(r->duplicate == (markdown_reference(m, r->label) != r));
	}
	buf_release(&html);
	arena_release(&a);
	return 0;
}
