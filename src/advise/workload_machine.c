/* The inputs that say how a replica runs: classes of tensors, lengths, layout, efficiency, drafting. */
#include <string.h>

#include "advise/workload_int.h"
#include "kb/profile.h"

static bool
is_word(const struct val *map, const char *key, const char *word)
{
	const char *text = val_get_text(map, key);

	return text != NULL && strcmp(text, word) == 0;
}

/* Ways to spread training that decode has no use for. */
static int
refuse_layout(const struct val *map, struct err *e)
{
	if (profile_number(val_get(map, "fsdp"), DIM_COUNT, 1) > 1)
		return err_at(e, ERR_INPUT, map->at, "fsdp gathers the weights over links in every step of decode, which are "
		    "far slower than the memory that bounds it: split them with tensor or pipeline instead");
	if (profile_number(val_get(map, "data"), DIM_COUNT, 1) > 1)
		return err_at(e, ERR_INPUT, map->at, "data parallelism repeats all weights and reads them no faster: "
		    "run replicas instead");
	return OK;
}

static int
read_layout(struct sizing_layout *l, const struct val *map, struct err *e)
{
	l->tensor = profile_number(val_get(map, "tensor"), DIM_COUNT, 1);
	l->attention = profile_number(val_get(map, "attention"), DIM_COUNT, 1);
	l->pipeline = profile_number(val_get(map, "pipeline"), DIM_COUNT, 1);
	l->expert = is_word(map, "experts", "whole");
	for (int i = 0; i < SIZING_KV_SPLITS; i++)
		if (is_word(map, "kv", sizing_kv_split_name((enum sizing_kv_split)i)))
			l->kv = (enum sizing_kv_split)i;
	return refuse_layout(map, e);
}

static int
read_lengths(struct sizing_load *load, const struct val *list, struct err *e)
{
	if (val_count(list) > SIZING_MAX_LENGTHS)
		return err_at(e, ERR_INPUT, list->at, "expected at most %d lengths, found %zu",
		    SIZING_MAX_LENGTHS, val_count(list));
	for (size_t i = 0; i < val_count(list); i++) {
		const struct val *item = list->list.items[i];
		struct sizing_length *length = &load->lengths[load->length_count++];

		length->tokens = profile_number(val_get(item, "tokens"), DIM_TOKENS, 0);
		length->share = profile_number(val_get(item, "share"), DIM_RATIO, 0);
		/* The longest is the context, unless that is given. */
		if (load->prompt == 0 && load->context < length->tokens)
			load->context = length->tokens;
	}
	return OK;
}

int
workload_fill_machine(struct workload *w, struct err *e)
{
	struct sizing_load *load = &w->in.load;
	struct sizing_device *d = &w->in.device;
	const struct input *rates = &w->inputs[INPUT_RATES];
	int rc = OK;

	for (int i = 0; i < SIZING_CLASSES; i++) {
		const char *own = val_get_text(w->inputs[INPUT_TENSORS].profile,
		    sizing_class_name((enum sizing_class)i));

		load->tensors[i] = own != NULL ? sizing_dtype_find(own) : NULL;
	}
	if (w->inputs[INPUT_LENGTHS].known)
		rc = read_lengths(load, w->inputs[INPUT_LENGTHS].profile, e);
	if (rc == OK && w->inputs[INPUT_LAYOUT].known)
		rc = read_layout(&load->layout, w->inputs[INPUT_LAYOUT].profile, e);
	if (w->inputs[INPUT_NODE].known)
		d->node = workload_number(w, INPUT_NODE, 0);
	if (rates->known && strcmp(rates->text, "achieved") == 0 && w->device != NULL)
		profile_achieved(d, w->device);
	for (int i = 0; w->inputs[INPUT_EFFICIENCY].known && i < SIZING_RATES; i++)
		d->efficiency[i] = workload_number(w, INPUT_EFFICIENCY, 0);
	if (w->inputs[INPUT_BANDWIDTH_EFFICIENCY].known)
		d->bandwidth_efficiency = workload_number(w, INPUT_BANDWIDTH_EFFICIENCY, 0);
	load->prefill_chunk = workload_number(w, INPUT_PREFILL_CHUNK, 0);
	load->runtime_bytes = workload_number(w, INPUT_RUNTIME, 0);
	load->expert_imbalance = workload_number(w, INPUT_IMBALANCE, 0);
	load->draft_tokens = workload_number(w, INPUT_DRAFT_TOKENS, 0);
	load->acceptance = workload_number(w, INPUT_ACCEPTANCE, 0);
	load->draft_cost = workload_number(w, INPUT_DRAFT_COST, 0);
	return rc;
}
