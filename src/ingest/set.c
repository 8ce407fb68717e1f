#include "ingest/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/db.h"
#include "ingest/set_int.h"
#include "ingest/walk.h"
#include "json/jn.h"
#include "kb/places.h"
#include "sql.h"
#include "util/buf.h"
#include "util/file.h"
#include "util/utf8.h"
#include "yaml/yn.h"

static struct record *
add_record(struct set *set, const struct kind *kind, struct val *body, const char *file)
{
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
blank_wording(struct errs *from)
{
	static const char *const quoting[] = { ", found `", "; found `", ": `" };

	for (size_t i = 0; i < from->kept; i++) {
		for (size_t k = 0; k < sizeof quoting / sizeof *quoting; k++) {
			char *found = strstr(from->items[i].text, quoting[k]);

			if (found != NULL)
				snprintf(found, sizeof from->items[i].text - (size_t)(found - from->items[i].text),
				    ", found something else (not shown)");
		}
	}
}

const struct field *
set_fields(const struct kind *kind, const struct val *body)
{
	bool claim = kind->id == KIND_CLAIM || kind->id == KIND_QUARANTINE;
	const char *id = val_get_text(body, "id");

	if (!claim)
		return kind->fields;
	if (val_get(body, "evidence") != NULL)
		return kinds[KIND_CLAIM].fields;
	return id != NULL && is_quarantine_id(id) ? kinds[KIND_QUARANTINE].fields : kind->fields;
}

static void
add_decisions(struct set *set, const struct val *list, const char *file)
{
	struct decisions *d = decisions_of(&set->arena, list, file, &set->errs);

	if (d == NULL)
		return;
	if (set->decision_count == set->decision_cap) {
		size_t cap = set->decision_cap == 0 ? 64 : set->decision_cap * 2;
		struct decisions **larger = arena_alloc(&set->arena, cap * sizeof *larger);

		if (set->decision_count > 0)
			memcpy(larger, set->decisions, set->decision_count * sizeof *larger);
		set->decisions = larger;
		set->decision_cap = cap;
	}
	d->depth = set->depth;
	set->decisions[set->decision_count++] = d;
}

void
set_read_text(struct set *set, const struct kind *kind, const char *text, size_t len,
    const char *file)
{
	struct errs found = ERRS_INIT;
	struct walk walk = { .errs = &found };
	struct err e = ERR_INIT;
	struct val *body;

	if (yn_parse_one(&body, &set->arena, &set->keys, text, len, file, &e) != OK) {
		errs_take(&set->errs, &e);
		return;
	}
	if (kind->id == KIND_DECISION) {
		add_decisions(set, body, file);
		return;
	}
	walk_record(&walk, set_fields(kind, body), body);
	check_file_name(&found, body, file);
	if (kind->id == KIND_QUARANTINE || set_fields(kind, body) == kinds[KIND_QUARANTINE].fields)
		blank_wording(&found);
	errs_take_all(&set->errs, &found);
	if (found.count == 0) {
		struct record *r = add_record(set, kind, body, file);

		r->decomposed = utf8_decomposed(text, len, r->file);
	}
	errs_release(&found);
}

/* The file that is to be taken instead of the one of this name; NULL: none. */
static const struct set_file *
find_instead(const struct set_file *instead, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(instead[i].name, name) == 0)
			return &instead[i];
	return NULL;
}

static int
read_folder(struct set *set, const char *root, const struct kind *kind, const struct set_file *instead,
    size_t count, struct err *e)
{
	struct file_list files;
	struct buf text = BUF_INIT;
	int rc = file_walk(&files, &set->arena, root, kind->folder, ".yaml", e);

	for (size_t i = 0; rc == OK && i < files.count; i++) {
		struct err one = ERR_INIT;

		if (find_instead(instead, count, files.items[i].name) != NULL)
			continue;
		buf_clear(&text);
		if (file_read(&text, files.items[i].path, &one) != OK)
			errs_take(&set->errs, &one);
		else
			set_read_text(set, kind, text.s, text.len, files.items[i].name);
		set->files++;
	}
	for (size_t i = 0; rc == OK && i < count; i++) {
		size_t n = strlen(kind->folder);

		if (instead[i].text != NULL && strncmp(instead[i].name, kind->folder, n) == 0 &&
		    instead[i].name[n] == '/')
			set_read_text(set, kind, instead[i].text, instead[i].len, instead[i].name);
	}
	buf_release(&text);
	return rc;
}

