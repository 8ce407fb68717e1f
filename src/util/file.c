#define _XOPEN_SOURCE 700 /* realpath: POSIX has it, glibc hides it without this */

#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	READ_BYTES = 64 * 1024,
	TEMP_TRIES = 100,
};

/* A file that is not there, or is no file, is the user's mistake; the rest is the system's. */
static int
open_fault(const char *path, struct err *e)
{
	struct place at = { path, 0, 0 };

	if (errno == ENOENT || errno == ENOTDIR)
		return err_at(e, ERR_INPUT, at, "expected a file, found none");
	if (errno == ENAMETOOLONG || errno == ELOOP)
		return err_at(e, ERR_INPUT, at, "expected a file: %s", strerror(errno));
	return err_errno(e, "cannot read %s", path);
}

static int
read_all(struct buf *out, int fd, const char *path, size_t most, struct err *e)
{
	size_t before = out->len;
	int rc = OK;

	for (;;) {
		ssize_t n;

		buf_reserve(out, READ_BYTES);
		n = read(fd, out->s + out->len, out->cap - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(e, "cannot read %s", path);
		if (n <= 0)
			break;
		out->len += (size_t)n;
		if (out->len - before > most) {
			rc = err_at(e, ERR_INPUT, (struct place){ path, 0, 0 },
			    "expected at most %zu MiB, found more", most / (1024 * 1024));
			break;
		}
	}
	out->s[out->len] = '\0';
	return rc;
}

int
file_read(struct buf *out, const char *path, struct err *e)
{
	return file_read_most(out, path, FILE_MAX_BYTES, e);
}

int
file_read_most(struct buf *out, const char *path, size_t most, struct err *e)
{
	struct stat st;
	int fd, rc;

	if (strcmp(path, "-") == 0)
		return read_all(out, STDIN_FILENO, "standard input", most, e);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return open_fault(path, e);
	if (fstat(fd, &st) != 0)
		rc = err_errno(e, "cannot read %s", path);
	else if (S_ISDIR(st.st_mode))
		rc = err_at(e, ERR_INPUT, (struct place){ path, 0, 0 },
		    "expected a file, found a folder");
	else if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		rc = err_at(e, ERR_INPUT, (struct place){ path, 0, 0 },
		    "expected a file, found a device or socket");
	else {
		if (st.st_size > 0 && (uintmax_t)st.st_size <= most) /* the size is a hint: the file may grow meanwhile */
			buf_reserve(out, (size_t)st.st_size + READ_BYTES);
		rc = read_all(out, fd, path, most, e);
	}
	close(fd);
	return rc;
}

static int
write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* The folder of a path, with its slash; empty for one without. The caller frees. */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = xstrdup(path);

	folder[slash == NULL ? 0 : slash - path + 1] = '\0';
	return folder;
}

/*
 * A new file in the folder, under the name if there is one. Its own name has the process in it, for writers beside this one, and is
 * hidden, so that file_walk does not see it. A leftover of an earlier process of the
 * same number costs one more try. Returns the descriptor, or -1 with errno set.
 */
