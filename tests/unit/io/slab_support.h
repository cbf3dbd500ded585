/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading files slab by slab, and comparing that with the file read whole. Included by
 * read_support.h, so that every file of every test is read both ways. */

#ifndef RUGOSE_SLAB_SUPPORT_H
#define RUGOSE_SLAB_SUPPORT_H

#include <rugose/io.h>

/* Where a row of a view begins; z = 0 for an image. */
static inline const unsigned char *row_of(const rug_image *m, size_t z, size_t y)
{
    return (const unsigned char *)m->data +
           (m->ndim == 3 ? (ptrdiff_t)z * m->stride[0] : 0) +
           (ptrdiff_t)y * m->stride[m->ndim - 2];
}

/* Nonzero when two rows of n pixels are equal, pixels that many bytes apart. */
static inline int same_rows(const unsigned char *a, ptrdiff_t a_step,
                            const unsigned char *b, ptrdiff_t b_step, size_t n,
                            size_t size)
{
    if (a_step == (ptrdiff_t)size && b_step == (ptrdiff_t)size)
        return memcmp(a, b, n * size) == 0;
    for (size_t x = 0; x < n; x++)
        if (memcmp(a + (ptrdiff_t)x * a_step, b + (ptrdiff_t)x * b_step, size) != 0)
            return 0;
    return 1;
}

/* Nonzero when two views hold the same pixels, wherever they lie. */
static inline int same_views(const rug_image *a, const rug_image *b)
{
    int last = a->ndim - 1;
    if (a->dtype != b->dtype || a->ndim != b->ndim)
        return 0;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] != b->shape[i])
            return 0;
    for (size_t z = 0; z < (a->ndim == 3 ? a->shape[0] : 1); z++)
        for (size_t y = 0; y < a->shape[last - 1]; y++)
            if (!same_rows(row_of(a, z, y), a->stride[last], row_of(b, z, y),
                           b->stride[last], a->shape[last], rug_dtype_size(a->dtype)))
                return 0;
    return 1;
}

/* A view of some layers of an image in memory. */
static inline rug_image layers_of(const rug_image *image, size_t first, size_t n)
{
    rug_image layers = *image;
    layers.data =
        (const unsigned char *)image->data + (ptrdiff_t)first * image->stride[0];
    layers.shape[0] = n;
    return layers;
}

/* Reads a file once in slabs of n layers. Where `whole` is given, each of them must be
 * equal to its layers. Returns the first failure. */
static inline rug_status read_pass(rug_context *reader, rug_file *file, size_t n,
                                   const rug_image *whole)
{
    const rug_source *source = rug_file_source(file);
    for (size_t z = 0; z < source->shape[0]; z += n) {
        size_t k = source->shape[0] - z < n ? source->shape[0] - z : n;
        rug_image slab;
        rug_status status = source->read(reader, source->user, &slab, z, k);
        if (status != RUG_OK) {
            assert_null(slab.data);
            return status;
        }
        assert_non_null(slab.data);
        if (whole != NULL) {
            rug_image expected = layers_of(whole, z, k);
            if (!same_views(&slab, &expected))
                fail_msg("layers %zu..%zu in slabs of %zu differ", z, z + k - 1, n);
        }
    }
    return RUG_OK;
}

/* What is known of an opened file must be what is known of the whole one. */
static inline void assert_same_facts(const rug_file *opened, const rug_file *whole)
{
    const rug_image *a = rug_file_image(opened), *b = rug_file_image(whole);
    const rug_source *s = rug_file_source((rug_file *)opened);
    const rug_file_facts *f = rug_file_get_facts(opened), *g = rug_file_get_facts(whole);
    assert_true(a->dtype == b->dtype && a->ndim == b->ndim);
    assert_memory_equal(a->shape, b->shape, sizeof a->shape);
    assert_memory_equal(a->stride, b->stride, sizeof a->stride);
    assert_memory_equal(a->spacing, b->spacing, sizeof a->spacing);
    assert_true((a->spacing_unit == NULL) == (b->spacing_unit == NULL));
    assert_true(s->dtype == a->dtype && s->ndim == a->ndim &&
                s->spacing_unit == a->spacing_unit);
    assert_memory_equal(s->shape, a->shape, sizeof s->shape);
    assert_memory_equal(s->spacing, a->spacing, sizeof s->spacing);
    assert_int_equal(rug_file_bytes(opened),
                     rug_image_pixels(b) * rug_dtype_size(b->dtype));
    assert_string_equal(f->format, g->format);
    assert_true(f->n_pages == g->n_pages && f->page == g->page &&
                f->n_levels == g->n_levels && f->level == g->level &&
                f->n_channels == g->n_channels && f->channel == g->channel &&
                f->dropped_alpha == g->dropped_alpha &&
                f->white_is_zero == g->white_is_zero);
    assert_memory_equal(&f->slope, &g->slope, sizeof f->slope);
    assert_memory_equal(&f->intercept, &g->intercept, sizeof f->intercept);
}

/* Slabs of every thickness, each in two passes, must be what was read whole. */
static inline void assert_slabs(rug_context *reader, const char *path,
                                const rug_read_options *opts, const rug_file *whole)
{
    size_t n_layers = rug_file_image(whole)->shape[0];
    const size_t thick[] = {n_layers > 300 ? 150 : 1, 3, 7, 64, n_layers};
    for (size_t i = 0; i < sizeof thick / sizeof thick[0]; i++) {
        rug_file *file;
        if (rug_file_open(reader, &file, path, opts) != RUG_OK)
            fail_msg("%s", rug_context_error(reader));
        assert_null(rug_file_image(file)->data);
        assert_int_equal(rug_file_get_facts(file)->equal_channels, 0);
        assert_same_facts(file, whole);
        for (int pass = 0; pass < 2; pass++)
            if (read_pass(reader, file, thick[i], rug_file_image(whole)) != RUG_OK)
                fail_msg("slabs of %zu: %s", thick[i], rug_context_error(reader));
        assert_int_equal(rug_file_get_facts(file)->equal_channels,
                         rug_file_get_facts(whole)->equal_channels);
        rug_file_free(file);
    }
}

/* Opens a file and reads it in slabs of n layers; returns the first failure. */
static inline rug_status slab_status(rug_context *reader, const char *path,
                                     const rug_read_options *opts, size_t n,
                                     const rug_image *whole)
{
    rug_file *file = NULL;
    rug_status status = rug_file_open(reader, &file, path, opts);
    assert_true((file == NULL) == (status != RUG_OK));
    if (status == RUG_OK)
        status = read_pass(reader, file, n, whole);
    rug_file_free(file);
    return status;
}

#endif
