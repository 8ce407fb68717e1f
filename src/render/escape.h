/*
 * Escaping: a value stays text in the document it is put into.
 *
 * Which rule holds goes by the template's extension:
 *
 *     .md            CommonMark, GitHub's additions, pandoc's that are near: what could become
 *                    markup gets a backslash; white space becomes one blank, none at the ends
 *                    (where it would be code, or undo **bold**). It reads as text in a
 *                    paragraph, heading, list item, table cell, link text, label or
 *                    <destination>; in code it would show its backslashes: use {{{name}}}
 *                    there. Bare addresses, which GitHub makes links by itself, stay.
 *     .html .svg     & < > " ' as entities
 *     .txt           nothing
 */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include <stddef.h>

#include "util/buf.h"

/* Append the text to `out`, escaped. */
typedef void render_escape_fn(struct buf *out, const char *text, size_t len);

void render_escape_none(struct buf *out, const char *text, size_t len);
void render_escape_html(struct buf *out, const char *text, size_t len);
void render_escape_markdown(struct buf *out, const char *text, size_t len);

/* By the extension of a template's name; NULL for one not listed above. */
render_escape_fn *render_escape_for(const char *name);

#endif
