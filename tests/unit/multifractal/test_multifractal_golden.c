/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Moments of real images, volumes and cascades against tables that were made with numpy,
 * and spectra of cascades against their exact laws. D of order 0 is the box-counting
 * dimension, bit for bit; D does not rise with the order. */

#include "support.h"

#include "boxcount_support.h"
#include "golden_support.h"
#include "masses_support.h"
#include <rugose/io.h>

/* What a table is of. */
typedef struct golden_file {
    const char *table, *file;
    rug_mass_of of;
    int is_shared; /* its image is in the shared data set only */
} golden_file;

#define GRAY RUG_MASS_OF_GRAY
#define SET  RUG_MASS_OF_FOREGROUND

static const golden_file files[] = {
    {"bin_camera_otsu", "bin_camera_otsu.png", SET, 0},
    {"bin_carpet_243", "bin_carpet_243.png", SET, 0},
    {"bin_retina_vessels", "bin_retina_vessels.png", SET, 0},
    {"bin_sierpinski_256", "bin_sierpinski_256.png", SET, 0},
    {"bin_uk_coast_2048", "bin_uk_coast_2048.png", SET, 0},
    {"cascade_0113_k8", "cascade_0113_k8.png", GRAY, 0},
    {"cascade_1234_k7", "cascade_1234_k7.png", GRAY, 0},
    {"cascade_1234_k7_shuffled", "cascade_1234_k7_shuffled.png", GRAY, 0},
    {"colin27_gm_mask", "colin27_gm_mask.nii.gz", SET, 0},
    {"grey_camera", "camera.png", GRAY, 0},
    {"menger_243", "menger_243.nii.gz", SET, 0},
    {"menger_81", "menger_81.nii.gz", SET, 0},
    {"mni152_gm_mask", "mni152_gm_mask.nii.gz", SET, 0},
    {"bunny_solid_128", "volumes/bunny_solid_128.nii.gz", SET, 1},
    {"bunny_surface_128", "volumes/bunny_surface_128.nii.gz", SET, 1},
    {"dragon_solid_128", "volumes/dragon_solid_128.nii.gz", SET, 1},
    {"dragon_surface_128", "volumes/dragon_surface_128.nii.gz", SET, 1},
    {"grey_retina_green", "images/retina_green.png", GRAY, 1},
};

#define N_FILES (sizeof files / sizeof *files)

/* Its columns from the third on; q1 is sum p ln p. */
#define N_ORDERS 12
static const double orders[N_ORDERS] = {-5, -3, -2, -1, 0, 0.5, 1, 1.5, 2, 3, 5, 10};

static FILE *open_table(const golden_file *f)
{
    char path[1024];
    golden_row head;
    if (f->is_shared)
        snprintf(path, sizeof path, "%s/golden/multifractal/%s.tsv", test_shared_data(),
                 f->table);
    else
        snprintf(path, sizeof path, "%s/golden/multifractal_%s.tsv", RUGOSE_TEST_DATA,
                 f->table);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    assert_true(golden_next(file, &head));
    assert_string_equal(head.field[2], "q-5");
    assert_int_equal(head.n, 2 + N_ORDERS);
    return file;
}

/* The entropy of Renyi (1961), ln Z / (1 - q), never rises with q, whatever the masses. */
static void check_entropies(const golden_file *f, const rug_moments *moments,
                            uint32_t n_sizes)
{
    for (uint32_t level = 0; level < n_sizes; level++) {
        double before = INFINITY;
        for (size_t k = 0; k < N_ORDERS; k++) {
            const rug_moments *m = &moments[k * n_sizes + level];
            double entropy = orders[k] == 1 ? -m->p_log_p : m->log_z / (1 - orders[k]);
            if (!(entropy <= before + 1e-12))
                fail_msg("%s, level %u: entropy %.17g of q = %g, and %.17g before it",
                         f->table, level, entropy, orders[k], before);
            before = entropy;
        }
    }
}

