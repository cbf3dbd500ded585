/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lattice cells and their keys: the foreground of an image as cells, packed once and then
 * read word by word; the keys of cells, in an array or as bits of a bitmap.
 *
 * Setting the bits of keys in no order one by one would miss the cache each time. They
 * are dealt out first to slices of the bitmap that fit the second-level cache, and then
 * each slice is set at once. Keys of a slice lie in chunks, taken from the memory of each
 * part of the cells as they fill up, so that nobody has to count first. */

#include "boxcount_hou_job.h"
#include "boxcount_hou_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* ---- The foreground of an image as cells ---- */

/* Words of a block: all their cells may be set. */
#define BLOCK_WORDS (RUGI_CELLS_BLOCK / 64)

/* Blocks of a task that counts cells. */
#define TASK_BLOCKS 1024

static size_t block_words(const rugi_packed_cells *p, size_t block)
{
    return rugi_smaller(p->n_words - block * BLOCK_WORDS, BLOCK_WORDS);
}

static void load_block(const void *user, size_t block, uint64_t *places)
{
    const rugi_packed_cells *p = user;
    size_t w = block * BLOCK_WORDS, n = block_words(p, block), at = 0;
    size_t row = w / p->bits.row_words, column = w % p->bits.row_words;
    size_t y = row % p->bits.shape[1], z = row / p->bits.shape[1];
    uint64_t *out_x = places + (size_t)(p->bits.box_axes - 1) * RUGI_CELLS_BLOCK;
    uint64_t *out_y = out_x - RUGI_CELLS_BLOCK;
    uint64_t *out_z = p->bits.box_axes == 3 ? places : NULL;
    for (size_t i = 0; i < n; i++) {
        for (uint64_t word = p->bits.words[w + i]; word != 0; word &= word - 1) {
            out_x[at] = column * 64 + (unsigned)__builtin_ctzll(word);
            out_y[at] = y;
            if (out_z != NULL)
                out_z[at] = z;
            at++;
        }
        if (++column < p->bits.row_words)
            continue;
        column = 0;
        if (++y == p->bits.shape[1]) {
            y = 0;
            z++;
        }
    }
}

static void count_task(void *shared, size_t task, int thread)
{
    const rugi_packed_cells *p = shared;
    (void)thread;
    for (size_t b = task * TASK_BLOCKS;
         b < (task + 1) * TASK_BLOCKS && b < p->cells.n_blocks; b++) {
        const uint64_t *words = p->bits.words + b * BLOCK_WORDS;
        uint64_t n = 0;
        for (size_t i = 0; i < block_words(p, b); i++)
            n += rugi_bitmap_ones(words[i]);
        p->first[b + 1] = n;
    }
}

static rug_status count_blocks(rug_context *ctx, rugi_packed_cells *p)
{
    p->n_words = p->bits.shape[0] * p->bits.shape[1] * p->bits.row_words;
    p->cells.n_blocks = (p->n_words - 1) / BLOCK_WORDS + 1;
    p->first = rug_context_allocate(ctx, p->cells.n_blocks + 1, sizeof *p->first,
                                    "cells of blocks");
    if (p->first == NULL)
        return RUG_E_NOMEM;
    p->first[0] = 0;
    rug_status status =
        rugi_parallel_for(ctx, (p->cells.n_blocks - 1) / TASK_BLOCKS + 1, count_task, p);
    for (size_t b = 0; status == RUG_OK && b < p->cells.n_blocks; b++)
        p->first[b + 1] += p->first[b];
    return status;
}

static void describe(rugi_packed_cells *p)
{
    p->cells.n = p->first[p->cells.n_blocks];
    p->cells.first = p->first;
    p->cells.load = load_block;
    p->cells.user = p;
    p->cells.bits = &p->bits;
    p->cells.range.axes = p->bits.box_axes;
    for (int a = 0; a < p->bits.box_axes; a++)
        p->cells.range.most[a] = p->bits.shape[3 - p->bits.box_axes + a] - 1;
}

