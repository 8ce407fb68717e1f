#include "util/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

char *
place_text(char *out, size_t size, struct place at)
{
	if (at.file == NULL)
		snprintf(out, size, "%s", "");
	else if (at.line <= 0)
		snprintf(out, size, "%s", at.file);
	else if (at.column <= 0)
		snprintf(out, size, "%s:%d", at.file, at.line);
	else
		snprintf(out, size, "%s:%d:%d", at.file, at.line, at.column);
	return out;
}

static int __attribute__((format(printf, 4, 0)))
set_v(struct err *e, int code, struct place at, const char *fmt, va_list ap)
{
	e->code = code;
	place_text(e->where, sizeof e->where, at);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	return code;
}

int
err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_v(e, code, (struct place){ 0 }, fmt, ap);
	va_end(ap);
	return code;
}

int
err_at(struct err *e, int code, struct place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_v(e, code, at, fmt, ap);
	va_end(ap);
	return code;
}

int
err_errno(struct err *e, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	set_v(e, ERR_SYSTEM, (struct place){ 0 }, fmt, ap);
	va_end(ap);
	n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, ": %s", strerror(saved));
	return ERR_SYSTEM;
}

void
errs_take(struct errs *list, const struct err *e)
{
	list->count++;
	if (list->kept == ERRS_KEEP)
		return;
	if (list->items == NULL)
		list->items = xmalloc(ERRS_KEEP * sizeof *list->items);
	list->items[list->kept++] = *e;
}

void
errs_take_all(struct errs *list, const struct errs *from)
{
	for (size_t i = 0; i < from->kept; i++)
		errs_take(list, &from->items[i]);
	list->count += from->count - from->kept;
}

void
errs_add(struct errs *list, struct place at, const char *fmt, ...)
{
	struct err e;
	va_list ap;

	va_start(ap, fmt);
	set_v(&e, ERR_INPUT, at, fmt, ap);
	va_end(ap);
	errs_take(list, &e);
}

/* Split "file:line:column" into the length of the file's name and the two numbers. */
static size_t
split_place(const char *where, long *line, long *column)
{
	const char *colon = strrchr(where, ':');
	char *end;

	*line = *column = 0;
	if (colon == NULL || colon == where)
		return strlen(where);
	*column = strtol(colon + 1, &end, 10);
	if (*end != '\0' || end == colon + 1)
		return strlen(where);
	for (const char *p = colon - 1; p > where; p--) {
		if (*p != ':')
			continue;
		*line = strtol(p + 1, &end, 10);
		if (end == colon && end != p + 1)
			return (size_t)(p - where);
		break;
	}
	*line = *column; /* "file:line" */
	*column = 0;
	return (size_t)(colon - where);
}

static int
by_place(const void *pa, const void *pb)
{
	const struct err *a = pa, *b = pb;
	long al, ac, bl, bc;
	size_t an = split_place(a->where, &al, &ac);
	size_t bn = split_place(b->where, &bl, &bc);
	int order = strncmp(a->where, b->where, an < bn ? an : bn);

	if (order == 0 && an != bn)
		order = an < bn ? -1 : 1;
	if (order == 0 && al != bl)
		order = al < bl ? -1 : 1;
	if (order == 0 && ac != bc)
		order = ac < bc ? -1 : 1;
	return order != 0 ? order : strcmp(a->text, b->text);
}

void
errs_sort(struct errs *list)
{
	if (list->kept > 1)
		qsort(list->items, list->kept, sizeof *list->items, by_place);
}

void
errs_release(struct errs *list)
{
	free(list->items);
	*list = (struct errs)ERRS_INIT;
}
