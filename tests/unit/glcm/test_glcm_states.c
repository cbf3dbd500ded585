/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence in parts: random images, labels, masks and options, cut anywhere, added in any order
 * to states that are saved, loaded and merged, against the whole. */

#include "support.h"

#include "core/context/crc.h"
#include "glcm_support.h"
#include "labels_support.h"
#include "memory_support.h"
#include <stdio.h>

#include "glcm_random_support.h"

#define SEED   19730611
#define N_JOBS TEST_CASES(200)

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static rug_image cut(const rug_image *img, const size_t *first, const size_t *end)
{
    rug_image v = *img;
    const char *data = img->data;
    for (int a = 0; a < img->ndim; a++) {
        int is_bits = img->dtype == RUG_BIT && a == img->ndim - 1;
        v.shape[a] = end[a] - first[a];
        data +=
            is_bits ? (ptrdiff_t)(first[a] / 8) : (ptrdiff_t)first[a] * img->stride[a];
    }
    v.data = data;
    return v;
}

/* Puts a state in the place of one that is saved and loaded, and saves to the same bytes. */
static void travel(rug_context *ctx, rug_glcm_parts **p)
{
    uint8_t *bytes, *again;
    size_t n, n_again;
    must(ctx, rug_glcm_parts_save(ctx, &bytes, &n, *p));
    rug_glcm_parts_free(*p);
    must(ctx, rug_glcm_parts_load(ctx, p, bytes, n));
    must(ctx, rug_glcm_parts_save(ctx, &again, &n_again, *p));
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, n);
    rug_context_release(ctx, again);
    rug_context_release(ctx, bytes);
}

/* Adds a box with what is around it, and sometimes more. */
static rug_status add_part(rug_context *ctx, job *j, rug_glcm_parts *p,
                           const size_t *first, const size_t *end)
{
    const rug_image *img = &j->image.img;
    size_t from[3], to[3], shape[3], reach = rug_glcm_reach(&j->opts);
    for (int a = 0; a < img->ndim; a++) {
        size_t more = reach + test_below(&j->rng, 3);
        if (a == 0 && j->opts.slices != RUG_GLCM_SLICES_NONE && test_below(&j->rng, 2))
            more = 0;
        from[a] = first[a] > more ? first[a] - more : 0;
        to[a] = img->shape[a] - end[a] > more ? end[a] + more : img->shape[a];
        shape[a] = end[a] - first[a];
        if (img->dtype == RUG_BIT && a == img->ndim - 1)
            from[a] -= from[a] % 8;
    }
    rug_image part = cut(img, from, to), mask = cut(&j->mask.img, from, to);
    rug_image labels = cut(&j->labels.img, from, to);
    return rug_glcm_parts_add(ctx, p, &part, j->has_mask ? &mask : NULL,
                              j->has_labels ? &labels : NULL, from, first, shape);
}

/* Cuts a box at random places, and adds all of it to two states in any order. */
static rug_status add_random_parts(rug_context *ctx, job *j, rug_glcm_parts *p[2],
                                   const size_t *first, const size_t *end)
{
    int axis = (int)test_below(&j->rng, (uint64_t)j->image.img.ndim);
    size_t n = end[axis] - first[axis], middle[3], later[3];
    if (n < 2 || test_below(&j->rng, 3) == 0) {
        size_t to = test_below(&j->rng, 2);
        rug_status status = add_part(ctx, j, p[to], first, end);
        if (status == RUG_OK && test_below(&j->rng, 4) == 0)
            travel(ctx, &p[to]);
        return status;
    }
    memcpy(middle, end, sizeof middle);
    memcpy(later, first, sizeof later);
    later[axis] = middle[axis] = first[axis] + 1 + test_below(&j->rng, n - 1);
    int turned = (int)test_below(&j->rng, 2);
    rug_status status =
        add_random_parts(ctx, j, p, turned ? later : first, turned ? end : middle);
    return status == RUG_OK ? add_random_parts(ctx, j, p, turned ? first : later,
                                               turned ? middle : end)
                            : status;
}

/* The range of the values that count. */
static rug_image_range range_of(const job *j)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    range.min = range.max = NAN;
    for (size_t i = 0; i < j->n; i++)
        if (j->kept[i] && isfinite(j->value[i])) {
            range.min = fmin(range.min, j->value[i]);
            range.max = fmax(range.max, j->value[i]);
        }
    return range;
}

