/* Inside of the presets: what both engines start from. */
#ifndef SIZING_ENGINE_INT_H
#define SIZING_ENGINE_INT_H

#include "sizing/engine.h"

struct sizing_reserve_case {
	const struct sizing_model *model;
	const struct sizing_engine *engine; /* with its defaults put in */
	const struct sizing_dtype *kv, *index;
	double context, sequences;
};

int sizing_reserve_llama(struct sizing_reserved *r, const struct sizing_reserve_case *c,
    struct sizing_error *error);
int sizing_reserve_vllm(struct sizing_reserved *r, const struct sizing_reserve_case *c,
    struct sizing_error *error);

/* Keys without values: one vector for both, a latent or the like. */
bool sizing_is_latent(const struct sizing_group *g);
/* Up to the next multiple. */
double sizing_pad(double x, double unit);
double sizing_bytes_of(double width, const struct sizing_dtype *dtype);

#endif
