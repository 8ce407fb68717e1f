/*
 * One at a time, among processes: a file of its own that is locked, is there only while somebody holds
 * it, and is left by one that was killed, to nobody's harm. What is guarded is replaced by renames, and so
 * cannot be locked itself; a folder can be, but not over a network.
 */
#ifndef UTIL_LOCK_H
#define UTIL_LOCK_H

#include <stdbool.h>

#include "util/err.h"

struct lock {
	int fd;     /* open for reading, and if it may be for writing, so that a holder can leave a note; -1: none */
	char *path; /* owned */
	bool held;
};

/*
 * Waits up to so many milliseconds. OK: it is held. 1: somebody else still holds it, and `fd` has the
 * note. Both are ended by lock_end; an error needs no end.
 */
int lock_take(struct lock *out, const char *path, int wait_ms, struct err *e);

/* The file goes, if the lock was held, unless it is to be kept with its note. */
void lock_end(struct lock *lock, bool keep);

#endif