/* Begins two states. @return whether that is possible */
static int begin(rug_context *ctx, job *j, rug_glcm_parts *p[2])
{
    const rug_image *img = &j->image.img;
    const rug_image_range range = range_of(j);
    const rug_image_range *given = test_below(&j->rng, 2) == 0 ? &range : NULL;
    rug_status status = rug_glcm_parts_new(ctx, &p[0], img->dtype, img->ndim, img->shape,
                                           &j->opts, given);
    if (status != RUG_OK && given == NULL) {
        given = &range;
        status = rug_glcm_parts_new(ctx, &p[0], img->dtype, img->ndim, img->shape,
                                    &j->opts, given);
    }
    if (status != RUG_OK) {
        refused(ctx, status, "which are too many to be kept");
        assert_true(img->dtype >= RUG_F32);
        return 0;
    }
    must(ctx, rug_glcm_parts_new(ctx, &p[1], img->dtype, img->ndim, img->shape, &j->opts,
                                 given));
    return 1;
}

/* @return whether rows were compared */
static int check_job(rug_context *ctx, job *j)
{
    const rug_image *img = &j->image.img;
    const size_t zero[3] = {0, 0, 0};
    glcm_rows whole = {0}, rows = {0};
    rug_glcm_parts *p[2];
    if (!begin(ctx, j, p))
        return 0;
    rug_status expected = rug_glcm(ctx, img, &j->opts, glcm_keep, &whole);
    rug_status status = add_random_parts(ctx, j, p, zero, img->shape);
    if (status == RUG_OK)
        status = rug_glcm_merge(ctx, p[0], p[1]);
    if (status == RUG_OK) {
        travel(ctx, &p[0]);
        status = rug_glcm_parts_finish(ctx, p[0], glcm_keep, &rows);
    }
    if (status != expected)
        fail_msg("seed %llu: %s", (unsigned long long)j->seed, rug_context_error(ctx));
    if (status == RUG_OK)
        assert_same_rows(&rows, &whole);
    free(rows.row);
    free(whole.row);
    rug_glcm_parts_free(p[0]);
    rug_glcm_parts_free(p[1]);
    return status == RUG_OK;
}

static void random_jobs(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, SEED, N_JOBS);
    int n_compared = 0;
    for (int i = 0; i < N_JOBS; i++) {
        rug_context *own = test_context();
        rug_context_set_threads(own, 1 + i % 3);
        rug_context_set_cpu_level(own, (rug_cpu_level)(i % (RUG_CPU_MAX + 1)));
        make_job(&j, seed + (uint64_t)i);
        j.opts.pairs = RUG_GLCM_PAIRS_INSIDE;
        j.opts.frame = 0;
        n_compared += check_job(own, &j);
        free_job(&j);
        rug_context_free(own);
    }
    assert_in_range(n_compared, N_JOBS / 2, N_JOBS);
    rug_context_free(ctx);
}

/* ---- What is refused ---- */

static const uint8_t some_pixels[30] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

/* A state of 6x5 pixels, empty. */
static rug_glcm_parts *some_parts(rug_context *ctx, const rug_glcm_options *o)
{
    const size_t shape[2] = {6, 5};
    rug_glcm_parts *p;
    must(ctx, rug_glcm_parts_new(ctx, &p, RUG_U8, 2, shape, o, NULL));
    return p;
}

static void bad_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint16_t wide[30] = {1};
    const rug_image img = test_u8(some_pixels, 0, 6, 5),
                    top = test_u8(some_pixels, 0, 3, 5);
    rug_image other;
    const size_t origin[2] = {0, 0}, own[2] = {0, 0}, two[2] = {2, 5}, three[2] = {3, 5};
    const size_t four[2] = {4, 5}, down[2] = {4, 0};
    glcm_rows rows = {0};
    rug_glcm_parts *p = some_parts(ctx, NULL);
    must(ctx, rug_image_view(ctx, &other, wide, RUG_U16, 2, img.shape));
    refused(ctx, rug_glcm_parts_add(ctx, p, &other, NULL, NULL, origin, NULL, NULL),
            "dtype u16 given, u8 expected");
    refused(ctx, rug_glcm_parts_add(ctx, p, &img, &img, NULL, origin, NULL, NULL),
            "part with a mask given, none expected");
    refused(ctx, rug_glcm_parts_add(ctx, p, &img, NULL, &img, origin, NULL, NULL),
            "part with labels given, none expected");
    refused(ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, down, NULL, NULL),
            "the image has 6");
    refused(ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, own, three),
            "0 pixels before and 0 behind its own along axis 0 given, 0 and 1 expected");
    refused(ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, NULL, NULL),
            "0 and 1 expected");
    refused(
        ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, own, four),
        "4 own pixels from pixel 0 on along axis 0 given; some of the part, 3 from 0 on");
    refused(ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, own, NULL), "NULL");
    must(ctx, rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, own, two));
    refused(ctx, rug_glcm_parts_finish(ctx, p, glcm_keep, &rows), "10 of 30");
    refused(ctx, rug_glcm_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, NULL), "0,0");
    rug_glcm_parts_free(p);
    rug_context_free(ctx);
}

