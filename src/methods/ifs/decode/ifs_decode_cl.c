/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal streams decoded on an OpenCL device: iterations and octaves, an item for each
 * pixel. The processor makes the base of each octave (means and inverse transforms), which
 * is uploaded, and smooths the edges of the result. */

#include "ifs/stream/ifs_model.h"
#include "ifs_decode_engine.h"
#include "ocl/work/ocl_sort.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_ifs_decode;

extern const rugi_ocl_family rugi_cl_ifs_decode_family;
const rugi_ocl_family rugi_cl_ifs_decode_family = {
    .sources = {&rugi_cl_ocl_group, &rugi_cl_ifs_decode},
    .kernels = {"ifs_means", "ifs_tree_pixels", "ifs_block_pixels"},
    .is_grouped = 1};

/* Pixels of a launch: few enough for it to be short on any device. */
#define PIECE ((size_t)1 << 22)

/* Numbers of a transform, as ifs_decode.cl has them. */
#define NUMBERS 8

static const char what[] = "decoder of fractal coding";

struct rugi_ifs_device_plane {
    const rugi_ifs_decoder *decoder; /* of a tree; NULL: */
    const rugi_ifs_blocks *blocks;
    rugi_ocl *device;
    rugi_ocl_grouped means_kernel, pixels_kernel;
    rugi_ocl_buffer *transforms, *means, *map; /* the map is of trees */
    rugi_ocl_buffer *base;                     /* of trees: at a quarter */
    rugi_ocl_buffer *state, *next;
    size_t n;           /* transforms */
    size_t nx, ny;      /* coded */
    uint32_t state_log; /* the state has nx >> state_log pixels a row */
    int32_t bounds[2];
};

/* A pass over all pixels of a plane. */
typedef struct pass {
    const rugi_ocl_buffer *from, *base, *out;
    uint64_t from_size[2]; /* of from: pixels a row, rows */
    uint64_t nx, ny;
    uint32_t scale[4]; /* of sides and of places of domains: left shift, right shift */
    uint32_t is_shrunk;
} pass;

static rug_status run_means(rug_context *ctx, const rugi_ifs_device_plane *p,
                            const pass *s)
{
    const size_t pixels = (size_t)(s->nx * s->ny) / p->n + 1;
    const size_t piece = PIECE / pixels + 1;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < p->n && status == RUG_OK; i += piece) {
        const uint32_t first = (uint32_t)i;
        const rugi_ocl_arg args[] = {
            rugi_ocl_arg_buffer(p->transforms),
            RUGI_OCL_ARG(first),
            RUGI_OCL_ARG(s->scale),
            RUGI_OCL_ARG(s->is_shrunk),
            rugi_ocl_arg_buffer(s->from),
            RUGI_OCL_ARG(s->from_size),
            rugi_ocl_arg_buffer(p->means),
        };
        status = rugi_ocl_grouped_run(ctx, p->device, &p->means_kernel, args,
                                      sizeof args / sizeof args[0],
                                      p->n - i < piece ? p->n - i : piece);
    }
    return status;
}

static rug_status run_tree_pixels(rug_context *ctx, const rugi_ifs_device_plane *p,
                                  const pass *s, uint64_t first, uint64_t end)
{
    const uint64_t map_nx = p->nx / RUGI_IFS_LEAST;
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(p->transforms),
        rugi_ocl_arg_buffer(p->means),
        rugi_ocl_arg_buffer(p->map),
        RUGI_OCL_ARG(map_nx),
        RUGI_OCL_ARG(s->scale),
        RUGI_OCL_ARG(s->is_shrunk),
        rugi_ocl_arg_buffer(s->from),
        RUGI_OCL_ARG(s->from_size[0]),
        rugi_ocl_arg_buffer(s->base),
        rugi_ocl_arg_buffer(s->out),
        RUGI_OCL_ARG(first),
        RUGI_OCL_ARG(s->nx),
        RUGI_OCL_ARG(end),
        RUGI_OCL_ARG(p->bounds),
    };
    return rugi_ocl_grouped_run(ctx, p->device, &p->pixels_kernel, args,
                                sizeof args / sizeof args[0],
                                (size_t)(end - first - 1) / p->pixels_kernel.items + 1);
}

