/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The meshes that bench_hou_study counts: files in all encodings, bad files, and the volumes of
 * cubes and spheres. */

#include "support.h"

#include "bench_mesh.h"
#include "bench_voxels.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE 24
#define PI   3.14159265358979323846

static char path[512];

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static bench_mesh read_mesh(const void *bytes, size_t n)
{
    char error[BENCH_MESH_ERROR] = "";
    bench_mesh mesh;
    write_file(bytes, n);
    if (!bench_mesh_read(&mesh, path, error))
        fail_msg("%s", error);
    return mesh;
}

static void assert_refused(const char *text, const char *why)
{
    char error[BENCH_MESH_ERROR] = "";
    bench_mesh mesh;
    write_file(text, strlen(text));
    assert_false(bench_mesh_read(&mesh, path, error));
    if (strstr(error, why) == NULL)
        fail_msg("\"%s\", not \"%s\"", error, why);
    bench_mesh_free(&mesh);
}

/* ---- A cube, in all encodings ---- */

static const char cube_obj[] = "# a cube\no cube\n"
                               "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                               "v -1 -1 1 1.0\nv 1 -1 1\nv 1 1 1\r\nv -1 1 1\nvn 0 0 1\n"
                               "f 1 4 3 2\nf 5//1 6//1 7//1 8//1\nf -8/1/1 -7/1/1 -3 -4\n"
                               "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8 # the last\n";

#define CUBE_HEADER(format)                                          \
    "ply\nformat " format " 1.0\ncomment a cube\nelement vertex 8\n" \
    "property float x\nproperty double y\nproperty uchar red\n"      \
    "property short z\nelement face 6\nproperty uchar shade\n"       \
    "property list uchar int vertex_indices\nelement edge 1\n"       \
    "property list uint8 float32 weights\nend_header\n"

static const signed char cube_xyz[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1},
                                           {-1, 1, -1},  {-1, -1, 1}, {1, -1, 1},
                                           {1, 1, 1},    {-1, 1, 1}};
static const unsigned char cube_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static size_t put(char *out, size_t at, const void *number, size_t size, int is_big)
{
    const uint16_t probe = 1;
    int is_little_here = *(const unsigned char *)&probe;
    for (size_t i = 0; i < size; i++)
        out[at + (is_big == is_little_here ? size - 1 - i : i)] =
            ((const char *)number)[i];
    return at + size;
}

static size_t binary_cube(char *out, int is_big)
{
    const char *header =
        is_big ? CUBE_HEADER("binary_big_endian") : CUBE_HEADER("binary_little_endian");
    size_t at = strlen(header);
    memcpy(out, header, at);
    for (int i = 0; i < 8; i++) {
        float x = cube_xyz[i][0];
        double y = cube_xyz[i][1];
        int16_t z = cube_xyz[i][2];
        at = put(out, at, &x, sizeof x, is_big);
        at = put(out, at, &y, sizeof y, is_big);
        at = put(out, at, "\n", 1, is_big);
        at = put(out, at, &z, sizeof z, is_big);
    }
    for (int i = 0; i < 6; i++) {
        out[at++] = 7;
        out[at++] = 4;
        for (int k = 0; k < 4; k++) {
            int32_t corner = cube_faces[i][k];
            at = put(out, at, &corner, sizeof corner, is_big);
        }
    }
    out[at++] = 0;
    return at;
}

static size_t text_cube(char *out)
{
    size_t at = (size_t)sprintf(out, "%s", CUBE_HEADER("ascii"));
    for (int i = 0; i < 8; i++)
        at += (size_t)sprintf(out + at, "%d %d.0 255 %d\n", cube_xyz[i][0],
                              cube_xyz[i][1], cube_xyz[i][2]);
    for (int i = 0; i < 6; i++)
        at += (size_t)sprintf(out + at, "7 4 %d %d %d %d\n", cube_faces[i][0],
                              cube_faces[i][1], cube_faces[i][2], cube_faces[i][3]);
    return at + (size_t)sprintf(out + at, "2 0.5 0.5\n");
}

static void assert_same(const bench_mesh *a, const bench_mesh *b)
{
    assert_int_equal(a->n_vertices, b->n_vertices);
    assert_int_equal(a->n_triangles, b->n_triangles);
    assert_memory_equal(a->vertices, b->vertices, a->n_vertices * sizeof *a->vertices);
    assert_memory_equal(a->triangles, b->triangles,
                        a->n_triangles * sizeof *a->triangles);
}

