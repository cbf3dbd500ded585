/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of random images by random options, at every CPU level and on 1 to
 * 4 threads: maps and histograms must be those of a slow reimplementation. */

#include "support.h"

#include "lbp_support.h"
#include "sample_support.h"
#include <stdio.h>

#define SEED     20020711
#define N_IMAGES TEST_CASES(160)
#define N_LABELS 3

/* A call with all that it borrows. */
typedef struct call {
    sample image;
    rug_lbp_options opts;
    rug_lbp_operator ops[3];
    double cuts[40];
    rug_image mask, labels;
    rug_source inside, labelled; /* of them */
    uint8_t *mask_pixels, *label_pixels;
    codes expected[3];
} call;

static sample random_image(uint64_t *rng)
{
    for (;;) {
        sample s = random_sample(rng);
        if (s.img.ndim == 2 && s.img.shape[0] * s.img.shape[1] < 4000)
            return s;
        free_sample(&s);
    }
}

static double random_radius(uint64_t *rng)
{
    static const double radii[] = {1, 1, 2, 3, 1.5, 2.5, 0.3, 5.25, 30, 300};
    return radii[test_below(rng, 10)];
}

static void random_options(uint64_t *rng, call *c)
{
    rug_lbp_options *o = &c->opts;
    *o = (rug_lbp_options)RUG_LBP_OPTIONS_INIT;
    o->method = (rug_lbp_method)test_below(rng, 5);
    o->interpolation = (rug_lbp_interpolation)(test_below(rng, 4) == 0);
    o->border = (rug_lbp_border)test_below(rng, 2);
    int has_cuts = o->method == RUG_LBP_VAR || test_below(rng, 4) == 0;
    if (!has_cuts && o->interpolation == RUG_LBP_BILINEAR)
        o->exact = (rug_lbp_exact)test_below(rng, 3);
    uint32_t most = o->method == RUG_LBP_DEFAULT || o->method == RUG_LBP_ROR ? 10 : 32;
    o->n_operators = 1 + (uint32_t)test_below(rng, 3);
    o->operators = c->ops;
    for (uint32_t i = 0; i < 40; i++)
        c->cuts[i] = (i > 0 ? c->cuts[i - 1] : 0) + 0.5 + (double)test_below(rng, 100);
    for (uint32_t i = 0; i < o->n_operators; i++) {
        c->ops[i] = (rug_lbp_operator){1 + (uint32_t)test_below(rng, most),
                                       random_radius(rng), NULL, 0};
        if (has_cuts) {
            c->ops[i].cuts = c->cuts;
            c->ops[i].n_cuts = 1 + (uint32_t)test_below(rng, i == 0 ? 40 : 4);
        }
    }
}

static uint8_t *random_bytes(uint64_t *rng, rug_image *out, const rug_image *img,
                             uint64_t n_values)
{
    size_t n = img->shape[0] * img->shape[1];
    uint8_t *pixels = malloc(n);
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++)
        pixels[i] = (uint8_t)test_below(rng, n_values);
    *out = test_u8(pixels, 0, img->shape[0], img->shape[1]);
    return pixels;
}

static void random_call(uint64_t *rng, call *c)
{
    memset(c, 0, sizeof *c);
    c->image = random_image(rng);
    random_options(rng, c);
    c->mask_pixels = random_bytes(rng, &c->mask, &c->image.img, 3);
    c->label_pixels = random_bytes(rng, &c->labels, &c->image.img, N_LABELS + 1);
    c->inside = source_of_image(&c->mask);
    c->labelled = source_of_image(&c->labels);
    c->opts.mask = test_below(rng, 3) == 0 ? &c->inside : NULL;
    c->opts.labels = test_below(rng, 3) == 0 ? &c->labelled : NULL;
    for (uint32_t i = 0; i < c->opts.n_operators; i++)
        c->expected[i] = naive_map(&c->image.img, &c->ops[i], &c->opts);
}

/* The bin of a least rotation: how many are smaller. */
static uint32_t rank_of(uint32_t code, uint32_t points)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < code; p++)
        n += naive_code(RUG_LBP_ROR, p, points) == p;
    return n;
}

/* The bin of pixel i, or a number beyond all bins. */
static uint32_t bin_of(const call *c, uint32_t op, size_t i)
{
    const codes *map = &c->expected[op];
    const rug_lbp_operator *o = &c->ops[op];
    size_t y = i / map->nx, x = i % map->nx;
    if (c->opts.border == RUG_LBP_BORDER_SKIP &&
        !naive_is_inside(&c->image.img, y, x, o, c->opts.interpolation))
        return UINT32_MAX;
    uint32_t bin = c->opts.method == RUG_LBP_VAR ? 0 : (uint32_t)map->at[i];
    if (c->opts.method == RUG_LBP_ROR)
        bin = rank_of(bin, o->points);
    if (o->n_cuts == 0)
        return bin;
    double v = naive_variance(&c->image.img, y, x, o, &c->opts);
    if (isnan(v))
        return UINT32_MAX;
    uint32_t cut = 0;
    while (cut < o->n_cuts && o->cuts[cut] <= v)
        cut++;
    return bin * (o->n_cuts + 1) + cut;
}

