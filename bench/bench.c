/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the benchmarks share; see bench.h. */

#define _GNU_SOURCE /* madvise */
#include "bench.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef __has_attribute
#define __has_attribute(x) 0
#endif
#if defined(__x86_64__) && __has_attribute(target_clones)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void *bench_allocate(size_t n_bytes)
{
    size_t page = (size_t)2 << 20, whole = (n_bytes + page - 1) / page * page;
    void *p = aligned_alloc(page, whole);
    if (p == NULL) {
        fprintf(stderr, "bench: cannot allocate %zu bytes\n", whole);
        exit(1);
    }
    madvise(p, whole, MADV_HUGEPAGE);
    memset(p, 0, whole);
    return p;
}

void bench_fill_runs(uint8_t *pixels, size_t n, uint64_t seed)
{
    uint64_t s = seed;
    for (size_t i = 0; i < n;) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        size_t run = 1 + (s >> 33 & 127);
        run = run < n - i ? run : n - i;
        memset(pixels + i, s >> 63 ? 255 : 0, run);
        i += run;
    }
}

#define LINE 64 /* bytes */

static inline uint64_t read_words(const uint64_t *v, size_t n_words, int prefetch)
{
    uint64_t lanes[32] = {0}, all = 0;
    for (size_t i = 0; i + 32 <= n_words; i += 32) {
        for (size_t j = 0; prefetch && j < 32; j += LINE / sizeof *v)
            __builtin_prefetch((const char *)(v + i + j) + 4096);
        for (size_t j = 0; j < 32; j++)
            lanes[j] |= v[i + j];
    }
    for (int j = 0; j < 32; j++)
        all |= lanes[j];
    return all;
}

WIDEST static uint64_t read_plain(const uint64_t *v, size_t n_words)
{
    return read_words(v, n_words, 0);
}

WIDEST static uint64_t read_prefetched(const uint64_t *v, size_t n_words)
{
    return read_words(v, n_words, 1);
}

typedef uint64_t (*read_fn)(const uint64_t *, size_t);

static uint64_t read_with(read_fn read, const void *memory, size_t n, int n_threads)
{
    uint64_t all = 0;
    size_t share = n / (size_t)n_threads / 1024 * 1024;
#pragma omp parallel num_threads(n_threads) reduction(| : all)
    {
        const char *mine = (const char *)memory + share * (size_t)omp_get_thread_num();
        all |= read((const uint64_t *)(const void *)mine, share / sizeof(uint64_t));
    }
    return all;
}

uint64_t bench_read(const void *memory, size_t n, int n_threads)
{
    static const read_fn ways[] = {read_plain, read_prefetched};
    static int turn;
    turn = !turn; /* the caller keeps the best time, so both ways are tried in turn */
    return read_with(ways[turn], memory, n, n_threads);
}

/* What the system calls the processor; names alone tell no generations apart. */
static void print_processor(void)
{
    static const char *const keys[] = {"model name", "cpu family", "model\t"};
    char line[256], found[3][128] = {"unknown", "?", "?"};
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL && line[0] != '\n') {
        const char *value = strchr(line, ':');
        for (int i = 0; i < 3 && value != NULL; i++)
            if (strncmp(line, keys[i], strlen(keys[i])) == 0)
                snprintf(found[i], sizeof found[i], "%.*s",
                         (int)strcspn(value + 1, "\n") - 1, value + 2);
    }
    if (f != NULL)
        fclose(f);
    printf("# processor: %s, family %s, model %s\n", found[0], found[1], found[2]);
}

void bench_header(void)
{
    print_processor();
    printf("case\tours\tunit\treference\treference_value\tratio\ttarget\n");
}

static void print_row(const char *name, double ours, const char *unit,
                      const char *reference, double reference_value, double ratio,
                      double target)
{
    printf("%s\t%.3f\t%s\t", name, ours, unit);
    if (reference_value > 0)
        printf("%s\t%.3f\t%.2f\t", reference, reference_value, ratio);
    else
        printf("-\t-\t-\t");
    if (target > 0)
        printf("%.2f\n", target);
    else
        printf("-\n");
    fflush(stdout);
}

void bench_row(const char *name, double ours, const char *reference,
               double reference_seconds, double target)
{
    print_row(name, ours * 1e3, "ms", reference, reference_seconds * 1e3,
              reference_seconds / ours, target);
}

void bench_rate_row(const char *name, double ours, const char *unit,
                    const char *reference, double reference_rate, double target)
{
    print_row(name, ours, unit, reference, reference_rate, ours / reference_rate, target);
}

int bench_wants(rug_context *ctx, const char *name, const char *only, rug_cpu_level level)
{
    if (strstr(name, only) == NULL)
        return 0;
    rug_context_set_cpu_level(ctx, level);
    if (rug_context_cpu_level(ctx) == level)
        return 1;
    printf("# %s is left out: this processor lacks it\n", name);
    return 0;
}