static rug_status run_block_pixels(rug_context *ctx, const rugi_ifs_device_plane *p,
                                   const pass *s, uint64_t first, uint64_t end)
{
    const rugi_ifs_block_frame *f = &p->blocks->frame;
    const uint32_t shape[4] = {(uint32_t)s->nx, (uint32_t)s->ny, f->size << s->scale[0],
                               rugi_ifs_block_grids(f)};
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(p->transforms),
        rugi_ocl_arg_buffer(p->means),
        RUGI_OCL_ARG(s->scale),
        RUGI_OCL_ARG(s->is_shrunk),
        rugi_ocl_arg_buffer(s->from),
        RUGI_OCL_ARG(s->from_size),
        rugi_ocl_arg_buffer(s->out),
        RUGI_OCL_ARG(first),
        RUGI_OCL_ARG(end),
        RUGI_OCL_ARG(shape),
        RUGI_OCL_ARG(p->bounds),
    };
    return rugi_ocl_grouped_run(ctx, p->device, &p->pixels_kernel, args,
                                sizeof args / sizeof args[0],
                                (size_t)(end - first - 1) / p->pixels_kernel.items + 1);
}

/* Between the pieces of a large plane cancelling is asked for. */
static rug_status run(rug_context *ctx, const rugi_ifs_device_plane *p, const pass *s)
{
    const uint64_t all = s->nx * s->ny;
    rug_status status = run_means(ctx, p, s);
    for (uint64_t i = 0; i < all && status == RUG_OK; i += PIECE) {
        const uint64_t end = all - i < PIECE ? all : i + PIECE;
        status = p->decoder != NULL ? run_tree_pixels(ctx, p, s, i, end)
                                    : run_block_pixels(ctx, p, s, i, end);
        if (status == RUG_OK && end < all)
            status = rugi_ocl_wait(ctx, p->device);
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)end / (double)all);
    }
    return status;
}

static rug_status new_plane(rug_context *ctx, const rugi_ifs_device_plane *p,
                            rugi_ocl_buffer **out, size_t nx, size_t ny)
{
    return rugi_ocl_buffer_new(ctx, p->device, out, nx * ny, sizeof(int32_t),
                               RUGI_OCL_READ_WRITE, what);
}

static rug_status iterate(rug_context *ctx, rugi_ifs_device_plane *p)
{
    const size_t nx = p->nx >> p->state_log, ny = p->ny >> p->state_log;
    const pass s = {.from = p->state,
                    .base = p->base,
                    .out = p->next,
                    .from_size = {nx, ny},
                    .nx = nx,
                    .ny = ny,
                    .scale = {0, p->state_log, 0, p->state_log},
                    .is_shrunk = 1};
    rug_status status = run(ctx, p, &s);
    rugi_ocl_buffer *state = p->state;
    p->state = p->next;
    p->next = state;
    return status;
}

/* ---- Larger planes ---- */

/* Makes the plane of the next size from one of half that size, where domains lie as they
 * are shrunk to.
 * @param from  @param out  owned by the caller
 * @param base  of trees, [nx ny], must stay */
static rug_status grow(rug_context *ctx, const rugi_ifs_device_plane *p,
                       rugi_ocl_buffer **out, const rugi_ocl_buffer *from,
                       const int32_t *base, uint32_t up, uint32_t down)
{
    const size_t nx = p->nx << up >> down, ny = p->ny << up >> down;
    rug_status status = new_plane(ctx, p, out, nx, ny);
    if (status == RUG_OK && base != NULL)
        status = rugi_ocl_write(ctx, p->device, *out, 0, base, nx * ny * sizeof *base);
    const pass s = {.from = from,
                    .base = *out,
                    .out = *out,
                    .from_size = {nx / 2, ny / 2},
                    .nx = nx,
                    .ny = ny,
                    .scale = {up, down, up, down + 1}};
    return status == RUG_OK ? run(ctx, p, &s) : status;
}

/* An octave above the coded size, of a base that the processor makes.
 * @param scratch  [nx ny] of that size, for the base */
static rug_status grow_octave(rug_context *ctx, const rugi_ifs_device_plane *p,
                              rugi_ocl_buffer **out, const rugi_ocl_buffer *from,
                              int32_t *scratch, uint32_t octave)
{
    if (p->decoder == NULL)
        return grow(ctx, p, out, from, NULL, octave, 0);
    rugi_ifs_field base = {scratch, p->nx << octave, p->ny << octave};
    rug_status status = rugi_ifs_decoder_base(ctx, p->decoder, &base, octave, 0);
    return status == RUG_OK ? grow(ctx, p, out, from, scratch, octave, 0) : status;
}

/* The coded size of a tree, from its state at a quarter.
 * @param scratch  [nx ny], for bases */
