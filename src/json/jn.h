/*
 * JSON in, to the tree that YAML gives too. The only user of jansson. (JSON is written
 * by render.)
 *
 * Text is NFC, numbers are VAL_NUM. Refused, each at its place: a key that stands twice (after
 * NFC), an integer beyond 2^53 (a double would be another number, and a count of bytes
 * that is silently another one is the worst kind of wrong), what is no JSON (NaN, comments, a
 * comma too many), and what utf8_check refuses, also when it is written as an escape.
 *
 * Places are those of the source, 1-based, in code points; a byte order mark and the CR of a
 * CRLF count for nothing. No message quotes the file.
 */
#ifndef JSON_JN_H
#define JSON_JN_H

#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

enum {
	JN_MAX_BYTES = 32 * 1024 * 1024,
	JN_MAX_NODES = 1000 * 1000, /* values and keys */
	JN_MAX_DEPTH = 64,          /* maps and lists in one another */
};

/* The tree of a text; `file` is copied, `text` is not needed afterwards. */
int jn_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e);

/* One JSON value a line ("JSON Lines"), as a list. Blank lines are passed over. */
int jn_parse_lines(struct val **out, struct arena *a, const char *text, size_t len,
    const char *file, struct err *e);

/* A file of one value; with a name that ends in .jsonl, of one a line. */
int jn_read(struct val **out, struct arena *a, const char *path, struct err *e);

#endif
