/* For quantity.c, format.c and unit.c only. */
#ifndef QUANTITY_QUANTITY_INT_H
#define QUANTITY_QUANTITY_INT_H

#include "quantity/quantity.h"

/* If `factor` is a power of ten, its exponent in *out and true. */
bool quantity_decimal_factor(double factor, int *out);

/* "bytes, such as 141 GB": what a scalar of this dimension looks like, for messages. */
const char *quantity_expected(enum dimension dimension);

#endif
