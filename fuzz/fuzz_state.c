/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: states of counts in parts (docs/states.md), as they are and with head, length and
 * checksum put right, so that what lies behind these is reached. What is accepted saves, loads
 * and saves to the same bytes, merges, and finishes where the image is small. */

#include "fuzz_file.h"
#include <rugose/boxcount_parts.h>
#include <rugose/glcm_parts.h>
#include <rugose/lacunarity_parts.h>
#include <rugose/multifractal.h>
#include <string.h>

enum { METHOD = 12, LENGTH = 16, HEAD = 40, CRC = 4 };

/* Pixels of an image that is finished. */
#define PIXELS_MAX (1u << 16)

static void put(uint8_t *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void mend(uint8_t *bytes, size_t n)
{
    if (n < HEAD + CRC)
        return;
    static const uint8_t methods[] = {1, 2, 3, 7};
    memcpy(bytes, "\x89RGS\r\n\x1a\n\1\0\0\0", METHOD);
    uint8_t given = bytes[METHOD], method = methods[given % sizeof methods];
    put(bytes + METHOD, memchr(methods, given, sizeof methods) != NULL ? given : method,
        4);
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

static void use(rug_context *ctx, const uint8_t *bytes, size_t n)
{
    use_boxes(ctx, bytes, n);
    use_masses(ctx, bytes, n);
    use_lacunarity(ctx, bytes, n);
    use_pairs(ctx, bytes, n);
}

FUZZ_MENDED_BY(mend)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
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
