/* Figures without a citation. */
#include <string.h>
#include <strings.h>

#include "drafts/lint_int.h"
#include "ingest/prose.h"

enum { SENTENCE_MAX = 2000 };

/* What a number behind these words counts is a place in a document, or a version. */
static const char *const places[] = {
	"section", "sections", "chapter", "table", "figure", "fig.", "step", "appendix", "page", "pages", "p.", "pp.", "no.",
	"number", "version", "item", "line", "lines", "issue", "phase", "part", "article", "clause", "level", "option",
	"request", "revision", "rev.", "rfc", "iso", "제", "표", "그림", "부록", "단계", "절", "장", "항", "버전", "쪽",
};

static const char *const months[] = {
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
};

/* Behind a Korean number these make a place or a date of it. */
static const char *const after_places[] = { "월", "장", "절", "항", "쪽", "분기", "차", "번째", "단계" };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_one_of(const char *word, size_t len, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) == len && strncasecmp(list[i], word, len) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(word, len, list) is_one_of(word, len, list, sizeof(list) / sizeof *(list))

/* The word before `at`, without what opens or ends. */
static const char *
word_before(const char *s, size_t at, size_t *len)
{
	size_t end = at, start;

	while (end > 0 && strchr(" \t\n([,", s[end - 1]) != NULL)
		end--;
	start = end;
	while (start > 0 && strchr(" \t\n([", s[start - 1]) == NULL)
		start--;
	*len = end - start;
	return s + start;
}

static const char *
word_after(const char *s, size_t at, size_t *len)
{
	at += strspn(s + at, " \t\n,.");
	*len = strcspn(s + at, " \t\n,.;:)");
	return s + at;
}

/* "1 December 2026", "July 31", "section 3.2", "table 2", "제3장", "10:30", "2026/12/01", "(2026-12". */
static bool
is_date_or_place(const char *s, size_t at, size_t word_end)
{
	size_t n = strspn(s + at, "0123456789"), len;
	const char *word = word_before(s, at, &len);
	size_t digits = at + n;

	if (IS_ONE_OF(word, len, places) || (n <= 2 && IS_ONE_OF(word, len, months)))
		return true;
	for (size_t i = 0; i < sizeof after_places / sizeof *after_places; i++)
		if (strncmp(s + digits, after_places[i], strlen(after_places[i])) == 0)
			return true;
	if (n <= 2 && s[digits] == ':' && is_digit(s[digits + 1]) && is_digit(s[digits + 2]))
		return true;
	if (n == 4 && (s[digits] == '/' || s[digits] == '-') && is_digit(s[digits + 1]) && is_digit(s[digits + 2]) &&
	    !is_digit(s[digits + 3]))
		return true;
	word = word_after(s, word_end, &len);
	return n <= 2 && word_end == digits + strspn(s + digits, "thsndr,.") && IS_ONE_OF(word, len, months);
}

static bool
is_address(const char *word, size_t len)
{
	for (size_t i = 0; i + 3 <= len; i++)
		if (memcmp(word + i, "://", 3) == 0)
			return true;
	return false;
}

/* What the customer said of themselves may be repeated. */
static bool
is_stated(const struct draft_lint *d, const struct figure *f)
{
	for (size_t i = 0; i < d->stated_count; i++)
		if (figure_fits(f, &d->stated[i]) == FIGURE_FITS)
			return true;
	return false;
}

