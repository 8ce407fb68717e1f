#include "util/near.h"

#include <string.h>

int
near_distance(const char *a, const char *b)
{
	int row[42], n = (int)strlen(b);

	if (strlen(a) > 40 || n > 40)
		return 99;
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; a[i - 1] != '\0'; i++) {
		int corner = row[0];

		row[0] = i;
		for (int j = 1; j <= n; j++) {
			int best = corner + (a[i - 1] != b[j - 1]);

			corner = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}
