/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What two numeric faults do to fractal coding by one grid of ranges (Pedersen 2011, "simple"):
 * PSNR of the decoded image without a fault, with each alone and with both, for ranges of 2, 4
 * and 8. Domains have twice the side, shrunk by means of 2 x 2 pixels, and 8 isometries. With
 * sums over the n pixels of a range r and of a domain d,
 *
 *     s = (n sum rd - sum r sum d) / (n sum d² - (sum d)²),  o = (sum r - s sum d) / n,
 *     residual = (sum r² + s (s sum d² - 2 sum rd + 2 o sum d) + o (n o - 2 sum r)) / n
 *
 *     unstable s   all of it in single precision, with pixels of 0..1: of domains with little
 *                  variance the denominator is what rounding leaves, and is only tested for 0.
 *                  Without the fault: in double precision, which holds these sums exactly
 *     wrong n      the side of a range in the place of n, in the residual, by which the best
 *                  domain is chosen
 *
 * Arguments: the largest |s| (default 1, above 0), an image of u8 (default camera.png of the tests), whose
 * middle 256 x 256 pixels are coded, and the step of domains (default 4). */

#include "bench.h"
#include <float.h>
#include <math.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE       256
#define ITERATIONS 24
#define PIXELS_MAX 64
#define RANGES_MAX (SIDE / 2 * SIDE / 2)

typedef struct faults {
    int unstable, wrong_n;
} faults;

/* A domain under an isometry, or a range; sums of its pixels. */
typedef struct block {
    int x, y, symmetry;
    float v[PIXELS_MAX];
    double sum, squares;
} block;

typedef struct transform {
    int x, y, symmetry;
    double s, o, residual;
} transform;

static float image[SIDE][SIDE], state[2][SIDE][SIDE];
static block ranges[RANGES_MAX];
static transform transforms[RANGES_MAX];
static double s_max = 1;

/* Pixel (y, x) of the block that an isometry makes of a domain. */
static float pixel_of(float (*in)[SIDE], int y0, int x0, int symmetry, int size, int y,
                      int x)
{
    int v = symmetry & 4 ? x : y, u = symmetry & 4 ? y : x;
    v = symmetry & 1 ? size - 1 - v : v;
    u = symmetry & 2 ? size - 1 - u : u;
    const float *a = &in[y0 + 2 * v][x0 + 2 * u];
    return (a[0] + a[1] + a[SIDE] + a[SIDE + 1]) / 4;
}

static void add_up(block *b, int n, int unit)
{
    b->sum = b->squares = 0;
    for (int i = 0; i < n; i++) {
        b->sum += b->v[i];
        b->squares += b->v[i] * b->v[i];
        if (unit) {
            b->sum = (float)b->sum;
            b->squares = (float)b->squares;
        }
    }
}

/* s, o and the residual in double precision. */
static void fit_exactly(transform *t, const block *r, const block *d, int size, double m)
{
    const double n = size * size;
    double rd = 0;
    for (int i = 0; i < size * size; i++)
        rd += (double)(r->v[i] * d->v[i]);
    const double variance = n * d->squares - d->sum * d->sum;
    t->s = variance > 0 ? (n * rd - r->sum * d->sum) / variance : 0;
    t->s = fmin(fmax(t->s, -s_max), s_max);
    t->o = (r->sum - t->s * d->sum) / n;
    t->residual = (r->squares + t->s * (t->s * d->squares - 2 * rd + 2 * t->o * d->sum) +
                   t->o * (m * t->o - 2 * r->sum)) /
                  m;
}

/* The same in single precision. */
static void fit_roughly(transform *t, const block *r, const block *d, int size, float m)
{
    const float n = (float)(size * size), r1 = (float)r->sum, d1 = (float)d->sum;
    const float r2 = (float)r->squares, d2 = (float)d->squares;
    float rd = 0;
    for (int i = 0; i < size * size; i++)
        rd += r->v[i] * d->v[i];
    const float variance = n * d2 - d1 * d1;
    float s = variance != 0 ? (n * rd - r1 * d1) / variance : 0;
    s = fminf(fmaxf(s, (float)-s_max), (float)s_max);
    const float o = (r1 - s * d1) / n;
    t->s = s;
    t->o = o;
    t->residual = (r2 + s * (s * d2 - 2 * rd + 2 * o * d1) + o * (m * o - 2 * r1)) / m;
}

