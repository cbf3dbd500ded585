/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine: piece by piece the pixels go to the device, and for each operator its
 * counts come back, and codes and bins where they are asked for. */

#include "core/context/small.h"
#include "core/image/image_internal.h"
#include "lbp_device_kernels.h"
#include "lbp_opencl.h"
#include <string.h>

/* Pixels of a piece along each axis, at least. */
#define LEAST_ROWS    4
#define LEAST_COLUMNS 64

/* And at most: groups along y are counted in 16 bits by some devices. */
#define ROWS_MAX    65535
#define COLUMNS_MAX ((size_t)1 << 28)

/* Rows and columns of a piece that hardware interpolates: places in it are exact. */
#define FILTERED_MAX ((size_t)1 << 15)

/* What a call needs beside the pixels. */
typedef struct work {
    rugi_lbp_device_kernels kernels;
    rugi_ocl_pieces pieces;
    const rugi_lbp_job *job;
    rugi_ocl_buffer *codes, *bins, *counts;
    uint32_t
        *piece_counts; /* [kernels.n_bins]: bins of all operators, one behind the other */
    uint64_t *sums;
    char *staging; /* codes or bins of a piece that is narrower than the image */
} work;

/* Bytes that a pixel takes in the buffers of codes and of bins; 0: none are asked for. */
static void output_bytes(const rugi_lbp_job *job, size_t *codes, size_t *bins)
{
    *codes = *bins = 0;
    for (uint32_t i = 0; i < job->plan->n_operators; i++) {
        if (job->codes[i] != NULL)
            *codes = rugi_larger(*codes, rug_dtype_size(job->plan->op[i].code_dtype));
        if (job->bins[i] != NULL)
            *bins = sizeof *job->bins[i];
    }
}

/* Bytes of the pixels of a piece, so that what it fills fits the device too. */
static size_t fit_piece(const work *w, const rugi_lbp_job *job, size_t most_bytes)
{
    size_t codes, bins, size = rug_dtype_size(w->kernels.dtype);
    output_bytes(job, &codes, &bins);
    size_t n_buffers = 1 + (codes + bins + size - 1) / size;
    size_t widest = rugi_larger(size, rugi_larger(codes, bins));
    uint64_t one = rugi_ocl_facts(w->kernels.device)->max_allocation / widest * size;
    most_bytes =
        rugi_smaller(most_bytes, RUGI_LBP_OPENCL_BYTES); /* counts have 32 bits */
    most_bytes =
        rugi_smaller(most_bytes, rugi_ocl_piece_max(w->kernels.device, n_buffers, 0));
    return one < most_bytes ? (size_t)one : most_bytes;
}

/* ---- The pieces ---- */

/* The largest circle of all operators. */
static void find_reach(rugi_ocl_pieces *p, const rugi_lbp_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        const rugi_lbp_operator *op = &plan->op[i];
        p->halo[1][0] = rugi_larger(p->halo[1][0], op->above);
        p->halo[1][1] = rugi_larger(p->halo[1][1], op->below);
        p->halo[2][0] = rugi_larger(p->halo[2][0], op->before);
        p->halo[2][1] = rugi_larger(p->halo[2][1], op->behind);
    }
    for (int a = 1; a < 3 && plan->is_filtered; a++)
        p->halo[a][1]++; /* read with a weight of 0 */
}

/* Pixels that circles reach on both sides together. */
static size_t reach_along(const rugi_ocl_pieces *p, int axis)
{
    return p->halo[axis][0] + p->halo[axis][1];
}

/* The most of `all` pixels along an axis of a piece that reads at most n; at least one. */
static size_t pixels_along(size_t all, size_t reach, size_t n)
{
    if (n >= all)
        return all;
    return n > reach ? n - reach : 1;
}

/* Whole rows where pieces get more rows than circles reach, else fewer columns: what
 * pieces share is uploaded again for each.
 * @param most  rows and columns of the pixels of a piece */
