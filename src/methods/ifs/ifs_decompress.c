/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From a stream to a picture: options, planes one after the other (all at once when each
 * iteration is to be seen), size and colours. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/decode/ifs_bands.h"
#include "ifs/decode/ifs_decode_engine.h"
#include "ifs/decode/ifs_picture.h"
#include "ifs/decode/ifs_size.h"
#include "ifs/patches/ifs_decompress_patches.h"
#include "ifs/patches/ifs_tiles.h"
#include <string.h>

static const char what[] = "decoded plane";

/* One plane. */
typedef struct plane {
    rugi_ifs_tree tree;
    rugi_ifs_decoder decoder; /* of the tree */
    rugi_ifs_bands bands;     /* of the tree, where the picture has the coded size */
    rugi_ifs_blocks blocks;
    int32_t *state, *next;            /* of the blocks */
    rugi_ifs_device_plane *on_device; /* where a device decodes */
    int32_t *result;                  /* of the picture's size */
    size_t result_pitch;              /* from one of its rows to the next */
} plane;

/* One call. */
typedef struct decompression {
    rug_context *ctx;
    rugi_ifs_header header;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    plane planes[RUG_IFS_PLANES_MAX];
    rug_ifs_picture picture;
    uint32_t nx, ny, iterations; /* wanted */
    unsigned octave;
    uint32_t crop[4]; /* x, y, nx, ny of the coded image */
    const rug_ifs_decode_options *opts;
    const rugi_ifs_decode_engine *engine; /* NULL: the processor */
} decompression;

static int is_tree(const decompression *d)
{
    return d->header.partition == RUG_IFS_QUADTREE;
}

/* The padded size of a plane. */
static void padded(const decompression *d, const plane *p, size_t *nx, size_t *ny)
{
    *nx = is_tree(d) ? p->tree.frame.nx : p->blocks.frame.nx;
    *ny = is_tree(d) ? p->tree.frame.ny : p->blocks.frame.ny;
}

static rug_status open_blocks(decompression *d, plane *p, int i)
{
    rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(&d->header, i);
    const rugi_ifs_part *part = &d->parts[i];
    rug_status status =
        rugi_ifs_read_blocks(d->ctx, &p->blocks, &frame, part->bytes, part->n);
    if (status != RUG_OK)
        return status;
    size_t n = (size_t)frame.nx * frame.ny;
    p->state = rug_context_allocate(d->ctx, n, sizeof *p->state, what);
    if (p->state != NULL)
        p->next = rug_context_allocate(d->ctx, n, sizeof *p->next, what);
    if (p->next == NULL)
        return RUG_E_NOMEM;
    return rugi_ifs_blocks_pass(d->ctx, p->state, NULL, &p->blocks, 0);
}

static rug_status read_tree(decompression *d, plane *p, int i)
{
    rugi_ifs_frame frame = rugi_ifs_frame_of(&d->header, i);
    const rugi_ifs_part *part = &d->parts[i];
    return rugi_ifs_read_tree(d->ctx, &p->tree, &frame, part->bytes, part->n,
                              rugi_ifs_tree_room(part, d->opts->pixels_max));
}

static rug_status open_tree(decompression *d, plane *p, int i)
{
    rug_status status = read_tree(d, p, i);
    return status == RUG_OK ? rugi_ifs_decoder_begin(d->ctx, &p->decoder, &p->tree)
                            : status;
}

static rug_status open_on_device(decompression *d, plane *p)
{
    if (is_tree(d))
        return d->engine->begin_tree(d->ctx, &p->on_device, &p->decoder);
    return d->engine->begin_blocks(d->ctx, &p->on_device, &p->blocks, p->state);
}

static rug_status open_plane(decompression *d, int i)
{
    plane *p = &d->planes[i];
    const rugi_ifs_part *part = &d->parts[i];
    rug_status status = rugi_ifs_check_part(d->ctx, part, i);
    if (status == RUG_OK)
        status = is_tree(d) ? open_tree(d, p, i) : open_blocks(d, p, i);
    return status == RUG_OK && d->engine != NULL ? open_on_device(d, p) : status;
}

