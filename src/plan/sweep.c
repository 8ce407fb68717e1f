#include "plan/sweep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/gather.h"

enum { BLOCK = 2048, SLOTS_A_JOB = 4 };

enum slot_state { FREE, TAKEN, FULL };

struct slot { /* one block on its way to the output */
	enum slot_state state;
	struct buf rows;
};

/* What all threads share. The lock is taken twice a block. */
struct shared {
	const struct plan_sweep *sweep;
	pthread_mutex_t lock;
	pthread_cond_t freed, filled;
	struct slot *slots;
	uint64_t slot_count, blocks;
	uint64_t next;      /* the block to take */
	uint64_t done;      /* configurations */
	int running;        /* threads */
	bool stop;
	struct err error;   /* the first of a thread */
	struct plan_tally tally;
};

struct worker {
	pthread_t thread;
	struct shared *shared;
	struct plan_cursor cursor;
	struct plan_test *test;
	struct gather *gather;
	struct plan_tally tally;
	struct err error;
};

/* Size where the cursor is and ask the filter: 1 where the row stays. */
static int
keep(struct worker *w)
{
	struct plan_cursor *c = &w->cursor;

	if (!plan_size(c)) {
		if (w->tally.refused++ == 0)
			w->tally.first_refused = c->at;
		return 0;
	}
	w->tally.sized++;
	return w->test != NULL ? plan_test(w->test, c, &w->error) : 1;
}

static int
run_block(struct worker *w, struct buf *out, uint64_t block)
{
	const struct plan_sweep *s = w->shared->sweep;
	uint64_t from = block * BLOCK, to = from + BLOCK;

	if (to > s->grid->count)
		to = s->grid->count;
	plan_seek(&w->cursor, s->grid, from);
	for (uint64_t i = from; i < to; i++) {
		int kept = keep(w);

		if (kept < 0)
			return kept;
		w->tally.kept += (uint64_t)kept;
		if (kept == 1 && s->gather == PLAN_ALL)
			s->row(s->context, out, &w->cursor, false);
		else if (kept == 1 && s->gather != PLAN_COUNT)
			gather_add(w->gather, &w->cursor);
		if (i + 1 < to)
			plan_next(&w->cursor);
	}
	return OK;
}

/* The slot of the next block, once it is free; NULL at the end. */
static struct slot *
take(struct shared *sh, uint64_t *block)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&sh->lock);
	while (!sh->stop && sh->next < sh->blocks) {
		if (sh->slots[sh->next % sh->slot_count].state == FREE) {
			*block = sh->next++;
			slot = &sh->slots[*block % sh->slot_count];
			slot->state = TAKEN;
			break;
		}
		pthread_cond_wait(&sh->freed, &sh->lock);
	}
	pthread_mutex_unlock(&sh->lock);
	return slot;
}

static void
give(struct worker *w, struct slot *slot, uint64_t block, int rc)
{
	struct shared *sh = w->shared;
	uint64_t count = sh->sweep->grid->count, end = (block + 1) * BLOCK;

	pthread_mutex_lock(&sh->lock);
	slot->state = FULL;
	sh->done += (end < count ? end : count) - block * BLOCK;
	if (rc != OK && !sh->stop) {
		sh->stop = true;
		sh->error = w->error;
		pthread_cond_broadcast(&sh->freed);
	}
	pthread_cond_signal(&sh->filled);
	pthread_mutex_unlock(&sh->lock);
}

static void
add_tally(struct plan_tally *sum, const struct plan_tally *t)
{
	if (t->refused > 0 && (sum->refused == 0 || t->first_refused < sum->first_refused))
		sum->first_refused = t->first_refused;
	sum->sized += t->sized;
	sum->kept += t->kept;
	sum->refused += t->refused;
}

static void *
work(void *argument)
{
	struct worker *w = argument;
	struct shared *sh = w->shared;
	struct slot *slot;
	uint64_t block;

	while ((slot = take(sh, &block)) != NULL)
		give(w, slot, block, run_block(w, &slot->rows, block));
	pthread_mutex_lock(&sh->lock);
	add_tally(&sh->tally, &w->tally);
	sh->running--;
	pthread_cond_signal(&sh->filled);
	pthread_mutex_unlock(&sh->lock);
	return NULL;
}

