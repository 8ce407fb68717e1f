#include "advise/explain.h"
#include "cli/size.h"
#include "kb/messages.h"

/* What is nothing is not explained: no index, no state. A count of zero is an answer. */
static bool
is_shown(const struct explanation *x)
{
	return x->result.value != 0;
}

int
size_explain(struct cli *cli, const struct workload *w, const char *lang, struct err *e)
{
	struct explain_style style = { .a = &cli->arena, .lang = lang, .width = cli->width };
	struct val *messages;
	struct explanation x;
	const char *key;
	int rc = messages_load(&messages, &cli->arena, lang, e);

	if (rc != OK)
		return rc;
	style.messages = messages;
	buf_printf(&cli->out, "%s, %s\n", workload_model_name(w), workload_device_name(w));
	for (size_t i = 0; (key = explain_key(&cli->arena, w, i)) != NULL; i++) {
		if (!explain(&x, &cli->arena, w, key) || !is_shown(&x))
			continue;
		buf_putc(&cli->out, '\n');
		explain_print(&cli->out, &style, &x);
	}
	return OK;
}

int
size_explain_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e)
{
	struct val *messages, *list;
	struct explanation x;
	const char *key;
	int rc = messages_load(&messages, &cli->arena, "en", e);

	if (rc != OK)
		return rc;
	list = val_put(&cli->arena, root, "explanations", val_list(&cli->arena));
	for (size_t i = 0; (key = explain_key(&cli->arena, w, i)) != NULL; i++)
		if (explain(&x, &cli->arena, w, key) && is_shown(&x))
			val_push(&cli->arena, list, explain_json(&cli->arena, &x, messages));
	return OK;
}
