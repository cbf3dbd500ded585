/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of each label: by hand, against counting crops that are cut out by hand, and
 * calls that must fail. */

#include "support.h"

#include "boxcount_support.h"
#include "labels_support.h"
#include "memory_support.h"
#include <rugose/io.h>
#include <stdio.h>

#define NONZERO ((rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0})

/* What a call was told about its labels. */
typedef struct heard {
    size_t n, stop_at; /* labels; the one whose call fails, from 1 */
    rug_region region[16];
    test_counts counts[16];
} heard;

static rug_status hear(void *user, const rug_region *region,
                       const rug_boxcount_result *counts)
{
    heard *h = user;
    assert_true(h->n < 16);
    h->region[h->n] = *region;
    test_copy_counts(&h->counts[h->n++], counts);
    return h->n == h->stop_at ? RUG_E_FORMAT : RUG_OK;
}

/* The call, with labels in memory. */
static rug_status count_labels(rug_context *ctx, const rug_image *img,
                               const rug_image *labels, const rug_boxcount_options *opts,
                               rug_boxcount_label_fn fn, void *user)
{
    rug_source source = RUG_SOURCE_INIT;
    return rug_boxcount_labels(ctx, img, rug_source_of_image(&source, labels), opts, fn,
                               user);
}

static void must_hear(heard *h, rug_context *ctx, const rug_image *img,
                      const rug_image *labels, rug_foreground rule)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = rule;
    h->n = h->stop_at = 0;
    if (count_labels(ctx, img, labels, &opts, hear, h) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static void assert_count(const test_counts *r, uint32_t i, uint64_t total,
                         uint64_t nonempty, uint64_t black)
{
    const rug_box_count *c = &r->counts[i];
    assert_true(i < r->n_sizes);
    assert_int_equal(c->size, (uint64_t)1 << i);
    assert_int_equal(c->total, total);
    assert_int_equal(c->nonempty, nonempty);
    assert_int_equal(c->black, black);
    assert_int_equal(c->gray, nonempty - black);
    assert_int_equal(c->white, total - nonempty);
}

/* A square, a ring round a single pixel, and an oblique line, at odd places. */
static void labels_by_hand(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {0, 0, 0, 0, 0, 0, 0, /**/ 0, 7,      7,      0, 9, 9,
                                     9, 0, 7, 7, 0, 9, 3, 9,      /**/ 0, 0,      0, 0, 9,
                                     9, 9, 2, 0, 0, 0, 0, 0,      0,      /**/ 0, 2, 0, 0,
                                     0, 0, 0, 0, 0, 2, 0, 0,      0,      0};
    static heard h;
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 7, 7);
    must_hear(&h, ctx, &img, &img, NONZERO);
    assert_int_equal(h.n, 4);
    assert_int_equal(h.region[0].label, 2);
    assert_int_equal(h.counts[0].n_sizes, 3);
    assert_count(&h.counts[0], 0, 9, 3, 3);
    assert_count(&h.counts[0], 1, 4, 2, 0);
    assert_count(&h.counts[0], 2, 1, 1, 0);
    assert_int_equal(h.region[1].label, 3);
    assert_int_equal(h.counts[1].n_sizes, 1);
    assert_count(&h.counts[1], 0, 1, 1, 1);
    assert_int_equal(h.region[2].label, 7);
    assert_int_equal(h.counts[2].n_sizes, 2);
    assert_count(&h.counts[2], 1, 1, 1, 1);
    assert_int_equal(h.region[3].label, 9);
    assert_int_equal(h.region[3].area, 8);
    assert_count(&h.counts[3], 0, 9, 8, 8);
    assert_count(&h.counts[3], 1, 4, 4, 0);
    assert_int_equal(h.counts[3].ndim, 2);
    assert_int_equal(h.counts[3].shape[0], 3);
    assert_int_equal(h.counts[3].shape[1], 3);
    rug_context_free(ctx);
}

/* The rule is that of the whole image: the left label lies below Otsu's threshold, though
 * it would have one of its own. */
