#include "sizing/formulas.h"
#include "sizing/sizing.h"

#include <math.h>

double
sizing_experts_touched(double experts, double active, double batch)
{
	if (!(active < experts))
		return experts;
	return experts * -expm1(batch * log1p(-active / experts));
}

double
sizing_matmul_intensity(double b, double d, double f)
{
	return b * d * f / (b * d + d * f + b * f);
}

double
sizing_attention_intensity(double s, double t)
{
	return s * t / (s + t);
}

double
sizing_critical_batch(double operations, double bandwidth, double weight_bits, double experts,
    double active)
{
	double dense = operations / bandwidth * weight_bits / 16;
	double batch;

	if (!(active < experts))
		return dense;
	batch = dense * experts / active;
	/* Falls to the root from above; one round will do but where `dense` is a few tokens. */
	for (int round = 0; round < 40; round++) {
		double next = dense * sizing_experts_touched(experts, active, batch) / active;

		if (batch - next <= batch * 1e-12)
			break;
		batch = next;
	}
	return fmax(batch, dense);
}

double
sizing_accepted_tokens(double drafted, double acceptance)
{
	if (!(acceptance < 1))
		return drafted + 1;
	return -expm1((drafted + 1) * log(acceptance)) / (1 - acceptance);
}

double
sizing_token_seconds(double latency, double ttft, double tokens)
{
	return (latency - ttft) / (tokens - 1);
}

double
sizing_decode_ways(double ffn, double batch, double beta)
{
	return ffn / (batch * beta);
}

double
sizing_one_d_seconds(double batch, double d, double axes, double bandwidth)
{
	return 4 * batch * d / (axes * bandwidth);
}

double
sizing_two_d_seconds(double batch, double d, double f, double devices, double bandwidth)
{
	return sqrt(32 * d * f / devices) * batch / bandwidth;
}

double
sizing_two_d_devices(double d, double f)
{
	return 32 * (f / d) * (9 / 16.0);
}

double
sizing_two_d_ways(double d, double f, double devices)
{
	return sqrt(devices * d / (2 * f));
}

double
sizing_latency_bytes(double ranks, double latency, double bandwidth)
{
	return bandwidth * latency * ranks / 2;
}

double
sizing_gather_seconds(double bytes, double ranks, double latency, double bandwidth)
{
	return fmax(latency * ranks / 2, bytes / bandwidth);
}
