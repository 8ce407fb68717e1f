/*
 * Configurations in every arrangement of layers. Expected bytes are published figures or arithmetic from the
 * architecture's description, written beside each; none comes from running this program.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "import/import.h"
#include "kb/profile.h"
#include "util/buf.h"
#include "yaml/yn.h"

static const struct import_options PLAIN = { NULL, NULL, NULL, NULL, NULL };

static int
read_text(struct import *import, struct arena *a, const char *json, const char *quant, struct err *e)
{
	return import_config_text(import, a, json, strlen(json), quant, quant != NULL ? strlen(quant) : 0, "x/config.json",
	    &PLAIN, e);
}

/* Through the record: what is written is what is meant. */
static struct sizing_model
read_model(struct arena *a, const char *json)
{
	struct sizing_model model;
	struct import import;
	struct err e = ERR_INIT;

	if (read_text(&import, a, json, NULL, &e) != OK)
		fail_msg("%s: %s in %.80s", e.where, e.text, json);
	assert_int_equal(profile_model(&model, import.record, &e), OK);
	return model;
}

struct row {
	const char *json;
	double tokens, bytes; /* of one sequence, KV in bf16 */
	double parameters;    /* 0: not compared; else within 2 % */
};

#define MLA "\"kv_lora_rank\":512,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"v_head_dim\":128,"

