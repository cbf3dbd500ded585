/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_FILE_H
#define RUGOSE_FILE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rug_nodata {
    RUG_NODATA_OF_FILE = 0,
    RUG_NODATA_NONE = 1,
    RUG_NODATA_VALUE = 2
} rug_nodata;

typedef enum rug_nodata_as {
    RUG_NODATA_AS_NAN = 0,
    RUG_NODATA_AS_STORED = 1,
    RUG_NODATA_AS_ZERO = 2
} rug_nodata_as;

RUG_API const char *rug_nodata_name(rug_nodata nodata);
RUG_API const char *rug_nodata_as_name(rug_nodata_as as);

typedef struct rug_read_options {
    size_t struct_size;

    int page;

    int volume;

    int channel;

    int level;

    int planes;
} rug_read_options;

#define RUG_READ_OPTIONS_INIT                     \
    {                                             \
        sizeof(rug_read_options), -1, 0, -1, 0, 0 \
    }

typedef struct rug_file_facts {
    const char *path;
    const char *format;
    int n_pages;
    int page;
    int n_levels;
    int level;
    int n_channels;
    int channel;
    int equal_channels;
    int dropped_alpha;
    int white_is_zero;
    double slope;
    double intercept;
    int n_planes;
} rug_file_facts;

typedef struct rug_file rug_file;

RUG_API rug_status rug_file_open(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

RUG_API rug_status rug_file_open_slices(rug_context *ctx, rug_file **out,
                                        const char *const *paths, size_t n,
                                        const rug_read_options *opts);

RUG_API rug_status rug_file_load(rug_context *ctx, rug_file *file);

RUG_API rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

RUG_API void rug_file_free(rug_file *file);

RUG_API const rug_image *rug_file_image(const rug_file *file);

RUG_API rug_image rug_file_plane(const rug_file *file, int plane);

typedef enum rug_alpha {
    RUG_ALPHA_NONE = 0,
    RUG_ALPHA_STRAIGHT = 1,
    RUG_ALPHA_PREMULTIPLIED =
        2
} rug_alpha;

RUG_API const char *rug_alpha_name(rug_alpha alpha);

typedef struct rug_file_notes {
    size_t struct_size;
    const uint8_t *icc;
    size_t icc_size;
    double spacing[2];
    const char *unit;
    int orientation;
    rug_alpha alpha;
} rug_file_notes;
#define RUG_FILE_NOTES_INIT                                              \
    {                                                                    \
        sizeof(rug_file_notes), NULL, 0, {0, 0}, NULL, 0, RUG_ALPHA_NONE \
    }
RUG_API rug_status rug_file_read_notes(rug_context *ctx, rug_file_notes *out,
                                       const rug_file *file);

RUG_API uint64_t rug_file_bytes(const rug_file *file);

RUG_API const rug_source *rug_file_source(rug_file *file);

RUG_API const rug_file_facts *rug_file_get_facts(const rug_file *file);

RUG_API const char *const *rug_file_formats(void);

#ifdef __cplusplus
}
#endif

#endif
