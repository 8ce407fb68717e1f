#include "unit.h"

#include "util/utf8.h"
#include "yaml/yn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct val *
must_parse(struct arena *a, const char *text)
{
	struct err e = ERR_INIT;
	struct val *v;

	if (yn_parse(&v, a, text, strlen(text), "t.yaml", &e) != OK)
		fail_msg("%s: %s in <%s>", e.where, e.text, text);
	return v;
}

static void
assert_place(struct place at, int line, int column)
{
	assert_string_equal(at.file, "t.yaml");
	assert_int_equal(at.line, line);
	assert_int_equal(at.column, column);
}

/* A scalar is the text that was written; published faults are named by their thread. */
static void
scalars_stay_text(void **state)
{
	static const struct {
		const char *yaml, *text; /* NULL: VAL_NULL */
		bool quoted;
	} cases[] = {
		{ "v: NO", "NO", false }, /* carmen-ruby/carmen#4 */
		{ "v: yes", "yes", false },
		{ "v: on", "on", false },
		{ "v: y", "y", false },
		{ "v: ~", "~", false },
		{ "v: null", "null", false },
		{ "v: 1.10", "1.10", false },	  /* doorstop#360 */
		{ "v: 0192117", "0192117", false }, /* chartpress#15 */
		{ "v: 1e10", "1e10", false },
		{ "v: 0777", "0777", false },
		{ "v: 1:30", "1:30", false },
		{ "v: 2026-02-30", "2026-02-30", false }, /* yaml#117 */
		{ "v: 141 GB", "141 GB", false },
		{ "v: a:b #c", "a:b", false },
		{ "v:", NULL, false },
		{ "v: # nothing", NULL, false },
		{ "v: ''", "", true },
		{ "v: \"\"", "", true },
		{ "v: 'no'", "no", true },
		{ "v: 'it''s'", "it's", true },
		{ "v: \"a\\tb\\u00e9\"", "a\tb\xC3\xA9", true },
		{ "v: |\n  a\n   b\n", "a\n b\n", true },
		{ "v: |-\n  a\n", "a", true },
		{ "v: >\n  a\n  b\n", "a b\n", true },
		{ "v: a\n  b", "a b", false },
		{ "v: |\r\n  a\r\n  b\r\n", "a\nb\n", true },
		/* NFD (e + U+0301; the three jamo of U+D55C) comes back as NFC. */
		{ "v: e\xCC\x81", "\xC3\xA9", false },
		{ "v: \xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C", false },
		{ "v: \"e\\u0301\"", "\xC3\xA9", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = ARENA_INIT;
		struct val *v = val_get(must_parse(&a, cases[i].yaml), "v");

		assert_non_null(v);
		if (cases[i].text == NULL) {
			assert_int_equal(v->kind, VAL_NULL);
		} else {
			assert_int_equal(v->kind, VAL_STR);
			assert_string_equal(v->str.text, cases[i].text);
			assert_int_equal(v->str.len, strlen(cases[i].text));
			assert_int_equal(v->quoted, cases[i].quoted);
		}
		arena_release(&a);
	}
}

/* Columns were counted by hand in code points. */
static void
places_are_in_code_points(void **state)
{
	static const char plain[] = "a: no\n"
	    "\xED\x95\x9C\xEA\xB5\xAD: {en: \"x\", ko: \xEA\xB0\x80\xEB\x82\x98}\n"
	    "l:\n"
	    "- x\n"
	    "-\n"
	    "- |\n"
	    "  t\n"
	    "- q: r\n";
	struct arena a = ARENA_INIT;

	(void)state;
	/* The same with a byte order mark and CRLF: not one place may move (toml-rs#320). */
	for (int variant = 0; variant < 2; variant++) {
		struct buf text = BUF_INIT;
		struct val *v, *map, *list;

		if (variant == 1)
			buf_puts(&text, "\xEF\xBB\xBF");
		for (const char *p = plain; *p != '\0'; p++) {
			if (variant == 1 && *p == '\n')
				buf_putc(&text, '\r');
			buf_putc(&text, *p);
		}
		v = must_parse(&a, text.s);
		assert_place(v->at, 1, 1);
		assert_place(val_get(v, "a")->at, 1, 4);
		assert_place(val_entry(v, "\xED\x95\x9C\xEA\xB5\xAD")->at, 2, 1);
		map = val_get(v, "\xED\x95\x9C\xEA\xB5\xAD");
		assert_place(map->at, 2, 5);
		assert_place(val_entry(map, "en")->at, 2, 6);
		assert_place(val_get(map, "en")->at, 2, 10);
		assert_place(val_entry(map, "ko")->at, 2, 15);
		assert_place(val_get(map, "ko")->at, 2, 19);
		list = val_get(v, "l");
		assert_place(list->at, 4, 1);
		assert_int_equal(val_count(list), 4);
		assert_place(list->list.items[0]->at, 4, 3);
		assert_int_equal(list->list.items[1]->kind, VAL_NULL);
		assert_place(list->list.items[1]->at, 5, 2);
		assert_place(list->list.items[2]->at, 6, 3);
		assert_place(list->list.items[3]->at, 8, 3);
		assert_place(val_get(list->list.items[3], "q")->at, 8, 6);
		buf_release(&text);
	}
	arena_release(&a);
}

static void
faults_have_places(void **state)
{
	static const struct {
		const char *yaml, *where, *words;
	} cases[] = {
		{ "", "t.yaml", "expected a map, found an empty file" },
		{ "\xEF\xBB\xBF", "t.yaml", "expected a map, found an empty file" },
		{ "# only\n# comments\n", "t.yaml", "expected a map, found an empty file" },
		{ "---\n", "t.yaml", "expected a map, found an empty file" },
		{ "a: &x b\n", "t.yaml:1:4", "anchor" },
		{ "a: &x [b]\n", "t.yaml:1:4", "anchor" },
		{ "&x a: b\n", "t.yaml:1:1", "anchor" },
		{ "a: *x\n", "t.yaml:1:4", "alias" },
		{ "a: &a [*a]\n", "t.yaml:1:4", "anchor" },
		{ "a: !!str b\n", "t.yaml:1:4", "tag" },
		{ "a: ! b\n", "t.yaml:1:4", "tag" },
		{ "a: ! 'b'\n", "t.yaml:1:4", "tag" },
		{ "a: !\n", "t.yaml:1:4", "tag" },
		{ "a: !!map {b: c}\n", "t.yaml:1:4", "tag" },
		{ "a: ! [b]\n", "t.yaml:1:4", "tag" },
		{ "a: !x!y b\n", "t.yaml:1:4", "tag" },
		{ "a: !<tag:x> b\n", "t.yaml:1:4", "tag" },
		{ "a: b\n<<: c\n", "t.yaml:2:1", "merge key" },
		{ "a: b\n---\nc: d\n", "t.yaml:2:1", "second" },
		{ "a: b\n...\nc: d\n", "t.yaml:3:1", "end of the file" },
		{ "%YAML 1.1\n---\na: b\n", "t.yaml:1:1", "directive" },
		{ "%TAG ! !x\n---\na: b\n", "t.yaml:1:1", "directive" },
		{ "%X\n---\na: b\n", "t.yaml:1:3", "directive" },
		{ "a: b\nc: d\na: e\n", "t.yaml:3:1", "in line 1 as well" },
		{ "a: {b: c, b: d}\n", "t.yaml:1:11", "each key once" },
		/* NFD and NFC of one name are one key (obsidian-bridge.nvim#43). */
		{ "e\xCC\x81: 1\n\xC3\xA9: 2\n", "t.yaml:2:1", "each key once" },
		{ "[a]: b\n", "t.yaml:1:1", "expected a text as key, found a list" },
		{ "? {a: b}\n: c\n", "t.yaml:1:3", "expected a text as key, found a map" },
		{ "? \n: b\n", "t.yaml:1:2", "expected a key, found nothing" },
		{ "a:\n\tb: c\n", "t.yaml:2:1", "found a tab" },
		{ "a: b: c\n", "t.yaml:1:5", "colon" },
		{ "a: b\nkey\nc: d\n", "t.yaml:2:1", "colon" },
		{ "a: [b, c\nd: e\n", "t.yaml:2:2", "]" },
		{ "a: \"b\n\n\nc: d\n", "t.yaml:1:4", "closing quote" },
		{ "a:\n  b: c\n d: e\n", "t.yaml:3:2", "same column" },
		{ "a: @b\n", "t.yaml:1:4", "needs quotes" },
		{ "a: \"\\q\"\n", "t.yaml:1:5", "escape" },
		{ "a: \"\\0\"\n", "t.yaml:1:4", "NUL" },
		{ "a: \"\\u202E\"\n", "t.yaml:1:4", "direction" },
		{ "a: \"\\u2066\"\n", "t.yaml:1:4", "direction" },
		{ "a: \"\\L\"\n", "t.yaml:1:4", "separator" },
		{ "a: \"\\N\"\n", "t.yaml:1:4", "control" },
		{ "a: \"\\uFEFFb\"\n", "t.yaml:1:4", "byte order mark" },
		{ "a: \"\\uD800\"\n", "t.yaml:1:7", "character" },
		{ "\"a\\0\": b\n", "t.yaml:1:1", "NUL" },
		{ "a: \xFF\n", "t.yaml:1:4", "UTF-8" },
		{ "\xEA\xB0\x80: \xE2\x80\xAE\n", "t.yaml:1:4", "direction" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct val *v;
		int rc = yn_parse(&v, &a, cases[i].yaml, strlen(cases[i].yaml), "t.yaml", &e);

		if (rc != ERR_INPUT || strcmp(e.where, cases[i].where) != 0 ||
		    strstr(e.text, cases[i].words) == NULL)
			fail_msg("%d %s: %s in <%s>", rc, e.where, e.text, cases[i].yaml);
		assert_null(v);
		arena_release(&a);
	}
}

/* A fault in line 40 of a CRLF file is in line 40 (toml-rs#320). */
static void
crlf_keeps_lines(void **state)
{
	struct buf text = BUF_INIT;
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *v;

	(void)state;
	for (int i = 1; i < 40; i++)
		buf_printf(&text, "key%d: value\r\n", i);
	buf_puts(&text, "last: *x\r\n");
	assert_int_equal(yn_parse(&v, &a, text.s, text.len, "t.yaml", &e), ERR_INPUT);
	assert_string_equal(e.where, "t.yaml:40:7");
	buf_release(&text);
	arena_release(&a);
}

/* `unit`, repeated, is refused for `words` in a moment. */
static void
hostile_text_is_refused_fast(void **state)
{
	static const struct {
		const char *unit;
		size_t times;
		const char *words; /* NULL: accepted */
	} cases[] = {
		{ "[", 40000, "64 deep" },
		{ "[a,\n", 40000, "64 deep" },
		{ "{a: ", 40000, "64 deep" },
		{ "- ", 40000, "64 deep" },
		{ "? ", 40000, "expected" },
		{ "[{", 1000000, "found a list" },
		{ "- a\n", 200001, "200000 values" },
		{ "a: b\n", 100000, "each key once" },
		{ "a", 4000000, NULL },
		{ "#\n", 4000000, "empty file" },
		{ "\xEA\xB0\x80 ", 1000000, NULL },
		{ "x: y\n\n", 3000000, "16 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = BUF_INIT;
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		double start;
		struct val *v;
		int rc;

		for (size_t k = 0; k < cases[i].times; k++)
			buf_puts(&text, cases[i].unit);
		start = processor_seconds();
		rc = yn_parse(&v, &a, text.s, text.len, "t.yaml", &e);
		assert_true(processor_seconds() - start < 5); /* libyaml alone takes 10 for the first */
		if (cases[i].words == NULL)
			assert_int_equal(rc, OK);
		else if (rc != ERR_INPUT || strstr(e.text, cases[i].words) == NULL)
			fail_msg("%zu: %d %s", i, rc, e.text);
		arena_release(&a);
		buf_release(&text);
	}
}

/* 64 levels are allowed, 65 are not; brackets in text are text. */
static void
depth_is_counted(void **state)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	char text[200];
	struct val *v;

	(void)state;
	for (int deep = 64; deep <= 65; deep++) {
		memset(text, '[', (size_t)deep);
		memset(text + deep, ']', (size_t)deep);
		assert_int_equal(yn_parse(&v, &a, text, (size_t)deep * 2, "t.yaml", &e),
		    deep == 64 ? OK : ERR_INPUT);
	}
	memset(text, '[', 190);
	text[0] = '\'';
	text[189] = '\'';
	assert_int_equal(yn_parse(&v, &a, text, 190, "t.yaml", &e), OK);
	arena_release(&a);
}

static bool
same(const struct val *x, const struct val *y)
{
	if (x->kind != y->kind || val_count(x) != val_count(y))
		return false;
	if (x->kind == VAL_STR)
		return x->str.len == y->str.len && strcmp(x->str.text, y->str.text) == 0 &&
		    (!x->quoted || y->quoted);
	for (size_t i = 0; x->kind == VAL_LIST && i < x->list.count; i++)
		if (!same(x->list.items[i], y->list.items[i]))
			return false;
	for (size_t i = 0; x->kind == VAL_MAP && i < x->map.count; i++)
		if (strcmp(x->map.entries[i].key, y->map.entries[i].key) != 0 ||
		    !same(x->map.entries[i].value, y->map.entries[i].value))
			return false;
	return true;
}

static void
writes_what_it_reads(void **state)
{
	static const char *const texts[] = {
		"", " ", "a", "-", "- a", "-5", "--- a", "...", "?", "? a", ":", "a:", "a: b",
		"a:b",
		"a #b", "a#b", "#a", "&a", "*a", "!a", "%a", "@a", "`a", "|", ">", "'", "\"", "\\",
		"[a", "]", "{", "}", ",", "a, b", "no", "~", "null", "1.10", "<<", "=", " a", "a ",
		"a\tb", "\ta", "a\n", "a\nb", "a\nb\n", "a\n\n", "\na", " a\nb", "a\n b\n",
		"a \n b",
		"a\n\tb", "a\n\nb\n", "\n", "a\r\nb", "a: \"b\"", "\xED\x95\x9C\xEA\xB5\xAD",
		"\xC2\xA0", "a\xC2\xA0", "\xED\x95\x9C: x", "a\n#b\n", "a\n---\nb", "---\n---\n",
		"a\n   \nb", "# a\nb", "- a\n- b\n", "1e3", "true", "key: |",
	};
	struct arena a = ARENA_INIT;
	struct val *root = val_map(&a), *list = val_list(&a), *keys = val_map(&a), *again;
	struct val *deep = val_list(&a);
	struct buf out = BUF_INIT, long_key = BUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		val_push(&a, list, val_str(&a, texts[i]));
		val_put(&a, keys, texts[i], val_str(&a, texts[i]));
		val_push(&a, val_push(&a, deep, val_list(&a)), val_str(&a, texts[i]));
	}
	for (int i = 0; i < 5000; i++)
		buf_putc(&long_key, 'k');
	val_put(&a, val_put(&a, keys, long_key.s, val_map(&a)), "x", val_null(&a));
	val_put(&a, root, "list", list);
	val_put(&a, root, "keys", keys);
	val_put(&a, root, "deep", deep);
	val_put(&a, root, "none", val_null(&a));
	val_put(&a, root, "no items", val_list(&a));
	val_put(&a, root, "no keys", val_map(&a));
	assert_int_equal(yn_write(&out, root, &e), OK);
	if (yn_parse(&again, &a, out.s, out.len, "t.yaml", &e) != OK)
		fail_msg("%s: %s in\n%s", e.where, e.text, out.s);
	assert_true(same(root, again));
	buf_release(&long_key);
	buf_release(&out);
	arena_release(&a);
}

static void
writes_the_style_of_the_repository(void **state)
{
	static const char text[] = "id: neocloud\n"
	    "name:\n"
	    "  en: Neocloud\n"
	    "  ko: \xED\x95\x9C\xEA\xB5\xAD\n"
	    "approvers:\n"
	    "- id: cfo\n"
	    "  signs: |\n"
	    "    one\n"
	    "\n"
	    "    two\n"
	    "  needs:\n"
	    "  - a\n"
	    "  - - b\n"
	    "    - c: d\n"
	    "      e:\n"
	    "  -\n"
	    "none: []\n"
	    "value: \"1.10\"\n"
	    "reuse: \"> 0\"\n"
	    "accelerators: 16\n";
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(yn_write(&out, must_parse(&a, text), &e), OK);
	assert_string_equal(out.s, text);
	buf_release(&out);
	arena_release(&a);
}

static void
refuses_to_write_what_cannot_be_read(void **state)
{
	static const char *const texts[] = { "\x01", "a\rb", "\xE2\x80\xAE", "\xEF\xBB\xBF",
		"\xC2\x85", "\xFF" };
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct val *v = val_str(&a, "x");

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct val *map = val_map(&a), *list = val_list(&a);

		val_put(&a, map, texts[i], val_null(&a));
		val_push(&a, list, val_str(&a, texts[i]));
		assert_int_equal(yn_write(&out, map, &e), ERR_INPUT);
		assert_int_equal(yn_write(&out, list, &e), ERR_INPUT);
	}
	assert_int_equal(yn_write(&out, val_null(&a), &e), ERR_INPUT);
	assert_int_equal(yn_write(&out, val_num(&a, 1e308 * 10), &e), ERR_INPUT);
	for (int deep = 1; deep <= 65; deep++) {
		struct val *list = val_list(&a);

		val_push(&a, list, v);
		v = list;
		assert_int_equal(yn_write(&out, v, &e), deep <= 64 ? OK : ERR_INPUT);
	}
	buf_clear(&out);
	v = val_list(&a);
	val_push(&a, v, val_num(&a, 0.1));
	val_push(&a, v, val_num(&a, 589484261376.0));
	val_push(&a, v, val_bool(&a, true));
	assert_int_equal(yn_write(&out, v, &e), OK);
	assert_string_equal(out.s, "- 0.1\n- 589484261376\n- true\n");
	buf_release(&out);
	arena_release(&a);
}

