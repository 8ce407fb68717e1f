#include "markdown/markdown_int.h"

#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Where in lists and quotes the walk is. */
struct nest {
	int quotes, items;
	bool item_start;
	int lists;
	int numbers[MARKDOWN_MAX_DEPTH + 2]; /* of the next item, for each open list; -1: bullets */
	int number;
};

static void
take_container(struct nest *n, cmark_node *node, bool entering)
{
	bool ordered;

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_BLOCK_QUOTE:
		n->quotes += entering ? 1 : -1;
		break;
	case CMARK_NODE_LIST:
		n->lists += entering ? 1 : -1;
		ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
		if (entering && n->lists <= MARKDOWN_MAX_DEPTH)
			n->numbers[n->lists] = ordered ? cmark_node_get_list_start(node) : -1;
		break;
	case CMARK_NODE_ITEM:
		n->items += entering ? 1 : -1;
		n->item_start = entering;
		if (entering && n->lists <= MARKDOWN_MAX_DEPTH)
			n->number = n->numbers[n->lists] < 0 ? -1 : n->numbers[n->lists]++;
		break;
	default:
		break;
	}
}

static bool
block_kind(cmark_node_type type, enum markdown_kind *out)
{
	switch (type) {
	case CMARK_NODE_HEADING:
		*out = MARKDOWN_HEADING;
		return true;
	case CMARK_NODE_PARAGRAPH:
		*out = MARKDOWN_PARAGRAPH;
		return true;
	case CMARK_NODE_CODE_BLOCK:
		*out = MARKDOWN_CODE;
		return true;
	case CMARK_NODE_HTML_BLOCK:
		*out = MARKDOWN_HTML;
		return true;
	case CMARK_NODE_THEMATIC_BREAK:
		*out = MARKDOWN_RULE;
		return true;
	default:
		return false;
	}
}

/* cmark does not tell. Indented code, which may look like a fence, begins in its first line. */
static bool
is_fenced(const struct parsed *p, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node);
	size_t len, byte = (size_t)cmark_node_get_start_column(node) - 1;
	const char *line = source_line(&p->src, cmark_node_get_start_line(node), &len);

	if (byte + 3 > len || (line[byte] != '`' && line[byte] != '~'))
		return false;
	return strcspn(literal, "\n") != len - byte ||
	    memcmp(line + byte, literal, len - byte) != 0;
}

/* Is this line, behind the marks of quotes, made of these characters alone? */
static bool
is_line_of(const struct parsed *p, int line, const char *set)
{
	size_t len, i;
	const char *s;

	if (line > p->src.lines)
		return false;
	s = source_line(&p->src, line, &len);
	i = line_prefix(s, len, MARKDOWN_MAX_DEPTH);
	while (len > i && is_blank(s[len - 1]))
		len--;
	return len > i && strspn(s + i, set) >= len - i;
}

/*
 * The last line of a block: cmark's is one too few or too many for what ends in a line of
 * its own or with its container.
 */
static int
last_line(const struct parsed *p, cmark_node *node, enum markdown_kind kind)
{
	int first = cmark_node_get_start_line(node), line = first;
	const char *literal = cmark_node_get_literal(node);
	bool fenced;

	switch (kind) {
	case MARKDOWN_HEADING:
		if (p->src.text[p->src.starts[first - 1] +
		    (size_t)cmark_node_get_start_column(node) - 1] == '#')
			return first;
		while (line < cmark_node_get_end_line(node) && (line == first ||
		    (!is_line_of(p, line, "=") && !is_line_of(p, line, "-"))))
			line++;
		return line;
	case MARKDOWN_CODE:
	case MARKDOWN_HTML:
		fenced = kind == MARKDOWN_CODE && is_fenced(p, node);
		for (; *literal != '\0'; literal++)
			line += *literal == '\n';
		if (!fenced)
			return line > first ? line - 1 : first;
		return line + (is_line_of(p, line + 1, "`") || is_line_of(p, line + 1, "~"));
	case MARKDOWN_RULE:
		return first;
	default:
		return cmark_node_get_end_line(node);
	}
}

static struct markdown_block *
add_block(struct parsed *p, cmark_node *node, enum markdown_kind kind, struct nest *nest)
{
	struct markdown *m = p->m;
	struct markdown_block *b;
	size_t cap = p->node_cap;

	p->nodes = room_for(p->nodes, m->count, &p->node_cap, sizeof(cmark_node *));
	if (p->node_cap > cap)
		m->blocks = xreallocarray(m->blocks, p->node_cap, sizeof *m->blocks);
	p->nodes[m->count] = node;
	b = &m->blocks[m->count++];
	*b = (struct markdown_block){
		.kind = kind,
		.at = source_place(&p->src, cmark_node_get_start_line(node),
		    (size_t)cmark_node_get_start_column(node) - 1),
		.end_line = p->src.offset + last_line(p, node, kind),
		.level = cmark_node_get_heading_level(node),
		.quotes = nest->quotes,
		.items = nest->items,
		.item_start = nest->item_start,
		.number = nest->item_start ? nest->number : -1,
		.text = { .s = "" },
	};
	nest->item_start = false;
	return b;
}

