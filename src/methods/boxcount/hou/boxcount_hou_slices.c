/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bitmap of keys in no order: setting their bits one by one would miss the cache each
 * time. Keys are dealt out first to slices of the bitmap that fit the second-level cache,
 * and then each slice is set at once. Keys of a slice lie in chunks, taken from the memory
 * of each part of the cells as they fill up, so that nobody has to count first. */

#include "boxcount_hou_job.h"
#include "core/context/threads.h"
#include <string.h>

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

static void set_task(void *shared, size_t slice, int thread)
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

int rugi_hou_slices_pay(const rugi_hou *h)
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
        h, 0, 0.6, status,
        rugi_parallel_for_timed(h->ctx, s->n_parts, deal_task, shared, h->seconds));
    RUGI_PHASE(
        h, 0.6, 1, status,
        rugi_parallel_for_timed(h->ctx, s->n_slices, set_task, shared, h->seconds));
    return status;
}

rug_status rugi_hou_set_by_slices(const rugi_hou *h)
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
