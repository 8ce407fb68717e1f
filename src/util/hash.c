#include "util/hash.h"

#include <sys/types.h>

#include <inttypes.h>
#include <stdio.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "util/buf.h"

struct hash_state {
	SHA2_CTX sha;
};

struct hash
hash_bytes(const void *bytes, size_t len)
{
	struct hash h;

	SHA256Data(bytes, len, h.hex);
	return h;
}

struct hash_state *
hash_open(void)
{
	struct hash_state *h = xmalloc(sizeof *h);

	SHA256Init(&h->sha);
	return h;
}

void
hash_add(struct hash_state *h, const void *bytes, size_t len)
{
	char head[32];
	int n = snprintf(head, sizeof head, "%" PRIu64 ":", (uint64_t)len);

	SHA256Update(&h->sha, (const uint8_t *)head, (size_t)n);
	SHA256Update(&h->sha, bytes, len);
}

struct hash
hash_close(struct hash_state *h)
{
	struct hash out;

	SHA256End(&h->sha, out.hex);
	free(h);
	return out;
}

enum { LANES = 4, WORD = 8 };

static uint64_t
mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15); /* odd: no word is lost */
	return sum << 29 | sum >> 35;
}

/* Four sums side by side, so that the processor need not wait for one product before the next. */
uint64_t
hash_sum(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t lanes[LANES] = { 1, 2, 3, 4 }, word[LANES], sum = len;
	size_t i = 0;

	for (; i + sizeof word <= len; i += sizeof word) {
		memcpy(word, p + i, sizeof word);
		for (int k = 0; k < LANES; k++)
			lanes[k] = mix(lanes[k], word[k]);
	}
	for (; i < len; i += WORD) {
		word[0] = 0;
		memcpy(word, p + i, len - i < WORD ? len - i : WORD);
		sum = mix(sum, word[0]);
	}
	for (int k = 0; k < LANES; k++)
		sum = mix(sum, lanes[k]);
	return sum ^ sum >> 32;
}
