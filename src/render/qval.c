#include "render/qval.h"

#include <stddef.h>

struct val *
render_quantity_json(struct arena *a, const struct quantity *q)
{
	struct val *map;

	if (q == NULL)
		return val_null(a);
	map = val_map(a);
	val_put(a, map, "value", val_num(a, q->value));
	val_put(a, map, "unit", val_str(a, unit_base(q->unit->dimension)->name));
	val_put(a, map, "kind", val_str(a, quantity_kind_name(q->kind, "en")));
	if (q->kind == QUANTITY_CALCULATED)
		val_put(a, map, "weakest", val_str(a, quantity_kind_name(q->weakest, "en")));
	val_put(a, map, "ref", val_str(a, q->ref));
	return map;
}

struct val *
render_quantity_text(struct arena *a, const struct quantity *q, const char *lang, const char *cite)
{
	struct val *map;
	char text[QUANTITY_TEXT];

	if (q == NULL)
		return val_null(a);
	map = val_map(a);
	val_put(a, map, "text", val_str(a, quantity_text(text, sizeof text, q, lang)));
	val_put(a, map, "exact", val_str(a, quantity_exact(text, sizeof text, q)));
	val_put(a, map, "kind", val_str(a, quantity_kind_name(q->kind, lang)));
	val_put(a, map, "basis", val_str(a, quantity_kind_name(quantity_basis(q), lang)));
	val_put(a, map, "ref", val_str(a, q->ref));
	val_put(a, map, "cite", val_str(a, cite));
	return map;
}
