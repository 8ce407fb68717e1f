/*
 * Files: reading with a limit, walking a folder in one order, and replacing a file so
 * that a reader sees the old one or the new one and nothing between.
 */
#ifndef UTIL_FILE_H
#define UTIL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"

enum { FILE_MAX_BYTES = 64 * 1024 * 1024 };

/*
 * The whole of a regular file (or a pipe), or of standard input for "-", appended to
 * `out`. More than FILE_MAX_BYTES is ERR_INPUT; a missing file too; what the system
 * refuses (permission, I/O) is ERR_SYSTEM.
 */
int file_read(struct buf *out, const char *path, struct err *e);
/* The same with a limit of one's own, for what this program wrote itself. */
int file_read_most(struct buf *out, const char *path, size_t most, struct err *e);

/*
 * Write beside `path`, flush to disk, rename into place. mode as for open(2). With
 * path "-" it writes to standard output.
 */
int file_replace(const char *path, const void *bytes, size_t len, int mode, struct err *e);

/*
 * The same by way of a name in its folder that is the caller's alone, as who holds a lock has one: so what a killed
 * process left there is written over by the next, where other leftovers stay.
 */
int file_replace_through(const char *through, const char *path, const void *bytes, size_t len, int mode,
    struct err *e);

/*
 * The same in two steps: what can go wrong for want of room or permission does so in the first,
 * when nothing has changed yet. `bytes` are borrowed until the second. One of file_publish and
 * file_discard ends what file_stage began; file_discard may be called on {0}, too.
 */
struct file_staged {
	char *path, *temp; /* owned; temp NULL: a device, a pipe or standard output */
	const void *bytes;
	size_t len;
};

int file_stage(struct file_staged *out, const char *path, const void *bytes, size_t len, int mode,
    struct err *e);
int file_publish(struct file_staged *staged, struct err *e);
void file_discard(struct file_staged *staged);

/*
 * Give a file another name, in a folder that is made if need be, and flush both folders to disk. A file
 * that is there already is not replaced: ERR_INPUT.
 */
int file_rename(const char *from, const char *to, struct err *e);

/* The same in one folder that is there, over a file that may be there. */
int file_move_over(const char *from, const char *to, struct err *e);

struct file_entry {
	const char *path; /* root joined with the name below it */
	const char *name; /* below root, '/' between parts, NFC */
	long long size;
	long long mtime_ns;
};

struct file_list {
	struct file_entry *items; /* sorted by name, in the arena */
	size_t count;
};

/*
 * The regular files below root/sub whose names end in `suffix`, at any depth up to 8.
 * Hidden names and editors' backups are passed over. A symbolic link is followed only
 * if what it leads to lies inside root, and a file reached twice counts once, under its
 * own name. A sub that does not exist gives an empty list.
 */
int file_walk(struct file_list *out, struct arena *a, const char *root, const char *sub,
    const char *suffix, struct err *e);

bool file_is_dir(const char *path);
/* Are they one file, by whatever names and links? "-": standard input. */
bool file_is_same(const char *a, const char *b);
/* The folder of `path`, made with its parents (mode 0700). */
int file_make_parents(const char *path, struct err *e);
/* The same where others read too (mode 0777 less the umask): folders that are committed. */
int file_make_shared_parents(const char *path, struct err *e);

#endif
