#include "import/family.h"

#include <string.h>

#define TIED FAMILY_TIED
#define TWO FAMILY_TWO_MATRICES
#define ENCODER (FAMILY_ENCODER | TIED | TWO | FAMILY_POSITIONS)
#define ENCODER_DECODER (FAMILY_ENCODER_DECODER | TIED | TWO)

/*
 * Defaults of the configuration classes of Hugging Face transformers. Families that have none of them
 * stand here so that they are known.
 */
static const struct family FAMILIES[] = {
	{ "llama", 0, 0 }, { "mistral", 0, 0 }, { "mixtral", 0, 0 }, { "ministral", 0, 0 }, { "ministral3", 0, 0 },
	{ "mistral3", 0, 0 }, { "mistral_params", 0, 0 }, { "mistral4", 0, 0 }, { "qwen", FAMILY_HALF_FFN, 0 }, { "qwen2", 0, 0 },
	{ "qwen2_moe", 0, 0 }, { "qwen3", 0, 0 }, { "qwen3_moe", 0, 0 }, { "qwen2_vl_text", 0, 0 },
	{ "qwen2_5_vl_text", 0, 0 }, { "qwen2_vl", 0, 0 }, { "qwen2_5_vl", 0, 0 }, { "qwen3_vl_text", 0, 0 },
	{ "qwen3_vl_moe_text", 0, 0 }, { "qwen3_vl", 0, 0 }, { "qwen3_vl_moe", 0, 0 }, { "qwen3_next", 0, 0 },
	{ "qwen3_5_text", 0, 0 }, { "qwen3_5_moe_text", 0, 0 }, { "qwen3_5", 0, 0 }, { "qwen3_5_moe", 0, 0 },
	{ "gemma", TIED, 0 }, { "gemma2", TIED | FAMILY_WINDOW_FIRST, 2 },
	{ "gemma3_text", TIED | FAMILY_WINDOW_FIRST, 6 }, { "gemma3", TIED | FAMILY_WINDOW_FIRST, 6 },
	{ "gemma3n_text", TIED | FAMILY_WINDOW_FIRST | FAMILY_SHARES, 5 }, { "gemma3n", TIED | FAMILY_WINDOW_FIRST | FAMILY_SHARES, 5 },
	{ "gemma4_text", TIED | FAMILY_WINDOW_FIRST, 6 }, { "gemma4", TIED | FAMILY_WINDOW_FIRST, 6 },
	{ "cohere", TIED, 0 }, { "cohere2", TIED | FAMILY_WINDOW_FIRST, 4 },
	{ "gpt_oss", FAMILY_WINDOW_FIRST, 2 }, { "llama4_text", FAMILY_SHARED_EXPERT | FAMILY_CHUNKS, 4 },
	{ "llama4", FAMILY_SHARED_EXPERT | FAMILY_CHUNKS, 4 },
	{ "deepseek_v2", 0, 0 }, { "deepseek_v3", 0, 0 }, { "deepseek_v32", 0, 0 }, { "deepseek_v4", 0, 0 },
	{ "kimi_k2", 0, 0 }, { "kimi_k25", 0, 0 }, { "kimi_linear", 0, 0 }, { "kimi_k3", 0, 0 },
	{ "glm", 0, 0 }, { "glm4", 0, 0 }, { "glm4_moe", 0, 0 }, { "glm4_moe_lite", 0, 0 }, { "glm_moe_dsa", 0, 0 },
	{ "glm4v_text", 0, 0 }, { "glm4v_moe_text", 0, 0 }, { "chatglm", 0, 0 }, { "mimo", 0, 0 }, { "mimo_v2_flash", 0, 0 },
	{ "minimax_m2", 0, 0 }, { "minimax_m3", 0, 0 }, { "minimax", FAMILY_GATED_STATE, 0 },
	{ "minimax_text_01", FAMILY_GATED_STATE, 0 }, { "minimax_m1", FAMILY_GATED_STATE, 0 },
	{ "phi", TWO, 0 }, { "phi3", 0, 0 }, { "phimoe", 0, 0 }, { "phi4flash", TIED | FAMILY_YOCO | FAMILY_CODE_SIZES, 0 },
	{ "phi4mm", TIED, 0 }, { "nemotron", TWO, 0 }, { "nemotron_h", TWO | FAMILY_STATE, 0 }, { "nemotron-nas", 0, 0 },
	{ "granite", TIED, 0 }, { "granitemoe", TIED, 0 }, { "granitemoeshared", TIED, 0 },
	{ "granitemoehybrid", TIED | FAMILY_SHARED_DENSE, 0 }, { "jamba", FAMILY_STATE, 0 }, { "falcon_h1", FAMILY_BOTH, 0 },
	{ "zamba2", TIED | FAMILY_STATE | FAMILY_SHARED_MIXER, 0 }, { "bamba", FAMILY_STATE, 0 },
	{ "falcon", TIED | TWO | FAMILY_FFN_4 | FAMILY_FALCON, 0 }, { "refinedweb", TIED | TWO | FAMILY_FFN_4 | FAMILY_FALCON, 0 },
	{ "refinedwebmodel", TIED | TWO | FAMILY_FFN_4 | FAMILY_FALCON, 0 },
	{ "mamba", TIED | FAMILY_STATE | FAMILY_NO_FFN, 0 }, { "mamba2", TIED | FAMILY_STATE | FAMILY_NO_FFN, 0 },
	{ "mamba_ssm", TIED | FAMILY_STATE | FAMILY_NO_FFN | FAMILY_CODE_SIZES, 0 },
	{ "mamba2_ssm", TIED | FAMILY_STATE | FAMILY_NO_FFN | FAMILY_CODE_SIZES, 0 },
	{ "falcon_mamba", FAMILY_STATE | FAMILY_NO_FFN, 0 }, { "codestral_mamba", FAMILY_STATE | FAMILY_NO_FFN, 0 },
	{ "rwkv7", FAMILY_STATE | TWO, 0 }, { "lfm2", TIED, 0 }, { "lfm2_moe", TIED, 0 },
	{ "exaone", 0, 0 }, { "exaone4", FAMILY_WINDOW_FIRST, 4 }, { "exaone_moe", FAMILY_WINDOW_FIRST, 4 },
	{ "olmo", 0, 0 }, { "olmo2", 0, 0 }, { "olmo3", FAMILY_WINDOW_FIRST, 4 }, { "olmoe", 0, 0 },
	{ "starcoder2", TIED | TWO, 0 }, { "gpt_bigcode", TIED | TWO | FAMILY_FFN_4 | FAMILY_POSITIONS, 0 },
	{ "gpt2", TIED | TWO | FAMILY_FFN_4 | FAMILY_POSITIONS, 0 }, { "gptj", TWO | FAMILY_FFN_4, 0 },
	{ "gpt_neox", TWO, 0 }, { "opt", TIED | TWO | FAMILY_POSITIONS, 0 }, { "bloom", TIED | TWO | FAMILY_FFN_4, 0 },
	{ "mpt", TIED | TWO | FAMILY_FFN_4, 0 }, { "stablelm", 0, 0 }, { "internlm2", 0, 0 }, { "internlm3", 0, 0 },
	{ "baichuan", 0, 0 }, { "yi", 0, 0 }, { "smollm3", TIED, 0 }, { "solar", 0, 0 }, { "solar_open", 0, 0 },
	{ "apertus", TWO, 0 }, { "arcee", TWO, 0 }, { "seed_oss", 0, 0 }, { "dbrx", 0, 0 }, { "ernie4_5", TIED, 0 },
	{ "ernie4_5_moe", TIED, 0 }, { "hunyuan", 0, 0 }, { "hunyuan_v1_dense", 0, 0 }, { "hunyuan_v1_moe", 0, 0 },
	{ "hunyuan_moe", 0, 0 }, { "hunyuan_dense", 0, 0 }, { "step3_text", 0, 0 }, { "step3p5", 0, 0 }, { "step3p7", 0, 0 }, { "step3", 0, 0 },
	{ "longcat_flash", FAMILY_TWO_ATTENTIONS, 0 }, { "bailing_moe", 0, 0 }, { "bailing_moe_v2", 0, 0 },
	{ "bailing_moe_linear", FAMILY_GATED_STATE, 0 },
	{ "dots1", 0, 0 }, { "laguna", 0, 0 }, { "axk1", 0, 0 }, { "glm4v_moe", 0, 0 }, { "glm4v", 0, 0 },
	{ "bert", ENCODER, 0 }, { "roberta", ENCODER, 0 }, { "xlm-roberta", ENCODER, 0 }, { "electra", ENCODER, 0 },
	{ "modernbert", FAMILY_ENCODER | TIED, 0 }, { "nomic_bert", FAMILY_ENCODER | TIED, 0 },
	{ "t5", ENCODER_DECODER, 0 }, { "mt5", ENCODER_DECODER, 0 }, { "umt5", ENCODER_DECODER, 0 },
	{ "whisper", ENCODER_DECODER | FAMILY_POSITIONS, 0 }, { "bart", ENCODER_DECODER | FAMILY_POSITIONS, 0 },
	{ "mbart", ENCODER_DECODER | FAMILY_POSITIONS, 0 }, { "pegasus", ENCODER_DECODER, 0 },
	{ "marian", ENCODER_DECODER, 0 }, { "m2m_100", ENCODER_DECODER, 0 },
};

