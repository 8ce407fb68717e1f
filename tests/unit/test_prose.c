/* The rule that prose holds no bare figure, and the forms of dates and comparisons. */
#include "unit.h"

#include <string.h>

#include "ingest/prose.h"
#include "ingest/forms.h"

static bool
known(const char *name, void *context)
{
	(void)context;
	return strcmp(name, "share") == 0;
}

static size_t
faults_of(const char *text, const char *name)
{
	struct arena a = ARENA_INIT;
	struct errs errs = ERRS_INIT;
	struct val *names = val_list(&a), *v = val_str(&a, text);
	size_t count;

	if (name != NULL)
		val_push(&a, names, val_str(&a, name));
	v->at = (struct place){ "x.yaml", 3, 7 };
	prose_check(&errs, v, names, known, NULL);
	count = errs.count;
	if (count > 0)
		assert_string_equal(errs.items[0].where, "x.yaml:3:7");
	errs_release(&errs);
	arena_release(&a);
	return count;
}

static void
figures_need_a_finding(void **state)
{
	static const char *const refused[] = { "about 70% of it", "70 %", "10x faster", "141GB of HBM",
		"141 GB", "the 128K case", "1,024 tokens", "약 70%를", "3배 빠릅니다", "12월에", "5 years",
		"99.8 billion", "1e3", "0777", "between 5 and 7", "(64)", "\"32\"", "+10", "12.5", "2048 tokens",
		"${other}", "${share", "a ${} b", "2026,5",
		"2000 GB", "2010 x faster", "2000배", "2024~8000GB", "ca.60%", "approx.589", "KV-60%", "2025년 30월",
		"2025년 3월 99일" };
	static const char *const fine[] = { "about ${share} of memory", "H200 and LPDDR5X", "4-bit weights",
		"since 2026", "2026-07", "on 2026-07-31", "2026년 7월 31일에", "2026년에", "세 곳", "two of them",
		"", "UFS4, CXL2.", "(H100)", "in 2026." };

	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (faults_of(refused[i], NULL) == 0)
			fail_msg("let pass: %s", refused[i]);
	for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
		if (faults_of(fine[i], NULL) != 0)
			fail_msg("refused: %s", fine[i]);
}

static void
names_may_hold_digits(void **state)
{
	(void)state;
	assert_int_equal(faults_of("Llama 3.1 70B is dense", "Llama 3.1 70B"), 0);
	assert_true(faults_of("Llama 3.1 70B is dense", NULL) > 0);
	assert_true(faults_of("Llama 3.1 70B takes 3.1 GB", "Llama 3.1 70B") > 0);
}

static void
dates_exist(void **state)
{
	(void)state;
	assert_true(date_is_valid("2028-02-29", false));
	assert_false(date_is_valid("2026-02-29", false));
	assert_false(date_is_valid("2026-02-30", false));
	assert_false(date_is_valid("2026-2-3", false));
	assert_false(date_is_valid("2026-13-01", false));
	assert_false(date_is_valid("2026-07", false));
	assert_true(date_is_valid("2026-07", true));
	assert_true(date_is_valid("2026", true));
	assert_true(date_is_valid("undated", true));
	assert_false(date_is_valid("2026-07-31x", true));
	assert_false(date_is_valid("", true));
}

static void
comparisons_hold(void **state)
{
	struct comparison c;

	(void)state;
	assert_true(comparison_parse(&c, "< 1"));
	assert_true(comparison_holds(&c, 0.5, 0));
	assert_false(comparison_holds(&c, 1, 0));
	assert_true(comparison_parse(&c, ">= 40 %"));
	assert_true(comparison_holds(&c, 0.4, 0));
	assert_true(comparison_parse(&c, "> concurrency"));
	assert_true(comparison_holds(&c, 65, 64));
	assert_false(comparison_parse(&c, "about 1"));
	assert_false(comparison_parse(&c, "<"));
	assert_false(comparison_parse(&c, "< nan"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_need_a_finding),
		cmocka_unit_test(names_may_hold_digits),
		cmocka_unit_test(dates_exist),
		cmocka_unit_test(comparisons_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
