/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels have come, against a picture of them: many boxes of any length, scattered, joined,
 * merged, sorted. */

#include "support.h"

#include "core/blocks/cover.h"
#include <stdlib.h>
#include <string.h>

enum { NZ = 24, NY = 50, NX = 60, N = NZ * NY * NX };

/* An image in which pixels have come. */
typedef struct picture {
    uint8_t came[N];
    rugi_cover cover;
    uint64_t n_pixels;
} picture;

static void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static rugi_box random_box(uint64_t *rng)
{
    static const size_t shape[3] = {NZ, NY, NX};
    rugi_box box;
    for (int a = 0; a < 3; a++) {
        size_t most = test_below(rng, 8) == 0 ? shape[a] : 3;
        box.first[a] = test_below(rng, shape[a]);
        size_t n = 1 + test_below(rng, most);
        box.end[a] = box.first[a] + n < shape[a] ? box.first[a] + n : shape[a];
    }
    return box;
}

/* The pixels of a box that have come; makes the others come if asked to. */
static uint64_t count_box(picture *p, const rugi_box *box, int set)
{
    uint64_t n = 0;
    for (size_t z = box->first[0]; z < box->end[0]; z++)
        for (size_t y = box->first[1]; y < box->end[1]; y++)
            for (size_t x = box->first[2]; x < box->end[2]; x++) {
                uint8_t *pixel = &p->came[(z * NY + y) * NX + x];
                n += *pixel;
                *pixel |= (uint8_t)set;
            }
    return n;
}

static void add_box(rug_context *ctx, picture *p, const rugi_box *box)
{
    int is_new = count_box(p, box, 0) == 0;
    rug_status status = rugi_cover_add(ctx, &p->cover, *box);
    assert_int_equal(status, is_new ? RUG_OK : RUG_E_ARG);
    if (!is_new)
        return;
    count_box(p, box, 1);
    p->n_pixels += rugi_box_pixels(box);
    assert_int_equal(p->cover.n_pixels, p->n_pixels);
}

/* What two boxes share, counted. */
static void count_both(void *user, const rugi_box *both)
{
    *(uint64_t *)user += rugi_box_pixels(both);
}

static void check_boxes(rug_context *ctx, picture *p, uint64_t *rng)
{
    rugi_cover sorted;
    must(ctx, rugi_cover_sorted(ctx, &sorted, &p->cover, SIZE_MAX));
    for (int i = 0; i < 200; i++) {
        rugi_box box = random_box(rng);
        uint64_t expected = count_box(p, &box, 0), n = 0;
        assert_int_equal(rugi_cover_pixels(&p->cover, &box), expected);
        rugi_cover_each(&sorted, &box, count_both, &n);
        assert_int_equal(n, expected);
    }
    rugi_cover_free(ctx, &sorted);
}

static void random_boxes(void **state)
{
    (void)state;
    static picture a, b;
    rug_context *ctx = test_context();
    uint64_t rng = 7;
    for (int i = 0; i < 3000; i++) {
        rugi_box box = random_box(&rng);
        add_box(ctx, i % 3 == 0 ? &b : &a, &box);
    }
    check_boxes(ctx, &a, &rng);
    assert_in_range(a.cover.n, 300, 3000);
    int overlap = 0;
    for (size_t i = 0; i < N; i++)
        overlap |= a.came[i] & b.came[i];
    assert_int_equal(overlap, 1);
    uint64_t before = a.cover.n_pixels;
    assert_int_equal(rugi_cover_merge(ctx, &a.cover, &b.cover), RUG_E_ARG);
    assert_int_equal(a.cover.n_pixels, before);
    rugi_cover_free(ctx, &b.cover);
    for (int i = 0; i < 9000; i++) { /* b gets pixels that a does not have */
        rugi_box box = random_box(&rng);
        if (count_box(&a, &box, 0) == 0 && rugi_cover_add(ctx, &b.cover, box) == RUG_OK)
            a.n_pixels += rugi_box_pixels(&box);
    }
    must(ctx, rugi_cover_merge(ctx, &a.cover, &b.cover));
    assert_int_equal(a.cover.n_pixels, a.n_pixels);
    for (size_t i = 0; i < b.cover.n; i++)
        count_box(&a, &b.cover.boxes[i], 1);
    check_boxes(ctx, &a, &rng);
    rugi_cover_free(ctx, &a.cover);
    rugi_cover_free(ctx, &b.cover);
    rug_context_free(ctx);
}

/* The squares of a chessboard: no two join until the others come; then all are one box. */
static void chessboard(void **state)
{
    (void)state;
    enum { SIDE = 120 };
    rug_context *ctx = test_context();
    rugi_cover half[2] = {{0}, {0}};
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        size_t k = i * 7919 % (SIDE * SIDE), y = k / SIDE, x = k % SIDE;
        rugi_box square = {{0, 64 * y, 64 * x}, {1, 64 * y + 64, 64 * x + 64}};
        must(ctx, rugi_cover_add(ctx, &half[(y + x) % 2], square));
    }
    assert_int_equal(half[0].n, SIDE * SIDE / 2);
    assert_int_equal(half[1].n, SIDE * SIDE / 2);
    must(ctx, rugi_cover_merge(ctx, &half[0], &half[1]));
    assert_int_equal(half[0].n_pixels, (uint64_t)64 * 64 * SIDE * SIDE);
    rugi_cover sorted;
    must(ctx, rugi_cover_sorted(ctx, &sorted, &half[0], SIZE_MAX));
    assert_int_equal(sorted.n, 1);
    rugi_cover_free(ctx, &sorted);
    rugi_cover_free(ctx, &half[0]);
    rugi_cover_free(ctx, &half[1]);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_boxes),
        cmocka_unit_test(chessboard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
