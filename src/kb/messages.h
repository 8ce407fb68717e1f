/*
 * The words that program output needs in a language: names of terms, verdicts, inputs, labels
 * of results. From templates/LANG/messages.yaml inside the program.
 */
#ifndef KB_MESSAGES_H
#define KB_MESSAGES_H

#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

int messages_load(struct val **out, struct arena *a, const char *lang, struct err *e);

/* The text under "group" and `key` (which may hold dots); the key itself where there is none. */
const char *messages_get(const struct val *messages, const char *group, const char *key);

#endif
