/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search: its screen at every CPU level, and its matches against the search
 * written straight from its definition. */

#include "support.h"

#include "ifs/search/ifs_search_engine.h"
#include "ifs/search_cpu/ifs_kernels.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs_search_support.h"
#include "memory_support.h"
#include "watch_support.h"
#include <stdio.h>

#define SCREEN_SEED 19920301

/* A level's kernels; 0 when it is not there. */
static int get_kernels(rugi_ifs_kernels *out, rug_context *ctx, rug_cpu_level level)
{
    rugi_ifs_set_kernels(out, level);
    return rug_context_cpu_level(ctx) >= level;
}

/* Three of the ranges and two tiles of domains, in the basis. */
typedef struct blocks {
    rugi_ifs_search_plan plan;
    size_t first; /* of the ranges */
    _Alignas(64) float tiles[2 * 1024 * RUGI_IFS_LANES];
    _Alignas(64) float ranges[1024 * RUGI_IFS_RANGES];
    rugi_ifs_forms forms;
    _Alignas(64) float shrunk_tiles[2 * 512 * RUGI_IFS_LANES];
    _Alignas(64) float shrunk_ranges[512 * RUGI_IFS_RANGES];
    rugi_ifs_lanes lanes;
} blocks;

/* Three of the lanes. */
static void take_ranges(float *to, const float *lanes, size_t rows)
{
    for (size_t k = 0; k < rows; k++)
        for (size_t i = 0; i < RUGI_IFS_RANGES; i++)
            to[k * RUGI_IFS_RANGES + i] = lanes[k * RUGI_IFS_LANES + i];
}

/* Shrunk forms of all blocks, by a level. */
static void shrink_blocks(blocks *b, const rugi_ifs_kernels *k)
{
    static float lanes[1024 * RUGI_IFS_LANES], shrunk[512 * RUGI_IFS_LANES];
    const size_t n = b->plan.basis.n, rows = b->forms.rows;
    assert_true(rows <= 512);
    for (size_t t = 0; t < 2; t++)
        k->shrink(&b->forms, b->shrunk_tiles + t * rows * RUGI_IFS_LANES,
                  b->tiles + t * n * RUGI_IFS_LANES, &b->lanes);
    rugi_ifs_make_ranges(&b->plan, lanes, b->first, &b->lanes);
    k->shrink(&b->forms, shrunk, lanes, &b->lanes);
    take_ranges(b->shrunk_ranges, shrunk, rows);
}

/* All forms, or the whole one alone. */
static void set_forms(const blocks *b, rugi_ifs_screen *s, int is_whole)
{
    const size_t n = b->plan.basis.n, rows = b->forms.rows;
    const int last = is_whole ? 0 : b->forms.n - 1;
    s->forms = b->forms;
    if (is_whole) {
        s->forms.n = 1;
        s->forms.form[0] = b->forms.form[b->forms.n - 1];
    }
    for (int i = 0; i < last; i++) {
        s->ranges[i] = b->shrunk_ranges + b->forms.form[i].at * RUGI_IFS_RANGES;
        s->tiles[i] = b->shrunk_tiles + b->forms.form[i].at * RUGI_IFS_LANES;
        s->pitch[i] = rows * RUGI_IFS_LANES;
    }
    s->ranges[last] = b->ranges;
    s->tiles[last] = b->tiles;
    s->pitch[last] = n * RUGI_IFS_LANES;
}

