/* Prefill and decode are two phases: no figure is both. */
#include <string.h>
#include <strings.h>

#include "drafts/lint_int.h"
#include "ingest/prose.h"

enum { JOINED = 16 }; /* bytes between the two words: " and the ", "과 " */

static const char *const prefill_words[] = { "prefill", "ttft", "time to first token", "first token", "프리필",
	"첫 token", "첫 토큰" };
static const char *const decode_words[] = { "decode", "decoding", "tpot", "time per output token", "디코드", "디코딩" };
static const char *const joins[] = { " and ", "+", "&", "/", " plus ", "및", "와 ", "과 ", "플러스" };
static const char *const wholes[] = { "total", "combined", "together", "end-to-end", "end to end", "overall", "in all",
	"sum of", "added up", "합계", "합쳐", "합치면", "합한", "더하면", "더한", "통틀어", "종단" };

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The first of the words in s[0..len), or NULL; *n: its length. */
static const char *
find_any(const char *s, size_t len, const char *const *words, size_t count, size_t *n)
{
	const char *first = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(words[i]);

		for (size_t k = 0; k + length <= len && (first == NULL || s + k < first); k++)
			if ((s[k] | 0x20) == (words[i][0] | 0x20) && strncasecmp(s + k, words[i], length) == 0) {
				first = s + k;
				*n = length;
			}
	}
	return first;
}

/* Do the two words name one thing: "prefill and decode", "prefill+decode", "prefill과 decode"? */
static bool
are_joined(const char *a, size_t a_len, const char *b, size_t b_len)
{
	const char *from = a < b ? a + a_len : b + b_len, *to = a < b ? b : a;
	size_t n;

	return to >= from && to - from <= JOINED && find_any(from, (size_t)(to - from), joins, COUNT(joins), &n) != NULL;
}

/* How many times (2.7 s, 40 ms) the sentence has; *at: where the first is. */
static int
count_times(const char *sentence, size_t *at)
{
	struct prose_scan scan = { sentence, 0, false };
	size_t start, len;
	int count = 0;

	while (prose_next(&scan, &start, &len)) {
		size_t digit = start + strcspn(sentence + start, "0123456789");
		struct figure f;

		if (!figure_read(&f, sentence, strlen(sentence), digit))
			continue;
		scan.at = f.start + f.len > scan.at ? f.start + f.len : scan.at;
		if (f.unit == NULL || f.unit->dimension != DIM_SECONDS)
			continue;
		if (count++ == 0)
			*at = digit;
	}
	return count;
}

static void
check_sentence(struct draft_lint *d, const struct passage *p, size_t from, size_t len)
{
	const char *s = p->s.s + from;
	size_t a_len, b_len, n, at;
	const char *a = find_any(s, len, prefill_words, COUNT(prefill_words), &a_len);
	const char *b = a == NULL ? NULL : find_any(s, len, decode_words, COUNT(decode_words), &b_len);

	if (b == NULL)
		return;
	if (!are_joined(a, a_len, b, b_len) && find_any(s, len, wholes, COUNT(wholes), &n) == NULL)
		return;
	if (count_times(arena_strndup(d->a, s, len), &at) == 1)
		lint_add(d, LINT_PHASES, passage_place(p, from + at), NULL,
		    "one time stands for prefill and decode together: they are two figures");
}

void
lint_phases(struct draft_lint *d, const struct passage *p)
{
	const char *s = p->s.s;

	for (size_t from = 0, i = 0; !lint_is_over(d) && i <= p->s.len; i++) {
		bool ends = i == p->s.len || (strchr(".?!;", s[i]) != NULL && (s[i + 1] == ' ' || s[i + 1] == '\n'));

		if (!ends)
			continue;
		if (i > from)
			check_sentence(d, p, from, i - from);
		from = i + 1;
	}
}

/* ---- by arithmetic ---- */

static struct phases *
phases_of(struct draft_lint *d, const char *label, size_t len)
{
	for (size_t i = 0; i < d->phase_count; i++)
		if (strlen(d->phases[i].workload) == len && strncmp(d->phases[i].workload, label, len) == 0)
			return &d->phases[i];
	if (d->phase_count == LINT_WORKLOADS_MAX)
		return NULL;
	d->phases[d->phase_count].workload = arena_strndup(d->a, label, len);
	return &d->phases[d->phase_count++];
}

static bool
ends_in(const char *label, const char *key, size_t *workload)
{
	size_t n = strlen(label), k = strlen(key);

	*workload = n - k;
	return n > k && strcmp(label + n - k, key) == 0;
}

void
lint_gather_phases(struct draft_lint *d)
{
	for (size_t i = 0; i < d->m->reference_count; i++) {
		const struct markdown_reference *r = &d->m->references[i];
		struct cited c = cited_read(r->destination, r->title);
		struct phases *phases;
		size_t n;

		if (!c.has_value)
			continue;
		if (ends_in(r->label, ".prefill.seconds", &n) && (phases = phases_of(d, r->label, n)) != NULL)
			phases->prefill = c.q.value;
		else if (ends_in(r->label, ".decode.step_seconds", &n) && (phases = phases_of(d, r->label, n)) != NULL)
			phases->step = c.q.value;
		else if (ends_in(r->label, ".in.output", &n) && (phases = phases_of(d, r->label, n)) != NULL)
			phases->tokens = c.q.value;
	}
}

static bool
fits_seconds(const struct figure *f, double seconds)
{
	const struct quantity q = { .value = seconds, .unit = unit_base(DIM_SECONDS) };

	return figure_fits(f, &q) == FIGURE_FITS;
}

/* With a step, or with the steps of the whole answer; a figure that is one of the two alone is none. */
bool
lint_is_sum(const struct draft_lint *d, const struct figure *f)
{
	bool sum = false;

	if (f->unit == NULL || f->unit->dimension != DIM_SECONDS)
		return false;
	for (size_t i = 0; i < d->phase_count; i++) {
		const struct phases *p = &d->phases[i];

		if (fits_seconds(f, p->prefill) || fits_seconds(f, p->step))
			return false;
		if (p->prefill > 0 && p->step > 0)
			sum |= fits_seconds(f, p->prefill + p->step) ||
			    (p->tokens > 0 && fits_seconds(f, p->prefill + p->step * p->tokens));
	}
	return sum;
}
