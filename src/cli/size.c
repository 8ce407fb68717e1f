#include <string.h>

#include "advise/result.h"
#include "advise/workload.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/size.h"
#include "kb/messages.h"
#include "render/json.h"
#include "render/qval.h"
#include "sizing/engine.h"

static const struct cmd_option options[] = {
	WORKLOAD_OPTIONS,
	{ "engine", 0, "NAME", "what it reserves beside the minimum: vllm, llama.cpp or none" },
	{ "micro-batch", 0, "TOKENS", "of llama.cpp: 512 unless given" },
	{ "tiers", 0, "ID,...", "tiers on which idle KV could live" },
	{ "all", 0, NULL, "in the table also links, ways to serve and what each device sends" },
	{ "explain", 0, NULL, "each result as a formula, with its numbers and their sources" },
	{ "sensitivity", 0, NULL, "which input moves the answer most; what a GB and a GB/s are worth" },
	{ "margin", 0, NULL, "which of KV and weights is larger, over sequences and contexts" },
	{ "format", 'f', "FORMAT", "table (the default) or json (dossier.sizing/1)" },
	{ NULL, 0, NULL, NULL },
};

/* The idle KV on each tier that was named. */
static void
print_tiers(struct cli *cli, const struct workload *w, const struct val *messages, const char *lang)
{
	static const struct render_column columns[] = {
		{ "id", "tier", RENDER_ALIGN_LEFT, false }, { "verdict", "verdict", RENDER_ALIGN_LEFT, true },
		{ "load_seconds", "read back", RENDER_ALIGN_RIGHT, false },
		{ "shared_load_seconds", "with others", RENDER_ALIGN_RIGHT, false },
		{ "recompute_seconds", "recompute", RENDER_ALIGN_RIGHT, false },
		{ "bandwidth_needed", "needs", RENDER_ALIGN_RIGHT, false },
		{ "written_per_day", "written a day", RENDER_ALIGN_RIGHT, false },
		{ "worn_seconds", "worn in", RENDER_ALIGN_RIGHT, false },
		{ "units.needed", "units", RENDER_ALIGN_RIGHT, false }, { "binds", "set by", RENDER_ALIGN_LEFT, false },
	};
	struct arena *a = &cli->arena;
	struct val *rows = val_list(a);

	for (size_t i = 0; i < w->tier_count; i++) {
		const struct sizing_placement *p = &w->out.placements[i];
		struct val *row = val_push(a, rows, val_map(a)), *units = val_map(a);

		val_put(a, row, "id", val_str(a, w->tiers[i].id));
		val_put(a, row, "verdict", val_str(a, messages_get(messages, "placement", sizing_verdict_name(p->verdict))));
		for (size_t c = 2; c < sizeof columns / sizeof *columns - 1; c++) {
			struct quantity q;
			char text[QUANTITY_TEXT];
			bool counts = strncmp(columns[c].key, "units.", 6) == 0;

			if (result_tier_quantity(&q, w, i, columns[c].key))
				val_put(a, counts ? units : row, columns[c].key + (counts ? 6 : 0),
				    val_str(a, quantity_text(text, sizeof text, &q, lang)));
		}
		val_put(a, row, "units", units);
		if (p->units > 0)
			val_put(a, row, "binds", val_str(a, messages_get(messages, "binds", sizing_tier_limit_name(p->binds))));
	}
	if (w->tier_count > 0) {
		buf_puts(&cli->out, "\n");
		render_table(&cli->out, rows, columns, sizeof columns / sizeof *columns, cli->width, false);
	}
}

/*
 * Zero says that there is none, except of accelerators; a replica on one device has no count to tell, and a prompt of
 * which nothing is reused no second time.
 */
static bool
is_shown(const struct cli *cli, const struct workload *w, const char *key, double value)
{
	static const char *const details[] = { "interconnect.", "serving.", "operations_per_token",
		"prefill.tokens_per_second", "prefill.batched_seconds", "decode.tokens_per_second_", "accelerators.by_layout" };
	bool counts = strncmp(key, "accelerators.", 13) == 0;

	if (strcmp(key, "prefill.seconds_reused") == 0 && value == w->out.prefill.seconds)
		return false;
	if ((value == 0 && !counts) || (counts && w->in.device.shared) ||
	    (value == 1 && strncmp(key, "layout.", 7) == 0))
		return false;
	for (size_t i = 0; cli_option(cli, "all") == NULL && i < sizeof details / sizeof *details; i++)
		if (strncmp(key, details[i], strlen(details[i])) == 0)
			return false;
	return true;
}

static void
push_row(struct arena *a, struct val *rows, const char *label, const struct quantity *q, const char *lang)
{
	struct val *row = val_push(a, rows, val_map(a));
	char text[QUANTITY_TEXT];

	val_put(a, row, "label", val_str(a, label));
	val_put(a, row, "value", val_str(a, quantity_text(text, sizeof text, q, lang)));
	val_put(a, row, "kind", val_str(a, quantity_kind_name(q->kind, lang)));
	val_put(a, row, "basis", val_str(a, quantity_kind_name(q->weakest, lang)));
}

