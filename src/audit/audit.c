#include "audit/audit.h"

#include <assert.h>
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
	struct kb *knowledge;
	struct findings *found;
	struct err *e;
	int rc; /* sticky */
};

static enum finding_level
level_of(const struct finding_rule *rule, const char *given)
{
	for (int level = 0; given != NULL && level < FINDING_LEVELS; level++)
		if (strcmp(given, finding_level_name((enum finding_level)level)) == 0)
			return (enum finding_level)level;
	return rule->level;
}

static void
add(struct auditor *au, const char *code, const struct val *row, const char *level, const char *message,
    const char *hint)
{
	const struct finding_rule *rule = finding_rule_find(audit_rules, code);
	const struct val *line = val_get(row, "line"), *column = val_get(row, "col");
	struct place at = { val_get_text(row, "file"), (int)line->number, column != NULL ? (int)column->number : 1 };
	struct finding *f;

	assert(rule != NULL);
	f = findings_add(au->found, rule, at, val_get_text(row, "id"), "%s", message);
	findings_set_level(au->found, f, level_of(rule, level));
	f->hint = hint; /* of the arena, or static */
}

static void
take_row(const struct val *row, void *context)
{
	struct auditor *au = context;
	const char *hint = val_get_text(row, "hint");

	add(au, val_get_text(row, "code"), row, val_get_text(row, "level"), val_get_text(row, "message"),
	    hint != NULL ? arena_strdup(au->a, hint) : NULL);
}

static void
ask(struct auditor *au, struct kb *kb, int statement)
{
	if (au->rc == OK)
		au->rc = db_each(kb_db(kb), statement, take_row, au, au->e, "");
}

/* Reviews that fall due from one day on and before another. */
static void
ask_reviews(struct auditor *au, const char *from, const char *before, const char *of_source, const char *of_user)
{
	struct db *db = kb_db(au->knowledge);

	if (au->rc == OK)
		au->rc = db_each(db, AUDIT_REVIEW_OF_SOURCES, take_row, au, au->e, "sss", from, before, of_source);
	if (au->rc == OK)
		au->rc = db_each(db, AUDIT_REVIEW_OF_USERS, take_row, au, au->e, "sss", from, before, of_user);
}

static void
ask_freshness(struct auditor *au, const struct audit_options *options)
{
	struct val *rows;

	ask_reviews(au, "", options->day, "past-review", "stale");
	if (options->expiring < 0 || au->rc != OK)
		return;
	au->rc = db_rows(&rows, au->a, kb_db(au->knowledge), AUDIT_DAY_AFTER, au->e, "si", options->day,
	    options->expiring);
	if (au->rc == OK)
		ask_reviews(au, options->day, val_get_text(rows->list.items[0], "day"), "expiring", "expiring");
}

static void
ask_positions(struct auditor *au)
{
	if (au->rc == OK)
		au->rc = db_each(kb_db(au->knowledge), AUDIT_NO_POSITION, take_row, au, au->e, "s", bottlenecks);
}

static void
check_model(struct auditor *au, const struct val *row)
{
	const struct val *json = val_get(row, "body");
	struct sizing_model model;
	struct val *body;
	double computed;

	au->rc = jn_parse(&body, au->a, json->str.text, json->str.len, val_get_text(row, "file"), au->e);
	if (au->rc == OK)
		au->rc = profile_model(&model, body, au->e);
	if (au->rc != OK || model.published_total <= 0)
		return;
	computed = sizing_parameters(&model, false);
	if (fabs(computed - model.published_total) > PARAMETERS_APART * model.published_total)
		add(au, "parameters-apart", row,
		    val_get(body, "notes") != NULL || val_get(body, "other_note") != NULL ? "note" : NULL,
		    arena_printf(au->a, "the layers add up to %.1f %% of the published parameters",
		    100 * computed / model.published_total), NULL);
}

static void
check_models(struct auditor *au)
{
	struct val *rows;

	if (au->rc == OK)
		au->rc = db_rows(&rows, au->a, kb_db(au->knowledge), AUDIT_MODELS, au->e, "");
	for (size_t i = 0; au->rc == OK && i < val_count(rows); i++)
		check_model(au, rows->list.items[i]);
}

int
audit(struct audit *out, struct kb *knowledge, struct kb *quarantine, struct arena *a,
    const struct audit_options *options, struct err *e)
{
	static const int questions[] = { AUDIT_UNSOURCED, AUDIT_PRESS_ALONE, AUDIT_DANGLING, AUDIT_CONTRADICTED,
		AUDIT_OUTSIDE, AUDIT_OUTSIDE_BUYER, AUDIT_INDIRECT, AUDIT_INDIRECT_DECLARED, AUDIT_UNSAID, AUDIT_SUSPECT,
		AUDIT_UNUSED, AUDIT_UNUSED_FINDING, AUDIT_NO_QUANTITATIVE, AUDIT_NO_BECAUSE, AUDIT_OPEN, AUDIT_UNPROVEN,
		AUDIT_GAPS, AUDIT_DECOMPOSED };
	struct auditor au = { a, knowledge, &out->found, e, OK };

	findings_init(&out->found, a);
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
		ask(&au, knowledge, questions[i]);
	if (options->strict)
		ask(&au, knowledge, AUDIT_UNREVIEWED);
	ask_freshness(&au, options);
	ask_positions(&au);
	check_models(&au);
	ask(&au, quarantine, AUDIT_STANDING);
	ask(&au, quarantine, AUDIT_QUARANTINED);
	ask(&au, quarantine, AUDIT_UNDER_REVIEW);
	ask(&au, quarantine, AUDIT_DECOMPOSED_WITHHELD);
	if (au.rc == OK)
		au.rc = db_rows(&out->coverage, a, kb_db(knowledge), AUDIT_COVERAGE, e, "s", options->day);
	if (au.rc == OK)
		au.rc = db_rows(&out->summary, a, kb_db(knowledge), AUDIT_SUMMARY, e, "");
	if (au.rc == OK)
		findings_sort(&out->found);
	return au.rc;
}

int
audit_fingerprints(struct val **rows, struct kb *knowledge, struct arena *a, const char *day, struct err *e)
{
	return db_rows(rows, a, kb_db(knowledge), AUDIT_FINGERPRINTS, e, "s", day);
}
