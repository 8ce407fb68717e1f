/* SHA-256 as lower-case hex. The only user of libmd. */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stddef.h>

enum { HASH_HEX = 64 };

struct hash {
	char hex[HASH_HEX + 1];
};

struct hash hash_bytes(const void *bytes, size_t len);

/*
 * Over several pieces: each piece is taken with its length, so that ("ab","c") and
 * ("a","bc") differ.
 */
struct hash_state;
struct hash_state *hash_open(void);
void hash_add(struct hash_state *h, const void *bytes, size_t len);
struct hash hash_close(struct hash_state *h); /* frees the state */

#endif