/* Frees all of a plane but its result. */
static void close_plane(decompression *d, int i)
{
    plane *p = &d->planes[i];
    if (d->engine != NULL)
        d->engine->end(d->ctx, p->on_device);
    p->on_device = NULL;
    rugi_ifs_decoder_end(d->ctx, &p->decoder);
    rugi_ifs_bands_end(d->ctx, &p->bands);
    rugi_ifs_tree_free(d->ctx, &p->tree);
    rugi_ifs_blocks_free(d->ctx, &p->blocks);
    rug_context_release(d->ctx, p->state);
    rug_context_release(d->ctx, p->next);
    p->state = p->next = NULL;
}

static rug_status iterate(decompression *d, int i)
{
    plane *p = &d->planes[i];
    if (d->engine != NULL)
        return d->engine->iterate(d->ctx, p->on_device);
    if (is_tree(d))
        return rugi_ifs_decoder_iterate(d->ctx, &p->decoder);
    rug_status status = rugi_ifs_blocks_pass(d->ctx, p->next, p->state, &p->blocks, 0);
    int32_t *state = p->state;
    p->state = p->next;
    p->next = state;
    return status;
}

/* Blocks at the octave, from their state, which stays.
 * @param out  the state itself, or a new plane */
static rug_status enlarge_blocks(decompression *d, const plane *p, int32_t **out)
{
    const rugi_ifs_block_frame *f = &p->blocks.frame;
    rug_status status = RUG_OK;
    *out = p->state;
    for (unsigned octave = 1; octave <= d->octave && status == RUG_OK; octave++) {
        int32_t *from = *out;
        size_t nx = (size_t)f->nx << octave, ny = (size_t)f->ny << octave;
        *out = rug_context_allocate(d->ctx, nx * ny, sizeof *from, what);
        status = *out != NULL
                     ? rugi_ifs_blocks_pass(d->ctx, *out, from, &p->blocks, octave)
                     : RUG_E_NOMEM;
        if (from != p->state)
            rug_context_release(d->ctx, from);
    }
    return status;
}

static rug_status enlarge_tree(decompression *d, plane *p, int32_t **out)
{
    const rugi_ifs_frame *f = &p->tree.frame;
    size_t nx = (size_t)f->nx << d->octave, ny = (size_t)f->ny << d->octave;
    *out = rug_context_allocate(d->ctx, nx * ny, sizeof **out, what);
    if (*out == NULL)
        return RUG_E_NOMEM;
    return rugi_ifs_decoder_finish(d->ctx, &p->decoder, *out, d->octave,
                                   d->header.deblock);
}

static rug_status enlarge_on_device(decompression *d, plane *p, int32_t **out)
{
    size_t nx, ny;
    padded(d, p, &nx, &ny);
    *out = rug_context_allocate(d->ctx, (nx << d->octave) * (ny << d->octave),
                                sizeof **out, what);
    if (*out == NULL)
        return RUG_E_NOMEM;
    rug_status status = d->engine->enlarge(d->ctx, p->on_device, *out, d->octave);
    if (status == RUG_OK && is_tree(d) && d->header.deblock > 0)
        status = rugi_ifs_deblock(d->ctx, *out, &p->tree, d->octave, d->header.deblock);
    return status;
}

static rug_status enlarge(decompression *d, plane *p, int32_t **out)
{
    if (d->engine != NULL)
        return enlarge_on_device(d, p, out);
    return is_tree(d) ? enlarge_tree(d, p, out) : enlarge_blocks(d, p, out);
}

/* The result of a plane at another size, or of blocks as they are, whose state stays. */
static rug_status resize(decompression *d, plane *p, const rugi_ifs_view *view)
{
    if (p->result == NULL)
        p->result =
            rug_context_allocate(d->ctx, (size_t)d->nx * d->ny, sizeof *p->result, what);
    if (p->result == NULL)
        return RUG_E_NOMEM;
    p->result_pitch = d->nx;
    return rugi_ifs_resize(d->ctx, p->result, d->nx, d->ny, view);
}

