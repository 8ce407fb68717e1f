#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/images.h"
#include "db/db.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/buf.h"
#include "util/file.h"
#include "wording/wording.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define DATA "tests/data/wording/"

/* The lines of a table: fields between tabs, in the arena. */
enum { ROWS_MAX = 4000 };

struct table {
	char *(*rows)[3];
	size_t count;
};

static struct table
read_table(struct arena *a, const char *path, size_t fields)
{
	struct table t = { arena_alloc(a, ROWS_MAX * sizeof *t.rows), 0 };
	struct buf text = BUF_INIT;
	struct err e;

	if (file_read(&text, path, &e) != OK)
		fail_msg("%s: %s (run in the repository)", path, e.text);
	for (char *line = text.s, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		assert_true(t.count < ROWS_MAX);
		for (size_t i = 0; i < fields; i++) {
			char *tab = i + 1 < fields ? strchr(line, '\t') : line + strlen(line);

			assert_non_null(tab);
			t.rows[t.count][i] = arena_strndup(a, line, (size_t)(tab - line));
			line = tab + 1;
		}
		t.count++;
	}
	buf_release(&text);
	return t;
}

/* The statements of the quarantine, both languages, as id and text. */
static struct table
read_claims(struct arena *a)
{
	struct table t = { arena_alloc(a, ROWS_MAX * sizeof *t.rows), 0 };
	struct err e = ERR_INIT;
	struct val *rows;
	struct kb *kb;

	if (kb_open_quarantine(&kb, image_quarantine, image_quarantine_len, &e) != OK ||
	    db_rows(&rows, a, kb_db(kb), DRAFTS_STATEMENTS, &e, "") != OK)
		fail_msg("%s", e.text);
	for (size_t i = 0; i < val_count(rows); i++) {
		t.rows[t.count][0] = arena_strdup(a, val_get_text(rows->list.items[i], "id"));
		t.rows[t.count++][2] = arena_strdup(a, val_get_text(rows->list.items[i], "text"));
	}
	kb_close(kb);
	assert_int_equal(t.count, 26);
	return t;
}

static struct wording *
open_claims(struct arena *a)
{
	struct table claims = read_claims(a);
	struct wording *w = wording_open(a);

	for (size_t i = 0; i < claims.count; i++)
		wording_add(w, claims.rows[i][0], claims.rows[i][2], strlen(claims.rows[i][2]));
	return w;
}

static struct wording_match
nearest(struct wording *w, const char *text)
{
	struct wording_match m;

	wording_nearest(w, text, strlen(text), &m);
	return m;
}

/* WORDING_SHOW lists what was missed, and what was taken for a claim. */
static bool
show(void)
{
	return getenv("WORDING_SHOW") != NULL;
}

/* Paraphrases that are found, under the right id. */
static size_t
count_found(struct wording *w, const struct table *t)
{
	size_t found = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct wording_match m = nearest(w, t->rows[i][2]);

		if (m.score >= WORDING_NEAR && strcmp(m.id, t->rows[i][0]) == 0)
			found++;
		else if (show())
			print_message("missed %.3f %s: %s %s\n", m.score, m.id == NULL ? "-" : m.id, t->rows[i][0],
			    t->rows[i][2]);
	}
	return found;
}

static size_t
count_alarms(struct wording *w, const struct table *t, size_t from, size_t step)
{
	size_t alarms = 0;

	for (size_t i = from; i < t->count; i += step) {
		struct wording_match m = nearest(w, t->rows[i][1]);

		alarms += m.score >= WORDING_NEAR;
		if (m.score >= WORDING_NEAR && show())
			print_message("alarm %.3f %s: %s\n", m.score, m.id, t->rows[i][1]);
	}
	return alarms;
}

/*
 * The weights were set by paraphrases.tsv and every second line of innocent.tsv; paraphrases-held.tsv and the
 * other lines were looked at only afterwards. Innocent are sentences of the content with figures put in, and
 * others on the very subjects of the claims; near.tsv holds questions, denials and remarks that
 * use a claim's own words.
 */
static void
test_recall_and_alarms(void **state)
{
	struct arena a = ARENA_INIT;
	struct wording *w = open_claims(&a);
	struct table claims = read_claims(&a);
	struct table tuned = read_table(&a, DATA "paraphrases.tsv", 3);
	struct table held = read_table(&a, DATA "paraphrases-held.tsv", 3);
	struct table innocent = read_table(&a, DATA "innocent.tsv", 2);
	struct table near = read_table(&a, DATA "near.tsv", 2);
	size_t found = count_found(w, &tuned), found_held = count_found(w, &held);
	size_t alarms = count_alarms(w, &innocent, 1, 2),
	       alarms_held = count_alarms(w, &innocent, 0, 2);
	size_t near_alarms = count_alarms(w, &near, 0, 1);

	(void)state;
	assert_true(tuned.count >= 100 && held.count >= 100 && innocent.count >= 2000);
	print_message("wording: recall %zu of %zu, held out %zu of %zu\n", found, tuned.count,
	    found_held, held.count);
	print_message(
	    "wording: false alarms %zu of %zu, held out %zu of %zu; on the subject %zu of %zu\n",
	    alarms, innocent.count / 2, alarms_held, (innocent.count + 1) / 2, near_alarms,
	    near.count);
	assert_int_equal(count_found(w, &claims), claims.count);
	assert_true(10 * found >= 9 * tuned.count && 10 * found_held >= 9 * held.count);
	assert_true(200 * (alarms + alarms_held + near_alarms) <= innocent.count + near.count);
	assert_true(200 * alarms_held <= innocent.count / 2 && 4 * near_alarms <= near.count);
	arena_release(&a);
}

