/* Feed-forwards, dense and of experts. */
#ifndef IMPORT_EXPERTS_H
#define IMPORT_EXPERTS_H

#include "import/layers.h"

/* The feed-forwards of layer i as plan says. */
void experts_layer(struct config *c, const struct plan *p, size_t i);
/* `layers` dense ones, for encoders beside decoders. */
void experts_dense(struct config *c, double layers);

#endif
