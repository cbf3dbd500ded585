/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The experiments of Pedersen (2011) as tables:
 *
 *     I    ranges of 2, 4 and 8, steps of 1 to 16, simple and overlapping ("quad"): seconds
 *          to code, PSNR of the collage, of the decoded image, and of it without a margin
 *          of one range
 *     II   PSNR after each iteration, for the same steps
 *     III  decoding the middle of the image 16 times as large: seconds; 128 x 128 pixels by
 *          ranges of 4 and domains at every pixel, and 256 x 256 by the paper's ranges of 2 and
 *          domains at every second one. With a path prefix the smaller middle is written as
 *          PREFIX_middle.tif, the pictures as PREFIX_simple_x16.tif, PREFIX_simple_2_x16.tif
 *          and so on
 *     w    as I, with domains inside the image and with domains that go on at the opposite edge
 *          (domain_wrap): PSNR of the decoded image and of the collage, and the share of transforms
 *          whose domains do go on there, in percent
 *
 * Arguments: experiments (default "123"), an image (default camera.png of the tests), and the
 * prefix (default none). */

#include "bench.h"
#include <math.h>
#include <rugose/image_writer.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 24

/* What the paper enlarges by. */
#define ENLARGE 16

static const char *const names[2] = {"simple", "quad"};

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs_paper: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

static rug_ifs_code *find(rug_context *ctx, const rug_image *img, int mode, uint32_t size,
                          uint32_t step, int wraps)
{
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_code *code;
    opts.partition = mode == 0 ? RUG_IFS_FIXED : RUG_IFS_OVERLAP;
    opts.range_size = size;
    opts.domain_step = step;
    opts.domain_wrap = wraps;
    check(ctx, rug_ifs_find(ctx, &code, img, &opts));
    return code;
}

static double pixel_of(const rug_image *img, size_t y, size_t x)
{
    const char *pixel = (const char *)img->data + (ptrdiff_t)y * img->stride[0] +
                        (ptrdiff_t)x * img->stride[1];
    uint16_t v;
    if (img->dtype == RUG_U8)
        return *(const uint8_t *)pixel;
    memcpy(&v, pixel, sizeof v);
    return v;
}

static double peak_of(const rug_image *img)
{
    return img->dtype == RUG_U8 ? 255 : 65535;
}

/* Without a margin of so many pixels. */
static double psnr_of(const rug_image *img, const rug_ifs_picture *p, size_t margin)
{
    double sum = 0, n = (double)((p->ny - 2 * margin) * (p->nx - 2 * margin));
    for (size_t y = margin; y + margin < p->ny; y++)
        for (size_t x = margin; x + margin < p->nx; x++) {
            size_t i = y * p->nx + x;
            double v = p->dtype == RUG_U8 ? ((const uint8_t *)p->pixels)[i]
                                          : ((const uint16_t *)p->pixels)[i];
            double d = v - pixel_of(img, y, x);
            sum += d * d;
        }
    return 10 * log10(peak_of(img) * peak_of(img) * n / sum);
}

/* Of the ranges as their transforms make them of the image itself. */
static double collage_psnr(const rug_image *img, const rug_ifs_code *code, uint32_t size)
{
    double sum = 0;
    size_t n = rug_ifs_code_count(code);
    for (size_t i = 0; i < n; i++)
        sum += rug_ifs_code_at(code, i)->error;
    return 10 * log10(peak_of(img) * peak_of(img) * (double)n * size * size / sum);
}

