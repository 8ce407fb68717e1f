#include <string.h>

#include "advise/advise.h"
#include "advise/result.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "kb/messages.h"
#include "kb/text.h"
#include "render/json.h"
#include "render/qval.h"

static const struct cmd_option options[] = {
	{ "format", 'f', "FORMAT", "table (the default) or json (dossier.advice/1)" },
	{ NULL, 0, NULL, NULL },
};

struct printer {
	struct cli *cli;
	const struct customer *c;
	const struct val *messages;
	const char *lang;
};

/* "10 -> 8", or what it stays at; "" where the measure does not apply. */
static struct val *
change_text(struct printer *p, const struct workload *w, const struct lever_effect *effect,
    enum measure measure)
{
	struct quantity before, after;
	char from[QUANTITY_TEXT], to[QUANTITY_TEXT];

	if (!lever_quantity(&before, &after, w, effect, measure))
		return val_str(&p->cli->arena, "");
	quantity_text(from, sizeof from, &before, p->lang);
	quantity_text(to, sizeof to, &after, p->lang);
	if (strcmp(from, to) == 0)
		return val_str(&p->cli->arena, from);
	return val_strf(&p->cli->arena, "%s -> %s", from, to);
}

static struct val *
change_json(struct printer *p, const struct workload *w, const struct lever_effect *effect,
    enum measure measure)
{
	struct arena *a = &p->cli->arena;
	struct quantity before, after;
	struct val *out;

	if (!lever_quantity(&before, &after, w, effect, measure))
		return val_null(a);
	out = val_map(a);
	val_put(a, out, "before", render_quantity_json(a, &before));
	val_put(a, out, "after", render_quantity_json(a, &after));
	return out;
}

static struct val *
lever_row(struct printer *p, const struct workload *w, const struct advised_lever *lever, bool json)
{
	struct arena *a = &p->cli->arena;
	struct val *row = val_map(a);

	val_put(a, row, "lever", val_str(a, lever->effect->id));
	val_put(a, row, "verdict", val_str(a, verdict_name(lever->verdict)));
	val_put(a, row, "why", val_str(a, messages_get(p->messages, "verdict", verdict_name(lever->verdict))));
	for (int m = 0; m < MEASURES; m++)
		val_put(a, row, measure_name((enum measure)m),
		    json ? change_json(p, w, lever->effect, (enum measure)m)
		         : change_text(p, w, lever->effect, (enum measure)m));
	return row;
}

static struct val *
lever_rows(struct printer *p, const struct advice *advice, bool json)
{
	struct arena *a = &p->cli->arena;
	struct val *rows = val_list(a);

	for (size_t i = 0; i < advice->lever_count; i++)
		val_push(a, rows, lever_row(p, advice->workload, &advice->levers[i], json));
	return rows;
}

static struct val *
advice_json(struct printer *p, const struct advice *advice)
{
	struct arena *a = &p->cli->arena;
	const struct workload *w = advice->workload;
	struct val *out = val_map(a), *focus;

	val_put(a, out, "workload", val_str(a, w->id));
	val_put(a, out, "sized", val_bool(a, w->sized));
	if (!w->sized) {
		val_put(a, out, "missing", val_str(a, input_name(w->missing)));
		return out;
	}
	focus = val_put(a, out, "focus", val_map(a));
	val_put(a, focus, "phase", val_str(a, advice->focus.phase));
	val_put(a, focus, "term", val_str(a, sizing_term_name(advice->focus.term)));
	val_put(a, out, "near_crossover", val_bool(a, advice->near_crossover));
	val_put(a, out, "position", val_str(a, val_get_text(advice->position, "id")));
	val_put(a, out, "sizing", result_json(a, w));
	val_put(a, out, "levers", lever_rows(p, advice, true));
	return out;
}

/* What a stated target asks for beyond the load moves the focus, so it is shown. */
static bool
is_asked(const struct workload *w, enum input_id target, double devices)
{
	return !w->in.device.shared && workload_stated(w, target) && devices > w->out.needed;
}

static void
print_margin(struct printer *p, const struct workload *w)
{
	const char *const keys[] = { w->out.fits ? NULL : "budget.missing",
		w->in.device.shared ? NULL : "accelerators.needed",
		is_asked(w, INPUT_TTFT, w->out.devices_for_ttft) ? "accelerators.for_ttft" : NULL,
		is_asked(w, INPUT_TPOT, w->out.devices_for_tpot) ? "accelerators.for_tpot" : NULL,
		"crossover.whole_sequences", w->in.device.shared ? "budget.free" : "fits.concurrency",
		"kv.idle_bytes" };
	struct quantity q;
	char value[64];

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i] != NULL && result_quantity(&q, w, keys[i]) && q.value > 0)
			buf_printf(&p->cli->out, "%s: %s\n", messages_get(p->messages, "result", keys[i]),
			    quantity_text(value, sizeof value, &q, p->lang));
}

