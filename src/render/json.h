/*
 * Values as JSON. Keys in the order of the map; numbers in 17 significant digits or the shortest
 * that read back; nothing that is not JSON: a NaN, an infinity and a text that is not UTF-8
 * are ERR_INPUT with the path to them.
 */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

enum render_json_style {
	RENDER_JSON_COMPACT, /* one line, without a line break at its end */
	RENDER_JSON_PRETTY,  /* indented by two; what fits stays on a line; ends in a line break */
};

enum { RENDER_JSON_DEPTH = 128 }; /* lists and maps in each other */

/* Append to `out`; on an error `out` may hold a part. */
int render_json(struct buf *out, const struct val *v, enum render_json_style style,
    struct err *e);

/* One text in its quotes; false where it is not UTF-8. */
bool render_json_string(struct buf *out, const char *text, size_t len);

#endif
