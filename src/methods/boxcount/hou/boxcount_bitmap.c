/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A bitmap of keys: whether it pays, how its bits are set, and all sizes from it.
 *
 * Setting the bits of keys in no order one by one would miss the cache each time. Keys are dealt out first to slices of the bitmap that fit the second-level cache,
 * and then each slice is set at once. Keys of a slice lie in chunks, taken from the memory
 * of each part of the cells as they fill up, so that nobody has to count first. */

#include "boxcount_hou_job.h"
#include "boxcount_hou_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* ---- Bits set slice by slice ---- */

/* Bits of the keys that lie in a slice: 256 KB. */
#define SLICE_BITS 21

/* The most slices: where the next key of each goes stays in the cache. */
#define SLICES_MAX ((size_t)512)

/* Keys of a chunk. */
#define CHUNK 1024

/* Keys of a slice ahead of the last one for which memory is fetched. */
#define FETCH_AHEAD 32

/* Chunks of a slice that may be filled in part: at both ends, and the next one. */
#define LOOSE_CHUNKS 3

/* Blocks that are looked at, and one in how many neighbours of them may be in different
 * slices for keys to count as ordered. */
#define SAMPLES   32
#define ORDER     8
#define NO_CHUNK  UINT32_MAX
#define WORD_BITS 64

typedef struct slices {
    const rugi_hou *h;
    unsigned bits; /* of keys in a slice */
    size_t n_slices, n_parts, part_chunks;
    uint32_t *keys;   /* [n_parts][part_chunks][CHUNK], and a chunk to fetch ahead */
    uint32_t *before; /* [n_parts][part_chunks]: the chunk of the slice before it */
    size_t *next;     /* [n_parts][n_slices]: where the next key goes */
} slices;

/* Slices begin at different places of their first chunks, or they would compete for the
 * same sets of the cache. */
static size_t first_place(size_t slice)
{
    return slice * 16 % CHUNK;
}

static void deal_task(void *shared, size_t part, int thread)
{
    const slices *s = shared;
    size_t *next = s->next + part * s->n_slices, n_chunks = part * s->part_chunks;
    for (size_t i = 0; i < s->n_slices; i++) {
        s->before[n_chunks] = NO_CHUNK;
        next[i] = n_chunks++ * CHUNK + first_place(i);
    }
    uint32_t *to = s->keys;
    unsigned bits = s->bits;
    size_t end = rugi_hou_first_block(s->h, s->n_parts, part + 1);
    for (size_t b = rugi_hou_first_block(s->h, s->n_parts, part); b < end; b++) {
        uint32_t keys[RUGI_CELLS_BLOCK];
        size_t n = rugi_hou_keys_u32(s->h, b, thread, keys);
        for (size_t i = 0; i < n; i++) {
            size_t slice = keys[i] >> bits, at = next[slice];
            to[at++] = keys[i];
            __builtin_prefetch(to + at + FETCH_AHEAD, 1);

            if (at % CHUNK == 0) {
                s->before[n_chunks] = (uint32_t)(at / CHUNK - 1);
                at = n_chunks++ * CHUNK;
            }
            next[slice] = at;
        }
    }
}

static void set_bits(uint64_t *map, const uint32_t *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        map[keys[i] / WORD_BITS] |= (uint64_t)1 << keys[i] % WORD_BITS;
}

static void set_slice_task(void *shared, size_t slice, int thread)
{
    const slices *s = shared;
    uint64_t *map = s->h->maps;
    size_t words = ((size_t)1 << s->bits) / WORD_BITS;
    (void)thread;
    memset(map + slice * words, 0, words * sizeof *map);
    for (size_t part = 0; part < s->n_parts; part++) {
        size_t at = s->next[part * s->n_slices + slice], n = at % CHUNK;
        uint32_t chunk = (uint32_t)(at / CHUNK), before = s->before[chunk];
        for (; before != NO_CHUNK; before = s->before[chunk]) {
            set_bits(map, s->keys + (size_t)chunk * CHUNK, n);
            n = CHUNK;
            chunk = before;
        }
        size_t first = first_place(slice);
        set_bits(map, s->keys + (size_t)chunk * CHUNK + first, n - first);
    }
}

/* Returns 0 when the cells are too few: the loose chunks take no more than the keys, and
 * with the bitmap no more than the sort, which are 16 bytes for each key. */
static int plan_slices(slices *s, const rugi_hou *h)
{
    unsigned bits = h->layout->bits;
    *s = (slices){.h = h, .bits = SLICE_BITS};
    if (bits <= SLICE_BITS || bits > 32 || h->map_words > h->n ||
        h->n / CHUNK >= NO_CHUNK / 4)
        return 0;
    while ((size_t)1 << (bits - s->bits) > SLICES_MAX)
        s->bits++;
    s->n_slices = (size_t)1 << (bits - s->bits);
    size_t loose = s->n_slices * LOOSE_CHUNKS,
           n_threads = (size_t)rug_context_threads(h->ctx);
    s->n_parts = h->n / (loose * CHUNK);
    if (s->n_parts < n_threads)
        return 0;
    s->n_parts = s->n_parts < 4 * n_threads ? s->n_parts : 4 * n_threads;
    s->part_chunks = (h->n / s->n_parts + 2 * RUGI_CELLS_BLOCK) / CHUNK + 1 + loose;
    return 1;
}