static int
print_advice(struct printer *p, const struct advice *advice, struct err *e)
{
	static const struct render_column served[] = {
		{ "lever", "lever", RENDER_ALIGN_LEFT, false }, { "verdict", "verdict", RENDER_ALIGN_LEFT, false },
		{ "bytes", "bytes", RENDER_ALIGN_RIGHT, false },
		{ "accelerators", "accelerators", RENDER_ALIGN_RIGHT, false },
		{ "sequences", "sequences", RENDER_ALIGN_RIGHT, false },
		{ "step", "decode step", RENDER_ALIGN_RIGHT, false }, { "ttft", "TTFT", RENDER_ALIGN_RIGHT, false },
	}, shared[] = {
		{ "lever", "lever", RENDER_ALIGN_LEFT, false }, { "verdict", "verdict", RENDER_ALIGN_LEFT, false },
		{ "bytes", "bytes", RENDER_ALIGN_RIGHT, false },
		{ "context", "context", RENDER_ALIGN_RIGHT, false },
		{ "step", "decode step", RENDER_ALIGN_RIGHT, false }, { "ttft", "TTFT", RENDER_ALIGN_RIGHT, false },
	};
	const struct workload *w = advice->workload;
	struct buf *out = &p->cli->out;
	const char *focus;

	buf_printf(out, "%s: %s, %s\n", w->id, workload_model_name(w), workload_device_name(w));
	if (!w->sized) {
		buf_printf(out, "%s: %s\n\n", messages_get(p->messages, "note", "not-sized"),
		    messages_get(p->messages, "input", input_name(w->missing)));
		return OK;
	}
	buf_printf(out, "%s", messages_get(p->messages, "flag", sizing_term_name(w->out.capacity)));
	output_time_terms(p->cli, p->messages, w);
	buf_printf(out, "%s%s", advice->near_crossover ? "; " : "",
	    advice->near_crossover ? messages_get(p->messages, "note", "near-crossover") : "");
	buf_printf(out, "%s%s\n", w->out.fits ? "" : "; ",
	    w->out.fits ? "" : messages_get(p->messages, "note", "does-not-fit"));
	print_margin(p, w);
	if (val_get(advice->position, "focus") != NULL &&
	    (p->c->quantitative || strstr(text_in(val_get(advice->position, "focus"), p->lang), "${") == NULL)) {
		if (text_plain(&focus, &p->cli->arena, p->cli->kb, val_get(advice->position, "focus"), p->lang,
		    p->c->archetype_body, NULL, e) != OK)
			return e->code;
		buf_printf(out, "%s\n", focus);
	}
	buf_puts(out, "\n");
	if (w->in.device.shared)
		render_table(out, lever_rows(p, advice, false), shared, sizeof shared / sizeof *shared, p->cli->width, false);
	else
		render_table(out, lever_rows(p, advice, false), served, sizeof served / sizeof *served, p->cli->width, false);
	buf_puts(out, "\n");
	return OK;
}

static int
print_all(struct printer *p, const struct advice *advice, const char *format, struct err *e)
{
	struct arena *a = &p->cli->arena;
	struct val *root = val_map(a), *list;
	int rc = OK;

	if (strcmp(format, "json") != 0) {
		for (size_t i = 0; rc == OK && i < p->c->workload_count; i++)
			rc = print_advice(p, &advice[i], e);
		return rc;
	}
	val_put(a, root, "format", val_str(a, "dossier.advice/1"));
	val_put(a, root, "customer", val_str(a, p->c->id));
	val_put(a, root, "archetype", val_str(a, p->c->archetype));
	list = val_put(a, root, "workloads", val_list(a));
	for (size_t i = 0; i < p->c->workload_count; i++)
		val_push(a, list, advice_json(p, &advice[i]));
	return render_json(&p->cli->out, root, RENDER_JSON_PRETTY, e);
}

static int
run(struct cli *cli, struct err *e)
{
	const char *format = output_tree_format(cli, e);
	struct printer p = { .cli = cli };
	struct val *file, *messages;
	struct customer customer;
	struct advice *advice;
	struct kb *kb;
	int rc = format == NULL ? e->code : cli_kb(&kb, cli, e);

	if (rc == OK)
		rc = read_customer(&file, cli, cli->operands[0], e);
	if (rc == OK)
		rc = customer_read(&customer, kb, &cli->arena, file, e);
	if (rc == OK)
		rc = advise(&advice, kb, &cli->arena, &customer, e);
	if (rc != OK)
		return rc;
	p.c = &customer;
	p.lang = cli_lang(cli, val_get_text(file, "language"));
	rc = messages_load(&messages, &cli->arena, p.lang, e);
	p.messages = messages;
	return rc == OK ? print_all(&p, advice, format, e) : rc;
}

const struct cmd cmd_advise = { "advise", "CUSTOMER.yaml", "what fits this customer's bottleneck and what misreads it",
	options, 1, 1, run };
