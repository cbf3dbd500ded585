/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The least error of every range, and the quality of whole images, as another program
 * found them; the paper's modes at full size. */

#include "support.h"

#include "golden_support.h"
#include "ifs_paper_support.h"

/* A hundred thousandth of a percent, or as much in absolute terms. */
static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (fabs(b) > 1 ? fabs(b) : 1);
}

/* Reached, and not beaten; and what a transform says that it leaves is what it leaves. */
static void assert_ranges(rug_context *ctx, FILE *table, const gray *g)
{
    rug_ifs_options opts = paper_options(RUG_IFS_FIXED, 8, 8);
    rug_ifs_code *code = must_find(ctx, &g->img, &opts);
    double *pixels = doubles_of(g);
    golden_row row;
    size_t i = 0;
    for (; golden_next(table, &row); i++) {
        const rug_ifs_transform *t = rug_ifs_code_at(code, i);
        assert_non_null(t);
        assert_int_equal(atoi(row.field[0]), i);
        if (!is_near(t->error, atof(row.field[1])))
            fail_msg("range %zu has error %.10g, not %s", i, t->error, row.field[1]);
        assert_true(is_near(naive_error(t, pixels, g->ny, g->nx), t->error));
        assert_true(t->s >= -1 && t->s <= 1);
    }
    assert_int_equal(i, rug_ifs_code_count(code));
    free(pixels);
    rug_ifs_code_free(code);
}

static gray camera256(rug_context *ctx)
{
    gray camera = read_gray(ctx, test_data("camera.png")), half = halve(&camera);
    free(camera.pixels);
    return half;
}

static void ranges_of_camera(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    gray g = camera256(ctx);
    FILE *table = golden_open("ifs_ranges_camera256", "range", 7);
    assert_ranges(ctx, table, &g);
    fclose(table);
    free(g.pixels);
    rug_context_free(ctx);
}

/* Camera 512 x 512 with ranges of 4 and a step of 16, after 24 iterations. */
static void quality_of_camera(void **state)
{
    (void)state;
    static const double expected[2] = {32.63, 34.95};
    rug_context *ctx = test_context();
    gray g = read_gray(ctx, test_data("camera.png"));
    for (int k = 0; k < 2; k++) {
        rug_ifs_options opts =
            paper_options(k == 0 ? RUG_IFS_FIXED : RUG_IFS_OVERLAP, 4, 16);
        rug_ifs_code *code = must_find(ctx, &g.img, &opts);
        rug_ifs_picture p = must_iterate(ctx, code, 1, 24);
        double quality = psnr(p.pixels, g.pixels, g.ny * g.nx);
        if (fabs(quality - expected[k]) > 0.01)
            fail_msg("%g dB, not %g", quality, expected[k]);
        rug_context_release(ctx, p.pixels);
        rug_ifs_code_free(code);
    }
    free(g.pixels);
    rug_context_free(ctx);
}

/* An image of the tables from the shared data set; NULL pixels when it is not known. */
static gray shared_image(rug_context *ctx, const char *name)
{
    char path[1024];
    int is_kodim = strncmp(name, "kodim23", 7) == 0;
    snprintf(path, sizeof path, "%s/images/%s", test_shared_data(),
             is_kodim                       ? "kodim23_grey.png"
             : strcmp(name, "xray256") == 0 ? "xray256.pgm"
                                            : "camera256.pgm");
    gray g = read_gray(ctx, path);
    if (is_kodim) {
        gray part = cut(&g, (g.ny - 256) / 2, (g.nx - 256) / 2, 256, 256);
        free(g.pixels);
        return part;
    }
    return g;
}

static FILE *shared_table(const char *name)
{
    char path[1024];
    golden_row head;
    snprintf(path, sizeof path, "%s/golden/fractal/%s.tsv", test_shared_data(), name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    assert_true(golden_next(file, &head));
    return file;
}

static void shared_ranges(void **state)
{
    (void)state;
    static const char *const names[] = {"camera256", "xray256", "kodim23_grey"};
    if (test_shared_data() == NULL)
        skip();
    for (int i = 0; i < 3; i++) {
        char table[64];
        rug_context *ctx = test_context();
        gray g = shared_image(ctx, names[i]);
        snprintf(table, sizeof table, "ranges_%s_n8_step8", names[i]);
        FILE *file = shared_table(table);
        assert_ranges(ctx, file, &g);
        fclose(file);
        free(g.pixels);
        rug_context_free(ctx);
    }
}

/* The collage of each row to 0.001 dB. The decoded image hangs on which of several equal
 * transforms was taken, but for steps that leave few. */
static void assert_collage(rug_context *ctx, const golden_row *row)
{
    gray g = shared_image(ctx, row->field[0]);
    rug_ifs_options opts = paper_options(RUG_IFS_FIXED, (uint32_t)atoi(row->field[1]),
                                         (uint32_t)atoi(row->field[2]));
    opts.scale_max = atof(row->field[3]);
    rug_ifs_code *code = must_find(ctx, &g.img, &opts);
    rug_ifs_picture p = must_iterate(ctx, code, 1, 30);
    size_t n = rug_ifs_code_count(code);
    assert_int_equal(n, atoi(row->field[4]));
    double sse = 0;
    for (size_t i = 0; i < n; i++)
        sse += rug_ifs_code_at(code, i)->error;
    double collage = 10 * log10(255.0 * 255 * 65536 / sse);
    double decoded = psnr(p.pixels, g.pixels, 65536);
    if (fabs(collage - atof(row->field[7])) > 1e-6)
        fail_msg("%s %s %s: collage %.9g dB, not %s", row->field[0], row->field[1],
                 row->field[2], collage, row->field[7]);
    double bound = opts.domain_step >= 8 && opts.range_size <= 8 ? 0.01 : 0.05;
    if (fabs(decoded - atof(row->field[8])) > bound)
        fail_msg("%s %s %s: decoded %.9g dB, not %s", row->field[0], row->field[1],
                 row->field[2], decoded, row->field[8]);
    rug_context_release(ctx, p.pixels);
    rug_ifs_code_free(code);
    free(g.pixels);
}

static void shared_collages(void **state)
{
    (void)state;
    golden_row row;
    if (test_shared_data() == NULL)
        skip();
    rug_context *ctx = test_context();
    FILE *file = shared_table("collage");
    while (golden_next(file, &row))
        assert_collage(ctx, &row);
    fclose(file);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_camera), cmocka_unit_test(quality_of_camera),
        cmocka_unit_test(shared_ranges), cmocka_unit_test(shared_collages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
