/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity of an image in parts. Pixels are kept in blocks: a bit each where a rule says which
 * are set, else as they are. A result reads them as a source. */

#include "core/blocks/partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/image/mass.h"
#include "core/image/source_internal.h"
#include "core/state/state.h"
#include "lacunarity_result.h"
#include <rugose/lacunarity_parts.h>
#include <stdint.h>
#include <string.h>

struct rug_lacunarity_parts {
    rug_context *ctx;
    rug_lacunarity_options opts; /* sizes: own; mask: only whether there is one */
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_partial_blocks pixels, inside; /* inside: of a mask, bits */
    uint64_t n_left_out;                /* bits only: NaN */
};

/* ---- Pixels to blocks ---- */

/* Layers, rows and pixels of a row in a block, as powers of two, at most. */
static const unsigned most_bits[3] = {3, 5, 6};

/* Whether pixels are kept as bits. */
static int is_binary(const rug_lacunarity_parts *p)
{
    return !p->opts.is_gray || p->dtype == RUG_BIT;
}

/* Bytes that are kept of a pixel; 0: a bit. */
static size_t pixel_bytes(const rug_lacunarity_parts *p)
{
    return is_binary(p) ? 0 : rug_dtype_size(p->dtype);
}

static void begin_blocks(rugi_partial_blocks *blocks, const size_t shape[3],
                         size_t n_bytes, const rugi_cover *cover)
{
    unsigned bits[3] = {0, 0, most_bits[2]};
    for (int a = 0; a < 2; a++)
        while (bits[a] < most_bits[a] && (size_t)1 << bits[a] < shape[a])
            bits[a]++;
    size_t n_rows = (size_t)1 << (bits[0] + bits[1]);
    rugi_partial_blocks_begin(blocks, shape, bits,
                              n_rows * (n_bytes > 0 ? 8 * n_bytes : 1), cover);
}

/* A part at work. */
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

static rug_status keep(rug_context *ctx, rugi_partial_blocks *blocks,
                       const rugi_box *place, const rug_image *image, rug_foreground rule,
                       size_t n_bytes)
{
    part_job j = {.blocks = blocks,
                  .place = place,
                  .pixels = rugi_image_with_z(image),
                  .mass = rugi_mass_make(image->dtype, 1, rule, 0),
                  .n_bytes = n_bytes};
    return rugi_partial_blocks_add(ctx, blocks, place, &keeper, &j);
}

/* The pixels of a part that are NaN, inside the mask. */
static uint64_t count_left_out(const rug_lacunarity_parts *p, const rug_image *part,
                               const rug_image *mask)
{
    enum { RUN = 1024 };
    uint64_t scratch[RUN], mask_scratch[RUN], n_left_out = 0;
    uint8_t flags[RUN];
    if (p->dtype < RUG_F32 || p->opts.is_gray)
        return 0;
    rug_image pixels = rugi_image_with_z(part), inside = {0};
    rugi_mass mass = rugi_mass_make(part->dtype, 1, p->opts.foreground, 0);
    if (mask != NULL)
        inside = rugi_image_with_z(mask);
    size_t at[3], n;
    for (at[0] = 0; at[0] < pixels.shape[0]; at[0]++)
        for (at[1] = 0; at[1] < pixels.shape[1]; at[1]++)
            for (at[2] = 0; at[2] < pixels.shape[2]; at[2] += n) {
                n = rugi_smaller(pixels.shape[2] - at[2], RUN);
                const uint8_t *in =
                    mask != NULL ? rugi_mask_flags(&inside, at, n, flags, mask_scratch)
                                 : NULL;
                n_left_out += rugi_mass_count_left_out(
                    &mass, rugi_image_segment(&pixels, at, n, scratch), n, in);
            }
    return n_left_out;
}

/* ---- Blocks to a source ---- */

/* Blocks as a source. */
typedef struct reader {
    const rugi_partial_blocks *blocks;
    size_t n_bytes; /* of a pixel; 0: a bit */
    rug_context *ctx;
    char *slab;
    size_t capacity;
    rug_source source;
} reader;

/* Copies n pixels of a row of a block. */
static void copy_row(const reader *r, char *to, const uint64_t *words, size_t n)
{
    if (r->n_bytes > 0)
        memcpy(to, words, n * r->n_bytes);
    else
        for (size_t i = 0; i < (n + 7) / 8; i++)
            to[i] = (char)(words[0] >> 8 * i & 255);
}

/* Copies what a block has of a slab.
 * @param box    of the slab, z y x
 * @param block  its number */