static rug_status grow_to_coded(rug_context *ctx, const rugi_ifs_device_plane *p,
                                rugi_ocl_buffer **out, int32_t *scratch)
{
    rugi_ocl_buffer *half = NULL;
    rugi_ifs_field base = {scratch, p->nx / 2, p->ny / 2};
    rug_status status = rugi_ifs_decoder_base(ctx, p->decoder, &base, 0, 1);
    if (status == RUG_OK)
        status = grow(ctx, p, &half, p->state, scratch, 0, 1);
    if (status == RUG_OK) /* then the device has read the base of the half */
        status = rugi_ocl_wait(ctx, p->device);
    if (status == RUG_OK)
        status = grow_octave(ctx, p, out, half, scratch, 0);
    if (status == RUG_OK)
        status = rugi_ocl_wait(ctx, p->device);
    rugi_ocl_buffer_free(p->device, half);
    return status;
}

/* Whatever happens, nothing is under way when it returns: the device reads bases. */
static rug_status enlarge(rug_context *ctx, rugi_ifs_device_plane *p, int32_t *out,
                          unsigned octave)
{
    rugi_ocl_buffer *now = NULL, *next = NULL;
    rug_status status = p->decoder != NULL ? grow_to_coded(ctx, p, &now, out) : RUG_OK;
    for (uint32_t i = 1; i <= octave && status == RUG_OK; i++) {
        /* for all octaves but the last, the base fits the first part of the result */
        status = grow_octave(ctx, p, &next, now != NULL ? now : p->state, out, i);
        if (status == RUG_OK)
            status = rugi_ocl_wait(ctx, p->device);
        rugi_ocl_buffer_free(p->device, now);
        now = next;
        next = NULL;
    }
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, p->device, now != NULL ? now : p->state, 0, out,
                               (p->nx << octave) * (p->ny << octave) * sizeof *out);
    else if (status != RUG_E_DEVICE)
        rugi_ocl_wait(ctx, p->device);
    rugi_ocl_buffer_free(p->device, now);
    return status;
}

static void put_leaf(int32_t *to, const rugi_ifs_leaf *leaf)
{
    to[0] = (int32_t)leaf->x;
    to[1] = (int32_t)leaf->y;
    to[4] = RUGI_IFS_SIDE(leaf->level);
    if (leaf->zone == RUGI_IFS_FLAT)
        return;
    to[2] = (int32_t)leaf->domain_x;
    to[3] = (int32_t)leaf->domain_y;
    to[5] = leaf->symmetry;
    to[6] = leaf->k;
}

static void put_block(int32_t *to, const rugi_ifs_block *b, uint32_t size)
{
    to[2] = (int32_t)b->domain_x;
    to[3] = (int32_t)b->domain_y;
    to[4] = (int32_t)size;
    to[5] = b->symmetry;
    to[6] = b->k;
    to[7] = b->mean * (64 / RUGI_IFS_BLOCK_MEANS);
}

static void put_map(uint32_t *map, const rugi_ifs_tree *tree)
{
    const size_t nx = tree->frame.nx / RUGI_IFS_LEAST;
    for (size_t i = 0; i < tree->n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &tree->leaves[i];
        const size_t n = (size_t)RUGI_IFS_SIDE(leaf->level) / RUGI_IFS_LEAST;
        uint32_t *at = map + leaf->y / RUGI_IFS_LEAST * nx + leaf->x / RUGI_IFS_LEAST;
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++)
                at[y * nx + x] = (uint32_t)i;
    }
}

/* Makes a buffer of data, which does not have to stay. */
static rug_status send(rug_context *ctx, const rugi_ifs_device_plane *p,
                       rugi_ocl_buffer **out, const void *data, size_t n, size_t size)
{
    rug_status status =
        rugi_ocl_buffer_new(ctx, p->device, out, n, size, RUGI_OCL_READ, what);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, p->device, *out, 0, data, n * size);
    return status == RUG_OK ? rugi_ocl_wait(ctx, p->device) : status;
}

static rug_status send_transforms(rug_context *ctx, rugi_ifs_device_plane *p)
{
    const size_t size = NUMBERS * sizeof(int32_t);
    int32_t *all = rug_context_allocate(ctx, p->n, size, what);
    if (all == NULL)
        return RUG_E_NOMEM;
    memset(all, 0, p->n * size);
    for (size_t i = 0; i < p->n; i++)
        if (p->decoder != NULL)
            put_leaf(all + i * NUMBERS, &p->decoder->tree->leaves[i]);
        else
            put_block(all + i * NUMBERS, &p->blocks->blocks[i], p->blocks->frame.size);
    rug_status status = send(ctx, p, &p->transforms, all, p->n, size);
    rug_context_release(ctx, all);
    return status;
}