/* A paragraph that is a table, or one with inlines. */
static void
read_paragraph(struct parsed *p, struct markdown_block *b, cmark_node *node, struct content *c)
{
	size_t definitions;

	content_fill(c, &p->src, cmark_node_get_start_line(node),
	    (size_t)cmark_node_get_start_column(node) - 1, b->end_line - p->src.offset, b->quotes);
	definitions = b->kind == MARKDOWN_HEADING && c->text.s[0] == '#' ? 0 : reference_scan(p, c);
	if (definitions > 0 && definitions < c->text.len) {
		content_drop(c, definitions);
		b->at = content_place(c, &p->src, 0);
	}
	if (b->kind == MARKDOWN_PARAGRAPH)
		b->table = table_find(p, c);
	if (b->table != NULL)
		b->kind = MARKDOWN_TABLE;
	else
		inline_read(&b->text, &p->src, node, c, cmark_node_get_start_column(node));
}

static void
read_block(struct parsed *p, cmark_node *node, struct nest *nest, struct content *c)
{
	struct markdown_block *b;
	enum markdown_kind kind;
	int from = cmark_node_get_start_line(node);

	if (!block_kind(cmark_node_get_type(node), &kind) || from < 1 || from > p->src.lines)
		return;
	b = add_block(p, node, kind, nest);
	switch (kind) {
	case MARKDOWN_HEADING:
	case MARKDOWN_PARAGRAPH:
		read_paragraph(p, b, node, c);
		break;
	case MARKDOWN_CODE:
		if (is_fenced(p, node))
			b->info = arena_strdup(p->src.a, cmark_node_get_fence_info(node));
		inline_lines(&b->text, &p->src, cmark_node_get_literal(node),
		    from + (b->info != NULL), MARKDOWN_CODE_RUN);
		break;
	case MARKDOWN_HTML:
		inline_lines(&b->text, &p->src, cmark_node_get_literal(node), from,
		    MARKDOWN_HTML_RUN);
		break;
	default:
		break;
	}
}

static void
read_blocks(struct parsed *p)
{
	struct markdown *m = p->m;
	struct content c = CONTENT_INIT;
	struct nest nest = { 0 };
	cmark_iter *iter = cmark_iter_new(p->root);
	cmark_event_type event;
	void *blocks;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		take_container(&nest, node, event == CMARK_EVENT_ENTER);
		if (event == CMARK_EVENT_ENTER)
			read_block(p, node, &nest, &c);
	}
	cmark_iter_free(iter);
	content_release(&c);
	blocks = arena_alloc(p->src.a, m->count * sizeof *m->blocks);
	if (m->count > 0)
		memcpy(blocks, m->blocks, m->count * sizeof *m->blocks);
	free(m->blocks);
	m->blocks = blocks;
}

int
parsed_init(struct parsed *p, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e)
{
	cmark_parser *parser;
	int rc;

	*p = (struct parsed){ .m = arena_alloc(a, sizeof *p->m), .sheet = CONTENT_INIT };
	rc = source_init(&p->src, p->m, a, text, len, file, e);
	if (rc != OK)
		return rc;
	parser = cmark_parser_new(CMARK_OPT_SOURCEPOS);
	cmark_parser_feed(parser, p->src.text, p->src.len);
	p->root = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	read_blocks(p);
	reference_scan_uncovered(p);
	if (p->pending_count - p->reference_count > MARKDOWN_MAX_CELLS)
		return err_at(e, ERR_INPUT, (struct place){ p->src.file, 0, 0 },
		    "expected at most %d cells in tables", MARKDOWN_MAX_CELLS);
	sheet_finish(p);
	reference_finish(p);
	return OK;
}

void
parsed_release(struct parsed *p)
{
	if (p->root != NULL)
		cmark_node_free(p->root);
	if (p->sheet_root != NULL)
		cmark_node_free(p->sheet_root);
	content_release(&p->sheet);
	free(p->nodes);
	free(p->pending);
	free(p->references);
	free(p->src.starts);
}

int
markdown_parse(struct markdown **out, struct arena *a, const char *text, size_t len,
    const char *file, struct err *e)
{
	struct parsed p;
	int rc = parsed_init(&p, a, text, len, file, e);

	*out = rc == OK ? p.m : NULL;
	parsed_release(&p);
	return rc;
}

const struct markdown_reference *
markdown_reference(const struct markdown *m, const char *label)
{
	const struct markdown_reference *found = NULL;
	struct arena a = ARENA_INIT;
	const char *trimmed = reference_label(&a, label, strlen(label));
	const char *key = utf8_fold(&a, trimmed, strlen(trimmed), NULL);

	for (size_t i = 0; i < m->reference_count && found == NULL; i++)
		if (strcmp(m->references[i].key, key) == 0)
			found = &m->references[i];
	arena_release(&a);
	return found;
}
