/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Two tables of Gipp et al. (2009), "Haralick's texture features computed by GPUs for biological
 * applications", IAENG IJCS 36(1), anew. Table 1: how small a matrix becomes without the grey
 * levels that do not occur, of noisy and of smooth cells. Table 4: which share of the time each
 * step takes, by packed matrices as in the paper, by the processor's way, and on an OpenCL
 * device. Results that differ end the program. Arguments: 14 (the tables), the device (default
 * opencl), and the number of runs (default 3), of which the fastest counts. */

#include "bench.h"
#include "bench_cells.h"
#include "bench_glcm_packed.h"
#include "glcm/measure/glcm_measure.h"
#include <math.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NY           ((size_t)1024)
#define NX           ((size_t)1344)
#define N_CELLS      ((size_t)300)
#define N_DISTANCES  5
#define N_DIRECTIONS RUG_GLCM_DIRECTIONS_2D
#define N_MATRICES   ((size_t)(N_DISTANCES * N_DIRECTIONS))
#define N_FEATURES   13

/* Of 12 bits. */
#define FULL_LEVELS 4096.0

/* Cells that packed matrices are made of, and how much more there are. */
#define SAMPLE 10

/* Features, relative to the larger of them and 1; f13 is a root of a difference. */
#define BOUND 1e-7

static const uint32_t distances[N_DISTANCES] = {1, 2, 3, 4, 5};

/* An image and its cells. */
typedef struct scene {
    uint16_t *pixels, *labels;
    size_t ny, nx;
    rug_image image, regions;
} scene;

