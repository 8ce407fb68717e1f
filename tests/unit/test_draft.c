/*
 * A draft as our own Markdown door reads it: the structure that was meant, every reference
 * link defined once, every definition used, and each leading to a heading that is there.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/images.h"
#include "kb/kb.h"
#include "markdown/markdown.h"
#include "propose/propose.h"
#include "util/buf.h"
#include "yaml/yn.h"

static const char customer_text[] =
    "format: dossier.customer/1\n"
    "customer: acme-cloud\n"
    "name: {en: Acme Cloud, ko: 에이컴 클라우드}\n"
    "archetype: neocloud\n"
    "date: 2026-12-01\n"
    "goal: interactive\n"
    "targets: {ttft: unknown, tpot: 40 ms}\n"
    "workloads:\n"
    "- {id: chat, model: deepseek-v3, accelerator: h200, weights: fp8, kv: bf16, prompt: 120K, "
    "output: 8K, concurrency: 64, sessions: 400, reuse: unknown}\n"
    "- {id: documents, model: qwen3-14b, accelerator: h200, weights: bf16, kv: bf16, prompt: 124K, "
    "output: 4K, concurrency: 48, sessions: 300, reuse: 50 %}\n"
    "tiers: [ddr5-rdimm, nvme-gen5]\n";

/* The document of the customer above, the caller's to release. */
static void
write_document(struct buf *out, enum document document, const char *lang, bool internal)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct customer customer;
	struct val *file;
	struct kb *kb;

	assert_int_equal(kb_open(&kb, image_knowledge, (size_t)image_knowledge_len, &e), OK);
	if (yn_parse(&file, &a, customer_text, strlen(customer_text), "c.yaml", &e) != OK ||
	    customer_read(&customer, kb, &a, file, &e) != OK ||
	    propose(out, kb, &a, &customer, document, lang, internal, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	kb_close(kb);
	arena_release(&a);
}

static size_t
headings(const struct markdown *m, int level)
{
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++)
		n += m->blocks[i].kind == MARKDOWN_HEADING && m->blocks[i].level == level;
	return n;
}

static bool
has_heading(const struct markdown *m, const char *text)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->blocks[i].kind == MARKDOWN_HEADING && strcmp(m->blocks[i].text.s, text) == 0)
			return true;
	return false;
}

/* #s12 leads to the heading S12. */
static void
check_reference(const struct markdown *m, const struct markdown_reference *r)
{
	char heading[16];

	assert_true(strncmp(r->destination, "#s", 2) == 0);
	snprintf(heading, sizeof heading, "S%s", r->destination + 2);
	if (!has_heading(m, heading))
		fail_msg("%s leads to %s, which is no heading", r->label, r->destination);
	assert_non_null(r->title);
	assert_true(strlen(r->title) > 3);
}

static void
check_links(const struct markdown *m, const char *text)
{
	assert_true(m->reference_count > 20);
	for (size_t i = 0; i < m->reference_count; i++) {
		char use[200];

		check_reference(m, &m->references[i]);
		assert_ptr_equal(markdown_reference(m, m->references[i].label), &m->references[i]);
		snprintf(use, sizeof use, "][%s]", m->references[i].label);
		if (strstr(text, use) == NULL)
			fail_msg("[%s] is defined and never used", m->references[i].label);
	}
	/* A reference link without a definition stays as brackets in the text. */
	for (const char *p = text; (p = strstr(p, "][")) != NULL; p++) {
		const char *end = strchr(p + 2, ']');
		char label[160];

		snprintf(label, sizeof label, "%.*s", (int)(end - p - 2), p + 2);
		if (markdown_reference(m, label) == NULL)
			fail_msg("[%s] is used and never defined", label);
	}
}

static void
a_proposal_is_read_as_meant(void **state)
{
	static const char *const langs[] = { "en", "ko" };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct buf text = BUF_INIT;
		struct markdown *m;
		size_t tables = 0;

		write_document(&text, DOCUMENT_PROPOSAL, langs[i % 2], i >= 2);
		assert_int_equal(markdown_parse(&m, &a, text.s, text.len, "p.md", &e), OK);
		assert_int_equal(headings(m, 1), 1);
		assert_int_equal(headings(m, 4), 8); /* four parts for each of two workloads */
		for (size_t k = 0; k < m->count; k++)
			tables += m->blocks[k].kind == MARKDOWN_TABLE;
		assert_int_equal(tables, 6); /* side by side, two for each workload, and the margin of the one that is near it */
		check_links(m, text.s);
		assert_null(strstr(text.s, "\x01"));
		assert_null(strstr(text.s, "\n\n\n"));
		assert_null(strstr(text.s, " \n"));
		buf_release(&text);
		arena_release(&a);
	}
}

static void
a_brief_fits_a_page(void **state)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	struct markdown *m;
	size_t words = 0;

	(void)state;
	write_document(&text, DOCUMENT_BRIEF, "en", true);
	assert_int_equal(markdown_parse(&m, &a, text.s, text.len, "b.md", &e), OK);
	for (size_t i = 0; i < m->count; i++) {
		bool blank = true;

		if (m->blocks[i].kind == MARKDOWN_HEADING && strcmp(m->blocks[i].text.s, "Sources") == 0)
			break;
		for (const char *c = m->blocks[i].text.s; *c != '\0'; c++) {
			words += blank && *c != ' ';
			blank = *c == ' ';
		}
	}
	/* a page in a small hand, with two workloads on it; sources come behind */
	assert_true(words > 200);
	if (words > 900)
		fail_msg("%zu words", words);
	check_links(m, text.s);
	buf_release(&text);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_proposal_is_read_as_meant),
		cmocka_unit_test(a_brief_fits_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
