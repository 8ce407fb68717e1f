/* A record of any kind, as it is read, checked and written. The first byte chooses the kind. */
#include <stddef.h>
#include <stdint.h>

#include "ingest/set.h"
#include "ingest/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct set set = SET_INIT;
	struct image knowledge = { 0 }, quarantine = { 0 };
	struct err e = ERR_INIT;

	if (size == 0)
		return 0;
	set_read_text(&set, &kinds[data[0] % KIND_CUSTOMER], (const char *)data + 1, size - 1, "f.yaml");
	set_check(&set);
	if (set.errs.count == 0 && write_images(&knowledge, &quarantine, &set, &e) == OK) {
		image_release(&knowledge);
		image_release(&quarantine);
	}
	set_release(&set);
	return 0;
}