static void bad_options(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const rug_source some;
    const size_t shape[2] = {6, 5};
    rug_glcm_parts *p;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_F32, 2, shape, &o, NULL),
            "values of f32, which are too many to be kept");
    assert_null(p);
    range.min = 2;
    range.max = 1;
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_F32, 2, shape, &o, &range),
            "range 2..1 of the image given");
    o.labels = &some;
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_F32, 2, shape, &o, NULL),
            "measure it first and give it");
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 2;
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_F32, 2, shape, &o, NULL),
            "the range of each region");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_U8, 2, shape, &o, NULL), "FRAME");
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_U8, 1, shape, NULL, NULL), "1 axes");
    refused(ctx, rug_glcm_parts_new(ctx, &p, (rug_dtype)77, 2, shape, NULL, NULL),
            "dtype 77");
    refused(ctx, rug_glcm_parts_new(ctx, &p, RUG_U8, 2, NULL, NULL, NULL), "NULL");
    rug_context_free(ctx);
}

/* The range of the image must be that. */
static void wrong_range(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_image img = test_u8(some_pixels, 0, 6, 5);
    const size_t origin[2] = {0, 0};
    glcm_rows rows = {0};
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    rug_glcm_parts *p;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 4;
    range.max = 8;
    must(ctx, rug_glcm_parts_new(ctx, &p, RUG_U8, 2, img.shape, &o, &range));
    must(ctx, rug_glcm_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, NULL));
    refused(ctx, rug_glcm_parts_finish(ctx, p, glcm_keep, &rows),
            "range 0..8 of the image was given, but there are values from 0 to 9");
    rug_glcm_parts_free(p);
    rug_context_free(ctx);
}

static void other_options(void **state)
{
    (void)state;
    static const uint32_t distances[2] = {1, 3}, others[2] = {1, 4};
    rug_context *ctx = test_context();
    rug_glcm_options base = RUG_GLCM_OPTIONS_INIT, o;
    base.distances = distances;
    base.n_distances = 2;
    base.levels = RUG_GLCM_LEVELS_WIDTH;
    base.bin_width = 2;
    rug_glcm_parts *p = some_parts(ctx, &base), *q;
#define OTHER(change, text)                        \
    o = base;                                      \
    o.change;                                      \
    q = some_parts(ctx, &o);                       \
    refused(ctx, rug_glcm_merge(ctx, p, q), text); \
    rug_glcm_parts_free(q)
    OTHER(distances = others, "distance 4 given, 3 expected");
    OTHER(n_distances = 1, "number of distances 1 given, 2 expected");
    OTHER(directions = 3, "directions 3 given, 0 expected");
    OTHER(asymmetric = 1, "asymmetric 1 given, 0 expected");
    OTHER(bin_width = 2.5, "bin width 2.5 given, 2 expected");
    OTHER(aggregate = RUG_GLCM_AGGREGATE_NONE, "aggregate 1 given, 0 expected");
    OTHER(features = RUG_GLCM_FEATURES_13, "features 1 given, 0 expected");
    OTHER(origin = RUG_GLCM_ORIGIN_MIN, "origin 2 given, 0 expected");
    OTHER(log_base = 2.718281828459045, "base of logarithms");
#undef OTHER
    must(ctx, rug_glcm_merge(ctx, p, p));
    rug_glcm_parts_free(p);
    rug_context_free(ctx);
}

static void reach(void **state)
{
    (void)state;
    static const uint32_t distances[2] = {1, 3};
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    assert_int_equal(rug_glcm_reach(NULL), 1);
    assert_int_equal(rug_glcm_reach(&o), 1);
    o.distances = distances;
    o.n_distances = 2;
    assert_int_equal(rug_glcm_reach(&o), 3);
    o.n_distances = 0;
    assert_int_equal(rug_glcm_reach(&o), 0);
}

