#define _XOPEN_SOURCE 700 /* realpath */
#include "ingest/build.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/db.h"
#include "ingest/set.h"
#include "kb/kb.h"
#include "sql.h"
#include "util/buf.h"
#include "util/file.h"
#include "util/hash.h"

void
build_release(struct build *build)
{
	image_release(&build->knowledge);
	image_release(&build->quarantine);
}

const char *
build_quarantine_path(struct arena *a, const char *path)
{
	size_t n = strlen(path);

	if (n > 3 && strcmp(path + n - 3, ".db") == 0)
		return arena_printf(a, "%.*s-quarantine.db", (int)(n - 3), path);
	return arena_printf(a, "%s-quarantine", path);
}

static int
add_below(struct set *set, const struct layer *below, struct err *e)
{
	int rc = OK;

	/* The quarantine first: it has whole the sources that the knowledge has in part. */
	if (below->quarantine_len > 0)
		rc = set_add_base(set, below->quarantine, below->quarantine_len, true, e);
	if (rc == OK && below->knowledge_len > 0)
		rc = set_add_base(set, below->knowledge, below->knowledge_len, true, e);
	return rc;
}

/* A set that was read, over what is below it. */
static int
check_over(struct set *set, const struct layer *below, struct err *e)
{
	int rc = add_below(set, below, e);

	if (rc == OK && set->errs.count == 0)
		set_check(set);
	set_finish_faults(set);
	return rc;
}

static int
finish(struct build *out, struct set *set, const struct layer *below, struct errs *errs,
    struct err *e)
{
	int rc;

	out->records = set->count;
	rc = check_over(set, below, e);
	if (rc == OK && set->errs.count > 0) {
		errs_take_all(errs, &set->errs);
		rc = ERR_INPUT;
	}
	for (size_t i = 0; rc == OK && i < set->count; i++)
		out->fallen += set->records[i].kind->id == KIND_QUARANTINE &&
		    strncmp(set->records[i].file, "claims/quarantine/", 18) != 0;
	if (rc == OK)
		rc = write_images(&out->knowledge, &out->quarantine, set, e);
	return rc;
}

int
build_check(struct set *out, const char *root, const struct set_file *instead, size_t count,
    const struct layer *below, struct err *e)
{
	int rc;

	*out = (struct set)SET_INIT;
	rc = set_read(out, root, instead, count, e);
	return rc == OK ? check_over(out, below, e) : rc;
}

int
build_folder(struct build *out, const char *root, const struct layer *below, struct errs *errs,
    struct err *e)
{
	struct set set = SET_INIT;
	int rc = set_read(&set, root, NULL, 0, e);

	memset(out, 0, sizeof *out);
	if (rc == OK)
		rc = finish(out, &set, below, errs, e);
	set_release(&set);
	return rc;
}

/* Every claim that the knowledge withholds must be in the set, or its wording is guarded by nobody. */
static int
check_companion(struct set *set, const void *image, size_t len, const char *beside, struct err *e)
{
	struct val *rows;
	struct db *db;
	int rc = db_open_image(&db, image, len, e);

	if (rc != OK)
		return rc;
	rc = db_rows(&rows, &set->arena, db, INGEST_WITHHELD_IDS, e, "");
	db_close(db);
	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const char *id = val_get_text(rows->list.items[i], "id");
		const struct record *claim = set_find(set, id);

		if (claim == NULL || claim->kind->id != KIND_QUARANTINE)
			return err_set(e, ERR_INPUT, "expected its quarantine beside it, with `%s`, found none: `%s`", id,
			    beside);
	}
	return rc;
}

/* A database that `dossier load -o` wrote, over what is below it. */
static int
build_file(struct build *out, const char *path, const struct layer *below, struct errs *errs,
    struct err *e)
{
	struct set set = SET_INIT;
	struct buf knowledge = BUF_INIT, quarantine = BUF_INIT;
	const char *beside = build_quarantine_path(&set.arena, path);
	struct kb *kb = NULL;
	int rc = file_read(&knowledge, path, e);

