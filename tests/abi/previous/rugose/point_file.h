/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_POINT_FILE_H
#define RUGOSE_POINT_FILE_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/points.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rug_point_facts {
    const char *path;
    const char *format;
    uint64_t n_lines;
    uint64_t n_comment_lines;
    int has_header;
    int has_elements;
    char separator;

    double min[RUG_POINTS_MAX_AXES], max[RUG_POINTS_MAX_AXES];
    int all_whole;

    const char *columns;
    const char *left_out;
} rug_point_facts;

typedef struct rug_point_file_options {
    size_t struct_size;

    const char *columns;
} rug_point_file_options;

#define RUG_POINT_FILE_OPTIONS_INIT           {                                         sizeof(rug_point_file_options), 0 }

typedef struct rug_point_file rug_point_file;

RUG_API rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out,
                                       const char *path);

RUG_API rug_status rug_point_file_open(rug_context *ctx, rug_point_file **out,
                                       const char *path,
                                       const rug_point_file_options *opts);

RUG_API void rug_point_file_free(rug_point_file *file);

RUG_API const rug_points *rug_point_file_points(const rug_point_file *file);

RUG_API const rug_point_facts *rug_point_file_get_facts(const rug_point_file *file);

#ifdef __cplusplus
}
#endif

#endif
