/* Inside of advise: what the formulas of bytes, counts and times are made of. */
#ifndef ADVISE_FORMULAS_INT_H
#define ADVISE_FORMULAS_INT_H

#include "advise/expr.h"
#include "advise/workload.h"
#include "sizing/layout.h"

struct maker {
	struct arena *a;
	const struct workload *w;
	const struct sizing_input *in;
	const struct sizing_result *r;
	const struct sizing_case *c;          /* the input, opened: what its classes of tensors are */
	const struct sizing_layout *layout;   /* that times and budget are of; NULL: evenly spread */
	const struct sizing_group *group; /* in a sum over groups: which, and the tokens there are */
	struct expr *tokens, *start;
	struct expr *each;                    /* tokens of one sequence in a decode step; NULL: one */
	bool middle;                          /* the fullest stage is one between the first and the last */
	int part;
};

#define OP(m, op, ...) expr_of((m)->a, op, (struct expr *[]){ __VA_ARGS__, NULL })
#define ADD(m, ...) OP(m, EXPR_ADD, __VA_ARGS__)
#define SUB(m, ...) OP(m, EXPR_SUBTRACT, __VA_ARGS__)
#define MUL(m, ...) OP(m, EXPR_MULTIPLY, __VA_ARGS__)
#define DIV(m, x, y) OP(m, EXPR_DIVIDE, x, y)
#define MAX(m, ...) OP(m, EXPR_MAX, __VA_ARGS__)
#define MIN(m, ...) OP(m, EXPR_MIN, __VA_ARGS__)
#define CEIL(m, x) OP(m, EXPR_CEIL, x)
#define FLOOR(m, x) OP(m, EXPR_FLOOR, x)

struct expr *constant(struct maker *m, double value);
/* Another key of the result, which has a formula of its own. */
struct expr *result_of(struct maker *m, const char *key);
/* A numeric input, stated or assumed. */
struct expr *input_of(struct maker *m, enum input_id id, const char *name);
/* What a profile says, with the finding under `path` of its body ("sources.bandwidth"). */
struct expr *model_value(struct maker *m, const char *name, enum dimension dimension, double value,
    const char *path);
struct expr *device_value(struct maker *m, const char *name, enum dimension dimension, double value,
    const char *path);
struct expr *group_value(struct maker *m, const char *name, enum dimension dimension, double value);

/* Sum of a part over layer groups (or feed-forwards); a part that is NULL is left out. */
typedef struct expr *group_part(struct maker *m);
struct expr *over_groups(struct maker *m, group_part *part);
typedef struct expr *ffn_part(struct maker *m, const struct sizing_ffn *f);
struct expr *over_ffn(struct maker *m, ffn_part *part);

typedef struct expr *class_part(struct maker *m, int class);
struct expr *over_classes(struct maker *m, class_part *part);

struct expr *in_part(struct maker *m, struct expr *e);
struct expr *dtype_bits(struct maker *m, const char *name, const struct sizing_dtype *dtype, enum input_id id);

/* formulas_rows.c: rows and states */
struct expr *sequences(struct maker *m);
struct expr *context_tokens(struct maker *m);
struct expr *prompt_tokens(struct maker *m);
struct expr *group_layers(struct maker *m);
struct expr *group_readers(struct maker *m);
struct expr *row_bytes(struct maker *m);
struct expr *index_row_bytes(struct maker *m);
struct expr *rows_kept(struct maker *m);
struct expr *rows_read(struct maker *m);
struct expr *prompt_rows(struct maker *m);
struct expr *prompt_rows_read(struct maker *m);
struct expr *bytes_kept(struct maker *m, struct expr *tokens); /* rows of one sequence; 0 without any */
struct expr *state_bytes(struct maker *m);                     /* of one sequence */
struct expr *kv_per_token(struct maker *m);
struct expr *kv_growth(struct maker *m);
struct expr *kv_per_sequence(struct maker *m);
struct expr *kv(struct maker *m);
struct expr *kv_read(struct maker *m);
struct expr *kv_idle(struct maker *m);
struct expr *index_keys(struct maker *m);
struct expr *states(struct maker *m);

/* formulas_weights.c: parameters, and bytes by class of tensor; NULL where the model has none of the class */
struct expr *class_parameters(struct maker *m, int class, bool active);
struct expr *class_bytes(struct maker *m, int class);
struct expr *class_operations(struct maker *m, int class); /* per token */
struct expr *experts_share(struct maker *m, struct expr *tokens);
struct expr *routers(struct maker *m);                     /* parameters */
struct expr *parameters_total(struct maker *m);
struct expr *parameters_active(struct maker *m);
struct expr *operations_per_token(struct maker *m);
struct expr *weights(struct maker *m);

