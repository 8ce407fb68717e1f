/*
 * Read KV back or compute it again: the closed forms, for one prefix whose figures are given. The
 * engine (sizing.h) works the same out of a model, with windows, sparse reads and the weights
 * that a short prompt waits for; these are for who knows the few figures below, and to check it.
 *
 *     recompute = (2 P p + c A p^2) / (u F)        load = p K / B + t0
 *
 * They check nothing: every input is finite and > 0 unless it says otherwise. INFINITY where
 * reading back never pays.
 */
#ifndef SIZING_RELOAD_H
#define SIZING_RELOAD_H

#include <stdbool.h>

struct sizing_prefix {
	double tokens;          /* p */
	double bytes_per_token; /* K, of all layers */
	double parameters;      /* P, those that a token passes through */
	double attention_width; /* A = layers x query heads x head size */
	double attention_share; /* c: 2 = the causal half, 4 = the whole matrix */
	double operations;      /* F, of all devices together, per second */
	double efficiency;      /* u, 0..1: of F, what prefill reaches */
	double fixed_seconds;   /* t0 >= 0: look-up, first byte, copies to start */
};

double sizing_recompute_seconds(const struct sizing_prefix *p);
double sizing_reload_seconds(const struct sizing_prefix *p, double bandwidth);
/* bytes/s above which loading is the faster */
double sizing_break_even(const struct sizing_prefix *p);
/* The same for a prefix so short that attention and t0 do not count: K u F / 2 P, whatever p. */
double sizing_break_even_short(const struct sizing_prefix *p);
/* Shortest prefix worth loading at this bandwidth, attention left aside: t0 / (2 P / u F - K / B). */
double sizing_shortest_prefix(const struct sizing_prefix *p, double bandwidth);

/*
 * The published form (Mooncake, FAST 2025, eq. 2): 2 d s G / (g (4 p d + 22 d^2)), from the hidden
 * size d, s bytes an element, g query heads to a KV head and G operations/s; layers cancel. The
 * 22 d^2 is the paper's estimate of a layer's linear part.
 */
double sizing_break_even_estimate(double tokens, double width, double element_bytes,
    double heads_per_kv_head, double operations);

/*
 * bytes/s from which on loading layer by layer hides behind computing `suffix` new tokens, each of
 * which attends to the whole prefix: no causal half there (CachedAttention, ATC 2024).
 */
double sizing_hidden_above(const struct sizing_prefix *p, double suffix);

/* The first part computed while the rest is read, cut so that both end together. */
double sizing_partial_seconds(double recompute_seconds, double load_seconds);
/* t0 of a copy in blocks, each of which costs as much to start: 0 bytes a block = in one. */
double sizing_block_seconds(double bytes, double block_bytes, double seconds_per_block);
/* What one of `loads` at a time gets of a link; half of it where the link also writes back. */
double sizing_link_share(double bandwidth, double loads, bool writes_back);
/* Seconds a request gains on average: hits skip computing and load, misses are written. May be < 0. */
double sizing_reuse_gain(double hit_rate, double recompute_seconds, double load_seconds,
    double write_seconds);

/* Tokens per second of all sequences whose KV of `bytes` each is read from there at every step. */
double sizing_decode_limit(double bandwidth, double bytes);
/* bytes/s that may be written for the whole rated life: drive writes per day x capacity / day */
double sizing_endurance(double bytes, double writes_per_day);

#endif
