#include "audit/audit.h"

#include <math.h>
#include <string.h>

#include "db/db.h"
#include "json/jn.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "sql.h"

/* A difference between computed and published parameters that a profile should explain. */
#define PARAMETERS_APART 0.02

static const char bottlenecks[] = "[\"capacity.weights\",\"capacity.kv\",\"capacity.state\","
    "\"capacity.index\",\"decode.weights\",\"decode.kv\",\"decode.state\",\"decode.attention-compute\","
    "\"decode.linear-compute\",\"decode.interconnect\",\"prefill.weights\",\"prefill.kv\","
    "\"prefill.state\",\"prefill.attention-compute\",\"prefill.linear-compute\","
    "\"prefill.interconnect\"]";

struct auditor {
	struct arena *a;
	struct audit *out;
	struct err *e;
	int rc;
};

static void
take_rows(struct auditor *au, const struct val *rows)
{
	for (size_t i = 0; i < val_count(rows); i++) {
		val_push(au->a, au->out->rows, rows->list.items[i]);
		if (strcmp(val_get_text(rows->list.items[i], "severity"), "note") != 0)
			au->out->faults++;
	}
}

static void
ask(struct auditor *au, struct kb *kb, int statement, const char *argument)
{
	struct val *rows;

	if (au->rc != OK)
		return;
	au->rc = argument != NULL
	    ? db_rows(&rows, au->a, kb_db(kb), statement, au->e, "s", argument)
	    : db_rows(&rows, au->a, kb_db(kb), statement, au->e, "");
	if (au->rc == OK)
		take_rows(au, rows);
}

static void
add(struct auditor *au, const struct val *row, const char *severity, const char *code,
    const char *message)
{
	struct val *out = val_push(au->a, au->out->rows, val_map(au->a));

	val_put(au->a, out, "severity", val_str(au->a, severity));
	val_put(au->a, out, "code", val_str(au->a, code));
	val_put(au->a, out, "id", val_str(au->a, val_get_text(row, "id")));
	val_put(au->a, out, "place", val_strf(au->a, "%s:%.0f", val_get_text(row, "file"),
	    val_get(row, "line")->number));
	val_put(au->a, out, "message", val_str(au->a, message));
	if (strcmp(severity, "note") != 0)
		au->out->faults++;
}

/* Texts that have one language only: {en: ...} without ko, or the other way round. */
static void
find_missing(struct auditor *au, const struct val *row, const struct val *v, const char *path)
{
	const struct val *en = val_get(v, "en"), *ko = val_get(v, "ko");

	if ((en == NULL) != (ko == NULL) && val_count(v) == 1 &&
	    (val_is(en, VAL_STR) || val_is(ko, VAL_STR)))
		add(au, row, "warning", "missing-language", arena_printf(au->a, "%s: no text in %s", path,
		    en == NULL ? "English" : "Korean"));
	for (size_t i = 0; val_is(v, VAL_MAP) && i < v->map.count; i++)
		find_missing(au, row, v->map.entries[i].value, arena_printf(au->a, "%s%s%s", path,
		    path[0] != '\0' ? "." : "", v->map.entries[i].key));
	for (size_t i = 0; val_is(v, VAL_LIST) && i < v->list.count; i++)
		find_missing(au, row, v->list.items[i], arena_printf(au->a, "%s.%zu", path, i));
}

static void
check_parameters(struct auditor *au, const struct val *row, const struct val *body)
{
	struct sizing_model model;
	double computed;

	au->rc = profile_model(&model, body, au->e);
	if (au->rc != OK || model.published_total <= 0)
		return;
	computed = sizing_parameters(&model, false);
	if (fabs(computed - model.published_total) > PARAMETERS_APART * model.published_total)
		add(au, row, val_get(body, "notes") != NULL || val_get(body, "other_note") != NULL ? "note" : "warning",
		    "parameters-apart", arena_printf(au->a,
		    "the layers add up to %.1f %% of the published parameters", 100 * computed / model.published_total));
}

static void
check_bodies(struct auditor *au, struct kb *kb)
{
	struct val *rows;

	if (au->rc == OK)
		au->rc = db_rows(&rows, au->a, kb_db(kb), AUDIT_BODIES, au->e, "");
	for (size_t i = 0; au->rc == OK && i < val_count(rows); i++) {
		const struct val *row = rows->list.items[i];
		const struct val *json = val_get(row, "body");
		struct val *body;

		au->rc = jn_parse(&body, au->a, json->str.text, json->str.len, val_get_text(row, "file"), au->e);
		if (au->rc != OK)
			return;
		find_missing(au, row, body, "");
		if (strcmp(val_get_text(row, "kind"), "model") == 0)
			check_parameters(au, row, body);
	}
}

int
audit(struct audit *out, struct kb *knowledge, struct kb *quarantine, struct arena *a,
    const char *today, struct err *e)
{
	struct auditor au = { a, out, e, OK };

	*out = (struct audit){ val_list(a), 0, NULL };
	ask(&au, knowledge, AUDIT_UNSOURCED, NULL);
	ask(&au, knowledge, AUDIT_DANGLING, NULL);
	ask(&au, quarantine, AUDIT_STANDING, NULL);
	if (today != NULL)
		ask(&au, knowledge, AUDIT_EXPIRED, today);
	ask(&au, knowledge, AUDIT_NO_POSITION, bottlenecks);
	ask(&au, knowledge, AUDIT_NO_BECAUSE, NULL);
	ask(&au, knowledge, AUDIT_UNANSWERED, NULL);
	check_bodies(&au, knowledge);
	ask(&au, knowledge, AUDIT_NO_QUANTITATIVE, NULL);
	ask(&au, knowledge, AUDIT_CONTRADICTED, NULL);
	ask(&au, knowledge, AUDIT_UNUSED, NULL);
	ask(&au, quarantine, AUDIT_QUARANTINED, NULL);
	ask(&au, quarantine, AUDIT_UNDER_REVIEW, NULL);
	if (au.rc == OK)
		au.rc = db_rows(&out->summary, a, kb_db(knowledge), AUDIT_SUMMARY, e, "");
	return au.rc;
}
