/* What the build linked in: see src/gen/images.S. Length 0 in the first stage. */
#ifndef CLI_IMAGES_H
#define CLI_IMAGES_H

#include <stdint.h>

extern const unsigned char image_knowledge[], image_quarantine[];
extern const uint64_t image_knowledge_len, image_quarantine_len;

#endif
