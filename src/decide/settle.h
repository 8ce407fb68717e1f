/* What an earlier decision left half done in a folder. */
#ifndef DECIDE_SETTLE_H
#define DECIDE_SETTLE_H

#include <stdbool.h>

#include "decide/decide.h"
#include "decide/lock.h"
#include "ingest/set.h"

/*
 * Complete it, or take it back, under the lock; a line in `note` for each. `by` and `on` of the request are
 * those of an entry that has to be added. *done: what the request asks for was what had to be completed.
 * `set` is the folder as it is afterwards, in order where OK is returned; the caller releases it either way.
 */
int settle(struct buf *note, bool *done, struct set *set, struct arena *a, struct decide_lock *lock,
    const struct decide_request *request, const char *root, const struct layer *below, struct errs *errs,
    struct err *e);

#endif
