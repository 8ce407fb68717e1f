#include "advise/workload_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/range.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "plan/grid.h"
#include "plan/layout.h"

static const struct {
	const char *name;
	enum dimension dimension; /* DIM_ANY: not a number */
} inputs[INPUT_COUNT] = {
	[INPUT_MODEL] = { "model", DIM_ANY },
	[INPUT_ACCELERATOR] = { "accelerator", DIM_ANY },
	[INPUT_WEIGHTS] = { "weights", DIM_ANY },
	[INPUT_KV] = { "kv", DIM_ANY },
	[INPUT_PROMPT] = { "prompt", DIM_TOKENS },
	[INPUT_OUTPUT] = { "output", DIM_TOKENS },
	[INPUT_CONTEXT] = { "context", DIM_TOKENS },
	[INPUT_CONCURRENCY] = { "concurrency", DIM_COUNT },
	[INPUT_REQUESTS] = { "requests_per_second", DIM_COUNT },
	[INPUT_SESSIONS] = { "sessions", DIM_COUNT },
	[INPUT_REUSE] = { "reuse", DIM_RATIO },
	[INPUT_ACCELERATORS] = { "accelerators", DIM_COUNT },
	[INPUT_REPLICAS] = { "replicas", DIM_COUNT },
	[INPUT_MEMORY] = { "memory_available", DIM_BYTES },
	[INPUT_USABLE] = { "usable", DIM_RATIO },
	[INPUT_TTFT] = { "ttft", DIM_SECONDS },
	[INPUT_TPOT] = { "tpot", DIM_SECONDS },
	[INPUT_TIERS] = { "tiers", DIM_ANY },
	[INPUT_GOAL] = { "goal", DIM_ANY },
	[INPUT_TENSORS] = { "tensors", DIM_ANY },
	[INPUT_ACTIVATIONS] = { "activations", DIM_ANY },
	[INPUT_LENGTHS] = { "lengths", DIM_ANY },
	[INPUT_LAYOUT] = { "layout", DIM_ANY },
	[INPUT_NODE] = { "node", DIM_COUNT },
	[INPUT_PREFILL_CHUNK] = { "prefill_chunk", DIM_TOKENS },
	[INPUT_RUNTIME] = { "runtime", DIM_BYTES },
	[INPUT_RATES] = { "rates", DIM_ANY },
	[INPUT_EFFICIENCY] = { "efficiency", DIM_RATIO },
	[INPUT_BANDWIDTH_EFFICIENCY] = { "bandwidth_efficiency", DIM_RATIO },
	[INPUT_IMBALANCE] = { "expert_imbalance", DIM_RATIO },
	[INPUT_DRAFT_TOKENS] = { "draft_tokens", DIM_TOKENS },
	[INPUT_ACCEPTANCE] = { "acceptance", DIM_RATIO },
	[INPUT_DRAFT_COST] = { "draft_cost", DIM_RATIO },
	[INPUT_ENGINE] = { "engine", DIM_ANY },
	[INPUT_MICRO_BATCH] = { "micro_batch", DIM_TOKENS },
};

const char *
input_name(enum input_id id)
{
	return inputs[id].name;
}

static bool
is_unknown(const struct val *v)
{
	return v == NULL || (val_is(v, VAL_STR) && strcmp(v->str.text, "unknown") == 0);
}

/* A range: the answer is for the end that asks for more. false: it is none. */
static bool
set_range(struct input *in, enum input_id id, const struct val *v, enum quantity_kind kind)
{
	if (!quantity_is_range(v->str.text, v->str.len))
		return false;
	in->range = quantity_parse_range(&in->low, &in->high, v->str.text, v->str.len, inputs[id].dimension) == NULL;
	in->known = in->range;
	in->low.kind = in->high.kind = kind;
	in->low.ref = in->high.ref = inputs[id].name;
	in->q = range_end(id) == RANGE_LOW ? in->low : in->high;
	return true;
}

