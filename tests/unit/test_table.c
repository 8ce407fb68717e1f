#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "quantity/quantity.h"
#include "render/qval.h"
#include "render/table.h"
#include "util/utf8.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct render_column columns[] = {
	{ "id", "ID", RENDER_ALIGN_AUTO, false },
	{ "size.text", "Size", RENDER_ALIGN_RIGHT, false },
	{ "name", "이름", RENDER_ALIGN_AUTO, true },
};

static struct val *
row(struct arena *a, const char *id, const char *size, const char *name)
{
	struct val *v = val_map(a), *inner = val_map(a);

	val_put(a, v, "id", val_str(a, id));
	val_put(a, v, "size", inner);
	val_put(a, inner, "text", val_str(a, size));
	val_put(a, v, "name", val_str(a, name));
	return v;
}

static struct val *
two_rows(struct arena *a)
{
	struct val *rows = val_list(a);

	val_push(a, rows, row(a, "neocloud", "141 GB", "신흥 클라우드 사업자"));
	val_push(a, rows, row(a, "edge", "8 GB", "Edge and robotics"));
	return rows;
}

static void
check(const struct val *rows, int width, bool cut, const char *expected)
{
	struct buf out = BUF_INIT;

	render_table(&out, rows, columns, COUNT(columns), width, cut);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

/* 이름 is 4 columns wide, 신흥 클라우드 사업자 is 20. */
static void
test_terminal(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *rows = two_rows(&a);

	(void)state;
	check(rows, 0, false,
	    "ID          Size  이름\n"
	    "--------  ------  --------------------\n"
	    "neocloud  141 GB  신흥 클라우드 사업자\n"
	    "edge        8 GB  Edge and robotics\n");
	check(rows, 38, false,
	    "ID          Size  이름\n"
	    "--------  ------  --------------------\n"
	    "neocloud  141 GB  신흥 클라우드 사업자\n"
	    "edge        8 GB  Edge and robotics\n");
	check(rows, 32, false,
	    "ID          Size  이름\n"
	    "--------  ------  --------------\n"
	    "neocloud  141 GB  신흥 클라우드\n"
	    "                  사업자\n"
	    "edge        8 GB  Edge and\n"
	    "                  robotics\n");
	check(rows, 32, true,
	    "ID          Size  이름\n"
	    "--------  ------  --------------\n"
	    "neocloud  141 GB  신흥 클라우드…\n"
	    "edge        8 GB  Edge and robo…\n");
	/* Never under RENDER_TABLE_MIN, never half a character: 클라우드 is 8 wide, and 사 needs two. */
	check(rows, 5, true,
	    "ID          Size  이름\n"
	    "--------  ------  ----------\n"
	    "neocloud  141 GB  신흥 클라…\n"
	    "edge        8 GB  Edge and…\n");
	check(val_list(&a), 80, false,
	    "ID  Size  이름\n"
	    "--  ----  ----\n");
	arena_release(&a);
}

/* A word longer than its column is broken between characters; a mark stays with its letter. */
static void
test_long_words(void **state)
{
	static const struct render_column one[] = { { "x", NULL, RENDER_ALIGN_AUTO, false } };
	struct arena a = ARENA_INIT;
	struct val *rows = val_list(&a), *v = val_map(&a);
	struct buf out = BUF_INIT;

	(void)state;
	val_push(&a, rows, v);
	val_put(&a, v, "x", val_str(&a, "가나다라마바사 ee\xCC\x81" "e\xCC\x81 abcdefghijklmno"));
	render_table(&out, rows, one, 1, 10, false);
	assert_string_equal(out.s,
	    "x\n----------\n가나다라마\n바사 ee\xCC\x81"
	    "e\xCC\x81\nabcdefghij\nklmno\n");
	buf_release(&out);
	arena_release(&a);
}

static void
test_cells(void **state)
{
	static const struct render_column all[] = {
		{ "n", NULL, RENDER_ALIGN_AUTO, false }, { "q", NULL, RENDER_ALIGN_AUTO, false },
		{ "b", NULL, RENDER_ALIGN_AUTO, false }, { "l", NULL, RENDER_ALIGN_AUTO, false },
		{ "m", NULL, RENDER_ALIGN_AUTO, false }, { "bad", NULL, RENDER_ALIGN_AUTO, false },
	};
	struct arena a = ARENA_INIT;
	struct val *rows = val_list(&a), *v = val_map(&a), *list = val_list(&a);
	struct quantity q = { .value = 2e9, .unit = unit_find("GB", 2), .kind = QUANTITY_MEASURED };
	struct buf out = BUF_INIT;

	(void)state;
	val_push(&a, list, val_str(&a, "x"));
	val_push(&a, list, val_str(&a, "y"));
	val_put(&a, v, "n", val_num(&a, 0.1));
	val_put(&a, v, "q", render_quantity_text(&a, &q, "en", NULL));
	val_put(&a, v, "b", val_bool(&a, true));
	val_put(&a, v, "l", list);
	val_put(&a, v, "m", val_map(&a));
	val_put(&a, v, "bad", val_str(&a, "a\x1B[31m\n\xFF" "b"));
	val_push(&a, rows, v);
	v = val_map(&a);
	val_put(&a, v, "n", val_num(&a, 1024));
	val_push(&a, rows, v);
	render_table(&out, rows, all, COUNT(all), 0, false);
	assert_string_equal(out.s,
	    "   n     q  b    l     m  bad\n"
	    "----  ----  ---  ----  -  ---------\n"
	    " 0.1  2 GB  yes  x, y     a [31m \xEF\xBF\xBD" "b\n"
	    "1024\n");
	buf_release(&out);
	arena_release(&a);
}

/* No line is wider than the terminal wherever the columns that cannot give leave room. */
static void
test_width_holds(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *rows = val_list(&a);

	(void)state;
	val_push(&a, rows,
	    row(&a, "a", "1 GB", "한글과 English가 섞인 abcdefghijklmnopqrstuvwxyz 문장입니다 끝"));
	for (int width = 21; width < 90; width++) {
		for (int cut = 0; cut < 2; cut++) {
			struct buf out = BUF_INIT;
			const char *line;
			struct err e;

			render_table(&out, rows, columns, COUNT(columns), width, cut);
			assert_int_equal(utf8_check(out.s, out.len, "table", &e), OK);
			for (line = out.s; *line != '\0'; line = strchr(line, '\n') + 1)
				assert_true(utf8_width(line, strcspn(line, "\n")) <= width);
			buf_release(&out);
		}
	}
	arena_release(&a);
}

static void
test_markdown(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *rows = two_rows(&a);
	struct buf out = BUF_INIT;

	(void)state;
	val_push(&a, rows, row(&a, "a|b\nc", NULL, "*x* \\"));
	render_table_markdown(&out, rows, columns, COUNT(columns));
	assert_string_equal(out.s,
	    "| ID | Size | 이름 |\n"
	    "| --- | ---: | --- |\n"
	    "| neocloud | 141 GB | 신흥 클라우드 사업자 |\n"
	    "| edge | 8 GB | Edge and robotics |\n"
	    "| a\\|b c | | \\*x\\* \\\\ |\n");
	buf_release(&out);
	arena_release(&a);
}

static void
check_csv(const struct val *rows, size_t count, struct render_csv options, const char *expected)
{
	static const struct render_column keys[] = {
		{ "a", "A", RENDER_ALIGN_AUTO, false }, { "b", "B", RENDER_ALIGN_AUTO, false },
	};
	struct buf out = BUF_INIT;

	render_csv(&out, rows, keys, count, options);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

static void
test_csv(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *rows = val_list(&a), *v;
	static const char *const cells[][2] = {
		{ "plain", "with, comma" }, { "say \"hi\"", "two\nlines" }, { " blank", "=1+1" },
		{ "-x", "@y" }, { "+z", "\ttab" }, { "", "한글" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cells); i++) {
		v = val_push(&a, rows, val_map(&a));
		val_put(&a, v, "a", val_str(&a, cells[i][0]));
		val_put(&a, v, "b", val_str(&a, cells[i][1]));
	}
	v = val_push(&a, rows, val_map(&a));
	val_put(&a, v, "a", val_num(&a, -5));
	check_csv(rows, 2, (struct render_csv){ false, false },
	    "a,b\r\nplain,\"with, comma\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n\" "
	    "blank\",=1+1\r\n"
	    "-x,@y\r\n+z,\ttab\r\n,한글\r\n-5,\r\n");
	check_csv(rows, 2, (struct render_csv){ true, true },
	    "\xEF\xBB\xBF"
	    "a,b\r\nplain,\"with, comma\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n\" "
	    "blank\",'=1+1\r\n"
	    "'-x,'@y\r\n'+z,'\ttab\r\n,한글\r\n-5,\r\n");
	check_csv(rows, 1, (struct render_csv){ false, false },
	    "a\r\nplain\r\n\"say \"\"hi\"\"\"\r\n\" blank\"\r\n-x\r\n+z\r\n\"\"\r\n-5\r\n");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_width_holds),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
