/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A frame: the values and the mode of each plane, then rows, of all planes by turns. */

#include "ifs_exact.h"
#include "core/context/context_internal.h"
#include "ifs_exact_row.h"
#include "ifs_exact_values.h"
#include <string.h>

typedef struct job {
    rug_context *ctx;
    int32_t *const *pixels;
    int n_planes;
    const rugi_ifs_exact_frame *frame;
    rugi_ifs_values values[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_exact_plane planes[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_mix_tables tables;
    uint64_t price[RUGI_IFS_EXACT_PLANES]; /* of a trial */
} job;

static rug_status check(rug_context *ctx, int n_planes, const rugi_ifs_exact_frame *f)
{
    if (n_planes < 1 || n_planes > RUGI_IFS_EXACT_PLANES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "exact coding: %d planes given, 1..4 expected", n_planes);
    if (f->nx < 1 || f->nx > 65535 || f->ny < 1 || f->ny > 65535)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "exact coding: %u x %u pixels given, sides of 1..65535 expected", f->nx,
            f->ny);
    for (int i = 0; i < n_planes; i++)
        if (f->depth[i] < 1 || f->depth[i] > RUGI_IFS_EXACT_DEPTH_MAX)
            return rug_context_fail(
                ctx, RUG_E_ARG, "exact coding: a plane of %u bits given, 1..17 expected",
                f->depth[i]);
    return RUG_OK;
}

/* ---- Rows ---- */

static void number_row(const job *j, int i, uint32_t y)
{
    const rugi_ifs_values *v = &j->values[i];
    const int32_t *pixels = j->pixels[i] + (size_t)y * j->frame->nx;
    int32_t *row = j->planes[i].row[0];
    for (uint32_t x = 0; x < j->frame->nx; x++)
        row[x] = v->number != NULL ? v->number[pixels[x] - v->low] : pixels[x] - v->low;
}

static void restore_row(const job *j, int i, uint32_t y)
{
    const rugi_ifs_values *v = &j->values[i];
    int32_t *pixels = j->pixels[i] + (size_t)y * j->frame->nx;
    const int32_t *row = j->planes[i].row[0];
    for (uint32_t x = 0; x < j->frame->nx; x++)
        pixels[x] = v->of != NULL ? v->of[row[x]] : row[x] + v->low;
}

static void code_row(job *j, rugi_ifs_coder *coder, int i, uint32_t y)
{
    const uint64_t before = coder->price;
    rugi_ifs_exact_row_begin(&j->planes[i]);
    if (coder->coding != RUGI_IFS_READ)
        number_row(j, i, y);
    if (j->planes[i].max > 0)
        rugi_ifs_exact_row_code(&j->planes[i], coder);
    else
        memset(j->planes[i].row[0], 0, j->frame->nx * sizeof(int32_t));
    rugi_ifs_exact_row_end(&j->planes[i]);
    if (coder->coding == RUGI_IFS_READ)
        restore_row(j, i, y);
    j->price[i] += coder->price - before;
}

/* Of every `period` rows the first `n`. */
static rug_status code_rows(job *j, rugi_ifs_coder *coder, uint32_t period, uint32_t n)
{
    rug_status status = RUG_OK;
    int n_begun = 0;
    memset(j->price, 0, sizeof j->price);
    while (status == RUG_OK && n_begun < j->n_planes) {
        status = rugi_ifs_exact_plane_begin(j->ctx, &j->planes[n_begun], &j->tables);
        n_begun += status == RUG_OK;
    }
    for (uint32_t y = 0; status == RUG_OK && y < j->frame->ny && !coder->failed; y++)
        for (int i = 0; y % period < n && i < j->n_planes; i++)
            code_row(j, coder, i, y);
    for (int i = 0; i < n_begun; i++)
        rugi_ifs_exact_plane_end(j->ctx, &j->planes[i]);
    return status;
}

/* ---- Modes ---- */

/* How many of 256 pixels are equal to one of the four neighbours before them. */
static uint32_t share_of_matches(const job *j, int i)
{
    const uint32_t nx = j->frame->nx, ny = j->frame->ny;
    uint64_t n = 0, all = (uint64_t)nx * ny;
    for (uint32_t y = 0; y < ny; y++) {
        const int32_t *p = j->pixels[i] + (size_t)y * nx, *above = y > 0 ? p - nx : p;
        for (uint32_t x = 1; x + 1 < nx; x++)
            n += p[x] == p[x - 1] ||
                 (y > 0 &&
                  (p[x] == above[x] || p[x] == above[x + 1] || p[x] == above[x - 1]));
    }
    return (uint32_t)(n * 256 / all);
}

/* The mean difference of pixels side by side decides what is noise. */
static unsigned find_noise(const job *j, int i)
{
    const uint32_t nx = j->frame->nx;
    const size_t n = (size_t)nx * j->frame->ny;
    const rugi_ifs_values *v = &j->values[i];
    uint64_t sum = 0;
    unsigned noise = 0;
    for (size_t k = 1; k < n; k++) {
        const int32_t a = j->pixels[i][k - 1] - v->low, b = j->pixels[i][k] - v->low;
        const int32_t d = v->number != NULL ? v->number[a] - v->number[b] : a - b;
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    while (noise < 8 && (sum >> noise) / n > 31)
        noise++;
    return noise;
}

/* Planes of few matches are smooth, of nearly all are not; of others a quarter of the rows
 * is priced both ways. */
static rug_status choose_modes(job *j)
{
    uint64_t smooth[RUGI_IFS_EXACT_PLANES];
    rugi_ifs_coder trial;
    int is_open[RUGI_IFS_EXACT_PLANES], n_open = 0;
    for (int i = 0; i < j->n_planes; i++) {
        const uint32_t share = share_of_matches(j, i);
        is_open[i] = share >= 154 && share < 250;
        n_open += is_open[i];
        j->planes[i].mode = share >= 250 ? RUGI_IFS_MATCH : RUGI_IFS_SMOOTH;
        j->planes[i].noise = find_noise(j, i);
    }
    if (n_open == 0)
        return RUG_OK;
    rugi_ifs_price_begin(&trial);
    rug_status status = code_rows(j, &trial, 64, 16);
    memcpy(smooth, j->price, sizeof smooth);
    for (int i = 0; i < j->n_planes; i++)
        j->planes[i].mode = is_open[i] ? RUGI_IFS_MATCH : j->planes[i].mode;
    if (status == RUG_OK)
        status = code_rows(j, &trial, 64, 16);
    for (int i = 0; i < j->n_planes; i++)
        if (is_open[i] && smooth[i] <= j->price[i])
            j->planes[i].mode = RUGI_IFS_SMOOTH;
    return status;
}

/* ---- The frame ---- */

static void begin_planes(job *j)
{
    for (int i = 0; i < j->n_planes; i++) {
        rugi_ifs_exact_plane *p = &j->planes[i];
        const int is_colour = j->n_planes >= 3 && i < 3;
        p->nx = j->frame->nx;
        p->max = j->values[i].n - 1;
        p->n_before = is_colour ? i : 0;
        for (int k = 0; k < p->n_before; k++)
            p->before[k] = &j->planes[i - 1 - k];
    }
}

static rug_status find_values(job *j, rugi_ifs_coder *coder)
{
    const size_t n = (size_t)j->frame->nx * j->frame->ny;
    rug_status status = RUG_OK;
    for (int i = 0; i < j->n_planes && status == RUG_OK; i++) {
        const unsigned depth = j->frame->depth[i];
        if (coder->coding != RUGI_IFS_READ)
            status = rugi_ifs_values_find(j->ctx, &j->values[i], j->pixels[i], n, depth);
        if (status == RUG_OK)
            status = rugi_ifs_values_code(j->ctx, &j->values[i], coder, depth);
    }
    return status;
}

static rug_status code_frame(job *j, rugi_ifs_coder *coder)
{
    rug_status status = find_values(j, coder);
    if (status != RUG_OK || coder->failed)
        return status;
    begin_planes(j);
    if (coder->coding != RUGI_IFS_READ)
        status = choose_modes(j);
    for (int i = 0; i < j->n_planes && status == RUG_OK; i++) {
        rugi_ifs_exact_plane *p = &j->planes[i];
        if (p->max == 0)
            continue;
        p->mode = rugi_ifs_code_raw(coder, 1, p->mode == RUGI_IFS_MATCH)
                      ? RUGI_IFS_MATCH
                      : RUGI_IFS_SMOOTH;
        p->noise = rugi_ifs_code_uniform(coder, 9, p->noise);
    }
    return status == RUG_OK ? code_rows(j, coder, 1, 1) : status;
}

rug_status rugi_ifs_code_exact(rug_context *ctx, rugi_ifs_coder *coder,
                               int32_t *const *planes, int n_planes,
                               const rugi_ifs_exact_frame *frame)
{
    rug_status status = check(ctx, n_planes, frame);
    if (status != RUG_OK)
        return status;
    job *j = rugi_allocate_zeros(ctx, 1, sizeof *j, "exact coding");
    if (j == NULL)
        return RUG_E_NOMEM;
    j->ctx = ctx;
    j->pixels = planes;
    j->n_planes = n_planes;
    j->frame = frame;
    rugi_ifs_mix_tables_begin(&j->tables);
    status = code_frame(j, coder);
    for (int i = 0; i < n_planes; i++)
        rugi_ifs_values_free(ctx, &j->values[i]);
    rug_context_release(ctx, j);
    if (status == RUG_OK && coder->failed && coder->coding == RUGI_IFS_READ)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "exact planes: the stream is damaged or cut off");
    return status;
}
