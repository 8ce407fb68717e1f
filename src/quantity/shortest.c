/*
 * The shortest digits that read back as a double, and of those the nearest to it.
 *
 * R. Giulietti, "The Schubfach way to render doubles" (2020): one multiplication by a power of
 * ten to 128 bits for the number and each end of the interval that rounds to it; what is
 * left is a choice between two or four candidates. A power 10^k is held as the ceiling of
 * its 128 leading bits. The table spans what figures here are (about 1e-32 to 1e37).
 */
#include "quantity/quantity_int.h"

#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { POWER_MIN = -22, POWER_MAX = 48 };

static const struct power {
	uint64_t high, low;
} powers[POWER_MAX - POWER_MIN + 1] = {
	 { 0xf1c90080baf72cb1, 0x5324c68b12dd6339 }, { 0x971da05074da7bee, 0xd3f6fc16ebca5e04 },
	 { 0xbce5086492111aea, 0x88f4bb1ca6bcf585 }, { 0xec1e4a7db69561a5, 0x2b31e9e3d06c32e6 },
	 { 0x9392ee8e921d5d07, 0x3aff322e62439fd0 }, { 0xb877aa3236a4b449, 0x09befeb9fad487c3 },
	 { 0xe69594bec44de15b, 0x4c2ebe687989a9b4 }, { 0x901d7cf73ab0acd9, 0x0f9d37014bf60a11 },
	 { 0xb424dc35095cd80f, 0x538484c19ef38c95 }, { 0xe12e13424bb40e13, 0x2865a5f206b06fba },
	 { 0x8cbccc096f5088cb, 0xf93f87b7442e45d4 }, { 0xafebff0bcb24aafe, 0xf78f69a51539d749 },
	 { 0xdbe6fecebdedd5be, 0xb573440e5a884d1c }, { 0x89705f4136b4a597, 0x31680a88f8953031 },
	 { 0xabcc77118461cefc, 0xfdc20d2b36ba7c3e }, { 0xd6bf94d5e57a42bc, 0x3d32907604691b4d },
	 { 0x8637bd05af6c69b5, 0xa63f9a49c2c1b110 }, { 0xa7c5ac471b478423, 0x0fcf80dc33721d54 },
	 { 0xd1b71758e219652b, 0xd3c36113404ea4a9 }, { 0x83126e978d4fdf3b, 0x645a1cac083126ea },
	 { 0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4 }, { 0xcccccccccccccccc, 0xcccccccccccccccd },
	 { 0x8000000000000000, 0x0000000000000000 }, { 0xa000000000000000, 0x0000000000000000 },
	 { 0xc800000000000000, 0x0000000000000000 }, { 0xfa00000000000000, 0x0000000000000000 },
	 { 0x9c40000000000000, 0x0000000000000000 }, { 0xc350000000000000, 0x0000000000000000 },
	 { 0xf424000000000000, 0x0000000000000000 }, { 0x9896800000000000, 0x0000000000000000 },
	 { 0xbebc200000000000, 0x0000000000000000 }, { 0xee6b280000000000, 0x0000000000000000 },
	 { 0x9502f90000000000, 0x0000000000000000 }, { 0xba43b74000000000, 0x0000000000000000 },
	 { 0xe8d4a51000000000, 0x0000000000000000 }, { 0x9184e72a00000000, 0x0000000000000000 },
	 { 0xb5e620f480000000, 0x0000000000000000 }, { 0xe35fa931a0000000, 0x0000000000000000 },
	 { 0x8e1bc9bf04000000, 0x0000000000000000 }, { 0xb1a2bc2ec5000000, 0x0000000000000000 },
	 { 0xde0b6b3a76400000, 0x0000000000000000 }, { 0x8ac7230489e80000, 0x0000000000000000 },
	 { 0xad78ebc5ac620000, 0x0000000000000000 }, { 0xd8d726b7177a8000, 0x0000000000000000 },
	 { 0x878678326eac9000, 0x0000000000000000 }, { 0xa968163f0a57b400, 0x0000000000000000 },
	 { 0xd3c21bcecceda100, 0x0000000000000000 }, { 0x84595161401484a0, 0x0000000000000000 },
	 { 0xa56fa5b99019a5c8, 0x0000000000000000 }, { 0xcecb8f27f4200f3a, 0x0000000000000000 },
	 { 0x813f3978f8940984, 0x4000000000000000 }, { 0xa18f07d736b90be5, 0x5000000000000000 },
	 { 0xc9f2c9cd04674ede, 0xa400000000000000 }, { 0xfc6f7c4045812296, 0x4d00000000000000 },
	 { 0x9dc5ada82b70b59d, 0xf020000000000000 }, { 0xc5371912364ce305, 0x6c28000000000000 },
	 { 0xf684df56c3e01bc6, 0xc732000000000000 }, { 0x9a130b963a6c115c, 0x3c7f400000000000 },
	 { 0xc097ce7bc90715b3, 0x4b9f100000000000 }, { 0xf0bdc21abb48db20, 0x1e86d40000000000 },
	 { 0x96769950b50d88f4, 0x1314448000000000 }, { 0xbc143fa4e250eb31, 0x17d955a000000000 },
	 { 0xeb194f8e1ae525fd, 0x5dcfab0800000000 }, { 0x92efd1b8d0cf37be, 0x5aa1cae500000000 },
	 { 0xb7abc627050305ad, 0xf14a3d9e40000000 }, { 0xe596b7b0c643c719, 0x6d9ccd05d0000000 },
	 { 0x8f7e32ce7bea5c6f, 0xe4820023a2000000 }, { 0xb35dbf821ae4f38b, 0xdda2802c8a800000 },
	 { 0xe0352f62a19e306e, 0xd50b2037ad200000 }, { 0x8c213d9da502de45, 0x4526f422cc340000 },
	 { 0xaf298d050e4395d6, 0x9670b12b7f410000 },
};

