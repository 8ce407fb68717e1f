#include "import/config.h"

#include <stdio.h>
#include <string.h>

#include "import/dtype.h"
#include "import/experts.h"
#include "import/mixer.h"
#include "json/jn.h"
#include "util/buf.h"

/* ---- the text ---- */

static bool
is_number_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
}

/*
 * Python writes what JSON has no word for. Each is overwritten in place, with blanks behind, so that every
 * place stays what it was: Infinity and NaN become something that no count may be, and a long integer
 * its order of magnitude, which is beyond every count as well.
 */
static void
tame_word(char *s, size_t len)
{
	size_t sign = len > 0 && s[0] == '-', digits = 0;
	char tamed[16];

	while (sign + digits < len && s[sign + digits] >= '0' && s[sign + digits] <= '9')
		digits++;
	if (len == 3 && memcmp(s, "NaN", 3) == 0)
		memcpy(s, "\"-\"", 3);
	else if (len - sign == 8 && memcmp(s + sign, "Infinity", 8) == 0)
		memcpy(s, sign ? "null     " : "null    ", len);
	else if (sign + digits == len && digits > 15) {
		snprintf(tamed, sizeof tamed, "%s1e%zu", sign ? "-" : "", digits < 300 ? digits - 1 : 300);
		memset(s, ' ', len);
		memcpy(s, tamed, strlen(tamed));
	}
}

static void
tame(char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t start = i;

		if (text[i] == '"') {
			for (i++; i < len && text[i] != '"'; i++)
				i += text[i] == '\\';
			i++;
		} else if (is_number_byte(text[i])) {
			while (i < len && is_number_byte(text[i]))
				i++;
			tame_word(text + start, i - start);
		} else {
			i++;
		}
	}
}

int
config_parse(struct val **out, struct arena *a, const char *text, size_t len, const char *path, struct err *e)
{
	struct buf copy = BUF_INIT;
	int rc;

	buf_add(&copy, text, len);
	tame(copy.s, copy.len);
	rc = jn_parse(out, a, copy.s, copy.len, path, e);
	buf_release(&copy);
	if (rc == OK && !val_is(*out, VAL_MAP))
		return err_at(e, ERR_INPUT, (*out)->at, "expected a map of keys, found %s", val_kind_name((*out)->kind));
	return rc;
}

/* ---- where the decoder is ---- */

static const char *const NESTS[] = { "thinker_config", "text_config", "llm_config", "language_config",
	"language_model_config", "text_model_config" };

static void
find_maps(struct config *c, const struct val *root)
{
	const struct val *path[CONFIG_MAX_NEST] = { root };
	size_t depth = 1;

	for (bool deeper = true; deeper && depth < CONFIG_MAX_NEST;) {
		deeper = false;
		for (size_t i = 0; i < sizeof NESTS / sizeof *NESTS && !deeper; i++) {
			const struct val *below = val_get(path[depth - 1], NESTS[i]);

			if (val_is(below, VAL_MAP)) {
				path[depth++] = below;
				deeper = true;
			}
		}
	}
	for (size_t i = 0; i < depth; i++)
		c->maps[i] = path[depth - 1 - i];
	c->map_count = depth;
	c->at = c->maps[0]->at;
}

/* Towers for pictures and sound are no part of the decoder. */
static void
note_towers(struct config *c)
{
	static const char *const towers[] = { "vision_config", "audio_config", "vision_encoder", "visual" };

	for (size_t m = 0; m < c->map_count; m++)
		for (size_t i = 0; i < sizeof towers / sizeof *towers; i++) {
			const struct val_entry *entry = val_entry(c->maps[m], towers[i]);

			if (entry != NULL && val_is(entry->value, VAL_MAP))
				draft_note(c->d, entry->at, NOTE_VISION, towers[i]);
		}
}

/* ---- the family ---- */

