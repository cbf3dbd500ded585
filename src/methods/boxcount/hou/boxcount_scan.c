/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All sizes that are powers of two from one scan over sorted keys. Parts of the keys are
 * scanned in parallel; the runs of consecutive keys that cross from part to part are
 * joined in the end. */

#include "boxcount_hou_job.h"
#include "boxcount_hou_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Keys of a part. */
#define PART_KEYS ((size_t)1 << 15)

/* Keys that are gone through twice at a time: they stay in the first-level cache. */
#define BLOCK_KEYS ((size_t)1 << 10)

/* Counters side by side, so that one need not wait for the last. */
#define LANES 4

typedef struct tally {
    uint64_t begins[LANES][RUGI_KEY_BITS]; /* keys that differ first in this bit */
    uint64_t full[RUGI_KEY_BITS + 1]; /* keys that end a full set of 2^b keys, b > 0 */
    uint64_t begun[RUGI_SCAN_LEVELS_MAX]; /* by the kernel: keys that begin a set */
} tally;

/* The sets that are asked for, the smallest first. */
typedef struct scan_levels {
    int n;
    unsigned bits[RUGI_SCAN_LEVELS_MAX];
    uint64_t largest[RUGI_SCAN_LEVELS_MAX]; /* number of so many bits */
} scan_levels;

static inline unsigned highest_bit_u64(uint64_t v)
{
    return 63 - (unsigned)__builtin_clzll(v);
}

static inline unsigned lowest_bit_u64(uint64_t v)
{
    return v != 0 ? (unsigned)__builtin_ctzll(v) : 64;
}

static inline unsigned highest_bit_u128(rugi_u128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    return high != 0 ? 64 + highest_bit_u64(high) : highest_bit_u64((uint64_t)v);
}

static inline unsigned lowest_bit_u128(rugi_u128 v)
{
    return (uint64_t)v != 0 ? lowest_bit_u64((uint64_t)v)
                            : 64 + lowest_bit_u64((uint64_t)(v >> 64));
}

#define KEY         uint64_t
#define KEYED(name) name##_u64
#include "boxcount_scan_tmpl.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "boxcount_scan_tmpl.h"
#undef KEY
#undef KEYED

/* Adds up what the threads have seen: there is one set more than there are keys that
 * begin another. */
static void collect(rugi_key_counts *out, const tally *tallies, size_t n_threads,
                    const uint64_t *joined, unsigned bits)
{
    uint64_t begun = 1, full = joined[bits];
    for (size_t t = 0; t < n_threads; t++)
        full += tallies[t].full[bits];
    out->nonempty[bits] = begun;
    out->full[bits] = full;
    for (unsigned b = bits; b-- > 0;) {
        full += joined[b];
        for (size_t t = 0; t < n_threads; t++) {
            full += tallies[t].full[b];
            for (int lane = 0; lane < LANES; lane++)
                begun += tallies[t].begins[lane][b];
        }
        out->nonempty[b] = begun;
        out->full[b] = full;
    }
    out->full[0] = out->nonempty[0];
}

static void make_levels(scan_levels *l, unsigned bits, uint64_t asked)
{
    for (unsigned b = 0; b < bits; b++)
        if ((asked >> b & 1) != 0) {
            if (l->n == RUGI_SCAN_LEVELS_MAX) {
                l->n = 0;
                return;
            }
            l->bits[l->n] = b;
            l->largest[l->n++] = ((uint64_t)1 << b) - 1;
        }
}

static void choose_kernels(scan_u64 *s, const rug_context *ctx, unsigned bits,
                           uint64_t asked)
{
    rugi_scan_kernels kernels;
    rugi_scan_set_kernels(&kernels, rug_context_cpu_level(ctx));
    if (bits > RUGI_SCAN_BITS_MAX)
        return;
    s->find_runs = kernels.find_runs;
    s->count_levels = kernels.count_levels;
    if (s->count_levels != NULL)
        make_levels(&s->levels, bits, asked);
}

/* A key that begins a set but no larger one that is asked for counts as if it differed
 * first in the lowest bit above that set. */
static void levels_to_begins(const scan_levels *l, tally *t)
{
    for (int j = 0; j < l->n; j++)
        t->begins[0][l->bits[j]] += t->begun[j] - (j + 1 < l->n ? t->begun[j + 1] : 0);
}

#define DEFINE_SCAN(KEY, suffix)                                                         \
    static rug_status scan_keys##suffix(rug_context *ctx, rugi_key_counts *out,          \
                                        scan##suffix *s, unsigned bits,                  \
                                        unsigned least_bits, double *seconds)            \
    {                                                                                    \
        memset(out, 0, sizeof *out);                                                     \
        if (s->n == 0)                                                                   \
            return RUG_OK;                                                               \
        uint64_t joined[RUGI_KEY_BITS + 1] = {0};                                        \
        size_t n_threads = (size_t)rug_context_threads(ctx);                             \
        s->n_parts = (s->n - 1) / PART_KEYS + 1;                                         \
        s->low = least_bits > 0 ? ~(KEY)0 >> (sizeof(KEY) * 8 - least_bits) : 0;         \
        s->tallies = rug_context_allocate(ctx, n_threads, sizeof(tally), "tallies");     \
        s->parts = rug_context_allocate(ctx, s->n_parts, sizeof *s->parts,               \
                                        "parts of the keys");                            \
        rug_status status = RUG_E_NOMEM;                                                 \
        if (s->tallies != NULL && s->parts != NULL) {                                    \
            memset(s->tallies, 0, n_threads * sizeof(tally));                            \
            status =                                                                     \
                rugi_parallel_for_timed(ctx, s->n_parts, scan_task##suffix, s, seconds); \
        }                                                                                \
        if (status == RUG_OK) {                                                          \
            for (size_t t = 0; t < n_threads; t++)                                       \
                levels_to_begins(&s->levels, &s->tallies[t]);                            \
            join_parts##suffix(s, joined);                                               \
            collect(out, s->tallies, n_threads, joined, bits);                           \
        }                                                                                \
        rug_context_release(ctx, s->parts);                                              \
        rug_context_release(ctx, s->tallies);                                            \
        return status;                                                                   \
    }

DEFINE_SCAN(uint64_t, _u64)
DEFINE_SCAN(rugi_u128, _u128)

rug_status rugi_scan_u64(rug_context *ctx, rugi_key_counts *out, const uint64_t *keys,
                         size_t n, unsigned bits, unsigned least_bits, uint64_t asked,
                         double *seconds)
{
    scan_u64 s = {.keys = keys, .n = n};
    choose_kernels(&s, ctx, bits, asked);
    return scan_keys_u64(ctx, out, &s, bits, least_bits, seconds);
}

rug_status rugi_scan_u128(rug_context *ctx, rugi_key_counts *out, const rugi_u128 *keys,
                          size_t n, unsigned bits, unsigned least_bits, double *seconds)
{
    scan_u128 s = {.keys = keys, .n = n};
    return scan_keys_u128(ctx, out, &s, bits, least_bits, seconds);
}
