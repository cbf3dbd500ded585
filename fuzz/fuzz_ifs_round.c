/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: small images through the encoder and back. The first bytes choose options
 * and shape, the rest are pixels. Whatever the image: one thread and several give the same
 * bytes, the stream is accepted, the decoded image has the shape of the image, the iterations of the
 * header are enough where there are some, and what is without loss is the image. */

#include "fuzz_file.h"
#include <rugose/ifs.h>
#include <stdlib.h>
#include <string.h>

/* Options, shape; then pixels. */
enum { HEAD = 7, SIDE_MAX = 44 };

/* Pixels of images that are coded: few for a fuzzer, whose inputs are many. */
#ifdef RUGOSE_FUZZER
#define PIXELS_MAX 300
#else
#define PIXELS_MAX (3 * SIDE_MAX * SIDE_MAX)
#endif

/* An image made of the input, which begins again where it ends. */
typedef struct image {
    uint8_t pixels[2 * 4 * SIDE_MAX * SIDE_MAX];
    rug_image views[4];
    int n_planes;
} image;

/* Streams of version 3. */
static int has_patches(const uint8_t *data)
{
    return data[3] % 3 == RUG_IFS_QUADTREE && (data[5] & 12) != 0;
}

static void make_image(image *out, const uint8_t *data, size_t n)
{
    size_t nx = 1 + data[0] % SIDE_MAX, ny = 1 + data[1] % SIDE_MAX;
    size_t size = data[2] & 1 ? 2 : 1, shape[] = {ny, nx};
    out->n_planes = (data[2] & 2 ? 3 : 1) + (has_patches(data) && (data[2] & 4) != 0);
    for (size_t i = 0; i < sizeof out->pixels; i++)
        out->pixels[i] = n > HEAD ? data[HEAD + i % (n - HEAD)] : 0;
    for (int i = 0; i < out->n_planes; i++)
        if (rug_image_view(NULL, &out->views[i], out->pixels + (size_t)i * nx * ny * size,
                           size == 2 ? RUG_U16 : RUG_U8, 2, shape) != RUG_OK)
            abort();
}

static rug_ifs_options options_of_patches(const uint8_t *data)
{
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    o.target_value = 1 + data[4] % 100;
    o.lossless = (data[5] & 12) == 8;
    if (o.lossless)
        return o;
    o.effort = 1 + data[6] % 9u;
    o.tune = data[5] & 1 ? RUG_IFS_TUNE_PSNR : RUG_IFS_TUNE_SSIM;
    o.chroma = data[5] & 2 && data[2] & 2 ? RUG_IFS_CHROMA_420 : RUG_IFS_CHROMA_444;
    o.progressive = (data[6] & 16) != 0;
    return o;
}

static rug_ifs_options options_of(const uint8_t *data)
{
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    if (has_patches(data))
        return options_of_patches(data);
    o.version = 1;
    o.partition = (rug_ifs_partition)(data[3] % 3);
    o.target_value = 1 + data[4] % 100;
    if (o.partition != RUG_IFS_QUADTREE) {
        o.range_size = 2 + 2 * (data[5] % 16u);
        o.domain_wrap = (data[6] & 8) != 0;
        o.domain_step = data[6] / 16u;
    } else {
        o.search = data[5] & 1 ? RUG_IFS_SEARCH_FAST : RUG_IFS_SEARCH_AUTO;
        o.without_residual = (data[5] & 2) != 0;
    }
    o.scale_max = (data[6] % 8u) / 8.0;
    return o;
}

/* A context that is kept. @param threads  1, of the portable code, or 3 */
static rug_context *context_of(int threads)
{
    static rug_context *kept[2];
    rug_context **ctx = &kept[threads > 1];
    if (*ctx == NULL &&
        (rug_context_new(ctx) != RUG_OK ||
         rug_context_set_threads(*ctx, threads) != RUG_OK ||
         (threads == 1 && rug_context_set_cpu_level(*ctx, RUG_CPU_REF) != RUG_OK)))
        abort();
    return *ctx;
}

/* @return to be freed with rug_ifs_stream_free() and the same context */
static rug_ifs_stream compress(int threads, const image *in, const rug_ifs_options *o)
{
    rug_ifs_stream stream;
    if (rug_ifs_compress(context_of(threads), &stream, in->views, in->n_planes, o) !=
        RUG_OK)
        abort();
    return stream;
}

static rug_ifs_picture decompress(rug_context *ctx, const rug_ifs_stream *stream,
                                  uint32_t iterations)
{
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    o.iterations = iterations;
    if (rug_ifs_decompress(ctx, &out, stream->bytes, stream->size, &o) != RUG_OK)
        abort();
    return out;
}

static int32_t pixel_of(const rug_ifs_picture *p, size_t i)
{
    return p->dtype == RUG_U8 ? ((const uint8_t *)p->pixels)[i]
                              : ((const uint16_t *)p->pixels)[i];
}

static size_t bytes_of(const rug_ifs_picture *p)
{
    return (size_t)p->n_planes * p->nx * p->ny * (p->dtype == RUG_U8 ? 1 : 2);
}

/* Longer iterations change nothing: a grey level of 8 bits, with what colours make of it. */
static void check_converged(const rug_ifs_picture *a, const rug_ifs_picture *b)
{
    int32_t most = a->n_planes == 3 ? 3 : 1;
    most *= a->dtype == RUG_U8 ? 1 : 256;
    for (size_t i = 0; i < (size_t)a->n_planes * a->nx * a->ny; i++)
        if (abs(pixel_of(a, i) - pixel_of(b, i)) > most)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static image in;
    rug_context *ctx = fuzz_context();
    if (n < HEAD)
        return 0;
    make_image(&in, data, n);
    if (rug_image_pixels(&in.views[0]) * (unsigned)in.n_planes > PIXELS_MAX)
        return 0;
    rug_ifs_options o = options_of(data);
    rug_ifs_stream one = compress(1, &in, &o), many = compress(3, &in, &o);
    if (one.size != many.size || memcmp(one.bytes, many.bytes, one.size) != 0)
        abort();
    rug_ifs_picture got = decompress(ctx, &one, 0);
    rug_ifs_picture longer = decompress(context_of(1), &one, has_patches(data) ? 0 : 64);
    if (got.nx != in.views[0].shape[1] || got.ny != in.views[0].shape[0] ||
        got.n_planes != in.n_planes || got.dtype != in.views[0].dtype)
        abort();
    check_converged(&got, &longer);
    if (has_patches(data) && memcmp(got.pixels, longer.pixels, bytes_of(&got)) != 0)
        abort(); /* the portable code */
    if (o.lossless && memcmp(got.pixels, in.pixels, bytes_of(&got)) != 0)
        abort();
    rug_ifs_picture_free(ctx, &got);
    rug_ifs_picture_free(context_of(1), &longer);
    rug_ifs_stream_free(context_of(1), &one);
    rug_ifs_stream_free(context_of(3), &many);
    return 0;
}
