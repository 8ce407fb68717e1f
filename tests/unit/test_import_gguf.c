/* GGUF headers: both versions and byte orders, per-layer lists, what the tensors show, and hostile files. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gguf_write.h"
#include "import/import.h"
#include "kb/profile.h"

static const struct import_options PLAIN = { NULL, NULL, NULL, NULL, NULL };

static int
read_bytes(struct import *import, struct arena *a, const struct gguf_out *g, struct err *e)
{
	return import_gguf_bytes(import, a, g->b.s, g->b.len, "m.gguf", &PLAIN, e);
}

/* A llama of two layers: 64 wide, 4 heads of 16, 2 for keys and values, 100 words. */
static void
put_llama(struct gguf_out *g, uint32_t version, unsigned extra_tensors, unsigned extra_values)
{
	put_head(g, version, 15 + extra_tensors, 9 + extra_values);
	put_text(g, "general.architecture", "llama");
	put_text(g, "general.name", "Small");
	put_u32(g, "llama.block_count", 2);
	put_u32(g, "llama.embedding_length", 64);
	put_u32(g, "llama.feed_forward_length", 128);
	put_u32(g, "llama.attention.head_count", 4);
	put_u32(g, "llama.attention.head_count_kv", 2);
	put_u32(g, "llama.context_length", 4096);
	put_words(g, "tokenizer.ggml.tokens", 100);
}

static void
put_llama_tensors(struct gguf_out *g)
{
	put_tensor(g, "token_embd.weight", 64, 100, 1, 12800); /* f16 */
	for (int i = 0; i < 2; i++) {
		char name[64];
		static const struct {
			const char *part;
			uint64_t columns, rows;
		} parts[] = {
			{ "attn_q", 64, 64 }, { "attn_k", 64, 32 }, { "attn_v", 64, 32 }, { "attn_output", 64, 64 },
			{ "ffn_gate", 64, 128 }, { "ffn_up", 64, 128 }, { "ffn_down", 128, 64 },
		};

		for (size_t k = 0; k < 7; k++) {
			snprintf(name, sizeof name, "blk.%d.%s.weight", i, parts[k].part);
			/* q8_0: 34 bytes for 32 */
			put_tensor(g, name, parts[k].columns, parts[k].rows, 8, parts[k].columns * parts[k].rows / 32 * 34);
		}
	}
}

static void
versions_and_byte_orders(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct gguf_out g = { BUF_INIT, variant >= 2, 0 };
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		struct sizing_model m;

		put_llama(&g, variant % 2 == 0 ? 2 : 3, 0, 0);
		put_llama_tensors(&g);
		put_data(&g);
		if (read_bytes(&import, &a, &g, &e) != OK)
			fail_msg("%s: %s", e.where, e.text);
		assert_int_equal(profile_model(&m, import.record, &e), OK);
		/* 2 layers x (32 + 32) x 2 B */
		assert_true(sizing_kept_bytes(&m, 10, sizing_dtype_find("bf16"), NULL) == 2560);
		assert_true(m.tied); /* no output.weight */
		assert_true(m.vocabulary == 100 && m.width == 64 && m.max_context == 4096);
		/* 6,400 + 2 x (4096 + 2048 + 2048 + 4096 + 3 x 8192) */
		assert_true(sizing_parameters(&m, false) == 6400 + 2 * 36864);
		/* 12,800 + 73,728 / 32 x 34 */
		assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "91136 B");
		assert_string_equal(val_text(val_path(import.record, "checkpoint.dtype")), "q8_0");
		assert_string_equal(val_text(val_path(import.record, "checkpoint.tensors.vocabulary")), "f16");
		assert_null(val_path(import.record, "checkpoint.tensors.attention"));
		assert_string_equal(val_get_text(import.record, "name"), "Small");
		buf_release(&g.b);
		arena_release(&a);
	}
}

