/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What an OpenCL device makes of its memory: the kernel of the pyramid in bytes a second
 * against a kernel that copies, in the same run, and the rate at which keys are sorted.
 * Times are those of kernels alone, by the device's clock. Arguments: the device (default
 * opencl) and the number of interleaved runs (default 5; 0: only say what the device is). */

#include "bench.h"
#include "ocl/work/ocl_sort.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPY_BYTES ((size_t)256 << 20)
#define N_KEYS     ((size_t)1 << 24)

/* The kernel reads each pixel once; a tile of 65536 pixels of an image, or of 262144 of a
 * volume, leaves 7 numbers and a byte for each block behind. */
#define BYTES_2D (1 + (7 * 4 + 16) / 65536.0)
#define BYTES_3D (1 + (7 * 4 + 1) / 262144.0)

/* Of all passes of the sort, a key; src/ocl/ocl_sort_wide.cl says why. */
#define SORT_BYTES_27 51
#define SORT_BYTES_63 215

static const char copy_text[] =
    "__kernel void copy(__global const uint4 *from, __global uint4 *to) {"
    "    size_t i = get_global_id(0);"
    "    to[i] = from[i];"
    "}";

typedef struct bench_case {
    const char *name;
    double bytes, seconds;
} bench_case;

typedef struct bench_device {
    rug_context *ctx;
    rugi_ocl *ocl;
    rugi_ocl_kernel *copy;
    rugi_ocl_buffer *from, *to; /* also of keys */
    uint64_t *keys;
} bench_device;

static void must(const bench_device *d, rug_status status)
{
    if (status == RUG_OK)
        return;
    fprintf(stderr, "bench_device: %s\n", rug_context_error(d->ctx));
    exit(1);
}

/* Seconds of kernels since the last call. */
static double kernel_seconds(const bench_device *d)
{
    rug_device_times t = RUG_DEVICE_TIMES_INIT;
    must(d, rugi_ocl_wait(d->ctx, d->ocl));
    rug_devices_take_times(d->ctx, &t);
    return t.kernel_seconds;
}

static void keep_best(double *best, double seconds)
{
    *best = seconds < *best ? seconds : *best;
}

static void open_device(bench_device *d, const char *name)
{
    must(d, rug_context_set_device(d->ctx, name));
    must(d, rugi_ocl_open(d->ctx, &d->ocl));
    const rug_device *f = rugi_ocl_facts(d->ocl);
    printf("# %s: %s, driver %s, %u compute units, %llu MB\n",
           rug_device_type_name(f->type), f->name, f->driver, f->compute_units,
           (unsigned long long)(f->memory >> 20));
}

static void make_copy(bench_device *d)
{
    const rugi_ocl_source source = {"copy.cl", copy_text, sizeof copy_text - 1};
    const rugi_ocl_source *const sources[] = {&source};
    const rugi_ocl_build build = {.sources = sources, .n_sources = 1};
    must(d, rugi_ocl_kernel_get(d->ctx, d->ocl, &d->copy, &build, "copy"));
    must(d, rugi_ocl_buffer_new(d->ctx, d->ocl, &d->from, COPY_BYTES, 1,
                                RUGI_OCL_READ_WRITE, "bytes"));
    must(d, rugi_ocl_buffer_new(d->ctx, d->ocl, &d->to, COPY_BYTES, 1,
                                RUGI_OCL_READ_WRITE, "bytes"));
    must(d, rugi_ocl_zero(d->ctx, d->ocl, d->from, 0, COPY_BYTES));
    must(d, rugi_ocl_zero(d->ctx, d->ocl, d->to, 0, COPY_BYTES));
}

static double copy(const bench_device *d)
{
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(d->from),
                                 rugi_ocl_arg_buffer(d->to)};
    const size_t items = COPY_BYTES / 16;
    kernel_seconds(d);
    must(d, rugi_ocl_run(d->ctx, d->ocl, d->copy, args, 2, 1, &items, NULL));
    return kernel_seconds(d);
}

static double count(const bench_device *d, const rug_image *img)
{
    rug_boxcount_result *result;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = RUG_BOXCOUNT_PYRAMID;
    kernel_seconds(d);
    must(d, rug_boxcount(d->ctx, &result, img, &opts));
    rug_boxcount_free(result);
    return kernel_seconds(d);
}