static int
open_temp(struct buf *name, const char *folder, int mode)
{
	if (name->len > 0) { /* given: what a killed process left under it is nobody's */
		unlink(name->s);
		return open(name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
	}
	for (int i = 0; i < TEMP_TRIES; i++) {
		int fd;

		buf_clear(name);
		buf_printf(name, "%s.dossier-%ld-%d.tmp", folder, (long)getpid(), i);
		fd = open(name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Make the rename itself durable. Some file systems cannot, and say EINVAL. */
static int
sync_folder(const char *folder)
{
	int fd = open(*folder == '\0' ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return errno == EACCES ? 0 : -1; /* a folder one may write to but not list */
	rc = fsync(fd);
	if (rc != 0 && (errno == EINVAL || errno == ENOTSUP))
		rc = 0;
	close(fd);
	return rc;
}

/* As open(2) has it: an old file keeps its mode, `mode` is for a new one. Takes `path` over. */
static int
stage_regular(struct file_staged *out, char *path, const char *through, const struct stat *old, int mode, struct err *e)
{
	char *folder = folder_of(path);
	struct buf temp = BUF_INIT;
	int fd, rc = OK;

	if (through != NULL)
		buf_puts(&temp, through);
	fd = open_temp(&temp, folder, old != NULL ? 0600 : mode);
	free(folder);
	if (fd < 0) {
		rc = err_errno(e, "cannot write %s", path);
	} else {
		if (write_all(fd, out->bytes, out->len) != 0 ||
		    (old != NULL && fchmod(fd, old->st_mode & 07777) != 0) || fsync(fd) != 0)
			rc = err_errno(e, "cannot write %s", path);
		if (close(fd) != 0 && rc == OK)
			rc = err_errno(e, "cannot write %s", path);
		if (rc != OK)
			unlink(temp.s);
	}
	if (rc != OK) {
		buf_release(&temp);
		free(path);
		return rc;
	}
	out->path = path;
	out->temp = buf_detach(&temp);
	return OK;
}

/* A device or pipe is written to, not replaced: /dev/null stays what it is. */
static int
write_special(const char *path, const void *bytes, size_t len, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int rc = OK;

	if (fd < 0)
		return err_errno(e, "cannot write %s", path);
	if (write_all(fd, bytes, len) != 0)
		rc = err_errno(e, "cannot write %s", path);
	if (close(fd) != 0 && rc == OK)
		rc = err_errno(e, "cannot write %s", path);
	return rc;
}

static int
write_stdout(const void *bytes, size_t len, struct err *e)
{
	/* Through stdio, so that what was printed before stays before. */
	if (fwrite(bytes, 1, len, stdout) != len || fflush(stdout) != 0)
		return err_errno(e, "cannot write standard output");
	return OK;
}

static int
stage(struct file_staged *out, const char *path, const char *through, const void *bytes, size_t len, int mode,
    struct err *e)
{
	struct stat st;
	char *real;

	*out = (struct file_staged){ .bytes = bytes, .len = len };
	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))) {
		out->path = xstrdup(path);
		return OK;
	}
	if (stat(path, &st) != 0)
		return stage_regular(out, xstrdup(path), through, NULL, mode, e);
	if (S_ISDIR(st.st_mode))
		return err_at(e, ERR_INPUT, (struct place){ path, 0, 0 },
		    "expected a file to write, found a folder");
	/* Behind a symbolic link, what it leads to is replaced, not the link. */
	real = realpath(path, NULL);
	if (real == NULL)
		return err_errno(e, "cannot write %s", path);
	return stage_regular(out, real, through, &st, mode, e);
}

int
file_stage(struct file_staged *out, const char *path, const void *bytes, size_t len, int mode,
    struct err *e)
{
	return stage(out, path, NULL, bytes, len, mode, e);
}

static int
rename_staged(const struct file_staged *staged, struct err *e)
{
	char *folder = folder_of(staged->path);
	int rc = OK;

	if (rename(staged->temp, staged->path) != 0) {
		rc = err_errno(e, "cannot replace %s", staged->path);
		unlink(staged->temp);
	} else if (sync_folder(folder) != 0) {
		rc = err_errno(e, "cannot flush the folder of %s", staged->path);
	}
	free(folder);
	return rc;
}

int
file_publish(struct file_staged *staged, struct err *e)
{
	int rc;

	if (staged->temp != NULL)
		rc = rename_staged(staged, e);
	else if (strcmp(staged->path, "-") == 0)
		rc = write_stdout(staged->bytes, staged->len, e);
	else
		rc = write_special(staged->path, staged->bytes, staged->len, e);
	free(staged->temp);
	staged->temp = NULL;
	file_discard(staged);
	return rc;
}

void
file_discard(struct file_staged *staged)
{
	if (staged->temp != NULL)
		unlink(staged->temp);
	free(staged->temp);
	free(staged->path);
	*staged = (struct file_staged){ 0 };
}

int
file_replace(const char *path, const void *bytes, size_t len, int mode, struct err *e)
{
	struct file_staged staged;
	int rc = file_stage(&staged, path, bytes, len, mode, e);

	return rc == OK ? file_publish(&staged, e) : rc;
}

int
file_replace_through(const char *through, const char *path, const void *bytes, size_t len, int mode, struct err *e)
{
	struct file_staged staged;
	int rc = stage(&staged, path, through, bytes, len, mode, e);

	return rc == OK ? file_publish(&staged, e) : rc;
}

bool
file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
look_at(struct stat *st, const char *path)
{
	return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(path, st)) == 0;
}

bool
file_is_same(const char *a, const char *b)
{
	struct stat one, other;

	return look_at(&one, a) && look_at(&other, b) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static int
make_parents(const char *path, mode_t mode, struct err *e)
{
	char *folder = folder_of(path);
	int rc = OK;

	for (char *p = folder; rc == OK && *p != '\0'; p++) {
		if (*p != '/' || p == folder)
			continue;
		*p = '\0';
		if (mkdir(folder, mode) != 0 && !(errno == EEXIST && file_is_dir(folder)))
			rc = err_errno(e, "cannot make the folder %s", folder);
		*p = '/';
	}
	free(folder);
	return rc;
}

int
file_make_parents(const char *path, struct err *e)
{
	return make_parents(path, 0700, e);
}

int
file_make_shared_parents(const char *path, struct err *e)
{
	return make_parents(path, 0777, e);
}

static int
sync_folder_of(const char *path, struct err *e)
{
	char *folder = folder_of(path);
	int rc = sync_folder(folder) == 0 ? OK : err_errno(e, "cannot flush the folder of %s", path);

	free(folder);
	return rc;
}

int
file_rename(const char *from, const char *to, struct err *e)
{
	int rc = file_make_shared_parents(to, e);

	if (rc != OK)
		return rc;
	if (access(to, F_OK) == 0)
		return err_at(e, ERR_INPUT, (struct place){ to, 0, 0 }, "expected no file, found one");
	if (rename(from, to) != 0)
		return err_errno(e, "cannot rename %s to %s", from, to);
	rc = sync_folder_of(to, e);
	return rc == OK ? sync_folder_of(from, e) : rc;
}

int
file_move_over(const char *from, const char *to, struct err *e)
{
	return rename(from, to) == 0 ? sync_folder_of(to, e) : err_errno(e, "cannot rename %s to %s", from, to);
}
