/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of points in memory: finds out by the content which reader is the right one, owns
 * what it read, and describes it in a line. */

#include "point_file.h"
#include "io/arrays/npy_array.h"
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int rug_path_is_points(const char *path)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt", ".xyz"};
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++)
        if (g_ascii_strcasecmp(dot, endings[i]) == 0)
            return 1;
    return 0;
}

static rug_status read_stream(rug_context *ctx, rug_point_file *file, FILE *in)
{
    unsigned char head[8];
    size_t n = fread(head, 1, sizeof head, in);
    if (ferror(in))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                g_strerror(errno));
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", file->path);
    if (rugi_npy_claims(head, n))
        return rugi_read_point_array(ctx, file);
    rewind(in);
    return rugi_read_point_text(ctx, file, in);
}

static rug_status read_content(rug_context *ctx, rug_point_file *file)
{
    FILE *in;
    rug_status status = rugi_open_regular(ctx, file->path, &in, &file->n_bytes);
    if (status != RUG_OK)
        return status;
    status = read_stream(ctx, file, in);
    fclose(in);
    return status == RUG_OK ? rugi_measure_points(ctx, file) : status;
}

static rug_point_file *new_file(rug_context *ctx, const char *path)
{
    rug_point_file *file = rug_context_allocate(ctx, 1, sizeof *file, path);
    if (file == NULL)
        return NULL;
    size_t n = strlen(path) + 1;
    memset(file, 0, sizeof *file);
    file->ctx = ctx;
    file->path = rug_context_allocate(ctx, n, 1, path);
    if (file->path == NULL) {
        rug_point_file_free(file);
        return NULL;
    }
    memcpy(file->path, path, n);
    return file;
}

rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out, const char *path)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_point_file_read: NULL given for the context, the result or the path");
    rug_point_file *file = new_file(ctx, path);
    if (file == NULL)
        return RUG_E_NOMEM;
    rug_status status = read_content(ctx, file);
    if (status == RUG_OK)
        *out = file;
    else
        rug_point_file_free(file);
    return status;
}

void rug_point_file_free(rug_point_file *file)
{
    if (file == NULL)
        return;
    rug_context_release(file->ctx, file->coordinates);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_points *rug_point_file_points(const rug_point_file *file)
{
    return &file->points;
}

const rug_point_facts *rug_point_file_facts(const rug_point_file *file)
{
    return &file->facts;
}

void rugi_axis_name(char out[16], int axis)
{
    if (axis < 3)
        snprintf(out, 16, "%c", "xyz"[axis]);
    else
        snprintf(out, 16, "axis %d", axis + 1);
}

static void put_extent(FILE *out, const rug_point_file *file)
{
    for (int a = 0; a < file->points.ndim; a++) {
        char name[16], min[RUG_REAL_TEXT_MAX], max[RUG_REAL_TEXT_MAX];
        rugi_axis_name(name, a);
        rug_format_real_short(min, file->facts.min[a]);
        rug_format_real_short(max, file->facts.max[a]);
        fprintf(out, ", %s %s..%s", name, min, max);
    }
}

static void put_facts(FILE *out, const rug_point_facts *facts)
{
    if (facts->has_header)
        fputs(", header skipped", out);
    if (facts->has_elements)
        fputs(", element symbols skipped", out);
    if (facts->n_comment_lines > 0)
        fprintf(out, ", %" PRIu64 " comment line%s", facts->n_comment_lines,
                facts->n_comment_lines == 1 ? "" : "s");
}

char *rug_point_file_read_line(const rug_point_file *file, const char *extra)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL)
        return NULL;
    fprintf(out, "read %s: %" PRIu64 " point%s in %dD %s", file->path, file->points.n,
            file->points.n == 1 ? "" : "s", file->points.ndim,
            rug_dtype_name(file->points.dtype));
    put_extent(out, file);
    put_facts(out, &file->facts);
    if (extra != NULL)
        fprintf(out, ", %s", extra);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
