/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU (Hou, Gilmore, Mindlin and Solari 1990): the keys of all cells, sorted
 * or set in a bitmap, give the boxes of every size that is a power of two at once. A size
 * o * 2^m, o odd, is the size 2^m of the boxes of size o. Work is handed out by equal
 * numbers of cells, wherever they lie. */

#include "boxcount_hou_job.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Cells of a task. */
#define TASK_CELLS ((size_t)1 << 14)

/* Keys of more bits than this never go to a bitmap: a gigabyte. */
#define BITMAP_BITS_MAX 33

/* Words of bitmaps per cell at which they are as fast as the sort. Small maps are up to
 * 64 MB, for all threads together. */
#define MAP_WORDS       2
#define SMALL_MAP_WORDS 8
#define SMALL_MAPS      ((size_t)8 << 20)

static size_t key_size(const rugi_hou *h)
{
    return h->is_wide ? sizeof(rugi_u128) : sizeof(uint64_t);
}

/* Memory for keys; NULL with an error text when there is none. */
static void *new_keys(const rugi_hou *h, size_t n)
{
    return rug_context_allocate(h->ctx, n, key_size(h), "Morton keys");
}

/* Sets the number of keys, and of tasks of a loop over them. */
static void set_tasks(rugi_hou *h, size_t n)
{
    h->n = n;
    h->n_tasks = n > 0 ? (n - 1) / TASK_CELLS + 1 : 1;
}

static rug_status sort_keys(const rugi_hou *h, void *keys, void *scratch, size_t n,
                            unsigned bits)
{
    return h->is_wide ? rugi_sort_u128(h->ctx, keys, scratch, n, bits, h->seconds)
                      : rugi_sort_u64(h->ctx, keys, scratch, n, bits, h->seconds);
}

/* The sets of keys that are boxes, as bits; sets of 64 bits are always counted. */
static uint64_t asked_sets(const rugi_key_layout *layout)
{
    uint64_t asked = 0;
    for (int m = 0; m < RUGI_LEVELS; m++)
        if (layout->box_bits[m] < 64)
            asked |= (uint64_t)1 << layout->box_bits[m];
    return asked;
}

/* Boxes of two cells a side are the smallest that can be full but for the cells
 * themselves, and only where every axis has more than one cell. */
static rug_status scan_keys(const rugi_hou *h, rugi_key_counts *out, const void *keys,
                            size_t n, const rugi_key_layout *layout)
{
    unsigned axes = (unsigned)layout->axes;
    unsigned least = layout->box_bits[1] == axes ? axes : layout->bits;
    return h->is_wide
               ? rugi_scan_u128(h->ctx, out, keys, n, layout->bits, least, h->seconds)
               : rugi_scan_u64(h->ctx, out, keys, n, layout->bits, least,
                               asked_sets(layout), h->seconds);
}

/* ---- Sizes with an odd part ----
 *
 * The boxes of the odd size take the place of cells, so that their keys give all its
 * multiples by powers of two. A box is full when as many distinct cells have its key as
 * it has cells. */

/* Keys of a task that selects. */
#define TASK_KEYS ((size_t)1 << 16)

/* The first keys of all runs of `length` equal keys. */
typedef struct selection {
    const void *from;
    void *to;
    size_t n, length, n_tasks;
    size_t *first; /* [n_tasks + 1]: where the keys of a task go */
} selection;

#define KEY         uint64_t
#define KEYED(name) name##_u64
#include "boxcount_hou_sizes_tmpl.h"
#undef KEY
#undef KEYED
#define KEY         rugi_u128
#define KEYED(name) name##_u128
#include "boxcount_hou_sizes_tmpl.h"
#undef KEY
#undef KEYED

/* Selects runs; all of them fit s->to. */
static rug_status select_runs(const rugi_hou *h, selection *s, size_t *n_selected)
{
    rugi_task_fn count = h->is_wide ? count_runs_task_u128 : count_runs_task_u64;
    rugi_task_fn copy = h->is_wide ? copy_runs_task_u128 : copy_runs_task_u64;
    s->n_tasks = s->n / TASK_KEYS + 1;
    s->first = rug_context_allocate(h->ctx, s->n_tasks + 1, sizeof *s->first,
                                    "shares of the keys");
    if (s->first == NULL)
        return RUG_E_NOMEM;
    s->first[0] = 0;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.5, status,
               rugi_parallel_for_timed(h->ctx, s->n_tasks, count, s, h->seconds));
    for (size_t t = 0; status == RUG_OK && t < s->n_tasks; t++)
        s->first[t + 1] += s->first[t];
    *n_selected = status == RUG_OK ? s->first[s->n_tasks] : 0;
    RUGI_PHASE(h->ctx, 0.5, 1, status,
               rugi_parallel_for_timed(h->ctx, s->n_tasks, copy, s, h->seconds));
    rug_context_release(h->ctx, s->first);
    return status;
}

