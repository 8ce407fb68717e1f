#include <stdlib.h>
#include <string.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/utf8.h"
#include "wording/wording_int.h"

enum { SENTENCE_GAP = 2 };

static const size_t SYLLABLE = 3; /* bytes of one */

enum script { SCRIPT_NONE, SCRIPT_HANGUL, SCRIPT_DIGIT, SCRIPT_OTHER };

/* FNV-1a */
static uint64_t
hash_text(const char *s, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h <= TERM_ASKS ? h + 5 : h;
}

static void
add_key(struct terms *t, uint64_t key, bool share, double weight, size_t start, size_t end)
{
	if (t->count == t->cap) {
		t->cap = t->cap == 0 ? 64 : t->cap * 2;
		t->items = xreallocarray(t->items, t->cap, sizeof *t->items);
	}
	t->items[t->count++] = (struct term){ key, weight, start, end, t->words, share };
}

static void
add_term(struct terms *t, const char *stem, size_t len, double weight, size_t start, size_t end)
{
	bool share = (len == 1 && *stem == '%') || (len == 4 && memcmp(stem, "time", 4) == 0) ||
	    (len == 6 && memcmp(stem, "larges", 6) == 0);

	add_key(t, hash_text(stem, len), share, weight, start, end);
}

void
terms_release(struct terms *t)
{
	free(t->items);
	*t = (struct terms)TERMS_INIT;
}

static enum script
script_of(uint32_t cp)
{
	if (utf8_is_hangul(cp))
		return SCRIPT_HANGUL;
	if ((cp >= '0' && cp <= '9') || (cp >= 0xFF10 && cp <= 0xFF19))
		return SCRIPT_DIGIT;
	return utf8_is_word(cp) ? SCRIPT_OTHER : SCRIPT_NONE;
}

/*
 * A Korean word is compared by pairs of syllables, so that 설비투자 meets 설비 투자. All
 * pairs together say a little more than a word of one pair.
 */
static void
add_hangul(struct terms *t, const char *word, size_t len, size_t start, size_t end)
{
	char out[WORD_MAX];
	double weight;
	const char *stem = word_stem_hangul(out, word, len, &weight);
	size_t n = strlen(stem), pairs = n / SYLLABLE - (n >= 2 * SYLLABLE);

	if (weight < 0) {
		add_key(t, weight < -1 ? TERM_ASKS : TERM_DENIAL, false, 0, start, end);
		return;
	}
	if (weight == 0 || n == 0)
		return;
	if ((stem[0] & 0x80) == 0 || n < 2 * SYLLABLE) {
		add_term(t, stem, n, n < 2 * SYLLABLE ? weight / 2 : weight, start, end);
		return;
	}
	if (pairs > 2)
		weight *= 1.5;
	for (size_t i = 0; i < pairs; i++)
		add_term(t, stem + i * SYLLABLE, 2 * SYLLABLE, weight / (double)pairs, start, end);
}

/* "does not move", "변하지 않고": that a thing stays as it is, which denies nothing. */
static void
join_denied_change(struct terms *t)
{
	static const char *const pairs[][2] = { { "mov", "flat" }, { "change", "flat" }, { "budge", "flat" },
		{ "변하", "그대로" }, { "변함", "그대로" }, { "바뀌", "그대로" }, { "달라", "그대로" } };
	struct term *a, *b;

	if (t->count < 2)
		return;
	a = &t->items[t->count - 2];
	b = &t->items[t->count - 1];
	if (a->key != TERM_DENIAL && b->key != TERM_DENIAL)
		return;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint64_t change = hash_text(pairs[i][0], strlen(pairs[i][0]));

		if ((a->key != change || b->key != TERM_DENIAL) && (b->key != change || a->key != TERM_DENIAL))
			continue;
		*a = (struct term){ hash_text(pairs[i][1], strlen(pairs[i][1])), 1, a->start, b->end, a->word, false };
		t->count--;
		return;
	}
}

