/* A tree of a config.json, or one made from another header in its words, to a draft. */
#ifndef IMPORT_CONFIG_H
#define IMPORT_CONFIG_H

#include "import/draft.h"

/* quant: the tree of hf_quant_config.json, or NULL. weights: also compute what the weights take. Failures are in d->rc. */
void config_read(struct draft *d, const struct val *root, const struct val *quant, bool weights);

/* JSON as these tools write it: bare NaN and Infinity, and integers beyond 2^53, are let pass. */
int config_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *path, struct err *e);

#endif
