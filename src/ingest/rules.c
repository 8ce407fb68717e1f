#include "ingest/set_int.h"

#include <math.h>
#include <string.h>

#include "ingest/forms.h"
#include "kb/profile.h"
#include "util/buf.h"

/* ---- the grade rule ---- */

struct support
support_of(const struct set *set, const struct val *evidence)
{
	struct support s = { 0 };

	for (size_t i = 0; i < val_count(evidence); i++) {
		const struct val *link = evidence->list.items[i];
		const struct set_finding *f = set_find_finding(set, val_get_text(link, "finding"));
		const char *grade;

		if (f == NULL || !f->verified || strcmp(val_get_text(link, "relation"), "supports") != 0)
			continue;
		grade = val_get_text(f->record->body, "grade");
		s.any |= grade[0] != 'D';
		s.firm |= grade[0] == 'A' || grade[0] == 'B';
		s.reported |= grade[0] == 'C' && yesno(val_get(f->body, "press_reported"), false);
	}
	return s;
}

static void
check_figure_grades(struct set *set, const struct record *claim)
{
	const struct val *figures = val_get(claim->body, "figures");
	bool labelled = yesno(val_get(claim->body, "press_reported"), false);

	for (size_t i = 0; i < val_count(figures); i++) {
		const struct val *ref = val_get(figures->map.entries[i].value, "finding");
		const struct set_finding *f = set_find_finding(set, val_text(ref));
		const char *grade = f == NULL ? "A" : val_get_text(f->record->body, "grade");

		if (grade[0] == 'D')
			errs_add(&set->errs, ref->at, "a figure needs a source of grade A or B, or C reported by "
			    "the press; `%s` is of grade D", val_text(ref));
		else if (grade[0] == 'C' && !(labelled && yesno(val_get(f->body, "press_reported"), false)))
			errs_add(&set->errs, ref->at, "`%s` is of grade C: expected `press_reported: yes` on the "
			    "finding and on the claim", val_text(ref));
	}
}

static void
check_claim(struct set *set, const struct record *claim)
{
	const struct val *body = claim->body, *evidence = val_get(body, "evidence");
	struct support s = support_of(set, evidence);

	if (!s.any)
		errs_add(&set->errs, evidence->at, "expected at least one supporting finding of grade A, B or C");
	check_figure_grades(set, claim);
	if (val_count(val_get(body, "figures")) > 0 && val_get(body, "conditions") == NULL)
		errs_add(&set->errs, val_get(body, "figures")->at,
		    "a claim with figures needs `conditions`: when do they hold");
	for (size_t i = 0; i < val_count(val_get(body, "because")); i++) {
		const struct val *ref = val_get(body, "because")->list.items[i];
		const struct set_part *part = set_find_part(set, ref->str.text);
		const struct val *about = val_get(body, "archetypes");
		bool meant = part == NULL;

		for (size_t k = 0; part != NULL && k < val_count(about); k++)
			meant |= set_find(set, about->list.items[k]->str.text) == part->record;
		if (!meant)
			errs_add(&set->errs, ref->at, "expected a part of an archetype that the claim is about, "
			    "found `%s`", ref->str.text);
	}
}

/* A claim that was sourced once keeps its id in quarantine. */
static void
check_quarantined(struct set *set, const struct record *claim)
{
	if (!claim->fallen && !is_quarantine_id(claim->id) && set_find_decisions(set, claim->id) == NULL)
		errs_add(&set->errs, val_get(claim->body, "id")->at,
		    "expected an id of the form q-NN for a quarantined claim");
}

/* ---- archetypes ---- */

/* A lever cannot both be offered and misread the buyer. */
static void
check_not_in(struct set *set, const struct val *ref, const struct val *list)
{
	for (size_t i = 0; i < val_count(list); i++)
		if (set_find(set, list->list.items[i]->str.text) == set_find(set, ref->str.text))
			errs_add(&set->errs, ref->at, "`%s` stands among the levers of this position as well",
			    ref->str.text);
}

