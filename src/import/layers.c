#include "import/mixer.h"

#include <string.h>

static const struct {
	const char *word;
	enum mixer mixer;
	enum block block; /* where a layer is one block */
} WORDS[] = {
	{ "full_attention", MIX_FULL, BLOCK_NONE }, { "attention", MIX_FULL, BLOCK_NONE },
	{ "full", MIX_FULL, BLOCK_NONE }, { "global", MIX_FULL, BLOCK_NONE }, { "global_attention", MIX_FULL, BLOCK_NONE },
	{ "deepseek_sparse_attention", MIX_FULL, BLOCK_NONE }, { "mla", MIX_FULL, BLOCK_NONE },
	{ "softmax", MIX_FULL, BLOCK_NONE }, { "sliding_attention", MIX_WINDOW, BLOCK_NONE },
	{ "sliding", MIX_WINDOW, BLOCK_NONE }, { "local", MIX_WINDOW, BLOCK_NONE },
	{ "local_attention", MIX_WINDOW, BLOCK_NONE }, { "window_attention", MIX_WINDOW, BLOCK_NONE },
	{ "swa", MIX_WINDOW, BLOCK_NONE }, { "chunked_attention", MIX_CHUNK, BLOCK_NONE },
	{ "linear_attention", MIX_STATE, BLOCK_NONE }, { "mamba", MIX_STATE, BLOCK_NONE },
	{ "mamba2", MIX_STATE, BLOCK_NONE }, { "conv", MIX_STATE, BLOCK_NONE }, { "kda", MIX_STATE, BLOCK_NONE },
	{ "gated_deltanet", MIX_STATE, BLOCK_NONE }, { "lightning_attention", MIX_STATE, BLOCK_NONE },
	{ "hybrid", MIX_BOTH, BLOCK_NONE }, { "moe", MIX_NONE, BLOCK_EXPERTS }, { "mlp", MIX_NONE, BLOCK_DENSE },
	{ "none", MIX_NONE, BLOCK_NONE },
};

static int
word_of(const struct config *c, const struct val *v, const char *key)
{
	const char *text = val_text(v);

	for (size_t i = 0; text != NULL && i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(text, WORDS[i].word) == 0)
			return (int)i;
	draft_fail(c->d, v->at, "%s: expected a kind of layer whose cache is known, found `%.40s`", key,
	    text != NULL ? text : val_kind_name(v->kind));
	return 0;
}

/* ---- one function a way to say it; true if the configuration says it so ---- */

/* "MEM*E-": a letter a block. */
static bool
by_letters(struct plan *p, struct config *c)
{
	const char *s = fact_text(c, FACT_BLOCK_PATTERN);

	if (s == NULL)
		return false;
	p->blocks = true;
	if (strlen(s) != c->layers)
		draft_fail(c->d, fact_at(c, FACT_BLOCK_PATTERN), "hybrid_override_pattern: expected %zu letters, one a layer, found %zu",
		    c->layers, strlen(s));
	for (size_t i = 0; c->d->rc == OK && i < c->layers; i++) {
		const char *known = strchr("M*E-", s[i]);

		if (known == NULL || s[i] == '\0') {
			draft_fail(c->d, fact_at(c, FACT_BLOCK_PATTERN), "hybrid_override_pattern: expected M, *, E or -, found another letter");
			break;
		}
		p->mixer[i] = s[i] == 'M' ? MIX_STATE : s[i] == '*' ? MIX_FULL : MIX_NONE;
		p->block[i] = s[i] == 'E' ? BLOCK_EXPERTS : s[i] == '-' ? BLOCK_DENSE : BLOCK_NONE;
	}
	return true;
}

static void
take_words(struct plan *p, struct config *c, const struct val *list, enum fact f)
{
	for (size_t i = 0; i < c->layers && c->d->rc == OK; i++) {
		int w = word_of(c, list->list.items[i], fact_key(f));

		p->mixer[i] = (unsigned char)WORDS[w].mixer;
		p->block[i] = (unsigned char)WORDS[w].block;
		p->blocks |= WORDS[w].block != BLOCK_NONE;
	}
}

static bool
by_block_types(struct plan *p, struct config *c)
{
	const struct val *list = fact_list(c, FACT_BLOCK_TYPES);

	if (list == NULL)
		return false;
	take_words(p, c, list, FACT_BLOCK_TYPES);
	return true;
}

static bool
by_layer_types(struct plan *p, struct config *c)
{
	const struct val *list = fact_list(c, FACT_LAYER_TYPES);

	if (list == NULL)
		return false;
	take_words(p, c, list, FACT_LAYER_TYPES);
	return true;
}

