#include "util/findings.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

void
findings_init(struct findings *list, struct arena *a)
{
	*list = (struct findings){ .arena = a };
}

static struct finding *
append(struct findings *list)
{
	if (list->count == list->cap) {
		size_t cap = list->cap == 0 ? 64 : list->cap * 2;
		struct finding *larger = arena_alloc(list->arena, cap * sizeof *larger);

		if (list->count > 0)
			memcpy(larger, list->items, list->count * sizeof *larger);
		list->items = larger;
		list->cap = cap;
	}
	return &list->items[list->count++];
}

/* Neighbours are usually in one file: its name is kept once for them. */
static const char *
kept_file(struct findings *list, const char *file)
{
	const char *last = list->count > 0 ? list->items[list->count - 1].at.file : NULL;

	if (file == NULL || (last != NULL && strcmp(last, file) == 0))
		return file == NULL ? NULL : last;
	return arena_strdup(list->arena, file);
}

struct finding *
findings_add(struct findings *list, const struct finding_rule *rule, struct place at, const char *id,
    const char *fmt, ...)
{
	const char *file = kept_file(list, at.file);
	struct finding *f = append(list);
	struct buf message = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&message, fmt, ap);
	va_end(ap);
	*f = (struct finding){ .rule = rule, .level = rule->level, .at = { file, at.line, at.column },
		.id = id != NULL ? arena_strdup(list->arena, id) : NULL,
		.message = arena_strndup(list->arena, message.s, message.len) };
	list->counts[f->level]++;
	buf_release(&message);
	return f;
}

void
findings_set_level(struct findings *list, struct finding *f, enum finding_level level)
{
	list->counts[f->level]--;
	list->counts[level]++;
	f->level = level;
}

struct order {
	const struct finding *f;
	size_t rank;
};

static int
by_place(const void *pa, const void *pb)
{
	const struct order *a = pa, *b = pb;
	const struct place *p = &a->f->at, *q = &b->f->at;
	int files = strcmp(p->file != NULL ? p->file : "", q->file != NULL ? q->file : "");

	if (files != 0)
		return files;
	if (p->line != q->line)
		return p->line < q->line ? -1 : 1;
	if (p->column != q->column)
		return p->column < q->column ? -1 : 1;
	return a->rank < b->rank ? -1 : 1;
}

void
findings_sort(struct findings *list)
{
	struct order *order;
	struct finding *sorted;

	if (list->count < 2)
		return;
	order = xcalloc(list->count, sizeof *order);
	sorted = arena_alloc(list->arena, list->count * sizeof *sorted);
	for (size_t i = 0; i < list->count; i++)
		order[i] = (struct order){ &list->items[i], i };
	qsort(order, list->count, sizeof *order, by_place);
	for (size_t i = 0; i < list->count; i++)
		sorted[i] = *order[i].f;
	free(order);
	list->items = sorted;
	list->cap = list->count;
}

void
findings_keep(struct findings *list, enum finding_level least)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].level <= least)
			list->items[kept++] = list->items[i];
	list->count = kept;
	for (int level = (int)least + 1; level < FINDING_LEVELS; level++)
		list->counts[level] = 0;
}

const struct finding_rule *
finding_rule_find(const struct finding_rule *rules, const char *code)
{
	for (; rules->code != NULL; rules++)
		if (strcmp(rules->code, code) == 0)
			return rules;
	return NULL;
}

const char *
finding_level_name(enum finding_level level)
{
	static const char *const names[FINDING_LEVELS] = { "error", "warning", "note" };

	return names[level];
}

static bool
holds(const struct findings *list, const struct finding_rule *rule)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].rule == rule)
			return true;
	return false;
}

int
findings_fail_on(const struct findings *list, const struct finding_rule *rules, const char *codes,
    struct err *e)
{
	bool found = false;

	for (const char *p = codes;;) {
		const struct finding_rule *rule;
		size_t len;
		char code[64];

		p += strspn(p, " ");
		len = strcspn(p, ",");
		while (len > 0 && p[len - 1] == ' ')
			len--;
		if (len < sizeof code) {
			memcpy(code, p, len);
			code[len] = '\0';
		}
		rule = len < sizeof code ? finding_rule_find(rules, code) : NULL;
		if (rule == NULL)
			return err_set(e, ERR_USAGE, "expected codes such as `%s`, found `%.*s`", rules->code,
			    len < 40 ? (int)len : 40, p);
		found |= holds(list, rule);
		p += strcspn(p, ",");
		if (*p++ == '\0')
			return found;
	}
}
