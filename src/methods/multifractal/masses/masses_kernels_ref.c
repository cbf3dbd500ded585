/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels: the truth for the others. */

#include "masses_kernels.h"

#define DEFINE_JOIN(name, in, out)                                                  \
    static void name(void *to, const void *const *rows, int n_rows, size_t n)       \
    {                                                                               \
        out *o = to;                                                                \
        const in *a = rows[0], *b = rows[1];                                        \
        for (size_t i = 0; i < n; i++)                                              \
            o[i] = (out)((out)a[2 * i] + (out)a[2 * i + 1] + (out)b[2 * i] +        \
                         (out)b[2 * i + 1]);                                        \
        if (n_rows < 4)                                                             \
            return;                                                                 \
        a = rows[2];                                                                \
        b = rows[3];                                                                \
        for (size_t i = 0; i < n; i++)                                              \
            o[i] = (out)(o[i] + (out)a[2 * i] + (out)a[2 * i + 1] + (out)b[2 * i] + \
                         (out)b[2 * i + 1]);                                        \
    }

#define DEFINE_COUNT(name, type)                                                \
    static void name(uint32_t *t, size_t size, size_t step, const void *masses, \
                     size_t n)                                                  \
    {                                                                           \
        const type *m = masses;                                                 \
        size_t i = 0;                                                           \
        (void)size;                                                             \
        for (; i + 4 <= n; i += 4) {                                            \
            t[m[i]]++;                                                          \
            t[step + m[i + 1]]++;                                               \
            t[2 * step + m[i + 2]]++;                                           \
            t[3 * step + m[i + 3]]++;                                           \
        }                                                                       \
        for (; i < n; i++)                                                      \
            t[m[i]]++;                                                          \
    }

#define DEFINE_WIDEN(name, type)                                  \
    static void name(uint64_t *out, const void *masses, size_t n) \
    {                                                             \
        const type *m = masses;                                   \
        for (size_t i = 0; i < n; i++)                            \
            out[i] = m[i];                                        \
    }

DEFINE_JOIN(join_u8_u8, uint8_t, uint8_t)
DEFINE_JOIN(join_u8_u16, uint8_t, uint16_t)
DEFINE_JOIN(join_u8_u64, uint8_t, uint64_t)
DEFINE_JOIN(join_u16_u16, uint16_t, uint16_t)
DEFINE_JOIN(join_u16_u32, uint16_t, uint32_t)
DEFINE_JOIN(join_u16_u64, uint16_t, uint64_t)
DEFINE_JOIN(join_u32_u32, uint32_t, uint32_t)
DEFINE_JOIN(join_u32_u64, uint32_t, uint64_t)
DEFINE_JOIN(join_u64_u64, uint64_t, uint64_t)
DEFINE_COUNT(count_u16, uint16_t)
DEFINE_COUNT(count_u32, uint32_t)
DEFINE_COUNT(count_u64, uint64_t)
DEFINE_WIDEN(widen_u8, uint8_t)
DEFINE_WIDEN(widen_u16, uint16_t)
DEFINE_WIDEN(widen_u32, uint32_t)
DEFINE_WIDEN(widen_u64, uint64_t)

static void count_pairs(uint32_t *t, size_t size, size_t step, const void *masses,
                        size_t n)
{
    const uint8_t *m = masses;
    size_t i = 0;
    (void)size;
    (void)step;
    for (; i + 8 <= n; i += 8) {
        uint64_t v;
        memcpy(&v, m + i, sizeof v);
        t[v & 65535]++;
        t[v >> 16 & 65535]++;
        t[v >> 32 & 65535]++;
        t[v >> 48]++;
    }
    for (; i + 2 <= n; i += 2)
        t[256 * m[i] + m[i + 1]]++;
}

/* Flags: a sum instead of a table. */
static void count_flags(uint32_t *t, size_t size, size_t step, const void *masses,
                        size_t n)
{
    const uint8_t *m = masses;
    uint32_t n_set = 0;
    (void)size;
    (void)step;
    for (size_t i = 0; i < n; i++)
        n_set += m[i];
    t[1] += n_set;
}

void rugi_masses_set_kernels_ref(rugi_masses_kernels *kernels)
{
    static const rugi_masses_kernels portable[RUGI_MASSES_KINDS] = {
        [RUGI_MASSES_FLAGS] = {RUGI_MASSES_FLAGS, 1, 1, join_u8_u8, join_u8_u8,
                               join_u8_u64, count_flags, rugi_masses_count_u8, NULL,
                               widen_u8, widen_u8},
        [RUGI_MASSES_U8] = {RUGI_MASSES_U8, 1, 2, join_u8_u16, join_u16_u16, join_u16_u64,
                            rugi_masses_count_u8, count_u16, count_pairs, widen_u8,
                            widen_u16},
        [RUGI_MASSES_U16] = {RUGI_MASSES_U16, 2, 4, join_u16_u32, join_u32_u32,
                             join_u32_u64, count_u16, count_u32, NULL, widen_u16,
                             widen_u32},
        [RUGI_MASSES_WIDE] = {RUGI_MASSES_WIDE, 8, 8, join_u64_u64, join_u64_u64,
                              join_u64_u64, count_u64, count_u64, NULL, widen_u64,
                              widen_u64},
    };
    *kernels = portable[kernels->kind];
}
