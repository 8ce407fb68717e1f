#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/images.h"
#include "drafts/figure.h"
#include "drafts/lint.h"
#include "kb/kb.h"
#include "util/buf.h"
#include "util/file.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define EXPECTED "tests/golden/expected/"

static struct kb *knowledge, *quarantine;
static struct arena shared = ARENA_INIT;
static struct lint_options options;
static struct linter *linter;

static int
open_images(void **state)
{
	struct err e;

	(void)state;
	if (kb_open(&knowledge, image_knowledge, image_knowledge_len, &e) != OK ||
	    kb_open_quarantine(&quarantine, image_quarantine, image_quarantine_len, &e) != OK)
		return -1;
	options.quarantine = quarantine;
	return linter_open(&linter, knowledge, &options, &shared, &e);
}

static int
close_images(void **state)
{
	(void)state;
	kb_close(knowledge);
	kb_close(quarantine);
	arena_release(&shared);
	return 0;
}

static struct findings
lint(struct arena *a, const char *text, const char *file_name)
{
	struct findings found;
	struct err e;

	findings_init(&found, a);
	if (linter_run(&found, linter, a, text, strlen(text), "d.md", file_name, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	findings_sort(&found);
	return found;
}

/* "line:column code" of each finding, one a line. */
static const char *
list(struct arena *a, const struct findings *found)
{
	struct buf b = BUF_INIT;
	const char *copy;

	for (size_t i = 0; i < found->count; i++)
		buf_printf(&b, "%d:%d %s\n", found->items[i].at.line, found->items[i].at.column, found->items[i].rule->code);
	copy = arena_strdup(a, b.s);
	buf_release(&b);
	return copy;
}

/* ---- figures ---- */

static void
test_figures_are_read(void **state)
{
	static const struct {
		const char *text;
		double number, half;
		const char *unit;
	} cases[] = {
		{ "589.5 GB of KV", 589.5, 0.05, "GB" },
		{ "20GiB", 20, 0.5, "GiB" },
		{ "1,234 devices", 1234, 0.5, NULL },
		{ "128K", 131072, 512, "token" }, /* K of tokens is 1,024 */
		{ "20M vectors", 20e6, 0.5e6, NULL },
		{ "40%", 40, 0.5, "%" },
		{ "62.7 percent", 62.7, 0.05, "%" },
		{ "1.5배", 1.5, 0.05, "x" },
		{ "18 months", 18, 0.5, "month" },
		{ "18개월입니다", 18, 0.5, "month" },
		{ "2.7초", 2.7, 0.05, "s" },
		{ "2,598 tokens/s", 2598, 0.5, "token/s" },
		{ "24 µs", 24, 0.5, "us" },
		{ "671 billion", 671e9, 0.5e9, NULL },
		{ "6,710억", 671e9, 0.5e8, NULL },
		{ "25억 7,500만 달러였습니다", 2575e6, 0.5e4, "USD" },
		{ "14,220 days", 14220, 5, "day" }, /* four digits of it are meant */
		{ "14,223 days", 14223, 0.5, "day" },
		{ "4.8 TB/s", 4.8, 0.05, "TB/s" },
		{ "5 Bananas", 5, 0.5, NULL },
		{ "12 GBs", 12, 0.5, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct figure f;

		if (!figure_read(&f, cases[i].text, strlen(cases[i].text), 0))
			fail_msg("%s: not read", cases[i].text);
		if (f.number != cases[i].number || f.half != cases[i].half)
			fail_msg("%s: read %g, half a place %g", cases[i].text, f.number, f.half);
		if ((f.unit == NULL) != (cases[i].unit == NULL) ||
		    (f.unit != NULL && strcmp(f.unit->name, cases[i].unit) != 0))
			fail_msg("%s: unit %s", cases[i].text, f.unit == NULL ? "none" : f.unit->name);
	}
}

static void
test_figures_fit(void **state)
{
	/* 20 GiB = 20 x 2^30 B = 21,474,836,480 B; 589,484,261,376 / 2^30 = 549.0 */
	static const struct {
		const char *shown, *exact;
		enum figure_fit fit;
	} cases[] = {
		{ "20 GiB", "21474836480 B", FIGURE_FITS },
		{ "21.5 GB", "21474836480 B", FIGURE_FITS },
		{ "21.47 GB", "21474836480 B", FIGURE_FITS },
		{ "21.4 GB", "21474836480 B", FIGURE_OTHER_VALUE }, /* cut, not rounded */
		{ "20 GB", "21474836480 B", FIGURE_OTHER_BYTES },
		{ "21.5 GiB", "21474836480 B", FIGURE_OTHER_BYTES },
		{ "589.5 GB", "589484261376 B", FIGURE_FITS },
		{ "549 GiB", "589484261376 B", FIGURE_FITS },
		{ "590 GB", "589484261376 B", FIGURE_OTHER_VALUE },
		{ "0.5895 TB", "589484261376 B", FIGURE_FITS },
		{ "589.5", "589484261376 B", FIGURE_OTHER_UNIT },
		{ "589.5 ms", "589484261376 B", FIGURE_OTHER_UNIT },
		{ "24.6 ms", "0.02463 s", FIGURE_FITS },
		{ "0.025 s", "0.02463 s", FIGURE_FITS },
		{ "25.6 ms", "0.02463 s", FIGURE_OTHER_VALUE },
		{ "40%", "0.4", FIGURE_FITS },
		{ "0.4", "40 %", FIGURE_FITS },
		{ "41%", "0.4", FIGURE_OTHER_VALUE },
		{ "$2.9 billion", "2.9 GUSD", FIGURE_FITS },
		{ "29억 달러", "2.9 GUSD", FIGURE_FITS },
		{ "128K", "131072 token", FIGURE_FITS },
		{ "131,072", "131072 token", FIGURE_FITS },
		{ "128,000 tokens", "131072 token", FIGURE_OTHER_VALUE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t digit = strcspn(cases[i].shown, "0123456789");
		struct quantity q;
		struct figure f;

		assert_null(quantity_parse(&q, cases[i].exact, strlen(cases[i].exact), DIM_ANY));
		assert_true(figure_read(&f, cases[i].shown, strlen(cases[i].shown), digit));
		if (figure_fits(&f, &q) != cases[i].fit)
			fail_msg("%s for %s: %d", cases[i].shown, cases[i].exact, (int)figure_fits(&f, &q));
	}
}

/* ---- drafts ---- */

#define FRONT(archetype, audience) \
	"---\nformat: dossier.draft/1\ncustomer: x\narchetype: " archetype "\naudience: " audience "\nlanguage: en\n---\n\n"
#define HEAD FRONT("neocloud", "customer") "# Draft\n\n" /* the body begins in line 11 */
#define DEFINITIONS "\n\n### S1\n\nCalculated.\n\n" \
	"[a.kv.bytes]: #s1 \"589484261376 B, calculated, weakest stated\"\n" \
	"[a.prefill.seconds]: #s1 \"2.676 s, calculated, weakest assumed\"\n" \
	"[a.decode.step_seconds]: #s1 \"0.02463 s, calculated, weakest assumed\"\n" \
	"[a.in.output]: #s1 \"200 token, stated\"\n" \
	"[a.in.concurrency]: #s1 \"64, stated\"\n" \
	"[nebius-meta-6k.contract-value]: #s1 \"2.9 GUSD, published, grade B\"\n" \
	"[nebius-meta-6k.end-first]: #s1 \"finding\"\n"

/* Each is a body behind HEAD and before DEFINITIONS, and what is found there. */
static const struct {
	const char *body, *found;
} bodies[] = {
	{ "The KV takes [589.5 GB][a.kv.bytes], or [549 GiB][a.kv.bytes].", "" },
	{ "The KV takes **[589.5 GB][a.kv.bytes]**, and `45 GB` is code.", "" },
	{ "The KV takes [589.5][a.kv.bytes] GB.", "" },
	{ "The KV takes [600 GB][a.kv.bytes].", "11:15 figure-differs\n" },
	{ "The KV takes [549 GB][a.kv.bytes].", "11:15 gb-for-gib\n" },
	{ "It is [2.9][nebius-meta-6k.end-first].", "11:8 figure-differs\n" },
	{ "The KV takes 45 GB.", "11:14 uncited-figure\n" },
	{ "KV는 45 GB, 비중은 30%입니다.", "11:5 uncited-figure\n11:16 uncited-figure\n" },
	{ "In 2026-11, on 3 May 2026 and in section 3.2, table 2, Qwen3 14B on the H200 ran.", "" },
	{ "2026년 7월 31일, 제3장, 표 2를 보십시오.", "" },
	{ "You run 64 sequences.", "" }, /* what was stated */
	{ "You run 65 sequences.", "11:9 uncited-figure\n" },
	{ "Worth USD 2.9 billion [S1][nebius-meta-6k.contract-value].", "" },
	{ "Worth USD 3.9 billion [S1][nebius-meta-6k.contract-value].", "11:11 figure-differs\n" },
	{ "Worth USD 2.9 billion. It may end [S1][nebius-meta-6k.contract-value].", "11:11 uncited-figure\n" },
	{ "It ends [45 GB][a.none].", "11:9 citation-undefined\n" },
	/* what stands beside a citation is of the same source, or it is of none */
	{ "| KV | bytes |\n| --- | --- |\n| all 45 GB | [589.5 GB][a.kv.bytes] |", "13:7 figure-differs\n" },
	{ "| KV | bytes |\n| --- | --- |\n| 549 GiB in steps of 24.6 ms | [589.5 GB][a.kv.bytes] |", "" },
	{ "| KV | bytes |\n| --- | --- |\n| 549 GB in steps of 24.7 ms | [589.5 GB][a.kv.bytes] |",
	    "13:3 figure-differs\n13:22 figure-differs\n" },
	{ "| 64 of them | [589.5 GB][a.kv.bytes] |\n| --- | --- |\n| Qwen3 14B in section 5 | [589.5 GB][a.kv.bytes] |", "" },
	/* the source says what the interest was, 640 MUSD, and no definition of the draft does */
	{ "| revenue | interest |\n| --- | --- |\n| [USD 2.58 billion][coreweave-results-2026q2.revenue] | USD 640 million |\n"
	  "| [USD 2.58 billion][coreweave-results-2026q2.revenue] | USD 650 million |\n| 64 | USD 640 million |\n\n"
	  "### S2\n\n[coreweave-results-2026q2.revenue]: #s2 \"2575 MUSD, published, grade B\"",
	    "14:62 figure-differs\n15:12 uncited-figure\n" },
	{ "| # | KV |\n| --- | --- |\n| 1 | [589.5 GB][a.kv.bytes] |\n| 2. | [589.5 GB][a.kv.bytes] |\n| 4 | - |", "15:3 uncited-figure\n" },
	{ "| racks | KV |\n| --- | --- |\n| 1 | [589.5 GB][a.kv.bytes] |", "13:3 figure-differs\n" },
	{ "| KV | bytes |\n| --- | --- |\n| all 45 GB | - |", "13:7 uncited-figure\n" },
	{ "See [589.5 GB](#s1 \"589484261376 B, calculated\") and [1 GB](#s7 \"1000000000 B, calculated\").",
	    "11:54 citation-no-source\n" },
	{ "> - Answers take [2.676 s][a.prefill.seconds] to begin, then [24.6 ms][a.decode.step_seconds] a token.", "" },
	{ "An answer begins and steps in 2.70 s.", "11:31 phases-merged\n" },
	/* 2.676 + 200 x 0.02463 = 7.602 */
	{ "An answer takes 7.60 s.", "11:17 phases-merged\n" },
	{ "Prefill and decode take [2.676 s][a.prefill.seconds].", "11:26 phases-merged\n" },
	{ "prefill과 decode를 합쳐 [2.676 s][a.prefill.seconds]입니다.", "11:22 phases-merged\n" },
	{ "Prefill takes [2.676 s][a.prefill.seconds] and decode [24.6 ms][a.decode.step_seconds].", "" },
	{ "This is INTERNAL.", "11:9 internal-content\n" },
	{ "Do not mention q-07 yet.", "11:16 internal-content\n" },
	{ "## What cannot be said", "11:1 internal-content\n" },
	{ "## 결재자", "11:1 internal-content\n" },
	/* the veto of the lenders, out of the archetype; "a" says nothing */
	{ "Note: a part outside the financed equipment needs other money.", "11:9 internal-content\n" },
	{ "[x]: /url \"INTERNAL remark\"", "11:1 internal-content\n" },
	{ "<!-- INTERNAL -->", "11:6 internal-content\n" },
};

static void
test_bodies(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		struct arena a = ARENA_INIT;
		struct findings found = lint(&a, arena_printf(&a, "%s%s%s", HEAD, bodies[i].body, DEFINITIONS), NULL);

		if (strcmp(list(&a, &found), bodies[i].found) != 0)
			fail_msg("%s\nexpected:\n%sfound:\n%s", bodies[i].body, bodies[i].found, list(&a, &found));
		arena_release(&a);
	}
}

static const struct {
	const char *definitions, *found;
} definitions[] = {
	{ "[a.b]: #s1 \"5 GB, calculated\"", "" },
	{ "[a.b]: #s1 \"5 GB, calculated\"\n[A.B]: #s1 \"6 GB, calculated\"", "14:1 citation-defined-twice\n" },
	{ "[a.b]: #s1 \"about five\"", "13:1 citation-unreadable\n" },
	{ "[a.b]: #s1 \"5 GB, guessed\"", "13:1 citation-unreadable\n" },
	{ "[a.b]: #s1", "13:1 citation-unreadable\n" },
	{ "[a.b]: #s3 \"5 GB, calculated\"", "13:1 citation-no-source\n" },
	{ "[a.b]: #s1 \"5 GB, published, grade A\"", "13:1 citation-unknown\n" },
	{ "[a.b]: https://example.org \"a title\"", "" },
	{ "[nebius-meta-6k.contract-value]: #s1 \"2.9 GUSD, published, grade B\"", "" },
	{ "[nebius-meta-6k.contract-value]: #s1 \"3.1 GUSD, published, grade B\"", "13:1 figure-differs\n" },
	{ "[nebius-meta-6k.contract-value]: #s1 \"2.9 GUSD, published, grade A\"", "13:1 figure-differs\n" },
	{ "[nebius-meta-6k.contract-value]: #s1 \"2.9 GUSD, measured, grade B\"", "13:1 figure-differs\n" },
	/* in the second image only: under review */
	{ "[amd-pg456.er-q02-example]: #s1 \"finding\"", "13:1 citation-withdrawn\n" },
};

static void
test_definitions(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(definitions); i++) {
		struct arena a = ARENA_INIT;
		struct findings found = lint(&a, arena_printf(&a, "%s### S1\n\n%s\n", HEAD, definitions[i].definitions), NULL);

		if (strcmp(list(&a, &found), definitions[i].found) != 0)
			fail_msg("%s\nexpected:\n%sfound:\n%s", definitions[i].definitions, definitions[i].found, list(&a, &found));
		arena_release(&a);
	}
}

/* The same draft for an archetype without quantitative evidence, for both audiences. */
static void
test_without_evidence(void **state)
{
	static const char body[] = "**INTERNAL**\n\n# INTERNAL: draft\n\nThe KV takes [5 GB][a.kv.bytes], you have "
		"[8 GB][a.in.memory], drives [3 TB][a.x], so 7 GB.\n\n### S1\n\n[a.kv.bytes]: #s1 \"5 GB, calculated, weakest stated\"\n"
		"[a.in.memory]: #s1 \"8 GB, stated\"\n[a.x]: #s1 \"3 TB, assumed\"\n";
	struct arena a = ARENA_INIT;
	struct findings found = lint(&a, arena_printf(&a, "%s%s", FRONT("edge-robotics", "customer"), body), NULL);

	(void)state;
	assert_string_equal(list(&a, &found), "9:3 internal-content\n11:3 internal-content\n13:87 figure-without-evidence\n"
	    "17:1 figure-without-evidence\n19:1 figure-without-evidence\n");
	found = lint(&a, arena_printf(&a, "%s%s", FRONT("edge-robotics", "internal"), body), NULL);
	assert_string_equal(list(&a, &found), "13:87 figure-without-evidence\n19:1 figure-without-evidence\n");
	arena_release(&a);
}

static void
test_marks(void **state)
{
	struct arena a = ARENA_INIT;
	struct findings found = lint(&a, FRONT("neocloud", "internal") "# Brief\n\nA text.\n", "brief.md");

	(void)state;
	assert_string_equal(list(&a, &found), "0:0 internal-unmarked\n9:1 internal-unmarked\n");
	found = lint(&a, FRONT("neocloud", "internal") "INTERNAL: not for them.\n\n# Brief\n", "x.INTERNAL.md");
	assert_string_equal(list(&a, &found), "11:1 internal-unmarked\n");
	found = lint(&a, FRONT("neocloud", "internal") "INTERNAL: not for them.\n\n# Brief, INTERNAL\n\nSay not q-07.\n", NULL);
	assert_int_equal(found.count, 0);
	arena_release(&a);
}

static void
test_front_matter(void **state)
{
	static const struct {
		const char *text, *found;
	} cases[] = {
		{ "# Draft\n", "1:1 front-matter\n" },
		{ "---\narchetype: nobody\naudience: customer\n---\n", "2:12 front-matter\n" },
		{ "---\narchetype: neocloud\naudience: all\n---\n", "3:11 front-matter\n" },
		{ "---\naudience: customer\n---\n", "2:1 front-matter\n" },
		{ "---\n{\n---\n", "1:1 front-matter\n" },
		{ "---\narchetype: neocloud\naudience: customer\nnames: [Own 12B]\n---\nThe Own 12B and the Other 12B.\n",
		    "6:27 uncited-figure\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena a = ARENA_INIT;
		struct findings found = lint(&a, cases[i].text, NULL);

		if (strcmp(list(&a, &found), cases[i].found) != 0)
			fail_msg("%s\nexpected:\n%sfound:\n%s", cases[i].text, cases[i].found, list(&a, &found));
		arena_release(&a);
	}
}

/* The id and what to say instead; the wording in no message. Also over lines, in a list, in a table and where none looks. */
static void
test_quarantine(void **state)
{
	static const char *const bodies_of_q02[] = {
		"Offloading KV cache to SSD always pays.",
		"It is so: KV cache,\nonce offloaded to SSD,\nalways pays.",
		"> - Offloading **KV cache** to [SSD](https://example.org) *always* pays.",
		"| Offloading KV cache | to SSD always pays |\n| --- | --- |",
		"<!-- Offloading KV cache to SSD always pays. -->",
		"```\nOffloading KV cache to SSD always pays.\n```",
		"[x]: /url \"Offloading KV cache to SSD always pays.\"",
		"SSD로 KV cache를 오프로드하면 항상 이득입니다.",
		"## KV cache를 SSD로 오프로드하면 항상 이득",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bodies_of_q02); i++) {
		struct arena a = ARENA_INIT;
		struct findings found = lint(&a, arena_printf(&a, "%s%s\n", HEAD, bodies_of_q02[i]), NULL);

		if (found.count != 1 || strcmp(found.items[0].rule->code, "quarantined-wording") != 0)
			fail_msg("%s: %s", bodies_of_q02[i], list(&a, &found));
		assert_string_equal(found.items[0].id, "q-02");
		assert_non_null(strstr(found.items[0].hint, "claim-kv-tier-pays-by-hits"));
		assert_null(strstr(found.items[0].message, "always"));
		assert_null(strstr(found.items[0].hint, "always"));
		arena_release(&a);
	}
}

/* ---- whole drafts ---- */

static char *
read_draft(const char *path)
{
	struct buf b = BUF_INIT;
	struct err e;

	if (file_read(&b, path, &e) != OK)
		fail_msg("%s: %s (run in the repository)", path, e.text);
	return buf_detach(&b);
}

/* The text of a golden file, or NULL: listings in Markdown are no drafts. */
static char *
read_if_draft(const char *path)
{
	char *text = read_draft(path);

	if (strncmp(text, "---\n", 4) == 0)
		return text;
	free(text);
	return NULL;
}

static void
test_golden_is_clean(void **state)
{
	size_t drafts = 0;
	glob_t g;

	(void)state;
	assert_int_equal(glob(EXPECTED "*.md", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct arena a = ARENA_INIT;
		char *text = read_if_draft(g.gl_pathv[i]);
		struct findings found;

		if (text == NULL)
			continue;
		drafts++;
		found = lint(&a, text, g.gl_pathv[i]);
		if (found.count > 0)
			fail_msg("%s: %s %s", g.gl_pathv[i], list(&a, &found), found.items[0].message);
		free(text);
		arena_release(&a);
	}
	assert_true(drafts >= 16);
	globfree(&g);
}

/* Change the first digit of each cited figure. Returns how many. */
static size_t
spoil(char *text)
{
	size_t count = 0;

	for (char *p = text; (p = strchr(p, '[')) != NULL; p++) {
		char *middle = strstr(p, "]["), *digit = p + 1 + strcspn(p + 1, "0123456789]");

		if (middle == NULL || strchr(p + 1, '[') != middle + 1 || digit >= middle || p[1] == 'S' || p[1] == '\n')
			continue;
		*digit = *digit == '9' ? '4' : (char)(*digit + 1);
		count++;
	}
	return count;
}

/* Every figure of every draft is held against its citation: none that was changed is missed. */
static void
test_no_changed_figure_is_missed(void **state)
{
	size_t all = 0;
	glob_t g;

	(void)state;
	assert_int_equal(glob(EXPECTED "*.md", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct arena a = ARENA_INIT;
		char *text = read_if_draft(g.gl_pathv[i]);
		size_t changed, seen = 0;
		struct findings found;

		if (text == NULL)
			continue;
		changed = spoil(text);
		found = lint(&a, text, NULL);
		for (size_t k = 0; k < found.count; k++)
			seen += strcmp(found.items[k].rule->code, "figure-differs") == 0 ||
			    strcmp(found.items[k].rule->code, "gb-for-gib") == 0;
		if (seen != changed)
			fail_msg("%s: %zu changed, %zu found", g.gl_pathv[i], changed, seen);
		all += changed;
		free(text);
		arena_release(&a);
	}
	assert_true(all >= 1000);
	print_message("lint: %zu figures of the golden drafts changed, each found\n", all);
	globfree(&g);
}

/* An internal document whose front matter says customer has something on every page. */
static void
test_internal_for_customer(void **state)
{
	static const char *const names[] = { "edge", "hyperscaler", "merchant", "neocloud", "smartphone" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct arena a = ARENA_INIT;
		char *text = read_draft(arena_printf(&a, EXPECTED "%s.INTERNAL.md", names[i]));
		char *audience = strstr(text, "audience: internal");
		struct findings found;
		size_t internal = 0;

		assert_non_null(audience);
		memcpy(audience, "audience: customer", 18);
		found = lint(&a, text, NULL);
		for (size_t k = 0; k < found.count; k++)
			internal += strcmp(found.items[k].rule->code, "internal-content") == 0;
		if (internal < 10)
			fail_msg("%s: %zu", names[i], internal);
		free(text);
		arena_release(&a);
	}
}

static void
test_hostile(void **state)
{
	struct buf text = BUF_INIT;
	struct arena a = ARENA_INIT;
	struct findings found;
	struct lint_options o = { .quarantine = quarantine };
	struct err e;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_printf(&text, "%d GB [x][a.b ", i);
	found = lint(&a, text.s, NULL);
	assert_string_equal(found.items[0].rule->code, "too-many");
	assert_int_equal(found.count, 1001);
	assert_int_equal(drafts_lint(&found, knowledge, &a, "\xFF", 1, "d.md", &o, &e), ERR_INPUT);
	o.quarantine = NULL;
	assert_int_equal(drafts_lint(&found, knowledge, &a, "", 0, "d.md", &o, &e), OK);
	buf_release(&text);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_are_read),
		cmocka_unit_test(test_figures_fit),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_without_evidence),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_front_matter),
		cmocka_unit_test(test_quarantine),
		cmocka_unit_test(test_golden_is_clean),
		cmocka_unit_test(test_no_changed_figure_is_missed),
		cmocka_unit_test(test_internal_for_customer),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, open_images, close_images);
}
