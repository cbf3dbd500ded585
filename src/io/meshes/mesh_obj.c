/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes from OBJ files (Wavefront): lines that begin with a keyword. `v` and `f` are read, and what
 * else the format has is passed over: textures, normals, groups, materials, curves. */

#include "mesh.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Recognition ---- */

/* What a line may begin with before the first vertex. */
static const char *const keywords[] = {"o",  "g",  "s",  "mtllib", "usemtl",
                                       "vt", "vn", "vp", "mg",     NULL};

static int is_keyword(const char *text, size_t n)
{
    for (size_t i = 0; keywords[i] != NULL; i++)
        if (strlen(keywords[i]) == n && memcmp(keywords[i], text, n) == 0)
            return 1;
    return 0;
}

static int begins_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/* Lines of keywords and comments, then a vertex; or such lines to the end of the first bytes of a file
 * that is called .obj. */
static int claims(const rug_file *file)
{
    const char *at = (const char *)file->head, *end = at + file->n_head;
    while (at < end) {
        while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
            at++;
        const char *line = memchr(at, '\n', (size_t)(end - at)), *word = at;
        while (at<end && * at> ' ')
            at++;
        size_t n = (size_t)(at - word);
        if (n == 1 && *word == 'v') {
            while (at < end && (*at == ' ' || *at == '\t'))
                at++;
            return at < end && begins_number(*at);
        }
        if (n > 0 && *word != '#' && !is_keyword(word, n))
            return 0;
        at = line != NULL ? line : end;
    }
    return rugi_has_ending(file->path, ".obj");
}

/* ---- Reading ---- */

/* A corner is V, V/T, V//N or V/T/N; a number below 0 counts back from the last vertex so far. */
static rug_status take_corner(rugi_mesh *mesh, uint32_t fan[2], size_t k,
                              const char *word)
{
    char *end;
    long long number = strtoll(word, &end, 10);
    uint64_t n = mesh->n_vertices;
    int is_back = number < 0 && (uint64_t) - (number + 1) < n;
    if (end == word || (*end != '\0' && *end != '/') || (number <= 0 && !is_back))
        return rugi_mesh_damaged(mesh,
                                 "line %" PRIu64 " has the corner \"%.40s\"; the number "
                                 "of a vertex is expected",
                                 mesh->line, word);
    uint64_t vertex =
        number > 0 ? (uint64_t)number - 1 : n - 1 - (uint64_t) - (number + 1);
    return rugi_mesh_add_corner(mesh, fan, k, vertex);
}

static rug_status take_face(rugi_mesh *mesh)
{
    char word[RUGI_WORD_MAX];
    uint32_t fan[2];
    size_t k = 0;
    for (; rugi_mesh_word(mesh, word, 0) > 0 && word[0] != '#'; k++) {
        rug_status status = take_corner(mesh, fan, k, word);
        if (status != RUG_OK)
            return status;
    }
    return k >= 3 ? RUG_OK
                  : rugi_mesh_damaged(mesh,
                                      "the face in line %" PRIu64
                                      " has %zu corners, 3 are needed",
                                      mesh->line, k);
}

static rug_status read_obj(rugi_mesh *mesh)
{
    char word[RUGI_WORD_MAX];
    rug_status status = RUG_OK;
    while (status == RUG_OK && rugi_mesh_peek(mesh) != -1) {
        size_t n = rugi_mesh_word(mesh, word, 0);
        if (n == 1 && word[0] == 'v') {
            double xyz[3];
            status = rugi_mesh_take_xyz(mesh, xyz, 0);
            if (status == RUG_OK)
                status = rugi_mesh_add_vertex(mesh, xyz);
        } else if (n == 1 && word[0] == 'f') {
            status = take_face(mesh);
        }
        rugi_mesh_end_line(mesh);
    }
    return status == RUG_OK ? mesh->status : status;
}

const rugi_mesh_format rugi_obj = {"obj", claims, read_obj};
