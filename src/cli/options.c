#include "cli/options.h"

#include <string.h>

#include "ingest/walk.h"

/* The options as fields, so that they are checked as a customer file is. */
const struct field option_fields[] = {
	{ .key = "model", .type = FIELD_RECORD }, { .key = "accelerator", .type = FIELD_RECORD },
	{ .key = "weights", .type = FIELD_DTYPE }, { .key = "kv", .type = FIELD_DTYPE },
	{ .key = "context", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "prompt", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "output", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_TOKENS },
	{ .key = "concurrency", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "requests_per_second", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_COUNT },
	{ .key = "sessions", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "reuse", .type = FIELD_QUANTITY, .dimension = DIM_RATIO },
	{ .key = "accelerators", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE | FIELD_WHOLE, .dimension = DIM_COUNT },
	{ .key = "usable", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_RATIO },
	{ .key = "memory_available", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_BYTES },
	{ .key = "ttft", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_SECONDS },
	{ .key = "tpot", .type = FIELD_QUANTITY, .flags = FIELD_POSITIVE, .dimension = DIM_SECONDS },
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

static struct val *
list_of(struct arena *a, const char *text, struct place at)
{
	struct val *list = val_list(a);

	list->at = at;
	while (*text != '\0') {
		size_t n = strcspn(text, ",");

		val_push(a, list, val_strn(a, text, n))->at = at;
		text += n + (text[n] == ',');
	}
	return list;
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
		if (f->flags & FIELD_LIST)
			val_put(a, map, f->key, list_of(a, text, at));
		else
			val_put(a, map, f->key, val_str(a, text))->at = at;
	}
	walk_record(&walk, option_fields, map);
	*out = map;
	return cli->errs.count > 0 ? ERR_USAGE : OK;
}
