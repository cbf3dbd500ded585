/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The multifractal spectrum: exact cascades, uniform and empty images, moments against
 * long double, large orders, nearly empty boxes, and what is refused. */

#include "support.h"

#include "boxcount_support.h"
#include "masses_support.h"
#include "memory_support.h"
#include "orders_support.h"
#include <stdio.h>

static const uint16_t c64_weights[4] = {4, 3, 2, 1};

static rug_image view_of(rug_context *ctx, const void *pixels, rug_dtype dtype, size_t ny,
                         size_t nx)
{
    rug_image img;
    assert_int_equal(
        rug_image_view(ctx, &img, pixels, dtype, 2, (const size_t[]){ny, nx}), RUG_OK);
    return img;
}

/* Fits orders over sizes 1..32, or the default range (0). */
static rug_multifractal_facts must_fit_orders(rug_context *ctx,
                                              rug_multifractal_order *out,
                                              const rug_image *img, const double *q,
                                              size_t n_q, uint64_t size_max)
{
    rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
    opts.size_max = size_max;
    rug_masses *m = must_measure(ctx, img, NULL);
    rug_multifractal_facts facts = fit_orders(ctx, out, m, q, n_q, &opts);
    rug_masses_free(m);
    return facts;
}

/* The cascade of weights 4, 3, 2, 1 (sum 10) has the same law at every size. */
static void assert_cascade(const rug_multifractal_order *r, double error)
{
    long double q = r->q, sum = 0, alpha = 0, f = 0, first = 0;
    for (int w = 1; w <= 4; w++)
        sum += powl(w / 10.0L, q);
    for (int w = 1; w <= 4; w++) {
        long double mu = powl(w / 10.0L, q) / sum;
        alpha -= mu * log2l(w / 10.0L);
        f -= mu * log2l(mu);
        first -= w / 10.0L * log2l(w / 10.0L);
    }
    double tau = r->q == 1 ? 0 : (double)-log2l(sum), large = error * (1 + fabs(r->q));
    assert_within(r->tau, tau, large, "tau");
    assert_within(r->dimension, r->q == 1 ? (double)first : tau / (r->q - 1), error, "D");
    assert_within(r->alpha, (double)alpha, error, "alpha");
    assert_within(r->f, (double)f, large, "f");
    assert_within(r->dimension_error, 0, error, "error of D");
    assert_within(r->alpha_error, 0, error, "error of alpha");
    assert_within(r->f_error, 0, large, "error of f");
    assert_int_equal(r->status, RUG_FIT_OK);
}

static void cascade_c64(void **state)
{
    (void)state;
    static const double q[] = {0, 1, 2, 5, -1, -2, -5, 0.5, -20, 20, -1000, 1000};
    static const double known[] = {2,        1.846439, 1.736966, 1.566336,
                                   2.190411, 2.384470, 2.776857};
    rug_context *ctx = test_context();
    uint16_t pixels[64 * 64];
    float real[64 * 64];
    double fractions[64 * 64];
    rug_multifractal_order r[12], same[12];
    fill_cascade(pixels, 6, c64_weights);
    for (int i = 0; i < 64 * 64; i++) {
        real[i] = pixels[i];
        fractions[i] = pixels[i] * 0x1p-20; /* exact in any unit */
    }
    rug_image img = view_of(ctx, pixels, RUG_U16, 64, 64);
    rug_multifractal_facts facts = must_fit_orders(ctx, r, &img, q, 12, 32);
    assert_int_equal(facts.size_min, 1);
    assert_int_equal(facts.size_max, 32);
    assert_int_equal(facts.n_sizes, 6);
    assert_int_equal(facts.status, RUG_FIT_OK);
    for (int k = 0; k < 12; k++)
        assert_cascade(&r[k], k < 10 ? 1e-12 : 1e-11);
    for (int k = 0; k < 7; k++)
        assert_within(r[k].dimension, known[k], 5e-7, "D of C64");
    img = view_of(ctx, real, RUG_F32, 64, 64);
    must_fit_orders(ctx, same, &img, q, 12, 32);
    for (int k = 0; k < 12; k++)
        assert_memory_equal(&same[k], &r[k], offsetof(rug_multifractal_order, status));
    img = view_of(ctx, fractions, RUG_F64, 64, 64);
    must_fit_orders(ctx, same, &img, q, 12, 32);
    for (int k = 0; k < 12; k++)
        assert_memory_equal(&same[k], &r[k], offsetof(rug_multifractal_order, status));
    rug_context_free(ctx);
}

