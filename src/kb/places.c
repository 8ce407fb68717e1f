#include "kb/places.h"

#include <stdlib.h>

static void
put_number(struct buf *out, int n)
{
	char digits[12], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	buf_add(out, p, (size_t)(digits + sizeof digits - p));
}

void
places_write(struct buf *out, const struct val *body)
{
	if (out->len > 0)
		buf_putc(out, ' ');
	put_number(out, body->at.line);
	buf_putc(out, ':');
	put_number(out, body->at.column);
	for (size_t i = 0; body->kind == VAL_MAP && i < body->map.count; i++)
		places_write(out, body->map.entries[i].value);
	for (size_t i = 0; body->kind == VAL_LIST && i < body->list.count; i++)
		places_write(out, body->list.items[i]);
}

/* A number up to what a file may have lines, then `end`; 0 if it is something else. */
static int
take_number(const char **p, char end)
{
	int n = 0;

	while (**p >= '0' && **p <= '9' && n < 100000000)
		n = n * 10 + (*(*p)++ - '0');
	if (**p == end && end != '\0')
		++*p;
	else if (**p != '\0')
		*p = "";
	return n;
}

static void
restore(struct val *v, const char **p, const char *file)
{
	int line = take_number(p, ':'), column = take_number(p, ' ');

	v->at = (struct place){ file, line > 0 ? line : 1, column };
	for (size_t i = 0; v->kind == VAL_MAP && i < v->map.count; i++) {
		restore(v->map.entries[i].value, p, file);
		v->map.entries[i].at = v->map.entries[i].value->at;
	}
	for (size_t i = 0; v->kind == VAL_LIST && i < v->list.count; i++)
		restore(v->list.items[i], p, file);
}

void
places_restore(struct val *body, const char *places, const char *file)
{
	restore(body, &places, file);
}
