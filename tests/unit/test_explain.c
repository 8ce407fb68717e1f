/*
 * Explanations: each printed formula is read back and evaluated here, by a reader that shares nothing
 * with the writer, and has to give the engine's value.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/explain.h"
#include "advise/formulas.h"
#include "advise/result.h"
#include "cli/images.h"
#include "db/db.h"
#include "kb/kb.h"
#include "kb/messages.h"
#include "sql.h"

/* ---- a reader of "64 x (61 x 131,072 x 1,152 B)" ---- */

struct reader {
	const char *at;
};

static double read_sum(struct reader *r);

static bool
take(struct reader *r, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(r->at, text, n) != 0)
		return false;
	r->at += n;
	return true;
}

static double
read_number(struct reader *r)
{
	char digits[64];
	const struct unit *unit = NULL;
	size_t n = 0, word;
	double value;

	while (strchr("0123456789.", *r->at) != NULL || *r->at == ',' || *r->at == 'e' ||
	    ((*r->at == '+' || *r->at == '-') && n > 0 && digits[n - 1] == 'e')) {
		if (*r->at == '\0' || (*r->at == ',' && r->at[1] == ' '))
			break;
		if (*r->at != ',')
			digits[n++] = *r->at;
		r->at++;
	}
	digits[n] = '\0';
	assert_true(n > 0);
	value = strtod(digits, NULL);
	if (r->at[0] != ' ')
		return value;
	word = strcspn(r->at + 1, " ,)^");
	if (word == 1 && r->at[1] == 'x') /* times, not the unit of a factor */
		return value;
	unit = unit_find(r->at + 1, word);
	if (unit == NULL || word == 0)
		return value;
	r->at += 1 + word;
	return value * unit->factor;
}

static double
read_call(struct reader *r, double (*fold)(double, double))
{
	double x = read_sum(r);

	while (take(r, ", "))
		x = fold(x, read_sum(r));
	assert_true(take(r, ")"));
	return x;
}

static double
read_atom(struct reader *r)
{
	double x;

	if (take(r, "max("))
		return read_call(r, fmax);
	if (take(r, "min("))
		return read_call(r, fmin);
	if (take(r, "ceil("))
		return ceil(read_call(r, fmax));
	if (take(r, "floor("))
		return floor(read_call(r, fmax));
	if (take(r, "(")) {
		x = read_sum(r);
		assert_true(take(r, ")"));
		return x;
	}
	return read_number(r);
}

static double
read_power(struct reader *r)
{
	double x = read_atom(r);

	return take(r, "^") ? pow(x, read_atom(r)) : x;
}

static double
read_product(struct reader *r)
{
	double x = read_power(r);

	for (;;) {
		if (take(r, " x "))
			x *= read_power(r);
		else if (take(r, " / "))
			x /= read_power(r);
		else
			return x;
	}
}

static double
read_sum(struct reader *r)
{
	double x = read_product(r);

	for (;;) {
		if (take(r, " + "))
			x += read_product(r);
		else if (take(r, " - "))
			x -= read_product(r);
		else
			return x;
	}
}

/* ---- every shipped model ---- */

struct fixture {
	struct kb *kb;
	struct arena a;
	struct val *messages;
};

static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct err e = ERR_INIT;

	assert_int_equal(kb_open(&f->kb, image_knowledge, (size_t)image_knowledge_len, &e), OK);
	assert_int_equal(messages_load(&f->messages, &f->a, "en", &e), OK);
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	kb_close(f->kb);
	arena_release(&f->a);
	free(f);
	return 0;
}

/* `options` alternates keys and values, NULL at its end. */
static struct workload
size_up(struct fixture *f, const char *const *options)
{
	struct val *map = val_map(&f->a);
	struct err e = ERR_INIT;
	struct workload w;

	for (; *options != NULL; options += 2)
		val_put(&f->a, map, options[0], val_str(&f->a, options[1]));
	if (workload_from_options(&w, f->kb, &f->a, map, &e) != OK)
		fail_msg("%s", e.text);
	return w;
}

/*
 * Of a search the three parts hold in the order that is printed; any other formula gives the value.
 * Printed numbers have EXPR_DIGITS digits where they are not whole: half a unit of the last is 5e-7 of the
 * smallest, and a formula multiplies a few of them. A floor or a ceiling may fall on the other side.
 */
