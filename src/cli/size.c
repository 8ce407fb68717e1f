#include <string.h>

#include "advise/result.h"
#include "advise/workload.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "ingest/walk.h"
#include "kb/messages.h"
#include "render/json.h"
#include "render/qval.h"

static const struct cmd_option options[] = {
	{ "model", 'm', "ID", "model profile (dossier list models)" },
	{ "accelerator", 'a', "ID", "accelerator (dossier list accelerators)" },
	{ "weights", 0, "DTYPE", "precision of the weights: bf16, fp8, nvfp4, int8, q4_0, ..." },
	{ "kv", 0, "DTYPE", "precision of the KV cache; it does not follow from the weights" },
	{ "context", 'c', "TOKENS", "tokens a sequence keeps: 128K is 131,072" },
	{ "prompt", 0, "TOKENS", "instead of --context, with --output" },
	{ "output", 0, "TOKENS", "tokens of an answer" },
	{ "concurrency", 'n', "COUNT", "sequences in decode at once" },
	{ "requests-per-second", 0, "RATE", "instead of --concurrency" },
	{ "sessions", 0, "COUNT", "conversations whose KV is worth keeping" },
	{ "reuse", 0, "SHARE", "share of prompt tokens seen before: 40 %" },
	{ "accelerators", 0, "COUNT", "what there is; left out: how many it takes" },
	{ "usable", 0, "SHARE", "share of device memory that is usable: 90 % unless given" },
	{ "memory-available", 0, "BYTES", "room there is, where memory is shared with a system" },
	{ "ttft", 0, "TIME", "target for the time to first token" },
	{ "tpot", 0, "TIME", "target for the time per output token" },
	{ "tiers", 0, "ID,...", "tiers on which idle KV could live" },
	{ "format", 'f', "FORMAT", "table (the default) or json (dossier.sizing/1)" },
	{ NULL, 0, NULL, NULL },
};

/* The options as fields, so that they are checked as a customer file is. */
static const struct field fields[] = {
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
static const char *
option_of(struct arena *a, const char *key)
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

static int
read_options(struct val **out, struct cli *cli)
{
	struct walk walk = { .errs = &cli->errs };
	struct arena *a = &cli->arena;
	struct val *map = val_map(a);

	for (const struct field *f = fields; f->key != NULL; f++) {
		const char *name = option_of(a, f->key), *text = cli_option(cli, name);
		struct place at = { arena_printf(a, "--%s", name), 0, 0 };

		if (text == NULL)
			continue;
		if (f->flags & FIELD_LIST)
			val_put(a, map, f->key, list_of(a, text, at));
		else
			val_put(a, map, f->key, val_str(a, text))->at = at;
	}
	walk_record(&walk, fields, map);
	*out = map;
	return cli->errs.count > 0 ? ERR_USAGE : OK;
}

static int
print_table(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	static const struct render_column columns[] = {
		{ "label", "what", RENDER_ALIGN_LEFT, true }, { "value", "value", RENDER_ALIGN_RIGHT, false },
		{ "kind", "kind", RENDER_ALIGN_LEFT, false }, { "basis", "rests on", RENDER_ALIGN_LEFT, false },
	};
	struct arena *a = &cli->arena;
	struct val *messages, *rows = val_list(a);
	const struct sizing_result *r = &w->out;
	int rc = messages_load(&messages, a, lang, e);

	if (rc != OK)
		return rc;
	for (size_t i = 0; result_key(i) != NULL; i++) {
		struct quantity q;
		struct val *row;
		char text[96];

		if (!result_quantity(&q, w, result_key(i)) || (q.value == 0 && strncmp(result_key(i), "accel", 5) != 0) ||
		    (r->needed == 1 && w->in.device.shared && strncmp(result_key(i), "accel", 5) == 0))
			continue;
		row = val_push(a, rows, val_map(a));
		val_put(a, row, "label", val_str(a, messages_get(messages, "result", result_key(i))));
		val_put(a, row, "value", val_str(a, quantity_text(text, sizeof text, &q, lang)));
		val_put(a, row, "kind", val_str(a, quantity_kind_name(q.kind, lang)));
		val_put(a, row, "basis", val_str(a, quantity_kind_name(q.weakest, lang)));
	}
	buf_printf(&cli->out, "%s, %s\n\n", workload_model_name(w), workload_device_name(w));
	render_table(&cli->out, rows, columns, 4, cli->width, false);
	buf_printf(&cli->out, "\n%s (%s)", messages_get(messages, "flag", sizing_term_name(r->capacity)),
	    messages_get(messages, "phase", "capacity"));
	output_time_terms(cli, messages, w);
	if (!r->fits)
		buf_printf(&cli->out, "; %s", messages_get(messages, "note", "does-not-fit"));
	if (r->near_crossover)
		buf_printf(&cli->out, "; %s", messages_get(messages, "note", "near-crossover"));
	buf_puts(&cli->out, "\n");
	return OK;
}

static int
print(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	const char *format = output_tree_format(cli, e);

	if (format == NULL)
		return e->code;
	if (strcmp(format, "json") == 0)
		return render_json(&cli->out, result_json(&cli->arena, w), RENDER_JSON_PRETTY, e);
	return print_table(cli, w, lang, e);
}

static int
run(struct cli *cli, struct err *e)
{
	struct val *given;
	struct workload w;
	struct kb *kb;
	int rc = read_options(&given, cli);

	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = workload_from_options(&w, kb, &cli->arena, given, e);
	if (rc == OK && w.starved)
		return err_set(e, ERR_INPUT, "no number of sequences that fits serves so many requests per second");
	if (rc == OK && !w.sized)
		return err_set(e, ERR_USAGE, "expected --%s, found none",
		    option_of(&cli->arena, input_name(w.missing)));
	return rc == OK ? print(cli, &w, cli_lang(cli, NULL), e) : rc;
}

const struct cmd cmd_size = { "size", "", "bytes, accelerators, times and bottlenecks of a workload", options,
	0, 0, run };