static void choose_sides(rugi_ocl_pieces *p, const rugi_lbp_job *job,
                         const size_t most[2], size_t most_bytes)
{
    size_t n_rows = job->to - job->from, n_columns = job->rows.shape[1];
    size_t reach_y = reach_along(p, 1), reach_x = reach_along(p, 2);
    size_t rows_max = rugi_smaller(n_rows, ROWS_MAX);
    size_t n_pixels = most_bytes / rug_dtype_size(p->dtype);
    size_t enough = rugi_smaller(rows_max, 2 * reach_y + LEAST_ROWS);
    size_t columns = pixels_along(n_columns, reach_x, most[1]), rows;
    for (;; columns = rugi_larger(columns / 2, LEAST_COLUMNS)) {
        size_t n_read = rugi_smaller(n_columns, columns + reach_x);
        size_t n = rugi_smaller(n_pixels / n_read, most[0]);
        rows = rugi_smaller(rows_max, pixels_along(job->ny, reach_y, n));
        if (rows >= enough || columns <= LEAST_COLUMNS)
            break;
    }
    p->side[0] = 1;
    p->side[1] = rugi_larger(rows, rugi_smaller(n_rows, LEAST_ROWS));
    p->side[2] = columns;
}

/* @param rows  the job's, as a 3D view that stays */
static rug_status make_pieces(rug_context *ctx, work *w, const rug_image *rows,
                              size_t most_bytes)
{
    const rugi_lbp_job *job = w->job;
    size_t most[2] = {COLUMNS_MAX, COLUMNS_MAX};
    rugi_ocl_pieces *p = &w->pieces;
    *p = (rugi_ocl_pieces){.device = w->kernels.device,
                           .source = rows,
                           .dtype = w->kernels.dtype,
                           .first = {0, job->from - job->first_row, 0},
                           .end = {1, job->to - job->first_row, rows->shape[2]},
                           .is_image = w->kernels.picture == RUGI_LBP_PICTURE_IMAGE,
                           .is_filtered = w->kernels.is_filtered,
                           .what = "pixels"};
    if (p->is_image)
        rugi_ocl_image_max(p->device, most, p->dtype, p->is_filtered);
    for (int a = 0; a < 2 && p->is_filtered; a++)
        most[a] = rugi_smaller(most[a], FILTERED_MAX);
    find_reach(p, job->plan);
    choose_sides(p, job, most, most_bytes);
    return rugi_ocl_pieces_new(ctx, p);
}

/* ---- What comes back ---- */

static rug_status make_outputs(rug_context *ctx, work *w, const rugi_lbp_job *job)
{
    size_t codes, bins, n = w->pieces.side[1] * w->pieces.side[2];
    size_t n_bins = rugi_larger(w->kernels.n_bins, 1);
    output_bytes(job, &codes, &bins);
    w->piece_counts =
        rug_context_allocate(ctx, n_bins, sizeof *w->piece_counts, "counts of a piece");
    w->sums = rug_context_allocate(ctx, n_bins, sizeof *w->sums, "counts");
    if (w->pieces.n[2] > 1 && rugi_larger(codes, bins) > 0)
        w->staging =
            rug_context_allocate(ctx, n, rugi_larger(codes, bins), "codes of a piece");
    if (w->piece_counts == NULL || w->sums == NULL ||
        (w->pieces.n[2] > 1 && rugi_larger(codes, bins) > 0 && w->staging == NULL))
        return RUG_E_NOMEM;
    memset(w->sums, 0, n_bins * sizeof *w->sums);
    rug_status status =
        rugi_ocl_buffer_new(ctx, w->kernels.device, &w->counts, n_bins,
                            sizeof *w->piece_counts, RUGI_OCL_READ_WRITE, "counts");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->kernels.device, &w->codes, codes > 0 ? n : 0,
                                     codes, RUGI_OCL_WRITE, "codes");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->kernels.device, &w->bins, bins > 0 ? n : 0,
                                     bins, RUGI_OCL_WRITE, "bins");
    return status;
}

static void free_outputs(rug_context *ctx, work *w)
{
    rugi_ocl_buffer_free(w->kernels.device, w->bins);
    rugi_ocl_buffer_free(w->kernels.device, w->codes);
    rugi_ocl_buffer_free(w->kernels.device, w->counts);
    rug_context_release(ctx, w->staging);
    rug_context_release(ctx, w->sums);
    rug_context_release(ctx, w->piece_counts);
}

/* Brings what a kernel has written for each pixel to its place in the job.
 * @param out  [to - from][nx] of `size` bytes each */
