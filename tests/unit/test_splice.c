/* Splices: what is put in stands where it should, and every other byte is what it was. */
#include "unit.h"

#include <string.h>

#include "util/arena.h"
#include "yaml/yn.h"
#include "yaml/yn_splice.h"

static struct val *
a_link(struct arena *a)
{
	struct val *link = val_map(a);

	val_put(a, link, "finding", val_str(a, "src.x"));
	val_put(a, link, "by", val_str(a, "Kim, J."));
	return link;
}

#define LINK "{finding: src.x, by: \"Kim, J.\"}"

static void
check_item(const char *text, const char *expected)
{
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct val *tree;

	assert_int_equal(yn_splice_item(&out, text, strlen(text), "f.yaml", "evidence", a_link(&a), &e), OK);
	assert_string_equal(out.s, expected);
	assert_int_equal(yn_parse(&tree, &a, out.s, out.len, "f.yaml", &e), OK);
	assert_non_null(val_get(tree, "evidence"));
	buf_release(&out);
	arena_release(&a);
}

static void
items(void **state)
{
	(void)state;
	/* no such key: at the end, before a comment that closes the file */
	check_item("id: x\n", "id: x\nevidence:\n- " LINK "\n");
	check_item("id: x", "id: x\nevidence:\n- " LINK "\n");
	check_item("id: x # why\n# end\n", "id: x # why\nevidence:\n- " LINK "\n# end\n");
	check_item("a:\n  en: >-\n    one\n    two\n", "a:\n  en: >-\n    one\n    two\nevidence:\n- " LINK "\n");
	check_item("a: {en: x,\n  ko: y}   # c\n", "a: {en: x,\n  ko: y}   # c\nevidence:\n- " LINK "\n");
	check_item("a: \"x\n  y\"\n", "a: \"x\n  y\"\nevidence:\n- " LINK "\n");
	/* a list of lines, in its own column, comments kept */
	check_item("evidence:\n- {finding: a.b} # first\nid: x\n", "evidence:\n- {finding: a.b} # first\n- " LINK "\nid: x\n");
	check_item("evidence:\n  - finding: a.b\n    relation: supports\n  # of x\nid: x\n",
	    "evidence:\n  - finding: a.b\n    relation: supports\n  - " LINK "\n  # of x\nid: x\n");
	/* in brackets */
	check_item("evidence: [{finding: a.b}] # c\nid: x\n", "evidence: [{finding: a.b}, " LINK "] # c\nid: x\n");
	check_item("evidence: [{finding: a.b},\n  ]\n", "evidence: [{finding: a.b}, " LINK ",\n  ]\n");
	check_item("evidence: []\n", "evidence: [" LINK "]\n");
	/* another list of that name, deeper, is not meant */
	check_item("a:\n  evidence: [b]\n", "a:\n  evidence: [b]\nevidence:\n- " LINK "\n");
	/* CRLF, and columns and bytes that differ: a byte order mark, Korean, four-byte characters */
	check_item("id: x\r\nb: y\r\n", "id: x\r\nb: y\r\nevidence:\r\n- " LINK "\r\n");
	check_item("\xef\xbb\xbf" "a: 한글 😀\nevidence:\n- 비용\n# 끝\n",
	    "\xef\xbb\xbf" "a: 한글 😀\nevidence:\n- 비용\n- " LINK "\n# 끝\n");
	check_item("a: 한글 😀\r\nevidence: [비용, '절감'] # 끝\r\n", "a: 한글 😀\r\nevidence: [비용, '절감', " LINK "] # 끝\r\n");
}

static void
check_scalar(const char *text, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	assert_int_equal(yn_splice_scalar(&out, text, strlen(text), "f.yaml", "decided", "sha256:0a", &e), OK);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

static void
scalars(void **state)
{
	(void)state;
	check_scalar("id: x\n", "id: x\ndecided: sha256:0a\n");
	check_scalar("decided: sha256:ff # 끝\r\nid: x\r\n", "decided: sha256:0a # 끝\r\nid: x\r\n");
	check_scalar("a: 비용\n\"decided\":   'sha256:ff'\nid: x\n", "a: 비용\n\"decided\":   sha256:0a\nid: x\n");
	check_scalar("a: {decided: x}\n", "a: {decided: x}\ndecided: sha256:0a\n");
	check_scalar("a: decided\n", "a: decided\ndecided: sha256:0a\n");
}

static void
entries(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(yn_splice_entry(&out, "", 0, a_link(&a), "x\r\n", &e), OK);
	assert_string_equal(out.s, "- finding: src.x\r\n  by: Kim, J.\r\n");
	buf_clear(&out);
	assert_int_equal(yn_splice_entry(&out, "- a: b # c", 10, a_link(&a), "", &e), OK);
	assert_string_equal(out.s, "- a: b # c\n- finding: src.x\n  by: Kim, J.\n");
	buf_release(&out);
	arena_release(&a);
}

static void
refusals(void **state)
{
	static const char *const bad[] = { "{id: x}\n", "- a\n", "evidence: text\n", "evidence: {a: b}\n", "a: [\n", "" };
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buf out = BUF_INIT;
		struct err e = ERR_INIT;

		assert_int_equal(yn_splice_item(&out, bad[i], strlen(bad[i]), "f.yaml", "evidence", a_link(&a), &e), ERR_INPUT);
		assert_int_equal(out.len, 0);
		buf_release(&out);
	}
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(items), cmocka_unit_test(scalars),
		cmocka_unit_test(entries), cmocka_unit_test(refusals) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