/* The same words, whatever they look like. By the measure all of these are whole. */
static void
test_looks(void **state)
{
	static const char *const texts[] = {
		"Offloading KV cache to SSD always pays.",
		"OFFLOADING KV-CACHE TO SSD: ALWAYS PAYS",
		"ＯＦＦＬＯＡＤＩＮＧ　ＫＶ ＣＡＣＨＥ ＴＯ ＳＳＤ ＡＬＷＡＹＳ ＰＡＹＳ",
		"Off\xC2\xADloading KV c\xE2\x80\x8B\x61\x63he to SSD always pays",
		"SSD always pays (KV cache offloading)",
		"KV cache를 SSD로 오프로드하면 항상 이득입니다.",
		"오프로드하면 항상 이득이다, KV cache를 SSD에",
		"ＫＶ ｃａｃｈｅ를 ＳＳＤ로 오프로드하면 항상 이득입니다",
		/* decomposed: jamo instead of syllables */
		"KV cache를 SSD로 오프로드하면 "
		"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xBC\xE1\x84\x89\xE1\x85\xA1\xE1\x86\xBC "
		"이득입니다",
	};
	struct arena a = ARENA_INIT;
	struct wording *w = open_claims(&a);

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct wording_match m = nearest(w, texts[i]);

		if (m.id == NULL || strcmp(m.id, "q-02") != 0 || m.score < 0.99)
			fail_msg("%s: %s %.3f", texts[i], m.id == NULL ? "none" : m.id, m.score);
	}
	arena_release(&a);
}

static void
test_place(void **state)
{
	static const char before[] = "The tier is sized first. ";
	static const char pasted[] = "Offloading KV cache to SSD always pays";
	struct arena a = ARENA_INIT;
	struct wording *w = open_claims(&a);
	struct wording_match m = nearest(w,
	    "The tier is sized first. Offloading KV cache to SSD always pays. "
	    "The drives follow from it.");

	(void)state;
	assert_string_equal(m.id, "q-02");
	assert_true(m.score > 0.99);
	assert_int_equal(m.offset, strlen(before));
	assert_int_equal(m.length, strlen(pasted));
	arena_release(&a);
}

/* Denied or asked, the very words are still found, others are not. */
static void
test_denied_and_asked(void **state)
{
	struct arena a = ARENA_INIT;
	struct wording *w = wording_open(&a);
	static const char claim[] = "Offloading KV cache to SSD always pays.";
	static const char denial[] = "A slow drive never pays.";

	(void)state;
	wording_add(w, "q", claim, strlen(claim));
	wording_add(w, "n", denial, strlen(denial));
	assert_float_equal(nearest(w, "Offloading KV cache to SSD always pays?").score, 0.6, 1e-9);
	assert_float_equal(
	    nearest(w, "It is not so: offloading KV cache to SSD always pays.").score, 0.6, 1e-9);
	assert_float_equal(
	    nearest(w, "Not here. Offloading KV cache to SSD always pays.").score, 1, 1e-9);
	assert_float_equal(nearest(w, "A slow drive never pays.").score, 1, 1e-9);
	assert_float_equal(nearest(w, "A slow drive pays.").score, 0.6, 1e-9);
	arena_release(&a);
}

static void
test_hostile(void **state)
{
	struct arena a = ARENA_INIT;
	struct wording *w = wording_open(&a);
	struct buf text = BUF_INIT;
	struct wording_match m;

	(void)state;
	wording_nearest(w, "no claims yet", 13, &m);
	assert_null(m.id);
	wording_add(w, "empty", "", 0);
	wording_add(w, "stop words", "of the and", 10);
	assert_null(nearest(w, "of the and").id);
	wording_add(w, "bytes", "\xFF\xC3(\xED\xA0\x80 explodes \0 twice", 22);
	wording_nearest(w, "\xFF\xFE\0\xED explodes \xC3", 14, &m);
	assert_string_equal(m.id, "bytes");
	for (int i = 0; i < 200000; i++)
		buf_puts(&text, "가a1%?");
	assert_null(nearest(w, text.s).id);
	buf_release(&text);
	arena_release(&a);
}

/*
 * The index leaves out what many claims share. However many there are, a text is as near to the nearest
 * as it is to that one alone.
 */
static void
nothing_is_lost_among_many(void **state)
{
	struct arena a = ARENA_INIT;
	struct table claims = read_claims(&a), texts = read_table(&a, DATA "paraphrases.tsv", 3);
	size_t count = claims.count + texts.count, near = 0;
	struct wording *all = wording_open(&a), **alone = arena_alloc(&a, count * sizeof *alone);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const char *text = i < claims.count ? claims.rows[i][2] : texts.rows[i - claims.count][2];
		const char *id = arena_printf(&a, "%zu", i);

		alone[i] = wording_open(&a);
		wording_add(alone[i], id, text, strlen(text));
		wording_add(all, id, text, strlen(text));
	}
	for (size_t k = 0; k < texts.count; k += 3) {
		struct wording_match best = { .score = 0 }, found;
		char *text = texts.rows[k][2];

		text[strlen(text) / 4 * 3] = '\0'; /* so that it is not whole what one of them says */
		found = nearest(all, text);
		for (size_t i = 0; i < count; i++) {
			struct wording_match m = nearest(alone[i], text);

			if (m.score > best.score)
				best = m;
		}
		near += best.score >= WORDING_NEAR;
		if ((best.id == NULL) != (found.id == NULL) || fabs(best.score - found.score) > 1e-12 ||
		    (best.id != NULL && strcmp(best.id, found.id) != 0))
			fail_msg("%s: %g near %s, found %g near %s", text, best.score, best.id, found.score, found.id);
	}
	assert_true(near > 20);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_among_many),
		cmocka_unit_test(test_recall_and_alarms),
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_denied_and_asked),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
