#include "util/hash.h"

#include <sys/types.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sha2.h>

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
