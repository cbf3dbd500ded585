/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counts of an image in parts. Whole blocks of 64 pixels a side are counted at
 * once, by the same engine as a whole image: blocks begin at multiples of 64, so that all smaller
 * ones lie in them as they lie in the whole. Pixels of other blocks wait as they are. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/image/number.h"
#include "core/image/predicate.h"
#include "core/image/source_internal.h"
#include "dbc_parts_state.h"
#include "dbc_result.h"
#include <math.h>
#include <string.h>

/* ---- A box of whole blocks ---- */

/* Blocks on their way to an engine. */
typedef struct blocks_job {
    rug_dbc_parts *p;
    const size_t *first;    /* of the blocks, z y x */
    rug_image pixels, mask; /* 3D; mask.data NULL: none */
} blocks_job;

/* Without the axis z of an image. */
static rug_image as_image(const rug_image *view, int ndim)
{
    rug_image v = *view;
    if (ndim == 3)
        return v;
    v.ndim = 2;
    for (int a = 0; a < 2; a++) {
        v.shape[a] = view->shape[a + 1];
        v.stride[a] = view->stride[a + 1];
    }
    return v;
}

/* Keeps what was found of n blocks, and adds the counts. */
static rug_status take_blocks(rug_context *ctx, const blocks_job *b, rugi_dbc_job *job,
                              rugi_dbc_kept *kept)
{
    rug_dbc_parts *p = b->p;
    const size_t *n = job->plan->blocks; /* of an image: rows, 1, columns */
    const size_t n_zyx[3] = {p->ndim == 3 ? n[0] : 1, p->ndim == 3 ? n[1] : n[0], n[2]};
    rugi_box place;
    for (int a = 0; a < 3; a++) {
        place.first[a] = b->first[a];
        place.end[a] = b->first[a] + n_zyx[a];
    }
    for (size_t i = 0; i < job->plan->n_blocks; i++) {
        rugi_dbc_block block = job->blocks[i];
        int some = block.lo <= block.hi;
        kept[i] = (rugi_dbc_kept){some ? ~block.lo : 0, some ? block.hi : 0};
    }
    rugi_dbc_add_tallies(&p->tally, &job->tally);
    p->seen.n_pixels += job->seen.n_pixels;
    p->seen.n_left_out += job->seen.n_left_out;
    p->engine = job->engine;
    return rugi_sparse_put(ctx, &p->blocks, &place, kept);
}

static rug_status count_blocks(rug_context *ctx, const blocks_job *b)
{
    rug_dbc_parts *p = b->p;
    rug_image pixels = as_image(&b->pixels, p->ndim), mask = as_image(&b->mask, p->ndim);
    const rug_image *inside = b->mask.data != NULL ? &mask : NULL;
    const size_t *n = pixels.shape;
    const size_t layers[3] = {n[0], p->ndim == 3 ? n[1] : 1, n[p->ndim - 1]};
    rugi_dbc_plan plan = rugi_dbc_plan_of_blocks(&p->plan, layers);
    rugi_dbc_job job = {.plan = &plan};
    job.blocks =
        rug_context_allocate(ctx, plan.n_blocks, sizeof *job.blocks, "blocks of pixels");
    rugi_dbc_kept *kept =
        rug_context_allocate(ctx, plan.n_blocks, sizeof *kept, "blocks of pixels");
    rug_status status = job.blocks != NULL && kept != NULL
                            ? rugi_dbc_add_slab(ctx, &job, &pixels, inside, 0)
                            : RUG_E_NOMEM;
    rugi_dbc_cpu_end(ctx, &job);
    if (status == RUG_OK)
        status = take_blocks(ctx, b, &job, kept);
    rug_context_release(ctx, kept);
    rug_context_release(ctx, job.blocks);
    return status;
}

/* ---- Blocks of a part ---- */

/* A part at work; bits are bytes. */
typedef struct part_job {
    rug_dbc_parts *p;
    const rugi_box *place;
    rug_image pixels, mask; /* 3D; mask.data NULL: none */
} part_job;

/* What a box has of an image of the part. */
static rug_image view_of(const part_job *j, const rug_image *image, const rugi_box *box)
{
    rug_image v = *image;
    if (image->data == NULL)
        return v;
    for (int a = 0; a < 3; a++) {
        size_t offset = box->first[a] - j->place->first[a];
        v.shape[a] = box->end[a] - box->first[a];
        v.data = (const char *)v.data + (ptrdiff_t)offset * v.stride[a];
    }
    return v;
}

