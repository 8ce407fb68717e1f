#include "kb/messages.h"

#include <stdio.h>

#include "util/embed.h"
#include "yaml/yn.h"

int
messages_load(struct val **out, struct arena *a, const char *lang, struct err *e)
{
	char path[64];
	const struct embed *file;

	snprintf(path, sizeof path, "templates/%s/messages.yaml", lang);
	file = embed_find(path);
	if (file == NULL)
		return err_set(e, ERR_INPUT, "expected the language en or ko, found `%.20s`", lang);
	return yn_parse(out, a, file->text, file->len, path, e);
}

const char *
messages_get(const struct val *messages, const char *group, const char *key)
{
	const char *text = val_get_text(val_get(messages, group), key);

	return text != NULL ? text : key;
}