/* The first link of a text that begins at the offset or behind it. */
static size_t
link_from(const struct markdown_text *text, size_t offset)
{
	size_t low = 0, high = text->link_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (text->links[middle]->start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Does a sentence end between the two places? */
static bool
ends_between(const char *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (strchr(".?!", s[i]) != NULL && i + 1 < to && (s[i + 1] == ' ' || s[i + 1] == '\n'))
			return true;
	return false;
}

/* A mark such as [S3][source.finding] behind it in the same sentence cites a figure, if it says the same. */
static bool
is_marked(const struct markdown_text *text, const struct figure *f, bool *differs)
{
	bool marked = false;

	*differs = false;
	for (size_t i = link_from(text, f->start + f->len); i < text->link_count; i++) {
		const struct markdown_link *link = text->links[i];
		struct cited c;

		if (link->start > f->start + SENTENCE_MAX || ends_between(text->s, f->start + f->len, link->start))
			break;
		if (link->len < 2 || text->s[link->start] != 'S' || !is_digit(text->s[link->start + 1]))
			continue;
		c = cited_read(link->destination, link->title);
		if (!c.has_value)
			continue;
		marked = true;
		if (figure_fits(f, &c.q) == FIGURE_FITS)
			return true;
	}
	*differs = marked;
	return marked;
}

static void
report(struct draft_lint *d, const struct markdown_text *text, const struct figure *f)
{
	struct place at = markdown_place(text, f->start);
	const char *shown = arena_strndup(d->a, text->s + f->start, f->len);

	if (!d->quantitative)
		lint_add(d, LINT_NO_EVIDENCE, at, d->archetype,
		    "there is no quantitative evidence about %s, so %s is not said", d->archetype, shown);
	else
		lint_add(d, LINT_UNCITED, at, NULL, "%s has no citation", shown);
}

/* A figure of a row that cites something else: is it one of what stands there? */
static void
check_in_row(struct draft_lint *d, const struct markdown_text *text, const struct figure *f, const struct cited_row *row)
{
	if (row->count > LINT_ROW_SECTIONS_MAX)
		return;
	for (size_t i = 0; i < row->count; i++)
		if (lint_section_holds(d, row->sections[i], f))
			return;
	if (!d->quantitative)
		report(d, text, f);
	else
		lint_add(d, LINT_DIFFERS, markdown_place(text, f->start), NULL,
		    "%s has no citation of its own, and what its row cites holds no such figure",
		    arena_strndup(d->a, text->s + f->start, f->len));
}

static void
check_figure(struct draft_lint *d, const struct markdown_text *text, const struct figure *f, const struct cited_row *row)
{
	bool differs;

	if (is_stated(d, f))
		return;
	if (row != NULL) {
		check_in_row(d, text, f, row);
		return;
	}
	if (is_marked(text, f, &differs)) {
		if (differs)
			lint_add(d, LINT_DIFFERS, markdown_place(text, f->start), NULL,
			    "%s is not what the source behind it says, nor rounded from it",
			    arena_strndup(d->a, text->s + f->start, f->len));
		return;
	}
	report(d, text, f);
}

/* Take out of the copy what a name covers from these digits on; false: no name does. */
static bool
take_name(const struct draft_lint *d, const struct markdown_text *text, char *copy, size_t at)
{
	size_t end = d->in_source ? names_cover(d->l->titles, text->s, text->len, at) : 0;

	if (end == 0)
		end = names_cover(d->l->names, text->s, text->len, at);
	if (end == 0)
		end = names_cover(d->own_names, text->s, text->len, at);
	if (end == 0)
		return false;
	memset(copy + at, ' ', end - at);
	return true;
}

void
lint_figures(struct draft_lint *d, const struct markdown_text *text, const struct cited_row *row)
{
	char *copy = arena_strndup(d->a, text->s, text->len);
	struct prose_scan scan = { copy, 0, false };
	size_t start, len;

	lint_citations(d, text, copy);
	while (!lint_is_over(d) && prose_next(&scan, &start, &len)) {
		size_t at = start, end = start + len;
		struct figure f;

		if (is_address(copy + start, len))
			continue;
		while (at < end && !is_digit(copy[at]))
			at++;
		if (at < end && take_name(d, text, copy, at)) {
			scan.at = start; /* the rest of the word may hold one */
			continue;
		}
		if (at < end && is_date_or_place(copy, at, end))
			continue;
		if (at == end || !figure_read(&f, copy, text->len, at)) {
			f = (struct figure){ .start = start, .len = len, .number = 0, .half = 0, .unit = NULL };
			if (row == NULL)
				report(d, text, &f);
			continue;
		}
		if (!lint_is_sum(d, &f))
			check_figure(d, text, &f, row);
		else
			lint_add(d, LINT_PHASES, markdown_place(text, f.start), NULL,
			    "%s is the sum of a prefill and a decode time: they are two figures",
			    arena_strndup(d->a, text->s + f.start, f.len));
		if (f.start + f.len > scan.at)
			scan.at = f.start + f.len;
	}
}