static rug_status fetch(rug_context *ctx, const work *w, const rugi_ocl_piece *piece,
                        rugi_ocl_buffer *from, void *out, size_t size)
{
    const rugi_lbp_job *job = w->job;
    size_t nx = job->rows.shape[1] * size;
    size_t n_rows = piece->shape[1], row_bytes = piece->shape[2] * size;
    size_t row = job->first_row + piece->first[1] - job->from;
    char *to = (char *)out + row * nx + piece->first[2] * size;
    if (row_bytes == nx)
        return rugi_ocl_read(ctx, w->kernels.device, from, 0, to, n_rows * nx);
    rug_status status =
        rugi_ocl_read(ctx, w->kernels.device, from, 0, w->staging, n_rows * row_bytes);
    for (size_t y = 0; y < n_rows && status == RUG_OK; y++)
        memcpy(to + y * nx, w->staging + y * row_bytes, row_bytes);
    return status;
}

static rug_status code_operator(rug_context *ctx, work *w, const rugi_ocl_piece *piece,
                                uint32_t op)
{
    const rugi_lbp_job *job = w->job;
    if (w->kernels.of[op].kernel == NULL)
        return RUG_OK;
    const rugi_lbp_buffers buffers = {w->pieces.pixels[0], w->codes, w->bins, w->counts};
    rug_status status =
        rugi_lbp_device_kernels_run(ctx, &w->kernels, job, piece, op, &buffers);
    if (status == RUG_OK && job->codes[op] != NULL)
        status = fetch(ctx, w, piece, w->codes, job->codes[op],
                       rug_dtype_size(job->plan->op[op].code_dtype));
    if (status == RUG_OK && job->bins[op] != NULL)
        status = fetch(ctx, w, piece, w->bins, job->bins[op], sizeof *job->bins[op]);
    return status;
}

static rug_status code_piece(rug_context *ctx, void *user, const rugi_ocl_piece *piece)
{
    work *w = user;
    size_t n_bytes = w->kernels.n_bins * sizeof *w->piece_counts;
    rug_status status = rugi_ocl_zero(ctx, w->kernels.device, w->counts, 0, n_bytes);
    for (uint32_t op = 0; op < w->job->plan->n_operators && status == RUG_OK; op++)
        status = code_operator(ctx, w, piece, op);
    if (status == RUG_OK)
        status =
            rugi_ocl_read(ctx, w->kernels.device, w->counts, 0, w->piece_counts, n_bytes);
    for (size_t b = 0; b < w->kernels.n_bins && status == RUG_OK; b++)
        w->sums[b] += w->piece_counts[b];
    return status;
}

static void add_sums(const work *w, const rugi_lbp_job *job)
{
    for (uint32_t i = 0; i < job->plan->n_operators; i++)
        for (uint32_t b = 0; job->counts[i] != NULL && b < job->plan->op[i].n_bins; b++)
            job->counts[i][b] += w->sums[w->kernels.of[i].first_bin + b];
}

static rug_status code_all(rug_context *ctx, work *w, size_t most_bytes)
{
    const rug_image rows = rugi_image_with_z(&w->job->rows);
    rug_status status = make_pieces(ctx, w, &rows, fit_piece(w, w->job, most_bytes));
    if (status != RUG_OK)
        return status;
    status = make_outputs(ctx, w, w->job);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, &w->pieces, code_piece, w);
    if (status == RUG_OK)
        add_sums(w, w->job);
    rugi_ocl_pieces_free(ctx, &w->pieces);
    free_outputs(ctx, w);
    return status;
}

rug_status rugi_lbp_opencl_by(rug_context *ctx, rugi_lbp_job *job,
                              const rugi_lbp_way *way)
{
    work w = {.job = job};
    rugi_ocl *device;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = rugi_lbp_device_kernels_new(ctx, &w.kernels, device, job, way);
    if (status != RUG_OK)
        return status;
    if (job->from < job->to)
        status = code_all(ctx, &w, way->most_bytes);
    rugi_lbp_device_kernels_free(ctx, &w.kernels);
    if (status == RUG_OK)
        job->engine = rugi_ocl_engine_name(device);
    return status;
}

rug_status rugi_lbp_opencl(rug_context *ctx, void *job)
{
    static const rugi_lbp_way chosen = {.most_bytes = RUGI_LBP_OPENCL_BYTES};
    return rugi_lbp_opencl_by(ctx, job, &chosen);
}
