/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A region that local memory is too small for, on an OpenCL device: a table of entries in
 * global memory, for one matrix after the other. */

#include "glcm_opencl.h"
#include <string.h>

/* Bits of a rank up to which work groups count in local memory first, and pixels of a run of
 * theirs: in a frame a pixel is in two pairs of a run, and counts below 2^12 fit beside keys of
 * 20 bits. */
#define RUN_BITS   10
#define RUN_PIXELS 1984

/* Pixels, and entries of a matrix, that are counted in 32 bits. */
#define MOST_PIXELS  ((uint64_t)1 << 31)
#define MOST_ENTRIES ((uint64_t)1 << 30)

/* Items of groups are counted in whole groups. */
#define ROUND_UP(n, unit) (((n) + (unit)-1) / (unit) * (unit))

/* What a region needs of the device, and of the processor. */
typedef struct large {
    rugi_glcm_cl *cl;
    rug_context *quiet; /* for loops of all threads that are no progress of their own */
    const rugi_glcm_region *region;
    uint64_t most_entries;
    size_t n_table; /* slots */
    rugi_ocl_buffer *mask, *rank, *matrix, *offset, *table, *entry, *count;
    rugi_glcm_device_count *device_counts;
} large;

static size_t words_of(const rugi_glcm_tile *t)
{
    return t->nz * t->ny * t->n_words;
}

/* Pixels that are scattered in a box that is not too wide get a mask. */
static rug_status find_mask(rug_context *ctx, rugi_glcm_cl *cl, rugi_glcm_tile *t)
{
    static const char what[] = "the mask of a region";
    size_t n = words_of(t);
    if (t->pixel_row == NULL || n > RUGI_GLCM_CL_SMALL_WORDS)
        return RUG_OK;
    uint64_t *mask = rugi_glcm_grow(ctx, &cl->mask_scratch, n, sizeof *mask, what);
    uint16_t *rank = rugi_glcm_grow(ctx, &cl->rank_scratch, 64 * n, sizeof *rank, what);
    if (mask == NULL || rank == NULL)
        return RUG_E_NOMEM;
    rugi_glcm_cl_move(t, mask, rank);
    return RUG_OK;
}

/* The most entries of any matrix. */
static rug_status find_entries(large *l)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, l->region);
    l->most_entries = 1;
    for (uint32_t d = 0; d < p->n_distances; d++)
        for (size_t k = 0; k < all.n_slices * all.n_directions; k++) {
            rugi_glcm_place place;
            rug_status status =
                rugi_glcm_matrix_of(l->quiet, &l->cl->workers->counting, &place, p,
                                    l->region, p->distance[d], k);
            if (status != RUG_OK)
                return status;
            uint64_t n = rugi_glcm_cl_entries(&place.matrix);
            l->most_entries = n > l->most_entries ? n : l->most_entries;
        }
    return RUG_OK;
}

/* Whether the device has memory enough, 32 bits are enough, and the region has a mask. */
static int fits(large *l)
{
    const rugi_glcm_tile *t = &l->region->tile;
    const rugi_glcm_plan *p = l->cl->job->plan;
    uint64_t pixels = (uint64_t)words_of(t) * 64, entries = l->most_entries;
    uint64_t pairs = t->area * p->n_directions * (p->is_frame ? 2 : 1);
    if (t->pixel_row != NULL || pixels >= MOST_PIXELS || entries > MOST_ENTRIES ||
        pairs > UINT32_MAX)
        return 0;
    l->n_table = (size_t)(entries + entries / 2 + 64);
    uint64_t entry_bytes = entries * sizeof *l->device_counts;
    uint64_t other = pixels / 8 + pixels * sizeof(uint16_t) + entry_bytes;
    size_t most = rugi_ocl_piece_max(l->cl->device, 1, other);
    uint64_t table_bytes = ((uint64_t)l->n_table + 1) * sizeof *l->device_counts;
    return table_bytes <= most && entry_bytes <= most && pixels * 2 <= most;
}

static rug_status make_buffer(rug_context *ctx, const large *l, rugi_ocl_buffer **out,
                              size_t n, size_t size, rugi_ocl_access access)
{
    return rugi_ocl_buffer_new(ctx, l->cl->device, out, n, size, access,
                               "a region of co-occurrence");
}

static rug_status make_memory(rug_context *ctx, large *l)
{
    size_t words = words_of(&l->region->tile), entries = (size_t)l->most_entries;
    rug_status status = make_buffer(ctx, l, &l->mask, words, 8, RUGI_OCL_READ);
    if (status == RUG_OK)
        status = make_buffer(ctx, l, &l->rank, words * 64, 2, RUGI_OCL_READ);
    if (status == RUG_OK)
        status = make_buffer(ctx, l, &l->matrix, 1, sizeof(rugi_glcm_cl_matrix),
                             RUGI_OCL_READ);
    if (status == RUG_OK)
        status =
            make_buffer(ctx, l, &l->offset, RUG_GLCM_DIRECTIONS_3D, 16, RUGI_OCL_READ);
    if (status == RUG_OK)
        status = make_buffer(ctx, l, &l->table, l->n_table + 1, 8, RUGI_OCL_READ_WRITE);
    if (status == RUG_OK)
        status = make_buffer(ctx, l, &l->entry, entries, 8, RUGI_OCL_WRITE);
    if (status == RUG_OK)
        status = make_buffer(ctx, l, &l->count, 1, 4, RUGI_OCL_READ_WRITE);
    if (status != RUG_OK)
        return status;
    l->device_counts = rug_context_allocate(ctx, entries, sizeof *l->device_counts,
                                            "entries of a matrix");
    return l->device_counts != NULL ? RUG_OK : RUG_E_NOMEM;
}