/* Cut anywhere, it is refused; nothing is read beyond the end (the sanitizers watch). */
static void
cut_short_anywhere(void **state)
{
	struct gguf_out g = { BUF_INIT, false, 0 };

	(void)state;
	put_llama(&g, 3, 0, 0);
	put_llama_tensors(&g);
	put_data(&g);
	for (size_t n = 0; n < g.b.len - 32; n += n < 3000 ? 1 : 997) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		char *copy = malloc(n + 1);

		assert_non_null(copy);
		memcpy(copy, g.b.s, n);
		if (import_gguf_bytes(&import, &a, copy, n, "m.gguf", &PLAIN, &e) != ERR_INPUT)
			fail_msg("read when cut to %zu bytes", n);
		assert_string_equal(e.where, "m.gguf");
		free(copy);
		arena_release(&a);
	}
	buf_release(&g.b);
}

struct value {
	const char *key;
	uint32_t number;
};

/* A header without tensors: the geometry alone. */
static struct sizing_model
geometry(struct arena *a, const char *arch, const struct value *values, const char *list, const uint32_t *items, size_t count)
{
	struct gguf_out g = { BUF_INIT, false, 0 };
	struct err e = ERR_INIT;
	struct import import;
	struct sizing_model m;
	size_t n = 0;

	while (values[n].key != NULL)
		n++;
	put_head(&g, 3, 0, n + 1 + (list != NULL));
	put_text(&g, "general.architecture", arch);
	for (size_t i = 0; i < n; i++) {
		char key[100];

		snprintf(key, sizeof key, "%s.%s", arch, values[i].key);
		put_u32(&g, key, values[i].number);
	}
	if (list != NULL) {
		char key[100];

		snprintf(key, sizeof key, "%s.%s", arch, list);
		put_u32s(&g, key, items, count);
	}
	put_data(&g);
	if (read_bytes(&import, a, &g, &e) != OK)
		fail_msg("%s: %s: %s", arch, e.where, e.text);
	assert_int_equal(profile_model(&m, import.record, &e), OK);
	buf_release(&g.b);
	return m;
}

/* The older files give full heads, the newer ones the latent; the cache is the same: 61 x 576 x 2 B. */
static void
latent_attention_in_both_forms(void **state)
{
	static const struct value older[] = {
		{ "block_count", 61 }, { "embedding_length", 7168 }, { "vocab_size", 129280 }, { "feed_forward_length", 18432 },
		{ "attention.head_count", 128 }, { "attention.head_count_kv", 128 }, { "attention.kv_lora_rank", 512 },
		{ "attention.q_lora_rank", 1536 }, { "attention.key_length", 192 }, { "attention.value_length", 128 },
		{ "rope.dimension_count", 64 }, { NULL, 0 },
	};
	static const struct value newer[] = {
		{ "block_count", 61 }, { "embedding_length", 7168 }, { "vocab_size", 129280 }, { "feed_forward_length", 18432 },
		{ "attention.head_count", 128 }, { "attention.head_count_kv", 1 }, { "attention.kv_lora_rank", 512 },
		{ "attention.q_lora_rank", 1536 }, { "attention.key_length", 576 }, { "attention.value_length", 512 },
		{ "attention.key_length_mla", 192 }, { "attention.value_length_mla", 128 }, { "rope.dimension_count", 64 }, { NULL, 0 },
	};
	struct arena a = ARENA_INIT;
	struct sizing_model m = geometry(&a, "deepseek2", older, NULL, NULL, 0), n = geometry(&a, "deepseek2", newer, NULL, NULL, 0);
	const struct sizing_dtype *kv = sizing_dtype_find("bf16");

	(void)state;
	assert_true(sizing_kept_bytes(&m, 1000, kv, NULL) == 70272000);
	assert_true(sizing_kept_bytes(&n, 1000, kv, NULL) == 70272000);
	/* 7168 x 1536 + 1536 x 128 x 192 + 7168 x 576 + 512 x 128 x 256 + 128 x 128 x 7168 */
	assert_true(m.groups[0].projections == 187105280 && n.groups[0].projections == 187105280);
	arena_release(&a);
}