static void test_encodings_agree(void **state)
{
    (void)state;
    static char bytes[4096];
    bench_mesh obj = read_mesh(cube_obj, strlen(cube_obj)), ply;
    assert_int_equal(obj.n_vertices, 8);
    assert_int_equal(obj.n_triangles, 12);
    ply = read_mesh(bytes, text_cube(bytes));
    assert_same(&obj, &ply);
    bench_mesh_free(&ply);
    for (int is_big = 0; is_big < 2; is_big++) {
        size_t n = binary_cube(bytes, is_big);
        char error[BENCH_MESH_ERROR];
        ply = read_mesh(bytes, n);
        assert_same(&obj, &ply);
        bench_mesh_free(&ply);
        for (size_t cut = n - 1; cut > 7; cut -= 7) {
            write_file(bytes, cut);
            assert_false(bench_mesh_read(&ply, path, error));
            bench_mesh_free(&ply);
        }
    }
    bench_mesh_free(&obj);
}

static void test_bad_files_are_refused(void **state)
{
    (void)state;
    char error[BENCH_MESH_ERROR];
    bench_mesh mesh;
    assert_false(bench_mesh_read(&mesh, "/nowhere/mesh.ply", error));
    bench_mesh_free(&mesh);
    assert_refused("", "no faces");
    assert_refused("v 1 2 3\n", "no faces");
    assert_refused("v 1 2\n3\n", "fewer than 3 numbers");
    assert_refused("v 1 nan 3\n", "not finite");
    assert_refused("v 1 1e999 3\n", "not finite");
    assert_refused("v 0 0 0\nv 1 0 0\nf 1 2\n", "2 corners");
    assert_refused("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "triangle 1 has vertex 3, there are 2");
    assert_refused("v 0 0 0\nv 1 0 0\nf 1 2 0\n", "number of a vertex");
    assert_refused("v 0 0 0\nv 1 0 0\nf 1 2 -3\n", "number of a vertex");
    assert_refused("v 0 0 0\nv 1 0 0\nf 1 2 99999999999999999999\n",
                   "number of a vertex");
    assert_refused("v 0 0 0\nf 1 1 1x\n", "number of a vertex");
    assert_refused("ply\nformat ascii 1.0\nelement vertex 1\n", "end_header");
    assert_refused("ply\nformat ascii 2.0\nend_header\n", "ascii 2.0");
    assert_refused("ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "vertex -1");
    assert_refused(
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n",
        "property half x");
    assert_refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                   "property float y\nend_header\n1 2\n",
                   "without x, y and z");
    assert_refused(
        "ply\nformat ascii 1.0\nelement face 1\nproperty int n\nend_header\n3\n",
        "vertex_indices");
    assert_refused(
        "ply\nformat ascii 1.0\nelement dust 18446744073709551615\nend_header\n",
        "without properties");
    assert_refused("ply\nformat ascii 1.0\nelement face 2\n"
                   "property list int int vertex_index\nend_header\n3 0 0 0\n",
                   "face 2 of 2");
    assert_refused("ply\nformat ascii 1.0\nelement face 1\n"
                   "property list int int vertex_index\nend_header\n3 0 0 -1\n",
                   "vertex -1 in face 1");
    assert_refused("ply\nformat ascii 1.0\nelement face 1\n"
                   "property list int int vertex_index\nend_header\n3 0 0 7\n",
                   "triangle 1 has vertex 1, there are 0");
    write_file("v 0 0 0\n\0f 1 1 1\n", 17);
    assert_false(bench_mesh_read(&mesh, path, error));
    assert_non_null(strstr(error, "binary"));
    bench_mesh_free(&mesh);
}

/* ---- Volumes ---- */

static size_t sum_of(const uint8_t *cells, size_t side)
{
    size_t n = 0;
    for (size_t i = 0; i < side * side * side; i++)
        n += cells[i];
    return n;
}

static void test_cube_is_exact(void **state)
{
    (void)state;
    uint8_t *cells = malloc((size_t)SIDE * SIDE * SIDE);
    bench_mesh cube = read_mesh(cube_obj, strlen(cube_obj));
    assert_non_null(cells);
    for (size_t side = 1; side <= SIDE; side++) {
        size_t inner = side > 2 ? (side - 2) * (side - 2) * (side - 2) : 0;
        assert_true(bench_voxels_solid(cells, side, &cube));
        assert_int_equal(sum_of(cells, side), side * side * side);
        assert_true(bench_voxels_surface(cells, side, &cube));
        assert_int_equal(sum_of(cells, side), side * side * side - inner);
    }
    free(cells);
    bench_mesh_free(&cube);
}

/* A box of half the length along x and a quarter along y lies in the middle. */
static void test_box_lies_in_the_middle(void **state)
{
    (void)state;
    static uint8_t cells[16 * 16 * 16];
    bench_mesh box = read_mesh(cube_obj, strlen(cube_obj));
    for (size_t i = 0; i < box.n_vertices; i++) {
        box.vertices[i][0] *= 0.5;
        box.vertices[i][1] *= 0.25;
    }
    assert_true(bench_voxels_solid(cells, 16, &box));
    for (size_t z = 0; z < 16; z++)
        for (size_t y = 0; y < 16; y++)
            for (size_t x = 0; x < 16; x++)
                assert_int_equal(cells[(z * 16 + y) * 16 + x],
                                 x >= 4 && x < 12 && y >= 6 && y < 10);
    bench_mesh_free(&box);
}

/* Without one of its faces, rays along two axes still say what is inside. */
static void test_hole_changes_nothing(void **state)
{
    (void)state;
    static uint8_t cells[SIDE * SIDE * SIDE];
    bench_mesh cube = read_mesh(cube_obj, strlen(cube_obj));
    cube.n_triangles -= 2;
    assert_true(bench_voxels_solid(cells, SIDE, &cube));
    assert_int_equal(sum_of(cells, SIDE), SIDE * SIDE * SIDE);
    bench_mesh_free(&cube);
}

/* The slanted square x + y = 1 of a cube 8 cells a side meets the cells of a diagonal, and those that
 * touch it with an edge. */
static void test_slanted_surface(void **state)
{
    (void)state;
    static uint8_t cells[512];
    const char *text = "v 1 0 0\nv 0 1 0\nv 0 1 1\nv 1 0 1\nf 1 2 3 4\n";
    bench_mesh square = read_mesh(text, strlen(text));
    assert_true(bench_voxels_surface(cells, 8, &square));
    for (size_t i = 0; i < 512; i++) {
        size_t sum = i % 8 + i / 8 % 8;
        assert_int_equal(cells[i], sum >= 6 && sum <= 8);
    }
    bench_mesh_free(&square);
}

/* A ball of rings; its poles lie on rays of the middle column. */
static bench_mesh make_ball(int n)
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
    return read_mesh(text, at);
}

