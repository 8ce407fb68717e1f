#define _DEFAULT_SOURCE /* mkstemps */

#include "unit.h"

#include "json/jn.h"

#include "util/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct val *
must_parse(struct arena *a, const char *text)
{
	struct err e = ERR_INIT;
	struct val *v;

	if (jn_parse(&v, a, text, strlen(text), "t.json", &e) != OK)
		fail_msg("%s: %s in <%s>", e.where, e.text, text);
	return v;
}

static void
assert_place(struct place at, int line, int column)
{
	assert_string_equal(at.file, "t.json");
	assert_int_equal(at.line, line);
	assert_int_equal(at.column, column);
}

static void
values_have_their_kinds(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *v = must_parse(&a, "{\"t\": \"no\", \"n\": 1.5, \"i\": 9007199254740992,"
	    " \"m\": -9007199254740992, \"e\": 671e9, \"y\": true, \"f\": false, \"z\": null,"
	    " \"l\": [], \"o\": {}, \"u\": \"\\uD55C\\ud83d\\ude00\\t\", \"d\": \"e\\u0301\"}");

	(void)state;
	assert_string_equal(val_get_text(v, "t"), "no");
	assert_true(val_get(v, "n")->number == 1.5);
	assert_true(val_get(v, "i")->number == 9007199254740992.0);
	assert_true(val_get(v, "m")->number == -9007199254740992.0);
	assert_true(val_get(v, "e")->number == 671000000000.0);
	assert_true(val_get(v, "y")->kind == VAL_BOOL && val_get(v, "y")->boolean);
	assert_true(val_get(v, "f")->kind == VAL_BOOL && !val_get(v, "f")->boolean);
	assert_int_equal(val_get(v, "z")->kind, VAL_NULL);
	assert_int_equal(val_get(v, "l")->kind, VAL_LIST);
	assert_int_equal(val_get(v, "o")->kind, VAL_MAP);
	assert_string_equal(val_get_text(v, "u"), "\xED\x95\x9C\xF0\x9F\x98\x80\t");
	assert_string_equal(val_get_text(v, "d"), "\xC3\xA9"); /* NFC of e + U+0301 */
	assert_int_equal(must_parse(&a, " 5 ")->kind, VAL_NUM);
	arena_release(&a);
}

/* Columns were counted by hand in code points. */
static void
places_are_in_code_points(void **state)
{
	static const char plain[] = "{\n"
	    "\t\"\xED\x95\x9C\": [1, \"\xEA\xB0\x80\xEB\x82\x98\", {\"k\" : null}],\n"
	    "  \"b\\\"{[,\": {},\n"
	    "  \"c\":\n"
	    "    [ ], \"d\": -1e3 }\n";
	struct arena a = ARENA_INIT;

	(void)state;
	for (int variant = 0; variant < 2; variant++) {
		struct buf text = BUF_INIT;
		struct val *v, *list;

		if (variant == 1)
			buf_puts(&text, "\xEF\xBB\xBF");
		for (const char *p = plain; *p != '\0'; p++) {
			if (variant == 1 && *p == '\n')
				buf_putc(&text, '\r');
			buf_putc(&text, *p);
		}
		v = must_parse(&a, text.s);
		assert_place(v->at, 1, 1);
		assert_place(v->map.entries[0].at, 2, 2);
		list = v->map.entries[0].value;
		assert_place(list->at, 2, 7);
		assert_place(list->list.items[0]->at, 2, 8);
		assert_place(list->list.items[1]->at, 2, 11);
		assert_place(list->list.items[2]->at, 2, 17);
		assert_place(val_entry(list->list.items[2], "k")->at, 2, 18);
		assert_place(val_get(list->list.items[2], "k")->at, 2, 24);
		assert_place(val_entry(v, "b\"{[,")->at, 3, 3);
		assert_place(val_get(v, "b\"{[,")->at, 3, 13);
		assert_place(val_entry(v, "c")->at, 4, 3);
		assert_place(val_get(v, "c")->at, 5, 5);
		assert_place(val_entry(v, "d")->at, 5, 10);
		assert_place(val_get(v, "d")->at, 5, 15);
		buf_release(&text);
	}
	arena_release(&a);
}