static void make_blocks(blocks *b)
{
    static float lanes[1024 * RUGI_IFS_LANES];
    const size_t n = b->plan.basis.n;
    for (size_t t = 0; t < 2; t++)
        rugi_ifs_make_tile(&b->plan, b->tiles + t * n * RUGI_IFS_LANES,
                           t * RUGI_IFS_LANES, &b->lanes);
    rugi_ifs_make_ranges(&b->plan, lanes, b->first, &b->lanes);
    take_ranges(b->ranges, lanes, n);
    b->forms = rugi_ifs_forms_of(b->plan.basis.size);
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
    rugi_ifs_screen s = {
        .caps = b->plan.caps, .n_tiles = 2, .floor = {INFINITY, INFINITY, INFINITY}};
    set_forms(b, &s, 1);
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

/* What the whole blocks' screen finds passes that of the shrunk ones too, even where the floor
 * is as high as the margin lets it be. */
static void assert_shrunk(const blocks *b, const rugi_ifs_kernels *k)
{
    rugi_ifs_screen whole = {.caps = b->plan.caps, .n_tiles = 2}, s = whole;
    set_forms(b, &whole, 1);
    set_forms(b, &s, 0);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < RUGI_IFS_RANGES; i++)
            whole.floor[i] = -INFINITY;
        assert_int_equal(k->screen(&whole, t), t);
        for (size_t i = 0; i < RUGI_IFS_RANGES; i++)
            for (size_t lane = 0; lane < RUGI_IFS_LANES; lane++) {
                rugi_ifs_best best = {.found = 0};
                const rugi_ifs_range *range = &b->plan.ranges[b->first + i];
                float floor, need;
                if (t * RUGI_IFS_LANES + lane >= b->plan.n_domains)
                    continue;
                rugi_ifs_try(&b->plan, range, &best,
                             b->plan.domains[t * RUGI_IFS_LANES + lane]);
                rugi_ifs_floor(&b->plan, range, &best, b->plan.margin, &floor, &need);
                s.floor[0] = s.floor[1] = s.floor[2] = INFINITY;
                s.floor[i] = floor;
                assert_int_equal(k->screen(&s, t), t);
                assert_true(s.scores[i][lane] == whole.scores[i][lane]);
            }
    }
}

/* The norm of a block is that of what is kept and what is left out. */
static void assert_norms(const blocks *b)
{
    const rugi_ifs_form *f = b->forms.form, *whole = &f[b->forms.n - 1];
    for (; f < whole; f++)
        for (size_t lane = 0; lane < RUGI_IFS_LANES; lane++) {
            double all = 0, kept = 0;
            for (size_t i = 0; i < whole->basis.n; i++)
                all += pow((double)b->tiles[i * RUGI_IFS_LANES + lane], 2);
            for (size_t i = 0; i < f->rows; i++)
                kept +=
                    pow((double)b->shrunk_tiles[(f->at + i) * RUGI_IFS_LANES + lane], 2);
            assert_true(fabs(all - kept) < 1e-5);
        }
}

static void run_size(uint32_t size, int kind, unsigned bits, double s_max, uint64_t *rng)
{
    static blocks b;
    const size_t side = 2 * size + 8;
    rugi_ifs_plane p = {new_picture(rng, side, side, kind, bits), side, side};
    rugi_ifs_place places[RUGI_IFS_RANGES + 1];
    for (uint32_t i = 0; i <= RUGI_IFS_RANGES; i++)
        places[i] = (rugi_ifs_place){i, 2 * i};
    rugi_ifs_search_job job = {&p,   &p,   size, 2,    s_max, places, RUGI_IFS_RANGES + 1,
                               NULL, NULL, 0,    NULL, NULL,  0};
    rug_context *ctx = test_context();
    assert_int_equal(rugi_ifs_search_plan_make(ctx, &b.plan, &job, 0), RUG_OK);
    assert_true(b.plan.n_ranges >= RUGI_IFS_RANGES && b.plan.n_domains > RUGI_IFS_LANES);
    b.first = b.plan.n_ranges - RUGI_IFS_RANGES;
    make_blocks(&b);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rugi_ifs_kernels kernels;
        if (!get_kernels(&kernels, ctx, (rug_cpu_level)level))
            continue;
        assert_level(&b, &kernels);
        if (b.forms.n > 1) {
            shrink_blocks(&b, &kernels);
            assert_norms(&b);
            assert_shrunk(&b, &kernels);
        }
    }
    rugi_ifs_search_plan_free(ctx, &b.plan);
    rug_context_free(ctx);
    free(p.pixels);
}

static void scores_of_all_sizes(void **state)
{
    (void)state;
    uint64_t rng = SCREEN_SEED;
    for (uint32_t size = 2; size <= 32; size += TEST_RACES(10, 1)) {
        run_size(size, NOISE, 8, 1, &rng);
        if (size % TEST_STEP(4) != 0)
            continue;
        run_size(size, NOISE, 16, 0.3, &rng);
        if (size > 4) /* smaller blocks are alike, or flat */
            run_size(size, ONE_LEVEL, 16, 1, &rng);
    }
}

/* ---- Matches: the same domain, isometry and whole numbers, on 1 to 4 threads ---- */

#define SEED 20110607