static int make_ranges(int size, int unit)
{
    int n = 0;
    for (int y = 0; y < SIDE; y += size)
        for (int x = 0; x < SIDE; x += size, n++) {
            ranges[n] = (block){.x = x, .y = y};
            for (int i = 0; i < size * size; i++)
                ranges[n].v[i] = image[y + i / size][x + i % size];
            add_up(&ranges[n], size * size, unit);
            transforms[n] = (transform){.residual = DBL_MAX};
        }
    return n;
}

static void try_domain(const block *d, int n_ranges, int size, faults f)
{
    const int m = f.wrong_n ? size : size * size;
    for (int i = 0; i < n_ranges; i++) {
        transform t = {.x = d->x, .y = d->y, .symmetry = d->symmetry};
        if (f.unstable)
            fit_roughly(&t, &ranges[i], d, size, (float)m);
        else
            fit_exactly(&t, &ranges[i], d, size, m);
        if (t.residual < transforms[i].residual)
            transforms[i] = t;
    }
}

static int code(int size, int step, faults f)
{
    const int n_ranges = make_ranges(size, f.unstable);
    for (int y = 0; y + 2 * size <= SIDE; y += step)
        for (int x = 0; x + 2 * size <= SIDE; x += step)
            for (int g = 0; g < 8; g++) {
                block d = {.x = x, .y = y, .symmetry = g};
                for (int i = 0; i < size * size; i++)
                    d.v[i] = pixel_of(image, y, x, g, size, i / size, i % size);
                add_up(&d, size * size, f.unstable);
                try_domain(&d, n_ranges, size, f);
            }
    return n_ranges;
}

/* Decodes as the paper does: s d + o, again and again.
 * @return the PSNR in dB */
static double decode(int n_ranges, int size, float top)
{
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        (&state[0][0][0])[i] = top / 2;
    for (int k = 0; k < ITERATIONS; k++)
        for (int i = 0; i < n_ranges; i++) {
            const transform *t = &transforms[i];
            for (int j = 0; j < size * size; j++)
                state[(k + 1) % 2][ranges[i].y + j / size][ranges[i].x + j % size] =
                    (float)(t->s * pixel_of(state[k % 2], t->y, t->x, t->symmetry, size,
                                            j / size, j % size) +
                            t->o);
        }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float v = fminf(fmaxf(state[ITERATIONS % 2][y][x], 0), top);
            double d = rint(v * 255 / top) - rint(image[y][x] * 255 / top);
            sum += d * d;
        }
    return 10 * log10(255.0 * 255 * SIDE * SIDE / sum);
}

static void take_middle(const rug_image *img, float unit)
{
    const size_t y0 = (img->shape[0] - SIDE) / 2, x0 = (img->shape[1] - SIDE) / 2;
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            image[y][x] =
                unit * ((const uint8_t *)img->data)[(ptrdiff_t)(y0 + y) * img->stride[0] +
                                                    (ptrdiff_t)(x0 + x) * img->stride[1]];
}

static void print_table(const rug_image *img, int step)
{
    static const faults all[4] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    printf("range\tstep\ts_max\tno_fault\tunstable_s\twrong_n\tboth\n");
    for (int size = 2; size <= 8; size *= 2) {
        printf("%d\t%d\t%g", size, step, s_max);
        for (int i = 0; i < 4; i++) {
            take_middle(img, all[i].unstable ? 1 / 255.0f : 1);
            int n = code(size, step, all[i]);
            printf("\t%.2f", decode(n, size, all[i].unstable ? 1 : 255));
            fflush(stdout);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 2 ? argv[2] : BENCH_DATA "/camera.png";
    const int step = argc > 3 ? atoi(argv[3]) : 4;
    rug_context *ctx;
    rug_file *file;
    s_max = argc > 1 ? strtod(argv[1], NULL) : 1;
    if (argc > 4 || step < 1 || !(s_max > 0) || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_ifs_faults [LARGEST_S [IMAGE [STEP]]]\n");
        return 2;
    }
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK) {
        fprintf(stderr, "bench_ifs_faults: %s\n", rug_context_error(ctx));
        return 1;
    }
    const rug_image *img = rug_file_image(file);
    const int fits = img->dtype == RUG_U8 && img->ndim == 2 && img->shape[0] >= SIDE &&
                     img->shape[1] >= SIDE;
    if (fits)
        print_table(img, step);
    else
        fprintf(stderr, "bench_ifs_faults: an image of u8 of at least %d x %d expected\n",
                SIDE, SIDE);
    rug_file_free(file);
    rug_context_free(ctx);
    return !fits;
}
