/* safetensors headers and indexes: bytes by type and class, one copy of the weights only, hostile headers. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/import.h"
#include "util/buf.h"

static const struct import_options PLAIN = { NULL, NULL, NULL, NULL, NULL };

/* Length, header and `data` zeros. */
static void
make(struct buf *out, const char *header, size_t data)
{
	uint64_t n = strlen(header);

	for (int i = 0; i < 8; i++)
		buf_putc(out, (char)(n >> (8 * i)));
	buf_puts(out, header);
	for (size_t i = 0; i < data; i++)
		buf_putc(out, 0);
}

static void
write_file(const char *folder, const char *name, const char *bytes, size_t len)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_true(fwrite(bytes, 1, len, f) == len);
	assert_int_equal(fclose(f), 0);
}

static void
write_tensors(const char *folder, const char *name, const char *header, size_t data)
{
	struct buf b = BUF_INIT;

	make(&b, header, data);
	write_file(folder, name, b.s, b.len);
	buf_release(&b);
}

#define CONFIG "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":1,\"num_attention_heads\":4,\"num_key_value_heads\":4," \
	"\"intermediate_size\":128,\"vocab_size\":100,\"tie_word_embeddings\":false,\"torch_dtype\":\"bfloat16\""

/* Embeddings 2 x 6,400 in bf16; attention 4 x 4,096 and feed-forward 3 x 8,192 in fp8. */
#define SHARD_1 "{\"__metadata__\":{\"format\":\"pt\"}," \
	"\"model.embed_tokens.weight\":{\"dtype\":\"BF16\",\"shape\":[100,64],\"data_offsets\":[0,12800]}," \
	"\"model.layers.0.self_attn.qkvo.weight\":{\"dtype\":\"F8_E4M3\",\"shape\":[256,64],\"data_offsets\":[12800,29184]}}"
#define SHARD_2 "{\"lm_head.weight\":{\"dtype\":\"BF16\",\"shape\":[100,64],\"data_offsets\":[0,12800]}," \
	"\"model.layers.0.mlp.all.weight\":{\"dtype\":\"F8_E4M3\",\"shape\":[384,64],\"data_offsets\":[12800,37376]}," \
	"\"model.layers.0.mlp.all.weight_scale_inv\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[37376,37384]}}"
#define INDEX "{\"metadata\":{\"total_size\":66568},\"weight_map\":{\"model.embed_tokens.weight\":\"model-00001-of-00002.safetensors\"," \
	"\"model.layers.0.self_attn.qkvo.weight\":\"model-00001-of-00002.safetensors\"," \
	"\"lm_head.weight\":\"model-00002-of-00002.safetensors\",\"model.layers.0.mlp.all.weight\":\"model-00002-of-00002.safetensors\"," \
	"\"model.layers.0.mlp.all.weight_scale_inv\":\"model-00002-of-00002.safetensors\"}}"

static bool
has_note(const struct import *import, const char *text)
{
	for (size_t i = 0; i < import->note_count; i++)
		if (strstr(import->notes[i].en, text) != NULL)
			return true;
	return false;
}

static void
an_index_is_one_copy(void **state)
{
	static const char *const names[] = { "config.json", "model.safetensors.index.json", "model-00001-of-00002.safetensors",
		"model-00002-of-00002.safetensors", "consolidated.safetensors" };
	char folder[] = "/tmp/test_import_XXXXXX", path[200];
	const char *config = CONFIG ",\"quantization_config\":{\"quant_method\":\"fp8\"}}";
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct import import;

	(void)state;
	assert_non_null(mkdtemp(folder));
	write_file(folder, "config.json", config, strlen(config));
	write_file(folder, "model.safetensors.index.json", INDEX, strlen(INDEX));
	write_tensors(folder, "model-00001-of-00002.safetensors", SHARD_1, 29184);
	write_tensors(folder, "model-00002-of-00002.safetensors", SHARD_2, 37384);
	write_tensors(folder, "consolidated.safetensors", SHARD_1, 29184);
	snprintf(path, sizeof path, "%s/model.safetensors.index.json", folder);
	if (import_file(&import, &a, path, &PLAIN, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	/* 25,600 + 16,384 + 24,576 + 8 of scales */
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "66568 B");
	assert_string_equal(val_text(val_path(import.record, "checkpoint.dtype")), "fp8");
	assert_string_equal(val_text(val_path(import.record, "checkpoint.tensors.vocabulary")), "bf16");
	assert_null(val_path(import.record, "checkpoint.tensors.dense"));
	assert_true(has_note(&import, "second copy of the weights"));
	/* 12,800 + 40,960 parameters: those of the geometry, so nothing is left for others. */
	assert_true(sizing_parameters(&import.model, false) == 53760);
	/* A layer behind the last predicts further tokens: its bytes count, its parameters do not. */
	write_tensors(folder, "model-00002-of-00002.safetensors", "{\"lm_head.weight\":{\"dtype\":\"BF16\",\"shape\":[100,64],"
	    "\"data_offsets\":[0,12800]},\"model.layers.0.mlp.all.weight\":{\"dtype\":\"F8_E4M3\",\"shape\":[384,64],"
	    "\"data_offsets\":[12800,37376]},\"model.layers.1.eh_proj.weight\":{\"dtype\":\"BF16\",\"shape\":[4,64],"
	    "\"data_offsets\":[37376,37888]}}", 37888);
	assert_int_equal(import_file(&import, &a, path, &PLAIN, &e), OK);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "67072 B");
	assert_true(sizing_parameters(&import.model, false) == 53760);
	snprintf(path, sizeof path, "%s/model-00002-of-00002.safetensors", folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/model.safetensors.index.json", folder);
	assert_int_equal(import_file(&import, &a, path, &PLAIN, &e), OK);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "29184 B");
	assert_true(has_note(&import, "Files that the index names are missing"));
	snprintf(path, sizeof path, "%s/model-00001-of-00002.safetensors", folder);
	assert_int_equal(import_file(&import, &a, path, &PLAIN, &e), OK);
	assert_true(has_note(&import, "one of several"));
	unlink(path);
	/* With no shard there, the index has the sum. */
	snprintf(path, sizeof path, "%s/model.safetensors.index.json", folder);
	assert_int_equal(import_file(&import, &a, path, &PLAIN, &e), OK);
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "66568 B");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
	arena_release(&a);
}

