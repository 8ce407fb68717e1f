/*
 * A formula as a tree: the one structure that its words, its numbers and its value come from, so
 * that what is printed is what was calculated.
 *
 * A leaf is an operand with a name and an origin, or a constant of the formula without either. A
 * part that has a name is a definition: where it is used it stands as its name or its value, and
 * it is written out once, among the operands.
 */
#ifndef ADVISE_EXPR_H
#define ADVISE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "quantity/quantity.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/val.h"

enum expr_op {
	EXPR_VALUE,
	EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_POWER,
	EXPR_MAX, EXPR_MIN, EXPR_CEIL, EXPR_FLOOR,
	EXPR_SUM,   /* of parts of one form: "sum over groups of ..." */
	/* args: n, f(n), f(n + 1), limit: the largest whole n with f(n) <= limit; NaN if n is not that */
	EXPR_LARGEST,
	/* args: n, f(n), f(n - 1), limit: the least whole n from 1 on with f(n) >= limit; NaN if n is not that */
	EXPR_LEAST,
};

struct expr {
	enum expr_op op;
	double value;              /* in base units; what the operation gives for the values below it */
	enum dimension dimension;
	const char *name;          /* a key of the messages `operand`, or a result's key; may be NULL */
	const char *detail;        /* said beside the name: "fp8"; may be NULL */
	int part;                  /* which group or feed-forward it belongs to, from 1; 0: there is one */
	const char *each;          /* EXPR_SUM: a key of the messages `each` */
	enum quantity_kind kind;   /* a leaf with a name: where it comes from */
	const char *ref;           /* a finding, an input or a result's key; may be NULL */
	struct expr **args;
	size_t count;
};

/* A constant of the formula itself: the 2 of multiply-add, the 8 of bits in a byte. */
struct expr *expr_constant(struct arena *a, double value);

struct expr *expr_leaf(struct arena *a, const char *name, enum dimension dimension, double value,
    enum quantity_kind kind, const char *ref);

/* `args` ends with NULL and is copied. The dimension is that of the first argument that is no count. */
struct expr *expr_of(struct arena *a, enum expr_op op, struct expr *const *args);

/* Name an expression, and say in what dimension its value is. Returns it. */
struct expr *expr_define(struct expr *e, const char *name, enum dimension dimension);

/* "sequences x sum over groups of (layers x rows kept x row bytes)" */
void expr_words(struct buf *out, const struct expr *e, const struct val *messages);

/*
 * "64 x (61 x 131,072 x 1,152 B)": whole numbers in all their digits, others rounded to
 * EXPR_DIGITS significant ones. The same in every language.
 */
enum { EXPR_DIGITS = 7 };
void expr_numbers(struct buf *out, const struct expr *e);

/* One number as above: "1,152 B", "4.8 TB/s". */
void expr_number(struct buf *out, double value, enum dimension dimension);

/*
 * Every operand and definition in the order in which a reader meets them, each once: calls `see` with
 * those that have a name, and goes on to what a definition holds where that returns true. The
 * expression itself is not among them, unless it is a leaf.
 */
void expr_operands(const struct expr *e, bool (*see)(void *context, const struct expr *operand),
    void *context);

/* The same operand or definition: name, part and value. */
bool expr_same(const struct expr *x, const struct expr *y);

#endif
