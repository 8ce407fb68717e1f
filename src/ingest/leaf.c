#include "ingest/leaf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ingest/forms.h"
#include "sizing/sizing.h"
#include "util/buf.h"

enum { ID_MAX = 80, STRING_MAX = 600, TEXT_MAX = 4000 };

/* Show at most the beginning of what was found. */
static void
expected(struct errs *errs, const struct val *v, const char *what)
{
	if (!val_is(v, VAL_STR))
		errs_add(errs, v->at, "expected %s, found %s", what, val_kind_name(v->kind));
	else
		errs_add(errs, v->at, "expected %s, found `%.60s`", what, v->str.text);
}

enum { ID_DOTS = 1, ID_ANY_CASE = 2 };

static bool
is_id_character(char c, int flags)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	    ((flags & ID_ANY_CASE) && c >= 'A' && c <= 'Z');
}

static bool
is_id(const char *s, int flags)
{
	size_t n = strlen(s);

	if (n == 0 || n > ID_MAX || !is_id_character(s[0], flags))
		return false;
	for (; *s != '\0'; s++)
		if (!(is_id_character(*s, flags) || *s == '-' ||
		    ((flags & ID_DOTS) && *s == '.' && s[1] != '.' && s[1] != '\0')))
			return false;
	return true;
}

/* `dots` names joined by dots; each part an id, the first may hold dots itself. */
static bool
is_reference(const char *s, int dots)
{
	char part[ID_MAX + 2];
	size_t n = strlen(s);

	for (int i = 0; i < dots; i++) {
		const char *dot = NULL;

		for (size_t k = 0; k < n; k++)
			if (s[k] == '.')
				dot = s + k;
		if (dot == NULL || n - (size_t)(dot - s) - 1 > ID_MAX)
			return false;
		snprintf(part, sizeof part, "%.*s", (int)(n - (size_t)(dot - s) - 1), dot + 1);
		for (char *c = part; *c != '\0'; c++)
			if (*c == '_')
				*c = '-'; /* non_negotiables */
		if (!is_id(part, 0))
			return false;
		n = (size_t)(dot - s);
	}
	if (n == 0 || n > ID_MAX)
		return false;
	snprintf(part, sizeof part, "%.*s", (int)n, s);
	return is_id(part, ID_DOTS);
}

/* Of the web, in one piece, and with nothing that would end a link in Markdown. */
static bool
is_url(const char *s)
{
	size_t scheme = strncmp(s, "https://", 8) == 0 ? 8 : strncmp(s, "http://", 7) == 0 ? 7 : 0;

	return scheme > 0 && s[scheme] != '\0' && strlen(s) <= STRING_MAX &&
	    strcspn(s, " \t\n<>\"`\\") == strlen(s);
}

static bool
check_text(const struct val *v, struct errs *errs)
{
	size_t languages = 0;

	if (!val_is(v, VAL_MAP)) {
		expected(errs, v, "a text {en: ..., ko: ...}");
		return false;
	}
	for (size_t i = 0; i < v->map.count; i++) {
		const struct val_entry *entry = &v->map.entries[i];

		if (strcmp(entry->key, "en") != 0 && strcmp(entry->key, "ko") != 0) {
			errs_add(errs, entry->at, "expected the languages en and ko, found `%s`", entry->key);
			return false;
		}
		if (!val_is(entry->value, VAL_STR) || entry->value->str.len == 0) {
			expected(errs, entry->value, "a sentence or a name");
			return false;
		}
		if (entry->value->str.len > TEXT_MAX) {
			errs_add(errs, entry->value->at, "expected at most %d bytes of text, found %zu",
			    TEXT_MAX, entry->value->str.len);
			return false;
		}
		languages++;
	}
	if (languages == 0)
		expected(errs, v, "a text in en or ko");
	return languages > 0;
}

/* NULL, or what was expected of this value. */
static const char *
wrong_value(const struct field *f, const struct quantity *q)
{
	if ((f->flags & FIELD_WHOLE) && q->value != floor(q->value))
		return "a whole number";
	if ((f->flags & FIELD_POSITIVE) && q->value <= 0)
		return "a value above zero";
	if (q->value < 0 && f->dimension != DIM_CELSIUS && f->dimension != DIM_ANY)
		return "a value that is not negative";
	return NULL;
}

