#include "advise/explain.h"

#include <math.h>
#include <string.h>

#include "advise/formulas.h"
#include "advise/result.h"
#include "kb/messages.h"
#include "render/qval.h"
#include "util/utf8.h"

const char *
explain_key(struct arena *a, const struct workload *w, size_t i)
{
	size_t n = 0, rows = 0;

	while (result_key(n) != NULL)
		n++;
	if (i < n)
		return result_key(i);
	while (formula_tier_name(rows) != NULL)
		rows++;
	i -= n;
	if (i >= rows * w->tier_count)
		return NULL;
	return arena_printf(a, "tiers.%s.%s", w->tiers[i / rows].id, formula_tier_name(i % rows));
}

static bool
agrees(double value, double expected, enum dimension dimension)
{
	double room = fabs(expected) * EXPLAIN_TOLERANCE;

	if (dimension == DIM_COUNT || dimension == DIM_TOKENS)
		room = fmin(fmax(room, 1e-6), 0.5);
	else if (dimension == DIM_BYTES)
		room = fmax(room, 1); /* a share is rounded up to whole bytes */
	return fabs(value - expected) <= room; /* false for NaN */
}

bool
explain(struct explanation *out, struct arena *a, const struct workload *w, const char *key)
{
	const struct expr *formula;

	*out = (struct explanation){ .key = key };
	if (!formula_quantity(&out->result, w, key))
		return false;
	out->result.ref = key;
	formula = formula_of(a, w, key);
	if (formula != NULL && agrees(formula->value, out->result.value, out->result.unit->dimension))
		out->formula = formula;
	else
		out->searched = formula_is_searched(w, key);
	return true;
}

/* ---- printing ---- */

struct printer {
	struct buf *out;
	struct arena *a;
	const struct val *messages;
	const char *lang;
	int width;
	struct explain_style *style; /* NULL: every definition is written out */
};

/* A paragraph behind `indent` blanks, its further lines two deeper; broken at blanks only. */
static void
put_line(struct printer *p, int indent, const char *text)
{
	int column = indent;

	buf_printf(p->out, "%*s", indent, "");
	while (*text != '\0') {
		size_t n = strcspn(text, " ");
		int columns = (int)utf8_width(text, n);

		if (p->width > 0 && column > indent && column + 1 + columns > p->width) {
			buf_printf(p->out, "\n%*s", indent + 2, "");
			column = indent + 2;
		} else if (column > indent) {
			buf_putc(p->out, ' ');
			column++;
		}
		buf_add(p->out, text, n);
		column += columns;
		text += n + (text[n] == ' ');
	}
	buf_putc(p->out, '\n');
}

static char *
words_of(struct printer *p, const struct expr *e)
{
	struct buf b = BUF_INIT;
	char *text;

	expr_words(&b, e, p->messages);
	text = arena_strdup(p->a, b.s);
	buf_release(&b);
	return text;
}

static char *
numbers_of(struct printer *p, const struct expr *e)
{
	struct buf b = BUF_INIT;
	char *text;

	expr_numbers(&b, e);
	text = arena_strdup(p->a, b.s);
	buf_release(&b);
	return text;
}

static char *
value_of(struct printer *p, const struct expr *e)
{
	struct buf b = BUF_INIT;
	char *text;

	expr_number(&b, e->value, e->dimension);
	text = arena_strdup(p->a, b.s);
	buf_release(&b);
	return text;
}

/* "layers (part 2)", "KV bits (bf16)" */
static char *
name_of(struct printer *p, const struct expr *e)
{
	const char *name = messages_get(p->messages, "operand", e->name);
	char *part = e->part > 0
	    ? arena_printf(p->a, "%s %d", messages_get(p->messages, "each", "part"), e->part) : NULL;

	if (part != NULL && e->detail != NULL)
		return arena_printf(p->a, "%s (%s, %s)", name, part, e->detail);
	if (part != NULL || e->detail != NULL)
		return arena_printf(p->a, "%s (%s)", name, part != NULL ? part : e->detail);
	return arena_strdup(p->a, name);
}