/* The result of a plane, of its state as it is. */
static rug_status render(decompression *d, int i)
{
    plane *p = &d->planes[i];
    size_t nx, ny;
    int32_t *large = NULL;
    rug_status status = enlarge(d, p, &large);
    padded(d, p, &nx, &ny);
    size_t first = ((size_t)d->crop[1] << d->octave) * (nx << d->octave) +
                   ((size_t)d->crop[0] << d->octave);
    rugi_ifs_view view = {large, nx << d->octave, (size_t)d->crop[2] << d->octave,
                          (size_t)d->crop[3] << d->octave};
    if (status == RUG_OK && large != p->state && first == 0 && view.nx == d->nx &&
        view.ny == d->ny) {
        rug_context_release(d->ctx, p->result);
        p->result = large;
        p->result_pitch = view.pitch;
        return RUG_OK;
    }
    if (status == RUG_OK) {
        view.pixels += first;
        status = resize(d, p, &view);
    }
    if (large != p->state)
        rug_context_release(d->ctx, large);
    return status;
}

/* The planes at the picture's size. */
typedef struct filling {
    decompression *d;
    rugi_ifs_view planes[RUG_IFS_PLANES_MAX];
} filling;

static void fill_rows(void *shared, size_t task, int thread)
{
    const filling *f = shared;
    rugi_ifs_view planes[RUG_IFS_PLANES_MAX];
    size_t from = task * RUGI_IFS_BLOCK;
    (void)thread;
    memcpy(planes, f->planes, sizeof planes);
    for (int i = 0; i < f->d->header.n_planes; i++)
        planes[i].pixels += from * planes[i].pitch;
    rugi_ifs_picture_rows(&f->d->picture, &f->d->header, planes, from,
                          rugi_smaller(from + RUGI_IFS_BLOCK, f->d->ny));
}

static rug_status fill_picture(decompression *d)
{
    filling f = {.d = d};
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++) {
        const plane *p = &d->planes[i];
        f.planes[i] = (rugi_ifs_view){p->result, p->result_pitch, d->nx, d->ny};
    }
    return rugi_parallel_for(d->ctx, (d->ny + RUGI_IFS_BLOCK - 1) / RUGI_IFS_BLOCK,
                             fill_rows, &f);
}

/* Work of many loops: progress stands at one share of the phase while it lasts, so
 * that it goes forward only. */
static rugi_phase stand(const decompression *d, double share)
{
    return rugi_phase_enter(d->ctx, share, share);
}

static rug_status decode_plane(decompression *d, int i)
{
    rugi_phase outer = stand(d, 0);
    rug_status status = open_plane(d, i);
    rugi_phase_leave(d->ctx, outer);
    outer = stand(d, 0.3);
    for (uint32_t k = 0; k < d->iterations && status == RUG_OK; k++)
        status = iterate(d, i);
    rugi_phase_leave(d->ctx, outer);
    outer = stand(d, 0.5);
    if (status == RUG_OK)
        status = render(d, i);
    rugi_phase_leave(d->ctx, outer);
    close_plane(d, i);
    return status;
}

/* Planes one by one: each is freed before the next is read. */
static rug_status decode(decompression *d)
{
    int n = d->header.n_planes;
    rug_status status = RUG_OK;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        RUGI_PHASE(d->ctx, (double)i / n, (i + 1.0) / n, status, decode_plane(d, i));
    }
    rugi_phase outer = stand(d, 1);
    if (status == RUG_OK)
        status = fill_picture(d);
    rugi_phase_leave(d->ctx, outer);
    return status;
}

/* ---- A tree at the coded size ---- */

/* Rows of roots that are a task: they are decoded with what lies above and below. */
#define ROWS_OF_TASK 2

/* All planes of a band become a band of the picture. */
typedef struct band_loop {
    decompression *d;
    size_t n;         /* pixels of a window */
    int32_t *windows; /* [threads][planes][n] */
} band_loop;