/* @return GB/s of the copy */
static double measure_bandwidth(const bench_device *d, int n_runs)
{
    static const size_t shapes[][3] = {{8192, 8192, 0}, {512, 512, 512}};
    size_t n = shapes[1][0] * shapes[1][1] * shapes[1][2];
    bench_case copied = {"copy 256 MiB", 2.0 * (double)COPY_BYTES, 1e30};
    bench_case counted[] = {{"pyramid 8192x8192 u8", BYTES_2D * 8192 * 8192, 1e30},
                            {"pyramid 512x512x512 u8", BYTES_3D * 512 * 512 * 512, 1e30}};
    rug_image img[2];
    uint8_t *pixels = bench_allocate(n);
    bench_fill_runs(pixels, n, 1);
    for (int i = 0; i < 2; i++)
        must(d, rug_image_view(d->ctx, &img[i], pixels, RUG_U8, 2 + i, shapes[i]));
    for (int k = 0; k <= n_runs; k++) {
        double seconds = copy(d), count_2d = count(d, &img[0]),
               count_3d = count(d, &img[1]);
        if (k == 0) /* programs are built, and clocks warm */
            continue;
        keep_best(&copied.seconds, seconds);
        keep_best(&counted[0].seconds, count_2d);
        keep_best(&counted[1].seconds, count_3d);
    }
    free(pixels);
    double rate = copied.bytes / 1e9 / copied.seconds;
    bench_rate_row("copy 256 MiB, read and write", rate, "GB/s", "itself", rate, 0);
    for (int i = 0; i < 2; i++)
        bench_rate_row(counted[i].name, counted[i].bytes / 1e9 / counted[i].seconds,
                       "GB/s", "copy 256 MiB", rate, 0);
    return rate;
}

static void fill_keys(const bench_device *d, unsigned bits)
{
    uint64_t s = 1;
    for (size_t i = 0; i < N_KEYS; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        d->keys[i] = (s ^ s >> 31) * 0x9e3779b97f4a7c15u >> (64 - bits);
        if (bits <= 32)
            ((uint32_t *)d->keys)[i] = (uint32_t)d->keys[i];
    }
}

/* The keys that come back must be in order, or the rate says nothing. */
static void check_keys(const bench_device *d, size_t key_bytes)
{
    for (size_t i = 1; i < N_KEYS; i++) {
        const uint32_t *narrow = (const uint32_t *)d->keys;
        if (key_bytes == 4 ? narrow[i] < narrow[i - 1] : d->keys[i] < d->keys[i - 1]) {
            fprintf(stderr, "bench_device: keys are not sorted\n");
            exit(1);
        }
    }
}

/* @param bytes      that the sort moves for each key; 0: not known
 * @param copy_rate  in GB/s */
static void measure_sort(bench_device *d, unsigned bits, rugi_ocl_shape shape,
                         double bytes, double copy_rate, int n_runs)
{
    const char *name =
        shape == RUGI_OCL_SHAPE_WIDE ? "shape of a GPU" : "shape of a processor";
    size_t key_bytes = bits <= 32 ? 4 : 8;
    rugi_ocl_sorter *sorter;
    char text[160];
    double best = 1e30;
    must(d, rugi_ocl_sorter_new(d->ctx, d->ocl, &sorter, N_KEYS, key_bytes, shape));
    for (int k = 0; k < n_runs; k++) {
        fill_keys(d, bits);
        must(d, rugi_ocl_write(d->ctx, d->ocl, d->from, 0, d->keys, N_KEYS * key_bytes));
        kernel_seconds(d);
        must(d, rugi_ocl_sort(d->ctx, sorter, &d->from, &d->to, N_KEYS, bits));
        keep_best(&best, kernel_seconds(d));
        must(d, rugi_ocl_read(d->ctx, d->ocl, d->from, 0, d->keys, N_KEYS * key_bytes));
        check_keys(d, key_bytes);
    }
    rugi_ocl_sorter_free(sorter);
    double rate = (double)N_KEYS / 1e6 / best;
    snprintf(text, sizeof text, "sort 2^24 keys of %u bits, %s", bits, name);
    bench_rate_row(text, rate, "M keys/s", "itself", rate, 0);
    if (bytes > 0)
        bench_rate_row(text, bytes * rate / 1e3, "GB/s", "copy 256 MiB", copy_rate, 0);
}

static void measure_all(bench_device *d, int n_runs)
{
    d->keys = bench_allocate(N_KEYS * sizeof *d->keys);
    make_copy(d);
    bench_header();
    double rate = measure_bandwidth(d, n_runs);
    measure_sort(d, 27, RUGI_OCL_SHAPE_WIDE, SORT_BYTES_27, rate, n_runs);
    measure_sort(d, 27, RUGI_OCL_SHAPE_CHUNKS, 0, rate, n_runs);
    measure_sort(d, 63, RUGI_OCL_SHAPE_WIDE, SORT_BYTES_63, rate, n_runs);
    measure_sort(d, 63, RUGI_OCL_SHAPE_CHUNKS, 0, rate, n_runs);
    rugi_ocl_buffer_free(d->ocl, d->to);
    rugi_ocl_buffer_free(d->ocl, d->from);
    free(d->keys);
}

int main(int argc, char **argv)
{
    int n_runs = argc > 2 ? atoi(argv[2]) : 5;
    bench_device d = {.keys = NULL};
    if (n_runs < 0 || rug_context_new(&d.ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_device [DEVICE [RUNS]]\n");
        return 2;
    }
    open_device(&d, argc > 1 ? argv[1] : "opencl");
    if (n_runs > 0)
        measure_all(&d, n_runs);
    rug_context_free(d.ctx);
    return 0;
}
