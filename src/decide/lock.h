/*
 * One decision at a time in a folder, and a note of what was begun: claims/decisions/.lock, which is
 * there only while somebody decides, or where somebody was cut short.
 */
#ifndef DECIDE_LOCK_H
#define DECIDE_LOCK_H

#include "util/arena.h"
#include "util/err.h"
#include "util/lock.h"

struct decide_lock {
	struct lock lock;
	const char *holder; /* "process 4711, NAME" */
	const char *begun;  /* id of the claim that somebody began to decide about; NULL: nobody */
};

/* Waits some seconds for another holder, then ERR_SYSTEM with who it is. In the arena. */
int decide_lock(struct decide_lock *out, struct arena *a, const char *root, const char *by, struct err *e);

/* Write down what is begun, on disk when it returns; NULL: nothing any more. */
int decide_lock_begin(struct decide_lock *lock, const char *id, struct err *e);

/* The file stays if something is begun. */
void decide_unlock(struct decide_lock *lock);

#endif
