/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of points against sorting their Morton keys, which others have to do before
 * they count, and against the paper's counting, a pass over sorted keys for each size, in
 * the same run. Keys are ready and given to the references for nothing. Our time is that
 * of the whole call, in rows of "points", and of the sort and the scan of the same keys
 * alone, in rows of "keys". Arguments: the number of interleaved runs (default 5) and a text that
 * the printed cases must contain (default all). */

#include "bench.h"
#include "boxcount/hou/boxcount_scan.h"
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_std_sort(uint64_t *keys, size_t n); /* bench_sort.cpp */

#define N_POINTS ((size_t)10000000)

/* Points a second and thread that a bitmap is to take. */
#define BITMAP_RATE 250e6

static volatile uint64_t keep;

typedef struct point_set {
    const char *name;
    unsigned bits; /* per axis */
    size_t n;
    uint32_t *xyz; /* [n][3] */
    uint64_t *keys, *sorted, *scratch;
} point_set;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t spread_bits(uint64_t v)
{
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}

static void make_keys(point_set *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->keys[i] = spread_bits(s->xyz[3 * i + 2]) |
                     spread_bits(s->xyz[3 * i + 1]) << 1 |
                     spread_bits(s->xyz[3 * i]) << 2;
}

static void fill_uniform(point_set *s)
{
    uint64_t rng = 1;
    for (size_t i = 0; i < 3 * s->n; i++)
        s->xyz[i] = (uint32_t)(next_random(&rng) >> (64 - s->bits));
}

/* The chaos game on the corners of a tetrahedron. */
static void fill_tetrahedron(point_set *s)
{
    uint64_t rng = 2;
    uint32_t p[3] = {0, 0, 0}, half = (uint32_t)1 << (s->bits - 1);
    for (size_t i = 0; i < s->n; i++) {
        uint64_t corner = next_random(&rng) & 3;
        for (uint64_t a = 0; a < 3; a++) {
            p[a] = p[a] / 2 + (corner == a ? half : 0);
            s->xyz[3 * i + a] = p[a];
        }
    }
}

