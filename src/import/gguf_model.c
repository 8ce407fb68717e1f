/*
 * A GGUF header in the words of a configuration, which the same reader then takes. What the tensors show
 * (which layers attend, which have experts, whether embeddings are tied) they say better than any key.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/config.h"
#include "import/gguf.h"

static const struct {
	const char *arch, *model_type;
} ARCHITECTURES[] = {
	{ "llama", "llama" }, { "llama4", "llama4_text" }, { "mistral3", "mistral" }, { "deci", "nemotron-nas" }, { "qwen", "qwen" },
	{ "qwen2", "qwen2" }, { "qwen2moe", "qwen2_moe" }, { "qwen2vl", "qwen2_vl" }, { "qwen3", "qwen3" },
	{ "qwen3moe", "qwen3_moe" }, { "qwen3vl", "qwen3_vl" }, { "qwen3vlmoe", "qwen3_vl_moe" }, { "qwen3next", "qwen3_next" },
	{ "qwen35", "qwen3_5" }, { "qwen35moe", "qwen3_5_moe" }, { "gemma", "gemma" }, { "gemma2", "gemma2" },
	{ "gemma3", "gemma3" }, { "gemma3n", "gemma3n" }, { "gemma4", "gemma4" }, { "cohere2", "cohere2" },
	{ "command-r", "cohere" }, { "gpt-oss", "gpt_oss" }, { "deepseek", "deepseek_v2" }, { "deepseek2", "deepseek_v3" },
	{ "deepseek32", "deepseek_v32" }, { "glm4", "glm4" }, { "glm4moe", "glm4_moe" }, { "glm-dsa", "glm_moe_dsa" },
	{ "chatglm", "chatglm" }, { "kimi-linear", "kimi_linear" }, { "mimo2", "mimo_v2_flash" }, { "minimax-m2", "minimax_m2" },
	{ "phi2", "phi" }, { "phi3", "phi3" }, { "phimoe", "phimoe" }, { "nemotron", "nemotron" },
	{ "nemotron_h", "nemotron_h" }, { "nemotron_h_moe", "nemotron_h" }, { "granite", "granite" },
	{ "granitemoe", "granitemoe" }, { "granitehybrid", "granitemoehybrid" }, { "jamba", "jamba" },
	{ "falcon-h1", "falcon_h1" }, { "falcon", "gptj" }, /* its heads stand in plain keys here */
	{ "mamba", "mamba" }, { "mamba2", "mamba2" },
	{ "rwkv7", "rwkv7" }, { "lfm2", "lfm2" }, { "lfm2moe", "lfm2_moe" }, { "exaone", "exaone" }, { "exaone4", "exaone4" },
	{ "exaone-moe", "exaone_moe" }, { "olmo", "olmo" }, { "olmo2", "olmo2" }, { "olmoe", "olmoe" },
	{ "starcoder2", "starcoder2" }, { "starcoder", "gpt_bigcode" }, { "gpt2", "gpt2" }, { "gptneox", "gpt_neox" },
	{ "gptj", "gptj" }, { "bloom", "bloom" }, { "mpt", "mpt" }, { "stablelm", "stablelm" }, { "internlm2", "internlm2" },
	{ "baichuan", "baichuan" }, { "smollm3", "smollm3" }, { "apertus", "apertus" }, { "arcee", "arcee" },
	{ "seed_oss", "seed_oss" }, { "dbrx", "dbrx" }, { "ernie4_5", "ernie4_5" }, { "ernie4_5-moe", "ernie4_5_moe" },
	{ "hunyuan-moe", "hunyuan_v1_moe" }, { "hunyuan-dense", "hunyuan_v1_dense" }, { "step35", "step3p5" },
	{ "dots1", "dots1" }, { "bailingmoe", "bailing_moe" }, { "bailingmoe2", "bailing_moe_v2" }, { "bert", "bert" },
	{ "nomic-bert", "nomic_bert" }, { "modern-bert", "modernbert" }, { "t5", "t5" },
};

