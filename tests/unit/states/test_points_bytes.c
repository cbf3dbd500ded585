/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points in parts as bytes: damaged, cut, and made by someone else they are refused or are states
 * that save, load and finish; memory that runs out, and cancelling. */

#include "support.h"

#include "box_points_support.h"
#include "core/context/crc.h"
#include "memory_support.h"
#include "points_parts_support.h"

enum { HEAD = 40, CRC = 4 };

/* ---- Bytes of others ---- */

/* Bytes of two parts: 0 numbered integers, 1 reals in a resolution, 2 reals by a spacing, 3 none. */
static uint8_t *some_state(rug_context *ctx, size_t *n, int kind)
{
    static set s;
    uint64_t rng = 5;
    uint8_t *bytes;
    s.points = points_view(s.real, kind == 0 ? RUG_I16 : RUG_F64, 40, 1 + kind);
    for (size_t i = 0; i < 40 * (size_t)s.points.ndim; i++)
        set_coordinate(&s, i, (double)test_below(&rng, 200) / (kind == 0 ? 1 : 8) - 12);
    s.opts = (rug_points_parts_options)RUG_POINTS_PARTS_OPTIONS_INIT;
    s.range = (rug_points_range)RUG_POINTS_RANGE_INIT;
    must(ctx, rug_points_measure_range(ctx, &s.range, &s.points));
    s.opts.range = &s.range;
    s.opts.n_points = kind == 0 ? 60 : 0;
    s.opts.spacing = kind >= 2 ? 0.5 : 0;
    rug_points_parts *p = begin(ctx, &s);
    for (size_t i = 0; i < 40 && kind < 3; i += 25)
        add(ctx, p, &s, i, i + 15);
    must(ctx, rug_points_parts_save(ctx, &bytes, n, p));
    rug_points_parts_free(p);
    return bytes;
}

static void assert_refused(rug_context *ctx, const uint8_t *bytes, size_t n, size_t at)
{
    rug_points_parts *p;
    rug_status status = rug_points_parts_load(ctx, &p, bytes, n);
    if (status != RUG_E_FORMAT || rug_context_error(ctx)[0] == '\0')
        fail_msg("at %zu: status %d, %s", at, (int)status, rug_context_error(ctx));
    assert_null(p);
}

static void damaged(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t rng = 1;
    for (int i = 0; i < 4; i++) {
        size_t n;
        uint8_t *bytes = some_state(ctx, &n, i);
        for (size_t at = 0; at < n; at++) {
            uint8_t was = bytes[at], *cut = malloc(at + 1); /* for the address checker */
            assert_non_null(cut);
            bytes[at] ^= (uint8_t)(1 + test_below(&rng, 255));
            assert_refused(ctx, bytes, n, at);
            bytes[at] = was;
            memcpy(cut, bytes, at);
            assert_refused(ctx, cut, at, at);
            free(cut);
        }
        rug_context_release(ctx, bytes);
    }
    rug_context_free(ctx);
}

