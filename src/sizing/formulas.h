/*
 * The closed forms that the engine is built of, for tests and other users. They check nothing.
 * [P7] = "How to Scale Your Model" part 7. Units as in sizing/sizing.h.
 */
#ifndef SIZING_FORMULAS_H
#define SIZING_FORMULAS_H

struct sizing_model;

/* Experts of E that a batch of B touches in expectation: E x (1 - (1 - k/E)^B). */
double sizing_experts_touched(double experts, double active, double batch);
double sizing_matmul_intensity(double b, double d, double f); /* BDF / (BD + DF + BF) */
double sizing_attention_intensity(double s, double t);        /* ST / (S + T) */
/*
 * Tokens at which a matrix takes as long to multiply (2 operations a weight and token) as to read
 * (weight_bits / 8 bytes a weight, once): operations / bandwidth x weight_bits / 16. [P7] writes it
 * as alpha x bits per parameter / bits per activation, which is the same for 16-bit activations;
 * its figure for int8 both (240 on v5e, not 480) is this one. experts, active > 0: x E/k as in
 * exercise 5, solved with the experts that a batch touches: all but a share of exp(-dense batch),
 * so that E/k is exact to the digit but on devices of very low intensity. It is the batch from
 * which the routed experts, and so every matrix, are compute-bound; the step as a whole turns
 * before, since attention matrices need no more than the dense batch.
 */
double sizing_critical_batch(double operations, double bandwidth, double weight_bits,
    double experts, double active);
/* [P7]: beyond Y = F / (B beta) ways the links take longer than reading the weights; beta = bytes/s of memory
 * over bytes/s of links. Weights of another size than activations: F times their quotient. */
double sizing_decode_ways(double ffn, double batch, double beta);
/*
 * Seconds of the collectives of one feed-forward, `batch` tokens of two bytes an element. One dimension
 * ([P7] exercise 7): 4 B D / (axes x W), with W bytes/s of one axis, both directions. Two dimensions on N devices,
 * at the best X = sqrt(N D / (2 F)): 2 B D / (X W) + 4 B F X / (N W) = sqrt(32 D F) B / (sqrt(N) W).
 */
double sizing_one_d_seconds(double batch, double d, double axes, double bandwidth);
double sizing_two_d_seconds(double batch, double d, double f, double devices, double bandwidth);
/* Devices above which the second is shorter, on three axes: 32 (F / D) (3/4)^2. */
double sizing_two_d_devices(double d, double f);
/* The best X of them, ways in which D is split; F is split N / X ways. F = 4 D: sqrt(N / 8) and sqrt(8 N). */
double sizing_two_d_ways(double d, double f, double devices);
/* [P7] appendix C: max(latency x ranks / 2, bytes / bandwidth) of an all-gather around a ring. */
double sizing_gather_seconds(double bytes, double ranks, double latency, double bandwidth);
/* Where both are the same; `bandwidth` of both directions of the ring, which [P7] counts one by one. */
double sizing_latency_bytes(double ranks, double latency, double bandwidth);
/*
 * Tokens that one step of speculative decoding yields in expectation, drafted ones accepted each with the same
 * probability until one is not, and one of the model's own: (1 - a^(n + 1)) / (1 - a), Leviathan et al. 2022, eq. 1.
 */
double sizing_accepted_tokens(double drafted, double acceptance);
/*
 * Time per output token as this module's targets mean it: of the tokens after the first, (latency - TTFT) /
 * (tokens - 1), which is one decode step. Some tools print latency / tokens under the same name. tokens > 1.
 */
double sizing_token_seconds(double latency, double ttft, double tokens);

#endif
