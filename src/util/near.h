/* Which name did they mean? */
#ifndef UTIL_NEAR_H
#define UTIL_NEAR_H

/* Letters to add, drop or change to get from a to b; 99 where one is longer than 40. */
int near_distance(const char *a, const char *b);

#endif
