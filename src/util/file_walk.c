#define _XOPEN_SOURCE 700 /* realpath: POSIX has it, glibc hides it without this */

#include "util/file.h"

#include "util/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	WALK_DEPTH = 8,
	WALK_FOLDERS = 10 * 1000,
	WALK_FILES = 100 * 1000,
};

struct found {
	struct file_entry entry;
	dev_t dev;
	ino_t ino;
};

struct walk {
	struct arena *a;
	const char *root;
	const char *suffix;
	char *real_root; /* without links */
	size_t depth_max; /* slashes in a name */
	struct found *files;
	size_t count, cap;
	struct {
		dev_t dev;
		ino_t ino;
	} *seen; /* folders, so that links cannot lead in circles */
	size_t seen_count, seen_cap;
	struct err *e;
};

static int walk_folder(struct walk *w, const char *name);

static const char *
join(struct arena *a, const char *folder, const char *name)
{
	if (*folder == '\0' || *name == '\0')
		return *folder == '\0' ? name : folder;
	return arena_printf(a, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
	    name);
}

static int
fault(const struct walk *w, const char *name, const char *message)
{
	return err_at(w->e, ERR_INPUT, (struct place){ join(w->a, w->root, name), 0, 0 }, "%s",
	    message);
}

/* What a canonical path is called below the root, in the arena; NULL if it lies outside. */
static const char *
name_below_root(const struct walk *w, const char *real)
{
	size_t n = strlen(w->real_root);

	if (strcmp(w->real_root, "/") == 0)
		return arena_strdup(w->a, real + 1);
	if (strncmp(real, w->real_root, n) != 0 || (real[n] != '/' && real[n] != '\0'))
		return NULL;
	return arena_strdup(w->a, real[n] == '/' ? real + n + 1 : "");
}

static bool
ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n > m && strcmp(name + n - m, suffix) == 0;
}

/* Hidden names; backups and lock files of vi and emacs. */
static bool
passed_over(const char *name)
{
	return name[0] == '.' || name[0] == '#' || name[strlen(name) - 1] == '~';
}

static int
add_file(struct walk *w, const char *name, const struct stat *st)
{
	struct found *f;

	if (w->count == WALK_FILES)
		return fault(w, "", "expected at most 100,000 files in a folder");
	if (w->count == w->cap) {
		w->cap = w->cap == 0 ? 64 : w->cap * 2;
		w->files = xreallocarray(w->files, w->cap, sizeof *w->files);
	}
	f = &w->files[w->count++];
	f->entry.path = join(w->a, w->root, name);
	f->entry.name = utf8_nfc(w->a, name, strlen(name), NULL);
	f->entry.size = (long long)st->st_size;
	f->entry.mtime_ns = (long long)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	f->dev = st->st_dev;
	f->ino = st->st_ino;
	return OK;
}

/*
 * What a link leads to, under its own name below the root: *name becomes NULL when it lies
 * outside.
 */
static int
resolve(struct walk *w, const char **name)
{
	char *real = realpath(join(w->a, w->root, *name), NULL);

	if (real == NULL && (errno == ENOENT || errno == ELOOP || errno == ENOTDIR))
		return fault(w, *name, "expected a file, found a link that leads nowhere");
	if (real == NULL)
		return err_errno(w->e, "cannot follow %s", join(w->a, w->root, *name));
	*name = name_below_root(w, real);
	free(real);
	return OK;
}

static int
visit(struct walk *w, const char *folder, const char *base)
{
	const char *name = join(w->a, folder, base);
	bool wanted = ends_in(base, w->suffix);
	struct err ignored = ERR_INIT;
	struct stat st;
	int rc = OK;

	if (lstat(join(w->a, w->root, name), &st) != 0)
		return errno == ENOENT ? OK : err_errno(w->e, "cannot read %s",
		    join(w->a, w->root, name));
	if (S_ISLNK(st.st_mode)) {
		rc = resolve(w, &name);
		if (rc != OK || name == NULL)
			return wanted ? rc : OK;
		if (stat(join(w->a, w->root, name), &st) != 0)
			return OK; /* gone meanwhile */
	}
	if (S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && wanted)) {
		if (utf8_check(name, strlen(name), NULL, &ignored) != OK)
			return fault(w, folder, "expected file names in plain UTF-8 here");
		rc = S_ISDIR(st.st_mode) ? walk_folder(w, name) : add_file(w, name, &st);
	}
	return rc;
}