/* Keys behind the architecture's name, and what a configuration calls them. */
static const struct {
	const char *theirs, *ours;
} KEYS[] = {
	{ "embedding_length", "hidden_size" }, { "vocab_size", "vocab_size" }, { "context_length", "max_position_embeddings" },
	{ "feed_forward_length", "intermediate_size" }, { "attention.head_count", "num_attention_heads" },
	{ "attention.head_count_kv", "num_key_value_heads" }, { "expert_count", "num_experts" },
	{ "expert_used_count", "num_experts_per_tok" }, { "expert_shared_count", "n_shared_experts" },
	{ "expert_feed_forward_length", "moe_intermediate_size" },
	{ "expert_shared_feed_forward_length", "shared_expert_intermediate_size" }, { "moe_latent_size", "moe_latent_size" },
	{ "leading_dense_block_count", "first_k_dense_replace" }, { "interleave_moe_layer_step", "interleave_moe_layer_step" },
	{ "attention.kv_lora_rank", "kv_lora_rank" }, { "attention.q_lora_rank", "q_lora_rank" },
	{ "attention.indexer.head_count", "index_n_heads" }, { "attention.indexer.key_length", "index_head_dim" },
	{ "attention.indexer.top_k", "index_topk" }, { "attention.sliding_window", "sliding_window" },
	{ "attention.chunk_size", "attention_chunk_size" }, { "attention.key_length_swa", "swa_head_dim" },
	{ "attention.value_length_swa", "swa_v_head_dim" }, { "attention.shared_kv_layers", "num_kv_shared_layers" },
	{ "full_attention_interval", "full_attention_interval" }, { "nextn_predict_layers", "num_nextn_predict_layers" },
	{ "embedding_length_per_layer_input", "hidden_size_per_layer_input" }, { "shortconv.l_cache", "conv_L_cache" },
	{ "wkv.head_size", "wkv_head_size" }, { "decoder_block_count", "num_decoder_layers" },
};

enum { HAS_ATTENTION = 1, HAS_STATE = 2, HAS_EXPERTS = 4, HAS_DENSE = 8 };

struct reader {
	struct draft *d;
	const struct gguf *g;
	const char *arch, *model_type;
	struct val *root; /* the configuration in the making */
	struct place at;
	size_t layers;    /* with those that predict further tokens */
	unsigned char *has;
	bool whole;       /* all tensors of the model are there */
	bool has_output, has_gate;
};

static const struct val *
value(const struct reader *r, const char *suffix)
{
	char key[160];

	snprintf(key, sizeof key, "%.60s.%.90s", r->arch, suffix);
	return val_get(r->g->values, key);
}

static double
number(const struct reader *r, const char *suffix)
{
	const struct val *v = value(r, suffix);

	return val_is(v, VAL_NUM) && v->number >= 0 && v->number <= SIZING_MAX_COUNT ? v->number : 0;
}

static void
put(struct reader *r, const char *key, struct val *v)
{
	v->at = r->at;
	val_put(r->d->a, r->root, key, v);
}

static void
put_number(struct reader *r, const char *key, double n)
{
	if (n > 0)
		put(r, key, val_num(r->d->a, n));
}

/* ---- what the tensors show ---- */

static const struct {
	const char *part;
	unsigned char has;
} SHOWN[] = {
	{ "attn_q", HAS_ATTENTION }, { "attn_k", HAS_ATTENTION }, { "ssm_", HAS_STATE }, { "shortconv", HAS_STATE },
	{ "time_mix", HAS_STATE }, { "_exps", HAS_EXPERTS }, { "ffn_up.", HAS_DENSE }, { "ffn_down.", HAS_DENSE },
};

/* The number of the block a tensor belongs to; -1: to none. */
static long
block_of(const char *name)
{
	long n = 0;
	int digits = 0;

	if (strncmp(name, "blk.", 4) != 0)
		return -1;
	for (name += 4; *name >= '0' && *name <= '9' && digits < 6; name++, digits++)
		n = n * 10 + (*name - '0');
	return digits > 0 && *name == '.' ? n : -1;
}

