/*
 * Figures as a reader sees them, read back: what quantity_text writes in English and Korean,
 * and what people make of it by hand.
 *
 *     589.5 GB   20GiB   1,234   128K   40%   1.5x   1.5배   2.7 s   2.7초   18 months   18개월
 *     2,598 tokens/s   671 billion   6,710억   USD 99.8 billion   $2.9bn   998억 달러
 *
 * A shown number stands for all that round to it: 589.5 GB for 589.45 to 589.55 GB.
 */
#ifndef DRAFTS_FIGURE_H
#define DRAFTS_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "quantity/quantity.h"

struct figure {
	size_t start, len;       /* in the text that was read, from the first digit to the unit's end */
	double number;           /* in the unit; for a plain one the count itself */
	double half;             /* half of the last place: what rounding may hide */
	const struct unit *unit; /* NULL: none stands there */
};

/*
 * Read the figure whose first digit stands at s[at]; what stands before it (USD, $) is looked at
 * too. false if there is no digit, or the number has no meaning (1,23,4).
 */
bool figure_read(struct figure *out, const char *s, size_t len, size_t at);

enum figure_fit {
	FIGURE_FITS,
	FIGURE_OTHER_VALUE,
	FIGURE_OTHER_UNIT,  /* of another dimension, or without one that it needs */
	FIGURE_OTHER_BYTES, /* would fit if GB were read as GiB, or the other way round */
};

/* Does the figure say what the quantity says, also rounded or in another unit? */
enum figure_fit figure_fits(const struct figure *f, const struct quantity *q);

/* The unit of the other kind, GiB for GB: NULL if there is none. */
const struct unit *figure_other_bytes(const struct unit *unit);

#endif