/* A list of numbers, one a layer: `zero` where it is 0, else `one`. */
static bool
by_flags(struct plan *p, struct config *c, enum fact f, enum mixer zero, enum mixer one)
{
	const struct val *list = fact_list(c, f);

	if (list == NULL)
		return false;
	for (size_t i = 0; i < c->layers; i++)
		p->mixer[i] = (unsigned char)(count_of(c, list->list.items[i], fact_key(f)) == 0 ? zero : one);
	return true;
}

static bool
by_attention_types(struct plan *p, struct config *c)
{
	return by_flags(p, c, FACT_ATTN_TYPES, MIX_STATE, MIX_FULL);
}

static bool
by_hybrid_pattern(struct plan *p, struct config *c)
{
	return by_flags(p, c, FACT_HYBRID_PATTERN, MIX_FULL, MIX_WINDOW);
}

/* The numbers of the layers that are `listed`, counted from `first`; the others are `rest`. */
static bool
by_numbers(struct plan *p, struct config *c, enum fact f, double first, enum mixer listed, enum mixer rest)
{
	const struct val *list = fact_any_list(c, f);

	if (list == NULL)
		return false;
	memset(p->mixer, (int)rest, c->layers);
	for (size_t i = 0; i < list->list.count; i++) {
		double n = count_of(c, list->list.items[i], fact_key(f)) - first;

		if (n < 0 || n >= (double)c->layers) {
			/* Layers that predict further tokens may be listed behind the others. */
			if (n < 0 || n >= (double)(c->layers + c->mtp))
				draft_fail(c->d, list->list.items[i]->at, "%s: expected the number of one of %zu layers",
				    fact_key(f), c->layers);
			continue;
		}
		p->mixer[(size_t)n] = (unsigned char)listed;
	}
	return true;
}

static bool
by_full_lists(struct plan *p, struct config *c)
{
	return by_numbers(p, c, FACT_FULL_LIST_1, 1, MIX_FULL, MIX_STATE) ||
	    by_numbers(p, c, FACT_FULL_LIST_0, 0, MIX_FULL, MIX_STATE);
}

static bool
by_hybrid_ids(struct plan *p, struct config *c)
{
	return by_numbers(p, c, FACT_HYBRID_IDS, 0, MIX_BOTH, MIX_STATE);
}

static bool
by_attention_indices(struct plan *p, struct config *c)
{
	enum mixer rest = c->family != NULL && (c->family->flags & FAMILY_BOTH) ? MIX_BOTH : MIX_STATE;

	if (!fact_is(c, FACT_ATTN_INDICES))
		return false;
	return by_numbers(p, c, FACT_ATTN_INDICES, 0, rest == MIX_BOTH ? MIX_BOTH : MIX_FULL, MIX_STATE);
}

/* Every layer whose number leaves `offset` is full, of every `period`. */
static void
every(struct plan *p, const struct config *c, double period, double offset, enum mixer rest)
{
	for (size_t i = 0; i < c->layers; i++)
		p->mixer[i] = (unsigned char)((double)(i % (size_t)period) == offset ? MIX_FULL : rest);
}

static bool
by_period(struct plan *p, struct config *c)
{
	double period = fact_count(c, FACT_ATTN_PERIOD), interval = fact_count(c, FACT_FULL_INTERVAL);
	double group = fact_count(c, FACT_GROUP_SIZE);

	if (period > 0) {
		every(p, c, period, fact_count(c, FACT_ATTN_OFFSET), MIX_STATE);
	} else if (interval > 0) {
		every(p, c, interval, interval - 1, MIX_STATE);
	} else if (group > 0) {
		size_t whole = c->layers - c->layers % (size_t)group;

		/* A trailing group that is not whole attends in full. */
		every(p, c, group, group - 1, MIX_STATE);
		memset(p->mixer + whole, MIX_FULL, c->layers - whole);
	} else {
		return false;
	}
	return true;
}

static bool
by_block_configs(struct plan *p, struct config *c)
{
	const struct val *list = fact_list(c, FACT_BLOCK_CONFIGS);

	if (list == NULL)
		return false;
	for (size_t i = 0; i < c->layers; i++) {
		const struct val *attention = val_get(list->list.items[i], "attention");
		const struct val *off = val_get(attention, "no_op"), *linear = val_get(attention, "replace_with_linear");

		if (!val_is(attention, VAL_MAP)) {
			draft_fail(c->d, list->list.items[i]->at, "block_configs: expected `attention` in each block");
			break;
		}
		p->mixer[i] = (val_is(off, VAL_BOOL) && off->boolean) || (val_is(linear, VAL_BOOL) && linear->boolean)
		    ? MIX_NONE : MIX_FULL;
	}
	return true;
}

