/*
 * A safetensors header (8 bytes of length, then JSON), or the index of several files. One index names one copy of
 * the weights: others in the same folder are told and not added up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/config.h"
#include "import/dtype.h"
#include "import/file_int.h"
#include "json/jn.h"
#include "util/buf.h"
#include "util/file.h"

/* Bytes of an element. Names of ours for types that are dtypes; "packed" where several parameters share one. */
static const struct {
	const char *theirs, *ours;
	double bytes;
} TYPES[] = {
	{ "F64", "f64", 8 }, { "F32", "fp32", 4 }, { "F16", "fp16", 2 }, { "BF16", "bf16", 2 }, { "F8_E4M3", "fp8", 1 },
	{ "F8_E5M2", "fp8", 1 }, { "F8_E8M0", "scale", 1 }, { "I64", "packed", 8 }, { "I32", "packed", 4 }, { "I16", "packed", 2 },
	{ "I8", "int8", 1 }, { "U8", "packed", 1 }, { "BOOL", "packed", 1 }, { "U64", "packed", 8 }, { "U32", "packed", 4 },
	{ "U16", "packed", 2 }, { "F4", "fp4", 0.5 },
};

struct reader {
	struct draft *d;
	double bits;        /* of a packed weight, by the configuration; 0: not known */
	const char *packed; /* its dtype; NULL: not known */
	double layers;      /* of the decoder, by the configuration; 0: not known */
	bool opaque;        /* packed weights whose number of parameters is not known */
};

static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/* What goes with weights and is none: scales, zero points, shapes, counters. */
static bool
is_scale(const char *name)
{
	static const char *const ends[] = { "_scale", "_scales", ".scales", "_scale_inv", ".qzeros", "_zero_point", ".g_idx",
		"_scale_2", "weight_shape", ".absmax", ".quant_map", "quant_state.bitsandbytes__nf4", "input_scale", ".scale" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ends_with(name, ends[i]))
			return true;
	return false;
}

/* Layers behind the last predict further tokens; they and towers take bytes and are no parameters of the decoder. */
static bool
is_counted(const struct reader *r, const char *name)
{
	return !tensor_is_beside(name) && !(r->layers > 0 && (double)tensor_layer(name) >= r->layers);
}

static void
take_tensor(struct reader *r, const struct val_entry *entry, double room, double *furthest)
{
	const struct val *shape = val_get(entry->value, "shape"), *offsets = val_get(entry->value, "data_offsets");
	const char *type = val_get_text(entry->value, "dtype"), *dtype;
	double elements = 1, begin, end;
	size_t t = 0;

	if (type == NULL || !val_is(shape, VAL_LIST) || !val_is(offsets, VAL_LIST) || offsets->list.count != 2 ||
	    !val_is(offsets->list.items[0], VAL_NUM) || !val_is(offsets->list.items[1], VAL_NUM)) {
		draft_fail(r->d, entry->at, "expected dtype, shape and data_offsets");
		return;
	}
	while (t < sizeof TYPES / sizeof *TYPES && strcmp(type, TYPES[t].theirs) != 0)
		t++;
	for (size_t i = 0; i < shape->list.count; i++) {
		const struct val *n = shape->list.items[i];

		if (!val_is(n, VAL_NUM) || !(n->number >= 0) || n->number > 1e15 || elements * n->number > 9e15)
			draft_fail(r->d, shape->at, "expected dimensions from 0 on whose product is below 2^53");
		else
			elements *= n->number;
	}
	begin = offsets->list.items[0]->number;
	end = offsets->list.items[1]->number;
	if (!(begin >= 0) || !(end >= begin) || end > room)
		draft_fail(r->d, offsets->at, "expected offsets inside the file, which has %.0f bytes of data", room);
	else if (t < sizeof TYPES / sizeof *TYPES && end - begin != elements * TYPES[t].bytes)
		draft_fail(r->d, offsets->at, "expected %.0f bytes for this shape and type, found %.0f", elements * TYPES[t].bytes, end - begin);
	if (r->d->rc != OK || elements == 0)
		return;
	*furthest = end > *furthest ? end : *furthest;
	dtype = t < sizeof TYPES / sizeof *TYPES ? TYPES[t].ours : "other";
	if (is_scale(entry->key)) {
		/* Block scales count with what they scale. */
		draft_weight(r->d, tensor_class_of(entry->key), r->packed != NULL ? r->packed : "scale", end - begin);
		return;
	}
	if (strcmp(dtype, "packed") == 0) {
		dtype = r->packed != NULL ? r->packed : "packed";
		r->opaque |= !(r->bits > 0);
		elements = r->bits > 0 ? (end - begin) * 8 / r->bits : 0;
		draft_note(r->d, entry->at, NOTE_PACKED, NULL);
	}
	draft_weight(r->d, is_counted(r, entry->key) ? tensor_class_of(entry->key) : SIZING_OTHER, dtype, end - begin);
	if (is_counted(r, entry->key))
		r->d->counted += elements;
}

