/* What db/query.c has to know of a text of SQL itself: where its words stand. */
#ifndef DB_QUERY_TEXT_H
#define DB_QUERY_TEXT_H

#include "util/err.h"

/*
 * The next token from `sql` on, past blanks, comments and semicolons; *end is behind it. At the end of
 * the text both are there.
 */
const char *query_text_token(const char *sql, const char **end);

/*
 * The first word of the text, also in quotes, that is `word` in any case; where `word` ends in an underscore, that begins so. NULL:
 * there is none.
 */
const char *query_text_find(const char *sql, const char *word);

/* Line and column, in code points, of a place in a valid text; NULL: of its first token. */
struct place query_text_place(const char *sql, const char *at, const char *name);

#endif