/* Eight pixels of 1e-9 of the total: large negative moments are theirs alone. */
static void nearly_empty_boxes_are_told(void **state)
{
    (void)state;
    static const double q[] = {-2, 0, 1, 2, -0.1};
    rug_context *ctx = test_context();
    uint16_t pixels[64 * 64];
    float real[64 * 64];
    rug_multifractal_order r[5], plain[5];
    fill_cascade(pixels, 6, c64_weights);
    rug_image img = view_of(ctx, pixels, RUG_U16, 64, 64);
    must_fit_orders(ctx, plain, &img, q, 5, 32);
    for (int i = 0; i < 64 * 64; i++)
        real[i] = pixels[i];
    for (int k = 0; k < 8; k++)
        real[(8 * k + 5) * 64 + (8 * k * 5 + 3) % 64] = 0.001f;
    img = view_of(ctx, real, RUG_F32, 64, 64);
    must_fit_orders(ctx, r, &img, q, 5, 32);
    assert_true(r[0].dimension > 3);
    assert_int_equal(r[0].status, RUG_FIT_NEAR_EMPTY_BOXES);
    assert_true(r[0].near_empty > 0.99 && r[0].near_empty <= 1);
    for (int k = 1; k < 4; k++) {
        assert_within(r[k].dimension, plain[k].dimension, 0.01, "D of q >= 0");
        assert_int_equal(r[k].status, RUG_FIT_OK);
        assert_true(r[k].near_empty == 0);
    }
    assert_int_equal(plain[0].status, RUG_FIT_OK); /* 1 of 244 is not nearly empty */
    assert_true(plain[0].near_empty == 0);
    /* The share of the eight in Z(-0.1) of size 1. */
    assert_true(r[4].near_empty > 0.002 && r[4].near_empty < 0.05);
    assert_int_equal(r[4].status, RUG_FIT_OK);
    rug_context_free(ctx);
}

static void uniform_and_empty(void **state)
{
    (void)state;
    double q[41];
    rug_context *ctx = test_context();
    uint8_t pixels[64 * 64];
    rug_multifractal_order r[41];
    for (int k = 0; k < 41; k++)
        q[k] = -10 + 0.5 * k;
    memset(pixels, 7, sizeof pixels);
    rug_image img = test_u8(pixels, 0, 64, 64);
    rug_multifractal_facts facts = must_fit_orders(ctx, r, &img, q, 41, 0);
    assert_int_equal(facts.size_max, 16);
    for (int k = 0; k < 41; k++) {
        assert_within(r[k].dimension, 2, 1e-12, "D of a uniform square");
        assert_within(r[k].alpha, 2, 1e-12, "alpha of a uniform square");
        assert_within(r[k].f, 2, 1e-11, "f of a uniform square");
        assert_int_equal(r[k].status, RUG_FIT_OK);
    }
    memset(pixels, 0, sizeof pixels);
    facts = must_fit_orders(ctx, r, &img, q, 41, 0);
    assert_true(facts.size_min == 0 && facts.size_max == 0 && facts.n_sizes == 0);
    assert_int_equal(facts.status, RUG_FIT_EMPTY);
    for (int k = 0; k < 41; k++) {
        assert_int_equal(r[k].status, RUG_FIT_EMPTY);
        assert_true(isnan(r[k].dimension) && isnan(r[k].tau) && isnan(r[k].alpha) &&
                    isnan(r[k].f) && isnan(r[k].r_squared));
        assert_true(r[k].near_empty == 0);
    }
    pixels[0] = 1;
    img = test_u8(pixels, 0, 1, 1);
    must_fit_orders(ctx, r, &img, q, 41, 0);
    assert_int_equal(r[0].status, RUG_FIT_TOO_FEW_SIZES);
    rug_context_free(ctx);
}