static void assert_match(const rugi_ifs_match *got, const rugi_ifs_match *expected,
                         const char *what)
{
    if (got->found != expected->found || got->x != expected->x || got->y != expected->y ||
        got->symmetry != expected->symmetry || got->cross != expected->cross ||
        got->norm2 != expected->norm2)
        fail_msg("%s: (%u, %u) symmetry %u cross %lld norm2 %llu found %u, not (%u, %u) "
                 "%u %lld %llu %u",
                 what, got->x, got->y, got->symmetry, (long long)got->cross,
                 (unsigned long long)got->norm2, got->found, expected->x, expected->y,
                 expected->symmetry, (long long)expected->cross,
                 (unsigned long long)expected->norm2, expected->found);
    assert_true(got->s == expected->s);
    assert_true(fabs(got->error - expected->error) <=
                1e-9 * fabs(expected->error) + 1e-6);
}

static void must_search(rug_context *ctx, rugi_ifs_search_job *job)
{
    memset(job->matches, 0xff, job->n_ranges * sizeof *job->matches);
    if (rugi_ifs_search(ctx, job) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(job->engine);
}

/* Every level and several numbers of threads give the same bytes. */
static void assert_levels(rugi_ifs_search_job *job, const rugi_ifs_match *expected,
                          const char *what)
{
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rug_context *ctx = test_context();
        char text[160];
        snprintf(text, sizeof text, "%s level %d", what, level);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_context_set_threads(ctx, 1 + level);
        must_search(ctx, job);
        for (size_t i = 0; i < job->n_ranges; i++)
            assert_match(&job->matches[i], &expected[i], text);
        rug_context_free(ctx);
    }
}

typedef struct picture_case {
    size_t ny, nx;
    uint32_t size, step, shift;
    int kind;
    unsigned bits;
    int top; /* 4 s_max */
} picture_case;

static void run_case(const picture_case *c, uint64_t *rng)
{
    char what[128];
    rugi_ifs_plane p = {new_picture(rng, c->ny, c->nx, c->kind, c->bits), c->nx, c->ny};
    rugi_ifs_search_job job = {
        .image = &p, .source = &p, .size = c->size, .step = c->step};
    rugi_ifs_place *places = new_places(&p, c->size, c->shift, &job.n_ranges);
    job.ranges = places;
    job.s_max = c->top / 4.0;
    job.matches = malloc((job.n_ranges + 1) * sizeof *job.matches);
    rugi_ifs_match *expected = malloc((job.n_ranges + 1) * sizeof *expected);
    assert_true(job.matches != NULL && expected != NULL);
    for (size_t i = 0; i < job.n_ranges; i++)
        expected[i] = naive_search(&job, i, c->top);
    snprintf(what, sizeof what, "%zux%zu size %u step %u kind %d bits %u top %d", c->ny,
             c->nx, c->size, c->step, c->kind, c->bits, c->top);
    assert_levels(&job, expected, what);
    free(expected);
    free(job.matches);
    free(places);
    free(p.pixels);
}

/* All sizes, of which odd ones have a middle row; sizes that have loops of their own. */
static void all_sizes(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    for (uint32_t size = 2; size <= 32; size += TEST_RACES(6, 1)) {
        uint32_t side = 2 * size + 3 + 16 / size;
        picture_case c = {side, side + 3, size, 1 + size / 8, 0, NOISE, 8, 4};
        run_case(&c, &rng);
        if (size % TEST_STEP(3) != 0)
            continue;
        c.kind = WAVES;
        c.shift = size / 2; /* ranges go round the edges */
        c.top = 2;
        run_case(&c, &rng);
    }
}

/* Pictures full of ties. */
static void all_kinds(void **state)
{
    (void)state;
    uint64_t rng = SEED + 1;
    for (int kind = 0; kind < N_KINDS; kind++)
        for (uint32_t size = 2; size <= 9; size += size < TEST_RACES(2, 4) ? 1 : 2) {
            picture_case c = {27, 32,   size, 1 + size % 3,
                              0,  kind, 8,    1 + (kind + (int)size) % 4};
            run_case(&c, &rng);
            c.bits = size <= 3 ? 16 : 12;
            run_case(&c, &rng);
        }
}

