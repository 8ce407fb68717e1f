#include "util/embed.h"

#include <stdlib.h>
#include <string.h>

static int
by_path(const void *key, const void *item)
{
	const struct embed *file = item;

	return strcmp(key, file->path);
}

const struct embed *
embed_find(const char *path)
{
	return bsearch(path, embed_files, embed_count, sizeof embed_files[0], by_path);
}
