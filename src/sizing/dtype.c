#include "sizing/sizing.h"
#include "sizing/sizing_int.h"

/*
 * Block types: bytes of a block x 8 / elements of a block, from gguf-py/gguf/constants.py for the
 * GGUF ones (q4_k: 144 B per 256), from the OCP MX specification for mx* (8-bit scale per 32) and
 * from NVIDIA for nvfp4 (8-bit scale per 16). GGUF block types are expanded to 16 bits.
 */
static const struct sizing_dtype DTYPES[] = {
	{"fp32", 32, SIZING_FP32},
	{"bf16", 16, SIZING_BF16},
	{"fp16", 16, SIZING_BF16},
	{"fp8", 8, SIZING_FP8},
	{"int8", 8, SIZING_INT8},
	{"fp4", 4, SIZING_FP4},
	{"int4", 4, SIZING_INT8},
	{"mxfp8", 8.25, SIZING_FP8},
	{"mxfp6", 6.25, SIZING_FP8},
	{"mxfp4", 4.25, SIZING_FP4},
	{"nvfp4", 4.5, SIZING_FP4},
	{"f32", 32, SIZING_FP32},
	{"f16", 16, SIZING_BF16},
	{"q8_0", 34 * 8 / 32.0, SIZING_BF16},
	{"q6_k", 210 * 8 / 256.0, SIZING_BF16},
	{"q5_k", 176 * 8 / 256.0, SIZING_BF16},
	{"q5_1", 24 * 8 / 32.0, SIZING_BF16},
	{"q5_0", 22 * 8 / 32.0, SIZING_BF16},
	{"q4_k", 144 * 8 / 256.0, SIZING_BF16},
	{"q4_1", 20 * 8 / 32.0, SIZING_BF16},
	{"q4_0", 18 * 8 / 32.0, SIZING_BF16},
	{"iq4_nl", 18 * 8 / 32.0, SIZING_BF16},
	{"iq4_xs", 136 * 8 / 256.0, SIZING_BF16},
	{"q3_k", 110 * 8 / 256.0, SIZING_BF16},
	{"iq3_s", 110 * 8 / 256.0, SIZING_BF16},
	{"iq3_xxs", 98 * 8 / 256.0, SIZING_BF16},
	{"q2_k", 84 * 8 / 256.0, SIZING_BF16},
	{"iq2_s", 82 * 8 / 256.0, SIZING_BF16},
	{"iq2_xs", 74 * 8 / 256.0, SIZING_BF16},
	{"iq2_xxs", 66 * 8 / 256.0, SIZING_BF16},
	{"tq2_0", 66 * 8 / 256.0, SIZING_BF16},
	{"iq1_m", 56 * 8 / 256.0, SIZING_BF16},
	{"tq1_0", 54 * 8 / 256.0, SIZING_BF16},
	{"iq1_s", 50 * 8 / 256.0, SIZING_BF16},
};

static const char *const RATE_NAMES[SIZING_RATES] = {
	[SIZING_BF16] = "bf16",
	[SIZING_FP8] = "fp8",
	[SIZING_FP4] = "fp4",
	[SIZING_INT8] = "int8",
	[SIZING_FP32] = "fp32",
};

/*
 * What a dtype without a path of its own is expanded to; bf16 is the end of every chain. Engines unpack
 * FP4 weights to 16 bits where there is no FP4 path (vLLM: Marlin kernels on Hopper), not to FP8.
 */
static const enum sizing_rate EXPANDED[SIZING_RATES] = {
	[SIZING_BF16] = SIZING_BF16,
	[SIZING_FP8] = SIZING_BF16,
	[SIZING_FP4] = SIZING_BF16,
	[SIZING_INT8] = SIZING_BF16,
	[SIZING_FP32] = SIZING_BF16,
};

/* Of a product's two operands the wider decides. */
static const int RATE_WIDTH[SIZING_RATES] = {
	[SIZING_BF16] = 16,
	[SIZING_FP8] = 8,
	[SIZING_FP4] = 4,
	[SIZING_INT8] = 8,
	[SIZING_FP32] = 32,
};

static bool
same_name(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++) {
		char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
		char y = *b >= 'A' && *b <= 'Z' ? (char)(*b - 'A' + 'a') : *b;

		if (x != y)
			return false;
	}
	return *a == *b;
}

const struct sizing_dtype *
sizing_dtype_at(size_t i)
{
	return i < sizeof DTYPES / sizeof DTYPES[0] ? &DTYPES[i] : NULL;
}

const struct sizing_dtype *
sizing_dtype_find(const char *name)
{
	const struct sizing_dtype *d;

	if (name == NULL)
		return NULL;
	for (size_t i = 0; (d = sizing_dtype_at(i)) != NULL; i++)
		if (same_name(d->name, name))
			return d;
	return NULL;
}

const char *
sizing_rate_name(enum sizing_rate rate)
{
	return rate < SIZING_RATES ? RATE_NAMES[rate] : NULL;
}

static enum sizing_rate
common_rate(enum sizing_rate a, enum sizing_rate b)
{
	enum sizing_rate wide = RATE_WIDTH[a] >= RATE_WIDTH[b] ? a : b;
	enum sizing_rate narrow = wide == a ? b : a;

	if (wide == narrow || RATE_WIDTH[wide] >= 16)
		return wide;
	/* Below 16 bits an integer and a float meet only after both are expanded. */
	return wide == SIZING_INT8 || narrow == SIZING_INT8 ? SIZING_BF16 : wide;
}

struct sizing_path
sizing_path_of(const struct sizing_device *d, const struct sizing_dtype *operand,
    const struct sizing_dtype *activations)
{
	struct sizing_path path = {.asked = SIZING_BF16};

	if (operand != NULL)
		path.asked = (enum sizing_rate)operand->compute;
	if (activations != NULL)
		path.asked = common_rate(path.asked, (enum sizing_rate)activations->compute);
	path.used = path.asked;
	while (!(d->peak[path.used] > 0) && EXPANDED[path.used] != path.used)
		path.used = EXPANDED[path.used];
	path.operations = d->peak[path.used] *
	    (d->efficiency[path.used] > 0 ? d->efficiency[path.used] : 1);
	return path;
}
