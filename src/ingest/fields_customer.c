#include "ingest/fields_int.h"
#include "sizing/engine.h"

static const char *const customer_formats[] = { "dossier.customer/1", NULL };
static const char *const languages[] = { "en", "ko", NULL };
static const char *const indexes[] = { "flat", "hnsw", "ivf-pq", NULL };

static const struct field target_fields[] = {
	QUANTITY("ttft", U | P, DIM_SECONDS, "time to first token"),
	QUANTITY("tpot", U | P, DIM_SECONDS, "time per output token"),
	END,
};

static const struct field retrieval_fields[] = {
	QUANTITY("vectors", U | P, DIM_COUNT, NULL),
	QUANTITY("dims", U | P | FIELD_WHOLE, DIM_COUNT, NULL),
	CHOICE("index", U, indexes, NULL),
	QUANTITY("chunks", U | P | FIELD_WHOLE, DIM_COUNT, "put into a prompt, which is stated without them"),
	QUANTITY("chunk_tokens", U | P | FIELD_WHOLE, DIM_TOKENS, NULL),
	QUANTITY("host_memory", U | P, DIM_BYTES, "what the host leaves to the index and the page cache"),
	END,
};

const char *const field_rates[] = { "peak", "achieved", NULL };
static const char *const expert_splits[] = { "whole", "sliced", NULL };
static const char *const kv_splits[] = { "copy", "batch", "sequence", NULL };

const struct field field_layout[] = {
	QUANTITY("tensor", P | FIELD_WHOLE, DIM_COUNT, "ranks that split heads and widths of a layer"),
	QUANTITY("attention", P | FIELD_WHOLE, DIM_COUNT, "groups of ranks, each with its own sequences"),
	QUANTITY("pipeline", P | FIELD_WHOLE, DIM_COUNT, "stages of whole layers"),
	QUANTITY("data", P | FIELD_WHOLE, DIM_COUNT, "copies of all weights: refused, run replicas"),
	QUANTITY("fsdp", P | FIELD_WHOLE, DIM_COUNT, "weights gathered for every step: refused"),
	CHOICE("experts", 0, expert_splits, "whole experts on a rank, or each sliced over all"),
	CHOICE("kv", 0, kv_splits, "what ranks beyond the KV heads do with the rows"),
	END,
};

const struct field field_length[] = {
	QUANTITY("tokens", R | P | FIELD_WHOLE, DIM_TOKENS, "of prompt and output together"),
	QUANTITY("share", R | P, DIM_RATIO, "of the sequences"),
	END,
};

static const struct field workload_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	{ .key = "model", .type = FIELD_PROFILE, .flags = R | U, .kinds = BIT(KIND_MODEL), .sub = field_model, .what = "an id or alias, or an inline profile" },
	{ .key = "accelerator", .type = FIELD_PROFILE, .flags = R | U, .kinds = BIT(KIND_ACCELERATOR), .sub = field_accelerator, .what = "an id or alias, or an inline one" },
	DTYPE("weights", U, NULL),
	DTYPE("kv", U, NULL),
	QUANTITY("prompt", U | P | FIELD_WHOLE | RANGE, DIM_TOKENS, NULL),
	QUANTITY("output", U | P | FIELD_WHOLE | RANGE, DIM_TOKENS, NULL),
	QUANTITY("concurrency", U | P | FIELD_WHOLE | RANGE, DIM_COUNT, "sequences decoded at once in one replica"),
	QUANTITY("requests_per_second", U | P | RANGE, DIM_COUNT, "instead of concurrency"),
	QUANTITY("sessions", U | P | FIELD_WHOLE | RANGE, DIM_COUNT, "conversations whose KV is worth keeping"),
	QUANTITY("reuse", U | RANGE, DIM_RATIO, "share of prompt tokens seen before"),
	QUANTITY("accelerators", U | P | FIELD_WHOLE, DIM_COUNT, "what they have; left out: how many they need"),
	QUANTITY("replicas", U | P | FIELD_WHOLE, DIM_COUNT, "copies of all this"),
	QUANTITY("memory_available", U | P | RANGE, DIM_BYTES, "of this workload's machine, where memory is shared"),
	CHOICE("engine", U, sizing_engine_names, "it reserves more than the minimum"),
	QUANTITY("micro_batch", U | P | FIELD_WHOLE, DIM_TOKENS, "of llama.cpp, where it is not the default"),
	MAP("retrieval", U, retrieval_fields, NULL),
	MAP("tensors", 0, field_tensors, "classes of tensors in another precision than the weights"),
	DTYPE("activations", 0, NULL),
	MAP("lengths", L, field_length, "a distribution of lengths; prompt and output are then the longest"),
	MAP("layout", 0, field_layout, "left out: the smallest that holds the load"),
	QUANTITY("node", P | FIELD_WHOLE, DIM_COUNT, "devices in one server, bought together"),
	QUANTITY("prefill_chunk", P | FIELD_WHOLE, DIM_TOKENS, "tokens of a prompt computed at once"),
	QUANTITY("runtime", P, DIM_BYTES, "kept free on each device for the runtime"),
	CHOICE("rates", 0, field_rates, "peak rates (a bound), or those that were measured"),
	QUANTITY("efficiency", P, DIM_RATIO, "share of the peak compute rate that is reached"),
	QUANTITY("bandwidth_efficiency", P, DIM_RATIO, "share of the bandwidth that is reached"),
	QUANTITY("expert_imbalance", P, DIM_RATIO, "tokens of the busiest rank over the mean"),
	QUANTITY("draft_tokens", P | FIELD_WHOLE, DIM_TOKENS, "speculative decoding: drafted a step"),
	QUANTITY("acceptance", P, DIM_RATIO, "probability that a drafted token is accepted"),
	QUANTITY("draft_cost", P, DIM_RATIO, "time of drafting one token over a plain step"),
	END,
};

static const struct field price_fields[] = {
	QUANTITY("accelerator", U, DIM_USD, NULL),
	QUANTITY("gigabyte", U, DIM_USD_PER_GB, NULL),
	END,
};

const struct field field_customer[] = {
	CHOICE("format", R, customer_formats, NULL),
	OF(FIELD_NAME, "customer", R, "a short name: in file names, never in another customer's output"),
	TEXT("name", R | FIELD_EXEMPT, NULL),
	RECORD("archetype", R, BIT(KIND_ARCHETYPE), NULL),
	CHOICE("language", 0, languages, "default of --lang"),
	OF(FIELD_DATE, "date", R, "the date in the draft"),
	CHOICE("goal", U, field_goals, NULL),
	MAP("targets", U, target_fields, NULL),
	MAP("workloads", R | L | N, workload_fields, "each is sized"),
	QUANTITY("memory_available", U | P | RANGE, DIM_BYTES, "shared-memory machines: room left by the system"),
	RECORD("tiers", L | U, BIT(KIND_TIER), "there already, or under discussion"),
	MAP("prices", U, price_fields, "the customer's own"),
	END,
};
