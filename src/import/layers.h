/* Which layer does what: every way in which configurations say it. */
#ifndef IMPORT_LAYERS_H
#define IMPORT_LAYERS_H

#include "import/family.h"

enum mixer { MIX_FULL, MIX_WINDOW, MIX_CHUNK, MIX_STATE, MIX_BOTH, MIX_NONE, MIX_READS, MIX_GATE };
enum block { BLOCK_DENSE, BLOCK_EXPERTS, BLOCK_BOTH, BLOCK_NONE };

struct plan {
	unsigned char *mixer; /* enum mixer of each layer */
	unsigned char *block; /* enum block of each layer */
	bool blocks;          /* a layer is a mixer or a feed-forward, not both */
	double window;        /* rows of a windowed layer */
	double chunk;
};

/* Fills plan for c->layers layers. */
void plan_mixers(struct plan *p, struct config *c);
void plan_blocks(struct plan *p, struct config *c);

/* How many layers a configuration lists where it does not count them; 0 if it does neither. */
size_t plan_length(const struct config *c);

#endif