static void
take_tensors(struct reader *r, const struct gguf *g, size_t predicted)
{
	for (size_t i = 0; i < g->tensor_count; i++) {
		const struct gguf_tensor *t = &g->tensors[i];
		long block = block_of(t->name);
		bool counted = block < 0 || (size_t)block < r->layers - predicted;
		enum sizing_class class = counted ? tensor_class_of(t->name) : SIZING_OTHER;

		draft_weight(r->d, class, t->type->name, (double)t->bytes);
		/* Factors of rotary positions and the like are in every file and no parameters. */
		if (counted && strncmp(t->name, "rope_", 5) != 0)
			r->d->counted += (double)t->elements;
		if (strcmp(t->name, "output.weight") == 0)
			r->has_output = true;
		if (strstr(t->name, "ffn_gate.") != NULL || strstr(t->name, "ffn_gate_exps.") != NULL)
			r->has_gate = true;
		for (size_t k = 0; block >= 0 && (size_t)block < r->layers && k < sizeof SHOWN / sizeof *SHOWN; k++)
			if (strstr(t->name, SHOWN[k].part) != NULL && strstr(t->name, "norm") == NULL)
				r->has[block] |= SHOWN[k].has;
	}
}

/* ---- split files ---- */

/* "-00001-of-00003.gguf" at the end of the path: the number of parts, or 0. */
static unsigned
parts_of(const char *path, unsigned *this)
{
	size_t n = strlen(path);
	unsigned of = 0;
	char tail[24];

	if (n < 20)
		return 0;
	memcpy(tail, path + n - 20, 21);
	if (tail[0] != '-' || memcmp(tail + 6, "-of-", 4) != 0 || strcmp(tail + 15, ".gguf") != 0)
		return 0;
	if (sscanf(tail, "-%5u-of-%5u.gguf", this, &of) != 2 || *this < 1 || *this > of)
		return 0;
	return of;
}

/* The other parts, where they lie beside this one. The first has the metadata, any has tensors. */
static void
take_parts(struct reader *r, const struct source *s, size_t predicted)
{
	unsigned this = 0, of = parts_of(s->path, &this);
	const struct val *count = val_get(r->g->values, "split.count");

	/* Renamed, so that the others cannot be found. */
	if (of == 0 && val_is(count, VAL_NUM) && count->number > 1)
		r->whole = false;
	for (unsigned i = 1; i <= of && r->d->rc == OK; i++) {
		const char *path;
		struct source other;
		struct gguf g;

		if (i == this)
			continue;
		path = arena_printf(r->d->a, "%.*s-%05u-of-%05u.gguf", (int)(strlen(s->path) - 20), s->path, i, of);
		if (s->fd < 0 || !is_file(path)) {
			r->whole = false;
			if (of > 2000)
				break;
			continue;
		}
		if (source_open(&other, path, r->d->e) != OK) {
			r->d->rc = r->d->e->code;
			return;
		}
		gguf_header(&g, r->d, &other);
		if (r->d->rc == OK)
			take_tensors(r, &g, predicted);
		source_close(&other);
	}
	if (!r->whole) {
		draft_note(r->d, r->at, NOTE_SPLIT_MISSING, NULL);
		r->d->counted = 0;
	}
}

/* ---- keys ---- */

static void
put_latent(struct reader *r)
{
	double rope = number(r, "rope.dimension_count"), key = number(r, "attention.key_length_mla");
	double v = number(r, "attention.value_length_mla");

	/* Older files give the widths of full heads under the ordinary keys. */
	if (!(key > 0))
		key = number(r, "attention.key_length");
	if (!(v > 0))
		v = number(r, "attention.value_length");
	if (value(r, "rope.dimension_count") == NULL || !(key > rope))
		draft_fail(r->d, r->at, "expected rope.dimension_count, and attention.key_length_mla above it, beside kv_lora_rank");
	put(r, "qk_rope_head_dim", val_num(r->d->a, rope));
	put(r, "qk_nope_head_dim", val_num(r->d->a, key - rope));
	put_number(r, "v_head_dim", v);
}