/* formulas_layout.c: how the work is divided, what a device then holds */
struct expr *devices_used(struct maker *m);
struct expr *tensor_ways(struct maker *m);
struct expr *stage_ranks(struct maker *m);
struct expr *stage_batch(struct maker *m);
struct expr *rank_sequences(struct maker *m);
struct expr *expert_ways(struct maker *m);
struct expr *kv_ways(struct maker *m);
struct expr *imbalance(struct maker *m);  /* NULL: even routing */
struct expr *chunks(struct maker *m, struct expr *tokens); /* NULL: in one */
struct expr *fill(struct maker *m, struct expr *tokens); /* by how much waiting stages make it longer; NULL: not */
struct expr *layout_bytes(struct maker *m, struct expr *concurrency, struct expr *context);
struct expr *layout_weights(struct maker *m);
struct expr *layout_kv(struct maker *m);
struct expr *layout_index(struct maker *m);
struct expr *layout_state(struct maker *m);
struct expr *activations(struct maker *m);
struct expr *communication(struct maker *m);
struct expr *element_bytes(struct maker *m);  /* of an activation */
struct expr *residual_width(struct maker *m);

/* formulas_links.c; NULL: nothing is sent */
struct expr *sent_in_all_reduces(struct maker *m);
struct expr *sent_in_all_to_alls(struct maker *m);
struct expr *sent_in_gathers(struct maker *m);
struct expr *sent_to_next_stage(struct maker *m);
struct expr *step_links(struct maker *m);
struct expr *prompt_links(struct maker *m);
struct expr *part_links(struct maker *m, struct expr *tokens); /* of a prompt after m->start; NULL: none */

/* formulas_times.c */
struct expr *bandwidth(struct maker *m);  /* of one device */
struct expr *compute_rate(struct maker *m, const struct sizing_path *path); /* of one device; NULL: not published */
struct expr *with_class(struct expr *e, int class);
struct expr *step(struct maker *m);
struct expr *step_weights(struct maker *m);
struct expr *step_kv(struct maker *m);
struct expr *step_index(struct maker *m);
struct expr *step_state(struct maker *m);
struct expr *step_linear(struct maker *m);
struct expr *step_attention(struct maker *m);
struct expr *prompt_time(struct maker *m);
struct expr *prompt_reused(struct maker *m);
struct expr *prompt_weights(struct maker *m);
struct expr *prompt_linear(struct maker *m);
struct expr *prompt_attention(struct maker *m);
struct expr *prefix_tokens(struct maker *m);
struct expr *prefix_time(struct maker *m);
struct expr *prefix_bytes(struct maker *m);
struct expr *drafted_step(struct maker *m);

/* formulas_bounds.c */
struct expr *critical_batch(struct maker *m);
struct expr *decode_ways(struct maker *m);
struct expr *prefill_ways(struct maker *m);
struct expr *two_d_devices(struct maker *m);
struct expr *latency_bound(struct maker *m);
struct expr *latency_ways(struct maker *m);
struct expr *two_d_ways(struct maker *m);
struct expr *two_d_share(struct maker *m);

/* formulas_room.c: one formula a key */
struct expr *sequence_bytes(struct maker *m, struct expr *tokens); /* KV and states of one */
struct expr *ratio(struct maker *m);
struct expr *crossover(struct maker *m);
struct expr *whole_crossover(struct maker *m);
struct expr *crossover_context(struct maker *m);
struct expr *fits_concurrency(struct maker *m);
struct expr *fits_context(struct maker *m);
struct expr *by_capacity(struct maker *m);
struct expr *by_layout(struct maker *m);
struct expr *needed(struct maker *m);
struct expr *for_weights(struct maker *m);
struct expr *added_by_kv(struct maker *m);
struct expr *next_jump(struct maker *m);
struct expr *for_ttft(struct maker *m);
struct expr *for_tpot(struct maker *m);
struct expr *device_bytes(struct maker *m);
struct expr *device_bandwidth(struct maker *m);
struct expr *usable(struct maker *m);
struct expr *budget_weights(struct maker *m);
struct expr *budget_kv(struct maker *m);
struct expr *budget_index(struct maker *m);
struct expr *budget_state(struct maker *m);
struct expr *budget_runtime(struct maker *m);
struct expr *budget_free(struct maker *m);
struct expr *budget_missing(struct maker *m);

/* formulas_serving.c: one formula a key */
struct expr *output_tokens(struct maker *m);
struct expr *prompt_rate(struct maker *m);
struct expr *decode_rate(struct maker *m);
struct expr *per_device(struct maker *m);
struct expr *per_user(struct maker *m);
struct expr *accepted(struct maker *m);
struct expr *drafted_seconds(struct maker *m);
struct expr *drafted_rate(struct maker *m);
struct expr *drafted_gain(struct maker *m);
struct expr *requests(struct maker *m);
struct expr *decode_share(struct maker *m);
struct expr *interleaved_tokens(struct maker *m);
struct expr *interleaved_requests(struct maker *m);
struct expr *batched(struct maker *m);
struct expr *prefill_per_decode(struct maker *m);
struct expr *transfer(struct maker *m);
struct expr *transfer_rate(struct maker *m);
struct expr *transfer_hidden(struct maker *m);

/* formulas_tiers.c */
const char *formula_tier_row(size_t row); /* the name of a figure of a tier; NULL past the end */
/* "tiers.ddr5-rdimm.load_seconds": which tier and which row; false for anything else. */
bool formula_tier_key(size_t *tier, size_t *row, const struct workload *w, const char *key);
struct expr *formula_tier(struct maker *m, size_t tier, size_t row);

#endif
