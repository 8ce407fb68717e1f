/* SHA-256 as lower-case hex. The only user of libmd. */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * A checksum of 64 bits, many times as fast: it finds damage, and stops nobody who means to forge. The same on
 * machines of the same byte order.
 */
uint64_t hash_sum(const void *bytes, size_t len);

#endif