static rug_status send_map(rug_context *ctx, rugi_ifs_device_plane *p)
{
    const size_t n = p->nx / RUGI_IFS_LEAST * (p->ny / RUGI_IFS_LEAST);
    uint32_t *map = rug_context_allocate(ctx, n, sizeof *map, what);
    if (map == NULL)
        return RUG_E_NOMEM;
    put_map(map, p->decoder->tree);
    rug_status status = send(ctx, p, &p->map, map, n, sizeof *map);
    rug_context_release(ctx, map);
    return status;
}

/* ---- The engine ---- */

static rug_status get_kernels(rug_context *ctx, rugi_ifs_device_plane *p,
                              const char *pixels)
{
    rug_status status = rugi_ocl_open(ctx, &p->device);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, rugi_ocl_engine_name(p->device));
    if (status == RUG_OK)
        status = rugi_ocl_grouped_get(ctx, p->device, &p->means_kernel,
                                      &rugi_cl_ifs_decode_family, NULL, "ifs_means");
    if (status == RUG_OK)
        status = rugi_ocl_grouped_get(ctx, p->device, &p->pixels_kernel,
                                      &rugi_cl_ifs_decode_family, NULL, pixels);
    return status;
}

static rug_status begin(rug_context *ctx, rugi_ifs_device_plane *p, const int32_t *state,
                        unsigned depth)
{
    const size_t nx = p->nx >> p->state_log, ny = p->ny >> p->state_log;
    p->bounds[0] = rugi_ifs_least(depth);
    p->bounds[1] = rugi_ifs_most(depth);
    rug_status status =
        get_kernels(ctx, p, p->decoder != NULL ? "ifs_tree_pixels" : "ifs_block_pixels");
    if (status == RUG_OK)
        status = new_plane(ctx, p, &p->state, nx, ny);
    if (status == RUG_OK)
        status = new_plane(ctx, p, &p->next, nx, ny);
    if (status == RUG_OK)
        status =
            rugi_ocl_write(ctx, p->device, p->state, 0, state, nx * ny * sizeof *state);
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, p->device, &p->means, p->n, sizeof(int32_t),
                                     RUGI_OCL_READ_WRITE, what);
    return status == RUG_OK ? send_transforms(ctx, p) : status;
}

/* After a failure of something else the device may still read the state. */
static rug_status come_to_rest(rug_context *ctx, const rugi_ifs_device_plane *p,
                               rug_status status)
{
    if (status != RUG_OK && status != RUG_E_DEVICE && p->device != NULL)
        rugi_ocl_wait(ctx, p->device);
    return status;
}

static rug_status begin_tree(rug_context *ctx, rugi_ifs_device_plane **out,
                             const rugi_ifs_decoder *decoder)
{
    const rugi_ifs_frame *frame = &decoder->tree->frame;
    rugi_ifs_device_plane *p = *out = rug_context_allocate(ctx, 1, sizeof *p, what);
    if (p == NULL)
        return RUG_E_NOMEM;
    *p = (rugi_ifs_device_plane){.decoder = decoder,
                                 .n = decoder->tree->n_leaves,
                                 .nx = frame->nx,
                                 .ny = frame->ny,
                                 .state_log = 2};
    const rugi_ifs_field *quarter = &decoder->base;
    rug_status status = begin(ctx, p, quarter->pixels, frame->depth);
    if (status == RUG_OK)
        status = new_plane(ctx, p, &p->base, quarter->nx, quarter->ny);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, p->device, p->base, 0, quarter->pixels,
                                quarter->nx * quarter->ny * sizeof(int32_t));
    if (status == RUG_OK)
        status = send_map(ctx, p);
    return come_to_rest(ctx, p, status);
}

static rug_status begin_blocks(rug_context *ctx, rugi_ifs_device_plane **out,
                               const rugi_ifs_blocks *blocks, const int32_t *state)
{
    const rugi_ifs_block_frame *frame = &blocks->frame;
    rugi_ifs_device_plane *p = *out = rug_context_allocate(ctx, 1, sizeof *p, what);
    if (p == NULL)
        return RUG_E_NOMEM;
    *p = (rugi_ifs_device_plane){
        .blocks = blocks, .n = blocks->n, .nx = frame->nx, .ny = frame->ny};
    return come_to_rest(ctx, p, begin(ctx, p, state, frame->depth));
}

static void end(rug_context *ctx, rugi_ifs_device_plane *p)
{
    if (p == NULL)
        return;
    rugi_ocl_buffer *const buffers[] = {p->transforms, p->means, p->map,
                                        p->base,       p->state, p->next};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        rugi_ocl_buffer_free(p->device, buffers[i]);
    rug_context_release(ctx, p);
}

const rugi_ifs_decode_engine rugi_ifs_decode_opencl = {begin_tree, begin_blocks, iterate,
                                                       enlarge, end};
