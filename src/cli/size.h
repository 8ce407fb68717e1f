/* What `size` prints beside its table: explanations, sensitivities, the margin. */
#ifndef CLI_SIZE_H
#define CLI_SIZE_H

#include "advise/workload.h"
#include "cli/cmd.h"

/* Each result as a formula. */
int size_explain(struct cli *cli, const struct workload *w, const char *lang, struct err *e);
/* The same under "explanations" of `root`. */
int size_explain_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e);

/* Which input moves the answer most, and what one more GB and GB/s are worth; under "sensitivity". */
int size_sensitivity(struct cli *cli, const struct workload *w, const char *lang, struct err *e);
int size_sensitivity_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e);

/* Which of KV and weights is larger around this load; under "margin". */
int size_margin(struct cli *cli, const struct workload *w, const char *lang, struct err *e);
int size_margin_json(struct cli *cli, struct val *root, const struct workload *w, struct err *e);

#endif
