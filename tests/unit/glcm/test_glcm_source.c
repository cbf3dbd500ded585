/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence of images that are read slab by slab: the rows of rug_glcm(), to the last
 * bit, however thin slabs are and wherever labels lie in them. */

#include "support.h"

#include "glcm/measure/glcm_measure.h"
#include "glcm_support.h"
#include "labels_support.h"

#include "glcm_maps_support.h"
#include "glcm_random_support.h"
#include <stdio.h>

/* ---- A source that keeps one slab ---- */

typedef struct reader {
    const rug_context *ctx; /* of the first call, as all others must be */
    const rug_image *image;
    char *slab; /* of the last call */
    size_t next, n_layers, n_passes;
    size_t fail_at; /* the layer that cannot be read, + 1 */
} reader;

static rug_status read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                              size_t n)
{
    reader *r = user;
    const rug_image *img = r->image;
    assert_true(first == 0 || first == r->next);
    assert_true(r->ctx == NULL || r->ctx == ctx);
    r->ctx = ctx;
    assert_true(n > 0 && first + n <= img->shape[0]);
    r->n_passes += first == 0;
    r->next = first + n;
    r->n_layers = n > r->n_layers ? n : r->n_layers;
    if (r->fail_at > first && r->fail_at <= first + n)
        return rug_context_fail(ctx, RUG_E_IO, "layer %zu is broken", r->fail_at - 1);
    size_t ny = img->ndim == 3 ? img->shape[1] : 1, nx = img->shape[img->ndim - 1];
    size_t size = img->dtype == RUG_BIT ? 1 : rug_dtype_size(img->dtype);
    size_t row = img->dtype == RUG_BIT ? (nx + 7) / 8 : nx * size;
    free(r->slab);
    char *to = r->slab = malloc(n * ny * row);
    assert_non_null(to);
    for (size_t z = first; z < first + n; z++)
        for (size_t y = 0; y < ny; y++, to += row) {
            const char *from = (const char *)img->data + (ptrdiff_t)z * img->stride[0] +
                               (img->ndim == 3 ? (ptrdiff_t)y * img->stride[1] : 0);
            for (size_t x = 0; x < nx && img->dtype != RUG_BIT; x++)
                memcpy(to + x * size, from + (ptrdiff_t)x * img->stride[img->ndim - 1],
                       size);
            if (img->dtype == RUG_BIT)
                memcpy(to, from, row);
        }
    size_t shape[3] = {n, img->shape[1], img->ndim == 3 ? img->shape[2] : 0};
    return rug_image_view(ctx, out, r->slab, img->dtype, img->ndim, shape);
}

static rug_source source_of(reader *r, const rug_image *img)
{
    *r = (reader){.image = img};
    rug_source s = source_of_image(img);
    s.read = read_layers;
    s.user = r;
    return s;
}

/* ---- The same rows ---- */

static void remember(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
}

/* With everything as a source: the rows of an image in memory. */
static void check_slabs(rug_context *ctx, const rug_image *img,
                        const rug_glcm_options *opts, size_t layers)
{
    reader image, mask, labels;
    rug_source source = source_of(&image, img), mask_source, label_source;
    rug_glcm_options streamed = *opts;
    mask.slab = labels.slab = NULL;
    if (opts->mask != NULL) {
        mask_source = source_of(&mask, opts->mask->user);
        streamed.mask = &mask_source;
    }
    if (opts->labels != NULL) {
        label_source = source_of(&labels, opts->labels->user);
        streamed.labels = &label_source;
    }
    glcm_rows expected = must_measure(ctx, img, opts), got = {0};
    char engine[32];
    snprintf(engine, sizeof engine, "%s", rug_context_engine(ctx));
    double last = 0;
    rug_context_set_progress(ctx, remember, &last);
    if (rugi_glcm_in_slabs(ctx, &source, &streamed, layers, glcm_keep, &got) != RUG_OK)
        fail_msg("%zu layers: %s", layers, rug_context_error(ctx));
    rug_context_set_progress(ctx, NULL, NULL);
    assert_same_rows(&got, &expected);
    assert_true(image.ctx == ctx);
    assert_string_equal(rug_context_engine(ctx), engine);
    /* as many passes as the header says; one more for the range of the image */
    assert_true(image.n_passes <= 3);
    assert_true(opts->labels == NULL || labels.n_passes == 1);
    free(expected.row);
    free(got.row);
    free(image.slab);
    free(mask.slab);
    free(labels.slab);
}

static void random_jobs(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    int n_cases = TEST_CASES(600);
    uint64_t seed = test_seed(ctx, 11, n_cases);
    for (int i = 0; i < n_cases; i++) {
        make_job(&j, seed + (uint64_t)i);
        rug_context_set_threads(ctx, 1 + i % 3);
        check_slabs(ctx, &j.image.img, &j.opts, 1 + (size_t)i % 5);
        free_job(&j);
    }
    rug_context_free(ctx);
}