static void band_task(void *shared, size_t task, int thread)
{
    const band_loop *loop = shared;
    decompression *d = loop->d;
    int n_planes = d->header.n_planes, strength = d->header.deblock;
    int32_t *windows = loop->windows + (size_t)thread * (size_t)n_planes * loop->n;
    rugi_ifs_view views[RUG_IFS_PLANES_MAX];
    const rugi_ifs_frame *frame = &d->planes[0].tree.frame;
    size_t from = task * ROWS_OF_TASK,
           to = rugi_smaller(from + ROWS_OF_TASK, frame->ny / RUGI_IFS_BLOCK);
    for (int i = 0; i < n_planes; i++) {
        int32_t *window = windows + (size_t)i * loop->n;
        rugi_ifs_decode_band(&d->planes[i].bands, window, from, to, 1);
        if (strength > 0)
            rugi_ifs_deblock_band(&d->planes[i].bands, window, from, to, strength);
        views[i] = (rugi_ifs_view){window + (size_t)RUGI_IFS_BLOCK * frame->nx, frame->nx,
                                   d->nx, d->ny};
    }
    rugi_ifs_picture_rows(&d->picture, &d->header, views, from * RUGI_IFS_BLOCK,
                          rugi_smaller(d->ny, to * RUGI_IFS_BLOCK));
}

static rug_status fill_bands(decompression *d)
{
    const rugi_ifs_frame *frame = &d->planes[0].tree.frame;
    size_t n_tasks = (frame->ny / RUGI_IFS_BLOCK + ROWS_OF_TASK - 1) / ROWS_OF_TASK;
    size_t n_windows =
        (size_t)rugi_loop_threads(d->ctx, n_tasks) * (size_t)d->header.n_planes;
    band_loop loop = {.d = d,
                      .n = (ROWS_OF_TASK + 2) * RUGI_IFS_BLOCK * (size_t)frame->nx};
    loop.windows =
        rug_context_allocate(d->ctx, n_windows, loop.n * sizeof *loop.windows, what);
    if (loop.windows == NULL)
        return RUG_E_NOMEM;
    memset(loop.windows, 0, n_windows * loop.n * sizeof *loop.windows);
    rug_status status = rugi_parallel_for(d->ctx, n_tasks, band_task, &loop);
    rug_context_release(d->ctx, loop.windows);
    return status;
}

static rug_status open_bands(decompression *d, int i)
{
    plane *p = &d->planes[i];
    rugi_phase outer = stand(d, 0);
    rug_status status = rugi_ifs_check_part(d->ctx, &d->parts[i], i);
    if (status == RUG_OK)
        status = read_tree(d, p, i);
    rugi_phase_leave(d->ctx, outer);
    outer = stand(d, 0.5);
    if (status == RUG_OK)
        status = rugi_ifs_bands_begin(d->ctx, &p->bands, &p->tree, d->iterations);
    rugi_phase_leave(d->ctx, outer);
    return status;
}

/* Whether planes never have to be there as a whole. */
static int is_in_bands(const decompression *d)
{
    return is_tree(d) && d->engine == NULL && d->octave == 0 && d->nx == d->header.nx &&
           d->ny == d->header.ny;
}

static rug_status decode_bands(decompression *d)
{
    int n = d->header.n_planes;
    rug_status status = RUG_OK;
    for (int i = 0; i < n && status == RUG_OK; i++) {
        RUGI_PHASE(d->ctx, (double)i / (n + 1), (i + 1.0) / (n + 1), status,
                   open_bands(d, i));
    }
    RUGI_PHASE(d->ctx, n / (n + 1.0), 1, status, fill_bands(d));
    for (int i = 0; i < n; i++)
        close_plane(d, i);
    return status;
}

/* ---- Frames, and the choice ---- */

static rug_status make_frame(decompression *d, uint32_t k)
{
    int n = d->header.n_planes;
    rug_status status = RUG_OK;
    for (int i = 0; i < n && k > 0 && status == RUG_OK; i++)
        status = iterate(d, i);
    for (int i = 0; i < n && status == RUG_OK; i++)
        status = render(d, i);
    return status == RUG_OK ? fill_picture(d) : status;
}

/* Planes side by side, and a picture after each iteration. */
static rug_status decode_frames(decompression *d, rug_ifs_frame_fn frame, void *user)
{
    int n = d->header.n_planes;
    rug_status status = RUG_OK;
    rugi_phase outer = stand(d, 0);
    for (int i = 0; i < n && status == RUG_OK; i++)
        status = open_plane(d, i);
    rugi_phase_leave(d->ctx, outer);
    for (uint32_t k = 0; k <= d->iterations && status == RUG_OK; k++) {
        outer = stand(d, (k + 1.0) / (d->iterations + 1.0));
        status = make_frame(d, k);
        rugi_phase_leave(d->ctx, outer);
        if (status == RUG_OK)
            status = frame(user, k, &d->picture);
    }
    for (int i = 0; i < n; i++)
        close_plane(d, i);
    return status;
}

