#define _XOPEN_SOURCE 700 /* realpath */
#include "ingest/pair.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/db.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/file.h"
#include "util/hash.h"
#include "util/lock.h"

/* Of a digest in a name: enough to tell two apart, and room for the rest of the name. */
enum { NAME_DIGITS = 16 };

enum { WAIT_MS = 30000, HEADER_BYTES = 100 };

/* ---- names ---- */

/* "kb.db" -> "kb-quarantine.db", or with a digest "kb-quarantine-DIGEST.db". */
static const char *
quarantine_path(struct arena *a, const char *path, const char *digest)
{
	size_t n = strlen(path);
	bool suffix = n > 3 && strcmp(path + n - 3, ".db") == 0;

	return arena_printf(a, "%.*s-quarantine%s%.*s%s", (int)(suffix ? n - 3 : n), path, digest != NULL ? "-" : "",
	    NAME_DIGITS, digest != NULL ? digest : "", suffix ? ".db" : "");
}

const char *
pair_quarantine_path(struct arena *a, const char *path)
{
	return quarantine_path(a, path, NULL);
}

/* A hidden name beside a file, for who writes it: "kb.db" -> ".kb.db.lock". */
static const char *
hidden_path(struct arena *a, const char *path, const char *suffix)
{
	const char *slash = strrchr(path, '/');
	int folder = slash != NULL ? (int)(slash - path) + 1 : 0;

	return arena_printf(a, "%.*s.%s%s", folder, path, path + folder, suffix);
}

/* What a link leads to; anything else as it was given. */
static const char *
real_path(struct arena *a, const char *path)
{
	struct stat st;
	char *real = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
	const char *out = arena_strdup(a, real != NULL ? real : path);

	free(real);
	return out;
}

/* ---- reading ---- */

/* The digest of the quarantine that a knowledge image names, in the arena; NULL: it names none, as a quarantine does. */
static int
digest_of(const char **out, struct arena *a, const struct buf *image, struct err *e)
{
	struct val *rows;
	struct kb *kb;
	int rc = kb_open(&kb, image->s, image->len, e);

	*out = NULL;
	if (rc != OK)
		return rc;
	rc = db_rows(&rows, a, kb_db(kb), INGEST_COMPANION, e, "");
	kb_close(kb);
	if (rc == OK && val_count(rows) == 1)
		*out = val_get_text(rows->list.items[0], "digest");
	if (*out != NULL && (strlen(*out) != HASH_HEX || strspn(*out, "0123456789abcdef") != HASH_HEX))
		return err_set(e, ERR_INPUT, "expected the digest of its quarantine, found another text"); /* it names a file */
	return rc;
}

/* OK: read, and it is the one; 1: it is another's, or not there. */
static int
try_quarantine(struct buf *out, bool *seen, const char *path, const char *digest, struct err *e)
{
	int rc;

	buf_clear(out);
	if (access(path, F_OK) != 0)
		return 1;
	rc = file_read_most(out, path, PAIR_MAX_BYTES, e);
	if (rc != OK)
		return access(path, F_OK) != 0 ? 1 : rc; /* it took its plain name just now */
	*seen = true;
	return strcmp(hash_bytes(out->s, out->len).hex, digest) == 0 ? OK : 1;
}

/*
 * The name with the digest comes first: a file that has just left it is under the plain one. Both may lie beside
 * a link, or beside what it leads to.
 */
static int
find_quarantine(struct pair *out, bool *seen, struct arena *a, const char *path, const char *digest, struct err *e)
{
	const char *const bases[] = { real_path(a, path), path };
	int rc = 1;

	*seen = false;
	for (int i = 0; rc == 1 && i < 2 && (i == 0 || strcmp(bases[0], path) != 0); i++) {
		rc = try_quarantine(&out->quarantine, seen, quarantine_path(a, bases[i], digest), digest, e);
		if (rc == 1)
			rc = try_quarantine(&out->quarantine, seen, pair_quarantine_path(a, bases[i]), digest, e);
	}
	if (rc != OK)
		buf_clear(&out->quarantine);
	return rc;
}

static int
read_knowledge(struct pair *out, const char **digest, struct arena *a, const char *path, struct err *e)
{
	int rc;

	buf_clear(&out->knowledge);
	rc = file_read_most(&out->knowledge, path, PAIR_MAX_BYTES, e);
	if (rc == OK)
		rc = digest_of(digest, a, &out->knowledge, e);
	if (rc == OK && *digest == NULL)
		rc = err_set(e, ERR_INPUT, "expected a knowledge database, found the quarantine of one");
	return rc;
}

int
pair_read(struct pair *out, struct arena *a, const char *path, struct err *e)
{
	const char *digest, *before = NULL;
	bool seen = false;
	int rc;

	*out = (struct pair){ BUF_INIT, BUF_INIT, pair_quarantine_path(a, path) };
	for (;;) {
		rc = read_knowledge(out, &digest, a, path, e);
		if (rc == OK)
			rc = find_quarantine(out, &seen, a, path, digest, e);
		/* Only another's is there: somebody replaces both just now, or has replaced one. */
		if (rc != 1 || !seen || (before != NULL && strcmp(before, digest) == 0))
			break;
		before = digest;
	}
	if (rc == 1)
		rc = !seen ? OK : err_set(e, ERR_INPUT, "expected its quarantine beside it, found another's: `%s`; copy "
		    "both files, or load them again", out->beside);
	if (rc != OK) { /* whatever is wrong with a database, the file is what the user knows */
		place_text(e->where, sizeof e->where, (struct place){ path, 0, 0 });
		pair_release(out);
	}
	return rc;
}

void
pair_release(struct pair *pair)
{
	buf_release(&pair->knowledge);
	buf_release(&pair->quarantine);
}