static const struct {
	const char *model_type, *reason;
} REFUSED[] = {
	{ "motif", "which layers are windowed and what they cache is in its code only" },
	{ "recurrent_gemma", "the width of its recurrent state is in its code only" },
	{ "xlstm", "the sizes of its states are in its code only" },
	{ "rwkv", "older RWKV keeps five vectors a layer, which no key gives" },
	{ "rwkv5", "the sizes of its states are in its code only" },
	{ "rwkv6", "the sizes of its states are in its code only" },
	{ "zamba", "which blocks share their cache is in its code only" },
	{ "dots3", "its cache is not published" },
	{ "plamo2", "the sizes of its states are in its code only" },
	{ "deepseek_v41", "most of its layers read the cache of others, by lists whose rule is in its code only" },
	{ "mllama", "its cross-attention layers keep the rows of an image, whose number is in its code only" },
};

/* In the name of a key. */
static const char *const HINTS[] = {
	"window", "sliding", "chunk", "hybrid", "mamba", "ssm", "linear_att", "linear_num", "linear_key", "recurrent",
	"conv_", "short_conv", "lora_rank", "latent", "compress", "index", "sparse_att", "share", "reuse", "cla_",
	"cross_att", "layer_types", "block_type", "block_config", "layer_pattern", "attn_type", "attn_layer", "kv_source",
	"attention_pattern", "local_att", "global_att", "wkv", "rwkv", "state_size", "lightning", "retention", "kda", "gdn",
	"delta", "memory", "cache_type", "attn_cls", "attention_cls", "xlstm", "lru", "full_attn", "encoder_layers",
	"decoder_layers", "qk_rope", "swa_", "yoco", "layer_group", "attention_type", "no_op",
};