static void assert_histogram(const call *c, const rug_lbp_histogram *h)
{
    uint64_t *expected = calloc(h->n_bins, sizeof *expected), sum = 0;
    assert_non_null(expected);
    assert_int_equal(h->n_bins, rug_lbp_n_bins(c->opts.method, &c->ops[h->op]));
    for (size_t i = 0; i < c->expected[0].ny * c->expected[0].nx; i++) {
        if (c->opts.mask != NULL && c->mask_pixels[i] == 0)
            continue;
        if (c->opts.labels != NULL && c->label_pixels[i] != h->label)
            continue;
        uint32_t bin = bin_of(c, h->op, i);
        if (bin == UINT32_MAX)
            continue;
        assert_true(bin < h->n_bins);
        expected[bin]++;
        sum++;
    }
    assert_int_equal(h->pixels, sum);
    assert_memory_equal(h->bins, expected, h->n_bins * sizeof *expected);
    free(expected);
}

static void assert_call(rug_context *ctx, call *c, const char *what)
{
    lbp_maps m = new_maps(c->opts.n_operators, 1, c->expected[0].ny, c->expected[0].nx);
    c->opts.map = keep_codes;
    c->opts.map_user = &m;
    rug_lbp_result *r = must_lbp(ctx, &c->image.img, &c->opts);
    for (uint32_t i = 0; i < c->opts.n_operators; i++)
        assert_same_codes(&m.op[i], &c->expected[i], what);
    size_t n = n_histograms(r);
    assert_int_equal(n % c->opts.n_operators, 0);
    for (size_t i = 0; i < n; i++) {
        const rug_lbp_histogram *h = rug_lbp_at(r, i);
        assert_int_equal(h->op, i % c->opts.n_operators);
        assert_histogram(c, h);
    }
    rug_lbp_free(r);
    c->opts.map = NULL; /* counts alone go another way */
    r = must_lbp(ctx, &c->image.img, &c->opts);
    for (size_t i = 0; i < n; i++)
        assert_histogram(c, rug_lbp_at(r, i));
    rug_lbp_free(r);
    free_maps(&m);
}

static void free_call(const call *c)
{
    assert_memory_equal(c->image.buffer, c->image.copy, c->image.n_bytes);
    for (uint32_t i = 0; i < c->opts.n_operators; i++)
        free(c->expected[i].at);
    free(c->mask_pixels);
    free(c->label_pixels);
    free_sample(&c->image);
}

static void random_calls(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (int k = 0; k < N_IMAGES; k++) {
        call c;
        random_call(&rng, &c);
        rug_context *ctx = test_context();
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            char what[160];
            int n_threads = 1 + (k + level) % 4;
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, n_threads);
            snprintf(what, sizeof what,
                     "seed %d image %d (%s %zux%zu) method %d rule %d interpolation %d "
                     "(%u, %g) level %d, %d threads",
                     SEED, k, rug_dtype_name(c.image.img.dtype), c.image.img.shape[0],
                     c.image.img.shape[1], (int)c.opts.method, (int)c.opts.exact,
                     (int)c.opts.interpolation, c.ops[0].points, c.ops[0].radius, level,
                     n_threads);
            assert_call(ctx, &c, what);
        }
        rug_context_free(ctx);
        free_call(&c);
    }
}

/* Several tiles, bands and threads: levels agree, and the reference with a slow one where
 * tiles and bands meet. */
static void wide_images(void **state)
{
    (void)state;
    static uint16_t pixels[90 * 1100];
    uint64_t rng = SEED;
    for (size_t i = 0; i < 90 * 1100; i++)
        pixels[i] = (uint16_t)(test_below(&rng, 5) * 13107);
    const size_t shape[2] = {90, 1100};
    rug_image img;
    rug_context *ctx = test_context();
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, shape), RUG_OK);
    const rug_lbp_operator ops[2] = {{16, 2, NULL, 0}, {7, 3.5, NULL, 0}};
    for (int e = RUG_LBP_EXACT_SKIMAGE; e <= RUG_LBP_EXACT_FLOAT; e++) {
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.operators = ops;
        opts.n_operators = 2;
        opts.method = RUG_LBP_DEFAULT;
        opts.exact = (rug_lbp_exact)e;
        codes expected[2] = {naive_map(&img, &ops[0], &opts),
                             naive_map(&img, &ops[1], &opts)};
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            lbp_maps m = new_maps(2, 1, 90, 1100);
            opts.map = keep_codes;
            opts.map_user = &m;
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, level + 1);
            rug_lbp_free(must_lbp(ctx, &img, &opts));
            for (int i = 0; i < 2; i++)
                assert_same_codes(&m.op[i], &expected[i], "wide");
            free_maps(&m);
        }
        free(expected[0].at);
        free(expected[1].at);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls),
        cmocka_unit_test(wide_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
