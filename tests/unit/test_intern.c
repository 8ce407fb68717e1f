#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "util/intern.h"

/* One pointer a text, whatever order they come in and however often the table grew in between. */
static void
each_text_once(void **state)
{
	enum { TEXTS = 5000 };
	static const char *first[TEXTS];
	struct arena a = ARENA_INIT;
	struct intern in = { 0 };
	char text[24];

	(void)state;
	for (int i = 0; i < TEXTS; i++) {
		snprintf(text, sizeof text, "key-%d", i);
		first[i] = intern_text(&in, &a, text);
		assert_ptr_not_equal(first[i], text);
		assert_string_equal(first[i], text);
	}
	assert_int_equal(in.count, TEXTS);
	for (int i = TEXTS - 1; i >= 0; i--) {
		snprintf(text, sizeof text, "key-%d", i);
		assert_ptr_equal(intern_text(&in, &a, text), first[i]);
	}
	assert_int_equal(in.count, TEXTS);
	assert_string_equal(intern_text(&in, &a, ""), "");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_text_once) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