static void copy_block(const reader *r, const rugi_box *box, size_t block,
                       const uint64_t *words)
{
    const rugi_partial_blocks *b = r->blocks;
    rugi_box all = rugi_partial_blocks_block(b, block), part;
    size_t row_words = r->n_bytes > 0 ? 8 * r->n_bytes : 1, nx = b->shape[2];
    size_t row_bytes = r->n_bytes > 0 ? nx * r->n_bytes : (nx + 7) / 8;
    size_t offset = r->n_bytes > 0 ? all.first[2] * r->n_bytes : all.first[2] / 8;
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
    reader *r = user;
    const rugi_partial_blocks *b = r->blocks;
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

static void open_reader(rug_context *ctx, reader *r, const rug_lacunarity_parts *p,
                        const rugi_partial_blocks *blocks, size_t n_bytes)
{
    *r = (reader){.blocks = blocks, .n_bytes = n_bytes, .ctx = ctx};
    r->source = (rug_source)RUG_SOURCE_INIT;
    r->source.dtype = n_bytes > 0 ? p->dtype : RUG_BIT;
    r->source.ndim = p->ndim;
    for (int a = 0; a < p->ndim; a++)
        r->source.shape[a] = p->shape[3 - p->ndim + a];
    r->source.read = read_layers;
    r->source.user = r;
}

/* ---- The public calls ---- */

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, const rug_lacunarity_options *o)
{
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "lacunarity of dtype %d given, 0..%d expected",
                                (int)dtype, RUG_N_DTYPES - 1);
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    return status == RUG_OK && !o->is_gray
               ? rugi_parts_check_rule(ctx, o->foreground, "lacunarity")
               : status;
}

rug_status rug_lacunarity_parts_new(rug_context *ctx, rug_lacunarity_parts **out,
                                    rug_dtype dtype, int ndim, const size_t *shape,
                                    const rug_lacunarity_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_new: NULL given");
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_status status = rugi_lacunarity_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape, &o);
    if (status != RUG_OK)
        return status;
    rug_lacunarity_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "image in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = o;
    p->opts.is_gray = o.is_gray != 0;
    if (o.is_gray)
        p->opts.foreground = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
    if (o.sizes != NULL) {
        memcpy(p->sizes, o.sizes, o.n_sizes * sizeof *o.sizes);
        p->opts.sizes = p->sizes;
    }
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    begin_blocks(&p->pixels, p->shape, pixel_bytes(p), &p->cover);
    begin_blocks(&p->inside, p->shape, 0, &p->cover);
    *out = p;
    return RUG_OK;
}

void rug_lacunarity_parts_free(rug_lacunarity_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_partial_blocks_free(p->ctx, &p->pixels);
    rugi_partial_blocks_free(p->ctx, &p->inside);
    rug_context_release(p->ctx, p);
}

rug_status rug_lacunarity_parts_add(rug_context *ctx, rug_lacunarity_parts *p,
                                    const rug_image *part, const rug_image *mask,
                                    const size_t *first)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_add: NULL given");
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
    p->n_left_out += count_left_out(p, part, mask);
    status = keep(ctx, &p->pixels, &place, part, p->opts.foreground, pixel_bytes(p));
    return status == RUG_OK && mask != NULL
               ? keep(ctx, &p->inside, &place, mask, nonzero, 0)
               : status;
}

/* Whether both are of the same image, with the same boxes. */
static rug_status check_match(rug_context *ctx, const rug_lacunarity_parts *a,
                              const rug_lacunarity_parts *b)
{
    const rugi_parts_whole given = {a->ndim, a->shape, a->opts.mask != NULL,
                                    a->opts.foreground},
                           expected = {b->ndim, b->shape, b->opts.mask != NULL,
                                       b->opts.foreground};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && a->dtype != b->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(a->dtype),
                                   rug_dtype_name(b->dtype));
    if (status == RUG_OK && a->opts.is_gray != b->opts.is_gray)
        status = rugi_parts_differ(ctx, "masses of",
                                   a->opts.is_gray ? "grey values" : "foreground",
                                   b->opts.is_gray ? "grey values" : "foreground");
    if (status == RUG_OK && a->opts.boxes != b->opts.boxes)
        status = rugi_parts_differ(ctx, "boxes", rug_lacunarity_boxes_name(a->opts.boxes),
                                   rug_lacunarity_boxes_name(b->opts.boxes));
    if (status == RUG_OK)
        status = rugi_parts_check_number(ctx, "number of sizes", a->opts.n_sizes,
                                         b->opts.n_sizes);
    for (uint32_t i = 0; i < b->opts.n_sizes && status == RUG_OK; i++)
        status = rugi_parts_check_number(ctx, "box size", (int64_t)a->sizes[i],
                                         (int64_t)b->sizes[i]);
    return status;
}

rug_status rug_lacunarity_merge(rug_context *ctx, rug_lacunarity_parts *p,
                                const rug_lacunarity_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_merge: NULL given");
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    p->n_left_out += other->n_left_out;
    status = rugi_partial_blocks_merge(ctx, &p->pixels, &other->pixels, &keeper, NULL);
    return status == RUG_OK
               ? rugi_partial_blocks_merge(ctx, &p->inside, &other->inside, &keeper, NULL)
               : status;
}

