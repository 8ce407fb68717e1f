#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

/* FIPS 180-4, the examples of one and of two blocks. */
static void
sha256(void **state)
{
	(void)state;
	assert_string_equal(hash_bytes("abc", 3).hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_string_equal(hash_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56).hex,
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* Any one bit, any length, two words or two blocks in each other's place: each shows in the checksum. */
static void
damage_shows(void **state)
{
	unsigned char bytes[200], other[200];
	uint64_t sums[200];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 37 + 11);
	for (size_t len = 0; len < sizeof bytes; len++) {
		sums[len] = hash_sum(bytes, len);
		for (size_t k = 0; k < len; k++)
			assert_true(sums[k] != sums[len]);
	}
	for (size_t bit = 0; bit < 8 * 199; bit++) {
		memcpy(other, bytes, sizeof bytes);
		other[bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_true(hash_sum(other, 199) != sums[199]);
	}
	for (size_t size = 8; size <= 64; size += 8)
		for (size_t k = 0; k + 2 * size <= 192; k += 8) {
			memcpy(other, bytes, sizeof bytes);
			memcpy(other + k, bytes + k + size, size);
			memcpy(other + k + size, bytes + k, size);
			assert_true(hash_sum(other, 199) != sums[199]);
		}
	memset(other, 0, sizeof other);
	for (size_t len = 1; len < sizeof other; len++) /* nothing but zeros */
		assert_true(hash_sum(other, len) != hash_sum(other, len - 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sha256), cmocka_unit_test(damage_shows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