/* A decoder whose second half reads the one full layer in its middle. */
static bool
by_halves(struct plan *p, struct config *c)
{
	size_t half = c->layers / 2;

	if (c->family == NULL || !(c->family->flags & FAMILY_YOCO))
		return false;
	if (fact_count(c, FACT_MB_PER_LAYER) != 2)
		draft_fail(c->d, fact_at(c, FACT_MB_PER_LAYER), "expected `mb_per_layer` 2, the only arrangement that is known");
	p->window = fact_needed(c, FACT_WINDOW);
	for (size_t i = 0; i < c->layers; i++)
		if (i % 2 == 0)
			p->mixer[i] = i <= half ? MIX_STATE : MIX_GATE;
		else
			p->mixer[i] = i < half ? MIX_WINDOW : i == half + 1 ? MIX_FULL : MIX_READS;
	return true;
}

static bool
by_state_family(struct plan *p, struct config *c)
{
	unsigned flags = c->family != NULL ? c->family->flags : 0;

	if (flags & FAMILY_BOTH)
		memset(p->mixer, MIX_BOTH, c->layers);
	else if (flags & FAMILY_STATE && fact_count(c, FACT_HEADS) == 0)
		memset(p->mixer, MIX_STATE, c->layers);
	else if (flags & FAMILY_NO_FFN)
		memset(p->mixer, MIX_STATE, c->layers);
	else
		return false;
	return true;
}

static bool
by_chunks(struct plan *p, struct config *c)
{
	const struct val *list = fact_any_list(c, FACT_NO_ROPE);

	if (!(p->chunk > 0))
		return false;
	if (list == NULL || list->list.count == 0) {
		draft_note(c->d, fact_at(c, FACT_CHUNK), NOTE_CHUNK_PERIOD, NULL);
		every(p, c, c->family->period, c->family->period - 1, MIX_CHUNK);
		return true;
	}
	/* 1: with rotary positions, and in chunks; 0: without, and in full. */
	return by_flags(p, c, FACT_NO_ROPE, MIX_FULL, MIX_CHUNK);
}

/* "LLLG", a period, or the default of the family; else every layer. */
static bool
by_window(struct plan *p, struct config *c)
{
	const struct val *pattern = fact(c, FACT_WINDOW_PATTERN, NULL);
	const char *letters = val_text(pattern);
	double first = fact_count(c, FACT_MAX_WINDOW_LAYERS);

	/* Beside compressed caches every layer has one, and the list of ratios says the rest. */
	if (!(p->window > 0) || fact_is(c, FACT_COMPRESS))
		return false;
	if (letters != NULL && strlen(letters) > 0 && strspn(letters, "LG") == strlen(letters)) {
		for (size_t i = 0; i < c->layers; i++)
			p->mixer[i] = letters[i % strlen(letters)] == 'L' ? MIX_WINDOW : MIX_FULL;
	} else if (val_is(pattern, VAL_LIST)) {
		return by_flags(p, c, FACT_WINDOW_PATTERN, MIX_FULL, MIX_WINDOW);
	} else if (val_is(pattern, VAL_NUM)) {
		double period = fact_needed(c, FACT_WINDOW_PATTERN);

		if (period > 0)
			every(p, c, period, period - 1, MIX_WINDOW);
	} else if (pattern != NULL && c->family == NULL) {
		draft_fail(c->d, pattern->at, "sliding_window_pattern: expected a number, a list, or L and G");
	} else if (c->family != NULL && c->family->period > 0) {
		draft_note(c->d, fact_at(c, FACT_WINDOW), NOTE_WINDOW_PERIOD, NULL);
		every(p, c, c->family->period, c->family->period - 1, MIX_WINDOW);
	} else if (fact_yes(c, FACT_USE_WINDOW, false) && fact_is(c, FACT_MAX_WINDOW_LAYERS)) {
		for (size_t i = 0; i < c->layers; i++)
			p->mixer[i] = (double)i >= first ? MIX_WINDOW : MIX_FULL;
	} else {
		draft_note(c->d, fact_at(c, FACT_WINDOW), NOTE_WINDOW_ALL, fact_key(FACT_WINDOW));
		memset(p->mixer, MIX_WINDOW, c->layers);
	}
	return true;
}