static void
faults_have_places(void **state)
{
	static const struct {
		const char *json, *where, *words;
	} cases[] = {
		{ "", "t.json", "empty" },
		{ "\xEF\xBB\xBF \r\n", "t.json", "empty" },
		{ "{", "t.json:1:2", "found the end" },
		{ "{\"a\": 1,}", "t.json:1:9", "expected a key" },
		{ "[1, 2,]", "t.json:1:7", "value" },
		{ "[1 2]", "t.json:1:4", "comma or ]" },
		{ "{\"a\" 1}", "t.json:1:6", "colon" },
		{ "{\"a\": 1 \"b\": 2}", "t.json:1:9", "comma or }" },
		{ "{a: 1}", "t.json:1:2", "expected a key" },
		{ "{} {}", "t.json:1:4", "more after" },
		{ "{\"a\": NaN}", "t.json:1:7", "value" },
		{ "{\"a\": Infinity}", "t.json:1:7", "value" },
		{ "{\"a\": 'b'}", "t.json:1:7", "value" },
		{ "{\"a\": 01}", "t.json:1:7", "value" },
		{ "// c\n{}", "t.json:1:1", "value" },
		{ "{\"a\": 1e999}", "t.json:1:7", "double" },
		{ "{\"a\": 9007199254740993}", "t.json:1:7", "2^53" },
		{ "{\"a\": -9007199254740993}", "t.json:1:7", "2^53" },
		{ "{\"a\": 1000000000000000019884624838656}", "t.json:1:7", "2^53" },
		{ "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", "t.json:3:2", "each key once" },
		{ "{\"a\": 1, \"\\u0061\": 3}", "t.json:1:10", "each key once" },
		{ "{\"\xC3\xA9\": 1,\n \"e\xCC\x81\": 3}", "t.json:2:2", "in line 1 as well" },
		{ "{\"a\": \"\\u0000\"}", "t.json:1:7", "NUL" },
		{ "{\"a\\u0000\": 1}", "t.json:1:2", "NUL" },
		{ "{\"a\": \"\\u202e\"}", "t.json:1:7", "direction" },
		{ "{\"\\u202e\": 1}", "t.json:1:2", "direction" },
		{ "{\"a\": \"\\uFEFF\"}", "t.json:1:7", "byte order mark" },
		{ "{\"a\": \"\\b\"}", "t.json:1:7", "control" },
		{ "{\"a\": \"\\ud800\"}", "t.json:1:7", "escape" },
		{ "{\"a\": \"\\ud800\\u0041\"}", "t.json:1:7", "escape" },
		{ "{\"a\": \"\\x\"}", "t.json:1:7", "escape" },
		{ "{\"a\": \"b\n\"}", "t.json:1:7", "closing quote" },
		{ "{\"a\": \"b\t\"}", "t.json:1:7", "closing quote" },
		{ "{\"a\": \"b", "t.json:1:7", "found the end" },
		{ "{\"\xEA\xB0\x80\xEA\xB0\x80\": \xFF}", "t.json:1:8", "UTF-8" },
		{ "{\"\xEA\xB0\x80\xEA\xB0\x80\": x}", "t.json:1:8", "value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct val *v;
		int rc = jn_parse(&v, &a, cases[i].json, strlen(cases[i].json), "t.json", &e);

		if (rc != ERR_INPUT || strcmp(e.where, cases[i].where) != 0 ||
		    strstr(e.text, cases[i].words) == NULL)
			fail_msg("%d %s: %s in <%s>", rc, e.where, e.text, cases[i].json);
		assert_null(v);
		arena_release(&a);
	}
}

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
		assert_int_equal(jn_parse(&v, &a, text, (size_t)deep * 2, "t.json", &e),
		    deep == 64 ? OK : ERR_INPUT);
	}
	memset(text, '[', 190);
	text[0] = text[189] = '"';
	assert_int_equal(jn_parse(&v, &a, text, 190, "t.json", &e), OK);
	arena_release(&a);
}

