/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All sizes that are powers of two from one scan over sorted keys. Parts of the keys are
 * scanned in parallel; the runs of consecutive keys that cross from part to part are
 * joined in the end. */

#include "boxcount_scan.h"
#include "threads.h"
#include <string.h>

/* Keys of a part. */
#define PART_KEYS ((size_t)1 << 15)

/* Counters side by side, so that one need not wait for the last. */
#define LANES 4

typedef struct tally {
    uint64_t begins[LANES][RUGI_KEY_BITS]; /* keys that differ first in this bit */
    uint64_t full[RUGI_KEY_BITS + 1];      /* keys that end a full set of 2^b keys */
} tally;

static size_t part_begin(size_t n, size_t n_parts, size_t part)
{
    size_t share = n / n_parts, rest = n % n_parts;
    return part * share + (part < rest ? part : rest);
}

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
#include "boxcount_scan_leaf.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "boxcount_scan_leaf.h"
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

#define DEFINE_SCAN(name, KEY, suffix)                                                   \
    rug_status name(rug_context *ctx, rugi_key_counts *out, const KEY *keys, size_t n,   \
                    unsigned bits, unsigned least_bits, double *seconds)                 \
    {                                                                                    \
        memset(out, 0, sizeof *out);                                                     \
        if (n == 0)                                                                      \
            return RUG_OK;                                                               \
        uint64_t joined[RUGI_KEY_BITS + 1] = {0};                                        \
        size_t n_threads = (size_t)rug_context_threads(ctx);                             \
        scan##suffix s = {.keys = keys, .n = n, .n_parts = (n - 1) / PART_KEYS + 1};     \
        s.low = least_bits > 0 ? ~(KEY)0 >> (sizeof(KEY) * 8 - least_bits) : 0;          \
        s.tallies = rug_context_allocate(ctx, n_threads, sizeof(tally), "tallies");      \
        s.parts =                                                                        \
            rug_context_allocate(ctx, s.n_parts, sizeof *s.parts, "parts of the keys");  \
        rug_status status = RUG_E_NOMEM;                                                 \
        if (s.tallies != NULL && s.parts != NULL) {                                      \
            memset(s.tallies, 0, n_threads * sizeof(tally));                             \
            status =                                                                     \
                rugi_parallel_for_timed(ctx, s.n_parts, scan_task##suffix, &s, seconds); \
        }                                                                                \
        if (status == RUG_OK) {                                                          \
            join_parts##suffix(&s, joined);                                              \
            collect(out, s.tallies, n_threads, joined, bits);                            \
        }                                                                                \
        rug_context_release(ctx, s.parts);                                               \
        rug_context_release(ctx, s.tallies);                                             \
        return status;                                                                   \
    }

DEFINE_SCAN(rugi_scan_u64, uint64_t, _u64)
DEFINE_SCAN(rugi_scan_u128, rugi_u128, _u128)
