#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/audit_ledger.h"
#include "cli/output.h"
#include "drafts/issue.h"
#include "kb/kb.h"
#include "ledger/ledger.h"
#include "render/json.h"

bool
audit_asks_ledger(const struct cli *cli)
{
	return cli_option(cli, "ledger") != NULL || cli_option(cli, "issued") != NULL ||
	    cli_option(cli, "receipt") != NULL;
}

/* ---- the chain ---- */

static void
add_fault(struct arena *a, struct val *rows, const char *place, const char *message)
{
	struct val *row = val_push(a, rows, val_map(a));

	val_put(a, row, "place", val_str(a, place));
	val_put(a, row, "message", val_str(a, message));
}

static void
add_state(struct arena *a, struct val *rows, const char *path, const struct ledger_state *state)
{
	struct stat st;

	if (stat(path, &st) == 0 && (st.st_mode & 077) != 0)
		add_fault(a, rows, path, arena_printf(a,
		    "expected mode 0600, found %04o: it is nobody else's to read", (unsigned)st.st_mode & 07777));
	if (state->unguarded)
		add_fault(a, rows, path, "its tables or its guards against changes are not those of a ledger");
	if (state->broken != 0)
		add_fault(a, rows, arena_printf(a, "%s: entry %" PRId64, path, state->broken), state->fault);
}

static int
add_receipts(struct cli *cli, struct val *rows, struct ledger *l, struct err *e)
{
	struct arena *a = &cli->arena;
	int rc = OK;

	for (size_t i = 0; i < cli->operand_count && rc >= 0; i++) {
		const char *fault;
		struct val *receipt;

		rc = ledger_read_receipt(&receipt, a, cli->operands[i], e);
		if (rc == OK)
			rc = ledger_check_receipt(&fault, l, a, receipt, e);
		if (rc == 0)
			add_fault(a, rows, cli->operands[i], fault);
	}
	return rc < 0 ? rc : OK;
}

static int
print_chain(struct cli *cli, const char *path, const struct ledger_state *state, struct val *rows,
    struct err *e)
{
	static const struct render_column columns[] = {
		{ "place", "place", RENDER_ALIGN_LEFT, false }, { "message", "message", RENDER_ALIGN_LEFT, true },
	};
	const char *format = output_format(cli, e);
	struct val *root = val_map(&cli->arena);

	if (format == NULL)
		return e->code;
	if (strcmp(format, "json") == 0) {
		val_put(&cli->arena, root, "format", val_str(&cli->arena, "dossier.ledger/1"));
		val_put(&cli->arena, root, "entries", val_num(&cli->arena, (double)state->entries));
		val_put(&cli->arena, root, "head", val_str(&cli->arena, state->head.hex));
		val_put(&cli->arena, root, "items", rows);
		return render_json(&cli->out, root, RENDER_JSON_PRETTY, e);
	}
	if (strcmp(format, "table") != 0)
		return output_list(cli, "ledger", rows, columns, 2, e);
	for (size_t i = 0; i < val_count(rows); i++)
		buf_printf(&cli->out, "%s: %s\n", val_get_text(rows->list.items[i], "place"),
		    val_get_text(rows->list.items[i], "message"));
	buf_printf(&cli->out, "%s: %" PRId64 " entr%s, head %s%s\n", path, state->entries,
	    state->entries == 1 ? "y" : "ies", state->head.hex,
	    state->broken != 0 ? " (of those that fit)" : "");
	return OK;
}

static int
verify(struct cli *cli, const char *path, struct err *e)
{
	struct ledger_state state = { .entries = 0 };
	struct val *rows = val_list(&cli->arena);
	struct ledger *l;
	int rc = ledger_open_read(&l, path, e);

	memset(state.head.hex, '0', HASH_HEX);
	if (rc == OK && l != NULL)
		rc = ledger_verify(&state, l, e);
	if (rc == OK) {
		add_state(&cli->arena, rows, path, &state);
		rc = add_receipts(cli, rows, l, e);
	}
	ledger_close(l);
	if (rc == OK)
		rc = print_chain(cli, path, &state, rows, e);
	if (rc == OK && val_count(rows) > 0)
		cli->status = 1;
	return rc;
}

/* ---- what was issued ---- */

/* A list of what was issued is worth as much as the chain. */
static int
note_broken(struct cli *cli, struct ledger *l, struct err *e)
{
	struct ledger_state state;
	int rc = ledger_verify(&state, l, e);

	if (rc != OK || state.broken == 0)
		return rc;
	buf_printf(&cli->note, "dossier: entry %" PRId64 " of the ledger: %s; `dossier audit --ledger` says more\n",
	    state.broken, state.fault);
	cli->status = 1;
	return OK;
}

static int
list_issued(struct cli *cli, const char *path, struct err *e)
{
	static const struct render_column columns[] = {
		{ "entry", "entry", RENDER_ALIGN_RIGHT, false }, { "date", "date", RENDER_ALIGN_LEFT, false },
		{ "to", "to", RENDER_ALIGN_LEFT, true }, { "customer", "customer", RENDER_ALIGN_LEFT, false },
		{ "draft", "draft", RENDER_ALIGN_LEFT, true }, { "state", "state", RENDER_ALIGN_LEFT, false },
		{ "until", "until", RENDER_ALIGN_LEFT, false }, { "why", "why", RENDER_ALIGN_LEFT, true },
	};
	const char *const *layers;
	size_t layer_count = cli_layers(&layers, cli);
	struct issued issued;
	struct ledger *l = NULL;
	struct kb *kb;
	int rc = cli_kb(&kb, cli, e);

	if (rc == OK)
		rc = ledger_open_read(&l, path, e);
	if (rc == OK)
		rc = issued_audit(&issued, l, kb, &cli->arena, layers, layer_count, cli_option(cli, "today"), e);
	if (rc == OK && l != NULL)
		rc = note_broken(cli, l, e);
	ledger_close(l);
	if (rc == OK)
		rc = output_list(cli, "issued", issued.rows, columns, 8, e);
	if (rc == OK && issued.faults > 0)
		cli->status = 1;
	return rc;
}

int
audit_ledger(struct cli *cli, struct err *e)
{
	const char *path = cli_option(cli, "ledger");
	bool issued = cli_option(cli, "issued") != NULL;
	int rc = OK;

	if (issued && cli_option(cli, "receipt") != NULL)
		return err_set(e, ERR_USAGE, "--receipt: expected with --ledger, found with --issued");
	if (cli->operand_count > 0 && cli_option(cli, "receipt") == NULL)
		return err_set(e, ERR_USAGE, "expected --receipt before receipts, found `%.60s`", cli->operands[0]);
	if (path == NULL || path[0] == '\0')
		rc = cli_ledger_path(&path, cli, e);
	if (rc != OK)
		return rc;
	return issued ? list_issued(cli, path, e) : verify(cli, path, e);
}
