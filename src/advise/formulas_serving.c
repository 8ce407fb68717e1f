/* Rates and ways of serving: what follows from the times. */
#include "advise/formulas_int.h"

struct expr *
per_device(struct maker *m)
{
	return DIV(m, result_of(m, "decode.tokens_per_second"), devices_used(m));
}

struct expr *
per_user(struct maker *m)
{
	return DIV(m, constant(m, 1), result_of(m, "decode.step_seconds"));
}

struct expr *
decode_rate(struct maker *m)
{
	return DIV(m, sequences(m), result_of(m, "decode.step_seconds"));
}

struct expr *
prompt_rate(struct maker *m)
{
	return DIV(m, prompt_tokens(m), result_of(m, "prefill.seconds"));
}

struct expr *
output_tokens(struct maker *m)
{
	if (m->w->inputs[INPUT_OUTPUT].known)
		return input_of(m, INPUT_OUTPUT, "output");
	return expr_define(SUB(m, context_tokens(m), prompt_tokens(m)), "output", DIM_TOKENS);
}

struct expr *
requests(struct maker *m)
{
	return DIV(m, sequences(m), MUL(m, output_tokens(m), result_of(m, "decode.step_seconds")));
}

/* 1 + a + ... + a^n = (1 - a^(n + 1)) / (1 - a): Leviathan et al. 2022, eq. 1. */
struct expr *
accepted(struct maker *m)
{
	struct expr *drafted = input_of(m, INPUT_DRAFT_TOKENS, "draft_tokens"), *rate = input_of(m, INPUT_ACCEPTANCE, "acceptance");

	if (!(rate->value < 1))
		return ADD(m, drafted, constant(m, 1));
	return DIV(m, SUB(m, constant(m, 1), OP(m, EXPR_POWER, rate, ADD(m, drafted, constant(m, 1)))),
	    SUB(m, constant(m, 1), rate));
}

struct expr *
drafted_seconds(struct maker *m)
{
	return DIV(m, result_of(m, "decode.speculative_step_seconds"), result_of(m, "decode.speculative_tokens_per_step"));
}

struct expr *
drafted_rate(struct maker *m)
{
	return DIV(m, sequences(m), result_of(m, "decode.speculative_seconds_per_token"));
}

struct expr *
drafted_gain(struct maker *m)
{
	return DIV(m, result_of(m, "decode.step_seconds"), result_of(m, "decode.speculative_seconds_per_token"));
}

static struct expr *
decoding(struct maker *m)
{
	return MUL(m, output_tokens(m), result_of(m, "decode.step_seconds"));
}

/* In which every sequence decodes its answer and every prompt is computed once. */
static struct expr *
cycle(struct maker *m)
{
	return expr_define(ADD(m, decoding(m), MUL(m, sequences(m), result_of(m, "prefill.seconds_reused"))), "cycle", DIM_SECONDS);
}

struct expr *
decode_share(struct maker *m)
{
	return DIV(m, decoding(m), cycle(m));
}

struct expr *
interleaved_tokens(struct maker *m)
{
	return DIV(m, MUL(m, sequences(m), output_tokens(m)), cycle(m));
}

struct expr *
interleaved_requests(struct maker *m)
{
	return DIV(m, sequences(m), cycle(m));
}

struct expr *
batched(struct maker *m)
{
	return MUL(m, sequences(m), result_of(m, "prefill.seconds_reused"));
}

struct expr *
prefill_per_decode(struct maker *m)
{
	return MUL(m, result_of(m, "serving.requests_per_second"), result_of(m, "prefill.seconds_reused"));
}

struct expr *
transfer(struct maker *m)
{
	return sequence_bytes(m, prompt_tokens(m));
}

struct expr *
transfer_rate(struct maker *m)
{
	return MUL(m, result_of(m, "serving.requests_per_second"), result_of(m, "serving.transfer_bytes"));
}

struct expr *
transfer_hidden(struct maker *m)
{
	return DIV(m, result_of(m, "serving.transfer_bytes"), result_of(m, "prefill.seconds_reused"));
}