/* Windows that no key lays out: gemma2 2, gemma3 6, gpt-oss 2, llama4 4, cohere2 4 are built in. */
static void
patterns_that_are_built_in(void **state)
{
	static const struct {
		const char *arch;
		double window, full; /* layers of 12 */
	} rows[] = { { "gemma2", 6, 6 }, { "gemma3", 10, 2 }, { "gpt-oss", 6, 6 }, { "cohere2", 9, 3 }, { "llama", 12, 0 } };
	static const struct value values[] = {
		{ "block_count", 12 }, { "embedding_length", 1024 }, { "vocab_size", 100 }, { "feed_forward_length", 64 },
		{ "attention.head_count", 8 }, { "attention.sliding_window", 128 }, { "context_length", 8192 }, { NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = ARENA_INIT;
		struct sizing_model m = geometry(&a, rows[i].arch, values, NULL, NULL, 0);
		double window = 0, full = 0;

		for (size_t k = 0; k < m.group_count; k++)
			*(m.groups[k].window > 0 ? &window : &full) += m.groups[k].layers;
		if (window != rows[i].window || full != rows[i].full)
			fail_msg("%s: %g windowed and %g full layers", rows[i].arch, window, full);
		arena_release(&a);
	}
}

/* llama.cpp has 4,096 for a gemma2 file that is silent, and 8,192 for llama4; T5 keeps 2 x 64 x 2 B for text and source. */
static void
sizes_that_are_left_to_the_code(void **state)
{
	static const struct value silent[] = {
		{ "block_count", 4 }, { "embedding_length", 64 }, { "vocab_size", 100 }, { "feed_forward_length", 64 },
		{ "attention.head_count", 4 }, { NULL, 0 },
	};
	static const struct value t5[] = {
		{ "block_count", 2 }, { "decoder_block_count", 3 }, { "embedding_length", 64 }, { "vocab_size", 100 },
		{ "feed_forward_length", 64 }, { "attention.head_count", 4 }, { "attention.key_length", 16 },
		{ "context_length", 50 }, { NULL, 0 },
	};
	const struct sizing_dtype *kv = sizing_dtype_find("bf16");
	struct arena a = ARENA_INIT;
	struct sizing_model m = geometry(&a, "gemma2", silent, NULL, NULL, 0);

	(void)state;
	assert_true(sizing_kept_bytes(&m, 10000, kv, NULL) == 2. * 256 * (4096 + 10000));
	m = geometry(&a, "t5", t5, NULL, NULL, 0);
	assert_true(sizing_kept_bytes(&m, 10, kv, NULL) == 3. * 256 * (10 + 50));
	arena_release(&a);
}

/* Heads by layer: 2, 4 and 2 of 16 elements: (32 + 64 + 32) x 2 x 2 B a token. */
static void
heads_by_layer(void **state)
{
	static const struct value values[] = {
		{ "block_count", 3 }, { "embedding_length", 64 }, { "vocab_size", 100 }, { "feed_forward_length", 64 },
		{ "attention.head_count", 4 }, { NULL, 0 },
	};
	static const uint32_t kv[] = { 2, 4, 2 };
	struct arena a = ARENA_INIT;
	struct sizing_model m = geometry(&a, "llama", values, "attention.head_count_kv", kv, 3);

	(void)state;
	assert_true(sizing_kept_bytes(&m, 10, sizing_dtype_find("bf16"), NULL) == 10 * 128 * 2 * 2);
	arena_release(&a);
}

/* Which layers attend the tensors show: mamba, experts, attention, as in nemotron_h. */
static void
layers_by_their_tensors(void **state)
{
	static const uint32_t kv[] = { 0, 0, 2 }, ffn[] = { 0, 32, 0 };
	struct gguf_out g = { BUF_INIT, false, 0 };
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;
	struct sizing_model m;

	(void)state;
	put_head(&g, 3, 8, 16);
	put_text(&g, "general.architecture", "nemotron_h_moe");
	put_u32(&g, "nemotron_h_moe.block_count", 3);
	put_u32(&g, "nemotron_h_moe.embedding_length", 64);
	put_u32(&g, "nemotron_h_moe.vocab_size", 100);
	put_u32s(&g, "nemotron_h_moe.feed_forward_length", ffn, 3);
	put_u32(&g, "nemotron_h_moe.attention.head_count", 4);
	put_u32s(&g, "nemotron_h_moe.attention.head_count_kv", kv, 3);
	put_u32(&g, "nemotron_h_moe.attention.key_length", 16);
	put_u32(&g, "nemotron_h_moe.ssm.inner_size", 128);
	put_u32(&g, "nemotron_h_moe.ssm.state_size", 16);
	put_u32(&g, "nemotron_h_moe.ssm.time_step_rank", 4);
	put_u32(&g, "nemotron_h_moe.ssm.group_count", 2);
	put_u32(&g, "nemotron_h_moe.ssm.conv_kernel", 4);
	put_u32(&g, "nemotron_h_moe.expert_count", 4);
	put_u32(&g, "nemotron_h_moe.expert_used_count", 2);
	put_u32(&g, "nemotron_h_moe.expert_feed_forward_length", 32);
	put_tensor(&g, "token_embd.weight", 64, 100, 1, 12800);
	put_tensor(&g, "output.weight", 64, 100, 1, 12800);
	put_tensor(&g, "blk.0.ssm_in.weight", 64, 324, 1, 41472);
	put_tensor(&g, "blk.1.ffn_up_exps.weight", 64, 128, 39, 64 * 128 / 32 * 17);
	put_tensor(&g, "blk.1.ffn_down_exps.weight", 32, 256, 39, 32 * 256 / 32 * 17);
	put_tensor(&g, "blk.2.attn_q.weight", 64, 64, 1, 8192);
	put_tensor(&g, "blk.2.attn_k.weight", 64, 32, 1, 4096);
	put_tensor(&g, "rope_freqs.weight", 8, 1, 0, 32);
	put_data(&g);
	if (read_bytes(&import, &a, &g, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	assert_int_equal(profile_model(&m, import.record, &e), OK);
	assert_false(m.tied);
	/* One layer of 2 x 32 x 2 B a token; one state of 128 x 16 fp32 and (128 + 2 x 2 x 16) x 3 bf16. */
	assert_true(sizing_kept_bytes(&m, 10, sizing_dtype_find("bf16"), NULL) == 1280 + 8192 + 1152);
	assert_true(m.ffn_count == 1 && m.ffn[0].layers == 1 && m.ffn[0].experts == 4 && m.ffn[0].matrices == 2);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.tensors.experts")), "mxfp4");
	buf_release(&g.b);
	arena_release(&a);
}

/* What a hostile header may say. */
static void
absurd_headers(void **state)
{
	static const struct {
		const char *text;
		uint64_t tensors, values;
		int what;
	} rows[] = {
		{ "expected GGUF version 2 or 3, found 9", 0, 0, 9 },
		{ "at most", UINT64_MAX / 2 + 1, 0, 0 },
		{ "at most", 0, UINT64_MAX / 2 + 1, 0 },
		{ "room for fewer", 1000, 1, 1 },
		{ "a name of 1 to 512 bytes", 0, 1, 2 },
		{ "at most 16777216 items", 0, 1, 3 },
		{ "found the end", 0, 1, 4 },
		{ "a type of value that GGUF knows", 0, 1, 5 },
		{ "a list of plain values", 0, 1, 6 },
		{ "whose product is below 2^53", 1, 1, 7 },
		{ "is cut short", 1, 1, 8 },
		{ "each key once", 0, 2, 10 },
		{ "a power of two", 0, 1, 11 },
		{ "a type of tensor that is known", 1, 1, 12 },
		{ "rows of whole blocks", 1, 1, 13 },
		{ "a multiple of 32", 1, 1, 14 },
		{ "1 to 4 dimensions", 1, 1, 15 },
		{ "a name of plain characters", 0, 1, 16 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf_out g = { BUF_INIT, false, 0 };
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		int what = rows[i].what;

		put_head(&g, what == 9 ? 9 : 3, rows[i].tensors, rows[i].values);
		if (what == 2) {
			put_uint(&g, UINT64_MAX, 8);
		} else if (what == 3 || what == 4 || what == 6) {
			put_string(&g, "k");
			put_uint(&g, 9, 4);
			put_uint(&g, what == 6 ? 9 : 8, 4);
			put_uint(&g, what == 3 ? UINT64_MAX / 2 : 1000, 8);
		} else if (what == 5) {
			put_string(&g, "k");
			put_uint(&g, 13, 4);
		} else if (what == 10) {
			put_u32(&g, "k", 1);
			put_u32(&g, "k", 1);
		} else if (what == 11) {
			put_u32(&g, "general.alignment", 3);
		} else if (what == 16) {
			put_u32(&g, "k\n", 3);
		} else if (rows[i].values > 0 && rows[i].values < 10) {
			put_u32(&g, "k", 1);
		}
		if (what == 7 || what == 8 || what >= 12) {
			put_string(&g, "t");
			put_uint(&g, what == 15 ? 5 : 2, 4);
			put_uint(&g, what == 7 ? UINT64_MAX / 2 : what == 13 ? 33 : 1 << 20, 8);
			put_uint(&g, what == 7 ? 4 : 1 << 20, 8);
			put_uint(&g, what == 12 ? 4 : what == 13 ? 8 : 0, 4);
			put_uint(&g, what == 14 ? 7 : 0, 8);
		}
		for (int k = 0; k < 64 && what != 4; k++)
			buf_putc(&g.b, 0);
		if (read_bytes(&import, &a, &g, &e) != ERR_INPUT)
			fail_msg("row %zu was read", i);
		if (strstr(e.text, rows[i].text) == NULL)
			fail_msg("row %zu: %s", i, e.text);
		buf_release(&g.b);
		arena_release(&a);
	}
}

static void
unknown_architectures_are_refused(void **state)
{
	struct gguf_out g = { BUF_INIT, false, 0 };
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;

	(void)state;
	put_head(&g, 3, 0, 1);
	put_text(&g, "general.architecture", "newcomer");
	assert_int_equal(read_bytes(&import, &a, &g, &e), ERR_INPUT);
	assert_non_null(strstr(e.text, "`newcomer` is not known"));
	buf_release(&g.b);
	arena_release(&a);
}

static void
write_file(const char *path, const struct gguf_out *g)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_true(fwrite(g->b.s, 1, g->b.len, f) == g->b.len);
	assert_int_equal(fclose(f), 0);
}

/* The metadata in the first part, tensors in both; then with the second gone. */
static void
split_files_are_summed(void **state)
{
	struct gguf_out first = { BUF_INIT, false, 0 }, second = { BUF_INIT, false, 0 };
	char folder[] = "/tmp/test_import_XXXXXX", one[100], two[100];
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;
	bool told = false;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(one, sizeof one, "%s/m-00001-of-00002.gguf", folder);
	snprintf(two, sizeof two, "%s/m-00002-of-00002.gguf", folder);
	put_llama(&first, 3, 0, 0);
	put_llama_tensors(&first);
	put_data(&first);
	put_head(&second, 3, 1, 1);
	put_u32(&second, "split.no", 1);
	put_tensor(&second, "output.weight", 64, 100, 1, 12800);
	put_data(&second);
	write_file(one, &first);
	write_file(two, &second);
	if (import_file(&import, &a, one, &PLAIN, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "103936 B"); /* 91,136 + 12,800 */
	assert_false(import.model.tied);
	unlink(two);
	assert_int_equal(import_file(&import, &a, one, &PLAIN, &e), OK);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "91136 B");
	for (size_t i = 0; i < import.note_count; i++)
		told |= strstr(import.notes[i].en, "Parts of this split file are missing") != NULL;
	assert_true(told);
	unlink(one);
	rmdir(folder);
	buf_release(&first.b);
	buf_release(&second.b);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_and_byte_orders),
		cmocka_unit_test(cut_short_anywhere),
		cmocka_unit_test(latent_attention_in_both_forms),
		cmocka_unit_test(patterns_that_are_built_in),
		cmocka_unit_test(sizes_that_are_left_to_the_code),
		cmocka_unit_test(heads_by_layer),
		cmocka_unit_test(layers_by_their_tensors),
		cmocka_unit_test(absurd_headers),
		cmocka_unit_test(unknown_architectures_are_refused),
		cmocka_unit_test(split_files_are_summed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