/* ---- writing ---- */

/* A regular file that begins as our databases do, whatever their version. */
static bool
is_database(const char *path)
{
	char header[HEADER_BYTES];
	int64_t application, version;
	struct stat st;
	size_t n = 0;
	FILE *f = lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;

	if (f != NULL) {
		n = fread(header, 1, sizeof header, f);
		fclose(f);
	}
	return db_image_id(header, n, &application, &version) == 0 && application == KB_APPLICATION_ID;
}

/* The digest that the knowledge at a path names; NULL: there is none that can be read. */
static const char *
digest_at(struct arena *a, const char *path)
{
	const char *digest = NULL;
	struct err ignored = ERR_INIT;
	struct buf image = BUF_INIT;

	if (is_database(path) && file_read_most(&image, path, PAIR_MAX_BYTES, &ignored) == OK)
		(void)digest_of(&digest, a, &image, &ignored);
	buf_release(&image);
	return digest;
}

/*
 * What is written over must be what we wrote, or empty: a slip in a name costs nobody a file. The user did not even
 * name the one of the quarantine, so there it must not be another's knowledge either.
 */
static int
check_replaced(struct arena *a, const char *path, bool quarantine, struct stat *st, bool *there, struct err *e)
{
	*there = lstat(path, st) == 0;
	if (*there && S_ISREG(st->st_mode) && access(path, R_OK) != 0)
		return err_errno(e, "cannot read %s, which it would replace", path);
	if (!*there || (S_ISREG(st->st_mode) && st->st_size == 0) ||
	    (is_database(path) && !(quarantine && digest_at(a, path) != NULL)))
		return OK;
	return err_at(e, ERR_INPUT, (struct place){ path, 0, 0 },
	    "expected a %s that `dossier load` wrote, or no file, found another file", quarantine ? "quarantine" : "database");
}

/* A new file, with the mode that the one before has: somebody may have kept that one to himself. */
static int
write_quarantine(struct arena *a, const char *path, const char *plain, const struct image *image, struct err *e)
{
	struct stat st;
	bool there;
	int rc = check_replaced(a, plain, true, &st, &there, e);

	if (rc == OK)
		rc = file_replace_through(hidden_path(a, plain, ".new"), path, image->bytes, image->len,
		    there ? 0600 : 0644, e);
	if (rc == OK && there && chmod(path, st.st_mode & 07777) != 0)
		rc = err_errno(e, "cannot write %s", path);
	return rc;
}

/* Does the file's name, that of a quarantine of the knowledge at `path`, have the digest of what is in it? */
static bool
is_named_by_digest(struct arena *a, const char *path, const char *other)
{
	size_t plain = strlen(pair_quarantine_path(a, path)), n = strlen(other);
	struct err ignored = ERR_INIT;
	struct buf image = BUF_INIT;
	bool is = n == plain + 1 + NAME_DIGITS && is_database(other) &&
	    file_read_most(&image, other, PAIR_MAX_BYTES, &ignored) == OK &&
	    strcmp(quarantine_path(a, path, hash_bytes(image.s, image.len).hex), other) == 0;

	buf_release(&image);
	return is;
}

/* Quarantines that a writer left behind before its commit, or could not give their plain name after it. */
static void
drop_others(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *folder = slash != NULL ? arena_strndup(a, path, (size_t)(slash - path) + 1) : "";
	DIR *dir = opendir(slash != NULL ? folder : ".");
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *other = arena_printf(a, "%s%s", folder, entry->d_name);

		if (is_named_by_digest(a, path, other))
			unlink(other);
	}
	if (dir != NULL)
		closedir(dir);
}

/*
 * The quarantine of the knowledge that is in place, the new or the old, gets its plain name; then none is needed
 * under a digest. What cannot be done is left for the next writer: until then it is found as it is.
 */
static void
tidy(struct arena *a, const char *path, const char *digest)
{
	const char *plain = pair_quarantine_path(a, path);
	const char *named = digest != NULL ? quarantine_path(a, path, digest) : NULL;
	struct err ignored = ERR_INIT;
	struct stat st;
	bool there;

	if (digest == NULL && access(path, F_OK) == 0)
		return; /* it cannot be read, and may name any of them */
	if (named == NULL || access(named, F_OK) != 0 ||
	    (check_replaced(a, plain, true, &st, &there, &ignored) == OK && file_move_over(named, plain, &ignored) == OK))
		drop_others(a, path);
}

static int
write_both(struct arena *a, const char *path, const struct image *knowledge, const struct image *quarantine,
    struct err *e)
{
	struct hash digest = hash_bytes(quarantine->bytes, quarantine->len);
	struct stat st;
	bool there;
	int rc = check_replaced(a, path, false, &st, &there, e);

	if (rc != OK)
		return rc;
	rc = write_quarantine(a, quarantine_path(a, path, digest.hex), pair_quarantine_path(a, path), quarantine, e);
	if (rc == OK)
		rc = file_replace_through(hidden_path(a, path, ".new"), path, knowledge->bytes, knowledge->len, 0644, e);
	tidy(a, path, rc == OK ? digest.hex : digest_at(a, path));
	return rc;
}

int
pair_write(const char *path, const struct image *knowledge, const struct image *quarantine, struct err *e)
{
	struct arena a = ARENA_INIT;
	const char *real = real_path(&a, path);
	struct lock lock;
	int rc = lock_take(&lock, hidden_path(&a, real, ".lock"), WAIT_MS, e);

	if (rc >= 0) {
		rc = rc == 1 ? err_set(e, ERR_SYSTEM, "another process writes %s and has not ended for %d seconds", path,
		    WAIT_MS / 1000) : write_both(&a, real, knowledge, quarantine, e);
		lock_end(&lock, false);
	}
	arena_release(&a);
	return rc;
}
