/*
 * UTF-8 as this program wants it: valid, in NFC, free of characters that change how a
 * text is read. The only user of utf8proc.
 */
#ifndef UTIL_UTF8_H
#define UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Decode the code point at s (n bytes left) into *out. Returns its length in bytes, or
 * 0 when the bytes are no UTF-8 (also overlong forms, surrogates, above U+10FFFF).
 */
size_t utf8_decode(const char *s, size_t n, uint32_t *out);
void utf8_append(struct buf *b, uint32_t code_point);

/* Code points in the first n bytes of a valid text: a column is this + 1. */
size_t utf8_count(const char *s, size_t n);

/*
 * Is this text fit to be read? Refuses invalid UTF-8, NUL, control characters other
 * than tab, LF and CR before LF, bidirectional overrides and isolates, U+0085, U+2028, U+2029,
 * a byte order mark anywhere but at the very start, and more than UTF8_MAX_MARKS accents on one letter: to put them
 * in order takes time in their square. `file` names it in the place.
 */
enum { UTF8_MAX_MARKS = 30 }; /* as in the Stream-Safe Text Format of UAX #15 */
int utf8_check(const char *text, size_t len, const char *file, struct err *e);

#define UTF8_BOM "\xEF\xBB\xBF"

/* Length of a byte order mark at the start: 3 or 0. */
size_t utf8_bom(const char *text, size_t len);

/*
 * Nothing but ASCII and whole Hangul syllables? Such a text is in every normal form, since nothing in it
 * composes with what stands before, and of it only A-Z fold. Most texts are so.
 */
bool utf8_is_plain(const char *text, size_t len);

/* The text in NFC, in the arena; *out_len may be NULL. The input must be valid. */
const char *utf8_nfc(struct arena *a, const char *text, size_t len, size_t *out_len);

/*
 * A character as a reader sees one: a letter with its accents, the jamo of a syllable. What is composed is composed
 * within one, so that places of a text and of its NFC can be told from each other.
 */
struct utf8_cluster {
	size_t len;      /* bytes */
	size_t points;   /* code points of it */
	size_t composed; /* code points of its NFC */
	bool changes;    /* is its NFC another text? */
};

/* The first of a text that is valid and not empty. */
struct utf8_cluster utf8_cluster(const char *text, size_t len);

/* The first character of a valid text that is not in NFC; line 0 where all are. */
struct place utf8_decomposed(const char *text, size_t len, const char *file);

/*
 * The text as search compares it: compatibility-composed (so full-width forms meet
 * half-width ones), case folded, without characters that are shown as nothing (soft hyphens, joiners, a
 * byte order mark), runs of white space as one blank.
 */
const char *utf8_fold(struct arena *a, const char *text, size_t len, size_t *out_len);

/* Columns on a terminal that the text takes; wide characters count two. */
int utf8_width(const char *text, size_t len);
int utf8_char_width(uint32_t code_point);

bool utf8_is_hangul(uint32_t code_point); /* syllables, jamo, compatibility jamo */
bool utf8_is_invisible(uint32_t code_point); /* format characters, joiners: shown as nothing */
bool utf8_is_word(uint32_t code_point);   /* letter, mark or digit of any script */

#endif