/* What says most stands first; the last two know of windows only. */
static bool (*const WAYS[])(struct plan *, struct config *) = {
	by_letters, by_block_types, by_hybrid_ids, by_layer_types, by_attention_types, by_hybrid_pattern, by_full_lists,
	by_attention_indices, by_period, by_block_configs, by_halves, by_state_family, by_chunks, by_window,
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, WAYS_FOR_STATES = WAY_COUNT - 2 };

/* Keys that stand for nothing without others: a file that has lost those is not read as something simpler. */
static void
check_complete(struct config *c, size_t way)
{
	unsigned flags = c->family != NULL ? c->family->flags : 0;

	if (way >= WAYS_FOR_STATES && mixer_state_kind(c) != STATE_NONE)
		draft_fail(c->d, c->at, "expected a key that says which layers keep a state, such as `layer_types`, found none");
	if (!fact_is(c, FACT_KV_RANK) && !fact_is(c, FACT_COMPRESS) && (fact_is(c, FACT_NOPE_DIM) || fact_is(c, FACT_ROPE_DIM)))
		draft_fail(c->d, fact_at(c, FACT_ROPE_DIM), "expected `kv_lora_rank` beside `qk_rope_head_dim`, found none");
	if (!fact_is(c, FACT_INDEX_DIM) && (fact_count(c, FACT_INDEX_TOPK) > 0 || fact_is(c, FACT_INDEX_TYPES)))
		draft_fail(c->d, fact_at(c, FACT_INDEX_TOPK), "expected `index_head_dim` beside `index_topk`, found none");
	if (fact_yes(c, FACT_SPARSE_ON, false) && !fact_is(c, FACT_SPARSE_DIM))
		draft_fail(c->d, fact_at(c, FACT_SPARSE_ON), "expected `sparse_index_dim` beside `use_sparse_attention`, found none");
	if (flags & FAMILY_CHUNKS && !fact_is(c, FACT_CHUNK))
		draft_fail(c->d, c->at, "expected `attention_chunk_size`, which this family has, found none");
	if (flags & FAMILY_SHARES && !fact_is(c, FACT_SHARED_LAYERS))
		draft_fail(c->d, c->at, "expected `num_kv_shared_layers`, which this family has, found none");
	for (size_t m = 0; way >= WAYS_FOR_STATES && flags & FAMILY_WINDOW_FIRST && !fact_is(c, FACT_WINDOW); m++) {
		if (m == c->map_count)
			draft_fail(c->d, c->at, "expected `sliding_window`, which this family has, or null");
		/* null says that this one has no windows */
		if (m == c->map_count || val_get(c->maps[m], "sliding_window") != NULL)
			break;
	}
}

static void
read_windows(struct plan *p, struct config *c)
{
	const char *key;
	const struct val *v = fact(c, FACT_WINDOW, &key);
	double context = fact_count(c, FACT_CONTEXT);

	if (v != NULL && v->kind == VAL_BOOL && !v->boolean)
		v = NULL;
	p->window = v == NULL ? 0 : count_of(c, v, key);
	if (p->window > 0 && (!fact_yes(c, FACT_USE_WINDOW, true) || (context > 0 && p->window >= context))) {
		draft_note(c->d, v->at, NOTE_WINDOW_OFF, key);
		p->window = 0;
	}
	if (c->family != NULL && c->family->flags & FAMILY_CHUNKS)
		p->chunk = fact_count(c, FACT_CHUNK);
}

void
plan_mixers(struct plan *p, struct config *c)
{
	size_t way = 0;

	memset(p, 0, sizeof *p);
	p->mixer = arena_alloc(c->d->a, c->layers);
	p->block = arena_alloc(c->d->a, c->layers);
	memset(p->mixer, MIX_FULL, c->layers);
	memset(p->block, BLOCK_NONE, c->layers);
	read_windows(p, c);
	while (way < WAY_COUNT && c->d->rc == OK && !WAYS[way](p, c))
		way++;
	check_complete(c, way);
	for (size_t i = 0; i < c->layers && c->d->rc == OK; i++) {
		if (p->mixer[i] == MIX_CHUNK && !(p->chunk > 0))
			p->chunk = fact_needed(c, FACT_CHUNK);
		/* A window no shorter than the context keeps every row. */
		if (p->mixer[i] == MIX_WINDOW && !(p->window > 0)) {
			if (!fact_is(c, FACT_WINDOW))
				draft_fail(c->d, c->at, "expected `sliding_window` beside windowed layers, found none");
			p->mixer[i] = MIX_FULL;
		}
	}
}

