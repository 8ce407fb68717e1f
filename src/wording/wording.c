#include "wording/wording.h"

#include <string.h>

#include "util/buf.h"
#include "wording/wording_int.h"

enum { BUCKETS = 4096, STRETCH_MORE = 4, CONTEXT_WORDS = 6, QUESTION_WORDS = 30 };

/* What is left of the score where the words are denied or asked. */
static const double UNSAID = 0.6;
/* And where the claim is about a share and the words name none. */
static const double SHARELESS = 0.8;

/* A term of a claim. */
struct entry {
	uint64_t key;
	double weight;
	size_t claim;
	long seen; /* the last text, or stretch, in which it was met */
	struct entry *next;
};

struct claim {
	const char *id;
	double weight; /* of all its terms */
	int words;
	bool denies, share;
	double met; /* weight of its terms in the text at hand */
};

/* What stands around a stretch. */
struct context {
	bool denies, asks;
};

struct wording {
	struct arena *arena;
	struct claim *claims;
	size_t count, cap;
	struct entry *buckets[BUCKETS];
	long round; /* counts texts and stretches */
};

struct wording *
wording_open(struct arena *a)
{
	struct wording *w = arena_alloc(a, sizeof *w);

	w->arena = a;
	return w;
}

static struct entry *
find_entry(const struct wording *w, uint64_t key, size_t claim)
{
	struct entry *entry = w->buckets[key % BUCKETS];

	while (entry != NULL && (entry->key != key || entry->claim != claim))
		entry = entry->next;
	return entry;
}

static struct claim *
new_claim(struct wording *w, const char *id)
{
	if (w->count == w->cap) {
		struct claim *larger =
		    arena_alloc(w->arena, (w->cap = w->cap * 2 + 16) * sizeof *larger);

		if (w->count > 0)
			memcpy(larger, w->claims, w->count * sizeof *larger);
		w->claims = larger;
	}
	w->claims[w->count] = (struct claim){ .id = arena_strdup(w->arena, id) };
	return &w->claims[w->count++];
}

void
wording_add(struct wording *w, const char *id, const char *text, size_t len)
{
	struct claim *claim = new_claim(w, id);
	size_t index = w->count - 1;
	struct terms terms = TERMS_INIT;

	terms_read(&terms, text, len);
	claim->words = terms.words;
	for (size_t i = 0; i < terms.count; i++) {
		const struct term *t = &terms.items[i];
		struct entry *entry, **bucket = &w->buckets[t->key % BUCKETS];

		claim->denies = claim->denies || t->key == TERM_DENIAL;
		claim->share = claim->share || t->share;
		if (t->weight == 0 || find_entry(w, t->key, index) != NULL)
			continue;
		entry = arena_alloc(w->arena, sizeof *entry);
		*entry = (struct entry){ t->key, t->weight, index, 0, *bucket };
		*bucket = entry;
		claim->weight += t->weight;
	}
	terms_release(&terms);
}

/* What of each claim stands anywhere in the text: an upper bound of its score. */
static void
meet_all(struct wording *w, const struct terms *terms)
{
	w->round++;
	for (size_t i = 0; i < w->count; i++)
		w->claims[i].met = 0;
	for (size_t i = 0; i < terms->count; i++) {
		uint64_t key = terms->items[i].key;

		for (struct entry *entry = w->buckets[key % BUCKETS]; entry != NULL;
		     entry = entry->next) {
			if (entry->key != key || entry->seen == w->round)
				continue;
			entry->seen = w->round;
			w->claims[entry->claim].met += entry->weight;
		}
	}
}

/*
 * The terms around a stretch, in its sentence and not far away: a denial may stand before it
 * (We found no ...) or behind (... 아닙니다), the question mark behind.
 */
static struct context
look_around(const struct terms *terms, size_t first, size_t last)
{
	const struct term *items = terms->items;
	struct context c = { false, false };

	for (size_t i = first; i-- > 0 && items[first].word - items[i].word <= CONTEXT_WORDS;) {
		if (items[i].key == TERM_STOP || items[i].key == TERM_QUESTION)
			break;
		c.denies = c.denies || items[i].key == TERM_DENIAL;
		c.asks = c.asks || items[i].key == TERM_ASKS;
	}
	for (size_t i = first; i < terms->count; i++) {
		int away = items[i].word - items[last].word;

		if (away > QUESTION_WORDS)
			break;
		c.denies = c.denies || (items[i].key == TERM_DENIAL && away <= CONTEXT_WORDS);
		c.asks = c.asks || items[i].key == TERM_QUESTION || (items[i].key == TERM_ASKS && i <= last);
		if (i >= last && (items[i].key == TERM_STOP || items[i].key == TERM_QUESTION))
			break;
	}
	return c;
}

/* The best stretch that starts with the term `first`. */
static void
try_stretch(struct wording *w, size_t index, const struct terms *terms, size_t first,
    struct wording_match *best)
{
	const struct claim *claim = &w->claims[index];
	int limit = terms->items[first].word + 2 * claim->words + STRETCH_MORE;
	double met = 0, all = 0;
	bool share = false;

	w->round++;
	for (size_t i = first; i < terms->count && terms->items[i].word <= limit; i++) {
		const struct term *t = &terms->items[i];
		struct entry *entry = find_entry(w, t->key, index);
		struct context c;
		double score;

		all += t->weight;
		share = share || t->share;
		if (entry == NULL || entry->seen == w->round)
			continue;
		entry->seen = w->round;
		met += entry->weight;
		score = met / claim->weight * (0.7 + 0.3 * (met < all ? met / all : 1));
		if (claim->share && !share)
			score *= SHARELESS;
		if (score <= best->score)
			continue;
		c = look_around(terms, first, i);
		if (c.denies != claim->denies || c.asks)
			score *= UNSAID;
		if (score <= best->score)
			continue;
		best->id = claim->id;
		best->score = score;
		best->offset = terms->items[first].start;
		best->length = t->end - best->offset;
	}
}

void
wording_nearest(struct wording *w, const char *text, size_t len, struct wording_match *out)
{
	struct terms terms = TERMS_INIT;

	*out = (struct wording_match){ NULL, 0, 0, 0 };
	terms_read(&terms, text, len);
	meet_all(w, &terms);
	for (size_t i = 0; i < w->count; i++) {
		double bound = w->claims[i].met / w->claims[i].weight;

		if (!(bound >= WORDING_NEAR / 2) || bound <= out->score)
			continue;
		for (size_t first = 0; first < terms.count; first++)
			if (find_entry(w, terms.items[first].key, i) != NULL)
				try_stretch(w, i, &terms, first, out);
	}
	terms_release(&terms);
}
