/*
 * Decisions about claims: release, quarantine, retract. The only writer of claims/decisions/, and of
 * claims that move between claims/quarantine/ and claims/sourced/.
 *
 * Nothing is decided but what leaves the folder in order: the files are first checked as they would be.
 * Then they are written in this order, each step flushed to disk before the next begins:
 *
 *     1. the entry, into the file of decisions
 *     2. what the claim's file is given (evidence, the hash of the entry), in the folder where it lies
 *     3. the file's move into its folder
 *
 * Whatever cuts this short leaves folder and last decision at odds, which reads as quarantined
 * (ingest/standing.c). The next decision in that folder, about any claim, completes it or takes it back.
 */
#ifndef DECIDE_DECIDE_H
#define DECIDE_DECIDE_H

#include <stddef.h>

#include "ingest/build.h"
#include "ingest/decisions.h"
#include "util/buf.h"
#include "util/err.h"

struct decide_request {
	enum decision_action action;
	const char *id;
	const char *by, *reason; /* one line each, valid UTF-8, NFC */
	const char *on;          /* a date that exists, YYYY-MM-DD */
	const char *const *evidence; /* of a release: findings as source.finding */
	size_t evidence_count;
};

/*
 * Decide about a claim whose file lies below `root`, a folder of records over `below`. What was done goes to
 * `note`, a line each. ERR_INPUT, with the faults in *errs, where the folder would not be in order or
 * the evidence does not carry a release; ERR_SYSTEM where another process decides there and does not end
 * within some seconds, or the disk refuses: then what was written is taken back.
 */
int decide(struct buf *note, const struct decide_request *request, const char *root,
    const struct layer *below, struct errs *errs, struct err *e);

#endif