/* A thick shell, in the order of a scan. */
static void fill_shell(point_set *s)
{
    int64_t side = (int64_t)1 << s->bits;
    size_t n = 0;
    for (int64_t z = 0; z < side && n < s->n; z++)
        for (int64_t y = 0; y < side && n < s->n; y++)
            for (int64_t x = 0; x < side && n < s->n; x++) {
                int64_t dx = 2 * x - side, dy = 2 * y - side, dz = 2 * z - side;
                int64_t r = (dx * dx + dy * dy + dz * dz) * 100 / side / side;
                if (r < 70 || r >= 95)
                    continue;
                s->xyz[3 * n] = (uint32_t)z;
                s->xyz[3 * n + 1] = (uint32_t)y;
                s->xyz[3 * n++ + 2] = (uint32_t)x;
            }
    s->n = n;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Hou's counting as the paper has it: for each size the keys are shifted and neighbours
 * are compared; a box is black when its run has all its cells. */
static uint64_t count_by_passes(const uint64_t *keys, size_t n, unsigned bits)
{
    uint64_t sum = 0;
    for (unsigned shift = 0; shift < 3 * bits; shift += 3) {
        uint64_t boxes = 0, black = 0, run = 0, cell = ~keys[0], box = ~keys[0];
        for (size_t i = 0; i < n; i++) {
            if (keys[i] == cell)
                continue;
            cell = keys[i];
            if (cell >> shift != box) {
                black += run >> shift == 1;
                run = 0;
                boxes++;
                box = cell >> shift;
            }
            run++;
        }
        sum += boxes + black;
    }
    return sum;
}

typedef struct times {
    double ours[2];    /* on one thread, and on two */
    double sort, scan; /* of keys, on one thread */
    double qsort_keys, std_sort, passes;
    double busy_least, busy_most; /* of the best run on two threads */
} times;

static void keep_best(double *best, double began)
{
    double t = bench_now() - began;
    *best = t < *best ? t : *best;
}

static void time_ours(rug_context *ctx, const point_set *s, times *t)
{
    rug_points p = {s->xyz, RUG_U32, s->n, 3, {12, 4}};
    rug_boxcount_result *r;
    for (int k = 0; k < 2; k++) {
        double before = t->ours[k], began;
        rug_context_set_threads(ctx, k + 1);
        began = bench_now();
        if (rug_boxcount_points(ctx, &r, &p, NULL) != RUG_OK) {
            fprintf(stderr, "bench_points: %s\n", rug_context_error(ctx));
            exit(1);
        }
        keep_best(&t->ours[k], began);
        const rug_boxcount_facts *facts = rug_boxcount_get_facts(r);
        keep = rug_boxcount_at(r, 0)->nonempty;
        if (k == 1 && t->ours[k] < before) {
            t->busy_least = facts->busy_least;
            t->busy_most = facts->busy_most;
        }
        rug_boxcount_free(r);
    }
}

static void time_keys(rug_context *ctx, const point_set *s, times *t)
{
    static rugi_key_counts counts;
    double began;
    rug_context_set_threads(ctx, 1);
    memcpy(s->sorted, s->keys, s->n * sizeof *s->keys);
    began = bench_now();
    rug_status status =
        rugi_sort_u64(ctx, s->sorted, s->scratch, s->n, 3 * s->bits, NULL);
    keep_best(&t->sort, began);
    began = bench_now();
    if (status != RUG_OK || rugi_scan_u64(ctx, &counts, s->sorted, s->n, 3 * s->bits, 3,
                                          0x1249249249249249, NULL) != RUG_OK) {
        fprintf(stderr, "bench_points: %s\n", rug_context_error(ctx));
        exit(1);
    }
    keep_best(&t->scan, began);
    keep = counts.nonempty[0];
}

static void time_references(const point_set *s, times *t, int with_qsort)
{
    double began;
    if (with_qsort) {
        memcpy(s->sorted, s->keys, s->n * sizeof *s->keys);
        began = bench_now();
        qsort(s->sorted, s->n, sizeof *s->sorted, by_value);
        keep_best(&t->qsort_keys, began);
    }
#ifdef BENCH_HAVE_STD_SORT
    memcpy(s->sorted, s->keys, s->n * sizeof *s->keys);
    began = bench_now();
    bench_std_sort(s->sorted, s->n);
    keep_best(&t->std_sort, began);
#endif
    began = bench_now();
    keep = count_by_passes(s->sorted, s->n, s->bits);
    keep_best(&t->passes, began);
}

static times measure(rug_context *ctx, const point_set *s, int n_runs)
{
    times t = {{1e30, 1e30}, 1e30, 1e30, 1e30, 1e30, 1e30, 0, 0};
    for (int k = 0; k < n_runs; k++) {
        time_ours(ctx, s, &t);
        time_keys(ctx, s, &t);
        time_references(s, &t, k < 2);
    }
    return t;
}

static void print_key_rows(const point_set *s, const times *t, double target)
{
    char name[128];
    snprintf(name, sizeof name, "sort of keys, %s, %zu, %u bits, 1 thread", s->name, s->n,
             3 * s->bits);
    bench_row(name, t->sort, "qsort", t->qsort_keys, target);
#ifdef BENCH_HAVE_STD_SORT
    bench_row(name, t->sort, "std::sort", t->std_sort, target);
#endif
    snprintf(name, sizeof name, "scan of keys, %s, %zu, %u bits, 1 thread", s->name, s->n,
             3 * s->bits);
    bench_row(name, t->scan, "a pass for each size", t->passes, 5);
}

static void print_rows(const point_set *s, const times *t, int is_bitmap)
{
    for (int k = 0; k < 2; k++) {
        char name[128];
        snprintf(name, sizeof name, "points %s, %zu, %u bits, %d thread%s", s->name, s->n,
                 3 * s->bits, k + 1, k > 0 ? "s" : "");
        bench_row(name, t->ours[k], "qsort of the keys", t->qsort_keys, 0);
#ifdef BENCH_HAVE_STD_SORT
        bench_row(name, t->ours[k], "std::sort of the keys", t->std_sort, 0);
        bench_row(name, t->ours[k], "std::sort, a pass for each size",
                  t->std_sort + t->passes, 0);
#endif
        bench_row(name, t->ours[k], "the passes alone", t->passes, 0);
        if (is_bitmap)
            bench_row(name, t->ours[k], "250 million points a second and thread",
                      (double)s->n / BITMAP_RATE / (k + 1), 1);
    }
    printf("# two threads worked %.3f and %.3f ms\n", t->busy_least * 1e3,
           t->busy_most * 1e3);
}

/* The foreground of a volume of the shared data, in the order of its rows. */
static int fill_volume(rug_context *ctx, point_set *s, const char *folder)
{
    char path[512];
    rug_file *file = NULL;
    snprintf(path, sizeof path, "%s/volumes/%s.nii.gz", folder, s->name);
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK) {
        printf("# %s is left out: %s\n", s->name, rug_context_error(ctx));
        return 0;
    }
    const rug_image *img = rug_file_image(file);
    size_t n = 0;
    for (size_t z = 0; z < img->shape[0]; z++)
        for (size_t y = 0; y < img->shape[1]; y++)
            for (size_t x = 0; x < img->shape[2] && n < N_POINTS; x++) {
                const uint8_t *cell =
                    (const uint8_t *)img->data + (ptrdiff_t)z * img->stride[0] +
                    (ptrdiff_t)y * img->stride[1] + (ptrdiff_t)x * img->stride[2];
                uint32_t at[3] = {(uint32_t)z, (uint32_t)y, (uint32_t)x};
                if (*cell != 0)
                    memcpy(&s->xyz[3 * n++], at, sizeof at);
            }
    s->n = n;
    rug_file_free(file);
    return 1;
}