size_t
plan_length(const struct config *c)
{
	static const enum fact lists[] = { FACT_BLOCK_TYPES, FACT_LAYER_TYPES };
	const char *letters = fact_text(c, FACT_BLOCK_PATTERN);

	if (letters != NULL)
		return strlen(letters);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const struct val *v = fact(c, lists[i], NULL);

		if (val_is(v, VAL_LIST))
			return v->list.count;
	}
	return 0;
}

/* ---- feed-forwards ---- */

/* A list of layers' numbers, or "4,5,6". */
static bool
is_listed(const struct config *c, const struct val *v, size_t layer)
{
	const char *s = val_text(v);

	if (s != NULL && strlen(s) > 8 * DRAFT_MAX_LAYERS)
		draft_fail(c->d, v->at, "expected a list of at most %d layers", DRAFT_MAX_LAYERS);
	if (val_count(v) > DRAFT_MAX_LAYERS)
		draft_fail(c->d, v->at, "expected a list of at most %d layers", DRAFT_MAX_LAYERS);
	if (c->d->rc != OK)
		return false;
	if (s != NULL) {
		while (*s != '\0') {
			size_t n = 0;
			const char *start = s;

			while (*s >= '0' && *s <= '9' && s - start < 9)
				n = n * 10 + (size_t)(*s++ - '0');
			if (s > start && n == layer && (*s == ',' || *s == '\0' || *s == ' '))
				return true;
			s += *s != '\0';
		}
		return false;
	}
	for (size_t i = 0; val_is(v, VAL_LIST) && i < v->list.count; i++)
		if (count_of(c, v->list.items[i], "a list of layers") == (double)layer)
			return true;
	return false;
}

/* Has this layer experts? Only asked where there are any. */
static bool
has_experts(const struct config *c, size_t i)
{
	const struct val *v;
	double period = fact_count(c, FACT_EXPERT_PERIOD), step = fact_count(c, FACT_MOE_STEP);
	double sparse = fact_count(c, FACT_SPARSE_STEP), freq;

	if ((v = fact(c, FACT_MOE_LAYERS, NULL)) != NULL && (val_text(v) != NULL || val_count(v) > 0))
		return is_listed(c, v, i);
	if (val_is(fact(c, FACT_MOE_FREQ, NULL), VAL_LIST))
		return fact_list(c, FACT_MOE_FREQ) != NULL && fact_count_at(c, FACT_MOE_FREQ, i) > 0;
	if (period > 0)
		return (double)(i % (size_t)period) == fact_count(c, FACT_EXPERT_OFFSET);
	if (step > 0)
		return (i + 1) % (size_t)step == 0;
	if (is_listed(c, fact(c, FACT_MLP_ONLY, NULL), i))
		return false;
	if (sparse > 0)
		return (i + 1) % (size_t)sparse == 0;
	freq = fact_count(c, FACT_MOE_FREQ);
	return (double)i >= fact_count(c, FACT_FIRST_DENSE) && (freq <= 1 || i % (size_t)freq == 0);
}

static enum block
block_of_word(const struct config *c, const struct val *v)
{
	static const struct {
		const char *word;
		enum block block;
	} words[] = {
		{ "sparse", BLOCK_EXPERTS }, { "moe", BLOCK_EXPERTS }, { "dense", BLOCK_DENSE }, { "mlp", BLOCK_DENSE },
		{ "both", BLOCK_BOTH }, { "none", BLOCK_NONE },
	};
	const char *text = val_text(v);

	for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i].word) == 0)
			return words[i].block;
	draft_fail(c->d, v->at, "mlp_layer_types: expected sparse or dense");
	return BLOCK_NONE;
}

void
plan_blocks(struct plan *p, struct config *c)
{
	double experts = fact_count_at(c, FACT_EXPERTS, 0);
	const struct val *words = fact_list(c, FACT_MLP_TYPES);
	bool none = c->family != NULL && c->family->flags & FAMILY_NO_FFN;

	if (p->blocks)
		return;
	for (size_t i = 0; i < c->layers && c->d->rc == OK; i++) {
		if (none)
			p->block[i] = BLOCK_NONE;
		else if (words != NULL)
			p->block[i] = (unsigned char)block_of_word(c, words->list.items[i]);
		else if (!(experts > 0))
			p->block[i] = BLOCK_DENSE;
		else if (fact_is(c, FACT_MOE_BLOCK))
			p->block[i] = fact_yes(c, FACT_MOE_BLOCK, false) ? BLOCK_BOTH : BLOCK_DENSE;
		else
			p->block[i] = has_experts(c, i) ? BLOCK_EXPERTS : BLOCK_DENSE;
	}
}
