#include "kb/profile.h"

#include <math.h>
#include <string.h>

#include "quantity/quantity.h"
#include "sizing/reload.h"

double
profile_number(const struct val *v, enum dimension dimension, double missing)
{
	struct quantity q;

	if (!val_is(v, VAL_STR) || quantity_parse(&q, v->str.text, v->str.len, dimension) != NULL)
		return missing;
	return q.value;
}

static double
number(const struct val *body, const char *path, enum dimension dimension, double missing)
{
	return profile_number(val_path(body, path), dimension, missing);
}

static bool
is_yes(const struct val *body, const char *path, bool missing)
{
	const char *s = val_text(val_path(body, path));

	return s == NULL ? missing : strcmp(s, "yes") == 0;
}

static int
read_states(struct sizing_group *g, const struct val *states, struct err *e)
{
	if (val_count(states) > SIZING_MAX_STATES)
		return err_at(e, ERR_INPUT, states->at, "expected at most %d states, found %zu",
		    SIZING_MAX_STATES, val_count(states));
	g->state_count = val_count(states);
	for (size_t i = 0; i < g->state_count; i++) {
		const struct val *state = states->list.items[i];

		g->states[i].elements = number(state, "elements", DIM_COUNT, 0);
		g->states[i].dtype = sizing_dtype_find(val_get_text(state, "dtype"));
	}
	return OK;
}

/* A cache without its widths would be sized as none at all. */
static bool
keeps_what_it_says(const struct sizing_group *g, const char *cache, size_t states)
{
	bool rows = g->key_width + g->value_width > 0 || g->row_bytes > 0;

	if (cache == NULL)
		return true;
	if (strcmp(cache, "none") == 0)
		return !rows && states == 0 && g->index_width == 0;
	if (strcmp(cache, "state") == 0)
		return states > 0;
	if (strcmp(cache, "index") == 0)
		return g->index_width > 0 || g->row_bytes > 0;
	return rows;
}

static int
read_group(struct sizing_group *g, const struct val *v, struct err *e)
{
	g->layers = number(v, "layers", DIM_COUNT, 0);
	g->readers = number(v, "readers", DIM_COUNT, 0);
	g->heads = number(v, "heads", DIM_COUNT, 0);
	g->query_width = number(v, "query_width", DIM_COUNT, 0);
	g->output_width = number(v, "output_width", DIM_COUNT, g->query_width);
	g->prefill_query_width = number(v, "prefill_query_width", DIM_COUNT, 0);
	g->prefill_output_width = number(v, "prefill_output_width", DIM_COUNT, 0);
	g->key_width = number(v, "key_width", DIM_COUNT, 0);
	g->value_width = number(v, "value_width", DIM_COUNT, 0);
	g->index_width = number(v, "index_width", DIM_COUNT, 0);
	g->row_bytes = number(v, "row_bytes", DIM_COUNT, 0);
	g->window = number(v, "window", DIM_COUNT, 0);
	g->stride = number(v, "stride", DIM_COUNT, 0);
	g->top_k = number(v, "top_k", DIM_COUNT, 0);
	g->source_rows = number(v, "source_rows", DIM_COUNT, 0);
	g->projections = number(v, "projections", DIM_COUNT, -1);
	g->also_on = is_yes(v, "also_on", false);
	if (!keeps_what_it_says(g, val_get_text(v, "cache"), val_count(val_get(v, "states"))))
		return err_at(e, ERR_INPUT, v->at, "expected what a layer of the cache `%s` keeps: widths or row_bytes, "
		    "states, an index_width, or nothing for `none`", val_get_text(v, "cache"));
	return read_states(g, val_get(v, "states"), e);
}

