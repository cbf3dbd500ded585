/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes of triangles from PLY and OBJ files, for bench_hou_study.c. */

#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include <stddef.h>
#include <stdint.h>

/** Room for a text that says why a file is refused, its end included. */
#define BENCH_MESH_ERROR 200

typedef struct bench_mesh {
    size_t n_vertices, n_triangles;
    double (*vertices)[3];    /* x, y, z; all finite */
    uint32_t (*triangles)[3]; /* numbers of vertices, all below n_vertices */
    size_t vertex_room, triangle_room;
} bench_mesh;

/** Whether a name ends like one of a mesh: .ply or .obj. */
int bench_mesh_is_named(const char *path);

/** Reads a mesh: PLY (ascii, binary_little_endian, binary_big_endian 1.0; elements vertex with
 *  x, y, z and face with vertex_indices or vertex_index), which begins with the line `ply`, else
 *  OBJ (v and f; other lines are ignored). Faces of more than three corners become fans.
 *  @param mesh   free it with bench_mesh_free(), after an error too
 *  @param error  [BENCH_MESH_ERROR]: why it is refused
 *  @return 1; 0: it cannot be read, or has bad numbers, or no face */
int bench_mesh_read(bench_mesh *mesh, const char *path, char *error);

void bench_mesh_free(bench_mesh *mesh);

/* ---- What the readers share ---- */

/** Says why a file is refused. @return 0 */
int bench_mesh_refuse(char *error, const char *format, ...);

/** Adds a vertex, a corner of a fan. @return 0: refused */
int bench_mesh_add_vertex(bench_mesh *mesh, const double xyz[3], char *error);

/** Adds the k-th corner of a face, with the number of its vertex.
 *  @param face  the first and the last corner so far
 *  @return 0: refused */
int bench_mesh_add_corner(bench_mesh *mesh, uint32_t face[2], size_t k, uint32_t vertex,
                          char *error);

/** @param text  the file, with a 0 behind its end */
int bench_mesh_read_ply(bench_mesh *mesh, const char *text, size_t n, char *error);

#endif
