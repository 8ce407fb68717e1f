#include "unit.h"

#include "markdown/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct markdown *
must_parse(struct arena *a, const char *text)
{
	struct err e = ERR_INIT;
	struct markdown *m;

	if (markdown_parse(&m, a, text, strlen(text), "t.md", &e) != OK)
		fail_msg("%s: %s in <%s>", e.where, e.text, text);
	return m;
}

static void
assert_place(struct place at, int line, int column)
{
	char place[64], wanted[64];

	snprintf(wanted, sizeof wanted, "t.md:%d:%d", line, column);
	assert_string_equal(place_text(place, sizeof place, at), wanted);
}

/* The place of the first `word` in the text. */
static void
assert_word(const struct markdown_text *t, const char *word, int line, int column)
{
	const char *found = strstr(t->s, word);

	assert_non_null(found);
	assert_place(markdown_place(t, (size_t)(found - t->s)), line, column);
}

static void
blocks_in_order(void **state)
{
	static const char text[] = "# One *two*\n"
	    "\n"
	    "para\n"
	    "lines\n"
	    "\n"
	    "> quote\n"
	    ">\n"
	    "> 3. three\n"
	    ">    more\n"
	    ">\n"
	    ">    again\n"
	    "> 4. four\n"
	    "\n"
	    "- ```sh -x\n"
	    "  code\n"
	    "    deeper\n"
	    "  ```\n"
	    "- item\n"
	    "\n"
	    "***\n"
	    "<div>\n"
	    "raw\n"
	    "</div>\n"
	    "\n"
	    "    indented\n"
	    "\n"
	    "Setext\n"
	    "------\n"
	    "end\n";
	static const struct {
		enum markdown_kind kind;
		int line, column, end_line, level, quotes, items, number;
		bool item_start;
		const char *info, *text;
	} want[] = {
		{ MARKDOWN_HEADING, 1, 1, 1, 1, 0, 0, -1, false, NULL, "One two" },
		{ MARKDOWN_PARAGRAPH, 3, 1, 4, 0, 0, 0, -1, false, NULL, "para\nlines" },
		{ MARKDOWN_PARAGRAPH, 6, 3, 6, 0, 1, 0, -1, false, NULL, "quote" },
		{ MARKDOWN_PARAGRAPH, 8, 6, 9, 0, 1, 1, 3, true, NULL, "three\nmore" },
		{ MARKDOWN_PARAGRAPH, 11, 6, 11, 0, 1, 1, -1, false, NULL, "again" },
		{ MARKDOWN_PARAGRAPH, 12, 6, 12, 0, 1, 1, 4, true, NULL, "four" },
		{ MARKDOWN_CODE, 14, 3, 17, 0, 0, 1, -1, true, "sh -x", "code\n  deeper\n" },
		{ MARKDOWN_PARAGRAPH, 18, 3, 18, 0, 0, 1, -1, true, NULL, "item" },
		{ MARKDOWN_RULE, 20, 1, 20, 0, 0, 0, -1, false, NULL, "" },
		{ MARKDOWN_HTML, 21, 1, 23, 0, 0, 0, -1, false, NULL, "<div>\nraw\n</div>\n" },
		{ MARKDOWN_CODE, 25, 5, 25, 0, 0, 0, -1, false, NULL, "indented\n" },
		{ MARKDOWN_HEADING, 27, 1, 28, 2, 0, 0, -1, false, NULL, "Setext" },
		{ MARKDOWN_PARAGRAPH, 29, 1, 29, 0, 0, 0, -1, false, NULL, "end" },
	};
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, text);

	(void)state;
	assert_int_equal(m->count, sizeof want / sizeof *want);
	for (size_t i = 0; i < m->count; i++) {
		const struct markdown_block *b = &m->blocks[i];

		assert_int_equal(b->kind, want[i].kind);
		assert_place(b->at, want[i].line, want[i].column);
		assert_int_equal(b->end_line, want[i].end_line);
		assert_int_equal(b->level, want[i].level);
		assert_int_equal(b->quotes, want[i].quotes);
		assert_int_equal(b->items, want[i].items);
		assert_int_equal(b->number, want[i].number);
		assert_int_equal(b->item_start, want[i].item_start);
		assert_string_equal(b->text.s, want[i].text);
		if (want[i].info == NULL)
			assert_null(b->info);
		else
			assert_string_equal(b->info, want[i].info);
	}
	assert_word(&m->blocks[6].text, "deeper", 16, 5);
	assert_word(&m->blocks[9].text, "raw", 22, 1);
	arena_release(&a);
}

