#include "ingest/set.h"

#include <stdio.h>
#include <string.h>

#include "db/db.h"
#include "ingest/set_int.h"
#include "ingest/walk.h"
#include "json/jn.h"
#include "render/json.h"
#include "sql.h"
#include "util/buf.h"
#include "util/file.h"
#include "yaml/yn.h"

static struct record *
add_record(struct set *set, const struct kind *kind, struct val *body, const char *file)
{
	struct buf canonical = BUF_INIT;
	struct err e = ERR_INIT;
	struct record *r;

	if (set->count == set->cap) {
		size_t cap = set->cap == 0 ? 256 : set->cap * 2;
		struct record *larger = arena_alloc(&set->arena, cap * sizeof *larger);

		if (set->count > 0)
			memcpy(larger, set->records, set->count * sizeof *larger);
		set->records = larger;
		set->cap = cap;
	}
	r = &set->records[set->count++];
	r->kind = kind;
	r->id = val_get_text(body, "id");
	r->body = body;
	r->file = arena_strdup(&set->arena, file);
	if (render_json(&canonical, body, RENDER_JSON_COMPACT, &e) != OK)
		errs_take(&set->errs, &e);
	r->fingerprint = hash_bytes(canonical.s, canonical.len);
	buf_release(&canonical);
	return r;
}

/* The id of a record is the name of its file. */
static void
check_file_name(struct errs *errs, const struct val *body, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
	const struct val *id = val_get(body, "id");
	size_t n = strlen(name);

	if (n > 5 && val_text(id) != NULL && strcmp(name + n - 5, ".yaml") == 0 &&
	    (id->str.len != n - 5 || memcmp(id->str.text, name, n - 5) != 0))
		errs_add(errs, id->at, "expected the id `%.*s`, as the file is named, found `%s`",
		    (int)(n - 5), name, id->str.text);
}

/* Faults in a quarantined file say where and what was expected, never what stood there. */
static void
take_without_wording(struct errs *to, struct errs *from)
{
	static const char *const quoting[] = { ", found `", "; found `", ": `" };

	for (size_t i = 0; i < from->kept; i++) {
		for (size_t k = 0; k < sizeof quoting / sizeof *quoting; k++) {
			char *found = strstr(from->items[i].text, quoting[k]);

			if (found != NULL)
				snprintf(found, 60, ", found something else (not shown)");
		}
		errs_take(to, &from->items[i]);
	}
	to->count += from->count - from->kept;
}

void
set_read_text(struct set *set, const struct kind *kind, const char *text, size_t len,
    const char *file)
{
	struct errs found = ERRS_INIT;
	struct walk walk = { .errs = &found };
	struct err e = ERR_INIT;
	struct val *body;

	if (yn_parse(&body, &set->arena, text, len, file, &e) != OK) {
		errs_take(&set->errs, &e);
		return;
	}
	walk_record(&walk, kind->fields, body);
	check_file_name(&found, body, file);
	if (kind->id == KIND_QUARANTINE)
		take_without_wording(&set->errs, &found);
	else
		for (size_t i = 0; i < found.kept; i++)
			errs_take(&set->errs, &found.items[i]);
	if (found.count == 0)
		add_record(set, kind, body, file);
	errs_release(&found);
}

static int
read_folder(struct set *set, const char *root, const struct kind *kind, size_t *seen, struct err *e)
{
	struct file_list files;
	struct buf text = BUF_INIT;
	int rc = file_walk(&files, &set->arena, root, kind->folder, ".yaml", e);

	for (size_t i = 0; rc == OK && i < files.count; i++) {
		struct err one = ERR_INIT;

		buf_clear(&text);
		if (file_read(&text, files.items[i].path, &one) != OK)
			errs_take(&set->errs, &one);
		else
			set_read_text(set, kind, text.s, text.len, files.items[i].name);
		++*seen;
	}
	buf_release(&text);
	return rc;
}

int
set_read(struct set *set, const char *root, struct err *e)
{
	size_t seen = 0;

	if (!file_is_dir(root))
		return err_set(e, ERR_INPUT, "expected a folder of records, found no folder `%s`", root);
	for (int i = 0; i < KIND_COUNT; i++) {
		int rc = kinds[i].folder == NULL ? OK : read_folder(set, root, &kinds[i], &seen, e);

		if (rc != OK)
			return rc;
	}
	if (seen == 0)
		return err_set(e, ERR_INPUT, "expected records in archetypes/, claims/, evidence/ or "
		    "templates/levers/ below `%s`, found none", root);
	return OK;
}

static bool
holds_id(const struct set *set, size_t count, const struct val *body)
{
	const char *id = val_get_text(body, "id");

	for (size_t i = 0; i < count; i++)
		if (id != NULL && strcmp(set->records[i].id, id) == 0)
			return true;
	return false;
}

int
set_add_base(struct set *set, const void *image, size_t len, struct err *e)
{
	size_t own = set->count;
	struct val *rows;
	struct db *db;
	int rc = db_open_image(&db, image, len, e);

	if (rc != OK)
		return rc;
	rc = db_rows(&rows, &set->arena, db, INGEST_BASE_RECORDS, e, "");
	for (size_t i = 0; rc == OK && i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i];
		const struct val *json = val_get(row, "body");
		const struct kind *kind = kind_find(val_get_text(row, "kind"));
		const char *file = val_get_text(row, "file");
		struct val *body;

		rc = jn_parse(&body, &set->arena, json->str.text, json->str.len, file, e);
		if (rc == OK && kind != NULL && !holds_id(set, own, body))
			add_record(set, kind, body, file)->from_base = true;
	}
	db_close(db);
	return rc;
}

void
set_check(struct set *set)
{
	set_index(set);
	set_check_references(set);
	set_check_rules(set);
	set_check_texts(set);
	errs_sort(&set->errs);
}

void
set_release(struct set *set)
{
	errs_release(&set->errs);
	arena_release(&set->arena);
	*set = (struct set)SET_INIT;
}
