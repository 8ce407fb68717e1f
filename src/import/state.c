#include <math.h>
#include <string.h>

#include "import/dtype.h"
#include "import/mixer.h"

/* Sizes of one layer's mixer: elements kept and parameters. */
struct mixing {
	double recurrent, tail, parameters;
};

enum state_kind
mixer_state_kind(const struct config *c)
{
	if (fact_is(c, FACT_GDN_V_HEADS))
		return STATE_GDN;
	if (fact_is(c, FACT_KDA_HEADS))
		return STATE_KDA;
	if (fact_is(c, FACT_SHORT_CONV))
		return STATE_CONV;
	if (fact_is(c, FACT_SSM_HEADS) || fact_is(c, FACT_SSM_HEAD_DIM) || (c->family != NULL && strncmp(c->family->model_type, "mamba2", 6) == 0))
		return STATE_MAMBA2;
	if (fact_is(c, FACT_SSM_STATE) || (c->family != NULL && c->family->flags & FAMILY_CODE_SIZES))
		return STATE_MAMBA1;
	if (c->family != NULL && c->family->flags & FAMILY_GATED_STATE)
		return STATE_LIGHTNING;
	if (c->family != NULL && strcmp(c->family->model_type, "rwkv7") == 0)
		return STATE_RWKV;
	return STATE_NONE;
}

/* Gated delta net: v_heads x k_dim x v_dim, and the tail of one convolution over queries, keys and values. */
static struct mixing
delta_net(struct config *c)
{
	double width = c->d->m.width, value = fact_needed(c, FACT_GDN_V_HEADS) * fact_needed(c, FACT_GDN_V_DIM);
	double key = fact_needed(c, FACT_GDN_K_HEADS) * fact_needed(c, FACT_GDN_K_DIM);
	double heads = fact_count(c, FACT_GDN_V_HEADS), kernel = fact_needed(c, FACT_GDN_CONV), mixed = 2 * key + value;

	return (struct mixing){ value * fact_count(c, FACT_GDN_K_DIM), mixed * (kernel - 1),
		width * (mixed + value + 2 * heads) + value * width + mixed * kernel + 2 * heads + fact_count(c, FACT_GDN_V_DIM) };
}

/* Kimi delta attention: heads x d x d, and three convolutions. */
static struct mixing
kimi_delta(struct config *c)
{
	double width = c->d->m.width, heads = fact_needed(c, FACT_KDA_HEADS), dim = fact_needed(c, FACT_KDA_DIM);
	double kernel = fact_needed(c, FACT_KDA_CONV), inner = heads * dim, decay = width * dim + dim * inner;
	double gate = fact_yes(c, FACT_KDA_FULL_GATE, false) ? width * inner : decay;

	return (struct mixing){ inner * dim, 3 * inner * (kernel - 1),
		4 * width * inner + 3 * inner * kernel + width * heads + decay + gate + inner + heads + dim };
}

/* What the code of old files' families has where no key gives it. */
static double
or_code(struct config *c, double given, double size)
{
	if (given > 0 || c->family == NULL || !(c->family->flags & FAMILY_CODE_SIZES))
		return given;
	draft_note(c->d, c->at, NOTE_CODE_SIZES, NULL);
	return size;
}

/* heads x head_dim x d_state; the inner width is heads x head size, whatever `expand` says. */
static struct mixing
mamba2(struct config *c)
{
	double width = c->d->m.width, heads = fact_count(c, FACT_SSM_HEADS), dim = fact_count(c, FACT_SSM_HEAD_DIM);
	double state = or_code(c, fact_count(c, FACT_SSM_STATE), 128), kernel = or_code(c, fact_count(c, FACT_SSM_CONV), 4);
	double expand = or_code(c, fact_count(c, FACT_SSM_EXPAND), 2), inner = fact_count(c, FACT_SSM_INNER), groups, mixed;
	bool alone = c->family != NULL && c->family->flags & FAMILY_NO_FFN;

	if (!(dim > 0) && alone)
		dim = or_code(c, fact_count(c, FACT_HEAD_DIM), 64);
	if (!(heads > 0) && alone)
		heads = fact_count(c, FACT_HEADS);
	if (!(inner > 0))
		inner = heads > 0 && dim > 0 ? heads * dim : expand * width;
	if (!(heads > 0) && dim > 0)
		heads = inner / dim;
	if (!(dim > 0) && heads > 0)
		dim = inner / heads;
	if (!(heads > 0) || !(dim > 0) || heads != floor(heads) || dim != floor(dim) || !(state > 0) || !(kernel > 0))
		draft_fail(c->d, c->at, "expected the heads of the state, their size, and those of the state and the convolution");
	groups = fmax(1, fact_count(c, FACT_SSM_GROUPS));
	inner = heads * dim;
	mixed = inner + 2 * groups * state;
	return (struct mixing){ inner * state, mixed * (kernel - 1),
		width * (inner + mixed + heads) + inner * width + mixed * (kernel + 1) + inner + 3 * heads };
}