/* Take one value, stated or assumed; its form was checked. */
static void
set_input(struct input *in, enum input_id id, const struct val *v, enum quantity_kind kind)
{
	in->known = true;
	in->kind = kind;
	if (val_is(v, VAL_MAP) || val_is(v, VAL_LIST)) {
		in->profile = v;
		in->text = val_get_text(v, "name");
		return;
	}
	in->text = val_text(v);
	if (in->text == NULL || inputs[id].dimension == DIM_ANY || set_range(in, id, v, kind))
		return;
	if (quantity_parse(&in->q, v->str.text, v->str.len, inputs[id].dimension) != NULL)
		in->known = false;
	in->q.kind = kind;
	in->q.ref = inputs[id].name;
}

/*
 * From the file, else from the archetype's reference workload. Some inputs say nothing by
 * being left out: how many accelerators they need, no target, as many sessions as sequences.
 */
static void
choose(struct workload *w, enum input_id id, const struct val *stated, const struct val *reference,
    bool quantitative)
{
	static const bool silent[INPUT_COUNT] = { [INPUT_CONTEXT] = true, [INPUT_REQUESTS] = true,
		[INPUT_SESSIONS] = true, [INPUT_ACCELERATORS] = true, [INPUT_REPLICAS] = true,
		[INPUT_USABLE] = true, [INPUT_TTFT] = true, [INPUT_TPOT] = true };
	bool left_out = stated == NULL && (silent[id] || id >= INPUT_TENSORS);
	struct input *in = &w->inputs[id];
	const struct val *item = val_get(reference, inputs[id].name);

	if (!is_unknown(stated)) {
		set_input(in, id, stated, QUANTITY_STATED);
		return;
	}
	if (left_out)
		return;
	in->ask = val_get(item, "ask");
	if (quantitative && val_get(item, "value") != NULL) {
		set_input(in, id, val_get(item, "value"), QUANTITY_ASSUMED);
		in->why = val_get(item, "why");
	}
}

static int
find_profiles(struct workload *w, struct kb *kb, struct arena *a, struct err *e)
{
	const struct input *model = &w->inputs[INPUT_MODEL], *device = &w->inputs[INPUT_ACCELERATOR];
	struct val *body;
	int rc = OK;

	w->model = model->profile;
	w->device = device->profile;
	if (model->known && w->model == NULL) {
		rc = kb_record(&body, kb, a, model->text, "model", e);
		w->model = body;
	}
	if (rc == OK && device->known && w->device == NULL) {
		rc = kb_record(&body, kb, a, device->text, "accelerator", e);
		w->device = body;
	}
	return rc;
}

static int
find_tiers(struct workload *w, struct kb *kb, struct arena *a, const struct val *list, struct err *e)
{
	for (size_t i = 0; i < val_count(list) && w->tier_count < SIZING_MAX_TIERS; i++) {
		struct tier_input *tier = &w->tiers[w->tier_count];
		struct val *body;
		int rc = kb_record(&body, kb, a, val_text(list->list.items[i]), "tier", e);

		if (rc != OK)
			return rc;
		tier->id = val_get_text(body, "id");
		tier->body = body;
		w->tier_count++;
	}
	return OK;
}

double
workload_number(const struct workload *w, enum input_id id, double missing)
{
	return w->inputs[id].known ? w->inputs[id].q.value : missing;
}

static const struct sizing_dtype *
dtype(const struct workload *w, enum input_id id)
{
	return w->inputs[id].known ? sizing_dtype_find(w->inputs[id].text) : NULL;
}

void
workload_set_load(struct workload *w)
{
	struct sizing_load *load = &w->in.load;

	if (w->inputs[INPUT_USABLE].known)
		w->in.device.usable_fraction = w->inputs[INPUT_USABLE].q.value;
	w->in.device.usable_bytes = workload_number(w, INPUT_MEMORY, 0);
	load->prompt = workload_number(w, INPUT_PROMPT, 0);
	if (load->prompt > 0)
		load->prompt += w->index.prompt_tokens;
	load->output = workload_number(w, INPUT_OUTPUT, 0);
	load->context = workload_number(w, INPUT_CONTEXT, 0);
	load->concurrency = workload_number(w, INPUT_CONCURRENCY, 0);
	load->sessions = workload_number(w, INPUT_SESSIONS, 0);
	load->reuse = workload_number(w, INPUT_REUSE, -1);
	load->accelerators = workload_number(w, INPUT_ACCELERATORS, 0);
	load->ttft = workload_number(w, INPUT_TTFT, 0);
	load->tpot = workload_number(w, INPUT_TPOT, 0);
}

