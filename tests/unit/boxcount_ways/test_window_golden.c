/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size of real images and volumes against tables that were made with
 * numpy. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "golden_support.h"
#include "window_support.h"
#include <rugose/io.h>

#define MAX_ROWS 64

static long long number(const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    assert_true(end != text && *end == '\0');
    return value;
}

/* The rows of one file. */
typedef struct wanted {
    char name[64];
    uint32_t n;
    uint64_t sizes[MAX_ROWS];
    long long boxes[MAX_ROWS], nonempty[MAX_ROWS], least[MAX_ROWS]; /* -1: not given */
} wanted;

/* Reads the rows of the next file of a table; `row` is the first of them, then that of
 * the file behind it. Returns 0 when there was none. */
static int next_file(FILE *table, golden_row *row, int *is_left, wanted *w)
{
    memset(w, 0, sizeof *w);
    while (*is_left && (w->n == 0 || strcmp(w->name, row->field[0]) == 0)) {
        int is_image = row->n == 5;
        assert_true(w->n < MAX_ROWS && (is_image || row->n == 3));
        snprintf(w->name, sizeof w->name, "%s", row->field[0]);
        w->sizes[w->n] = (uint64_t)number(row->field[1]);
        w->boxes[w->n] = is_image ? number(row->field[2]) : -1;
        w->nonempty[w->n] = number(row->field[is_image ? 3 : 2]);
        w->least[w->n++] = is_image ? number(row->field[4]) : -1;
        *is_left = golden_next(table, row);
    }
    return w->n > 0;
}

static void check_file(const wanted *w, const char *path, rug_boxcount_grid grid)
{
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    for (int level = 0; level <= RUG_CPU_MAX; level++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_boxcount_result *r =
            must_count_windows(ctx, rug_file_image(file), grid, w->n, w->sizes);
        for (uint32_t i = 0; i < w->n; i++) {
            if (r->counts[i].nonempty != (uint64_t)w->nonempty[i])
                fail_msg("%s, size %d: %d nonempty, %d expected", w->name,
                         (int)w->sizes[i], (int)r->counts[i].nonempty,
                         (int)w->nonempty[i]);
            if (grid != RUG_BOXCOUNT_GRID_ORIGIN && w->least[i] >= 0)
                assert_int_equal(r->positions[i].least, w->least[i]);
        }
        free(r);
    }
    rug_file_free(file);
    rug_context_free(ctx);
}

/* Files of a table that lie in a folder. Returns how many. */
static int check_table(const char *name, int n_fields, const char *ending,
                       const char *folder, int shared, rug_boxcount_grid grid)
{
    FILE *table = golden_open(name, "name", n_fields);
    golden_row row;
    wanted w;
    int n = 0, is_left = golden_next(table, &row);
    while (next_file(table, &row, &is_left, &w)) {
        char path[1024];
        int is_model =
            strncmp(w.name, "bunny", 5) == 0 || strncmp(w.name, "dragon", 6) == 0;
        if (is_model != shared)
            continue;
        snprintf(path, sizeof path, "%s/%s.%s", folder, w.name, ending);
        check_file(&w, path, grid);
        n++;
    }
    fclose(table);
    return n;
}

static void images(void **state)
{
    (void)state;
    assert_int_equal(
        check_table("anysize", 5, "png", RUGOSE_TEST_DATA, 0, RUG_BOXCOUNT_GRID_ORIGIN),
        12);
    assert_int_equal(
        check_table("anysize", 5, "png", RUGOSE_TEST_DATA, 0, RUG_BOXCOUNT_GRID_MEAN),
        12);
}

static void volumes(void **state)
{
    (void)state;
    assert_int_equal(check_table("anysize_3d", 3, "nii.gz", RUGOSE_TEST_DATA, 0,
                                 RUG_BOXCOUNT_GRID_ORIGIN),
                     2);
}

static void stanford_models(void **state)
{
    (void)state;
    char folder[1024];
    if (test_shared_data() == NULL) {
        print_message("LEFT OUT: a volume of the bunny and one of the dragon\n");
        skip();
    }
    snprintf(folder, sizeof folder, "%s/volumes", test_shared_data());
    assert_int_equal(
        check_table("anysize_3d", 3, "nii.gz", folder, 1, RUG_BOXCOUNT_GRID_ORIGIN), 2);
}

/* The Menger sponge of 243 pixels in boxes of 27: 20^2 of them where the grid fits; counts
 * at other positions are larger. */
static void menger_sponge(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 9, 27};
    static const uint64_t best[] = {3200000, 8000, 400};
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    if (rug_file_read(ctx, &file, test_data("menger_243.nii.gz"), NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rug_boxcount_result *r =
        must_count_windows(ctx, rug_file_image(file), RUG_BOXCOUNT_GRID_MIN, 3, sizes);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(r->counts[i].nonempty, best[i]);
        assert_int_equal(r->positions[i].least, best[i]);
        assert_int_equal(r->positions[i].shift[0] + r->positions[i].shift[1] +
                             r->positions[i].shift[2],
                         0);
    }
    free(r);
    rug_file_free(file);
    rug_context_free(ctx);
}

/* The lowest 512 pixels of the sponge, whose digits of three are 1 in at most one axis. The
 * least and most were found by another program, of intrinsics, that counts each position
 * by itself. */
static rugi_bits draw_sponge(rug_context *ctx)
{
    static const size_t shape[3] = {512, 512, 512};
    uint32_t ones[512] = {0}; /* bit k: digit k is 1 */
    for (uint32_t v = 0; v < 512; v++)
        for (uint32_t k = 0, rest = v; rest > 0; k++, rest /= 3)
            ones[v] |= (uint32_t)(rest % 3 == 1) << k;
    rugi_bits bits;
    assert_int_equal(rugi_bits_new(ctx, &bits, 3, shape, "packed pixels"), RUG_OK);
    for (size_t z = 0; z < 512; z++)
        for (size_t y = 0; y < 512; y++)
            for (size_t x = 0; x < 512; x++) {
                uint32_t two = (ones[z] & ones[y]) | (ones[x] & (ones[z] | ones[y]));
                rugi_bits_row(&bits, z, y)[x / 64] |= (uint64_t)(two == 0) << x % 64;
            }
    return bits;
}

static void large_sponge(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {3, 9, 27};
    static const uint64_t least[] = {892400, 44620, 2231},
                          most[] = {1627230, 84416, 4720};
    rug_context *ctx = test_context();
    rugi_bits bits = draw_sponge(ctx);
    rug_boxcount_result *r = new_result(RUG_BOXCOUNT_GRID_MEAN, 3, sizes);
    assert_int_equal(rugi_boxcount_window(ctx, r, &bits), RUG_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(r->counts[i].nonempty, least[i]);
        assert_int_equal(r->positions[i].least, least[i]);
        assert_int_equal(r->positions[i].most, most[i]);
    }
    free(r);
    rugi_bits_free(ctx, &bits);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),          cmocka_unit_test(volumes),
        cmocka_unit_test(stanford_models), cmocka_unit_test(menger_sponge),
        cmocka_unit_test(large_sponge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