static void one_rule_for_all(void **state)
{
    (void)state;
    static const uint8_t gray[] = {10, 12, 200, 201, /**/ 12, 10, 200, 11};
    static const uint8_t labels[] = {1, 1, 2, 2, /**/ 1, 1, 2, 2};
    static heard h;
    rug_context *ctx = test_context();
    rug_image img = test_u8(gray, 0, 2, 4), ids = test_u8(labels, 0, 2, 4);
    rug_foreground rule;
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, NULL,
                                            (rug_foreground)RUG_FOREGROUND_INIT),
                     RUG_OK);
    must_hear(&h, ctx, &img, &ids, (rug_foreground)RUG_FOREGROUND_INIT);
    assert_int_equal(h.n, 2);
    assert_count(&h.counts[0], 0, 4, 0, 0);
    assert_count(&h.counts[0], 1, 1, 0, 0);
    assert_count(&h.counts[1], 0, 4, 3, 3);
    assert_count(&h.counts[1], 1, 1, 1, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(h.counts[i].foreground.kind, RUG_FOREGROUND_ABOVE);
        assert_true(h.counts[i].foreground.value == rule.value);
    }
    rug_context_free(ctx);
}

static void no_label_at_all(void **state)
{
    (void)state;
    static const uint8_t pixels[4] = {1, 1, 1, 1}, none[4];
    static heard h;
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 2, 2), labels = test_u8(none, 0, 2, 2);
    must_hear(&h, ctx, &img, &labels, NONZERO);
    assert_int_equal(h.n, 0);
    rug_context_free(ctx);
}

static void the_callback_ends_the_call(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {3, 1, 2, 4};
    static heard h;
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 2, 2);
    h.stop_at = 2;
    assert_int_equal(count_labels(ctx, &img, &img, NULL, hear, &h), RUG_E_FORMAT);
    assert_int_equal(h.n, 2);
    assert_int_equal(h.region[0].label, 1);
    assert_int_equal(h.region[1].label, 2);
    rug_context_free(ctx);
}

/* Everything that counting crops cut out by hand needs. */
typedef struct by_hand {
    rug_context *ctx;
    const rug_image *img, *labels, *mask;
    rug_boxcount_options opts; /* with the source of the mask */
    uint64_t label;            /* the last one heard of */
    size_t n;
} by_hand;

static rug_image crop_of(uint8_t *pixels, const rug_region *region, int ndim)
{
    const size_t *n = region->shape;
    return test_u8(pixels, ndim == 3 ? n[0] : 0, n[1], n[2]);
}

/* Cuts the label's foreground, and the mask, out of their images. */
static void cut(const by_hand *b, const rug_region *region, rug_foreground rule,
                uint8_t *pixels, uint8_t *inside)
{
    const size_t *first = region->first, *n = region->shape;
    for (size_t z = first[0]; z < first[0] + n[0]; z++)
        for (size_t y = first[1]; y < first[1] + n[1]; y++)
            for (size_t x = first[2]; x < first[2] + n[2]; x++) {
                int mine = test_pixel(b->labels, z, y, x) == (long double)region->label;
                *pixels++ = mine && test_is_set(rule, test_pixel(b->img, z, y, x));
                if (b->mask != NULL)
                    *inside++ = test_is_set(NONZERO, test_pixel(b->mask, z, y, x)) != 0;
            }
}

static void assert_same(const test_counts *got, const test_counts *expected,
                        rug_foreground rule)
{
    test_assert_counts_equal(got, expected, "label");
    assert_int_equal(got->n_sizes, expected->n_sizes);
    assert_memory_equal(got->positions, expected->positions,
                        got->n_sizes * sizeof got->positions[0]);
    assert_int_equal(got->foreground.kind, rule.kind);
    assert_true(got->foreground.value == rule.value);
    assert_string_equal(got->method, expected->method);
    assert_int_equal(got->grid, expected->grid);
}

static rug_status compare(void *user, const rug_region *region,
                          const rug_boxcount_result *counts)
{
    static test_counts expected, got;
    by_hand *b = user;
    test_copy_counts(&got, counts);
    size_t n = region->shape[0] * region->shape[1] * region->shape[2];
    uint8_t *pixels = malloc(n), *inside = malloc(n);
    assert_true(pixels != NULL && inside != NULL);
    assert_true(region->label > b->label);
    b->label = region->label;
    b->n++;
    rug_foreground rule;
    rug_source source = source_of_image(b->img);
    assert_int_equal(rug_source_resolve_foreground(b->ctx, &rule, &source, b->opts.mask,
                                                   NULL, b->opts.foreground),
                     RUG_OK);
    cut(b, region, rule, pixels, inside);
    rug_image crop = crop_of(pixels, region, b->img->ndim);
    rug_image mask = crop_of(inside, region, b->img->ndim);
    rug_boxcount_options opts = b->opts;
    opts.foreground = NONZERO;
    rug_source mask_source = source_of_image(&mask);
    opts.mask = b->mask != NULL ? &mask_source : NULL;
    if (test_boxcount(b->ctx, &expected, &crop, &opts) != RUG_OK)
        fail_msg("by hand: %s", rug_context_error(b->ctx));
    assert_same(&got, &expected, rule);
    free(pixels);
    free(inside);
    return RUG_OK;
}

