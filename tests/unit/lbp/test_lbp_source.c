/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of slabs of any thickness, of sources, and of the planes of volumes
 * are those of images in memory. */

#include "support.h"

#include "lbp/run/lbp_stream.h"
#include "lbp_support.h"
#include "sample_support.h"

static void assert_same_results(const rug_lbp_result *a, const rug_lbp_result *b)
{
    assert_int_equal(n_histograms(a), n_histograms(b));
    for (size_t i = 0; i < n_histograms(a); i++) {
        const rug_lbp_histogram *h = rug_lbp_at(a, i), *k = rug_lbp_at(b, i);
        assert_true(h->label == k->label && h->op == k->op && h->pixels == k->pixels &&
                    h->n_bins == k->n_bins);
        assert_memory_equal(h->bins, k->bins, h->n_bins * sizeof *h->bins);
    }
}

/* Options with a few operators, of the image's codes and counts. */
static rug_lbp_options random_options(uint64_t *rng, const rug_lbp_operator *ops,
                                      lbp_maps *maps)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = ops;
    opts.n_operators = 1 + (uint32_t)test_below(rng, 2);
    opts.border = (rug_lbp_border)test_below(rng, 2);
    opts.method = test_below(rng, 3) == 0 ? RUG_LBP_VAR : RUG_LBP_DEFAULT;
    opts.map = keep_codes;
    opts.map_user = maps;
    return opts;
}

/* A slab in memory of its own, which is gone with it: reads of an old one are seen. */
static rug_image copy_of_rows(const rug_image *img, size_t first, size_t n)
{
    rug_image slab = *img;
    size_t size = rug_dtype_size(img->dtype), nx = img->shape[1];
    size_t row = size > 0 ? nx * size : (nx + 7) / 8;
    char *pixels = malloc(n * row);
    assert_non_null(pixels);
    for (size_t y = 0; y < n; y++) {
        const char *from =
            (const char *)img->data + (ptrdiff_t)(first + y) * img->stride[0];
        for (size_t x = 0; size > 0 && x < nx; x++)
            memcpy(pixels + y * row + x * size, from + (ptrdiff_t)x * img->stride[1],
                   size);
        if (size == 0)
            memcpy(pixels + y * row, from, row);
    }
    slab.data = pixels;
    slab.shape[0] = n;
    slab.stride[0] = (ptrdiff_t)row;
    slab.stride[1] = (ptrdiff_t)size;
    return slab;
}

