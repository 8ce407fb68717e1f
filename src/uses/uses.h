/*
 * What a draft uses, read back from its text, and so also after somebody has edited it.
 *
 * A draft explains itself (propose/cite.h): the labels of its definitions are findings, or results
 * of a sizing with the tiers and levers that were calculated; the models, devices and tiers are named
 * where a calculation is described; claims are known by their wording (wording/). The draft is as fresh
 * as the first of all that is due: whoever writes a draft, sends one or looks back at one asks here or,
 * of what was noted down then, kb_take_due.
 */
#ifndef USES_USES_H
#define USES_USES_H

#include "kb/kb.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/val.h"

struct markdown;

/* All in the arena. */
struct uses {
	struct val *figures; /* maps of label, value, section: definitions that are no finding */
	struct val *items;   /* maps of kind (finding, claim, model, ...), id, fingerprint */
	struct kb_due due;
};

/* language: "en" or "ko", in which names and claims are looked for. */
int uses_read(struct uses *out, struct kb *kb, struct arena *a, const struct markdown *draft, const char *language,
    struct err *e);

#endif
