/*
 * Templates: the Mustache language over trees of values.
 *
 *     {{name}}  {{a.b}}  {{.}}   the text, escaped for the kind of the template
 *     {{{name}}}  {{&name}}      the text as it is
 *     {{#name}} ... {{/name}}    once for a map, a text that is not empty or `true` (a map or a
 *                                text becomes the context), for each item of a list; else not
 *     {{^name}} ... {{/name}}    where {{#name}} would do nothing
 *     {{! ... }}                 a comment
 *     {{>name}}                  another template, with the indentation of this line
 *     {{=<% %>=}}                other delimiters, to the end of this template
 *
 * A tag that stands alone on its line (but not a {{name}}) takes the line with it. Names are
 * letters, digits, _ and -, joined by dots. As the Mustache specification has it, with
 * these differences, all meant:
 *
 *   - a {{name}} that has no value (missing, or null) is an error. Sections guard: {{#name}}
 *     and {{^name}} may ask for what is not there;
 *   - a number, a yes or no, a list or a map cannot be printed: a figure in a text is a
 *     quantity, and comes as text. A number is no condition either;
 *   - a missing {{>partial}} is an error;
 *   - escaping goes by the name of the outermost template: see render/escape.h;
 *   - {{>name}} indents no empty line;
 *   - no lambdas, no inheritance, no dynamic names, no names with other characters.
 *
 * Errors name the template's file, line and column; never a value.
 */
#ifndef RENDER_TEMPLATE_H
#define RENDER_TEMPLATE_H

#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

enum {
	RENDER_MAX_TEMPLATE = 1024 * 1024,    /* bytes of one template */
	RENDER_MAX_OUTPUT = 64 * 1024 * 1024, /* bytes */
	RENDER_MAX_SECTIONS = 64,             /* sections within sections, in one template */
	RENDER_MAX_PARTIALS = 32,             /* partials within partials */
	RENDER_MAX_STEPS = 20 * 1000 * 1000,  /* nodes visited, rounds of sections */
};

/*
 * Where templates come from. `find` gives the text of one and its length, or NULL; the
 * text lives until render_template returns. A partial is asked for as it is written, and
 * if there is none and it has no extension, with that of the outermost template.
 */
struct render_loader {
	const char *(*find)(void *data, const char *name, size_t *len);
	void *data;
};

/*
 * Append the template `name`, filled from `context`, to `out`. On an error `out` may hold
 * a part of it. ERR_INPUT for anything wrong.
 */
int render_template(struct buf *out, const struct render_loader *loader, const char *name,
    const struct val *context, struct err *e);

#endif