static const struct row ROWS[] = {
	/* MHA: Command R v01 has 40 layers of 64 x 128: 2 x 40 x 8192 x 2 = 1,310,720 B a token, "1280 KiB". */
	{ "{\"model_type\":\"cohere\",\"hidden_size\":8192,\"num_hidden_layers\":40,\"num_attention_heads\":64,"
	  "\"num_key_value_heads\":64,\"intermediate_size\":22528,\"vocab_size\":256000}", 1000, 1310720e3, 35e9 },
	/* GQA: Llama 3.1 70B, 2 x 80 x 8 x 128 x 2 = 327,680 B a token; 70.55 billion. */
	{ "{\"model_type\":\"llama\",\"hidden_size\":8192,\"num_hidden_layers\":80,\"num_attention_heads\":64,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":28672,\"vocab_size\":128256}", 1000, 327680e3, 70.55e9 },
	/* MQA by three keys: Falcon-7B, one head of 64; a copy says 71. 2 x 32 x 64 x 2 = 8,192 B; 6.92 billion. */
	{ "{\"model_type\":\"falcon\",\"hidden_size\":4544,\"num_hidden_layers\":32,\"num_attention_heads\":71,"
	  "\"num_kv_heads\":71,\"multi_query\":true,\"new_decoder_architecture\":false,\"vocab_size\":65024}", 1000, 8192e3, 6.92e9 },
	/* GPT-2: n_inner null, tied, learned positions. 2 x 12 x 768 x 2 = 36,864 B; 124.4 million. */
	{ "{\"model_type\":\"gpt2\",\"n_layer\":12,\"n_embd\":768,\"n_head\":12,\"n_inner\":null,\"vocab_size\":50257,"
	  "\"n_positions\":1024}", 1000, 36864e3, 124.4e6 },
	/* head_dim is not hidden / heads: Gemma-2-27B 46 layers of 16 heads of 128; half have 4,096 rows.
	 * 23 x 2 x 2048 x 2 x (8192 + 4096) */
	{ "{\"model_type\":\"gemma2\",\"hidden_size\":4608,\"num_hidden_layers\":46,\"num_attention_heads\":32,"
	  "\"num_key_value_heads\":16,\"head_dim\":128,\"intermediate_size\":36864,\"vocab_size\":256000,"
	  "\"sliding_window\":4096}", 8192, 23. * 8192 * (8192 + 4096), 27.2e9 },
	/* Gemma-3-4B: no pattern key; 34 layers give 5 full ones, not 34 / 6 rounded up. 2 x 1024 x 2 = 4,096 B a row. */
	{ "{\"model_type\":\"gemma3\",\"text_config\":{\"model_type\":\"gemma3_text\",\"hidden_size\":2560,"
	  "\"num_hidden_layers\":34,\"num_attention_heads\":8,\"num_key_value_heads\":4,\"head_dim\":256,"
	  "\"intermediate_size\":10240,\"sliding_window\":1024,\"vocab_size\":262208}}", 32768, 4096. * (5 * 32768 + 29 * 1024), 3.88e9 },
	/* The 1B has the key: 26 layers, 4 full, one head of 256: 1,024 B a row. */
	{ "{\"model_type\":\"gemma3_text\",\"hidden_size\":1152,\"num_hidden_layers\":26,\"num_attention_heads\":4,"
	  "\"num_key_value_heads\":1,\"head_dim\":256,\"intermediate_size\":6912,\"sliding_window\":512,"
	  "\"sliding_window_pattern\":6,\"vocab_size\":262144}", 32768, 1024. * (4 * 32768 + 22 * 512), 1.0e9 },
	/* "LLLG": EXAONE 4.0 32B, 64 layers, 16 full, 4,096 B a row; 32 billion. */
	{ "{\"model_type\":\"exaone4\",\"hidden_size\":5120,\"num_hidden_layers\":64,\"num_attention_heads\":40,"
	  "\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_size\":27392,\"sliding_window\":4096,"
	  "\"sliding_window_pattern\":\"LLLG\",\"vocab_size\":102400}", 131072, 4096. * (16. * 131072 + 48 * 4096), 32e9 },
	/* A window of the early Mistral is on every layer: 32 x 4,096 B x 4096. 7.24 billion. */
	{ "{\"dim\":4096,\"n_layers\":32,\"head_dim\":128,\"hidden_dim\":14336,\"n_heads\":32,\"n_kv_heads\":8,"
	  "\"vocab_size\":32000,\"sliding_window\":4096}", 32768, 32. * 4096 * 4096, 7.24e9 },
	/* Switched off, or as long as the context: none. */
	{ "{\"model_type\":\"qwen2\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":8,\"vocab_size\":100,\"sliding_window\":64,"
	  "\"use_sliding_window\":false,\"max_window_layers\":1}", 100, 2. * 4096 * 100, 0 },
	{ "{\"model_type\":\"phi3\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":8,\"vocab_size\":100,\"sliding_window\":64,"
	  "\"max_position_embeddings\":64}", 100, 2. * 4096 * 100, 0 },
	/* Only from max_window_layers on: one of two layers keeps 64 rows. */
	{ "{\"model_type\":\"qwen2\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":8,\"vocab_size\":100,\"sliding_window\":64,"
	  "\"use_sliding_window\":true,\"max_window_layers\":1}", 100, 4096. * 164, 0 },
	/* Llama 4 Scout: every fourth layer full, the others in chunks of 8,192. 4,096 B a row; 109 billion (107.8 text). */
	{ "{\"model_type\":\"llama4\",\"text_config\":{\"model_type\":\"llama4_text\",\"hidden_size\":5120,"
	  "\"num_hidden_layers\":48,\"num_attention_heads\":40,\"num_key_value_heads\":8,\"head_dim\":128,"
	  "\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"num_local_experts\":16,\"num_experts_per_tok\":1,"
	  "\"interleave_moe_layer_step\":1,\"attention_chunk_size\":8192,\"vocab_size\":202048}}", 131072,
	  4096. * (12. * 131072 + 36 * 8192), 107.8e9 },
	/* MLA: DeepSeek-V3, 61 x 576 x 2 = 70,272 B; 671 billion. */
	{ "{\"model_type\":\"deepseek_v3\",\"hidden_size\":7168,\"num_hidden_layers\":61,\"num_attention_heads\":128,"
	  "\"num_key_value_heads\":128,\"q_lora_rank\":1536," MLA "\"intermediate_size\":18432,\"moe_intermediate_size\":2048,"
	  "\"n_routed_experts\":256,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":3,"
	  "\"moe_layer_freq\":1,\"vocab_size\":129280,\"num_nextn_predict_layers\":1}", 131072, 70272. * 131072, 671e9 },
	/* With an indexer, V3.2 at 1M: 61 x (576 + 128) x 2 = 85,888 B; published 83.9 GiB. */
	{ "{\"model_type\":\"deepseek_v32\",\"hidden_size\":7168,\"num_hidden_layers\":61,\"num_attention_heads\":128,"
	  "\"q_lora_rank\":1536," MLA "\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":2048,"
	  "\"intermediate_size\":18432,\"vocab_size\":129280}", 1048576, 90060095488., 0 },
	/* Two modules a layer: LongCat-Flash, 28 x 2 x 576 x 2 = 64,512 B; 560 billion. */
	{ "{\"model_type\":\"longcat_flash\",\"hidden_size\":6144,\"num_layers\":28,\"num_attention_heads\":64,"
	  "\"q_lora_rank\":1536," MLA "\"ffn_hidden_size\":12288,\"expert_ffn_hidden_size\":2048,\"n_routed_experts\":512,"
	  "\"moe_topk\":12,\"zero_expert_num\":256,\"vocab_size\":131072}", 131072, 8455716864., 560e9 },
	/* Kimi-Linear: 7 of 27 layers by one-based numbers, 20 states of 32 x 128 x 128 fp32 and 3 x 4096 x 3 bf16. */
	{ "{\"model_type\":\"kimi_linear\",\"hidden_size\":2304,\"num_hidden_layers\":27,\"num_attention_heads\":32,"
	  "\"num_key_value_heads\":32,\"head_dim\":72,\"q_lora_rank\":null," MLA "\"intermediate_size\":9216,"
	  "\"moe_intermediate_size\":1024,\"num_experts\":256,\"num_experts_per_token\":8,\"num_shared_experts\":1,"
	  "\"first_k_dense_replace\":1,\"linear_attn_config\":{\"full_attn_layers\":[4,8,12,16,20,24,27],\"head_dim\":128,"
	  "\"num_heads\":32,\"short_conv_kernel_size\":4},\"vocab_size\":163840}", 1000,
	  7. * 1152 * 1000 + 20. * (524288 * 4 + 36864 * 2), 49.1e9 },
	/* Gated delta net: Qwen3.5-9B at 16,384: 588,382,208 B, of which 51,511,296 are states. */
	{ "{\"model_type\":\"qwen3_5\",\"text_config\":{\"hidden_size\":4096,\"num_hidden_layers\":32,"
	  "\"num_attention_heads\":16,\"num_key_value_heads\":4,\"head_dim\":256,\"intermediate_size\":12288,"
	  "\"full_attention_interval\":4,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,"
	  "\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,\"linear_conv_kernel_dim\":4,"
	  "\"mamba_ssm_dtype\":\"float32\",\"attn_output_gate\":true,\"vocab_size\":248320}}", 16384, 588382208., 0 },
	/* A partial trailing group attends in full: 10 layers in groups of 4 give layers 4, 8, 9, 10. */
	{ "{\"model_type\":\"minimax_m1\",\"hidden_size\":1024,\"num_hidden_layers\":10,\"layer_group_size\":4,"
	  "\"num_attention_heads\":8,\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_size\":8,\"vocab_size\":100}", 100,
	  4. * 4096 * 100 + 6. * 8 * 128 * 128 * 4, 0 },
	/* Mamba-1 beside attention: Jamba, 4 of 32 layers; 28 x (8192 x 16 x 4 + 8192 x 3 x 2). 51.6 billion. */
	{ "{\"model_type\":\"jamba\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
	  "\"num_key_value_heads\":8,\"attn_layer_period\":8,\"attn_layer_offset\":4,\"expert_layer_period\":2,"
	  "\"expert_layer_offset\":1,\"num_experts\":16,\"num_experts_per_tok\":2,\"intermediate_size\":14336,"
	  "\"mamba_d_state\":16,\"mamba_d_conv\":4,\"mamba_expand\":2,\"mamba_dt_rank\":256,\"vocab_size\":65536}", 1000,
	  4. * 4096 * 1000 + 28. * (8192 * 16 * 4 + 8192 * 3 * 2), 51.6e9 },
	/* Both in every layer: Falcon-H1-7B; inner width 24 x 128, not 2 x 3072. 7.59 billion. */
	{ "{\"model_type\":\"falcon_h1\",\"hidden_size\":3072,\"num_hidden_layers\":44,\"num_attention_heads\":12,"
	  "\"num_key_value_heads\":2,\"head_dim\":128,\"intermediate_size\":12288,\"mamba_d_ssm\":3072,\"mamba_n_heads\":24,"
	  "\"mamba_d_head\":128,\"mamba_d_state\":256,\"mamba_n_groups\":1,\"mamba_d_conv\":4,\"mamba_expand\":2,"
	  "\"attn_layer_indices\":null,\"vocab_size\":130048}", 1000,
	  44. * (1024 * 1000 + 24 * 128 * 256 * 4 + (3072 + 512) * 3 * 2), 7.59e9 },
	/* Keys of a state that no layer has: Granite 4.0 Micro, only attention. */
	{ "{\"model_type\":\"granitemoehybrid\",\"hidden_size\":1024,\"num_hidden_layers\":2,"
	  "\"layer_types\":[\"attention\",\"attention\"],\"num_attention_heads\":8,\"num_key_value_heads\":8,"
	  "\"intermediate_size\":8,\"num_local_experts\":0,\"shared_intermediate_size\":8192,\"mamba_n_heads\":48,"
	  "\"mamba_d_head\":64,\"mamba_d_state\":128,\"vocab_size\":100}", 100, 2. * 4096 * 100, 0 },
	/* The same without experts: the shared one is the feed-forward. 100 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 512). */
	{ "{\"model_type\":\"granitemoehybrid\",\"hidden_size\":64,\"num_hidden_layers\":2,"
	  "\"layer_types\":[\"attention\",\"attention\"],\"num_attention_heads\":1,\"num_key_value_heads\":1,"
	  "\"intermediate_size\":8,\"num_local_experts\":0,\"shared_intermediate_size\":512,\"vocab_size\":100}", 100,
	  2. * 256 * 100, 6400. + 2 * (4 * 64 * 64 + 3 * 64 * 512) },
	/* gate and up counted together: Qwen-7B, 32 layers of MHA; 7.72 billion. */
	{ "{\"model_type\":\"qwen\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
	  "\"intermediate_size\":22016,\"vocab_size\":151936,\"tie_word_embeddings\":false}", 100, 32. * 16384 * 100, 7.72e9 },
	/* Old style, sizes in code only: Mamba-2 2.7B, 64 x (80 x 64 x 128 x 4 + (5120 + 256) x 3 x 2). 2.70 billion. */
	{ "{\"d_model\":2560,\"n_layer\":64,\"vocab_size\":50277,\"pad_vocab_size_multiple\":16,"
	  "\"ssm_cfg\":{\"layer\":\"Mamba2\"},\"tie_embeddings\":true}", 1000, 64. * (655360 * 4 + 16128 * 2), 2.70e9 },
	/* Short convolution: hidden x (3 - 1) in bf16; one layer of two attends. */
	{ "{\"model_type\":\"lfm2\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"full_attn_idxs\":[1],\"conv_L_cache\":3,"
	  "\"num_attention_heads\":8,\"num_key_value_heads\":8,\"intermediate_size\":8,\"vocab_size\":100}", 100,
	  4096. * 100 + 1024 * 2 * 2, 0 },
	/* Sharing: Gemma-3n-E4B at 8,000 keeps 78.5 MiB. */
	{ "{\"model_type\":\"gemma3n\",\"text_config\":{\"model_type\":\"gemma3n_text\",\"hidden_size\":2048,"
	  "\"num_hidden_layers\":35,\"num_attention_heads\":8,\"num_key_value_heads\":2,\"head_dim\":256,"
	  "\"intermediate_size\":16384,\"sliding_window\":512,\"num_kv_shared_layers\":15,\"vocab_size\":262400}}", 8000,
	  78.5 * 1048576, 0 },
	/* One head for all, and queries through a narrower width: Step-3, 61 x 2 x 256 x 2 = 62,464 B; 316 billion. */
	{ "{\"model_type\":\"step3_vl\",\"text_config\":{\"model_type\":\"step3_text\",\"hidden_size\":7168,"
	  "\"num_hidden_layers\":61,\"num_attention_heads\":64,\"num_attention_groups\":1,\"head_dim\":256,\"share_q_dim\":2048,"
	  "\"intermediate_size\":18432,\"moe_intermediate_size\":5120,\"moe_num_experts\":48,\"moe_top_k\":3,"
	  "\"share_expert_dim\":5120,\"moe_layers_enum\":\"4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,"
	  "29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59\",\"vocab_size\":128815}}",
	  1000, 62464e3, 316e9 },
	/* Query heads by layer beside one kind of keys: 100 x 64 words, 64 x 16 x (8 of the first layer + 16 of the second), 3 x 64 x 8 twice. */
	{ "{\"model_type\":\"laguna\",\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
	  "\"num_attention_heads_per_layer\":[2,6],\"num_key_value_heads\":2,\"head_dim\":16,\"intermediate_size\":8,"
	  "\"layer_types\":[\"full_attention\",\"sliding_attention\"],\"sliding_window\":10,\"tie_word_embeddings\":true,"
	  "\"vocab_size\":100}", 100, 128. * 110, 6400. + 64 * 16 * (2 * 2 + 2 * 2 + 2 * 6 + 2 * 2) + 6 * 64 * 8 },
	/* A compressed cache whose file also has the widths of full heads: 512 x 2 B in a window of 4 and every fourth row,
	 * an index of 128 beside it, and the buffer of the compressor 2 x 8 x 2 x 640 in fp32. */
	{ "{\"model_type\":\"deepseek_v4\",\"hidden_size\":64,\"num_hidden_layers\":1,\"num_attention_heads\":2,"
	  "\"num_key_value_heads\":1,\"head_dim\":512,\"q_lora_rank\":8,\"o_groups\":2,\"o_lora_rank\":8,\"kv_lora_rank\":null,"
	  "\"qk_nope_head_dim\":448,\"qk_rope_head_dim\":64,\"sliding_window\":4,\"index_head_dim\":128,\"index_n_heads\":2,"
	  "\"index_topk\":5,\"compress_ratios\":[4],\"intermediate_size\":8,\"vocab_size\":100}", 100,
	  1024. * 4 + 25. * (1024 + 256) + 2. * 8 * 2 * 640 * 4, 0 },
	/* Zamba2 in small: heads of 2 x 64 / 4, whatever kv_channels says; states of 128 / 16 heads in every layer. */
	{ "{\"model_type\":\"zamba2\",\"hidden_size\":64,\"num_hidden_layers\":2,\"layers_block_type\":[\"mamba\",\"hybrid\"],"
	  "\"num_attention_heads\":4,\"num_key_value_heads\":4,\"kv_channels\":16,\"mamba_headdim\":16,\"mamba_ngroups\":2,"
	  "\"mamba_d_state\":8,\"mamba_d_conv\":4,\"mamba_expand\":2,\"intermediate_size\":8,\"vocab_size\":100}", 100,
	  2. * 4 * 32 * 2 * 100 + 2. * (128 * 8 * 4 + (128 + 2 * 2 * 8) * 3 * 2), 0 },
	/* Sharers of twice the width: 100 x 64 words, 2 x (4 x 64 x 64), less the keys and values of the second, and
	 * 3 x 64 x (128 + 256). */
	{ "{\"model_type\":\"gemma4_text\",\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":1,"
	  "\"num_key_value_heads\":1,\"head_dim\":64,\"intermediate_size\":128,\"layer_types\":[\"full_attention\","
	  "\"full_attention\"],\"num_kv_shared_layers\":1,\"use_double_wide_mlp\":true,\"vocab_size\":100}", 100, 256. * 100,
	  6400. + 6 * 64 * 64 + 3 * 64 * 384 },
	/* Cross-layer: Hunyuan-Large, half of 64 layers own 2 x 640 x 2 B; 389 billion. */
	{ "{\"model_type\":\"hunyuan\",\"hidden_size\":6400,\"num_hidden_layers\":64,\"num_attention_heads\":80,"
	  "\"num_key_value_heads\":8,\"attention_head_dim\":80,\"intermediate_size\":18304,\"num_experts\":16,\"moe_topk\":1,"
	  "\"num_shared_expert\":1,\"use_cla\":true,\"cla_share_factor\":2,\"tie_word_embeddings\":true,\"vocab_size\":129024}", 1000,
	  32. * 2560 * 1000, 389e9 },
	/* The dense ones carry the factor and do not share. */
	{ "{\"model_type\":\"hunyuan\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":8,\"cla_share_factor\":2,\"vocab_size\":100}", 100, 2. * 4096 * 100, 0 },
	/* One full layer for all: Phi-4-mini-flash at 65,536 keeps 359,741,440 B; 3.8 billion. */
	{ "{\"model_type\":\"phi4flash\",\"hidden_size\":2560,\"num_hidden_layers\":32,\"num_attention_heads\":40,"
	  "\"num_key_value_heads\":20,\"intermediate_size\":10240,\"sliding_window\":512,\"mb_per_layer\":2,"
	  "\"vocab_size\":200064}", 65536, 359741440., 3.85e9 },
	/* Compressed: V4-Pro at 1M keeps 10,353,082,368 B with its compressor buffers (9.62 GiB published without). */
	{ "{\"model_type\":\"deepseek_v4\",\"hidden_size\":7168,\"num_hidden_layers\":61,\"num_attention_heads\":128,"
	  "\"num_key_value_heads\":1,\"head_dim\":512,\"q_lora_rank\":1536,\"o_groups\":16,\"o_lora_rank\":1024,"
	  "\"sliding_window\":128,\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":1024,\"compress_ratios\":[128,128,4,"
	  "128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,"
	  "128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,0],\"intermediate_size\":18432,\"vocab_size\":129280}",
	  1048576, 10353082368., 0 },
	/* K and V of different width, by kind of layer: MiMo-V2-Flash in small: a full layer of 4 and a window of 8 heads. */
	{ "{\"model_type\":\"mimo_v2_flash\",\"hidden_size\":4096,\"num_hidden_layers\":2,\"num_attention_heads\":64,"
	  "\"num_key_value_heads\":4,\"head_dim\":192,\"v_head_dim\":128,\"swa_num_key_value_heads\":8,\"swa_head_dim\":192,"
	  "\"swa_v_head_dim\":128,\"hybrid_layer_pattern\":[0,1],\"sliding_window\":128,\"attention_chunk_size\":128,"
	  "\"intermediate_size\":8,\"vocab_size\":100}", 1000, 4. * 320 * 2 * 1000 + 8. * 320 * 2 * 128, 0 },
	/* Encoder and decoder: Whisper large, 32 x 5,120 B a token and 32 x 5,120 B x 1,500 rows of sound; 1.54 billion. */
	{ "{\"model_type\":\"whisper\",\"d_model\":1280,\"num_hidden_layers\":32,\"encoder_layers\":32,\"decoder_layers\":32,"
	  "\"decoder_attention_heads\":20,\"decoder_ffn_dim\":5120,\"max_source_positions\":1500,\"max_target_positions\":448,"
	  "\"vocab_size\":51865}", 100, 32. * 5120 * 1600, 1.54e9 },
	/* An encoder keeps nothing: BGE-M3, 568 million. */
	{ "{\"model_type\":\"xlm-roberta\",\"hidden_size\":1024,\"num_hidden_layers\":24,\"num_attention_heads\":16,"
	  "\"intermediate_size\":4096,\"vocab_size\":250002,\"max_position_embeddings\":8194}", 8192, 0, 568e6 },
	/* Not known either, but the list of its layers says it all: 8 heads of 128, one layer of 64 rows. */
	{ "{\"model_type\":\"newcomer\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":8,\"intermediate_size\":8,\"vocab_size\":100,\"sliding_window\":64,"
	  "\"layer_types\":[\"sliding_attention\",\"full_attention\"]}", 100, 4096. * 164, 0 },
	/* A family that is not known, with nothing but the usual keys; words that are no JSON beside them. */
	{ "{\"model_type\":\"newcomer\",\"hidden_size\":1024,\"num_hidden_layers\":2,\"num_attention_heads\":8,"
	  "\"num_key_value_heads\":2,\"intermediate_size\":4096,\"vocab_size\":1000,\"limit\":[0.0,Infinity],\"a\":NaN,"
	  "\"b\":-Infinity,\"c\":100000000000000000000000}", 100, 2. * 1024 * 100, 0 },
};

