/* Reading a draft for issue: the parts that find what it uses. */
#ifndef DRAFTS_ISSUE_INT_H
#define DRAFTS_ISSUE_INT_H

#include "drafts/issue.h"
#include "markdown/markdown.h"

struct uses {
	struct issue *issue;
	struct kb *kb;
	struct arena *a;
	const struct markdown *draft;
	struct err *e;
};

/* Each adds to issue->uses what is not there already. */
int uses_of_labels(struct uses *u);   /* findings; tiers and levers of calculated figures; issue->figures */
int uses_of_profiles(struct uses *u); /* models and devices */
int uses_of_claims(struct uses *u);

/* The first review date among what the uses rest on, into issue->until and first_due. */
int uses_first_due(struct uses *u);

#endif
