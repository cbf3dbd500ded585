/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files for the tests of sources, and reading layers of them. Include it after
 * read_support.h. */

#ifndef RUGOSE_SOURCE_SUPPORT_H
#define RUGOSE_SOURCE_SUPPORT_H

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

#endif