/* Columns were counted by hand in code points; the same with a byte order mark and CRLF. */
static void
places_in_paragraphs(void **state)
{
	static const char plain[] =
	    "\xEA\xB0\x80 *\xEB\x82\x98* [x \xEB\x8B\xA4](#s4 \"t\") `c d` &amp;\\* e\n"
	    "  > f **g\n"
	    "h** <http://i> ![j\n"
	    "k](l\n"
	    "\"m\") n\n"
	    "\n"
	    "a\\\n"
	    "b `c\n"
	    "d` e <x\n"
	    "y> f\n";
	struct arena a = ARENA_INIT;

	(void)state;
	for (int variant = 0; variant < 2; variant++) {
		struct buf text = BUF_INIT;
		const struct markdown_text *t;
		struct markdown *m;

		if (variant == 1)
			buf_puts(&text, "\xEF\xBB\xBF");
		for (const char *p = plain; *p != '\0'; p++) {
			if (variant == 1 && *p == '\n')
				buf_putc(&text, '\r');
			buf_putc(&text, *p);
		}
		m = must_parse(&a, text.s);
		assert_int_equal(m->count, 3);
		t = &m->blocks[0].text;
		assert_string_equal(t->s, "\xEA\xB0\x80 \xEB\x82\x98 x \xEB\x8B\xA4 c d &* e");
		assert_word(t, "\xEB\x82\x98", 1, 4);
		assert_word(t, "x", 1, 8);
		assert_word(t, "\xEB\x8B\xA4", 1, 10);
		assert_word(t, "c d", 1, 23);
		assert_word(t, "&", 1, 28);
		assert_word(t, "* e", 1, 34);
		assert_word(t, "e", 1, 36);
		t = &m->blocks[1].text;
		assert_string_equal(t->s, "f g\nh http://i j\nk n");
		assert_int_equal(m->blocks[1].quotes, 1);
		assert_word(t, "f", 2, 5);
		assert_word(t, "g", 2, 9);
		assert_word(t, "h", 3, 1);
		assert_word(t, "http", 3, 6);
		assert_word(t, "j", 3, 18);
		assert_word(t, "k", 4, 1);
		assert_word(t, "n", 5, 6);
		assert_place(t->links[0]->at, 3, 5);
		assert_string_equal(t->links[0]->destination, "http://i");
		assert_place(t->links[1]->at, 3, 16);
		assert_true(t->links[1]->image);
		assert_string_equal(t->links[1]->title, "m");
		t = &m->blocks[2].text;
		assert_string_equal(t->s, "a\nb c d e <x\ny> f");
		assert_word(t, "b", 8, 1);
		assert_word(t, "c", 8, 4);
		assert_word(t, "d", 9, 1);
		assert_word(t, "e", 9, 4);
		assert_word(t, "<x", 9, 6);
		assert_word(t, "y>", 10, 1);
		assert_word(t, "f", 10, 4);
		buf_release(&text);
	}
	arena_release(&a);
}

static void
runs_have_their_styles(void **state)
{
	static const struct {
		const char *text;
		enum markdown_run_kind kind;
		bool emphasis, strong, link;
	} want[] = {
		{ "a ", MARKDOWN_TEXT, false, false, false },
		{ "b ", MARKDOWN_TEXT, true, false, false },
		{ "c", MARKDOWN_TEXT, true, true, false },
		{ " ", MARKDOWN_TEXT, false, false, false },
		{ "d ", MARKDOWN_TEXT, false, false, true },
		{ "e", MARKDOWN_CODE_RUN, false, true, true },
		{ "\n", MARKDOWN_TEXT, false, false, false },
		{ "<b>", MARKDOWN_HTML_RUN, false, false, false },
		{ "f", MARKDOWN_TEXT, false, false, false },
	};
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, "a *b **c*** [d **`e`**](u)\n<b>f\n");
	const struct markdown_text *t = &m->blocks[0].text;
	size_t at = 0;

	(void)state;
	assert_int_equal(t->run_count, sizeof want / sizeof *want);
	for (size_t i = 0; i < t->run_count; i++) {
		const struct markdown_run *r = &t->runs[i];

		assert_int_equal(r->start, at);
		at += r->len;
		assert_int_equal(r->len, strlen(want[i].text));
		assert_memory_equal(t->s + r->start, want[i].text, r->len);
		assert_int_equal(r->kind, want[i].kind);
		assert_int_equal(r->emphasis, want[i].emphasis);
		assert_int_equal(r->strong, want[i].strong);
		assert_int_equal(r->link != NULL, want[i].link);
	}
	assert_int_equal(at, t->len);
	arena_release(&a);
}

