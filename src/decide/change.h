/* What one decision changes: the texts of two files, and the name of one. */
#ifndef DECIDE_CHANGE_H
#define DECIDE_CHANGE_H

#include "decide/decide.h"
#include "ingest/set.h"

/* Texts are owned; names are below the root, in the arena of whoever made them. */
struct change {
	const char *root;
	const char *decisions;       /* file of decisions */
	struct buf entries_before, entries_after;
	bool is_new;                 /* it is not there yet */
	const char *from, *to;       /* the claim's file; the same where it stays */
	struct buf claim_before, claim_after;
};

#define CHANGE_INIT { .entries_before = BUF_INIT, .entries_after = BUF_INIT, .claim_before = BUF_INIT, \
	.claim_after = BUF_INIT }

void change_release(struct change *change);

/* The texts as they are, and where they go: `claim` and its decisions as the folder has them now. */
int change_open(struct change *out, struct arena *a, const char *root, const struct set *set,
    const struct record *claim, enum decision_action action, struct err *e);

/* Add an entry that the request asks for, and change the claim's text to fit. */
int change_decide(struct change *change, struct arena *a, const struct set *set, const struct record *claim,
    const struct decide_request *request, struct err *e);

/* Change the claim's text to fit the last entry that is there. */
int change_follow(struct change *change, struct arena *a, const struct set *set, const struct record *claim,
    const struct decisions *d, struct err *e);

/* The folder as it would be: build_check. */
int change_check(struct set *out, const struct change *change, const struct layer *below, struct err *e);

/* Write it, in the order that decide.h names; on an error, take back what was written. */
int change_write(const struct change *change, struct err *e);

#endif
