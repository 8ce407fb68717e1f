/* Findings: their order, and each rendering against its own standard. */
#include "unit.h"

#include <string.h>

#include "json/jn.h"
#include "render/findings.h"

static const struct finding_rule RULES[] = {
	{ "late", FINDING_WARNING, "Late", "Time went by.", "Look again." },
	{ "wrong", FINDING_ERROR, "Wrong", "A slip.", "Write what is right." },
	{ "odd", FINDING_NOTE, "Odd", "It happens.", "Leave it." },
	{ NULL, FINDING_NOTE, NULL, NULL, NULL },
};
static const struct findings_tool TOOL = { "dossier", "1.2", RULES, "dossier.findings/1" };

static void
fill(struct findings *list, struct arena *a)
{
	findings_init(list, a);
	findings_add(list, &RULES[2], (struct place){ "b.yaml", 2, 7 }, "b-1", "second of its line");
	findings_add(list, &RULES[0], (struct place){ "b.yaml", 2, 3 }, "b-1", "a \"quoted\", %s", "값")->hint = "do so";
	findings_add(list, &RULES[1], (struct place){ "a b/가.yaml", 10, 0 }, NULL, "two\nlines");
	findings_add(list, &RULES[1], (struct place){ "a b/가.yaml", 9, 0 }, NULL, "whole line");
	findings_add(list, &RULES[0], (struct place){ NULL, 0, 0 }, NULL, "no place");
}

static void
assert_rendered(const struct findings *list, enum findings_style style, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	assert_int_equal(render_findings(&out, list, style, &TOOL, 0, &e), OK);
	assert_string_equal(out.s, expected);
	buf_release(&out);
}

static void
places_are_ordered_as_numbers(void **state)
{
	struct arena a = ARENA_INIT;
	struct findings list;

	(void)state;
	fill(&list, &a);
	findings_sort(&list);
	assert_rendered(&list, FINDINGS_TEXT, "late no place\n"
	    "a b/가.yaml:9: wrong whole line\n"
	    "a b/가.yaml:10: wrong two lines\n"
	    "b.yaml:2:3: late a \"quoted\", 값 (do so)\n"
	    "b.yaml:2:7: odd second of its line\n");
	/* a list that was sorted still grows */
	findings_add(&list, &RULES[0], (struct place){ "c", 1, 1 }, NULL, "more");
	assert_int_equal(list.count, 6);
	findings_keep(&list, FINDING_ERROR);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.counts[FINDING_WARNING], 0);
	assert_int_equal(list.counts[FINDING_ERROR], 2);
	arena_release(&a);
}

static void
csv_is_rfc_4180(void **state)
{
	struct arena a = ARENA_INIT;
	struct findings list;

	(void)state;
	fill(&list, &a);
	assert_rendered(&list, FINDINGS_CSV, "severity,code,id,file,line,column,message,hint\r\n"
	    "note,odd,b-1,b.yaml,2,7,second of its line,\r\n"
	    "warning,late,b-1,b.yaml,2,3,\"a \"\"quoted\"\", 값\",do so\r\n"
	    "error,wrong,,a b/가.yaml,10,,\"two\nlines\",\r\n"
	    "error,wrong,,a b/가.yaml,9,,whole line,\r\n"
	    "warning,late,,,,,no place,\r\n");
	arena_release(&a);
}

static struct val *
rendered_tree(struct arena *a, const struct findings *list, enum findings_style style)
{
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct val *root;

	assert_int_equal(render_findings(&out, list, style, &TOOL, 0, &e), OK);
	assert_int_equal(jn_parse(&root, a, out.s, out.len, "out", &e), OK);
	buf_release(&out);
	return root;
}