static void
kept_bytes_of_every_arrangement(void **state)
{
	const struct sizing_dtype *kv = sizing_dtype_find("bf16");

	(void)state;
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
		struct arena a = ARENA_INIT;
		struct sizing_model m = read_model(&a, ROWS[i].json);
		double bytes = sizing_kept_bytes(&m, ROWS[i].tokens, kv, NULL), n = sizing_parameters(&m, false);

		if (bytes != ROWS[i].bytes)
			fail_msg("%.60s: %.0f B, expected %.0f", ROWS[i].json, bytes, ROWS[i].bytes);
		if (ROWS[i].parameters > 0 && (n < 0.98 * ROWS[i].parameters || n > 1.02 * ROWS[i].parameters))
			fail_msg("%.60s: %.4g parameters, expected %.4g", ROWS[i].json, n, ROWS[i].parameters);
		arena_release(&a);
	}
}

/* The sharers of a full and of a windowed cache: 7 layers read 4, 28 read 16. */
static void
readers_follow_their_owners(void **state)
{
	struct arena a = ARENA_INIT;
	struct sizing_model m = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
		if (strstr(ROWS[i].json, "gemma3n") != NULL)
			m = read_model(&a, ROWS[i].json);
	assert_true(m.group_count == 3);
	assert_true(m.groups[0].layers == 16 && m.groups[0].readers == 28 && m.groups[0].window == 512);
	assert_true(m.groups[1].layers == 4 && m.groups[1].readers == 7);
	assert_true(m.groups[2].layers == 15 && m.groups[2].heads == 0);
	arena_release(&a);
}

