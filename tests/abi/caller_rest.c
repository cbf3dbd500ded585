/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding, and differences of images. */

#include "caller.h"
#include <string.h>

/* The upper left quarter, since coding takes long. */
static const rug_image *corner(void)
{
    static rug_image view;
    view = image;
    view.shape[0] = view.shape[1] = 32;
    return &view;
}

static void set_ifs(void)
{
    PUT(partition, rug_ifs_partition, RUG_IFS_FIXED);
    PUT(target, rug_ifs_target, RUG_IFS_TARGET_QUALITY);
    PUT(target_value, double, 40);
    PUT(range_size, uint32_t, 4);
    PUT(domain_step, uint32_t, 8);
    PUT(without_residual, int, 1);
    PUT(search, rug_ifs_search, RUG_IFS_SEARCH_EXHAUSTIVE);
    PUT(scale_max, double, 0.75);
    PUT(shadow_limit, double, 2);
    PUT(domain_wrap, int, 1);
    PUT(unused, uint32_t, 0);
    PUT(version, uint32_t, 0);
    PUT(effort, uint32_t, 0);
    PUT(tune, int, 0);   /* RUG_IFS_TUNE_SSIM */
    PUT(chroma, int, 0); /* RUG_IFS_CHROMA_444 */
    PUT(chroma_quality, double, 0);
    PUT(lossless, int, 0);
    PUT(progressive, int, 0);
    PUT(tile, uint32_t, 0);
    PUT(unused2, uint32_t, 0);
    PUT(notes, const void *, NULL);
}

static rug_status run_compress(void *given, int is_broken)
{
    (void)is_broken;
    rug_ifs_stream stream;
    rug_status status = rug_ifs_compress(ctx, &stream, corner(), 1, given);
    say("%d bytes", (int)stream.size);
    rug_ifs_stream_free(ctx, &stream);
    return status;
}

static rug_status run_ifs_check(void *given, int is_broken)
{
    (void)is_broken;
    return rug_ifs_check_options(ctx, given);
}

/* Paper codes are of the partitions with ranges of one size. */
static rug_status run_find(void *given, int is_broken)
{
    (void)is_broken;
    rug_ifs_code *code;
    rug_status status = rug_ifs_find(ctx, &code, corner(), given);
    if (status == RUG_OK)
        say("%d, %.12g", (int)rug_ifs_code_count(code), rug_ifs_code_at(code, 0)->error);
    rug_ifs_code_free(code);
    return status;
}

static rug_ifs_stream compressed(void)
{
    rug_ifs_stream stream;
    must(rug_ifs_compress(ctx, &stream, corner(), 1, NULL), "rug_ifs_compress");
    return stream;
}

static rug_status run_info(void *given, int is_broken)
{
    rug_ifs_stream stream = compressed();
    rug_status status =
        rug_ifs_read_info(ctx, given, stream.bytes, is_broken ? 3 : stream.size);
    rug_ifs_stream_free(ctx, &stream);
    return status;
}

static rug_status run_ifs_notes(void *given, int is_broken)
{
    rug_ifs_stream stream = compressed();
    rug_status status =
        rug_ifs_read_notes(ctx, given, stream.bytes, is_broken ? 3 : stream.size);
    rug_ifs_stream_free(ctx, &stream);
    return status;
}

static rug_status take_frame(void *user, uint32_t iteration,
                             const rug_ifs_picture *picture)
{
    say(" %s%d: %d", user != NULL ? (const char *)user : "", (int)iteration,
        picture->n_planes);
    return RUG_OK;
}

static void set_decode(void)
{
    PUT(scale, double, 1);
    PUT(nx, uint32_t, 48);
    PUT(ny, uint32_t, 16);
    PUT(iterations, uint32_t, 3);
    PUT(pixels_max, uint64_t, 100000);
    PUT(frame, rug_ifs_frame_fn, take_frame);
    PUT(user, void *, (void *)"frame ");
    PUT(crop_x, uint32_t, 0);
    PUT(crop_y, uint32_t, 0);
    PUT(crop_nx, uint32_t, 0);
    PUT(crop_ny, uint32_t, 0);
    PUT(partial, int, 0);
    PUT(unused, uint32_t, 0);
}

static rug_status finish_picture(rug_status status, rug_ifs_picture *picture)
{
    if (status == RUG_OK)
        say(" %s, %d", rug_dtype_name(picture->dtype),
            *(const unsigned char *)picture->pixels);
    rug_ifs_picture_free(ctx, picture);
    return status;
}

static rug_status run_decompress(void *given, int is_broken)
{
    (void)is_broken;
    rug_ifs_stream stream;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.partition = RUG_IFS_FIXED; /* with iterations */
    must(rug_ifs_compress(ctx, &stream, corner(), 1, &opts), "rug_ifs_compress");
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_status status =
        rug_ifs_decompress(ctx, &picture, stream.bytes, stream.size, given);
    rug_ifs_stream_free(ctx, &stream);
    return finish_picture(status, &picture);
}