/* Sums in long double. */
static void assert_moments(const rug_moments *m, const rug_mass_boxes *pairs, size_t n,
                           double total, double q)
{
    long double z = 0, first = 0, log_mu = 0, log_p = 0, most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        most = fmaxl(most, q * logl((long double)pairs[i].mass / total));
    for (size_t i = 0; i < n; i++) {
        long double l = logl((long double)pairs[i].mass / total), b = pairs[i].boxes;
        long double w = b * expl(q * l - most);
        z += w;
        log_p += w * l;
        first += b * (long double)pairs[i].mass / total * l;
    }
    log_p /= z;
    log_mu = q * log_p - most - logl(z);
    long double log_z = most + logl(z);
    double e = 1e-13 * (1 + fabs(q));
    assert_within(m->log_z, (double)log_z, e * 10, "ln Z");
    assert_within(m->p_log_p, (double)first, 1e-13 * 10, "sum p ln p");
    assert_within(m->mu_log_p, (double)log_p, e * 10, "sum mu ln p");
    assert_within(m->mu_log_mu, (double)log_mu, e * 10, "sum mu ln mu");
    if (fabsl(log_z) < 700)
        assert_within(m->z / (double)expl(log_z), 1, e, "Z");
    else
        assert_true(log_z < 0 ? m->z < 1e-300 : m->z > 1e300);
}

static void moments_of_random_masses(void **state)
{
    (void)state;
    static const double q[] = {-1000, -37.5, -2, -1, -0.25, 0, 0.5, 1, 1.5, 3, 10, 1000};
    uint64_t rng = 62;
    uint32_t pixels[130 * 70];
    for (size_t i = 0; i < 130 * 70; i++)
        pixels[i] = (uint32_t)(test_random(&rng) >> (32 + test_below(&rng, 32)));
    rug_moments first[12 * 8], m[12 * 8];
    for (int run = 0; run < 12; run++) {
        rug_context *ctx = test_context();
        rug_context_set_threads(ctx, 1 + run % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(run / 4));
        rug_image img = view_of(ctx, pixels, RUG_U32, 130, 70);
        rug_masses *masses = must_measure(ctx, &img, NULL);
        rug_masses_facts facts = *rug_masses_get_facts(masses);
        assert_int_equal(facts.n_sizes, 9);
        rug_moments all[12 * 9];
        assert_int_equal(rug_multifractal_moments(ctx, all, masses, q, 12), RUG_OK);
        for (size_t k = 0; k < 12; k++)
            for (uint32_t l = 0; l < 8; l++) {
                size_t n;
                const rug_mass_boxes *pairs = rug_masses_boxes(ctx, masses, l, &n);
                m[k * 8 + l] = all[k * 9 + l];
                if (run == 0)
                    assert_moments(&all[k * 9 + l], pairs, n, (double)facts.total, q[k]);
            }
        if (run == 0)
            memcpy(first, m, sizeof m);
        assert_memory_equal(m, first, sizeof m); /* of threads and CPU levels */
        rug_masses_free(masses);
        rug_context_free(ctx);
    }
}

static void assert_refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", rug_context_error(ctx), text);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(rug_mass_of_name(RUG_MASS_OF_GRAY), "grey values");
    assert_string_equal(rug_mass_of_name(RUG_MASS_OF_FOREGROUND), "foreground");
    assert_string_equal(rug_mass_of_name((rug_mass_of)2), "?");
    assert_string_equal(rug_mass_of_name((rug_mass_of)-1), "?");
}

