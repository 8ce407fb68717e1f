#include <stdio.h>
#include <string.h>

#include "import/dtype.h"
#include "import/file_int.h"

static const struct {
	const char *theirs, *ours;
} TORCH[] = {
	{ "bfloat16", "bf16" }, { "float16", "fp16" }, { "half", "fp16" }, { "float32", "fp32" }, { "float", "fp32" },
	{ "float8_e4m3fn", "fp8" }, { "float8_e5m2", "fp8" }, { "float8", "fp8" }, { "fp8", "fp8" }, { "int8", "int8" },
	{ "bf16", "bf16" }, { "fp16", "fp16" }, { "fp32", "fp32" }, { "fp4", "fp4" }, { "nvfp4", "nvfp4" },
	{ "mxfp4", "mxfp4" }, { "BF16", "bf16" }, { "F16", "fp16" }, { "F32", "fp32" }, { "F8_E4M3", "fp8" },
	{ "F8_E5M2", "fp8" }, { "I8", "int8" },
};

const char *
dtype_of_torch(const char *name)
{
	if (name == NULL)
		return NULL;
	if (strncmp(name, "torch.", 6) == 0)
		name += 6;
	for (size_t i = 0; i < sizeof TORCH / sizeof *TORCH; i++)
		if (strcmp(name, TORCH[i].theirs) == 0)
			return TORCH[i].ours;
	return NULL;
}

/* Methods that say it all by their name; looked for in order, anywhere in it, in small letters. */
static const struct {
	const char *word, *dtype;
} METHODS[] = {
	{ "mixed_precision", NULL }, { "nvfp4", "nvfp4" }, { "mxfp4", "mxfp4" }, { "mxfp8", "mxfp8" }, { "mxfp6", "mxfp6" },
	{ "w4a16", "int4" }, { "w4a8", "int4" }, { "w4afp8", "int4" }, { "int4", "int4" }, { "fp8", "fp8" }, { "float8", "fp8" },
	{ "float-quantized", "fp8" }, { "int8", "int8" }, { "w8a8", "int8" }, { "w8a16", "int8" }, { "eetq", "int8" },
	{ "fp4", "fp4" },
};

static const char *
dtype_of_method(const char *method)
{
	char low[64];
	size_t n = 0;

	if (method == NULL)
		return NULL;
	for (; method[n] != '\0' && n + 1 < sizeof low; n++)
		low[n] = method[n] >= 'A' && method[n] <= 'Z' ? (char)(method[n] - 'A' + 'a') : method[n];
	low[n] = '\0';
	for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
		if (strstr(low, METHODS[i].word) != NULL)
			return METHODS[i].dtype;
	return NULL;
}

static const char *
dtype_of_bits(double bits, bool is_float)
{
	if (bits == 4)
		return is_float ? "fp4" : "int4";
	if (bits == 8)
		return is_float ? "fp8" : "int8";
	return bits == 16 ? "bf16" : NULL;
}

/* The first group of compressed-tensors, or the weights of a map that has them. */
static const struct val *
weights_of(const struct val *quant)
{
	const struct val *groups = val_get(quant, "config_groups"), *w = val_get(quant, "weights");

	if (val_is(groups, VAL_MAP) && groups->map.count > 0)
		w = val_get(groups->map.entries[0].value, "weights");
	return w;
}

static const char *
dtype_of_config(const struct val *quant)
{
	static const char *const keys[] = { "quant_algo", "format", "quant_type", "fmt", "quant_method", NULL };
	const struct val *w = weights_of(quant), *bits = val_get(w, "num_bits");
	const struct val *groups = val_get(quant, "config_groups");
	const char *type = val_get_text(w, "type"), *dtype;

	dtype = val_is(groups, VAL_MAP) && groups->map.count > 0
	    ? dtype_of_method(val_get_text(groups->map.entries[0].value, "format")) : NULL;
	for (int i = 0; dtype == NULL && keys[i] != NULL; i++)
		dtype = dtype_of_method(val_get_text(quant, keys[i]));
	if (dtype == NULL && val_is(bits, VAL_NUM))
		dtype = dtype_of_bits(bits->number, type != NULL && strcmp(type, "float") == 0);
	if (dtype == NULL && val_is(val_get(quant, "load_in_4bit"), VAL_BOOL) && val_get(quant, "load_in_4bit")->boolean)
		dtype = "int4";
	if (dtype == NULL && val_is(val_get(quant, "load_in_8bit"), VAL_BOOL) && val_get(quant, "load_in_8bit")->boolean)
		dtype = "int8";
	bits = val_get(quant, "bits");
	if (dtype == NULL && val_is(bits, VAL_NUM))
		dtype = dtype_of_bits(bits->number, false);
	return dtype;
}

