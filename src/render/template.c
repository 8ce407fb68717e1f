#include "render/template.h"

#include <stdbool.h>
#include <string.h>

#include "render/escape.h"
#include "render/template_int.h"

/* A template that was parsed, for one indentation. */
struct parsed {
	const char *name, *indent;
	struct tnode *first;
	struct parsed *next;
};

/* What a name is looked up in, from the innermost outwards. */
struct frame {
	const struct val *value;
	const struct frame *outer;
};

struct renderer {
	struct buf *out;
	size_t start; /* what of `out` was there before */
	const struct render_loader *loader;
	const char *extension;
	render_escape_fn *escape;
	struct arena arena;
	struct parsed *parsed;
	int partials;
	long steps;
	struct err *e;
};

/*
 * NULL if there is none. The first part of a dotted name is looked for outwards, the rest
 * in what it led to and nowhere else.
 */
static const struct val *
lookup(const struct frame *frame, const char *name)
{
	char key[128];
	size_t n = strcspn(name, ".");
	const struct val *v = NULL;

	if (n == 0)
		return frame->value; /* {{.}} */
	memcpy(key, name, n);
	key[n] = '\0';
	for (; v == NULL && frame != NULL; frame = frame->outer)
		v = val_get(frame->value, key);
	while (v != NULL && name[n] == '.') {
		name += n + 1;
		n = strcspn(name, ".");
		memcpy(key, name, n);
		key[n] = '\0';
		v = val_get(v, key);
	}
	return v;
}

static bool
is_truthy(const struct val *v)
{
	if (v == NULL)
		return false;
	switch (v->kind) {
	case VAL_NULL:
		return false;
	case VAL_BOOL:
		return v->boolean;
	case VAL_STR:
		return v->str.len > 0;
	case VAL_LIST:
		return v->list.count > 0;
	case VAL_NUM:
	case VAL_MAP:
		break;
	}
	return true;
}

static int
print_value(struct renderer *r, const struct tnode *node, const struct frame *frame)
{
	const struct val *v = lookup(frame, node->text);

	if (v == NULL || v->kind == VAL_NULL)
		return err_at(r->e, ERR_INPUT, node->at, "expected a value for %s, found none",
		    node->text);
	if (v->kind != VAL_STR)
		return err_at(r->e, ERR_INPUT, node->at,
		    "expected a text for %s, found %s (a figure is printed as a quantity)",
		    node->text, val_kind_name(v->kind));
	if (node->kind == TNODE_RAW)
		buf_add(r->out, v->str.text, v->str.len);
	else
		r->escape(r->out, v->str.text, v->str.len);
	return OK;
}

static int print_nodes(struct renderer *r, const struct tnode *owner, const struct tnode *node,
    const struct frame *frame);

static int
print_section(struct renderer *r, const struct tnode *node, const struct frame *frame)
{
	const struct val *v = lookup(frame, node->text);
	struct frame inner = { v, frame };

	if (val_is(v, VAL_NUM))
		return err_at(r->e, ERR_INPUT, node->at,
		    "expected a text, list, map or yes or no for %s, found a number", node->text);
	if (is_truthy(v) == (node->kind == TNODE_INVERTED))
		return OK;
	if (node->kind == TNODE_INVERTED || v->kind == VAL_BOOL)
		return print_nodes(r, node, node->first, frame);
	if (v->kind != VAL_LIST)
		return print_nodes(r, node, node->first, &inner);
	for (size_t i = 0; i < v->list.count; i++) {
		int rc;

		inner.value = v->list.items[i];
		if ((rc = print_nodes(r, node, node->first, &inner)) != OK)
			return rc;
	}
	return OK;
}

/* The template from the loader, parsed; *out is NULL without an error if there is none. */
static int
parse(struct renderer *r, struct parsed **out, const char *name, const char *indent)
{
	struct parsed *p;
	const char *text;
	size_t len;

	*out = NULL;
	for (p = r->parsed; p != NULL; p = p->next) {
		if (strcmp(p->name, name) == 0 && strcmp(p->indent, indent) == 0) {
			*out = p;
			return OK;
		}
	}
	text = r->loader->find(r->loader->data, name, &len);
	if (text == NULL)
		return OK;
	p = arena_alloc(&r->arena, sizeof *p);
	p->name = arena_strdup(&r->arena, name);
	p->indent = arena_strdup(&r->arena, indent);
	p->next = r->parsed;
	r->parsed = p;
	*out = p;
	return template_parse(&p->first, &r->arena, p->name, text, len, p->indent, r->e);
}

static int
print_partial(struct renderer *r, const struct tnode *node, const struct frame *frame)
{
	const char *name = node->text, *base = strrchr(name, '/');
	struct parsed *p;
	int rc;

	if (r->partials == RENDER_MAX_PARTIALS)
		return err_at(r->e, ERR_INPUT, node->at,
		    "expected at most %d partials in each other", RENDER_MAX_PARTIALS);
	rc = parse(r, &p, name, node->indent);
	if (rc == OK && p == NULL && strchr(base == NULL ? name : base, '.') == NULL)
		rc = parse(r, &p, arena_printf(&r->arena, "%s%s", name, r->extension),
		    node->indent);
	if (rc != OK)
		return rc;
	if (p == NULL)
		return err_at(
		    r->e, ERR_INPUT, node->at, "expected the template %s, found none", name);
	r->partials++;
	rc = print_nodes(r, node, p->first, frame);
	r->partials--;
	return rc;
}

static int
print_node(struct renderer *r, const struct tnode *node, const struct frame *frame)
{
	switch (node->kind) {
	case TNODE_TEXT:
		buf_add(r->out, node->text, node->len);
		return OK;
	case TNODE_VALUE:
	case TNODE_RAW:
		return print_value(r, node, frame);
	case TNODE_SECTION:
	case TNODE_INVERTED:
		return print_section(r, node, frame);
	case TNODE_PARTIAL:
		return print_partial(r, node, frame);
	}
	return OK;
}

/* `owner`: what the nodes are in; each of its rounds counts as a step, also if it is empty. */
static int
print_nodes(struct renderer *r, const struct tnode *owner, const struct tnode *node,
    const struct frame *frame)
{
	for (;;) {
		int rc;

		if (++r->steps > RENDER_MAX_STEPS || r->out->len - r->start > RENDER_MAX_OUTPUT)
			return err_at(r->e, ERR_INPUT, owner->at,
			    "expected a document of at most %d bytes, found a larger one",
			    RENDER_MAX_OUTPUT);
		if (node == NULL)
			return OK;
		if ((rc = print_node(r, node, frame)) != OK)
			return rc;
		node = node->next;
	}
}

int
render_template(struct buf *out, const struct render_loader *loader, const char *name,
    const struct val *context, struct err *e)
{
	struct renderer r = {
		.out = out, .start = out->len, .loader = loader, .extension = strrchr(name, '.'),
		.escape = render_escape_for(name), .arena = ARENA_INIT, .e = e,
	};
	const struct tnode whole = { .at = { name, 0, 0 } };
	struct frame root = { context, NULL };
	struct parsed *p;
	int rc;

	if (r.escape == NULL)
		return err_set(e, ERR_INPUT,
		    "expected a template that ends in .md, .html, .svg or .txt, found %s", name);
	rc = parse(&r, &p, name, "");
	if (rc == OK && p != NULL)
		rc = print_nodes(&r, &whole, p->first, &root);
	else if (rc == OK)
		rc = err_set(e, ERR_INPUT, "expected the template %s, found none", name);
	/* The place in `e` names a file of the arena's, but as text: it may go. */
	arena_release(&r.arena);
	return rc;
}
