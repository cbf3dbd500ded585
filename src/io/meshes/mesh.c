/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the formats of meshes share: vertices and triangles that grow, and a file byte by byte or word by
 * word. Neither knows how many there will be: what a header promises takes no memory. */

#include "mesh.h"
#include "core/image/number.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Numbers of vertices are below. */
#define MOST_VERTICES ((size_t)UINT32_MAX)

/* ---- The mesh ---- */

/* Room for one item more, of n. NULL: there is no memory, and the old room stays. */
static void *grow(rugi_mesh *mesh, void *items, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return items;
    size_t wanted = *room == 0 ? 1024 : *room + *room / 2;
    void *larger = rug_context_allocate(mesh->ctx, wanted, size, mesh->path);
    if (larger == NULL)
        return NULL;
    if (n > 0)
        memcpy(larger, items, n * size);
    rug_context_release(mesh->ctx, items);
    *room = wanted;
    return larger;
}

rug_status rugi_mesh_add_vertex(rugi_mesh *mesh, const double xyz[3])
{
    size_t n = mesh->n_vertices;
    if (!isfinite(xyz[0]) || !isfinite(xyz[1]) || !isfinite(xyz[2]))
        return rugi_mesh_damaged(
            mesh, "vertex %zu has a coordinate that is no finite number", n + 1);
    if (n == MOST_VERTICES)
        return rug_context_fail(mesh->ctx, RUG_E_UNSUPPORTED,
                                "%s: the mesh has more than %zu vertices", mesh->path, n);
    void *room =
        grow(mesh, mesh->vertices, n, &mesh->vertex_room, sizeof *mesh->vertices);
    if (room == NULL)
        return RUG_E_NOMEM;
    mesh->vertices = room;
    memcpy(mesh->vertices[mesh->n_vertices++], xyz, 3 * sizeof *xyz);
    return RUG_OK;
}

rug_status rugi_mesh_add_corner(rugi_mesh *mesh, uint32_t fan[2], size_t k,
                                uint64_t vertex)
{
    size_t n = mesh->n_triangles;
    if (vertex >= MOST_VERTICES)
        return rugi_mesh_damaged(mesh, "a face has vertex %" PRIu64 ", counted from 0",
                                 vertex);
    if (k >= 2) {
        if (n == MOST_VERTICES)
            return rug_context_fail(mesh->ctx, RUG_E_UNSUPPORTED,
                                    "%s: the mesh has more than %zu triangles",
                                    mesh->path, n);
        void *room =
            grow(mesh, mesh->triangles, n, &mesh->triangle_room, sizeof *mesh->triangles);
        if (room == NULL)
            return RUG_E_NOMEM;
        mesh->triangles = room;
        const uint32_t corners[3] = {fan[0], fan[1], (uint32_t)vertex};
        memcpy(mesh->triangles[mesh->n_triangles++], corners, sizeof corners);
    }
    fan[k == 0 ? 0 : 1] = (uint32_t)vertex;
    return RUG_OK;
}

/* ---- The file ---- */

rug_status rugi_mesh_damaged(rugi_mesh *mesh, const char *what, ...)
{
    char text[RUGI_WORD_MAX + 200];
    va_list arguments;
    if (mesh->status != RUG_OK)
        return mesh->status;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    return rug_context_fail(mesh->ctx, RUG_E_FORMAT, "%s: %s", mesh->path, text);
}

int rugi_mesh_fill(rugi_mesh *mesh)
{
    size_t n = mesh->n_left < RUGI_MESH_BUFFER ? (size_t)mesh->n_left : RUGI_MESH_BUFFER;
    mesh->at = mesh->n = 0;
    if (mesh->status == RUG_OK && n > 0)
        mesh->status = rug_context_step(mesh->ctx, 0);
    if (mesh->status != RUG_OK || n == 0)
        return 0;
    errno = 0;
    mesh->n = fread(mesh->buffer, 1, n, mesh->in);
    mesh->n_left -= mesh->n;
    if (mesh->n > 0)
        return 1;
    const char *why = ferror(mesh->in) ? strerror(errno) : "it became shorter";
    mesh->status =
        rug_context_fail(mesh->ctx, RUG_E_IO, "%s: cannot be read: %s", mesh->path, why);
    return 0;
}

int rugi_mesh_take(rugi_mesh *mesh, void *to, size_t n)
{
    unsigned char *bytes = to;
    while (n > 0) {
        if (mesh->at == mesh->n && !rugi_mesh_fill(mesh))
            return 0;
        size_t here = mesh->n - mesh->at < n ? mesh->n - mesh->at : n;
        memcpy(bytes, mesh->buffer + mesh->at, here);
        mesh->at += here;
        bytes += here;
        n -= here;
    }
    return 1;
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void rugi_mesh_end_line(rugi_mesh *mesh)
{
    int c;
    while ((c = rugi_mesh_peek(mesh)) != -1) {
        mesh->at++;
        if (c == '\n') {
            mesh->line++;
            return;
        }
    }
}

size_t rugi_mesh_word(rugi_mesh *mesh, char word[RUGI_WORD_MAX], int any_line)
{
    size_t n = 0;
    int c = rugi_mesh_peek(mesh);
    for (; is_blank(c) || (any_line && c == '\n'); c = rugi_mesh_peek(mesh)) {
        mesh->line += c == '\n';
        mesh->at++;
    }
    while (c != -1 && c != '\n' && !is_blank(c)) {
        if (n < RUGI_WORD_MAX - 1)
            word[n++] = (char)c;
        mesh->at++;
        c = rugi_mesh_peek(mesh);
    }
    word[n] = '\0';
    return n;
}

rug_status rugi_mesh_take_xyz(rugi_mesh *mesh, double xyz[3], int any_line)
{
    char word[RUGI_WORD_MAX];
    for (int a = 0; a < 3; a++)
        if (rugi_mesh_word(mesh, word, any_line) == 0)
            return rugi_mesh_damaged(
                mesh, "vertex %zu in line %" PRIu64 " has fewer than 3 numbers",
                mesh->n_vertices + 1, mesh->line);
        else if (!rugi_parse_real(&xyz[a], word))
            return rugi_mesh_damaged(
                mesh, "line %" PRIu64 " has \"%.40s\" where a finite number is expected",
                mesh->line, word);
    return RUG_OK;
}
