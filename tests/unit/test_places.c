/* Places of a record's values: they outlive the way through JSON, and hostile texts do no harm. */
#include "unit.h"

#include <string.h>

#include "json/jn.h"
#include "kb/places.h"
#include "render/json.h"
#include "yaml/yn.h"

static const char YAML[] = "id: x\nname: {en: a, ko: 가}\nlist:\n- {k: v}\n-   w\n";

static void
places_survive_json(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf json = BUF_INIT, places = BUF_INIT;
	struct err e = ERR_INIT;
	struct val *read, *again;

	(void)state;
	assert_int_equal(yn_parse(&read, &a, YAML, strlen(YAML), "x.yaml", &e), OK);
	places_write(&places, read);
	assert_int_equal(render_json(&json, read, RENDER_JSON_COMPACT, &e), OK);
	assert_int_equal(jn_parse(&again, &a, json.s, json.len, "db", &e), OK);
	places_restore(again, places.s, "x.yaml");
	/* counted by hand in the text above */
	assert_int_equal(val_path(again, "name.ko")->at.line, 2);
	assert_int_equal(val_path(again, "name.ko")->at.column, 19);
	assert_int_equal(val_path(again, "list.0.k")->at.line, 4);
	assert_int_equal(val_path(again, "list.0.k")->at.column, 7);
	assert_int_equal(val_path(again, "list.1")->at.line, 5);
	assert_int_equal(val_path(again, "list.1")->at.column, 5);
	assert_string_equal(val_path(again, "list.1")->at.file, "x.yaml");
	buf_release(&json);
	buf_release(&places);
	arena_release(&a);
}

static void
what_is_no_list_of_places_leaves_line_one(void **state)
{
	static const char *const texts[] = { "", "x", "1", "1:", ":2", "99999999999999999999:1 3:4", "-1:-1", "1:1 2", "1:1  2:2" };
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct val *body;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(jn_parse(&body, &a, "{\"a\":[1,2,{\"b\":\"c\"}]}", (sizeof "{\"a\":[1,2,{\"b\":\"c\"}]}" - 1), "db", &e), OK);
		places_restore(body, texts[i], "f");
		assert_true(val_path(body, "a.2.b")->at.line == 1);
		assert_string_equal(val_path(body, "a.2.b")->at.file, "f");
	}
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_survive_json), cmocka_unit_test(what_is_no_list_of_places_leaves_line_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
