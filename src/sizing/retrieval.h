/*
 * A vector index as a consumer of host memory, and what its chunks add to a prompt. It never
 * enters the memory of accelerators. Pure arithmetic as the rest of the module.
 *
 *     flat     n x d x dtype
 *     hnsw     flat + n x ((2 M + 1) x 4 + 8 + 8 + 4) + n / (M - 1) x (M + 1) x 4
 *     ivf-pq   n x (ceil(m x bits / 8) + 8) + nlist x d x 4 + 2^bits x d x 4
 *              (+ flat, where vectors are kept to score again)
 *
 * HNSW as hnswlib lays it out: on level 0 every element has 2 M links and their count, 4 B each,
 * its vector and a label of 8 B; besides a pointer (8 B) and its level (4 B). It has further levels
 * with probability M^-l, each with M links and a count, so that in expectation there are
 * 1 / M + 1 / M^2 + ... = 1 / (M - 1) of them (the level is drawn with the factor 1 / ln M). Not
 * counted: a lock an element (40 B with glibc) and the table of labels, which are of that process;
 * Faiss has neither, nor labels and counts, and 12 B of offset and level instead.
 *     https://github.com/nmslib/hnswlib/blob/c1b9b79/hnswlib/hnswalg.h (constructor, getRandomLevel)
 *     https://github.com/facebookresearch/faiss/blob/02dbb4e/faiss/impl/HNSW.cpp (set_default_probas)
 * IVF-PQ as in Faiss: codes and ids in the inverted lists; centroids of the lists and codebooks in
 * fp32. Not counted: the table of distances that L2 search may prepare (off for inner products).
 *     https://github.com/facebookresearch/faiss/blob/02dbb4e/faiss/impl/ProductQuantizer.cpp
 *     https://github.com/facebookresearch/faiss/wiki/Faiss-indexes (bytes per vector)
 * A database around the index (payloads, write-ahead logs, old segments) is not counted either.
 */
#ifndef SIZING_RETRIEVAL_H
#define SIZING_RETRIEVAL_H

#include "sizing/sizing.h"

#define SIZING_MAX_DIMS 65536

enum sizing_index_kind {
	SIZING_INDEX_FLAT, SIZING_INDEX_HNSW, SIZING_INDEX_IVF_PQ,
	SIZING_INDEX_KINDS
};
const char *sizing_index_name(enum sizing_index_kind kind); /* "flat", "hnsw", "ivf-pq" */
int sizing_index_find(const char *name);                    /* -1 if unknown */

/* Start from a zeroed struct: 0 and NULL are the defaults. */
struct sizing_retrieval {
	enum sizing_index_kind kind;
	double vectors, dims;
	const struct sizing_dtype *dtype; /* fp32 */
	double links;     /* M of HNSW; 16, hnswlib's default; 2 at least */
	double lists;     /* nlist; 4 x sqrt(vectors), the least that Faiss's guidelines name */
	double code_parts; /* m; the largest that divides dims with 8 dims or more a part */
	double code_bits;  /* 8; up to 24 */
	bool keep_vectors; /* ivf-pq: beside the codes, to score again */
	double chunks, chunk_tokens; /* put into a prompt; 0 = none */
};

struct sizing_index { /* bytes of host memory */
	double vectors;  /* full ones; 0 where only codes are kept */
	double links;    /* of a graph, with counts, pointers and levels */
	double codes;
	double ids;
	double centroids; /* of the lists, and codebooks */
	double bytes;     /* all of it, whole */
	double bytes_per_vector;
	double prompt_tokens; /* chunks x tokens of one */
};

/* Returns 0, or -1 with *error: a count that is missing, not whole or absurd, or parts of a code
 * that do not divide the dimensions. */
int sizing_index_size(struct sizing_index *out, const struct sizing_retrieval *retrieval,
    struct sizing_error *error);

/*
 * How near host memory is to an index that is searched all over. Two measurements of an index
 * opened by memory mapping, while another process took memory away, saw the tail latency rise by
 * a factor of thousands with 6.67 of 5 (1.33 times the index) and 3.86 of 2.5 (1.54 times) still
 * left: what is free is not all page cache. Below 1.54 times is `near`, below once is `short`.
 */
#define SIZING_INDEX_CLIFF 1.544 /* 3.86 / 2.5 */

enum sizing_room { SIZING_ROOM_UNKNOWN, SIZING_ROOM_CLEAR, SIZING_ROOM_NEAR, SIZING_ROOM_SHORT, SIZING_ROOMS };
const char *sizing_room_name(enum sizing_room room); /* "unknown", "clear", "near", "short" */

/* `left` = host memory that other things leave to the index and the page cache; 0 = not known. */
enum sizing_room sizing_index_room(double index_bytes, double left);

#endif
