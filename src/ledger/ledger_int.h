/* The parts of the ledger, for one another and for its tests. */
#ifndef LEDGER_LEDGER_INT_H
#define LEDGER_LEDGER_INT_H

#include "ledger/ledger.h"

struct db;

struct ledger {
	struct db *db;
	char *path;
	bool begun; /* between append and commit */
};

#define LEDGER_FIRST "0000000000000000000000000000000000000000000000000000000000000000"

/* The hash that an entry must have; its own `hash` is not looked at. */
struct hash ledger_hash(const struct ledger_entry *entry);

/*
 * Bring an open database to the last version that a schema text has (parts begin with a line
 * "-- :version N"), one transaction for all. `file` names the text in messages.
 */
int ledger_migrate(struct db *db, const char *schema, const char *file, struct err *e);

/* A fault of the database as one of the ledger's file: "ledger.db: the ledger cannot be written: the disk is full". */
int ledger_fault(const struct ledger *l, const char *what, int rc, struct err *e);

#endif
