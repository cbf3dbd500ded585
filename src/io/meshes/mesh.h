/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes of triangles, and the bytes that they are read from. */

#ifndef RUGI_MESH_H
#define RUGI_MESH_H

#include "io/base/reader.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Bytes of a word with its end. Numbers have fewer. */
#define RUGI_WORD_MAX 256

/** Bytes of a file that are held at once. */
#define RUGI_MESH_BUFFER 65536

/** A file that is read from its beginning to its end, and the mesh that comes of it. */
typedef struct rugi_mesh {
    rug_context *ctx;
    const char *path;
    size_t n_vertices, n_triangles;
    double (*vertices)[3];    /**< x, y, z; all finite */
    uint32_t (*triangles)[3]; /**< numbers of vertices; once read, all below n_vertices */
    size_t vertex_room, triangle_room;
    FILE *in;
    unsigned char *buffer; /**< RUGI_MESH_BUFFER bytes */
    size_t at, n;          /**< the next byte in it, and how many it has */
    uint64_t n_left;       /**< of the file behind them */
    uint64_t line;         /**< that the next byte is in, from 1 */
    rug_status status;     /**< why a read stopped before the end; RUG_OK: it did not */
} rugi_mesh;

/** Adds a vertex.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_FORMAT (not finite), RUG_E_UNSUPPORTED (too many) */
rug_status rugi_mesh_add_vertex(rugi_mesh *mesh, const double xyz[3]);

/** Adds the k-th corner of a polygon, with the number of its vertex: from the third on each makes a
 *  triangle with the first and the one before.
 *  @param fan  the first and the last corner so far */
rug_status rugi_mesh_add_corner(rugi_mesh *mesh, uint32_t fan[2], size_t k,
                                uint64_t vertex);

/** Fills the buffer, all of whose bytes are read. @return 0 at the end, and where status says why */
int rugi_mesh_fill(rugi_mesh *mesh);

/** The next byte, which stays; -1 at the end. */
static inline int rugi_mesh_peek(rugi_mesh *mesh)
{
    return mesh->at < mesh->n || rugi_mesh_fill(mesh) ? mesh->buffer[mesh->at] : -1;
}

/** Takes n bytes. @return 0: the file ends before */
int rugi_mesh_take(rugi_mesh *mesh, void *to, size_t n);

/** Takes a word, which ends at a blank or at the end of the line, from this line or, with
 *  `any_line`, the next one that has any; what is longer than RUGI_WORD_MAX is cut.
 *  @return its length; 0: there is none */
size_t rugi_mesh_word(rugi_mesh *mesh, char word[RUGI_WORD_MAX], int any_line);

/** Passes over what is left of a line. */
void rugi_mesh_end_line(rugi_mesh *mesh);

/** Takes three numbers, words of this line or, with `any_line`, of any.
 *  @return RUG_OK, RUG_E_FORMAT, or why the file cannot be read */
rug_status rugi_mesh_take_xyz(rugi_mesh *mesh, double xyz[3], int any_line);

/** Says that a file is damaged, with what was expected, or why it cannot be read.
 *  @param what  such as "the file ends within face 3 of 4" */
rug_status rugi_mesh_damaged(rugi_mesh *mesh, const char *what, ...) RUG_PRINTF(2, 3);

/** A format of meshes. */
typedef struct rugi_mesh_format {
    const char *name; /**< of the facts */
    /** Nonzero when the first bytes of a file are those of the format. */
    int (*claims)(const rug_file *file);
    /** Reads a mesh; what it holds is freed by the caller, also after a failure. Numbers of
     *  vertices are checked behind it. */
    rug_status (*read)(rugi_mesh *mesh);
} rugi_mesh_format;

extern const rugi_mesh_format rugi_ply, rugi_stl, rugi_obj;

#endif
