/* For template.c and template_parse.c only: a template as a tree. */
#ifndef RENDER_TEMPLATE_INT_H
#define RENDER_TEMPLATE_INT_H

#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"

enum tnode_kind {
	TNODE_TEXT,
	TNODE_VALUE,    /* {{name}} */
	TNODE_RAW,      /* {{{name}}} */
	TNODE_SECTION,  /* {{#name}} */
	TNODE_INVERTED, /* {{^name}} */
	TNODE_PARTIAL,  /* {{>name}} */
};

struct tnode {
	enum tnode_kind kind;
	struct place at;     /* of the tag */
	const char *text;    /* TNODE_TEXT: len bytes; else the name, with a NUL */
	size_t len;
	const char *indent;  /* TNODE_PARTIAL: the white space before it, "" if not alone */
	struct tnode *first; /* of a section */
	struct tnode *next;
};

/*
 * Parse `text` (len bytes, borrowed while the tree is used), each line of which but empty ones
 * is taken as if `indent` stood before it. `file` names it in places, and is borrowed.
 */
int template_parse(struct tnode **out, struct arena *a, const char *file, const char *text,
    size_t len, const char *indent, struct err *e);

#endif