static void free_memory(rug_context *ctx, large *l)
{
    rugi_ocl_buffer *all[] = {l->mask,  l->rank,  l->matrix, l->offset,
                              l->table, l->entry, l->count};
    rugi_ocl_wait(ctx, l->cl->device);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_ocl_buffer_free(l->cl->device, all[i]);
    rug_context_release(ctx, l->device_counts);
}

/* Entries of a run, which must fit local memory. */
static uint32_t run_entries(const rugi_glcm_matrix *m, uint32_t n_pixels)
{
    uint64_t n = rugi_glcm_cl_entries(m);
    return n < 2 * n_pixels ? (uint32_t)n : 2 * n_pixels;
}

/* Runs of pixels in local memory, then in the table. */
static rug_status run_runs(rug_context *ctx, const large *l, const rugi_glcm_matrix *m,
                           uint64_t pixels, uint32_t n_pixels, uint32_t n_slots)
{
    const rugi_glcm_cl_kernel *k = &l->cl->runs;
    uint32_t n_table = (uint32_t)l->n_table;
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(l->mask),   rugi_ocl_arg_buffer(l->rank),
        rugi_ocl_arg_buffer(l->matrix), rugi_ocl_arg_buffer(l->offset),
        rugi_ocl_arg_buffer(l->table),  RUGI_OCL_ARG(n_table),
        RUGI_OCL_ARG(n_pixels),         rugi_ocl_arg_local(n_slots * sizeof(uint32_t))};
    size_t n_runs = (size_t)((pixels - 1) / n_pixels + 1);
    size_t items = n_runs * m->n_offsets * k->items;
    return rugi_ocl_run(ctx, l->cl->device, k->kernel, args, sizeof args / sizeof args[0],
                        1, &items, &k->items);
}

static rug_status run_pixels(rug_context *ctx, const large *l, const rugi_glcm_matrix *m,
                             uint64_t pixels)
{
    const rugi_glcm_cl_kernel *k = &l->cl->pixels;
    uint32_t n_table = (uint32_t)l->n_table;
    const rugi_ocl_arg args[] = {
        rugi_ocl_arg_buffer(l->mask),   rugi_ocl_arg_buffer(l->rank),
        rugi_ocl_arg_buffer(l->matrix), rugi_ocl_arg_buffer(l->offset),
        rugi_ocl_arg_buffer(l->table),  RUGI_OCL_ARG(n_table)};
    const size_t items[2] = {ROUND_UP((size_t)pixels, k->items), m->n_offsets};
    const size_t group[2] = {k->items, 1};
    return rugi_ocl_run(ctx, l->cl->device, k->kernel, args, sizeof args / sizeof args[0],
                        2, items, group);
}

static rug_status run_take(rug_context *ctx, const large *l)
{
    const rugi_glcm_cl_kernel *k = &l->cl->take;
    uint32_t n_table = (uint32_t)l->n_table;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(l->table), RUGI_OCL_ARG(n_table),
                                 rugi_ocl_arg_buffer(l->entry),
                                 rugi_ocl_arg_buffer(l->count)};
    size_t items = ROUND_UP(l->n_table + 1, k->items);
    return rugi_ocl_run(ctx, l->cl->device, k->kernel, args, sizeof args / sizeof args[0],
                        1, &items, &k->items);
}

/* Enqueues the counting of a matrix. What it brings to the device must stay until the entries
 * are read. */
static rug_status enqueue(rug_context *ctx, const large *l, rugi_glcm_cl_matrix *c,
                          int32_t (*offsets)[4], const rugi_glcm_matrix *m)
{
    rugi_ocl *device = l->cl->device;
    uint64_t pixels = (uint64_t)words_of(m->tile) * 64;
    uint32_t n_pixels = RUN_PIXELS, most = l->cl->most_slots;
    rugi_glcm_cl_describe(c, l->cl, m);
    rugi_glcm_cl_offsets(offsets, m);
    while (2 * run_entries(m, n_pixels) > most)
        n_pixels /= 2;
    c->first_word = (uint32_t)(m->tile->mask - l->region->tile.mask);
    c->n_slots = 2 * run_entries(m, n_pixels);
    rug_status status = rugi_ocl_write(ctx, device, l->matrix, 0, c, sizeof *c);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, device, l->offset, 0, offsets,
                                m->n_offsets * sizeof *offsets);
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, device, l->table, 0,
                               (l->n_table + 1) * sizeof *l->device_counts);
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, device, l->count, 0, sizeof(uint32_t));
    if (status != RUG_OK)
        return status;
    status = c->rank_bits <= RUN_BITS ? run_runs(ctx, l, m, pixels, n_pixels, c->n_slots)
                                      : run_pixels(ctx, l, m, pixels);
    return status == RUG_OK ? run_take(ctx, l) : status;
}