/* Whether rug_boxcount() takes these options at all. */
static int is_refused(rug_context *ctx, const rug_boxcount_options *asked)
{
    static const uint8_t pixels[] = {1, 0, 1, 1};
    static test_counts out;
    rug_boxcount_options opts = *asked;
    rug_image img = test_u8(pixels, 0, 2, 2);
    rug_source mask = source_of_image(&img);
    opts.mask = asked->mask != NULL ? &mask : NULL;
    return test_boxcount(ctx, &out, &img, &opts) != RUG_OK;
}

static rug_boxcount_options random_options(uint64_t *rng)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 64, 100};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = (rug_foreground){(rug_foreground_kind)test_below(rng, 6),
                                       (double)test_below(rng, 4), 0};
    opts.method = (rug_boxcount_method)test_below(rng, 4);
    opts.grid = (rug_boxcount_grid)test_below(rng, 3);
    if (test_below(rng, 2)) {
        opts.sizes = sizes;
        opts.n_sizes = 1 + (uint32_t)test_below(rng, 6);
    }
    return opts;
}

static void check_random(rug_context *ctx, uint64_t *rng, int k)
{
    static uint64_t numbers[3][16384];
    stored s[3]; /* the image, labels, a mask */
    size_t nz = test_below(rng, 3), ny = 1 + test_below(rng, nz == 0 ? 60 : 20);
    size_t nx = 1 + test_below(rng, 200), layers = nz == 0 ? 1 : nz;
    for (int i = 0; i < 3; i++) {
        rug_dtype dtype = (rug_dtype)test_below(rng, RUG_N_DTYPES);
        int style = i == 1 ? (int)test_below(rng, 3) : 1 + (int)test_below(rng, 2);
        random_labels(rng, numbers[i], layers * ny * nx, nx, dtype, style);
        s[i] = store_numbers(numbers[i], dtype, nz, ny, nx, (int)test_below(rng, 4));
    }
    by_hand b = {ctx, &s[0].img, &s[1].img, NULL, random_options(rng), 0, 0};
    rug_source labels = source_of_image(&s[1].img), mask = source_of_image(&s[2].img);
    if (test_below(rng, 2))
        labels.read = test_read_layers;
    if (test_below(rng, 2))
        mask.read = test_read_layers;
    b.mask = test_below(rng, 2) ? &s[2].img : NULL;
    b.opts.mask = b.mask != NULL ? &mask : NULL;
    assert_int_equal(rug_context_set_threads(ctx, 1 + k % 4), RUG_OK);
    rug_regions *regions;
    assert_int_equal(rug_regions_find(ctx, &regions, b.labels), RUG_OK);
    int refused = is_refused(ctx, &b.opts);
    rug_status status = rug_boxcount_labels(ctx, b.img, &labels, &b.opts, compare, &b);
    assert_int_equal(status, refused ? RUG_E_ARG : RUG_OK);
    if (!refused)
        assert_int_equal(b.n, rug_regions_count(regions));
    rug_regions_free(regions);
    for (int i = 0; i < 3; i++)
        free(s[i].buffer);
}

static void equal_to_crops_by_hand(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 5;
    for (int k = 0; k < 300; k++)
        check_random(ctx, &rng, k);
    rug_context_free(ctx);
}

/* The same figure is counted the same wherever it lies. */
static void places_do_not_matter(void **state)
{
    (void)state;
    enum { N = 150, SIDE = 21 };
    static const size_t place[6][2] = {{0, 0},  {1, 60},   {37, 63},
                                       {62, 5}, {88, 129}, {129, 31}};
    static uint8_t pixels[N * N];
    static heard h;
    rug_context *ctx = test_context();
    for (size_t i = 0; i < 6; i++)
        for (size_t y = 0; y < SIDE; y++)
            for (size_t x = 0; x < SIDE; x++)
                if (x == SIDE - 1 || y == SIDE - 1 || is_sierpinski(0, y, x))
                    pixels[(y + place[i][0]) * N + x + place[i][1]] = (uint8_t)(i + 1);
    rug_image img = test_u8(pixels, 0, N, N);
    must_hear(&h, ctx, &img, &img, NONZERO);
    assert_int_equal(h.n, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(h.region[i].first[1], place[i][0]);
        assert_int_equal(h.region[i].first[2], place[i][1]);
        test_assert_counts_equal(&h.counts[i], &h.counts[0], "elsewhere");
    }
    rug_context_free(ctx);
}