static rug_status count_whole(rug_context *ctx, void *job, const rugi_box *blocks)
{
    const part_job *j = job;
    rugi_box inner = rugi_partial_blocks_pixels(&j->p->pixels, blocks);
    const blocks_job b = {j->p, blocks->first, view_of(j, &j->pixels, &inner),
                          view_of(j, &j->mask, &inner)};
    return count_blocks(ctx, &b);
}

static rug_status begin(rug_context *ctx, void *job, const rugi_box *rest)
{
    (void)ctx;
    (void)job;
    (void)rest;
    return RUG_OK;
}

/* Each row (z, y) of a block has 64 pixels. */
static void fill(void *job, uint64_t *words, const size_t first[3],
                 const rugi_box *pixels)
{
    const part_job *j = job;
    size_t size = rugi_dbc_pixel_bytes(j->p), x = pixels->first[2] - first[2];
    rug_image v = view_of(j, &j->pixels, pixels);
    for (size_t z = 0; z < v.shape[0]; z++)
        for (size_t y = 0; y < v.shape[1]; y++) {
            size_t row = ((z + pixels->first[0] - first[0]) << j->p->pixels.bits[1]) + y +
                         pixels->first[1] - first[1];
            rugi_gather((char *)words + (row * RUGI_DBC_BLOCK + x) * size,
                        rugi_image_row(&v, z, y), v.shape[2], v.stride[2], size);
        }
}

/* The rows of a block as a view. */
static rug_image view_of_words(const rugi_partial_blocks *blocks, const size_t at[3],
                               const uint64_t *words, rug_dtype dtype)
{
    const rugi_box one = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    rugi_box box = rugi_partial_blocks_pixels(blocks, &one);
    rug_image v = {.data = words, .dtype = dtype, .ndim = 3};
    for (int a = 0; a < 3; a++)
        v.shape[a] = box.end[a] - box.first[a];
    size_t size = rug_dtype_size(dtype); /* 0 of bits */
    v.stride[2] = (ptrdiff_t)size;
    v.stride[1] = (ptrdiff_t)(size > 0 ? RUGI_DBC_BLOCK * size : sizeof *words);
    v.stride[0] = v.stride[1] << blocks->bits[1];
    return v;
}

/* Checks the pixels, which may be those of a state that somebody made up. */
static rug_status check_range(rug_context *ctx, const rug_dbc_parts *p,
                              const rug_image *pixels, const rug_image *mask)
{
    rug_source source = rugi_source_of_image(pixels), inside;
    if (mask->data != NULL)
        inside = rugi_source_of_image(mask);
    return rugi_dbc_check_range(ctx, &p->plan, &source,
                                mask->data != NULL ? &inside : NULL);
}

/* A block has become whole, and with it that of the mask. */
static rug_status count(rug_context *ctx, void *job, const size_t at[3], uint64_t *words)
{
    static const uint64_t none[RUGI_DBC_BLOCK * RUGI_DBC_BLOCK]; /* nothing is inside */
    rug_dbc_parts *p = ((const part_job *)job)->p;
    size_t block = rugi_sparse_tile(&p->inside.waiting, at);
    rug_dtype dtype = rugi_segment_dtype(p->dtype);
    blocks_job b = {
        .p = p, .first = at, .pixels = view_of_words(&p->pixels, at, words, dtype)};
    if (p->opts.mask != NULL) {
        uint64_t *inside = rugi_sparse_find(&p->inside.waiting, block);
        if (inside != NULL)
            rugi_turn_words(inside, (size_t)1 << (p->inside.bits[0] + p->inside.bits[1]));
        b.mask = view_of_words(&p->inside, at, inside != NULL ? inside : none, RUG_BIT);
    }
    rug_status status = check_range(ctx, p, &b.pixels, &b.mask);
    if (status == RUG_OK)
        status = count_blocks(ctx, &b);
    rugi_sparse_close(ctx, &p->inside.waiting, block);
    return status;
}

static const rugi_block_counter counter = {count_whole, begin, fill, count};

/* ---- Blocks of a mask, which wait as long as those of the pixels ---- */

