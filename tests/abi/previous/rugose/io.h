/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_IO_H
#define RUGOSE_IO_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/number.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

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

RUG_API rug_status rug_file_load(rug_context *ctx, rug_file *file);

RUG_API rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                                 const rug_read_options *opts);

RUG_API void rug_file_free(rug_file *file);

RUG_API const rug_image *rug_file_image(const rug_file *file);

RUG_API rug_image rug_file_plane(const rug_file *file, int plane);

RUG_API uint64_t rug_file_bytes(const rug_file *file);

RUG_API const rug_source *rug_file_source(rug_file *file);

RUG_API const rug_file_facts *rug_file_get_facts(const rug_file *file);

RUG_API char *rug_file_read_line(const rug_file *file, const rug_image_range *range,
                                 const char *extra);

typedef struct rug_point_facts {
    const char *format;
    uint64_t n_lines;
    uint64_t n_comment_lines;
    int has_header;
    int has_elements;
    char separator;

    double min[RUG_POINTS_MAX_AXES], max[RUG_POINTS_MAX_AXES];
    int all_whole;
} rug_point_facts;

typedef struct rug_point_file rug_point_file;

RUG_API int rug_path_is_points(const char *path);

RUG_API rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out,
                                       const char *path);

RUG_API void rug_point_file_free(rug_point_file *file);

RUG_API const rug_points *rug_point_file_points(const rug_point_file *file);

RUG_API const rug_point_facts *rug_point_file_facts(const rug_point_file *file);

RUG_API char *rug_point_file_read_line(const rug_point_file *file, const char *extra);

RUG_API const char *const *rug_file_formats(void);

#define RUG_SHA256_TEXT_MAX 65

RUG_API rug_status rug_file_sha256(rug_context *ctx, char out[RUG_SHA256_TEXT_MAX],
                                   const char *path);

typedef struct rug_list_row {
    char *image;
    char *mask;
    char *class_name;
} rug_list_row;

typedef struct rug_list rug_list;

RUG_API rug_status rug_list_read(rug_context *ctx, rug_list **out, const char *path);

RUG_API void rug_list_free(rug_list *list);

RUG_API size_t rug_list_rows(const rug_list *list);

RUG_API const rug_list_row *rug_list_row_at(const rug_list *list, size_t i);

typedef enum rug_report_format {
    RUG_REPORT_TEXT = 0,
    RUG_REPORT_CSV = 1,
    RUG_REPORT_JSON = 2
} rug_report_format;

typedef struct rug_record rug_record;

RUG_API rug_record *rug_record_new(void);

RUG_API void rug_record_free(rug_record *record);

RUG_API void rug_record_set_text(rug_record *record, const char *name, const char *value);

RUG_API void rug_record_set_integer(rug_record *record, const char *name, uint64_t value);
RUG_API void rug_record_set_signed(rug_record *record, const char *name, int64_t value);
RUG_API void rug_record_set_bool(rug_record *record, const char *name, int value);

RUG_API void rug_record_set_real(rug_record *record, const char *name, double value);

RUG_API void rug_record_set_integers(rug_record *record, const char *name,
                                     const uint64_t *values, size_t n);
RUG_API void rug_record_set_reals(rug_record *record, const char *name,
                                  const double *values, size_t n);

RUG_API void rug_record_set_record(rug_record *record, const char *name,
                                   rug_record *child);

RUG_API void rug_record_append(rug_record *record, const char *name, rug_record *child);

typedef struct rug_report rug_report;

RUG_API rug_report *rug_report_new(const char *const *columns);

RUG_API void rug_report_free(rug_report *report);

RUG_API rug_record *rug_report_head(rug_report *report);

RUG_API void rug_report_add(rug_report *report, rug_record *row);

RUG_API size_t rug_report_rows(const rug_report *report);

RUG_API rug_status rug_report_write(rug_context *ctx, const rug_report *report,
                                    const char *path, rug_report_format format);

RUG_API rug_status rug_report_format_of(rug_context *ctx, rug_report_format *out,
                                        const char *path);

typedef struct rug_output rug_output;

RUG_API rug_status rug_output_open(rug_context *ctx, rug_output **out, const char *path);

RUG_API FILE *rug_output_stream(rug_output *output);

RUG_API rug_status rug_output_commit(rug_context *ctx, rug_output *output);

RUG_API void rug_output_discard(rug_output *output);

typedef enum rug_plot_style {
    RUG_PLOT_POINTS = 0,
    RUG_PLOT_OPEN_POINTS = 1,
    RUG_PLOT_LINE = 2,
    RUG_PLOT_LINE_POINTS = 3
} rug_plot_style;

typedef struct rug_plot_series {
    const char *title;
    rug_plot_style style;
    size_t n;
    const double *x;
    const double *y;
} rug_plot_series;

typedef struct rug_plot_panel {
    const char *x_label;
    const char *y_label;
    int log_x;
    int log_y;
    size_t n_series;
    const rug_plot_series *series;
} rug_plot_panel;

RUG_API rug_status rug_plot_check_name(rug_context *ctx, const char *path);

RUG_API rug_status rug_plot_write(rug_context *ctx, const char *path, const char *title,
                                  size_t n_panels, const rug_plot_panel *panels);

#ifdef __cplusplus
}
#endif

#endif
