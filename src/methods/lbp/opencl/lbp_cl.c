/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine: piece by piece the pixels go to the device, and for each operator its
 * counts come back, and codes and bins where they are asked for. */

#include "lbp_kit.h"
#include "lbp_opencl.h"
#include "lbp_pieces.h"
#include <string.h>

/* What a call needs beside the pixels. */
typedef struct work {
    rugi_lbp_kit kit;
    rugi_lbp_pieces pieces;
    rugi_ocl_buffer *codes, *bins, *counts;
    uint32_t
        *piece_counts; /* [kit.n_bins]: bins of all operators, one behind the other */
    uint64_t *sums;
    char *staging; /* codes or bins of a piece that is narrower than the image */
} work;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes that a pixel takes in the buffers of codes and of bins; 0: nobody asks for any. */
static void output_bytes(const rugi_lbp_job *job, size_t *codes, size_t *bins)
{
    *codes = *bins = 0;
    for (uint32_t i = 0; i < job->plan->n_operators; i++) {
        if (job->codes[i] != NULL)
            *codes = larger(*codes, rug_dtype_size(job->plan->op[i].code_dtype));
        if (job->bins[i] != NULL)
            *bins = sizeof *job->bins[i];
    }
}

/* Bytes of the pixels of a piece, so that what it fills fits the device too. */
static size_t fit_piece(const work *w, const rugi_lbp_job *job, size_t most_bytes)
{
    size_t codes, bins, size = rug_dtype_size(w->kit.dtype);
    output_bytes(job, &codes, &bins);
    size_t n_buffers = 1 + (codes + bins + size - 1) / size;
    size_t widest = larger(size, larger(codes, bins));
    uint64_t one = rugi_ocl_facts(w->kit.device)->max_allocation / widest * size;
    most_bytes = smaller(most_bytes, RUGI_LBP_OPENCL_BYTES); /* counts have 32 bits */
    most_bytes = smaller(most_bytes, rugi_ocl_piece_max(w->kit.device, n_buffers, 0));
    return one < most_bytes ? (size_t)one : most_bytes;
}

static rug_status make_outputs(rug_context *ctx, work *w, const rugi_lbp_job *job)
{
    size_t codes, bins, n = w->pieces.side[0] * w->pieces.side[1];
    size_t n_bins = larger(w->kit.n_bins, 1);
    output_bytes(job, &codes, &bins);
    w->piece_counts =
        rug_context_allocate(ctx, n_bins, sizeof *w->piece_counts, "counts of a piece");
    w->sums = rug_context_allocate(ctx, n_bins, sizeof *w->sums, "counts");
    if (w->pieces.n[1] > 1 && larger(codes, bins) > 0)
        w->staging =
            rug_context_allocate(ctx, n, larger(codes, bins), "codes of a piece");
    if (w->piece_counts == NULL || w->sums == NULL ||
        (w->pieces.n[1] > 1 && larger(codes, bins) > 0 && w->staging == NULL))
        return RUG_E_NOMEM;
    memset(w->sums, 0, n_bins * sizeof *w->sums);
    rug_status status =
        rugi_ocl_buffer_new(ctx, w->kit.device, &w->counts, n_bins,
                            sizeof *w->piece_counts, RUGI_OCL_READ_WRITE, "counts");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->kit.device, &w->codes, codes > 0 ? n : 0,
                                     codes, RUGI_OCL_WRITE, "codes");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, w->kit.device, &w->bins, bins > 0 ? n : 0, bins,
                                     RUGI_OCL_WRITE, "bins");
    return status;
}

static void free_outputs(rug_context *ctx, work *w)
{
    rugi_ocl_buffer_free(w->kit.device, w->bins);
    rugi_ocl_buffer_free(w->kit.device, w->codes);
    rugi_ocl_buffer_free(w->kit.device, w->counts);
    rug_context_release(ctx, w->staging);
    rug_context_release(ctx, w->sums);
    rug_context_release(ctx, w->piece_counts);
}

/* Brings what a kernel has written for each pixel to its place in the job.
 * @param out  [to - from][nx] of `size` bytes each */