/* Numbers at their largest: nothing overflows. */
static void large_numbers(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    static uint16_t pixels[SIDE * SIDE];
    rugi_ifs_plane p = {pixels, SIDE, SIDE};
    for (size_t i = 0; i < SIDE * SIDE; i++)
        pixels[i] = i % SIDE < 32 ? 0 : 65535;
    rugi_ifs_place place[2] = {{16, 0}, {0, 16}};
    rugi_ifs_match matches[2];
    rugi_ifs_search_job job = {&p,      &p,   32, 1,    1,    place, 2,
                               matches, NULL, 0,  NULL, NULL, 0};
    rug_context *ctx = test_context();
    must_search(ctx, &job);
    /* The range is the domain shrunk by means: s = 1, nothing is left. */
    assert_int_equal(matches[0].found, 1);
    assert_true(matches[0].s == 1 && matches[0].error == 0);
    assert_int_equal(matches[0].symmetry, 0);
    assert_true(matches[0].cross == INT64_C(65535) * 65535 * 4 * 512 * 512);
    assert_true(matches[0].norm2 == UINT64_C(65535) * 65535 * 16 * 512 * 512);
    assert_int_equal(matches[1].found, 0); /* flat */
    assert_true(matches[1].error == 0 && matches[1].s == 0);
    rug_context_free(ctx);
}

/* No room for a domain, or none that has variance; no ranges. */
static void no_domains(void **state)
{
    (void)state;
    uint64_t rng = SEED + 2;
    rugi_ifs_plane image = {new_picture(&rng, 16, 16, NOISE, 8), 16, 16};
    rugi_ifs_plane flat = {new_picture(&rng, 16, 16, FLAT, 8), 16, 16};
    rugi_ifs_match matches[4];
    rugi_ifs_search_job job = {
        .image = &image, .s_max = 1, .matches = matches, .step = 1};
    for (int k = 0; k < 2; k++) {
        rug_context *ctx = test_context();
        job.source = k == 0 ? &image : &flat;
        job.size = k == 0 ? 9 : 8; /* a domain of 18 does not fit 16 */
        rugi_ifs_place place[4] = {{0, 0}, {8, 0}, {0, 8}, {8, 8}};
        job.ranges = place;
        job.n_ranges = 4;
        must_search(ctx, &job);
        for (size_t i = 0; i < 4; i++) {
            rugi_ifs_match expected = naive_search(&job, i, 4);
            assert_match(&matches[i], &expected, "no domains");
            assert_true(matches[i].error > 0);
        }
        job.n_ranges = 0;
        must_search(ctx, &job);
        rug_context_free(ctx);
    }
    free(image.pixels);
    free(flat.pixels);
}

/* More domains and ranges than a block and a task hold, against all levels and threads. */
static void many(void **state)
{
    (void)state;
    uint64_t rng = SEED + 3;
    enum { SIDE = 160, FEW = 200 };
    rugi_ifs_plane p = {new_picture(&rng, SIDE, SIDE, WAVES, 8), SIDE, SIDE};
    rugi_ifs_search_job job = {
        .image = &p, .source = &p, .size = 16, .step = 1, .s_max = 1};
    rugi_ifs_place *places = new_places(&p, 2, 0, &job.n_ranges);
    job.ranges = places;
    job.n_ranges /= TEST_STEP(16);
    rugi_ifs_match *first = calloc(job.n_ranges, sizeof *first);
    job.matches = calloc(job.n_ranges, sizeof *first);
    assert_true(first != NULL && job.matches != NULL);
    for (int level = RUG_CPU_MAX; level >= RUG_CPU_REF; level -= TEST_STEP(2))
        for (int threads = 1; threads <= 4; threads += 3) {
            rug_context *ctx = test_context();
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, threads);
            if (level < RUG_CPU_MAX)
                job.n_ranges = FEW;
            must_search(ctx, &job);
            if (level == RUG_CPU_MAX && threads == 1)
                memcpy(first, job.matches, job.n_ranges * sizeof *first);
            assert_memory_equal(first, job.matches, job.n_ranges * sizeof *first);
            rug_context_free(ctx);
        }
    free(first);
    free(job.matches);
    free(places);
    free(p.pixels);
}

/* What a search with batches gives. */
typedef struct given {
    rugi_ifs_match *all;
    size_t n, largest;
} given;

static void take(void *user, const rugi_ifs_match *matches, size_t first, size_t n)
{
    given *g = user;
    assert_int_equal(first, g->n);
    memcpy(g->all + first, matches, n * sizeof *matches);
    g->n += n;
    g->largest = n > g->largest ? n : g->largest;
}

