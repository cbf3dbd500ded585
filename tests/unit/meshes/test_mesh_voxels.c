/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The voxels of meshes: of bodies that are known exactly, of tetrahedra against a naive search, and of
 * meshes with holes. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "mesh_support.h"

#define PI 3.14159265358979323846

/* ---- Bodies that are known exactly ---- */

/* The cube spans all voxels but two, and its faces lie between voxels, both of which they touch. */
static void cube_is_exact(void **state)
{
    for (size_t side = 3; side <= SIDE; side++) {
        size_t body = side - 2, inner = side > 4 ? side - 4 : 0;
        rug_file *solid = read_text(*state, cube_obj, side, 1);
        assert_int_equal(count_set(solid), body * body * body);
        rug_file_free(solid);
        rug_file *surface = read_text(*state, cube_obj, side, 0);
        assert_int_equal(count_set(surface), side * side * side - inner * inner * inner);
        rug_file_free(surface);
    }
}

/* A box of half the length along x and a quarter along y lies in the middle, in its own space. */
static void box_lies_in_the_middle(void **state)
{
    const char *text =
        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 4\nv 2 0 4\nv 2 1 4\nv 0 1 4\n"
        "v 100 100 100\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
        "f 4 1 5 8\n";
    rug_file *box = read_text(*state, text, 18, 1);
    const rug_file_facts *facts = rug_file_get_facts(box);
    for (size_t z = 0; z < 18; z++)
        for (size_t y = 0; y < 18; y++)
            for (size_t x = 0; x < 18; x++)
                assert_true((pixel(box, z, y, x) > 0) ==
                            (x >= 5 && x < 13 && y >= 7 && y < 11 && z >= 1 && z < 17));
    assert_string_equal(facts->located_by, "mesh");
    assert_null(facts->affine_unit);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            assert_true(fabs(facts->affine[i][a] - (a == 2 - i ? 0.25 : 0)) < 1e-12);
    assert_true(fabs(facts->affine[0][3] - (0.125 - 5 * 0.25)) < 1e-12);
    assert_true(fabs(facts->affine[1][3] - (0.125 - 7 * 0.25)) < 1e-12);
    assert_true(fabs(facts->affine[2][3] - (0.125 - 1 * 0.25)) < 1e-12);
    assert_true(fabs(rug_file_image(box)->spacing[0] - 0.25) < 1e-12);
    rug_file_free(box);
}

/* The slanted square x + y = 8 of a cube of 8 voxels meets those of a diagonal, and those that touch it
 * with an edge. */
static void slanted_surface(void **state)
{
    rug_file *square =
        read_text(*state, "v 1 0 0\nv 0 1 0\nv 0 1 1\nv 1 0 1\nf 1 2 3 4\n", 8, 0);
    for (size_t z = 0; z < 8; z++)
        for (size_t y = 0; y < 8; y++)
            for (size_t x = 0; x < 8; x++)
                assert_true((pixel(square, z, y, x) > 0) == (x + y >= 6 && x + y <= 8));
    rug_file_free(square);
}

/* Triangles of no area still touch voxels: a line along a diagonal, between the voxels of which it also
 * meets corners. */
static void line_touches_voxels(void **state)
{
    rug_file *line =
        read_text(*state, "v 0 0 0\nv 1 1 1\nv 0.5 0.5 0.5\nf 1 2 3\nf 1 1 2\n", 9, 0);
    for (size_t z = 0; z < 9; z++)
        for (size_t y = 0; y < 9; y++)
            for (size_t x = 0; x < 9; x++) {
                size_t least = x < y ? x : y, most = x > y ? x : y;
                least = z < least ? z : least;
                most = z > most ? z : most;
                assert_true((pixel(line, z, y, x) > 0) == (most - least <= 1));
            }
    rug_file_free(line);
}

/* ---- Holes ---- */

