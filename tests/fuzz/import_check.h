/* What holds of every import: a record that reads back and that the engine can count with, or a reason. */
#ifndef TESTS_FUZZ_IMPORT_CHECK_H
#define TESTS_FUZZ_IMPORT_CHECK_H

#include <math.h>
#include <stdlib.h>

#include "import/import.h"
#include "kb/profile.h"
#include "util/buf.h"
#include "yaml/yn.h"

static inline void
import_check(int rc, const struct import *import, struct arena *a, const struct err *failure)
{
	const struct sizing_dtype *kv = sizing_dtype_find("bf16");
	struct buf text = BUF_INIT;
	struct err e = ERR_INIT;
	struct sizing_model m;
	struct val *back;
	double kept, n;
	static struct sizing_input in;
	static struct sizing_result r;
	struct sizing_error error;

	if (rc != OK) {
		if (rc != ERR_INPUT || failure->text[0] == '\0')
			abort();
		return;
	}
	if (yn_write(&text, import->record, &e) != OK || yn_parse(&back, a, text.s, text.len, "m.yaml", &e) != OK)
		abort();
	if (import->weights_only) {
		buf_release(&text);
		return;
	}
	if (profile_model(&m, back, &e) != OK)
		abort();
	kept = sizing_kept_bytes(&m, 131072, kv, NULL);
	n = sizing_parameters(&m, false);
	if (!(kept >= 0) || isinf(kept) || !(n > 0) || isinf(n) || m.group_count == 0)
		abort();
	in.model = m;
	in.device = (struct sizing_device){ .visible_bytes = 141e9, .usable_fraction = 0.9, .bandwidth = 4.8e12, .peak = { 1e15 } };
	in.load = (struct sizing_load){ .prompt = 1000, .output = 10, .concurrency = 2, .weights = kv, .kv = kv };
	if (sizing_run(&r, &in, &error) != 0)
		abort();
	for (size_t i = 0; i < import->note_count; i++)
		if (import->notes[i].en[0] == '\0' || import->notes[i].ko[0] == '\0')
			abort();
	buf_release(&text);
}

#endif