/* Whether neighbours are often in different slices. */
static int are_scattered(const slices *s)
{
    const rugi_hou *h = s->h;
    size_t n_keys = 0, n_jumps = 0;
    for (size_t k = 0; k < SAMPLES; k++) {
        uint32_t keys[RUGI_CELLS_BLOCK];
        size_t block = k * h->cells->n_blocks / SAMPLES;
        size_t n = rugi_hou_keys_u32(h, block, 0, keys);
        n_keys += n;
        for (size_t i = 1; i < n; i++)
            n_jumps += (keys[i] ^ keys[i - 1]) >> s->bits != 0;
    }
    return n_jumps > n_keys / ORDER;
}

/* Whether keys are so many and in so little order that their bits are better set in slices
 * of the bitmap, one after the other. */
static int slices_pay(const rugi_hou *h)
{
    slices s;
    return plan_slices(&s, h) && are_scattered(&s);
}

static rug_status deal_and_set(const slices *s)
{
    const rugi_hou *h = s->h;
    rug_status status = RUG_OK;
    void *shared = (void *)s;
    RUGI_PHASE(
        h->ctx, 0, 0.6, status,
        rugi_parallel_for_timed(h->ctx, s->n_parts, deal_task, shared, h->seconds));
    RUGI_PHASE(
        h->ctx, 0.6, 1, status,
        rugi_parallel_for_timed(h->ctx, s->n_slices, set_slice_task, shared, h->seconds));
    return status;
}

/* Clears the first bitmap and sets the bits of all cells in it. */
static rug_status set_by_slices(const rugi_hou *h)
{
    slices s;
    rug_status status = RUG_E_NOMEM;
    plan_slices(&s, h);
    size_t n_chunks = s.n_parts * s.part_chunks;
    s.keys = rug_context_allocate(h->ctx, n_chunks + 1, CHUNK * sizeof *s.keys,
                                  "keys of slices");
    s.before =
        rug_context_allocate(h->ctx, n_chunks, sizeof *s.before, "chunks of slices");
    s.next = rug_context_allocate(h->ctx, s.n_parts * s.n_slices, sizeof *s.next,
                                  "ends of slices");
    if (s.keys != NULL && s.before != NULL && s.next != NULL)
        status = deal_and_set(&s);
    rug_context_release(h->ctx, s.next);
    rug_context_release(h->ctx, s.before);
    rug_context_release(h->ctx, s.keys);
    return status;
}

/* ---- All sizes from a bitmap ----
 *
 * Words are folded to bits, 64 of them make a word of the next floor, and so on up to a
 * single one. */

/* Bits that a floor takes away. */
#define FLOOR_BITS 6

/* Groups of words of a task: 256 KB. */
#define TASK_GROUPS 512

typedef struct bitmap_scan {
    rugi_bitmap_kernels kernels;
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
    size_t left = s->n_words - first, most = TASK_GROUPS * RUGI_BITMAP_STEP;
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
    s->kernels.count(w);
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
        s->kernels.count(&w);
        add_floor(out, &w, bits);
        n = whole / RUGI_BITMAP_STEP;
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
    size_t n_groups = n_words / RUGI_BITMAP_STEP;
    size_t n_floor = groups_of(n_groups) * RUGI_BITMAP_STEP;
    size_t n_threads = (size_t)rug_context_threads(ctx);
    bitmap_scan s = {.maps = maps,
                     .n_maps = n_maps,
                     .n_words = n_words,
                     .asked = (unsigned)(asked & 0x7e)};
    rugi_bitmap_set_kernels(&s.kernels, rug_context_cpu_level(ctx));
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

/* ---- Counts of keys ---- */

/* Keys of more bits than this never go to a bitmap: a gigabyte. */
#define BITMAP_BITS_MAX 33

/* Words of bitmaps for each cell at which they are as fast as the sort; small are 64
 * MB, those of all threads together. */
#define MAP_WORDS       2
#define SMALL_MAP_WORDS 8
#define SMALL_MAPS      ((size_t)8 << 20)

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
    RUGI_PHASE(h->ctx, 0, 0.1, status,
               rugi_parallel_for_timed(h->ctx, h->n_maps, clear_task, h, h->seconds));
    RUGI_PHASE(h->ctx, 0.1, 1, status,
               rugi_parallel_for_timed(h->ctx, h->n_tasks, set_task, h, h->seconds));
    return status;
}

rug_status rugi_hou_count_by_bitmap(rugi_hou *h, rugi_key_counts *out)
{
    int by_slices = slices_pay(h);
    if (by_slices)
        h->n_maps = 1;
    h->maps = rug_context_allocate(h->ctx, h->n_maps * h->map_words, sizeof *h->maps,
                                   "bitmap of Morton keys");
    if (h->maps == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    RUGI_PHASE(h->ctx, 0, 0.8, status, by_slices ? set_by_slices(h) : set_one_by_one(h));
    RUGI_PHASE(h->ctx, 0.8, 1, status,
               rugi_scan_bitmap(h->ctx, out, h->maps, h->n_maps, h->map_words,
                                rugi_hou_asked_sets(h->layout), h->seconds));
    return status;
}

/* The bitmap is cleared and read whole, once for each thread. A large one, where setting bits
 * misses the cache, takes no more memory than the sort. */
int rugi_hou_plan_bitmap(rugi_hou *h)
{
    unsigned bits = h->layout->bits;
    if (bits > BITMAP_BITS_MAX)
        return 0;
    h->map_words = rugi_larger(((size_t)1 << bits) / 64, RUGI_BITMAP_STEP);
    h->n_maps = (size_t)rugi_loop_threads(h->ctx, h->n_tasks);
    size_t all_words = h->map_words * h->n_maps;
    return all_words / (all_words <= SMALL_MAPS ? SMALL_MAP_WORDS : MAP_WORDS) <= h->n;
}