static void
read_header(struct reader *r, const struct source *s)
{
	struct place at = { s->path, 0, 0 };
	unsigned char raw[8];
	double room, furthest = 0;
	struct val *root;
	uint64_t len = 0;
	char *text;

	if (!source_read(s, raw, 0, 8)) {
		draft_fail(r->d, at, "expected a header length of 8 bytes, found the end");
		return;
	}
	for (int i = 0; i < 8; i++)
		len |= (uint64_t)raw[i] << (8 * i);
	if (len < 2 || len > JN_MAX_BYTES || len > s->size - 8) {
		draft_fail(r->d, at, "expected a header of 2 bytes to %d MiB inside the file, found a length of %llu",
		    JN_MAX_BYTES / (1024 * 1024), (unsigned long long)len);
		return;
	}
	text = xmalloc((size_t)len);
	if (!source_read(s, text, 8, (size_t)len))
		draft_fail(r->d, at, "cannot read the header");
	else
		r->d->rc = jn_parse(&root, r->d->a, text, (size_t)len, s->path, r->d->e);
	free(text);
	if (r->d->rc != OK)
		return;
	if (!val_is(root, VAL_MAP)) {
		draft_fail(r->d, root->at, "expected a map of tensors");
		return;
	}
	room = (double)(s->size - 8 - len);
	for (size_t i = 0; i < root->map.count && r->d->rc == OK; i++)
		if (strcmp(root->map.entries[i].key, "__metadata__") != 0)
			take_tensor(r, &root->map.entries[i], room, &furthest);
}

/* ---- the configuration beside the weights ---- */

static struct val *
read_beside(struct draft *d, const char *path, const char *suffix, const char *name)
{
	const char *other = beside(d->a, path, suffix, name);
	struct buf text = BUF_INIT;
	struct val *root = NULL;

	if (d->rc != OK || !is_file(other))
		return NULL;
	d->rc = file_read(&text, other, d->e);
	if (d->rc == OK)
		d->rc = config_parse(&root, d->a, text.s, text.len, other, d->e);
	buf_release(&text);
	return d->rc == OK ? root : NULL;
}

/* What packs the weights decides how many parameters an element holds. */
static void
read_packing(struct reader *r, const struct val *config, const struct val *quant)
{
	struct config c = { .d = r->d, .quant = quant };

	c.maps[c.map_count++] = config;
	if (val_is(val_get(config, "text_config"), VAL_MAP))
		c.maps[c.map_count++] = val_get(config, "text_config");
	fact_index(&c);
	r->layers = fact_count(&c, FACT_LAYERS);
	r->packed = quant_dtype(&c);
	r->bits = quant_bits(&c);
	if (r->packed != NULL && !(r->bits > 0))
		r->bits = sizing_dtype_find(r->packed)->bits > 7 ? 8 : 4;
}

static void
note_copies(struct draft *d, const char *path)
{
	static const char *const copies[] = { "consolidated.safetensors", "consolidated.safetensors.index.json",
		"consolidated.00.pth", "original/model.safetensors",
		"original/consolidated.00.pth", "metal/model.bin", "pytorch_model.bin" };

	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
		if (!ends_with(path, copies[i]) && is_file(beside(d->a, path, "\n", copies[i])))
			draft_note(d, (struct place){ NULL, 0, 0 }, NOTE_OTHER_COPY, copies[i]);
}

