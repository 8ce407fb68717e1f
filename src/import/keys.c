#include "import/keys.h"

#include <math.h>
#include <string.h>

enum { SPELLINGS = 11 };

/* The usual spelling first. */
static const char *const KEYS[FACT_COUNT][SPELLINGS] = {
	[FACT_LAYERS] = { "num_hidden_layers", "n_layer", "num_layers", "n_layers", "num_blocks" },
	[FACT_WIDTH] = { "hidden_size", "n_embd", "d_model", "dim", "model_dim", "n_embed" },
	[FACT_HEADS] = { "num_attention_heads", "n_head", "num_heads", "n_heads", "num_query_heads",
	    "decoder_attention_heads", "encoder_attention_heads" },
	[FACT_HEADS_LIST] = { "num_attention_heads_per_layer" },
	[FACT_KV_HEADS] = { "num_key_value_heads", "num_attention_groups", "n_kv_heads", "multi_query_group_num",
	    "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads" },
	[FACT_HEAD_DIM] = { "head_dim", "attention_head_dim", "kv_channels", "head_size", "dim_head" },
	[FACT_V_HEAD_DIM] = { "v_head_dim" },
	[FACT_FFN] = { "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "hidden_dim", "d_ff",
	    "ffn_config.ffn_hidden_size", "decoder_ffn_dim", "mlp_hidden_size", "feedforward_hidden_size" },
	[FACT_VOCAB] = { "vocab_size", "padded_vocab_size", "n_vocab" },
	[FACT_VOCAB_MULTIPLE] = { "pad_vocab_size_multiple" },
	[FACT_TIED] = { "tie_word_embeddings", "tie_embeddings", "use_embedding_sharing", "tied_embeddings" },
	[FACT_CONTEXT] = { "max_position_embeddings", "n_positions", "model_max_length", "max_seq_len", "n_ctx",
	    "max_sequence_length", "max_seq_length", "seq_length", "max_target_positions", "max_context_length" },
	[FACT_DTYPE] = { "torch_dtype", "dtype" },
	[FACT_ACT] = { "hidden_act", "hidden_activation", "mlp_hidden_act", "activation_function", "dense_act_fn",
	    "feed_forward_proj", "activation" },
	[FACT_GATED] = { "is_gated_act", "use_gated_mlp" },
	[FACT_OUTPUT_GATE] = { "attn_output_gate", "attention_output_gate" },
	[FACT_MULTI_QUERY] = { "multi_query", "multi_query_attention" },
	[FACT_NEW_DECODER] = { "new_decoder_architecture" },
	[FACT_POSITIONS] = { "n_positions", "max_position_embeddings", "max_target_positions" },
	[FACT_SHARE_Q] = { "share_q_dim" },
	[FACT_SWA_HEADS] = { "swa_num_attention_heads", "attention_other_setting.num_attention_heads" },
	[FACT_SWA_KV_HEADS] = { "swa_num_key_value_heads", "attention_other_setting.num_attention_groups",
	    "attention_other_setting.num_key_value_heads" },
	[FACT_SWA_HEAD_DIM] = { "swa_head_dim", "attention_other_setting.head_dim" },
	[FACT_SWA_V_HEAD_DIM] = { "swa_v_head_dim" },
	[FACT_GLOBAL_KV_HEADS] = { "num_global_key_value_heads" },
	[FACT_GLOBAL_HEAD_DIM] = { "global_head_dim" },
	[FACT_K_EQ_V] = { "attention_k_eq_v" },
	[FACT_LAYER_TYPES] = { "layer_types" },
	[FACT_BLOCK_PATTERN] = { "hybrid_override_pattern" },
	[FACT_BLOCK_TYPES] = { "layers_block_type", "block_types" },
	[FACT_ATTN_TYPES] = { "attn_type_list" },
	[FACT_HYBRID_PATTERN] = { "hybrid_layer_pattern" },
	[FACT_FULL_LIST_1] = { "linear_attn_config.full_attn_layers" },
	[FACT_FULL_LIST_0] = { "full_attn_idxs", "gqa_layers", "full_attention_layers" },
	[FACT_FULL_INTERVAL] = { "full_attention_interval" },
	[FACT_GROUP_SIZE] = { "layer_group_size" },
	[FACT_ATTN_PERIOD] = { "attn_layer_period" },
	[FACT_ATTN_OFFSET] = { "attn_layer_offset" },
	[FACT_ATTN_INDICES] = { "attn_layer_indices" },
	[FACT_WINDOW] = { "sliding_window", "sliding_window_size", "window_size", "attention_other_setting.sliding_window" },
	[FACT_USE_WINDOW] = { "use_sliding_window" },
	[FACT_MAX_WINDOW_LAYERS] = { "max_window_layers" },
	[FACT_WINDOW_PATTERN] = { "sliding_window_pattern", "_sliding_window_pattern", "sliding_window_period", "layer_switch",
	    "order_of_interleaved_layers", "global_attn_every_n_layers" },
	[FACT_CHUNK] = { "attention_chunk_size" },
	[FACT_NO_ROPE] = { "no_rope_layers" },
	[FACT_BLOCK_CONFIGS] = { "block_configs" },
	[FACT_SHARED_LAYERS] = { "num_kv_shared_layers", "num_kv_reuse_layers" },
	[FACT_USE_CLA] = { "use_cla" },
	[FACT_CLA_FACTOR] = { "cla_share_factor" },
	[FACT_MB_PER_LAYER] = { "mb_per_layer" },
	[FACT_HYBRID_IDS] = { "hybrid_layer_ids" },
	[FACT_KV_RANK] = { "kv_lora_rank" },
	[FACT_Q_RANK] = { "q_lora_rank" },
	[FACT_ROPE_DIM] = { "qk_rope_head_dim" },
	[FACT_NOPE_DIM] = { "qk_nope_head_dim" },
	[FACT_MLA_V_DIM] = { "v_head_dim" },
	[FACT_MLA_GATE] = { "mla_use_output_gate" },
	[FACT_INDEX_DIM] = { "index_head_dim" },
	[FACT_INDEX_HEADS] = { "index_n_heads" },
	[FACT_INDEX_TOPK] = { "index_topk" },
	[FACT_INDEX_TYPES] = { "indexer_types" },
	[FACT_INDEX_POOL] = { "index_kpool" },
	[FACT_COMPRESS] = { "compress_ratios" },
	[FACT_O_GROUPS] = { "o_groups" },
	[FACT_O_RANK] = { "o_lora_rank" },
	[FACT_KV_SOURCES] = { "kv_source_layer_ids", "index_source_layer_ids" },
	[FACT_SPARSE_DIM] = { "sparse_attention_config.sparse_index_dim" },
	[FACT_SPARSE_HEADS] = { "sparse_attention_config.sparse_num_index_heads" },
	[FACT_SPARSE_FREQ] = { "sparse_attention_config.sparse_attention_freq" },
	[FACT_SPARSE_BLOCK] = { "sparse_attention_config.sparse_block_size" },
	[FACT_SPARSE_TOPK] = { "sparse_attention_config.sparse_topk_blocks" },
	[FACT_SPARSE_LOCAL] = { "sparse_attention_config.sparse_local_block" },
	[FACT_SPARSE_INIT] = { "sparse_attention_config.sparse_init_block" },
	[FACT_SPARSE_VALUE_OFF] = { "sparse_attention_config.sparse_disable_index_value" },
	[FACT_SPARSE_ON] = { "sparse_attention_config.use_sparse_attention" },
	[FACT_SSM_HEADS] = { "mamba_num_heads", "mamba_n_heads", "n_mamba_heads" },
	[FACT_SSM_HEAD_DIM] = { "mamba_head_dim", "mamba_d_head", "mamba_headdim" },
	[FACT_SSM_STATE] = { "ssm_state_size", "mamba_d_state", "state_size", "ssm_cfg.d_state" },
	[FACT_SSM_GROUPS] = { "n_groups", "mamba_n_groups", "mamba_ngroups" },
	[FACT_SSM_CONV] = { "conv_kernel", "mamba_d_conv", "ssm_cfg.d_conv" },
	[FACT_SSM_INNER] = { "mamba_d_ssm", "mamba_inner_size", "d_inner" },
	[FACT_SSM_EXPAND] = { "expand", "mamba_expand", "ssm_cfg.expand" },
	[FACT_SSM_RANK] = { "mamba_dt_rank", "time_step_rank" },
	[FACT_STATE_DTYPE] = { "mamba_ssm_cache_dtype", "mamba_ssm_dtype" },
	[FACT_GDN_K_HEADS] = { "linear_num_key_heads" },
	[FACT_GDN_V_HEADS] = { "linear_num_value_heads" },
	[FACT_GDN_K_DIM] = { "linear_key_head_dim" },
	[FACT_GDN_V_DIM] = { "linear_value_head_dim" },
	[FACT_GDN_CONV] = { "linear_conv_kernel_dim" },
	[FACT_KDA_HEADS] = { "linear_attn_config.num_heads" },
	[FACT_KDA_DIM] = { "linear_attn_config.head_dim" },
	[FACT_KDA_CONV] = { "linear_attn_config.short_conv_kernel_size" },
	[FACT_KDA_FULL_GATE] = { "linear_attn_config.use_full_rank_gate" },
	[FACT_SHORT_CONV] = { "conv_L_cache" },
	[FACT_WKV_DIM] = { "wkv_head_size" },
	[FACT_EXPERTS] = { "num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "num_moe_experts",
	    "moe.num_experts", "n_experts", "ffn_config.moe_num_experts" },
	[FACT_TOP_K] = { "num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_top_k",
	    "moe_k", "top_k_experts", "experts_top_k", "moe.num_experts_per_tok", "n_expert_used", "ffn_config.moe_top_k" },
	[FACT_EXPERT_FFN] = { "moe_intermediate_size", "expert_ffn_hidden_size", "expert_hidden_dim",
	    "moe.expert_hidden_dim", "expert_intermediate_size" },
	[FACT_DENSE_FFN] = { "dense_intermediate_size", "intermediate_size_mlp" },
	[FACT_SHARED_COUNT] = { "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts",
	    "moe.num_shared_experts" },
	[FACT_SHARED_FFN] = { "shared_expert_intermediate_size", "shared_intermediate_size",
	    "moe_shared_expert_intermediate_size", "share_expert_dim" },
	[FACT_LATENT] = { "moe_latent_size", "routed_expert_hidden_size" },
	[FACT_ZERO_EXPERTS] = { "zero_expert_num" },
	[FACT_FIRST_DENSE] = { "first_k_dense_replace", "num_dense_layers", "moe_layer_start_index",
	    "moe.first_k_dense_replace" },
	[FACT_MOE_FREQ] = { "moe_layer_freq", "moe_layer_interval" },
	[FACT_MLP_TYPES] = { "mlp_layer_types" },
	[FACT_SPARSE_STEP] = { "decoder_sparse_step" },
	[FACT_MLP_ONLY] = { "mlp_only_layers" },
	[FACT_MOE_STEP] = { "interleave_moe_layer_step", "moe_every_n_layers" },
	[FACT_MOE_LAYERS] = { "moe_layers_enum", "moe_layers" },
	[FACT_EXPERT_PERIOD] = { "expert_layer_period" },
	[FACT_EXPERT_OFFSET] = { "expert_layer_offset" },
	[FACT_MOE_BLOCK] = { "enable_moe_block" },
	[FACT_MTP] = { "num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "mtp_num_layers" },
	[FACT_PER_LAYER_INPUT] = { "hidden_size_per_layer_input" },
	[FACT_PER_LAYER_VOCAB] = { "vocab_size_per_layer_input" },
	[FACT_LAUREL] = { "laurel_rank" },
	[FACT_ALTUP] = { "altup_num_inputs" },
	[FACT_DECODER_LAYERS] = { "num_decoder_layers", "decoder_layers" },
	[FACT_ENCODER_LAYERS] = { "encoder_layers", "num_layers" },
	[FACT_D_KV] = { "d_kv", "head_dim" },
	[FACT_SOURCE_ROWS] = { "max_source_positions", "n_positions", "max_position_embeddings" },
	[FACT_QUANT] = { "quantization_config", "quantization", "compression_config" },
	[FACT_MULTIPLE_OF] = { "multiple_of" },
	[FACT_FFN_MULTIPLIER] = { "ffn_dim_multiplier" },
	[FACT_DOUBLE_WIDE] = { "use_double_wide_mlp" },
};

const char *
fact_key(enum fact f)
{
	return KEYS[f][0];
}

/* As val_path, but a part of a spelling never selects from a list. */
static const struct val *
lookup(const struct val *map, const char *key)
{
	const char *dot = strchr(key, '.');
	char part[64];

	if (dot == NULL)
		return val_get(map, key);
	memcpy(part, key, (size_t)(dot - key));
	part[dot - key] = '\0';
	return val_get(val_get(map, part), dot + 1);
}

static const struct val *
search(const struct config *c, enum fact f, const char **key)
{
	*key = KEYS[f][0];
	for (size_t m = 0; m < c->map_count; m++)
		for (int s = 0; s < SPELLINGS && KEYS[f][s] != NULL; s++) {
			const struct val *v = lookup(c->maps[m], KEYS[f][s]);

			if (v == NULL || v->kind == VAL_NULL)
				continue;
			*key = KEYS[f][s];
			return v;
		}
	return NULL;
}

void
fact_index(struct config *c)
{
	for (size_t m = 0; m < c->map_count; m++)
		if (val_count(c->maps[m]) > CONFIG_MAX_KEYS) {
			draft_fail(c->d, c->maps[m]->at, "expected at most %d keys in a map of a configuration", CONFIG_MAX_KEYS);
			return;
		}
	for (int f = 0; f < FACT_COUNT; f++)
		c->found[f] = search(c, (enum fact)f, &c->spelled[f]);
}

const struct val *
fact(const struct config *c, enum fact f, const char **key)
{
	if (key != NULL)
		*key = c->spelled[f] != NULL ? c->spelled[f] : KEYS[f][0];
	return c->found[f];
}

double
count_of(const struct config *c, const struct val *v, const char *what)
{
	if (!val_is(v, VAL_NUM)) {
		draft_fail(c->d, v->at, "%s: expected a whole number, found %s", what, val_kind_name(v->kind));
		return 0;
	}
	if (!(v->number >= 0) || v->number > SIZING_MAX_COUNT || v->number != floor(v->number)) {
		draft_fail(c->d, v->at, "%s: expected a whole number from 0 to 1e12, found %g", what, v->number);
		return 0;
	}
	return v->number;
}

double
fact_count(const struct config *c, enum fact f)
{
	const char *key;
	const struct val *v = fact(c, f, &key);

	return v == NULL ? 0 : count_of(c, v, key);
}

double
fact_count_at(const struct config *c, enum fact f, size_t layer)
{
	const char *key;
	const struct val *v = fact(c, f, &key);

	if (!val_is(v, VAL_LIST))
		return v == NULL ? 0 : count_of(c, v, key);
	if (layer >= v->list.count) {
		draft_fail(c->d, v->at, "%s: expected %zu items, one a layer, found %u", key, c->layers, v->list.count);
		return 0;
	}
	v = v->list.items[layer];
	return v->kind == VAL_NULL ? 0 : count_of(c, v, key);
}

double
fact_needed(const struct config *c, enum fact f)
{
	double n = fact_count(c, f);

	if (!(n > 0))
		draft_fail(c->d, fact_at(c, f), "expected `%s` above 0, found %s", fact_key(f),
		    fact_is(c, f) ? "0" : "none");
	return n;
}

bool
fact_is(const struct config *c, enum fact f)
{
	return fact(c, f, NULL) != NULL;
}

bool
fact_yes(const struct config *c, enum fact f, bool otherwise)
{
	const char *key;
	const struct val *v = fact(c, f, &key);

	if (v == NULL)
		return otherwise;
	if (v->kind == VAL_BOOL)
		return v->boolean;
	if (v->kind == VAL_NUM)
		return v->number != 0;
	draft_fail(c->d, v->at, "%s: expected true or false, found %s", key, val_kind_name(v->kind));
	return otherwise;
}

const char *
fact_text(const struct config *c, enum fact f)
{
	return val_text(fact(c, f, NULL));
}

const struct val *
fact_any_list(const struct config *c, enum fact f)
{
	const char *key;
	const struct val *v = fact(c, f, &key);

	if (v == NULL)
		return NULL;
	if (v->kind != VAL_LIST) {
		draft_fail(c->d, v->at, "%s: expected a list, found %s", key, val_kind_name(v->kind));
		return NULL;
	}
	if (v->list.count > 2 * DRAFT_MAX_LAYERS) {
		draft_fail(c->d, v->at, "%s: expected at most %d items", key, 2 * DRAFT_MAX_LAYERS);
		return NULL;
	}
	return v;
}

const struct val *
fact_list(const struct config *c, enum fact f)
{
	const struct val *v = fact_any_list(c, f);

	if (v != NULL && v->list.count < c->layers) {
		draft_fail(c->d, v->at, "%s: expected %zu items, one a layer, found %u", fact_key(f), c->layers,
		    v->list.count);
		return NULL;
	}
	return v;
}

struct place
fact_at(const struct config *c, enum fact f)
{
	const struct val *v = fact(c, f, NULL);

	return v != NULL ? v->at : c->at;
}
