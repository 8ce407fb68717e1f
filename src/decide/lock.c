#include "decide/lock.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/file.h"

enum { WAIT_MS = 8000, STEP_MS = 20, NOTE_BYTES = 1024 };

/* "ID or -, newline, holder, newline": the first line that is there, without its end. */
static const char *
read_line(struct arena *a, int fd, int number)
{
	char text[NOTE_BYTES + 1];
	ssize_t n = pread(fd, text, NOTE_BYTES, 0);
	char *line = text;

	text[n > 0 ? n : 0] = '\0';
	for (; number > 0; number--) {
		line = strchr(line, '\n');
		if (line == NULL)
			return "";
		line++;
	}
	line[strcspn(line, "\n")] = '\0';
	return arena_strdup(a, line);
}

static int
write_note(struct decide_lock *lock, struct err *e)
{
	char text[NOTE_BYTES];
	int n = snprintf(text, sizeof text, "%s\n%s\n", lock->begun != NULL ? lock->begun : "-", lock->holder);
	size_t len = n < (int)sizeof text ? (size_t)n : sizeof text - 1;

	/* Cut after it was written: at no time is there nothing. */
	if (pwrite(lock->fd, text, len, 0) != (ssize_t)len || ftruncate(lock->fd, (off_t)len) != 0 ||
	    fsync(lock->fd) != 0)
		return err_errno(e, "cannot write %s", lock->path);
	return OK;
}

/* Whoever ends takes the file away: a lock on one that is gone is none. */
static bool
is_current(const struct decide_lock *lock)
{
	struct stat here, there;

	return fstat(lock->fd, &here) == 0 && stat(lock->path, &there) == 0 && here.st_ino == there.st_ino &&
	    here.st_dev == there.st_dev;
}

static int
open_file(struct decide_lock *lock, struct err *e)
{
	lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	return lock->fd >= 0 ? OK : err_errno(e, "cannot decide here: %s", lock->path);
}

int
decide_lock(struct decide_lock *out, struct arena *a, const char *root, const char *by, struct err *e)
{
	const struct timespec step = { 0, STEP_MS * 1000000L };
	int rc;

	*out = (struct decide_lock){ .fd = -1, .path = arena_printf(a, "%s/claims/decisions/.lock", root),
		.holder = arena_printf(a, "process %ld, %s", (long)getpid(), by) };
	rc = file_make_shared_parents(out->path, e);
	if (rc == OK)
		rc = open_file(out, e);
	for (int waited = 0; rc == OK; waited += STEP_MS) {
		if (flock(out->fd, LOCK_EX | LOCK_NB) == 0) {
			if (is_current(out))
				break;
			close(out->fd);
			rc = open_file(out, e);
			continue;
		}
		if (errno != EWOULDBLOCK && errno != EINTR)
			rc = err_errno(e, "cannot lock %s", out->path);
		else if (waited >= WAIT_MS)
			rc = err_set(e, ERR_SYSTEM, "somebody else decides here: %s (%s)", read_line(a, out->fd, 1),
			    out->path);
		else
			nanosleep(&step, NULL);
	}
	if (rc == OK) {
		const char *begun = read_line(a, out->fd, 0);

		out->begun = begun[0] != '\0' && strcmp(begun, "-") != 0 ? begun : NULL;
		rc = write_note(out, e);
		if (rc != OK)
			decide_unlock(out);
	} else if (out->fd >= 0) {
		close(out->fd);
		out->fd = -1;
	}
	return rc;
}

int
decide_lock_begin(struct decide_lock *lock, const char *id, struct err *e)
{
	const char *before = lock->begun;
	int rc;

	lock->begun = id;
	rc = write_note(lock, e);
	if (rc != OK)
		lock->begun = before;
	return rc;
}

void
decide_unlock(struct decide_lock *lock)
{
	if (lock->fd < 0)
		return;
	if (lock->begun == NULL)
		unlink(lock->path);
	close(lock->fd);
	lock->fd = -1;
}
