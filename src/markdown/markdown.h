/*
 * Markdown as it was written, and its HTML. The only user of cmark.
 *
 * A draft is a list of leaf blocks in the order of the text: headings, paragraphs, tables, code,
 * raw HTML, rules. Lists and quotes are not nodes: a block says how deep in them it stands.
 * Pipe tables (as in GitHub's Markdown) are ours, since cmark has none: a paragraph whose first
 * line is a row and whose second is a delimiter row of as many cells. A cell is split at pipes
 * that no backslash escapes.
 *
 * Every text has its markup removed, and markdown_place finds the place in the source of any
 * byte of it. Places are 1-based, in code points (with front matter; a byte order mark counts for nothing).
 *
 * All is read in NFC, so that a label and its definition are one name however their letters are
 * composed, and words are found. Where the file is not, places are those of the composed text, and
 * markdown_written gives those of the file.
 *
 * YAML front matter ("---" in the first line, closed by "---" or "...") is taken off and kept
 * apart: cmark would read it as a rule and a heading.
 */
#ifndef MARKDOWN_MARKDOWN_H
#define MARKDOWN_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"

enum {
	MARKDOWN_MAX_BYTES = 16 * 1024 * 1024,
	/* Lines and characters that may be markup: each can become a node of some 200 bytes. */
	MARKDOWN_MAX_MARKS = 4 * 1000 * 1000,
	MARKDOWN_MAX_DEPTH = 100,   /* lists and quotes in one another */
	MARKDOWN_MAX_COLUMNS = 200, /* of a table; wider ones stay paragraphs */
	MARKDOWN_MAX_CELLS = 500 * 1000,
};

/* A link, image or autolink. */
struct markdown_link {
	struct place at; /* of its [ or ![ or < */
	const char *destination, *title; /* decoded; title is "" if there is none */
	const char *label; /* of a reference link as written, blanks collapsed; else NULL */
	bool image;
	size_t start, len; /* its text, in the text it stands in */
	const struct markdown_link *outer; /* an image may stand in a link */
};

enum markdown_run_kind { MARKDOWN_TEXT, MARKDOWN_CODE_RUN, MARKDOWN_HTML_RUN };

/* A stretch of text in one style. Runs lie end to end and cover the text. */
struct markdown_run {
	enum markdown_run_kind kind;
	bool emphasis, strong;
	const struct markdown_link *link; /* the innermost it stands in, or NULL */
	size_t start, len;
};

/* Where a stretch of text came from. */
struct markdown_piece {
	size_t start;
	struct place at;
	bool verbatim; /* byte for byte as in the source; else (an entity) all at one place */
};

/* A text without its markup. A line break is '\n'; a destination is not part of it. */
struct markdown_text {
	const char *s; /* NUL-terminated, never NULL */
	size_t len;
	const struct markdown_run *runs;
	size_t run_count;
	const struct markdown_link *const *links; /* by their places */
	size_t link_count;
	const struct markdown_piece *pieces;
	size_t piece_count;
};

/* The place of the byte at `offset` of the text; {0} for a text without any. */
struct place markdown_place(const struct markdown_text *text, size_t offset);

enum markdown_align { MARKDOWN_UNALIGNED, MARKDOWN_LEFT, MARKDOWN_CENTER, MARKDOWN_RIGHT };

struct markdown_cell {
	struct place at; /* of its first character, or of the pipe that ends an empty one */
	struct markdown_text text;
};

struct markdown_row {
	struct place at;
	struct markdown_cell *cells;
	size_t count; /* at most the table's columns: a row may be short */
};

struct markdown_table {
	size_t columns;
	enum markdown_align *align; /* of each column */
	struct markdown_row *rows;  /* the first is the header; without the delimiter row */
	size_t count;
};

enum markdown_kind {
	MARKDOWN_HEADING,
	MARKDOWN_PARAGRAPH,
	MARKDOWN_TABLE,
	MARKDOWN_CODE,
	MARKDOWN_HTML,
	MARKDOWN_RULE,
};

struct markdown_block {
	enum markdown_kind kind;
	struct place at;
	int end_line;
	int level;       /* of a heading: 1 to 6 */
	int quotes;      /* how many quotes it stands in */
	int items;       /* how many list items */
	bool item_start; /* the first block of its item */
	int number;      /* of that item in an ordered list, else -1 */
	const char *info; /* of fenced code: what follows the fence; else NULL */
	struct markdown_text text; /* empty for a table or a rule */
	struct markdown_table *table; /* of a table, else NULL */
};

/* A line like [label]: destination "title". */
struct markdown_reference {
	struct place at;
	const char *label; /* as written, blanks collapsed */
	const char *key;   /* as compared: folded */
	const char *destination, *title; /* decoded; title in one line, "" if there is none */
	bool duplicate; /* an earlier one has the same key, so that this one has no effect */
};

struct markdown {
	const char *front; /* between the two lines of front matter, or NULL; begins in line 2 */
	size_t front_len;
	struct markdown_block *blocks;
	size_t count;
	struct markdown_reference *references; /* all, in the order of the text */
	size_t reference_count;
	struct place decomposed; /* in the file: the first letter that is written in parts; line 0: there is none */
	const char *written;     /* the file, where there is one */
	size_t written_len;
};

/*
 * Everything lives in the arena and nothing refers to `text` afterwards. Bad Markdown does not
 * exist; ERR_INPUT is what utf8_check refuses and what is beyond the limits above, so that
 * time stays within seconds and memory within about a gigabyte for any text.
 */
int markdown_parse(struct markdown **out, struct arena *a, const char *text, size_t len,
    const char *file, struct err *e);

/* The place in the file of a place in the composed text. */
struct place markdown_written(const struct markdown *m, struct place at);

/* The definition that counts for a label, or NULL. */
const struct markdown_reference *markdown_reference(const struct markdown *m, const char *label);

/*
 * Append the body as HTML, without front matter and without a page around it. Raw HTML and
 * dangerous destinations (javascript: and the like) are dropped. A heading whose first word
 * is like S1 gets that word as its id, in lower case ("s1", which "#s1" finds); another one its
 * text as GitHub does it, with -1, -2 behind repeated ones.
 */
int markdown_html(struct buf *out, const char *text, size_t len, const char *file, struct err *e);

#endif