static void
hostile_text_is_refused_fast(void **state)
{
	static const struct {
		const char *before, *unit;
		size_t times;
		const char *after, *words; /* NULL: accepted */
	} cases[] = {
		{ "", "[", 1000000, "", "64 deep" },
		{ "", "{\"a\":", 1000000, "", "64 deep" },
		{ "[", "1,", 999998, "1]", NULL },
		{ "[", "1,", 999999, "1]", "1000000 values" },
		{ "[\"", "\xEA\xB0\x80", 5000000, "\"]", NULL },
		{ "[\"", "\\\\", 5000000, "", "found the end" },
		{ "{\"x\":0", ",\"a\":1", 400000, "}", "each key once" },
		{ "", " ", 34000000, "", "32 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = BUF_INIT;
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		double start;
		struct val *v;
		int rc;

		buf_puts(&text, cases[i].before);
		for (size_t k = 0; k < cases[i].times; k++)
			buf_puts(&text, cases[i].unit);
		buf_puts(&text, cases[i].after);
		start = processor_seconds();
		rc = jn_parse(&v, &a, text.s, text.len, "t.json", &e);
		assert_true(processor_seconds() - start < 5);
		if (cases[i].words == NULL && rc != OK)
			fail_msg("%zu: %s: %s", i, e.where, e.text);
		if (cases[i].words != NULL && (rc != ERR_INPUT ||
		    strstr(e.text, cases[i].words) == NULL))
			fail_msg("%zu: %d %s", i, rc, e.text);
		arena_release(&a);
		buf_release(&text);
	}
}

static void
lines_keep_their_numbers(void **state)
{
	static const char text[] = "\xEF\xBB\xBF{\"a\": 1}\r\n\r\n  {\"a\": 2}\n[3]";
	static const char bad[] = "{\"a\": 1}\n\n{\"a\": x}\n";
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *v;

	(void)state;
	assert_int_equal(jn_parse_lines(&v, &a, text, sizeof text - 1, "t.json", &e), OK);
	assert_int_equal(val_count(v), 3);
	assert_place(v->list.items[0]->at, 1, 1);
	assert_place(v->list.items[1]->at, 3, 3);
	assert_place(val_get(v->list.items[1], "a")->at, 3, 9);
	assert_place(v->list.items[2]->list.items[0]->at, 4, 2);
	assert_int_equal(jn_parse_lines(&v, &a, bad, sizeof bad - 1, "t.json", &e), ERR_INPUT);
	assert_string_equal(e.where, "t.json:3:7");
	assert_int_equal(jn_parse_lines(&v, &a, "\n\n", 2, "t.json", &e), ERR_INPUT);
	arena_release(&a);
}

static void
reads_files(void **state)
{
	char path[] = "/tmp/dossier-jn-XXXXXX.jsonl";
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *v;
	int fd = mkstemps(path, 6);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "[1]\n[2]\n", 8), 8);
	close(fd);
	assert_int_equal(jn_read(&v, &a, path, &e), OK);
	assert_int_equal(val_count(v), 2);
	unlink(path);
	assert_int_equal(jn_read(&v, &a, path, &e), ERR_INPUT);
	assert_string_equal(e.where, path);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_their_kinds),
		cmocka_unit_test(places_are_in_code_points),
		cmocka_unit_test(faults_have_places),
		cmocka_unit_test(depth_is_counted),
		cmocka_unit_test(hostile_text_is_refused_fast),
		cmocka_unit_test(lines_keep_their_numbers),
		cmocka_unit_test(reads_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
