/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha of sources: the bits of the map in memory, whatever the slab, the source and
 * the mask; rows in order; what ends a call; and the memory that it takes. */

#include "support.h"

#include "alpha/map/alpha_plan.h"
#include "alpha_support.h"
#include "memory_support.h"
#include "sample_support.h"

#define SEED     20151128
#define N_IMAGES 300

/* Rows as they come. */
typedef struct gathered {
    float *map;
    size_t shape[3];   /* slices, rows, columns */
    size_t slice, row; /* that are to come */
    size_t n_calls;
    size_t ends_at; /* the call that ends it; 0: none does */
} gathered;

static rug_status gather_rows(void *user, const rug_alpha_map_rows *rows)
{
    gathered *g = user;
    assert_int_equal(rows->slice, g->slice);
    assert_int_equal(rows->first, g->row);
    assert_int_equal(rows->nx, g->shape[2]);
    assert_true(rows->n > 0 && rows->first + rows->n <= g->shape[1]);
    if (++g->n_calls == g->ends_at)
        return RUG_E_IO;
    if (g->map != NULL)
        memcpy(g->map + (g->slice * g->shape[1] + g->row) * rows->nx, rows->alpha,
               rows->n * rows->nx * sizeof *rows->alpha);
    g->row += rows->n;
    if (g->row == g->shape[1]) {
        g->row = 0;
        g->slice++;
    }
    return RUG_OK;
}

/* @param map  or NULL: rows are only looked at */
static gathered gathered_of(const rug_source *source, float *map)
{
    int flat = source->ndim == 2;
    return (gathered){.map = map,
                      .shape = {flat ? 1 : source->shape[0], source->shape[flat ? 0 : 1],
                                source->shape[flat ? 1 : 2]}};
}

static void random_options(uint64_t *rng, rug_alpha_options *o)
{
    static const double tolerances[] = {0, 0.75, 3, 100, 1e6};
    *o = (rug_alpha_options)RUG_ALPHA_OPTIONS_INIT;
    o->measure = (rug_alpha_measure)test_below(rng, 4);
    o->n_windows = 2 + (uint32_t)test_below(rng, test_below(rng, 4) == 0 ? 15 : 4);
    o->iso_tolerance = tolerances[test_below(rng, 5)];
}

static void assert_rows(rug_context *ctx, const rug_source *source,
                        const rug_alpha_options *o, size_t n_layers,
                        const float *expected, const char *what)
{
    size_t n = 1;
    for (int a = 0; a < source->ndim; a++)
        n *= source->shape[a];
    float *map = calloc(n, sizeof *map);
    assert_non_null(map);
    gathered g = gathered_of(source, map);
    if (rugi_alpha_map_source_by(ctx, source, o, gather_rows, &g, n_layers) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(ctx));
    assert_int_equal(g.slice, g.shape[0]);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&map[i], &expected[i], sizeof *map) != 0)
            fail_msg("%s, slabs of %zu layers, measure %d, %u windows, %s, %zux%zux%zu: "
                     "pixel %zu has %.9g, not %.9g",
                     what, n_layers, (int)o->measure, o->n_windows,
                     rug_dtype_name(source->dtype), g.shape[0], g.shape[1], g.shape[2], i,
                     (double)map[i], (double)expected[i]);
    free(map);
}

static rug_image random_mask(uint64_t *rng, const rug_image *img, double *pixels)
{
    static const double values[] = {0, 1, -0.0, NAN, 7, -3, INFINITY};
    rug_image mask;
    for (uint64_t i = 0; i < rug_image_pixels(img); i++)
        pixels[i] = values[test_below(rng, 7)];
    assert_int_equal(rug_image_view(NULL, &mask, pixels, RUG_F64, img->ndim, img->shape),
                     RUG_OK);
    return mask;
}