static void check(const rug_context *ctx, rug_status status)
{
    if (status == RUG_OK)
        return;
    fprintf(stderr, "bench_glcm_paper: %s\n", rug_context_error(ctx));
    exit(1);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void view(rug_context *ctx, scene *s)
{
    const size_t shape[] = {s->ny, s->nx};
    check(ctx, rug_image_view(ctx, &s->image, s->pixels, RUG_U16, 2, shape));
    check(ctx, rug_image_view(ctx, &s->regions, s->labels, RUG_U16, 2, shape));
}

static rug_glcm_options options_of(rug_source *labels, const scene *s)
{
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = rug_source_of_image(labels, &s->regions);
    opts.distances = distances;
    opts.n_distances = N_DISTANCES;
    opts.features = RUG_GLCM_FEATURES_13;
    opts.aggregate = RUG_GLCM_AGGREGATE_NONE;
    return opts;
}

/* ---- Scenes ---- */

static uint16_t *read_u16(rug_context *ctx, const char *path, size_t *ny, size_t *nx)
{
    rug_file *file;
    check(ctx, rug_file_read(ctx, &file, path, NULL));
    const rug_image *img = rug_file_image(file);
    *ny = img->shape[0];
    *nx = img->shape[1];
    uint16_t *out = bench_allocate(*ny * *nx * sizeof *out);
    for (size_t y = 0; y < *ny; y++)
        for (size_t x = 0; x < *nx; x++) {
            const char *at = (const char *)img->data + (ptrdiff_t)y * img->stride[0] +
                             (ptrdiff_t)x * img->stride[1];
            if (img->dtype == RUG_U8)
                out[y * *nx + x] = *(const uint8_t *)at;
            else
                memcpy(&out[y * *nx + x], at, sizeof *out);
        }
    rug_file_free(file);
    return out;
}

static scene read_scene(rug_context *ctx)
{
    scene s;
    s.pixels = read_u16(ctx, BENCH_DATA "/bbbc022_ch0.png", &s.ny, &s.nx);
    s.labels = read_u16(ctx, BENCH_DATA "/bbbc022_labels.png", &s.ny, &s.nx);
    view(ctx, &s);
    return s;
}

static scene draw_scene(rug_context *ctx, double grain)
{
    scene s = {.ny = NY, .nx = NX};
    s.pixels = bench_draw_surface(NY, NX, 2800, grain);
    s.labels = bench_draw_discs(NY, NX, 15, 20, 25);
    view(ctx, &s);
    return s;
}

/* Weights of a Gaussian with a standard deviation of 2 pixels. */
#define BLUR_REACH 6
static const double *blur_weights(void)
{
    static double w[2 * BLUR_REACH + 1];
    double sum = 0;
    for (int k = -BLUR_REACH; k <= BLUR_REACH; k++)
        sum += w[k + BLUR_REACH] = exp(-k * k / 8.0);
    for (int k = 0; k <= 2 * BLUR_REACH; k++)
        w[k] /= sum;
    return w;
}

static size_t clamp(size_t at, int k, size_t n)
{
    long v = (long)at + k;
    return v < 0 ? 0 : v >= (long)n ? n - 1 : (size_t)v;
}

/* Smooths an image; its edges go on. */
static void blur(scene *s)
{
    const double *w = blur_weights();
    double *half = bench_allocate(s->ny * s->nx * sizeof *half);
    for (size_t y = 0; y < s->ny; y++)
        for (size_t x = 0; x < s->nx; x++) {
            half[y * s->nx + x] = 0;
            for (int k = -BLUR_REACH; k <= BLUR_REACH; k++)
                half[y * s->nx + x] +=
                    w[k + BLUR_REACH] * s->pixels[y * s->nx + clamp(x, k, s->nx)];
        }
    for (size_t y = 0; y < s->ny; y++)
        for (size_t x = 0; x < s->nx; x++) {
            double v = 0.5;
            for (int k = -BLUR_REACH; k <= BLUR_REACH; k++)
                v += w[k + BLUR_REACH] * half[clamp(y, k, s->ny) * s->nx + x];
            s->pixels[y * s->nx + x] = (uint16_t)v;
        }
    free(half);
}

static void free_scene(scene *s)
{
    free(s->pixels);
    free(s->labels);
}

static uint16_t largest_label(const scene *s)
{
    static size_t area[65536];
    size_t best = 1;
    memset(area, 0, sizeof area);
    for (size_t i = 0; i < s->ny * s->nx; i++)
        area[s->labels[i]]++;
    for (size_t v = 1; v < 65536; v++)
        best = area[v] > area[best] ? v : best;
    return (uint16_t)best;
}

/* ---- Packed matrices ---- */

/* The rows of the library, in its order. */
typedef struct kept_rows {
    double (*features)[N_FEATURES];
    size_t n;
} kept_rows;

static rug_status keep(void *user, const rug_glcm_row *row)
{
    kept_rows *rows = user;
    memcpy(rows->features[rows->n++], row->features, N_FEATURES * sizeof(double));
    return RUG_OK;
}

static kept_rows measure(rug_context *ctx, const scene *s, size_t n_cells)
{
    rug_source labels = RUG_SOURCE_INIT;
    rug_glcm_options opts = options_of(&labels, s);
    kept_rows rows = {bench_allocate(n_cells * N_MATRICES * sizeof *rows.features), 0};
    check(ctx, rug_glcm(ctx, &s->image, &opts, keep, &rows));
    return rows;
}

static void compare(const double *got, const double *expected)
{
    for (int f = 0; f < N_FEATURES; f++)
        if (!(fabs(got[f] - expected[f]) <= BOUND * fmax(1, fabs(expected[f])))) {
            fprintf(stderr, "bench_glcm_paper: f%d is %.12g and %.12g\n", f + 1, got[f],
                    expected[f]);
            exit(1);
        }
}

/* All matrices of a cell. @return entries that are not 0, of all of them */
static size_t measure_packed(rug_context *ctx, packed_cell *cell,
                             const double (*expected)[N_FEATURES])
{
    double features[RUG_GLCM_N_FEATURES];
    size_t n_entries = 0;
    for (uint32_t d = 0; d < N_DISTANCES; d++)
        for (uint32_t k = 0; k < N_DIRECTIONS; k++) {
            int step[3], far = (int)distances[d];
            check(ctx, rug_glcm_direction(ctx, step, 2, k));
            packed_measure(cell, far * step[1], far * step[2], features);
            compare(features, expected[d * N_DIRECTIONS + k]);
            n_entries += cell->n_entries;
        }
    return n_entries;
}

static double sum_of(const double *seconds, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += seconds[i];
    return sum;
}

/* ---- Table 1 ---- */

/* The library's seconds for a cell alone: the others are no labels. */
static double time_cell(rug_context *ctx, const scene *s, uint16_t label, int n_runs)
{
    scene alone = *s;
    double best = 1e30;
    alone.labels = bench_allocate(s->ny * s->nx * sizeof *alone.labels);
    for (size_t i = 0; i < s->ny * s->nx; i++)
        alone.labels[i] = s->labels[i] == label;
    view(ctx, &alone);
    rug_source labels = RUG_SOURCE_INIT;
    rug_glcm_options opts = options_of(&labels, &alone);
    rugi_glcm_plan plan;
    check(ctx,
          rugi_glcm_plan_new(
              ctx, &plan, rug_source_of_image(&(rug_source)RUG_SOURCE_INIT, &alone.image),
              &opts, 0));
    for (int i = 0; i < n_runs; i++) {
        struct rugi_glcm_workers *workers;
        rugi_glcm_row rows[N_MATRICES];
        check(ctx, rugi_glcm_workers_new(ctx, &workers, 1));
        rugi_glcm_job job = {.plan = &plan, .n = 1, .rows = rows, .workers = workers};
        double t = bench_now();
        check(ctx, rugi_glcm_cpu(ctx, &job));
        best = smaller(best, bench_now() - t);
        rugi_glcm_workers_free(ctx, workers);
    }
    rugi_glcm_plan_free(ctx, &plan);
    free(alone.labels);
    return best;
}

/* Cells of lower labels. */
static size_t labels_below(const scene *s, size_t label)
{
    static uint8_t is_there[65536];
    size_t n = 0;
    memset(is_there, 0, sizeof is_there);
    for (size_t i = 0; i < s->ny * s->nx; i++)
        is_there[s->labels[i]] = 1;
    for (size_t v = 1; v < label; v++)
        n += is_there[v];
    return n;
}

static void print_cell(rug_context *ctx, const char *name, const scene *s, uint16_t label,
                       int n_runs)
{
    packed_cell cell;
    size_t n_entries = 0;
    double best = 1e30;
    kept_rows rows = measure(ctx, s, labels_below(s, UINT16_MAX) + 1);
    size_t before = labels_below(s, label);
    packed_cell_new(&cell, s->pixels, s->labels, s->ny, s->nx, label);
    for (int i = 0; i < n_runs; i++) {
        memset(cell.seconds, 0, sizeof cell.seconds);
        n_entries = measure_packed(
            ctx, &cell, (const double(*)[N_FEATURES])rows.features + before * N_MATRICES);
        best = smaller(best, sum_of(cell.seconds, PACKED_N_STEPS));
    }
    double n = (double)cell.n_levels, full = FULL_LEVELS * FULL_LEVELS;
    double entries = (double)n_entries / (double)N_MATRICES;
    printf("%s\t%zu\t%zu\t%.0f\t%.0f\t%.3f\t%.0f\t%.3f\t%.4f\t%.6f\t%.6f\n", name,
           cell.n_pixels, cell.n_levels, full, n * n, n * n / full * 100, entries,
           entries / (n * n) * 100, entries / full * 100, best,
           time_cell(ctx, s, label, n_runs));
    packed_cell_free(&cell);
    free(rows.features);
}

static void table_1(rug_context *ctx, int n_runs)
{
    printf("cell\tpixels\tlevels\tfull_entries\tpacked_entries\tpacked_percent\tnonzero\t"
           "nonzero_percent_of_packed\tnonzero_percent_of_full\tpacked_seconds\t"
           "rugose_seconds\n");
    scene s = read_scene(ctx);
    uint16_t label = largest_label(&s);
    print_cell(ctx, "nucleus, as recorded", &s, label, n_runs);
    blur(&s);
    print_cell(ctx, "nucleus, blurred", &s, label, n_runs);
    free_scene(&s);
    s = draw_scene(ctx, 1200);
    print_cell(ctx, "drawn cell, noisy", &s, 1, n_runs);
    blur(&s);
    print_cell(ctx, "drawn cell, blurred", &s, 1, n_runs);
    free_scene(&s);
}

/* ---- Table 4 ---- */

static void print_share(const char *way, const char *step, double seconds, double whole)
{
    printf("%s\t%s\t%.6f\t%.2f\n", way, step, seconds, seconds / whole * 100);
}

static void print_shares(const char *way, const char *const *steps, const double *seconds,
                         size_t n)
{
    double whole = sum_of(seconds, n);
    for (size_t i = 0; i < n; i++)
        print_share(way, steps[i], seconds[i], whole);
    print_share(way, "all", whole, whole);
}

static void share_packed(rug_context *ctx, const scene *s, int n_runs)
{
    double best[PACKED_N_STEPS];
    kept_rows rows = measure(ctx, s, N_CELLS);
    for (int i = 0; i < PACKED_N_STEPS; i++)
        best[i] = 1e30;
    for (int run = 0; run < n_runs; run++) {
        double seconds[PACKED_N_STEPS] = {0};
        for (size_t i = 0; i < SAMPLE; i++) {
            packed_cell cell;
            size_t label = i * (N_CELLS / SAMPLE) + 1;
            packed_cell_new(&cell, s->pixels, s->labels, s->ny, s->nx, (uint16_t)label);
            measure_packed(ctx, &cell,
                           (const double(*)[N_FEATURES])rows.features +
                               (label - 1) * N_MATRICES);
            for (int k = 0; k < PACKED_N_STEPS; k++)
                seconds[k] += cell.seconds[k] * (double)(N_CELLS / SAMPLE);
            packed_cell_free(&cell);
        }
        for (int k = 0; k < PACKED_N_STEPS; k++)
            best[k] = smaller(best[k], seconds[k]);
    }
    free(rows.features);
    print_shares("packed matrices, 1 thread", packed_step_names, best, PACKED_N_STEPS);
}

/* What the processor's way does one after the other. */
enum { CUT, LIST, COUNT, FINISH, N_CPU_STEPS };

static const char *const cpu_steps[] = {
    "cells cut out, levels ranked", "pairs listed",
    "pairs counted, with f1, f9, sums over i - j, i + j", "features of the sums"};

/* Memory of one thread. */
typedef struct thread_memory {
    rugi_glcm_counting listing, counting;
    rugi_glcm_region region;
} thread_memory;

static void share_region(rug_context *ctx, const rugi_glcm_plan *plan, thread_memory *m,
                         size_t i, double seconds[N_CPU_STEPS])
{
    double t = bench_now();
    check(ctx, rugi_glcm_cut(ctx, &m->region, plan, i));
    seconds[CUT] += bench_now() - t;
    for (size_t k = 0; k < N_MATRICES; k++) {
        rugi_glcm_place place;
        rugi_glcm_sums sums = {0};
        rugi_glcm_measured measured;
        check(ctx, rugi_glcm_matrix_of(ctx, &m->counting, &place, plan, &m->region,
                                       distances[k / N_DIRECTIONS], k % N_DIRECTIONS));
        double a = bench_now();
        check(ctx,
              rugi_glcm_list_all(ctx, &m->listing, &place.matrix, RUGI_GLCM_TRIANGLE, 1));
        double b = bench_now();
        check(ctx, rugi_glcm_count(ctx, &m->counting, &sums, &place.matrix));
        double c = bench_now();
        rugi_glcm_finish(&measured, &sums, plan, &m->region);
        seconds[LIST] += b - a;
        seconds[COUNT] += (c - b) - (b - a);
        seconds[FINISH] += bench_now() - c;
    }
}

static void share_cpu(rug_context *ctx, const rugi_glcm_plan *plan, int n_runs)
{
    double best[N_CPU_STEPS] = {1e30, 1e30, 1e30, 1e30};
    thread_memory m;
    memset(&m, 0, sizeof m);
    for (int run = 0; run <= n_runs; run++) { /* the first makes memory */
        double seconds[N_CPU_STEPS] = {0};
        for (size_t i = 0; i < plan->n_regions; i++)
            share_region(ctx, plan, &m, i, seconds);
        for (int k = 0; k < N_CPU_STEPS && run > 0; k++)
            best[k] = smaller(best[k], seconds[k]);
    }
    rugi_glcm_counting_free(ctx, &m.listing);
    rugi_glcm_counting_free(ctx, &m.counting);
    rugi_glcm_region_free(ctx, &m.region);
    print_shares("rugose, 1 thread", cpu_steps, best, N_CPU_STEPS);
}

/* What the library takes for f14 besides. */
static void share_f14(rug_context *ctx, const scene *s)
{
    rug_source labels = RUG_SOURCE_INIT;
    rug_glcm_options opts = options_of(&labels, s);
    double seconds[2];
    kept_rows rows = {bench_allocate(N_CELLS * N_MATRICES * sizeof *rows.features), 0};
    for (int i = 0; i < 2; i++) {
        opts.features = i == 0 ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_14;
        rows.n = 0;
        double t = bench_now();
        check(ctx, rug_glcm(ctx, &s->image, &opts, keep, &rows));
        seconds[i] = bench_now() - t;
    }
    free(rows.features);
    print_share("rugose with f14, 1 thread", "f1 to f13", seconds[0], seconds[1]);
    print_share("rugose with f14, 1 thread", "f14", seconds[1] - seconds[0], seconds[1]);
}

/* Device times of all cells, by entries or by sums. */
static double time_device(rug_context *ctx, const rugi_glcm_plan *plan, int with_sums,
                          rug_device_times *times)
{
    rugi_glcm_job job = {.plan = plan, .n = plan->n_regions};
    job.rows = bench_allocate(job.n * plan->n_rows * sizeof *job.rows);
    *times = (rug_device_times)RUG_DEVICE_TIMES_INIT;
    check(ctx, rug_devices_take_times(ctx, times));
    double t = bench_now();
    check(ctx, rugi_glcm_opencl_pieces(ctx, &job, (size_t)1 << 27, 1 << 14, with_sums));
    t = bench_now() - t;
    check(ctx, rug_devices_take_times(ctx, times));
    free(job.rows);
    return t;
}

static void share_device(rug_context *ctx, const rugi_glcm_plan *plan, int n_runs)
{
    static const char *const steps[] = {"upload", "kernel: pairs counted, entries",
                                        "kernel: sums of the matrix, marginals, i + j",
                                        "download", "processor: cells cut out, features"};
    double best[2][4] = {{1e30, 1e30, 1e30, 1e30}, {1e30, 1e30, 1e30, 1e30}};
    for (int run = 0; run <= n_runs; run++) /* the first builds programs */
        for (int k = 0; k < 2; k++) {
            rug_device_times t;
            double whole = time_device(ctx, plan, k, &t);
            double now[] = {t.upload_seconds, t.kernel_seconds, t.download_seconds,
                            whole - t.upload_seconds - t.kernel_seconds -
                                t.download_seconds};
            for (int i = 0; i < 4 && run > 0; i++)
                best[k][i] = smaller(best[k][i], now[i]);
        }
    const double *e = best[0], *s = best[1];
    print_shares("OpenCL, entries",
                 (const char *const[]){steps[0], steps[1], steps[3], steps[4]}, e, 4);
    print_shares("OpenCL, sums", steps,
                 (const double[]){s[0], e[1], s[1] - e[1], s[2], s[3]}, 5);
}

static void table_4(rug_context *ctx, const char *device, int n_runs)
{
    scene s = draw_scene(ctx, 1200);
    rug_source labels = RUG_SOURCE_INIT, image = RUG_SOURCE_INIT;
    rug_glcm_options opts = options_of(&labels, &s);
    rugi_glcm_plan plan;
    printf("way\tstep\tseconds\tpercent\n");
    check(ctx, rugi_glcm_plan_new(ctx, &plan, rug_source_of_image(&image, &s.image),
                                  &opts, 0));
    share_packed(ctx, &s, n_runs);
    share_cpu(ctx, &plan, n_runs);
    share_f14(ctx, &s);
    if (rug_context_set_device(ctx, device) != RUG_OK)
        printf("# OpenCL is left out: %s\n", rug_context_error(ctx));
    else
        share_device(ctx, &plan, n_runs);
    rugi_glcm_plan_free(ctx, &plan);
    free_scene(&s);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "14";
    const char *device = argc > 2 ? argv[2] : "opencl";
    int n_runs = argc > 3 ? atoi(argv[3]) : 3;
    rug_context *ctx;
    if (n_runs < 1 || strspn(which, "14") != strlen(which) ||
        rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_glcm_paper [14 [DEVICE [RUNS]]]\n");
        return 2;
    }
    check(ctx, rug_context_set_threads(ctx, 1));
    if (strchr(which, '1') != NULL)
        table_1(ctx, n_runs);
    if (strchr(which, '4') != NULL)
        table_4(ctx, device, n_runs);
    rug_context_free(ctx);
    return 0;
}
