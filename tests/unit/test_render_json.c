#include "unit.h"

#include <math.h>
#include <string.h>

#include "json/jn.h"
#include "quantity/quantity.h"
#include "render/json.h"
#include "render/qval.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void
check(const struct val *v, enum render_json_style style, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err e;

	assert_int_equal(render_json(&out, v, style, &e), OK);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

static void
check_fails(const struct val *v, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	assert_int_equal(render_json(&out, v, RENDER_JSON_PRETTY, &e), ERR_INPUT);
	assert_string_equal(e.text, expected);
	buf_release(&out);
}

static void
test_scalars(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	check(NULL, RENDER_JSON_COMPACT, "null");
	check(val_null(&a), RENDER_JSON_COMPACT, "null");
	check(val_bool(&a, true), RENDER_JSON_COMPACT, "true");
	check(val_num(&a, 0.1), RENDER_JSON_COMPACT, "0.1");
	check(val_num(&a, 0.1 + 0.2), RENDER_JSON_COMPACT, "0.30000000000000004");
	check(val_num(&a, -0.0), RENDER_JSON_COMPACT, "0");
	check(val_num(&a, 1e300), RENDER_JSON_COMPACT, "1e300");
	check(val_num(&a, 9007199254740992.0), RENDER_JSON_COMPACT, "9007199254740992");
	check(val_str(&a, "a\"b\\c/\b\f\n\r\t\x01\x7F"), RENDER_JSON_COMPACT,
	    "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u007f\"");
	check(val_strn(&a, "a\0b", 3), RENDER_JSON_COMPACT, "\"a\\u0000b\"");
	check(val_str(&a, "한 \xE2\x80\xA8 😀"), RENDER_JSON_COMPACT, "\"한 \\u2028 😀\"");
	check(val_list(&a), RENDER_JSON_PRETTY, "[]\n");
	check(val_map(&a), RENDER_JSON_PRETTY, "{}\n");
	arena_release(&a);
}

static void
test_trees(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *v = val_map(&a), *inner = val_map(&a), *list = val_list(&a);

	(void)state;
	val_put(&a, v, "z", val_str(&a, "first"));
	val_put(&a, v, "a", inner);
	val_put(&a, inner, "value", val_num(&a, 2));
	val_put(&a, inner, "unit", val_str(&a, "B"));
	val_put(&a, v, "list", list);
	val_push(&a, list, val_num(&a, 1));
	val_push(&a, list, val_list(&a));
	check(v, RENDER_JSON_COMPACT,
	    "{\"z\":\"first\",\"a\":{\"value\":2,\"unit\":\"B\"},\"list\":[1,[]]}");
	check(v, RENDER_JSON_PRETTY,
	    "{\n  \"z\": \"first\",\n  \"a\": {\"value\": 2, \"unit\": \"B\"},\n"
	    "  \"list\": [1, []]\n}\n");
	/* What is too long for a line is broken. */
	val_put(&a, inner, "text", val_str(&a, "0123456789012345678901234567890123456789"
	    "0123456789012345678901234567890123456789"));
	check(inner, RENDER_JSON_PRETTY,
	    "{\n  \"value\": 2,\n  \"unit\": \"B\",\n  \"text\": \""
	    "01234567890123456789012345678901234567890123456789012345678901234567890123456789\"\n}"
	    "\n");
	arena_release(&a);
}

static void
test_refused(void **state)
{
	struct arena a = ARENA_INIT;
	struct val *v = val_map(&a), *list = val_list(&a), *deep = val_list(&a);

	(void)state;
	val_put(&a, v, "kv", list);
	val_push(&a, list, val_num(&a, 1));
	val_push(&a, list, val_num(&a, NAN));
	check_fails(v, "expected a finite number at kv[1] of the JSON");
	list->list.items[1] = val_map(&a);
	val_put(&a, list->list.items[1], "x", val_num(&a, -INFINITY));
	check_fails(v, "expected a finite number at kv[1].x of the JSON");
	check_fails(val_num(&a, INFINITY), "expected a finite number at the top of the JSON");
	list->list.items[1] = val_str(&a, "\xC3\x28");
	check_fails(v, "expected UTF-8 at kv[1] of the JSON");
	val_put(&a, v, "\xFF", val_null(&a));
	list->list.items[1] = val_null(&a);
	check_fails(v, "expected keys in UTF-8 at the top of the JSON");
	for (int i = 0; i < RENDER_JSON_DEPTH; i++) {
		struct val *outer = val_list(&a);

		val_push(&a, outer, deep);
		deep = outer;
	}
	check_fails(deep, "expected fewer lists and maps in each other at the top of the JSON");
	arena_release(&a);
}

/* What is written reads back as the same tree. */
static void
test_reads_back(void **state)
{
	static const double numbers[] = { 0, 1, -1.5, 0.1, 1e-7, 1e21, 123456789.123, 5e-324,
		1e308 };
	struct arena a = ARENA_INIT;
	struct val *list = val_list(&a), *back;
	struct buf out = BUF_INIT;
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++)
		val_push(&a, list, val_num(&a, numbers[i]));
	val_push(&a, list, val_str(&a, "\"\\\t한글 \xE2\x82\xA9"));
	assert_int_equal(render_json(&out, list, RENDER_JSON_PRETTY, &e), OK);
	assert_int_equal(jn_parse(&back, &a, out.s, out.len, "out", &e), OK);
	for (size_t i = 0; i < COUNT(numbers); i++)
		assert_true(back->list.items[i]->number == numbers[i]);
	assert_string_equal(val_text(back->list.items[COUNT(numbers)]), "\"\\\t한글 \xE2\x82\xA9");
	buf_release(&out);
	arena_release(&a);
}

static void
test_quantities(void **state)
{
	struct arena a = ARENA_INIT;
	struct quantity q = {
		.value = 589484261376.0, .unit = unit_find("GB", 2), .kind = QUANTITY_CALCULATED,
		.weakest = QUANTITY_ASSUMED, .ref = "chat.kv.bytes",
	};

	(void)state;
	check(render_quantity_json(&a, &q), RENDER_JSON_COMPACT,
	    "{\"value\":589484261376,\"unit\":\"B\","
	    "\"kind\":\"calculated\",\"weakest\":\"assumed\",\"ref\":\"chat.kv.bytes\"}");
	check(render_quantity_text(&a, &q, "ko", "chat.kv.bytes"), RENDER_JSON_COMPACT,
	    "{\"text\":\"589.5 GB\",\"exact\":\"589484261376 "
	    "B\",\"kind\":\"계산값\",\"basis\":\"가정값\","
	    "\"ref\":\"chat.kv.bytes\",\"cite\":\"chat.kv.bytes\"}");
	q = (struct quantity){
		.value = 0.67, .unit = unit_find("%", 1), .kind = QUANTITY_PUBLISHED
	};
	check(render_quantity_json(&a, &q), RENDER_JSON_COMPACT,
	    "{\"value\":0.67,\"unit\":\"\",\"kind\":\"published\",\"ref\":null}");
	check(render_quantity_text(&a, &q, "en", NULL), RENDER_JSON_COMPACT,
	    "{\"text\":\"67%\",\"exact\":\"0.67\",\"kind\":\"published\",\"basis\":\"published\","
	    "\"ref\":null,\"cite\":null}");
	check(render_quantity_json(&a, NULL), RENDER_JSON_COMPACT, "null");
	check(render_quantity_text(&a, NULL, "en", NULL), RENDER_JSON_COMPACT, "null");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_reads_back),
		cmocka_unit_test(test_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
