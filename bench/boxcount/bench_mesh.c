/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes of triangles: what both formats share, and OBJ; see bench_mesh.h. */

#include "bench_mesh.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of vertices are below. */
#define MOST_VERTICES ((size_t)1 << 31)

int bench_mesh_refuse(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, BENCH_MESH_ERROR, format, arguments);
    va_end(arguments);
    return 0;
}

/* Memory for one item more, of n. */
static void *grown(void *items, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return items;
    size_t wanted = *room == 0 ? 1024 : 2 * *room;
    void *larger = realloc(items, wanted * size);
    if (larger != NULL)
        *room = wanted;
    return larger;
}

int bench_mesh_add_vertex(bench_mesh *mesh, const double xyz[3], char *error)
{
    size_t n = mesh->n_vertices;
    if (!isfinite(xyz[0]) || !isfinite(xyz[1]) || !isfinite(xyz[2]))
        return bench_mesh_refuse(error, "vertex %zu has a coordinate that is not finite",
                                 n + 1);
    if (n == MOST_VERTICES)
        return bench_mesh_refuse(error, "more than %zu vertices", MOST_VERTICES);
    void *room = grown(mesh->vertices, n, &mesh->vertex_room, sizeof *mesh->vertices);
    if (room == NULL)
        return bench_mesh_refuse(error, "no memory for %zu vertices", n + 1);
    mesh->vertices = room;
    memcpy(mesh->vertices[mesh->n_vertices++], xyz, 3 * sizeof *xyz);
    return 1;
}

int bench_mesh_add_corner(bench_mesh *mesh, uint32_t face[2], size_t k, uint32_t vertex,
                          char *error)
{
    size_t n = mesh->n_triangles;
    if (k >= 2) {
        void *room =
            grown(mesh->triangles, n, &mesh->triangle_room, sizeof *mesh->triangles);
        if (room == NULL)
            return bench_mesh_refuse(error, "no memory for %zu triangles", n + 1);
        mesh->triangles = room;
        const uint32_t corners[3] = {face[0], face[1], vertex};
        memcpy(mesh->triangles[mesh->n_triangles++], corners, sizeof corners);
    }
    face[k == 0 ? 0 : 1] = vertex;
    return 1;
}

void bench_mesh_free(bench_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}

/* ---- OBJ ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\0' || c == '#';
}

static int take_vertex(bench_mesh *mesh, const char *at, char *error)
{
    double xyz[3];
    for (int a = 0; a < 3; a++) {
        char *end;
        at = skip_blanks(at);
        xyz[a] = strtod(at, &end);
        if (is_line_end(*at) || end == at)
            return bench_mesh_refuse(error, "vertex %zu has fewer than 3 numbers",
                                     mesh->n_vertices + 1);
        at = end;
    }
    return bench_mesh_add_vertex(mesh, xyz, error);
}

/* Corners are V, V/T, V//N or V/T/N; below 0, from the last vertex so far. */
static int take_face(bench_mesh *mesh, const char *at, char *error)
{
    uint32_t face[2];
    size_t k = 0;
    for (at = skip_blanks(at); !is_line_end(*at); at = skip_blanks(at), k++) {
        char *end;
        long long vertex = strtoll(at, &end, 10);
        int is_number = end != at && (is_blank(*end) || is_line_end(*end) || *end == '/');
        vertex += vertex < 0 ? (long long)mesh->n_vertices : -1;
        if (!is_number || vertex < 0 || vertex >= (long long)MOST_VERTICES)
            return bench_mesh_refuse(error,
                                     "a corner \"%.20s\" where the number of a vertex is "
                                     "expected, 1 to %zu",
                                     at, mesh->n_vertices);
        if (!bench_mesh_add_corner(mesh, face, k, (uint32_t)vertex, error))
            return 0;
        for (at = end; !is_blank(*at) && !is_line_end(*at);)
            at++;
    }
    return k >= 3 || bench_mesh_refuse(error, "a face of %zu corners, 3 are needed", k);
}

static int read_obj(bench_mesh *mesh, const char *at, size_t n, char *error)
{
    if (strlen(at) != n)
        return bench_mesh_refuse(error, "it is binary; a PLY or OBJ file is expected");
    while (*at != '\0') {
        int is_taken = 1;
        at = skip_blanks(at);
        if (at[0] == 'v' && is_blank(at[1]))
            is_taken = take_vertex(mesh, at + 1, error);
        else if (at[0] == 'f' && is_blank(at[1]))
            is_taken = take_face(mesh, at + 1, error);
        if (!is_taken)
            return 0;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return 1;
}

/* ---- Files ---- */

static int has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

int bench_mesh_is_named(const char *path)
{
    return has_ending(path, ".ply") || has_ending(path, ".obj");
}

/* The whole file, with a 0 behind its end; NULL: refused. */
static char *read_all(FILE *f, size_t *n, char *error)
{
    char *text = NULL;
    size_t room = 0;
    *n = 0;
    do {
        char *larger = *n + 1 < room ? text : realloc(text, room = 2 * room + 65536);
        if (larger == NULL) {
            free(text);
            bench_mesh_refuse(error, "no memory for %zu bytes", room);
            return NULL;
        }
        text = larger;
        *n += fread(text + *n, 1, room - *n - 1, f);
    } while (!feof(f) && !ferror(f));
    text[*n] = '\0';
    if (!ferror(f))
        return text;
    free(text);
    bench_mesh_refuse(error, "it cannot be read");
    return NULL;
}

static int check_mesh(const bench_mesh *mesh, char *error)
{
    if (mesh->n_triangles == 0)
        return bench_mesh_refuse(error, "no faces; a PLY or OBJ file is expected");
    for (size_t t = 0; t < mesh->n_triangles; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[t][k] >= mesh->n_vertices)
                return bench_mesh_refuse(
                    error, "triangle %zu has vertex %lu, there are %zu", t + 1,
                    (unsigned long)mesh->triangles[t][k] + 1, mesh->n_vertices);
    return 1;
}

int bench_mesh_read(bench_mesh *mesh, const char *path, char *error)
{
    size_t n;
    memset(mesh, 0, sizeof *mesh);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return bench_mesh_refuse(error, "it cannot be opened");
    char *text = read_all(f, &n, error);
    fclose(f);
    if (text == NULL)
        return 0;
    int is_ply = strncmp(text, "ply\n", 4) == 0 || strncmp(text, "ply\r", 4) == 0;
    int is_read = is_ply ? bench_mesh_read_ply(mesh, text, n, error)
                         : read_obj(mesh, text, n, error);
    free(text);
    return is_read && check_mesh(mesh, error);
}
