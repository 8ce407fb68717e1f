#include "sizing/reload.h"

#include <math.h>

#define SECONDS_PER_DAY 86400.0

static double
achieved(const struct sizing_prefix *p)
{
	return p->efficiency * p->operations;
}

double
sizing_recompute_seconds(const struct sizing_prefix *p)
{
	return p->tokens * (2 * p->parameters + p->attention_share * p->attention_width * p->tokens) /
	    achieved(p);
}

double
sizing_reload_seconds(const struct sizing_prefix *p, double bandwidth)
{
	return p->tokens * p->bytes_per_token / bandwidth + p->fixed_seconds;
}

double
sizing_break_even(const struct sizing_prefix *p)
{
	double left = sizing_recompute_seconds(p) - p->fixed_seconds;

	return left > 0 ? p->tokens * p->bytes_per_token / left : INFINITY;
}

double
sizing_break_even_short(const struct sizing_prefix *p)
{
	return p->bytes_per_token * achieved(p) / (2 * p->parameters);
}

double
sizing_shortest_prefix(const struct sizing_prefix *p, double bandwidth)
{
	double gained = 2 * p->parameters / achieved(p) - p->bytes_per_token / bandwidth;

	return gained > 0 ? p->fixed_seconds / gained : INFINITY;
}

double
sizing_break_even_estimate(double tokens, double width, double element_bytes,
    double heads_per_kv_head, double operations)
{
	double per_layer = heads_per_kv_head * (4 * tokens * width + 22 * width * width);

	return operations * 2 * width * element_bytes / per_layer;
}

double
sizing_hidden_above(const struct sizing_prefix *p, double suffix)
{
	double compute = suffix * (2 * p->parameters + 4 * p->attention_width * p->tokens) / achieved(p);
	double left = compute - p->fixed_seconds;

	return left > 0 ? p->tokens * p->bytes_per_token / left : INFINITY;
}

double
sizing_partial_seconds(double recompute_seconds, double load_seconds)
{
	return 1 / (1 / recompute_seconds + 1 / load_seconds);
}

double
sizing_block_seconds(double bytes, double block_bytes, double seconds_per_block)
{
	return seconds_per_block * (block_bytes > 0 ? ceil(bytes / block_bytes) : 1);
}

double
sizing_link_share(double bandwidth, double loads, bool writes_back)
{
	return bandwidth / fmax(loads, 1) / (writes_back ? 2 : 1);
}

double
sizing_reuse_gain(double hit_rate, double recompute_seconds, double load_seconds,
    double write_seconds)
{
	return hit_rate * (recompute_seconds - load_seconds) - (1 - hit_rate) * write_seconds;
}

double
sizing_decode_limit(double bandwidth, double bytes)
{
	return bandwidth / bytes;
}

double
sizing_endurance(double bytes, double writes_per_day)
{
	return bytes * writes_per_day / SECONDS_PER_DAY;
}