/* inner x d_state; the rank of the step is given, or width / 16 rounded up. */
static struct mixing
mamba1(struct config *c)
{
	double width = c->d->m.width, state = fact_count(c, FACT_SSM_STATE), kernel = fact_count(c, FACT_SSM_CONV);
	double inner = fact_count(c, FACT_SSM_INNER), rank = ceil(width / 16);
	const struct val *given = fact(c, FACT_SSM_RANK, NULL);

	if (val_is(given, VAL_NUM))
		rank = count_of(c, given, "mamba_dt_rank");
	state = or_code(c, state, 16);
	kernel = or_code(c, kernel, 4);
	if (!(inner > 0) && c->family != NULL && c->family->flags & FAMILY_NO_FFN)
		inner = fact_count(c, FACT_FFN);
	if (!(inner > 0))
		inner = or_code(c, fact_count(c, FACT_SSM_EXPAND), 2) * width;
	if (!(state > 0) || !(kernel > 0) || !(inner > 0))
		draft_fail(c->d, c->at, "expected the size of the state and of the convolution");
	return (struct mixing){ inner * state, inner * (kernel - 1),
		2 * width * inner + inner * (kernel + 1) + inner * (rank + 2 * state) + rank * inner + inner +
		    inner * state + inner + inner * width };
}

/* heads x d x d; queries, keys, values, output gate and output. */
static struct mixing
lightning(struct config *c)
{
	double heads = fact_needed(c, FACT_HEADS), dim = fact_needed(c, FACT_HEAD_DIM), width = c->d->m.width;

	return (struct mixing){ heads * dim * dim, 0, 5 * width * heads * dim + heads * dim };
}

static struct mixing
short_convolution(struct config *c)
{
	double width = c->d->m.width, length = fact_needed(c, FACT_SHORT_CONV);

	return (struct mixing){ 0, width * (length - 1), 4 * width * width + width * length };
}

/* heads x 64 x 64, and the last input of the mixer and of the feed-forward. */
static struct mixing
rwkv7(struct config *c)
{
	double width = c->d->m.width, dim = fact_is(c, FACT_WKV_DIM) ? fact_count(c, FACT_WKV_DIM) : fact_count(c, FACT_HEAD_DIM);

	if (!(dim > 0) || fmod(width, dim) != 0)
		draft_fail(c->d, c->at, "expected `head_dim` that divides `hidden_size`");
	draft_note(c->d, c->at, NOTE_EXTRA_STATE, NULL);
	return (struct mixing){ width * dim, 2 * width, 4 * width * width };
}

static const struct sizing_dtype *
state_dtype(struct config *c)
{
	const struct val *v = fact(c, FACT_STATE_DTYPE, NULL);
	const char *name = v != NULL ? dtype_of_torch(val_text(v)) : NULL;

	if (v != NULL && name == NULL)
		draft_fail(c->d, v->at, "expected the dtype of the state, found another value");
	if (v == NULL)
		draft_note(c->d, c->at, NOTE_STATE_DTYPE, NULL);
	return sizing_dtype_find(name != NULL ? name : "fp32");
}

void
mixer_state(struct config *c, bool also_on)
{
	struct cell cell = { .cache = "state" };
	struct sizing_group *g = &cell.g;
	struct mixing m = { 0, 0, 0 };

	switch (mixer_state_kind(c)) {
	case STATE_GDN:
		m = delta_net(c);
		break;
	case STATE_KDA:
		m = kimi_delta(c);
		break;
	case STATE_MAMBA2:
		m = mamba2(c);
		break;
	case STATE_MAMBA1:
		m = mamba1(c);
		break;
	case STATE_LIGHTNING:
		m = lightning(c);
		break;
	case STATE_CONV:
		m = short_convolution(c);
		break;
	case STATE_RWKV:
		m = rwkv7(c);
		break;
	case STATE_NONE:
		draft_fail(c->d, c->at, "expected the sizes of the state that its layers keep, found no such keys");
	}
	if (c->d->rc != OK)
		return;
	if (m.recurrent > 0) {
		cell.roles[g->state_count] = "recurrent";
		g->states[g->state_count++] = (struct sizing_state){ m.recurrent, state_dtype(c) };
	}
	if (m.tail > 0) {
		cell.roles[g->state_count] = "convolution";
		g->states[g->state_count++] = (struct sizing_state){ m.tail, sizing_dtype_find("bf16") };
		draft_note(c->d, c->at, NOTE_CONV_DTYPE, NULL);
	}
	if (g->state_count == 0) {
		draft_fail(c->d, c->at, "expected a state that holds something");
		return;
	}
	g->also_on = also_on;
	if (also_on)
		c->d->m.other_parameters += m.parameters;
	else
		g->projections = m.parameters;
	draft_layer(c->d, &cell);
}
