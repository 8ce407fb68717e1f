#include "ledger/ledger_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "yaml/yn.h"

void
ledger_sign_receipt(struct val *receipt, struct arena *a, const struct ledger_entry *entry)
{
	val_put(a, receipt, "entry", val_strf(a, "%" PRId64, entry->seq));
	val_put(a, receipt, "head", val_str(a, entry->hash));
}

static bool
is_hash(const char *text)
{
	return text != NULL && strlen(text) == HASH_HEX && strspn(text, "0123456789abcdef") == HASH_HEX;
}

static bool
is_number(const char *text)
{
	size_t digits = text != NULL ? strspn(text, "0123456789") : 0;

	return digits > 0 && digits < 19 && text[digits] == '\0' && text[0] != '0';
}

int
ledger_read_receipt(struct val **out, struct arena *a, const char *path, struct err *e)
{
	struct place at = { arena_strdup(a, path), 0, 0 };
	const char *format;
	int rc = yn_read(out, a, path, e);

	if (rc != OK)
		return rc;
	format = val_get_text(*out, "format");
	if (format == NULL || strcmp(format, LEDGER_RECEIPT) != 0)
		return err_at(e, ERR_INPUT, at, "expected a receipt, with format: %s", LEDGER_RECEIPT);
	if (!is_number(val_get_text(*out, "entry")))
		return err_at(e, ERR_INPUT, at, "expected entry: NUMBER in a receipt");
	if (!is_hash(val_get_text(*out, "head")))
		return err_at(e, ERR_INPUT, at, "expected head: HASH in a receipt, of %d hexadecimal digits", HASH_HEX);
	return OK;
}

struct search {
	int64_t seq, last;
	const char *head;
	bool found, same;
};

static int
look(const struct ledger_entry *entry, void *context, struct err *e)
{
	struct search *s = context;

	(void)e;
	s->last = entry->seq;
	if (entry->seq == s->seq) {
		s->found = true;
		s->same = strcmp(entry->hash, s->head) == 0;
	}
	return OK;
}

int
ledger_check_receipt(const char **fault, struct ledger *l, struct arena *a,
    const struct val *receipt, struct err *e)
{
	struct search s = {
		.seq = strtoll(val_get_text(receipt, "entry"), NULL, 10), .head = val_get_text(receipt, "head"),
	};
	int rc = l != NULL ? ledger_each(l, NULL, look, &s, e) : OK;

	if (rc != OK)
		return rc;
	*fault = NULL;
	if (!s.found && s.last < s.seq)
		*fault = arena_printf(a, "entry %" PRId64 " was removed: the ledger ends at %" PRId64, s.seq, s.last);
	else if (!s.found)
		*fault = arena_printf(a, "entry %" PRId64 " is missing", s.seq);
	else if (!s.same)
		*fault = arena_printf(a, "entry %" PRId64 " is another one than the receipt was written for", s.seq);
	return *fault == NULL;
}