static void hostile_calls(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    int8_t pixels[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    rug_image img = view_of(ctx, pixels, RUG_I8, 4, 4);
    rug_masses *m = must_measure(ctx, &img, NULL);
    rug_multifractal_result *r;
    rug_fit_options fit = RUG_FIT_OPTIONS_INIT;
    const double bad[] = {NAN, INFINITY, -1000.5, 1001};
    for (int i = 0; i < 4; i++)
        assert_refused(ctx, rug_multifractal_fit(ctx, &r, m, &bad[i], 1, NULL),
                       "a number from -1000 to 1000 expected");
    assert_int_equal(rug_multifractal_fit(ctx, &r, m, NULL, 0, NULL), RUG_OK);
    assert_null(rug_multifractal_at(r, 0));
    assert_int_equal(rug_multifractal_get_facts(r)->n_orders, 0);
    rug_multifractal_free(r);
    rug_multifractal_free(NULL);
    assert_null(rug_multifractal_at(NULL, 0));
    assert_null(rug_multifractal_get_facts(NULL));
    assert_null(rug_masses_get_facts(NULL));
    assert_refused(ctx, rug_multifractal_fit(ctx, &r, m, NULL, 1, NULL), "NULL");
    fit.auto_range = 1;
    fit.size_min = 2;
    assert_refused(ctx, rug_multifractal_fit(ctx, &r, m, bad, 0, &fit), "automatic");
    fit.struct_size = 1;
    assert_refused(ctx, rug_multifractal_fit(ctx, &r, m, bad, 0, &fit),
                   "rug_fit_options");
    assert_null(r);
    size_t n = 9;
    assert_null(rug_masses_boxes(ctx, m, 99, &n));
    assert_int_equal(n, 0);
    rug_masses_free(m);
    rug_masses_free(NULL);
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    opts.of = (rug_mass_of)7;
    assert_refused(ctx, rug_masses_measure(ctx, &m, &img, &opts), "masses of kind 7");
    assert_null(m);
    pixels[9] = -1;
    assert_refused(ctx, rug_masses_measure(ctx, &m, &img, NULL), "pixel 2,1 (y,x) is -1");
    uint64_t large[4] = {INT64_MAX, 1, 0, 0};
    img = view_of(ctx, large, RUG_U64, 2, 2);
    assert_refused(ctx, rug_masses_measure(ctx, &m, &img, NULL), "add up to more than");
    assert_int_equal(rug_context_set_device(ctx, "opencl:900"), RUG_OK);
    large[0] = 1;
    assert_int_equal(rug_masses_measure(ctx, &m, &img, NULL), RUG_E_DEVICE);
    rug_context_free(ctx);
}

static void hostile_parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    float pixels[20 * 20] = {1, 2};
    pixels[5] = -3;
    const size_t shape[] = {40, 40}, zero[] = {0, 0}, far[] = {21, 0}, next[] = {20, 20};
    rug_image img = view_of(ctx, pixels, RUG_F32, 20, 20);
    rug_masses *m, *other;
    assert_refused(ctx, rug_masses_new(ctx, &m, RUG_U8, 2, shape, 1, NULL), "2^1 given");
    assert_refused(ctx, rug_masses_new(ctx, &m, RUG_F32, 4, shape, 0, NULL), "4 axes");
    assert_refused(ctx, rug_masses_new(ctx, &m, (rug_dtype)11, 2, shape, 0, NULL),
                   "dtype 11");
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    opts.of = RUG_MASS_OF_FOREGROUND;
    assert_refused(ctx, rug_masses_new(ctx, &m, RUG_U8, 2, shape, 0, &opts),
                   "a part does not show the whole image");
    assert_int_equal(rug_masses_new(ctx, &m, RUG_F32, 2, shape, -3, NULL), RUG_OK);
    assert_refused(ctx, rug_masses_add(ctx, m, &img, NULL, far), "the image has 40");
    assert_refused(ctx, rug_masses_add(ctx, m, &img, &img, zero), "with a mask");
    assert_refused(ctx, rug_masses_add(ctx, m, &img, NULL, next),
                   "pixel 20,25 (y,x) is -3");
    rug_masses_free(m);
    pixels[5] = 3;
    assert_int_equal(rug_masses_new(ctx, &m, RUG_F32, 2, shape, -3, NULL), RUG_OK);
    assert_int_equal(rug_masses_new(ctx, &other, RUG_F32, 2, shape, -2, NULL), RUG_OK);
    assert_int_equal(rug_masses_add(ctx, m, &img, NULL, next), RUG_OK);
    assert_refused(ctx, rug_masses_add(ctx, m, &img, NULL, next), "was added before");
    assert_refused(ctx, rug_masses_merge(ctx, m, other), "unit");
    rug_moments moments[7];
    assert_refused(ctx, rug_multifractal_moments(ctx, moments, m, &(double){1}, 1),
                   "400 of 1600 pixels were added");
    rug_masses_facts facts = *rug_masses_get_facts(m);
    assert_int_equal(facts.is_whole, 0);
    assert_int_equal(facts.total, 8 * 6);
    assert_int_equal(facts.n_set, 3);
    pixels[0] = 1e30f;
    img = view_of(ctx, pixels, RUG_F32, 20, 20);
    assert_refused(ctx, rug_masses_add(ctx, m, &img, NULL, zero), "larger unit");
    rug_masses_free(m);
    rug_masses_free(other);
    rug_context_free(ctx);
}

