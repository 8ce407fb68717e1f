/*
 * Configuration files as their vendors publish them. They lie in the folder beside the repository and the test is
 * skipped where there is none. Expected: the bytes and parameters of the records in evidence/models, which were
 * written by hand from other sources.
 */
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/images.h"
#include "import/import.h"
#include "kb/kb.h"
#include "kb/profile.h"

#define FOLDER "../shared/data/hf-configs"

static const struct {
	const char *file, *id;
} PAIRS[] = {
	{ "MiniMaxAI--MiniMax-M3", "minimax-m3" }, { "Qwen--Qwen3-235B-A22B", "qwen3-235b-a22b" },
	{ "Qwen--Qwen3-32B-FP8-Static-PerTensor", "qwen3-32b" }, { "Qwen--Qwen3-32B", "qwen3-32b" },
	{ "Qwen--Qwen3-VL-30B-A3B-Instruct", "qwen3-30b-a3b" }, { "Qwen--Qwen3.5-27B", "qwen3.5-27b" },
	{ "Qwen--Qwen3.5-397B-A17B", "qwen3.5-397b-a17b" }, { "XiaomiMiMo--MiMo-V2-Flash", "mimo-v2-flash" },
	{ "deepseek-ai--DeepSeek-V3.2", "deepseek-v3.2" }, { "deepseek-ai--DeepSeek-V3", "deepseek-v3" },
	{ "deepseek-ai--DeepSeek-V4-Flash", "deepseek-v4-flash" }, { "google--gemma-4-26B-A4B", "gemma-4-26b-a4b" },
	{ "meta-llama--Llama-4-Maverick-17B-128E-Instruct", "llama-4-maverick" },
	{ "meta-llama--Meta-Llama-3.1-70B", "llama-3.1-70b" }, { "mistralai--Mixtral-8x7B-v0.1", "mixtral-8x7b" },
	{ "moonshotai--Kimi-K2-Instruct", "kimi-k2" }, { "moonshotai--Kimi-K3", "kimi-k3" },
	{ "nvidia--DeepSeek-V3.1-NVFP4", "deepseek-v3" }, { "nvidia--Gemma-4-31B-IT-NVFP4", "gemma-4-31b" },
	{ "nvidia--Llama-3.1-70B-Instruct-FP8", "llama-3.1-70b" },
	{ "nvidia--Llama-3_3-Nemotron-Super-49B-v1", "nemotron-super-49b-v1" },
	{ "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nemotron-3-nano-30b-a3b" },
	{ "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", "nemotron-3-nano-30b-a3b" },
	{ "nvidia--NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", "nemotron-3-ultra-550b-a55b" },
	{ "openai--gpt-oss-20b", "gpt-oss-20b" }, { "stepfun-ai--Step-3.7-Flash", "step-3.7-flash" },
	{ "zai-org--GLM-5.2", "glm-5.2" }, { "zai-org--GLM-5", "glm-5" },
};

static void
compare(const char *file, const char *id, const struct sizing_model *read, struct kb *kb, struct arena *a)
{
	static const double tokens[] = { 1, 100, 4096, 131072, 1048576 };
	const struct sizing_dtype *kv = sizing_dtype_find("bf16");
	struct sizing_model known;
	struct err e = ERR_INIT;
	struct val *record;
	double n;

	assert_int_equal(kb_record(&record, kb, a, id, "model", &e), OK);
	assert_int_equal(profile_model(&known, record, &e), OK);
	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
		double found = sizing_kept_bytes(read, tokens[i], kv, NULL), expected = sizing_kept_bytes(&known, tokens[i], kv, NULL);

		if (found != expected)
			fail_msg("%s against %s: %.0f B kept of %.0f tokens, expected %.0f", file, id, found, tokens[i], expected);
	}
	n = sizing_parameters(&known, false);
	if (fabs(sizing_parameters(read, false) - n) > 0.02 * n)
		fail_msg("%s against %s: %.4g parameters, expected %.4g", file, id, sizing_parameters(read, false), n);
	if (known.published_total > 0 && fabs(sizing_parameters(read, false) - known.published_total) > 0.05 * known.published_total)
		fail_msg("%s: %.4g parameters, published %.4g", file, sizing_parameters(read, false), known.published_total);
	assert_true(read->width == known.width && read->vocabulary == known.vocabulary && read->tied == known.tied);
}

static void
published_files_give_known_models(void **state)
{
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	struct kb *kb;

	(void)state;
	if (access(FOLDER, R_OK) != 0)
		skip();
	assert_int_equal(kb_open(&kb, image_knowledge, (size_t)image_knowledge_len, &e), OK);
	for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
		struct import_options options = { NULL, NULL, NULL, NULL, NULL };
		char path[300];
		struct sizing_model read;
		struct import import;

		snprintf(path, sizeof path, FOLDER "/%s_config.json", PAIRS[i].file);
		if (import_file(&import, &a, path, &options, &e) != OK)
			fail_msg("%s: %s", e.where, e.text);
		assert_int_equal(profile_model(&read, import.record, &e), OK);
		compare(PAIRS[i].file, PAIRS[i].id, &read, kb, &a);
	}
	kb_close(kb);
	arena_release(&a);
}

/* Whatever lies there is read, or refused at a place with a reason. */
static void
every_file_is_read_or_refused(void **state)
{
	struct import_options options = { NULL, NULL, NULL, NULL, NULL };
	struct dirent *entry;
	DIR *folder = opendir(FOLDER);
	size_t read = 0;

	(void)state;
	if (folder == NULL)
		skip();
	while ((entry = readdir(folder)) != NULL) {
		struct arena a = ARENA_INIT;
		struct err e = ERR_INIT;
		struct import import;
		char path[600];
		int rc;

		if (strstr(entry->d_name, "_config.json") == NULL || strstr(entry->d_name, "hf_quant") != NULL)
			continue;
		snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
		rc = import_file(&import, &a, path, &options, &e);
		if (rc == OK)
			read++;
		else
			assert_true(rc == ERR_INPUT && e.where[0] != '\0' && e.text[0] != '\0');
		arena_release(&a);
	}
	closedir(folder);
	assert_true(read >= 29); /* of the files as they are today, all */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_files_give_known_models),
		cmocka_unit_test(every_file_is_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
