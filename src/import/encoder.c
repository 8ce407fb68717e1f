#include "import/mixer.h"

/* Layers that attend to a text that is there at once and keep nothing. */
static void
encoder_layers(struct config *c, double layers, double heads, double dim)
{
	struct cell cell = { .cache = "none" };

	if (layers > DRAFT_MAX_LAYERS)
		draft_fail(c->d, c->at, "expected at most %d layers", DRAFT_MAX_LAYERS);
	cell.g.heads = heads;
	cell.g.query_width = cell.g.output_width = dim;
	cell.g.projections = 4 * c->d->m.width * heads * dim;
	for (double i = 0; i < layers && c->d->rc == OK; i++)
		draft_layer(c->d, &cell);
}

void
mixer_encoder(struct config *c)
{
	struct heads h = mixer_heads(c, 0, false);

	encoder_layers(c, (double)c->layers, h.heads, h.key);
}

/*
 * The decoder keeps its own keys and values, and those of the source, which do not grow. The record counts the
 * projections of the second kind apart: a cache on layers that another group counts has none.
 */
void
mixer_encoder_decoder(struct config *c)
{
	double width = c->d->m.width, heads = fact_needed(c, FACT_HEADS), dim = fact_count(c, FACT_D_KV), rows;
	double decoders = fact_count(c, FACT_DECODER_LAYERS);
	const char *key;
	struct cell cell = { .cache = "full" };

	if (!(decoders > 0))
		decoders = (double)c->layers;
	if (decoders > DRAFT_MAX_LAYERS)
		draft_fail(c->d, fact_at(c, FACT_DECODER_LAYERS), "expected at most %d layers", DRAFT_MAX_LAYERS);
	if (!(dim > 0))
		dim = mixer_heads(c, 0, false).key;
	fact(c, FACT_SOURCE_ROWS, &key);
	rows = fact_needed(c, FACT_SOURCE_ROWS);
	draft_note(c->d, fact_at(c, FACT_SOURCE_ROWS), NOTE_CROSS_ROWS, key);
	cell.g.heads = heads;
	cell.g.query_width = cell.g.output_width = dim;
	cell.g.key_width = cell.g.value_width = heads * dim;
	for (double i = 0; i < decoders && c->d->rc == OK; i++)
		draft_layer(c->d, &cell);
	cell.cache = "cross";
	cell.g.source_rows = rows;
	cell.g.also_on = true;
	for (double i = 0; i < decoders && c->d->rc == OK; i++)
		draft_layer(c->d, &cell);
	c->d->m.other_parameters += decoders * 4 * width * heads * dim;
	encoder_layers(c, fact_needed(c, FACT_ENCODER_LAYERS), heads, dim);
}
