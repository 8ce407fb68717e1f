/*
 * Normal form and folding beside what utf8proc itself gives: the short way that most texts take must be
 * the same way.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "util/buf.h"
#include "util/utf8.h"

static void
same(const char *text, size_t len)
{
	struct arena a = ARENA_INIT;
	utf8proc_uint8_t *nfc = NULL, *folded = NULL;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &nfc,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	utf8proc_ssize_t m = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &folded,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
	size_t got;
	const char *ours = utf8_nfc(&a, text, len, &got);

	assert_true(n >= 0 && m >= 0);
	if (got != (size_t)n || memcmp(ours, nfc, got) != 0)
		fail_msg("the normal form of %s is %s, found %s", text, (char *)nfc, ours);
	ours = utf8_fold(&a, text, len, &got); /* which joins blanks and takes away those at the ends */
	if (strchr((char *)folded, ' ') == NULL && (got != (size_t)m || memcmp(ours, folded, got) != 0))
		fail_msg("%s folds to %s, found %s", text, (char *)folded, ours);
	free(nfc);
	free(folded);
	arena_release(&a);
}

/* Every character on its own, between letters, and before a final consonant and an accent, which compose. */
static void
every_character(void **state)
{
	(void)state;
	for (uint32_t cp = 0x21; cp < 0x30000; cp++) {
		static const char *const after[] = { "", "B", "\xE1\x86\xA8", "\xCC\x81", "\xEA\xB0\x80" };

		if ((cp >= 0xD800 && cp < 0xE000) || (cp >= 0x1F00 && cp < 0x4E00 && cp % 7 != 0) ||
		    (cp > 0xFFFF && cp % 31 != 0))
			continue;
		for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
			struct buf b = BUF_INIT;

			buf_puts(&b, "X");
			utf8_append(&b, cp);
			buf_puts(&b, after[i]);
			same(b.s, b.len);
			buf_release(&b);
		}
	}
}

static void
texts(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" }, { " ", "" }, { "A  B\t\nC ", "a b c" }, { "비용  절감", "비용 절감" },
		{ "\xE1\x84\x87\xE1\x85\xB5용", "비용" }, /* jamo */
		{ "가\xE1\x86\xA8", "각" }, { "ＨＢＭ", "hbm" }, { "Straße", "strasse" },
		{ "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "각" },
		{ "\xEF\xBB\xBF비용", "비용" }, { "off\xC2\xADload", "offload" }, { "\xE2\x80\x8B", "" }, /* invisible */
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = ARENA_INIT;
		size_t len;

		assert_string_equal(utf8_fold(&a, cases[i][0], strlen(cases[i][0]), &len), cases[i][1]);
		assert_int_equal(len, strlen(cases[i][1]));
		arena_release(&a);
	}
}

/* Thirty accents in a row are a letter, the next is at its place; another letter begins anew. */
static void
marks(void **state)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	for (int letter = 0; letter < 2; letter++) {
		buf_puts(&b, "\na");
		for (int i = 0; i < 15; i++)
			buf_puts(&b, "\xCC\x81\xCC\x96"); /* above and below: to be put in order */
	}
	assert_int_equal(utf8_check(b.s, b.len, "t", &e), OK);
	buf_puts(&b, "\xCC\x81");
	assert_int_equal(utf8_check(b.s, b.len, "t", &e), ERR_INPUT);
	assert_string_equal(e.where, "t:3:32");
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_character), cmocka_unit_test(texts),
		cmocka_unit_test(marks) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