double
quant_bits(const struct config *c)
{
	const struct val *quant = fact(c, FACT_QUANT, NULL), *bits = val_get(quant, "bits");

	if (!val_is(bits, VAL_NUM))
		bits = val_get(weights_of(quant), "num_bits");
	return val_is(bits, VAL_NUM) && bits->number >= 1 && bits->number <= 16 ? bits->number : 0;
}

const char *
quant_dtype(const struct config *c)
{
	const struct val *beside_it = val_get(c->quant, "quantization"), *quant = fact(c, FACT_QUANT, NULL);
	const char *dtype = beside_it != NULL ? dtype_of_config(beside_it) : NULL;

	return dtype != NULL || quant == NULL ? dtype : dtype_of_config(quant);
}

/* ---- which classes stay as they were ---- */

/* A class that is left out in most of its layers is left out. */
static void
find_kept(const struct config *c, const struct val *list, bool kept[SIZING_CLASSES])
{
	double layers[SIZING_CLASSES] = { 0 };
	long last[SIZING_CLASSES];

	memset(last, -1, sizeof last);
	for (size_t i = 0; val_is(list, VAL_LIST) && i < list->list.count; i++) {
		const char *name = val_text(list->list.items[i]);
		int class = name != NULL ? (int)tensor_class_of(name) : -1;
		long layer = name != NULL ? tensor_layer(name) : -1;

		if (class < 0)
			continue;
		if (layer < 0) {
			kept[class] = true;
		} else if (layer != last[class]) {
			layers[class]++;
			last[class] = layer;
		}
	}
	for (int class = 0; class < SIZING_CLASSES; class++) {
		double of = class == SIZING_ATTENTION ? 0 : (double)c->layers;

		/* Blocks that are no mixers have none to leave out. */
		for (size_t i = 0; class == SIZING_ATTENTION && i < c->d->m.group_count; i++)
			if (!c->d->m.groups[i].also_on && (c->d->m.groups[i].heads > 0 || c->d->m.groups[i].state_count > 0))
				of += c->d->m.groups[i].layers;
		if (layers[class] > 0 && 2 * layers[class] >= of)
			kept[class] = true;
		if (layers[class] > 0)
			draft_note(c->d, list->at, NOTE_MIXED_CLASS, sizing_class_name((enum sizing_class)class));
	}
}

/* A map of modules to methods: each class has the dtype that most of its modules have. */
static bool
by_module(const struct config *c, const struct val *map, const char *of[SIZING_CLASSES])
{
	enum { DTYPES = sizeof METHODS / sizeof *METHODS };
	unsigned counts[SIZING_CLASSES][DTYPES] = { { 0 } };
	bool any = false;

	for (size_t i = 0; val_is(map, VAL_MAP) && i < map->map.count; i++) {
		const char *dtype = dtype_of_method(val_get_text(map->map.entries[i].value, "quant_algo"));

		for (size_t k = 0; dtype != NULL && k < DTYPES; k++)
			if (METHODS[k].dtype != NULL && strcmp(METHODS[k].dtype, dtype) == 0) {
				counts[tensor_class_of(map->map.entries[i].key)][k]++;
				any = true;
				break;
			}
	}
	for (int class = 0; class < SIZING_CLASSES; class++) {
		unsigned most = 0;

		for (size_t k = 0; k < DTYPES; k++) {
			if (most > 0 && counts[class][k] > 0)
				draft_note(c->d, map->at, NOTE_MIXED_CLASS, sizing_class_name((enum sizing_class)class));
			if (counts[class][k] > most) {
				most = counts[class][k];
				of[class] = METHODS[k].dtype;
			}
		}
	}
	return any;
}

/* What one group of compressed-tensors makes of the layers it aims at. */
static void
aim(const struct val *group, const char *of[SIZING_CLASSES], const bool kept[SIZING_CLASSES])
{
	const struct val *targets = val_get(group, "targets");
	const struct val *bits = val_path(group, "weights.num_bits");
	const char *type = val_text(val_path(group, "weights.type")), *dtype = dtype_of_method(val_get_text(group, "format"));

	if (dtype == NULL && val_is(bits, VAL_NUM))
		dtype = dtype_of_bits(bits->number, type != NULL && strcmp(type, "float") == 0);
	for (size_t i = 0; dtype != NULL && val_is(targets, VAL_LIST) && i < targets->list.count; i++) {
		const char *target = val_text(targets->list.items[i]);
		bool all = target != NULL && strcmp(target, "Linear") == 0;
		/* A feed-forward by an open pattern is that of experts as well. */
		bool open = target != NULL && (strstr(target, "ffn.*") != NULL || strstr(target, "mlp.*") != NULL);
		int class = target != NULL && !all ? (int)tensor_class_of(target) : -1;

		for (int k = 0; k < SIZING_CLASSES; k++)
			if (!kept[k] && (all || k == class || (open && (k == SIZING_EXPERTS || k == SIZING_SHARED))))
				of[k] = dtype;
	}
}

