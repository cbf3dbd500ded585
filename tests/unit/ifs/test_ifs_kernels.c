/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The screen of the exact search, level by level: no score is further from the exact gain
 * than the margin that the search allows for, and floors are kept. */

#include "support.h"

#include "ifs/search/ifs_search_engine.h"
#include "ifs/search_cpu/ifs_kernels.h"
#include "ifs_search_support.h"

#define SEED 19920301

/* A level's kernels; 0 when it is not there. */
static int get_kernels(rugi_ifs_kernels *out, rug_context *ctx, rug_cpu_level level)
{
    rugi_ifs_set_kernels_ref(out);
    if (rug_context_cpu_level(ctx) < level)
        return 0;
#ifdef RUGI_HAVE_X86_KERNELS
    if (level == RUG_CPU_AVX2)
        rugi_ifs_set_kernels_avx2(out);
    if (level == RUG_CPU_AVX512)
        rugi_ifs_set_kernels_avx512(out);
#endif
    return 1;
}

/* Three of the ranges and two tiles of domains, in the basis. */
typedef struct blocks {
    rugi_ifs_search_plan plan;
    size_t first; /* of the ranges */
    _Alignas(64) float tiles[2 * 1024 * RUGI_IFS_LANES];
    _Alignas(64) float ranges[1024 * RUGI_IFS_RANGES];
} blocks;

static void make_blocks(blocks *b)
{
    static float lanes[1024 * RUGI_IFS_LANES];
    const size_t n = b->plan.basis.n;
    for (size_t t = 0; t < 2; t++)
        rugi_ifs_make_tile(&b->plan, b->tiles + t * n * RUGI_IFS_LANES,
                           t * RUGI_IFS_LANES);
    rugi_ifs_make_ranges(&b->plan, lanes, b->first);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < RUGI_IFS_RANGES; i++)
            b->ranges[k * RUGI_IFS_RANGES + i] = lanes[k * RUGI_IFS_LANES + i];
}

static void assert_scores(const blocks *b, const rugi_ifs_screen *s, size_t tile,
                          const char *what)
{
    for (size_t i = 0; i < RUGI_IFS_RANGES; i++) {
        const rugi_ifs_range *range = &b->plan.ranges[b->first + i];
        double norm2 = (double)range->norm2 / b->plan.basis.n;
        for (size_t lane = 0; lane < RUGI_IFS_LANES; lane++) {
            size_t domain = tile * RUGI_IFS_LANES + lane;
            if (domain >= b->plan.n_domains) {
                assert_true(s->scores[i][lane] == 0);
                continue;
            }
            rugi_ifs_best best = {.found = 0};
            assert_true(rugi_ifs_try(&b->plan, range, &best, b->plan.domains[domain]));
            double gain = rugi_ifs_gain(&b->plan, &best);
            double off = fabs((double)s->scores[i][lane] - gain) / norm2;
            if (off > b->plan.margin)
                fail_msg("%s size %u: score %.9g, gain %.9g: off by %g, more than %g",
                         what, b->plan.basis.size, (double)s->scores[i][lane], gain, off,
                         b->plan.margin);
        }
    }
}

static void assert_level(const blocks *b, const rugi_ifs_kernels *k)
{
    rugi_ifs_screen s = {.basis = b->plan.basis,
                         .ranges = b->ranges,
                         .tiles = b->tiles,
                         .caps = b->plan.caps,
                         .n_tiles = 2,
                         .floor = {INFINITY, INFINITY, INFINITY}};
    assert_int_equal(k->screen(&s, 0), 2); /* nothing reaches it */
    float most[2] = {0, 0};
    for (size_t t = 0; t < 2; t++) {
        s.floor[1] = 0; /* everything does */
        assert_int_equal(k->screen(&s, t), t);
        assert_scores(b, &s, t, k->name);
        for (size_t i = 0; i < RUGI_IFS_LANES; i++)
            most[t] = fmaxf(most[t], s.scores[2][i]);
    }
    s.floor[1] = INFINITY;
    s.floor[2] = fmaxf(most[0], most[1]); /* one of the two tiles does */
    assert_int_equal(k->screen(&s, 0), most[0] >= most[1] ? 0 : 1);
    s.floor[2] = nextafterf(s.floor[2], INFINITY);
    assert_int_equal(k->screen(&s, 0), 2);
}

static void run_size(uint32_t size, int kind, unsigned bits, double s_max, uint64_t *rng)
{
    static blocks b;
    const size_t side = 2 * size + 8;
    rugi_ifs_plane p = {new_picture(rng, side, side, kind, bits), side, side};
    rugi_ifs_place places[RUGI_IFS_RANGES + 1];
    for (uint32_t i = 0; i <= RUGI_IFS_RANGES; i++)
        places[i] = (rugi_ifs_place){i, 2 * i};
    rugi_ifs_search_job job = {&p,   &p,  size, 2, s_max, places, RUGI_IFS_RANGES + 1,
                               NULL, NULL};
    rug_context *ctx = test_context();
    assert_int_equal(rugi_ifs_search_plan_make(ctx, &b.plan, &job), RUG_OK);
    assert_true(b.plan.n_ranges >= RUGI_IFS_RANGES && b.plan.n_domains > RUGI_IFS_LANES);
    b.first = b.plan.n_ranges - RUGI_IFS_RANGES;
    make_blocks(&b);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rugi_ifs_kernels kernels;
        if (get_kernels(&kernels, ctx, (rug_cpu_level)level))
            assert_level(&b, &kernels);
    }
    rugi_ifs_search_plan_free(ctx, &b.plan);
    rug_context_free(ctx);
    free(p.pixels);
}

static void scores_of_all_sizes(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (uint32_t size = 2; size <= 32; size++) {
        run_size(size, NOISE, 8, 1, &rng);
        run_size(size, NOISE, 16, 0.3, &rng);
        if (size > 4) /* smaller blocks are alike, or flat */
            run_size(size, ONE_LEVEL, 16, 1, &rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scores_of_all_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