static void
find_family(struct config *c)
{
	const char *type = NULL, *reason;
	const struct val_entry *hint;

	/* The innermost type that is known: a multimodal file names the decoder below, the whole above. */
	for (size_t m = 0; m < c->map_count && c->family == NULL; m++) {
		const char *t = val_get_text(c->maps[m], "model_type");

		if ((reason = family_refusal(t)) != NULL) {
			draft_fail(c->d, val_get(c->maps[m], "model_type")->at, "the cache of %s cannot be derived: %s", t, reason);
			return;
		}
		if (type == NULL)
			type = t;
		c->family = family_find(t);
	}
	if (c->family == NULL && type == NULL && fact_is(c, FACT_LAYERS) && val_get(c->maps[0], "dim") != NULL)
		c->family = family_find("mistral_params");
	if (c->family == NULL && type == NULL && val_is(val_get(c->maps[0], "ssm_cfg"), VAL_MAP)) {
		const char *layer = val_text(val_path(c->maps[0], "ssm_cfg.layer"));

		c->family = family_find(layer != NULL && strcmp(layer, "Mamba2") == 0 ? "mamba2_ssm" : "mamba_ssm");
	}
	if (fact_is(c, FACT_KV_SOURCES))
		draft_fail(c->d, fact_at(c, FACT_KV_SOURCES),
		    "the cache cannot be derived: layers read that of others, by lists whose rule is in the code only");
	if (c->family != NULL || c->d->rc != OK)
		return;
	hint = family_hint(c->maps[0]);
	if (hint != NULL)
		draft_fail(c->d, hint->at, "the family %.60s is not known, and `%.60s` hints at a cache of its own: it is not guessed",
		    type != NULL ? type : "(no model_type)", hint->key);
	else
		draft_note(c->d, c->at, NOTE_GENERIC, NULL);
}

/* ---- what is not of one layer ---- */

static double
vocabulary(struct config *c)
{
	double n = fact_needed(c, FACT_VOCAB), multiple = fact_count(c, FACT_VOCAB_MULTIPLE);

	if (multiple > 1) {
		double over = n - multiple * (double)(long long)(n / multiple);

		n += over > 0 ? multiple - over : 0;
	}
	return n;
}

/* In files for several media the whole says it, not the part. */
static bool
is_tied(struct config *c)
{
	const struct val *top = val_get(c->maps[c->map_count - 1], "tie_word_embeddings");
	bool family = c->family != NULL && c->family->flags & FAMILY_TIED;

	if (val_is(top, VAL_BOOL))
		return top->boolean;
	if (fact_is(c, FACT_TIED))
		return fact_yes(c, FACT_TIED, family);
	draft_note(c->d, c->at, family ? NOTE_TIED_FAMILY : NOTE_TIED_DEFAULT, fact_key(FACT_TIED));
	return family;
}

/* Embeddings and mixing that small models carry beside each layer. */
static void
add_extras(struct config *c)
{
	double width = c->d->m.width, layers = (double)c->layers, input = fact_count(c, FACT_PER_LAYER_INPUT);
	double laurel = fact_count(c, FACT_LAUREL), altup = fact_count(c, FACT_ALTUP), *other = &c->d->m.other_parameters;

	if (input > 0) {
		double words = fact_is(c, FACT_PER_LAYER_VOCAB) ? fact_count(c, FACT_PER_LAYER_VOCAB) : c->d->m.vocabulary;

		*other += layers * input * (words + width) + layers * 2 * width * input;
	}
	*other += layers * 2 * width * laurel;
	if (altup > 1)
		*other += 2 * (altup - 1) * width * width;
	if (c->family != NULL && c->family->flags & FAMILY_POSITIONS)
		*other += fact_count(c, FACT_POSITIONS) * width;
}

static void
count_layers(struct config *c)
{
	double n = fact_count(c, FACT_LAYERS), mtp = fact_count(c, FACT_MTP);
	const char *key;

	if (!(n > 0))
		n = (double)plan_length(c);
	if (!(n > 0) && c->family != NULL && c->family->flags & FAMILY_ENCODER_DECODER)
		n = fact_count(c, FACT_ENCODER_LAYERS);
	if (!(n > 0))
		draft_fail(c->d, c->at, "expected `num_hidden_layers` above 0, found none");
	if (n > DRAFT_MAX_LAYERS)
		draft_fail(c->d, fact_at(c, FACT_LAYERS), "expected at most %d layers, found %g", DRAFT_MAX_LAYERS, n);
	if (mtp > 0) {
		fact(c, FACT_MTP, &key);
		draft_note(c->d, fact_at(c, FACT_MTP), NOTE_MTP, key);
	}
	c->layers = c->d->rc == OK ? (size_t)n : 0;
	c->mtp = mtp < 100 ? (size_t)mtp : 100;
}

/* ---- layers ---- */

/* Layers that keep nothing and have the queries of those they read, which the group of the owners counts. */
static void
keep_nothing(struct config *c, double projections)
{
	struct cell cell = { .cache = "none", .g = { .projections = projections } };

	draft_layer(c->d, &cell);
}

/* The last layers read the last owner of their own kind. */
static size_t
first_sharer(struct config *c)
{
	double n = fact_count(c, FACT_SHARED_LAYERS);

	if (n >= (double)c->layers)
		draft_fail(c->d, fact_at(c, FACT_SHARED_LAYERS), "expected fewer layers that share than the %zu there are", c->layers);
	return c->d->rc == OK ? c->layers - (size_t)n : c->layers;
}