static void
reads_files(void **state)
{
	char path[] = "/tmp/dossier-yn-XXXXXX";
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *v;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "a: b\n", 5), 5);
	close(fd);
	assert_int_equal(yn_read(&v, &a, path, &e), OK);
	assert_string_equal(val_get_text(v, "a"), "b");
	assert_string_equal(v->at.file, path);
	unlink(path);
	assert_int_equal(yn_read(&v, &a, path, &e), ERR_INPUT);
	assert_string_equal(e.where, path);
	arena_release(&a);
}

/* Nothing in the first list or map of a file, and nothing in any of them: found by a fuzzer. */
static void
empty_lists_and_maps(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	assert_int_equal(val_count(must_parse(&a, "[]")), 0);
	assert_int_equal(must_parse(&a, "{}")->kind, VAL_MAP);
	assert_int_equal(val_count(must_parse(&a, "[[], {}, {a: []}]")), 3);
	assert_int_equal(val_count(val_path(must_parse(&a, "a: {}\nb: [c]"), "b")), 1);
	arena_release(&a);
}

/* Texts read as of one collection: the same trees, and of each key one copy for all of them. */
static void
keys_are_kept_once(void **state)
{
	static const char text[] = "a: {en: x, ko: \"\xEA\xB0\x80\"}\n\"e\xCC\x81\": [{en: y}, z]\n";
	struct arena a = ARENA_INIT;
	struct intern keys = { 0 };
	struct err e = ERR_INIT;
	struct val *one, *two, *alone;

	(void)state;
	assert_int_equal(yn_parse_one(&one, &a, &keys, text, strlen(text), "1.yaml", &e), OK);
	assert_int_equal(yn_parse_one(&two, &a, &keys, text, strlen(text), "2.yaml", &e), OK);
	assert_int_equal(yn_parse(&alone, &a, text, strlen(text), "3.yaml", &e), OK);
	assert_int_equal(keys.count, 4); /* a, en, ko, and e with an accent, composed */
	assert_ptr_equal(val_entry(one, "a")->key, val_entry(two, "a")->key);
	assert_ptr_equal(val_entry(val_get(one, "a"), "en")->key, val_entry(val_path(two, "\xC3\xA9.0"), "en")->key);
	assert_string_equal(val_text(val_path(two, "a.ko")), "\xEA\xB0\x80");
	assert_string_equal(val_text(val_path(two, "\xC3\xA9.1")), "z");
	assert_string_equal(two->at.file, "2.yaml");
	assert_string_equal(val_text(val_path(alone, "\xC3\xA9.1")), "z");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_lists_and_maps),
		cmocka_unit_test(keys_are_kept_once),
		cmocka_unit_test(scalars_stay_text),
		cmocka_unit_test(places_are_in_code_points),
		cmocka_unit_test(faults_have_places),
		cmocka_unit_test(crlf_keeps_lines),
		cmocka_unit_test(hostile_text_is_refused_fast),
		cmocka_unit_test(depth_is_counted),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(writes_the_style_of_the_repository),
		cmocka_unit_test(refuses_to_write_what_cannot_be_read),
		cmocka_unit_test(reads_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