int
set_read(struct set *set, const char *root, const struct set_file *instead, size_t count, struct err *e)
{
	if (!file_is_dir(root))
		return err_set(e, ERR_INPUT, "expected a folder of records, found no folder `%s`", root);
	for (int i = 0; i < KIND_COUNT; i++) {
		int rc = kinds[i].folder == NULL ? OK : read_folder(set, root, &kinds[i], instead, count, e);

		if (rc != OK)
			return rc;
	}
	if (set->files == 0)
		return err_set(e, ERR_INPUT, "expected records in archetypes/, claims/, evidence/ or "
		    "templates/levers/ below `%s`, found none", root);
	return OK;
}

static int
by_id(const void *a, const void *b)
{
	return strcasecmp(((const struct record *)a)->id, ((const struct record *)b)->id);
}

/* A copy of the records that the set holds by now, sorted: the set's own array moves as the base's are added. */
static const struct record *
own_records(struct set *set)
{
	struct record *own = arena_alloc(&set->arena, (set->count + 1) * sizeof *own);

	for (size_t i = 0; i < set->count; i++)
		own[i] = set->records[i];
	qsort(own, set->count, sizeof *own, by_id);
	return own;
}

/* Of a finding that is not verified, for messages. */
static const char *
finding_state(const struct val *finding)
{
	return strcmp(val_get_text(finding, "status"), "withdrawn") == 0 ? "withdrawn" : "under review";
}

/*
 * What a layer writes over: a quarantined claim stays one, whatever stands under its id now, and a finding
 * under review is not verified by writing so over it.
 */
static void
check_replacing(struct set *set, const struct record *own, const struct kind *kind, struct val *below,
    const char *file)
{
	const struct val *findings = val_get(below, "findings"), *theirs = val_get(own->body, "findings");

	/* But not what merely lost its evidence there. */
	if (kind->id == KIND_QUARANTINE &&
	    (is_quarantine_id(own->id) || strncmp(file, "claims/quarantine/", 18) == 0)) {
		val_push(&set->arena, set->replaced, below);
		if (own->kind->id != KIND_QUARANTINE && own->kind->id != KIND_CLAIM)
			errs_add(&set->errs, val_get(own->body, "id")->at,
			    "`%s` is a quarantined claim of the content below: nothing else may take its id", own->id);
	}
	for (size_t i = 0; i < val_count(findings); i++) {
		const struct val *f = findings->list.items[i];

		for (size_t k = 0; k < val_count(theirs); k++) {
			const struct val *t = theirs->list.items[k];

			if (strcmp(val_get_text(f, "id"), val_get_text(t, "id")) == 0 &&
			    strcmp(val_get_text(f, "status"), "verified") != 0 &&
			    strcmp(val_get_text(t, "status"), "verified") == 0)
				errs_add(&set->errs, t->at, "`%s` is %s in the content below: a layer does not "
				    "verify it", val_get_text(t, "id"), finding_state(f));
		}
	}
}

static int
number_of(const struct val *row, const char *key)
{
	const struct val *v = val_get(row, key);

	return val_is(v, VAL_NUM) ? (int)v->number : 0;
}

static void
add_base(struct set *set, const struct val *row, const struct kind *kind, struct val *body)
{
	struct record *r = add_record(set, kind, body, val_get_text(row, "file"));

	r->from_base = true;
	r->decomposed = (struct place){ r->file, number_of(row, "decomposed_line"), number_of(row, "decomposed_col") };
}

