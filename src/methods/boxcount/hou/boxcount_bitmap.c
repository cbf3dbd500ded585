/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* All sizes from a bitmap of keys: words are folded to bits, 64 of them make a word of
 * the next floor, and so on up to a single one. */

#include "boxcount_bitmap_tmpl.h"
#include "boxcount_scan.h"
#include "core/context/threads.h"
#include <string.h>

/* Bits that a floor takes away. */
#define FLOOR_BITS 6

/* Groups of words of a task: 256 KB. */
#define TASK_GROUPS 512

typedef struct bitmap_scan {
    rugi_bitmap_fn count;
    uint64_t *maps;
    size_t n_maps, n_words;
    unsigned asked;
    uint64_t *next_any, *next_all;
    rugi_bitmap_words *tallies; /* per thread */
} bitmap_scan;

static rugi_bitmap_fn choose_kernels(const rug_context *ctx)
{
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        return rugi_bitmap_count_avx512;
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        return rugi_bitmap_count_avx2;
#else
    (void)ctx;
#endif
    return rugi_bitmap_count_ref;
}

static size_t groups_of(size_t n_words)
{
    return (n_words - 1) / RUGI_BITMAP_GROUP + 1;
}

static void ground_task(void *shared, size_t task, int thread)
{
    const bitmap_scan *s = shared;
    size_t first = task * TASK_GROUPS * RUGI_BITMAP_GROUP;
    size_t left = s->n_words - first, most = TASK_GROUPS * RUGI_BITMAP_GROUP;
    size_t n = left < most ? left : most;
    for (size_t m = 1; m < s->n_maps; m++)
        for (size_t i = 0; i < n; i++)
            s->maps[first + i] |= s->maps[m * s->n_words + first + i];
    rugi_bitmap_words *w = &s->tallies[thread];
    w->any = w->all = s->maps + first;
    w->n = n;
    w->next_any = s->next_any + task * TASK_GROUPS;
    w->next_all = s->next_all + task * TASK_GROUPS;
    w->asked = s->asked;
    s->count(w);
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
    size_t n = s->n_words / RUGI_BITMAP_GROUP;
    for (unsigned bits = FLOOR_BITS; bits < 64 && asked >> bits > 1; bits += FLOOR_BITS) {
        size_t whole = groups_of(n) * RUGI_BITMAP_GROUP;
        memset(s->next_any + n, 0, (whole - n) * sizeof *s->next_any);
        memset(s->next_all + n, 0, (whole - n) * sizeof *s->next_all);
        rugi_bitmap_words w = {.any = s->next_any,
                               .all = s->next_all,
                               .n = whole,
                               .next_any = s->next_any,
                               .next_all = s->next_all,
                               .asked = (unsigned)(asked >> bits & 0x7e)};
        s->count(&w);
        add_floor(out, &w, bits);
        n = whole / RUGI_BITMAP_GROUP;
    }
}

static void collect(rugi_key_counts *out, const bitmap_scan *s, size_t n_threads)
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
    size_t n_groups = n_words / RUGI_BITMAP_GROUP;
    size_t n_floor = groups_of(n_groups) * RUGI_BITMAP_GROUP;
    size_t n_threads = (size_t)rug_context_threads(ctx);
    bitmap_scan s = {.count = choose_kernels(ctx),
                     .maps = maps,
                     .n_maps = n_maps,
                     .n_words = n_words,
                     .asked = (unsigned)(asked & 0x7e)};
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
        collect(out, &s, n_threads);
        count_floors(out, &s, asked);
    }
    rug_context_release(ctx, s.tallies);
    rug_context_release(ctx, s.next_any);
    return status;
}