static void
check_position(struct set *set, const struct val *position)
{
	static const char *const wanted[] = { "focus", "levers", "misreads", "first_question", NULL };
	const struct val *when = val_get(position, "when");
	bool occurs = yesno(val_get(position, "occurs"), true);
	size_t phases = 0;

	for (size_t i = 0; i < val_count(when); i++)
		phases += strcmp(when->map.entries[i].key, "ratio") != 0;
	if (phases != 1)
		errs_add(&set->errs, when->at, "expected one of capacity, prefill and decode, found %zu", phases);
	if (!occurs && val_get(position, "why") == NULL)
		errs_add(&set->errs, position->at, "a combination that does not occur needs `why`");
	for (int i = 0; occurs && wanted[i] != NULL; i++)
		if (val_get(position, wanted[i]) == NULL)
			errs_add(&set->errs, position->at, "expected the key `%s`, found none", wanted[i]);
	for (size_t i = 0; i < val_count(val_get(position, "misreads")); i++)
		check_not_in(set, val_get(position, "misreads")->list.items[i], val_get(position, "levers"));
	if (val_count(val_get(position, "misreads")) > 0 && val_get(position, "misreads_why") == NULL)
		errs_add(&set->errs, val_get(position, "misreads")->at,
		    "levers that misread this buyer need `misreads_why`");
}

static bool
same_bottleneck(const struct val *a, const struct val *b)
{
	static const char *const keys[] = { "capacity", "prefill", "decode", "ratio.kv_to_weights" };

	for (int i = 0; i < 4; i++) {
		const char *x = val_text(val_path(a, keys[i])), *y = val_text(val_path(b, keys[i]));

		if ((x == NULL) != (y == NULL) || (x != NULL && strcmp(x, y) != 0))
			return false;
	}
	return true;
}

static void
check_positions(struct set *set, const struct val *positions)
{
	for (size_t i = 0; i < val_count(positions); i++) {
		const struct val *p = positions->list.items[i];

		check_position(set, p);
		for (size_t k = 0; k < i; k++)
			if (same_bottleneck(val_get(p, "when"), val_get(positions->list.items[k], "when")))
				errs_add(&set->errs, p->at, "expected one position a bottleneck, found a second one "
				    "(the first is in line %d)", positions->list.items[k]->at.line);
	}
}

/* Has a claim about this archetype a figure, or evidence that is one? */
static bool
is_quantitative(const struct set *set, const struct record *claim)
{
	const struct val *evidence = val_get(claim->body, "evidence");

	if (val_count(val_get(claim->body, "figures")) > 0)
		return true;
	for (size_t i = 0; i < val_count(evidence); i++) {
		const struct set_finding *f = set_find_finding(set,
		    val_get_text(evidence->list.items[i], "finding"));

		if (f != NULL && f->verified && val_get(f->body, "value") != NULL)
			return true;
	}
	return false;
}

static bool
is_about(const struct set *set, const struct record *claim, const struct record *archetype)
{
	const struct val *about = val_get(claim->body, "archetypes");

	for (size_t i = 0; i < val_count(about); i++)
		if (set_find(set, about->list.items[i]->str.text) == archetype)
			return true;
	return false;
}

bool
set_is_quantitative(const struct set *set, const struct record *archetype)
{
	size_t count;
	const struct set_about *about = set_find_about(set, archetype, &count);

	for (size_t i = 0; i < count; i++)
		if (about[i].claim->kind->id == KIND_CLAIM && is_quantitative(set, about[i].claim))
			return true;
	return false;
}

/* Has one about it fallen? Then what the archetype declares was right, and is overruled while that lasts. */
static bool
has_fallen(const struct set *set, const struct record *archetype)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->records[i].fallen && is_about(set, &set->records[i], archetype))
			return true;
	return false;
}