static void test_ball_has_its_volume(void **state)
{
    (void)state;
    static uint8_t solid[65 * 65 * 65], surface[65 * 65 * 65];
    bench_mesh ball = make_ball(32);
    for (size_t side = 64; side <= 65; side++) {
        double volume = PI / 6 * (double)(side * side * side);
        assert_true(bench_voxels_solid(solid, side, &ball));
        assert_true(bench_voxels_surface(surface, side, &ball));
        double n = (double)sum_of(solid, side), n_surface = (double)sum_of(surface, side);
        assert_true(n > 0.98 * volume && n < volume);
        assert_true(n_surface > 1.5 * PI * (double)(side * side) / 2);
        assert_true(n_surface < 3 * PI * (double)(side * side));
        /* A cell and its neighbour differ only where the surface is. */
        for (size_t i = 1; i < side * side * side; i++)
            if (i % side > 0 && solid[i] != solid[i - 1])
                assert_true(surface[i] || surface[i - 1]);
    }
    bench_mesh_free(&ball);
}

static void test_no_extent_is_refused(void **state)
{
    (void)state;
    uint8_t cells[8];
    const char *text = "v 1 1 1\nf 1 1 1\n";
    bench_mesh point = read_mesh(text, strlen(text));
    assert_false(bench_voxels_solid(cells, 2, &point));
    assert_false(bench_voxels_surface(cells, 2, &point));
    bench_mesh_free(&point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings_agree),
        cmocka_unit_test(test_bad_files_are_refused),
        cmocka_unit_test(test_cube_is_exact),
        cmocka_unit_test(test_box_lies_in_the_middle),
        cmocka_unit_test(test_hole_changes_nothing),
        cmocka_unit_test(test_slanted_surface),
        cmocka_unit_test(test_ball_has_its_volume),
        cmocka_unit_test(test_no_extent_is_refused),
    };
    const char *parent = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/rugose-mesh-XXXXXX",
             parent == NULL ? "/tmp" : parent);
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return status;
}