static void experiment_1(rug_context *ctx, const rug_image *img)
{
    printf("experiment\tmode\trange\tstep\tseconds\tcollage_psnr\tdecode_seconds\tpsnr\t"
           "inner_psnr\n");
    for (int mode = 0; mode < 2; mode++)
        for (uint32_t size = 2; size <= 8; size *= 2)
            for (uint32_t step = 1; step <= 16; step *= 2) {
                rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
                double t = bench_now();
                rug_ifs_code *code = find(ctx, img, mode, size, step, 0);
                t = bench_now() - t;
                double decode = bench_now();
                check(ctx, rug_ifs_iterate(ctx, code, &p, 1, ITERATIONS, NULL, NULL));
                decode = bench_now() - decode;
                printf("I\t%s\t%u\t%u\t%.3f\t%.2f\t%.3f\t%.2f\t%.2f\n", names[mode], size,
                       step, t, collage_psnr(img, code, size), decode,
                       psnr_of(img, &p, 0), psnr_of(img, &p, size));
                fflush(stdout);
                rug_context_release(ctx, p.pixels);
                rug_ifs_code_free(code);
            }
}

/* A row of the second experiment. */
static rug_status print_psnr(void *user, uint32_t iteration, const rug_ifs_picture *p)
{
    const rug_image *img = user;
    printf(iteration == 0 ? "%.2f" : "\t%.2f", psnr_of(img, p, 0));
    return RUG_OK;
}

static void experiment_2(rug_context *ctx, const rug_image *img)
{
    printf("experiment\tmode\trange\tstep");
    for (int i = 0; i <= ITERATIONS; i++)
        printf("\titeration_%d", i);
    printf("\n");
    for (int mode = 0; mode < 2; mode++)
        for (uint32_t size = 2; size <= 8; size *= 2)
            for (uint32_t step = 1; step <= 16; step *= 2) {
                rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
                rug_image view = *img;
                rug_ifs_code *code = find(ctx, img, mode, size, step, 0);
                printf("II\t%s\t%u\t%u\t", names[mode], size, step);
                check(ctx,
                      rug_ifs_iterate(ctx, code, &p, 1, ITERATIONS, print_psnr, &view));
                printf("\n");
                rug_context_release(ctx, p.pixels);
                rug_ifs_code_free(code);
            }
}

static void write_picture(rug_context *ctx, const rug_ifs_picture *p, const char *prefix,
                          const char *name)
{
    char path[4096];
    const size_t shape[2] = {p->ny, p->nx};
    rug_image_writer *writer;
    snprintf(path, sizeof path, "%s_%s_x%d.tif", prefix, name, ENLARGE);
    check(ctx, rug_image_writer_open(ctx, &writer, path, p->dtype, 2, shape));
    check(ctx, rug_image_writer_add(ctx, writer, p->pixels, p->ny));
    check(ctx, rug_image_writer_commit(ctx, writer));
}

/* What is enlarged, to be enlarged in other ways too: its rows have no padding, as all of a
 * file. */
static void write_middle(rug_context *ctx, const rug_image *img, const char *prefix)
{
    char path[4096];
    rug_image_writer *writer;
    snprintf(path, sizeof path, "%s_middle.tif", prefix);
    check(ctx, rug_image_writer_open(ctx, &writer, path, img->dtype, 2, img->shape));
    for (size_t y = 0; y < img->shape[0]; y++) {
        const char *row = (const char *)img->data + (ptrdiff_t)y * img->stride[0];
        check(ctx, rug_image_writer_add(ctx, writer, row, 1));
    }
    check(ctx, rug_image_writer_commit(ctx, writer));
}

/* The middle of the image, of at most `most` pixels a side. */
static rug_image middle_of(const rug_image *img, size_t most)
{
    rug_image middle = *img;
    for (int a = 0; a < 2; a++)
        if (middle.shape[a] > most) {
            size_t from = (middle.shape[a] - most) / 2;
            middle.data = (const char *)middle.data + (ptrdiff_t)from * middle.stride[a];
            middle.shape[a] = most;
        }
    return middle;
}