/* Declaration and evidence must agree; and without evidence there is no figure anywhere. */
static void
check_declaration(struct set *set, const struct record *archetype)
{
	const struct val *declared = val_get(archetype->body, "quantitative");
	const struct val *workload = val_get(archetype->body, "reference_workload");
	bool quantitative = yesno(declared, false);
	size_t count;
	const struct set_about *about = set_find_about(set, archetype, &count);

	for (size_t i = 0; !quantitative && i < count; i++) {
		const struct record *claim = about[i].claim;

		if (claim->kind->id == KIND_CLAIM && is_quantitative(set, claim) &&
		    (i == 0 || about[i - 1].claim != claim))
			errs_add(&set->errs, val_get(claim->body, "id")->at,
			    "`%s` is declared without quantitative evidence, and this claim about it has a figure",
			    archetype->id);
	}
	if (quantitative && !set_is_quantitative(set, archetype) && !has_fallen(set, archetype))
		errs_add(&set->errs, declared->at,
		    "expected `no`: no claim about `%s` has verified quantitative evidence", archetype->id);
	if (quantitative)
		return;
	if (val_count(val_get(archetype->body, "figures")) > 0)
		errs_add(&set->errs, val_get(archetype->body, "figures")->at,
		    "an archetype without quantitative evidence holds no figures");
	for (size_t i = 0; i < val_count(workload); i++)
		if (val_get(workload->map.entries[i].value, "value") != NULL)
			errs_add(&set->errs, workload->map.entries[i].at,
			    "an archetype without quantitative evidence assumes nothing: expected only `ask`");
}

/* An objection may be open; an answer without its limits is none. */
static void
check_objections(struct set *set, const struct val *objections)
{
	for (size_t i = 0; i < val_count(objections); i++) {
		const struct val *o = objections->list.items[i];

		if (val_get(o, "answer") != NULL && val_get(o, "right_when") == NULL)
			errs_add(&set->errs, o->at, "expected the key `right_when` beside `answer`, found none");
	}
}

static void
check_archetype(struct set *set, const struct record *archetype)
{
	const struct val *pains = val_get(archetype->body, "pains");

	for (size_t i = 0; i < val_count(pains); i++) {
		const struct record *claim = set_find(set, pains->list.items[i]->str.text);

		if (claim != NULL && claim->kind->id == KIND_CLAIM && !is_about(set, claim, archetype))
			errs_add(&set->errs, pains->list.items[i]->at,
			    "expected a claim about `%s`, found `%s`, which is not", archetype->id, claim->id);
	}
	check_objections(set, val_get(archetype->body, "objections"));
	check_positions(set, val_get(archetype->body, "positions"));
	check_declaration(set, archetype);
}

/* ---- machines: one source a figure ---- */

static void
needs_source(struct set *set, const struct record *r, const char *figure, const char *source)
{
	const struct val *value = val_path(r->body, figure);
	const struct val *sources = val_get(r->body, "sources");

	if (value != NULL && val_get(sources, source) == NULL)
		errs_add(&set->errs, value->at, "expected a source for `%s`: a key `%s` in sources", figure,
		    source);
}

static void
check_machine(struct set *set, const struct record *r)
{
	static const char *const figures[][2] = { { "memory.printed", "memory" },
		{ "memory.visible", "visible" }, { "memory.framework", "framework" },
		{ "memory.bandwidth", "bandwidth" }, { "dense_peak", "dense_peak" }, { "link", "link" },
		{ "link.pairwise", "pairwise" }, { "link.latency", "latency" }, { "link.node", "node" },
		{ "network", "network" }, { "achieved.bf16", "achieved" }, { "achieved.fp8", "achieved_fp8" },
		{ "achieved.bandwidth", "achieved_bandwidth" }, { "power", "power" }, { "capacity.per_device", "capacity" }, { "read.headline", "read" },
		{ "read.sustained", "sustained" }, { "latency", "latency" }, { "endurance", "endurance" } };

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		needs_source(set, r, figures[i][0], figures[i][1]);
}

static void
check_device(struct set *set, const struct record *r)
{
	struct sizing_device device;
	struct sizing_error wrong;

	profile_device(&device, r->body);
	if (!profile_can_be_sized(NULL, &device, &wrong))
		errs_add(&set->errs, r->body->at, "%s: %s", wrong.field, wrong.reason);
}

/* What a lever multiplies by is more than one, and within what anyone could build. */
static void
check_lever(struct set *set, const struct record *r)
{
	static const char *const keys[] = { "device_bytes", "device_bandwidth", NULL };

	for (int i = 0; keys[i] != NULL; i++) {
		const struct val *factor = val_get(val_get(r->body, "change"), keys[i]);
		struct quantity q;

		if (factor != NULL && value_of(&q, factor) && (q.value <= 1 || q.value > 16))
			errs_add(&set->errs, factor->at, "expected a factor above 1 and up to 16, found `%s`",
			    factor->str.text);
	}
}

