/*
 * What a check of content or of a draft found: a list of findings, each of a rule that has a
 * stable code. (What a *source* says is called a finding as well; that one is kb_finding.)
 *
 * Findings are kept in an arena and gathered in any order; findings_sort puts them in the order
 * of their places. How they are printed is render/findings.h.
 */
#ifndef UTIL_FINDINGS_H
#define UTIL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"

enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE, FINDING_LEVELS };

/* What can be found: tables of these are static and end with a NULL code. Plain text, one line each. */
struct finding_rule {
	const char *code; /* stable: "past-review" */
	enum finding_level level;
	const char *name;  /* what is wrong, in a few words */
	const char *cause; /* how it usually comes about */
	const char *mend;  /* what to do about it */
};

struct finding {
	const struct finding_rule *rule;
	enum finding_level level; /* the rule's, unless set */
	struct place at;          /* line 0: the file as a whole */
	const char *id;           /* of the record that it is about; NULL: none */
	const char *message;
	const char *hint; /* what would mend this one; NULL: the rule's own advice is all there is */
};

struct findings {
	struct arena *arena;
	struct finding *items;
	size_t count, cap;
	size_t counts[FINDING_LEVELS];
};

void findings_init(struct findings *list, struct arena *a);

/*
 * Append one; the place's file, the id and the message are copied. Returns it, valid until the next is
 * added, so that a hint can be set.
 */
struct finding *findings_add(struct findings *list, const struct finding_rule *rule, struct place at,
    const char *id, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* One that is less grave than its rule, or graver; `f` is of the list. */
void findings_set_level(struct findings *list, struct finding *f, enum finding_level level);

/* By file, line, column; then in the order in which they were added. */
void findings_sort(struct findings *list);

/* Keep those of a level as grave as this one, or graver. */
void findings_keep(struct findings *list, enum finding_level least);

/* The rule of a code in a table; NULL: none. */
const struct finding_rule *finding_rule_find(const struct finding_rule *rules, const char *code);

const char *finding_level_name(enum finding_level level); /* "error", "warning", "note" */

/*
 * Is one of the codes in a list such as "past-review,unused" among the findings? Blanks around a
 * code are passed over. A code that is in no rule is ERR_USAGE, named, also if nothing was found.
 * 1: yes, 0: no.
 */
int findings_fail_on(const struct findings *list, const struct finding_rule *rules, const char *codes,
    struct err *e);

#endif