/* Without a configuration the record is not whole, and says so; what the weights take is there. */
static void
weights_alone(void **state)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	struct import import;

	(void)state;
	make(&b, SHARD_1, 29184);
	assert_int_equal(import_safetensors_bytes(&import, &a, b.s, b.len, "m.safetensors", &PLAIN, &e), OK);
	assert_true(import.weights_only);
	assert_true(has_note(&import, "Weights only"));
	assert_null(val_get(import.record, "groups"));
	assert_string_equal(val_text(val_path(import.record, "checkpoint.bytes")), "29184 B");
	assert_string_equal(val_text(val_path(import.record, "checkpoint.dtype")), "fp8"); /* 16,384 against 12,800 */
	assert_string_equal(val_text(val_path(import.record, "checkpoint.tensors.vocabulary")), "bf16");
	assert_string_equal(val_text(val_path(import.record, "other_parameters")), "22784"); /* 6,400 + 16,384 */
	buf_release(&b);
	arena_release(&a);
}

static void
hostile_headers(void **state)
{
	static const struct {
		const char *header, *text;
		size_t data;
	} rows[] = {
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "offsets inside the file", 15 },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,8]}}", "expected 16 bytes for this shape", 16 },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[8,0]}}", "offsets inside the file", 16 },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[-8,0]}}", "offsets inside the file", 16 },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[1e15,1e15],\"data_offsets\":[0,8]}}", "below 2^53", 16 },
		{ "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,8]}}", "dimensions from 0 on", 16 },
		{ "{\"a\":{\"dtype\":\"F32\"}}", "expected dtype, shape and data_offsets", 0 },
		{ "{\"a\":1}", "expected dtype, shape and data_offsets", 0 },
		{ "{\"a\":{},\"a\":{}}", "once", 0 },
		{ "[1,2]", "expected a map of tensors", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct buf b = BUF_INIT;
		struct import import;

		make(&b, rows[i].header, rows[i].data);
		if (import_safetensors_bytes(&import, &a, b.s, b.len, "m.safetensors", &PLAIN, &e) != ERR_INPUT)
			fail_msg("%s was read", rows[i].header);
		if (strstr(e.text, rows[i].text) == NULL)
			fail_msg("%s: %s", rows[i].header, e.text);
		for (int k = 0; k < 8; k++)
			b.s[k] = (char)0xff;
		assert_int_equal(import_safetensors_bytes(&import, &a, b.s, b.len, "m.safetensors", &PLAIN, &e), ERR_INPUT);
		assert_non_null(strstr(e.text, "inside the file, found a length of"));
		buf_release(&b);
		arena_release(&a);
	}
}

/* A name that leads out of the folder is no name of a shard. */
static void
an_index_stays_in_its_folder(void **state)
{
	static const char *const names[] = { "../x", "/etc/passwd", "", "a/../../b" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		char text[200];

		snprintf(text, sizeof text, "{\"weight_map\":{\"a\":\"%s\"}}", names[i]);
		assert_int_equal(import_config_text(&import, &a, text, strlen(text), NULL, 0, "i.json", &PLAIN, &e), ERR_INPUT);
		assert_non_null(strstr(e.text, "beside the index"));
		arena_release(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_index_is_one_copy),
		cmocka_unit_test(weights_alone),
		cmocka_unit_test(hostile_headers),
		cmocka_unit_test(an_index_stays_in_its_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
