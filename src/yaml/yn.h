/*
 * YAML in and out. The only user of libyaml.
 *
 * We read a small and plain part of YAML: maps, lists and text. Every scalar is text as
 * it was written, in NFC (`no`, `~`, `1.10`, `0777` and `1e3` stay what they are); a value left
 * out is VAL_NULL. Refused, each at its place: anchors, aliases, tags, merge keys, directives,
 * a second document, a key that stands twice, a key that is no text, and what
 * utf8_check refuses, also when it is written as an escape.
 *
 * Places are those of the source, 1-based, in code points; a byte order mark and the CR of
 * a CRLF count for nothing. A map's place is its first key, a block scalar's its | or >, a
 * missing value's the column after the colon.
 *
 * No message quotes the file: it may be one whose wording must not get out.
 */
#ifndef YAML_YN_H
#define YAML_YN_H

#include <stddef.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/intern.h"
#include "util/val.h"

enum {
	YN_MAX_BYTES = 16 * 1024 * 1024,
	YN_MAX_NODES = 200 * 1000, /* values of any kind */
	YN_MAX_DEPTH = 64,         /* maps and lists in one another */
};

/*
 * The tree of a text. `file` names it in places and messages and is copied. Nothing
 * refers to `text` afterwards. A file that holds no value is ERR_INPUT.
 */
int yn_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e);
/* The same for one of many texts: their keys are in `keys`, of the same arena, each once. */
int yn_parse_one(struct val **out, struct arena *a, struct intern *keys, const char *text, size_t len,
    const char *file, struct err *e);
int yn_read(struct val **out, struct arena *a, const char *path, struct err *e);

/*
 * Append the tree as YAML that yn_parse reads back to the same tree: text is quoted where it
 * was or has to be, several lines become a block. Numbers and booleans, which a tree from
 * JSON may hold, are written as text. ERR_INPUT where there is no such YAML: control
 * characters, a number that is not finite, a tree too deep or with nothing in it.
 */
int yn_write(struct buf *out, const struct val *v, struct err *e);

/* The same tree in one line, with braces and brackets: as an item of a list, or the value of a key. */
int yn_write_flow(struct buf *out, const struct val *v, struct err *e);

#endif
