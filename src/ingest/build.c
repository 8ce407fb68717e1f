#define _XOPEN_SOURCE 700 /* realpath */
#include "ingest/build.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/db.h"
#include "ingest/pair.h"
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
	errs_release(&build->notes);
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

/* Read as if it were composed, so that it is no fault; but other readers do not do so. */
static void
note_decomposed(struct errs *notes, const struct set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->records[i].from_base && set->records[i].decomposed.line > 0)
			errs_add(notes, set->records[i].decomposed, "letters are written in parts from here on: "
			    "normalise the file to NFC");
	errs_sort(notes);
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
		note_decomposed(&out->notes, set);
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
check_companion(struct set *set, const struct pair *pair, struct err *e)
{
	struct val *rows;
	struct db *db;
	int rc = db_open_image(&db, pair->knowledge.s, pair->knowledge.len, e);

	if (rc != OK)
		return rc;
	rc = db_rows(&rows, &set->arena, db, INGEST_WITHHELD_IDS, e, "");
	db_close(db);
	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const char *id = val_get_text(rows->list.items[i], "id");
		const struct record *claim = set_find(set, id);

		if (claim == NULL || claim->kind->id != KIND_QUARANTINE)
			return err_set(e, ERR_INPUT, "expected its quarantine beside it, with `%s`, found none: `%s`", id,
			    pair->beside);
	}
	return rc;
}

/* A database that `dossier load -o` wrote, over what is below it. */
static int
build_pair(struct build *out, const struct pair *pair, const char *path, const struct layer *below,
    struct errs *errs, struct err *e)
{
	struct set set = SET_INIT;
	int rc = OK;

	memset(out, 0, sizeof *out);
	if (pair->quarantine.len > 0)
		rc = set_add_base(&set, pair->quarantine.s, pair->quarantine.len, false, e);
	if (rc == OK)
		rc = set_add_base(&set, pair->knowledge.s, pair->knowledge.len, false, e);
	if (rc != OK) /* whatever is wrong with a database, the file is what the user knows */
		place_text(e->where, sizeof e->where, (struct place){ path, 0, 0 });
	if (rc == OK)
		rc = finish(out, &set, below, errs, e);
	if (rc == OK && (rc = check_companion(&set, pair, e)) != OK)
		place_text(e->where, sizeof e->where, (struct place){ path, 0, 0 });
	set_release(&set);
	return rc;
}

/* ---- the cache ---- */

/* To be raised when the checks change, so that what passed the old ones is held against the new. */
#define BUILD_CHECKS "dossier checks 2"

/* What --kb names: a folder, or the files of a database, which are read once. */
struct source {
	const char *path; /* as it was given */
	const char *real; /* as it is from anywhere: two folders called kb are two */
	bool is_dir;
	struct pair pair;
};

static int
read_sources(struct source *out, struct arena *a, const char *const *paths, size_t count, struct err *e)
{
	int rc = OK;

	for (size_t i = 0; rc == OK && i < count; i++) {
		char *real = realpath(paths[i], NULL);

		out[i].path = paths[i];
		out[i].real = arena_strdup(a, real != NULL ? real : paths[i]);
		out[i].is_dir = file_is_dir(paths[i]);
		free(real);
		if (!out[i].is_dir)
			rc = pair_read(&out[i].pair, a, paths[i], e);
	}
	return rc;
}

/* Everything by which a folder or file is known to be unchanged; of a folder, short of reading it. */
static int
add_to_key(struct hash_state *key, struct arena *a, const struct source *source, struct err *e)
{
	struct file_list files;
	int rc = OK;

	hash_add(key, source->real, strlen(source->real));
	if (!source->is_dir) { /* the knowledge stands for the quarantine that it names; but that may not be there */
		hash_add(key, source->pair.knowledge.s, source->pair.knowledge.len);
		hash_add(key, "q", source->pair.quarantine.len > 0);
		return OK;
	}
	for (int i = 0; rc == OK && i < KIND_COUNT; i++) {
		if (kinds[i].folder == NULL)
			continue;
		rc = file_walk(&files, a, source->real, kinds[i].folder, ".yaml", e);
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
cache_key(struct hash *out, struct arena *a, const struct source *sources, size_t count,
    const struct layer *below, struct err *e)
{
	struct hash_state *key = hash_open();
	int rc = OK;

	/* What it is laid over stands for the program too: the content is linked into it. */
	hash_add(key, BUILD_CHECKS, strlen(BUILD_CHECKS));
	add_image(key, below->knowledge, below->knowledge_len);
	add_image(key, below->quarantine, below->quarantine_len);
	for (size_t i = 0; rc == OK && i < count; i++)
		rc = add_to_key(key, a, &sources[i], e);
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

	if (access(path, R_OK) != 0 || file_read_most(&b, path, PAIR_MAX_BYTES, &e) != OK ||
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
	    write_image(&build->quarantine, pair_quarantine_path(a, path), &ignored) != OK ||
	    write_image(&build->knowledge, path, &ignored) != OK)
		return;
	drop_stale(a, cache, family, name);
}

static int
stack_layers(struct build *out, const struct source *sources, size_t count, const struct layer *below,
    struct errs *errs, struct err *e)
{
	struct layer layer = *below;
	struct build last = { 0 };
	int rc = OK;

	for (size_t i = 0; rc == OK && i < count; i++) {
		struct build next = { 0 };

		rc = sources[i].is_dir ? build_folder(&next, sources[i].path, &layer, errs, e)
		                       : build_pair(&next, &sources[i].pair, sources[i].path, &layer, errs, e);
		build_release(&last);
		last = next;
		layer = (struct layer){ last.knowledge.bytes, last.quarantine.bytes, last.knowledge.len,
			last.quarantine.len };
	}
	*out = last;
	return rc;
}

/* The builds of the same paths, under whatever keys, have names that begin alike. */
static const char *
family_of(struct arena *a, const struct source *sources, size_t count)
{
	struct hash_state *key = hash_open();

	for (size_t i = 0; i < count; i++)
		hash_add(key, sources[i].real, strlen(sources[i].real));
	return arena_printf(a, "%.12s-", hash_close(key).hex);
}

static bool
read_cache(struct build *out, struct arena *a, const char *cache, const char *name)
{
	const char *path = arena_printf(a, "%s/%s.db", cache, name);

	if (read_image(&out->knowledge, path) && read_image(&out->quarantine, pair_quarantine_path(a, path)))
		return true;
	image_release(&out->knowledge);
	return false;
}

int
build_layers(struct build *out, const char *const *paths, size_t count, const struct layer *below,
    const char *cache, struct errs *errs, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct source *sources = arena_alloc(&a, (count + 1) * sizeof *sources);
	const char *family, *name = NULL;
	struct hash key;
	int rc = read_sources(sources, &a, paths, count, e);

	memset(out, 0, sizeof *out);
	family = family_of(&a, sources, rc == OK ? count : 0);
	if (rc == OK)
		rc = cache_key(&key, &a, sources, count, below, e);
	if (rc == OK)
		name = arena_printf(&a, "%s%.24s", family, key.hex);
	if (rc == OK && (cache == NULL || !read_cache(out, &a, cache, name))) {
		rc = stack_layers(out, sources, count, below, errs, e);
		if (rc == OK && cache != NULL)
			write_cache(&a, out, cache, family, name);
	}
	for (size_t i = 0; i < count; i++)
		pair_release(&sources[i].pair);
	arena_release(&a);
	return rc;
}