/* Whole images of few levels: distances longer than a slab, bins, words, every CPU level. */
static void whole_images(void **state)
{
    (void)state;
    enum { NY = 150, NX = 210 };
    static const uint32_t distances[] = {1, 4, 31, 64};
    static const size_t layers[] = {1, 3, 40, 64, 149, 150};
    static uint8_t bytes[NY * NX];
    static uint16_t words[NY * NX];
    rug_context *ctx = test_context();
    uint64_t rng = 5;
    for (uint32_t n_levels = 3; n_levels < 300; n_levels *= 5) {
        for (size_t i = 0; i < NY * NX; i++) {
            bytes[i] = (uint8_t)(i / NX < 40 ? 7 : 7 + test_below(&rng, n_levels % 249));
            words[i] = (uint16_t)(bytes[i] * 90 + 5);
        }
        for (int k = 0; k < 6; k++) {
            rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
            rug_image img = test_u8(bytes, 0, NY, NX);
            if (k % 2 == 1) {
                assert_int_equal(
                    rug_image_view(ctx, &img, words, RUG_U16, 2, (size_t[]){NY, NX}),
                    RUG_OK);
                o.levels = RUG_GLCM_LEVELS_COUNT;
                o.n_levels = n_levels;
                o.range = (rug_glcm_range)(RUG_GLCM_RANGE_TYPE + k / 2);
            }
            o.distances = distances;
            o.n_distances = 1 + (uint32_t)k % 4;
            o.asymmetric = k % 3 == 0;
            o.aggregate = (rug_glcm_aggregate)(k % 4);
            o.features = RUG_GLCM_FEATURES_ALL;
            rug_context_set_threads(ctx, 1 + k % 3);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)(k % (RUG_CPU_MAX + 1)));
            check_slabs(ctx, &img, &o, layers[k]);
        }
    }
    rug_context_free(ctx);
}

/* What happens is the same in slabs as thick as memory allows: here all layers at once. */
static void by_the_public_call(void **state)
{
    (void)state;
    static uint8_t pixels[40 * 30], names[40 * 30];
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i * i % 23);
        names[i] = (uint8_t)(3 - i / 30 / 14); /* the highest label comes first */
    }
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 40, 30), labels = test_u8(names, 0, 40, 30);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&labels);
    glcm_rows expected = must_measure(ctx, &img, &o), got = {0};
    reader r;
    rug_source source = source_of(&r, &img);
    assert_int_equal(rug_glcm_source(ctx, &source, &o, glcm_keep, &got), RUG_OK);
    assert_int_equal(r.n_passes, 1);
    assert_same_rows(&got, &expected);
    assert_int_equal(got.row[0].label, 1);
    got.n = 0;
    assert_int_equal(rug_glcm_source(ctx, glcm_source(&img), &o, glcm_keep, &got),
                     RUG_OK);
    assert_same_rows(&got, &expected);
    free(expected.row);
    free(got.row);
    free(r.slab);
    rug_context_free(ctx);
}

/* Maps of a source are those of its image. */
static void maps(void **state)
{
    (void)state;
    static uint8_t pixels[33 * 41], inside[33 * 41];
    rug_context *ctx = test_context();
    uint64_t rng = 3;
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)test_below(&rng, 12);
        inside[i] = (uint8_t)(test_below(&rng, 7) > 0);
    }
    rug_image img = test_u8(pixels, 0, 33, 41), mask = test_u8(inside, 0, 33, 41);
    for (int k = 0; k < 4; k++) {
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        reader of_image, of_mask;
        rug_source source = source_of(&of_image, &img),
                   masked = source_of(&of_mask, &mask);
        o.mask = k % 2 ? glcm_source(&mask) : NULL;
        o.levels = k / 2 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
        o.n_levels = k / 2 ? 5 : 0;
        kept a = must_map(ctx, &img, &o, 5, all_features, N_ALL);
        o.mask = k % 2 ? &masked : NULL;
        rug_glcm_maps_options m = RUG_GLCM_MAPS_OPTIONS_INIT;
        m.window = 5;
        m.features = all_features;
        m.n_features = N_ALL;
        kept b = a;
        b.next_map = 0;
        b.next_row = 0;
        b.values = calloc(N_ALL * sizeof pixels, sizeof *b.values);
        assert_non_null(b.values);
        assert_int_equal(rug_glcm_maps_source(ctx, &source, &o, &m, keep_maps, &b),
                         RUG_OK);
        for (size_t i = 0; i < N_ALL * sizeof pixels; i++)
            assert_true(same_number(a.values[i], b.values[i]));
        free(a.values);
        free(b.values);
        free(of_image.slab);
        free(of_mask.slab);
    }
    rug_context_free(ctx);
}

/* ---- What fails ---- */

static rug_status stop(void *user, const rug_glcm_row *row)
{
    (void)row;
    return ++*(size_t *)user == 2 ? RUG_E_FORMAT : RUG_OK;
}

static int always(void *user)
{
    (void)user;
    return 1;
}

