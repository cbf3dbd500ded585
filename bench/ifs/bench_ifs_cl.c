/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding on an OpenCL device against the processor, in one run: the exact search of
 * ranges of 4, 8 and 16 pixels, and the decoding of a stream at four times the size; whole
 * calls, and what the device's clock says of its kernels alone. Ends with an error when
 * results differ. Arguments: the number of interleaved runs (default 3), the device (default
 * opencl), the side of the image and the step of domains (default: 512 and 1, on a device
 * that is the processor 128 and 2). */

#include "bench.h"
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MAX 512

/* Where work is done, with its best times. */
typedef struct place {
    rug_context *ctx;
    double whole, kernels;
} place;

enum { ALL_THREADS, DEVICE, N_PLACES };

static void check(const rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs_cl: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void must_equal(const void *a, const void *b, size_t n, const char *name)
{
    if (memcmp(a, b, n) == 0)
        return;
    fprintf(stderr, "bench_ifs_cl: %s: results differ\n", name);
    exit(1);
}

/* Ends the time of a call that began at t. */
static void note(place *p, double t)
{
    rug_device_times times = RUG_DEVICE_TIMES_INIT;
    p->whole = smaller(p->whole, bench_now() - t);
    rug_devices_take_times(p->ctx, &times);
    p->kernels = smaller(p->kernels, times.kernel_seconds);
}

static void forget(place places[N_PLACES])
{
    for (int i = 0; i < N_PLACES; i++)
        places[i].whole = places[i].kernels = 1e30;
}

static void print(const place places[N_PLACES], const char *name)
{
    char text[192];
    bench_row(name, places[DEVICE].whole, "all threads", places[ALL_THREADS].whole, 0);
    snprintf(text, sizeof text, "%s, kernels alone", name);
    bench_row(text, places[DEVICE].kernels, "all threads", places[ALL_THREADS].whole, 0);
}

/* ---- The search ---- */

static rug_ifs_code *search(place *p, const rug_image *img, const rug_ifs_options *opts)
{
    rug_ifs_code *code;
    const double t = bench_now();
    check(p->ctx, rug_ifs_find(p->ctx, &code, img, opts));
    note(p, t);
    return code;
}

static void search_both(place places[N_PLACES], const rug_image *img,
                        const rug_ifs_options *opts, const char *name)
{
    size_t n, n_other;
    rug_ifs_code *code = search(&places[ALL_THREADS], img, opts);
    rug_ifs_code *other = search(&places[DEVICE], img, opts);
    n = rug_ifs_code_count(code);
    n_other = rug_ifs_code_count(other);
    must_equal(&n, &n_other, sizeof n, name);
    for (size_t i = 0; i < n; i++) {
        const rug_ifs_transform *a = rug_ifs_code_at(code, i),
                                *b = rug_ifs_code_at(other, i);
        const uint32_t one[] = {a->domain_x, a->domain_y, a->symmetry};
        const uint32_t two[] = {b->domain_x, b->domain_y, b->symmetry};
        must_equal(one, two, sizeof one, name);
    }
    rug_ifs_code_free(other);
    rug_ifs_code_free(code);
}

static void run_search(place places[N_PLACES], const rug_image *img, uint32_t size,
                       uint32_t step, int n_runs)
{
    char name[96];
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.partition = RUG_IFS_FIXED;
    opts.range_size = size;
    opts.domain_step = step;
    snprintf(name, sizeof name, "%zux%zu, search, ranges of %u, step %u", img->shape[0],
             img->shape[1], size, step);
    search_both(places, img, &opts, name); /* programs are built, caches are warm */
    forget(places);
    for (int k = 0; k < n_runs; k++)
        search_both(places, img, &opts, name);
    print(places, name);
}

/* ---- Decoding ---- */

static void decode_both(place places[N_PLACES], const rug_ifs_stream *s, const char *name)
{
    rug_ifs_picture pictures[N_PLACES];
    rug_ifs_decode_options opts = RUG_IFS_DECODE_OPTIONS_INIT;
    opts.scale = 4;
    for (int i = 0; i < N_PLACES; i++) {
        rug_context *ctx = places[i].ctx;
        pictures[i] = (rug_ifs_picture)RUG_IFS_PICTURE_INIT;
        const double t = bench_now();
        check(ctx, rug_ifs_decompress(ctx, &pictures[i], s->bytes, s->size, &opts));
        note(&places[i], t);
    }
    must_equal(pictures[0].pixels, pictures[1].pixels,
               (size_t)pictures[0].nx * pictures[0].ny, name);
    for (int i = 0; i < N_PLACES; i++)
        rug_ifs_picture_free(places[i].ctx, &pictures[i]);
}

static void run_decoding(place places[N_PLACES], const rug_image *img, int n_runs)
{
    static const rug_ifs_partition partitions[] = {RUG_IFS_QUADTREE, RUG_IFS_OVERLAP};
    static const char *const names[] = {"quadtree", "overlapping ranges of 4"};
    rug_context *ctx = places[ALL_THREADS].ctx;
    for (int i = 0; i < 2; i++) {
        char name[96];
        rug_ifs_stream stream;
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        opts.partition = partitions[i];
        opts.version = i == 0; /* the tree of version 1, which devices decode */
        if (i == 1) {
            opts.range_size = 4;
            opts.domain_step = 8;
        }
        check(ctx, rug_ifs_compress(ctx, &stream, img, 1, &opts));
        snprintf(name, sizeof name, "%zux%zu, decoded at 4 times the size, %s",
                 img->shape[0], img->shape[1], names[i]);
        decode_both(places, &stream, name);
        forget(places);
        for (int k = 0; k < n_runs; k++)
            decode_both(places, &stream, name);
        print(places, name);
        rug_ifs_stream_free(ctx, &stream);
    }
}

/* Whether the device of a context is a processor. */
static int is_processor(rug_context *ctx)
{
    rug_devices *devices;
    const rug_device *chosen;
    check(ctx, rug_devices_list(ctx, &devices));
    check(ctx, rug_devices_choose(ctx, &chosen, devices));
    const int is = chosen == NULL || chosen->type == RUG_DEVICE_CPU;
    rug_devices_free(devices);
    return is;
}

/* The first pixels of a photograph. */
static rug_file *read_image(rug_context *ctx, rug_image *img, size_t side)
{
    rug_file *file;
    check(ctx, rug_file_read(ctx, &file, BENCH_DATA "/camera.png", NULL));
    *img = *rug_file_image(file);
    if (side < img->shape[0] && side < img->shape[1])
        img->shape[0] = img->shape[1] = side;
    return file;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {4, 8, 16};
    place places[N_PLACES] = {{NULL, 0, 0}, {NULL, 0, 0}};
    const int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    if (n_runs < 1 || rug_context_new(&places[ALL_THREADS].ctx) != RUG_OK ||
        rug_context_new(&places[DEVICE].ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_ifs_cl [RUNS [DEVICE [SIDE [STEP]]]]\n");
        return 2;
    }
    rug_context *device = places[DEVICE].ctx;
    check(device, rug_context_set_device(device, argc > 2 ? argv[2] : "opencl"));
    const int is_slow = is_processor(device);
    const int side = argc > 3 ? atoi(argv[3]) : is_slow ? 128 : SIDE_MAX;
    const int step = argc > 4 ? atoi(argv[4]) : is_slow ? 2 : 1;
    if (side < 64 || side > SIDE_MAX || step < 1) {
        fprintf(stderr, "bench_ifs_cl: a side of 64..%d expected, and a step\n",
                SIDE_MAX);
        return 2;
    }
    rug_image img;
    rug_file *file = read_image(device, &img, (size_t)side);
    bench_header();
    for (int i = 0; i < 3; i++)
        run_search(places, &img, sizes[i], (uint32_t)step, n_runs);
    run_decoding(places, &img, n_runs);
    rug_file_free(file);
    for (int i = 0; i < N_PLACES; i++)
        rug_context_free(places[i].ctx);
    return 0;
}