#define HEAD "{\"hidden_size\":1024,\"num_attention_heads\":8,\"intermediate_size\":8,\"vocab_size\":100,"
#define LLAMA HEAD "\"model_type\":\"llama\","

/* `at` is what stands at the place that the message gives; NULL: it names the file only. */
static const struct {
	const char *json, *at, *text;
} REFUSED[] = {
	{ "[1]", "[1]", "expected a map" },
	{ "{}", "{}", "expected `num_hidden_layers` above 0" },
	{ LLAMA "\"num_hidden_layers\":-4}", "-4", "from 0 to 1e12, found -4" },
	{ LLAMA "\"num_hidden_layers\":4.5}", "4.5", "found 4.5" },
	{ LLAMA "\"num_hidden_layers\":1000000000}", "1000000000", "at most 4096 layers" },
	{ LLAMA "\"num_hidden_layers\":1e300}", "1e300", "from 0 to 1e12" },
	{ LLAMA "\"num_hidden_layers\":\"4\"}", "\"4\"", "expected a whole number, found text" },
	{ LLAMA "\"num_hidden_layers\":Infinity}", "{", "above 0, found none" },
	{ LLAMA "\"num_hidden_layers\":99999999999999999999}", "9999", "from 0 to 1e12" },
	{ LLAMA "\"num_hidden_layers\":3,\"layer_types\":[\"full_attention\"]}", "[", "3 items, one a layer, found 1" },
	{ LLAMA "\"num_hidden_layers\":1,\"layer_types\":[\"odd\"]}", "\"odd\"", "found `odd`" },
	{ LLAMA "\"num_hidden_layers\":2,\"num_key_value_heads\":3}", "3}", "divide the 8 query heads" },
	{ LLAMA "\"num_hidden_layers\":1,\"num_hidden_layers\":2}", "\"num_hidden_layers\":2", "once" },
	{ LLAMA "\"num_hidden_layers\":2,\"kv_lora_rank\":512}", "{", "qk_rope_head_dim" },
	{ LLAMA "\"num_hidden_layers\":2,\"num_experts\":4,\"num_experts_per_tok\":5}", "5}", "between 1 and the 4" },
	{ LLAMA "\"num_hidden_layers\":2,\"num_kv_shared_layers\":2}", "2}", "fewer layers that share" },
	{ LLAMA "\"num_hidden_layers\":2,\"layer_types\":[\"mamba\",\"mamba\"]}", "{", "sizes of the state" },
	{ LLAMA "\"num_hidden_layers\":2,\"layer_types\":[\"sliding_attention\",\"full_attention\"]}", "{",
	  "expected `sliding_window`" },
	{ LLAMA "\"num_hidden_layers\":2,\"num_key_value_heads\":8,\"head_dim\":1000000000000}", NULL, "absurd" },
	/* Keys that have lost what they go with. */
	{ LLAMA "\"num_hidden_layers\":2,\"qk_rope_head_dim\":64,\"qk_nope_head_dim\":128}", "64,", "expected `kv_lora_rank`" },
	{ LLAMA "\"num_hidden_layers\":2," MLA "\"index_topk\":2048}", "2048}", "expected `index_head_dim`" },
	{ HEAD "\"model_type\":\"qwen3_next\",\"num_hidden_layers\":2,\"linear_num_value_heads\":4}", "{", "which layers keep a state" },
	{ HEAD "\"model_type\":\"gemma2\",\"num_hidden_layers\":2}", "{", "expected `sliding_window`" },
	{ HEAD "\"model_type\":\"llama4\",\"num_hidden_layers\":2}", "{", "expected `attention_chunk_size`" },
	{ HEAD "\"model_type\":\"gemma3n\",\"num_hidden_layers\":2,\"sliding_window\":8}", "{", "expected `num_kv_shared_layers`" },
	{ HEAD "\"model_type\":\"newcomer\",\"num_hidden_layers\":2,\"window_rule\":7}", "\"window_rule\"",
	  "`window_rule` hints at a cache of its own" },
	{ HEAD "\"model_type\":\"recurrent_gemma\",\"num_hidden_layers\":2}", "\"recurrent_gemma\"", "cannot be derived" },
	{ HEAD "\"model_type\":\"deepseek_v4\",\"num_hidden_layers\":2,\"kv_source_layer_ids\":[0]}", "[0]",
	  "layers read that of others" },
};

