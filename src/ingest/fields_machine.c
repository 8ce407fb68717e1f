#include "ingest/fields_int.h"

static const char *const caches[] = { "full", "window", "chunk", "latent", "compressed", "index",
	"state", "cross", "none", NULL };

static const struct field published_fields[] = {
	QUANTITY("total", R, DIM_COUNT, "parameters"),
	QUANTITY("active", 0, DIM_COUNT, "parameters one token uses"),
	TEXT("difference", 0, "why they are not what the fields below add up to"),
	FINDING("source", R, NULL),
	END,
};

static const struct field vocabulary_fields[] = {
	QUANTITY("size", R, DIM_COUNT, NULL),
	YESNO("tied", R, "do input and output share one matrix"),
	END,
};

static const struct field state_fields[] = {
	QUANTITY("elements", R, DIM_COUNT, "of one layer and sequence"),
	DTYPE("dtype", R, NULL),
	STRING("role", 0, "recurrent, convolution, ..."),
	END,
};

static const struct field group_fields[] = {
	QUANTITY("layers", R, DIM_COUNT, NULL),
	CHOICE("cache", R, caches, "what one layer keeps"),
	QUANTITY("heads", 0, DIM_COUNT, "query heads"),
	QUANTITY("query_width", 0, DIM_COUNT, "elements of one query head against a key row"),
	QUANTITY("output_width", 0, DIM_COUNT, "elements of one head's output"),
	QUANTITY("prefill_query_width", 0, DIM_COUNT, "the same in prefill, where it differs: MLA is not absorbed there"),
	QUANTITY("prefill_output_width", 0, DIM_COUNT, NULL),
	QUANTITY("key_width", 0, DIM_COUNT, "key elements in one row"),
	QUANTITY("value_width", 0, DIM_COUNT, "value elements in one row; 0 for a latent"),
	QUANTITY("index_width", 0, DIM_COUNT, "index key elements in one row"),
	QUANTITY("row_bytes", 0, DIM_COUNT, "a packed entry, in bytes, instead of widths"),
	QUANTITY("window", 0, DIM_COUNT, "rows kept at most"),
	QUANTITY("stride", 0, DIM_COUNT, "tokens to one row"),
	QUANTITY("top_k", 0, DIM_COUNT, "rows read at most"),
	QUANTITY("source_rows", 0, DIM_COUNT, "cross-attention: rows of the source"),
	QUANTITY("readers", 0, DIM_COUNT, "layers that read these rows, if more than keep them"),
	MAP("states", L, state_fields, "what does not grow with the context"),
	YESNO("also_on", 0, "a further cache on layers that another group counts"),
	QUANTITY("projections", 0, DIM_COUNT, "parameters of one layer's mixer"),
	FINDING("source", R, NULL),
	END,
};

static const struct field dense_fields[] = {
	QUANTITY("layers", R, DIM_COUNT, NULL),
	QUANTITY("width", R, DIM_COUNT, NULL),
	YESNO("gated", 0, "three matrices (yes, the default) or two"),
	END,
};

static const struct field expert_fields[] = {
	QUANTITY("layers", R, DIM_COUNT, NULL),
	QUANTITY("count", R, DIM_COUNT, "routed experts"),
	QUANTITY("active", R, DIM_COUNT, "of them, for one token"),
	QUANTITY("width", R, DIM_COUNT, "of one expert"),
	QUANTITY("shared", 0, DIM_COUNT, "experts every token uses"),
	QUANTITY("shared_width", 0, DIM_COUNT, NULL),
	QUANTITY("input_width", 0, DIM_COUNT, "where experts work in a narrower latent"),
	YESNO("gated", 0, NULL),
	END,
};

static const struct field ffn_fields[] = {
	MAP("dense", 0, dense_fields, NULL),
	MAP("experts", 0, expert_fields, NULL),
	FINDING("source", 0, NULL),
	END,
};

const struct field field_tensors[] = {
	DTYPE("vocabulary", 0, NULL), DTYPE("attention", 0, NULL), DTYPE("dense", 0, NULL),
	DTYPE("experts", 0, NULL), DTYPE("shared", 0, NULL), DTYPE("other", 0, NULL), END,
};

static const struct field checkpoint_fields[] = {
	DTYPE("dtype", R, NULL),
	QUANTITY("bytes", 0, DIM_BYTES, NULL),
	MAP("tensors", 0, field_tensors, "where a class of tensors has a dtype of its own"),
	FINDING("tensors_source", 0, NULL),
	FINDING("source", R, NULL),
	END,
};

const struct field field_model[] = {
	OF(FIELD_ID, "id", R, NULL),
	STRING("name", R, NULL),
	STRING("vendor", 0, NULL),
	ALIASES,
	MAP("published", 0, published_fields, "what the maker says"),
	QUANTITY("width", R, DIM_COUNT, "d_model"),
	MAP("vocabulary", R, vocabulary_fields, NULL),
	MAP("groups", R | L | N, group_fields, "layer groups"),
	MAP("ffn", 0, ffn_fields, NULL),
	QUANTITY("other_parameters", 0, DIM_COUNT, "what the above does not count"),
	STRING("other_note", 0, NULL),
	MAP("checkpoint", 0, checkpoint_fields, "the files as published"),
	QUANTITY("max_context", 0, DIM_TOKENS, NULL),
	STRING("names", L, NULL),
	TEXT("notes", 0, NULL),
	END,
};

static const char *const classes[] = { "merchant", "own-silicon", "mobile", "edge", NULL };

