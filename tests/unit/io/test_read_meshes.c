/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading meshes: all formats and encodings, the voxels of bodies that are known exactly, those of
 * tetrahedra against a naive search, holes, and files that lie. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "read_support.h"
#include <math.h>

#define SIDE 24
#define PI   3.14159265358979323846

static rug_read_options in_voxels(uint64_t side, int solid)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.resolution = side;
    opts.solid = solid;
    return opts;
}

/* A mesh of n bytes in so many voxels a side. */
static rug_file *read_bytes(scratch *here, const char *name, const void *bytes, size_t n,
                            uint64_t side, int solid)
{
    rug_read_options opts = in_voxels(side, solid);
    return must_read(put_bytes(here, name, bytes, n), &opts);
}

static rug_file *read_text(scratch *here, const char *text, uint64_t side, int solid)
{
    return read_bytes(here, "mesh.obj", text, strlen(text), side, solid);
}

static size_t count_set(const rug_file *file)
{
    const rug_image *m = rug_file_image(file);
    size_t n = 0;
    for (size_t z = 0; z < m->shape[0]; z++)
        for (size_t y = 0; y < m->shape[1]; y++)
            for (size_t x = 0; x < m->shape[2]; x++)
                n += pixel(file, z, y, x) > 0;
    return n;
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

/* ---- Formats ---- */

/* The same cube as STL; each face as two triangles. */
static size_t text_stl(char *out)
{
    size_t at = (size_t)sprintf(out, " Solid a vertex of facets\r\n");
    for (int i = 0; i < 6; i++)
        for (int k = 1; k < 3; k++) {
            const int corners[3] = {0, k, k + 1};
            at += (size_t)sprintf(out + at, "facet normal nan 0 0\n outer loop\n");
            for (int c = 0; c < 3; c++) {
                const signed char *p = cube_xyz[cube_faces[i][corners[c]]];
                at += (size_t)sprintf(out + at, "\tvertex %d %d.0e0 %d\n", p[0], p[1],
                                      p[2]);
            }
            at += (size_t)sprintf(out + at, " endloop\nendfacet\n");
        }
    return at + (size_t)sprintf(out + at, "endsolid a vertex of facets");
}

static size_t binary_stl(char *out)
{
    size_t at = 80;
    uint32_t n = 12;
    memset(out, 0, 84 + 12 * 50);
    memcpy(out, "solid facet", 11); /* as some programs begin a binary file */
    at = put(out, at, &n, sizeof n, 0);
    for (int i = 0; i < 6; i++)
        for (int k = 1; k < 3; k++) {
            const int corners[3] = {0, k, k + 1};
            at += 12;
            for (int c = 0; c < 3; c++)
                for (int a = 0; a < 3; a++) {
                    float v = cube_xyz[cube_faces[i][corners[c]]][a];
                    at = put(out, at, &v, sizeof v, 0);
                }
            at += 2;
        }
    return at;
}

static void assert_same(const rug_file *a, const rug_file *b)
{
    if (!same_views(rug_file_image(a), rug_file_image(b)))
        fail_msg("%s and %s differ", rug_file_get_facts(a)->path,
                 rug_file_get_facts(b)->path);
    assert_memory_equal(rug_file_get_facts(a)->affine, rug_file_get_facts(b)->affine,
                        sizeof rug_file_get_facts(a)->affine);
}

static void formats_agree(void **state)
{
    static char bytes[6][8192];
    static const char *const formats[] = {"ply", "ply", "ply", "stl", "stl"};
    const size_t n[] = {text_cube(bytes[0]), binary_cube(bytes[1], 0),
                        binary_cube(bytes[2], 1), text_stl(bytes[3]),
                        binary_stl(bytes[4])};
    for (int solid = 0; solid < 2; solid++) {
        rug_file *obj = read_text(*state, cube_obj, SIDE, solid);
        assert_string_equal(warning, "");
        assert_string_equal(rug_file_get_facts(obj)->format, "obj");
        for (int i = 0; i < 5; i++) {
            rug_file *other = read_bytes(*state, "other", bytes[i], n[i], SIDE, solid);
            assert_string_equal(warning, "");
            assert_string_equal(rug_file_get_facts(other)->format, formats[i]);
            assert_same(obj, other);
            rug_file_free(other);
        }
        rug_file_free(obj);
    }
}

/* A file that is cut anywhere is refused, and takes no memory for what it promises. */
static void cut_files_are_refused(void **state)
{
    static char bytes[8192];
    rug_read_options opts = in_voxels(8, 0);
    for (int kind = 0; kind < 5; kind++) {
        size_t n = kind == 0   ? text_cube(bytes) - 4 /* within the last number */
                   : kind <= 2 ? binary_cube(bytes, kind - 1)
                   : kind == 3 ? text_stl(bytes) - 27
                               : binary_stl(bytes);
        for (size_t cut = n - 1; cut > 90; cut -= cut > 97 ? 7 : 1) {
            rug_file *file;
            const char *path = put_bytes(*state, "cut.stl", bytes, cut);
            rug_status status = rug_file_open(ctx, &file, path, &opts);
            if (status != RUG_E_FORMAT)
                fail_msg("kind %d, %zu of %zu bytes: %s", kind, cut, n,
                         rug_status_name(status));
        }
    }
}

static void other_programs(void **state)
{
    static const char *const names[] = {"trimesh_ascii.ply", "trimesh_binary.ply",
                                        "trimesh_ascii.stl", "trimesh_binary.stl",
                                        "trimesh.obj",       "meshio_ascii.ply",
                                        "meshio_binary.ply", "meshio_ascii.stl",
                                        "meshio_binary.stl", "meshio.obj"};
    char path[SCRATCH_PATH_MAX];
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        rug_read_options opts = in_voxels(32, solid);
        rug_file *first = NULL;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            snprintf(path, sizeof path, RUGOSE_TEST_DATA "/meshes/%s", names[i]);
            rug_file *file = must_read(path, &opts);
            assert_string_equal(warning, "");
            if (first == NULL) {
                first = file;
                continue;
            }
            assert_same(first, file);
            rug_file_free(file);
        }
        assert_int_equal(count_set(first), solid ? 4752 : 3480);
        rug_file_free(first);
    }
}