static void
refusals_have_a_place_and_a_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		const char *at = REFUSED[i].at != NULL ? strstr(REFUSED[i].json, REFUSED[i].at) : NULL;
		char where[40];

		if (at != NULL)
			snprintf(where, sizeof where, "x/config.json:1:%d", (int)(at - REFUSED[i].json) + 1);
		else
			snprintf(where, sizeof where, "x/config.json");
		if (read_text(&import, &a, REFUSED[i].json, NULL, &e) != ERR_INPUT)
			fail_msg("read: %s", REFUSED[i].json);
		if (strcmp(e.where, where) != 0 || strstr(e.text, REFUSED[i].text) == NULL)
			fail_msg("%s: %s\n for %s", e.where, e.text, REFUSED[i].json);
		arena_release(&a);
	}
}

/* What was taken for granted is told: each of these leaves something out. */
static void
defaults_are_notes(void **state)
{
	static const struct {
		const char *json, *note;
	} rows[] = {
		{ LLAMA "\"num_hidden_layers\":2}", "`num_key_value_heads` is absent" },
		{ LLAMA "\"num_hidden_layers\":2}", "`head_dim` is absent" },
		{ LLAMA "\"num_hidden_layers\":2}", "embeddings were taken as untied" },
		{ LLAMA "\"num_hidden_layers\":2}", "No key states the dtype" },
		{ LLAMA "\"num_hidden_layers\":2,\"num_nextn_predict_layers\":1}", "predict further tokens" },
		{ HEAD "\"num_hidden_layers\":2}", "The family is not known" },
		{ LLAMA "\"num_hidden_layers\":2,\"quantization_config\":{\"quant_method\":\"fp8\"}}", "what is not quantised (`torch_dtype`)" },
		{ HEAD "\"model_type\":\"gemma2\",\"num_hidden_layers\":2,\"sliding_window\":9}", "the pattern of this family was taken" },
		{ HEAD "\"model_type\":\"gemma2\",\"num_hidden_layers\":2,\"sliding_window\":9}", "tied embeddings are the default" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		bool found = false;

		assert_int_equal(read_text(&import, &a, rows[i].json, NULL, &e), OK);
		for (size_t k = 0; k < import.note_count; k++) {
			found |= strstr(import.notes[k].en, rows[i].note) != NULL;
			assert_true(import.notes[k].ko[0] != '\0');
		}
		if (!found)
			fail_msg("no note `%s` for %s", rows[i].note, rows[i].json);
		arena_release(&a);
	}
}

/*
 * The dtypes of a checkpoint in every spelling: of most bytes, and of embeddings and attention where they differ. One
 * layer of 4,194,304 parameters of attention and 12,582,912 of feed-forward, with 204,800 of embeddings.
 */
static void
quantisation_in_every_spelling(void **state)
{
#define DENSE "{\"model_type\":\"llama\",\"hidden_size\":1024,\"num_attention_heads\":8,\"intermediate_size\":4096,\"vocab_size\":100," \
	"\"num_hidden_layers\":1,\"torch_dtype\":\"bfloat16\""
#define QUANT(map) DENSE ",\"quantization_config\":{" map "}}"
	static const struct {
		const char *json, *quant, *dtype, *vocabulary, *attention;
	} rows[] = {
		{ DENSE "}", NULL, "bf16", NULL, NULL },
		{ QUANT("\"quant_method\":\"fp8\""), NULL, "fp8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]"), NULL, "fp8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"fbgemm_fp8\""), NULL, "fp8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"awq\",\"bits\":4"), NULL, "int4", "bf16", NULL },
		{ QUANT("\"quant_method\":\"gptq\",\"bits\":8"), NULL, "int8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"bitsandbytes\",\"load_in_8bit\":true"), NULL, "int8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"modelopt\",\"quant_algo\":\"NVFP4\""), NULL, "nvfp4", "bf16", NULL },
		{ QUANT("\"quant_method\":\"compressed-tensors\",\"format\":\"pack-quantized\",\"config_groups\":{\"group_0\":"
		  "{\"weights\":{\"num_bits\":4,\"type\":\"int\"}}}"), NULL, "int4", "bf16", NULL },
		{ QUANT("\"quant_method\":\"compressed-tensors\",\"format\":\"mxfp4-pack-quantized\",\"ignore\":[\"re:.*self_attn.*\"]"),
		  NULL, "bf16", NULL, NULL }, /* 8.4 MB of attention against 6.7 MB of feed-forward */
		/* No method at all: only what the weights are. */
		{ QUANT("\"config_groups\":{\"group_0\":{\"weights\":{\"num_bits\":8,\"type\":\"float\"}}},"
		  "\"ignore\":[\"lm_head\"],\"kv_cache_scheme\":\"FP8\""), NULL, "fp8", "bf16", NULL },
		{ DENSE ",\"quantization\":{\"bits\":4,\"group_size\":64}}", NULL, "int4", "bf16", NULL },
		{ DENSE "}", "{\"quantization\":{\"quant_algo\":\"FP8\",\"kv_cache_quant_algo\":\"FP8\",\"exclude_modules\":[\"lm_head\"]}}",
		  "fp8", "bf16", NULL },
		{ QUANT("\"quant_method\":\"fp8\",\"modules_to_not_convert\":[\"model.layers.0.self_attn.q_proj\"]"), NULL, "fp8", "bf16", "bf16" },
		/* Two groups: attention in fp8, the feed-forward in nvfp4, by patterns. */
		{ QUANT("\"quant_method\":\"compressed-tensors\",\"format\":\"mixed-precision\",\"config_groups\":{"
		  "\"group_0\":{\"format\":\"float-quantized\",\"targets\":[\"re:.*attn.*(wq_b|wo_a)$\"]},"
		  "\"group_1\":{\"format\":\"nvfp4-pack-quantized\",\"targets\":[\"re:.*ffn.*(gate|up|down)_proj$\"]}}"),
		  NULL, "nvfp4", "bf16", "fp8" },
		/* The router and the shared expert are left out, which leaves the feed-forward in fp8. */
		{ QUANT("\"quant_method\":\"fp8\",\"ignore\":[\"re:.*\\\\.mlp\\\\.gate$\",\"re:.*\\\\.mlp\\\\.shared_expert\\\\.up_proj$\"]"),
		  NULL, "fp8", "bf16", NULL },
		/* By module: attention in fp8, the feed-forward in nvfp4 (7.1 MB against 4.2), embeddings as they were. */
		{ DENSE "}", "{\"quantization\":{\"quant_algo\":\"MIXED_PRECISION\",\"quantized_layers\":{"
		  "\"model.layers.0.self_attn.q_proj\":{\"quant_algo\":\"FP8\"},\"model.layers.0.self_attn.o_proj\":{\"quant_algo\":\"FP8\"},"
		  "\"model.layers.0.mlp.up_proj\":{\"quant_algo\":\"NVFP4\"}}}}", "nvfp4", "bf16", "fp8" },
		{ QUANT("\"quant_method\":\"exl2\",\"bits\":3.5"), NULL, NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *expected[] = { rows[i].dtype, rows[i].vocabulary, rows[i].attention };
		static const char *const paths[] = { "checkpoint.dtype", "checkpoint.tensors.vocabulary", "checkpoint.tensors.attention" };
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;

		if (read_text(&import, &a, rows[i].json, rows[i].quant, &e) != OK)
			fail_msg("%s: %s", e.where, e.text);
		for (int k = 0; k < 3; k++) {
			const char *found = val_text(val_path(import.record, paths[k]));

			if ((found == NULL) != (expected[k] == NULL) || (found != NULL && strcmp(found, expected[k]) != 0))
				fail_msg("row %zu: %s is %s", i, paths[k], found != NULL ? found : "absent");
		}
		/* No file was read, so no bytes are known. */
		assert_null(val_path(import.record, "checkpoint.bytes"));
		arena_release(&a);
	}
}

