#include "cli/options.h"

#include <string.h>

#include "ingest/walk.h"
#include "sizing/engine.h"

/* The options as fields, so that they are checked as a customer file is. */
const struct field option_fields[] = {
	{ .key = "model", .type = FIELD_RECORD }, { .key = "accelerator", .type = FIELD_RECORD },
	{ .key = "weights", .type = FIELD_DTYPE }, { .key = "kv", .type = FIELD_DTYPE },
	{ .key = "context", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "prompt", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "output", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "concurrency", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "requests_per_second", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE, .dimension = DIM_COUNT },
	{ .key = "sessions", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "reuse", .type = FIELD_QUANTITY, .flags = FIELD_RANGE, .dimension = DIM_RATIO },
	{ .key = "accelerators", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "usable", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "memory_available", .type = FIELD_QUANTITY, .flags = FIELD_RANGE | FIELD_POSITIVE, .dimension = DIM_BYTES },
	{ .key = "ttft", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_SECONDS },
	{ .key = "tpot", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_SECONDS },
	{ .key = "tensors", .type = FIELD_MAP, .sub = field_tensors },
	{ .key = "activations", .type = FIELD_DTYPE },
	{ .key = "lengths", .type = FIELD_MAP, .flags = FIELD_LIST, .sub = field_length },
	{ .key = "layout", .type = FIELD_MAP, .sub = field_layout },
	{ .key = "node", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "prefill_chunk", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "runtime", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES },
	{ .key = "rates", .type = FIELD_CHOICE, .choices = field_rates },
	{ .key = "efficiency", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "bandwidth_efficiency", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "expert_imbalance", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "draft_tokens", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "acceptance", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "draft_cost", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "engine", .type = FIELD_CHOICE, .choices = sizing_engine_names },
	{ .key = "micro_batch", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "tiers", .type = FIELD_RECORD, .flags = FIELD_LIST },
	{ .key = NULL },
};

/* "memory_available" as an option: "memory-available". */
const char *
option_name(struct arena *a, const char *key)
{
	char *name = arena_strdup(a, key);

	for (char *c = name; *c != '\0'; c++)
		if (*c == '_')
			*c = '-';
	return name;
}

const char *
option_missing(struct arena *a, enum input_id missing)
{
	return missing == INPUT_PROMPT ? "context or --prompt" : option_name(a, input_name(missing));
}

/* The next of the parts between commas; false past the last. */
static bool
next_part(const char **text, const char **part, size_t *len)
{
	if (**text == '\0')
		return false;
	*part = *text;
	*len = strcspn(*text, ",");
	*text += *len + ((*text)[*len] == ',');
	return true;
}

static struct val *
list_of(struct arena *a, const char *text, struct place at)
{
	struct val *list = val_list(a);
	const char *part;
	size_t len;

	list->at = at;
	while (next_part(&text, &part, &len))
		val_push(a, list, val_strn(a, part, len))->at = at;
	return list;
}

/* "tensor=8,pipeline=2"; a part without = is a key without a value, which its field refuses. */
static struct val *
map_of(struct arena *a, const char *text, struct place at)
{
	struct val *map = val_map(a);
	const char *part;
	size_t len;

	map->at = at;
	while (next_part(&text, &part, &len)) {
		const char *equals = memchr(part, '=', len);
		size_t key = equals != NULL ? (size_t)(equals - part) : len;
		struct val *value = equals != NULL ? val_strn(a, equals + 1, len - key - 1) : val_null(a);

		val_put(a, map, arena_strndup(a, part, key), value)->at = at;
		map->map.entries[map->map.count - 1].at = at;
	}
	return map;
}

/* "4K=50%,32K=50%": a list of {tokens, share}. */
static struct val *
pairs_of(struct arena *a, const struct field *f, const char *text, struct place at)
{
	struct val *list = val_list(a);
	const char *part;
	size_t len;

	list->at = at;
	while (next_part(&text, &part, &len)) {
		const char *equals = memchr(part, '=', len);
		size_t first = equals != NULL ? (size_t)(equals - part) : len;
		struct val *item = val_push(a, list, val_map(a));

		item->at = at;
		val_put(a, item, f->sub[0].key, val_strn(a, part, first))->at = at;
		if (equals != NULL)
			val_put(a, item, f->sub[1].key, val_strn(a, equals + 1, len - first - 1))->at = at;
	}
	return list;
}

struct val *
option_value(struct arena *a, const struct field *f, const char *text, struct place at)
{
	struct val *v;

	if (f->type == FIELD_MAP)
		return f->flags & FIELD_LIST ? pairs_of(a, f, text, at) : map_of(a, text, at);
	if (f->flags & FIELD_LIST)
		return list_of(a, text, at);
	v = val_str(a, text);
	v->at = at;
	return v;
}

bool
option_exists(const struct cli *cli, const char *name)
{
	for (const struct cmd_option *o = cli->cmd->options; o->name != NULL; o++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

int
options_read(struct val **out, struct cli *cli)
{
	struct walk walk = { .errs = &cli->errs };
	struct arena *a = &cli->arena;
	struct val *map = val_map(a);

	for (const struct field *f = option_fields; f->key != NULL; f++) {
		const char *name = option_name(a, f->key), *text = cli_option(cli, name);
		struct place at = { arena_printf(a, "--%s", name), 0, 0 };

		if (text == NULL)
			continue;
		val_put(a, map, f->key, option_value(a, f, text, at));
	}
	walk_record(&walk, option_fields, map);
	*out = map;
	return cli->errs.count > 0 ? ERR_USAGE : OK;
}
