/* Chains of decisions, and what a claim's fingerprint is of. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/decisions.h"
#include "yaml/yn.h"

static struct val *
tree(struct arena *a, const char *text)
{
	struct err e = ERR_INIT;
	struct val *v;

	assert_int_equal(yn_parse(&v, a, text, strlen(text), "claims/decisions/q-50.yaml", &e), OK);
	return v;
}

static struct val *
entry(struct arena *a, const char *decision, const struct val *before)
{
	struct val *v = val_map(a);

	val_put(a, v, "decision", val_str(a, decision));
	val_put(a, v, "by", val_str(a, "Kim"));
	val_put(a, v, "on", val_str(a, "2026-12-01"));
	val_put(a, v, "reason", val_str(a, "because"));
	val_put(a, v, "claim", val_str(a, "sha256:0"));
	if (before != NULL)
		val_put(a, v, "previous", val_str(a, val_get_text(before, "hash")));
	val_put(a, v, "hash", val_str(a, decision_hash(v).text));
	return v;
}

/* n entries: release, quarantine, release, ... */
static struct val *
chain(struct arena *a, size_t n)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < n; i++)
		val_push(a, list, entry(a, i % 2 == 0 ? "release" : "quarantine",
		    i > 0 ? list->list.items[i - 1] : NULL));
	return list;
}

static const struct val *
broken(struct arena *a, const struct val *list)
{
	struct errs errs = ERRS_INIT;
	struct decisions *d = decisions_of(a, list, "claims/decisions/q-50.yaml", &errs);

	assert_int_equal(errs.count, 0);
	assert_non_null(d);
	assert_string_equal(d->id, "q-50");
	assert_true((d->broken != NULL) == (d->why != NULL));
	return d->broken;
}

static void
chains(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t n = 1; n <= 6; n++)
		assert_null(broken(&a, chain(&a, n)));
	/* any value of any entry changed: that entry is named */
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 1; k < 6; k++) {
			struct val *list = chain(&a, 4), *e = list->list.items[i];

			if (k >= e->map.count)
				continue;
			e->map.entries[k].value = val_str(&a, strcmp(e->map.entries[k].key, "on") == 0 ? "2026-12-02" : "other");
			assert_ptr_equal(broken(&a, list), e);
		}
	}
	/* one taken out: the one behind it is named; at the end nothing is to be seen here, but the claim names its last */
	for (size_t i = 0; i < 3; i++) {
		struct val *list = chain(&a, 4), *next = list->list.items[i + 1];

		memmove(&list->list.items[i], &list->list.items[i + 1], (3 - i) * sizeof *list->list.items);
		list->list.count--;
		assert_ptr_equal(broken(&a, list), next);
	}
	/* two exchanged, one twice */
	for (size_t i = 0; i < 3; i++) {
		struct val *list = chain(&a, 4), *first = list->list.items[i];

		list->list.items[i] = list->list.items[i + 1];
		list->list.items[i + 1] = first;
		assert_non_null(broken(&a, list));
		list = chain(&a, 4);
		val_push(&a, list, list->list.items[3]);
		assert_ptr_equal(broken(&a, list), list->list.items[3]);
	}
	arena_release(&a);
}

static void
last(void **state)
{
	struct arena a = ARENA_INIT;
	struct errs errs = ERRS_INIT;

	(void)state;
	for (size_t n = 1; n <= 3; n++) {
		const struct val *list = chain(&a, n);
		const struct decisions *d = decisions_of(&a, list, "q-50.yaml", &errs);

		assert_ptr_equal(decisions_last(d), list->list.items[n - 1]);
		assert_int_equal(d->last, n % 2 == 1 ? DECISION_RELEASE : DECISION_QUARANTINE);
		assert_true(d->released);
	}
	arena_release(&a);
}

static void
forms(void **state)
{
	static const char *const bad[] = { "a: b\n", "[]\n", "- a\n", "- {decision: free}\n",
		"- {decision: release, by: x, on: 2026-02-30, reason: y, claim: z, hash: h}\n",
		"- {decision: release, by: x, on: 2026-02-03, reason: y, claim: z, hash: h, more: m}\n",
		"- {decision: release, by: x, on: 2026-02-03, reason: y, claim: z}\n" };
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct errs errs = ERRS_INIT;

		assert_null(decisions_of(&a, tree(&a, bad[i]), "q-50.yaml", &errs));
		assert_true(errs.count > 0);
		errs_release(&errs);
	}
	arena_release(&a);
}

#define CLAIM "id: q-50\narchetypes: [a, b]\nstatement:\n  en: One\n  ko: 하나\nfigures: {x: {value: 1 %, finding: s.f}}\n"

static void
fingerprints(void **state)
{
	/* the same claim: other order, comments, quotes, evidence, what it keeps of its quarantine */
	static const char *const same[] = {
		"# c\nstatement: {ko: \"하나\", en: 'One'}\narchetypes:\n- a\n- b\nfigures: {x: {finding: s.f, value: 1 %}}\nid: q-50\n",
		CLAIM "evidence: [{finding: s.f, relation: supports}]\ndecided: sha256:0\ncirculates: {en: x}\n",
	};
	static const char *const other[] = {
		"id: q-51\narchetypes: [a, b]\nstatement:\n  en: One\n  ko: 하나\nfigures: {x: {value: 1 %, finding: s.f}}\n",
		"id: q-50\narchetypes: [b, a]\nstatement:\n  en: One\n  ko: 하나\nfigures: {x: {value: 1 %, finding: s.f}}\n",
		"id: q-50\narchetypes: [a, b]\nstatement:\n  en: one\n  ko: 하나\nfigures: {x: {value: 1 %, finding: s.f}}\n",
		"id: q-50\narchetypes: [a, b]\nstatement:\n  en: One\nfigures: {x: {value: 1 %, finding: s.f}}\n",
		"id: q-50\narchetypes: [a, b]\nstatement:\n  en: One\n  ko: 하나\nfigures: {x: {value: 2 %, finding: s.f}}\n",
		CLAIM "conditions: {en: now}\n",
		CLAIM "names: [One]\n",
	};
	struct arena a = ARENA_INIT;
	struct decision_hash hash = claim_fingerprint(tree(&a, CLAIM));

	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		assert_string_equal(claim_fingerprint(tree(&a, same[i])).text, hash.text);
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		assert_string_not_equal(claim_fingerprint(tree(&a, other[i])).text, hash.text);
	arena_release(&a);
}

static void
ids(void **state)
{
	(void)state;
	assert_true(is_quarantine_id("q-01"));
	assert_false(is_quarantine_id("q-1"));
	assert_false(is_quarantine_id("q-001"));
	assert_false(is_quarantine_id("claim-x"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(chains), cmocka_unit_test(last), cmocka_unit_test(forms),
		cmocka_unit_test(fingerprints), cmocka_unit_test(ids) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
