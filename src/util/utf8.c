#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

size_t
utf8_decode(const char *s, size_t n, uint32_t *out)
{
	const unsigned char *p = (const unsigned char *)s;
	utf8proc_int32_t cp;
	utf8proc_ssize_t len;

	if (n == 0)
		return 0;
	if (p[0] < 0x80) {
		*out = p[0];
		return 1;
	}
	len = utf8proc_iterate(p, n > 4 ? 4 : (utf8proc_ssize_t)n, &cp);
	if (len <= 0)
		return 0;
	*out = (uint32_t)cp;
	return (size_t)len;
}

void
utf8_append(struct buf *b, uint32_t code_point)
{
	utf8proc_uint8_t bytes[4];
	utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)code_point, bytes);

	buf_add(b, (const char *)bytes, (size_t)n);
}

size_t
utf8_count(const char *s, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (((unsigned char)s[i] & 0xC0) != 0x80)
			count++;
	return count;
}

size_t
utf8_bom(const char *text, size_t len)
{
	return len >= 3 && memcmp(text, UTF8_BOM, 3) == 0 ? 3 : 0;
}

/* Why a code point may not stand in a text, or NULL. */
static const char *
unfit(uint32_t cp)
{
	if (cp == 0)
		return "a NUL character";
	if ((cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') || cp == 0x7F ||
	    (cp >= 0x80 && cp < 0xA0))
		return "a control character";
	if ((cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069))
		return "a character that overrides the direction of text";
	if (cp == 0x2028 || cp == 0x2029)
		return "a Unicode line or paragraph separator";
	if (cp == 0xFEFF)
		return "a byte order mark inside the text";
	if (cp == 0xFFFE || cp == 0xFFFF)
		return "a code point that is no character";
	return NULL;
}

/* How many marks stand in a row up to this code point, where `before` did before it. */
static int
count_marks(int before, uint32_t cp)
{
	bool mark = cp >= 0x300 && utf8proc_get_property((utf8proc_int32_t)cp)->combining_class != 0;

	return mark ? before + 1 : 0;
}

int
utf8_check(const char *text, size_t len, const char *file, struct err *e)
{
	struct place at = { file, 1, 1 };
	int marks = 0;

	for (size_t i = utf8_bom(text, len); i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);
		const char *why;

		if (n == 0)
			return err_at(e, ERR_INPUT, at, "expected UTF-8, found the byte 0x%02X",
			    (unsigned char)text[i]);
		why = unfit(cp);
		if (cp == '\r' && (i + 1 == len || text[i + 1] != '\n'))
			why = "a carriage return that ends no line";
		if (why != NULL)
			return err_at(e, ERR_INPUT, at, "expected plain text, found %s (U+%04X)", why,
			    (unsigned)cp);
		marks = count_marks(marks, cp);
		if (marks > UTF8_MAX_MARKS)
			return err_at(e, ERR_INPUT, at, "expected at most %d accents on one letter", UTF8_MAX_MARKS);
		i += n;
		if (cp == '\n') {
			at.line++;
			at.column = 1;
		} else {
			at.column++;
		}
	}
	return OK;
}

/* Three bytes from U+AC00 to U+D7A3. */
static bool
is_syllable(const unsigned char *s)
{
	return (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80 && (s[0] > 0xEA || (s[0] == 0xEA && s[1] >= 0xB0)) &&
	    (s[0] < 0xED || (s[0] == 0xED && (s[1] < 0x9E || (s[1] == 0x9E && s[2] <= 0xA3))));
}

bool
utf8_is_plain(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	for (size_t i = 0; i < len; i++) {
		if (s[i] < 0x80)
			continue;
		if (len - i < 3 || !is_syllable(s + i))
			return false;
		i += 2;
	}
	return true;
}

/* utf8proc_map into the arena; a text that was checked cannot fail but for memory. */
static const char *
map_into(struct arena *a, const char *text, size_t len, utf8proc_option_t options, size_t *out_len)
{
	utf8proc_uint8_t *mapped = NULL;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len,
	    &mapped, options);
	const char *copy;

	if (n < 0)
		abort();
	copy = arena_strndup(a, (const char *)mapped, (size_t)n);
	free(mapped);
	if (out_len != NULL)
		*out_len = (size_t)n;
	return copy;
}

