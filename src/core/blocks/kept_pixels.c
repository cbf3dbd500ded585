/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to blocks that are never whole enough to go, and blocks to the layers of a source. */

#include "kept_pixels.h"
#include "core/image/image_internal.h"
#include "core/image/mass.h"
#include "core/image/source_internal.h"
#include <string.h>

/* ---- Pixels to blocks ---- */

/* Layers, rows and pixels of a row in a block, as powers of two, at most. */
static const unsigned most_bits[3] = {3, 5, 6};

void rugi_kept_begin(rugi_kept *kept, const size_t shape[3], size_t n_bytes,
                     const rugi_cover *cover)
{
    unsigned bits[3] = {0, 0, most_bits[2]};
    for (int a = 0; a < 2; a++)
        while (bits[a] < most_bits[a] && (size_t)1 << bits[a] < shape[a])
            bits[a]++;
    size_t n_rows = (size_t)1 << (bits[0] + bits[1]);
    kept->n_bytes = n_bytes;
    rugi_partial_blocks_begin(&kept->blocks, shape, bits,
                              n_rows * (n_bytes > 0 ? 8 * n_bytes : 1), cover);
}

/* An image at work. */
typedef struct part_job {
    const rugi_partial_blocks *blocks;
    const rugi_box *place;
    rug_image pixels; /* 3D */
    rugi_mass mass;   /* of bits */
    size_t n_bytes;   /* of a pixel; 0: a bit */
} part_job;

static rug_status begin(rug_context *ctx, void *job, const rugi_box *rest)
{
    (void)ctx;
    (void)job;
    (void)rest;
    return RUG_OK;
}

/* A row of a block: a word of bits, or 64 pixels. */
static void fill_row(const part_job *j, uint64_t *words, const size_t at[3], size_t x,
                     size_t n)
{
    uint64_t scratch[64], masses[64];
    const void *pixels = rugi_image_segment(&j->pixels, at, n, scratch);
    if (j->n_bytes > 0) {
        memcpy((char *)words + x * j->n_bytes, pixels, n * j->n_bytes);
        return;
    }
    rugi_mass_of_pixels(&j->mass, masses, pixels, n, NULL);
    for (size_t i = 0; i < n; i++)
        words[0] |= masses[i] << (x + i);
}

static void fill(void *job, uint64_t *words, const size_t first[3],
                 const rugi_box *pixels)
{
    const part_job *j = job;
    const rugi_box *place = j->place;
    size_t row_words = j->n_bytes > 0 ? 8 * j->n_bytes : 1;
    size_t n = pixels->end[2] - pixels->first[2], x = pixels->first[2] - first[2];
    for (size_t z = pixels->first[0]; z < pixels->end[0]; z++)
        for (size_t y = pixels->first[1]; y < pixels->end[1]; y++) {
            const size_t at[3] = {z - place->first[0], y - place->first[1],
                                  pixels->first[2] - place->first[2]};
            size_t row = ((z - first[0]) << j->blocks->bits[1]) + y - first[1];
            fill_row(j, words + row * row_words, at, x, n);
        }
}

static const rugi_block_counter keeper = {NULL, begin, fill, NULL};

rug_status rugi_kept_add(rug_context *ctx, rugi_kept *kept, const rugi_box *box,
                         const rug_image *image, const rugi_box *place,
                         rug_foreground rule)
{
    part_job j = {.blocks = &kept->blocks,
                  .place = place,
                  .pixels = rugi_image_with_z(image),
                  .mass = rugi_mass_make(image->dtype, 1, rule, 0),
                  .n_bytes = kept->n_bytes};
    return rugi_partial_blocks_add(ctx, &kept->blocks, box, &keeper, &j);
}

rug_status rugi_kept_merge(rug_context *ctx, rugi_kept *kept, const rugi_kept *other)
{
    return rugi_partial_blocks_merge(ctx, &kept->blocks, &other->blocks, &keeper, NULL);
}

rug_status rugi_kept_check_whole(rug_context *ctx, const rugi_kept *kept,
                                 const char *what)
{
    const rugi_cover *cover = kept->blocks.cover;
    size_t n_bytes = kept->n_bytes > 0 ? kept->n_bytes : 1;
    rug_status status = rugi_cover_check_whole(ctx, cover, kept->blocks.shape, what);
    if (status == RUG_OK && cover->n_pixels > (uint64_t)PTRDIFF_MAX / n_bytes)
        status = rug_context_fail(
            ctx, RUG_E_NOMEM, "%s: %llu pixels of %zu bytes do not fit the address space",
            what, (unsigned long long)cover->n_pixels, n_bytes);
    return status;
}

