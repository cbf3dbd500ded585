/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What maps say of their place, as libtiff reads it. */

#ifndef TAG_SUPPORT_H
#define TAG_SUPPORT_H

#include "read_support.h"
#include <math.h>
#include <rugose/image_writer.h>
#include <string.h>
#include <tiffio.h>

typedef struct told {
    double scale[3], tie[6], matrix[16];
    int n_scale, n_tie, n_matrix, n_keys;
    uint16_t keys[128];
    char names[512], nodata[16];
} told;

static inline void read_doubles(TIFF *tiff, uint32_t tag, double *out, int most, int *n)
{
    uint32_t count = 0;
    double *values = NULL;
    *n = 0;
    if (!TIFFGetField(tiff, tag, &count, &values))
        return;
    assert_true(count <= (uint32_t)most);
    memcpy(out, values, count * sizeof *out);
    *n = (int)count;
}

static inline told read_told(const char *path)
{
    told t = {.n_scale = 0};
    uint16_t *keys = NULL;
    uint32_t n = 0;
    char *text = NULL;
    TIFFSetWarningHandler(
        NULL); /* of tags that it does not know: they come with a count */
    TIFF *tiff = TIFFOpen(path, "r");
    assert_non_null(tiff);
    read_doubles(tiff, 33550, t.scale, 3, &t.n_scale);
    read_doubles(tiff, 33922, t.tie, 6, &t.n_tie);
    read_doubles(tiff, 34264, t.matrix, 16, &t.n_matrix);
    if (TIFFGetField(tiff, 34735, &n, &keys) && n <= 128) {
        memcpy(t.keys, keys, n * sizeof *keys);
        t.n_keys = (int)n;
    }
    if (TIFFGetField(tiff, 34737, &n, &text))
        snprintf(t.names, sizeof t.names, "%s", text);
    if (TIFFGetField(tiff, 42113, &n, &text))
        snprintf(t.nodata, sizeof t.nodata, "%s", text);
    TIFFClose(tiff);
    return t;
}

/* The value of a key of GeoTIFF that is a number; -1: it is not there. */
static inline int told_key(const told *t, int key)
{
    for (int i = 4; i + 3 < t->n_keys; i += 4)
        if (t->keys[i] == key && t->keys[i + 1] == 0)
            return t->keys[i + 3];
    return -1;
}

/* Writes a map of floats of a source, and reads what it says. */
static inline told write_map_of(scratch *here, const char *source,
                                const rug_read_options *opts, const double *first,
                                const double *step)
{
    const size_t shape[2] = {2, 3};
    const float rows[6] = {0};
    rug_file *file;
    rug_image_writer *w;
    assert_int_equal(rug_file_open(ctx, &file, source, opts), RUG_OK);
    const char *path = scratch_path(here, "map.tif");
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_F32, 2, shape), RUG_OK);
    assert_int_equal(rug_image_writer_set_place(ctx, w, file, first, step), RUG_OK);
    assert_int_equal(rug_image_writer_set_nodata(ctx, w, (double)NAN), RUG_OK);
    rug_file_free(file);
    assert_int_equal(rug_image_writer_add(ctx, w, rows, 2), RUG_OK);
    assert_int_equal(rug_image_writer_commit(ctx, w), RUG_OK);
    return read_told(path);
}

static inline void assert_all_near(const double *got, const double *expected, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - expected[i]) < 1e-12 * (1 + fabs(expected[i]))))
            fail_msg("number %d is %.17g, %.17g expected", i, got[i], expected[i]);
}

#endif