	memset(out, 0, sizeof *out);
	if (rc == OK)
		rc = kb_open(&kb, knowledge.s, knowledge.len, e);
	kb_close(kb);
	if (rc == OK && access(beside, F_OK) == 0)
		rc = file_read(&quarantine, beside, e);
	if (rc == OK && quarantine.len > 0)
		rc = set_add_base(&set, quarantine.s, quarantine.len, false, e);
	if (rc == OK)
		rc = set_add_base(&set, knowledge.s, knowledge.len, false, e);
	if (rc != OK) /* whatever is wrong with a database, the file is what the user knows */
		place_text(e->where, sizeof e->where, (struct place){ path, 0, 0 });
	if (rc == OK)
		rc = finish(out, &set, below, errs, e);
	if (rc == OK && (rc = check_companion(&set, knowledge.s, knowledge.len, beside, e)) != OK)
		place_text(e->where, sizeof e->where, (struct place){ path, 0, 0 });
	buf_release(&knowledge);
	buf_release(&quarantine);
	set_release(&set);
	return rc;
}

/* ---- the cache ---- */

/* To be raised when the checks change, so that what passed the old ones is held against the new. */
#define BUILD_CHECKS "dossier checks 2"

/* More than any collection that is compiled in memory; one of 100,000 records takes 270 MB. */
#define CACHE_MAX_BYTES ((size_t)2 * 1024 * 1024 * 1024)

/* Everything by which a folder or file is known to be unchanged, short of reading it. */
static int
add_to_key(struct hash_state *key, struct arena *a, const char *path, struct err *e)
{
	const char *beside = build_quarantine_path(a, path);
	struct file_list files;
	int rc = OK;

	hash_add(key, path, strlen(path));
	if (!file_is_dir(path)) {
		struct buf bytes = BUF_INIT;

		rc = file_read(&bytes, path, e);
		if (rc == OK && access(beside, F_OK) == 0)
			rc = file_read(&bytes, beside, e);
		hash_add(key, bytes.s, bytes.len);
		buf_release(&bytes);
		return rc;
	}
	for (int i = 0; rc == OK && i < KIND_COUNT; i++) {
		if (kinds[i].folder == NULL)
			continue;
		rc = file_walk(&files, a, path, kinds[i].folder, ".yaml", e);
		for (size_t k = 0; rc == OK && k < files.count; k++) {
			const char *line = arena_printf(a, "%s %lld %lld", files.items[k].path,
			    files.items[k].size, files.items[k].mtime_ns);

			hash_add(key, line, strlen(line));
		}
	}
	return rc;
}

static void
add_image(struct hash_state *key, const void *image, size_t len)
{
	uint64_t sum = hash_sum(image, len);

	hash_add(key, &sum, sizeof sum);
}

static int
cache_key(struct hash *out, struct arena *a, const char *const *paths, size_t count,
    const struct layer *below, struct err *e)
{
	struct hash_state *key = hash_open();
	int rc = OK;

	/* What it is laid over stands for the program too: the content is linked into it. */
	hash_add(key, BUILD_CHECKS, strlen(BUILD_CHECKS));
	add_image(key, below->knowledge, below->knowledge_len);
	add_image(key, below->quarantine, below->quarantine_len);
	for (size_t i = 0; rc == OK && i < count; i++)
		rc = add_to_key(key, a, paths[i], e);
	*out = hash_close(key);
	return rc;
}

static bool
read_image(struct image *out, const char *path)
{
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	int64_t application, version;
	uint64_t sum;

	if (access(path, R_OK) != 0 || file_read_most(&b, path, CACHE_MAX_BYTES, &e) != OK ||
	    db_image_id(b.s, b.len, &application, &version) != 0 || version != KB_VERSION) {
		buf_release(&b);
		return false;
	}
	/* Written with its checksum behind it: a damaged cache is built anew, not an error for ever. */
	sum = b.len < sizeof sum ? 0 : hash_sum(b.s, b.len - sizeof sum);
	if (b.len < sizeof sum || memcmp(&sum, b.s + b.len - sizeof sum, sizeof sum) != 0) {
		buf_release(&b);
		return false;
	}
	out->len = b.len - sizeof sum;
	out->bytes = out->read = (unsigned char *)buf_detach(&b);
	return true;
}