/* Whether all pixels have come, and are no more than an address can count the bytes of. */
static rug_status check_whole(rug_context *ctx, const rug_lacunarity_parts *p)
{
    rug_status status = rugi_cover_check_whole(ctx, &p->cover, p->shape, "lacunarity");
    size_t n_bytes = pixel_bytes(p) > 0 ? pixel_bytes(p) : 1;
    if (status == RUG_OK && p->cover.n_pixels > (uint64_t)PTRDIFF_MAX / n_bytes)
        status = rug_context_fail(
            ctx, RUG_E_NOMEM,
            "lacunarity: %llu pixels of %zu bytes do not fit the address space",
            (unsigned long long)p->cover.n_pixels, n_bytes);
    return status;
}

rug_status rug_lacunarity_parts_finish(rug_context *ctx, rug_lacunarity_result **out,
                                       const rug_lacunarity_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_lacunarity_parts_finish: NULL given");
    rug_status status = check_whole(ctx, p);
    if (status != RUG_OK)
        return status;
    rug_lacunarity_options opts = p->opts;
    reader pixels, inside;
    open_reader(ctx, &pixels, p, &p->pixels, pixel_bytes(p));
    open_reader(ctx, &inside, p, &p->inside, 0);
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.mask = p->opts.mask != NULL ? &inside.source : NULL;
    status = rug_lacunarity_source(ctx, out, &pixels.source, &opts);
    rug_context_release(ctx, pixels.slab);
    rug_context_release(ctx, inside.slab);
    if (status == RUG_OK && !p->opts.is_gray) {
        (*out)->facts.foreground = p->opts.foreground;
        (*out)->facts.n_left_out = p->n_left_out;
    }
    return status;
}

/* ---- Bytes: docs/states.md ---- */

rug_status rug_lacunarity_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                     const rug_lacunarity_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_LACUNARITY);
        rugi_state_put_shape(&w, p->ndim, p->shape);
        rugi_state_put(&w, p->dtype);
        rugi_state_put(&w, p->opts.boxes);
        rugi_state_put(&w, p->opts.is_gray ? 1 : 0);
        rugi_state_put(&w, p->opts.mask != NULL ? 1 : 0);
        rugi_state_put_rule(&w, p->opts.foreground);
        rugi_state_put(&w, p->opts.n_sizes);
        for (uint32_t i = 0; i < p->opts.n_sizes; i++)
            rugi_state_put(&w, p->sizes[i]);
        rugi_state_put(&w, p->n_left_out);
        rugi_state_put_cover(&w, p->ndim, &cover);
        rugi_state_put_blocks(&w, &p->pixels, &cover, (unsigned)pixel_bytes(p));
        if (p->opts.mask != NULL)
            rugi_state_put_blocks(&w, &p->inside, &cover, 0);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* Begins a state with the options of the bytes. */
static rug_lacunarity_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_lacunarity_parts *p = NULL;
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.boxes = (rug_lacunarity_boxes)rugi_state_get_below(r, RUG_LACUNARITY_FIXED,
                                                         "kind of boxes");
    o.is_gray = (int)rugi_state_get_below(r, 1, "kind of mass");
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    o.foreground = rugi_state_get_rule(r);
    o.n_sizes = (uint32_t)rugi_state_get_below(r, RUG_LACUNARITY_MAX_SIZES, "sizes");
    o.sizes = o.n_sizes > 0 ? sizes : NULL;
    for (uint32_t i = 0; i < o.n_sizes; i++)
        sizes[i] = rugi_state_get(r);
    if (o.is_gray && o.foreground.kind != RUG_FOREGROUND_NONZERO)
        rugi_state_refuse(r, "grey values have a rule");
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_lacunarity_parts_new(r->ctx, &p, dtype, ndim, shape, &o));
    return p;
}

static void get_pixels(rugi_state_reader *r, rug_lacunarity_parts *p)
{
    p->n_left_out = rugi_state_get(r);
    rugi_state_get_cover(r, p->ndim, p->shape, &p->cover);
    int may_leave_out = p->dtype >= RUG_F32 && !p->opts.is_gray;
    if (p->n_left_out > (may_leave_out ? p->cover.n_pixels : 0))
        rugi_state_refuse(r, "more pixels are left out than can be");
    rugi_state_get_blocks(r, &p->pixels, (unsigned)pixel_bytes(p), UINT64_MAX, 1);
    if (p->opts.mask != NULL)
        rugi_state_get_blocks(r, &p->inside, 0, 1, 1);
}

rug_status rug_lacunarity_parts_load(rug_context *ctx, rug_lacunarity_parts **out,
                                     const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_LACUNARITY);
    rug_lacunarity_parts *p = get_options(&r);
    if (p != NULL)
        get_pixels(&r, p);
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_lacunarity_parts_free(p);
    return status;
}
