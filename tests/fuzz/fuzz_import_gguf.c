/* A GGUF header is read to a record, or refused with a reason; no count or length in it is believed. */
#include <stdint.h>

#include "import_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import_options options = { "m", NULL, NULL, NULL, NULL };
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;

	import_check(import_gguf_bytes(&import, &a, data, size, "m.gguf", &options, &e), &import, &a, &e);
	arena_release(&a);
	return 0;
}
