/* The part of `audit` that is about the ledger of issued drafts. */
#ifndef CLI_AUDIT_LEDGER_H
#define CLI_AUDIT_LEDGER_H

#include "cli/cmd.h"

/* Its options, for the table of audit's. */
#define AUDIT_LEDGER_OPTIONS \
	{ "ledger", 0, "[FILE]", "verify the ledger of issued drafts (FILE: that one)" }, \
	{ "receipt", 0, "FILE...", "with --ledger: hold it against these receipts" }, \
	{ "issued", 0, NULL, "what has become of the drafts that were issued" }

/* Does this call of `audit` ask about the ledger? Then audit_ledger answers it. */
bool audit_asks_ledger(const struct cli *cli);
int audit_ledger(struct cli *cli, struct err *e);

#endif
