/* What one layer keeps and how many parameters its mixer has. */
#ifndef IMPORT_MIXER_H
#define IMPORT_MIXER_H

#include "import/layers.h"

struct heads {
	double heads, kv, key, value; /* query heads, key and value heads, elements of a key and of a value */
};

/* The heads of layer i, which is windowed or not. */
struct heads mixer_heads(const struct config *c, size_t i, bool windowed);

/* Keys and values of layer i as plan says; returns the number of its group. */
size_t mixer_attention(struct config *c, const struct plan *p, size_t i, enum mixer mixer);
/* The indexer of layer i, and compressed caches on top of it, where there are any. */
void mixer_overlays(struct config *c, size_t i);
/* A state of fixed size; also_on: beside attention in the same layer. */
void mixer_state(struct config *c, bool also_on);
/* Encoders, and decoders that read one. */
void mixer_encoder(struct config *c);
void mixer_encoder_decoder(struct config *c);

/* The kind of state that the keys describe. */
enum state_kind { STATE_NONE, STATE_GDN, STATE_KDA, STATE_MAMBA2, STATE_MAMBA1, STATE_LIGHTNING, STATE_CONV, STATE_RWKV };
enum state_kind mixer_state_kind(const struct config *c);

#endif