static void
read_ffn(struct sizing_model *m, const struct val *ffn)
{
	const struct val *dense = val_get(ffn, "dense"), *experts = val_get(ffn, "experts");

	if (dense != NULL) {
		struct sizing_ffn *f = &m->ffn[m->ffn_count++];

		f->layers = number(dense, "layers", DIM_COUNT, 0);
		f->width = number(dense, "width", DIM_COUNT, 0);
		f->matrices = is_yes(dense, "gated", true) ? 3 : 2;
	}
	if (experts != NULL) {
		struct sizing_ffn *f = &m->ffn[m->ffn_count++];

		f->layers = number(experts, "layers", DIM_COUNT, 0);
		f->width = number(experts, "width", DIM_COUNT, 0);
		f->matrices = is_yes(experts, "gated", true) ? 3 : 2;
		f->experts = number(experts, "count", DIM_COUNT, 0);
		f->active = number(experts, "active", DIM_COUNT, 0);
		f->shared = number(experts, "shared", DIM_COUNT, 0);
		f->shared_width = number(experts, "shared_width", DIM_COUNT, f->width);
		f->input_width = number(experts, "input_width", DIM_COUNT, 0);
	}
}

int
profile_model(struct sizing_model *out, const struct val *body, struct err *e)
{
	const struct val *groups = val_get(body, "groups");
	const char *dtype = val_text(val_path(body, "checkpoint.dtype"));

	memset(out, 0, sizeof *out);
	out->width = number(body, "width", DIM_COUNT, 0);
	out->vocabulary = number(body, "vocabulary.size", DIM_COUNT, 0);
	out->tied = is_yes(body, "vocabulary.tied", false);
	out->other_parameters = number(body, "other_parameters", DIM_COUNT, 0);
	out->published_total = number(body, "published.total", DIM_COUNT, 0);
	out->published_active = number(body, "published.active", DIM_COUNT, 0);
	out->checkpoint_bytes = number(body, "checkpoint.bytes", DIM_BYTES, 0);
	out->checkpoint_dtype = dtype != NULL ? sizing_dtype_find(dtype) : NULL;
	for (int i = 0; i < SIZING_CLASSES; i++) {
		const char *own = val_get_text(val_path(body, "checkpoint.tensors"),
		    sizing_class_name((enum sizing_class)i));

		out->checkpoint_tensors[i] = own != NULL ? sizing_dtype_find(own) : NULL;
	}
	out->max_context = number(body, "max_context", DIM_TOKENS, 0);
	if (val_count(groups) > SIZING_MAX_GROUPS)
		return err_at(e, ERR_INPUT, groups->at, "expected at most %d groups, found %zu",
		    SIZING_MAX_GROUPS, val_count(groups));
	for (size_t i = 0; i < val_count(groups); i++) {
		int rc = read_group(&out->groups[out->group_count++], groups->list.items[i], e);

		if (rc != OK)
			return rc;
	}
	read_ffn(out, val_get(body, "ffn"));
	return OK;
}

void
profile_device(struct sizing_device *out, const struct val *body)
{
	static const struct {
		const char *path;
		enum sizing_rate rate;
	} peaks[] = {
		{ "dense_peak.bf16", SIZING_BF16 }, { "dense_peak.fp8", SIZING_FP8 },
		{ "dense_peak.fp4", SIZING_FP4 }, { "dense_peak.int8", SIZING_INT8 },
		{ "dense_peak.fp32", SIZING_FP32 },
	};

	memset(out, 0, sizeof *out);
	out->visible_bytes = number(body, "memory.visible", DIM_BYTES,
	    number(body, "memory.printed", DIM_BYTES, 0));
	out->usable_fraction = PROFILE_USABLE_FRACTION;
	out->bandwidth = number(body, "memory.bandwidth", DIM_BYTES_PER_SECOND, 0);
	out->shared = is_yes(body, "memory.shared", false);
	out->link = number(body, "link.per_direction", DIM_BYTES_PER_SECOND, 0);
	if (out->link > 0)
		out->link_latency = number(body, "link.latency", DIM_SECONDS, PROFILE_LINK_LATENCY);
	out->domain = number(body, "link.domain", DIM_COUNT, 0);
	out->node = number(body, "link.node", DIM_COUNT, 0);
	out->network = number(body, "network.per_direction", DIM_BYTES_PER_SECOND, 0);
	for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++)
		out->peak[peaks[i].rate] = number(body, peaks[i].path, DIM_OPS_PER_SECOND, 0);
	/* Some publish their 16-bit rate as fp16 alone; the engine has one for both. */
	if (!(out->peak[SIZING_BF16] > 0))
		out->peak[SIZING_BF16] = number(body, "dense_peak.fp16", DIM_OPS_PER_SECOND, 0);
}

