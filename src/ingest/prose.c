#include "ingest/prose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/forms.h"
#include "quantity/quantity.h"
#include "util/utf8.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_latin(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Replace every ${name} by blanks, and report those that are unknown or not closed. */
static void
blank_placeholders(struct errs *errs, const struct val *text, char *s, prose_known_fn known,
    void *context)
{
	char name[80];

	for (char *p = s; (p = strstr(p, "${")) != NULL;) {
		size_t n = strcspn(p + 2, "} \n${");

		if (p[2 + n] != '}' || n == 0 || n >= sizeof name) {
			errs_add(errs, text->at, "expected ${name}, found `%.20s`", p);
			memset(p, ' ', 2);
			continue;
		}
		memcpy(name, p + 2, n);
		name[n] = '\0';
		if (!known(name, context))
			errs_add(errs, text->at, "expected one of this record's figures, found ${%s}", name);
		memset(p, ' ', n + 3);
	}
}

static void
blank_names(char *s, const struct val *names)
{
	for (size_t i = 0; i < val_count(names); i++) {
		const char *name = val_text(names->list.items[i]);
		size_t n = name == NULL ? 0 : strlen(name);

		for (char *p = s; n > 0 && (p = strstr(p, name)) != NULL; p += n)
			memset(p, ' ', n);
	}
}

/* 1990 to 2039: a number that a reader takes for a year. */
static bool
is_year(const char *s)
{
	int year = is_digit(s[0]) && is_digit(s[1]) && is_digit(s[2]) && is_digit(s[3]) ? atoi(s) : 0;

	return year >= 1990 && year <= 2039 && !is_digit(s[4]);
}

/* Behind a year: nothing, punctuation at the word's end, 's, or 년 with its particles. */
static bool
ends_year(const char *rest, size_t len)
{
	static const char *const marks[] = { "년", "’s", "'s", "–", "학년도", NULL };

	if (len == strspn(rest, ".,;:)?!\"'"))
		return true;
	for (int i = 0; marks[i] != NULL; i++)
		if (len >= strlen(marks[i]) && strncmp(rest, marks[i], strlen(marks[i])) == 0 &&
		    strcspn(rest, "0123456789") >= len)
			return true;
	return false;
}

/* A date at the start of a word; *dated carries over to the month and day of a Korean date. */
static bool
is_date(const char *word, size_t len, bool *dated)
{
	static const char *const year_mark = "년", *const month_mark = "월", *const day_mark = "일";
	size_t digits = strspn(word, "0123456789");
	char copy[11];

	if (is_year(word) && ends_year(word + 4, len - 4)) {
		*dated = strncmp(word + 4, year_mark, strlen(year_mark)) == 0;
		return true;
	}
	if (*dated && (digits == 1 || digits == 2) && atoi(word) >= 1 && atoi(word) <= 31) {
		if (strncmp(word + digits, month_mark, strlen(month_mark)) == 0)
			return atoi(word) <= 12;
		if (strncmp(word + digits, day_mark, strlen(day_mark)) == 0) {
			*dated = false;
			return true;
		}
	}
	if (len < 7 || word[4] != '-' || !is_year((char[5]){ word[0], word[1], word[2], word[3], 0 }))
		return false;
	digits = strspn(word, "0123456789-");
	if (digits != 7 && digits != 10)
		return false;
	memcpy(copy, word, digits);
	copy[digits] = '\0';
	return date_is_valid(copy, true);
}

/* Judge one word, stripped of the punctuation before it. */
static bool
word_is_fit(const char *word, size_t len, bool *dated)
{
	bool digit = false, latin = false;

	for (size_t i = 0; i < len; i++) {
		digit |= is_digit(word[i]);
		latin |= is_latin(word[i]);
	}
	if (!digit)
		return !quantity_is_figure(word, len);
	if (is_date(word, len, dated))
		return true;
	/* "ca.60", "KV-60%": letters before a figure do not make a name of it. */
	for (size_t i = 0; i + 1 < len; i++)
		if ((is_digit(word[i]) && word[i + 1] == '%') ||
		    (word[i] == '.' && is_digit(word[i + 1]) && i > 0 && is_latin(word[i - 1])))
			return false;
	return latin && !quantity_is_figure(word, len);
}

/* A year with a unit behind it is an amount: "2000 GB". */
static bool
is_amount(const char *word, size_t len)
{
	const char *next = word + len + strspn(word + len, " \t\r\n");
	size_t n = strcspn(next, " \t\r\n.,;:)");

	return len == 4 && is_year(word) && n > 0 && (unit_find(next, n) != NULL);
}

bool
prose_next(struct prose_scan *scan, size_t *start, size_t *len)
{
	static const char blank[] = " \t\r\n", opening[] = "(\"'[";

	for (;;) {
		const char *word = scan->s + scan->at;
		size_t n;

		word += strspn(word, blank);
		word += strspn(word, opening);
		n = strcspn(word, blank);
		if (n == 0 && *word == '\0')
			return false;
		scan->at = (size_t)(word - scan->s) + n;
		if (n == 0 || (word_is_fit(word, n, &scan->dated) && !is_amount(word, n)))
			continue;
		*start = (size_t)(word - scan->s);
		*len = n;
		return true;
	}
}

void
prose_check(struct errs *errs, const struct val *text, const struct val *names,
    prose_known_fn known, void *context)
{
	struct arena scratch = ARENA_INIT;
	char *s = arena_strndup(&scratch, text->str.text, text->str.len);
	struct prose_scan scan = { s, 0, false };
	size_t start, len;

	blank_placeholders(errs, text, s, known, context);
	blank_names(s, names);
	while (prose_next(&scan, &start, &len))
		errs_add(errs, text->at,
		    "expected a figure as ${name} with its finding, found `%.*s` in the text",
		    len > 40 ? 40 : (int)len, s + start);
	arena_release(&scratch);
}