static void
check_printed(const struct workload *w, const struct explanation *x)
{
	struct buf b = BUF_INIT;
	struct reader r;
	/* What a shared link has left for one more read may be a small difference. */
	double share = strncmp(x->key, "tiers.", 6) == 0 ? 1e-3 : 1e-5;
	double first, value, left = 0;

	if (x->result.unit->dimension == DIM_COUNT)
		left = 1;
	else if (x->result.unit->dimension == DIM_SECONDS) /* what is saved is a small difference of long times */
		left = 1e-6 * w->out.prefill.seconds;
	expr_numbers(&b, x->formula);
	r.at = b.s;
	value = first = read_sum(&r);
	if (take(&r, " <= ")) {
		value = read_sum(&r);
		assert_true(first <= value * (1 + 1e-6) && take(&r, " < ") && read_sum(&r) > value * (1 - 1e-6));
	} else if (take(&r, " >= ")) {
		value = read_sum(&r);
		assert_true(first >= value * (1 - 1e-6));
		assert_true(x->result.value == 1 || (take(&r, " > ") && read_sum(&r) < value * (1 + 1e-6)));
	} else if (!(fabs(value - x->result.value) <= share * fabs(x->result.value) + left)) {
		fail_msg("%s of %s: %s is %.17g, not %.17g", x->key, workload_model_name(w), b.s, value, x->result.value);
	}
	if (*r.at != '\0')
		fail_msg("%s: not read to its end: `%s` of `%s`", x->key, r.at, b.s);
	buf_release(&b);
}

/* A word for every operand, or the key of a figure that has a formula of its own. */
static bool
has_name(void *context, const struct expr *operand)
{
	struct fixture *f = context;

	if (strchr(operand->name, '.') == NULL && strcmp(operand->name, "critical_batch") != 0 &&
	    val_get(val_get(f->messages, "operand"), operand->name) == NULL)
		fail_msg("no word for the operand %s", operand->name);
	return true;
}

static size_t
check_all(struct fixture *f, const struct workload *w)
{
	struct explanation x;
	const char *key;
	size_t n = 0;

	for (size_t i = 0; (key = explain_key(&f->a, w, i)) != NULL; i++) {
		if (!explain(&x, &f->a, w, key) || x.result.value == 0)
			continue;
		/* What is looked for among layouts may have no formula; nothing else may. */
		if (x.searched)
			continue;
		if (x.formula == NULL) {
			const struct expr *made = formula_of(&f->a, w, key);

			fail_msg("%s of %s on %s: the formula gives %.17g, the engine %.17g", key, workload_model_name(w),
			    workload_device_name(w), made != NULL ? made->value : NAN, x.result.value);
		}
		check_printed(w, &x);
		expr_operands(x.formula, has_name, f);
		n++;
	}
	return n;
}

static void
every_formula_of_every_model_gives_the_result(void **state)
{
	/* A plain device, one with fp4 and one without fp8; those whose memory is shared come below. */
	static const char *const devices[] = { "h200", "b200", "tpu-v5e", "a100-80gb" };
	static const char *const loads[][3] = { { "8K", "1", "8" }, { "100000", "3001", "64" }, { "300", "17", "1000" } };
	struct fixture *f = *state;
	struct err e = ERR_INIT;
	struct val *models;
	size_t sized = 0, formulas = 0;

	assert_int_equal(db_rows(&models, &f->a, kb_db(f->kb), KB_LIST, &e, "ss", "model", "en"), OK);
	assert_true(val_count(models) >= 30);
	for (size_t i = 0; i < val_count(models); i++) {
		for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
			const char *const *load = loads[(i + d) % 3];
			struct val *options = val_map(&f->a), *body;
			struct workload w;
			const char *const pairs[][2] = { { "model", val_get_text(models->list.items[i], "id") },
				{ "accelerator", devices[d] }, { "weights", d == 1 ? "nvfp4" : "fp8" }, { "kv", d == 2 ? "fp8" : "bf16" },
				{ "prompt", load[0] }, { "output", load[1] }, { "concurrency", load[2] }, { "sessions", "5000" },
				{ "reuse", "37 %" }, { "ttft", "500 ms" }, { "tpot", "20 ms" } };

			if (kb_record(&body, f->kb, &f->a, devices[d], "accelerator", &e) != OK)
				continue;
			for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
				val_put(&f->a, options, pairs[k][0], val_str(&f->a, pairs[k][1]));
			body = val_put(&f->a, options, "tiers", val_list(&f->a));
			val_push(&f->a, body, val_str(&f->a, "ddr5-rdimm"));
			if (workload_from_options(&w, f->kb, &f->a, options, &e) != OK)
				fail_msg("%s", e.text);
			assert_true(w.sized);
			sized++;
			formulas += check_all(f, &w);
		}
	}
	assert_true(sized >= 3 * val_count(models));
	assert_true(formulas >= 30 * sized);
}