/* Sums over many labels. */
typedef struct sums {
    uint64_t n, last, area, nonempty, largest;
} sums;

static rug_status sum_up(void *user, const rug_region *region,
                         const rug_boxcount_result *counts)
{
    sums *s = user;
    const rug_boxcount_facts *facts = rug_boxcount_get_facts(counts);
    assert_true(region->label > s->last);
    assert_int_equal(rug_boxcount_at(counts, 0)->nonempty, region->area);
    assert_int_equal(rug_boxcount_at(counts, facts->n_sizes - 1)->total, 1);
    assert_null(rug_boxcount_at(counts, facts->n_sizes));
    assert_int_equal(facts->shape[1], region->shape[2]);
    s->last = region->label;
    s->n++;
    s->area += region->area;
    s->nonempty += rug_boxcount_at(counts, 0)->nonempty;
    s->largest = facts->shape[0] > s->largest ? facts->shape[0] : s->largest;
    return RUG_OK;
}

/* Thousands of labels of every shape up to 8x8, and among them some whose boxes are nearly
 * the whole image. */
static void many_labels_and_large_ones(void **state)
{
    (void)state;
    enum { NY = 1040, NX = 1100 };
    rug_context *ctx = test_context();
    uint32_t *pixels = calloc((size_t)NY * NX, sizeof *pixels);
    assert_non_null(pixels);
    uint64_t n_set = 0;
    for (size_t y = 0; y < NY; y++)
        for (size_t x = 0; x < NX; x++) {
            size_t tile = y / 10 * (NX / 10) + x / 10;
            if (x % 10 <= tile % 8 && y % 10 <= tile / 8 % 8)
                pixels[y * NX + x] = (uint32_t)(10 + tile + (tile > 8000 ? 5000u : 0u));
            else if (x % 10 == 9 && y % 10 == 9)
                pixels[y * NX + x] = tile % 2 ? 9 : 9000;
            n_set += pixels[y * NX + x] > 0;
        }
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U32, 2, (size_t[]){NY, NX}),
                     RUG_OK);
    for (int t = 1; t <= 4; t++) {
        sums s = {0};
        assert_int_equal(rug_context_set_threads(ctx, t), RUG_OK);
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground = NONZERO;
        if (count_labels(ctx, &img, &img, &opts, sum_up, &s) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_int_equal(s.n, 2 + NY / 10 * (NX / 10));
        assert_int_equal(s.area, n_set);
        assert_int_equal(s.nonempty, n_set);
        assert_int_equal(s.largest, NY - 9);
    }
    free(pixels);
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, const rug_image *img, const rug_image *labels,
                    const rug_boxcount_options *opts, const char *text)
{
    static heard h;
    h.n = 0;
    rug_context_fail(ctx, RUG_E_IO, "-");
    assert_int_equal(count_labels(ctx, img, labels, opts, hear, &h), RUG_E_ARG);
    assert_int_equal(h.n, 0);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void bad_arguments(void **state)
{
    (void)state;
    static const uint8_t pixels[12] = {1, 1};
    static const float no_labels[] = {1, 0, 0.5f, 0};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 2, 2), wide = test_u8(pixels, 0, 2, 3);
    rug_image volume = test_u8(pixels, 2, 2, 3), bad;
    refused(ctx, NULL, &img, NULL, "NULL");
    refused(ctx, &img, NULL, NULL, "NULL");
    refused(ctx, &img, &wide, NULL, "label image has 2x3 pixels, the image 2x2");
    refused(ctx, &wide, &volume, NULL, "label image has 2x2x3 pixels, the image 2x3");
    assert_int_equal(rug_image_view(ctx, &bad, no_labels, RUG_F32, 2, (size_t[]){2, 2}),
                     RUG_OK);
    refused(ctx, &img, &bad, NULL, "0.5 at y 1, x 0 ");
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_source mask = source_of_image(&wide);
    opts.mask = &mask;
    refused(ctx, &img, &img, &opts, "mask has 2x3 pixels, the image 2x2");
    opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts.struct_size = 0;
    refused(ctx, &img, &img, &opts, "struct_size");
    opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)17;
    refused(ctx, &img, &img, &opts, "17");
    opts = (rug_boxcount_options)RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, NAN, 0};
    refused(ctx, &img, &img, &opts, "foreground");
    assert_int_equal(count_labels(ctx, &img, &img, NULL, NULL, NULL), RUG_E_ARG);
    assert_int_equal(count_labels(NULL, &img, &img, NULL, hear, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {1, 1, 1, /**/ 2, 2, 3, /**/ 2, 2, 3};
    static heard h;
    memory m = {0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    rug_image img = test_u8(pixels, 0, 3, 3);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_source mask = source_of_image(&img);
    opts.mask = &mask;
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status == RUG_E_NOMEM; k++) {
        m.n_calls = 0;
        m.fail_at = k;
        h.n = 0;
        rug_context_fail(ctx, RUG_E_IO, "-");
        status = count_labels(ctx, &img, &img, &opts, hear, &h);
        if (status != RUG_OK)
            assert_non_null(strstr(rug_context_error(ctx), "not enough memory"));
        assert_true(status != RUG_OK || k > 20);
        assert_int_equal(m.n_live, 0);
    }
    assert_int_equal(status, RUG_OK);
    assert_int_equal(h.n, 3);
    assert_int_equal(m.n_wrong, 0);
    rug_context_free(ctx);
}

typedef struct watch {
    double last;
    int n_left; /* steps until it is cancelled */
} watch;

static void watch_progress(void *user, double share)
{
    watch *w = user;
    assert_true(share >= w->last && share <= 1);
    w->last = share;
}

static int watch_cancel(void *user)
{
    watch *w = user;
    return w->n_left-- == 0;
}

/* Progress goes from 0 to 1, and the call can be stopped at every step. */
static void progress_and_cancelling(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {1, 1, 1, /**/ 2, 2, 3, /**/ 2, 2, 3};
    static heard h;
    memory m = {0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    rug_image img = test_u8(pixels, 0, 3, 3);
    rug_status status = RUG_E_CANCELLED;
    for (int k = 0; status == RUG_E_CANCELLED; k++) {
        watch w = {0, k};
        h.n = 0;
        rug_context_set_progress(ctx, watch_progress, &w);
        rug_context_set_cancel(ctx, watch_cancel, &w);
        status = count_labels(ctx, &img, &img, NULL, hear, &h);
        assert_int_equal(m.n_live, 0);
        assert_true(status == RUG_E_CANCELLED || (w.last == 1 && k > 5 && h.n == 3));
    }
    assert_int_equal(status, RUG_OK);
    rug_context_free(ctx);
}

/* Each label of real images against its crop; with NONZERO all of its pixels are set. */
static void check_file(rug_context *ctx, const char *folder, const char *image,
                       const char *labels, size_t n_labels)
{
    char path[1024];
    rug_file *file[2];
    const char *const names[2] = {image, labels};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/cells/%s", folder, names[i]);
        if (rug_file_read(ctx, &file[i], path, NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
    }
    by_hand b = {ctx,  rug_file_image(file[0]),   rug_file_image(file[1]),
                 NULL, RUG_BOXCOUNT_OPTIONS_INIT, 0,
                 0};
    if (count_labels(ctx, b.img, b.labels, &b.opts, compare, &b) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(b.n, n_labels);
    for (int i = 0; i < 2; i++)
        rug_file_free(file[i]);
}

static void real_images(void **state)
{
    (void)state;
    const char *folder = test_shared_data();
    if (folder == NULL) {
        print_message("LEFT OUT: images of pixels with their labels\n");
        skip();
    }
    rug_context *ctx = test_context();
    check_file(ctx, folder, "bbbc022_ch0.png", "bbbc022_labels.png", 25);
    check_file(ctx, folder, "dsb2018.png", "dsb2018_labels.png", 125);
    check_file(ctx, folder, "maize.png", "maize_labels.png", 460);
    check_file(ctx, folder, "nuclei3d.nii.gz", "nuclei3d_labels.nii.gz", 51);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_by_hand),
        cmocka_unit_test(one_rule_for_all),
        cmocka_unit_test(no_label_at_all),
        cmocka_unit_test(the_callback_ends_the_call),
        cmocka_unit_test(equal_to_crops_by_hand),
        cmocka_unit_test(places_do_not_matter),
        cmocka_unit_test(many_labels_and_large_ones),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancelling),
        cmocka_unit_test(real_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