/* ---- Blocks to a source ---- */

/* Copies n pixels of a row of a block. */
static void copy_row(const rugi_kept_reader *r, char *to, const uint64_t *words, size_t n)
{
    if (r->kept->n_bytes > 0)
        memcpy(to, words, n * r->kept->n_bytes);
    else
        for (size_t i = 0; i < (n + 7) / 8; i++)
            to[i] = (char)(words[0] >> 8 * i & 255);
}

/* Copies what a block has of a slab.
 * @param box    of the slab, z y x
 * @param block  its number */
static void copy_block(const rugi_kept_reader *r, const rugi_box *box, size_t block,
                       const uint64_t *words)
{
    const rugi_partial_blocks *b = &r->kept->blocks;
    rugi_box all = rugi_partial_blocks_block(b, block), part;
    size_t row_words = r->kept->n_bytes > 0 ? 8 * r->kept->n_bytes : 1, nx = b->shape[2];
    size_t row_bytes = r->kept->n_bytes > 0 ? nx * r->kept->n_bytes : (nx + 7) / 8;
    size_t offset =
        r->kept->n_bytes > 0 ? all.first[2] * r->kept->n_bytes : all.first[2] / 8;
    size_t n_y = box->end[1] - box->first[1];
    if (!rugi_box_intersect(&part, &all, box))
        return;
    for (size_t z = part.first[0]; z < part.end[0]; z++)
        for (size_t y = part.first[1]; y < part.end[1]; y++) {
            size_t to = (z - box->first[0]) * n_y + y - box->first[1];
            size_t from = ((z - all.first[0]) << b->bits[1]) + y - all.first[1];
            copy_row(r, r->slab + to * row_bytes + offset, words + from * row_words,
                     part.end[2] - part.first[2]);
        }
}

static rug_status read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                              size_t n)
{
    rugi_kept_reader *r = user;
    const rugi_partial_blocks *b = &r->kept->blocks;
    size_t n_bytes = n * rugi_layer_bytes(&r->source), shape[RUG_MAX_AXES];
    int axis = r->source.ndim == 3 ? 0 : 1;
    rugi_box box = {{0, 0, 0}, {b->shape[0], b->shape[1], b->shape[2]}};
    box.first[axis] = first;
    box.end[axis] = first + n;
    memcpy(shape, r->source.shape, sizeof shape);
    shape[0] = n;
    if (n_bytes > r->capacity) {
        rug_context_release(r->ctx, r->slab);
        r->capacity = 0;
        r->slab = rug_context_allocate(r->ctx, n_bytes, 1, "slab of pixels");
        if (r->slab == NULL)
            return RUG_E_NOMEM;
        r->capacity = n_bytes;
    }
    memset(r->slab, 0, n_bytes);
    size_t at[3];
    for (at[0] = box.first[0] >> b->bits[0]; at[0] <= (box.end[0] - 1) >> b->bits[0];
         at[0]++)
        for (at[1] = box.first[1] >> b->bits[1]; at[1] <= (box.end[1] - 1) >> b->bits[1];
             at[1]++)
            for (at[2] = 0; at[2] < b->n_blocks[2]; at[2]++) {
                size_t block = rugi_sparse_tile(&b->waiting, at);
                const uint64_t *words = rugi_sparse_find(&b->waiting, block);
                if (words != NULL)
                    copy_block(r, &box, block, words);
            }
    return rug_image_view(ctx, out, r->slab, r->source.dtype, r->source.ndim, shape);
}

void rugi_kept_open(rug_context *ctx, rugi_kept_reader *r, const rugi_kept *kept,
                    rug_dtype dtype, int ndim)
{
    *r = (rugi_kept_reader){.kept = kept, .ctx = ctx};
    r->source = (rug_source)RUG_SOURCE_INIT;
    r->source.dtype = dtype;
    r->source.ndim = ndim;
    for (int a = 0; a < ndim; a++)
        r->source.shape[a] = kept->blocks.shape[3 - ndim + a];
    r->source.read = read_layers;
    r->source.user = r;
}