static int
fill(struct workload *w, struct err *e)
{
	struct sizing_load *load = &w->in.load;

	if (w->model != NULL) {
		int rc = profile_model(&w->in.model, w->model, e);

		if (rc != OK)
			return rc;
	}
	if (w->device != NULL)
		profile_device(&w->in.device, w->device);
	load->weights = dtype(w, INPUT_WEIGHTS);
	load->kv = dtype(w, INPUT_KV);
	load->activations = dtype(w, INPUT_ACTIVATIONS);
	workload_set_load(w);
	return workload_fill_machine(w, e);
}

/* A model of recurrent states alone has no KV, and no precision of it. */
static bool
keeps_rows(const struct sizing_model *m)
{
	for (size_t i = 0; i < m->group_count; i++)
		if (m->groups[i].key_width + m->groups[i].value_width + m->groups[i].row_bytes > 0)
			return true;
	return false;
}

bool
workload_is_complete(struct workload *w)
{
	static const enum input_id needed[] = { INPUT_MODEL, INPUT_ACCELERATOR, INPUT_WEIGHTS };

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!w->inputs[needed[i]].known)
			return w->missing = needed[i], false;
	if (!w->inputs[INPUT_KV].known && keeps_rows(&w->in.model))
		return w->missing = INPUT_KV, false;
	if (!w->inputs[INPUT_PROMPT].known && !w->inputs[INPUT_CONTEXT].known && w->in.load.context == 0)
		return w->missing = INPUT_PROMPT, false;
	if (!w->inputs[INPUT_CONCURRENCY].known && !w->inputs[INPUT_REQUESTS].known)
		return w->missing = INPUT_CONCURRENCY, false;
	if (w->in.device.shared && !w->inputs[INPUT_MEMORY].known)
		return w->missing = INPUT_MEMORY, false;
	return true;
}

const char *
workload_field(const char *field)
{
	if (strcmp(field, "device.usable_bytes") == 0)
		return "memory_available";
	return strncmp(field, "load.", 5) == 0 ? field + 5 : field;
}

static int
refused(const struct workload *w, const struct sizing_error *wrong, struct err *e)
{
	if (wrong->index >= 0)
		return err_at(e, ERR_INPUT, w->at, "workload `%s`: %s (number %d): %s", w->id,
		    workload_field(wrong->field), wrong->index + 1, wrong->reason);
	return err_at(e, ERR_INPUT, w->at, "workload `%s`: %s: %s", w->id, workload_field(wrong->field),
	    wrong->reason);
}

static int
run_engine(struct workload *w, struct err *e)
{
	struct sizing_error wrong;

	return plan_run(&w->out, &w->in, &wrong) == 0 ? OK : refused(w, &wrong, e);
}

/* The tiers beside as many devices as it takes, which the first run tells. */
static int
run_with_tiers(struct workload *w, struct err *e)
{
	int rc = run_engine(w, e);

	if (rc != OK || w->tier_count == 0)
		return rc;
	w->in.tier_count = w->tier_count;
	for (size_t i = 0; i < w->tier_count; i++)
		profile_tier(&w->in.tiers[i], &w->tiers[i].units, w->tiers[i].body,
		    w->out.budget.devices, w->out.idle_kv_bytes);
	return run_engine(w, e);
}

/* Each of the replicas takes its share of the requests. */
static int
solve_concurrency(struct workload *w, struct err *e)
{
	double rate = w->inputs[INPUT_REQUESTS].q.value;
	struct sizing_error wrong;
	int found;

	if (w->inputs[INPUT_REPLICAS].known)
		rate /= w->inputs[INPUT_REPLICAS].q.value;
	found = plan_concurrency(&w->out, &w->in, rate, PLAN_FULL, &wrong);
	w->starved = found == 0;
	return found < 0 ? refused(w, &wrong, e) : OK;
}

