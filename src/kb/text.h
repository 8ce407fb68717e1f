/*
 * A record's text in one language with its figures put in.
 *
 * ${name} stands for a figure of the record (`figures`), in a source for another finding of
 * it, and ${value} in a finding's text for that finding's own value. How a figure is shown is the caller's: a draft
 * cites it, a listing names its kind and reference.
 */
#ifndef KB_TEXT_H
#define KB_TEXT_H

#include "quantity/quantity.h"
#include "render/escape.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/val.h"

/* One figure of a text, before it is shown: value as written and the finding behind it. */
struct text_figure {
	const char *value;   /* "67 %" */
	const char *finding; /* source.finding */
};

/*
 * Find the figure `name`: in body.figures, else among body.findings; `part` is the finding
 * whose text it is, or NULL. false if there is none. The strings are in the arena or the body.
 */
bool text_figure_find(struct text_figure *out, struct arena *a, const struct val *body,
    const struct val *part, const char *name);

typedef int (*text_show_fn)(struct buf *out, const struct text_figure *figure, void *context,
    struct err *e);

/* The language asked for, or the other one where it is missing; NULL if `text` is no text. */
const char *text_in(const struct val *text, const char *lang);

/*
 * Append the text with every figure shown by `show`. `escape` is for the words between figures, where the
 * document has markup; NULL: as they are. An unknown ${name} is ERR_INPUT.
 */
int text_expand(struct buf *out, struct arena *a, const struct val *text, const char *lang,
    const struct val *body, const struct val *part, render_escape_fn *escape, text_show_fn show,
    void *context, struct err *e);

struct kb;

/*
 * For listings: "67% [published, coreweave-10q.largest-customer]". The figure's kind comes
 * from the kb.
 */
int text_plain(const char **out, struct arena *a, struct kb *kb, const struct val *text,
    const char *lang, const struct val *body, const struct val *part, struct err *e);

struct kb_finding;

/* The quantity of a figure: value as written, published or measured, with its reference; and the finding. */
int text_quantity(struct quantity *out, struct kb_finding *finding, struct kb *kb, struct arena *a,
    const struct text_figure *figure, struct err *e);

#endif
