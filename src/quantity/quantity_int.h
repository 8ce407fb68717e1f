/* For quantity.c, format.c and unit.c only. */
#ifndef QUANTITY_QUANTITY_INT_H
#define QUANTITY_QUANTITY_INT_H

#include <stdint.h>

#include "quantity/quantity.h"

/* If `factor` is a power of ten, its exponent in *out and true. */
bool quantity_decimal_factor(double factor, int *out);

/* "bytes, such as 141 GB": what a scalar of this dimension looks like, for messages. */
const char *quantity_expected(enum dimension dimension);

/*
 * The shortest digits that read back as `value`: digits x 10^exponent; they may end in zeros.
 * false where `value` is not above zero or so far from 1 that the table does not reach.
 */
bool quantity_shortest(uint64_t *digits, int *exponent, double value);

#endif
