#include "propose/draft.h"

#include "advise/range.h"
#include "advise/result.h"
#include "kb/messages.h"

const char *
draft_message(const struct draft *d, const char *group, const char *key)
{
	return messages_get(d->messages, group, key);
}

/* The figure of a result key, cited under the workload's name; null where there is none. */
struct val *
draft_result(struct draft *d, const struct workload *w, const char *key)
{
	struct quantity q;

	if (!result_quantity(&q, w, key))
		return val_null(d->a);
	return draft_figure(d, &q, arena_printf(d->a, "%s.%s", w->id, key), SOURCE_CALCULATION, w->id);
}

/* The lowest and the highest of a figure over the customer's ranges, cited; a null value where there are none. */
struct val *
draft_range(struct draft *d, const struct workload *w, const char *key)
{
	struct quantity low, high;
	struct val *range;

	if (!range_quantity(&low, &high, w, key) || low.value == high.value)
		return val_null(d->a);
	range = val_map(d->a);
	val_put(d->a, range, "low", draft_figure(d, &low, arena_printf(d->a, "%s.%s.low", w->id, key), SOURCE_CALCULATION, w->id));
	val_put(d->a, range, "high", draft_figure(d, &high, arena_printf(d->a, "%s.%s.high", w->id, key), SOURCE_CALCULATION, w->id));
	val_put(d->a, range, "sampled", val_bool(d->a, !range_is_exact(w, key)));
	return range;
}

struct val *
draft_input(struct draft *d, const struct workload *w, enum input_id id)
{
	const struct input *in = &w->inputs[id];

	if (!in->known || in->q.unit == NULL)
		return val_null(d->a);
	return draft_figure(d, &in->q, arena_printf(d->a, "%s.in.%s", w->id, input_name(id)),
	    in->kind == QUANTITY_ASSUMED ? SOURCE_ASSUMPTIONS : SOURCE_CUSTOMER, "");
}

/* A range that was given, both ends cited: "[32][...] to [96][...]". */
static struct val *
input_range(struct draft *d, const struct workload *w, enum input_id id)
{
	const struct input *in = &w->inputs[id];
	enum source_kind kind = in->kind == QUANTITY_ASSUMED ? SOURCE_ASSUMPTIONS : SOURCE_CUSTOMER;
	bool low_taken = range_end(id) == RANGE_LOW;
	const char *label = arena_printf(d->a, "%s.in.%s", w->id, input_name(id));
	const struct val *low, *high;

	low = draft_figure(d, &in->low, low_taken ? label : arena_printf(d->a, "%s.low", label), kind, "");
	high = draft_figure(d, &in->high, low_taken ? arena_printf(d->a, "%s.high", label) : label, kind, "");
	if (!val_is(low, VAL_STR) || !val_is(high, VAL_STR))
		return val_null(d->a);
	return val_strf(d->a, "%s - %s", val_text(low), val_text(high));
}

/* An input as it was given: one figure, or both ends of a range. */
struct val *
draft_given(struct draft *d, const struct workload *w, enum input_id id)
{
	return w->inputs[id].range ? input_range(d, w, id) : draft_input(d, w, id);
}