static bool
check_quantity(const struct field *f, const struct val *v, struct errs *errs)
{
	struct quantity q, high;
	const char *unread, *wrong;
	bool range;

	if (!val_is(v, VAL_STR)) {
		expected(errs, v, dimension_name(f->dimension));
		return false;
	}
	range = (f->flags & FIELD_RANGE) && quantity_is_range(v->str.text, v->str.len);
	unread = wrong = range ? quantity_parse_range(&q, &high, v->str.text, v->str.len, f->dimension)
	                       : quantity_parse(&q, v->str.text, v->str.len, f->dimension);
	if (wrong == NULL && range)
		wrong = wrong_value(f, &high);
	if (wrong == NULL)
		wrong = wrong_value(f, &q);
	if (wrong == NULL)
		return true;
	if (f->dimension == DIM_ANY || unread == NULL) /* what was read needs no example of how it is written */
		errs_add(errs, v->at, "expected %s, found `%.60s`", wrong, v->str.text);
	else
		errs_add(errs, v->at, "expected %s such as `%s`: %s; found `%.60s`",
		    dimension_name(f->dimension), dimension_example(f->dimension), wrong, v->str.text);
	return false;
}

static bool
check_choice(const struct field *f, const struct val *v, struct errs *errs)
{
	struct buf all = BUF_INIT;

	for (int i = 0; f->choices[i] != NULL; i++) {
		if (val_is(v, VAL_STR) && strcmp(v->str.text, f->choices[i]) == 0) {
			buf_release(&all);
			return true;
		}
		buf_puts(&all, i > 0 ? ", " : "one of ");
		buf_puts(&all, f->choices[i]);
	}
	expected(errs, v, all.s);
	buf_release(&all);
	return false;
}

static bool
check_dtype(const struct val *v, struct errs *errs)
{
	struct buf all = BUF_INIT;

	if (val_is(v, VAL_STR) && sizing_dtype_find(v->str.text) != NULL)
		return true;
	buf_puts(&all, "a dtype (");
	for (size_t i = 0; sizing_dtype_at(i) != NULL; i++) {
		buf_puts(&all, i > 0 ? " " : "");
		buf_puts(&all, sizing_dtype_at(i)->name);
	}
	buf_puts(&all, ")");
	expected(errs, v, all.s);
	buf_release(&all);
	return false;
}

static bool
check_scalar(const struct field *f, const struct val *v, const char **what)
{
	struct comparison c;
	const char *s = v->str.text;

	switch (f->type) {
	case FIELD_ID:
		*what = "an id of small letters, digits, - and .";
		return is_id(s, ID_DOTS);
	case FIELD_ALIAS:
		*what = "an id of letters, digits, - and .";
		return is_id(s, ID_DOTS | ID_ANY_CASE);
	case FIELD_NAME:
		*what = "an id of small letters, digits and -";
		return is_id(s, false);
	case FIELD_STRING:
		*what = "one line of text";
		return v->str.len > 0 && v->str.len <= STRING_MAX && strchr(s, '\n') == NULL;
	case FIELD_URL:
		*what = "an address that begins with https:// or http://";
		return is_url(s);
	case FIELD_YESNO:
		*what = "yes or no";
		return strcmp(s, "yes") == 0 || strcmp(s, "no") == 0;
	case FIELD_DATE:
		*what = "a date YYYY-MM-DD that exists";
		return date_is_valid(s, false);
	case FIELD_PARTIAL_DATE:
		*what = "a date YYYY-MM-DD, YYYY-MM or YYYY that exists, or undated";
		return date_is_valid(s, true);
	case FIELD_COMPARISON:
		*what = "a comparison such as `< 1`";
		return comparison_parse(&c, s);
	case FIELD_RECORD:
	case FIELD_PROFILE:
		*what = "the id of a record";
		return is_id(s, ID_DOTS | ID_ANY_CASE); /* ids are found in any case */
	case FIELD_FINDING:
		*what = "a finding as source.finding";
		return is_reference(s, 1);
	default:
		*what = "a part of an archetype as archetype.part.id";
		return is_reference(s, 2);
	}
}

bool
leaf_check(const struct field *f, const struct val *v, struct errs *errs)
{
	const char *what = "";

	switch (f->type) {
	case FIELD_TEXT:
		return check_text(v, errs);
	case FIELD_QUANTITY:
		return check_quantity(f, v, errs);
	case FIELD_CHOICE:
		return check_choice(f, v, errs);
	case FIELD_DTYPE:
		return check_dtype(v, errs);
	default:
		break;
	}
	if (!val_is(v, VAL_STR)) {
		check_scalar(f, &(struct val){ .kind = VAL_STR, .str = { "", 0 } }, &what);
		expected(errs, v, what);
		return false;
	}
	if (check_scalar(f, v, &what))
		return true;
	expected(errs, v, what);
	return false;
}
