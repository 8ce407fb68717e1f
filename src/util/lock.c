#include "util/lock.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/buf.h"

enum { STEP_MS = 20 };

/* Whoever ends takes the file away: a lock on one that is gone is none. */
static bool
is_current(const struct lock *lock)
{
	struct stat here, there;

	return fstat(lock->fd, &here) == 0 && stat(lock->path, &there) == 0 && here.st_ino == there.st_ino &&
	    here.st_dev == there.st_dev;
}

/* One that another user's process left behind cannot be written, but locked all the same. */
static int
open_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644);

	return fd < 0 && errno == EACCES && access(path, F_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : fd;
}

/* Try once: OK, 1 where another holds it. */
static int
try_once(struct lock *lock, struct err *e)
{
	for (;;) {
		if (lock->fd < 0)
			lock->fd = open_file(lock->path);
		if (lock->fd < 0)
			return err_errno(e, "cannot open %s", lock->path);
		if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0)
			return errno == EWOULDBLOCK || errno == EINTR ? 1 : err_errno(e, "cannot lock %s", lock->path);
		if (is_current(lock))
			return OK;
		close(lock->fd);
		lock->fd = -1;
	}
}

int
lock_take(struct lock *out, const char *path, int wait_ms, struct err *e)
{
	const struct timespec step = { 0, STEP_MS * 1000000L };
	int rc;

	*out = (struct lock){ .fd = -1, .path = xstrdup(path) };
	rc = try_once(out, e);
	for (int waited = 0; rc == 1 && waited < wait_ms; waited += STEP_MS) {
		nanosleep(&step, NULL);
		rc = try_once(out, e);
	}
	out->held = rc == OK;
	if (rc < 0)
		lock_end(out, true);
	return rc;
}

void
lock_end(struct lock *lock, bool keep)
{
	if (lock->held && !keep)
		unlink(lock->path);
	if (lock->fd >= 0)
		close(lock->fd);
	free(lock->path);
	*lock = (struct lock){ .fd = -1 };
}
