/*
 * What a claim and a finding are limited to. A finding may declare it (`about`); else the machines
 * and models that their English texts name tell, since a text that names one H100 and one that
 * names a phone do not speak of the same thing. A name counts only where it has a digit: words such
 * as a family's name stand for several records, or for none.
 */
#include "ingest/write_int.h"

#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "sql.h"
#include "util/buf.h"

struct name {
	const char *words; /* "llama 3.1 70b": lower case, one blank between two words */
	size_t first;      /* length of the first word */
	const struct record *record;
};

struct names {
	struct name *items;
	size_t count;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || (c & 0x80) != 0;
}

static bool
is_point(const char *p)
{
	return *p == '.' && is_digit(p[-1]) && is_digit(p[1]);
}

/*
 * Append the words of a text, each followed by a blank. A figure's name is no word of it. A point between
 * digits is part of its word: version 5 is not what 5.3 is called after.
 */
static void
add_words(struct buf *out, const char *text)
{
	while (*text != '\0') {
		const char *begin;

		if (text[0] == '$' && text[1] == '{') {
			text += strcspn(text, "}");
			continue;
		}
		for (begin = text; is_word(*text) || (text > begin && is_point(text)); text++)
			buf_putc(out, *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text);
		if (text > begin)
			buf_putc(out, ' ');
		else
			text++;
	}
}

static bool
is_named_thing(const struct record *r)
{
	return r->kind->id == KIND_ACCELERATOR || r->kind->id == KIND_MODEL;
}

static int
by_words(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->words, ((const struct name *)b)->words);
}

struct names *
write_names(struct writer *w)
{
	struct names *names = arena_alloc(&w->arena, sizeof *names);
	struct buf words = BUF_INIT;

	names->items = arena_alloc(&w->arena, (w->set->name_count + 1) * sizeof *names->items);
	for (size_t i = 0; i < w->set->name_count; i++) {
		const struct set_name *n = &w->set->names[i];

		if (!is_named_thing(n->record) || strpbrk(n->name, "0123456789") == NULL)
			continue;
		buf_clear(&words);
		add_words(&words, n->name);
		if (words.len > 0)
			names->items[names->count++] = (struct name){ arena_strdup(&w->arena, words.s),
				strcspn(words.s, " "), n->record };
	}
	qsort(names->items, names->count, sizeof *names->items, by_words);
	buf_release(&words);
	return names;
}

static void
put(struct writer *w, const char *ref, const struct record *about)
{
	if (w->rc == OK)
		w->rc = db_run(w->db, INGEST_SCOPE, w->e, "sss", ref, about->kind->name, about->id);
}

/* The first name that does not come before this word. */
static size_t
lower_bound(const struct names *names, const char *word, size_t len)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strncmp(names->items[mid].words, word, len + 1) < 0) /* with the blank behind the word */
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Every name that begins at a word of the text; of two that begin at one, the longer: an H100 PCIe is no H100. */
static void
put_named(struct writer *w, const struct names *names, const char *ref, const char *words)
{
	for (size_t len; *words != '\0'; words += len + 1) {
		const struct name *longest = NULL;

		len = strcspn(words, " ");
		for (size_t i = lower_bound(names, words, len); i < names->count; i++) {
			const struct name *n = &names->items[i];

			if (n->first != len || strncmp(n->words, words, len) != 0)
				break;
			if (strncmp(words, n->words, strlen(n->words)) == 0 &&
			    (longest == NULL || strlen(n->words) > strlen(longest->words)))
				longest = n;
		}
		if (longest != NULL)
			put(w, ref, longest->record);
	}
}

static void
add_text(struct buf *words, const struct val *text)
{
	if (val_get_text(text, "en") != NULL)
		add_words(words, val_get_text(text, "en"));
}

static void
write_finding(struct writer *w, const struct names *names, const struct val *source, const struct val *finding)
{
	const char *ref = arena_printf(&w->arena, "%s.%s", val_get_text(source, "id"), val_get_text(finding, "id"));
	const struct val *about = val_get(finding, "about");
	struct buf words = BUF_INIT;

	add_text(&words, val_get(source, "environment"));
	add_text(&words, val_get(finding, "says"));
	add_text(&words, val_get(finding, "conditions"));
	if (about == NULL)
		put_named(w, names, ref, words.s);
	for (size_t i = 0; i < val_count(about); i++)
		put(w, ref, set_find(w->set, about->list.items[i]->str.text));
	buf_release(&words);
}

void
write_scope(struct writer *w, const struct names *names, const struct record *r, const struct val *body)
{
	const struct val *findings = val_get(body, "findings");
	struct buf words = BUF_INIT;

	for (size_t i = 0; i < val_count(findings); i++)
		write_finding(w, names, body, findings->list.items[i]);
	if (r->kind->id != KIND_CLAIM)
		return;
	add_text(&words, val_get(body, "statement"));
	add_text(&words, val_get(body, "conditions"));
	put_named(w, names, r->id, words.s);
	buf_release(&words);
}
