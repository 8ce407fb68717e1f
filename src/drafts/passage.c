#include <string.h>

#include "drafts/lint_int.h"

void
passage_clear(struct passage *p)
{
	buf_clear(&p->s);
	p->count = 0;
}

void
passage_add(struct passage *p, struct arena *a, const struct markdown_text *text)
{
	if (text->len == 0)
		return;
	if (p->count == p->cap) {
		void *larger = arena_alloc(a, (p->cap * 2 + 16) * sizeof *p->parts);

		if (p->count > 0)
			memcpy(larger, p->parts, p->count * sizeof *p->parts);
		p->parts = larger;
		p->cap = p->cap * 2 + 16;
	}
	if (p->s.len > 0)
		buf_putc(&p->s, '\n');
	p->parts[p->count].start = p->s.len;
	p->parts[p->count++].text = text;
	buf_add(&p->s, text->s, text->len);
}

struct place
passage_place(const struct passage *p, size_t offset)
{
	size_t i = p->count;

	while (i > 1 && p->parts[i - 1].start > offset)
		i--;
	return markdown_place(p->parts[i - 1].text, offset - p->parts[i - 1].start);
}
