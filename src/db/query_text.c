#include "db/query_text.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "util/utf8.h"

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	    (unsigned char)c >= 0x80;
}

/* Behind a comment that begins here; here, if none does. One that is not closed runs to the end. */
static const char *
skip_comment(const char *s)
{
	const char *end = NULL;

	if (s[0] == '-' && s[1] == '-')
		return s + strcspn(s, "\n");
	if (s[0] != '/' || s[1] != '*')
		return s;
	end = strstr(s + 2, "*/");
	return end != NULL ? end + 2 : s + strlen(s);
}

static const char *
skip_quoted(const char *s)
{
	char close = *s == '[' ? ']' : *s;

	for (s++; *s != '\0'; s++) {
		if (*s != close)
			continue;
		if (close == ']' || s[1] != close)
			return s + 1;
		s++; /* a quote that stands twice is one within */
	}
	return s;
}

const char *
query_text_token(const char *sql, const char **end)
{
	const char *s = sql, *before;

	do {
		before = s;
		s += strspn(s, " \t\r\n\f;");
		s = skip_comment(s);
	} while (s != before);
	*end = s;
	if (*s == '\0')
		return s;
	if (strchr("'\"`[", *s) != NULL)
		*end = skip_quoted(s);
	else if (is_word(*s))
		while (is_word(**end))
			++*end;
	else
		++*end;
	return s;
}

const char *
query_text_find(const char *sql, const char *word)
{
	size_t n = strlen(word);
	bool beginning = n > 0 && word[n - 1] == '_';
	const char *end, *s;

	for (s = query_text_token(sql, &end); s != end; s = query_text_token(end, &end)) {
		bool quoted = strchr("\"`[", *s) != NULL;
		const char *inner = s + quoted;
		size_t len = (size_t)(end - inner) - (quoted && end > inner);

		if ((beginning ? len >= n : len == n) && strncasecmp(inner, word, n) == 0)
			return s;
	}
	return NULL;
}

struct place
query_text_place(const char *sql, const char *at, const char *name)
{
	struct place place = { name, 1, 1 };
	const char *line = sql, *end;

	if (at == NULL)
		at = query_text_token(sql, &end);
	for (const char *s = sql; s < at; s++) {
		if (*s != '\n')
			continue;
		place.line++;
		line = s + 1;
	}
	place.column += (int)utf8_count(line, (size_t)(at - line));
	return place;
}