/* The other sizes need each cell once. */
static rug_status keep_distinct(rugi_hou *h)
{
    size_t n;
    selection s = {.from = h->keys, .to = h->scratch, .n = h->n, .length = 1};
    rug_status status = select_runs(h, &s, &n);
    if (status != RUG_OK)
        return status;
    void *keys = h->scratch;
    h->scratch = h->keys;
    h->keys = keys;
    set_tasks(h, n);
    return RUG_OK;
}

/* The full sets of boxes that are full themselves: as many equal keys as cells. */
static rug_status scan_black(const rugi_hou *h, rugi_key_counts *out)
{
    int axes = h->box_layout->axes;
    selection s = {.from = h->scratch,
                   .to = h->third,
                   .n = h->n,
                   .length = rugi_hou_cells_of_box(h->box_size, axes, h->n)};
    size_t n = 0;
    memset(out, 0, sizeof *out);
    if (s.length == SIZE_MAX)
        return RUG_OK;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.5, status, select_runs(h, &s, &n));
    RUGI_PHASE(h->ctx, 0.5, 1, status, scan_keys(h, out, h->third, n, h->box_layout));
    return status;
}

static rug_status count_odd(rugi_hou *h, rug_boxcount_result *result, uint64_t odd)
{
    rugi_task_fn boxes = h->is_wide ? box_task_u128 : box_task_u64;
    rugi_key_layout layout;
    rugi_key_counts counts, black;
    rugi_hou_box_layout(&layout, &h->cells->range, odd);
    h->box_size = odd;
    h->box_layout = &layout;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.2, status,
               rugi_parallel_for_timed(h->ctx, h->n_tasks, boxes, h, h->seconds));
    RUGI_PHASE(h->ctx, 0.2, 0.7, status,
               sort_keys(h, h->scratch, h->third, h->n, layout.bits));
    RUGI_PHASE(h->ctx, 0.7, 0.8, status,
               scan_keys(h, &counts, h->scratch, h->n, &layout));
    RUGI_PHASE(h->ctx, 0.8, 1, status, scan_black(h, &black));
    if (status == RUG_OK)
        rugi_hou_fill_sizes(result, odd, &layout, counts.nonempty, black.full);
    return status;
}

static rug_status count_odd_sizes(rugi_hou *h, rug_boxcount_result *result)
{
    h->third = new_keys(h, h->n);
    rug_status status = h->third != NULL ? RUG_OK : RUG_E_NOMEM;
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        uint64_t odd;
        double n_sizes = result->facts.n_sizes;
        if (rugi_hou_is_new_odd(result, i, &odd))
            RUGI_PHASE(h->ctx, i / n_sizes, (i + 1) / n_sizes, status,
                       count_odd(h, result, odd));
    }
    return status;
}

/* ---- The engine of the processor ---- */

static rug_status count_by_sort(rugi_hou *h, rugi_key_counts *out)
{
    h->keys = new_keys(h, h->n);
    h->scratch = new_keys(h, h->n);
    if (h->keys == NULL || h->scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.3, status, rugi_hou_encode(h));
    RUGI_PHASE(h->ctx, 0.3, 0.9, status,
               sort_keys(h, h->keys, h->scratch, h->n, h->layout->bits));
    RUGI_PHASE(h->ctx, 0.9, 1, status, scan_keys(h, out, h->keys, h->n, h->layout));
    return status;
}

/* Whether a bitmap is faster than the sort: it is cleared and read whole, once for each
 * thread. A large one, where setting bits misses the cache, takes no more memory than the
 * sort. */
static int plan_bitmap(rugi_hou *h)
{
    unsigned bits = h->layout->bits;
    if (bits > BITMAP_BITS_MAX)
        return 0;
    h->map_words = rugi_larger((size_t)(((uint64_t)1 << bits) / 64), RUGI_BITMAP_STEP);
    h->n_maps = (size_t)rugi_loop_threads(h->ctx, h->n_tasks);
    uint64_t all_words = (uint64_t)h->map_words * h->n_maps;
    return all_words / (all_words <= SMALL_MAPS ? SMALL_MAP_WORDS : MAP_WORDS) <= h->n;
}