static rug_status fetch(rug_context *ctx, const work *w, const rugi_lbp_piece *piece,
                        rugi_ocl_buffer *from, void *out, size_t size)
{
    const rugi_lbp_job *job = w->pieces.job;
    size_t nx = job->rows.shape[1] * size;
    size_t n_rows = piece->end[0] - piece->first[0];
    size_t row_bytes = (piece->end[1] - piece->first[1]) * size;
    char *to = (char *)out + (piece->first[0] - job->from) * nx + piece->first[1] * size;
    if (row_bytes == nx)
        return rugi_ocl_read(ctx, w->kit.device, from, 0, to, n_rows * nx);
    rug_status status =
        rugi_ocl_read(ctx, w->kit.device, from, 0, w->staging, n_rows * row_bytes);
    for (size_t y = 0; y < n_rows && status == RUG_OK; y++)
        memcpy(to + y * nx, w->staging + y * row_bytes, row_bytes);
    return status;
}

static rug_status code_operator(rug_context *ctx, work *w, const rugi_lbp_piece *piece,
                                uint32_t op)
{
    const rugi_lbp_job *job = w->pieces.job;
    if (w->kit.tool[op].kernel == NULL)
        return RUG_OK;
    const rugi_lbp_buffers buffers = {w->pieces.pixels, w->codes, w->bins, w->counts};
    rug_status status = rugi_lbp_kit_run(ctx, &w->kit, job, piece, op, &buffers);
    if (status == RUG_OK && job->codes[op] != NULL)
        status = fetch(ctx, w, piece, w->codes, job->codes[op],
                       rug_dtype_size(job->plan->op[op].code_dtype));
    if (status == RUG_OK && job->bins[op] != NULL)
        status = fetch(ctx, w, piece, w->bins, job->bins[op], sizeof *job->bins[op]);
    return status;
}

static rug_status code_piece(rug_context *ctx, work *w, size_t i)
{
    rugi_lbp_piece piece;
    size_t n_bytes = w->kit.n_bins * sizeof *w->piece_counts;
    rug_status status = rugi_lbp_pieces_upload(ctx, &w->pieces, &piece, i);
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, w->kit.device, w->counts, 0, n_bytes);
    for (uint32_t op = 0; op < w->pieces.job->plan->n_operators && status == RUG_OK; op++)
        status = code_operator(ctx, w, &piece, op);
    if (status == RUG_OK)
        status =
            rugi_ocl_read(ctx, w->kit.device, w->counts, 0, w->piece_counts, n_bytes);
    for (size_t b = 0; b < w->kit.n_bins && status == RUG_OK; b++)
        w->sums[b] += w->piece_counts[b];
    return status == RUG_OK ? rug_context_step(ctx, 1) : status;
}

static rug_status code_pieces(rug_context *ctx, work *w)
{
    size_t n = w->pieces.n[0] * w->pieces.n[1];
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)i / (double)n, (double)(i + 1) / (double)n);
        status = code_piece(ctx, w, i);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

static void add_sums(const work *w, const rugi_lbp_job *job)
{
    for (uint32_t i = 0; i < job->plan->n_operators; i++)
        for (uint32_t b = 0; job->counts[i] != NULL && b < job->plan->op[i].n_bins; b++)
            job->counts[i][b] += w->sums[w->kit.tool[i].first_bin + b];
}

static rug_status code_all(rug_context *ctx, work *w, const rugi_lbp_job *job,
                           size_t most_bytes)
{
    rug_status status = rugi_lbp_pieces_new(
        ctx, &w->pieces, w->kit.device, job, w->kit.dtype,
        w->kit.picture == RUGI_LBP_PICTURE_IMAGE, fit_piece(w, job, most_bytes));
    if (status != RUG_OK)
        return status;
    status = make_outputs(ctx, w, job);
    if (status == RUG_OK)
        status = code_pieces(ctx, w);
    if (status == RUG_OK)
        add_sums(w, job);
    rugi_lbp_pieces_free(ctx, &w->pieces);
    free_outputs(ctx, w);
    return status;
}

rug_status rugi_lbp_opencl_by(rug_context *ctx, rugi_lbp_job *job,
                              rugi_lbp_picture picture, size_t most_bytes)
{
    work w = {0};
    rugi_ocl *device;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = rugi_lbp_kit_new(ctx, &w.kit, device, job, picture);
    if (status != RUG_OK)
        return status;
    if (job->from < job->to)
        status = code_all(ctx, &w, job, most_bytes);
    rugi_lbp_kit_free(ctx, &w.kit);
    if (status == RUG_OK)
        job->engine = rugi_ocl_engine_name(device);
    return status;
}

rug_status rugi_lbp_opencl(rug_context *ctx, void *job)
{
    return rugi_lbp_opencl_by(ctx, job, RUGI_LBP_PICTURE_AUTO, RUGI_LBP_OPENCL_BYTES);
}
