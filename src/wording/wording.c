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

/* A little less than a bound, for the rounding of sums in another order. */
static const double SLACK = 0.99;

/* A term of a claim. */
struct entry {
	uint64_t key;
	double weight;
	size_t claim;
	size_t claims; /* that have such a term */
	bool common;   /* left out of the index */
	long seen;     /* the last claim or stretch looked at in which it was met */
	struct entry *sibling; /* of the same claim */
};

/* A term in the index, and what it leads to. */
struct posting {
	size_t claim;
	double weight;
};

struct slot {
	uint64_t key;
	const struct posting *postings; /* NULL: the slot is free */
	size_t count;
	long seen; /* the last text that has the term */
};

struct claim {
	const char *id;
	double weight; /* of all its terms */
	int words;
	bool denies, share;
	double met; /* weight of its terms in the text at hand */
	double common; /* of those that the index leaves out */
	long seen;     /* the last text that has one of the others */
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
	long round; /* counts texts, claims and stretches looked at */
	/* The index, made anew when claims were added: a table with open addressing by key. */
	struct slot *slots;
	size_t slot_count; /* a power of two, at least twice the keys */
	size_t indexed;    /* claims in it */
	size_t *met;       /* the claims that the text at hand may be near to */
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

/* Where the entries end that share the key of the first. */
static size_t
end_of_run(struct entry *const *sorted, size_t from, size_t n)
{
	size_t end = from;

	while (end < n && sorted[end]->key == sorted[from]->key)
		end++;
	return end;
}

/* All entries by key, each with how many claims have it. */
static void
sort_entries(const struct wording *w, struct entry **all)
{
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++)
		n += list_entries(all + n, &w->claims[i]);
	if (n > 1)
		qsort(all, n, sizeof *all, by_key);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_run(all, i, n);
		for (size_t k = i; k < end; k++)
			all[k]->claims = end - i;
	}
}

/*
 * What a claim has in common with many others would lead from every text to all of them. A text that holds
 * only the most common terms of a claim, and of these no more than half of what makes it near, need not be held
 * against it: the index leaves those out.
 */
static void
mark_common(struct claim *claim, struct entry **room)
{
	size_t n = list_entries(room, claim), i = 0;

	if (n > 1)
		qsort(room, n, sizeof *room, by_commonness);
	claim->common = 0;
	while (i < n && claim->common + room[i]->weight < WORDING_NEAR / 4 * claim->weight) {
		room[i]->common = true;
		claim->common += room[i++]->weight;
	}
	for (; i < n; i++)
		room[i]->common = false;
}

/* The slot of a key, or the free one where it would be. */
static struct slot *
find_slot(const struct wording *w, uint64_t key)
{
	size_t i = (size_t)(key ^ key >> 32) & (w->slot_count - 1);

	while (w->slots[i].postings != NULL && w->slots[i].key != key)
		i = (i + 1) & (w->slot_count - 1);
	return &w->slots[i];
}

static void
make_index(struct wording *w)
{
	struct entry **all = arena_alloc(w->arena, 2 * (w->entries + 1) * sizeof *all), **room = all + w->entries + 1;
	struct posting *postings = arena_alloc(w->arena, (w->entries + 1) * sizeof *postings), *next = postings;

	w->met = arena_alloc(w->arena, (w->count + 1) * sizeof *w->met);
	for (w->slot_count = 64; w->slot_count < 2 * w->entries; w->slot_count *= 2)
		continue;
	w->slots = arena_alloc(w->arena, w->slot_count * sizeof *w->slots);
	sort_entries(w, all);
	for (size_t i = 0; i < w->count; i++)
		mark_common(&w->claims[i], room);
	for (size_t i = 0, end; i < w->entries; i = end) {
		const struct posting *first = next;

		end = end_of_run(all, i, w->entries);
		for (size_t k = i; k < end; k++)
			if (!all[k]->common)
				*next++ = (struct posting){ all[k]->claim, all[k]->weight };
		if (next > first)
			*find_slot(w, all[i]->key) = (struct slot){ all[i]->key, first, (size_t)(next - first), 0 };
	}
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

/* Of the claims that have the term: what of them is met, as if all that the index leaves out were. */
static void
meet_term(struct wording *w, uint64_t key)
{
	struct slot *slot = find_slot(w, key);

	if (slot->postings == NULL || slot->seen == w->round)
		return;
	slot->seen = w->round;
	for (size_t i = 0; i < slot->count; i++) {
		const struct posting *p = &slot->postings[i];
		struct claim *claim = &w->claims[p->claim];

		if (claim->seen != w->round) {
			claim->seen = w->round;
			claim->met = claim->common;
			w->met[w->met_count++] = p->claim;
		}
		claim->met += p->weight;
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
	w->round++;
	for (size_t i = 0; w->count > 0 && i < terms->count; i++)
		meet_term(w, terms->items[i].key);
	for (size_t i = 0; i < w->met_count; i++) {
		struct claim *claim = &w->claims[w->met[i]];

		if (claim->met < SLACK * WORDING_NEAR / 2 * claim->weight)
			continue;
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