/* ---- Files that lie ---- */

static void refuse(scratch *here, const char *text, rug_status status, const char *why)
{
    rug_read_options opts = in_voxels(8, 0);
    int is_ply = strncmp(text, "ply", 3) == 0;
    must_fail(put_bytes(here, is_ply ? "bad.ply" : "bad.obj", text, strlen(text)), &opts,
              status, why);
}

static void bad_obj(void **state)
{
    scratch *here = *state;
    refuse(here, "v 1 2 3\n", RUG_E_FORMAT, "no faces");
    refuse(here, "v 1 2\n3\n", RUG_E_FORMAT, "fewer than 3 numbers");
    refuse(here, "v 1 nan 3\n", RUG_E_FORMAT, "\"nan\" where a finite number");
    refuse(here, "v 1 1e999 3\n", RUG_E_FORMAT, "1e999");
    refuse(here, "v 0 0 0\nv 1 0 0\nf 1 2\n", RUG_E_FORMAT, "line 3 has 2 corners");
    refuse(here, "v 0 0 0\nv 1 0 0\nf 1 2 3\n", RUG_E_FORMAT,
           "triangle 1 has vertex 2, counted from 0, but there are 2");
    refuse(here, "v 0 0 0\nv 1 0 0\nf 1 2 0\n", RUG_E_FORMAT, "\"0\"; the number of");
    refuse(here, "v 0 0 0\nv 1 0 0\nf 1 2 -3\n", RUG_E_FORMAT, "\"-3\"");
    refuse(here, "v 0 0 0\nf 1 1 99999999999999999999\n", RUG_E_FORMAT, "a face has");
    refuse(here, "v 0 0 0\nf 1 1 -9223372036854775808\n", RUG_E_FORMAT, "the number of");
    refuse(here, "v 0 0 0\nf 1 1 1x\n", RUG_E_FORMAT, "\"1x\"");
    refuse(here, "v 1 1 1\nf 1 1 1\n", RUG_E_FORMAT, "is 0 long");
    refuse(here, "v -1e308 0 0\nv 1e308 0 0\nf 1 2 2\n", RUG_E_FORMAT, "is inf long");
}

#define PLY "ply\nformat ascii 1.0\n"