/* One set of keys describes the states of five families. */
static void
put_states(struct reader *r)
{
	double inner = number(r, "ssm.inner_size"), rank = number(r, "ssm.time_step_rank"), state = number(r, "ssm.state_size");
	double groups = number(r, "ssm.group_count"), conv = number(r, "ssm.conv_kernel"), kda = number(r, "kda.head_dim");

	if (kda > 0) {
		struct val *map = val_map(r->d->a);
		const struct val *heads = value(r, "attention.head_count");

		if (val_is(heads, VAL_LIST) && heads->list.count > 0)
			heads = heads->list.items[0];
		val_put(r->d->a, map, "head_dim", val_num(r->d->a, kda))->at = r->at;
		val_put(r->d->a, map, "num_heads", val_num(r->d->a, val_is(heads, VAL_NUM) ? heads->number : 0))->at = r->at;
		val_put(r->d->a, map, "short_conv_kernel_size", val_num(r->d->a, conv))->at = r->at;
		put(r, "linear_attn_config", map);
	} else if (strncmp(r->arch, "qwen3", 5) == 0 && inner > 0) {
		put_number(r, "linear_num_value_heads", rank);
		put_number(r, "linear_num_key_heads", groups);
		put_number(r, "linear_key_head_dim", state);
		put_number(r, "linear_value_head_dim", rank > 0 ? inner / rank : 0);
		put_number(r, "linear_conv_kernel_dim", conv);
		put(r, "attn_output_gate", val_bool(r->d->a, true));
	} else if (inner > 0) {
		bool first = strcmp(r->arch, "mamba") == 0 || strcmp(r->arch, "jamba") == 0;

		put_number(r, "mamba_inner_size", inner);
		put_number(r, "state_size", state);
		put_number(r, "conv_kernel", conv);
		put_number(r, first ? "time_step_rank" : "mamba_num_heads", rank);
		if (!first) {
			put_number(r, "mamba_head_dim", rank > 0 ? inner / rank : 0);
			put_number(r, "n_groups", groups);
		}
	}
}

/* Windows that files of these families may leave to the code. */
static void
put_defaults(struct reader *r)
{
	static const struct {
		const char *arch, *theirs, *ours;
		double rows;
	} windows[] = {
		{ "llama4", "attention.chunk_size", "attention_chunk_size", 8192 },
		{ "gemma2", "attention.sliding_window", "sliding_window", 4096 },
	};

	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
		if (strcmp(r->arch, windows[i].arch) == 0 && value(r, windows[i].theirs) == NULL) {
			put_number(r, windows[i].ours, windows[i].rows);
			draft_note(r->d, r->at, NOTE_WINDOW_CODE, windows[i].ours);
		}
}

static void
put_keys(struct reader *r, size_t predicted)
{
	for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
		const struct val *v = value(r, KEYS[i].theirs);

		if (v == NULL || (val_is(v, VAL_NUM) && v->number == 0))
			continue;
		put(r, KEYS[i].ours, val_is(v, VAL_LIST) ? val_list(r->d->a) : val_num(r->d->a, val_is(v, VAL_NUM) ? v->number : -1));
		if (val_is(v, VAL_LIST))
			r->root->map.entries[r->root->map.count - 1].value->list = v->list;
	}
	put_number(r, "num_hidden_layers", (double)(r->layers - predicted));
	if (number(r, "vocab_size") == 0 && r->g->tokens > 0) {
		draft_note(r->d, r->at, NOTE_VOCAB_TOKENS, NULL);
		put_number(r, "vocab_size", r->g->tokens);
	}
	if (number(r, "attention.kv_lora_rank") > 0) {
		put_latent(r);
	} else {
		put_number(r, "head_dim", number(r, "attention.key_length"));
		put_number(r, "v_head_dim", number(r, "attention.value_length"));
	}
	put_states(r);
	put_defaults(r);
	if (r->has_gate)
		put(r, "is_gated_act", val_bool(r->d->a, true));
	put_number(r, "encoder_layers", (double)(r->layers - predicted));
	if (r->whole && r->g->tensor_count > 0)
		put(r, "tie_word_embeddings", val_bool(r->d->a, !r->has_output));
}

/* ---- layers ---- */

static bool
list_at(const struct val *v, size_t i, double *n)
{
	if (!val_is(v, VAL_LIST) || i >= v->list.count || !val_is(v->list.items[i], VAL_NUM))
		return false;
	*n = v->list.items[i]->number;
	return true;
}