static void
json_has_counts_and_items(void **state)
{
	struct arena a = ARENA_INIT;
	struct findings list;
	struct val *root;

	(void)state;
	fill(&list, &a);
	root = rendered_tree(&a, &list, FINDINGS_JSON);
	assert_string_equal(val_get_text(root, "format"), "dossier.findings/1");
	assert_true(val_get(root, "errors")->number == 2 && val_get(root, "warnings")->number == 2);
	assert_true(val_get(root, "notes")->number == 1 && val_count(val_get(root, "items")) == 5);
	assert_string_equal(val_text(val_path(root, "items.1.place")), "b.yaml:2:3");
	assert_string_equal(val_text(val_path(root, "items.1.hint")), "do so");
	assert_true(val_path(root, "items.1.column")->number == 3);
	assert_true(val_is(val_path(root, "items.2.column"), VAL_NULL));
	assert_true(val_is(val_path(root, "items.4.file"), VAL_NULL));
	arena_release(&a);
}

/* What the schema of SARIF 2.1.0 requires: version, runs, tool.driver.name, message, ids of rules;
 * lines and columns from 1; URIs escaped as in RFC 3986. */
static void
sarif_has_what_its_schema_requires(void **state)
{
	struct arena a = ARENA_INIT;
	struct findings list;
	struct val *root, *result;

	(void)state;
	fill(&list, &a);
	findings_add(&list, &RULES[0], (struct place){ "/tmp/x#y.md", 1, 1 }, NULL, "absolute");
	findings_add(&list, &RULES[0], (struct place){ "./d/e.md", 0, 0 }, NULL, "the file");
	root = rendered_tree(&a, &list, FINDINGS_SARIF);
	assert_string_equal(val_get_text(root, "version"), "2.1.0");
	assert_string_equal(val_text(val_path(root, "runs.0.columnKind")), "unicodeCodePoints");
	assert_string_equal(val_text(val_path(root, "runs.0.tool.driver.rules.1.id")), "wrong");
	assert_string_equal(val_text(val_path(root, "runs.0.tool.driver.rules.1.help.text")), "Write what is right.");
	assert_string_equal(val_text(val_path(root, "runs.0.tool.driver.rules.1.defaultConfiguration.level")), "error");
	result = val_path(root, "runs.0.results.2");
	assert_true(val_get(result, "ruleIndex")->number == 1);
	result = val_path(result, "locations.0.physicalLocation");
	/* 가 is EA B0 80 in UTF-8 */
	assert_string_equal(val_text(val_path(result, "artifactLocation.uri")), "a%20b/%EA%B0%80.yaml");
	assert_string_equal(val_text(val_path(result, "artifactLocation.uriBaseId")), "%SRCROOT%");
	assert_true(val_path(result, "region.startLine")->number == 10);
	assert_null(val_path(result, "region.startColumn"));
	assert_null(val_path(root, "runs.0.results.4.locations"));
	result = val_path(root, "runs.0.results.5.locations.0.physicalLocation.artifactLocation");
	assert_string_equal(val_get_text(result, "uri"), "file:///tmp/x%23y.md");
	assert_null(val_get(result, "uriBaseId"));
	result = val_path(root, "runs.0.results.6.locations.0.physicalLocation");
	assert_string_equal(val_text(val_path(result, "artifactLocation.uri")), "d/e.md");
	assert_null(val_get(result, "region"));
	arena_release(&a);
}

static void
codes_to_fail_on_must_exist(void **state)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct findings list;

	(void)state;
	findings_init(&list, &a);
	findings_add(&list, &RULES[2], (struct place){ "b", 1, 1 }, NULL, "x");
	assert_int_equal(findings_fail_on(&list, RULES, "odd", &e), 1);
	assert_int_equal(findings_fail_on(&list, RULES, "late, odd", &e), 1);
	assert_int_equal(findings_fail_on(&list, RULES, "late , wrong", &e), 0);
	assert_int_equal(findings_fail_on(&list, RULES, "odd,strange", &e), ERR_USAGE);
	assert_non_null(strstr(e.text, "`strange`"));
	assert_int_equal(findings_fail_on(&list, RULES, "", &e), ERR_USAGE);
	assert_int_equal(findings_fail_on(&list, RULES, "odd,", &e), ERR_USAGE);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_ordered_as_numbers), cmocka_unit_test(csv_is_rfc_4180),
		cmocka_unit_test(json_has_counts_and_items), cmocka_unit_test(sarif_has_what_its_schema_requires),
		cmocka_unit_test(codes_to_fail_on_must_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