static void
with_geometry(struct reader *r, const struct val *config, const char *path)
{
	if (r->opaque)
		r->d->counted = 0;
	note_copies(r->d, path);
	if (config == NULL) {
		r->d->weights_only = true;
		r->d->m.other_parameters = r->d->counted;
		draft_note(r->d, (struct place){ path, 0, 0 }, NOTE_NO_GEOMETRY, NULL);
	} else {
		config_read(r->d, config, NULL, false);
	}
	if (r->d->rc == OK)
		draft_checkpoint(r->d, true);
}

static struct val *
read_config(struct reader *r, const char *path)
{
	struct val *config = read_beside(r->d, path, "\n", "config.json");

	if (config == NULL)
		config = read_beside(r->d, path, "\n", "params.json");
	if (config != NULL && r->d->rc == OK)
		read_packing(r, config, read_beside(r->d, path, "\n", "hf_quant_config.json"));
	return config;
}

void
safetensors_read(struct draft *d, const struct source *s)
{
	struct reader r = { .d = d };
	struct val *config = s->fd >= 0 ? read_config(&r, s->path) : NULL;

	d->what = "the header: names, shapes and types of tensors";
	if (strstr(s->path, "-of-") != NULL)
		draft_note(d, (struct place){ s->path, 0, 0 }, NOTE_ONE_SHARD, NULL);
	if (d->rc == OK)
		read_header(&r, s);
	if (strstr(s->path, "-of-") != NULL)
		r.opaque = true;
	if (d->rc == OK)
		with_geometry(&r, config, s->path);
}

/* With no file there: what the configuration says all weights are. */
static const char *
index_dtype(const struct val *config)
{
	const char *name = dtype_of_torch(val_get_text(config, "torch_dtype"));

	if (name == NULL)
		name = dtype_of_torch(val_get_text(config, "dtype"));
	return name != NULL ? name : "other";
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A name that leads nowhere but beside the index. */
static bool
is_beside(const char *name)
{
	return name != NULL && name[0] != '\0' && name[0] != '/' && strstr(name, "..") == NULL && strlen(name) < 200;
}

void
safetensors_index(struct draft *d, const struct val *root, const char *path)
{
	const struct val *map = val_get(root, "weight_map"), *total = val_path(root, "metadata.total_size");
	const char **names = xcalloc(map->map.count + 1, sizeof *names);
	struct reader r = { .d = d };
	struct val *config = read_config(&r, path);
	size_t count = map->map.count, missing = 0, read = 0;

	d->what = "the index, and the headers of the files that it names";
	for (size_t i = 0; i < count; i++) {
		names[i] = val_text(map->map.entries[i].value);
		if (!is_beside(names[i])) {
			draft_fail(d, map->map.entries[i].value->at, "expected the name of a file beside the index");
			names[i] = "";
		}
	}
	qsort(names, count, sizeof *names, by_text);
	for (size_t i = 0; i < count && d->rc == OK; i++) {
		const char *file = beside(d->a, path, "\n", names[i]);
		struct source s;

		if (i > 0 && strcmp(names[i], names[i - 1]) == 0)
			continue;
		if (!is_file(file)) {
			missing++;
		} else if ((d->rc = source_open(&s, file, d->e)) == OK) {
			read_header(&r, &s);
			source_close(&s);
			read++;
		}
	}
	free(names);
	if (d->rc != OK)
		return;
	if (missing > 0) {
		draft_note(d, map->at, NOTE_SHARD_MISSING, NULL);
		r.opaque = true;
	}
	/* With none of the files there, the index still says what they take in all. */
	if (read == 0 && val_is(total, VAL_NUM) && total->number > 0 && total->number <= SIZING_MAX_VALUE)
		draft_weight(d, SIZING_OTHER, r.packed != NULL ? r.packed : index_dtype(config), total->number);
	with_geometry(&r, config, path);
}