struct owners {
	size_t group[MIX_GATE + 1];
	bool is[MIX_GATE + 1];
};

/* Attention of layer i, of its own or read from the last owner of the same kind. */
static void
attend(struct config *c, const struct plan *p, size_t i, enum mixer mixer, bool shares, struct owners *o)
{
	if (!shares) {
		o->group[mixer] = mixer_attention(c, p, i, mixer);
		o->is[mixer] = true;
		mixer_overlays(c, i);
	} else if (!o->is[mixer]) {
		draft_fail(c->d, c->at, "expected a layer with a cache of the same kind before layer %zu, which shares one", i);
	} else {
		draft_reader(c->d, o->group[mixer]);
		keep_nothing(c, 0);
	}
}

static void
read_layer(struct config *c, const struct plan *p, size_t i, bool shares, struct owners *o)
{
	enum mixer mixer = (enum mixer)p->mixer[i];

	switch (mixer) {
	case MIX_FULL:
	case MIX_WINDOW:
	case MIX_CHUNK:
		attend(c, p, i, mixer, shares, o);
		if (c->family != NULL && c->family->flags & FAMILY_TWO_ATTENTIONS)
			attend(c, p, i, mixer, shares, o);
		break;
	case MIX_BOTH:
		attend(c, p, i, MIX_FULL, shares, o);
		mixer_state(c, true);
		break;
	case MIX_STATE:
		mixer_state(c, false);
		break;
	case MIX_READS:
		attend(c, p, i, MIX_FULL, true, o);
		break;
	case MIX_GATE: /* two matrices at the inner width of the state that it gates */
		keep_nothing(c, 4 * c->d->m.width * c->d->m.width);
		break;
	case MIX_NONE:
		keep_nothing(c, 0);
		break;
	}
	experts_layer(c, p, i);
	if (c->family != NULL && c->family->flags & FAMILY_TWO_ATTENTIONS)
		experts_dense(c, 2);
}

static void
read_layers(struct config *c)
{
	struct owners o = { { 0 }, { false } };
	struct plan p;
	double factor = fact_yes(c, FACT_USE_CLA, false) ? fact_needed(c, FACT_CLA_FACTOR) : 1;
	size_t sharer = first_sharer(c);

	plan_mixers(&p, c);
	plan_blocks(&p, c);
	if (factor < 1 || factor > (double)c->layers)
		draft_fail(c->d, fact_at(c, FACT_CLA_FACTOR), "expected a factor between 1 and the layers there are");
	for (size_t i = 0; i < c->layers && c->d->rc == OK; i++)
		read_layer(c, &p, i, i >= sharer || i % (size_t)factor != 0, &o);
}

void
config_read(struct draft *d, const struct val *root, const struct val *quant, bool weights)
{
	struct config c = { .d = d, .quant = quant };
	unsigned flags;

	find_maps(&c, root);
	fact_index(&c);
	if (d->rc == OK)
		find_family(&c);
	count_layers(&c);
	if (d->rc != OK)
		return;
	flags = c.family != NULL ? c.family->flags : 0;
	note_towers(&c);
	d->m.width = fact_needed(&c, FACT_WIDTH);
	d->m.vocabulary = vocabulary(&c);
	d->m.tied = is_tied(&c);
	d->m.max_context = fact_count(&c, FACT_CONTEXT);
	if (!(d->m.max_context > 0))
		draft_note(d, c.at, NOTE_NO_CONTEXT, NULL);
	if (flags & FAMILY_SHARED_MIXER)
		draft_note(d, c.at, NOTE_SHARED_MIXER, NULL);
	if (d->rc == OK && flags & (FAMILY_ENCODER | FAMILY_ENCODER_DECODER)) {
		double decoders = fact_count(&c, FACT_DECODER_LAYERS), layers = (double)c.layers;

		if (flags & FAMILY_ENCODER)
			mixer_encoder(&c);
		else
			mixer_encoder_decoder(&c);
		if (flags & FAMILY_ENCODER_DECODER)
			layers = fact_count(&c, FACT_ENCODER_LAYERS) + (decoders > 0 ? decoders : layers);
		experts_dense(&c, layers);
	} else if (d->rc == OK) {
		read_layers(&c);
	}
	if (d->rc == OK)
		add_extras(&c);
	draft_note(d, c.at, NOTE_NORMS, NULL);
	if (d->rc == OK)
		draft_fold(d);
	if (d->rc == OK && weights)
		quant_weights(&c);
}
