/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of NRRD, MetaImage and MRC share: a header and values behind it, a type of
 * values, what must be read, and where a file lies. Include it after io_scratch.h. */

#ifndef RUGOSE_VOLUME_SUPPORT_H
#define RUGOSE_VOLUME_SUPPORT_H

#include "../io/read_support.h"
#include <math.h>
#include <zlib.h>

/* 2 x 3 x 4 values, x fastest. */
#define N_VALUES 24

/* A value of the test volumes, which every type holds. */
static inline double value_at(size_t i)
{
    return (double)(3 * i % 101);
}

/* Puts values first, first + step ... of value_at() into a block; returns its bytes. */
static inline size_t put_values(unsigned char *to, rug_dtype dtype, int is_big,
                                size_t first, size_t n)
{
    size_t size = rug_dtype_size(dtype);
    for (size_t i = 0; i < n; i++) {
        double v = value_at(first + i);
        float f = (float)v;
        uint64_t bits = (uint64_t)v;
        const void *from = dtype == RUG_F32   ? (const void *)&f
                           : dtype == RUG_F64 ? (const void *)&v
                                              : (const void *)&bits;
        for (size_t k = 0; k < size; k++)
            to[i * size + (is_big ? size - 1 - k : k)] = ((const unsigned char *)from)[k];
    }
    return n * size;
}

/* Writes a text and bytes behind it. */
static inline const char *put_behind(scratch *here, const char *name, const char *text,
                                     const void *bytes, size_t n)
{
    static unsigned char file[16384];
    size_t n_text = strlen(text);
    assert_true(n_text + n <= sizeof file);
    memcpy(file, text, n_text);
    if (n > 0)
        memcpy(file + n_text, bytes, n);
    return put_bytes(here, name, file, n_text + n);
}

/* Packs bytes; window bits 31 make gzip of it, 15 zlib. Returns how many there are. */
static inline size_t pack(unsigned char *to, size_t size, const void *bytes, size_t n,
                          int window_bits)
{
    z_stream s = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (unsigned)n};
    assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    s.next_out = to;
    s.avail_out = (unsigned)size;
    assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&s), Z_OK);
    return size - s.avail_out;
}

/* Fails the test unless a file is a volume of nz x ny x nx, nz = 0 for an image, whose pixels
 * are the values first, first + step, ... */
static inline void assert_values(const char *path, const rug_read_options *opts,
                                 rug_dtype dtype, const size_t shape[3], size_t first,
                                 size_t step)
{
    rug_file *file = must_read(path, opts);
    assert_shape(file, dtype, shape[0], shape[1], shape[2]);
    size_t i = first;
    for (size_t z = 0; z < (shape[0] > 0 ? shape[0] : 1); z++)
        for (size_t y = 0; y < shape[1]; y++)
            for (size_t x = 0; x < shape[2]; x++, i += step)
                assert_pixel(file, z, y, x, value_at(i));
    rug_file_free(file);
}

/* Fails the test unless a file lies so.
 * @param expected  the rows of its affine; NULL: nothing is known */
static inline void assert_located(const char *path, const char *by, const char *unit,
                                  const double *expected)
{
    rug_file *file = must_read(path, NULL);
    const rug_file_facts *facts = rug_file_get_facts(file);
    if (expected == NULL)
        assert_null(facts->located_by);
    else {
        assert_non_null(facts->located_by);
        assert_string_equal(facts->located_by, by);
        assert_string_equal(facts->affine_unit, unit);
    }
    for (int i = 0; expected != NULL && i < 12; i++) {
        double got = facts->affine[i / 4][i % 4];
        if (!(fabs(got - expected[i]) <= 1e-9 * (1 + fabs(expected[i]))))
            fail_msg("affine[%d][%d] is %.17g, %.17g expected", i / 4, i % 4, got,
                     expected[i]);
    }
    rug_file_free(file);
}

#endif