/* Wait for the next block in order, at most a tenth of a second; with the lock. */
static void
wait_for_block(struct shared *sh)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&sh->filled, &sh->lock, &until);
}

/* The caller's thread: blocks out in their order. */
static int
drain(struct shared *sh, struct err *e)
{
	const struct plan_sweep *s = sh->sweep;
	int rc = OK;

	pthread_mutex_lock(&sh->lock);
	for (uint64_t block = 0; rc == OK && block < sh->blocks && !sh->stop;) {
		struct slot *slot = &sh->slots[block % sh->slot_count];
		uint64_t done = sh->done;

		if (slot->state != FULL) {
			wait_for_block(sh);
		} else {
			pthread_mutex_unlock(&sh->lock);
			if (slot->rows.len > 0)
				rc = s->write(s->context, &slot->rows, e);
			buf_clear(&slot->rows);
			pthread_mutex_lock(&sh->lock);
			slot->state = FREE;
			block++;
			pthread_cond_signal(&sh->freed);
		}
		pthread_mutex_unlock(&sh->lock);
		if (s->progress != NULL)
			s->progress(s->context, done);
		pthread_mutex_lock(&sh->lock);
	}
	sh->stop = true;
	pthread_cond_broadcast(&sh->freed);
	pthread_mutex_unlock(&sh->lock);
	return rc;
}

static int
start(struct worker *workers, struct shared *sh, int *started, struct err *e)
{
	const struct plan_sweep *s = sh->sweep;
	int rc = OK;

	for (*started = 0; rc == OK && *started < s->jobs;) {
		struct worker *w = &workers[*started];

		w->shared = sh;
		if (s->filter != NULL)
			rc = plan_test_open(&w->test, s->filter, e);
		w->gather = gather_open(s);
		if (rc == OK && pthread_create(&w->thread, NULL, work, w) != 0)
			rc = err_errno(e, "cannot start a thread");
		if (rc == OK)
			++*started;
	}
	return rc;
}

int
plan_sweep(struct plan_tally *tally, const struct plan_sweep *sweep, struct err *e)
{
	struct shared sh = { .sweep = sweep, .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER,
		.filled = PTHREAD_COND_INITIALIZER, .error = ERR_INIT };
	struct worker *workers = xcalloc((size_t)sweep->jobs, sizeof *workers);
	struct gather *all = gather_open(sweep);
	int started, rc;

	sh.slot_count = (uint64_t)sweep->jobs * SLOTS_A_JOB;
	sh.slots = xcalloc(sh.slot_count, sizeof *sh.slots);
	for (uint64_t i = 0; i < sh.slot_count; i++)
		sh.slots[i].rows = (struct buf)BUF_INIT;
	sh.blocks = (sweep->grid->count + BLOCK - 1) / BLOCK;
	rc = start(workers, &sh, &started, e);
	if (rc == OK)
		rc = drain(&sh, e);
	pthread_mutex_lock(&sh.lock);
	sh.stop = true;
	pthread_cond_broadcast(&sh.freed);
	pthread_mutex_unlock(&sh.lock);
	for (int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	if (rc == OK && sh.error.code != OK) {
		*e = sh.error;
		rc = e->code;
	}
	for (int i = 0; i < sweep->jobs; i++) {
		if (rc == OK)
			gather_merge(all, workers[i].gather);
		gather_close(workers[i].gather);
		plan_test_close(workers[i].test);
	}
	if (rc == OK)
		rc = gather_write(all, sweep, e);
	*tally = sh.tally;
	if (rc == OK && all != NULL)
		tally->kept = gather_count(all);
	gather_close(all);
	for (uint64_t i = 0; i < sh.slot_count; i++)
		buf_release(&sh.slots[i].rows);
	free(sh.slots);
	free(workers);
	return rc;
}
