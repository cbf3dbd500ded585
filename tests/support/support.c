/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the unit tests share; see support.h. Written to be obviously right, not fast. */

#include "support.h"
#include "core/context/context_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t test_below(uint64_t *state, uint64_t n)
{
    return test_random(state) % n;
}

rug_context *test_context(void)
{
    rug_context *ctx = NULL;
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_non_null(ctx);
    ctx->thread_work = 0; /* small images too are shared among threads */
    return ctx;
}

static const char *pixel_address(const rug_image *img, size_t z, size_t y, size_t x)
{
    size_t index[3] = {z, y, x};
    const char *p = img->data;
    for (int a = 0; a < img->ndim; a++)
        p += (ptrdiff_t)index[3 - img->ndim + a] * img->stride[a];
    return p;
}

#define PIXEL(type)              \
    do {                         \
        type v;                  \
        memcpy(&v, p, sizeof v); \
        return (long double)v;   \
    } while (0)

long double test_pixel(const rug_image *img, size_t z, size_t y, size_t x)
{
    const char *p = pixel_address(img, z, y, img->dtype == RUG_BIT ? 0 : x);
    switch (img->dtype) {
    case RUG_BIT: return ((const uint8_t *)p)[x / 8] >> (x % 8) & 1;
    case RUG_U8: PIXEL(uint8_t);
    case RUG_I8: PIXEL(int8_t);
    case RUG_U16: PIXEL(uint16_t);
    case RUG_I16: PIXEL(int16_t);
    case RUG_U32: PIXEL(uint32_t);
    case RUG_I32: PIXEL(int32_t);
    case RUG_U64: PIXEL(uint64_t);
    case RUG_I64: PIXEL(int64_t);
    case RUG_F32: PIXEL(float);
    case RUG_F64: PIXEL(double);
    }
    fail_msg("dtype %d", (int)img->dtype);
    return NAN;
}

int test_is_set(rug_foreground rule, long double value)
{
    long double t = (long double)rule.value + rule.rest; /* 64 bits are exact */
    if (isnan(value))
        return 0;
    switch (rule.kind) {
    case RUG_FOREGROUND_NONZERO: return value != 0;
    case RUG_FOREGROUND_ABOVE: return value >= t;
    case RUG_FOREGROUND_BELOW: return value < t;
    case RUG_FOREGROUND_LABEL: return value == t;
    default: fail_msg("rule %d is not resolved", (int)rule.kind); return 0;
    }
}

void test_copy_counts(test_counts *out, const rug_boxcount_result *result)
{
    const rug_boxcount_facts *f = rug_boxcount_get_facts(result);
    memset(out, 0, sizeof *out);
    out->ndim = f->ndim;
    memcpy(out->shape, f->shape, sizeof out->shape);
    out->n_pixels = f->n_pixels;
    out->n_set = f->n_set;
    out->foreground = f->foreground;
    out->method = rug_boxcount_method_name(f->method);
    out->engine = f->engine;
    out->grid = f->grid;
    out->n_sizes = f->n_sizes;
    out->busy_least = f->busy_least;
    out->busy_most = f->busy_most;
    for (uint32_t i = 0; i < f->n_sizes; i++) {
        const rug_box_positions *positions = rug_boxcount_positions_at(result, i);
        out->counts[i] = *rug_boxcount_at(result, i);
        assert_int_equal(positions == NULL, f->grid == RUG_BOXCOUNT_GRID_ORIGIN);
        if (positions != NULL)
            out->positions[i] = *positions;
    }
    assert_null(rug_boxcount_at(result, f->n_sizes));
    assert_null(rug_boxcount_positions_at(result, f->n_sizes));
}

/* What a result must not keep of before. */
static rug_boxcount_result *rubbish(void)
{
    return (rug_boxcount_result *)(uintptr_t)64;
}

static rug_status taken(rug_context *ctx, test_counts *out, rug_boxcount_result *result,
                        rug_status status)
{
    if ((status == RUG_OK) != (result != NULL))
        fail_msg("status %d with %s result", (int)status, result == NULL ? "no" : "a");
    memset(out, 0, sizeof *out);
    if (result == NULL)
        return status;
    test_copy_counts(out, result);
    assert_string_equal(rug_context_engine(ctx), out->engine);
    rug_boxcount_free(result);
    return status;
}

rug_status test_boxcount(rug_context *ctx, test_counts *out, const rug_image *image,
                         const rug_boxcount_options *opts)
{
    rug_boxcount_result *result = rubbish();
    rug_status status = rug_boxcount(ctx, &result, image, opts);
    return taken(ctx, out, result, status);
}

rug_status test_boxcount_source(rug_context *ctx, test_counts *out,
                                const rug_source *source,
                                const rug_boxcount_options *opts)
{
    rug_boxcount_result *result = rubbish();
    rug_status status = rug_boxcount_source(ctx, &result, source, opts);
    return taken(ctx, out, result, status);
}

rug_status test_boxcount_points(rug_context *ctx, test_counts *out,
                                const rug_points *points,
                                const rug_boxcount_points_options *opts)
{
    rug_boxcount_result *result = rubbish();
    rug_status status = rug_boxcount_points(ctx, &result, points, opts);
    status = taken(ctx, out, result, status);
    if (status == RUG_OK)
        out->n_points = points->n;
    return status;
}

rug_status test_boxcount_parts_finish(rug_context *ctx, test_counts *out,
                                      const rug_boxcount_parts *parts)
{
    rug_boxcount_result *result = rubbish();
    rug_status status = rug_boxcount_parts_finish(ctx, &result, parts);
    return taken(ctx, out, result, status);
}