/* The map of one image in memory, and of the sources of it. */
static void check_image(rug_context *ctx, uint64_t *rng, const rug_image *img,
                        int has_mask)
{
    static const size_t slabs[] = {1, 2, 3, 5, 16, 64, 0};
    rug_alpha_options o;
    layers_source layers, mask_layers;
    double *mask_pixels = malloc(rug_image_pixels(img) * sizeof *mask_pixels);
    assert_non_null(mask_pixels);
    rug_image mask = random_mask(rng, img, mask_pixels);
    rug_source in_memory = source_of_image(img), mask_in_memory = source_of_image(&mask);
    random_options(rng, &o);
    o.mask = has_mask ? &mask_in_memory : NULL;
    float *expected = must_map(ctx, img, &o);
    size_t n_layers = slabs[test_below(rng, 7)];
    assert_rows(ctx, &in_memory, &o, n_layers, expected, "in memory");
    rug_source streamed = source_of_layers(&layers, img);
    rug_source mask_streamed = source_of_layers(&mask_layers, &mask);
    o.mask = has_mask ? &mask_streamed : NULL;
    assert_rows(ctx, &streamed, &o, n_layers, expected, "streamed");
    assert_int_equal(layers.at, img->shape[0]);
    if (n_layers > 0)
        assert_true(layers.most <= n_layers);
    float *by_loaded_mask = must_map(ctx, img, &o); /* in memory, its mask read */
    assert_memory_equal(by_loaded_mask, expected,
                        rug_image_pixels(img) * sizeof *expected);
    free(by_loaded_mask);
    free(expected);
    free(mask_pixels);
}

static void random_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = test_seed(ctx, SEED, TEST_CASES(N_IMAGES));
    for (int i = 0; i < TEST_CASES(N_IMAGES); i++) {
        sample s = random_sample(&rng);
        assert_int_equal(rug_context_set_threads(ctx, 1 + i % 3), RUG_OK);
        assert_int_equal(rug_context_set_cpu_level(
                             ctx, (rug_cpu_level)((size_t)i % (RUG_CPU_MAX + 1))),
                         RUG_OK);
        if (rug_image_pixels(&s.img) < 20000)
            check_image(ctx, &rng, &s.img, i % 3 == 0);
        assert_memory_equal(s.buffer, s.copy, s.n_bytes);
        free_sample(&s);
    }
    rug_context_free(ctx);
}

/* Sums of floats whose order tells, with NaN among them, in slabs thinner and thicker than
 * what windows reach; a volume of one layer, and an image of one row. */
static void floats(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{0, 70, 33}, {0, 1, 90},  {0, 90, 1},
                                       {1, 40, 30}, {30, 1, 40}, {23, 11, 9}};
    static float pixels[23 * 11 * 9 + 40 * 90];
    uint64_t rng = 7;
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++)
        pixels[i] =
            test_below(&rng, 200) == 0 ? NAN : (float)test_below(&rng, 1 << 20) / 1e3f;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_ISO; m++)
            for (size_t n_layers = 0; n_layers < 8; n_layers++) {
                rug_image img;
                rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
                layers_source layers;
                int ndim = shapes[i][0] == 0 ? 2 : 3;
                assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F32, ndim,
                                                shapes[i] + 3 - ndim),
                                 RUG_OK);
                o.measure = (rug_alpha_measure)m;
                float *expected = must_map(ctx, &img, &o);
                rug_source source = source_of_layers(&layers, &img);
                assert_rows(ctx, &source, &o, n_layers, expected, "floats");
                free(expected);
            }
    rug_context_free(ctx);
}

/* What the function returns, and what a source returns, ends the call. */
static void ends(void **state)
{
    (void)state;
    static uint8_t pixels[60 * 20] = {1, 2, 3};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 60, 20), other = test_u8(pixels, 0, 60, 19);
    layers_source layers, mask_layers;
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    rug_source source = source_of_layers(&layers, &img);
    gathered g = gathered_of(&source, NULL);
    g.ends_at = 2;
    assert_int_equal(rugi_alpha_map_source_by(ctx, &source, &o, gather_rows, &g, 10),
                     RUG_E_IO);
    assert_int_equal(g.n_calls, 2);
    g = gathered_of(&source, NULL);
    layers.fails_at = 40;
    assert_int_equal(rugi_alpha_map_source_by(ctx, &source, &o, gather_rows, &g, 10),
                     RUG_E_IO);
    assert_int_equal(g.row, 40 - 3); /* windows reach 3 rows */
    rug_source mask = source_of_layers(&mask_layers, &img);
    o.mask = &mask;
    mask_layers.fails_at = 5;
    layers.fails_at = 0;
    g = gathered_of(&source, NULL);
    assert_int_equal(rugi_alpha_map_source_by(ctx, &source, &o, gather_rows, &g, 10),
                     RUG_E_IO);
    assert_int_equal(g.n_calls, 0);
    o.mask = NULL;
    layers.image = other;
    assert_int_equal(rug_alpha_map_source(ctx, &source, &o, gather_rows, &g), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "another slab"));
    rug_context_free(ctx);
}

