/*
 * Inside of the sizing module: a checked input with everything that does not depend on
 * the count of devices worked out once. The searches of the inverse questions walk `caches`,
 * so what they need lies there and not in the (large) input.
 */
#ifndef SIZING_SIZING_INT_H
#define SIZING_SIZING_INT_H

#include "sizing/sizing.h"

struct sizing_cache { /* a layer group, with its dtypes put in */
	const struct sizing_group *group;
	double kept_row, index_kept_row; /* bytes of one row in all layers that hold it */
	double read_row, index_read_row; /* in all layers that read it */
	double states;                   /* bytes of all layers, one sequence */
	double step_operations;          /* decode, per row read and sequence, all readers */
	double prompt_operations;        /* prefill, per row attended to */
	double rate;                     /* operations/s of one device; 0 = not known */
};

struct sizing_case {
	const struct sizing_input *input;
	double context, prompt, output, concurrency, sessions;
	struct sizing_cache caches[SIZING_MAX_GROUPS];
	size_t cache_count;
	double states;       /* bytes of one sequence */
	double weight_bytes;
	double total_bytes;  /* weights, rows kept and states of all sequences */
	double computed_total;
	double operations_per_token; /* linear */
	struct sizing_path linear, attention;
	double usable;       /* whole bytes of one device */
	double available;    /* of them, without the runtime */
};

/* Tokens of a load as one triple; -1 with *error if the three fields do not agree. */
int sizing_tokens(struct sizing_case *c, const struct sizing_load *load,
    struct sizing_error *error);
int sizing_check(const struct sizing_input *input, struct sizing_error *error);
int sizing_fail(struct sizing_error *error, const char *field, int index, const char *reason);

/* Work out the caches and rates; after sizing_check and sizing_tokens. */
void sizing_prepare(struct sizing_case *c, const struct sizing_input *input);
/* weight_bytes and operations_per_token, and the parameters of the result. */
void sizing_weights(struct sizing_case *c, struct sizing_result *r);

double sizing_attended(const struct sizing_group *g, double tokens);
double sizing_sequence_bytes(const struct sizing_case *c, double tokens); /* rows kept and states */
double sizing_weights_touched(const struct sizing_case *c, double tokens);
struct sizing_path sizing_path_of(const struct sizing_device *d, const struct sizing_dtype *operand,
    const struct sizing_dtype *activations);

/* The one predicate of capacity: a device's even share of `bytes` is within `available`. */
bool sizing_holds(const struct sizing_case *c, double bytes, double devices);
double sizing_devices(const struct sizing_case *c, double bytes);
double sizing_fit_concurrency(const struct sizing_case *c, double devices);
double sizing_fit_context(const struct sizing_case *c, double devices);
double sizing_crossover_context(const struct sizing_case *c);
void sizing_budget(struct sizing_budget *b, const struct sizing_case *c,
    const struct sizing_result *r, double devices);

void sizing_step(struct sizing_step *s, const struct sizing_case *c, double devices);
void sizing_prefill(struct sizing_prefill *p, const struct sizing_case *c, double devices);
double sizing_prefill_seconds(const struct sizing_case *c, double start, double tokens,
    double devices);
enum sizing_term sizing_largest(const double counted[SIZING_TERMS]);

void sizing_place(struct sizing_result *r, const struct sizing_case *c);

#endif