static rug_status count(rug_context *ctx, const large *l, rugi_glcm_sums *out,
                        const rugi_glcm_matrix *m)
{
    rugi_glcm_cl_matrix described;
    int32_t offsets[RUG_GLCM_DIRECTIONS_3D][4];
    uint32_t n = 0;
    rugi_ocl *device = l->cl->device;
    rug_status status = enqueue(ctx, l, &described, offsets, m);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, l->count, 0, &n, sizeof n);
    if (status == RUG_OK && n > l->most_entries)
        return rugi_glcm_cl_fail_impossible(ctx, l->cl);
    if (status == RUG_OK && n > 0)
        status = rugi_ocl_read(ctx, device, l->entry, 0, l->device_counts,
                               n * sizeof *l->device_counts);
    if (status == RUG_OK)
        status = rugi_glcm_sum_device_counts(l->quiet, &l->cl->workers->counting, out, m,
                                             l->device_counts, n);
    else
        rugi_ocl_wait(ctx, device);
    return status;
}

static rug_status measure_matrix(rug_context *ctx, const large *l,
                                 rugi_glcm_measured *out, uint32_t distance,
                                 size_t matrix)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_place place;
    rugi_glcm_sums sums = {0};
    rug_status status = rugi_glcm_matrix_of(l->quiet, &l->cl->workers->counting, &place,
                                            p, l->region, distance, matrix);
    if (status == RUG_OK && place.matrix.n_offsets > 0 && place.tile.area > 0)
        status = count(ctx, l, &sums, &place.matrix);
    if (status != RUG_OK)
        return status;
    rugi_glcm_finish(out, &sums, p, l->region);
    return rug_context_step(ctx, 1);
}

static rug_status upload_pixels(rug_context *ctx, const large *l)
{
    const rugi_glcm_tile *t = &l->region->tile;
    size_t n = words_of(t);
    rug_status status =
        rugi_ocl_write(ctx, l->cl->device, l->mask, 0, t->mask, n * sizeof *t->mask);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, l->cl->device, l->rank, 0, t->rank,
                                n * 64 * sizeof *t->rank);
    return status;
}

static rug_status measure_all(rug_context *ctx, const large *l, rugi_glcm_row *rows)
{
    const rugi_glcm_plan *p = l->cl->job->plan;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(p, l->region);
    size_t n = all.n_slices * all.n_directions;
    rugi_glcm_measured *measured =
        rugi_glcm_grow(ctx, &l->cl->workers->measured, n, sizeof *measured, "features");
    rug_status status = measured != NULL ? upload_pixels(ctx, l) : RUG_E_NOMEM;
    double share = 1 / (double)n / p->n_distances;
    for (uint32_t d = 0; d < p->n_distances && status == RUG_OK; d++) {
        uint32_t distance = p->distance[d];
        for (size_t k = 0; k < n && status == RUG_OK; k++) {
            double at = (double)(d * n + k) * share;
            RUGI_PHASE(ctx, at, at + share, status,
                       measure_matrix(ctx, l, &measured[k], distance, k));
        }
        if (status == RUG_OK)
            rugi_glcm_rows(rows + d * (p->n_rows / p->n_distances), measured, p,
                           l->region, distance);
    }
    return status;
}

/* By the processor, in the same call. */
static rug_status by_cpu(rug_context *ctx, const rugi_glcm_cl *cl, size_t region,
                         rugi_glcm_row *rows)
{
    rugi_glcm_job job = *cl->job;
    job.first = region;
    job.n = 1;
    job.rows = rows;
    return rugi_glcm_cpu(ctx, &job);
}

rug_status rugi_glcm_cl_large(rug_context *ctx, rugi_glcm_cl *cl, size_t region,
                              rugi_glcm_row *rows)
{
    rug_context quiet = rugi_context_quiet(ctx);
    rugi_glcm_region r;
    large l = {.cl = cl, .quiet = &quiet, .region = &r};
    rug_status status =
        rugi_glcm_cut(&quiet, &cl->workers->region, cl->job->plan, region);
    r = cl->workers->region;
    if (status == RUG_OK)
        status = find_mask(&quiet, cl, &r.tile);
    if (status == RUG_OK)
        status = find_entries(&l);
    if (status == RUG_OK && !fits(&l))
        return by_cpu(ctx, cl, region, rows);
    if (status == RUG_OK) {
        status = make_memory(ctx, &l);
        if (status == RUG_OK)
            status = measure_all(ctx, &l, rows);
        free_memory(ctx, &l);
    }
    if (status == RUG_OK)
        rugi_glcm_cl_sign(cl, rows);
    return status != RUG_OK && quiet.error[0] != '\0'
               ? rug_context_fail(ctx, status, "%s", quiet.error)
               : status;
}