/* Keys that hold a hint and say nothing of the cache. */
static const char *const HARMLESS[] = {
	"use_cache", "chunk_size_feed_forward", "add_cross_attention", "cross_attention_hidden_size", "is_encoder_decoder",
	"shared_expert", "n_shared_experts", "num_shared_experts", "shared_intermediate_size", "share_expert_dim",
	"max_window_layers", "use_sliding_window", "num_shared_expert", "moe_num_shared_experts", "image_token_index",
	"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "tie_encoder_decoder",
	"pad_token_index", "memory_efficient_attention",
};

static bool
same_type(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++) {
		char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;

		if (x != *b)
			return false;
	}
	return *a == *b;
}

const struct family *
family_find(const char *model_type)
{
	if (model_type == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
		if (same_type(model_type, FAMILIES[i].model_type))
			return &FAMILIES[i];
	return NULL;
}

const char *
family_refusal(const char *model_type)
{
	if (model_type == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
		if (same_type(model_type, REFUSED[i].model_type))
			return REFUSED[i].reason;
	return NULL;
}

/* Off, empty or none: it says that there is no such thing. */
static bool
says_none(const struct val *v)
{
	switch (v->kind) {
	case VAL_NULL:
		return true;
	case VAL_BOOL:
		return !v->boolean;
	case VAL_NUM:
		return v->number == 0;
	case VAL_LIST:
	case VAL_MAP:
		return val_count(v) == 0;
	case VAL_STR:
		break;
	}
	return v->str.len == 0;
}

/*
 * A list of what each layer is says it all, together with the one window there is; so these two are no hint at
 * anything else where the list is there. Its words are checked when it is read.
 */
static bool
is_told(const struct val *map, const char *key)
{
	return val_is(val_get(map, "layer_types"), VAL_LIST) &&
	    (strcmp(key, "layer_types") == 0 || strcmp(key, "sliding_window") == 0);
}

static bool
is_harmless(const char *key)
{
	for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++)
		if (strcmp(key, HARMLESS[i]) == 0)
			return true;
	return strstr(key, "token_id") != NULL || strstr(key, "dropout") != NULL;
}

const struct val_entry *
family_hint(const struct val *map)
{
	for (size_t i = 0; val_is(map, VAL_MAP) && i < map->map.count; i++) {
		const struct val_entry *entry = &map->map.entries[i];

		if (says_none(entry->value) || is_harmless(entry->key) || is_told(map, entry->key))
			continue;
		for (size_t h = 0; h < sizeof HINTS / sizeof *HINTS; h++)
			if (strstr(entry->key, HINTS[h]) != NULL)
				return entry;
	}
	return NULL;
}