static void count_one_size(rug_box_count *out, const uint8_t *set, const size_t n[3],
                           int ndim, size_t size)
{
    size_t deep = ndim == 3 ? size : 1;
    size_t m[3] = {(n[0] + deep - 1) / deep, (n[1] + size - 1) / size,
                   (n[2] + size - 1) / size};
    uint64_t *pixels = calloc(m[0] * m[1] * m[2], sizeof *pixels);
    assert_non_null(pixels);
    for (size_t z = 0; z < n[0]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[2]; x++)
                pixels[(z / deep * m[1] + y / size) * m[2] + x / size] +=
                    set[(z * n[1] + y) * n[2] + x];
    memset(out, 0, sizeof *out);
    out->size = size;
    out->total = m[0] * m[1] * m[2];
    double full = pow((double)size, ndim);
    for (size_t i = 0; i < out->total; i++) {
        out->nonempty += pixels[i] > 0;
        out->black += (double)pixels[i] == full;
    }
    out->gray = out->nonempty - out->black;
    out->white = out->total - out->nonempty;
    free(pixels);
}

void test_naive_boxcount(test_counts *out, const rug_image *img, rug_foreground rule)
{
    memset(out, 0, sizeof *out);
    out->ndim = img->ndim;
    size_t n[3] = {1, 1, 1}, longest = 1;
    for (int a = 0; a < img->ndim; a++) {
        out->shape[a] = n[3 - img->ndim + a] = img->shape[a];
        longest = img->shape[a] > longest ? img->shape[a] : longest;
    }
    uint8_t *set = malloc(n[0] * n[1] * n[2]);
    assert_non_null(set);
    for (size_t z = 0; z < n[0]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[2]; x++)
                set[(z * n[1] + y) * n[2] + x] =
                    (uint8_t)test_is_set(rule, test_pixel(img, z, y, x));
    size_t size = 1;
    for (;; size *= 2) {
        count_one_size(&out->counts[out->n_sizes++], set, n, img->ndim, size);
        if (size >= longest)
            break;
    }
    free(set);
}

void test_assert_counts_equal(const test_counts *a, const test_counts *b,
                              const char *what)
{
    int equal = a->ndim == b->ndim && a->n_sizes == b->n_sizes &&
                memcmp(a->shape, b->shape, sizeof a->shape) == 0;
    for (uint32_t i = 0; equal && i < a->n_sizes; i++)
        if (memcmp(&a->counts[i], &b->counts[i], sizeof a->counts[i]) != 0)
            fail_msg("%s: size %llu: nonempty %llu and %llu, black %llu and %llu", what,
                     (unsigned long long)a->counts[i].size,
                     (unsigned long long)a->counts[i].nonempty,
                     (unsigned long long)b->counts[i].nonempty,
                     (unsigned long long)a->counts[i].black,
                     (unsigned long long)b->counts[i].black);
    if (!equal)
        fail_msg("%s: %d axes and %u sizes, %d axes and %u sizes", what, a->ndim,
                 a->n_sizes, b->ndim, b->n_sizes);
}

rug_image test_u8(const uint8_t *pixels, size_t nz, size_t ny, size_t nx)
{
    rug_image img;
    size_t shape[3] = {nz, ny, nx};
    int ndim = nz == 0 ? 2 : 3;
    assert_int_equal(rug_image_view(NULL, &img, pixels, RUG_U8, ndim, shape + 3 - ndim),
                     RUG_OK);
    return img;
}

rug_source source_of_image(const rug_image *image)
{
    rug_source source = RUG_SOURCE_INIT;
    assert_non_null(rug_source_of_image(&source, image));
    return source;
}

rug_status test_read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    const rug_image *image = user;
    (void)ctx;
    *out = *image;
    out->shape[0] = n;
    out->data = (const char *)image->data + (ptrdiff_t)first * image->stride[0];
    return RUG_OK;
}

rug_source streamed_source_of_image(const rug_image *image)
{
    rug_source source = source_of_image(image);
    source.read = test_read_layers;
    return source;
}

const char *test_data(const char *name)
{
    static char path[1024];
    const char *elsewhere = getenv("RUGOSE_TEST_DATA"); /* a built tree was copied */
    int n = snprintf(path, sizeof path, "%s/%s",
                     elsewhere != NULL ? elsewhere : RUGOSE_TEST_DATA, name);
    assert_in_range(n, 1, sizeof path - 1);
    return path;
}

const char *test_shared_data(void)
{
    const char *folder = getenv("RUGOSE_SHARED_DATA");
    if (folder == NULL || folder[0] == '\0') {
        print_message("LEFT OUT: RUGOSE_SHARED_DATA does not name the shared data set\n");
        return NULL;
    }
    return folder;
}

uint64_t test_seed(rug_context *ctx, uint64_t usual, int n_cases)
{
    const char *asked = getenv("RUGOSE_TEST_SEED");
    uint64_t seed = asked != NULL ? strtoull(asked, NULL, 10) : usual;
    print_message("seed %llu (RUGOSE_TEST_SEED), %d cases\n", (unsigned long long)seed,
                  n_cases);
    for (int k = (int)rug_context_cpu_level(ctx) + 1; k <= RUG_CPU_MAX; k++)
        print_message("LEFT OUT: this processor has no %s\n",
                      rug_cpu_level_name((rug_cpu_level)k));
    return seed;
}