static rug_status leave_whole(rug_context *ctx, void *job, const rugi_box *blocks)
{
    (void)ctx;
    (void)job;
    (void)blocks;
    return RUG_OK;
}

static void fill_mask(void *job, uint64_t *words, const size_t first[3],
                      const rugi_box *pixels)
{
    const part_job *j = job;
    uint64_t scratch[RUGI_DBC_BLOCK];
    uint8_t flags[RUGI_DBC_BLOCK];
    const size_t *from = j->place->first;
    size_t n = pixels->end[2] - pixels->first[2], x = pixels->first[2] - first[2];
    for (size_t z = pixels->first[0]; z < pixels->end[0]; z++)
        for (size_t y = pixels->first[1]; y < pixels->end[1]; y++) {
            const size_t at[3] = {z - from[0], y - from[1], pixels->first[2] - from[2]};
            size_t row = ((z - first[0]) << j->p->inside.bits[1]) + y - first[1];
            rugi_mask_flags(&j->mask, at, n, flags, scratch);
            for (size_t i = 0; i < n; i++)
                words[row] |= (uint64_t)flags[i] << (x + i);
        }
}

static const rugi_block_counter mask_keeper = {leave_whole, begin, fill_mask, NULL};

/* ---- Begin and end ---- */

static void begin_blocks(rug_dbc_parts *p)
{
    unsigned bits[3] = {0, 0, RUGI_DBC_BLOCK_LEVEL};
    for (int a = 0; a < 2; a++)
        while (bits[a] < RUGI_DBC_BLOCK_LEVEL && (size_t)1 << bits[a] < p->shape[a])
            bits[a]++;
    size_t n_rows = (size_t)1 << (bits[0] + bits[1]);
    rugi_partial_blocks_begin(
        &p->pixels, p->shape, bits,
        n_rows * RUGI_DBC_BLOCK * rugi_dbc_pixel_bytes(p) / sizeof(uint64_t), &p->cover);
    p->pixels.keeps_zeros = 1;
    rugi_partial_blocks_begin(&p->inside, p->shape, bits, n_rows, &p->cover);
    rugi_sparse_begin(&p->blocks, p->pixels.n_blocks, 4, sizeof(rugi_dbc_kept));
}

static rug_status make_plan(rug_context *ctx, rug_dbc_parts *p,
                            const rug_image_range *given)
{
    rug_source source = RUG_SOURCE_INIT; /* what a plan needs of it */
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    source.dtype = p->dtype;
    source.ndim = p->ndim;
    memcpy(source.shape, p->shape + 3 - p->ndim, (size_t)p->ndim * sizeof *p->shape);
    range.min = range.max = NAN;
    rug_status status = RUGI_TAKE(ctx, &range, given, "rug_image_range");
    if (status == RUG_OK)
        status =
            rugi_dbc_plan_make(ctx, &p->plan, &source, p->opts.mask, &p->opts, &range);
    if (status == RUG_OK && p->plan.has_range && given == NULL)
        status =
            rug_context_fail(ctx, RUG_E_ARG,
                             "grey values of %s in parts: no range given, that of the "
                             "whole image expected",
                             rug_dtype_name(p->dtype));
    if (!p->plan.has_range)
        range = (rug_image_range)RUG_IMAGE_RANGE_INIT;
    p->range.min = range.min + 0.0; /* -0 is 0 */
    p->range.max = range.max + 0.0;
    p->range.min_rest = range.min_rest;
    p->range.max_rest = range.max_rest;
    return status;
}

int rug_dbc_must_know_range(rug_dtype dtype, const rug_dbc_options *opts)
{
    rug_dbc_options o;
    return (unsigned)dtype < RUG_N_DTYPES && rugi_dbc_take(NULL, &o, opts) == RUG_OK &&
           rugi_dbc_needs_range(dtype, &o);
}