/* Enlarges in both modes. */
static void enlarge(rug_context *ctx, const rug_image *img, uint32_t size, uint32_t step,
                    const char *prefix)
{
    for (int mode = 0; mode < 2; mode++) {
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        char name[32];
        double t = bench_now();
        rug_ifs_code *code = find(ctx, img, mode, size, step, 0);
        t = bench_now() - t;
        double decode = bench_now();
        check(ctx, rug_ifs_iterate(ctx, code, &p, ENLARGE, 16, NULL, NULL));
        decode = bench_now() - decode;
        printf("III\t%s\t%u\t%u\t%d\t%u\t%u\t%.3f\t%.3f\n", names[mode], size, step,
               ENLARGE, p.ny, p.nx, t, decode);
        if (size == 4)
            snprintf(name, sizeof name, "%s", names[mode]);
        else
            snprintf(name, sizeof name, "%s_%u", names[mode], size);
        if (prefix != NULL)
            write_picture(ctx, &p, prefix, name);
        rug_context_release(ctx, p.pixels);
        rug_ifs_code_free(code);
    }
}

static void experiment_3(rug_context *ctx, const rug_image *img, const char *prefix)
{
    const rug_image middle = middle_of(img, 128), large = middle_of(img, 256);
    if (prefix != NULL)
        write_middle(ctx, &middle, prefix);
    printf("experiment\tmode\trange\tstep\tscale\tny\tnx\tseconds\tdecode_seconds\n");
    enlarge(ctx, &middle, 4, 1, prefix);
    enlarge(ctx, &large, 2, 2, prefix);
}

/* Transforms whose domains cross the right or lower edge, in percent. */
static double crossing(const rug_ifs_code *code, const rug_image *img)
{
    size_t n = rug_ifs_code_count(code), n_crossing = 0;
    for (size_t i = 0; i < n; i++) {
        const rug_ifs_transform *t = rug_ifs_code_at(code, i);
        n_crossing += t->has_domain && (t->domain_x + 2 * t->size > img->shape[1] ||
                                        t->domain_y + 2 * t->size > img->shape[0]);
    }
    return 100 * (double)n_crossing / (double)n;
}

static void compare_wrap(rug_context *ctx, const rug_image *img, int mode, uint32_t size,
                         uint32_t step)
{
    printf("w\t%s\t%u\t%u", names[mode], size, step);
    for (int wraps = 0; wraps < 2; wraps++) {
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        rug_ifs_code *code = find(ctx, img, mode, size, step, wraps);
        check(ctx, rug_ifs_iterate(ctx, code, &p, 1, ITERATIONS, NULL, NULL));
        printf("\t%.2f\t%.2f", psnr_of(img, &p, 0), collage_psnr(img, code, size));
        if (wraps)
            printf("\t%.2f\n", crossing(code, img));
        rug_context_release(ctx, p.pixels);
        rug_ifs_code_free(code);
    }
}

static void experiment_w(rug_context *ctx, const rug_image *img)
{
    printf("experiment\tmode\trange\tstep\tpsnr\tcollage_psnr\twrap_psnr\t"
           "wrap_collage_psnr\tcrossing\n");
    for (int mode = 0; mode < 2; mode++)
        for (uint32_t size = 2; size <= 8; size *= 2)
            for (uint32_t step = 1; step <= 16; step *= 2)
                compare_wrap(ctx, img, mode, size, step);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "123";
    const char *path = argc > 2 ? argv[2] : BENCH_DATA "/camera.png";
    rug_context *ctx;
    rug_file *file;
    if (argc > 4 || strspn(which, "123w") != strlen(which) ||
        rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_ifs_paper [123w [IMAGE [PREFIX]]]\n");
        return 2;
    }
    check(ctx, rug_file_read(ctx, &file, path, NULL));
    if (strchr(which, '1') != NULL)
        experiment_1(ctx, rug_file_image(file));
    if (strchr(which, '2') != NULL)
        experiment_2(ctx, rug_file_image(file));
    if (strchr(which, '3') != NULL)
        experiment_3(ctx, rug_file_image(file), argc > 3 ? argv[3] : NULL);
    if (strchr(which, 'w') != NULL)
        experiment_w(ctx, rug_file_image(file));
    rug_file_free(file);
    rug_context_free(ctx);
    return 0;
}
