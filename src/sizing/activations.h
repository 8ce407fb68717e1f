/*
 * What one forward pass of inference holds beside weights and caches: activations and logits of
 * one device. Nothing is kept for a backward pass, so what lives at once is
 *
 *     2 x residual + max(attention, ffn, logits)
 *
 * the residual stream and the output that is added to it, and the widest thing between them. One
 * layer is at work at a time, and the logits come after the last.
 *
 *     residual   tokens x width x dtype                             on every rank
 *     attention  tokens x (heads x (query + output) + key + value) x dtype      shared out
 *     ffn        tokens x (matrices - 1) x hidden x dtype                       shared out
 *     logits     rows x vocabulary x 4 B              gathered where a token is sampled
 *
 * hidden = width of the layer, or active x width + shared x shared width of its experts; gate and
 * up stand beside each other before they are multiplied (3 matrices), hence matrices - 1. A prompt
 * in chunks has the tokens of a chunk. A lower bound: kernels add workspaces of their own, and an
 * engine reports its peak.
 *
 * Sources: "How to Scale Your Model", part 7, appendix of the LLaMA-2-13B example: one activation
 * of 8,192 tokens is 8192 x 5120 x 2 B. llama.cpp's compute buffer with flash attention is this sum
 * with 4 B and logits of every token: micro-batch x (vocabulary + 2 x width) x 4 B (engine.h).
 * logits in fp32 and gathered: LogitsProcessor of https://github.com/vllm-project/vllm.
 */
#ifndef SIZING_ACTIVATIONS_H
#define SIZING_ACTIVATIONS_H

#include "sizing/sizing.h"

struct sizing_pass {
	double tokens;    /* in the pass: a chunk of prompts, or one a sequence in decode */
	double sequences; /* in the batch: the rows of logits */
	bool all_logits;  /* of every token (scoring, speculation), not of the last of each sequence */
	const struct sizing_dtype *dtype; /* of activations; NULL = bf16 */
	double ranks;     /* tensor-parallel; 0 = 1 */
};

struct sizing_activations { /* bytes of one device */
	double residual, attention, ffn, logits;
	double peak;
};

/* Returns 0, or -1 with *error: a model that sizing_run refuses or without a width, or a pass with
 * a count that is none. */
int sizing_activate(struct sizing_activations *out, const struct sizing_model *m,
    const struct sizing_pass *pass, struct sizing_error *error);

#endif
