/* What the files of this module share. */
#ifndef MARKDOWN_MARKDOWN_INT_H
#define MARKDOWN_MARKDOWN_INT_H

#include "markdown/markdown.h"

#include <cmark.h>

/* The body that cmark reads: without byte order mark and front matter. */
struct source {
	struct arena *a;
	const char *file;
	const char *text;
	size_t len;
	int offset;     /* lines before the body */
	size_t *starts; /* of each line; one more for the end; owned */
	int lines;
	/* The last place that was counted out, so that one long line is counted once. */
	int seen_line;
	size_t seen_byte;
	int seen_column;
};

/* A stretch of content that lies in one line of the source. */
struct segment {
	size_t start; /* in the content */
	int line;     /* of the body, from 1 */
	size_t byte;  /* in that line */
};

/* What cmark reads inlines from: a block's lines without what lists and quotes put before them. */
struct content {
	struct buf text;
	struct segment *segments; /* by start; owned */
	size_t count, cap;
};

#define CONTENT_INIT { BUF_INIT, NULL, 0, 0 }

/*
 * cmark's inline parser is reached through a document only. So the cells of all tables, and the
 * destinations of all definitions, are put into a second one, a heading each: a heading
 * is one line, whatever stands in it.
 */
struct pending {
	struct markdown_cell *cell;           /* whose text it is, or: */
	struct markdown_reference *reference; /* whose destination and title it is */
	size_t start, len;                    /* in the second document, from the # on */
	size_t segment, segments;             /* in `sheet.segments` */
	cmark_node *node;                     /* its heading, once that is parsed */
};

/* A text that was parsed, for those who go on with cmark's trees. */
struct parsed {
	struct source src;
	struct markdown *m;
	cmark_node *root;
	cmark_node **nodes; /* of each block; owned, as all below */
	size_t node_cap;
	struct content sheet;    /* the second document; its segments count from their own # */
	cmark_node *sheet_root;
	struct pending *pending; /* in the order of the sheet */
	size_t pending_count, pending_cap;
	struct markdown_reference **references;
	size_t reference_count, reference_cap;
};

int parsed_init(struct parsed *p, struct arena *a, const char *text, size_t len, const char *file,
    struct err *e);
void parsed_release(struct parsed *p);

/* source.c */
int source_init(struct source *src, struct markdown *m, struct arena *a, const char *text,
    size_t len, const char *file, struct err *e);
struct place source_place(struct source *src, int line, size_t byte);
/* A line of the body without its end. */
const char *source_line(const struct source *src, int line, size_t *len);

void content_clear(struct content *c);
void content_release(struct content *c);
void content_add(struct content *c, int line, size_t byte, const char *text, size_t len);
/* The lines from `line` to `end`; the first from `byte` on, the others behind `quotes` marks. */
void content_fill(struct content *c, const struct source *src, int line, size_t byte, int end,
    int quotes);
/* Without the first `len` bytes. */
void content_drop(struct content *c, size_t len);
/* Where in the body a byte of the content stands. */
struct segment content_find(const struct content *c, size_t offset);
/* How many bytes from there on stand in the same stretch of the source. */
size_t content_span(const struct content *c, size_t offset);
struct place content_place(const struct content *c, struct source *src, size_t offset);
size_t line_prefix(const char *line, size_t len, int quotes);

/* inline.c: the inlines below `node`, whose content begins at `column` (cmark's). */
void inline_read(struct markdown_text *out, struct source *src, cmark_node *node,
    const struct content *c, int column);
/* The text of lines as they are, as one run: code and HTML blocks. `from` is their first line. */
void inline_lines(struct markdown_text *out, struct source *src, const char *literal, int from,
    enum markdown_run_kind kind);

/* table.c: the table that a paragraph is, or NULL. Its cells' texts are pending. */
struct markdown_table *table_find(struct parsed *p, const struct content *c);

/* reference.c: definitions at the start of a content; returns the bytes they take. */
size_t reference_scan(struct parsed *p, const struct content *c);
/* Those in lines that no block covers. */
void reference_scan_uncovered(struct parsed *p);
/* All of them, by their places, into the result. */
void reference_finish(struct parsed *p);
/* Blanks trimmed and collapsed. */
const char *reference_label(struct arena *a, const char *text, size_t len);

/* sheet.c */
struct pending *sheet_open(struct parsed *p);
void sheet_add(struct parsed *p, int line, size_t byte, const char *text, size_t len);
void sheet_close(struct parsed *p);
/* Parse all and fill in what is pending. */
void sheet_finish(struct parsed *p);

bool is_blank(char c);
void *room_for(void *items, size_t count, size_t *cap, size_t size);

#endif