/* Bytes that are allocated, and the most that ever were. */
typedef struct peak {
    atomic_size_t now, most;
} peak;

#define PEAK_HEADER 256

static void *peak_allocate(void *user, size_t n_bytes, size_t alignment)
{
    peak *p = user;
    assert_true(alignment <= PEAK_HEADER);
    size_t whole = (n_bytes + 2 * PEAK_HEADER - 1) / PEAK_HEADER * PEAK_HEADER;
    char *block = aligned_alloc(PEAK_HEADER, whole); /* never touched in full */
    if (block == NULL)
        return NULL;
    memcpy(block, &n_bytes, sizeof n_bytes);
    size_t now = atomic_fetch_add(&p->now, n_bytes) + n_bytes;
    if (now > atomic_load(&p->most))
        atomic_store(&p->most, now);
    return block + PEAK_HEADER;
}

static void peak_release(void *user, void *block)
{
    size_t n_bytes;
    char *start = (char *)block - PEAK_HEADER;
    memcpy(&n_bytes, start, sizeof n_bytes);
    atomic_fetch_sub(&((peak *)user)->now, n_bytes);
    free(start);
}

static size_t peak_of(const rug_source *source, size_t n_layers, rug_status expected)
{
    rug_context *ctx = test_context();
    peak p = {0};
    rug_allocator allocator = {peak_allocate, peak_release, &p};
    gathered g = gathered_of(source, NULL);
    rug_context_set_allocator(ctx, &allocator);
    rug_context_set_threads(ctx, 2);
    assert_int_equal(
        rugi_alpha_map_source_by(ctx, source, NULL, gather_rows, &g, n_layers), expected);
    assert_int_equal(atomic_load(&p.now), 0);
    rug_context_free(ctx);
    return atomic_load(&p.most);
}

/* Rows of a picture as long as one likes. */
static rug_status make_rows(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    static uint8_t pixels[64 * 500];
    const size_t shape[2] = {n, 500};
    (void)user;
    assert_true(n <= 64);
    for (size_t i = 0; i < n * 500; i++)
        pixels[i] = (uint8_t)(1 + (first * 500 + i) % 251);
    return rug_image_view(ctx, out, pixels, RUG_U8, 2, shape);
}

static rug_status no_rows(rug_context *ctx, void *user, rug_image *out, size_t first,
                          size_t n)
{
    (void)user;
    (void)out;
    (void)first;
    (void)n;
    return rug_context_fail(ctx, RUG_E_IO, "none");
}

/* Memory does not grow with the image; by default it is about 128 MB. */
static void bounded_memory(void **state)
{
    (void)state;
    rug_source source = RUG_SOURCE_INIT;
    source.dtype = RUG_U8;
    source.ndim = 2;
    source.read = make_rows;
    source.shape[0] = 1000;
    source.shape[1] = 500;
    size_t most = peak_of(&source, 64, RUG_OK);
    source.shape[0] = 9000;
    assert_int_equal(peak_of(&source, 64, RUG_OK), most);
    assert_true(most < 1000 * 500 * 5);
    source.shape[0] = (size_t)1 << 22;
    source.shape[1] = (size_t)1 << 14;
    source.read = no_rows;
    most = peak_of(&source, 0, RUG_E_IO);
    assert_in_range(most, 100 << 20, 136 << 20);
    source.dtype = RUG_F64;
    source.ndim = 3;
    source.shape[2] = 100;
    most = peak_of(&source, 0, RUG_E_IO);
    assert_in_range(most, 100 << 20, 250 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),
        cmocka_unit_test(floats),
        cmocka_unit_test(ends),
        cmocka_unit_test(bounded_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
