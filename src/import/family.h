/* What the code of a family says and its configuration does not: defaults, and patterns that no key gives. */
#ifndef IMPORT_FAMILY_H
#define IMPORT_FAMILY_H

#include "import/keys.h"

enum family_flag {
	FAMILY_TIED = 1,          /* embeddings are tied unless a key says otherwise */
	FAMILY_TWO_MATRICES = 2,  /* feed-forward without a gate */
	FAMILY_WINDOW_FIRST = 4,  /* a window without a pattern: see period */
	FAMILY_FFN_4 = 8,         /* feed-forward width is four times the model width where absent */
	FAMILY_ENCODER = 16,      /* keeps no cache */
	FAMILY_ENCODER_DECODER = 32,
	FAMILY_POSITIONS = 64,    /* learned positions are weights */
	FAMILY_SHARED_EXPERT = 128, /* one shared expert that no key gives */
	FAMILY_TWO_ATTENTIONS = 256, /* two attention modules and two dense feed-forwards a layer */
	FAMILY_BOTH = 512,        /* attention and state side by side in every layer */
	FAMILY_STATE = 1024,      /* every layer keeps a state unless a key says otherwise */
	FAMILY_YOCO = 2048,       /* the second half reads the one full layer */
	FAMILY_FALCON = 4096,     /* key and value heads by three keys */
	FAMILY_SHARED_MIXER = 8192, /* attention blocks with shared weights */
	FAMILY_NO_FFN = 16384,    /* the mixer is the whole layer */
	FAMILY_CHUNKS = 32768,    /* attention_chunk_size is one, and not a left-over */
	FAMILY_GATED_STATE = 65536, /* linear attention by heads x head size, with an output gate */
	FAMILY_CODE_SIZES = 131072, /* the sizes of the state are defaults of the code */
	FAMILY_HALF_FFN = 262144, /* intermediate_size counts gate and up together */
	FAMILY_SHARES = 1048576, /* the last layers always read the cache of others */
	FAMILY_SHARED_DENSE = 524288, /* without experts the shared one is the feed-forward */
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
