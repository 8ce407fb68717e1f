/* For wording.c, terms.c and words.c only. */
#ifndef WORDING_WORDING_INT_H
#define WORDING_WORDING_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is compared: the stem of a word, or two syllables of one. */
struct term {
	uint64_t key;      /* a hash of it */
	double weight;     /* how much it says; 0 for a denial */
	size_t start, end; /* bytes of the word in the text */
	int word;          /* which word of the text; the end of a sentence counts as some more */
	bool share;        /* a percentage, a fraction or a factor */
};

struct terms {
	struct term *items; /* owned */
	size_t count, cap;
	int words;
};

#define TERMS_INIT { NULL, 0, 0, 0 }

/* Keys of what is no word of a claim but changes what the words say; their weight is 0. */
#define TERM_DENIAL UINT64_C(1)   /* not, never, ... */
#define TERM_STOP UINT64_C(2)     /* the end of a sentence */
#define TERM_QUESTION UINT64_C(3) /* the end of a question */
#define TERM_ASKS UINT64_C(4)     /* how, whether, ... */

/* Append the terms of a text. */
void terms_read(struct terms *out, const char *text, size_t len);
void terms_release(struct terms *t);

/*
 * The word as it is compared: a stem or a word that stands for it and its like ("phone" for
 * "handset"). English words are cut to WORD_STEM letters. `word` is folded; the result lives
 * in `out` (WORD_MAX bytes) or is static. *weight is how much it says; 0: nothing, skip it;
 * -1: it denies; -2: it asks.
 */
enum { WORD_MAX = 64, WORD_STEM = 6 };
const char *word_stem_latin(char *out, const char *word, size_t len, double *weight);
const char *word_stem_hangul(char *out, const char *word, size_t len, double *weight);

#endif
