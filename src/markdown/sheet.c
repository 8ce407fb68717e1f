#include "markdown/markdown_int.h"

#include <string.h>

struct pending *
sheet_open(struct parsed *p)
{
	struct pending *item;

	p->pending = room_for(p->pending, p->pending_count, &p->pending_cap, sizeof *p->pending);
	item = &p->pending[p->pending_count++];
	*item = (struct pending){ .start = p->sheet.text.len, .segment = p->sheet.count };
	buf_puts(&p->sheet.text, "# ");
	return item;
}

void
sheet_add(struct parsed *p, int line, size_t byte, const char *text, size_t len)
{
	struct pending *item = &p->pending[p->pending_count - 1];

	if (item->cell == NULL) {
		buf_add(&p->sheet.text, text, len); /* nobody asks for places */
		return;
	}
	content_add(&p->sheet, line, byte, text, len);
	p->sheet.segments[p->sheet.count - 1].start -= item->start;
}

/* The # at the end takes its place as the closing one, so that one in the text stays. */
void
sheet_close(struct parsed *p)
{
	struct pending *item = &p->pending[p->pending_count - 1];

	item->len = p->sheet.text.len - item->start;
	item->segments = p->sheet.count - item->segment;
	buf_puts(&p->sheet.text, " #\n");
}

static void
fill_reference(struct parsed *p, struct markdown_reference *r, cmark_node *heading)
{
	cmark_node *link = cmark_node_first_child(heading);
	const char *title;

	if (link == NULL || cmark_node_get_type(link) != CMARK_NODE_LINK ||
	    cmark_node_next(link) != NULL)
		return;
	title = cmark_node_get_title(link);
	r->destination = arena_strdup(p->src.a, cmark_node_get_url(link));
	r->title = arena_strdup(p->src.a, title == NULL ? "" : title);
}

static void
fill(struct parsed *p, struct pending *item, cmark_node *heading)
{
	/* A view of the item's part of the sheet. */
	struct content c = {
		.text = { p->sheet.text.s + item->start, item->len, 0 },
		.segments = item->segments > 0 ? p->sheet.segments + item->segment : NULL,
		.count = item->segments,
	};

	item->node = heading;
	if (item->reference != NULL)
		fill_reference(p, item->reference, heading);
	else
		inline_read(&item->cell->text, &p->src, heading, &c, 1);
}

/* The definitions themselves, for the reference links in cells. */
static void
add_definitions(struct parsed *p)
{
	size_t end = p->pending_count;

	for (size_t i = 0; i < end; i++) {
		const struct pending *item = &p->pending[i];

		if (item->reference == NULL)
			continue;
		/* "# [](destination title)" holds what follows the colon. */
		buf_printf(&p->sheet.text, "\n[%s]:", item->reference->label);
		for (size_t k = 5; k + 1 < item->len; k++)
			buf_putc(&p->sheet.text, p->sheet.text.s[item->start + k]);
		buf_putc(&p->sheet.text, '\n');
	}
}

void
sheet_finish(struct parsed *p)
{
	cmark_node *heading;
	size_t i = 0;

	if (p->pending_count == 0)
		return;
	add_definitions(p);
	p->sheet_root = cmark_parse_document(p->sheet.text.s, p->sheet.text.len,
	    CMARK_OPT_SOURCEPOS);
	heading = cmark_node_first_child(p->sheet_root);
	for (; heading != NULL && i < p->pending_count; heading = cmark_node_next(heading))
		fill(p, &p->pending[i++], heading);
}