/* Frees the pixels of a picture of any length, which stays as it is. */
static rug_status drop_pixels(rug_status status, const void *given)
{
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    size_t size = 0;
    if (status != RUG_OK)
        return status;
    memcpy(&size, given, sizeof size);
    if (size > sizeof picture)
        size = sizeof picture;
    memcpy((char *)&picture + sizeof size, (const char *)given + sizeof size,
           size - sizeof size);
    rug_ifs_picture_free(ctx, &picture);
    return RUG_OK;
}

static rug_status run_picture(void *given, int is_broken)
{
    rug_ifs_stream stream = compressed();
    rug_status status =
        rug_ifs_decompress(ctx, given, stream.bytes, is_broken ? 3 : stream.size, NULL);
    rug_ifs_stream_free(ctx, &stream);
    return drop_pixels(status, given);
}

static rug_status run_iterate(void *given, int is_broken)
{
    rug_ifs_code *code;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.partition = RUG_IFS_FIXED;
    must(rug_ifs_find(ctx, &code, corner(), &opts), "rug_ifs_find");
    rug_status status =
        rug_ifs_iterate(ctx, code, given, is_broken ? 0 : 1, 3, NULL, NULL);
    rug_ifs_code_free(code);
    return drop_pixels(status, given);
}

static rug_status run_draw(void *given, int is_broken)
{
    const rug_ifs_map maps[2] = {{.a = 0.5}, {.a = is_broken ? 2 : 0.5, .e = 1}};
    return drop_pixels(rug_ifs_draw(ctx, given, maps, 2, 9, 9), given);
}

static void set_upscale(void)
{
    PUT(scale, uint32_t, 2);
    PUT(domain_step, uint32_t, 4);
    PUT(rounds, uint32_t, 1);
}

static rug_status run_upscale(void *given, int is_broken)
{
    (void)is_broken;
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    rug_status status = rug_ifs_upscale(ctx, &picture, corner(), 1, given);
    return finish_picture(status, &picture);
}

static rug_status run_upscaled(void *given, int is_broken)
{
    rug_status status = rug_ifs_upscale(ctx, given, is_broken ? NULL : corner(), 1, NULL);
    return drop_pixels(status, given);
}

/* Differences of images. */

static void set_quality(void)
{
    PUT(peak, double, 100);
}

static rug_status run_quality(void *given, int is_broken)
{
    (void)is_broken;
    rug_quality_result result = RUG_QUALITY_RESULT_INIT;
    rug_status status = rug_quality(ctx, &result, &image, &labels, 1, given);
    say("%.12g %.12g", result.psnr, result.ssim);
    return status;
}

static rug_status run_quality_out(void *given, int is_broken)
{
    return rug_quality(ctx, given, &image, is_broken ? NULL : &labels, 1, NULL);
}

const caller_use caller_rest[] = {
    {CALLER_OPTIONS, "rug_ifs_compress", "rug_ifs_options", run_compress, set_ifs, NULL},
    {CALLER_OPTIONS, "rug_ifs_check_options", "rug_ifs_options", run_ifs_check, set_ifs,
     NULL},
    {CALLER_VALUE, "rug_ifs_find", "rug_ifs_options", run_find, set_ifs, NULL},
    {CALLER_RESULT, "rug_ifs_read_info", "rug_ifs_info", run_info, NULL, NULL},
    {CALLER_RESULT, "rug_ifs_read_notes", "rug_ifs_notes", run_ifs_notes, NULL, NULL},
    {CALLER_OPTIONS, "rug_ifs_decompress", "rug_ifs_decode_options", run_decompress,
     set_decode, NULL},
    {CALLER_RESULT, "rug_ifs_decompress", "rug_ifs_picture", run_picture, NULL, "pixels"},
    {CALLER_RESULT, "rug_ifs_iterate", "rug_ifs_picture", run_iterate, NULL, "pixels"},
    {CALLER_OPTIONS, "rug_ifs_upscale", "rug_ifs_upscale_options", run_upscale,
     set_upscale, NULL},
    {CALLER_RESULT, "rug_ifs_upscale", "rug_ifs_picture", run_upscaled, NULL, "pixels"},
    {CALLER_RESULT, "rug_ifs_draw", "rug_ifs_picture", run_draw, NULL, "pixels"},
    {CALLER_OPTIONS, "rug_quality", "rug_quality_options", run_quality, set_quality,
     NULL},
    {CALLER_RESULT, "rug_quality", "rug_quality_result", run_quality_out, NULL, NULL},
    {CALLER_OPTIONS, NULL, NULL, NULL, NULL, NULL},
};