/* Does layer i attend, keep a state, neither or both? By its tensors; where they are missing, by its heads. */
static const char *
word_of(const struct reader *r, size_t i, const struct val *kv, const struct val *windows)
{
	bool attends = r->has[i] & HAS_ATTENTION, states = r->has[i] & HAS_STATE;
	double n;

	/* Linear attention has queries and keys as well; its layers have no key and value heads. */
	if (list_at(kv, i, &n) && n == 0)
		attends = false;
	if (strncmp(r->arch, "qwen3", 5) == 0 && states)
		attends = false;
	if (attends && states)
		return "hybrid";
	if (states)
		return "linear_attention";
	if (!attends)
		return "none";
	return list_at(windows, i, &n) && n != 0 ? "sliding_attention" : "full_attention";
}

static void
put_layers(struct reader *r, size_t predicted)
{
	const struct val *kv = value(r, "attention.head_count_kv"), *windows = value(r, "attention.sliding_window_pattern");
	struct val *types = val_list(r->d->a), *blocks = val_list(r->d->a);
	bool uniform = true;

	for (size_t i = 0; i + predicted < r->layers; i++) {
		const char *word = word_of(r, i, kv, windows);
		const char *block = r->has[i] & HAS_EXPERTS ? (r->has[i] & HAS_DENSE ? "both" : "sparse")
		    : r->has[i] & HAS_DENSE ? "dense" : "none";

		uniform &= strcmp(word, "full_attention") == 0;
		val_push(r->d->a, types, val_str(r->d->a, word))->at = r->at;
		val_push(r->d->a, blocks, val_str(r->d->a, block))->at = r->at;
	}
	if (r->whole && r->g->tensor_count > 0) {
		put(r, "mlp_layer_types", blocks);
		if (!uniform)
			put(r, "layer_types", types);
	}
	if (val_is(windows, VAL_NUM))
		put_number(r, "sliding_window_pattern", windows->number);
}

static void
find_architecture(struct reader *r)
{
	const char *arch = val_text(val_get(r->g->values, "general.architecture"));

	if (arch == NULL || strlen(arch) > 40 || strspn(arch, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != strlen(arch)) {
		draft_fail(r->d, r->at, "expected general.architecture, found none");
		return;
	}
	r->arch = arch;
	for (size_t i = 0; i < sizeof ARCHITECTURES / sizeof *ARCHITECTURES; i++)
		if (strcmp(arch, ARCHITECTURES[i].arch) == 0)
			r->model_type = ARCHITECTURES[i].model_type;
	if (r->model_type == NULL)
		draft_fail(r->d, r->at, "the architecture `%s` is not known: its cache is not guessed", arch);
}

void
gguf_read(struct draft *d, const struct source *s)
{
	struct gguf g;
	struct reader r = { .d = d, .g = &g, .at = { s->path, 0, 0 }, .whole = true };
	double blocks, predicted;

	d->what = "the header: metadata and tensor infos";
	gguf_header(&g, d, s);
	if (d->rc == OK)
		find_architecture(&r);
	if (d->rc != OK)
		return;
	blocks = number(&r, "block_count");
	predicted = number(&r, "nextn_predict_layers");
	if (!(blocks > 0) || blocks > DRAFT_MAX_LAYERS || predicted >= blocks || blocks != floor(blocks) || predicted != floor(predicted)) {
		draft_fail(d, r.at, "%s.block_count: expected 1 to %d, found %g", r.arch, DRAFT_MAX_LAYERS, blocks);
		return;
	}
	r.layers = (size_t)blocks;
	r.has = arena_alloc(d->a, r.layers);
	r.root = val_map(d->a);
	r.root->at = r.at;
	d->name = val_text(val_get(g.values, "general.name"));
	if (d->name != NULL && (strlen(d->name) == 0 || strlen(d->name) > 200 || strpbrk(d->name, "\n\t") != NULL))
		d->name = NULL;
	put(&r, "model_type", val_str(d->a, r.model_type));
	take_tensors(&r, &g, (size_t)predicted);
	take_parts(&r, s, (size_t)predicted);
	put_keys(&r, (size_t)predicted);
	put_layers(&r, (size_t)predicted);
	if (d->rc == OK)
		config_read(d, r.root, NULL, false);
	if (d->rc == OK)
		draft_checkpoint(d, true);
}
