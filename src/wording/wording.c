#include "wording/wording.h"

#include <stdlib.h>
#include <string.h>

#include "util/buf.h"
#include "wording/wording_int.h"

enum { STRETCH_MORE = 4, CONTEXT_WORDS = 6, QUESTION_WORDS = 30 };

/* What is left of the score where the words are denied or asked. */
static const double UNSAID = 0.6;
/* And where the claim is about a share and the words name none. */
static const double SHARELESS = 0.8;

/* A term of a claim. */
struct entry {
	uint64_t key;
	double weight;
	size_t claim;
	size_t claims; /* that have such a term */
	long seen;     /* the last text, or stretch, in which it was met */
	struct entry *sibling; /* of the same claim */
	struct entry *next;    /* in the bucket */
};

struct claim {
	const char *id;
	double weight; /* of all its terms */
	int words;
	bool denies, share;
	double met; /* weight of its terms in the text at hand */
	long seen;  /* the last text that may be near to it */
	struct entry *entries;
};

/* What stands around a stretch. */
struct context {
	bool denies, asks;
};

struct wording {
	struct arena *arena;
	struct claim *claims;
	size_t count, cap;
	size_t entries;
	long round; /* counts looks at a claim or a stretch */
	long texts;
	/* The index, made anew when claims were added: entries by key, of each claim without its most common terms. */
	struct entry **buckets;
	size_t bucket_count; /* a power of two */
	size_t indexed;      /* claims in it */
	size_t *met;         /* the claims that the text at hand may be near to */
	size_t met_count;
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
	struct entry *entry = w->claims[claim].entries;

	while (entry != NULL && entry->key != key)
		entry = entry->sibling;
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
		struct entry *entry;

		claim->denies = claim->denies || t->key == TERM_DENIAL;
		claim->share = claim->share || t->share;
		if (t->weight == 0 || find_entry(w, t->key, index) != NULL)
			continue;
		entry = arena_alloc(w->arena, sizeof *entry);
		*entry = (struct entry){ .key = t->key, .weight = t->weight, .claim = index, .sibling = claim->entries };
		claim->entries = entry;
		claim->weight += t->weight;
		w->entries++;
	}
	terms_release(&terms);
}

/* ---- the index ---- */

static int
by_key(const void *pa, const void *pb)
{
	const struct entry *a = *(struct entry *const *)pa, *b = *(struct entry *const *)pb;

	return a->key < b->key ? -1 : a->key > b->key;
}

/* Of one claim, so that no two have the same key. */
static int
by_commonness(const void *pa, const void *pb)
{
	const struct entry *a = *(struct entry *const *)pa, *b = *(struct entry *const *)pb;

	if (a->claims != b->claims)
		return a->claims > b->claims ? -1 : 1;
	return by_key(pa, pb);
}

static size_t
list_entries(struct entry **out, const struct claim *claim)
{
	size_t n = 0;

	for (struct entry *entry = claim->entries; entry != NULL; entry = entry->sibling)
		out[n++] = entry;
	return n;
}

/* How many claims have each term. */
static void
count_claims(struct wording *w, struct entry **all)
{
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++)
		n += list_entries(all + n, &w->claims[i]);
	if (n > 1)
		qsort(all, n, sizeof *all, by_key);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && all[end]->key == all[i]->key; end++)
			continue;
		for (size_t k = i; k < end; k++)
			all[k]->claims = end - i;
	}
}

/*
 * What a claim has in common with many others would lead from every text to all of them. A text that holds
 * only the most common terms of a claim, and of these no more than could not make it near, need not be held
 * against it: those are left out.
 */
static void
index_claim(struct wording *w, struct claim *claim, struct entry **room)
{
	size_t n = list_entries(room, claim), i = 0;
	double left_out = 0;

	if (n > 1)
		qsort(room, n, sizeof *room, by_commonness);
	/* a little less than the bound, for the rounding of sums in another order */
	while (i < n && left_out + room[i]->weight < 0.99 * WORDING_NEAR / 2 * claim->weight)
		left_out += room[i++]->weight;
	for (; i < n; i++) {
		struct entry **bucket = &w->buckets[room[i]->key & (w->bucket_count - 1)];

		room[i]->next = *bucket;
		*bucket = room[i];
	}
}

static void
make_index(struct wording *w)
{
	struct entry **room = arena_alloc(w->arena, (w->entries + 1) * sizeof *room);

	w->met = arena_alloc(w->arena, (w->count + 1) * sizeof *w->met);
	w->met_count = 0;
	for (w->bucket_count = 64; w->bucket_count < w->entries; w->bucket_count *= 2)
		continue;
	w->buckets = arena_alloc(w->arena, w->bucket_count * sizeof *w->buckets);
	count_claims(w, room);
	for (size_t i = 0; i < w->count; i++)
		index_claim(w, &w->claims[i], room);
	w->indexed = w->count;
}

/* ---- a text ---- */

static int
by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

/* What of a claim stands anywhere in the text: an upper bound of its score. */
static double
met_of(struct wording *w, size_t index, const struct terms *terms)
{
	double met = 0;

	w->round++;
	for (size_t i = 0; i < terms->count; i++) {
		struct entry *entry = find_entry(w, terms->items[i].key, index);

		if (entry == NULL || entry->seen == w->round)
			continue;
		entry->seen = w->round;
		met += entry->weight;
	}
	return met;
}

static void
meet_term(struct wording *w, uint64_t key)
{
	for (struct entry *entry = w->buckets[key & (w->bucket_count - 1)]; entry != NULL; entry = entry->next) {
		if (entry->key != key || w->claims[entry->claim].seen == w->texts)
			continue;
		w->claims[entry->claim].seen = w->texts;
		w->met[w->met_count++] = entry->claim;
	}
}

/* The claims that the text can be near to, in the order in which they were added. */
static void
meet(struct wording *w, const struct terms *terms)
{
	size_t kept = 0;

	if (w->indexed != w->count)
		make_index(w);
	w->met_count = 0;
	w->texts++;
	for (size_t i = 0; w->count > 0 && i < terms->count; i++)
		meet_term(w, terms->items[i].key);
	for (size_t i = 0; i < w->met_count; i++) {
		struct claim *claim = &w->claims[w->met[i]];

		claim->met = met_of(w, w->met[i], terms);
		if (claim->met / claim->weight >= WORDING_NEAR / 2)
			w->met[kept++] = w->met[i];
	}
	w->met_count = kept;
	if (kept > 1)
		qsort(w->met, kept, sizeof *w->met, by_number);
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
	meet(w, &terms);
	for (size_t k = 0; k < w->met_count; k++) {
		size_t i = w->met[k];

		if (w->claims[i].met / w->claims[i].weight <= out->score)
			continue;
		for (size_t first = 0; first < terms.count; first++)
			if (find_entry(w, terms.items[first].key, i) != NULL)
				try_stretch(w, i, &terms, first, out);
	}
	terms_release(&terms);
}