/* Without one of its faces, rays along two axes still say what is inside. */
static void hole_changes_nothing(void **state)
{
    static char text[sizeof cube_obj];
    strcpy(text, cube_obj);
    *strstr(text, "f 1 4 3 2") = '#';
    rug_file *cube = read_text(*state, text, SIDE, 1);
    assert_int_equal(count_set(cube), 22 * 22 * 22);
    rug_file_free(cube);
    rug_read_options opts = in_voxels(SIDE, 1);
    const char *path = put_bytes(*state, "open.obj", text, strlen(text));
    warning[0] = '\0';
    assert_int_equal(rug_file_open(ctx, &cube, path, &opts), RUG_OK);
    assert_non_null(strstr(warning, "not closed: 4 of 17 edges"));
    assert_int_equal(rug_file_load(ctx, cube), RUG_OK);
    assert_non_null(strstr(warning, "disagree about 11616 voxels, 84 % of the cube"));
    rug_file_free(cube);
}

/* ---- A naive search ---- */

/* The part of a polygon on one side of a plane across an axis. */
static int clip(double (*out)[3], double (*in)[3], int n, int axis, double at, int sign)
{
    int n_out = 0;
    for (int i = 0; i < n; i++) {
        const double *p = in[i], *q = in[(i + 1) % n];
        double d = sign * (p[axis] - at), e = sign * (q[axis] - at);
        if (d >= 0)
            memcpy(out[n_out++], p, 3 * sizeof *p);
        if ((d > 0 && e < 0) || (d < 0 && e > 0)) {
            for (int k = 0; k < 3; k++)
                out[n_out][k] = p[k] + d / (d - e) * (q[k] - p[k]);
            out[n_out++][axis] = at;
        }
    }
    return n_out;
}

/* Whether anything of a triangle is left of it inside of a voxel that grows by a length on each side. */
static int touches(double (*const t)[3], const size_t xyz[3], double by)
{
    double a[12][3], b[12][3];
    int n = 3;
    memcpy(a, t, 3 * sizeof *a);
    for (int k = 0; n > 0 && k < 3; k++) {
        n = clip(b, a, n, k, (double)xyz[k] - by, 1);
        n = clip(a, b, n, k, (double)xyz[k] + 1 + by, -1);
    }
    return n > 0;
}

/* Whether a voxel's centre is on the inner side of all faces of a tetrahedron that grows by a share of
 * its heights. */
static int is_within(double (*const v)[3], const size_t xyz[3], double by)
{
    for (int i = 0; i < 4; i++) {
        const double *a = v[i], *b = v[(i + 1) % 4], *c = v[(i + 2) % 4],
                     *d = v[(i + 3) % 4];
        double sides[2] = {0, 0};
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            double normal = (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
            sides[0] += normal * (d[k] - a[k]);
            sides[1] += normal * ((double)xyz[k] + 0.5 - a[k]);
        }
        if (sides[1] / sides[0] < -by)
            return 0;
    }
    return 1;
}

/* A random number in 0..1. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 0x1p53;
}

/* Where the vertices of a tetrahedron come to lie in a cube of voxels. */
static void place(double (*out)[3], double (*const in)[3], size_t side)
{
    double low[3], high[3], extent = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = in[0][k];
        for (int i = 1; i < 4; i++) {
            low[k] = fmin(low[k], in[i][k]);
            high[k] = fmax(high[k], in[i][k]);
        }
        extent = fmax(extent, high[k] - low[k]);
    }
    double inner = (double)side - 2;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++)
            out[i][k] = (inner + 2 - (high[k] - low[k]) / extent * inner) / 2 +
                        (in[i][k] - low[k]) / extent * inner;
}

static int naive(double (*const v)[3], const size_t xyz[3], int solid, double by)
{
    if (solid)
        return is_within(v, xyz, by);
    for (int f = 0; f < 4; f++) {
        double t[3][3];
        for (int k = 0; k < 3; k++)
            memcpy(t[k], v[(f + k) % 4], sizeof t[k]);
        if (touches(t, xyz, by))
            return 1;
    }
    return 0;
}

/* What lies on an edge to seven digits is not compared: the search is not exact. */
static size_t compare(const rug_file *file, double (*const v)[3], int solid, size_t side)
{
    size_t xyz[3], n = 0;
    for (xyz[2] = 0; xyz[2] < side; xyz[2]++)
        for (xyz[1] = 0; xyz[1] < side; xyz[1]++)
            for (xyz[0] = 0; xyz[0] < side; xyz[0]++) {
                int expected = naive(v, xyz, solid, 1e-7);
                if (expected != naive(v, xyz, solid, -1e-7))
                    continue;
                n++;
                if ((pixel(file, xyz[2], xyz[1], xyz[0]) > 0) != expected)
                    fail_msg("voxel %zu %zu %zu of %zu", xyz[0], xyz[1], xyz[2], side);
            }
    return n;
}

