/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of files as sources share: files to be read, reading of layers, and how many bytes
 * that takes. Include it after read_support.h. */

#ifndef RUGOSE_SOURCE_SUPPORT_H
#define RUGOSE_SOURCE_SUPPORT_H

#include "picture_support.h"
#include "read_support.h"
#include <zlib.h>

/* Pixels that no compression makes fewer of. */
static inline unsigned char *noise(size_t n)
{
    unsigned char *pixels = malloc(n);
    uint32_t state = 1;
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        pixels[i] = (unsigned char)(state >> 24);
    }
    return pixels;
}

static inline rug_file *must_open(const char *path, const rug_read_options *opts)
{
    rug_file *file = NULL;
    if (rug_file_open(ctx, &file, path, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return file;
}

static inline rug_status read_layers(rug_file *file, rug_image *slab, size_t first,
                                     size_t n)
{
    const rug_source *source = rug_file_source(file);
    return source->read(ctx, source->user, slab, first, n);
}

/* A .npy file of u8 pixels. */
static inline const char *put_pixels(scratch *here, const char *order, const char *shape,
                                     const unsigned char *pixels, size_t n)
{
    char head[129];
    unsigned char *file = malloc(128 + n);
    assert_non_null(file);
    snprintf(head, sizeof head, "{'descr': '|u1', 'fortran_order': %s, 'shape': %s, }",
             order, shape);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memset(file + 10, ' ', 118);
    memcpy(file + 10, head, strlen(head));
    memcpy(file + 128, pixels, n);
    put_bytes(here, "a.npy", file, 128 + n);
    free(file);
    return here->path;
}

/* A NIfTI-1 file of i16 pixels, gzipped when the name ends so. */
static inline const char *put_nifti(scratch *here, const char *name, int nx, int ny,
                                    int nz, float slope, const int16_t *pixels)
{
    unsigned char head[352] = {0};
    int32_t size = 348;
    int16_t dim[8] = {3, (int16_t)nx, (int16_t)ny, (int16_t)nz, 1, 1, 1, 1};
    int16_t type = 4;
    float offset = 352;
    memcpy(head, &size, 4);
    memcpy(head + 40, dim, sizeof dim);
    memcpy(head + 70, &type, 2);
    memcpy(head + 108, &offset, 4);
    memcpy(head + 112, &slope, 4);
    memcpy(head + 344, "n+1", 4);
    const char *path = scratch_path(here, name);
    gzFile out = gzopen(path, strstr(name, ".gz") != NULL ? "wb" : "wbT");
    unsigned n_bytes = (unsigned)(2 * nx * ny * nz);
    assert_int_equal(gzwrite(out, head, sizeof head), sizeof head);
    assert_int_equal(gzwrite(out, pixels, n_bytes), n_bytes);
    assert_int_equal(gzclose(out), Z_OK);
    return path;
}

/* ---- Bytes ---- */

/* What finding out what a file holds may cost, and asking the system. */
#define HEAD_BYTES ((size_t)64 << 10)

/* Bytes that this process has read so far; skips the test where the system does not say. */
static inline size_t bytes_read(void)
{
    unsigned long long n = 0;
    FILE *in = fopen("/proc/self/io", "r");
    if (in == NULL || fscanf(in, "rchar: %llu", &n) != 1) {
        if (in != NULL)
            fclose(in);
        skip();
    }
    fclose(in);
    return (size_t)n;
}

/* Opens a file and reads n layers from `first` on, in two slabs where that many are there: this
 * takes at most so many bytes. Returns the file, whose last slab is in *slab. */
static inline rug_file *read_within(const char *path, const rug_read_options *opts,
                                    size_t first, size_t n, size_t most, rug_image *slab)
{
    rug_file *file = NULL;
    size_t half = n / 2, before = bytes_read();
    if (rug_file_open(ctx, &file, path, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_source *source = rug_file_source(file);
    assert_int_equal(source->any_order, 1);
    if (half > 0)
        assert_int_equal(source->read(ctx, source->user, slab, first, half), RUG_OK);
    assert_int_equal(source->read(ctx, source->user, slab, first + half, n - half),
                     RUG_OK);
    size_t took = bytes_read() - before;
    if (took > most + HEAD_BYTES)
        fail_msg("%s: layers %zu..%zu took %zu bytes, at most %zu expected", path, first,
                 first + n - 1, took, most + HEAD_BYTES);
    return file;
}

#endif
