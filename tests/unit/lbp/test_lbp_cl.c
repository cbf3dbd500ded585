/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns on an OpenCL device: known truths, random jobs by every
 * kernel against a slow reimplementation and the processor, pieces, circles of all sizes, counts that are kept, and
 * failures. */

#include "support.h"

#include "lbp_cl_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <rugose/lbp_parts.h>

/* Programs are built for each dtype, rule and kernel, and take most of the time. */
#define N_PROGRAMS 20
#define CASES_EACH 6

#define MOST_PIXELS 6000

static const rugi_lbp_picture pictures[] = {
    RUGI_LBP_PICTURE_TILE, RUGI_LBP_PICTURE_PIXELS, RUGI_LBP_PICTURE_IMAGE};

/* A ramp along x is brighter on the right, equal above and below: of 8 samples those at
 * 0, 45, 90, 270 and 315 degrees are set, five in a row. Its first column is 0 and so has
 * all set; of the last one, with the outside on its right, only those above and below. */
static void known_truths(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static uint8_t ramp[20 * 70];
    for (size_t i = 0; i < sizeof ramp; i++)
        ramp[i] = (uint8_t)(i % 70);
    rug_image img = test_u8(ramp, 0, 20, 70);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.exact = RUG_LBP_EXACT_DECIMAL;
    rugi_lbp_plan plan;
    must_plan(device, &plan, &opts);
    for (int i = 0; i < 3; i++) {
        rugi_lbp_job job = make_job(&plan, &img, 0, 20, results());
        must_run(device, &job, pictures[i], 1, "ramp");
        const filled *r = results()[0];
        const uint8_t *codes = (const uint8_t *)r->codes;
        for (size_t y = 1; y < 19; y++) {
            assert_int_equal(codes[70 * y], 8);
            for (size_t x = 1; x < 69; x++)
                assert_int_equal(codes[70 * y + x], 5);
            assert_int_equal(codes[70 * y + 69], 9);
        }
        assert_true(r->counts[5] >= 18 * 68 && r->counts[8] >= 18);
        assert_int_equal(r->bins[75], 5);
    }
    rugi_lbp_plan_free(device, &plan);
    rug_context_free(device);
}

/* Work groups of any shape give the same; of one that is larger than devices take a part. */
static void groups_of_all_shapes(void **state)
{
    (void)state;
    static const size_t groups[][2] = {{8, 8},  {16, 16}, {32, 8},      {64, 1},
                                       {1, 64}, {3, 5},   {4096, 4096}, {1, 1}};
    static uint8_t noise[70 * 90];
    const rug_lbp_operator op = {8, 2.5, NULL, 0};
    rug_context *device = ocl_context();
    uint64_t rng = 5;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)test_below(&rng, 256);
    rug_image img = test_u8(noise, 0, 70, 90);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = &op;
    opts.n_operators = 1;
    rugi_lbp_plan plan;
    must_plan(device, &plan, &opts);
    run_cpu(&plan, &img, 0, 70, "noise");
    for (size_t i = 0; i < 3 * sizeof groups / sizeof groups[0]; i++) {
        rugi_lbp_job job = make_job(&plan, &img, 0, 70, results());
        rugi_lbp_way way = {.picture = pictures[i % 3],
                            .most_bytes = RUGI_LBP_OPENCL_BYTES};
        memcpy(way.group, groups[i / 3], sizeof way.group);
        if (rugi_lbp_opencl_by(device, &job, &way) != RUG_OK)
            fail_msg("group %zu: %s", i, rug_context_error(device));
        assert_filled(results()[0], expectations()[0], &plan.op[0], sizeof noise,
                      "noise");
    }
    rugi_lbp_plan_free(device, &plan);
    rug_context_free(device);
}

/* ---- Random jobs ---- */

/* What a program is built for, but for the variance. */
typedef struct program {
    rug_dtype dtype;
    rug_lbp_interpolation interpolation;
    rug_lbp_exact exact;
    rugi_lbp_picture picture;
} program;

static program random_program(uint64_t *rng, int i)
{
    program p = {.dtype = (rug_dtype)test_below(rng, RUG_N_DTYPES),
                 .picture = pictures[i % 3]};
    if (test_below(rng, 4) == 0)
        p.interpolation = RUG_LBP_NEAREST;
    else
        p.exact = (rug_lbp_exact)test_below(rng, 3);
    return p;
}

typedef struct job_case {
    sample s;
    rug_lbp_options opts;
    rug_lbp_operator ops[MOST_OPERATORS];
    double cuts[6];
    size_t from, to;
    char what[160];
} job_case;