static rug_status count_by_bitmap(rugi_hou *h, rugi_key_counts *out)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.8, status, rugi_hou_set_bitmap(h));
    RUGI_PHASE(h->ctx, 0.8, 1, status,
               rugi_scan_bitmap(h->ctx, out, h->maps, h->n_maps, h->map_words,
                                asked_sets(h->layout), h->seconds));
    return status;
}

/* The keys of a bitmap, in order. */
static rug_status keys_of_bitmap(rugi_hou *h, size_t n)
{
    h->keys = new_keys(h, n);
    h->scratch = new_keys(h, n);
    if (h->keys == NULL || h->scratch == NULL)
        return RUG_E_NOMEM;
    uint64_t *key = h->keys;
    for (size_t w = 0; w < h->map_words; w++)
        for (uint64_t word = h->maps[w]; word != 0; word &= word - 1)
            *key++ = (uint64_t)w * 64 + (unsigned)__builtin_ctzll(word);
    rug_context_release(h->ctx, h->maps);
    h->maps = NULL;
    set_tasks(h, n);
    return RUG_OK;
}

static rug_status count(rugi_hou *h, rug_boxcount_result *result)
{
    rugi_key_counts counts;
    uint64_t odd;
    uint32_t first_odd = 0;
    while (first_odd < result->facts.n_sizes &&
           !rugi_hou_is_new_odd(result, first_odd, &odd))
        first_odd++;
    int only_twos = first_odd == result->facts.n_sizes, by_bitmap = plan_bitmap(h);
    double share = only_twos ? 1 : 0.3;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, share, status,
               by_bitmap ? count_by_bitmap(h, &counts) : count_by_sort(h, &counts));
    if (status == RUG_OK) {
        rugi_hou_fill_sizes(result, 1, h->layout, counts.nonempty, counts.full);
        result->facts.n_set = counts.nonempty[0];
    }
    if (only_twos || status != RUG_OK)
        return status;
    RUGI_PHASE(h->ctx, share, 0.4, status,
               by_bitmap ? keys_of_bitmap(h, (size_t)counts.nonempty[0])
                         : keep_distinct(h));
    RUGI_PHASE(h->ctx, 0.4, 1, status, count_odd_sizes(h, result));
    return status;
}

static void set_busy(const rugi_hou *h, rug_boxcount_result *result)
{
    result->facts.busy_least = result->facts.busy_most = h->seconds[0];
    for (int t = 1; t < rug_context_threads(h->ctx); t++) {
        if (h->seconds[t] < result->facts.busy_least)
            result->facts.busy_least = h->seconds[t];
        if (h->seconds[t] > result->facts.busy_most)
            result->facts.busy_most = h->seconds[t];
    }
}

static rug_status count_with_memory(rugi_hou *h, rug_boxcount_result *result)
{
    size_t n_threads = (size_t)rug_context_threads(h->ctx);
    h->seconds = rug_context_allocate(h->ctx, n_threads, sizeof *h->seconds, "times");
    h->places = rug_context_allocate(h->ctx, n_threads * h->places_step,
                                     sizeof *h->places, "cells of a block");
    if (h->seconds == NULL || h->places == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n_threads; t++)
        h->seconds[t] = 0;
    rug_status status = count(h, result);
    if (status != RUG_OK)
        return status;
    set_busy(h, result);
    return rug_context_step(h->ctx, 1);
}

rug_status rugi_boxcount_hou_cpu(rug_context *ctx, void *job)
{
    const rugi_hou_call *call = job;
    const rugi_cells *cells = call->cells;
    call->result->facts.engine = "cpu";
    if (cells->n == 0)
        return RUG_OK;
    if (cells->n > PTRDIFF_MAX / sizeof(rugi_u128))
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%llu pixels or lattice cells do not fit in memory",
                                (unsigned long long)cells->n);
    rugi_hou h = {.ctx = ctx,
                  .cells = cells,
                  .layout = call->layout,
                  .kernels = rugi_key_kernels_choose(ctx),
                  .is_wide = call->layout->bits > 64,
                  .places_step = (size_t)call->layout->axes * RUGI_CELLS_BLOCK};
    set_tasks(&h, (size_t)cells->n);
    rug_status status = count_with_memory(&h, call->result);
    rug_context_release(ctx, h.maps);
    rug_context_release(ctx, h.third);
    rug_context_release(ctx, h.scratch);
    rug_context_release(ctx, h.keys);
    rug_context_release(ctx, h.places);
    rug_context_release(ctx, h.seconds);
    return status;
}