static void tetrahedra(void **state)
{
    uint64_t seed = 7;
    char text[1024];
    for (int run = 0; run < 40; run++) {
        size_t side = 3 + (size_t)(draw(&seed) * (run % 4 == 0 ? 40 : 14));
        double in[4][3], v[4][3];
        size_t at = 0;
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 3; k++) /* some of them flat */
                in[i][k] = draw(&seed) * (k == run % 3 && run % 5 == 0 ? 0.01 : 1);
            at += (size_t)sprintf(text + at, "v %.17g %.17g %.17g\n", in[i][0], in[i][1],
                                  in[i][2]);
        }
        sprintf(text + at, "f 1 2 3\nf 2 3 4\nf 3 4 1\nf 4 1 2\n");
        place(v, in, side);
        for (int solid = 0; solid < 2; solid++) {
            rug_file *file = read_text(*state, text, side, solid);
            assert_string_equal(warning, "");
            assert_true(compare(file, v, solid, side) > side * side * side * 3 / 4);
            rug_file_free(file);
        }
    }
}

/* A ball of rings; its poles lie on rays of the middle column. */
static const char *make_ball(int n)
{
    static char text[200000];
    size_t at = 0;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < 2 * n; k++) {
            double a = PI * i / n, b = PI * k / n;
            double r = i == 0 || i == n ? 0 : sin(a);
            at += (size_t)sprintf(text + at, "v %.9f %.9f %.9f\n", r * cos(b), r * sin(b),
                                  cos(a));
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 * n; k++) {
            int next = (k + 1) % (2 * n), row = 2 * n * i + 1;
            at += (size_t)sprintf(text + at, "f %d %d %d %d\n", row + k, row + next,
                                  row + 2 * n + next, row + 2 * n + k);
        }
    assert_true(at < sizeof text);
    return text;
}

static void ball_has_its_volume(void **state)
{
    const char *text = make_ball(32);
    for (size_t side = 64; side <= 65; side++) {
        double d = (double)side - 2, volume = PI / 6 * d * d * d;
        rug_file *solid = read_text(*state, text, side, 1);
        assert_string_equal(warning, "");
        rug_file *surface = read_text(*state, text, side, 0);
        double n = (double)count_set(solid), n_surface = (double)count_set(surface);
        assert_true(n > 0.98 * volume && n < volume);
        assert_true(n_surface > PI * d * d && n_surface < 3 * PI * d * d);
        /* a voxel and its neighbour differ only where the surface is */
        for (size_t z = 0; z < side; z++)
            for (size_t y = 0; y < side; y++)
                for (size_t x = 1; x < side; x++)
                    if ((pixel(solid, z, y, x) > 0) != (pixel(solid, z, y, x - 1) > 0))
                        assert_true(pixel(surface, z, y, x) > 0 ||
                                    pixel(surface, z, y, x - 1) > 0);
        rug_file_free(solid);
        rug_file_free(surface);
    }
}

/* Any number of threads gives the same. */
static void threads_agree(void **state)
{
    const char *text = make_ball(24);
    rug_context *own = ctx;
    for (int solid = 0; solid < 2; solid++) {
        rug_file *one = read_text(*state, text, 90, solid);
        assert_int_equal(rug_context_new(&ctx), RUG_OK);
        assert_int_equal(rug_context_set_threads(ctx, 5), RUG_OK);
        rug_file *five = read_text(*state, text, 90, solid);
        assert_same(one, five);
        rug_file_free(five);
        rug_context_free(ctx);
        ctx = own;
        rug_file_free(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(cube_is_exact),        SCRATCH_TEST(box_lies_in_the_middle),
        SCRATCH_TEST(slanted_surface),      SCRATCH_TEST(line_touches_voxels),
        SCRATCH_TEST(hole_changes_nothing), SCRATCH_TEST(tetrahedra),
        SCRATCH_TEST(ball_has_its_volume),  SCRATCH_TEST(threads_agree),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