static void
links_keep_their_labels(void **state)
{
	static const struct {
		const char *text, *label, *destination;
		int column;
	} want[] = {
		{ "589.5 GB", "chat.kv.bytes", "#s4", 1 },
		{ "x", NULL, "#s9", 28 },
		{ "Ref", "Ref", "/r", 38 },
		{ "ref", "ref", "/r", 47 },
		{ "http://a/b]c", NULL, "http://a/b%5Dc", 53 },
		{ "a b", "chat.KV.bytes", "#s4", 68 },
	};
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, "[589.5 GB][chat.kv.bytes], [x](#s9)? [Ref][]. [ref] "
	    "<http://a/b]c> [*a* `b`][chat.KV.bytes] [none][such] [ref](not closed\n"
	    "\n[chat.kv.bytes]: #s4 \"589484261376 B, calculated\"\n[REF]: /r\n");
	const struct markdown_text *t = &m->blocks[0].text;

	(void)state;
	assert_int_equal(m->count, 1);
	assert_int_equal(t->link_count, 7);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		const struct markdown_link *l = t->links[i];

		assert_int_equal(l->len, strlen(want[i].text));
		assert_memory_equal(t->s + l->start, want[i].text, l->len);
		if (i != 4) /* cmark's own encoding of ] is its business */
			assert_string_equal(l->destination, want[i].destination);
		assert_place(l->at, 1, want[i].column);
		if (want[i].label == NULL)
			assert_null(l->label);
		else
			assert_string_equal(l->label, want[i].label);
	}
	assert_string_equal(t->links[0]->title, "589484261376 B, calculated");
	/* What is no link stays text: "[none][such]"; and "(not closed" stands behind a link. */
	assert_non_null(strstr(t->s, "[none][such]"));
	assert_string_equal(t->links[6]->label, "ref");
	assert_non_null(strstr(t->s, "ref(not closed"));
	arena_release(&a);
}

static void
references_as_cmark_reads_them(void **state)
{
	static const char text[] = "[a]: b\n"
	    "  [C  d]:\n"
	    "  <e f>\n"
	    "  'g\n"
	    "  h'\n"
	    "text [z]: no\n"
	    "[y]: no\n"
	    "\n"
	    "```\n"
	    "[x]: no\n"
	    "```\n"
	    "    [w]: no\n"
	    "\n"
	    "<!-- -->\n"
	    "[i]: j\n"
	    "# H\n"
	    "[c D]: second\n"
	    "> - [k]: l&amp;\\*\n"
	    ">\n"
	    "> [m]: n \"o\" no\n"
	    "\n"
	    "Title\n"
	    "===\n"
	    "[p]: q\n";
	static const struct {
		const char *label, *destination, *title;
		int line, column;
		bool duplicate;
	} want[] = {
		{ "a", "b", "", 1, 1, false },
		{ "C d", "e f", "g h", 2, 3, false },
		{ "i", "j", "", 15, 1, false },
		{ "c D", "second", "", 17, 1, true },
		{ "k", "l&*", "", 18, 5, false },
		{ "p", "q", "", 24, 1, false },
	};
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, text);

	(void)state;
	assert_int_equal(m->reference_count, sizeof want / sizeof *want);
	for (size_t i = 0; i < m->reference_count; i++) {
		assert_string_equal(m->references[i].label, want[i].label);
		assert_string_equal(m->references[i].destination, want[i].destination);
		assert_string_equal(m->references[i].title, want[i].title);
		assert_place(m->references[i].at, want[i].line, want[i].column);
		assert_int_equal(m->references[i].duplicate, want[i].duplicate);
	}
	assert_ptr_equal(markdown_reference(m, " c\nd "), &m->references[1]);
	assert_null(markdown_reference(m, "z"));
	/* The paragraph behind the definitions knows its own lines. */
	assert_place(m->blocks[0].at, 6, 1);
	assert_word(&m->blocks[0].text, "text", 6, 1);
	assert_word(&m->blocks[0].text, "[y]", 7, 1);
	arena_release(&a);
}

