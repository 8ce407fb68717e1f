/* A customer file that passes the table of fields is sized, advised and written up, in both languages. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/images.h"
#include "ingest/walk.h"
#include "kb/kb.h"
#include "propose/propose.h"
#include "yaml/yn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct errs errs = ERRS_INIT;
	struct walk walk = { .errs = &errs };
	struct err e = ERR_INIT;
	struct buf out = BUF_INIT;
	struct customer customer;
	struct val *file;
	struct kb *kb;

	if (kb_open(&kb, image_knowledge, (size_t)image_knowledge_len, &e) != OK)
		abort();
	if (yn_parse(&file, &a, (const char *)data, size, "c.yaml", &e) == OK) {
		walk_record(&walk, kinds[KIND_CUSTOMER].fields, file);
		if (errs.count == 0 && customer_read(&customer, kb, &a, file, &e) == OK)
			propose(&out, kb, &a, &customer, DOCUMENT_PROPOSAL, size % 2 ? "ko" : "en", size % 3 == 0, &e);
	}
	buf_release(&out);
	errs_release(&errs);
	kb_close(kb);
	arena_release(&a);
	return 0;
}