/* Note the folder; false if it was walked before. */
static bool
is_new(struct walk *w, const struct stat *st)
{
	for (size_t i = 0; i < w->seen_count; i++)
		if (w->seen[i].dev == st->st_dev && w->seen[i].ino == st->st_ino)
			return false;
	if (w->seen_count == w->seen_cap) {
		w->seen_cap = w->seen_cap == 0 ? 16 : w->seen_cap * 2;
		w->seen = xreallocarray(w->seen, w->seen_cap, sizeof *w->seen);
	}
	w->seen[w->seen_count].dev = st->st_dev;
	w->seen[w->seen_count++].ino = st->st_ino;
	return true;
}

static size_t
depth_of(const char *name)
{
	size_t depth = *name != '\0';

	for (; *name != '\0'; name++)
		depth += *name == '/';
	return depth;
}

static int
walk_folder(struct walk *w, const char *name)
{
	const char *path = join(w->a, w->root, name);
	struct dirent *item;
	struct stat st;
	DIR *dir;
	int rc = OK;

	if (depth_of(name) > w->depth_max)
		return fault(w, name, "expected folders at most 8 deep");
	if (w->seen_count == WALK_FOLDERS)
		return fault(w, "", "expected at most 10,000 folders in a folder");
	if (stat(path, &st) != 0)
		return err_errno(w->e, "cannot read the folder %s", path);
	if (!S_ISDIR(st.st_mode))
		return fault(w, name, "expected a folder, found a file");
	dir = opendir(path);
	if (dir == NULL)
		return err_errno(w->e, "cannot read the folder %s", path);
	if (is_new(w, &st)) {
		while (rc == OK && (errno = 0, item = readdir(dir)) != NULL)
			if (!passed_over(item->d_name))
				rc = visit(w, name, item->d_name);
		if (rc == OK && errno != 0)
			rc = err_errno(w->e, "cannot read the folder %s", path);
	}
	closedir(dir);
	return rc;
}

static int
by_file_then_name(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;

	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return strcmp(a->entry.path, b->entry.path);
}

static int
by_name(const void *pa, const void *pb)
{
	const struct file_entry *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order != 0 ? order : strcmp(a->path, b->path);
}

static void
collect(struct walk *w, struct file_list *out)
{
	out->items = arena_alloc(w->a, w->count * sizeof *out->items);
	if (w->count > 1)
		qsort(w->files, w->count, sizeof *w->files, by_file_then_name);
	for (size_t i = 0; i < w->count; i++)
		if (i == 0 || w->files[i].dev != w->files[i - 1].dev ||
		    w->files[i].ino != w->files[i - 1].ino)
			out->items[out->count++] = w->files[i].entry;
	if (out->count > 1)
		qsort(out->items, out->count, sizeof *out->items, by_name);
}

int
file_walk(struct file_list *out, struct arena *a, const char *root, const char *sub,
    const char *suffix, struct err *e)
{
	struct walk w = { .a = a, .root = root, .suffix = suffix, .e = e };
	const char *name = sub;
	struct stat st;
	int rc = OK;

	*out = (struct file_list){ NULL, 0 };
	w.real_root = realpath(root, NULL);
	if (w.real_root == NULL && errno != ENOENT && errno != ENOTDIR)
		return err_errno(e, "cannot read the folder %s", root);
	if (w.real_root == NULL || !file_is_dir(w.real_root)) {
		free(w.real_root);
		return err_at(e, ERR_INPUT, (struct place){ root, 0, 0 },
		    "expected a folder, found none");
	}
	if (lstat(join(a, root, sub), &st) == 0)
		rc = resolve(&w, &name);
	else
		name = NULL;
	if (rc == OK && name != NULL) {
		w.depth_max = depth_of(name) + WALK_DEPTH;
		rc = walk_folder(&w, name);
	}
	if (rc == OK)
		collect(&w, out);
	free(w.seen);
	free(w.files);
	free(w.real_root);
	return rc;
}