/* "published, source.finding"; what the customer said needs no key beside its own name. */
static char *
origin_of(struct printer *p, const struct expr *e)
{
	const char *kind = quantity_kind_name(e->kind, p->lang);

	if (e->kind == QUANTITY_CALCULATED && strcmp(e->name, e->ref) == 0)
		return arena_strdup(p->a, kind);
	if (e->kind == QUANTITY_STATED || e->kind == QUANTITY_ASSUMED || e->ref == NULL)
		return arena_strdup(p->a, kind);
	return arena_printf(p->a, "%s, %s", kind, e->ref);
}

enum { MAX_ORIGINS = 64 };

struct origins { /* leaves by where they come from, definitions one a line */
	struct printer *p;
	struct {
		const char *origin;
		struct buf leaves;
	} items[MAX_ORIGINS];
	size_t count;
	struct buf definitions; /* lines, each ending in a line break */
};

static void
add_operand(struct origins *o, const char *origin, const struct expr *e)
{
	size_t i = 0;

	while (i < o->count && strcmp(o->items[i].origin, origin) != 0)
		i++;
	if (i == MAX_ORIGINS)
		i--;
	if (i == o->count) {
		o->items[i].origin = origin;
		o->items[i].leaves = (struct buf)BUF_INIT;
		o->count++;
	}
	buf_printf(&o->items[i].leaves, "%s%s %s", o->items[i].leaves.len > 0 ? ", " : "", name_of(o->p, e),
	    value_of(o->p, e));
}

static bool
see_definition(struct explain_style *s, const struct expr *e)
{
	for (size_t i = 0; i < s->seen_count; i++)
		if (expr_same(s->seen[i], e))
			return false;
	if (s->seen_count == s->seen_cap) {
		const struct expr **larger = arena_alloc(s->a, (2 * s->seen_cap + 32) * sizeof *larger);

		if (s->seen_count > 0)
			memcpy(larger, s->seen, s->seen_count * sizeof *larger);
		s->seen_cap = 2 * s->seen_cap + 32;
		s->seen = larger;
	}
	s->seen[s->seen_count++] = e;
	return true;
}

static bool
see_operand(void *context, const struct expr *e)
{
	struct origins *o = context;
	const char *words, *numbers, *value;

	if (e->op == EXPR_VALUE) {
		add_operand(o, origin_of(o->p, e), e);
		return false;
	}
	if (o->p->style != NULL && !see_definition(o->p->style, e)) {
		add_operand(o, messages_get(o->p->messages, "each", "above"), e);
		return false;
	}
	words = words_of(o->p, e);
	numbers = numbers_of(o->p, e);
	value = value_of(o->p, e);
	buf_printf(&o->definitions, "%s = %s", name_of(o->p, e), words);
	if (strcmp(numbers, value) != 0)
		buf_printf(&o->definitions, " = %s", numbers);
	buf_printf(&o->definitions, " = %s\n", value);
	return true;
}

static void
put_operands(struct printer *p, const struct expr *formula)
{
	struct origins o = { .p = p, .definitions = BUF_INIT };

	expr_operands(formula, see_operand, &o);
	for (const char *line = o.definitions.s; *line != '\0';) {
		size_t n = strcspn(line, "\n");

		put_line(p, 4, arena_strndup(p->a, line, n));
		line += n + 1;
	}
	for (size_t i = 0; i < o.count; i++) {
		put_line(p, 4, arena_printf(p->a, "%s: %s", o.items[i].origin, o.items[i].leaves.s));
		buf_release(&o.items[i].leaves);
	}
	buf_release(&o.definitions);
}

/* "589,484,261,376 B (589.5 GB, 549.0 GiB), calculated": all digits, and as it is read. */
static char *
result_text(struct printer *p, const struct quantity *q)
{
	struct buf b = BUF_INIT;
	char text[QUANTITY_TEXT];
	char *all;

	expr_number(&b, q->value, q->unit->dimension);
	if (q->unit->dimension == DIM_BYTES && q->value >= 1000) {
		struct quantity decimal = *q, binary = *q;

		decimal.unit = unit_for_bytes(q->value, false);
		binary.unit = unit_for_bytes(q->value, true);
		buf_printf(&b, " (%s, ", quantity_text(text, sizeof text, &decimal, p->lang));
		buf_printf(&b, "%s)", quantity_text(text, sizeof text, &binary, p->lang));
	}
	all = arena_strdup(p->a, b.s);
	buf_release(&b);
	return all;
}

