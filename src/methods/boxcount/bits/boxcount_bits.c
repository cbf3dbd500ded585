/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed pixels: made from an image by a predicate, row by row. */

#include "boxcount_bits.h"
#include "boxcount_pack.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Words of a row that are packed before they are moved to their place. */
#define CHUNK_WORDS  256
#define CHUNK_PIXELS ((size_t)CHUNK_WORDS * 64)

/* Pixels of a task of short rows. */
#define TASK_PIXELS ((size_t)1 << 18)

/* The number of words of pixels of a shape; 0 with an error text if an address cannot
 * count them. */
static size_t lay_out(rug_context *ctx, rugi_bits *bits, int ndim, const size_t *shape,
                      const char *what)
{
    bits->box_axes = ndim;
    bits->shape[0] = 1;
    for (int a = 0; a < ndim; a++)
        bits->shape[3 - ndim + a] = shape[a];
    bits->row_words =
        ((bits->shape[2] - 1) / 64 / RUGI_BITS_VECTOR + 1) * RUGI_BITS_VECTOR;
    if (bits->shape[0] <= SIZE_MAX / bits->shape[1]) {
        size_t n_rows = bits->shape[0] * bits->shape[1];
        if (n_rows <= (size_t)PTRDIFF_MAX / sizeof(uint64_t) / bits->row_words)
            return n_rows * bits->row_words;
    }
    rug_context_fail(ctx, RUG_E_NOMEM, "%s: more pixels than an address can count", what);
    return 0;
}

rug_status rugi_bits_renew(rug_context *ctx, rugi_bits *bits, size_t *n_held, int ndim,
                           const size_t *shape, const char *what)
{
    size_t n = lay_out(ctx, bits, ndim, shape, what);
    if (n == 0)
        return RUG_E_NOMEM;
    if (bits->words == NULL || n > *n_held) {
        rugi_bits_free(ctx, bits);
        *n_held = 0;
        bits->words = rug_context_allocate(ctx, n, sizeof *bits->words, what);
        if (bits->words == NULL)
            return RUG_E_NOMEM;
        *n_held = n;
    }
    memset(bits->words, 0, n * sizeof *bits->words);
    return RUG_OK;
}

void rugi_bits_free(rug_context *ctx, rugi_bits *bits)
{
    rug_context_release(ctx, bits->words);
    bits->words = NULL;
}

/* Packs n contiguous pixels. */
static void pack(uint64_t *words, const void *pixels, size_t n, rug_dtype dtype,
                 const rugi_pack_kernels *kernels, const rugi_predicate *p)
{
    size_t whole = n / 64, rest = n % 64, size = rug_dtype_size(dtype);
    kernels->pack[dtype](words, pixels, whole, p);
    if (rest == 0)
        return;
    char end[64 * sizeof(uint64_t)] = {0};
    const char *from = (const char *)pixels + (size > 0 ? whole * 64 * size : whole * 8);
    memcpy(end, from, size > 0 ? rest * size : (rest + 7) / 8);
    kernels->pack[dtype](words + whole, end, 1, p);
    words[whole] &= ((uint64_t)1 << rest) - 1; /* background may be foreground */
}

/* ORs n bits into a row, from bit x on. */
static void put_bits(uint64_t *row, size_t x, const uint64_t *words, size_t n)
{
    size_t n_words = (n + 63) / 64;
    unsigned shift = x % 64;
    row += x / 64;
    if (shift == 0)
        for (size_t i = 0; i < n_words; i++)
            row[i] |= words[i];
    else
        for (size_t i = 0; i < n_words; i++) {
            row[i] |= words[i] << shift;
            if (words[i] >> (64 - shift) > 0) /* there may be no next word */
                row[i + 1] |= words[i] >> (64 - shift);
        }
}

typedef struct packing {
    rugi_bits *bits;
    rug_image volume; /* in the axes of the bits */
    const rugi_predicate *predicate;
    const size_t *first;
    rugi_pack_kernels kernels;
    size_t n_rows, rows_per_task;
    uint64_t *scratch; /* pixels of a chunk, per thread */
} packing;

static void pack_row(const packing *p, size_t z, size_t y, uint64_t *scratch)
{
    const rug_image *v = &p->volume;
    const char *pixels = rugi_image_row(v, z, y);
    uint64_t *row = rugi_bits_row(p->bits, p->first[0] + z, p->first[1] + y);
    size_t size = rug_dtype_size(v->dtype);
    for (size_t x = 0; x < v->shape[2]; x += CHUNK_PIXELS) {
        uint64_t words[CHUNK_WORDS];
        size_t n = rugi_smaller(v->shape[2] - x, CHUNK_PIXELS);
        const void *from =
            size > 0 ? pixels + (ptrdiff_t)x * v->stride[2] : pixels + x / 8;
        if (size > 0 && v->stride[2] != (ptrdiff_t)size) {
            rugi_gather(scratch, from, n, v->stride[2], size);
            from = scratch;
        }
        pack(words, from, n, v->dtype, &p->kernels, p->predicate);
        put_bits(row, p->first[2] + x, words, n);
    }
}

