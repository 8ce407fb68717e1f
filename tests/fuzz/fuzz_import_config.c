/*
 * A configuration is read to a record that the engine takes, or refused with a reason. The first byte says how much of
 * the text is that of hf_quant_config.json.
 */
#include "import/import.h"

#include <stdint.h>

#include "import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import_options options = { "m", NULL, NULL, "2026-12-01", "https://example.com/" };
	size_t split = size > 0 ? (size - 1) * data[0] / 1024 : 0; /* up to a quarter */
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;
	int rc;

	if (size == 0)
		return 0;
	rc = import_config_text(&import, &a, (const char *)data + 1 + split, size - 1 - split,
	    split > 0 ? (const char *)data + 1 : NULL, split, "config.json", &options, &e);
	import_check(rc, &import, &a, &e);
	arena_release(&a);
	return 0;
}
