/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of the kernels of co-occurrence share: the kernel of each CPU level, and memory
 * that tells when it was written beyond its end. Include it after support.h. */

#ifndef RUGOSE_GLCM_KERNELS_SUPPORT_H
#define RUGOSE_GLCM_KERNELS_SUPPORT_H

#include "glcm/kernels/glcm_kernels.h"
#include <stdlib.h>
#include <string.h>

#define GUARD       0xa5
#define GUARD_BYTES 64

static inline int n_kernels(rug_context *ctx)
{
#ifdef RUGI_HAVE_X86_KERNELS
    return 1 + (int)rug_context_cpu_level(ctx);
#else
    (void)ctx;
    return 1;
#endif
}

static inline rugi_glcm_kernels kernels_of(int level)
{
    rugi_glcm_kernels kernels;
    rugi_glcm_set_kernels_ref(&kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (level == RUG_CPU_AVX2)
        rugi_glcm_set_kernels_avx2(&kernels);
    if (level == RUG_CPU_AVX512)
        rugi_glcm_set_kernels_avx512(&kernels);
#endif
    (void)level;
    return kernels;
}

/* n items, to be read: they end where the memory does, so that a sanitizer sees what is
 * beyond. */
static inline void *room(size_t n, size_t size)
{
    void *p = malloc(n * size);
    assert_non_null(p);
    return p;
}

/* n items, to be written: behind them are bytes that nobody may change. */
static inline void *guarded_room(size_t n, size_t size)
{
    unsigned char *p = room(n * size + GUARD_BYTES, 1);
    memset(p, GUARD, n * size + GUARD_BYTES);
    return p;
}

static inline void assert_guarded(const void *p, size_t n, size_t size)
{
    const unsigned char *guard = (const unsigned char *)p + n * size;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        assert_int_equal(guard[i], GUARD);
}

/* Lists for the pairs of so many pixels. */
static inline rugi_glcm_lists new_lists(size_t n_pixels)
{
    size_t n = n_pixels + RUGI_GLCM_SLACK;
    return (rugi_glcm_lists){.key = guarded_room(n, sizeof(uint32_t)),
                             .difference = guarded_room(n, sizeof(uint16_t)),
                             .sum = guarded_room(n, sizeof(uint16_t)),
                             .no_next = guarded_room(n, sizeof(uint16_t)),
                             .no_last = guarded_room(n, sizeof(uint16_t))};
}

static inline void free_lists(rugi_glcm_lists *l, size_t n_pixels)
{
    size_t n = n_pixels + RUGI_GLCM_SLACK;
    assert_guarded(l->key, n, sizeof *l->key);
    uint16_t *const short_ones[] = {l->difference, l->sum, l->no_next, l->no_last};
    for (size_t i = 0; i < 4; i++) {
        assert_guarded(short_ones[i], n, sizeof *short_ones[i]);
        free(short_ones[i]);
    }
    free(l->key);
}

/* A level of a span, often one of its ends. */
static inline uint16_t random_level(uint64_t *seed, uint32_t span)
{
    uint64_t kind = test_below(seed, 8);
    return (uint16_t)(kind == 0 ? span - 1 : kind == 1 ? 0 : test_below(seed, span));
}

#endif