/* What the engine named reserves for the load that was sized. */
static int
reserve(struct workload *w, struct err *e)
{
	struct sizing_engine engine = { .micro_batch = workload_number(w, INPUT_MICRO_BATCH, 0) };
	struct sizing_load load = w->in.load;
	struct sizing_error wrong;
	int kind = w->inputs[INPUT_ENGINE].known ? sizing_engine_find(w->inputs[INPUT_ENGINE].text) : 0;

	w->reserved = (struct sizing_reserved){ 0 };
	if (kind <= SIZING_ENGINE_NONE)
		return OK;
	engine.kind = (enum sizing_engine_kind)kind;
	load.context = w->out.context;
	if (sizing_reserve(&w->reserved, &w->in.model, &load, &engine, &wrong) == 0)
		return OK;
	return refused(w, &wrong, e);
}

int
workload_size(struct workload *w, struct err *e)
{
	int rc;

	w->sized = false;
	if (!workload_is_complete(w))
		return OK;
	rc = w->in.load.concurrency > 0 ? OK : solve_concurrency(w, e);
	if (rc == OK && !w->starved)
		rc = run_with_tiers(w, e);
	if (rc == OK && !w->starved)
		rc = reserve(w, e);
	w->sized = rc == OK && !w->starved;
	return rc;
}

/* An index whose vectors, dimensions or kind are not known has no size; its chunks count without it. */
static int
read_retrieval(struct workload *w, const struct val *index, struct err *e)
{
	struct sizing_retrieval r = {
		.vectors = round(profile_number(val_get(index, "vectors"), DIM_COUNT, 0)),
		.dims = profile_number(val_get(index, "dims"), DIM_COUNT, 0),
		.chunks = profile_number(val_get(index, "chunks"), DIM_COUNT, 0),
		.chunk_tokens = profile_number(val_get(index, "chunk_tokens"), DIM_TOKENS, 0),
	};
	int kind = sizing_index_find(val_get_text(index, "index"));
	struct sizing_error wrong;

	w->retrieval = val_is(index, VAL_MAP);
	w->index.prompt_tokens = r.chunks * r.chunk_tokens;
	if (kind < 0 || !(r.vectors * r.dims > 0))
		return OK;
	r.kind = (enum sizing_index_kind)kind;
	if (sizing_index_size(&w->index, &r, &wrong) == 0) {
		w->room = sizing_index_room(w->index.bytes, profile_number(val_get(index, "host_memory"), DIM_BYTES, 0));
		return OK;
	}
	return err_at(e, ERR_INPUT, index->at, "workload `%s`: %s: %s", w->id, wrong.field, wrong.reason);
}

static int
read_workload(struct workload *w, struct kb *kb, struct arena *a, const struct customer *c,
    const struct val *entry, struct err *e)
{
	const struct val *reference = val_get(c->archetype_body, "reference_workload");
	const struct val *tiers = val_get(c->body, "tiers");
	const struct val *targets = val_get(c->body, "targets");
	int rc;

	w->id = val_get_text(entry, "id");
	w->at = entry->at;
	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct val *stated = val_get(entry, inputs[i].name);

		if (i == INPUT_TTFT || i == INPUT_TPOT)
			stated = is_unknown(targets) ? targets : val_get(targets, inputs[i].name);
		else if (stated == NULL && (i == INPUT_MEMORY || i == INPUT_GOAL))
			stated = val_get(c->body, inputs[i].name);
		if (i != INPUT_TIERS)
			choose(w, (enum input_id)i, stated, reference, c->quantitative);
	}
	/* Requests per second that the customer stated decide the sequences, not the reference. */
	if (w->inputs[INPUT_REQUESTS].known && w->inputs[INPUT_CONCURRENCY].kind == QUANTITY_ASSUMED)
		w->inputs[INPUT_CONCURRENCY] = (struct input){ .known = false };
	/* No fewer sessions are kept than are decoded: an assumed number gives way to a stated load. */
	if (w->inputs[INPUT_SESSIONS].kind == QUANTITY_ASSUMED && (w->inputs[INPUT_REQUESTS].known ||
	    w->inputs[INPUT_SESSIONS].q.value < w->inputs[INPUT_CONCURRENCY].q.value))
		w->inputs[INPUT_SESSIONS].known = false;
	rc = read_retrieval(w, val_get(entry, "retrieval"), e);
	if (rc == OK)
		rc = find_profiles(w, kb, a, e);
	if (rc == OK)
		rc = fill(w, e);
	w->inputs[INPUT_TIERS].kind = QUANTITY_STATED;
	if (is_unknown(tiers)) {
		const struct val *item = val_get(reference, "tiers");

		tiers = c->quantitative ? val_get(item, "value") : NULL;
		w->inputs[INPUT_TIERS].kind = QUANTITY_ASSUMED;
		w->inputs[INPUT_TIERS].ask = val_get(item, "ask");
		w->inputs[INPUT_TIERS].why = val_get(item, "why");
	}
	w->inputs[INPUT_TIERS].known = tiers != NULL;
	if (rc == OK)
		rc = find_tiers(w, kb, a, tiers, e);
	if (rc == OK)
		rc = workload_size(w, e);
	return rc == OK ? range_fill(w, a, e) : rc;
}