/* Maps and lists as a customer file has them: "tensor=4 attention=2". */
static struct val *
map_of(struct fixture *f, const char *text)
{
	struct val *map = val_map(&f->a);

	while (*text != '\0') {
		size_t n = strcspn(text, " "), at = strcspn(text, "=");

		val_put(&f->a, map, arena_strndup(&f->a, text, at), val_strn(&f->a, text + at + 1, n - at - 1));
		text += n + (text[n] == ' ');
	}
	return map;
}

/*
 * Everything that a run can be told, on layouts of every kind: groups of attention, whole experts, stages that
 * do and do not divide the layers, rows split by batch and by sequence, chunks, lengths, drafts, shares of peaks.
 */
static void
layouts_and_options_are_explained(void **state)
{
	static const struct {
		const char *model, *layout, *extra;
	} cases[] = {
		{ "deepseek-v3", "tensor=4 attention=4 experts=whole", "prefill_chunk=4096 runtime=3e9 expert_imbalance=1.3" },
		{ "deepseek-v3", "tensor=8 attention=2 experts=sliced kv=copy", "draft_tokens=3 acceptance=0.7 draft_cost=0.05" },
		{ "deepseek-v3", "tensor=16 kv=batch", "efficiency=0.5 bandwidth_efficiency=0.8" },
		{ "deepseek-v3", "tensor=8 pipeline=3 kv=sequence", "prefill_chunk=1000 rates=achieved" },
		{ "qwen3-235b-a22b", "tensor=4 pipeline=4", "prefill_chunk=2048 activations=fp8" },
		{ "llama-3.1-405b", "tensor=8 pipeline=3", "prefill_chunk=512 draft_tokens=4 acceptance=1 draft_cost=0.1" },
		{ "gemma-3-27b", "tensor=8", "rates=achieved" },
		{ "qwen3-next-80b-a3b", "tensor=2 attention=2 experts=whole", "prefill_chunk=8192" },
		{ "deepseek-v3.2", "tensor=16", "runtime=1e9 prefill_chunk=300" },
	};
	struct fixture *f = *state;
	struct err e = ERR_INIT;
	struct val *known, *tiers = val_list(&f->a);
	size_t formulas = 0;

	assert_int_equal(db_rows(&known, &f->a, kb_db(f->kb), KB_LIST, &e, "ss", "tier", "en"), OK);
	for (size_t i = 0; i < val_count(known) && i < SIZING_MAX_TIERS; i++)
		val_push(&f->a, tiers, val_str(&f->a, val_get_text(known->list.items[i], "id")));
	assert_true(val_count(tiers) >= 8);
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		struct val *options = map_of(f, "accelerator=h200 weights=fp8 kv=bf16 prompt=9000 output=500 concurrency=37 tpot=40s ttft=900s reuse=0.3 sessions=90");
		struct val *extra = map_of(f, cases[i / 2].extra), *lengths = val_list(&f->a);
		struct workload w;

		for (size_t k = 0; k < extra->map.count; k++)
			val_put(&f->a, options, extra->map.entries[k].key, extra->map.entries[k].value);
		val_put(&f->a, options, "model", val_str(&f->a, cases[i / 2].model));
		val_put(&f->a, options, "tiers", tiers);
		val_put(&f->a, options, "layout", map_of(f, cases[i / 2].layout));
		if (i % 2 == 1) {
			val_push(&f->a, lengths, map_of(f, "tokens=9500 share=0.25"));
			val_push(&f->a, lengths, map_of(f, "tokens=700 share=0.75"));
			val_put(&f->a, options, "lengths", lengths);
			val_put(&f->a, options, "tensors", map_of(f, "vocabulary=bf16 experts=mxfp4"));
		}
		if (workload_from_options(&w, f->kb, &f->a, options, &e) != OK)
			fail_msg("%s, %s: %s", cases[i / 2].model, cases[i / 2].layout, e.text);
		assert_true(w.sized && w.out.layout.tensor > 0);
		formulas += check_all(f, &w);
	}
	assert_true(formulas >= 600);
}

static const char *const showcase[] = { "model", "deepseek-v3", "accelerator", "h200", "weights", "fp8", "kv", "bf16",
	"context", "128K", "concurrency", "64", NULL };

static char *
text_of(struct fixture *f, void (*write)(struct buf *, const struct expr *), const struct expr *e)
{
	struct buf b = BUF_INIT;
	char *text;

	write(&b, e);
	text = arena_strdup(&f->a, b.s);
	buf_release(&b);
	return text;
}

