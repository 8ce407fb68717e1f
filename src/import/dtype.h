/* Names of types in other tools' files, as dtypes of ours. */
#ifndef IMPORT_DTYPE_H
#define IMPORT_DTYPE_H

#include <stdint.h>

#include "import/keys.h"

/* "bfloat16", "torch.float32", "BF16", ...; NULL if it is none of ours. */
const char *dtype_of_torch(const char *name);

/* What the configuration says of the weights, as computed weights of the draft: call after draft_fold. */
void quant_weights(struct config *c);
/* The dtype that the quantisation of the configuration means; NULL if there is none, or none of ours. */
const char *quant_dtype(const struct config *c);
/* Bits of one packed element where the configuration says so; 0 if not. */
double quant_bits(const struct config *c);

#endif
