#include "markdown/markdown_int.h"

#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Cells that short rows lack are written out up to this many; a browser shows the same without. */
enum { FILLED_CELLS = 100 * 1000 };

struct heading_id {
	const char *id;
	size_t block;
	size_t repeated; /* how many before it have the same */
};

static size_t
word_length(const char *s, size_t len)
{
	size_t n = 0;
	uint32_t cp;

	while (n < len) {
		size_t k = utf8_decode(s + n, len - n, &cp);

		if (k == 0 || !utf8_is_word(cp))
			break;
		n += k;
	}
	return n;
}

/* A capital and digits, as in S1: the sections that citations lead to. */
static bool
is_section_word(const char *s, size_t len)
{
	if (len < 2 || s[0] < 'A' || s[0] > 'Z')
		return false;
	for (size_t i = 1; i < len; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return true;
}

/* Letters and digits in lower case, blanks as hyphens, the rest left out. */
static const char *
slug(struct arena *a, const struct markdown_text *text)
{
	size_t first = word_length(text->s, text->len), len, w = 0;
	const char *folded = utf8_fold(a, text->s, is_section_word(text->s, first) ? first :
	    text->len, &len);
	char *id = arena_alloc(a, len + 1);
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(folded + i, len - i, &cp);
		if (n == 0)
			break;
		if (cp == ' ') {
			id[w++] = '-';
		} else if (cp == '-' || cp == '_' || utf8_is_word(cp)) {
			memcpy(id + w, folded + i, n);
			w += n;
		}
	}
	id[w] = '\0';
	return w == 0 ? "section" : id;
}

static int
by_id(const void *pa, const void *pb)
{
	const struct heading_id *a = pa, *b = pb;
	int order = strcmp(a->id, b->id);

	return order != 0 ? order : (a->block > b->block) - (a->block < b->block);
}

/* Put HTML in the place of a node. */
static void
replace(cmark_node *node, const char *html)
{
	cmark_node *custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);

	cmark_node_set_on_enter(custom, html);
	cmark_node_replace(node, custom);
	cmark_node_free(node);
}

static void
replace_heading(cmark_node *node, const struct heading_id *h)
{
	char *html = cmark_render_html(node, CMARK_OPT_DEFAULT);
	struct buf out = BUF_INIT;

	/* "<h2>" and so on. */
	buf_add(&out, html, 3);
	buf_printf(&out, " id=\"%s", h->id);
	if (h->repeated > 0)
		buf_printf(&out, "-%zu", h->repeated);
	buf_putc(&out, '"');
	buf_puts(&out, html + 3);
	if (out.s[out.len - 1] == '\n')
		out.s[--out.len] = '\0';
	replace(node, out.s);
	buf_release(&out);
	free(html);
}

static void
replace_headings(struct parsed *p)
{
	struct heading_id *ids = xcalloc(p->m->count, sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < p->m->count; i++)
		if (p->m->blocks[i].kind == MARKDOWN_HEADING)
			ids[n++] = (struct heading_id){
				slug(p->src.a, &p->m->blocks[i].text), i, 0 };
	qsort(ids, n, sizeof *ids, by_id);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && strcmp(ids[i].id, ids[i - 1].id) == 0)
			ids[i].repeated = ids[i - 1].repeated + 1;
		replace_heading(p->nodes[ids[i].block], &ids[i]);
	}
	free(ids);
}

static void
put_cell(struct buf *out, const char *tag, enum markdown_align align, cmark_node *heading)
{
	static const char *const styles[] = {
		[MARKDOWN_UNALIGNED] = "", [MARKDOWN_LEFT] = " style=\"text-align: left\"",
		[MARKDOWN_CENTER] = " style=\"text-align: center\"",
		[MARKDOWN_RIGHT] = " style=\"text-align: right\"",
	};

	buf_printf(out, "<%s%s>", tag, styles[align]);
	if (heading != NULL) {
		char *html = cmark_render_html(heading, CMARK_OPT_DEFAULT);

		/* Between "<h1>" and "</h1>\n". */
		buf_add(out, html + 4, strlen(html) - 10);
		free(html);
	}
	buf_printf(out, "</%s>\n", tag);
}

/* The heading that the next cell's text was parsed as; NULL for an empty cell. */
static cmark_node *
next_heading(const struct parsed *p, size_t *next, const struct markdown_cell *cell)
{
	while (*next < p->pending_count && p->pending[*next].cell == NULL)
		++*next;
	if (*next == p->pending_count || p->pending[*next].cell != cell)
		return NULL;
	return p->pending[(*next)++].node;
}

static void
put_row(struct buf *out, const struct parsed *p, const struct markdown_table *t, size_t row,
    size_t *next, size_t *filled)
{
	const struct markdown_row *r = &t->rows[row];
	const char *tag = row == 0 ? "th" : "td";

	buf_puts(out, "<tr>\n");
	for (size_t i = 0; i < t->columns; i++) {
		if (i < r->count)
			put_cell(out, tag, t->align[i], next_heading(p, next, &r->cells[i]));
		else if (++*filled <= FILLED_CELLS)
			put_cell(out, tag, t->align[i], NULL);
	}
	buf_puts(out, "</tr>\n");
}

static void
replace_tables(struct parsed *p)
{
	size_t next = 0, filled = 0;

	for (size_t i = 0; i < p->m->count; i++) {
		const struct markdown_table *t = p->m->blocks[i].table;
		struct buf out = BUF_INIT;

		if (t == NULL)
			continue;
		buf_puts(&out, "<table>\n<thead>\n");
		put_row(&out, p, t, 0, &next, &filled);
		buf_puts(&out, "</thead>\n");
		for (size_t row = 1; row < t->count; row++) {
			if (row == 1)
				buf_puts(&out, "<tbody>\n");
			put_row(&out, p, t, row, &next, &filled);
		}
		buf_puts(&out, t->count > 1 ? "</tbody>\n</table>" : "</table>");
		replace(p->nodes[i], out.s);
		buf_release(&out);
	}
}

int
markdown_html(struct buf *out, const char *text, size_t len, const char *file, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct parsed p;
	int rc = parsed_init(&p, &a, text, len, file, e);

	if (rc == OK) {
		char *html;

		replace_tables(&p);
		replace_headings(&p);
		html = cmark_render_html(p.root, CMARK_OPT_DEFAULT);
		buf_puts(out, html);
		free(html);
	}
	parsed_release(&p);
	arena_release(&a);
	return rc;
}