static rug_status run(decompression *d, const rugi_ifs_decode_engine *engine)
{
    d->engine = engine;
    if (d->opts->frame != NULL)
        return decode_frames(d, d->opts->frame, d->opts->user);
    return is_in_bands(d) ? decode_bands(d) : decode(d);
}

static rug_status run_here(rug_context *ctx, void *job)
{
    rugi_context_set_engine(ctx, "cpu");
    return run(job, NULL);
}

#ifdef RUGI_HAVE_OPENCL
static rug_status run_opencl(rug_context *ctx, void *job)
{
    (void)ctx;
    return run(job, &rugi_ifs_decode_opencl);
}
#endif

static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, run_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, run_here, NULL},
};

static rug_status new_picture(decompression *d)
{
    const rugi_ifs_header *h = &d->header;
    rug_ifs_picture *picture = &d->picture;
    picture->pixels = rug_context_allocate(
        d->ctx, (size_t)d->nx * d->ny, (h->depth / 8) * (size_t)h->n_planes, "picture");
    if (picture->pixels == NULL)
        return RUG_E_NOMEM;
    picture->dtype = h->depth == 16 ? RUG_U16 : RUG_U8;
    picture->n_planes = h->n_planes;
    picture->nx = d->nx;
    picture->ny = d->ny;
    picture->share = 1;
    return RUG_OK;
}

static rug_status begin(decompression *d, const rug_ifs_decode_options *o,
                        const uint8_t *bytes, size_t size)
{
    const rugi_ifs_header *h = &d->header;
    rug_status status =
        rugi_ifs_container_read(d->ctx, &d->header, d->parts, bytes, size);
    if (status == RUG_OK) {
        const rugi_ifs_size image = rugi_ifs_size_of(h);
        status = rugi_ifs_check_pixels(d->ctx, &image, size, o->pixels_max);
    }
    if (status == RUG_OK)
        status = rugi_ifs_choose_crop(d->ctx, o, h->nx, h->ny, d->crop);
    if (status == RUG_OK) {
        const rugi_ifs_wanted wanted = {d->crop[2],
                                        d->crop[3],
                                        h->nx,
                                        h->ny,
                                        is_tree(d) ? RUGI_IFS_BLOCK : h->range_size,
                                        h->n_planes};
        status = rugi_ifs_choose_size(d->ctx, &wanted, o, &d->nx, &d->ny, &d->octave);
    }
    if (status == RUG_OK)
        status = new_picture(d);
    d->iterations = o->iterations > 0 ? o->iterations : d->header.iterations;
    return status;
}

rug_status rug_ifs_decompress(rug_context *ctx, rug_ifs_picture *out,
                              const uint8_t *bytes, size_t size,
                              const rug_ifs_decode_options *opts)
{
    rug_ifs_decode_options own = RUG_IFS_DECODE_OPTIONS_INIT;
    decompression d = {.ctx = ctx, .picture = RUG_IFS_PICTURE_INIT, .opts = &own};
    rug_status status = rugi_clear(ctx, out, "rug_ifs_picture");
    if (status == RUG_OK && (ctx == NULL || (bytes == NULL && size > 0)))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_decompress: NULL given");
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &own, opts, "rug_ifs_decode_options");
    if (status == RUG_OK)
        status = rugi_ifs_check_decode_options(ctx, &own);
    if (status == RUG_OK && rugi_ifs_is_tiled(bytes, size)) {
        rugi_context_set_engine(ctx, "cpu");
        status = rugi_engine_cpu_only(ctx, "decoding a stream of version 3");
        if (status == RUG_OK)
            status = rugi_ifs_decompress_patches(ctx, &d.picture, bytes, size, &own);
    } else if (status == RUG_OK)
        status = begin(&d, &own, bytes, size);
    if (status == RUG_OK && !rugi_ifs_is_tiled(bytes, size))
        status = rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], &d);
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++)
        rug_context_release(ctx, d.planes[i].result);
    if (status == RUG_OK)
        RUGI_GIVE(out, &d.picture);
    else
        rug_ifs_picture_free(ctx, &d.picture);
    return status;
}