/* A document is written with a date only, and what is written can be read back. */
static void
records_are_yaml(void **state)
{
	struct import_options options = { "m-1", "M 1", "Somebody", "2028-02-29", "https://example.com/config.json" };
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	struct import import;
	struct val *back;
	const char *json = LLAMA "\"num_hidden_layers\":2}";

	(void)state;
	assert_int_equal(import_config_text(&import, &a, json, strlen(json), NULL, 0, "x/config.json", &options, &e), OK);
	assert_int_equal(yn_write(&text, import.record, &e), OK);
	assert_int_equal(yn_parse(&back, &a, text.s, text.len, "m-1.yaml", &e), OK);
	assert_string_equal(val_get_text(back, "id"), "m-1");
	assert_string_equal(val_text(val_path(back, "groups.0.source")), "m-1-file.geometry");
	assert_non_null(import.document);
	assert_string_equal(val_get_text(import.document, "title"), "config.json");
	assert_string_equal(val_get_text(import.document, "review_by"), "2029-02-28");
	buf_release(&text);
	assert_int_equal(read_text(&import, &a, json, NULL, &e), OK);
	assert_null(import.document);
	assert_string_equal(import.id, "x"); /* config.json says nothing: its folder does */
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_bytes_of_every_arrangement),
		cmocka_unit_test(readers_follow_their_owners),
		cmocka_unit_test(refusals_have_a_place_and_a_reason),
		cmocka_unit_test(defaults_are_notes),
		cmocka_unit_test(quantisation_in_every_spelling),
		cmocka_unit_test(records_are_yaml),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