static void random_operator(uint64_t *rng, job_case *c, rug_lbp_operator *op)
{
    static const uint32_t points[] = {8, 8, 16, 24, 1, 2, 3, 11, 20, 32};
    static const double radii[] = {1, 1, 2, 3, 0.4, 1.5, 5.25, 11, 40, 1024};
    int takes_cuts = c->opts.exact == RUG_LBP_EXACT_SKIMAGE;
    op->points = points[test_below(rng, 10)];
    op->radius = radii[test_below(rng, test_below(rng, 4) == 0 ? 10 : 7)];
    op->n_cuts = takes_cuts && (c->opts.method == RUG_LBP_VAR || test_below(rng, 4) == 0)
                     ? (uint32_t)test_below(rng, 7)
                     : 0;
}

static sample random_image(uint64_t *rng, rug_dtype dtype)
{
    for (;;) {
        sample s = random_sample(rng);
        if (s.img.dtype == dtype && s.img.ndim == 2 &&
            rug_image_pixels(&s.img) <= MOST_PIXELS)
            return s;
        free_sample(&s);
    }
}

static job_case random_case(uint64_t *rng, const program *p, int number)
{
    job_case c = {.opts = RUG_LBP_OPTIONS_INIT};
    c.s = random_image(rng, p->dtype);
    double cut = 0;
    for (int i = 0; i < 6; i++)
        c.cuts[i] = cut += (double)(1 + test_below(rng, 3000)) / 7;
    c.opts.interpolation = p->interpolation;
    c.opts.exact = p->exact;
    c.opts.method = (rug_lbp_method)test_below(rng, p->exact == 0 ? 5 : 4);
    c.opts.border = (rug_lbp_border)test_below(rng, 2);
    c.opts.n_operators = 1 + (uint32_t)test_below(rng, MOST_OPERATORS);
    for (uint32_t i = 0; i < c.opts.n_operators; i++)
        random_operator(rng, &c, &c.ops[i]);
    size_t ny = c.s.img.shape[0];
    c.from = test_below(rng, 2) ? 0 : test_below(rng, ny);
    c.to = test_below(rng, 2) ? ny : c.from + 1 + test_below(rng, ny - c.from);
    snprintf(c.what, sizeof c.what,
             "case %d: %s %zux%zu rows %zu..%zu %s border %d interpolation %d exact %d",
             number, rug_dtype_name(c.s.img.dtype), ny, c.s.img.shape[1], c.from, c.to,
             rug_lbp_method_name(c.opts.method), (int)c.opts.border,
             (int)c.opts.interpolation, (int)c.opts.exact);
    return c;
}

static void check_case(rug_context *device, uint64_t *rng, job_case *c,
                       rugi_lbp_picture picture)
{
    static filled slow;
    static const size_t most[] = {1, 3000, 40000, RUGI_LBP_OPENCL_BYTES};
    rugi_lbp_plan plan;
    c->opts.operators = c->ops;
    for (uint32_t i = 0; i < c->opts.n_operators; i++)
        c->ops[i].cuts = c->cuts;
    must_plan(device, &plan, &c->opts);
    rugi_lbp_job job = make_job(&plan, &c->s.img, c->from, c->to, results());
    int m = (int)test_below(rng, 4);
    must_run(device, &job, picture, most[m], c->what);
    run_cpu(&plan, &c->s.img, c->from, c->to, c->what);
    size_t n = (c->to - c->from) * c->s.img.shape[1];
    for (uint32_t i = 0; i < plan.n_operators; i++) {
        char what[240];
        snprintf(what, sizeof what, "%s (%u, %g) %u cuts, kernel %d, pieces %d", c->what,
                 c->ops[i].points, c->ops[i].radius, c->ops[i].n_cuts, (int)picture, m);
        slow_lbp(&slow, &plan, i, &c->s.img, c->from, c->to);
        assert_filled(results()[i], &slow, &plan.op[i], n, what);
        assert_filled(results()[i], expectations()[i], &plan.op[i], n, what);
    }
    assert_memory_equal(c->s.buffer, c->s.copy, c->s.n_bytes);
    rugi_lbp_plan_free(device, &plan);
}

static void random_jobs(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    const uint64_t seed = 20261129;
    print_message("seed %llu, %d programs\n", (unsigned long long)seed, N_PROGRAMS);
    for (int i = 0; i < N_PROGRAMS; i++) {
        uint64_t rng = seed + (uint64_t)i;
        program p = random_program(&rng, i);
        for (int k = 0; k < CASES_EACH; k++) {
            job_case c = random_case(&rng, &p, CASES_EACH * i + k);
            check_case(device, &rng, &c, p.picture);
            free_sample(&c.s);
        }
    }
    rug_context_free(device);
}

/* ---- Against the processor ---- */

