/*
 * Texts that the build put into the program: schema, templates, message catalogues,
 * help. Found by their path in the source tree.
 */
#ifndef UTIL_EMBED_H
#define UTIL_EMBED_H

#include <stddef.h>

struct embed {
	const char *path; /* "templates/en/brief.md" */
	const char *text; /* NUL-terminated */
	size_t len;
};

extern const struct embed embed_files[]; /* generated, sorted by path */
extern const size_t embed_count;

const struct embed *embed_find(const char *path); /* NULL if there is none */

#endif
