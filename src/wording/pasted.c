#include "wording/pasted.h"

#include <string.h>

#include "wording/wording_int.h"

enum { BUCKETS = 1 << 14, ROW = 4 };

/* A row of terms of one sentence. */
struct row {
	uint64_t key;
	size_t sentence;
	long seen; /* the last text in which it was met */
	bool public;
	struct row *next;
};

struct sentence {
	const char *id;
	int rows, met;
	long seen;
	size_t first, last; /* bytes of the text at hand */
};

struct pasted {
	struct arena *arena;
	struct sentence *sentences;
	size_t count, cap;
	struct row *buckets[BUCKETS];
	long round;
};

struct pasted *
pasted_open(struct arena *a)
{
	struct pasted *p = arena_alloc(a, sizeof *p);

	p->arena = a;
	return p;
}

static struct sentence *
new_sentence(struct pasted *p, const char *id)
{
	if (p->count == p->cap) {
		struct sentence *larger = arena_alloc(p->arena, (p->cap = p->cap * 2 + 64) * sizeof *larger);

		if (p->count > 0)
			memcpy(larger, p->sentences, p->count * sizeof *larger);
		p->sentences = larger;
	}
	p->sentences[p->count] = (struct sentence){ .id = id };
	return &p->sentences[p->count++];
}

/* The row that begins with the term i, or 0: the sentence ends before it is whole. */
static uint64_t
row_at(const struct terms *terms, size_t i)
{
	uint64_t key = 0;

	if (terms->count - i < ROW)
		return 0;
	for (size_t k = i; k < i + ROW; k++) {
		if (terms->items[k].key == TERM_STOP || terms->items[k].key == TERM_QUESTION)
			return 0;
		key = (key ^ terms->items[k].key) * UINT64_C(0x9E3779B97F4A7C15);
		key ^= key >> 29;
	}
	return key | 1;
}

static void
add_sentence(struct pasted *p, const char *id, const char *text, size_t len)
{
	struct terms terms = TERMS_INIT;
	struct sentence *s;

	terms_read(&terms, text, len);
	if (terms.count < ROW + PASTED_LEAST - 1) {
		terms_release(&terms);
		return;
	}
	s = new_sentence(p, id);
	for (size_t i = 0; i < terms.count; i++) {
		uint64_t key = row_at(&terms, i);
		struct row *row, **bucket = &p->buckets[key % BUCKETS];

		if (key == 0)
			continue;
		row = arena_alloc(p->arena, sizeof *row);
		*row = (struct row){ key, p->count - 1, 0, false, *bucket };
		*bucket = row;
		s->rows++;
	}
	if (s->rows < PASTED_LEAST)
		s->id = NULL;
	terms_release(&terms);
}

/* The end of the sentence or of what stands before a figure; *next is where to go on. */
static size_t
sentence_end(const char *text, size_t from, size_t len, size_t *next)
{
	for (size_t i = from; i < len; i++) {
		if (text[i] == '$' && i + 1 < len && text[i + 1] == '{') {
			const char *close = memchr(text + i, '}', len - i);

			*next = close == NULL ? len : (size_t)(close - text) + 1;
			return i;
		}
		if (strchr(".?!;:", text[i]) != NULL && (i + 1 == len || text[i + 1] == ' ' || text[i + 1] == '\n')) {
			*next = i + 1;
			return i;
		}
	}
	*next = len;
	return len;
}

void
pasted_add(struct pasted *p, const char *id, const char *text, size_t len)
{
	const char *copy = arena_strdup(p->arena, id);

	for (size_t from = 0, next; from < len; from = next)
		add_sentence(p, copy, text + from, sentence_end(text, from, len, &next) - from);
}

void
pasted_except(struct pasted *p, const char *text, size_t len)
{
	struct terms terms = TERMS_INIT;

	terms_read(&terms, text, len);
	for (size_t i = 0; i < terms.count; i++) {
		uint64_t key = row_at(&terms, i);

		for (struct row *row = key == 0 ? NULL : p->buckets[key % BUCKETS]; row != NULL; row = row->next) {
			if (row->key != key || row->public)
				continue;
			row->public = true;
			if (--p->sentences[row->sentence].rows < PASTED_LEAST)
				p->sentences[row->sentence].id = NULL;
		}
	}
	terms_release(&terms);
}

static void
meet(struct pasted *p, struct row *row, const struct terms *terms, size_t i)
{
	struct sentence *s = &p->sentences[row->sentence];

	if (row->seen == p->round)
		return;
	row->seen = p->round;
	if (s->seen != p->round) {
		s->seen = p->round;
		s->met = 0;
		s->first = terms->items[i].start;
	}
	s->met++;
	s->last = terms->items[i + ROW - 1].end;
}

void
pasted_find(struct pasted *p, const char *text, size_t len, struct pasted_match *out)
{
	struct terms terms = TERMS_INIT;

	*out = (struct pasted_match){ NULL, 0, 0, 0 };
	p->round++;
	terms_read(&terms, text, len);
	for (size_t i = 0; i < terms.count; i++) {
		uint64_t key = row_at(&terms, i);

		for (struct row *row = key == 0 ? NULL : p->buckets[key % BUCKETS]; row != NULL; row = row->next) {
			struct sentence *s = &p->sentences[row->sentence];

			if (row->key != key || row->public || s->id == NULL)
				continue;
			meet(p, row, &terms, i);
			if ((double)s->met / s->rows <= out->share || s->met < PASTED_NEAR * s->rows)
				continue;
			*out = (struct pasted_match){ s->id, (double)s->met / s->rows, s->first, s->last - s->first };
		}
	}
	terms_release(&terms);
}