/* floor(log10(2^e)), floor(log10(3/4 x 2^e)) and floor(log2(10^k)) for all that doubles need */
static int
log10_of_power_of_2(int e)
{
	return (e * 1262611) >> 22;
}

static int
log10_of_three_quarters(int e)
{
	return (e * 1262611 - 524031) >> 22;
}

static int
log2_of_power_of_10(int k)
{
	return (k * 1741647) >> 19;
}

/* c x power / 2^128, with the last bit set where anything was cut off ("round to odd"). */
static uint64_t
multiply(const struct power *power, uint64_t c)
{
	wide low = (wide)power->low * c;
	wide high = (wide)power->high * c + (uint64_t)(low >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

bool
quantity_shortest(uint64_t *digits, int *exponent, double value)
{
	uint64_t bits, fraction, c, s;
	uint64_t lower, middle, upper;
	int biased, q, k, shift;
	bool odd, narrow;

	memcpy(&bits, &value, sizeof bits);
	fraction = bits & (((uint64_t)1 << 52) - 1);
	biased = (int)(bits >> 52);
	if (biased == 0 || biased >= 0x7FF) /* subnormal, infinite, NaN or negative */
		return false;
	c = fraction | (uint64_t)1 << 52;
	q = biased - 1075;
	narrow = fraction == 0 && biased > 1; /* below a power of 2 doubles are twice as near */
	k = narrow ? log10_of_three_quarters(q) : log10_of_power_of_2(q);
	if (-k < POWER_MIN || -k > POWER_MAX)
		return false;
	shift = q + log2_of_power_of_10(-k) + 1;
	odd = c & 1;
	lower = multiply(&powers[-k - POWER_MIN], (4 * c - 2 + narrow) << shift) + odd;
	middle = multiply(&powers[-k - POWER_MIN], 4 * c << shift);
	upper = multiply(&powers[-k - POWER_MIN], (4 * c + 2) << shift) - odd;
	s = middle / 4;
	if (s >= 10) { /* is there one with a digit less? */
		uint64_t tens = s / 10;
		bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;

		if (down != up) {
			*digits = tens + up;
			*exponent = k + 1;
			return true;
		}
	}
	*exponent = k;
	if ((lower <= 4 * s) != (4 * s + 4 <= upper)) {
		*digits = s + (4 * s + 4 <= upper);
		return true;
	}
	*digits = s + (middle > 4 * s + 2 || (middle == 4 * s + 2 && (s & 1)));
	return true;
}