static const struct field memory_fields[] = {
	STRING("kind", R, NULL),
	QUANTITY("printed", R, DIM_BYTES, "as the maker prints it"),
	QUANTITY("visible", 0, DIM_BYTES, "as the driver shows it"),
	QUANTITY("framework", 0, DIM_BYTES, "as a framework sees it"),
	QUANTITY("bandwidth", R, DIM_BYTES_PER_SECOND, NULL),
	YESNO("shared", 0, "with the system"),
	END,
};

static const struct field peak_fields[] = {
	QUANTITY("bf16", 0, DIM_OPS_PER_SECOND, NULL),
	QUANTITY("fp16", 0, DIM_OPS_PER_SECOND, "where the maker names no bf16 rate"),
	QUANTITY("fp8", 0, DIM_OPS_PER_SECOND, NULL),
	QUANTITY("fp4", 0, DIM_OPS_PER_SECOND, NULL),
	QUANTITY("int8", 0, DIM_OPS_PER_SECOND, NULL),
	QUANTITY("fp32", 0, DIM_OPS_PER_SECOND, NULL),
	END,
};

static const struct field link_fields[] = {
	STRING("kind", R, NULL),
	QUANTITY("per_direction", R, DIM_BYTES_PER_SECOND, "of one device, to all its peers together"),
	QUANTITY("pairwise", 0, DIM_BYTES_PER_SECOND, "to one peer, where that is less"),
	QUANTITY("latency", 0, DIM_SECONDS, "of one hop"),
	QUANTITY("domain", 0, DIM_COUNT, "devices in one scale-up domain"),
	QUANTITY("node", 0, DIM_COUNT, "devices in one server, bought and placed together"),
	END,
};

static const struct field network_fields[] = {
	STRING("kind", R, NULL),
	QUANTITY("per_direction", R, DIM_BYTES_PER_SECOND, "of one device into the scale-out network"),
	END,
};

static const struct field achieved_fields[] = {
	QUANTITY("bf16", 0, DIM_OPS_PER_SECOND, "best measured dense matrix product"),
	QUANTITY("fp8", 0, DIM_OPS_PER_SECOND, NULL),
	QUANTITY("bandwidth", 0, DIM_BYTES_PER_SECOND, "best measured, of the memory"),
	END,
};

static const struct field accelerator_source_fields[] = {
	FINDING("memory", 0, NULL), FINDING("visible", 0, NULL), FINDING("framework", 0, NULL),
	FINDING("bandwidth", 0, NULL), FINDING("dense_peak", 0, NULL), FINDING("link", 0, NULL),
	FINDING("pairwise", 0, NULL), FINDING("latency", 0, NULL),
	FINDING("node", 0, NULL), FINDING("network", 0, NULL), FINDING("achieved", 0, NULL),
	FINDING("achieved_fp8", 0, NULL), FINDING("achieved_bandwidth", 0, NULL), FINDING("power", 0, NULL), END,
};

const struct field field_accelerator[] = {
	OF(FIELD_ID, "id", R, NULL),
	STRING("name", R, NULL),
	STRING("vendor", 0, NULL),
	ALIASES,
	CHOICE("class", 0, classes, NULL),
	MAP("memory", R, memory_fields, NULL),
	MAP("dense_peak", 0, peak_fields, "dense only, never with sparsity"),
	MAP("achieved", 0, achieved_fields, "what was measured of the peak"),
	MAP("link", 0, link_fields, "one direction"),
	MAP("network", 0, network_fields, "out of the scale-up domain"),
	QUANTITY("devices_per_package", 0, DIM_COUNT, NULL),
	QUANTITY("power", 0, DIM_WATTS, NULL),
	MAP("sources", R, accelerator_source_fields, "one finding a figure"),
	STRING("names", L, NULL),
	TEXT("notes", 0, NULL),
	END,
};

static const char *const tier_kinds[] = { "hbm", "lpddr", "ddr", "gddr", "cxl", "flash", "network", "object", NULL };
static const char *const tier_levels[] = { "device", "host", "pool", "storage", "network", NULL };
static const char *const reaches[] = { "load-store", "copy", NULL };

static const struct field tier_capacity_fields[] = {
	QUANTITY("per_device", R, DIM_BYTES, NULL), END,
};

static const struct field tier_rate_fields[] = {
	QUANTITY("headline", 0, DIM_BYTES_PER_SECOND, NULL),
	QUANTITY("sustained", 0, DIM_BYTES_PER_SECOND, NULL), END,
};

static const struct field tier_source_fields[] = {
	FINDING("capacity", 0, NULL), FINDING("read", 0, NULL), FINDING("sustained", 0, NULL),
	FINDING("write", 0, NULL), FINDING("latency", 0, NULL), FINDING("endurance", 0, NULL), END,
};

const struct field field_tier[] = {
	OF(FIELD_ID, "id", R, NULL),
	TEXT("name", R, NULL),
	ALIASES,
	CHOICE("kind", R, tier_kinds, NULL),
	CHOICE("level", R, tier_levels, NULL),
	MAP("capacity", 0, tier_capacity_fields, NULL),
	MAP("read", 0, tier_rate_fields, NULL),
	MAP("write", 0, tier_rate_fields, NULL),
	QUANTITY("latency", 0, DIM_SECONDS, NULL),
	CHOICE("reached", R, reaches, NULL),
	YESNO("shared_link", 0, "reads and writes slow each other down: half of the rate each"),
	QUANTITY("endurance", 0, DIM_DWPD, NULL),
	MAP("sources", R, tier_source_fields, "one finding a figure"),
	STRING("names", L, NULL),
	TEXT("notes", 0, NULL),
	END,
};