rug_status rugi_packed_cells_new(rug_context *ctx, rugi_packed_cells *out,
                                 const rug_image *image, const rugi_predicate *predicate)
{
    rug_status status = RUG_OK;
    memset(out, 0, sizeof *out);
    RUGI_PHASE(ctx, 0, 0.75, status,
               rugi_bits_of_image(ctx, &out->bits, image, predicate, "packed cells"));
    RUGI_PHASE(ctx, 0.75, 1, status, count_blocks(ctx, out));
    if (status == RUG_OK)
        describe(out);
    else
        rugi_packed_cells_free(ctx, out);
    return status;
}

/* ---- Keys of cells ---- */

/* The block at which a task's equal share of the cells begins. */
static size_t first_block(const rugi_hou *h, size_t n_tasks, size_t task)
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

/* The keys of a block's cells, 64 bits at most; of the next two, 32 and 128. Returns how
 * many. */
static size_t keys_u64(const rugi_hou *h, size_t block, int thread, uint64_t *keys)
{
    size_t n = block_cells(h, block);
    if (is_plain(h))
        h->kernels.of_points_u64(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
    else if (n > 0)
        h->kernels.encode_u64(h->layout, load_places(h, block, thread), n, keys);
    return n;
}

static size_t keys_u32(const rugi_hou *h, size_t block, int thread, uint32_t *keys)
{
    uint64_t wide[RUGI_CELLS_BLOCK];
    size_t n = block_cells(h, block);
    if (is_plain(h)) {
        h->kernels.of_points_u32(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
        return n;
    }
    keys_u64(h, block, thread, wide);
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
        size_t block = first_block(h, h->n_tasks, task);                 \
        size_t end = first_block(h, h->n_tasks, task + 1);               \
        KEY *keys = (KEY *)h->keys + rugi_cells_before(h->cells, block); \
        for (; block < end; block++)                                     \
            keys += keys_of_block(h, block, thread, keys);               \
    }

DEFINE_ENCODE_TASK(encode_task_u64, uint64_t, keys_u64)
DEFINE_ENCODE_TASK(encode_task_u128, rugi_u128, keys_u128)

rug_status rugi_hou_encode(rugi_hou *h)
{
    return rugi_parallel_for_timed(h->ctx, h->n_tasks,
                                   h->is_wide ? encode_task_u128 : encode_task_u64, h,
                                   h->seconds);
}

/* ---- Bits of a bitmap, slice by slice ---- */

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

/* Blocks that are sampled, and one in how many of their neighbouring keys may lie in
 * different slices for keys to count as ordered. */
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
    size_t end = first_block(s->h, s->n_parts, part + 1);
    for (size_t b = first_block(s->h, s->n_parts, part); b < end; b++) {
        uint32_t keys[RUGI_CELLS_BLOCK];
        size_t n = keys_u32(s->h, b, thread, keys);
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
    s->n_parts = rugi_smaller(s->n_parts, 4 * n_threads);
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
        size_t n = keys_u32(h, block, 0, keys);
        n_keys += n;
        for (size_t i = 1; i < n; i++)
            n_jumps += (keys[i] ^ keys[i - 1]) >> s->bits != 0;
    }
    return n_jumps > n_keys / ORDER;
}

/* Whether keys are so many and in so little order that their bits are better set in
 * slices of the bitmap, one after the other. */
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

/* ---- Bits of a bitmap ---- */

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
    size_t end = first_block(h, h->n_tasks, task + 1);
    for (size_t b = first_block(h, h->n_tasks, task); b < end; b++) {
        uint64_t keys[RUGI_CELLS_BLOCK];
        size_t n = keys_u64(h, b, thread, keys);
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

rug_status rugi_hou_set_bitmap(rugi_hou *h)
{
    int by_slices = slices_pay(h);
    if (by_slices)
        h->n_maps = 1;
    h->maps = rug_context_allocate(h->ctx, h->n_maps * h->map_words, sizeof *h->maps,
                                   "bitmap of Morton keys");
    if (h->maps == NULL)
        return RUG_E_NOMEM;
    return by_slices ? set_by_slices(h) : set_one_by_one(h);
}
