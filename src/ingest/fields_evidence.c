#include "ingest/fields_int.h"

static const char *const relations[] = { "supports", "qualifies", "contradicts", NULL };
static const char *const grades[] = { "A", "B", "C", "D", NULL };
static const char *const statuses[] = { "verified", "under-review", "withdrawn", NULL };
const char *const field_bottlenecks[] = { "capacity.weights", "capacity.kv", "capacity.state",
	"capacity.index", "decode.weights", "decode.kv", "decode.state", "decode.attention-compute",
	"decode.linear-compute", "decode.interconnect", "prefill.weights", "prefill.kv",
	"prefill.state", "prefill.attention-compute", "prefill.linear-compute",
	"prefill.interconnect", NULL };

static const struct field reviewed_fields[] = {
	STRING("by", R, "who looked at the claim and its evidence"),
	OF(FIELD_DATE, "on", R, "when"),
	STRING("fingerprint", R, "of the finding as it was then: `dossier audit --fingerprints` prints it"),
	END,
};

const struct field field_evidence[] = {
	FINDING("finding", R, "what a source says"),
	CHOICE("relation", R, relations, "how it bears on this record"),
	MAP("reviewed", 0, reviewed_fields, "the last review of this link"),
	TEXT("indirect", 0, "why it bears on this although it was found on another machine, scale or buyer"),
	END,
};

static const struct field searched_fields[] = {
	STRING("where", R, NULL),
	STRING("query", R, NULL),
	OF(FIELD_DATE, "on", R, NULL),
	TEXT("outcome", R | FIELD_EXEMPT, NULL),
	END,
};

/* What a claim keeps of its time in quarantine reaches no output: see claim_is_inner. */
const struct field field_claim[] = {
	OF(FIELD_ID, "id", R, NULL),
	ALIASES,
	RECORD("archetypes", R | L | N, BIT(KIND_ARCHETYPE), "whom it is about"),
	PART("because", R | L | N, "the part of the structure that makes it a pain"),
	TEXT("statement", R, NULL),
	OF(FIELD_FIGURES, "figures", 0, NULL),
	STRING("names", L, NULL),
	YESNO("press_reported", 0, "a figure rests on press alone, and the statement says so"),
	MAP("evidence", R | L | N, field_evidence, NULL),
	TEXT("conditions", 0, "when it holds"),
	RECORD("rests_on", L, BIT(KIND_CLAIM), "claims it is derived from"),
	STRING("decided", 0, "hash of the last entry in its file of decisions, written by `dossier claim`"),
	TEXT("circulates", FIELD_EXEMPT, "of its time in quarantine, as are the next four"),
	MAP("searched", L, searched_fields, NULL),
	TEXT("not_enough", FIELD_EXEMPT, NULL),
	TEXT("would_release", FIELD_EXEMPT, NULL),
	RECORD("say_instead", 0, BIT(KIND_CLAIM), NULL),
	END,
};

/* A claim that never had evidence. One that had some is written as a sourced one: see claim_fields. */
const struct field field_quarantine[] = {
	OF(FIELD_ID, "id", R, NULL),
	RECORD("archetypes", R | L | N, BIT(KIND_ARCHETYPE), "about whom it is said"),
	TEXT("statement", R | FIELD_EXEMPT, "the wording that circulates"),
	TEXT("circulates", R | FIELD_EXEMPT, "where"),
	MAP("searched", R | L | N, searched_fields, "where a source was looked for"),
	TEXT("not_enough", R | FIELD_EXEMPT, "why what was found was not enough"),
	TEXT("would_release", R | FIELD_EXEMPT, "what would release it"),
	RECORD("say_instead", R, BIT(KIND_CLAIM), "what may be said in its place"),
	PART("because", L, "for its release, as are the next four: as in a sourced claim"),
	OF(FIELD_FIGURES, "figures", 0, NULL),
	STRING("names", L, NULL),
	YESNO("press_reported", 0, NULL),
	TEXT("conditions", FIELD_EXEMPT, NULL),
	STRING("decided", 0, "hash of the last entry in its file of decisions, written by `dossier claim`"),
	END,
};

static const char *const decisions[] = { "release", "quarantine", "retract", NULL };

static const struct field decided_fields[] = {
	FINDING("finding", R, NULL),
	STRING("fingerprint", R, "of the finding as it was then"),
	END,
};

const struct field field_decision[] = {
	CHOICE("decision", R, decisions, NULL),
	STRING("by", R, "who decided"),
	OF(FIELD_DATE, "on", R, "when"),
	STRING("reason", R, "why"),
	STRING("claim", R, "fingerprint of the claim that was decided about"),
	MAP("evidence", L, decided_fields, "of a release: what it rests on"),
	STRING("previous", 0, "hash of the entry before; the first has none"),
	STRING("hash", R, "of this entry"),
	END,
};

/* ---- evidence ---- */

static const char *const source_kinds[] = { "paper", "filing", "exhibit", "call", "standard",
	"datasheet", "documentation", "repository", "press", "analyst", "forum", NULL };

