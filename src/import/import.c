#include "import/import.h"

#include <stdio.h>
#include <string.h>

#include "import/config.h"
#include "import/file_int.h"
#include "kb/profile.h"
#include "util/buf.h"
#include "util/file.h"

enum { ID_BYTES = 60 };

/*
 * The name of the file without its folder and endings; of what says nothing, its folder's. A vendor before
 * "--" is left out, and what an id may not hold becomes a hyphen.
 */
static const char *
id_of(struct arena *a, const char *path)
{
	static const char *const endings[] = { ".json", ".gguf", ".safetensors", ".index", "_config", "params" };
	static const char *const empty[] = { "config", "params", "model", "consolidated" };
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dashes;
	char *id = arena_strdup(a, name), *out = id;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(id), m = strlen(endings[i]);

		if (n > m && strcmp(id + n - m, endings[i]) == 0)
			id[n - m] = '\0';
	}
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		if (strcmp(id, empty[i]) == 0 && slash != NULL && slash > path) {
			const char *before = arena_strndup(a, path, (size_t)(slash - path));

			return id_of(a, before);
		}
	dashes = strstr(id, "--");
	out = id;
	for (const char *s = dashes != NULL ? dashes + 2 : id; *s != '\0' && out - id < ID_BYTES; s++) {
		char c = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
		bool fit = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

		if (!fit && (out == id || out[-1] == '-' || out[-1] == '.'))
			continue;
		*out++ = fit || c == '.' ? c : '-';
	}
	while (out > id && (out[-1] == '-' || out[-1] == '.'))
		out--;
	*out = '\0';
	return out > id ? id : "imported-model";
}

/* A record is of use only if the engine takes it. */
static void
check_model(struct draft *d, const char *path)
{
	struct sizing_error error;

	if (d->rc == OK && !d->weights_only && !profile_can_be_sized(&d->m, NULL, &error))
		draft_fail(d, (struct place){ path, 0, 0 }, "%s %s", error.field, error.reason);
}

static int
finish(struct import *out, struct draft *d, const char *path, const struct import_options *options)
{
	memset(out, 0, sizeof *out);
	check_model(d, path);
	out->notes = d->notes;
	out->note_count = d->note_count;
	if (d->rc != OK)
		return d->rc;
	out->id = options->id != NULL ? options->id : id_of(d->a, path);
	out->model = d->m;
	out->weights_only = d->weights_only;
	record_write(out, d, path, options);
	return OK;
}

static void
read_config(struct draft *d, struct arena *a, const char *text, size_t len, const char *quant, size_t quant_len,
    const char *path)
{
	struct val *root = NULL, *beside_it = NULL;

	d->what = "the configuration: full";
	d->rc = config_parse(&root, a, text, len, path, d->e);
	if (d->rc == OK && quant != NULL)
		d->rc = config_parse(&beside_it, a, quant, quant_len, beside(a, path, "config.json", "hf_quant_config.json"), d->e);
	if (d->rc == OK && val_is(val_get(root, "weight_map"), VAL_MAP))
		safetensors_index(d, root, path);
	else if (d->rc == OK)
		config_read(d, root, beside_it, true);
}

int
import_config_text(struct import *out, struct arena *a, const char *text, size_t len, const char *quant,
    size_t quant_len, const char *path, const struct import_options *options, struct err *e)
{
	struct draft *d = arena_alloc(a, sizeof *d);

	draft_init(d, a, e);
	read_config(d, a, text, len, quant, quant_len, path);
	return finish(out, d, path, options);
}

int
import_gguf_bytes(struct import *out, struct arena *a, const void *bytes, size_t len, const char *path,
    const struct import_options *options, struct err *e)
{
	struct source s = { .path = path, .fd = -1, .bytes = bytes, .size = len };
	struct draft *d = arena_alloc(a, sizeof *d);

	draft_init(d, a, e);
	gguf_read(d, &s);
	return finish(out, d, path, options);
}

int
import_safetensors_bytes(struct import *out, struct arena *a, const void *bytes, size_t len, const char *path,
    const struct import_options *options, struct err *e)
{
	struct source s = { .path = path, .fd = -1, .bytes = bytes, .size = len };
	struct draft *d = arena_alloc(a, sizeof *d);

	draft_init(d, a, e);
	safetensors_read(d, &s);
	return finish(out, d, path, options);
}

static int
import_json(struct import *out, struct arena *a, const char *path, const struct import_options *options,
    struct err *e)
{
	const char *beside_it = beside(a, path, "config.json", "hf_quant_config.json");
	struct buf text = BUF_INIT, quant = BUF_INIT;
	bool has_quant = strcmp(path, "-") != 0 && strcmp(beside_it, path) != 0 && is_file(beside_it);
	int rc = file_read(&text, path, e);

	if (rc == OK && has_quant)
		rc = file_read(&quant, beside_it, e);
	if (rc == OK)
		rc = import_config_text(out, a, text.s, text.len, has_quant ? quant.s : NULL, quant.len, path, options, e);
	buf_release(&text);
	buf_release(&quant);
	return rc;
}

/* GGUF by its magic; safetensors by the brace behind a length; else JSON. */
int
import_file(struct import *out, struct arena *a, const char *path, const struct import_options *options,
    struct err *e)
{
	struct source s = { .path = path, .fd = -1 };
	struct draft *d = arena_alloc(a, sizeof *d);
	unsigned char head[9] = { 0 };
	int rc;

	memset(out, 0, sizeof *out);
	if (strcmp(path, "-") == 0)
		return import_json(out, a, path, options, e);
	rc = source_open(&s, path, e);
	if (rc == OK) {
		draft_init(d, a, e);
		source_read(&s, head, 0, s.size < 9 ? (size_t)s.size : 9);
		if (memcmp(head, "GGUF", 4) == 0 || memcmp(head, "FUGG", 4) == 0)
			gguf_read(d, &s);
		else if (head[8] == '{' && (head[5] == 0 || head[7] == 0))
			safetensors_read(d, &s);
		else
			d->what = NULL;
		rc = d->what != NULL ? finish(out, d, path, options) : import_json(out, a, path, options, e);
	}
	source_close(&s);
	return rc;
}
