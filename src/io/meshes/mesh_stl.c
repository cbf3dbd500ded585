/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes from STL files, each triangle with its own three vertices: as text, or binary, 80 bytes of
 * anything, a count, and 50 bytes a triangle, in little-endian order (3D Systems 1989). Binary files
 * may begin with "solid", too: they are known by their size. */

#include "io/base/text.h"
#include "mesh.h"
#include <inttypes.h>
#include <string.h>

#define HEAD   84 /* bytes before the first triangle of a binary file */
#define RECORD 50 /* bytes of a triangle */

static uint32_t little32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/* ---- Recognition ---- */

static int has_words(const unsigned char *at, size_t n, const char *words)
{
    size_t length = strlen(words);
    for (size_t i = 0; i + length <= n; i++)
        if (rugi_same_letters((const char *)at + i, words, length))
            return 1;
    return 0;
}

static int is_text(const unsigned char *head, size_t n)
{
    size_t at = 0;
    while (at < n && (head[at] == ' ' || head[at] == '\t'))
        at++;
    return n - at > 6 && rugi_same_letters((const char *)head + at, "solid", 5) &&
           head[at + 5] <= ' ' &&
           (has_words(head, n, "facet") || has_words(head, n, "endsolid"));
}

static int is_binary(const unsigned char *head, size_t n, uint64_t n_bytes)
{
    return n >= HEAD && little32(head + 80) > 0 &&
           n_bytes == HEAD + (uint64_t)RECORD * little32(head + 80);
}

static int claims(const rug_file *file)
{
    return is_binary(file->head, file->n_head, file->n_bytes) ||
           is_text(file->head, file->n_head) || rugi_has_ending(file->path, ".stl");
}

/* ---- Text ---- */

static int is_word(const char *word, const char *wanted)
{
    return rugi_same_letters(word, wanted, RUGI_WORD_MAX);
}

static rug_status take_vertex(rugi_mesh *mesh, uint32_t fan[2], size_t k)
{
    double xyz[3];
    rug_status status = rugi_mesh_take_xyz(mesh, xyz, 1);
    if (status == RUG_OK)
        status = rugi_mesh_add_vertex(mesh, xyz);
    return status == RUG_OK ? rugi_mesh_add_corner(mesh, fan, k, mesh->n_vertices - 1)
                            : status;
}

static rug_status read_text(rugi_mesh *mesh)
{
    char word[RUGI_WORD_MAX];
    uint32_t fan[2];
    size_t k = 0;
    int is_open = 1;
    rug_status status = RUG_OK;
    while (status == RUG_OK && rugi_mesh_word(mesh, word, 1) > 0) {
        int is_begin = is_word(word, "solid"), is_end = is_word(word, "endsolid");
        if (is_word(word, "vertex")) {
            status = take_vertex(mesh, fan, k++);
        } else if (is_word(word, "endloop")) {
            if (k < 3)
                status = rugi_mesh_damaged(
                    mesh, "the facet in line %" PRIu64 " has %zu vertices, 3 are needed",
                    mesh->line, k);
            k = 0;
        } else if (is_begin || is_end || is_word(word, "facet")) {
            is_open = is_begin || is_end ? is_begin : is_open;
            rugi_mesh_end_line(mesh);
        } else if (!is_word(word, "outer") && !is_word(word, "loop") &&
                   !is_word(word, "endfacet")) {
            status = rugi_mesh_damaged(
                mesh, "line %" PRIu64 " has the word \"%.40s\", which STL does not know",
                mesh->line, word);
        }
    }
    if (status == RUG_OK && (is_open || k > 0))
        status = rugi_mesh_damaged(
            mesh, "it ends in line %" PRIu64 ", before \"endsolid\"", mesh->line);
    return status == RUG_OK ? mesh->status : status;
}

/* ---- Binary ---- */

static double little_real(const unsigned char *b)
{
    uint32_t bits = little32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static rug_status take_record(rugi_mesh *mesh, const unsigned char *record)
{
    uint32_t fan[2];
    rug_status status = RUG_OK;
    for (size_t k = 0; status == RUG_OK && k < 3; k++) {
        double xyz[3];
        for (size_t a = 0; a < 3; a++)
            xyz[a] = little_real(record + 12 + 12 * k + 4 * a);
        status = rugi_mesh_add_vertex(mesh, xyz);
        if (status == RUG_OK)
            status = rugi_mesh_add_corner(mesh, fan, k, mesh->n_vertices - 1);
    }
    return status;
}

static rug_status read_binary(rugi_mesh *mesh, uint64_t n_bytes)
{
    unsigned char head[HEAD], record[RECORD];
    if (!rugi_mesh_take(mesh, head, HEAD))
        return rugi_mesh_damaged(mesh,
                                 "%" PRIu64 " bytes are neither a text that begins with "
                                 "\"solid\" nor a binary STL file",
                                 n_bytes);
    uint32_t n = little32(head + 80);
    uint64_t needed = HEAD + (uint64_t)RECORD * n;
    if (n_bytes != needed)
        return rugi_mesh_damaged(mesh,
                                 "%" PRIu32 " triangles of binary STL take %" PRIu64
                                 " bytes, but the file has %" PRIu64,
                                 n, needed, n_bytes);
    rug_status status = RUG_OK;
    for (uint32_t i = 0; status == RUG_OK && i < n; i++)
        status = rugi_mesh_take(mesh, record, RECORD)
                     ? take_record(mesh, record)
                     : rugi_mesh_damaged(mesh, "it became shorter");
    return status;
}

static rug_status read_stl(rugi_mesh *mesh)
{
    size_t n_head = RUGI_HEAD_MAX;
    uint64_t n_bytes = mesh->n_left;
    if (rugi_mesh_peek(mesh) == -1)
        return rugi_mesh_damaged(mesh, "it is empty");
    if (n_head > mesh->n)
        n_head = mesh->n;
    int text = !is_binary(mesh->buffer, n_head, n_bytes) && is_text(mesh->buffer, n_head);
    return text ? read_text(mesh) : read_binary(mesh, n_bytes);
}

const rugi_mesh_format rugi_stl = {"stl", claims, read_stl};
