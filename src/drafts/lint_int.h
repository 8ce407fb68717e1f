/* What the files of the linter share. */
#ifndef DRAFTS_LINT_INT_H
#define DRAFTS_LINT_INT_H

#include <stdbool.h>

#include "drafts/figure.h"
#include "drafts/lint.h"
#include "markdown/markdown.h"
#include "quantity/quantity.h"
#include "util/buf.h"
#include "util/val.h"
#include "wording/pasted.h"
#include "wording/wording.h"

/* By their places in lint_rules. */
enum lint_rule {
	LINT_QUARANTINED, LINT_UNCITED, LINT_DIFFERS, LINT_BYTES, LINT_UNDEFINED, LINT_DUPLICATE,
	LINT_BAD_DEFINITION, LINT_NO_SOURCE, LINT_UNKNOWN, LINT_WITHDRAWN, LINT_NO_EVIDENCE, LINT_INTERNAL,
	LINT_UNMARKED, LINT_PHASES, LINT_SIZING, LINT_FRONT_MATTER, LINT_DECOMPOSED, LINT_TOO_MANY, LINT_RULES,
};

/* Proper names with digits in them, found by those digits. */
struct names;
struct names *names_open(struct arena *a);
void names_add(struct names *names, const char *name);
/* Does a name stand in the text so that it covers the digits at `at`? Its end, or 0. */
size_t names_cover(const struct names *names, const char *text, size_t len, size_t at);

/* Read from the knowledge, once. */
struct linter {
	struct arena *arena;
	struct kb *kb;
	const struct lint_options *options;
	struct val *archetypes; /* rows: id, quantitative */
	struct val *withheld;   /* rows: id, instead */
	struct names *names, *titles;
	struct wording *quarantine; /* NULL: not looked for */
	struct pasted *internal;
};

/* Several texts as one, with the way back to their places. */
struct passage {
	struct buf s;
	struct {
		size_t start;
		const struct markdown_text *text;
	} *parts; /* in the arena */
	size_t count, cap;
};

/* What a citation says of itself: the title of its definition. */
struct cited {
	bool is_citation; /* its destination is #s1 and the like */
	bool is_readable;
	bool has_value;
	struct quantity q; /* value and kind; kind is published for "finding" */
	const char *grade; /* "B", or NULL */
};

enum { LINT_STATED_MAX = 200, LINT_WORKLOADS_MAX = 100, LINT_FOUND_MAX = 1000, LINT_ROW_SECTIONS_MAX = 50 };

/* A workload's times, as its definitions have them, in seconds; 0: not there. */
struct phases {
	const char *workload;
	double prefill, step, tokens;
};

/* One draft at work. */
struct draft_lint {
	struct linter *l;
	struct arena *a;
	struct findings *out;
	struct markdown *m;
	const char *name, *lang;
	const char *archetype; /* as the knowledge has it, or NULL */
	bool quantitative, internal;
	struct names *own_names; /* that the front matter lists */
	bool in_source;          /* below a heading S1 */
	long *headings;          /* the numbers of the headings S1, S2, ..., sorted */
	size_t heading_count;
	struct section *sections; /* of each heading, once somebody asks; lint_sections.c */
	struct quantity stated[LINT_STATED_MAX];
	size_t stated_count;
	struct phases *phases; /* of each workload */
	size_t phase_count;
	size_t found;
	struct err *e;
	int rc;
};

/* The sections that a row of a table cites: its other figures are theirs. */
struct cited_row {
	long sections[LINT_ROW_SECTIONS_MAX];
	size_t count; /* more than LINT_ROW_SECTIONS_MAX: too many to compare with */
};

/* What comes behind LINT_FOUND_MAX is passed over: NULL. */
struct finding *lint_add(struct draft_lint *d, enum lint_rule rule, struct place at, const char *id,
    const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Has the draft so many faults, or an error, that nothing more is looked for? */
bool lint_is_over(const struct draft_lint *d);

/* passage.c */
void passage_clear(struct passage *p);
void passage_add(struct passage *p, struct arena *a, const struct markdown_text *text);
struct place passage_place(const struct passage *p, size_t offset);

/* lint_cite.c */
bool lint_is_source_heading(const struct markdown_block *b);
void lint_gather(struct draft_lint *d);
struct cited cited_read(const char *destination, const char *title);
void lint_definitions(struct draft_lint *d);
/* Figures within citations, and references without definition: taken out of `copy` (the text, as blanks). */
void lint_citations(struct draft_lint *d, const struct markdown_text *text, char *copy);

/* The finding that a label stands for, "source." before it taken off. */
const char *lint_finding_of(const char *label);
int lint_by_number(const void *a, const void *b);

/* lint_figures.c: `row`: what the row of a table cites that the text is a cell of; NULL where it cites nothing. */
void lint_figures(struct draft_lint *d, const struct markdown_text *text, const struct cited_row *row);

/* lint_sections.c: does the section hold a figure that this one may be of? */
bool lint_section_holds(struct draft_lint *d, long number, const struct figure *f);

/* lint_said.c */
void lint_said(struct draft_lint *d, const struct passage *p);
/* The same for what is shown nowhere; its place is that of the whole. */
void lint_hidden(struct draft_lint *d, const char *text, size_t len, struct place at);
void lint_heading(struct draft_lint *d, const struct markdown_block *b);
int lint_internal_texts(struct linter *l, struct err *e);
void lint_marks(struct draft_lint *d, const char *file_name);

/* lint_phases.c */
void lint_gather_phases(struct draft_lint *d);
void lint_phases(struct draft_lint *d, const struct passage *p);
/* Is the figure no one's but the sum of a prefill and a decode time? Then it is found. */
bool lint_is_sum(const struct draft_lint *d, const struct figure *f);

#endif