/*
 * The word folded, in `out` where that takes no table: what most words are, letters of ASCII and whole
 * syllables of Hangul.
 */
static const char *
fold_word(char *out, struct arena *a, const struct buf *word, enum script script, size_t *len)
{
	*len = word->len;
	for (size_t i = 0; i < word->len; i++) {
		unsigned char c = (unsigned char)word->s[i];

		if (word->len >= WORD_MAX || (script != SCRIPT_HANGUL && c >= 0x80) ||
		    /* syllables begin with EA B0 .. ED 9E; jamo do not */
		    (script == SCRIPT_HANGUL && i % SYLLABLE == 0 && (c < 0xEB || c > 0xEC)))
			return utf8_fold(a, word->s, word->len, len);
		out[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
	}
	out[word->len] = '\0';
	return out;
}

static void
add_word(struct terms *t, const struct buf *word, enum script script, size_t start, size_t end)
{
	struct arena a = ARENA_INIT;
	size_t len;
	char plain[WORD_MAX];
	const char *folded = fold_word(plain, &a, word, script, &len);
	char out[WORD_MAX];
	double weight;

	if (script == SCRIPT_HANGUL) {
		add_hangul(t, folded, len, start, end);
	} else if (script == SCRIPT_DIGIT) {
		add_term(t, "#", 1, 0.3, start, end);
	} else {
		const char *stem = word_stem_latin(out, folded, len, &weight);

		if (weight < 0)
			add_key(t, weight < -1 ? TERM_ASKS : TERM_DENIAL, false, 0, start, end);
		else if (weight > 0)
			add_term(t, stem, strlen(stem), weight, start, end);
	}
	join_denied_change(t);
	t->words++;
	arena_release(&a);
}

/*
 * Where does the word go on? Hangul ends where another script starts (KV를, GPU보다), a
 * number where letters do (20GB, 5배), but letters go on over digits (p99, H200).
 */
static bool
continues(enum script word, enum script next)
{
	return next == word || (word == SCRIPT_OTHER && next == SCRIPT_DIGIT);
}

/* `after`: what follows the mark, since 4.8 is no end. */
static bool
is_sentence_end(uint32_t cp, const char *text, size_t after, size_t len)
{
	if (cp == '!' || cp == '?' || cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F)
		return true;
	return cp == '.' && (after == len || !utf8_is_word((unsigned char)text[after]));
}

void
terms_read(struct terms *out, const char *text, size_t len)
{
	struct buf word = BUF_INIT;
	enum script script = SCRIPT_NONE;
	size_t start = 0, end = 0;

	for (size_t i = 0; i <= len;) {
		uint32_t cp = 0;
		size_t n = i < len ? utf8_decode(text + i, len - i, &cp) : 1;
		enum script next = n == 0 || i == len ? SCRIPT_NONE : script_of(cp);

		n = n == 0 ? 1 : n;
		if (i < len && utf8_is_invisible(cp)) {
			i += n;
			continue;
		}
		if (script != SCRIPT_NONE && !continues(script, next)) {
			add_word(out, &word, script, start, end);
			buf_clear(&word);
			script = SCRIPT_NONE;
		}
		if (next != SCRIPT_NONE) {
			start = script == SCRIPT_NONE ? i : start;
			script = script == SCRIPT_NONE ? next : script;
			buf_add(&word, text + i, n);
			end = i + n;
		} else if (cp == '%' || cp == 0xFF05) {
			add_term(out, "%", 1, 0.4, i, i + n);
		} else if (i < len && is_sentence_end(cp, text, i + n, len)) {
			add_key(out, cp == '?' || cp == 0xFF1F ? TERM_QUESTION : TERM_STOP, false, 0, i, i + n);
			out->words += SENTENCE_GAP;
		}
		i += n;
	}
	buf_release(&word);
}