static const struct field finding_fields[] = {
	OF(FIELD_NAME, "id", R, "cited as source.id"),
	OF(FIELD_NAME, "aliases", L, "other ids it answers to: those it had"),
	TEXT("says", R, "in our own words"),
	STRING("locator", R, "where in the source"),
	{ .key = "value", .type = FIELD_QUANTITY, .dimension = DIM_ANY, .what = "the figure, if it is one" },
	TEXT("conditions", 0, "under which it was found"),
	CHOICE("status", R, statuses, "under-review: reaches no output"),
	YESNO("press_reported", 0, "a grade C value that may be quoted as press-reported"),
	RECORD("about", L | N, BIT(KIND_ARCHETYPE) | BIT(KIND_ACCELERATOR) | BIT(KIND_MODEL) | BIT(KIND_TIER),
	    "the buyers, machines and models it was found on, where it holds for no others"),
	END,
};

const struct field field_source[] = {
	OF(FIELD_ID, "id", R, NULL),
	ALIASES,
	STRING("title", R, "as printed"),
	STRING("publisher", R, NULL),
	CHOICE("kind", R, source_kinds, NULL),
	OF(FIELD_PARTIAL_DATE, "published", R, NULL),
	OF(FIELD_DATE, "accessed", R, NULL),
	OF(FIELD_DATE, "review_by", R, NULL),
	OF(FIELD_URL, "url", R, "an address that a customer can open"),
	CHOICE("grade", R, grades, "A primary text read, B through extracts, C press, D circulates"),
	STRING("extent_read", R, "how much of it was read"),
	STRING("names", L, NULL),
	TEXT("notes", 0, "a caveat about the source as a whole"),
	MAP("findings", R | L | N, finding_fields, NULL),
	END,
};

const struct field field_measurement[] = {
	OF(FIELD_ID, "id", R, NULL),
	ALIASES,
	STRING("title", R, NULL),
	STRING("performed_by", R, NULL),
	OF(FIELD_PARTIAL_DATE, "published", R, NULL),
	OF(FIELD_DATE, "accessed", R, NULL),
	OF(FIELD_DATE, "review_by", R, NULL),
	OF(FIELD_URL, "url", 0, NULL),
	CHOICE("grade", R, grades, NULL),
	STRING("extent_read", 0, NULL),
	STRING("names", L, NULL),
	TEXT("notes", 0, NULL),
	TEXT("environment", R, "machine and software, as far as known"),
	TEXT("method", R, NULL),
	YESNO("reproduced", R, "by this project"),
	MAP("findings", R | L | N, finding_fields, NULL),
	END,
};

static const struct field draft_fields[] = {
	QUANTITY("tokens", R | P | FIELD_WHOLE, DIM_TOKENS, "drafted a step"),
	QUANTITY("cost", R | P, DIM_RATIO, "time of drafting one over a plain step, where the customer does not say"),
	END,
};

static const struct field change_fields[] = {
	DTYPE("weights", 0, NULL),
	DTYPE("kv", 0, NULL),
	QUANTITY("device_bytes", 0, DIM_RATIO, "times what it is"),
	QUANTITY("device_bandwidth", 0, DIM_RATIO, NULL),
	QUANTITY("domain", P | FIELD_WHOLE, DIM_COUNT, "devices in one scale-up domain"),
	MAP("draft", 0, draft_fields, "speculative decoding, at the acceptance that the customer measured"),
	RECORD("idle_kv_to", 0, BIT(KIND_TIER), "room: KV that is not being decoded moves there"),
	RECORD("reuse_from", 0, BIT(KIND_TIER), "prefixes are kept there and read back"),
	TEXT("none", 0, "why the engine cannot be asked"),
	END,
};

static const char *const memories[] = { "hbm", "lpddr", NULL };
static const char *const machines[] = { "server", "single", NULL };

static const struct field needs_fields[] = {
	CHOICE("machine", 0, machines, "server: with a host beside the devices; single: memory shared with a system"),
	CHOICE("memory", 0, memories, "only for devices with this kind of memory"),
	OF(FIELD_COMPARISON, "reuse", 0, NULL),
	OF(FIELD_COMPARISON, "sessions", 0, NULL),
	END,
};

const struct field field_lever[] = {
	OF(FIELD_ID, "id", R, NULL),
	ALIASES,
	TEXT("name", R, NULL),
	CHOICE("acts_on", R | L, field_bottlenecks, "the terms of the sizing that it moves"),
	MAP("change", R | FIELD_ONE_OF, change_fields, "what the engine is asked again with"),
	MAP("needs", 0, needs_fields, "without which it does nothing"),
	TEXT("moves", R, "which term, by what rule"),
	TEXT("nothing_where", R, "where it does nothing"),
	TEXT("preconditions", R, NULL),
	TEXT("ships", R, "what a memory supplier ships into it"),
	YESNO("sold_by_us", R, NULL),
	MAP("evidence", L, field_evidence, "for and against"),
	OF(FIELD_FIGURES, "figures", 0, NULL),
	STRING("names", L, NULL),
	END,
};