/* Tables are printed with 15 digits. */
static void check_moments(const golden_file *f, rug_context *ctx, rug_masses *m)
{
    rug_masses_facts facts;
    rug_masses_get_facts(m, &facts);
    rug_moments moments[N_ORDERS * 64];
    assert_int_equal(rug_multifractal_moments(ctx, moments, m, orders, N_ORDERS), RUG_OK);
    check_entropies(f, moments, facts.n_sizes);
    FILE *file = open_table(f);
    golden_row row;
    uint32_t level = 0;
    for (; golden_next(file, &row); level++) {
        assert_true(level < facts.n_sizes);
        assert_true(strtod(row.field[0], NULL) == (double)((uint64_t)1 << level));
        for (size_t k = 0; k < N_ORDERS; k++) {
            const rug_moments *r = &moments[k * facts.n_sizes + level];
            double golden = strtod(row.field[2 + k], NULL);
            double ours = orders[k] == 1 ? r->p_log_p : r->z;
            if (orders[k] == 0)
                assert_true(ours == golden && golden == strtod(row.field[1], NULL));
            if (fabs(ours - golden) > 1e-12 * fabs(golden))
                fail_msg("%s, level %u, q %g: %.17g, %.17g expected", f->table, level,
                         orders[k], ours, golden);
        }
    }
    fclose(file);
    assert_int_equal(level, facts.n_sizes);
}

/* The order 0 of a spectrum and the dimension of the support, over a range. */
static void check_dimension(const golden_file *f, rug_context *ctx, rug_masses *m,
                            const rug_boxcount_result *counts, int is_auto, uint64_t lo,
                            uint64_t hi)
{
    static const double zero = 0;
    rug_boxcount_fit_options theirs = RUG_BOXCOUNT_FIT_OPTIONS_INIT;
    rug_multifractal_fit_options ours = RUG_MULTIFRACTAL_FIT_OPTIONS_INIT;
    rug_boxcount_dimension d;
    rug_multifractal_order r;
    theirs.auto_range = ours.auto_range = is_auto;
    theirs.size_min = ours.size_min = lo;
    theirs.size_max = ours.size_max = hi;
    assert_int_equal(rug_boxcount_fit(ctx, &d, counts, &theirs), RUG_OK);
    assert_int_equal(rug_multifractal_fit(ctx, &r, m, &zero, 1, &ours), RUG_OK);
    if (memcmp(&d.dimension, &r.dimension, sizeof d.dimension) != 0 ||
        memcmp(&d.std_error, &r.dimension_error, sizeof d.std_error) != 0 ||
        memcmp(&d.r_squared, &r.r_squared, sizeof d.r_squared) != 0 ||
        d.size_min != r.size_min || d.size_max != r.size_max ||
        strcmp(d.status, r.status) != 0)
        fail_msg("%s, %llu..%llu: %.17g over %llu..%llu, %.17g over %llu..%llu expected",
                 f->table, (unsigned long long)lo, (unsigned long long)hi, r.dimension,
                 (unsigned long long)r.size_min, (unsigned long long)r.size_max,
                 d.dimension, (unsigned long long)d.size_min,
                 (unsigned long long)d.size_max);
}

/* Nor does D_q where masses have one law at all sizes. */
static void check_order(const golden_file *f, rug_context *ctx, rug_masses *m)
{
    rug_multifractal_order r[N_ORDERS];
    if (strncmp(f->table, "cascade", 7) != 0)
        return;
    assert_int_equal(rug_multifractal_fit(ctx, r, m, orders, N_ORDERS, NULL), RUG_OK);
    for (size_t k = 1; k < N_ORDERS; k++) {
        double room = r[k].dimension_error + r[k - 1].dimension_error + 1e-12;
        if (!(r[k].dimension <= r[k - 1].dimension + room))
            fail_msg("%s: D of q = %g is %.17g, of %g %.17g", f->table, orders[k],
                     r[k].dimension, orders[k - 1], r[k - 1].dimension);
    }
}

