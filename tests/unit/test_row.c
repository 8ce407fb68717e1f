/* Rows one at a time: by RFC 4180, by RFC 8259, and padded to given widths. */
#include "unit.h"

#include "render/row.h"

static const struct render_row_column COLUMNS[] = {{"name", 6, false}, {"kv.bytes", 8, true}, {"note", 4, false}};

static void
assert_row(enum render_row_style style, const struct render_cell *cells, const char *expected)
{
	struct buf out = BUF_INIT;

	render_row(&out, style, COLUMNS, cells, 3);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

static void
cells_of_all_kinds(void **state)
{
	static const struct render_cell cells[] = {
		{RENDER_CELL_TEXT, 0, "a,\"b\"\n"}, {RENDER_CELL_NUMBER, 0.1, NULL}, {RENDER_CELL_NONE, 0, NULL},
	};
	static const struct render_cell wide[] = {
		{RENDER_CELL_TEXT, 0, "가나"}, {RENDER_CELL_NUMBER, 1234567890123, NULL}, {RENDER_CELL_TEXT, 0, "x"},
	};

	(void)state;
	assert_row(RENDER_ROW_CSV, cells, "\"a,\"\"b\"\"\n\",0.1,\r\n");
	assert_row(RENDER_ROW_JSONL, cells,
	    "{\"name\": \"a,\\\"b\\\"\\n\", \"kv.bytes\": 0.1, \"note\": null}\n");
	assert_row(RENDER_ROW_JSON, wide, ",\n{\"name\": \"가나\", \"kv.bytes\": 1234567890123, \"note\": \"x\"}");
	/* a wide character takes two columns; what is wider than its column moves the rest */
	assert_row(RENDER_ROW_TABLE, wide, "가나    1234567890123  x\n");
}

static void
a_lone_empty_field_is_a_row(void **state)
{
	static const struct render_cell none = {RENDER_CELL_NONE, 0, NULL};
	struct buf out = BUF_INIT;

	(void)state;
	render_row_heading(&out, RENDER_ROW_CSV, COLUMNS, 1);
	render_row(&out, RENDER_ROW_CSV, COLUMNS, &none, 1);
	assert_string_equal(out.s, "name\r\n\"\"\r\n");
	buf_clear(&out);
	render_row_heading(&out, RENDER_ROW_JSON, COLUMNS, 3);
	assert_string_equal(out.s, "");
	render_row_heading(&out, RENDER_ROW_TABLE, COLUMNS, 3);
	assert_string_equal(out.s, "name    kv.bytes  note\n");
	buf_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_of_all_kinds), cmocka_unit_test(a_lone_empty_field_is_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