const char *
utf8_nfc(struct arena *a, const char *text, size_t len, size_t *out_len)
{
	if (!utf8_is_plain(text, len))
		return map_into(a, text, len, UTF8PROC_STABLE | UTF8PROC_COMPOSE, out_len);
	if (out_len != NULL)
		*out_len = len;
	return arena_strndup(a, text, len);
}

/* Bytes up to where the next character begins. */
static size_t
cluster_length(const char *text, size_t len)
{
	utf8proc_int32_t state = 0;
	uint32_t before = 0, cp = 0;
	size_t at = utf8_decode(text, len, &before);

	while (at < len) {
		size_t n;

		if ((unsigned char)text[at] < 0x80 && before != '\r')
			break; /* begins one, whatever stands before; most do */
		n = utf8_decode(text + at, len - at, &cp);
		if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)cp, &state))
			break;
		before = cp;
		at += n;
	}
	return at;
}

struct utf8_cluster
utf8_cluster(const char *text, size_t len)
{
	struct utf8_cluster c = { .len = cluster_length(text, len) };
	utf8proc_uint8_t *mapped = NULL;
	utf8proc_ssize_t n;

	c.points = c.composed = utf8_count(text, c.len);
	if (utf8_is_plain(text, c.len))
		return c;
	n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)c.len, &mapped,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	if (n < 0)
		abort();
	c.composed = utf8_count((const char *)mapped, (size_t)n);
	c.changes = (size_t)n != c.len || memcmp(mapped, text, c.len) != 0;
	free(mapped);
	return c;
}

static bool
is_composed(const char *text, size_t len)
{
	struct arena a = ARENA_INIT;
	size_t n = len;
	bool same = utf8_is_plain(text, len);

	if (!same) {
		const char *nfc = utf8_nfc(&a, text, len, &n);

		same = n == len && memcmp(nfc, text, len) == 0;
	}
	arena_release(&a);
	return same;
}

struct place
utf8_decomposed(const char *text, size_t len, const char *file)
{
	struct place at = { file, 1, 1 };

	if (is_composed(text, len))
		return (struct place){ file, 0, 0 };
	for (size_t i = utf8_bom(text, len); i < len;) {
		struct utf8_cluster c = utf8_cluster(text + i, len - i);

		if (c.changes)
			break;
		i += c.len;
		at.column += (int)c.points;
		if (text[i - 1] == '\n')
			at = (struct place){ file, at.line + 1, 1 };
	}
	return at;
}

const char *
utf8_fold(struct arena *a, const char *text, size_t len, size_t *out_len)
{
	size_t n = len, w = 0;
	bool plain = utf8_is_plain(text, len);
	const char *mapped = plain ? text : map_into(a, text, len,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE, &n);
	char *folded = arena_alloc(a, n + 1);

	for (size_t i = 0; i < n; i++) {
		bool blank = mapped[i] == ' ' || mapped[i] == '\t' || mapped[i] == '\n' ||
		    mapped[i] == '\r';

		if (!blank)
			folded[w++] = plain && mapped[i] >= 'A' && mapped[i] <= 'Z' ? (char)(mapped[i] + 'a' - 'A') : mapped[i];
		else if (w > 0 && folded[w - 1] != ' ')
			folded[w++] = ' ';
	}
	if (w > 0 && folded[w - 1] == ' ')
		w--;
	folded[w] = '\0';
	if (out_len != NULL)
		*out_len = w;
	return folded;
}

int
utf8_char_width(uint32_t code_point)
{
	return utf8proc_charwidth((utf8proc_int32_t)code_point);
}

int
utf8_width(const char *text, size_t len)
{
	int width = 0;

	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0)
			return width;
		width += utf8_char_width(cp);
		i += n;
	}
	return width;
}

bool
utf8_is_hangul(uint32_t cp)
{
	return (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0x1100 && cp <= 0x11FF) ||
	    (cp >= 0x3130 && cp <= 0x318F) || (cp >= 0xA960 && cp <= 0xA97F) ||
	    (cp >= 0xD7B0 && cp <= 0xD7FF);
}

bool
utf8_is_invisible(uint32_t cp)
{
	return cp == 0x034F || utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_CF;
}

bool
utf8_is_word(uint32_t cp)
{
	switch (utf8proc_category((utf8proc_int32_t)cp)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return true;
	default:
		return false;
	}
}
