/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images to code, and coding them. Include it after support.h. */

#ifndef RUGOSE_IFS_COMPRESS_SUPPORT_H
#define RUGOSE_IFS_COMPRESS_SUPPORT_H

#include <math.h>
#include <rugose/ifs.h>
#include <stdlib.h>
#include <string.h>

/* A context with one thread, which is fastest for small images. */
static inline rug_context *small_context(void)
{
    rug_context *ctx = test_context();
    assert_int_equal(rug_context_set_threads(ctx, 1), RUG_OK);
    return ctx;
}

/* Defaults, but for streams of version 1, or 2 where it is needed. */
static inline rug_ifs_options earlier_options(void)
{
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.version = 1;
    return opts;
}

/* An image of 1 to 4 planes, one behind the other. */
typedef struct picture {
    size_t nx, ny;
    int n_planes, depth;
    void *pixels;
    rug_image views[4];
} picture;

static inline picture picture_new(size_t nx, size_t ny, int n_planes, int depth)
{
    picture p = {.nx = nx, .ny = ny, .n_planes = n_planes, .depth = depth};
    size_t size = depth == 8 ? 1 : 2, shape[] = {ny, nx};
    p.pixels = calloc(nx * ny * (size_t)n_planes, size);
    assert_non_null(p.pixels);
    for (int i = 0; i < n_planes; i++)
        assert_int_equal(rug_image_view(NULL, &p.views[i],
                                        (char *)p.pixels + (size_t)i * nx * ny * size,
                                        depth == 8 ? RUG_U8 : RUG_U16, 2, shape),
                         RUG_OK);
    return p;
}

static inline void picture_free(picture *p)
{
    free(p->pixels);
}

static inline double picture_peak(const picture *p)
{
    return p->depth == 8 ? 255 : 65535;
}

static inline double pixel_of(const void *pixels, int depth, size_t i)
{
    return depth == 8 ? ((const uint8_t *)pixels)[i] : ((const uint16_t *)pixels)[i];
}

static inline void put_pixel(picture *p, size_t i, double share)
{
    double v = floor(share * picture_peak(p) + 0.5);
    v = v < 0 ? 0 : v > picture_peak(p) ? picture_peak(p) : v;
    if (p->depth == 8)
        ((uint8_t *)p->pixels)[i] = (uint8_t)v;
    else
        ((uint16_t *)p->pixels)[i] = (uint16_t)v;
}

/* Kinds of content. */
enum { FLAT, RAMP, GENTLE, NOISE, EXTREMES, WEDGES, EDGES, N_KINDS };

static inline double share_of(int kind, size_t x, size_t y, int plane, uint64_t *rng)
{
    switch (kind) {
    case FLAT: return 0.3 + 0.2 * plane;
    case RAMP: return 0.2 + 0.004 * (double)x + 0.003 * (double)y + 0.1 * plane;
    case GENTLE: return 0.4 + 0.0008 * (double)x + 0.0005 * (double)y;
    case WEDGES: /* like themselves at any scale about one point */
        return 0.2 + 0.5 * (fmod(atan2((double)y - 41, (double)x - 53) + 4, 0.7) < 0.35);
    case NOISE: return (double)test_below(rng, 65536) / 65535;
    case EXTREMES: return (double)test_below(rng, 2);
    default: /* tilted bars of three widths */
        return 0.5 * (double)((x + 2 * y) / 7 % 2) +
               0.3 * (double)((3 * x + y) / 29 % 2) +
               0.1 * (double)((x / 17 + y / 13 + (size_t)plane) % 2);
    }
}

static inline picture picture_of(int kind, size_t nx, size_t ny, int n_planes, int depth)
{
    picture p = picture_new(nx, ny, n_planes, depth);
    uint64_t rng = 7;
    size_t i = 0;
    for (int plane = 0; plane < n_planes; plane++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                put_pixel(&p, i++, share_of(kind, x, y, plane, &rng));
    return p;
}

static inline rug_ifs_stream must_compress(rug_context *ctx, const picture *p,
                                           const rug_ifs_options *opts)
{
    rug_ifs_stream stream;
    if (rug_ifs_compress(ctx, &stream, p->views, p->n_planes, opts) != RUG_OK)
        fail_msg("%zu x %zu: %s", p->nx, p->ny, rug_context_error(ctx));
    assert_non_null(stream.bytes);
    return stream;
}

static inline rug_ifs_picture must_decompress(rug_context *ctx,
                                              const rug_ifs_stream *stream)
{
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    if (rug_ifs_decompress(ctx, &out, stream->bytes, stream->size, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

/* Mean squared error of pixels x0 .. x1 - 1 of rows y0 .. y1 - 1, all planes. */
static inline double error_within(const picture *p, const rug_ifs_picture *got, size_t x0,
                                  size_t x1, size_t y0, size_t y1)
{
    double sum = 0;
    for (int plane = 0; plane < p->n_planes; plane++)
        for (size_t y = y0; y < y1; y++)
            for (size_t x = x0; x < x1; x++) {
                size_t i = ((size_t)plane * p->ny + y) * p->nx + x;
                double d =
                    pixel_of(p->pixels, p->depth, i) - pixel_of(got->pixels, p->depth, i);
                sum += d * d;
            }
    return sum / ((double)(x1 - x0) * (double)(y1 - y0) * p->n_planes);
}

static inline double psnr_of(const picture *p, const rug_ifs_picture *got)
{
    assert_int_equal(got->nx, p->nx);
    assert_int_equal(got->ny, p->ny);
    assert_int_equal(got->n_planes, p->n_planes);
    assert_int_equal(got->dtype, p->depth == 8 ? RUG_U8 : RUG_U16);
    double mse = error_within(p, got, 0, p->nx, 0, p->ny);
    return 10 * log10(picture_peak(p) * picture_peak(p) / mse);
}

/* Coded and decoded: dB, and bits for each pixel. */
static inline double psnr_by(rug_context *ctx, const picture *p,
                             const rug_ifs_options *opts, double *bits)
{
    rug_ifs_stream stream = must_compress(ctx, p, opts);
    rug_ifs_picture got = must_decompress(ctx, &stream);
    double psnr = psnr_of(p, &got);
    if (bits != NULL)
        *bits = 8 * (double)stream.size / ((double)p->nx * (double)p->ny);
    rug_ifs_picture_free(ctx, &got);
    rug_ifs_stream_free(ctx, &stream);
    return psnr;
}

/* More quality: more bytes, and less error. */
static inline void check_qualities(rug_ifs_options opts)
{
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 96, 96, 1, 8);
    double last_psnr = 0, last_bits = 0;
    for (int quality = 10; quality <= 100; quality += 15 * TEST_STEP(2)) {
        opts.target_value = quality;
        double bits, psnr = psnr_by(ctx, &p, &opts, &bits);
        assert_true(psnr > last_psnr);
        assert_true(bits > last_bits);
        last_psnr = psnr;
        last_bits = bits;
    }
    assert_true(last_psnr > 50);
    picture_free(&p);
    rug_context_free(ctx);
}

/* Neither the header nor the picture of a stream is read, for a reason that holds a text. */
static inline void refuse(rug_context *ctx, const uint8_t *bytes, size_t n,
                          const char *text)
{
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_ifs_read_info(ctx, &info, bytes, n), RUG_E_FORMAT);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' expected in '%s'", text, rug_context_error(ctx));
    assert_int_equal(info.nx, 0);
    assert_int_equal(rug_ifs_decompress(ctx, &got, bytes, n, NULL), RUG_E_FORMAT);
    assert_null(got.pixels);
}

#endif
