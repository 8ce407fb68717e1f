#include "plan/filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/filter.h"
#include "quantity/quantity.h"

/* Where SQL text came from, so that SQLite's places can be told in the user's. */
struct piece {
	size_t to, from;
};

enum { PIECES = PLAN_FILTER_LENGTH };

struct reader {
	struct plan_filter *out;
	const struct plan_grid *grid;
	const char *place;
	size_t at;
	int depth;         /* of parentheses */
	struct piece *pieces;
	size_t piece_count;
	struct err *e;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static struct place
place_of(const struct reader *r, size_t at)
{
	struct place place = { r->place, 1, 1 };

	for (size_t i = 0; i < at && r->out->text[i] != '\0'; i++) {
		if (r->out->text[i] == '\n') {
			place.line++;
			place.column = 1;
		} else if ((r->out->text[i] & 0xC0) != 0x80) {
			place.column++;
		}
	}
	return place;
}

static int
fail(struct reader *r, size_t at, const char *expected)
{
	const char *found = r->out->text + at;
	size_t n = strcspn(found, " \t\n");

	if (n == 0)
		return err_at(r->e, ERR_USAGE, place_of(r, at), "expected %s, found the end", expected);
	return err_at(r->e, ERR_USAGE, place_of(r, at), "expected %s, found `%.*s`", expected,
	    n > 40 ? 40 : (int)n, found);
}

static void
mark(struct reader *r)
{
	if (r->piece_count < PIECES)
		r->pieces[r->piece_count++] = (struct piece){ r->out->sql.len, r->at };
}

static int
read_string(struct reader *r)
{
	const char *s = r->out->text + r->at;
	size_t n = 1;

	for (; s[n] != '\0'; n++) {
		if (s[n] == '\'' && s[n + 1] != '\'')
			break;
		n += s[n] == '\'';
	}
	if (s[n] == '\0')
		return fail(r, r->at, "a text that ends in '");
	buf_add(&r->out->sql, s, n + 1);
	r->at += n + 1;
	return OK;
}

/* The longest unit from here on, in bytes; 0: none. A % is one unless an operand follows it. */
static size_t
unit_length(const char *s)
{
	size_t n = 0;

	if (*s == '%') {
		for (n = 1; s[n] == ' '; n++)
			;
		if (is_digit(s[n]) || s[n] == '(' || s[n] == '.' || s[n] == '\'' || s[n] == '"')
			return 0;
		if (is_letter(s[n]) && strncasecmp(s + n, "and", 3) != 0 && strncasecmp(s + n, "or", 2) != 0 &&
		    strncasecmp(s + n, "then", 4) != 0 && strncasecmp(s + n, "else", 4) != 0)
			return 0;
		return 1;
	}
	while (is_letter(s[n]) || (n > 0 && (s[n] == '/' || is_digit(s[n]))))
		n++;
	for (; n > 0; n--)
		if (!(is_letter(s[n]) && is_letter(s[n - 1])) &&
		    (unit_find(s, n) != NULL || (n == 1 && (*s == 'K' || *s == 'M'))))
			return n;
	return 0;
}

static int
read_number(struct reader *r)
{
	const char *s = r->out->text + r->at;
	struct quantity q;
	char number[64];
	size_t n = 0, unit, blank;

	while (is_digit(s[n]) || s[n] == '.')
		n++;
	if ((s[n] == 'e' || s[n] == 'E') && (is_digit(s[n + 1]) ||
	    ((s[n + 1] == '+' || s[n + 1] == '-') && is_digit(s[n + 2]))))
		for (n += 2; is_digit(s[n]); n++)
			;
	blank = s[n] == ' ';
	unit = unit_length(s + n + blank);
	if (unit > 0)
		n += blank + unit;
	else if (is_letter(s[n]))
		return fail(r, r->at, "a number, alone or with a unit such as 80 GB");
	if (quantity_parse(&q, s, n, DIM_ANY) != NULL && quantity_parse(&q, s, n, DIM_TOKENS) != NULL &&
	    quantity_parse(&q, s, n, DIM_COUNT) != NULL)
		return fail(r, r->at, "a number, alone or with a unit such as 80 GB");
	buf_puts(&r->out->sql, quantity_number(number, sizeof number, q.value));
	r->at += n;
	return OK;
}

static bool
is_keyword(const char *word)
{
	static const char *const keywords[] = { "and", "or", "not", "in", "is", "null", "between", "like",
		"glob", "escape", "case", "when", "then", "else", "end", "isnull", "notnull", "true", "false", NULL };

	for (int i = 0; keywords[i] != NULL; i++)
		if (strcasecmp(word, keywords[i]) == 0)
			return true;
	return false;
}

static int
put_column(struct reader *r, const char *name, size_t len)
{
	struct plan_filter *f = r->out;
	struct plan_column column;
	struct err e = ERR_INIT;
	size_t i = 0;

	if (plan_column_find(&column, r->grid, name, len, &e) != OK)
		return err_at(r->e, ERR_USAGE, place_of(r, (size_t)(name - f->text)), "%s", e.text);
	while (i < f->column_count && strcmp(f->columns[i].name, column.name) != 0)
		i++;
	if (i == PLAN_FILTER_COLUMNS)
		return fail(r, r->at, "fewer names");
	if (i == f->column_count)
		f->columns[f->column_count++] = column;
	buf_printf(&f->sql, "?%zu", i + 1);
	return OK;
}

static int
read_word(struct reader *r)
{
	const char *s = r->out->text + r->at;
	size_t n = 0, after;
	char word[64];
	int rc = OK;

	while (is_letter(s[n]) || is_digit(s[n]) || (s[n] == '.' && is_letter(s[n + 1])))
		n++;
	for (after = n; s[after] == ' '; after++)
		;
	if (n >= sizeof word)
		return fail(r, r->at, "the name of a figure");
	memcpy(word, s, n);
	word[n] = '\0';
	if (strcasecmp(word, "select") == 0 || strcasecmp(word, "with") == 0 || strcasecmp(word, "values") == 0)
		return fail(r, r->at, "a condition on one row");
	if (is_keyword(word))
		buf_add(&r->out->sql, s, n);
	else if (s[after] != '(')
		rc = put_column(r, s, n);
	else if (db_filter_function(word))
		buf_add(&r->out->sql, s, n);
	else
		rc = fail(r, r->at, "a function of numbers or texts such as abs, min, round");
	r->at += n;
	return rc;
}

/* "kv.bytes" in double quotes is a name too. */
static int
read_quoted(struct reader *r)
{
	const char *s = r->out->text + r->at + 1;
	size_t n = strcspn(s, "\"");
	int rc;

	if (s[n] == '\0')
		return fail(r, r->at, "a name that ends in \"");
	rc = put_column(r, s, n);
	r->at += n + 2;
	return rc;
}

static int
read_sign(struct reader *r)
{
	const char *s = r->out->text + r->at;

	if (*s == ';')
		return fail(r, r->at, "one condition");
	if ((s[0] == '-' && s[1] == '-') || (s[0] == '/' && s[1] == '*'))
		return fail(r, r->at, "no comment");
	if (*s == '?' || *s == ':' || *s == '@' || *s == '$')
		return fail(r, r->at, "no parameter");
	if (strchr("()+-*/%<>=!|,&~ \t\n\r", *s) == NULL)
		return fail(r, r->at, "a name, a number, a 'text' or an operator");
	r->depth += (*s == '(') - (*s == ')');
	if (r->depth < 0)
		return fail(r, r->at, "no ) without its (");
	buf_putc(&r->out->sql, *s);
	r->at++;
	return OK;
}

static int
read_all(struct reader *r)
{
	const char *text = r->out->text;
	int rc = OK;

	while (rc == OK && text[r->at] != '\0') {
		char c = text[r->at];

		mark(r);
		if (c == '\'')
			rc = read_string(r);
		else if (c == '"')
			rc = read_quoted(r);
		else if (is_digit(c) || (c == '.' && is_digit(text[r->at + 1])))
			rc = read_number(r);
		else if (is_letter(c))
			rc = read_word(r);
		else
			rc = read_sign(r);
	}
	if (rc == OK && text[strspn(text, " \t\n\r")] == '\0')
		return fail(r, r->at, "a condition such as flag = 'kv-bound'");
	return rc == OK && r->depth > 0 ? fail(r, r->at, "a )") : rc;
}

/* What SQLite makes of it; its place is told in the text as written. */
static int
check(struct reader *r)
{
	struct db_filter *f;
	struct err e = ERR_INIT;
	size_t at = strlen(r->out->text);
	int offset, rc = db_filter_open(&f, r->out->sql.s, &offset, &e);

	db_filter_close(f);
	if (rc == OK)
		return OK;
	for (size_t i = 0; offset >= 0 && i < r->piece_count && r->pieces[i].to <= (size_t)offset; i++)
		at = r->pieces[i].from;
	return err_at(r->e, rc, place_of(r, at), "%s", e.text);
}

int
plan_filter_read(struct plan_filter *out, const struct plan_grid *grid, const char *text,
    const char *place, struct err *e)
{
	struct reader r = { .out = out, .grid = grid, .place = place, .e = e };
	int rc;

	*out = (struct plan_filter){ .text = text, .sql = BUF_INIT };
	if (strlen(text) > PLAN_FILTER_LENGTH)
		return err_set(e, ERR_USAGE, "%s: expected at most %d bytes, found %zu", place, PLAN_FILTER_LENGTH,
		    strlen(text));
	r.pieces = xcalloc(PIECES, sizeof *r.pieces);
	rc = read_all(&r);
	if (rc == OK)
		rc = check(&r);
	free(r.pieces);
	return rc;
}

void
plan_filter_release(struct plan_filter *f)
{
	buf_release(&f->sql);
}

struct plan_test {
	const struct plan_filter *filter;
	struct db_filter *db;
};

int
plan_test_open(struct plan_test **out, const struct plan_filter *f, struct err *e)
{
	struct plan_test *t = xcalloc(1, sizeof *t);
	int ignored, rc = db_filter_open(&t->db, f->sql.s, &ignored, e);

	t->filter = f;
	*out = t;
	return rc;
}

void
plan_test_close(struct plan_test *t)
{
	if (t == NULL)
		return;
	db_filter_close(t->db);
	free(t);
}

int
plan_test(struct plan_test *t, const struct plan_cursor *c, struct err *e)
{
	const struct plan_filter *f = t->filter;

	for (size_t i = 0; i < f->column_count; i++) {
		double number;

		if (plan_column_is_text(&f->columns[i], c->grid))
			db_filter_text(t->db, (int)i + 1, plan_column_text(&f->columns[i], c));
		else if (plan_column_number(&number, &f->columns[i], c))
			db_filter_number(t->db, (int)i + 1, number);
		else
			db_filter_text(t->db, (int)i + 1, NULL);
	}
	return db_filter_test(t->db, e);
}