static rug_status whole_call(rug_context *ctx, int kind)
{
    static const double q[] = {-2, 1, 3};
    static float pixels[50 * 70];
    static uint8_t inside[50 * 70];
    for (int i = 0; i < 50 * 70; i++) {
        pixels[i] = (float)(i % 251) * 0.37f;
        inside[i] = i % 7 > 0;
    }
    const size_t shape[] = {50, 70}, zero[] = {0, 0}, half[] = {25, 0};
    rug_image img, mask = test_u8(inside, 0, 50, 70), part;
    rug_source source = source_of_image(&mask);
    rug_multifractal_result *r = NULL;
    rug_fit_options fit = RUG_FIT_OPTIONS_INIT;
    rug_masses *m = NULL, *other = NULL;
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    rug_status status = rug_image_view(ctx, &img, pixels, RUG_F32, 2, shape);
    fit.auto_range = 1;
    opts.mask = kind & 1 ? &source : NULL;
    if (kind < 2) {
        status = rug_masses_measure(ctx, &m, &img, &opts);
    } else {
        part = img;
        part.shape[0] = 25;
        status = rug_masses_new(ctx, &m, RUG_F32, 2, shape, -20, NULL);
        if (status == RUG_OK)
            status = rug_masses_new(ctx, &other, RUG_F32, 2, shape, -20, NULL);
        if (status == RUG_OK)
            status = rug_masses_add(ctx, m, &part, NULL, zero);
        if (status == RUG_OK)
            status = rug_masses_add(ctx, other, &part, NULL, half);
        if (status == RUG_OK)
            status = rug_masses_merge(ctx, m, other);
    }
    if (status == RUG_OK)
        status = rug_multifractal_fit(ctx, &r, m, q, 3, &fit);
    rug_multifractal_free(r);
    rug_masses_free(m);
    rug_masses_free(other);
    return status;
}

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        rug_status status = RUG_E_NOMEM;
        size_t n_fails = 0;
        while (status != RUG_OK) {
            memory m = {.fail_at = n_fails + 1};
            rug_context *ctx = test_context();
            rug_context_set_threads(ctx, 3);
            memory_hook(ctx, &m);
            status = whole_call(ctx, kind);
            if (status != RUG_OK) {
                if (status != RUG_E_NOMEM)
                    fail_msg("%s", rug_context_error(ctx));
                n_fails++;
            }
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            rug_context_free(ctx);
        }
        assert_in_range(n_fails, 20, 400);
    }
}

/* Cancels the k-th time that it is asked. */
static int countdown(void *user)
{
    int *left = user;
    return --*left == 0;
}

static void cancelled(void **state)
{
    (void)state;
    rug_status status = RUG_E_CANCELLED;
    int n = 0;
    while (status == RUG_E_CANCELLED) {
        memory m = {0};
        rug_context *ctx = test_context();
        int left = ++n;
        memory_hook(ctx, &m);
        rug_context_set_cancel(ctx, countdown, &left);
        status = whole_call(ctx, 1);
        assert_int_equal(m.n_live, 0);
        rug_context_free(ctx);
    }
    assert_int_equal(status, RUG_OK);
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cascade_c64),
        cmocka_unit_test(nearly_empty_boxes_are_told),
        cmocka_unit_test(uniform_and_empty),
        cmocka_unit_test(moments_of_random_masses),
        cmocka_unit_test(names),
        cmocka_unit_test(hostile_calls),
        cmocka_unit_test(hostile_parts),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
