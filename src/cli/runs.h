/* --sizing WORKLOAD=FILE: recorded runs that a draft is held against, for lint and issue. */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "cli/cmd.h"
#include "drafts/lint.h"

#define RUNS_OPTION { "sizing", 0, "WORKLOAD=FILE...", \
	"hold a workload's definitions against a recorded run of `size --format json` (repeatable)" }

/* What the option gives, into the linter's options; nothing where it was not given. */
int cli_runs(struct lint_options *o, struct cli *cli, struct err *e);

#endif
