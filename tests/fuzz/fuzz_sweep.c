/*
 * What a user writes for a sweep: the first line is an axis, the rest a condition. Values of an axis are
 * finite and within its ends; a condition that is read is one for SQLite as well and answers yes
 * or no, or says why not; a fault has its place inside the text.
 */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/axis.h"
#include "plan/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_axis(const char *text, enum dimension dimension, bool whole)
{
	struct arena a = ARENA_INIT;
	struct plan_item *items;
	size_t count = plan_axis_items(&items, &a, text);

	for (size_t i = 0; i < count; i++) {
		struct plan_span span;
		struct plan_axis axis = { .spans = &span, .span_count = 1 };
		struct err e = ERR_INIT;
		double last;

		if (plan_axis_span(&span, &items[i], dimension, whole, (struct place){ "--x", 0, 0 }, &e) != OK) {
			assert(e.text[0] != '\0');
			continue;
		}
		assert(span.count >= 1);
		axis.count = span.count;
		last = plan_axis_value(&axis, span.count - 1);
		assert(isfinite(last) && last >= plan_axis_value(&axis, 0));
		assert(span.count == 1 || plan_axis_value(&axis, 1) > plan_axis_value(&axis, 0));
	}
	arena_release(&a);
}

static void
check_condition(const char *text)
{
	static const struct sizing_dtype byte = { "byte", 8, SIZING_BF16 };
	static const struct sizing_input base = {
		.model = { .groups = {{ .layers = 1, .key_width = 10 }}, .group_count = 1, .published_total = 1000 },
		.device = { .visible_bytes = 1000, .usable_fraction = 0.6, .bandwidth = 100 },
		.load = { .context = 20, .concurrency = 3, .reuse = -1, .weights = &byte, .kv = &byte },
	};
	struct plan_grid grid = { .base = &base, .effort = PLAN_BYTES };
	struct plan_filter filter;
	struct plan_cursor cursor;
	struct plan_test *test = NULL;
	struct err e = ERR_INIT;

	if (!plan_grid_count(&grid))
		abort();
	if (plan_filter_read(&filter, &grid, text, "--where", &e) == OK) {
		int rc = plan_test_open(&test, &filter, &e);

		assert(rc == OK);
		plan_seek(&cursor, &grid, 0);
		if (!plan_size(&cursor))
			abort();
		rc = plan_test(test, &cursor, &e);
		assert(rc == 0 || rc == 1 || e.text[0] != '\0');
		assert(plan_test(test, &cursor, &e) == rc);
	} else {
		assert(e.text[0] != '\0');
	}
	plan_test_close(test);
	plan_filter_release(&filter);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *line;

	if (text == NULL)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	line = strchr(text, '\n');
	if (line != NULL)
		*line = '\0';
	check_axis(text, DIM_TOKENS, true);
	check_axis(text, DIM_BYTES_PER_SECOND, false);
	check_axis(text, DIM_RATIO, false);
	if (line != NULL)
		check_condition(line + 1);
	free(text);
	return 0;
}