static void failures(void **state)
{
    (void)state;
    static uint8_t pixels[20 * 30], names[20 * 30];
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i * 7 % 11);
        names[i] = (uint8_t)(1 + i / 30 / 3);
    }
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 20, 30), labels = test_u8(names, 0, 20, 30);
    rug_image other = test_u8(pixels, 0, 30, 20);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    reader r;
    rug_source source = source_of(&r, &img), broken = RUG_SOURCE_INIT;
    glcm_rows rows = {0};
    assert_int_equal(rug_glcm_source(ctx, NULL, NULL, glcm_keep, &rows), RUG_E_ARG);
    assert_int_equal(rug_glcm_source(ctx, &broken, NULL, glcm_keep, &rows), RUG_E_ARG);
    assert_int_equal(rug_glcm_source(ctx, &source, NULL, NULL, NULL), RUG_E_ARG);
    o.mask = glcm_source(&other);
    assert_int_equal(rug_glcm_source(ctx, &source, &o, glcm_keep, &rows), RUG_E_ARG);
    o.mask = NULL;
    for (int k = 0; k < 3; k++) { /* whole, cut out, regions */
        o.labels = k == 2 ? glcm_source(&labels) : NULL;
        o.pairs = k == 1 ? RUG_GLCM_PAIRS_FRAME : RUG_GLCM_PAIRS_INSIDE;
        r.fail_at = 8;
        assert_int_equal(rugi_glcm_in_slabs(ctx, &source, &o, 3, glcm_keep, &rows),
                         RUG_E_IO);
        assert_non_null(strstr(rug_context_error(ctx), "layer 7 is broken"));
        r.fail_at = 0;
        rug_context_set_cancel(ctx, always, NULL);
        assert_int_equal(rugi_glcm_in_slabs(ctx, &source, &o, 3, glcm_keep, &rows),
                         RUG_E_CANCELLED);
        rug_context_set_cancel(ctx, NULL, NULL);
    }
    size_t n = 0;
    assert_int_equal(rugi_glcm_in_slabs(ctx, &source, &o, 3, stop, &n), RUG_E_FORMAT);
    assert_int_equal(n, 2);
    free(rows.row);
    free(r.slab);
    rug_context_free(ctx);
}

/* ---- Memory ---- */

typedef struct meter {
    size_t now, most;
} meter;

static void *allocate(void *user, size_t n, size_t alignment)
{
    meter *m = user;
    size_t *block = aligned_alloc(64, (n + 64 + 63) / 64 * 64);
    (void)alignment;
    if (block == NULL)
        return NULL;
    *block = n;
    m->now += n;
    m->most = m->now > m->most ? m->now : m->most;
    return (char *)block + 64;
}

static void release(void *user, void *block)
{
    meter *m = user;
    if (block == NULL)
        return;
    size_t *begin = (size_t *)(void *)((char *)block - 64);
    m->now -= *begin;
    free(begin);
}

/* Small regions, however many; a whole image of few levels: memory does not follow the
 * length of the image. */
static void memory_of_open_regions(void **state)
{
    (void)state;
    enum { NY = 4096, NX = 512 };
    static uint8_t pixels[NY * NX];
    static uint16_t names[NY * NX];
    for (size_t i = 0; i < NY * NX; i++) {
        size_t y = i / NX, x = i % NX;
        pixels[i] = (uint8_t)(i * 2654435761u >> 24);
        names[i] = (uint16_t)(1 + y / 64 + 64 * (x / 256));
    }
    for (int with_labels = 0; with_labels < 2; with_labels++) {
        meter m[2] = {{0, 0}, {0, 0}};
        for (int long_one = 0; long_one < 2; long_one++) {
            rug_allocator allocator = {allocate, release, &m[long_one]};
            rug_context *ctx;
            assert_int_equal(rug_context_new(&ctx), RUG_OK);
            rug_context_set_allocator(ctx, &allocator);
            rug_context_set_threads(ctx, 1);
            size_t ny = long_one ? NY : NY / 8;
            rug_image img = test_u8(pixels, 0, ny, NX), labels;
            assert_int_equal(
                rug_image_view(ctx, &labels, names, RUG_U16, 2, (size_t[]){ny, NX}),
                RUG_OK);
            rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
            o.features = RUG_GLCM_FEATURES_13;
            o.labels = with_labels ? glcm_source(&labels) : NULL;
            reader r;
            rug_source source = source_of(&r, &img);
            glcm_rows rows = {0};
            assert_int_equal(rugi_glcm_in_slabs(ctx, &source, &o, 64, glcm_keep, &rows),
                             RUG_OK);
            free(rows.row);
            free(r.slab);
            rug_context_free(ctx);
            assert_int_equal(m[long_one].now, 0);
        }
        size_t more = m[1].most > m[0].most ? m[1].most - m[0].most : 0;
        print_message("%s: %zu bytes, 8 times as long %zu\n",
                      with_labels ? "labels" : "whole", m[0].most, m[1].most);
        assert_true(more < (size_t)NY * NX / 4); /* runs and rows */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_jobs),        cmocka_unit_test(whole_images),
        cmocka_unit_test(by_the_public_call), cmocka_unit_test(maps),
        cmocka_unit_test(failures),           cmocka_unit_test(memory_of_open_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
