#include "ingest/schema.h"

#include <string.h>

#include "sizing/sizing.h"

static struct val *object_of(struct arena *a, const struct field *fields, int flags);

static struct val *
typed(struct arena *a, const char *type)
{
	struct val *v = val_map(a);

	val_put(a, v, "type", val_str(a, type));
	return v;
}

static struct val *
pattern(struct arena *a, const char *regex)
{
	struct val *v = typed(a, "string");

	val_put(a, v, "pattern", val_str(a, regex));
	return v;
}

static struct val *
one_of_words(struct arena *a, const char *const *words)
{
	struct val *v = val_map(a), *list = val_put(a, v, "enum", val_list(a));

	for (; *words != NULL; words++)
		val_push(a, list, val_str(a, *words));
	return v;
}

static struct val *
text_schema(struct arena *a)
{
	struct val *v = typed(a, "object"), *properties = val_map(a);

	val_put(a, properties, "en", typed(a, "string"));
	val_put(a, properties, "ko", typed(a, "string"));
	val_put(a, v, "properties", properties);
	val_put(a, v, "additionalProperties", val_bool(a, false));
	return v;
}

static struct val *
dtype_schema(struct arena *a)
{
	struct val *v = val_map(a), *list = val_put(a, v, "enum", val_list(a));

	for (size_t i = 0; sizing_dtype_at(i) != NULL; i++)
		val_push(a, list, val_str(a, sizing_dtype_at(i)->name));
	return v;
}

/* A quantity as an editor sees it: `12` may come as a number, `141 GB` as a string. */
static struct val *
quantity_schema(struct arena *a, const struct field *f)
{
	struct val *v = val_map(a), *types = val_put(a, v, "type", val_list(a));

	val_push(a, types, val_str(a, "string"));
	val_push(a, types, val_str(a, "number"));
	if (f->dimension != DIM_ANY)
		val_put(a, v, "description",
		    val_strf(a, "%s%s%s, such as %s%s", f->what != NULL ? f->what : "",
		    f->what != NULL ? ": " : "", dimension_name(f->dimension),
		    dimension_example(f->dimension),
		    f->flags & FIELD_RANGE ? "; or a range of two with .. between them" : ""));
	return v;
}

static struct val *
figures_schema(struct arena *a)
{
	static const struct field parts[] = {
		{ .key = "value", .type = FIELD_QUANTITY, .flags = FIELD_REQUIRED, .dimension = DIM_ANY },
		{ .key = "finding", .type = FIELD_FINDING, .flags = FIELD_REQUIRED },
		{ .key = NULL },
	};
	struct val *v = typed(a, "object");

	val_put(a, v, "additionalProperties", object_of(a, parts, 0));
	return v;
}

static struct val *value_schema(struct arena *a, const struct field *f);

static struct val *
item_schema(struct arena *a, const struct field *f)
{
	struct val *v = typed(a, "object"), *properties = val_map(a), *required = val_list(a);
	struct val *value = value_schema(a, &f->sub[0]);

	if (f->sub[0].flags & FIELD_LIST) {
		struct val *list = typed(a, "array");

		val_put(a, list, "items", value);
		value = list;
	}
	val_put(a, properties, "value", value);
	val_put(a, properties, "why", text_schema(a));
	val_put(a, properties, "ask", text_schema(a));
	val_push(a, required, val_str(a, "ask"));
	val_put(a, v, "properties", properties);
	val_put(a, v, "required", required);
	val_put(a, v, "additionalProperties", val_bool(a, false));
	return v;
}

static struct val *
profile_schema(struct arena *a)
{
	struct val *v = val_map(a), *any = val_put(a, v, "anyOf", val_list(a));

	val_push(a, any, typed(a, "string"));
	val_push(a, any, typed(a, "object"));
	return v;
}

