/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: states of counts in parts (docs/states.md), as they are and with head, length and
 * checksum put right, so that what lies behind these is reached. What is accepted saves, loads
 * and saves to the same bytes, merges, and finishes where the image is small. */

#include "fuzz_file.h"
#include <rugose/alpha_parts.h>
#include <rugose/boxcount_parts.h>
#include <rugose/dbc_parts.h>
#include <rugose/glcm_parts.h>
#include <rugose/lacunarity_parts.h>
#include <rugose/lbp_parts.h>
#include <rugose/multifractal.h>
#include <rugose/points_parts.h>
#include <rugose/values.h>
#include <string.h>

enum { METHOD = 12, LENGTH = 16, HEAD = 40, CRC = 4 };

/* Pixels of an image that is finished, and bytes of a block of memory. */
#define PIXELS_MAX (1u << 16)
#define BYTES_MAX  ((size_t)1 << 26)

static void put(uint8_t *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* The method of a number; that of other numbers is one of them, too. */
static uint64_t some_method(uint8_t number)
{
    static const uint8_t methods[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t i = 0; i < sizeof methods; i++)
        if (methods[i] == number)
            return number;
    return methods[number % sizeof methods];
}

static void mend(uint8_t *bytes, size_t n)
{
    if (n < HEAD + CRC)
        return;
    memcpy(bytes, "\x89RGS\r\n\x1a\n\1\0\0\0", METHOD);
    put(bytes + METHOD, some_method(bytes[METHOD]), 4);
    put(bytes + LENGTH, n, 8);
    put(bytes + n - CRC, fuzz_crc(bytes, n - CRC), CRC);
}

static void check_error(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK && status != RUG_E_FORMAT && status != RUG_E_ARG &&
        status != RUG_E_NOMEM)
        abort();
    fuzz_check_error(ctx, status);
}

static void check_same(rug_context *ctx, uint8_t *a, size_t n_a, uint8_t *b, size_t n_b)
{
    if (n_a != n_b || memcmp(a, b, n_a) != 0)
        abort();
    rug_context_release(ctx, a);
    rug_context_release(ctx, b);
}

/* Whether the image that a state is of, which was accepted, is small. */
static int is_small(const uint8_t *bytes)
{
    const uint8_t *at = bytes + HEAD;
    uint64_t n_pixels = 1;
    for (int n_axes = *at++; n_axes > 0 && n_pixels <= PIXELS_MAX; n_axes--) {
        uint64_t size = 0;
        for (int shift = 0;; shift += 7) {
            size |= (uint64_t)(*at & 127) << shift;
            if (*at++ < 128)
                break;
        }
        n_pixels = size > PIXELS_MAX ? size : n_pixels * size;
    }
    return n_pixels <= PIXELS_MAX;
}

static void use_boxes(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_boxcount_parts *p, *again;
    rug_boxcount_result *counts = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_boxcount_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_boxcount_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_boxcount_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_boxcount_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (is_small(bytes))
        check_error(ctx, rug_boxcount_parts_finish(ctx, &counts, p));
    rug_boxcount_free(counts);
    check_error(ctx, rug_boxcount_merge(ctx, p, again));
    rug_boxcount_parts_free(p);
    rug_boxcount_parts_free(again);
}

