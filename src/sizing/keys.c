#include "sizing/keys.h"

#include <math.h>
#include <string.h>

const char *
sizing_flag(const struct sizing_result *r)
{
	switch (r->capacity) {
	case SIZING_KV:
		return "kv-bound";
	case SIZING_STATE:
		return "state-bound";
	case SIZING_INDEX:
		return "index-bound";
	default:
		return "weight-bound";
	}
}

static const char *
capacity(const struct sizing_result *r)
{
	return sizing_term_name(r->capacity);
}

static const char *
prefill_bottleneck(const struct sizing_result *r)
{
	return r->prefill.seconds > 0 && r->linear_path.operations > 0
	    ? sizing_term_name(r->prefill.bottleneck) : NULL;
}

static const char *
decode_bottleneck(const struct sizing_result *r)
{
	return r->decode.seconds > 0 ? sizing_term_name(r->decode.bottleneck) : NULL;
}

static const char *
near_crossover(const struct sizing_result *r)
{
	return r->near_crossover ? "yes" : "no";
}

static const char *
fits(const struct sizing_result *r)
{
	return r->fits ? "yes" : "no";
}

#define KEY(name, member, unit) \
	{name, SIZING_UNIT_##unit, offsetof(struct sizing_result, member), false, NULL}
#define MAYBE(name, member, unit) \
	{name, SIZING_UNIT_##unit, offsetof(struct sizing_result, member), true, NULL}
#define WORD(name, function) {name, SIZING_UNIT_TEXT, 0, true, function}

static const struct sizing_key RESULT_KEYS[] = {
	KEY("parameters.total", parameters_total, PARAMETERS),
	KEY("parameters.active", parameters_active, PARAMETERS),
	KEY("weights.bytes", weight_bytes, BYTES),
	KEY("state.bytes", state_bytes, BYTES),
	KEY("index.bytes", index_bytes, BYTES),
	KEY("kv.bytes_per_token", kv_bytes_per_token, BYTES_BINARY),
	KEY("kv.growth_per_token", kv_growth_per_token, BYTES_BINARY),
	KEY("kv.bytes_per_sequence", kv_bytes_per_sequence, BYTES),
	KEY("kv.bytes", kv_bytes, BYTES),
	KEY("kv.bytes_read_per_step", kv_bytes_read_per_step, BYTES),
	KEY("kv.idle_bytes", idle_kv_bytes, BYTES),
	KEY("kv_to_weights", kv_to_weights, RATIO),
	MAYBE("crossover.concurrency", crossover_concurrency, COUNT),
	MAYBE("crossover.whole_sequences", crossover_concurrency, WHOLE),
	MAYBE("crossover.context", crossover_context, TOKENS),
	KEY("fits.concurrency", fits_concurrency, COUNT),
	KEY("fits.context", fits_context, TOKENS),
	KEY("accelerators.by_capacity", by_capacity, COUNT),
	MAYBE("accelerators.by_layout", by_layout, COUNT),
	KEY("accelerators.needed", needed, COUNT),
	KEY("accelerators.for_weights", for_weights, COUNT),
	KEY("accelerators.added_by_kv", added_by_kv, COUNT),
	MAYBE("accelerators.next_jump_concurrency", next_jump_concurrency, COUNT),
	MAYBE("accelerators.for_ttft", devices_for_ttft, COUNT),
	MAYBE("accelerators.for_tpot", devices_for_tpot, COUNT),
	MAYBE("layout.tensor", layout.tensor, COUNT),
	MAYBE("layout.attention", layout.attention, COUNT),
	MAYBE("layout.pipeline", layout.pipeline, COUNT),
	KEY("per_device.bytes", device_bytes, BYTES),
	MAYBE("per_device.bandwidth", device_bandwidth, BYTES_PER_SECOND),
	MAYBE("prefill.seconds", prefill.seconds, SECONDS),
	MAYBE("prefill.seconds_reused", prefill.seconds_reused, SECONDS),
	MAYBE("prefill.weights_seconds", prefill.weights_seconds, SECONDS),
	MAYBE("prefill.linear_compute_seconds", prefill.linear_compute_seconds, SECONDS),
	MAYBE("prefill.attention_compute_seconds", prefill.attention_compute_seconds, SECONDS),
	MAYBE("prefill.interconnect_seconds", prefill.interconnect_seconds, SECONDS),
	MAYBE("prefill.tokens_per_second", prefill.tokens_per_second, TOKENS_PER_SECOND),
	MAYBE("decode.step_seconds", decode.seconds, SECONDS),
	MAYBE("decode.weights_seconds", decode.weights_seconds, SECONDS),
	MAYBE("decode.kv_seconds", decode.kv_seconds, SECONDS),
	MAYBE("decode.index_seconds", decode.index_seconds, SECONDS),
	MAYBE("decode.state_seconds", decode.state_seconds, SECONDS),
	MAYBE("decode.linear_compute_seconds", decode.linear_compute_seconds, SECONDS),
	MAYBE("decode.attention_compute_seconds", decode.attention_compute_seconds, SECONDS),
	MAYBE("decode.interconnect_seconds", decode.interconnect_seconds, SECONDS),
	MAYBE("decode.tokens_per_second", decode.tokens_per_second, TOKENS_PER_SECOND),
	MAYBE("decode.tokens_per_second_device", decode.tokens_per_second_device, TOKENS_PER_SECOND),
	MAYBE("decode.tokens_per_second_user", decode.tokens_per_second_user, TOKENS_PER_SECOND),
	MAYBE("interconnect.all_reduce_bytes", decode.traffic.all_reduce, BYTES),
	MAYBE("interconnect.all_to_all_bytes", decode.traffic.all_to_all, BYTES),
	MAYBE("interconnect.gather_bytes", decode.traffic.gather, BYTES),
	MAYBE("interconnect.point_to_point_bytes", decode.traffic.point_to_point, BYTES),
	MAYBE("interconnect.decode_ways", decode_ways, COUNT),
	MAYBE("interconnect.prefill_ways", prefill_ways, COUNT),
	MAYBE("interconnect.latency_bound_bytes", latency_bound_bytes, BYTES),
	MAYBE("interconnect.latency_ways", latency_ways, COUNT),
	MAYBE("interconnect.two_d_devices", two_d_devices, COUNT),
	MAYBE("interconnect.two_d_ways", two_d_ways, COUNT),
	MAYBE("interconnect.two_d_share", two_d_share, RATIO),
	MAYBE("operations_per_token", operations_per_token, PARAMETERS),
	MAYBE("critical_batch", critical_batch, COUNT),
	MAYBE("decode.speculative_tokens_per_step", serving.tokens_per_step, RATIO),
	MAYBE("decode.speculative_step_seconds", serving.speculative_step_seconds, SECONDS),
	MAYBE("decode.speculative_seconds_per_token", serving.speculative_seconds, SECONDS),
	MAYBE("decode.speculative_tokens_per_second", serving.speculative_tokens_per_second, TOKENS_PER_SECOND),
	MAYBE("decode.speculative_gain", serving.speculative_gain, RATIO),
	MAYBE("serving.requests_per_second", serving.requests_per_second, COUNT),
	MAYBE("serving.decode_share", serving.decode_share, RATIO),
	MAYBE("serving.interleaved_tokens_per_second", serving.interleaved_tokens_per_second, TOKENS_PER_SECOND),
	MAYBE("serving.interleaved_requests_per_second", serving.interleaved_requests_per_second, COUNT),
	MAYBE("prefill.batched_seconds", serving.batched_prefill_seconds, SECONDS),
	MAYBE("serving.prefill_per_decode", serving.prefill_per_decode, RATIO),
	MAYBE("serving.transfer_bytes", serving.transfer_bytes, BYTES),
	MAYBE("serving.transfer_bandwidth", serving.transfer_bandwidth, BYTES_PER_SECOND),
	MAYBE("serving.transfer_hidden_bandwidth", serving.transfer_hidden_bandwidth, BYTES_PER_SECOND),
	KEY("budget.usable", budget.usable, BYTES),
	KEY("budget.weights", budget.weights, BYTES),
	KEY("budget.kv", budget.kv, BYTES),
	KEY("budget.index", budget.index, BYTES),
	KEY("budget.state", budget.state, BYTES),
	KEY("budget.activations", budget.activations, BYTES),
	KEY("budget.communication", budget.communication, BYTES),
	KEY("budget.runtime", budget.runtime, BYTES),
	KEY("budget.free", budget.free, BYTES),
	KEY("budget.missing", budget.missing, BYTES),
	WORD("bottleneck.capacity", capacity),
	WORD("bottleneck.prefill", prefill_bottleneck),
	WORD("bottleneck.decode", decode_bottleneck),
	WORD("bottleneck.flag", sizing_flag),
	WORD("bottleneck.near_crossover", near_crossover),
	WORD("fits", fits),
	/* the load as it was sized: context, prompt and output worked out of each other */
	KEY("load.context", context, TOKENS),
	KEY("load.prompt", prompt, TOKENS),
	MAYBE("load.output", output, TOKENS),
	KEY("load.concurrency", concurrency, COUNT),
	KEY("load.sessions", sessions, COUNT),
};

#define INPUT(name, member, unit) \
	{name, SIZING_UNIT_##unit, offsetof(struct sizing_input, member), true, NULL}

static const struct sizing_key INPUT_KEYS[] = {
	INPUT("weights", load.weights, DTYPE),
	INPUT("kv", load.kv, DTYPE),
	INPUT("context", load.context, TOKENS),
	INPUT("prompt", load.prompt, TOKENS),
	INPUT("output", load.output, TOKENS),
	INPUT("concurrency", load.concurrency, COUNT),
	INPUT("sessions", load.sessions, COUNT),
	{"reuse", SIZING_UNIT_RATIO, offsetof(struct sizing_input, load.reuse), false, NULL},
	INPUT("accelerators", load.accelerators, COUNT),
	INPUT("usable", device.usable_fraction, RATIO),
	INPUT("memory_available", device.usable_bytes, BYTES),
	INPUT("memory", device.visible_bytes, BYTES),
	INPUT("bandwidth", device.bandwidth, BYTES_PER_SECOND),
	INPUT("peak.bf16", device.peak[SIZING_BF16], OPERATIONS_PER_SECOND),
	INPUT("peak.fp8", device.peak[SIZING_FP8], OPERATIONS_PER_SECOND),
	INPUT("peak.fp4", device.peak[SIZING_FP4], OPERATIONS_PER_SECOND),
	INPUT("peak.int8", device.peak[SIZING_INT8], OPERATIONS_PER_SECOND),
	INPUT("peak.fp32", device.peak[SIZING_FP32], OPERATIONS_PER_SECOND),
	INPUT("link", device.link, BYTES_PER_SECOND),
	INPUT("domain", device.domain, COUNT),
	INPUT("ttft", load.ttft, SECONDS),
	INPUT("tpot", load.tpot, SECONDS),
	INPUT("activations", load.activations, DTYPE),
	INPUT("node", device.node, COUNT),
	INPUT("prefill_chunk", load.prefill_chunk, TOKENS),
	INPUT("runtime", load.runtime_bytes, BYTES),
	INPUT("bandwidth_efficiency", device.bandwidth_efficiency, RATIO),
	INPUT("expert_imbalance", load.expert_imbalance, RATIO),
	INPUT("draft_tokens", load.draft_tokens, TOKENS),
	INPUT("acceptance", load.acceptance, RATIO),
	INPUT("draft_cost", load.draft_cost, RATIO),
};

enum {
	RESULT_KEY_COUNT = sizeof RESULT_KEYS / sizeof *RESULT_KEYS,
	INPUT_KEY_COUNT = sizeof INPUT_KEYS / sizeof *INPUT_KEYS,
};

const struct sizing_key *
sizing_result_key(size_t i)
{
	return i < RESULT_KEY_COUNT ? &RESULT_KEYS[i] : NULL;
}

const struct sizing_key *
sizing_input_key(size_t i)
{
	return i < INPUT_KEY_COUNT ? &INPUT_KEYS[i] : NULL;
}

static const struct sizing_key *
find(const struct sizing_key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

const struct sizing_key *
sizing_result_find(const char *name)
{
	return find(RESULT_KEYS, RESULT_KEY_COUNT, name);
}

const struct sizing_key *
sizing_input_find(const char *name)
{
	return find(INPUT_KEYS, INPUT_KEY_COUNT, name);
}

bool
sizing_result_number(double *out, const struct sizing_key *key, const struct sizing_result *r)
{
	double value;

	if (key->unit == SIZING_UNIT_TEXT)
		return false;
	memcpy(&value, (const char *)r + key->offset, sizeof value);
	if (key->unit == SIZING_UNIT_WHOLE)
		value = floor(value);
	if (key->zero_is_none && value == 0)
		return false;
	/* Without a published rate the work of a prompt has no time, not a short one. */
	if (r->linear_path.operations == 0 && strncmp(key->name, "prefill.", 8) == 0)
		return false;
	/* A count that no amount would change is not a figure. */
	if ((key->unit == SIZING_UNIT_COUNT || key->unit == SIZING_UNIT_TOKENS) &&
	    value >= SIZING_MAX_LOAD)
		return false;
	*out = value;
	return true;
}