/* Pixels of a few values, so that there are ties. */
static void fill_pixels(uint8_t *pixels, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        pixels[i] = (uint8_t)(test_below(&seed, 12) * 20);
}

static void check_with_cpu(rug_context *device, const rug_image *img,
                           const rug_lbp_options *opts, rugi_lbp_picture picture,
                           size_t most_bytes, const char *what)
{
    rugi_lbp_plan plan;
    must_plan(device, &plan, opts);
    run_cpu(&plan, img, 0, img->shape[0], what);
    rugi_lbp_job job = make_job(&plan, img, 0, img->shape[0], results());
    must_run(device, &job, picture, most_bytes, what);
    for (uint32_t i = 0; i < plan.n_operators; i++)
        assert_filled(results()[i], expectations()[i], &plan.op[i], rug_image_pixels(img),
                      what);
    rugi_lbp_plan_free(device, &plan);
}

/* From those whose tile is small to those that reach beyond the image on all sides. */
static void circles_of_all_sizes(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static uint8_t pixels[150 * 310];
    static const double radii[] = {0.001, 9, 33.5, 100, 1024};
    rug_image img = test_u8(pixels, 0, 150, 310);
    fill_pixels(pixels, sizeof pixels, 3);
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++)
        for (int i = 0; i < 3; i++) {
            char what[64];
            rug_lbp_operator ops[2] = {{8, radii[r], NULL, 0}, {5, 2, NULL, 0}};
            rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
            opts.operators = ops;
            opts.n_operators = 2;
            opts.exact = i == 0 ? RUG_LBP_EXACT_DECIMAL : RUG_LBP_EXACT_FLOAT;
            opts.border = (rug_lbp_border)(r % 2);
            snprintf(what, sizeof what, "radius %g, kernel %d", radii[r], i);
            check_with_cpu(device, &img, &opts, pictures[i], r == 1 ? 20000 : 1 << 20,
                           what);
        }
    rug_context_free(device);
}

/* Wider than an image object may be. */
static void wide_images(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static uint8_t pixels[7 * 9000];
    rug_image img = test_u8(pixels, 0, 7, 9000);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    fill_pixels(pixels, sizeof pixels, 4);
    opts.exact = RUG_LBP_EXACT_FLOAT;
    for (int i = 0; i < 3; i++)
        check_with_cpu(device, &img, &opts, pictures[i], RUGI_LBP_OPENCL_BYTES, "wide");
    rug_context_free(device);
}

/* More bins than a group counts by itself, and those of rotations, which are looked up. */
static void many_bins(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static uint8_t pixels[200 * 200];
    static const double cuts[] = {100, 1000, 3000};
    const rug_lbp_operator sixteen = {16, 2, NULL, 0}, joint = {12, 1.5, cuts, 3};
    rug_image img = test_u8(pixels, 0, 200, 200);
    fill_pixels(pixels, sizeof pixels, 5);
    for (int m = RUG_LBP_DEFAULT; m <= RUG_LBP_ROR; m++)
        for (int k = 0; k < 2; k++) {
            rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
            opts.operators = k == 0 ? &sixteen : &joint;
            opts.n_operators = 1;
            opts.method = (rug_lbp_method)m;
            check_with_cpu(device, &img, &opts, RUGI_LBP_PICTURE_AUTO, 20000,
                           rug_lbp_method_name(opts.method));
        }
    rug_context_free(device);
}

