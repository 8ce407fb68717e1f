#include "ingest/fields_int.h"

static const char *const capacity_terms[] = { "weights", "kv", "state", "index", NULL };
static const char *const time_terms[] = { "weights", "kv", "state", "attention-compute",
	"linear-compute", "interconnect", NULL };
static const struct field basis_fields[] = {
	FINDING("evidenced", L | N, "findings that show it"),
	TEXT("inferred", 0, "what it is inferred from"),
	END,
};

static const struct field approver_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	TEXT("role", R, "the function, never a person"),
	TEXT("signs", R, "what it signs"),
	TEXT("veto", 0, "what it can stop"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	END,
};

static const struct field metric_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	TEXT("name", R, "what the organisation is measured on"),
	TEXT("measures", R, "what it says and how it is taken"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	END,
};

static const struct field non_negotiable_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	TEXT("what", R, "what this buyer cannot concede"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	END,
};

static const struct field gate_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	TEXT("name", R, NULL),
	TEXT("decides", R, "what is decided there"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	END,
};

static const struct field cycle_fields[] = {
	TEXT("length", R, "how long a decision takes"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	MAP("gates", R | L | N, gate_fields, "in the order in which they come"),
	END,
};

static const struct field structure_fields[] = {
	MAP("approvers", R | L | N | INT, approver_fields, "who signs what, and who can veto"),
	MAP("metrics", R | L | N, metric_fields, "what they are evaluated on"),
	MAP("non_negotiables", R | L | N, non_negotiable_fields, "what they cannot concede"),
	MAP("cycle", R, cycle_fields, "how and when they decide"),
	END,
};

static const struct field objection_when_fields[] = {
	YESNO("always", 0, NULL),
	CHOICE("bottleneck", L | N, field_bottlenecks, "raised at one of these"),
	RECORD("lever", L | N, BIT(KIND_LEVER), "raised against one of these"),
	END,
};

static const struct field objection_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	PART("because", R | L | N, "the part of the structure that makes it one"),
	MAP("when", R, objection_when_fields, "when it is raised"),
	TEXT("says", R, "what the buyer says"),
	TEXT("answer", 0, "the honest answer; left out: nobody has one yet"),
	TEXT("right_when", 0, "when the objection is simply right, and what we say then"),
	MAP("evidence", L, field_evidence, "on what the buyer says: what supports it says that the buyer is right"),
	END,
};

static const struct field loss_fields[] = {
	OF(FIELD_NAME, "id", R, NULL),
	PART("because", R | L | N, "the part of the structure behind it"),
	TEXT("reason", R, "why suppliers lose this customer"),
	TEXT("instead", R, "what to do about it"),
	MAP("basis", R | FIELD_ONE_OF, basis_fields, "evidenced or inferred"),
	END,
};

static const struct field ratio_fields[] = {
	OF(FIELD_COMPARISON, "kv_to_weights", 0, "only while the ratio is so"),
	END,
};

static const struct field position_when_fields[] = {
	CHOICE("capacity", 0, capacity_terms, NULL),
	CHOICE("prefill", 0, time_terms, NULL),
	CHOICE("decode", 0, time_terms, NULL),
	MAP("ratio", 0, ratio_fields, NULL),
	END,
};

static const struct field position_fields[] = {
	OF(FIELD_NAME, "id", R, "phase-term"),
	MAP("when", R, position_when_fields, "the bottleneck"),
	YESNO("occurs", 0, "no: this combination does not occur, and `why` says why"),
	TEXT("why", 0, NULL),
	TEXT("focus", 0, "what this buyer should hear here"),
	RECORD("levers", L, BIT(KIND_LEVER), "in order of preference"),
	RECORD("misreads", L, BIT(KIND_LEVER), "what would misread this buyer here"),
	TEXT("misreads_why", 0, NULL),
	TEXT("first_question", INT, "what to ask first"),
	END,
};

const char *const field_goals[] = { "offline", "interactive", "single-user", NULL };
static const struct field goal_value[] = { CHOICE("value", 0, field_goals, NULL), END };
static const struct field model_value[] = { RECORD("value", 0, BIT(KIND_MODEL), NULL), END };
static const struct field accelerator_value[] = { RECORD("value", 0, BIT(KIND_ACCELERATOR), NULL), END };
static const struct field dtype_value[] = { DTYPE("value", 0, NULL), END };
static const struct field tokens_value[] = { QUANTITY("value", 0, DIM_TOKENS, NULL), END };
static const struct field count_value[] = { QUANTITY("value", 0, DIM_COUNT, NULL), END };
static const struct field share_value[] = { QUANTITY("value", 0, DIM_RATIO, NULL), END };
static const struct field seconds_value[] = { QUANTITY("value", 0, DIM_SECONDS, NULL), END };
static const struct field bytes_value[] = { QUANTITY("value", 0, DIM_BYTES, NULL), END };
static const struct field tiers_value[] = { RECORD("value", L, BIT(KIND_TIER), NULL), END };
static const struct field usd_value[] = { QUANTITY("value", 0, DIM_USD, NULL), END };

static const struct field reference_fields[] = {
	ITEM("goal", goal_value, "offline, interactive or single-user"),
	ITEM("model", model_value, NULL),
	ITEM("accelerator", accelerator_value, NULL),
	ITEM("weights", dtype_value, NULL),
	ITEM("kv", dtype_value, NULL),
	ITEM("prompt", tokens_value, NULL),
	ITEM("output", tokens_value, NULL),
	ITEM("concurrency", count_value, NULL),
	ITEM("sessions", count_value, NULL),
	ITEM("reuse", share_value, NULL),
	ITEM("ttft", seconds_value, NULL),
	ITEM("tpot", seconds_value, NULL),
	ITEM("accelerators", count_value, NULL),
	ITEM("memory_available", bytes_value, NULL),
	ITEM("tiers", tiers_value, NULL),
	ITEM("prices", usd_value, NULL),
	END,
};

const struct field field_archetype[] = {
	OF(FIELD_ID, "id", R, NULL),
	TEXT("name", R, NULL),
	ALIASES,
	YESNO("quantitative", R, "is there verified quantitative evidence about this buyer"),
	TEXT("summary", R, "who buys, by structure"),
	STRING("names", L, "proper names with digits that its texts use"),
	OF(FIELD_FIGURES, "figures", 0, "figures its texts use"),
	MAP("structure", R, structure_fields, "who buys and how"),
	RECORD("pains", R | L, BIT(KIND_CLAIM), "claims about this buyer"),
	MAP("objections", R | L | INT, objection_fields, "what this buyer objects"),
	MAP("loss_reasons", R | L | INT, loss_fields, "why suppliers lose this buyer"),
	MAP("positions", R | L, position_fields, "what to say at each bottleneck"),
	MAP("reference_workload", R, reference_fields, "what is assumed until the customer says"),
	END,
};
