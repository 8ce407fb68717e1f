/*
 * Changes to a YAML text that leave the rest of it as it is, byte for byte: comments, order, quotes,
 * line ends, a byte order mark. Where something goes is found at libyaml's marks, which count code points,
 * and mapped to bytes.
 *
 * The text must be one that yn_parse takes, whose value is a map in block style; ERR_INPUT where it is not,
 * with `file` in the place, or where its layout is such that the rest would then read otherwise. What comes
 * out is appended to `out`, whole; an error appends nothing.
 */
#ifndef YAML_YN_SPLICE_H
#define YAML_YN_SPLICE_H

#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

/* Give the scalar under `key` another text, or add the key at the end of the map. */
int yn_splice_scalar(struct buf *out, const char *text, size_t len, const char *file, const char *key,
    const char *scalar, struct err *e);

/*
 * Add an item behind the last of the list under `key`, in one line, in the style that the list has; where
 * there is no such key, add it at the end of the map with a list of this one item.
 */
int yn_splice_item(struct buf *out, const char *text, size_t len, const char *file, const char *key,
    const struct val *item, struct err *e);

/*
 * Add an item behind a text that is a list in block style, or empty: the whole of the item as yn_write has it,
 * with the line ends of the text, or of `like` where the text has none.
 */
int yn_splice_entry(struct buf *out, const char *text, size_t len, const struct val *item, const char *like,
    struct err *e);

#endif
