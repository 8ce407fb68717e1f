#include "plan/column.h"

#include <string.h>

#include "util/near.h"

void
plan_column_axis(struct plan_column *out, const struct plan_grid *grid, size_t axis)
{
	const struct plan_axis *a = &grid->axes[axis];

	*out = (struct plan_column){ .name = a->name, .axis = (int)axis };
	if (a->target == PLAN_NUMBER) {
		out->key = a->key;
		out->of_input = true;
	}
}

/* Does `name` end in the parts `end`, with '.' and '_' the same? */
static bool
ends_in(const char *name, const char *end, size_t len)
{
	size_t n = strlen(name), from = n - len;

	if (len == 0 || len > n || (from > 0 && name[from - 1] != '.'))
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[from + i] != end[i] && !(name[from + i] == '.' && end[i] == '_'))
			return false;
	return true;
}

static bool
is_name(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && ends_in(name, text, len);
}

static const struct sizing_key *
find_result(const char *text, size_t len)
{
	const struct sizing_key *key, *found = NULL;
	int count = 0;

	for (size_t i = 0; (key = sizing_result_key(i)) != NULL; i++) {
		if (is_name(key->name, text, len))
			return key;
		if (ends_in(key->name, text, len)) {
			found = key;
			count++;
		}
	}
	return count == 1 ? found : NULL;
}

/* As the engine took it where it worked it out: the context of a prompt and an output. */
static bool
find_input(struct plan_column *out, const struct plan_grid *grid, const char *text, size_t len)
{
	const struct sizing_key *key, *loaded;
	double given;

	for (size_t i = 0; (key = sizing_input_key(i)) != NULL; i++) {
		if (!is_name(key->name, text, len))
			continue;
		if (strcmp(key->name, "accelerators") == 0) {
			memcpy(&given, (const char *)grid->base + key->offset, sizeof given);
			if (!(given > 0))
				return false;
		}
		for (size_t j = 0; (loaded = sizing_result_key(j)) != NULL; j++)
			if (strncmp(loaded->name, "load.", 5) == 0 && strcmp(loaded->name + 5, key->name) == 0) {
				*out = (struct plan_column){ .name = key->name, .key = loaded };
				return true;
			}
		*out = (struct plan_column){ .name = key->name, .key = key, .of_input = true };
		return true;
	}
	return false;
}

struct guess {
	const char *text, *best;
	int least;
};

static void
consider(struct guess *g, const char *name)
{
	const char *dot = strrchr(name, '.');
	int whole = near_distance(g->text, name), end = dot != NULL ? near_distance(g->text, dot + 1) : 99;
	int d = whole < end ? whole : end;

	if (d < g->least) {
		g->least = d;
		g->best = name;
	}
}

static const char *
nearest(const struct plan_grid *grid, const char *text)
{
	struct guess g = { text, NULL, 1 + (int)strlen(text) / 3 };
	const struct sizing_key *key;

	for (size_t i = 0; i < grid->axis_count; i++)
		consider(&g, grid->axes[i].name);
	for (size_t i = 0; (key = sizing_input_key(i)) != NULL; i++)
		consider(&g, key->name);
	for (size_t i = 0; (key = sizing_result_key(i)) != NULL; i++)
		consider(&g, key->name);
	return g.best;
}

int
plan_column_find(struct plan_column *out, const struct plan_grid *grid, const char *text, size_t len,
    struct err *e)
{
	const struct sizing_key *key;
	const char *near;
	char name[64];

	for (size_t i = 0; i < grid->axis_count; i++)
		if (is_name(grid->axes[i].name, text, len)) {
			plan_column_axis(out, grid, i);
			return OK;
		}
	if (find_input(out, grid, text, len))
		return OK;
	if (len == strlen("accelerators") && memcmp(text, "accelerators", len) == 0)
		key = sizing_result_find("accelerators.needed");
	else
		key = find_result(text, len);
	if (key != NULL) {
		*out = (struct plan_column){ .name = key->name, .key = key };
		return OK;
	}
	if (len >= sizeof name)
		len = sizeof name - 1;
	memcpy(name, text, len);
	name[len] = '\0';
	near = nearest(grid, name);
	if (near != NULL)
		return err_set(e, ERR_USAGE, "expected the name of a figure, found `%s`; did you mean `%s`?", name, near);
	return err_set(e, ERR_USAGE, "expected the name of a figure such as kv.bytes, found `%s`", name);
}

bool
plan_column_is_limit(const struct plan_column *column)
{
	static const size_t limits[] = { offsetof(struct sizing_result, fits_concurrency),
		offsetof(struct sizing_result, fits_context), offsetof(struct sizing_result, next_jump_concurrency) };

	for (size_t i = 0; column->key != NULL && !column->of_input && i < sizeof limits / sizeof *limits; i++)
		if (column->key->unit != SIZING_UNIT_TEXT && column->key->offset == limits[i])
			return true;
	return false;
}

bool
plan_column_is_text(const struct plan_column *column, const struct plan_grid *grid)
{
	if (column->key == NULL)
		return grid->axes[column->axis].labels != NULL;
	return column->key->unit == SIZING_UNIT_TEXT || column->key->unit == SIZING_UNIT_DTYPE;
}

bool
plan_column_number(double *out, const struct plan_column *column, const struct plan_cursor *c)
{
	if (column->key == NULL) {
		*out = c->values[column->axis];
		return true;
	}
	if (!column->of_input)
		return sizing_result_number(out, column->key, &c->out);
	memcpy(out, (const char *)&c->in + column->key->offset, sizeof *out);
	return !(column->key->zero_is_none && *out == 0) && !(*out < 0);
}

const char *
plan_column_text(const struct plan_column *column, const struct plan_cursor *c)
{
	const struct sizing_dtype *dtype;

	if (column->key == NULL)
		return c->grid->axes[column->axis].labels[c->index[column->axis]];
	if (column->key->unit == SIZING_UNIT_TEXT)
		return column->key->text(&c->out);
	memcpy(&dtype, (const char *)&c->in + column->key->offset, sizeof dtype);
	return dtype != NULL ? dtype->name : NULL;
}
