/*
 * Inside of the sizing module: what its files share. The searches of the inverse questions walk
 * `caches` of an opened case, so what they need lies there and not in the (large) input.
 */
#ifndef SIZING_SIZING_INT_H
#define SIZING_SIZING_INT_H

#include "sizing/activations.h"
#include "sizing/layout.h"
#include "sizing/sizing.h"

#include <stdint.h>

/* ceil() of what is not negative: it is a call into libm, and the searches need it more than anything else. */
static inline double
sizing_round_up(double x)
{
	double down;

	if (!(x < 9e15))
		return x; /* whole already */
	down = (double)(int64_t)x;
	return down < x ? down + 1 : down;
}

/* How the work of one pass is divided, as one rank of each stage sees it. */
struct sizing_split {
	const struct sizing_layout *layout; /* NULL: evenly, over all devices */
	double devices, ranks; /* in all, and of one stage */
	double batch;          /* sequences in one pass of the stages */
	double sequences;      /* of them, whose attention one rank works at */
	double tensor, experts; /* ways in which a stage's weights are split for one rank */
};

/* Bytes of one device. */
struct sizing_parts {
	double weights, kv, index, state, activations, communication;
};

/* Tokens of a load as one triple; -1 with *error if the three fields do not agree. */
int sizing_tokens(struct sizing_case *c, const struct sizing_load *load,
    struct sizing_error *error);
int sizing_check(const struct sizing_input *input, struct sizing_error *error);
int sizing_check_model(const struct sizing_model *m, struct sizing_error *error);
int sizing_check_lengths(const struct sizing_load *load, double context,
    struct sizing_error *error);
int sizing_fail(struct sizing_error *error, const char *field, int index, const char *reason);

/* Work out the caches and rates; after sizing_check and sizing_tokens. */
void sizing_prepare(struct sizing_case *c, const struct sizing_input *input);
/* The parameters, bytes and operations of each class. */
void sizing_weights(struct sizing_case *c);

/* Layers that read a group's rows: its own, and those that share them. */
double sizing_readers(const struct sizing_group *g);
double sizing_attended(const struct sizing_group *g, double tokens);
/* Mean over the lengths of the load, where the longest has `tokens`. */
double sizing_mean_kept(const struct sizing_case *c, const struct sizing_cache *cache, double tokens);
double sizing_sequence_bytes(const struct sizing_case *c, double tokens); /* rows kept and states */
/* The share of the routed experts' bytes that `tokens` at once touch. */
double sizing_experts_share(const struct sizing_case *c, double tokens);
struct sizing_path sizing_path_of(const struct sizing_device *d, const struct sizing_dtype *operand,
    const struct sizing_dtype *activations);

/* The one predicate of capacity: the fullest device's bytes are within `available`. */
bool sizing_holds(const struct sizing_case *c, double bytes, double devices);
double sizing_devices(const struct sizing_case *c, double bytes);
double sizing_fit_concurrency(const struct sizing_case *c, const struct sizing_layout *layout,
    double devices);
double sizing_fit_context(const struct sizing_case *c, const struct sizing_layout *layout,
    double devices);
double sizing_crossover_context(const struct sizing_case *c);
void sizing_budget(struct sizing_budget *b, const struct sizing_case *c,
    const struct sizing_result *r, const struct sizing_layout *layout, double devices);

/* ---- one layout ---- */

struct sizing_split sizing_split_of(const struct sizing_case *c, const struct sizing_layout *layout,
    double devices);
double sizing_kv_ways(const struct sizing_cache *cache, const struct sizing_split *split);
/* The fullest device, and its bytes in all, whole. */
double sizing_layout_parts(struct sizing_parts *parts, const struct sizing_case *c,
    const struct sizing_layout *layout, double concurrency, double context);
/* As sizing_activate, of a model and a pass that were checked. */
void sizing_activations_of(struct sizing_activations *out, const struct sizing_model *m,
    const struct sizing_pass *pass);
double sizing_activation_element(const struct sizing_case *c); /* bytes */

/* What one decode step of `tokens` a sequence, and `tokens` of a prompt after `start`, send. */
void sizing_send_step(struct sizing_traffic *t, const struct sizing_case *c,
    const struct sizing_split *split, double tokens);
void sizing_send_prompt(struct sizing_traffic *t, const struct sizing_case *c,
    const struct sizing_split *split, double start, double tokens);

void sizing_step(struct sizing_step *s, const struct sizing_case *c,
    const struct sizing_split *split, double tokens);
void sizing_prefill(struct sizing_prefill *p, const struct sizing_case *c,
    const struct sizing_split *split);
/* By how much longer a prompt in chunks takes for the stages that wait for its first and after its last. */
double sizing_fill(double tokens, double chunk, double stages);
double sizing_prefill_seconds(const struct sizing_case *c, double start, double tokens,
    const struct sizing_split *split);
enum sizing_term sizing_largest(const double counted[SIZING_TERMS]);
void sizing_serve(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split);

void sizing_place(struct sizing_result *r, const struct sizing_case *c,
    const struct sizing_split *split);

#endif