static void public_calls(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    static uint8_t pixels[300 * 200], inside[300 * 200];
    rug_image img = test_u8(pixels, 0, 300, 200), mask = test_u8(inside, 0, 300, 200);
    fill_pixels(pixels, sizeof pixels, 7);
    for (size_t i = 0; i < sizeof inside; i++)
        inside[i] = i % 11 > 3;
    rug_lbp_operator ops[] = {{8, 1, NULL, 0}, {24, 3, NULL, 0}};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = ops;
    opts.n_operators = 2;
    for (int masked = 0; masked < 2; masked++) {
        rug_lbp_result *got, *expected;
        rug_source inside_source = source_of_image(&mask);
        opts.mask = masked ? &inside_source : NULL;
        assert_int_equal(rug_lbp(device, &got, &img, &opts), RUG_OK);
        assert_int_equal(rug_lbp(cpu, &expected, &img, &opts), RUG_OK);
        assert_string_equal(rug_lbp_get_facts(got)->engine, "opencl:0");
        for (size_t i = 0; i < 2; i++) {
            const rug_lbp_histogram *a = rug_lbp_at(got, i), *b = rug_lbp_at(expected, i);
            assert_int_equal(a->pixels, b->pixels);
            assert_memory_equal(a->bins, b->bins, b->n_bins * sizeof *b->bins);
        }
        rug_lbp_free(got);
        rug_lbp_free(expected);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* ---- Failures ---- */

static int cancel(void *user)
{
    (void)user;
    return 1;
}

/* Counts stay what they were. */
static void cancelled(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static uint8_t pixels[100 * 100];
    rug_image img = test_u8(pixels, 0, 100, 100);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rugi_lbp_plan plan;
    must_plan(device, &plan, &opts);
    rugi_lbp_job job = make_job(&plan, &img, 0, 100, results());
    job.counts[0][3] = 17;
    rug_context_set_cancel(device, cancel, NULL);
    assert_int_equal(rugi_lbp_opencl(device, &job), RUG_E_CANCELLED);
    rug_context_set_cancel(device, NULL, NULL);
    for (int b = 0; b < 10; b++)
        assert_int_equal(job.counts[0][b], b == 3 ? 17 : 0);
    must_run(device, &job, RUGI_LBP_PICTURE_AUTO, RUGI_LBP_OPENCL_BYTES, "again");
    assert_int_equal(job.counts[0][8], 100 * 100);
    assert_int_equal(job.counts[0][3], 17);
    rugi_lbp_plan_free(device, &plan);
    rug_context_free(device);
}

/* Each allocation fails once: nothing is left behind, and counts stay what they were. */
static void out_of_memory(void **state)
{
    (void)state;
    static int16_t pixels[40 * 80];
    static const double cuts[] = {5};
    const rug_lbp_operator op = {6, 1, cuts, 1};
    rug_image img;
    rug_context *ctx = ocl_context();
    for (size_t k = 1;; k++) {
        memory m = {.fail_at = 0};
        rug_context *device = test_context();
        memory_hook(device, &m);
        assert_int_equal(rug_context_set_device(device, "opencl:0"), RUG_OK);
        assert_int_equal(
            rug_image_view(device, &img, pixels, RUG_I16, 2, (size_t[]){80, 40}), RUG_OK);
        img.stride[0] = 2; /* columns for rows: they must be copied */
        img.stride[1] = 160;
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.operators = &op;
        opts.n_operators = 1;
        opts.method = RUG_LBP_ROR;
        rugi_lbp_plan plan;
        must_plan(device, &plan, &opts);
        rugi_lbp_job job = make_job(&plan, &img, 0, 80, results());
        m.fail_at = m.n_calls + k;
        const rugi_lbp_way way = {.picture = RUGI_LBP_PICTURE_IMAGE, .most_bytes = 2000};
        rug_status status = rugi_lbp_opencl_by(device, &job, &way);
        m.fail_at = 0;
        for (uint32_t b = 0; b < plan.op[0].n_bins && status != RUG_OK; b++)
            assert_int_equal(job.counts[0][b], 0);
        rugi_lbp_plan_free(device, &plan);
        rug_context_free(device);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        if (status == RUG_OK)
            break;
        assert_int_equal(status, RUG_E_NOMEM);
        assert_true(k < 100);
    }
    rug_context_free(ctx);
}

/* Parts that a device counts: columns that lie beside their own have no code. */
static void parts(void **state)
{
    (void)state;
    rug_context *ctx = test_context(), *device = ocl_context();
    static uint8_t pixels[30 * 150];
    uint64_t rng = 3;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)test_below(&rng, 5);
    rug_image img = test_u8(pixels, 0, 30, 150);
    const size_t first[2] = {0, 0}, own[2][2] = {{0, 0}, {0, 67}};
    const size_t n[2][2] = {{30, 67}, {30, 83}};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_result *whole, *result;
    rug_lbp_parts *p;
    assert_int_equal(rug_lbp(ctx, &whole, &img, &opts), RUG_OK);
    assert_int_equal(rug_lbp_parts_new(device, &p, RUG_U8, 2, img.shape, &opts), RUG_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            rug_lbp_parts_add(device, p, &img, NULL, NULL, first, own[i], n[i]), RUG_OK);
    assert_int_equal(rug_lbp_parts_finish(device, &result, p), RUG_OK);
    assert_true(strncmp(rug_lbp_get_facts(result)->engine, "opencl", 6) == 0);
    assert_memory_equal(rug_lbp_at(result, 0)->bins, rug_lbp_at(whole, 0)->bins,
                        10 * sizeof(uint64_t));
    rug_lbp_free(result);
    rug_lbp_free(whole);
    rug_lbp_parts_free(p);
    rug_context_free(device);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_truths),  cmocka_unit_test(groups_of_all_shapes),
        cmocka_unit_test(random_jobs),   cmocka_unit_test(circles_of_all_sizes),
        cmocka_unit_test(many_bins),     cmocka_unit_test(wide_images),
        cmocka_unit_test(public_calls),  cmocka_unit_test(cancelled),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