typedef struct bench_set {
    const char *name;
    unsigned bits;
    void (*fill)(point_set *s); /* NULL: a volume of the shared data */
    double target;
    int is_bitmap;
} bench_set;

static const bench_set sets[] = {
    {"uniform", 21, fill_uniform, 4, 0},  {"tetrahedron", 21, fill_tetrahedron, 4, 0},
    {"uniform", 9, fill_uniform, 10, 1},  {"shell", 9, fill_shell, 10, 1},
    {"bunny_surface_512", 9, NULL, 0, 0}, {"dragon_surface_512", 9, NULL, 0, 0},
};

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    const char *only = argc > 2 ? argv[2] : "";
    const char *folder = getenv("RUGOSE_SHARED_DATA");
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_points [RUNS [CASE]]\n");
        return 2;
    }
    point_set s = {.xyz = bench_allocate(3 * N_POINTS * sizeof *s.xyz),
                   .keys = bench_allocate(N_POINTS * sizeof *s.keys),
                   .sorted = bench_allocate(N_POINTS * sizeof *s.sorted),
                   .scratch = bench_allocate(N_POINTS * sizeof *s.scratch)};
    bench_header();
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        s.name = sets[i].name;
        s.bits = sets[i].bits;
        s.n = N_POINTS;
        if (strstr(s.name, only) == NULL)
            continue;
        if (sets[i].fill != NULL)
            sets[i].fill(&s);
        else if (folder == NULL || !fill_volume(ctx, &s, folder))
            continue;
        make_keys(&s);
        times t = measure(ctx, &s, n_runs);
        print_key_rows(&s, &t, sets[i].target);
        print_rows(&s, &t, sets[i].is_bitmap);
    }
    free(s.xyz);
    free(s.keys);
    free(s.sorted);
    free(s.scratch);
    rug_context_free(ctx);
    return 0;
}
