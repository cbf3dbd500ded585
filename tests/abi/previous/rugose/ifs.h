/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IFS_H
#define RUGOSE_IFS_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_IFS_SIDE_MAX 65535

#define RUG_IFS_PLANES_MAX 3

typedef enum rug_ifs_partition {
    RUG_IFS_QUADTREE = 0,
    RUG_IFS_FIXED = 1,
    RUG_IFS_OVERLAP = 2
} rug_ifs_partition;

typedef enum rug_ifs_search {

    RUG_IFS_SEARCH_AUTO = 0,
    RUG_IFS_SEARCH_EXHAUSTIVE = 1,
    RUG_IFS_SEARCH_FAST = 2
} rug_ifs_search;

typedef enum rug_ifs_tune {
    RUG_IFS_TUNE_SSIM = 0,
    RUG_IFS_TUNE_PSNR = 1
} rug_ifs_tune;

typedef enum rug_ifs_chroma {
    RUG_IFS_CHROMA_444 = 0,
    RUG_IFS_CHROMA_420 = 1
} rug_ifs_chroma;

typedef enum rug_ifs_target {
    RUG_IFS_TARGET_QUALITY = 0,

    RUG_IFS_TARGET_RATE = 1,
    RUG_IFS_TARGET_PSNR = 2
} rug_ifs_target;

RUG_API const char *rug_ifs_partition_name(rug_ifs_partition partition);

RUG_API const char *rug_ifs_search_name(rug_ifs_search search);

RUG_API const char *rug_ifs_target_name(rug_ifs_target target);

typedef struct rug_ifs_options {
    size_t struct_size;
    rug_ifs_partition partition;
    rug_ifs_target target;
    double target_value;

    uint32_t range_size;
    uint32_t domain_step;
    int without_residual;
    rug_ifs_search search;
} rug_ifs_options;

#define RUG_IFS_OPTIONS_INIT                                                             {                                                                                    sizeof(rug_ifs_options), RUG_IFS_QUADTREE, RUG_IFS_TARGET_QUALITY, 50, 0, 0, 0,  RUG_IFS_SEARCH_AUTO }

typedef struct rug_ifs_stream {
    uint8_t *bytes;
    size_t size;
} rug_ifs_stream;

RUG_API rug_status rug_ifs_compress(rug_context *ctx, rug_ifs_stream *out,
                                    const rug_image *planes, int n_planes,
                                    const rug_ifs_options *opts);

RUG_API rug_status rug_ifs_check_options(rug_context *ctx, const rug_ifs_options *opts);

RUG_API void rug_ifs_stream_free(rug_context *ctx, rug_ifs_stream *stream);

typedef struct rug_ifs_info {
    size_t struct_size;
    uint32_t version;
    uint32_t nx, ny;
    int n_planes;
    int depth;
    rug_ifs_partition partition;
    uint32_t range_min, range_max;
    uint32_t domain_step;
    int has_residual;
    double quantiser_step;
    uint32_t iterations;
    int is_deblocked;
} rug_ifs_info;

#define RUG_IFS_INFO_INIT                                                                {                                                                                    sizeof(rug_ifs_info), 0, 0, 0, 0, 0, RUG_IFS_QUADTREE, 0, 0, 0, 0, 0.0, 0, 0 }

RUG_API rug_status rug_ifs_read_info(rug_context *ctx, rug_ifs_info *out,
                                     const uint8_t *bytes, size_t size);

RUG_API const char *rug_ifs_tune_name(rug_ifs_tune tune);
RUG_API const char *rug_ifs_chroma_name(rug_ifs_chroma chroma);

#define RUG_IFS_UNIT_MAX 16

typedef struct rug_ifs_notes {
    size_t struct_size;
    const uint8_t *icc;
    size_t icc_size;
    double spacing[2];
    char unit[RUG_IFS_UNIT_MAX];
    int orientation;
    int premultiplied;
} rug_ifs_notes;

#define RUG_IFS_NOTES_INIT                               \
    {                                                    \
        sizeof(rug_ifs_notes), NULL, 0, {0, 0}, "", 0, 0 \
    }

RUG_API rug_status rug_ifs_read_notes(rug_context *ctx, rug_ifs_notes *out,
                                      const uint8_t *bytes, size_t size);

typedef struct rug_ifs_picture {
    size_t struct_size;
    void *pixels;
    rug_dtype dtype;
    int n_planes;
} rug_ifs_picture;

#define RUG_IFS_PICTURE_INIT                             {                                                    sizeof(rug_ifs_picture), NULL, RUG_BIT, 0 }

typedef rug_status (*rug_ifs_frame_fn)(void *user, uint32_t iteration,
                                       const rug_ifs_picture *picture);

#define RUG_IFS_PIXELS_DEFAULT ((uint64_t)1 << 28)

typedef struct rug_ifs_decode_options {
    size_t struct_size;
    double scale;
    uint32_t nx, ny;
    uint32_t iterations;
    uint64_t pixels_max;
    rug_ifs_frame_fn frame;
} rug_ifs_decode_options;

#define RUG_IFS_DECODE_OPTIONS_INIT                                                     {                                                                                   sizeof(rug_ifs_decode_options), 1, 0, 0, 0, RUG_IFS_PIXELS_DEFAULT, NULL }

RUG_API rug_status rug_ifs_decompress(rug_context *ctx, rug_ifs_picture *out,
                                      const uint8_t *bytes, size_t size,
                                      const rug_ifs_decode_options *opts);

RUG_API void rug_ifs_picture_free(rug_context *ctx, rug_ifs_picture *picture);

typedef struct rug_ifs_transform {
    uint32_t range_x, range_y;
    uint32_t size;
    uint32_t domain_x, domain_y;
    uint8_t plane;
    uint8_t symmetry;
    uint8_t has_domain;
    double s;
    double mean;
    double error;
} rug_ifs_transform;

typedef rug_status (*rug_ifs_transform_fn)(void *user,
                                           const rug_ifs_transform *transform);

RUG_API rug_status rug_ifs_read_transforms(rug_context *ctx, const uint8_t *bytes,
                                           size_t size, uint64_t pixels_max,
                                           rug_ifs_transform_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