static void
tables_are_split_at_pipes(void **state)
{
	static const char text[] = "> | \xED\x95\xAD\xEB\xAA\xA9 | *b* | c |\n"
	    "> |:--|:-:|--:|\n"
	    "> | a \\| `x\\|y` | [1 GB][l] |\n"
	    "> ||# z #|u|v|\n"
	    "\n"
	    "[l]: #s1\n";
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, text);
	const struct markdown_table *t = m->blocks[0].table;

	(void)state;
	assert_int_equal(m->count, 1);
	assert_int_equal(m->blocks[0].kind, MARKDOWN_TABLE);
	assert_int_equal(m->blocks[0].end_line, 4);
	assert_int_equal(t->columns, 3);
	assert_int_equal(t->align[0], MARKDOWN_LEFT);
	assert_int_equal(t->align[1], MARKDOWN_CENTER);
	assert_int_equal(t->align[2], MARKDOWN_RIGHT);
	assert_int_equal(t->count, 3);
	assert_int_equal(t->rows[0].count, 3);
	assert_string_equal(t->rows[0].cells[0].text.s, "\xED\x95\xAD\xEB\xAA\xA9");
	assert_place(t->rows[0].cells[1].at, 1, 10);
	assert_true(t->rows[0].cells[1].text.runs[0].emphasis);
	assert_word(&t->rows[0].cells[1].text, "b", 1, 11);
	assert_int_equal(t->rows[1].count, 2);
	assert_string_equal(t->rows[1].cells[0].text.s, "a | x|y");
	assert_word(&t->rows[1].cells[0].text, "a", 3, 5);
	assert_word(&t->rows[1].cells[0].text, "| x", 3, 8);
	assert_word(&t->rows[1].cells[0].text, "x", 3, 11);
	assert_word(&t->rows[1].cells[0].text, "y", 3, 14);
	assert_place(t->rows[1].cells[1].text.links[0]->at, 3, 19);
	assert_string_equal(t->rows[1].cells[1].text.links[0]->label, "l");
	assert_string_equal(t->rows[1].cells[1].text.links[0]->destination, "#s1");
	assert_int_equal(t->rows[2].count, 3);
	assert_string_equal(t->rows[2].cells[0].text.s, "");
	assert_place(t->rows[2].cells[0].at, 4, 4);
	assert_string_equal(t->rows[2].cells[1].text.s, "# z #");
	assert_string_equal(t->rows[2].cells[2].text.s, "u");
	arena_release(&a);
}

static void
what_is_no_table(void **state)
{
	static const char *const texts[] = { "|a|b|\n", "|a|b|\n|-|\n", "|a|\n|x|\n", "a\n|-|\n",
		"text\n|a|\n|-|\n", "|a|\n|-:-|\n", "|a|\n|:|\n", "    |a|\n    |-|\n" };
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_null(must_parse(&a, texts[i])->blocks[0].table);
	assert_int_equal(must_parse(&a, "a | b\n--- | ---\n")->blocks[0].table->columns, 2);
	arena_release(&a);
}

static void
front_matter_is_taken_off(void **state)
{
	static const struct {
		const char *text, *front, *first;
		int line;
	} cases[] = {
		{ "---\ntitle: x\n---\nINTERNAL\n", "title: x\n", "INTERNAL", 4 },
		{ "\xEF\xBB\xBF---\r\na: b\r\n...\r\n\r\nb\r\n", "a: b\r\n", "b", 5 },
		{ "---\n---\nb\n", "", "b", 3 },
		{ "---\n\nb\n\n---\n", NULL, "", 1 }, /* a rule, a paragraph, a rule */
		{ "---\nno end\n", NULL, "", 1 },
		{ "b\n\n---\nc\n---\n", NULL, "b", 1 },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct markdown *m = must_parse(&a, cases[i].text);

		if (cases[i].front == NULL)
			assert_null(m->front);
		else
			assert_string_equal(m->front, cases[i].front);
		assert_string_equal(m->blocks[0].text.s, cases[i].first);
		assert_place(m->blocks[0].at, cases[i].line, 1);
	}
	arena_release(&a);
}