/* Sustained where it is known. */
static double
rate(const struct val *body, const char *sustained, const char *headline)
{
	return number(body, sustained, DIM_BYTES_PER_SECOND,
	    number(body, headline, DIM_BYTES_PER_SECOND, 0));
}

void
profile_achieved(struct sizing_device *out, const struct val *body)
{
	double bf16 = number(body, "achieved.bf16", DIM_OPS_PER_SECOND, 0);
	double fp8 = number(body, "achieved.fp8", DIM_OPS_PER_SECOND, 0);
	double bandwidth = number(body, "achieved.bandwidth", DIM_BYTES_PER_SECOND, 0);
	double share = out->peak[SIZING_BF16] > 0 ? fmin(bf16 / out->peak[SIZING_BF16], 1) : 0;

	/* Where only one precision was measured, the others are taken to reach the same share. */
	for (int i = 0; i < SIZING_RATES; i++)
		out->efficiency[i] = share;
	if (fp8 > 0 && out->peak[SIZING_FP8] > 0)
		out->efficiency[SIZING_FP8] = fmin(fp8 / out->peak[SIZING_FP8], 1);
	if (bandwidth > 0)
		out->bandwidth_efficiency = fmin(bandwidth / out->bandwidth, 1);
}

void
profile_tier(struct sizing_tier *out, double *units, const struct val *body, double devices,
    double bytes)
{
	double each = number(body, "capacity.per_device", DIM_BYTES, 0);
	double count;

	memset(out, 0, sizeof *out);
	*units = each > 0 ? fmax(1, ceil(bytes / each)) : 0;
	count = fmax(devices, *units);
	out->unit_bytes = each;
	out->unit_read_bandwidth = rate(body, "read.sustained", "read.headline");
	out->unit_write_bandwidth = rate(body, "write.sustained", "write.headline");
	out->unit_endurance = sizing_endurance(each, number(body, "endurance", DIM_DWPD, 0));
	out->bytes = each * count;
	out->read_bandwidth = out->unit_read_bandwidth * devices;
	out->write_bandwidth = out->unit_write_bandwidth * devices;
	out->endurance = out->unit_endurance * count;
	out->life = out->endurance > 0 ? PROFILE_ENDURANCE_SECONDS : 0;
	out->latency = number(body, "latency", DIM_SECONDS, 0);
	out->shared_link = is_yes(body, "shared_link", false);
	out->wears = strcmp(val_get_text(body, "kind"), "flash") == 0;
}

bool
profile_can_be_sized(const struct sizing_model *model, const struct sizing_device *device,
    struct sizing_error *wrong)
{
	struct sizing_input in = {
		.model = { .published_total = 1e9 },
		.device = { .visible_bytes = 80e9, .usable_fraction = 0.9, .bandwidth = 2e12 },
		.load = { .context = 1024, .concurrency = 1, .reuse = -1,
		    .weights = sizing_dtype_find("bf16"), .kv = sizing_dtype_find("bf16") },
	};
	struct sizing_result result;

	if (model != NULL)
		in.model = *model;
	if (device != NULL) {
		in.device = *device;
		in.device.usable_bytes = device->shared ? floor(device->visible_bytes / 2) : 0;
	}
	return sizing_run(&result, &in, wrong) == 0;
}
