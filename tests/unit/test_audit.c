/*
 * What no folder can hold, since loading refuses it or keeps it out of the knowledge, and a database made
 * elsewhere might: the audit finds it all the same.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "db/db.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/buf.h"
#include "util/embed.h"

static struct db *db;
static struct err e = ERR_INIT;

static void
record(const char *id, const char *kind)
{
	char file[64];

	snprintf(file, sizeof file, "%s.yaml", id);
	assert_int_equal(db_run(db, INGEST_RECORD, &e, "sssssissss", id, kind, id, id, file, 1, "00", "{}", NULL, "1:1"), OK);
}

/* A finding of a source of the same grade, to be reviewed by a date. */
static void
finding(const char *ref, const char *source, const char *grade, const char *review_by)
{
	assert_int_equal(db_run(db, INGEST_FINDING, &e, "ssssississiiii", ref, source, "published", grade, 0, review_by,
	    "1 GB", 0, "00", "00", 9, 3, 7, 12), OK);
}

static void
support(const char *claim, const char *to, int line)
{
	assert_int_equal(db_run(db, INGEST_EVIDENCE, &e, "sssssiii", claim, "evidence", to, "supports", NULL, 0, line, 3), OK);
}

static unsigned char *
image_of(void (*fill)(void), size_t *len)
{
	const struct embed *schema = embed_find("schema/knowledge.sql");
	unsigned char *image;

	assert_int_equal(db_open_memory(&db, &e), OK);
	assert_int_equal(db_run_schema(db, schema->text, schema->path, &e), OK);
	fill();
	assert_int_equal(db_run(db, INGEST_NEEDS, &e, ""), OK);
	assert_int_equal(db_serialize(db, &image, len, &e), OK);
	db_close(db);
	return image;
}

static void
assert_audited(void (*fill)(void), const char *expected)
{
	static const struct audit_options options = { "2026-12-01", -1, false };
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct audit found;
	struct kb *kb, *quarantine;
	size_t len;
	unsigned char *image = image_of(fill, &len);

	assert_int_equal(kb_open(&kb, image, len, &e), OK);
	assert_int_equal(kb_open_quarantine(&quarantine, image, len, &e), OK);
	assert_int_equal(audit(&found, kb, quarantine, &a, &options, &e), OK);
	for (size_t i = 0; i < found.found.count; i++) {
		const struct finding *f = &found.found.items[i];

		if (f->level == FINDING_ERROR)
			buf_printf(&out, "%s %s:%d:%d\n", f->rule->code, f->at.file, f->at.line, f->at.column);
	}
	assert_string_equal(out.s, expected);
	buf_release(&out);
	kb_close(kb);
	kb_close(quarantine);
	free(image);
	arena_release(&a);
}

static void
without_support(void)
{
	record("src-a", "source");
	record("src-d", "source");
	finding("src-a.x", "src-a", "A", "2027-01-01");
	finding("src-d.x", "src-d", "D", "2027-01-01");
	record("bare", "claim");
	record("circulates", "claim");
	support("circulates", "src-d.x", 5);
	record("gone", "claim");
	support("gone", "src-z.x", 6);
	record("sound", "claim");
	support("sound", "src-d.x", 7);
	support("sound", "src-a.x", 8);
}

static void
claims_without_evidence_are_found(void **state)
{
	(void)state;
	assert_audited(without_support, "unsourced bare.yaml:1:1\n"
	    "grade-d-only circulates.yaml:1:1\n"
	    "unsourced gone.yaml:1:1\n"
	    "dangling gone.yaml:6:3\n");
}

static void
unlabelled_press(void)
{
	record("src-c", "source");
	finding("src-c.x", "src-c", "C", "2027-01-01");
	record("quotes", "claim");
	support("quotes", "src-c.x", 5);
	assert_int_equal(db_run(db, INGEST_FIGURE, &e, "ssssii", "quotes", "f", "1 GB", "src-c.x", 4, 6), OK);
}

static void
press_without_its_label_is_an_error(void **state)
{
	(void)state;
	assert_audited(unlabelled_press, "press-alone quotes.yaml:4:6\n");
}

/* A ring in what rests on what; loading refuses it. */
static void
ring(void)
{
	record("src-a", "source");
	finding("src-a.x", "src-a", "A", "2026-01-01");
	record("one", "claim");
	record("two", "claim");
	support("one", "src-a.x", 5);
	assert_int_equal(db_run(db, INGEST_RESTS_ON, &e, "ss", "one", "two"), OK);
	assert_int_equal(db_run(db, INGEST_RESTS_ON, &e, "ss", "two", "one"), OK);
}

static void
freshness_flows_through_a_ring_and_ends(void **state)
{
	(void)state;
	assert_audited(ring, "stale one.yaml:5:3\nunsourced two.yaml:1:1\nstale two.yaml:1:1\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claims_without_evidence_are_found),
		cmocka_unit_test(press_without_its_label_is_an_error),
		cmocka_unit_test(freshness_flows_through_a_ring_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