static struct val *
value_schema(struct arena *a, const struct field *f)
{
	static const char *const yes_no[] = { "yes", "no", NULL };

	switch (f->type) {
	case FIELD_ID:
	case FIELD_RECORD:
		return pattern(a, "^[a-z0-9][a-z0-9.-]*$");
	case FIELD_ALIAS:
		return pattern(a, "^[A-Za-z0-9][A-Za-z0-9.-]*$");
	case FIELD_NAME:
		return pattern(a, "^[a-z0-9][a-z0-9-]*$");
	case FIELD_FINDING:
		return pattern(a, "^[a-z0-9][a-z0-9.-]*\\.[a-z0-9][a-z0-9-]*$");
	case FIELD_PART:
		return pattern(a, "^[a-z0-9-]+\\.(approvers|metrics|non_negotiables|gates)\\.[a-z0-9-]+$");
	case FIELD_TEXT:
		return text_schema(a);
	case FIELD_YESNO: {
		struct val *v = one_of_words(a, yes_no);

		/* an editor's YAML 1.1 reader makes booleans of them */
		val_push(a, val_get(v, "enum"), val_bool(a, true));
		val_push(a, val_get(v, "enum"), val_bool(a, false));
		return v;
	}
	case FIELD_QUANTITY:
		return quantity_schema(a, f);
	case FIELD_CHOICE:
		return one_of_words(a, f->choices);
	case FIELD_DTYPE:
		return dtype_schema(a);
	case FIELD_MAP:
		return object_of(a, f->sub, f->flags);
	case FIELD_FIGURES:
		return figures_schema(a);
	case FIELD_ITEM:
		return item_schema(a, f);
	case FIELD_PROFILE:
		return profile_schema(a);
	default:
		return typed(a, "string");
	}
}

static struct val *
field_schema(struct arena *a, const struct field *f)
{
	struct val *v = value_schema(a, f);

	if (f->flags & FIELD_LIST) {
		struct val *list = typed(a, "array");

		val_put(a, list, "items", v);
		if (f->flags & FIELD_NONEMPTY)
			val_put(a, list, "minItems", val_num(a, 1));
		v = list;
	}
	if (f->flags & FIELD_UNKNOWN) {
		struct val *any = val_map(a), *list = val_put(a, any, "anyOf", val_list(a));
		struct val *unknown = val_map(a);

		val_put(a, unknown, "const", val_str(a, "unknown"));
		val_push(a, list, v);
		val_push(a, list, unknown);
		v = any;
	}
	if (f->what != NULL && val_get(v, "description") == NULL)
		val_put(a, v, "description", val_str(a, f->what));
	return v;
}

static struct val *
object_of(struct arena *a, const struct field *fields, int flags)
{
	struct val *v = typed(a, "object"), *properties = val_map(a), *required = val_list(a);

	for (; fields->key != NULL; fields++) {
		val_put(a, properties, fields->key, field_schema(a, fields));
		if (fields->flags & FIELD_REQUIRED)
			val_push(a, required, val_str(a, fields->key));
	}
	val_put(a, v, "properties", properties);
	if (val_count(required) > 0)
		val_put(a, v, "required", required);
	val_put(a, v, "additionalProperties", val_bool(a, false));
	if (flags & FIELD_ONE_OF) {
		val_put(a, v, "minProperties", val_num(a, 1));
		val_put(a, v, "maxProperties", val_num(a, 1));
	}
	return v;
}

struct val *
schema_of(struct arena *a, const struct kind *kind)
{
	struct val *v = val_map(a), *body = object_of(a, kind->fields, 0);

	if (kind->id == KIND_DECISION) {
		struct val *list = typed(a, "array");

		val_put(a, list, "items", body);
		body = list;
	}
	val_put(a, v, "$schema", val_str(a, "https://json-schema.org/draft/2020-12/schema"));
	val_put(a, v, "title", val_strf(a, "dossier: %s", kind->name));
	for (size_t i = 0; i < body->map.count; i++)
		val_put(a, v, body->map.entries[i].key, body->map.entries[i].value);
	return v;
}