/* Batches change no match, whether they are given one by one or all in one place. */
static void batches(void **state)
{
    (void)state;
    uint64_t rng = SEED + 7;
    rugi_ifs_plane p = {new_picture(&rng, 96, 80, WAVES, 8), 96, 80};
    for (uint32_t step = 3; step <= 4; step++) {
        rugi_ifs_search_job job = {
            .image = &p, .source = &p, .size = 4, .step = step, .s_max = 1};
        rugi_ifs_place *places = new_places(&p, 4, 0, &job.n_ranges);
        job.ranges = places;
        rugi_ifs_match *whole = calloc(job.n_ranges, sizeof *whole);
        given g = {.all = calloc(job.n_ranges, sizeof *whole)};
        rug_context *ctx = test_context();
        assert_true(whole != NULL && g.all != NULL && job.n_ranges > 100);
        job.matches = whole;
        must_search(ctx, &job);
        job.matches = g.all;
        job.batch = 37;
        must_search(ctx, &job);
        assert_memory_equal(whole, g.all, job.n_ranges * sizeof *whole);
        rugi_ifs_match few[37];
        memset(g.all, 0, job.n_ranges * sizeof *whole);
        job.matches = few;
        job.take = take;
        job.user = &g;
        assert_int_equal(rugi_ifs_search(ctx, &job), RUG_OK);
        assert_int_equal(g.n, job.n_ranges);
        assert_int_equal(g.largest, 37);
        assert_memory_equal(whole, g.all, job.n_ranges * sizeof *whole);
        rug_context_free(ctx);
        free(whole);
        free(g.all);
        free(places);
    }
    free(p.pixels);
}

static void failing_memory(void **state)
{
    (void)state;
    uint64_t rng = SEED + 4;
    rugi_ifs_plane p = {new_picture(&rng, 24, 24, NOISE, 8), 24, 24};
    rugi_ifs_match matches[36];
    rugi_ifs_search_job job = {
        .image = &p, .source = &p, .size = 4, .step = 1, .s_max = 1, .matches = matches};
    rugi_ifs_place *places = new_places(&p, 4, 0, &job.n_ranges);
    job.ranges = places;
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status = rugi_ifs_search(ctx, &job);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_string_not_equal(rug_context_error(ctx), "");
            n_fails++;
        }
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_in_range(n_fails, 8, 100);
    free(places);
    free(p.pixels);
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    uint64_t rng = SEED + 5;
    rugi_ifs_plane p = {new_picture(&rng, 64, 64, NOISE, 8), 64, 64};
    rugi_ifs_match matches[256];
    rugi_ifs_search_job job = {
        .image = &p, .source = &p, .size = 4, .step = 1, .s_max = 1, .matches = matches};
    rugi_ifs_place *places = new_places(&p, 4, 0, &job.n_ranges);
    job.ranges = places;
    for (int cancel_at = 0; cancel_at < 40; cancel_at++) {
        rug_context *ctx = test_context();
        watch w = {.cancel_at = cancel_at};
        rug_context_set_threads(ctx, 1);
        rug_context_set_progress(ctx, see_progress, &w);
        rug_context_set_cancel(ctx, see_cancel, &w);
        rug_status status = rugi_ifs_search(ctx, &job);
        assert_int_equal(status, cancel_at ? RUG_E_CANCELLED : RUG_OK);
        assert_int_equal(w.n_backwards, 0);
        if (cancel_at == 0)
            assert_true(w.n_calls > 40 && w.last > 0.999);
        rug_context_free(ctx);
    }
    free(places);
    free(p.pixels);
}

/* Each symmetry does what its name says, and no two the same. */
static void symmetries(void **state)
{
    (void)state;
    static const uint32_t in[4] = {1, 2, 3, 4};
    static const uint32_t expected[8][4] = {{1, 2, 3, 4}, {2, 4, 1, 3}, {4, 3, 2, 1},
                                            {3, 1, 4, 2}, {2, 1, 4, 3}, {3, 4, 1, 2},
                                            {1, 3, 2, 4}, {4, 2, 3, 1}};
    uint32_t block[25], mapped[25];
    for (uint32_t i = 0; i < 25; i++)
        block[i] = i;
    for (unsigned k = 0; k < 8; k++) {
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(in[rugi_ifs_isometry_place(k, 2, i / 2, i % 2)],
                             expected[k][i]);
        naive_isometry(mapped, block, 5, k);
        for (size_t i = 0; i < 25; i++)
            assert_int_equal(rugi_ifs_isometry_place(k, 5, i / 5, i % 5), mapped[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_of_all_sizes),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(no_domains),
        cmocka_unit_test(all_kinds),
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(many),
        cmocka_unit_test(batches),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
