/*
 * Scalars: what is read prints in both languages within its buffer, and the exact form
 * reads back as the same value.
 */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "quantity/quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const langs[] = { "en", "ko" };
	const char *text = (const char *)data;

	quantity_is_figure(text, size);
	for (int d = DIM_ANY; d < DIM_COUNTS; d++) {
		struct quantity q, low, high;
		char out[QUANTITY_TEXT];

		if (quantity_parse_range(&low, &high, text, size, (enum dimension)d) == NULL)
			assert(low.value < high.value && isfinite(high.value) && quantity_is_range(text, size));

		if (quantity_parse(&q, text, size, (enum dimension)d) != NULL)
			continue;
		assert(isfinite(q.value) && q.unit != NULL);
		assert(d == DIM_ANY || q.unit->dimension == (enum dimension)d);
		for (int i = 0; i < 4; i++) {
			q.digits = i < 2 ? q.digits : 0;
			quantity_text(out, sizeof out, &q, langs[i % 2]);
			assert(*out != '\0' && strlen(out) < sizeof out - 1);
			assert(strncmp(out, "-0 ", 3) != 0);
		}
		quantity_number(out, sizeof out, q.value);
		assert(strtod(out, NULL) == q.value);
	}
	return 0;
}