/* Adds an image in slabs of random thickness. */
static void add_slabs(rug_context *ctx, uint64_t *rng, rugi_lbp_stream *stream,
                      const rug_image *img, const rug_image *mask)
{
    uint64_t most = 1 + test_below(rng, 12);
    for (size_t first = 0, n; first < img->shape[0]; first += n) {
        n = 1 + test_below(rng, most);
        n = n < img->shape[0] - first ? n : img->shape[0] - first;
        rug_image slab = copy_of_rows(img, first, n), mask_slab;
        if (mask != NULL)
            mask_slab = copy_of_rows(mask, first, n);
        if (rugi_lbp_stream_add(ctx, stream, &slab, mask != NULL ? &mask_slab : NULL,
                                first) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        free((void *)(uintptr_t)slab.data);
        if (mask != NULL)
            free((void *)(uintptr_t)mask_slab.data);
    }
}

static void assert_stream(rug_context *ctx, uint64_t *rng, const rug_image *img,
                          const rug_image *mask)
{
    static const double cuts[] = {1, 50};
    const rug_lbp_operator ops[2] = {
        {1 + (uint32_t)test_below(rng, 16), 1, cuts, 2},
        {8, 0.5 * (double)(1 + test_below(rng, 16)), cuts, 2}};
    lbp_maps whole = new_maps(0, 0, 0, 0), parts = whole;
    rug_lbp_options opts = random_options(rng, ops, &parts);
    whole = new_maps(opts.n_operators, 1, img->shape[0], img->shape[1]);
    parts = new_maps(opts.n_operators, 1, img->shape[0], img->shape[1]);
    rug_source source = source_of_image(img), mask_source;
    if (mask != NULL)
        mask_source = source_of_image(mask);
    rugi_lbp_stream stream;
    if (rugi_lbp_stream_begin(ctx, &stream, &source, mask != NULL ? &mask_source : NULL,
                              NULL, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    add_slabs(ctx, rng, &stream, img, mask);
    rugi_lbp_result_close(stream.run.result);
    rug_lbp_options same = opts;
    same.map_user = &whole;
    same.mask = mask != NULL ? &mask_source : NULL;
    rug_lbp_result *expected = must_lbp(ctx, img, &same);
    assert_same_results(stream.run.result, expected);
    assert_int_equal(parts.next_slice, 1); /* all rows have come */
    for (uint32_t i = 0; i < opts.n_operators; i++)
        assert_same_codes(&parts.op[i], &whole.op[i], "slabs");
    rug_lbp_free(expected);
    rug_lbp_free(stream.run.result);
    rugi_lbp_stream_end(ctx, &stream);
    free_maps(&whole);
    free_maps(&parts);
}

static void slabs_of_any_thickness(void **state)
{
    (void)state;
    uint64_t rng = 77;
    rug_context *ctx = test_context();
    rug_context_set_threads(ctx, 2);
    for (int k = 0; k < 200; k++) {
        sample s = random_sample(&rng);
        if (s.img.ndim == 2 && s.img.shape[0] * s.img.shape[1] < 20000) {
            size_t n = s.img.shape[0] * s.img.shape[1];
            uint8_t *pixels = malloc(n);
            assert_non_null(pixels);
            for (size_t i = 0; i < n; i++)
                pixels[i] = (uint8_t)test_below(&rng, 2);
            rug_image mask = test_u8(pixels, 0, s.img.shape[0], s.img.shape[1]);
            assert_stream(ctx, &rng, &s.img, k % 2 ? &mask : NULL);
            free(pixels);
        }
        free_sample(&s);
    }
    rug_context_free(ctx);
}

static rug_status fail_to_read(rug_context *ctx, void *user, rug_image *out, size_t first,
                               size_t n)
{
    (void)user;
    (void)out;
    return rug_context_fail(ctx, RUG_E_IO, "no %zu rows from %zu on", n, first);
}

/* The public calls: image, mask and labels are each in memory or not, there or not. */
static void sources(void **state)
{
    (void)state;
    static uint8_t pixels[50 * 70], inside[50 * 70], labels[50 * 70];
    uint64_t rng = 4;
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)test_below(&rng, 9);
        inside[i] = (uint8_t)test_below(&rng, 2);
        labels[i] = (uint8_t)test_below(&rng, 4);
    }
    rug_image img = test_u8(pixels, 0, 50, 70), mask = test_u8(inside, 0, 50, 70),
              label_image = test_u8(labels, 0, 50, 70);
    rug_context *ctx = test_context();
    for (int k = 0; k < 32; k++) {
        rug_source source = source_of_image(&img), mask_source = source_of_image(&mask),
                   label_source = source_of_image(&label_image);
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.mask = k & 1 ? &mask_source : NULL;
        opts.labels = k & 2 ? &label_source : NULL;
        rug_lbp_result *expected = must_lbp(ctx, &img, &opts), *r = NULL;
        source.read = k & 4 ? test_read_layers : source.read;
        mask_source.read = k & 8 ? test_read_layers : mask_source.read;
        label_source.read = k & 16 ? test_read_layers : label_source.read;
        if (rug_lbp_source(ctx, &r, &source, &opts) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_same_results(r, expected);
        assert_int_equal(rug_lbp_get_facts(r)->n_labels, k & 2 ? 3 : 0);
        rug_lbp_free(r);
        r = must_lbp(ctx, &img, &opts);
        assert_same_results(r, expected);
        rug_lbp_free(r);
        rug_lbp_free(expected);
    }
    rug_context_free(ctx);
}

/* What a source returns is what the call does. */
static void sources_that_fail(void **state)
{
    (void)state;
    static uint8_t pixels[50 * 70];
    rug_image img = test_u8(pixels, 0, 50, 70);
    rug_context *ctx = test_context();
    rug_source bad = source_of_image(&img), good = bad, streamed = bad;
    bad.read = fail_to_read;
    streamed.read = test_read_layers;
    for (int k = 0; k < 6; k++) {
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        rug_lbp_result *r = NULL;
        opts.mask = k % 3 == 1 ? &bad : NULL;
        opts.labels = k % 3 == 2 ? &bad : NULL;
        const rug_source *source = k % 3 == 0 ? &bad : k < 3 ? &good : &streamed;
        assert_int_equal(rug_lbp_source(ctx, &r, source, &opts), RUG_E_IO);
        assert_null(r);
    }
    rug_context_free(ctx);
}

/* What a source that is not in memory cannot do is refused. */
static void refused_sources(void **state)
{
    (void)state;
    static uint8_t pixels[4 * 5 * 6];
    rug_image img = test_u8(pixels, 4, 5, 6), flat = test_u8(pixels, 0, 5, 6),
              thin = test_u8(pixels, 0, 6, 5);
    rug_context *ctx = test_context();
    rug_lbp_result *r;
    rug_source source = source_of_image(&img);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.planes = RUG_LBP_PLANES_XY;
    assert_int_equal(rug_lbp_source(ctx, &r, &source, &opts), RUG_OK);
    rug_lbp_free(r);
    source.read = test_read_layers;
    assert_int_equal(rug_lbp_source(ctx, &r, &source, &opts), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "in memory"));
    rug_source wide = source_of_image(&flat), narrow = source_of_image(&thin);
    for (int k = 0; k < 4; k++) {
        opts = (rug_lbp_options)RUG_LBP_OPTIONS_INIT;
        opts.mask = k & 1 ? &narrow : NULL;
        opts.labels = k & 1 ? NULL : &narrow;
        wide.read = k & 2 ? test_read_layers : wide.read;
        assert_int_equal(rug_lbp_source(ctx, &r, &wide, &opts), RUG_E_ARG);
        assert_non_null(strstr(rug_context_error(ctx), k & 1 ? "mask" : "label"));
    }
    assert_int_equal(rug_lbp_source(ctx, &r, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_lbp_source(ctx, NULL, &source, NULL), RUG_E_ARG);
    assert_int_equal(rug_lbp_source(NULL, &r, &source, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Slice i of the planes of a volume as an image in C order of doubles. */
static rug_image slice_of(const rug_image *v, rug_lbp_planes planes, size_t i,
                          double *pixels)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    const int *a = axes[planes];
    for (size_t y = 0; y < v->shape[a[1]]; y++)
        for (size_t x = 0; x < v->shape[a[2]]; x++) {
            size_t at[3];
            at[a[0]] = i;
            at[a[1]] = y;
            at[a[2]] = x;
            pixels[y * v->shape[a[2]] + x] = (double)test_pixel(v, at[0], at[1], at[2]);
        }
    rug_image img = {.data = pixels,
                     .dtype = RUG_F64,
                     .ndim = 2,
                     .shape = {v->shape[a[1]], v->shape[a[2]]}};
    img.stride[0] = (ptrdiff_t)(img.shape[1] * sizeof *pixels);
    img.stride[1] = sizeof *pixels;
    return img;
}

/* Each plane is an image of its own, and labels and masks are cut alike. */
static void assert_planes(rug_context *ctx, const sample *s, rug_lbp_planes planes)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    const int *a = axes[planes];
    const size_t *n = s->img.shape;
    lbp_maps m = new_maps(1, n[a[0]], n[a[1]], n[a[2]]);
    rug_lbp_operator op = {8, 1.5, NULL, 0};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = &op;
    opts.n_operators = 1;
    opts.planes = planes;
    opts.map = keep_codes;
    opts.map_user = &m;
    size_t n_pixels = n[0] * n[1] * n[2];
    uint8_t *labels = malloc(n_pixels);
    double *pixels = malloc(n[a[1]] * n[a[2]] * sizeof *pixels);
    assert_true(labels != NULL && pixels != NULL);
    for (size_t i = 0; i < n_pixels; i++)
        labels[i] = (uint8_t)(i * 2654435761u >> 7 & 1);
    rug_image label_image = test_u8(labels, n[0], n[1], n[2]);
    rug_source label_source = source_of_image(&label_image);
    opts.labels = &label_source;
    rug_lbp_result *r = must_lbp(ctx, &s->img, &opts);
    uint64_t counts[10] = {0};
    for (size_t i = 0; i < n[a[0]]; i++) {
        rug_image slice = slice_of(&s->img, planes, i, pixels);
        codes expected = naive_map(&slice, &op, &opts);
        codes got = {1, n[a[1]], n[a[2]], m.op[0].at + i * n[a[1]] * n[a[2]]};
        assert_same_codes(&got, &expected, "plane");
        slice_of(&label_image, planes, i, pixels);
        for (size_t k = 0; k < got.ny * got.nx; k++)
            counts[(size_t)got.at[k]] += pixels[k] == 1;
        free(expected.at);
    }
    assert_true(n_histograms(r) <= 1);
    if (n_histograms(r) == 1)
        assert_memory_equal(rug_lbp_at(r, 0)->bins, counts, sizeof counts);
    rug_lbp_free(r);
    free(pixels);
    free(labels);
    free_maps(&m);
}

static void planes(void **state)
{
    (void)state;
    uint64_t rng = 123;
    rug_context *ctx = test_context();
    for (int k = 0; k < 250; k++) {
        sample s = random_sample(&rng);
        if (s.img.ndim == 3 && s.img.shape[0] * s.img.shape[1] * s.img.shape[2] < 2000)
            assert_planes(ctx, &s, (rug_lbp_planes)(1 + k % 3));
        free_sample(&s);
    }
    rug_context_free(ctx);
}

/* An allocator that gives a gigabyte in all. */
static void *allocate_some(void *user, size_t n_bytes, size_t alignment)
{
    size_t *left = user;
    if (n_bytes > *left)
        return NULL;
    *left -= n_bytes;
    return aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment);
}

static void release_some(void *user, void *block)
{
    (void)user;
    free(block);
}

static int cancel_now(void *user)
{
    (void)user;
    return 1;
}

/* However large the circles are, and however many: memory is there when the work begins. */
static void large_circles_of_a_wide_image(void **state)
{
    (void)state;
    static uint8_t row[20000];
    rug_lbp_operator ops[RUG_LBP_MAX_OPERATORS];
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_result *result;
    size_t left = (size_t)1 << 30;
    rug_allocator allocator = {allocate_some, release_some, &left};
    rug_context *ctx = test_context();
    rug_context_set_allocator(ctx, &allocator);
    rug_context_set_cancel(ctx, cancel_now, NULL);
    for (int i = 0; i < RUG_LBP_MAX_OPERATORS; i++)
        ops[i] = (rug_lbp_operator){8, 1000 + i, NULL, 0};
    rug_image img = {.data = row,
                     .dtype = RUG_U8,
                     .ndim = 2,
                     .shape = {20000, sizeof row},
                     .stride = {0, 1}};
    opts.operators = ops;
    opts.n_operators = RUG_LBP_MAX_OPERATORS;
    rug_source inside = source_of_image(&img);
    opts.mask = &inside;
    assert_int_equal(rug_lbp(ctx, &result, &img, &opts), RUG_E_CANCELLED);
    assert_null(result);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_of_any_thickness),
        cmocka_unit_test(sources),
        cmocka_unit_test(sources_that_fail),
        cmocka_unit_test(refused_sources),
        cmocka_unit_test(planes),
        cmocka_unit_test(large_circles_of_a_wide_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
