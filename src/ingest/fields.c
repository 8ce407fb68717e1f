#include "ingest/fields.h"

#include <string.h>

#include "ingest/fields_int.h"

const struct kind kinds[KIND_COUNT] = {
	[KIND_ARCHETYPE] = { KIND_ARCHETYPE, "archetype", "archetypes", "archetypes", field_archetype },
	[KIND_CLAIM] = { KIND_CLAIM, "claim", "claims", "claims/sourced", field_claim },
	[KIND_QUARANTINE] = { KIND_QUARANTINE, "quarantined-claim", "quarantined-claims", "claims/quarantine", field_quarantine },
	[KIND_SOURCE] = { KIND_SOURCE, "source", "sources", "evidence/documents", field_source },
	[KIND_MEASUREMENT] = { KIND_MEASUREMENT, "measurement", "measurements", "evidence/measurements", field_measurement },
	[KIND_MODEL] = { KIND_MODEL, "model", "models", "evidence/models", field_model },
	[KIND_ACCELERATOR] = { KIND_ACCELERATOR, "accelerator", "accelerators", "evidence/accelerators", field_accelerator },
	[KIND_TIER] = { KIND_TIER, "tier", "tiers", "evidence/tiers", field_tier },
	[KIND_LEVER] = { KIND_LEVER, "lever", "levers", "templates/levers", field_lever },
	[KIND_CUSTOMER] = { KIND_CUSTOMER, "customer", "customers", NULL, field_customer },
	[KIND_DECISION] = { KIND_DECISION, "decision", "decisions", "claims/decisions", field_decision },
};

const struct kind *
kind_find(const char *name)
{
	for (int i = 0; i < KIND_COUNT; i++)
		if (strcmp(name, kinds[i].name) == 0 || strcmp(name, kinds[i].plural) == 0)
			return &kinds[i];
	return NULL;
}

const struct field *
field_find(const struct field *fields, const char *key)
{
	for (; fields->key != NULL; fields++)
		if (strcmp(fields->key, key) == 0)
			return fields;
	return NULL;
}
