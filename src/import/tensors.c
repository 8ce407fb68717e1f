#include <string.h>

#include "import/file_int.h"

/* A part of a tensor's name, as Hugging Face or as GGUF writes it; the first that fits decides. */
static const struct {
	const char *part;
	enum sizing_class class;
} PARTS[] = {
	{ "vision", SIZING_OTHER }, { "visual", SIZING_OTHER }, { "audio", SIZING_OTHER }, { "projector", SIZING_OTHER },
	{ "per_layer", SIZING_OTHER }, { "position", SIZING_OTHER }, { "norm", SIZING_OTHER }, { "shared_expert", SIZING_SHARED },
	{ "shexp", SIZING_SHARED }, { "gate_inp", SIZING_OTHER }, { "router", SIZING_OTHER }, { "mlp.gate.", SIZING_OTHER },
	{ "experts", SIZING_EXPERTS }, { "_exps", SIZING_EXPERTS }, { "token_embd", SIZING_VOCABULARY },
	{ "embed", SIZING_VOCABULARY }, { "wte", SIZING_VOCABULARY }, { "lm_head", SIZING_VOCABULARY },
	{ "attn", SIZING_ATTENTION }, { "attention", SIZING_ATTENTION }, { "ssm_", SIZING_ATTENTION },
	{ "mixer", SIZING_ATTENTION }, { "mamba", SIZING_ATTENTION }, { "shortconv", SIZING_ATTENTION },
	{ "time_mix", SIZING_ATTENTION }, { "indexer", SIZING_ATTENTION }, { "q_proj", SIZING_ATTENTION }, { "k_proj", SIZING_ATTENTION },
	{ "v_proj", SIZING_ATTENTION }, { "o_proj", SIZING_ATTENTION }, { "mlp", SIZING_DENSE }, { "ffn", SIZING_DENSE },
	{ "feed_forward", SIZING_DENSE }, { "channel_mix", SIZING_DENSE }, { "fc1", SIZING_DENSE }, { "fc2", SIZING_DENSE },
	{ "gate_proj", SIZING_DENSE }, { "up_proj", SIZING_DENSE }, { "down_proj", SIZING_DENSE },
};

enum sizing_class
tensor_class_of(const char *name)
{
	size_t n = strlen(name);

	if (strncmp(name, "output.", 7) == 0)
		return SIZING_VOCABULARY;
	/* As regular expressions of exclusion lists: mlp\.(gate|up|down)_proj, and the router mlp\.gate$ */
	if (strstr(name, "mlp\\.(gate") != NULL || strstr(name, "mlp.(gate") != NULL)
		return SIZING_DENSE;
	if (strstr(name, "mlp\\.gate$") != NULL || strstr(name, "mlp.gate$") != NULL ||
	    (n >= 8 && strcmp(name + n - 8, "mlp.gate") == 0))
		return SIZING_OTHER;
	for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
		if (strstr(name, PARTS[i].part) != NULL)
			return PARTS[i].class;
	return SIZING_OTHER;
}

long
tensor_layer(const char *name)
{
	const char *s = strstr(name, "layers.");
	long n = 0;

	if (s == NULL || s[7] < '0' || s[7] > '9')
		return -1;
	for (s += 7; *s >= '0' && *s <= '9' && n < DRAFT_MAX_LAYERS; s++)
		n = n * 10 + (*s - '0');
	return n;
}

bool
tensor_is_beside(const char *name)
{
	static const char *const parts[] = { "vision", "visual", "audio", "projector", "mtp" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(name, parts[i]) != NULL)
			return true;
	return false;
}