static void check_masked(const golden_file *f, rug_context *ctx, const rug_image *img)
{
    size_t n = (size_t)rug_image_pixels(img);
    uint8_t *inside = calloc(n, 1);
    assert_non_null(inside);
    for (size_t i = n / 5; i < n - n / 7; i++)
        inside[i] = i % 1021 > 300;
    rug_image mask = test_u8(inside, img->ndim == 3 ? img->shape[0] : 0,
                             img->shape[img->ndim - 2], img->shape[img->ndim - 1]);
    rug_boxcount_options count = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    rug_boxcount_result counts;
    opts.of = f->of;
    opts.mask = count.mask = &mask;
    if (f->of == GRAY)
        count.foreground.kind = RUG_FOREGROUND_NONZERO;
    assert_int_equal(rug_boxcount(ctx, &counts, img, &count), RUG_OK);
    rug_masses *m = must_measure(ctx, img, &opts);
    check_dimension(f, ctx, m, &counts, 0, 0, 0);
    check_dimension(f, ctx, m, &counts, 1, 0, 0);
    rug_masses_free(m);
    free(inside);
}

static void check_file(const golden_file *f, const char *folder)
{
    char path[1024];
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, f->file);
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_image *img = rug_file_image(file);
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    opts.of = f->of;
    rug_masses *m = must_measure(ctx, img, &opts);
    check_moments(f, ctx, m);
    rug_foreground rule = {f->of == SET ? RUG_FOREGROUND_AUTO : RUG_FOREGROUND_NONZERO, 0,
                           0};
    rug_boxcount_result counts = must_count(ctx, img, rule);
    check_dimension(f, ctx, m, &counts, 0, 0, 0);
    check_dimension(f, ctx, m, &counts, 1, 0, 0);
    check_dimension(f, ctx, m, &counts, 0, 2, 16);
    check_dimension(f, ctx, m, &counts, 0, 64, 64);
    check_masked(f, ctx, img);
    check_order(f, ctx, m);
    rug_masses_free(m);
    rug_file_free(file);
    rug_context_free(ctx);
}

static void files_of_the_tree(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FILES; i++)
        if (!files[i].is_shared)
            check_file(&files[i], RUGOSE_TEST_DATA);
}

static void files_of_the_shared_data(void **state)
{
    (void)state;
    const char *folder = test_shared_data();
    if (folder == NULL) {
        print_message("LEFT OUT: bunny, dragon and retina\n");
        skip();
    }
    for (size_t i = 0; i < N_FILES; i++)
        if (files[i].is_shared)
            check_file(&files[i], folder);
}

/* Tables of 12 digits, of all sizes that the cascade has. */
static void check_exact(const char *name)
{
    char table[100], path[256];
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    golden_row row;
    rug_multifractal_order r;
    rug_multifractal_fit_options opts = RUG_MULTIFRACTAL_FIT_OPTIONS_INIT;
    snprintf(path, sizeof path, "%s.png", name);
    if (rug_file_read(ctx, &file, test_data(path), NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_masses *m = must_measure(ctx, rug_file_image(file), NULL);
    opts.size_max = rug_file_image(file)->shape[0];
    snprintf(table, sizeof table, "multifractal_%s_exact", name);
    FILE *golden = golden_open(table, "q", 5);
    int n = 0;
    for (; golden_next(golden, &row); n++) {
        double q = strtod(row.field[0], NULL);
        assert_int_equal(rug_multifractal_fit(ctx, &r, m, &q, 1, &opts), RUG_OK);
        const double got[] = {r.tau, r.dimension, r.alpha, r.f};
        for (int i = 0; i < 4; i++)
            assert_within(got[i], strtod(row.field[1 + i], NULL),
                          1e-10 * (1 + fabs(got[i])), name);
        assert_string_equal(r.status, "ok");
    }
    assert_true(n >= 10);
    fclose(golden);
    rug_masses_free(m);
    rug_file_free(file);
    rug_context_free(ctx);
}

static void exact_cascades(void **state)
{
    (void)state;
    check_exact("cascade_0113_k8");
    check_exact("cascade_1234_k7");
    check_exact("cascade_1234_k7_shuffled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_the_tree),
        cmocka_unit_test(files_of_the_shared_data),
        cmocka_unit_test(exact_cascades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
