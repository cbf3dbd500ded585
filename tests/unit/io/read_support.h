/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of the readers share: reading that must work, reading that must fail,
 * single pixels, bytes on disk, and silence on stderr; and reading slab by slab, compared with the
 * file read whole, so that every file of every test is read both ways. Include it after
 * io_scratch.h. */

#ifndef RUGOSE_READ_SUPPORT_H
#define RUGOSE_READ_SUPPORT_H

#include <fcntl.h>
#include <rugose/io.h>

/* ---- Slabs ---- */

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
            if (a->dtype == RUG_BIT
                    ? memcmp(row_of(a, z, y), row_of(b, z, y), (a->shape[last] + 7) / 8)
                    : !same_rows(row_of(a, z, y), a->stride[last], row_of(b, z, y),
                                 b->stride[last], a->shape[last],
                                 rug_dtype_size(a->dtype)))
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
                     b->dtype == RUG_BIT
                         ? (size_t)b->stride[0] * b->shape[0]
                         : rug_image_pixels(b) * rug_dtype_size(b->dtype));
    assert_string_equal(f->format, g->format);
    assert_true(f->n_pages == g->n_pages && f->page == g->page &&
                f->n_levels == g->n_levels && f->level == g->level &&
                f->n_channels == g->n_channels && f->channel == g->channel &&
                f->dropped_alpha == g->dropped_alpha &&
                f->white_is_zero == g->white_is_zero);
    assert_memory_equal(&f->slope, &g->slope, sizeof f->slope);
    assert_memory_equal(&f->intercept, &g->intercept, sizeof f->intercept);
    assert_true(f->orientation == g->orientation && f->is_turned == g->is_turned);
    assert_memory_equal(f->affine, g->affine, sizeof f->affine);
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

/* Reads layers, which must be what was read whole. */
static inline void assert_layers(rug_context *reader, rug_file *file, size_t first,
                                 size_t n, const rug_file *whole)
{
    const rug_source *source = rug_file_source(file);
    rug_image slab, expected = layers_of(rug_file_image(whole), first, n);
    if (source->read(reader, source->user, &slab, first, n) != RUG_OK)
        fail_msg("%s", rug_context_error(reader));
    if (!same_views(&slab, &expected))
        fail_msg("layers %zu..%zu, by themselves, differ", first, first + n - 1);
}

/* Passes that begin in the middle: they are refused, or give what was read whole, and what a later
 * pass sees is not changed. */
