/* The commands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cmd.h"

extern const struct cmd cmd_advise, cmd_audit, cmd_brief, cmd_claim, cmd_completion, cmd_help,
    cmd_import, cmd_intake, cmd_issue, cmd_lint, cmd_list, cmd_load, cmd_propose, cmd_query,
    cmd_search, cmd_show, cmd_size, cmd_sweep;

/* What --help says beside the options. */
extern const char sweep_notes[], claim_notes[], load_notes[];
void audit_notes(struct buf *out), lint_notes(struct buf *out), query_notes(struct buf *out);

#endif