/* What the engine reserves beside the minimum, and each rule that separates the two. */
static void
push_reserved(struct arena *a, struct val *rows, const struct val *messages, const struct workload *w, const char *lang)
{
	struct quantity q;

	for (size_t i = 0; result_beside_key(i) != NULL; i++)
		if (result_quantity(&q, w, result_beside_key(i)))
			push_row(a, rows, messages_get(messages, "result", result_beside_key(i)), &q, lang);
	for (int i = 0; i < SIZING_RULES; i++)
		if (result_rule(&q, w, (enum sizing_rule)i))
			push_row(a, rows, messages_get(messages, "rule", q.ref), &q, lang);
}

static int
print_table(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	static const struct render_column columns[] = {
		{ "label", "what", RENDER_ALIGN_LEFT, true }, { "value", "value", RENDER_ALIGN_RIGHT, false },
		{ "kind", "kind", RENDER_ALIGN_LEFT, false }, { "basis", "rests on", RENDER_ALIGN_LEFT, false },
	};
	static const struct render_column ranged[] = {
		{ "label", "what", RENDER_ALIGN_LEFT, true }, { "value", "value", RENDER_ALIGN_RIGHT, false },
		{ "range", "range", RENDER_ALIGN_LEFT, false }, { "basis", "rests on", RENDER_ALIGN_LEFT, false },
	};
	struct arena *a = &cli->arena;
	struct val *messages, *rows = val_list(a);
	const struct sizing_result *r = &w->out;
	int rc = messages_load(&messages, a, lang, e);

	if (rc != OK)
		return rc;
	for (size_t i = 0; result_key(i) != NULL; i++) {
		struct quantity q;

		if (!result_quantity(&q, w, result_key(i)) || !is_shown(cli, w, result_key(i), q.value))
			continue;
		push_row(a, rows, messages_get(messages, "result", result_key(i)), &q, lang);
		val_put(a, rows->list.items[rows->list.count - 1], "range", output_range(a, w, result_key(i), lang));
	}
	push_reserved(a, rows, messages, w, lang);
	buf_printf(&cli->out, "%s, %s\n\n", workload_model_name(w), workload_device_name(w));
	render_table(&cli->out, rows, w->range != NULL ? ranged : columns, 4, cli->width, false);
	print_tiers(cli, w, messages, lang);
	buf_printf(&cli->out, "\n%s (%s)", messages_get(messages, "flag", sizing_term_name(r->capacity)),
	    messages_get(messages, "phase", "capacity"));
	output_time_terms(cli, messages, w);
	if (!r->fits)
		buf_printf(&cli->out, "; %s", messages_get(messages, "note",
		    r->budget.missing > 0 ? "does-not-fit" : "no-layout"));
	if (r->near_crossover)
		buf_printf(&cli->out, "; %s", messages_get(messages, "note", "near-crossover"));
	buf_puts(&cli->out, "\n");
	output_range_notes(cli, messages, w, lang);
	return OK;
}

/* What is printed instead of the table, and put beside the result in JSON. */
static const struct view {
	const char *option;
	int (*print)(struct cli *cli, const struct workload *w, const char *lang, struct err *e);
	int (*json)(struct cli *cli, struct val *root, const struct workload *w, struct err *e);
} views[] = {
	{ "explain", size_explain, size_explain_json },
	{ "sensitivity", size_sensitivity, size_sensitivity_json },
	{ "margin", size_margin, size_margin_json },
};

enum { VIEWS = sizeof views / sizeof *views };

static int
print_json(struct cli *cli, const struct workload *w, struct err *e)
{
	struct val *root = result_json(&cli->arena, w);
	int rc = OK;

	for (int i = 0; rc == OK && i < VIEWS; i++)
		if (cli_option(cli, views[i].option) != NULL)
			rc = views[i].json(cli, root, w, e);
	return rc == OK ? render_json(&cli->out, root, RENDER_JSON_PRETTY, e) : rc;
}

static int
print(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	const char *format = output_tree_format(cli, e);
	bool viewed = false;
	int rc = OK;

	if (format == NULL)
		return e->code;
	if (strcmp(format, "json") == 0)
		return print_json(cli, w, e);
	for (int i = 0; rc == OK && i < VIEWS; i++) {
		if (cli_option(cli, views[i].option) == NULL)
			continue;
		buf_puts(&cli->out, viewed ? "\n" : "");
		rc = views[i].print(cli, w, lang, e);
		viewed = true;
	}
	return rc == OK && !viewed ? print_table(cli, w, lang, e) : rc;
}

static int
run(struct cli *cli, struct err *e)
{
	struct val *given;
	struct workload w;
	struct kb *kb;
	const char *engine = cli_option(cli, "engine");
	int rc = options_read(&given, cli);

	if (rc == OK && cli_option(cli, "micro-batch") != NULL && sizing_engine_find(engine) != SIZING_ENGINE_LLAMA_CPP)
		return err_set(e, ERR_USAGE, "expected --engine llama.cpp beside --micro-batch, found %s",
		    engine != NULL ? engine : "none");
	if (rc == OK)
		rc = cli_kb(&kb, cli, e);
	if (rc == OK)
		rc = workload_from_options(&w, kb, &cli->arena, given, e);
	if (rc == OK && w.starved)
		return err_set(e, ERR_INPUT, "no number of sequences that fits serves so many requests per second; share them over replicas");
	if (rc == OK && !w.sized)
		return err_set(e, ERR_USAGE, "expected --%s, found none", option_missing(&cli->arena, w.missing));
	return rc == OK ? print(cli, &w, cli_lang(cli, NULL), e) : rc;
}

const struct cmd cmd_size = { "size", "", "bytes, accelerators, times and bottlenecks of a workload", options,
	0, 0, run };