/* Puts length and checksum right. */
static void mend(uint8_t *bytes, size_t n)
{
    uint32_t crc;
    for (int i = 0; i < 8; i++)
        bytes[16 + i] = (uint8_t)((uint64_t)n >> 8 * i);
    crc = rugi_crc(bytes, n - CRC);
    for (int i = 0; i < CRC; i++)
        bytes[n - CRC + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

/* What was accepted is a state: its bytes are these, and it has results, or says why not. */
static void assert_sound(rug_context *ctx, rug_points_parts *p)
{
    uint8_t *bytes;
    size_t n;
    rug_boxcount_result *counts;
    rug_masses *m;
    rug_points_parts *again;
    must(ctx, rug_points_parts_save(ctx, &bytes, &n, p));
    must(ctx, rug_points_parts_load(ctx, &again, bytes, n));
    assert_same_bytes(ctx, p, again);
    rug_status status = rug_points_parts_boxcount(ctx, &counts, p, NULL);
    assert_true(status == RUG_OK || status == RUG_E_ARG);
    status = rug_points_parts_masses(ctx, &m, p);
    assert_true(status == RUG_OK || status == RUG_E_ARG);
    status = rug_points_parts_merge(ctx, p, again);
    assert_true(status == RUG_OK || status == RUG_E_ARG);
    rug_boxcount_free(counts);
    rug_masses_free(m);
    rug_points_parts_free(p);
    rug_points_parts_free(again);
    rug_context_release(ctx, bytes);
}

/* A few bytes are others, some are gone. */
static void changed_by_others(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t rng = 2;
    int n_accepted = 0;
    for (int i = 0; i < 4 * TEST_CASES(500); i++) {
        size_t n, n_body;
        uint8_t *bytes = some_state(ctx, &n, i % 4);
        for (uint64_t k = 1 + test_below(&rng, 3); k > 0; k--) {
            size_t at = HEAD + test_below(&rng, n - HEAD - CRC);
            bytes[at] =
                (uint8_t)(test_below(&rng, 2) > 0 ? bytes[at] + test_below(&rng, 3) - 1
                                                  : test_below(&rng, 256));
        }
        n_body = test_below(&rng, 4) > 0 ? n : n - 1 - test_below(&rng, 4);
        mend(bytes, n_body);
        rug_points_parts *p;
        rug_status status = rug_points_parts_load(ctx, &p, bytes, n_body);
        if (status == RUG_OK) {
            n_accepted++;
            assert_sound(ctx, p);
        } else {
            assert_int_equal(status, RUG_E_FORMAT);
        }
        rug_context_release(ctx, bytes);
    }
    assert_in_range(n_accepted, 1, 4 * TEST_CASES(500) * 3 / 4);
    rug_context_free(ctx);
}

static void other_states(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    size_t n;
    uint8_t *bytes = some_state(ctx, &n, 0);
    rug_points_parts *p;
    rug_masses *m;
    refused(ctx, rug_masses_load(ctx, &m, bytes, n), RUG_E_FORMAT,
            "state of points given, of masses expected");
    bytes[12] = 2;
    mend(bytes, n);
    refused(ctx, rug_points_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "state of masses given, of points expected");
    bytes[12] = 9;
    bytes[HEAD] = 11;
    mend(bytes, n);
    refused(ctx, rug_points_parts_load(ctx, &p, bytes, n), RUG_E_FORMAT,
            "axes 11 given, at most 10 expected");
    refused(ctx, rug_points_parts_load(ctx, &p, NULL, 0), RUG_E_ARG, "NULL given");
    rug_context_release(ctx, bytes);
    refused(ctx, rug_points_parts_save(ctx, &bytes, &n, NULL), RUG_E_ARG, "NULL given");
    assert_null(bytes);
    rug_context_free(ctx);
}

/* ---- Memory that runs out, and cancelling ---- */

/* Adds two parts, merges, saves, loads, and finishes. */
static rug_status go_through(rug_context *ctx, const set *s)
{
    rug_points_parts *p[3] = {NULL};
    rug_boxcount_result *counts = NULL;
    rug_masses *m = NULL;
    uint8_t *bytes = NULL;
    size_t n;
    rug_points part[3] = {part_of(&s->points, 0, 20), part_of(&s->points, 20, 22),
                          part_of(&s->points, 22, 40)};
    rug_status status = RUG_OK;
    for (size_t i = 0; i < 2 && status == RUG_OK; i++)
        status =
            rug_points_parts_new(ctx, &p[i], s->points.dtype, s->points.ndim, &s->opts);
    for (size_t i = 0; i < 3 && status == RUG_OK; i++)
        status = rug_points_parts_add(ctx, p[i / 2], &part[i],
                                      i == 0   ? 0
                                      : i == 1 ? 20
                                               : 22);
    if (status == RUG_OK)
        status = rug_points_parts_merge(ctx, p[0], p[1]);
    if (status == RUG_OK)
        status = rug_points_parts_save(ctx, &bytes, &n, p[0]);
    if (status == RUG_OK)
        status = rug_points_parts_load(ctx, &p[2], bytes, n);
    if (status == RUG_OK)
        status = rug_points_parts_boxcount(ctx, &counts, p[2], NULL);
    if (status == RUG_OK)
        status = rug_points_parts_masses(ctx, &m, p[2]);
    rug_boxcount_free(counts);
    rug_masses_free(m);
    rug_context_release(ctx, bytes);
    for (size_t i = 0; i < 3; i++)
        rug_points_parts_free(p[i]);
    return status;
}

static void make_some(set *s)
{
    s->points = points_view(s->real, RUG_F64, 40, 2);
    s->opts = (rug_points_parts_options)RUG_POINTS_PARTS_OPTIONS_INIT;
    s->opts.spacing = 1;
    s->opts.n_points = 40;
    for (size_t i = 0; i < 80; i++)
        set_coordinate(s, i, (double)(i * i % 37));
}

static void failing_memory(void **unused)
{
    (void)unused;
    static set s;
    rug_status status = RUG_E_NOMEM;
    make_some(&s);
    for (size_t k = 1; status == RUG_E_NOMEM; k++) {
        rug_context *ctx = test_context();
        memory m = {.fail_at = k};
        rug_context_set_threads(ctx, 1);
        memory_hook(ctx, &m);
        status = go_through(ctx, &s);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_in_range(k, 1, 400);
    }
}

/* Cancels from the time on that `left` is 0. */
static int countdown(void *user)
{
    int *left = user;
    return *left == 0 || --*left == 0;
}

static void cancelled(void **unused)
{
    (void)unused;
    static set s;
    rug_status status = RUG_E_CANCELLED;
    int k = 0;
    make_some(&s);
    for (; status == RUG_E_CANCELLED; k++) {
        rug_context *ctx = test_context();
        int left = k + 1;
        rug_context_set_threads(ctx, 1);
        rug_context_set_cancel(ctx, countdown, &left);
        status = go_through(ctx, &s);
        rug_context_free(ctx);
    }
    assert_int_equal(status, RUG_OK);
    assert_in_range(k, 10, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged),      cmocka_unit_test(changed_by_others),
        cmocka_unit_test(other_states), cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