int
customer_read(struct customer *out, struct kb *kb, struct arena *a, const struct val *file,
    struct err *e)
{
	const struct val *entries = val_get(file, "workloads");
	const char *quantitative;
	struct val *body;
	int rc;

	memset(out, 0, sizeof *out);
	out->body = file;
	out->id = val_get_text(file, "customer");
	rc = kb_record(&body, kb, a, val_get_text(file, "archetype"), "archetype", e);
	if (rc != OK)
		return rc;
	out->archetype_body = body;
	out->archetype = val_get_text(body, "id");
	quantitative = val_get_text(body, "quantitative");
	out->quantitative = quantitative != NULL && strcmp(quantitative, "yes") == 0;
	out->workload_count = val_count(entries);
	if (out->workload_count > CUSTOMER_WORKLOADS)
		return err_at(e, ERR_INPUT, entries->at, "expected at most %d workloads, found %zu",
		    CUSTOMER_WORKLOADS, out->workload_count);
	out->workloads = arena_alloc(a, (out->workload_count + 1) * sizeof *out->workloads);
	for (size_t i = 0; rc == OK && i < out->workload_count; i++)
		rc = read_workload(&out->workloads[i], kb, a, out, entries->list.items[i], e);
	return rc;
}

int
workload_read_options(struct workload *out, struct kb *kb, struct arena *a,
    const struct val *options, struct err *e)
{
	int rc;

	memset(out, 0, sizeof *out);
	out->id = "run";
	for (int i = 0; i < INPUT_COUNT; i++) {
		const struct val *stated = val_get(options, inputs[i].name);

		if (stated != NULL && i != INPUT_TIERS)
			set_input(&out->inputs[i], (enum input_id)i, stated, QUANTITY_STATED);
	}
	rc = find_profiles(out, kb, a, e);
	if (rc == OK)
		rc = fill(out, e);
	if (rc == OK)
		rc = find_tiers(out, kb, a, val_get(options, "tiers"), e);
	return rc;
}

int
workload_from_options(struct workload *out, struct kb *kb, struct arena *a,
    const struct val *options, struct err *e)
{
	int rc = workload_read_options(out, kb, a, options, e);

	if (rc == OK)
		rc = workload_size(out, e);
	return rc == OK ? range_fill(out, a, e) : rc;
}

const char *
workload_model_name(const struct workload *w)
{
	const char *name = val_get_text(w->model, "name");

	return name != NULL ? name : "?";
}

const char *
workload_device_name(const struct workload *w)
{
	const char *name = val_get_text(w->device, "name");

	return name != NULL ? name : "?";
}

int
workload_prefill_term(const struct workload *w)
{
	if (!w->sized || w->out.prefill.seconds <= 0 || w->out.linear_path.operations <= 0)
		return -1;
	return (int)w->out.prefill.bottleneck;
}

bool
workload_stated(const struct workload *w, enum input_id id)
{
	return w->inputs[id].known && w->inputs[id].kind == QUANTITY_STATED;
}
