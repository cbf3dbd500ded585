/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains that go on at the opposite edge: the search against one that is written from the
 * definition, and images that are moved around. */

#include "support.h"

#include "ifs_paper_support.h"

/* The least squared error of a range by any transform, from the definition.
 * @param pixels  [ny][nx], continued to whole ranges */
static double naive_best(const double *pixels, size_t ny, size_t nx,
                         const rug_ifs_transform *range, const rug_ifs_options *o)
{
    rug_ifs_transform t = *range;
    double d[32 * 32], best, n = (double)(t.size * t.size);
    t.has_domain = 0;
    best = naive_error(&t, pixels, ny, nx);
    t.has_domain = 1;
    t.s = 1;
    for (t.domain_y = 0; t.domain_y < ny; t.domain_y += o->domain_step)
        for (t.domain_x = 0; t.domain_x < nx; t.domain_x += o->domain_step)
            for (t.symmetry = 0; t.symmetry < 8; t.symmetry++) {
                double cross = 0, norm2 = 0, rest = 0;
                naive_apply(d, &t, pixels, ny, nx, 1);
                for (size_t i = 0; i < (size_t)n; i++) {
                    double r = pixels[(t.range_y + i / t.size) % ny * nx +
                                      (t.range_x + i % t.size) % nx] -
                               t.mean;
                    cross += r * (d[i] - t.mean);
                    norm2 += (d[i] - t.mean) * (d[i] - t.mean);
                    rest += r * r;
                }
                if (norm2 < 1e-6)
                    continue;
                double s = fmin(fmax(cross / norm2, -o->scale_max), o->scale_max);
                best = fmin(best, rest - 2 * s * cross + s * s * norm2);
            }
    return best;
}

/* The plane as it is coded: continued by its last row and column. */
static double *continued(const gray *g, size_t ny, size_t nx)
{
    double *out = malloc(ny * nx * sizeof *out);
    assert_non_null(out);
    for (size_t i = 0; i < ny * nx; i++) {
        size_t y = i / nx < g->ny ? i / nx : g->ny - 1;
        size_t x = i % nx < g->nx ? i % nx : g->nx - 1;
        out[i] = g->pixels[y * g->nx + x];
    }
    return out;
}

/* @return how many domains cross an edge */
static size_t assert_best(rug_context *ctx, const gray *g, rug_ifs_options opts)
{
    const size_t ny = padded(g->ny, opts.range_size), nx = padded(g->nx, opts.range_size);
    double *pixels = continued(g, ny, nx);
    size_t n_crossing = 0;
    rug_ifs_code *inside = must_find(ctx, &g->img, &opts);
    opts.domain_wrap = 1;
    rug_ifs_code *code = must_find(ctx, &g->img, &opts);
    for (size_t i = 0; i < rug_ifs_code_count(code); i++) {
        const rug_ifs_transform *t = rug_ifs_code_at(code, i);
        double best = naive_best(pixels, ny, nx, t, &opts), near = 1e-9 * (1 + best);
        if (fabs(t->error - best) > near ||
            fabs(t->error - naive_error(t, pixels, ny, nx)) > near)
            fail_msg("%zux%zu, ranges of %u, step %u: range %zu has an error of %g, not "
                     "%g, by the domain (%u, %u)",
                     g->ny, g->nx, t->size, opts.domain_step, i, t->error, best,
                     t->domain_y, t->domain_x);
        assert_true(t->error <= rug_ifs_code_at(inside, i)->error + near);
        n_crossing += t->domain_x + 2 * t->size > nx || t->domain_y + 2 * t->size > ny;
    }
    rug_ifs_code_free(inside);
    rug_ifs_code_free(code);
    free(pixels);
    return n_crossing;
}

/* The best of all domains that go round, and never worse than those inside. */
static void wrapped_domains(void **state)
{
    (void)state;
    static const struct {
        size_t ny, nx;
        uint32_t size, step;
        double scale_max;
    } cases[] = {{8, 8, 4, 1, 1},    {13, 18, 4, 1, 1}, {11, 9, 3, 2, 0.5},
                 {16, 12, 2, 3, 1},  {3, 20, 5, 4, 1},  {17, 16, 8, 5, 0.75},
                 {12, 24, 6, 30, 1}, {1, 1, 2, 1, 1}};
    uint64_t rng = 49;
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gray g = random_gray(&rng, cases[i].ny, cases[i].nx);
        rug_ifs_options opts = paper_options(RUG_IFS_FIXED, cases[i].size, cases[i].step);
        opts.scale_max = cases[i].scale_max;
        size_t n = assert_best(ctx, &g, opts);
        opts.partition = RUG_IFS_OVERLAP;
        if (opts.range_size % 2 == 0)
            n += assert_best(ctx, &g, opts);
        assert_true(n > 0 || opts.domain_step > g.nx || g.nx == 1);
        free(g.pixels);
    }
    rug_context_free(ctx);
}

/* An image that is moved around has the same domains, moved, and the moved picture. */
static void moving_around(void **state)
{
    (void)state;
    enum { NY = 32, NX = 48, DY = 12, DX = 20 };
    uint64_t rng = 77;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, NY, NX), moved = new_gray(NY, NX);
    for (size_t i = 0; i < NY * NX; i++)
        moved.pixels[(i / NX + DY) % NY * NX + (i % NX + DX) % NX] = g.pixels[i];
    for (int overlaps = 0; overlaps < 2; overlaps++) {
        rug_ifs_options opts =
            paper_options(overlaps ? RUG_IFS_OVERLAP : RUG_IFS_FIXED, 4, 4);
        opts.domain_wrap = 1;
        rug_ifs_code *codes[2] = {must_find(ctx, &g.img, &opts),
                                  must_find(ctx, &moved.img, &opts)};
        rug_ifs_picture one = must_iterate(ctx, codes[0], 2, 9);
        rug_ifs_picture other = must_iterate(ctx, codes[1], 2, 9);
        for (size_t i = 0; i < (size_t)4 * NY * NX; i++) {
            size_t y = (i / (2 * NX) + 2 * DY) % (2 * NY);
            size_t x = (i % (2 * NX) + 2 * DX) % (2 * NX);
            assert_int_equal(((uint8_t *)one.pixels)[i],
                             ((uint8_t *)other.pixels)[y * 2 * NX + x]);
        }
        rug_context_release(ctx, one.pixels);
        rug_context_release(ctx, other.pixels);
        rug_ifs_code_free(codes[0]);
        rug_ifs_code_free(codes[1]);
    }
    free(g.pixels);
    free(moved.pixels);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrapped_domains),
        cmocka_unit_test(moving_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
