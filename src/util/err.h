/*
 * What went wrong, where, in one value in the caller's frame.
 *
 * A function that can fail returns 0 (OK) or one of the negative codes below and
 * fills the caller's struct err. The message is set once, where the fault is known,
 * and passed up untouched. Nothing below main() prints or exits.
 *
 * The code is minus the exit status that the shell sees.
 */
#ifndef UTIL_ERR_H
#define UTIL_ERR_H

#include <stddef.h>

enum {
	OK = 0,
	ERR_USAGE = -2,  /* the command line */
	ERR_INPUT = -3,  /* a file, a record, a value; or nothing to work on */
	ERR_SYSTEM = -4, /* disk, lock, permission */
};

/* A place in a user's file: 1-based, columns in code points. line 0 = the file as a whole. */
struct place {
	const char *file; /* borrowed: lives as long as what was read from it */
	int line;
	int column;
};

struct err {
	int code;
	char where[640]; /* "file:line:column", or empty */
	char text[960];  /* one line: what was expected, what was found */
};

#define ERR_INIT { 0, "", "" }

/* Set code and message; returns code, so that `return err_set(...)` reads well. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same with the user's place. */
int err_at(struct err *e, int code, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with the text of errno appended; always ERR_SYSTEM. */
int err_errno(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Many faults of one run, in the order of their places. Checks go on after a fault
 * and report all of them. After ERRS_KEEP messages only the count grows.
 */
enum { ERRS_KEEP = 200 };

struct errs {
	struct err *items; /* owned; `kept` of them */
	size_t kept;
	size_t count; /* all, also those not kept */
};

#define ERRS_INIT { NULL, 0, 0 }

void errs_add(struct errs *list, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void errs_take(struct errs *list, const struct err *e);
void errs_take_all(struct errs *list, const struct errs *from); /* also the count of what was not kept */
void errs_sort(struct errs *list); /* by file, line, column; stable */
void errs_release(struct errs *list);

/* Write "file:line:column" (or less, as far as known) to `out`; returns out. */
char *place_text(char *out, size_t size, struct place at);

#endif