static void use_masses(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    static const double orders[3] = {-1, 0, 2};
    rug_masses *m, *again;
    rug_multifractal_result *fit = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_masses_load(ctx, &m, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_masses_save(ctx, &saved, &n_saved, m) != RUG_OK ||
        rug_masses_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_masses_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (rug_masses_get_facts(m)->n_set > rug_masses_get_facts(m)->n_pixels)
        abort();
    if (is_small(bytes))
        check_error(ctx, rug_multifractal_fit(ctx, &fit, m, orders, 3, NULL));
    rug_multifractal_free(fit);
    check_error(ctx, rug_masses_merge(ctx, m, again));
    rug_masses_free(m);
    rug_masses_free(again);
}

static void use_lacunarity(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_lacunarity_parts *p, *again;
    rug_lacunarity_result *result = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_lacunarity_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_lacunarity_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_lacunarity_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_lacunarity_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (is_small(bytes))
        check_error(ctx, rug_lacunarity_parts_finish(ctx, &result, p));
    rug_lacunarity_free(result);
    check_error(ctx, rug_lacunarity_merge(ctx, p, again));
    rug_lacunarity_parts_free(p);
    rug_lacunarity_parts_free(again);
}

static void use_patterns(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_lbp_parts *p, *again;
    rug_lbp_result *result = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_lbp_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_lbp_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_lbp_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_lbp_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    check_error(ctx, rug_lbp_parts_finish(ctx, &result, p));
    rug_lbp_free(result);
    check_error(ctx, rug_lbp_merge(ctx, p, again));
    rug_lbp_parts_free(p);
    rug_lbp_parts_free(again);
}

static void use_alpha(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_alpha_parts *p, *again;
    rug_alpha_result *result = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_alpha_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_alpha_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_alpha_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_alpha_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (is_small(bytes))
        check_error(ctx, rug_alpha_parts_finish(ctx, &result, p));
    rug_alpha_free(result);
    check_error(ctx, rug_alpha_merge(ctx, p, again));
    rug_alpha_parts_free(p);
    rug_alpha_parts_free(again);
}

/* Co-occurrence has bounds of its own. */
static void check_error_of_pairs(rug_context *ctx, rug_status status)
{
    if (status == RUG_E_UNSUPPORTED)
        fuzz_check_error(ctx, status);
    else
        check_error(ctx, status);
}

static rug_status count_rows(void *user, const rug_glcm_row *row)
{
    ++*(size_t *)user;
    return row->n_features == RUG_GLCM_N_FEATURES ? RUG_OK : RUG_E_FORMAT;
}

static void use_pairs(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_glcm_parts *p, *again;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again, n_rows = 0;
    rug_status status = rug_glcm_parts_load(ctx, &p, bytes, n);
    check_error_of_pairs(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_glcm_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_glcm_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_glcm_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (is_small(bytes))
        check_error_of_pairs(ctx, rug_glcm_parts_finish(ctx, p, count_rows, &n_rows));
    check_error_of_pairs(ctx, rug_glcm_merge(ctx, p, again));
    rug_glcm_parts_free(p);
    rug_glcm_parts_free(again);
}

/* Cells take bytes, so that there are few. */
static void use_points(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_points_parts *p, *again;
    rug_boxcount_result *counts;
    rug_masses *m;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_points_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_points_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_points_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_points_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    check_error(ctx, rug_points_parts_boxcount(ctx, &counts, p, NULL));
    check_error(ctx, rug_points_parts_masses(ctx, &m, p));
    rug_boxcount_free(counts);
    rug_masses_free(m);
    check_error(ctx, rug_points_parts_merge(ctx, p, again));
    rug_points_parts_free(p);
    rug_points_parts_free(again);
}

static void use_values(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    static const rug_foreground otsu = {RUG_FOREGROUND_OTSU, 0, 0};
    rug_values *v, *again;
    rug_foreground rule;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    int unit;
    rug_status status = rug_values_load(ctx, &v, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_values_save(ctx, &saved, &n_saved, v) != RUG_OK ||
        rug_values_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_values_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    check_error(ctx, rug_values_resolve(ctx, &rule, v, otsu));
    check_error(ctx, rug_values_unit(ctx, &unit, v));
    check_error(ctx, rug_values_merge(ctx, v, again));
    rug_values_free(v);
    rug_values_free(again);
}

static void use_grey(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    rug_dbc_parts *p, *again;
    rug_dbc_result *result = NULL;
    uint8_t *saved, *saved_again;
    size_t n_saved, n_again;
    rug_status status = rug_dbc_parts_load(ctx, &p, bytes, n);
    check_error(ctx, status);
    if (status != RUG_OK)
        return;
    if (rug_dbc_parts_save(ctx, &saved, &n_saved, p) != RUG_OK ||
        rug_dbc_parts_load(ctx, &again, saved, n_saved) != RUG_OK ||
        rug_dbc_parts_save(ctx, &saved_again, &n_again, again) != RUG_OK)
        abort();
    check_same(ctx, saved, n_saved, saved_again, n_again);
    if (is_small(bytes))
        check_error(ctx, rug_dbc_parts_finish(ctx, &result, p));
    rug_dbc_free(result);
    check_error(ctx, rug_dbc_merge(ctx, p, again));
    rug_dbc_parts_free(p);
    rug_dbc_parts_free(again);
}

static void use(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    use_boxes(ctx, bytes, n);
    use_masses(ctx, bytes, n);
    use_lacunarity(ctx, bytes, n);
    use_patterns(ctx, bytes, n);
    use_alpha(ctx, bytes, n);
    use_pairs(ctx, bytes, n);
    use_points(ctx, bytes, n);
    use_values(ctx, bytes, n);
    use_grey(ctx, bytes, n);
}

/* Memory for inputs: none for what is large only in results, histograms of many labels. */
static void *allocate(void *user, size_t n_bytes, size_t alignment)
{
    (void)user;
    return n_bytes > BYTES_MAX ? NULL
                               : aligned_alloc(alignment, (n_bytes + alignment - 1) /
                                                              alignment * alignment);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

static rug_context *limited_context(void)
{
    static const rug_allocator limited = {allocate, release, NULL};
    static rug_context *ctx;
    if (ctx == NULL) {
        ctx = fuzz_context();
        rug_context_set_allocator(ctx, &limited);
    }
    return ctx;
}

FUZZ_MENDED_BY(mend)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = limited_context();
    uint8_t *copy = malloc(n + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, data, n);
    mend(copy, n);
    if (memcmp(copy, data, n) != 0)
        use(ctx, data, n);
    use(ctx, copy, n);
    free(copy);
    return 0;
}
