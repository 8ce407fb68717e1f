#include <string.h>

#include "import/file_int.h"

/* A part of a tensor's name, as Hugging Face or as GGUF writes it; the first that fits decides. */
static const struct {
	const char *part;
	enum tensor_class class;
} PARTS[] = {
	{ "vision", CLASS_OTHER }, { "visual", CLASS_OTHER }, { "audio", CLASS_OTHER }, { "projector", CLASS_OTHER },
	{ "per_layer", CLASS_OTHER }, { "position", CLASS_OTHER }, { "norm", CLASS_OTHER }, { "shared_expert", CLASS_SHARED },
	{ "shexp", CLASS_SHARED }, { "gate_inp", CLASS_OTHER }, { "router", CLASS_OTHER }, { "mlp.gate.", CLASS_OTHER },
	{ "experts", CLASS_EXPERTS }, { "_exps", CLASS_EXPERTS }, { "token_embd", CLASS_VOCABULARY },
	{ "embed", CLASS_VOCABULARY }, { "wte", CLASS_VOCABULARY }, { "lm_head", CLASS_VOCABULARY },
	{ "attn", CLASS_ATTENTION }, { "attention", CLASS_ATTENTION }, { "ssm_", CLASS_ATTENTION },
	{ "mixer", CLASS_ATTENTION }, { "mamba", CLASS_ATTENTION }, { "shortconv", CLASS_ATTENTION },
	{ "time_mix", CLASS_ATTENTION }, { "indexer", CLASS_ATTENTION }, { "q_proj", CLASS_ATTENTION }, { "k_proj", CLASS_ATTENTION },
	{ "v_proj", CLASS_ATTENTION }, { "o_proj", CLASS_ATTENTION }, { "mlp", CLASS_DENSE }, { "ffn", CLASS_DENSE },
	{ "feed_forward", CLASS_DENSE }, { "channel_mix", CLASS_DENSE }, { "fc1", CLASS_DENSE }, { "fc2", CLASS_DENSE },
	{ "gate_proj", CLASS_DENSE }, { "up_proj", CLASS_DENSE }, { "down_proj", CLASS_DENSE },
};

enum tensor_class
tensor_class_of(const char *name)
{
	if (strncmp(name, "output.", 7) == 0)
		return CLASS_VOCABULARY;
	/* As a regular expression of an exclusion list: mlp\.(gate|up|down)_proj */
	if (strstr(name, "mlp\\.(gate") != NULL || strstr(name, "mlp.(gate") != NULL)
		return CLASS_DENSE;
	for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
		if (strstr(name, PARTS[i].part) != NULL)
			return PARTS[i].class;
	return CLASS_OTHER;
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
