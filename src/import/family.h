/* What the code of a family says and its configuration does not: defaults, and patterns that no key gives. */
#ifndef IMPORT_FAMILY_H
#define IMPORT_FAMILY_H

#include "import/keys.h"

enum family_flag {
	FAMILY_TIED = 1 << 0, /* embeddings are tied unless a key says otherwise */
	FAMILY_TWO_MATRICES = 1 << 1, /* feed-forward without a gate */
	FAMILY_WINDOW_FIRST = 1 << 2, /* a window without a pattern: see period */
	FAMILY_FFN_4 = 1 << 3, /* feed-forward width is four times the model width where absent */
	FAMILY_ENCODER = 1 << 4, /* keeps no cache */
	FAMILY_ENCODER_DECODER = 1 << 5,
	FAMILY_POSITIONS = 1 << 6, /* learned positions are weights */
	FAMILY_SHARED_EXPERT = 1 << 7, /* one shared expert that no key gives */
	FAMILY_TWO_ATTENTIONS = 1 << 8, /* two attention modules and two dense feed-forwards a layer */
	FAMILY_BOTH = 1 << 9, /* attention and state side by side in every layer */
	FAMILY_STATE = 1 << 10, /* every layer keeps a state unless a key says otherwise */
	FAMILY_YOCO = 1 << 11, /* the second half reads the one full layer */
	FAMILY_FALCON = 1 << 12, /* key and value heads by three keys */
	FAMILY_SHARED_MIXER = 1 << 13, /* attention blocks with shared weights */
	FAMILY_NO_FFN = 1 << 14, /* the mixer is the whole layer */
	FAMILY_CHUNKS = 1 << 15, /* attention_chunk_size is one, and not a left-over */
	FAMILY_GATED_STATE = 1 << 16, /* linear attention by heads x head size, with an output gate */
	FAMILY_CODE_SIZES = 1 << 17, /* the sizes of the state are defaults of the code */
	FAMILY_HALF_FFN = 1 << 18, /* intermediate_size counts gate and up together */
	FAMILY_SHARES = 1 << 19, /* the last layers always read the cache of others */
	FAMILY_SHARED_DENSE = 1 << 20, /* without experts the shared one is the feed-forward */
};

struct family {
	const char *model_type;
	unsigned flags;
	int period; /* one full layer in so many; 0: none */
};

/* NULL if unknown. */
const struct family *family_find(const char *model_type);

/* A family that is known not to be derivable from its keys: the reason; NULL if it is none. */
const char *family_refusal(const char *model_type);

/*
 * An unknown family is read as an ordinary decoder only where no key hints at another cache: the first
 * such key, or NULL.
 */
const struct val_entry *family_hint(const struct val *map);

#endif
