/* Any bytes against a few claims, and as a claim of their own, which they must then meet. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wording/wording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const claims[] = {
		"Offloading KV cache to SSD always pays.",
		"메모리가 부족해지면 p50은 그대로인데 p99만 폭증합니다.",
		"HBM takes 12 % and never less.",
	};
	const char *text = (const char *)data;
	struct arena a = ARENA_INIT;
	struct wording *w = wording_open(&a);
	struct wording_match m;

	for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
		wording_add(w, "claim", claims[i], strlen(claims[i]));
	for (int round = 0; round < 2; round++) {
		wording_nearest(w, text, size, &m);
		assert(m.score >= 0 && m.score <= 1.000001);
		assert(m.offset <= size && m.length <= size - m.offset);
		assert((m.id == NULL) == (m.score == 0));
		wording_add(w, "itself", text, size);
	}
	arena_release(&a);
	return 0;
}
