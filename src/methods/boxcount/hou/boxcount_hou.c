/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU (Hou, Gilmore, Mindlin and Solari 1990): the keys of all cells, sorted
 * or set in a bitmap, give the boxes of every size that is a power of two at once. A size
 * o * 2^m, o odd, is the size 2^m of the boxes of size o. Work is handed out by equal
 * numbers of cells, wherever they lie. */

#include "boxcount/opencl/boxcount_hou_device.h"
#include "boxcount_hou_job.h"
#include "core/context/engine.h"
#include "core/context/threads.h"
#include <string.h>

/* Cells of a task. */
#define TASK_CELLS ((size_t)1 << 14)

/* Keys of more bits than this never go to a bitmap: a gigabyte. */
#define BITMAP_BITS_MAX 33

/* Words of bitmaps for each cell at which they are as fast as the sort; small are 64
 * MB, those of all threads together. */
#define MAP_WORDS       2
#define SMALL_MAP_WORDS 8
#define SMALL_MAPS      ((size_t)8 << 20)

size_t rugi_hou_first_block(const rugi_hou *h, size_t n_tasks, size_t task)
{
    uint64_t wanted = rugi_share_begin((size_t)h->cells->n, n_tasks, task);
    size_t low = 0, high = h->cells->n_blocks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rugi_cells_before(h->cells, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_plain(const rugi_hou *h)
{
    return h->kernels.of_points_u64 != NULL && h->cells->plain != NULL &&
           h->layout->axes <= RUGI_PLAIN_AXES;
}

static size_t block_cells(const rugi_hou *h, size_t block)
{
    return (size_t)(rugi_cells_before(h->cells, block + 1) -
                    rugi_cells_before(h->cells, block));
}

static const uint64_t *load_places(const rugi_hou *h, size_t block, int thread)
{
    uint64_t *places = h->places + (size_t)thread * h->places_step;
    h->cells->load(h->cells->user, block, places);
    return places;
}

size_t rugi_hou_keys_u64(const rugi_hou *h, size_t block, int thread, uint64_t *keys)
{
    size_t n = block_cells(h, block);
    if (is_plain(h))
        h->kernels.of_points_u64(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
    else if (n > 0)
        h->kernels.encode_u64(h->layout, load_places(h, block, thread), n, keys);
    return n;
}

size_t rugi_hou_keys_u32(const rugi_hou *h, size_t block, int thread, uint32_t *keys)
{
    uint64_t wide[RUGI_CELLS_BLOCK];
    size_t n = block_cells(h, block);
    if (is_plain(h)) {
        h->kernels.of_points_u32(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
        return n;
    }
    rugi_hou_keys_u64(h, block, thread, wide);
    for (size_t i = 0; i < n; i++)
        keys[i] = (uint32_t)wide[i];
    return n;
}

static size_t keys_u128(const rugi_hou *h, size_t block, int thread, rugi_u128 *keys)
{
    size_t n = block_cells(h, block);
    if (n > 0)
        h->kernels.encode_u128(h->layout, load_places(h, block, thread), n, keys);
    return n;
}

/* The keys of the cells of some blocks. */
#define DEFINE_ENCODE_TASK(name, KEY, keys_of_block)                     \
    static void name(void *shared, size_t task, int thread)              \
    {                                                                    \
        const rugi_hou *h = shared;                                      \
        size_t block = rugi_hou_first_block(h, h->n_tasks, task);        \
        size_t end = rugi_hou_first_block(h, h->n_tasks, task + 1);      \
        KEY *keys = (KEY *)h->keys + rugi_cells_before(h->cells, block); \
        for (; block < end; block++)                                     \
            keys += keys_of_block(h, block, thread, keys);               \
    }

DEFINE_ENCODE_TASK(encode_task_u64, uint64_t, rugi_hou_keys_u64)
DEFINE_ENCODE_TASK(encode_task_u128, rugi_u128, keys_u128)

static size_t key_size(const rugi_hou *h)
{
    return h->is_wide ? sizeof(rugi_u128) : sizeof(uint64_t);
}

void *rugi_hou_new_keys(const rugi_hou *h, size_t n)
{
    return rug_context_allocate(h->ctx, n, key_size(h), "Morton keys");
}

void rugi_hou_set_tasks(rugi_hou *h, size_t n)
{
    h->n = n;
    h->n_tasks = n > 0 ? (n - 1) / TASK_CELLS + 1 : 1;
}

rug_status rugi_hou_sort(const rugi_hou *h, void *keys, void *scratch, size_t n,
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
rug_status rugi_hou_scan(const rugi_hou *h, rugi_key_counts *out, const void *keys,
                         size_t n, const rugi_key_layout *layout)
{
    unsigned axes = (unsigned)layout->axes;
    unsigned least = layout->box_bits[1] == axes ? axes : layout->bits;
    return h->is_wide
               ? rugi_scan_u128(h->ctx, out, keys, n, layout->bits, least, h->seconds)
               : rugi_scan_u64(h->ctx, out, keys, n, layout->bits, least,
                               asked_sets(layout), h->seconds);
}

static rug_status count_by_sort(rugi_hou *h, rugi_key_counts *out)
{
    rugi_task_fn encode = h->is_wide ? encode_task_u128 : encode_task_u64;
    h->keys = rugi_hou_new_keys(h, h->n);
    h->scratch = rugi_hou_new_keys(h, h->n);
    if (h->keys == NULL || h->scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.3, status,
               rugi_parallel_for_timed(h->ctx, h->n_tasks, encode, h, h->seconds));
    RUGI_PHASE(h, 0.3, 0.9, status,
               rugi_hou_sort(h, h->keys, h->scratch, h->n, h->layout->bits));
    RUGI_PHASE(h, 0.9, 1, status, rugi_hou_scan(h, out, h->keys, h->n, h->layout));
    return status;
}

static void clear_task(void *shared, size_t task, int thread)
{
    const rugi_hou *h = shared;
    (void)thread;
    memset(h->maps + task * h->map_words, 0, h->map_words * sizeof *h->maps);
}

static void set_task(void *shared, size_t task, int thread)
{
    const rugi_hou *h = shared;
    uint64_t *map = h->maps + (size_t)thread * h->map_words;
    size_t end = rugi_hou_first_block(h, h->n_tasks, task + 1);
    for (size_t b = rugi_hou_first_block(h, h->n_tasks, task); b < end; b++) {
        uint64_t keys[RUGI_CELLS_BLOCK];
        size_t n = rugi_hou_keys_u64(h, b, thread, keys);
        for (size_t i = 0; i < n; i++)
            map[keys[i] / 64] |= (uint64_t)1 << keys[i] % 64;
    }
}

static rug_status set_one_by_one(rugi_hou *h)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.1, status,
               rugi_parallel_for_timed(h->ctx, h->n_maps, clear_task, h, h->seconds));
    RUGI_PHASE(h, 0.1, 1, status,
               rugi_parallel_for_timed(h->ctx, h->n_tasks, set_task, h, h->seconds));
    return status;
}

static rug_status count_by_bitmap(rugi_hou *h, rugi_key_counts *out)
{
    int by_slices = rugi_hou_slices_pay(h);
    if (by_slices)
        h->n_maps = 1;
    h->maps = rug_context_allocate(h->ctx, h->n_maps * h->map_words, sizeof *h->maps,
                                   "bitmap of Morton keys");
    if (h->maps == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, 0.8, status,
               by_slices ? rugi_hou_set_by_slices(h) : set_one_by_one(h));
    RUGI_PHASE(h, 0.8, 1, status,
               rugi_scan_bitmap(h->ctx, out, h->maps, h->n_maps, h->map_words,
                                asked_sets(h->layout), h->seconds));
    return status;
}

/* The keys of a bitmap, in order. */
static rug_status keys_of_bitmap(rugi_hou *h, size_t n)
{
    h->keys = rugi_hou_new_keys(h, n);
    h->scratch = rugi_hou_new_keys(h, n);
    if (h->keys == NULL || h->scratch == NULL)
        return RUG_E_NOMEM;
    uint64_t *key = h->keys;
    for (size_t w = 0; w < h->map_words; w++)
        for (uint64_t word = h->maps[w]; word != 0; word &= word - 1)
            *key++ = w * 64 + (unsigned)__builtin_ctzll(word);
    rug_context_release(h->ctx, h->maps);
    h->maps = NULL;
    rugi_hou_set_tasks(h, n);
    return RUG_OK;
}

/* A bitmap must pay: it is cleared and read whole, once for each thread. A large one,
 * where setting bits misses the cache, takes no more memory than the sort. */
static int plan_bitmap(rugi_hou *h)
{
    unsigned bits = h->layout->bits;
    if (bits > BITMAP_BITS_MAX)
        return 0;
    size_t words = ((size_t)1 << bits) / 64, step = RUGI_BITMAP_STEP;
    h->map_words = words > step ? words : step;
    h->n_maps = (size_t)rugi_loop_threads(h->ctx, h->n_tasks);
    size_t all_words = h->map_words * h->n_maps;
    return all_words / (all_words <= SMALL_MAPS ? SMALL_MAP_WORDS : MAP_WORDS) <= h->n;
}

static rug_status count(rugi_hou *h, rug_boxcount_result *result)
{
    rugi_key_counts counts;
    uint64_t odd;
    uint32_t first_odd = 0;
    while (first_odd < result->n_sizes && !rugi_hou_is_new_odd(result, first_odd, &odd))
        first_odd++;
    int only_twos = first_odd == result->n_sizes, by_bitmap = plan_bitmap(h);
    double share = only_twos ? 1 : 0.3;
    rug_status status = RUG_OK;
    RUGI_PHASE(h, 0, share, status,
               by_bitmap ? count_by_bitmap(h, &counts) : count_by_sort(h, &counts));
    if (status == RUG_OK) {
        rugi_hou_fill_sizes(result, 1, h->layout, counts.nonempty, counts.full);
        result->n_set = counts.nonempty[0];
    }
    if (only_twos || status != RUG_OK)
        return status;
    RUGI_PHASE(h, share, 0.4, status,
               by_bitmap ? keys_of_bitmap(h, (size_t)counts.nonempty[0])
                         : rugi_hou_keep_distinct(h));
    RUGI_PHASE(h, 0.4, 1, status, rugi_hou_count_odd_sizes(h, result));
    return status;
}

static void set_busy(const rugi_hou *h, rug_boxcount_result *result)
{
    result->busy_least = result->busy_most = h->seconds[0];
    for (int t = 1; t < rug_context_threads(h->ctx); t++) {
        if (h->seconds[t] < result->busy_least)
            result->busy_least = h->seconds[t];
        if (h->seconds[t] > result->busy_most)
            result->busy_most = h->seconds[t];
    }
}

static rug_status check_keys(rug_context *ctx, const rugi_key_layout *layout)
{
    if (layout->bits <= RUGI_KEY_BITS)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "cells whose coordinates on %d axes have %u bits together given (the first axis "
        "%u), at most %d expected; larger cells or fewer axes are needed",
        layout->axes, layout->bits, layout->n_bits[0], RUGI_KEY_BITS);
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

/* The engine of the processor. */
static rug_status count_here(rug_context *ctx, void *job)
{
    const rugi_hou_call *call = job;
    const rugi_cells *cells = call->cells;
    call->result->engine = "cpu";
    if (cells->n == 0)
        return RUG_OK;
    if (cells->n > PTRDIFF_MAX / sizeof(rugi_u128))
        return rug_context_fail(ctx, RUG_E_NOMEM, "%llu cells: more than memory holds",
                                (unsigned long long)cells->n);
    rugi_hou h = {.ctx = ctx,
                  .cells = cells,
                  .layout = call->layout,
                  .kernels = rugi_key_kernels_choose(ctx),
                  .is_wide = call->layout->bits > 64,
                  .places_step = (size_t)call->layout->axes * RUGI_CELLS_BLOCK};
    rugi_hou_set_tasks(&h, (size_t)cells->n);
    rug_status status = count_with_memory(&h, call->result);
    rug_context_release(ctx, h.maps);
    rug_context_release(ctx, h.third);
    rug_context_release(ctx, h.scratch);
    rug_context_release(ctx, h.keys);
    rug_context_release(ctx, h.places);
    rug_context_release(ctx, h.seconds);
    return status;
}

/* `auto` takes no device: cells take longer to get to a device than to be counted here. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_boxcount_hou_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, count_here, NULL},
};

rug_status rugi_boxcount_hou_cells(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_cells *cells)
{
    rugi_key_layout layout;
    rugi_hou_call call = {result, cells, &layout};
    rugi_key_layout_make(&layout, &cells->range);
    rug_status status = check_keys(ctx, &layout);
    if (status != RUG_OK)
        return status;
    result->n_set = 0;
    result->busy_least = result->busy_most = 0;
    for (uint32_t i = 0; i < result->n_sizes; i++)
        result->counts[i].nonempty = result->counts[i].black = 0;
    return rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &call);
}
