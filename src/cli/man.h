/* The man page, printed from the table of commands. */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include "util/buf.h"

void man_page(struct buf *out);

#endif
