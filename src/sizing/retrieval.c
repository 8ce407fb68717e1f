#include "sizing/retrieval.h"
#include "sizing/sizing_int.h"

#include <math.h>
#include <string.h>

enum { LINK = 4, LABEL = 8, POINTER = 8, LEVEL = 4, ID = 8, FLOAT = 4 };

static const char *const INDEX_NAMES[SIZING_INDEX_KINDS] = {
	[SIZING_INDEX_FLAT] = "flat",
	[SIZING_INDEX_HNSW] = "hnsw",
	[SIZING_INDEX_IVF_PQ] = "ivf-pq",
};

static const char *const ROOM_NAMES[SIZING_ROOMS] = {
	[SIZING_ROOM_UNKNOWN] = "unknown",
	[SIZING_ROOM_CLEAR] = "clear",
	[SIZING_ROOM_NEAR] = "near",
	[SIZING_ROOM_SHORT] = "short",
};

const char *
sizing_index_name(enum sizing_index_kind kind)
{
	return kind < SIZING_INDEX_KINDS ? INDEX_NAMES[kind] : NULL;
}

int
sizing_index_find(const char *name)
{
	for (int i = 0; name != NULL && i < SIZING_INDEX_KINDS; i++)
		if (strcmp(INDEX_NAMES[i], name) == 0)
			return i;
	return -1;
}

const char *
sizing_room_name(enum sizing_room room)
{
	return room < SIZING_ROOMS ? ROOM_NAMES[room] : NULL;
}

static int
check_count(double n, double min, double max, const char *field, struct sizing_error *error)
{
	if (!(n >= min))
		return sizing_fail(error, field, -1, "is missing or too small");
	if (n > max)
		return sizing_fail(error, field, -1, "is absurdly large");
	if (n != floor(n))
		return sizing_fail(error, field, -1, "is not a whole number");
	return 0;
}

static double
default_parts(double dims)
{
	double parts = fmax(floor(dims / 8), 1);

	while (fmod(dims, parts) != 0)
		parts--;
	return parts;
}

static int
put_defaults(struct sizing_retrieval *r, struct sizing_error *error)
{
	if ((int)r->kind < 0 || r->kind >= SIZING_INDEX_KINDS)
		return sizing_fail(error, "retrieval.index", -1, "is no index known here");
	if (check_count(r->vectors, 1, SIZING_MAX_COUNT, "retrieval.vectors", error) != 0 ||
	    check_count(r->dims, 1, SIZING_MAX_DIMS, "retrieval.dims", error) != 0 ||
	    check_count(r->chunks, 0, SIZING_MAX_LOAD, "retrieval.chunks", error) != 0 ||
	    check_count(r->chunk_tokens, 0, SIZING_MAX_LOAD, "retrieval.chunk_tokens", error) != 0)
		return -1;
	if (r->dtype != NULL && !(r->dtype->bits >= 0.125 && r->dtype->bits <= 128))
		return sizing_fail(error, "retrieval.dtype", -1, "has no sensible bits per element");
	if (r->links == 0)
		r->links = 16;
	if (r->lists == 0)
		r->lists = ceil(4 * sqrt(r->vectors));
	if (r->code_parts == 0)
		r->code_parts = default_parts(r->dims);
	if (r->code_bits == 0)
		r->code_bits = 8;
	if (check_count(r->links, 2, 1e6, "retrieval.links", error) != 0 ||
	    check_count(r->lists, 1, SIZING_MAX_COUNT, "retrieval.lists", error) != 0 ||
	    check_count(r->code_parts, 1, SIZING_MAX_DIMS, "retrieval.code_parts", error) != 0 ||
	    check_count(r->code_bits, 1, 24, "retrieval.code_bits", error) != 0)
		return -1;
	if (r->kind == SIZING_INDEX_IVF_PQ && fmod(r->dims, r->code_parts) != 0)
		return sizing_fail(error, "retrieval.code_parts", -1, "do not divide the dimensions");
	return 0;
}

int
sizing_index_size(struct sizing_index *out, const struct sizing_retrieval *retrieval,
    struct sizing_error *error)
{
	struct sizing_retrieval r = *retrieval;
	double n = r.vectors, full;

	*out = (struct sizing_index){0};
	if (put_defaults(&r, error) != 0)
		return -1;
	full = n * r.dims * (r.dtype != NULL ? r.dtype->bits : 32) / 8;
	if (r.kind != SIZING_INDEX_IVF_PQ || r.keep_vectors)
		out->vectors = full;
	if (r.kind == SIZING_INDEX_HNSW) {
		out->ids = n * LABEL;
		out->links = n * ((2 * r.links + 1) * LINK + POINTER + LEVEL) +
		    n / (r.links - 1) * (r.links + 1) * LINK;
	} else if (r.kind == SIZING_INDEX_IVF_PQ) {
		out->codes = n * ceil(r.code_parts * r.code_bits / 8);
		out->ids = n * ID;
		out->centroids = (r.lists + exp2(r.code_bits)) * r.dims * FLOAT;
	}
	out->bytes = ceil(out->vectors + out->links + out->codes + out->ids + out->centroids);
	out->bytes_per_vector = out->bytes / n;
	out->prompt_tokens = r.chunks * r.chunk_tokens;
	return 0;
}

enum sizing_room
sizing_index_room(double index_bytes, double left)
{
	if (!(left > 0) || !(index_bytes > 0))
		return SIZING_ROOM_UNKNOWN;
	if (left < index_bytes)
		return SIZING_ROOM_SHORT;
	return left < SIZING_INDEX_CLIFF * index_bytes ? SIZING_ROOM_NEAR : SIZING_ROOM_CLEAR;
}