/* A task has whole rows: tasks never share a word. */
static void pack_task(void *shared, size_t task, int thread)
{
    const packing *p = shared;
    size_t ny = p->volume.shape[1], row = task * p->rows_per_task;
    size_t n = rugi_smaller(p->n_rows - row, p->rows_per_task);
    for (size_t end = row + n; row < end; row++)
        pack_row(p, row / ny, row % ny, p->scratch + (size_t)thread * CHUNK_PIXELS);
}

/* Nanoseconds of work for each byte of pixels. */
#define BYTE_WORK 0.05

rug_status rugi_bits_add(rug_context *ctx, rugi_bits *bits, const rug_image *image,
                         const rugi_predicate *predicate, const size_t first[3])
{
    packing p = {.bits = bits,
                 .volume = rugi_image_with_z(image),
                 .predicate = predicate,
                 .first = first};
    rugi_pack_set_kernels(&p.kernels, rug_context_cpu_level(ctx));
    p.n_rows = p.volume.shape[0] * p.volume.shape[1];
    size_t n_pixels = p.volume.shape[2];
    p.rows_per_task = n_pixels < TASK_PIXELS ? TASK_PIXELS / n_pixels : 1;
    p.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     CHUNK_PIXELS * sizeof(uint64_t), "packed rows");
    if (p.scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    RUGI_WORK(
        ctx, BYTE_WORK * rugi_image_bytes(image), status,
        rugi_parallel_for(ctx, (p.n_rows - 1) / p.rows_per_task + 1, pack_task, &p));
    rug_context_release(ctx, p.scratch);
    return status;
}

rug_status rugi_bits_of_image(rug_context *ctx, rugi_bits *out, const rug_image *image,
                              const rugi_predicate *predicate, const char *what)
{
    static const size_t origin[3] = {0, 0, 0};
    rug_status status = rugi_bits_new(ctx, out, image->ndim, image->shape, what);
    return status == RUG_OK ? rugi_bits_add(ctx, out, image, predicate, origin) : status;
}

rug_status rugi_bits_of_mask(rug_context *ctx, rugi_bits *out, const rug_image *mask)
{
    rugi_predicate is_inside = rugi_predicate_of_mask(mask->dtype);
    return rugi_bits_of_image(ctx, out, mask, &is_inside, "packed mask");
}

/* n <= 64 bits of a row, from bit x on. */
static uint64_t take_bits(const uint64_t *row, size_t x, size_t n)
{
    unsigned shift = x % 64;
    uint64_t word = row[x / 64] >> shift;
    if (shift + n > 64)
        word |= row[x / 64 + 1] << (64 - shift);
    return n < 64 ? word & (((uint64_t)1 << n) - 1) : word;
}

void rugi_bits_add_run(rugi_bits *bits, const size_t to[3], const rugi_bits *from,
                       const size_t at[3], size_t n)
{
    uint64_t *row = rugi_bits_row(bits, to[0], to[1]);
    const uint64_t *source = rugi_bits_row(from, at[0], at[1]);
    for (size_t i = 0; i < n; i += 64) {
        size_t n_bits = rugi_smaller(n - i, 64);
        uint64_t word = take_bits(source, at[2] + i, n_bits);
        put_bits(row, to[2] + i, &word, n_bits);
    }
}

void rugi_bits_intersect(rugi_bits *bits, const rugi_bits *other)
{
    size_t n = bits->shape[0] * bits->shape[1] * bits->row_words;
    for (size_t i = 0; i < n; i++)
        bits->words[i] &= other->words[i];
}

rug_image rugi_bits_view(const rugi_bits *bits)
{
    rug_image v = {.data = bits->words, .dtype = RUG_BIT, .ndim = bits->box_axes};
    rugi_turn_words(bits->words, bits->shape[0] * bits->shape[1] * bits->row_words);
    size_t stride[3] = {bits->shape[1] * bits->row_words * 8, bits->row_words * 8, 0};
    for (int a = 0; a < v.ndim; a++) {
        v.shape[a] = bits->shape[3 - v.ndim + a];
        v.stride[a] = (ptrdiff_t)stride[3 - v.ndim + a];
    }
    return v;
}