/* A tier's figures have one label, whichever tier it is. */
static const char *
tier_label(struct printer *p, const char *key)
{
	const char *name;

	for (size_t i = 0; (name = formula_tier_name(i)) != NULL; i++) {
		size_t n = strlen(name), len = strlen(key);

		if (len > n && strcmp(key + len - n, name) == 0 && key[len - n - 1] == '.')
			return messages_get(p->messages, "tier", name);
	}
	return key;
}

void
explain_print(struct buf *out, struct explain_style *style, const struct explanation *x)
{
	struct printer p = { out, style->a, style->messages, style->lang, style->width, style };
	const char *label = messages_get(p.messages, "result", x->key);
	const char *result = result_text(&p, &x->result), *numbers;

	if (strncmp(x->key, "tiers.", 6) == 0)
		label = tier_label(&p, x->key);
	put_line(&p, 0, arena_printf(p.a, "%s: %s (%s: %s)", x->key, label, messages_get(p.messages, "each", "basis"),
	    quantity_kind_name(quantity_basis(&x->result), p.lang)));
	if (x->formula == NULL) {
		put_line(&p, 2, arena_printf(p.a, "= %s", result));
		put_line(&p, 4, messages_get(p.messages, "each", x->searched ? "searched" : "none"));
		return;
	}
	numbers = numbers_of(&p, x->formula);
	put_line(&p, 2, arena_printf(p.a, "= %s", words_of(&p, x->formula)));
	if (strncmp(numbers, result, strlen(numbers)) != 0)
		put_line(&p, 2, arena_printf(p.a, "= %s", numbers));
	put_line(&p, 2, arena_printf(p.a, "= %s", result));
	put_operands(&p, x->formula);
}

/* ---- JSON ---- */

struct listing {
	struct printer p;
	struct val *list;
};

static bool
see_json(void *context, const struct expr *e)
{
	struct listing *l = context;
	struct arena *a = l->p.a;
	struct val *item = val_push(a, l->list, val_map(a));

	val_put(a, item, "name", val_str(a, messages_get(l->p.messages, "operand", e->name)));
	if (e->detail != NULL)
		val_put(a, item, "detail", val_str(a, e->detail));
	if (e->part > 0)
		val_put(a, item, "part", val_num(a, e->part));
	val_put(a, item, "value", val_num(a, e->value));
	val_put(a, item, "unit", val_str(a, unit_base(e->dimension)->name));
	if (e->op != EXPR_VALUE) {
		val_put(a, item, "formula", val_str(a, words_of(&l->p, e)));
		val_put(a, item, "numbers", val_str(a, numbers_of(&l->p, e)));
		return true;
	}
	val_put(a, item, "kind", val_str(a, quantity_kind_name(e->kind, "en")));
	val_put(a, item, "ref", val_str(a, e->ref));
	return false;
}

struct val *
explain_json(struct arena *a, const struct explanation *x, const struct val *messages)
{
	struct listing l = { .p = { .a = a, .messages = messages, .lang = "en" }, .list = val_list(a) };
	struct val *out = val_map(a);
	bool known = x->formula != NULL;

	val_put(a, out, "key", val_str(a, x->key));
	val_put(a, out, "formula", val_str(a, known ? words_of(&l.p, x->formula) : NULL));
	val_put(a, out, "numbers", val_str(a, known ? numbers_of(&l.p, x->formula) : NULL));
	val_put(a, out, "value", render_quantity_json(a, &x->result));
	if (x->searched)
		val_put(a, out, "searched", val_bool(a, true));
	if (known)
		expr_operands(x->formula, see_json, &l);
	val_put(a, out, "operands", l.list);
	return out;
}
