/*
 * A safetensors header, or an index: its tensors are counted, or it is refused with a reason. The file is alone in its
 * folder, so no record comes of it.
 */
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

	import_check(import_safetensors_bytes(&import, &a, data, size, "nowhere/m.safetensors", &options, &e), &import, &a, &e);
	import_check(import_config_text(&import, &a, (const char *)data, size, NULL, 0, "nowhere/model.safetensors.index.json",
	    &options, &e), &import, &a, &e);
	arena_release(&a);
	return 0;
}