/* A number of parameters the maker states, beside what the fields of the profile add up to. */
static void
check_published(struct set *set, const struct record *r, const char *key, double computed, double tolerance)
{
	const struct val *published = val_get(r->body, "published"), *stated = val_get(published, key);
	struct quantity q;

	if (stated == NULL || !value_of(&q, stated) || !(computed > 0) ||
	    val_get(published, "difference") != NULL || fabs(computed / q.value - 1) <= tolerance)
		return;
	errs_add(&set->errs, stated->at, "the profile adds up to %.2fe9 parameters (%s) and %.2fe9 are published: "
	    "expected fields within %g %% of that, or `difference`, which says why not", computed / 1e9, key,
	    q.value / 1e9, 100 * tolerance);
}

/*
 * An engine shards whole key heads: a key row is whole heads as wide as the query's, and each of
 * them serves as many query heads. A latent, a compressed row or an index key serves them all.
 */
static void
check_heads(struct set *set, const struct record *r, const struct sizing_model *model)
{
	const struct val *groups = val_get(r->body, "groups");

	for (size_t i = 0; i < model->group_count; i++) {
		const struct sizing_group *g = &model->groups[i];
		double heads = g->query_width > 0 ? g->key_width / g->query_width : 0;

		if (!(g->heads > 0) || !(heads > 0) || !(g->value_width > 0))
			continue;
		if (heads != floor(heads) || fmod(g->heads, heads) != 0)
			errs_add(&set->errs, groups->list.items[i]->at, "expected key_width / query_width to be a "
			    "whole number of key heads that divides the %.0f query heads, found %.0f / %.0f",
			    g->heads, g->key_width, g->query_width);
	}
}

/* Published totals are rounded to three digits or so, active ones often to one or two. */
static void
check_model(struct set *set, const struct record *r)
{
	struct err e = ERR_INIT;
	struct sizing_error wrong;
	struct sizing_model model;

	if (profile_model(&model, r->body, &e) != OK)
		errs_take(&set->errs, &e);
	else if (!profile_can_be_sized(&model, NULL, &wrong))
		errs_add(&set->errs, r->body->at, "%s: %s", wrong.field, wrong.reason);
	else if (sizing_parameters(&model, false) <= 0 && model.published_total <= 0)
		errs_add(&set->errs, r->body->at, "expected a model with parameters, found none");
	else {
		check_published(set, r, "total", sizing_parameters(&model, false), 0.02);
		check_published(set, r, "active", sizing_parameters(&model, true), 0.05);
		check_heads(set, r, &model);
	}
}

/* Ids of the quarantine are for what is in it, or was. */
static void
check_name(struct set *set, const struct record *r, const struct val *name)
{
	if (r->kind->id != KIND_QUARANTINE && r->kind->id != KIND_CLAIM && is_quarantine_id(val_text(name)))
		errs_add(&set->errs, name->at, "`%s` is an id of the quarantine: only a quarantined claim may have it",
		    val_text(name));
}

void
set_check_rules(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct record *r = &set->records[i];
		const struct val *aliases = val_get(r->body, "aliases");

		check_name(set, r, val_get(r->body, "id"));
		for (size_t k = 0; k < val_count(aliases); k++)
			check_name(set, r, aliases->list.items[k]);
		switch (r->kind->id) {
		case KIND_CLAIM:
			check_claim(set, r);
			break;
		case KIND_QUARANTINE:
			check_quarantined(set, r);
			break;
		case KIND_ARCHETYPE:
			check_archetype(set, r);
			break;
		case KIND_ACCELERATOR:
			check_device(set, r);
			check_machine(set, r);
			break;
		case KIND_TIER:
			check_machine(set, r);
			break;
		case KIND_LEVER:
			check_lever(set, r);
			break;
		case KIND_MODEL:
			check_model(set, r);
			break;
		default:
			break;
		}
	}
}
