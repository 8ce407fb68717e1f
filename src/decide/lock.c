#include "decide/lock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/file.h"

enum { WAIT_MS = 8000, NOTE_BYTES = 1024 };

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
	if (pwrite(lock->lock.fd, text, len, 0) != (ssize_t)len || ftruncate(lock->lock.fd, (off_t)len) != 0 ||
	    fsync(lock->lock.fd) != 0)
		return err_errno(e, "cannot write %s", lock->lock.path);
	return OK;
}

int
decide_lock(struct decide_lock *out, struct arena *a, const char *root, const char *by, struct err *e)
{
	const char *path = arena_printf(a, "%s/claims/decisions/.lock", root), *begun;
	int rc = file_make_shared_parents(path, e);

	*out = (struct decide_lock){ .lock.fd = -1, .holder = arena_printf(a, "process %ld, %s", (long)getpid(), by) };
	if (rc == OK)
		rc = lock_take(&out->lock, path, WAIT_MS, e);
	if (rc == 1) {
		rc = err_set(e, ERR_SYSTEM, "somebody else decides here: %s (%s)", read_line(a, out->lock.fd, 1), path);
		lock_end(&out->lock, true);
	} else if (rc == OK && access(path, W_OK) != 0) { /* another user's, who may have begun something */
		rc = err_errno(e, "cannot decide here: %s", path);
		lock_end(&out->lock, true);
	}
	if (rc != OK)
		return rc;
	begun = read_line(a, out->lock.fd, 0);
	out->begun = begun[0] != '\0' && strcmp(begun, "-") != 0 ? begun : NULL;
	rc = write_note(out, e);
	if (rc != OK)
		decide_unlock(out);
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
	lock_end(&lock->lock, lock->begun != NULL);
}
