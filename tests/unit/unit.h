/* What every unit test includes: cmocka wants these four before it, in this order. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <time.h>

/*
 * Processor seconds that this test has taken: what bounds the work for a hostile input, whatever else
 * the machine does meanwhile.
 */
static inline double
processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