rug_status rug_dbc_parts_new(rug_context *ctx, rug_dbc_parts **out, rug_dtype dtype,
                             int ndim, const size_t *shape, const rug_dbc_options *opts,
                             const rug_image_range *range)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_parts_new: NULL given");
    rug_dbc_options o;
    rug_status status = rugi_dbc_take(ctx, &o, opts);
    if (status == RUG_OK && (unsigned)dtype >= RUG_N_DTYPES)
        status = rug_context_fail(ctx, RUG_E_ARG,
                                  "grey values of dtype %d given, 0..%d expected",
                                  (int)dtype, RUG_N_DTYPES - 1);
    if (status == RUG_OK)
        status = rugi_shape_check(ctx, ndim, shape);
    if (status != RUG_OK)
        return status;
    rug_dbc_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "count in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = o;
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    begin_blocks(p);
    status = make_plan(ctx, p, range);
    if (status == RUG_OK)
        *out = p;
    else
        rug_dbc_parts_free(p);
    return status;
}

void rug_dbc_parts_free(rug_dbc_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_partial_blocks_free(p->ctx, &p->pixels);
    rugi_partial_blocks_free(p->ctx, &p->inside);
    rugi_sparse_free(p->ctx, &p->blocks);
    rug_context_release(p->ctx, p);
}

/* ---- Parts ---- */

/* Bits as bytes, which boxes can begin at.
 * @param block  to be released; NULL where nothing was copied */
static rug_status unpack(rug_context *ctx, rug_image *v, uint8_t **block)
{
    *block = NULL;
    if (v->data == NULL || v->dtype != RUG_BIT)
        return RUG_OK;
    const size_t *n = v->shape;
    uint8_t *to = rug_context_allocate(ctx, n[0] * n[1] * n[2], 1, "unpacked pixels");
    if (to == NULL)
        return RUG_E_NOMEM;
    *block = to;
    for (size_t row = 0; row < n[0] * n[1]; row++) {
        const uint8_t *from = rugi_image_row(v, row / n[1], row % n[1]);
        for (size_t x = 0; x < n[2]; x++)
            *to++ = from[x / 8] >> x % 8 & 1;
    }
    return rug_image_view(ctx, v, *block, RUG_U8, 3, (const size_t[3]){n[0], n[1], n[2]});
}

static rug_status add_blocks(rug_context *ctx, part_job *j)
{
    uint8_t *blocks[2];
    rug_status status = unpack(ctx, &j->pixels, &blocks[0]);
    rug_status mask_status = unpack(ctx, &j->mask, &blocks[1]);
    if (status == RUG_OK)
        status = mask_status;
    if (status == RUG_OK && j->mask.data != NULL)
        status = rugi_partial_blocks_add(ctx, &j->p->inside, j->place, &mask_keeper, j);
    if (status == RUG_OK)
        status = rugi_partial_blocks_add(ctx, &j->p->pixels, j->place, &counter, j);
    rug_context_release(ctx, blocks[0]);
    rug_context_release(ctx, blocks[1]);
    return status;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.3

rug_status rug_dbc_parts_add(rug_context *ctx, rug_dbc_parts *p, const rug_image *part,
                             const rug_image *mask, const size_t *first)
{
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_parts_add: NULL given");
    rugi_box place;
    rug_status status = rugi_part_check(ctx, &place, p->ndim, p->shape, part, mask,
                                        p->opts.mask != NULL, first);
    if (status == RUG_OK && part->dtype != p->dtype)
        status = rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                  rug_dtype_name(part->dtype), rug_dtype_name(p->dtype));
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, place);
    if (status != RUG_OK)
        return status;
    part_job j = {.p = p, .place = &place, .pixels = rugi_image_with_z(part)};
    if (mask != NULL)
        j.mask = rugi_image_with_z(mask);
    RUGI_WORK(ctx, PIXEL_WORK * (double)rugi_box_pixels(&place), status,
              check_range(ctx, p, &j.pixels, &j.mask));
    RUGI_WORK(ctx, PIXEL_WORK * (double)rugi_box_pixels(&place), status,
              add_blocks(ctx, &j));
    if (status == RUG_OK && p->engine != NULL)
        rugi_context_set_engine(ctx, p->engine);
    return status;
}

static rug_status check_value(rug_context *ctx, const char *what, double given,
                              int64_t given_rest, double expected, int64_t expected_rest)
{
    char a[RUGI_REAL_TEXT_MAX], b[RUGI_REAL_TEXT_MAX];
    rugi_format_exact(a, given, given_rest);
    rugi_format_exact(b, expected, expected_rest);
    return strcmp(a, b) != 0 ? rugi_parts_differ(ctx, what, a, b) : RUG_OK;
}