/* Builds of the same paths that are no longer theirs. */
static void
drop_stale(struct arena *a, const char *cache, const char *family, const char *current)
{
	DIR *dir = opendir(cache);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, family, strlen(family)) == 0 &&
		    strncmp(entry->d_name, current, strlen(current)) != 0)
			unlink(arena_printf(a, "%s/%s", cache, entry->d_name));
	if (dir != NULL)
		closedir(dir);
}

static int
write_image(const struct image *image, const char *path, struct err *e)
{
	uint64_t sum = hash_sum(image->bytes, image->len);
	struct buf b = BUF_INIT;
	int rc;

	buf_add(&b, (const char *)image->bytes, image->len);
	buf_add(&b, (const char *)&sum, sizeof sum);
	rc = file_replace(path, b.s, b.len, 0600, e);
	buf_release(&b);
	return rc;
}

static void
write_cache(struct arena *a, const struct build *build, const char *cache, const char *family,
    const char *name)
{
	const char *path = arena_printf(a, "%s/%s.db", cache, name);
	struct err ignored = ERR_INIT;

	if (file_make_parents(path, &ignored) != OK ||
	    write_image(&build->quarantine, build_quarantine_path(a, path), &ignored) != OK ||
	    write_image(&build->knowledge, path, &ignored) != OK)
		return;
	drop_stale(a, cache, family, name);
}

static int
stack_layers(struct build *out, const char *const *paths, size_t count, const struct layer *below,
    struct errs *errs, struct err *e)
{
	struct layer layer = *below;
	struct build last = { 0 };
	int rc = OK;

	for (size_t i = 0; rc == OK && i < count; i++) {
		struct build next = { 0 };

		rc = file_is_dir(paths[i]) ? build_folder(&next, paths[i], &layer, errs, e)
		                           : build_file(&next, paths[i], &layer, errs, e);
		build_release(&last);
		last = next;
		layer = (struct layer){ last.knowledge.bytes, last.quarantine.bytes, last.knowledge.len,
			last.quarantine.len };
	}
	*out = last;
	return rc;
}

/* The paths as they are from anywhere: two folders called kb are two. */
static const char **
absolute(struct arena *a, const char *const *paths, size_t count)
{
	const char **out = arena_alloc(a, (count + 1) * sizeof *out);

	for (size_t i = 0; i < count; i++) {
		char *real = realpath(paths[i], NULL);

		out[i] = arena_strdup(a, real != NULL ? real : paths[i]);
		free(real);
	}
	return out;
}

int
build_layers(struct build *out, const char *const *paths, size_t count, const struct layer *below,
    const char *cache, struct errs *errs, struct err *e)
{
	struct arena a = ARENA_INIT;
	const char **real = absolute(&a, paths, count);
	struct hash key, family_hash;
	struct hash_state *family_key = hash_open();
	char family[20], name[64];
	int rc;

	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < count; i++)
		hash_add(family_key, real[i], strlen(real[i]));
	family_hash = hash_close(family_key);
	snprintf(family, sizeof family, "%.12s-", family_hash.hex);
	rc = cache_key(&key, &a, real, count, below, e);
	snprintf(name, sizeof name, "%s%.24s", family, key.hex);
	if (rc == OK && cache != NULL) {
		const char *path = arena_printf(&a, "%s/%s.db", cache, name);

		if (read_image(&out->knowledge, path) &&
		    read_image(&out->quarantine, build_quarantine_path(&a, path))) {
			arena_release(&a);
			return OK;
		}
		image_release(&out->knowledge);
	}
	if (rc == OK)
		rc = stack_layers(out, paths, count, below, errs, e);
	if (rc == OK && cache != NULL)
		write_cache(&a, out, cache, family, name);
	arena_release(&a);
	return rc;
}