static void
html_is_safe_and_has_ids(void **state)
{
	static const struct {
		const char *text, *html;
	} cases[] = {
		/* marked#203, commonmark-java#155: none of these may stay live. */
		{ "[x](javascript:alert)", "<p><a href=\"\">x</a></p>\n" },
		{ "[x](JAVASCRIPT:alert)", "<p><a href=\"\">x</a></p>\n" },
		{ "[x](&#106;avascript:alert)", "<p><a href=\"\">x</a></p>\n" },
		{ "[x](data:text/html,y)", "<p><a href=\"\">x</a></p>\n" },
		{ "[x]\n\n[x]: vbscript:y", "<p><a href=\"\">x</a></p>\n" },
		{ "a <b>c</b>", "<p>a <!-- raw HTML omitted -->c<!-- raw HTML omitted --></p>\n" },
		{ "<script>\nx\n</script>", "<!-- raw HTML omitted -->\n" },
		{ "# S1", "<h1 id=\"s1\">S1</h1>\n" },
		{ "## S12: *Data* sheet", "<h2 id=\"s12\">S12: <em>Data</em> sheet</h2>\n" },
		{ "# What we *propose*, now", "<h1 id=\"what-we-propose-now\">What we "
		    "<em>propose</em>, now</h1>\n" },
		{ "# \xEC\xA0\x9C\xEC\x95\x88 \xEC\x9A\x94",
		    "<h1 id=\"\xEC\xA0\x9C\xEC\x95\x88-\xEC\x9A\x94\">"
		    "\xEC\xA0\x9C\xEC\x95\x88 \xEC\x9A\x94</h1>\n" },
		{ "# \"><script>", "<h1 id=\"script\">&quot;&gt;<!-- raw HTML omitted --></h1>\n" },
		{ "# a\n# a\n# !", "<h1 id=\"a\">a</h1>\n<h1 id=\"a-1\">a</h1>\n"
		    "<h1 id=\"section\">!</h1>\n" },
		{ "---\nx: y\n---\nb", "<p>b</p>\n" },
		{ "a|b\n-|-:\n1 < 2|`x\\|y`\n<i>", "<table>\n<thead>\n<tr>\n<th>a</th>\n"
		    "<th style=\"text-align: right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
		    "<td>1 &lt; 2</td>\n<td style=\"text-align: right\"><code>x|y</code></td>\n"
		    "</tr>\n<tr>\n<td><!-- raw HTML omitted --></td>\n"
		    "<td style=\"text-align: right\"></td>\n</tr>\n</tbody>\n</table>\n" },
		{ "- |a|\n  |-|\n- b", "<ul>\n<li>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n"
		    "</thead>\n</table>\n</li>\n<li>b</li>\n</ul>\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = BUF_INIT;
		struct err e = ERR_INIT;

		assert_int_equal(markdown_html(&out, cases[i].text, strlen(cases[i].text), "t.md",
		    &e), OK);
		assert_string_equal(out.s, cases[i].html);
		buf_release(&out);
	}
}

static void
repeat(struct buf *out, const char *unit, size_t times)
{
	for (size_t i = 0; i < times; i++)
		buf_puts(out, unit);
}

/* vale#87: neither time nor stack nor memory may run away. */
static void
hostile_text_takes_seconds(void **state)
{
	static const struct {
		const char *before, *unit;
		size_t times;
		const char *words; /* NULL: read */
	} cases[] = {
		{ "", "KV [589.5 GB][l], *w* **688.6 GB**.\n\n| a | [1 GB][l] |\n|---|---|\n\n",
		    180000, NULL }, /* a draft of 12 MB */
		{ "", "word ", 200000, NULL }, /* one line of 1 MB */
		{ "", "\xEA\xB0\x80 [1 GB](#s1) ", 60000, NULL },
		{ "", "[", 300000, NULL },
		{ "", "*a **a ", 60000, NULL },
		{ "", "![[]()", 40000, "images" },
		{ "", "![a](b)\n", 5000, NULL },
		{ "</", "<!--", 100000, NULL },
		{ "", "<!--", 250000, NULL },
		{ "", "`a``b", 80000, NULL },
		{ "", "&amp;", 200000, NULL },
		{ "|a|b|\n|-|-|\n", "|a|b|\n", 60000, NULL },
		{ "", "[a]: b\n", 60000, NULL },
		{ "", "# a\n", 60000, NULL },
		{ "", ">", 1000000, "100 deep" },
		{ "", "> ", 500000, "100 deep" },
		{ "", "+ ", 500000, "100 deep" },
		{ "", "1. ", 300000, "100 deep" },
		{ "+ + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + + a\n",
		    "\n", 2000000, "deep lists" },
		{ "", "*a", 6000000, "markup" },
		{ "", "aaaaaaaaaaaaaaaa ", 1000000, "16 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = BUF_INIT, html = BUF_INIT;
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		double start;
		struct markdown *m;
		int rc;

		buf_puts(&text, cases[i].before);
		repeat(&text, cases[i].unit, cases[i].times);
		start = processor_seconds();
		rc = markdown_parse(&m, &a, text.s, text.len, "t.md", &e);
		arena_release(&a);
		if (rc == OK && text.len < 2000000)
			rc = markdown_html(&html, text.s, text.len, "t.md", &e);
		if (processor_seconds() - start > 60)
			fail_msg("case %zu took %.0f seconds", i, processor_seconds() - start);
		if ((cases[i].words == NULL) != (rc == OK) ||
		    (rc != OK && strstr(e.text, cases[i].words) == NULL))
			fail_msg("case %zu: %d %s: %s", i, rc, e.where, e.text);
		buf_release(&html);
		buf_release(&text);
	}
}

static void
bad_bytes_are_refused(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *where;
	} cases[] = {
		{ "a\xFF", 2, "t.md:1:2" },
		{ "a\n\xEA\xB0\x80\0", 6, "t.md:2:2" },
		{ "a \xE2\x80\xAE", 5, "t.md:1:3" },
		{ "a\rb", 3, "t.md:1:2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct markdown *m;

		assert_int_equal(markdown_parse(&m, &a, cases[i].text, cases[i].len, "t.md", &e),
		    ERR_INPUT);
		assert_string_equal(e.where, cases[i].where);
		assert_null(m);
		arena_release(&a);
	}
}

/* 가 is two jamo in the first place and one syllable in the second: one label. e and its accent are one letter. */
static void
however_letters_are_composed(void **state)
{
	static const char text[] = "\xEF\xBB\xBF---\na: b\n---\nTe\xCC\x81xt [x][\xE1\x84\x80\xE1\x85\xA1.b] y\n\n"
	    "[\xEA\xB0\x80.b]: #s1 \"5 GB, calculated\"\n";
	struct arena a = ARENA_INIT;
	struct markdown *m = must_parse(&a, text);
	const struct markdown_text *t = &m->blocks[0].text;

	(void)state;
	assert_string_equal(t->s, "T\xC3\xA9xt x y");
	assert_int_equal(t->link_count, 1);
	assert_string_equal(t->links[0]->destination, "#s1");
	assert_place(m->decomposed, 4, 2);
	assert_place(markdown_written(m, t->links[0]->at), 4, 7); /* T e ' x t blank [ */
	assert_place(markdown_written(m, markdown_place(t, t->len - 1)), 4, 17);
	assert_place(markdown_written(m, m->references[0].at), 6, 1);
	assert_int_equal(must_parse(&a, "가 é")->decomposed.line, 0);
	arena_release(&a);
}

static void
an_empty_text_is_empty(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(must_parse(&a, "")->count, 0);
	assert_int_equal(must_parse(&a, "\n\n")->count, 0);
	assert_int_equal(must_parse(&a, "[a]: b")->count, 0);
	assert_int_equal(must_parse(&a, "[a]: b")->reference_count, 1);
	assert_int_equal(markdown_html(&out, "", 0, "t.md", &e), OK);
	assert_string_equal(out.s, "");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_in_order),
		cmocka_unit_test(places_in_paragraphs),
		cmocka_unit_test(runs_have_their_styles),
		cmocka_unit_test(links_keep_their_labels),
		cmocka_unit_test(references_as_cmark_reads_them),
		cmocka_unit_test(tables_are_split_at_pipes),
		cmocka_unit_test(what_is_no_table),
		cmocka_unit_test(front_matter_is_taken_off),
		cmocka_unit_test(html_is_safe_and_has_ids),
		cmocka_unit_test(hostile_text_takes_seconds),
		cmocka_unit_test(bad_bytes_are_refused),
		cmocka_unit_test(however_letters_are_composed),
		cmocka_unit_test(an_empty_text_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
