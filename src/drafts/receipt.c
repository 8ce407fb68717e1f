#include <inttypes.h>
#include <string.h>

#include "drafts/issue.h"
#include "json/jn.h"
#include "ledger/ledger.h"
#include "util/buf.h"

struct search {
	const struct issued_which *which;
	struct arena *a;
	struct ledger_entry entry; /* the first that was found */
	size_t count;
	int64_t last;
	struct buf all; /* "1 (2026-12-01, to Kim), 4 (...)" */
};

static int
parse_body(struct val **out, struct arena *a, const struct ledger_entry *entry, struct err *e)
{
	return jn_parse(out, a, entry->body, strlen(entry->body), arena_printf(a, "entry %" PRId64, entry->seq), e);
}

/* What cannot be read is not meant, unless by its number: the chain says what is wrong with it. */
static bool
is_meant(const struct issued_which *which, const struct ledger_entry *entry, const struct val *body)
{
	const char *content = val_get_text(body, "content");

	if (which->content == NULL)
		return entry->seq == which->seq;
	return content != NULL && strcmp(content, which->content) == 0;
}

static int
look(const struct ledger_entry *entry, void *context, struct err *e)
{
	struct search *s = context;
	struct err ignored = ERR_INIT;
	struct arena a = ARENA_INIT;
	struct val *body = NULL;

	(void)e;
	s->last = entry->seq;
	if (parse_body(&body, &a, entry, &ignored) != OK)
		body = NULL;
	if (is_meant(s->which, entry, body)) {
		const char *to = val_get_text(body, "to");

		buf_printf(&s->all, "%s%" PRId64 " (%s, to %s)", s->count > 0 ? ", " : "", entry->seq, entry->date,
		    to != NULL ? to : "nobody");
		if (s->count++ == 0)
			s->entry = (struct ledger_entry){ .seq = entry->seq, .hash = arena_strdup(s->a, entry->hash),
				.body = arena_strdup(s->a, entry->body) };
	}
	arena_release(&a);
	return OK;
}

static int
tell_none(const struct search *s, struct err *e)
{
	if (s->which->content != NULL)
		return err_set(e, ERR_INPUT, "expected a draft that was issued, found none of this content: it was "
		    "not issued from this ledger, or was edited since");
	if (s->last == 0)
		return err_set(e, ERR_INPUT, "expected an entry of the ledger, found none: nothing was issued");
	return err_set(e, ERR_INPUT, "expected an entry of the ledger, 1 to %" PRId64 ", found %" PRId64, s->last,
	    s->which->seq);
}

/* A receipt vouches for all entries up to its own. */
static int
check_chain(struct ledger *l, int64_t seq, struct err *e)
{
	struct ledger_state state;
	int rc = ledger_verify(&state, l, e);

	if (rc == OK && state.broken != 0 && state.broken <= seq)
		return err_set(e, ERR_INPUT, "entry %" PRId64 " of the ledger does not fit: %s; no receipt is written for "
		    "entry %" PRId64, state.broken, state.fault, seq);
	return rc;
}

int
issued_receipt(struct val **out, struct ledger *l, struct arena *a, const struct issued_which *which, struct err *e)
{
	struct search s = { .which = which, .a = a, .all = BUF_INIT };
	const char *format;
	struct val *body;
	int rc = l != NULL ? ledger_each(l, "issue", look, &s, e) : OK;

	if (rc == OK && s.count == 0)
		rc = tell_none(&s, e);
	if (rc == OK && s.count > 1)
		rc = err_set(e, ERR_INPUT, "expected a draft that was issued once, found entries %.300s: give a number", s.all.s);
	buf_release(&s.all);
	if (rc == OK)
		rc = check_chain(l, s.entry.seq, e);
	if (rc == OK)
		rc = parse_body(&body, a, &s.entry, e);
	if (rc != OK)
		return rc;
	format = val_get_text(body, "format");
	if (format == NULL || strcmp(format, ISSUE_FORMAT) != 0)
		return err_set(e, ERR_INPUT, "expected an entry of %s, found another: a newer dossier wrote it", ISSUE_FORMAT);
	*out = issue_receipt(body, a);
	ledger_sign_receipt(*out, a, &s.entry);
	return OK;
}
