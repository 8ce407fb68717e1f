/* A vector index in host memory: bytes by the layouts of hnswlib and Faiss. */
#include "unit.h"

#include "sizing/retrieval.h"
#include "sizing_models.h"

static struct sizing_index
size_index(struct sizing_retrieval retrieval)
{
	struct sizing_index x;
	struct sizing_error error;

	if (sizing_index_size(&x, &retrieval, &error) != 0) {
		print_error("%s (%d) %s\n", error.field, error.index, error.reason);
		fail();
	}
	assert_same(ceil(x.vectors + x.links + x.codes + x.ids + x.centroids), x.bytes);
	return x;
}

/* 4 d bytes a vector (Faiss-indexes): 20e6 x 1024 x 4 = 81.92 GB; half of it in fp16. */
static void
test_flat(void **state)
{
	struct sizing_index x = size_index(
	    (struct sizing_retrieval){.kind = SIZING_INDEX_FLAT, .vectors = 20e6, .dims = 1024});

	(void)state;
	assert_same(x.bytes, 81.92e9);
	assert_same(x.bytes_per_vector, 4096);
	x = size_index((struct sizing_retrieval){.vectors = 20e6, .dims = 1024, .dtype = DTYPE("fp16")});
	assert_same(x.bytes, 40.96e9);
}

/*
 * M = 16: a vector takes 33 links and count of 4 B, label 8, pointer 8, level 4 = 152 B beside its
 * data, and 1/15 of an upper level of 17 x 4 = 68 B: 20e6 x (4096 + 152) + 20e6 / 15 x 68.
 */
static void
test_hnsw(void **state)
{
	struct sizing_index x = size_index((struct sizing_retrieval){.kind = SIZING_INDEX_HNSW,
	    .vectors = 20e6, .dims = 1024, .chunks = 8, .chunk_tokens = 512});

	(void)state;
	assert_near(x.bytes, 84.96e9 + 20e6 / 15 * 68, 1e-11);
	assert_same(x.ids, 160e6);
	assert_same(x.prompt_tokens, 4096);
	/* M = 32: 65 x 4 + 20 = 280 B and 33 x 4 / 31 */
	x = size_index((struct sizing_retrieval){.kind = SIZING_INDEX_HNSW, .vectors = 31e6,
	    .dims = 128, .links = 32});
	assert_same(x.bytes, 31e6 * (512 + 280) + 1e6 * 132);
}

/*
 * Codes of 128 x 8 bits and an id of 8 B: 136 B a vector (Faiss-indexes: ceil(M x nbits / 8) + 8);
 * ceil(4 x sqrt(20e6)) = 17,889 centroids and 256 entries of a codebook, of 1024 x 4 B. Codes of 5
 * bits in 12 parts: ceil(60 / 8) = 8 B.
 */
static void
test_ivf_pq(void **state)
{
	struct sizing_retrieval r = {.kind = SIZING_INDEX_IVF_PQ, .vectors = 20e6, .dims = 1024};
	struct sizing_index x = size_index(r);

	(void)state;
	assert_same(x.codes, 20e6 * 128);
	assert_same(x.bytes, 20e6 * 136 + (17889 + 256) * 4096.0);
	r.keep_vectors = true;
	assert_same(size_index(r).bytes, x.bytes + 81.92e9);
	x = size_index((struct sizing_retrieval){.kind = SIZING_INDEX_IVF_PQ, .vectors = 1000,
	    .dims = 96, .lists = 10, .code_parts = 12, .code_bits = 5});
	assert_same(x.bytes, 1000 * 16 + (10 + 32) * 96 * 4.0);
	/* 100 dimensions: 12 parts would not divide them, 10 do */
	x = size_index((struct sizing_retrieval){.kind = SIZING_INDEX_IVF_PQ, .vectors = 1000,
	    .dims = 100, .lists = 10});
	assert_same(x.codes, 1000 * 10);
}

/* Measured: risen with 6.67 left of an index of 5, on another machine with 3.86 of 2.5. */
static void
test_room(void **state)
{
	(void)state;
	assert_int_equal(sizing_index_room(5, 0), SIZING_ROOM_UNKNOWN);
	assert_int_equal(sizing_index_room(5, 4.9), SIZING_ROOM_SHORT);
	assert_int_equal(sizing_index_room(5, 6.67), SIZING_ROOM_NEAR);
	assert_int_equal(sizing_index_room(2.5, 3.859), SIZING_ROOM_NEAR);
	assert_int_equal(sizing_index_room(5, 10), SIZING_ROOM_CLEAR);
	for (int i = 0; i < SIZING_ROOMS; i++)
		assert_non_null(sizing_room_name((enum sizing_room)i));
}

static void
test_refused(void **state)
{
	static const struct { struct sizing_retrieval given; const char *field; } WRONG[] = {
		{{.dims = 8}, "retrieval.vectors"},
		{{.vectors = 1.5, .dims = 8}, "retrieval.vectors"},
		{{.vectors = NAN, .dims = 8}, "retrieval.vectors"},
		{{.vectors = 10, .dims = 1e6}, "retrieval.dims"},
		{{.vectors = 10, .dims = 8, .kind = SIZING_INDEX_KINDS}, "retrieval.index"},
		{{.vectors = 10, .dims = 8, .links = 1, .kind = SIZING_INDEX_HNSW}, "retrieval.links"},
		{{.vectors = 10, .dims = 8, .code_parts = 3, .kind = SIZING_INDEX_IVF_PQ},
		    "retrieval.code_parts"},
		{{.vectors = 10, .dims = 8, .code_bits = 25}, "retrieval.code_bits"},
		{{.vectors = 10, .dims = 8, .chunks = -1}, "retrieval.chunks"},
		{{.vectors = 10, .dims = 8, .chunk_tokens = HUGE_VAL}, "retrieval.chunk_tokens"},
	};
	struct sizing_index x;
	struct sizing_error error;

	(void)state;
	for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
		assert_int_equal(sizing_index_size(&x, &WRONG[i].given, &error), -1);
		assert_string_equal(error.field, WRONG[i].field);
	}
	for (int i = 0; i < SIZING_INDEX_KINDS; i++)
		assert_int_equal(sizing_index_find(sizing_index_name((enum sizing_index_kind)i)), i);
	assert_int_equal(sizing_index_find("annoy"), -1);
}

/* More vectors, dimensions or links never take less; a graph is never under the flat index. */
static void
test_monotone(void **state)
{
	(void)state;
	for (double dims = 1; dims <= SIZING_MAX_DIMS; dims = ceil(dims * 1.7)) {
		for (int kind = 0; kind < SIZING_INDEX_KINDS; kind++) {
			struct sizing_retrieval r = {.kind = (enum sizing_index_kind)kind,
				.vectors = 1e6, .dims = dims, .code_parts = 1, .lists = 100};
			double bytes = size_index(r).bytes;

			r.vectors++;
			assert_true(size_index(r).bytes > bytes);
			r.vectors--;
			r.dims = fmin(dims + 1, SIZING_MAX_DIMS);
			assert_true(size_index(r).bytes >= bytes);
			r.links = 17;
			assert_true(size_index(r).bytes >= bytes);
			if (kind == SIZING_INDEX_HNSW)
				assert_true(bytes > 1e6 * dims * 4);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_hnsw),
		cmocka_unit_test(test_ivf_pq),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_monotone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