/* Several groups, each for layers of its own. */
static bool
by_group(const struct val *quant, const char *of[SIZING_CLASSES], const bool kept[SIZING_CLASSES])
{
	const struct val *groups = val_get(quant, "config_groups");

	if (!val_is(groups, VAL_MAP) || groups->map.count < 2)
		return false;
	for (size_t i = 0; i < groups->map.count; i++)
		aim(groups->map.entries[i].value, of, kept);
	return true;
}

static const struct val *
exclusions(const struct val *quant)
{
	static const char *const keys[] = { "modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules", "exclude" };
	const struct val *list = NULL;

	for (size_t i = 0; i < sizeof keys / sizeof *keys && !val_is(list, VAL_LIST); i++)
		list = val_get(quant, keys[i]);
	return list;
}

static void
note_kv(struct config *c, const struct val *quant)
{
	static const char *const keys[] = { "kv_cache_quant_algo", "kv_cache_scheme" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct val *v = val_get(quant, keys[i]);

		if (v != NULL && v->kind != VAL_NULL)
			draft_note(c->d, v->at, NOTE_KV_QUANT, keys[i]);
	}
}

/* The dtype of each class; false where the method gives none. */
static bool
class_dtypes(struct config *c, const struct val *quant, const struct val *inner, const char *plain, const char *of[SIZING_CLASSES])
{
	bool kept[SIZING_CLASSES] = { [SIZING_VOCABULARY] = true, [SIZING_OTHER] = true };
	const char *dtype = dtype_of_config(quant), *experts = dtype_of_torch(val_get_text(c->maps[0], "expert_dtype"));

	for (int class = 0; class < SIZING_CLASSES; class++)
		of[class] = plain;
	if (by_module(c, val_get(quant, "quantized_layers"), of))
		return true;
	if (dtype == NULL && quant != inner)
		dtype = dtype_of_config(inner);
	if (dtype == NULL)
		return false;
	find_kept(c, exclusions(quant), kept);
	if (by_group(quant, of, kept))
		return true;
	for (int class = 0; class < SIZING_CLASSES; class++)
		if (!kept[class])
			of[class] = dtype;
	/*
	 * Experts of a dtype of their own: bare fp4 stands for blocks with a scale of a byte each 32. A copy in another
	 * format of 4 bits keeps the key and not what it says.
	 */
	if (experts != NULL && sizing_dtype_find(dtype)->bits > 6)
		of[SIZING_EXPERTS] = strcmp(experts, "fp4") == 0 ? "mxfp4" : experts;
	return true;
}

void
quant_weights(struct config *c)
{
	const struct val *inner = fact(c, FACT_QUANT, NULL), *quant = val_get(c->quant, "quantization");
	const char *plain = dtype_of_torch(fact_text(c, FACT_DTYPE)), *of[SIZING_CLASSES];
	bool quantised;

	if (quant == NULL)
		quant = inner;
	quantised = val_is(quant, VAL_MAP);
	if (plain == NULL && !quantised) {
		draft_note(c->d, fact_at(c, FACT_DTYPE), NOTE_NO_DTYPE, NULL);
		return;
	}
	if (plain == NULL) {
		draft_note(c->d, c->at, NOTE_PLAIN_DTYPE, fact_key(FACT_DTYPE));
		plain = "bf16";
	}
	for (int class = 0; class < SIZING_CLASSES; class++)
		of[class] = plain;
	if (quantised) {
		note_kv(c, quant);
		if (!class_dtypes(c, quant, inner, plain, of)) {
			draft_note(c->d, quant->at, NOTE_NO_QUANT, quant == inner ? "quantization_config" : "hf_quant_config");
			return;
		}
	}
	for (int class = 0; class < SIZING_CLASSES; class++) {
		double n = sizing_class_parameters(&c->d->m, (enum sizing_class)class, false);

		if (n > 0)
			draft_weight(c->d, (enum sizing_class)class, of[class], n * sizing_dtype_find(of[class])->bits / 8);
	}
	draft_note(c->d, c->at, NOTE_NO_WEIGHTS, NULL);
	draft_checkpoint(c->d, false);
}