/* Whether both are of the same image, counted in the same way. */
static rug_status check_match(rug_context *ctx, const rug_dbc_parts *a,
                              const rug_dbc_parts *b)
{
    static const rug_foreground none = {RUG_FOREGROUND_NONZERO, 0, 0};
    const rugi_parts_whole given = {a->ndim, a->shape, a->opts.mask != NULL, none},
                           expected = {b->ndim, b->shape, b->opts.mask != NULL, none};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && a->dtype != b->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(a->dtype),
                                   rug_dtype_name(b->dtype));
    if (status == RUG_OK && a->opts.values != b->opts.values)
        status = rugi_parts_differ(ctx, "values", rug_dtype_name(a->opts.values),
                                   rug_dtype_name(b->opts.values));
    if (status == RUG_OK && a->opts.anchor != b->opts.anchor)
        status = rugi_parts_differ(ctx, "anchor", rug_dbc_anchor_name(a->opts.anchor),
                                   rug_dbc_anchor_name(b->opts.anchor));
    if (status == RUG_OK)
        status = check_value(ctx, "grey levels", a->opts.levels, 0, b->opts.levels, 0);
    if (status == RUG_OK)
        status = check_value(ctx, "least value", a->range.min, a->range.min_rest,
                             b->range.min, b->range.min_rest);
    return status == RUG_OK
               ? check_value(ctx, "largest value", a->range.max, a->range.max_rest,
                             b->range.max, b->range.max_rest)
               : status;
}

rug_status rug_dbc_merge(rug_context *ctx, rug_dbc_parts *p, const rug_dbc_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_merge: NULL given");
    part_job j = {.p = p};
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    rugi_dbc_add_tallies(&p->tally, &other->tally);
    p->seen.n_pixels += other->seen.n_pixels;
    p->seen.n_left_out += other->seen.n_left_out;
    p->engine = other->engine != NULL ? other->engine : p->engine;
    status = rugi_sparse_merge(ctx, &p->blocks, &other->blocks);
    if (status == RUG_OK)
        status =
            rugi_partial_blocks_merge(ctx, &p->inside, &other->inside, &mask_keeper, &j);
    return status == RUG_OK
               ? rugi_partial_blocks_merge(ctx, &p->pixels, &other->pixels, &counter, &j)
               : status;
}

/* ---- The result ---- */

/* Those of all parts, as of one run here. */
static rug_status finish(rug_context *ctx, rug_dbc_result *result, const rug_dbc_parts *p)
{
    size_t n = p->plan.n_blocks;
    rugi_dbc_kernels kernels;
    rugi_dbc_job job = {
        .plan = &p->plan, .tally = p->tally, .seen = p->seen, .engine = p->engine};
    rugi_dbc_kept *kept = rug_context_allocate(ctx, n, sizeof *kept, "blocks of pixels");
    job.blocks = rug_context_allocate(ctx, n, sizeof *job.blocks, "blocks of pixels");
    rug_status status = kept != NULL && job.blocks != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK) {
        rugi_sparse_get(&p->blocks, kept);
        for (size_t i = 0; i < n; i++)
            job.blocks[i] = (rugi_dbc_block){~kept[i].not_lo, kept[i].hi};
        rugi_dbc_set_kernels(&kernels, rug_context_cpu_level(ctx));
        if (job.engine == NULL)
            job.engine = kernels.name;
        status = rugi_dbc_fill(ctx, result, &job, p->ndim, p->shape + 3 - p->ndim);
    }
    rug_context_release(ctx, job.blocks);
    rug_context_release(ctx, kept);
    return status;
}

rug_status rug_dbc_parts_finish(rug_context *ctx, rug_dbc_result **out,
                                const rug_dbc_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_parts_finish: NULL given");
    rug_status status =
        rugi_cover_check_whole(ctx, &p->cover, p->shape, "differential box counting");
    if (status != RUG_OK)
        return status;
    rug_dbc_result *result =
        rugi_allocate_zeros(ctx, 1, sizeof *result, "counts of grey boxes");
    if (result == NULL)
        return RUG_E_NOMEM;
    result->ctx = ctx;
    status = finish(ctx, result, p);
    if (status == RUG_OK) {
        rugi_context_set_engine(ctx, result->facts.engine);
        *out = result;
    } else {
        rug_dbc_free(result);
    }
    return status;
}
