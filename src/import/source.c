#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/file_int.h"

int
source_open(struct source *s, const char *path, struct err *e)
{
	struct place at = { path, 0, 0 };
	struct stat st;

	*s = (struct source){ .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
	if (s->fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP))
		return err_at(e, ERR_INPUT, at, "expected a file: %s", strerror(errno));
	if (s->fd < 0 || fstat(s->fd, &st) != 0)
		return err_errno(e, "cannot read %s", path);
	if (!S_ISREG(st.st_mode))
		return err_at(e, ERR_INPUT, at, "expected a regular file, found a folder, pipe or device");
	s->size = (uint64_t)st.st_size;
	return OK;
}

void
source_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

bool
source_read(const struct source *s, void *out, uint64_t offset, size_t n)
{
	char *p = out;

	if (offset > s->size || n > s->size - offset)
		return false;
	if (s->fd < 0) {
		if (n > 0)
			memcpy(out, s->bytes + offset, n);
		return true;
	}
	while (n > 0) {
		ssize_t got = pread(s->fd, p, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

const char *
beside(struct arena *a, const char *path, const char *suffix, const char *name)
{
	size_t n = strlen(path), m = strlen(suffix);
	const char *slash = strrchr(path, '/');

	if (n >= m && strcmp(path + n - m, suffix) == 0)
		return arena_printf(a, "%.*s%s", (int)(n - m), path, name);
	return arena_printf(a, "%.*s%s", slash != NULL ? (int)(slash - path + 1) : 0, path, name);
}

bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