/* One row of a base: a record, unless a layer over it has the id. */
static int
add_base_record(struct set *set, const struct val *row, const struct record *own, size_t count,
    bool trusted, struct err *e)
{
	const struct val *json = val_get(row, "body");
	const struct kind *kind = kind_find(val_get_text(row, "kind"));
	struct walk walk = { .errs = &set->errs };
	size_t before = set->errs.count;
	const struct record *over;
	struct val *body;
	int rc = jn_parse(&body, &set->arena, json->str.text, json->str.len, val_get_text(row, "file"), e);

	if (rc != OK)
		return rc;
	if (kind == NULL)
		return err_set(e, ERR_INPUT, "expected a kind of record, found another");
	if (val_get_text(row, "places") != NULL)
		places_restore(body, val_get_text(row, "places"), body->at.file);
	if (!trusted)
		walk_record(&walk, set_fields(kind, body), body);
	if (set->errs.count > before || val_get_text(body, "id") == NULL)
		return OK;
	over = bsearch(&(struct record){ .id = val_get_text(body, "id") }, own, count, sizeof *own, by_id);
	if (over == NULL)
		add_base(set, row, kind, body);
	else
		check_replacing(set, over, kind, body, val_get_text(row, "file"));
	return OK;
}

static int
add_base_decisions(struct set *set, const struct val *rows, struct err *e)
{
	for (size_t i = 0; i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i], *json = val_get(row, "body");
		struct val *list;
		int rc = jn_parse(&list, &set->arena, json->str.text, json->str.len, val_get_text(row, "file"), e);

		if (rc != OK)
			return rc;
		add_decisions(set, list, val_get_text(row, "file"));
	}
	return OK;
}

int
set_add_base(struct set *set, const void *image, size_t len, bool trusted, struct err *e)
{
	size_t count = set->count;
	const struct record *own = own_records(set);
	struct val *rows;
	struct db *db;
	int rc = db_open_image(&db, image, len, e);

	if (rc != OK)
		return rc;
	set->depth++;
	if (set->replaced == NULL)
		set->replaced = val_list(&set->arena);
	rc = db_rows(&rows, &set->arena, db, INGEST_BASE_RECORDS, e, "");
	for (size_t i = 0; rc == OK && i < val_count(rows); i++)
		rc = add_base_record(set, rows->list.items[i], own, count, trusted, e);
	if (rc == OK)
		rc = db_rows(&rows, &set->arena, db, INGEST_BASE_DECISIONS, e, "");
	if (rc == OK)
		rc = add_base_decisions(set, rows, e);
	db_close(db);
	return rc;
}

static int
by_claim(const void *pa, const void *pb)
{
	const struct decisions *a = *(struct decisions *const *)pa, *b = *(struct decisions *const *)pb;
	int order = strcmp(a->id, b->id);

	return order != 0 ? order : a->depth - b->depth;
}

/* By the claims that they are about, as these are called now; those of a layer take the place of those below it. */
static void
sort_decisions(struct set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->decision_count; i++) {
		const struct record *claim = set_find(set, set->decisions[i]->id);

		if (claim != NULL)
			set->decisions[i]->id = claim->id;
	}
	qsort(set->decisions, set->decision_count, sizeof *set->decisions, by_claim);
	for (size_t i = 0; i < set->decision_count; i++) {
		struct decisions *d = set->decisions[i], *before = kept > 0 ? set->decisions[kept - 1] : NULL;

		if (before != NULL && strcmp(before->id, d->id) == 0 && before->depth < d->depth)
			continue;
		if (before != NULL && strcmp(before->id, d->id) == 0)
			errs_add(&set->errs, d->entries->at, "expected the decisions about `%s` in one file, found "
			    "them in `%s` as well", d->id, before->file);
		set->decisions[kept++] = d;
	}
	set->decision_count = kept;
}

static int
by_claim_id(const void *id, const void *d)
{
	return strcmp(id, (*(struct decisions *const *)d)->id);
}

const struct decisions *
set_find_decisions(const struct set *set, const char *id)
{
	struct decisions **found = set->decision_count == 0 ? NULL : bsearch(id, set->decisions, set->decision_count,
	    sizeof *set->decisions, by_claim_id);

	return found != NULL ? *found : NULL;
}

void
set_check(struct set *set)
{
	set_index(set);
	if (set->decision_count > 0)
		sort_decisions(set);
	set_check_standing(set);
	set_check_references(set);
	set_check_rules(set);
	set_check_texts(set);
}

void
set_finish_faults(struct set *set)
{
	set_blank_faults(set);
	errs_sort(&set->errs);
}

void
set_release(struct set *set)
{
	errs_release(&set->errs);
	arena_release(&set->arena);
	*set = (struct set)SET_INIT;
}
