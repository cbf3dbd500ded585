/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the benchmarks share: a clock, the machine's read bandwidth, and TSV rows. Times
 * are the best of several interleaved runs, so that a ratio holds on a noisy machine. */

#ifndef BENCH_H
#define BENCH_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Seconds of a steady clock. */
double bench_now(void);

/** Memory in large pages where the system has them, touched;
 *  ends the program when out. */
void *bench_allocate(size_t n_bytes);

/** Runs of one value, such as thresholded structures have them; the same for the same
 *  seed. */
void bench_fill_runs(uint8_t *pixels, size_t n, uint64_t seed);

/** Reads n bytes as fast as this machine can: calls take turns between a plain and a
 *  prefetched loop, so that the best of several is the better of both. @return something
 *  to keep */
uint64_t bench_read(const void *memory, size_t n, int n_threads);

/** Prints the name of the processor, as a comment, and the column names. */
void bench_header(void);

/** Prints one row. Times in seconds; ratio = reference / ours, so that more is better.
 *  @param reference_seconds  0: there is none, and "-" is printed
 *  @param target  the ratio that is aimed at; 0 = none */
void bench_row(const char *name, double ours, const char *reference,
               double reference_seconds, double target);

/** The same of a rate, of which more is better; ratio = ours / reference. */
void bench_rate_row(const char *name, double ours, const char *unit,
                    const char *reference, double reference_rate, double target);

/** Whether a case is to run: its name contains a text, and the processor has the level, which
 *  the context has then. Says so where it has not. */
int bench_wants(rug_context *ctx, const char *name, const char *only,
                rug_cpu_level level);

#endif