/* A state that somebody made up is refused at the latest when it is finished, or has rows. */
static void made_up(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const rug_image img = test_u8(some_pixels, 0, 6, 5);
    const size_t origin[2] = {0, 0};
    uint8_t *bytes;
    size_t n;
    int n_finished = 0, n_refused = 0;
    rug_glcm_parts *p = some_parts(ctx, NULL);
    must(ctx, rug_glcm_parts_add(ctx, p, &img, NULL, NULL, origin, NULL, NULL));
    must(ctx, rug_glcm_parts_save(ctx, &bytes, &n, p));
    rug_glcm_parts_free(p);
    for (size_t at = 120; at < n - 4; at++)
        for (int change = -1; change < 40; change += change < 1 ? 2 : 13) {
            glcm_rows rows = {0};
            uint8_t was = bytes[at];
            bytes[at] = (uint8_t)(was + change);
            uint32_t crc = rugi_crc(bytes, n - 4);
            for (int i = 0; i < 4; i++)
                bytes[n - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
            if (rug_glcm_parts_load(ctx, &p, bytes, n) == RUG_OK) {
                rug_status status = rug_glcm_parts_finish(ctx, p, glcm_keep, &rows);
                assert_true(status == RUG_OK || status == RUG_E_ARG);
                n_finished += status == RUG_OK;
                n_refused += status != RUG_OK;
            }
            rug_glcm_parts_free(p);
            free(rows.row);
            bytes[at] = was;
        }
    assert_in_range(n_finished, 10, 10000);
    assert_in_range(n_refused, 10, 10000);
    rug_context_release(ctx, bytes);
    rug_context_free(ctx);
}

/* Adds two parts to a state each, merges and finishes them. */
static rug_status measure_in_two(rug_context *ctx, const rug_image *img)
{
    const size_t origin[2] = {0, 0}, shape[2] = {3, 5}, from[2] = {2, 0}, own[2] = {3, 0};
    const size_t top_end[2] = {4, 5}, end[2] = {6, 5};
    const rug_image top = cut(img, origin, top_end), rest = cut(img, from, end);
    glcm_rows rows = {0};
    rug_glcm_parts *p = NULL, *q = NULL;
    rug_status status = rug_glcm_parts_new(ctx, &p, RUG_U8, 2, img->shape, NULL, NULL);
    if (status == RUG_OK)
        status = rug_glcm_parts_new(ctx, &q, RUG_U8, 2, img->shape, NULL, NULL);
    if (status == RUG_OK)
        status = rug_glcm_parts_add(ctx, p, &top, NULL, NULL, origin, origin, shape);
    if (status == RUG_OK)
        status = rug_glcm_parts_add(ctx, q, &rest, NULL, NULL, from, own, shape);
    if (status == RUG_OK)
        status = rug_glcm_merge(ctx, p, q);
    if (status == RUG_OK)
        status = rug_glcm_parts_finish(ctx, p, glcm_keep, &rows);
    rug_glcm_parts_free(p);
    rug_glcm_parts_free(q);
    free(rows.row);
    return status;
}

/* Every allocation fails once; nothing leaks. */
static void failing_memory(void **state)
{
    (void)state;
    const rug_image img = test_u8(some_pixels, 0, 6, 5);
    rug_status status = RUG_E_NOMEM;
    size_t k = 1;
    for (; status == RUG_E_NOMEM; k++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = k};
        memory_hook(ctx, &m);
        rug_context_set_threads(ctx, 1);
        status = measure_in_two(ctx, &img);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(k < 1000);
    }
    assert_int_equal(status, RUG_OK);
    assert_true(k > 50);
}

/* -0 and 0 are one value: which of them is met first shows nowhere. */
static void zeros(void **state)
{
    (void)state;
    static float pixels[] = {0.0f, 1, 1, 2, -0.0f, 1};
    const size_t shape[2] = {3, 2}, own[2] = {1, 2};
    rug_image img;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_context *ctx = test_context();
    uint8_t *bytes[2];
    size_t n[2];
    range.min = -0.0;
    range.max = 2;
    must(ctx, rug_image_view(ctx, &img, pixels, RUG_F32, 2, shape));
    for (size_t turned = 0; turned < 2; turned++) {
        rug_glcm_parts *p;
        glcm_rows rows = {0};
        must(ctx, rug_glcm_parts_new(ctx, &p, RUG_F32, 2, shape, NULL, &range));
        for (size_t k = 0; k < 3; k++) {
            const size_t first[2] = {turned ? 2 - k : k, 0}, all[2] = {0, 0};
            must(ctx, rug_glcm_parts_add(ctx, p, &img, NULL, NULL, all, first, own));
        }
        must(ctx, rug_glcm_parts_save(ctx, &bytes[turned], &n[turned], p));
        must(ctx, rug_glcm_parts_finish(ctx, p, glcm_keep, &rows));
        assert_false(signbit(rows.row[0].bin_origin));
        free(rows.row);
        rug_glcm_parts_free(p);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    for (size_t k = 0; k < 2; k++)
        rug_context_release(ctx, bytes[k]);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_jobs),   cmocka_unit_test(bad_parts),
        cmocka_unit_test(bad_options),   cmocka_unit_test(wrong_range),
        cmocka_unit_test(other_options), cmocka_unit_test(reach),
        cmocka_unit_test(made_up),       cmocka_unit_test(failing_memory),
        cmocka_unit_test(zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
