/*
 * The shipped records of what was measured against the figures as they were printed, and what the printed
 * figures say of each other: a slip of one digit would break a sum or a quotient.
 */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "cli/images.h"
#include "db/db.h"
#include "kb/kb.h"
#include "quantity/quantity.h"

#define G 1e9
#define US 1e-6

static struct kb *kb;
static struct arena arena = ARENA_INIT;

/* The figure of a finding in base units. */
static double
found(const char *id, const char *finding)
{
	struct err e = ERR_INIT;
	const struct val *findings;
	struct val *body;

	if (kb_record(&body, kb, &arena, id, NULL, &e) != OK)
		fail_msg("%s", e.text);
	findings = val_get(body, "findings");
	for (size_t i = 0; i < val_count(findings); i++) {
		const struct val *f = findings->list.items[i];
		const char *text = val_text(val_get(f, "value"));
		struct quantity q;

		if (strcmp(val_get_text(f, "id"), finding) != 0)
			continue;
		assert_non_null(text);
		if (quantity_parse(&q, text, strlen(text), DIM_ANY) != NULL)
			fail_msg("%s: %s: `%s`", id, finding, text);
		return q.value;
	}
	fail_msg("%s: no finding %s", id, finding);
	return 0;
}

static void
is(const char *id, const char *finding, double expected)
{
	double value = found(id, finding);

	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%s: %s: expected %.10g, found %.10g", id, finding, expected, value);
}

static void
is_within(double value, double expected, double tolerance, const char *what)
{
	if (!(fabs(value - expected) <= tolerance * fabs(expected)))
		fail_msg("%s: expected %.6g, found %.6g", what, expected, value);
}

/* Printed as GB: 32 steps of 256 MiB are 8.00 of them, so they are GiB; the records keep what is printed. */
static void
page_cache_of_two_hosts(void **state)
{
	const char *one = "e3-page-cache-host-1", *two = "e3-page-cache-host-2";

	(void)state;
	is(one, "index-size", 5 * G);
	is(one, "host-memory", 15.7 * G);
	is(one, "flat-until", 8.00 * G);
	is(one, "rise-at", 8.25 * G);
	is(one, "baseline-p99", 1 * US);
	is(one, "risen-p99", 3864 * US);
	is(one, "rise-factor", 4102);
	is(one, "left-at-rise", 6.67 * G);
	is(one, "left-share", 0.42);
	is(one, "median-later", 0.75 * G);
	is(two, "index-size", 2.5 * G);
	is(two, "host-memory", 7.8 * G);
	is(two, "left-at-rise", 3.86 * G);
	is(two, "left-share", 0.49);
	/* one step of a quarter */
	is_within(found(one, "rise-at") - found(one, "flat-until"), 256 / 1024.0 * G, 1e-9, "a step");
	/* the baseline is 0.94 us before rounding */
	is_within(found(one, "risen-p99") / found(one, "rise-factor"), 0.942 * US, 1e-3, "baseline");
	is_within(found(one, "left-at-rise") / found(one, "host-memory"), 0.42, 0.015, "share left");
	is_within(found(two, "left-at-rise") / found(two, "host-memory"), 0.49, 0.015, "share left");
	is_within(found(one, "left-at-rise") / found(one, "index-size"), 1.33, 5e-3, "left over index");
	is_within(found(two, "left-at-rise") / found(two, "index-size"), 1.54, 5e-3, "left over index");
}

/* 1 / 0.15 is the line of a decode that only reads bytes: 6.5 as printed from the exact sizes; 2.48 of it are 0.38. */
static void
levels_of_quantisation(void **state)
{
	const char *id = "llama-bench-quantisation-levels";

	(void)state;
	is(id, "size-ratio", 0.15);
	is(id, "prefill-gain", 0.60);
	is(id, "decode-gain", 1.48);
	is(id, "decode-theory", 6.5);
	is(id, "decode-below-line", 2.48);
	is_within(1 / found(id, "size-ratio"), found(id, "decode-theory"), 0.04, "line");
	is_within(1 + found(id, "decode-gain"), found(id, "decode-below-line"), 1e-9, "gain");
	is_within(found(id, "decode-below-line") / found(id, "decode-theory"), 0.38, 0.01, "share of the line");
}

/* 48 layers x 2 x 4 x 128 B; four structures of which the widest keeps 40 x 2 x 8 x 128 x 2 B and the leanest 6 x 1024. */
static void
slope_of_contexts(void **state)
{
	const char *id = "kv-slope-llama-cpp";

	(void)state;
	is(id, "slope", 48 * 2 * 4 * 128);
	is(id, "match", 1);
	is(id, "four-structures-high", 40 * 2 * 8 * 128 * 2);
	is(id, "four-structures-low", 6 * 1024);
}

static int
open_knowledge(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	return kb_open(&kb, image_knowledge, (size_t)image_knowledge_len, &e) == OK ? 0 : -1;
}

static int
close_knowledge(void **state)
{
	(void)state;
	kb_close(kb);
	arena_release(&arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_cache_of_two_hosts),
		cmocka_unit_test(levels_of_quantisation),
		cmocka_unit_test(slope_of_contexts),
	};

	return cmocka_run_group_tests(tests, open_knowledge, close_knowledge);
}