static inline void assert_any_order(rug_context *reader, const char *path,
                                    const rug_read_options *opts, const rug_file *whole)
{
    rug_file *file;
    rug_image slab;
    size_t n = rug_file_image(whole)->shape[0], half = n / 2, step = n / 3 + 1;
    assert_int_equal(rug_file_open(reader, &file, path, opts), RUG_OK);
    const rug_source *source = rug_file_source(file);
    const rug_file_facts *facts = rug_file_get_facts(file),
                         *all = rug_file_get_facts(whole);
    assert_int_equal(facts->pass_layers, 0);
    if (!source->any_order && n > 1)
        assert_int_equal(source->read(reader, source->user, &slab, n - 1, 1), RUG_E_ARG);
    for (size_t k = (n - 1) / step + 1; source->any_order && k-- > 0;)
        assert_layers(reader, file, k * step, n - k * step < step ? n - k * step : step,
                      whole);
    if (source->any_order && half > 0) {
        assert_layers(reader, file, n - 1, 1, whole);
        assert_layers(reader, file, half, 1, whole);
        if (half + 1 < n)
            assert_layers(reader, file, half + 1, n - half - 1, whole);
        assert_int_equal(facts->pass_first, half);
        assert_int_equal(facts->pass_layers, n - half);
        assert_true(facts->pass_nodata <= all->n_nodata && facts->pass_nan <= all->n_nan);
    }
    assert_int_equal(read_pass(reader, file, step, rug_file_image(whole)), RUG_OK);
    assert_true(facts->pass_layers == n && facts->n_nodata == all->n_nodata &&
                facts->n_nan == all->n_nan && facts->is_counted == all->is_counted);
    rug_file_free(file);
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

/* ---- Files ---- */

/* One test with a folder of its own. */
#define SCRATCH_TEST(f) \
    cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

/* The context of the running test; made by need_context(), freed by each helper's
 * caller. */
static rug_context *ctx;

/* What the warning callback was told last. */
static char warning[1024];

static inline void keep_warning(void *user, const char *text)
{
    (void)user;
    snprintf(warning, sizeof warning, "%s", text);
}

static inline int context_setup(void **state)
{
    (void)state;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    rug_context_set_warn(ctx, keep_warning, NULL);
    return 0;
}

static inline int context_teardown(void **state)
{
    (void)state;
    rug_context_free(ctx);
    return 0;
}

/* Writes bytes to a file of the folder, and returns its path. */
static inline const char *put_bytes(scratch *here, const char *name, const void *bytes,
                                    size_t n)
{
    const char *path = scratch_path(here, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* Reads a file, whole and slab by slab; fails the test when that fails. */
static inline rug_file *must_read(const char *path, const rug_read_options *opts)
{
    rug_file *file = NULL;
    warning[0] = '\0';
    if (rug_file_read(ctx, &file, path, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(file);
    assert_slabs(ctx, path, opts, file);
    assert_any_order(ctx, path, opts, file);
    return file;
}

/* Fails the test unless the last call failed with this status and a text that names the
 * file and holds `text`. */
static inline void assert_failure(const char *path, rug_status got, rug_status status,
                                  const char *text)
{
    const char *error = rug_context_error(ctx);
    if (got != status)
        fail_msg("status %s, %s expected: %s", rug_status_name(got),
                 rug_status_name(status), got != RUG_OK ? error : path);
    if (strstr(error, path) == NULL)
        fail_msg("the error text does not name %s: %s", path, error);
    if (strstr(error, text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text, error);
    if (strchr(error, '\n') != NULL)
        fail_msg("the error text has several lines: %s", error);
}

/* Fails the test unless reading fails so, whole and slab by slab. */
static inline void must_fail(const char *path, const rug_read_options *opts,
                             rug_status status, const char *text)
{
    rug_file *file = (rug_file *)&file;
    rug_status got = rug_file_read(ctx, &file, path, opts);
    assert_failure(path, got, status, text);
    assert_null(file);
    assert_failure(path, slab_status(ctx, path, opts, 3, NULL), status, text);
}

/* The value of a pixel; z = 0 for an image. */
static inline double pixel(const rug_file *file, size_t z, size_t y, size_t x)
{
    const rug_image *m = rug_file_image(file);
    size_t at[3] = {z, y, x};
    const unsigned char *p = m->data;
    for (int i = 0; i < m->ndim; i++)
        p += (ptrdiff_t)at[3 - m->ndim + i] * m->stride[i];
    switch (m->dtype) {
    case RUG_BIT:
        p += (ptrdiff_t)(x / 8) - (ptrdiff_t)x * m->stride[m->ndim - 1];
        return *p >> x % 8 & 1;
    case RUG_U8: return *p;
    case RUG_I8: return *(const int8_t *)p;
    case RUG_U16: return *(const uint16_t *)p;
    case RUG_I16: return *(const int16_t *)p;
    case RUG_U32: return *(const uint32_t *)p;
    case RUG_I32: return *(const int32_t *)p;
    case RUG_U64: return (double)*(const uint64_t *)p;
    case RUG_I64: return (double)*(const int64_t *)p;
    case RUG_F32: return (double)*(const float *)p;
    case RUG_F64: return *(const double *)p;
    default: fail_msg("dtype %d", (int)m->dtype); return 0;
    }
}

static inline void assert_pixel(const rug_file *file, size_t z, size_t y, size_t x,
                                double expected)
{
    double got = pixel(file, z, y, x);
    if (!(got <= expected && got >= expected))
        fail_msg("pixel [%zu][%zu][%zu] is %.17g, %.17g expected", z, y, x, got,
                 expected);
}

/* Checks dtype and shape; nz = 0 for an image. */
static inline void assert_shape(const rug_file *file, rug_dtype dtype, size_t nz,
                                size_t ny, size_t nx)
{
    const rug_image *m = rug_file_image(file);
    assert_string_equal(rug_dtype_name(m->dtype), rug_dtype_name(dtype));
    assert_int_equal(m->ndim, nz == 0 ? 2 : 3);
    if (nz != 0)
        assert_int_equal(m->shape[0], nz);
    assert_int_equal(m->shape[m->ndim - 2], ny);
    assert_int_equal(m->shape[m->ndim - 1], nx);
}

static inline void assert_near(double got, double expected)
{
    if (!(got > expected * (1 - 1e-6) && got < expected * (1 + 1e-6)))
        fail_msg("%.9g, %.9g expected", got, expected);
}

/* Nonzero when two files hold the same pixels in the same order. */
static inline int same_pixels(const rug_file *a, const rug_file *b)
{
    const rug_image *p = rug_file_image(a), *q = rug_file_image(b);
    return p->dtype == q->dtype && p->ndim == q->ndim &&
           memcmp(p->shape, q->shape, sizeof p->shape) == 0 &&
           memcmp(p->data, q->data, rug_image_pixels(p) * rug_dtype_size(p->dtype)) == 0;
}

/* Reads a whole file; free it. */
static inline unsigned char *get_bytes(const char *path, size_t *n)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *n = (size_t)ftell(in);
    rewind(in);
    unsigned char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, in), *n);
    fclose(in);
    return bytes;
}

/* Cuts a file at every step-th length. Each cut must be an error, or give the whole
 * file's pixels (a format may end with bytes that are not pixels). Returns how many cuts
 * were errors. */
static inline size_t cut_everywhere(scratch *here, const char *name,
                                    const rug_read_options *opts, size_t step)
{
    size_t n, n_errors = 0;
    unsigned char *bytes = get_bytes(scratch_path(here, name), &n);
    rug_file *whole = must_read(here->path, opts);
    for (size_t length = 0; length < n; length += step) {
        const char *path = put_bytes(here, "cut", bytes, length);
        rug_file *file = NULL;
        if (rug_file_read(ctx, &file, path, opts) == RUG_OK) {
            if (!same_pixels(whole, file))
                fail_msg("%s cut to %zu of %zu bytes gives other pixels", name, length,
                         n);
            assert_int_equal(slab_status(ctx, path, opts, 3, rug_file_image(whole)),
                             RUG_OK);
        } else {
            assert_null(file);
            assert_non_null(strstr(rug_context_error(ctx), path));
            assert_int_not_equal(slab_status(ctx, path, opts, 3, NULL), RUG_OK);
            assert_non_null(strstr(rug_context_error(ctx), path));
            n_errors++;
        }
        rug_file_free(file);
    }
    rug_file_free(whole);
    free(bytes);
    return n_errors;
}

/* Sends stderr to a file of the folder; returns what end_silence() needs. */
static inline int begin_silence(scratch *here)
{
    int kept = dup(2);
    int to = open(scratch_path(here, "stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && to >= 0);
    assert_int_equal(dup2(to, 2), 2);
    close(to);
    return kept;
}

/* Brings stderr back and fails when anything was written to it. */
static inline void end_silence(scratch *here, int kept)
{
    fflush(stderr);
    assert_int_equal(dup2(kept, 2), 2);
    close(kept);
    size_t n;
    unsigned char *text = get_bytes(scratch_path(here, "stderr"), &n);
    text[n] = '\0';
    if (n != 0)
        fail_msg("on stderr: %s", (char *)text);
    free(text);
}

#endif
