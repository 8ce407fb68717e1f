#include "ingest/forms.h"

#include <string.h>

#include "quantity/quantity.h"

static bool
two_digits(const char *s, int *out)
{
	if (s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9')
		return false;
	*out = (s[0] - '0') * 10 + s[1] - '0';
	return true;
}

bool
date_is_valid(const char *text, bool partial)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	size_t n = strlen(text);
	int century, year, month, day;

	if (partial && strcmp(text, "undated") == 0)
		return true;
	if (n < 4 || !two_digits(text, &century) || !two_digits(text + 2, &year) || century < 19)
		return false;
	year += century * 100;
	if (n == 4)
		return partial;
	if (n < 7 || text[4] != '-' || !two_digits(text + 5, &month) || month < 1 || month > 12)
		return false;
	if (n == 7)
		return partial;
	if (n != 10 || text[7] != '-' || !two_digits(text + 8, &day) || day < 1)
		return false;
	if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
		return day <= 29;
	return day <= days[month - 1];
}

bool
comparison_parse(struct comparison *out, const char *text)
{
	struct quantity q;
	size_t n = text[0] == '<' || text[0] == '>' ? 1 : 0;

	memset(out, 0, sizeof *out);
	if (n == 0)
		return false;
	if (text[1] == '=')
		n = 2;
	memcpy(out->op, text, n);
	text += n;
	text += strspn(text, " ");
	if (strcmp(text, "concurrency") == 0)
		return out->concurrency = true;
	if (quantity_parse(&q, text, strlen(text), DIM_RATIO) != NULL)
		return false;
	out->number = q.value;
	return true;
}

bool
comparison_holds(const struct comparison *c, double left, double concurrency)
{
	double right = c->concurrency ? concurrency : c->number;

	if (c->op[0] == '<')
		return c->op[1] == '=' ? left <= right : left < right;
	return c->op[1] == '=' ? left >= right : left > right;
}

bool
yesno(const struct val *v, bool missing)
{
	return val_is(v, VAL_STR) ? strcmp(v->str.text, "yes") == 0 : missing;
}