static void bad_ply(void **state)
{
    scratch *here = *state;
    refuse(here, PLY "element vertex 1\n", RUG_E_FORMAT, "has no end");
    refuse(here, "ply\nformat ascii 2.0\nend_header\n", RUG_E_UNSUPPORTED, "ascii 2.0");
    refuse(here, "ply\nend_header\n", RUG_E_FORMAT, "no format");
    refuse(here, PLY "element vertex -1\nend_header\n", RUG_E_FORMAT, "\"-1\"");
    refuse(here, PLY "element vertex 1.5\nend_header\n", RUG_E_FORMAT, "\"1.5\"");
    refuse(here, PLY "elephant 1\nend_header\n", RUG_E_FORMAT, "line 3");
    refuse(here, PLY "property int x\nend_header\n", RUG_E_FORMAT, "line 3");
    refuse(here, PLY "element vertex 1\nproperty half x\nend_header\n", RUG_E_FORMAT,
           "\"half\"");
    refuse(here, PLY "element vertex 1\nproperty float x\nproperty float y\nend_header\n",
           RUG_E_FORMAT, "one x, y and z");
    refuse(here, PLY "element face 1\nproperty int n\nend_header\n3\n", RUG_E_FORMAT,
           "vertex_indices");
    refuse(here, PLY "element dust 9007199254740992\nend_header\n", RUG_E_FORMAT,
           "no properties");
    refuse(here,
           PLY "element face 2\nproperty list int int vertex_index\nend_header\n"
               "3 0 0 0\n",
           RUG_E_FORMAT, "face 2 of 2");
    refuse(here,
           PLY "element face 1\nproperty list int int vertex_index\nend_header\n"
               "3 0 0 -1\n",
           RUG_E_FORMAT, "vertex -1");
    refuse(here,
           PLY "element face 1\nproperty list int int vertex_index\nend_header\n"
               "2 0 0\n",
           RUG_E_FORMAT, "3 are needed");
    refuse(here,
           PLY "element face 1\nproperty list int int vertex_index\nend_header\n"
               "3 0 0 0\n3 0 0 0\n",
           RUG_E_FORMAT, "goes on behind the last row");
}

static void bad_stl(void **state)
{
    static char bytes[8192];
    rug_read_options opts = in_voxels(8, 0);
    static const char *const texts[][2] = {
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 z\n",
         "\"z\" where a finite number"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
         "2 vertices"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0 0\n", "\"0\", which STL"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\n",
         "before \"endsolid\""},
        {"solid a\nendsolid\n", "no faces"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        must_fail(put_bytes(*state, "bad", texts[i][0], strlen(texts[i][0])), &opts,
                  RUG_E_FORMAT, texts[i][1]);
    size_t n = binary_stl(bytes);
    must_fail(put_bytes(*state, "long.stl", bytes, n + 1), &opts, RUG_E_FORMAT, "\"");
    bytes[0] = 'S' ^ 1; /* so that it is no text */
    must_fail(put_bytes(*state, "long.stl", bytes, n + 1), &opts, RUG_E_FORMAT,
              "12 triangles of binary STL take 684 bytes, but the file has 685");
    float infinite = INFINITY;
    memcpy(bytes + 84 + 12, &infinite, sizeof infinite);
    must_fail(put_bytes(*state, "infinite", bytes, n), &opts, RUG_E_FORMAT,
              "vertex 1 has a coordinate that is no finite number");
}

static void bad_options(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path = put_bytes(*state, "mesh", cube_obj, strlen(cube_obj));
    must_fail(path, &opts, RUG_E_ARG, "is a mesh; say how many voxels");
    opts.solid = 1;
    must_fail(path, &opts, RUG_E_ARG, "is a mesh; say how many voxels");
    opts.resolution = 2;
    must_fail(path, &opts, RUG_E_ARG, "2 voxels given, 3 to 1048576 expected");
    opts.resolution = 1048577;
    must_fail(path, &opts, RUG_E_ARG, "1048577 voxels given");
    opts.resolution = 8;
    opts.channel = 1;
    must_fail(path, &opts, RUG_E_ARG, "channel 1");
    opts.channel = -1;
    opts.nodata = RUG_NODATA_VALUE;
    must_fail(path, &opts, RUG_E_ARG, "all voxels of a mesh are data");
    opts = in_voxels(8, 0);
    must_fail(put_bytes(*state, "image.pgm", "P5 1 1 255\n1", 12), &opts, RUG_E_ARG,
              "is no mesh");
}

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
        SCRATCH_TEST(formats_agree),
        SCRATCH_TEST(cut_files_are_refused),
        SCRATCH_TEST(other_programs),
        SCRATCH_TEST(bad_obj),
        SCRATCH_TEST(bad_ply),
        SCRATCH_TEST(bad_stl),
        SCRATCH_TEST(bad_options),
        SCRATCH_TEST(cube_is_exact),
        SCRATCH_TEST(box_lies_in_the_middle),
        SCRATCH_TEST(slanted_surface),
        SCRATCH_TEST(line_touches_voxels),
        SCRATCH_TEST(hole_changes_nothing),
        SCRATCH_TEST(tetrahedra),
        SCRATCH_TEST(ball_has_its_volume),
        SCRATCH_TEST(threads_agree),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