/* 61 layers, a latent of 512 + 64 elements of 2 bytes, 128K = 131,072 tokens, 64 sequences. */
static void
the_formula_is_said_in_words_and_numbers(void **state)
{
	struct fixture *f = *state;
	struct workload w = size_up(f, showcase);
	struct explain_style style = { .a = &f->a, .messages = f->messages, .lang = "en" };
	struct buf b = BUF_INIT;
	struct explanation x;

	assert_true(explain(&x, &f->a, &w, "kv.bytes"));
	assert_string_equal(text_of(f, expr_numbers, x.formula), "64 x (61 x 131,072 x 1,152 B)");
	assert_true(x.formula->value == 589484261376);
	explain_print(&b, &style, &x);
	assert_non_null(strstr(b.s, "= 589,484,261,376 B (589.5 GB, 549 GiB)\n"));
	assert_non_null(strstr(b.s, "published, aiconfigurator-configs.deepseek-v3: layers 61, key width 576\n"));
	assert_non_null(strstr(b.s, "bytes of a row = key width x KV bits / 8 = 576 x 16 / 8 = 1,152 B\n"));
	buf_release(&b);
	/* 150,754,820,096 as the driver shows, nine tenths of it assumed to be usable. */
	assert_true(explain(&x, &f->a, &w, "budget.usable"));
	assert_string_equal(text_of(f, expr_numbers, x.formula), "floor(150,754,820,096 B x 0.9)");
}

/* What has no figure has no explanation: without reuse a tier has nothing to load, without a target no count. */
static void
what_is_not_known_is_not_explained(void **state)
{
	struct fixture *f = *state;
	struct workload w = size_up(f, showcase);
	struct explanation x;

	assert_false(explain(&x, &f->a, &w, "accelerators.for_tpot"));
	assert_false(explain(&x, &f->a, &w, "no.such.key"));
	assert_false(explain(&x, &f->a, &w, "tiers.ddr5-rdimm.load_seconds"));
	assert_false(explain(&x, &f->a, &w, "tiers."));
}

/* A result that the formula does not give is said to have none: no false derivation is ever printed. */
static void
a_value_that_a_formula_does_not_give_is_said_so(void **state)
{
	struct fixture *f = *state;
	struct workload w = size_up(f, showcase);
	struct explain_style style = { .a = &f->a, .messages = f->messages, .lang = "en" };
	struct buf b = BUF_INIT;
	struct explanation x;

	w.out.kv_bytes *= 1 + 1e-8;
	assert_true(explain(&x, &f->a, &w, "kv.bytes"));
	assert_null(x.formula);
	explain_print(&b, &style, &x);
	assert_non_null(strstr(b.s, "No formula is known"));
	buf_release(&b);
}

static void
a_load_that_does_not_fit_and_a_shared_memory_are_explained(void **state)
{
	static const char *const small[] = { "model", "deepseek-v3", "accelerator", "h200", "weights", "fp8", "kv", "bf16",
		"context", "128K", "concurrency", "64", "accelerators", "8", "tpot", "10 ms", "ttft", "1 s", NULL };
	static const char *const phone[] = { "model", "qwen3-4b", "accelerator", "nvidia-jetson-agx-orin-64gb", "weights", "q4_0", "kv", "bf16",
		"context", "8K", "concurrency", "1", "memory_available", "20 GB", NULL };
	static const char *const rate[] = { "model", "qwen3-14b", "accelerator", "h200", "weights", "bf16", "kv", "bf16",
		"prompt", "120K", "output", "4K", "requests_per_second", "1", NULL };
	struct fixture *f = *state;
	struct err e = ERR_INIT;
	struct workload w = size_up(f, small);
	struct val *body;

	assert_false(w.out.fits);
	assert_true(check_all(f, &w) >= 20);
	w = size_up(f, rate);
	assert_true(check_all(f, &w) >= 20);
	if (kb_record(&body, f->kb, &f->a, phone[3], "accelerator", &e) != OK ||
	    kb_record(&body, f->kb, &f->a, phone[1], "model", &e) != OK)
		skip();
	w = size_up(f, phone);
	assert_true(check_all(f, &w) >= 15);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_formula_of_every_model_gives_the_result),
		cmocka_unit_test(layouts_and_options_are_explained),
		cmocka_unit_test(the_formula_is_said_in_words_and_numbers),
		cmocka_unit_test(what_is_not_known_is_not_explained),
		cmocka_unit_test(a_value_that_a_formula_does_not_give_is_said_so),
		cmocka_unit_test(a_load_that_does_not_fit_and_a_shared_memory_are_explained),
	};

	return cmocka_run_group_tests_name("explain", tests, setup, teardown);
}
