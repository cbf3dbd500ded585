/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading meshes: all formats and encodings, what other programs write, and files that lie. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "mesh_support.h"

/* ---- A cube, in all encodings ---- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(formats_agree),  SCRATCH_TEST(cut_files_are_refused),
        SCRATCH_TEST(other_programs), SCRATCH_TEST(bad_obj),
        SCRATCH_TEST(bad_ply),        SCRATCH_TEST(bad_stl),
        SCRATCH_TEST(bad_options),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
