/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All sizes that are powers of two, from one scan over sorted keys or from a bitmap of
 * them.
 *
 * Parts of the keys are scanned in parallel; the runs of consecutive keys that cross from
 * part to part are joined in the end. Of a bitmap, words are folded to bits, 64 of them
 * make a word of the next floor, and so on up to a single one. */

#include "boxcount_hou_job.h"
#include "boxcount_hou_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* ---- Sorted keys ---- */

/* Keys of a part. */
#define PART_KEYS ((size_t)1 << 15)

/* Keys that are gone through twice at a time: they stay in the first-level cache. */
#define BLOCK_KEYS ((size_t)1 << 10)

/* Counters side by side, so that one need not wait for the last. */
#define LANES 4

typedef struct tally {
    RUGI_OWN_LINES uint64_t
        begins[LANES][RUGI_KEY_BITS]; /* keys that differ first in this bit */
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
    rugi_hou_kernels kernels;
    rugi_hou_set_kernels(&kernels, rug_context_cpu_level(ctx));
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

/* ---- A bitmap ---- */

/* Bits that a floor takes away. */
#define FLOOR_BITS 6

/* Groups of words of a task: 256 KB. */
#define TASK_GROUPS 512

typedef struct bitmap_scan {
    rugi_hou_kernels kernels;
    uint64_t *maps;
    size_t n_maps, n_words;
    unsigned asked;
    uint64_t *next_any, *next_all;
    rugi_bitmap_words *tallies; /* per thread */
} bitmap_scan;

static size_t groups_of(size_t n_words)
{
    return (n_words - 1) / RUGI_BITMAP_STEP + 1;
}

static void ground_task(void *shared, size_t task, int thread)
{
    const bitmap_scan *s = shared;
    size_t first = task * TASK_GROUPS * RUGI_BITMAP_STEP;
    size_t n = rugi_smaller(s->n_words - first, TASK_GROUPS * RUGI_BITMAP_STEP);
    for (size_t m = 1; m < s->n_maps; m++)
        for (size_t i = 0; i < n; i++)
            s->maps[first + i] |= s->maps[m * s->n_words + first + i];
    rugi_bitmap_words *w = &s->tallies[thread];
    w->any = w->all = s->maps + first;
    w->n = n;
    w->next_any = s->next_any + task * TASK_GROUPS;
    w->next_all = s->next_all + task * TASK_GROUPS;
    w->asked = s->asked;
    s->kernels.fold(w);
}

static void add_floor(rugi_key_counts *out, const rugi_bitmap_words *w, unsigned bits)
{
    for (unsigned b = 1; b <= FLOOR_BITS; b++) {
        out->nonempty[bits + b] += w->nonempty[b];
        out->full[bits + b] += w->full[b];
    }
}

/* The floors above the ground, each in the memory of the one below. */
static void count_floors(rugi_key_counts *out, const bitmap_scan *s, uint64_t asked)
{
    size_t n = s->n_words / RUGI_BITMAP_STEP;
    for (unsigned bits = FLOOR_BITS; bits < 64 && asked >> bits > 1; bits += FLOOR_BITS) {
        size_t whole = groups_of(n) * RUGI_BITMAP_STEP;
        memset(s->next_any + n, 0, (whole - n) * sizeof *s->next_any);
        memset(s->next_all + n, 0, (whole - n) * sizeof *s->next_all);
        rugi_bitmap_words w = {.any = s->next_any,
                               .all = s->next_all,
                               .n = whole,
                               .next_any = s->next_any,
                               .next_all = s->next_all,
                               .asked = (unsigned)(asked >> bits & 0x7e)};
        s->kernels.fold(&w);
        add_floor(out, &w, bits);
        n = whole / RUGI_BITMAP_STEP;
    }
}

static void collect_ground(rugi_key_counts *out, const bitmap_scan *s, size_t n_threads)
{
    for (size_t t = 0; t < n_threads; t++) {
        out->nonempty[0] += s->tallies[t].nonempty[0];
        add_floor(out, &s->tallies[t], 0);
    }
    out->full[0] = out->nonempty[0];
}

rug_status rugi_scan_bitmap(rug_context *ctx, rugi_key_counts *out, uint64_t *maps,
                            size_t n_maps, size_t n_words, uint64_t asked,
                            double *seconds)
{
    memset(out, 0, sizeof *out);
    size_t n_groups = n_words / RUGI_BITMAP_STEP;
    size_t n_floor = groups_of(n_groups) * RUGI_BITMAP_STEP;
    size_t n_threads = (size_t)rug_context_threads(ctx);
    bitmap_scan s = {.maps = maps,
                     .n_maps = n_maps,
                     .n_words = n_words,
                     .asked = (unsigned)(asked & 0x7e)};
    rugi_hou_set_kernels(&s.kernels, rug_context_cpu_level(ctx));
    s.next_any = rug_context_allocate(ctx, 2 * n_floor, sizeof(uint64_t), "bitmap");
    s.tallies = rug_context_allocate(ctx, n_threads, sizeof *s.tallies, "tallies");
    rug_status status = RUG_E_NOMEM;
    if (s.next_any != NULL && s.tallies != NULL) {
        s.next_all = s.next_any + n_floor;
        memset(s.tallies, 0, n_threads * sizeof *s.tallies);
        status = rugi_parallel_for_timed(ctx, (n_groups - 1) / TASK_GROUPS + 1,
                                         ground_task, &s, seconds);
    }
    if (status == RUG_OK) {
        collect_ground(out, &s, n_threads);
        count_floors(out, &s, asked);
    }
    rug_context_release(ctx, s.tallies);
    rug_context_release(ctx, s.next_any);
    return status;
}
