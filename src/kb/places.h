/*
 * Where each value of a record stood in its file. A body is kept as JSON, which has places of its
 * own; those of the YAML are kept beside it, so that whoever reads the body again can still say
 * file, line and column.
 *
 * As a text: "line:column" of every value in the order in which a reader meets them, a blank
 * between two.
 */
#ifndef KB_PLACES_H
#define KB_PLACES_H

#include "util/buf.h"
#include "util/val.h"

/* Append the places of a tree. */
void places_write(struct buf *out, const struct val *body);

/*
 * Give a tree, read from JSON, the places it was written with; a key gets that of its value. Where
 * the text is too short or none of ours, the rest stays in line 1: it never fails.
 */
void places_restore(struct val *body, const char *places, const char *file);

#endif
